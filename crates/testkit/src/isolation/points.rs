//! Asks for points on branches and at commits by name: one that the asker may not know of is answered like one that does
//! not exist.

use memtape::{At, CommitQuestion, Form, Inbound, LoggedCommit, Prompting, ViewQuestion};
use serde_json::json;

use super::answers::Answer;
use super::faces::Server;
use super::pages::viewer;
use super::sees::sees;
use super::world::{Asker, GHOST, SHARED, What, session, word};
use super::written::Written;
use crate::laws::{Verdict, text};

/// An id that no commit has.
const NO_COMMIT: &str = "ffffffffffff";
/// The number of an entry after the end of every tape.
const NO_ENTRY: &str = "99999";

impl Written<'_> {
    /// Checks the answers to an asker at points that the asker may not know of.
    pub(super) fn points(&self, asker: &Asker, server: &Server) -> Verdict {
        let workspace = &self.test.workspace;
        let names = workspace.branches().names(&At::head()).map_err(text)?;
        for (n, planted) in self.world.all_planted.iter().enumerate() {
            let is_hidden = planted.what == What::Branch && !sees(asker, planted, false);
            let Some(name) = names.iter().find(|name| is_hidden && name.contains(&word(n))) else { continue };
            let ghost = name.replace(&word(n), GHOST);
            for moment in ["head", &self.ends[n].to_string()] {
                self.is_no_point(
                    asker,
                    Some(server),
                    &[name, &ghost].map(|name| format!("{name}@{moment}")),
                )?;
            }
            self.selects_no_branch(asker, name)?;
        }
        let ids = |commits: Vec<LoggedCommit>| commits.into_iter().filter_map(|commit| commit.id);
        let all = CommitQuestion { everywhere: true, ..CommitQuestion::default() };
        let audience = self.audience(asker)?.unrestricted();
        let seen = CommitQuestion { audience: audience.clone(), ..all.clone() };
        let seen: Vec<_> = ids(workspace.log(&seen, &At::head()).map_err(text)?).collect();
        let mut all = ids(workspace.log(&all, &At::head()).map_err(text)?);
        if let Some(hidden) = all.rfind(|id| !seen.contains(id)) {
            self.is_no_point(asker, None, &[hidden, NO_COMMIT.to_owned()])?;
        }
        if !audience.is_owner() {
            for Answer { call, text, .. } in self.at_point(asker, None, NO_ENTRY)? {
                if text.contains("the tape ends") || text.contains("entries are numbered") {
                    return Err(format!("{call} tells {asker:?} how long the tape is: {text}"));
                }
            }
        }
        Ok(())
    }

    /// Fails if an answer at the first point differs from that at the second one, which does not exist.
    fn is_no_point(&self, asker: &Asker, server: Option<&Server>, points: &[String; 2]) -> Verdict {
        let [real, none] = points;
        let answers = [self.at_point(asker, server, real)?, self.at_point(asker, server, none)?];
        let branch = |point: &str| point.split('@').next().unwrap_or_default().to_owned();
        let [shown, missing] = answers.each_ref();
        for (shown, missing) in shown.iter().zip(missing) {
            let text = shown.text.replace(real, none).replace(&branch(real), &branch(none));
            if text != missing.text {
                let (call, missing) = (&shown.call, &missing.text);
                return Err(format!("{call} tells {asker:?} of {real}:\n{text}\ninstead of\n{missing}"));
            }
        }
        Ok(())
    }

    /// Fails if an asker can read and write on a branch that was selected for all commands.
    fn selects_no_branch(&self, asker: &Asker, name: &str) -> Verdict {
        let session = asker.session.map(session);
        // In the terminal, the owner has selected it.
        if session.as_ref().is_some_and(memtape::Session::is_terminal) {
            return Ok(());
        }
        let there = self.test.again_on(name);
        match there.audience(session.as_ref(), asker.user_text().as_deref()) {
            Ok(_) => Err(format!("{asker:?} is let onto {name}")),
            Err(_) => Ok(()),
        }
    }

    /// Returns the answers of reads at a point: those of the library and, if a server is passed, also those of the server
    /// and of the inspector.
    fn at_point(&self, asker: &Asker, server: Option<&Server>, point: &str) -> Result<Vec<Answer>, String> {
        let workspace = &self.test.workspace;
        let audience = self.audience(asker)?;
        let at = workspace.at(point).map_err(text)?;
        let mut answers = Vec::new();
        let mut add = |call: &str, text: String| {
            answers.push(Answer { call: format!("{call} at {point}"), text, by_itself: false });
        };
        add("snapshot", format!("{:?}", workspace.snapshot(&audience, &at).map(|_| ())));
        for form in Form::all() {
            add("memories", format!("{:?}", workspace.memories(form, &audience, &at)));
        }
        let view = ViewQuestion { audience: audience.clone(), ..ViewQuestion::default() };
        add("view", format!("{:?}", workspace.view(&view, &at)));
        add("stats", format!("{:?}", workspace.stats(&audience, &at)));
        let commits = CommitQuestion { audience: audience.clone(), ..CommitQuestion::default() };
        add("log", format!("{:?}", workspace.log(&commits, &at)));
        add("show of a commit", format!("{:?}", workspace.show_commit(point, &audience, &at)));
        add("diff", format!("{:?}", workspace.diff("@1", point, &audience, None)));
        add("graph", format!("{:?}", workspace.graph(&audience, 50, &at).map(|graph| graph.mermaid())));
        add("zone", format!("{:?}", workspace.zone().for_audience(audience.clone()).context(&at)));
        let branches = workspace.branches().for_audience(audience.clone());
        add("branches", format!("{:?}", branches.list(&at)));
        add("a fork", format!("{:?}", branches.create("fork", None, &at).map(|_| ())));
        let tools = workspace.tools().for_audience(audience.clone()).at(at.clone());
        for tool in tools.list().filter(|tool| tool.read_only) {
            add(tool.name, format!("{:?}", tools.call(tool.name, json!({"query": SHARED[0]}))));
        }
        if let (Some(n), None) = (asker.session, asker.layer) {
            let inbound = Inbound { user: asker.user_text(), ..Inbound::new(&SHARED.join(" ")) };
            let prompt = workspace.conversation(session(n)).prompt(&inbound, &Prompting::default(), &at);
            add("prompt", format!("{:?}", prompt.map(|prompt| prompt.text())));
        }
        let Some(server) = server else { return Ok(answers) };
        if let Some(head) = server.head(asker) {
            answers.extend(server.reads(&head, Some(point))?);
        }
        if let Some(viewer) = viewer(asker)? {
            answers.extend(self.pages_at(&viewer, &[("when", point)]));
            answers
                .extend(self.pages_at(&viewer, &[("branch", point.split('@').next().unwrap_or_default())]));
        }
        Ok(answers)
    }
}
