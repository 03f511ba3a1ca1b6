//! Finds requests to forget something: "forget that I …", "delete my address".

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::remembering::remembered;
use super::{CLAUSE_VERBS, SPEAKER, begins_clause, filled, is_polite, replaced};
use crate::latin::simplified;
use crate::page::Sentence;

/// Words before a request to forget.
const BEFORE_FORGET: &str = r"(?: (?:please|pls|plz|ok|okay|and|also|hey|hi|oh|sorry|actually|just|bitte|und|por favor|porfa|y|stp|svp|s'il te plait|s'il vous plait|et|per favore|e|пожалуиста))*(?: ,)? ";
/// Verbs that ask to forget, each with a word like "please" and the memory after it. `{forget}`, `{vergiss}`, `{olvida}` and
/// `{oublie}` stand for them in patterns.
const ENGLISH_FORGET: &str = r"(?:{english}|you can )?(?:forget|delete|erase|remove|drop)(?: from (?:your|the) memory)?(?:(?: ,)? please(?: ,)?)?";
const GERMAN_FORGET: &str = concat!(
    r"(?:vergiss|vergesst|lösche?|loesche?|streiche?|entferne?|(?:vergessen|löschen|loeschen|streichen|entfernen) sie)",
    r"(?:(?: ,)? bitte(?: ,)?| mal| wieder)*(?: aus (?:deinem|ihrem|dem) gedächtnis)?",
);
const SPANISH_FORGET: &str = concat!(
    r"(?:olvid(?:a|e|ate de|ese de)|borr[ae]|elimin[ae]|quit[ae]|dej[ae] de recordar|{spanish}(?:olvidar|borrar|eliminar|quitar))",
    r"(?:(?: ,)? (?:por favor|porfa)(?: ,)?)?(?: de (?:tu|la|su) memoria)?(?:(?: ,)? (?:por favor|porfa)(?: ,)?)?",
);
const FRENCH_FORGET: &str = concat!(
    r"(?:(?:oubli|effac|supprim|enlev|retir)e(?:z)?|arrete(?:z)? de (?:retenir|te souvenir|vous souvenir)|{french}(?:oublier|effacer|supprimer))",
    r"(?:(?: ,)? (?:stp|svp|s'il (?:te|vous) plait)(?: ,)?)?(?: de (?:ta|votre|la) memoire)?(?:(?: ,)? (?:stp|svp|s'il (?:te|vous) plait)(?: ,)?)?",
);
/// How a sentence asks to forget something, at its start or after a mark.
const FORGET: &str = concat!(
    r"(?:^(?: no ,)?|[,:-]){before}(?:",
    // Whether a clause follows is examined afterwards: names are no fixed words.
    r"(?:{english}|you can )?forget (?:(?:that )?i (?:ever )?(?:told you|said|mentioned)(?: that)? (?:i|my|we)|the fact (?:i|my|we)|where (?:i|we|my)|(?:i|my) (?:have|am|live|work|take|was|like)|(?:i'm|i've)) ",
    r"|(?:{forget}(?: the (?:fact|entry|note))?|don't remember|stop remembering(?: the fact)?|(?:you )?(?:don't|do not|dont) (?:need|have) to remember) that ",
    r"|{vergiss}(?: (?:die (?:info|information|tatsache|notiz|sache)|den (?:eintrag|fakt|hinweis)))?(?: ,)? dass (?:ich dir (?:gesagt|erzählt) habe(?: ,)? dass )?",
    r"|{vergiss}(?: ,)? wo (?:ich|wir|(?:mein|unser)(?:e[nrms]?)?) |{olvida} donde (?:vivo|vivimos|trabajo|trabajamos) |{oublie} ou (?:j'|(?:je|nous|mon|ma|mes) )",
    r"|(?:{german}|du (?:kannst|sollst) (?:ruhig |bitte )?)(?:vergessen|löschen)(?: ,)? dass |ich (?:möchte|will|hätte gern)(?: ,)? dass (?:du|sie) (?:vergisst|vergessen)(?: ,)? dass ",
    r"|{olvida}(?: de)?(?: (?:el (?:dato|hecho) de|la nota de))? que (?:te (?:dije|conte) que )?|(?:quiero|necesito|me gustaria) que (?:olvides|borres|elimines) que ",
    r"|{oublie} (?:le fait )?(?:que je t'ai dit )?(?:que |qu')|je (?:veux|voudrais|aimerais) que (?:tu oublies|vous oubliiez) (?:que |qu')",
    r"|(?:forget (?:this|that|the following)|vergiss(?: bitte)? (?:das|dies|folgendes)|olvida (?:esto|eso|lo siguiente)|oublie (?:ca|cela|ceci|ce qui suit)) : ",
    r"|(?:{forget} (?:this|that) from (?:your|the) memory|{vergiss} (?:das|dies) aus (?:deinem|dem) gedächtnis|{olvida} (?:esto|eso) de (?:tu|la) memoria|{oublie} (?:ca|cela|ceci) de (?:ta|la) memoire) : ",
    r"|erinnere? dich(?: bitte)? nicht mehr(?: daran)?(?: ,)? dass |ya no (?:recuerdes|te acuerdes de) que |ne (?:retiens|retenez|te souviens) plus (?:que |qu')",
    r"|(?:esquece|esqueca|apaga) que |quero que (?:esquecas|esqueca) que |(?:dimentica|cancella) che |voglio che (?:tu )?dimentichi che",
    r"|(?:забудь|забудьте)(?: ,)? что )",
);
/// How a sentence does so after what it asks to remember.
const AND_FORGET: &str = r" (?:,|,? ?(?:and|but|und|aber|y|pero|et|mais))(?: (?:please|bitte|por favor|stp|svp))? (?:{forget} that |{vergiss}(?: ,)? dass |{olvida} que |{oublie} (?:que |qu'))";
/// How a sentence asks to forget a matter that it names: "forget what I said about my job", "forget my phone number".
/// A possessive at its end belongs to the matter.
const FORGET_MATTER: &str = concat!(
    r"^{before}(?:",
    r"(?:{english}|you can )?(?:forget|delete|erase) (?:(?:everything|all|anything|whatever|what)(?: that)? )?(?:(?:i|i've|we|you)(?: (?:ever|just|have))* (?:said|told you|mentioned|wrote|know|remember|stored|saved|decided|agreed|discussed) )?about ",
    r"|(?:{english}|you can )?(?:forget|delete|erase) (?:the|our|my|that|this) decision (?:about|on|for|regarding|concerning|to use|to) (?:the )?",
    r"|{vergiss} (?:die|unsere|meine) entscheidung (?:über|ueber|zum|zur|zu|für|gegen|mit)(?: (?:der|dem|den|das|die))? ",
    r"|{olvida} (?:lo que (?:hemos decidido|decidimos|acordamos) (?:sobre|acerca de|de)|(?:la|nuestra|mi) decision (?:sobre|acerca de|de(?: usar)?)) |{oublie} (?:ce qu'on a decide (?:sur|pour|a propos de) |(?:la|notre|ma) decision (?:(?:sur|pour|a propos de|concernant|d'utiliser|de) |d'))",
    r"|(?:{english}|you can )?forget (?:that )?i(?: (?:ever|just|have))* (?:mentioned|brought up|said anything about|told you (?:anything )?about) ",
    r"|(?:(?:{english}|you can )?(?:forget|delete|erase)|(?:don't|do not|dont) remember) (?:(?:my|our) )",
    r"|(?:{english}|you can )?(?:forget|delete|erase|remove|drop) from (?:your|the) memory (?:the )?",
    r"|(?:{english}|you can )?(?:delete|erase|remove) the ",
    r"|(?:{english}|you can )?(?:forget|scratch|strike) (?:the (?:(?:thing|bit|part|stuff|business) (?:about|with|of) (?:the )?)?|that (?:thing|bit|part|stuff|business) (?:about|with|of) (?:the )?)",
    r"|(?:please |pls )(?:remove|unlearn) (?:my|our) |(?:{english}|you can )(?:remove|unlearn) (?:my|our) |unlearn (?:my|our) ",
    r"|(?:i don't|i do not|i dont) want you to (?:remember|know|keep) (?:my|our) |you (?:don't|do not|dont) (?:need|have) to (?:remember|know|keep) (?:my|our) ",
    r"|{vergiss} (?:das|die sache|die geschichte) mit (?:der |dem |den |meine[rmn]? )?|{vergiss} (?:(?:mein|unser)(?:e[nrms]?)? )",
    r"|{vergiss}(?: alles)? (?:über|ueber|zu) |{vergiss}(?: alles| das)?(?: ,)? was (?:du|ich) (?:dir |ihnen )?(?:je |jemals )?(?:über|ueber|zu|von) ",
    r"|{german}(?:bitte )?(?:mein|unser)(?:e[nrms]?)? |(?:du sollst|du kannst)(?: bitte| ruhig)? (?:mein|unser)(?:e[nrms]?)? ",
    r"|ich (?:möchte|will|hätte gern)(?: ,)? dass (?:du|sie) (?:bitte )?(?:mein|unser)(?:e[nrms]?)? ",
    r"|{olvida} lo (?:del |de (?:l[aos]s? |el |mi )?)|{olvida} (?:(?:mis?|nuestr[oa]s?) )",
    r"|{olvida} (?:(?:todo )?lo que (?:(?:te |yo )*(?:dije|conte|he dicho|he contado|mencione)|sabes|recuerdas) (?:sobre|acerca de|de) |todo (?:sobre|acerca de|de) |(?:sobre|acerca de) )",
    r"|(?:quiero|necesito|me gustaria) que (?:olvides|borres|elimines) (?:mis?|nuestr[oa]s?) ",
    r"|(?:oublie|oubliez) (?:l'histoire|le truc|ce truc) (?:de|du|des|avec) (?:la |le |les )?|{oublie} (?:(?:mon|ma|mes|notre|nos) )",
    r"|{oublie} (?:(?:tout )?ce que (?:je t'ai (?:dit|raconte)|j'ai dit|je vous ai dit|tu sais|vous savez) (?:sur|a propos de|de) |tout (?:sur|a propos de) |(?:sur|a propos de) )",
    r"|je (?:veux|voudrais|aimerais) que (?:tu oublies|tu effaces|vous oubliiez) (?:mon|ma|mes|notre|nos) ",
    r"|(?:pode|podes|podia|poderia)(?: (?:por favor|se faz favor))? (?:esquecer|apagar) (?:[oa]s? )?(?:meus?|minhas?) |(?:puoi|potresti)(?: per favore)? (?:dimenticare|cancellare) (?:il mio|la mia|i miei|le mie) ",
    r"|(?:забудь|забудьте) (?:про |о )?(?:(?:мои|мою|моего|моеи|мое) )",
    r"|(?:dimentica|cancella) (?:(?:il mio|la mia|i miei|le mie) )|(?:esquece|esqueca|apaga) (?:[oa]s? )?(?:(?:meu|minha|meus|minhas) )",
    r"|{vergiss} (?:den|die|das|dem) |{olvida} (?:el|la|los|las) |{oublie} (?:(?:le|la|les) |l')",
    // A name follows, with a capital letter.
    r"|(?P<verb>(?:{english}|you can )?(?:forget|delete|erase) |{vergiss} |{olvida} (?:a )?|{oublie} ))",
);
/// How a sentence asks to remove a matter from the memory: "delete the nut allergy from your memory".
const REMOVE_MATTER: &str = r"^{before}(?:{english}|you can )?(?:delete|erase|remove|drop|forget) (?:(?:the|that) )?(.{3,60}) from (?:your |the )?memory(?: (?:please|pls|again))? $";
/// How a sentence begins that asks to forget, whatever it names. Other verbs delete what is no memory.
const FORGET_ANYTHING: &str = concat!(
    r"^{before}(?:(?:{english}|you can )?forget|vergiss|vergesst|vergessen sie|olvid(?:a|e|ate|ese)|oublie(?:z)?|dimentica|esque[cç]a|esquece|забудь(?:те)?",
    r"|{forget} (?:that|from (?:your|the) memory)|{vergiss}(?: ,)? dass|{olvida} que|{oublie} (?:que|qu'[^ ]+)",
    r"|[^ ]+ (?:aus (?:deinem|dem) gedächtnis|de (?:tu|la|ta) (?:memoria|memoire)))(?: |$)",
);
/// How a sentence begins that asks to delete something, which may be no memory.
const DELETE: &str = concat!(
    r"^{before}(?:(?:{english}|you can )?(?:delete|erase|remove|drop)|(?:lösch|loesch|streich|entfern)(?:e|en sie)?|(?:borr|elimin|quit)[ae]",
    r"|(?:effac|supprim|enlev|retir)e(?:z)?) ",
);
/// Words that make no request of it: "vergiss nicht", "olvida tomar su medicación".
const NO_REQUEST: &str = " (?:nicht|nie|niemals|pas|plus|jamais|olvida (?:siempre |a menudo )?[a-z]+[aei]r(?:l[aeo]s?|se)?|oublie (?:souvent |toujours )?de) ";
/// How a sentence asks to forget what was said just before: "forget what I just said".
const FORGET_LAST: &str = concat!(
    r"(?:^|[,-]){before}(?:",
    r"(?:{english}|you can )?(?:(?:forget|scratch|strike) (?:that|this)|(?:delete|erase) (?:that|this)(?: please)? from (?:your|the) memory|(?:forget|delete|erase) (?:(?:what|the thing) i(?:'ve)? (?:just )?(?:said|told you|wrote|mentioned)|(?:everything|all(?: that)?) i(?:'ve)? just (?:said|told you|wrote|mentioned))|forget i (?:ever )?(?:said|told you|mentioned) (?:that|this|anything|it)",
    r"|(?:forget|scratch) (?:that|this|the|my) (?:last|previous) (?:message|statement|remark|thing))",
    r"|(?:vergiss|lösch|lösche|vergessen sie)(?: bitte)? das|(?:vergiss|lösch|lösche)(?: bitte)?(?: alles| das)?(?: ,)? was ich (?:dir )?(?:gerade|eben|vorhin) (?:gesagt|geschrieben|erzählt) habe?",
    r"|(?:vergiss|lösch|lösche)(?: bitte)?(?: das)?(?: ,)? was ich (?:dir )?(?:gesagt|geschrieben|erzählt) habe?",
    r"|(?:vergiss|vergessen sie)(?: bitte)? (?:die|meine) (?:letzte|vorige) (?:nachricht|aussage|bemerkung)",
    r"|olvid[ae] (?:el|mi|ese|este) (?:ultimo mensaje|mensaje anterior)|(?:oublie|oubliez) (?:le|mon|ce) (?:dernier message|message precedent)",
    r"|(?:olvida|borra|olvide|borre) (?:eso|esto)|{olvida} lo que (?:te )?(?:acabo de (?:decir|contar|escribir)|dije|he dicho)",
    r"|(?:oublie|oubliez|efface|effacez) (?:ca|cela)|{oublie} ce que (?:je viens de (?:dire|te dire|t'ecrire|raconter)|j'ai dit|je t'ai dit)",
    r"|(?:dimentica|cancella) (?:questo|(?:quello|cio) che (?:ho|ti ho) (?:appena )?(?:detto|scritto))",
    r"|(?:esquece|esqueca|apaga) (?:isso|isto|o que (?:eu )?(?:acabei de (?:dizer|escrever)|disse))",
    r"|(?:забудь|забудьте) (?:это|(?:, )?что я (?:только что |сеичас )?(?:сказал|сказала|написал|написала)))",
    r"(?:(?: ,)? (?:please|pls|again|now|right away|just now|before|earlier|bitte|gleich|sofort|wieder|mal|por favor|porfa|antes|ya|stp|svp|tout de suite|per favore|пожалуиста|from (?:your|the) memory))* $",
);
const HAN_FORGET_LAST: &str = "^ ?(?:今|さっき|先ほど|いま)(?:言った|話した|書いた)(?:こと|話|の|やつ)は?(?:もう)?(?:忘れて|削除して|消して)(?:ください|下さい|ね|くれ)* ?$|^ ?(?:请|你|帮我|麻烦|把)*(?:忘了|忘掉|忘记|删掉|删除)(?:我)?(?:刚才|刚刚|之前|上面)(?:说|讲|写|告诉你)的(?:话|那些话?|内容|东西)?(?:吧|了)? ?$";
/// How a sentence asks to forget all that its speaker ever said. "Forget everything" alone is as often an idiom.
const FORGET_ALL: &str = concat!(
    r"^{before}(?:",
    r"(?:{english}|you can )?(?:forget|delete|erase|remove) (?:everything|all(?: that)?|anything) (?:i(?:'ve)? (?:ever )?(?:said|told you|mentioned)|you(?:'ve)? (?:have )?(?:ever )?(?:know|remember|have|learned|saved|stored|recorded|noted|kept|collected)(?: about (?:me|us))?|about (?:me|us))",
    r"|(?:{english}|you can )?(?:forget|delete|erase|remove|clear|wipe) (?:all (?:of )?)(?:my|our) (?:personal )?(?:data|memories|information|info)",
    r"|{vergiss} alles(?: ,)? (?:was (?:ich (?:dir |ihnen )?(?:je |jemals |heute )?(?:gesagt|erzählt|geschrieben) habe?|(?:du|sie) (?:über|von) mi(?:ch|r) (?:weißt|weisst|wissen|gespeichert hast|gespeichert haben))|über mich)",
    r"|{vergiss} alle (?:meine|unsere) (?:persönlichen )?(?:daten|erinnerungen|informationen)",
    r"|{olvida} todo (?:lo que (?:te )?(?:dije|he dicho|conte|he contado)|lo que (?:sabes|has guardado|guardaste|tienes(?: guardado)?) (?:de|sobre) mi|(?:sobre|de) mi)",
    r"|{olvida} tod[oa]s (?:mis|nuestros|nuestras) (?:datos|recuerdos|informaciones)(?: personales)?",
    r"|{oublie} tout(?: ce)? (?:que (?:je t'ai dit|j'ai dit|je vous ai dit|je t'ai raconte|(?:tu sais|tu as (?:enregistre|garde|retenu|stocke)) (?:sur|de) moi)|sur moi)",
    r"|{oublie} tou(?:te)?s (?:mes|nos) (?:donnees|souvenirs|informations)(?: personnelles)?",
    r"|(?:dimentica|cancella) tutto (?:quello |cio )?(?:che (?:ti ho detto|ho detto|sai (?:di|su) me)|su di me)",
    r"|(?:esquece|esqueca|apaga) tudo (?:o que (?:eu )?(?:te )?(?:disse|contei)|o que sabes (?:de|sobre) mim|sobre mim)",
    r"|(?:забудь|забудьте) все(?: ,)? (?:что я (?:тебе |вам )?(?:говорил|говорила|сказал|сказала|рассказывал|рассказывала)|что ты знаешь обо мне|обо мне))",
    r"(?:(?: ,)? (?:please|pls|so far|before|today|heute|hoy|aujourd'hui|oggi|hoje|сегодня|bitte|por favor|stp|svp|per favore|пожалуиста|from (?:your|the) memory))* $",
);
const HAN_FORGET_ALL: &str = "^ ?(?:私|僕|俺)(?:について|に関する|のこと|が(?:言った|話した)こと)(?:の情報|のこと)?(?:は|を)?(?:全部|すべて|全て)(?:忘れて|削除して|消して)(?:ください|下さい|ね|くれ)* ?$|^ ?(?:请|你|帮我|麻烦|把)*(?:忘了|忘掉|忘记|删掉|删除)(?:所有|一切|全部)?(?:我(?:跟你|对你|告诉你?)?(?:说过?|讲过?|告诉你)?的?(?:一切|所有事?|全部)|关于我的(?:一切|所有|全部).{0,3}|我(?:说过|告诉你)的所有.{0,3}) ?$";
/// Words after such a request that say what holds instead, or that it never held. Others make an idiom of it: "forget my
/// diet, it's Christmas!".
const INSTEAD: &str = concat!(
    r" (?:now|new|no longer|not (?:true|right|correct)|wrong|mistake|changed|outdated|instead|never|negative|jetzt|neue?[rsn]?|falsch|fehler|irrtum|stimmt nicht",
    r"|nicht mehr|negativ|ahora|nuev[oa]|ya no|error|falso|negativo|maintenant|private|personal|confidential|secret|sensitive|none of your business|privat|persönlich|geheim|vertraulich|geht (?:dich|niemanden) nichts an|privad[oa]|confidencial|secreto|prive|privee|personnel|confidentiel|nouve(?:au|lle)|faux|erreur|n'est plus|negatif) ",
);
/// Parts of the verbs of such a request. A "t" ends "don't", "dont" and "not": who asks to remember something asks to forget
/// nothing.
#[rustfmt::skip]
const FORGET_STEMS: &[&str] = &[
    "forget", "delete", "erase", "remove", "unlearn", "drop", "scratch", "strike", "clear all", "wipe all", "t remember", "stop remember",
    "t want you to", "t need to", "t have to", "vergiss", "vergess", "lösch", "loesch", "entfern", "streich", "erinner dich", "erinnere dich",
    "olvid", "borr", "elimin", "quita", "quite mi", "recordar", "recuerdes", "acuerdes", "memoria", "oubli", "effac", "supprim",
    "enlev", "retire ", "retirez ", "memoire", "retenir", "retiens", "retenez", "souvenir", "souviens", "забудь", "dimentic", "cancell",
    "esquec", "apaga",
];
/// Beginnings of words for illnesses. Nobody says "forget my allergy" as an idiom, and "delete the allergy" means no file.
const ILLNESSES: &str = r"(?:^|[ '])(?:[a-zäöü]+-?)?(?:allerg|alerg|epilep|diabet|asthma|asma|diagnos|illness|disease|krankheit|enfermedad|maladie|pregnan|schwanger|embaraz|grossesse|medicat|medikament)";
/// Possessives before a matter, which belong to it.
const POSSESSIVES: &str = r" (?:my|our|(?:mein|unser)(?:e[nrms]?)?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos|il mio|la mia|i miei|le mie|meus?|minhas?|мои|мою|моего|моеи|мое) $";
/// Words after a matter that do not belong to it.
static AFTER_MATTER: LazyLock<Regex> = LazyLock::new(|| {
    simplified(concat!(
        r"(?:(?: ,)? (?:please|pls|thanks|yesterday|earlier|gestern|ayer|hier|again|for good|completely|now|ok|okay|bitte|wieder|por favor|vale|stp|svp|s'il te plait|d'accord",
        r"|from (?:your|the) memory|aus (?:deinem|dem) gedächtnis|de (?:tu|la) memoria|de (?:ta|la) memoire|dalla (?:tua )?memoria|da (?:tua )?memoria",
        r"|(?:gesagt|erzählt|geschrieben|erwähnt)(?: habe?| hatte)?|weißt|weisst|vergessen|vergisst|löschen|löschst|any ?more|any longer))+ $",
    ))
});
/// Matters that are no memories: "forget about it", "forget my last question". And a denial of the request: "vergiss meinen
/// Geburtstag nicht".
const NO_MATTER: &str = concat!(
    r"^ ?(?:it|that|this|these|those|me|what|which|das|es|mich|nicht|nie|niemals|eso|esto|ca|cela|pas) |^ (?:my|our|meine?[nrs]?|mis?|mon|ma|mes) ",
    r"(?:(?:last|previous|earlier|other|first|letzten?|vorige[nr]?|ultim[oa]|derniere?) )?(?:question|request|message|instructions?|prompt|answer|idea|suggestion|remark|mistake|bad|frage|nachricht|idee|pregunta|mensaje|idea) ",
    // "Vergiss meine Allergie bloß nicht wieder, bitte": all up to the first mark.
    r"|^(?:[^,:-]|[^ ]-)* (?:nicht|nie|niemals) ",
);
/// Things that are deleted, rather than forgotten: "delete my branch".
const THINGS: &str = concat!(
    r" (?:branch(?:es)?|files?|folders?|director(?:y|ies)|repo|repository|account|code|database|tables?|containers?|commits?|tests?",
    r"|functions?|drafts?|cache|alarms?|reminders?|timers?|contacts?|playlists?|apps?|bookings?|subscriptions?|images?|photos?|posts?|comments?|e?-?mails|messages?|events?|tasks?|notes|konto|datei(?:en)?|ordner",
    r"|nachrichten?|kommentare?|cuenta|archivos?|mensajes?|comentarios?|compte|fichiers?|commentaires?) ",
);
const HAN_FORGETS: &str = "(?:忘了|忘掉|忘记|删掉|删除)";
/// Words at the end of what is to be forgotten in Chinese.
const HAN_TAIL: &str = "(?:(?:的)?(?:这件事|这个|事情|事|信息|记忆)|吗|吧|了| )*$";

