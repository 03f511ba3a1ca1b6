//! The table of Italian.
//!
//! Folded text has no accents: `lunedì` is `lunedi`, and `è` is masked where `e` would be taken for the conjunction.

use super::language::{DayWord, Language, When, day};

pub(super) static TABLE: Language = Language {
    spaced: true,
    is_romance: true,
    fragments: FRAGMENTS,
    openers: "ciao(?: a tutti| a tutte| ragazzi| bella)?|salve|buon ?giorno|buona ?sera|buon pomeriggio|ehi|ehila|hey|hi|hello|e|ed|ma|pero|quindi|percio|allora|dunque|insomma|comunque|cmq|poi|cioe|\
              ah|oh|eh|ehm|beh|boh|mah|uff|ok|okay|va bene|d'accordo|bene ,|si ,|no ,|grazie(?: mille| tante)?|scusa(?:mi)?|scusi|scusate|senti una cosa|(?:senti|senta|guarda|guardi|ascolta|dai|certo) ,|ecco|\
              a proposito|tra l'altro|fra l'altro|per inciso|btw|fyi|ps|p\\.s|perche|poiche|siccome|visto che|dato che|per questo|infatti|in effetti|in realta|veramente|davvero|sinceramente|onestamente|francamente|\
              a (?:dire il vero|dir la verita|essere sincer[oa])|diciamo(?: che)?|praticamente|in pratica|alla fine|in fin dei conti|in breve|in sintesi|per farla breve|per la cronaca|per (?:tua |sua )?informazione|\
              nota(?: bene)?(?: che)?|(?:tieni|tenga|tenete) (?:presente|conto)(?: che)?|tenendo conto che|considera che|(?:sappi|sappia|sappiate) che|devi sapere che|ricorda(?:ti)?(?: che)?|(?:si )?ricordi che|non dimenticare che|\
              (?:ti|vi|le) (?:dico|informo|avviso|segnalo|ricordo|confermo) che|mettici che|segna(?:ti)? che|scrivi che|occhio che|attenzione(?: che)?|si da il caso che|il fatto e che|\
              secondo me|personalmente|da parte mia|quanto a me|nel mio caso|(?:ha){2,}|ahah[ah]*|lol|purtroppo|per fortuna|fortunatamente|finalmente|(?:buona|bella|buone|belle|brutta|brutte) notizi[ae]|\
              novita|aggiornamento|(?:altra|un'altra|una|ultima) cosa|raga|ragazzi ,|bro|oltretutto|inoltre|in piu|che",
    interjections: "",
    speaker: "",
    closers: "grazie(?: mille| tante| in anticipo)?|per favore|per cortesia|perfavore|pls|please|ciao|(?:cordiali )?saluti|(?:ha){2,}|ahah[ah]*|lol|xd|, eh|, ok|, okay|, va bene|, no|, vero|, sai|, dai|, insomma|ecco|comunque|cmq|\
              tra l'altro|quindi|e|ma|pero|cioe|raga|, bro|, ragazzi|scusa|scusate|btw",
    session: "(?: (?:{once}) |^ (?:(?:e|ma|quindi|per) )?oggi | oggi $)",
    past: " (?:{have}(?: {adverb})*(?: {participle})|(?:e|sono|siamo|siete|sei)(?: {adverb})* {went}|(?:mi sono|ti sei|si e|si sono|ci siamo|vi siete|m'e|mi e|mi hanno|ci hanno|c'e stat[oa])(?: {adverb})* ?{participle}?|era|ero|erano|eravamo|aveva|avevo|avevamo|avevano|stavo|stava|stavamo|c'era|c'erano|fu|fui) ",
    present: "",
    doubtful: "",
    is_preterite,
    arranged: " (?:prenotat[oaie]|decis[oaie]|deciso|accordat[oaie]|concordat[oaie]|invitat[oaie]|rimandat[oaie]|rinviat[oaie]|spostat[oaie]|anticipat[oaie]|annullat[oaie]|disdett[oaie]|fissat[oaie]|promess[oaie]|organizzat[oaie]|pianificat[oaie]|\
               programmat[oaie]|iscritt[oaie]|accettat[oaie]|confermat[oaie]|(?:preso|avuto|ottenuto|dato|chiesto) (?:un |il |l')?ap?puntamento|(?:comprato|preso) (?:[^ ]+ )*(?:bigliett[oi]|post[oi])) ",
    weekdays: ["lunedi", "martedi", "mercoledi", "giovedi", "venerdi", "sabati|sabato", "domeniche|domenica"],
    numbers: &["un[oa]?", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci"],
    days: DAYS,
};

const FRAGMENTS: &[(&str, &str)] = &[
    (
        "month",
        "(?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)",
    ),
    ("part", "(?: (?:mattina|pomeriggio|sera|notte|a pranzo|a cena))?"),
    ("next-week", "(?:settimana (?:prossima|che viene|entrante)|prossima settimana)"),
    ("last-week", "(?:settimana (?:scorsa|passata)|scorsa settimana)"),
    ("have", "(?:ho|hai|ha|abbiamo|avete|hanno|[lm]'ho|l'ha|l'abbiamo|l'hanno|m'ha|m'hanno|v'ho)"),
    ("adverb", "(?:gia|appena|finalmente|anche|sempre|pure|poi|proprio|quasi|davvero|tutt[oaie]|io|noi)"),
    (
        "participle",
        "(?:[a-z]+(?:at|ut|it)[oaie]|fatt[oaie]|dett[oaie]|pres[oaie]|mess[oaie]|vist[oaie]|mort[oaie]|rott[oaie]|pers[oaie]|vint[oaie]|chius[oaie]|apert[oaie]|scritt[oaie]|lett[oaie]|corso|chiesto|risposto|speso|sceso|scelt[oaie]|tolt[oaie]|accolt[oaie]|success[oaie]|smesso|offert[oaie]|nat[oaie]|[a-z]+(?:tt|rs|ss|nt|lt|st|ns|us|is)[oaie])",
    ),
    // Verbs that take "essere", of what happened.
    (
        "went",
        "(?:andat|stat|arrivat|partit|tornat|ritornat|venut|nat|mort|cadut|uscit|entrat|rimast|diventat|success|passat|finit|iniziat|cominciat|salit|sces|scappat|mancat|scadut|corso|saltat|crollat|esplos|guarit|nevicat|piovut|bruciat|svenut|scivolat|riuscit)[oaie]",
    ),
    // What makes a wish one for now.
    (
        "once",
        "(?:(?:per )?(?:questa|sta) volta|stavolta|per (?:ora|adesso|il momento|oggi|stasera|un po')|(?:solo|soltanto) (?:per )?(?:oggi|ora|adesso|stasera)|oggi (?:solo|soltanto)|a questo giro|temporaneamente|provvisoriamente|momentaneamente|(?:in via )?eccezional[a-z]*|(?:questa|sta) (?:settimana|sera|mattina)|questo (?:pomeriggio|mese|weekend|fine settimana)|stasera|stamattina|(?:in|per|su|tutta) (?:quest[oa] |sta |quest')(?:chat|conversazione|discussione|sessione|mail|email|e-mail|messaggio|risposta|testo|lettera|documento|file|relazione|articolo|caso|compito|esercizio|presentazione|progetto|capitolo|thread|riassunto|occasione|settimana|giro)|fino a (?:domani|stasera|nuovo (?:ordine|avviso)|{weekday}|quando)|fino al(?:la)? [^,]+|finche [^,]+|mentre (?:sono|siamo)|nel frattempo|intanto|per (?:qualche|due|tre) giorn[oi])",
    ),
];

/// Returns whether a word is a verb in the simple past, by its accent: "andò", and not the future "andrò".
fn is_preterite(word: &str) -> bool {
    word.ends_with('ò') && !word.ends_with("rò") && !["ciò", "può", "però", "oblò"].contains(&word)
}

const DAYS: &[DayWord] = &[
    day(When::Day(7), " oggi a otto"),
    day(When::Day(14), " oggi a quindici"),
    day(
        When::None,
        " (?:oggi come oggi|(?:al )?giorno d'oggi|(?:domani|{weekday}) a (?:otto|quindici)|da(?:l|lla)? {weekday} a(?:l|lla)? {weekday}) ",
    ),
    day(When::Week(-1), " {weekday}{part} della {last-week}| la {last-week}(?: ,)? (?:di )?{weekday}{part}"),
    day(When::Week(1), " {weekday}{part} della {next-week}| la {next-week}(?: ,)? (?:di )?{weekday}{part}"),
    day(When::Day(-2), " (?:(?:l'altro|l'|altro) ?ieri|ieri l'altro|avantieri)"),
    day(When::Day(2), " (?:dopo ?domani|domani l'altro){part}"),
    day(When::Day(-1), " (?:ieri{part}|la notte scorsa|(?:la )?scorsa notte)"),
    day(When::Day(1), " domani{part}"),
    day(
        When::Day(0),
        " (?:oggi{part}|stamattina|stamani|stamane|stasera|stanotte|questa (?:mattina|sera|notte)|questo pomeriggio|poco fa|poc'anzi|(?:mezz'|un')?ora fa|{number} ore fa)",
    ),
    day(When::Day(-14), " quindici giorni fa"),
    day(When::Day(14), " (?:fra|tra) quindici giorni"),
    day(When::Day(7), " (?:fra|tra) otto giorni"),
    day(When::Ago, " {number} giorni? fa"),
    day(When::Ahead, " (?:fra|tra) {number} giorni?"),
    // The day of the month is stated.
    day(When::None, " {weekday} [0-9]{1,2} "),
    day(When::Last, " (?:{weekday}{part} (?:scors|passat)[oa]|(?:lo |la )?scors[oa] {weekday}{part})"),
    day(
        When::Coming,
        " (?:{weekday}{part} (?:prossim[oa]|che viene)|(?:il |la )?prossim[oa] {weekday}{part})",
    ),
    // "Il lunedì" and "di lunedì" are every Monday.
    day(
        When::None,
        " (?:(?:il|al|del|ogni|la|alla|della|tutti i|tutte le|di) {weekday}|sabati|domeniche|{last-week}|{next-week}|(?:mese|anno|weekend|fine settimana) (?:scorso|prossimo)) ",
    ),
    day(When::Nearest, " {weekday}{part}"),
    day(When::Day(0), " (?:{have}|mi sono|ci siamo|e) (appena) "),
];
