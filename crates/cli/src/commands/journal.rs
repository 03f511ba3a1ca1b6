//! The `journal` commands: events as JSON Lines with or without `--json`, and costs as a table or as JSON.

use std::fmt::Write as _;
use std::time::Duration;

use memtape::journal::costs::Costs;
use memtape::journal::{Line, Question, TAIL};
use memtape::{At, Workspace};
use serde_json::json;

use super::json_argument;
use crate::args::{JournalArgs, JournalCommand, WhenArgs};
use crate::output::{Failure, Output, Result, counted};

/// Polling interval of `--follow`.
const FOLLOWED_EVERY: Duration = Duration::from_millis(300);
/// Minimum number of bytes per write, except for the last.
const PRINTED: usize = 64 * 1024;

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, args: &JournalArgs) -> Result<()> {
    match &args.command {
        None => print(workspace, output, at, args),
        Some(JournalCommand::Add { kind, data, session }) => {
            let data = json_argument(data, "--data")?;
            let id = workspace.journal().in_session(session.clone()).add(kind, &data)?;
            match output.json {
                true => output.value(&json!({"id": id})),
                false => output.line(format_args!("entry {id}")),
            }
        }
        Some(JournalCommand::Costs { by, when, session }) => {
            let question = Question { session: session.clone(), ..during(workspace, when)? };
            let costs = workspace.journal().costs(by.by(), &question, at)?;
            match output.json {
                true => output.value(&costs.iter().map(|(of, costs)| costs_json(of, costs)).collect()),
                false => print_costs(output, costs.iter()),
            }
        }
    }
}

fn during(workspace: &Workspace, when: &WhenArgs) -> Result<Question> {
    let since = when.since.as_deref().map(|text| workspace.since(text)).transpose()?;
    let until = when.until.as_deref().map(|text| workspace.until(text)).transpose()?;
    Ok(Question { since, until, ..Question::default() })
}

fn print(workspace: &Workspace, output: &Output, at: &At, args: &JournalArgs) -> Result<()> {
    let is_cut = args.limit.is_none() && !args.is_filtered() && (output.terminal || args.follow);
    let question = Question {
        types: args.types.clone(),
        tail: if is_cut { Some(TAIL) } else { args.limit.and_then(|tail| tail.0) },
        session: args.session.clone(),
        grep: args.grep.clone(),
        ..during(workspace, &args.when)?
    };
    if !args.follow {
        workspace.journal().check_types(&args.types, at)?;
        let shown = print_lines(workspace, output, &question, at)?;
        let all = if is_cut { workspace.journal().count(&question, at)? } else { shown };
        return match all.saturating_sub(shown) {
            0 => Ok(()),
            more => {
                output.note(format_args!(
                    "… {} before these: `-n all` prints them",
                    counted(more, "entry", "entries")
                ));
                Ok(())
            }
        };
    }
    let journal = workspace.journal();
    let mut entry = journal.head()?;
    print_lines(workspace, output, &question, &At::entry(entry))?;
    loop {
        std::thread::sleep(FOLLOWED_EVERY);
        output.warnings(workspace.take_warnings());
        let (lines, seen) = journal.after(&question, entry)?;
        output.text(&lines.iter().fold(String::new(), printed))?;
        entry = seen;
    }
}

/// Prints the lines that match, and returns the number of entries they come from.
fn print_lines(workspace: &Workspace, output: &Output, question: &Question, at: &At) -> Result<u64> {
    let mut text = String::new();
    let (mut last, mut count) = (0, 0);
    workspace.journal().each(question, at, |line| {
        count += u64::from(std::mem::replace(&mut last, line.entry) != line.entry);
        text = printed(std::mem::take(&mut text), &line);
        if text.len() >= PRINTED {
            output.text(&std::mem::take(&mut text))?;
        }
        Ok::<(), Failure>(())
    })?;
    output.text(&text)?;
    Ok(count)
}

fn printed(mut text: String, line: &Line) -> String {
    let _ = writeln!(text, "{line}");
    text
}

fn costs_json(of: &str, costs: &Costs) -> serde_json::Value {
    let Costs { calls, tokens_in, tokens_out, cost } = costs;
    json!({"of": of, "calls": calls, "tokens_in": tokens_in, "tokens_out": tokens_out, "cost": cost})
}

fn print_costs<'a>(
    output: &Output,
    costs: impl Iterator<Item = (&'a String, &'a Costs)> + Clone,
) -> Result<()> {
    let width = costs.clone().map(|(of, _)| of.chars().count()).max().unwrap_or_default();
    if width == 0 {
        return output.line("No costs.");
    }
    for (of, Costs { calls, tokens_in, tokens_out, cost }) in costs {
        let cost = cost.map_or(String::new(), |cost| format!("  cost {cost:.4}"));
        output.line(format_args!(
            "{of:width$}  {calls:>6} {}  {tokens_in:>9} in  {tokens_out:>9} out{cost}",
            if *calls == 1 { "call " } else { "calls" }
        ))?;
    }
    Ok(())
}
