//! A medium that can be full, and one that cannot be written: a small tmpfs where mounting is allowed, else what
//! any user may do, limits on the size of files and permissions.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::memtape::Memtape;
use crate::run::{Result, run, succeed};

/// Enough for a workspace with its index, little enough to be filled at once.
const SIZE: &str = "size=2m";
/// Takes up the room.
const FILLER: &str = "filler";
/// How far files may still grow on a "full" medium without a mount, in blocks of 512 bytes: a few writes fit, so
/// that the one that does not is cut in its middle.
const BLOCKS_LEFT: u64 = 7;

/// A small medium, mounted or made up.
pub(super) struct Medium {
    dir: PathBuf,
    is_mounted: bool,
    /// The greatest size of a file, where that stands for the room on the medium.
    blocks: Option<u64>,
    /// How the medium is what it is now, for the person who reads.
    pub(super) how: String,
}

impl Medium {
    /// Makes a medium in an empty folder.
    pub(super) fn new(dir: &Path) -> Result<Self> {
        fs::create_dir_all(dir).map_err(|e| format!("cannot make {}: {e}", dir.display()))?;
        let mounted = run(Command::new("mount").args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]).arg(dir));
        let is_mounted = mounted.as_ref().is_ok_and(super::super::run::Ran::is_success);
        Ok(Self { dir: dir.to_owned(), is_mounted, blocks: None, how: String::new() })
    }

    /// The workspace on it.
    pub(super) fn workspace(&self) -> PathBuf {
        self.dir.join("workspace")
    }

    /// A memtape command on its workspace.
    pub(super) fn command(&self, memtape: &Memtape, arguments: &[&str]) -> Command {
        match self.blocks {
            Some(blocks) => memtape.limited(blocks, &self.workspace(), arguments),
            None => memtape.command(&self.workspace(), arguments),
        }
    }

    /// Takes up all the room.
    pub(super) fn fill(&mut self) -> Result<()> {
        if self.is_mounted {
            let filler = self.dir.join(FILLER);
            let mut file =
                File::create(&filler).map_err(|e| format!("cannot make {}: {e}", filler.display()))?;
            // Smaller and smaller pieces, until not one byte fits.
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

    /// Makes room again.
    pub(super) fn free(&mut self) -> Result<()> {
        self.blocks = None;
        match self.is_mounted {
            true => {
                fs::remove_file(self.dir.join(FILLER)).map_err(|e| format!("cannot remove the filler: {e}"))
            }
            false => Ok(()),
        }
    }

    /// Lets nobody write.
    pub(super) fn close(&mut self) -> Result<()> {
        if self.is_mounted {
            self.how = "a tmpfs remounted read-only".into();
            return self.remount("remount,ro");
        }
        self.permit("a-w")?;
        self.how = "mounting is refused here, so permissions stand for a read-only medium".into();
        let probe = self.workspace().join("probe");
        if File::create(&probe).is_ok() {
            // Permissions do not bind root. What binds everybody is that no file may grow.
            fs::remove_file(&probe).map_err(|e| format!("cannot remove {}: {e}", probe.display()))?;
            self.blocks = Some(0);
            self.how = "mounting is refused here and root may write anywhere, so `ulimit -f 0` stands for a \
                        read-only medium"
                .into();
        }
        Ok(())
    }

    /// Lets everybody write again.
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
            // A folder without the right to write could not be removed.
            false => self.permit("u+w"),
        };
        if let Err(why) = undone {
            eprintln!("note: {} is left behind: {why}", self.dir.display());
        }
    }
}
