//! Takes a part out of a statement that says several things: "I am allergic to peanuts and penicillin" without the peanuts.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use memtape_core::recall::tokenize::query_terms;
use memtape_language::han::is_han;
use regex::Regex;

use super::bounds::is_confidence;
use super::subjects::is_somebody;
use super::tail::{TAIL_STARTS, first_other, says_only, says_with_tail, words};

/// What separates the parts of a statement, in all languages alike.
static SEPARATOR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:\s*[,;]\s+(?:and|or|und|oder|sowie|y|e|et|ou|и|или)\s+|\s+(?:and|or|und|oder|sowie|y|et|ou|и|или|plus|as well as)\s+|\s*[,;]\s+|\s+[&+]\s+|、|，|和|以及|还有)",
    )
    .expect("a pattern")
});
/// Words at the beginning of a part that has a subject of its own.
#[rustfmt::skip]
const SUBJECTS: &[&str] = &[
    "i", "i'm", "i've", "i'd", "i'll", "we", "we're", "my", "our", "he", "she", "it", "they", "his", "her", "their", "the", "ich", "wir",
    "mein", "meine", "er", "sie", "yo", "mi", "mis", "soy", "tengo", "je", "j'ai", "mon", "ma", "mes", "nous", "eu", "meu", "minha", "io",
    "mio", "mia", "я", "мы", "мой", "моя",
];

