//! Tells when what looks like a request to forget may be something else. To forget what nobody asked to forget is worse than to
//! miss a request, which can be made again in plainer words.

use std::ops::Range;
use std::sync::LazyLock;

use memtape_language::han::is_han;
use memtape_language::kana::is_kana;
use regex::Regex;

use super::parts::is_list;
use super::patterns::{
    AFTER_MATTER, DELETING, FORGET_ANYTHING, INSTEAD, MEMORY, PERSONAL, PLEASE, THINGS, compiled,
};
use super::place::{Place, word_count};
use crate::latin::{Latin, Pattern, simplified};
use crate::page::Sentence;
use crate::requests::{self, remembering};
use crate::tail::folded_words;
use crate::voices;

/// The maximum number of words of a greeting or another exclamation.
const GREETING_WORDS: usize = 3;
/// The same in Chinese or Japanese characters.
const GREETING_HAN: usize = 6;
/// The maximum number of words before a request after a comma, unless it says "please" or they are a clause of the speaker.
const WORDS_BEFORE: usize = 2;
/// The number of words at the beginning of a sentence that may except something from what is asked before it.
const EXCEPTING_WORDS: usize = 3;
/// Verbs of requests that are also the third person, whose subject these languages leave out: "olvida que soy celíaca".
const THIRD_PERSON: &str = " (?:(?:olvid|borr|elimin|quit|dej|dimentic|cancell|apag)a|(?:esquec|oubli|effac|supprim|enlev|retir|arret)e) ";
/// First words of a sentence in the first person, or to the assistant, in these languages.
#[rustfmt::skip]
const OF_SPEAKER: &[&str] = &[
    "yo", "soy", "tengo", "vivo", "estoy", "trabajo", "he", "puedes", "podrias", "sabes", "tu", "gracias", "io", "sono", "ho", "sto", "lavoro",
    "puoi", "sai", "grazie", "eu", "sou", "tenho", "estou", "moro", "trabalho", "podes", "sabes", "voce", "obrigado", "obrigada", "je",
    "j'ai", "j'habite", "nous", "peux", "merci", "ya", "no", "me", "nos", "era", "fue", "non", "nao", "ja", "foi", "on", "c'etait", "c'est",
    "ca",
];
/// Words for somebody else in them.
const OF_OTHERS: &str = r" (?:mis?|sus?|ell[ao]s?|mi[ao]|mie[i]?|su[ao]|lui|lei|meus?|minhas?|seus?|suas?|el[ae]s?|mon|ma|mes|son|sa|ses|elles?) ";
/// First words of a clause of the speaker before a request, in other languages, and verbs of speech: what follows may be said
/// in another's name.
const CLAUSE_OF_SPEAKER: &str = r"^ (?:i|i'm|i've|we|we're|we've|ich|wir|я|мы) ";
const SPEAKS: &str = r" (?:sa(?:y|ys|ying|id)|tell|tells|told|ask|asked|wrote|hear|heard|sage|sagte|gesagt|fragte|schrieb|geschrieben|говорю|сказала?) ";
/// Words that make a wish one for a while.
const FOR_NOW: &str = concat!(
    r" (?:for (?:now|today|once|this one|a (?:moment|minute|second|sec|bit|while|day))|(?:just )?this (?:once|time)|at the moment|erstmal|fürs erste|vorerst",
    r"|für (?:heute|jetzt)|(?:für )?einen (?:moment|augenblick)|diesmal|por (?:ahora|hoy|el momento|un momento|una vez|esta vez|enquanto|agora|hoje|um momento|uma vez)|de momento",
    r"|esta vez|desta vez|pour (?:l'instant|le moment|aujourd'hui|une fois|cette fois)|un instant|cette fois|per (?:ora|adesso|oggi|il momento|un momento|una volta|questa volta)|questa volta",
    r"|пока|на (?:сегодня|время|минуту)|в этот раз) ",
);
/// Those of them that may belong to an appointment, and words for one.
const TODAY: &[&str] = &["today", "heute", "hoy", "aujourd'hui", "oggi", "hoje", "сегодня"];
const APPOINTMENTS: &str = " (?:appointments?|meetings?|calls?|reservations?|bookings?|interviews?|termine?|[a-zäöü]+termin|citas?|reunion(?:es)?|rendez-vous|reunions?|appuntament[oi]|riunion[ei]|consultas?|встреч[аиуе]|прием) ";
/// First words of a sentence that gives the reason of the request before it: "forget my address. It is out of date."
#[rustfmt::skip]
const REASON_STARTS: &[&str] = &[
    "it", "it's", "its", "he", "he's", "she", "she's", "they", "that", "that's", "this", "my", "er", "sie", "es", "das", "die", "mein",
    "meine", "el", "ella", "ya", "es", "era", "esta", "mi", "il", "elle", "c'est", "c'etait", "ce", "mon", "ma", "lui", "lei", "mio", "mia", "non",
    "e", "ele", "ela", "meu", "minha", "это", "он", "она", "оно", "мои", "моя",
];
/// Words of somebody who is annoyed that it was forgotten before.
const AGAIN: &str = r" (?:again|schon wieder|otra vez|de nuevo|encore(?: une fois)?|di nuovo|ancora|outra vez|de novo|опять|снова)";
/// How people say that they leave for good, so that they mean what they ask for after it: "I'm done here", "ya no te necesito".
const LEAVES: &str = concat!(
    r"^(?: (?:ok|okay|so|well|hi|hey|hello|sorry|thanks|hallo|also|danke|hola|bueno|gracias|bonjour|bon|merci|ciao|allora|grazie|ola|bom|obrigad[oa]|привет|ну|спасибо)(?: ,)?)* (?:",
    r"(?:i'm|i am|we're|we are) (?:leaving|done|quitting|moving on|through)(?: (?:here|now|for good|forever|with (?:you|this|it|all (?:of )?this)|(?:with )?(?:this|the|your) (?:service|app|site|platform|chat|assistant|bot)))*",
    r"|(?:i|we) (?:don't|do not|dont|won't|will not|no longer) (?:want to use|use|need|be using) (?:you|this|(?:this|the|your) (?:service|app|site|platform|chat|assistant|bot))(?: any ?more| any longer| again)?",
    r"|(?:i|we)(?:'m| am|'re| are|'ll| will)?(?: going to)? (?:cancel(?:l?ing)?|clos(?:e|ing)|delet(?:e|ing)) (?:my|our) (?:account|subscription)",
    r"|i (?:won't|will not) (?:be (?:coming )?back|come back|return)|i'm not coming back|(?:this is )?goodbye(?: forever| for good)?",
    r"|ich (?:gehe|verschwinde)(?: jetzt)?(?: (?:für immer|endgültig))?|ich bin (?:hier )?(?:fertig|raus|weg)|ich höre (?:hier )?auf|ich komme nicht (?:wieder|zurück|mehr wieder)|das war's(?: für mich)?",
    r"|ich (?:verlasse|kündige|beende) (?:diesen dienst|den dienst|diese app|die app|diesen chat|mein konto|das abo|mein abo)|ich (?:brauche|nutze|benutze|verwende) (?:dich|sie|das|(?:diesen|den) dienst|(?:diese|die) app) nicht mehr",
    r"|(?:ya )?me voy(?: (?:ya|de aqui|para siempre|definitivamente))*|(?:ya )?he (?:terminado|acabado)(?: aqui| contigo)?|ya no te (?:necesito|uso|usare|voy a usar)(?: mas)?|no (?:voy a volver|volvere)(?: mas)?",
    r"|(?:dejo|voy a dejar)(?: de usar)? (?:este|esta|el|la) (?:servicio|aplicacion|app|asistente)|(?:cierro|cancelo|voy a (?:cerrar|cancelar)) (?:mi|la) (?:cuenta|suscripcion)",
    r"|je (?:pars|m'en vais|te quitte|vous quitte)(?: (?:definitivement|pour de bon|pour toujours|d'ici))*|j'ai (?:fini|termine)(?: ici| avec toi)?|je n'ai plus besoin de (?:toi|vous|ce service|cette appli(?:cation)?)|j'arrete(?: ici| tout)?",
    r"|je ne (?:reviendrai (?:pas|plus)|(?:t'|vous )utilise(?:rai)? plus)|je (?:quitte|ferme|supprime|resilie) (?:ce service|cette appli(?:cation)?|l'appli(?:cation)?|mon compte|mon abonnement)",
    r"|me ne vado(?: (?:via|per sempre|definitivamente))*|ho (?:finito|chiuso)(?: qui| con te)?|non ho piu bisogno di (?:te|lei|voi|questo servizio)|non (?:torno|tornero)(?: piu)?|(?:lascio|chiudo|smetto di usare) (?:questo servizio|il servizio|quest'app|l'app|il mio account)",
    r"|(?:eu )?(?:vou-me embora|vou embora|estou (?:indo|a ir) embora)(?: (?:de vez|para sempre))?|(?:eu )?(?:ja )?(?:terminei|acabei)(?: (?:por )?aqui)?|(?:eu )?(?:ja )?nao preciso(?: mais)? (?:de (?:ti|voce|si)|deste servico)(?: mais)?|(?:eu )?nao (?:volto|vou voltar)(?: mais)?|vou (?:deixar|cancelar|fechar|encerrar) (?:este servico|o servico|a app|o app|a minha conta|minha conta)",
    r"|я (?:ухожу|закончила?)(?: (?:навсегда|отсюда|совсем|здесь))*|ты мне больше не нуж(?:ен|на|но)|(?:я )?больше не буду (?:тобои |вами |этим )?пользоваться|я не вернусь",
    r") $",
);
const HAN_LEAVES: &str = "^ ?我(?:要|就要|得)?(?:走了|离开了?|不再用(?:你|这个)?了?|不会再(?:用|来)(?:你|这个)?了?|以后不用你了) ?$|^ ?もう(?:使いません|使わない|来ません|必要ありません|利用しません) ?$|^ ?(?:退会|解約)(?:します|しました|する) ?$|^ ?これで(?:終わり|お別れ)です ?$";
/// How people except something from what they ask, in words of a message.
const EXCEPTS: &str = concat!(
    r" (?:except(?:ing)?|apart from|aside from|other than|but (?:please )?(?:not|keep|leave|remember|don t|do not)|ausser|ausgenommen|bis auf|aber (?:bitte )?(?:nicht|behalt|behalte|merk|merke|lass)",
    r"|excepto|salvo|menos|aparte de|pero (?:por favor )?(?:no|guarda|recuerda|conserva|deja)|sauf|excepte|hormis|a part|mais (?:pas|garde|gardez|retiens)|tranne|eccetto|a parte|ma (?:non|tieni|ricorda)",
    r"|exceto|mas (?:nao|guarda|guarde|mantem|lembra)|кроме|но (?:не|запомни|оставь|помни)) ",
);
/// Verbs that ask to keep something, and words before them. `{keep}` and `{just}` stand for them in patterns.
const KEEP: &str = concat!(
    r"(?:keep|retain|preserve|behalte?|bewahre?|guard[ae]|conserv[ae]|mant[ei]n|garde(?:z)?|conserve(?:z)?|retien[st]|retenez|tieni|mantieni|mantem|mantenha",
    r"|сохрани(?:те)?|оставь(?:те)?)",
);
const JUST: &str = "(?: (?:,|but|and|please|pls|just|only|aber|bitte|und|nur|pero|por favor|y|solo|mais|et|stp|svp|juste|seulement|ma|per favore|e|mas|so|apenas|но|и|пожалуиста|только))*";
/// How the sentence after a request asks to keep something.
const KEEPS: &str = "^{just} {keep} ";
/// How a sentence beside a request to forget all may do so.
const MAY_KEEP: &str = concat!(
    r"^{just} (?:not|just|only|except|leave|spare|nicht|nur|lass|no mi|solo|solamente|deja|pas|seulement|juste|laisse|soltanto|lascia|apenas|deixa|только|лишь) | {keep} ",
    r"| (?:remember|save|stays?|behalten|merke?n?|bleiben|bleibt|recuerd[ae]|qued[ae]|garder|reste(?:r)?|ricorda(?:ti)?|resta(?:re)?|lembr[ae]|fi[cq]u?[ae]|запомни(?:те)?|помни(?:те)?) ",
);
/// The same in Chinese and Japanese.
const HAN_KEEPS: &[&str] = &["保留", "留下", "留着", "只留", "记住", "别删", "残し", "覚えて", "だけ"];
/// Remarks that look like exceptions: "apart from that, how are you?"
const ASIDES: &str = " (?:(?:apart|aside|other) (?:from|than) (?:that|this)|bis auf weiteres|menos mal|(?:aparte de|a part|a parte|fora|tirando) (?:eso|esto|ca|cela|questo|isso|isto)|кроме (?:того|этого)) ";
const HAN_EXCEPTS: &[&str] = &["除了", "除外", "但", "以外", "除いて", "だけは"];
/// How Russian says that all that was said of a matter is meant, which looks like a statement: "забудь, что я говорила про …".
const SAYS_ABOUT: &str =
    "^(?:я )?(?:тебе |вам )?(?:говорила?|сказала?|рассказывала?|рассказала?) (?:о|об|обо|про) ";
