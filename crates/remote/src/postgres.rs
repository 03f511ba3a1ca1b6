//! An upstream in PostgreSQL 15 or later.
//!
//! A tape is a row of `memtape.tapes` with its last entry, and rows of `memtape.entries` with its lines. An append is
//! one call of a function: it moves the head, if it is the expected one, and inserts the lines. The row of the head is
//! the only lock. Every statement names one workspace, so a cluster that distributes by it needs one node for each.
//!
//! Each statement is sent in one round trip and without a name, so that it also passes a pooler that gives every
//! transaction another connection.

mod failure;
mod pool;
mod rows;

use std::sync::atomic::{AtomicBool, Ordering};

use deadpool_postgres::{Object, Pool};
use memtape_tape::{EntryId, codec};
use memtape_upstream::{Appended, Error, Fetched, Head, Lines, Result, Upstream, ends};
use tokio_postgres::types::{ToSql, Type};

use crate::address::Address;
use crate::runtime::wait;
use failure::Stage;

/// The statements that create what is missing.
const SCHEMA: &str = include_str!("postgres/schema.sql");
/// The version of the tables that this program knows.
const VERSION: i32 = 2;
/// The key of the advisory lock under which the tables are created: "memtape" as a number.
const MIGRATION_LOCK: i64 = 0x006d_656d_7461_7065;
/// Number of lines that a fetch asks for first.
const PAGE_LINES: i64 = 8192;

/// Moves the head and inserts the lines after it.
const APPEND: &str = "SELECT memtape.append($1, $2, $3, $4, $5, $6, $7, $8)";

/// Does the same, and replaces the lines of earlier entries.
const ERASE: &str = "
WITH head AS (
    UPDATE memtape.tapes SET head_id = $4, head_hash = $5, bytes = bytes + $8, updated_at = now()
    WHERE workspace = $1 AND head_id = $2 AND head_hash = $3
    RETURNING workspace
), added AS (
    INSERT INTO memtape.entries (workspace, id, line)
    SELECT head.workspace, new.id, new.line FROM head, unnest($6::bigint[], $7::text[]) AS new (id, line)
), erased AS (
    UPDATE memtape.entries AS old SET line = new.line
    FROM head, unnest($9::bigint[], $10::text[]) AS new (id, line)
    WHERE old.workspace = $1 AND old.id = new.id
)
SELECT count(*) = 1 FROM head";

/// Returns the head, and whether the push that created the tape has not ended. Tables of version 1 do not have that.
const HEAD: &str = "
SELECT head_id, head_hash, coalesce((to_jsonb(tapes) ->> 'is_incomplete')::boolean, false)
FROM memtape.tapes WHERE workspace = $1";

/// Returns the lines after an entry as one text: at most `$3` of them, up to the one with which they exceed `$4` bytes.
/// As rows, they would take several times as long.
const FETCH: &str = "
SELECT string_agg(line, E'\\n') FROM (
    SELECT line, sum(octet_length(line)) OVER (ORDER BY id) - octet_length(line) AS bytes_before
    FROM memtape.entries WHERE workspace = $1 AND id > $2 ORDER BY id LIMIT $3
) AS page WHERE bytes_before < $4";

/// A tape in PostgreSQL.
pub struct Postgres {
    address: Address,
    label: String,
    pool: Pool,
    /// Whether this connection creates the tape, which nobody else uses before it is complete.
    has_begun: AtomicBool,
}

impl Postgres {
    /// Returns the tape at an address. Tapes of one database and role share a pool of connections.
    ///
    /// # Errors
    /// [`Error::Refused`] if the address is malformed.
    pub fn open(url: &str) -> Result<Self> {
        let address = Address::parse(url)?;
        let label = address.label();
        let pool = pool::of(&address.database, &label)?;
        Ok(Self { address, label, pool, has_begun: AtomicBool::new(false) })
    }

