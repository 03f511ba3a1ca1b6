//! Purpose: what speaks for and against each value that a text may hold, as features of a linear model.
//!
//! **Invariant:** from a value no more than [`LEFT`] words before it and [`RIGHT`] behind it are read, so all together
//! take linear time.

use std::ops::Range;

use super::lexicon::{THEMES, Theme, Themes, fold, is_common, themes};
use super::shape::{GROUPS, Group, SHAPES, Shape};
use super::spans::{Span, VALUE_MAX, near, spans};
use super::words::{Word, words};

/// So many words before a value are read.
const LEFT: usize = 20;
/// So many words behind a value are read.
const RIGHT: usize = 10;
/// So many themes say something by where they stand; the others only join.
const SPEAKING: usize = 17;
/// So many themes can name a value: those of names, of locked things and of places to log in.
const NAMING: [Theme; 11] = [
    Theme::Password, Theme::Phrase, Theme::Pin, Theme::Recovery, Theme::Secret, Theme::Account, Theme::Token,
    Theme::Code, Theme::Key, Theme::Lock, Theme::Login,
];

/// Where a word stands, from a value; the surer comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum Place {
    /// It heads the column.
    Head,
    /// Right before a sign like a colon.
    Sign,
    /// Right before a verb like "is".
    Verb,
    /// Right before the value.
    Beside,
    /// Before a sign, with other words between.
    FarSign,
    /// Before a verb, with other words between.
    FarVerb,
    /// Behind the value and a verb.
    AfterVerb,
    /// Before it, with three words between at most.
    Near,
    /// Right behind the value.
    After,
    /// Behind the value, with three words between at most.
    NearAfter,
    Far,
    FarAfter,
    /// In a sentence before.
    Across,
    /// In a line before.
    Above,
}

const PLACES: [&str; 14] = [
    "head", "sign", "verb", "beside", "far-sign", "far-verb", "after-verb", "near", "after", "near-after", "far",
    "far-after", "across", "above",
];

/// What else stands around a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Mark {
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
    Code,
    NumberBeside,
    UnitBehind,
    Constant,
    PublicName,
    TalkName,
    ValuesBetween,
    CommonBehind,
    Starts,
    AfterSetting,
    Cell,
    Capital,
    Long,
    UnknownBeside,
    PublicNearer,
    UserNearer,
}

const MARKS: [&str; 27] = [
    "quoted", "ticked", "after-slash", "before-slash", "after-comma", "after-bracket", "after-dash", "before-sign",
    "question", "ends-clause", "alone", "code", "number-beside", "unit-behind", "constant", "public-name", "talk-name",
    "values-between", "common-behind", "starts", "after-setting", "cell", "capital", "long", "unknown-beside", "public-nearer",
    "user-nearer",
];

/// Kinds of names, for what few texts show of one alone.
const CLASSES: [&str; 4] = ["words", "digits", "tokens", "weak"];

const PLACE_AT: usize = 1 + SHAPES.len();
const NAME_AT: usize = PLACE_AT + SPEAKING * PLACES.len();
const CLASS_AT: usize = NAME_AT + (NAMING.len() + 1) * GROUPS.len() * 3;
const CROSS_AT: usize = CLASS_AT + CLASSES.len() * GROUPS.len() * 3;
const JOINT_AT: usize = CROSS_AT + CLASSES.len() * PLACES.len() * GROUPS.len();
const AROUND_AT: usize = JOINT_AT + (PLACES.len() + 1) * GROUPS.len();
const MARK_AT: usize = AROUND_AT + SPEAKING * GROUPS.len();
/// How many features there are.
pub(super) const FEATURES: usize = MARK_AT + MARKS.len() * GROUPS.len();

