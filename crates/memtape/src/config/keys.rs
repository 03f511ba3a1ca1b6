//! The table of keys. To add a key, add a row here and a field to `Config`; everything else is generated from
//! it.

use std::path::PathBuf;
use std::time::Duration;

use memtape_core::recall::weights::Weights;
use memtape_core::{Category, Form};
use memtape_tape::Durability;
use memtape_worktree::git::Place;
use serde_json::Value;

use super::kind::{SYSTEM_ZONE, note_folders, time_zone};
use super::{Backend, Channels, Config, Kind, mind};

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
    pub kind: Kind,
    /// Its meaning, in one sentence.
    pub meaning: &'static str,
    /// Whether only the owner may set it. Such a key names money, secrets, endpoints or directories
    /// elsewhere, and a workspace may not set it.
    pub own_only: bool,
    standard: Standard,
    /// Sets a validated value. The text is the part of the name in place of `FORM` or `NAME`.
    pub(super) set: fn(&mut Config, &str, &Value) -> Option<()>,
}

/// The default of a key.
#[derive(Debug)]
enum Standard {
    /// A value as it would be written on a command line.
    Is(&'static str),
    /// One of the weights of the form.
    Weight(fn(Weights) -> f64),
    /// No value.
    Absent,
}

/// Every key.
pub static KEYS: &[Key] = &[
    Key {
        name: "time_zone",
        kind: Kind::TimeZone,
        meaning: "The time zone in which days begin and times are printed; `system` is that of the machine, which `TZ` overrides.",
        own_only: false,
        standard: Standard::Is(SYSTEM_ZONE),
        set: |config, _, value| {
            config.time_zone = time_zone(value.as_str()?)?;
            Some(())
        },
    },
    Key {
        name: "durability",
        kind: Kind::Choice { names: &["sync", "os"], also: &[] },
        meaning: "Whether an acknowledged write survives a power failure (`sync`), or only the end of \
                  the process (`os`).",
        own_only: false,
        standard: Standard::Is("sync"),
        set: |config, _, value| {
            config.durability = if value == "os" { Durability::Os } else { Durability::Sync };
            Some(())
        },
    },
    Key {
        name: "lock_wait_seconds",
        kind: Kind::Whole { min: 0, max: 86_400 },
        meaning: "How long a writer waits for another writer; at most 20 seconds in a server.",
        own_only: false,
        standard: Standard::Is("30"),
        set: |config, _, value| {
            config.lock_wait = Duration::from_secs(value.as_u64()?);
            Some(())
        },
    },
    Key {
        name: "upstream.freshness",
        kind: Kind::Freshness,
        meaning: "With an upstream: whether every read asks it first (`latest`), only after this time without contact \
                  (such as `5s`), or never (`offline`).",
        own_only: false,
        standard: Standard::Is("latest"),
        set: |config, _, value| {
            config.upstream.freshness = value.as_str()?.parse().ok()?;
            Some(())
        },
    },
    Key {
        name: "upstream.wait_seconds",
        kind: Kind::Whole { min: 0, max: 86_400 },
        meaning: "With an upstream: how long a write tries to reach it.",
        own_only: false,
        standard: Standard::Is("15"),
        set: |config, _, value| {
            config.upstream.wait = Duration::from_secs(value.as_u64()?);
            Some(())
        },
    },
    Key {
        name: "zone.retention_days",
        kind: Kind::Whole { min: 0, max: 1_000_000 },
        meaning: "Number of days that daily notes are kept; 0 keeps all.",
        own_only: false,
        standard: Standard::Is("30"),
        set: |config, _, value| {
            config.zone.retention_days = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "ledger.temporary_days",
        kind: Kind::Whole { min: 0, max: 1_000_000 },
        meaning: "Lifetime of a temporary fact, in days; 0 is unlimited.",
        own_only: false,
        standard: Standard::Is("7"),
        set: |config, _, value| {
            config.ledger.temporary_days = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "ledger.max_context_chars",
        kind: Kind::Whole { min: 0, max: 1_000_000 },
        meaning: "Maximum characters of a prompt for the memories of a persona.",
        own_only: false,
        standard: Standard::Is("4000"),
        set: |config, _, value| {
            config.ledger.max_context_chars = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "ledger.prune_below",
        kind: Kind::Number { max: 1.0 },
        meaning: "Facts with a lower confidence are removed automatically; 0 keeps all.",
        own_only: false,
        standard: Standard::Is("0"),
        set: |config, _, value| {
            config.ledger.prune_below = value.as_f64()?;
            Some(())
        },
    },
    Key {
        name: "ledger.prune_unused_days",
        kind: Kind::Whole { min: 0, max: 1_000_000 },
        meaning: "Days after which a fact that was not repeated, changed or recalled is removed; 0 \
                  keeps it.",
        own_only: false,
        standard: Standard::Is("0"),
        set: |config, _, value| {
            config.ledger.prune_unused_days = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "ledger.commit_turns",
        kind: Kind::Whole { min: 1, max: 100_000 },
        meaning: "Number of turns after which the observations of a conversation are committed, if it \
                  does not end earlier.",
        own_only: false,
        standard: Standard::Is("10"),
        set: |config, _, value| {
            config.ledger.commit_turns = value.as_u64()?;
            Some(())
        },
    },
    Key {
        name: "notes.folders",
        kind: Kind::NoteFolders,
        meaning: "The folders of notes, in listing order. Their files follow the tape and can be edited.",
        own_only: false,
        standard: Standard::Is("facts,episodes"),
        set: |config, _, value| {
            config.notes.folders = note_folders(value)?;
            Some(())
        },
    },
    Key {
        name: "notes.assistant_folders",
        kind: Kind::FolderNames,
        meaning: "The folders among them that an agent's program writes by itself, such as Claude Code's \
                  `autoMemoryDirectory`. Their changes count as the agent's, not as a person's.",
        own_only: false,
        standard: Standard::Is("[]"),
        set: |config, _, value| {
            let names = value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned));
            config.notes.assistant_folders = names.collect::<Option<_>>()?;
            Some(())
        },
    },
    Key {
        name: "notes.data_dir",
        kind: Kind::Folder,
        meaning: "Directory that contains the notes folders; empty is the workspace.",
        own_only: true,
        standard: Standard::Is(""),
        set: |config, _, value| {
            config.notes.data_dir = Some(value.as_str()?).filter(|path| !path.is_empty()).map(PathBuf::from);
            Some(())
        },
    },
    Key {
        name: "notes.inject",
        kind: Kind::Choice { names: &["index", "facts"], also: &[] },
        meaning: "What a prompt shows of notes: one line for each file (`index`), or the files of \
                  `facts` in full (`facts`).",
        own_only: false,
        standard: Standard::Is("index"),
        set: |config, _, value| {
            config.notes.facts_in_full = value == "facts";
            Some(())
        },
    },
    Key {
        name: "notes.list_chars",
        kind: Kind::Whole { min: 200, max: 1_000_000 },
        meaning: "Maximum characters of a prompt for the index of notes; recent and often recalled \
                  files come first.",
        own_only: false,
        standard: Standard::Is("4000"),
        set: |config, _, value| {
            config.notes.list_chars = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "files.git",
        kind: Kind::Choice { names: &["auto", "separate", "off"], also: &[] },
        meaning: "Where the git history of `files/` is written: to `.git`, unless the workspace \
                  contains or is in a repository of yours (`auto`); to `history.git`, next to yours \
                  (`separate`); nowhere (`off`). A build without the feature `git` writes none.",
        own_only: false,
        standard: Standard::Is("auto"),
        set: |config, _, value| {
            config.files.git = match value.as_str()? {
                "auto" => Some(Place::Root),
                "separate" => Some(Place::Separate),
                _ => None,
            };
            Some(())
        },
    },
    Key {
        name: "blocks.max_chars",
        kind: Kind::Whole { min: 1, max: 1_000_000 },
        meaning: "Maximum characters of a block.",
        own_only: false,
        standard: Standard::Is("5000"),
        set: |config, _, value| {
            config.blocks.max_chars = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "blocks.index_items",
        kind: Kind::Whole { min: 0, max: 1000 },
        meaning: "Maximum number of names that `recent_insights` and `recent_research` list.",
        own_only: false,
        standard: Standard::Is("30"),
        set: |config, _, value| {
            config.blocks.index_items = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "blocks.index_days",
        kind: Kind::Whole { min: 0, max: 1_000_000 },
        meaning: "Days after which a file is no longer listed there; 0 lists it until newer files \
                  replace it.",
        own_only: false,
        standard: Standard::Is("0"),
        set: |config, _, value| {
            config.blocks.index_days = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "consolidate.stale_days",
        kind: Kind::Whole { min: 0, max: 1_000_000 },
        meaning: "Days after which a memory that was not repeated, changed or recalled is reported as \
                  stale; 0 reports none.",
        own_only: false,
        standard: Standard::Is("90"),
        set: |config, _, value| {
            config.stale_days = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "recall.backend",
        kind: Kind::Choice { names: &["hybrid", "sqlite_fts"], also: &[("reserved_hybrid", "hybrid")] },
        meaning: "How memories are searched: by words and by meaning (`hybrid`), or by words only \
                  (`sqlite_fts`).",
        own_only: false,
        standard: Standard::Is("hybrid"),
        set: |config, _, value| {
            config.recall.backend = Backend::ALL.into_iter().find(|backend| value == backend.as_str())?;
            Some(())
        },
    },
    Key {
        name: "recall.model",
        kind: Kind::Folder,
        meaning: "Directory of a custom sentence model in ONNX; empty uses the built-in model.",
        own_only: true,
        standard: Standard::Is(""),
        set: |config, _, value| {
            config.recall.model = Some(value.as_str()?).filter(|path| !path.is_empty()).map(PathBuf::from);
            Some(())
        },
    },
    Key {
        name: "recall.max_results",
        kind: Kind::Whole { min: 1, max: 1000 },
        meaning: "Maximum number of results.",
        own_only: false,
        standard: Standard::Is("8"),
        set: |config, _, value| {
            config.recall.max_results = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "recall.max_prompt_chars",
        kind: Kind::Whole { min: 100, max: u64::MAX },
        meaning: "Maximum characters of a prompt for recalled memories.",
        own_only: false,
        standard: Standard::Is("2400"),
        set: |config, _, value| {
            config.recall.max_prompt_chars = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "recall.floor",
        kind: Kind::Number { max: 1.0 },
        meaning: "Minimum probability that a message needs memories; below it a prompt recalls none.",
        own_only: false,
        standard: Standard::Is("0.2"),
        set: |config, _, value| {
            config.recall.floor = value.as_f64()?;
            Some(())
        },
    },
    Key {
        name: "recall.user_layer_results",
        kind: Kind::Whole { min: 0, max: 1000 },
        meaning: "Maximum number of results from the user's layer, unless a limit is passed.",
        own_only: false,
        standard: Standard::Is("2"),
        set: |config, _, value| {
            config.recall.user_layer_results = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "recall.weights.FORM.relevance",
        kind: Kind::Number { max: f64::MAX },
        meaning: "Weight of relevance to the question, for memories of the form.",
        own_only: false,
        standard: Standard::Weight(|weights| weights.relevance),
        set: |config, form, value| {
            config.recall.weights.get_mut(&form.parse().ok()?)?.relevance = value.as_f64()?;
            Some(())
        },
    },
    Key {
        name: "recall.weights.FORM.importance",
        kind: Kind::Number { max: f64::MAX },
        meaning: "Weight of importance, for memories of the form.",
        own_only: false,
        standard: Standard::Weight(|weights| weights.importance),
        set: |config, form, value| {
            config.recall.weights.get_mut(&form.parse().ok()?)?.importance = value.as_f64()?;
            Some(())
        },
    },
    Key {
        name: "recall.weights.FORM.recency",
        kind: Kind::Number { max: f64::MAX },
        meaning: "Weight of recency, for memories of the form.",
        own_only: false,
        standard: Standard::Weight(|weights| weights.recency),
        set: |config, form, value| {
            config.recall.weights.get_mut(&form.parse().ok()?)?.recency = value.as_f64()?;
            Some(())
        },
    },
    Key {
        name: "prompt.budget",
        kind: Kind::Whole { min: 1, max: 100_000_000 },
        meaning: "Maximum tokens of a prompt.",
        own_only: false,
        standard: Standard::Is("32000"),
        set: |config, _, value| {
            config.prompt.budget = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "prompt.tokenizer",
        kind: Kind::File,
        meaning: "The `tokenizer.json` that counts the tokens of a prompt; empty estimates them by \
                  characters.",
        own_only: true,
        standard: Standard::Is(""),
        set: |config, _, value| {
            config.prompt.tokenizer =
                Some(value.as_str()?).filter(|path| !path.is_empty()).map(PathBuf::from);
            Some(())
        },
    },
    Key {
        name: "skills.folders",
        kind: Kind::Folders,
        meaning: "Folders of skills: Markdown files `NAME.md` or `NAME/SKILL.md`, which prompts list.",
        own_only: true,
        standard: Standard::Is("[]"),
        set: |config, _, value| {
            let paths = value.as_array()?.iter().filter_map(Value::as_str).filter(|path| !path.is_empty());
            config.prompt.skills = paths.map(PathBuf::from).collect();
            Some(())
        },
    },
    Key {
        name: "turn.enabled",
        kind: Kind::Switch,
        meaning: "Whether turns are recorded. If not, a turn writes nothing and recalls nothing.",
        own_only: false,
        standard: Standard::Is("true"),
        set: |config, _, value| {
            config.turn.enabled = value.as_bool()?;
            Some(())
        },
    },
    Key {
        name: "turn.channels",
        kind: Kind::Channels,
        meaning: "The channels whose turns are recorded; `*` is every channel.",
        own_only: false,
        standard: Standard::Is("*"),
        set: |config, _, value| {
            config.turn.channels = Channels::read(value)?;
            Some(())
        },
    },
    Key {
        name: "ingest.max_message_bytes",
        kind: Kind::Whole { min: 1000, max: 1_000_000_000 },
        meaning: "Maximum bytes of a message, of any other text to remember, and of a query. Longer \
                  text is refused, except the output of a tool in a turn, which is cut. The limit does \
                  not apply to notes and files.",
        own_only: false,
        standard: Standard::Is("1000000"),
        set: |config, _, value| {
            config.max_message_bytes = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "journal.reads",
        kind: Kind::Switch,
        meaning: "Whether the journal records a line `read` for each call of a memtape tool that only \
                  reads. If so, reading writes to the tape, including the query.",
        own_only: false,
        standard: Standard::Is("false"),
        set: |config, _, value| {
            config.journal_reads = value.as_bool()?;
            Some(())
        },
    },
    Key {
        name: "memory_tool.overwrite",
        kind: Kind::Switch,
        meaning: "Whether `create` of the memory tool replaces a file that exists, instead of refusing it. \
                  The earlier versions stay in the history.",
        own_only: false,
        standard: Standard::Is("false"),
        set: |config, _, value| {
            config.memory_tool_overwrite = value.as_bool()?;
            Some(())
        },
    },
    Key {
        name: "capture.enabled",
        kind: Kind::Switch,
        meaning: "Whether statements are captured from the messages of turns.",
        own_only: false,
        standard: Standard::Is("true"),
        set: |config, _, value| {
            config.capture.enabled = value.as_bool()?;
            Some(())
        },
    },
    Key {
        name: "capture.mode",
        kind: Kind::Choice { names: &["heuristic"], also: &[] },
        meaning: "How statements are captured: by the learned weights of the program.",
        own_only: false,
        standard: Standard::Is("heuristic"),
        // The validated value carries no information: there is only one mode.
        set: |_, _, _| Some(()),
    },
    Key {
        name: "capture.channels",
        kind: Kind::Channels,
        meaning: "The channels in whose turns statements are captured; `*` is every channel.",
        own_only: false,
        standard: Standard::Is("*"),
        set: |config, _, value| {
            config.capture.channels = Channels::read(value)?;
            Some(())
        },
    },
    Key {
        name: "capture.min_confidence",
        kind: Kind::Number { max: 1.0 },
        meaning: "Minimum confidence of a captured statement.",
        own_only: false,
        standard: Standard::Is("0.5"),
        set: |config, _, value| {
            config.capture.min_confidence = value.as_f64()?;
            Some(())
        },
    },
    Key {
        name: "capture.min_importance",
        kind: Kind::Number { max: 1.0 },
        meaning: "Minimum importance of a captured statement.",
        own_only: false,
        standard: Standard::Is("0.6"),
        set: |config, _, value| {
            config.capture.min_importance = value.as_f64()?;
            Some(())
        },
    },
    Key {
        name: "capture.assistant",
        kind: Kind::Switch,
        meaning: "Whether statements are also captured from the agent's replies.",
        own_only: false,
        standard: Standard::Is("false"),
        set: |config, _, value| {
            config.capture.assistant = value.as_bool()?;
            Some(())
        },
    },
    Key {
        name: "capture.max_entries_per_turn",
        kind: Kind::Whole { min: 0, max: 100 },
        meaning: "Maximum number of statements captured per turn. What somebody asks to remember does not count.",
        own_only: false,
        standard: Standard::Is("4"),
        set: |config, _, value| {
            config.capture.max_entries = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    },
    Key {
        name: "retention.episodic_days",
        kind: Kind::Whole { min: 0, max: 1_000_000 },
        meaning: "Days that an episodic statement is kept after it was last stated; 0 keeps it for ever.",
        own_only: false,
        standard: Standard::Is("90"),
        set: |config, _, value| {
            config.retention.0.insert(Category::Episodic, value.as_u64()?.try_into().ok()?);
            Some(())
        },
    },
    Key {
        name: "retention.fact_days",
        kind: Kind::Whole { min: 0, max: 1_000_000 },
        meaning: "Days that a fact is kept after it was last stated; 0 keeps it for ever.",
        own_only: false,
        standard: Standard::Is("3650"),
        set: |config, _, value| {
            config.retention.0.insert(Category::Fact, value.as_u64()?.try_into().ok()?);
            Some(())
        },
    },
    Key {
        name: "retention.preference_days",
        kind: Kind::Whole { min: 0, max: 1_000_000 },
        meaning: "Days that a preference is kept after it was last stated; 0 keeps it for ever.",
        own_only: false,
        standard: Standard::Is("3650"),
        set: |config, _, value| {
            config.retention.0.insert(Category::Preference, value.as_u64()?.try_into().ok()?);
            Some(())
        },
    },
    Key {
        name: "retention.decision_days",
        kind: Kind::Whole { min: 0, max: 1_000_000 },
        meaning: "Days that a decision is kept after it was last stated; 0 keeps it for ever.",
        own_only: false,
        standard: Standard::Is("3650"),
        set: |config, _, value| {
            config.retention.0.insert(Category::Decision, value.as_u64()?.try_into().ok()?);
            Some(())
        },
    },
    Key {
        name: "wal.enabled",
        kind: Kind::Switch,
        meaning: "Whether each conversation has a file in `mirror/session-state` with its last turns.",
        own_only: false,
        standard: Standard::Is("true"),
        set: |config, _, value| {
            config.wal = value.as_bool()?;
            Some(())
        },
    },
    row(
        "model.provider",
        PROVIDER,
        "The protocol of the language model: `openai` for chat completions, which most servers speak, or `anthropic`; `none` uses no model.",
        true,
        "none",
        |config, _, value| {
            config.model.main.provider = mind::provider(value)?;
            Some(())
        },
    ),
    row(
        "model.base_url",
        Kind::Text,
        "The address of the language model, such as `http://127.0.0.1:11434/v1`; empty means that of OpenAI or Anthropic.",
        true,
        "",
        |config, _, value| {
            config.model.main.base_url = mind::text(value)?;
            Some(())
        },
    ),
    row(
        "model.name",
        Kind::Text,
        "The name of the language model, as its server calls it.",
        true,
        "",
        |config, _, value| {
            config.model.main.name = mind::text(value)?;
            Some(())
        },
    ),
    row(
        "model.api_key_env",
        Kind::Text,
        "The environment variable with the API key; empty means `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, and none for another address.",
        true,
        "",
        |config, _, value| {
            config.model.main.api_key_env = mind::text(value)?;
            Some(())
        },
    ),
    row(
        "model.api_key_file",
        Kind::File,
        "A file with the API key, readable by its owner only.",
        true,
        "",
        |config, _, value| {
            config.model.main.api_key_file = mind::text(value)?.map(PathBuf::from);
            Some(())
        },
    ),
    row(
        "model.price_in",
        Kind::Number { max: f64::MAX },
        "The price of a million input tokens, in any currency; 0 records no cost.",
        true,
        "0",
        |config, _, value| {
            config.model.main.price_in = value.as_f64()?;
            Some(())
        },
    ),
    row(
        "model.price_out",
        Kind::Number { max: f64::MAX },
        "The price of a million output tokens.",
        true,
        "0",
        |config, _, value| {
            config.model.main.price_out = value.as_f64()?;
            Some(())
        },
    ),
    row(
        "model.background.provider",
        PROVIDER,
        "The protocol of the background model, which extracts, reflects and consolidates; `none` uses the main one.",
        true,
        "none",
        |config, _, value| {
            config.model.background.provider = mind::provider(value)?;
            Some(())
        },
    ),
    row(
        "model.background.base_url",
        Kind::Text,
        "The address of the background model, up to and without the path of the call.",
        true,
        "",
        |config, _, value| {
            config.model.background.base_url = mind::text(value)?;
            Some(())
        },
    ),
    row(
        "model.background.name",
        Kind::Text,
        "The name of the background model, as its server calls it.",
        true,
        "",
        |config, _, value| {
            config.model.background.name = mind::text(value)?;
            Some(())
        },
    ),
    row(
        "model.background.api_key_env",
        Kind::Text,
        "The environment variable with the API key of the background model; empty means `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, and none for another address.",
        true,
        "",
        |config, _, value| {
            config.model.background.api_key_env = mind::text(value)?;
            Some(())
        },
    ),
    row(
        "model.background.api_key_file",
        Kind::File,
        "A file with the API key of the background model, readable by its owner only.",
        true,
        "",
        |config, _, value| {
            config.model.background.api_key_file = mind::text(value)?.map(PathBuf::from);
            Some(())
        },
    ),
    row(
        "model.background.price_in",
        Kind::Number { max: f64::MAX },
        "The price of a million input tokens of the background model, in any currency; 0 records no cost.",
        true,
        "0",
        |config, _, value| {
            config.model.background.price_in = value.as_f64()?;
            Some(())
        },
    ),
    row(
        "model.background.price_out",
        Kind::Number { max: f64::MAX },
        "The price of a million output tokens of the background model.",
        true,
        "0",
        |config, _, value| {
            config.model.background.price_out = value.as_f64()?;
            Some(())
        },
    ),
    row(
        "model.timeout_seconds",
        Kind::Whole { min: 1, max: 3600 },
        "Time limit of a call of a model, in seconds, retries included.",
        true,
        "300",
        |config, _, value| {
            config.model.timeout = Duration::from_secs(value.as_u64()?);
            Some(())
        },
    ),
    row(
        "model.retries",
        Kind::Whole { min: 0, max: 10 },
        "Maximum number of retries after a transient failure.",
        true,
        "2",
        |config, _, value| {
            config.model.retries = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    ),
    row(
        "model.max_tokens",
        Kind::Whole { min: 16, max: 1_000_000 },
        "Maximum tokens of one reply.",
        true,
        "4096",
        |config, _, value| {
            config.model.max_tokens = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    ),
    row(
        "model.budget.turn_tokens",
        Kind::Whole { min: 0, max: u64::MAX },
        "Maximum tokens of one reply, extraction, reflection or summary, with all of its calls; 0 is unlimited.",
        true,
        "200000",
        |config, _, value| {
            config.model.budget.turn_tokens = value.as_u64()?;
            Some(())
        },
    ),
    row(
        "model.budget.hour_tokens",
        Kind::Whole { min: 0, max: u64::MAX },
        "Maximum tokens of all calls within an hour; 0 is unlimited.",
        true,
        "1000000",
        |config, _, value| {
            config.model.budget.hour_tokens = value.as_u64()?;
            Some(())
        },
    ),
    row(
        "model.budget.day_tokens",
        Kind::Whole { min: 0, max: u64::MAX },
        "Maximum tokens of all calls within 24 hours; 0 is unlimited.",
        true,
        "5000000",
        |config, _, value| {
            config.model.budget.day_tokens = value.as_u64()?;
            Some(())
        },
    ),
    row(
        "model.budget.day_cost",
        Kind::Number { max: f64::MAX },
        "Maximum cost of all calls of models with prices within 24 hours, in their currency; 0 is unlimited.",
        true,
        "0",
        |config, _, value| {
            config.model.budget.day_cost = value.as_f64()?;
            Some(())
        },
    ),
    row(
        "agent.rounds",
        Kind::Whole { min: 1, max: 100 },
        "Maximum number of model calls of one turn of `memtape agent`.",
        false,
        "12",
        |config, _, value| {
            config.mind.agent_rounds = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    ),
    row(
        "mind.extract",
        Kind::Switch,
        "Whether a configured model extracts facts from conversations into the ledger.",
        false,
        "true",
        |config, _, value| {
            config.mind.extract = value.as_bool()?;
            Some(())
        },
    ),
    row(
        "mind.turns",
        Kind::Whole { min: 1, max: 100 },
        "Number of new messages of people after which facts are extracted.",
        false,
        "2",
        |config, _, value| {
            config.mind.turns = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    ),
    row(
        "mind.personas",
        Kind::Choice { names: &["off", "switch", "create"], also: &[] },
        "Whether a conversation changes to the persona that fits it: never, to existing branches, or also to new ones.",
        false,
        "switch",
        |config, _, value| {
            config.mind.personas = mind::personas(value)?;
            Some(())
        },
    ),
    row(
        "reflect.enabled",
        Kind::Switch,
        "Whether a configured model writes notes about conversations without being asked.",
        false,
        "true",
        |config, _, value| {
            config.mind.reflect = value.as_bool()?;
            Some(())
        },
    ),
    row(
        "reflect.channels",
        Kind::Channels,
        "The channels whose conversations are reflected on without being asked. Notes belong to the whole workspace, so name only your own.",
        false,
        "cli",
        |config, _, value| {
            config.mind.reflect_channels = Channels::read(value)?;
            Some(())
        },
    ),
    row(
        "reflect.fact_files",
        Kind::FolderNames,
        "The files below `facts` that the reflector may write, without `.md`.",
        false,
        "user,project,preferences",
        |config, _, value| {
            config.mind.fact_files = mind::names(value)?;
            Some(())
        },
    ),
    row(
        "reflect.rounds",
        Kind::Whole { min: 1, max: 20 },
        "Maximum number of model calls of one reflection.",
        false,
        "5",
        |config, _, value| {
            config.mind.reflect_rounds = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    ),
    row(
        "heartbeat.minutes",
        Kind::Whole { min: 1, max: 10_080 },
        "Time between two heartbeats.",
        false,
        "30",
        |config, _, value| {
            config.mind.heartbeat = Duration::from_secs(60 * value.as_u64()?);
            Some(())
        },
    ),
    row(
        "consolidate.episode_months",
        Kind::Whole { min: 1, max: 1200 },
        "Age in months after which the heartbeat and `consolidate --model` replace each episode by a one-line summary.",
        false,
        "6",
        |config, _, value| {
            config.mind.episode_months = value.as_u64()?.try_into().ok()?;
            Some(())
        },
    ),
    Key {
        name: "users.NAME",
        kind: Kind::Identities,
        meaning: "The identities on channels that belong to one person. An identity belongs to at most \
                  one user.",
        own_only: false,
        standard: Standard::Absent,
        set: |config, name, value| {
            let identities = value.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned);
            config.users.insert(name.to_owned(), identities.collect());
            Some(())
        },
    },
];

/// The protocols of language models.
const PROVIDER: Kind = Kind::Choice { names: &["none", "openai", "anthropic"], also: &[] };

/// Returns the row of a key with a fixed name.
const fn row(
    name: &'static str,
    kind: Kind,
    meaning: &'static str,
    own_only: bool,
    default: &'static str,
    set: fn(&mut Config, &str, &Value) -> Option<()>,
) -> Key {
    Key { name, kind, meaning, own_only, standard: Standard::Is(default), set }
}

impl Key {
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
        match self.standard {
            Standard::Is(text) => Some(self.kind.value_of(text)),
            Standard::Weight(of) => Some(of(Weights::of(self.part(name)?.parse().ok()?)).into()),
            Standard::Absent => None,
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
