//! Where the clause of a statement begins and ends.

use super::*;

#[test]
fn a_long_message_still_has_clauses_and_a_long_clause_is_none() {
    let filler = "And then something else came up that took a while. ".repeat(10);
    assert_eq!(
        kept(&format!("{filler} I work as a nurse in Leeds. {filler}")),
        ["fact: I work as a nurse in Leeds"]
    );
    assert_eq!(reasons(&format!("I prefer {}", "very ".repeat(80))), [Why::TooLong]);
    assert_eq!(reasons("ok"), [Why::TooShort]);
}

#[test]
fn a_sentence_that_cannot_stand_alone_belongs_to_the_one_before() {
    for (text, expected) in [
        (
            "I have a son, Leo. He is allergic to peanuts.",
            vec!["I have a son, Leo. He is allergic to peanuts"],
        ),
        ("We have a dog. His name is Rex.", vec!["We have a dog. His name is Rex"]),
        (
            "Meine Tochter ist 3. Sie ist laktoseintolerant.",
            vec!["Meine Tochter ist 3. Sie ist laktoseintolerant"],
        ),
        ("我姐姐叫李丽。她住在罗马。", vec!["我姐姐叫李丽。她住在罗马"]),
        (
            "Please remember: Tom is diabetic. His doctor is Dr. Patel.",
            vec!["Tom is diabetic. His doctor is Dr. Patel"],
        ),
        ("My wife is a nurse. She asked me what time it is.", vec!["My wife is a nurse"]),
        ("My son is 4. He just spilled juice everywhere", vec!["My son is 4"]),
        ("I have a son, Leo. Is he too young for chess?", vec!["I have a son, Leo"]),
    ] {
        let texts: Vec<_> = reading(text).candidates.into_iter().map(|candidate| candidate.text).collect();
        assert_eq!(texts, expected, "{text}");
    }
}

/// The Italian "ma" (but) begins a clause, the French one (my) does not.
#[test]
fn the_french_my_does_not_begin_a_clause() {
    for (text, expected) in [
        ("Le chien de ma mère s'appelle Rex.", "Le chien de ma mère s'appelle Rex"),
        ("Le frère de ma femme travaille chez Airbus.", "Le frère de ma femme travaille chez Airbus"),
        ("Vado sempre in palestra ma il giovedì riposo.", "Vado sempre in palestra"),
    ] {
        let page = Page::of(text);
        let clauses = crate::clauses::split(&page.sentences);
        let first = &crate::clauses::places(&page.sentences, &clauses)[0];
        assert_eq!(&text[first.clone()], expected);
    }
}

#[test]
fn a_clause_that_begins_in_the_brackets_of_another_is_not_cut() {
    for text in [
        "I have a dog [and yesterday we moved to York] with the kids.",
        "I live in Leeds [and tomorrow I fly to Rome] with my wife Ana.",
    ] {
        let kept: Vec<_> = reading(text).candidates.into_iter().map(|candidate| candidate.text).collect();
        assert!(kept.iter().all(|kept| !kept.starts_with(' ')), "{kept:?}");
    }
}

#[test]
fn an_abbreviation_does_not_end_a_sentence() {
    for text in [
        "Bitte die Protokolle immer auf Englisch, max. eine Seite",
        "protocols always in English, max. one page",
        "Ich brauche mind. 8 Std. Schlaf",
        "Je mange env. 2000 kcal par jour",
    ] {
        assert_eq!(Page::of(text).sentences.len(), 1, "{text}");
    }
    assert_eq!(Page::of("My brother is called Max. He lives in Bonn").sentences.len(), 2);
}

#[test]
fn an_enumeration_is_whole() {
    for text in [
        "I like hiking, jazz, sourdough baking and old Volvos",
        "Ich mag Wandern, Jazz, Sauerteig und alte Volvos",
    ] {
        assert_eq!(kept(text), [format!("preference: {text}")]);
    }
}

#[test]
fn a_german_ordinal_does_not_end_a_sentence() {
    let kept = kept("Lena hat montags Schwimmen und am 3. kommt um 8 der Klempner.");
    assert!(kept.iter().any(|kept| kept.ends_with("am 3. kommt um 8 der Klempner")), "{kept:?}");
}

