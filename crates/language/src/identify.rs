//! Identifies the language of a text by its letters, or by its most common words; even a short text has one or two of them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::{Language, han, kana};

/// The languages that are identified by their words.
const LANGUAGES: [Language; 6] = [
    Language::English,
    Language::German,
    Language::Spanish,
    Language::French,
    Language::Italian,
    Language::Portuguese,
];
/// Common words of each, folded. Those of Italian and Portuguese lack words that English has too: "in", "come", "do".
const COMMON: [&str; LANGUAGES.len()] = [
    "i i'm im i've i'd i'll you your my me we we're we've we'll our us the a an and or but is are was were be \
     been do don't dont does did have has had will would can could should not never always please pls this that \
     these those it it's of to in on at for with from as by if so what why how who when where let's lets he she \
     they them his her their no more than over just only every all any some there here now then today yesterday \
     tomorrow about up out off like love hate prefer use call keep got get going gonna it which because",
    "ich du er sie es wir ihr mich mir dich dir uns euch mein meine meiner meinen meinem dein deine unser unsere \
     der die das den dem des ein eine einen einem einer und oder aber nicht kein keine keinen ist bin bist sind \
     war waren hab habe hat haben wird werden bitte immer nie nur noch schon auch auf mit von zu zum zur im in am \
     an für bei nach aus heute gestern morgen ab jetzt künftig diesmal lieber mag hasse statt als wie was wo wann \
     warum ja nein doch mal nenn alles gern gerne heisse wohne wohn lass nix ne nen über gegen seit bis vom beim \
     ans ins geht bleibt steht jeden jede dass weil wenn sonst ohne vor hier da so einfach antworte schreib \
     vorgestern übermorgen montag dienstag mittwoch donnerstag freitag samstag sonntag übrigens trotzdem \
     ausserdem zukünftig muss uns bloss grundsätzlich",
    "yo tu el ella ellos nosotros me te se nos mi mis su sus nuestro nuestra la los las lo un una unos unas y o \
     pero no si es soy son eres sos esta estoy estamos estan era fue he ha hemos han por para con sin de del al \
     en que q xq como cuando donde quien siempre nunca jamas solo ya hoy ayer anoche manana ahora muy mas menos \
     todo todos nada gusta encanta prefiero vivo tengo tenemos trabajo llamo llamame hola gracias porfa favor \
     esto eso este esa ese vez usa usamos vamos pon ponme dime decime dame desde partir mejor odio hace cada cero \
     quiero somos llevo nadie ninguna ningun descartado descartada decidido acordado acordamos decidimos elegimos \
     optamos quedamos resuelto cerrado seguimos cambiamos cancelamos lanzamos migramos respuestas breve breves \
     corto cortas alergico alergica vegano vegana soltero casada casado hijo hija hijos perro gato coche carro \
     piso casa mama papa lunes martes miercoles jueves viernes sabado domingo enero febrero marzo junio julio \
     agosto septiembre octubre diciembre semana nacio murio aprobe firmamos terminamos mudamos escribe escribeme \
     responde respondeme contesta contestame habla hablame usas uses pongas mandes digas explicame resumeme \
     tratame tuteame detesto soporto aguanto molesta encantan gustan puedes podes podrias prohibido basta adios \
     todavia aun borres toques esos esas estos estas fui sido estado tener hacer puedo puede pueden sabe saben \
     creo pienso entiendo importa funciona preocupes parece bueno buena buenos buenas mucho mucha muchos muchas \
     poco poca algo alguien cosa cosas dia dias tarde noche semanas meses ano anos tiempo vida mundo gente \
     familia amigo amiga madre padre mujer marido novio novia pareja jefe jefa trabajar decir ver saber dar ir \
     comer dormir estudiar estudio curro laburo peso mido calzo kilos metros naci creci crecimos escribo leo \
     comemos bebo tomo duermo corro juego toco compro vendo pago cobro uso voy vas hago haces hacemos dice dijo \
     dicen digo viene vienen llega llego salgo salimos entro empiezo empezamos termino queda quedan queremos \
     quieres quiere necesito espero busco pierdo perdi gano gane compre compramos vendimos pasado pasada proximo \
     proxima primero primera segundo segunda ultimo ultima nuevo nueva nuevos nuevas viejo vieja grande pequeno \
     peor cual cuanto cuanta cuantos alla aca aqui ahi asi dentro fuera cerca lejos encima debajo junto agua cafe \
     comida cena dinero banco calle ciudad pueblo porque aunque entonces tambien tampoco mientras hasta entre \
     sobre segun despues antes luego",
    "je j'ai j'habite j'aime j'adore j'en j'y jsuis j'suis chuis jveux jpeux tu il elle on nous vous me se mon ma \
     mes ton ta tes notre nos votre vos le la les un une des du de et ou mais ne pas plus jamais toujours est \
     suis sont etait c'est c'etait d'abord ai as avons avez ont pour par avec sans dans sur au aux en que qui \
     quoi comment quand hier demain aujourd'hui maintenant desormais dorenavant stp svp merci salut bonjour fais \
     mets utilise prefere deteste moi toi lui cette cet ce ces fois plutot appelle-moi tutoie-moi m'appelle t'es \
     t'as y'a n'ai n'est qu'on qu'il d'un d'une chez donc tous toutes tout tres ici prenom ville metier j' l' d' \
     qu' n' m' s' c' t' rien aussi zero exit acte evite reponds reponds-moi",
    "io tu lui lei noi voi loro mi ti si ci vi mio mia miei mie tuo tua tuoi tue suo sua suoi \
     sue nostro nostra nostri nostre il lo la gli le un uno una e ed ma non sono sei siamo siete era ero erano ho hai ha abbiamo \
     avete hanno avevo aveva di da con su per tra fra del dello della dei degli delle dell' al allo alla ai \
     agli alle all' dal dalla dai dalle dall' nel nello nella nei nelle nell' sul sulla sui sulle sull' l' un' \
     d' c' che chi cosa cos' quando dove dov'e quanto quanta quanti quante perche quale quali anche ancora gia \
     mai sempre solo poi oggi ieri domani stasera stamattina adesso ora allora molto poco piu meno tutto tutta \
     tutti tutte niente nulla qualcosa qualcuno nessuno questo questa questi queste quello quella quelli quelle \
     sto stai sta stiamo stanno vado va andiamo vanno faccio fai fa facciamo fanno posso puoi puo possiamo \
     possono devo devi deve dobbiamo devono voglio vuoi vuole vogliamo vorrei sai piace piacciono odio \
     preferisco abito vivo lavoro chiamo chiamami ciao grazie scusa prego favore lunedi martedi mercoledi \
     giovedi venerdi sabato domenica gennaio febbraio aprile maggio giugno luglio agosto settembre ottobre \
     dicembre settimana mese anno giorno giorni casa figlio figlia figli moglie marito mamma papa fratello \
     sorella nonna nonno amico amica gatto cane scuola comunque quindi pero invece dopo prima senza fino dentro \
     fuori vicino lontano bene meglio peggio ecco boh insomma magari ricordami ricordati scrivimi dimmi \
     rispondi usa usiamo deciso smesso stata stato fatto detto qui qua li uguale cioe",
    "eu tu voce voces ele ela eles elas nos mim comigo te se lhe meu minha meus minhas teu tua \
     teus tuas seu sua seus suas nosso nossa nossos nossas o os um uma uns umas e ou mas nao sim sou es somos \
     sao era foi fui estou esta estamos estao estava tenho tens tem temos tinha teve ter ser estar com em de da \
     dos das na nas num numa pelo pela pelos pelas ao aos por para pra sem desde entre sobre que quem qual \
     quais quando onde quanto quanta quantos quantas porque como ja ainda nunca sempre tambem mais menos muito \
     muita muitos muitas pouco tudo todo toda todos todas nada alguem ninguem algo hoje ontem amanha agora \
     depois antes aqui ali la isso isto aquilo esse essa este aquele aquela vou vai vamos vao fazer faco faz \
     fazemos fiz fez posso pode podes podem quero quer preciso precisa devo deve gosto gosta adoro odeio \
     prefiro moro mora trabalho chamo obrigado obrigada oi ola tchau favor segunda terca quarta quinta sexta \
     sabado domingo feira janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro \
     dezembro semana mes ano dia dias casa filho filha filhos mulher marido mae pai irmao irma avo amigo amiga \
     gato cachorro cao escola bem mal melhor pior entao assim mesmo porem alias gente lembra lembre anota usa \
     usamos decidimos combinamos ficou fica ficar fico vc tb pq hj nem tipo meia cada dele dela deles delas \
     nisso nele nela pois outro outra outros outras lembrar dizer disse falar fala conta conto comer dormir \
     comprar comprei chama chamar abre liga uso detesto bebo moramos tomo falo cancela deixa deixo passa volta \
     viagem vinho dificil",
];
/// The maximum number of words that are counted.
const COUNTED: usize = 400;
/// The minimum share of the best match that a language needs to be likely.
const SHARE: f64 = 0.4;

