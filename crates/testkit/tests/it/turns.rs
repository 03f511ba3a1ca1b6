//! Many turns: repeated memories do not multiply, and audiences never see each other's memories.
use memtape::{
    At, Audience, Backend, Config, Durability, FinishedTurn, Form, Inbound, Reply, Session, Workspace,
};
use memtape_testkit::TestWorkspace;

/// Statements of the user about themselves, each stated once.
const OWN: [&str; 8] = [
    "I prefer window seats on long flights, the aisle is no fun",
    "My name is Ana and I live in Porto",
    "I'm allergic to hazelnuts",
    "we decided to use Postgres for the new service",
    "I don't eat pork",
    "My mum is having her hip operation tomorrow",
    "please always answer in English",
    "我喜欢深色模式",
];

fn workspace(assistant: bool) -> TestWorkspace {
    let mut config = Config { durability: Durability::Os, ..Config::default() };
    config.recall.backend = Backend::SqliteFts;
    config.capture.assistant = assistant;
    TestWorkspace::configured(config)
}

fn turn(workspace: &Workspace, session: &str, text: &str, reply: &str) -> FinishedTurn {
    let inbound = Inbound { user: Some("42".into()), ..Inbound::new(text) };
    let conversation = workspace.conversation(Session::parse(session).unwrap());
    conversation.turn(&inbound, |_| Ok(Reply::new(reply))).unwrap()
}

fn statements(workspace: &Workspace) -> Vec<String> {
    let memories = workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
    memories.into_iter().map(|memory| format!("{} {}", memory.scope, memory.text)).collect()
}

/// Returns how a person or an agent repeats the content of a prompt.
fn quoted(n: usize, last: &FinishedTurn) -> String {
    // The length is limited: quotations of quotations would double from turn to turn.
    let text = repeated(n, last);
    match text.char_indices().nth(600) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn repeated(n: usize, last: &FinishedTurn) -> String {
    let texts: Vec<&str> = last.recalled.hits.iter().map(|hit| hit.memory.text.as_str()).collect();
    let first = texts.first().copied().unwrap_or("hello again");
    match n % 8 {
        0 => texts.join("\n"),
        1 => last.memory.clone(),
        2 => format!("You told me: \"{first}\""),
        3 => format!("as you know, {first}."),
        4 => format!("Noted: {first}! And: {}", texts.join(". ")),
        5 => format!("> {first}\nis that so?"),
        6 => first.to_uppercase(),
        _ => last.memory.lines().map(|line| line.trim_start_matches("- ")).collect::<Vec<_>>().join(". "),
    }
}

#[test]
fn a_thousand_turns_that_quote_memories_add_no_statements() {
    quote_in_a_thousand_turns(false);
}

#[test]
fn a_thousand_turns_that_quote_memories_add_no_statements_of_the_agent() {
    quote_in_a_thousand_turns(true);
}

/// Quotes what was shown, with capture of the agent's words or without.
fn quote_in_a_thousand_turns(assistant: bool) {
    let test = workspace(assistant);
    for own in OWN {
        turn(&test.workspace, "telegram:1", own, "Noted.");
    }
    let warranted = statements(&test.workspace);
    assert!(warranted.len() >= OWN.len(), "{warranted:?}");
    // In the same chat after more turns, and in another chat of the same person.
    for n in 0..60 {
        turn(&test.workspace, "telegram:1", &format!("something else, number {n}"), "I see.");
    }
    let mut last = FinishedTurn::default();
    for n in 0..1000 {
        let session = if n % 2 == 0 { "telegram:1" } else { "telegram:2" };
        let question = "seats, name, hazelnuts, Postgres, pork, operation, English, 深色模式?";
        let text = if n % 3 == 0 { question.to_owned() } else { quoted(n, &last) };
        let prompt = last.clone();
        let text = if text.trim().is_empty() { question.to_owned() } else { text };
        last = turn(&test.workspace, session, &text, &quoted(n + n / 8, &prompt));
    }
    let now = statements(&test.workspace);
    let new: Vec<_> = now.iter().filter(|statement| !warranted.contains(statement)).collect();
    assert!(new.is_empty(), "{new:#?}");
}

#[test]
fn many_people_in_many_chats_never_see_each_others_memories() {
    let test = workspace(true);
    let (users, chats) = (10, 30);
    for n in 0_u64..600 {
        let (user, chat) = (n * 7 % users, n * 13 % chats);
        let text = match n % 4 {
            0 => format!("I prefer own{user}user{n} and we decided to use own{chat}chat{n}"),
            1 => format!("My name is own{user}user{n}"),
            2 => "what do I prefer, what was my name, and what did we decide to use?".to_owned(),
            _ => format!("own{chat}chat{n} is what we talk about here: preferences, names, uses"),
        };
        let inbound = Inbound { user: Some(format!("u{user}")), ..Inbound::new(&text) };
        let conversation = test.workspace.conversation(Session::parse(&format!("telegram:c{chat}")).unwrap());
        let told = conversation.turn(&inbound, |_| Ok(Reply::new("I see."))).unwrap();
        for (at, _) in told.memory.match_indices("own") {
            let word: String = told.memory[at..].chars().take_while(char::is_ascii_alphanumeric).collect();
            let of_user = word.starts_with(&format!("own{user}user"));
            let of_chat = word.starts_with(&format!("own{chat}chat"));
            // Statements by others in this chat belong to the chat.
            let said_here = told.recalled.hits.iter().any(|hit| {
                hit.memory.scope == format!("channel:telegram:chat:c{chat}")
                    && hit.memory.text.contains(&word)
            });
            assert!(of_user || of_chat || said_here, "turn {n}: u{user} in c{chat} was told {word}");
        }
    }
}
