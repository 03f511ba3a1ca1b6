//! Finds requests about a text: to remember it ("please remember that …", "merk dir: …"), to forget it ("forget that
//! I …"), or to work on it ("translate: …").

pub(super) mod forgetting;
pub(super) mod remembering;

use std::ops::Range;
use std::sync::LazyLock;

use memtape_language::han::is_han;
use regex::Regex;

use super::latin::{Latin, Pattern, simplified};
use super::page::Sentence;
use super::voices;

/// Words for the speaker.
const SPEAKER: &[&str] = &["i", "i'm", "i've", "we", "we're", "we've"];
/// Words before a verb that ask for what it names: "could you please", "I want you to". `{english}` and so on stand for
/// them in patterns.
const ENGLISH_REQUEST: &str = concat!(
    r"(?:(?:can|could|will|would) you|i(?:'d| would)? (?:want|need|like) you to|need you to|you (?:should|must)",
    r"|make sure (?:that )?(?:you|to)|be sure to)(?: (?:please|pls|kindly|also|just|always))* ",
);
const GERMAN_REQUEST: &str = r"(?:kannst|könntest|koenntest|würdest|wuerdest|können|könnten|würden) (?:du|sie)(?: (?:dir|sich|bitte|mal|das|es))* ";
const SPANISH_REQUEST: &str = "(?:puedes|podes|podrias|puede|podria)(?: (?:por favor|porfa))* ";
const FRENCH_REQUEST: &str = "(?:peux-tu|pourrais-tu|tu peux|tu pourrais|pouvez-vous|pourriez-vous|vous pouvez)(?: (?:stp|svp|s'il te plait|s'il vous plait|bien))* ";
/// How a sentence with a question mark begins that asks for something rather than about it.
const POLITE: &str = r"(?:(?:can|could|will|would) you|(?:podes?|podias?|poderia|consegues?|puoi|potresti|puo|potrebbe|можешь|можете|мог(?:ла)? бы) |{german}|{spanish}|{french}) ?";
/// First words of a clause after "that", apart from names: "save that file" has none.
#[rustfmt::skip]
const CLAUSE_STARTS: &[&str] = &[
    "i", "i'm", "i've", "i'll", "my", "we", "we're", "we've", "our", "he", "he's", "she", "she's", "it", "it's", "they", "they're",
    "his", "her", "their", "the", "a", "an", "there", "this", "these", "you", "your", "all", "every", "no", "on", "from",
];
/// Verbs after a name that begins a clause.
#[rustfmt::skip]
const CLAUSE_VERBS: &[&str] = &[
    "is", "isn't", "are", "aren't", "was", "were", "has", "have", "had", "will", "can", "can't", "does", "doesn't", "wants", "needs",
    "likes", "loves", "hates", "lives", "works", "prefers", "takes", "moved", "uses",
];
/// The maximum number of words of a clause up to its verb.
const CLAUSE_WORDS: usize = 6;
/// Words before an introduction.
const BEFORE: &str = r"(?:^|[,:-])(?: (?:from now on|ab (?:jetzt|sofort)|a partir de (?:ahora|agora)|desormais|d'ora in poi|впредь|please|pls|plz|and|also|so|ok|okay|hey|hi|btw|bitte|und|also|por favor|porfa|y|e|et|ok|surtout|stp|svp|per favore|пожалуиста|и|a))*(?: ,)? ";

/// Replaces the names of the ways to ask in a pattern.
fn filled(source: &str) -> String {
    let ways = [
        ("{english}", ENGLISH_REQUEST),
        ("{german}", GERMAN_REQUEST),
        ("{spanish}", SPANISH_REQUEST),
        ("{french}", FRENCH_REQUEST),
    ];
    replaced(source, &ways)
}

/// Replaces the names of parts in a pattern.
fn replaced(source: &str, parts: &[(&str, &str)]) -> String {
    parts.iter().fold(source.to_owned(), |source, (name, part)| source.replace(name, part))
}

/// Returns whether a match of a request is one although its sentence has a question mark.
fn is_polite(request: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| simplified(&filled(&format!("{BEFORE}(?:{POLITE})"))));
    PATTERN.is_match(request)
}

/// Returns whether a text begins as a clause rather than a thing: "the bin is blue", "Tom is diabetic".
fn begins_clause(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    let first = words.first().copied().unwrap_or_default();
    // A verb of the third person, with an object: "Marta brings the projector".
    let is_verb = |word: &str| word.len() > 3 && word.ends_with('s');
    let is_named =
        words.iter().skip(1).any(|word| CLAUSE_VERBS.contains(word)) || words.len() > 2 && is_verb(words[1]);
    CLAUSE_STARTS.contains(&first) || is_named
}

