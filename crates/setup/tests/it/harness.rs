//! A home and a project in a temporary folder, and the sample configurations.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use memtape_setup::{Client, Command, Error, Plan, Platform, Result, Scope, System};
use tempfile::TempDir;

/// A home folder and a project's folder, deleted after the test.
pub(crate) struct Home {
    folder: TempDir,
    pub(crate) command: Command,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "project"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self { folder, command: Command { program: "memtape".to_owned(), workspace: None } }
    }

    /// Returns a path in the home folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("home").join(name)
    }

    /// Returns a path in the project's folder.
    pub(crate) fn in_project(&self, name: &str) -> PathBuf {
        self.folder.path().join("project").join(name)
    }

    /// Writes a file in the home folder.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn with<T>(&self, run: impl FnOnce(&System<'_>) -> T) -> T {
        run(&System {
            home: self.path(""),
            project: self.in_project(""),
            platform: Platform::Linux,
            variable: &|_: &str| None::<OsString>,
        })
    }

    pub(crate) fn plan_add(&self, client: Client) -> Result<Plan> {
        self.with(|system| memtape_setup::add(client, Scope::User, &self.command, system))
    }

    pub(crate) fn plan_remove(&self, client: Client) -> Result<Plan> {
        self.with(|system| memtape_setup::remove(client, Scope::User, &self.command, system))
    }

    pub(crate) fn add(&self, client: Client) {
        self.plan_add(client).unwrap().apply().unwrap();
    }

    pub(crate) fn remove(&self, client: Client) {
        self.plan_remove(client).unwrap().apply().unwrap();
    }

    /// Returns the files in the home folder and their content, by name.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let home = self.path("");
        let mut files = Vec::new();
        let mut folders = vec![home.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&home).unwrap().to_str().unwrap().to_owned();
                    files.push((name, fs::read(path).unwrap()));
                }
            }
        }
        files.sort();
        files
    }

    /// Replaces the home folder in a message by `~`.
    pub(crate) fn shown(&self, error: &Error) -> String {
        error.to_string().replace(self.path("").to_str().unwrap(), "~/")
    }
}

/// A configuration file before memtape is added.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The file, in the home folder.
    pub(crate) file: String,
    pub(crate) title: String,
    /// The content. `None` if there is no file.
    pub(crate) text: Option<String>,
}

impl Sample {
    /// Returns whether memtape is in the file already.
    pub(crate) fn has_memtape(&self) -> bool {
        self.title.starts_with("an older")
            || self.title.starts_with("older")
            || self.title.contains("up to date")
    }
}

/// Returns the samples of a client. After a line `=== FILE: TITLE` follows the content: nothing if there is no file,
/// and `-` for an empty one.
pub(crate) fn samples(client: Client) -> Vec<Sample> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/it/samples/{}.txt", client.id()));
    let all = fs::read_to_string(path).unwrap();
    let sample = |section: &str| {
        let (title, text) = section.split_once('\n').unwrap();
        let (file, title) = title.split_once(": ").unwrap();
        let text = match text {
            "" => None,
            "-\n" => Some(String::new()),
            text => Some(text.to_owned()),
        };
        Sample { file: file.to_owned(), title: title.to_owned(), text }
    };
    all.split("=== ").skip(1).map(sample).collect()
}
