//! The working copies, in the status.

use memtape::notes::size_text;
use memtape::{ErrorKind, Form, Keeper, Workspace};
use serde_json::json;

use crate::output::{Output, Result, counted};

/// Says whose the git repository is at the workspace's root, where that is somebody else's.
pub(super) fn history(workspace: &Workspace, output: &Output) -> Result<&'static str> {
    Ok(match workspace.history_keeper()? {
        Keeper::Nobody => "none",
        Keeper::Memtape => "memtape",
        Keeper::SomebodyElse => {
            output.note(
                "the git repository here is not memtape's: nothing is committed there, and the history of files/ is the tape's \
                 alone",
            );
            "foreign"
        }
    })
}

/// What a person should know of the files of a form, in the status.
pub(super) fn status(
    workspace: &Workspace,
    output: &Output,
    form: Form,
) -> Result<Option<serde_json::Value>> {
    let files = match workspace.files_status(form) {
        Ok(files) => files,
        // The rest can be said without it.
        Err(e) if e.kind() != ErrorKind::Internal => {
            output.note(format_args!("warning: {e}"));
            return Ok(None);
        }
        Err(e) => return Err(e.into()),
    };
    for odd in &files.odd {
        output.note(format_args!("warning: {odd}"));
    }
    for path in &files.secrets {
        output.note(format_args!(
            "warning: {path} holds a secret; the tape has it without (take it out, or `memtape scan --redact` does)"
        ));
    }
    if output.json {
        let odd: Vec<_> =
            files.odd.iter().map(|odd| json!({"path": odd.path, "why": odd.why.to_string()})).collect();
        return Ok(Some(json!({
            "files": files.files, "bytes": files.bytes, "branch": files.branch, "odd": odd,
            "secrets": files.secrets, "waiting": files.waiting,
        })));
    }
    let branch = files.branch.map_or_else(String::new, |branch| format!(", of {branch}"));
    let waiting = match files.waiting.len() {
        0 => String::new(),
        n => format!("; {} to be written", counted(n as u64, "file waits", "files wait")),
    };
    let count = counted(files.files as u64, "file", "files");
    output.line(format_args!("{form:<10} {count}, {}{branch}{waiting}", size_text(files.bytes)))?;
    Ok(None)
}
