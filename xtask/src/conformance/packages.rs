//! The programs from PyPI and npm that the checks run, in the versions that `xtask/conformance` pins.
//!
//! They are installed into the target directory once, and again when the pinned versions change.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{read, write};
use crate::memtape::{Memtape, root};
use crate::run::{Result, succeed};

const REQUIREMENTS: &str = include_str!("../../conformance/requirements.txt");
const CONSTRAINTS: &str = include_str!("../../conformance/constraints.txt");
const ALONE: &str = include_str!("../../conformance/requirements-alone.txt");
const PACKAGE: &str = include_str!("../../conformance/package.json");
const LOCK: &str = include_str!("../../conformance/package-lock.json");

/// The installed programs.
pub(super) struct Packages {
    /// The virtual environment of the Python programs.
    python: PathBuf,
    /// The directory that contains `node_modules`.
    node: PathBuf,
}

impl Packages {
    /// Installs what is missing.
    pub(super) fn install() -> Result<Self> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
        // The checks run in other directories.
        let target = std::path::absolute(target.join("conformance"))
            .map_err(|e| format!("the target directory has no absolute path: {e}"))?;
        let packages = Self { python: target.join("python"), node: target.join("node") };
        // Both mostly wait for a registry and a disk.
        std::thread::scope(|scope| {
            let python = scope.spawn(|| packages.install_python());
            packages.install_node()?;
            python.join().map_err(|_| "installing the Python packages panicked".to_owned())?
        })?;
        Ok(packages)
    }

    /// Returns a command that runs a program of the virtual environment.
    pub(super) fn python(&self, memtape: &Memtape, program: &str) -> Command {
        let mut command = memtape.client(self.python.join("bin").join(program));
        // What is compiled is kept for the next run, but not beside the scripts.
        command.env("PYTHONPYCACHEPREFIX", self.python.join("compiled"));
        command
    }

    /// Returns a command that runs a script with the Python packages.
    pub(super) fn python_script(&self, memtape: &Memtape, name: &str) -> Command {
        let mut command = self.python(memtape, "python");
        command.arg(file(name));
        command
    }

    /// Returns a command that runs a program of the Node.js packages.
    pub(super) fn node(&self, memtape: &Memtape, program: &str) -> Command {
        memtape.client(self.node.join("node_modules/.bin").join(program))
    }

    /// Returns a command that runs a script with the Node.js packages.
    pub(super) fn node_script(&self, memtape: &Memtape, name: &str) -> Result<Command> {
        // A script finds the packages only if it is beside them.
        let copy = self.node.join(name);
        write(&copy, &read(&file(name))?)?;
        let mut command = memtape.client("node");
        command.arg(copy);
        Ok(command)
    }

    fn install_python(&self) -> Result<()> {
        let version = succeed(Command::new("python3").arg("--version"))?;
        install_once(&self.python, &[&version, REQUIREMENTS, CONSTRAINTS, ALONE], || {
            succeed(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&self.python))?;
            let pip = || {
                let mut pip = Command::new(self.python.join("bin/pip"));
                pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-compile"]);
                pip
            };
            succeed(pip().arg("--requirement").arg(file("requirements.txt")))?;
            let mut alone = pip();
            alone.args(["--no-deps", "--ignore-requires-python", "--requirement"]);
            succeed(alone.arg(file("requirements-alone.txt"))).map(drop)
        })
    }

    fn install_node(&self) -> Result<()> {
        install_once(&self.node, &[PACKAGE, LOCK], || {
            write(&self.node.join("package.json"), PACKAGE)?;
            write(&self.node.join("package-lock.json"), LOCK)?;
            let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
            succeed(Command::new("npm").args(arguments).current_dir(&self.node)).map(drop)
        })
    }
}

/// Returns the pinned version of a Python package.
pub(super) fn python_version(package: &str) -> &'static str {
    let pinned = REQUIREMENTS.lines().chain(ALONE.lines()).filter_map(|line| line.split_once("=="));
    pinned.into_iter().find(|(name, _)| *name == package).map_or("", |(_, version)| version)
}

/// Returns the pinned version of a Node.js package.
pub(super) fn node_version(package: &str) -> String {
    let pinned: serde_json::Value = serde_json::from_str(PACKAGE).unwrap_or_default();
    pinned["dependencies"][package].as_str().unwrap_or_default().to_owned()
}

/// Returns the path of a script or another file beside the pinned versions.
pub(super) fn file(name: &str) -> PathBuf {
    root().join("xtask/conformance").join(name)
}

/// Installs into a directory, unless the last installation there succeeded with the same inputs.
fn install_once(folder: &Path, inputs: &[&str], install: impl FnOnce() -> Result<()>) -> Result<()> {
    let (stamp, inputs) = (folder.join("installed"), inputs.concat());
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == inputs) {
        return Ok(());
    }
    let cannot = |e| format!("cannot make {}: {e}", folder.display());
    fs::create_dir_all(folder).map_err(cannot)?;
    // An installation that is interrupted must not count.
    write(&stamp, "")?;
    install()?;
    write(&stamp, &inputs)
}
