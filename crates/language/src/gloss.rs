//! Turns a text into English, word by word.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::identify::{is_common, of_letters};
use crate::kana::{is_hiragana, is_kana, is_katakana};
use crate::lexicon::Lexicon;
use crate::{Language, fold, han, likely};

/// The languages that a text without common words may be in. Many words of Italian and Portuguese are names or English
/// words too ("Porto", "video"), so those two need common words.
const OTHERS: [Language; 3] = [Language::German, Language::Spanish, Language::French];
/// Maximum number of words that are used to identify the language.
const COUNTED: usize = 400;

/// Returns a text with its words replaced by English ones, if it is in another language that has a lexicon; unknown
/// words, numbers and marks are unchanged. `is_english` returns whether a folded word is English.
#[must_use]
pub fn gloss<'t>(text: &'t str, is_english: impl Fn(&str) -> bool) -> Cow<'t, str> {
    Glosser::of(text, is_english).gloss(text)
}

/// Glosses the parts of a text, whose language is that of the whole text.
pub struct Glosser {
    /// The lexicon of the language; `None` if its texts are unchanged.
    lexicon: Option<&'static Lexicon>,
}

impl Glosser {
    /// Creates a glosser for the language of a text. `is_english` returns whether a folded word is English.
    #[must_use]
    pub fn of(text: &str, is_english: impl Fn(&str) -> bool) -> Self {
        Self { lexicon: Lexicon::of(of_letters(text).unwrap_or_else(|| language(text, is_english))) }
    }

    /// Returns a part of the text with its words replaced by English ones, as [`gloss`] does.
    #[must_use]
    pub fn gloss<'t>(&self, part: &'t str) -> Cow<'t, str> {
        match self.lexicon {
            None => Cow::Borrowed(part),
            Some(lexicon) if lexicon.has_spaces() => spaced(part, lexicon),
            Some(lexicon) => unspaced(part, lexicon),
        }
    }
}

/// Returns the language of a text. Of the languages that its common words indicate, it is the one that has most of its
/// words, if it has more than half of them, and more than English has if English words are the most common ones. A text
/// without common words, such as a search term, is in another language only if most of its words are in that language
/// and not English.
fn language(text: &str, is_english: impl Fn(&str) -> bool) -> Language {
    let words: Vec<String> = text.unicode_words().take(COUNTED).map(fold::word).collect();
    let told = likely(words.iter().map(String::as_str));
    let words: Vec<&String> = words.iter().filter(|word| word.chars().all(char::is_alphabetic)).collect();
    let english = words.iter().filter(|word| is_english(word)).count();
    if told == [Language::English] || english * 10 >= words.len() * 9 {
        return Language::English;
    }
    let is_known =
        |word: &str, language| Lexicon::of(language).is_some_and(|lexicon| lexicon.find(word).is_some());
    let (candidates, least, counts): (_, _, &dyn Fn(&str) -> bool) = match &told[..] {
        [] => (&OTHERS[..], words.len() / 2, &|word| !is_english(word)),
        [Language::English, ..] => (&told, english, &|_| true),
        // The common words show that it is not English, so words that English shares with the language do not matter.
        _ => (&told, words.len() / 2, &|_| true),
    };
    let mut best = (least, Language::English);
    for &language in candidates {
        // A lexicon lacks words that are the same in English, such as "in". Of a text that may be English, these say nothing.
        let is_common = |word: &str| told.first() != Some(&Language::English) && is_common(word, language);
        let is_its = |word: &&&String| counts(word) && (is_known(word, language) || is_common(word));
        let known = words.iter().filter(is_its).count();
        if known > best.0 {
            best = (known, language);
        }
    }
    best.1
}

fn spaced<'t>(text: &'t str, lexicon: &Lexicon) -> Cow<'t, str> {
    let mut english = English::default();
    let mut parts: Vec<Cow<'_, str>> = Vec::new();
    for part in text.split_word_bounds() {
        // "j'habite", "qu'il" are two words, unless they are in the lexicon.
        let written = part.replace(['’', '‘'], "'");
        match written.find('\'').map(|at| written.split_at(at + 1)) {
            Some((article, noun)) if lexicon.form(&written.to_lowercase()).is_none() && !noun.is_empty() => {
                parts.extend([article.to_owned().into(), noun.to_owned().into()]);
            }
            _ => parts.push(if written == part { part.into() } else { written.into() }),
        }
    }
    let mut starts = true;
    let mut at = 0;
    while let Some(part) = parts.get(at) {
        if !part.contains(char::is_alphabetic) {
            starts |= part.contains(['.', '!', '?', ':', '\n', '¿', '¡']);
            english.rest(part);
            at += 1;
            continue;
        }
        if let Some((gloss, length)) = lexicon.phrase(&parts[at..]) {
            english.word(gloss);
            at += length;
        } else {
            // A name is no form of another word.
            let is_name = !lexicon.capitalizes_nouns() && !starts && part.starts_with(char::is_uppercase);
            let word = part.to_lowercase();
            let gloss = if is_name { lexicon.form(&word).map(str::to_owned) } else { lexicon.find(&word) };
            english.word(gloss.as_deref().unwrap_or(part));
            at += 1;
        }
        starts = false;
    }
    Cow::Owned(english.0)
}