/// Words of a request to forget all that was said about a matter.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    " about ", " thing ", " stuff ", " über ", " ueber ", " zu ", " von ", " mit ", " sobre ", " acerca de ", " lo de ", " lo del ", " sur ", " a propos de ",
    " histoire ", " truc ", " lo que ", " ce que ", " ce qu'", " todo de ", " decision ", " entscheidung ",
];
/// Verbs that delete what is no memory, too: "delete the third paragraph".
#[rustfmt::skip]
const DELETING: &[&str] = &[
    "delete", "erase", "remove", "drop", "lösch", "loesch", "streich", "entfern", "borr", "elimin", "quit", "effac", "supprim", "enlev",
    "retir",
];
/// Parts of the words for the memory.
const MEMORY: &[&str] = &[" memor", " memoir", " gedächtnis"];
/// Words for "please" in a request.
const PLEASE: [&str; 6] = [" please ", " pls ", " bitte ", " por favor ", " stp ", " per favore "];
/// The maximum number of words before a request after a comma, unless it says "please".
const WORDS_BEFORE: usize = 2;

/// Compiles a pattern of a request to forget.
fn compiled(source: &str) -> Regex {
    let parts = [
        ("{before}", BEFORE_FORGET),
        ("{forget}", ENGLISH_FORGET),
        ("{vergiss}", GERMAN_FORGET),
        ("{olvida}", SPANISH_FORGET),
        ("{oublie}", FRENCH_FORGET),
    ];
    simplified(&filled(&replaced(source, &parts)))
}

