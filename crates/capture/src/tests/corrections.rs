//! What is corrected.

use super::*;

#[test]
fn a_statement_after_words_of_correction_says_so() {
    for (text, expected) in
        [("Actually, my favourite colour is green.", true), ("My favourite colour is green.", false)]
    {
        assert_eq!(reading(text).candidates[0].corrects, expected, "{text}");
    }
}

#[test]
fn a_correction_in_the_next_sentence_belongs_to_the_statement() {
    for text in [
        "My name is Tom. Actually, no, it's Tim",
        "My meeting is on Monday. Actually, no, it's Tuesday",
        "My cat is called Rex. Actually, no, it's Mimi",
        "My flight is on Friday. No wait, on Saturday",
        "Mein Flug geht am Freitag. Quatsch, am Samstag",
        "Mi vuelo es el viernes. Perdón, el sábado",
        "Mon vol est vendredi. Pardon, samedi",
    ] {
        let texts: Vec<String> = reading(text).candidates.into_iter().map(|kept| kept.text).collect();
        assert_eq!(texts, [text], "{text}");
    }
    for (text, expected) in [
        (
            "Please remember that my flight is on Friday. No wait, on Saturday.",
            "my flight is on Friday. No wait, on Saturday",
        ),
        (
            "Merk dir, dass mein Flug am Freitag geht. Quatsch, am Samstag.",
            "mein Flug am Freitag geht. Quatsch, am Samstag",
        ),
        (
            "Recuerda que mi vuelo es el viernes. Perdón, el sábado.",
            "mi vuelo es el viernes. Perdón, el sábado",
        ),
        ("Retiens que mon vol est vendredi. Pardon, samedi.", "mon vol est vendredi. Pardon, samedi"),
    ] {
        let texts: Vec<String> = reading(text).candidates.into_iter().map(|kept| kept.text).collect();
        assert_eq!(texts, [expected], "{text}");
    }
    for text in ["I live in Leeds. Sorry, gotta go", "I live in Leeds. Oh, it's raining"] {
        assert_eq!(kept(text), ["fact: I live in Leeds"], "{text}");
    }
}

#[test]
fn a_day_or_a_time_alone_corrects_the_one_that_was_said() {
    let english = "my dentist appointment is on Wednesday (2026-02-11) at 3pm";
    let german = "Mein Termin ist am Mittwoch um 10 Uhr";
    let spanish = "Mi cita es el miércoles a las 10";
    for (statement, correction) in [
        (english, "no, Thursday"),
        (english, "sorry, Thursday"),
        (english, "no, it's Thursday"),
        (english, "no, on Thursday at 4pm"),
        (english, "Thursday, not Wednesday"),
        (german, "nein, Donnerstag"),
        (german, "Sorry, um 9"),
        (spanish, "no, el jueves"),
        (spanish, "perdón, el jueves"),
    ] {
        let reading = reading(correction);
        assert_eq!((reading.corrects, reading.candidates), (Corrects::Perhaps, vec![]), "{correction}");
        assert!(may_correct(statement, correction, false), "{statement} | {correction}");
    }
    for correction in ["no, Thursday", "Thursday, not Wednesday"] {
        let (_, day) = corrected(english, Some(date(2026, 2, 11)), correction, date(2026, 2, 10));
        assert_eq!(day, Some(date(2026, 2, 12)), "{correction}");
    }
    assert!(!may_correct("I live in Leeds", "no, Thursday", false));
}
