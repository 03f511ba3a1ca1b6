//! The gates of Spanish: patterns that drop a clause.

use super::super::Why::{
    Code, Command, Hypothetical, Idiom, Joke, Negated, Other, Past, Pasted, Question, Reported, Secret,
    Unsafe,
};
use super::super::language::Reach::{Clause, Message, Onward, Rest, Sentence};
use super::super::language::{Gate, gate};

#[rustfmt::skip]
pub(super) const GATES: &[Gate] = &[
    // Secrets by their names; what has the form of a secret is known without them.
    gate(
        Secret,
        Clause,
        " (?:contrasena|clave|password|pass|pin|codigo|token|cvv|cvc|numero de tarjeta|tarjeta|frase semilla|frase de recuperacion|api key|llave privada)(?: [^,:]+)? (?:es |: |= |son |[0-9]{3,})",
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
        Pasted,
        Onward,
        "^ (?:acta|minuta|asistentes|orden del dia|comunicado|circular|nota de prensa)(?: (?:de|del|oficial|n) [^,:]{1,40})? (?:[.:] .*)?$",
    ),
    // A line of a log of commits.
    gate(Code, Clause, "^ (?:[a-f]+[0-9]|[0-9]+[a-f])[0-9a-f]{4,38} "),
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
    gate(
        Reported,
        Clause,
        " acab(?:a|an|o|amos) de (?:llamar|decir|escribir|contar|avisar|preguntar|mandar|enviar|comentar|explicar|pasar|pedir|responder|contestar|hablar|leer|oir|ver)[a-z]* ",
    ),
    // What something is for.
    gate(Idiom, Clause, "^ para que (?:no |me |te |se |lo |la |nos )*[a-z]+ "),
    gate(Reported, Clause, "^ como (?:dice|decia|dicen|decian|diria) "),
    gate(
        Joke,
        Clause,
        " mi (?:deporte|hobby|pasatiempo|especialidad|ejercicio|superpoder|talento)(?: favorit[oa])? es ",
    ),
    // Who nobody is; a turn of life that ends with a laugh.
    gate(
        Joke,
        Sentence,
        " (?:soy|somos) (?:batman|superman|spiderman|dios|jesus|napoleon|cleopatra|papa noel|santa claus|shakira|messi|el (?:papa|rey|elegido|mesias)|la (?:reina|virgen)|un[oa]? (?:robot|extraterrestre|alien|marcian[oa]|fantasma|vampir[oa]|unicornio|dragon|hobbit|elf[oa]|sirena|bruja|dinosaurio|cyborg|patata|cactus|planta|ameba|potus)) ",
    ),
    gate(
        Joke,
        Sentence,
        "^ (?:(?:me|nos) (?:voy|vamos|hago|hacemos|mudo|mudamos|caso|casamos|retiro|jubilo|meto)|renuncio|dejo|dimito|vendo) .*(?: j[aei]j[aei][a-z]* | [😂🤣😜🤪🤡])",
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
        "(?: (?:trabajo en equipo|cero (?:ganas|idea|drama|problema)|sin (?:ganas|comentarios|duda|problema|prisa|mas)|nada de (?:nada|eso|particular)|mejor tarde que nunca|prefiero no (?:opinar|hablar|decir|saber|pensar|contestar|mirar)|precio de (?:la (?:luz|gasolina|vivienda)|el gas|los alquileres)|la temperatura) )",
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
        "^ {yo}(?:no )?(?:soy (?:muy |un |una |tan |bastante |medio |re |super |todo |toda |el |la |consciente|capaz)*(?:tont[oa]|idiota|desastre|genio|crack|mierda|todo oidos|oidos|consciente|capaz|yo|feliz|lent[oa]|torpe|burr[oa]|bob[oa]|peor|mejor|sincer[oa]|hones[a-z]+|primer[oa]|ultim[oa]|segund[oa]|nadie|nada|asi|culpable|de la opinion|de fiar)|estoy (?:en (?:casa|clase|reunion|camino|la cama|el (?:tren|bus|metro|curro|trabajo|medico|bano)|un|una|eso|ello|llamada)|de (?:acuerdo|vuelta|camino|pie|cona|mal|buen))|vivo (?:con suen|en (?:una cueva|marte|la luna|narnia|hogwarts|un arbol)|en las nubes|en el error|para |por y para|en un sinvivir|en otro planeta|en reuniones)|hablo (?:por todos|en serio|en broma|por hablar|solo)|tengo (?:que |ganas|hambre|sed|frio|calor|prisa|razon|la (?:impresion|sensacion|duda|culpa|razon)|un[ao]? (?:duda|pregunta|consulta|problema|idea|rato|momento|hambre|sueno|frio|calor|error|bug|lio|favor|sed|dolor)|dos (?:dudas|preguntas|opciones|problemas)))",
    ),
    gate(
        Idiom,
        Clause,
        "(?:^| )(?:me (?:gusta|encanta|gustan|encantan|mola|flipa|late|copa)|amo|odio|prefiero|adoro) (?:(?:mucho|mas|mil) )*(?:eso|esto|esta?|este|esa?|asi|aquell?[oa]|la (?:primera|segunda|tercera|ultima|idea|propuesta|opcion)|el (?:primero|segundo|ultimo|resultado)|lo que (?:has|hiciste|escribiste|propones)|como (?:quedo|queda|ha|suena|lo|te|te|piensas|escribes)|tu |$|,)",
    ),
    // What passes, what is for once, and sayings.
    gate(Command, Clause, " [a-z]{2,}(?:mel[oa]s?|sel[oa]s?) (?:.* )?(?:manana|ahora|ya|luego|esta (?:tarde|noche|semana)|cuando puedas|el {weekday}|antes del? (?:las? )?[a-z0-9]+) $"),
    gate(Command, Clause, "^ {por}no (?:hace falta|es necesario|necesito) (?:.* )?(?:ya|ahora|todavia|aun|mas) $"),
    gate(Command, Clause, "^ {por}no {dont} (?:.* )?(?:todavia|aun) $"),
    gate(Command, Clause, "^ {por}(?:no {dont}|{do}) (?:el|la) (?:anexo|archivo|fichero|imagen|foto|tabla|columna|fila|linea|parrafo|frase|titulo|boton|apartado|seccion|capitulo|portada|palabra|funcion|clase|dato|numero|texto) (?:[a-z0-9]+ ){0,2}$"),
    gate(Command, Clause, "^ {por}(?:corrigeme|corregime|revisame|resumeme|resumime|explicame|traduceme) (?:el|la|est[aeo]s?|es[aeo]s?) (?:texto|parrafo|frase|codigo|carta|correo|documento|archivo|articulo|ejercicio|siguiente|capitulo|funcion|error) "),
    gate(Command, Clause, "^ antes de (?:enviar|mandar|subir|imprimir|entregar)(?:l[oa]s?|sel[oa]s?) (?:, )?[a-z]+l[oa]s? $"),
    gate(Command, Clause, "^ {por}(?:necesito|quiero|dame|pasame) (?:.* )?(?:para (?:manana|el {weekday}|ya|las [a-z0-9]+)|cuanto antes|ya|ahora) $"),
    gate(Idiom, Clause, "^ {yo}(?:nos |se )?(?:queda[n]?|quedamos|quedo) (?:sin [a-z]+ $|[a-z]+(?:ando|iendo) $|(?:dormid|colgad|pillad|atascad|congelad|guardad|parad|cargad|bloquead)[oa]s? |en (?:blanco|nada|vernos|silencio) |much|poc|bonit|genial|perfect|pendiente|raro|nada |igual |cort[oa] |algo |un rato |a medias |fe[oa] |bien |mal |fenomenal )"),
    gate(Idiom, Clause, "^ {yo}(?:dejamos|dejo|pasamos|cambiamos|seguimos|vamos|volvemos|paso|cambio|sigo) (?:a |de |con |por )*(?:el tema|otr[oa] (?:cosa|tema)|tema|lo (?:de antes|anterior|mismo|otro|siguiente|nuestro|importante)|ello|partes|(?:la|el) siguiente|algo mas) "),
    gate(Idiom, Clause, " (?:se acabo lo que se daba|mejor solo que mal|mas vale [a-z]+|(?:decidid[oa]|decidimos|quedamos en|acordamos) (?:que )?(?:manana|luego|despues|entonces|ya|otro dia|vernos|hablar|hablarlo|nada) (?:$|, |lo |me |nos |vemos )) ?"),
    gate(Idiom, Clause, "^ {yo}(?:he|hemos) (?:terminado|acabado) (?:por hoy|ya|con |de |el (?:capitulo|ejercicio|parrafo|apartado|punto|texto|primero|segundo)|la (?:pagina|parte|leccion|primera|segunda)) ?"),
    gate(Idiom, Clause, "^ (?:adios|chau|hasta nunca) (?:a )?(?:tod[oa]s|vos|tu|ti|amig[oa]s?|gente|equipo|mundo) "),
    gate(Idiom, Clause, " (?:sube|suben|baja|bajan|requiere|requieren) (?:cada|otra vez|much[oa]|siempre|sin parar|demasiado|sol[oa]s?|reiniciar|actualizar|instalar|tiempo|paciencia) "),
    gate(Idiom, Clause, "^ {yo}(?:voy|vamos) al? (?:cine|bar|super|gym|gimnasio|parque|centro|comer|cenar|piscina|la (?:playa|piscina|compra)) "),
    gate(Idiom, Clause, " se me (?:cayo|rompio|derramo|quemo|perdio) (?:el|la|un|una|los|las) (?:cafe|te|vaso|plato|una|tostada|comida|arroz|leche|agua|lapiz|boli|taza|cena|pan|media|conexion|hilo) "),
    gate(Idiom, Clause, "^ {yo}(?:no )?(?:(?:me|nos) [a-z]+(?: [a-z]+)? (?:est[aeo]s?|es[aeo]s?) (?:[a-z]+ )?$|me da[n]? [a-z]+ que (?:se|me|lo|la|no|te) |(?:odio|adoro|detesto|amo) (?:cuando|que) (?:pasa|hace|hacen|sale) (?:esto|eso) |paso de (?:discutir|todo|ti|vos|ellos|ellas|el|ella|eso|esto) )"),
    gate(Idiom, Clause, "^ {yo}(?:trabajo en (?:ello|eso|esto)|(?:mido|peso) (?:est[aeo]s?|es[aeo]s?|los|las)|somos [a-z0-9]+ (?:para [a-z]+r|en (?:la|el) (?:cola|llamada|reunion|coche))) "),
    gate(Idiom, Clause, "^ (?:mis?|nuestr[oa]s?) [a-z]+ (?:esta[n]? (?:en el taller|hech[oa]s?|fatal|lent[oa]s?|vaci[oa]s?|llen[oa]s?|suci[oa]s?|mal|bien|rar[oa]s?|que|enfadad[oa]s?|dormid[oa]s?|cansad[oa]s?|malit[oa]s?)|(?:es|son) un[ao]? (?:infierno|caos|desastre|mierda|locura|asco|horno|rollo|tortura|jungla)|no (?:funciona|enciende|arranca|carga|responde|abre)[n]?|tiene[n]? (?:fiebre|sueno|hambre|tos|frio|sed|miedo|razon|prisa|ganas|mocos|un examen)) "),
    gate(Idiom, Clause, "^ en (?:el |la |mi )?[a-z]+ todo (?:bien|mal|igual|tranquilo|ok|genial|perfecto|en orden|fatal) "),
    gate(Command, Clause, "(?:^| )(?:est[aeo]s?|es[aeo]s?) (?:texto|pregunta|ejercicio|bug|error|calor|funcion|codigo|problema|frase|archivo|tema|parrafo|linea|boton|frio|dolor|ruido|lluvia|version|idea) $"),
    gate(Command, Clause, " (?:en|de) la (?:linea|pagina|columna|fila|seccion|diapositiva) [0-9]+ "),
    gate(Command, Clause, "^ {por}(?:explica|explicame|resume|resumeme|cuentame|contame) (?:[a-z]+ ){0,4}(?:como (?:instalar|hacer|usar|funciona|configurar)[a-z]*|que (?:es|son|significa)) "),
    gate(Command, Clause, "^ {por}us[ae] (?:un|una) [a-z]+ para [a-z]+r "),
    gate(Idiom, Clause, "^ {yo}(?:no )?(?:me|nos) [a-z]+ [^,]*ahora mismo $"),
    gate(Idiom, Clause, "^ {yo}(?:no (?:aguanto mas|me gusta nada|tomo nada|me digas (?:mas|nada|que|eso)) (?:$|, )|me sobra[n]? (?:un|una|[0-9]+|dos|tres|cuatro) |me [a-z]+ saberlo |prefiero (?:no [a-z]+rl[oa]s?|[a-z]+rl[oa]s?|que (?:sigas|lo|la|me l[oa]|te)|esperar) )"),
    gate(Idiom, Clause, "^ {yo}soy (?:nuev[oa] (?:en esto|aqui|por aqui)|incapaz|de l[oa]s que se|muy consciente) "),
    gate(Idiom, Clause, "^ {yo}(?:siempre )?me (?:lio|pierdo|enredo) con "),
    gate(Idiom, Clause, "^ mis? {kin} (?:es|son) (?:muy |un poco |tan |super |mas |re |bastante )*(?:pesad|tont|list|maj|guap|mal|buen|lent|rar|idiota|insoportable|genial|increible|adorable|un amor|un sol|un caso)"),
    gate(Idiom, Clause, "^ {yo}(?:estoy|estamos) (?:en segundo plano|(?:trabajando|estudiando) (?:en |para )?(?:un|una|el|la|este|esta) (?:script|informe|presentacion|texto|codigo|ejercicio|funcion|archivo|examen|redaccion)) "),
    gate(Idiom, Clause, "^ {yo}no (?:veo|leo) (?:bien )?(?:(?:el|la|los|las) (?:boton|letra|enlace|menu|error|archivo|opcion|diferencia|problema|sentido|momento|pantalla|imagen|foto)|nada|por que|como|donde) "),
    gate(Idiom, Clause, "(?: hay (?:un|una|algun|otro) (?:error|bug|problema|fallo|lio)|^ (?:el|la|los|las) [a-z]+ (?:estan? en (?:mantenimiento|silencio|obras|blanco|marcha|camino|espera|proceso|peligro)|van? (?:con retraso|lent[oa]s?|mal|bien|fatal|regular)|tienen? [0-9]+ (?:ramas|errores|warnings|bugs|estrellas|commits|paginas|visitas))) "),
    gate(Idiom, Clause, "^ {yo}(?:nos vamos a (?:[a-z]+r|la (?:playa|cama|calle|compra|ducha)) $|(?:me quedo|nos quedamos) con (?:las ganas|la duda|hambre|sueno|frio) |seguimos (?:de pie|viv[oa]s|aqui|igual|esperando|sin (?:noticias|luz|agua|novedades|respuesta|saber)) |ponemos la mesa |[a-z]+mos (?:[^,]* )?por hoy $|haremos lo que (?:podamos|se pueda) |iremos (?:a ver|viendo) |subimos a las )"),
    gate(Idiom, Clause, " (?:compre|compramos|comprado) (?:el pan|la cena|pan|leche|fruta|comida|huevos|algo|nada|un[oa]s (?:calcetines|camisetas|cosas)) "),
    gate(Idiom, Clause, " (?:perdi|perdimos|perdido) (?:el (?:bus|autobus|metro|hilo|tiempo|boli|ritmo)|tiempo|la (?:cuenta|paciencia|cabeza)|las ganas) "),
    gate(Idiom, Clause, " (?:(?:elegi|elegimos|escogimos) (?:mal|bien|fatal|el peor|la peor|el mejor|la mejor)|la decision (?:es|fue) (?:mal|buen|dificil|facil|un)[a-z]*|decidid[oa]s? a |esta decidid[oa] (?:el|la) |aprobad[oa] (?:por los pelos|con) |antes muert[oa] que ) ?"),
    gate(Other, Clause, "^ (?:el|la|los|las) (?:partido|tren|bus|metro|liga|gobierno|ministr[oa]|alcalde|pelicula|peli|serie|cancion|gasolina|policia|concierto) (?:se |sera |sale |dura |cuesta |vale |sube |baja |decidi|aprob|anunci|va a |pasa |acaba |empieza )"),
    gate(Idiom, Clause, "^ (?:sin|con) [a-z]+ (?:esta|estaba|sabe|sabia|estaria) "),
    gate(Idiom, Clause, " (?:lo mio es (?:grave|muy|un)|lo que (?:mas|menos|peor) me (?:preocupa|duele|cuesta|falta|sorprende)|estaba[n]? (?:muy )?(?:fri|ric|buen|mal|lent|caliente)[a-z]*) "),
    gate(Hypothetical, Rest, "^ si (?:llueve|nieva|hace (?:[a-z]+ )?(?:tiempo|frio|calor|sol)|gana|ganan|ganamos|pierde|perdemos|aprueba|apruebo|suspendo|me toca) "),
];
