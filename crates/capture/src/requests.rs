//! Finds requests about a text: to remember it ("please remember that …", "merk dir: …"), to forget it ("forget that
//! I …"), or to work on it ("translate: …").

use std::ops::Range;
use std::sync::LazyLock;

use memtape_language::kana::is_kana;
use regex::Regex;

use super::latin::{Latin, Pattern, simplified};
use super::page::Sentence;
use super::voices;

/// How a sentence introduces what is to be remembered, in all languages alike: an introduction at its start or after
/// a mark, up to a conjunction or colon.
const INTRODUCTIONS: &[&str] = &[
    r"(?:{english})?(?:remember|keep in mind|bear in mind|don't forget|dont forget|never forget|make a note|take note|memori[sz]e|save|note for (?:later|you))(?: (?:this|it|please))?(?: that| (?:, )?:)",
    r"(?:note to (?:self|yourself|you)|add (?:this )?to (?:your )?memory|for your memory|notiz an (?:dich|mich)|nota (?:para|a) ti|note pour toi) (?:, )?:",
    r"(?:{english})?(?:memori[sz]e|save|remember|note) (?:the following(?: [a-z]+)?|this|that|these|those)(?: [a-z]+)?(?: for later)?(?: please)? (?:, )?:",
    r"(?:{english}|please )(?:note|store|record|write down)(?: (?:this|it|down))?(?: that| (?:, )?:)",
    r"(?:i(?:'d| would)? (?:want|like|need) you to |please )(?:always )?remember(?: (?:this|it|please))? that",
    r"(?:vergiss|vergessen sie)(?: bitte)? (?:nie|niemals|auf keinen fall)(?: ,)? dass|ich (?:möchte|will)(?: ,)? dass (?:du dir|sie sich) (?:merkst|merken|notierst)(?: ,)? dass",
    r"(?:quiero|necesito|me gustaria) que (?:recuerdes|te acuerdes de|anotes|tengas en cuenta) que|no olvides nunca que|nunca olvides que",
    r"je (?:veux|voudrais|aimerais) que (?:tu (?:retiennes|te souviennes|notes)|vous reteniez) que|n'oublie(?:z)? jamais que",
    r"voglio che (?:tu )?(?:ricordi|ti ricordi) che|quero que (?:te )?(?:lembres|lembre|se lembre)(?: de)? que",
    r"{german}(?:merken|behalten|im (?:kopf|hinterkopf|gedächtnis) behalten|notieren)(?: ,)? dass",
    r"(?:behalte?|speichere?|speichern sie|du (?:solltest|sollst|musst) dir merken)(?: (?:es|das|bitte|mal|im kopf|im hinterkopf|im gedächtnis))*(?: ,)? dass",
    r"{spanish}(?:recordar|acordarte de|acordarse de|anotar|apuntar|tener en cuenta) que",
    r"{french}(?:(?:te |vous )?souvenir|retenir|(?:te |vous )?rappeler|noter|garder en tete) que",
    r"(?:merk dir|merke dir|merken sie sich|denk dran|denk daran|denken sie daran|vergiss nicht|vergessen sie nicht|notier dir|notiere dir|halt fest|halte fest|merken|notieren)(?: (?:bitte|mal|das|folgendes))*(?: , dass| dass| (?:, )?:)",
    r"(?:recuerda|recuerde|recorda|acuerdate|acordate|no (?:te |se )?olvid(?:es|as|e)|ten en cuenta|tene en cuenta|tenga en cuenta|anota|apunta|toma nota|guarda)(?: (?:de|esto|isto|por favor|porfa|bien))*(?: que| (?:, )?:)",
    r"(?:souviens-toi|souvenez-vous|retiens|retenez|rappelle-toi|n'oublie pas|oublie pas|n'oubliez pas|garde en tete|gardez en tete|prends note|note bien)(?: (?:bien|stp|svp|ceci|ca))*(?: que| (?:, )?:)",
    r"(?:lembra|lembre|lembre-se|lembra-te|nao (?:se )?esque[cç]a|nao (?:te )?esque[cç]as|anota|anote|guarda)(?: (?:ai|isso|de|por favor))*(?: que| (?:, )?:)",
    r"(?:ricorda|ricordati|ricordate|ricordatevi|non dimenticare|tieni presente|tieni a mente|segnati|prendi nota)(?: (?:questo|per favore|bene))*(?: che| (?:, )?:)",
    r"(?:puoi|potresti|puo|potrebbe)(?: per favore)? (?:ricordare|ricordarti|ricordarsi|tenere a mente|annotare|segnarti) che",
    r"(?:pode|podes|podias?|poderia|consegue|consegues)(?: (?:por favor|se faz favor))? (?:lembrar|lembrar-se de|lembrar-te de|anotar|guardar|memorizar) que",
    r"(?:можешь|можете|мог бы|могла бы)(?: (?:ты|вы|пожалуиста))* (?:запомнить|записать|учесть)(?: ,)? что",
    r"(?:запомни|запомните|помни|не забудь|не забудьте|не забываи|учти|учтите|запиши)(?: (?:пожалуиста|это))*(?: , что| что| (?:, )?:)",
    BARE,
];
/// An introduction without a conjunction, before the speaker: "don't forget I'm off on Fridays". It is the last one, so
/// that those with a conjunction are found first.
const BARE: &str = "(?:don't|dont) forget";
/// Words for the speaker.
const SPEAKER: &[&str] = &["i", "i'm", "i've", "we", "we're", "we've"];
/// Introductions in French before an elided conjunction: "retiens qu'il habite à Lyon".
const ELIDED: &str = r"(?:souviens-toi|souvenez-vous|retiens|retenez|rappelle-toi|n'oublie pas|n'oubliez pas|note bien|{french}(?:(?:te |vous )?souvenir|retenir|noter)) qu'";
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
/// Beginnings of questions about what was said, after "can you remember that".
#[rustfmt::skip]
const RECOLLECTIONS: &[&str] = &[
    "i told", "i asked", "i said", "i mentioned", "we talked", "we discussed", "we spoke", "te dije", "te conte", "te pedi", "dije",
    "dijiste", "hablamos", "j'ai dit", "je t'ai dit",
];
/// Words before an introduction.
const BEFORE: &str = r"(?:^|[,:-])(?: (?:please|pls|plz|and|also|so|ok|okay|hey|hi|btw|bitte|und|also|por favor|porfa|y|e|et|ok|stp|svp|per favore|пожалуиста|и|a))*(?: ,)? ";
/// The introductions in Chinese, which has no spaces.
const CHINESE: &str = "(?:^ ?|[,:-] ?)(?:请|你|帮我|麻烦|能不能|能|可以)*(?:记住|记一下|记下来|记好|别忘了|不要忘了|别忘记|不要忘记)(?:了|哦|啊|一下)? ?(?:[:,] ?|(?:我))";
/// How Japanese asks to remember what follows a mark, and what precedes the request.
const JAPANESE: &str = "^ ?(?:次のことを|以下を|これを|これだけは)?(?:ちゃんと|必ず)?{oboete} ?(?:[:,、-]) ?";
const JAPANESE_AFTERWARDS: &str = "(?:ということ|って(?:こと)?|こと|の)?(?:[とをはも、,:]|って) ?(?:ちゃんと|必ず|ぜひ)?{oboete} ?$|^ ?(?:これ|それ|このこと)?(?:[をはも])?{oboete} ?$";
/// The verbs of both.
const OBOETE: &str = "(?:覚えて(?:おいて|いて|て)?|覚えといて|記憶して(?:おいて)?|メモして(?:おいて)?|メモっといて|忘れないで(?:いて)?)(?:ください|下さい|ほしい|くれ|ね|よ)*";

