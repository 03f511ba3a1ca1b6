//! The heartbeat: periodic maintenance. It extracts facts and notes from recent conversations, runs hygiene, computes
//! vectors, and does the tasks of [`TASKS_FILE`].
//!
//! Without a model, only hygiene and vectors run.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind as IoErrorKind;

use memtape::{Audience, Consolidated, ErrorKind, Inbound, Session, Trigger, Workspace};

use crate::agent::{Agent, AgentTurn, MAY_BE_SILENT};
use crate::consolidation::{Judged, consolidate};
use crate::controller::{Controller, Processed, When};
use crate::error::{Error, Result};
use crate::handoff::continue_with_replies;
use crate::models::Models;
use crate::reflector::{Reflect, Reflected, Reflector};
use crate::task::Task;
use crate::{consolidation, reflector};

/// The file with the tasks, in the directory of the workspace.
pub const TASKS_FILE: &str = "HEARTBEAT.md";
/// The file of tasks of a new workspace. It contains no task.
pub const TASKS_TEMPLATE: &str = "\
# Heartbeat

<!-- `memtape heartbeat` gives the lines of this file to the agent as tasks. Headings and comments are no tasks.
For example:
- Review recent conversations, and update facts that have changed.
- Remind me of appointments in my notes that are due within two days.
-->
";
/// The file that is locked during a heartbeat, in the directory of the workspace.
const LOCK_FILE: &str = "heartbeat.lock";
/// The conversation in which the tasks are done.
const SESSION: &str = "heartbeat:tasks";
/// Maximum size of the file of tasks, in bytes.
const TASKS_BYTES_MAX: usize = 64 * 1024;
/// Number of messages after which that conversation continues with the last replies.
const TASKS_MESSAGES_MAX: usize = 20;
/// Maximum number of vectors that one heartbeat computes.
const VECTORS_MAX: u64 = 10_000;

/// The result of a heartbeat.
#[derive(Debug, Default)]
pub struct HeartbeatReport {
    /// The conversations from which facts were extracted.
    pub processed: Vec<(Session, Processed)>,
    /// The conversations that were reflected on.
    pub reflected: Vec<(Session, Reflected)>,
    /// The memories that hygiene removed.
    pub consolidated: Consolidated,
    /// The model's judgement of the findings of consolidation. Its failures are in `failures`.
    pub judged: Judged,
    /// Number of vectors that were computed.
    pub vectors: u64,
    /// The turn in which the tasks were done; `None` if there are none, there is no model, or it failed.
    pub tasks: Option<AgentTurn>,
    /// The tasks that failed. The others were done.
    pub failures: Vec<Error>,
}

/// Runs one heartbeat.
///
/// # Errors
/// [`Error::Running`] if another process runs one, which would ask the model about the same messages; [`Error::Memtape`] if
/// that cannot be known. A part that fails is reported in [`HeartbeatReport::failures`], and the others are done.
pub fn heartbeat(workspace: &Workspace, models: Option<&Models>) -> Result<HeartbeatReport> {
    let _lock = locked(workspace)?;
    let mut beat = HeartbeatReport::default();
    if let Some(models) = models {
        let reviewed = review(workspace, models, &mut beat);
        or_report(reviewed, &mut beat);
    }
    or_report(Task::clean(workspace, &[reflector::TASK, consolidation::TASK]), &mut beat);
    let consolidated = workspace.consolidate(&Audience::owner()).map_err(Error::from);
    beat.consolidated = or_report(consolidated, &mut beat).unwrap_or_default();
    if let Some(models) = models {
        beat.judged = or_report(consolidate(workspace, models), &mut beat).unwrap_or_default();
        beat.failures.append(&mut beat.judged.failures);
    }
    while beat.vectors < VECTORS_MAX {
        match or_report(workspace.embed_idle().map_err(Error::from), &mut beat) {
            None | Some(0) => break,
            Some(made) => beat.vectors += made,
        }
    }
    let tasks = or_report(tasks(workspace), &mut beat).flatten();
    if let (Some(models), Some(tasks)) = (models, tasks) {
        let session = Session::parse(SESSION).map_err(memtape::Error::from)?;
        // Otherwise, each heartbeat sends the tasks of all those before it.
        or_report(continue_with_replies(workspace, &session, TASKS_MESSAGES_MAX), &mut beat);
        let inbound =
            Inbound { trigger: Trigger::Cron, ..Inbound::new(&format!("{tasks}\n\n{MAY_BE_SILENT}")) };
        let turn = Agent::new(workspace, models).turn(&session, &inbound, &mut |_| {});
        if let Some(mut turn) = or_report(turn, &mut beat) {
            match turn.failure.take() {
                Some(e) => beat.failures.push(e),
                None => beat.tasks = Some(turn),
            }
        }
    }
    Ok(beat)
}

