//! What has ended, is to be forgotten or is corrected.

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
        assert_eq!(ended::ended(folded.text()).as_deref(), expected, "{text}");
    }
}

#[test]
fn what_is_to_be_forgotten_is_no_statement() {
    for (text, expected) in [
        ("please forget that I live in Leeds", "I live in Leeds"),
        ("forget that my dog is called Rex", "my dog is called Rex"),
        ("Vergiss bitte, dass ich in Graz wohne", "ich in Graz wohne"),
        ("olvida que vivo en Lugo", "vivo en Lugo"),
        ("oublie que j'habite à Lyon", "j'habite à Lyon"),
        ("请忘掉我住在北京", "我住在北京"),
        ("Can you forget that I live in Leeds?", "I live in Leeds"),
        ("Could you please forget that Tom is diabetic?", "Tom is diabetic"),
        ("Please forget what I said about my job.", "my job"),
        ("Forget about my allergies", "my allergies"),
        ("Forget everything about my job", "my job"),
        ("Forget everything I said about Tom, please", "Tom"),
        ("Forget I ever mentioned Tom", "Tom"),
        ("Forget my phone number", "my phone number"),
        ("Forget my phone number and my address", "my phone number"),
        ("Forget my last name", "my last name"),
        ("Delete my email address", "my email address"),
        ("Delete my phone number please", "my phone number"),
        ("Please forget my birthday", "my birthday"),
        ("Don't remember my phone number", "my phone number"),
        ("Vergiss meine Telefonnummer", "meine Telefonnummer"),
        ("Vergiss alles über Tom", "Tom"),
        ("Vergiss, was ich über Tom gesagt habe", "Tom"),
        ("Olvida mi número de teléfono", "mi número de teléfono"),
        ("Oublie mon numéro de téléphone", "mon numéro de téléphone"),
        ("stop remembering that I have epilepsy", "I have epilepsy"),
        ("you don't need to remember that I have epilepsy", "I have epilepsy"),
        ("please delete the peanut allergy", "peanut allergy"),
        ("please forget my peanut allergy, the test was negative", "my peanut allergy"),
        ("Hey, forget my epilepsy", "my epilepsy"),
        ("pls forget my epilepsy, ok?", "my epilepsy"),
        ("du kannst vergessen, dass ich Epilepsie habe", "ich Epilepsie habe"),
        ("Ich möchte, dass du vergisst, dass ich Epilepsie habe", "ich Epilepsie habe"),
        ("vergiss meine Epilepsie aus deinem Gedächtnis", "meine Epilepsie"),
        ("quiero que olvides que tengo epilepsia", "tengo epilepsia"),
        ("borra de tu memoria que tengo epilepsia", "tengo epilepsia"),
        ("olvida mi epilepsia", "mi epilepsia"),
        ("s'il te plaît oublie que j'ai une épilepsie", "j'ai une épilepsie"),
        ("je veux que tu oublies que j'ai une épilepsie", "j'ai une épilepsie"),
        ("oublie mon épilepsie de ta mémoire", "mon épilepsie"),
        ("oublie tout ce que tu sais sur Tom", "Tom"),
        ("把我的癫痫忘掉", "我的癫痫"),
        ("把我对花生过敏这件事忘了吧", "我对花生过敏"),
        ("你能忘记我有癫痫吗", "我有癫痫"),
        ("忘掉关于小明的一切", "小明"),
        ("забудь мою эпилепсию", "мою эпилепсию"),
        ("Entferne alles über Sabine aus deinem Gedächtnis", "Sabine"),
        ("I don't want you to remember my address", "my address"),
        ("you don't need to remember my address any more", "my address"),
        ("please unlearn my address", "my address"),
        ("please remove my address", "my address"),
        ("Kannst du bitte meine Adresse löschen?", "meine Adresse"),
        ("Ich möchte, dass du meine Adresse vergisst", "meine Adresse"),
        ("Du sollst meine Adresse vergessen", "meine Adresse"),
        ("Quiero que olvides mi dirección", "mi dirección"),
        ("Je veux que tu oublies mon adresse", "mon adresse"),
        ("Pode esquecer meu endereço?", "meu endereço"),
        ("forget where I live", "I live"),
        ("You don't need to know my address", "my address"),
        ("You do not have to keep my address", "my address"),
        ("I don't want you to know my salary", "my salary"),
        ("I do not want you to keep my phone number", "my phone number"),
        ("dont remember my phone number", "my phone number"),
        ("Erinner dich nicht mehr daran, dass ich Epilepsie habe", "ich Epilepsie habe"),
        ("Quite mi dirección", "mi dirección"),
        ("Retirez mon adresse", "mon adresse"),
    ] {
        let reading = reading(text);
        assert_eq!(
            (
                reading.forgets.first().map(|forget| forget.text.trim_end_matches([',', ' '])),
                reading.candidates
            ),
            (Some(expected), vec![]),
            "{text}"
        );
    }
}

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
fn a_reason_to_forget_is_not_forgotten_itself() {
    for (text, expected) in [
        ("forget that I'm allergic to nuts, the test was negative", "I'm allergic to nuts"),
        (
            "Vergiss, dass ich gegen Nüsse allergisch bin, der Test war negativ.",
            "ich gegen Nüsse allergisch bin",
        ),
    ] {
        assert_eq!(reading(text).forgets[0].text, expected, "{text}");
    }
}

