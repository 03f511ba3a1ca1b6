mod others;

use super::*;

fn left(statement: &str, text: &str, is_matter: bool) -> Option<Left> {
    Ending::asked(&Forget { text: text.to_owned(), is_matter, is_all: false })?.left_of(statement)
}

#[test]
fn what_is_forgotten_is_the_speaker_s_own_and_says_the_same() {
    for (statement, text) in [
        ("My brother's dog is called Rex", "my dog is called Rex"),
        ("My brother’s wife is called Anna", "my wife is called Anna"),
        ("My doctor's name is Smith", "my name is Smith"),
        ("I don't eat meat", "I eat meat"),
        ("I eat meat", "I don't eat meat"),
        ("I am not allergic to nuts", "I am allergic to nuts"),
        ("Ich bin nicht gegen Nüsse allergisch", "ich gegen Nüsse allergisch bin"),
        ("No como carne", "como carne"),
        ("Je ne mange pas de viande", "je mange de la viande"),
        ("我不吃肉", "我吃肉"),
        ("I don't smoke or drink", "I drink"),
        ("I'm allergic to penicillin", "I'm on penicillin"),
        ("I have a dog allergy", "I have a dog"),
        ("I eat fish but not meat", "I eat meat"),
        ("The wedding is on June 5, 2027", "the wedding is on June 5, 2026"),
        ("I'm pregnant, due in May, and I live in Leeds", "I'm pregnant"),
        ("I prefer pnpm over npm", "I prefer npm"),
    ] {
        assert_eq!(left(statement, text, false), None, "{statement} | {text}");
    }
    for (statement, text) in [
        ("My dog's called Rex", "my dog's called Rex"),
        ("Tom's diabetic", "Tom is diabetic"),
        ("It's true that I live in Leeds", "it is true that I live in Leeds"),
        ("I don't eat meat", "I don't eat meat"),
        ("Ich esse kein Fleisch", "ich kein Fleisch esse"),
        ("I always use tabs, not spaces", "I always use tabs"),
        ("I never drink beer, only wine", "I never drink beer"),
        ("I live in Leeds with my cat", "I live in Leeds"),
        ("大阪に住んでいます", "大阪に住んでいる"),
        ("私は大阪に住んでいる", "大阪に住んでいます"),
        ("犬がいます", "犬がいる"),
        ("I live in Leeds now", "I'm living in Leeds"),
        ("I have two kids, Tom and Mia", "I have two kids"),
        ("the wedding is on June 5, 2027", "the wedding is on June 5"),
        ("die Hochzeit ist am 5. Juni 2027", "die Hochzeit am 5. Juni ist"),
        ("la boda es el 5 de junio de 2027", "la boda es el 5 de junio"),
        ("le mariage est le 5 juin 2027", "le mariage est le 5 juin"),
        ("I'm pregnant, due in May", "I'm pregnant"),
        ("Ich bin schwanger, Termin im Mai", "ich schwanger bin"),
        ("Estoy embarazada, desde enero", "estoy embarazada"),
        ("Je suis enceinte, depuis janvier", "je suis enceinte"),
        ("I prefer pnpm over npm", "I prefer pnpm"),
        ("Ich mag pnpm lieber als npm", "ich pnpm lieber mag"),
        ("Prefiero pnpm antes que npm", "prefiero pnpm"),
        ("Je préfère pnpm à npm", "je préfère pnpm"),
    ] {
        assert_eq!(left(statement, text, false), Some(Left::Nothing), "{statement} | {text}");
    }
}

#[test]
fn what_is_told_in_confidence_is_forgotten_too() {
    for (statement, text, is_matter) in [
        ("I'm pregnant, but don't tell anyone", "I'm pregnant", false),
        ("I'm pregnant, I don't want them to know", "I'm pregnant", false),
        ("I live in Leeds, I think", "I live in Leeds", false),
        ("Ich bin schwanger, aber sag es niemandem", "ich schwanger bin", false),
        ("Je suis enceinte, mais ne le dis à personne", "je suis enceinte", false),
        ("Mi novio se llama Pablo, pero no se lo digas a nadie", "mi novio se llama Pablo", false),
        ("My boyfriend is called Pablo, but don't tell anyone", "my boyfriend", true),
        ("my birthday is on March 15th, I mistyped", "my birthday", true),
    ] {
        assert_eq!(left(statement, text, is_matter), Some(Left::Nothing), "{statement} | {text}");
    }
    assert_eq!(
        left("I have epilepsy and I take lamotrigine, but don't tell anyone", "I have epilepsy", false),
        Some(Left::Rest("I take lamotrigine, but don't tell anyone".to_owned()))
    );
    assert_eq!(left("I'm pregnant, don't tell anyone, and I live in Leeds", "I'm pregnant", false), None);
}