/// Returns whether a sentence may ask to forget: the patterns are long, and compiled only for one that does.
fn may_forget(text: &str) -> bool {
    FORGET_STEMS.iter().any(|stem| text.contains(stem))
}

/// Returns whether a sentence is a question, and not a request with "ok?" at its end.
fn is_question(sentence: &Sentence) -> bool {
    const TAGS: [&str; 8] =
        [" , ok ", " , okay ", " , ja ", " , vale ", " , si ", " , d'accord ", " , please ", " , bitte "];
    sentence.asked && !TAGS.iter().any(|tag| sentence.text().ends_with(tag))
}

/// Returns whether the verb of a request to forget is in the past tense, which only its accent tells in folded text: "olvidé
/// que …", "oublié mon rendez-vous".
fn is_past(message: &str, sentence: &Sentence, request: &Range<usize>) -> bool {
    let request = message[sentence.place(request)].to_lowercase();
    request.split(|c: char| !c.is_alphabetic()).any(|word| {
        let is_verb = [
            "olvid", "borr", "elimin", "quit", "dej", "oubli", "effac", "supprim", "enlev", "retir", "arret",
        ]
        .iter()
        .any(|stem| word.starts_with(stem));
        is_verb && (word.ends_with('é') || word.ends_with("e\u{301}") || word.ends_with("ée"))
    })
}

