//! Decides what is left of a statement whose speaker says that it no longer holds, or asks to forget it.

use std::borrow::Cow;
use std::sync::LazyLock;

use memtape_core::recall::question::covered;
use memtape_core::recall::tokenize::query_terms;
use regex::Regex;

use super::clauses::{self, Clause};
use super::enumeration::{
    EXPLANATIONS, NUMBERS, OWN_VERBS, Parts, begins_anew, begins_with, is_list, is_street, joins_items,
    listed, says_one_thing, subject, tells_more,
};
use super::page::Page;
use super::tail::{TAIL_STARTS, first_other, form, words};
use super::{Forget, bounds};

/// The minimum number of letters that two forms of a word share at their beginning: "allergic", "allergies".
const STEM_LETTERS: usize = 5;
/// The same of words that may differ by one letter more: "Allergie", "allergisch".
const LONG_STEM_LETTERS: usize = 7;
/// The same of a word and that word with an ending: "Name", "Namen".
const INFLECTED_LETTERS: usize = 3;
/// Words at the beginning of a statement of the speaker about themselves.
#[rustfmt::skip]
const SELVES: &[&str] = &[
    "i", "i'm", "i've", "we", "we're", "ich", "wir", "yo", "soy", "tengo", "je", "j'ai", "nous", "eu", "sou", "tenho", "io", "sono", "ho",
    "я",
];
/// Possessives before a matter.
#[rustfmt::skip]
const POSSESSIVES: &[&str] = &[
    "my", "our", "mein", "meine", "meinen", "meinem", "meiner", "unser", "unsere", "mi", "mis", "nuestro", "nuestra", "mon", "ma", "mes",
    "notre", "nos", "meu", "minha", "mio", "mia", "мой", "моя", "моё", "мою",
];
/// Words for what a speaker wants or must do: "I don't want any more kids" does not end "I have two kids".
#[rustfmt::skip]
const WISHES: &[&str] = &[
    "want", "wants", "wanna", "need", "needs", "have to", "has to", "must", "möchte", "möchten", "wollen", "ich will", "muss", "müssen",
    "quiero", "queremos", "necesito", "veux", "voulons", "dois", "quero", "voglio", "хочу", "想",
];
/// Beginnings of words for what a thing does to the speaker: "forget the milk" is not about "I am allergic to milk".
#[rustfmt::skip]
const FEELINGS: &[&str] = &[
    "allerg", "alérg", "alerg", "аллерг", "afraid", "scared", "fear", "phobi", "intoleran", "hate", "angst", "hasse", "miedo", "odio",
    "peur", "déteste", "paura", "medo", "боюсь", "过敏", "害怕", "讨厌",
];
/// Matters of the speaker that a statement may tell without naming them: words for a matter, and what states it. An address
/// has a street and a number.
#[rustfmt::skip]
const UNNAMED: &[(&[&str], &str)] = &[
    (
        &[
            "address", "home address", "adresse", "anschrift", "dirección", "direccion", "domicilio", "endereço", "indirizzo", "адрес", "地址",
        ],
        concat!(
            r"^(?:(?:i|we) live|(?:i'm|we're) living|ich (?:wohne|lebe)|wir (?:wohnen|leben)|viv(?:o|imos)|j'habite|(?:nous|on) habit(?:ons|e)|je vis|abit(?:o|iamo)|moro|я живу) ",
            r"(?:.*(?:stra(?:ß|ss)e|str\.|weg|platz|gasse|allee|ring|ufer|street|road|avenue|lane|drive|square|court|calle|avenida|avda\.?|plaza|paseo|camino|rue|boulevard|place|chemin|quai|via|viale|piazza|rua|travessa|улице?)\b.*[0-9]",
            r"|.*\b[0-9]{1,4},? (?:[a-zà-ü']+ ){0,2}(?:street|road|avenue|lane|drive|square|court|rue|boulevard|place|chemin|quai)\b|at [0-9]|.*\b[0-9]{5} [a-zà-ü])",
            r"|^我(?:家)?住.*[路街巷弄].*[0-9]",
        ),
    ),
    (
        &["name", "full name", "first name", "namen", "vornamen", "nombre", "nom", "prénom", "nome", "имя", "名字"],
        r"^(?:i'm called|i am called|call me|ich hei(?:ß|ss)e|nenn mich|me llamo|je m'appelle|mi chiamo|(?:eu )?me chamo|chamo-me|меня зовут|我叫) ?",
    ),
    (
        &["birthday", "date of birth", "geburtstag", "geburtsdatum", "cumpleaños", "fecha de nacimiento", "anniversaire", "date de naissance"],
        r"^(?:i was born|ich (?:bin|wurde) (?:.* )?geboren|nací|je suis née?) ?.*[0-9]|^ich (?:bin|wurde) .*[0-9].* geboren",
    ),
];
/// A time of day or a year in small letters, which an ending need not repeat.
const TIME_OF_DAY: &str = concat!(
    r"(?: ?, ?)?\b(?:um|gegen|ab|at|around|a las?|sobre las?|hacia las?|à|a|vers|alle|às|в) (?:halb |viertel (?:vor|nach|) ?|dreiviertel )?",
    r"(?:[0-9]{1,2}(?:[:.h][0-9]{2})?|ein|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon",
    r"|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|midi)\b",
    r"(?: ?(?:uhr(?: [0-9]{1,2})?|heures?(?: [0-9]{1,2})?|horas?|h|am|pm|a\.m\.|p\.m\.|o'clock)\b)?",
    r"(?: (?:y (?:media|cuarto)|menos cuarto|et (?:demie|quart)|de la (?:mañana|tarde|noche)|del mediodía|du (?:matin|soir)|de l'après-midi|in the (?:morning|afternoon|evening)))*",
    r"|(?:早上|上午|中午|下午|晚上)?[0-9一二三四五六七八九十两]{1,3}(?:点|[:：][0-9]{2})(?:半|[0-9]{1,2}分?|钟)?",
    r"|(?:,| de| del| of)? (?:19|20)[0-9]{2}\b",
);
/// Words that begin a reason, which may have more than one part: "because it is green and quiet".
const REASONS: &[&str] = &["because", "weil", "porque", "parce", "perché", "потому"];
/// Words after a comma that limit what is before it: "I use tabs, not spaces", "I never drink beer, only wine".
#[rustfmt::skip]
const CONTRASTS: &[&str] = &[
    "not", "only", "just", "nicht", "nur", "kein", "keine", "keinen", "no", "solo", "sólo", "pas", "seulement", "non", "soltanto", "não", "só", "apenas",
    "не", "только",
];
/// Words that deny.
#[rustfmt::skip]
const DENIALS: &[&str] = &[
    "not", "no", "never", "none", "nothing", "cannot", "dont", "doesnt", "cant", "isnt", "nicht", "nie", "niemals", "nichts", "kein",
    "keine", "keinen", "keinem", "keiner", "nunca", "nada", "tampoco", "ne", "pas", "jamais", "rien", "aucun", "aucune", "non", "não",
    "nao", "не", "нет", "никогда",
];
const HAN_DENIALS: &[char] = &['不', '没'];
/// Words with an apostrophe and an "s" that name no owner.
const NO_OWNERS: &[&str] =
    &["it", "that", "he", "she", "there", "what", "who", "let", "here", "how", "where", "this"];

