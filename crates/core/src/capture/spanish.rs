//! Spanish, of Spain and of the Americas: tú, vos and usted.
//!
//! Folded text has no accents: `usá` is `usa`, `escribí` may be an order or the past, `mañana` is `manana`.

use super::Why::{
    Code, Command, Hypothetical, Idiom, Joke, Negated, Other, Past, Pasted, Question, Reported, Secret,
    Unsafe,
};
use super::language::Reach::{Clause, Message, Onward, Rest, Sentence};
use super::language::When;
use super::language::{DayWord, Gate, Language, Rule, day, decision, episodic, fact, gate, preference};

#[cfg(test)]
mod tests;

pub(super) static TABLE: Language = Language {
    name: "spanish",
    words: "yo tu el ella ellos nosotros me te se nos mi mis su sus nuestro nuestra la los las lo un una unos unas y o pero no \
            si es soy son eres sos esta estoy estamos estan era fue he ha hemos han por para con sin de del al en que q xq como \
            cuando donde quien siempre nunca jamas solo ya hoy ayer anoche manana ahora muy mas menos todo todos nada gusta \
            encanta prefiero vivo tengo tenemos trabajo llamo llamame hola gracias porfa favor esto eso este esa ese vez usa \
            usamos vamos pon ponme dime decime dame desde partir mejor odio hace cada cero quiero somos llevo nadie ninguna \
            ningun descartado descartada decidido acordado acordamos decidimos elegimos optamos quedamos resuelto cerrado \
            seguimos cambiamos cancelamos lanzamos migramos respuestas breve breves corto cortas alergico alergica vegano vegana \
            soltero casada casado hijo hija hijos perro gato coche carro piso casa mama papa lunes martes miercoles jueves \
            viernes sabado domingo enero febrero marzo junio julio agosto septiembre octubre diciembre semana nacio murio aprobe \
            firmamos terminamos mudamos escribe escribeme responde respondeme contesta contestame habla hablame usas uses pongas \
            mandes digas explicame resumeme tratame tuteame detesto soporto aguanto molesta encantan gustan puedes podes podrias \
            prohibido basta adios todavia aun borres toques esos esas estos estas fui sido estado tener hacer puedo puede pueden \
            sabe saben creo pienso entiendo importa funciona preocupes parece bueno buena buenos buenas mucho mucha muchos \
            muchas poco poca algo alguien cosa cosas dia dias tarde noche semanas meses ano anos tiempo vida mundo gente familia \
            amigo amiga madre padre mujer marido novio novia pareja jefe jefa trabajar decir ver saber dar ir comer dormir \
            estudiar estudio curro laburo peso mido calzo kilos metros naci creci crecimos escribo leo comemos bebo tomo duermo \
            corro juego toco compro vendo pago cobro uso voy vas hago haces hacemos dice dijo dicen digo viene vienen llega \
            llego salgo salimos entro empiezo empezamos termino queda quedan queremos quieres quiere necesito espero busco \
            pierdo perdi gano gane compre compramos vendimos pasado pasada proximo proxima primero primera segundo segunda \
            ultimo ultima nuevo nueva nuevos nuevas viejo vieja grande pequeno peor cual cuanto cuanta cuantos alla aca aqui ahi \
            asi dentro fuera cerca lejos encima debajo junto agua cafe comida cena dinero banco calle ciudad pueblo porque \
            aunque entonces tambien tampoco mientras hasta entre sobre segun despues antes luego",
    fragments: FRAGMENTS,
    openers: "hola|buenas(?: tardes| noches)?|buenos dias|buen dia|holi|y|e|o|pero|o sea|osea|asi que|asi q|bueno|buen[oa]|pues|oye|oiga|oigan|\
              mira|mire|miren|ah|ahh|uy|uf|uff|ay|ok|okey|okay|vale|dale|listo|gracias|muchas gracias|por cierto|ademas|entonces|\
              jaj[aj]*|jeje|porque|porq|xq|pq|ya que|es que|la verdad(?: es)?(?: que)?|en realidad|de verdad|en serio|sinceramente|\
              honestamente|eh|ey|che|a ver|perdon|perdona|disculpa|disculpe|que|q|aunque|sino|sino que|si ,|no ,|mentira ,|nop|sip|claro|obvio|\
              por eso|por lo tanto|mas bien|tambien|aparte|aparte de eso|total|total que|total ,|en fin|en resumen|resumiendo|\
              lo importante(?: es)?(?: que)?|lo unico(?: es)?(?: que)?|lo que (?:queda claro|esta claro|si) (?:es )?(?:que )?|\
              te cuento(?: algo)?(?: lind[oa])?(?: que)?|les cuento(?: que)?|os cuento(?: que)?|te comento(?: que)?|les comento(?: que)?|\
              que sepas(?: que)?|para que (?:sepas|lo sepas|conste)(?: que)?|que conste(?: que)?|recuerda(?: que)?|recorda(?: que)?|\
              acuerdate(?: de)?(?: que)?|acordate(?: de)?(?: que)?|ten en cuenta(?: que)?|tene en cuenta(?: que)?|tenga en cuenta(?: que)?|\
              toma nota|tome nota|apunta|apuntate|anota|anotate|nota|ojo|ojo que|dato|aviso|aviso que|fijate que|otra cosa|una cosa|una cosita|\
              y otra cosa|otro tema|tema aparte|por si acaso|por las dudas|gente|chicos|chicas|equipo|tio|tia|wey|guey|pana|parce|boludo|\
              boluda|bro|compa|amigo|amiga|marica|weon|mano|creo que|pienso que|supongo que|me parece que|por mi parte|de mi parte|\
              para mi|en mi caso|casi siempre|normalmente|generalmente|por lo general|en general|ahora mismo|ahorita|actualmente|hoy en dia|hoy por hoy|aun|realmente|igual|simplemente|apenas|encima|justo|de hecho|conmigo|por fa|porfis|plis|please|favor de|te pido que|personalmente|como te dije|como ya (?:te )?dije|repito|insisto|eso si|nada ,|buenas noticias|malas noticias|\
              novedad|novedades|noticia|noticias|noticion|uno|dos|tres|primero|segundo|tercero|de paso|desde luego|sabes que ,|pd|ps|\
              ufa|dios|madre mia|por dios|lo unico que te pido|lo que te pido|te pido(?: que)?|te aviso(?: que)?|les aviso(?: que)?|aclaro(?: que)?",
    closers: "gracias|muchas gracias|jaj[aj]*|jeje|eh|che|vale|ok|no|y|pero|o|porque|asi que|por cierto|la verdad|en serio|en fin|xd|plis|\
              te cuento|sabes|viste|tio|tia|wey|guey|bro|parce|boludo|boluda|pana|obvio|saludos|ahi va|un abrazo|besos",
    connectors: &[
        // What follows "from now on," is one clause, to the next conjunction.
        "^ (?:{from} ,|(?:[^,:]* )?{decided} (?:[^,:]* )?:) (?:[^,]*( , (?:y|pero|que|porque|asi que) )|.*$)",
        // A comma, and a word that begins a clause.
        "( , (?:(?:y|pero|o|asi que|asi q|porque|xq|que|pues|aunque|ya que|por eso|ademas|tambien) )*){start} ",
        "( , (?:y|pero|asi que|asi q|porque|xq|aunque|pues|que|q|por eso|ya que|sino|por lo que|o sea que|en fin|total) )",
        "( (?:y que|y la verdad|y por eso|y encima|y ademas|y luego|y despues|y entonces) )",
        "( y )(?:el|la|los|las) [a-z]+ (?:me|no|se|es|esta|son|estan|le|lo|la) ",
        "( )que (?:estan|esta|hay|luego|si no|despues|voy|vamos|manana|hoy|ya) ",
        "( (?:y|e|pero) )(?:yo|me|mi|mis|nos|nuestr[oa]s?|soy|somos|estoy|estamos|tengo|tenemos|vivo|vivimos|trabajo|prefiero|odio|nunca|siempre|no|ya|ahora|ahi|todavia|aun|usa|dejo|esta (?:noche|tarde)|manana|ayer|hoy|quede|llevo|hago|a mi|el lunes|el martes|el miercoles|el jueves|el viernes|el sabado|el domingo) ",
        "( (?:porque|asi que|asi q|aunque|pero|porq|xq|ya que|por eso|o sea que|para que|sino que) )",
        "(?:[^o ]|[^dt]o)( : )",
        "( - )",
    ],
    gates: GATES,
    rules: RULES,
    session: "(?: (?:esta vez|por ahora|por hoy|x hoy|x ahora|de momento|por el momento|por lo pronto|por un rato|solo hoy|hoy solo|para hoy|hoy nomas|excepcionalmente|temporalmente|esta semana|esta tarde|esta noche|esta manana|este mes|este finde|ahorita|hasta (?:manana|nuevo aviso|el {weekday}|que (?:vuelva|acabe|termine|llegue|yo) ?[a-z]*)|mientras (?:estoy|este|esto|dure|siga|no|ando|viaj[oe]|trabajo)|en (?:este|esta) (?:chat|hilo|conversacion|correo|mail|mensaje|carta|caso|documento|archivo|sesion|informe|parte)|para (?:este|esta) (?:chat|hilo|conversacion|correo|mail|mensaje|carta|caso|documento|archivo|sesion|informe|entrega|ocasion)) |^ (?:(?:y|pero|asi que) )?(?:hoy|ahora) (?:, )?(?:no|solo|respond|contest|habl|pon|escrib|usa|trat|dame|se |quiero|prefiero|respuestas|todo|sin|nada)| hoy $)",
    past: " (?:{event}|{befell}|(?:he|ha|hemos|han) [a-z]+(?:ado|ido|to|cho)|fue|fui|hizo|hice|tuve|tuvo|estuve|estuvo|vino|vine|acabamos|acabe|termine) ",
    weekdays: ["lunes", "martes", "miercoles", "jueves", "viernes", "sabados?", "domingos?"],
    numbers: &[
        "un[oa]?", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce",
    ],
    days: DAYS,
};