#[test]
fn a_place_after_a_comma_only_tells_more() {
    for (statement, ended) in [
        ("I live in Leeds, on Otley Road", "i live in leeds"),
        ("I live in Leeds, 12 Otley Road", "i live in leeds"),
        ("I work at Acme, in the Leeds office", "i work at acme"),
        ("J'habite à Lyon, dans le 3e arrondissement", "je habite a lyon"),
        ("J'habite à Lyon, rue Mercière", "je habite a lyon"),
        ("Vivo en Sevilla, en la calle Feria", "vivo en sevilla"),
        ("Ich wohne in Köln, Goltsteinstraße 5", "ich wohne in köln"),
        ("I work in London in a bakery", "i work in london"),
        ("Ich wohne in Köln in der Goltsteinstraße", "ich wohne in köln"),
        ("Trabajo en Madrid en una panadería", "trabajo en madrid"),
    ] {
        let left = Ending::ended(ended).unwrap().left_of(statement);
        assert_eq!(left, Some(Left::Nothing), "{statement} | {ended}");
    }
    for (statement, ended, rest) in [
        ("I shop at Aldi, at Lidl and at Tesco", "i shop at aldi", "I shop at Lidl and at Tesco"),
        ("I have a dog and live in Leeds, on Otley Road", "i live in leeds", "I have a dog"),
        ("I live in Leeds, on Otley Road, and have a dog", "i live in leeds", "I have a dog"),
    ] {
        let left = Ending::ended(ended).unwrap().left_of(statement);
        assert_eq!(left, Some(Left::Rest(rest.to_owned())), "{statement} | {ended}");
    }
    for (statement, ended) in [
        ("I work in London in a bakery", "i work in a bakery in leeds"),
        ("I live in Leeds with Tom in a house and in York with Ana", "i live in leeds"),
    ] {
        let left = Ending::ended(ended).unwrap().left_of(statement);
        assert_eq!(left, None, "{statement} | {ended}");
    }
}

#[test]
fn all_about_a_matter_is_forgotten() {
    let left = |statement: &str, text: &str| {
        Ending::asked(&Forget { text: text.to_owned(), is_matter: true, is_all: true })?.left_of(statement)
    };
    for (statement, matter) in [
        ("My ex Laura lives in Bath", "Laura"),
        ("My wife's called Sam and she is vegan", "Sam"),
        ("Ich habe 20000 Euro in der Matratze", "Matratze"),
    ] {
        assert_eq!(left(statement, matter), Some(Left::Nothing), "{statement} | {matter}");
    }
    for (statement, matter) in [
        ("I'm allergic to nuts", "nuts"),
        ("My wife's called Sam and I live in Leeds", "Sam"),
        ("I live in Bath", "Laura"),
    ] {
        assert_eq!(left(statement, matter), None, "{statement} | {matter}");
    }
}

#[test]
fn all_about_somebody_is_forgotten_with_what_they_cannot_bear() {
    let left = |statement: &str, text: &str| {
        Ending::asked(&Forget { text: text.to_owned(), is_matter: true, is_all: true })?.left_of(statement)
    };
    for statement in [
        "Laura is allergic to latex",
        "Laura hates dogs",
        "Laura ist allergisch gegen Latex",
        "Laura hat Angst vor Hunden",
        "Laura es alérgica al látex",
        "Laura est allergique au latex",
        "My friend Laura is afraid of dogs",
        "Laura is allergic to latex and works as a nurse",
        "Laura ist allergisch gegen Latex und arbeitet im Krankenhaus",
    ] {
        assert_eq!(left(statement, "Laura"), Some(Left::Nothing), "{statement}");
    }
    for (statement, matter) in [
        ("I'm allergic to nuts", "nuts"),
        ("My sister is allergic to nuts", "nuts"),
        ("Ich bin gegen Nüsse allergisch", "Nüsse"),
        ("Tengo miedo a los perros", "perros"),
        ("My son hates Laura", "Laura"),
        ("My friend Pete knows Laura and lives in Leeds", "Laura"),
        ("Laura is a nurse and I live in Leeds", "Laura"),
    ] {
        assert_eq!(left(statement, matter), None, "{statement} | {matter}");
    }
}

