//! What is said of others.

use super::*;

#[test]
fn what_others_have_in_common_with_the_speaker_stays_true_of_them() {
    for (statement, ended) in [
        ("I live in Leeds, as does my sister", "i live in leeds"),
        ("I live in Leeds, as Tom does", "i live in leeds"),
        ("I work at Bosch, like my father", "i work at bosch"),
        ("Vivo en Lugo, como mi hermana", "vivo en lugo"),
        ("I'm allergic to milk, and so is my son", "i'm allergic to milk"),
        ("I'm vegan and so is my wife", "i'm vegan"),
        ("I have a cat, and so does my sister", "i have a cat"),
        ("My sister Anna and my brother Tom live in York and work at Shell", "tom works at shell"),
        ("both Anna and I are allergic to milk and nuts", "i'm allergic to milk"),
    ] {
        let left = Ending::ended(ended).unwrap().left_of(statement);
        assert_eq!(left, None, "{statement} | {ended}");
    }
}

#[test]
fn what_is_the_speaker_s_is_not_another_s() {
    for (statement, matter) in [
        ("the phone number of my doctor is +49 30 998877", "my phone number"),
        ("my doctor's phone number is +49 30 998877", "my phone number"),
        ("my wife's birthday is 5 June", "my birthday"),
        ("my wife's new car is a Seat", "my car"),
        ("I have the phone number of my doctor", "my phone number"),
        ("the car of the boss is red", "my car"),
        ("Her car is red", "my car"),
        ("I drive her new car", "my car"),
        ("Das Gehalt meiner Frau ist 6000 Euro", "mein Gehalt"),
        ("Das Auto der Chefin ist rot", "mein Auto"),
        ("Annas Auto ist rot", "mein Auto"),
        ("el coche de mi mujer es un Seat", "mi coche"),
        ("el coche del jefe es un Seat", "mi coche"),
        ("la voiture de ma femme est une Golf", "ma voiture"),
        ("la voiture d'Anna est une Golf", "ma voiture"),
        ("la macchina di mia moglie è una Fiat", "la mia macchina"),
        ("o carro da minha mulher é um Fiat", "meu carro"),
        ("машина моей жены Лада", "мою машину"),
        ("машина Анны красная", "мою машину"),
    ] {
        for is_all in [false, true] {
            let forget = Forget { text: matter.to_owned(), is_matter: true, is_all };
            let left = Ending::asked(&forget).unwrap().left_of(statement);
            assert_eq!(left, None, "{statement} | {matter}");
        }
    }
    for (statement, matter) in [
        ("my phone number is +49 170 1234567", "my phone number"),
        ("My phone number at work is 5", "my phone number"),
        ("my birthday is 4 May", "my birthday"),
        ("I have a fear of the dark", "my fear"),
        ("the wedding is on 5 June", "my wedding"),
        ("Mein Auto von der Bank ist rot", "mein Auto"),
        ("mi coche es un Toyota", "mi coche"),
        ("Tengo un coche de la marca Seat", "mi coche"),
        ("ma voiture est une Clio", "ma voiture"),
        ("la mia macchina è una Fiat", "la mia macchina"),
        ("os meus gatos são pretos", "meus gatos"),
        ("Моя машина красная", "мою машину"),
        ("My wife's called Sam", "my wife"),
    ] {
        assert_eq!(left(statement, matter, true), Some(Left::Nothing), "{statement} | {matter}");
    }
}

#[test]
fn a_matter_in_chinese_is_the_speaker_s() {
    let left = |statement: &str, text: &str| {
        Ending::asked(&Forget { text: text.to_owned(), is_matter: true, is_all: true })?.left_of(statement)
    };
    for (statement, matter) in
        [("我的生日是5月4日", "我的生日"), ("我的狗叫小白", "我的狗"), ("我的车是丰田", "我的车")]
    {
        assert_eq!(left(statement, matter), Some(Left::Nothing), "{statement} | {matter}");
    }
    for (statement, matter) in
        [("我妈妈的生日是5月4日", "我的生日"), ("小明的车是丰田", "我的车"), ("我的猫叫小白", "我的狗")]
    {
        assert_eq!(left(statement, matter), None, "{statement} | {matter}");
    }
}

#[test]
fn what_has_ended_with_somebody_or_somewhere_else_is_another_thing() {
    for (statement, ended) in [
        ("I work at Acme", "i work with her"),
        ("I work at Siemens", "i work there"),
        ("I run every morning", "i run with him"),
        ("I play tennis on Mondays", "i play tennis with them"),
        ("I eat fish", "i eat fish there"),
        ("I work at home", "i work on it"),
        ("J'habite à Lyon", "je habite avec lui"),
        ("J'habite à Lyon", "je y habite"),
        ("Ich wohne in Kiel", "ich wohne bei ihm"),
        ("Ich arbeite bei Siemens", "da arbeite ich"),
        ("Vivo en Lugo", "vivo con ella"),
        ("Vivo en Lugo", "vivo alli"),
        ("Vivo a Roma", "ci vivo"),
        ("Moro em Recife", "moro la"),
        ("Я живу в Туле", "я живу с ним"),
        ("我每天跑步", "我和她跑步"),
    ] {
        let left = Ending::ended(ended).and_then(|ending| ending.left_of(statement));
        assert_eq!(left, None, "{statement} | {ended}");
    }
    for (statement, ended) in [
        ("I work with her on Mondays", "i work with her"),
        ("Ich wohne bei ihm", "ich wohne bei ihm"),
        ("Vivo con ella", "vivo con ella"),
    ] {
        let left = Ending::ended(ended).unwrap().left_of(statement);
        assert_eq!(left, Some(Left::Nothing), "{statement} | {ended}");
    }
}
