//! Applies a language's table to a message.

use std::ops::Range;

use jiff::civil::{Date, Weekday};
use regex::{Captures, Regex};

use memtape_core::Category;

use super::clauses::{self, Clause};
use super::compiled::Compiled;
use super::days::{self, Found};
use super::language::{Reach, Rule, When};
use super::page::Sentence;
use super::{CLAUSE_MAX, Candidate, Dropped, Reading, WEIGHT_MIN, Why, shown, weight};

impl Compiled {
    /// Adds the candidates and dropped clauses of a message to `reading`.
    pub(super) fn read(&self, text: &str, sentences: &[Sentence], said_on: Date, reading: &mut Reading) {
        let clauses = clauses::split(sentences, &self.connectors);
        let blocks = self.blocks(sentences, &clauses);
        for (clause, block) in clauses.iter().zip(blocks) {
            let sentence = &sentences[clause.sentence];
            if block == Some(Why::TooLong) {
                let text = shown(&text[sentence.place(&clause.range)]);
                reading.dropped.push(Dropped { text, why: Why::TooLong, rule: "" });
                continue;
            }
            let now = self.session.is_match(&sentence.text()[clause.range.clone()]);
            let range = clauses::trim_start(sentence.text(), clause.range.clone(), &self.openers);
            let range = clauses::trim_end(sentence.text(), range, &self.closers);
            let Some(index) = self.rule(&sentence.text()[range.clone()], block, now) else { continue };
            let rule = &self.language.rules[index];
            if let Some(why) = block
                && !(why == Why::Question && rule.asked)
            {
                let text = shown(&text[sentence.place(&range)]);
                reading.dropped.push(Dropped { text, why, rule: rule.name });
                continue;
            }
            let range = self.kept(sentence, range, index);
            reading.candidates.push(self.candidate(text, sentence, &range, rule, now, said_on));
        }
    }

    /// Returns, for each clause, the reason why a gate drops it.
    fn blocks(&self, sentences: &[Sentence], clauses: &[Clause]) -> Vec<Option<Why>> {
        let mut blocks: Vec<Option<Why>> = vec![None; clauses.len()];
        // The effect of earlier gates on the rest of the sentence, and on the rest of the message.
        let (mut rest, mut onward): (Option<(usize, Why)>, Option<Why>) = (None, None);
        let (mut whole, mut before) = (None, None);
        for (index, clause) in clauses.iter().enumerate() {
            let sentence = &sentences[clause.sentence];
            if is_long(&sentence.text()[clause.range.clone()]) {
                blocks[index] = Some(Why::TooLong);
                continue;
            }
            let range = clauses::trim_start(sentence.text(), clause.range.clone(), &self.openers);
            let matches: Vec<usize> = self.gates.matches(&sentence.text()[range]).collect();
            let known = || matches.iter().map(|&gate| &self.language.gates[gate]);
            let is_lifted = |why: Why| known().any(|gate| gate.reach == Reach::Lift && gate.why == why);
            rest = rest.filter(|&(of, why)| of == clause.sentence && !is_lifted(why));
            let mut block = onward.or(rest.map(|(_, why)| why));
            for gate in known().filter(|gate| gate.reach != Reach::Lift) {
                block = block.or(Some(gate.why));
                match gate.reach {
                    Reach::Clause | Reach::Lift => {}
                    Reach::Rest => {
                        rest = rest.or(Some((clause.sentence, gate.why)));
                    }
                    Reach::Sentence => {
                        rest = Some((clause.sentence, gate.why));
                        let before = clauses[..index]
                            .iter()
                            .rev()
                            .take_while(|other| other.sentence == clause.sentence);
                        let first = index - before.count();
                        blocks[first..index].iter_mut().for_each(|block| *block = block.or(Some(gate.why)));
                    }
                    Reach::Before => before = Some((index, gate.why)),
                    Reach::Onward => onward = onward.or(Some(gate.why)),
                    Reach::Message => whole = whole.or(Some(gate.why)),
                }
            }
            if block.is_none() && sentence.asked && clause.is_last {
                block = Some(Why::Question);
            }
            blocks[index] = block;
        }
        if let Some((index, why)) = before {
            blocks[..index].iter_mut().for_each(|block| *block = block.or(Some(why)));
        }
        if let Some(why) = whole {
            blocks.iter_mut().for_each(|block| *block = Some(why));
        }
        blocks
    }

