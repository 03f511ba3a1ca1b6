//! The configuration: its keys, the places it is read from, and which value wins.
//!
//! A [`Config`] is made of several layers. A later layer overrides an earlier one, key by key: the defaults,
//! the owner's files (`config.json`, then `config.toml`), the workspace's files (`memtape.json`, then
//! `memtape.toml`), the environment, and flags. The result also records where each value comes from.
//!
//! Only those four files are read. Their directories, the environment and the flags are passed in as
//! [`Sources`].
//!
//! **Invariants.** Each key is defined by one row of [`KEYS`]; parsing, validation, the names of variables,
//! the messages and the [`reference()`] page are generated from it. Anything that is not understood is an
//! error that names the place and the remedy; nothing is ignored silently. A key that is reserved for the
//! owner is never read from a workspace, because workspaces are copied and cloned.
//!
//! In reading order: [`Config`], the table in `keys.rs`, the kinds of values in `kind.rs`, how fields read them in
//! `value.rs`, the names in `names.rs`, the layers in `sources.rs`, the file format of document 4 in `camel.rs`, the page in
//! `reference.rs`.

mod camel;
mod keys;
mod kind;
mod mind;
mod names;
mod reference;
mod sources;
mod value;

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use jiff::tz::TimeZone;
use memtape_core::Form;
use memtape_core::forms::notes::Folders;
use memtape_core::forms::statements::Retention;
use memtape_core::recall::weights::Weights;
use memtape_tape::Durability;
use memtape_upstream::Freshness;
use memtape_worktree::git::Place;
use serde_json::Value;

pub use self::keys::{KEYS, Key};
pub use self::kind::SettingKind;
pub use self::mind::{EndpointConfig, MindConfig, ModelBudget, ModelConfig, Personas, Provider};
pub(crate) use self::names::nearest;
pub use self::reference::reference;
use crate::error::{Error, Result};

/// The configuration of a workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Time zone in which days begin and times are printed. [`Config::default`] uses UTC, so that it does not
    /// depend on the machine; [`load`] uses the zone of the machine.
    pub time_zone: TimeZone,
    /// Whether acknowledged entries survive a power failure.
    pub durability: Durability,
    /// Maximum time that a writer waits for the lock while another process writes.
    pub lock_wait: Duration,
    /// How the workspace follows an upstream, if it has one.
    pub upstream: UpstreamConfig,
    /// Settings of the zone.
    pub zone: ZoneConfig,
    /// Settings of the ledger.
    pub ledger: LedgerConfig,
    /// Settings of the notes.
    pub notes: NotesConfig,
    /// Settings of the files.
    pub files: FilesConfig,
    /// Settings of the blocks.
    pub blocks: BlocksConfig,
    /// Number of days without use after which consolidation reports a memory as stale; 0 reports none.
    pub stale_days: u32,
    /// Settings of recall.
    pub recall: RecallConfig,
    /// Settings of prompts.
    pub prompt: PromptConfig,
    /// The turns that are recorded.
    pub turn: TurnConfig,
    /// Maximum length of a message, or of another text to remember, in bytes.
    pub max_message_bytes: usize,
    /// Whether calls of memtape's own read-only tools are recorded in the journal.
    pub journal_reads: bool,
    /// Whether `create` of Anthropic's memory tool replaces a file that exists.
    pub memory_tool_overwrite: bool,
    /// Settings of capture.
    pub capture: CaptureConfig,
    /// The retention of statements.
    pub retention: Retention,
    /// Whether conversations have state files.
    pub wal: bool,
    /// The language models and their budgets.
    pub model: ModelConfig,
    /// The tasks that models do with the memory.
    pub mind: MindConfig,
    /// The channel identities (`CHANNEL:ID`) of each person who has several. An identity belongs to one
    /// person.
    pub users: BTreeMap<String, Vec<String>>,
}

/// How a workspace follows an upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpstreamConfig {
    /// How current reads are.
    pub freshness: Freshness,
    /// How long a write tries to reach the upstream.
    pub wait: Duration,
}

/// Settings of the zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneConfig {
    /// Number of days that daily notes are kept; 0 keeps them all.
    pub retention_days: u32,
}

