//! The order of lines and sections: a branch takes it as it takes texts.

use jiff::SignedDuration;
use memtape::branches::MergeOutcome;
use memtape::{At, Audience, Config, Durability, Mode};
use memtape_testkit::{TestWorkspace, random};
use proptest::prelude::*;

use super::world::session;

const NOTE: &str = "facts/order.md";

/// A text of the zone, or one of a note.
#[derive(Clone, Debug)]
struct Text {
    is_note: bool,
    lines: Vec<(u8, bool)>,
}

fn text() -> impl Strategy<Value = Text> {
    let lines = proptest::collection::vec((0..6_u8, any::<bool>()), 1..7);
    (any::<bool>(), lines).prop_map(|(is_note, lines)| Text { is_note, lines })
}

struct World {
    test: TestWorkspace,
}

impl World {
    fn new() -> Self {
        Self { test: TestWorkspace::configured(Config { durability: Durability::Os, ..Config::default() }) }
    }

    fn save(&self, branch: &str, Text { is_note, lines }: &Text) {
        self.test.clock.advance(SignedDuration::from_secs(1));
        let line = |(n, is_spaced): &(u8, bool)| {
            let mark = if *n < 2 && !is_note { "#" } else { "-" };
            format!("{}{mark} item{n}\n", if *is_spaced { "\n" } else { "" })
        };
        let text: String = lines.iter().map(line).collect();
        if *is_note {
            let notes = self.test.workspace.notes().in_session(session(branch));
            notes.write(&notes.path(NOTE).unwrap(), &text).unwrap();
        } else {
            self.test.workspace.zone().in_session(session(branch)).save(&text, Mode::Replace).unwrap();
        }
    }

    fn fork(&self, name: &str) {
        self.test.workspace.branches().create(name, None, &At::head()).unwrap();
        self.test.workspace.branches().in_session(session(name)).switch(name, false).unwrap();
    }

    fn merge(&self, source: &str, into: &str) -> MergeOutcome {
        self.test.workspace.branches().in_session(session(into)).merge(source).unwrap()
    }

    fn texts(&self, branch: &str) -> [String; 2] {
        let at = self.test.workspace.at(&format!("{branch}@head")).unwrap();
        let zone = self.test.workspace.zone().view(&at).unwrap().0.long_term_text();
        let notes = self.test.workspace.notes();
        let note = notes.read(&notes.path(NOTE).unwrap(), &at);
        [zone, note.map(|file| file.text()).unwrap_or_default()]
    }
}

proptest! {
    #![proptest_config(random(48))]

    /// A branch that did not change has the text of the source after a merge, and there is no difference.
    #[test]
    fn an_unchanged_branch_takes_the_text(
        before in proptest::collection::vec(text(), 0..3),
        after in proptest::collection::vec(text(), 1..4),
    ) {
        let world = World::new();
        before.iter().for_each(|text| world.save("main", text));
        world.fork("b");
        for text in &after {
            world.save("main", text);
            let is_different = world.texts("b") != world.texts("main");
            let merged = world.merge("main", "b");
            prop_assert!(merged.conflicts.is_empty());
            prop_assert!(!is_different || merged.commit.is_some());
            prop_assert_eq!(world.texts("b"), world.texts("main"));
            let diff = world.test.workspace.diff("main", "b", &Audience::owner(), None).unwrap();
            prop_assert!(diff.changes.is_empty(), "{:?}", diff.changes);
            prop_assert_eq!(world.merge("b", "main").commit, None);
            prop_assert_eq!(world.merge("main", "b").commit, None);
        }
    }
}

/// The order of one side is taken, and what the other side added stays; `diff` shows what moved.
#[test]
fn an_order_is_merged_with_additions() {
    let world = World::new();
    let zone = |branch: &str, text: &str| {
        world.test.workspace.zone().in_session(session(branch)).save(text, Mode::Replace).unwrap();
    };
    zone("main", "# Allergies\n- nuts\n# Likes\n- tea");
    world.fork("b");
    zone("b", "# Allergies\n- nuts\n# Likes\n- tea\n- rain");
    zone("main", "# Likes\n- tea\n# Allergies\n- nuts");
    let moved = world.test.workspace.diff("b", "main", &Audience::owner(), None).unwrap();
    let moved: Vec<_> = moved.changes.iter().map(memtape::log::describe).collect();
    let is_moved = |text: &str| moved.iter().any(|line| line.contains(text) && line.contains("order"));
    assert!(is_moved("- nuts") || is_moved("- tea"), "{moved:?}");
    assert!(!is_moved("- rain") && moved.len() == 3, "{moved:?}");
    assert!(world.merge("main", "b").commit.is_some());
    assert_eq!(world.texts("b")[0], "# Likes\n- tea\n# Allergies\n- nuts\n- rain");
}
