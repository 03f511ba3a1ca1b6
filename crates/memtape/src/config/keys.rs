//! The table of keys. To add a key, add a row here and a field to `Config`; everything else is generated from
//! it.

use std::time::Duration;

use memtape_core::recall::weights::Weights;
use memtape_core::{Category, Form};
use serde_json::Value;

use super::kind::SYSTEM_ZONE;
use super::value::store;
use super::{Config, SettingKind};

/// The placeholder in a key's name for each form.
pub(super) const FORM: &str = "FORM";
/// The placeholder in a key's name for a name that the owner chooses.
pub(super) const NAME: &str = "NAME";

/// A key of the configuration.
#[derive(Debug)]
pub struct Key {
    /// The name. `FORM` in it stands for each form, `NAME` for a name that the owner chooses.
    pub name: &'static str,
    /// The kind of value that it accepts.
    pub kind: SettingKind,
    /// Its meaning, in one sentence.
    pub meaning: &'static str,
    /// Whether only the owner may set it. Such a key names money, secrets, endpoints or directories
    /// elsewhere, and a workspace may not set it.
    pub own_only: bool,
    default: DefaultValue,
    pub(super) set: Set,
}

/// Sets a validated value. The text is the part of the name in place of `FORM` or `NAME`.
type Set = fn(&mut Config, &str, &Value) -> Option<()>;

/// The default of a key.
#[derive(Debug)]
enum DefaultValue {
    /// A value as it would be written on a command line.
    Text(&'static str),
    /// One of the weights of the form.
    Weight(fn(Weights) -> f64),
    /// No value.
    None,
}

/// Returns a key that a workspace may set. `default` is written as on a command line.
const fn key(name: &'static str, kind: SettingKind, default: &'static str, set: Set) -> Key {
    Key { name, kind, meaning: "", own_only: false, default: DefaultValue::Text(default), set }
}

/// Returns a key that only the owner may set.
const fn own_key(name: &'static str, kind: SettingKind, default: &'static str, set: Set) -> Key {
    Key { own_only: true, ..key(name, kind, default, set) }
}

/// Returns a key for a weight of each form.
const fn weight(name: &'static str, default: fn(Weights) -> f64, set: Set) -> Key {
    Key { default: DefaultValue::Weight(default), ..key(name, AMOUNT, "", set) }
}

fn weights<'a>(config: &'a mut Config, form: &str) -> Option<&'a mut Weights> {
    config.recall.weights.get_mut(&form.parse().ok()?)
}

const fn whole(min: u64, max: u64) -> SettingKind {
    SettingKind::Whole { min, max }
}

const fn choice(names: &'static [&'static str]) -> SettingKind {
    SettingKind::Choice { names, also: &[] }
}

const SHARE: SettingKind = SettingKind::Number { max: 1.0 };
const AMOUNT: SettingKind = SettingKind::Number { max: f64::MAX };
const PROVIDER: SettingKind = choice(&["none", "openai", "anthropic"]);
const BACKEND: SettingKind =
    SettingKind::Choice { names: &["hybrid", "sqlite_fts"], also: &[("reserved_hybrid", "hybrid")] };

/// How a key sets a field of [`Config`]: the field's type reads the value.
macro_rules! field {
    ($($field:ident).+) => {
        |config, _, value| store(&mut config.$($field).+, value)
    };
}