#[test]
fn a_matter_of_somebody_else_is_named_by_its_owner() {
    for (statement, matter) in [
        ("Laura is allergic to latex", "Laura's allergy"),
        ("Laura ist allergisch gegen Latex", "Lauras Allergie"),
        ("Laura es alérgica al látex", "alergia de Laura"),
        ("Laura est allergique au latex", "allergie de Laura"),
        ("La señora Ruiz tiene cita el martes a las 10", "cita de la señora Ruiz"),
        ("Tengo cita con la señora Ruiz el martes a las 10 y media", "cita con la señora Ruiz"),
        ("Frau Krause hat am Freitag um 10 Uhr einen Termin", "Termin von Frau Krause"),
    ] {
        assert_eq!(left(statement, matter, true), Some(Left::Nothing), "{statement} | {matter}");
    }
    for (statement, matter) in [
        ("Jonas is allergic to latex", "Laura's allergy"),
        ("I am allergic to latex", "Laura's allergy"),
        ("Laura ist Krankenschwester", "Lauras Allergie"),
    ] {
        assert_eq!(left(statement, matter, true), None, "{statement} | {matter}");
    }
}

#[test]
fn an_ending_need_not_repeat_the_time_of_day() {
    for (statement, text) in [
        ("I have a dentist appointment on Friday (2026-02-13) at 10:30 am", "I have a dentist appointment"),
        ("Ich habe am Freitag (2026-02-13) um 10 Uhr einen Zahnarzttermin", "ich einen Zahnarzttermin habe"),
        ("Ich habe um halb elf einen Termin beim Zahnarzt", "ich einen Termin beim Zahnarzt habe"),
        ("Tengo cita con el dentista el viernes (2026-02-13) a las 10", "tengo cita con el dentista"),
        ("Tengo cita con el dentista el viernes a las 10 y media", "tengo cita con el dentista"),
        ("J'ai rendez-vous chez le dentiste vendredi à 10 h 30", "j'ai rendez-vous chez le dentiste"),
        ("J'ai rendez-vous chez le dentiste vendredi à 10h30", "j'ai rendez-vous chez le dentiste"),
        ("J'ai rendez-vous chez le dentiste aujourd'hui", "j'ai rendez-vous chez le dentiste"),
        ("我星期五上午10点有牙医预约", "我星期五有牙医预约"),
    ] {
        assert_eq!(left(statement, text, false), Some(Left::Nothing), "{statement} | {text}");
        let ended = Ending::ended(&text.to_lowercase()).unwrap().left_of(statement);
        assert_eq!(ended, Some(Left::Nothing), "{statement} | {text}");
    }
    for (statement, text) in [
        ("Tengo cita con el dentista el viernes a las 10", "tengo cita con el dentista a las 11"),
        ("Tomo 2 pastillas a las 10 para la epilepsia", "tomo 3 pastillas"),
        ("Ich nehme um 10 Uhr Lamotrigin", "ich nehme Keppra"),
    ] {
        assert_eq!(left(statement, text, false), None, "{statement} | {text}");
    }
}

#[test]
fn a_matter_may_be_told_without_its_name() {
    for (statement, matter) in [
        ("I live at 12 Elm Road, Leeds", "my address"),
        ("Ich wohne in der Schillerstraße 12, 53111 Bonn", "meine Adresse"),
        ("Vivo en la calle Mayor 5, Madrid", "mi dirección"),
        ("J'habite 5 rue des Lilas, Lyon", "mon adresse"),
        ("J'habite au 5, rue des Lilas", "mon adresse"),
        ("我住在南京路12号", "我的地址"),
        ("I'm called Lucy", "my name"),
        ("I’m called Lucy", "my name"),
        ("Ich heiße Lucia Weber", "meinen Namen"),
        ("Me llamo Lucía", "mi nombre"),
        ("Je m'appelle Lucie", "mon nom"),
        ("I was born on May 12, 1952", "my birthday"),
        ("Ich bin am 12. Mai 1952 geboren", "mein Geburtsdatum"),
    ] {
        assert_eq!(left(statement, matter, true), Some(Left::Nothing), "{statement} | {matter}");
    }
    for (statement, matter) in [
        ("I live in Leeds", "my address"),
        ("I live with my 2 cats on a quiet street", "my address"),
        ("Ich wohne seit 2010 in Kiel", "meine Adresse"),
        ("Vivo con mis 2 hijos", "mi dirección"),
        ("Mi hermano se llama Luis", "mi nombre"),
        ("My dog is called Rex", "my name"),
        ("I was born in Leeds", "my birthday"),
        ("Me llamo Lucía", "mi dirección"),
        ("Me llamo Lucía", "nombre"),
    ] {
        assert_eq!(left(statement, matter, true), None, "{statement} | {matter}");
    }
}