/// What a speaker says has ended, or asks to forget.
pub struct Ending {
    text: String,
    terms: Vec<String>,
    is_asked: bool,
    /// Whether the speaker names a matter ([`Forget::is_matter`]).
    is_matter: bool,
    /// Whether they mean all that was said about it ([`Forget::is_all`]).
    is_all: bool,
}

/// What is left of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing: it holds no longer.
    Nothing,
    /// This part of it still holds.
    Rest(String),
}

impl Ending {
    /// Returns what a statement says has ended ([`Candidate::ended`](super::Candidate::ended)); `None` if it has no word
    /// that tells.
    #[must_use]
    pub fn ended(words: &str) -> Option<Self> {
        Self::of(words, false, false, false)
    }

    /// Returns what a speaker asks to forget; `None` if it has no word that tells.
    #[must_use]
    pub fn asked(forget: &Forget) -> Option<Self> {
        Self::of(&forget.text, true, forget.is_matter, forget.is_all)
    }

    fn of(text: &str, is_asked: bool, is_matter: bool, is_all: bool) -> Option<Self> {
        let text = in_small_letters(text);
        let of_matter = text.split_once(' ').filter(|(first, _)| is_matter && POSSESSIVES.contains(first));
        let terms = query_terms(of_matter.map_or(&*text, |(_, matter)| matter));
        let ending = Self { terms, is_asked, is_matter, is_all, text };
        (!ending.terms.is_empty()).then_some(ending)
    }

    /// Returns what is left of a statement of the same speaker; `None` if it is about something else.
    #[must_use]
    pub fn left_of(&self, statement: &str) -> Option<Left> {
        let said = without_asides(statement);
        // What remains of it is told in confidence too.
        Some(match self.left_of_said(said)? {
            Left::Rest(rest) => Left::Rest(rest + &statement[said.len()..]),
            Left::Nothing => Left::Nothing,
        })
    }

    /// Returns the same of a statement that ends with what it says.
    fn left_of_said(&self, statement: &str) -> Option<Left> {
        let said = in_small_letters(statement);
        // What a statement denies in its first part, it denies of the items after it.
        let is_denied = denies(first_part(&said));
        let is_about = |part: &&str| {
            let said = in_small_letters(part);
            self.is_about(&said, denies(&said) || is_denied && !begins_anew(part))
        };
        let asked = if self.is_matter { self.item_of(statement, &said) } else { Some(&*self.text) };
        if let Some(Parts { named, rest }) = asked.and_then(|asked| Parts::of(statement, asked))
            && self.is_of_same_wish(&said)
            && named.iter().all(is_about)
        {
            return Some(Left::Rest(rest));
        }
        (self.is_about(&said, is_denied) && self.ends(statement, &said)).then_some(Left::Nothing)
    }

    /// Returns whether a statement in small letters, or a part of one, has the same owner and sense as what has ended: "my
    /// brother's dog" is not "my dog", and "I don't eat meat" not "I eat meat".
    fn is_about(&self, said: &str, is_denied: bool) -> bool {
        let owner = said.split_whitespace().find_map(|word| {
            let owner = word.trim_matches(|c: char| !c.is_alphanumeric()).strip_suffix("'s")?;
            (!NO_OWNERS.contains(&owner) && !self.is_all).then_some(owner)
        });
        owner.is_none_or(|owner| self.text.contains(owner))
            && (self.is_matter || is_denied == denies(&self.text))
    }

    /// Returns whether the speaker names the matter as theirs: "my dog".
    fn is_possessive(&self) -> bool {
        self.text.split_once(' ').is_some_and(|(first, _)| POSSESSIVES.contains(&first))
    }

    /// Returns whether a statement in small letters is about its speaker, and not about what the matter does to them.
    fn is_of_speaker(&self, said: &str) -> bool {
        said.split_whitespace().next().is_some_and(|first| SELVES.contains(&first)) && self.feels_as(said)
    }

    /// Returns the words by which the matter is an item of a statement of the speaker; `None` if it cannot be one. "Forget
    /// all about coffee" takes it out of "I drink tea and coffee", and "forget the coffee" does not. `said` is the statement in small
    /// letters.
    fn item_of<'s>(&'s self, statement: &'s str, said: &str) -> Option<&'s str> {
        if self.is_possessive() {
            return self.is_of_speaker(said).then_some(&*self.text);
        }
        let is_own = self.is_of_speaker(said) || begins_with(said, OWN_VERBS) && self.feels_as(said);
        let is_meant = self.is_all || self.terms.len() > 1;
        listed(statement, &self.text).filter(|_| is_own && is_meant)
    }