/// Words at the beginning of a part that has a verb of its own, and the subject of the part before it.
#[rustfmt::skip]
pub(super) const VERBS: &[&str] = &[
    "am", "have", "had", "live", "work", "take", "like", "love", "hate", "drink", "eat", "play", "speak", "own", "drive", "study", "use",
    "prefer", "need", "want", "teach", "run", "know", "keep", "go", "don't", "can't",
    "bin", "habe", "wohne", "arbeite", "nehme", "mag", "liebe", "hasse", "trinke", "esse", "spiele", "spreche", "fahre", "studiere",
    "nutze", "brauche", "will", "kann", "lebe", "trage", "kenne",
    "suis", "ai", "habite", "travaille", "prends", "aime", "déteste", "bois", "mange", "joue", "parle", "conduis", "préfère", "vis",
];
/// Verbs of languages that leave out the subject: a part that begins with one can stand alone.
#[rustfmt::skip]
pub(super) const OWN_VERBS: &[&str] = &[
    "tomo", "vivo", "trabajo", "estoy", "hablo", "estudio", "como", "bebo", "odio", "prefiero", "uso", "quiero", "necesito", "juego",
    "me", "sono", "ho", "abito", "lavoro", "prendo", "parlo", "bevo", "mangio", "odio", "sou", "tenho", "moro", "trabalho", "falo",
    "estou", "gosto",
];
/// Words before an item that are not repeated: articles and prepositions.
#[rustfmt::skip]
const BEFORE_ITEMS: &[&str] = &[
    "a", "an", "the", "to", "of", "in", "on", "at", "for", "with", "from", "by", "against", "some", "two", "three", "der", "die", "das",
    "den", "dem", "ein", "eine", "einen", "einem", "einer", "zwei", "drei", "gegen", "für", "mit", "auf", "zu", "nach", "von", "im", "am",
    "el", "la", "los", "las", "un", "una", "dos", "tres", "al", "del", "de", "en", "con", "por", "le", "les", "une", "des", "du", "au",
    "aux", "à", "deux", "trois", "dans", "avec", "contre", "il", "lo", "gli", "i", "uno", "due", "o", "os", "as", "um", "uma", "dois", "ao",
    "às", "aos", "no", "na", "kein", "keine", "keinen", "keinem", "keiner", "any", "aucun", "aucune", "ningún", "ninguna", "nessun", "nessuna",
];
/// Words that begin a limit of what is before them.
#[rustfmt::skip]
const CONTRASTS: &[&str] = &[
    "but", "not", "only", "just", "except", "aber", "nicht", "nur", "sondern", "außer", "pero", "sino", "no", "solo", "sólo", "solamente",
    "excepto", "mais", "pas", "seulement", "sauf", "ma", "non", "soltanto", "mas", "não", "só", "apenas", "但", "不过", "只",
];
/// Words that begin a comparison with what is before them: "and so is my son", ", like my father".
#[rustfmt::skip]
const COMPARISONS: &[&str] = &[
    "so", "neither", "nor", "unlike", "as", "auch", "ebenso", "tampoco", "también", "igual", "comme", "aussi", "anche", "neanche", "também", "nem",
];
/// Words that bind parts to each other: what is said of "both Anna and Tom" is no item.
const PAIRS: &[&str] = &["both", "neither", "either", "sowohl", "weder", "entweder", "tanto", "tant", "sia"];
/// Adverbs before a verb: "I'm a nurse and mostly work nights".
#[rustfmt::skip]
const ADVERBS: &[&str] = &[
    "never", "always", "mostly", "often", "usually", "sometimes", "rarely", "also", "only", "still", "nie", "immer", "meistens", "oft", "nunca",
    "siempre", "casi", "también", "jamais", "toujours", "souvent", "mai", "sempre", "spesso",
];
/// Numbers in words and digits, before what the parts after a comma name.
pub(super) const NUMBERS: &[&str] = &[
    "two", "three", "four", "2", "3", "4", "zwei", "drei", "vier", "dos", "tres", "cuatro", "deux", "trois",
    "quatre",
];
/// Words after a comma that begin an explanation of what is before it, which cannot stand alone: "I'm pregnant, due in May".
#[rustfmt::skip]
pub(super) const EXPLANATIONS: &[&str] = &[
    "due", "expecting", "since", "until", "starting", "beginning", "seit", "bis", "ab", "termin", "fällig", "desde", "hasta", "depuis",
    "prévu", "prévue", "jusqu'en",
];
/// Verbs of a part about somebody else.
#[rustfmt::skip]
pub(super) const PREDICATES: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "lives", "live", "works", "work", "likes", "hates", "eats", "takes", "ist", "sind", "hat",
    "haben", "wohnt", "arbeitet", "mag", "heißt", "es", "son", "tiene", "tienen", "vive", "trabaja", "est", "sont", "a", "ont", "habite",
    "travaille", "s'appelle",
];
/// Pronouns of somebody who was named before.
#[rustfmt::skip]
const PRONOUNS: &[&str] = &[
    "he", "she", "it", "they", "he's", "she's", "it's", "his", "her", "their", "er", "sie", "es", "sein", "seine", "ihr", "ihre", "il", "elle", "lui",
    "lei", "ele", "ela", "ella", "él", "on", "она", "он",
];
/// Verbs between somebody and what they are.
#[rustfmt::skip]
pub(super) const COPULAS: &[&str] = &[
    "am", "i'm", "we're", "he's", "she's", "is", "are", "bin", "ist", "sind", "soy", "es", "son", "estoy", "suis", "est", "sont", "sono", "è",
    "sou", "é", "são",
];
pub(super) const ARTICLES: &[&str] = &["a", "an", "the", "ein", "eine", "un", "una", "une", "um", "uma"];
/// Words before somebody or something of the speaker's or of another's.
#[rustfmt::skip]
pub(super) const OWNERS: &[&str] = &[
    "my", "our", "his", "her", "mein", "meine", "meinem", "meinen", "meiner", "mi", "mis", "mon", "ma", "mes",
];
/// Words that begin a part of the one before it: a reason, a condition.
#[rustfmt::skip]
const SUBORDINATORS: &[&str] = &[
    "because", "when", "while", "if", "although", "since", "which", "who", "weil", "wenn", "obwohl", "falls", "damit", "seit", "porque", "cuando",
    "aunque", "si", "parce", "quand", "lorsque", "perché", "quando", "потому", "когда",
];
/// German verbs of the first person without an "e" at their end.
const GERMAN_VERBS: &[&str] = &[
    "bin", "hab", "kann", "will", "muss", "darf", "soll", "mag", "weiß", "weiss", "sind", "ist", "hat", "war",
];
/// German words in small letters that end as verbs do.
const NO_GERMAN_VERBS: &[&str] = &[
    "gerne", "heute", "keine", "keinen", "eine", "einen", "meine", "meinen", "viele", "alle", "beide",
    "lange", "diese", "jede", "jeden", "selten", "oft", "nicht", "seit", "mit", "gegen", "gestern", "morgen",
    "neben", "zwischen", "gut", "nett", "alt", "gesund",
];
/// Predicates at the end of a Chinese enumeration.
const HAN_ENDS: &[&str] = &["过敏", "感兴趣"];
/// Verbs after the pronoun in Chinese, the longest first, and characters that begin a part with a verb of its own.
const HAN_HEADS: &[&str] = &[
    "我不喜欢",
    "我不吃",
    "我不喝",
    "我喜欢",
    "我讨厌",
    "我会说",
    "我想学",
    "我爱",
    "我有",
    "我会",
    "我养",
    "我用",
    "我吃",
    "我喝",
    "我怕",
];
const HAN_VERBS: &[char] =
    &['在', '吃', '住', '是', '有', '会', '不', '养', '做', '想', '爱', '用', '喝', '对', '喜', '讨'];

