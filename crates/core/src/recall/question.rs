//! Analyses a query: which speaker it names, how much of it a text covers, and whether a text only asks it again.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::recall::tokenize;

/// Returns the one speaker that a query names; `None` if it names none, or several.
#[must_use]
pub fn named_speaker<'a>(query: &str, speakers: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let words: BTreeSet<String> = tokenize::terms(query).into_iter().collect();
    let speakers: BTreeSet<&str> = speakers.collect();
    let mut named = speakers.into_iter().filter(|speaker| {
        let name = tokenize::terms(speaker);
        !name.is_empty() && name.iter().all(|term| words.contains(term))
    });
    named.next().filter(|_| named.next().is_none())
}

/// Returns a query without a speaker's name, which says who spoke and not what was said.
#[must_use]
pub fn without_name(query: &str, name: &str) -> String {
    let name = tokenize::terms(name);
    let is_name = |word: &&str| {
        let word = tokenize::terms(word);
        !word.is_empty() && word.iter().all(|term| name.contains(term))
    };
    let rest: Vec<&str> = query.split_whitespace().filter(|word| !is_name(word)).collect();
    rest.join(" ")
}

/// Returns the fraction of a query's terms that a text contains, from 0 to 1.
#[must_use]
pub fn covered(asked: &[String], text: &str) -> f64 {
    let held: BTreeSet<String> = tokenize::terms(text).into_iter().collect();
    let count = asked.iter().filter(|term| held.contains(*term)).count();
    fraction(count, asked.len())
}

/// Maximum number of words of a question whose name is looked up.
const NAMING_WORDS_MAX: usize = 6;
/// Words of questions that are about the speaker or the agent, and not about what they name: "how do I sleep in Rome?".
const PERSONS: &[&str] = &[
    "i", "me", "my", "you", "we", "us", "one", "ich", "mir", "mich", "du", "wir", "man", "yo", "me", "je",
    "on",
];

/// Returns the name in a short question about somebody or something, "Who is Clara?": its only word with a capital
/// letter, apart from the first. `None` for other questions, and for other texts.
#[must_use]
pub fn name_in_question(text: &str) -> Option<&str> {
    let text = text.trim();
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let words: Vec<&str> = words.take(NAMING_WORDS_MAX + 1).collect();
    let is_short = text.ends_with(['?', '？', '؟']) && words.len() <= NAMING_WORDS_MAX;
    let is_of_person = words.iter().any(|word| PERSONS.contains(&word.to_lowercase().as_str()));
    let is_name = |word: &&&str| word.starts_with(char::is_uppercase) && word.chars().nth(1).is_some();
    let mut names = words.iter().skip(1).filter(is_name);
    names.next().filter(|_| is_short && !is_of_person && names.next().is_none()).copied()
}

/// Returns whether a text only asks what a query with these terms asks: it ends in a question mark, and has no other terms.
#[must_use]
pub fn is_repeated(asked: &[String], text: &str) -> bool {
    let is_question = text.trim_end().ends_with(['?', '？', '؟']);
    is_question && tokenize::query_terms(text).iter().all(|term| asked.contains(term))
}

/// Maximum length of an acknowledgement, in bytes.
const ACKNOWLEDGEMENT_MAX: usize = 80;
/// Words of a reply that only acknowledges.
const ACKNOWLEDGING: &str = "ok okay k yes yep yeah sure done got gotcha noted saved updated understood right alright great \
    perfect good fine cool nice thanks thank cheers welcome sorry absolutely certainly course problem worries hello hi hey \
    bye ja nein klar alles gut erledigt gemacht notiert gemerkt gespeichert verstanden danke gern gerne bitte genau super \
    perfekt hallo tschüss sí no vale hecho anotado guardado entendido listo claro perfecto gracias acuerdo nada hola adiós \
    oui non fait noté compris entendu parfait merci accord bien sûr rien bonjour salut au revoir sì fatto annotato salvato \
    capito ricevuto certo perfetto grazie va bene prego ciao sim não feito anotei salvo entendi combinado perfeito obrigado \
    obrigada nada olá tchau да нет готово сделано записал записала запомнил запомнила понял поняла понятно хорошо отлично \
    спасибо пожалуйста конечно ладно привет пока";
