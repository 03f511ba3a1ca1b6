//! The settings of language models and of the tasks that use them.
//!
//! memtape works in full without a model: [`ModelConfig::main`] has no provider by default.

use std::path::PathBuf;
use std::time::Duration;

use super::Channels;

/// The protocol of a language model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// OpenAI's chat completions, which most servers speak.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

impl Provider {
    /// Returns its name in the configuration.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }
}

/// A language model and its address.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EndpointConfig {
    /// The protocol; `None` means that no model is configured.
    pub provider: Option<Provider>,
    /// The address without the path of the call; `None` means that of the provider.
    pub base_url: Option<String>,
    /// The name of the model.
    pub name: Option<String>,
    /// The environment variable with the API key.
    pub api_key_env: Option<String>,
    /// The file with the API key.
    pub api_key_file: Option<PathBuf>,
    /// The price of a million input tokens; 0 if it is unknown.
    pub price_in: f64,
    /// The price of a million output tokens; 0 if it is unknown.
    pub price_out: f64,
}

/// The language models and their budgets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelConfig {
    /// The model that answers.
    pub main: EndpointConfig,
    /// The model for work in the background. Without a provider, [`ModelConfig::main`] does that work.
    pub background: EndpointConfig,
    /// Maximum duration of a call.
    pub timeout: Duration,
    /// Maximum number of retries of a call that failed for a transient reason.
    pub retries: u32,
    /// Maximum tokens of an answer.
    pub max_tokens: u32,
    /// The limits of cost and tokens.
    pub budget: ModelBudget,
}

/// The limits of cost and tokens for model calls. 0 means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelBudget {
    /// Maximum tokens of the calls of one turn.
    pub turn_tokens: u64,
    /// Maximum tokens of all calls within an hour.
    pub hour_tokens: u64,
    /// Maximum tokens of all calls within 24 hours.
    pub day_tokens: u64,
    /// Maximum cost of all calls within 24 hours.
    pub day_cost: f64,
}

/// Whether a conversation changes to the persona that fits it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Personas {
    /// Never.
    Off,
    /// To branches that exist.
    #[default]
    Switch,
    /// To branches that exist, and to new ones.
    Create,
}

/// The tasks that models do with the memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MindConfig {
    /// Maximum number of model calls of one turn of the agent.
    pub agent_rounds: usize,
    /// Whether facts are extracted from conversations.
    pub extract: bool,
    /// Number of turns after which facts are extracted.
    pub turns: usize,
    /// Whether conversations change personas.
    pub personas: Personas,
    /// Whether notes are written after a task.
    pub reflect: bool,
    /// The channels whose conversations are reflected on.
    pub reflect_channels: Channels,
    /// The fact files that the reflector may write, without their extension.
    pub fact_files: Vec<String>,
    /// Maximum number of model calls of one reflection.
    pub reflect_rounds: usize,
    /// Time between two heartbeats.
    pub heartbeat: Duration,
    /// Age in months from which episodes are summarised.
    pub episode_months: u32,
}
