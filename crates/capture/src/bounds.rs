//! Finds the clauses beside a statement without which it would not be true: a condition before it, a correction of its end,
//! and what takes it back.

use std::sync::LazyLock;

use super::latin::Latin;
use super::tables::is_day;

/// Words that begin a condition.
const CONDITIONS: &str = r"^(?:if|unless|provided|assuming|wenn|falls|sofern|si|a menos que|sauf si|a moins que|se|a meno che|purche|caso|a nao ser que|если|もし|如果|要是|除非) ?";
/// Words after which the end of a statement is said again, differently.
#[rustfmt::skip]
const CORRECTIONS: &[&str] = &[
    "no wait", "no sorry", "no no", "no", "sorry no", "sorry", "wait", "i mean", "i meant", "or rather", "rather", "ach nein", "nein", "nee",
    "ne", "quatsch", "äh", "ich meine", "ich meinte", "sorry nein", "entschuldigung", "no espera", "perdon", "digo", "quiero decir", "mejor dicho",
    "non pardon", "pardon", "non", "je veux dire", "enfin", "scusa", "anzi", "volevo dire", "desculpa", "quer dizer", "ou melhor", "нет",
    "точнее", "то есть", "不对", "不是", "我是说", "stimmt nicht", "scratch that", "strike that", "correction", "moment", "moment mal", "falsch", "halt",
    "bueno no", "bueno", "mejor", "miento", "ah non", "pardon non", "je me trompe", "non scusa", "no scusa", "说错了", "哦不", "mi correggo", "no aspetta", "minto", "alias", "вернее", "стоп", "ои нет", "いや", "じゃなくて", "じゃなかった", "订正",
];
/// Clauses that say that the one before them is a joke, or not true.
const JOKES: &str = concat!(
    r"^(?:(?:haha|lol|ha|na|and|but|ok) )*(?:(?:just|only|i'm|im|i am|totally) )*(?:kidding|joking|a joke|jk)(?: (?:of course|obviously|haha|lol))?$|^not$",
    r"|^(?:nein )?(?:nur |war (?:nur |natürlich )?|kleiner |das war )?(?:ein |n )?(?:scherz|spass|witz|spässchen)(?: beiseite)?$",
    r"|^(?:era |es )?(?:una )?broma$|^(?:non )?(?:je (?:rigole|plaisante|deconne|blague)|c'est une blague|je rigole hein)$",
    r"|^(?:sto )?scherz(?:o|avo|ando)$|^(?:estou a |to |tô )?brinca(?:ndo|deira|r)$|^(?:я )?(?:шучу|пошутила?|шутка|это шутка)$|^(?:うそうそ|冗谈(?:です|だよ|だけど)?|なんてね|なんちゃって)$|^(?:开玩笑的?|开个玩笑|逗你的|骗你的)$",
    r"|^(?:(?:but|and|well|actually|only) )*(?:that|this|it)(?:'s| is| was| turned out to be| isn't| wasn't) (?:(?:not|a|all|completely|just|actually) )*(?:lie|true|untrue|wrong|false)$",
    r"|^(?:(?:aber|und|das|es) )*stimmt (?:(?:aber|gar|so|leider|doch) )*nicht$|^(?:(?:aber|und|das|es) )*(?:ist|war) (?:(?:aber|gar|so) )*(?:nicht wahr|gelogen|falsch|eine lüge)$",
    r"|^(?:(?:pero|aunque|y) )?(?:eso |esto )?(?:no (?:es|era) (?:verdad|cierto)|es (?:mentira|falso))$|^(?:(?:mais|et) )?(?:(?:ce |c')?(?:n'est|n'etait|est) pas vrai|c'est (?:faux|un mensonge))$",
    r"|^(?:(?:ma|pero) )?(?:non .{1,2} vero|.{1,2} falso|.{1,2} una bugia)$|^(?:(?:mas|e) )?(?:isso )?(?:nao .{1,2} verdade|.{1,2} mentira)$|^(?:но |а )?это (?:неправда|не правда|ложь)$",
    r"|^(?:但是?|可是|不过)?(?:这|那)?(?:不是真的|是假的|是骗人的)$|^(?:でも)?(?:(?:それは)?(?:嘘|うそ)(?:です|だ|だよ)?|本当では(?:ない|ありません))$",
);
/// Clauses that say, as a correction, that the one before them is true of somebody else.
const OF_ANOTHER: &str =
    r"^(?:that|it)(?:'s| is| was) (?:my|our) [a-z]+$|^das (?:ist|war) (?:mein|meine|unser|unsere) [^ ]+$";