#[test]
fn a_quotation_of_a_word_or_two_stays_in_its_clause() {
    assert_eq!(kept("please always call me “Jo”, thanks"), ["preference: please always call me “Jo”"]);
}

#[test]
fn a_short_bracket_at_the_end_belongs_to_the_statement() {
    for text in [
        "I work at Acme (the Leeds office)",
        "I have two kids, Leo (6) and Mia (3)",
        "I take ibuprofen (400 mg)",
        "我住在杭州（西湖区）",
        "I take vitamin D [1000 IU]",
        "Ich arbeite bei Siemens (Werk Nord)",
    ] {
        let kept: Vec<String> = kept(&format!("{text}."))
            .iter()
            .map(|kept| kept[kept.find(": ").unwrap() + 2..].to_owned())
            .collect();
        assert_eq!(kept, [text]);
    }
    for text in ["I live in Leeds (lol)", "I live in Leeds\n(the end)", "I live in Leeds (why do you ask?)"] {
        assert_eq!(kept(text), ["fact: I live in Leeds"], "{text}");
    }
    let secret = "I live in Leeds (ghp_abcdefghijklmnopqrstuvwxyz0123456789)";
    assert_eq!(kept(secret), ["fact: I live in Leeds"]);
    assert!(reading("I prefer short answers (for now)").candidates[0].session_only);
}

#[test]
fn words_for_too_belong_to_the_statement() {
    for text in [
        "I work from home on Mondays too",
        "I like jazz as well",
        "I like jazz, too",
        "ich mag auch Jazz",
        "Stop apologising so much",
    ] {
        assert!(
            kept(&format!("{text}.")).concat().ends_with(&format!(": {text}")),
            "{text}: {:?}",
            kept(text)
        );
    }
}

#[test]
fn the_subject_and_the_items_belong_to_the_statement() {
    for (text, expected) in [
        ("BTW my car is at the garage until Friday", "my car is at the garage until Friday"),
        (
            "The plumber, Gareth, is coming Friday between 8 and 12",
            "The plumber, Gareth, is coming Friday between 8 and 12",
        ),
        ("My top 3 cities: Porto, Vienna, Kyoto", "My top 3 cities: Porto, Vienna, Kyoto"),
    ] {
        let reading = reading(text);
        let kept: Vec<&str> = reading.candidates.iter().map(|kept| kept.text.as_str()).collect();
        assert_eq!(kept, [expected], "{reading:?}");
    }
}

#[test]
fn dots_within_words_and_numbers_end_no_sentence() {
    assert_eq!(
        kept("we're sticking with Python 3.11 until summer"),
        ["decision: we're sticking with Python 3.11 until summer"]
    );
    assert_eq!(kept("I live in the U.S. state of Maine"), ["fact: I live in the U.S. state of Maine"]);
    let sentences = |text: &str| Page::of(text).sentences.len();
    assert_eq!((sentences("マリー・キュリーが好き"), sentences("・卵\n・牛乳")), (1, 2));
}

#[test]
fn what_makes_a_statement_true_stays_with_it() {
    for text in [
        "Ich rauche nicht mehr so viel",
        "I was born in 1957, no, 1958",
        "I have 3 cats, sorry, 2 cats",
        "Unless they raise my salary, I'm leaving Bosch in June",
        "We planned to get married in June but we called it off",
        "my office is the third door to the right",
        "I work as a nurse at Guys",
        "Like my father I have diabetes",
        "Since January I no longer work at Bosch",
        "As a child I was allergic to milk",
        "Vivo con mi tía",
        "Comme mon père je suis diabétique",
    ] {
        assert!(kept(text).concat().ends_with(&format!(": {text}")), "{text}: {:?}", kept(text));
    }
}

#[test]
fn an_abbreviation_before_a_number_ends_nothing() {
    for text in [
        "the alarm company is Securo, customer no. 55120",
        "my locker is no. 14",
        "I live in the Bergstr. 12",
    ] {
        assert_eq!(Page::of(text).sentences.len(), 1, "{text}");
    }
    assert_eq!(Page::of("My answer is no. I moved.").sentences.len(), 2);
}