/// Every key.
pub static KEYS: &[Key] = &[
    key("time_zone", SettingKind::TimeZone, SYSTEM_ZONE, field!(time_zone)).meaning(
        "The time zone in which days begin and times are printed; `system` is that of the machine, which \
         `TZ` overrides.",
    ),
    key("durability", choice(&["sync", "os"]), "sync", field!(durability)).meaning(
        "Whether an acknowledged write survives a power failure (`sync`), or only the end of the process \
         (`os`).",
    ),
    key("lock_wait_seconds", whole(0, 86_400), "30", field!(lock_wait))
        .meaning("How long a writer waits for another writer; at most 20 seconds in a server."),
    key("upstream.freshness", SettingKind::Freshness, "latest", field!(upstream.freshness)).meaning(
        "With an upstream: whether every read asks it first (`latest`), only after this time without contact \
         (such as `5s`), or never (`offline`).",
    ),
    key("upstream.wait_seconds", whole(0, 86_400), "15", field!(upstream.wait))
        .meaning("With an upstream: how long a write repeats requests that fail."),
    key("zone.retention_days", whole(0, 1_000_000), "30", field!(zone.retention_days))
        .meaning("Number of days that daily notes are kept; 0 keeps all."),
    key("ledger.temporary_days", whole(0, 1_000_000), "7", field!(ledger.temporary_days))
        .meaning("Lifetime of a temporary fact, in days; 0 is unlimited."),
    key("ledger.max_context_chars", whole(0, 1_000_000), "4000", field!(ledger.max_context_chars))
        .meaning("Maximum characters of a prompt for the memories of a persona."),
    key("ledger.prune_below", SHARE, "0", field!(ledger.prune_below))
        .meaning("Facts with a lower confidence are removed automatically; 0 keeps all."),
    key("ledger.prune_unused_days", whole(0, 1_000_000), "0", field!(ledger.prune_unused_days)).meaning(
        "Days after which a fact that was not repeated, changed or recalled is removed; 0 keeps it.",
    ),
    key("ledger.commit_turns", whole(1, 100_000), "10", field!(ledger.commit_turns)).meaning(
        "Number of turns after which the observations of a conversation are committed, if it does not end \
         earlier.",
    ),
    key("notes.folders", SettingKind::NoteFolders, "facts,episodes", field!(notes.folders))
        .meaning("The folders of notes, in listing order. Their files follow the tape and can be edited."),
    key("notes.assistant_folders", SettingKind::FolderNames, "[]", field!(notes.assistant_folders)).meaning(
        "The folders among them that an agent's program writes by itself, such as Claude Code's \
         `autoMemoryDirectory`. Their changes count as the agent's, not as a person's.",
    ),
    own_key("notes.data_dir", SettingKind::Folder, "", field!(notes.data_dir))
        .meaning("Directory that contains the notes folders; empty is the workspace."),
    key("notes.inject", choice(&["index", "facts"]), "index", |config, _, value| {
        config.notes.facts_in_full = value == "facts";
        Some(())
    })
    .meaning(
        "What a prompt shows of notes: one line for each file (`index`), or the files of `facts` in full \
         (`facts`).",
    ),
    key("notes.list_chars", whole(200, 1_000_000), "4000", field!(notes.list_chars)).meaning(
        "Maximum characters of a prompt for the index of notes; recent and often recalled files come first.",
    ),
    key("files.git", choice(&["auto", "separate", "off"]), "auto", field!(files.git)).meaning(
        "Where the git history of `files/` is written: to `.git`, unless the workspace contains or is in a \
         repository of yours (`auto`); to `history.git`, next to yours (`separate`); nowhere (`off`). A \
         build without the feature `git` writes none.",
    ),
    key("blocks.max_chars", whole(1, 1_000_000), "5000", field!(blocks.max_chars))
        .meaning("Maximum characters of a block."),
    key("blocks.index_items", whole(0, 1000), "30", field!(blocks.index_items))
        .meaning("Maximum number of names that `recent_insights` and `recent_research` list."),
    key("blocks.index_days", whole(0, 1_000_000), "0", field!(blocks.index_days)).meaning(
        "Days after which a file is no longer listed there; 0 lists it until newer files replace it.",
    ),
    key("consolidate.stale_days", whole(0, 1_000_000), "90", field!(stale_days)).meaning(
        "Days after which a memory that was not repeated, changed or recalled is reported as stale; 0 \
         reports none.",
    ),
    key("recall.backend", BACKEND, "hybrid", field!(recall.backend)).meaning(
        "How memories are searched: by words and by meaning (`hybrid`), or by words only (`sqlite_fts`).",
    ),
    own_key("recall.model", SettingKind::Folder, "", field!(recall.model))
        .meaning("Directory of a custom sentence model in ONNX; empty uses the built-in model."),
    key("recall.max_results", whole(1, 1000), "8", field!(recall.max_results))
        .meaning("Maximum number of results."),
    key("recall.max_prompt_chars", whole(100, u64::MAX), "2400", field!(recall.max_prompt_chars))
        .meaning("Maximum characters of a prompt for recalled memories."),
    key("recall.floor", SHARE, "0.2", field!(recall.floor))
        .meaning("Minimum probability that a message needs memories; below it a prompt recalls none."),
    key("recall.user_layer_results", whole(0, 1000), "2", field!(recall.user_layer_results))
        .meaning("Maximum number of results from the user's layer, unless a limit is passed."),
    weight(
        "recall.weights.FORM.relevance",
        |weights| weights.relevance,
        |config, form, value| store(&mut weights(config, form)?.relevance, value),
    )
    .meaning("Weight of relevance to the question, for memories of the form."),
    weight(
        "recall.weights.FORM.importance",
        |weights| weights.importance,
        |config, form, value| store(&mut weights(config, form)?.importance, value),
    )
    .meaning("Weight of importance, for memories of the form."),
    weight(
        "recall.weights.FORM.recency",
        |weights| weights.recency,
        |config, form, value| store(&mut weights(config, form)?.recency, value),
    )
    .meaning("Weight of recency, for memories of the form."),
    key("prompt.budget", whole(1, 100_000_000), "32000", field!(prompt.budget))
        .meaning("Maximum tokens of a prompt."),
    own_key("prompt.tokenizer", SettingKind::File, "", field!(prompt.tokenizer)).meaning(
        "The `tokenizer.json` that counts the tokens of a prompt; empty estimates them by characters.",
    ),
    own_key("skills.folders", SettingKind::Folders, "[]", field!(prompt.skills))
        .meaning("Folders of skills: Markdown files `NAME.md` or `NAME/SKILL.md`, which prompts list."),
    key("turn.enabled", SettingKind::Switch, "true", field!(turn.enabled))
        .meaning("Whether turns are recorded. If not, a turn writes nothing and recalls nothing."),
    key("turn.channels", SettingKind::Channels, "*", field!(turn.channels))
        .meaning("The channels whose turns are recorded; `*` is every channel."),
    key("ingest.max_message_bytes", whole(1000, 1_000_000_000), "1000000", field!(max_message_bytes))
        .meaning(
            "Maximum bytes of a message, of any other text to remember, and of a query. Longer text is \
             refused, except the output of a tool in a turn and the reply of `agent` or of a coding agent's \
             hook, which are cut. The limit does not apply to notes and files.",
        ),
    key("journal.reads", SettingKind::Switch, "false", field!(journal_reads)).meaning(
        "Whether the journal records a line `read` for each call of a memtape tool that only reads. If so, \
         reading writes to the tape, including the query.",
    ),
    key("memory_tool.overwrite", SettingKind::Switch, "false", field!(memory_tool_overwrite)).meaning(
        "Whether `create` of the memory tool replaces a file that exists, instead of refusing it. The \
         earlier versions stay in the history.",
    ),
    key("capture.enabled", SettingKind::Switch, "true", field!(capture.enabled))
        .meaning("Whether statements are captured from the messages of turns. What people ask to forget or not to keep never depends on it."),
    key("capture.mode", choice(&["heuristic"]), "heuristic", |_, _, _| Some(()))
        .meaning("How statements are captured: by the learned weights of the program."),
    key("capture.channels", SettingKind::Channels, "*", field!(capture.channels))
        .meaning("The channels in whose turns statements are captured; `*` is every channel."),
    key("capture.min_confidence", SHARE, "0.5", field!(capture.min_confidence))
        .meaning("Minimum confidence of a captured statement."),
    key("capture.min_importance", SHARE, "0.6", field!(capture.min_importance))
        .meaning("Minimum importance of a captured statement."),
    key("capture.assistant", SettingKind::Switch, "false", field!(capture.assistant))
        .meaning("Whether statements are also captured from the agent's replies."),
    key("capture.max_entries_per_turn", whole(0, 100), "4", field!(capture.max_entries)).meaning(
        "Maximum number of statements captured per turn. What somebody asks to remember does not count, up to 50 statements.",
    ),
    key("retention.episodic_days", whole(0, 1_000_000), "90", |config, _, value| {
        store(config.retention.0.entry(Category::Episodic).or_default(), value)
    })
    .meaning("Days that an episodic statement is kept after it was last stated; 0 keeps it for ever."),
    key("retention.fact_days", whole(0, 1_000_000), "3650", |config, _, value| {
        store(config.retention.0.entry(Category::Fact).or_default(), value)
    })
    .meaning("Days that a fact is kept after it was last stated; 0 keeps it for ever."),
    key("retention.preference_days", whole(0, 1_000_000), "3650", |config, _, value| {
        store(config.retention.0.entry(Category::Preference).or_default(), value)
    })
    .meaning("Days that a preference is kept after it was last stated; 0 keeps it for ever."),
    key("retention.decision_days", whole(0, 1_000_000), "3650", |config, _, value| {
        store(config.retention.0.entry(Category::Decision).or_default(), value)
    })
    .meaning("Days that a decision is kept after it was last stated; 0 keeps it for ever."),
    key("wal.enabled", SettingKind::Switch, "true", field!(wal))
        .meaning("Whether each conversation has a file in `mirror/session-state` with its last turns."),
    own_key("model.provider", PROVIDER, "none", field!(model.main.provider)).meaning(
        "The protocol of the language model: `openai` for chat completions, which most servers speak, or \
         `anthropic`; `none` uses no model.",
    ),
    own_key("model.base_url", SettingKind::Text, "", field!(model.main.base_url)).meaning(
        "The address of the language model, such as `http://127.0.0.1:11434/v1`; empty means that of OpenAI \
         or Anthropic.",
    ),
    own_key("model.name", SettingKind::Text, "", field!(model.main.name))
        .meaning("The name of the language model, as its server calls it."),
    own_key("model.api_key_env", SettingKind::Text, "", field!(model.main.api_key_env)).meaning(
        "The environment variable with the API key; empty means `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, and \
         none for another address.",
    ),
    own_key("model.api_key_file", SettingKind::File, "", field!(model.main.api_key_file))
        .meaning("A file with the API key, readable by its owner only."),
    own_key("model.price_in", AMOUNT, "0", field!(model.main.price_in))
        .meaning("The price of a million input tokens, in any currency; 0 records no cost."),
    own_key("model.price_out", AMOUNT, "0", field!(model.main.price_out))
        .meaning("The price of a million output tokens."),
    own_key("model.background.provider", PROVIDER, "none", field!(model.background.provider)).meaning(
        "The protocol of the background model, which extracts, reflects and consolidates; `none` uses the \
         main one.",
    ),
    own_key("model.background.base_url", SettingKind::Text, "", field!(model.background.base_url))
        .meaning("The address of the background model, up to and without the path of the call."),
    own_key("model.background.name", SettingKind::Text, "", field!(model.background.name))
        .meaning("The name of the background model, as its server calls it."),
    own_key("model.background.api_key_env", SettingKind::Text, "", field!(model.background.api_key_env)).meaning(
        "The environment variable with the API key of the background model; empty means `OPENAI_API_KEY` or \
         `ANTHROPIC_API_KEY`, and none for another address.",
    ),
    own_key("model.background.api_key_file", SettingKind::File, "", field!(model.background.api_key_file))
        .meaning("A file with the API key of the background model, readable by its owner only."),
    own_key("model.background.price_in", AMOUNT, "0", field!(model.background.price_in)).meaning(
        "The price of a million input tokens of the background model, in any currency; 0 records no cost.",
    ),
    own_key("model.background.price_out", AMOUNT, "0", field!(model.background.price_out))
        .meaning("The price of a million output tokens of the background model."),
    own_key("model.timeout_seconds", whole(1, 3600), "300", field!(model.timeout))
        .meaning("Time limit of a call of a model, in seconds, retries included."),
    own_key("model.retries", whole(0, 10), "2", field!(model.retries))
        .meaning("Maximum number of retries after a transient failure."),
    own_key("model.max_tokens", whole(16, 1_000_000), "4096", field!(model.max_tokens)).meaning(
        "Maximum tokens of one answer, thinking included. OpenAI's reasoning models may use four times as \
             many, and answers in the background at least 1024 to 4096.",
    ),
    own_key("model.budget.turn_tokens", whole(0, u64::MAX), "200000", field!(model.budget.turn_tokens))
        .meaning(
            "Maximum tokens of one reply, extraction, reflection or summary, with all of its calls; 0 is \
             unlimited.",
        ),
    own_key("model.budget.hour_tokens", whole(0, u64::MAX), "1000000", field!(model.budget.hour_tokens))
        .meaning("Maximum tokens of all calls within an hour; 0 is unlimited."),
    own_key("model.budget.day_tokens", whole(0, u64::MAX), "5000000", field!(model.budget.day_tokens))
        .meaning("Maximum tokens of all calls within 24 hours; 0 is unlimited."),
    own_key("model.budget.day_cost", AMOUNT, "0", field!(model.budget.day_cost)).meaning(
        "Maximum cost of all calls of models with prices within 24 hours, in their currency; 0 is unlimited.",
    ),
    key("agent.rounds", whole(1, 100), "12", field!(mind.agent_rounds))
        .meaning("Maximum number of model calls of one turn of `memtape agent`."),
    key("mind.extract", SettingKind::Switch, "true", field!(mind.extract))
        .meaning("Whether a configured model extracts facts from conversations into the ledger."),
    key("mind.turns", whole(1, 100), "2", field!(mind.turns))
        .meaning("Number of new messages of people after which facts are extracted."),
    key("mind.personas", choice(&["off", "switch", "create"]), "switch", field!(mind.personas)).meaning(
        "Whether a conversation changes to the persona that fits it: never, to existing branches, or also to \
         new ones.",
    ),
    key("reflect.enabled", SettingKind::Switch, "true", field!(mind.reflect)).meaning(
        "Whether a configured model writes notes about conversations without being asked. Without the \
         folders `facts` and `episodes` (`notes.folders`) it writes none.",
    ),
    key("reflect.channels", SettingKind::Channels, "cli", field!(mind.reflect_channels)).meaning(
        "The channels whose conversations are reflected on without being asked. Notes belong to the whole \
         workspace, so name only your own.",
    ),
    key("reflect.fact_files", SettingKind::FolderNames, "user,project,preferences", field!(mind.fact_files))
        .meaning("The files below `facts` that the reflector may write, without `.md`."),
    key("reflect.rounds", whole(1, 20), "5", field!(mind.reflect_rounds))
        .meaning("Maximum number of model calls of one reflection."),
    key("heartbeat.minutes", whole(1, 10_080), "30", |config, _, value| {
        config.mind.heartbeat = Duration::from_secs(60 * value.as_u64()?);
        Some(())
    })
    .meaning("Time between two heartbeats."),
    key("consolidate.episode_months", whole(1, 1200), "6", field!(mind.episode_months)).meaning(
        "Age in months after which the heartbeat and `consolidate --model` replace each episode by a \
         one-line summary.",
    ),
    Key {
        default: DefaultValue::None,
        ..key("users.NAME", SettingKind::Identities, "", |config, name, value| {
            store(config.users.entry(name.to_owned()).or_default(), value)
        })
    }
    .meaning(
        "The identities on channels that belong to one person. An identity belongs to at most one user.",
    ),
];