/// Words after which a verb is that of another clause: "the code that is on the door".
const RELATIVES: &[&str] = &["that", "which", "who", "where", "when", "what", "how", "if"];

/// Returns whether a text begins with a clause that has a verb: "the bin is blue", but not "the milk".
fn states(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(CLAUSE_WORDS).collect();
    let [first, rest @ ..] = &words[..] else { return false };
    let is_short = |word: &str| ["'s", "'re", "'m", "'ve", "'ll"].iter().any(|end| word.ends_with(end));
    let is_start = CLAUSE_STARTS.contains(first);
    let mut verbs = rest.iter().take_while(|word| !RELATIVES.contains(word));
    begins_clause(text)
        && !RELATIVES.contains(first)
        && (is_start && is_short(first) || verbs.any(|word| CLAUSE_VERBS.contains(word)))
}

/// A request for something else after what is to be remembered: "… and tell me a recipe".
const AND_REQUESTS: &str = concat!(
    r" (?:,|and|und|y|et|e|и)(?: then| dann| luego| puis| poi| depois)? (?:(?:tell|give|show|send|suggest to|recommend|find|write|make|help) (?:me|us) ",
    r"|(?:gib|sag|zeig|schick|empfiehl|mach|schreib|such|nenn) (?:mir|uns) |(?:dame|dime|muestrame|recomiendame|ayudame|sugiereme|escribeme) ",
    r"|(?:donne|dis|montre|propose|aide|ecris)-(?:moi|nous) |(?:dammi|dimmi|consigliami|mostrami|aiutami) |(?:da-me|diz-me|me (?:da|diz|recomenda|mostra)) |(?:даи|скажи|посоветуй|покажи) )",
);
const HAN_AND_REQUESTS: &str = "(?: , ?|，)(?:然后|并)?(?:请|你)?(?:给我|帮我|告诉我|推荐)";

/// Returns the part of a folded sentence before a request for something else.
pub(super) fn before_request(sentence: &Sentence, range: Range<usize>) -> Range<usize> {
    static REQUEST: Pattern = Pattern::of(|| Latin::of(AND_REQUESTS), || simplified(HAN_AND_REQUESTS));
    let request = REQUEST.find(&sentence.text()[range.clone()]).map(|found| found.start);
    let forgotten = forgetting::forgotten_after(sentence).map(|(start, _)| start);
    let unwanted = voices::unwanted(sentence).map(|unwanted| unwanted.start);
    let others = [request.map(|start| range.start + start), forgotten, unwanted];
    let says = |end: &usize| {
        range.contains(end) && sentence.text()[range.start..*end].contains(char::is_alphanumeric)
    };
    match others.into_iter().flatten().filter(says).min() {
        Some(end) => range.start..end + 1,
        None => range,
    }
}

/// How a clause at the start of a sentence asks, with or without a question mark: by a verb before its subject.
const VERB_FIRST: &str = concat!(
    r"^ (?:(?:so|and|but|hey|ok|okay|wait|also|und|aber|sag mal|et|mais) (?:, )?)?(?:",
    r"(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|should) (?:i|my|we|our) ",
    // A German verb of the first person has an "e" at its end; "ehe" is no verb.
    r"|(?:bin|hab|mag|kann|muss|will|soll|darf|war|wei(?:ss|ß)|[a-zäöüß]{3,}e) ich ",
    r"|(?:ist|sind|war|waren|hat|haben|hatten?|hei(?:ss|ß)t|kann|wohnt|arbeitet|mag) (?:mein|meine|unser|unsere|wir) ",
    r"|(?:est-ce |ai-je |suis-je |dois-je |puis-je ))",
);
/// Clauses that ask whether the one before them is true.
const TAGS: &str = concat!(
    r"^(?:right|correct|innit|(?:do|does|did|is|are|was|were|have|has|ca|wo|would)n't (?:i|it|we|he|she|they|you)",
    r"|oder(?: nicht)?|nicht wahr|gelle?|stimmt's|stimmts|verdad|cierto|no es cierto|n'est-ce pas|hein",
    r"|nao e|ne|vero|giusto|non e vero|certo|nao e verdade|правда|верно|так ведь|не так ли|да|是吗|对吧|对吗|是吧)$",
);

/// Returns whether a clause at the start of a folded sentence asks something about the speaker.
pub(super) fn asks(clause: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| simplified(VERB_FIRST));
    PATTERN.is_match(&format!(" {} ", clause.trim()))
}