/// Returns the name of a feature, as `weights.txt` has it.
pub(super) fn name(feature: usize) -> String {
    let name = |index: usize| NAMING.get(index).map_or("none", |theme| THEMES[*theme as usize]);
    let place = |index: usize| PLACES.get(index).copied().unwrap_or("nowhere");
    match feature {
        0 => "bias".to_owned(),
        at if at < PLACE_AT => format!("shape {}", SHAPES[at - 1]),
        at if at < NAME_AT => {
            let at = at - PLACE_AT;
            format!("{} {}", THEMES[at / PLACES.len()], PLACES[at % PLACES.len()])
        }
        at if at >= CROSS_AT && at < JOINT_AT => {
            let at = at - CROSS_AT;
            let (class, at) = (at / GROUPS.len() / PLACES.len(), at % (GROUPS.len() * PLACES.len()));
            format!("{}-name {} {}", CLASSES[class], PLACES[at / GROUPS.len()], GROUPS[at % GROUPS.len()])
        }
        at if at >= CLASS_AT && at < JOINT_AT => {
            let at = at - CLASS_AT;
            let near = ["tight", "loose", "behind"][at % 3];
            format!("class {} {near} {}", CLASSES[at / 3 / GROUPS.len()], GROUPS[at / 3 % GROUPS.len()])
        }
        at if at < JOINT_AT => {
            let at = at - NAME_AT;
            let near = ["tight", "loose", "behind"][at % 3];
            format!("named {} {near} {}", name(at / 3 / GROUPS.len()), GROUPS[at / 3 % GROUPS.len()])
        }
        at if at < AROUND_AT => {
            let at = at - JOINT_AT;
            format!("joint {} {}", place(at / GROUPS.len()), GROUPS[at % GROUPS.len()])
        }
        at if at < MARK_AT => {
            let at = at - AROUND_AT;
            format!("around {} {}", THEMES[at / GROUPS.len()], GROUPS[at % GROUPS.len()])
        }
        at => format!("mark {} {}", MARKS[(at - MARK_AT) / GROUPS.len()], GROUPS[(at - MARK_AT) % GROUPS.len()]),
    }
}

/// A value that a text may hold.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) range: Range<usize>,
    pub(super) kind: &'static str,
    pub(super) features: Vec<usize>,
}

/// Returns the values that a text may hold, and what speaks for and against each.
pub(super) fn candidates(text: &str) -> Vec<Candidate> {
    let mut words = words(text);
    let spans = spans(text);
    let shapes: Vec<Option<Shape>> = spans.iter().map(|span| shape(text, span)).collect();
    for (span, shape) in spans.iter().zip(&shapes) {
        let is_value = shape.is_some_and(|shape| !matches!(shape.group(), Group::Words | Group::Joined | Group::Sentence));
        if !is_value || text[span.range.end..].starts_with(['=', ':']) || !themes(&fold(&text[span.range.clone()])).is_empty() {
            continue;
        }
        let first = words.partition_point(|word| word.range.start < span.range.start);
        for word in words[first..].iter_mut().take_while(|word| word.range.end <= span.range.end) {
            word.themes = Themes::VALUE;
        }
    }
    let mut found = Vec::new();
    for (span, shape) in spans.iter().zip(&shapes) {
        let Some(shape) = shape else { continue };
        let is_word = matches!(shape.group(), Group::Words | Group::Joined | Group::Sentence);
        if is_name(text, span) || is_word && is_bracketed(text, span) || *shape == Shape::Native && is_said(&words, span) {
            continue;
        }
        let around = Around::read(text, &words, span);
        if shape.group() == Group::Words && !around.is_bound(span) {
            continue;
        }
        if matches!(shape, Shape::Word | Shape::Title | Shape::Common | Shape::Joined | Shape::Mixed) && !span.is_quoted && around.is_tight()
            && let Some((end, shape)) = phrase(text, span.range.start)
        {
            let whole = Span { range: span.range.start..end, ..span.clone() };
            let features = around.features(text, &whole, shape);
            found.push(Candidate { range: whole.range, kind: around.kind(shape), features });
        }
        let end = if span.range.len() + 8 >= VALUE_MAX && !span.is_quoted {
            text[span.range.end..].find(char::is_whitespace).map_or(text.len(), |at| span.range.end + at)
        } else {
            span.range.end
        };
        let features = around.features(text, span, *shape);
        found.push(Candidate { range: span.range.start..end, kind: around.kind(*shape), features });
    }
    found
}