/// What follows a condition: "forget it again, and I'm gone".
const OR_ELSE: &str = r"(?:and|or|und|oder|y|o|et|ou|e|и|или) (?:i|i'm|i'll|i've|we|you|you're|you'll|it's|ich|wir|du|yo|me|tu|te|je|j'[a-z]+|io|eu|voce|я|мы|ты) ";
/// Verbs that make an idiom: "forget my diet, it's Christmas!".
const IDIOM: &str = r" (?:forget|scratch|strike|vergiss|vergesst|vergessen|olvid[ae]|oublie(?:z)?|dimentica|esquece|esqueca|забудь(?:те)?) ";
/// First words of thanks.
const THANKS: &[&str] = &[
    "thank",
    "danke",
    "vielen dank",
    "gracias",
    "muchas gracias",
    "merci",
    "grazie",
    "obrigad",
    "спасибо",
    "谢谢",
    "多谢",
    "感谢",
    "ありがとう",
];
/// Verbs that stay: only before these is "forget where I …" no short form of "I forget where I parked".
#[rustfmt::skip]
const STAYS: &[&str] = &[
    "live", "work", "am from", "are from", "come from", "grew up", "habit", "vis ", "vivons ", "travaill", "viens ", "venons ",
];

/// The same of others: "forget where my sister lives".
const STAY: &[&str] = &["lives", "live", "works", "work", "habite", "habitent", "travaille"];