/// Settings of the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerConfig {
    /// Number of days that a temporary fact is valid; 0 means without limit.
    pub temporary_days: u32,
    /// Maximum share of a prompt for the ledger facts of a persona, in characters.
    pub max_context_chars: usize,
    /// Confidence, from 0 to 1, below which facts are removed automatically; 0 keeps them all.
    pub prune_below: f64,
    /// Number of days without use after which a fact is removed automatically; 0 keeps it.
    pub prune_unused_days: u32,
    /// Number of turns after which the observations of a conversation are committed, unless it ends before.
    pub commit_turns: u64,
}

/// Settings of the notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesConfig {
    /// The folders of the notes.
    pub folders: Folders,
    /// The folders whose files an agent's own program writes: their changes count as the agent's, not as a person's.
    pub assistant_folders: Vec<String>,
    /// Directory that contains the folders; `None` is the workspace.
    pub data_dir: Option<PathBuf>,
    /// Whether the index in the prompt includes the files of `facts` in full.
    pub facts_in_full: bool,
    /// Maximum length of the index in the prompt, in characters.
    pub list_chars: usize,
}

/// Settings of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilesConfig {
    /// Place of the git history that memtape keeps of the files; `None` keeps none.
    pub git: Option<Place>,
}

/// Settings of the blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlocksConfig {
    /// Maximum length of a block, in characters.
    pub max_chars: usize,
    /// Maximum number of names that a computed block lists.
    pub index_items: usize,
    /// Number of days after which a computed block stops listing a file; 0 means no limit.
    pub index_days: u32,
}

/// Settings of recall.
#[derive(Clone, Debug, PartialEq)]
pub struct RecallConfig {
    /// The search method of recall.
    pub backend: Backend,
    /// Directory of a custom model. `None` uses the bundled one.
    pub model: Option<PathBuf>,
    /// Maximum number of hits.
    pub max_results: usize,
    /// Maximum share of a prompt for recalled memories, in characters.
    pub max_prompt_chars: usize,
    /// Minimum probability that a message needs memories, from 0 to 1. Below it, a prompt recalls none.
    pub floor: f64,
    /// Maximum number of hits from the user's own layer.
    pub user_layer_results: usize,
    /// The weights of each part of a score. Every form has an entry.
    pub weights: BTreeMap<Form, Weights>,
}

/// Settings of prompts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptConfig {
    /// Maximum size of a prompt, in tokens.
    pub budget: usize,
    /// File of the tokenizer that counts the tokens; `None` estimates them.
    pub tokenizer: Option<PathBuf>,
    /// Directories of skills.
    pub skills: Vec<PathBuf>,
}

/// The turns that are recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnConfig {
    /// Whether any turn is recorded.
    pub enabled: bool,
    /// The channels whose turns are recorded.
    pub channels: Channels,
}

/// Settings of capture.
#[derive(Clone, Debug, PartialEq)]
pub struct CaptureConfig {
    /// Whether anything is captured.
    pub enabled: bool,
    /// The channels that are captured from.
    pub channels: Channels,
    /// Minimum confidence of a captured statement, from 0 to 1.
    pub min_confidence: f64,
    /// Minimum importance of a captured statement, from 0 to 1.
    pub min_importance: f64,
    /// Whether the agent's replies are captured from as well.
    pub assistant: bool,
    /// Maximum number of statements captured per turn.
    pub max_entries: usize,
}

/// A set of channels; `*` stands for all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Channels(Vec<String>);

impl Channels {
    /// Returns whether a channel is in the set.
    #[must_use]
    pub fn hold(&self, channel: &str) -> bool {
        self.0.iter().any(|name| name == "*" || name == channel)
    }
}

/// A search method of recall.
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

    /// Returns the name of the backend in the configuration.
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
        let loaded = load(&Sources::default()).expect("a test checks that the defaults are valid");
        Self { time_zone: TimeZone::UTC, ..loaded.config }
    }
}

