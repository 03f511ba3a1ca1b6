//! The words of each language: borders, limits to the session, confidences and requests.

use super::Page;
use crate::requests::remembering;
use crate::statements::candidate;
use crate::{bounds, tables, voices};

/// Returns the words of a sentence that are kept if all of it is a statement.
fn trimmed(text: &str) -> String {
    let sentences = Page::of(text).sentences;
    let tables: Vec<_> = tables::of_text(&sentences).iter().map(|table| table.get()).collect();
    let whole = 0..sentences[0].text().len();
    let range = candidate::trimmed(text, &sentences[0], &whole, &tables::for_borders(&tables));
    text[sentences[0].place(&range)].to_owned()
}

#[test]
fn words_without_content_are_trimmed_from_the_ends() {
    for (text, expected) in [
        ("Ciao, tra l'altro sono vegano, grazie mille", "sono vegano"),
        (
            "allora senti, da noi il venerdì si chiude alle 13, per favore",
            "da noi il venerdì si chiude alle 13",
        ),
        ("E comunque abito a Torino ahahah", "abito a Torino"),
        ("È vegana mia figlia", "È vegana mia figlia"),
        ("è morto il mio gatto", "è morto il mio gatto"),
        ("Guarda sempre i log prima di rispondere", "Guarda sempre i log prima di rispondere"),
        ("Dai miei genitori non si fuma", "Dai miei genitori non si fuma"),
        ("Oi gente, aliás eu moro em Recife, valeu", "eu moro em Recife"),
        ("E já agora, sou alérgica a nozes, obrigada", "sou alérgica a nozes"),
        ("então na verdade a gente usa pnpm kkkk", "a gente usa pnpm"),
        ("É alérgica a leite a minha filha", "É alérgica a leite a minha filha"),
        ("nossa casa fica em Braga", "nossa casa fica em Braga"),
        ("mas a minha avó tem 90 anos, né", "a minha avó tem 90 anos"),
        ("Привет, кстати я живу в Казани, спасибо большое", "я живу в Казани"),
        ("короче, у меня аллергия на орехи, ахаха", "у меня аллергия на орехи"),
        ("так что мы пишем бэкенд на Go, если что", "мы пишем бэкенд на Go"),
        ("друзья зовут меня Бобром", "друзья зовут меня Бобром"),
        ("ちなみに、大阪で妹と住んでいます笑", "大阪で妹と住んでいます"),
        ("あと、卵アレルギーなので", "卵アレルギー"),
        ("こんにちは、実は来月引っ越します、ありがとうございます", "来月引っ越します"),
        ("あの店は月曜が休み", "あの店は月曜が休み"),
        ("でも肉は食べないんだけど", "肉は食べない"),
        ("yo no soy de verduras", "yo no soy de verduras"),
        ("más de té que de café", "más de té que de café"),
        // Words and names that only begin or end like these.
        ("行李在我妈妈家", "行李在我妈妈家"),
        ("注意力不集中是我的老毛病", "注意力不集中是我的老毛病"),
        ("哈尔滨是我的老家", "哈尔滨是我的老家"),
        ("ps5是我最常玩的游戏机", "ps5是我最常玩的游戏机"),
        ("行，我住在北京", "我住在北京"),
        ("但我对花生过敏", "我对花生过敏"),
        ("哈哈 注意：我对花生过敏", "我对花生过敏"),
        ("我的鹦鹉叫多啦", "我的鹦鹉叫多啦"),
        ("我的猫叫啦啦", "我的猫叫啦啦"),
        ("我搬到北京啦", "我搬到北京"),
        ("つかさは私の妹です", "つかさは私の妹です"),
        ("つか私は卵アレルギー", "私は卵アレルギー"),
        ("息子の名前はけん", "息子の名前はけん"),
        ("うちの味噌汁は昆布だし", "うちの味噌汁は昆布だし"),
        ("Mira es alérgica a las nueces", "Mira es alérgica a las nueces"),
        ("Mira, es alérgica a las nueces", "es alérgica a las nueces"),
        ("mira yo soy alérgica a las nueces", "yo soy alérgica a las nueces"),
        ("Vale vive en Lugo y es mi hermana", "Vale vive en Lugo y es mi hermana"),
        ("Great Danes are my favourite dogs", "Great Danes are my favourite dogs"),
        ("great, I live in Leeds", "I live in Leeds"),
        ("great I'm in Leeds", "I'm in Leeds"),
    ] {
        assert_eq!(trimmed(text), expected, "{text}");
    }
}