/// Returns whether a request says "please", or names the memory.
pub(super) fn is_plain(text: &str) -> bool {
    PLEASE.iter().chain(MEMORY).any(|word| text.contains(word))
}

/// Returns whether the sentence before a request asks to translate or to edit: the request may be the text.
pub(super) fn is_text(place: &Place<'_>) -> bool {
    static OWN: LazyLock<Regex> = LazyLock::new(|| simplified(CLAUSE_OF_SPEAKER));
    !is_plain(place.text())
        && place.previous().is_some_and(|previous| {
            let text = previous.text();
            let is_own = OWN.is_match(text) || text.trim_start().starts_with(['我', '私', '僕', '俺']);
            !is_own && requests::works_on_text(previous.sentence())
        })
}

/// Returns whether nothing but greetings and the news that its speaker leaves stands before a request, or before one that says
/// "please", what they say of themselves.
pub(super) fn is_first(place: &Place<'_>) -> bool {
    static OWN: LazyLock<Regex> = LazyLock::new(|| simplified(CLAUSE_OF_SPEAKER));
    let is_plain = is_plain(place.text());
    place.before().iter().all(|sentence| {
        let text = sentence.text();
        !sentence.asked
            && !may_keep(sentence)
            && (is_short(text) || is_thanks(text) || leaves(text) || is_plain && OWN.is_match(text))
    })
}

