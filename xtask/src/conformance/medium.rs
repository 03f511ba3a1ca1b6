//! A disk that can be made full or read-only: a small tmpfs if mounting is allowed, otherwise a directory
//! with limits on file sizes and with permissions, which any user can set.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::memtape::Memtape;
use crate::run::{Result, run, succeed};

/// The tmpfs size: large enough for a workspace with its index, small enough to fill quickly.
const SIZE: &str = "size=2m";
/// The file that fills the disk.
const FILLER: &str = "filler";
/// How far the tape may still grow on a "full" disk without a mount, in blocks of 512 bytes. A few writes
/// fit, so that the first one that does not fit is cut in the middle.
const BLOCKS_LEFT: u64 = 7;

/// A small disk, mounted or simulated.
pub(super) struct Medium {
    dir: PathBuf,
    is_mounted: bool,
    /// The maximum file size in blocks, if it simulates the free space of the disk.
    blocks: Option<u64>,
    /// How the current condition was created, for the output of the check.
    pub(super) how: String,
}

impl Medium {
    /// Creates a disk in an empty directory.
    pub(super) fn new(dir: &Path) -> Result<Self> {
        fs::create_dir_all(dir).map_err(|e| format!("cannot make {}: {e}", dir.display()))?;
        let mounted = run(Command::new("mount").args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]).arg(dir));
        let is_mounted = mounted.as_ref().is_ok_and(super::super::run::Ran::is_success);
        Ok(Self { dir: dir.to_owned(), is_mounted, blocks: None, how: String::new() })
    }

    /// Returns the directory of the workspace on this disk.
    pub(super) fn workspace(&self) -> PathBuf {
        self.dir.join("workspace")
    }

    /// Returns a memtape command on this workspace.
    pub(super) fn command(&self, memtape: &Memtape, arguments: &[&str]) -> Command {
        match self.blocks {
            Some(blocks) => memtape.limited(blocks, &self.workspace(), arguments),
            None => memtape.command(&self.workspace(), arguments),
        }
    }

    /// Makes the disk full.
    pub(super) fn fill(&mut self) -> Result<()> {
        if self.is_mounted {
            let filler = self.dir.join(FILLER);
            let mut file =
                File::create(&filler).map_err(|e| format!("cannot make {}: {e}", filler.display()))?;
            // Write ever smaller pieces until not one byte fits.
            for size in [1 << 16, 1 << 12, 1] {
                while file.write_all(&vec![0; size]).is_ok() {}
            }
            self.how = "a full tmpfs".into();
            return Ok(());
        }
        let tape = self.workspace().join("tape.jsonl");
        let length =
            fs::metadata(&tape).map_err(|e| format!("cannot look at {}: {e}", tape.display()))?.len();
        self.blocks = Some(length / 512 + BLOCKS_LEFT);
        self.how = "mounting is refused here, so `ulimit -f` stands for a full disk".into();
        Ok(())
    }

    /// Frees the space again.
    pub(super) fn free(&mut self) -> Result<()> {
        self.blocks = None;
        match self.is_mounted {
            true => {
                fs::remove_file(self.dir.join(FILLER)).map_err(|e| format!("cannot remove the filler: {e}"))
            }
            false => Ok(()),
        }
    }

    /// Makes the disk read-only.
    pub(super) fn close(&mut self) -> Result<()> {
        if self.is_mounted {
            self.how = "a tmpfs remounted read-only".into();
            return self.remount("remount,ro");
        }
        self.permit("a-w")?;
        self.how = "mounting is refused here, so permissions stand for a read-only medium".into();
        let probe = self.workspace().join("probe");
        if File::create(&probe).is_ok() {
            // Permissions do not apply to root, but a limit on file sizes does.
            fs::remove_file(&probe).map_err(|e| format!("cannot remove {}: {e}", probe.display()))?;
            self.blocks = Some(0);
            self.how = "mounting is refused here and root may write anywhere, so `ulimit -f 0` stands for a \
                        read-only medium"
                .into();
        }
        Ok(())
    }

    /// Makes the disk writable again.
    pub(super) fn open(&mut self) -> Result<()> {
        self.blocks = None;
        match self.is_mounted {
            true => self.remount("remount,rw"),
            false => self.permit("u+w"),
        }
    }

    fn remount(&self, options: &str) -> Result<()> {
        succeed(Command::new("mount").args(["-o", options]).arg(&self.dir)).map(drop)
    }

    fn permit(&self, mode: &str) -> Result<()> {
        succeed(Command::new("chmod").args(["-R", mode]).arg(self.workspace())).map(drop)
    }
}

impl Drop for Medium {
    fn drop(&mut self) {
        let undone = match self.is_mounted {
            true => succeed(Command::new("umount").arg(&self.dir)).map(drop),
            // Without write permission the directory could not be deleted.
            false => self.permit("u+w"),
        };
        if let Err(why) = undone {
            eprintln!("note: {} is left behind: {why}", self.dir.display());
        }
    }
}
