//! Requests to forget what they name.

mod beside;
mod doubts;
mod messages;
mod no_request;

use super::*;

#[test]
fn a_matter_may_be_named_after_a_clause_of_the_speaker() {
    for (text, expected) in [
        ("We broke up, so please forget everything about Anna.", "Anna"),
        ("I moved out, please forget my old address", "my old address"),
        ("Ich bin umgezogen, bitte vergiss meine Adresse", "meine Adresse"),
    ] {
        let forgets = reading(text).forgets;
        assert_eq!(forgets.iter().map(|forget| &*forget.text).collect::<Vec<_>>(), [expected], "{text}");
    }
    for text in [
        "I lose my keys, forget my wallet and run late",
        "I often skip lunch, forget about appointments and sleep badly",
        "I told my wife, please forget my birthday",
        "Tom says, please forget my birthday",
        "My wife keeps saying, please forget everything about Anna",
    ] {
        assert_eq!(reading(text).forgets, [], "{text}");
    }
}

#[test]
fn what_is_to_be_forgotten_is_no_statement() {
    for (text, expected) in [
        ("please forget that I live in Leeds", "I live in Leeds"),
        ("forget that my dog is called Rex", "my dog is called Rex"),
        ("Forget that Ana and I live in Porto", "Ana and I live in Porto"),
        ("Forget that me and Ana live in Porto", "me and Ana live in Porto"),
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
        ("Forget I live in Leeds", "I live in Leeds"),
        ("Forget I ever mentioned Tom", "Tom"),
        ("Forget my phone number", "my phone number"),
        ("Forget my phone number and my address", "my phone number"),
        ("Forget my last name", "my last name"),
        ("Delete my email address", "my email address"),
        ("Delete my phone number please", "my phone number"),
        ("Please forget my birthday", "my birthday"),
        ("Please don't remember my phone number", "my phone number"),
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
        ("please dont remember my phone number", "my phone number"),
        ("Erinner dich nicht mehr daran, dass ich Epilepsie habe", "ich Epilepsie habe"),
        ("Quite mi dirección", "mi dirección"),
        ("Retirez mon adresse", "mon adresse"),
    ] {
        let reading = reading(text);
        let named = reading.forgets.first().map(|forget| forget.text.trim_end_matches([',', ' ']));
        assert_eq!((named, reading.candidates), (Some(expected), vec![]), "{text}");
    }
}

#[test]
fn a_matter_is_named_in_many_ways() {
    for (text, expected) in [
        ("vergiss bitte wo ich wohne", "ich wohne"),
        ("olvida dónde vivo", "vivo"),
        ("oublie où j'habite", "j'habite"),
        ("olvida lo del gestor", "gestor"),
        ("olvida lo del té verde", "té verde"),
        ("Forget what we decided about Postgres.", "Postgres"),
        ("Forget our decision about Postgres.", "Postgres"),
        ("Please forget the decision to use Postgres.", "Postgres"),
        ("Vergiss die Entscheidung zu Postgres.", "Postgres"),
        ("Olvida lo que decidimos sobre Postgres.", "Postgres"),
        ("Oublie notre décision d'utiliser Postgres.", "Postgres"),
        ("Could you drop what I said about Tom?", "Tom"),
        ("Delete all memories about Anna", "Anna"),
        ("Vergiss alle Erinnerungen an Anna", "Anna"),
        ("Forget what I told you yesterday about Tom", "Tom"),
        ("Please get rid of my phone number.", "my phone number"),
        ("Please wipe my birthday from your memory.", "my birthday"),
        ("Please forget we ever talked about my divorce.", "my divorce"),
        ("Vergiss einfach, was ich über Jonas gesagt hab.", "Jonas"),
        ("Vergiss bitte, was ich dir vorhin über Jonas erzählt habe.", "Jonas"),
        ("Bitte nicht mehr merken, dass ich rauche.", "ich rauche"),
        ("Olvida lo que te conté ayer de Laura", "Laura"),
        ("Ya no hace falta que recuerdes mi dirección.", "mi dirección"),
        ("Ne garde plus mon adresse.", "mon adresse"),
        ("Oublie ce que je t'ai dit hier sur Paul.", "Paul"),
        ("Dimentica quello che ti ho detto di Marco.", "Marco"),
        ("Elimina il mio compleanno.", "il mio compleanno"),
        ("Cancella dalla memoria che fumo.", "fumo"),
        ("Esquece o que eu disse sobre o João.", "João"),
        ("Apague o meu número de telefone", "meu número de telefone"),
        ("Удали мой номер телефона.", "мой номер телефона"),
        ("Можешь забыть мой адрес?", "мой адрес"),
        ("Забудь, что я говорила про брата.", "брата"),
        ("把我的电话号码从记忆里删掉", "我的电话号码"),
        ("私の住所を消してください", "私の住所"),
    ] {
        let reading = reading(text);
        let named: Vec<&str> = reading.forgets.iter().map(|forget| &*forget.text).collect();
        assert_eq!((named, reading.candidates), (vec![expected], vec![]), "{text}");
    }
}

