//! Exports of any format as texts, and the law of their round trip.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use memtape::export::Format;
use memtape::{At, Audience, Export, Exported, Form, Memory, Sensitivity, Workspace};

use crate::forms::zone;
use crate::laws::{Verdict, run, same, text, view};
use crate::step::Step;
use crate::workspace::TestWorkspace;

/// An export.
#[derive(Clone, Debug)]
pub struct Made {
    /// What was counted.
    pub exported: Exported,
    /// The texts of the files by path; a single file has an empty path. Bytes that are no text are replaced.
    pub files: BTreeMap<String, String>,
}

impl Made {
    /// Exports a workspace.
    ///
    /// # Errors
    /// As [`Workspace::export`].
    ///
    /// # Panics
    /// If the temporary directory cannot be created or read.
    pub fn new(workspace: &Workspace, export: &Export, at: &At) -> memtape::Result<Self> {
        let mut files = BTreeMap::new();
        if export.format != Format::Files {
            let mut bytes = Vec::new();
            let exported = workspace.export(export, at, &mut bytes)?;
            files.insert(String::new(), String::from_utf8_lossy(&bytes).into_owned());
            return Ok(Self { exported, files });
        }
        let dir = tempfile::tempdir().expect("the machine has a temporary folder");
        let to = dir.path().join("export");
        let exported = workspace.export_to(export, at, &to, false)?;
        read_below(&to, &to, &mut files);
        Ok(Self { exported, files })
    }

    /// Returns the text of a single file.
    #[must_use]
    pub fn text(&self) -> &str {
        self.files.get("").map_or("", String::as_str)
    }

    /// Returns all texts.
    #[must_use]
    pub fn all(&self) -> String {
        self.files.iter().map(|(path, text)| format!("{path}\n{text}\n")).collect()
    }
}

fn read_below(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the export is a folder") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            read_below(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let bytes = fs::read(&path).expect("the file can be read");
            files.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}

/// The round trip of the whole memory: an import of the owner's export shows at every entry what the source shows,
/// whether it was interrupted or not, and importing it again changes nothing. Without what is confidential, every
/// other memory is the same.
///
/// # Errors
/// A description of the violation.
pub fn round_trip(steps: &[Step], cut: usize) -> Verdict {
    let test = TestWorkspace::new();
    run(&test, steps)?;
    let asked = Export { confidential: true, ..Export::default() };
    let whole = Made::new(&test.workspace, &asked, &At::head()).map_err(text)?;
    let other = TestWorkspace::at(&test.clock);
    // The import stops at any line, in the middle of a group or not, and then begins again.
    let lines: Vec<&str> = whole.text().split_inclusive('\n').collect();
    let _ = other.workspace.import_tape(lines[..cut % lines.len()].concat().as_bytes(), |_| {});
    let imported = other.workspace.import_tape(whole.text().as_bytes(), |_| {}).map_err(text)?;
    if imported.added + imported.present != whole.exported.entries as u64 || imported.redacted > 0 {
        return Err(format!("{imported:?} of {:?}", whole.exported));
    }
    let again = other.workspace.import_tape(whole.text().as_bytes(), |_| {}).map_err(text)?;
    if again.added > 0 {
        return Err(format!("a second import: {again:?}"));
    }
    verifies(&other)?;
    let entries = test.workspace.status(&At::head()).map_err(text)?.entries;
    for entry in 1..=entries {
        let at = At::entry(entry);
        same(&format!("at entry {entry}"), &view(&test.workspace, &at)?, &view(&other.workspace, &at)?)?;
    }
    without_confidential(&test, entries)
}

/// Checks an export that leaves out what is confidential.
fn without_confidential(test: &TestWorkspace, entries: u64) -> Verdict {
    let shown = Made::new(&test.workspace, &Export::default(), &At::head()).map_err(text)?;
    let other = TestWorkspace::at(&test.clock);
    other.workspace.import_tape(shown.text().as_bytes(), |_| {}).map_err(text)?;
    verifies(&other)?;
    for entry in 1..=entries {
        let at = At::entry(entry);
        for form in Form::all() {
            let of = |workspace: &Workspace| -> Result<String, String> {
                let memories = workspace.memories(form, &Audience::owner(), &at).map_err(text)?;
                let shown = memories.iter().filter(|memory| memory.sensitivity != Sensitivity::Confidential);
                Ok(shown.map(|memory| format!("{} {}\n", memory.version(), content(memory))).collect())
            };
            same(&format!("{form} at entry {entry}"), &of(&test.workspace)?, &of(&other.workspace)?)?;
        }
    }
    Ok(())
}

/// The round trip for an audience: a workspace that imports its export has the memories that the audience sees, and
/// no others.
///
/// # Errors
/// A description of the violation.
pub fn round_trip_of_audiences(steps: &[Step]) -> Verdict {
    let test = TestWorkspace::new();
    run(&test, steps)?;
    for audience in zone::audiences().into_iter().filter(|audience| *audience != Audience::owner()) {
        let asked = Export { audience: audience.clone(), ..Export::default() };
        let made = Made::new(&test.workspace, &asked, &At::head()).map_err(text)?;
        if made.exported.entries == 0 {
            continue;
        }
        let other = TestWorkspace::at(&test.clock);
        other.workspace.import_tape(made.text().as_bytes(), |_| {}).map_err(text)?;
        verifies(&other)?;
        for form in Form::all() {
            let of = |workspace: &Workspace, audience: &Audience| -> Result<String, String> {
                let memories = workspace.memories(form, audience, &At::head()).map_err(text)?;
                let shown = memories.iter().filter(|memory| memory.sensitivity != Sensitivity::Confidential);
                // The numbers of messages are their keys.
                let key = |memory: &Memory| match form {
                    Form::MESSAGES => String::new(),
                    _ => memory.reference().to_string(),
                };
                Ok(shown.map(|memory| format!("{} {}\n", key(memory), content(memory))).collect())
            };
            let what = format!("{form} for {audience:?}");
            same(&what, &of(&test.workspace, &audience)?, &of(&other.workspace, &Audience::owner())?)?;
        }
    }
    Ok(())
}

/// Returns what a memory says, whatever tape it is on.
fn content(memory: &Memory) -> String {
    let Memory {
        session,
        scope,
        sensitivity,
        origin,
        category,
        lifetime,
        importance,
        confidence,
        expires_at,
        quarantined,
        said_at,
        created_at,
        text,
        ..
    } = memory;
    let scope = if scope.starts_with("workspace:") { "workspace" } else { scope };
    format!(
        "{session:?} {scope} {sensitivity} {origin:?} {category:?} {lifetime:?} {importance:?} {confidence:?} \
         {expires_at:?} {quarantined:?} {said_at:?} {created_at} {text:?}"
    )
}

fn verifies(test: &TestWorkspace) -> Verdict {
    let verified = Workspace::verify(test.path()).map_err(text)?;
    let is_whole =
        verified.tape.bad.is_empty() && verified.tape.torn.is_none() && verified.missing_since.is_none();
    let warnings = test.workspace.take_warnings();
    match is_whole && warnings.is_empty() {
        true => Ok(()),
        false => Err(format!("the imported tape does not verify: {verified:?} {warnings:?}")),
    }
}