/// Returns whether a folded clause at the end of a question asks whether the one before it is true.
pub(super) fn is_tag(clause: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| simplified(TAGS));
    PATTERN.is_match(clause.trim())
}

/// Imperatives and infinitives that ask to translate, correct, rewrite or summarize, in all languages alike.
const EDITS: &[&str] = &[
    " (?:translate|proofread|rewrite|rephrase|reword|paraphrase|summari[sz]e|spellcheck|(?:correct|fix) (?:this|the|my)) ",
    " (?:übersetz(?:e|en)?|korrigier(?:e|en)?|(?:um)?formulier(?:e|en)?|zusammenfassen|fass(?:e|en sie)? (?:.* )?zusammen) ",
    " (?:traduce(?:me)?|traducir|traduzca|corrige(?:me)?|corregir|reescrib(?:e|ir)|reformula|resum(?:eme|ir)) ",
    " (?:tradui(?:s|sez|re)|corrig(?:e|ez|er)|reformul(?:e|ez|er)|resum(?:ez|er))(?:-moi)? ",
    " resume(?:-moi| moi)? (?:est[ae]|esto|el|los|las|le|la|les|ce|cet|cette|ces) ",
    " (?:traduz(?:a|ir)?|corrij[ae]|corrigir|reescrev(?:a|er)|resuma) ",
    " (?:traduci(?:mi)?|tradurre|correggi(?:mi)?|correggere|riscriv(?:i|ere)|riassum(?:i|ere)) ",
    " (?:перевед(?:и|ите)|перевести|исправ(?:ь|ьте|ить)|перефразируи|сократи|перескажи) ",
    "翻译|改写|润色|校对|总结(?:一?下|这)|翻訳|訳して|添削|要約して",
];
/// How a sentence asks for the words of another language.
const ASKS_FOR_WORDS: &[&str] = &[
    " how (?:do|would|can|could|should|to) (?:(?:you|i|we|one) )?(?:say|write|put|phrase|express) ",
    " wie (?:sagt|schreibt|heißt|heisst|sage|schreibe) | como (?:se (?:dice|escribe|diz)|digo|escribo) | comment (?:dit-on|on dit|dire|ecrire|ecrit-on) ",
    " come si (?:dice|scrive) | как (?:сказать|написать|будет) |怎么(?:说|写|讲)|(?:何|どう)(?:て|と)?(?:言|いう|いえ|いい|訳|書)",
];
/// Those of them that are about no words of the speaker's own.
const TRANSLATES: &str = r" (?:translate|proofread|spellcheck|übersetz|traduc|tradui|traduz|tradurre|перевед|перевести)|翻译|润色|校对|翻訳|訳して|添削";
/// How the words before such a verb say that it is the speaker who corrects or sums up: "let me rephrase", "pour résumer".
const OWN_EDITS: &str = concat!(
    r" (?:i|i'll|i'd|i've|we|let me|let us|let's|ich|wir|yo|je|nous|eu|io|я|мы) | j'[a-z]+ ",
    r"| (?:to|pour|para|per|lass mich|lassen sie mich|muss|müssen|laisse-moi|laissez-moi|dejame|dejeme|lasciami|deixa-me|deixe-me|me deixe|let me)(?: (?:me|mich|das|es|lo|la|le))* $",
    r"| (?:(?:il )?faut|dois|tengo que|debo|hay que|quiero|devo|vorrei|voglio|preciso|tenho que|voy a|vou|надо|нужно|хочу|должен|должна)(?: [^ ]+)? $",
);
/// Words before such a verb that ask somebody else for it.
const OTHERS_EDITS: &str = r" (?:you|help|du|sie|ihr|hilf|helfen|tu|vous|usted|ayuda|ayudame|aide-moi|aidez-moi|puoi|potresti|aiutami|aiuto|voce|ajuda|ты|вы|тебя|вас|помоги|помогите) ";
/// What such a verb corrects if it is what is known of the speaker: "correct my address", "fix the record".
const OWN_OBJECTS: &str = concat!(
    r" (?:my|our|mein(?:e[mnrs]?)?|unser(?:e[mnrs]?)?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos|meus?|minhas?|mio|mia|miei|mie|mo[ияею]|мо[иеяюи]х?|свои|свою|свое) [^ ]+ ",
    r"| (?:the|your|den|das|deinen|el|la|tu|ton|l'|il|lo|o) ?(?:records?|entry|entries|memory|eintrag|gedächtnis|registro|entrada|memoria|fiche|entree|memoire|voce|memória) ",
);
/// Words for texts, which are not the speaker's own matters.
const EDITED_TEXTS: &str = concat!(
    r" [^ ]*(?:text|texto|texte|testo|letter|mail|message|essay|sentence|paragraph|cv|resume|bio|grammar|spelling|punctuation|wording|english|german|french|spanish|italian|portuguese",
    r"|russian|chinese|japanese|story|draft|post|translation|writing|homework|article|speech|poem|application|code|function|script|query|bug|typo|phrase|frase|oracion",
    r"|parrafo|carta|correo|mensaje|redaccion|ensayo|borrador|traduccion|gramatica|ortografia|ingles|frances|aleman|espanol|lettre|courriel|redaction|paragraphe|brouillon",
    r"|traduction|grammaire|orthographe|anglais|francais|allemand|espagnol|lettera|messaggio|paragrafo|tema|bozza|traduzione|grammatica|redacao|rascunho|traducao|mensagem",
    r"|brief|nachricht|aufsatz|absatz|satz|sätze|lebenslauf|anschreiben|bewerbung|entwurf|gedicht|deutsch|englisch|rechtschreibung|grammatik|hausaufgaben?",
    r"|текст|письмо|сообщение|предложение|абзац|сочинение|резюме|перевод)(?:e?s|en?|а|ы|и)? ",
);
/// How a Chinese speaker sums up what they say, rather than asks for it.
const HAN_OWN_EDITS: &str = "^ ?[^请帮给你]*总结一?下 ?: ?$";
/// The maximum length of such a request before its colon, in characters.
const REQUEST_MAX: usize = 60;

