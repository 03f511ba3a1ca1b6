//! Reads the words and signs around a value.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::super::lexicon::{Theme, Themes, WORD_BYTES_MAX};
use super::super::shape::{Group, Shape};
use super::super::spans::{Span, near};
use super::super::words::Word;

/// Maximum number of words read before a value.
pub(super) const LEFT: usize = 20;
/// Maximum number of words read after a value.
pub(super) const RIGHT: usize = 10;
/// Number of themes whose position relative to the value is a feature. Later themes only connect words or
/// mark digits and common words.
const SPEAKING: usize = 17;
/// Themes that can name a value, in order of precedence: kinds of secrets, then locked objects and places to
/// log in.
const NAMING: [Theme; 11] = [
    Theme::Password,
    Theme::Phrase,
    Theme::Pin,
    Theme::Recovery,
    Theme::Secret,
    Theme::Account,
    Theme::Token,
    Theme::Code,
    Theme::Key,
    Theme::Lock,
    Theme::Login,
];

/// Position of a word relative to a value, in order of decreasing strength of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Place {
    /// In the header of the table column.
    Head,
    /// Directly before a sign like a colon.
    Sign,
    /// Directly before a verb like "is".
    Verb,
    /// Directly before the value.
    Beside,
    /// Before a sign, with other words between.
    FarSign,
    /// Before a verb, with other words between.
    FarVerb,
    /// After the value, with a verb between.
    AfterVerb,
    /// Before the value, with at most three words between.
    Near,
    /// Directly after the value.
    After,
    /// After the value, with at most three words between.
    NearAfter,
    Far,
    FarAfter,
    /// In an earlier sentence of the same line.
    Across,
    /// In an earlier line.
    Above,
}

/// Binary properties of the surroundings of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Mark {
    Quoted,
    Ticked,
    AfterSlash,
    BeforeSlash,
    AfterComma,
    AfterBracket,
    AfterDash,
    BeforeSign,
    Question,
    EndsClause,
    Alone,
    NumberBeside,
    UnitBehind,
    Constant,
    PublicName,
    TalkName,
    ValuesBetween,
    CommonBehind,
    WordBehind,
    Starts,
    AfterSetting,
    Cell,
    UnknownBeside,
    PublicNearer,
    UserNearer,
}

/// The context of a value.
#[derive(Clone)]
pub(super) struct Around {
    /// The strongest position of each theme.
    pub(super) places: [Option<Place>; SPEAKING],
    /// The theme that names the value, and its position.
    pub(super) name: Option<(Theme, Place)>,
    pub(super) marks: Vec<Mark>,
    /// Word indexes: the first word of the value, and the first word after it.
    pub(super) first: usize,
    pub(super) next: usize,
}

impl Around {
    pub(super) fn read(text: &str, words: &[Word], span: &Span) -> Around {
        let first = words.partition_point(|word| word.range.end <= span.range.start);
        let next = words.partition_point(|word| word.range.start < span.range.end);
        let mut around = Around { places: [None; SPEAKING], name: None, marks: Vec::new(), first, next };
        let own = words.get(first).filter(|word| word.range.start < span.range.end);
        let mut named = None;
        if let Some(own) = own {
            named = around.before(text, words, span, first, own);
            around.behind(text, words, span, own);
        }
        if let Some(head) = span.head {
            around.marks.push(Mark::Cell);
            let from = words.partition_point(|word| word.range.start < head.0);
            for word in words[from..].iter().take_while(|word| word.range.end <= head.1) {
                around.put(word.themes, Place::Head);
            }
        }
        let place = |theme: &Theme| around.places[*theme as usize].map(|place| (*theme, place));
        around.name = NAMING
            .iter()
            .filter_map(place)
            .min_by_key(|(theme, place)| (*place, NAMING.iter().position(|known| known == theme)));
        for (theme, mark) in [(Theme::Public, Mark::PublicNearer), (Theme::User, Mark::UserNearer)] {
            let place = around.places[theme as usize].filter(|place| *place <= Place::FarVerb);
            if place.is_some_and(|place| around.name.is_none_or(|(_, name)| place < name)) {
                around.marks.push(mark);
            }
        }
        if let Some(index) = named {
            around.about_name(text, words, index);
        }
        around
    }

    fn put(&mut self, themes: Themes, place: Place) {
        for index in themes.iter().filter(|index| *index < SPEAKING) {
            let known = &mut self.places[index];
            *known = Some(known.map_or(place, |known| known.min(place)));
        }
    }

