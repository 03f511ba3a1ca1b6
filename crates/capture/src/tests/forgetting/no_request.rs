//! What only looks like a request to forget.

use super::*;

#[test]
fn what_only_looks_like_a_request_to_forget_is_none() {
    for text in [
        "did I forget that I live in Leeds?",
        "don't forget that I live in Leeds",
        "forget it",
        "forget about it",
        "never mind",
        "don't forget my birthday",
        "I forgot my phone number",
        "Vergiss meinen Geburtstag nicht",
        "Bitte vergiss meine Allergie nicht wieder!",
        "Vergiss meinen Geburtstag nicht schon wieder!",
        "Vergiss meine Allergie nicht bitte",
        "Vergiss meine Allergie nie wieder",
        "Vergiss meine Allergie bloß nicht, bitte",
        "Du sollst meine Allergie nicht vergessen",
        "Kannst du meine Allergie bitte nicht vergessen?",
        "Ich möchte, dass du meine Allergie nicht wieder vergisst",
        "No te olvides de mi alergia otra vez",
        "No vuelvas a olvidar mi alergia",
        "N'oublie plus mon allergie",
        "Oublie plus que je suis allergique",
        "Non dimenticare di nuovo la mia allergia",
        "Não esqueça minha alergia outra vez",
        "Не забудь опять мою аллергию",
        "forget my last question",
        "delete my branch feature/x",
        "Did you forget my birthday?",
        "forget the milk, I'll buy it myself",
        "forget about the eggs, I found some",
        "forget the pasta, let's make a salad",
        "delete the third paragraph",
        "my wife said: forget that I am allergic to peanuts",
        "Meine Frau sagte: vergiss, dass ich gegen Nüsse allergisch bin",
        "mi jefa dijo: olvida que tengo epilepsia",
        "ma femme a dit : oublie que j'ai une épilepsie",
        "我老婆说：忘记我有癫痫",
        "mia moglie ha detto: dimentica che ho due figli",
        "жена сказала: забудь, что я живу в Туле",
        "he goes: forget that I have epilepsy",
        "不要忘记我对花生过敏",
        "you don't need to know everything",
        "I don't want you to worry about my address",
        "Clear all my tabs",
        "I need to remember my appointment on Friday",
        "please remember that my dog is called Rex",
    ] {
        assert_eq!(reading(text).forgets, [], "{text}");
    }
}

#[test]
fn a_request_that_is_not_clear_is_reported() {
    for (text, expected) in [
        ("Forget my diet! It's Christmas!", "Forget my diet"),
        ("Tom says, forget that I live in Leeds.", "Tom says, forget that I live in Leeds"),
        ("Vergiss, dass ich in Bonn wohne, für heute", "Vergiss, dass ich in Bonn wohne, für heute"),
    ] {
        let reading = reading(text);
        let unclear = reading.dropped.iter().filter(|dropped| dropped.why == Why::UnclearRequest);
        let unclear: Vec<_> = unclear.map(|dropped| &*dropped.text).collect();
        assert_eq!((reading.forgets.len(), unclear), (0, vec![expected]), "{text}");
    }
}

#[test]
fn what_is_said_of_forgetting_is_no_request() {
    for text in [
        "No olvide que soy alérgica a los frutos secos.",
        "你忘了我对花生过敏！",
        "我老公总是这样，忘了我对花生过敏。",
        "Mi marido nunca me escucha, olvida que soy celíaca.",
        "Mon mari n'écoute pas, oublie que je suis végétarienne.",
        "People keep doing it: forget that I'm vegan.",
        "Forget about nuts, add raisins instead.",
        "Forget about Berlin, let's plan Rome instead.",
        "Delete my alarm.",
        "Remove my brother.",
    ] {
        assert_eq!(reading(text).forgets, [], "{text}");
    }
    for text in [
        "Forget I have diabetes.",
        "Please forget I told you I have diabetes.",
        "Forget the fact I have diabetes.",
        "Lösch bitte die Info, dass ich Diabetes habe.",
        "Du sollst vergessen, dass ich Diabetes habe.",
        "Olvida que te dije que tengo diabetes.",
        "Oublie que je t'ai dit que j'ai du diabète.",
    ] {
        let reading = reading(text);
        assert!(!reading.forgets.is_empty() && reading.candidates.is_empty(), "{text}: {reading:?}");
    }
    assert!(!reading("Delete that.").forgets_last);
}

#[test]
fn a_report_in_the_past_tense_asks_for_nothing() {
    for text in [
        "Olvidé todo lo que te dije.",
        "Olvidé mi alergia.",
        "Olvidé que soy alérgica a las nueces.",
        "Olvidé lo que he dicho.",
        "Borré mi dirección.",
        "Oublié que je suis allergique aux noix…",
        "Oublié mon rendez-vous !",
        "J'ai oublié mon rendez-vous",
    ] {
        let reading = reading(text);
        assert!(reading.forgets.is_empty() && !reading.forgets_all && !reading.forgets_last, "{text}");
    }
    assert!(reading("Olvida todo lo que te dije.").forgets_all);
    assert!(reading("Vergiss das, was ich gerade gesagt habe.").forgets_last);
    assert!(reading("Vergiss, was ich gesagt habe.").forgets_last);
}

#[test]
fn what_only_begins_like_a_request_to_forget_is_none() {
    for text in [
        "Forget-me-nots are my favourite flowers.",
        "Forgetting names is my weakness.",
        "Remove emojis from your answers.",
        "Delete Docker from the list.",
        "Ich vergesse oft meine Schlüssel.",
        "Vergiss nicht, dass Laura allergisch gegen Latex ist.",
        "Vergiss bitte nie, dass Laura allergisch gegen Latex ist.",
        "Vergiss das nicht, ich bin Veganerin.",
        "Vergiss den Termin nicht!",
        "Vergesslichkeit ist in meiner Familie verbreitet.",
        "Entferne immer die Kommentare im Code.",
        "Lösche Peters Ordner.",
        "Olvidé que Laura es alérgica.",
        "Olvida tomar su medicación a menudo.",
        "No olvides que soy alérgica.",
        "Quita la mesa.",
        "Elimina siempre los comentarios del código.",
        "Oublié que Laura est allergique.",
        "Oublie pas que je suis végétarienne.",
        "N'oublie pas le rendez-vous.",
        "Supprime le fichier de Laura.",
        "Please get rid of my old sofa.",
        "Please wipe my hard drive.",
        "Ne garde plus mes fichiers.",
        "Elimina il mio file.",
        "Удали мой файл.",
        "Я забыла мой адрес.",
        "夫の住所を消してください",
    ] {
        assert_eq!(reading(text).forgets, [], "{text}");
    }
    for text in [
        "Vergiss nicht, dass Laura allergisch gegen Latex ist.",
        "Vergiss bitte nie, dass Laura allergisch gegen Latex ist.",
        "Vergiss das nicht, ich bin Veganerin.",
        "No olvides que soy alérgica a las nueces.",
        "Oublie pas que je suis végétarienne.",
        "Entferne immer die Kommentare im Code.",
    ] {
        assert_ne!(kept(text), [""; 0], "{text}");
    }
}