/// A statement that says several things, some of which a text names.
pub(super) struct Parts<'s> {
    /// The parts that the text names.
    pub(super) named: Vec<&'s str>,
    /// The statement without them.
    pub(super) rest: String,
}

impl<'s> Parts<'s> {
    /// Divides a statement by what a text names; `None` if it names all of the statement, none of its parts, or if the rest
    /// cannot be told.
    pub(super) fn of(statement: &'s str, named: &str) -> Option<Self> {
        let terms = |text: &str| -> BTreeSet<String> { query_terms(text).into_iter().collect() };
        let asked = terms(named);
        let parts = divided(statement);
        let text = |part: &Range<usize>| &statement[part.clone()];
        // A part without a term of its own, such as a tag, belongs to the one before it.
        if parts.len() < 2 || parts.iter().any(|part| terms(text(part)).is_empty()) {
            return None;
        }
        // "Because it is quiet and green" belongs to what is before it.
        if parts.iter().skip(1).any(|part| begins_with(text(part), SUBORDINATORS)) {
            return None;
        }
        // A request not to tell others is no item: "I'm pregnant, don't tell anyone, and I live in Leeds".
        if parts.iter().skip(1).any(|part| is_confidence(&text(part).to_lowercase())) {
            return None;
        }
        let are_verbs_last = is_verb_last(statement);
        let has_own_verb = |part: &str| {
            stands_alone(part) || begins_with(part, VERBS) || are_verbs_last && ends_with_verb(part)
        };
        let mut is_named = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let is_part = terms(text(part)).is_subset(&asked) || says_only(text(part), named);
            let has_tail = !is_part && says_with_tail(text(part), named);
            // The conjunction of "I live in Porto with my wife and two kids" is inside what only tells more.
            if has_tail && parts.get(at + 1).is_some_and(|next| !has_own_verb(text(next))) {
                return None;
            }
            is_named.push(is_part || has_tail);
        }
        // "I have two cats, Tom and Jerry": the names are not items beside the number. "I'm pregnant, due in May".
        let has_number =
            || text(&parts[0]).split_whitespace().any(|word| NUMBERS.contains(&&*word.to_lowercase()));
        let is_explained = is_named[0]
            && (begins_with(text(&parts[1]), EXPLANATIONS) || has_number())
            && statement[parts[0].end..parts[1].start].trim() == ",";
        if is_explained || !are_separable(statement, &parts, &is_named, &has_own_verb) {
            return None;
        }
        let kept: Vec<&Range<usize>> =
            parts.iter().zip(&is_named).filter(|(_, is_named)| !**is_named).map(|(part, _)| part).collect();
        let first = *kept.first().filter(|_| kept.len() < parts.len())?;
        let head = match is_named[0] {
            false => String::new(),
            true if is_verb_last(statement) && ends_with_verb(text(&parts[0])) => {
                head_of_clause(text(&parts[0]), text(first))?
            }
            true => head(text(&parts[0]), text(first), &asked)?,
        };
        // What follows the last item belongs to the sentence: "Ich bin gegen Bienen und Penicillin allergisch".
        let are_clauses = is_verb_last(statement) && parts.iter().map(text).all(ends_with_verb);
        let last = parts.last().filter(|_| is_named.last() == Some(&true) && !are_clauses);
        let is_item = |last: &&str| terms(last).len() > 1 && !begins_anew(last) && !begins_with(last, VERBS);
        if last.map(text).filter(is_item).is_some() && is_verb_last(statement) {
            return None;
        }
        // The separators of the kept parts stay as they are, but the last item of a list has a conjunction before it. The names in
        // "I have two kids, Tom and Mia" are no items of a list that ends with a clause.
        let separator = |at: usize| &statement[parts[at - 1].end..parts[at].start];
        let last = parts.len() - 1;
        let is_clause = begins_anew(text(&parts[last])) || begins_with(text(&parts[last]), VERBS);
        let last_kept = is_named.iter().rposition(|is_named| !is_named)?;
        let mut rest = head;
        for (n, (at, part)) in parts.iter().enumerate().filter(|(at, _)| !is_named[*at]).enumerate() {
            if n > 0 {
                let ends_list = at == last_kept && separator(at).trim() == "," && !is_clause;
                rest.push_str(separator(if ends_list { last } else { at }));
            }
            rest.push_str(text(part));
        }
        // "Montags und mittwochs arbeite ich": what is left has no subject.
        let has_subject =
            |text: &str| text.split_whitespace().any(|word| ["ich", "wir"].contains(&&*word.to_lowercase()));
        if has_subject(statement) && !has_subject(&rest) {
            return None;
        }
        // "我对花生和牛奶过敏": the predicate is that of all items.
        let last = text(parts.last()?);
        if let Some(end) = HAN_ENDS.iter().find(|end| last.ends_with(**end))
            && is_named.last() == Some(&true)
            && !rest.ends_with(end)
        {
            rest.push_str(end);
        }
        // What still says all that was named is no rest.
        first_other(&words(&named.to_lowercase()), &rest.to_lowercase())?;
        let named = parts.iter().zip(&is_named).filter(|(_, is_named)| **is_named);
        Some(Self { named: named.map(|(part, _)| text(part)).collect(), rest })
    }
}