    /// Reads the words before a value. Returns the index of the nearest word that names a secret.
    fn before(&mut self, text: &str, words: &[Word], span: &Span, first: usize, own: &Word) -> Option<usize> {
        let tail =
            Tail::read(text, span.range.start, first.checked_sub(1).map_or(0, |at| words[at].range.end));
        self.marks.extend(tail.marks);
        let mut verb = false;
        let mut joins = 0;
        while !tail.is_cut && joins < 3 && joins < first {
            let themes = words[first - 1 - joins].themes;
            if !(themes.has(Theme::Is) || themes.has(Theme::To) || joins > 0 && themes.has(Theme::Of))
                || words[first - 1 - joins].line != own.line
            {
                break;
            }
            verb |= themes.has(Theme::Is);
            joins += 1;
        }
        let is_setting = tail.sign && tail.is_tight;
        let (mut between, mut values, mut is_blocked, mut named) = (0, 0, false, None);
        for index in (first.saturating_sub(LEFT)..first).rev() {
            let word = &words[index];
            let lines = own.line - word.line;
            if index + 1 < first {
                let gap = &text[word.range.end..words[index + 1].range.start];
                is_blocked |=
                    gap.len() <= 24 && gap.contains([':', '=', '|', ';', '→']) && !gap.contains("://")
                        || gap.contains('\n') && tail.lines == 0;
            }
            if word.themes == Themes::VALUE {
                values += 1;
                between += 1;
                continue;
            }
            let is_near = lines == 0 || lines == 1 && tail.lines == 1 && tail.sign;
            let place = match () {
                () if !is_near && lines > 4 => break,
                () if !is_near => Place::Above,
                () if word.sentence != own.sentence && !tail.sign => Place::Across,
                () if tail.sign && !is_blocked && between == 0 => Place::Sign,
                () if tail.sign && !is_blocked && values == 0 && between <= 6 + 6 * tail.lines => {
                    Place::FarSign
                }
                () if verb && !is_blocked && between == 0 => Place::Verb,
                () if verb && !is_blocked && values == 0 && between <= 7 => Place::FarVerb,
                () if between == 0 && !tail.is_cut && joins == 0 => Place::Beside,
                () if between <= 3 && values == 0 && !is_blocked => Place::Near,
                () => Place::Far,
            };
            self.put(word.themes, place);
            if named.is_none() && !word.themes.only(Themes::NAMES).is_empty() {
                named = Some(index);
                if values > 0 {
                    self.marks.push(Mark::ValuesBetween);
                }
                let is_joined = text[..word.range.start].ends_with('_');
                if (is_setting || is_joined) && is_constant(&text[word.range.clone()]) {
                    self.marks.push(Mark::Constant);
                }
            }
            if !word.themes.is_joining() {
                between += 1;
            }
        }
        if first.checked_sub(1).is_none_or(|at| words[at].sentence != own.sentence) {
            self.marks.push(Mark::Starts);
        }
        let beside = first
            .checked_sub(1)
            .map(|at| &words[at])
            .filter(|word| word.line == own.line && !tail.sign && !tail.is_cut);
        if beside.is_some_and(|word| word.themes.is_empty() && !is_number(text, word)) {
            self.marks.push(Mark::UnknownBeside);
        }
        if first > 0 && is_number(text, &words[first - 1]) && !tail.sign {
            self.marks.push(Mark::NumberBeside);
        }
        named
    }

    /// Reads the words after a value.
    fn behind(&mut self, text: &str, words: &[Word], span: &Span, own: &Word) {
        let after = &text[span.range.end..];
        let after = after.trim_start_matches(['"', '\'', '`', '*', ')', ']', '”', '»', '」']);
        let first = after.chars().next();
        let sign = after.trim_start_matches(' ').chars().next();
        if sign.is_some_and(|c| "=:→".contains(c)) {
            self.marks.push(Mark::BeforeSign);
        }
        if sign == Some('/') {
            self.marks.push(Mark::BeforeSlash);
        }
        if sign.is_none_or(|c| ".,;!\n)。，|".contains(c)) {
            self.marks.push(Mark::EndsClause);
        }
        let (mut verb, mut between, mut is_blocked) = (false, 0, false);
        let mut end = span.range.end;
        for (count, word) in words[self.next..].iter().take(RIGHT).enumerate() {
            let gap = &text[end..word.range.start];
            end = word.range.end;
            if word.line != own.line || word.sentence != own.sentence {
                break;
            }
            is_blocked |= gap.len() > 24 || gap.contains([':', '=', '|', ';', '→']);
            if count == 0 && !is_blocked {
                if is_number(text, word) && first == Some(' ') {
                    self.marks.push(Mark::NumberBeside);
                }
                if is_unit(&text[word.range.clone()]) {
                    self.marks.push(Mark::UnitBehind);
                }
                if word.themes.has(Theme::Common) && gap == " " {
                    self.marks.push(Mark::CommonBehind);
                } else if word.themes.is_empty() && gap == " " && !is_number(text, word) {
                    self.marks.push(Mark::WordBehind);
                }
            }
            let place = match () {
                () if is_blocked => Place::FarAfter,
                () if verb && between <= 2 => Place::AfterVerb,
                () if between == 0 && gap.trim().is_empty() => Place::After,
                () if between <= 3 => Place::NearAfter,
                () => Place::FarAfter,
            };
            self.put(word.themes, place);
            verb |= count < 2 && word.themes.has(Theme::Is);
            if !(word.themes.is_joining() || verb && word.themes.has(Theme::Common)) {
                between += 1;
            }
        }
        let line = near(text, span.range.end).split('\n').next().unwrap_or_default();
        if line.chars().take(80).any(|c| c == '?')
            && !line.chars().take(80).take_while(|c| *c != '?').any(|c| c == '.')
        {
            self.marks.push(Mark::Question);
        }
        let is_last = line.len() <= 3 && !line.contains(char::is_alphanumeric);
        let is_first = self.marks.contains(&Mark::Starts);
        if is_first && is_last {
            self.marks.push(Mark::Alone);
        }
        if span.is_quoted {
            self.marks.push(Mark::Quoted);
        }
    }