/// Tells whether a place holds the name of a setting.
fn is_name(text: &str, span: &Span) -> bool {
    let rest = &text[span.range.end..];
    let is_plain = text[span.range.clone()].bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b));
    !span.is_quoted && is_plain && rest.starts_with(['=', ':']) && text[span.range.clone()].starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Tells whether a word only stands for a value: `[FILTERED]`, `{name}`.
fn is_bracketed(text: &str, span: &Span) -> bool {
    let before = text[..span.range.start].chars().next_back();
    let after = text[span.range.end..].chars().next();
    matches!((before, after), (Some('['), Some(']')) | (Some('<'), Some('>')) | (Some('{'), Some('}')) | (Some('('), Some(')')) | (Some(','), Some(';')))
}

/// Tells whether a word of the tables is in a place.
fn is_said(words: &[Word], span: &Span) -> bool {
    let first = words.partition_point(|word| word.range.start < span.range.start);
    let inside = || words[first..].iter().take_while(|word| word.range.start < span.range.end);
    !span.is_quoted && (span.range.len() > 24 || inside().any(|word| !word.themes.is_empty()))
}

fn shape(text: &str, span: &Span) -> Option<Shape> {
    let value = &text[span.range.clone()];
    match () {
        () if span.is_grouped => Some(if value.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase()) { Shape::Groups } else { Shape::Spelled }),
        () if value.contains(char::is_whitespace) => {
            let is_plain = !value.contains(['{', '}', '(', '<', '=', '[', '|', '$', '\\']) && !value.contains("://");
            is_plain.then(|| shape_of_words(value)).flatten()
        }
        () if span.range.len() > VALUE_MAX => Some(Shape::Random),
        () => Shape::of(value),
    }
}

/// The shape of several words.
fn shape_of_words(value: &str) -> Option<Shape> {
    let words = value.split_whitespace().count();
    let common = value.split_whitespace().filter(|word| is_common(word)).count();
    (words <= 12).then_some(if common * 3 > words || is_common(value.split_whitespace().next()?) { Shape::Prose } else { Shape::Phrase })
}

/// Where a clause of two words or more ends that begins here.
fn phrase(text: &str, start: usize) -> Option<(usize, Shape)> {
    let rest = &text[start..];
    let clause = rest.char_indices().take(120).find(|(at, c)| {
        matches!(c, '\n' | ';' | '(' | ')' | '"' | '|' | '—' | '–' | '/' | '`' | '<' | '=' | '{' | ':' | '[')
            || matches!(c, '.' | ',' | '!' | '?') && rest[at + 1..].chars().next().is_none_or(char::is_whitespace)
    });
    let end = clause.map_or(rest.len(), |(at, _)| at);
    if rest[end..].starts_with([':', '=']) {
        return None;
    }
    let clause = rest[..end].trim_end();
    let words = clause.split(' ').count();
    (end <= 120 && (2..=12).contains(&words)).then_some(())?;
    Some((start + clause.len(), shape_of_words(clause)?))
}

/// What stands around a value.
struct Around {
    /// Where the surest word of each theme stands.
    places: [Option<Place>; SPEAKING],
    /// The name of the value, if it has one, and where it stands.
    name: Option<(Theme, Place)>,
    marks: Vec<Mark>,
    /// Places in the words: the first one in the value, and the first one behind it.
    next: usize,
}

