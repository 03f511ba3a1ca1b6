//! Random commands on several branches.

use proptest::prelude::*;

/// Maximum number of branches, including `main`.
pub(crate) const BRANCHES: usize = 4;
/// The blocks that steps are about: one of the identity layer, one of the working layer.
pub(crate) const BLOCKS: [&str; 2] = ["persona", "goals"];

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Fact { branch: usize, fact: u8, value: u8 },
    ForgetFact { branch: usize, fact: u8 },
    Line { branch: usize, line: u8 },
    ForgetLine { branch: usize, line: u8 },
    Note { branch: usize, note: u8 },
    ForgetNotes { branch: usize },
    Tell { branch: usize, statement: u8, importance: u8 },
    ForgetStatement { branch: usize, statement: u8 },
    Bullet { branch: usize, tea: u8, line: usize, value: u8 },
    RemoveBullet { branch: usize, tea: u8 },
    Block { branch: usize, block: usize, value: u8 },
    ForgetBlock { branch: usize, block: usize },
    Fork { branch: usize },
    Merge { source: usize, into: usize },
    Pick { group: usize, into: usize },
    Settle { branch: usize, conflict: usize, how: u8 },
    Revert { group: usize, branch: usize },
    Undo { branch: usize },
    Redo { branch: usize },
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let b = || 0..BRANCHES;
    prop_oneof![
        6 => (b(), 0..2_u8, 0..3_u8).prop_map(|(branch, fact, value)| Step::Fact { branch, fact, value }),
        2 => (b(), 0..2_u8).prop_map(|(branch, fact)| Step::ForgetFact { branch, fact }),
        2 => (b(), 0..3_u8).prop_map(|(branch, line)| Step::Line { branch, line }),
        2 => (b(), 0..3_u8).prop_map(|(branch, line)| Step::ForgetLine { branch, line }),
        2 => (b(), 0..2_u8).prop_map(|(branch, note)| Step::Note { branch, note }),
        1 => b().prop_map(|branch| Step::ForgetNotes { branch }),
        3 => (b(), 0..2_u8, 1..4_u8)
            .prop_map(|(branch, statement, importance)| Step::Tell { branch, statement, importance }),
        2 => (b(), 0..2_u8).prop_map(|(branch, statement)| Step::ForgetStatement { branch, statement }),
        6 => (b(), 0..2_u8, 0..2_usize, 0..3_u8)
            .prop_map(|(branch, tea, line, value)| Step::Bullet { branch, tea, line, value }),
        1 => (b(), 0..2_u8).prop_map(|(branch, tea)| Step::RemoveBullet { branch, tea }),
        4 => (b(), 0..BLOCKS.len(), 0..3_u8).prop_map(|(branch, block, value)| Step::Block { branch, block, value }),
        1 => (b(), 0..BLOCKS.len()).prop_map(|(branch, block)| Step::ForgetBlock { branch, block }),
        2 => b().prop_map(|branch| Step::Fork { branch }),
        8 => (b(), b()).prop_map(|(source, into)| Step::Merge { source, into }),
        3 => (0..100_usize, b()).prop_map(|(group, into)| Step::Pick { group, into }),
        4 => (b(), 0..10_usize, 0..4_u8).prop_map(|(branch, conflict, how)| Step::Settle { branch, conflict, how }),
        3 => (0..100_usize, b()).prop_map(|(group, branch)| Step::Revert { group, branch }),
        5 => b().prop_map(|branch| Step::Undo { branch }),
        3 => b().prop_map(|branch| Step::Redo { branch }),
    ]
}

/// Returns steps about few items, so that they meet on several branches. The first branch forks before the items exist.
pub(crate) fn few() -> impl Strategy<Value = Vec<Step>> {
    let b = || 0..BRANCHES;
    let step = prop_oneof![
        2 => (b(), 0..3_u8).prop_map(|(branch, value)| Step::Fact { branch, fact: 0, value }),
        2 => b().prop_map(|branch| Step::ForgetFact { branch, fact: 0 }),
        2 => (b(), 0..3_u8).prop_map(|(branch, line)| Step::Line { branch, line }),
        2 => (b(), 0..3_u8).prop_map(|(branch, line)| Step::ForgetLine { branch, line }),
        2 => (b(), 0..2_u8).prop_map(|(branch, statement)| Step::ForgetStatement { branch, statement }),
        2 => (b(), 0..2_usize, 0..3_u8).prop_map(|(branch, line, value)| Step::Bullet { branch, tea: 0, line, value }),
        2 => b().prop_map(|branch| Step::RemoveBullet { branch, tea: 0 }),
        2 => (b(), 0..3_u8).prop_map(|(branch, value)| Step::Block { branch, block: 1, value }),
        2 => b().prop_map(|branch| Step::ForgetBlock { branch, block: 1 }),
        2 => b().prop_map(|branch| Step::Fork { branch }),
        8 => (b(), b()).prop_map(|(source, into)| Step::Merge { source, into }),
        2 => (b(), 0..10_usize, 0..4_u8).prop_map(|(branch, conflict, how)| Step::Settle { branch, conflict, how }),
    ];
    let lines = (0..3).map(|line| Step::Line { branch: 0, line });
    let told = (0..2).map(|statement| Step::Tell { branch: 0, statement, importance: 1 });
    let first: Vec<Step> = [Step::Fork { branch: 0 }].into_iter().chain(lines).chain(told).collect();
    proptest::collection::vec(step, 1..50).prop_map(move |steps| [first.clone(), steps].concat())
}

/// Returns steps about one line and one fact, with undos, redos, deleted texts that are written again, and branches
/// that fork between a merge and its undo and meet through others.
pub(crate) fn dense() -> impl Strategy<Value = Vec<Step>> {
    let b = || 0..BRANCHES;
    let step = prop_oneof![
        2 => b().prop_map(|branch| Step::Line { branch, line: 0 }),
        2 => b().prop_map(|branch| Step::ForgetLine { branch, line: 0 }),
        2 => (b(), 0..2_u8).prop_map(|(branch, value)| Step::Fact { branch, fact: 0, value }),
        1 => b().prop_map(|branch| Step::ForgetFact { branch, fact: 0 }),
        2 => b().prop_map(|branch| Step::Fork { branch }),
        8 => (b(), b()).prop_map(|(source, into)| Step::Merge { source, into }),
        1 => (0..100_usize, b()).prop_map(|(group, into)| Step::Pick { group, into }),
        1 => (b(), 0..10_usize, 0..2_u8).prop_map(|(branch, conflict, how)| Step::Settle { branch, conflict, how }),
        1 => (0..100_usize, b()).prop_map(|(group, branch)| Step::Revert { group, branch }),
        5 => b().prop_map(|branch| Step::Undo { branch }),
        2 => b().prop_map(|branch| Step::Redo { branch }),
    ];
    let first = [Step::Line { branch: 0, line: 0 }, Step::Fork { branch: 0 }];
    proptest::collection::vec(step, 1..40).prop_map(move |steps| [first.to_vec(), steps].concat())
}