    /// Returns whether a statement in small letters names an allergy, a fear or the like only if the matter does too.
    fn feels_as(&self, said: &str) -> bool {
        let feels = |text: &str| FEELINGS.iter().any(|feeling| text.contains(feeling));
        feels(&self.text) || !feels(said)
    }

    /// Returns whether the matter is the subject of a statement in small letters: "Laura" of "Laura is allergic to latex".
    fn is_subject_of(&self, said: &str) -> bool {
        let subject = query_terms(subject(said));
        subject.iter().any(|word| self.terms.iter().any(|term| is_form(term, word)))
    }

    /// Returns whether a statement in small letters tells a matter of the speaker without naming it: "I live at 12 Elm Road"
    /// tells "my address".
    fn is_told_by(&self, said: &str) -> bool {
        static PATTERNS: LazyLock<Vec<Regex>> =
            LazyLock::new(|| UNNAMED.iter().map(|(_, pattern)| regex(pattern)).collect());
        let own = self.text.split_once(' ').filter(|_| self.is_possessive()).map(|(_, matter)| matter);
        let Some(matter) = own.or_else(|| self.text.strip_prefix("我的")) else { return false };
        let matter = matter.trim_end_matches([',', ' ']);
        let mut matters = UNNAMED.iter().zip(PATTERNS.iter());
        matters.any(|((names, _), pattern)| names.contains(&matter) && pattern.is_match(said))
    }

    /// Returns whether a statement is about the matter: it has its words, in any form, and names it as the speaker does or
    /// speaks of them. "My allergies" names "I'm allergic to nuts", and not "my sister is allergic to nuts". `said` is the
    /// statement in small letters.
    fn names(&self, text: &str, said: &str) -> bool {
        let is_named = self.is_named_in(said);
        let is_subject = self.is_subject_of(said);
        // "Forget about Martin" is about "Martin is my boss", and not about "I meet Martin on Friday".
        let is_own = match self.is_possessive() || self.terms.len() > 1 {
            _ if self.is_all && is_subject => true,
            true => (is_named || is_subject) && self.feels_as(said) || self.is_of_speaker(said),
            false if self.is_all => self.feels_as(said),
            false => said.starts_with(&self.text) && self.feels_as(said),
        };
        let held = query_terms(text);
        let is_held = |term: &String| held.iter().any(|other| is_form(term, other));
        let timeless = without_time(text);
        // "Dark mode" is but an item of "I prefer dark mode, tabs and short answers".
        let is_beside_others = || is_list(&said.replacen(&self.text, "", 1));
        let is_whole = is_named && (is_subject || self.is_possessive() || !is_beside_others());
        is_own
            && self.terms.iter().all(is_held)
            && (says_one_thing(&timeless, is_whole) || self.is_all && tells_more(&timeless, is_subject))
    }

    /// Returns whether a statement in small letters names the matter, as whosever the speaker says it is: "mein Geburtstag" is
    /// "meinen Geburtstag".
    fn is_named_in(&self, said: &str) -> bool {
        let Some((_, matter)) = self.text.split_once(' ').filter(|_| self.is_possessive()) else {
            return said.contains(&self.text);
        };
        let matter = words(matter);
        words(said).windows(matter.len() + 1).any(|window| {
            POSSESSIVES.contains(&&*window[0])
                && window[1..].iter().zip(&matter).all(|(one, other)| is_form(&form(one), &form(other)))
        })
    }

    /// Returns whether a statement holds no longer: it says what has ended, and else only how. "I no longer smoke" does not end
    /// "I hate it when people smoke", and "I'm no longer on penicillin" does not end
    /// "I'm allergic to penicillin". `said` is the statement in small letters.
    fn ends(&self, text: &str, said: &str) -> bool {
        if self.is_asked && self.is_told_by(said) {
            return says_one_thing(text, true);
        }
        if self.is_matter {
            return self.names(text, said);
        }
        let is_said_by = |text: &str| {
            let said = in_small_letters(text);
            covered(&self.terms, &said) >= 1.0 && self.says_all_of(text, &said)
        };
        self.is_of_same_wish(said) && (is_said_by(text) || is_said_by(&without_time(text)))
    }

    /// Returns whether what has ended is a wish or a duty only if a statement in small letters is one.
    fn is_of_same_wish(&self, said: &str) -> bool {
        self.is_asked || !WISHES.iter().any(|wish| self.text.contains(wish) && !said.contains(wish))
    }

    /// Returns whether a statement in small letters has no words but those of what has ended, up to a part that only tells more.
    /// "I work at Acme as an engineer" has such a part, and "I work at Acme as an engineer and I'm allergic to nuts" says more.
    /// `said` is the statement in small letters.
    fn says_all_of(&self, text: &str, said: &str) -> bool {
        let list = words(said);
        let Some(other) = first_other(&list, &self.text) else { return true };
        let is_after_comma = other > 0 && list[other - 1] == ",";
        let word = &*list[other];
        // "I have a cat with one eye and a dog" says more than "I have a cat", but the items of "I live in Porto with Ana and Tom"
        // cannot be those of "in".
        let has_place = || list[..other].iter().any(|word| TAIL_STARTS.contains(&&**word));
        TAIL_STARTS.contains(&word)
            && (says_one_thing(said, REASONS.contains(&word)) || has_place() && joins_items(text))
            || is_after_comma
                && (EXPLANATIONS.contains(&word) || is_street(&list[other..].join(" ")))
                && says_one_thing(said, false)
            || is_after_comma && CONTRASTS.contains(&word)
            || is_after_comma && list[..other].iter().any(|word| NUMBERS.contains(&&**word))
    }
}

