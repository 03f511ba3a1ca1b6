//! Finds what a statement says no longer holds: "I no longer eat meat".

use std::sync::LazyLock;

use regex::Regex;

/// How a statement says that something has ended, in all languages alike.
const ENDED: &str = concat!(
    r" no longer | (?:not|never|cannot|dont|doesnt|cant|[a-z]+n't) (?:.* )?any ?more ",
    r"| nicht mehr | kein(?:e|en|em|er|s)? (?:.* )?mehr | ya no | n(?:e |')\S.* plus | (?:ja )?nao (?:.* )?mais ",
    r"| ja nao | non (?:.* )?piu | больше не | не [^ ]+ больше $| уже не |不再|再也不|已经不",
);
/// The words of such a statement that deny; the others are those of what has ended.
const DENIALS: &[&str] = &[
    "no",
    "longer",
    "not",
    "never",
    "cannot",
    "dont",
    "doesnt",
    "cant",
    "any",
    "more",
    "anymore",
    "do",
    "does",
    "nicht",
    "mehr",
    "kein",
    "keine",
    "keinen",
    "keinem",
    "keiner",
    "keins",
    "ya",
    "ne",
    "plus",
    "ja",
    "nao",
    "mais",
    "non",
    "piu",
    "больше",
    "уже",
    "не",
];
/// The Chinese characters that deny.
const HAN_DENIALS: &[&str] = &["再也不", "已经不", "不再", "了"];

/// Words beside the denial that limit it: "I no longer drink only tea", "nicht mehr so viel", "not any more than you".
#[rustfmt::skip]
const LIMITS: &[&str] = &[
    "only", "just", "much", "many", "often", "than", "quite", "always", "every", "everything", "all", "couldn't",
    "nur", "bloss", "so", "immer", "ganz", "viel", "viele", "oft",
    "solo", "tanto", "tanta", "tantos", "tantas", "siempre", "tan", "que", "seulement", "autant", "tant", "toujours", "aussi",
    "sempre", "cosi", "soltanto", "molto", "tao", "apenas", "muito", "только", "так", "столько", "всегда", "много",
];
/// Words before the denial that make a condition of it: "when I no longer live in Leeds, I'll sell the car".
#[rustfmt::skip]
const CONDITIONS: &[&str] = &[
    "if", "when", "once", "unless", "until", "as soon as", "wenn", "falls", "sobald", "sofern", "quand", "lorsque", "des que", "cuando", "en cuanto",
    "quando", "assim que", "если", "когда", "как только",
];
/// Words that do so at the beginning of a clause: "se" is the Italian "if", and a pronoun.
const FIRST_CONDITIONS: &[&str] = &["si", "se", "bis"];
const HAN_CONDITIONS: &[&str] = &["如果", "要是", "等我", "当我"];
/// Words at the beginning of what a denial without a verb denies: "ya no en Vigo".
#[rustfmt::skip]
const PREPOSITIONS: &[&str] = &["in", "at", "on", "from", "with", "for", "en", "a", "con", "para", "de", "bei", "mit", "auf", "aus", "für", "als"];
/// Words of the present, which are left out beside what has ended.
const NOW: &[&str] = &["now", "jetzt", "ahora", "maintenant", "adesso", "ora", "agora", "теперь", "сеичас"];
/// Words after the German "als" that compare.
const COMPARED: &[&str] = &["zwei", "drei", "vier", "fünf", "du", "ihr", "früher", "sonst", "vorher"];
/// The same in Chinese.
const HAN_LIMITS: &[&str] = &["只", "那么", "这么", "总是"];

/// Returns the words of what has ended, if a folded statement says that something has.
pub(super) fn ended(folded: &str) -> Option<String> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(ENDED).expect("a pattern"));
    let framed = format!(" {} ", folded.trim());
    let denial = PATTERN.find(&framed)?;
    let before = format!("{} ", &framed[..denial.start()]);
    let clause = before.rsplit(" ,").next().unwrap_or_default();
    if CONDITIONS.iter().any(|word| before.contains(&format!(" {word} ")))
        || FIRST_CONDITIONS.iter().any(|word| clause.starts_with(&format!(" {word} ")))
        || HAN_CONDITIONS.iter().any(|word| before.contains(word))
    {
        return None;
    }
    let limits = |word: &str| LIMITS.contains(&word);
    // "Nicht mehr als 5 mg", but not "nicht mehr als Pfleger".
    let mut words = framed.split(' ').skip_while(|word| *word != "als").skip(1);
    if words
        .next()
        .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()) || COMPARED.contains(&next))
    {
        return None;
    }
    if framed.split(' ').any(limits) || HAN_LIMITS.iter().any(|limit| framed.contains(limit)) {
        return None;
    }
    let framed = completed(&framed).unwrap_or(framed);
    let han = HAN_DENIALS.iter().fold(framed, |text, denial| text.replace(denial, ""));
    let is_denial = |word: &&str| DENIALS.contains(word) || word.ends_with("n't");
    let word = |word: &'_ str| word.strip_prefix("n'").unwrap_or(word).to_owned();
    let words: Vec<String> = han.split_whitespace().filter(|word| !is_denial(word)).map(word).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns the denial in a clause without a verb, with the subject and the verb of the clause beside it: "i live in lisbon no
/// longer" of "I live in Utrecht now, no longer in Lisbon". `None` if the denial has a verb.
fn completed(framed: &str) -> Option<String> {
    static ALONE: LazyLock<Regex> = LazyLock::new(|| {
        let clause = r"^(?:(?:and|but|und|aber|y|pero|et) )?(?:no longer|not (?:.* )?any ?more|nicht mehr|kein(?:e|en|em|er)? .*mehr|ya no)(?: |$)";
        Regex::new(clause).expect("a pattern")
    });
    let clauses: Vec<&str> = framed.trim().split(" , ").collect();
    let [one, other] = clauses[..] else { return None };
    let (denial, beside) = match (ALONE.is_match(one), ALONE.is_match(other)) {
        (true, false) => (one, other),
        (false, true) => (other, one),
        _ => return None,
    };
    let next = denial.split(' ').find(|word| !DENIALS.contains(word))?;
    // "Ya no vivo en Vigo" has a verb of its own.
    if denial.starts_with("ya no") && !PREPOSITIONS.contains(&next) {
        return None;
    }
    let words: Vec<&str> = beside.split(' ').filter(|word| !NOW.contains(word)).collect();
    Some(format!(" {} {denial} ", words[..words.len().min(2)].join(" ")))
}
