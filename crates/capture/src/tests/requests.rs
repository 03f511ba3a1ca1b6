//! What is asked to be remembered, to be kept for once or not to be kept.

use super::*;

#[test]
fn what_is_asked_to_be_remembered_is_always_kept() {
    for (text, expected) in [
        ("please remember that the gate code changes on Mondays", "the gate code changes on Mondays"),
        ("don't forget: the blue bin is for glass", "the blue bin is for glass"),
        ("don't forget I'm off on Fridays", "I'm off on Fridays"),
        ("Bitte merken: die blaue Tonne ist für Glas", "die blaue Tonne ist für Glas"),
        ("ok and remember this: Marta brings the projector", "Marta brings the projector"),
        ("merk dir bitte, dass der Zähler im Keller hängt", "der Zähler im Keller hängt"),
        ("recuerda que el portón azul es el nuestro", "el portón azul es el nuestro"),
        ("retiens que le code wifi est sur le frigo", "le code wifi est sur le frigo"),
        ("记住：蓝色的桶是装玻璃的", "蓝色的桶是装玻璃的"),
        ("ricordati che il furgone è in garage", "il furgone è in garage"),
        ("запомни, что ключ у соседки", "ключ у соседки"),
        ("Can you remember that Tom is diabetic?", "Tom is diabetic"),
        ("Could you please remember that Tom is diabetic?", "Tom is diabetic"),
        ("Would you remember that Tom is diabetic", "Tom is diabetic"),
        ("I want you to remember that Tom is diabetic", "Tom is diabetic"),
        ("I need you to remember that Tom is diabetic", "Tom is diabetic"),
        ("You should remember that Tom is diabetic", "Tom is diabetic"),
        ("Make sure you remember that Tom is diabetic", "Tom is diabetic"),
        ("Please note that the blue bin is for glass", "the blue bin is for glass"),
        ("take note that Marta brings the projector", "Marta brings the projector"),
        ("save that Marta brings the projector", "Marta brings the projector"),
        ("Please store that Tom is diabetic", "Tom is diabetic"),
        ("Please save that Tom is diabetic", "Tom is diabetic"),
        ("Kannst du dir bitte merken, dass der Zähler im Keller hängt?", "der Zähler im Keller hängt"),
        ("Behalte im Kopf, dass der Zähler im Keller hängt", "der Zähler im Keller hängt"),
        ("Behalte bitte, dass der Zähler im Keller hängt", "der Zähler im Keller hängt"),
        ("¿Puedes recordar que el portón azul es el nuestro?", "el portón azul es el nuestro"),
        ("Peux-tu retenir que le code wifi est sur le frigo ?", "le code wifi est sur le frigo"),
        ("retiens qu'il y a une clé chez la voisine", "il y a une clé chez la voisine"),
        ("souviens-toi que le code wifi est sur le frigo", "le code wifi est sur le frigo"),
        ("请记住会议在三楼。", "会议在三楼"),
        ("记住旺财是比格犬", "旺财是比格犬"),
        ("请记住垃圾桶在后院", "垃圾桶在后院"),
        ("Remember:\nThe boiler is serviced in May", "The boiler is serviced in May"),
    ] {
        let reading = reading(text);
        let kept: Vec<&str> = reading.candidates.iter().map(|kept| kept.text.as_str()).collect();
        assert_eq!(kept, [expected], "{text}: {reading:?}");
        assert_eq!(reading.candidates[0].rule, "asked");
    }
    for text in [
        "don't forget the milk",
        "remember that time we got lost in Rome?",
        "do you remember that I asked you twice?",
        "Do you remember that Tom is diabetic?",
        "Can you remember what I said?",
        "Can you remember that I asked you twice?",
        "Erinnerst du dich, dass Tom Diabetes hat?",
        "please save that file",
        "remind me to call Tom at 5",
    ] {
        assert_eq!(kept(text), [""; 0], "{text}");
    }
}