/// An introduction in Chinese without a mark, before a statement about something else than the speaker. Before an action
/// it is a reminder.
const CHINESE_BARE: &str = "^ ?(?:请|你|帮我|麻烦)*(?:记住|记好|记一下) ?";
/// First characters after it that make it no statement: "remembered?", "remember to …", "remember this".
const CHINESE_OTHERS: &[char] =
    &['了', '没', '吗', '要', '这', '那', '的', '什', '怎', '多', '它', '得', '别'];
/// Characters of a statement.
const CHINESE_VERBS: &[char] =
    &['是', '在', '有', '叫', '姓', '对', '会', '喜', '讨', '不', '住', '属', '怕', '过'];
/// Words after "remember that" that make a question about the past of it.
const MEMORIES: &[&str] = &["time", "day", "night", "one", "guy", "song", "movie", "thing", "scene"];

/// Replaces the names of the ways to ask in a pattern.
fn filled(source: &str) -> String {
    let ways = [
        ("{forget}", ENGLISH_FORGET),
        ("{vergiss}", GERMAN_FORGET),
        ("{olvida}", SPANISH_FORGET),
        ("{oublie}", FRENCH_FORGET),
        ("{english}", ENGLISH_REQUEST),
        ("{german}", GERMAN_REQUEST),
        ("{spanish}", SPANISH_REQUEST),
        ("{french}", FRENCH_REQUEST),
    ];
    ways.iter().fold(source.to_owned(), |source, (name, way)| source.replace(name, way))
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

/// Returns the part of a folded sentence that the speaker asks to remember; an empty range at the end if the
/// sentence has only the introduction; `None` if there is no introduction.
pub(super) fn remembered(sentence: &Sentence) -> Option<Range<usize>> {
    static LATIN: LazyLock<Regex> =
        LazyLock::new(|| simplified(&filled(&format!("{BEFORE}(?:{}) ", INTRODUCTIONS.join("|")))));
    static HAN: LazyLock<Regex> = LazyLock::new(|| simplified(CHINESE));
    static JAPANESE_BEFORE: LazyLock<Regex> =
        LazyLock::new(|| simplified(&JAPANESE.replace("{oboete}", OBOETE)));
    static FRENCH: LazyLock<Regex> = LazyLock::new(|| simplified(&filled(&format!("{BEFORE}(?:{ELIDED})"))));
    static HAN_BARE: LazyLock<Regex> = LazyLock::new(|| simplified(CHINESE_BARE));
    let text = sentence.text();
    if let Some(found) = LATIN.find(text) {
        if voices::is_report(&text[..found.start()]) {
            return None;
        }
        let request = found.as_str();
        let rest = &text[found.end()..];
        let next = rest.split(' ').next().unwrap_or_default();
        let is_bare = request.ends_with(" forget ");
        let is_of_file = [" save ", " store ", " record "].iter().any(|verb| request.contains(verb))
            && request.ends_with(" that ");
        let is_about_past =
            MEMORIES.contains(&next) || RECOLLECTIONS.iter().any(|words| rest.starts_with(words));
        let is_meant = match () {
            () if sentence.asked => is_polite(request) && !is_about_past,
            () if is_bare => SPEAKER.contains(&next),
            () => !MEMORIES.contains(&next),
        };
        return (is_meant && (!is_of_file || rest.is_empty() || begins_clause(rest)))
            .then(|| found.end() - 1..text.len());
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
    (rest.contains(CHINESE_VERBS) && !rest.starts_with(CHINESE_OTHERS)).then_some(found.end()..text.len())
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
    let forgotten = forgotten_after(sentence).map(|(start, _)| start);
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

/// How the end of a sentence, or a sentence after it, asks to remember what was said.
const AFTERWARDS: &str = concat!(
    r" (?:(?:please|pls|and|so|bitte|por favor|stp|svp|per favore|пожалуиста) )*(?:",
    r"(?:please )?(?:remember|note|memori[sz]e) (?:this|that|it)|please (?:remember|note|don't forget)|(?:don't|dont|do not) forget(?: (?:it|that|this))?",
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
pub(super) fn remembered_before(sentence: &Sentence) -> Option<Range<usize>> {
    static REQUEST: Pattern = Pattern::of(
        || Latin::of(&format!("(?:^|[,:-]){AFTERWARDS}")),
        || simplified(&format!("{HAN_AFTERWARDS}|{}", JAPANESE_AFTERWARDS.replace("{oboete}", OBOETE))),
    );
    let text = sentence.text();
    if sentence.asked {
        return None;
    }
    let found = REQUEST.find(text)?;
    let before = &text[..found.start];
    // "Update the docs, don't forget" is a task.
    if text[found.clone()].contains(" forget") && !before.is_empty() && !begins_clause(before) {
        return None;
    }
    let is_said = before.split(' ').filter(|word| !word.is_empty()).count() > 1 || before.len() > 8;
    Some(if is_said && !voices::is_report(before) { 0..found.start } else { 0..0 })
}

/// Words before a request to forget.
const BEFORE_FORGET: &str = r"(?: (?:please|pls|plz|ok|okay|and|also|hey|hi|oh|sorry|actually|just|bitte|und|por favor|porfa|y|stp|svp|s'il te plait|s'il vous plait|et|per favore|e|пожалуиста))*(?: ,)? ";
/// Verbs that ask to forget, each with a word like "please" and the memory after it. `{forget}`, `{vergiss}`, `{olvida}` and
/// `{oublie}` stand for them in patterns.
const ENGLISH_FORGET: &str = r"(?:{english}|you can )?(?:forget|delete|erase|remove|drop)(?: from (?:your|the) memory)?(?:(?: ,)? please(?: ,)?)?";
const GERMAN_FORGET: &str = concat!(
    r"(?:vergiss|vergesst|lösche?|loesche?|streiche?|entferne?|(?:vergessen|löschen|loeschen|streichen|entfernen) sie)",
    r"(?:(?: ,)? bitte(?: ,)?| mal| wieder)*(?: aus (?:deinem|ihrem|dem) gedächtnis)?",
);
const SPANISH_FORGET: &str = concat!(
    r"(?:olvid(?:a|e|ate de|ese de)|borr[ae]|elimin[ae]|quit[ae]|dej[ae] de recordar|{spanish}(?:olvidar|borrar|eliminar|quitar))",
    r"(?:(?: ,)? (?:por favor|porfa)(?: ,)?)?(?: de (?:tu|la|su) memoria)?(?:(?: ,)? (?:por favor|porfa)(?: ,)?)?",
);
const FRENCH_FORGET: &str = concat!(
    r"(?:(?:oubli|effac|supprim|enlev|retir)e(?:z)?|arrete(?:z)? de (?:retenir|te souvenir|vous souvenir)|{french}(?:oublier|effacer|supprimer))",
    r"(?:(?: ,)? (?:stp|svp|s'il (?:te|vous) plait)(?: ,)?)?(?: de (?:ta|votre|la) memoire)?(?:(?: ,)? (?:stp|svp|s'il (?:te|vous) plait)(?: ,)?)?",
);
/// How a sentence asks to forget something, at its start or after a mark.
const FORGET: &str = concat!(
    r"(?:^(?: no ,)?|[,:-]){before}(?:",
    // Whether a clause follows is examined afterwards: names are no fixed words.
    r"(?:{english}|you can )?forget (?:(?:that )?i (?:ever )?(?:told you|said|mentioned)(?: that)? (?:i|my|we)|the fact (?:i|my|we)|where (?:i|we|my)|(?:i|my) (?:have|am|live|work|take|was|like)|(?:i'm|i've)) ",
    r"|(?:{forget}(?: the (?:fact|entry|note))?|don't remember|stop remembering(?: the fact)?|(?:you )?(?:don't|do not|dont) (?:need|have) to remember) that ",
    r"|{vergiss}(?: (?:die (?:info|information|tatsache|notiz|sache)|den (?:eintrag|fakt|hinweis)))?(?: ,)? dass (?:ich dir (?:gesagt|erzählt) habe(?: ,)? dass )?",
    r"|(?:{german}|du (?:kannst|sollst) (?:ruhig |bitte )?)(?:vergessen|löschen)(?: ,)? dass |ich (?:möchte|will|hätte gern)(?: ,)? dass (?:du|sie) (?:vergisst|vergessen)(?: ,)? dass ",
    r"|{olvida}(?: de)?(?: (?:el (?:dato|hecho) de|la nota de))? que (?:te (?:dije|conte) que )?|(?:quiero|necesito|me gustaria) que (?:olvides|borres|elimines) que ",
    r"|{oublie} (?:le fait )?(?:que je t'ai dit )?(?:que |qu')|je (?:veux|voudrais|aimerais) que (?:tu oublies|vous oubliiez) (?:que |qu')",
    r"|(?:forget (?:this|that|the following)|vergiss(?: bitte)? (?:das|dies|folgendes)|olvida (?:esto|eso|lo siguiente)|oublie (?:ca|cela|ceci|ce qui suit)) : ",
    r"|(?:{forget} (?:this|that) from (?:your|the) memory|{vergiss} (?:das|dies) aus (?:deinem|dem) gedächtnis|{olvida} (?:esto|eso) de (?:tu|la) memoria|{oublie} (?:ca|cela|ceci) de (?:ta|la) memoire) : ",
    r"|erinnere? dich(?: bitte)? nicht mehr(?: daran)?(?: ,)? dass |ya no (?:recuerdes|te acuerdes de) que |ne (?:retiens|retenez|te souviens) plus (?:que |qu')",
    r"|(?:esquece|esqueca|apaga) que |quero que (?:esquecas|esqueca) que |(?:dimentica|cancella) che |voglio che (?:tu )?dimentichi che",
    r"|(?:забудь|забудьте)(?: ,)? что )",
);
/// How a sentence does so after what it asks to remember.
const AND_FORGET: &str = r" (?:,|,? ?(?:and|but|und|aber|y|pero|et|mais))(?: (?:please|bitte|por favor|stp|svp))? (?:{forget} that |{vergiss}(?: ,)? dass |{olvida} que |{oublie} (?:que |qu'))";
/// How a sentence asks to forget a matter that it names: "forget what I said about my job", "forget my phone number".
/// A possessive at its end belongs to the matter.
const FORGET_MATTER: &str = concat!(
    r"^{before}(?:",
    r"(?:{english}|you can )?(?:forget|delete|erase) (?:(?:everything|all|anything|whatever|what)(?: that)? )?(?:(?:i|i've|we|you)(?: (?:ever|just|have))* (?:said|told you|mentioned|wrote|know|remember|stored|saved) )?about ",
    r"|(?:{english}|you can )?forget (?:that )?i(?: (?:ever|just|have))* (?:mentioned|brought up|said anything about|told you (?:anything )?about) ",
    r"|(?:(?:{english}|you can )?(?:forget|delete|erase)|(?:don't|do not|dont) remember) (?:(?:my|our) )",
    r"|(?:{english}|you can )?(?:forget|delete|erase|remove|drop) from (?:your|the) memory (?:the )?",
    r"|(?:{english}|you can )?(?:delete|erase|remove) the ",
    r"|(?:{english}|you can )?(?:forget|scratch|strike) (?:the (?:(?:thing|bit|part|stuff|business) (?:about|with|of) (?:the )?)?|that (?:thing|bit|part|stuff|business) (?:about|with|of) (?:the )?)",
    r"|(?:please |pls )(?:remove|unlearn) (?:my|our) |(?:{english}|you can )(?:remove|unlearn) (?:my|our) |unlearn (?:my|our) ",
    r"|(?:i don't|i do not|i dont) want you to (?:remember|know|keep) (?:my|our) |you (?:don't|do not|dont) (?:need|have) to (?:remember|know|keep) (?:my|our) ",
    r"|{vergiss} (?:das|die sache|die geschichte) mit (?:der |dem |den |meine[rmn]? )?|{vergiss} (?:(?:mein|unser)(?:e[nrms]?)? )",
    r"|{vergiss}(?: alles)? (?:über|ueber|zu) |{vergiss}(?: alles| das)?(?: ,)? was (?:du|ich) (?:dir |ihnen )?(?:je |jemals )?(?:über|ueber|zu|von) ",
    r"|{german}(?:bitte )?(?:mein|unser)(?:e[nrms]?)? |(?:du sollst|du kannst)(?: bitte| ruhig)? (?:mein|unser)(?:e[nrms]?)? ",
    r"|ich (?:möchte|will|hätte gern)(?: ,)? dass (?:du|sie) (?:bitte )?(?:mein|unser)(?:e[nrms]?)? ",
    r"|{olvida} lo de (?:l[aos]s? |el |mi )?|{olvida} (?:(?:mis?|nuestr[oa]s?) )",
    r"|{olvida} (?:(?:todo )?lo que (?:(?:te |yo )*(?:dije|conte|he dicho|he contado|mencione)|sabes|recuerdas) (?:sobre|acerca de|de) |todo (?:sobre|acerca de|de) |(?:sobre|acerca de) )",
    r"|(?:quiero|necesito|me gustaria) que (?:olvides|borres|elimines) (?:mis?|nuestr[oa]s?) ",
    r"|(?:oublie|oubliez) (?:l'histoire|le truc|ce truc) (?:de|du|des|avec) (?:la |le |les )?|{oublie} (?:(?:mon|ma|mes|notre|nos) )",
    r"|{oublie} (?:(?:tout )?ce que (?:je t'ai (?:dit|raconte)|j'ai dit|je vous ai dit|tu sais|vous savez) (?:sur|a propos de|de) |tout (?:sur|a propos de) |(?:sur|a propos de) )",
    r"|je (?:veux|voudrais|aimerais) que (?:tu oublies|tu effaces|vous oubliiez) (?:mon|ma|mes|notre|nos) ",
    r"|(?:pode|podes|podia|poderia)(?: (?:por favor|se faz favor))? (?:esquecer|apagar) (?:[oa]s? )?(?:meus?|minhas?) |(?:puoi|potresti)(?: per favore)? (?:dimenticare|cancellare) (?:il mio|la mia|i miei|le mie) ",
    r"|(?:забудь|забудьте) (?:про |о )?(?:(?:мои|мою|моего|моеи|мое) )",
    r"|(?:dimentica|cancella) (?:(?:il mio|la mia|i miei|le mie) )|(?:esquece|esqueca|apaga) (?:[oa]s? )?(?:(?:meu|minha|meus|minhas) )",
    r"|{vergiss} (?:den|die|das|dem) |{olvida} (?:el|la|los|las) |{oublie} (?:(?:le|la|les) |l')",
    // A name follows, with a capital letter.
    r"|(?P<verb>(?:{english}|you can )?(?:forget|delete|erase) |{vergiss} |{olvida} (?:a )?|{oublie} ))",
);
/// How a sentence asks to remove a matter from the memory: "delete the nut allergy from your memory".
const REMOVE_MATTER: &str = r"^{before}(?:{english}|you can )?(?:delete|erase|remove|drop|forget) (?:(?:the|that) )?(.{3,60}) from (?:your |the )?memory(?: (?:please|pls|again))? $";
/// How a sentence begins that asks to forget, whatever it names. Other verbs delete what is no memory.
const FORGET_ANYTHING: &str = concat!(
    r"^{before}(?:(?:{english}|you can )?forget|vergiss|vergesst|vergessen sie|olvid(?:a|e|ate|ese)|oublie(?:z)?|dimentica|esque[cç]a|esquece|забудь(?:те)?",
    r"|{forget} (?:that|from (?:your|the) memory)|{vergiss}(?: ,)? dass|{olvida} que|{oublie} (?:que|qu'[^ ]+)",
    r"|[^ ]+ (?:aus (?:deinem|dem) gedächtnis|de (?:tu|la|ta) (?:memoria|memoire)))(?: |$)",
);
/// How a sentence begins that asks to delete something, which may be no memory.
const DELETE: &str = concat!(
    r"^{before}(?:(?:{english}|you can )?(?:delete|erase|remove|drop)|(?:lösch|loesch|streich|entfern)(?:e|en sie)?|(?:borr|elimin|quit)[ae]",
    r"|(?:effac|supprim|enlev|retir)e(?:z)?) ",
);
/// Words that make no request of it: "vergiss nicht", "olvida tomar su medicación".
const NO_REQUEST: &str = " (?:nicht|nie|niemals|pas|jamais|olvida (?:siempre |a menudo )?[a-z]+[aei]r(?:l[aeo]s?|se)?|oublie (?:souvent |toujours )?de) ";
/// How a sentence asks to forget what was said just before: "forget what I just said".
const FORGET_LAST: &str = concat!(
    r"(?:^|[,-]){before}(?:",
    r"(?:{english}|you can )?(?:(?:forget|scratch|strike) (?:that|this)|(?:delete|erase) (?:that|this)(?: please)? from (?:your|the) memory|(?:forget|delete|erase) (?:(?:what|the thing) i(?:'ve)? (?:just )?(?:said|told you|wrote|mentioned)|(?:everything|all(?: that)?) i(?:'ve)? just (?:said|told you|wrote|mentioned))|forget i (?:ever )?(?:said|told you|mentioned) (?:that|this|anything|it)",
    r"|(?:forget|scratch) (?:that|this|the|my) (?:last|previous) (?:message|statement|remark|thing))",
    r"|(?:vergiss|lösch|lösche|vergessen sie)(?: bitte)? das|(?:vergiss|lösch|lösche)(?: bitte)?(?: alles| das)?(?: ,)? was ich (?:dir )?(?:gerade|eben|vorhin) (?:gesagt|geschrieben|erzählt) habe?",
    r"|(?:vergiss|lösch|lösche)(?: bitte)?(?: das)?(?: ,)? was ich (?:dir )?(?:gesagt|geschrieben|erzählt) habe?",
    r"|(?:vergiss|vergessen sie)(?: bitte)? (?:die|meine) (?:letzte|vorige) (?:nachricht|aussage|bemerkung)",
    r"|olvid[ae] (?:el|mi|ese|este) (?:ultimo mensaje|mensaje anterior)|(?:oublie|oubliez) (?:le|mon|ce) (?:dernier message|message precedent)",
    r"|(?:olvida|borra|olvide|borre) (?:eso|esto)|{olvida} lo que (?:te )?(?:acabo de (?:decir|contar|escribir)|dije|he dicho)",
    r"|(?:oublie|oubliez|efface|effacez) (?:ca|cela)|{oublie} ce que (?:je viens de (?:dire|te dire|t'ecrire|raconter)|j'ai dit|je t'ai dit)",
    r"|(?:dimentica|cancella) (?:questo|(?:quello|cio) che (?:ho|ti ho) (?:appena )?(?:detto|scritto))",
    r"|(?:esquece|esqueca|apaga) (?:isso|isto|o que (?:eu )?(?:acabei de (?:dizer|escrever)|disse))",
    r"|(?:забудь|забудьте) (?:это|(?:, )?что я (?:только что |сеичас )?(?:сказал|сказала|написал|написала)))",
    r"(?:(?: ,)? (?:please|pls|again|now|right away|just now|before|earlier|bitte|gleich|sofort|wieder|mal|por favor|porfa|antes|ya|stp|svp|tout de suite|per favore|пожалуиста|from (?:your|the) memory))* $",
);
const HAN_FORGET_LAST: &str = "^ ?(?:今|さっき|先ほど|いま)(?:言った|話した|書いた)(?:こと|話|の|やつ)は?(?:もう)?(?:忘れて|削除して|消して)(?:ください|下さい|ね|くれ)* ?$|^ ?(?:请|你|帮我|麻烦|把)*(?:忘了|忘掉|忘记|删掉|删除)(?:我)?(?:刚才|刚刚|之前|上面)(?:说|讲|写|告诉你)的(?:话|那些话?|内容|东西)?(?:吧|了)? ?$";
/// How a sentence asks to forget all that its speaker ever said. "Forget everything" alone is as often an idiom.
const FORGET_ALL: &str = concat!(
    r"^{before}(?:",
    r"(?:{english}|you can )?(?:forget|delete|erase|remove) (?:everything|all(?: that)?|anything) (?:i(?:'ve)? (?:ever )?(?:said|told you|mentioned)|you(?:'ve)? (?:have )?(?:ever )?(?:know|remember|have|learned|saved|stored|recorded|noted|kept|collected)(?: about (?:me|us))?|about (?:me|us))",
    r"|(?:{english}|you can )?(?:forget|delete|erase|remove|clear|wipe) (?:all (?:of )?)(?:my|our) (?:personal )?(?:data|memories|information|info)",
    r"|{vergiss} alles(?: ,)? (?:was (?:ich (?:dir |ihnen )?(?:je |jemals )?(?:gesagt|erzählt|geschrieben) habe?|(?:du|sie) (?:über|von) mi(?:ch|r) (?:weißt|weisst|wissen|gespeichert hast|gespeichert haben))|über mich)",
    r"|{vergiss} alle (?:meine|unsere) (?:persönlichen )?(?:daten|erinnerungen|informationen)",
    r"|{olvida} todo (?:lo que (?:te )?(?:dije|he dicho|conte|he contado)|lo que (?:sabes|has guardado|guardaste|tienes(?: guardado)?) (?:de|sobre) mi|(?:sobre|de) mi)",
    r"|{olvida} tod[oa]s (?:mis|nuestros|nuestras) (?:datos|recuerdos|informaciones)(?: personales)?",
    r"|{oublie} tout(?: ce)? (?:que (?:je t'ai dit|j'ai dit|je vous ai dit|je t'ai raconte|(?:tu sais|tu as (?:enregistre|garde|retenu|stocke)) (?:sur|de) moi)|sur moi)",
    r"|{oublie} tou(?:te)?s (?:mes|nos) (?:donnees|souvenirs|informations)(?: personnelles)?",
    r"|(?:dimentica|cancella) tutto (?:quello |cio )?(?:che (?:ti ho detto|ho detto|sai (?:di|su) me)|su di me)",
    r"|(?:esquece|esqueca|apaga) tudo (?:o que (?:eu )?(?:te )?(?:disse|contei)|o que sabes (?:de|sobre) mim|sobre mim)",
    r"|(?:забудь|забудьте) все(?: ,)? (?:что я (?:тебе |вам )?(?:говорил|говорила|сказал|сказала|рассказывал|рассказывала)|что ты знаешь обо мне|обо мне))",
    r"(?:(?: ,)? (?:please|pls|so far|before|today|bitte|por favor|stp|svp|per favore|пожалуиста|from (?:your|the) memory))* $",
);
const HAN_FORGET_ALL: &str = "^ ?(?:私|僕|俺)(?:について|に関する|のこと|が(?:言った|話した)こと)(?:の情報|のこと)?(?:は|を)?(?:全部|すべて|全て)(?:忘れて|削除して|消して)(?:ください|下さい|ね|くれ)* ?$|^ ?(?:请|你|帮我|麻烦|把)*(?:忘了|忘掉|忘记|删掉|删除)(?:所有|一切|全部)?(?:我(?:跟你|对你|告诉你?)?(?:说过?|讲过?|告诉你)?的?(?:一切|所有事?|全部)|关于我的(?:一切|所有|全部).{0,3}|我(?:说过|告诉你)的所有.{0,3}) ?$";
/// Words after such a request that say what holds instead, or that it never held. Others make an idiom of it: "forget my
/// diet, it's Christmas!".
const INSTEAD: &str = concat!(
    r" (?:now|new|no longer|not (?:true|right|correct)|wrong|mistake|changed|outdated|instead|never|negative|jetzt|neue?[rsn]?|falsch|fehler|irrtum|stimmt nicht",
    r"|nicht mehr|negativ|ahora|nuev[oa]|ya no|error|falso|negativo|maintenant|private|personal|confidential|secret|sensitive|none of your business|privat|persönlich|geheim|vertraulich|geht (?:dich|niemanden) nichts an|privad[oa]|confidencial|secreto|prive|privee|personnel|confidentiel|nouve(?:au|lle)|faux|erreur|n'est plus|negatif) ",
);
/// Parts of the verbs of such a request. A "t" ends "don't", "dont" and "not": who asks to remember something asks to forget
/// nothing.
#[rustfmt::skip]
const FORGET_STEMS: &[&str] = &[
    "forget", "delete", "erase", "remove", "unlearn", "drop", "scratch", "strike", "clear all", "wipe all", "t remember", "stop remember",
    "t want you to", "t need to", "t have to", "vergiss", "vergess", "lösch", "loesch", "entfern", "streich", "erinner dich", "erinnere dich",
    "olvid", "borr", "elimin", "quita", "quite mi", "recordar", "recuerdes", "acuerdes", "memoria", "oubli", "effac", "supprim",
    "enlev", "retire ", "retirez ", "memoire", "retenir", "retiens", "retenez", "souvenir", "souviens", "забудь", "dimentic", "cancell",
    "esquec", "apaga",
];
/// Beginnings of words for illnesses. Nobody says "forget my allergy" as an idiom, and "delete the allergy" means no file.
const ILLNESSES: &str = r"(?:^|[ '])(?:[a-zäöü]+-?)?(?:allerg|alerg|epilep|diabet|asthma|asma|diagnos|illness|disease|krankheit|enfermedad|maladie|pregnan|schwanger|embaraz|grossesse|medicat|medikament)";
/// Possessives before a matter, which belong to it.
const POSSESSIVES: &str = r" (?:my|our|(?:mein|unser)(?:e[nrms]?)?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos|il mio|la mia|i miei|le mie|meus?|minhas?|мои|мою|моего|моеи|мое) $";
/// Words after a matter that do not belong to it.
static AFTER_MATTER: LazyLock<Regex> = LazyLock::new(|| {
    simplified(concat!(
        r"(?:(?: ,)? (?:please|pls|thanks|yesterday|earlier|gestern|ayer|hier|again|for good|completely|now|ok|okay|bitte|wieder|por favor|vale|stp|svp|s'il te plait|d'accord",
        r"|from (?:your|the) memory|aus (?:deinem|dem) gedächtnis|de (?:tu|la) memoria|de (?:ta|la) memoire|dalla (?:tua )?memoria|da (?:tua )?memoria",
        r"|(?:gesagt|erzählt|geschrieben|erwähnt)(?: habe?| hatte)?|weißt|weisst|vergessen|vergisst|löschen|löschst|any ?more|any longer))+ $",
    ))
});
/// Matters that are no memories: "forget about it", "forget my last question", "vergiss meinen Geburtstag nicht".
const NO_MATTER: &str = concat!(
    r"^ ?(?:it|that|this|these|those|me|what|which|das|es|mich|nicht|nie|niemals|eso|esto|ca|cela|pas) |^ (?:my|our|meine?[nrs]?|mis?|mon|ma|mes) ",
    r"(?:(?:last|previous|earlier|other|first|letzten?|vorige[nr]?|ultim[oa]|derniere?) )?(?:question|request|message|instructions?|prompt|answer|idea|suggestion|remark|mistake|bad|frage|nachricht|idee|pregunta|mensaje|idea) ",
    r"| nicht (?:$|[,:-])",
);
/// Things that are deleted, rather than forgotten: "delete my branch".
const THINGS: &str = concat!(
    r" (?:branch(?:es)?|files?|folders?|director(?:y|ies)|repo|repository|account|code|database|tables?|containers?|commits?|tests?",
    r"|functions?|drafts?|cache|alarms?|reminders?|timers?|contacts?|playlists?|apps?|bookings?|subscriptions?|images?|photos?|posts?|comments?|e?-?mails|messages?|events?|tasks?|notes|konto|datei(?:en)?|ordner",
    r"|nachrichten?|kommentare?|cuenta|archivos?|mensajes?|comentarios?|compte|fichiers?|commentaires?) ",
);
const HAN_FORGETS: &str = "(?:忘了|忘掉|忘记|删掉|删除)";
/// Words at the end of what is to be forgotten in Chinese.
const HAN_TAIL: &str = "(?:(?:的)?(?:这件事|这个|事情|事|信息|记忆)|吗|吧|了| )*$";

/// Words of a request to forget all that was said about a matter.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    " about ", " thing ", " stuff ", " über ", " ueber ", " zu ", " von ", " mit ", " sobre ", " acerca de ", " lo de ", " sur ", " a propos de ",
    " histoire ", " truc ", " lo que ", " ce que ", " todo de ",
];
/// Verbs that delete what is no memory, too: "delete the third paragraph".
#[rustfmt::skip]
const DELETING: &[&str] = &[
    "delete", "erase", "remove", "drop", "lösch", "loesch", "streich", "entfern", "borr", "elimin", "quit", "effac", "supprim", "enlev",
    "retir",
];
/// Parts of the words for the memory.
const MEMORY: &[&str] = &[" memor", " memoir", " gedächtnis"];
/// Words for "please" in a request.
const PLEASE: [&str; 6] = [" please ", " pls ", " bitte ", " por favor ", " stp ", " per favore "];
/// The maximum number of words before a request after a comma, unless it says "please".
const WORDS_BEFORE: usize = 2;

/// Returns the pattern of a request to forget.
fn forgetting(source: &str) -> Regex {
    simplified(&filled(&source.replace("{before}", BEFORE_FORGET)))
}

/// Returns whether a sentence may ask to forget: the patterns are long, and compiled only for one that does.
fn may_forget(text: &str) -> bool {
    FORGET_STEMS.iter().any(|stem| text.contains(stem))
}

/// Returns whether a sentence is a question, and not a request with "ok?" at its end.
fn is_question(sentence: &Sentence) -> bool {
    const TAGS: [&str; 8] =
        [" , ok ", " , okay ", " , ja ", " , vale ", " , si ", " , d'accord ", " , please ", " , bitte "];
    sentence.asked && !TAGS.iter().any(|tag| sentence.text().ends_with(tag))
}

/// Returns whether the verb of a request to forget is in the past tense, which only its accent tells in folded text: "olvidé
/// que …", "oublié mon rendez-vous".
fn is_past(message: &str, sentence: &Sentence, request: &Range<usize>) -> bool {
    let request = message[sentence.place(request)].to_lowercase();
    request.split(|c: char| !c.is_alphabetic()).any(|word| {
        let is_verb = [
            "olvid", "borr", "elimin", "quit", "dej", "oubli", "effac", "supprim", "enlev", "retir", "arret",
        ]
        .iter()
        .any(|stem| word.starts_with(stem));
        is_verb && (word.ends_with('é') || word.ends_with("e\u{301}") || word.ends_with("ée"))
    })
}

/// Returns the part of a folded sentence that the speaker asks to forget; `None` if there is no such request.
pub(super) fn forgotten(message: &str, sentence: &Sentence) -> Option<Range<usize>> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| forgetting(FORGET));
    let text = sentence.text();
    if let Some(range) = forgotten_han(sentence) {
        return Some(range);
    }
    if !may_forget(text) {
        return None;
    }
    let found = LATIN.find(text)?;
    if is_question(sentence) && !is_polite(found.as_str()) || is_past(message, sentence, &found.range()) {
        return None;
    }
    // In Romance languages the third person is like the request: "mi marido nunca me escucha, olvida que soy celíaca".
    let before = text[..found.start()].split(' ').filter(|word| word.contains(char::is_alphanumeric)).count();
    if before > WORDS_BEFORE && !PLEASE.iter().any(|please| found.as_str().contains(please)) {
        return None;
    }
    // The subject belongs to what is forgotten.
    let last = found.as_str().trim_end().rsplit(' ').next().unwrap_or_default();
    let is_subject = !matches!(last, "that" | "dass" | "que" | "qu'" | "che" | "что" | ":");
    if last == "that" && !begins_clause(&text[found.end()..]) {
        return None;
    }
    let start = found.end() - if is_subject { last.len() + 1 } else { 0 };
    let end = AFTER_MATTER.find(&text[start..]).map_or(text.len(), |after| start + after.start() + 1);
    let range = start..end.max(start);
    text[range.clone()].contains(char::is_alphanumeric).then_some(range)
}

/// Returns where in a folded sentence that asks to remember something a request begins to forget something else, and what
/// that is: "remember that I live in York and forget that I live in Leeds".
pub(super) fn forgotten_after(sentence: &Sentence) -> Option<(usize, Range<usize>)> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| forgetting(AND_FORGET));
    if !may_forget(sentence.text()) {
        return None;
    }
    let asked = remembered(sentence)?;
    let text = &sentence.text()[asked.clone()];
    let found = may_forget(text).then(|| LATIN.find(text)).flatten()?;
    let named = asked.start + found.end()..asked.end;
    sentence.text()[named.clone()]
        .contains(char::is_alphanumeric)
        .then(|| (asked.start + found.start(), named))
}

