//! The table of French.
//!
//! As in all tables, patterns are written for folded text: `é` is `e`, `ç` is `c`, `œ` is `oe`.

use super::language::{DayWord, Language, When, day};

pub(super) static TABLE: Language = Language {
    spaced: true,
    is_romance: true,
    fragments: FRAGMENTS,
    openers: "salut|bonjour|bonsoir|coucou|hello|hey|yo|re|et|mais|donc|alors|du coup|or|bon|ben|bah|beh|ok|okay|ah|oh|euh|hum|oui|ouais|ouaip|\
              nan|non|si si|merci ,|mille mercis|super|parfait|nickel|genial|cool|top|au fait|d'ailleurs|sinon|en fait|par contre|ca y est|\
              parce que|car|puisque|vu que|enfin|bref|voila|desolee?|pardon|sorry|perso|personnellement|pour ma part|quant a moi|de mon cote|\
              pour info|pour infos|pour memoire|fyi|a noter|note que|notez que|sache que|sachez que|retiens que|retenez que|n'oublie pas que|rappelle-toi que|\
              pour rappel|rappel|petite? (?:precision|info|rappel|question|note|detail|remarque)|precision|info|infos|detail|important|ps|nb|p\\.s|\
              pour que tu (?:saches|situes|comprennes)|pour situer|pour le contexte|contexte|a savoir|il faut savoir que|faut savoir que|\
              en gros|en bref|en resume|tout compte fait|en fin de compte|au bout du compte|reflexion faite|tout bien considere|finalement|au final|a la fin|apres reflexion|apres mure reflexion|tout bien reflechi|franchement|honnetement|serieusement|\
              plus serieusement|serieux|sans mentir|clairement|evidemment|bien sur|allez|tiens|dis|ecoute|regarde|attends|voyons|pfff*|rho+|oups|ouf|puree|putain|zut|\
              wesh|frere|mec|les gars|tout le monde|n'empeche|n'empeche que|cela dit|ceci dit|en revanche|en plus|de plus|par ailleurs|ensuite|puis|premierement|deuxiemement|\
              tabarnak|crisse|ostie|coudonc|bonne nouvelle|mauvaise nouvelle|j'oubliais|j'avoue|j'avoue que|juste que|(?:juste )?pour (?:te |vous )?dire (?:que|qu')|juste|stp|svp|s'il te plait|s'il vous plait|please|pour moi|en tout cas|je deconne|je rigole|je plaisante|blague a part|treve de plaisanterie|(?:le|la|l')(?: ?[a-z]+){1,2} c'est qu(?:e|')|ce qui (?:change|compte|est sur) c'est qu(?:e|')|je precise que|je precise|je te signale que|je te rappelle que|\
              je voulais (?:te |vous )?dire(?: que)?|je tenais a (?:te |vous )?dire que|je (?:te|vous) (?:informe|signale|rappelle|confirme|previens|annonce) que|my bad",
    interjections: "",
    speaker: "",
    closers: "stp|svp|s'il te plait|s'il vous plait|please|pls|merci|merci d'avance|merci bien|merci beaucoup|lol|mdr+|ptdr+|haha+|perso|personnellement|quoi|hein|, voila|, va|quand meme|\
              d'ailleurs|au fait|du coup|en fait|et|mais|car|parce que|desolee?|sinon|tu vois|tu sais|hihi|xd|^^|allez|, ok|, okay|enfin bref|, la|pour info|par contre",
    session: " {now} ",
    past: " (?:{pc}|(?:j'|n'|s'|c')?et(?:ais|ait|aient|ions)|(?:j'|n')?av(?:ais|ait|aient|ions)) ",
    present: "",
    doubtful: " (?:je suis|chuis|jsuis|j'suis|on est|nous sommes|est|sont) {pp} ",
    is_preterite: |_| false,
    arranged: " (?:(?:pris|pose|obtenu|eu|fixe) (?:un |le |mon )?(?:rendez-vous|rdv)|reservee?s?|decidee?s?|invitee?s?|acceptee?s?|reportee?s?|annulee?s?|deplacee?s?|avancee?s?|promis|\
               prevu|convenu|fixe|programme|inscrite?|(?:achete|pris) (?:[^ ]+ )*(?:billets?|places?)) ",
    weekdays: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    numbers: &["une?", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"],
    days: DAYS,
};

const FRAGMENTS: &[(&str, &str)] = &[
    ("month", "(?:janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)"),
    ("part", "(?: (?:matin|soir|midi|apres-midi|aprem|aprem'|nuit))?"),
    // A participle, in any of its endings.
    (
        "pp",
        "(?:(?:enfin |bien |deja |encore |tous |tout |toutes |toutes les deux |tous les deux |aussi |finalement |officiellement |vraiment |juste |meme |presque |failli |carrement |fait |faite )*(?:eue?s?|vue?s?|lue?s?|su|pu|du|bu|ete|mise?s?|prise?s?|faite?s?|dit|ne|nee?s?|ouvert|offert|mort|morte|morts|tuee?s?|[a-z]{3,}(?:e|ee|es|ees|i|ie|is|ies|it|ite|u|ue|us|ert|erte|int|inte)))",
    ),
    // Participles beside "être" of what happened. Others tell of a state: "vendredi je suis occupé". The preposition "entre" is
    // none.
    (
        "went",
        "(?:(?:enfin |bien |deja |tous |toutes |aussi |finalement |juste )*(?:(?:alle|(?:re|de|inter|sur|par)?venu|(?:re)?parti|arrive|rentre|(?:res)?sorti|(?:re)?monte|(?:re)?descendu|(?:re)?tombe|ne|mort|reste|(?:re)?passe|retourne|decede|apparu)(?:e|s|es)?|entrees?|entres))",
    ),
    (
        "pc",
        "(?:(?:j'ai|jai|j'avais|on a|on l'a|je l'ai|nous avons|m'a|m'ont|nous a|nous ont|me suis|s'est|se sont|nous nous sommes|a|ont) {pp}|(?:je suis|chuis|jsuis|j'suis|on est|nous sommes|est|sont) {went})",
    ),
    // What makes an instruction one for now.
    (
        "now",
        "(?:cette fois|cette fois-ci|ce coup-ci|sur ce coup|pour ce coup|pour le coup|pour l'instant|pour le moment|pour l'heure|dans l'immediat|aujourd'hui|ce matin|ce soir|cet aprem|cet apres-midi|cette semaine|pour cette fois|pour cette fois-ci|pour une fois|rien que pour une fois|exceptionnellement|en attendant|provisoirement|temporairement|momentanement|pour la journee|pour la soiree|(?:juste |seulement |uniquement |rien que )?(?:dans|pour|sur) (?:ce|cet|cette) (?:mail|mail-la|message|texte|post|rapport|document|fichier|chapitre|lettre|email|courriel|courrier|devis|article|projet|conversation|discussion|fil|session|reponse|chat|cas|dossier|coup|tache|ticket|client|version|presentation|exercice|partie|invitation)(?:-la|-ci)?|jusqu'a (?:ce que|demain|ce soir|nouvel ordre|{weekday}|mon retour|la fin)|jusqu'au [^,]+|jusqu'en {month}|d'ici (?:la|demain|{weekday}|mon retour)|le temps (?:que|de|d')|tant que|pendant (?:mes|les vacances|la|cette|une|deux|trois)|quelques jours|deux minutes)",
    ),
];

const DAYS: &[DayWord] = &[
    day(When::Week(-1), " {weekday}{part} de la semaine (?:derniere|passee)"),
    day(When::Week(1), " {weekday}{part} de la semaine (?:prochaine|pro|qui vient)"),
    day(When::Week(-1), " la semaine (?:derniere|passee)(?: ,)? {weekday}"),
    day(When::Week(1), " la semaine (?:prochaine|pro|qui vient)(?: ,)? {weekday}"),
    // The day of the month is stated.
    day(When::None, " {weekday} [0-9]{1,2} "),
    day(
        When::None,
        " (?:(?:le|les|tous les|chaque) {weekday}s?|{weekday}s|la semaine (?:derniere|passee|pro|prochaine|qui vient)|le (?:week-end|weekend|mois) (?:dernier|prochain|passe)|en {month}) ",
    ),
    day(When::Day(-2), " avant-hier{part}"),
    day(When::Day(2), " apres-demain{part}"),
    day(When::Day(-1), " hier{part}"),
    day(When::Day(1), " demain{part}"),
    day(
        When::Day(0),
        " (?:aujourd'hui|ce (?:matin|soir|midi)|a soir|cet (?:apres-midi|aprem)|cette nuit|tout a l'heure|a l'instant)",
    ),
    // A week, and two.
    day(When::Day(-7), " (?:il y a|ya|ca fait) huit jours"),
    day(When::Day(7), " dans huit jours"),
    day(When::Day(14), " dans quinze jours"),
    day(When::Ago, " (?:il y a|ya|ca fait) {number} jours?"),
    day(When::Ahead, " dans {number} jours?"),
    day(When::Last, " {weekday}{part} (?:dernier|passe)"),
    day(When::Coming, " {weekday}{part} (?:prochain|qui vient)"),
    day(When::Nearest, " (?:ce )?{weekday}{part}"),
    day(
        When::Day(0),
        " (?:je viens|on vient|nous venons|(?:mon|ma|notre) [a-z]+(?: [a-z]+)? vient)(?: tout juste| juste)? (?:d'etre [a-z]+|(?:de |d')[a-z']+)",
    ),
];
