use expect_test::{Expect, expect};
use jiff::tz::TimeZone;

use super::*;

fn branch(name: &str, parent: Option<(&str, EntryId)>, created: EntryId) -> Branch {
    let parent = parent.map(|(parent, at)| (parent.to_owned(), at));
    Branch { name: name.into(), parent, created: Some(created).filter(|c| *c > 0), ..Branch::default() }
}

fn node(entry: EntryId, branch: &str, message: &str) -> Node {
    Node {
        entry,
        id: Some(format!("{:016x}", entry * 0x5f81_3bfd_1234)),
        branch: branch.into(),
        date: "2026-02-10T10:00:00Z".parse().unwrap(),
        message: message.into(),
        merges: None,
        picks: None,
        takes_back: false,
    }
}

fn check(graph: &Graph, mermaid: &Expect, timeline: &Expect) {
    mermaid.assert_eq(&graph.mermaid());
    timeline.assert_eq(&graph.timeline(&TimeZone::UTC));
}

#[test]
fn the_document_s_example() {
    let graph = Graph {
        branches: vec![branch("main", None, 0), branch("coding-assistant", Some(("main", 3)), 4)],
        nodes: vec![
            node(3, "main", "Initial memory"),
            node(6, "coding-assistant", "Learn coding style"),
            node(8, "main", "User preference"),
            Node { merges: Some("coding-assistant".into()), ..node(10, "main", "Merge coding-assistant") },
        ],
        is_cut: false,
    };
    check(
        &graph,
        &expect![[r#"
        gitGraph
            commit id: "00011e83: Initial memory"
            branch coding-assistant
            commit id: "00023d07: Learn coding style"
            checkout main
            commit id: "0002fc09: User preference"
            merge coding-assistant id: "0003bb0c: Merge coding-assistant"
    "#]],
        &expect![[r#"
        *-.  0003bb0c @10 (main) 2026-02-10 10:00 Merge coding-assistant
        * |  0002fc09 @8 (main) 2026-02-10 10:00 User preference
        | *  00023d07 @6 (coding-assistant) 2026-02-10 10:00 Learn coding style
        |-'  branch coding-assistant from main@3
        *    00011e83 @3 (main) 2026-02-10 10:00 Initial memory
    "#]],
    );
}

#[test]
fn a_merge_that_mermaid_rejects_is_a_tagged_commit() {
    let odd = "he said \"commit\" %% {init} <b x=\"1\"> \\ \n#35; ;";
    let graph = Graph {
        branches: vec![
            branch("main", None, 0),
            branch("commit", Some(("main", 1)), 2),
            branch("team/ana", Some(("commit", 2)), 3),
            branch("写作", Some(("main", 20)), 21),
        ],
        nodes: vec![
            node(5, "team/ana", odd),
            Node { id: None, ..node(7, "commit", "no id") },
            // It has the head that it was forked with.
            Node { merges: Some("写作".into()), ..node(9, "main", "merges what is not there yet") },
            Node { merges: Some("main".into()), ..node(10, "main", "merges itself") },
            Node { picks: Some(5), ..node(12, "main", "picks") },
            Node { picks: Some(12), ..node(14, "commit", "picks what has no name") },
            Node { picks: Some(5), ..node(16, "team/ana", "picks its own") },
            Node { takes_back: true, ..node(18, "main", "takes back") },
            Node { id: node(18, "", "").id, ..node(20, "main", "takes back") },
            Node { merges: Some("写作".into()), ..node(23, "main", "merges the same head") },
            // It is at its fork, on one of main's commits.
            Node { merges: Some("main".into()), ..node(25, "写作", "merges what it comes from") },
        ],
        is_cut: false,
    };
    check(
        &graph,
        &expect![[r#"
            gitGraph
                commit id: "@0: start of the tape"
                branch "commit"
                branch "team/ana"
                commit id: "0001dd86: he said 'commit' ％％ (init) ‹b x='1'› / ＃35; ;"
                checkout "commit"
                commit id: "@7: no id"
                checkout main
                commit id: "00035b8b: merges what is not there yet" tag: "merge 写作"
                commit id: "0003bb0c: merges itself" tag: "merge main"
                cherry-pick id: "0001dd86: he said 'commit' ％％ (init) ‹b x='1'› / ＃35; ;" tag: "00047a0e: picks"
                checkout "commit"
                commit id: "00053911: picks what has no name" tag: "cherry-pick @12"
                checkout "team/ana"
                commit id: "0005f813: picks its own" tag: "cherry-pick @5"
                checkout main
                commit id: "0006b716: takes back" type: REVERSE
                commit id: "@20: takes back"
                branch "写作"
                checkout main
                commit id: "0008949c: merges the same head" tag: "merge 写作"
                checkout "写作"
                commit id: "0009539e: merges what it comes from" tag: "merge main"
        "#]],
        &expect![[r#"
            .-----*  0009539e @25 (写作) 2026-02-10 10:00 merges what it comes from
            *-----+  0008949c @23 (main) 2026-02-10 10:00 merges the same head
            |-----'  branch 写作 from main@20
            *        0006b716 @20 (main) 2026-02-10 10:00 takes back
            *        0006b716 @18 (main) 2026-02-10 10:00 takes back
            |   *    0005f813 @16 (team/ana) 2026-02-10 10:00 picks its own
            | * |    00053911 @14 (commit) 2026-02-10 10:00 picks what has no name
            * | |    00047a0e @12 (main) 2026-02-10 10:00 picks
            * | |    0003bb0c @10 (main) 2026-02-10 10:00 merges itself
            *-+-+-+  00035b8b @9 (main) 2026-02-10 10:00 merges what is not there yet
            | * |    @7 (commit) 2026-02-10 10:00 no id
            | | *    0001dd86 @5 (team/ana) 2026-02-10 10:00 he said "commit" %% {init} <b x="1"> \ #35; ;
            | |-'    branch team/ana from commit@2
            |-'      branch commit from main@1
        "#]],
    );
}

#[test]
fn an_empty_and_a_truncated_graph_are_drawn() {
    let graph = Graph { branches: vec![branch("main", None, 0)], ..Graph::default() };
    check(
        &graph,
        &expect![[r#"
        gitGraph
            commit id: "@0: start of the tape"
    "#]],
        &expect![],
    );
    let graph = Graph {
        branches: vec![branch("main", None, 0), branch("work", Some(("main", 3)), 4)],
        nodes: vec![node(16, "work", "last"), node(18, "main", "very last")],
        is_cut: true,
    };
    check(
        &graph,
        &expect![[r#"
        gitGraph
            commit id: "@0: earlier commits"
            branch work
            commit id: "0005f813: last"
            checkout main
            commit id: "0006b716: very last"
    "#]],
        &expect![[r#"
        *    0006b716 @18 (main) 2026-02-10 10:00 very last
        | *  0005f813 @16 (work) 2026-02-10 10:00 last
        … earlier commits: memtape graph -n N
    "#]],
    );
}

#[test]
fn a_fork_names_its_parent_as_a_point() {
    let parent = branch("dev@20", Some(("main", 9)), 10);
    let parent = Branch { label: Some("dev".into()), deleted: Some(20), ..parent };
    let graph = Graph {
        branches: vec![branch("main", None, 0), parent, branch("x", Some(("dev@20", 15)), 16)],
        ..Graph::default()
    };
    let timeline = graph.timeline(&TimeZone::UTC);
    assert!(timeline.contains("branch x from dev@15\n"), "{timeline}");
}
