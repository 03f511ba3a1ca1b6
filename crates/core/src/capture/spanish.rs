//! Spanish.

use super::Why::{Hypothetical, Other, Past, Question, Reported, Secret};
use super::language::Reach::{Clause, Rest};
use super::language::When;
use super::language::{Language, day, decision, episodic, fact, gate, preference};

pub(super) static TABLE: Language = Language {
    name: "spanish",
    words: "yo tu el ella nosotros me te se nos mi mis su sus nuestro nuestra la los las lo un una unos y o pero no si es soy \
            son esta estoy estamos era fue he ha hemos por para con sin de del al en que como cuando donde quien siempre nunca \
            jamas solo ya hoy ayer manana ahora muy mas menos todo todos nada gusta prefiero vivo tengo trabajo llamo hola \
            gracias porfa favor esto eso este esta vez usa pon dame desde partir mejor odio",
    fragments: &[
        ("adv", "(?: (?:siempre|ya|solo|tambien|realmente|mucho|casi|normalmente|ahora|la verdad))*"),
        ("kin", "(?:mujer|esposa|esposo|marido|hijo|hija|hijos|hijas|madre|padre|mama|papa|hermano|hermana|novia|novio|pareja|abuela|abuelo|perro|perra|gato|gata)"),
        ("other", "(?:jefe|jefa|colega|companero|companera|amigo|amiga|cliente|vecino|vecina|casero|casera|profe|cunado|cunada)"),
    ],
    openers: "hola|buenas|buenos dias|y|pero|o sea|asi que|bueno|pues|oye|mira|ah|ok|vale|gracias|por cierto|ademas|entonces|jaja|porque|es que|la verdad|eh|che|a ver|perdon",
    closers: "gracias|jaja|jajaja|por favor|porfa|eh|che|vale|tambien|y|pero|no",
    connectors: &[
        "( , (?:(?:y|pero|o|asi que|porque|que|pues|aunque) )*)(?:yo|me|mi|mis|no|nos|nuestro|soy|estoy|tengo|vivo|trabajo|prefiero|por favor|nunca|siempre|es|el|la|los|las|hemos|vamos|usa|ponme|puedes) ",
        "( , (?:y|pero|asi que|porque|aunque|pues) )",
        "( (?:y|pero) )(?:yo|me|mi|mis|soy|estoy|tengo|vivo|trabajo|prefiero|nunca|siempre|no|usa) ",
        "( (?:porque|asi que|aunque) )",
        "( (?::|-) )",
    ],
    gates: &[
        gate(Secret, Clause, "(?:contrasena|clave|pin|codigo de la puerta|numero de tarjeta) (?:[^,]+ )?(?:es|:|[0-9])"),
        gate(Hypothetical, Rest, "^ (?:si (?:fuera|tuviera|viviera|pudiera|ganara|yo)|imagina|supongamos|imaginate|suponte|ojala) "),
        gate(Hypothetical, Clause, " (?:quizas?|tal vez|me gustaria|me encantaria|algun dia|a lo mejor) "),
        gate(Reported, Rest, " (?:dice|dijo|dicen|segun|cuenta que|conto|escribio|cree que|al parecer|afirma) "),
        gate(Other, Clause, "^ (?:mi|el|la|nuestro|nuestra|un|una) {other} "),
        gate(Question, Rest, "^ (?:que|como|quien|donde|cuando es|por que|cual|cuanto|puedes|podrias|sabes|hay|tienes|deberia|deberiamos) "),
        gate(Past, Clause, " (?:antes|de nino|de nina|de pequeno|cuando era|solia|soliamos) "),
    ],
    rules: &[
        preference("once", "^ (?:[a-z]+ )+").for_now().sure(0.80),
        preference("standing-wish", "(?:puedes|podrias|te importa|te importaria) (?:[a-z]+ )?(?:siempre|llamarme|a partir de ahora|nunca)").asked(),
        decision("decided", " (?:decidimos|hemos decidido|decidi|he decidido|acordamos|quedamos en|hemos quedado|elegimos|optamos|nos quedamos con) "),
        decision("from-now", "^ (?:a partir de|desde) (?:ahora|hoy|manana|el {weekday}|{weekday}|del {weekday}) .*(?:vamos|usamos|todos|todas|las|los|se) "),
        decision("doing", "^ (?:vamos con|usamos|usaremos|vamos a usar|nos vamos con|tiramos con|seguimos con|lanzamos|dejamos) "),
        fact("mine", "^ (?:mi|nuestra|nuestro) (?:nombre|idioma|lengua|zona horaria|huso|cumple|cumpleanos|direccion|numero|oficina|empresa|trabajo) (?:es|esta|son) "),
        fact("mine", "^ (?:me llamo|mi nombre es|mido|peso|calzo) "),
        fact("kin", "^ (?:mi|mis|nuestro|nuestra) {kin} (?:es|se llama|tiene|son|se llaman|trabaja|vive) "),
        fact("live", "^ (?:yo )?{adv} ?(?:vivo|vivimos|trabajo|estudio|hablo|naci|creci|curro|conduzco) "),
        fact("being", "^ (?:yo )?soy{adv} (?:[a-z]+)"),
        fact("have", "^ (?:yo )?(?:tengo|tenemos|no tengo|llevo) "),
        preference("taste", "^ (?:a mi )?(?:(?:no )?me (?:gusta|gustan|encanta|encantan|molesta|molestan|va mejor)|prefiero|odio|detesto|no soporto|no aguanto|quiero que|amo|adoro|paso de) "),
        preference("habit", "^ (?:yo )?(?:siempre|nunca|casi siempre) (?:uso|tomo|como|bebo|voy|trabajo|pido|compro|cojo|viajo) "),
        preference("order", "^ (?:por favor )?(?:siempre|nunca|jamas|no me|no uses|no pongas|llamame|dime|tratame|tuteame|hablame|respondeme|contestame|usa siempre|pon siempre|nada de|sin) "),
        preference("order", "^ a partir de ahora "),
        episodic("event", "(?:^| )(?:ayer|hoy|anoche|anteayer|antier|el {weekday}|esta manana) .*(?:[aeo]mos|[aeiu]|o) "),
        episodic("plan", "(?:^| )(?:manana|pasado manana|el {weekday} que viene|el proximo {weekday}) "),
    ],
    session: " (?:esta vez|por ahora|por hoy|de momento|por el momento|solo hoy|hoy|esta semana|mientras) ",
    past: " (?:[a-z]+(?:amos|imos|aron|ieron|io|o|e)|he|ha|hemos|han|fue|fui|fuimos) ",
    weekdays: ["lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo"],
    numbers: &["un[oa]?", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"],
    days: &[
        day(When::None, " los {weekday}"),
        day(When::Day(-2), " (?:anteayer|antier|antes de ayer)"),
        day(When::Day(2), " pasado manana"),
        day(When::Day(-1), " (?:ayer|anoche)"),
        day(When::Day(0), " (?:hoy|esta (?:manana|tarde|noche))"),
        day(When::Day(1), " manana"),
        day(When::Ago, " hace {number} dias?"),
        day(When::Ahead, " (?:en|dentro de) {number} dias?"),
        day(When::Week(1), " {weekday} de la semana que viene"),
        day(When::Last, " {weekday} pasado"),
        day(When::Coming, " (?:{weekday} que viene|proximo {weekday})"),
        day(When::Nearest, " (?:el|este|del) {weekday}"),
    ],
};