/// Returns the part of a folded sentence that the speaker asks to forget; `None` if there is no such request.
pub(crate) fn forgotten(message: &str, sentence: &Sentence) -> Option<Range<usize>> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET));
    let text = sentence.text();
    if let Some(range) = forgotten_han(sentence) {
        return Some(range);
    }
    if !may_forget(text) {
        return None;
    }
    let found = LATIN.find(text)?;
    if is_question(sentence) && !is_polite(found.as_str()) || is_past(message, sentence, &found.range()) {
        return None;
    }
    // In Romance languages the third person is like the request: "mi marido nunca me escucha, olvida que soy celíaca".
    let before = text[..found.start()].split(' ').filter(|word| word.contains(char::is_alphanumeric)).count();
    if before > WORDS_BEFORE && !PLEASE.iter().any(|please| found.as_str().contains(please)) {
        return None;
    }
    // The subject belongs to what is forgotten.
    let last = found.as_str().trim_end().rsplit(' ').next().unwrap_or_default();
    let is_subject = !matches!(last, "that" | "dass" | "que" | "qu'" | "che" | "что" | ":");
    if last == "that" && !begins_clause(&text[found.end()..]) {
        return None;
    }
    let start = found.end() - if is_subject { last.len() + 1 } else { 0 };
    let end = AFTER_MATTER.find(&text[start..]).map_or(text.len(), |after| start + after.start() + 1);
    let range = start..end.max(start);
    text[range.clone()].contains(char::is_alphanumeric).then_some(range)
}

