//! The working copies in the status.

use memtape::files::ENDINGS;
use memtape::notes::size_text;
use memtape::{At, ErrorKind, Form, Keeper, PassedOver, Workspace};
use serde_json::json;

use super::absolute;
use crate::output::{Output, Result, counted};

/// Returns who keeps the git history of `files/`, and prints how to get one if memtape does not.
pub(super) fn history(workspace: &Workspace, output: &Output, has_files: bool) -> Result<&'static str> {
    Ok(match workspace.history_keeper()? {
        Keeper::Nobody => "none",
        Keeper::Off => "off",
        Keeper::Memtape(_) => "memtape",
        Keeper::SomebodyElse(path) => {
            // Before the first file there is no history to keep.
            if has_files {
                output.note(format_args!(
                    "note: files/ is not committed to git: {} is not memtape's repository (set files.git = \"separate\" in \
                     memtape.toml to keep a history in history.git)",
                    absolute(&path).display()
                ));
            }
            "foreign"
        }
        Keeper::OtherUsers(path) => {
            let repository = absolute(&path);
            // Git asks for the folder of the files, not for the `.git` in it.
            let folder = match repository.file_name().is_some_and(|name| name == ".git") {
                true => repository.parent().unwrap_or(&repository),
                false => &repository,
            };
            output.note(format_args!(
                "note: files/ is not committed to git: {} belongs to another user (to commit there, run `git config \
                 --global --add safe.directory {}`)",
                repository.display(),
                folder.display()
            ));
            "other_user"
        }
        Keeper::Unsupported(made) => {
            if has_files || made.is_some() {
                let stays = made.map_or_else(String::new, |made| {
                    format!("; the history in {} stays as it is", absolute(&made).display())
                });
                output.note(format_args!(
                    "note: files/ is not committed to git: this build of memtape has no git support{stays}"
                ));
            }
            "unsupported"
        }
        Keeper::Blocked(path) => {
            output.note(format_args!(
                "warning: files/ is not committed to git: {} is not memtape's repository (move it away)",
                absolute(&path).display()
            ));
            "foreign"
        }
    })
}

/// Maximum number of ignored paths that are listed.
const PASSED_OVER_NAMED: usize = 5;

/// Formats the note about paths in the directory of a form that are not recorded.
fn passed_over(form: Form, passed_over: &PassedOver) -> String {
    let PassedOver { count, paths } = passed_over;
    let named: Vec<_> = paths.iter().take(PASSED_OVER_NAMED).map(|path| shown(path)).collect();
    let more = match count - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (are, what) = match form {
        Form::NOTES => ("notes are", "files that end in .md, directly in their folder".to_owned()),
        _ => ("files are", format!("those that end in {}", ENDINGS.join(", "))),
    };
    format!("note: not recorded: {}{more} ({are} {what})", named.join(", "))
}

/// Replaces the control characters of a path, so that it takes one line.
fn shown(path: &str) -> String {
    path.replace(char::is_control, "\u{FFFD}")
}

/// Prints the status of a form's working copy, with warnings, or what the form had at an earlier point. Returns it as JSON
/// if `--json` is in effect.
pub(super) fn status(
    workspace: &Workspace,
    output: &Output,
    form: Form,
    at: &At,
) -> Result<Option<serde_json::Value>> {
    let files = match workspace.files_status_at(form, at) {
        Ok(files) => files,
        // The rest of the status does not need these files.
        Err(e) if e.kind() != ErrorKind::Internal => {
            output.note(format_args!("warning: {e}"));
            return Ok(None);
        }
        Err(e) => return Err(e.into()),
    };
    for odd in &files.odd {
        output.note(format_args!("warning: {odd}"));
    }
    if files.passed_over.count > 0 {
        output.note(passed_over(form, &files.passed_over));
    }
    for path in &files.secrets {
        output.note(format_args!(
            "warning: {path} contains a secret, which the tape does not: remove it, or run `memtape scan --redact`"
        ));
    }
    for path in &files.kept {
        output.note(format_args!(
            "warning: {} was kept because of a secret, which the tape does not have: copy what you need from it, and \
             delete it",
            shown(path)
        ));
    }
    for path in &files.utf16 {
        output.note(format_args!(
            "warning: {} is encoded in UTF-16, so tools cannot edit it and search reads it poorly: save it as UTF-8",
            shown(path)
        ));
    }
    if output.json {
        let odd: Vec<_> =
            files.odd.iter().map(|odd| json!({"path": odd.path, "why": odd.why.to_string()})).collect();
        return Ok(Some(json!({
            "files": files.files, "bytes": files.bytes, "branch": files.branch, "odd": odd,
            "passed_over": {"count": files.passed_over.count, "paths": files.passed_over.paths},
            "secrets": files.secrets, "kept": files.kept, "waiting": files.waiting,
        })));
    }
    let branch = files.branch.map_or_else(String::new, |branch| format!(", of {branch}"));
    let waiting = match files.waiting.len() {
        0 => String::new(),
        n => format!("; {} to write", counted(n as u64, "file", "files")),
    };
    let count = counted(files.files as u64, "file", "files");
    output.line(format_args!("{form:<10} {count}, {}{branch}{waiting}", size_text(files.bytes)))?;
    Ok(None)
}
