//! The encoding of values in rows of the index, and reading memories from rows.

use jiff::Timestamp;
use memtape_core::{Category, Form, Memory, MemoryId, Sensitivity};
use memtape_tape::EntryId;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Params, Row, Statement};

use crate::error::{Error, Result};

/// Returns the instant of a column, which is stored in microseconds since 1970.
pub(crate) fn micros(value: i64) -> Timestamp {
    Timestamp::from_microsecond(value).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Returns the memory that a message's key names: the one that its entry created. `None` for another form or
/// an invalid key.
pub(crate) fn message_id(form: Option<Form>, key: &str) -> Option<MemoryId> {
    let entry: EntryId = (form == Some(Form::MESSAGES)).then(|| key.parse().ok())??;
    // A key has one spelling: no leading zeros, no sign.
    (entry.to_string() == key).then(|| MemoryId::new(entry, 0))
}

/// Returns the SQL condition that a memory `m` is in one of these categories; it is always true if there are
/// none.
pub(crate) fn in_categories(categories: &[Category]) -> String {
    if categories.is_empty() {
        return "1".into();
    }
    let names: Vec<_> = categories.iter().map(|category| format!("'{category}'")).collect();
    format!("m.category IN ({})", names.join(", "))
}

/// Returns the number of a name; `None` if it never occurred.
pub(crate) fn number_of(conn: &Connection, table: &str, name: &str) -> Result<Option<i64>> {
    let sql = format!("SELECT id FROM {table} WHERE name = ?1");
    Ok(conn.prepare_cached(&sql)?.query_row([name], |row| row.get(0)).optional()?)
}

/// SQL with the columns that [`read_memory`] reads.
pub(crate) const SELECT_MEMORY: &str = "
    SELECT m.id, m.form, m.key, b.name, s.name, c.name, m.origin, m.said_at, m.created_at, m.text, m.data, m.previous,
           m.sensitivity, m.category, m.lifetime, m.importance, m.confidence, m.expires_at, m.quarantined, m.copy_of
    FROM memories m
    JOIN branches b ON b.id = m.branch
    JOIN scopes c ON c.id = m.scope
    LEFT JOIN sessions s ON s.id = m.session";

/// Returns every row of a query.
pub(crate) fn query_all<T>(
    statement: &mut Statement<'_>,
    values: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>> {
    statement.query_map(values, read)?.map(|row| row.map_err(Error::from)).collect()
}

pub(crate) fn read_memory(row: &Row<'_>) -> rusqlite::Result<Memory> {
    let form: String = row.get(1)?;
    let origin: Option<String> = row.get(6)?;
    let sensitivity: Option<String> = row.get(12)?;
    let category: Option<String> = row.get(13)?;
    let lifetime: Option<String> = row.get(14)?;
    Ok(Memory {
        id: MemoryId::from_number(row.get(0)?),
        form: form
            .parse()
            .map_err(|_| rusqlite::Error::InvalidColumnType(1, "form".into(), rusqlite::types::Type::Text))?,
        key: row.get(2)?,
        branch: row.get(3)?,
        session: row.get(4)?,
        scope: row.get(5)?,
        sensitivity: sensitivity
            .map_or(Sensitivity::Normal, |text| text.parse().unwrap_or(Sensitivity::Confidential)),
        origin: origin.and_then(|origin| origin.parse().ok()),
        category: category.and_then(|category| category.parse().ok()),
        lifetime: lifetime.and_then(|lifetime| lifetime.parse().ok()).unwrap_or_default(),
        importance: row.get(15)?,
        confidence: row.get(16)?,
        expires_at: row.get::<_, Option<i64>>(17)?.map(micros),
        quarantined: row.get(18)?,
        copy_of: row.get::<_, Option<u64>>(19)?.map(MemoryId::from_number),
        previous: row.get::<_, Option<u64>>(11)?.map(MemoryId::from_number),
        said_at: row.get::<_, Option<i64>>(7)?.map(micros),
        created_at: micros(row.get(8)?),
        text: row.get(9)?,
        data: row.get(10)?,
    })
}

pub(crate) fn id_value(id: MemoryId) -> Value {
    number_value(id.number())
}

pub(crate) fn number_value(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}
