//! The memories of mem0: what its API and its `get_all` return, and the SQLite database of its history.
//!
//! The history names no user: the database of a program with several users holds the memories of all of them. So a
//! version in it is of whom an export says that the memory is.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use memtape::{Category, bulk, calendar};
use serde_json::{Map, Value};

use super::fields::{self, counted, filled, id, versioned};
use super::mcp_memory::{edge, one_line};
use super::sniff;
use super::sniff::Nowhere;
use crate::error::Result;
use crate::input::Input;
use crate::input::sqlite::{Database, Row};
use crate::item::{Content, Fact, Item, ItemScope, Message, Place, Statement, digest, label};
use crate::source::{About, Route, Sink, Source};

/// The channel of users and runs.
const CHANNEL: &str = "mem0";
/// The lists of a document.
const LISTS: [&str; 3] = ["results", "memories", "relations"];
/// The name of the database.
const HISTORY: &str = "history.db";

/// The endings of the names of databases.
const ENDINGS: [&str; 3] = [".db", ".sqlite", ".sqlite3"];
/// Why a relation is left out that may be anybody's.
const NOBODY: &str =
    "it does not say whose it is: the memories beside it are not all of one user, run or agent";
/// The columns of the history, of all its schemas.
const COLUMNS: [&str; 8] =
    ["memory_id", "new_memory", "new_value", "event", "created_at", "updated_at", "timestamp", "is_deleted"];

/// mem0.
pub(crate) struct Mem0;

impl Source for Mem0 {
    fn about(&self) -> &'static About {
        &About {
            name: "mem0",
            reads: "memories of mem0: JSON of its API, or its history.db",
            versions: "mem0ai 0.1 to 2.2.1, of Python and of TypeScript, and the platform's API v1 and v2; history.db of all three schemas",
            routes: &[
                Route { item: "memory of a user", form: "statement of the user mem0:USER" },
                Route { item: "memory of a run alone", form: "statement of the chat mem0:RUN" },
                Route { item: "memory of an agent or an app alone", form: "statement of the workspace" },
                Route {
                    item: "relation of the graph memory, if all memories beside it are of one user, run or agent",
                    form: "ledger fact SOURCE, RELATIONSHIP, TARGET of that one; topic to/TARGET",
                },
                Route {
                    item: "last version of a memory in history.db",
                    form: "statement of the user or chat that an export names, else of the workspace",
                },
                Route { item: "message in history.db", form: "message of the conversation mem0:SCOPE" },
                Route { item: "earlier version", form: "left out" },
                Route {
                    item: "deleted or expired memory",
                    form: "left out; what an earlier import made of it is removed",
                },
            ],
        }
    }

    fn repeats_documents(&self) -> bool {
        true
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        if let Some(file) = input.only_file() {
            return Ok(vec![file.to_owned()]);
        }
        let listed = input.list("")?.into_iter().map(|entry| entry.name);
        Ok(listed
            .filter(|name| name == HISTORY || name.ends_with(".json") && is_document(input, name))
            .collect())
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        let files = self.files(input)?;
        Ok(files.iter().any(|file| match is_database(file) {
            true => input.sqlite(file).is_ok_and(|database| is_history(&database)),
            false => is_document(input, file),
        }))
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        for file in self.files(input)? {
            match is_database(&file) {
                false => read_document(input, &file, sink)?,
                true => {
                    if let Some(database) = input.sqlite_or_skip(&file, sink) {
                        read_history(input, &file, &database, sink)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn is_database(file: &str) -> bool {
    ENDINGS.iter().any(|ending| file.ends_with(ending))
}

fn is_document(input: &Input, file: &str) -> bool {
    sniff::element(input, file, &LISTS, |memory| memory.contains_key("id") && memory.contains_key("memory"))
}

fn is_history(database: &Database<'_>) -> bool {
    let columns = database.columns("history");
    ["memory_id", "event"].iter().all(|wanted| columns.iter().any(|column| column == wanted))
}

fn read_document(input: &Input, file: &str, sink: &mut dyn Sink) -> Result<()> {
    let mut owner = None;
    input.for_json_items(file, &LISTS, sink, &mut |number, value, sink| {
        let place = Place::line(file, number);
        let taken = match &value {
            // What adding memories returns also has those that it deleted.
            Value::Object(fields) if filled(fields, "event") == Some("DELETE") => match id(fields, "id") {
                Some(id) if sink.is_known(&id) => return fields::deleted(sink, &id, place),
                _ => Err("the memory is deleted"),
            },
            Value::Object(fields) if fields.contains_key("memory") => memory(input, fields),
            Value::Object(fields) => relation(fields).and_then(|edge| {
                let owner = owner.get_or_insert_with(|| owner_of(input, file)).clone()?;
                Ok(of_owner(edge, owner.ok_or(NOBODY)?))
            }),
            _ => Err("it is not a JSON object"),
        };
        match taken {
            Ok((id, content)) => sink.item(Item { id, place, content }),
            Err(why) => {
                sink.unreadable(place, why);
                Ok(())
            }
        }
    })
}

/// Returns whose the relations of a document are, which name nobody: that of the memories beside them, if all are of one;
/// `None` if they are not.
fn owner_of(input: &Input, file: &str) -> Result<Option<ItemScope>, &'static str> {
    let mut owners: Vec<ItemScope> = Vec::new();
    let read = input.for_json_items(file, &LISTS, &mut Nowhere, &mut |_, value, _| {
        if let Value::Object(fields) = &value
            && memory(input, fields).is_ok()
            && let Ok(scope) = scope_of(fields)
            && !owners.contains(&scope)
            && owners.len() < 2
        {
            owners.push(scope);
        }
        Ok(())
    });
    read.map_err(|_| "the document cannot be read")?;
    Ok(owners.pop().filter(|_| owners.is_empty()))
}

fn memory(input: &Input, fields: &Map<String, Value>) -> Result<(String, Content), &'static str> {
    let text = filled(fields, "memory").ok_or("the memory is not a text, or empty")?;
    let id = id(fields, "id").ok_or("the memory has no id")?;
    let at = |name| input.instant_of(either(fields, name));
    let (created, updated) = (at("created_at"), at("updated_at"));
    let expires =
        either(fields, "expiration_date").and_then(Value::as_str).filter(|day| !day.trim().is_empty());
    let statement = Statement {
        scope: scope_of(fields)?,
        said_at: updated.or(created),
        since: created,
        expires_at: expires.and_then(|day| end_of(input, day)),
        ..Statement::new(text.trim(), category(fields))
    };
    Ok((versioned(&id, &statement), Content::Statement(statement)))
}

/// Returns a field by its name in Python, `user_id`, or in TypeScript, `userId`.
fn either<'f>(fields: &'f Map<String, Value>, name: &str) -> Option<&'f Value> {
    let in_typescript = || {
        let mut words = name.split('_');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |name, word| format!("{name}{}{}", word[..1].to_uppercase(), &word[1..]))
    };
    let there = |name: &str| fields.get(name).filter(|value| !value.is_null());
    there(name).or_else(|| there(&in_typescript()))
}

