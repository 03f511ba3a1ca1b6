//! The word classes that the patterns of Spanish share.

pub(super) const FRAGMENTS: &[(&str, &str)] = &[
    // Words before the verb of a speaker; each has its space.
    (
        "yo",
        "(?:(?:yo|nosotr[oa]s|siempre|ya|ahora|todavia|tambien|solo|en casa|aqui|aca|desde [a-z0-9]+(?: [a-z0-9]+ [a-z]+)?) )*",
    ),
    ("por", "(?:(?:por favor|porfa|mejor|solo|a mi) (?:, )?)*"),
    (
        "kin",
        "(?:mujer|espos[oa]|marido|hij(?:it)?[oa]s?|nen[ea]s?|nin[oa]s?|cri[oa]s?|peques?|bebe|madre|padres?|viej[oa]s?|mama|papas?|herman[oa]s?|novi[oa]|pareja|abuel[oa]s?|niet[oa]s?|ti[oa]s?|sobrin[oa]s?|melliz[oa]s|gemel[oa]s|suegr[oa]s?|familia|perr(?:it)?[oa]s?|gat(?:it)?[oa]s?|conejo|loro|caballo|yegua|tortuga|mascota)",
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
        "(?:us[ae]|escrib[ei]|escriba|respond[ea]|contest[ae]|habl[ae]|explic[ae]|dame|deme|resum[ei]|redacta|incluy[ea]|evita|deja|dejame|haz|hace|trata|trate|se (?:mas|muy|breve|concis[oa]|clar[oa]|direct[oa]|formal|amable|sincer[oa])|sigue|segui|manten|mantene|limitate|salta|saltea|ahorra|ve|evita)(?:me|nos|les?|l[oa]s?|mel[oa]s?|te)?",
    ),
    // What is said about how things are written.
    (
        "style",
        "(?:respuestas?|mensajes|textos?|codigo|comentarios|precios?|importes|fechas?|horas|medidas|unidades|e?mails?|correos|emojis?|listas?|tablas?|resumen(?:es)?|vinetas|frases|parrafos|titulos|markdown|ejemplos|tono|idioma|formato|enlaces|links|fuentes|anglicismos|jerga|tecnicismos|disculpas|rodeos|saludos|negritas?|mayusculas|abreviaturas|commits|informes|halagos|comillas|recetas|menus|graficos|codigos)",
    ),
    // Past of what matters in a life or at work.
    (
        "event",
        "(?:[a-z]+(?:[a-z]amos|imos)|cambie|contrate|despedi|herede|arregle|abri|acabe|adopte|alquile|aprobe|apunte|arranque|arregle|borre|cai|case|celebre|cerre|choque|compre|conoci|consegui|corri|corte|cumpli|debute|defendi|deje|desplegue|dimiti|divorcie|empece|encontre|entregue|esguince|estrelle|firme|fracture|funde|gane|gradue|inaugure|ingrese|inscribi|instale|inunde|jubile|lance|logre|matricule|migre|monte|mude|opere|pague|pase|pedi|perdi|pinche|plante|presente|prometi|publique|quebre|queme|recibi|recogi|regrese|renuncie|reprobe|resbale|rompi|sali|saque|separe|suspendi|termine|titule|torci|tuve|vacune|vendi|volvi)",
    ),
    // The same of others; it counts where the speaker is touched.
    (
        "befell",
        "(?:[a-z]+(?:aron|ieron|[a-z]io)|(?:ha|han) [a-z]+(?:ado|ido|to|cho)|llego|cayo|hizo|trajo|vino|tuvo|opero|caso|mudo|gano|jubilo|graduo|fallo|quemo|inundo|estropeo|averio|exploto|ingreso|choco|dejo|fue|dio|empezo|nombro)",
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
        "(?:yo|me|mi|mis|no|ni|nos|nosotros|nuestr[oa]s?|soy|somos|estoy|estamos|tengo|tenemos|vivo|vivimos|trabajo|prefiero|por favor|porfa|nunca|siempre|jamas|es|el|la|los|las|lo|le|les|su|sus|hemos|he|vamos|voy|usa|usamos|ponme|pon|puedes|podrias|podes|sabes|seguimos|llevo|hablo|odio|a mi|a la|en casa|eso|esto|ese|esa|este|esta|ahora|antes|manana|ayer|hoy|anoche|ya|tu|te|se|si|solo|cuando|cada|como|cual|donde|dime|decime|llamame|trabaja|vive|asi|creo|menos mal|hay|quiero|todavia|aun|tampoco|desde|a partir|cancelamos|nadie|ojala|puede|deja|dejamos|cuanto|hace|hacemos|alguna|algun|alguien|queda|quedamos|acordamos|decidimos|nada|pero|escribe|escribo|llegue|fue|era|dijo|dice|haz|mejor|detesto|adoro|amo|necesito|mido|peso|calzo|naci|creci|conduzco|manejo|curro|laburo|estudio|comemos|cenamos|evita|respondeme|contestame|hablame|escribeme|escribime|tratame|tuteame|explicame|llamenme|fumo|bebo|suelo|termine|empece|acabo|acabamos|nacio|murio|firmamos|lanzamos|ganamos|optamos|elegimos|uso|pongo|paso de|evito|me|yo|estudia|doy|toco|juego|pasamos|cambiamos|migramos|lo que|entro|salgo|alla|aca|aqui)",
    ),
];
