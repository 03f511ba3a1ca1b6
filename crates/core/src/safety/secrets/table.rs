//! Purpose: secrets in tables of Markdown: what stands in a column, or behind a cell, that a secret's name heads.

use std::ops::Range;

use super::lexicon::{Hit, Theme};
use super::value::{Look, is_common, is_keypad, look};

/// Finds the values in the columns that names head, and in the cells beside names.
pub(super) fn tables(text: &str, names: &[Hit], add: &mut dyn FnMut(Range<usize>, Theme)) {
    let mut heads: Vec<Option<Theme>> = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        if line.bytes().filter(|b| *b == b'|').count() < 2 {
            heads.clear();
            continue;
        }
        let cells = cells(text, start..offset);
        let is_head = heads.is_empty();
        for (column, cell) in cells.iter().enumerate() {
            let head = theme(text, cell, names);
            if is_head {
                heads.push(head);
            } else if let Some(Some(theme)) = heads.get(column)
                && takes(*theme, &text[cell.clone()])
            {
                add(cell.clone(), *theme);
            }
            let beside = cells.get(column + 1).filter(|_| !is_head || cells.len() == 2);
            if let (Some(theme), Some(value)) = (head, beside)
                && heads.get(column + 1).is_none_or(Option::is_none)
                && takes(theme, &text[value.clone()])
                && look(&text[value.clone()]) > Look::Word
            {
                add(value.clone(), theme);
            }
        }
    }
}

/// The cells of a row, without the marks around their texts.
fn cells(text: &str, row: Range<usize>) -> Vec<Range<usize>> {
    let mut start = row.start;
    let mut cells = Vec::new();
    let body = text[row.clone()].trim();
    let outer = usize::from(body.starts_with('|'));
    for cell in text[row].split('|') {
        let core = cell.trim().trim_matches(['`', '*']);
        let at = start + cell.find(core).unwrap_or_default();
        cells.push(at..at + core.len());
        start += cell.len() + 1;
    }
    let last = cells.len() - usize::from(body.ends_with('|') && cells.len() > 1);
    cells.truncate(last);
    cells.drain(..outer.min(cells.len()));
    cells
}

/// What a cell names, if it is a name and little more.
fn theme(text: &str, cell: &Range<usize>, names: &[Hit]) -> Option<Theme> {
    let first = names.partition_point(|name| name.range.start < cell.start);
    let name = names.get(first).filter(|name| name.range.end <= cell.end)?;
    let is_short = text[cell.clone()].chars().count() <= text[name.range.clone()].chars().count() + 16;
    (is_short && name.theme != Theme::Recovery).then_some(name.theme)
}

fn takes(theme: Theme, value: &str) -> bool {
    let look = look(value);
    let words = value.split_whitespace().count();
    let is_ascii = value.is_ascii() || !value.chars().any(super::lexicon::is_unspaced);
    match theme {
        Theme::Password | Theme::Phrase => {
            look > Look::Word && words == 1 && is_ascii
                || look == Look::Word
                    && words == 1
                    && is_ascii
                    && value.chars().count() >= 5
                    && !is_common(value)
        }
        Theme::Pin | Theme::Code => {
            (3..=12).contains(&super::value::digits(value)) && words <= 3 && look >= Look::Number
                || is_keypad(value)
        }
        Theme::Key => look >= Look::Mixed && value.len() >= 8 && words == 1,
        Theme::Account => super::value::digits(value) >= 5 && words <= 6,
        _ => false,
    }
}
