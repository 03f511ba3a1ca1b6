//! Requests to forget what was said just before, or all that was ever said.

use super::*;

#[test]
fn what_was_said_just_before_can_be_forgotten() {
    for text in [
        "Forget what I just said",
        "forget that",
        "Forget that please",
        "Forget that, please",
        "delete that from your memory please",
        "Vergiss das bitte wieder",
        "vergiss was ich gerade gesagt habe",
        "olvida lo que acabo de decir",
        "oublie ce que je viens de dire",
        "dimentica quello che ho appena detto",
        "esquece o que acabei de dizer",
        "забудь, что я только что сказал",
        "忘掉我刚才说的话",
    ] {
        let reading = reading(text);
        assert!(reading.forgets_last, "{text}");
        assert_eq!((reading.forgets, reading.candidates), (vec![], vec![]), "{text}");
    }
    for text in
        ["forget it", "forget about it", "forget that I live in Leeds", "did you forget that?", "never mind"]
    {
        assert!(!reading(text).forgets_last, "{text}");
    }
}

#[test]
fn what_a_message_says_before_it_asks_to_forget_that_is_meant() {
    for text in [
        "My salary is 5000 euros. Forget that.",
        "I have HIV. Forget I said that.",
        "I'm pregnant, forget that please.",
        "I have epilepsy. Sorry, forget what I just said.",
        "Ich verdiene 5000 Euro. Vergiss das bitte.",
        "Ich verdiene 5000 Euro. Vergiss das gleich wieder.",
        "Ich bin schwanger - vergiss das.",
        "Gano 5000 euros al mes. Olvida eso.",
        "Tengo epilepsia. Olvida lo que acabo de decir.",
        "Je gagne 5000 euros par mois. Oublie ça.",
        "My password is hunter2secret! Forget that.",
        "Karl cheats on his wife. Forget what I just said.",
        "He hit me again. Forget I said that.",
        "My boss Karl drinks. Forget that.",
        "Tom und Eva lassen sich scheiden. Vergiss, was ich gerade gesagt habe.",
        "Mein Chef Karl trinkt. Vergiss das bitte.",
        "Tom va a dimitir. Olvida lo que acabo de decir.",
        "Tom va démissionner. Oublie ce que je viens de dire.",
    ] {
        let reading = reading(text);
        assert_eq!((reading.candidates, reading.forgets), (vec![], vec![]), "{text}");
        assert!(reading.is_unwanted && !reading.forgets_last, "{text}");
    }
    assert_eq!(kept("I have HIV. Forget that. I live in Leeds."), ["fact: I live in Leeds"]);
    for text in [
        "Hmm, wait. Forget that.",
        "Hallo! Vergiss das bitte.",
        "Sorry, wrong chat. Forget what I just said.",
        "I shouldn't have told you that. Forget what I just said.",
    ] {
        let reading = reading(text);
        assert!(reading.forgets_last && !reading.is_unwanted, "{text}: {reading:?}");
    }
    for text in ["If that fails, forget that.", "My wife said, forget that."] {
        assert!(!reading(text).forgets_last, "{text}");
    }
}

#[test]
fn forget_that_means_the_sentence_before() {
    for (text, expected) in [
        (
            "I moved to York last month. Can you find me a pizza place? Hmm, forget that.",
            vec!["I moved to York"],
        ),
        (
            "I'm vegan. I have two kids. I hate olives. Oh, forget that last remark.",
            vec!["I'm vegan", "I have two kids"],
        ),
        (
            "Remember that I'm allergic to nuts. And remember that I hate olives. Actually, forget that last thing.",
            vec!["I'm allergic to nuts"],
        ),
        (
            "Meine Firma heißt Nordwind. In src liegt noch eine alte Datei. Lösch das bitte.",
            vec!["Meine Firma"],
        ),
    ] {
        let reading = reading(text);
        let kept: Vec<&str> = reading.candidates.iter().map(|kept| &*kept.text).collect();
        assert!(
            kept.iter().zip(&expected).all(|(kept, expected)| kept.starts_with(expected)),
            "{text}: {kept:?}"
        );
        assert_eq!((kept.len(), reading.forgets_last), (expected.len(), false), "{text}: {kept:?}");
    }
    for text in [
        "What's the capital of France? Forget that.",
        "Borra eso.",
        "Efface ça.",
        "Cancella questo.",
        "Apaga isso.",
        "Lösch das bitte.",
    ] {
        let reading = reading(text);
        assert!(!reading.forgets_last && !reading.is_unwanted, "{text}");
    }
    for (text, is_that) in [
        ("Forget that.", true),
        ("Lösch das aus deinem Gedächtnis", true),
        ("Borra eso de tu memoria", true),
        ("Efface ça de ta mémoire", true),
        ("Forget what I just said", false),
    ] {
        let reading = reading(text);
        assert_eq!((reading.forgets_last, reading.forgets_that), (true, is_that), "{text}");
    }
    for (text, expected) in [
        ("I'm vegan. Can you suggest a restaurant in Rome?", true),
        ("I'm vegan. Can you suggest a restaurant in Rome? Thanks!", true),
        ("I'm vegan. Tell me a recipe.", true),
        ("I'm vegan.", false),
        ("Any ideas? I'm vegan and hungry.", false),
    ] {
        assert_eq!(ends_with_request(text), expected, "{text}");
    }
}

