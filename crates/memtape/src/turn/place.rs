//! Whose a captured statement is: the person's, who is known in every chat, or the chat's.

use memtape_core::Category;

/// Words by which people speak of themselves, in small letters. Where a language leaves
/// out the pronoun, its most frequent verbs stand here.
#[rustfmt::skip]
const OF_SPEAKER: &[&str] = &[
    "i", "me", "my", "mine", "myself", "ich", "mir", "mich", "mein", "meine", "meinem", "meinen", "meiner", "meines",
    "yo", "mi", "mis", "soy", "estoy", "tengo", "vivo", "trabajo", "hablo", "nací", "je", "j", "moi", "mon", "ma", "mes",
    "io", "mio", "mia", "sono", "ho", "abito", "lavoro", "eu", "meu", "minha", "sou", "estou", "tenho", "moro", "trabalho",
    "я", "мне", "меня", "мой", "моя", "моё",
];
/// Words by which people speak of a group that they belong to.
#[rustfmt::skip]
const OF_GROUP: &[&str] = &[
    "we", "our", "ours", "us", "wir", "uns", "unser", "unsere", "unserem", "unseren", "unserer", "unseres", "nosotros", "nosotras",
    "nuestro", "nuestra", "nuestros", "nuestras", "nous", "notre", "nos", "noi", "nostro", "nostra", "nostri", "nostre", "nosso",
    "nossa", "nossos", "nossas", "мы", "нас", "нам", "наш", "наша", "наши",
];
/// The endings of Spanish and Portuguese verbs by which they do, without a pronoun, and other words that end like them. A text
/// with words of `ENGLISH` has no such verbs: "I record demos".
const OF_GROUP_ENDINGS: &[&str] = &["amos", "emos", "imos"];
#[rustfmt::skip]
const NOT_OF_GROUP: &[&str] = &[
    "gramos", "kilogramos", "miligramos", "tramos", "últimos", "próximos", "mínimos", "máximos", "mismos", "primos", "extremos",
    "ánimos", "íntimos", "racimos", "reclamos", "supremos", "mesmos", "ramos", "termos",
];
const ENGLISH: &[&str] = &["i", "my", "the", "is", "are", "of"];
/// Words by which people speak of a project.
#[rustfmt::skip]
const OF_PROJECT: &[&str] = &[
    "project", "repo", "repository", "codebase", "here", "projekt", "hier", "proyecto", "repositorio", "aquí", "projet", "dépôt",
    "ici", "progetto", "projeto", "проект",
];
/// The same in languages that are written without spaces.
const OF_GROUP_HAN: &[&str] = &["我们"];
const OF_PROJECT_HAN: &[&str] = &["项目", "仓库", "这里"];

/// Where a statement was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A chat of the person alone: a terminal, or a chat with the person's own id.
    Own,
    /// A chat that may have others.
    Shared,
    /// The chat of a project.
    Project,
}

/// Returns whether a statement belongs to the person who made it, and not to the chat. Of "our key is under the pot" in a
/// chat that may have others, it is the chat's.
pub(super) fn is_of_person(text: &str, category: Category, place: Place) -> bool {
    // "US" is a country.
    let written = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && *word != "US");
    let words: Vec<(String, bool)> =
        written.map(|word| (word.to_lowercase(), word.starts_with(char::is_uppercase))).collect();
    let text = text.to_lowercase();
    let names = |list: &[&str]| words.iter().any(|(word, _)| list.contains(&&**word));
    let names_han = |list: &[&str]| list.iter().any(|word| text.contains(word));
    // "Los Álamos" is a name.
    let is_verb = |(at, (word, is_capital)): (usize, &(String, bool))| {
        (at == 0 || !is_capital)
            && OF_GROUP_ENDINGS.iter().any(|end| word.len() > end.len() && word.ends_with(end))
            && !NOT_OF_GROUP.contains(&&**word)
    };
    let has_verb = || !names(ENGLISH) && words.iter().enumerate().any(is_verb);
    let is_of_group = names(OF_GROUP) || names_han(OF_GROUP_HAN) || has_verb();
    match place {
        Place::Own => true,
        Place::Shared => !is_of_group,
        Place::Project if is_of_group || names_place(&text) => false,
        Place::Project if names(OF_PROJECT) || names_han(OF_PROJECT_HAN) => false,
        Place::Project => category == Category::Preference || names(OF_SPEAKER) || text.contains('我'),
    }
}