#[test]
fn what_replaces_what_is_forgotten_is_kept() {
    let text = "forget that I live in Leeds, I live in York now";
    assert_eq!(kept(text), ["fact: I live in York now"]);
    assert_eq!(reading(text).forgets[0].text, "I live in Leeds");
    for text in ["forget my diet, it's Christmas!", "forget my job, tell me a joke"] {
        assert_eq!(reading(text).forgets, [], "{text}");
    }
    for (text, expected) in [
        ("forget my favourite colour, it's blue now", "my favourite colour"),
        ("forget the nut allergy, it was a mistake", "nut allergy"),
        ("please delete the nut allergy from your memory", "nut allergy"),
        ("forget the thing about the nuts", "nuts"),
        ("vergiss das mit Graz, ich wohne in Linz", "Graz"),
        ("忘了我住在杭州吧", "我住在杭州"),
    ] {
        assert_eq!(reading(text).forgets.first().map(|forget| &*forget.text), Some(expected), "{text}");
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
        assert_eq!(ended::ended(folded.text()).as_deref(), expected, "{text}");
    }
}

#[test]
fn a_statement_after_words_of_correction_says_so() {
    for (text, expected) in
        [("Actually, my favourite colour is green.", true), ("My favourite colour is green.", false)]
    {
        assert_eq!(reading(text).candidates[0].corrects, expected, "{text}");
    }
}

