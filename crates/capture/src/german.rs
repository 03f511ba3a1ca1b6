//! The table of German.

use super::language::{DayWord, Language, When, day};

pub(super) static TABLE: Language = Language {
    spaced: true,
    is_romance: false,
    fragments: FRAGMENTS,
    openers: "hallo|hallöchen|hi|hey|moin(?: moin)?|servus|na|grüss (?:dich|gott|euch)|grüezi|guten (?:morgen|tag|abend)|mahlzeit|und|aber|also|so|ok|okay|\
              ach(?: ja| so)?|ah|oh|ähm|äh|hm|hmm|naja|na ja|na gut|tja|puh|boah|mensch|leute|ja(?: mei)?|jo|jep|nein|nee|nö|gut|übrigens|danke(?: dir| schön)?|sorry|btw|fyi|\
              (?:quick|kurzes|kleines) update|update|(?:nur )?(?:kurz |kurze )?(?:zur )?info|nur (?:kurz|so)|kurz(?: gesagt)?|wichtig|achtung|ps|weil|denn|deshalb|deswegen|drum|darum|daher|\
              ehrlich gesagt|wie gesagt|jedenfalls|ausserdem|zudem|dazu|sondern|obwohl|zumal|sonst|dann|endlich|tatsächlich|leider|am ende|unterm strich|kurzum|was ich sagen will|haha|hehe|lol|super|prima|perfekt|klasse|toll|alles klar|passt|gute nachrichten?|schlechte nachrichten?|zum mitschreiben|fürs protokoll|merk dir(?: bitte)?(?: , dass)?|merk's dir|notier(?: dir)?(?: bitte)?|damit du es weisst|damit du's weisst|nicht vergessen|eins noch|noch was|noch eins|zu mir|ich für meinen teil",
    interjections: "",
    speaker: "",
    closers: "danke(?: dir| schön)?|, merci|lol|haha|übrigens|bitte|sorry|halt|oder|und|aber|ok|okay|fyi|, ne|, gell|, gelle|nur so|weisst du|wie du weisst|lg|thx|ja|eben|xd",
    session: " {once} | heute (?:bitte )?(?:{w} )?(?:auf|in|nur|mal|kein|keine|ohne|mit|als|kurz|knapp) | heute $|^ heute ",
    // The auxiliary alone is the present: "ich habe am Freitag einen Termin".
    past: " (?:war|waren|wurde|wurden|hatte|hatten|{strong}) | {weak} {subject} | {pronoun} {weak} | {determiner} x+ {weak} | (?:hab|habe|hat|haben) (?:{w} )*{participle} | {participle} (?:hab|habe|hat|haben|worden|gewesen) | (?:ist|is|sind|bin) (?:{w} )*(?:{moved}|worden) | {moved} (?:ist|is|sind|bin) ",
    present: "",
    doubtful: " (?:ist|is|sind|bin) (?:{w} )*{participle} | {participle} (?:ist|is|sind|bin) ",
    is_preterite: |_| false,
    arranged: " (?:vereinbart|gebucht|ausgemacht|verabredet|beschlossen|entschieden|reserviert|verschoben|verlegt|abgesagt|eingeladen|bekommen|gekriegt|\
               sagten? (?:[^ ]+ )*(?:ab|zu)|bekam(?:en)?|verschob(?:en)?|(?:verlegt|bucht|reserviert|vereinbart)en?|beschloss(?:en)?|versprach(?:en)?|\
               zugesagt|geplant|angemeldet|versprochen|umgebucht|vorgezogen|angenommen|bestätigt|organisiert|gesagt|\
               (?:karten|tickets?|plätze) (?:[^ ]+ )*(?:gekauft|besorgt|geholt)) ",
    weekdays: ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend", "sonntag"],
    numbers: &[
        "einem|eine[rnm]?",
        "zwei",
        "drei",
        "vier",
        "f(?:ü|ue)nf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
        "elf",
        "zw(?:ö|oe)lf",
    ],
    days: DAYS,
};

