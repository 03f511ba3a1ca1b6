//! The tasks that use a model, against a scripted model over the real wire protocols.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod agent;
mod conflicts;
mod consolidation;
mod controller;
mod faults;
mod handoff;
mod heartbeat;
mod meanwhile;
mod reflector;

use memtape::config::{Config, EndpointConfig, Provider};
use memtape::ledger::NewFact;
use memtape::{At, Audience, Form, Inbound, Options, Session, Workspace};
use memtape_mind::{Agent, AgentTurn, Models};
use memtape_testkit::scripted_model::{Answer, Request};
use memtape_testkit::{ScriptedModel, TestWorkspace};

const KEY: &str = "sk-test-0123456789abcdef";

/// A workspace with a scripted model.
struct World {
    test: TestWorkspace,
    models: Models,
    model: ScriptedModel,
}

impl World {
    fn new(provider: Provider, answer: impl FnMut(&Request) -> Answer + Send + 'static) -> Self {
        Self::configured(provider, |_| {}, answer)
    }

    fn configured(
        provider: Provider,
        set: impl FnOnce(&mut Config),
        answer: impl FnMut(&Request) -> Answer + Send + 'static,
    ) -> Self {
        let model = ScriptedModel::start(answer);
        let mut config = memtape_testkit::config();
        config.model.main = EndpointConfig {
            provider: Some(provider),
            base_url: Some(model.base_url()),
            name: Some("scripted".into()),
            api_key_env: Some("TEST_KEY".into()),
            ..EndpointConfig::default()
        };
        config.model.timeout = std::time::Duration::from_secs(4);
        set(&mut config);
        let models = Models::open(&config.model, &|name| (name == "TEST_KEY").then(|| KEY.to_owned()));
        let models = models.unwrap().unwrap();
        Self { test: TestWorkspace::configured(config), models, model }
    }

    fn workspace(&self) -> &Workspace {
        &self.test.workspace
    }

    fn say(&self, session: &str, text: &str) -> AgentTurn {
        let agent = Agent::new(self.workspace(), &self.models);
        agent.turn(&Session::parse(session).unwrap(), &Inbound::new(text), &mut |_| {}).unwrap()
    }

    fn texts(&self, form: Form) -> Vec<String> {
        let memories = self.workspace().memories(form, &Audience::owner(), &At::head()).unwrap();
        memories.into_iter().map(|memory| memory.text).collect()
    }

    /// The bytes of the tape.
    fn tape(&self) -> String {
        std::fs::read_to_string(self.test.path().join("tape.jsonl")).unwrap()
    }

    /// Opens the workspace again, as another process would.
    fn reopened(&self) -> Workspace {
        Workspace::init(
            self.test.path(),
            Options { config: self.workspace().config().clone(), ..Options::default() },
        )
        .unwrap()
    }
}

fn session(label: &str) -> Session {
    Session::parse(label).unwrap()
}

/// A fact that a person states.
fn stated(subject: &str, predicate: &str, object: &str, scope: Option<&str>) -> NewFact {
    NewFact { scope: scope.map(str::to_owned), ..NewFact::new(subject, predicate, object) }
}
