//! Finds the joint subject of a statement: "Ana and I live in Porto" says of its speaker that they live in Porto, too.

use std::sync::LazyLock;

use regex::Regex;

use super::tail::folded_words;

/// Somebody beside the speaker: a name, or a word after a possessive or an article.
const OTHERS: &str = concat!(
    r"(?:(?i:my|our|the|an?|mein|meine|unser|unsere|der|die|eine?|mis?|nuestr[oa]s?|el|la|una?|mon|ma|mes|notre|nos|le|une",
    r"|il mio|la mia|i miei|le mie|[oa] meu|a minha|meu|minha|[oa]|мой|моя|мои|наш|наша) [\p{L}-]+(?: \p{Lu}[\p{L}'’-]+)?",
    r"|\p{Lu}[\p{L}'’-]+(?:, \p{Lu}[\p{L}'’-]+)*)",
);
/// Such a subject, with the pronoun that takes it up, before a verb: "ma femme et moi, on". `{others}` stands for the others.
const JOINT: &str = concat!(
    r"^(?P<subject>(?:{others} (?:and|&|und|y|et|ed?|и) (?:I|i|me|myself|ich|yo|moi|io|eu|я)",
    r"|(?i:i|me|myself|ich|yo|moi|io|eu|я) (?:and|&|und|y|et|ed?|и) {others})(?:,? (?:we|wir|on|nous|noi))?) (?P<verb>\S+)",
);
/// Verbs of the speaker alone: in "Vegan and I am 34", no other is named.
const ALONE: &[&str] = &["am", "bin", "war", "soy", "suis", "sono", "sou"];
/// Words for what a speaker is, rather than for another: "Diabetic and I take insulin".
#[rustfmt::skip]
const STATES: &[&str] = &[
    "vegan", "vegetarian", "diabetic", "asthmatic", "epileptic", "autistic", "celiac", "coeliac", "pregnant", "disabled", "retired",
    "unemployed", "divorced", "married", "widowed", "single", "veganerin", "diabetikerin", "rentnerin", "jubilado", "jubilada",
];
/// Pronouns of the speaker, alone or with others.
#[rustfmt::skip]
const PRONOUNS: &[&str] = &[
    "i", "we", "ich", "wir", "je", "j", "on", "nous", "yo", "nosotros", "nosotras", "io", "noi", "eu", "nós", "я", "мы",
];
/// Pronouns of the speaker alone.
const SINGULARS: &[&str] = &["i", "ich", "je", "yo", "io", "eu", "я"];
/// English verbs after such a subject, and those after the other alone.
#[rustfmt::skip]
const OF_ONE: &[(&str, &str)] = &[
    ("are", "is"), ("have", "has"), ("live", "lives"), ("work", "works"), ("like", "likes"), ("love", "loves"), ("hate", "hates"),
    ("drink", "drinks"), ("eat", "eats"), ("play", "plays"), ("speak", "speaks"), ("use", "uses"), ("take", "takes"),
];
/// Plurals without an "s".
const SEVERAL: &[&str] = &["children", "people", "family", "men", "women"];
/// Pronouns for such a subject, by its conjunction. Other languages leave it out.
const PLURALS: &[(&str, &str)] =
    &[(" and ", "we"), (" & ", "we"), (" und ", "wir"), (" et ", "nous"), (" и ", "мы")];

/// Returns whether a word in small letters is a pronoun of the speaker, alone or with others.
pub(super) fn is_pronoun(word: &str) -> bool {
    PRONOUNS.contains(&word)
}

/// Returns whether a text only names somebody, or something after a possessive or an article.
pub(super) fn is_somebody(text: &str) -> bool {
    static PATTERN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(&format!("^{OTHERS}$")).expect("a pattern"));
    PATTERN.is_match(text) && !STATES.contains(&&*text.to_lowercase())
}

/// A statement with a joint subject.
pub(super) struct Joint<'s> {
    subject: &'s str,
    /// The statement after its subject, with the space before it.
    rest: &'s str,
}

