//! What may be a request to forget, and may be something else: it is not obeyed.

use super::*;

/// Asserts that nothing is forgotten, and that no request is kept as a statement.
fn assert_no_request(text: &str) {
    let reading = reading(text);
    let asks = reading.forgets_last || reading.forgets_all || reading.forgets_today;
    assert!(reading.forgets.is_empty() && !asks, "{text}: {reading:?}");
    let verbs = ["orget", "ergiss", "lvid", "ubli", "imentic", "squec", "忘"];
    let is_request = |kept: &Candidate| verbs.iter().any(|verb| kept.text.contains(verb));
    assert!(!reading.candidates.iter().any(is_request), "{text}: {reading:?}");
}

fn assert_named(text: &str, expected: &str) {
    let reading = reading(text);
    let named = reading.forgets.first().map(|forget| forget.text.trim_matches([' ', ',']));
    assert_eq!(named, Some(expected), "{text}");
}

#[test]
fn chinese_tells_of_forgetting_as_it_asks_for_it() {
    for text in [
        "你把我对花生过敏忘了",
        "你把我对花生过敏这件事忘了！",
        "忘记我对花生过敏了！",
        "忘了小明对花生过敏，差点给他吃了。",
        "忘记小明对花生过敏，差点给他吃了。",
        "你忘了我刚才说的话",
        "你忘记我之前说的了。",
        "你忘了我说过的一切！",
        "我老公真过分。忘记我对花生过敏。",
        "先忘了我对花生过敏吧，今天不一样",
        "删除我的网站",
        "把我的文件删掉",
    ] {
        assert_no_request(text);
    }
    for (text, expected) in [
        ("你能忘掉我对花生过敏吗？", "我对花生过敏"),
        ("请你把我对花生过敏忘了", "我对花生过敏"),
        ("麻烦忘记我对花生过敏", "我对花生过敏"),
        ("你把我对花生过敏忘了吧", "我对花生过敏"),
        ("忘记我对花生过敏", "我对花生过敏"),
        ("删除我的地址", "我的地址"),
        ("把我的电话号码删掉", "我的电话号码"),
        ("忘掉我的生日。", "我的生日"),
        ("把我的车忘掉吧。", "我的车"),
        ("请忘记我的车是丰田。", "我的车是丰田"),
    ] {
        assert_named(text, expected);
    }
    assert!(reading("请忘记我说过的一切").forgets_all);
    assert!(reading("请忘掉我刚才说的话").forgets_last);
}

#[test]
fn the_third_person_and_the_past_are_like_the_request() {
    for text in [
        "Mi suegra nunca escucha. Olvida que soy celíaca.",
        "Mi abuela tiene alzhéimer. Olvida dónde vivo.",
        "Mi marido es un desastre. Olvida mi cumpleaños.",
        "Pedro nunca me escucha. Olvida que soy celíaca. Olvida mi cumpleaños.",
        "Soy celíaca y mi suegra nunca escucha, olvida que soy celíaca.",
        "Mia suocera non ascolta mai. Dimentica che sono celiaca.",
        "Mia nonna ha l'Alzheimer. Dimentica il mio compleanno.",
        "A minha sogra nunca liga. Esquece que sou celíaca.",
        "Mon mari n'écoute pas. Oublie que je suis végétarienne.",
        "olvide mi numero de socio",
        "Olvide mi numero de socio. Me lo dices por favor?",
        "olvide que tengo cita con el dentista",
        "borre mi direccion",
    ] {
        assert_no_request(text);
    }
    for (text, expected) in [
        ("Hola. Olvida que soy celíaca.", "soy celíaca"),
        ("Vivo en Madrid. Olvida que vivo en Lugo.", "vivo en Lugo"),
        ("Vivo en Madrid, olvida que vivo en Lugo.", "vivo en Lugo"),
        ("Mi suegra nunca escucha. Por favor, olvida que soy celíaca.", "soy celíaca"),
        ("Olvida que soy celíaca. Olvida que vivo en Lugo.", "soy celíaca"),
        ("Olvide mi número de socio", "mi número de socio"),
        ("Por favor, olvide mi numero de socio", "mi numero de socio"),
        ("Sono a Roma adesso. Dimentica che vivo a Torino.", "vivo a Torino"),
    ] {
        assert_named(text, expected);
    }
    assert_eq!(reading("Olvida que soy celíaca. Olvida que vivo en Lugo.").forgets.len(), 2);
}

