//! The faces of memtape for agents: MCP over standard input and output, HTTP, and the hooks of coding agents.
//!
//! They parse requests, call it on blocking threads and render its results. They
//! contain no memory logic. [`mcp`] speaks the Model Context Protocol with the official SDK; [`hook`] handles the events of coding
//! agents.
//!
//! **Invariant.** Who asks is decided when the server starts or by a token ([`Caller`]), never by the
//! arguments of a request or by what a client calls itself.

pub mod access;
mod cache;
pub mod caller;
pub mod changes;
pub mod hook;
pub mod http;
pub mod mcp;
pub mod node;
mod resources;
mod rpc;
pub mod workspace_pool;

pub use access::Access;
pub use caller::Caller;
pub use node::Node;
pub use workspace_pool::WorkspacePool;