/// Clauses that say how sure the speaker is of the one before them.
const HEDGES: &str = concat!(
    r"^(?:maybe|perhaps|probably|possibly|i (?:think|guess|believe|suppose)|i'm not (?:so |really |too )?sure|(?:but )?not (?:so |really |too |quite )?sure(?: (?:yet|though))?|not certain|if i remember (?:right|correctly)",
    r"|vielleicht|wahrscheinlich|möglicherweise|glaub(?:e)? ich|denk(?:e)? ich|(?:bin mir )?(?:aber )?nicht (?:ganz )?sicher|weiss (?:ich )?(?:noch )?nicht genau",
    r"|creo|supongo|tal vez|quiza|quizas|a lo mejor|probablemente|no estoy segur[oa]|je crois|je pense|peut-etre|probablement|sans doute|(?:mais )?pas (?:tout a fait )?sure?",
    r"|credo|penso|forse|probabilmente|non sono sicur[oa]|acho|talvez|provavelmente|nao tenho certeza|наверное|кажется|(?:я )?(?:думаю|полагаю)|по-моему|может быть|не уверена?|talvez sim|nao sei ao certo|возможно|вроде(?: бы)?|не знаю точно|たぶん|多分(?:ね)?|おそらく|かも(?:しれない|しれません)?|自信はない(?:けど)?|大概吧?|可能吧?|应该吧|不太确定|不确定)$",
);
/// Clauses that ask not to tell others.
const CONFIDENCES: &str = concat!(
    r"^(?:(?:but|and|so|aber|und|pero|y|mais|et|ma|mas|e|но) )?(?:",
    r"(?:nobody|no one|noone)(?: else)?(?: (?:at|in|from) [^ ]+(?: [^ ]+)?)? (?:knows?|(?:may|can|must|should) (?:yet )?(?:know|find out))(?: (?:yet|about (?:it|this|that)|this|that|it))* $",
    r"|(?:please )?(?:don't|do not|dont|never) tell [^ ]+ |(?:(?:the|my|our) )?(?:he|she|they|[a-z]+) (?:must not|mustn't|may not|should not|shouldn't) (?:know|find out)",
    r"|(?:please )?(?:don't|do not|dont|never) (?:(?:mention|repeat|share) (?:it|this|that)|say (?:it|this|that|anything)(?: about (?:it|this|that))?) (?:to|with|in|at|around|anywhere|elsewhere|before) |not a word (?:to|about) ",
    r"|(?:please )?(?:keep (?:it|this|that)|it's|this is|that's|strictly) (?:strictly )?confidential|(?:.* )?not out to ",
    r"|(?:it|this|that)(?:'s| is) (?:still )?(?:a )?secret|keep (?:it|this|that) (?:a )?(?:secret|quiet)|(?:please )?keep my secret|(?:strictly )?confidential $|in (?:strict )?confidence $",
    r"|(?:i|we) (?:don't|do not|dont) want (?:anyone|anybody|people|them|him|her|my|our|the|others|everyone) (?:[^ ]+ ){0,5}to (?:know|find out) |(?:this|that|it) (?:must|should|may|can)(?:n't| not|not) leave (?:this|here) ",
    r"|(?:das |es )?(?:darf|soll|sollte)(?: (?:das|es|noch|auf|der|arbeit|in|bitte))* (?:keiner|niemand)|(?:keiner|niemand) (?:darf|soll) (?:das |es |davon )*(?:wissen|erfahren)|(?:keiner|niemand) weiss (?:das|es|davon)|(?:bitte )?(?:erzähl|sag|verrat|erwähn)(?:e|t|et)? (?:(?:es|das|dies|bitte|aber|ja|mal|noch|auch) )*(?:niemand(?:em|en)?|keinem|nicht (?:weiter|(?:dem|den|der|im|in|vor) |(?:mein|unser)[a-z]* )|(?:[^ ]+ (?:(?:bitte|aber|noch) )*)?nichts davon|[^ ]+ (?:(?:bitte|aber|noch) )*nichts? $)",
    r"|(?:bitte )?nicht weiter(?:sagen|erzählen) |(?:er|sie|(?:mein|meine|unser|unsere|der|die|das) [^ ]+) weiss (?:das |es )?(?:noch )?nicht(?:s)? davon",
    r"|(?:(?:mein|meine|unser|unsere|der|die|das) )?[^ ]+ (?:darf|dürfen|soll|sollen|sollte|sollten) (?:das |es |davon )?(?:noch |bitte )*nicht(?:s)? (?:davon )?(?:wissen|erfahren)|(?:das|davon) (?:darf|dürfen|soll|sollen|sollte|sollten) (?:[^ ]+ ){1,3}nicht(?:s)? (?:wissen|erfahren)",
    r"|(?:das|dies|es) (?:ist|bleibt) (?:(?:aber|bitte|noch|ja|streng|absolut|alles) )*(?:(?:ein )?geheim|vertraulich )|(?:bitte )?(?:streng |absolut )?vertraulich(?: behandeln)? $|(?:ganz )?im vertrauen(?: gesagt)? $",
    r"|(?:ich|wir) (?:will|möchte|wollen|möchten) (?:aber )?nicht ,? ?dass (?:[^ ]+ ){1,5}(?:erfährt|erfahren|weiss|wissen|mitbekommt|mitbekommen|mitkriegt|mitkriegen) ",
    r"|(?:que )?nadie (?:mas )?(?:lo )?(?:sabe|sepa|(?:puede|debe) saber(?:lo)?)(?: todavia| aun)? $|mi [^ ]+ (?:todavia |aun )?no lo sabe|no (?:se )?(?:lo |le )?(?:digas|cuentes|menciones)|ni una palabra (?:a|al|en) |es (?:un )?secreto|que no se entere",
    r"|(?:por favor )?guard(?:a|ad|e)(?:me)? el secreto|(?:(?:(?:esto|eso) )?es )?(?:(?:muy|totalmente|estrictamente) )?confidencial $|en confianza $|(?:que )?(?:esto |eso )?no (?:salga|puede salir|debe salir) de (?:aqui|este chat)",
    r"|no quiero que (?:[^ ]+ ){0,4}(?:lo sep(?:a|an|ais)|se (?:lo )?(?:sepa|entere|enteren)) ",
    r"|personne (?:ne (?:le |la )?(?:sait|doit (?:le )?savoir)|n'est au courant)(?: encore)? $|(?:mon|ma|mes) [^ ]+ ne (?:le |la )?(?:sait|savent) pas|ne (?:le |la |lui |leur |l'|en )*(?:dis|dites|repete|mentionne) |pas un mot (?:a|au|aux) |c'est (?:un |encore un )?secret|(?:c'est )?(?:(?:tres|strictement) )?confidentiel $|en toute confidence $|garde(?:z)?(?:-moi)? (?:le|ce) secret|(?:que )?(?:ca|cela) (?:ne )?(?:(?:sort|sorte) pas|doit pas sortir) d'ici|n'en (?:parle|parlez) (?:a personne|pas)|(?:je|j') ?(?:ne )?(?:veux|voudrais) pas qu(?:e|'[^ ]+) (?:[^ ]+ ){0,4}(?:le |l')(?:sache|sachent|apprenne|apprennent) |nessuno (?:lo )?(?:sa|deve saperlo)(?: ancora)? $|non dirlo|e un segreto|ninguem (?:sabe|pode saber)(?: ainda)? $|nao (?:contes?|digas) ",
    r"|(?:neanche|nemmeno) una parola (?:a|al|con) |nem uma palavra (?:a|ao|aos|para|pra) |(?:per favore )?non (?:lo |la )?(?:dir(?:e|lo|glielo|melo)|dica|raccontar(?:e|lo))(?: (?:a|ad|al|in) (?:nessuno|miei|mi[oa]|giro|[a-z]+))?|nessuno (?:lo sa|(?:lo )?(?:deve|puo) sap[a-z]+)(?: ancora)? $|(?:il mio|la mia|i miei|le mie|mi[oa]) [^ ]+ (?:ancora )?non (?:lo sa|lo sanno|deve saperlo|devono saperlo)(?: ancora)? ",
    r"|(?:[ex] |resta |questo [ex] |questa [ex] )?(?:ancora )?un segreto |(?:[ex] )?(?:strettamente |molto )?(?:confidenziale|riservat[oa]) $|in confidenza $|mantieni il segreto|non voglio che (?:[^ ]+ ){0,4}(?:lo )?(?:sappia|sappiano|venga(?:no)? a saper[a-z]+|si sappia) ",
    r"|(?:por favor )?nao (?:(?:o |a )?(?:conte|contes|conta|diga|digas|diz|fale|fala|fales))(?: (?:isso|isto|nada|pra|para|a|ao|pro))* (?:ninguem|meu|minha|meus|minhas|[a-z]+)|ninguem (?:(?:mais )?sabe|(?:pode|deve) saber)(?: (?:disso|disto|ainda))* $|(?:o |a )?(?:meu|minha) [^ ]+ (?:ainda )?nao sabe(?: (?:disso|ainda))* $",
    r"|(?:isso |isto )?(?:[ex] )(?:um )?segredo|(?:guarda|guarde)(?:-me)? (?:o |esse )?segredo|(?:(?:isso |isto )?[ex] )?(?:muito |estritamente )?confidencial $|em confianca $|nao quero que (?:[^ ]+ ){0,4}(?:saiba|saibam|descubra|descubram|se saiba) ",
    r"|(?:пожалуиста )?(?:только )?(?:никому )?не (?:говори|рассказываи)(?:те)? |(?:мои|моя|мое) [^ ]+ (?:еще |пока )?не знает|(?:это )?(?:пока |строго )?(?:секрет|таина|конфиденциально) $|по секрету $|(?:пусть )?(?:это )?останется в таине|не хочу(?: ,)? (?:чтобы )(?:[^ ]+ ){0,4}(?:знала?|знали|узнала?|узнали) ",
    r"|(?:誰|谁|だれ)にも(?:言|话|教|内)|(?:まだ)?(?:誰|谁|だれ)も知らない|(?:[^ ]{1,12}には?)?(?:内绪|秘密)(?:に|で|です|だ|ね)|他言无用|(?:会社|家族|夫|妻|上司|同僚|亲|母|父|みんな)に(?:は)?(?:言わないで|话さないで|知られたくない|まだ言ってい?ない)|ここだけの秘密",
    r"|никому не|никто не (?:знает|должен)|это секрет|(?:请|你)?(?:别|不要)告诉(?:任何人|别人|他|她|老板|家里|我妈|我爸|同事|大家)|(?:我)?还?没(?:有)?告诉(?:任何人|别人|家里|老板|同事)|(?:但是|但|不过)?我?不(?:想|希望|要)让?.{1,36}知道|(?:请|你)?(?:别|不要)(?:说出去|往外说|到处说|外传)|(?:请|帮我|替我|麻烦)+保密|(?:没人|谁都不|大家都?不|不能让.{1,24})知道|要?保密)",
);
/// Words of requests that look like these: "don't tell me to hurry", "never tell jokes".
const TO_SPEAKER: &[&str] =
    &["tell me ", "tell us ", "tell jokes ", "tell lies ", "tell stories ", "sag mir ", "sag uns "];