/// The same in scripts without spaces.
const ACKNOWLEDGING_UNSPACED: &str = "好 好的 好了 好啊 好吧 行 可以 嗯 嗯嗯 对 是 是的 明白 明白了 知道了 了解 收到 记住了 记下了 已记录 \
    已保存 没问题 谢谢 不客气 再见 你好 完成 完成了 はい うん ええ 了解 了解です 了解しました 承知しました わかりました 分かりました \
    かしこまりました 覚えました メモしました 保存しました 完了 完了しました ありがとう ありがとうございます どういたしまして こんにちは 大丈夫です";

/// Returns whether an agent's reply only acknowledges: "Done.", "Got it, thanks!", "好的。"
#[must_use]
pub fn is_acknowledgement(reply: &str) -> bool {
    static WORDS: LazyLock<BTreeSet<String>> =
        LazyLock::new(|| tokenize::terms(ACKNOWLEDGING).into_iter().collect());
    static UNSPACED: LazyLock<BTreeSet<&str>> =
        LazyLock::new(|| ACKNOWLEDGING_UNSPACED.split_whitespace().collect());
    if reply.len() > ACKNOWLEDGEMENT_MAX {
        return false;
    }
    let parts = reply.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.clone().all(|part| UNSPACED.contains(part))
        || tokenize::query_terms(reply).iter().all(|term| WORDS.contains(term))
}

/// Returns the fraction that some of a query's terms are of all; 0 of none.
#[must_use]
pub(crate) fn fraction(some: usize, all: usize) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "a query has a few dozen terms")]
    let fraction = some as f64 / all.max(1) as f64;
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_is_found_and_left_out() {
        let speakers = || ["Ana", "Ben", "Ana"].into_iter();
        for (query, named, rest) in [
            ("What did Ana's sister say?", Some("Ana"), "What did sister say?"),
            ("what did ana say to Ben?", None, ""),
            ("What was said?", None, ""),
        ] {
            assert_eq!(named_speaker(query, speakers()), named, "{query}");
            assert_eq!(named.map_or(String::new(), |name| without_name(query, name)), rest);
        }
    }

    #[test]
    fn a_text_covers_a_share_of_a_question() {
        let asked = tokenize::query_terms("Where does Ana keep her bees?");
        assert!((covered(&asked, "Ana keeps bees") - 1.0).abs() < 1e-9, "{asked:?}");
        assert!(covered(&asked, "Ana likes tea") < 0.5);
        assert!(covered(&[], "anything").abs() < 1e-9);
    }

    #[test]
    fn a_name_begins_with_a_capital_letter() {
        for (text, expected) in [
            ("Who is Clara?", Some("Clara")),
            ("What's the Wi-Fi called?", Some("Wi-Fi")),
            ("Wie heißt der Klempner?", Some("Klempner")),
            ("Do I like Rome?", None),
            ("What does a flight from Leeds to Rome cost?", None),
            ("What is the time?", None),
            ("Tell Clara the time.", None),
        ] {
            assert_eq!(name_in_question(text), expected, "{text}");
        }
    }

    #[test]
    fn a_reply_of_acknowledging_words_acknowledges() {
        for (reply, expected) in [
            ("OK.", true),
            ("Got it, thanks!", true),
            ("👍", true),
            ("Alles klar, notiert.", true),
            ("Хорошо, запомнил.", true),
            ("好的。", true),
            ("わかりました！", true),
            ("A blue Fiesta.", false),
            ("In Porto.", false),
            ("Yes, on Friday.", false),
            ("4711", false),
            ("在书架后面的小木盒里。", false),
            ("赤です。", false),
        ] {
            assert_eq!(is_acknowledgement(reply), expected, "{reply}");
        }
    }

    #[test]
    fn a_question_with_the_same_terms_is_repeated() {
        for (query, text, expected) in [
            ("Where do I live?", "where do i live?", true),
            ("Where do I live, and since when?", "Where do I live?", true),
            ("where do I live", "Where do I live? ", true),
            ("Where do I live?", "Do I live in Berlin?", false),
            ("Where do I live?", "I live here.", false),
            ("我住在哪里", "我住在哪里？", true),
        ] {
            assert_eq!(is_repeated(&tokenize::query_terms(query), text), expected, "{query} {text}");
        }
    }
}
