//! The table of Spanish, of Spain and of the Americas: tú, vos and usted.
//!
//! Folded text has no accents: `usá` is `usa`, `escribí` may be an instruction or the past tense, `mañana` is
//! `manana`.

use super::language::When;
use super::language::{DayWord, Language, day};

mod fragments;

use fragments::FRAGMENTS;

pub(super) static TABLE: Language = Language {
    spaced: true,
    is_romance: true,
    fragments: FRAGMENTS,
    openers: "hola|buenas(?: tardes| noches)?|buenos dias|buen dia|holi|y|e|pero|o sea|osea|asi que|asi q|bueno|buen[oa]|pues|oye|oiga|oigan|\
              ah|ahh|uy+|uf+|puf+|ay+|ok|okey|okay|listo|gracias|muchas gracias|por cierto|ademas|entonces|\
              jaj[aj]*|jeje|porque|porq|xq|pq|ya que|es que|la verdad(?: es)?(?: que)?|en realidad|de verdad|en serio|sinceramente|\
              honestamente|eh|ey|che|a ver|perdon|perdona|disculpa|disculpe|que|q|aunque|sino|sino que|(?:vos |tu |ya )+sabes que|como (?:ya )?sabes|(?:despues de|tras) (?:mucho |tanto |much[oa]s )?(?:darle (?:muchas |mil )?vueltas|pensarlo(?: mucho| bien)?|meditarlo|pensar)|si ,|no ,|mentira ,|nop|sip|claro|obvio|\
              por eso|por lo tanto|mas bien|tambien|aparte|aparte de eso|total|total que|total ,|en fin|en resumen|resumiendo|\
              lo importante(?: es)?(?: que)?|lo unico(?: es)?(?: que)?|lo que (?:queda claro|esta claro|si) (?:es )?(?:que )?|\
              te cuento(?: algo)?(?: lind[oa])?(?: que)?|les cuento(?: que)?|os cuento(?: que)?|te comento(?: que)?|les comento(?: que)?|\
              que sepas(?: que)?|para que (?:sepas|lo sepas|conste)(?: que)?|que conste(?: que)?|recuerda(?: que)?|recorda(?: que)?|\
              acuerdate(?: de)?(?: que)?|acordate(?: de)?(?: que)?|ten en cuenta(?: que)?|tene en cuenta(?: que)?|tenga en cuenta(?: que)?|\
              toma nota|tome nota|apunta|apuntate|anota|anotate|nota|ojo|ojo que|dato|aviso|aviso que|fijate que|otra cosa|una cosa|una cosita|\
              y otra cosa|otro tema|tema aparte|por si acaso|por las dudas|gente ,|chicos ,|chicas ,|equipo ,|tio ,|tia ,|wey|guey|pana|parce|boludo|\
              boluda|bro|compa|amigo ,|amiga ,|marica|weon|mano ,|por mi parte|de mi parte|\
              para mi|en mi caso|ahora mismo|ahorita|actualmente|hoy en dia|hoy por hoy|aun|realmente|igual|simplemente|apenas|encima|justo|de hecho|conmigo|por fa|porfis|plis|please|favor de|te pido que|personalmente|como te dije|como ya (?:te )?dije|repito|insisto|eso si|nada ,|buenas noticias|malas noticias|\
              novedad|novedades|noticia|noticias|noticion|uno ,|dos ,|tres ,|primero ,|segundo ,|tercero ,|de paso|desde luego|sabes que ,|pd|ps|\
              ufa|dios|madre mia|por dios|lo unico que te pido|lo que te pido|te pido(?: que)?|te aviso(?: que)?|les aviso(?: que)?|aclaro(?: que)?",
    interjections: "mira|mire|miren|vale|dale",
    speaker: "yo|mi|mis|me|nos|soy|estoy|tengo|vivo|trabajo|prefiero|quiero|necesito|somos|tenemos|que|el|la|los|las",
    closers: "gracias|muchas gracias|jaj[aj]*|jeje|eh|, che|, vale|, ok|, no|y|pero|o|porque|asi que|por cierto|la verdad|en serio|en fin|xd|plis|\
              te cuento|sabes|, viste|, tio|, tia|, wey|, guey|, bro|, parce|, boludo|, boluda|, pana|obvio|saludos|ahi va|un abrazo|besos",
    session: "(?: (?:esta vez|por ahora|por hoy|x hoy|x ahora|de momento|por el momento|por lo pronto|por un rato|solo hoy|hoy solo|para hoy|hoy nomas|excepcionalmente|temporalmente|esta semana|esta tarde|esta noche|esta manana|este mes|este finde|ahorita|hasta (?:manana|nuevo aviso|el {weekday}|que (?:vuelva|acabe|termine|llegue|yo) ?[a-z]*)|mientras (?:estoy|este|esto|dure|siga|no|ando|viaj[oe]|trabajo)|en (?:este|esta) (?:chat|hilo|conversacion|correo|mail|mensaje|carta|caso|documento|archivo|sesion|informe|parte)|para (?:este|esta) (?:chat|hilo|conversacion|correo|mail|mensaje|carta|caso|documento|archivo|sesion|informe|entrega|ocasion)) |^ (?:(?:y|pero|asi que) )?(?:hoy|ahora) (?:, )?(?:no|solo|respond|contest|habl|pon|escrib|usa|trat|dame|se |quiero|prefiero|respuestas|todo|sin|nada)| hoy $)",
    past: " (?:{event}|{befell}|(?:he|ha|hemos|han) [a-z]+(?:ado|ido|to|cho)|fue|fui|hizo|hice|tuve|tuvo|estuve|estuvo|vino|vine|acabamos|acabe|termine|estaban?|estabamos|eran?) ",
    present: "",
    doubtful: "",
    is_preterite,
    arranged: " (?:quedado|reservado|reserve|acordado|acordamos|decidido|decidimos|invitado|invitaron|aplazado|aplazaron|cancelado|cancelaron|movido|\
               movieron|pospuesto|prometido|prometi|concertado|cambiado|cambiaron|(?:dado|dieron|pedi|pedido|saque|sacado) (?:la |una |hora |mi )?(?:cita|turno|hora)|\
               (?:compre|comprado|compramos) (?:[^ ]+ )*(?:entradas?|boletos?|billetes?)|me apunte|citado|quede|quedamos) ",
    weekdays: ["lunes", "martes", "miercoles", "jueves", "viernes", "sabados|sabado", "domingos|domingo"],
    numbers: &[
        "un[oa]?", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce",
    ],
    days: DAYS,
};