    /// Reads the neighbours of the name of a value. They can show that it names no secret: "order code",
    /// "forgot the password".
    fn about_name(&mut self, text: &str, words: &[Word], index: usize) {
        let name = &words[index];
        let beside = |other: Option<&Word>, theme: Theme| {
            other.is_some_and(|other| {
                let gap = if other.range.end <= name.range.start {
                    &text[other.range.end..name.range.start]
                } else {
                    &text[name.range.end..other.range.start]
                };
                gap.len() <= 3 && !gap.contains(['.', ',', ':', '\n', '=', ';']) && other.themes.has(theme)
            })
        };
        let before = index.checked_sub(1).and_then(|at| words.get(at));
        let after = words.get(index + 1);
        if beside(before, Theme::Public) || beside(after, Theme::Public) {
            self.marks.push(Mark::PublicName);
        }
        if beside(before, Theme::Talk) || beside(after, Theme::Talk) {
            self.marks.push(Mark::TalkName);
        }
    }

    /// Returns whether a value of several words can start here: after a sign, a connecting word, or the name
    /// of a password.
    pub(super) fn can_begin_phrase(&self, text: &str, words: &[Word], span: &Span) -> bool {
        let leads = self.name.is_some_and(|(theme, place)| {
            matches!(theme, Theme::Password | Theme::Phrase | Theme::Recovery | Theme::Login | Theme::Lock)
                && place <= Place::Near
        });
        let Some(before) = self.first.checked_sub(1).map(|at| &words[at]) else { return false };
        let gap = &text[before.range.end..span.range.start];
        let is_led = before.themes.is_joining()
            || !before.themes.only(Themes::NAMES).is_empty()
            || gap.contains([':', '=', '—', '–', '"', '\n']);
        leads && is_led
    }

    /// Returns whether the context introduces the value, so that even an ordinary word can be a secret.
    pub(super) fn is_bound(&self, span: &Span) -> bool {
        span.head.is_some_and(|_| self.name.is_some_and(|(_, place)| place == Place::Head))
            || self.name.is_some_and(|(theme, place)| {
                place <= Place::FarVerb || place == Place::AfterVerb || span.is_quoted && theme != Theme::Lock
            })
            || self.marks.contains(&Mark::AfterSlash)
    }

    /// Returns whether a value is assigned to the name of a secret, is quoted after one, or follows one
    /// directly and does not look like a word.
    pub(super) fn is_set(&self, text: &str, span: &Span, shape: Shape) -> bool {
        let place = |theme: &Theme| self.places[*theme as usize];
        let has = |mark: Mark| self.marks.contains(&mark);
        let is_led = |place: Place| place <= Place::FarVerb && !matches!(place, Place::Head | Place::Beside);
        let passwords = || [Theme::Password, Theme::Phrase].iter().filter_map(place);
        let is_named = passwords().any(is_led)
            || [Theme::Secret, Theme::Pin, Theme::Recovery]
                .iter()
                .filter_map(place)
                .any(|place| place == Place::Sign)
            || has(Mark::Constant) && place(&Theme::Token) == Some(Place::Sign);
        let is_word = matches!(shape.group(), Group::Words | Group::Joined | Group::Sentence | Group::Number);
        let is_made = shape.group() != Group::Number
            && text[span.range.clone()].contains(|c: char| c.is_ascii_digit() || "_#+".contains(c));
        let is_given =
            is_made && passwords().any(|place| matches!(place, Place::Sign | Place::Verb | Place::FarVerb));
        let is_spoken_of = [Mark::TalkName, Mark::PublicName, Mark::Question, Mark::BeforeSign];
        is_named
            && (span.is_quoted || is_given || has(Mark::AfterSetting) && (has(Mark::Constant) || !is_word))
            && !is_spoken_of.into_iter().any(has)
            && shape != Shape::Hex
    }

