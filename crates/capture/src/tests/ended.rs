//! What has ended.

use super::*;

#[test]
fn what_has_ended_is_told_from_what_holds() {
    for (text, expected) in [
        ("I no longer eat meat", Some("i eat meat")),
        ("I don't eat meat any more", Some("i eat meat")),
        ("we don't use Jira anymore", Some("we use jira")),
        ("ich esse kein Fleisch mehr", Some("ich esse fleisch")),
        ("ich arbeite nicht mehr bei Siemens", Some("ich arbeite bei siemens")),
        ("ya no como carne", Some("como carne")),
        ("je n'habite plus à Lyon", Some("je habite a lyon")),
        ("我不再吃肉了", Some("我吃肉")),
        ("não fumo mais", Some("fumo")),
        ("I eat more meat", None),
        ("I'm not a doctor", None),
    ] {
        let folded = Page::of(text).sentences.remove(0);
        assert_eq!(crate::ended::ended(folded.text()).as_deref(), expected, "{text}");
    }
}

#[test]
fn what_has_ended_is_told_in_languages_with_two_words_for_it() {
    for (text, expected) in [
        ("Je ne suis plus allergique aux noix", "je suis allergique aux noix"),
        ("Je ne fume plus", "je fume"),
        ("Não sou mais alérgico a amendoim", "sou alergico a amendoim"),
        ("Ya no me gusta trabajar de noche", "me gusta trabajar de noche"),
        ("Je n'aime plus travailler de nuit", "je aime travailler de nuit"),
        ("I'm no longer on penicillin, they switched me to doxycycline", "i'm on penicillin"),
    ] {
        let reading = reading(text);
        let ended: Vec<&str> =
            reading.candidates.iter().filter_map(|candidate| candidate.ended.as_deref()).collect();
        assert_eq!(ended, [expected], "{text}: {reading:?}");
    }
}

#[test]
fn what_would_end_has_not_ended() {
    for (text, expected) in [
        ("Wenn ich nicht mehr allergisch gegen Nüsse bin, esse ich Nutella", None),
        ("Wenn ich kein Lamotrigin mehr nehme, bekomme ich Anfälle", None),
        ("When I no longer live in Leeds, I'll sell the car", None),
        ("Quand je n'habite plus à Lyon, je vends la voiture", None),
        ("I'll sell the car once I no longer live in Leeds", None),
        ("Si je n'habite plus à Lyon, je vends la voiture", None),
        ("Mi hija se casó y ya no fuma", Some("mi hija se caso y fuma")),
        ("I no longer smoke when I'm stressed", Some("i smoke when i'm stressed")),
        ("I live in Utrecht now, not in Lisbon any more", Some("i live in lisbon")),
        ("I live in Utrecht now, no longer in Lisbon", Some("i live in lisbon")),
        ("Not Lisbon any more, I live in Utrecht now", Some("i live lisbon")),
        ("Ich wohne jetzt in Köln, nicht mehr in Bonn", Some("ich wohne in bonn")),
        ("Vivo en Lugo ahora, ya no en Vigo", Some("vivo en en vigo")),
        ("Ya no vivo en Vigo, ahora vivo en Lugo", Some("vivo en vigo , ahora vivo en lugo")),
    ] {
        let folded = Page::of(text).sentences.remove(0);
        assert_eq!(crate::ended::ended(folded.text()).as_deref(), expected, "{text}");
    }
}