#[test]
fn words_limit_a_wish_to_the_session_in_every_language() {
    for (text, expected) in [
        ("per ora niente notifiche", true),
        ("questa volta scrivi in inglese", true),
        ("oggi risposte telegrafiche", true),
        ("d'ora in poi scrivi in inglese", false),
        ("scrivi sempre in inglese", false),
        ("por enquanto me responde em áudio curto", true),
        ("desta vez responde em inglês", true),
        ("hoje responde só com código", true),
        ("a partir de agora responde em inglês", false),
        ("responde sempre em português", false),
        ("пока отвечай коротко", true),
        ("на этот раз пиши по-английски", true),
        ("сегодня только команды, без пояснений", true),
        ("всегда пиши по-русски", false),
        ("впредь пиши короче", false),
        ("今回は英語で答えて", true),
        ("今だけ敬語なしで話して", true),
        ("この会話では結論だけ言って", true),
        ("これからは英語で答えて", false),
        ("いつも敬語で話して", false),
        // Tastes and habits.
        ("I like listening to jazz while I'm working.", false),
        ("I hate being interrupted while I'm coding.", false),
        ("I prefer to sleep until the sun is up.", false),
        ("Me gusta escuchar música mientras trabajo.", false),
        ("Non bevo caffè fino al pomeriggio.", false),
        ("Gosto de ouvir música enquanto estou cozinhando.", false),
        ("J'aime lire pendant la sieste.", false),
        ("仕事の間は話しかけないでほしい", false),
        ("I love hiking this time of year.", false),
        ("I prefer short answers for now", true),
        ("I prefer your answers short while I'm driving", true),
        ("keep it short while I'm driving", true),
        ("responde corto mientras estoy de viaje", true),
        ("旅行の間は敬語で話して", true),
    ] {
        let sentences = Page::of(text).sentences;
        let tables: Vec<_> = tables::of_text(&sentences).iter().map(|table| table.get()).collect();
        let is_now = tables.iter().any(|table| candidate::is_for_now(table, sentences[0].text()));
        assert_eq!(is_now, expected, "{text}");
    }
}

#[test]
fn what_is_confided_is_told_in_every_language() {
    for (text, expected) in [
        ("non dirlo a nessuno", true),
        ("il mio capo non lo sa ancora", true),
        ("non voglio che i colleghi lo sappiano", true),
        ("è un segreto", true),
        ("dimmi tutto", false),
        ("não contes a ninguém", true),
        ("isso é segredo", true),
        ("não quero que o meu chefe saiba", true),
        ("conta tudo", false),
        ("никому не говори", true),
        ("это секрет", true),
        ("мой начальник ещё не знает", true),
        ("не хочу, чтобы на работе узнали", true),
        ("скажи всем", false),
        ("but don't tell the team", true),
        ("don't tell Claire", true),
        ("please don't mention it in the team chat", true),
        ("not a word to the others", true),
        ("the others must not know", true),
        ("don't tell me", false),
        ("don't tell jokes", false),
        ("don't mention it", false),
        ("aber sag das nicht im Team", true),
        ("sag es bitte nicht meinem Chef", true),
        ("erzähl das bitte nicht meinem Chef", true),
        ("sag es noch nicht den Kollegen", true),
        ("aber verrate das keinem", true),
        ("bitte nicht weitersagen", true),
        ("die anderen sollen das nicht wissen", true),
        ("das sollen die anderen nicht wissen", true),
        ("aber sag Luc nichts davon", true),
        ("sagt es ihm nicht", true),
        ("sag mir nichts davon", false),
        ("sag das nicht immer", false),
        ("mais pas un mot à l'équipe", true),
        ("ne leur dis rien", true),
        ("ni una palabra al equipo", true),
        ("neanche una parola al capo", true),
        ("誰にも言わないで", true),
        ("会社には内緒です", true),
        ("みんなに言って", false),
    ] {
        let sentences = Page::of(text).sentences;
        // A comma ends a clause.
        assert_eq!(bounds::is_confidence(sentences[0].text()), expected, "{text}");
    }
}

#[test]
fn what_is_not_to_be_kept_is_told_in_every_language() {
    for (text, expected) in [
        ("Sono diabetica, resti tra noi.", true),
        ("Tra noi: sono diabetica.", true),
        ("Sono diabetica. Non salvarlo.", true),
        ("Tra noi si parla inglese.", false),
        ("Sou diabética, mas fica entre nós.", true),
        ("Cá entre nós, sou diabética.", true),
        ("Sou diabética. Não guarde isso.", true),
        ("Entre nós falamos inglês.", false),
        ("У меня диабет, но это между нами.", true),
        ("Между нами говоря, у меня диабет.", true),
        ("У меня диабет. Не записывай это.", true),
        ("Между нами пять лет разницы.", false),
        ("ここだけの話、糖尿病です。", true),
        ("糖尿病です。これは覚えないでください。", true),
        ("糖尿病です。記録しないで。", true),
        ("毎日メモしています。", false),
    ] {
        let found = Page::of(text).sentences.iter().any(|sentence| voices::unwanted(sentence).is_some());
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_is_to_be_remembered_is_told_in_every_language() {
    for (text, expected) in [
        ("Puoi ricordare che il furgone è in garage?", Some("il furgone è in garage")),
        ("Pode lembrar que o portão azul é o nosso?", Some("o portão azul é o nosso")),
        ("Можешь запомнить, что ключ у соседки?", Some("ключ у соседки")),
        ("Не забывай, что ключ у соседки", Some("ключ у соседки")),
        ("覚えておいて：鍵は隣の家にある", Some("鍵は隣の家にある")),
        ("鍵は隣の家にあると覚えておいてください", Some("鍵は隣の家にある")),
        ("青いゴミ箱はガラス用、忘れないで", Some("青いゴミ箱はガラス用")),
        ("公式の覚え方教えて", None),
    ] {
        let sentence = &Page::of(text).sentences[0];
        let part = remembering::remembered(sentence).or_else(|| remembering::remembered_before(sentence));
        assert_eq!(part.map(|part| &text[sentence.place(&part)]), expected, "{text}");
    }
}