    /// Returns the first rule that matches a clause. For a question, rules that apply to questions take
    /// precedence.
    fn rule(&self, clause: &str, block: Option<Why>, now: bool) -> Option<usize> {
        if weight(clause) < WEIGHT_MIN {
            return None;
        }
        let rule = |index: &usize| &self.language.rules[*index];
        let mut known = self.rules.matches(clause).filter(|index| now || !rule(index).for_now);
        if block == Some(Why::Question) {
            let known: Vec<usize> = known.collect();
            return known.iter().copied().find(|index| rule(index).asked).or(known.first().copied());
        }
        known.next()
    }

    /// Returns the part of a clause that a rule keeps.
    fn kept(&self, sentence: &Sentence, range: Range<usize>, rule: usize) -> Range<usize> {
        if !self.language.rules[rule].pattern.replace("(?:", "").contains('(') {
            return range;
        }
        let group =
            self.rules.one(rule).captures(&sentence.text()[range.clone()]).and_then(|found| group(&found));
        match group {
            Some(group) if !group.is_empty() => {
                let part = with_spaces(sentence.text(), range.start + group.start..range.start + group.end);
                clauses::trim_end(
                    sentence.text(),
                    clauses::trim_start(sentence.text(), part, &self.openers),
                    &self.closers,
                )
            }
            _ => range,
        }
    }

    fn candidate(
        &self,
        text: &str,
        sentence: &Sentence,
        range: &Range<usize>,
        rule: &Rule,
        now: bool,
        said_on: Date,
    ) -> Candidate {
        let span = sentence.place(range);
        let mut kept = text[span.clone()].to_owned();
        let session_only = now && rule.category == Category::Preference;
        let dated = matches!(rule.category, Category::Episodic | Category::Decision);
        let day = if dated { self.day(&sentence.text()[range.clone()], said_on) } else { None };
        if let Some((date, word)) = &day {
            let word = sentence.place(&(range.start + word.start..range.start + word.end));
            kept.insert_str(word.end - span.start, &format!(" ({date})"));
        }
        Candidate {
            text: kept,
            span,
            category: rule.category,
            importance: rule.importance,
            confidence: rule.confidence,
            session_only,
            date: day.map(|(date, _)| date),
            rule: rule.name,
            language: self.language.name,
        }
    }

    /// Returns the day that a clause means, and the range of the words for it.
    fn day(&self, clause: &str, said_on: Date) -> Option<(Date, Range<usize>)> {
        let index = self.days.matches(clause).next()?;
        let captures = self.days.one(index).captures(clause)?;
        let whole = captures.get(0)?;
        let word = group(&captures).unwrap_or_else(|| whole.range());
        let found = Found {
            weekday: position(&self.weekdays, whole.as_str())
                .and_then(|day| Weekday::from_monday_zero_offset(i8::try_from(day).ok()?).ok()),
            number: self.number(whole.as_str()),
            past: self.past.is_match(clause),
        };
        let when: When = self.language.days[index].when;
        days::resolve(when, found, said_on).map(|date| (date, word))
    }

    fn number(&self, words: &str) -> Option<i64> {
        let digits: String =
            words.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        digits.parse().ok().or_else(|| i64::try_from(position(&self.numbers, words)? + 1).ok())
    }
}

/// Returns the index of the word in a text that begins first; among those, the longest.
fn position(words: &[Regex], text: &str) -> Option<usize> {
    let found = |(index, word): (usize, &Regex)| {
        word.find(text).map(|found| (found.start(), std::cmp::Reverse(found.len()), index))
    };
    words.iter().enumerate().filter_map(found).min().map(|(.., index)| index)
}

/// Returns a range extended by the spaces beside it.
fn with_spaces(text: &str, range: Range<usize>) -> Range<usize> {
    let before = usize::from(text[..range.start].ends_with(' '));
    range.start - before..range.end + usize::from(text[range.end..].starts_with(' '))
}

/// Returns the range of the last group that matched.
fn group(captures: &Captures<'_>) -> Option<Range<usize>> {
    captures.iter().skip(1).flatten().last().map(|group| group.range())
}

fn is_long(clause: &str) -> bool {
    clause.len() > CLAUSE_MAX && clause.chars().nth(CLAUSE_MAX + 2).is_some()
}