#[test]
fn each_part_of_what_is_to_be_forgotten_is_a_request() {
    for (text, expected) in [
        ("forget my allergy and my medication", vec!["my allergy", "my medication"]),
        ("Forget my allergy, my address and my diet", vec!["my allergy", "my address", "my diet"]),
        ("forget my phone number, my address and my diet", vec!["my phone number", "my address", "my diet"]),
        (
            "forget that my wife lives in York and works at Hexagon",
            vec!["my wife lives in York", "my wife works at Hexagon"],
        ),
        (
            "Vergiss, dass ich in Kiel wohne, und dass ich bei Siemens arbeite.",
            vec!["ich in Kiel wohne", "ich bei Siemens arbeite"],
        ),
        (
            "forget my allergy, my sister is allergic to them",
            vec!["my allergy", "my allergy, my sister is allergic to them"],
        ),
        (
            "forget that I live in Leeds, I live in York now and work at Acme",
            vec!["I live in Leeds", "I live in Leeds, I live in York now and work at Acme"],
        ),
        ("forget my allergy, and my address", vec!["my allergy", "my address"]),
        ("Forget about my job and about the nuts", vec!["my job", "nuts"]),
        ("Vergiss meine Allergie und meine Medikamente", vec!["meine Allergie", "meine Medikamente"]),
        ("oublie mon allergie et mes médicaments", vec!["mon allergie", "mes médicaments"]),
        ("olvida lo del gestor y lo de la furgo", vec!["gestor", "furgo"]),
        ("forget that I live in Leeds and work at Hexagon", vec!["I live in Leeds", "I work at Hexagon"]),
        (
            "forget that I live in Leeds and work at Hexagon and that my dog is called Rex",
            vec!["I live in Leeds", "I work at Hexagon", "my dog is called Rex"],
        ),
        (
            "Vergiss, dass ich in Kiel wohne und bei Siemens arbeite.",
            vec!["ich in Kiel wohne", "ich bei Siemens arbeite"],
        ),
        ("olvida que vivo en Lugo y que trabajo en Seat", vec!["vivo en Lugo", "trabajo en Seat"]),
        ("oublie que j'habite à Lyon et que je suis végane", vec!["j'habite à Lyon", "je suis végane"]),
        ("forget that I live and work in Leeds", vec!["I live and work in Leeds"]),
        ("forget that I love my dog and my cat", vec!["I love my dog and my cat"]),
        ("forget that I'm allergic to nuts and milk", vec!["I'm allergic to nuts and milk"]),
        ("Vergiss, dass ich eine Katze und einen Hund habe", vec!["ich eine Katze und einen Hund habe"]),
    ] {
        let forgets = reading(text).forgets;
        assert_eq!(forgets.iter().map(|forget| &*forget.text).collect::<Vec<_>>(), expected, "{text}");
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
            "Bitte merk dir: Frau Krause ist allergisch gegen Latex.",
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
        ("我星期五有牙医预约", "请忘掉我星期五有牙医预约"),
        ("我下周二去上海", "请忘记我下周二去上海"),
        ("ピーナッツアレルギーです", "ピーナッツアレルギーのことは忘れてください"),
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
fn a_date_that_capture_added_need_not_be_named() {
    let ending = Ending::asked(&reading("Forget that I see the dentist").forgets[0]).unwrap();
    let statement = "I see the dentist tomorrow (2026-02-11) and that I'm vegan";
    assert!(matches!(ending.left_of(statement), Some(Left::Rest(rest)) if rest.contains("I'm vegan")));
    assert_eq!(ending.left_of("I see the doctor tomorrow (2026-02-11)"), None);
}
