//! The arguments of the commands that connect agents.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use memtape::{Session, Toolset};

use super::values::{address, host, origin, whole};

/// Serve one agent over standard input and output, by the Model Context Protocol.
#[derive(Args)]
pub(crate) struct McpArgs {
    /// The toolsets to offer, separated by commas: core, ledger, notes, blocks, owner
    #[arg(long, value_name = "TOOLSETS", value_delimiter = ',', default_value = "core")]
    pub(crate) tools: Vec<Toolset>,
    /// Offer no tool that writes
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Act in this conversation: its chat's memories, the user's and the workspace's [default: the owner, in a
    /// new conversation of mcp:direct]
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
    pub(crate) session: Option<Session>,
    /// Act for this user: the id on the conversation's channel, or CHANNEL:ID
    #[arg(long, value_name = "USER", requires = "session", allow_hyphen_values = true)]
    pub(crate) user: Option<String>,
}

/// Handle an event of a coding agent, which is passed as JSON on standard input.
#[derive(Args)]
pub(crate) struct HookArgs {
    /// The event: SessionStart, UserPromptSubmit, Stop, PreCompact, SessionEnd
    pub(crate) event: String,
    /// End after this many milliseconds [default: what the client allows for the event]
    #[arg(long, value_name = "MS", value_parser = whole::<u64>)]
    pub(crate) timeout: Option<u64>,
}

/// Look at the memory in a browser, and take back what is wrong.
///
/// It serves the workspace on the loopback interface until it is interrupted, and opens the browser. `memtape serve` has
/// the same pages at /inspect, for those who have a token.
#[derive(Args)]
pub(crate) struct InspectArgs {
    /// The address to listen on [default: a free port of 127.0.0.1]
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(crate) listen: Option<SocketAddr>,
    /// Print the address and open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// Serve agents over HTTP: MCP at /mcp, JSON below /v1, the inspector at /inspect.
#[derive(Args)]
pub(crate) struct ServeArgs {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7117", value_parser = address)]
    pub(crate) listen: SocketAddr,
    /// Serve the workspaces in the subdirectories of this directory, or those of an upstream (postgres://…), one for each
    /// token
    #[arg(long, value_name = "DIR|ADDRESS", conflicts_with_all = ["workspace", "global"])]
    pub(crate) workspaces: Option<PathBuf>,
    /// The directory for the replicas and the tokens, if the workspaces are those of an upstream
    #[arg(long, value_name = "DIR", requires = "workspaces", conflicts_with_all = ["workspace", "global"])]
    pub(crate) cache: Option<PathBuf>,
    /// Remove the replicas that were not used for the longest time when all have more than this, in megabytes
    #[arg(long, value_name = "MB", requires = "cache", default_value_t = 10_000, value_parser = whole::<u64>)]
    pub(crate) cache_size: u64,
    /// Allow requests to this host name, besides those of the loopback interface (repeatable)
    #[arg(long, value_name = "NAME", value_parser = host)]
    pub(crate) host: Vec<String>,
    /// Allow web pages of this origin, its scheme and host, to call the server (repeatable)
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub(crate) origin: Vec<String>,
}

#[derive(Subcommand)]
pub(crate) enum TokenCommand {
    /// Create a token and print it, once
    Add {
        /// The name by which it is listed and removed
        name: String,
        /// Act in this conversation only [default: as the owner]
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
        session: Option<Session>,
        /// Act for this user: the id on the conversation's channel, or CHANNEL:ID
        #[arg(long, value_name = "USER", requires = "session", allow_hyphen_values = true)]
        user: Option<String>,
        /// Let requests name their conversation and user, if the conversation begins with this, such as telegram:
        #[arg(long, value_name = "PREFIX", conflicts_with_all = ["session", "user"])]
        gateway: Option<String>,
        /// The toolsets to offer, separated by commas: core, ledger, notes, blocks, owner. Routes other than those of tools
        /// ignore them
        #[arg(long, value_name = "TOOLSETS", value_delimiter = ',', default_value = "core")]
        tools: Vec<Toolset>,
        /// Allow only reading
        #[arg(long)]
        read_only: bool,
        #[command(flatten)]
        of: TokensOf,
    },
    /// List the tokens
    List {
        #[command(flatten)]
        of: TokensOf,
    },
    /// Remove a token; the server refuses it from then on
    Remove {
        /// Its name
        name: String,
        #[command(flatten)]
        of: TokensOf,
    },
}

/// Which server the tokens are for.
#[derive(Args)]
pub(crate) struct TokensOf {
    /// The directory of `serve --workspaces`, or that of its --cache
    #[arg(long, value_name = "DIR", conflicts_with_all = ["workspace", "global"])]
    pub(crate) workspaces: Option<PathBuf>,
    /// The workspace that the token opens, below --workspaces
    #[arg(long, value_name = "NAME", requires = "workspaces", conflicts_with_all = ["workspace", "global"])]
    pub(crate) opens: Option<String>,
}
