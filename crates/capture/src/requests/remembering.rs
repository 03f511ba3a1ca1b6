//! Finds requests to remember something: "please remember that …", "merk dir: …".

use std::ops::Range;
use std::sync::LazyLock;

use memtape_language::kana::is_kana;
use regex::{Match, Regex};

use super::{BEFORE, CLAUSE_STARTS, CLAUSE_VERBS, SPEAKER, begins_clause, filled, is_polite, states};
use crate::latin::{Latin, Pattern, simplified};
use crate::page::Sentence;
use crate::voices;

/// How a sentence introduces what is to be remembered, in all languages alike: an introduction at its start or after
/// a mark, up to a conjunction or colon.
pub(super) const INTRODUCTIONS: &[&str] = &[
    r"(?:{english})?(?:remember|keep in mind|bear in mind|(?:don't|dont|do not)(?: you)?(?: ever)? forget|never (?:ever )?forget|(?:make|be) sure not to forget|make a note|take note|memori[sz]e|save|note for (?:later|you))(?: (?:this|it|please))?(?:(?: ,)? that| (?:, )?:)",
    r"(?:note to (?:self|yourself|you)|add (?:this )?to (?:your )?memory|for your memory|notiz an (?:dich|mich)|nota (?:para|a) ti|note pour toi) (?:, )?:",
    r"(?:{english})?(?:memori[sz]e|save|remember|note) (?:the following(?: [a-z]+)?|this|that|these|those)(?: [a-z]+)?(?: for later)?(?: please)? (?:, )?:",
    r"(?:{english}|please )(?:note|store|record|write down)(?: (?:this|it|down))?(?: that| (?:, )?:)",
    r"(?:i(?:'d| would)? (?:want|like|need) you to |please )(?:always )?remember(?: (?:this|it|please))? that",
    r"(?:vergiss|vergessen sie)(?: (?:bitte|ja|bloss|nur|mir|doch))* (?:nie|niemals|auf keinen fall)(?: ,)? dass|ich (?:möchte|will)(?: ,)? dass (?:du dir|sie sich) (?:merkst|merken|notierst)(?: ,)? dass",
    r"(?:quiero|necesito|me gustaria) que (?:recuerdes|te acuerdes de|anotes|tengas en cuenta) que|no olvides nunca que|nunca olvides que",
    r"je (?:veux|voudrais|aimerais) que (?:tu (?:retiennes|te souviennes|notes)|vous reteniez) que|n'oublie(?:z)? jamais que",
    r"voglio che (?:tu )?(?:ricordi|ti ricordi) che|quero que (?:te )?(?:lembres|lembre|se lembre)(?: de)? que",
    r"{german}(?:merken|behalten|im (?:kopf|hinterkopf|gedächtnis) behalten|notieren)(?: ,)? dass",
    r"(?:schreibe? dir(?: bitte)? auf|denk(?:e)? bitte (?:dran|daran)|behalte? bitte)(?: ,)? dass",
    r"(?:behalte?|speichere?|speichern sie|du (?:solltest|sollst|musst) dir merken)(?: (?:es|das|bitte|mal|im kopf|im hinterkopf|im gedächtnis))*(?: ,)? dass",
    r"{spanish}(?:recordar|acordarte de|acordarse de|anotar|apuntar|tener en cuenta) que",
    r"{french}(?:(?:te |vous )?souvenir|retenir|(?:te |vous )?rappeler|noter|garder en tete) que",
    r"(?:merk dir|merke dir|merken sie sich|denk dran|denk daran|denken sie daran|(?:vergiss|vergessen sie)(?: (?:bitte|ja|bloss|nur|mir|doch|auf keinen fall))* nicht(?: (?:schon )?wieder)?|nicht vergessen|notier dir|notiere dir|halt fest|halte fest|merken|notieren)(?: (?:bitte|mal|das|folgendes))*(?: , dass| dass| (?:, )?:)",
    r"(?:recuerda|recuerde|recorda|acuerdate|acordate|no (?:te |se )?olvid(?:es|as|e|ar|eis)|no se te olvide|no te vayas a olvidar|ten en cuenta|tene en cuenta|tenga en cuenta|ten presente|tenga presente|que no se te olvide|anota|apunta|apuntate|toma nota|guarda)(?: (?:de|esto|isto|por favor|porfa|bien))*(?: que| (?:, )?:)",
    r"(?:souviens-toi|souvenez-vous|retiens|retenez|rappelle-toi|n'oublie (?:pas|plus)|oublie pas|n'oubliez (?:pas|plus)|ne pas oublier|garde en tete|gardez en tete|garde(?:z)? a l'esprit|memorise(?:z)?|prends note|note bien)(?: (?:bien|stp|svp|ceci|ca))*(?: que| (?:, )?:)",
    r"(?:lembra|lembre|lembre-se|lembra-te|nao (?:se )?esque[cç]a|nao (?:te )?esque[cç]as|nao (?:se )?esquecer|anota|anote|guarda|memoriz[ae]|tem em mente|tenha em mente|leva em conta)(?: (?:ai|isso|de|por favor))*(?: que| (?:, )?:)",
    r"(?:ricorda|ricordati|ricordate|ricordatevi|non (?:ti |si |vi )?(?:dimenticare|scordare|dimenticate|scordate)|non (?:dimenticar|scordar)ti|tieni presente|tieni a mente|tieni conto|memorizza|annota|segnati|prendi nota)(?: (?:questo|per favore|bene))*(?: che| (?:, )?:)",
    r"(?:puoi|potresti|puo|potrebbe)(?: per favore)? (?:ricordare|ricordarti|ricordarsi|tenere a mente|annotare|segnarti) che",
    r"(?:pode|podes|podias?|poderia|consegue|consegues)(?: (?:por favor|se faz favor))? (?:lembrar|lembrar-se de|lembrar-te de|anotar|guardar|memorizar) que",
    r"(?:можешь|можете|мог бы|могла бы)(?: (?:ты|вы|пожалуиста))* (?:запомнить|записать|учесть)(?: ,)? что",
    r"(?:я )?хочу , чтобы (?:ты|вы) запомнил(?:а|и)?(?: ,)? что",
    r"(?:запомни|запомните|помни|не забудь|не забудьте|не забываи|учти|учтите|запиши|запишите|имеи в виду|имеите в виду)(?: (?:пожалуиста|это))*(?: , что| что| (?:, )?:)",
    BARE,
];
/// Introductions without a conjunction, before a clause: "don't forget I'm off on Fridays", "merk dir bitte, die Tonne ist blau".
/// They are the last ones, so that those with a conjunction are found first.
const BARE: &str = concat!(
    r"(?:{english})?(?:remember|keep in mind|bear in mind|(?:don't|dont|do not)(?: you)?(?: ever)? forget|never (?:ever )?forget|(?:make|be) sure not to forget)(?: ,)?",
    r"|(?:merk dir|merke dir|merken sie sich|denk dran|denk daran|denken sie daran|(?:vergiss|vergessen sie)(?: (?:bitte|ja|bloss))* nicht)(?: (?:bitte|mal|das|gut))* ,",
    r"|(?:recuerda|recuerde|acuerdate|no (?:te |lo )?olvides)(?: por favor)? ,|(?:souviens-toi|retiens|n'oublie pas|n'oubliez pas)(?: bien)? ,",
    r"|(?:ricorda|ricordati|non dimenticare) ,|(?:lembra|lembre|lembre-se) ,|(?:запомни|запомните|помни|не забудь|не забудьте) ,",
);
/// The last words of an introduction with a conjunction.
pub(super) const CONJUNCTIONS: &[&str] = &["that", "dass", "que", "che", "что", ":"];
/// First words after an introduction with a comma that make it a reminder or a question: "remember, to pay the rent".
#[rustfmt::skip]
const NOT_STATED: &[&str] = &[
    "to", "what", "how", "who", "where", "when", "why", "if", "was", "wie", "wer", "wo", "wann", "warum", "ob", "wenn", "si", "comment", "se", "de",
];
/// The minimum number of words of what follows such an introduction.
const STATED_WORDS: usize = 3;
/// Words after "remember that" that make a pronoun of "that".
const ALREADY: &[&str] = &["by now", "again", "already", "too", "now", "then"];
/// Those after which it asks to remember what was said before.
const FROM_NOW_ON: &str =
    "for later|for me|for next time|for the future|from now on|in future|next time|always|forever";
