//! Whose a captured statement is: the person's, who is known in every chat, or the chat's.

use memtape_core::Category;

/// The channel of conversations with coding agents. It is the same for all of them, so that the memories of a project do
/// not depend on the agent.
pub const PROJECT_CHANNEL: &str = "project";

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
    "we", "our", "us", "wir", "uns", "unser", "unsere", "unserem", "unseren", "unserer", "nosotros", "nosotras", "nuestro", "nuestra",
    "nous", "notre", "nos", "noi", "nostro", "nostra", "nosso", "nossa", "мы", "наш", "наша",
];
/// Words by which people speak of a project.
#[rustfmt::skip]
const OF_PROJECT: &[&str] = &[
    "project", "repo", "repository", "codebase", "here", "projekt", "hier", "proyecto", "repositorio", "aquí", "projet", "dépôt",
    "ici", "progetto", "projeto", "проект",
];
/// The same in languages that are written without spaces.
const OF_GROUP_HAN: &[&str] = &["我们"];
const OF_PROJECT_HAN: &[&str] = &["项目", "仓库", "这里"];

/// Returns whether a statement belongs to the person who made it, and not to the chat. A preference of a group that the
/// person speaks for ("we decided to use Postgres") is the group's.
pub(super) fn is_of_person(text: &str, category: Category, is_of_project: bool) -> bool {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let names = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let names_han = |list: &[&str]| list.iter().any(|word| text.contains(word));
    let is_of_group = names(OF_GROUP) || names_han(OF_GROUP_HAN);
    match is_of_project {
        false => category != Category::Preference || !is_of_group,
        true if is_of_group || names_place(&text) || names(OF_PROJECT) || names_han(OF_PROJECT_HAN) => false,
        true => category == Category::Preference || names(OF_SPEAKER) || text.contains('我'),
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
            assert_eq!(is_of_person(text, category, true), expected, "{text}");
        }
    }

    #[test]
    fn what_a_group_prefers_is_not_the_persons() {
        for (text, category, expected) in [
            ("we decided to use Postgres", Category::Preference, false),
            ("Wir nehmen ab jetzt immer den grünen Tee", Category::Preference, false),
            ("nosotros preferimos reunirnos los martes", Category::Preference, false),
            ("我们喜欢周二开会", Category::Preference, false),
            ("we live in Kassel", Category::Fact, true),
            ("I prefer tea", Category::Preference, true),
        ] {
            assert_eq!(is_of_person(text, category, false), expected, "{text}");
        }
    }
}
