//! The table of English.
//!
//! [`gates`] drop clauses and [`rules`] keep them; this module contains the fragments that both use.

use super::language::{DayWord, Language, When, day};

mod gates;
mod rules;
#[cfg(test)]
mod tests;

pub(super) static TABLE: Language = Language {
    name: "english",
    words: "i i'm im i've i'd i'll you your my me we we're we've we'll our us the a an and or but is are was were be been \
            do don't dont does did have has had will would can could should not never always please pls this that these \
            those it it's of to in on at for with from as by if so what why how who when where let's lets he she they \
            them his her their no more than over just only every all any some there here now then today yesterday \
            tomorrow about up out off like love hate prefer use call keep got get going gonna it which because",
    fragments: FRAGMENTS,
    openers: "hi|hey|hello|yo|hiya|morning|good (?:morning|evening|afternoon)|(?:hi|hey|hello) (?:there|all|everyone|team|again)|\
              ok|okay|k|so|and|but|or|well|also|oh (?:,|and|also|btw|by the way|yes|yeah|no|well)|ah|um|uh|er|erm|hmm|yeah|yes|yep|yup|yea|lol|haha|hah|\
              btw|by the way|fyi|fwiw|for (?:the record|context|reference|your information|what it's worth)|anyways?|anyhow|alright|right|fine|cool|great|\
              thanks(?: (?:a lot|so much|again))?|thank you|thx|ty|cheers|sorry|honestly|tbh|frankly|(?:but )?seriously|actually|basically|currently|nowadays|these days|at the moment|\
              look|listen|see|heads up(?: everyone| all| team)?|quick (?:one|note|update|question|heads up)|plus|then|because|cos|cause|since|though|although|as|p\\.?s|\
              just so you know|(?:also |please )?note(?: that)?|remember(?: that)?|keep in mind(?: that)?|bear in mind(?: that)?|be aware(?: that)?|(?:you )?(?:should|might want to|need to|may want to) know(?: that)?|\
              in the end|in short|(?:to cut a )?long story short|to be (?:clear|fair|honest)|i (?:should|must|have to|forgot to) (?:say|mention|add|admit)(?: that)?|did i mention(?: that)?|\
              update|good news|bad news|reminder|(?:small|last|one (?:more )?|another |first |next )thing|on another note|unrelated|important|full disclosure|fun fact|confession|\
              what i (?:want to say|mean) is|what is (?:fixed|clear|certain)|what matters(?: to me| most)?|(?:the )?(?:thing|fact|truth) is(?: that)?|turns out(?: that)?|it turns out(?: that)?|\
              first of all|first off|firstly|secondly|second|third|finally|lastly|gonna be (?:blunt|honest)|\
              i think|i guess|i mean|you know|u know|like|for me|imo|imho|in my opinion|personally|(?:as|like) i said|dude|man|bro|guys|folks|omg|ugh|argh|phew|wow|nice|sure|perfect|no ,|nope|nah|which means|exceptionally|admittedly",
    closers: "btw|by the way|lol|haha|hah|tbh|imo|imho|thanks|thank you|thx|ty|cheers|though|tho|anyway|as well|too|ok|okay|right|sorry|fyi|\
              you know|just so you know|so you know|for the record|and|but|so|or|because|xd|:d|please|pls|honestly|omg|ugh|then|after all|you see|i'm afraid|folks|guys",
    connectors: &[
        // What these say belongs to what follows: nothing is cut.
        "^(?: (?:ok|okay|so|right|and))?(?: ,)? {verdict} [,:-] ",
        " {from-now} , ",
        "^(?: (?:just|only|and|but|so|ok|okay|please))* {for-now} , ",
        "(?: ,)? (?:so|and) no [a-z]+ ",
        " , (?:and |so )?{sealed} ",
        " (?:my|the|our) {kin}(?: [a-z]+)? and i ",
        // A comma, and a word that begins a clause.
        "( , (?:and |but |so |or |because |cause |cos |as |since |while |though |although |plus |otherwise |then |yet |also )*){start} ",
        "( , (?:and|but|so|because|cos|since|though|although|otherwise|which|who|whose|plus|hence|therefore|that's why|even though|whereas) )",
        "( (?:and|but|so|plus) (?:also |fwiw |btw |honestly |tbh |frankly |personally |by the way )?)(?:i|i'm|im|i've|i'd|i'll|we|we're|we've|we'll|my|our|please|pls|don't|he|she|they|it's|every|each|stick|break|keep that|keep in|decided|agreed|use|keep|treat|count|ask|add|put|give|send|skip|make|write|never|always|stop|avoid|start|leave|show|book|check)(?: |')",
        "( (?:but|because|bc|cos|cuz|although|though|otherwise|whereas|even though) )",
        "( , )always [a-z]+ [a-z]",
        // What only adds to what was said.
        "( , )(?:mostly|mainly|especially|particularly|specifically|preferably|ideally|usually|sometimes|occasionally|even|at (?:least|most)|in fact|not|since|for|with|without|as|like|by|from|on|at|in|to|one of|both|whatever|thanks|born|been|married|living|working|using|meaning|being|including|depending|typing|or (?:so|at|rather|else)|kind of|sort of|ever|whether|about|around|maybe|probably|too|mind you|no matter|hopefully|sadly|luckily|unfortunately|again|proper|full stop|tastes?|feels?|looks?|sounds?|cheaper|better|worse|easier|faster|much|way|far|quite|pretty|very|really|still|less|more|red|left|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[0-9]+) ",
        "( , )(?:[a-z]+ ){1,3}(?:moves|stays|goes|gets|is|are|was|were|means?|has|can|works|beats) ",
        "( )(?:if you (?:need|want|look|wonder|care|ask|must|are)|if you're [a-z]+|in case (?:you|that|it)|so you know|while (?:i was|we were)) ",
        "( and )(?:live|hate|am|own|speak) ",
        "( (?::|-) )",
    ],
    gates: gates::GATES,
    rules: rules::RULES,
    session: " {for-now} ",
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
    ("wday", "(?:mon|tues|wednes|thurs|fri|satur|sun)day"),
    ("month", "(?:january|february|march|april|may|june|july|august|september|october|november|december)"),
    // What makes a wish one for now.
    (
        "for-now",
        "(?:this (?:time|once|week|morning|afternoon|evening)|this one time|just once|for (?:now|once|today|tonight|(?:just )?this [^,]+|the (?:moment|time being|rest of (?:the|this|today)[^,]*|next (?:hour|few [a-z]+|two [a-z]+))|a (?:bit|while))|right now|today|tonight|in this (?:one|case|letter|thread|file|chat|conversation|session|mail|email|message|document)|on this (?:one|occasion)|(?:until|till) (?:tomorrow|tonight|{wday}|i(?:'m| am) [^,]+|further notice|the [^,]+|then)|exceptionally|while (?:i'm|i am|we're|we are|you're)|temporarily|as long as (?:i|we)[^,]+)",
    ),
    // Words that say how, between a subject and its verb.
    (
        "adv",
        "(?: (?:[a-z]+ly|just|always|still|also|much|now|quite|rather|do|both|all|already|often|rly|kinda|kind of))*",
    ),
    // Who speaks, also with somebody of the family.
    ("we", "(?:i|we|(?:my|the) [a-z]+(?: [a-z]+)? and (?:i|me))"),
    ("am", "(?:i'm|im|i am|we're|we are)"),
    ("have", "(?:i have|i've|i've got|i have got|ive|ive got|i got|we have|we've got|we've)"),
    ("not", "(?:don't|do not|dont|can't|cannot|cant|won't|will not)"),
    ("polite", "(?:(?:please|pls|plz|just|also|and|maybe|kindly|so|then|always|do) )*"),
    // A wish put to the agent, before what it is to do.
    (
        "ask",
        "(?:(?:could|can|would|will) you |(?:i'd|i would|we'd) (?:like|want|love|prefer|appreciate it if) you (?:to |could |would )?|i (?:want|need|expect) you to |you (?:can|may|don't have to|needn't|don't need to) |(?:make|be) sure (?:that )?(?:you |to )?|remember to |try to )?",
    ),
    // Everybody but the speaker: a word that is not i or we.
    ("they", "(?:[a-hj-vx-z][a-z'-]*|i[a-z'-]+|w[a-df-z][a-z'-]*|we[a-z'-]+)"),
    (
        "kin",
        "(?:wife|husband|hubby|(?:other|better) half|missus|spouse|partner|girlfriend|boyfriend|gf|bf|fiancee?|son|sons|daughters?|kids?|child|children|boys?|girls?|baby|toddler|teenager|twins|mum|mom|mam|mother|dad|father|parents|brothers?|sisters?|siblings|grandma|grandmother|grandpa|grandfather|grandad|granny|gran|nan|grandparents|grandson|granddaughter|aunt|uncle|nephew|niece|stepson|stepdaughter|stepdad|stepmum|family|eldest|youngest|oldest|cats?|dogs?|puppy|kitten|rabbit|hamster|parrot|horse|pony|budgie|tortoise)",
    ),
    (
        "other",
        "(?:boss|bosses|managers?|colleagues?|coworkers?|co-workers?|flatmates?|roommates?|housemates?|neighbou?rs?|friends?|mates?|buddy|bestie|clients?|customers?|landlord|landlady|cousins?|teachers?|professor|prof|therapist|doctor|dentist|gp|recruiter|interns?|assistant|accountant|lawyer|solicitor|supervisor|teammates?|ex|ex-[a-z]+|guy|lady|in-laws|mother-in-law|father-in-law|brother-in-law|sister-in-law|hairdresser|plumber|electrician|tenant|lodger|supplier|vendor|pupils?|patients?|girl from|guy from|nanny|cleaner|postman|predecessor)",
    ),
    // Verbs of what was; and those of them that tell of something that changed something.
    (
        "ed",
        "(?:[a-z]{2,}ed|went|got|had|was|were|broke|lost|won|ran|stole|bought|sold|found|met|left|came|took|gave|made|fell|did|saw|quit|hit|flew|drove|forgot|caught|became|built|held|paid|sent|spent|threw|woke|wrote|chose|swam|hurt|cut|burnt|tore|bit|blew|burst|froze|shut|died|began|put|led|beat)",
    ),
    (
        "happened",
        "(?:[a-z]{3,}ed|died|broke|lost|won|stole|bought|sold|met|left|gave (?:up|birth|notice)|fell|quit|hit|flew|became|hurt|cut|burnt|tore|bit|blew|burst|froze|shut|crashed|went (?:live|down|bankrupt|offline|under|blind|into labou?r|on strike|into production|public)|came (?:down with|out|back)|turned [0-9a-z]+|took (?:over|down|out|the shop)|had (?:an?|my|our|his|her|the|surgery|another|twins) [a-z -]*(?:accident|operation|surgery|baby|stroke|heart attack|attack|miscarriage|interview|exam|session|appointment|scan|fire|leak|outage|incident|break-?in|burglary|birthday|wedding|funeral|biopsy|fall|seizure|audit|inspection|row|breakdown|daughter|son|boy|girl|launch|release|power cut|flood|crash|visit|removed|taken out|diagnosis)|got (?:back from|into|the (?:keys|job|results?|grant|visa|permit|offer|part|loan|mortgage)|my (?:licen[cs]e|results?|diagnosis|degree|visa|passport|green card)|a (?:new|promotion|raise|speeding|dog|cat|puppy|kitten|place|job|tattoo|parking|warning|second|scholarship)|rid)|made (?:an offer|partner)|started|passed|paid off|sent off|held our|ran (?:my|our|a|into|over)|built|found (?:out|a (?:lump|flat|new|job|buyer|house))|(?:was|were|been|got) (?:[a-z]+ly )?(?:[a-z]{2,}ed|stolen|broken|born|hit|burnt|lost|shut|cut|taken|given|bitten|sold|torn|thrown))",
    ),
    (
        "pastday",
        "(?:yesterday|last (?:night|week|month|year|weekend|{weekday}|spring|summer|autumn|fall|winter|{month})|this (?:morning|afternoon|evening|week)|today|just now|earlier|over the weekend|{number} (?:days?|nights?|weeks?|months?|hours?) ago|(?:on|in the night of) {wday}|in {month}|on the [0-9]+(?:st|nd|rd|th))",
    ),
    (
        "futureday",
        "(?:tomorrow|the day after tomorrow|tonight|(?:on |this |next |coming )(?:coming )?{wday}|next (?:week|month|year|spring|summer|autumn|winter)|on the [0-9]+(?:st|nd|rd|th)|on {month} [0-9]+|in {number} (?:days|weeks|months)|in {month}|at the end of (?:the|this|next) [a-z]+)",
    ),
    // What somebody is, as a matter of body, faith or state.
    (
        "being",
        "(?:vegan|vegetarian|veggie|pescatarian|pescetarian|teetotal|coeliac|celiac|diabetic|asthmatic|dyslexic|dyspraxic|autistic|epileptic|anaemic|deaf|blind|colou?r[ -]?blind|left[ -]handed|right[ -]handed|lefty|leftie|lactose|gluten|allergic|intolerant|pregnant|married|engaged|single|divorced|widowed|separated|retired|unemployed|jobless|self[ -]employed|freelance|freelancing|jewish|muslim|hindu|sikh|buddhist|christian|catholic|protestant|quaker|atheist|irish|polish|danish|swedish|finnish|british|english|scottish|spanish|turkish|german|french|dutch|greek|swiss|czech|thai|welsh|american|canadian|mexican|brazilian|indian|italian|russian|ukrainian|norwegian|australian|nigerian|[a-z]{3,}ese|bilingual|trilingual|neurodivergent|nonbinary|non-binary|trans|gay|lesbian|bisexual|type (?:1|2|one|two)|near-sighted|short-?sighted|long-?sighted|hard of hearing|wheelchair|dairy-free|in recovery|sober|on (?:blood thinners|statins|insulin|antidepressants|medication|maternity leave|parental leave|a (?:low|keto|strict|vegan|gluten)[a-z -]*diet))",
    ),
    (
        "illness",
        "(?:adhd|add|asthma|diabetes|autism|dyslexia|celiac|coeliac|celiac's|epilepsy|hay fever|hayfever|tinnitus|migraines?|arthritis|insomnia|ocd|ms|alzheimer's|parkinson's|dementia|eczema|psoriasis|endometriosis|cancer|leuk[a]?emia|depression|anxiety|vertigo|sciatica|anaemia|hypertension|high blood pressure|low blood pressure|a (?:[a-z-]+ )?(?:allergy|intolerance|phobia|stammer|stutter|limp|disability|heart condition|bad (?:back|knee|hip|heart)|pacemaker|hearing aid)|(?:[a-z]+ )?(?:allergy|allergies|intolerance|disease|disorder|syndrome|apn[o]?ea))",
    ),
    // What is decided of, and what says that something was decided.
    (
        "verdict",
        "(?:(?:(?:final|the|our|team|my|today's|new|official|house) )*(?:decision|verdict|answer|call|bottom line|agreement|outcome|ruling|resolution|policy|rule|consensus|conclusion|result)(?: of [a-z' -]+)?|decided|settled|agreed|all agreed|signed off|(?:i've|i have|we've|we have) made up (?:my|our) minds?|(?:it's|it is|that's|that is) (?:decided|settled|official|final|agreed|done)|we have a (?:decision|verdict|plan|winner)|(?:here's |this is )?what (?:we|i) (?:decided|agreed)(?: on)?|plan [ab])(?: (?:is in|then|now|today|from now on|is|it is))*",
    ),
    // What makes a rule of what stands before it.
    (
        "sealed",
        "(?:(?:that's|it's|that is|it is) (?:final|decided|settled|official|agreed|done|the (?:rule|decision|deal|plan))(?: now)?|no exceptions|end of (?:story|discussion|debate)|full stop|period|(?:everyone|everybody|the (?:whole )?team|all of us|we all) (?:agreed|voted|agrees|is on board)|agreed (?:with|by) (?:everyone|everybody|all)(?: [^,]+)?|signed off by [^,]+|unanimous(?:ly)?)",
    ),
    (
        "from-now",
        "(?:(?:from|as of|as from|starting|beginning|effective)(?: (?:on|in|from|the [a-z0-9]+))? (?:now|today|tomorrow|here|immediately|{wday}|{month}|next [a-z]+|[0-9a-z]+ {month})(?: on(?:wards?)?| forward| out)*|(?:going|moving) forward|henceforth)",
    ),
    (
        "resolve",
        "(?:use|go (?:with|without|for|ahead|back)|stick|switch|drop|move|ship|launch|stop|start|quit|keep|adopt|migrate|hire|sell|buy|rent|rename|call it|cancel|postpone|skip|stay|deploy|host|build|rewrite|write our|outsource|replace|retire|sunset|shut|close|open source|split|merge|standardi[sz]e|phase out|scrap|take the|leave the|propose|resign|apply|change (?:the|jobs|our|my)|extend|renew|cap|give up|hold (?:it|the)|support|freeze|delay|invest|do (?:it|the|without|away))",
    ),
    (
        "doing",
        "(?:sticking|going (?:with|for|ahead|back to)|dropping|switching|moving (?:to|from|over|away|ahead|out|back)|launching|keeping|quitting|cancelling|canceling|getting rid|staying (?:with|on)|starting [a-z]+ (?:in|from)|stopping|renaming|postponing|adopting|retiring|migrating|replacing|cutting|selling|buying|giving (?:up|notice)|taking the|hiring|scrapping|killing|phasing out|shutting down|closing (?:the|our|down)|freezing|splitting|rewriting|outsourcing|sunsetting|ditching|abandoning|standardi[sz]ing|leaving (?:the|my|our|aws|twitter|facebook)|skipping|naming|calling (?:it|the|her|him)|putting [^,]+ on hold|adding|opening a|pulling out|handing in)",
    ),
    (
        "start",
        "(?:i|i'm|im|i've|i'd|i'll|we|we're|we've|we'll|my|our|it|it's|its|you|they|he|she|that|that's|this|the|there|please|pls|don't|dont|do|does|did|can|could|would|will|what|what's|why|how|who|where|is|are|let's|lets|then|also|call|keep|use|text|stick|nobody|everyone|just|anything|everything|any|no|never|make|give|skip|send|if you|if i|if we)",
    ),
    // Things that stay with their owner, and what is said of them when it lasts.
    (
        "thing",
        "(?:name|names|surname|nickname|pronouns|birthday|birthdate|birth|timezone|time zone|tz|locale|language|mother tongue|tongue|address|office|job|profession|trade|job title|title|role|position|team|company|firm|employer|department|phone|number|landline|mobile|cell|phone number|email|e-mail|laptop|computer|machine|workstation|desktop|pc|mac|tablet|car|van|truck|bike|motorbike|boat|camera|keyboard(?: layout)?|monitor|tv|shoe size|ring size|collar size|size|height|weight|blood type|blood group|eyesight|hearing|diet|religion|faith|hometown|home town|village|town|nationality|citizenship|zip code|postcode|stack|tech stack|setup|backend|back end|frontend|front end|database|db|repo|repository|monorepo|codebase|api|app|website|site|blog|server|servers|cluster|ci|pipeline|stand-?up|retro|retrospective|infrastructure|cloud|cloud provider|deployment|budget|rent|mortgage|salary|income|pension|commute|working hours|opening hours|hours|schedule|shift|shifts|day off|days off|anniversary|wedding anniversary|star sign|passport|visa|house|flat|apartment|home|loft|school|university|uni|college|major|degree|thesis|class|course|instrument|os|operating system|distro|editor|ide|shell|terminal|browser|printer|router|garden|allotment|kitchen|oven|hob|boiler|heating|shop|store|studio|business|bakery|restaurant|cafe|practice|surgery|clinic|farm|workshop|garage|band|choir|club|parish|gym|bank|insurance|lease|tenancy|subscription|membership|permit|licen[cs]e|contract|notice period|sprint|sprints|fiscal year|financial year|default branch|main branch|production|prod|staging|users|audience|readers|customers|clients)",
    ),
    (
        "lasts",
        "(?:is|are|was founded|was born|were born|has|have|had [0-9]|runs?|uses?|closes?|opens?|starts?|begins?|ends?|expires?|consists?|belongs?|lies|lives?|sits|stands|speaks?|works?|comes? from|goes|takes? place|turns|needs|can't|doesn't|don't|faces|means|seats|costs)",
    ),
];

const DAYS: &[DayWord] = &[
    day(When::None, " (?:last (?:week|month|year|weekend)|next (?:week|month|year)|{wday}s) "),
    day(When::Day(-2), " the day before yesterday "),
    day(When::Day(2), " the day after tomorrow"),
    day(When::Day(-1), " (?:yesterday|last night)"),
    day(When::Day(1), " tomorrow"),
    day(When::Day(0), " (?:today|tonight|this (?:morning|afternoon|evening)|just now)"),
    day(When::Ago, " {number} days? ago"),
    day(When::Ahead, " in {number} days?"),
    day(When::Last, " last {weekday}"),
    day(When::Coming, " (?:next|this|coming) {weekday}"),
    day(When::Nearest, " (?:on|is|was) {weekday}"),
    day(When::Day(0), "^ (just) {ed} "),
];