impl Around {
    fn read(text: &str, words: &[Word], span: &Span) -> Around {
        let first = words.partition_point(|word| word.range.end <= span.range.start);
        let next = words.partition_point(|word| word.range.start < span.range.end);
        let mut around = Around { places: [None; SPEAKING], name: None, marks: Vec::new(), next };
        let own = words.get(first).filter(|word| word.range.start < span.range.end);
        let mut named = None;
        if let Some(own) = own {
            named = around.before(text, words, span, first, own);
            around.behind(text, words, span, own);
        }
        if let Some(cell) = span.cell {
            around.marks.push(Mark::Cell);
            let from = words.partition_point(|word| word.range.start < cell.head.0);
            for word in words[from..].iter().take_while(|word| word.range.end <= cell.head.1) {
                around.put(word.themes, Place::Head);
            }
        }
        let place = |theme: &Theme| around.places[*theme as usize].map(|place| (*theme, place));
        around.name = NAMING.iter().filter_map(place).min_by_key(|(theme, place)| {
            (*place, NAMING.iter().position(|known| known == theme))
        });
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

    /// Reads what stands before a value. Returns the nearest word that names a secret.
    fn before(&mut self, text: &str, words: &[Word], span: &Span, first: usize, own: &Word) -> Option<usize> {
        let tail = Tail::read(text, span.range.start, first.checked_sub(1).map_or(0, |at| words[at].range.end));
        self.marks.extend(tail.marks);
        let mut verb = false;
        let mut joins = 0;
        while !tail.is_cut && joins < 3 && joins < first {
            let themes = words[first - 1 - joins].themes;
            if !themes.has(Theme::Is) && !themes.has(Theme::To) && !(joins > 0 && themes.has(Theme::Of)) || words[first - 1 - joins].line != own.line {
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
                is_blocked |= gap.len() <= 24 && gap.contains([':', '=', '|', ';', '→']) && !gap.contains("://") || gap.contains('\n') && tail.lines == 0;
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
                () if tail.sign && !is_blocked && values == 0 && between <= 6 + 6 * tail.lines => Place::FarSign,
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
        let beside = first.checked_sub(1).map(|at| &words[at]).filter(|word| word.line == own.line && !tail.sign && !tail.is_cut);
        if beside.is_some_and(|word| word.themes.is_empty() && !is_number(text, word)) {
            self.marks.push(Mark::UnknownBeside);
        }
        if first > 0 && is_number(text, &words[first - 1]) && !tail.sign {
            self.marks.push(Mark::NumberBeside);
        }
        named
    }

    /// Reads what stands behind a value.
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
            if !word.themes.is_joining() && !(verb && word.themes.has(Theme::Common)) {
                between += 1;
            }
        }
        let line = near(text, span.range.end).split('\n').next().unwrap_or_default();
        if line.chars().take(80).any(|c| c == '?') && !line.chars().take(80).take_while(|c| *c != '?').any(|c| c == '.') {
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

    /// Reads what stands beside the name of a value: an order's code is none, a forgotten password neither.
    fn about_name(&mut self, text: &str, words: &[Word], index: usize) {
        let name = &words[index];
        let beside = |other: Option<&Word>, theme: Theme| {
            other.is_some_and(|other| {
                let gap = if other.range.end <= name.range.start { &text[other.range.end..name.range.start] } else { &text[name.range.end..other.range.start] };
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

    /// Tells whether the name of a password leads to a value of words.
    fn is_tight(&self) -> bool {
        self.name.is_some_and(|(theme, place)| {
            matches!(theme, Theme::Password | Theme::Phrase | Theme::Recovery | Theme::Login) && place <= Place::FarVerb && place != Place::Beside
        })
    }

    /// Tells whether something leads to a value, so that even a word may be one.
    fn is_bound(&self, span: &Span) -> bool {
        span.cell.is_some_and(|_| self.name.is_some_and(|(_, place)| place == Place::Head))
            || self.name.is_some_and(|(theme, place)| place <= Place::FarVerb || place == Place::AfterVerb || span.is_quoted && theme != Theme::Lock)
            || self.marks.contains(&Mark::AfterSlash)
    }

    /// What a value is called by what names it.
    fn kind(&self, shape: Shape) -> &'static str {
        match self.name.map(|(theme, _)| theme) {
            Some(Theme::Password | Theme::Phrase) => "password",
            Some(Theme::Secret | Theme::Token | Theme::Key) => "secret",
            Some(Theme::Recovery) => "recovery-code",
            Some(Theme::Account) => "account-number",
            Some(Theme::Pin | Theme::Code | Theme::Lock) => "pin",
            _ if shape.group() == Group::Number => "pin",
            _ => "password",
        }
    }

    fn features(&self, text: &str, span: &Span, shape: Shape) -> Vec<usize> {
        let group = shape.group() as usize;
        let mut features = vec![0, 1 + shape as usize];
        for (theme, place) in self.places.iter().enumerate() {
            if let Some(place) = place {
                features.push(PLACE_AT + theme * PLACES.len() + *place as usize);
                if *place < Place::Across {
                    features.push(AROUND_AT + theme * GROUPS.len() + group);
                }
            }
        }
        let (name, side) = self.name.map_or((NAMING.len(), 1), |(theme, place)| {
            let index = NAMING.iter().position(|known| *known == theme).unwrap_or(NAMING.len());
            let side = match place {
                Place::AfterVerb | Place::After | Place::NearAfter | Place::FarAfter => 2,
                place if place <= Place::FarVerb => 0,
                _ => 1,
            };
            (index, side)
        });
        features.push(NAME_AT + (name * GROUPS.len() + group) * 3 + side);
        let class = match self.name.map(|(theme, _)| theme) {
            Some(Theme::Password | Theme::Phrase) => Some(0),
            Some(Theme::Pin | Theme::Recovery) => Some(1),
            Some(Theme::Secret | Theme::Token) => Some(2),
            Some(_) => Some(3),
            None => None,
        };
        features.extend(class.map(|class| CLASS_AT + (class * GROUPS.len() + group) * 3 + side));
        if let (Some(class), Some((_, place))) = (class, self.name) {
            features.push(CROSS_AT + (class * PLACES.len() + place as usize) * GROUPS.len() + group);
        }
        let joint = self.name.map_or(PLACES.len(), |(_, place)| place as usize);
        features.push(JOINT_AT + joint * GROUPS.len() + group);
        let mut mark = |mark: Mark| features.push(MARK_AT + mark as usize * GROUPS.len() + group);
        self.marks.iter().for_each(|known| mark(*known));
        let value = &text[span.range.clone()];
        if value.starts_with(char::is_uppercase) {
            mark(Mark::Capital);
        }
        if value.len() >= 12 {
            mark(Mark::Long);
        }
        if is_code(text, span) {
            mark(Mark::Code);
        }
        features.sort_unstable();
        features.dedup();
        features
    }
}

/// What stands right before a value.
struct Tail {
    /// A sign like a colon.
    sign: bool,
    /// Nothing but the sign and quotation marks.
    is_tight: bool,
    /// Something else than white space and marks.
    is_cut: bool,
    /// How many lines back the sign is.
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
                    if tail.sign { break }
                }
                '-' | '–' | '—' if !tail.is_tight && tail.lines == 0 => {
                    tail.sign = characters.peek().is_some_and(|c| c.is_whitespace()) && before.trim_start().len() > 1;
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

/// Tells whether a line is code, in which signs around words mean other things than in prose.
fn is_code(text: &str, span: &Span) -> bool {
    let mut start = span.range.start.saturating_sub(40);
    let mut end = (span.range.end + 40).min(text.len());
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let signs = |part: &str| part.bytes().filter(|b| b"(){}[]<>=;\"`|$_".contains(b)).count();
    signs(&text[start..span.range.start]) + signs(&text[span.range.end..end]) >= 5
}

fn is_constant(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase())
}

fn is_number(text: &str, word: &Word) -> bool {
    text[word.range.clone()].bytes().all(|b| b.is_ascii_digit())
}

/// Tells whether a word behind a number says what it measures.
fn is_unit(word: &str) -> bool {
    const UNITS: &str = " km m cm mm kg g mg ml l kb mb gb tb ms s h min euro euros eur usd gbp zl kr rub tl yen won dollars pounds pesos reais minutes hours days weeks months years times people items pages points percent steps calories uhr stunden minuten tage jahre minutos horas dias anos ore giorni anni heures jours ans am pm pcs px characters digits chars zeichen ziffern caracteres haneli cyfr znakow руб км м кг г мл шт минут часов дней лет 元 円 원 分 년 月 年 日 号 번 개 ";
    let word = word.to_lowercase();
    word.len() <= 12 && !word.is_empty() && UNITS.split(' ').any(|unit| unit == word)
}
