//! Tells whether a statement names a matter, in any form of its words.

use std::ops::Range;

use memtape_language::{fold, is_ordinary};

use super::super::enumeration::{ARTICLES, COPULAS, PREDICATES, VERBS};
use super::super::tail::{TAIL_STARTS, is_filler, words};
use super::POSSESSIVES;

/// The minimum number of letters that a word and the same word with a short ending share: "Name", "Namen".
const INFLECTED_LETTERS: usize = 3;
/// The same of two words with other endings, and of a noun and the adjective of it.
const STEM_LETTERS: usize = 5;
/// Endings of a whole word, and those that one word has in place of another one's: "allergy", "allergies".
const SHORT_ENDINGS: &[&str] = &["n", "en", "s", "es"];
const ENDINGS: &[&str] = &["y", "ies", "i", "ie", "ien", "a", "o", "as", "os", "e", "en", "es", "n", "s"];
/// Endings of adjectives of a noun, the longest first: "allergic", "epileptisch", "alérgica", "diabétique".
#[rustfmt::skip]
const ADJECTIVES: &[&str] = &[
    "tischen", "tische", "tisch", "ischen", "ische", "isch", "tiques", "tique", "iques", "ique", "ticas", "ticos", "tica", "tico", "icas",
    "icos", "ica", "ico", "tic", "ic",
];
/// The maximum number of letters of the ending of such a noun.
const NOUN_ENDING: usize = 3;
/// Words after which a noun ends in English, beside verbs and those that begin what only tells more.
#[rustfmt::skip]
const AFTER_NOUNS: &[&str] = &[
    "and", "or", "but", "that", "which", "who", "whose", "called", "named", "type", "stage", "to", "of", "s", "will", "would", "can", "could",
    "must", "should", "may", "might", "does", "did", "had", "isn", "doesn", "hasn", "won",
];
/// Verbs by which a speaker of English says what they have, and words before them.
#[rustfmt::skip]
const HAVE: &[&str] = &[
    "have", "ve", "had", "got", "own", "drive", "ride", "take", "am", "m", "was", "live", "suffer", "see", "wear", "use", "keep", "need", "get",
];
const BEFORE_HAVE: &[&str] =
    &["don", "t", "do", "not", "no", "longer", "never", "always", "usually", "often", "just"];
/// Possessives of somebody else, and words by which German and Russian name the owner after what they own: "das Gehalt meiner
/// Frau", "машина моей жены".
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "his", "her", "their", "your", "sein", "seine", "seinen", "seinem", "ihr", "ihre", "ihren", "ihrem", "su", "sus", "son", "sa", "ses", "leur",
    "leurs", "suo", "sua", "loro", "seu", "его", "её", "их",
];
#[rustfmt::skip]
const GENITIVES: &[&str] = &[
    "meiner", "meines", "unserer", "unseres", "seiner", "seines", "ihrer", "ihres", "der", "des", "моей", "моего", "моих", "нашей", "нашего", "наших",
    "его", "её", "их",
];
/// Words between what somebody owns and the owner, those with an article in them, and words that begin the owner's name.
#[rustfmt::skip]
const OF: &[&str] = &["of", "von", "de", "d", "di"];
#[rustfmt::skip]
const OF_THE: &[&str] =
    &["vom", "del", "du", "della", "dello", "dell", "dei", "degli", "delle", "do", "da", "dos", "das"];
const DATIVES: &[&str] = &["unserem", "unserer"];
const DEFINITE: &[&str] = &["the", "dem", "der", "den", "el", "la", "las", "los", "le", "les", "l"];
/// The maximum number of words between an owner and what they own: "her new car".
const BETWEEN: usize = 2;

/// Returns whether a statement says that a matter, named by folded words, is somebody else's wherever it names it: "the phone
/// number of my doctor", "my wife's birthday", "das Gehalt meiner Frau".
pub(super) fn is_of_other(matter: &[String], text: &str) -> bool {
    let list = words(text);
    let small: Vec<String> = list.iter().map(|word| word.to_lowercase()).collect();
    let is_matter = |at: usize| {
        let word = small.get(at).map(|word| fold::word(word));
        word.is_some_and(|word| matter.iter().any(|other| is_form(other, &word, false)))
    };
    let mut places =
        (0..list.len()).filter(|at| is_matter(*at) && (*at == 0 || !is_matter(at - 1))).peekable();
    let is_other = |start: usize| {
        let end = (start..list.len()).find(|at| !is_matter(*at)).unwrap_or(list.len());
        let is_own = start > 0 && POSSESSIVES.contains(&&*small[start - 1]);
        !is_own && (is_after_owner(&list, &small, start) || is_before_owner(&list, &small, start..end))
    };
    places.peek().is_some() && places.all(is_other)
}

/// Returns whether the word at a position has an owner before it: "his", "Anna's", "Annas".
fn is_after_owner(list: &[String], small: &[String], at: usize) -> bool {
    let is_stop = |word: &str| word == "," || POSSESSIVES.contains(&word) || ARTICLES.contains(&word);
    let before = (0..at).rev().take(BETWEEN).take_while(|before| !is_stop(&small[*before]));
    let is_genitive = |at: usize| {
        let word = &list[at];
        word.starts_with(char::is_uppercase) && word.ends_with('s') && !is_ordinary(&small[at])
    };
    before
        .into_iter()
        .any(|at| OTHERS.contains(&&*small[at]) || small[at] == "s" && at > 0 || is_genitive(at))
}