    /// Creates the tables, or brings them up to date.
    ///
    /// # Errors
    /// [`Error::Refused`] if the role may not create them, or they are of a newer version that this program cannot
    /// use; as every operation of [`Upstream`].
    pub fn migrate(&self) -> Result<()> {
        wait(async {
            let client = self.client().await?;
            let missing = self.version(&client).await? < VERSION;
            if missing {
                // Statements that are sent at once are one transaction.
                let sql = format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK}); {SCHEMA}");
                let migrated = client.batch_execute(&sql).await;
                migrated.map_err(|e| failure::of_migration(&e, &self.label))?;
            }
            Ok(())
        })
    }

    /// Returns the names of the tapes, after a name, in their order.
    ///
    /// # Errors
    /// [`Error::Unreachable`] if the database cannot be reached, [`Error::Refused`] if it refuses the query.
    pub fn workspaces(&self, after: &str, limit: i64) -> Result<Vec<String>> {
        wait(async {
            let client = self.client().await?;
            let sql = "SELECT workspace FROM memtape.tapes WHERE workspace > $1 ORDER BY workspace LIMIT $2";
            let rows = client.query_typed(sql, &[(&after, Type::TEXT), (&limit, Type::INT8)]).await;
            let rows = rows.map_err(|e| failure::of(&e, &self.label, Stage::Read))?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        })
    }

    async fn client(&self) -> Result<Object> {
        self.pool.get().await.map_err(|e| failure::of_pool(&e, &self.label))
    }

    /// Returns the version of the tables; 0 if there are none.
    async fn version(&self, client: &Object) -> Result<i32> {
        let sql = "SELECT coalesce(max(version), 0), coalesce(max(oldest), 0) FROM memtape.versions";
        match client.query_typed(sql, &[]).await {
            Ok(rows) => {
                let (version, oldest): (i32, i32) =
                    rows.first().map_or((0, 0), |row| (row.get(0), row.get(1)));
                match oldest > VERSION {
                    true => Err(Error::Refused {
                        upstream: self.label.clone(),
                        why: "its tables need a newer version of memtape".into(),
                    }),
                    false => Ok(version),
                }
            }
            Err(e) if failure::is_missing(&e) => Ok(0),
            Err(e) => Err(failure::of(&e, &self.label, Stage::Read)),
        }
    }

    /// Runs a request. A connection on which it fails is not used again.
    async fn request<T>(&self, stage: Stage, act: impl AsyncFnOnce(&Object) -> Answer<T>) -> Result<T> {
        let client = self.client().await?;
        match pool::in_time(act(&client)).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(Problem::Upstream(e))) => Err(e),
            Ok(Err(Problem::Client(e))) => {
                if !failure::leaves_connection(&e) {
                    drop(Object::take(client));
                }
                Err(failure::of(&e, &self.label, stage))
            }
            Err(late) => {
                drop(Object::take(client));
                Err(failure::late(&late, &self.label, stage))
            }
        }
    }

    async fn head_of(&self, client: &Object) -> Answer<Head> {
        let rows = client.query_typed(HEAD, &[(&self.address.workspace, Type::TEXT)]).await?;
        let row = rows.first().ok_or_else(|| self.no_tape())?;
        if row.get(2) && !self.has_begun.load(Ordering::Relaxed) {
            return Err(Error::Incomplete { upstream: self.label.clone() }.into());
        }
        Ok(rows::head(row.get(0), row.get(1))?)
    }

    fn no_tape(&self) -> Error {
        Error::NoTape { upstream: self.label.clone() }
    }

    /// Returns what happened to an append that moved no head: it was carried out earlier, or another one was.
    async fn not_appended(&self, client: &Object, last: Head) -> Answer<Appended> {
        let sql = "SELECT head_id, (SELECT line FROM memtape.entries WHERE workspace = $1 AND id = $2)
                   FROM memtape.tapes WHERE workspace = $1";
        let id = rows::number(last.id)?;
        let workspace = (&self.address.workspace as &(dyn ToSql + Sync), Type::TEXT);
        let rows = client.query_typed(sql, &[workspace.clone(), (&id, Type::INT8)]).await?;
        let row = rows.first().ok_or_else(|| self.no_tape())?;
        let line: Option<String> = row.get(1);
        let is_there =
            line.is_some_and(|line| codec::decode(line.as_bytes()).is_ok_and(|e| e.hash == last.hash));
        if !is_there {
            return Ok(Appended::Moved);
        }
        // A commit whose wait for the standby was cut short can be seen, but a failover would lose it. This one waits,
        // and the standby receives it after that one.
        let sql = "UPDATE memtape.tapes SET updated_at = now() WHERE workspace = $1";
        client.query_typed(sql, &[workspace]).await?;
        Ok(Appended::Done)
    }
}

/// The result of a request on a connection.
type Answer<T> = std::result::Result<T, Problem>;

/// A failure of a request.
enum Problem {
    Client(tokio_postgres::Error),
    Upstream(Error),
}

impl From<tokio_postgres::Error> for Problem {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Client(error)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::Upstream(error)
    }
}

impl Upstream for Postgres {
    fn label(&self) -> &str {
        &self.label
    }

    fn create(&self) -> Result<bool> {
        self.migrate()?;
        wait(self.request(Stage::Write, async |client| {
            let sql = "INSERT INTO memtape.tapes (workspace) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1";
            let rows = client.query_typed(sql, &[(&self.address.workspace, Type::TEXT)]).await?;
            Ok(!rows.is_empty())
        }))
    }