/// What joins matters, with what the request says again before the second one: "and my phone number", "and about the nuts",
/// "y lo del gestor". A possessive belongs to the matter.
const MATTER_JOINTS: &str = concat!(
    r" (?:,|(?:, )?(?P<and>and|und|y|et|e|и))(?: also)?(?: (?:about|über|ueber|sobre|sur|lo de))?",
    r"(?: (?:about|über|ueber|sobre|sur|lo del|the|der|die|das|den|dem|el|la|los|las|le|les) |(?P<own> (?:my|our|(?:mein|unser)(?:e[nrms]?)?|mis?|nuestr[oa]s?",
    r"|mon|ma|mes|notre|nos|il mio|la mia|i miei|le mie|(?:[oa]s? )?(?:meus?|minhas?)|мои|мою|моего|моеи|мое) ))",
);
static MATTER_JOINT: LazyLock<Regex> = LazyLock::new(|| simplified(MATTER_JOINTS));
/// What joins two statements: a statement follows if its first words begin one, or if it shares the subject of the first
/// ([`shared_subject`]).
const STATEMENT_JOINTS: &str = concat!(
    r"(?: ,)? (?:and|und|y|et|e|и)(?: (?:that|dass|que|che|что))?",
    r"(?P<own> (?:(?:i|i'm|i've|we|we're|we've|ich|wir|yo|soy|tengo|vivo|trabajo|estoy|je|sono|lavoro|ho|sou|tenho|moro|я) |j'|(?:my|our) (?:[^ ]+ ){1,3}(?:is|are|was|has|have|lives|works) )| )",
);
/// The minimum number of words of a statement before a joint: "live and work in Leeds" is one.
const STATEMENT_WORDS: usize = 3;
/// Verbs of the speaker after a joint: "I live in Leeds and work at Hexagon".
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "am", "are", "was", "were", "have", "had", "live", "lived", "work", "worked", "like", "love", "hate", "prefer", "take", "took",
    "drive", "own", "study", "studied", "teach", "play", "speak", "use", "need", "want", "eat", "drink", "smoke", "go", "went", "run",
    "moved", "grew", "don't", "can't",
];
/// Verbs at the end of a German statement that do not end with "e", and words that do and are none.
const GERMAN_VERBS: &[&str] = &["bin", "mag", "kann", "muss", "will", "darf", "war"];
const NO_GERMAN_VERBS: &[&str] = &["gerne", "heute", "keine", "viele", "beide", "alle"];