/// Returns whether the words at a place have an owner after them. What is "a fear of the dark" is nobody's.
fn is_before_owner(list: &[String], small: &[String], place: Range<usize>) -> bool {
    let is_name = |at: usize| list.get(at).is_some_and(|word| word.starts_with(char::is_uppercase));
    let is_one_of = |at: usize, words: &[&str]| small.get(at).is_some_and(|word| words.contains(&&**word));
    let is_any = place.start > 0 && small[place.start - 1] != "the" && is_one_of(place.start - 1, ARTICLES);
    let (of, owner) = (place.end, place.end + 1);
    let is_russian = || list[of].starts_with(|c| matches!(c, 'А'..='Я'));
    is_one_of(of, OF)
        && (is_name(owner)
            || [POSSESSIVES, DATIVES, OTHERS].iter().any(|words| is_one_of(owner, words))
            || is_one_of(owner, DEFINITE) && !is_any)
        || is_one_of(of, OF_THE) && !is_any
        || is_one_of(of, GENITIVES) && !is_any
        || of < list.len() && is_russian()
}

/// Returns whether two folded words are forms of one. A word that `may_be_name`, and that no lexicon has, has no form but the
/// genitive.
pub(super) fn is_form(one: &str, other: &str, may_be_name: bool) -> bool {
    if one == other {
        return true;
    }
    let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let end = |word: &'_ str| word.chars().skip(shared).collect::<String>();
    let ends = [end(one), end(other)];
    let whole = ends.iter().position(String::is_empty);
    let is_short =
        shared >= INFLECTED_LETTERS && whole.is_some_and(|whole| SHORT_ENDINGS.contains(&&*ends[1 - whole]));
    let are_endings = || match whole {
        Some(whole) => ends[1 - whole] == "e",
        None => ends.iter().all(|end| ENDINGS.contains(&&**end)),
    };
    // Words in Cyrillic have too many endings for a list.
    let are_declined = || {
        let is_ending =
            |end: &String| end.chars().count() < NOUN_ENDING && end.chars().all(|c| matches!(c, 'а'..='я'));
        ends.iter().all(is_ending)
    };
    let is_genitive = is_short && ends.iter().any(|end| end == "s");
    let is_stem = shared >= STEM_LETTERS;
    let is_form = is_short || is_stem && (are_endings() || is_adjective([one, other], &ends));
    is_genitive
        || is_stem && are_declined()
        || is_form && (!may_be_name || is_ordinary(one) || is_ordinary(other))
}

/// Returns whether one of two words, whose ends differ, is the adjective of the other.
fn is_adjective(pair: [&str; 2], ends: &[String; 2]) -> bool {
    let letters = |word: &str| word.chars().count();
    let stem = |word: &str| ADJECTIVES.iter().find_map(|ending| word.strip_suffix(ending)).map(letters);
    let is_of = |at: usize, stem: usize| {
        let shared = letters(pair[at]) - letters(&ends[at]);
        shared + 1 >= stem && letters(&ends[1 - at]) <= NOUN_ENDING
    };
    match pair.map(stem) {
        [Some(stem), None] => is_of(0, stem),
        [None, Some(stem)] => is_of(1, stem),
        _ => false,
    }
}

/// Returns whether an English statement has a noun of some words that is not before another noun: "my dog is brown", but not "my
/// dog walker is called Tim". In doubt, what follows is one.
pub(super) fn is_head_in(matter: &[String], text: &str) -> bool {
    const DETERMINERS: &[&str] = &["my", "our", "your", "his", "her", "their", "a", "an", "the"];
    let spelled = words(text);
    let small: Vec<String> = spelled.iter().map(|word| word.to_lowercase()).collect();
    let is_determiner = |word: &str| DETERMINERS.contains(&word);
    let is_verb =
        |word: &str| [AFTER_NOUNS, COPULAS, PREDICATES, VERBS].iter().any(|words| words.contains(&word));
    let ends = |word: &str| {
        word == "," || is_verb(word) || TAIL_STARTS.contains(&word) || is_filler(word) && !is_determiner(word)
    };
    let is_own = small.first().is_some_and(|first| is_determiner(first));
    let is_noun_end = |next: usize| {
        let Some(word) = small.get(next).map(|word| &**word) else { return true };
        let after = small.get(next + 1).map(|word| &**word);
        let is_name = spelled[next].starts_with(char::is_uppercase);
        // "My dog loves cheese", "my dog died", "my dog ran away", but not "my car keys are lost" and "I plan my meals".
        let is_regular =
            is_own && (word.ends_with('s') || word.ends_with("ed")) && !after.is_some_and(is_verb);
        let is_other = after.is_some_and(|after| !ends(after) && !after.ends_with('s'));
        ends(word) || is_name || is_regular || is_other && !is_determiner(word)
    };
    (0..small.len()).any(|at| {
        let word = fold::word(&small[at]);
        matter.iter().any(|other| is_form(other, &word, false)) && is_noun_end(at + 1)
    })
}

/// Returns whether an English statement in small letters says what its speaker has.
pub(super) fn says_to_have(said: &str) -> bool {
    let list = words(said);
    let is_before =
        |word: &&String| BEFORE_HAVE.contains(&&***word) || is_filler(word) && !HAVE.contains(&&***word);
    let verb = list.iter().skip(1).find(|word| !is_before(word));
    verb.is_some_and(|verb| HAVE.contains(&&**verb))
}