const FRAGMENTS: &[(&str, &str)] = &[
    // Words before the verb of a speaker; each has its space.
    (
        "yo",
        "(?:(?:yo|nosotr[oa]s|siempre|ya|ahora|todavia|tambien|solo|en casa|aqui|aca|desde [a-z0-9]+(?: [a-z0-9]+ [a-z]+)?) )*",
    ),
    ("por", "(?:(?:por favor|porfa|mejor|solo|a mi) (?:, )?)*"),
    (
        "kin",
        "(?:mujer|espos[oa]|marido|hij(?:it)?[oa]s?|nen[ea]s?|nin[oa]s?|peques?|bebe|madre|padres?|viej[oa]s?|mama|papas?|herman[oa]s?|novi[oa]|pareja|abuel[oa]s?|niet[oa]s?|ti[oa]s?|sobrin[oa]s?|melliz[oa]s|gemel[oa]s|suegr[oa]s?|familia|perr(?:it)?[oa]s?|gat(?:it)?[oa]s?|conejo|loro|caballo|yegua|tortuga|mascota)",
    ),
    (
        "other",
        "(?:jef[ea]s?|colegas?|companer[oa]s?|compas?|compi|amig[oa]s?|client[ea]s?|vecin[oa]s?|caser[oa]|profe|profes|profesor|profesora|cunad[oa]|prim[oa]s?|ex|roomie|director|directora|ceo|cto|gerente|encargad[oa]|socio|medico|doctora?|abogad[oa]|gestor|gestora|tutor|tutora|becari[oa]|pasante|psicolog[oa]|terapeuta|entrenador|portero|senor|senora|chic[oa]|tip[oa])",
    ),
    (
        "month",
        "(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)",
    ),
    (
        "lang",
        "(?:espanol|castellano|ingles|frances|aleman|italiano|portugues|catalan|valenciano|gallego|euskera|quechua|guarani|aimara|nahuatl|maya|chino|japones|coreano|ruso|polaco|rumano|arabe|lengua de [a-z]+)",
    ),
    ("ord", "(?:primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa]|ultimo|[0-9][oa]?)"),
    // From a moment on.
    (
        "from",
        "(?:(?:a partir|de) de(?:l)? [a-z0-9]+(?: (?:de [a-z]+|que viene|proximo|en adelante))?|desde (?:ahora|hoy|ya|manana|el {weekday}|este {weekday})(?: mismo| en adelante)?|de (?:ahora|aqui|aca|hoy) (?:en|para) (?:adelante|mas)|en (?:adelante|lo sucesivo)|para la proxima)",
    ),
    // Orders to the agent. An order may carry its pronouns.
    (
        "do",
        "(?:[a-z]{2,}me(?:l[oa]s?)?|(?:us[ae]|pon|pone|escrib[ei]|respond[ea]|contest[ae]|habl[ae]|explic[ae]|da|di|deci|manda|muestra|resum[ei]|redacta|incluy[ea]|evita|haz|corrig[ea]|avisa|pregunta|trata|marca|guarda|revisa|reserva|elige|anda|firma)(?:l[oa]s?|les?|nos)?)",
    ),
    (
        "dont",
        "(?:(?:me|nos|les?|l[oa]s?|te|se) )*(?:[a-z]{2,}(?:es|as)|use|ponga|mande|diga|hable|trate|llame|toque|(?:us|mand|llam|habl|pregunt|avis|toqu)en|(?:dig|pong|hag)an)",
    ),
    (
        "decided",
        "(?:(?:hemos|he|se ha) (?:decidido|acordado|pactado|convenido|fijado|establecido|definido|resuelto|elegido|optado por|quedado en|descartado)|decidimos|decidi|acordamos|se (?:decidio|acordo|voto|definio)|quedamos (?:en|que|con [a-z ]+ en que)|quede (?:con [a-z]+ )?en|quedo (?:en que|claro que|decidido|cerrado|acordado)|elegimos|elegi|escogimos|optamos por|opte por|nos decantamos|me decanto|resolvimos|definimos|pactamos|votamos|descartamos|descarte|nos quedamos con|nos pusimos de acuerdo|llegamos a la conclusion|la decision (?:es|fue)|esta decidido|queda (?:decidido|aprobad[oa]|cerrad[oa]|acordado|definid[oa]))",
    ),
    (
        "done",
        "(?:mudado|roto|casado|comprado|vendido|perdido|ganado|aprobado|suspendido|terminado|operado|despedido|ascendido|contratado|jubilado|graduado|firmado|lanzado|publicado|adoptado|diagnosticado|concedido|aceptado|admitido|robado|dado (?:el|la|las|de)|separado|divorciado|nacido|muerto|caido|cumplido|cerrado|conseguido)",
    ),
    // How long an order holds that is for now.
    (
        "once",
        "(?:por ahora|por hoy|x hoy|x ahora|de momento|por el momento|por lo pronto|por un rato|(?:por |solo )?esta vez|hoy|ahora|esta (?:semana|tarde|noche|manana)|este (?:finde|mes)|para hoy|(?:en|para) est[ea] [a-z]+|hasta [^,]+ ,|mientras [^,]+ ,|excepcionalmente|temporalmente|ahorita)",
    ),
    // How the agent is to talk; other orders are done at once.
    (
        "how",
        "(?:us[ae]|escrib[ei]|escriba|respond[ea]|contest[ae]|habl[ae]|explic[ae]|dame|deme|resum[ei]|redacta|incluy[ea]|evita|deja|dejame|haz|hace|trata|trate|se|sigue|segui|manten|mantene|limitate|salta|saltea|ahorra|ve|evita)(?:me|nos|les?|l[oa]s?|mel[oa]s?|te)?",
    ),
    // What is said about how things are written.
    (
        "style",
        "(?:respuestas?|mensajes|textos?|codigo|comentarios|precios?|importes|fechas?|horas|medidas|unidades|e?mails?|correos|emojis?|listas?|tablas?|resumen(?:es)?|vinetas|frases|parrafos|titulos|markdown|ejemplos|tono|idioma|formato|enlaces|links|fuentes|anglicismos|jerga|tecnicismos|disculpas|rodeos|saludos|negritas?|mayusculas|abreviaturas|commits|informes|halagos|comillas)",
    ),
    // Past of what matters in a life or at work.
    (
        "event",
        "(?:[a-z]+(?:[a-z]amos|imos)|cambie|contrate|despedi|herede|arregle|abri|acabe|adopte|alquile|aprobe|apunte|arranque|arregle|borre|cai|case|celebre|cerre|choque|compre|conoci|consegui|corri|corte|cumpli|debute|defendi|deje|desplegue|dimiti|divorcie|empece|encontre|entregue|esguince|estrelle|firme|fracture|funde|gane|gradue|inaugure|ingrese|inscribi|instale|inunde|jubile|lance|logre|matricule|migre|monte|mude|opere|pague|pase|pedi|perdi|pinche|plante|presente|prometi|publique|quebre|queme|recibi|recogi|regrese|renuncie|reprobe|resbale|rompi|sali|saque|separe|suspendi|termine|titule|torci|tuve|vacune|vendi|volvi)",
    ),
    // The same of others; it counts where the speaker is touched.
    (
        "befell",
        "(?:[a-z]{2,}(?:aron|ieron|io)|(?:ha|han) [a-z]+(?:ado|ido|to|cho)|llego|cayo|hizo|trajo|vino|tuvo|opero|caso|mudo|gano|jubilo|graduo|fallo|quemo|inundo|estropeo|averio|exploto|ingreso|choco|dejo|fue|dio|empezo|nombro)",
    ),
    (
        "mine",
        "(?:me|nos|mi|mis|nuestr[oa]s?|produccion|prod|staging|server|servidor|servidores|web|app|api|base de datos|build|pipeline|sistema|router|disco|portatil|ordenador|compu|caldera|lavadora|nevera|heladera|techo|sotano|oficina|tienda|local|luz|alta|lanzamiento|release|migracion|auditoria|perr[oa]|gat[oa]|hij[oa]s?|nietos?|bebe)",
    ),
    (
        "pastday",
        "(?:ayer|anteayer|antier|antes de ayer|anoche|hoy|esta (?:manana|tarde|noche|madrugada|semana)|este (?:finde|mes|ano|{weekday})|el (?:{weekday}|finde|fin de semana|mes|ano|verano|otro dia)(?: pasado)?|la (?:semana|noche|navidad) pasada|hace [a-z0-9]+(?: [a-z]+)?|en (?:{month}|(?:19|20)[0-9]{2}|navidad)|recien)",
    ),
    (
        "futureday",
        "(?:manana(?: {weekday})?|pasado manana|hoy|esta (?:tarde|noche|semana)|(?:este|el|el proximo) (?:{weekday}|finde|mes|ano|verano)(?: que viene| proximo| de la semana que viene| [0-9]+)?|la (?:semana que viene|proxima semana)|el (?:ano que viene|dia [0-9]+|[0-9]+(?: de {month})?)|(?:en|dentro de) [a-z0-9]+ (?:dias|semanas|meses|horas)|en {month})",
    ),
    // Present of what is fixed to happen.
    (
        "plan",
        "(?:viajo|viajamos|vuelo|volamos|empiezo|empezamos|arranco|arrancamos|comienzo|(?:me|nos) (?:opero|operan|mudo|mudamos|cambio|cambiamos|caso|casamos|voy|vamos|jubilo|quitan|sacan|ponen|incorporo|dan|hacen|entregan|toca|entrevistan|instalan|visitan|examino)|(?:le|lo|la) operan|operan a mi|presento|presentamos|expongo|defiendo|corro|firmo|firmamos|entrego|entregamos|sal(?:go|imos) (?:de viaje|para|de vacaciones)|voy al|vamos al|cumplo|cumplimos|acompano|llevo a mi|recibimos|lanzamos|abrimos|inauguramos|llegan? mi|vienen? mi|viene el|nace|se casan?|ten(?:go|emos) (?:que (?:ir|entregar|presentar|viajar|estar)|(?:la|el|un|una|mi|otr[oa]|dos|tres) [a-z]|cita|turno|medico|dentista|hora|examen|examenes|entrevista|juicio|reunion|guardia|boda|parcial|vuelo|revision|clase|visita|auditoria)|(?:es|sera) (?:la|el|mi|nuestr[oa]) [a-z]|vence|caduca|volvemos|regreso|estreno|debuto|rindo|hay (?:huelga|corte|paro)|[a-z]+(?:are|aremos|iremos|eremos) )",
    ),
    // What somebody is, as a matter of body, faith, trade, or state.
    (
        "being",
        "(?:alergic[oa]s?|intolerantes?|vegan[oa]s?|vegetarian[oa]s?|celiac[oa]s?|diabetic[oa]s?|asmatic[oa]|daltonic[oa]|zurd[oa]|dislexic[oa]|epileptic[oa]|autista|hipertens[oa]|miope|cieg[oa]|sord[oa]|hemofilic[oa]|abstemi[oa]|musulman[a]?|judi[oa]s?|catolic[oa]|cristian[oa]|budista|ate[oa]|viud[oa]|solter[oa]|divorciad[oa]|madre|padre|mama|papa|abuel[oa]|melliz[oa]|autonom[oa]|estudiante|docente|profesor[a]?|ingenier[oa]|trabajador[a]?|padres|hij[oa])",
    ),
    // A clause begins with one of these.
    (
        "start",
        "(?:yo|me|mi|mis|no|ni|nos|nosotros|nuestr[oa]s?|soy|somos|estoy|estamos|tengo|tenemos|vivo|vivimos|trabajo|prefiero|por favor|porfa|nunca|siempre|jamas|es|el|la|los|las|lo|le|les|su|sus|hemos|he|vamos|voy|usa|usamos|ponme|pon|puedes|podrias|podes|sabes|seguimos|llevo|hablo|odio|a mi|a la|en casa|eso|esto|ese|esa|este|esta|ahora|antes|manana|ayer|hoy|anoche|ya|tu|te|se|si|solo|cuando|cada|como|cual|donde|dime|decime|llamame|trabaja|vive|asi|creo|menos mal|hay|quiero|todavia|aun|tampoco|desde|a partir|cancelamos|nadie|ojala|puede|deja|dejamos|cuanto|hace|hacemos|alguna|algun|alguien|queda|quedamos|acordamos|decidimos|nada|pero|escribe|escribo|llegue|fue|era|dijo|dice|haz|mejor|detesto|adoro|amo|necesito|mido|peso|calzo|naci|creci|conduzco|manejo|curro|laburo|estudio|comemos|cenamos|evita|respondeme|contestame|hablame|escribeme|escribime|tratame|tuteame|explicame|llamenme|fumo|bebo|suelo|termine|empece|acabo|acabamos|nacio|murio|firmamos|lanzamos|ganamos|optamos|elegimos|uso|pongo|paso de|evito|me|yo|estudia|doy|toco|juego|pasamos|cambiamos|migramos|lo que|alla|aca|aqui)",
    ),
];

