//! What a person typed of a message to a coding agent: clients insert reminders, contexts and results into it.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// What clients put into a message without the person typing it.
static INSERTED: LazyLock<Regex> = LazyLock::new(|| {
    let names = "system-reminder|command-(?:name|message|args|contents)|local-command-(?:stdout|stderr|caveat)|\
                 bash-(?:input|stdout|stderr)|task-notification|cross-session-message|ide_[a-z_]+|\
                 environment_context|user_instructions|user_shell_command|agents_instructions|multiagent_context|\
                 subagent_notification|goal_context|turn_aborted|hook_prompt|skill";
    let element = format!(r"<(?:{names})\b[^>]*>.*?</(?:{names})>");
    let project = r"# AGENTS\.md instructions for [^\n]*\s*<INSTRUCTIONS>.*?</INSTRUCTIONS>";
    Regex::new(&format!("(?s){element}|{project}")).expect("a valid pattern")
});

/// What an editor's extension puts before a message ends with this heading.
const REQUEST: &str = "## My request for Codex:";
/// How the contexts begin that end with [`REQUEST`].
const CONTEXTS: [&str; 2] = ["# Context from my IDE setup:", "# Files mentioned by the user:"];

/// Returns what the person typed of a message; empty if the message is a command of the client, such as `/clear`.
#[must_use]
pub fn typed(message: &str) -> Cow<'_, str> {
    // Compiling the pattern takes longer than most messages do.
    let may_contain = message.contains("</") || message.contains("# AGENTS.md");
    let inserted = may_contain.then(|| INSERTED.replace_all(message, ""));
    let text = match inserted.unwrap_or(Cow::Borrowed(message)) {
        Cow::Borrowed(text) => Cow::Borrowed(request(text)),
        Cow::Owned(text) => Cow::Owned(request(&text).to_owned()),
    };
    if is_command(&text) { Cow::Borrowed("") } else { text }
}

/// Returns a message without the context that an editor's extension puts before it.
fn request(text: &str) -> &str {
    let text = text.trim();
    let has_context = text.starts_with(REQUEST) || CONTEXTS.iter().any(|begin| text.starts_with(begin));
    match text.find(REQUEST).filter(|_| has_context) {
        Some(at) => text[at + REQUEST.len()..].trim(),
        None => text,
    }
}

/// Returns whether a message is a command of the client: `/clear`, `!ls`.
fn is_command(text: &str) -> bool {
    if text.starts_with('!') {
        return true;
    }
    let word = text.strip_prefix('/').and_then(|rest| rest.split_whitespace().next());
    word.is_some_and(|word| !word.contains('/') && word.starts_with(|c: char| c.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_person_typed_counts() {
        for (message, expected) in [
            ("I prefer tabs", "I prefer tabs"),
            ("/clear", ""),
            ("/model opus", ""),
            ("!ls -la", ""),
            ("/usr/bin/env is missing", "/usr/bin/env is missing"),
            ("<system-reminder>I prefer spaces</system-reminder>fix it", "fix it"),
            ("<task-notification>\n<id>3</id>\n</task-notification>", ""),
            ("<b>bold</b> please", "<b>bold</b> please"),
            ("<environment_context>\n<cwd>/x</cwd>\n</environment_context>", ""),
            ("# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nAlways use tabs.\n</INSTRUCTIONS>", ""),
            (
                "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n## My request for Codex:\nfix it\n",
                "fix it",
            ),
            ("## My request for Codex: fix it", "fix it"),
            ("What does \"## My request for Codex:\" mean?", "What does \"## My request for Codex:\" mean?"),
        ] {
            assert_eq!(typed(message), expected, "{message:?}");
        }
    }
}
