//! The parts that memtape adds to a file, how to recognise an earlier addition, and how to remove it.

use jsonc_parser::common::Ranged as _;
use serde_json::{Value as Json, json};

use crate::client::{Part, Platform, Shape};
use crate::command::{self, Command, NAME};
use crate::error::Problem;
use crate::json::{Document, Step, is_equal};
use crate::splice::Removed;
use crate::toml;

/// The input for the edits of one file.
pub(crate) struct Editor<'a> {
    pub(crate) part: Part,
    pub(crate) command: &'a Command,
    pub(crate) platform: Platform,
    pub(crate) is_json5: bool,
}

impl Editor<'_> {
    /// Returns the text with memtape's part, in which an earlier one is replaced.
    pub(crate) fn add(&self, text: &str) -> Result<String, Problem> {
        let text = match self.part {
            Part::Server { keys, shape } => self.add_server(text, keys, shape)?,
            Part::TomlServer => toml::add(text, self.command)?,
            Part::Hooks(events) => self.add_hooks(text, events)?,
        };
        Ok(text)
    }

    /// Returns the text without memtape's part. Objects and arrays that are empty then are removed, unless `before`,
    /// a text from before memtape was added, has them.
    pub(crate) fn remove(&self, text: &str, before: Option<&str>) -> Result<Removed, Problem> {
        let before = before.and_then(|before| self.parse(before).ok());
        let is_kept = |path: &[Step<'_>]| {
            before.as_ref().is_some_and(|before| before.get(path).is_ok_and(|found| found.is_some()))
        };
        match self.part {
            Part::Server { keys, .. } => self.remove_server(text, keys, is_kept),
            Part::TomlServer => toml::remove(text, self.command),
            Part::Hooks(_) => Ok(Removed { text: self.remove_hooks(text, is_kept)?, foreign: None }),
        }
    }

    /// Returns memtape's part of a text without white space, wherever it is in the file.
    pub(crate) fn own_part(&self, text: &str) -> Result<String, Problem> {
        let hooks;
        let paths = match self.part {
            Part::TomlServer => return Ok(toml::own_part(text)?.split_whitespace().collect()),
            Part::Server { keys, .. } => vec![server_path(keys)],
            Part::Hooks(_) => {
                hooks = self.own_hooks(text)?;
                hooks.iter().map(|hook| hook.path()[..3].to_vec()).collect()
            }
        };
        let document = self.parse(text)?;
        let mut own = String::new();
        for path in paths {
            if let Some(found) = document.get(&path)? {
                own.extend(text[found.range().start..found.range().end].split_whitespace());
            }
        }
        Ok(own)
    }

    /// Returns whether the text has nothing: it is what remains of a file that was created for memtape.
    pub(crate) fn is_empty(&self, text: &str) -> bool {
        match self.part {
            Part::TomlServer => text.trim().is_empty(),
            Part::Server { .. } | Part::Hooks(_) => matches!(text.trim(), "" | "{}"),
        }
    }

    /// Returns whether the text has the server and switches it off.
    pub(crate) fn is_off(&self, text: &str) -> bool {
        let Part::Server { keys, .. } = self.part else {
            return self.part == Part::TomlServer && toml::is_off(text);
        };
        let Ok(document) = self.parse(text) else { return false };
        let is = |field: &str, value: bool| {
            let found = document.get(&[&server_path(keys)[..], &[Step::Key(field)]].concat()).ok().flatten();
            found.is_some_and(|found| is_equal(found, &json!(value)))
        };
        is("enabled", false) || is("disabled", true)
    }

    fn parse<'t>(&self, text: &'t str) -> Result<Document<'t>, Problem> {
        Document::parse(text, self.is_json5)
    }

    fn add_server(&self, text: &str, keys: &[&str], shape: Shape) -> Result<String, Problem> {
        let path = server_path(keys);
        let document = self.parse(text)?;
        let Some(server) = document.get(&path)? else {
            return document.set(&path, &self.server(shape, &[]));
        };
        if !self.is_own_server(&document, &path) {
            return Err(Problem::foreign(server.range().start));
        }
        // Whatever else the entry has, such as an environment or a list of allowed tools, was set by the user.
        let field = if shape == Shape::OneArray { "command" } else { "args" };
        let old = document.texts(&[&path[..], &[Step::Key(field)]].concat());
        // One array begins with the program.
        let old = if shape == Shape::OneArray { old.get(1..).unwrap_or_default() } else { &old };
        let fields = self.server(shape, old);
        let mut text = text.to_owned();
        for field in ["command", "args"].into_iter().filter(|field| fields.get(field).is_some()) {
            text =
                self.set_if_different(&text, &[&path[..], &[Step::Key(field)]].concat(), &fields[field])?;
        }
        Ok(text)
    }

    fn set_if_different(&self, text: &str, path: &[Step<'_>], value: &Json) -> Result<String, Problem> {
        let document = self.parse(text)?;
        match document.get(path)? {
            Some(found) if is_equal(found, value) => Ok(text.to_owned()),
            _ => document.set(path, value),
        }
    }

    /// Returns the entry of the server, with what the user added to `old` arguments.
    fn server(&self, shape: Shape, old: &[String]) -> Json {
        let program = &self.command.program;
        let arguments = self.command.server_arguments(old);
        match shape {
            Shape::Plain => json!({"command": program, "args": arguments}),
            Shape::Stdio => json!({"type": "stdio", "command": program, "args": arguments}),
            Shape::AllTools => {
                json!({"type": "local", "command": program, "args": arguments, "tools": ["*"]})
            }
            Shape::OneArray => {
                let command: Vec<&String> = std::iter::once(program).chain(&arguments).collect();
                json!({"type": "local", "command": command, "enabled": true})
            }
        }
    }

    /// Returns whether the server at a path runs memtape.
    fn is_own_server(&self, document: &Document<'_>, path: &[Step<'_>]) -> bool {
        let command = [path, &[Step::Key("command")]].concat();
        let program = [&command[..], &[Step::Index(0)]].concat();
        [command, program].iter().any(|path| {
            let found = document.get(path).ok().flatten();
            let program = found.and_then(|program| program.as_string_lit());
            program.is_some_and(|program| self.command.is_program(&program.value))
        })
    }

    fn remove_server(
        &self,
        text: &str,
        keys: &[&str],
        is_kept: impl Fn(&[Step<'_>]) -> bool,
    ) -> Result<Removed, Problem> {
        let path = server_path(keys);
        let document = self.parse(text)?;
        let foreign = match document.get(&path)? {
            None => return Ok(Removed { text: text.to_owned(), foreign: None }),
            Some(_) if self.is_own_server(&document, &path) => None,
            Some(server) => Some(server.range().start),
        };
        if foreign.is_some() {
            return Ok(Removed { text: text.to_owned(), foreign });
        }
        Ok(Removed {
            text: self.prune(document.remove(&path)?, &path[..keys.len()], is_kept)?,
            foreign: None,
        })
    }

    /// Removes the innermost object or array at a path, and those around it, as long as they are empty.
    fn prune(
        &self,
        mut text: String,
        mut path: &[Step<'_>],
        is_kept: impl Fn(&[Step<'_>]) -> bool,
    ) -> Result<String, Problem> {
        while let Some((_, parent)) = path.split_last() {
            let document = self.parse(&text)?;
            if !document.is_empty(path)? || is_kept(path) {
                break;
            }
            text = document.remove(path)?;
            path = parent;
        }
        Ok(text)
    }

    fn add_hooks(&self, text: &str, events: &[(&str, u64)]) -> Result<String, Problem> {
        let mut text = text.to_owned();
        for (event, seconds) in events {
            let line = |old: &str| self.command.hook_line(event, self.platform, old);
            let own = self.own_hooks(&text)?.into_iter().filter(|hook| hook.event == *event);
            let Some(first) = own.min_by_key(|hook| (hook.group, hook.handler)) else {
                let line = line("");
                let handler = json!({"type": "command", "command": line, "timeout": seconds});
                let path = [Step::Key("hooks"), Step::Key(event)];
                // After all others: some clients remember which hooks are trusted by their positions.
                text = self.parse(&text)?.push(&path, &json!({"hooks": [handler]}))?;
                continue;
            };
            let path = first.path();
            let command = [&path[..], &[Step::Key("command")]].concat();
            let old = self.line_of_hook(&self.parse(&text)?, &path).unwrap_or_default();
            text = self.set_if_different(&text, &command, &json!(line(&old)))?;
            // The arguments are in the command line.
            let arguments = [&path[..], &[Step::Key("args")]].concat();
            let document = self.parse(&text)?;
            if document.get(&arguments)?.is_some() {
                text = document.remove(&arguments)?;
            }
        }
        self.remove_own_hooks(
            &text,
            |hooks| {
                let is_first = |n: usize| hooks[..n].iter().all(|before| before.event != hooks[n].event);
                let is_wanted = |n: usize| events.iter().any(|(event, _)| hooks[n].event == *event);
                (0..hooks.len()).find(|n| !is_wanted(*n) || !is_first(*n))
            },
            |_| false,
        )
    }

    fn remove_hooks(&self, text: &str, is_kept: impl Fn(&[Step<'_>]) -> bool) -> Result<String, Problem> {
        self.remove_own_hooks(text, |hooks| (!hooks.is_empty()).then_some(0), is_kept)
    }

    /// Removes hooks of memtape as long as `next` chooses one.
    fn remove_own_hooks(
        &self,
        text: &str,
        next: impl Fn(&[Hook]) -> Option<usize>,
        is_kept: impl Fn(&[Step<'_>]) -> bool,
    ) -> Result<String, Problem> {
        let mut text = text.to_owned();
        loop {
            let hooks = self.own_hooks(&text)?;
            let Some(hook) = next(&hooks).map(|n| &hooks[n]) else { return Ok(text) };
            let path = hook.path();
            let without = self.parse(&text)?.remove(&path)?;
            // A group without hooks does nothing.
            let group = &path[..3];
            let is_empty = self.parse(&without)?.is_empty(&path[..4])?;
            let without = if is_empty { self.parse(&without)?.remove(group)? } else { without };
            text = self.prune(without, &path[..2], &is_kept)?;
        }
    }

    /// Returns memtape's hooks, in the order of the file. What has another form than a hook is skipped.
    fn own_hooks(&self, text: &str) -> Result<Vec<Hook>, Problem> {
        let document = self.parse(text)?;
        let mut found = Vec::new();
        for event in document.keys(&[Step::Key("hooks")])? {
            let groups = [Step::Key("hooks"), Step::Key(event)];
            for group in 0..document.elements(&groups).map_or(0, <[_]>::len) {
                let handlers = [&groups[..], &[Step::Index(group), Step::Key("hooks")]].concat();
                for handler in 0..document.elements(&handlers).map_or(0, <[_]>::len) {
                    let hook = Hook { event: event.to_owned(), group, handler };
                    if self.is_own_hook(&document, &hook) {
                        found.push(hook);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns whether a hook runs memtape, by a command line or by a program with arguments.
    fn is_own_hook(&self, document: &Document<'_>, hook: &Hook) -> bool {
        self.line_of_hook(document, &hook.path()).is_some_and(|line| self.command.is_hook_line(&line))
    }

    /// Returns the command line of the hook at a path. One of memtape with separate arguments contains them, after its name.
    fn line_of_hook(&self, document: &Document<'_>, path: &[Step<'_>]) -> Option<String> {
        let line = document.text(&[path, &[Step::Key("command")]].concat())?;
        if !self.command.is_program(&line) {
            return Some(line);
        }
        let arguments = document.texts(&[path, &[Step::Key("args")]].concat());
        Some(command::line(std::iter::once(NAME.to_owned()).chain(arguments), self.platform))
    }
}

/// The place of a hook: `hooks.EVENT[group].hooks[handler]`.
struct Hook {
    event: String,
    group: usize,
    handler: usize,
}

impl Hook {
    fn path(&self) -> [Step<'_>; 5] {
        [
            Step::Key("hooks"),
            Step::Key(&self.event),
            Step::Index(self.group),
            Step::Key("hooks"),
            Step::Index(self.handler),
        ]
    }
}

/// Returns the path of memtape's server below the keys of the servers.
fn server_path<'a>(keys: &[&'a str]) -> Vec<Step<'a>> {
    keys.iter().copied().chain([NAME]).map(Step::Key).collect()
}