#[test]
fn what_has_ended_is_all_that_a_statement_says() {
    for (statement, ended) in [
        ("I'm allergic to penicillin", "I'm on penicillin they switched me to doxycycline"),
        ("Ich bin gegen Penicillin allergisch", "ich bin auf penicillin"),
        ("I have a dog allergy", "i have a dog"),
        ("I'm a diabetic nurse", "i'm a nurse"),
        ("I was born in Leeds", "i'm in leeds"),
        ("I'm married to a nurse", "i'm a nurse"),
        ("I work with Tom", "i'm with tom"),
        ("I run a bakery", "i run"),
        ("Doy clases de yoga", "doy clases de tenis"),
        ("Soy alérgico al pelo de perro", "tengo perro"),
        ("I drink tea with milk", "i drink milk"),
        ("I hate it when people smoke", "i smoke"),
        ("I smoke or vape when I'm stressed", "i smoke"),
        ("My wife eats meat", "i eat meat"),
        ("Ich wohne in Kiel, seit ich Epilepsie habe und Rente beziehe", "ich wohne in kiel"),
    ] {
        let left = Ending::ended(ended).unwrap().left_of(statement);
        assert_eq!(left, None, "{statement} | {ended}");
    }
    for (statement, ended) in [
        ("I smoke", "i smoke"),
        ("I am a vegetarian", "i'm vegetarian"),
        ("I work at Acme as an engineer", "i work at acme"),
        ("I work at Acme", "i'm working at acme"),
        ("Ich wohne seit 2010 in Kiel", "ich wohne in kiel"),
        ("Vivo en Madrid con mi hermana", "vivo en madrid"),
        ("Je suis allergique aux noix", "je suis allergique aux noix"),
        ("J'habite à Lyon", "je habite a lyon"),
        ("Tenho asma", "tenho asma"),
        ("Me gusta trabajar de noche", "me gusta trabajar de noche"),
        ("Doy clases de yoga", "doy clases de yoga"),
        ("Soy miembro del club de tenis", "soy miembro del club de tenis"),
        ("Vivo en un piso de alquiler", "vivo en un piso de alquiler"),
        ("J'aime travailler de nuit", "je aime travailler de nuit"),
        ("Je mange de la viande", "je mange de viande"),
        ("J'ai un chien", "je ai de chien"),
        ("我吃肉", "我吃肉"),
        ("I see the dentist tomorrow (2026-11-30) at 10:30", "i see the dentist"),
        ("Am Freitag kommt meine Schwester", "meine Schwester kommt"),
        ("Ich mag Berlin, weil es grün und ruhig ist", "ich mag berlin"),
    ] {
        let left = Ending::ended(ended).unwrap().left_of(statement);
        assert_eq!(left, Some(Left::Nothing), "{statement} | {ended}");
    }
}

#[test]
fn what_has_not_ended_stays() {
    for (statement, ended, rest) in [
        (
            "Tomo lamotrigina para la epilepsia y no tolero la aspirina",
            "tomo lamotrigina",
            "no tolero la aspirina",
        ),
        ("I smoke and I live in Leeds", "i smoke", "I live in Leeds"),
        ("I smoke when I'm stressed and I'm allergic to latex", "i smoke", "I'm allergic to latex"),
        ("I work at Acme as an engineer and I like tea", "i work at acme", "I like tea"),
        ("Tengo dos gatos y un perro", "tengo perro", "Tengo dos gatos"),
        ("Soy alérgica a las nueces y a la leche", "soy alérgica a la leche", "Soy alérgica a las nueces"),
    ] {
        let left = Ending::ended(ended).unwrap().left_of(statement);
        assert_eq!(left, Some(Left::Rest(rest.to_owned())), "{statement} | {ended}");
    }
}