#[test]
fn whatever_is_named_is_forgotten_whoever_it_is_about() {
    for (text, expected) in [
        ("Forget that Mrs Krause is allergic to latex.", "Mrs Krause is allergic to latex"),
        ("Remove from your memory that I'm diabetic.", "I'm diabetic"),
        ("Delete the entry that I'm diabetic.", "I'm diabetic"),
        ("Forget, please, that I'm diabetic.", "I'm diabetic"),
        ("Forget this: I'm diabetic.", "I'm diabetic"),
        ("Erinnere dich nicht mehr daran, dass ich Diabetes habe", "ich Diabetes habe"),
        ("Ya no recuerdes que soy diabética", "soy diabética"),
        ("Ne retiens plus que je suis diabétique", "je suis diabétique"),
        ("Forget Laura's allergy.", "Laura's allergy"),
        ("Forget Laura", "Laura"),
        ("Delete Laura's latex allergy", "Laura's latex allergy"),
        ("Delete from your memory the appointment with Mrs Ruiz", "appointment with Mrs Ruiz"),
        (
            "Vergiss bitte, dass Frau Krause allergisch gegen Latex ist.",
            "Frau Krause allergisch gegen Latex ist",
        ),
        (
            "Bitte vergiss, dass Frau Krause allergisch gegen Latex ist.",
            "Frau Krause allergisch gegen Latex ist",
        ),
        ("Vergiss, dass Jonas eine Depression hat", "Jonas eine Depression hat"),
        ("Vergiss, bitte, dass Jonas eine Depression hat", "Jonas eine Depression hat"),
        ("Lösche, dass Frau Krause Asthma hat.", "Frau Krause Asthma hat"),
        ("Streich bitte, dass Frau Krause Asthma hat.", "Frau Krause Asthma hat"),
        ("Entferne, dass ich Diabetikerin bin", "ich Diabetikerin bin"),
        ("Lösch den Eintrag, dass ich Diabetikerin bin", "ich Diabetikerin bin"),
        ("Lösche aus deinem Gedächtnis, dass ich Diabetikerin bin", "ich Diabetikerin bin"),
        ("Vergiss Lauras Allergie.", "Lauras Allergie"),
        ("Vergiss bitte Jonas", "Jonas"),
        ("Vergiss die Allergie von Laura.", "Allergie von Laura"),
        ("Lösche Lauras Latexallergie", "Lauras Latexallergie"),
        ("Vergiss das, was ich über Jonas gesagt habe", "Jonas"),
        ("Vergiss den Termin mit Frau Ruiz.", "Termin mit Frau Ruiz"),
        ("Elimina de tu memoria que soy diabética.", "soy diabética"),
        ("Quita de tu memoria que soy diabética.", "soy diabética"),
        ("Borra, por favor, que soy diabética.", "soy diabética"),
        ("Deja de recordar que soy diabética.", "soy diabética"),
        ("Olvida que Laura es alérgica al látex", "Laura es alérgica al látex"),
        ("Olvida la cita de la señora Ruiz.", "cita de la señora Ruiz"),
        ("Olvida lo que te dije de Laura", "Laura"),
        ("Borra todo lo que sabes de Laura", "Laura"),
        ("Elimina todo lo que sabes sobre Laura", "Laura"),
        ("Borra de tu memoria la cita de la señora Ruiz", "cita de la señora Ruiz"),
        ("Borra la cita con la señora Ruiz de tu memoria", "cita con la señora Ruiz"),
        ("Olvida la alergia de Laura", "alergia de Laura"),
        ("Borra la alergia de Laura", "alergia de Laura"),
        ("Olvida a Laura", "Laura"),
        ("Oublie que Laura est allergique au latex", "Laura est allergique au latex"),
        ("Supprime de ta mémoire que je suis diabétique", "je suis diabétique"),
        ("Arrête de retenir que je suis diabétique", "je suis diabétique"),
        ("Efface de ta mémoire le rendez-vous de Mme Ruiz", "rendez-vous de Mme Ruiz"),
        ("Oublie ce que je t'ai dit de Laura", "Laura"),
        ("Oublie l'allergie de Laura", "allergie de Laura"),
        ("Oublie Laura", "Laura"),
        ("请忘掉小明对乳胶过敏", "小明对乳胶过敏"),
        ("请忘记王太太有糖尿病", "王太太有糖尿病"),
    ] {
        let reading = reading(text);
        let forgets: Vec<&str> = reading.forgets.iter().map(|forget| forget.text.trim()).collect();
        assert_eq!((forgets, reading.candidates), (vec![expected], vec![]), "{text}");
    }
}

