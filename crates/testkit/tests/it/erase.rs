//! Law 9, *erasure*: the text is in no file under the workspace, `verify` passes, nothing else changes, and nothing that
//! was retired comes back. It holds wherever an erasure is cut off, once somebody opens the workspace again.

mod cut_off;
mod damaged;
mod meddled;
mod processes;
mod reach;
mod retired;
mod secret;
