//! The tool `memory_history` (document 1): the commits over all forms.
//!
//! **Invariant.** The reply goes to a model that asked for no memory by name. Memories that a tool or a page
//! originated and quarantined ones are named by their reference only, and prompt markup in all others is
//! neutralised.

use jiff::tz::TimeZone;
use memtape_core::Origin;
use memtape_core::safety::render::neutral_line;
use memtape_index::{CommitQuestion, LoggedCommit};
use serde::Deserialize;
use serde_json::Value;

use super::{Call, Example, Parameter, Tool, Toolset, arguments};
use crate::error::Result;
use crate::log::{LOG_CHANGES, changed_text, mark, message, name, remarks, shortened};

/// The default number of commits (document 1).
const COMMITS: usize = 10;
/// Maximum number of commits.
const COMMITS_MAX: u32 = 100;
/// Maximum length of a change in a line, in characters.
const LINE_CHARS: usize = 200;
/// The placeholder for a text that is not shown to a model unasked.
const WITHHELD: &str = "[not shown here]";

/// The tool `memory_history`.
pub(super) const HISTORY: Tool = Tool {
    name: "memory_history",
    description: "List the commits on this branch, newest first: what was remembered, changed and \
                  forgotten. With show_events, each with its changes.",
    toolset: Toolset::Ledger,
    read_only: true,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example { after: &[], arguments: r#"{}"#, reply: "No commits yet." },
        Example {
            after: &[
                ("memory_add", r#"{"subject":"User","predicate":"prefers","object":"dark mode themes"}"#),
                (
                    "memory_update",
                    r#"{"subject":"user","predicate":"prefers","new_value":"light mode","reason":"it changed"}"#,
                ),
                ("memory_save", r#"{"content":"Ana lives in Porto"}"#),
            ],
            arguments: r#"{"limit":2}"#,
            reply: "2 commits, newest first:\n\
                    - @13 2026-02-10 10:00: remembered: Ana lives in Porto\n\
                    - bc03ecdf @9 2026-02-10 10:00: update User prefers\n  because: it changed",
        },
        Example {
            after: &[],
            arguments: r#"{"show_events":true}"#,
            reply: "3 commits, newest first:\n\
                    - @13 2026-02-10 10:00: remembered: Ana lives in Porto\n  \
                    + Ana lives in Porto [zone:945c50ea18f195a7]\n\
                    - bc03ecdf @9 2026-02-10 10:00: update User prefers\n  because: it changed\n  \
                    ~ User prefers light mode (was: User prefers dark mode themes) [ledger:c8cd02e8a340cb88]\n\
                    - 7534b5ae @6 2026-02-10 10:00: add User prefers\n  \
                    + User prefers dark mode themes [ledger:c8cd02e8a340cb88]",
        },
    ],
    parameters: &[
        Parameter::range("limit", "Number of commits (default 10).", 1, COMMITS_MAX),
        Parameter::flag("show_events", "Whether to include the changes of each commit."),
    ],
    run: history,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct History {
    limit: Option<usize>,
    #[serde(default)]
    show_events: bool,
}

fn history(call: &Call<'_>, value: Value) -> Result<String> {
    let History { limit, show_events } = arguments(value)?;
    let limit = limit.unwrap_or(COMMITS);
    let question = CommitQuestion {
        audience: call.audience.clone(),
        limit: Some(limit),
        changes: Some(LOG_CHANGES),
        ..CommitQuestion::default()
    };
    let commits = call.workspace.log_in(&question, call.session, call.at)?;
    if commits.is_empty() {
        return Ok("No commits yet.".to_owned());
    }
    let zone = call.workspace.time_zone();
    let lines: Vec<_> =
        commits.into_iter().map(|commit| described(&withheld(commit), show_events, zone)).collect();
    let count = lines.len();
    let what = if count == 1 { "commit" } else { "commits" };
    Ok(format!("{count} {what}, newest first:\n{}", lines.concat()).trim_end().to_owned())
}

/// Renders `- 5f813bfd @9 2026-02-10 10:00: add user prefers`, with its changes.
fn described(commit: &LoggedCommit, show_events: bool, zone: &TimeZone) -> String {
    let date = zone.to_datetime(commit.date).strftime("%Y-%m-%d %H:%M");
    let mut out = format!("- {} {date}: {}\n", name(commit), neutral_line(&message(commit)));
    if let Some(reason) = &commit.reason {
        out += &format!("  because: {}\n", shortened(&neutral_line(reason), LINE_CHARS));
    }
    if !show_events {
        return out;
    }
    for change in &commit.changes {
        let remarks = remarks(change).map_or_else(String::new, |remarks| format!(" {remarks}"));
        let reference = change.reference().map_or_else(String::new, |reference| format!(" [{reference}]"));
        let line = shortened(&neutral_line(&format!("{}{remarks}", changed_text(change))), LINE_CHARS);
        out += &format!("  {} {line}{reference}\n", mark(change));
    }
    if commit.more > 0 {
        out += &format!("  … {} more\n", commit.more);
    }
    out
}

/// Returns a commit without the texts that are not shown to a model unasked.
fn withheld(mut commit: LoggedCommit) -> LoggedCommit {
    let sides = commit.changes.iter_mut().flat_map(|change| [&mut change.before, &mut change.after]);
    for memory in sides.flatten().filter(|memory| memory.is_untrusted()) {
        WITHHELD.clone_into(&mut memory.text);
    }
    if commit.is_untrusted || commit.origin.is_some_and(Origin::is_foreign) {
        // The message of a commit repeats what it changed, and its reason comes from the same origin.
        commit.anchor = None;
        commit.reason = None;
    }
    commit
}
