//! Skills: Markdown files in directories of the owner, listed in prompts and loaded on demand.
//!
//! A skill is a file `NAME.md` or `NAME/SKILL.md`. Its front matter gives its name and description: `---`,
//! `name: …`, `description: …`, `---`.
//!
//! **Invariants.** Only files within the configured directories are read: no link that leads out of them, no
//! file that is too large or not text. Skipped files are reported. The directories come from the owner's
//! configuration, never from a workspace's.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use memtape_core::prompt::Skill;

use crate::error::{Error, Result};
use crate::workspace::Workspace;

/// Maximum size of a skill's file, in bytes.
const BYTES_MAX: u64 = 1 << 20;
/// Maximum number of skills over all directories.
const SKILLS_MAX: usize = 200;
/// The name of the file if the skill has its own directory.
const FILE: &str = "SKILL.md";

/// The skills of a workspace.
pub struct Skills<'a> {
    folders: &'a [PathBuf],
}

/// The skills that were found, and the files that were skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The skills by name, each with its file.
    pub skills: BTreeMap<String, (Skill, PathBuf)>,
    /// The skipped files, each with the reason.
    pub odd: Vec<String>,
}

impl Workspace {
    /// Returns the skills of the directories that the owner configured.
    #[must_use]
    pub fn skills(&self) -> Skills<'_> {
        Skills { folders: &self.config.prompt.skills }
    }
}

impl Skills<'_> {
    /// Reads the directories.
    ///
    /// If two skills have the same name, the first directory wins, and within a directory the first file
    /// name.
    #[must_use]
    pub fn find(&self) -> Found {
        let mut found = Found::default();
        for folder in self.folders {
            let entries = match folder.canonicalize().and_then(|folder| Ok((fs::read_dir(&folder)?, folder)))
            {
                Ok((entries, root)) => (entries, root),
                Err(e) => {
                    found.odd.push(format!("{}: {e}", folder.display()));
                    continue;
                }
            };
            let (entries, root) = entries;
            let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
            paths.sort();
            for path in paths {
                let file = if path.is_dir() { path.join(FILE) } else { path };
                let is_markdown = file.extension().is_some_and(|end| end == "md");
                if !is_markdown || !file.exists() {
                    continue;
                }
                match read(&file, &root) {
                    Ok(text) => found.add(&file, &text),
                    Err(why) => found.odd.push(format!("{}: {why}", file.display())),
                }
            }
        }
        found
    }

    /// Returns the text of a skill.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no skill of this name (the message lists the names);
    /// [`Error::Invalid`] if its file cannot be read, is too large, is not UTF-8 or is a link out of its
    /// directory.
    pub fn load(&self, name: &str) -> Result<String> {
        let found = self.find();
        let Some((_, file)) = found.skills.get(name) else {
            let names: Vec<_> = found.skills.keys().map(String::as_str).collect();
            let hint = match names.is_empty() {
                true => "no skills are configured: the owner sets skills.folders".to_owned(),
                false => format!("expected one of {}", names.join(", ")),
            };
            return Err(Error::NotFound(format!("there is no skill {name:?}; {hint}")));
        };
        let root = self.folders.iter().filter_map(|folder| folder.canonicalize().ok());
        let root = root.filter(|root| file.starts_with(root)).max_by_key(|root| root.as_os_str().len());
        let root = root.ok_or_else(|| Error::NotFound(format!("skill {name:?} no longer exists")))?;
        read(file, &root).map_err(|why| Error::Invalid(format!("cannot read skill {name:?}: {why}")))
    }
}

impl Found {
    fn add(&mut self, file: &Path, text: &str) {
        let of_file = |path: &Path| path.file_stem().map(|name| name.to_string_lossy().into_owned());
        let is_folder = file.file_name().is_some_and(|name| name == FILE);
        let own = if is_folder { file.parent().and_then(of_file) } else { of_file(file) };
        let fields = front_matter(text);
        let field = |name: &str| fields.get(name).filter(|value| !value.is_empty()).cloned();
        let Some(name) = field("name").or(own) else { return };
        if self.skills.contains_key(&name) {
            self.odd.push(format!("{}: skill {name:?} already exists", file.display()));
        } else if self.skills.len() >= SKILLS_MAX {
            self.odd.push(format!("{}: more than {SKILLS_MAX} skills", file.display()));
        } else {
            let description = field("description").unwrap_or_default();
            self.skills.insert(name.clone(), (Skill { name, description }, file.to_owned()));
        }
    }
}

/// Returns the text of a file below a directory.
fn read(file: &Path, root: &Path) -> std::result::Result<String, String> {
    let real = file.canonicalize().map_err(|e| e.to_string())?;
    if !real.starts_with(root) {
        return Err("it is a link out of its folder".into());
    }
    let about = fs::metadata(&real).map_err(|e| e.to_string())?;
    if !about.is_file() {
        return Err("it is not a file".into());
    }
    if about.len() > BYTES_MAX {
        return Err(format!("it is larger than {BYTES_MAX} bytes"));
    }
    String::from_utf8(fs::read(&real).map_err(|e| e.to_string())?).map_err(|_| "it is not UTF-8".into())
}

/// Returns the lines `key: value` between two lines `---` at the beginning of a text.
fn front_matter(text: &str) -> BTreeMap<String, String> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut lines = text.lines().map(str::trim_end);
    if lines.next() != Some("---") {
        return BTreeMap::new();
    }
    let mut fields = BTreeMap::new();
    for line in lines {
        if line == "---" {
            return fields;
        }
        if let Some((key, value)) = line.split_once(':') {
            let value = value.trim();
            let quoted = ['"', '\''].iter().find_map(|&quote| value.strip_prefix(quote)?.strip_suffix(quote));
            fields.insert(key.trim().to_owned(), quoted.unwrap_or(value).to_owned());
        }
    }
    // Front matter that is not closed is text.
    BTreeMap::new()
}