#[test]
fn items_of_what_only_tells_more_leave_no_rest() {
    for (statement, text) in [
        ("I live in Porto with my wife and two kids", "I live in Porto"),
        ("I live in Porto with my wife Ana and my son Rui", "I live in Porto"),
        ("I live in Porto with Ana, Tom and Jo", "I live in Porto"),
        ("I work at Bosch with Tom and Jo", "I work at Bosch"),
        ("I work as a nurse in Leeds and York", "I work as a nurse"),
        ("Ich wohne in Kiel mit meiner Frau und zwei Kindern", "ich in Kiel wohne"),
        ("Vivo en Cádiz con mi mujer y dos hijos", "vivo en Cádiz"),
        ("J'habite à Lyon avec ma femme et deux enfants", "j'habite à Lyon"),
    ] {
        assert_eq!(left(statement, text, false), Some(Left::Nothing), "{statement} | {text}");
        let ended = Ending::ended(&text.to_lowercase()).unwrap().left_of(statement);
        assert_eq!(ended, Some(Left::Nothing), "{statement} | {text}");
    }
    // What an item belongs to cannot be told.
    for (statement, text) in [
        ("I bought a house with a garden and a garage", "I bought a house"),
        ("I have a cat with one eye and a dog", "I have a cat"),
        ("I go running on Mondays and Thursdays", "I go running"),
        ("I drink coffee with milk and sugar", "I drink coffee"),
        ("I live in Porto with Ana and in Lisbon with Tom", "I live in Porto"),
        ("I live in Leeds with Ana and my brother smokes", "I live in Leeds"),
        ("I work at Acme as an engineer and smoke", "I work at Acme"),
    ] {
        assert_eq!(left(statement, text, false), None, "{statement} | {text}");
        let ended = Ending::ended(&text.to_lowercase()).unwrap().left_of(statement);
        assert_eq!(ended, None, "{statement} | {text}");
    }
}

#[test]
fn a_matter_takes_nothing_with_it_that_is_said_of_another() {
    for (statement, matter) in [
        ("Tom is my brother and Mina is my sister", "Tom"),
        ("Mia spielt Geige und Karl arbeitet bei Bosch", "Geige"),
        ("Mia spielt Geige und Karl spielt Klavier", "Mia"),
        ("I prefer dark mode, two-space indentation and short answers", "dark mode"),
        ("I prefer dark mode, tabs and short answers", "tabs and short answers"),
        ("Anna and Ben are my kids", "Anna"),
    ] {
        for is_all in [false, true] {
            let forget = Forget { text: matter.to_owned(), is_matter: true, is_all };
            let left = Ending::asked(&forget).unwrap().left_of(statement);
            assert_eq!(left, None, "{statement} | {matter}");
        }
    }
    for (statement, matter, rest) in [
        (
            "I prefer dark mode, two-space indentation and short answers",
            "short answers",
            "I prefer dark mode and two-space indentation",
        ),
        ("Ich trinke gern Tee, Kaffee und Kakao", "Kaffee", "Ich trinke gern Tee und Kakao"),
        ("Ich trinke gern Tee, Kaffee und Kakao", "Tee", "Ich trinke gern Kaffee und Kakao"),
        ("I work at Bosch with Tom and Jo", "Tom", "I work at Bosch with Jo"),
        (
            "prefiero el té verde, las respuestas cortas y trabajar de noche",
            "las respuestas cortas",
            "prefiero el té verde y trabajar de noche",
        ),
    ] {
        let forget = Forget { text: matter.to_owned(), is_matter: true, is_all: true };
        let left = Ending::asked(&forget).unwrap().left_of(statement);
        assert_eq!(left, Some(Left::Rest(rest.to_owned())), "{statement} | {matter}");
    }
    for (statement, matter) in [
        ("I have two kids, Tom and Mia", "Tom"),
        ("I'm allergic to milk and nuts", "nuts"),
        ("I met Laura's boss and Tom", "Laura"),
    ] {
        let forget = Forget { text: matter.to_owned(), is_matter: true, is_all: true };
        assert_eq!(Ending::asked(&forget).unwrap().left_of(statement), None, "{statement} | {matter}");
    }
    assert_eq!(left("I drink tea and coffee", "coffee", true), None);
    for (statement, matter) in [
        ("Laura likes tea and coffee", "Laura"),
        ("Laura's kids are called Tom and Mia", "Laura"),
        ("I have a meeting with Tom and Jo on Friday", "meeting with Tom and Jo"),
    ] {
        let forget = Forget { text: matter.to_owned(), is_matter: true, is_all: true };
        let left = Ending::asked(&forget).unwrap().left_of(statement);
        assert_eq!(left, Some(Left::Nothing), "{statement} | {matter}");
    }
}