/// Returns whether a folded text is as short as a greeting.
fn is_short(text: &str) -> bool {
    let is_unspaced = |c: &char| is_han(*c) || is_kana(*c);
    word_count(text) <= GREETING_WORDS && text.chars().filter(is_unspaced).nth(GREETING_HAN).is_none()
}

/// Returns whether a request at a position of a folded sentence is all that it says, but that its speaker leaves.
pub(super) fn is_first_in(text: &str, start: usize) -> bool {
    let before = &text[..start];
    word_count(before) == 0 || leaves(&format!("{} ", before.trim_end()))
}

/// Returns whether a folded text says that its speaker leaves for good.
fn leaves(text: &str) -> bool {
    static LEAVING: Pattern = Pattern::of(|| Latin::of(LEAVES), || simplified(HAN_LEAVES));
    LEAVING.is_match(text)
}

/// Returns whether a sentence thanks.
fn is_thanks(text: &str) -> bool {
    THANKS.iter().any(|thanks| text.trim_start().starts_with(thanks))
}

/// Returns whether a sentence may ask to keep something.
fn may_keep(sentence: &Sentence) -> bool {
    static KEEPING: LazyLock<Latin> = LazyLock::new(|| keeping(MAY_KEEP));
    KEEPING.is_match(sentence.text())
        || HAN_KEEPS.iter().any(|keep| sentence.text().contains(keep))
        || remembering::remembered(sentence).is_some()
}