/// Clauses that say that something in the one before them was a mistake.
const APOLOGIES: &str = concat!(
    r"^(?:sorry )?(?:i (?:mistyped|misspoke|was wrong)(?: (?:before|earlier))?|(?:that was |it was )?(?:a |my )(?:typo|mistake)|typo",
    r"|(?:ich )?(?:hab|habe) mich (?:vertippt|vertan|verschrieben|geirrt)|(?:das )?war (?:ein )?(?:tippfehler|vertipper)",
    r"|me equivoque|(?:fue|era) un error|je me suis trompee?|(?:c'etait )?une (?:erreur|faute de frappe)|mi sono sbagliat[oa]|me enganei)$",
);
/// Clauses that report or dream the one after them: "according to Tom", or with a verb at the end, as in "mein Kollege
/// behauptet, ich habe einen Hund".
const FRAMES: &str = concat!(
    r"^according to [^ ]+.*$|(?:^| )(?:behauptet|behauptete|sagt|sagte|meint|meinte|denkt|dachte|glaubt|glaubte|träumte|geträumt|gesagt|gedacht|erzählt|erzählte",
    r"|schreibt|schrieb|vermutet|hofft|hoffe|wünschte|findet)$",
);
/// Words of a statement of what would be.
#[rustfmt::skip]
const UNREAL: &[&str] = &[
    "would", "i'd", "we'd", "could", "wäre", "würde", "hätte", "könnte", "seria", "seriamos", "estaria", "tendria", "serais", "aurais",
    "voudrais", "sarei", "avrei", "vorrei", "gostaria", "teria", "бы",
];
/// Words after "so" in the end of a clause: "so much", "so viel". Before others it begins one: "so cheap infra only".
#[rustfmt::skip]
const AMOUNTS: &[&str] = &[
    "much", "many", "often", "long", "early", "late", "fast", "bad", "hard", "viel", "viele", "oft", "lang", "lange", "früh", "spät",
    "schnell", "schlimm", "gern", "gerne", "gut",
];
/// The maximum number of words of what is said again.
const AGAIN_WORDS: usize = 5;
/// What takes back the clause before it.
const RETRACTIONS: &str = concat!(
    r"^(?:(?:but|though|aber|doch|pero|mais|ma|mas|но) .*(?:fell through|called (?:it|that|this) off|(?:it|that|this)(?:'s| is| was) (?:off|cancel+ed|over)",
    r"|changed (?:my|our|his|her) minds?|(?:it|that) (?:wasn't|was not|isn't|is not|never) |(?:was|is|came back) negative|didn't (?:happen|work out|go through)|not any ?more",
    r"|geplatzt|abgesagt|doch nicht|wurde nichts|hat nicht geklappt|al final no|se cancelo|lo cancelamos|finalement (?:pas|non)|a ete annule|on a annule|(?:ca|cela) n'a pas (?:marche|abouti|fonctionne)|c'est tombe a l'eau",
    r"|alla fine no|annullato|no fim nao|cancelado|передумала?|отменила?|(?:[ex] )?saltat[oa]|non se ne fa (?:piu )?niente|nao (?:deu certo|rolou|aconteceu)|foi cancelad[oa]|не (?:получилось|вышло|состоялось)|сорвалось|отменилось|отменили|やっぱり(?:やめ|なし)|(?:キャンセル|中止|なし)にな(?:った|りました))",
    r"|but (?:really|actually|in (?:fact|reality)) |aber (?:eigentlich|in wirklichkeit|tatsächlich) |pero en realidad |mais en (?:fait|realite) ",
    r"|or at least that's what )",
);