    fn begin(&self) -> Result<bool> {
        self.migrate()?;
        self.has_begun.store(true, Ordering::Relaxed);
        wait(self.request(Stage::Write, async |client| {
            let workspace = (&self.address.workspace as &(dyn ToSql + Sync), Type::TEXT);
            let sql = "INSERT INTO memtape.tapes (workspace, is_incomplete) VALUES ($1, true) ON CONFLICT DO NOTHING";
            client.query_typed(sql, std::slice::from_ref(&workspace)).await?;
            let sql = "SELECT is_incomplete FROM memtape.tapes WHERE workspace = $1";
            let rows = client.query_typed(sql, &[workspace]).await?;
            Ok(rows.first().ok_or_else(|| self.no_tape())?.get(0))
        }))
    }

    fn complete(&self) -> Result<()> {
        wait(self.request(Stage::Write, async |client| {
            let sql = "UPDATE memtape.tapes SET is_incomplete = false WHERE workspace = $1 AND is_incomplete";
            client.query_typed(sql, &[(&self.address.workspace, Type::TEXT)]).await?;
            Ok(())
        }))
    }

    fn head(&self) -> Result<Head> {
        wait(self.request(Stage::Read, async |client| self.head_of(client).await))
    }

    fn fetch(&self, after: EntryId, limit: usize) -> Result<Fetched> {
        let after_id = rows::number(after)?;
        wait(self.request(Stage::Read, async |client| {
            let head = self.head_of(client).await?;
            let mut lines = Vec::new();
            let (mut lines_max, mut bytes_max) = (PAGE_LINES, i64::try_from(limit).unwrap_or(i64::MAX));
            // Most fetches find nothing new, and take one round trip.
            while head.id > after && lines.is_empty() {
                let parameters: [(&(dyn ToSql + Sync), Type); 4] = [
                    (&self.address.workspace, Type::TEXT),
                    (&after_id, Type::INT8),
                    (&lines_max, Type::INT8),
                    (&bytes_max, Type::INT8),
                ];
                let rows = client.query_typed(FETCH, &parameters).await?;
                let text: Option<&str> = rows.first().and_then(|row| row.get(0));
                let text = text.ok_or_else(|| rows::damaged(format!("no entry follows entry {after}")))?;
                lines = rows::whole_groups(text)?;
                lines_max = lines_max.saturating_mul(4);
                bytes_max = bytes_max.saturating_mul(4);
            }
            Ok(Fetched { lines, head })
        }))
    }

    fn lines(&self, ids: &[EntryId]) -> Result<Vec<u8>> {
        let ids = ids.iter().map(|id| rows::number(*id)).collect::<Result<Vec<i64>>>()?;
        wait(self.request(Stage::Read, async |client| {
            let sql = "SELECT line FROM memtape.entries WHERE workspace = $1 AND id = ANY($2) ORDER BY id";
            let parameters: [(&(dyn ToSql + Sync), Type); 2] =
                [(&self.address.workspace, Type::TEXT), (&ids, Type::INT8_ARRAY)];
            let rows = client.query_typed(sql, &parameters).await?;
            Ok(rows.iter().flat_map(|row| [row.get::<_, &str>(0), "\n"].concat().into_bytes()).collect())
        }))
    }

    fn append(&self, after: Head, lines: &[u8], erased: &[u8]) -> Result<Appended> {
        let (_, last) = ends(lines)?;
        let (new_ids, new_lines) = rows::columns(Lines::of(lines))?;
        let (old_ids, old_lines) = rows::columns(Lines::of(erased))?;
        let (after_id, last_id) = (rows::number(after.id)?, rows::number(last.id)?);
        let (after_hash, last_hash) = (after.hash.to_string(), last.hash.to_string());
        let bytes = i64::try_from(lines.len()).unwrap_or(i64::MAX);
        wait(self.request(Stage::Write, async |client| {
            let mut parameters: Vec<(&(dyn ToSql + Sync), Type)> = vec![
                (&self.address.workspace, Type::TEXT),
                (&after_id, Type::INT8),
                (&after_hash, Type::TEXT),
                (&last_id, Type::INT8),
                (&last_hash, Type::TEXT),
                (&new_ids, Type::INT8_ARRAY),
                (&new_lines, Type::TEXT_ARRAY),
                (&bytes, Type::INT8),
            ];
            let sql = match old_ids.is_empty() {
                true => APPEND,
                false => {
                    parameters.push((&old_ids, Type::INT8_ARRAY));
                    parameters.push((&old_lines, Type::TEXT_ARRAY));
                    ERASE
                }
            };
            let rows = client.query_typed(sql, &parameters).await?;
            match rows.first().is_some_and(|row| row.get(0)) {
                true => Ok(Appended::Done),
                false => self.not_appended(client, last).await,
            }
        }))
    }
}
