//! Decides what is left of a statement whose speaker says that it no longer holds, or asks to forget it.

mod matter;

use std::borrow::Cow;
use std::sync::LazyLock;

use memtape_core::recall::question::covered;
use memtape_core::recall::tokenize::query_terms;
use memtape_language::fold;
use memtape_language::kana::is_kana;
use regex::Regex;

use super::clauses::{self, Clause};
use super::enumeration::{
    EXPLANATIONS, NUMBERS, OWN_VERBS, OWNERS, Parts, begins_anew, begins_with, is_list, is_street,
    joins_items, listed, says_one_thing, subject, tells_more,
};
use super::page::Page;
use super::subjects::Joint;
use super::tail::{TAIL_STARTS, ends_in_tail, first_other, folded_words, form, refers_elsewhere, words};
use super::{Forget, bounds, japanese};

/// Words at the beginning of a statement of the speaker about themselves.
#[rustfmt::skip]
const SELVES: &[&str] = &[
    "i", "i'm", "i've", "we", "we're", "ich", "wir", "yo", "soy", "tengo", "je", "j'ai", "nous", "on", "eu", "sou", "tenho", "io", "sono",
    "ho", "я", "мы",
];
/// Possessives before a matter.
#[rustfmt::skip]
const POSSESSIVES: &[&str] = &[
    "my", "our", "mein", "meine", "meinen", "meinem", "meiner", "unser", "unsere", "mi", "mis", "nuestro", "nuestra", "mon", "ma", "mes",
    "notre", "nos", "meu", "minha", "meus", "minhas", "mio", "mia", "miei", "mie", "мой", "моя", "моё", "мою", "мои", "моего", "моей",
];
/// Italian articles before a possessive.
const ITALIAN_ARTICLES: &[&str] = &["il", "la", "i", "le"];
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
/// A time of day, a year, or the date that capture adds to a day, in small letters, which an ending need not repeat.
const TIME_OF_DAY: &str = concat!(
    r"(?: ?, ?)?\b(?:um|gegen|ab|at|around|a las?|sobre las?|hacia las?|à|a|vers|alle|às|в) (?:halb |viertel (?:vor|nach|) ?|dreiviertel )?",
    r"(?:[0-9]{1,2}(?:[:.h][0-9]{2})?|ein|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon",
    r"|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|midi)\b",
    r"(?: ?(?:uhr(?: [0-9]{1,2})?|heures?(?: [0-9]{1,2})?|horas?|h|am|pm|a\.m\.|p\.m\.|o'clock)\b)?",
    r"(?: (?:y (?:media|cuarto)|menos cuarto|et (?:demie|quart)|de la (?:mañana|tarde|noche)|del mediodía|du (?:matin|soir)|de l'après-midi|in the (?:morning|afternoon|evening)))*",
    r"|(?:早上|上午|中午|下午|晚上)?[0-9一二三四五六七八九十两]{1,3}(?:点|[:：][0-9]{2})(?:半|[0-9]{1,2}分?|钟)?",
    r"|(?:,| de| del| of)? (?:19|20)[0-9]{2}\b| ?\((?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}\)",
);
/// The number of words in which a clause after another one names its subject: ", and I".
const CLAUSE_WORDS: usize = 3;
/// Words before those with whom the speaker has something in common, and English verbs beside them: "as does my sister".
const COMPARISONS: &[&str] = &["as", "wie", "como", "comme", "come"];
const AUXILIARIES: &[&str] = &["do", "does", "did", "is", "are", "was", "were", "has", "have", "will", "can"];
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
    /// Whether they name it as theirs in Japanese: "住所" of "私の住所".
    is_own_in_japanese: bool,
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
        let mut text = in_small_letters(text);
        let own = japanese::of_speaker(&text).filter(|_| is_matter).map(str::to_owned);
        let is_own_in_japanese = own.is_some();
        text = own.unwrap_or(text);
        if let Some((article, rest)) = text.split_once(' ')
            && is_matter
            && ITALIAN_ARTICLES.contains(&article)
            && rest.split(' ').next().is_some_and(|first| POSSESSIVES.contains(&first))
        {
            text = rest.to_owned();
        }
        let of_matter = text.split_once(' ').filter(|(first, _)| is_matter && POSSESSIVES.contains(first));
        let terms = query_terms(of_matter.map_or(&*text, |(_, matter)| matter));
        let ending = Self { terms, is_asked, is_matter, is_all, is_own_in_japanese, text };
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
        if !self.is_matter && refers_elsewhere(&self.text, &said) {
            return None;
        }
        if let Some(joint) = Joint::of(statement) {
            // "Forget everything about Anna": what both do, she does.
            let is_one = || says_one_thing(&joint.with_pronoun(joint.pronoun_in("")), true);
            if self.is_all && joint.has(&self.spelled()) && is_one() {
                return Some(Left::Nothing);
            }
            return match joint.is_named_in(&self.text) {
                true => (self.is_about(&said, denies(&said)) && self.ends(statement, &said))
                    .then_some(Left::Nothing),
                false => self.left_of_joint(statement, &joint),
            };
        }
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

    /// Returns the same of a statement with a joint subject: "Ana and I live in Porto" says what "I live in Porto" does.
    fn left_of_joint(&self, statement: &str, joint: &Joint<'_>) -> Option<Left> {
        let pronoun = joint.pronoun_in(&self.text);
        let whole = joint.with_pronoun(pronoun);
        // What ends for the speaker alone stays true of the other.
        let is_of_one = !self.is_matter && Joint::is_of_one(pronoun);
        Some(match self.left_of_said(&whole)? {
            Left::Nothing if is_of_one => Left::Rest(joint.of_other()?),
            Left::Rest(rest) if is_of_one => {
                let named = whole.strip_prefix(&rest)?.split_whitespace().take(CLAUSE_WORDS);
                named.map(str::to_lowercase).find(|word| word == pronoun)?;
                Left::Rest(joint.with_subject(pronoun, &rest)?)
            }
            Left::Rest(rest) if !statement.ends_with(&rest) => {
                Left::Rest(joint.with_subject(pronoun, &rest)?)
            }
            left => left,
        })
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

    /// Returns whether the speaker names the matter as theirs in English, where a noun before another one is not the matter:
    /// "my dog walker".
    fn is_in_english(&self) -> bool {
        self.text.starts_with("my ") || self.text.starts_with("our ")
    }

    /// Returns whether a statement of the speaker in small letters may say that they have the matter. "I work with dogs" is
    /// not about "my dog".
    fn may_be_had(&self, said: &str) -> bool {
        !self.is_in_english() || matter::says_to_have(said)
    }

    /// Returns the folded words of the matter that tell something; none in Chinese, which has terms instead of words.
    fn spelled(&self) -> Vec<String> {
        let mut words = folded_words(&self.text);
        words.retain(|word| self.terms.contains(&form(word)));
        words
    }

    /// Returns whether a statement has all words of the matter, in any form.
    fn is_held_in(&self, text: &str) -> bool {
        let (spelled, terms, words) = (self.spelled(), query_terms(text), folded_words(text));
        self.terms.iter().all(|term| {
            let mut forms = spelled.iter().filter(|word| form(word) == *term).peekable();
            match forms.peek() {
                Some(_) => forms.any(|one| words.iter().any(|other| self.is_form(one, other))),
                None => terms.contains(term),
            }
        })
    }

    /// Returns whether two folded words are forms of one. What is not named as the speaker's may be a name, which has no other
    /// forms: "Martina" is not "Martin".
    fn is_form(&self, one: &str, other: &str) -> bool {
        matter::is_form(one, other, !self.is_possessive())
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
            let is_own = self.is_of_speaker(said) && self.may_be_had(said);
            return (is_own && !matter::is_of_other(&self.spelled(), statement)).then_some(&*self.text);
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
        let (subject, spelled) = (subject(said), self.spelled());
        if spelled.is_empty() {
            return query_terms(subject).iter().any(|term| self.terms.contains(term));
        }
        let subject = folded_words(subject);
        spelled.iter().any(|word| subject.iter().any(|other| self.is_form(word, other)))
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
        if self.is_in_english() && !matter::is_head_in(&self.spelled(), text) {
            return false;
        }
        let is_of_other = |at: usize| japanese::is_of_other(&said[..at]);
        if self.is_own_in_japanese && said.find(&self.text).is_none_or(is_of_other)
            || self.is_possessive() && matter::is_of_other(&self.spelled(), text)
            || self.text.starts_with("我的") && !said.starts_with(&self.text)
        {
            return false;
        }
        let is_named = self.is_named_in(said);
        let is_subject = self.is_subject_of(said);
        // "Forget about Martin" is about "Martin is my boss", and not about "I meet Martin on Friday".
        let is_own = match self.is_possessive() || self.terms.len() > 1 {
            _ if self.is_all && is_subject => true,
            true => {
                (is_named || is_subject) && self.feels_as(said)
                    || self.is_of_speaker(said) && self.may_be_had(said)
            }
            false if self.is_all => self.feels_as(said),
            false => said.starts_with(&self.text) && self.feels_as(said),
        };
        let timeless = without_time(text);
        // "Dark mode" is but an item of "I prefer dark mode, tabs and short answers".
        let is_beside_others = || is_list(&said.replacen(&self.text, "", 1));
        let is_whole = is_named && (is_subject || self.is_possessive() || !is_beside_others());
        is_own
            && self.is_held_in(text)
            && (says_one_thing(&timeless, is_whole) || self.is_all && tells_more(&timeless, is_subject))
    }

    /// Returns whether a statement in small letters names the matter, as whosever the speaker says it is: "mein Geburtstag" is
    /// "meinen Geburtstag".
    fn is_named_in(&self, said: &str) -> bool {
        let Some((_, matter)) = self.text.split_once(' ').filter(|_| self.is_possessive()) else {
            return said.contains(&self.text);
        };
        let matter = folded_words(matter);
        words(said).windows(matter.len() + 1).any(|window| {
            let is_matter = |(one, other): (&String, &String)| self.is_form(&fold::word(one), other);
            POSSESSIVES.contains(&&*window[0]) && window[1..].iter().zip(&matter).all(is_matter)
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
        let is_of = |word: Option<&String>, words: &[&str]| word.is_some_and(|word| words.contains(&&**word));
        let (next, last) = (list.get(other + 1), list.last());
        if COMPARISONS.contains(&word)
            && (is_of(next, AUXILIARIES) || is_of(next, OWNERS) || is_of(last, AUXILIARIES))
        {
            return false;
        }
        // "I have a cat with one eye and a dog" says more than "I have a cat", but the items of "I live in Porto with Ana and Tom"
        // cannot be those of "in".
        let has_place = || list[..other].iter().any(|word| TAIL_STARTS.contains(&&**word));
        TAIL_STARTS.contains(&word)
            && !ends_in_tail(&list, other, &self.text)
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

/// Returns a statement without the times of day, years and dates in it.
fn without_time(said: &str) -> Cow<'_, str> {
    static TIME: LazyLock<Regex> = LazyLock::new(|| regex(&format!("(?i){TIME_OF_DAY}")));
    TIME.replace_all(said, "")
}

/// Returns a text in small letters with plain apostrophes and, in Japanese, plain forms of its verbs.
fn in_small_letters(text: &str) -> String {
    let text = text.to_lowercase().replace('’', "'");
    if text.contains(is_kana) { japanese::with_plain_forms(&text) } else { text }
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
mod tests;