fn keeping(pattern: &str) -> Latin {
    Latin::of(&pattern.replace("{just}", JUST).replace("{keep}", KEEP))
}

/// Returns whether what stands in brackets in or after a request excepts something from it; if it `means_all` of something,
/// whether the next sentence does; and for a wide one, which forgets most, whether anything after it may: "forget everything I
/// told you (except my birthday)".
pub(super) fn excepts(place: &Place<'_>, is_wide: bool, means_all: bool) -> bool {
    static KEEPING: LazyLock<Latin> = LazyLock::new(|| keeping(KEEPS));
    static EXCEPTION: LazyLock<Latin> = LazyLock::new(|| Latin::of(EXCEPTS));
    static ASIDE: LazyLock<Latin> = LazyLock::new(|| Latin::of(ASIDES));
    let excepts = |text: &str| {
        let words = format!(" {} ", folded_words(text).join(" "));
        EXCEPTION.is_match(&words) && !ASIDE.is_match(&words)
            || HAN_EXCEPTS.iter().any(|except| text.contains(except))
    };
    let start = |place: &Place<'_>| place.sentence().range().start;
    let next = place.next();
    let end = next.filter(|_| !is_wide).map_or(place.message.len(), |next| start(&next));
    // "Forget that I eat anything except fish" names the exception.
    let is_own = !is_wide && excepts(place.text());
    let begins = next.filter(|_| means_all).is_some_and(|next| {
        let words = next.text().split_inclusive(' ').filter(|word| word.contains(char::is_alphanumeric));
        excepts(&words.take(EXCEPTING_WORDS).collect::<String>()) || KEEPING.is_match(next.text())
    });
    let said = &place.message[start(place)..end];
    let may_except = || {
        let mut after = place.sentences[place.number + 1..].iter();
        let mut brackets = said.split(['(', '（', '[']).skip(1);
        brackets.any(|bracket| bracket.contains(char::is_alphabetic)) || after.any(may_keep)
    };
    begins || !is_own && excepts(said) || is_wide && may_except()
}

/// Returns whether what follows a request to forget a statement names all that was said about a matter.
pub(super) fn says_about(rest: &str) -> bool {
    static ABOUT: LazyLock<Latin> = LazyLock::new(|| Latin::of(SAYS_ABOUT));
    ABOUT.is_match(rest)
}

/// Returns whether the verb of a request is in the past tense, which only its accent tells: "olvidé que …", "oublié mon
/// rendez-vous".
pub(super) fn is_past(place: &Place<'_>, request: &Range<usize>) -> bool {
    const STEMS: &[&str] =
        &["olvid", "borr", "elimin", "quit", "dej", "oubli", "effac", "supprim", "enlev", "retir", "arret"];
    let request = place.message[place.sentence().place(request)].to_lowercase();
    request.split(|c: char| !c.is_alphabetic() && c != '\u{301}').any(|word| {
        STEMS.iter().any(|stem| word.starts_with(stem))
            && (word.ends_with('é') || word.ends_with("e\u{301}") || word.ends_with("ée"))
    })
}