#[test]
fn what_a_statement_is_said_with_stays_with_it() {
    for (text, expected) in [
        ("Mein Kollege behauptet, ich habe einen Hund", "Mein Kollege behauptet, ich habe einen Hund"),
        ("I'm allergic to gluten, maybe, not sure", "I'm allergic to gluten, maybe, not sure"),
        ("Ich bin gegen Gluten allergisch, glaube ich", "Ich bin gegen Gluten allergisch, glaube ich"),
        ("Soy alérgica al gluten, creo", "Soy alérgica al gluten, creo"),
        ("I live in Leeds - scratch that - York", "I live in Leeds - scratch that - York"),
        ("Ich wohne in Bremen - Moment, falsch - in Kiel", "Ich wohne in Bremen - Moment, falsch - in Kiel"),
        ("Vivo en Bilbao, bueno no, en Vigo", "Vivo en Bilbao, bueno no, en Vigo"),
        ("My flight is at 9:40. Sorry, 10:40.", "My flight is at 9:40. Sorry, 10:40"),
        ("I'm pregnant but nobody at work may know yet", "I'm pregnant but nobody at work may know yet"),
    ] {
        let kept = kept(text);
        assert!(kept.iter().any(|kept| kept.ends_with(&format!(": {expected}"))), "{text}: {kept:?}");
    }
}

#[test]
fn a_statement_keeps_what_limits_it() {
    for (text, expected) in [
        ("I love all animals but spiders", "I love all animals but spiders"),
        ("I can't drive because of my epilepsy", "I can't drive because of my epilepsy"),
        ("J'aime le thé mais pas le café", "J'aime le thé mais pas le café"),
    ] {
        let reading = reading(text);
        let kept: Vec<&str> = reading.candidates.iter().map(|candidate| &*candidate.text).collect();
        assert_eq!(kept, [expected], "{text}");
    }
}

#[test]
fn an_abbreviation_or_a_date_ends_no_statement() {
    for (text, expected) in [
        ("Merk dir, dass ich lt. Arzt kein Salz essen darf.", "ich lt. Arzt kein Salz essen darf"),
        ("Merk dir, dass ich mind. 2 Liter trinken muss.", "ich mind. 2 Liter trinken muss"),
        ("Merk dir, dass ich bei der Fa. Müller arbeite.", "ich bei der Fa. Müller arbeite"),
        ("Merk dir: Kundennr. 4711, Vertragsnr. 815", "Kundennr. 4711, Vertragsnr. 815"),
        ("Merk dir, dass ich z. B. keine Erdbeeren vertrage.", "ich z. B. keine Erdbeeren vertrage"),
        (
            "Merk dir, dass ich bei der Huber GmbH & Co. KG arbeite.",
            "ich bei der Huber GmbH & Co. KG arbeite",
        ),
        ("Merk dir, dass ich Mo., Mi. und Fr. arbeite.", "ich Mo., Mi. und Fr. arbeite"),
        ("Recuerda que vivo en la Avda. de la Paz, núm. 12.", "vivo en la Avda. de la Paz, núm. 12"),
        ("Recuerda que trabajo en EE. UU. desde 2010.", "trabajo en EE. UU. desde 2010"),
        ("Recuerda que vivo en el depto. 4.", "vivo en el depto. 4"),
        ("Merk dir: am Donnerstag, 3.12., bin ich in Wien.", "am Donnerstag, 3.12., bin ich in Wien"),
        ("Merk dir: Urlaub 3.12.-10.12. auf Teneriffa", "Urlaub 3.12.-10.12. auf Teneriffa"),
        ("Merk dir: Ich zahle am 1. und 15. jedes Monats.", "Ich zahle am 1. und 15. jedes Monats"),
        ("Merk dir: Oma hat am 7.4. Geburtstag, Opa am 9.9.", "Oma hat am 7.4. Geburtstag, Opa am 9.9"),
    ] {
        let reading = reading(text);
        let texts: Vec<&str> = reading.candidates.iter().map(|kept| &*kept.text).collect();
        assert_eq!(texts, [expected], "{text}");
    }
    // Numbers and short words do end a sentence.
    for (text, count) in [("I am 34. My wife is 30.", 2), ("Ich wohne in Ulm. Meine Frau ist 30.", 2)] {
        assert_eq!(Page::of(text).sentences.len(), count, "{text}");
    }
}

