//! Words for days, and the dates that they mean.

use super::*;

#[test]
fn words_for_days_become_days() {
    for (text, day) in [
        ("I moved house yesterday", "2026-02-09"),
        ("we lost our keys last night", "2026-02-09"),
        ("I had an accident this morning", "2026-02-10"),
        ("three days ago I gave up smoking", "2026-02-07"),
        ("I broke my wrist on Wednesday", "2026-02-04"),
        ("I broke my wrist on Tuesday", "2026-02-03"),
        ("I fly to Osaka on Wednesday", "2026-02-11"),
        ("I fly to Osaka the day after tomorrow", "2026-02-12"),
        ("I fly to Osaka next Tuesday", "2026-02-17"),
        ("ayer nos mudamos a Madrid y ya no vivimos en Teruel", "2026-02-09"),
        ("gestern ist uns der Keller vollgelaufen", "2026-02-09"),
        ("上周六把手腕摔骨折了", "2026-02-07"),
        ("hier on a emménagé à Lyon", "2026-02-09"),
        ("ieri sono stato operato", "2026-02-09"),
        ("ontem mudei de casa", "2026-02-09"),
        ("вчера мы переехали в Казань", "2026-02-09"),
        ("昨日引っ越しました", "2026-02-09"),
    ] {
        let reading = reading(text);
        let candidate = reading.candidates.first().unwrap_or_else(|| panic!("{text}: {reading:?}"));
        assert_eq!(candidate.date.map(|day| day.to_string()).as_deref(), Some(day), "{text}");
        assert!(candidate.text.contains(&format!(" ({day})")), "{}", candidate.text);
    }
    assert_eq!(reading("ugh got laid off last week").candidates[0].date, None, "a week is no day");
}

/// Returns the day that the words of a sentence mean.
fn day(text: &str) -> Option<String> {
    let sentences = Page::of(text).sentences;
    let tables: Vec<_> = tables::of_text(&sentences).iter().map(|table| table.get()).collect();
    let whole = 0..sentences[0].text().len();
    dated::find(&tables, text, &sentences[0], &whole, SAID_ON).map(|(date, _)| date.to_string())
}

#[test]
fn a_word_for_a_day_beside_another_date_is_not_resolved() {
    for text in [
        "We leave on Monday, 7 December.",
        "We leave on Monday, December 7",
        "We meet on Friday the 11th",
        "We meet on Friday the 13th of March",
        "We meet on Friday, the eleventh of March",
        "Wir fliegen am Montag, dem 7. Dezember",
        "nous partons lundi 7 décembre",
        "nos vamos el lunes 7 de diciembre",
        "We leave a week from today",
        "We leave a week from tomorrow",
        "We leave a week on Monday",
        "We leave two weeks from Friday",
        "I quit a year ago today",
        "I quit on Monday two weeks ago",
        "Wir fliegen heute in einer Woche",
        "Wir fliegen am Montag in einer Woche",
        "nous partons lundi en huit",
        "Del viernes en ocho tengo cita",
        "El viernes en ocho tengo cita",
        "hoy hace un año que vivo aquí",
        "9月25号周五考试",
        "周五25号考试",
        "Die Prüfung ist am Freitag, dem 25.",
        "Die Prüfung ist am Freitag den 25.",
        "Vendredi prochain, le 18, j'ai un examen",
        "El viernes día 25 tengo el examen",
        "El viernes de dentro de dos semanas tengo el examen",
        "Nächsten Freitag in vierzehn Tagen fliegen wir",
        "Freitag in 14 Tagen fliegen wir",
        "We meet on Friday at the end of the month",
    ] {
        assert_eq!(day(text), None, "{text}");
    }
    for (text, expected) in [
        ("We leave on Friday", "2026-02-13"),
        ("We leave on Friday at 9", "2026-02-13"),
        ("We leave on Friday, the bags are ready", "2026-02-13"),
        ("We leave this week on Friday", "2026-02-13"),
        ("We leave tomorrow", "2026-02-11"),
        ("We leave tomorrow for two weeks", "2026-02-11"),
        ("We leave next Monday", "2026-02-16"),
        ("wir fliegen morgen nach Rom", "2026-02-11"),
        ("wir fliegen am Montag in den Urlaub", "2026-02-16"),
        ("nous partons lundi soir", "2026-02-16"),
        ("我下周一去上海", "2026-02-16"),
        ("我下下周一去上海", "2026-02-23"),
        ("Am Donnerstag um 10 habe ich einen Termin beim Augenarzt", "2026-02-12"),
        ("Am Donnerstag habe ich Unterricht", "2026-02-12"),
        ("Am Samstag sind wir bei Verwandten", "2026-02-14"),
        ("Am Samstag ist das Gemeindefest", "2026-02-14"),
        ("Am Samstag haben wir die Verwandten besucht", "2026-02-07"),
        ("am samstag haben wir die verwandten besucht", "2026-02-07"),
    ] {
        assert_eq!(day(text).as_deref(), Some(expected), "{text}");
    }
    assert!(!kept("I'm having surgery on Friday (13 February)").concat().contains("(2026"));
}

