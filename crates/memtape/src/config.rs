//! The configuration: what an owner may set, where it is read, and which value counts.
//!
//! *Purpose.* To make one [`Config`] of several layers, of which a later one wins: the defaults, the owner's own
//! files (`config.json`, then `config.toml`), the workspace's files (`memtape.json`, then `memtape.toml`), the
//! environment, flags. It also says where each value comes from.
//!
//! *Reads.* Those four files and nothing else. The folders, the environment and the flags are given in [`Sources`].
//!
//! **Invariants.** Everything that is said of a key stands in one row of [`KEYS`]: reading, checking, the names of
//! variables, the messages and the [`reference()`] page are made from it. What is not understood is an error that
//! says where it stands and what to do; nothing is passed over in silence. A key that is the owner's own is never
//! taken from a workspace, because workspaces are copied and cloned.
//!
//! In reading order: [`Config`], then the table in `keys.rs`, the kinds of values in `kind.rs`, the names in
//! `names.rs`, the layers in `sources.rs`, document 4's file in `camel.rs`, the page in `reference.rs`.

mod camel;
mod keys;
mod kind;
mod names;
mod reference;
mod sources;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use jiff::tz::TimeZone;
use memtape_core::Form;
use memtape_core::forms::notes::Folders;
use memtape_core::forms::statements::Retention;
use memtape_core::recall::weights::Weights;
use memtape_store::git::Place;
use memtape_tape::Durability;
use serde_json::Value;

pub use self::keys::{KEYS, Key};
pub use self::kind::Kind;
pub(crate) use self::names::nearest;
pub use self::reference::reference;
use crate::error::{Error, Result};

/// The configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The time zone in which days begin.
    pub time_zone: TimeZone,
    /// Whether acknowledged entries outlive a power failure.
    pub durability: Durability,
    /// How long a writer waits for another one.
    pub lock_wait: Duration,
    /// The zone's settings.
    pub zone: ZoneConfig,
    /// The ledger's settings.
    pub ledger: LedgerConfig,
    /// The notes' settings.
    pub notes: NotesConfig,
    /// The files' settings.
    pub files: FilesConfig,
    /// The blocks' settings.
    pub blocks: BlocksConfig,
    /// After how many days a consolidation reports what was not used; 0 reports none.
    pub stale_days: u32,
    /// Recall's settings.
    pub recall: RecallConfig,
    /// The prompts' settings.
    pub prompt: PromptConfig,
    /// What is remembered of turns.
    pub turn: TurnConfig,
    /// How many bytes a message, or another text that is to be remembered, may have.
    pub max_message_bytes: usize,
    /// Whether calls of memtape's own tools that only read are put into the journal.
    pub journal_reads: bool,
    /// What is captured.
    pub capture: CaptureConfig,
    /// How long statements are kept.
    pub retention: Retention,
    /// Whether conversations have state files.
    pub wal: bool,
    /// The identities on channels, `CHANNEL:ID`, of each person who has several. An identity is one person's.
    pub users: BTreeMap<String, Vec<String>>,
}

/// The zone's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneConfig {
    /// How many days of daily notes are kept; 0 keeps all.
    pub retention_days: u32,
}

/// The ledger's settings.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerConfig {
    /// For how many days a temporary fact holds; 0 for ever.
    pub temporary_days: u32,
    /// How many characters of a prompt what a persona knows may take.
    pub max_context_chars: usize,
    /// How sure a fact must be not to be retired by itself, from 0 to 1; 0 keeps all.
    pub prune_below: f64,
    /// After how many days a fact is retired by itself that was not used; 0 keeps it.
    pub prune_unused_days: u32,
    /// After how many turns the observations of a conversation are committed, unless it ends before.
    pub commit_turns: u64,
}

/// The notes' settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesConfig {
    /// Their folders.
    pub folders: Folders,
    /// Where the folders lie; `None` is the workspace.
    pub data_dir: Option<PathBuf>,
    /// Whether the index tells the files of `facts` in full.
    pub facts_in_full: bool,
    /// How many characters of a prompt the index may take.
    pub list_chars: usize,
}

/// The files' settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilesConfig {
    /// Where memtape keeps their git history; `None` keeps none.
    pub git: Option<Place>,
}

/// The blocks' settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlocksConfig {
    /// How many characters a block may have.
    pub max_chars: usize,
    /// How many names a computed block lists at most.
    pub index_items: usize,
    /// After how many days a file is listed there no more; 0 for no limit.
    pub index_days: u32,
}

/// Recall's settings.
#[derive(Clone, Debug, PartialEq)]
pub struct RecallConfig {
    /// How memories are found.
    pub backend: Backend,
    /// The folder of another sentence model; `None` is the built-in one.
    pub model: Option<PathBuf>,
    /// How many memories an answer has at most.
    pub max_results: usize,
    /// How many characters of a prompt what was recalled may take.
    pub max_prompt_chars: usize,
    /// How many of an answer's memories may come from the user's own layer.
    pub user_layer_results: usize,
    /// How much each part of a score counts. Every form has its weights here.
    pub weights: BTreeMap<Form, Weights>,
}

/// The prompts' settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptConfig {
    /// How many tokens a prompt has at most.
    pub budget: usize,
    /// The tokenizer by which they are counted; `None` estimates them.
    pub tokenizer: Option<PathBuf>,
    /// The folders of skills.
    pub skills: Vec<PathBuf>,
}

/// What is remembered of turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnConfig {
    /// Whether anything is.
    pub enabled: bool,
    /// In which channels.
    pub channels: Channels,
}

