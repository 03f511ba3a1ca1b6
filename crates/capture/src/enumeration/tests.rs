//! What remains of an enumeration.

use super::*;

#[test]
fn the_rest_is_a_statement() {
    for (statement, named, expected) in [
        (
            "I am allergic to peanuts and penicillin",
            "I'm allergic to peanuts",
            Some("I am allergic to penicillin"),
        ),
        (
            "I am allergic to peanuts and penicillin",
            "I'm allergic to penicillin",
            Some("I am allergic to peanuts"),
        ),
        ("I speak German, French and Italian", "I speak French", Some("I speak German and Italian")),
        ("I speak German, French and Italian", "I speak German", Some("I speak French and Italian")),
        ("I live in Leeds and I work as a nurse", "I work as a nurse", Some("I live in Leeds")),
        ("I live in Leeds and I work as a nurse", "I live in Leeds", Some("I work as a nurse")),
        ("I like jazz and hate opera", "I hate opera", Some("I like jazz")),
        (
            "My son is allergic to bees and my daughter to nuts",
            "my daughter is allergic to nuts",
            Some("My son is allergic to bees"),
        ),
        (
            "Ich bin gegen Bienen und Penicillin allergisch",
            "ich gegen Bienen allergisch bin",
            Some("Ich bin gegen Penicillin allergisch"),
        ),
        ("Ich bin gegen Bienen und Penicillin allergisch", "ich gegen Penicillin allergisch bin", None),
        (
            "Soy alérgica a la penicilina y al polen",
            "soy alérgica al polen",
            Some("Soy alérgica a la penicilina"),
        ),
        ("I am allergic to peanuts", "I'm allergic to peanuts", None),
        ("I am allergic to peanuts and penicillin", "I'm allergic to peanuts and penicillin", None),
        ("I am allergic to peanuts and penicillin", "I live in Leeds", None),
        ("I like jazz and hate opera", "I like jazz", Some("I hate opera")),
        ("I like black tea and green coffee", "I like black tea", None),
        ("My son Tom is 6 and allergic to eggs", "my son Tom is 6", Some("My son Tom is allergic to eggs")),
        (
            "Soy vegetariana y alérgica a los cacahuetes",
            "soy vegetariana",
            Some("Soy alérgica a los cacahuetes"),
        ),
        (
            "Je suis végétarien et allergique aux arachides",
            "je suis végétarien",
            Some("Je suis allergique aux arachides"),
        ),
        (
            "My sister Chloe is diabetic and lives in Nantes",
            "my sister Chloe is diabetic",
            Some("My sister Chloe lives in Nantes"),
        ),
        ("I'm left-handed and colour-blind", "I'm left-handed", Some("I'm colour-blind")),
        ("I'm a nurse, 34, and diabetic", "I'm a nurse", Some("I'm 34, and diabetic")),
        ("I'm 34 and live in Leeds", "I'm 34", Some("I live in Leeds")),
        ("I'm allergic to black cats and white mice", "I'm allergic to black cats", None),
        ("I never drink beer, only wine", "I never drink beer", None),
        ("Ich esse kein Fleisch, nur Fisch", "ich kein Fleisch esse", None),
        (
            "Ich trinke keinen Alkohol und keinen Kaffee",
            "ich keinen Alkohol trinke",
            Some("Ich trinke keinen Kaffee"),
        ),
        ("I don't drink alcohol or coffee", "I don't drink coffee", Some("I don't drink alcohol")),
        ("我不吃肉和鱼", "我不吃肉", Some("我不吃鱼")),
    ] {
        let rest = Parts::of(statement, named).map(|parts| parts.rest);
        assert_eq!(rest.as_deref(), expected, "{statement} | {named}");
    }
}

