//! Recognises a short question about something of the person's own: "Wie heißt mein Hund?".
//!
//! Such a question needs what is remembered, whatever the learned gate says: of the labelled messages, 87 are of this
//! form and need a memory, and one is and does not. The gate knows little of languages other than English.

use std::sync::LazyLock;

use memtape_language::han::is_han;
use regex::Regex;

/// Maximum number of words, and of characters of a Chinese or Japanese question.
const WORDS_MAX: usize = 9;
const CHARS_MAX: usize = 22;

/// Words that begin a question, as the first or the second word: "and where".
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "what", "what's", "whats", "who", "who's", "whos", "whose", "where", "where's", "when", "when's", "which",
    "how", "wer", "wem", "wo", "wann", "wie", "was", "welche", "welcher", "welches", "welchen", "wessen", "qué",
    "que", "quién", "quien", "dónde", "donde", "cuándo", "cuando", "cómo", "como", "cuál", "cual", "cuánto",
    "cuántos", "cuántas", "quel", "quelle", "quels", "quelles", "qui", "où", "ou", "quand", "comment",
    "combien", "qual", "quais", "quem", "onde", "quando", "quanto", "quantos", "chi", "dove", "come", "quale",
    "quali", "quanti", "quanta", "quante", "quantas", "кто", "кого", "кому", "где", "куда", "когда", "как", "какой", "какая", "какое", "какие", "сколько", "чей",
    "чья",
];

/// Words for what is the person's own.
#[rustfmt::skip]
const OWN: &[&str] = &[
    "my", "our", "mein", "meine", "meinem", "meinen", "meiner", "meines", "unser", "unsere", "unserem",
    "unseren", "unserer", "mi", "mis", "nuestro", "nuestra", "nuestros", "nuestras", "mon", "ma", "mes",
    "notre", "nos", "meu", "minha", "meus", "minhas", "nosso", "nossa", "nossos", "nossas", "mio", "mia", "miei", "mie", "nostro",
    "nostra", "nostri", "nostre", "мой", "моя", "моё", "мое", "мои", "моего", "моей", "моих", "моему", "наш", "наша",
    "наше", "наши", "мою", "нашу", "нашего", "нашей", "наших", "моим", "моими",
];

/// Words after "how" that ask for advice: "how can I clean my glasses".
#[rustfmt::skip]
const ADVICE: &[&str] = &[
    "do", "does", "can", "could", "should", "to", "would", "kann", "könnte", "mache", "soll", "sollte",
    "bekomme", "puedo", "podría", "hago", "debo", "limpio", "posso", "faço", "devo", "faccio", "мне", "можно",
];

/// Returns whether a message is a short question about something of the person's own.
pub(super) fn is_asked(text: &str) -> bool {
    let text = text.trim();
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-'))
        .filter(|word| !word.is_empty())
        .take(WORDS_MAX + 1)
        .map(|word| word.to_lowercase().replace('’', "'"))
        .collect();
    let Some(asking) = words.iter().take(2).position(|word| ASKING.contains(&&**word)) else {
        return is_asked_in_characters(text);
    };
    let rest = &words[asking + 1..];
    // "Comment nettoyer mes lunettes": an infinitive asks for advice too.
    let is_infinitive = |word: &String| words[asking] == "comment" && word.ends_with("er");
    let asks_advice = rest.first().is_some_and(|next| ADVICE.contains(&&**next) || is_infinitive(next));
    words.len() <= WORDS_MAX && !asks_advice && rest.iter().any(|word| OWN.contains(&&**word))
}

/// Returns the same of a Chinese or Japanese question.
fn is_asked_in_characters(text: &str) -> bool {
    static QUESTION: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            "(?:我的|我们的|我家|我[女儿妈爸老]).*(?:什么|甚么|谁|哪|几|多少)|(?:什么|谁|哪|几|多少).*(?:我的|我们的)|\
             (?:私|僕|俺|わたし|ぼく|うち|我が家|自分)の.*(?:何|なん|誰|だれ|どこ|いつ|どれ|どの|どんな|いくつ|いくら)|(?:何|誰|だれ|どこ|いつ|どれ|どの|いくつ).*(?:私|僕|俺|うち)の",
        )
        .expect("a pattern")
    });
    text.contains(is_han) && text.chars().count() <= CHARS_MAX && QUESTION.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_what_is_ones_own() {
        for (text, expected) in [
            ("What's my dog's name?", true),
            ("¿Cómo se llama mi perro?", true),
            ("Wie heißt mein Hund?", true),
            ("wann hat meine Tochter Geburtstag", true),
            ("Et quel est le prénom de ma fille ?", true),
            ("Onde trabalha minha irmã?", true),
            ("Как зовут мою собаку?", true),
            ("我的狗叫什么名字？", true),
            ("私の犬の名前は何ですか", true),
            ("うちの娘の誕生日はいつだっけ", true),
            ("Come si chiama il mio cane?", true),
            ("Quando fazem anos as nossas filhas?", true),
            ("Где работает моя сестра?", true),
            ("comment nettoyer mes lunettes sans rayures", false),
            ("How can I fix my bike?", false),
            ("What is the capital of Estonia?", false),
            ("My dog is called Rex.", false),
            ("what a day, and then my boss shouted at me for no reason at all", false),
            ("我今天很累", false),
            ("今日は疲れた", false),
        ] {
            assert_eq!(is_asked(text), expected, "{text}");
        }
    }
}