/// Returns the same of a sentence in Chinese: "忘记我有癫痫", "把我的癫痫忘掉".
fn forgotten_han(sentence: &Sentence) -> Option<Range<usize>> {
    static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
        simplified(&format!(
            "^ ?(?:(?:请|请你|帮我|麻烦|你?(?:能不能|可不可以|能|可以))+{HAN_FORGETS}|(?:忘掉|忘记|删掉|删除))(我.+)|^ ?忘了(我.+)吧 ?$|^ ?(?:请|请你|帮我|麻烦)*(?:{HAN_FORGETS})([^我你这那了关有刚之把]{{2,8}}(?:对|有|是|在|患|怀|得了|住|不).+)"
        ))
    });
    static AFTER: LazyLock<Regex> = LazyLock::new(|| {
        simplified(&format!("^ ?(?:请|你|帮我|麻烦|能|可以)*把(我.+?){HAN_FORGETS}(?:吧|了|吗)* ?$"))
    });
    static TAIL: LazyLock<Regex> = LazyLock::new(|| simplified(HAN_TAIL));
    let text = sentence.text();
    if !text.contains(['忘', '删']) {
        return None;
    }
    let found = BEFORE.captures(text).or_else(|| AFTER.captures(text))?;
    let named = found.iter().skip(1).flatten().next()?;
    if sentence.asked && !text.contains(['能', '可']) {
        return None;
    }
    let end = TAIL.find(named.as_str()).map_or(named.end(), |tail| named.start() + tail.start());
    Some(named.start()..end)
}