/// In which languages each common word is one.
static KNOWN: LazyLock<FxHashMap<&str, [bool; LANGUAGES.len()]>> = LazyLock::new(|| {
    let mut known: FxHashMap<&str, [bool; LANGUAGES.len()]> = FxHashMap::default();
    for (index, words) in COMMON.iter().enumerate() {
        for word in words.split_ascii_whitespace() {
            known.entry(word).or_default()[index] = true;
        }
    }
    known
});

/// Returns the language that the letters of a text indicate: Japanese if there is any kana, else Chinese if there is any
/// Chinese character, and Russian if at least a third of the words are in Cyrillic letters. `None` for Latin letters.
#[must_use]
pub fn of_letters(text: &str) -> Option<Language> {
    if text.is_ascii() {
        return None;
    }
    if text.contains(kana::is_kana) {
        return Some(Language::Japanese);
    }
    if text.contains(han::is_han) {
        return Some(Language::Chinese);
    }
    let is_cyrillic = |word: &&str| word.starts_with(|c| matches!(c, '\u{400}'..='\u{52F}'));
    let (cyrillic, others): (Vec<&str>, Vec<&str>) =
        text.unicode_words().take(COUNTED).partition(is_cyrillic);
    (!cyrillic.is_empty() && cyrillic.len() * 2 >= others.len()).then_some(Language::Russian)
}

