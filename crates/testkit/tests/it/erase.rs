//! Law 9, *erasure*: the text is in no file under the workspace, `verify` passes, nothing else changes, and no removed
//! memory becomes current. It holds after an interruption at any point, once the workspace is opened again.

mod concurrent;
mod cut_off;
mod damaged;
mod processes;
mod reach;
mod removed;
pub(crate) mod secret;