/// Returns the result of a part; `None` if it failed, which is reported.
fn or_report<T>(result: Result<T>, beat: &mut HeartbeatReport) -> Option<T> {
    result.map_err(|e| beat.failures.push(e)).ok()
}

/// Excludes other heartbeats of the workspace as long as the result exists.
fn locked(workspace: &Workspace) -> Result<File> {
    let path = workspace.dir().join(LOCK_FILE);
    let failed = |e| Error::Memtape(memtape::Error::caller(format!("cannot lock {}: {e}", path.display())));
    let lock = File::options().create(true).append(true).open(&path).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(Error::Running),
        Err(TryLockError::Error(e)) => Err(failed(e)),
    }
}

/// Extracts facts from the conversations since the last heartbeat, and reflects on those that have paused.
fn review(workspace: &Workspace, models: &Models, beat: &mut HeartbeatReport) -> Result<()> {
    let own = workspace.conversation(Session::direct());
    let cursor = own.progress("heartbeat")?.unwrap_or_default();
    let recent = workspace.conversations_after(cursor.through)?;
    let pause = workspace.config().mind.heartbeat;
    let now = workspace.now();
    let mut through = cursor.through;
    let mut waits = false;
    for memtape::RecentConversation { session, last, date } in recent {
        if session.to_string() == SESSION {
            continue;
        }
        if workspace.config().mind.extract {
            loop {
                match Controller::new(workspace, models).process_conversation(&session, When::Now) {
                    Ok(done) => {
                        let has_more = done.has_more;
                        if done.messages > 0 {
                            beat.processed.push((session.clone(), done));
                        }
                        if !has_more {
                            break;
                        }
                    }
                    // The next call continues after these messages; if the answer was cut off, it reads them once more first.
                    Err(e) if e.is_unusable() => {
                        fail(e, beat);
                    }
                    Err(e) => {
                        waits |= fail(e, beat);
                        break;
                    }
                }
            }
        }
        let has_paused = now.duration_since(date).unsigned_abs() >= pause;
        if has_paused {
            loop {
                match Reflector::new(workspace, models).reflect(&session, Reflect::IfWorthIt) {
                    Ok(done) if done.calls > 0 => beat.reflected.push((session.clone(), done)),
                    Ok(_) => break,
                    // These messages are reflected on once more, and then those after them.
                    Err(e) if e.is_unusable() => {
                        fail(e, beat);
                    }
                    Err(e) => {
                        waits |= fail(e, beat);
                        break;
                    }
                }
            }
        }
        // Conversations that are active, or whose failure may pass, are checked again the next time.
        waits |= !has_paused;
        if !waits {
            through = last;
        }
    }
    if through > cursor.through {
        own.record_progress(&memtape::TaskProgress { task: "heartbeat".into(), through, ..cursor })?;
    }
    Ok(())
}

/// Records a failure, and returns whether the same may succeed the next time. What fails for one conversation does not keep
/// the others waiting.
fn fail(e: Error, beat: &mut HeartbeatReport) -> bool {
    let is_transient = match &e {
        Error::Model(_) | Error::Budget(_) => true,
        Error::Memtape(e) => matches!(e.kind(), ErrorKind::Busy | ErrorKind::Unavailable),
        _ => false,
    };
    beat.failures.push(e);
    is_transient
}

/// Returns the tasks in the file of tasks; `None` if it contains none.
fn tasks(workspace: &Workspace) -> Result<Option<String>> {
    let path = workspace.dir().join(TASKS_FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) if text.len() <= TASKS_BYTES_MAX => text,
        Ok(_) => return Err(Error::Invalid(format!("{} is longer than 64 KiB", path.display()))),
        Err(e) if e.kind() == IoErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(Error::Invalid(format!("cannot read {}: {e}", path.display()))),
    };
    Ok(tasks_of(&text))
}

/// Returns the lines of a text that are neither empty, headings nor comments.
fn tasks_of(text: &str) -> Option<String> {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    let lines =
        kept.lines().map(str::trim_end).filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let tasks = lines.collect::<Vec<_>>().join("\n");
    (!tasks.is_empty()).then_some(tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_available_may_succeed_the_next_time() {
        let failures = [
            (Error::Memtape(memtape::Error::caller("the disk is full")), true),
            (Error::Memtape(memtape::Error::Invalid("no".into())), false),
            (Error::Unusable("no".into()), false),
            (Error::Budget("no".into()), true),
        ];
        for (e, is_transient) in failures {
            let text = e.to_string();
            assert_eq!(fail(e, &mut HeartbeatReport::default()), is_transient, "{text}");
        }
    }

    #[test]
    fn comments_and_headings_are_no_tasks() {
        assert_eq!(tasks_of(TASKS_TEMPLATE), None);
        assert_eq!(
            tasks_of("# A\n- one\n<!-- no\n- no -->\n\n- two <!-- x\n").as_deref(),
            Some("- one\n- two")
        );
    }
}