/// Returns the last second of a day, which is the last on which a memory is shown; of a day with a time, that time.
fn end_of(input: &Input, day: &str) -> Option<Timestamp> {
    let Ok(date) = calendar::parse_day(day) else { return input.instant(day) };
    let next = date.tomorrow().ok()?;
    input.instant(&next.to_string())?.checked_sub(SignedDuration::from_secs(1)).ok()
}

/// Returns whose a memory is; an error if that cannot be read.
fn scope_of(fields: &Map<String, Value>) -> Result<ItemScope, &'static str> {
    let of = |name| match either(fields, name) {
        None => Ok(None),
        Some(Value::String(id)) if id.trim().is_empty() => Ok(None),
        Some(Value::String(id)) => Ok(Some(label(CHANNEL, id))),
        Some(Value::Number(id)) => Ok(Some(label(CHANNEL, &id.to_string()))),
        Some(_) => Err("it does not say whose it is: its user, run or agent is neither a text nor a number"),
    };
    let [user, run, _, _] = [of("user_id")?, of("run_id")?, of("agent_id")?, of("app_id")?];
    Ok(match (user, run) {
        (Some(user), _) => ItemScope::User(user),
        (None, Some(run)) => ItemScope::Chat(run),
        (None, None) => ItemScope::Workspace,
    })
}

/// Returns the category by the names that mem0's classifier and its users' metadata give.
fn category(fields: &Map<String, Value>) -> Category {
    let of_metadata = fields.get("metadata").and_then(|metadata| metadata.get("category"));
    let listed = fields.get("categories").and_then(Value::as_array).into_iter().flatten();
    let names: Vec<String> =
        listed.chain(of_metadata).filter_map(Value::as_str).map(str::to_lowercase).collect();
    let has = |part: &str| names.iter().any(|name| name.contains(part));
    if has("preference") {
        Category::Preference
    } else if has("decision") {
        Category::Decision
    } else if has("milestone") || has("event") {
        Category::Episodic
    } else {
        Category::Fact
    }
}

