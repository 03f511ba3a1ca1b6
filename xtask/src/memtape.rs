//! The built `memtape` binary, as the checks run it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::{Result, succeed};

/// The built binary and the environment of its commands.
pub(crate) struct Memtape {
    binary: PathBuf,
    /// A separate home directory, so that a check does not touch the files of the user who runs it.
    home: PathBuf,
}

impl Memtape {
    /// Builds the binary, unless `XTASK_MEMTAPE` names one. `home` is the home directory of its commands.
    pub(crate) fn build(home: &Path) -> Result<Self> {
        if let Some(binary) = std::env::var_os("XTASK_MEMTAPE") {
            let binary = root().join(binary);
            return Ok(Self { binary, home: home.to_owned() });
        }
        let binary = build("memtape-cli", "memtape", &[])?;
        Ok(Self { binary, home: home.to_owned() })
    }

    /// Builds the binary without its default features, and keeps it in `home`.
    pub(crate) fn build_without_features(home: &Path) -> Result<Self> {
        let built = build("memtape-cli", "memtape", &["--no-default-features"])?;
        let binary = home.join("memtape-without-features").with_extension(std::env::consts::EXE_EXTENSION);
        let kept = std::fs::create_dir_all(home).and_then(|()| std::fs::copy(&built, &binary));
        kept.map_err(|e| format!("{} cannot be copied: {e}", built.display()))?;
        // The binary with all features takes its place again.
        build("memtape-cli", "memtape", &[])?;
        Ok(Self { binary, home: home.to_owned() })
    }

    /// Returns another program: built as this one, or beside it if `XTASK_MEMTAPE` names this one.
    pub(crate) fn beside(&self, package: &str, program: &str) -> Result<PathBuf> {
        match std::env::var_os("XTASK_MEMTAPE") {
            Some(_) => Ok(self.binary.with_file_name(program)),
            None => build(package, program, &[]),
        }
    }

    /// Returns a command on a workspace.
    pub(crate) fn command(&self, workspace: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        self.settle(&mut command);
        command.arg("-C").arg(workspace).args(arguments);
        command
    }

    /// Returns a command that cannot grow a file beyond this number of blocks of 512 bytes.
    pub(crate) fn limited(&self, blocks: u64, workspace: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        self.settle(&mut command);
        // Without the trap, the kernel kills the process instead of failing the write.
        command
            .args(["-c", r#"trap '' XFSZ; ulimit -f "$1"; shift; exec "$@""#, "sh", &blocks.to_string()])
            .arg(&self.binary)
            .arg("-C")
            .arg(workspace)
            .args(arguments);
        command
    }

    /// Returns a command of another program, in the environment of memtape's commands.
    pub(crate) fn client(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        self.settle(&mut command);
        command
    }

    fn settle(&self, command: &mut Command) {
        command.env("HOME", &self.home).env("XDG_CONFIG_HOME", &self.home).env_remove("MEMTAPE_WORKSPACE");
    }

    /// Runs a command on a workspace and returns its standard output. Fails if the command fails.
    pub(crate) fn run(&self, workspace: &Path, arguments: &[&str]) -> Result<String> {
        succeed(&mut self.command(workspace, arguments))
    }
}

/// Builds a program of a package of this repository.
fn build(package: &str, program: &str, options: &[&str]) -> Result<PathBuf> {
    // The cargo that runs this program, so that the build profile and target directory are the same.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command
        .args(["build", "--package", package, "--message-format", "json-render-diagnostics"])
        .args(options)
        .current_dir(root())
        .stderr(Stdio::inherit());
    let output = command.output().map_err(|e| format!("cargo could not be started: {e}"))?;
    if !output.status.success() {
        return Err(format!("{package} does not build: cargo says above why"));
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == program)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .ok_or_else(|| format!("cargo built {package} but names no executable {program:?}"))
}

/// Returns the root directory of this repository.
pub(crate) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}
