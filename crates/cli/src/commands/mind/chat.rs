//! A chat with the agent on the terminal.

use memtape::{At, Audience, Inbound, Recall, Ref, Session, Workspace};
use memtape_mind::{Models, audience_of, hand_off};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::{answer, print_background, work_after};
use crate::args::AgentArgs;
use crate::commands::branches::print_reverted;
use crate::commands::recall::print;
use crate::commands::turn::print_why;
use crate::output::{Failure, Output, Result};

const HELP: &str = "\
/recall QUERY     find memories
/why REF          explain where a memory came from
/forget WORDS     forget statements that contain these words (asks first)
/undo             undo the last change of this conversation
/persona [NAME]   list the branches, or switch to one
/new              write notes, then continue from a summary
/quit             leave (also Ctrl-D)";
/// Maximum number of memories that `/forget` shows and removes.
const FORGET_MAX: usize = 10;

/// A chat and its models and settings.
struct Chat<'a> {
    workspace: &'a Workspace,
    models: &'a Models,
    output: &'a Output,
    session: &'a Session,
    user: Option<String>,
    editor: DefaultEditor,
}

pub(super) fn run(workspace: &Workspace, models: &Models, output: &Output, args: &AgentArgs) -> Result<()> {
    let editor = DefaultEditor::new().map_err(unusable)?;
    let mut chat = Chat {
        workspace,
        models,
        output,
        session: &args.session,
        user: args.speaker.user(&args.session)?,
        editor,
    };
    output.note(format_args!("{} · {} · /help", args.session, models.main().model()));
    loop {
        let line = match chat.editor.readline("> ") {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(()),
            Err(e) => return Err(unusable(e)),
        };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        // The history is a convenience: the chat works without it.
        let _ = chat.editor.add_history_entry(line);
        let done = match line.split_once(' ').unwrap_or((line, "")) {
            ("/quit" | "/exit", _) => return Ok(()),
            (command, rest) if command.starts_with('/') => chat.command(command, rest.trim()),
            _ => chat.say(line),
        };
        if let Err(failure) = done {
            // The chat continues: the failure is shown like that of a command.
            let _ = output.failure(&failure);
        }
        output.warnings(workspace.take_warnings());
    }
}

impl Chat<'_> {
    fn say(&self, text: &str) -> Result<()> {
        let inbound = Inbound { user: self.user.clone(), ..Inbound::new(text) };
        let turn = answer(self.workspace, self.models, self.output, self.session, &inbound)?;
        let background = work_after(self.workspace, self.models, self.session, &turn);
        print_background(&background, self.output);
        turn.failure.map_or(Ok(()), |failure| Err(failure.into()))
    }

    fn command(&mut self, command: &str, rest: &str) -> Result<()> {
        match command {
            "/help" => self.output.line(HELP),
            "/recall" => self.recall(rest),
            "/why" => {
                let reference: Ref = rest.parse().map_err(memtape::Error::from)?;
                let why = self.workspace.why(&reference, &self.audience()?, &At::head())?;
                print_why(&why, self.output)
            }
            "/forget" => self.forget(rest),
            "/undo" => {
                let back = self.workspace.branches().in_session(self.session.clone()).undo()?;
                print_reverted("undid", &back, self.output)
            }
            "/persona" if rest.is_empty() => {
                let branches = self.workspace.branches().in_session(self.session.clone());
                for branch in branches.for_audience(self.audience()?).list(&At::head())? {
                    let mark = if branch.is_current { "* " } else { "  " };
                    let persona = branch.persona.map_or(String::new(), |persona| format!("  {persona}"));
                    self.output.line(format_args!("{mark}{}{persona}", branch.name))?;
                }
                Ok(())
            }
            "/persona" => {
                let branches = self.workspace.branches().in_session(self.session.clone());
                let branches = branches.for_audience(self.audience()?);
                branches.switch(rest, false)?;
                // A name that was given in a chat has a suffix.
                self.output.line(format_args!("switched to branch {}", branches.current(&At::head())?))
            }
            "/new" => {
                let background = hand_off(self.workspace, self.models, self.session, true)?;
                print_background(&background, self.output);
                match background.reflected.filter(|reflected| reflected.written.is_empty()) {
                    Some(reflected) => self.output.line(format_args!("No notes: {}", reflected.assessment)),
                    None => Ok(()),
                }
            }
            other => Err(Failure::Usage(format!("unknown command {other}: /help lists the commands"))),
        }
    }

    fn audience(&self) -> Result<Audience> {
        Ok(audience_of(self.workspace, self.session, self.user.as_deref())?)
    }

    fn recall(&self, query: &str) -> Result<()> {
        let recall =
            Recall { audience: self.audience()?, session: Some(self.session.clone()), ..Recall::new(query) };
        print(&self.workspace.recall(&recall, &At::head())?, false, self.output)
    }

    /// Forgets statements, after showing them.
    fn forget(&mut self, words: &str) -> Result<()> {
        let statements =
            self.workspace.statements().in_session(self.session.clone()).for_audience(self.audience()?);
        let mut found = statements.holding(words)?;
        let more = found.len().saturating_sub(FORGET_MAX);
        found.truncate(FORGET_MAX);
        if found.is_empty() {
            return self.output.line("No matches.");
        }
        for memory in &found {
            self.output.line(format_args!(
                "{}  {}",
                memory.reference(),
                self.output.one_line(&memory.text)
            ))?;
        }
        if more > 0 {
            self.output.line(format_args!("{more} more not shown: use more words"))?;
        }
        let answer = match self.editor.readline("forget these? [y/N] ") {
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => String::new(),
            answer => answer.map_err(unusable)?,
        };
        if !matches!(answer.trim(), "y" | "yes") {
            return self.output.line("Nothing was changed.");
        }
        let references: Vec<Ref> = found.iter().map(memtape::Memory::version).collect();
        let forgotten = statements.forget(&references)?;
        self.output.line(format_args!("forgot {}; /undo takes it back", forgotten.len()))
    }
}

#[allow(clippy::needless_pass_by_value, reason = "as map_err passes it")]
fn unusable(e: ReadlineError) -> Failure {
    Failure::Unusable(format!("cannot read from the terminal: {e}"))
}
