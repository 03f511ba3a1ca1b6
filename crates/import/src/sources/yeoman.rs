//! The long-term memory of yeoman, a SQLite database (document 4's original).
//!
//! The path is the database, a folder with `longterm.db`, or `~/.nanobot`.

use memtape::{Category, Scope};

use super::fields::{counted, deleted, versioned};
use super::sniff::Nowhere;
use crate::error::Result;
use crate::input::Input;
use crate::input::sqlite::Row;
use crate::item::{Content, Item, ItemScope, Place, Statement, label};
use crate::source::{About, Route, Sink, Source};

const TABLE: &str = "memory_entries";
/// The table of the second version, whose memories are not read.
const SECOND: &str = "memory2_nodes";
const COLUMNS: [&str; 16] = [
    "id",
    "scope_type",
    "scope_key",
    "channel",
    "chat_id",
    "sender_id",
    "kind",
    "content",
    "importance",
    "confidence",
    "created_at",
    "updated_at",
    "expires_at",
    "is_deleted",
    "source_role",
    "meta_json",
];
const FILES: [&str; 2] = ["longterm.db", "memory/longterm.db"];
/// How the original begins an episodic memory.
const SAID: &str = "User message: ";

/// Yeoman.
pub(crate) struct Yeoman;

impl Source for Yeoman {
    fn about(&self) -> &'static About {
        &About {
            name: "yeoman",
            reads: "the long-term memory of yeoman (longterm.db)",
            versions: "dimitree2k/yeoman (a nanobot fork) of February 2026, commit 8b00530: the table memory_entries",
            routes: &[
                Route {
                    item: "a row of memory_entries",
                    form: "statement of its kind, in the scope of its chat or user, with its dates and its expiry",
                },
                Route {
                    item: "a row that is deleted or expired",
                    form: "left out; what an earlier import made of it is removed",
                },
                Route { item: "memory2_nodes of the second version", form: "left out" },
            ],
        }
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        let only = input.only_file().into_iter();
        // One that is damaged is reported when it is read.
        let is_ours = |file: &&str| {
            input.has_file(file)
                && input.sqlite(file).map_or(true, |database| !database.columns(TABLE).is_empty())
        };
        Ok(only.chain(FILES).filter(is_ours).take(1).map(str::to_owned).collect())
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        Ok(self.files(input)?.iter().any(|file| input.sqlite(file).is_ok()))
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        for file in self.files(input)? {
            let Some(database) = input.sqlite_or_skip(&file, sink) else { continue };
            database
                .for_rows(TABLE, &COLUMNS, "created_at", sink, &mut |row, sink| take(input, row, sink))?;
            let mut second: u64 = 0;
            if !database.columns(SECOND).is_empty() {
                database.for_rows(SECOND, &["id"], "id", &mut Nowhere, &mut |_, _| {
                    second += 1;
                    Ok(())
                })?;
            }
            if second > 0 {
                let place = Place { table: Some(SECOND.into()), ..Place::file(&file) };
                let what = counted(second, "memory", "memories");
                sink.skip_several(place, second, &format!("{what} of yeoman's second version"));
            }
        }
        Ok(())
    }
}

fn take(input: &Input, row: &Row, sink: &mut dyn Sink) -> Result<()> {
    let place = row.place.clone();
    let (Some(id), Some(text)) = (row.filled("id"), row.filled("content")) else {
        sink.skip(place, "it has no id or no content");
        return Ok(());
    };
    if row.integer("is_deleted").is_some_and(|deleted| deleted != 0) {
        return deleted(sink, id, place);
    }
    let category = match row.text("kind").unwrap_or_default() {
        "preference" => Category::Preference,
        "fact" => Category::Fact,
        "decision" => Category::Decision,
        "episodic" => Category::Episodic,
        other => {
            sink.skip(place, &format!("its kind {other:?} is not known"));
            return Ok(());
        }
    };
    let Some(scope) = scope_of(row) else {
        sink.skip(place, "its scope names no chat or user");
        return Ok(());
    };
    let instant = |name: &str| row.filled(name).and_then(|text| input.instant(text));
    let text = text.strip_prefix(SAID).filter(|_| category == Category::Episodic).unwrap_or(text);
    let statement = Statement {
        scope,
        importance: row.number("importance").map(|share| share.clamp(0.0, 1.0)),
        confidence: row.number("confidence").map(|share| share.clamp(0.0, 1.0)),
        said_at: instant("updated_at").or_else(|| instant("created_at")),
        since: instant("created_at"),
        expires_at: instant("expires_at"),
        ..Statement::new(text, category)
    };
    let id = versioned(id, &statement);
    sink.item(Item { id, place, content: Content::Statement(statement) })
}

/// Returns whose a row is; `None` if it does not say. What names nobody must not become everybody's.
fn scope_of(row: &Row) -> Option<ItemScope> {
    let channel = row.filled("channel");
    let part = |name: &str| Some(label(channel?, row.filled(name)?));
    let by_key = || {
        Some(match Scope::from_label(row.filled("scope_key")?)? {
            Scope::Chat { channel, chat } => ItemScope::Chat(label(&channel, &chat)),
            Scope::User(user) => ItemScope::User(user.to_string()),
            Scope::Global => ItemScope::Workspace,
        })
    };
    match row.text("scope_type")? {
        "global" => Some(ItemScope::Workspace),
        "chat" => part("chat_id").map(ItemScope::Chat).or_else(by_key),
        // The original falls back to the chat if the sender is not known.
        "user" => part("sender_id").or_else(|| part("chat_id")).map(ItemScope::User).or_else(by_key),
        _ => None,
    }
}