/// Returns whether a clause states a condition of the one after it.
pub(super) fn is_condition(clause: &str) -> bool {
    static PATTERN: LazyLock<Latin> = LazyLock::new(|| Latin::of(CONDITIONS));
    PATTERN.is_match(clause)
}

/// Returns whether a clause before another one says who claims or dreams it.
pub(super) fn is_frame(clause: &str) -> bool {
    static PATTERN: LazyLock<Latin> = LazyLock::new(|| Latin::of(FRAMES));
    PATTERN.is_match(clause.trim())
}

/// Returns whether a statement tells what would be, so that a condition after it belongs to it.
pub(super) fn is_unreal(statement: &str) -> bool {
    statement.split(' ').any(|word| UNREAL.contains(&word))
}

/// Returns whether a clause says that the one before it is a joke, or not true.
pub(super) fn is_joke(clause: &str) -> bool {
    static PATTERN: LazyLock<Latin> = LazyLock::new(|| Latin::of(JOKES));
    PATTERN.is_match(clause.trim())
}

/// Returns whether a clause says, if it corrects, that the one before it is true of somebody else: "that's my sister".
pub(super) fn is_of_another(clause: &str) -> bool {
    static PATTERN: LazyLock<Latin> = LazyLock::new(|| Latin::of(OF_ANOTHER));
    PATTERN.is_match(clause.trim())
}