/// Returns the subject of a statement if a second one has the same: "I" of "I live in Leeds" before "work at Hexagon", "ich"
/// of "ich in Kiel wohne" before "bei Siemens arbeite", "my wife" of "my wife lives in York" before "works at Hexagon".
fn shared_subject<'t>(first: &'t str, second: &str) -> Option<&'t str> {
    let last_is_verb = |text: &str| {
        text.split_whitespace().next_back().is_some_and(|word| {
            let is_first_person = word.ends_with('e') && word.starts_with(char::is_lowercase);
            GERMAN_VERBS.contains(&word) || is_first_person && !NO_GERMAN_VERBS.contains(&word)
        })
    };
    let subject = first.split(' ').next()?;
    let verb = second.split(' ').next()?;
    match &*subject.to_lowercase() {
        "i" | "we" => VERBS.contains(&verb).then_some(subject),
        "ich" => (last_is_verb(first) && last_is_verb(second)).then_some(subject),
        _ if CLAUSE_VERBS.contains(&verb) => {
            let starts = first.match_indices(' ').map(|(space, _)| space);
            let is_verb = |space: &usize| {
                first[space + 1..].split(' ').next().is_some_and(|word| CLAUSE_VERBS.contains(&word))
            };
            starts.clone().find(is_verb).map(|space| &first[..space])
        }
        _ => None,
    }
}

/// Returns whether a text enumerates matters of the speaker: "my phone number, my address and my email".
fn is_list(text: &str) -> bool {
    MATTER_JOINT.captures_iter(text).filter(|joint| joint.name("own").is_some()).count() > 1
}

/// Returns the position of the first comma in what the speaker asks to forget that does not join its parts: in German, one
/// stands before "und dass".
pub(crate) fn comma_after_parts(text: &str, is_matter: bool) -> Option<usize> {
    static JOINS: LazyLock<Regex> =
        LazyLock::new(|| simplified("^ , (?:and|und|y|et|e|и) (?:that |dass |que |qu'|che |что )"));
    let joins = |rest: &str| match is_matter {
        true => {
            is_list(text)
                || MATTER_JOINT.captures(rest).is_some_and(|joint| {
                    joint.get(0).is_some_and(|joint| joint.start() == 0) && joint.name("and").is_some()
                })
        }
        false => JOINS.is_match(rest),
    };
    text.match_indices(" , ").map(|(comma, _)| comma).find(|comma| !joins(&text[*comma..]))
}