/// Glosses a text without spaces between words: each word is the longest one that the rest of the text begins with.
/// Unknown hiragana is dropped, because it is mostly the ending of a verb. Katakana is kept as it is unless words cover
/// all of it: the name of a person may contain a word.
fn unspaced<'t>(text: &'t str, lexicon: &Lexicon) -> Cow<'t, str> {
    let folded: String = text.chars().map(|c| lexicon.letter(c)).collect();
    let mut english = English::default();
    let mut rest = folded.as_str();
    while let Some(c) = rest.chars().next() {
        let run = |is_of_run: fn(char) -> bool| rest.find(|c| !is_of_run(c)).unwrap_or(rest.len());
        let length = if is_katakana(c) {
            let run = run(is_katakana);
            match words(rest, run, lexicon) {
                Some((glosses, length)) => {
                    glosses.into_iter().for_each(|gloss| english.word(gloss));
                    length
                }
                None => {
                    english.word(&rest[..run]);
                    run
                }
            }
        } else if is_hiragana(c) || han::is_han(c) {
            let found = lexicon.longest(rest);
            let (gloss, length) = found.unwrap_or((&rest[..c.len_utf8()], c.len_utf8()));
            if found.is_some() || !is_hiragana(c) {
                english.word(gloss);
            }
            length
        } else {
            let length = run(|c| !is_kana(c) && !han::is_han(c));
            english.rest(&rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    Cow::Owned(english.0)
}

/// Returns the glosses of the words that cover at least the first `run` bytes of a text, and their length; `None` if
/// words do not cover them.
fn words(text: &str, run: usize, lexicon: &Lexicon) -> Option<(Vec<&'static str>, usize)> {
    let mut glosses = Vec::new();
    let mut at = 0;
    while at < run {
        let (gloss, length) = lexicon.longest(&text[at..])?;
        glosses.push(gloss);
        at += length;
    }
    Some((glosses, at))
}

/// A text in English that grows word by word, with one space between words.
#[derive(Default)]
struct English(String);

impl English {
    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        if self.0.ends_with(char::is_alphanumeric) {
            self.0.push(' ');
        }
        self.0.push_str(word);
    }

    /// Appends the text between words.
    fn rest(&mut self, text: &str) {
        let is_space = self.0.is_empty() || self.0.ends_with(char::is_whitespace);
        self.0.push_str(if is_space { text.trim_start() } else { text });
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use proptest::prelude::*;

    use super::*;

    fn glossed(text: &str) -> String {
        let english = ["chat", "server", "postgres", "port", "anna", "cafe", "prices", "rose", "see"];
        gloss(text, |word| english.contains(&word)).into_owned()
    }

    #[test]
    fn a_text_is_glossed_word_by_word() {
        let texts = [
            "Ich wohne seit März in einer kleinen Wohnung in Leipzig.",
            "Ich wohne in Leipzig",
            "Wo arbeitet Annas Schwester?",
            "unsere Hausverwaltung heisst Krüger, die Nebenkostenabrechnung kommt im Juni",
            "mir ist uebel",
            "Vivo con mi hermana en Bilbao y trabajo de enfermera",
            "¿Dónde vivía antes?",
            "J'habite à Lyon depuis qu’on s'est mariés",
            "我住在北京，女儿今年上小学",
            "我對花生過敏",
            "Abito a Torino con mia sorella e sono allergica alle noci",
            "quest'anno cambio dell'ufficio",
            "Moro em Recife com meu irmão, chamo-me Caio",
            "Живу в Казани с мамой, у меня аллергия на орехи",
            "переезжаем на postgres 16",
            "大阪で妹と住んでいます。甲殻類アレルギーです",
            "来週からリモートワークになりました",
            "タナカミキさんに会った",
            "Hausarzt Termin",
            "chat server",
            "Café prices rose; see https://example.org/a_b (2024)!",
            "I live in Leeds with my sister",
            "42 / 17",
            "",
        ];
        let all: String = texts.iter().map(|text| format!("{text} -> {}\n", glossed(text))).collect();
        expect![[r#"
            Ich wohne seit März in einer kleinen Wohnung in Leipzig. -> I live since March in small apartment in Leipzig.
            Ich wohne in Leipzig -> I live in Leipzig
            Wo arbeitet Annas Schwester? -> where work Annas sister?
            unsere Hausverwaltung heisst Krüger, die Nebenkostenabrechnung kommt im Juni -> our property management be called Krüger, utility bill come in June
            mir ist uebel -> me be nauseous
            Vivo con mi hermana en Bilbao y trabajo de enfermera -> live with my sister in Bilbao and work of nurse
            ¿Dónde vivía antes? -> ¿where live before?
            J'habite à Lyon depuis qu’on s'est mariés -> I live to Lyon since that we be married
            我住在北京，女儿今年上小学 -> I live Beijing，daughter this year on primary school
            我對花生過敏 -> I to peanut allergic
            Abito a Torino con mia sorella e sono allergica alle noci -> live to Turin with my sister and be allergic to walnut
            quest'anno cambio dell'ufficio -> this year change of office
            Moro em Recife com meu irmão, chamo-me Caio -> live in Recife with my brother, my name is fall
            Живу в Казани с мамой, у меня аллергия на орехи -> live in Казани with mom, I have allergy on nuts
            переезжаем на postgres 16 -> move on postgres 16
            大阪で妹と住んでいます。甲殻類アレルギーです -> Osaka at younger sister and live。shellfish allergic
            来週からリモートワークになりました -> next week remote work become
            タナカミキさんに会った -> タナカミキ to meet
            Hausarzt Termin -> family doctor appointment
            chat server -> chat server
            Café prices rose; see https://example.org/a_b (2024)! -> Café prices rose; see https://example.org/a_b (2024)!
            I live in Leeds with my sister -> I live in Leeds with my sister
            42 / 17 -> 42 / 17
             -> 
        "#]].assert_eq(&all);
    }

    proptest! {
        #[test]
        fn any_text_is_glossed(text in "\\PC{0,60}") {
            glossed(&text);
        }
    }
}