/// Returns a statement without the clauses at its end that say nothing of their own: "I'm pregnant, but don't tell anyone".
fn without_asides(statement: &str) -> &str {
    if !is_list(statement) {
        return statement;
    }
    let sentences = Page::of(statement).sentences;
    let clauses = clauses::split(&sentences);
    let is_one = |clauses: &[Clause]| {
        let (Some(first), Some(last)) = (clauses.first(), clauses.last()) else { return false };
        first.sentence == last.sentence
            && bounds::is_aside(&sentences[first.sentence].text()[first.range().start..last.range().end])
    };
    // "Ich will nicht, dass sie das erfahren" has two clauses, but "don't tell anyone, and I live in Leeds" says more.
    let is_aside = |clauses: &[Clause]| is_one(clauses) && (clauses.len() == 1 || !is_one(&clauses[..1]));
    let mut end = clauses.len();
    while let Some(length) =
        [1, 2].into_iter().find(|length| end > *length && is_aside(&clauses[end - length..end]))
    {
        end -= length;
    }
    match clauses.get(end) {
        Some(first) => {
            let start = sentences[first.sentence].place(&first.range()).start;
            statement[..start].trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')')
        }
        None => statement,
    }
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

/// Returns a statement without the times of day and years in it.
fn without_time(said: &str) -> Cow<'_, str> {
    static TIME: LazyLock<Regex> = LazyLock::new(|| regex(&format!("(?i){TIME_OF_DAY}")));
    TIME.replace_all(said, "")
}

/// Returns whether two terms are forms of one word.
fn is_form(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let shared = short.chars().zip(long.chars()).take_while(|(one, other)| one == other).count();
    // "Namen" is a form of "Name".
    let is_inflected = long.strip_prefix(short).is_some_and(|end| matches!(end, "n" | "en" | "s" | "es"));
    let letters = short.chars().count().max(long.chars().count());
    is_inflected && shared >= INFLECTED_LETTERS
        || one == other
        || shared >= STEM_LETTERS && shared + 2 >= letters
        || shared >= LONG_STEM_LETTERS && shared + 3 >= letters
}