#[test]
fn all_that_was_ever_said_can_be_forgotten() {
    for text in [
        "forget everything I told you",
        "please delete all I said",
        "forget everything about me",
        "Vergiss alles, was ich dir gesagt habe",
        "olvida todo lo que te dije",
        "oublie tout ce que je t'ai dit",
        "dimentica tutto quello che ti ho detto",
        "esquece tudo o que eu te disse",
        "забудь всё, что я тебе говорил",
        "忘掉关于我的一切",
        "忘记我说过的一切",
    ] {
        let reading = reading(text);
        assert!(reading.forgets_all && !reading.forgets_last, "{text}");
        assert_eq!((reading.forgets, reading.candidates), (vec![], vec![]), "{text}");
    }
    for text in [
        "forget everything",
        "forget everything I told you about Tom",
        "did you forget everything I told you?",
        "don't forget everything I told you",
        "forget everything I just said",
        "vergiss alles über Tom",
    ] {
        assert!(!reading(text).forgets_all, "{text}");
    }
}

#[test]
fn who_leaves_for_good_can_ask_to_forget_all() {
    for text in [
        "I am leaving for good. Forget everything I told you.",
        "I'm done here, please delete all you know about me.",
        "Hi, I'm leaving this service and please delete everything I have told you",
        "Ich gehe für immer. Vergiss alles, was ich dir gesagt habe.",
        "Ich brauche dich nicht mehr, kannst du bitte alles löschen, was du über mich weißt?",
        "Me voy para siempre. Olvida todo lo que te dije.",
        "Ya no te necesito, borra todo lo que sabes de mí.",
        "Je pars définitivement. Oublie tout ce que je t'ai dit.",
        "Non ho più bisogno di te. Dimentica tutto quello che ti ho detto.",
        "Vou-me embora de vez. Esquece tudo o que eu te disse.",
        "Ты мне больше не нужен. Удали всё, что ты знаешь обо мне.",
        "我以后不用你了。忘掉关于我的一切",
        "もう使いません。私に関する情報をすべて削除してください。",
        "今まで私が話したことは全部忘れてください",
    ] {
        let reading = reading(text);
        assert!(reading.forgets_all && reading.forgets.is_empty(), "{text}: {reading:?}");
    }
    for text in [
        "I'm leaving Acme for good. Forget everything I told you.",
        "We talked for hours and I'm tired. Forget everything I told you.",
        "My boss says I'm done here, forget everything I told you.",
        "I live in York now, forget everything I told you.",
        "I like cheese and forget everything I told you",
        "今天是我的生日我要开个大派对。忘掉我说过的一切",
    ] {
        assert!(!reading(text).forgets_all, "{text}");
    }
    // What is excepted would be forgotten too.
    for text in [
        "Forget everything I told you (except my birthday).",
        "Forget everything about me. But keep my name.",
        "Vergiss alles, was ich dir gesagt habe (außer meinem Namen)",
        "Olvida todo lo que te dije. Menos mi nombre.",
        "Oublie tout ce que je t'ai dit (sauf mon prénom).",
        "Dimentica tutto quello che ti ho detto. Tranne il mio nome.",
        "忘掉关于我的一切（除了我的名字）",
    ] {
        let reading = reading(text);
        assert!(!reading.forgets_all && reading.forgets.is_empty(), "{text}");
        assert!(reading.dropped.iter().any(|dropped| dropped.why == Why::UnclearRequest), "{text}");
    }
    assert_eq!(reading("Forget my allergies (except the nuts).").forgets, []);
    assert_eq!(reading("Forget what I said about Tom. But keep his birthday.").forgets, []);
    assert!(reading("Forget everything I told you. Other than that, thanks!").forgets_all);
    // What is said beside it stays.
    let text = "I'm done here, forget everything I told you.";
    assert!(reading(text).candidates.iter().all(|kept| !kept.text.contains("orget")), "{text}");
}

#[test]
fn more_ways_to_ask_to_forget() {
    for text in [
        "Forget everything you know about me.",
        "Please delete everything you have stored about me.",
        "Delete all my data.",
        "Clear all my data.",
        "Please wipe all my memories",
        "Wipe all of my personal information, please",
        "Lösche alle meine Daten.",
        "Vergiss alles, was du über mich gespeichert hast",
        "Borra todos mis datos.",
        "Olvida todo lo que sabes de mí",
        "Efface toutes mes données.",
    ] {
        assert!(reading(text).forgets_all, "{text}");
    }
    for text in [
        "Forget that last message.",
        "Please forget my last message",
        "Vergiss meine letzte Nachricht",
        "Olvida mi último mensaje",
        "Oublie mon dernier message",
    ] {
        assert!(reading(text).forgets_last, "{text}");
    }
    for (text, expected) in [
        ("Please forget my salary, it's private.", "my salary"),
        ("Forget my salary, that's private.", "my salary"),
        ("Bitte vergiss mein Gehalt, das ist privat.", "mein Gehalt"),
        ("Por favor, olvida mi sueldo, es privado.", "mi sueldo"),
        ("Oublie mon salaire, c'est privé.", "mon salaire"),
    ] {
        let reading = reading(text);
        let first = reading.forgets.first().map(|forget| forget.text.trim_end_matches([',', ' ']));
        assert_eq!(first, Some(expected), "{text}");
    }
    for text in ["Delete the last message", "Lösche meine letzte Nachricht", "Borra el último mensaje"] {
        assert!(!reading(text).forgets_last, "{text}");
    }
    for text in [
        "Forget everything I said today.",
        "Vergiss alles, was ich heute gesagt habe.",
        "Olvida todo lo que te dije hoy",
        "Oublie tout ce que je t'ai dit aujourd'hui",
    ] {
        let reading = reading(text);
        assert!(reading.forgets_today && !reading.forgets_all, "{text}");
    }
    for text in ["forget all my jokes", "Delete my data file", "Delete all my tests"] {
        assert!(!reading(text).forgets_all, "{text}");
    }
}