    /// Returns the kind of secret, from the theme that names the value and its shape.
    pub(super) fn kind(&self, shape: Shape) -> &'static str {
        let is_password = [Theme::Password, Theme::Phrase]
            .iter()
            .any(|theme| self.places[*theme as usize].is_some_and(|place| place <= Place::FarVerb));
        match self.name.map(|(theme, _)| theme) {
            _ if is_password => "password",
            Some(Theme::Password | Theme::Phrase) => "password",
            Some(Theme::Secret | Theme::Token | Theme::Key) => "secret",
            Some(Theme::Recovery) => "recovery-code",
            Some(Theme::Account) => "account-number",
            Some(Theme::Pin | Theme::Code | Theme::Lock) => "pin",
            _ if shape.group() == Group::Number => "pin",
            _ => "password",
        }
    }
}

/// The characters directly before a value.
struct Tail {
    /// Whether a sign like a colon precedes the value.
    sign: bool,
    /// Whether at most quotation marks lie between the sign and the value.
    is_tight: bool,
    /// Whether something other than white space, quotation marks or a sign separates the value from the words
    /// before it.
    is_cut: bool,
    /// Number of line breaks between the sign and the value.
    lines: usize,
    marks: Vec<Mark>,
}

impl Tail {
    fn read(text: &str, start: usize, from: usize) -> Tail {
        let mut tail = Tail { sign: false, is_tight: true, is_cut: false, lines: 0, marks: Vec::new() };
        let before = &text[from..start];
        let mut characters = before.chars().rev().take(24).peekable();
        while let Some(c) = characters.next() {
            match c {
                ' ' | '\t' => tail.is_tight = false,
                '\n' => {
                    tail.lines += 1;
                    tail.is_tight = false;
                    if tail.lines > 1 {
                        break;
                    }
                }
                '`' | '*' => tail.marks.push(Mark::Ticked),
                '"' | '\'' | '_' | '“' | '„' | '«' | '‘' | '「' | '»' | '\\' | '”' | '’' => {}
                ':' | '=' | '→' | '➜' | '⇒' | '|' => {
                    tail.sign = true;
                    if tail.is_tight {
                        tail.marks.push(Mark::AfterSetting);
                    }
                    break;
                }
                '>' => {
                    tail.sign = characters.peek().is_some_and(|c| "-=".contains(*c)) || tail.is_tight;
                    tail.is_cut |= !tail.sign;
                    if tail.sign {
                        break;
                    }
                }
                '-' | '–' | '—' if !tail.is_tight && tail.lines == 0 => {
                    tail.sign =
                        characters.peek().is_some_and(|c| c.is_whitespace()) && before.trim_start().len() > 1;
                    tail.marks.push(Mark::AfterDash);
                    tail.is_cut = !tail.sign;
                    break;
                }
                '-' | '•' | '·' | '#' if tail.lines == 0 => {}
                '/' => {
                    tail.marks.push(Mark::AfterSlash);
                    tail.is_cut = true;
                    break;
                }
                ',' | '，' | '、' => {
                    tail.marks.push(Mark::AfterComma);
                    tail.is_cut = c != '、';
                    break;
                }
                '(' | '[' | '{' => {
                    tail.marks.push(Mark::AfterBracket);
                    tail.is_cut = c == '{';
                }
                _ => {
                    tail.is_cut = true;
                    break;
                }
            }
        }
        tail.marks.dedup();
        if tail.lines > 0 && !tail.sign {
            tail.is_cut = true;
        }
        tail
    }
}

fn is_constant(word: &str) -> bool {
    (2..=WORD_BYTES_MAX).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase())
}

fn is_number(text: &str, word: &Word) -> bool {
    word.range.len() <= WORD_BYTES_MAX && text[word.range.clone()].bytes().all(|b| b.is_ascii_digit())
}

/// Returns whether a word is a unit of measurement.
fn is_unit(word: &str) -> bool {
    const UNITS: &str = " km m cm mm kg g mg ml l kb mb gb tb ms s h min euro euros eur usd gbp zl kr rub tl yen won dollars pounds pesos reais minutes hours days weeks months years times people items pages points percent steps calories uhr stunden minuten tage jahre minutos horas dias anos ore giorni anni heures jours ans am pm pcs px characters digits chars zeichen ziffern caracteres haneli cyfr znakow руб км м кг г мл шт минут часов дней лет 元 円 원 分 년 月 年 日 号 번 개 ";
    if word.len() > 12 {
        return false;
    }
    static SET: LazyLock<FxHashSet<&str>> = LazyLock::new(|| UNITS.split_whitespace().collect());
    SET.contains(word.to_lowercase().as_str())
}