/// Words that end like a regular preterite and are none.
#[rustfmt::skip]
const NO_PRETERITES: &[&str] = &[
    "café", "té", "qué", "porqué", "sé", "dé", "bebé", "comité", "carné", "puré", "chalé", "paté", "aquí", "allí", "ahí", "así", "mí", "sí", "esquí",
    "habré", "sabré", "cabré", "querré",
];
/// The stems of verbs whose preterite ends like a future: "preparé".
#[rustfmt::skip]
const LIKE_FUTURES: &[&str] = &[
    "prepar", "repar", "separ", "compar", "par", "declar", "aclar", "dispar", "esper", "super", "recuper", "oper", "gener", "liber", "mir",
    "admir", "tir", "retir", "gir",
];

/// Returns whether a word is a regular preterite: "cancelé", "llegó", "salí", and not the future "cancelaré".
fn is_preterite(word: &str) -> bool {
    let is_future = |stem: &str| {
        ["ar", "er", "ir", "dr"].iter().any(|ending| stem.ends_with(ending)) && !LIKE_FUTURES.contains(&stem)
    };
    word.chars().count() > 2
        && !NO_PRETERITES.contains(&word)
        && (word.ends_with(['ó', 'í']) || word.strip_suffix('é').is_some_and(|stem| !is_future(stem)))
}

const DAYS: &[DayWord] = &[
    day(When::Day(7), " de hoy en ocho"),
    day(When::Day(14), " de hoy en quince"),
    day(When::None, " (?:hoy en dia|hoy por hoy|cada {weekday}|todos los dias|por las mananas) "),
    // The day of the month is stated.
    day(When::None, " {weekday} [0-9]{1,2} "),
    day(When::Week(1), " {weekday} de la (?:semana que viene|proxima semana|semana proxima|otra semana)"),
    day(When::Week(-1), " {weekday} de la semana pasada"),
    day(When::Day(-2), " (?:anteayer|antier|antes de ayer|antenoche)"),
    day(When::Day(2), " pasado manana"),
    day(When::Day(-1), " (?:ayer|anoche)"),
    day(
        When::Day(0),
        " (?:hoy|esta (?:manana|tarde|noche|madrugada)|hace (?:un rato|{number} horas?|una hora|media hora)|acaba[ns]? de [a-z]+|acabo de [a-z]+|acabamos de [a-z]+|recien)",
    ),
    day(When::Ago, " hace {number} dias?"),
    day(When::Ahead, " (?:en|dentro de) {number} dias"),
    day(
        When::None,
        " (?:los {weekday}|la semana pasada|(?:el|del) mes pasado|el ano pasado|la semana que viene|la proxima semana|el mes que viene|el finde(?: pasado)?|este finde|el [0-9]{1,2} de {month}|en {month}|en (?:19|20)[0-9]{2}|hace [a-z0-9]+ (?:semanas?|meses|mes|anos?)) ",
    ),
    day(When::Day(1), "(?:^|[^a]|llega|viaja|empieza|opera|entrega|casa|va|sea|cumpla) manana"),
    day(When::Last, " {weekday} pasado"),
    day(When::Coming, " (?:{weekday} (?:que viene|proximo)|proximo {weekday})"),
    day(When::Nearest, " (?:el|este) {weekday}"),
    day(When::Next, " del {weekday}"),
];
