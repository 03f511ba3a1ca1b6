//! The table of German.
//!
//! Written German puts the verb second, so a rule for "ich" and a verb has three forms: "ich mag …", "… mag
//! ich" and, without the subject, "mag …". Dropped endings ("ich hab") and umlauts written as two letters
//! ("moechte") are recognized too.

use super::language::{DayWord, Language, When, day};

mod gates;
mod rules;
#[cfg(test)]
mod tests;

pub(super) static TABLE: Language = Language {
    name: "german",
    words: "ich du er sie es wir ihr mich mir dich dir uns euch mein meine meiner meinen meinem dein deine unser unsere der die \
            das den dem des ein eine einen einem einer und oder aber nicht kein keine keinen ist bin bist sind war waren hab \
            habe hat haben wird werden bitte immer nie nur noch schon auch auf mit von zu zum zur im in am an für bei nach aus \
            heute gestern morgen ab jetzt künftig diesmal lieber mag hasse statt als wie was wo wann warum ja nein doch mal \
            nenn alles gern gerne heisse wohne wohn lass nix ne nen über gegen seit bis vom beim ans ins geht bleibt steht \
            jeden jede dass weil wenn sonst ohne vor hier da so einfach antworte schreib vorgestern übermorgen montag dienstag \
            mittwoch donnerstag freitag samstag sonntag übrigens trotzdem ausserdem zukünftig muss uns bloss grundsätzlich",
    fragments: FRAGMENTS,
    openers: "hallo|hallöchen|hi|hey|moin(?: moin)?|servus|na|grüss (?:dich|gott|euch)|grüezi|guten (?:morgen|tag|abend)|mahlzeit|und|aber|also|so|ok|okay|\
              ach(?: ja| so)?|ah|oh|ähm|äh|hm|hmm|naja|na ja|na gut|tja|puh|boah|mensch|leute|ja(?: mei)?|jo|jep|nein|nee|nö|gut|übrigens|danke(?: dir| schön)?|sorry|btw|fyi|\
              (?:quick|kurzes|kleines) update|update|(?:nur )?(?:kurz |kurze )?(?:zur )?info|nur (?:kurz|so)|kurz(?: gesagt)?|wichtig|achtung|ps|weil|denn|deshalb|deswegen|drum|darum|daher|\
              ehrlich gesagt|wie gesagt|jedenfalls|ausserdem|zudem|dazu|sondern|obwohl|zumal|sonst|dann|endlich|tatsächlich|leider|am ende|unterm strich|kurzum|was ich sagen will|haha|hehe|lol|super|prima|perfekt|klasse|toll|alles klar|passt|gute nachrichten?|schlechte nachrichten?|zum mitschreiben|fürs protokoll|merk dir(?: bitte)?(?: , dass)?|merk's dir|notier(?: dir)?(?: bitte)?|damit du es weisst|damit du's weisst|nicht vergessen|eins noch|noch was|noch eins|zu mir|ich für meinen teil",
    closers: "danke(?: dir| schön)?|merci|lol|haha|übrigens|bitte|sorry|halt|oder|und|aber|ok|okay|fyi|ne|gell|gelle|nur so|weisst du|wie du weisst|lg|thx|ja|eben|xd",
    connectors: &[
        // A condition and its order stay together: what is cut is the space at the end.
        "^ (?:(?:immer )?wenn|falls|sobald|bevor|ehe) (?:du|was|etwas|dir|sie|ihr|ich dich|ich dir) {sign}+ (?:,|:) {sign}*( $)",
        "( , (?:(?:und|aber|oder|denn|also|deshalb|deswegen|sondern|obwohl|da|dann|drum) )*)(?:{start}|{do}) ",
        "( , (?:und|aber|weil|denn|deshalb|deswegen|daher|darum|drum|obwohl|sondern|also|sonst|ausserdem|zumal|trotzdem) )",
        // A clause that begins with something else than its subject.
        "( , )(?:{w} ){2,4}(?:ich|wir|mir|mich|uns) ",
        // A wish and what is wished.
        " (?:lieber|wichtig|recht|nicht|am liebsten) , (?:wenn|dass) (?:du|sie) ",
        // Who does what stays together.
        "^ du (?:machst|(?:ü|ue)bernimmst|kriegst|bekommst|nimmst|kochst|f(?:ä|ae)hrst|zahlst) (?:{w} ){1,4}(?:, )?und ich (?:den|die|das|ab|hin|zur(?:ü|ue)ck) ",
        // Not in "my wife and I have": a verb in the plural ends with n.
        "( (?:und|aber|oder) )ich (?:[!-+.-~äöü-]*[!-+.-mo-~äöü-]|bin|kann) ",
        "( (?:und|aber|oder) )(?:wir|mein|meine|unser|unsere|bitte|nenn|lass|du|da|dann) ",
        "( (?:weil|denn|obwohl) )(?:ich|wir|mein|meine|unser|unsere|das|es|der|die) ",
        "( : )(?:{start}|{w}(?: {w})?(?: {w})? (?:ich|wir)|{style-verb}) ",
        "( , )(?:lebe?|wohne?|arbeite?|studiere?) (?:aber|jedoch|mittlerweile|inzwischen|jetzt) ",
        "( - )",
    ],
    gates: gates::GATES,
    rules: rules::RULES,
    session: " {once} | heute (?:bitte )?(?:{w} )?(?:auf|in|nur|mal|kein|keine|ohne|mit|als|kurz|knapp) | heute $|^ heute ",
    past: " (?:hab|habe|hat|haben|ist|is|sind|bin|war|waren|wurde|wurden|hatte|hatten|kam|ging|gab) ",
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
    ("sign", "[ -+.-~äöü-]"),
    ("part", "(?:{sign}+ )?"),
    ("any", "[ -~äöü]*"),
    ("me", "(?:ich|wir|i)"),
    // Words that say how, between a verb and what it is about.
    (
        "adv",
        "(?: (?:wirklich|einfach|immer|noch|auch|eigentlich|meistens|am (?:aller)?liebsten|halt|jetzt|grunds(?:ä|ae)tzlich|(?:ü|ue)brigens|total|sehr|ja|mal|eh|sowieso|gerne?|lieber|nur|schon|inzwischen|absolut|echt|voll|so|da|hier|nunmal|aktuell|derzeit|selbst|leider|doch|n(?:ä|ae)mlich|wieder|urspr(?:ü|ue)nglich|geb(?:ü|ue)rtig|stark|schwer|streng|seit (?:{w} ){0,2}{w}|nicht mehr))*",
    ),
    ("a", "(?:ein|eine|einen|einem|einer|ne|nen|n|'n|'ne|'nen|nem|ner)"),
    ("count", "(?:{number}|mehrere|keine?n?|{a})"),
    (
        "month",
        "(?:januar|jänner|februar|m(?:ä|ae)rz|april|mai|juni|juli|august|september|oktober|november|dezember)",
    ),
    (
        "lang",
        "(?:deutsch|hochdeutsch|englisch|franz(?:ö|oe)sisch|spanisch|italienisch|t(?:ü|ue)rkisch|polnisch|russisch|niederl(?:ä|ae)ndisch|plattdeutsch|platt|portugiesisch|arabisch|chinesisch|japanisch|ukrainisch|kroatisch|serbisch|griechisch|schwedisch|d(?:ä|ae)nisch|norwegisch|tschechisch|ungarisch|rum(?:ä|ae)nisch|latein|schwyzerd(?:ü|ue)tsch|koreanisch|persisch|farsi|vietnamesisch|hebr(?:ä|ae)isch)",
    ),
    ("my", "(?:mein|meine|meinem|meiner|meinen|unser|unsere|unserem|unserer|unseren|unsern)"),
    (
        "kin",
        "(?:frau|mann|ehemann|ehefrau|sohn|[a-zäöü-]*tochter|t(?:ö|oe)chter|s(?:ö|oe)hne|kinder|kind|kids|junge|jungs|m(?:ä|ae)dchen|m(?:ä|ae)dels|baby|mutter|vater|mama|papa|mutti|vati|bruder|schwester|geschwister|oma|opa|omi|grossmutter|grossvater|grosseltern|eltern|freundin|freund|partner|partnerin|verlobte|verlobter|lebensgef(?:ä|ae)hrtin|lebensgef(?:ä|ae)hrte|katzen?|hund|hunde|h(?:ü|ue)ndin|kater|zwillinge|drillinge|enkel|enkelin|enkelkinder|tante|onkel|neffe|nichte|patenkind|(?:ä|ae)lteste[rs]?|j(?:ü|ue)ngste[rs]?|grosse[rs]?|kleine[rs]?|pferd|kaninchen|meerschweinchen|wellensittich|papagei|schildkr(?:ö|oe)te|familie|dackel|labrador|mops|welpe)",
    ),
    (
        "other",
        "(?:chefs?|chefin|boss|vorgesetzte[rn]?|kolleg(?:e|en|in|innen)|kund(?:e|en|in|innen)|mandant(?:en|in)?|nachbarn?|nachbarin|mitbewohner(?:in)?|vermieter(?:in)?|schwager|schw(?:ä|ae)gerin|schwiegermutter|schwiegervater|schwiegereltern|kumpel|bekannte[rn]?|cousin|cousine|lehrer(?:in)?|trainer(?:in)?|arzt|(?:ä|ae)rztin|therapeut(?:in)?|praktikant(?:in)?|azubi|assistent(?:in)?|ex|typ|verk(?:ä|ae)ufer(?:in)?|hausmeister|steuerberater(?:in)?|anwalt|anw(?:ä|ae)ltin|professor(?:in)?|prof|gesch(?:ä|ae)ftsf(?:ü|ue)hrer(?:in)?|teamleiter(?:in)?|bauleiter(?:in)?|makler(?:in)?|freunde|leute|buchhalter(?:in)?|griechen?|friseur(?:in)?)",
    ),
    // Words by which something holds from some day on, or always.
    (
        "henceforth",
        "(?:k(?:ü|ue)nftig|zuk(?:ü|ue)nftig|in zukunft|ab (?:jetzt|sofort|nun|heute)|von (?:jetzt|nun|heute|sofort) an|fortan)",
    ),
    (
        "always",
        "(?:immer|stets|nie|niemals|nie wieder|nie mehr|nicht mehr|grunds(?:ä|ae)tzlich|prinzipiell|generell|standardm(?:ä|ae)ssig|jedes mal|jedesmal|durchgehend|durchg(?:ä|ae)ngig|nur noch|dauerhaft|ausschliesslich|aus prinzip|bei (?:jeder|jedem|allen) {w}|in (?:jeder|jedem|allen) {w}|zu jede[rm] {w}|auf keinen fall|unter keinen umst(?:ä|ae)nden|{henceforth})",
    ),
    (
        "since",
        "(?:{henceforth}|ab (?:dem )?(?:morgen|{weekday}|{month}|[0-9]+\\.?(?: ?{w})?|ersten|(?:n(?:ä|ae)chste|kommende|diese)[rmns]? {w}|(?:ende|mitte|anfang) {w}|herbst|sommer|winter|fr(?:ü|ue)hjahr|neujahr|ostern))",
    ),
    // Words by which something holds now alone.
    (
        "once",
        "(?:diesmal|dieses mal|dies(?:es)? eine mal|dieses eine mal|f(?:ü|ue)r heute|f(?:ü|ue)r(?:s| das) n(?:ä|ae)chste mal|f(?:ü|ue)r die n(?:ä|ae)chsten? (?:{w} )?{w}|f(?:ü|ue)r den rest(?: des {w}| der {w})?|die n(?:ä|ae)chsten (?:{w} )?(?:tage|stunden|minuten)|nur heute|heute (?:nur|mal|ausnahmsweise)|vorerst|f(?:ü|ue)r(?:s| das) erste|erst ?mal|einstweilen|vorl(?:ä|ae)ufig|ausnahmsweise|bis (?:auf weiteres|morgen|(?:n(?:ä|ae)chsten? )?{weekday}|ende der woche|zum wochenende|ich (?:{w} ){0,5}(?:bin|habe?)|heute abend|mittag)|f(?:ü|ue)r diese[nsr]?(?: eine[nsr]?)? {w}|(?:bei|in) diese[mr](?: eine[mnr])? {w}|in (?:dem|der|den) {w} hier|(?:bei|an|in|f(?:ü|ue)r) (?:dem|der|den|das|die) (?:einen )?{w} hier|solange (?:ich|wir)|bis dahin|in der zwischenzeit|diese woche|dieses wochenende|heute abend|(?:ü|ue)bergangsweise|zwischenzeitlich|nur dieses|gerade nur|im moment|den rest des (?:tages|tags))",
    ),
    ("polite", "(?:(?:bitte|bitteschön|auch|einfach|ruhig|gerne?|mal|doch|und|jetzt|dann) )*"),
    // What one asks the agent to do.
    (
        "do",
        "(?:antworte|schreibe?|formulier(?:e|en)?|erkl(?:ä|ae)re?|zeige?|gib|nenne?|nimm|nutze?|benutze?|benutz|verwende?|verwend|setze?|mache?|halte?|fasse?|lasse?|stelle?|liefere?|(?:ü|ue)bersetze?|zitiere?|sprich|rede?|sage?|frage?|schicke?|formatiere?|k(?:ü|ue)rze?|verzichte|vermeide?|spare?|erspare?|rechne|runde|packe?|lege?|teile?|kommentiere?|begr(?:ü|ue)nde|beginne?|fange?|fang|starte|beende|gliedere?|h(?:ö|oe)re?|gendere?|beachte|denke?|buche?|plane?|trage?|suche?|empfiehl|schlage?|behandle|pr(?:ü|ue)fe?|teste|committe|pushe?|l(?:ö|oe)sche?|(?:ä|ae)ndere?|ignoriere?|weise?|erinnere?|leite|ruf|rufe|warte|speichere?|komm|bleibe?|verschone?|erz(?:ä|ae)hle?|bring|bringe|f(?:ü|ue)ge?|bestelle?|reserviere?|korrigiere?|tu|melde|mische?|geh|lies|kopiere?|red|leg|pack|merk|(?:schreiben|antworten|nennen|verwenden|benutzen|nutzen|geben|erkl(?:ä|ae)ren|zeigen|machen|halten|fassen|lassen|sparen|verzichten|(?:ü|ue)bersetzen|fragen|sagen|schicken|achten|beachten|ber(?:ü|ue)cksichtigen|vermeiden|sprechen|formulieren|rechnen|runden|nehmen|setzen|planen|buchen|pr(?:ü|ue)fen|weisen|unterlassen|k(?:ü|ue)rzen) sie|achte|sei|schau|triff|erw(?:ä|ae)hne?|streiche?|entferne|f(?:ü|ue)hre)",
    ),
    (
        "start",
        "(?:ich|wir|mein|meine|unser|unsere|bitte|du|er|sie|es|das|ihr|man|nenn|kannst|k(?:ö|oe)nntest|k(?:ö|oe)nnen|machst|hast|habt|hilfst|weisst|gibt|gibt's|gibst|ist|sind|soll|schick|schreib|frag|sag|mach|nimm|lass|hab|habe|bin|hatte|war|was|wie|wer|warum|wieso|also|nenne|antworte|falls du|brauche?|muss|kenne?|will|suche|h(?:ä|ae)tte|w(?:ä|ae)re|klingt|hoffe|freue?|mag|hasse|kein stress|keine ahnung|egal|schaust|guckst|danke|hauptsache)",
    ),
    (
        "style-verb",
        "(?:antworte|fass|halt|erkl(?:ä|ae)re?|verwende?|benutze?|nutze?|gib|lieber|nie|immer|kein|keine)",
    ),
    // How something is to be written.
    (
        "style",
        "(?:kurz|knapp|knackig|k(?:ü|ue)rzer|ausf(?:ü|ue)hrlich|sachlich|f(?:ö|oe)rmlich|formell|locker|leger|informell|h(?:ö|oe)flich|direkt|freundlich|verst(?:ä|ae)ndlich|pr(?:ä|ae)zise|schlicht|kurz und (?:knapp|knackig|b(?:ü|ue)ndig)|auf {lang}|im (?:dialekt|imperativ|pr(?:ä|ae)sens|klartext)|in (?:stichpunkten|stichworten|ganzen s(?:ä|ae)tzen|kurzen s(?:ä|ae)tzen|vollst(?:ä|ae)ndigen s(?:ä|ae)tzen|einfacher sprache|leichter sprache|einfachen worten|prosa|tabellenform|celsius|kilometern|metern|euro|franken|gramm|kilo|metrischen einheiten|markdown|klartext|reintext|(?:maximal |h(?:ö|oe)chstens )?{number} s(?:ä|ae)tzen)|als (?:liste|tabelle|pdf|stichpunkte|fliesstext|text|reiner text|markdown|csv)|ohne (?:{w} ){0,2}{w}|(?:mit|per) (?:du|sie)|wie (?:einem|einer|jemandem|f(?:ü|ue)r) .+)",
    ),
    ("daytime", "(?:fr(?:ü|ue)h|morgen|vormittag|mittag|nachmittag|abend|nacht)"),
    (
        "before",
        "(?:(?:vor)?gestern|heute?(?: {daytime})?|(?:letzte|vorige|vergangene|diese)[nrs]? (?:nacht|woche|monat|jahr|wochenende|[a-zäöü]+)|vor (?:{w} ){1,3}(?:tage|woche|monat|stunde|jahr)(?:n|en)?|vor kurzem|am {weekday}(?:{daytime})?|{weekday}{daytime}|soeben|anfang {w}|seit (?:gestern|heute|{weekday})|im (?:januar|[a-zäöü]+ber|februar|m(?:ä|ae)rz|april|mai|jun|juli)|(?:im jahr )?(?:19|20)[0-9][0-9])",
    ),
    (
        "soon",
        "(?:morgen(?: {daytime})?|(?:ü|ue)bermorgen|heute abend|(?:n(?:ä|ae)chste|kommende|diese)[nrs]? [a-zäöü]+|(?:am )?{weekday}(?:{daytime})?|am [0-9]+\\.?(?: ?{w})?|in {w} (?:tagen|wochen?|monaten?)|(?:im|ende|anfang|mitte) {month}|am wochenende)",
    ),
    // The form of a verb that tells what has happened.
    (
        "done",
        "(?:[a-zäöü]*ge[a-zäöü]{2,}(?:t|en)|(?:be|ver|er|zer|ent|unter|(?:ü|ue)ber)[a-zäöü]{3,}(?:t|en)|[a-zäöü]{3,}iert|um?gezogen|bekommen|kaputt|live|online)",
    ),
    // Fixed appointments.
    (
        "appointment",
        "(?:[a-zäöü-]*(?:termin|pr(?:ü|ue)fung|klausur|examen|gespr(?:ä|ae)ch|interview|hochzeit|beerdigung|trauerfeier|taufe|einschulung|vortrag|pr(?:ä|ae)sentation|abgabe|abschluss|schulanfang|elternabend|probe|halbmarathon|generalprobe|gutachten|verteidigung|auftritt|konzert|flug|umzug|untersuchung|vorsorge|nachsorge|impfung|geburtstag|jubil(?:ä|ae)um|schicht|audit|release|messe|verhandlung|[üu]bergabe|besichtigung|wettkampf|marathon|turnier|lauf|kontrolle|operation|workshop|urlaub|reise|hochzeitstag|pr(?:ü|ue)fungen|probearbeiten|probetag|einzug|dienst|premiere|feiertag|schultag|arbeitstag)|op|mrt|ct|t(?:ü|ue)v)",
    ),
    (
        "like",
        "(?:mag|m(?:ö|oe)gen|liebe|lieb|lieben|hasse?|hassen|bevorzuge?|bevorzugen|verabscheue?|favorisiere?|meide|meiden|vermeide?|geniesse|sch(?:ä|ae)tze|verehre|verachte|pr(?:ä|ae)feriere|feiere?|ertrage?|ertragen|misstraue|f(?:ü|ue)rchte)",
    ),
    (
        "habit",
        "(?:trinke?|trinken|esse?|essen|nehme?|nehmen|fahre?|fahren|gehe?|gehen|kaufe?|kaufen|zahle?|zahlen|bezahle?|benutze?|nutze?|nutzen|verwende?|verwenden|schreibe?|lese?|h(?:ö|oe)re?|arbeite?|buche?|bestelle?|koche?|kochen|schlafe?|sitze?|reise?|fliege?|fliegen|w(?:ä|ae)hle?|trage?|teste?|committe|deploye|programmiere|starte|beginne|speichere|mache?|lasse?|laufe?|fr(?:ü|ue)hst(?:ü|ue)cke?|antworte|telefoniere?|lerne?|putze?|dusche?|rauche?|tanke|schalte|stelle?|lege|packe?|rechne|plane?|checke?|pr(?:ü|ue)fe?|unterschreibe?|drucke?|tippe|schaue?|gucke?|backe?|wasche?|spiele?|giesse?|surfe?|surf|wandere|bringe?|halte?|will|m(?:ö|oe)chte|brauche?)",
    ),
    (
        "ever",
        "(?:immer|nie|niemals|grunds(?:ä|ae)tzlich|prinzipiell|stets|ausschliesslich|generell|nur noch|meistens|meist|normalerweise|in der regel|aus prinzip|jedes mal|so gut wie nie|fast nie|fast immer|fast nur|nur|eigentlich nur|am besten|kaum noch|h(?:ö|oe)chstens)",
    ),
    // What somebody is, as a matter of body, faith or state.
    (
        "being",
        "(?:vegan|vegetarisch|veganer(?:in)?|vegetarier(?:in)?|pescetarier(?:in)?|[a-zäöü-]*allergisch|[a-zäöü-]*allergiker(?:in)?|[a-zäöü-]*intolerant|[a-zäöü-]*diabetiker(?:in)?|asthmatiker(?:in)?|epileptiker(?:in)?|legasthenikerin?|legastheniker|linksh(?:ä|ae)nder(?:in)?|rechtsh(?:ä|ae)nder(?:in)?|[a-zäöü-]*farbenblind|rot-?gr(?:ü|ue)n-?blind|blind|[a-zäöü-]*taub|geh(?:ö|oe)rlos|schwerh(?:ö|oe)rig|[a-zäöü-]*sichtig|sehbehindert|autist(?:in)?|autistisch|schwanger|stillend|verheiratet|geschieden|verwitwet|ledig|single|alleinerziehend|verlobt|berufst(?:ä|ae)tig|selbstst?(?:ä|ae)ndig|freiberuflich|freiberufler(?:in)?|arbeitslos|arbeitssuchend|berentet|pensioniert|krankgeschrieben|rentner(?:in)?|pension(?:ä|ae)r(?:in)?|muslim(?:in|a)?|muslimisch|j(?:ü|ue)disch|jude|j(?:ü|ue)din|christ(?:in)?|katholisch|evangelisch|buddhist(?:in)?|hindu|atheist(?:in)?|konfessionslos|nichtraucher(?:in)?|raucher(?:in)?|alkoholiker(?:in)?|abstinent|trocken|brillentr(?:ä|ae)ger(?:in)?|einzelkind|zweisprachig|dreisprachig|bilingual|nachtblind|bluter|gebehindert|gehbehindert|schwerbehindert|rollstuhlfahrer(?:in)?|vater|mutter|mama|papa|oma|opa|tante|onkel|patentante|patenonkel|witwer?|witwe|waise|zwilling)",
    ),
    // Trades.
    (
        "trade",
        "(?:[a-zäöü-]*(?:lehrer|pfleger|arbeiter|meister|fahrer|techniker|ingenieur|entwickler|programmierer|informatiker|berater|leiter|verk(?:ä|ae)ufer|schreiner|tischler|maler|b(?:ä|ae)cker|metzger|fleischer|g(?:ä|ae)rtner|friseur|erzieher|elektriker|elektroniker|mechaniker|mechatroniker|klempner|installateur|dachdecker|zimmerer|maurer|schlosser|schweisser|architekt|designer|grafiker|fotograf|journalist|redakteur|autor|schriftsteller|(?:ü|ue)bersetzer|dolmetscher|anwalt|notar|richter|polizist|sanit(?:ä|ae)ter|apotheker|therapeut|psychologe|biologe|chemiker|physiker|mathematiker|historiker|forscher|wissenschaftler|dozent|professor|doktorand|student|sch(?:ü|ue)ler|referendar|praktikant|kellner|h(?:ä|ae)ndler|makler|buchhalter|controller|manager|sekret(?:ä|ae)r|assistent|beamter|musiker|pianist|organist|gitarrist|schauspieler|s(?:ä|ae)nger|t(?:ä|ae)nzer|trainer|winzer|imker|f(?:ö|oe)rster|bauer|landwirt|wirt|pilot|matrose|kapit(?:ä|ae)n|soldat|pastor|pfarrer|priester|optiker|uhrmacher|schneider|schuster|drucker|setzer|laborant|lagerist|disponent|spediteur|hausmann|gr(?:ü|ue)nder|admin|tester|analyst|statiker|restaurator|goldschmied|schmied|koch|zahnarzt|tierarzt|arzt)(?:in|innen)?|[a-zäöü-]*(?:(?:ä|ae)rztin|anw(?:ä|ae)ltin|k(?:ö|oe)chin|hebamme|psychologin|biologin|hausfrau|kauffrau|kaufmann|fachfrau|fachmann|fachkraft|lehrkraft|hilfskraft|b(?:ä|ae)uerin|beamtin|azubi|auszubildende[r]?|freelancer|werkstudent|werkstudentin|hiwi|bufdi|postbotin|postbote|lotse|feuerwehrmann|zimmermann|steuermann)|[a-zäöü-]{5,}(?:erin|istin|eurin|orin|antin|ologin|ologe|ikerin))",
    ),
    // Things one has, or lives with.
    (
        "thing",
        "(?:[a-zäöü-]*(?:auto|wagen|kombi|fahrrad|rad|e-bike|motorrad|roller|f(?:ü|ue)hrerschein|garten|balkon|terrasse|klavier|gitarre|geige|wohnung|haus|h(?:ä|ae)uschen|hof|aufzug|lift|sp(?:ü|ue)lmaschine|waschmaschine|trockner|fernseher|smartphone|handy|laptop|rechner|macbook|mac|drucker|heizung|w(?:ä|ae)rmepumpe|solaranlage|fotovoltaik|photovoltaik|kamin|keller|garage|stellplatz|backofen|ofen|herd|mikrowelle|allergie|unvertr(?:ä|ae)glichkeit|intoleranz|hörger(?:ä|ae)te?|herzschrittmacher|brille|prothese|rheuma|arthrose|diabetes|asthma|neurodermitis|heuschnupfen|migr(?:ä|ae)ne|epilepsie|z(?:ö|oe)liakie|bluthochdruck|h(?:ö|oe)henangst|flugangst|platzangst|tinnitus|adhs|ads|legasthenie|depressionen|h(?:ü|ue)hner|ziegen|schafe|bienen|k(?:ü|ue)he|fische|kinder|katzen|hunde|h(?:ä|ae)ndlerin|laden|gesch(?:ä|ae)ft|b(?:ü|ue)ro|mitarbeiter|angestellte|geschwister|br(?:ü|ue)der|schwestern|hobby|staatsangeh(?:ö|oe)rigkeit|pass|schuhgr(?:ö|oe)sse|kleidergr(?:ö|oe)sse|wohnmobil|wohnwagen|boot|ferienhaus|behindertenausweis|pflegegrad|bahncard|deutschlandticket|jahreskarte|schrebergarten|gew(?:ä|ae)chshaus)|{kin})",
    ),
];

const DAYS: &[DayWord] = &[
    day(
        When::None,
        " (?:(?:letzte|n(?:ä|ae)chste|vorige|kommende|diese)[nrs]? (?:woche|monat|jahr|wochenende)|{weekday}s) ",
    ),
    day(When::Day(-2), " vorgestern"),
    day(When::Day(2), " (?:ü|ue)bermorgen"),
    day(When::Day(-1), " (?:gestern(?: nacht| abend)?|letzte nacht|vergangene nacht)"),
    day(When::Ago, " vor {number} tagen?"),
    day(When::Ahead, " in {number} tagen?"),
    day(When::Day(0), " heute?(?: (?:fr(?:ü|ue)h|morgen|vormittag|mittag|nachmittag|abend|nacht))?"),
    day(When::Last, " (?:letzten|vorigen|vergangenen) {weekday}"),
    day(When::Coming, " (?:n(?:ä|ae)chsten|kommenden|diesen) {weekday}"),
    day(When::Nearest, " (?:am|seit|ab) {weekday}"),
    day(When::Day(1), " morgen "),
    day(When::Nearest, "^ {weekday}(?:{daytime})? "),
];
