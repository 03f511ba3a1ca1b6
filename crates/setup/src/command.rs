//! The command that clients run, and how to recognise an earlier one.

use crate::client::Platform;

/// The command that runs memtape: a program and the workspace that it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program: a path, or a name that the client finds on its `PATH`.
    pub program: String,
    /// The directory of the workspace. `None` leaves the choice to `$MEMTAPE_WORKSPACE`, else `~/.memtape`.
    pub workspace: Option<String>,
}

/// The command that starts the MCP server.
const SERVER: &str = "mcp";
/// The name of the program, of the server and of the plugin.
pub(crate) const NAME: &str = "memtape";

impl Command {
    /// Returns the arguments that start the MCP server, with those that the user added to `old` ones.
    pub(crate) fn server_arguments(&self, old: &[String]) -> Vec<String> {
        let added = old.iter().skip_while(|word| *word != SERVER).skip(1);
        self.arguments(&[SERVER]).into_iter().chain(added.cloned()).collect()
    }

    /// Returns the command line of a hook for a shell, with what the user added to an `old` one.
    pub(crate) fn hook_line(&self, event: &str, platform: Platform, old: &str) -> String {
        let words = std::iter::once(self.program.clone()).chain(self.arguments(&["hook", event]));
        let line = words.map(|word| quoted(&word, platform)).collect::<Vec<_>>().join(" ");
        let added = old.split_once(&format!(" hook {event}")).map_or("", |(_, added)| added);
        format!("{line}{added}")
    }

    fn arguments(&self, last: &[&str]) -> Vec<String> {
        let workspace = self.workspace.iter().flat_map(|dir| ["-C", dir]);
        workspace.chain(last.iter().copied()).map(str::to_owned).collect()
    }

    /// Returns whether a program is memtape: this one, or one with its name anywhere.
    pub(crate) fn is_program(&self, program: &str) -> bool {
        let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
        program == self.program || name.strip_suffix(".exe").unwrap_or(name) == NAME
    }

    /// Returns whether a command line runs a hook of memtape, with whichever options.
    pub(crate) fn is_hook_line(&self, line: &str) -> bool {
        let words = words(line);
        words
            .split_first()
            .is_some_and(|(program, rest)| self.is_program(program) && rest.iter().any(|word| word == "hook"))
    }
}

/// Quotes a word for the shell that runs hooks: a POSIX shell, and on Windows either that or `cmd`.
fn quoted(word: &str, platform: Platform) -> String {
    let word = match platform {
        // Both shells take forward slashes, and a POSIX shell would drop backslashes.
        Platform::Windows => word.replace('\\', "/"),
        Platform::Linux | Platform::MacOs => word.to_owned(),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@+=,".contains(c);
    match platform {
        _ if !word.is_empty() && word.chars().all(is_plain) => word,
        Platform::Windows => format!("\"{word}\""),
        Platform::Linux | Platform::MacOs => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Splits a command line into words. A backslash escapes only what [`quoted`] writes after one, so that an unquoted
/// path of Windows is one word.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '\\') if chars.peek().is_some_and(|next| " '\"".contains(*next)) => {
                word.get_or_insert_default().extend(chars.next());
            }
            (None, ' ' | '\t') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(program: &str, workspace: Option<&str>) -> Command {
        Command { program: program.to_owned(), workspace: workspace.map(str::to_owned) }
    }

    #[test]
    fn a_hook_line_is_quoted_where_a_shell_needs_it() {
        let line = |program, workspace, platform| command(program, workspace).hook_line("Stop", platform, "");
        assert_eq!(line("memtape", None, Platform::Linux), "memtape hook Stop");
        assert_eq!(
            line("/opt/my tools/memtape", Some("/home/ana/it's"), Platform::MacOs),
            r"'/opt/my tools/memtape' -C '/home/ana/it'\''s' hook Stop"
        );
        assert_eq!(
            line(r"C:\Program Files\memtape.exe", Some(r"C:\memory"), Platform::Windows),
            r#""C:/Program Files/memtape.exe" -C C:/memory hook Stop"#
        );
    }

    #[test]
    fn an_own_hook_is_recognised_by_its_program() {
        let own = command("/opt/mt", None);
        for line in [
            "memtape hook Stop",
            "/usr/local/bin/memtape -C /x hook Stop",
            "/opt/mt hook Stop",
            r"'/a b/it'\''s/memtape' hook Stop",
            r#""C:/Program Files/memtape.exe" hook Stop"#,
            r"C:\tools\memtape.exe hook Stop || exit 0",
        ] {
            assert!(own.is_hook_line(line), "{line}");
        }
        for line in
            ["", "memtape", "memtape status", "other-memtape hook Stop", "echo memtape hook", "mt hook"]
        {
            assert!(!own.is_hook_line(line), "{line}");
        }
    }
}