/// Returns the parts of what the speaker asks to forget, in a range of a folded sentence, in the words of the message: "my
/// allergy" and "my medication", "I live in Leeds" and "I work at Hexagon".
pub(crate) fn conjuncts(
    message: &str,
    sentence: &Sentence,
    range: &Range<usize>,
    is_matter: bool,
) -> Vec<String> {
    static STATEMENTS: LazyLock<Regex> = LazyLock::new(|| simplified(STATEMENT_JOINTS));
    let said = |range: Range<usize>| &message[sentence.place(&range)];
    let text = &sentence.text()[..range.end];
    let mut parts: Vec<String> = Vec::new();
    let with_subject = |subject: &str, part: &str| format!("{subject} {part}").trim().to_owned();
    let (mut start, mut at, mut subject) = (range.start, range.start, String::new());
    while let Some(joint) = if is_matter { &MATTER_JOINT } else { &STATEMENTS }.captures_at(text, at) {
        let Some(found) = joint.get(0) else { break };
        at = found.end() - 1;
        let own = joint.name("own").map(|own| own.start());
        let next = own.unwrap_or(at);
        let (first, second) = (with_subject(&subject, said(start..found.start())), said(next..range.end));
        let begins = own.is_some_and(|own| found.end() > own + 1);
        let next_subject = match is_matter || begins {
            true => Some(""),
            false => shared_subject(&first, second),
        };
        let is_whole = is_matter || first.split(' ').count() >= STATEMENT_WORDS;
        let Some(next_subject) = next_subject.filter(|_| is_whole) else { continue };
        if first.is_empty() || second.is_empty() {
            continue;
        }
        subject = next_subject.to_owned();
        parts.push(first);
        start = next;
    }
    parts.push(with_subject(&subject, said(start..range.end)));
    parts
}

/// Returns where in a folded sentence that asks to remember something a request begins to forget something else, and what
/// that is: "remember that I live in York and forget that I live in Leeds".
pub(crate) fn forgotten_after(sentence: &Sentence) -> Option<(usize, Range<usize>)> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(AND_FORGET));
    if !may_forget(sentence.text()) {
        return None;
    }
    let asked = remembered(sentence)?;
    let text = &sentence.text()[asked.clone()];
    let found = may_forget(text).then(|| LATIN.find(text)).flatten()?;
    let named = asked.start + found.end()..asked.end;
    sentence.text()[named.clone()]
        .contains(char::is_alphanumeric)
        .then(|| (asked.start + found.start(), named))
}

/// Returns the same of a sentence in Chinese: "忘记我有癫痫", "把我的癫痫忘掉".
fn forgotten_han(sentence: &Sentence) -> Option<Range<usize>> {
    static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
        simplified(&format!(
            "^ ?(?:(?:请|请你|帮我|麻烦|你?(?:能不能|可不可以|能|可以))+{HAN_FORGETS}|(?:忘掉|忘记|删掉|删除))(我.+)|^ ?忘了(我.+)吧 ?$|^ ?(?:请|请你|帮我|麻烦)*(?:{HAN_FORGETS})([^我你这那了关有刚之把]{{2,8}}(?:对|有|是|在|患|怀|得了|住|不).+)"
        ))
    });
    static AFTER: LazyLock<Regex> = LazyLock::new(|| {
        simplified(&format!("^ ?(?:请|你|帮我|麻烦|能|可以)*把(我.+?){HAN_FORGETS}(?:吧|了|吗)* ?$"))
    });
    static TAIL: LazyLock<Regex> = LazyLock::new(|| simplified(HAN_TAIL));
    let text = sentence.text();
    if !text.contains(['忘', '删']) {
        return None;
    }
    let found = BEFORE.captures(text).or_else(|| AFTER.captures(text))?;
    let named = found.iter().skip(1).flatten().next()?;
    if sentence.asked && !text.contains(['能', '可']) {
        return None;
    }
    let end = TAIL.find(named.as_str()).map_or(named.end(), |tail| named.start() + tail.start());
    Some(named.start()..end)
}

/// Returns whether a folded sentence asks to forget all that its speaker ever said.
pub(crate) fn forgets_all(message: &str, sentence: &Sentence) -> bool {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET_ALL));
    static HAN: LazyLock<Regex> = LazyLock::new(|| simplified(HAN_FORGET_ALL));
    let text = sentence.text();
    may_forget(text)
        && LATIN.find(text).is_some_and(|found| {
            (!is_question(sentence) || is_polite(found.as_str()))
                && !is_past(message, sentence, &found.range())
        })
        || text.contains(['忘', '删', '削', '消']) && !sentence.asked && HAN.is_match(text)
}

/// Returns whether a folded sentence that asks to forget all that its speaker said means the day alone: "forget everything I
/// said today".
pub(crate) fn is_of_today(sentence: &Sentence) -> bool {
    const TODAY: [&str; 7] =
        [" today ", " heute ", " hoy ", " aujourd'hui ", " oggi ", " hoje ", " сегодня "];
    TODAY.iter().any(|today| sentence.text().contains(today))
}

/// Returns where in a folded sentence a request begins to forget what its speaker said just before.
pub(crate) fn forgets_last(message: &str, sentence: &Sentence) -> Option<usize> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET_LAST));
    static HAN: LazyLock<Regex> = LazyLock::new(|| simplified(HAN_FORGET_LAST));
    let text = sentence.text();
    let is_han = text.contains(['忘', '删', '削', '消']) && HAN.is_match(text);
    let latin = || LATIN.find(text).filter(|found| !is_past(message, sentence, &found.range()));
    match may_forget(text) && !is_question(sentence) {
        true => latin().map(|found| found.start()),
        false => None,
    }
    .or_else(|| is_han.then_some(0))
}

/// A matter that the speaker asks to forget.
pub(crate) struct Matter {
    /// Its range in the folded sentence.
    pub(crate) range: Range<usize>,
    /// Whether all that was said about it is meant.
    pub(crate) is_all: bool,
}

