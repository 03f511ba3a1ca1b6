//! Secrets, and what is said in confidence.

use super::*;

#[test]
fn a_redacted_secret_is_no_word() {
    assert_eq!(kept("My password is [redacted:password] and I live in Leeds."), ["fact: I live in Leeds"]);
}

#[test]
fn a_clause_with_a_secret_is_dropped_and_its_text_is_not_shown() {
    let text = "I use ghp_abcdefghijklmnopqrstuvwxyz0123456789 always. I live in Leeds.";
    let reading = reading(&text.replace("I use", "I always use"));
    assert_eq!(reading.candidates.len(), 1);
    assert_eq!(reading.candidates[0].text, "I live in Leeds");
    let dropped = &reading.dropped[0];
    assert_eq!(dropped.why, Why::Secret);
    assert!(!dropped.text.contains("ghp_abc"), "{}", dropped.text);
}

#[test]
fn what_is_said_beside_a_secret_is_kept() {
    for secret in ["Correct-Horse-77", "hunter2-Xk29vbQq"] {
        assert_eq!(kept(&format!("My password is {secret} and I live in Leeds.")), ["fact: I live in Leeds"]);
    }
}

#[test]
fn what_others_are_not_to_know_is_confided() {
    for text in [
        "I'm pregnant but nobody at work may know yet",
        "I'm pregnant. Please don't tell anyone",
        "Ich bin schwanger, aber das darf noch keiner wissen",
        "Ich bin schwanger. Erzähl es niemandem!",
        "Soy alérgica al gluten, no se lo digas a nadie",
        "Je suis enceinte, ne le dis à personne",
        "我怀孕了，别告诉任何人",
    ] {
        let reading = reading(text);
        assert!(reading.candidates.iter().any(|candidate| candidate.is_confided), "{text}: {reading:?}");
    }
    for text in [
        "I'm pregnant and my husband knows",
        "I told everyone that I'm vegan",
        "Nobody knows Leeds better than me",
    ] {
        assert!(reading(text).candidates.iter().all(|candidate| !candidate.is_confided), "{text}");
    }
}

#[test]
fn what_only_looks_like_a_secret_may_follow_the_speaker() {
    for text in [
        "Mein Sohn hat Zöliakie, er darf das nicht essen.",
        "I get migraines, nobody knows why.",
        "I live in Ghent, nobody knows me here.",
        "I have a rash on my arm. I can't find out why.",
        "I'm vegan. Don't tell me to eat meat.",
    ] {
        let reading = reading(text);
        assert!(reading.candidates.iter().all(|candidate| !candidate.is_confided), "{text}: {reading:?}");
    }
    for text in [
        "Don't tell anyone. I'm allergic to nuts.",
        "I have HIV. Please keep it confidential.",
        "I'm allergic to nuts. It's quite bad. Nobody knows yet.",
        "Ich habe Diabetes. Mein Chef darf das noch nicht wissen.",
    ] {
        let reading = reading(text);
        assert!(reading.candidates.iter().any(|candidate| candidate.is_confided), "{text}: {reading:?}");
    }
}

#[test]
fn what_is_said_in_confidence_stays_in_its_chat() {
    for text in [
        "I'm diabetic, but I don't want anyone at work to know.",
        "I'm diabetic. This must not leave this room.",
        "I'm diabetic. Please keep my secret.",
        "Confidential: I'm diabetic.",
        "Ich bin Diabetikerin, streng vertraulich.",
        "Confidencial: soy diabética.",
        "Confidentiel : je suis diabétique.",
        "保密：我有糖尿病。",
        "Im Vertrauen: Ich bin Diabetikerin.",
        "Ich bin Diabetikerin, sag das aber keinem.",
        "Ich bin Diabetikerin, das ist vertraulich.",
        "Ich bin Diabetikerin. Das ist streng vertraulich!",
        "Ich bin Diabetikerin, aber ich will nicht, dass meine Kollegen das erfahren.",
        "Soy diabética, guárdame el secreto.",
        "Soy diabética, esto es confidencial.",
        "Soy diabética, que esto no salga de aquí.",
        "Soy diabética, pero no quiero que lo sepan en el trabajo.",
        "Je suis diabétique, garde-moi le secret.",
        "Je suis diabétique, c'est confidentiel.",
        "Je suis diabétique, que ça ne sorte pas d'ici.",
        "Je suis diabétique, mais je ne veux pas qu'on le sache au travail.",
        "我有糖尿病，别说出去。",
        "我有糖尿病，请帮我保密。",
        "我有糖尿病，但我不想让同事知道。",
    ] {
        let reading = reading(text);
        let is_secret = !reading.candidates.is_empty()
            && reading.candidates.iter().all(|candidate| candidate.is_confided);
        assert!(is_secret, "{text}: {reading:?}");
    }
    for text in [
        "I'm diabetic, and I want everyone at work to know.",
        "I'm diabetic. I don't want to leave this town.",
        "Ich bin Anwältin, ich sag das keinem Kunden.",
        "Ich bin Diabetikerin, mir ist wichtig, dass meine Kollegen das wissen.",
        "Ich bin Anwältin, ich will nicht mehr arbeiten.",
        "Soy abogada y guardo los secretos de mis clientes.",
        "Soy cocinera, no quiero que sepan a ajo.",
        "Je suis avocate et je garde les secrets de mes clients.",
        "我是律师，我想让大家知道这件事。",
    ] {
        let reading = reading(text);
        assert!(reading.candidates.iter().all(|candidate| !candidate.is_confided), "{text}: {reading:?}");
    }
}