/// Returns whether the named parts of a statement can be taken out without changing what the others say. A part that limits
/// or compares is bound to the others of its clause, and items to the part that has their verb.
fn are_separable(
    statement: &str,
    parts: &[Range<usize>],
    is_named: &[bool],
    has_own_verb: &impl Fn(&str) -> bool,
) -> bool {
    let is_pair = |word: &str| PAIRS.contains(&&*word.to_lowercase());
    // "My sister Anna and my brother Tom live in York": what is said of one is said of the other.
    let is_joint = is_somebody(&statement[parts[0].clone()]) && !begins_with(statement, OWN_VERBS);
    if is_joint || statement.split_whitespace().any(is_pair) {
        return false;
    }
    let begins_clause = |at: usize| {
        let part = &statement[parts[at].clone()];
        let after = part.split_once(' ').map_or("", |(_, after)| after);
        // "Pero no fumo" denies something else, and "no nueces" is a limit.
        let is_denied =
            begins_with(part, &["no", "non", "não"]) && !after.contains(' ') && after.ends_with('o');
        let is_led = begins_with(part, ADVERBS) || begins_with(part, CONTRASTS);
        at == 0
            || is_denied
            || begins_anew(part)
            || has_own_verb(part)
            || is_led
                && [VERBS, PREDICATES, OWN_VERBS, SUBJECTS].iter().any(|words| begins_with(after, words))
    };
    let is_bound = |at: usize| {
        let part = &statement[parts[at].clone()];
        let is_comma = at > 0 && statement[parts[at - 1].end..parts[at].start].trim() == ",";
        at > 0
            && (begins_with(part, CONTRASTS) && !begins_clause(at)
                || begins_with(part, COMPARISONS)
                || is_comma && begins_with(part, &["like", "come", "como"]))
    };
    let mut start = 0;
    while start < parts.len() {
        let ends = |at: &usize| *at == parts.len() || begins_clause(*at) && !is_bound(*at);
        let end = (start + 1..=parts.len()).find(ends).unwrap_or(parts.len());
        let named = is_named[start..end].iter().filter(|is_named| **is_named).count();
        let is_divided = named > 0 && named < end - start;
        if is_divided && (start > 0 && is_named[start] || (start..end).any(is_bound)) {
            return false;
        }
        start = end;
    }
    true
}

