//! The audience of a row, as an SQL condition.
//!
//! **Invariant.** One function defines it, for memories and for entries ([`seen_by`]), and every query uses
//! it. The rule itself is described in [`memtape_core::audience`].

use memtape_core::audience::USER_CATEGORIES;
use memtape_core::{Audience, Layer};
use rusqlite::Connection;

use crate::error::Result;
use crate::rows::number_of;

/// Whether a query includes confidential rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Confidential {
    /// No confidential rows.
    #[default]
    Hidden,
    /// Confidential rows too, if the audience is the owner: for a row that is requested by its ref, or is to
    /// be changed.
    ToOwner,
}

/// The table of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// The table `memories m`.
    Memories,
    /// The table `entries e`.
    Entries,
}

/// A scope that an audience sees, with its number in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeenScope {
    pub(crate) number: i64,
    pub(crate) layer: Layer,
}

/// Returns the scopes that an audience sees and that contain anything; `None` if it sees all scopes.
pub(crate) fn scopes(
    conn: &Connection,
    audience: &Audience,
    workspace: &str,
) -> Result<Option<Vec<SeenScope>>> {
    let Some(scopes) = audience.scopes() else { return Ok(None) };
    let mut seen = Vec::with_capacity(scopes.len());
    for scope in scopes {
        let number = number_of(conn, "scopes", &scope.text(workspace))?;
        seen.extend(number.map(|number| SeenScope { number, layer: scope.layer() }));
    }
    Ok(Some(seen))
}

/// Returns the SQL condition that an audience sees a row.
pub(crate) fn seen_by(
    conn: &Connection,
    audience: &Audience,
    confidential: Confidential,
    workspace: &str,
    rows: Rows,
) -> Result<String> {
    let table = match rows {
        Rows::Memories => "m",
        Rows::Entries => "e",
    };
    let shown = match confidential {
        Confidential::ToOwner if audience.is_owner() => "1".to_owned(),
        _ => format!("({table}.sensitivity IS NULL OR {table}.sensitivity <> 'confidential')"),
    };
    let Some(scopes) = scopes(conn, audience, workspace)? else {
        return Ok(match audience.layer() {
            None => shown,
            Some(layer) => {
                let layer = layer.as_str();
                format!("{table}.scope IN (SELECT id FROM scopes WHERE layer = '{layer}') AND {shown}")
            }
        });
    };
    let numbers = |wanted: &dyn Fn(Layer) -> bool| {
        let numbers: Vec<_> =
            scopes.iter().filter(|scope| wanted(scope.layer)).map(|scope| scope.number.to_string()).collect();
        numbers.join(", ")
    };
    let whole = numbers(&|layer| layer != Layer::User);
    let user = numbers(&|layer| layer == Layer::User);
    let categories = USER_CATEGORIES.map(|category| format!("'{category}'")).join(", ");
    let in_lifetime = in_lifetime(conn, audience, table)?;
    Ok(format!(
        "({table}.scope IN ({whole}) OR ({table}.scope IN ({user})
           AND ({table}.category IS NULL OR {table}.category IN ({categories})))) AND {shown} AND {in_lifetime}"
    ))
}

/// Returns the SQL condition that a row is not limited to a conversation by its lifetime, or belongs to the
/// audience's own conversation.
fn in_lifetime(conn: &Connection, audience: &Audience, table: &str) -> Result<String> {
    let session = match audience.session() {
        Some(session) => number_of(conn, "sessions", &session.to_string())?,
        None => None,
    };
    let here = session.map_or_else(String::new, |session| format!(" OR {table}.session = {session}"));
    Ok(format!("({table}.lifetime IS NULL OR {table}.lifetime <> 'session'{here})"))
}