impl Key {
    const fn meaning(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }

    /// Returns the part of a full name in place of `FORM` or `NAME` (empty if the key has neither); `None` if
    /// it is no name of this key.
    pub(super) fn part<'a>(&self, name: &'a str) -> Option<&'a str> {
        let cut = |placeholder| {
            let (before, after) = self.name.split_once(placeholder)?;
            name.strip_prefix(before)?.strip_suffix(after)
        };
        match () {
            () if self.name.contains(FORM) => cut(FORM).filter(|part| part.parse::<Form>().is_ok()),
            () if self.name.contains(NAME) => cut(NAME).filter(|part| !part.is_empty()),
            () => (self.name == name).then_some(""),
        }
    }

    /// Returns its full names, except those that the owner chooses.
    pub(super) fn names(&self) -> Vec<String> {
        match () {
            () if self.name.contains(FORM) => {
                Form::all().map(|form| self.name.replace(FORM, form.as_str())).collect()
            }
            () if self.name.contains(NAME) => Vec::new(),
            () => vec![self.name.to_owned()],
        }
    }

    /// Returns the default of a full name.
    pub(super) fn default(&self, name: &str) -> Option<Value> {
        match self.default {
            DefaultValue::Text(text) => Some(self.kind.value_of(text)),
            DefaultValue::Weight(of) => {
                Some(of(self.part(name)?.parse::<Form>().ok()?.rules().weights()).into())
            }
            DefaultValue::None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::names;

    #[test]
    fn every_key_has_one_name_and_a_default_that_fits() {
        for key in KEYS {
            for name in key.names() {
                assert!(std::ptr::eq(names::find(&name).unwrap(), key), "{name}");
                let variable = names::variable(&name);
                assert_eq!(names::of_variable(&variable), Some(name.clone()), "{variable}");
                let default = key.default(&name).unwrap();
                assert_eq!(key.kind.read(&default, None), Some(default), "{name}");
            }
            assert!(key.meaning.ends_with('.'), "{}", key.name);
        }
    }
}