#[test]
fn a_clause_of_its_own_is_left_whole() {
    for (statement, named, expected) in [
        (
            "I work at Acme as an engineer and I'm allergic to penicillin",
            "I work at Acme",
            Some("I'm allergic to penicillin"),
        ),
        ("vivo en Madrid con mi hermana y tengo epilepsia", "vivo en Madrid", Some("tengo epilepsia")),
        ("Mi mujer se llama Sara y tenemos dos hijos", "mi mujer se llama Sara", Some("tenemos dos hijos")),
        ("ich an MS erkrankt bin und in Ulm wohne", "ich an MS erkrankt bin", Some("ich in Ulm wohne")),
        ("ich an MS erkrankt bin und in Ulm wohne", "ich in Ulm wohne", Some("ich an MS erkrankt bin")),
        ("ich in Kiel wohne und zwei Kinder habe", "ich in Kiel wohne", Some("ich zwei Kinder habe")),
        ("ich seit 2010 in Kiel wohne und Epilepsie habe", "ich in Kiel wohne", Some("ich Epilepsie habe")),
        ("ich bei Bosch arbeite und in Ulm wohne", "ich bei Bosch arbeite", Some("ich in Ulm wohne")),
        ("ich bei Bosch arbeite und in Ulm wohne", "ich in Ulm wohne", Some("ich bei Bosch arbeite")),
        (
            "ich gegen Nüsse allergisch bin und keinen Alkohol trinke",
            "ich gegen Nüsse allergisch bin",
            Some("ich keinen Alkohol trinke"),
        ),
        ("meine Frau in Kiel arbeitet und zwei Hunde hat", "meine Frau in Kiel arbeitet", None),
        ("In Kiel wohne ich und in Bonn arbeite ich", "ich in Kiel wohne", Some("in Bonn arbeite ich")),
        ("Montags und mittwochs arbeite ich im Büro", "ich mittwochs im Büro arbeite", None),
        ("Ich mag Berlin, weil es grün und ruhig ist", "ich Berlin mag", None),
        (
            "I live in Leeds and have two kids, Tom and Mia",
            "I live in Leeds",
            Some("I have two kids, Tom and Mia"),
        ),
        ("Vivo en Madrid y tengo dos hijos, Tom y Mía", "vivo en Madrid", Some("tengo dos hijos, Tom y Mía")),
        ("I have a dog, Rex, and live in Leeds", "I live in Leeds", Some("I have a dog, Rex")),
        ("I speak German, French and Italian", "I speak Italian", Some("I speak German and French")),
    ] {
        let rest = Parts::of(statement, named).map(|parts| parts.rest);
        assert_eq!(rest.as_deref(), expected, "{statement} | {named}");
    }
}

#[test]
fn a_rest_that_would_say_something_else_is_none() {
    for (statement, named, expected) in [
        ("I drink neither beer nor wine, only water and juice", "I drink water", None),
        ("I'm allergic to nuts, except almonds and cashews", "I'm allergic to cashews", None),
        ("I work at Bosch, like my father", "I work at Bosch", None),
        ("I'm allergic to milk, and so is my son", "I'm allergic to milk", None),
        ("I have a cat, and so does my sister", "I have a cat", None),
        ("both Anna and I are allergic to milk and nuts", "I'm allergic to milk", None),
        ("I like both tea and coffee", "I like tea", None),
        ("I live in Leeds and drink tea and coffee", "I drink tea", None),
        ("I live in Leeds and drink tea and coffee", "I live in Leeds", Some("I drink tea and coffee")),
        ("I'm a nurse and mostly work nights", "I'm a nurse", Some("I mostly work nights")),
        ("I'm vegetarian and never eat fish or eggs", "I'm vegetarian", Some("I never eat fish or eggs")),
        ("I live in Leeds and never smoke", "I live in Leeds", None),
        ("Soy vegetariana y nunca como huevos", "soy vegetariana", Some("nunca como huevos")),
        ("I like jazz, but I hate opera", "I hate opera", Some("I like jazz")),
        ("Vivo en Madrid y no fumo", "no fumo", Some("Vivo en Madrid")),
    ] {
        let rest = Parts::of(statement, named).map(|parts| parts.rest);
        assert_eq!(rest.as_deref(), expected, "{statement} | {named}");
    }
}
