//! Patterns of requests to forget, for languages with letters.

use std::sync::LazyLock;

use regex::Regex;

use crate::latin::simplified;
use crate::requests::{filled, replaced};

/// Words before a request to forget.
const BEFORE_FORGET: &str = r"(?: (?:please|so please|so bitte|also bitte|asi que por favor|donc stp|quindi per favore|entao por favor|pls|plz|ok|okay|and|also|hey|hi|oh|sorry|actually|just|bitte|und|por favor|porfa|y|stp|svp|s'il te plait|s'il vous plait|et|per favore|e|пожалуиста))*(?: ,)? ";
/// Verbs that ask to forget, each with a word like "please" and the memory after it. `{forget}`, `{vergiss}`, `{olvida}` and
/// `{oublie}` stand for them in patterns.
const ENGLISH_FORGET: &str = r"(?:{english}|you can )?(?:forget|delete|erase|remove|drop)(?: from (?:your|the) memory)?(?:(?: ,)? please(?: ,)?)?";
const GERMAN_FORGET: &str = concat!(
    r"(?:vergiss|vergesst|lösche?|loesche?|streiche?|entferne?|(?:vergessen|löschen|loeschen|streichen|entfernen) sie)",
    r"(?:(?: ,)? bitte(?: ,)?| mal| wieder| einfach| ruhig)*(?: aus (?:deinem|ihrem|dem) gedächtnis)?",
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
pub(super) const FORGET: &str = concat!(
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
    r"|(?:bitte )?nicht (?:mehr|länger) merken(?: ,)? dass ",
    r"|(?:esquece|esqueca|apaga) que |quero que (?:esquecas|esqueca) que |(?:dimentica|dimenticati|cancella|elimina)(?: dalla (?:tua |sua )?memoria)? che |voglio che (?:tu )?dimentichi che",
    r"|(?:забудь|забудьте)(?: ,)? что )",
);
/// How a sentence does so after what it asks to remember.
pub(super) const AND_FORGET: &str = r" (?:,|,? ?(?:and|but|und|aber|y|pero|et|mais))(?: (?:please|bitte|por favor|stp|svp))? (?:{forget} that |{vergiss}(?: ,)? dass |{olvida} que |{oublie} (?:que |qu'))";
/// Words between what a sentence asks to forget and what it asks to remember. An introduction follows.
pub(super) const AND_REMEMBER: &str = r" (?:,|,? ?(?:and|but|und|aber|sondern|y|pero|sino|et|mais|e|ma|mas|и|но|а))(?: (?:please|pls|instead|bitte|por favor|stp|svp|per favore|пожалуиста))*(?: ,)? ";
/// How a sentence asks to forget a matter that it names: "forget what I said about my job", "forget my phone number".
/// A possessive at its end belongs to the matter.
pub(super) const FORGET_MATTER: &str = concat!(
    r"(?:^|[,-]){before}(?:",
    r"(?:{english}|you can )?(?:forget|delete|erase) (?:(?:everything|all|anything|whatever|what)(?: that)? )?(?:(?:i|i've|we|you)(?: (?:ever|just|have))* (?:said|told you|mentioned|wrote|know|remember|stored|saved|decided|agreed|discussed) (?:(?:yesterday|earlier|before|today|last week) )?)?about ",
    r"|(?:{english}|you can )?(?:forget|delete|erase|remove|wipe) (?:all (?:of )?)?(?:(?:my|your|the|any) )?memor(?:y|ies) about |(?:vergiss|vergesst|vergessen sie)(?: bitte)? (?:alle |die )?erinnerungen an ",
    r"|(?:{english}|you can )?(?:drop|scrap|wipe|get rid of) (?:everything|all|whatever|what) (?:i|i've)(?: (?:ever|just|have))* (?:said|told you|mentioned|wrote) (?:(?:yesterday|earlier|before|today|last week) )?about (?:the )?",
    r"|(?:{english}|you can )?(?:forget|delete|erase) (?:the|our|my|that|this) decision (?:about|on|for|regarding|concerning|to use|to) (?:the )?",
    r"|{vergiss} (?:die|unsere|meine) entscheidung (?:über|ueber|zum|zur|zu|für|gegen|mit)(?: (?:der|dem|den|das|die))? ",
    r"|{olvida} (?:lo que (?:hemos decidido|decidimos|acordamos) (?:sobre|acerca de|de)|(?:la|nuestra|mi) decision (?:sobre|acerca de|de(?: usar)?)) |{oublie} (?:ce qu'on a decide (?:sur|pour|a propos de) |(?:la|notre|ma) decision (?:(?:sur|pour|a propos de|concernant|d'utiliser|de) |d'))",
    r"|(?:{english}|you can )?forget (?:that )?i(?: (?:ever|just|have))* (?:mentioned|brought up|said anything about|told you (?:anything )?about) ",
    r"|(?:{english}|you can )?forget (?:that )?we(?: (?:ever|just|have))* (?:talked|spoke) about (?:the )?|(?:{english}|please )get rid of (?:my|our) ",
    r"|(?:(?:{english}|you can )?(?:forget|delete|erase)|(?:don't|do not|dont) remember) (?:(?:my|our) )",
    r"|(?:{english}|you can )?(?:forget|delete|erase|remove|drop) from (?:your|the) memory (?:the )?",
    r"|(?:{english}|you can )?(?:delete|erase|remove) the ",
    r"|(?:{english}|you can )?(?:forget|scratch|strike) (?:the (?:(?:thing|bit|part|stuff|business) (?:about|with|of) (?:the )?)?|that (?:thing|bit|part|stuff|business) (?:about|with|of) (?:the )?)",
    r"|(?:please |pls )(?:remove|unlearn) (?:my|our) |(?:{english}|you can )(?:remove|unlearn) (?:my|our) |unlearn (?:my|our) ",
    r"|(?:i don't|i do not|i dont) want you to (?:remember|know|keep) (?:my|our) |you (?:don't|do not|dont) (?:need|have) to (?:remember|know|keep) (?:my|our) ",
    r"|{vergiss} (?:das|die sache|die geschichte) mit (?:der |dem |den |meine[rmn]? )?|{vergiss} (?:(?:mein|unser)(?:e[nrms]?)? )",
    r"|{vergiss}(?: alles)? (?:über|ueber|zu) |{vergiss}(?: alles| das)?(?: ,)? was (?:du|ich) (?:dir |ihnen )?(?:(?:je|jemals|vorhin|eben|gestern|neulich|heute|mal) )*(?:über|ueber|zu|von) ",
    r"|{german}(?:bitte )?(?:mein|unser)(?:e[nrms]?)? |(?:du sollst|du kannst)(?: bitte| ruhig)? (?:mein|unser)(?:e[nrms]?)? ",
    r"|ich (?:möchte|will|hätte gern)(?: ,)? dass (?:du|sie) (?:bitte )?(?:mein|unser)(?:e[nrms]?)? ",
    r"|{olvida} lo (?:del |de (?:l[aos]s? |el |mi )?)|{olvida} (?:(?:mis?|nuestr[oa]s?) )",
    r"|{olvida} (?:(?:todo )?lo que (?:(?:te |yo )*(?:dije|conte|he dicho|he contado|mencione)(?: (?:ayer|antes|hoy))?|sabes|recuerdas) (?:sobre|acerca de|de) |todo (?:sobre|acerca de) |(?:sobre|acerca de) )",
    r"|(?:quiero|necesito|me gustaria) que (?:olvides|borres|elimines) (?:mis?|nuestr[oa]s?) ",
    r"|ya no (?:hace falta|es necesario) que recuerdes (?:mis?|nuestr[oa]s?) |ne (?:garde|retiens|conserve)(?:z)? plus (?:mon|ma|mes|notre|nos) ",
    r"|(?:oublie|oubliez) (?:l'histoire|le truc|ce truc) (?:de|du|des|avec) (?:la |le |les )?|{oublie} (?:(?:mon|ma|mes|notre|nos) )",
    r"|{oublie} (?:(?:tout )?ce que (?:je t'ai (?:dit|raconte)|j'ai dit|je vous ai dit|tu sais|vous savez) (?:(?:hier|tout a l'heure) )?(?:sur|a propos de|de) |(?:tout )?a propos de )|(?:oubliez?|{french}oublier) (?:tout )?sur ",
    r"|je (?:veux|voudrais|aimerais) que (?:tu oublies|tu effaces|vous oubliiez) (?:mon|ma|mes|notre|nos) ",
    r"|(?:pode|podes|podia|poderia)(?: (?:por favor|se faz favor))? (?:esquecer|apagar) (?:[oa]s? )?(?:meus?|minhas?) |(?:puoi|potresti)(?: per favore)? (?:dimenticare|cancellare) (?:il mio|la mia|i miei|le mie) ",
    r"|(?:забудь|забудьте|удали|удалите|сотри|сотрите) (?:про |о )?(?:(?:мои|мою|моего|моеи|мое) )|(?:можешь|можете)(?: пожалуиста)? (?:забыть|удалить) (?:мои|мою|моего|моеи|мое) ",
    r"|(?:забудь|забудьте) (?:(?:все|то) )?(?:, )?что (?:я (?:тебе |вам )?(?:говорила?|сказала?|рассказывала?|рассказала?)|ты знаешь) (?:о|об|обо|про) ",
    r"|(?:dimentica|dimentichi|cancella|elimina|rimuovi) (?:(?:il mio|la mia|i miei|le mie) )|(?:esquece|esqueca|apaga|apague|elimina|elimine) (?:[oa]s? )?(?:(?:meu|minha|meus|minhas) )",
    r"|(?:dimentica|cancella) (?:tutto )?(?:quello|cio) che (?:(?:ti|le) )?(?:ho detto|ho raccontato|sai) (?:di|su) |dimentica tutto su ",
    r"|(?:esquece|esqueca|apaga|apague) (?:(?:tudo )?o que (?:eu )?(?:(?:te|lhe) )?(?:disse|contei|sabes|sabe) (?:sobre|de)|tudo sobre) (?:[oa]s? )?",
    r"|{vergiss} (?:den|die|das|dem) |{olvida} (?:el|la|los|las) |{oublie} (?:(?:le|la|les) |l')",
    // A name follows, with a capital letter.
    r"|(?P<verb>(?:{english}|you can )?(?:forget|delete|erase) |{vergiss} |{olvida} (?:a )?|{oublie} ))",
);
/// How a sentence asks to remove a matter from the memory: "delete the nut allergy from your memory".
pub(super) const REMOVE_MATTER: &str = r"^{before}(?:{english}|you can )?(?:delete|erase|remove|drop|forget|wipe) (?:(?:the|that) )?(.{3,60}) from (?:your |the )?memory(?: (?:please|pls|again))? $";
/// How a sentence begins that asks to forget, whatever it names. Other verbs delete what is no memory.
pub(super) const FORGET_ANYTHING: &str = concat!(
    r"^{before}(?:(?:{english}|you can )?forget|vergiss|vergesst|vergessen sie|olvid(?:a|e|ate|ese)|oublie(?:z)?|dimentica|esque[cç]a|esquece|забудь(?:те)?",
    r"|{forget} (?:that|from (?:your|the) memory)|{vergiss}(?: ,)? dass|{olvida} que|{oublie} (?:que|qu'[^ ]+)",
    r"|[^ ]+ (?:aus (?:deinem|dem) gedächtnis|de (?:tu|la|ta) (?:memoria|memoire)))(?: |$)",
);
/// How a sentence begins that asks to delete something, which may be no memory.
pub(super) const DELETE: &str = concat!(
    r"^{before}(?:(?:{english}|you can )?(?:delete|erase|remove|drop)|(?:lösch|loesch|streich|entfern)(?:e|en sie)?|(?:borr|elimin|quit)[ae]",
    r"|(?:effac|supprim|enlev|retir)e(?:z)?) ",
);
/// Words that make no request of it: "vergiss nicht", "olvida tomar su medicación".
pub(super) const NO_REQUEST: &str = " (?:nicht|nie|niemals|pas|plus|jamais|olvida (?:siempre |a menudo )?[a-z]+[aei]r(?:l[aeo]s?|se)?|oublie (?:souvent |toujours )?de) ";
/// How a sentence asks to forget what was said just before: "forget what I just said".
pub(super) const FORGET_LAST: &str = concat!(
    r"(?:^|[,-]){before}(?:",
    r"(?:{english}|you can )?(?:(?:forget|scratch|strike) (?:that|this)|(?:delete|erase) (?:that|this)(?: please)? from (?:your|the) memory|(?:forget|delete|erase) (?:(?:what|the thing) i(?:'ve)? (?:just )?(?:said|told you|wrote|mentioned)|(?:everything|all(?: that)?) i(?:'ve)? just (?:said|told you|wrote|mentioned))|forget (?:that )?i (?:ever )?(?:said|told you|mentioned) (?:that|this|anything|it)",
    r"|(?:forget|scratch) (?:that|this|the|my) (?:last|previous) (?:message|statement|remark|thing))",
    r"|(?:vergiss|vergessen sie)(?: bitte)? das|(?:lösche?|streiche?|entferne?)(?: bitte)? das(?: bitte)? aus (?:deinem|ihrem|dem) gedächtnis|(?:vergiss|lösch|lösche)(?: bitte)?(?: alles| das)?(?: ,)? was ich (?:dir )?(?:gerade|eben|vorhin) (?:gesagt|geschrieben|erzählt) habe?",
    r"|(?:vergiss|lösch|lösche)(?: bitte)?(?: das)?(?: ,)? was ich (?:dir )?(?:gesagt|geschrieben|erzählt) habe?",
    r"|(?:vergiss|vergessen sie)(?: bitte)? (?:die|meine) (?:letzte|vorige) (?:nachricht|aussage|bemerkung)",
    r"|olvid[ae] (?:el|mi|ese|este) (?:ultimo mensaje|mensaje anterior)|(?:oublie|oubliez) (?:le|mon|ce) (?:dernier message|message precedent)",
    r"|olvid[ae] (?:eso|esto)|(?:borr|elimin|quit)[ae] (?:(?:eso|esto) de (?:tu|su|la) memoria|de (?:tu|su|la) memoria (?:eso|esto))|{olvida} lo que (?:te )?(?:acabo de (?:decir|contar|escribir)|dije|he dicho)",
    r"|(?:oublie|oubliez) (?:ca|cela)|(?:effac|supprim|enlev|retir)e(?:z)? (?:(?:ca|cela) de (?:ta|votre|la) memoire|de (?:ta|votre|la) memoire (?:ca|cela))|{oublie} ce que (?:je viens de (?:dire|te dire|t'ecrire|raconter)|j'ai dit|je t'ai dit)",
    r"|dimentica questo|cancella questo dalla (?:tua )?memoria|(?:dimentica|cancella) (?:quello|cio) che (?:ho|ti ho) (?:appena )?(?:detto|scritto)",
    r"|(?:esquece|esqueca) (?:isso|isto)|apaga (?:isso|isto) da (?:tua |sua )?memoria|(?:esquece|esqueca|apaga) o que (?:eu )?(?:acabei de (?:dizer|escrever)|disse)",
    r"|(?:забудь|забудьте) (?:это|(?:, )?что я (?:только что |сеичас )?(?:сказал|сказала|написал|написала)))",
    r"(?:(?: ,)? (?:please|pls|again|now|right away|just now|before|earlier|bitte|gleich|sofort|wieder|mal|por favor|porfa|antes|ya|stp|svp|tout de suite|per favore|пожалуиста|from (?:your|the) memory))* $",
);
/// How a sentence asks to forget all that its speaker ever said. "Forget everything" alone is as often an idiom.
pub(super) const FORGET_ALL: &str = concat!(
    r"(?:^|[,-]| (?:and|so|und|also|y|asi que|et|donc|e|quindi|entao|и|поэтому)){before}(?:",
    r"(?:{english}|you can )?(?:forget|delete|erase|remove) (?:everything|all(?: that)?|anything) (?:i(?:'ve| have)? (?:ever )?(?:said(?: to you)?|told you|mentioned|shared with you)|you(?:'ve)? (?:have )?(?:ever )?(?:(?:know|remember|learned|noted)(?: (?:about|on) (?:me|us))?|(?:have|saved|stored|recorded|kept|collected) (?:about|on) (?:me|us))|about (?:me|us))",
    // What somebody "wrote" or "shared" may be a draft or a file, which is deleted.
    r"|(?:{english}|you can )?forget (?:everything|all(?: that)?|anything) i(?:'ve| have)? (?:ever )?(?:shared|written)",
    r"|(?:{english}|you can )?(?:forget|delete|erase|remove|clear|wipe) (?:all (?:of )?)(?:my|our) (?:personal )?(?:data|memories|information|info)",
    r"|(?:{english}|you can )?(?:delete|erase|remove|wipe) (?:me|us)(?: completely)? from (?:your|the) memory",
    r"|{german}(?:bitte )?alles (?:löschen|vergessen)(?: ,)? was (?:du|sie) (?:über|von) mi(?:ch|r) (?:weißt|weisst|wissen|gespeichert hast|gespeichert haben)",
    r"|{vergiss} alles(?: ,)? (?:was (?:ich (?:(?:dir |ihnen )?(?:je |jemals |heute )?(?:gesagt|erzählt)|(?:dir|ihnen) (?:je |jemals |heute )?geschrieben) habe?|(?:du|sie) (?:über|von) mi(?:ch|r) (?:weißt|weisst|wissen|gespeichert hast|gespeichert haben))|über mich)",
    r"|{vergiss} alle (?:meine|unsere) (?:persönlichen )?(?:daten|erinnerungen|informationen)",
    r"|{olvida} todo (?:lo que (?:te )?(?:dije|he dicho|conte|he contado)|lo que (?:sabes|has guardado|guardaste|tienes(?: guardado)?) (?:de|sobre) mi|(?:sobre|de) mi)",
    r"|{olvida} tod[oa]s (?:mis|nuestros|nuestras) (?:datos|recuerdos|informaciones)(?: personales)?",
    r"|{oublie} tout(?: ce)? (?:que (?:je t'ai dit|j'ai dit|je vous ai dit|je t'ai raconte|(?:tu sais|vous savez|(?:tu as|vous avez) (?:enregistre|garde|retenu|stocke)) (?:sur|de) moi)|sur moi)",
    r"|{oublie} tou(?:te)?s (?:mes|nos) (?:donnees|souvenirs|informations)(?: personnelles)?",
    r"|(?:dimentica|dimentichi|cancella|cancelli) tutto (?:quello |cio )?(?:che (?:(?:ti |le )?ho (?:detto|raccontato)|(?:sai|sa) (?:di|su) me)|su di me)",
    r"|(?:esquece|esqueca|apaga|apague) tudo (?:o que (?:eu )?(?:(?:te|lhe) )?(?:disse|contei)|o que (?:sabes|(?:voce )?sabe) (?:de|sobre) mim|sobre mim)",
    r"|(?:забудь|забудьте|удали|удалите|сотри|сотрите) все(?: ,)? (?:что я (?:тебе |вам )?(?:говорил|говорила|сказал|сказала|рассказывал|рассказывала)|что ты знаешь обо мне|обо мне))",
    r"(?:(?: ,)? (?:please|pls|so far|before|today|heute|hoy|aujourd'hui|oggi|hoje|сегодня|bitte|por favor|stp|svp|per favore|пожалуиста|from (?:your|the) memory))* $",
);
/// Words after such a request that say what holds instead, or that it never held. Others make an idiom of it: "forget my
/// diet, it's Christmas!".
pub(super) const INSTEAD: &str = concat!(
    r" (?:now|new|no longer|not (?:true|right|correct)|wrong|mistake|changed|outdated|instead|never|negative|jetzt|neue?[rsn]?|falsch|fehler|irrtum|stimmt nicht",
    r"|nicht mehr|negativ|ahora|nuev[oa]|ya no|error|falso|negativo|maintenant|private|personal|confidential|secret|sensitive|none of your business|privat|persönlich|geheim|vertraulich|geht (?:dich|niemanden) nichts an|privad[oa]|confidencial|secreto|prive|privee|personnel|confidentiel|nouve(?:au|lle)|faux|erreur|n'est plus|negatif) ",
);
/// Parts of the verbs of such a request. A "t" ends "don't", "dont" and "not": who asks to remember something asks to forget
/// nothing.
#[rustfmt::skip]
const FORGET_STEMS: &[&str] = &[
    "forget", "delete", "erase", "remove", "unlearn", "drop", "scratch", "strike", "clear all", "wipe ", "scrap ", "get rid of", "t remember", "stop remember",
    "t want you to", "t need to", "t have to", "vergiss", "vergess", "lösch", "loesch", "entfern", "streich", "erinner dich", "erinnere dich",
    "olvid", "borr", "elimin", "quita", "quite mi", "recordar", "recuerdes", "acuerdes", "memoria", "oubli", "effac", "supprim",
    "enlev", "retire ", "retirez ", "memoire", "retenir", "retiens", "retenez", "garde plus", "gardez plus", "conserve", "souvenir", "souviens", "забудь", "забыть", "удали", "сотри", "dimentic", "cancell",
    "rimuovi", "esquec", "apag", "merken",
];
/// Beginnings of words for illnesses. Nobody says "forget my allergy" as an idiom, and "delete the allergy" means no file.
pub(super) const ILLNESSES: &str = r"(?:^|[ '])(?:[a-zäöü]+-?)?(?:allerg|alerg|epilep|diabet|asthma|asma|diagnos|illness|disease|krankheit|enfermedad|maladie|pregnan|schwanger|embaraz|grossesse|medicat|medikament)";
/// Possessives before a matter, which belong to it.
pub(super) const POSSESSIVES: &str = r" (?:my|our|(?:mein|unser)(?:e[nrms]?)?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos|il mio|la mia|i miei|le mie|meus?|minhas?|мои|мою|моего|моеи|мое) $";
/// Words after a matter that do not belong to it.
pub(super) static AFTER_MATTER: LazyLock<Regex> = LazyLock::new(|| {
    simplified(concat!(
        r"(?:(?: ,)? (?:please|pls|thanks|yesterday|earlier|gestern|ayer|hier|again|for good|completely|now|ok|okay|bitte|wieder|por favor|vale|stp|svp|s'il te plait|d'accord",
        r"|from (?:your|the) memory|aus (?:deinem|dem) gedächtnis|de (?:tu|la) memoria|de (?:ta|la) memoire|dalla (?:tua )?memoria|da (?:tua )?memoria",
        r"|(?:gesagt|erzählt|geschrieben|erwähnt)(?: habe?| hatte)?|weißt|weisst|vergessen|vergisst|löschen|löschst|any ?more|any longer))+ $",
    ))
});
/// Matters that are no memories: "forget about it", "forget my last question". And a denial of the request: "vergiss meinen
/// Geburtstag nicht".
pub(super) const NO_MATTER: &str = concat!(
    r"^ ?(?:it|that|this|these|those|me|what|which|das|es|mich|nicht|nie|niemals|eso|esto|ca|cela|pas) |^ (?:my|our|meine?[nrs]?|mis?|mon|ma|mes) ",
    r"(?:(?:last|previous|earlier|other|first|letzten?|vorige[nr]?|ultim[oa]|derniere?) )?(?:question|request|message|instructions?|prompt|answer|idea|suggestion|remark|mistake|bad|frage|nachricht|idee|pregunta|mensaje|idea) ",
    r"|^ ?(?:questo|quello|isto|isso|это|nuovo|nuevo|novo|colpo|prima|antes|recente|ieri|ontem|oggi|hoje|mattina|manha|sera|tarde|notte|noite) ",
    // "Vergiss meine Allergie bloß nicht wieder, bitte": all up to the first mark.
    r"|^(?:[^,:-]|[^ ]-)* (?:nicht|nie|niemals) ",
);
/// Things that are deleted, rather than forgotten: "delete my branch".
pub(super) const THINGS: &str = concat!(
    r" (?:branch(?:es)?|files?|folders?|director(?:y|ies)|repo|repository|account|code|database|tables?|containers?|commits?|tests?",
    r"|functions?|drafts?|cache|alarms?|reminders?|timers?|contacts?|playlists?|apps?|bookings?|subscriptions?|images?|photos?|posts?|comments?|e?-?mails|messages?|events?|tasks?|notes|konto|datei(?:en)?|ordner",
    r"|nachrichten?|kommentare?|cuenta|archivos?|mensajes?|comentarios?|compte|fichiers?|commentaires?) ",
);
/// Words of a request to forget all that was said about a matter.
#[rustfmt::skip]
pub(super) const ABOUT: &[&str] = &[
    " about ", " thing ", " stuff ", " über ", " ueber ", " zu ", " von ", " mit ", " sobre ", " acerca de ", " lo de ", " lo del ", " sur ", " a propos de ",
    " histoire ", " truc ", " erinnerungen an ", " lo que ", " ce que ", " ce qu'", " todo de ", " quello che ", " cio che ", " tutto ", " o que ", " tudo ", " о ", " об ", " обо ", " про ", " decision ", " entscheidung ",
];
/// Verbs that delete what is no memory, too: "delete the third paragraph".
#[rustfmt::skip]
pub(super) const DELETING: &[&str] = &[
    "delete", "erase", "remove", "drop", "lösch", "loesch", "streich", "entfern", "borr", "elimin", "quit", "effac", "supprim", "enlev",
    "retir", "cancell", "apag", "rimuov", "удал", "сотри", "get rid of", "garde", "conserve",
];
/// Matters of a person. Who deletes anything else may mean the thing itself: "delete my website".
pub(super) const PERSONAL: &str = concat!(
    r" (?:addresse?s?|numbers?|birthday|date of birth|name|nickname|surname|age|salary|income|wage|weight|height|religion|sexuality|gender|nationality|diet",
    r"|occupation|profession|preferences?|[a-zäöüß-]*(?:adressen?|anschrift|nummern?|geburtstag|geburtsdatum|namen?)|alter|gehalt|einkommen|gewicht|beruf|ernährung",
    r"|wohnort|vorlieben?)(?: (?:of|from|in|at|on|with|von|aus|bei|in|mit) .*)? $",
    r"|^ ?(?:[oa]s? )?(?:[^ ]+|il mio|la mia|i miei|le mie) (?:direccion|domicilio|numeros?|cumpleanos|fecha de nacimiento|nombre|apellidos?|edad|sueldo|salario|peso",
    r"|religion|dieta|profesion|adresse|numero|anniversaire|date de naissance|nom|prenom|age|salaire|poids|regime|metier|profession|indirizzo|compleanno",
    r"|data di nascita|nome|cognome|eta|stipendio|religione|professione|endereco|morada|aniversario|data de nascimento|apelido|idade|religiao|profissao",
    r"|номер|адрес|имя|фамилию|день рождения|дату рождения|возраст|зарплату|вес|рост|профессию|религию) ",
);
/// Parts of the words for the memory.
pub(super) const MEMORY: &[&str] = &[" memor", " memoir", " gedächtnis"];
/// Words for "please" in a request.
#[rustfmt::skip]
pub(super) const PLEASE: &[&str] = &[
    " please ", " pls ", " bitte ", " por favor ", " porfa ", " stp ", " svp ", " s'il te plait ", " s'il vous plait ", " per favore ",
    " пожалуиста ",
];

/// Compiles a pattern of a request to forget.
pub(super) fn compiled(source: &str) -> Regex {
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
pub(super) fn may_forget(text: &str) -> bool {
    FORGET_STEMS.iter().any(|stem| text.contains(stem))
}
