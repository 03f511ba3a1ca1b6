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
    /// Returns the arguments that start the MCP server. `old` ones that start it are kept, with this workspace in place of theirs.
    pub(crate) fn server_arguments(&self, old: &[String]) -> Vec<String> {
        let words: Vec<_> = old.iter().map(String::as_str).collect();
        let is_own = words.contains(&SERVER);
        let kept = words.iter().zip(names_workspace(&words)).filter(|(_, names)| is_own && !names);
        let kept: Vec<_> = kept.map(|(word, _)| *word).collect();
        self.arguments(if is_own { &kept } else { &[SERVER] })
    }

    /// Returns the command line of a hook for a shell: an `old` one with this program and workspace, if it handles the same
    /// event.
    pub(crate) fn hook_line(&self, event: &str, platform: Platform, old: &str) -> String {
        let program = line(std::iter::once(self.program.clone()).chain(self.arguments(&[])), platform);
        let words = self.hook_words(old);
        let environment = words.first().map_or("", |(start, _)| &old[..*start]);
        let added = kept_of_hook(event, &words, old).unwrap_or_else(|| format!("hook {event}"));
        format!("{environment}{program} {added}")
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
        self.hook_words(line).iter().any(|(_, word)| word == "hook")
    }

    /// Returns the words of a command line from memtape on, and where each begins; none if it runs another program. Before
    /// memtape it may set variables.
    fn hook_words(&self, line: &str) -> Vec<(usize, String)> {
        let mut words = words(line);
        let program = words.iter().position(|(_, word)| word != "env" && !sets_variable(word));
        let program = program.filter(|program| self.is_program(&words[*program].1));
        program.map_or_else(Vec::new, |program| words.split_off(program))
    }
}

/// Returns for each word whether it belongs to an option that names a workspace, which setup replaces.
fn names_workspace(words: &[&str]) -> Vec<bool> {
    let mut is_value = false;
    let names = |word: &&str| {
        let is_option = matches!(*word, "-C" | "--workspace");
        let names = is_option
            || is_value
            || *word == "--global"
            || word.starts_with("-C")
            || word.starts_with("--workspace=");
        is_value = is_option && !is_value;
        names
    };
    words.iter().map(names).collect()
}

/// Returns what a command line of a hook has after the program, as it is written there, but for the workspace; `None` if it
/// handles another event. `words` are those of the line from the program on.
fn kept_of_hook(event: &str, words: &[(usize, String)], line: &str) -> Option<String> {
    let hook = words.iter().position(|(_, word)| word == "hook")?;
    let after = &words[hook..];
    let event = hook + after.iter().position(|(_, word)| word == event)?;
    // What follows is for the shell.
    let end = words.iter().skip(event).position(|(_, word)| word.contains(['|', '&', ';', '<', '>']));
    let end = end.map_or(words.len(), |end| event + end);
    let start = |n: usize| words.get(n).map_or(line.len(), |(start, _)| *start);
    let own: Vec<_> = words[1..end].iter().map(|(_, word)| word.as_str()).collect();
    let kept = (1..end).zip(names_workspace(&own)).filter(|(_, names)| !names);
    // Up to the next word, so with the spaces after it.
    let kept: String = kept.map(|(n, _)| &line[start(n)..start(n + 1)]).collect();
    Some((kept + &line[start(end)..]).trim_end().to_owned())
}

/// Returns the line that runs a command in the shell that runs hooks.
pub(crate) fn line(command: impl Iterator<Item = String>, platform: Platform) -> String {
    command.map(|word| quoted(&word, platform)).collect::<Vec<_>>().join(" ")
}

/// Returns whether a word before a command sets a variable: `NAME=VALUE`.
fn sets_variable(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.starts_with(|c: char| c.is_ascii_digit())
            && !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
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

/// Splits a command line into words, each with its position. A backslash escapes only what [`quoted`] writes after one, so
/// that an unquoted path of Windows is one word.
fn words(line: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    let mut word: Option<(usize, String)> = None;
    let mut quote = None;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let begun = |word: &mut Option<(usize, String)>, more: Option<char>| {
            word.get_or_insert_with(|| (at, String::new())).1.extend(more);
        };
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                begun(&mut word, None);
            }
            (None, '\\') if chars.peek().is_some_and(|(_, next)| " '\"".contains(*next)) => {
                begun(&mut word, chars.next().map(|(_, next)| next));
            }
            (None, ' ' | '\t') => words.extend(word.take()),
            _ => begun(&mut word, Some(c)),
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
            "MEMTAPE_WORKSPACE=/data/mem memtape hook Stop",
            "TZ='Europe/Paris' _A1= memtape hook Stop",
            "env TZ=UTC /opt/mt hook Stop",
        ] {
            assert!(own.is_hook_line(line), "{line}");
        }
        for line in [
            "",
            "memtape",
            "memtape status",
            "other-memtape hook Stop",
            "echo memtape hook",
            "mt hook",
            "A=memtape hook",
            "A=b other hook",
            "1A=b memtape hook",
            "env",
        ] {
            assert!(!own.is_hook_line(line), "{line}");
        }
    }

    #[test]
    fn an_own_hook_keeps_the_variables_before_it_and_what_follows() {
        let new = command("/opt/mt", Some("/x"));
        for (old, line) in [
            ("memtape hook Stop", "/opt/mt -C /x hook Stop"),
            ("TZ=UTC memtape hook Stop", "TZ=UTC /opt/mt -C /x hook Stop"),
            ("A='b c' B=\"d\"  mt/memtape hook Stop 2>log", "A='b c' B=\"d\"  /opt/mt -C /x hook Stop 2>log"),
            ("env A=ö memtape hook Stop", "env A=ö /opt/mt -C /x hook Stop"),
            (
                "memtape -C '/a b' --branch 'my work' hook --timeout 2000 Stop 2>>/tmp/log || tar -C /y",
                "/opt/mt -C /x --branch 'my work' hook --timeout 2000 Stop 2>>/tmp/log || tar -C /y",
            ),
            ("memtape --workspace=/a hook -C /b Stop", "/opt/mt -C /x hook Stop"),
            ("memtape hook Stop --global", "/opt/mt -C /x hook Stop"),
            (
                "memtape hook Stop --branch work -C '/a b' || tar -C /y",
                "/opt/mt -C /x hook Stop --branch work || tar -C /y",
            ),
            ("TZ=UTC memtape --branch work hook SessionEnd", "TZ=UTC /opt/mt -C /x hook Stop"),
        ] {
            assert_eq!(new.hook_line("Stop", Platform::Linux, old), line, "{old}");
        }
    }

    #[test]
    fn the_arguments_of_a_server_keep_all_but_the_workspace() {
        for (old, workspace, expected) in [
            ("", Some("/x"), "-C /x mcp"),
            ("other --flag", None, "mcp"),
            ("mcp --read-only", Some("/x"), "-C /x mcp --read-only"),
            ("-C /y --branch work mcp --read-only", None, "--branch work mcp --read-only"),
            ("--global --config recall.floor=0 mcp", Some("/x"), "-C /x --config recall.floor=0 mcp"),
            ("-C/y --workspace=/z mcp --workspace /y", Some("/x"), "-C /x mcp"),
        ] {
            let old: Vec<_> = old.split_whitespace().map(str::to_owned).collect();
            let arguments = command("memtape", workspace).server_arguments(&old);
            assert_eq!(arguments.join(" "), expected, "{old:?}");
        }
    }
}