#[test]
fn a_text_or_a_role_asks_for_nothing() {
    for text in [
        "Can you translate this to French? Forget everything I told you.",
        "How do you say this in German?\nForget everything about me.",
        "Translate to German\nForget that I live in Leeds",
        "Wie sagt man das auf Englisch? Vergiss, dass ich in Graz wohne.",
        "¿Cómo se dice esto en inglés? Olvida que vivo en Lugo.",
        "Let's act like we've never met. Forget everything I told you.",
        "Act as if I'm a stranger. Forget that I live in Leeds.",
        "It's my birthday today and I'm having a party. Forget everything I told you.",
        "Tom says, forget that I live in Leeds.",
        "Tom says, please forget that I live in Leeds.",
        "I told my wife, forget that I live in Leeds.",
        "I live in York and my mum keeps saying, forget that I live in Leeds",
    ] {
        assert_no_request(text);
    }
    for text in [
        "Hi there! Forget everything I told you.",
        "Forget everything I told you. Thanks!",
        "Thanks for your help! Forget everything I told you.",
        "I am leaving this service. Please delete everything you know about me.",
    ] {
        assert!(reading(text).forgets_all, "{text}");
    }
}

#[test]
fn idioms_and_threats_ask_for_nothing() {
    for text in [
        "Forget my budget for now. What's the best TV?",
        "Forget about my budget! What's the best TV?",
        "Vergiss mal mein Budget. Welcher Fernseher ist der beste?",
        "Vergiss vorerst meine Diät",
        "Mon budget est serré. Oublie mon budget ! Quel est le meilleur ?",
        "Oublie mon budget ! Quel est le meilleur ?",
        "Olvida mi presupuesto por ahora",
        "Forget my diet! It's Christmas!",
        "Forget my diet - it's Christmas!",
        "Forget that I'm vegan for now.",
        "For now, forget that I'm vegan.",
        "Forget Redis! Let's use memcached for this one.",
        "Don't remember my customer number. Can you look it up?",
        "dont remember my locker number",
        "Forget where I parked. Can you remind me?",
        "Forget where my keys are",
        "Oublie où j'ai garé la voiture",
        "Forget my nut allergy again, and I'm gone.",
        "Forget my nut allergy, and I'm gone.",
        "Forget that I'm allergic again and I'm gone.",
        "Forget my old number, my address and my email are still the same.",
    ] {
        assert_no_request(text);
    }
    for (text, expected) in [
        ("Forget my phone number. Thank you very much!", "my phone number"),
        ("Forget my phone number. Forget my address.", "my phone number"),
        ("Forget my address. I have a new one now.", "my address"),
        ("Forget my address. I moved to York.", "my address"),
        ("I left Acme, so please forget that I work at Acme.", "I work at Acme"),
        ("Please forget my budget. What's the best TV?", "my budget"),
        ("Forget what I said about my budget. What's the best TV?", "my budget"),
        ("Forget my nut allergy! The test was fine.", "my nut allergy"),
        ("Please don't remember my address", "my address"),
        ("Forget where I work", "I work"),
        ("Please forget my nut allergy again.", "my nut allergy"),
    ] {
        assert_named(text, expected);
    }
}

#[test]
fn a_reason_or_a_polite_word_leaves_no_doubt() {
    for (text, expected) in [
        ("I translate books for a living. Please forget my phone number.", "my phone number"),
        ("I have to fix the roof this weekend. Please forget my phone number.", "my phone number"),
        ("Please correct my address. Forget that I live in Leeds.", "I live in Leeds"),
        ("How do you say dog in French? Please forget my phone number.", "my phone number"),
        ("どういたしまして。ピーナッツアレルギーのことは忘れてください。", "ピーナッツアレルギー"),
        ("Ya no vivo ahí. Olvida que vivo en Vigo.", "vivo en Vigo"),
        ("Me he mudado. Olvida que vivo en Vigo.", "vivo en Vigo"),
        ("On a déménagé. Oublie que j'habite à Lyon.", "j'habite à Lyon"),
        ("Non abito più lì. Dimentica che abito a Roma.", "abito a Roma"),
        ("Forget my address. It is out of date.", "my address"),
        ("Forget my dog. He was put down.", "my dog"),
        ("Forget my dentist appointment for today.", "my dentist appointment for today"),
        ("Please forget where my office is", "my office is"),
    ] {
        assert_named(text, expected);
    }
    // What a request names that is not obeyed is no statement.
    let text = "Vergiss für heute, dass ich Diabetes habe.";
    let reading = reading(text);
    assert!(reading.forgets.is_empty(), "{text}: {reading:?}");
    assert!(!reading.candidates.iter().any(|kept| kept.text.contains("Diabetes")), "{text}: {reading:?}");
}

#[test]
fn what_is_deleted_may_be_no_memory() {
    for text in [
        "Delete everything I've written so far.",
        "Remove all I have written today",
        "Please delete everything I've shared",
        "Can you erase everything I have written?",
        "Delete everything you have saved",
        "Lösche alles, was ich geschrieben habe",
        "Cancella tutto di nuovo",
        "Cancella tutto su GitHub",
        "Borra todo de nuevo",
        "Supprime tout sur le disque",
        "Esquece o que eu disse de manhã",
        "Dimentica quello che ho detto di recente",
        "Dimentica quello che ho detto di prima",
        "Lösche die Erinnerungen an den Zahnarzttermin",
        "No recuerdes más que mi nombre",
        "Forget that old pizza place and I like sushi now",
        "私のは全部消して",
        "僕のを全部削除してください",
        "私の全部消して",
    ] {
        assert_no_request(text);
    }
    for text in [
        "Forget everything I've written so far.",
        "Delete everything I have shared with you",
        "Vergiss alles, was ich dir geschrieben habe",
        "私の情報を全部消してください",
    ] {
        assert!(reading(text).forgets_all, "{text}");
    }
}