/// Returns whether a folded sentence asks to forget all that its speaker ever said.
pub(super) fn forgets_all(message: &str, sentence: &Sentence) -> bool {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| forgetting(FORGET_ALL));
    static HAN: LazyLock<Regex> = LazyLock::new(|| simplified(HAN_FORGET_ALL));
    let text = sentence.text();
    may_forget(text)
        && LATIN.find(text).is_some_and(|found| {
            (!is_question(sentence) || is_polite(found.as_str()))
                && !is_past(message, sentence, &found.range())
        })
        || text.contains(['忘', '删', '削', '消']) && !sentence.asked && HAN.is_match(text)
}

/// Returns where in a folded sentence a request begins to forget what its speaker said just before.
pub(super) fn forgets_last(message: &str, sentence: &Sentence) -> Option<usize> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| forgetting(FORGET_LAST));
    static HAN: LazyLock<Regex> = LazyLock::new(|| simplified(HAN_FORGET_LAST));
    let text = sentence.text();
    let is_han = text.contains(['忘', '删', '削', '消']) && HAN.is_match(text);
    let latin = || LATIN.find(text).filter(|found| !is_past(message, sentence, &found.range()));
    match may_forget(text) && !is_question(sentence) {
        true => latin().map(|found| found.start()),
        false => None,
    }
    .or_else(|| is_han.then_some(0))
}