/// Returns whether a folded word is a common one of a language.
pub(crate) fn is_common(word: &str, language: Language) -> bool {
    let index = LANGUAGES.iter().position(|other| *other == language);
    KNOWN.get(word).zip(index).is_some_and(|(known, index)| known[index])
}

/// Returns the languages that a text of some folded words may be in, most likely first; of two alike, English first.
/// A text that mixes languages may have several, and one without common words has none.
pub fn likely<'w>(words: impl Iterator<Item = &'w str>) -> Vec<Language> {
    let mut counts = [0u16; LANGUAGES.len()];
    for word in words.take(COUNTED) {
        // The first part of a contraction such as "j'embauche" is a known word too.
        let leaning = word.find('\'').map(|at| &word[..=at]);
        let known = KNOWN.get(word).or_else(|| KNOWN.get(leaning?));
        for (count, is_word) in counts.iter_mut().zip(known.copied().unwrap_or_default()) {
            *count += u16::from(is_word);
        }
    }
    let most = f64::from(counts.iter().copied().max().unwrap_or(0));
    let mut likely: Vec<usize> =
        (0..LANGUAGES.len()).filter(|&i| counts[i] > 0 && f64::from(counts[i]) >= SHARE * most).collect();
    likely.sort_by_key(|&index| std::cmp::Reverse(counts[index]));
    likely.into_iter().map(|index| LANGUAGES[index]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_indicate_languages() {
        for (text, expected) in [
            ("昨日、手術を受けた", Some(Language::Japanese)),
            ("昨天我做了手术", Some(Language::Chinese)),
            ("вчера мне сделали операцию", Some(Language::Russian)),
            ("у нас postgres 16", Some(Language::Russian)),
            ("my colleague is called Катя in the chat", None),
            ("I live in Malmö", None),
            ("", None),
        ] {
            assert_eq!(of_letters(text), expected, "{text}");
        }
    }

    #[test]
    fn common_words_are_folded() {
        for word in COMMON.iter().flat_map(|words| words.split_ascii_whitespace()) {
            assert_eq!(crate::fold::word(word), word);
        }
    }
}