const GATES: &[Gate] = &[
    // Secrets by their names; what has the form of a secret is known without them.
    gate(
        Secret,
        Clause,
        " (?:contrasena|clave|password|pass|pin|codigo|token|cvv|cvc|numero de tarjeta|tarjeta|frase semilla|frase de recuperacion|api key|llave privada)(?: [^,:]+)? (?:es|:|=|son|[0-9]{3,})",
    ),
    gate(
        Unsafe("pretend"),
        Message,
        "^ (?:(?:ahora )?(?:eres|sos)|actua como|finge (?:que eres|ser)|fingi que sos|imagina que eres|imaginate que sos) (?:una? |el |la )?(?:ia|ai|modelo|asistente|bot|dan|personaje|administrador|hacker|experto|experta) ",
    ),
    gate(
        Unsafe("for-the-model"),
        Message,
        " (?:el|la) usuari[oa] (?:prefiere|quiere|ha aprobado|aprobo|acepta|acepto|autoriza|autorizo|consiente|permite|vive|es) ",
    ),
    // What is not the speaker's, or not meant.
    gate(Pasted, Onward, "^ (?:fwd|fw|rv|reenviado|reenvio) "),
    gate(
        Code,
        Onward,
        "^ (?:let|const|var|int|string|def|function|import|val|auto) [a-z_]+ (?:=|: [a-z]+ =) ",
    ),
    gate(
        Pasted,
        Onward,
        "^ (?:estimad[oa]s?|apreciad[oa]s?|distinguid[oa]s?|querid[oa]s? (?:cliente|client[ea]s|usuari[oa]s?|todos|vecin[oa]s|famili[a-z]+|padres|companer[oa]s|colegas)) ",
    ),
    gate(
        Hypothetical,
        Onward,
        "^ (?:supongamos|supon(?:te)?|suponete|pongamos|pongamosle|imagina|imaginate|imagine|imaginen|imaginemos|digamos|hagamos de cuenta|en mi novela|mi personaje|el protagonista|la protagonista|caso hipotetico|hipoteticamente) ",
    ),
    gate(
        Hypothetical,
        Rest,
        "^ si (?:yo |no |me |nos |se |te |le |lo |al final |un dia |algun dia |en [^,]+ |de verdad )*(?:[a-z]+(?:ara|iera|ese|ase|aramos|ieramos|aran|ieran)|fuera|decid[a-z]+|digo|dig[a-z]+|vamos|vivo|soy|prefiero|quiero|eleg[a-z]+|opt[a-z]+|acord[a-z]+|usamos|cambiamos|tengo|tenemos|toca|mudo|mudamos|caso|voy|compro|compramos|gano|dejo|dejamos|pasamos|migramos|cancelamos) ",
    ),
    gate(
        Hypothetical,
        Clause,
        "(?:^| )(?:ojala|quien (?:pudiera|tuviera|fuera|viviera|supiera)|como me gustaria|que ganas de|sueno con|mi sueno es|cuando (?:sea|tenga|gane|me jubile|me toque|seamos|tengamos)) ",
    ),
    gate(
        Hypothetical,
        Clause,
        " (?:quizas?|tal vez|talvez|a lo mejor|capaz(?: que)?|puede que|puede ser que|igual algun dia|algun dia|un dia de estos|no se si|dudo (?:si|entre)|estoy (?:pensando|dudando|planteandome|viendo si)|estamos (?:pensando|dudando|planteandonos|viendo si|evaluando|barajando)|me planteo|nos planteamos|en teoria|probablemente|seguramente|me (?:gustaria|encantaria|apeteceria|molaria) (?:[a-z]+r|[a-z]+rme|ser|ir|un|una|mas|mucho|algun)|nos gustaria|quisiera|podriamos|deberiamos|deberia|habria que|tendriamos que|podria ser|si fuera por mi|por mi (?:que|se|usar|ir)[a-z]*|hubiera|hubiese|hubieramos) ",
    ),
    gate(
        Reported,
        Rest,
        " (?:dice|dijo|dicen|dijeron|decia|decian|cuentan|cuenta|conto|contaron|comento|escribio|puso|pone|menciono|anuncio|anunciaron|insiste|insistio|jura|juro|asegura|aseguro|afirma|afirmo|cree|creen|piensa|piensan|opina|opino|sostiene|recomienda|recomendo|sugiere|sugirio|pidio|pidieron|contesto|respondio|leyo|quiere|quieren|propone|propuso|repite|explico|aviso|confirmo|ha dicho|han dicho|ha contado) (?:(?:[a-z]+ )?(?:[a-z]+ )?(?:que|de que) [^ ]+ [a-z0-9]|textual|:|\"|lo siguiente|algo asi)",
    ),
    gate(
        Reported,
        Rest,
        "(?:^| )(?:segun (?:[a-z]+)|al parecer|por lo visto|parece ser que|dizque|se ve que|se comenta|se rumorea|se dice|corre el rumor|he oido|he leido|lei que|escuche que|oi que|me (?:dijo|dijeron|han dicho|contaron|conto|comento|ha dicho)|nos (?:dijo|dijeron|han dicho)|le dicen|dicen) ",
    ),
    gate(Reported, Clause, "^ como (?:dice|decia|dicen|decian|diria) "),
    gate(
        Joke,
        Clause,
        " mi (?:deporte|hobby|pasatiempo|especialidad|ejercicio|superpoder|talento)(?: favorit[oa])? es ",
    ),
    // What is said of oneself with a laugh.
    gate(
        Joke,
        Clause,
        "^ (?:yo )?(?:soy|somos|vivo|tengo|mis?|me|estoy|trabajo|peso|mido|hablo|llevo|no|a mi) .*(?: j[aei]j[aei][a-z]* | [😂🤣😜🤪😏🤡])",
    ),
    gate(
        Command,
        Clause,
        "^ (?:cuando|si) (?:puedes?|podes|puedas|quieres?|queres|quieras|tienes|tenes|tengas|acabes|termines|llegues|sepas|lo (?:tengas|sabes|ves|necesitas)|estes|vuelvas|te (?:parece|va bien|apetece)|no te importa|es posible|necesitas) ",
    ),
    gate(Idiom, Clause, "^ l[oa]s? [a-z]+(?:[ei]|mos) (?:en|el|hace|ayer|hoy|por) "),
    gate(
        Idiom,
        Clause,
        "^ {por}no (?:me |lo |la |te |nos |se )?(?:tienes|tenes|sabes|eres|puedes|podes|crees|quieres|queres|debes|vas|has|estas|haces|entiendes|piensas|vienes|ves|conoces|gracias|digas|preocupes|molestes|veces|todas|meses|tardes|es|hay|tantas|antes|somos|olvides) (?:$|que |, |nada |tanto |por )",
    ),
    gate(
        Idiom,
        Clause,
        " (?:salimos|comimos|vimos|fuimos|quedamos a|quedamos en el|cenamos|estuvimos|dormimos|reimos) ",
    ),
    gate(
        Idiom,
        Clause,
        "(?: (?:trabajo en equipo|cero (?:ganas|idea|drama|problema)|sin (?:ganas|comentarios|duda|problema|prisa|querer|mas)|nada de (?:nada|eso|particular)|mejor tarde que nunca|prefiero no (?:opinar|hablar|decir|saber|pensar|contestar|mirar)|precio de (?:la (?:luz|gasolina|vivienda)|el gas|los alquileres)|la temperatura) )",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:yo )?(?:siempre|nunca|al final)(?: no| me| lo| la)* (?:digo|creo|entiendo|olvido|pierdo|acabo|llego|equivoco|acuerdo|tengo|puedo|veo|encuentro|llegamos|salimos|hablamos|acabamos) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:como siempre|lo de siempre|hasta siempre|para siempre|desde siempre|casi siempre|igual que siempre|un dia es un dia) $",
    ),
    gate(
        Idiom,
        Clause,
        "^ {yo}(?:vamos con (?:todo|calma|eso|esto|tiempo|retraso|prisa|cuidado|ello|ganas|el siguiente|la siguiente|la primera|mucha|muchas)|seguimos (?:con (?:esto|eso|el tema|lo mismo)|en contacto|hablando|manana|luego)|me llamo (?:a mi|la atencion|el)|me quedo con (?:la|las|el) (?:duda|ganas|boca|cara|cuerpo)|me cambio de (?:tema|ropa|silla)|(?:manana|luego|despues|el {weekday}) (?:(?:te |me |lo |la |nos )?(?:cuento|digo|veo|paso|mando|aviso|escribo|llamo|miro|pienso|termino|sigo|hablo|hablamos|vemos|seguimos|quedamos|creo|pruebo|intento|pongo|hago|subo|envio|reviso|compro|necesito|quiero|espero|puedo)|(?:te|os|les|le|lo|la|se|nos) (?:cuento|digo|paso|mando|aviso|escribo|llamo|veo|miro|pienso|termino|vemos|hablamos))|soy (?:yo|el que|la que|quien|asi|puro|todo|un (?:desastre|zombi|caos|manojo|trapo|lio|libro|fantasma)|una (?:sombra|piltrafa|maquina|tumba)))",
    ),
    gate(
        Idiom,
        Clause,
        " (?:un dia (?:largo|malo|horrible|raro|tonto|de perros)|se me (?:olvido|ocurrio|fue la olla|hizo tarde|paso)|muero de|muerto de|muerta de|hasta las narices|me parto) ",
    ),
    gate(Idiom, Clause, " (?:lo que|que|cuando|donde|como|si) (?:ya |nos )?{decided} "),
    gate(
        Joke,
        Sentence,
        "(?: (?:/s|🙃|🙄|🤡|es broma|era broma|es cona|de cona|ironia|modo ironico) |^ (?:que (?:bonito|divino|lindo|bien|ilusion|maravilla|alegria|sorpresa|gracia|fantastico)|ah (?:genial|claro|bueno|perfecto|que bien)|claro , |si claro|si , claro|genial , otr[oa]|seguro que si|como no|nada me gusta mas que|nada mejor que|lo que me faltaba|me encanta (?:cuando|que) (?:se|me|nos|la|el|los|las|todo|nadie)) )",
    ),
    // Others as the subject.
    gate(
        Other,
        Clause,
        "^ (?:(?:ayer|hoy|anoche|manana|el {weekday}(?: pasado)?|la semana pasada|este finde) (?:, )?)?(?:mis?|el|la|los|las|nuestr[oa]s?|un|una|tu|su|sus|aquel|aquella|ese|esa) (?:nuev[oa] |ex |mejor |antigu[oa] )?{other} ",
    ),
    gate(Other, Clause, " de (?:mi|mis|tu|su|sus|el|la|un|una) {other} "),
    gate(
        Other,
        Clause,
        "^ (?:el (?:no|siempre|nunca|es|tiene|vive|dice|prefiere|quiere|usa|odia|trabaja|va|esta|ya)|ella|ellos|ellas|usted|ustedes|tu|vos|su {kin}|sus {kin}|la gente|todo el mundo|tod[oa]s|los (?:hombres|espanoles|argentinos|jovenes|ninos)|(?:el|la|los|las) (?:[a-z]+ )?de (?:el|ella|ellos|al lado|abajo|arriba|enfrente|soporte|rrhh|ventas|marketing|sistemas|la tienda)) (?:[a-z]+ )?[a-z]+ ",
    ),
    gate(Other, Clause, " (?:le|les) (?:gusta|gustan|encanta|encantan|molesta|molestan|da|dan) "),
    // Questions without a mark.
    gate(
        Question,
        Rest,
        "^ (?:que (?:te|os|les|me|hago|haces|es|son|opinas|piensas|pensas|crees|significa|pasa|paso|tal|llevo|pongo|uso|hay|diferencia|prefieres|preferis|hacemos|onda|dia|hora|tengo que|se|le|debo|tan|ventajas|recomiendas|cosas)|a que hora|como (?:hago|se|puedo|podemos|es|esta|estas|te|le|les|lo|va|vas|amaneciste|quedo|quedamos|hacemos|haces|funciona|configuro|instalo|consigo|seria|ves|andas)|quien (?:es|fue|sabe|dijo|tiene|vive|quiere|decidio)|donde (?:esta|puedo|vivo|se|hay|compro|queda|trabajo|pongo)|adonde|cuando (?:es|fue|era|se|sale|tengo|llega|nos|hemos|vence|empieza|decidimos)|por que|cual|cuales|cuanto|cuanta|cuantos|cuantas|puedes|puede|podes|podrias|podria|pueden|sabes|sabias|sabe|sabeis|saben|tienes|tenes|tiene usted|deberia|deberiamos|conviene|vale la pena|te acuerdas|te acordas|recuerdas|conoces|conoces|crees que|crees|piensas|pensas|opinas|te parece|es verdad que|es cierto que|es mejor|seria mejor|hay (?:alguna|algun|forma|manera)|existe|me (?:ayudas|puedes|podes|podrias|explicas|recomiendas|dices|decis|pasas)|alguien|alguna idea|algun consejo|dime (?:que|si|como|cual|cuando|donde|por|cuanto|quien)|decime (?:que|si|como|cual|cuando|donde|por|cuanto|quien)|explicame (?:que|por|como se|la diferencia)) ",
    ),
    // What was.
    gate(
        Past,
        Clause,
        "(?:^ (?:yo )?antes (?:yo |no |me |nos |lo |siempre |solo )*[a-z]+(?:aba|abamos|aban|ia|iamos|ian|era|eramos|iba) | (?:de (?:pequen[oa]|nin[oa]|chic[oa]|chamac[oa]|joven|jovencit[oa]|cri[oa]|adolescente|soltero|estudiante)|cuando (?:era|eramos|vivia|viviamos|tenia|teniamos|estudiaba|trabajaba|iba)|solia|soliamos|en (?:aquella|esa) epoca|en mis tiempos|hace anos (?:que )?[a-z]+(?:aba|ia)|en su dia|alguna vez) )",
    ),
    // What is denied.
    gate(
        Negated,
        Clause,
        "^ (?:pero )?(?:yo )?(?:no (?:dije|he dicho|digo|es (?:que|cierto|verdad)|creo|pienso|estoy seguro|estoy segura|me llamo|soy (?:de|un|una|el|la|[a-z]+[oae]) |vivo|trabajo|estudio|decidimos|hemos (?:decidido|acordado|quedado|elegido)|acordamos|quedamos|decidi|he decidido|se decidio|se acordo|nos pusimos|significa|quiere decir)|tampoco|nunca (?:dije|dijimos|decidimos|acordamos|he dicho)|(?:todavia|aun) no) ",
    ),
    gate(
        Negated,
        Rest,
        "^ (?:no (?:dije|he dicho|es|digo) que|tampoco es que|no es que|no significa que|nunca dije que) ",
    ),
    // The moment's orders, and words in another sense.
    gate(
        Command,
        Clause,
        "^ {por}(?:recuerdame|recordame|recuerdenme|cambia(?:me|le|lo|la)?|reemplaza|sustituye|traduce|traduceme|traducime|corrige|busca|buscame|calcula|escribeme un|escribime un|redactame|hazme|haceme|pon una alarma|pone una alarma|ponme una alarma|ponme un|poneme un|abre|cierra|borra|manda(?:le|selo)?|llama (?:a|al)|llamame (?:cuando|manana|luego|al|a las|si|despues|mas tarde|ya|por telefono|ahora|en|el|esta|hoy|antes|un)|hablame (?:de (?:la|el|los|las|tu|eso|esto|[a-z]+ y)|sobre|cuando)|dime (?:algo|todo|eso|cosas|mas|ya|tu|la|el|los|las|un|una|porfa|lo|a)|decime (?:algo|todo|eso|cosas|mas|ya|vos|la|el|los|las|un|una|lo|a))(?: [^,]*)? $",
    ),
    gate(
        Command,
        Clause,
        "^ {por}(?:no {dont}|{do}) (?:[a-z]+ )?(?:est[aeo]s?|es[aeo]s?|aquell?[oa]?s?|todavia|aun|eso|esto|la otra|el otro|lo ultimo|el ultimo|la ultima|el siguiente|la siguiente) (?:[a-z]+ ){0,3}$",
    ),
    gate(
        Idiom,
        Clause,
        "^ {yo}(?:no )?(?:soy (?:muy |un |una |tan |bastante |medio |re |super |todo |toda |el |la |consciente|capaz)*(?:tont[oa]|idiota|desastre|genio|crack|mierda|todo oidos|oidos|consciente|capaz|yo|feliz|lent[oa]|torpe|burr[oa]|bob[oa]|peor|mejor|sincer[oa]|hones[a-z]+|primer[oa]|ultim[oa]|segund[oa]|nadie|nada|asi|culpable|de la opinion|de fiar)|estoy (?:en (?:casa|clase|reunion|camino|la cama|el (?:tren|bus|metro|curro|trabajo|medico|bano)|un|una|eso|ello|llamada)|de (?:acuerdo|vuelta|camino|pie|cona|mal|buen))|vivo (?:con suen|en las nubes|en el error|para |por y para|en un sinvivir|en otro planeta|en reuniones)|hablo (?:por todos|en serio|en broma|por hablar|solo)|tengo (?:que |ganas|hambre|sed|frio|calor|prisa|razon|la (?:impresion|sensacion|duda|culpa|razon)|un[ao]? (?:duda|pregunta|consulta|problema|idea|rato|momento|hambre|sueno|frio|calor|error|bug|lio|favor|sed|dolor)|dos (?:dudas|preguntas|opciones|problemas)))",
    ),
    gate(
        Idiom,
        Clause,
        "(?:^| )(?:me (?:gusta|encanta|gustan|encantan|mola|flipa|late|copa)|amo|odio|prefiero|adoro) (?:(?:mucho|mas|mil) )*(?:eso|esto|esta?|este|esa?|asi|aquell?[oa]|la (?:primera|segunda|tercera|ultima|idea|propuesta|opcion)|el (?:primero|segundo|ultimo|resultado)|lo que (?:has|hiciste|escribiste|propones)|como (?:quedo|queda|ha|suena|lo|te|te|piensas|escribes)|tu |$|,)",
    ),
];