impl Config {
    /// Returns the configuration that the keys are set into. Its values are overwritten, since each key sets
    /// its default first.
    fn blank() -> Self {
        Self {
            time_zone: TimeZone::UTC,
            durability: Durability::default(),
            lock_wait: Duration::ZERO,
            upstream: UpstreamConfig { freshness: Freshness::default(), wait: Duration::ZERO },
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
                assistant_folders: Vec::new(),
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
                floor: 0.0,
                user_layer_results: 0,
                weights: Form::all().map(|form| (form, form.rules().weights())).collect(),
            },
            prompt: PromptConfig::default(),
            turn: TurnConfig { enabled: false, channels: Channels::default() },
            max_message_bytes: 0,
            journal_reads: false,
            memory_tool_overwrite: false,
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
            model: ModelConfig::default(),
            mind: MindConfig::default(),
            users: BTreeMap::new(),
        }
    }
}

/// The places that a configuration is read from.
///
/// The default reads nothing, which results in the defaults.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Directory of the owner's files `config.toml` and `config.json`.
    pub user_dir: Option<PathBuf>,
    /// Directory of the workspace's files `memtape.toml` and `memtape.json`. It need not contain a workspace.
    pub workspace: Option<PathBuf>,
    /// The environment variables. Those that do not begin with `MEMTAPE_` are ignored.
    pub environment: Vec<(String, String)>,
    /// The flags, each as `KEY=VALUE`; of two for the same key the later one wins.
    pub flags: Vec<String>,
}

impl Sources {
    /// Returns the sources of this process: the owner's files, those of a workspace, and the environment.
    #[must_use]
    pub fn of_process(workspace: Option<PathBuf>) -> Self {
        let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        Self {
            user_dir: user_dir(),
            workspace,
            environment: env::vars_os()
                .filter(|(name, _)| name.to_string_lossy().starts_with("MEMTAPE_"))
                .map(|(name, value)| (text(name), text(value)))
                .collect(),
            flags: Vec::new(),
        }
    }
}

/// Returns the directory of the owner's files: `$XDG_CONFIG_HOME/memtape`, else `~/.config/memtape`.
///
/// `None` means that there is no home directory.
#[must_use]
pub fn user_dir() -> Option<PathBuf> {
    let config = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute());
    let home = || env::home_dir().filter(|home| !home.as_os_str().is_empty());
    Some(config.or_else(|| Some(home()?.join(".config")))?.join("memtape"))
}

/// A configuration together with the origin of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The configuration.
    pub config: Config,
    /// The value of each key, in the order of [`KEYS`].
    pub values: Vec<Setting>,
    /// Warnings for the owner, such as a variable that sets no key.
    pub warnings: Vec<String>,
    /// The keys of nanobot's format that have no effect, with the reason. They need no action.
    pub idle: Vec<String>,
}

/// The value of a key and its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The full name of the key.
    pub key: String,
    /// The value, with its type.
    pub value: Value,
    /// The origin of the value.
    pub origin: SettingOrigin,
}

impl Setting {
    /// Returns the value as TOML.
    #[must_use]
    pub fn text(&self) -> String {
        kind::shown(&self.value)
    }
}

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    /// The default.
    Default,
    /// One of the owner's files.
    UserFile(PathBuf),
    /// One of the workspace's files.
    WorkspaceFile(PathBuf),
    /// An environment variable.
    Environment(String),
    /// The flag `--config`.
    Flag,
}

impl SettingOrigin {
    /// Returns the stable name of the origin, for programs.
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

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.pad("default"),
            Self::UserFile(path) => path.display().fmt(f),
            // There is only one workspace at a time and its path is long, so the file name suffices.
            Self::WorkspaceFile(path) => path.file_name().unwrap_or_default().display().fmt(f),
            Self::Environment(variable) => f.pad(variable),
            Self::Flag => f.pad("--config"),
        }
    }
}

/// Reads the configuration.
///
/// # Errors
/// [`Error::Invalid`] if a file, a variable or a flag cannot be read or is not understood; the message names
/// the place.
pub fn load(sources: &Sources) -> Result<Loaded> {
    sources::load(sources)
}

impl Loaded {
    /// Returns the setting of a key.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such key or it has no value; the message suggests the nearest name.
    pub fn setting(&self, name: &str) -> Result<&Setting> {
        let unknown = || match names::find(name) {
            Some(_) => format!("{name} is not set"),
            None => names::unknown(name),
        };
        self.values.iter().find(|setting| setting.key == name).ok_or_else(|| Error::NotFound(unknown()))
    }
}