/// Returns whether what is said again names a number or a day.
pub(super) fn names_time(again: &[&str]) -> bool {
    let names = |word: &str| is_day(word) || word.contains(|c: char| c.is_ascii_digit());
    again.iter().any(|clause| {
        clause.split(' ').any(names) || ["周", "星期", "曜"].iter().any(|day| clause.contains(day))
    })
}

/// Returns whether a clause says how sure the speaker is of the one before it.
pub(super) fn is_hedge(clause: &str) -> bool {
    static PATTERN: LazyLock<Latin> = LazyLock::new(|| Latin::of(HEDGES));
    PATTERN.is_match(clause.trim())
}

/// Returns whether a clause asks not to tell others what is said beside it.
pub(super) fn is_confidence(clause: &str) -> bool {
    static PATTERN: LazyLock<Latin> = LazyLock::new(|| Latin::of(CONFIDENCES));
    let clause = format!("{} ", clause.trim());
    PATTERN.is_match(&clause) && !TO_SPEAKER.iter().any(|words| clause.contains(words))
}

/// Returns whether a clause says nothing but how sure the speaker is of the one before it, whom not to tell, or that they
/// mistyped something.
pub(super) fn is_aside(clause: &str) -> bool {
    static PATTERN: LazyLock<Latin> = LazyLock::new(|| Latin::of(APOLOGIES));
    is_hedge(clause) || is_confidence(clause) || PATTERN.is_match(clause.trim())
}