#[test]
fn a_sign_or_an_abbreviation_ends_no_sentence() {
    for text in [
        "I run ~5 km every morning.",
        "I earn ~50k a year.",
        "My birthday is on Jan. 5.",
        "I live in Ft. Worth with my wife.",
        "Ich heiße Anna Schmidt, geb. Müller.",
        "Mi casa está a aprox. 5 km de Lugo.",
        "Я живу на ул. Ленина, д. 5, кв. 12.",
        "Моя зарплата 50 тыс. руб. в месяц.",
        "Моя зарплата 150 000 ₽ в месяц.",
        "Я живу в доме № 5 на улице Ленина.",
        "我的预算是￥500左右",
        "I keep my flat at 20 ℃ all day.",
        "I have a 27\" monitor and a 55\" TV.",
        "I work 'til 6 at my parents' bakery in Leeds.",
    ] {
        let page = Page::of(text);
        let [sentence] = &page.sentences[..] else { panic!("{text}: {}", page.sentences.len()) };
        let place = sentence.range();
        assert_eq!(place, 0..text.trim_end_matches('.').len(), "{text}");
        assert!(!sentence.text().contains('"'), "{text}");
    }
    for (text, count) in [
        ("Thanks ~ I live in Leeds", 2),
        ("好的～我住在北京", 2),
        ("It's 5 ft. The other one is 6 ft.", 2),
        ("I have two kids, Jan. She is 5.", 2),
        ("Я плачу 50 тыс. Живу в Казани.", 2),
    ] {
        assert_eq!(Page::of(text).sentences.len(), count, "{text}");
    }
    for text in ["Je suis graphiste à Neuchâtel, à 80 %", "My rent is 900 € a month", "My rent is 900 €"]
    {
        assert!(kept(text).concat().ends_with(text), "{text}: {:?}", kept(text));
    }
    let asked = kept("Please remember that the meeting is on Jan. 5 at noon.");
    assert!(asked[0].ends_with(": the meeting is on Jan. 5 at noon"), "{asked:?}");
}

#[test]
fn a_face_opens_no_parentheses() {
    for (text, said) in [
        ("My cat died :( I have a new dog called Rex :)", "new dog"),
        ("Lost my job :-( I moved back to Leeds (my parents live there).", "moved back"),
    ] {
        let sentences = Page::of(text).sentences;
        assert!(sentences.iter().any(|sentence| sentence.text().contains(said)), "{text}");
        assert!(!sentences.iter().any(|sentence| sentence.text().contains("parents")), "{text}");
    }
}

#[test]
fn a_guess_stays_a_guess() {
    for text in [
        "I guess I'm allergic to cats",
        "Supongo que soy celíaca",
        "Думаю, что у меня аллергия на орехи",
        "Mi sa che sono allergica alle noci",
        "Acho que a minha irmã está grávida",
    ] {
        let kept = kept(text);
        assert!(kept.iter().all(|kept| kept.ends_with(&format!(": {text}"))), "{text}: {kept:?}");
    }
}

#[test]
fn a_long_message_is_read_in_time_proportional_to_its_length() {
    let list = |piece: &str, mark: &str, count: usize| {
        (0..count).map(|number| format!("{piece}{number}")).collect::<Vec<_>>().join(mark)
    };
    let reading = read_by_model(&format!("forget {}", list("my x", ", ", 400)), Role::User);
    assert_eq!(reading.forgets.len(), FORGETS_MAX);
    let reading = read_by_model(&format!("forget that {}", list("I like x", " and ", 400)), Role::User);
    assert!(reading.forgets.len() <= FORGETS_MAX, "{}", reading.forgets.len());
}
