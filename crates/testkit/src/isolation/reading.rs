//! Checks what an asker sees: everything they may see, and nothing else.

use memtape::{At, Audience, Backend, CommitQuestion, Form, Inbound, Prompting, Ref, Sensitivity};

use super::answers::{Answer, recall};
use super::sees::sees;
use super::world::{Asker, GHOST, PREFIX, Planted, SESSIONS, SHARED, What, session, word};
use super::written::Written;
use crate::laws::{Verdict, text};

impl Written<'_> {
    /// Checks all reads of one asker at one point, at which the first `there` items exist.
    pub(super) fn reads(&self, asker: &Asker, backend: Backend, at: &At, there: usize) -> Verdict {
        let audience = self.audience(asker)?;
        for answer in self.unasked(asker, &audience, at)? {
            self.check(asker, &answer, there, |_| false)?;
        }
        for query in SHARED.iter().chain(&[PREFIX, "telegram", "2026-02-10", "\"", ""]) {
            for answer in self.asked(query, &audience, backend, at)? {
                self.check(asker, &answer, there, |_| false)?;
            }
        }
        if let (Some(n), None) = (asker.session, asker.layer) {
            let inbound = Inbound { user: asker.user_text(), ..Inbound::new(&SHARED.join(" ")) };
            let conversation = self.test.workspace.conversation(session(n));
            let prompt = conversation.prompt(&inbound, &Prompting::default(), at).map_err(text)?;
            let answer = Answer { call: "prompt".into(), text: prompt.text(), by_itself: true };
            self.check(asker, &answer, there, |_| false)?;
        }
        let ghosts = self.asked(GHOST, &audience, backend, at)?;
        for (n, planted) in self.world.all_planted.iter().enumerate() {
            let answers = self.asked(&word(n), &audience, backend, at)?;
            for (answer, ghost) in answers.iter().zip(&ghosts) {
                let allowed = n < there && answer.may_hold(asker, planted);
                self.check(asker, answer, there, |asked| asked == n)?;
                // A word search and the tape must answer a word that the asker may not see like one that
                // occurs nowhere. In a search by meaning the two words may lead to different hits.
                let same = answer.text.replace(&word(n), GHOST) == ghost.text;
                if !allowed && !same && (backend == Backend::SqliteFts || answer.call.contains("tape")) {
                    let (call, text) = (&answer.call, &answer.text);
                    return Err(format!(
                        "{call} tells {asker:?} of {planted:?}:\n{text}\ninstead of\n{}",
                        ghost.text
                    ));
                }
            }
            self.found(n, planted, asker, (&audience, backend, at), there)?;
        }
        self.shows(asker, &audience, at, there)
    }

    /// Checks that an item is found by its word, appears in the log and is listed, if the asker may see it.
    fn found(
        &self,
        n: usize,
        planted: &Planted,
        asker: &Asker,
        (audience, backend, at): (&Audience, Backend, &At),
        there: usize,
    ) -> Verdict {
        let Some(memory) = self.memories.get(&n).filter(|_| n < there) else { return Ok(()) };
        let workspace = &self.test.workspace;
        if sees(asker, planted, true) {
            let hits = workspace.recall(&recall(&word(n), audience, backend), at).map_err(text)?.hits;
            if !hits.iter().any(|hit| hit.memory.id == memory.id) {
                return Err(format!("{asker:?} does not find {planted:?} by {}: {hits:?}", word(n)));
            }
        }
        if memory.form != Form::MESSAGES && sees(asker, planted, true) {
            let question = CommitQuestion { audience: audience.clone(), ..CommitQuestion::default() };
            let commits = workspace.log(&question, at).map_err(text)?;
            if !format!("{commits:?}").contains(&word(n)) {
                return Err(format!("the log does not tell {asker:?} of {planted:?}: {commits:?}"));
            }
        }
        let listed = workspace.memories(memory.form, audience, at).map_err(text)?;
        match sees(asker, planted, false) && !listed.contains(memory) {
            true => Err(format!("{planted:?} is not listed for {asker:?}: {listed:?}")),
            false => Ok(()),
        }
    }

    /// Checks that refs show what the asker may see, and that any other ref is answered like one that names
    /// nothing.
    fn shows(&self, asker: &Asker, audience: &Audience, at: &At, there: usize) -> Verdict {
        let show = |reference: &Ref| {
            let shown = self.test.workspace.show(reference, audience, at);
            shown
                .map(|shown| format!("{shown:?}"))
                .map_err(|e| e.to_string().replace(&reference.to_string(), "REF"))
        };
        for (n, memory) in &self.memories {
            for entry in [None, Some(memory.id.entry())] {
                let reference = Ref { entry, ..memory.reference() };
                // Of the same kind: a note is told from a bullet in it.
                let key = if reference.key.contains('#') { "facts/9.md#9999" } else { "9999999999999999" };
                let nothing = Ref { key: key.into(), ..reference.clone() };
                let shown = show(&reference);
                let allowed = *n < there && sees(asker, &self.world.all_planted[*n], false);
                match &shown {
                    Ok(text) => {
                        let answer = Answer {
                            call: format!("show {reference}"),
                            text: text.clone(),
                            by_itself: false,
                        };
                        self.check(asker, &answer, there, |_| false)?;
                    }
                    Err(_) if allowed => {
                        return Err(format!("{asker:?} is not shown {reference}: {shown:?}"));
                    }
                    Err(_) if shown == show(&nothing) => {}
                    Err(e) => return Err(format!("{reference} is told from nothing: {e}")),
                }
            }
        }
        Ok(())
    }

    /// Checks that a conversation shows what was said in it, except confidential messages.
    pub(super) fn conversation(&self, n: usize) -> Verdict {
        let conversation = self.test.workspace.conversation(session(n));
        let context = format!("{:?}", conversation.context(&At::head()).map_err(text)?);
        let last = format!("{:?}", conversation.last(100, &At::head()).map_err(text)?);
        for (m, planted) in self.world.all_planted.iter().enumerate() {
            let said = planted.what == What::Message
                && planted.session == n
                && planted.sensitivity != Sensitivity::Confidential;
            let (in_context, in_last) = (context.contains(&word(m)), last.contains(&word(m)));
            if in_last != said || (in_context && !said) {
                let label = SESSIONS[n].0;
                return Err(format!(
                    "{label} shows {planted:?}: in context {in_context}, among the last {in_last}"
                ));
            }
        }
        Ok(())
    }
}