#[test]
fn what_is_to_stay_between_two_is_not_kept() {
    for text in [
        "Between you and me, I'm diabetic.",
        "I'm diabetic, but that stays between us.",
        "I'm diabetic. Don't save this!",
        "don't save this, but I'm interviewing at Hexagon on Friday",
        "I have HIV, don't save this",
        "don't save that, but I have HIV",
        "don't store this but my wife has HIV",
        "I have HIV but don't save that",
        "I have HIV, please do not log this",
        "no need to save this but I have HIV",
        "don't save this message: I have HIV",
        "I have HIV, don't save that please",
        "I have HIV, don't store it",
        "I'm diabetic, don't write that down.",
        "Don't note this down: I'm diabetic.",
        "Ich bin Diabetikerin. Nicht abspeichern!",
        "Soy diabética. No guardar.",
        "Je suis diabétique. À ne pas enregistrer !",
        "我有糖尿病，不要保存。",
        "Ich bin Diabetikerin, behalt das bitte für dich.",
        "Ich bin Diabetikerin, behalte es für dich.",
        "Ich bin Diabetikerin, aber das muss unter uns bleiben.",
        "Unter uns gesagt, ich bin Diabetikerin.",
        "Unter uns: Ich bin Diabetikerin.",
        "Soy diabética, pero que quede entre nosotros.",
        "Soy diabética pero esto queda entre nosotras.",
        "Entre nosotros: soy diabética.",
        "Esto no lo apuntes: soy diabética.",
        "Soy diabética, guárdatelo para ti.",
        "Between us: I'm diabetic.",
        "Between us, I'm diabetic.",
        "Entre nous, je suis diabétique.",
        "Je suis diabétique, mais ça reste entre nous.",
        "Je suis diabétique, que cela reste entre nous.",
        "Je suis diabétique, garde ça pour toi.",
        "我有糖尿病，这件事只有我们俩知道。",
        "我有糖尿病，这是我们之间的秘密。",
    ] {
        let reading = reading(text);
        assert!(reading.is_unwanted && reading.candidates.is_empty(), "{text}: {reading:?}");
    }
    for text in [
        "There is a river between us and the town.",
        "Between us, we have four children.",
        "Between us, my wife and I own three cars.",
        "I'm a developer. Don't save that file.",
        "don't save this file, I'm still a beginner",
        "I'm a writer, don't save that draft",
        "I'm a developer and don't log this request in the middleware",
        "don't store this, use redis. I'm a developer.",
        "I'm a nurse. Don't store those in the fridge.",
        "Es mejor no guardar leche fuera de la nevera.",
        "Unter uns wohnt eine Familie mit drei Kindern.",
        "Ich kann die Datei nicht öffnen und nicht speichern.",
        "Ich behalte das Auto für mich.",
        "Entre nosotros hablamos catalán.",
        "El piso queda entre la plaza y el río.",
        "Entre nous on parle catalan.",
        "Il y a cinq ans entre nous et ma sœur.",
        "我们之间说英语。",
    ] {
        assert!(!reading(text).is_unwanted, "{text}");
    }
}