/// Returns the matter that the speaker asks to forget, if the sentence names one, and does not ask to forget what they said
/// just before ([`forgets_last`]).
pub(crate) fn matter(message: &str, sentence: &Sentence) -> Option<Matter> {
    static REQUEST: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET_MATTER));
    static POSSESSIVE: LazyLock<Regex> = LazyLock::new(|| simplified(POSSESSIVES));
    static OTHER: LazyLock<Regex> = LazyLock::new(|| simplified(NO_MATTER));
    static REMOVE: LazyLock<Regex> = LazyLock::new(|| compiled(REMOVE_MATTER));
    static ILLNESS: LazyLock<Regex> = LazyLock::new(|| simplified(ILLNESSES));
    let text = sentence.text();
    if let Some(range) = matter_han(text) {
        return Some(Matter { range, is_all: true });
    }
    if !may_forget(text) {
        return None;
    }
    let asked = is_question(sentence);
    if !asked && let Some(named) = REMOVE.captures(text).and_then(|found| found.get(1)) {
        return Some(Matter { range: named.start() - 1..named.end() + 1, is_all: false });
    }
    let captures = REQUEST.captures(text)?;
    let found = captures.get(0)?;
    let request = found.as_str();
    if asked && !is_polite(request) || is_past(message, sentence, &found.range()) {
        return None;
    }
    let elided = usize::from(!request.ends_with('\''));
    let start = POSSESSIVE.find(request).map_or(found.end() - elided, |possessive| possessive.start());
    let after = AFTER_MATTER.find(&text[start..]);
    // "Kannst du meine Adresse löschen?": the verb comes last.
    if !may_forget(request) && !after.is_some_and(|after| may_forget(after.as_str())) {
        return None;
    }
    let end = after.map_or(text.len(), |after| start + after.start() + 1);
    let matter = text.get(start..end)?;
    let is_illness = ILLNESS.is_match(matter);
    let names_all = ABOUT.iter().any(|about| request.contains(about));
    let is_plain =
        !names_all || [" forget about ", " forget about the "].iter().any(|end| request.ends_with(end));
    let rest = &text[found.end()..];
    let next = found.end() + rest.find(' ').map_or(0, |space| space + 1);
    let is_bare = is_plain && !POSSESSIVE.is_match(request) && !POSSESSIVE.is_match(&text[..next]);
    if (is_bare || POSSESSIVE.is_match(request)) && !is_illness && says_other(request, rest, is_bare) {
        return None;
    }
    let is_named = captures.name("verb").is_none() || is_name(message, sentence, found.end());
    let is_all = !is_bare && names_all;
    (matter.contains(char::is_alphanumeric)
        && is_named
        && !deletes_thing(request, text, start, is_bare && !is_illness)
        && !OTHER.is_match(&text[start..]))
    .then_some(Matter { range: start..end, is_all })
}

/// Returns the same of a sentence in Chinese: "忘掉关于小明的一切".
fn matter_han(text: &str) -> Option<Range<usize>> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        simplified(&format!(
            "^ ?(?:请|你|帮我|麻烦)*{HAN_FORGETS}(?:有关|关于)(.{{1,12}}?)的(?:一切|所有|全部|事情?|信息)"
        ))
    });
    let found = text.contains(['忘', '删']).then(|| PATTERN.captures(text)).flatten()?;
    Some(found.get(1)?.range())
}

/// Returns whether what follows a request makes an idiom or an errand of it: "forget my diet, it's Christmas!", "forget the
/// milk, I'll buy it".
fn says_other(request: &str, rest: &str, is_bare: bool) -> bool {
    static NEW: LazyLock<Regex> = LazyLock::new(|| simplified(INSTEAD));
    let Some(comma) = rest.find(" , ") else { return false };
    let after = &rest[comma + 2..];
    let says_please = PLEASE.iter().any(|please| request.contains(please));
    (is_bare || !says_please && !is_list(rest) && !NEW.is_match(after))
        && !AFTER_MATTER.is_match(&format!(" ,{after}"))
}

/// Returns whether the word at a position of a folded sentence is spelled as a name. "I" is none.
fn is_name(message: &str, sentence: &Sentence, at: usize) -> bool {
    let word = sentence.text()[at..].split(' ').next().unwrap_or_default();
    message[sentence.place(&(at..at + word.len()))].starts_with(char::is_uppercase)
        && !SPEAKER.contains(&word)
}

/// Returns whether a request deletes something that is no memory, which begins at `start`: "delete my branch". Without a
/// possessive, it may be anything: "delete the third paragraph".
fn deletes_thing(request: &str, text: &str, start: usize, may_be_any: bool) -> bool {
    static THING: LazyLock<Regex> = LazyLock::new(|| simplified(THINGS));
    DELETING.iter().any(|verb| request.contains(verb))
        && !MEMORY.iter().any(|memory| text.contains(memory))
        && (may_be_any || THING.is_match(&text[start..]))
}

/// Returns whether a folded sentence begins as a request to forget, whatever it names: it states nothing.
pub(crate) fn asks_to_forget(message: &str, sentence: &Sentence) -> bool {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET_ANYTHING));
    static OTHER: LazyLock<Regex> = LazyLock::new(|| simplified(NO_REQUEST));
    let text = sentence.text();
    may_forget(text)
        && !is_question(sentence)
        && LATIN.find(text).is_some_and(|found| !is_past(message, sentence, &found.range()))
        && !OTHER.is_match(text)
}

/// Returns whether a folded sentence begins as a request to delete something. It may state a preference: "remove the comments
/// in your examples".
pub(crate) fn asks_to_delete(sentence: &Sentence) -> bool {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(DELETE));
    may_forget(sentence.text()) && LATIN.is_match(sentence.text())
}
