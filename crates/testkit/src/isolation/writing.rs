//! Checks what a tool writes for an asker: it changes nothing outside the asker's default write scope, and
//! nobody else sees it.

use std::collections::BTreeSet;

use memtape::journal::Question as JournalQuestion;
use memtape::ledger::Named;
use memtape::tape::LogQuestion;
use memtape::{At, Audience, Form, Memory, Scope};
use serde_json::{Value, json};

use super::answers::Answer;
use super::world::{Asker, PREFIX, word};
use super::written::{PREDICATE, Written, about};
use crate::laws::{Verdict, text};

impl Written<'_> {
    /// Checks that tools which write for an asker change nothing outside the asker's default write scope.
    pub(super) fn writes(&self, asker: &Asker) -> Verdict {
        let audience = self.audience(asker)?;
        let Ok(home) = audience.home() else { return Ok(()) };
        let workspace = &self.test.workspace;
        let is_owner = asker.session.is_none() && asker.user.is_none();
        if !is_owner && asker.layer.is_none() && home == Scope::Global {
            return Err(format!("{asker:?} writes for the whole workspace"));
        }
        // The owner may forget memories of any scope.
        let whole = audience == Audience::owner();
        let id = workspace.status(&At::head()).map_err(text)?.id;
        let label = home.text(&id);
        // A user may also forget their own statements.
        let mut own = audience.scopes().unwrap_or_default();
        own.retain(|scope| *scope != Scope::Global);
        own.push(home.clone());
        let own_labels: Vec<String> = own.iter().map(|scope| scope.text(&id)).collect();
        let others = || -> Result<String, String> {
            let mut seen = Vec::new();
            for form in Form::all() {
                seen.extend(workspace.memories(form, &Audience::owner(), &At::head()).map_err(text)?);
            }
            seen.retain(|memory| match memory.form {
                Form::LEDGER | Form::STATEMENTS if !is_owner => !own_labels.contains(&memory.scope),
                _ => memory.scope != label,
            });
            Ok(format!("{seen:?}"))
        };
        let tools = workspace.tools().for_audience(audience.clone()).with_owner_tools();
        let mut calls = vec![
            ("memory_save", json!({"content": "keeps bees", "mode": "append"})),
            ("memory_daily", json!({"content": "- fed the bees"})),
            ("memory_forget", json!({"text": PREFIX})),
            ("memory_forget", json!({"text": "likes"})),
            ("memory_add", json!({"subject": "ana", "predicate": PREDICATE, "object": "bees"})),
            (
                "memory_add",
                json!({"subject": "ana", "predicate": PREDICATE, "object": "bees", "scope": "session"}),
            ),
        ];
        if !whole {
            for (n, memory) in &self.memories {
                calls.push(("memory_forget", json!({"text": word(*n)})));
                let Named { subject, predicate, .. } = about(&word(*n));
                let fact = |more: Value| {
                    let mut fact = json!({"subject": subject, "predicate": predicate});
                    let fields = more.as_object().cloned().unwrap_or_default();
                    fact.as_object_mut().into_iter().for_each(|fact| fact.extend(fields.clone()));
                    fact
                };
                calls.push(("memory_update", fact(json!({"new_value": "bees"}))));
                calls.push(("memory_forget", fact(json!({}))));
                calls.push(("memory_add", fact(json!({"object": "wasps"}))));
                calls.push(("memory_forget", json!({"ref": memory.reference().to_string()})));
                calls.push(("memory_forget", json!({"ref": memory.version().to_string()})));
            }
            calls.push(("memory_forget", json!({"date": "2026-02-10"})));
            calls.push(("memory_save", json!({"content": "keeps no bees"})));
            calls.push(("memory_clear", json!({})));
        }
        let before = others()?;
        let elsewhere = self.elsewhere(&own)?;
        // A fact that the asker adds repeats the word of another item. From then on the word is also theirs.
        let mut added = BTreeSet::new();
        for (name, arguments) in calls {
            let reply = tools.call(name, arguments.clone()).map_err(|e| e.to_string());
            let asked = (0..self.world.all_planted.len()).find(|n| arguments.to_string().contains(&word(*n)));
            added.extend(asked.filter(|_| name == "memory_add" && reply.is_ok()));
            let answer =
                Answer { call: format!("{name} {arguments}"), text: format!("{reply:?}"), by_itself: true };
            self.check(asker, &answer, self.world.all_planted.len(), |n| {
                asked == Some(n) || added.contains(&n)
            })?;
            if !whole && others()? != before {
                return Err(format!("{name} {arguments} for {asker:?} changes what is not in {label}"));
            }
        }
        let shown = self.elsewhere(&own)?;
        let told = shown.iter().zip(&elsewhere).find(|(after, before)| !whole && after != before);
        told.map_or(Ok(()), |(after, before)| {
            let new = after.lines().filter(|line| !before.contains(line)).collect::<Vec<_>>().join("\n");
            Err(format!("who does not see {label} is shown what was written there for {asker:?}: {new}"))
        })
    }

    /// Checks that a line that the owner forgets of a chat or a user is no event for those who do not see that scope.
    pub(super) fn forgotten_by_the_owner(&self) -> Verdict {
        let workspace = &self.test.workspace;
        let in_a_scope = |memory: &&Memory| {
            let scope = Scope::from_label(&memory.scope).unwrap_or_default();
            memory.form == Form::ZONE && scope != Scope::Global
        };
        let Some(memory) = self.memories.values().find(in_a_scope) else { return Ok(()) };
        let scope = Scope::from_label(&memory.scope).unwrap_or_default();
        let journals = || -> Result<Vec<String>, String> {
            let mut journals = Vec::new();
            for asker in &self.world.askers {
                let audience = self.audience(asker)?;
                if audience.scopes().is_some_and(|scopes| !scopes.contains(&scope)) {
                    journals.push(self.journal(audience)?);
                }
            }
            Ok(journals)
        };
        let before = journals()?;
        workspace.zone().forget_refs(&[memory.version()]).map_err(text)?;
        match journals()? == before {
            true => Ok(()),
            false => {
                Err(format!("who does not see {scope:?} is told that {} was forgotten", memory.version()))
            }
        }
    }

    fn journal(&self, audience: Audience) -> Result<String, String> {
        let journal = self.test.workspace.journal().for_audience(audience);
        let lines = journal.lines(&JournalQuestion::default(), &At::head()).map_err(text)?;
        Ok(lines.iter().map(|line| format!("{line}\n")).collect())
    }

    /// Checks that the memory tool refuses to write for an asker who is not the owner, and does not reveal which
    /// notes and files exist.
    pub(super) fn refusals_of_the_memory_tool(&self, asker: &Asker) -> Verdict {
        if asker.session.is_none() && asker.user.is_none() {
            return Ok(());
        }
        let workspace = &self.test.workspace;
        let entries = || workspace.status(&At::head()).map(|status| status.entries).map_err(text);
        let before = entries()?;
        let tools = workspace.tools().for_audience(self.audience(asker)?);
        let notes = self.ends.iter().map(|end| format!("/memories/facts/page{end}.md"));
        for path in notes.chain(["/memories/drafts".into(), "/memories/../bees.md".into()]) {
            for command in [
                json!({"command": "create", "path": path, "file_text": "bees"}),
                json!({"command": "str_replace", "path": path, "old_str": "a", "new_str": "bees"}),
                json!({"command": "insert", "path": path, "insert_line": 0, "insert_text": "bees"}),
                json!({"command": "rename", "old_path": path, "new_path": "/memories/drafts/bees.md"}),
                json!({"command": "delete", "path": path}),
            ] {
                let reply = tools.memory_tool(command.clone()).map_err(|e| e.to_string());
                if !reply.as_ref().is_err_and(|e| e.starts_with("only the owner can write notes and files")) {
                    return Err(format!("{command} for {asker:?} is answered with {reply:?}"));
                }
            }
        }
        match entries()? == before {
            true => Ok(()),
            false => Err(format!("the memory tool writes for {asker:?}")),
        }
    }

    /// Returns the zone, the journal and the tape as shown to the askers who see none of these scopes.
    fn elsewhere(&self, own: &[Scope]) -> Result<Vec<String>, String> {
        let (workspace, at) = (&self.test.workspace, At::head());
        let mut shown = Vec::new();
        for asker in &self.world.askers {
            let audience = self.audience(asker)?;
            if audience.scopes().is_some_and(|scopes| !scopes.iter().any(|scope| own.contains(scope))) {
                shown.push(workspace.zone().for_audience(audience.clone()).context(&at).map_err(text)?);
                shown.push(self.journal(audience.clone())?);
                let tape = workspace.tape().for_audience(audience);
                let log = tape.log(&LogQuestion::default(), &at).map_err(text)?;
                shown.push(log.iter().map(|entry| format!("{entry:?}\n")).collect());
            }
        }
        Ok(shown)
    }
}
