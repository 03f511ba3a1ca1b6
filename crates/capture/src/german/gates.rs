//! The gates of German: patterns that drop a clause.

use super::super::Why::{
    Command, Hypothetical, Idiom, Joke, Negated, Other, Past, Pasted, Question, Quoted, Reported, Secret,
    Unsafe,
};
use super::super::language::Reach::{Clause, Lift, Message, Onward, Rest, Sentence};
use super::super::language::{Gate, gate};

#[rustfmt::skip]
pub(super) const GATES: &[Gate] = &[
    // Secrets by their names; what has the form of a secret is known without them.
    gate(Secret, Clause, "(?:passwort|passwörter|kennwort|passphrase|pin|pin-code|puk|tan|t(?:ü|ue)rcode|zahlencode|alarmcode|code f(?:ü|ue)r|kartennummer|kreditkarte|zugangsdaten|login|token|api-key|api key|schl(?:ü|ue)ssel f(?:ü|ue)r) {part}(?:ist|lautet|:|=|[!-~äöü]*[0-9])"),
    gate(Secret, Clause, " (?:passwort|kennwort|passphrase|pin|puk|cvv) "),
    // What speaks to the model about its user, or for those who run it.
    gate(Unsafe("for-the-model"), Message, " (?:der|die) (?:nutzer|nutzerin|benutzer|benutzerin|user|anwender) (?:bevorzugt|will|w(?:ü|ue)nscht|mag|m(?:ö|oe)chte|hat|ist|erlaubt|stimmt|akzeptiert|verlangt) "),
    gate(Unsafe("for-the-model"), Message, "(?:^| )(?:systemhinweis|systemnachricht|systemmeldung|systemanweisung|(?:hinweis|anweisung|nachricht|mitteilung|regel|vorgabe) (?:an|f(?:ü|ue)r|vom|von) (?:die ki|den assistenten|assistenten|den bot|alle agenten|den agenten|betreiber|system|entwickler|administrator|admin)|dauerhaft (?:speichern|merken)|ins ged(?:ä|ae)chtnis|sicherheits(?:regeln|vorgaben|richtlinien)|als (?:best(?:ä|ae)tigt|freigegeben|vertrauensw(?:ü|ue)rdig)|ohne r(?:ü|ue)ckfrage (?:{w} )?(?:ausf(?:ü|ue)hren|(?:ü|ue)berweisen|freigeben|l(?:ö|oe)schen|akzeptieren|best(?:ä|ae)tigen)) "),
    gate(Unsafe("pretend"), Message, "^ (?:ab jetzt |von nun an |ab sofort )?(?:du bist|bist du|spiel|spiele) (?:ab jetzt |jetzt |nun |ab sofort )+(?:ein|eine|einen|kein|der|die|mein|mal) "),
    gate(Pasted, Message, " mit freundlichen gr(?:ü|ue)ssen "),
    // Letters that are written to somebody else.
    gate(Pasted, Onward, "^ (?:sehr geehrte[r]?|liebe[r]? (?:frau|herr|kundin|kunde|kunden|kolleg|mitglieder|eltern|nachbarn|team)) "),
    gate(Quoted, Rest, "^ (?:bitte )?(?:(?:ü|ue)bersetze?|korrigiere?|lektoriere?|diktat|zitat|beispielsatz|beispiel|songtext|betreff|konjugiere|analysiere)(?: {w}){0,5} (?::|$)"),
    // What is supposed, or wished.
    gate(Hypothetical, Onward, "(?:^| )(?:angenommen|mal angenommen|nehmen wir (?:mal )?an|stell dir (?:mal )?vor|stellen sie sich vor|gesetzt den fall|gedankenexperiment|rollenspiel|tu (?:mal )?so , als|tun wir (?:mal )?so|f(?:ü|ue)r einen? (?:roman|krimi|blogartikel|geschichte|kurzgeschichte|rollenspiel|sketch|drehbuch)|mein(?:e)? (?:romanfigur|figur|protagonistin?|hauptfigur|charakter)|in (?:meinem|dem) roman) "),
    gate(Hypothetical, Rest, "^ (?:sagen wir (?:es |einfach |doch )*mal|(?:mal |nur |nur mal )?(?:rein |ganz )?hypothetisch(?: gefragt| gesprochen)?|rein theoretisch|gesetzt ,) "),
    gate(Hypothetical, Rest, "^ (?:(?:selbst|auch|nur|erst)? ?wenn (?:ich|wir|man|mein|meine) |falls (?:ich|wir|mein|meine|die|der|das) |was w(?:ä|ae)re?|w(?:ä|ae)re? (?:ich|es|das|mein)|h(?:ä|ae)tte? (?:ich|wir) (?:nur|doch|bloss|mehr|damals)|k(?:ö|oe)nnte ich (?:nur|doch|bloss)|sollten? (?:ich|wir) (?:je|mal|irgendwann)|im lotto)"),
    // "It would be better for me" is a wish that is meant.
    gate(Hypothetical, Clause, " w(?:ä|ae)re? (?:$|[^me]|m[^i]|mi[^r]|e[^s])"),
    gate(Hypothetical, Clause, " (?:w(?:ä|ae)ren|vielleicht|eventuell|evtl\\.?|irgendwann|eines tages|w(?:ü|ue)nschte|m(?:ö|oe)glicherweise|(?:ü|ue)berlegen?|(?:ü|ue)berlege?|(?:ü|ue)berleg|erw(?:ä|ae)gen?|liebäugle?|schwanke|mal sehen|mal schauen|hoffentlich|hoffe|hoffen|tr(?:ä|ae)ume?|spiele? mit dem gedanken|theoretisch|im grunde k(?:ö|oe)nnte|bin (?:mir )?(?:noch )?(?:nicht|un)\\s?sicher|k(?:ö|oe)nnten|sollten|m(?:ü|ue)ssten?|d(?:ü|ue)rften|wahrscheinlich|vermutlich|w(?:ü|ue)sste) "),
    gate(Hypothetical, Clause, " (?:w(?:ü|ue)rde?|w(?:ü|ue)rden) (?:ich|wir|{w}) (?:{w} ){0,4}(?:gerne?|am liebsten|sofort|nie) "),
    gate(Hypothetical, Clause, " (?:am (?:aller)?liebsten (?:w(?:ü|ue)rde?|w(?:ä|ae)re?|h(?:ä|ae)tte?) (?:ich|wir)|(?:ich|wir) (?:w(?:ü|ue)rden?|w(?:ä|ae)ren?|h(?:ä|ae)tten?) (?:{w} )?am (?:aller)?liebsten) "),
    gate(Hypothetical, Clause, "^ (?:ich|wir) (?:w(?:ü|ue)rden?) "),
    // What others say.
    gate(Reported, Rest, "^ (?:{w} ){0,6}?(?:sagt|sagte|sagten|meint|meinte|meinten|erz(?:ä|ae)hlt|erz(?:ä|ae)hlte|behauptet|behaupten|behauptete|schreibt (?:,|:|mir|uns|in|dass)|schrieb|ruft|br(?:ü|ue)llt|predigt|berichtet|verk(?:ü|ue)ndet|beteuert|vermutet|besteht darauf|tippt|warnt|r(?:ä|ae)t|empfiehlt|droht|verlangt|sagen immer) "),
    gate(Reported, Clause, "^ (?:{w} ){0,6}?(?:glaubt|findet|denkt|schw(?:ö|oe)rt|fragt|fragte|schw(?:ä|ae)rmt) "),
    gate(Reported, Sentence, " , (?:behauptet|sagt|meint|schw(?:ö|oe)rt|glaubt|heisst es|schreibt|findet) (?:er|sie|es|man|zumindest|jedenfalls|{w} (?:$|immer|zumindest|jedenfalls))"),
    gate(Reported, Rest, " (?:hat|haben) {part}(?:gemeint|gesagt|behauptet|erz(?:ä|ae)hlt|geschrieben|vorgeschlagen|gefragt|angeblich|versprochen|gepostet|angek(?:ü|ue)ndigt|gewarnt|geschworen|gedroht|mitgeteilt|geraten|empfohlen|verlangt|geschw(?:ä|ae)rmt|verk(?:ü|ue)ndet|prophezeit) (?:,|:|$)"),
    gate(Reported, Rest, "^ (?:laut|gem(?:ä|ae)ss|nach angaben|glaubt man|es heisst , |man sagt|angeblich|anscheinend|ger(?:ü|ue)chteweise|dem vernehmen nach|in (?:dem|der|einem|einer) (?:artikel|zeitung|anzeige|forum|mail|chat|gruppe) (?:steht|stand)|ich hab(?:e)? (?:mal )?(?:gelesen|geh(?:ö|oe)rt)|hab (?:mal )?(?:gelesen|geh(?:ö|oe)rt)) "),
    gate(Reported, Rest, "^ (?:der|die|das|alle|viele|manche|manch einer|experten|sie) (?:{w} )?(?:sagen|meinen|behaupten|schreiben|finden|glauben) (?:,|:|immer|dass)"),
    gate(Reported, Clause, " (?:angeblich|gem(?:ä|ae)ss|wohl angeblich|soll ja|sollen ja|hiess es|stand in|steht in (?:der|dem)|laut (?:der|dem|den|{my}|horoskop|tarot|sternzeichen|chef|zeitung|wetterbericht|kalender|{w} soll)) "),
    gate(Reported, Rest, "^ (?:auf|in|bei|im|am|unter) (?:{w} ){1,4}(?:schreibt|schreiben|sagt|meint|steht|hiess|postet) (?:es |jemand |einer |eine |man |{w} )?(?:,|:|$)"),
    // What is not meant.
    gate(Joke, Sentence, " , (?:(?:nur |kleiner |war nur )?(?:spass|scherz|witz) (?:,|$)|nat(?:ü|ue)rlich nicht $|sch(?:ö|oe)n w(?:ä|ae)r'?s $|als ob $|von wegen $|(?:na |ja |aber )klar $|wer's glaubt (?:,|$))"),
    gate(Joke, Sentence, " (?:/s|ironie(?: off| aus)?|scherz|kleiner scherz|nur spass|war (?:nur )?(?:ein )?(?:spass|scherz|witz)|sp(?:ä|ae)ssle|sagte niemand(?: jemals)?|was soll (?:da )?(?:schon )?schief(?:gehen|laufen)?|was kann (?:da )?(?:schon )?schiefgehen|mein name ist hase) $"),
    gate(Joke, Sentence, " (?:was soll (?:da )?(?:schon )?schief|was kann (?:da )?(?:schon )?schief|sagte niemand|name ist hase|mein zweiter vorname|kaiser von china|weihnachtsmann|einhorn|einh(?:ö|oe)rner|zum mond|weltherrschaft) "),
    gate(Joke, Sentence, "^ (?:(?:ja |na |aber )?(?:klar|sicher|nat(?:ü|ue)rlich|logisch|logo)(?: doch)? , (?:{w} ){1,3}bestimmt|na (?:toll|super|prima|bravo|herrlich|wunderbar)|(?:oh|ach) (?:wie|toll|super|prima|herrlich|ja klar)|was gibt(?: es|'s) sch(?:ö|oe)neres|nichts (?:lieber|sch(?:ö|oe)ner) als|tr(?:ä|ae)um weiter|ja genau ,|ja klar ,|na klar ,|haha klar|schon klar ,) "),
    gate(Joke, Rest, "^ (?:ich )?(?:liebe?)(?: ich)? (?:(?:es|ja|einfach|total|sehr|so) )+(?:,|zu|wenn) "),
    gate(Joke, Sentence, " (?:🤣|😜|🤪|😝|hahaha+|hahah|muahaha|rofl|ggg|🦇|😹) "),
    gate(Joke, Clause, "^ (?:ich )?(?:bin|heisse?)(?: ich)? (?:batman|superman|spiderman|bond|gott|der weihnachtsmann|der osterhase|graf dracula|darth vader|napoleon|k(?:ö|oe)nig {w}|hase|ein einhorn|ein roboter|ein berliner) "),
    gate(Joke, Clause, " (?:lieb(?:e)? ich ja|liebe ja) "),
    // Others as the subject.
    gate(Other, Clause, "^ (?:der|die|das|mein|meine|unser|unsere|ein|eine|einer|sein|seine|ihr|ihre|dein|deine|dieser|diese|euer|eure|so ein)(?: (?:neue[rn]?|alte[rn]?|liebe[rn]?|andere[rn]?|beste[rn]?|{w}er|{w}e))? [a-zäöü-]*{other} (?:[^u ,:]|u[^n ]|und [^i ]|und i[^c]|,)"),
    gate(Other, Clause, "^ (?:er|sie|ihr|seine?|ihre|deine?|jemand|irgendwer|manche|viele|die meisten|andere|die anderen|alle anderen|die jungs|das marketing|die jugend) (?:{w} )?(?:hat|haben|ist|sind|wird|werden|mag|will|wollen|nimmt|nehmen|f(?:ä|ae)hrt|geht|bleibt|[a-zäöü]+t) (?:[a-ln-tv-zäöü]|m[a-hj-zäöü]|mi[a-qs-z]|u[a-mo-z])"),
    gate(Other, Clause, "^ (?:die|der|das) (?:von|vom|aus|beim) (?:{w} ){1,3}(?:hat|haben|ist|sind|will|wollen|bleiben|nehmen) "),
    gate(Other, Clause, "^ (?:der|die|das) [a-zäöü-]+ (?:meine[rsm]?|unsere[rsm]?|vom|von (?:meine[rm]|unsere[rm])|seine[rs]|ihre[rs]|deine[rs]) (?:{w} )?[a-zäöü-]*{other}s? "),
    // Questions without a mark.
    gate(Question, Rest, "^ (?:habe?|haben) (?:ich|wir|die|sie) (?:{w} ){0,4}(?:irgend[a-zäöü]*|jemals|(?:ü|ue)berhaupt schon) "),
    gate(Question, Clause, "^ (?:habe?|haben|bin|sind|ist|war) (?:ich|wir|das|es) {any}oder (?:nicht|doch nicht|habe?|haben|ist|war|bin) "),
    // Somebody of the speaker's own, after a question in the same sentence.
    gate(Question, Lift, "^ {my} (?:{w} )?{kin} (?:ist|sind|hat|haben|mag|heisst|vertr(?:ä|ae)gt|vertragen|isst|darf) "),
    gate(Question, Rest, "^ (?:was|wie|wieso|weshalb|warum|wozu|womit|woher|wohin|wo|wann|wem|wen|wessen|welche|welcher|welches|welchen|ob|weiss (?:jemand|einer|wer)|kennt (?:jemand|einer|wer)|hat (?:jemand|einer|wer|mein|das|der|die|es)|ist (?:das|es|der|die|mein|meine|hier|da|dir|euch|eigentlich)|sind (?:das|die|wir|deine)|gibt es|gibt's|gibts|kann (?:man|mir|ich (?:dir|dich|das|die|den|es|mit|auch|hier|da|eigentlich|nicht einfach))|k(?:ö|oe)nnte man|k(?:ö|oe)nnen (?:wir|sie)|soll (?:ich|man|das|er|sie)|sollen wir|darf (?:ich|man)|d(?:ü|ue)rfen wir|muss (?:ich|man|das|der|die)|m(?:ü|ue)ssen wir|stimmt (?:es|das)|l(?:ä|ae)uft das|geht das|lohnt (?:sich|es)|reicht (?:das|es)|macht (?:es|das|man)|wird (?:das|es|der|die)|wer (?:hat|ist|war|kann|weiss|macht|will|kennt|kommt mit|von|sind|soll|hilft|bringt)|bin ich (?:eigentlich|der|die|hier|da|nur|zu)|habe? ich (?:dir|das|schon|eigentlich|dir)|haben (?:wir|sie) (?:eigentlich|das|noch|schon)|erinnerst du|frage ?:|ich frage? mich|frag mich (?:,|ob|auch|selbst|echt|schon|gerade|grad|wirklich|langsam|manchmal|wie|was|wo|wer|warum|wieso|wann)|ich wollte (?:nur |mal )?fragen|ich w(?:ü|ue)rde gern wissen) "),
    gate(Question, Rest, "^ (?:[a-zäöü]+(?:st|sst) (?:du|mir|dir)|[a-zäöü]+t ihr|(?:kann|weiss|has|bis|mach|gib|mein|will|soll|magst?|glaub|find|komm|denk|wirs|nimm|brauch)s?te) "),
    // What was.
    gate(Past, Clause, " (?:fr(?:ü|ue)her|damals|seinerzeit|einst|einstmals|als (?:kind|teenager|student|studentin|jugendliche[r]?|kleiner? {w})|war mal|waren mal|in (?:meiner|der) (?:jugend|kindheit|schulzeit|studienzeit)|zu (?:dm|d-mark|ddr|schulzeiten|studienzeiten)-?(?:zeiten)?|jahrelang|bis vor (?:kurzem|{number} jahren?)|vor (?:der|unserer) (?:ehe|scheidung|wende)|lang lang ist|(?:ich|wir) (?:hab|habe|haben) (?:{w} )?(?:mal|immer|nie|jahrelang|lange) ) "),
    gate(Past, Clause, "^ (?:ich|wir) (?:mochten?|liebten?|hassten?|wohnten?|lebten?|wollten?|dachten?|hielten?|fand|fanden|trank|tranken|ass|assen|fuhr|nahm|nahmen|spielten?|rauchten?|war (?:immer|nie|eigentlich|lange|mal|ein)|hatten? (?:immer|nie|mal|lange|eigentlich)) "),
    gate(Past, Clause, " (?:mochte|wollte|dachte|wohnte|hasste|liebte) ich "),
    gate(Past, Clause, "^ bis (?:{w} ){1,3}(?:habe?|haben|war|waren) (?:ich|wir) "),
    // What is denied.
    gate(Negated, Clause, " (?:nicht|nix|nichts|nie|niemand|keine?[nrs]?|noch nicht|noch nix|weder) (?:[!-+.-~äöü-]+ ){0,4}(?:entschieden|beschlossen|geeinigt|vereinbart|ausgemacht|festgelegt|abgemacht|entschlossen|verabredet|einig|fest|fix|unterschrieben|durch) "),
    gate(Negated, Rest, "^ (?:es ist nicht so|es ist ja nicht so|nicht dass|nicht , dass|das heisst nicht|ich (?:sage?|sag|behaupte?|habe? nie|hab nicht|hab nie|habe nicht) (?:auch )?(?:nicht|nie|gesagt|behauptet)|von wegen|niemand hat|keiner hat|wir haben nicht|wir haben nie|ich glaube nicht|glaub nicht) "),
    gate(Negated, Clause, "^ (?:(?:ich|wir) )?(?:wohne?|wohnen|lebe?|leben|arbeite?|arbeiten|heisse?|komme?|spreche?)(?: ich)?(?: (?:ja|doch|gar|auch|(?:ü|ue)brigens|eigentlich|l(?:ä|ae)ngst|schon lange?))* (?:nicht (?:[^m ]|m[^e ]|me[^h ])|nie |keine? (?:[!-~äöü]+ )?)"),
    gate(Negated, Clause, "^ (?:(?:ich|wir) )?(?:bin|sind)(?: ich)?(?: (?:ja|doch|gar|auch|(?:ü|ue)brigens|eigentlich))* (?:nicht|keine?) (?:{w} )?(?:{being}|{trade}|aus|in|von) "),
    gate(Negated, Clause, " (?:keins|keines|keine[rn]?|nichts) (?:von (?:beiden|beidem|denen|allem|alledem)|davon) "),
    // Other senses of the words.
    // A price, or a thing just named, is a reason for one choice.
    gate(Idiom, Clause, "^ (?:das|es|der preis|(?:{w} )?[0-9.,]+ ?(?:euro|€|franken|chf|kilometer|km|minuten|stunden|tage|wochen|prozent|%)(?: {w}){0,2}) (?:ist|sind|war|waren|w(?:ä|ae)ren) mir (?:{w} ){0,2}zu "),
    // What follows from what was said.
    gate(Idiom, Clause, " (?:bin|habe?|sind|haben|kann|k(?:ö|oe)nnen|muss|m(?:ü|ue)ssen) (?:ich|wir) also "),
    gate(Idiom, Clause, " (?:wurm drin|schwein pfeift|f(?:ü|ue)r die katz|aus dem h(?:ä|ae)uschen|aus der puste|sprech(?:e)? (?:ich )?(?:{w} )?(?:wohl )?f(?:ü|ue)r (?:alle|viele|uns)|nehme? (?:ich )?(?:mal )?an|alles zur(?:ü|ue)ck|beim wort|die hoffnung|ein auge zu|(?:ein auge|die nase voll|den l(?:ö|oe)ffel ab|den kopf|sinn der sache)|nicht ernst|auf die schippe|in kauf|nicht krumm|nicht (?:ü|ue)bel|auf dem schlauch|auf der leitung|auf dem trockenen|leer aus|auf gl(?:ü|ue)henden kohlen|den faden|aus dem bauch|auf dem zahnfleisch|im bilde|unter uns|aussen vor|auf der strecke|spannend|abzuwarten|nichts anderes (?:ü|ue)brig|keine wahl|die spucke|mein leben|keinen bock|dran|hinterher|am ball|auf der hand|auf der zunge|gl(?:ü|ue)cklich und zufrieden|hinterm mond|wolke sieben|von luft und liebe|von der hand in den mund|lieber gleich|lieber sp(?:ä|ae)t als nie|lieber nicht|immer noch nicht|immer dasselbe|immer das gleiche|immer diese|nie im leben|fehler|nur bahnhof|wie (?:du|ihr)(?: (?:das|es|mir))?) "),
    gate(Idiom, Clause, " (?:mag|liebe?|m(?:ö|oe)gen|lieben)(?: ich)?{adv} (?:dich|deine[nmr]?|dein|euch|ihn|(?:das|es) (?:$|jetzt|schon|so|sehr|total)|dass|die idee|den (?:ansatz|vorschlag|gedanken|ton)|die (?:erste|zweite|dritte|letzte|neue) (?:version|variante|fassung|idee)|den (?:ersten|zweiten|dritten|letzten|neuen) (?:entwurf|vorschlag|absatz|satz)|nicht mehr|(?:gerade|grad|jetzt|heute) nicht) "),
    gate(Idiom, Clause, "^ (?:ich )?mag (?:gerade|grad|jetzt|heute|nicht|nicht mehr|nicht dr(?:ü|ue)ber|noch nicht|schon nicht) "),
    gate(Idiom, Clause, "^ (?:das|es|dies|das alles|so|du|da|er|sie|ihr|die) (?:reicht|gef(?:ä|ae)llt|passt|gen(?:ü|ue)gt|schmeckt|taugt|nervt|st(?:ö|oe)rt|stresst|macht|geht|ist|liegt|kommt|bleibt|l(?:ä|ae)uft|wird|steht) (?:ja |jetzt |doch |aber |eh |schon |auch |mir |mich )*(?:mir|mich|nichts f(?:ü|ue)r|gar nicht|so|egal|gut|super|okay|schon|nicht|noch|fest|jetzt) "),
    gate(Idiom, Clause, "^ (?:gef(?:ä|ae)llt|reicht|passt|schmeckt|nervt|mir reicht) "),
    gate(Idiom, Clause, "^ (?:das|es|so machen wir|das machen wir|so|das alles) {part}(?:steht|so|das|es|hier) $|^ so machen wir "),
    gate(Idiom, Clause, " (?:lese?|mache?|sehe?|kenne?|sage?|denke?)(?: ich)? (?:das|es|mir) immer "),
    gate(Idiom, Clause, "^ {my} (?:{sign}+ )(?:kaputt|leer|alle|weg|verschwunden|m(?:ü|ue)de|krank|voll|kalt|schlecht|hin(?:ü|ue)ber|abgelaufen|langsam|schuld|egal|da|dran|fertig|dunkel|tot|nass|offen|gross|am ende|im eimer|im keller|spinnt) $"),
    gate(Idiom, Clause, "^ wir bleiben (?:dran|in kontakt|am ball|gespannt|optimistisch|ruhig|hier|noch|sitzen|liegen|stehen|zu hause|im bett) ?"),
    gate(Idiom, Clause, "^ (?:(?:ich|wir) )?(?:bin|sind)(?: (?:ich|wir))?{adv} (?:(?:(?:grad|gerade|eben) (?:[^av]|a[^u]|v[^o])|(?:kurz|gleich|schnell|noch|unterwegs|zur(?:ü|ue)ck|bald|sofort|sp(?:ä|ae)ter|m(?:ü|ue)de|fertig|raus|weg|da|dabei|am|auf dem|gespannt|froh|sicher|baff|platt|krank|satt|sauer|genervt|neugierig|offen|bereit|verwirrt|ratlos|dankbar|begeistert|nerv(?:ö|oe)s|im (?:zug|tunnel|auto|bus|stau|meeting|stress|bett|b(?:ü|ue)ro|termin|gespr(?:ä|ae)ch|call|laden|kino|urlaub)|in (?:einem|einer|eile|der (?:bahn|schlange|u-bahn))|beim|an der) ))"),
    gate(Idiom, Clause, "(?:^| )(?:hab|habe|haben|brauche?|brauchen|will|m(?:ö|oe)chte)(?: (?:ich|wir|da|hier|mal|noch|nur|jetzt|gerade|grad|eben|heute|auch|doch|leider|schon))* (?:(?:keine?n?|{a}|die|das|den|viel|zwei|drei|so|ganz|kurze?|kleine?|bl(?:ö|oe)de|andere) ){0,3}[a-zäöü-]*(?:frage|fragen|idee|ideen|problem|probleme|ahnung|lust|zeit|bock|hunger|durst|plan|fehler|bug|meeting|call|gef(?:ü|ue)hl|wunsch|bitte|anliegen|angst|sorge|sorgen|stress|streit|(?:ä|ae)rger|hilfe|tipp|moment|minute|sekunde|pause|gl(?:ü|ue)ck|pech|recht|schluss|ruhe|kopfweh|kopfschmerzen|r(?:ü|ue)cken|schnupfen|fieber|muskelkater|kater heute|vorschlag|liste|datei|text|link|entwurf|rat|chance|zweifel|wahl|interesse|spass|nerv|stunden?|minuten|abende|wochen|dateien|zeilen|termin mehr|geduld|verst(?:ä|ae)ndnis|meinung|bedenken|ausrede|empfang|netz|internet|feierabend|wochenende|frage?) "),
    gate(Idiom, Clause, "^ (?:ich|wir) (?:fahre?n?|gehe?n?|komme?n?|nehme?n?|mache?n?|trinke?n?|esse?n?|schaue?n?|arbeite?n?|lese?n?|schreibe?n?)(?: ich)? (?:jetzt|gleich|gerade|grad|schnell|kurz|mal|erst ?mal|sp(?:ä|ae)ter|nachher) "),
    gate(Idiom, Clause, "^ lass(?:t)? uns (?:mal |doch |erst ?mal |einfach |jetzt |bitte |noch |kurz |schnell |gleich )*(?:ehrlich|anfangen|loslegen|gehen|los|schauen|sehen|hoffen|reden|sprechen|(?:ü|ue)berlegen|brainstormen|das|feiern|durchgehen|dr(?:ü|ue)ber|dar(?:ü|ue)ber|starten|weitermachen|nicht streiten|in ruhe|allein) "),
    gate(Idiom, Clause, "^ (?:immer|nie) (?:wieder|mit der ruhe|noch|ich|geh(?:ö|oe)rt|so|sch(?:ö|oe)n|weiter|mehr|gesehen|im leben|und|das|diese|dieses|dieser|muss|bin|kommt|ist) "),
    gate(Idiom, Clause, " (?:weiss|vergesse?|verstehe?|kapiere?|verliere?|ich frage?|frage? ich|wundere?|verwechsle|verwechsel|finde|schaffe?|kriege?|krieg|merke?|lerne?) (?:ich )?(?:{w} ){0,3}(?:immer|nie|niemals) "),
    gate(Idiom, Clause, "^ (?:keine?n?|nix|nichts) (?:ahnung|problem|eile|stress|sorge|sorgen|panik|angst|thema|frage|fragen|zeit|lust|wunder|ding|mensch|einziger?|schimmer|plan|bock|internet|strom|antwort|reaktion|r(?:ü|ue)ckmeldung|chance|kommentar|wahl|zu danken|passiert|neues|gefunden|da) "),
    gate(Idiom, Clause, " (?:(?:mach(?:e)?|macht) (?:dir|euch|ihnen)|keine (?:sorgen?|umst(?:ä|ae)nde|m(?:ü|ue)he|panik|angst)|keinen (?:kopf|stress|scheiss|quatsch|bl(?:ö|oe)dsinn)) "),
    gate(Idiom, Clause, "^ {my} [a-zäöü-]*(?:problem|frage|fragen|meinung|vorschlag|idee|akku|kopf|laune|magen|nerven|tipp|eindruck|gef(?:ü|ue)hl|plan|ziel|fehler|schuld|g(?:ü|ue)te|rede|vermutung|verdacht|bitte|wunsch|traum|sorge|punkt|anliegen|text|entwurf|code|build|skript|internet|wlan|bus|zug|handy|geduld|motto|woche|wochenende|leben|schweinehund|herz|vertrauen|beileid|hochachtung|respekt|text|chat|stimmung|kaffee|essen|dank|einsatz|testlauf|test) "),
    gate(Idiom, Clause, "^ {my} (?:tag|alltag|arbeitstag|vormittag|nachmittag|montag) "),
    gate(Idiom, Clause, " (?:will|m(?:ö|oe)chte|wollte|wollten|wollen) {part}(?:wissen|fragen|sagen|verstehen|testen|ausprobieren|nachschauen|danken|bedanken|loswerden|erinnern) "),
    gate(Idiom, Clause, " bleib(?:t|en) {part}(?:h(?:ä|ae)ngen|stehen|liegen|aus|unklar|offen|schwarz|leer|weiss|gleich|r(?:ä|ae)tselhaft|mir|uns|wohl|nur|nichts|ger(?:ä|ae)tselt) "),
    gate(Idiom, Clause, " kein (?:ding|problem|wunder|stress|scherz|witz|kommentar) $"),
    gate(Idiom, Clause, " h(?:ä|ae)tte? (?:ich )?(?:{w} ){0,2}gerne? noch "),
    gate(Idiom, Clause, " mag (?:ja |schon |wohl |durchaus )*sein |^ (?:ordnung|strafe|spass|pause|pausen) muss (?:schon |auch |mal )*sein "),
    gate(Idiom, Clause, " lieber (?:mal|noch|nochmal|nichts|gleich|jetzt|heute|doch|erst|vorsichtig|schnell) "),
    gate(Idiom, Clause, "^ (?:(?:der|die|das|den|diese[nrs]?|dein|deine[nr]?) (?:{w} )?(?:idee|vorschlag|version|variante|entwurf|l(?:ö|oe)sung|antwort|text|ergebnis|satz|absatz|ansatz)|das|es|die|den|beides|alles) (?:finde?|gef(?:ä|ae)llt|taugt|passt|st(?:ö|oe)rt|nervt|reicht) "),
    gate(Idiom, Clause, " (?:finde?) (?:ich )?{part}(?:gut|okay|ok|schade|toll|interessant|spannend|lustig|komisch|nett|witzig|ordentlich|s(?:ü|ue)ss|niedlich|krass|nicht|super|klasse|prima) $"),
    gate(Idiom, Clause, " (?:nervt|stresst|st(?:ö|oe)rt|(?:ü|ue)berfordert|langweilt) mich (?:gerade|grad|heute|jetzt|schon wieder|langsam) "),
    gate(Idiom, Clause, "^ wir werden (?:sehen|schauen|das schon|nass|alle|es) |^ wir (?:starten|treffen uns|fahren|gehen|ziehen) (?:gleich|jetzt|in {w} minuten|an einem strang|los) "),
    gate(Idiom, Clause, " (?:licht|handy|herd|fernseher|nichts|heizung|ton|wecker|musik|rechner) (?:{w} )?ausgemacht "),
    gate(Idiom, Clause, "^ (?:der|die|das) (?:[a-zäöü-]*(?:bahn|zug|bus|strom|internet|netz|flug|schule|unterricht|sonne|server|bild|ton)) (?:f(?:ä|ae)llt|fallen|fliegt|geht|kommt|ist) (?:heute |schon |wieder |mal |gerade )*(?:aus|unter|an|weg|raus|down) "),
    // How it is for a moment.
    gate(Idiom, Clause, "^ {my} (?:{w} )?[a-zäöü-]+ (?:ist|sind|hat|haben) (?:(?:heute|gerade|grad|jetzt|schon|wieder|schon wieder|total|ganz|so|echt) )*(?:abgest(?:ü|ue)rzt|eingefroren|aufgeh(?:ä|ae)ngt|leer|hunger|durst|versp(?:ä|ae)tung|fieber|schnupfen|bauchweh|langeweile|gekotzt|m(?:ü|ue)de|sauer|krank|eingeschlafen|wach|unterwegs|zu sp(?:ä|ae)t|hier|da|weg) (?:$|,|und)"),
    gate(Idiom, Clause, "^ {my} (?:{w} ){0,2}{kin} (?:kommt|geht|schl(?:ä|ae)ft|isst|macht|kann|braucht|will|spielt) (?:gleich|gerade|grad|eben|sp(?:ä|ae)ter|nachher|schon wieder) "),
    gate(Idiom, Clause, "^ (?:{me} )?(?:bin|sind)(?: {me})? (?:in (?:{w} ){1,2}(?:sekunden|minuten?|stunden?)|heute (?:mal|eher|voll|total|so|team)) "),
    gate(Idiom, Clause, "^ wir (?:nehmen|trinken|bestellen|essen|brauchen) noch (?:{a}|{number}|[0-9]+|was|etwas|mehr) "),
    gate(Idiom, Clause, "^ (?:wir (?:werden|wollen) )?(?:{soon}|heute(?: abend)?) (?:(?:gehe?|gehen|fahre?|fahren) (?:ich|wir) )?(?:{w} ){0,2}(?:zum sport|zum training|zum einkaufen|ins fitnessstudio|ins gym|ins kino|ins bett|ins b(?:ü|ue)ro|in die stadt|zur arbeit|in die arbeit|einkaufen|joggen|schwimmen|spazieren|grillen|kochen|essen) $"),
    gate(Idiom, Clause, " komme?n? (?:ich |wir )?aus (?:dem|der) {w} (?:nicht|kaum|gar nicht) "),
    gate(Idiom, Clause, "^ mir (?:gef(?:ä|ae)llt|gefallen|reicht|gen(?:ü|ue)gt|taugt|passt) (?:(?:der|die|das|dein|deine|diese[rs]?) (?:(?:erste|zweite|dritte|letzte|neue|aktuelle|obere|untere)[rs]? )?[a-zäöü-]*(?:entwurf|version|variante|fassung|idee|vorschlag|text|antwort|absatz|satz|titel|ansatz|l(?:ö|oe)sung)|das|es|so|daran|hier) "),
    gate(Idiom, Clause, "^ (?:{me} )?(?:hab|habe|haben)(?: {me})? (?:{w} ){1,5}(?:gesehen|geh(?:ö|oe)rt|gelesen|gefunden|gesucht|getroffen|verpasst|vergessen) $"),
    gate(Idiom, Clause, " (?:geht|f(?:ä|ae)ngt|l(?:ä|ae)uft|kommt) ab [0-9:.]+ uhr (?:los|an|im|in) "),
    gate(Idiom, Clause, " (?:mag|hasse?|liebe?)(?: ich)? (?:diese[ns]|mein leben) "),
    gate(Idiom, Clause, "^ mir (?:ist|wird|war) (?:das|es) (?:{w} )?zu "),
    gate(Idiom, Clause, " heisse? (?:ich )?(?:das|es|alle|euch|dich) "),
    gate(Idiom, Clause, " bleib(?:t|en) (?:{w} )?(?:kalt|warm|dunkel|still|ruhig|trocken|nass) $"),
    gate(Idiom, Clause, "(?: einen umweg | bauen mist | uns (?:mal )?(?:ü|ue)berraschen | name ist programm )"),
    // Orders for this moment.
    gate(Command, Clause, " (?:in|aus|auf|an|von|f(?:ü|ue)r) (?:den|dem|der|die|das) (?:zweite|dritte|vierte)[nrms]? (?:absatz|satz|zeile|spalte|seite|folie|punkt|abschnitt|kapitel|bild) "),
    gate(Idiom, Clause, "^ (?:kannst|k(?:ö|oe)nntest|willst|magst|w(?:ü|ue)rdest)(?: du)? {part}(?:immer noch|noch immer) "),
    gate(Command, Clause, "^ bis (?:dahin|morgen|(?:ü|ue)bermorgen|heute abend|(?:zum )?{weekday}|n(?:ä|ae)chste[nr]? {w}) (?:brauche?|brauchen|muss|m(?:ü|ue)ssen) (?:ich|wir) (?:noch |unbedingt |dringend )*(?:den|die|das|einen|eine|ein|mein|meine|meinen|alle|{number}) "),
    gate(Command, Clause, "^ (?:das|dies|diese[nrsm]?|den|ihn|es|dann|hier|jetzt|beides|nochmal|noch mal) (?:{w} ){0,3}bitte (?:in|als|auf|mit|ohne|ins) "),
    gate(Command, Clause, "^ {polite}(?:(?:ü|ue)bersetze?|mache?|schreibe?|formuliere?|erkl(?:ä|ae)re?|fasse?|k(?:ü|ue)rze?|lies|pr(?:ü|ue)fe?|suche?|zeige?|nimm|gib|lasse?|l(?:ö|oe)sche?|stelle?)(?: (?:mir|bitte|mal|doch|uns))* (?:das|es|ihn|sie|den (?:absatz|text|satz|brief)|die (?:mail|e-mail|datei|antwort|andere)|diese[nrsm]?|den (?:zweiten|ersten|letzten|dritten)) (?:bitte |mal |nochmal |doch )*(?:ins|auf|in|kurz|k(?:ü|ue)rzer|zusammen|um|ab|durch|h(?:ö|oe)flicher|freundlicher|nochmal|als|weg|aus|f(?:ü|ue)r|ohne|mit) "),
    gate(Command, Clause, "^ {polite}(?:ruf|rufe|erinnere?|weck|stelle?|spiel|spiele|(?:ö|oe)ffne|starte|stopp|such|suche|google|buche?|bestelle?|reserviere?|trage?|meld|melde) (?:mich|mir|uns|bitte|mal|einen|eine|den|die|das|dem|ihn|sie|wecker|timer|musik|{w})? ?(?:{w} )*(?:morgen|(?:ü|ue)bermorgen|um [0-9]+|gleich|sp(?:ä|ae)ter|danach|nachher|zur(?:ü|ue)ck|wenn du) "),
];
