//! Restoration of a tape from a backup.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use memtape_tape::disk::sync_dir;
use memtape_tape::{Entry, EntryId, Hash, codec, erase};
use memtape_upstream::{Error as UpstreamError, Head, Lines, Upstream};

use crate::backup::{Error, Result};

/// The file of the tape.
const TAPE: &str = "tape.jsonl";
/// The file of a tape that is not complete yet.
const PARTIAL: &str = "tape.jsonl.restoring";
/// The file that replaces it, if lines were erased while the restoration was interrupted.
const NEW: &str = "tape.jsonl.new";
/// Size of a page, in bytes.
const PAGE: usize = 8 << 20;

/// What a restoration did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// The number of entries of the tape.
    pub entries: u64,
    /// The number of those that an interrupted restoration had already written.
    pub present: u64,
    /// The size of the tape.
    pub bytes: u64,
}

/// Writes the tape of a backup to a directory, which must be empty or not exist, or have an interrupted restoration of this
/// backup. `progress` receives the number of entries written, and of all.
///
/// Every line is checked against its hash, and the lines against the chain. The tape gets its name when it is complete.
///
/// # Errors
/// [`Error::NoBackup`] if there is none; [`Error::EmptyBackup`] if it has no entries; [`Error::NotEmpty`] if the directory
/// has other files; [`Error::OtherRestoration`] if it has an interrupted restoration of another tape; [`Error::Upstream`]
/// if the backup cannot be read or is damaged; [`Error::Io`].
pub fn restore(
    upstream: &dyn Upstream,
    dir: &Path,
    progress: &mut dyn FnMut(EntryId, EntryId),
) -> Result<Restored> {
    match upstream.head() {
        Err(UpstreamError::NoTape { upstream }) => return Err(Error::NoBackup(upstream)),
        Ok(head) if head == Head::EMPTY => return Err(Error::EmptyBackup(upstream.label().to_owned())),
        head => drop(head?),
    }
    prepare(dir)?;
    let partial = dir.join(PARTIAL);
    let mut chain = Chain::default();
    let (file, len) = resume(&partial, &mut chain)?;
    let present = chain.end.id;
    if present > 0 && !is_on(upstream, chain.end)? {
        let (dir, upstream) = (dir.to_owned(), upstream.label().to_owned());
        return Err(Error::OtherRestoration { dir, upstream, entry: present });
    }
    let mut file = BufWriter::new(file);
    let mut bytes = len;
    loop {
        let page = upstream.fetch(chain.end.id, PAGE)?;
        if page.lines.is_empty() {
            break;
        }
        for line in Lines::of(&page.lines) {
            chain.add(line?.1)?;
        }
        file.write_all(&page.lines).map_err(|e| failed(&partial, e))?;
        bytes += page.lines.len() as u64;
        progress(chain.end.id, page.head.id);
    }
    if chain.more > 0 {
        return Err(damaged(format!("the group of entry {} is incomplete", chain.end.id)));
    }
    let flushed = file.flush().and_then(|()| file.get_ref().sync_all());
    flushed.map_err(|e| failed(&partial, e))?;
    let stale = chain.stale();
    if !stale.is_empty() {
        bytes = replace(dir, &partial, &upstream.lines(&stale)?)?;
        check(&dir.join(PARTIAL))?;
    }
    fs::rename(&partial, dir.join(TAPE))
        .and_then(|()| sync_dir(dir))
        .map_err(|e| failed(&dir.join(TAPE), e))?;
    Ok(Restored { entries: chain.end.id, present, bytes })
}

/// Creates the directory, or checks that it has nothing else.
fn prepare(dir: &Path) -> Result<()> {
    let names = || -> io::Result<Vec<_>> {
        fs::create_dir_all(dir)?;
        fs::read_dir(dir)?.map(|entry| Ok(entry?.file_name())).collect()
    };
    let names = names().map_err(|e| failed(dir, e))?;
    match names.iter().all(|name| name == PARTIAL || name == NEW) {
        true => Ok(()),
        false => Err(Error::NotEmpty(dir.to_owned())),
    }
}