/// Returns whether the verb of a request may be in the past tense: who writes "olvide", and no accent in the whole message, may
/// mean "olvidé".
pub(super) fn may_be_past(place: &Place<'_>, request: &Range<usize>) -> bool {
    static FORMAL: LazyLock<Latin> = LazyLock::new(|| Latin::of(" (?:olvid|borr|elimin|quit|dej)e "));
    is_past(place, request)
        || FORMAL.is_match(&place.text()[request.clone()])
            && !place.message.contains(|c: char| "áéíóúñü¿¡ÁÉÍÓÚÑ\u{301}".contains(c))
            && !is_plain(place.text())
            && !place.text().contains(" usted ")
}

/// Returns whether the verb of a request may be in the third person: its subject is in the words before it. "Mi marido nunca me
/// escucha, olvida que soy celíaca."
pub(super) fn is_of_another(place: &Place<'_>, request: &Range<usize>) -> bool {
    static THIRD: LazyLock<Latin> = LazyLock::new(|| Latin::of(THIRD_PERSON));
    static REQUEST: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET_ANYTHING));
    let text = place.text();
    if is_plain(text) || !THIRD.is_match(&text[request.clone()]) {
        return false;
    }
    let before = &text[..request.start];
    if word_count(before) > 0 {
        return !is_of_speaker(before);
    }
    let Some(previous) = place.previous() else { return false };
    match REQUEST.find(previous.text()) {
        Some(found) => is_of_another(&previous, &found.range()),
        None => !is_of_speaker(previous.text()),
    }
}

/// Returns whether the words before a request are the speaker's own: a greeting, or a sentence in the first or second person.
fn is_of_speaker(text: &str) -> bool {
    static OTHERS: LazyLock<Latin> = LazyLock::new(|| Latin::of(OF_OTHERS));
    let first = text.split(' ').find(|word| !word.is_empty()).unwrap_or_default();
    (OF_SPEAKER.contains(&first) || word_count(text) == 1) && !OTHERS.is_match(text)
}

/// Returns whether the words before a request in its sentence make it another's, or no request at all.
pub(super) fn is_within(text: &str, request: &Range<usize>) -> bool {
    let before = &text[..request.start];
    let is_own = !text[request.start..].starts_with(':') && states_own(before);
    let third = OF_SPEAKER.contains(&before.split_whitespace().next().unwrap_or_default());
    voices::is_report(before)
        || word_count(before) > WORDS_BEFORE && !is_own && !third && !is_plain(&text[request.clone()])
}

/// Returns whether the words before a request are a clause about the speaker that quotes nothing they said.
fn states_own(before: &str) -> bool {
    static OWN: LazyLock<Regex> = LazyLock::new(|| simplified(CLAUSE_OF_SPEAKER));
    static SPOKEN: LazyLock<Latin> = LazyLock::new(|| Latin::of(SPEAKS));
    OWN.is_match(before) && !SPOKEN.is_match(&format!("{before} "))
}

/// Returns whether a request to forget a matter begins its sentence, or says "please" after a clause of the speaker: "we broke
/// up, so please forget everything about Anna".
pub(super) fn follows_own(text: &str, request: &Range<usize>) -> bool {
    let before = &text[..request.start];
    word_count(before) == 0
        || is_plain(&text[request.clone()]) && states_own(before) && !voices::is_report(before)
}

/// Returns whether a sentence wishes something for a while.
pub(super) fn is_for_now(text: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| simplified(FOR_NOW));
    static APPOINTMENT: LazyLock<Regex> = LazyLock::new(|| simplified(APPOINTMENTS));
    // "My appointment for today" is one matter.
    let is_part = |found: &str| TODAY.iter().any(|today| found.contains(today)) && APPOINTMENT.is_match(text);
    PATTERN.find_iter(text).any(|found| !is_part(found.as_str()))
}

/// Returns whether a sentence warns of what happens if something is forgotten: "forget my allergy again, and I'm gone".
pub(super) fn is_warning(text: &str, is_matter: bool) -> bool {
    static MATTER: LazyLock<Regex> = LazyLock::new(|| simplified(&format!("{AGAIN} | , {OR_ELSE}")));
    static CLAUSE: LazyLock<Regex> = LazyLock::new(|| simplified(&format!("{AGAIN} (?:, )?{OR_ELSE}")));
    !is_plain(text) && if is_matter { MATTER.is_match(text) } else { CLAUSE.is_match(text) }
}

