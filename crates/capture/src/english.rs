//! The table of English.

use super::language::{DayWord, Language, When, day};

pub(super) static TABLE: Language = Language {
    spaced: true,
    is_romance: false,
    fragments: FRAGMENTS,
    openers: "hi|hey|hello|yo|hiya|morning ,|good (?:morning|evening|afternoon)|(?:hi|hey|hello) (?:there|all|everyone|team|again)|\
              ok|okay|k|so|and|but|or|well|also|oh (?:,|and|also|btw|by the way|yes|yeah|no|well)|ah|um|uh|er|erm|hmm|yeah|yes|yep|yup|yea|lol|haha|hah|\
              btw|by the way|fyi|fwiw|for (?:the record|context|reference|your information|what it's worth)|anyways?|anyhow|alright|right ,|\
              thanks(?: (?:a lot|so much|again))?|thank you|thx|ty|cheers|sorry|honestly|tbh|frankly|(?:but )?seriously|actually|basically|currently|nowadays|these days|at the moment|\
              heads up(?: everyone| all| team)?|quick (?:one|note|update|question|heads up)|plus|then|because|cos|cause|p\\.?s|\
              just so you know|(?:also |please )?note(?: that)?|remember(?: that)?|keep in mind(?: that)?|bear in mind(?: that)?|be aware(?: that)?|(?:you )?(?:should|might want to|need to|may want to) know(?: that)?|\
              in the end|in short|(?:to cut a )?long story short|to be (?:clear|fair|honest)|i (?:should|must|have to|forgot to) (?:say|mention|add|admit)(?: that)?|did i mention(?: that)?|\
              update|good news|bad news|reminder|(?:small|last|one (?:more )?|another |first |next )thing|on another note|unrelated|important|full disclosure|fun fact|confession|\
              what i (?:want to say|mean) is|what is (?:fixed|clear|certain)|what matters(?: to me| most)?|(?:the )?(?:thing|fact|truth) is(?: that)?|turns out(?: that)?|it turns out(?: that)?|\
              first of all|first off|firstly|secondly|second ,|third ,|finally|lastly|gonna be (?:blunt|honest)|\
              i mean|you know|u know|like ,|for me|imo|imho|in my opinion|personally|(?:as|like) i said|dude|man ,|bro|guys|folks|omg|ugh|argh|phew|wow|no ,|nope|nah|which means|exceptionally|admittedly",
    interjections: "fine|cool|great|nice|sure|perfect|look|see|listen",
    speaker: "i|we|my|our",
    closers: "btw|by the way|lol|haha|hah|tbh|imo|imho|thanks|thank you|thx|ty|cheers|though|tho|anyway|, ok|, okay|, right|, sorry|fyi|\
              you know|just so you know|so you know|for the record|and|but|so|or|because|xd|:d|please|pls|honestly|omg|ugh|, then|after all|you see|i'm afraid|folks|, guys",
    session: " {for-now} ",
    past: " {ed} ",
    present: " (?:[a-z]+'ll|will|won't|gonna|going to|can|can't|cannot|let's|to (?:have|get|be)|(?:i'm|we're|you're|they're|he's|she's|it's|am|are|is)(?: [a-z]+)? [a-z]+ing) [^,:]*| (?:i'm|we're|you're|they're|am|are|is|be|being|get|gets|getting)(?: (?:not|also|all|both|now|still|already|fully|finally))? {ed} | \
              (?:get|gets|getting) (?:a|an|the|my|our|your|his|her|its|their|some|it) (?:[a-z]+ )?{ed} | (?:a|an|the|of|my|our|your|his|her|its|their) {ed} | hair cut | hundred ",
    doubtful: "",
    is_preterite: |_| false,
    arranged: " (?:booked|agreed|decided|arranged|invited|moved|postponed|cancelled|canceled|scheduled|rescheduled|planned|promised|reserved|\
               delayed|brought forward|pushed|confirmed|organi[sz]ed|offered|accepted|registered|signed up|enrolled|told|asked|assigned|given|\
               bought (?:[^ ]+ )*(?:tickets?|seats?)|(?:got|have got|'ve got|i've got|we've got|she's got|he's got|made|set up|landed) (?:an?|my|our|the|us|two|some)) ",
    weekdays: [
        "mondays|monday|mon",
        "tuesdays|tuesday|tues|tue",
        "wednesdays|wednesday|wed",
        "thursdays|thursday|thurs|thur|thu",
        "fridays|friday|fri",
        "saturdays|saturday|sat",
        "sundays|sunday|sun",
    ],
    numbers: &["one|a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
    days: DAYS,
};

const FRAGMENTS: &[(&str, &str)] = &[
    ("wday", "(?:mon|tues|wednes|thurs|fri|satur|sun)day"),
    // What makes a wish one for now.
    (
        "for-now",
        "(?:this (?:time|once|week|morning|afternoon|evening)|this one time|just once|for (?:now|once|today|tonight|(?:just )?this [^,]+|the (?:moment|time being|rest of (?:the|this|today)[^,]*|next (?:hour|few [a-z]+|two [a-z]+))|a (?:bit|while))|right now|today|tonight|in this (?:one|case|letter|thread|file|chat|conversation|session|mail|email|message|document|answer|reply|response|summary|report|text)|on this (?:one|occasion)|(?:until|till) (?:tomorrow|tonight|{wday}|i(?:'m| am) [^,]+|further notice|the [^,]+|then)|exceptionally|while (?:i'm|i am|we're|we are|you're)|temporarily|as long as (?:i|we)[^,]+)",
    ),
    // Verbs of what was; and those of them that tell of something that changed something.
    (
        "ed",
        "(?:[a-z]+[a-df-z]ed|agreed|went|got|had|was|were|broke|lost|won|ran|stole|bought|sold|found|met|left|came|took|gave|made|fell|did|saw|quit|hit|flew|drove|forgot|caught|became|built|held|paid|sent|spent|threw|woke|wrote|chose|swam|hurt|cut|burnt|tore|bit|blew|burst|froze|shut|died|began|put|led|beat)",
    ),
];

const DAYS: &[DayWord] = &[
    day(When::None, " (?:last (?:week|month|year|weekend)|next (?:week|month|year)|{wday}s) "),
    day(When::Day(-2), " the day before yesterday "),
    day(When::Day(2), " the day after tomorrow"),
    day(When::Day(-1), " (?:yesterday|last night)"),
    day(When::Day(1), " tomorrow"),
    day(When::Day(0), " (?:today|tonight|this (?:morning|afternoon|evening)|just now)"),
    // A number of two words: "twenty one days ago".
    day(When::None, " (?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred)(?: and)? {number} days? ago"),
    day(When::Ago, " {number} days? ago"),
    day(When::Ahead, " in {number} days?"),
    day(When::Last, " last {weekday}"),
    day(When::Coming, " (?:next|coming) {weekday}"),
    day(When::Nearest, " (?:on|is|was|this) {weekday}"),
    day(
        When::Nearest,
        "^ ({wday}(?: (?:morning|afternoon|evening|night))?) (?:i|i'm|i've|i'll|i'd|we|we're|we've|we'll|we'd|he's|she's|they're|my|our) ",
    ),
    day(When::Day(0), "^ (just) {ed} "),
];
