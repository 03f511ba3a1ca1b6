//! Agent, fact extraction, reflection and consolidation with a language model.
//!
//! Everything else of memtape works without one. Reading order: [`chat`], `endpoint` with the wire formats, `models`,
//! `agent`, `transcript`, `controller`, `reflector`, `handoff`, `consolidation`, [`heartbeat`].
mod agent;
mod anthropic;
mod audience;
pub mod chat;
mod conflicts;
mod consolidation;
mod controller;
mod endpoint;
mod error;
mod handoff;
pub mod heartbeat;
mod key;
mod models;
mod openai;
mod reflector;
mod sse;
mod structured;
mod task;
mod transcript;
pub use agent::{Agent, AgentTurn, Event, PERCH, SILENT};
pub use audience::audience_of;
pub use chat::{Message, Request};
pub use conflicts::{Resolved, resolve};
pub use consolidation::{Judged, consolidate};
pub use controller::{Controller, Processed, Recorded, Skipped, When};
pub use endpoint::Endpoint;
pub use error::{Error, Failure, Result};
pub use handoff::{Background, after_turn, hand_off};
pub use models::{Caller, Models, Purpose};
pub use reflector::{Reflect, Reflected, Reflector};