/// Introductions in French before an elided conjunction: "retiens qu'il habite à Lyon".
const ELIDED: &str = r"(?:souviens-toi|souvenez-vous|retiens|retenez|rappelle-toi|n'oublie pas|n'oubliez pas|note bien|{french}(?:(?:te |vous )?souvenir|retenir|noter)) qu'";
/// Beginnings of questions about what was said, after "can you remember that".
#[rustfmt::skip]
const RECOLLECTIONS: &[&str] = &[
    "i told", "i asked", "i said", "i mentioned", "we talked", "we discussed", "we spoke", "te dije", "te conte", "te pedi", "dije",
    "dijiste", "hablamos", "j'ai dit", "je t'ai dit",
];
/// The introductions in Chinese, which has no spaces.
const CHINESE: &str = "(?:^ ?|[,:-] ?)(?:请|你|帮我|麻烦|能不能|能|可以|千万)*(?:记住|记一下|记下来|记好|别忘了|不要忘了|别忘记|不要忘记)(?:了|哦|啊|一下)? ?(?:[:,] ?|(?:我))";
/// How Japanese asks to remember what follows a mark, and what precedes the request.
const JAPANESE: &str = "^ ?(?:次のことを|以下を|これを|これだけは)?(?:ちゃんと|必ず)?{oboete} ?(?:[:,、-]) ?";
const JAPANESE_AFTERWARDS: &str = "(?:ということ|って(?:こと)?|こと|なの|の)?(?:[とをはも、,:]|って) ?(?:ちゃんと|必ず|ぜひ)?{oboete} ?$|^ ?(?:これ|それ|このこと)?(?:[をはも])?{oboete} ?$";
/// The verbs of both.
const OBOETE: &str = "(?:覚えて(?:おいて|いて|て)?|覚えといて|記憶して(?:おいて)?|メモして(?:おいて)?|メモっといて|忘れないで(?:いて)?)(?:ください|下さい|ほしい|くれ|ね|よ)*";