/// A matter that the speaker asks to forget.
pub(super) struct Matter {
    /// Its range in the folded sentence.
    pub(super) range: Range<usize>,
    /// Whether all that was said about it is meant.
    pub(super) is_all: bool,
}

/// Returns the matter that the speaker asks to forget, if the sentence names one, and does not ask to forget what they said
/// just before ([`forgets_last`]).
pub(super) fn matter(message: &str, sentence: &Sentence) -> Option<Matter> {
    static REQUEST: LazyLock<Regex> = LazyLock::new(|| forgetting(FORGET_MATTER));
    static POSSESSIVE: LazyLock<Regex> = LazyLock::new(|| simplified(POSSESSIVES));
    static OTHER: LazyLock<Regex> = LazyLock::new(|| simplified(NO_MATTER));
    static THING: LazyLock<Regex> = LazyLock::new(|| simplified(THINGS));
    static REMOVE: LazyLock<Regex> = LazyLock::new(|| forgetting(REMOVE_MATTER));
    static NEW: LazyLock<Regex> = LazyLock::new(|| simplified(INSTEAD));
    static ILLNESS: LazyLock<Regex> = LazyLock::new(|| simplified(ILLNESSES));
    static HAN: LazyLock<Regex> = LazyLock::new(|| {
        simplified(&format!(
            "^ ?(?:请|你|帮我|麻烦)*{HAN_FORGETS}(?:有关|关于)(.{{1,12}}?)的(?:一切|所有|全部|事情?|信息)"
        ))
    });
    let text = sentence.text();
    if text.contains(['忘', '删'])
        && let Some(named) = HAN.captures(text).and_then(|found| found.get(1))
    {
        return Some(Matter { range: named.range(), is_all: true });
    }
    if !may_forget(text) {
        return None;
    }
    let asked = is_question(sentence);
    if !asked && let Some(named) = REMOVE.captures(text).and_then(|found| found.get(1)) {
        return Some(Matter { range: named.start() - 1..named.end() + 1, is_all: false });
    }
    let captures = REQUEST.captures(text)?;
    let found = captures.get(0)?;
    if asked && !is_polite(found.as_str()) || is_past(message, sentence, &found.range()) {
        return None;
    }
    let elided = usize::from(!found.as_str().ends_with('\''));
    let start = POSSESSIVE.find(found.as_str()).map_or(found.end() - elided, |possessive| possessive.start());
    let after = AFTER_MATTER.find(&text[start..]);
    // "Kannst du meine Adresse löschen?": the verb comes last.
    if !may_forget(found.as_str()) && !after.is_some_and(|after| may_forget(after.as_str())) {
        return None;
    }
    let end = after.map_or(text.len(), |after| start + after.start() + 1);
    let matter = text.get(start..end)?;
    let is_illness = ILLNESS.is_match(matter);
    let request = found.as_str();
    let names_all = ABOUT.iter().any(|about| request.contains(about));
    let is_plain =
        !names_all || [" forget about ", " forget about the "].iter().any(|end| request.ends_with(end));
    let next = found.end() + text[found.end()..].find(' ').map_or(0, |space| space + 1);
    let is_bare = is_plain && !POSSESSIVE.is_match(request) && !POSSESSIVE.is_match(&text[..next]);
    // "Forget my diet, it's Christmas!", "forget the milk, I'll buy it".
    let after_comma = text[found.end()..].find(" , ").map(|comma| &text[found.end() + comma + 2..]);
    let says_please = PLEASE.iter().any(|please| request.contains(please));
    let says_other = |after: &str| {
        (is_bare || !says_please && !NEW.is_match(after)) && !AFTER_MATTER.is_match(&format!(" ,{after}"))
    };
    if (is_bare || POSSESSIVE.is_match(request)) && !is_illness && after_comma.is_some_and(says_other) {
        return None;
    }
    // Without an article, only what has a capital letter is a name, and "I" is none.
    let word = text[found.end()..].split(' ').next().unwrap_or_default();
    let is_name = message[sentence.place(&(found.end()..found.end() + word.len()))]
        .starts_with(char::is_uppercase)
        && !SPEAKER.contains(&word);
    let is_named = captures.name("verb").is_none() || is_name;
    let is_deleting = DELETING.iter().any(|verb| request.contains(verb))
        && !MEMORY.iter().any(|memory| text.contains(memory));
    let is_thing = is_deleting && THING.is_match(&text[start..]);
    let is_all = !is_bare && names_all;
    (matter.contains(char::is_alphanumeric)
        && is_named
        && !is_thing
        && (is_illness || !is_deleting || !is_bare)
        && !OTHER.is_match(&text[start..]))
    .then_some(Matter { range: start..end, is_all })
}