/// Returns whether a clause takes back the one before it.
pub(super) fn takes_back(clause: &str) -> bool {
    static PATTERN: LazyLock<Latin> = LazyLock::new(|| Latin::of(RETRACTIONS));
    PATTERN.is_match(&format!("{clause} "))
}

/// Returns whether a clause is only the end of the one before it: "so much", "plus que du café", "sino en Vigo".
pub(super) fn is_end(clause: &str) -> bool {
    if clause.starts_with("而是") {
        return true;
    }
    match clause.split_once(' ') {
        Some(("so", rest)) => AMOUNTS.contains(&rest.split(' ').next().unwrap_or_default()),
        Some(("sino" | "sondern", _)) => true,
        Some(("plus", rest)) => rest.starts_with("que ") || rest.starts_with("qu'"),
        _ => false,
    }
}

/// Returns whether a clause says no more than another day: "it's on Saturday".
pub(super) fn is_instead(clause: &str) -> bool {
    clause.split(' ').count() <= AGAIN_WORDS && names_time(&[clause])
}

/// Returns whether a clause says that every other one is meant of what the clause before it names: "un martes sí" "y otro no".
pub(super) fn is_every_other(before: &str, clause: &str) -> bool {
    let last = |text: &str, words: &[&str]| text.rsplit(' ').next().is_some_and(|last| words.contains(&last));
    last(before, &["si", "oui", "ja", "yes", "sim"])
        && last(clause, &["no", "non", "nein", "nicht", "tambien", "nao"])
        && clause.split(' ').count() <= AGAIN_WORDS
}

/// Returns whether a clause only announces that the end of the one before it is said again.
pub(super) fn is_correction(clause: &str) -> bool {
    CORRECTIONS.contains(&clause.trim())
}

/// Returns how many of the clauses after a statement, in its sentence, say its end again: those of "1957, no, 1958".
pub(super) fn corrections(after: &[&str]) -> usize {
    let Some(first) = after.first() else { return 0 };
    let count = |text: &str| text.split(' ').filter(|word| !word.is_empty()).count();
    let Some(mark) = CORRECTIONS.iter().filter(|mark| begins(first, mark)).max_by_key(|mark| mark.len())
    else {
        return 0;
    };
    let rest = first[mark.len()..].trim();
    match rest.is_empty() {
        // "No, wait, at 11": the second word is a mark too.
        true => match corrections(&after[1..]) {
            0 => after.get(1).map_or(0, |again| if count(again) <= AGAIN_WORDS { 2 } else { 0 }),
            more => 1 + more,
        },
        // "Sorry for the short notice" says nothing again.
        false => usize::from(count(rest) <= AGAIN_WORDS && (is_strong(mark) || names_time(&[rest]))),
    }
}

