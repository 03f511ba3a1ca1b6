//! The persona of a conversation: which branch fits it.
//!
//! A conversation changes its branch only if two messages in a row fit another one, each clearly. A conversation that
//! changes its topic with every message stays where it is, and so do all other conversations.

use memtape::config::Personas;
use memtape::{BranchInfo, Branches, ErrorKind};

use super::State;
use super::extraction::PersonaOf;
use crate::error::Result;

/// The confidence from which a message speaks for another branch.
const CLEAR: f64 = 0.7;

/// Changes the branch of a conversation if its messages ask for it, and returns the name of the new one.
pub(super) fn switch(
    asking: &Branches<'_>,
    policy: Personas,
    personas: &[PersonaOf],
    branches: &[BranchInfo],
    state: &mut State,
) -> Result<Option<String>> {
    if policy == Personas::Off {
        return Ok(None);
    }
    let current = branches.iter().find(|branch| branch.is_current).map(|branch| branch.name.as_str());
    for persona in personas {
        let is_other = current != Some(persona.branch.as_str()) && persona.confidence >= CLEAR;
        let exists = branches.iter().any(|branch| branch.name == persona.branch);
        let is_possible =
            exists || policy == Personas::Create && !super::contradictions::is_review(&persona.branch);
        if !is_other || !is_possible {
            state.persona = None;
            continue;
        }
        if state.persona.as_deref() != Some(persona.branch.as_str()) {
            state.persona = Some(persona.branch.clone());
            continue;
        }
        state.persona = None;
        let switched = match exists {
            true => asking.switch(&persona.branch, false).map(|_| persona.branch.clone()),
            false => asking.create_and_switch(&persona.branch, persona.persona.as_deref()),
        };
        return match switched {
            Ok(name) => Ok(Some(name)),
            // A name or a description that a rule forbids changes nothing.
            Err(e) if matches!(e.kind(), ErrorKind::Invalid | ErrorKind::Refused | ErrorKind::Conflict) => {
                Ok(None)
            }
            Err(e) => Err(e.into()),
        };
    }
    Ok(None)
}