/// Returns the places of the parts of a statement.
fn divided(statement: &str) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for found in SEPARATOR.find_iter(statement) {
        let part = &statement[found.end()..];
        // "June 5, 2027" is one date.
        let is_date = is_year(part) && statement[..found.start()].ends_with(|c: char| c.is_ascii_digit());
        if is_date || found.as_str().trim() == "," && is_place(part) {
            continue;
        }
        parts.push(start..found.start());
        // "Remember that I see the dentist and that I'm vegan".
        let is_clause = part.strip_prefix("that ").is_some_and(begins_anew);
        start = found.end() + if is_clause { "that ".len() } else { 0 };
    }
    parts.push(start..statement.len());
    parts
}

/// Returns whether what follows a comma only tells more of what is before it: "I live in Leeds, on Otley Road", but not "I shop
/// at Aldi, at Lidl and at Tesco".
fn is_place(after: &str) -> bool {
    let parts: Vec<&str> = SEPARATOR.split(after).collect();
    let first = |part: &str| part.split_whitespace().next().unwrap_or_default().to_lowercase();
    let word = first(parts[0]);
    let is_tail = TAIL_STARTS.contains(&&*word) && !SUBORDINATORS.contains(&&*word);
    !begins_anew(parts[0])
        && (is_tail && !parts[1..].iter().any(|part| first(part) == word) || is_street(parts[0]))
}

/// Returns whether a text names a street.
pub(super) fn is_street(text: &str) -> bool {
    static STREET: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"(?i)\b(?:street|road|avenue|lane|rue|boulevard|chemin|quai|calle|avenida|avda|paseo|via|viale|piazza|rua|travessa)\b",
            r"|(?:stra(?:ß|ss)e|str|weg|platz|gasse|allee)\b",
        ))
        .expect("a pattern")
    });
    STREET.is_match(text)
}

/// Returns what the first kept part of a statement needs before it: the beginning of the first part, which is not kept.
/// `None` if that cannot be told.
fn head(first: &str, kept: &str, asked: &BTreeSet<String>) -> Option<String> {
    let terms = |text: &str| -> BTreeSet<String> { query_terms(text).into_iter().collect() };
    // "I like tea, but not with milk".
    if begins_with(kept, CONTRASTS) && !begins_anew(kept) {
        return None;
    }
    if begins_anew(kept) {
        return stands_alone(kept).then(String::new);
    }
    if kept.starts_with(is_han) {
        let head = match kept.starts_with(HAN_VERBS) {
            true => first.strip_prefix('我').map(|_| "我"),
            false => HAN_HEADS.iter().find(|head| first.starts_with(**head)).copied(),
        };
        return head.map(str::to_owned);
    }
    // "I'm a nurse and mostly work nights".
    if let Some((_, after)) = kept.split_once(' ').filter(|_| begins_with(kept, ADVERBS)) {
        let has_verb = [VERBS, PREDICATES, OWN_VERBS].iter().any(|words| begins_with(after, words));
        return has_verb.then(|| head(first, after, asked)).flatten();
    }
    if let Some(head) = before_being(first, kept) {
        return Some(head);
    }
    let subject = first.split_whitespace().next()?;
    if begins_with(kept, VERBS) && SUBJECTS.contains(&&*subject.to_lowercase()) {
        // "J'ai un chat et prends du Keppra" would need another pronoun.
        return (!subject.contains('\'')).then(|| format!("{subject} "));
    }
    // The item is the last word of the first part: the others introduce all items.
    let (mut head, item) = first.rsplit_once(' ')?;
    let others = terms(kept).difference(asked).count();
    let is_introduced = begins_with(kept, BEFORE_ITEMS);
    if terms(item).is_empty() || others != 1 && !is_introduced {
        return None;
    }
    while is_introduced
        && let Some((before, last)) = head.rsplit_once(' ')
        && BEFORE_ITEMS.contains(&&*last.to_lowercase())
    {
        head = before;
    }
    Some(format!("{head} "))
}