/// Returns a text in small letters with plain apostrophes.
fn in_small_letters(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

/// Returns a statement in small letters up to its first comma or conjunction: what it denies there, it denies of all.
fn first_part(said: &str) -> &str {
    let ends = [",", "，", " and ", " und ", " y ", " et ", " e ", " or ", " oder "];
    let end = ends.iter().filter_map(|end| said.find(end)).min().unwrap_or(said.len());
    &said[..end]
}

/// Returns whether a text in small letters denies something.
fn denies(text: &str) -> bool {
    text.contains(HAN_DENIALS) || text.split(|c: char| !c.is_alphanumeric() && c != '\'').any(is_denial)
}

/// Returns whether a word in small letters denies something.
pub(super) fn is_denial(word: &str) -> bool {
    DENIALS.contains(&word) || word.ends_with("n't") || word.starts_with("n'")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(statement: &str, text: &str, is_matter: bool) -> Option<Left> {
        Ending::asked(&Forget { text: text.to_owned(), is_matter, is_all: false })?.left_of(statement)
    }

    #[test]
    fn what_is_forgotten_is_the_speaker_s_own_and_says_the_same() {
        for (statement, text) in [
            ("My brother's dog is called Rex", "my dog is called Rex"),
            ("My brother’s wife is called Anna", "my wife is called Anna"),
            ("My doctor's name is Smith", "my name is Smith"),
            ("I don't eat meat", "I eat meat"),
            ("I eat meat", "I don't eat meat"),
            ("I am not allergic to nuts", "I am allergic to nuts"),
            ("Ich bin nicht gegen Nüsse allergisch", "ich gegen Nüsse allergisch bin"),
            ("No como carne", "como carne"),
            ("Je ne mange pas de viande", "je mange de la viande"),
            ("我不吃肉", "我吃肉"),
            ("I don't smoke or drink", "I drink"),
            ("I'm allergic to penicillin", "I'm on penicillin"),
            ("I have a dog allergy", "I have a dog"),
            ("I eat fish but not meat", "I eat meat"),
            ("The wedding is on June 5, 2027", "the wedding is on June 5, 2026"),
            ("I'm pregnant, due in May, and I live in Leeds", "I'm pregnant"),
            ("I prefer pnpm over npm", "I prefer npm"),
        ] {
            assert_eq!(left(statement, text, false), None, "{statement} | {text}");
        }
        for (statement, text) in [
            ("My dog's called Rex", "my dog's called Rex"),
            ("Tom's diabetic", "Tom is diabetic"),
            ("It's true that I live in Leeds", "it is true that I live in Leeds"),
            ("I don't eat meat", "I don't eat meat"),
            ("Ich esse kein Fleisch", "ich kein Fleisch esse"),
            ("I always use tabs, not spaces", "I always use tabs"),
            ("I never drink beer, only wine", "I never drink beer"),
            ("I live in Leeds with my cat", "I live in Leeds"),
            ("I live in Leeds now", "I'm living in Leeds"),
            ("I have two kids, Tom and Mia", "I have two kids"),
            ("the wedding is on June 5, 2027", "the wedding is on June 5"),
            ("die Hochzeit ist am 5. Juni 2027", "die Hochzeit am 5. Juni ist"),
            ("la boda es el 5 de junio de 2027", "la boda es el 5 de junio"),
            ("le mariage est le 5 juin 2027", "le mariage est le 5 juin"),
            ("I'm pregnant, due in May", "I'm pregnant"),
            ("Ich bin schwanger, Termin im Mai", "ich schwanger bin"),
            ("Estoy embarazada, desde enero", "estoy embarazada"),
            ("Je suis enceinte, depuis janvier", "je suis enceinte"),
            ("I prefer pnpm over npm", "I prefer pnpm"),
            ("Ich mag pnpm lieber als npm", "ich pnpm lieber mag"),
            ("Prefiero pnpm antes que npm", "prefiero pnpm"),
            ("Je préfère pnpm à npm", "je préfère pnpm"),
        ] {
            assert_eq!(left(statement, text, false), Some(Left::Nothing), "{statement} | {text}");
        }
    }

    #[test]
    fn what_is_told_in_confidence_is_forgotten_too() {
        for (statement, text, is_matter) in [
            ("I'm pregnant, but don't tell anyone", "I'm pregnant", false),
            ("I'm pregnant, I don't want them to know", "I'm pregnant", false),
            ("I live in Leeds, I think", "I live in Leeds", false),
            ("Ich bin schwanger, aber sag es niemandem", "ich schwanger bin", false),
            ("Je suis enceinte, mais ne le dis à personne", "je suis enceinte", false),
            ("Mi novio se llama Pablo, pero no se lo digas a nadie", "mi novio se llama Pablo", false),
            ("My boyfriend is called Pablo, but don't tell anyone", "my boyfriend", true),
            ("my birthday is on March 15th, I mistyped", "my birthday", true),
        ] {
            assert_eq!(left(statement, text, is_matter), Some(Left::Nothing), "{statement} | {text}");
        }
        assert_eq!(
            left("I have epilepsy and I take lamotrigine, but don't tell anyone", "I have epilepsy", false),
            Some(Left::Rest("I take lamotrigine, but don't tell anyone".to_owned()))
        );
        assert_eq!(left("I'm pregnant, don't tell anyone, and I live in Leeds", "I'm pregnant", false), None);
    }

    #[test]
    fn a_place_after_a_comma_only_tells_more() {
        for (statement, ended) in [
            ("I live in Leeds, on Otley Road", "i live in leeds"),
            ("I live in Leeds, 12 Otley Road", "i live in leeds"),
            ("I work at Acme, in the Leeds office", "i work at acme"),
            ("J'habite à Lyon, dans le 3e arrondissement", "je habite a lyon"),
            ("J'habite à Lyon, rue Mercière", "je habite a lyon"),
            ("Vivo en Sevilla, en la calle Feria", "vivo en sevilla"),
            ("Ich wohne in Köln, Goltsteinstraße 5", "ich wohne in köln"),
            ("I work in London in a bakery", "i work in london"),
            ("Ich wohne in Köln in der Goltsteinstraße", "ich wohne in köln"),
            ("Trabajo en Madrid en una panadería", "trabajo en madrid"),
        ] {
            let left = Ending::ended(ended).unwrap().left_of(statement);
            assert_eq!(left, Some(Left::Nothing), "{statement} | {ended}");
        }
        for (statement, ended, rest) in [
            ("I shop at Aldi, at Lidl and at Tesco", "i shop at aldi", "I shop at Lidl and at Tesco"),
            ("I have a dog and live in Leeds, on Otley Road", "i live in leeds", "I have a dog"),
            ("I live in Leeds, on Otley Road, and have a dog", "i live in leeds", "I have a dog"),
        ] {
            let left = Ending::ended(ended).unwrap().left_of(statement);
            assert_eq!(left, Some(Left::Rest(rest.to_owned())), "{statement} | {ended}");
        }
        for (statement, ended) in [
            ("I work in London in a bakery", "i work in a bakery in leeds"),
            ("I live in Leeds with Tom in a house and in York with Ana", "i live in leeds"),
        ] {
            let left = Ending::ended(ended).unwrap().left_of(statement);
            assert_eq!(left, None, "{statement} | {ended}");
        }
    }

    #[test]
    fn all_about_a_matter_is_forgotten() {
        let left = |statement: &str, text: &str| {
            Ending::asked(&Forget { text: text.to_owned(), is_matter: true, is_all: true })?
                .left_of(statement)
        };
        for (statement, matter) in [
            ("My ex Laura lives in Bath", "Laura"),
            ("My wife's called Sam and she is vegan", "Sam"),
            ("Ich habe 20000 Euro in der Matratze", "Matratze"),
        ] {
            assert_eq!(left(statement, matter), Some(Left::Nothing), "{statement} | {matter}");
        }
        for (statement, matter) in [
            ("I'm allergic to nuts", "nuts"),
            ("My wife's called Sam and I live in Leeds", "Sam"),
            ("I live in Bath", "Laura"),
        ] {
            assert_eq!(left(statement, matter), None, "{statement} | {matter}");
        }
    }

    #[test]
    fn all_about_somebody_is_forgotten_with_what_they_cannot_bear() {
        let left = |statement: &str, text: &str| {
            Ending::asked(&Forget { text: text.to_owned(), is_matter: true, is_all: true })?
                .left_of(statement)
        };
        for statement in [
            "Laura is allergic to latex",
            "Laura hates dogs",
            "Laura ist allergisch gegen Latex",
            "Laura hat Angst vor Hunden",
            "Laura es alérgica al látex",
            "Laura est allergique au latex",
            "My friend Laura is afraid of dogs",
            "Laura is allergic to latex and works as a nurse",
            "Laura ist allergisch gegen Latex und arbeitet im Krankenhaus",
        ] {
            assert_eq!(left(statement, "Laura"), Some(Left::Nothing), "{statement}");
        }
        for (statement, matter) in [
            ("I'm allergic to nuts", "nuts"),
            ("My sister is allergic to nuts", "nuts"),
            ("Ich bin gegen Nüsse allergisch", "Nüsse"),
            ("Tengo miedo a los perros", "perros"),
            ("My son hates Laura", "Laura"),
            ("My friend Pete knows Laura and lives in Leeds", "Laura"),
            ("Laura is a nurse and I live in Leeds", "Laura"),
        ] {
            assert_eq!(left(statement, matter), None, "{statement} | {matter}");
        }
    }

    #[test]
    fn a_matter_of_somebody_else_is_named_by_its_owner() {
        for (statement, matter) in [
            ("Laura is allergic to latex", "Laura's allergy"),
            ("Laura ist allergisch gegen Latex", "Lauras Allergie"),
            ("Laura es alérgica al látex", "alergia de Laura"),
            ("Laura est allergique au latex", "allergie de Laura"),
            ("La señora Ruiz tiene cita el martes a las 10", "cita de la señora Ruiz"),
            ("Tengo cita con la señora Ruiz el martes a las 10 y media", "cita con la señora Ruiz"),
            ("Frau Krause hat am Freitag um 10 Uhr einen Termin", "Termin von Frau Krause"),
        ] {
            assert_eq!(left(statement, matter, true), Some(Left::Nothing), "{statement} | {matter}");
        }
        for (statement, matter) in [
            ("Jonas is allergic to latex", "Laura's allergy"),
            ("I am allergic to latex", "Laura's allergy"),
            ("Laura ist Krankenschwester", "Lauras Allergie"),
        ] {
            assert_eq!(left(statement, matter, true), None, "{statement} | {matter}");
        }
    }

    #[test]
    fn an_ending_need_not_repeat_the_time_of_day() {
        for (statement, text) in [
            (
                "I have a dentist appointment on Friday (2026-02-13) at 10:30 am",
                "I have a dentist appointment",
            ),
            (
                "Ich habe am Freitag (2026-02-13) um 10 Uhr einen Zahnarzttermin",
                "ich einen Zahnarzttermin habe",
            ),
            ("Ich habe um halb elf einen Termin beim Zahnarzt", "ich einen Termin beim Zahnarzt habe"),
            ("Tengo cita con el dentista el viernes (2026-02-13) a las 10", "tengo cita con el dentista"),
            ("Tengo cita con el dentista el viernes a las 10 y media", "tengo cita con el dentista"),
            ("J'ai rendez-vous chez le dentiste vendredi à 10 h 30", "j'ai rendez-vous chez le dentiste"),
            ("J'ai rendez-vous chez le dentiste vendredi à 10h30", "j'ai rendez-vous chez le dentiste"),
            ("J'ai rendez-vous chez le dentiste aujourd'hui", "j'ai rendez-vous chez le dentiste"),
            ("我星期五上午10点有牙医预约", "我星期五有牙医预约"),
        ] {
            assert_eq!(left(statement, text, false), Some(Left::Nothing), "{statement} | {text}");
            let ended = Ending::ended(&text.to_lowercase()).unwrap().left_of(statement);
            assert_eq!(ended, Some(Left::Nothing), "{statement} | {text}");
        }
        for (statement, text) in [
            ("Tengo cita con el dentista el viernes a las 10", "tengo cita con el dentista a las 11"),
            ("Tomo 2 pastillas a las 10 para la epilepsia", "tomo 3 pastillas"),
            ("Ich nehme um 10 Uhr Lamotrigin", "ich nehme Keppra"),
        ] {
            assert_eq!(left(statement, text, false), None, "{statement} | {text}");
        }
    }

    #[test]
    fn a_matter_may_be_told_without_its_name() {
        for (statement, matter) in [
            ("I live at 12 Elm Road, Leeds", "my address"),
            ("Ich wohne in der Schillerstraße 12, 53111 Bonn", "meine Adresse"),
            ("Vivo en la calle Mayor 5, Madrid", "mi dirección"),
            ("J'habite 5 rue des Lilas, Lyon", "mon adresse"),
            ("J'habite au 5, rue des Lilas", "mon adresse"),
            ("我住在南京路12号", "我的地址"),
            ("I'm called Lucy", "my name"),
            ("I’m called Lucy", "my name"),
            ("Ich heiße Lucia Weber", "meinen Namen"),
            ("Me llamo Lucía", "mi nombre"),
            ("Je m'appelle Lucie", "mon nom"),
            ("I was born on May 12, 1952", "my birthday"),
            ("Ich bin am 12. Mai 1952 geboren", "mein Geburtsdatum"),
        ] {
            assert_eq!(left(statement, matter, true), Some(Left::Nothing), "{statement} | {matter}");
        }
        for (statement, matter) in [
            ("I live in Leeds", "my address"),
            ("I live with my 2 cats on a quiet street", "my address"),
            ("Ich wohne seit 2010 in Kiel", "meine Adresse"),
            ("Vivo con mis 2 hijos", "mi dirección"),
            ("Mi hermano se llama Luis", "mi nombre"),
            ("My dog is called Rex", "my name"),
            ("I was born in Leeds", "my birthday"),
            ("Me llamo Lucía", "mi dirección"),
            ("Me llamo Lucía", "nombre"),
        ] {
            assert_eq!(left(statement, matter, true), None, "{statement} | {matter}");
        }
    }

    #[test]
    fn what_has_ended_is_all_that_a_statement_says() {
        for (statement, ended) in [
            ("I'm allergic to penicillin", "I'm on penicillin they switched me to doxycycline"),
            ("Ich bin gegen Penicillin allergisch", "ich bin auf penicillin"),
            ("I have a dog allergy", "i have a dog"),
            ("I'm a diabetic nurse", "i'm a nurse"),
            ("I was born in Leeds", "i'm in leeds"),
            ("I'm married to a nurse", "i'm a nurse"),
            ("I work with Tom", "i'm with tom"),
            ("I run a bakery", "i run"),
            ("Doy clases de yoga", "doy clases de tenis"),
            ("Soy alérgico al pelo de perro", "tengo perro"),
            ("I drink tea with milk", "i drink milk"),
            ("I hate it when people smoke", "i smoke"),
            ("I smoke or vape when I'm stressed", "i smoke"),
            ("My wife eats meat", "i eat meat"),
            ("Ich wohne in Kiel, seit ich Epilepsie habe und Rente beziehe", "ich wohne in kiel"),
        ] {
            let left = Ending::ended(ended).unwrap().left_of(statement);
            assert_eq!(left, None, "{statement} | {ended}");
        }
        for (statement, ended) in [
            ("I smoke", "i smoke"),
            ("I am a vegetarian", "i'm vegetarian"),
            ("I work at Acme as an engineer", "i work at acme"),
            ("I work at Acme", "i'm working at acme"),
            ("Ich wohne seit 2010 in Kiel", "ich wohne in kiel"),
            ("Vivo en Madrid con mi hermana", "vivo en madrid"),
            ("Je suis allergique aux noix", "je suis allergique aux noix"),
            ("J'habite à Lyon", "je habite a lyon"),
            ("Tenho asma", "tenho asma"),
            ("Me gusta trabajar de noche", "me gusta trabajar de noche"),
            ("Doy clases de yoga", "doy clases de yoga"),
            ("Soy miembro del club de tenis", "soy miembro del club de tenis"),
            ("Vivo en un piso de alquiler", "vivo en un piso de alquiler"),
            ("J'aime travailler de nuit", "je aime travailler de nuit"),
            ("Je mange de la viande", "je mange de viande"),
            ("J'ai un chien", "je ai de chien"),
            ("我吃肉", "我吃肉"),
            ("I see the dentist tomorrow (2026-11-30) at 10:30", "i see the dentist"),
            ("Am Freitag kommt meine Schwester", "meine Schwester kommt"),
            ("Ich mag Berlin, weil es grün und ruhig ist", "ich mag berlin"),
        ] {
            let left = Ending::ended(ended).unwrap().left_of(statement);
            assert_eq!(left, Some(Left::Nothing), "{statement} | {ended}");
        }
    }

    #[test]
    fn what_has_not_ended_stays() {
        for (statement, ended, rest) in [
            (
                "Tomo lamotrigina para la epilepsia y no tolero la aspirina",
                "tomo lamotrigina",
                "no tolero la aspirina",
            ),
            ("I smoke and I live in Leeds", "i smoke", "I live in Leeds"),
            ("I smoke when I'm stressed and I'm allergic to latex", "i smoke", "I'm allergic to latex"),
            ("I work at Acme as an engineer and I like tea", "i work at acme", "I like tea"),
            ("Tengo dos gatos y un perro", "tengo perro", "Tengo dos gatos"),
            (
                "Soy alérgica a las nueces y a la leche",
                "soy alérgica a la leche",
                "Soy alérgica a las nueces",
            ),
        ] {
            let left = Ending::ended(ended).unwrap().left_of(statement);
            assert_eq!(left, Some(Left::Rest(rest.to_owned())), "{statement} | {ended}");
        }
    }

    #[test]
    fn items_of_what_only_tells_more_leave_no_rest() {
        for (statement, text) in [
            ("I live in Porto with my wife and two kids", "I live in Porto"),
            ("I live in Porto with my wife Ana and my son Rui", "I live in Porto"),
            ("I live in Porto with Ana, Tom and Jo", "I live in Porto"),
            ("I work at Bosch with Tom and Jo", "I work at Bosch"),
            ("I work as a nurse in Leeds and York", "I work as a nurse"),
            ("Ich wohne in Kiel mit meiner Frau und zwei Kindern", "ich in Kiel wohne"),
            ("Vivo en Cádiz con mi mujer y dos hijos", "vivo en Cádiz"),
            ("J'habite à Lyon avec ma femme et deux enfants", "j'habite à Lyon"),
        ] {
            assert_eq!(left(statement, text, false), Some(Left::Nothing), "{statement} | {text}");
            let ended = Ending::ended(&text.to_lowercase()).unwrap().left_of(statement);
            assert_eq!(ended, Some(Left::Nothing), "{statement} | {text}");
        }
        // What an item belongs to cannot be told.
        for (statement, text) in [
            ("I bought a house with a garden and a garage", "I bought a house"),
            ("I have a cat with one eye and a dog", "I have a cat"),
            ("I go running on Mondays and Thursdays", "I go running"),
            ("I drink coffee with milk and sugar", "I drink coffee"),
            ("I live in Porto with Ana and in Lisbon with Tom", "I live in Porto"),
            ("I live in Leeds with Ana and my brother smokes", "I live in Leeds"),
            ("I work at Acme as an engineer and smoke", "I work at Acme"),
        ] {
            assert_eq!(left(statement, text, false), None, "{statement} | {text}");
            let ended = Ending::ended(&text.to_lowercase()).unwrap().left_of(statement);
            assert_eq!(ended, None, "{statement} | {text}");
        }
    }

    #[test]
    fn a_matter_takes_nothing_with_it_that_is_said_of_another() {
        for (statement, matter) in [
            ("Tom is my brother and Mina is my sister", "Tom"),
            ("Mia spielt Geige und Karl arbeitet bei Bosch", "Geige"),
            ("Mia spielt Geige und Karl spielt Klavier", "Mia"),
            ("I prefer dark mode, two-space indentation and short answers", "dark mode"),
            ("I prefer dark mode, tabs and short answers", "tabs and short answers"),
            ("Anna and Ben are my kids", "Anna"),
        ] {
            for is_all in [false, true] {
                let forget = Forget { text: matter.to_owned(), is_matter: true, is_all };
                let left = Ending::asked(&forget).unwrap().left_of(statement);
                assert_eq!(left, None, "{statement} | {matter}");
            }
        }
        for (statement, matter, rest) in [
            (
                "I prefer dark mode, two-space indentation and short answers",
                "short answers",
                "I prefer dark mode and two-space indentation",
            ),
            ("Ich trinke gern Tee, Kaffee und Kakao", "Kaffee", "Ich trinke gern Tee und Kakao"),
            ("Ich trinke gern Tee, Kaffee und Kakao", "Tee", "Ich trinke gern Kaffee und Kakao"),
            ("I work at Bosch with Tom and Jo", "Tom", "I work at Bosch with Jo"),
            (
                "prefiero el té verde, las respuestas cortas y trabajar de noche",
                "las respuestas cortas",
                "prefiero el té verde y trabajar de noche",
            ),
        ] {
            let forget = Forget { text: matter.to_owned(), is_matter: true, is_all: true };
            let left = Ending::asked(&forget).unwrap().left_of(statement);
            assert_eq!(left, Some(Left::Rest(rest.to_owned())), "{statement} | {matter}");
        }
        for (statement, matter) in [
            ("I have two kids, Tom and Mia", "Tom"),
            ("I'm allergic to milk and nuts", "nuts"),
            ("I met Laura's boss and Tom", "Laura"),
        ] {
            let forget = Forget { text: matter.to_owned(), is_matter: true, is_all: true };
            assert_eq!(Ending::asked(&forget).unwrap().left_of(statement), None, "{statement} | {matter}");
        }
        assert_eq!(left("I drink tea and coffee", "coffee", true), None);
        for (statement, matter) in [
            ("Laura likes tea and coffee", "Laura"),
            ("Laura's kids are called Tom and Mia", "Laura"),
            ("I have a meeting with Tom and Jo on Friday", "meeting with Tom and Jo"),
        ] {
            let forget = Forget { text: matter.to_owned(), is_matter: true, is_all: true };
            let left = Ending::asked(&forget).unwrap().left_of(statement);
            assert_eq!(left, Some(Left::Nothing), "{statement} | {matter}");
        }
    }

    #[test]
    fn a_thing_is_not_what_it_does_to_the_speaker() {
        for (statement, matter) in [
            ("I am allergic to milk", "milk"),
            ("I am allergic to dogs", "my dog"),
            ("My son is allergic to eggs", "eggs"),
            ("I am afraid of dogs", "dog"),
            ("I'm allergic to milk and nuts", "nuts"),
            ("My sister is allergic to milk and eggs", "eggs"),
            ("My kids are Leo, Mia and Tom", "Tom"),
            ("I go to the gym on Mondays", "gym"),
            ("I live in Berlin", "Berlin"),
            ("I have a meeting with Tom on Friday", "Tom"),
            ("My address is 12 Elm Road, and I live with Tom", "my address"),
        ] {
            assert_eq!(left(statement, matter, true), None, "{statement} | {matter}");
        }
        for (statement, matter) in [
            ("I am allergic to nuts", "my nut allergy"),
            ("I have epilepsy", "my epilepsy"),
            ("Tengo epilepsia", "mi epilepsia"),
            ("My dog is called Rex", "my dog"),
            ("Martin is my boss at work", "Martin"),
            ("I'm allergic to cats", "my allergies"),
            ("Mein Geburtstag ist am 12. Mai 1952", "meinen Geburtstag"),
            ("Mein Name ist Anna Weber", "meinen Namen"),
            ("My address is 12 Elm Road, Leeds", "my address"),
            ("I have breast cancer, stage 2", "my cancer"),
            ("My kids are called Tom and Mia", "my kids"),
            ("Meu endereço é Rua do Sol 3", "meu endereço"),
            ("Il mio indirizzo è via Sole 3", "il mio indirizzo"),
        ] {
            assert_eq!(left(statement, matter, true), Some(Left::Nothing), "{statement} | {matter}");
        }
    }

    #[test]
    fn a_part_is_forgotten_and_the_rest_stays() {
        for (statement, text, rest) in [
            ("I have epilepsy and I take lamotrigine", "I have epilepsy", "I take lamotrigine"),
            ("Ich habe Epilepsie und nehme Lamotrigin", "ich Epilepsie habe", "Ich nehme Lamotrigin"),
            ("Tengo epilepsia y tomo lamotrigina", "tengo epilepsia", "tomo lamotrigina"),
            ("J'ai une épilepsie et je prends du Keppra", "j'ai une épilepsie", "je prends du Keppra"),
            ("Tengo dos hijos y vivo en Bilbao", "vivo en Bilbao", "Tengo dos hijos"),
            ("Ich habe zwei Kinder und wohne in Kiel", "ich in Kiel wohne", "Ich habe zwei Kinder"),
            ("Me gusta el té y el café", "me gusta el té", "Me gusta el café"),
            ("我有癫痫，在吃拉莫三嗪", "我有癫痫", "我在吃拉莫三嗪"),
            ("我喜欢茶和咖啡", "我喜欢茶", "我喜欢咖啡"),
            ("I live in Lyon and work in Geneva", "I live in Lyon", "I work in Geneva"),
            ("I speak French and a bit of German", "I speak French", "I speak a bit of German"),
            ("I'm allergic to cats and to dogs", "I'm allergic to cats", "I'm allergic to dogs"),
            ("We deploy to staging and to production", "we deploy to staging", "We deploy to production"),
            (
                "Je suis allergique aux arachides et à la pénicilline",
                "je suis allergique aux arachides",
                "Je suis allergique à la pénicilline",
            ),
            ("Je vais à Paris et au Havre", "je vais à Paris", "Je vais au Havre"),
            ("J'ai un chat et un chien", "j'ai un chat", "J'ai un chien"),
            ("J'ai un chat et deux chiens", "j'ai un chat", "J'ai deux chiens"),
            (
                "Ich bin allergisch gegen Nüsse und gegen Milch",
                "ich gegen Nüsse allergisch bin",
                "Ich bin allergisch gegen Milch",
            ),
            ("I have a cat and two dogs", "I have a cat", "I have two dogs"),
            ("I have two dogs and a cat", "I have a cat", "I have two dogs"),
            ("I like jazz and hate opera", "I like jazz", "I hate opera"),
            (
                "I work on Mondays and from Wednesday to Friday",
                "I work on Mondays",
                "I work from Wednesday to Friday",
            ),
        ] {
            assert_eq!(
                left(statement, text, false),
                Some(Left::Rest(rest.to_owned())),
                "{statement} | {text}"
            );
        }
    }
}