/// Returns whether a text in small letters names a path, a file or a host: "legacy/", "config.yaml", "stage3.acme.io".
fn names_place(text: &str) -> bool {
    let is_name =
        |part: &str| part.len() > 1 && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
    let words = text.split_whitespace();
    words.map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '/')).any(|word| {
        let parts: Vec<&str> = word.split('.').collect();
        let ends_in_letters = parts.last().is_some_and(|last| last.bytes().all(|b| b.is_ascii_lowercase()));
        let is_file = parts.len() > 1 && ends_in_letters && parts.iter().all(|part| is_name(part));
        is_file || word.ends_with('/') || word.starts_with('/') || word.matches('/').count() > 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_project_is_not_the_persons() {
        for (text, category, expected) in [
            ("I live in Leeds", Category::Fact, true),
            ("My daughter Mia is 7", Category::Fact, true),
            ("I'm allergic to nuts", Category::Fact, true),
            ("Ich wohne in Köln", Category::Fact, true),
            ("Vivo en Sevilla", Category::Fact, true),
            ("J'habite à Lyon", Category::Fact, true),
            ("我住在杭州", Category::Fact, true),
            ("I prefer tabs", Category::Preference, true),
            ("always answer in German", Category::Preference, true),
            ("We use Postgres", Category::Fact, false),
            ("The staging server is stage.contoso.internal", Category::Fact, false),
            ("Our client contact is Maria Lopez", Category::Fact, false),
            ("This repo uses pnpm workspaces", Category::Fact, false),
            ("Production is on Hetzner", Category::Fact, false),
            ("In this project use tabs, not spaces", Category::Preference, false),
            ("Here we use semicolons", Category::Preference, false),
            ("Dieses Projekt verwendet Gradle", Category::Fact, false),
            ("Notre base de données est MySQL", Category::Fact, false),
            ("本项目使用MySQL", Category::Fact, false),
            ("我们用Postgres", Category::Fact, false),
            ("don't touch the files in legacy/", Category::Preference, false),
            ("never edit config.yaml by hand", Category::Preference, false),
            ("always deploy to stage3.acme.io first", Category::Preference, false),
            ("I prefer tea and/or coffee, e.g. in the morning", Category::Preference, true),
        ] {
            assert_eq!(is_of_person(text, category, Place::Project), expected, "{text}");
        }
    }

    #[test]
    fn what_is_said_of_a_group_is_not_the_persons() {
        for (text, expected) in [
            ("we decided to use Postgres", false),
            ("Unser Ersatzschlüssel liegt unter dem Blumentopf", false),
            ("Preferimos las reuniones los martes", false),
            ("No nos gustan las videoconferencias", false),
            ("我们喜欢周二开会", false),
            ("I prefer tea", true),
            ("Ich wohne in Kassel", true),
            ("Tomo 500 gramos de avena", true),
            ("Los últimos martes de mes no trabajo", true),
            ("I live in the US", true),
            ("I'm a US citizen", true),
            ("Mis padres viven en Los Álamos", true),
            ("I live in Los Alamos", true),
            ("I record demos for a living", true),
            ("They pay us on Fridays", false),
            ("Vivimos en Vigo", false),
        ] {
            assert_eq!(is_of_person(text, Category::Fact, Place::Shared), expected, "{text}");
            assert!(is_of_person(text, Category::Fact, Place::Own), "{text}");
        }
    }
}