#[test]
fn a_thing_is_not_what_it_does_to_the_speaker() {
    for (statement, matter) in [
        ("I am allergic to milk", "milk"),
        ("I am allergic to dogs", "my dog"),
        ("My son is allergic to eggs", "eggs"),
        ("I am afraid of dogs", "dog"),
        ("I'm allergic to milk and nuts", "nuts"),
        ("My sister is allergic to milk and eggs", "eggs"),
        ("My kids are Leo, Mia and Tom", "Tom"),
        ("I go to the gym on Mondays", "gym"),
        ("I live in Berlin", "Berlin"),
        ("I have a meeting with Tom on Friday", "Tom"),
        ("My address is 12 Elm Road, and I live with Tom", "my address"),
    ] {
        assert_eq!(left(statement, matter, true), None, "{statement} | {matter}");
    }
    for (statement, matter) in [
        ("I am allergic to nuts", "my nut allergy"),
        ("I have epilepsy", "my epilepsy"),
        ("Tengo epilepsia", "mi epilepsia"),
        ("My dog is called Rex", "my dog"),
        ("Martin is my boss at work", "Martin"),
        ("I'm allergic to cats", "my allergies"),
        ("Mein Geburtstag ist am 12. Mai 1952", "meinen Geburtstag"),
        ("Mein Name ist Anna Weber", "meinen Namen"),
        ("My address is 12 Elm Road, Leeds", "my address"),
        ("I have breast cancer, stage 2", "my cancer"),
        ("My kids are called Tom and Mia", "my kids"),
        ("Meu endereço é Rua do Sol 3", "meu endereço"),
        ("Il mio indirizzo è via Sole 3", "il mio indirizzo"),
    ] {
        assert_eq!(left(statement, matter, true), Some(Left::Nothing), "{statement} | {matter}");
    }
}

#[test]
fn a_part_is_forgotten_and_the_rest_stays() {
    for (statement, text, rest) in [
        ("I have epilepsy and I take lamotrigine", "I have epilepsy", "I take lamotrigine"),
        ("Ich habe Epilepsie und nehme Lamotrigin", "ich Epilepsie habe", "Ich nehme Lamotrigin"),
        ("Tengo epilepsia y tomo lamotrigina", "tengo epilepsia", "tomo lamotrigina"),
        ("J'ai une épilepsie et je prends du Keppra", "j'ai une épilepsie", "je prends du Keppra"),
        ("Tengo dos hijos y vivo en Bilbao", "vivo en Bilbao", "Tengo dos hijos"),
        ("Ich habe zwei Kinder und wohne in Kiel", "ich in Kiel wohne", "Ich habe zwei Kinder"),
        ("Me gusta el té y el café", "me gusta el té", "Me gusta el café"),
        ("我有癫痫，在吃拉莫三嗪", "我有癫痫", "我在吃拉莫三嗪"),
        ("我喜欢茶和咖啡", "我喜欢茶", "我喜欢咖啡"),
        ("I live in Lyon and work in Geneva", "I live in Lyon", "I work in Geneva"),
        ("I speak French and a bit of German", "I speak French", "I speak a bit of German"),
        ("I'm allergic to cats and to dogs", "I'm allergic to cats", "I'm allergic to dogs"),
        ("We deploy to staging and to production", "we deploy to staging", "We deploy to production"),
        (
            "Je suis allergique aux arachides et à la pénicilline",
            "je suis allergique aux arachides",
            "Je suis allergique à la pénicilline",
        ),
        ("Je vais à Paris et au Havre", "je vais à Paris", "Je vais au Havre"),
        ("J'ai un chat et un chien", "j'ai un chat", "J'ai un chien"),
        ("J'ai un chat et deux chiens", "j'ai un chat", "J'ai deux chiens"),
        (
            "Ich bin allergisch gegen Nüsse und gegen Milch",
            "ich gegen Nüsse allergisch bin",
            "Ich bin allergisch gegen Milch",
        ),
        ("I have a cat and two dogs", "I have a cat", "I have two dogs"),
        ("I have two dogs and a cat", "I have a cat", "I have two dogs"),
        ("I like jazz and hate opera", "I like jazz", "I hate opera"),
        (
            "I work on Mondays and from Wednesday to Friday",
            "I work on Mondays",
            "I work from Wednesday to Friday",
        ),
    ] {
        assert_eq!(left(statement, text, false), Some(Left::Rest(rest.to_owned())), "{statement} | {text}");
    }
}

