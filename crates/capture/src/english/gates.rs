//! The gates of English: patterns that drop a clause.

use crate::Why::{
    Command, Hypothetical, Idiom, Joke, Negated, Other, Past, Pasted, Question, Quoted, Reported, Secret,
    Unsafe,
};
use crate::language::Reach::{Clause, Message, Onward, Rest, Sentence};
use crate::language::{Gate, gate};

pub(super) const GATES: &[Gate] = &[
    // Secrets by their names; what has the form of a secret is known without them.
    gate(
        Secret,
        Clause,
        " (?:passwords?|passwd|pw|passphrase|passcode|pass|pin|pin code|api key|access token|token|(?:recovery|seed) phrase|(?:secret|private|encryption|licen[cs]e) key|card number|new card|(?:credit|debit) card|(?:door|gate|alarm|safe|security|backup) code|combination|cvv|cvc|iban|credentials|login|ssn|social security number) (?:(?:for|of|to|on) [^,]+ |in case [^,]+ |number )?(?:is|are|was|:|=|[0-9])",
    ),
    // What was written to steer the model.
    gate(
        Unsafe("pretend"),
        Message,
        "^ (?:pretend|act as|act as if|roleplay as|you are now|you're now|imagine) (?:you are|you're|to be|that you are|an?|my) ",
    ),
    gate(
        Unsafe("for-the-model"),
        Message,
        " the user (?:prefers|wants|has approved|has agreed|agrees|likes|is okay|consents|allows) ",
    ),
    // What is not the speaker's, or not meant.
    gate(
        Pasted,
        Onward,
        "^ dear (?:mr|mrs|ms|sir|madam|dr|team|customer|all|valued|hiring|editor|students|parents|residents|guests) ",
    ),
    gate(
        Quoted,
        Onward,
        "^ {polite}(?:(?:could|can|would) you )?{polite}(?:translate|proofread|paraphrase|rephrase|transcribe|reword|how (?:do|would) (?:i|you) (?:say|translate)|(?:fix|correct|check|improve|polish) (?:my|the|this) (?:spelling|grammar|english|sentence|text|punctuation|wording)|what does|the (?:lyrics|chorus|quote|song|line|slogan) (?:go|goes|is|says)) ",
    ),
    gate(
        Quoted,
        Onward,
        "^ {polite}(?:(?:could|can|would) you )?{polite}(?:write|compose|draft|invent|make up|rewrite|finish|continue|give me|i need) (?:me )?(?:an? |the |this |my |some )?(?:[a-z-]+ ){0,2}(?:story|poem|song|haiku|limerick|bio|dialogue|scene|novel|play|sketch|script|monologue|character|ad|slogan|tweet|post|blurb|email|e-mail|mail|letter|speech|toast|profile|text|message|review|joke|chapter|lyrics|example sentence|sentence|sentences) ",
    ),
    gate(
        Hypothetical,
        Onward,
        "(?:^| )(?:suppose|supposing|imagine|let's (?:say|pretend|assume)|lets say|let us say|pretend|assuming|assume|hypothetically|thought experiment|for the sake of argument|picture this|for a (?:blog post|story|novel|game|sketch|friend's)|role-?play|in (?:a|my|the) (?:novel|story|game|dream|screenplay|film|movie|play)|my (?:character|protagonist|narrator|hero|heroine)|the (?:protagonist|narrator|main character|detective|villain)|say you're) ",
    ),
    gate(
        Hypothetical,
        Rest,
        "^ (?:and |but |even |only )?(?:what if|if only|if (?:i|we) (?:had|was|were|lived|could|ever|won|spoke|knew|did|got|wanted|owned|move|moved|go|went|buy|bought|decide|decided|choose|chose|take|took|become|became|[a-z]{3,}ed)|in case|say (?:i|we|i'm)|unless (?:i|we)|should (?:i|we) ever|had (?:i|we)) ",
    ),
    gate(
        Hypothetical,
        Clause,
        " (?:i wish|wish (?:i|we)|we wish|would be (?:so |really |very )?(?:nice|great|cool|lovely|awesome|amazing|fun)|would(?:'ve| have)|could have|could've|(?:i|we)'?d(?: have)? (?:love|like|hate) to|i would (?:love|like) to|(?:one|some) day|someday|maybe|perhaps|might|may be|thinking (?:about|of|that)|considering|not (?:quite |entirely |really )?sure|dream(?:ing)? of|(?:hoping|hope|planning|tempted|torn|undecided|aiming) (?:to|between|on)|probably|(?:i|we) could|in theory|if (?:i|we) had|(?:i|we)(?:'d| would) (?:be|have|say|think|need|buy|live|move|take|eat)|(?:if|as if|wish) (?:it|this|that|there|he|she|they) (?:was|were)|wouldn't mind|should (?:probably|maybe)|(?:i|we) should|leaning towards?|toying|wondering) ",
    ),
    // What would do for the thing asked for: a wish list of the moment.
    gate(
        Hypothetical,
        Rest,
        "^ (?:an?|some|something|anything|anywhere|somewhere|one) [^,]+ would (?:be (?:ideal|perfect|best|good|great|enough|fine|nice|lovely)|do|work|suit us|help) ",
    ),
    gate(
        Reported,
        Rest,
        " {they} (?:(?:always|once|just|also|still|keeps?|literally) )?(?:said|says|say|told|tells|claims?|claimed|reckons?|thinks|thought|wrote|writes|mentioned|announced|insists?|insisted|swears|saying|telling|goes \"|asked|believes|suggests?|suggested|argues|argued|warned|warns|explained|were going on about|is going on about|reads|posted|tweeted|assumes|complained|complains|joked|promised|swore|texted me|wants to know|asks) ",
    ),
    gate(
        Reported,
        Rest,
        "(?:^| )(?:according to|apparently|allegedly|supposedly|rumou?r (?:has it|is)|(?:the )?rumou?rs? (?:that|is|says?)|word (?:is|has it)|i(?:'ve| just)? (?:heard|read)(?: somewhere)?(?: that)?|it says|legend has it|going on about how|overheard|(?:the|an|this) (?:article|report|study|paper|post|review|book|survey|email|mail|memo|poster|sign|lease|manual|docs|documentation|readme|note|card|letter|flyer) (?:said|says|claims|reads|states|mentions|wants|goes|:)) ",
    ),
    gate(
        Reported,
        Sentence,
        " (?:apparently|supposedly|allegedly|i hear|i heard|so they say|or so i'm told|as they say) $",
    ),
    gate(
        Joke,
        Sentence,
        " (?:/s|🙃|/j|🙄|🗡|jk|j/k|just kidding|only joking|kidding|said (?:no one|nobody|every [a-z]+|everyone)|what could go wrong|raccoons?) ",
    ),
    gate(
        Joke,
        Sentence,
        "^ (?:oh (?:sure|great|joy|good|wow|yes|yay|wonderful|fantastic|lovely|brilliant)|(?:yeah )+(?:right|sure)|sure sure|how (?:wonderful|lovely|nice|delightful)|great , another|(?:there is |there's )?nothing i (?:love|like|enjoy|hate) more|because (?:who doesn't|clearly|obviously|of course)|my favou?rite (?:hobby|pastime|part of|thing in the world)) ",
    ),
    gate(
        Joke,
        Clause,
        " i (?:just |simply |absolutely |totally |really |do |so )*(?:love|adore|enjoy|like) (?:it )?(?:when |being (?:told|woken|ignored|yelled|called|asked|stuck|charged|on hold|put|lied|late)|getting (?:yelled|woken|up at|spam|paged|called)|waiting |queu(?:e?ing|es) |paying |losing |sitting in |standing in |standing around|(?:parking|speeding) |debugging |merge conflicts|traffic|spam|filling (?:in|out)|spending (?:my|hours|all|the)|nothing more|rewriting|doing taxes|mondays|bugs|deadlines)",
    ),
    gate(
        Joke,
        Sentence,
        " (?:i'm|im|i am) (?:[a-z]+ )?(?:an?|the|your|made of|basically) (?:[a-z]+ )?(?:vampire|pirate|robot|wizard|ninja|unicorn|alien|zombie|superhero|potato|dinosaur|ghost|dragon|god|goddess|genius|legend|idiot|goblin|king|queen|emperor|disaster|dinosaur|monster|father|mess|hero|champ|star|moron|dummy|puppet|saint) ",
    ),
    gate(Quoted, Sentence, " (?:🎵|🎶|🎤) "),
    // Others as the subject.
    gate(
        Other,
        Clause,
        "^ (?:the|my|our|his|her|their|your|a|some|one of (?:my|our|the)|this|that|both|two of|these) (?:[a-z-]+(?:'s)? ){0,2}{other}(?:'s?(?: [a-z]+)?)?(?: (?:of|from|in|at) [a-z]+(?: [a-z]+)?)?(?: [a-z]+)? (?:[a-z]+s|[a-z]+ed|are|were|have|did|will|was|has|prefer|like|always|never|can't|don't|doesn't|won't|hate|went|got|left|came|broke|bought|sold|lost|won) ",
    ),
    gate(
        Other,
        Clause,
        "^ (?:he|she|they|his|her|their|everyone|everybody|people|most (?:people|of us)|some people|many people|those) (?:[a-z]+ )?(?:always|never|likes?|loves?|hates?|prefers?|lives?|works?|speaks?|uses?|is|are|has|have|was|were|moved|agreed|picked|chose|wants?|drives?|can't|don't|doesn't|broke|lost|got|went|died|had|passed|moves|goes|flies|starts) ",
    ),
    // Questions without a mark. "What I like" is none.
    gate(
        Question,
        Rest,
        "^ (?:what|why|how|which|where|whether) (?:[a-hj-z][a-z']*|i[a-z]+|do|a|i (?:should|can|could|need|have)) ",
    ),
    gate(
        Question,
        Rest,
        "^ (?:what's|whats|how's|who|who's|whose|whom|where's|wheres|when (?:do|did|does|is|are|will|was|can|should)|do (?:you|i|we|they|people|any)|don't (?:you|we|they|people)|does|did|is (?:it|there|that|this|the|he|she|my|a|an|anyone|any|our)|are (?:you|there|we|they|these|those|my|all|the)|am i|was|were|can|could|would|will (?:you|it|they|we|i|that|this|the)|should|shall|may i|have (?:you|we|they|i)|has|had you|anyone|anybody|any (?:idea|chance|tips|thoughts|advice|recommendations|suggestions|good)|i wonder|wondering|isn't|aren't|doesn't|didn't|won't|wouldn't|couldn't|haven't you|you think|you (?:said|told|know|remember)|remind me (?:what|who|when|where|how|which)|(?:tell|show|explain to) me (?:what|why|how|if|whether|where|which|who)|(?:do|any)(?: you)? know|guess (?:what|who)|what about|got any|ever (?:been|tried|heard)) ",
    ),
    // What was.
    gate(Past, Clause, " (?:i|we|he|she|they|it) (?:always |also )?used to "),
    gate(
        Past,
        Sentence,
        "(?:^| )(?:back in the day|back (?:in|at) (?:school|college|uni|university|[0-9]{4}|the (?:nineties|eighties|[0-9]+s))|when (?:i|we) (?:was|were)|as a (?:[a-z]+ )?(?:kid|child|teenager|teen|student|boy|girl|youngster)|in my (?:twenties|thirties|teens|youth|childhood)|in those days|in the old days|once upon a time|(?:many |some |[a-z]+ )?years ago|growing up|at my (?:old|last|previous) (?:job|company|place|school|employer)|in a (?:past|previous|former) life|until (?:recently|last (?:year|month))|at school|for a (?:few|couple of) years) ",
    ),
    gate(
        Past,
        Clause,
        "^ {we} (?:formerly|previously|once|originally|always|almost|nearly|never) (?:[a-z]{2,}ed|had|went|was|were|took|did|wore|ate|drank|wrote|bought|got|knew|saw|made) ",
    ),
    gate(
        Past,
        Clause,
        "^ (?:i|we) (?:lived|worked|studied|taught|stayed|played) [^,]* for (?:an?|two|three|four|five|ten|[0-9]+|some|many|several) (?:years?|months?|weeks?) ",
    ),
    gate(Past, Clause, " (?:back then|at the time|in the past|(?:ages|long) ago|for years until) "),
    gate(Past, Clause, "^ (?:i|we) (?:was|were) (?:going|about|supposed|planning|thinking|hoping|meant) "),
    // What is denied.
    gate(
        Negated,
        Clause,
        " (?:haven't|have not|hasn't|didn't|did not|never|nobody|no one|not yet|hadn't|no) (?:[a-z]+ ){0,2}(?:decide|decided|agree|agreed|pick|picked|settle|settled|signed|chosen|chose|said|told|made up|decision|agreement|consensus) ",
    ),
    gate(
        Negated,
        Clause,
        " (?:isn't|is not|not|nothing(?: is|'s)?|hasn't been) (?:yet |been )?(?:decided|settled|agreed|final|official|fixed|allergic to any[a-z]*) ",
    ),
    gate(
        Negated,
        Rest,
        "^ (?:it's not that|it is not that|it isn't that|not that|not saying|i'm not saying|i never said|who said|that doesn't mean|it's not like|not like|contrary to) ",
    ),
    gate(
        Negated,
        Clause,
        "^ (?:i|we) {not}{adv} (?:live|work|prefer|mean|come|think|know|believe|remember|recall|see|get|understand|suppose|agree|decide|study|teach|run|mind) ",
    ),
    // Other senses of the words.
    gate(
        Idiom,
        Clause,
        " (?:speak for (?:all|everyone|everybody|most|many|both|us|myself|itself)|use (?:our|your|some|a bit of|a little) (?:imagination|head|brains?|common sense)|(?:like|love|hate) (?:how|that you|to (?:think|say|admit|be|break|bother|disappoint|interrupt)|it already|the (?:sound|idea|look|way)|your (?:style|attitude)|where this)|i'd say|i always (?:wondered|wonder|think|thought|wanted|forget|knew|assumed|believed|get|end up|seem|feel|mix|confuse)|(?:i|we) never (?:know|knew|thought|heard|understood|understand|told|mind|realised|realized|noticed|said|get|got|saw|received|figured|meant|asked|manage|remember|will|would|did|had|found)|we always (?:end up|get|say)|keep (?:it|this|that) to yourself|hands are full|live (?:for|with it|in (?:fear|hope|interesting))|work (?:hard|out|on)|love (?:you|ya|u|to hate)|(?:like|prefer|love|hate) the (?:first|second|third|last|other|latter|former|new|old|original|blue|red|current|previous) (?:one|version|draft|option|season|design|logo)|(?:like|prefer) (?:that|this) (?:one|version)|my favou?rite way to|(?:don't|dont|do not|only|just|didn't)(?: really)? (?:want|need) to (?:[ac-z][a-z]*|b[a-df-z][a-z]*|be (?:rude|a|the|late|that|sure|clear|honest))|use (?:that|this|it|the other)|my cooking|live and learn|would like to (?:think|point|thank|apologi[sz]e)|(?:prefer|rather) not (?:to )?(?:say|think|talk|know|answer|discuss|comment)|(?:prefer|like|want|love|take) (?:whichever|whatever|whoever|wherever|either|neither)|(?:like|love|hate|enjoy) (?:this|that|your|his|her|their)|speak (?:soon|later|tomorrow|up)|own (?:it|up|that|this|my (?:mistakes|words|feelings))|play (?:along|dumb|it|safe|with|around)|run (?:into|out|late|this|it|that|through|away)) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ {am}{adv} (?:in(?: an?| the| my| your)? (?:meeting|call|rush|hurry|minute|bit|middle|mood|car|bed|train|taxi|queue|line|trouble|love|shock|way|charge|tears|pain|awe|favou?r|town|office|bath|kitchen|shower|lecture|class|favour|$)|at (?:the|a|my|work|home|lunch|least|it|your)|on (?:it|my (?:way|phone|own)|the (?:way|phone|train|bus|road|fence|move|go|case|same|right|edge|last|wrong|plane|tram)|hold|an? (?:call|train|bus|deadline|roll|break|mission)|holiday|leave|vacation|page|step|line|board|top|fire|call)|an? (?:bit|little|lot|mess|wreck|few|while|minute|second|moment|step|day|week|tad|couple|hundred|million|hour)|the (?:one|same|only one|worst|best)|from the (?:future|past)|with (?:you|my|the)|into (?:it|this|that|you)) ?",
    ),
    gate(
        Idiom,
        Clause,
        "^ {we}{adv} (?:like|love|hate|prefer|enjoy|adore|want|need|dislike|appreciate) (?:it|that|this|them|the idea|these|those|both|all of (?:it|them)|him|her) (?:$|,|already|so far|a lot|more|better|now|here|too|very)",
    ),
    gate(
        Idiom,
        Clause,
        "^ no (?:errors?|output|results?|success|dice|bugs?|crash|crashes|one's|signs?|idea|problem|probs|worries|hurry|rush|way|one|doubt|need|pressure|thanks|thank|clue|matter|internet|kidding|offen[cs]e|joke|wonder|it|we|i|they|that|not|she|he|you|sorry|answer|reply|luck|biggie|reason|response|news|change|difference|point|use|sign|longer|such|comment|chance|big|harm|time|signal|electricity|power|wifi|decision|further|please|just|other|doubts|shame|good|wait|actually|really|this|the|my|but|and|so) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:always|never|only) (?:happy|glad|good|nice|fun|an?|the|been|was|is|had|happens|works|fails|mind|on|in|easy|hard|worth|knew|thought|wondered|ever|again|gonna|going|seen|heard|got|tried|used|did|said|could|if|when|one|two|kidding|joking|just|because|problem|thing|for|say never|too|me|you|know) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:all (?:i|you|we|of|that|this|the)|every (?:time|day|now|so|once|single time)|each of) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:all|it's|is|game|start|come|get|move|hand|look|think|turn|run|flew|went|came|left|sleep|stay|pull|bit|a|the|just|well|little|moving|taking|going|leaning|my|our|[0-9]+|two|three) (?:[a-z]+ )?over ",
    ),
    gate(
        Idiom,
        Clause,
        " (?:(?:went|going|gone|go) for (?:an? |some )?(?:[a-z]+ )?(?:walk|run|swim|drive|ride|hike|stroll|jog|coffee|drinks?|beers?|pint|meal|nap|lunch|dinner|breakfast|ice cream|smoke|spin|bite|curry|pizza|picnic)|(?:go|goes|went|going) with (?:the flow|this|that|it|him|her|them)|agreed? to (?:disagree|(?:the |all )?(?:terms|cookies))|(?:chose|choose|picked|took) (?:the )?(?:first|second|third|wrong|right|last|other)(?: one)?|(?:fans? of|keen on|fond of|into|happy with|comfortable with|bothered by) (?:this|that|these|those|it|your|his|her|their|them|how)|(?:lucky|perfect|worst|best|good|bad|big|rough|long) day|day off today|drive (?:the point|home)|speak (?:from|of|as)|(?:stays? on|moves? to) the (?:next|left|right|top|bottom|previous|first|last|second|background|front|end|middle|other|loading|login|same)) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ {we}{adv} (?:keep (?:[a-z]+ing|it|this|that|him|her|them|to|on|up|out|track|calm|quiet|busy|warm|fit)|run (?:an?|the|my|this|that|these|it|our) (?:[a-z]+ )?(?:tests?|query|queries|script|code|commands?|build|program|function|migration|job|risk|search|errands?|bath|fever|temperature|update|loop|test suite)|{not} (?:really |even )?(?:need|want|trust|like|do|use|read|take|buy|check|play|answer) (?:your|this|that|these|those|him|her|them|you|the (?:result|output|answer|idea))|(?:usually|always|normally|generally|never|only|rarely) (?:do|use|take|want|read|put|say) (?:that|this|it|so|the same)|(?:want|need) (?:my|our) (?:[a-z]+ )?(?:back|money|glasses|bed|life|sleep|stuff|keys|phone|space)) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ {we}{adv} (?:can't|cannot|cant|couldn't) (?:really |even |just )?(?:sleep|focus|concentrate|think|stand (?:up|straight|still)|(?:handle|tolerate|take|bear) (?:this|that|it)|deal with (?:this|that|it))(?: (?:today|tonight|now|right now|again|anymore|straight|at all|well))* $",
    ),
    gate(
        Idiom,
        Clause,
        " (?:rather|prefer) (?:to )?(?:die|not|wait|wait and see|starve)(?: (?:for now|first))? $",
    ),
    gate(
        Idiom,
        Clause,
        " (?:(?:as|how|where|what|like|there|here|way|whatever|and) it is|(?:live|work) (?:here|there)) $",
    ),
    // What somebody orders at a table or a counter.
    gate(
        Idiom,
        Clause,
        "^ (?:i'd|i would|we'd) (?:really )?like (?:the|an?|one|two|another|some) (?:[a-z]+ ){1,2}(?:please |tonight |today |now )?$",
    ),
    // A verb of a third person whose subject is before: "and never answers his phone".
    gate(
        Idiom,
        Clause,
        "^ (?:always|never|rarely|usually) [a-z]*[a-rt-z]s (?:$|(?:his|her|their|its|the|an?|my|me|us|our|it|him|them|to|at|up|back|for|any|until|with|out|off|that|because|what|how|where|there|early|late|again) )",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:[a-z0-9-]+ ){1,2}over (?:the|an?|my|our|your|his|her|there|here|it|this|that|to|by|and|for|in|at|with|again|now|time|christmas|easter|lunch|dinner|breakfast|[0-9]+) ",
    ),
    gate(Idiom, Clause, "^ no [^,]* (?:left|yet|so far|again|here|there|at all|either|anywhere) $"),
    // What happens when anybody does something: no order follows.
    gate(
        Idiom,
        Clause,
        "^ (?:when|whenever|if|every time|each time|once) you [^,]+ , (?:nothing|it|it's|there|there's|you|you'll|they|he|she|we|how|what|why|is|are|does|do you|can you|could you|will|i (?:get|see|will|am|can|have|think)|tell me $|(?:the|my|your) [a-z]+ (?:is|will|[a-z]*[a-rt-z]s)) ?",
    ),
    // What is done now, or of the day, and decides nothing.
    gate(
        Idiom,
        Clause,
        "^ (?:{am}{adv} )?(?:going to (?:bed|sleep|lunch|work|town|try|see|check|look|take a|be|say|need|ask|have a|cry|die|kill|scream|explode|wait)|keeping (?:my|our) fingers|calling (?:the|my|him|her|them)|(?:buying|taking|getting|selling) [^,]* (?:on the way|now|today|well|tonight)|selling (?:well|like|badly)|leaving (?:now|soon|the house)|dropping (?:the|my|our|him|her|them) (?:[a-z]+ )?(?:off|at)|moving on) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:adding|moving|replacing|switching|dropping|changing|removing|keeping|stopping|closing|splitting|merging|renaming|rewriting) [^,]*(?:[a-z]{3,}ed|worked?s?|did|does|broke|breaks|helps?|makes?|made|gives?|gave|causes?|solves?|seems?|fixes) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:let's|lets|let us) (?:just |all |then |first |now )*(?:do (?:it|this|that)|move on|start|see|go$|call it a (?:day|night)|make (?:it|this|that|a deal|sure)|take (?:a|it|this|that|one)|have (?:a|fun|lunch|dinner|another)|put (?:it|this|that|aside)|pick up where|try|use (?:that|this|it|the [a-z]+ (?:one|function|variable|version|file|method|code|approach|word)|a (?:different|new|loop|list|dictionary))) ?",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:i|we)(?:'ve| have)?{adv} (?:finished|started|passed|ended|completed|created|added|removed|updated|changed|moved|renamed|closed|merged|pushed|pulled|cloned|copied|pasted|attached|shared|signed|broke|lost|found|built|submitted|printed|scheduled|booked|uploaded|visited) (?:the|an?|this|that|these|those|it|some|two|three) (?:[a-z]+ )?(?:download|file|folder|build|code|page|keys?|train of|thread|count|track|form|reports?|function|test|tests|script|branch|tab|window|column|row|line|button|link|draft|document|slides|chapter|book|episode|series|task|tasks|email|mail|bug|header|parameter|image|photo|video|list|mood|patience|temper|voice) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ {have}{adv} (?:(?:an? |two |three |[0-9]+ |some |the |five |four |many |no )+)(?:[a-z]+ )?(?:connection|dataframe|folder|directory|variable|dictionary|json|form|button|loop|class|object|method|app idea|code|snippet|sentence|paragraph|word|number|dataset|matrix|graph|chart|euros?|dollars?|pounds|quid|memory of|voice mail|voucher|coupon|recipe|essay|assignment|homework|exercise|prompt|log|stack trace|repo open|package to) ?",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:i've|i have|we've|we have|ive){adv} (?:been (?:an? (?:idiot|fool|bit|while|pain|mess)|waiting|there|here)|worked on) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:i|we){adv} (?:teach you|train (?:the|a|it)|design (?:an?|the|it)|build (?:the|it|this|that)|ship (?:it|this|that)|deliver (?:it|this|that|$)|manage (?:$|to|it|fine)|write for help|fast forward|smoke test|sing in the|also (?:look|jump|came|went|glance)|use (?:a|an|the|this|that) (?:[a-z]+ )?(?:loop|function|variable|method|workaround|regex|formula|hook|flag|filter|template)|(?:prefer|like|love) the (?:first|second|third|last|other|latter|former)|(?:hate|love|miss|like|fear) (?:you|him|her|them)|(?:dislike|like|hate|avoid|appreciate|value|enjoy|prefer|struggle with|insist on) (?:your|this|that|these|those|the (?:question|answer|topic|help|effort|offer|reply|support|work|feedback|gesture|ending|last|new|current)|talking to you|a refund|an? answer)) ?",
    ),
    gate(
        Idiom,
        Clause,
        "^ i can only (?:see|find|think|hope|imagine|guess|agree|assume|hear|say|remember|wonder|recommend|laugh|apologi[sz]e|read (?:half|part|the first|one|two)) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ {we} find (?:it|that|this|these|those|them|the (?:first|second|third|last|other|new|old|current)) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:it|that|this|this one|that one|these|those|he|she|they)(?:'s| is| are| just| really| always)* (?:drives?|makes?|gives?|works?|suits?|bores?|annoys?|irritates?|stress(?:es)?|puts|gets|my (?:favou?rite|thing|style)|an? (?:must|no-go|turn-?off)|grosse?s?|freaks?|calms?) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ {am}{adv} (?:an?|the) (?:[a-z]+ )?(?:beginner|newbie|noob|optimist|pessimist|learner|customer|user|owner of this|author of this|one|guy (?:from|who|that)|girl (?:from|who|that)|person (?:from|who|that)|man of|woman of|basically) ",
    ),
    gate(Joke, Clause, "^ (?:i'm|im|i am) (?:basically|practically|literally|technically) "),
    gate(
        Idiom,
        Clause,
        "^ (?:i|we)(?:'ve| have)?{adv} (?:lost|misplaced|forgot) my (?:keys?|glasses|train of thought|temper|patience|mood|voice|mind|place|way) ",
    ),
    gate(Idiom, Clause, " (?:prefer|rather) (?:you|that you|it if you|they) (?:didn't|don't|not|wouldn't) $"),
    gate(Idiom, Clause, "^ (?:what|all) i (?:want|need) (?:now )?is (?:an?|some|one|the) [a-z]+ $"),
    gate(
        Joke,
        Sentence,
        " (?:haha|hahaha|lol|hah|hehe) (?:no|nope|not|i wish|as if|kidding|jk|just kidding) ",
    ),
    gate(
        Hypothetical,
        Clause,
        " (?:thought|assumed|believed|figured|could swear|could've sworn) (?:that )?(?:we|i|it|you|they|he|she) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ {we}{adv} (?:look after (?:myself|ourselves)|take care of (?:the rest|it|this|that)|come from work|lead the (?:way|field)|support your|grow (?:tired|bored|weary)|sell (?:myself|ourselves)|weigh (?:my|our) (?:options|words)|(?:was|were) born to|tell (?:him|her|them)|told (?:him|her|them)|like what you|chose (?:poorly|badly|wrong|well)) ",
    ),
    gate(
        Hypothetical,
        Clause,
        "^ (?:going|sticking|switching|staying|moving|using) [^,]* (?:would|could|might|sounds?|seems?) ",
    ),
    // One thing is asked for, here and now.
    gate(
        Command,
        Clause,
        "^ (?:i|we)(?:'d|'d really| would)? (?:want|need|expect|like|require) (?:you to (?:summari[sz]e|check|look|review|write|read|help|fix|find|explain|compare|translate|make|create|do|draft|tell|give|analy[sz]e|send|rewrite|proofread|calculate|generate|list|imagine|pretend|act|know|understand) (?:me |us |at |for )*(?:an?|the|this|that|these|those|it|my|our|what|why|how|if|something|with|some|two|three|[0-9]+)|(?:the|my|our) (?:[a-z]+ ){1,2}(?:in (?:blue|red|green|bold|the|[a-z]+ minutes)|to (?:be|look|have|say|fit)|back|as (?:an?|the)|by)|(?:it|them|this|that) (?:in [a-z0-9]+ (?:minutes|hours|days|seconds)|to (?:be|look|have|work|fit|run|stop)|in the|by|back|now|asap|done|fixed|for)|all (?:the )?files|no help|some|your help|advice) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:answer|use|send|give|reply to|write|open|format|treat|read|show|list|quote|keep|put|start|book|check) (?:(?:the|this|that|these|those|him|her|them) (?:[a-z]+ )?(?:below|above|question|first question|second question|table|link|file|image|text|as an?|template|function|method|sample|attached|following|script|class|sentence|paragraph|letter|essay|email|mail|one|version|variable|data|numbers)|(?:to )?[a-z]+ in [a-z]+ that|(?:him|her|them) (?:the|my|our|a|an)|every (?:link|file|tab|page|window)) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:don't|do not|dont|stop|no need to) (?:add|change|delete|remove|write|say|tell|send|move|talk|talking|replace|touch|explain|mention)(?:ing)? (?:anything (?:else|more|yet)|any more|about (?:him|her|it|that|this|them)|him|her|it|them|the (?:[a-z]+ )?(?:title|text|file|name|order|first|last|rest|second|original|meaning|code)) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}make (?:it|this|that|them) (?:an? |a bit |a little |much |way |more |less )*(?:[a-z]+er|smaller|formal|personal|friendly|professional|funny|bold|simple|concise|short) $",
    ),
    gate(Command, Clause, "^ {polite}be (?:honest|nice|careful|quick|quiet|patient|gentle|kind|serious) $"),
    gate(Idiom, Clause, "^ nothing (?:before|after|above|below|with|over) (?:that|this|it) "),
    gate(Negated, Clause, "^ my name (?:is|was)(?: not|n't) "),
    gate(
        Idiom,
        Clause,
        "^ (?:my|our) (?:[a-z]+ )?(?:{kin}|phone|laptop|car|company|team|code) (?:is|are|has|have|needs?) (?:[0-9]+ (?:minutes|hours) |in the (?:[a-z]+) $|at [0-9]+|so |such |too |help |no idea|not (?:[a-z]+ing|here|amused|happy|answering)|coming |to be |an? (?:bad|good|great|rough|long) day|in (?:the repo|this|a good mood|a bad mood|love)|visiting |on (?:the|his|her|its) (?:way|phone|roof|table|sofa|desk)|all over|kidding|done |fed up|proud )",
    ),
    gate(
        Idiom,
        Clause,
        " in the (?:kitchen|bathroom|garden|shower|car|next room|living room|other room|repo|way) $",
    ),
    // What holds only now.
    gate(
        Idiom,
        Clause,
        "^ (?:my|our|the) (?:[a-z'-]+ ){1,3}(?:is|are|was|were|has been|have been)(?: (?:[a-z]+ly|so|too|very|just|all|not|still|a bit|always|kinda|now|already|currently|on|up|back))* (?:down|broken|red|failing|late|slow|full|dirty|stuck|fried|ready|gone|dead|due|missing|working|acting|being|getting (?:on|worse|better|late|old|older|cold|hot|slow|slower|in|up|out|ready|there|bigger|longer|annoying|a|the|tired|hungry|bored)|chasing|sitting|barking|eating my|eating the|looking|staring|watching|meowing|snoring|begging|refusing|throwing|standing|lying|jumping|talking|asking|licking|scratching|arriving|loading|responding|syncing|charging|connecting|printing|showing|compiling|sticky|unhappy with|(?:nearly|almost) [a-z]+|crashing|killing|empty|awful|terrible|great|fine|ok|okay|good|bad|nice|perfect|lovely|wrong|right|correct|weird|strange|annoying|hard|easy|green|passing|done|open|closed|here|there|asleep|calling|waiting|away|out|home|busy|angry|annoyed|shouting|screaming|crying|sleeping|on the phone|in the (?:other|next|bath|car|way)|at (?:work|school|home|the|it)|coming (?:over|up)|cold|hot|wet|noisy|loud|tired|hungry|ill|sick|unhappy|happy|worse|better|awake|offline|online|driving me|making|giving|about to|going to|hurting|sore|heavy|light|freezing|boiling|off|on fire|the best|the worst|amazing|crazy|nuts|insane|a (?:mess|nightmare|joke|disaster|pain|bit)|hurt|ringing|blinking|melting|spinning|loading|useless|unreadable|confused|confusing|beautiful|delicious|garbage|rubbish|below|above|attached|in the attachment|as follows) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:just |finally )?(?:(?:i|we|the (?:kids|boys|girls|family))(?:'ve| have)?{adv} )?(?:watched|cooked|baked|talked|chatted|discussed|asked|tried|looked|listened|played|wanted|needed|used|liked|loved|hated|noticed|checked|wondered|waited|walked|worked|called|texted|e-?mailed|messaged|missed|laughed|cleaned|tested|clicked|typed|tidied|washed|stayed|enjoyed|mentioned|learned|reali[sz]ed|stopped by|sorted|opened|received|downloaded|googled|tripped|danced|ordered|uploaded|installed|edited|reviewed|fixed|answered|replied|promised|saved|napped|browsed|searched|debugged|finished (?:the book|watching|reading|eating)|started (?:reading|watching|thinking|wondering)|picked up|dropped (?:off|by)|been (?:used|looking|asked|told)|got (?:lost|confused|distracted|bored|stuck|carried)) ",
    ),
    // A plan that is only one's own.
    gate(Hypothetical, Clause, "^ my (?:[a-z]+ )?(?:plan|hope|dream|goal|idea) (?:is|was) "),
    // Orders of the moment.
    gate(
        Command,
        Clause,
        "^ {polite}(?:add|write|give|send|show|list|name|create|make|build|draft)(?: (?:me|us))? (?:an?|another|two|three|four|five|ten|[0-9]+|some|this|that|these|those|your) (?:[^, ]+ ){1,4}(?:to|of|from|in|about|for|with|on|as|at) (?:an?|the|this|that|these|those|my|our|all the|[a-z]+ing|[a-z]+ of all|[a-z]+ $)",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:don't|do not|dont|stop|no|avoid|use|keep|put|add) [^,]* (?:here|there|in the (?:first|second|third|next|last|above|following|new|old) [a-z]+) $",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}call (?:me |us )?(?:back|later|when|tomorrow|tonight|at|on|if|asap|now|the|a|an|my|him|her|them|crazy|old-fashioned|old fashioned|cynical|stupid|naive|biased|paranoid|picky|weird|lazy|it) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:set|remind|translate|play|open|close|find|search|look up|check|fix|draft|generate|convert|calculate|compare) (?:an?|the|me|this|that|it|my|all|up|them|these|those) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:don't|do not|dont|never) (?:worry|bother (?:with|about|to|$)|be (?:surprised|shy|late|mad|sad|silly|afraid|sorry|scared|stupid|such)|tell (?:anyone|anybody|them|him|her|my)|get (?:me wrong|mad|excited)|know|think|mind|even|forget|panic|judge|laugh|want to|hesitate|shoot|blame|care|remember|let|look|fear|see|feel|go (?:anywhere|yet|there)|you|we|have|need|like it|ever (?:change|again)|get (?:it|why|how|that)|say (?:i|that|it)|understand|wait|stress|sweat|take (?:it|this|that)|say) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:don't|do not|dont|no need to) (?:[a-z]+ )(?:the|this|that|these|those|it|him|her|them|there|here|yet|now) ",
    ),
    gate(Command, Clause, "^ {polite}(?:don't|do not|dont|stop|no) [^,]* (?:that|this|it|then|yet) $"),
    gate(
        Command,
        Clause,
        "^ {polite}(?:keep|leave|make) (?:it|this|that|them|going|the|me|up|in|on|trying|calm|quiet|an eye|track|me posted|us posted|smiling|digging) (?:$|going|up|like|as|on|in mind|open|running|here|there|alone|posted|for|blue|red|green|bold|bigger|smaller|that way|so)",
    ),
];
