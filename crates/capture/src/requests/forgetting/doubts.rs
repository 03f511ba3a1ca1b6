//! Tells when what looks like a request to forget may be something else. To forget what nobody asked to forget is worse than to
//! miss a request, which can be made again in plainer words.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::parts::is_list;
use super::patterns::{
    AFTER_MATTER, DELETING, FORGET_ANYTHING, INSTEAD, MEMORY, PERSONAL, PLEASE, THINGS, compiled,
};
use super::place::{Place, word_count};
use crate::latin::{Latin, simplified};
use crate::page::Sentence;
use crate::requests::{self, remembering};
use crate::voices;

/// The maximum number of words of a greeting or another exclamation.
const GREETING_WORDS: usize = 3;
/// The maximum number of words before a request after a comma, unless it says "please" or they are a clause of the speaker.
const WORDS_BEFORE: usize = 2;
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
/// What follows a condition: "forget it again, and I'm gone".
const OR_ELSE: &str = r"(?:and|or|und|oder|y|o|et|ou|e|и|или) (?:i|i'm|i'll|i've|we|you|you're|you'll|it's|ich|wir|du|yo|me|tu|te|je|j'[a-z]+|io|eu|voce|я|мы|ты) ";
/// Verbs that make an idiom: "forget my diet, it's Christmas!".
const IDIOM: &str = r" (?:forget|scratch|strike|vergiss|vergesst|vergessen|olvid[ae]|oublie(?:z)?|dimentica|esquece|esqueca|забудь(?:те)?) ";
/// First words of thanks.
const THANKS: &[&str] =
    &["thank", "danke", "vielen dank", "gracias", "muchas gracias", "merci", "grazie", "obrigad", "спасибо"];
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

/// Returns whether nothing but greetings stands before a request, or before one that says "please", what its speaker says of
/// themselves.
pub(super) fn is_first(place: &Place<'_>) -> bool {
    static OWN: LazyLock<Regex> = LazyLock::new(|| simplified(CLAUSE_OF_SPEAKER));
    let is_plain = is_plain(place.text());
    place.before().iter().all(|sentence| {
        let text = sentence.text();
        !sentence.asked
            && (word_count(text) <= GREETING_WORDS || is_thanks(text) || is_plain && OWN.is_match(text))
    })
}

/// Returns whether a sentence thanks.
fn is_thanks(text: &str) -> bool {
    THANKS.iter().any(|thanks| text.trim_start().starts_with(thanks))
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
    static OWN: LazyLock<Regex> = LazyLock::new(|| simplified(CLAUSE_OF_SPEAKER));
    static SPOKEN: LazyLock<Latin> = LazyLock::new(|| Latin::of(SPEAKS));
    let before = &text[..request.start];
    let framed = format!("{before} ");
    let is_own = !text[request.start..].starts_with(':') && OWN.is_match(before) && !SPOKEN.is_match(&framed);
    let third = OF_SPEAKER.contains(&before.split_whitespace().next().unwrap_or_default());
    voices::is_report(before)
        || word_count(before) > WORDS_BEFORE && !is_own && !third && !is_plain(&text[request.clone()])
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
    let end = sentence.place(&(0..sentence.text().len())).end;
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
