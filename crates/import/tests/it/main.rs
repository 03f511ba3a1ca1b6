//! The tests of importing.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod anthropic_chat;
mod basic_memory;
mod bub;
mod bud;
mod claude_code;
mod codex;
mod detect;
mod documents;
mod groups;
mod harness;
mod hostile;
mod importer;
mod input;
mod letta;
mod lines;
mod mcp_memory;
mod mem0;
mod nanobot;
mod nanobot_ledger;
mod openai_chat;
mod openclaw;
mod owners;
mod paths;
mod pegasus;
mod report;
mod versions;
mod yeoman;