#[test]
fn a_weekday_at_the_beginning_is_a_day() {
    for (text, expected) in [
        ("Friday I'm seeing the dentist at 9", Some("2026-02-13")),
        ("Thursday I have a job interview", Some("2026-02-12")),
        ("Thursday I need to see the bank", Some("2026-02-12")),
        ("Monday I was in Rome", Some("2026-02-09")),
        ("Friday is my day off", None),
        ("Fridays I work from home", None),
    ] {
        assert_eq!(day(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn the_weekday_of_an_arrangement_gets_no_date_in_the_past() {
    let date = |text: &str| {
        let page = Page::of(text);
        let tables: Vec<_> = tables::of_text(&page.sentences).iter().map(|table| table.get()).collect();
        let sentence = &page.sentences[0];
        dated::find(&tables, text, sentence, &(0..sentence.text().len()), SAID_ON).map(|(date, _)| date)
    };
    for text in [
        "I got an appointment on Wednesday at 3",
        "I booked a table for us on Friday at 7",
        "We agreed to meet on Friday at 9",
        "I bought tickets for the match on Saturday",
        "I was invited to a party on Saturday",
        "My exam on Wednesday was postponed",
        "I promised my son to go fishing on Sunday",
        "Ich habe am Freitag einen Tisch reserviert",
        "He quedado con Ana el viernes",
        "Me han dado cita el jueves",
        "J'ai pris rendez-vous jeudi",
        "On a décidé de se voir samedi",
        "我约了周四看牙医",
    ] {
        assert!(date(text).is_none_or(|date| date > SAID_ON), "{text}: {:?}", date(text));
    }
    // The day of the message is a Tuesday.
    for (text, expected) in [
        ("I saw the doctor on Friday", "2026-02-06"),
        ("I broke my wrist on Monday", "2026-02-09"),
        ("Ich habe mir am Freitag den Arm gebrochen", "2026-02-06"),
        ("Ich habe am Freitag einen Termin", "2026-02-13"),
        ("Das Konzert ist am Donnerstag", "2026-02-12"),
        ("Wir sind am Samstag bei Oma", "2026-02-14"),
    ] {
        assert_eq!(date(text).map(|date| date.to_string()).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn what_happened_on_a_weekday_is_in_the_past() {
    // The day of the message is a Tuesday.
    for (text, expected) in [
        ("El viernes cancelé la cita de la señora Ruiz.", Some("2026-02-06")),
        ("El viernes hablé con mi jefa.", Some("2026-02-06")),
        ("El viernes llegó mi madre.", Some("2026-02-06")),
        ("El viernes preparé la cena.", Some("2026-02-06")),
        ("El viernes mis padres llegaron a Vigo.", Some("2026-02-06")),
        ("El viernes estaba en Vigo.", Some("2026-02-06")),
        ("Am Freitag fiel ich vom Rad", Some("2026-02-06")),
        ("Am Freitag unterschrieb ich den Mietvertrag", Some("2026-02-06")),
        ("Am Freitag kündigte mein Chef", Some("2026-02-06")),
        ("Ich kaufte am Freitag ein Rad", Some("2026-02-06")),
        ("Vendredi j'étais chez le médecin", Some("2026-02-06")),
        ("El viernes hablaré con mi jefa.", Some("2026-02-13")),
        ("El viernes iré al dentista.", Some("2026-02-13")),
        ("El viernes tomo café con mi jefa.", Some("2026-02-13")),
        ("El viernes tengo cita con la doctora que me operó", Some("2026-02-13")),
        ("Am Freitag arbeite ich nicht", Some("2026-02-13")),
        ("Am Freitag möchte ich zum Arzt", Some("2026-02-13")),
        ("Am Freitag könnte ich kommen", Some("2026-02-13")),
        ("Am Freitag sollte ich zum Arzt", Some("2026-02-13")),
        ("Am Freitag warte ich auf den Klempner", Some("2026-02-13")),
        ("Am Freitag ist das nächste Treffen", Some("2026-02-13")),
        ("Der gebuchte Flug geht am Freitag", Some("2026-02-13")),
        ("Der letzte Termin ist am Freitag", Some("2026-02-13")),
        ("Vendredi je vois le médecin", Some("2026-02-13")),
        ("La cita del viernes es en Vigo", Some("2026-02-13")),
        // The day of the appointment, and not of its cancellation; or that of either.
        ("Cancelé la cita del viernes.", None),
        ("Am Freitag sagte ich den Termin ab", None),
    ] {
        assert_eq!(day(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn a_withdrawn_day_gets_no_date() {
    for (text, expected) in [
        ("My appointment is no longer on Friday, it's on Saturday", Some("2026-02-14")),
        ("My appointment is not on Friday but on Saturday", Some("2026-02-14")),
        ("Mein Termin ist nicht mehr am Freitag, sondern am Samstag", Some("2026-02-14")),
        ("Mi cita ya no es el viernes, sino el sábado", Some("2026-02-14")),
        ("La cita ya no es el miércoles, es el jueves", Some("2026-02-12")),
        ("Mon rendez-vous n'est plus vendredi, mais samedi", Some("2026-02-14")),
        ("我的预约不再是周五，而是周六", Some("2026-02-14")),
        ("La reunión no fue el viernes, sino el sábado", Some("2026-02-07")),
        ("My appointment is no longer on Friday", None),
        ("Mi cita ya no es el viernes", None),
        ("Mi cita ya no es hoy, es mañana", Some("2026-02-11")),
        ("Mon rendez-vous n'est plus vendredi", None),
        ("I can't come on Friday", Some("2026-02-13")),
        ("I won't be in Leeds on Friday", Some("2026-02-13")),
        ("El viernes ya no trabajo", Some("2026-02-13")),
        ("Am Freitag arbeite ich nicht mehr", Some("2026-02-13")),
    ] {
        assert_eq!(day(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn what_takes_the_place_of_a_withdrawn_value_stays() {
    for (text, expected) in [
        (
            "Mi cita con el dentista ya no es el viernes, sino el sábado.",
            "Mi cita con el dentista ya no es el viernes, sino el sábado (2026-02-14)",
        ),
        (
            "My dentist appointment is no longer on Friday, it's on Saturday.",
            "My dentist appointment is no longer on Friday, it's on Saturday (2026-02-14)",
        ),
        (
            "Mon rendez-vous n'est plus vendredi, mais samedi.",
            "Mon rendez-vous n'est plus vendredi, mais samedi (2026-02-14)",
        ),
        (
            "La reunión ya no es el miércoles, es el jueves.",
            "La reunión ya no es el miércoles, es el jueves (2026-02-12)",
        ),
        (
            "Mein Zahnarzttermin ist nicht mehr am Freitag, sondern am Samstag.",
            "Mein Zahnarzttermin ist nicht mehr am Freitag, sondern am Samstag (2026-02-14)",
        ),
        ("Mañana voy al dentista, no, hoy.", "Mañana voy al dentista, no, hoy"),
        ("No vivo en Vigo, sino en Bilbao.", "No vivo en Vigo, sino en Bilbao"),
        ("Tengo supervisión un martes sí y otro no.", "Tengo supervisión un martes sí y otro no"),
    ] {
        let reading = reading(text);
        assert_eq!(reading.candidates[0].text, expected, "{reading:?}");
    }
}

#[test]
fn weekdays_that_are_no_single_day_in_the_past() {
    for text in [
        "Am Montag habe ich immer Training",
        "Freitagabend kommt immer Oma zum Essen",
        "El lunes siempre tengo entrenamiento",
        "El viernes es mi día libre",
        "Je travaille du lundi au vendredi",
        "my son has football on Tuesday and Thursday",
        "Mon opération a été reportée à vendredi",
        "Ich habe Karten für das Konzert am Freitag gekauft",
    ] {
        assert_eq!(day(text), None, "{text}");
    }
    for (text, expected) in [
        ("Mon rendez-vous est lundi à 15h", "2026-02-16"),
        ("Mon vol pour Rome est jeudi à 9h", "2026-02-12"),
        ("hier lundi on a emménagé", "2026-02-09"),
    ] {
        assert_eq!(day(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn what_is_asked_for_with_a_day_is_dated() {
    for (text, expected) in [
        ("Souviens-toi que le train est après-demain", "le train est après-demain (2026-02-12)"),
        ("Merk dir, dass der Zug morgen fährt", "der Zug morgen (2026-02-11) fährt"),
        ("Remember that the parcel arrives in two days", "the parcel arrives in two days (2026-02-12)"),
    ] {
        let reading = reading(text);
        let candidate = &reading.candidates[0];
        assert_eq!(candidate.text, expected);
        assert_ne!(candidate.category, Category::Preference, "{text}");
    }
    assert_eq!(
        kept("Remember: trash day is every Tuesday")[0].split(": ").nth(1),
        Some("trash day is every Tuesday")
    );
}

#[test]
fn a_word_for_a_day_is_a_whole_word() {
    for text in [
        "Recuerda que al anochecer cierro las ventanas.",
        "Merk dir: Wir haben uns heutzutage auf Deutsch als Teamsprache geeinigt.",
        "Merk dir: Von der heutigen Untersuchung habe ich keinen Befund.",
        "Recuerda que mañanas y tardes trabajo en casa.",
        "Recuerda que recientemente adopté un gato.",
    ] {
        assert_eq!(day(text), None, "{text}");
    }
    assert_eq!(day("Heute in acht Tagen fliege ich.").as_deref(), Some("2026-02-17"), "a week");
    assert_eq!(day("Je pars dans huit jours.").as_deref(), Some("2026-02-17"), "a week");
    assert_eq!(day("Je pars dans quinze jours.").as_deref(), Some("2026-02-24"), "two weeks");
    assert_eq!(day("De hoy en ocho tengo cita.").as_deref(), Some("2026-02-17"), "a week");
    assert_eq!(day("De hoy en quince tengo cita.").as_deref(), Some("2026-02-24"), "two weeks");
    assert_eq!(day("In 8 Tagen fliege ich.").as_deref(), Some("2026-02-18"));
    assert_eq!(day("Am Donnerstagabend gehe ich ins Kino.").as_deref(), Some("2026-02-12"));
    for (text, expected) in [
        ("Recuerda que mañana al anochecer salimos.", "mañana (2026-02-11)"),
        ("Remember that tonight's dinner is at Anna's.", "tonight's (2026-02-10)"),
    ] {
        let reading = reading(text);
        let text = &reading.candidates[0].text;
        assert!(text.to_lowercase().contains(&expected.to_lowercase()), "{text}");
    }
}

#[test]
fn sentences_are_neither_glued_nor_cut() {
    for (text, expected) in [
        ("I live on Main St. I have diabetes.", &["I live on Main St", "I have diabetes"][..]),
        ("I'm 1.80 m. I'm vegan.", &["I'm 1.80 m", "I'm vegan"]),
        ("Mein Geburtstag ist am 5. Ich wohne in Kiel.", &["Mein Geburtstag ist am 5", "Ich wohne in Kiel"]),
        ("I am allergic to nuts. Sorry, gotta go.", &["I am allergic to nuts"]),
        ("I have two kids. Actually I'm vegan.", &["I have two kids", "I'm vegan"]),
        ("We have two kids. Wait, brb.", &["We have two kids"]),
    ] {
        let texts: Vec<String> = reading(text).candidates.into_iter().map(|kept| kept.text).collect();
        let found = expected.iter().filter(|expected| texts.iter().any(|text| text == *expected)).count();
        assert_eq!(found, expected.len(), "{text}: {texts:?}");
    }
    let dated = reading("I have a dentist appointment tomorrow, sorry for the short notice.");
    assert!(dated.candidates[0].date.is_some(), "{dated:?}");
    for text in [
        "Merk dir, dass ich am Morgen keinen Kaffee trinke.",
        "Remember that my newspaper is USA Today.",
        "Recuerda que trabajo de mañana.",
        "Remember that I want short answers today and always.",
    ] {
        assert_eq!(reading(text).candidates[0].date, None, "{text}");
    }
    assert_eq!(day("I have an exam on Friday and I always get nervous").as_deref(), Some("2026-02-13"));
}

/// Checks the day that the words of each sentence mean. The day of the messages is a Tuesday.
fn assert_days(cases: &[(&str, Option<&str>)]) {
    let found: Vec<_> = cases.iter().map(|(text, _)| (*text, day(text))).collect();
    let wrong: Vec<_> =
        found.iter().zip(cases).filter(|(found, case)| found.1.as_deref() != case.1).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn days_in_italian() {
    assert_days(&[
        ("Oggi mi hanno assunta", Some("2026-02-10")),
        ("Stamattina ho perso le chiavi", Some("2026-02-10")),
        ("Stasera vado a teatro con Anna", Some("2026-02-10")),
        ("ieri sono stato operato", Some("2026-02-09")),
        ("Ieri sera ho rotto il telefono", Some("2026-02-09")),
        ("L'altro ieri è nato mio nipote", Some("2026-02-08")),
        ("Domani mattina ho la visita", Some("2026-02-11")),
        ("Dopodomani parto per Roma", Some("2026-02-12")),
        ("Tre giorni fa ho smesso di fumare", Some("2026-02-07")),
        ("Il corso inizia fra 3 giorni", Some("2026-02-13")),
        ("Parto tra quindici giorni", Some("2026-02-24")),
        ("Venerdì mi sono rotta il polso", Some("2026-02-06")),
        ("Venerdì è morto il mio cane", Some("2026-02-06")),
        ("Ho trovato lavoro venerdì", Some("2026-02-06")),
        ("Venerdì vado dal dentista", Some("2026-02-13")),
        ("Venerdì andrò dal dentista", Some("2026-02-13")),
        ("Sabato scorso mi sono sposato", Some("2026-02-07")),
        ("Lunedì prossimo comincio il nuovo lavoro", Some("2026-02-16")),
        ("Giovedì della settimana scorsa ho dato l'esame", Some("2026-02-05")),
        ("La settimana prossima giovedì ho l'esame", Some("2026-02-19")),
        ("L'esame non è più venerdì, ma sabato", Some("2026-02-14")),
        ("Il lunedì vado in piscina", None),
        ("Lavoro dal lunedì al venerdì", None),
        ("Ogni venerdì mangio la pizza", None),
        ("Di sabato non lavoro", None),
        ("Ho prenotato il tavolo per venerdì", None),
        ("La settimana scorsa ho cambiato casa", None),
        ("A marzo ho cambiato casa", None),
        ("Partiamo lunedì 7 dicembre", None),
        ("Partiamo lunedì prossimo, il 16", None),
        ("Partiamo lunedì fra due settimane", None),
        ("Al giorno d'oggi si vive così", None),
    ]);
}

#[test]
fn days_in_portuguese() {
    assert_days(&[
        ("Hoje assinei o contrato do apartamento", Some("2026-02-10")),
        ("O meu pai foi internado esta madrugada", Some("2026-02-10")),
        ("Ontem à noite parti o pulso", Some("2026-02-09")),
        ("Voltei da roça ontem", Some("2026-02-09")),
        ("Anteontem nasceu a minha neta", Some("2026-02-08")),
        ("Amanhã de manhã tenho consulta", Some("2026-02-11")),
        ("Vou pra Gramado depois de amanhã", Some("2026-02-12")),
        ("Larguei o cigarro há 5 dias", Some("2026-02-05")),
        ("Comecei no emprego três dias atrás", Some("2026-02-07")),
        ("O curso começa daqui a dois dias", Some("2026-02-12")),
        ("Terminei com o Diogo no sábado", Some("2026-02-07")),
        ("Minha irmã casa no sábado em Blumenau", Some("2026-02-14")),
        ("Na sexta-feira fui ao médico", Some("2026-02-06")),
        ("Na sexta vou ao médico", Some("2026-02-13")),
        ("Na sexta irei ao médico", Some("2026-02-13")),
        ("Quinta passada bati o carro", Some("2026-02-05")),
        ("A entrevista é na quinta que vem", Some("2026-02-12")),
        ("A reunião é quinta às 10", Some("2026-02-12")),
        ("Na quinta da semana passada fiz o exame", Some("2026-02-05")),
        ("Semana que vem na quinta tenho exame", Some("2026-02-19")),
        ("A consulta já não é na sexta, é no sábado", Some("2026-02-14")),
        ("Às segundas trabalho em casa", None),
        ("Todo sábado jogo bola", None),
        ("Trabalho de segunda a sexta", None),
        ("Na segunda vez correu melhor", None),
        ("Moro na quinta casa à direita", None),
        ("Marquei o jantar para sexta-feira", None),
        ("Semana passada mudei de casa", None),
        ("Partimos na segunda-feira 7 de dezembro", None),
        ("Partimos na sexta, 13 de março", None),
        ("Hoje em dia não fumo", None),
    ]);
}

#[test]
fn days_in_russian() {
    assert_days(&[
        ("Сегодня меня выписали из больницы", Some("2026-02-10")),
        ("Вчера вечером сломался телефон", Some("2026-02-09")),
        ("Стартап закрыли позавчера", Some("2026-02-08")),
        ("Завтра ложусь на операцию", Some("2026-02-11")),
        ("Послезавтра летим в Осаку", Some("2026-02-12")),
        ("Три дня назад я бросил курить", Some("2026-02-07")),
        ("Курс начинается через 5 дней", Some("2026-02-15")),
        ("В пятницу умер мой дед", Some("2026-02-06")),
        ("В пятницу я пришёл домой поздно", Some("2026-02-06")),
        ("В пятницу иду к врачу", Some("2026-02-13")),
        ("Собеседование в четверг в 16:00", Some("2026-02-12")),
        ("Если успею, в пятницу сдам отчёт", Some("2026-02-13")),
        ("В прошлую субботу поженились", Some("2026-02-07")),
        ("В следующий понедельник выхожу на работу", Some("2026-02-16")),
        ("В четверг на прошлой неделе сдал экзамен", Some("2026-02-05")),
        ("На следующей неделе в четверг экзамен", Some("2026-02-19")),
        ("Записался к врачу на пятницу", Some("2026-02-13")),
        ("Приём уже не в пятницу, а в субботу", Some("2026-02-14")),
        ("По понедельникам хожу в бассейн", None),
        ("Каждую пятницу пью пиво", None),
        ("Работаю с понедельника по пятницу", None),
        ("В пятницу у меня всегда тренировка", None),
        ("На прошлой неделе переехал", None),
        ("В марте переехал в Казань", None),
        ("Утром ем завтрак", None),
        ("Уезжаем в понедельник, 7 декабря", None),
        ("Уезжаем в пятницу 13-го", None),
        ("Уезжаем в пятницу через две недели", None),
    ]);
}

#[test]
fn days_in_japanese() {
    assert_days(&[
        ("今日退院しました", Some("2026-02-10")),
        ("祖母が今朝亡くなりました", Some("2026-02-10")),
        ("きょうは入社式だった", Some("2026-02-10")),
        ("昨日、父が入院しました", Some("2026-02-09")),
        ("きのう引っ越した", Some("2026-02-09")),
        ("昨夜うちの車が盗まれた", Some("2026-02-09")),
        ("おとといぎっくり腰になった", Some("2026-02-08")),
        ("明日の文化祭で受付をやる", Some("2026-02-11")),
        ("明後日の朝に手術を受けます", Some("2026-02-12")),
        ("三日前にタバコをやめた", Some("2026-02-07")),
        ("20日前に引っ越した", Some("2026-01-21")),
        ("5日後に試験がある", Some("2026-02-15")),
        ("金曜日に手首を骨折した", Some("2026-02-06")),
        ("金曜に祖父が死んだ", Some("2026-02-06")),
        ("金曜日に大阪へ飛びます", Some("2026-02-13")),
        ("土曜に映画を見に行きたい", Some("2026-02-14")),
        ("今度の日曜、試合に出ます", Some("2026-02-15")),
        ("先週の土曜に結婚しました", Some("2026-02-07")),
        ("来週火曜に調査があります", Some("2026-02-17")),
        ("再来週の水曜に親知らずを抜く", Some("2026-02-25")),
        ("面接は金曜じゃなくて土曜です", Some("2026-02-14")),
        ("毎週月曜はジムに行く", None),
        ("火曜と木曜は在宅です", None),
        ("先週引っ越した", None),
        ("二十日前に引っ越した", None),
        ("3月に引っ越しました", None),
        ("面接は金曜日、13日です", None),
        ("3月22日の日曜に発表会があります", None),
        ("金曜に歯医者の予約を取った", None),
    ]);
}

#[test]
fn what_is_to_come_is_not_in_the_past() {
    assert_days(&[
        ("We're getting married on Saturday", Some("2026-02-14")),
        ("I'm getting my car fixed on Friday", Some("2026-02-13")),
        ("I'm getting my hair cut on Friday", Some("2026-02-13")),
        ("I'm painting the shed on Saturday", Some("2026-02-14")),
        ("I have a left knee MRI on Friday", Some("2026-02-13")),
        ("I'll be a bit late on Friday", Some("2026-02-13")),
        ("I have to have my tooth pulled on Friday", Some("2026-02-13")),
        ("The office is closed on Friday", Some("2026-02-13")),
        ("I'm going to sell the car I bought on Friday", Some("2026-02-13")),
        ("I had my hair cut on Friday", Some("2026-02-06")),
        ("I left my left shoe in Leeds on Friday", Some("2026-02-06")),
        ("My dog bit the postman on Friday", Some("2026-02-06")),
        ("I have finished my thesis on Friday", Some("2026-02-06")),
        ("I was going to call him on Friday", Some("2026-02-06")),
        ("Am Freitag bin ich verhindert", None),
        ("Am Montag bin ich verreist", None),
        ("Am Freitag ist die Praxis geschlossen", None),
        ("Am Freitag ist mein Vater gestürzt", Some("2026-02-06")),
        ("Am Freitag ist mein Hund operiert worden", Some("2026-02-06")),
        ("Ich bin am Freitag umgezogen", Some("2026-02-06")),
        ("Vendredi je suis occupé toute la journée", None),
        ("Vendredi le magasin est fermé", None),
        ("Vendredi je suis tombé dans l'escalier", Some("2026-02-06")),
        ("Samedi nous nous sommes mariés", Some("2026-02-07")),
        ("Vendredi mon grand-père est décédé", Some("2026-02-06")),
        ("我们周六就结婚了", None),
        ("我周五没空", Some("2026-02-13")),
        ("我周六要结婚了", Some("2026-02-14")),
        ("我周五摔断了腿", Some("2026-02-06")),
        ("土曜日に引っ越すことにした", Some("2026-02-14")),
        ("土曜日に引っ越した", Some("2026-02-07")),
        ("В пятницу у сына карнавал", Some("2026-02-13")),
        ("В субботу делаем мангал", Some("2026-02-14")),
        ("В пятницу у сына сломался телефон", Some("2026-02-06")),
    ]);
}

#[test]
fn this_weekday_is_the_nearest_in_the_direction_of_the_verb() {
    assert_days(&[
        ("I had surgery this Monday", Some("2026-02-09")),
        ("I'm having surgery this Monday", Some("2026-02-16")),
        ("Diesen Montag war ich beim Zahnarzt", Some("2026-02-09")),
        ("Diesen Montag gehe ich zum Zahnarzt", Some("2026-02-16")),
        ("Questo lunedì sono stato operato al ginocchio", Some("2026-02-09")),
        ("Questo lunedì vado dal dentista", Some("2026-02-16")),
        ("В эту субботу я был на свадьбе", Some("2026-02-07")),
        ("В эту субботу лечу в Осаку", Some("2026-02-14")),
    ]);
}

#[test]
fn a_number_of_two_words_gives_no_day() {
    assert_days(&[
        ("我十五天后去上海出差", None),
        ("我三十天后去美国", None),
        ("二十天前我做了手术", None),
        ("三天前我做了手术", Some("2026-02-07")),
        ("我5天后去上海", Some("2026-02-15")),
        ("再过五天我去上海", Some("2026-02-15")),
        ("Двадцать два дня назад я сломал ногу", None),
        ("I broke my leg twenty one days ago", None),
        ("I left the city two days ago", Some("2026-02-08")),
        ("Vinte e dois dias atrás eu quebrei a perna", None),
    ]);
}

#[test]
fn a_term_of_a_decision_is_no_day() {
    for text in ["We agreed to answer tickets in 2 days.", "We decided that refunds are paid in 14 days."] {
        assert!(reading(text).candidates.iter().all(|kept| kept.date.is_none()), "{text}");
    }
}