fn relation(fields: &Map<String, Value>) -> Result<Fact, &'static str> {
    let end = |name| filled(fields, name).map(one_line);
    let source = end("source").ok_or("it is neither a memory nor a relation")?;
    let kind = end("relationship").or_else(|| end("relation")).ok_or("the relation has no type")?;
    let target = end("target").or_else(|| end("destination")).ok_or("the relation has no target")?;
    Ok(edge(source, kind, target))
}

/// Returns the id and the fact of a relation of somebody.
fn of_owner(edge: Fact, scope: ItemScope) -> (String, Content) {
    let id = [scope.label(), &edge.subject, &edge.predicate, &edge.object].map(digest).join("-");
    (id, Content::Fact(Fact { scope, ..edge }))
}

/// Reads the last version of every memory, in two passes: the first finds which row that is.
fn read_history(input: &Input, file: &str, database: &Database<'_>, sink: &mut dyn Sink) -> Result<()> {
    let mut last: HashMap<u64, u64> = HashMap::new();
    let (mut earlier, mut deleted) = (0, 0);
    // A table without such a column is read in the order in which it was written.
    let order = "rowid";
    database.for_rows("history", &["memory_id"], order, &mut Nowhere, &mut |row, _| {
        if let Some((id, number)) = row.filled("memory_id").zip(row.place.number) {
            earlier += u64::from(last.insert(bulk::digest(id), number).is_some());
        }
        Ok(())
    })?;
    database.for_rows("history", &COLUMNS, order, sink, &mut |row, sink| {
        let Some(id) = row.filled("memory_id") else {
            sink.skip(row.place.clone(), "the row names no memory");
            return Ok(());
        };
        if last.get(&bulk::digest(id)).copied() != row.place.number {
            return Ok(());
        }
        if row.text("event") == Some("DELETE") || row.integer("is_deleted") == Some(1) {
            if sink.is_known(id) {
                return fields::deleted(sink, id, row.place.clone());
            }
            deleted += 1;
            return Ok(());
        }
        let Some(text) = row.filled("new_memory").or_else(|| row.filled("new_value")) else {
            sink.skip(row.place.clone(), "the memory is not a text, or empty");
            return Ok(());
        };
        let at = |name: &str| input.instant(row.text(name)?);
        let since = at("created_at").or_else(|| at("timestamp"));
        let said_at = at("updated_at").or(since);
        let scope = ItemScope::Unknown;
        let statement = Statement { since, said_at, scope, ..Statement::new(text.trim(), Category::Fact) };
        let id = versioned(id, &statement);
        let content = Content::Statement(statement);
        sink.item(Item { id, place: row.place.clone(), content })
    })?;
    let table = || Place { table: Some("history".into()), ..Place::file(file) };
    if earlier > 0 {
        let what = counted(earlier, "earlier version of a memory", "earlier versions of memories");
        sink.skip_several(table(), earlier, &what);
    }
    if deleted > 0 {
        sink.skip_several(table(), deleted, &counted(deleted, "deleted memory", "deleted memories"));
    }
    read_messages(input, database, sink)
}

fn read_messages(input: &Input, database: &Database<'_>, sink: &mut dyn Sink) -> Result<()> {
    if database.columns("messages").is_empty() {
        return Ok(());
    }
    let columns = ["id", "session_scope", "role", "content", "name", "created_at"];
    database.for_rows("messages", &columns, "created_at", sink, &mut |row, sink| {
        let message = message(input, row);
        match message {
            Some((id, message)) => {
                sink.item(Item { id, place: row.place.clone(), content: Content::Message(message) })
            }
            None => {
                sink.skip(row.place.clone(), "the row has no id, role, text or conversation");
                Ok(())
            }
        }
    })
}

fn message(input: &Input, row: &Row) -> Option<(String, Message)> {
    let (scope, role) = (row.filled("session_scope")?, row.filled("role")?);
    let user = scope.split('&').find_map(|part| part.strip_prefix("user_id="));
    let message = Message {
        session: Some(label(CHANNEL, scope)),
        user: user.filter(|_| role == "user").map(str::to_owned),
        role: role.to_owned(),
        text: row.filled("content")?.to_owned(),
        name: row.filled("name").map(str::to_owned),
        said_at: row.text("created_at").and_then(|text| input.instant(text)),
    };
    Some((row.filled("id")?.to_owned(), message))
}
