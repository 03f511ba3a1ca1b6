//! The tool for branches (document 1).

use memtape_core::line::truncated;
use memtape_tape::ErrorKind;
use serde::Deserialize;

use super::{Call, Example, Parameter, Tool, Toolset, arguments};
use crate::branches::{BranchInfo, Branches};
use crate::error::{Error, Result};

/// Maximum number of branches that are listed; the others are counted.
const LISTED: usize = 50;
/// Maximum length of a persona in a line, in characters.
const PERSONA_CHARS: usize = 200;

/// The tool `memory_branch`.
pub(super) const BRANCH: Tool = Tool {
    name: "memory_branch",
    description: "Manage personas, each with its own branch of memory: list them, show the current one, \
                  switch this conversation to another, or create one (forked from the current branch; \
                  this conversation switches to it). Other conversations stay on their branches.",
    toolset: Toolset::Ledger,
    read_only: false,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example {
            after: &[],
            arguments: r#"{"action":"switch","name":"coding-assistant"}"#,
            reply: "there is no branch \"coding-assistant\": action \"create\" creates it",
        },
        Example {
            after: &[],
            arguments: r#"{"action":"create","name":"coding-assistant","persona":"Technical helper for programming"}"#,
            reply: "✓ Branch created: coding-assistant (persona: Technical helper for \
                    programming)\nThis conversation is now on it.",
        },
        Example {
            after: &[],
            arguments: r#"{"action":"current"}"#,
            reply: "coding-assistant (persona: Technical helper for programming)",
        },
        Example {
            after: &[],
            arguments: r#"{"action":"switch","name":"main"}"#,
            reply: "✓ Switched to main",
        },
        Example {
            after: &[],
            arguments: r#"{"action":"list"}"#,
            reply: "2 branches:\n* main\n- coding-assistant (persona: Technical helper for programming)",
        },
    ],
    parameters: &[
        Parameter::choice("action", "The action to take.", &["list", "current", "switch", "create"])
            .required(),
        Parameter::text(
            "name",
            "The branch to switch to or to create. The name of a branch that is created in a chat gets a suffix that marks the chat.",
        ),
        Parameter::text("persona", "The description of a new branch's persona."),
    ],
    run: branch,
};

/// The action to take.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    List,
    Current,
    Switch,
    Create,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Branch {
    action: Action,
    name: Option<String>,
    persona: Option<String>,
}

fn branch(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Branch { action, name, persona } = arguments(value)?;
    let branches = call.branches();
    let name = || name.as_deref().ok_or_else(|| Error::Invalid("name the branch: {\"name\": …}".into()));
    match action {
        Action::List => Ok(listed(&branches.list(call.at)?)),
        Action::Current => current(&branches, call),
        Action::Switch => switch(&branches, call, name()?),
        Action::Create => {
            let name = name()?;
            let name = branches.create_and_switch(name, persona.as_deref())?;
            let created = branches.list(call.at)?.into_iter().find(|branch| branch.name == name);
            let branch = created.as_ref().map_or(name, described);
            Ok(format!("✓ Branch created: {branch}\nThis conversation is now on it."))
        }
    }
}

fn current(branches: &Branches<'_>, call: &Call<'_>) -> Result<String> {
    let name = branches.current(call.at)?;
    let current = branches.list(call.at)?.into_iter().find(|branch| branch.is_current);
    Ok(current.as_ref().map_or(name, described))
}

fn switch(branches: &Branches<'_>, call: &Call<'_>, name: &str) -> Result<String> {
    match branches.switch(name, false) {
        Ok(true) => Ok(format!("✓ Switched to {}", branches.current(call.at)?)),
        Ok(false) => Ok(format!("This conversation is already on {}.", branches.current(call.at)?)),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            Err(Error::NotFound(format!("there is no branch {name:?}: action \"create\" creates it")))
        }
        Err(e) => Err(e),
    }
}

fn listed(branches: &[BranchInfo]) -> String {
    let mark = |branch: &BranchInfo| if branch.is_current { '*' } else { '-' };
    let mut lines = vec![match branches.len() {
        1 => "1 branch:".to_owned(),
        n => format!("{n} branches:"),
    }];
    lines
        .extend(branches.iter().take(LISTED).map(|branch| format!("{} {}", mark(branch), described(branch))));
    if branches.len() > LISTED {
        lines.push(format!("… {} more", branches.len() - LISTED));
    }
    lines.join("\n")
}

/// Renders a branch in one line.
fn described(branch: &BranchInfo) -> String {
    let Some(persona) = &branch.persona else { return branch.name.clone() };
    let line = persona.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{} (persona: {})", branch.name, truncated(&line, PERSONA_CHARS, "…"))
}