/// An introduction in Chinese without a mark, before a statement about something else than the speaker. Before an action
/// it is a reminder.
const CHINESE_BARE: &str =
    "^ ?(?:请|你|帮我|麻烦|千万)*(?:记住|记好|记一下|别忘了|不要忘了|别忘记|不要忘记) ?";
/// First characters after it that make it no statement: "remembered?", "remember to …", "remember this".
const CHINESE_OTHERS: &[char] =
    &['了', '没', '吗', '要', '这', '那', '的', '什', '怎', '多', '它', '得', '别'];
/// Characters of a statement.
const CHINESE_VERBS: &[char] =
    &['是', '在', '有', '叫', '姓', '对', '会', '喜', '讨', '不', '住', '属', '怕', '过'];
/// Words after "remember that" that make a question about the past of it.
const MEMORIES: &[&str] = &["time", "day", "night", "one", "guy", "song", "movie", "thing", "scene"];

/// The maximum number of words after an introduction that are read, and of introductions in a sentence.
const WORDS_READ: usize = 16;
const INTRODUCTIONS_READ: usize = 20;

/// Returns whether a match of an introduction asks to remember what follows it.
fn introduces(sentence: &Sentence, found: &Match<'_>) -> bool {
    let (request, rest) = (found.as_str(), &sentence.text()[found.end()..]);
    let words: Vec<&str> = rest.split_whitespace().take(WORDS_READ).collect();
    let next = words.first().copied().unwrap_or_default();
    let last = request.split_whitespace().next_back().unwrap_or_default();
    // "Can you remember that?" means what was said before.
    if last == "that" && (words.is_empty() || is_pronoun(rest) || is_article(&words)) {
        return false;
    }
    let is_of_file =
        [" save ", " store ", " record "].iter().any(|verb| request.contains(verb)) && last == "that";
    let is_about_past = MEMORIES.contains(&next) || RECOLLECTIONS.iter().any(|words| rest.starts_with(words));
    // After a comma within the sentence, it is but a remark.
    let is_stated = || match last {
        "," => {
            !sentence.asked
                && !request.starts_with([',', ':', '-'])
                && words.len() >= STATED_WORDS
                && !NOT_STATED.contains(&next)
                && !words.contains(&"zu")
        }
        _ => {
            !is_about_past
                && !words.get(1).is_some_and(|word| MEMORIES.contains(word))
                && (SPEAKER.contains(&next) || states(rest))
        }
    };
    (!sentence.asked || is_polite(request) && !is_about_past)
        && !MEMORIES.contains(&next)
        && (CONJUNCTIONS.contains(&last) || is_stated())
        && (!is_of_file || words.is_empty() || begins_clause(rest))
}

