//! English.

use super::Why::{
    Command, Hypothetical, Idiom, Joke, Negated, Other, Past, Pasted, Question, Reported, Secret, Unsafe,
};
use super::language::Reach::{Clause, Message, Onward, Rest, Sentence};
use super::language::When;
use super::language::{DayWord, Gate, Language, Rule, day, decision, episodic, fact, gate, preference};

pub(super) static TABLE: Language = Language {
    name: "english",
    words: "i i'm im i've i'd i'll you your my me we we're we've we'll our us the a an and or but is are was were be been \
            do don't dont does did have has had will would can could should not never always please pls this that these \
            those it it's of to in on at for with from as by if so what why how who when where let's lets he she they \
            them his her their no more than over just only every all any some there here now then today yesterday \
            tomorrow about up out off like love hate prefer use call keep got get going gonna it which because",
    fragments: FRAGMENTS,
    openers: "hi|hey|hello|yo|hiya|morning|good (?:morning|evening|afternoon)|hi there|hey there|ok|okay|k|so|and|but|or|\
              well|also|oh|ah|um|uh|er|erm|hmm|yeah|yes|yep|yup|yea|lol|haha|hah|btw|by the way|fyi|for the record|\
              anyway|anyways|alright|right|fine|cool|great|thanks|thank you|thx|ty|cheers|sorry|honestly|tbh|frankly|\
              seriously|but seriously|actually|basically|look|listen|see|note that|note|heads up(?: everyone| all| team)?|\
              quick (?:one|note|update|question)|plus|then|because|cos|cause|since|though|although|as|ps|p\\.s|just so you know|\
              in the end|in short|long story short|to be clear|also note|please note(?: that)?|remember(?: that)?|keep in mind(?: that)?|\
              for context|for reference|update|good news|bad news|reminder|settled|decided|final|(?:ok )?decision|\
              what i (?:want to say|mean) is|what is (?:fixed|clear|certain|settled|decided)|one (?:more )?thing|gonna be (?:blunt|honest)|\
              i think|i guess|i mean|you know|u know|like|for me|imo|imho|in my opinion|personally|as i said|like i said|dude|man|bro|guys|folks|omg|ugh|argh|phew|wow|nice|sure|perfect|no ,|nope|nah|which means|exceptionally",
    closers: "btw|by the way|lol|haha|hah|tbh|imo|imho|thanks|thank you|thx|ty|cheers|though|tho|anyway|as well|too|ok|okay|right|sorry|fyi|\
              you know|just so you know|so you know|for the record|and|but|so|or|because|xd|:d|please|pls|honestly|omg|ugh",
    connectors: &[
        // A comma, and a word that begins a clause.
        "( , (?:and |but |so |or |because |cause |cos |as |since |while |though |although |plus |otherwise |then |yet |also )*){start} ",
        "( , (?:and|but|so|because|cos|since|though|although|otherwise|which|who|whose|plus|hence|therefore|that's why|even though|whereas) )",
        "( (?:and|but|so|plus) (?:also )?)(?:i|i'm|im|i've|i'd|i'll|we|we're|we've|we'll|my|our|please|pls|don't|he|she|they|it's|every|each|stick|break|keep that|keep in)(?: |')",
        "( (?:but|because|bc|cos|cuz|although|though|otherwise|whereas|even though) )",
        "( , )[a-z]+ (?:moves|stays|goes|gets|is|are) ",
        "( (?::|-) )",
    ],
    gates: GATES,
    rules: RULES,
    session: " (?:this time|this once|just once|for now|right now|for the moment|for today|today|for once|tonight|for this [^,]+|in this (?:one|case|letter|thread|file|chat|conversation)|on this (?:one|occasion)|this one time|this week|until (?:tomorrow|tonight|{weekday}|i(?:'m| am) back|further notice)|exceptionally|while i'm|for the time being|for a (?:bit|while)|this morning|this afternoon|this evening|temporarily) ",
    past: " {ed} ",
    weekdays: [
        "mon(?:days?)?",
        "tue(?:s(?:days?)?)?",
        "wed(?:nesdays?)?",
        "thu(?:r(?:s(?:days?)?)?)?",
        "fri(?:days?)?",
        "sat(?:urdays?)?",
        "sun(?:days?)?",
    ],
    numbers: &["one|a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
    days: DAYS,
};

const FRAGMENTS: &[(&str, &str)] = &[
    // Words that say how, between a subject and its verb.
    (
        "adv",
        "(?: (?:really|rly|just|actually|absolutely|always|still|also|generally|usually|normally|mostly|honestly|much|far|definitely|totally|kinda|kind of|personally|currently|now|already|only|simply|quite|rather|strongly|truly|do|both|all|finally))*",
    ),
    ("am", "(?:i'm|im|i am|we're|we are)"),
    ("have", "(?:i have|i've|i've got|i have got|ive got|i got|we have|we've got|we've)"),
    ("polite", "(?:(?:please|pls|plz|just|also|and|maybe|kindly) )*"),
    // Everybody but the speaker: a word that is not i or we.
    ("they", "(?:[a-hj-vx-z][a-z'-]*|i[a-z'-]+|w[a-df-z][a-z'-]*|we[a-z'-]+)"),
    (
        "kin",
        "(?:wife|husband|spouse|partner|girlfriend|boyfriend|gf|bf|fiancee?|son|daughter|kids?|child|children|boys?|girls?|baby|toddler|twins|mum|mom|mother|dad|father|parents|brother|sister|siblings|grandma|grandmother|grandpa|grandfather|granny|gran|grandparents|aunt|uncle|nephew|niece|stepson|stepdaughter|family|eldest|youngest|oldest|cats?|dogs?|puppy|kitten|rabbit|hamster|parrot|horse)",
    ),
    (
        "other",
        "(?:boss|bosses|manager|colleagues?|coworkers?|co-worker|flatmate|roommate|housemate|neighbou?rs?|friends?|mate|buddy|client|customer|landlord|landlady|cousin|teacher|professor|therapist|doctor|recruiter|intern|assistant|accountant|lawyer|supervisor|teammate|ex|ceo|cto|guy|lady|in-laws)",
    ),
    (
        "ed",
        "(?:[a-z]{2,}ed|went|got|had|was|were|broke|lost|won|ran|stole|bought|sold|found|met|left|came|took|gave|made|fell|did|saw|quit|hit|flew|drove|forgot|caught|became|built|held|paid|sent|spent|threw|woke|wrote|chose|swam|hurt|cut|burnt|tore|bit)",
    ),
    (
        "do",
        "(?:use|give|send|write|answer|reply|respond|skip|ignore|make|keep|call|text|show|put|explain|leave|don't|do not|drop|stick|speak|talk|address|let|go|stay|be|add|include|read|book|order|spare|translate|summari[sz]e|format|list|quote|treat|hold|take|pick|set|save|avoid|stop|run|only|no|never|always)",
    ),
    (
        "start",
        "(?:i|i'm|im|i've|i'd|i'll|we|we're|we've|we'll|my|our|it|it's|its|you|they|he|she|that|that's|this|the|there|please|pls|don't|dont|do|does|did|can|could|would|will|what|what's|why|how|who|where|is|are|let's|lets|then|also|call|keep|use|text|stick|nobody|everyone|just|anything|everything|if you)",
    ),
    ("month", "(?:january|february|march|april|may|june|july|august|september|october|november|december)"),
    (
        "pastday",
        "(?:yesterday|last (?:night|week|month|year|weekend|{weekday}|spring|summer|autumn|winter)|this (?:morning|afternoon|evening)|today|just now|earlier|{number} (?:days?|weeks?|months?) ago|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in (?:{month}))",
    ),
    (
        "futureday",
        "(?:tomorrow|the day after tomorrow|tonight|this (?:mon|tues|wednes|thurs|fri|satur|sun)day|next (?:week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|on the [0-9]+(?:st|nd|rd|th)|in {number} (?:days|weeks))",
    ),
    // What somebody is, as a matter of body, faith or state.
    (
        "being",
        "(?:vegan|vegetarian|pescatarian|pescetarian|teetotal|coeliac|celiac|diabetic|asthmatic|dyslexic|autistic|epileptic|deaf|blind|colou?r ?blind|colou?r-blind|left-handed|right-handed|lactose|gluten|allergic|intolerant|pregnant|married|single|divorced|widowed|retired|unemployed|self-employed|freelance|jewish|muslim|hindu|buddhist|christian|catholic|bilingual|trilingual|type (?:1|2|one|two)|near-sighted|short-sighted|hard of hearing|dairy-free)",
    ),
];

const GATES: &[Gate] = &[
    // Secrets by their names; what has the form of a secret is known without them.
    gate(
        Secret,
        Clause,
        "(?:password|passwd|passphrase|passcode|pin|pin code|api key|access token|token|recovery phrase|seed phrase|secret key|private key|card number|new card|credit card|door code|alarm code|cvv|credentials|login) (?:for [^,]+ |of [^,]+ |to [^,]+ |in case [^,]+ )?(?:is|are|was|:|=|[0-9])",
    ),
    gate(
        Unsafe("pretend"),
        Message,
        "^ (?:pretend|act as if|roleplay as|you are now|imagine) (?:you are|you're|to be|that you are) ",
    ),
    gate(
        Unsafe("for-the-model"),
        Message,
        " the user (?:prefers|wants|has approved|has agreed|agrees|likes|is okay|consents|allows) ",
    ),
    // What is not the speaker's, or not meant.
    gate(Pasted, Onward, "^ dear (?:mr|mrs|ms|sir|madam|dr|team|customer|all|valued|hiring|editor) "),
    gate(
        Hypothetical,
        Onward,
        "(?:^| )(?:suppose|supposing|imagine|let's say|lets say|let us say|pretend|assuming|assume|hypothetically|thought experiment|for the sake of argument|picture this|for a blog post|role-?play|in a novel|my character|the protagonist) ",
    ),
    gate(
        Hypothetical,
        Rest,
        "^ (?:what if|if only|if (?:i|we) (?:had|was|were|lived|could|ever|won|spoke|knew|did|got|wanted|owned|[a-z]{3,}ed)|in case|say i|say we|unless i) ",
    ),
    gate(
        Hypothetical,
        Clause,
        " (?:i wish|wish i|would be (?:so |really |very )?(?:nice|great|cool|lovely|awesome|amazing)|would've|would have|i'd love to|i'd like to|we'd like to|i would (?:love|like) to|one day|some day|someday|maybe|perhaps|might|may be|thinking (?:about|of)|considering|not sure|dream of|hoping to|hope to|probably|i could|in theory|if (?:i|we) had|i would (?:be|have|say|think|need)) ",
    ),
    gate(
        Reported,
        Rest,
        " {they} (?:said|says|say|told|tells|claims?|claimed|reckons?|thinks|wrote|writes|mentioned|announced|insists?|insisted|swears|keeps? (?:saying|telling)|kept saying|goes \"|asked|believes|suggested|argues|argued|warned|explained|were going on about|is going on about|reads|posted|tweeted) ",
    ),
    gate(
        Reported,
        Rest,
        "(?:^| )(?:according to|apparently|allegedly|supposedly|rumou?r (?:has it|is)|word (?:is|has it)|i(?:'ve)? (?:heard|read)(?: that)?|it says|legend has it|going on about how) ",
    ),
    gate(Reported, Sentence, " (?:apparently|supposedly|allegedly) $"),
    gate(
        Joke,
        Sentence,
        " (?:/s|🙃|/j|🗡|jk|just kidding|kidding|said no one ever|what could go wrong|raccoons?) ",
    ),
    gate(
        Joke,
        Sentence,
        "^ (?:oh (?:sure|great|joy|good|wow|yes|yay)|yeah (?:yeah|right|sure)|sure sure|how (?:wonderful|lovely|nice)|great , another|nothing i love more|because who doesn't) ",
    ),
    gate(Joke, Clause, "^ i (?:just )?(?:love|adore|enjoy) (?:it )?when "),
    // Others as the subject.
    gate(
        Other,
        Clause,
        "^ (?:the|my|our|his|her|their|your|a|some|one of my|this|that) (?:[a-z-]+(?:'s)? ){0,2}{other}(?:'s?(?: [a-z]+)?)?(?: [a-z]+)? (?:[a-z]+s|[a-z]+ed|are|were|have|did|will|was|has|prefer|like|always|never) ",
    ),
    gate(
        Other,
        Clause,
        "^ (?:he|she|they|his|her|their|everyone|everybody|people|most people) (?:[a-z]+ )?(?:always|never|likes?|loves?|hates?|prefers?|lives?|works?|speaks?|uses?|is|are|has|have|was|were|moved|decided|agreed|picked|chose|wants?|drives?) ",
    ),
    // Questions without a mark.
    gate(
        Question,
        Rest,
        "^ (?:what|what's|whats|why|how|how's|who|who's|whose|where|where's|when (?:do|did|does|is|are|will|was|can|should)|which|do (?:you|i|we|they|people|any)|does|did|is (?:it|there|that|this|the|he|she|my)|are (?:you|there|we|they|these|those)|am i|was|were|can|could|would|will (?:you|it|they|we|i|that|this|the)|should|shall|may i|have (?:you|we|they|i)|has|had you|anyone|anybody|any (?:idea|chance|tips|thoughts)|i wonder|wondering|isn't|aren't|doesn't|didn't|won't|wouldn't|couldn't|you think|remind me what|tell me (?:what|why|how|if|whether)|(?:do|any)(?: you)? know|guess (?:what|who)) ",
    ),
    // What was.
    gate(Past, Clause, " (?:i|we|he|she|they|it) (?:always |also )?used to "),
    gate(
        Past,
        Sentence,
        "(?:^| )(?:back in the day|when (?:i|we) (?:was|were)|as a (?:kid|child|teenager|student|boy|girl)|in my (?:twenties|thirties|teens|youth|childhood)|in those days|in the old days|once upon a time|years ago|growing up|at my (?:old|last|previous) (?:job|company|place)) ",
    ),
    gate(
        Past,
        Clause,
        "^ (?:i|we) (?:formerly|previously|once|originally|always) (?:[a-z]{2,}ed|had|went|was|were|took|did|wore|ate|drank|wrote) ",
    ),
    // What is denied.
    gate(
        Negated,
        Clause,
        " (?:haven't|have not|hasn't|didn't|did not|never|nobody|no one|not yet|hadn't) (?:[a-z]+ ){0,2}(?:decide|decided|agree|agreed|pick|picked|settle|settled|signed|chosen|chose|said|told|made up) ",
    ),
    gate(
        Negated,
        Rest,
        "^ (?:it's not that|it is not that|not that|not saying|i'm not saying|i never said|that doesn't mean|it's not like|not like|contrary to|(?:i|we) (?:don't|do not|dont) (?:live|work|prefer|speak|mean|come|think|know|believe)) ",
    ),
    // Other senses of the words.
    gate(
        Idiom,
        Clause,
        " (?:speak for (?:all|everyone|everybody|most|many|both|us)|use (?:our|your|some|a bit of|a little) (?:imagination|head|brains?|common sense)|(?:like|love|hate) (?:how|that you|to think|it already|the sound|your (?:style|attitude))|i'd say|i always (?:wondered|wonder|thought|wanted|forget|knew|assumed|believed)|i never (?:know|knew|thought|heard|understood|told|mind|realised|realized|noticed|said|get)|keep (?:it|this|that) to yourself|hands are full|live for|work (?:hard|out|on)|love (?:you|ya|u)|(?:like|prefer) the (?:first|second|third|last|other|latter|former|new) (?:one|version|draft|option)|my favou?rite way to|(?:don't|dont|do not|only|just)(?: really)? (?:want|need) to|use (?:that|this|it|the other)|my cooking|live and learn|for what it's worth|would like to (?:think|point)) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ {am}{adv} (?:in (?:an? |the |my )?(?:meeting|call|rush|hurry|minute|bit|middle|mood|car|bed|train|taxi|queue|line|trouble|love|shock|way|charge|tears|pain|awe|favou?r)|at (?:the|a|my|work|home|lunch|least)|on (?:it|my way|the (?:way|phone|train|bus|road|fence)|hold|a (?:call|train|bus)|holiday|leave|vacation)|an? (?:bit|little|lot|mess|wreck|few|while|minute|second|moment|step|day|week)|from the)(?: |$)",
    ),
    gate(
        Idiom,
        Clause,
        "^ {have} (?:an? |no |some |the |two |three |one |another |a few |a couple )?(?:of )?(?:[a-z]+ )?(?:question|questions|idea|ideas|clue|meeting|call|problem|problems|issue|issues|bug|bugs|feeling|minute|moment|sec|look|point|doubt|choice|doubts|file|files|thought|thoughts|error|errors|favou?r|request|list|task|deadline|guess|hunch|link|draft|text|script|function|table|suspicion)s? ",
    ),
    gate(
        Idiom,
        Clause,
        "^ i{adv} (?:like|love) (?:it|that|this|them|the idea|these|those) (?:$|already|so far|a lot)",
    ),
    gate(Idiom, Clause, "^ {have} [^,]*(?:today|tonight|this (?:morning|afternoon|evening)) "),
    gate(
        Idiom,
        Clause,
        "^ no (?:idea|problem|worries|hurry|rush|way|one|doubt|need|pressure|thanks|thank|clue|matter|internet|kidding|offen[cs]e|joke|wonder|it|we|i|they|that|not|she|he|you|sorry|answer|reply|luck|biggie|reason|response|news|change|difference|point|use|sign|longer) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}call (?:me |us )?(?:back|later|when|tomorrow|tonight|at|on|if|asap|now|the|a|an|my|him|her|them) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:set|remind|translate|play|open|close|find|search|look up|check|fix|draft|generate|convert|calculate|compare) (?:an?|the|me|this|that|it|my|for|all|up)? ?",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:don't|do not|dont|never) (?:worry|bother|be (?:surprised|shy|late|mad|sad|silly|afraid)|tell (?:anyone|anybody|them|him|her)|ask|get me wrong|know|think|mind|even|forget|panic|judge|laugh|want to|judge|hesitate|go|shoot|blame) ",
    ),
];

const RULES: &[Rule] = &[
    // How the agent is to do things, once or always.
    preference("once", "^ {polite}(?:for (?:now|today|once|this [^,]+)(?: only)? (?:, )?)?{polite}{do} ").for_now(),
    preference("once", " ((?:make it|just send|give me|send me|call me) .*)").for_now(),
    preference("once", "^ (?:you can|you could|you may|let's|i only want|i just want|i need you to|i'd like you to) ").for_now().sure(0.85),
    preference("standing-wish", "^ (?:could|can|would|will) you {polite}(?:always|never|from now on|stop|in (?:the )?future) ").asked(),
    preference("standing-wish", "^ (?:could|can|would|will) you [^,]+ (?:from now on|in (?:the )?future|going forward|every time|each time|by default) ").asked(),
    preference("standing-wish", "^ (?:would|do) you mind (?:always|never|not|using|calling) ").asked(),
    // Decisions that begin like orders.
    decision("together", "^ (?:let's|lets|let us) (?:all |both |just |not |always |never |finally |rather |instead )*(?:use|go (?:with|for)|call|stick|keep|drop|switch|move|make|do|ship|stop|start|pick|take|build|write|deploy|meet|adopt|migrate|name|launch|hire|buy|sell|have|avoid|postpone|cancel|split|say goodbye|put|run|store|standardi[sz]e) "),
    decision("from-now", "(?:^| )(?:from now on|going forward|moving forward|from (?:today|tomorrow|next [a-z]+|{weekday}|{month}) on(?:wards?)?|as of (?:now|today|{month}|{weekday}|next [a-z]+|january)|effective (?:immediately|[a-z]+)|starting (?:{weekday}|{month}|today|tomorrow|next [a-z]+)|henceforth) (?:, )?(?:we|every|all|each|no|nobody|it's|the|our|only|any|everyone) "),
    decision("from-now", "^ (?:we|every|all|each|nobody|everyone|the|our|any|only) [^,]*(?:from now on|going forward|from {month} on|as of (?:now|today|{month}|{weekday}|next [a-z]+)|starting (?:{weekday}|{month}|next [a-z]+)|as of the [a-z]+ [a-z]+) "),
    preference("from-now", "(?:^| )(?:from now on|going forward|in (?:the )?future|henceforth) "),
    decision("decided", " ((?:i|we)(?: have|'ve|'re| are| had)?{adv} (?:decided|agreed|settled on|settled for|opted (?:for|to)|chosen|chose|picked|resolved to|committed to|voted (?:for|to)|signed off on|went with|ruled out|concluded) .*)"),
    decision("decided", "^ my [a-z]+ and i{adv} (?:decided|agreed|settled) "),
    decision("decided", "^ (?:it's|it is|that's) (?:decided|settled|official|agreed|final) "),
    decision("will", "^ (?:we|i)(?:'ll| will|'re going to| are going to|'m going to| am going to|'re gonna|'m gonna| shall){adv} (?:use|go (?:with|for)|stick|switch|drop|move|ship|launch|stop|start|quit|keep|adopt|migrate|hire|sell|rename|cancel|postpone|skip|stay|deploy|host|build) "),
    decision("doing", "^ (?:we're|we are|i'm|im|i am){adv} (?:sticking|going (?:with|for|ahead)|dropping|switching|moving (?:to|from|over|away|ahead)|launching|keeping|quitting|cancelling|canceling|getting rid|staying (?:with|on)|starting [a-z]+ (?:in|from)|stopping|renaming|postponing|adopting|retiring|migrating|replacing|not (?:renewing|going|doing|taking|buying|using|moving|signing|selling|extending|accepting|applying|joining|attending|changing|shipping|launching)|cutting|selling|giving up|taking the) "),
    decision("doing", " ((?:we're|we are|i'm|im|i am) not (?:renewing|doing|taking|buying|using|moving|signing|selling|extending|accepting|applying|joining|attending) .*)"),
    decision("it-is", "^ [a-z0-9][^,]{1,40} it is $"),
    decision("it-is", "(?:^| )(?:is|are|stays|remains) (?:hereby )?(?:settled|decided|agreed|final|official|locked in|set in stone) "),
    decision("arranged", "^ (?:the|our|team|all) [^,]+ (?:will be (?:held|called|named|moved|postponed|cancelled|split|in|on|at)|moves? to|shifts? to|goes (?:to|with)|stays? (?:on|at|as|in|invite-only|closed|open|private|the|with)|is (?:moved|postponed|cancelled|called off|dropped) ) ?"),
    decision("arranged", "^ [a-z]+ (?:moves to|will be called|will be held|gets split|get split) "),
    decision("arranged", " (?:gets split|is the rule|is our rule|is the new rule|agreed with everyone) "),
    decision("arranged", "^ (?:no more|all new|all|every|each) [^,]+ (?:, agreed|returns?|goes through|go through|needs?|must|has to|have to|gets?|requires?) "),
    // What happened, and what is fixed to happen.
    episodic("event", "^ (?:i|we|someone|somebody|my [a-z' -]{2,30}|our [a-z' -]{2,30}|the [a-z0-9' -]{2,40}|(?:both|all) [a-z]+)(?: have|'ve|'re| has)?{adv} {ed} [^,]*{pastday}"),
    episodic("event", "^ (?:i|we)(?:'ve| have)?{adv} {ed} .*(?:today|yesterday|last night|this morning|this afternoon) "),
    episodic("event", "^ (?:just |finally )?{ed} .*(?:today|yesterday|last night|this morning|this afternoon|last week|on {weekday}) "),
    episodic("event", "^ {pastday}(?: at [^,]+)? (?:, )?(?:i|we|someone|my|our|the|a|an) [^,]*{ed} "),
    episodic("event", "^ the [^,]+ (?:today|yesterday|this (?:morning|afternoon)|last night) {ed} "),
    episodic("life", "^ (?:(?:i|we|(?:my|our) (?:[a-z-]+ ){0,2}{kin})(?:'ve| have| has|'s)? )?(?:just |finally |recently )?(?:got (?:engaged|married|laid off|fired|promoted|divorced|back from|accepted|hired|the job|diagnosed|a new job)|passed (?:away|my)|died|gave birth|graduated|defended my|had a (?:baby|stroke|heart attack|miscarriage)|broke (?:my|his|her)|moved (?:in|into|to|house)|retired|had surgery|lost my|quit my|became) "),
    episodic("plan", "^ (?:i|we)(?:'ll|'m|'re)?{adv} (?:fly|flying|have|having|start|starting|leave|leaving|travel|travelling|traveling|move|moving|meet|meeting|see|seeing|get|getting|go|going|take|taking|begin|present|presenting|marry|defend|host|hosting|be|launch|return|returning|visit|visiting|give|giving) [^,]*{futureday} "),
    episodic("plan", "^ (?:my|our) (?:[a-z-]+ ){0,2}(?:{kin}|flight|surgery|appointment|interview|exam|wedding|operation|move|train|defen[cs]e|presentation|deadline|birthday party) (?:is|are|has|have|turns|gets|comes|arrives|starts|leaves) [^,]*{futureday} "),
    episodic("plan", "^ {futureday} (?:, )?(?:i|we|my {kin})(?:'ll|'m|'re)? "),
    // What is so: names, home, work, body, things.
    fact("mine", "^ (?:my|our) (?:full |first |last |middle |real |new |old |home |work |shipping |current |native |main |date of )?(?:name|names|surname|nickname|pronouns|birthday|birthdate|birth|timezone|time zone|locale|language|mother tongue|tongue|address|office|job|job title|title|role|position|team|company|employer|department|phone|number|phone number|email|e-mail|laptop|computer|machine|pc|mac|car|bike|shoe size|size|height|weight|blood type|diet|religion|hometown|nationality|citizenship|zip code|postcode|stack|setup|budget|salary|working hours|hours|schedule|day off|anniversary|star sign|passport|visa|house|flat|apartment|home|school|university|major|degree|instrument|os|editor|shell|printer|router|server|garden|kitchen|shop|store|studio|business)(?: name| number| size)? (?:is|are|has|runs|closes|opens|starts|expires|ends|consists|belongs) "),
    fact("mine", "^ (?:my|our) (?:name|timezone|birthday|daughter|son|wife|husband|cat|dog|office|email|address)'s "),
    fact("kin", "^ (?:my|our) (?:[a-z-]+ ){0,2}{kin}(?:'s (?:name|names|birthday|job))? (?:is|are|has|have|works|studies|lives|goes|teaches|turns|needs|can't|doesn't|speaks|was born|were born) (?:[a-z]|[0-9])"),
    preference("allergic-to-talk", "^ {am}{adv} allergic to (?:corporate|small talk|buzzwords|meetings|jargon|marketing|bullshit|hype|clich) "),
    fact("being", "^ {am}{adv} (?:(?:an?|not|severely|deathly|highly|very|fully|legally|partially|slightly|mildly) )*{being} "),
    fact("being", "^ (?:i|we) (?:go by|am called|wear|take size|have (?:fridays|mondays|wednesdays|tuesdays|thursdays|weekends) off) "),
    fact("age", "^ {am}{adv} [0-9]{1,3}(?: years? old)? (?:$|,)"),
    preference("kind-of-person", "^ {am}{adv} (?:not )?(?:more of )?(?:an?|the) (?:[a-z-]+ ){0,3}(?:person|fan|type|guy|girl|lover|kind) "),
    preference("kind-of-person", "^ {am}{adv} (?:not )?(?:(?:much|way|far) )?(?:more )?into "),
    preference("kind-of-person", "^ (?:{am}{adv} )?(?:(?:an?|not|big|huge|massive|no|great) )*fan of "),
    fact("place", "^ {am}{adv} (?:based|located|living|working (?:at|in|for|as|from|with)|employed|studying|enrolled|originally|from|at [0-9]+|on the [^,]+ team|in (?:the )?(?:[a-z]+ time ?zone|utc|gmt|cet|est|pst|cst|[a-z]+ time)|in my (?:first|second|third|fourth|final|last) year) "),
    fact("place", "^ {am}{adv} in [a-z-]+(?: [a-z-]+)? $").sure(0.80),
    fact("occupation", "^ {am}{adv} (?:an?|the)(?: [a-z0-9'-]+){1,5} (?:at|in|with|for|by|on|of|from) "),
    fact("occupation", "^ {am}{adv} (?:an?|the)(?: [a-z0-9'-]+){1,4} (?:$|,)").sure(0.84),
    fact("live", "^ (?:i|we){adv} (?:live|work|teach|study|own|rent|drive|speak|play|manage|lead|commute|volunteer|grew up|come from|was born|were born|moved here|run an?|run my|run the|keep [a-z]+|code in|farm|breed|freelance|share (?:a|my)|report to|take care of|look after|suffer from|weigh|belong to|use an?|support) ?(?:$|[a-z0-9])"),
    fact("live", "^ {have}{adv} (?:been (?:living|working|playing|studying|learning|married|vegan|vegetarian|an?|in|on|at|with)|lived|worked) "),
    fact("have", "^ {have}{adv} (?:an? |two |three |four |five |six |[0-9]+ |no |severe |mild |my own |small |twin )+[a-z]"),
    fact("have", "^ {have}{adv} (?:adhd|asthma|diabetes|autism|dyslexia|celiac|coeliac|epilepsy|hay fever|tinnitus|migraines|arthritis|insomnia|ocd|ms) "),
    fact("have-not", "^ (?:i|we){adv} (?:don't|do not|dont|can't|cannot|cant) (?:eat|have an?|own|drive|speak|swim|digest|hear|see (?:colou?rs?|well)|read [a-z]+) "),
    fact("have-not", "^ no (?:car|licen[cs]e|kids|children|pets|tv|lift|elevator|smartphone|garden|dishwasher|oven) "),
    fact("timetable", "^ (?:i|we){adv} (?:get up|wake up|go to bed|pick up|drop off|start work|finish work|work (?:nights|days|mondays|tuesdays|part-time|from home)) "),
    fact("timetable", "^ (?:mon|tues|wednes|thurs|fri|satur|sun)days (?:i'm|im|i am|we're|are) (?:off|closed|home|free) "),
    // Tastes and habits.
    preference("taste", "^ (?:i|we){adv} (?:prefer|like|love|adore|enjoy|favou?r|hate|loathe|detest|despise|dislike|appreciate|swear by|avoid|stick to|tend to|go for|insist on|can only|lean towards?) "),
    preference("taste", "^ (?:i|we){adv} (?:can't|cannot|cant|couldn't) (?:stand|bear|tolerate|deal with|handle|abide) "),
    preference("taste", "^ (?:i|we){adv} (?:don't|do not|dont){adv} (?:like|enjoy|drink|want|need|care for|do|use|touch|believe in|trust|answer|take|wear|watch|fly|shop) "),
    preference("taste", "(?:^| )(?:i'd|i would|we'd)(?: much| far| really| always)? (?:rather|sooner|prefer) "),
    preference("taste", "^ (?:my|our) (?:absolute |all-time |personal |least )*(?:favou?rite|preference|go-to|pet peeve|preferred)"),
    preference("taste", " (?:a no for me|a no-go(?: for me)?|suits? me|works? (?:best|better) for me|(?:drives?|makes?) me (?:crazy|mad|nuts|insane|sick)|grosse?s? me out|gives? me (?:a headache|headaches|the creeps|hives)|not my (?:thing|style|cup)|is my jam|my cup of tea|puts me off|turns me off|is a must|are a must|is a dealbreaker|only one i'll) "),
    preference("taste", "^ i find [^,]+ (?:annoying|grating|irritating|exhausting|distracting|confusing|helpful|useful|ugly|boring|patronising|patronizing|unbearable|relaxing|easier|hard to read) "),
    preference("habit", "^ (?:i|we) (?:always|usually|normally|generally|typically|mostly|never|only|rarely|exclusively)(?: ever| really| just)? (?:use|take|go|eat|drink|work|write|read|start|order|buy|book|wear|sleep|sit|fly|travel|pay|cook|choose|pick|listen|watch|run|do|answer|reply|want|have|put|keep|leave|shop|cycle|walk|stay|ask|check|travel|commit|deploy|test|learn|study|speak|play) "),
    preference("comparison", "^ [a-z][^,]{1,40} (?:over|instead of|rather than|not) [^,]{2,40} , (?:always|every time|any day|please|thanks) "),
    preference("comparison", "^ [a-z][^,]{1,30} (?:over|instead of|rather than) [^,]{2,30} (?:please|pls|any day|every time|always) "),
    // Standing orders to the agent.
    preference("order", "^ {polite}(?:always|never|don't ever|do not ever|dont ever) [a-z]+ "),
    preference("order", "^ {polite}(?:don't|do not|dont|stop|avoid|no more|quit) (?:us(?:e|ing)|call(?:ing)?|writ(?:e|ing)|add(?:ing)?|send(?:ing)?|giv(?:e|ing)|show(?:ing)?|includ(?:e|ing)|start(?:ing)?|end(?:ing)?|put(?:ting)?|say(?:ing)?|suggest(?:ing)?|recommend(?:ing)?|explain(?:ing)?|push(?:ing)?|commit(?:ting)?|apologi[sz](?:e|ing)|repeat(?:ing)?|summari[sz](?:e|ing)|assum(?:e|ing)|address(?:ing)?|emojis?|jargon|flatter(?:y|ing)) "),
    preference("order", "^ {polite}call me (?:[a-z\"]+)"),
    preference("order", "^ {polite}text me first "),
    preference("order", "^ {polite}(?:keep|make) (?:it|your|the|all|answers|replies|responses|explanations|things|everything|sentences|them) [^,]*(?:short|brief|concise|simple|formal|informal|casual|polite|terse|to the point|plain|friendly|in [a-z]+|under [0-9]+|shorter|minimal) "),
    preference("order", "^ {polite}(?:use|stick (?:to|with)|write|answer|reply|respond|speak|talk|explain|quote|format|give|send|break|put|show|start|begin|end|book|address|leave|treat|include|add) [^,]*(?:units?|bullets?|bullet points?|markdown|plain text|metric|celsius|hints|jargon|tables?|english|spanish|german|french|dutch|italian|polish|portuguese|japanese|chinese|sentences|24-hour|24h|iso|vat|steps|as if|like i'm|tone|everywhere|pytest|tabs|spaces|breakfast|emojis?|first name|in general|by default|every time|each time|at the (?:top|end)|comments|abbreviations|code blocks?) "),
    preference("order", "^ {polite}(?:when|whenever|if) you [^,]+ , [a-z]"),
    preference("order", "^ (?:pls|please|plz) no [a-z]"),
    preference("order", "^ no [a-z-]+(?: [a-z-]+){0,3} (?:$|please|pls|for me)").sure(0.80),
    preference("order", "^ (?:i|we){adv} (?:want|need|expect) (?:you to|my|all|no|every|max[^ ]*|the [^,]+ (?:in|at|as|to|on|with)|answers|replies|everything|short|one|only|it (?:in|as|to)|them (?:in|as|to)) "),
    preference("order", "^ (?:i'd|i would|we'd) like (?:the|my|your|all|one|no|it|them|answers|everything|you to) "),
    preference("reading", "^ i can only (?:read|use|eat|work|do|see) "),
];

const DAYS: &[DayWord] = &[
    day(
        When::None,
        " (?:last (?:week|month|year|weekend)|next (?:week|month|year)|(?:mon|tues|wednes|thurs|fri|satur|sun)days) ",
    ),
    day(When::Day(-2), " the day before yesterday "),
    day(When::Day(2), " the day after tomorrow"),
    day(When::Day(-1), " (?:yesterday|last night)"),
    day(When::Day(1), " tomorrow"),
    day(When::Day(0), " (?:today|tonight|this (?:morning|afternoon|evening)|just now)"),
    day(When::Ago, " {number} days? ago"),
    day(When::Ahead, " in {number} days?"),
    day(When::Last, " last {weekday}"),
    day(When::Coming, " (?:next|this|coming) {weekday}"),
    day(When::Nearest, " on {weekday}"),
    day(When::Day(0), "^ just {ed} "),
];