const FRAGMENTS: &[(&str, &str)] = &[
    // Plain letters and signs: a class of all of Unicode makes a pattern several times as large.
    ("w", "[!-+.-9;-~äöü-]+"),
    // Words by which something holds now alone.
    (
        "once",
        "(?:diesmal|dieses mal|dies(?:es)? eine mal|dieses eine mal|f(?:ü|ue)r heute|f(?:ü|ue)r(?:s| das) n(?:ä|ae)chste mal|f(?:ü|ue)r die n(?:ä|ae)chsten? (?:{w} )?{w}|f(?:ü|ue)r den rest(?: des {w}| der {w})?|die n(?:ä|ae)chsten (?:{w} )?(?:tage|stunden|minuten)|nur heute|heute (?:nur|mal|ausnahmsweise)|vorerst|f(?:ü|ue)r(?:s| das) erste|erst ?mal|einstweilen|vorl(?:ä|ae)ufig|ausnahmsweise|bis (?:auf weiteres|morgen|(?:n(?:ä|ae)chsten? )?{weekday}|ende der woche|zum wochenende|ich (?:{w} ){0,5}(?:bin|habe?)|heute abend|mittag)|f(?:ü|ue)r diese[nsr]?(?: eine[nsr]?)? {w}|(?:bei|in) diese[mr](?: eine[mnr])? {w}|in (?:dem|der|den) {w} hier|(?:bei|an|in|f(?:ü|ue)r) (?:dem|der|den|das|die) (?:einen )?{w} hier|solange (?:ich|wir)|bis dahin|in der zwischenzeit|diese woche|dieses wochenende|heute abend|(?:ü|ue)bergangsweise|zwischenzeitlich|nur dieses|gerade nur|im moment|den rest des (?:tages|tags))",
    ),
    (
        "participle",
        "(?:[a-zäöü]*ge[a-zäöü]{2,}(?:t|en)|(?:be|ver|er|zer|ent|emp|miss|über|unter)[a-zäöü]{2,}(?:t|en)|[a-zäöü]+iert|worden)",
    ),
    // Participles beside "sein" of what happened. Others tell of a state: "am Freitag bin ich verhindert".
    (
        "moved",
        "(?:[a-zäöü]*ge(?:gangen|fahren|flogen|kommen|laufen|rannt|reist|zogen|fallen|worden|storben|blieben|wesen|stiegen|sprungen|schwommen|wandert|sunken|wachsen|klettert|landet|startet|st(?:ü|ue)rzt|stolpert|rutscht|platzt|brochen|schehen|lungen|scheitert|ritten|radelt|segelt|treten|troffen|taucht|kippt|rissen|wechselt|brannt|boren|standen|schlafen|wacht|gl(?:ü|ue)ckt|froren|joggt|raucht|rasselt)|(?:ver|er|ent|zer)(?:storben|schwunden|reckt|ungl(?:ü|ue)ckt|blutet|froren|trunken|schienen|wacht|krankt|schrocken|stickt|kommen|laufen|flogen|gangen|fallen|gleist|wischt|brochen|platzt)|passiert|(?:ex|im)plodiert|koll(?:ab|id)iert|(?:em|im)migriert)",
    ),
    // Verbs in the preterite: strong ones, and weak ones whose form is no present ("ich arbeite").
    (
        "strong",
        "(?:be|ver|er|ent|zer|unter|über|wider|hinter)?(?:fiel|gefiel|gestand|geschah|gelang|geriet|genoss|schrieb|kam|ging|gab|nahm|sah|traf|fuhr|flog|lief|blieb|fand|stand|sprach|rief|zog|hielt|liess|verlor|brach|starb|trank|ass|schlief|sass|trug|schloss|begann|gewann|lag|warf|half|schnitt|stieg|riss|stritt|ritt|schwamm|sang|sprang|stahl|wusch|wuchs|lud|hing|fing|lieh|verliess|biss)(?:en)?",
    ),
    (
        "weak",
        "(?:[a-zäöü]*(?:[bgkmpz]t|kauft|prüft|hofft|schafft|(?:[^n]|[ae]n)nt|[^wa]ert|ört|ührt|[iu]elt|eilt|hlt|olt|[aeiü]llt|[dms]elt|[bdlmrw]acht|ocht|[^e]ucht|reicht|reist|wusst|passt|fasst|küsst|musst|löst|[td]et|net)e|konnte|durfte)n?",
    ),
    ("subject", "(?:ich|er|sie|es|wir|man|mein|meine|unser|unsere|der|die|das)"),
    ("pronoun", "(?:ich|er|sie|es|wir|man)"),
    ("determiner", "(?:mein|meine|unser|unsere|der|die|das)"),
    ("daytime", "(?:fr(?:ü|ue)h|morgen|vormittag|mittag|nachmittag|abend|nacht)"),
];

const DAYS: &[DayWord] = &[
    day(
        When::None,
        " (?:(?:letzte|n(?:ä|ae)chste|vorige|kommende|diese)[nrs]? (?:woche|monat|jahr|wochenende)|{weekday}s) ",
    ),
    day(When::Day(-2), " vorgestern"),
    day(When::Day(2), " (?:ü|ue)bermorgen"),
    day(When::Day(-1), " (?:gestern(?: nacht| abend)?|letzte nacht|vergangene nacht)"),
    // A week, and two.
    day(When::Day(-7), " vor acht tagen"),
    day(When::Day(7), " in acht tagen"),
    day(When::Day(14), " in vierzehn tagen"),
    day(When::Ago, " vor {number} tagen?"),
    day(When::Ahead, " in {number} tagen?"),
    day(When::Day(0), " heute?(?: (?:fr(?:ü|ue)h|morgen|vormittag|mittag|nachmittag|abend|nacht))?"),
    day(When::Last, " (?:letzten|vorigen|vergangenen) {weekday}"),
    day(When::Coming, " (?:n(?:ä|ae)chsten|kommenden) {weekday}"),
    day(When::Nearest, " (?:am|seit|ab|an diesem|diesen) {weekday}"),
    day(When::Day(1), " morgen "),
    day(When::Nearest, "^ {weekday}(?:{daytime})? "),
];