#[test]
fn a_standing_wish_may_be_put_as_a_question() {
    assert_eq!(
        kept("Could you always put the conclusion at the top? I never get past page one."),
        ["preference: Could you always put the conclusion at the top"]
    );
}

#[test]
fn what_is_asked_for_once_is_for_the_session() {
    for (text, session_only) in [
        ("For today please reply in Spanish", true),
        ("keep your answers short for now", true),
        ("please always reply in Spanish", false),
    ] {
        let reading = reading(text);
        assert_eq!(reading.candidates.len(), 1, "{text}");
        assert_eq!(reading.candidates[0].session_only, session_only, "{text}");
    }
    assert_eq!(kept("skip the tests"), [""; 0], "an order of the moment");
}

#[test]
fn what_is_asked_for_afterwards_is_kept() {
    for (text, expected) in [
        ("the API runs on port 8081, remember that", "the API runs on port 8081"),
        ("The train arrives at 9:40, don't forget!", "The train arrives at 9:40"),
        ("Frau Huber has the spare key, merk dir das", "Frau Huber has the spare key"),
        ("Der Schlüssel liegt unter der Matte. Merk dir das bitte.", "Der Schlüssel liegt unter der Matte"),
        ("La llave está debajo de la maceta, recuérdalo", "La llave está debajo de la maceta"),
        ("La clé est sous le pot, retiens-le", "La clé est sous le pot"),
        ("钥匙在花盆下面，记住", "钥匙在花盆下面"),
        ("note to self: the bins go out on Tuesdays", "the bins go out on Tuesdays"),
        ("customer note, please memorise this: the alarm company is Securo", "the alarm company is Securo"),
    ] {
        let reading = reading(text);
        let asked = reading.candidates.iter().find(|candidate| candidate.rule == "asked");
        assert_eq!(asked.map(|candidate| &*candidate.text), Some(expected), "{text}");
    }
}

#[test]
fn a_task_is_not_asked_to_be_remembered() {
    for text in ["Update the docs, don't forget!", "write a script that prints the date, save it"] {
        let reading = reading(text);
        assert!(reading.candidates.iter().all(|candidate| candidate.rule != "asked"), "{reading:?}");
    }
}

#[test]
fn more_ways_to_ask_not_to_keep() {
    for text in [
        "Je suis séropositif, ne le retiens pas",
        "Tengo VIH, no lo guardes por favor",
        "Ho l'HIV, non salvarlo",
        "我在吃抗抑郁药，这个别保存",
        "うつ病の薬を飲んでいます。これは覚えないで",
        "Ich habe HIV. Das brauchst du dir nicht zu merken.",
        "I have HIV, you don't need to remember that",
        "I have HIV, but that's just between us",
    ] {
        let reading = reading(text);
        assert!(reading.is_unwanted && reading.candidates.is_empty(), "{text}: {reading:?}");
    }
    for text in
        ["I don't need to remember that password any more", "you don't need to save the file", "这个别买"]
    {
        assert!(!reading(text).is_unwanted, "{text}");
    }
}