/// Opens the file of a restoration behind its last whole group, and returns its length.
fn resume(path: &Path, chain: &mut Chain) -> Result<(File, u64)> {
    let open = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let mut file = open().map_err(|e| failed(path, e))?;
    let (mut reader, mut line) = (BufReader::new(&file), Vec::new());
    let (mut read, mut whole) = (0, (0, chain.clone()));
    while reader.read_until(b'\n', &mut line).map_err(|e| failed(path, e))? > 0 {
        if !line.ends_with(b"\n") || chain.add(&line).is_err() {
            break;
        }
        read += line.len() as u64;
        if chain.more == 0 {
            whole = (read, chain.clone());
        }
        line.clear();
    }
    drop(reader);
    let (len, at) = whole;
    *chain = at;
    file.set_len(len).and_then(|()| file.seek(SeekFrom::Start(len))).map_err(|e| failed(path, e))?;
    Ok((file, len))
}

fn is_on(upstream: &dyn Upstream, entry: Head) -> Result<bool> {
    let line = upstream.lines(&[entry.id])?;
    let Some(line) = line.strip_suffix(b"\n") else { return Ok(false) };
    Ok(decode(line)?.hash == entry.hash)
}

/// Replaces lines of a file, and returns its new length.
fn replace(dir: &Path, path: &Path, lines: &[u8]) -> Result<u64> {
    let mut new = BTreeMap::new();
    for line in Lines::of(lines) {
        let (id, line) = line?;
        new.insert(id, line);
    }
    let target = dir.join(NEW);
    let write = || -> io::Result<u64> {
        let mut out = BufWriter::new(File::create(&target)?);
        let mut len = 0;
        for line in BufReader::new(File::open(path)?).split(b'\n') {
            let mut line = line?;
            line.push(b'\n');
            let line = codec::id_of(&line).and_then(|id| new.get(&id).copied()).unwrap_or(&line);
            len += line.len() as u64;
            out.write_all(line)?;
        }
        out.flush()?;
        out.get_ref().sync_all()?;
        fs::rename(&target, path)?;
        Ok(len)
    };
    write().map_err(|e| failed(&target, e))
}

/// Checks a file whose lines were replaced.
fn check(path: &Path) -> Result<()> {
    let mut chain = Chain::default();
    for line in BufReader::new(File::open(path).map_err(|e| failed(path, e))?).split(b'\n') {
        chain.add(&line.map_err(|e| failed(path, e))?)?;
    }
    let unrecorded = chain.erased.iter().find(|(id, digest)| chain.recorded.get(id) != Some(digest));
    match unrecorded {
        None => Ok(()),
        Some((id, _)) => {
            Err(damaged(format!("the text of erased entry {id} does not match the record of its erasure")))
        }
    }
}

/// The chain of the lines so far.
#[derive(Clone)]
struct Chain {
    end: Head,
    /// The number of entries that the last group lacks.
    more: u32,
    /// The digests of the texts in erased lines.
    erased: BTreeMap<EntryId, Hash>,
    /// The digests that the records of erasures state.
    recorded: BTreeMap<EntryId, Hash>,
}

impl Default for Chain {
    fn default() -> Self {
        Self { end: Head::EMPTY, more: 0, erased: BTreeMap::new(), recorded: BTreeMap::new() }
    }
}

impl Chain {
    /// Adds the next line, with or without its newline.
    fn add(&mut self, line: &[u8]) -> Result<()> {
        let entry = decode(line.strip_suffix(b"\n").unwrap_or(line))?;
        if (entry.id, entry.prev) != (self.end.id + 1, self.end.hash) {
            return Err(damaged(format!("entry {} does not follow entry {}", entry.id, self.end.id)));
        }
        self.end = Head { id: entry.id, hash: entry.hash };
        self.more = entry.more;
        if entry.is_erased() {
            self.erased.insert(entry.id, entry.current_digest());
        }
        let records = erase::erasure_records(&entry).into_iter().flatten();
        self.recorded.extend(records.map(|record| (record.id, record.now)));
        Ok(())
    }

    /// Returns the entries whose lines are not those of the last erasure that names them.
    fn stale(&self) -> Vec<EntryId> {
        let named: BTreeSet<_> = self.recorded.keys().chain(self.erased.keys()).copied().collect();
        named.into_iter().filter(|id| self.recorded.get(id) != self.erased.get(id)).collect()
    }
}

fn decode(line: &[u8]) -> Result<Entry> {
    codec::decode(line).map_err(damaged)
}

fn damaged(why: String) -> Error {
    Error::DamagedBackup(why)
}

fn failed(path: &Path, source: io::Error) -> Error {
    Error::Io { path: PathBuf::from(path), source }
}