/// What is captured from turns.
#[derive(Clone, Debug, PartialEq)]
pub struct CaptureConfig {
    /// Whether anything is.
    pub enabled: bool,
    /// In which channels.
    pub channels: Channels,
    /// How sure a statement must be, from 0 to 1.
    pub min_confidence: f64,
    /// How much it must matter, from 0 to 1.
    pub min_importance: f64,
    /// Whether the agent's words are read, too.
    pub assistant: bool,
    /// How many statements a turn captures at most.
    pub max_entries: usize,
}

/// Some channels, or every one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Channels(Vec<String>);

impl Channels {
    /// Whether a channel is among them.
    #[must_use]
    pub fn hold(&self, channel: &str) -> bool {
        self.0.iter().any(|name| name == "*" || name == channel)
    }

    fn read(value: &Value) -> Option<Self> {
        let names = value.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned);
        Some(Self(names.collect()))
    }
}

/// How memories are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// By words and by meaning.
    #[default]
    Hybrid,
    /// By words only.
    SqliteFts,
}

impl Backend {
    /// Every backend.
    pub const ALL: [Self; 2] = [Self::Hybrid, Self::SqliteFts];

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::SqliteFts => "sqlite_fts",
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        load(&Sources::default()).expect("the defaults are in order, a test sees to it").config
    }
}

impl Config {
    /// What the keys are set into; each of them sets its default first.
    fn blank() -> Self {
        Self {
            time_zone: TimeZone::UTC,
            durability: Durability::default(),
            lock_wait: Duration::ZERO,
            zone: ZoneConfig { retention_days: 0 },
            ledger: LedgerConfig {
                temporary_days: 0,
                max_context_chars: 0,
                prune_below: 0.0,
                prune_unused_days: 0,
                commit_turns: 0,
            },
            notes: NotesConfig {
                folders: Folders::default(),
                data_dir: None,
                facts_in_full: false,
                list_chars: 0,
            },
            files: FilesConfig { git: None },
            blocks: BlocksConfig { max_chars: 0, index_items: 0, index_days: 0 },
            stale_days: 0,
            recall: RecallConfig {
                backend: Backend::default(),
                model: None,
                max_results: 0,
                max_prompt_chars: 0,
                user_layer_results: 0,
                weights: Form::all().map(|form| (form, Weights::of(form))).collect(),
            },
            prompt: PromptConfig::default(),
            turn: TurnConfig { enabled: false, channels: Channels::default() },
            max_message_bytes: 0,
            journal_reads: false,
            capture: CaptureConfig {
                enabled: false,
                channels: Channels::default(),
                min_confidence: 0.0,
                min_importance: 0.0,
                assistant: false,
                max_entries: 0,
            },
            retention: Retention(BTreeMap::new()),
            wal: false,
            users: BTreeMap::new(),
        }
    }
}

/// Where a configuration is read. The default is nowhere, which gives the defaults.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The folder of the owner's own files: `config.toml`, `config.json`.
    pub user_dir: Option<PathBuf>,
    /// The workspace's folder: `memtape.toml`, `memtape.json`. There need be no workspace in it.
    pub workspace: Option<PathBuf>,
    /// The variables of the environment. Those that do not begin with `MEMTAPE_` are passed over.
    pub environment: Vec<(String, String)>,
    /// The flags, `KEY=VALUE` each; of two for one key the later one counts.
    pub flags: Vec<String>,
}

/// A configuration, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The configuration.
    pub config: Config,
    /// The values it was made of: one for each key, in the order of the table.
    pub values: Vec<Setting>,
    /// What the owner should know although nothing is wrong, such as a variable that sets no key.
    pub warnings: Vec<String>,
    /// Which keys of nanobot's are passed over, and why: nothing has to be done about them.
    pub idle: Vec<String>,
}

/// A key's value, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The key's full name.
    pub key: String,
    /// The value, with its type.
    pub value: Value,
    /// Where it comes from.
    pub origin: Origin,
}

impl Setting {
    /// The value as it is written in TOML.
    #[must_use]
    pub fn text(&self) -> String {
        kind::shown(&self.value)
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is the default.
    Default,
    /// One of the owner's own files.
    UserFile(PathBuf),
    /// One of the workspace's files.
    WorkspaceFile(PathBuf),
    /// A variable of the environment.
    Environment(String),
    /// A flag, `--config`.
    Flag,
}

impl Origin {
    /// Its name, for programs.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::UserFile(_) => "user_file",
            Self::WorkspaceFile(_) => "workspace_file",
            Self::Environment(_) => "environment",
            Self::Flag => "flag",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.pad("default"),
            Self::UserFile(path) => path.display().fmt(f),
            // There is one workspace at a time, and its folder is long.
            Self::WorkspaceFile(path) => path.file_name().unwrap_or_default().display().fmt(f),
            Self::Environment(variable) => f.pad(variable),
            Self::Flag => f.pad("--config"),
        }
    }
}

/// Reads the configuration.
///
/// # Errors
/// [`Error::Invalid`] for whatever is not understood, with where it stands.
pub fn load(sources: &Sources) -> Result<Loaded> {
    sources::load(sources)
}

impl Loaded {
    /// The value of a key.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such key; it names the nearest one.
    pub fn setting(&self, name: &str) -> Result<&Setting> {
        let unknown = || match names::find(name) {
            Some(_) => format!("{name} is set nowhere"),
            None => names::unknown(name),
        };
        self.values.iter().find(|setting| setting.key == name).ok_or_else(|| Error::NotFound(unknown()))
    }
}
