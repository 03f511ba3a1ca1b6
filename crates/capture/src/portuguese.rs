//! The table of Portuguese, of Brazil and of Portugal.
//!
//! Folded text has no accents: `amanhã` is `amanha`, and `é` is masked where `e` would be taken for the conjunction.

use super::language::{DayWord, Language, When, day};

pub(super) static TABLE: Language = Language {
    spaced: true,
    is_romance: true,
    fragments: FRAGMENTS,
    openers: "oi+(?: gente| pessoal)?|ola(?: a todos| pessoal)?|bom dia|boa (?:tarde|noite)|e ai|ei ,|hey|hi|hello|opa|alo|e|mas|so que|entao|dai|ai ,|portanto|por isso|pois|pois e|porque|pq|porq|ja que|visto que|\
              ah|oh|eita|uai|ue|putz|nossa ,|nossa senhora|ok|okay|ta ,|ta bom|ta bem|beleza|blz|certo ,|sim ,|nao ,|claro ,|(?:muito )?obrigad[oa]|valeu|vlw|brigad[oa]|desculpa|desculpe|olha so|(?:olha|olhe|escuta|ouve|ouca|cara|mano|mana|moc[oa]|gente|pessoal|galera) ,|\
              alias|a proposito|(?:por )?falando nisso|por falar nisso|por sinal|ja agora|btw|fyi|ps|p\\.s|(?:so )?(?:para|pra) (?:constar|registro|que conste|avisar|lembrar|(?:a )?(?:sua|tua) informacao|tu saberes|saberes|voce saber)(?: que)?|(?:so )?lembrando que|\
              fica(?:s)?(?: a)? saber que|saiba(?:m)? que|sabe que|lembra(?:-te)?(?: (?:de )?que)?|lembre(?:-se)?(?: (?:de )?que)?|anot[ae](?: ai)? que|anot[ae] ai|not[ae] que|repara que|(?:tem|tenha) em (?:conta|mente) que|leve em conta que|consider[ae] que|aviso que|cuidado que|atencao que|\
              na verdade|na realidade|de fato|de facto|enfim|afinal(?: de contas)?|no fim(?: das contas| de contas)?|ao fim e ao cabo|em resumo|resumindo|em suma|basicamente|sinceramente|honestamente|francamente|(?:a )?serio|falando serio|infelizmente|felizmente|finalmente|por acaso|\
              (?:o negocio|o caso|a questao|o facto|o fato|a verdade) [ex] que|acontece que|[ex] que|so quero que|no meu caso|(?:da|pela) minha parte|pessoalmente|quanto a mim|alem disso|ainda por cima|(?:outra|mais uma|uma|ultima) coisa|\
              (?:boas? |mas? )noticias?|novidades?|k{3,}|(?:ha|he|rs){2,}|lol|que",
    interjections: "",
    speaker: "",
    closers: "(?:muito )?obrigad[oa]|brigad[oa]|valeu|vlw|por favor|pfv|pfvr|pf|pls|please|se faz(?:es)? favor|sff|abs|(?:um )?abracos?|beijos?|bjs?|cumprimentos|tchau|k{3,}|(?:ha|he|rs){2,}|rs|lol|xd|ok|, ta|, ta bom|ne|, nao e|, viu|, sabe|, certo|, cara|, mano|, mana|, gente|, pa|\
              uai|mas|e|pois|porque|pq|entao|alias|desculpa|desculpe|btw",
    session: "(?: (?:{once}) |^ (?:(?:e|mas|entao|por) )?(?:hoje|hj) | (?:hoje|hj) $)",
    past: " (?:foi|fui|foram|fez|fizeram|teve|tiveram|esteve|estive|estiveram|veio|vim|vieram|pus|puseram|deram|dei|viram|trouxe|trouxeram|soube|quis|pude|houve|era|eram|eramos|estava|estavam|estavamos|tava|tinha|tinham|tinhamos|ia|iam|disse|disseram|caiu|pariu|morreu|nasceu|{first}) ",
    present: "",
    doubtful: "",
    is_preterite,
    arranged: " (?:marcad[oa]s?|marquei|marcou|marcaram|marcamos|reservei|reservad[oa]s?|reservamos|combinei|combinad[oa]s?|combinamos|decidi|decidimos|convidei|convidad[oa]s?|convidaram|adiad[oa]s?|adiaram|adiei|cancelei|cancelad[oa]s?|cancelaram|\
               mudaram|remarquei|remarcad[oa]s?|remarcaram|prometi|prometeu|agendei|agendad[oa]s?|agendaram|inscrevi|inscrit[oa]|aceitei|confirmei|confirmaram|anteciparam|desmarquei|desmarcaram|\
               (?:comprei|compramos|comprou) (?:[^ ]+ )*(?:bilhetes?|ingressos?|passage(?:m|ns)|entradas?)|consegui (?:uma |a )?consulta) ",
    weekdays: [
        "segundas-feiras|segunda-feira|segundas|segunda",
        "tercas-feiras|terca-feira|tercas|terca",
        "quartas-feiras|quarta-feira|quartas|quarta",
        "quintas-feiras|quinta-feira|quintas|quinta",
        "sextas-feiras|sexta-feira|sextas|sexta",
        "sabados|sabado",
        "domingos|domingo",
    ],
    numbers: &["um|uma", "dois|duas", "tres", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"],
    days: DAYS,
};

const FRAGMENTS: &[(&str, &str)] = &[
    ("part", "(?: (?:(?:de|a|pela|da|ao|na) (?:manha|tarde|noite|madrugada|almoco)|de manhazinha|cedo))?"),
    ("next-week", "(?:semana que vem|proxima semana|semana seguinte)"),
    // Names of weekdays that mean nothing else; the others are ordinals too: "na segunda vez".
    ("plain", "(?:(?:segunda|terca|quarta|quinta|sexta)-feira|sabado|domingo)"),
    // What follows the name of a weekday, and no ordinal.
    (
        "rest",
        "(?: $| (?:,|:|-|(?:as?|aos?|os?|d[eao]s?|em|n[ao]s?|com|sem|pr[ao]|para|por|pelas?|pelos?|que|e|ou|ate|eu|tu|ele|ela|me|te|se|nos|a gente|meus?|minhas?|nossos?|nossas?|la|ja|nao|so|vou|vai|vamos|vao|tenho|tem|temos|tinha|estou|estava|e|foi|fui|fomos|sera|comeca|chega|fiz|fez|tive|teve|veio|vim|sai|cai|parti|perdi|bati|abri|[0-9][0-9:h]*|[a-z]+(?:ei|ou|eu|iu|aram|eram|iram|amos|emos|imos)) ))",
    ),
    // The first person of regular verbs in the past.
    (
        "first",
        "(?:parti|sai|cai|abri|vendi|perdi|bati|comi|bebi|recebi|decidi|consegui|conheci|escrevi|corri|vivi|senti|dormi|assisti|descobri|desisti|prometi|esqueci|adoeci|torci|li|vi|ouvi|pedi|medi|subi|mordi|resolvi|devolvi|nasci|cresci)",
    ),
    // What makes a wish one for now.
    (
        "once",
        "(?:(?:por |so |apenas )?(?:d?esta|d?essa) vez|por (?:enquanto|ora|agora|hoje)|(?:so|apenas|somente) (?:por )?(?:hoje|agora|hj)|(?:hoje|hj) (?:so|apenas)|para ja|(?:no|de|neste|nesse) momento|exce(?:p)?cionalmente|temporariamente|provisoriamente|(?:n?est[ae]|n?ess[ae]) (?:semana|tarde|noite|manha|fim de semana)|(?:n|para |pra |so n|em )(?:est[ae]|ess[ae]) (?:conversa|chat|sessao|mensagem|resposta|texto|documento|email|e-mail|mail|tarefa|relatorio|apresentacao|caso|thread|arquivo|ficheiro|projeto|carta|artigo|resumo|trabalho|exercicio|semana)|ate (?:amanha|(?:segunda|nova) ordem|ao? fim|eu [^,]+|(?:a |ao )?{weekday}|la)|enquanto (?:eu|nao|estou|estiver|tiver|a gente|durar)[^,]*|por uns? (?:dias|tempo|tempinho)|por alguns dias|entretanto|nos proximos (?:dias|minutos))",
    ),
];

/// The stems of verbs whose past tense ends like a future: "preparei".
#[rustfmt::skip]
const LIKE_FUTURES: &[&str] = &[
    "par", "prepar", "repar", "separ", "compar", "tir", "retir", "vir", "oper", "esper", "melhor", "demor", "namor", "ador", "chor", "ger", "admir",
    "recuper", "consider", "mir", "gir", "jur", "super", "alter", "declar",
];
/// Words that end like a past tense and are none.
#[rustfmt::skip]
const NO_PRETERITES: &[&str] = &[
    "sei", "lei", "rei", "hei", "frei", "hóquei", "vou", "sou", "dou", "estou", "ou", "eu", "meu", "teu", "seu", "céu", "véu", "réu", "museu", "pneu", "europeu", "judeu", "chapéu",
    "troféu", "ateu", "liceu", "mausoléu", "show",
];

/// Returns whether a word is a regular verb in the past tense: "cancelei", "chegou", "comprámos", and not the future "cancelarei".
fn is_preterite(word: &str) -> bool {
    let word = word.split('-').next().unwrap_or(word);
    let is_future = |stem: &str| {
        ["ar", "er", "ir", "or"].iter().any(|ending| stem.ends_with(ending)) && !LIKE_FUTURES.contains(&stem)
    };
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    !NO_PRETERITES.contains(&word)
        && (ends(&[
            "ou", "eu", "iu", "aram", "eram", "iram", "ámos", "ivemos", "izemos", "useram", "fomos", "íram",
        ]) || ends(&["saí", "caí", "traí"])
            || word.strip_suffix("ei").is_some_and(|stem| !is_future(stem)))
}

const DAYS: &[DayWord] = &[
    day(When::None, " (?:hoje em dia|dia sim|de {weekday} (?:a|ate|ao) {weekday}) "),
    day(
        When::Week(-1),
        " {weekday}{part} da semana passada| semana passada(?: ,)? (?:na |no )?{weekday}{part}",
    ),
    day(
        When::Week(1),
        " {weekday}{part} (?:da|na) {next-week}| {next-week}(?: ,)? (?:na |no )?{weekday}{part}",
    ),
    day(When::Day(-2), " (?:anteontem|antes de ontem|antontem){part}"),
    day(When::Day(2), " depois de amanha{part}"),
    day(When::Day(-1), " (?:ontem{part}|(?:na )?noite passada)"),
    day(When::Day(1), " amanha{part}"),
    day(
        When::Day(0),
        " (?:(?:hoje|hj){part}|(?:n?esta|n?essa) (?:manha|tarde|noite|madrugada)|agora (?:mesmo|ha pouco)|ainda agora|ha pouco|ha (?:{number} horas?|meia hora)|acab(?:ei|amos|ou|aram|o) de [a-z]+)",
    ),
    day(When::Day(-7), " ha oito dias"),
    day(When::Day(7), " (?:daqui a|de hoje a) oito dias"),
    day(When::Day(-14), " ha quinze dias"),
    day(When::Day(14), " (?:daqui a|de hoje a) quinze dias"),
    // A number of two words: "vinte e dois dias atrás".
    day(When::None, " (?:vinte|(?:tri|quare|cinque|sesse|sete|oite|nove)nta|cento) e {number} dias? "),
    day(When::Ago, " (?:(?:ha|faz) {number} dias?(?: atras)?|{number} dias? atras)"),
    day(When::Ahead, " (?:daqui a|daqui|dentro de|em) {number} dias?"),
    // The day of the month is stated.
    day(When::None, " {weekday}(?: dia)? [0-9]{1,2} "),
    day(When::Last, " (?:n[ao] )?(?:{weekday}{part} passad[oa]|ultim[oa] {plain}{part})"),
    day(
        When::Coming,
        " (?:n[ao] )?(?:{weekday}{part} (?:que vem|proxim[oa])|proxim[oa] {plain}{part})| (n[ao] proxim[oa] {weekday}{part}){rest}",
    ),
    // "Às segundas" and "à segunda-feira" are every Monday.
    day(
        When::None,
        " (?:(?:as|aos|tod[ao]s?(?: [ao]s?)?|cada) {weekday}|(?:segunda|terca|quarta|quinta|sexta)s(?:-feiras)?|sabados|domingos|a {plain}|ao (?:sabado|domingo)) ",
    ),
    day(When::Next, " (d[ao] {plain})"),
    day(
        When::Nearest,
        " (?:n[ao] |n?est[ae] |n?ess[ae] |ja |pr[ao] |para )?(?:segunda|terca|quarta|quinta|sexta)-feira{part}| (?:no|n?este|n?esse|ja|pro|pra|para|foi|sera) (?:sabado|domingo){part}|^ (?:sabado|domingo){part}| (?:sabado|domingo) (?:de manha|a tarde|a noite|de madrugada)",
    ),
    day(
        When::Nearest,
        "(?: |^ )((?:na|n?esta|n?essa|e|foi|sera|fica|ficou|pra|para|ja|,|logo) (?:segunda|terca|quarta|quinta|sexta){part}){rest}",
    ),
    day(When::Nearest, "^ ((?:segunda|terca|quarta|quinta|sexta){part}){rest}"),
];