/// Returns whether a folded sentence begins as a request to forget, whatever it names: it states nothing.
pub(super) fn asks_to_forget(message: &str, sentence: &Sentence) -> bool {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| forgetting(FORGET_ANYTHING));
    static OTHER: LazyLock<Regex> = LazyLock::new(|| simplified(NO_REQUEST));
    let text = sentence.text();
    may_forget(text)
        && !is_question(sentence)
        && LATIN.find(text).is_some_and(|found| !is_past(message, sentence, &found.range()))
        && !OTHER.is_match(text)
}

/// Returns whether a folded sentence begins as a request to delete something. It may state a preference: "remove the comments
/// in your examples".
pub(super) fn asks_to_delete(sentence: &Sentence) -> bool {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| forgetting(DELETE));
    may_forget(sentence.text()) && LATIN.is_match(sentence.text())
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
/// The maximum length of such a request before its colon, in characters.
const REQUEST_MAX: usize = 60;

/// Returns where a text begins that the speaker asks to work on: after the colon of the request.
pub(super) fn edited(sentence: &Sentence) -> Option<usize> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| simplified(&EDITS.join("|")));
    let text = sentence.text();
    let colon = text.find(" : ")?;
    let request = &text[..=colon];
    (request.chars().nth(REQUEST_MAX).is_none() && PATTERN.is_match(request)).then_some(colon + 2)
}
