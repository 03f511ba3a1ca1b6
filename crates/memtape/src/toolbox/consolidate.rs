//! The tool that reports what needs consolidation (document 1).

use serde::Deserialize;

use super::{Call, Example, Parameter, Tool, Toolset, arguments};
use crate::consolidate::{LISTED_MAX, ReportPart};
use crate::error::Result;

/// The tool `memory_consolidate`.
pub(super) const CONSOLIDATE: Tool = Tool {
    name: "memory_consolidate",
    description: "Report what to consolidate: duplicates, contradictions, and memories that are \
                  uncertain, unused or expired, each with its ref. Changes nothing.",
    toolset: Toolset::Ledger,
    read_only: true,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example { after: &[], arguments: "{}", reply: "0 facts; 0 statements; 0 lines and notes" },
        Example {
            after: &[
                ("memory_add", r#"{"subject":"User","predicate":"prefers","object":"dark mode themes"}"#),
                (
                    "memory_add",
                    r#"{"subject":"User","predicate":"prefers","object":"light mode","scope":"work","confidence":0.5}"#,
                ),
                ("memory_save", r#"{"content":"User prefers dark mode themes."}"#),
            ],
            arguments: r#"{"action":"report"}"#,
            reply: "2 facts (2 permanent), average confidence 70%; 0 statements; 1 line or note\n\nDuplicates: 1\n- zone:54d7d5ee0b4cb120@12 User prefers dark mode themes.\n  ledger:c8cd02e8a340cb88@5 User prefers dark mode themes [90%]\n\nContradictions: 1\n- ledger:c8cd02e8a340cb88@5 User prefers dark mode themes [90%]\n  ledger:9a45279d72fcd916@8 User prefers light mode [work, 50%]\n\nLow confidence (below 70%): 1\n- ledger:9a45279d72fcd916@8 User prefers light mode [work, 50%]",
        },
        Example {
            after: &[],
            arguments: r#"{"action":"find_duplicates"}"#,
            reply: "Duplicates: 1\n- zone:54d7d5ee0b4cb120@12 User prefers dark mode themes.\n  ledger:c8cd02e8a340cb88@5 User prefers dark mode themes [90%]",
        },
        Example {
            after: &[],
            arguments: r#"{"action":"find_low_confidence"}"#,
            reply: "Low confidence (below 70%): 1\n- ledger:9a45279d72fcd916@8 User prefers light mode [work, 50%]",
        },
        Example {
            after: &[],
            arguments: r#"{"action":"stats"}"#,
            reply: "2 facts (2 permanent), average confidence 70%; 0 statements; 1 line or note",
        },
    ],
    parameters: &[Parameter::choice(
        "action",
        "The report to return.",
        &["report", "find_duplicates", "find_low_confidence", "stats"],
    )],
    run: consolidate,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Consolidate {
    #[serde(default)]
    action: Action,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    #[default]
    Report,
    FindDuplicates,
    FindLowConfidence,
    Stats,
}

fn consolidate(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Consolidate { action } = arguments(value)?;
    let found = call.workspace.consolidation_in(LISTED_MAX, call.session, call.audience, call.at)?;
    let parts: &[ReportPart] = match action {
        Action::Report => &ReportPart::ALL,
        Action::FindDuplicates => &[ReportPart::Duplicates],
        Action::FindLowConfidence => &[ReportPart::LowConfidence],
        Action::Stats => &[ReportPart::Stats],
    };
    Ok(found.brief(parts).trim_end().to_owned())
}