#[test]
fn what_has_ended_in_the_tail_does_not_end_what_is_before_it() {
    for (statement, ended) in [
        ("I live in Leeds with my girlfriend", "i live with my girlfriend"),
        ("I work as a nurse at St James", "i work at st james"),
        ("Ich wohne in Kiel mit meiner Freundin", "ich wohne mit meiner freundin"),
        ("Vivo en Lugo con mi novia", "vivo con mi novia"),
        ("J'habite à Lyon avec ma copine", "je habite avec ma copine"),
    ] {
        let left = Ending::ended(ended).unwrap().left_of(statement);
        assert_eq!(left, None, "{statement} | {ended}");
    }
    for (statement, text) in [
        ("I've worked since 2010 at Acme", "I've worked at Acme"),
        ("I see the dentist in Leeds on Friday", "I see the dentist on Friday"),
    ] {
        assert_eq!(left(statement, text, false), Some(Left::Nothing), "{statement} | {text}");
    }
}

#[test]
fn a_name_that_begins_alike_is_another_one() {
    let left = |statement: &str, text: &str| {
        Ending::asked(&Forget { text: text.to_owned(), is_matter: true, is_all: true })?.left_of(statement)
    };
    for (statement, matter) in [
        ("Martina is my sister", "Martin"),
        ("Daniela is my boss", "Daniel"),
        ("Simone is my wife", "Simon"),
        ("My sister Christine lives in Rome", "Christian"),
        ("Martina ist meine Schwester", "Martin"),
        ("My manager is Tom", "management"),
        ("Paula es mi hermana", "Paulo"),
    ] {
        assert_eq!(left(statement, matter), None, "{statement} | {matter}");
    }
    for (statement, matter) in [
        ("Martin is my boss", "Martin"),
        ("Martins Bruder ist Koch", "Martin"),
        ("My friend Christine lives in Rome", "Christine"),
        ("My sister Simone lives in Rome", "Simone"),
    ] {
        assert_eq!(left(statement, matter), Some(Left::Nothing), "{statement} | {matter}");
    }
}

#[test]
fn a_word_before_another_noun_is_not_the_matter() {
    for (statement, matter) in [
        ("My contractor is called Bob", "my contract"),
        ("My dog walker is called Tim", "my dog"),
        ("My dog walker comes on Mondays", "my dog"),
        ("I work as a dog groomer", "my dog"),
        ("I work with dogs", "my dog"),
        ("I'm a car mechanic", "my car"),
        ("My car keys are in the drawer", "my car"),
        ("My phone number is in the team wiki", "my phone"),
        ("My job interview is on Friday", "my job"),
        ("I have a job interview on Friday", "my job"),
        ("My allergy doctor is called Dr. Lee", "my allergy"),
        ("I drink Diet Coke every day", "my diet"),
        ("I name my variables in snake_case", "my name"),
        ("I plan my meals on Sundays", "my plans"),
        ("My trainer is called Ada", "my train"),
    ] {
        assert_eq!(left(statement, matter, true), None, "{statement} | {matter}");
    }
    for (statement, matter) in [
        ("My dog loves cheese", "my dog"),
        ("My dog died last year", "my dog"),
        ("My dog Rex is a beagle", "my dog"),
        ("I have a dog", "my dog"),
        ("I have a dog called Rex", "my dog"),
        ("I drive a red car", "my car"),
        ("I've got diabetes", "my diabetes"),
        ("I'm diabetic", "my diabetes"),
        ("Ich bin epileptisch", "meine Epilepsie"),
        ("Soy alérgica al látex", "mi alergia"),
        ("My phone number is 555", "my phone number"),
        ("My kids love pizza", "my kids"),
    ] {
        assert_eq!(left(statement, matter, true), Some(Left::Nothing), "{statement} | {matter}");
    }
}