/// Returns whether words announce that something is said again, also without a mark after them.
fn is_strong(mark: &str) -> bool {
    #[rustfmt::skip]
    const WEAK: &[&str] = &[
        "no", "sorry", "wait", "nein", "nee", "ne", "entschuldigung", "moment", "halt", "bueno", "mejor", "perdon", "non", "pardon", "enfin",
        "scusa", "desculpa", "нет", "correction", "digo", "rather",
    ];
    !WEAK.contains(&mark)
}

fn begins(text: &str, mark: &str) -> bool {
    let is_han = mark.chars().all(|c| !c.is_ascii() && c.is_alphabetic() && c > '\u{3000}');
    text.strip_prefix(mark).is_some_and(|rest| is_han || rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_again_belongs_to_the_statement() {
        for (after, expected) in [
            (&["no", "1958"][..], 2),
            (&["sorry", "2 cats"], 2),
            (&["no wait", "at 11"], 2),
            (&["no", "wait", "at 11"], 3),
            (&["i mean wednesday"], 1),
            (&["quatsch", "in köln"], 2),
            (&["no hoy"], 1),
            (&["sorry heute"], 1),
            (&["and i like tea"], 0),
            (&["now i live there"], 0),
            (&["no", "i do not want to talk about my work"], 0),
            (&[], 0),
        ] {
            assert_eq!(corrections(after), expected, "{after:?}");
        }
    }

    #[test]
    fn ends_of_clauses() {
        for (clause, expected) in [
            ("so much", true),
            ("so viel", true),
            ("plus que du cafe", true),
            ("sino en vigo", true),
            ("sondern in köln", true),
            ("而是周六", true),
            ("so i moved", false),
            ("so cheap infra only", false),
            ("plus my wife likes it", false),
            ("so", false),
        ] {
            assert_eq!(is_end(clause), expected, "{clause}");
        }
    }

    #[test]
    fn every_other_one() {
        for (before, clause, expected) in [
            ("tengo supervision un martes si", "y otro no", true),
            ("trabajo un sabado si", "uno no", true),
            ("trabajo un dia si", "y otro tambien", true),
            ("je travaille un samedi oui", "l'autre non", true),
            ("ich arbeite eine woche ja", "die andere nicht", true),
            ("claro que si", "y no", true),
            ("como pescado", "y carne no", false),
            ("ella me dijo que si", "pero yo creo que al final no", false),
            ("tengo supervision un martes si", "y otro curso", false),
        ] {
            assert_eq!(is_every_other(before, clause), expected, "{before} | {clause}");
        }
    }

    #[test]
    fn jokes_and_hedges() {
        for clause in ["just kidding", "scherzo", "brincadeira", "шучу", "冗談です"] {
            assert!(is_joke(&memtape_language::fold::word(clause)), "{clause}");
        }
        for clause in ["i think", "credo", "talvez", "возможно", "たぶん"] {
            assert!(is_hedge(clause), "{clause}");
        }
    }

    #[test]
    fn conditions_and_retractions() {
        for clause in [
            "unless they raise my salary",
            "wenn sie ja sagt",
            "se lei vuole",
            "a nao ser que chova",
            "если она согласится",
            "もし雨なら",
            "如果她同意",
        ] {
            assert!(is_condition(clause), "{clause}");
        }
        for clause in [
            "but it fell through",
            "but we called it off",
            "but really in köln",
            "aber das ist geplatzt",
            "ma e saltato",
            "mas foi cancelado",
            "но отменили",
        ] {
            assert!(takes_back(clause), "{clause}");
        }
        for clause in ["but i like it", "since it was cheap", "if only", "aber ich mag es"] {
            assert!(!takes_back(clause), "{clause}");
        }
    }
}