#[test]
fn a_request_to_forget_is_never_a_statement() {
    for text in [
        "Forget about it, Laura is allergic to latex.",
        "Forget laura's allergy.",
        "Olvida a laura, es alérgica al látex.",
        "Elimina de tu memoria la alergia al látex.",
        "Vergiss lauras allergie.",
        "Vergiss das mal mit der Latexallergie.",
        "Oublie tout sur l'allergie.",
        "Borra esto de tu memoria: soy diabética.",
        "Vergiss Folgendes: ich bin Diabetikerin.",
        "Lösche den Termin mit Frau Krause.",
        "Streich Frau Krauses Termin am Freitag",
        "Elimina la cita de la señora Ruiz.",
        "Borra la cita de la señora Ruiz del viernes",
        "Drop the appointment on Friday",
    ] {
        let kept = kept(text);
        assert!(
            kept.iter()
                .all(|kept| kept.ends_with("Laura is allergic to latex")
                    || kept.ends_with("es alérgica al látex")),
            "{text}: {kept:?}"
        );
    }
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

#[test]
fn what_a_request_names_is_found_in_what_was_said() {
    for (said, request) in [
        ("Remember that Mrs Krause is allergic to latex.", "Forget that Mrs Krause is allergic to latex."),
        ("Remember that Laura is allergic to latex.", "Forget everything about Laura."),
        ("Remember that Laura is a nurse.", "Forget everything about Laura."),
        ("Remember that Laura is allergic to latex.", "Forget Laura's allergy."),
        ("I have a dentist appointment on Friday at 10.", "Forget that I have a dentist appointment."),
        ("I have a dentist appointment on Friday at 10.", "Forget the dentist appointment."),
        ("I live at 12 Elm Road, Leeds.", "Delete my address."),
        ("I'm diabetic.", "Remove from your memory that I'm diabetic."),
        (
            "Frau Krause ist allergisch gegen Latex.",
            "Vergiss bitte, dass Frau Krause allergisch gegen Latex ist.",
        ),
        ("Merk dir: Jonas hat eine Depression.", "Vergiss, dass Jonas eine Depression hat"),
        ("Merk dir: Jonas hat eine Depression.", "Vergiss das, was ich über Jonas gesagt habe"),
        ("Merk dir: Jonas hat eine Depression.", "Vergiss die Depression von Jonas."),
        ("Laura ist allergisch gegen Latex.", "Vergiss Lauras Allergie."),
        ("Laura ist allergisch gegen Latex.", "Vergiss alles über Laura."),
        ("Ich bin Diabetikerin.", "Entferne, dass ich Diabetikerin bin"),
        ("Ich bin allergisch gegen Latex.", "Vergiss meine Allergie."),
        (
            "Ich habe am Freitag um 10 Uhr einen Zahnarzttermin.",
            "Vergiss, dass ich einen Zahnarzttermin habe.",
        ),
        (
            "Ich habe am Freitag um 10 Uhr einen Termin beim Zahnarzt.",
            "Vergiss, dass ich einen Termin beim Zahnarzt habe.",
        ),
        ("Ich habe am Freitag um 10 Uhr einen Termin beim Zahnarzt.", "Vergiss den Termin beim Zahnarzt."),
        ("Ich wohne in der Schillerstraße 12, 53111 Bonn.", "Lösche meine Adresse"),
        ("Ich heiße Lucia.", "Vergiss meinen Namen."),
        ("Soy diabética.", "Elimina de tu memoria que soy diabética."),
        ("Laura es alérgica al látex.", "Olvida lo que te dije de Laura"),
        ("Laura es alérgica al látex.", "Borra todo lo que sabes de Laura"),
        ("Laura es alérgica al látex.", "Olvida la alergia de Laura."),
        ("La señora Ruiz tiene cita el martes a las 10.", "Olvida la cita de la señora Ruiz."),
        (
            "Tengo cita con la señora Ruiz el martes a las 10.",
            "Borra de tu memoria la cita con la señora Ruiz",
        ),
        ("Tengo cita con el dentista el viernes a las 10.", "Olvida que tengo cita con el dentista."),
        ("Tengo cita con el dentista el viernes a las 10 y media.", "Olvida la cita con el dentista."),
        ("Vivo en la calle Mayor 5, Madrid.", "Borra mi dirección"),
        ("Me llamo Lucía.", "Olvida mi nombre"),
        ("Laura est allergique au latex.", "Oublie tout ce que tu sais de Laura."),
        ("Laura est allergique au latex.", "Oublie l'allergie de Laura."),
        (
            "J'ai rendez-vous chez le dentiste vendredi à 10h.",
            "Oublie que j'ai rendez-vous chez le dentiste.",
        ),
        (
            "J'ai rendez-vous chez le dentiste vendredi à 10 heures.",
            "Oublie le rendez-vous chez le dentiste.",
        ),
        ("J'habite au 5 rue des Lilas, Lyon.", "Efface mon adresse"),
        ("Je m'appelle Lucie.", "Oublie mon nom"),
        ("小明对乳胶过敏。", "请忘掉小明对乳胶过敏"),
        ("小明对乳胶过敏。", "忘掉关于小明的一切"),
        ("我住在南京路12号。", "请忘掉我的地址"),
        ("我叫李明。", "请忘掉我的名字"),
    ] {
        let statements = kept(said);
        let endings: Vec<Ending> = reading(request).forgets.iter().filter_map(Ending::asked).collect();
        let is_gone = |statement: &String| {
            let (_, statement) = statement.split_once(": ").unwrap();
            endings.iter().any(|ending| ending.left_of(statement) == Some(Left::Nothing))
        };
        assert!(
            !statements.is_empty() && statements.iter().all(is_gone),
            "{said} | {request}: {statements:?}"
        );
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
    ] {
        let reading = reading(text);
        assert_eq!((reading.candidates, reading.forgets), (vec![], vec![]), "{text}");
        assert!(reading.is_unwanted && !reading.forgets_last, "{text}");
    }
    assert_eq!(kept("I have HIV. Forget that. I live in Leeds."), ["fact: I live in Leeds"]);
    for text in
        ["Hmm, wait. Forget that.", "What's the capital of France? Forget that.", "Hallo! Vergiss das bitte."]
    {
        let reading = reading(text);
        assert!(reading.forgets_last && !reading.is_unwanted, "{text}: {reading:?}");
    }
    for text in ["If that fails, forget that.", "My wife said, forget that."] {
        assert!(!reading(text).forgets_last, "{text}");
    }
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
    for text in ["forget all my jokes", "Delete my data file", "Delete all my tests"] {
        assert!(!reading(text).forgets_all, "{text}");
    }
}

#[test]
fn what_is_to_be_kept_and_what_is_not_are_told_apart() {
    for text in [
        "Don't save anything from this chat. I prefer goats.",
        "Speichere nichts aus diesem Chat. Ich mag Ziegen.",
        "No guardes nada de este chat. Prefiero las cabras.",
        "N'enregistre rien de cette conversation. Je préfère les chèvres.",
        "My salary is 5000 euros (do not save)",
        "Do not memorize: my salary is 5000 euros",
        "Ich verdiene 5000 Euro. Schreib das nicht auf.",
        "Gano 5000 euros al mes. No hace falta que lo recuerdes.",
        "Je gagne 5000 euros par mois. Pas besoin de le retenir.",
        "Remember that I have HIV. Don't save this.",
        "Remember that I have HIV. Don't write that down.",
    ] {
        let reading = reading(text);
        assert!(reading.is_unwanted && reading.candidates.is_empty(), "{text}: {reading:?}");
    }
    for (text, expected) in [
        ("Please remember: I am 40. Please don't remember: I am bald.", "I am 40"),
        ("Save this: I prefer dogs. Don't save the rest: I prefer rats.", "I prefer dogs"),
        ("Merk dir: Ich mag Hunde. Merk dir nicht: Ich mag Ratten.", "Ich mag Hunde"),
        ("Recuerda: prefiero los perros. No recuerdes: prefiero las ratas.", "prefiero los perros"),
        ("Retiens : je préfère les chiens. Ne retiens pas : je préfère les rats.", "je préfère les chiens"),
    ] {
        let texts: Vec<String> = reading(text).candidates.into_iter().map(|kept| kept.text).collect();
        assert_eq!(texts, [expected], "{text}");
    }
    for (text, expected, forgotten) in [
        (
            "Please remember that I live in York and forget that I live in Leeds.",
            "I live in York",
            "I live in Leeds",
        ),
        (
            "Merk dir, dass ich in Bonn wohne und vergiss, dass ich in Kiel wohne",
            "ich in Bonn wohne",
            "ich in Kiel wohne",
        ),
        ("Recuerda que vivo en Lugo y olvida que vivo en Vigo", "vivo en Lugo", "vivo en Vigo"),
        ("Retiens que j'habite à Lyon et oublie que j'habite à Nice", "j'habite à Lyon", "j'habite à Nice"),
    ] {
        let reading = reading(text);
        let texts: Vec<&str> = reading.candidates.iter().map(|kept| &*kept.text).collect();
        let forgets: Vec<&str> = reading.forgets.iter().map(|forget| forget.text.trim()).collect();
        assert_eq!((texts, forgets), (vec![expected], vec![forgotten]), "{text}");
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