#[rustfmt::skip]
const RULES: &[Rule] = &[
    // For now: an order beside a word like "por ahora".
    preference("once", "^ {por}(?:{once} (?:, )?)?{por}(?:no {dont}|{how}|nada de|sin|cero|todo en|quiero|necesito que|trata de) ").for_now(),
    preference("once", "^ {once} (?:, )?(?:las |los )?{style} ").for_now(),
    preference("once", "^ mientras [^,]+ (?:no {dont}|{how}|nada de) ").for_now(),
    // Standing wishes put as questions.
    preference("standing-wish", "^ {por}(?:te|le|os|les) (?:importa|importaria|molesta|molestaria) (?:siempre )?(?:llamarme|tratarme|hablarme|responderme|contestarme|escribirme|tutearme|darme|ponerme|usar|escribir|dejar de|no [a-z]+r) ?").asked(),
    preference("standing-wish", "^ {por}(?:puedes|podes|puede|podrias|podria|podeis|podrian|pueden|quieres|queres|me harias el favor de) (?:[^,]* )?(?:siempre|nunca|a partir de ahora|de ahora en (?:adelante|mas)|de aqui en adelante|en adelante|desde ahora|cada vez|por defecto) ").asked(),
    preference("standing-wish", "^ {por}(?:puedes|podes|podrias|podria|podeis) (?:por favor )?(?:dejar de|no [a-z]+r[a-z]*|evitar|llamarme|tutearme|vosearme|tratarme|hablarme de|hablarme en) ").asked(),
    // What binds the agent from now on; then what binds a group.
    preference("from-now", "(?:^ |^.* , ){from} (?:, )?(?:no {dont}|{do}|quiero|prefiero|necesito|siempre|nunca|nada de|sin|cero|todo (?:en|con|por)|(?:las |los |el |tus |todas las |todos los )?{style}) "),
    preference("from-now", "^ (?:no {dont}|{do}|(?:las |los |el |tus |todas las |todos los )?{style}) (?:.* )?{from} "),
    decision("from-now", "^ {from} (?:, )?(?:[^,]* , )?(?:(?:ya )?(?:no )?se|vamos|todos?|todas?|las?|los|el|ningun[oa]?|nadie|cada|solo|nuestr[oa]s?|[a-z]+(?:amos|emos|imos)|ya no|ni un|nos|cualquier) ").sure(0.86),
    decision("from-now", "^ (?:las?|los|el|todos|todas|todo|ningun[oa]?|nadie|cada|nuestr[oa]s?|se|no se|[a-z]+(?:amos|emos|imos)) .*(?:a partir del? [a-z0-9]+|de (?:ahora|aqui|aca|hoy) en (?:adelante|mas)|en adelante|desde ya) ").sure(0.86),
    decision("from-now", "^ {from} (?:, )?(?:dejo|ya no|no (?:fumo|bebo|compro|como|acepto|trabajo|hago)) ").sure(0.86),
    // What was decided.
    decision("header", "^ (?:[a-z]+ ){0,2}(?:acordado|decidido|resuelto|cerrado|aprobado|definido|pactado|hablado|zanjado|votado|adjudicado)(?: [a-z]+){0,3} : .+"),
    decision("decided", " {decided} "),
    decision("decided", "^ (?:queda[n]? |quedo )?(?:descartad[oa]s?|aprobad[oa]|adjudicad[oa]|decidid[oa]) (?:el |la |los |las |lo de |que |con )?[a-z0-9]"),
    decision("no-more", "^ ((?:se acabaron|se terminaron|se acabo|se termino) (?:lo de |eso de |el |la |los |las )?[a-z]+ (?:en|los|las|de|por|a|sin|con|que|largas|largos|eternas) [^,]*)").sure(0.86),
    // What happened.
    episodic("event", "^ ({yo}(?:a mi {kin} )?{pastday} (?:, )?(?:.* )?(?:{event}|(?:he|hemos) (?:[a-z]+ )?{done}) [^,]*)"),
    episodic("event", "^ ({yo}{pastday} (?:, )?(?:(?:se )?(?:nacio|nacieron|murio|fallecio)|(?:.* )?{mine} (?:.* )?{befell}|(?:.* )?{befell} (?:.* )?{mine}) [^,]*)"),
    episodic("event", "^ ({yo}(?:(?:me|nos|no|por fin|al fin|le|les) )*(?:{event}|(?:he|hemos) {done}) (?:.* )?(?:ayer|anteayer|antier|antes de ayer|anoche|esta (?:manana|tarde|madrugada)|hoy|el {weekday}(?: pasado)?|la semana pasada|el (?:mes|ano|finde|verano|fin de semana) pasado|este finde|hace {number} (?:dias?|semanas?|meses)|recien|en {month}|en (?:19|20)[0-9]{2}) [^,]*)"),
    episodic("event", "^ ((?:.* )?{mine} (?:[^,]* )?{befell} (?:.* )?(?:ayer|anteayer|antier|antes de ayer|anoche|esta (?:manana|tarde|madrugada)|hoy|el {weekday}(?: pasado)?|la semana pasada|el (?:mes|ano|finde|verano|fin de semana) pasado|este finde|hace {number} (?:dias?|semanas?|meses)|recien|en {month}|en (?:19|20)[0-9]{2}) [^,]*)"),
    episodic("event", "^ ((?:se )?{befell} (?:[^,]* )?{mine} (?:.* )?(?:ayer|anteayer|antier|antes de ayer|anoche|esta (?:manana|tarde|madrugada)|hoy|el {weekday}(?: pasado)?|la semana pasada|el (?:mes|ano|finde|verano|fin de semana) pasado|este finde|hace {number} (?:dias?|semanas?|meses)|recien|en {month}|en (?:19|20)[0-9]{2}) [^,]*)"),
    episodic("event", "^ ((?:.* )?(?:me|nos|le|les) acaba[n]? de [a-z]+r[^,]*)"),
    episodic("event", "^ ({yo}(?:acabo|acabamos) de (?:mudar|firmar|aprobar|volver|llegar de|terminar|comprar|adoptar|dejar|perder|renunciar|salir del|ganar|vender|lanzar|publicar|desplegar|cerrar|casar|separar|enterar|cumplir|recibir|entregar|operar|jubilar|graduar|titular)[a-z]* [^,]*)"),
    episodic("life", "^ ({yo}(?:por fin |al fin )?(?:me|nos) (?:despidieron|echaron|ascendieron|contrataron|ficharon|operaron|robaron|mude|mudamos|case|casamos|rompi|fracture|torci|separe|separamos|divorcie|divorciamos|jubile|gradue|comprometimos|diagnosticaron|detectaron|hackearon|clonaron|aceptaron|admitieron|concedieron|dieron (?:el|la|las)|(?:he|han|hemos) {done}) [^,]*)"),
    episodic("life", "^ ({yo}(?:(?:por fin|al fin|recien) {event}|(?:aprobe|suspendi|reprobe|renuncie|dimiti|adopte|adoptamos|firme|firmamos|defendi|gane|ganamos) (?:el|la|las|los|mi|un|una|al?|en|contrato|hipoteca)|(?:he|hemos) (?:aprobado|suspendido|renunciado|dimitido|adoptado|firmado|ganado|vendido|perdido|comprado|terminado|conseguido) (?:el|la|las|los|mi|un|una|al?)) [^,]*)"),
    episodic("life", "^ ({yo}(?:se (?:me |nos )?)?(?:murio|nacio|nacieron|fallecio|ha nacido|ha muerto|ha fallecido) (?:mi|mis|nuestr[oa]|el|la) [^,]*)"),
    episodic("life", "^ ((?:mis?|nuestr[oa]s?) {kin}(?: [a-z]+)?(?: se| me| nos)?(?: ha| han)? (?:murio|fallecio|nacio|caso|casaron|caso|opero|operaron|opero|graduo|gradu[oa]ron|rompio|cayo|jubilo|separo|divorcio|aprobo|ingresaron|mudo|{done}) [^,]*)"),
    episodic("event", "^ ((?:.* )?se (?:me|nos) (?:ha )?(?:rompio|rompieron|cayo|murio|quemo|estropeo|perdio|inundo|averio|escapo|borro|jodio|fastidio|congelo|incendio|roto|caido|muerto|quemado|estropeado|perdido|inundado|averiado|borrado) [^,]*)"),
    episodic("life", "^ {yo}(?:termine|acabe|entregue|defendi) (?:la (?:tesis|carrera|mudanza|selectividad)|el (?:master|doctorado|grado|tfg|tfm))"),
    episodic("life", "^ {yo}perdi (?:el (?:vuelo|avion|tren|trabajo|empleo|pasaporte|movil|celular)|la (?:cartera|billetera|beca|visa|maleta))"),
    episodic("life", "^ (?:por fin|al fin) (?:me|nos) (?:llego|llegaron|dieron|toco|salio|aprobaron|concedieron|entregaron|pusieron) "),
    episodic("life", "^ ({yo}(?:me|nos) (?:dieron|concedieron|otorgaron|llego|llegaron|dejo|tocaron|toco|salio|salieron|aprobaron|denegaron|rechazaron|confirmaron|pusieron|hicieron|inundo|inundaron|quemo|cortaron|subieron|embargaron|despide|echan|ascienden|suben|bajan|operan|dan) (?:el|la|los|las|un|una|mi|de la beca|fij[oa]|de alta|de baja) [^,]*)"),
    // What is fixed to happen.
    episodic("day", "^ (hoy (?:cumpl[a-z]+ [a-z0-9]|es (?:mi|nuestr[oa]|el (?:cumple|ultimo|primer|aniversario|dia de)|la (?:boda|entrega|final|graduacion|mudanza|operacion|inauguracion|presentacion))|hace [a-z0-9]+ (?:anos?|meses|mes) )[^,]*)"),
    episodic("plan", "^ ({yo}{futureday} (?:, )?(?:(?:por fin|ya|yo|a las [^ ]+|a primera hora|a ultima hora|al mediodia|por la [a-z]+|por fin|{weekday}|temprano|nosotros) )*{plan}[^,]*)"),
    episodic("plan", "^ ({yo}{plan}(?:.*) {futureday} [^,]*)"),
    episodic("plan", "^ ({yo}(?:manana|pasado manana|el (?:proximo )?{weekday}(?: que viene)?|este {weekday}|el [0-9]+(?: de {month})?|la semana que viene|la proxima semana) (?:(?:por fin|ya|me|nos|se|le|les|lo|la|a las [^ ]+|por la [a-z]+) )*(?:muda|mudan|casa|casan|opera|operan|quita|quitan|saca|ponen|pone|entrega|entregan|llega|llegan|viene|vienen|nace|sale|salen|empieza|empiezan|jubila|gradua|cambio|cambiamos|estreno|inaugura|inauguramos|[a-z]+(?:are|aremos|iremos|eremos)) [^,]*)"),
    episodic("plan", "^ ({yo}(?:manana|pasado manana|el (?:proximo )?{weekday}|este {weekday}) (?:(?:a primera hora|a las [^ ]+|por la [a-z]+|por fin|me|nos) )*[a-z]{3,}(?:o|amos|emos|imos) (?:el|la|los|las|un|una|mi|mis|al?|en|para|con mi|de) [^,]*)"),
    episodic("plan", "^ ({yo}(?:me|nos) (?:cambio|cambiamos|mudo|mudamos|caso|casamos|opero|operan|voy|vamos|quitan|sacan|jubilo|entregan|dan|examino) (?:.* )?(?:manana|pasado manana|el (?:proximo )?{weekday}(?: que viene)?|este {weekday}|el [0-9]+(?: de {month})?|la semana que viene|la proxima semana|el mes que viene|en {month}) [^,]*)"),
    episodic("plan", "^ ((?:mis?|nuestr[oa]s?) (?:{kin}|vuelo|tren|operacion|cita|entrevista|examen|boda|mudanza|juicio|cumple|cumpleanos|presentacion|graduacion|defensa|avion|parto|turno|revision)(?: [a-z]+){0,4} (?:es|son|sale|llega|llegan|cumple|cumplen|empieza|empiezan|se casa|se opera|se gradua|nace|viene|vienen|viaja|vuelve|tiene|sera|va a ser) (?:.* )?{futureday} [^,]*)"),
    // Decisions that are told as what is done.
    decision("will", "^ ({yo}(?:(?:al final|finalmente|entonces|decidido ,) )?(?:no )?vamos (?:con|a (?:usar|seguir (?:con|usando)|cambiar a|migrar|dejar (?:de |el |la |los |las )|pasar a|lanzar|cancelar|contratar|comprar|vender|alquilar|renovar|mover|posponer|aplazar|retrasar|adelantar|cerrar|abrir|montar|implementar|desplegar|publicar|quitar|eliminar|mantener|quedarnos|tirar|apostar|aceptar|firmar|dejarlo|ir con|reescribir|externalizar|unificar|subir|bajar|trabajar con)[a-z]*) [^,]*)").sure(0.86),
    decision("will", "^ ({yo}(?:(?:al final|finalmente|definitivamente) )?(?:no )?voy a (?:dejar|cancelar|renovar|aceptar|vender|firmar|mudarme|cambiarme|pasarme|seguir con|darme de baja|renunciar|rechazar|presentarme|estudiar|montar|alquilar)[a-z]* [^,]*)").sure(0.86),
    decision("doing", "^ ({yo}(?:(?:al final|finalmente|entonces|decidido ,|definitivamente) )?(?:no )?(?:l[oa]s? |nos )?(?:usaremos|iremos (?:con|a)|haremos|pondremos|abriremos|cerraremos|lanzaremos|contrataremos|compraremos|venderemos|viajaremos|trabajaremos|seguiremos|dejaremos|cobraremos|subiremos|damos (?:de baja|soporte|por)|no ampliamos|ampliamos|ficha(?:mos)? a|contratamos a|alquilamos|repartimos|descartamos|elegimos|elijo|escogemos|priorizamos|recortamos|fusionamos|renombramos|reescribimos|montamos|ponemos (?:el|la|los|las)|subimos (?:el|la|los|las|a|un)|bajamos (?:el|la|los|las|a|un)|cobramos|tiramos (?:con|de|por|para)|seguimos (?:con|de|en|usando|sin)|lanzamos|cancelamos|cambiamos (?:a|de)|pasamos (?:a|de)|pasamos al|migramos|posponemos|aplazamos|retrasamos|adelantamos|movemos|mantenemos|contratamos|compramos|vendemos|renovamos|quitamos|eliminamos|cortamos con|apostamos por|adoptamos|abandonamos|retiramos|reemplazamos|sustituimos|unificamos|dividimos|estandarizamos|externalizamos|suspendemos|congelamos|desplegamos|alquilamos|aceptamos|rechazamos|pasamos (?:el|la|los|las) [a-z]+ a|lo dejamos (?:para|en|como|asi)|l[oa]s? movemos|nos mudamos a|nos cambiamos a|vamos con|cerramos (?:el|la|los|las) [a-z]+ (?:en|los|de)|dejamos (?:de|para|el|la|los|las|fuera|atras)|usamos [^,]+ (?:y no|en vez de|en lugar de|para)|lo hacemos (?:en|con|asi)|hacemos (?:el|la|los|las)) [^,]*)").sure(0.86),
    decision("doing", "^ ((?:al final|finalmente|definitivamente) (?:el|la|los|las|sera|lo de) .*(?:va|van|es|son|sera|seran|queda|quedan|se [a-z]+) [^,]*)"),
    decision("doing", "^ ({yo}(?:al final|finalmente|definitivamente) (?:no |si )?(?:nos |me |l[oa]s? )?(?:vamos|voy|compramos|compro|alquilo|alquilamos|seguimos|sigo|hacemos|hago|usamos|uso|quedamos|quedo|ficho|fichamos|firmo|cierro|cerramos|opero|vendo|vendemos|pongo|ponemos|renuevo|renovamos|me apunto|apunto|cojo|cogemos|cambio|dejo|mudamos|mudo|viajamos|viajo|pedimos|acepto|acepte|elegi|pintamos|sera|va) [^,]*)").sure(0.86),
    decision("doing", "^ ({yo}(?:no )?(?:me (?:hago autonom[oa]|hago veg[a-z]+|saco el [a-z]+|matriculo|inscribo|quedo (?:en|el|la|con|aqui)|planto|bajo del|retiro|voy a vivir|jubilo|compro (?:el|la)|caso en|tomo un (?:ano|mes)|pido (?:una excedencia|la baja|reduccion))|renuncio (?:a|al)|vendo (?:el|la|mi)|dejo (?:la uni|las redes|instagram|el proyecto|el grupo)|nos (?:casamos en|vamos a vivir|vamos a [a-z]+ en|quedamos (?:el|la|en|aqui|con))|les? (?:decimos|digo) que (?:si|no) a|renuevo|cancelo (?:el|la|mi|los|las)|dejo (?:el (?:gimnasio|gym|trabajo|curro|master|curso|piso|tabaco)|la (?:carrera|universidad|empresa)|de (?:fumar|beber|tomar|usar|comer))|acepto (?:la (?:oferta|propuesta)|el (?:puesto|trabajo))|rechazo (?:la|el)|me (?:paso|cambio|mudo) (?:a|al) |me (?:doy de baja|apunto a|quedo con)) ?[^,]*)").sure(0.86),
    decision("shared", "^ (?:el|la|los|las) [^,]+ (?:l[oa]s? (?:pagamos|hacemos|llevamos|dejamos|vendemos|cancelamos|movemos|usamos|alquilamos|ponemos|quitamos|compartimos|repartimos|guardamos)|(?:sera|seran|ira|iran|sale|salen|queda|quedan|pasa|pasan|dura|cuesta) (?:en|sin|con|a ser|como|para|desde|gratis|fuera) ) ?").sure(0.84),
    decision("charge", "^ [a-z]+(?: y [a-z]+)? (?:se encarga[n]?|se ocupa[n]?|queda[n]? a cargo|lleva[n]?|coordina[n]?) (?:de |del )?(?:el|la|las|los|l[oa]|todo|toda)? ?(?:factur|redes|web|diseno|backend|front|comunicacion|logistica|compras|cuentas|contabilidad|pedidos|proyecto|clientes|soporte|traducc|docu)[a-z]*").sure(0.82),
    decision("off", "^ (?:aplazad[oa]s?|pospuest[oa]s?|cancelad[oa]s?|suspendid[oa]s?|anulad[oa]s?|eliminad[oa]s?|prohibid[oa]s?|retrasad[oa]s?) (?:el|la|los|las) (?:reforma|proyecto|lanzamiento|migracion|reunion|retro|daily|viaje|cena|curso|contratacion|campana|evento|boda|obra|obras|fiesta|feature|version|compra)").sure(0.84),
    decision("off", "^ queda[n]? (?:[a-z]+[ai]d[oa]s?|fuera) ").sure(0.86),
    decision("off", "^ (?:adios|chau|bye bye|hasta nunca) (?:a |al )(?:la |los |las )?[a-z0-9]+ ").sure(0.80),
    decision("told", "^ (?:le|les|hemos|he|nos|me) (?:dije|dijimos|dicho|digo|decimos) que (?:si|no) al? ").sure(0.86),
    decision("stays", "^ (?:se queda[n]?|nos quedamos) (?:al? |el |la |los |las |con |en )?[a-z0-9]+(?: [a-z0-9]+)? $").sure(0.80),
    decision("stack", "^ (?:todo lo (?:nuevo|de [a-z]+)|(?:el|los|las|la) (?:commits|prs|docs|documentacion|codigo|tests|reuniones|mails|informes|facturas)(?: nuev[oa]s?)?) (?:, )?(?:ira[n]? |va[n]? |seran? )?(?:en|con|por|sin) [a-z]").sure(0.82),
    decision("rule", "^ los {weekday}(?: y {weekday})? (?:sin|nada de|no hay|cero|toca) (?:reuniones|reunion|deploys|despliegues|llamadas|dailies|cole|oficina) ").sure(0.84),
    decision("doing", "^ {yo}(?:al final |finalmente )?(?:no )?(?:cambiamos de|rompemos con|vamos por (?:la|el|las|los)|pagamos (?:a medias|entre|el|la|los)|repartimos|nos quedamos al?|nos vamos (?:con|a|de)|renuncio al?|adoptamos|dejamos) [a-z]").sure(0.84),
    decision("firm", "^ .+ (?:, )?(?:decidido|acordado|y punto|no se (?:discute|hable mas|hable)|esta (?:decidido|hablado|cerrado|acordado)|va a misa|por (?:unanimidad|mayoria)|sin discusion|ya esta decidido|no hay (?:mas que hablar|vuelta atras)|(?:ya )?es (?:definitivo|oficial|firme)|por goleada) $").sure(0.86),
    decision("firm", "^ (?:es oficial|decision (?:tomada|final|definitiva)|conclusion|veredicto|queda asi|quedo asi|la decision|resultado de la votacion) (?:: )?.+").sure(0.86),
    decision("firm", "^ (?:gana|gano|salio|queda|quedo|va|vamos|se queda) (?:la |el |con la |con el )?(?:opcion |propuesta |version |plan )?[a-z0-9\"]+ (?:por|entonces|al final|finalmente|definitivamente|como) ").sure(0.86),
    decision("firm", "^ (?:la |el |opcion |propuesta |plan |version )+[a-z0-9\"]+ (?:, )?(?:entonces|decidido|y ya|y punto|ganadora|gana) $").sure(0.86),
    decision("named", "^ (?:el |la |los |las |lo |nuestr[oa] )?(?:[^,]+ )?(?:se (?:va a llamar|llamara|llamaran)|l[oa]s? (?:vamos a llamar|llamaremos|llamamos)|les? (?:ponemos|pondremos|vamos a poner) (?:de nombre|[a-z]+ (?:al?|de))|(?:nombre|titulo|logo|color|dominio|lema|eslogan) (?:[a-z]+ )?(?:definitivo|final|oficial|elegido)(?: es| sera)?) (?:: )?[a-z0-9\"]").sure(0.86),
    decision("stack", "^ (?:el |la |los |las )?(?:todo (?:el |lo )?[a-z ]*|backend|frontend|front|back|api|app|web|tests|codigo|servicios?|scripts?|documentacion|docs|base de datos|infra|logs|diseno)(?: [a-z]+)? (?:se (?:hacen?|escriben?|montan?|migran?|despliegan?|guardan?|quedan?)|van?|pasan?|iran?|sera|seran) (?:en|a|con|sobre|por) ").sure(0.86),
    decision("chosen", "^ (?:el|la) (?:puesto|plaza|contrato|proyecto|encargo|vacante|concurso|premio) (?:es|sera|va|se lo lleva|queda) (?:para |a )?[a-z]").sure(0.84),
    decision("no-more", "^ (?:se acabo|se acabaron|nunca mas|ni un[oa]? mas|no mas|no habra(?: mas)?|este ano no hay|ya no hay|hasta aqui) (?:lo de |eso de |el |la |los |las )?(?:fumar|reuniones|despliegues|deploys|horas extra|dailies|prestar|cenas?|fiestas?|regalos|viernes|[a-z]+r) ").sure(0.84),
    decision("no-one-does", "^ ((?:(?:los|el|todos los) {weekday}[^,]* |aqui |en este equipo |a partir de las [a-z0-9]+ )?(?:no se|solo se|ya no se|nunca se) (?:hace[n]?|despliega[n]?|sube[n]?|publica[n]?|mergea[n]?|toca[n]?|acepta[n]?|usa[n]?|compra[n]?|contrata[n]?|negocia[n]?|renueva[n]?|vende[n]?|trabaja|factura|fia[n]?|cobra|regatea|lanza[n]?|cambia[n]?|firma[n]?|devuelve[n]?) [a-z][^,]*)").sure(0.86),
    decision("arranged", "^ ((?:el|la|los|las|lo|nuestr[oa]s?) (?:[^,]+ )?(?:se (?:hacen?|haran|hara|pasan? al?|pasan? para|mueven? al?|quedan? (?:como|con|donde|fuera)|cancelan?|posponen?|aplazan?|adelantan?|llamara|va a llamar|renuevan?|despliegan?|suspenden?|eliminan?)|pasan? a ser|(?:van? a ser|sera|seran) (?:una? |/|[0-9]|de [0-9])|pasan? al? (?:los |el |la |{weekday}|{month}|ser)|quedan? (?:fij|cerrad|aprobad|prohibid|descartad|anulad|fuera|para|tal|como)|van? (?:por escrito|en ingles|en castellano|en espanol|sin|fuera)) ?[^,]*)").sure(0.86),
    decision("arranged", "^ ((?:el|la|los|las) (?:cuotas?|precios?|tarifas?|jornada|plazo|presupuesto|limite|horario)(?: [^,]+)? (?:suben?|bajan?|quedan?|pasan?|sera|seran) [^,]*)").sure(0.86),
    decision("arranged", "^ ((?:el|la|los|las|del?) [^,]+ (?:lo|la|los|las) (?:llevan?|revisan?|aprueban?|firman?|gestionan?|coordinan?|paga|pagan) (?:el|la|los|las|[a-z]+) [^,]*)").sure(0.86),
    decision("rule", "^ ((?:todo|toda|cada|ningun|ninguna|todos los|todas las|los|las|el|la|un|una)? ?(?:nuev[oa]s? )?(?:prs?|pull requests?|facturas?|commits?|deploys?|despliegues?|releases?|cambios?|gastos?|compras?|tickets?|merges?|contratos?|pedidos?|reuniones|reunion|dailies|daily|retros?|incidencias?|bugs?|versiones|viajes?|presupuestos?|migraciones) (?:[a-z]+ ){0,4}(?:necesitan?|requieren?|con (?:dos|doble|al menos|minimo|aprobacion|revision|firma)|maximo|como mucho|(?:se )?(?:pasan?|mueven?) a(?:l)? |a las |llevan?|pasan? por|tienen? que|deben?|sin|solo|van|se|revisan|aprueba) [^,]*)").sure(0.86),
    decision("rule", "^ (nadie (?:mergea|sube|despliega|toca|publica|compra|firma|contrata|commitea|trabaja|pushea|hace deploy) [^,]*)").sure(0.86),
    decision("rule", "^ (prohibido (?:desplegar|mergear|subir|hacer|tocar|fumar|comprar|trabajar) [^,]*)").sure(0.86),
    decision("rule", "^ (no (?:habra|hay) (?:mas )?(?:app|reuniones|reunion|deploys|despliegues|dailies|presupuesto|descuentos) [^,]*)").sure(0.86),
    // Names, home, work, body, things.
    preference("favourite", "^ ((?:yo )?(?:mis?|nuestr[oa]s?) (?:[a-z]+ ){1,3}(?:favorit[oa]s?|preferid[oa]s?|de cabecera) (?:es|son|siempre|sigue) [^,]*)"),
    fact("mine", "^ ((?:mis?|nuestr[oa]s?) (?:nombre|nombres|apellidos?|apodo|pronombres|idioma|lengua|zona horaria|huso horario|huso|cumple|cumpleanos|fecha de nacimiento|direccion|domicilio|numero|telefono|correo|mail|email|oficina|empresa|trabajo|puesto|cargo|rol|departamento|equipo|curro|laburo|talla|pie|altura|peso|estatura|grupo sanguineo|sangre|compu|computadora|ordenador|portatil|laptop|notebook|maquina|pc|mac|movil|celular|celu|cel|coche|carro|auto|moto|bici|bicicleta|furgoneta|casa|piso|depa|departamento|apartamento|barrio|pueblo|ciudad|pais|codigo postal|jornada|horario|turno|sueldo|salario|presupuesto|titulo|carrera|especialidad|universidad|facultad|colegio|instituto|signo|religion|dieta|nacionalidad|pasaporte|visa|visado|permiso|tienda|negocio|local|taller|restaurante|bar|finca|estudio|despacho|consulta|banco|editor|shell|terminal|stack|servidor|server|router|impresora|jardin|huerto|cocina|lengua materna|idioma materno|dia libre|aniversario|instrumento|sistema operativo)(?: [a-z]+){0,3} (?:es|son|esta|estan|tiene|cierra|abre|vence|caduca|empieza|termina|usa|corre|queda|va|consiste|funciona|se escribe|se pronuncia|lleva) [^,]*)"),
    fact("named", "^ ((?:yo )?(?:me llamo|me dicen|me apellido|mi gracia es|mido|peso|calzo|uso talla|uso la talla|gasto talla|gasto un) [a-z0-9\"].*)"),
    fact("kin", "^ ((?:mis?|nuestr[oa]s?) {kin}(?: (?:mayor|menor|pequen[oa]|chic[oa]|grande|del medio|median[oa]|[a-z]{3,8}))? (?:es|son|se llaman?|tienen?|trabajan?|viven?|van? a|estudian?|hablan?|padecen?|sufren?|tomaba|toma|come|usa|duerme|necesita|lleva|no (?:come|toma|bebe|ve|oye|anda|camina|habla|puede)|no puede comer|no tolera|esta en (?:paro|silla|tratamiento|primero|segundo|tercero|cuarto|quinto|sexto)|esta (?:ingresad[oa]|embarazada|jubilad[oa]|enferm[oa]|en el paro|operad[oa]|ciega?|sord[oa])|estan (?:divorciados|separados|jubilados)|cumplen? anos) [^,]*)"),
    fact("kin", "^ mi [a-z]+ y yo (?:llevamos|tenemos|vivimos|somos|trabajamos|compartimos|estamos) "),
    fact("kin", "^ ((?:el|la) (?:papa|mama|padre|madre) de mis hij[oa]s (?:es|vive|trabaja|anda|esta|se llama|tiene) [^,]*)"),
    fact("kin", "^ (en mi (?:familia|casa) (?:somos|tod[oa]s|hablamos|se habla|hay|nadie) [^,]*)"),
    fact("family", "^ ({yo}(?:somos|eramos) (?:{number}|un equipo|una empresa|una familia|una cooperativa|una pyme|una ong|una asociacion|familia numerosa|solo dos|solo tres|autonomos|padres|pareja) [^,]*)"),
    preference("kind-of-person", "^ ({yo}(?:no )?(?:soy|somos|seguimos siendo) (?:muy|mas(?: bien)?|mucho mas|nada|poco) de [^,]*)"),
    preference("kind-of-person", "^ ({yo}(?:no )?(?:soy|somos|seguimos siendo) (?:muy |mas |mucho |mas bien |super |cero |poco |nada |tan )*(?:de (?:[a-z]+[aei]r|[a-z]+[aei]rme|los que|las que|linux|mac|windows|android|iphone|cafe|te|mate|playa|montana|ciudad|campo|dulce|salado|libros|papel|boli|perros|gatos|tabs|espacios|invierno|verano|noche|mananas|[a-z]+ que de [a-z]+)|(?:productiv|rapid|feliz|creativ|util|eficaz)[a-z]* (?:por|de|con|en|cuando|si|trabajando)|fan|fans|amante|amantes|friki|forofo|team|defensor[a]? de|enemig[oa] de|partidari[oa] de) [^,]*)"),
    fact("from", "^ ({yo}(?:soy|somos) (?:originari[oa]s? |nativ[oa]s? )?de (?:un |una |la |el |las |los )?[a-z]{3,}[^,]*)"),
    fact("being", "^ ({yo}(?:no )?(?:soy|somos) (?:(?:muy|un|una|el|la|unic[oa]|nuev[oa]|medio|ademas|tambien|casi|semi|ex|parcialmente|legalmente|totalmente|alta|altamente|la|segundo|segunda|jefe|jefa|tecnic[oa]|auxiliar|de profesion) )*{being}[^,]*)"),
    fact("being", "^ {yo}soy (?:muy |bastante |medio |algo |mas bien )?[a-z]{3,}[oaerlnsz](?: [a-z]+[oaelrs])? (?:$|, |(?:en|de|desde|por|al?|para|con|pero|y) )").sure(0.82),
    fact("being", "^ ({yo}(?:soy|somos) (?:de (?:profesion|oficio|formacion)|[a-z]+(?:logo|loga|grafo|grafa|ista|terapeuta) |(?:el|la) (?:[a-z]+ )?(?:unic[oa]|responsable|encargad[oa]|duen[oa]|fundador[a]?|cto|ceo|mayor|menor|pequen[oa]|tercer[oa]|coordinador[a]?|president[ea]) )[^,]*)"),
    fact("state", "^ ({yo}(?:estoy|estamos|sigo|seguimos) (?:(?:recien|ya|oficialmente|de nuevo) )*(?:casad[oa]s?|divorciad[oa]s?|separad[oa]s?|solter[oa]|jubilad[oa]s?|retirad[oa]|embarazada|empadronad[oa]s?|prometid[oa]s?|opositando|(?:en el|a) (?:primer|segundo|tercer|cuarto|quinto|ultimo) (?:ano|curso|semestre|trimestre)|esperando (?:un|una|mellizos|gemelos|nuestro)|en (?:paro|erte|excedencia|segundo|tercero|cuarto|quinto|primero|silla de ruedas|tratamiento|remision)|de (?:baja|excedencia|erasmus|autonom[oa])|desemplead[oa]|sin (?:trabajo|empleo|coche)|viviendo|estudiando|haciendo (?:el|la|un|una) (?:doctorado|master|maestria|tesis|tfg|tfm|carrera|curso|grado|residencia|mir|practicas)|aprendiendo|trabajando (?:de|en|como|para|desde)|criando|a cargo de|a dieta|en el equipo|basad[oa]|radicad[oa]|medicad[oa]) [^,]*)"),
    fact("place", "^ ((?:yo )?(?:ahora|actualmente|ahora mismo|hoy por hoy|desde hace [^,]+) (?:estoy|ando|estamos|vivo|vivimos|trabajo) (?:viviendo )?en [a-z][^,]*)"),
    fact("live", "^ ({yo}(?:no )?(?:(?:vivo|vivimos) (?:en|con (?:mis?|un[ao]?s?|dos|tres|otr[oa]s|gente|companer[oa]s|[a-z]+ (?:$|y|desde|en))|al?|sol[oa]s?|cerca|lejos|fuera|entre|junto|aqui|aca|de alquiler|de renta) |(?:ya )no (?:vivo|trabajo|estudio|vivimos) )[^,]*)"),
    fact("live", "^ ({yo}(?:trabajo|trabajamos|curro|laburo|chambeo|camello|currelo|teletrabajo) (?:en|de|como|para|desde|por|al?|con|solo|los|las|media|medio|turnos?|remoto|hasta|cuatro|[0-9]+|a tiempo|por cuenta|entre) [^,]*)"),
    fact("live", "^ {yo}(?:me dedico a|me especializo en|me muevo en|me identifico como|convivo con|escribo con (?:la )?(?:izquierda|zurda)|pertenezco a|milito en|crio |cultivo |fabrico |vendo [a-z]+ (?:en|por|desde)|cotizo|facturo (?:en|con|como)|investigo (?:sobre|en)|me forme|estudie [a-z]+ (?:en|y)|soy mitad|tengo (?:doble|el|la) nacionalidad|me crie|hago (?:la vida|turno|turnos|guardias) |naci (?:en|el)|creci en|me crie en|vengo de (?:[a-z]+ )?(?:familia|una familia|un pueblo)|alquilo (?:un|una|el)|rento (?:un|una)|comparto (?:piso|depa|casa|oficina)|manejo (?:un|una) (?:taxi|camion|equipo|flota)|conduzco (?:un|una)|dirijo (?:un|una|el|la)|gestiono (?:un|una|el|la)|administro (?:un|una|el|la)|coordino (?:un|una|el|la)|doy clases? (?:de|en|a)|imparto|enseno [a-z]+ en|cuido (?:a|de) (?:mi|un|dos)|toco (?:el|la) [a-z]+|canto en|entreno (?:en|a)|juego (?:al|en) [a-z]+ (?:en|desde|los)|curso (?:{ord}|un|una|el|la)|estudio [a-z]+ (?:en|por|de|a|online|desde)|estudio [a-z]+ $|opositando|compagino|colaboro con|(?:uso|utilizo) (?:un|una) [a-z]|(?:uso|utilizo) [a-z]+ (?:[a-z]+ )?(?:en (?:el|la|casa|mi)|como|desde|para (?:el|la|todo|trabajar))|cobro (?:en|por|el dia|[0-9])|gano [0-9]|pago (?:[0-9]+|alquiler)|tributo en|programo (?:en|desde)|estoy a cargo|soy voluntari)"),
    fact("languages", "^ {yo}(?:no )?(?:hablo|hablamos|entiendo|leo|chapurreo|domino|escribo en) (?:(?:un|poco|de|algo|muy|bien|mal|fluido|solo|dos|tres|cuatro) )*(?:{lang}|idiomas|lenguas)"),
    fact("languages", "^ (?:el|la) {lang} (?:no )?l[oa] (?:entiendo|hablo|leo|escribo|chapurreo|tengo) "),
    fact("since", "^ ({yo}(?:llevo|llevamos) (?:ya |casi |mas de |como |unos |unas )*(?:{number}|media|toda|muchos|anos|varios|un par de) ?(?:anos?|meses|mes|decadas?|la vida|de anos|de meses|vida|semanas?) (?:en|de|como|casad[oa]s?|viviendo|trabajando|programando|sin|con|al|a cargo|haciendo|estudiando|[a-z]+ndo|jubilad[oa]|fuera|sol[oa]|divorciad[oa]|junt[oa]s|vegan[oa]|vegetarian[oa]) [^,]*)"),
    fact("since", "^ ({yo}(?:llevo|uso) (?:gafas|lentes|lentillas|audifonos?|marcapasos|bastante? graduacion|protesis|silla de ruedas|ortodoncia|brackets|la (?:informatica|contabilidad|tienda|parte|administracion|logistica|web|comunicacion) |el (?:area|departamento|equipo|bar|negocio|almacen) )[^,]*)"),
    fact("have", "^ ({yo}(?:no )?(?:tengo|tenemos|padezco|sufro|sufro de|padezco de|me diagnosticaron) (?:de )?(?:(?:un|una|algo de|mucha|leve|severa|fuerte) )*(?:alergia|intolerancia|asma|diabetes|tdah|adhd|dislexia|daltonismo|autismo|tea|epilepsia|migranas|migrana|artritis|artrosis|hipotiroidismo|insomnio|ansiedad|depresion|hipertension|celiaquia|endometriosis|fibromialgia|escoliosis|vertigo|tinnitus|acufenos|lupus|psoriasis|crohn|colon irritable|tension alta|colesterol|miopia|astigmatismo|movilidad reducida|discapacidad|marcapasos|[a-z]*fobia|[a-z]+(?:itis|osis|emia|algia|patia|plejia)|reflujo|piedras|soplo|hernia|apnea|anemia|miomas|quistes|gota|rosacea|acne|eczema|sindrome|sop|vih|parkinson|cancer|escoliosis|pie plano|pies planos|sobrepeso) [^,]*)"),
    fact("have", "^ ({yo}(?:no )?(?:tengo|tenemos|me quedan) (?:ya |solo |solamente |casi )*(?:[0-9]+|un[ao]?|dos|tres|cuatro|cinco|seis|mi|el|la|otr[oa]|varios|varias)(?: [a-z]{3,12})?(?: [a-z]{3,12})? (?:anos|{kin}|coches?|carros?|autos?|motos?|bicis?|bicicletas?|furgonetas?|camionetas?|casas?|pisos?|depas?|departamentos?|apartamentos?|terrenos?|fincas?|huertos?|tiendas?|bares?|restaurantes?|negocios?|empresas?|pymes?|talleres?|peluquerias?|panaderias?|empleados|empleadas|trabajadores|socios|alumnos|mac|macbook|iphone|android|pixel|samsung|thinkpad|lenovo|dell|portatil|laptop|notebook|ordenador|compu|computadora|pc|servidor|server|nas|raspberry|impresora|tablet|ipad|kindle|movil|celular|consola|hipoteca|doctorado|master|titulo|carnet|licencia|nacionalidad|pasaporte|piscina|jardin|terraza|gallinas|vacas|ovejas|hectareas) [^,]*)"),
    fact("have", "^ ({yo}(?:tengo|tenemos) (?:un|una|otro|otra|mi) [^,]+ (?:del?|desde) (?:ano )?(?:19|20)[0-9]{2} [^,]*)"),
    fact("have", "^ ({yo}(?:tengo|tenemos) (?:{kin}|nacionalidad|doble nacionalidad|carnet|pasaporte|reduccion de jornada|custodia|jornada|turno de|horario de|titulo de|el turno|la jornada|los (?:lunes|martes|miercoles|jueves|viernes|sabados|domingos)|(?:los )?{weekday} libres?|las mananas|las tardes) [^,]*)"),
    fact("have", "^ ({yo}tengo [0-9]{1,3} (?:anos|tacos|anitos|primaveras) [^,]*)"),
    fact("have-not", "^ ((?:yo |nosotros |en casa )?(?:(?:no (?:tengo|tenemos)|(?:ando|estoy|vivo|estamos|seguimos) sin) (?:coche|carro|auto|carnet|licencia|hij[oa]s|mascotas?|tele|television|ascensor|lavavajillas|horno|microondas|whatsapp|facebook|redes sociales|instagram|papeles|seguro|fibra|smartphone|internet en casa|impresora|jardin|pareja|herman[oa]s)|no (?:conduzco|manejo|se (?:conducir|manejar|nadar|cocinar|andar en bici|programar)|veo (?:bien|los colores|de)|oigo (?:bien|de)|distingo))[^,]*)"),
    fact("diet", "^ ((?:yo |nosotros |en casa |ya |hace anos que )*no (?:como|comemos|bebo|bebemos|tomo|tomamos|pruebo|puedo (?:comer|tomar|beber|con)|tolero) (?:ni )?(?:[a-z]+ )?(?:carnes?|cerdo|puerco|ternera|res|pollo|pescado|mariscos?|gluten|trigo|lactosa|leche|lacteos|huevos?|alcohol|azucar|sal|frutos secos|nueces|mani|cacahuetes?|soja|soya|productos animales|nada de origen animal|embutidos|picante por)[^,]*)"),
    fact("no-longer", "^ ({yo}(?:ya )no (?:vivo|vivimos|trabajo|trabajamos|estudio|fumo|bebo|como|tengo|uso|soy|estoy|juego|conduzco|hago|doy) [^,]*)"),
    // A fixed timetable.
    fact("timetable", "^ ((?:todos )?(?:(?:los|de) {weekday}[^,]*|por las (?:mananas|tardes|noches)|cada {weekday}|los fines de semana|los findes|entre semana) (?:salgo|salimos|entro|cierro|cerramos|abrimos|abro|libro|libramos|trabajo|descanso|descansamos|teletrabajo|teletrabajamos|voy (?:al?|con)|llevo|recojo|tengo|tenemos|estoy|estamos|doy|curro|laburo|ensayo|ensayamos|entreno|entrenamos|juego|jugamos|ayuno|ceno|cenamos|como|comemos|hago|me toca|nos toca|cuido|visito|busco a) [^,]*)"),
    fact("timetable", "^ ({yo}(?:(?:comemos|cenamos|desayunamos|almorzamos|nos levantamos|nos acostamos|salimos|entramos) siempre|me levanto|me despierto|me acuesto|madrugo|entro|salgo|empiezo|termino|acabo|ceno|cenamos|desayuno|como|almuerzo|abrimos|abro|cerramos|cierro|recojo a|paso a buscar)(?: [^,]*)? (?:a las?|sobre las|hasta las|antes de las|a eso de las|hacia las) [a-z0-9][^,]*)"),
    fact("timetable", "^ ({yo}(?:abrimos|trabajamos|trabajo|atendemos|estoy|estamos) (?:solo )?de (?:{weekday} a {weekday}|[0-9:]+ a [0-9:]+|nueve a|ocho a|manana|tarde|noche) [^,]*)"),
    // What runs at home and at work.
    fact("at-work", "^ (en (?:la|el|mi|nuestr[oa]) (?:oficina|empresa|trabajo|curro|laburo|equipo|despacho|estudio|taller|tienda|cole|colegio|instituto|hospital|ayuntamiento|fabrica|casa|consulta|universidad|proyecto|pueblo|barrio|edificio|ciudad|pais|calle|zona|bloque) (?:[a-z]+ )?(?:usamos|tenemos|hay|todo|se|somos|trabajamos|no hay|no tenemos|corremos|hablamos|cerramos|va) [^,]*)"),
    fact("machine", "^ ((?:el|la|los|las|nuestr[oa]s?) (?:server|servidor|servidores|base de datos|bd|backend|frontend|repo|repositorio|api|app|web|pagina|wifi|router|impresora|nas|pc|ordenador|compu|programa|sistema|staging|produccion|prod|proyecto|codigo|cluster|intranet|red|infra|tienda|oficina|empresa|equipo|hotel|restaurante|clinica|academia|negocio|local|sede|almacen|fabrica|casa|piso)(?: [^,]+)? (?:es (?:un|una|de|del)|son (?:un|una|de|del|dos|tres)|estan? (?:en|escrit|hech|montad|alojad|aloj|sobre|detras)|corren? (?:en|sobre|con)|usan? |van? (?:con|sobre|en)|no tienen? |tienen? [0-9]|se llaman? |esta en|queda en|vive en) ?[^,]*)"),
    fact("uses", "^ ((?:en [^,]+ )?(?:usamos|utilizamos|facturamos|trabajamos con|programamos en|atendemos) (?:solo )?[a-z0-9]+(?: [a-z0-9]+){0,6} (?:en (?:la|el|mi|casa|produccion|prod|todos)|desde (?:hace|20)|como) [^,]*)"),
    // Tastes.
    preference("taste", "^ ({yo}(?:a mi |a nosotros )?(?:la verdad )?(?:no )?(?:(?:me|nos) (?:gusta|gustan|encanta|encantan|flipa|flipan|mola|molan|chifla|chiflan|fascina|fascinan|copa|copan|late|apasiona|apasionan|vuelve loc[oa]|molesta|molestan|irrita|irritan|revienta|revientan|fastidia|fastidian|repatea|repatean|jode|joden|carga|cargan|choca|aburre|aburren|agobia|agobian|estresa|estresan|cansa|cansan|desespera|va (?:mejor|mas|mucho|el|la|lo)|van (?:mejor|mas|mucho|los|las)|pirra[n]?|priva[n]?|pierde[n]?|puede[n]? (?:los|las|el|la)|parte[n]?|enferma[n]?|mata[n]?|viene mejor|acomoda mas|acomoda mejor|queda mejor|funciona mejor|sirve mas|sirven mas|conviene mas|cae[n]? (?:mal|fatal|pesad|gord)|sienta[n]? (?:mal|fatal|bien)|saca[n]? de|da[n]? (?:[a-z]+ )?(?:asco|nauseas|pereza|flojera|grima|repelus|alergia|cosa|igual|miedo|claustrofobia|dolor de cabeza|ansiedad|urticaria|verguenza ajena)|pone[n]? (?:nervios[oa]|enferm[oa]|mal|de mal humor|de los nervios)|resulta[n]? (?:mas|insoportable|comod|pesad)|marea[n]?|distrae[n]?|entero mejor|concentro mejor|apana)|preferimos|prefiero|prefiero que|odio|odiamos|detesto|aborrezco|adoro|amo|amamos|disfruto|evito|evitamos|valoro|agradezco (?:que|las|los|la)|no soporto|no aguanto|no tolero|no trago|no puedo con|paso (?:[a-z]+mente )?de|huyo de|tiro (?:mas )?a|rehuyo|desconfio de|soporto|aguanto) [a-z0-9\"][^,]*)"),
    preference("taste", "^ ([a-z0-9\"].* (?:me (?:aburren?|cansan?|agobian?|estresan?|relajan?|sobran?|sacan? de (?:quicio|mis casillas|onda)|ponen? (?:nervios[oa]|enferm[oa]|de los nervios|de mal humor|los pelos)|dan? (?:nauseas|asco|grima|repelus|urticaria|arcadas|claustrofobia|dolor de cabeza|pereza|flojera|ansiedad)|caen? (?:fatal|mal|gord[oa])|sientan? (?:fatal|mal)|molestan? mucho|encantan?|chiflan?|flipan?|resultan? insoportables?|revientan?|irritan?|marean?|vuelven? loc[oa]|hacen? feliz|quitan? el sueno|gustan? (?:mas|poco|mucho|sin|con|bien|muy)|van mejor|va mejor|viene mejor|funciona mejor)|no (?:me|nos) (?:va|van|gusta|gustan|convence|convencen|va mucho|hace gracia|apasiona)|ni (?:en pintura|regalad[oa]s?|muert[oa]|[a-z]+rl[oa]s?|loc[oa]|verl[oa]s?)|a muerte|ni muert[oa]|no es lo mio|no son lo mio|es lo mio|es mi debilidad|son mi debilidad) [^,]*)"),
    preference("taste", "^ (?:el|la|los|las) [^,]+ , (?:ni (?:en pintura|loc[oa]|muert[oa]|regalad[oa]|verl[oa]s?|hablar|de cona|en pedo|en chiste|de broma)|mejor (?:sin|con|solo|frio|caliente|de|en|por|a)|siempre|lejos|prefiero|cuanto mas|sin [a-z]+ $)"),
    preference("ways", "^ {yo}(?:no )?(?:pago|viajo|duermo|leo|veo|escucho|desayuno|ceno|bebo|tomo|compro|escribo|corro|entreno|cocino|visto|conduzco|estudio|trabajo|firmo|reservo|voy|juego|pido|nado|me (?:ducho|visto|muevo|levanto|despierto)) (?:[^,]* )?(?:siempre|sin|solo|mientras|en (?:efectivo|version original|vo|papel|silencio|crudo|ayunas|bici|transporte publico|segunda mano)|de (?:segunda mano|pie|noche|lado)|con (?:tarjeta|equipaje|la ventana|musica|palillos|leche|hielo|todo)|a oscuras|a mano|descalz[oa]|por la noche|a todos lados|entre semana) ").sure(0.80),
    preference("ways", "^ (?:al?|en|con|por) [^,]+ (?:voy|viajo|pago|como|duermo|trabajo|escribo) siempre "),
    preference("own", "^ {yo}(?:tengo (?:debilidad|predileccion|mania|aversion|adiccion|fijacion) (?:por|a|con|al)|soy (?:adict[oa]|aficionad[oa]|devot[oa]|incondicional|enemig[oa]|partidari[oa]|alergic[oa] a (?:las reuniones|los lunes|la burocracia|el humo|las prisas|el drama)) (?:a|al|de|del)|no soy person|no (?:puedo|se) vivir sin|no me imagino sin|no salgo de casa sin|no perdono|no me pierdo|me niego a|me resisto a|nada me (?:relaja|gusta|molesta|irrita|motiva) mas que|no hay (?:nada )?(?:como|mejor)) ?"),
    preference("unbearable", "^ (?:el|la|los|las) [^,]+ (?:no (?:l[oa]s? (?:aguanto|soporto|trago|quiero|como|pruebo|perdono)|puedo con)|l[oa]s? (?:odio|detesto|evito|prefiero|adoro|amo|quiero (?:siempre|en|sin|con)|tomo|bebo|como (?:sin|con)|pido)) "),
    preference("must", "^ [a-z0-9][^,]* (?:(?:es|son|me (?:es|resulta|parece)) (?:un must|imprescindibles?|innegociables?|no negociables?|sagrad[oa]s?|obligatori[oa]s?|fundamental|lo primero|un no|un no rotundo|una tortura|un suplicio|lo peor|lo mejor del mundo|mi perdicion|una maravilla|mi vicio|un crimen|un pecado|sagrado)|imprescindibles?|innegociables?|obligatori[oa]s?|si o si|a toda costa|ni hablar|por encima de todo) ").sure(0.82),
    preference("finds", "^ .*(?:me (?:parecen?|resultan?)|encuentro|se me hacen?|veo) (?:[a-z]+ )*(?:insoportables?|horribles?|horroros[oa]s?|espantos[oa]s?|fe[oa]s?|pesad[oa]s?|innecesari[oa]s?|incomod[oa]s?|absurd[oa]s?|cursis?|aburrid[oa]s?|ridicul[oa]s?|un horror|una perdida de tiempo|un suplicio|una tortura|ilegibles?|agotador[ae]?s?|estresantes?|de mala educacion|relajantes?|mas comod[oa]s?|mas clar[oa]s?|mas facil[es]*|mas util[es]*|demasiado [a-z]+) ").sure(0.82),
    preference("works-best", "^ {yo}(?:(?:trabajo|rindo|pienso|estudio|leo|escribo|duermo|aprendo|entiendo|me concentro|funciono|me organizo|me entero|me manejo|me apano) (?:mucho |muchisimo )?(?:mejor|mas|peor)|aprendo (?:haciendo|viendo|con ejemplos|escuchando)) "),
    preference("limits", "^ (?:(?:respuestas?|respond[ea]|contest[ae])[a-z]* )?(?:maximo|max|como mucho|como maximo|no mas de|menos de|en) (?:[0-9]+|un[ao]?|dos|tres|cuatro|cinco|diez) (?:lineas?|frases?|palabras|parrafos?|opciones|puntos|oraciones|minutos de lectura|ejemplos|vinetas|renglones)(?: (?:como mucho|como maximo|maximo|por respuesta|y ya|basta|bastan))? $").sure(0.82),
    preference("limits", "^ con (?:[0-9]+|un[ao]?|dos|tres|cuatro|cinco) [a-z]+ (?:me (?:basta|bastan|sobra|sobran|vale|llega|alcanza)|basta|es suficiente) "),
    preference("avoid", "^ {yo}(?:me niego a|me resisto a|procuro|intento no|trato de no|trato de|no piso|no pruebo|huyo de|no me pongo|no me fio|confio mas en|me fio mas de|valoro (?:mas|que|mucho)|me importa mas|me relaja[n]?|me calma[n]?|me alegra[n]?|me quita[n]?|me da[n]? (?:paz|vida|risa|verguenza|pena|sueno|hambre|rabia|coraje|bronca|cringe|yuyu|mal rollo|hueva|fiaca|paja)|me inspira[n]?|me motiva[n]?|me sobra[n]?|me aburre[n]?|me pierdo con|me lio con|me enredo con|disfruto|gozo|tolero mal|llevo (?:fatal|mal|bien)) [a-z\"]"),
    preference("mine", "^ (?:a mi|yo|para mi) (?:, )?(?:dame|denme|ponme|poneme|siempre (?:el|la|con|sin|en|de)|que no me|(?:el|la|los|las) [a-z]+ (?:, )?(?:sin|con|solo|sola|bien|muy|siempre|poco|negro|amargo|frio|caliente)) ").sure(0.80),
    preference("topic", "^ (?:el|la|los|las|lo|todo lo) [^,]+ [a-z]{2,}(?:mel[oa]s?|sel[oa]s?|nosl[oa]s?) "),
    preference("topic", "^ (?:el|la|los|las|todo|todos los|todas las|tus|mis) [^,]+ (?:pon|haz|escrib[ei]|deja|manda|explica|resum[ei]|guarda|usa|describ[ei]|coment[a]|traduc[ei]|ordena|marca|nombra|revisa|firma|numera|responde|contesta)(?:l[oa]s?|les?) (?:siempre|en|con|sin|al|a|como|por|de|tal|antes|primero) ").sure(0.84),
    preference("topic", "^ [a-z]{2,}(?:mel[oa]s?) (?:siempre|tal cual|sin|con|en (?:tablas?|listas?|{lang}|una linea|dos lineas|cristiano|bruto)|primero|todo junto|de a poco|facil|clarito|por partes|paso a paso) ").sure(0.84),
    preference("one-by-one", "^ (?:{por}(?:hazme|haceme|preguntame|dame|pasame|mandame)? ?)?(?:una|un|de a una|de una|de uno|de a uno) [a-z]* ?(?:a la vez|por vez|por mensaje|cada vez|en una|en uno) "),
    preference("better", "^ (?:por|en|con|sin|a|de) [a-z]+(?: [a-z]+)? mejor (?:que|$)").sure(0.82),
    preference("better", "^ mejor (?:por|en|con|sin|de|a) [a-z]+").sure(0.82),
    preference("first", "^ (?:primero|siempre primero|arriba|al principio|al final) (?:de todo |siempre )?(?:la|el|las|los) (?:conclusion|resumen|respuesta|fuentes|codigo|idea|malas|mala|buenas|precio|dato|datos|importante|titular|riesgos|enlaces) ").sure(0.82),
    preference("first", "^ (?:la|el|las|los) (?:conclusion|resumen|respuesta|fuentes|codigo|idea principal|malas noticias|precio|datos|importante|titular|enlaces|referencias)(?: [a-z]+)? (?:siempre )?(?:primero|arriba|al principio|al final|abajo|delante) "),
    preference("formats", "^ (?:(?:las |los |el |la )?(?:horas?|fechas?|precios?|importes|medidas|temperaturas?|distancias?|pesos?|cantidades|recetas|direcciones|telefonos|decimales|numeros|formato|moneda|tamanos?|altura|velocidad) )(?:siempre |de )*(?:en|con|sin|a|dd|aaaa|iso|24|tipo) ?[a-z0-9]").sure(0.82),
    preference("hours", "^ (?:(?:despues|antes) de las [a-z0-9:]+|a partir de las [a-z0-9:]+|los {weekday}|de noche|por la noche|por las (?:noches|mananas|tardes)|los fines de semana|los findes|en (?:vacaciones|reuniones|domingo)|hasta las [a-z0-9:]+)(?: [^,]*)? (?:, )?(?:no {dont}|ni (?:me|se te)|nada de|no me|no quiero|silencio|ni un|no estoy para|prefiero) "),
    preference("hints", "^ {por}(?:dame|deme|denme|quiero|solo|prefiero)? ?(?:pistas|la respuesta corta|hechos|datos|franqueza|sinceridad|opciones) (?:, )?(?:no|en vez de|sin|y no|antes que|nada mas) "),
    preference("order", "^ {por}(?:corrigeme|corregime|corrijame|pideme permiso|pedime permiso|avisame|consultame|preguntame|cuestioname|llevame la contraria|discuteme|discutime|recuerdame siempre|se franc[oa]) (?:siempre |si |cuando |antes |el |la |los |las |sin |aunque |en todo)"),
    preference("order", "^ {por}(?:explicame|explicamelo|explicalo|explica|hablame|cuentame|contame|tratame|habla|explicamela) (?:todo |las cosas |siempre )*(?:como (?:si|a|para)|en plan|paso a paso|con (?:ejemplos|manzanas|peras)|sin (?:tecnicismos|rodeos|jerga)|despacio|facil|sencillo|en cristiano|en criollo|clarito)"),
    preference("order", "^ {por}no (?:hace falta|es necesario|hay necesidad de|tienes por que|tenes por que|necesito) (?:que )?(?:me |te |lo |tanta? |tantas? |tantos )*[a-z]+").sure(0.82),
    preference("order", "^ {por}no (?:me )?{dont} (?:.* )?(?:mas de|menos de|tant[oa]s?|con (?:emojis|listas|tecnicismos|rodeos)|como (?:si|a)|en {lang}|de (?:usted|tu|vos)|solo|asi porque si|suposiciones|conclusiones|la pildora|rollos?) ?").sure(0.84),
    preference("order", "^ {por}{do} (?:solo |siempre )(?:un|una|dos|tres|lo|la|el|los|las|en|con|como|cuando|si|mi|mis)? ?[a-z]"),
    preference("order", "^ {por}(?:redacta|escribe|escribi|responde|contesta|firma|escribeme|redactame) (?:mis |los |las |todos los )(?:correos|mails|mensajes|emails|cartas|informes|posts|textos|whatsapps) (?:siempre )?(?:en|con|como|sin|de) "),
    preference("order", "^ si (?:te |me |no |lo |hay |algo )*[a-z]+ (?:, )?(?:[^,]* , )?[a-z]{3,}(?:lo|melo|me)(?: |$)").sure(0.80),
    preference("order", "^ quiero (?:siempre )?(?:las |los |la |el )?(?:malas noticias|buenas noticias|verdad|conclusion|respuesta|datos|fuentes|critica|numeros|riesgos|enlaces) [a-z]"),
    preference("order", "^ (?:a mi )?me (?:hablas|tratas|llamas|respondes|contestas|escribes|dices|decis|explicas|avisas|hablas|tuteas) (?:siempre |solo )?(?:de|en|con|sin|como|por|antes|cuando|si|las|los|lo|todo|[a-z]+ $)").sure(0.82),
    preference("order", "^ (?:cuando|si|siempre que|cada vez que) [^,]+ (?:, )?(?:no [a-z]{2,}(?:es|as)|[a-z]{3,}me(?:l[oa]s?)?|dame|di|avisa|pregunta|elige|usa|pon|para) ").sure(0.80),
    preference("topic", "^ (?:con|en|para|de) [^,]+ , (?:siempre|nunca|solo|nada de|cero|jamas|mejor) [a-z]").sure(0.82),
    preference("order", "^ que (?:sea[n]?|las respuestas|no pase[n]? de|no haya|todo|siempre) .*(?:cort[oa]s?|breves?|sencill[oa]s?|en {lang}|claras?|concis[oa]s?|lineas|palabras|formales|informales|por escrito|euros|pesos) ").sure(0.82),
    preference("order", "^ no quiero (?:que (?:me|nos|uses|pongas|haya|hables|inventes|se)|ni (?:un|una)|mas|ver|tanto|tantas|tantos|nada (?:de|con)|[a-z]+[aeo]s) "),
    preference("taste", "^ (?:[^,]+ )?(?:tren|avion|bus|coche|metro|bici|te|cafe|mate|vino|cerveza|agua|playa|montana|campo|ciudad|gatos?|perros?|papel|libros?|kindle|audio|texto|correos?|mail|llamadas?|whatsapp|tabs|espacios|vim|emacs|mac|linux|windows|dulce|salado|pasillo|ventanilla|ventana|efectivo|tarjeta|manual|automatico|frio|calor|verano|invierno|carne|pescado|pollo|hotel|camping|piso|casa|radio|tele|cine|series|pelis|poco|calidad|hacer|ir|[a-z]+r) (?:[a-z]+ )?(?:mejor|antes|mas) que [a-z]").sure(0.80),
    preference("taste", "^ ((?:mejor|antes) [^,]+ (?:que|antes que|y no|en vez de|en lugar de) [a-z][^,]*)"),
    preference("taste", "^ ([a-z][^,]+ (?:antes que|mejor que|en vez de|en lugar de) [a-z][^,]* (?:, )?(?:siempre|toda la vida|sin dudarlo|mil veces|por favor|porfa) [^,]*)"),
    preference("taste", "^ ((?:donde este un|donde haya un|no hay nada como|nada como|no cambio|donde se ponga un) [^,]*)"),
    preference("taste", "^ ((?:lo mio (?:es|son)|lo que (?:mas|menos|peor) (?:me|llevo)|mi favorit[oa]|mi peor|mi debilidad|siempre que (?:puedo|puedas)) [^,]*)"),
    // Habits.
    preference("habit", "^ ((?:yo )?(?:siempre|nunca|jamas|casi siempre|casi nunca|rara vez|normalmente|solo|solamente) (?:me |l[oa]s? |le |les |nos )?(?:us|com|beb|desayun|cen|tom|ped|pid|compr|viaj|pag|coj|escog|elij|reserv|trabaj|escrib|le|escuch|mir|cocin|duerm|leo|veo|conduzc|camin|corr|entren|llev|prefier|guard|apag|anot|imprim|contest|respond|revis|prueb|ceno|chequ|lav|visit|sal|uso|compil|program|haci|viajam|usam|pedim|compram|comem|cocinam|beb|bebem|cenam|pagam|reservam)(?:o|oy|go|amos|emos|imos|os)? [^,]*)"),
    preference("habit", "^ ((?:yo )?(?:siempre|nunca|jamas|casi siempre|casi nunca|solo) (?:me |l[oa]s? )?(?:voy (?:al?|en|por)|hago (?:el|la|los|las)|subo por|viajo|salgo a|pongo (?:el|la|los)|vamos (?:al?|en)|hacemos) [^,]*)"),
    preference("habit", "^ ({yo}(?:no )?(?:suelo|solemos|acostumbro|tiendo a|acostumbramos) (?:a )?[a-z]+r[^,]*)"),
    preference("habit", "^ ((?:yo )?(?:no (?:uso|compro|veo|leo|escucho|contesto|cojo (?:el telefono|llamadas|el coche)|atiendo|trabajo los|tomo|bebo|desayuno|ceno|llevo|quiero|necesito (?:que me|[a-z]+s) |me fio de|confio en|mezclo|pago con|viajo (?:en|con)|madrugo)|paso del|voy (?:a todos lados|a todas partes|al trabajo|siempre) (?:en|a|andando|caminando)) [^,]*)"),
    preference("habit", "^ ((?:yo )?(?:(?:el (?:cafe|te|mate|vino|chocolate)|la (?:pizza|carne|leche|tortilla|hamburguesa)) (?:l[oa] (?:tomo|bebo|quiero|prefiero|como|pido) |siempre |sin |solo |con leche|bien )|tomo (?:el (?:cafe|te|mate)|cafe|te|mate) )[^,]*)"),
    preference("always", "^ ((?:(?:el|la|los|las) [^,]+ |asiento[^,]+ |ventanilla |ventana |pasillo )?(?:sin|con|en|de|por) [a-z]+(?: [a-z]+)?(?: ,)? siempre [^,]*)"),
    preference("always", "^ (?:el|la|los|las) [a-z]+(?: [a-z]+)? siempre $").sure(0.80),
    preference("habit", "^ (?:yo )?(?:siempre|nunca|jamas) (?:me |lo |la )?[a-z]{3,}o (?:por|el|la|los|las|en|con|de|a|al|sin|un|una|mi|antes|despues|[a-z]+ $)").sure(0.80),
    preference("always", "^ (siempre (?:con|sin|en|de|por|asiento|ventanilla|ventana|pasillo|a) [a-z]+ [^,]*)"),
    // Standing orders to the agent.
    preference("order", "^ {por}(?:siempre|nunca|jamas) (?:me |nos |l[oa]s? |les? |te )*(?:{do}|{dont}) "),
    preference("order", "^ (?:[^,]+ , )?{por}(?:{do}|no {dont}) (?:.* )?(?:siempre|nunca|jamas|cada vez|por defecto|por norma|por sistema|en todo momento) "),
    preference("order", "^ {por}no (?:me )?{dont} (?:.* )?sin (?:antes )?[a-z]+r(?:me|te|l[oa]s?|nos|mel[oa]s?)? "),
    preference("order", "^ {por}no (?:(?:me|nos) (?:hables|hable|trates|trate|llames|llame|llamen|digas|diga|digan|mandes|mande|manden|envies|escribas|expliques|respondas|contestes|des|de|den|hagas (?:la pelota|preguntas|resumenes|listas)|pongas|vendas|recomiendes|sugieras|ofrezcas|propongas|preguntes|felicites|adules|inventes|interrumpas|repitas|tutees|tutee|vosees|cortes|corrijas|edulcores|endulces|adornes|suavices|trates de|molestes|agendes|programes|reserves|pidas|cuentes|saludes)|(?:uses|use|usen|pongas|metas|anadas|agregues|incluyas|inventes|asumas|supongas|repitas|empieces|comiences|termines|escribas|abuses|vuelvas a|adornes|te (?:disculpes|inventes|enrolles|enrolles|extiendas|andes|vayas por|alargues|pases)|andes con|des (?:rodeos|vueltas|cosas|por|explicaciones|opiniones)|hagas (?:listas|bromas|chistes|resumenes|preguntas|la pelota|suposiciones)|resumas|rellenes|cites|traduzcas (?:los|las|nombres)|mezcles|saludes|pidas (?:perdon|disculpas|permiso)|compartas|felicites|seas (?:tan )?(?:formal|pelota|condescendiente|cursi)|recomiendes|sugieras|propongas)) [a-z0-9\"]"),
    preference("order", "^ {por}(?:llam[ae]me|llamenme|diganme|tratame|trateme|tratenme|tuteame|tuteeme|voseame|hablame|hableme|hablenme|respondeme|contestame|contesteme|escribime|escribeme|explicame|explicamelo|dirigite a mi|dirigete a mi) (?:siempre |solo |simplemente |por favor |nomas )*(?:\"|de |como |en |con |por |sin |corto|breve|clarit|clar|direct|[a-z]+ (?:$|,)|todo |las cosas |paso a paso|a secas|[a-z]+ a secas)"),
    preference("order", "^ {por}(?:tuteame|tuteeme|voseame|tutea|tratame de tu|tratame de vos|llamame [a-z]+) "),
    preference("name", "^ (?:mis amigos|tod[oa]s|en casa|mi gente|la gente|mi familia) me (?:llaman|dicen|conocen por|conocen como) [a-z\"]").sure(0.80),
    preference("name", "^ {por}(?:prefiero que me (?:llames|digas|digan|llamen)|me puedes llamar|puedes llamarme|podes llamarme|me podes decir|llamame|llameme|llamenme) (?:solo |simplemente |nomas )?[a-z\"]"),
    preference("name", "^ {por}(?:dime|decime|diganme|me dicen|puedes decirme|podes decirme) (?:solo |nomas |siempre )?[a-z]+ (?:$|, (?:lo de|que|no|como|a secas))").sure(0.80),
    preference("order", "^ {por}(?:respond[ea]|contest[ae]|habl[ae]|escrib[ei]|redacta|explic[ae]|resum[ei])(?:me|nos|les|le)? (?:siempre )?(?:en (?:{lang}|frases|una|dos|tres|pocas|un tono|tono|lista|listas|vinetas|prosa|menos|primera|segunda)|cort[oa]|breve|con (?:frases|ejemplos|pocas|listas|vinetas|un tono)|sin |de (?:tu|vos|usted)|como (?:si|a)|clar[oa]|directo|al grano|solo) ?"),
    preference("order", "^ (?:a|con) (?:los|las|mis|mi) [^,]+ (?:no )?(?:{do}|les|le) (?:.*)(?:de (?:tu|vos|usted)|en {lang}|siempre|formal|con respeto) "),
    preference("order", "^ {por}(?:us[ae]|usen|utiliza|emplea|pon|pone|ponme|poneme|ponga|pongame|pasame|pasa|dame|deme|da|muestra|mostra|muestrame|mostrame|cita|expresa|escribe|escribi) (?:siempre |todo |solo |tod[oa]s (?:los|las) )*(?:el |la |los |las |un |una |tus |mis )?(?:{style}|sistema metrico|kilometros|grados|euros|dolares|pesos|celsius|tabs|tabuladores|espacios|comillas|tuteo|voseo|usted|lenguaje|palabras|camelcase|snake|castellano|espanol|ingles|frances|letra|negrita|formato|coma|punto|hora|horario|pytest|pnpm|yarn|typescript|conventional|un tono|comas)(?: .*)? (?:sin|con|en|cort[oa]s?|breves?|formal|informal|simples?|sencill[oa]s?|inclusiv[oa]|neutr[oa]|decimal|primero|siempre|claros?|metric[oa]s?|para|y no|de (?:tu|vos|usted|24)|espanol[a]?|latinas?|simples|commits|normal|exact[oa]s?|internacional|24h?) "),
    preference("order", "^ (?:para|en|con) (?:los|las|el|la|mis|mi|tus|todo|todos|todas) ?[^,]* (?:, )?(?:usa|pon|pone|utiliza|emplea|escribe|escribi|firma|no uses|no pongas|quiero|prefiero|siempre|trata|nada de) [a-z]"),
    preference("order", "^ {por}(?:evita|evite|eviten|evitame|ahorrate|ahorrame|saltate|dejate de|olvidate de|abstente de|procura|asegurate de|prescinde de|limitate a|cinete a|deja de|para de|parale a|bajale a|deja los|deja las) [a-z]"),
    preference("order", "^ (?:los|las|el|la|tus) (?:[a-z]+ )?(?:{style}|errores|diffs?|numeros|cifras|nombres|citas|reuniones|billetes|vuelos|hoteles|recetas|recordatorios|llamadas)(?: [^,]+)? (?:{do}|pegamel[oa]s|ponmel[oa]s|pasamel[oa]s|damel[oa]s|mandamel[oa]s|explicamel[oa]s|quiero|siempre|en (?:euros|dolares|pesos|castellano|espanol|ingles|formato|horario|metros|kilometros|24|celsius|utc)|cort[oa]s|al (?:final|principio)|primero|sin [a-z]+) ?"),
    preference("order", "^ (?:{style}|todo) (?:[a-z]+ )*?(?:cort[oa]s?|cortit[oa]s?|breves?|concis[oa]s?|direct[oa]s?|al grano|sencill[oa]s?|en (?:euros|dolares|pesos|castellano|espanol|ingles|formato|metros|kilometros|minusculas|celsius|24|utc|vinetas|tablas?|listas?|una linea)|sin (?:rodeos|emojis|adornos|introduccion|florituras|relleno|paja|jerga)|por (?:escrito|correo|mail))(?: .*)? $").sure(0.84),
    preference("order", "^ {por}(?:nada de|cero|basta de|ni un|ni una|sin|prohibido usar|prohibidos?|no mas) (?:.* )?(?:{style}|[a-z]+ismos|mayonesa|cebolla|cilantro|picante|gluten|azucar|lactosa|reuniones|llamadas|jefe|crack|campeon|usted|don|dona|senor|senora|nuevas dependencias|dependencias|librerias|kubernetes|frameworks?|marketing|azucar|pip install|chistes|bromas|preambulos|sermones|moralinas|relleno|paja|humo|sorpresas|spam|notificaciones|audios|hoteles|vuelos|escalas|aerolineas|low cost)(?: .*)? $"),
    preference("order", "^ (?:cada vez que|siempre que|cuando) (?:me |te |le |l[oa]s? |no )*(?:[a-z]+(?:es|as)|te (?:pida|pregunte|mande|pase|diga)|yo te [a-z]+|te [a-z]+) .*(?:{do}|{dont}|primero|siempre|quiero|prefiero|sin|solo|nada de|no me|antes|que [a-z]+) "),
    preference("order", "^ (?:.* )?ni (?:me |se te ocurra |lo |la |los |las )(?:[a-z]+r(?:me|le|lo)?|hables|nombres|menciones|digas|mandes|propongas|recomiendes|[a-z]+r) "),
    preference("order", "^ cada [a-z]+ que (?:me )?(?:des|hagas|mandes|escribas|pases|propongas|envies|generes|prepares) "),
    preference("order", "^ (?:antes de [^,]+ (?:, )?)(?:siempre )?(?:{do}|ensename|mostrame|muestrame|preguntame|avisame|consultame|confirmame|decime|dime|quiero|pedime|pideme) "),
    preference("order", "^ {por}(?:{do}|avisame|preguntame|consultame|ensename|mostrame|muestrame) (?:[^,]* )?antes de (?:[a-z]+r|[a-z]+rl[oa]s?|que) "),
    preference("order", "^ si (?:algo )?(?:no )?(?:l[oa] |me |te |hay |tienes |tenes )?(?:sabes|estas segur[oa]|entiendes|entendes|dudas?|alguna duda|ves|encuentras|encontras|detectas|equivoco|paso|cometo|meto la pata|algo|tenes|tienes|falta|cuesta|lo encuentras|queda claro|encaja|vas a|puedes|podes|hace falta|tardas|cambias) (?:[^:]* )?(?:di|dilo|dime|dimelo|deci|decilo|decime|decimelo|avisa|avisame|pregunta|preguntame|corrigeme|corregime|para|no {dont}|{do}) "),
    preference("order", "^ (?:yo )?(?:quiero|necesito|espero|pido|queremos|exijo)(?: siempre)? (?:que (?:siempre .*|todo .*|tod[oa]s (?:los|las) .*|las respuestas.*|seas .*|no me .*|(?:me |nos )?(?:uses|hables|trates|respondas|contestes|tutees|llames|escribas|corrijas|avises|preguntes|cuestiones|consultes|lleves la contraria) .*)|(?:las |los |tus |mis |el |la |todas las |todos los )?{style} .*|todo (?:en|por|con|sin) .*|(?:solo |unicamente )?(?:hechos|datos|fuentes|franqueza|sinceridad|criticas)[^,]*|poder deshacer|(?:l[oa]s? )?siempre .*)"),
    preference("order", "^ (?:yo )?(?:me gustaria|me encantaria|preferiria|agradeceria|te agradeceria|te agradezco) que (?:me |siempre |no |todo |las )*[a-z]+(?:aras?|ieras?|eses?|aran|ieran) "),
    preference("order", "^ (?:se|sea) (?:siempre |mas |muy )*(?:breve|conciso|concisa|claro|directo|directa|sincer[oa]|honest[oa]|critic[oa]|franc[oa]|formal|amable|puntual) "),
    preference("order", "^ {por}(?:ve|vaya|anda|vete) (?:siempre )?(?:al grano|directo al|directo a)"),
    preference("order", "^ (?:primero|[a-z]+ primero) [^,]+ (?:, )?(?:despues|luego|y despues|y luego) "),
];

const DAYS: &[DayWord] = &[
    day(When::None, " (?:hoy en dia|hoy por hoy|cada {weekday}|todos los dias|por las mananas) "),
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
    day(When::Nearest, " (?:el|este|del) {weekday}"),
];