#[test]
fn what_is_excepted_is_not_forgotten() {
    for text in [
        "Forget everything I told you. Just keep my birthday.",
        "Forget everything I told you (keep my birthday).",
        "Forget everything I told you (not my birthday).",
        "Forget everything I told you. Remember my name, though.",
        "Forget everything I told you. Only my name may stay.",
        "Keep my birthday. Forget everything I told you.",
        "Forget everything I said about Anna. Keep her birthday.",
        "Vergiss alles, was ich dir gesagt habe (mit Ausnahme meines Namens).",
        "Borra todo lo que sabes de mí. Guarda mi nombre.",
        "忘掉关于我的一切（保留我的名字）",
        "Please remove my address (but keep the city).",
        "Scratch that. But keep the meeting.",
        "私の住所を消してください。電話番号だけは残してください",
    ] {
        assert_no_request(text);
        let reading = reading(text);
        assert!(reading.dropped.iter().any(|dropped| dropped.why == Why::UnclearRequest), "{text}");
    }
    // What the next sentence says does not except anything from a statement, or from another matter.
    for (text, expected) in [
        ("Forget that I live in Leeds. But remember that I live in York.", "I live in Leeds"),
        ("Vergiss, dass ich in Graz wohne. Aber merk dir, dass ich in Linz wohne.", "ich in Graz wohne"),
        ("Olvida que vivo en Lugo. Pero recuerda que vivo en Vigo.", "vivo en Lugo"),
        ("Forget that I smoke. But don't worry about it.", "I smoke"),
        ("Vergiss, dass ich rauche. Aber lass uns weitermachen.", "ich rauche"),
        ("Dimentica che fumo. Ma non importa.", "fumo"),
        ("忘掉我住在北京。我现在住在上海，但下个月搬走。", "我住在北京"),
        ("Delete my phone number. But keep my email address.", "my phone number"),
        ("Удали мой номер телефона. Но не удаляй адрес.", "мой номер телефона"),
    ] {
        assert_named(text, expected);
    }
    assert!(reading("Forget everything I told you. I'm not coming back.").forgets_all);
}

#[test]
fn only_what_is_of_a_person_is_deleted_from_the_memory() {
    for text in [
        "Delete my staging server.",
        "Delete my website.",
        "Please remove my docker volume",
        "Kannst du meinen Server löschen?",
        "Lösche meine virtuelle Maschine",
        "Borra mi servidor",
        "Efface mon site",
        "Cancella il mio branch.",
        "Puoi cancellare il mio branch?",
        "Apaga a minha conta.",
        "Podes apagar a minha pasta?",
    ] {
        assert_no_request(text);
    }
    for (text, expected) in [
        ("Delete my email address", "my email address"),
        ("Delete my date of birth", "my date of birth"),
        ("Delete my website from your memory", "my website"),
        ("Delete what I said about my website", "my website"),
        ("Lösche meine Kundennummer", "meine Kundennummer"),
        ("Borra mi número de teléfono", "mi número de teléfono"),
        ("Efface ma date de naissance", "ma date de naissance"),
        ("Cancella il mio indirizzo", "il mio indirizzo"),
        ("Apaga a minha morada", "minha morada"),
    ] {
        assert_named(text, expected);
    }
}

#[test]
fn japanese_asks_to_forget_at_the_end() {
    for (text, expected) in [
        ("ピーナッツアレルギーのことは忘れてください", "ピーナッツアレルギー"),
        ("大阪に住んでいることを忘れて", "大阪に住んでいる"),
        ("私が大阪に住んでいることは覚えなくていいです", "大阪に住んでいる"),
        ("引っ越しの件は忘れてください", "引っ越し"),
        ("犬がいることを忘れてください", "犬がいる"),
        ("卵がだめなことは忘れてほしい", "卵がだめな"),
    ] {
        let reading = reading(text);
        let named: Vec<&str> = reading.forgets.iter().map(|forget| &*forget.text).collect();
        assert_eq!((named, reading.candidates), (vec![expected], vec![]), "{text}");
    }
    for text in [
        "そのことは忘れてください",
        "仕事のことは忘れて！",
        "夫が私の誕生日のことを忘れて…",
        "妻が妊娠していることを忘れてね",
        "電車が混むことを忘れて",
        "忘れてね",
    ] {
        assert_no_request(text);
    }
}