/// Returns whether a request leaves out the speaker who does not remember: "don't remember my number", "forget where I parked".
/// `rest` is what follows the request.
pub(super) fn is_ellipsis(request: &str, rest: &str) -> bool {
    let denies = request.contains(" remember ") && !request.contains(" you ") && !is_plain(request);
    let is_where = request.contains(" where ") || request.contains(" ou ");
    let stays = || {
        let last = request.trim_end().rsplit(' ').next().unwrap_or_default();
        match last {
            "my" | "mon" | "ma" | "mes" => rest.split(' ').skip(1).take(3).any(|word| STAY.contains(&word)),
            _ => STAYS.iter().any(|verb| rest.starts_with(verb)),
        }
    };
    denies || is_where && !is_plain(request) && !request.contains(" you ") && !stays()
}

/// Returns whether what follows a request makes an idiom or an errand of it: "forget my diet, it's Christmas!", "forget the
/// milk, I'll buy it".
pub(super) fn says_other(place: &Place<'_>, request: &str, rest: &str, is_bare: bool) -> bool {
    static NEW: LazyLock<Regex> = LazyLock::new(|| simplified(INSTEAD));
    let says_please = PLEASE.iter().any(|please| request.contains(please));
    let Some(mark) = rest.find(" , ").or_else(|| rest.find(" - ")) else {
        return !says_please && !is_plain(place.text()) && goes_on(place, request);
    };
    let after = &rest[mark + 2..];
    (is_bare || !says_please && !is_list(rest) && !NEW.is_match(after))
        && !AFTER_MATTER.is_match(&format!(" ,{after}"))
}

/// Returns whether the sentence after an idiom goes on without a reason to forget what the idiom names.
fn goes_on(place: &Place<'_>, request: &str) -> bool {
    static IDIOMS: LazyLock<Regex> = LazyLock::new(|| simplified(IDIOM));
    static NEW: LazyLock<Regex> = LazyLock::new(|| simplified(INSTEAD));
    static PERSON: LazyLock<Regex> = LazyLock::new(|| simplified(PERSONAL));
    static OWN: LazyLock<Regex> = LazyLock::new(|| simplified(CLAUSE_OF_SPEAKER));
    static REQUEST: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET_ANYTHING));
    let Some(next) = place.next().map(|next| next.sentence()) else { return false };
    let text = next.text();
    let is_short = !next.asked && (word_count(text) < 2 || is_thanks(text));
    // "Forget my address. I moved to York": an address makes no idiom.
    let is_of_person = PERSON.is_match(place.text()) && OWN.is_match(text);
    let first = text.split_whitespace().next().unwrap_or_default();
    // "It's Christmas!" is a reason to eat, not to forget.
    let is_explained = REASON_STARTS.contains(&first) && !is_exclaimed(place.message, next);
    let is_reason = !next.asked && (NEW.is_match(text) || is_of_person || is_explained);
    let asks = REQUEST.is_match(text) || remembering::remembered(next).is_some();
    let is_idiom = IDIOMS.is_match(request) && !request.contains(" you ");
    is_idiom && !is_short && !is_reason && !asks
}

/// Returns whether an exclamation mark ends a sentence.
fn is_exclaimed(message: &str, sentence: &Sentence) -> bool {
    let end = sentence.range().end;
    message[end..].trim_start().starts_with(['!', '！'])
}

/// Returns whether a request deletes something that may be no memory: "delete my branch". Without a possessive, it may be
/// anything: "delete the third paragraph". `verbs` has the verbs of the request, and `matter` is what it names.
pub(super) fn deletes_thing(verbs: &str, text: &str, matter: &str, is_bare: bool, is_own: bool) -> bool {
    static THING: LazyLock<Regex> = LazyLock::new(|| simplified(THINGS));
    static OF_PERSON: LazyLock<Regex> = LazyLock::new(|| simplified(PERSONAL));
    DELETING.iter().any(|verb| verbs.contains(verb))
        && !MEMORY.iter().any(|memory| text.contains(memory))
        && (is_bare || THING.is_match(matter) || is_own && !OF_PERSON.is_match(matter))
}