impl<'s> Joint<'s> {
    /// Returns a statement as one with a joint subject; `None` if it has none.
    pub(super) fn of(statement: &'s str) -> Option<Self> {
        static PATTERN: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(&JOINT.replace("{others}", OTHERS)).expect("a pattern"));
        let found = PATTERN.captures(statement)?;
        let first = statement.split([' ', ',']).next().unwrap_or_default().to_lowercase();
        let is_alone = ALONE.contains(&found.name("verb")?.as_str()) || STATES.contains(&&*first);
        let (subject, rest) = statement.split_at(found.name("subject")?.end());
        (!is_alone).then_some(Self { subject, rest })
    }

    /// Returns whether a text has all words of the subject.
    pub(super) fn is_named_in(&self, text: &str) -> bool {
        let words = folded_words(text);
        folded_words(self.subject).iter().all(|word| words.contains(word))
    }

    /// Returns whether the subject has all of some folded words.
    pub(super) fn has(&self, words: &[String]) -> bool {
        let subject = folded_words(self.subject);
        !words.is_empty() && words.iter().all(|word| subject.contains(word))
    }

    /// Returns the pronoun for the subject in a text about the same: that with which the text, in small letters, begins, or that
    /// of several; empty if the language has none.
    pub(super) fn pronoun_in(&self, text: &str) -> &'static str {
        let first = text.split([' ', '\'']).next().unwrap_or_default();
        match PRONOUNS.iter().find(|pronoun| **pronoun == first) {
            Some(&"j") => "je",
            Some(pronoun) => pronoun,
            None => PLURALS.iter().find(|(and, _)| self.subject.contains(and)).map_or("", |(_, we)| we),
        }
    }

    /// Returns whether a pronoun, as of [`Self::pronoun_in`], leaves the other out.
    pub(super) fn is_of_one(pronoun: &str) -> bool {
        SINGULARS.contains(&pronoun)
    }

    /// Returns what a statement in English says of the other alone: "Ana lives in Porto"; `None` if it cannot be told, as what
    /// several are: "Ana and I are nurses".
    pub(super) fn of_other(&self) -> Option<String> {
        let (one, two) = self.subject.split_once(" and ")?;
        let is_self = ["i", "me", "myself"].contains(&&*one.to_lowercase());
        let other = if is_self { two } else { one };
        let (verb, rest) = self.rest.trim_start().split_once(' ')?;
        let verb = OF_ONE.iter().find(|(several, _)| *several == verb).map(|(_, one)| one)?;
        let last = other.split(' ').next_back()?;
        let is_name = other.starts_with(char::is_uppercase) && !other.contains([' ', ',']);
        let is_one = is_name || is_somebody(other) && !last.ends_with('s') && !SEVERAL.contains(&last);
        // "Are nurses", "are a couple".
        let being = rest.split(' ').next()?;
        let may_be_several = *verb == "is" && (being.ends_with('s') || being == "a");
        (is_one && !may_be_several).then(|| format!("{other} {verb} {rest}"))
    }

    /// Returns the statement with a pronoun in place of its subject.
    pub(super) fn with_pronoun(&self, pronoun: &str) -> String {
        format!("{pronoun}{}", self.rest).trim_start().to_owned()
    }

    /// Returns what is left of a statement with the pronoun as one with the subject; `None` if it begins otherwise.
    pub(super) fn with_subject(&self, pronoun: &str, left: &str) -> Option<String> {
        Some(format!("{} {}", self.subject, left.strip_prefix(pronoun)?.trim_start()))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Correction, Ending, Forget, Left};

    #[test]
    fn what_is_said_of_the_speaker_and_another_is_the_speaker_s() {
        for (statement, ended) in [
            ("Ana and I live in Porto", "we live in porto"),
            ("Ana and I live in Porto", "ana and i live in porto"),
            ("My wife and I live in Porto with two cats", "we live in porto"),
            ("Me and Ana live in Porto", "we live in porto"),
            ("I and Ana live in Porto", "we live in porto"),
            ("Ana and I are vegan", "we're vegan"),
            ("Jonas und ich wohnen in Kiel", "wir wohnen in kiel"),
            ("Ich und Jonas wohnen in Kiel", "wir wohnen in kiel"),
            ("Jonas und ich wohnen in Kiel", "jonas und ich wohnen in kiel"),
            ("Mi hermana y yo vivimos en Lugo", "vivimos en lugo"),
            ("Mi hermana y yo vivimos en Lugo", "nosotros vivimos en lugo"),
            ("Ma femme et moi, on habite à Lyon", "on habite a lyon"),
            ("Ma femme et moi habitons à Lyon", "nous habitons a lyon"),
            ("Marco ed io abitiamo a Roma", "abitiamo a roma"),
            ("On habite à Lyon", "on habite a lyon"),
        ] {
            let left = Ending::ended(ended).unwrap().left_of(statement);
            assert_eq!(left, Some(Left::Nothing), "{statement} | {ended}");
        }
        for (statement, ended) in [
            ("Tom and I live in Porto", "ana and i live in porto"),
            ("Ana and I live in Porto", "ana lives in porto"),
            ("Ana and I live in Porto", "i live in faro"),
            ("My dog died and I live in Porto with Ana", "we live in faro"),
            ("We use Jira", "i use jira"),
            ("We use Jira", "ana and i use jira"),
        ] {
            let left = Ending::ended(ended).unwrap().left_of(statement);
            assert_eq!(left, None, "{statement} | {ended}");
        }
        for (statement, ended, rest) in [
            ("Ana and I live in Porto and work in Faro", "we live in porto", "Ana and I work in Faro"),
            ("Ana and I live in Porto and work in Faro", "we work in faro", "Ana and I live in Porto"),
            ("Ana and I live in Porto and I work in Faro", "we live in porto", "I work in Faro"),
            ("Ana and I live in Porto and I work in Faro", "i work in faro", "Ana and I live in Porto"),
        ] {
            let left = Ending::ended(ended).unwrap().left_of(statement);
            assert_eq!(left, Some(Left::Rest(rest.to_owned())), "{statement} | {ended}");
        }
    }

    #[test]
    fn what_ends_for_the_speaker_alone_stays_true_of_the_other() {
        for (statement, ended, rest) in [
            ("Ana and I live in Porto", "i live in porto", Some("Ana lives in Porto")),
            ("Me and Ana live in Porto", "i live in porto", Some("Ana lives in Porto")),
            ("Ana and I are vegan", "i'm vegan", Some("Ana is vegan")),
            ("My son and I have epilepsy", "i have epilepsy", Some("My son has epilepsy")),
            ("Jonas und ich wohnen in Kiel", "ich wohne in kiel", None),
            ("Anna and I are nurses", "i'm a nurse", None),
            ("My kids and I have asthma", "i have asthma", None),
            ("Meine Kinder und ich haben Asthma", "ich habe asthma", None),
            ("My wife and I are vegan and hate onions", "i'm vegan", None),
            ("Anna und ich sind allergisch gegen Milch und Nüsse", "ich bin allergisch gegen milch", None),
            ("Ma femme et moi, on habite à Lyon", "j'habite a lyon", None),
            ("Ana and I live in Porto and I work in Faro", "i live in porto", None),
        ] {
            let left = Ending::ended(ended).unwrap().left_of(statement);
            assert_eq!(left, rest.map(|rest| Left::Rest(rest.to_owned())), "{statement} | {ended}");
        }
    }

    #[test]
    fn a_matter_of_the_speaker_may_be_another_s_too() {
        for (statement, matter) in [
            ("Jonas und ich haben einen Hund", "meinen Hund"),
            ("Ana and I have a dog", "my dog"),
            ("On a un chien", "mon chien"),
        ] {
            let forget = Forget { text: matter.to_owned(), is_matter: true, is_all: false };
            let left = Ending::asked(&forget).unwrap().left_of(statement);
            assert_eq!(left, Some(Left::Nothing), "{statement} | {matter}");
        }
    }

    #[test]
    fn what_is_said_of_another_too_is_about_them() {
        for (statement, matter, expected) in [
            ("Marie et moi habitons à Lyon", "Marie", true),
            ("Ma femme et moi, on habite à Lyon", "ma femme", true),
            ("Anna and I live in Porto", "Anna", true),
            ("Anna and I live in Porto", "Tom", false),
            ("Anna and I live in Porto and I work in Faro", "Anna", false),
        ] {
            let forget = Forget { text: matter.to_owned(), is_matter: true, is_all: true };
            let left = Ending::asked(&forget).unwrap().left_of(statement);
            assert_eq!(left == Some(Left::Nothing), expected, "{statement} | {matter}: {left:?}");
        }
    }

    #[test]
    fn what_the_speaker_is_names_no_other() {
        for (statement, ended) in [
            ("Diabetic and I take insulin", "i take insulin"),
            ("Retired and I live in Leeds", "i live in leeds"),
        ] {
            let left = Ending::ended(ended).unwrap().left_of(statement);
            assert_ne!(left, Some(Left::Nothing), "{statement} | {ended}");
        }
    }

    #[test]
    fn a_correction_need_not_name_the_other_again() {
        for (statement, correction, expected) in [
            ("Ana and I live in Porto", "we live in Faro", true),
            ("Ana and I live in Porto", "Ana and I live in Faro", true),
            ("Jonas und ich wohnen in Kiel", "wir wohnen in Bonn", true),
            ("Ma femme et moi, on habite à Lyon", "on habite à Nantes", true),
            ("Ana and I live in Porto", "my sister lives in Faro", false),
            ("Ana and I live in Porto", "we like Faro", false),
        ] {
            let replaces = Correction::of(correction).replaces(statement);
            assert_eq!(replaces, expected, "{statement} | {correction}");
        }
    }
}
