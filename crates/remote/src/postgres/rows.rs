//! Values of a tape as those of PostgreSQL.

use memtape_tape::{EntryId, Hash, codec};
use memtape_upstream::{Error, Head, Lines, Result};

/// Returns an id as the database has it.
pub(super) fn number(id: EntryId) -> Result<i64> {
    i64::try_from(id).map_err(|_| damaged(format!("entry {id} is beyond what PostgreSQL counts")))
}

/// Returns a head from its columns.
pub(super) fn head(id: i64, hash: &str) -> Result<Head> {
    let hash = Hash::parse(hash).ok_or_else(|| damaged(format!("{hash:?} is no hash")))?;
    let id = u64::try_from(id).map_err(|_| damaged(format!("entry {id} does not exist")))?;
    Ok(Head { id, hash })
}

/// Returns the lines of a text up to the end of the last group that ends in it, each with a newline.
pub(super) fn whole_groups(text: &str) -> Result<Vec<u8>> {
    let mut whole = text;
    while !whole.is_empty() {
        let start = whole.rfind('\n').map_or(0, |newline| newline + 1);
        if codec::decode(&whole.as_bytes()[start..]).map_err(damaged)?.more == 0 {
            return Ok([whole.as_bytes(), b"\n"].concat());
        }
        whole = &whole[..start.saturating_sub(1)];
    }
    Ok(Vec::new())
}

/// Returns lines as two columns: ids, and texts without a newline.
pub(super) fn columns(lines: Lines<'_>) -> Result<(Vec<i64>, Vec<&str>)> {
    let mut columns = (Vec::new(), Vec::new());
    for line in lines {
        let (id, line) = line?;
        columns.0.push(number(id)?);
        let text = std::str::from_utf8(line).map_err(|e| damaged(e.to_string()))?;
        columns.1.push(text.trim_end_matches('\n'));
    }
    Ok(columns)
}

pub(super) fn damaged(why: String) -> Error {
    Error::Damaged { why }
}
