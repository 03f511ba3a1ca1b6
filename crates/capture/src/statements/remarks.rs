//! Sentences about what was said before, which say nothing themselves.

use std::sync::LazyLock;

use regex::Regex;

use crate::latin::simplified;

/// What people say before they ask to forget the message before: "sorry, wrong chat", "I shouldn't have told you that".
const REMARK: &str = concat!(
    r"^(?: (?:,|oh|no|oops|ups|wait|hmm?|sorry|ok|okay|actually|well|ach|nein|moment|entschuldigung|perdon|ay|espera|lo siento|pardon|desolee?|attends|scusa|aspetta|desculpa|извини|ои))*(?:(?: [^ ]+){0,2} $",
    r"|.* i (?:[a-z']+ ){0,4}(?:said|say|told you|tell you|mentioned?|wrote|sent)(?: you)? (?:that|this|it|anything|any of|all|too much|so much) ",
    r"| (?:that|this|it)(?:'s| is| was| isn't| wasn't| is not| was not) (?:.* )?(?:private|secret|confidential|personal|mistake|error|wrong|meant|for you|else|stupid|silly|too much) ",
    r"| you (?:shouldn't|weren't supposed to|aren't supposed to|don't need to|didn't need to) (?:know|hear) (?:that|this|it) ",
    r"| (?:das|dies|es) (?:war|ist|wäre|sollte|hätte) (?:.* )?(?:sagen|gesagt|erzählen|erzählt|schreiben|geschrieben|privat|geheim|geheimnis|vertraulich|für dich|falsch|falscher|versehen|irrtum|fehler) ",
    r"|.* ich (?:[^ ]+ ){0,3}(?:das|dies|es) (?:[^ ]+ ){0,3}(?:sagen|gesagt|erzählen|erzählt|schreiben|geschrieben) ",
    r"|.* (?:debi|deberia|debia|queria|tendria que|tenia que) (?:.* )?(?:decir|decirlo|decirte|decirtelo|dicho|contar|contarlo|contartelo) ",
    r"| (?:eso|esto) (?:no )?(?:era|es|fue|ha sido) (?:.* )?(?:privado|secreto|confidencial|error|para ti) ",
    r"|.* (?:je n'aurais|j'aurais|je ne voulais|je n'aurai) (?:.* )?(?:dit|dire|raconter|raconte|parler) ",
    r"| (?:c'est|c'etait|ce n'etait|ca n'etait) (?:.* )?(?:prive|secret|confidentiel|erreur|pour toi|pour vous) ",
    r"|.* (?:dovevo|avrei|volevo) (?:.* )?(?:dire|dirlo|dirtelo)| (?:questo|quello|era) (?:.* )?(?:privato|segreto|errore|per te) ",
    r"|.* (?:devia|deveria|queria) (?:.* )?(?:dizer|dito|contar|contado)| (?:isso|isto) (?:.* )?(?:privado|segredo|erro|para ti|para voce) ",
    r"|.* (?:говорить|сказал|сказала) (?:это|этого|лишнее) | это (?:.* )?(?:секрет|личное|ошибка|не для тебя) )",
);

/// Returns whether a folded sentence is only about what was said before.
pub(super) fn is_remark(text: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| simplified(REMARK));
    PATTERN.is_match(&format!(" {} ", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    #[test]
    fn a_remark_is_about_what_was_said_before() {
        for (text, expected) in [
            ("Sorry, wrong chat.", true),
            ("Hmm, wait a second.", true),
            ("I shouldn't have told you that.", true),
            ("That was meant for someone else.", true),
            ("Das hätte ich nicht sagen sollen.", true),
            ("No debí decirlo.", true),
            ("C'était un secret.", true),
            ("My boss Karl drinks.", false),
            ("Karl told me that he drinks.", false),
            ("Mein Chef Karl trinkt.", false),
            ("Tom va a dimitir.", false),
            ("Tom va démissionner.", false),
        ] {
            let page = Page::of(text);
            assert_eq!(page.sentences.iter().all(|sentence| is_remark(sentence.text())), expected, "{text}");
        }
    }
}