/// Returns the same of the first part of a German clause after "dass": "ich" of "ich in Kiel wohne und zwei Kinder habe".
fn head_of_clause(first: &str, kept: &str) -> Option<String> {
    let (subject, _) = first.split_once(' ')?;
    if begins_anew(kept) {
        return Some(String::new());
    }
    let is_pronoun = ["ich", "wir"].contains(&&*subject.to_lowercase());
    (is_pronoun && ends_with_verb(kept)).then(|| format!("{subject} "))
}

/// Returns the same of a first part that says what somebody is: "My son Tom is" of "My son Tom is 6 and allergic to eggs", and
/// "My sister" of "My sister is diabetic and lives in Nantes".
fn before_being(first: &str, kept: &str) -> Option<String> {
    let words: Vec<&str> = first.split_whitespace().collect();
    let is_copula = |word: &&str| COPULAS.contains(&&*word.to_lowercase().replace('’', "'"));
    let at = words.iter().rposition(is_copula)?;
    let being = &words[at + 1..];
    let is_plain = match being {
        [_] => true,
        [article, _] => ARTICLES.contains(article),
        _ => false,
    };
    if !is_plain {
        return None;
    }
    if begins_with(kept, VERBS) || begins_with(kept, PREDICATES) {
        // "I'm 34 and live in Leeds": the pronoun alone.
        let subject = words[at].split_once(['\'', '’']).map(|(pronoun, _)| pronoun);
        let before: Vec<&str> = words[..at].iter().copied().chain(subject).collect();
        return (!before.is_empty()).then(|| format!("{} ", before.join(" ")));
    }
    Some(format!("{} ", words[..=at].join(" ")))
}

/// Returns whether a statement says one thing: "I eat meat", but not "I eat meat and work as a nurse". After a comma, the parts
/// of its value may follow ("my address is 12 Elm Road, Leeds"), and after a conjunction too if it `names` its matter itself.
pub(super) fn says_one_thing(statement: &str, names: bool) -> bool {
    SEPARATOR.find_iter(statement).all(|found| {
        let part = &statement[found.end()..];
        let is_comma = found.as_str().trim() == ",";
        (is_comma || names)
            && !begins_anew(part)
            && !begins_with(part, VERBS)
            && !begins_with(part, PREDICATES)
            && !begins_with(part, CONTRASTS)
            && !tells_of_another(part)
    })
}

/// Returns whether a text has more than one part.
pub(super) fn is_list(text: &str) -> bool {
    SEPARATOR.is_match(text)
}

/// Returns what a matter in small letters names in a list: the first part of the statement if that ends with it, otherwise the
/// matter. `None` if it is a list itself, or if the items may be those of a number: "two kids, Tom and Mia".
pub(super) fn listed<'s>(statement: &'s str, matter: &'s str) -> Option<&'s str> {
    if is_list(matter) || statement.split_whitespace().any(|word| NUMBERS.contains(&&*word.to_lowercase())) {
        return None;
    }
    let first = SEPARATOR.split(statement).next()?;
    let is_last = first.to_lowercase().strip_suffix(matter).is_some_and(|before| before.ends_with(' '));
    Some(if is_last { first } else { matter })
}

/// Returns whether the parts of a statement after the first are plain items: a name, or a word after an article, a number or a
/// possessive, as in "… with Ana, two kids and my son Rui".
pub(super) fn joins_items(statement: &str) -> bool {
    let is_determiner = |word: &str| {
        let word = &*word.to_lowercase();
        !TAIL_STARTS.contains(&word)
            && (ARTICLES.contains(&word) || NUMBERS.contains(&word) || OWNERS.contains(&word))
    };
    let is_name = |word: &&str| word.starts_with(char::is_uppercase);
    SEPARATOR.split(statement).skip(1).all(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        match &words[..] {
            [determiner, _, names @ ..] if is_determiner(determiner) => names.iter().all(is_name),
            names => names.iter().all(is_name),
        }
    })
}

/// Returns whether a part has a name and a verb of its own: "Mina is my sister", but not "Tom from work".
fn tells_of_another(part: &str) -> bool {
    let mut words = part.split_whitespace().peekable();
    let is_name = |word: &&str| word.starts_with(char::is_uppercase);
    let has_name = words.next_if(is_name).is_some();
    let next = words.find(|word| !is_name(word));
    has_name
        && next.is_some_and(|next| {
            PREDICATES.contains(&next)
                || next.starts_with(char::is_alphabetic)
                    && !BEFORE_ITEMS.contains(&next)
                    && !TAIL_STARTS.contains(&next)
        })
}