/// Returns where a text begins that the speaker asks to work on: after the colon of the request.
pub(super) fn edited(sentence: &Sentence) -> Option<usize> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| simplified(&EDITS.join("|")));
    let text = sentence.text();
    let colon = text.find(" : ")?;
    let request = &text[..colon + 3];
    let is_short = request.chars().nth(REQUEST_MAX).is_none();
    let verb = PATTERN.find(request).filter(|_| is_short)?.start();
    (!is_of_own_words(request, verb)).then_some(colon + 2)
}

/// Returns whether a request to edit, with its colon, is none, because the speaker corrects or sums up what they say themselves.
fn is_of_own_words(request: &str, verb: usize) -> bool {
    static TRANSLATED: LazyLock<Regex> = LazyLock::new(|| simplified(TRANSLATES));
    static OWN: Pattern = Pattern::of(|| Latin::of(OWN_EDITS), || simplified(HAN_OWN_EDITS));
    static OTHERS: LazyLock<Latin> = LazyLock::new(|| Latin::of(OTHERS_EDITS));
    static OBJECT: LazyLock<Regex> = LazyLock::new(|| simplified(OWN_OBJECTS));
    static TEXT: LazyLock<Regex> = LazyLock::new(|| simplified(EDITED_TEXTS));
    let before = format!("{} ", &request[..verb]);
    // "Rephrase" is a verb, and "phrase" a text.
    let object = request[verb..].trim_start().split_once(' ').map_or("", |(_, object)| object);
    let is_text = TEXT.is_match(&before) || TEXT.is_match(&format!(" {object}"));
    let is_own = OWN.is_match(if request.contains(is_han) { request } else { &before });
    !TRANSLATED.is_match(request)
        && !is_text
        && (is_own && !OTHERS.is_match(&before) || OBJECT.is_match(&request[verb..]))
}

/// Returns whether a sentence asks to translate or to edit a text, or for its words in another language.
pub(super) fn works_on_text(sentence: &Sentence) -> bool {
    static PATTERN: LazyLock<Regex> =
        LazyLock::new(|| simplified(&[EDITS, ASKS_FOR_WORDS].concat().join("|")));
    static OBJECT: LazyLock<Regex> = LazyLock::new(|| simplified(OWN_OBJECTS));
    static TEXT: LazyLock<Regex> = LazyLock::new(|| simplified(EDITED_TEXTS));
    let text = sentence.text();
    // "Correct my address" is about what is known.
    PATTERN.find(text).is_some_and(|found| TEXT.is_match(text) || !OBJECT.is_match(&text[found.start()..]))
}

/// Returns whether a sentence asks for something: it is a question, or begins as a request.
pub(super) fn asks_for_something(sentence: &Sentence) -> bool {
    static REQUEST: LazyLock<Latin> = LazyLock::new(|| Latin::of(&format!("^{AND_REQUESTS}")));
    sentence.asked || REQUEST.is_match(&format!(" ,{}", sentence.text()))
}