#[test]
fn all_items_of_a_list_that_is_to_be_remembered_are_kept() {
    for (text, expected) in [
        (
            "Please remember the following: 1. I hate mushrooms 2. My car is a Golf 3. My wife is called Eva",
            &["I hate mushrooms", "My car is a Golf", "My wife is called Eva"][..],
        ),
        ("Recuerda:\n- Odio las setas\n- Mi coche es un Golf", &["Odio las setas", "Mi coche es un Golf"]),
        (
            "Remember these:\n- I hate mushrooms\n- plumber is Ortiz",
            &["I hate mushrooms", "plumber is Ortiz"],
        ),
        (
            "Merk dir folgendes:\n- ich mag keine Pilze\n- Klempner ist Ortiz",
            &["ich mag keine Pilze", "Klempner ist Ortiz"],
        ),
        (
            "Retiens :\n- je déteste les champignons\n- Ma voiture est une Golf",
            &["je déteste les champignons", "Ma voiture est une Golf"],
        ),
        ("记住：1、我讨厌蘑菇 2、我的车是高尔夫", &["我讨厌蘑菇", "我的车是高尔夫"]),
        // A line of a list without bullets ends no sentence.
        (
            "Remember these:\nI hate mushrooms\nplumber is Ortiz\n\nThanks!",
            &["I hate mushrooms", "plumber is Ortiz"],
        ),
        (
            "Merk dir:\nich mag keine Pilze\nKlempner ist Ortiz",
            &["ich mag keine Pilze", "Klempner ist Ortiz"],
        ),
        ("记住：\n我讨厌蘑菇\n我的车是高尔夫", &["我讨厌蘑菇", "我的车是高尔夫"]),
        ("Remember this:\nI hate mushrooms.\nThanks!", &["I hate mushrooms"]),
        ("Remember this:\nI hate mushrooms\nthanks", &["I hate mushrooms"]),
        ("merk dir:\nich mag keine Pilze\nund jetzt ein Witz", &["ich mag keine Pilze"]),
        (
            "Remember:\nI hate mushrooms\nplumber is Ortiz\nalso tell me a joke",
            &["I hate mushrooms", "plumber is Ortiz"],
        ),
    ] {
        let texts: Vec<String> = reading(text).candidates.into_iter().map(|kept| kept.text).collect();
        assert_eq!(texts, expected, "{text}");
    }
}

#[test]
fn what_is_asked_for_beside_a_statement_is_not_part_of_it() {
    for (text, expected) in [
        ("Remember that I'm vegan and tell me a recipe", "I'm vegan"),
        ("Merk dir, dass ich vegan bin und gib mir ein Rezept", "ich vegan bin"),
        ("Recuerda que soy vegana y dame una receta", "soy vegana"),
        ("Retiens que je suis végane et donne-moi une recette", "je suis végane"),
        ("记住我是素食者，给我推荐一个菜", "我是素食者"),
        ("vergiss bitte nie, dass ich Linkshänder bin", "ich Linkshänder bin"),
        ("n'oublie jamais que je suis gaucher", "je suis gaucher"),
        ("Quiero que recuerdes que soy zurdo", "soy zurdo"),
        ("Je veux que tu retiennes que je suis gaucher", "je suis gaucher"),
        ("你能记住我是左撇子吗", "我是左撇子"),
        ("Schreib dir auf, dass ich Linkshänder bin", "ich Linkshänder bin"),
        ("Ten presente que soy zurdo", "soy zurdo"),
        ("Garde à l'esprit que je suis gaucher", "je suis gaucher"),
        ("Memorizza che sono mancino", "sono mancino"),
        ("Tenha em mente que sou canhoto", "sou canhoto"),
        ("Имей в виду, что я левша", "я левша"),
        ("Ich möchte, dass du dir merkst, dass ich Linkshänder bin", "ich Linkshänder bin"),
        (
            "Retiens que mon médecin est M. Durand, 12 rue de la Paix",
            "mon médecin est M. Durand, 12 rue de la Paix",
        ),
        ("Merk dir: meine Ärztin ist Fr. Dr. Schulz", "meine Ärztin ist Fr. Dr. Schulz"),
        (
            "Remember: my office is at 12 Mill Rd. near the station",
            "my office is at 12 Mill Rd. near the station",
        ),
    ] {
        let texts: Vec<String> = reading(text).candidates.into_iter().map(|kept| kept.text).collect();
        assert_eq!(texts, [expected], "{text}");
    }
}

#[test]
fn what_is_asked_for_is_kept_beyond_the_limit() {
    let items: String = (1..8).map(|n| format!("\n- my locker number {n} is blue")).collect();
    assert_eq!(reading(&format!("Remember:{items}")).candidates.len(), 7);
}

#[test]
fn what_is_asked_to_be_remembered_may_be_long() {
    let text = format!(
        "Remember: never call me before 10, except on Sundays when {}.",
        "I am at the office and ".repeat(20)
    );
    let reading = reading(&text);
    assert_eq!(reading.candidates.len(), 1, "{reading:?}");
    assert!(reading.candidates[0].text.ends_with("at the office"), "{reading:?}");
}

