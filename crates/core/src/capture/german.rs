//! German.

use super::Why::{Hypothetical, Other, Past, Question, Reported, Secret};
use super::language::Reach::{Clause, Rest};
use super::language::When;
use super::language::{Language, day, decision, episodic, fact, gate, preference};

pub(super) static TABLE: Language = Language {
    name: "german",
    words: "ich du er sie es wir ihr mich mir dich dir uns euch mein meine meiner meinen meinem dein deine unser unsere der die \
            das den dem des ein eine einen einem einer und oder aber nicht kein keine keinen ist bin bist sind war waren hab \
            habe hat haben wird werden bitte immer nie nur noch schon auch auf mit von zu zum zur im in am an für bei nach aus \
            heute gestern morgen ab jetzt künftig diesmal lieber mag hasse statt als wie was wo wann warum ja nein doch mal \
            nenn alles gern gerne heisse wohne wohn lass",
    fragments: &[
        (
            "adv",
            "(?: (?:wirklich|einfach|immer|noch|auch|eigentlich|meistens|am liebsten|halt|jetzt|grundsätzlich|übrigens|total|sehr|ja|mal|eh|sowieso|gern|gerne|lieber|nur))*",
        ),
        (
            "kin",
            "(?:frau|mann|sohn|tochter|kinder|kind|mutter|vater|mama|papa|bruder|schwester|oma|opa|eltern|freundin|freund|partner|partnerin|katze|hund|kater|zwillinge)",
        ),
        ("month", "(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)"),
    ],
    openers: "hallo|hi|hey|moin|servus|guten (?:morgen|tag|abend)|und|aber|also|so|ok|okay|ach|ähm|naja|na ja|ja|nein|nee|übrigens|danke|sorry|btw|fyi|weil|denn|deshalb|deswegen|dass",
    closers: "danke|lol|haha|übrigens|bitte|sorry|halt|oder|und|aber",
    connectors: &[
        "( , (?:(?:und|aber|oder|denn|weil|also|deshalb|deswegen|da|sondern|dass|obwohl) )*)(?:ich|wir|mein|meine|unser|unsere|bitte|das|der|die|du|er|sie|es|kannst|machst|hast|ist|sind|nenn|lass) ",
        "( , (?:und|aber|weil|denn|deshalb|deswegen|obwohl|sondern|also) )",
        "( (?:und|aber) )(?:ich|wir|mein|meine|unser|bitte|nenn) ",
        "( (?::|-) )",
    ],
    gates: &[
        gate(
            Secret,
            Clause,
            "(?:passwort|kennwort|pin|türcode|kartennummer|zugangsdaten) (?:[^,]+ )?(?:ist|lautet|:|[0-9])",
        ),
        gate(Hypothetical, Rest, "^ (?:falls|angenommen|wenn ich|stell dir vor|gesetzt den fall) "),
        gate(Hypothetical, Clause, " (?:wäre|wär|hätte ich|würde ich|vielleicht|irgendwann|wünschte) "),
        gate(
            Reported,
            Rest,
            " (?:sagt|sagte|meint|meinte|erzählt|behauptet|schreibt|schrieb|angeblich|laut|glaubt) ",
        ),
        gate(
            Other,
            Clause,
            "^ (?:mein|meine|unser|unsere|der|die) (?:chef|chefin|kollege|kollegin|kunde|kundin|nachbar|nachbarin|mitbewohner|vermieter|vermieterin) ",
        ),
        gate(
            Question,
            Rest,
            "^ (?:was|wie|wer|wo|wann|warum|wieso|weshalb|welche|welcher|welches|kannst du|könntest du|hast du|bist du|ist das|weisst du|machst du|gibt es|soll ich|sollen wir|darf ich) ",
        ),
        gate(Past, Clause, " (?:früher|damals|als kind|war mal) "),
    ],
    rules: &[
        preference("once", "^ (?:bitte )?(?:[a-zäöü]+ )+").for_now().sure(0.80),
        preference(
            "standing-wish",
            "^ (?:kannst|könntest|würdest) du (?:bitte )?(?:immer|künftig|ab jetzt|nie) ",
        )
        .asked(),
        decision("together", "^ (?:lass|lasst) uns "),
        decision("decided", " (?:entschieden|beschlossen|geeinigt|einigen uns|abgemacht|vereinbart) "),
        decision(
            "from-now",
            " ab (?:jetzt|sofort|heute|{weekday}|{month}) (?:[^,]+ )?(?:wir|jeder|jede|alle|nur noch) ",
        ),
        decision(
            "doing",
            "^ wir (?:bleiben|nehmen|gehen|verwenden|nutzen|benutzen|steigen|wechseln|ziehen|machen) ",
        ),
        fact(
            "mine",
            "^ (?:mein|meine|unser|unsere) (?:name|muttersprache|sprache|zeitzone|geburtstag|adresse|nummer|beruf|wohnung|büro|firma) (?:ist|lautet|liegt|heisst) ",
        ),
        fact(
            "kin",
            "^ (?:mein|meine|unser|unsere) (?:[a-zäöü]+ )?{kin} (?:ist|heisst|hat|sind|heissen|verträgt|arbeitet|wohnt) ",
        ),
        fact(
            "live",
            "^ (?:ich{adv} )?(?:heisse|heiss|wohne|wohn|lebe|leb|arbeite|arbeit|studiere|komme aus|spreche|fahre|bin allergisch|bin gegen) ",
        ),
        fact(
            "being",
            "^ (?:ich bin|bin|ich){adv} (?:[^,]+ )?(?:vegan|veganer|veganerin|vegetarier|vegetarierin|allergisch|diabetiker|diabetikerin|linkshänder|linkshänderin|farbenblind|schwanger) ",
        ),
        fact("have", "^ (?:ich )?(?:hab|habe){adv} (?:ein|eine|ne|nen|einen|keinen|zwei|drei|adhs|asthma) "),
        preference(
            "taste",
            "^ (?:ich{adv} )?(?:mag|liebe|hasse|bevorzuge|will|möchte|trinke|trink|esse|ess|benutze|nutze|nehme|ertrag|brauch){adv} ",
        ),
        preference(
            "order",
            "^ (?:bitte )?(?:nenn mich|nie|niemals|immer|bloss kein|bloss keine|bitte kein|bitte keine|schreib immer|antworte) ",
        ),
        preference("order", " (?:bitte immer|immer bitte|bitte nie|bitte nur|bitte ohne|künftig) "),
        preference("comparison", "^ [^,]+ statt [^,]+ , (?:immer|bitte) "),
        episodic(
            "event",
            "(?:^| )(?:gestern|heute|vorgestern|letzte nacht|am {weekday}) .*(?:ich|mir|uns|wir|mein|meine|unser|unsere) ",
        ),
        episodic(
            "event",
            "^ (?:ich|wir|mein|meine|unser|unsere) .*(?:gestern|heute|vorgestern|letzte nacht|am {weekday}|morgen) ",
        ),
    ],
    session: " (?:diesmal|dieses mal|für heute|nur heute|heute|vorerst|fürs erste|erst mal|erstmal|bis morgen|diese woche|ausnahmsweise|bei diesem einen [a-z]+) ",
    past: " (?:hab|habe|hat|haben|ist|sind|war|waren|wurde|wurden) ",
    weekdays: ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend", "sonntag"],
    numbers: &["einem|eine[rnm]?", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"],
    days: &[
        day(When::Day(-2), " vorgestern"),
        day(When::Day(2), " übermorgen"),
        day(When::Day(-1), " (?:gestern|letzte nacht|gestern nacht)"),
        day(When::Day(0), " heute"),
        day(When::Day(1), " morgen "),
        day(When::Ago, " vor {number} tagen"),
        day(When::Ahead, " in {number} tagen"),
        day(When::Last, " letzten {weekday}"),
        day(When::Coming, " (?:nächsten|kommenden|diesen) {weekday}"),
        day(When::Nearest, " am {weekday}"),
    ],
};