/// Returns whether words after "remember that" make a pronoun of "that": "by now", "for later".
fn is_pronoun(rest: &str) -> bool {
    ALREADY.contains(&rest.trim()) || FROM_NOW_ON.split('|').any(|words| words == rest.trim())
}

/// Returns whether words after "remember that" make an article of "that": "restaurant we went to".
fn is_article(words: &[&str]) -> bool {
    const NO_NOUNS: &[&str] = &[
        "yesterday",
        "today",
        "tomorrow",
        "tonight",
        "now",
        "nowadays",
        "last",
        "then",
        "once",
        "when",
        "whenever",
        "after",
        "before",
        "because",
        "since",
        "if",
        "sometimes",
        "everything",
        "nothing",
        "something",
        "as",
        "while",
        "until",
        "although",
        "though",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    const PAST: &[&str] = &[
        "went", "had", "saw", "met", "were", "was", "did", "said", "told", "ate", "made", "got", "took",
        "bought", "found", "stayed", "wrote", "sent", "gave", "thought",
    ];
    let [noun, subject, verb, after @ ..] = words else { return false };
    // "That" begins a statement if a verb follows: "that cake I baked was good".
    !after.iter().any(|word| CLAUSE_VERBS.contains(word))
        && *verb != "need"
        && !NO_NOUNS.contains(noun)
        && !CLAUSE_STARTS.contains(noun)
        && ["i", "we", "you", "he", "she", "they"].contains(subject)
        && (PAST.contains(verb) || verb.ends_with("ed"))
}

/// Returns the part of a folded sentence that the speaker asks to remember; an empty range at the end if the
/// sentence has only the introduction; `None` if there is no introduction.
pub(crate) fn remembered(sentence: &Sentence) -> Option<Range<usize>> {
    static LATIN: LazyLock<Regex> =
        LazyLock::new(|| simplified(&filled(&format!("{BEFORE}(?:{}) ", INTRODUCTIONS.join("|")))));
    static HAN: LazyLock<Regex> = LazyLock::new(|| simplified(CHINESE));
    static JAPANESE_BEFORE: LazyLock<Regex> =
        LazyLock::new(|| simplified(&JAPANESE.replace("{oboete}", OBOETE)));
    static FRENCH: LazyLock<Regex> = LazyLock::new(|| simplified(&filled(&format!("{BEFORE}(?:{ELIDED})"))));
    static HAN_BARE: LazyLock<Regex> = LazyLock::new(|| simplified(CHINESE_BARE));
    let text = sentence.text();
    let mut introductions = LATIN.find_iter(text).peekable();
    if let Some(first) = introductions.peek() {
        let is_report = voices::is_report(&text[..first.start()]);
        let mut first = introductions.take(INTRODUCTIONS_READ);
        let found = first.find(|found| !is_report && introduces(sentence, found));
        return found.map(|found| found.end() - 1..text.len());
    }
    if text.contains(" qu'")
        && let Some(found) = FRENCH.find(text).filter(|found| !sentence.asked || is_polite(found.as_str()))
    {
        return Some(found.end()..text.len());
    }
    if !sentence.asked
        && text.contains(is_kana)
        && let Some(found) = JAPANESE_BEFORE.find(text)
    {
        return Some(found.end()..text.len());
    }
    let is_question = sentence.asked || text.trim_end().ends_with('吗');
    if is_question
        && !["能", "可以"].iter().any(|can| text.trim_start().trim_start_matches('你').starts_with(can))
    {
        return None;
    }
    if let Some(found) = HAN.find(text) {
        // "Don't forget what I just said" names what was said before.
        let names_said = ["刚才说", "刚刚说", "刚说", "之前说", "上面说", "说的"];
        if names_said.iter().any(|said| text[found.end()..].starts_with(said)) {
            return None;
        }
        // The pronoun belongs to the statement.
        let pronoun = if found.as_str().ends_with('我') { '我'.len_utf8() } else { 0 };
        let end = text.trim_end().trim_end_matches(['吗', '吧']).len();
        return Some(found.end() - pronoun..if is_question { end } else { text.len() });
    }
    if is_question {
        return None;
    }
    let found = HAN_BARE.find(text)?;
    let rest = &text[found.end()..];
    // After "don't forget" comes an action, unless a subject and its verb do.
    let states = match found.as_str().contains('忘') {
        true => rest.find(['是', '有', '叫', '姓', '喜']).is_some_and(|verb| {
            verb > 0 && !rest[..verb].contains(['给', '在', '把', '去', '买', '带', '要', '对', '不'])
        }),
        false => rest.contains(CHINESE_VERBS),
    };
    (states && !rest.starts_with(CHINESE_OTHERS)).then_some(found.end()..text.len())
}

/// How the end of a sentence, or a sentence after it, asks to remember what was said.
const AFTERWARDS: &str = concat!(
    r" (?:(?:please|pls|and|so|bitte|por favor|stp|svp|per favore|пожалуиста) )*(?:",
    r"(?:{english})?(?:please )?(?:remember|note|memori[sz]e) (?:this|that|it)(?: (?:{from_now_on}))?|please (?:remember|note|don't forget)|(?:don't|dont|do not) forget(?: (?:it|that|this))?",
    r"|{german}(?:merken|behalten|notieren)|{spanish}(?:recordarlo|anotarlo|apuntarlo|tenerlo en cuenta)|{french}(?:(?:le |t'en |vous en )(?:retenir|noter|souvenir)|(?:retenir|noter) (?:ca|cela))",
    r"|(?:puoi|potresti)(?: per favore)? (?:ricordarlo|ricordartelo|annotarlo)|(?:pode|podes|podias?|poderia)(?: por favor)? (?:lembrar disso|anotar isso|lembrar-se disso)",
    r"|(?:save|store|keep) (?:this|that|it) (?:in|to) (?:your )?memory",
    r"|keep (?:that|this|it) in mind|make a note(?: of (?:that|it))?",
    r"|(?:merk|merke|notier|notiere) (?:dir )?(?:das|es)|merken|(?:das )?nicht vergessen|vergiss (?:das|es) nicht",
    r"|recuerdalo|acuerdate|acordate|no lo olvides|no te olvides|apuntalo|anotalo|tenlo en cuenta|tomalo en cuenta",
    r"|retiens-le|retiens ca|note-le|note ca|n'oublie pas|souviens-t'en|souviens-toi|lembra disso|lembre-se disso|nao esquece|anota isso|ricordatelo|ricordalo|non dimenticarlo|segnatelo",
    r"|запомни(?:те)?(?: это)?|не (?:забудь|забываи)(?:те)?(?: (?:это|об этом))?|(?:запиши|учти)(?:те)?(?: это)?",
    r")(?: (?:please|pls|bitte|por favor|stp|svp|mal|gut|bien|per favore|ok|пожалуиста|thanks))* $",
);
const HAN_AFTERWARDS: &str = "(?:^ ?|[,:-] ?)(?:请|你|帮我|麻烦)*(?:记住|记一下|记下来|记好|别忘了|不要忘了)(?:了|哦|啊|哈|吧|这个)? ?$";

/// Returns the part of a folded sentence that its end asks to remember; an empty range if that is all it says. `None` if it
/// does not ask.
pub(crate) fn remembered_before(sentence: &Sentence) -> Option<Range<usize>> {
    static REQUEST: Pattern = Pattern::of(
        || {
            let request = AFTERWARDS.replace("{from_now_on}", FROM_NOW_ON);
            Latin::of(&filled(&format!("(?:^|[,:-]){request}")))
        },
        || simplified(&format!("{HAN_AFTERWARDS}|{}", JAPANESE_AFTERWARDS.replace("{oboete}", OBOETE))),
    );
    let text = sentence.text();
    let found = REQUEST.find(text)?;
    if sentence.asked && !is_polite(&text[found.clone()]) {
        return None;
    }
    let before = &text[..found.start];
    // "Update the docs, don't forget" is a task.
    if text[found.clone()].contains(" forget") && !before.is_empty() && !begins_clause(before) {
        return None;
    }
    let is_said = before.split(' ').filter(|word| !word.is_empty()).count() > 1 || before.len() > 8;
    Some(if is_said && !voices::is_report(before) { 0..found.start } else { 0..0 })
}