/// Returns whether the parts of a statement after the first only tell more of somebody in it: "… and she is vegan". Parts with
/// a verb of their own do so of its subject: "… and works as a nurse".
pub(super) fn tells_more(statement: &str, is_subject: bool) -> bool {
    SEPARATOR
        .find_iter(statement)
        .map(|found| &statement[found.end()..])
        .all(|part| begins_with(part, PRONOUNS) || is_subject && begins_with(part, PREDICATES))
}

/// Returns the words of a statement in small letters before its verb; its first word if the verb is not known.
pub(super) fn subject(said: &str) -> &str {
    let said = &said[..SEPARATOR.find(said).map_or(said.len(), |found| found.start())];
    let mut words = said.split(' ').scan(0, |at, word| {
        let start = *at;
        *at += word.len() + 1;
        Some((start, word))
    });
    let is_verb = |word: &str| COPULAS.contains(&word) || PREDICATES.contains(&word);
    let verb = words.find(|(start, word)| *start > 0 && is_verb(word)).map(|(start, _)| start);
    let end = verb.or_else(|| said.find(' ')).unwrap_or(said.len());
    &said[..end]
}

/// Returns whether a text begins with a year.
fn is_year(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 4 && !text[digits..].starts_with(char::is_alphanumeric)
}

pub(super) fn begins_with(part: &str, words: &[&str]) -> bool {
    let first = part.split_whitespace().next().unwrap_or_default().to_lowercase();
    words.contains(&&*first)
}

/// Returns whether a part can stand alone.
pub(super) fn begins_anew(part: &str) -> bool {
    // "Mia" is a name, and the Italian "mia" is not.
    let is_name = part.starts_with(char::is_uppercase) && !part.starts_with('I');
    // "In Bonn arbeite ich", "tenemos dos hijos", "no tolero la aspirina".
    let words: Vec<&str> = part.split_whitespace().collect();
    let ends = |word: &&str| ["amos", "emos", "imos", "iamo"].iter().any(|end| word.ends_with(end));
    let is_plural = words.first().is_some_and(ends);
    let is_denied = matches!(words[..], ["no", verb, _, ..] if verb.ends_with('o'));
    let is_inverted = words.iter().skip(1).any(|word| ["ich", "wir"].contains(word));
    is_inverted
        || is_denied
        || !is_name && (is_plural || begins_with(part, SUBJECTS) || begins_with(part, OWN_VERBS))
}

/// Returns whether a part can stand alone, and has a verb if it begins with somebody: "my sister to shellfish" has none.
fn stands_alone(part: &str) -> bool {
    let mut after_somebody = part.split_whitespace().skip(2);
    begins_anew(part)
        && (!begins_with(part, OWNERS)
            || after_somebody.any(|word| PREDICATES.contains(&&*word.to_lowercase())))
}

/// Returns whether a part of a German clause ends with its verb, as after "dass": "ich in Kiel wohne", "zwei Kinder habe".
fn ends_with_verb(part: &str) -> bool {
    let is_verb = |word: &str| {
        let is_form = ["e", "en", "t"].iter().any(|end| word.ends_with(end)) && word.len() > 3;
        word.starts_with(char::is_lowercase)
            && !NO_GERMAN_VERBS.contains(&word)
            && (is_form || GERMAN_VERBS.contains(&word))
    };
    let words: Vec<&str> = part.split_whitespace().collect();
    // "Ich wohne gerne …": the verb of a main clause is its second word.
    matches!(words[..], [_, second, .., last] if is_verb(last) && !is_verb(second))
        || matches!(words[..], [_, last] if is_verb(last))
}

/// Returns whether a statement may have its verb at the end, which a removed last part would take away.
fn is_verb_last(statement: &str) -> bool {
    begins_with(statement, &["ich", "wir", "mein", "meine", "er", "sie"])
}

#[cfg(test)]
mod tests;