#[test]
fn a_bracket_asks_not_to_keep_what_its_speaker_says_of_themselves() {
    for (text, expected) in [
        ("My salary is 5000 euros (do not save)", true),
        ("I earn 5.000 euros (don't save). What tax do I pay?", true),
        ("Ich verdiene 5000 Euro (nicht speichern)", true),
        ("我的工资是5000（不要保存）", true),
        ("The dialog shows [Save] [Don't Save] [Cancel]. Which event fires?", false),
        ("The dialog shows Save and (Don't Save). Which event fires?", false),
        ("Review my code:\n```\nmy_id = read()  # my own (do not log)\n```", false),
        ("Tom wrote:\n> my salary is 5000 (do not save)\n\nWhat does he mean?", false),
    ] {
        assert_eq!(is_unwanted(text), expected, "{text}");
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
        assert!(is_unwanted(text), "{text}");
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
        assert!(is_unwanted(text), "{text}");
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
fn that_alone_means_what_was_said_before() {
    for (text, expected) in [
        (
            "The gate code changes on Mondays. Can you remember that? What's for dinner tonight?",
            &["The gate code changes on Mondays"][..],
        ),
        (
            "My dog is called Rex. Can you remember that? Tell me a joke about cats.",
            &["My dog is called Rex"],
        ),
        (
            "The gate code changes on Mondays, could you please remember that?",
            &["The gate code changes on Mondays"],
        ),
        (
            "Der Schlüssel liegt unter der Matte. Kannst du dir das merken?",
            &["Der Schlüssel liegt unter der Matte"],
        ),
        ("The blue bin is for glass. Remember that for next time.", &["The blue bin is for glass"]),
        ("I need you to remember that. My printer is broken again, help me.", &[]),
        ("You should remember that. Anyway, the weather is awful today.", &[]),
        ("You should remember that by now!", &[]),
        ("Remember that restaurant we went to in Rome.", &[]),
    ] {
        let reading = reading(text);
        let asked = reading.candidates.iter().filter(|candidate| candidate.rule == "asked");
        let texts: Vec<&str> = asked.map(|candidate| &*candidate.text).collect();
        assert_eq!(texts, expected, "{text}");
    }
}

#[test]
fn there_are_many_ways_to_ask_to_remember() {
    for (text, expected) in [
        ("Do not forget that the bin is blue.", "the bin is blue"),
        ("do not forget: the bin is blue", "the bin is blue"),
        ("Do not forget that I'm allergic to nuts.", "I'm allergic to nuts"),
        ("Don't ever forget that the bin is blue.", "the bin is blue"),
        ("Make sure not to forget that the bin is blue.", "the bin is blue"),
        ("Remember, the bin is blue.", "the bin is blue"),
        ("Please remember the bin is blue", "the bin is blue"),
        ("Keep in mind the bin is blue.", "the bin is blue"),
        ("Remember the code, and don't forget: the bin is blue", "the bin is blue"),
        ("Nicht vergessen: die Tonne ist blau", "die Tonne ist blau"),
        ("Bitte nicht vergessen, dass die Tonne blau ist", "die Tonne blau ist"),
        ("Vergiss ja nicht, dass die Tonne blau ist", "die Tonne blau ist"),
        ("Merke dir bitte, die Tonne ist blau", "die Tonne ist blau"),
        ("Denk dran, die Tonne ist blau", "die Tonne ist blau"),
        ("No se te olvide que el contenedor es azul", "el contenedor es azul"),
        ("No olvidar: el contenedor es azul", "el contenedor es azul"),
        ("No te vayas a olvidar de que soy celíaca", "soy celíaca"),
        ("Ne pas oublier : la poubelle est bleue", "la poubelle est bleue"),
        ("Ne pas oublier que la poubelle est bleue", "la poubelle est bleue"),
        ("Surtout n'oublie pas que je suis diabétique", "je suis diabétique"),
        ("Non scordare che il bidone è blu", "il bidone è blu"),
        ("Non ti dimenticare che il bidone è blu", "il bidone è blu"),
        ("Não esquecer: o lixo é azul", "o lixo é azul"),
        ("别忘了垃圾桶是蓝色的", "垃圾桶是蓝色的"),
        ("千万不要忘记垃圾桶是蓝色的", "垃圾桶是蓝色的"),
        ("请别忘记垃圾桶是蓝色的", "垃圾桶是蓝色的"),
        ("Хочу, чтобы ты запомнил, что бак синий", "бак синий"),
        ("ピーナッツアレルギーなのを忘れないで", "ピーナッツアレルギー"),
    ] {
        let reading = reading(text);
        let asked = reading.candidates.iter().filter(|candidate| candidate.rule == "asked");
        let texts: Vec<&str> = asked.map(|candidate| &*candidate.text).collect();
        assert_eq!(texts, [expected], "{text}: {reading:?}");
    }
    for text in [
        "remember the milk",
        "Remember the guy that was here yesterday",
        "Remember to water the plants",
        "Save that to a file and I will run it.",
        "Remember to buy milk and I will pay you back.",
        "remember what I said about Tom",
        "Denk dran, die Milch zu kaufen",
        "I like green tea, remember, with honey",
        "别忘了买牛奶",
        "别忘了在超市买牛奶",
        "别忘了给住院的妈妈打电话",
        "Forget my address and remember to buy milk",
        "Remember I told you about Tom",
    ] {
        let asked = reading(text).candidates.into_iter().filter(|candidate| candidate.rule == "asked");
        assert_eq!(asked.count(), 0, "{text}");
    }
}

#[test]
fn what_is_not_to_be_remembered_may_be_another_thing_than_the_message() {
    for text in [
        "I grew up in Leeds, don't remember anything about my childhood.",
        "I moved to Leeds in May. I was at a party last night, don't remember what I said.",
        "Never log this, we treat email addresses as personal data.",
        "Never store anything in our public bucket, we use Vault for secrets.",
        "Don't save anything in this folder, I keep my scripts in ~/bin.",
        "I edited the config in vim, don't save it. I always use tabs.",
        "No guardes nada en /tmp, usamos /data para todo.",
        "Entre nosotros, hablamos gallego. Vivo en Lugo.",
        "Entre nous, on parle breton. J'habite à Brest.",
        "Между нами — пять лет разницы. Я живу в Туле.",
        "Не записывай меня на понедельник, по понедельникам я работаю.",
        "Не сохраняй пароли в коде, мы используем Vault.",
        "Meu colega é desorganizado, não anota nada. Moro em Recife.",
        "Ich hatte einen Golf, aber nicht behalten. Ich wohne in Kiel.",
    ] {
        assert!(!reading(text).is_unwanted, "{text}");
    }
    for text in [
        "I have HIV, don't remember that please",
        "Don't save anything in this conversation, I have HIV.",
        "Don't save this, I have HIV.",
        "Don't store this, I need insulin every day.",
        "Don't save this: I use antidepressants.",
        "I have HIV, don't remember anything about this.",
        "У меня диабет, не запоминай пожалуйста",
        "Не запоминай мой диагноз",
        "Entre nosotros, cobro 3000 euros al mes.",
        "Entre nous, on va divorcer en mai.",
        "Entre nós, bebo demais.",
        "Между нами - у меня диабет",
        "No guardes nada. Tengo VIH.",
        "Entre nosotros: tengo VIH.",
        "Entre nous, j'ai le VIH.",
        "Между нами: у меня ВИЧ.",
        "У меня ВИЧ, не записывай это.",
        "Tenho HIV, não anota isso.",
        "Ich habe HIV, das bitte nicht behalten.",
    ] {
        assert!(reading(text).is_unwanted, "{text}");
    }
}
