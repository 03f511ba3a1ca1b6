//! The life of a memory as a picture: the message, the capture, every change, and the turns that it was shown in.

use maud::{Markup, html};
use memtape::Why;
use memtape::why::{ChangeEntry, MemoryVersion};

use crate::page::Page;
use crate::parts;
use crate::turn;

/// Maximum number of nodes in a column.
const NODES: usize = 30;
/// Maximum number of characters in a line of a node.
const CHARS: usize = 40;
/// The size of a node and of the spaces around it.
const WIDTH: u32 = 330;
const HEIGHT: u32 = 46;
const STEP: u32 = 66;
const RIGHT: u32 = 400;

/// A node of the picture.
struct Node {
    class: &'static str,
    title: String,
    text: String,
    href: Option<String>,
}

/// Returns the picture; nothing if it would have one node only.
pub(crate) fn picture(page: &Page<'_>, why: &Why) -> Option<Markup> {
    let mut chain: Vec<Node> = Vec::new();
    // The node of the version that was current when each turn began.
    let mut starts: Vec<(u64, usize)> = Vec::new();
    for (n, version) in why.versions.iter().enumerate() {
        if let Some(said) = version.from.as_ref().filter(|_| n == 0) {
            chain.push(Node {
                class: "message",
                title: format!("{} said", said.speaker),
                text: said.text.clone(),
                href: Some(parts::memory_link(page, &said.reference)),
            });
        }
        starts.push((version.change.entry, chain.len()));
        chain.push(created(page, version, n));
    }
    if let Some(end) = why.versions.last().and_then(|version| version.end.as_ref()) {
        chain.push(Node {
            class: "end",
            title: format!("removed in @{}", end.entry),
            text: end.reason.clone().unwrap_or_else(|| end.name.clone()),
            href: Some(change_link(page, end)),
        });
    }
    let left_out = chain.len().saturating_sub(NODES);
    let turns: Vec<_> = why.recalls.iter().rev().take(NODES).collect();
    if chain.len() + turns.len() < 2 {
        return None;
    }
    chain.drain(..left_out);
    let starts: Vec<_> =
        starts.iter().filter(|(_, n)| *n >= left_out).map(|(entry, n)| (*entry, n - left_out)).collect();
    let turns: Vec<(Node, usize)> = turns
        .into_iter()
        .rev()
        .map(|said| {
            let message = said.reference.key.parse::<u64>().unwrap_or_default();
            let from = starts.iter().rev().find(|(entry, _)| *entry < message).or(starts.first());
            let node = Node {
                class: "turn",
                title: format!("shown for {}", said.speaker),
                text: said.text.clone(),
                href: Some(turn::link_of_message(page, message)),
            };
            (node, from.map_or(0, |(_, n)| *n))
        })
        .collect();
    Some(draw(&chain, &turns))
}

fn created(page: &Page<'_>, version: &MemoryVersion, n: usize) -> Node {
    let by = version.change.origin.map_or(String::new(), |origin| format!(" by {}", origin.as_str()));
    let what = match (&version.from, n) {
        (Some(_), 0) => "captured",
        (None, 0) => "created",
        (_, _) => "changed",
    };
    Node {
        class: if version.end.is_none() { "current" } else { "version" },
        title: format!("{what}{by} in @{}", version.change.entry),
        text: version.memory.text.clone(),
        href: Some(change_link(page, &version.change)),
    }
}

fn change_link(page: &Page<'_>, change: &ChangeEntry) -> String {
    page.link("/change", &[("entry", &change.entry.to_string())])
}

fn y_of(n: usize) -> u32 {
    2 + STEP * u32::try_from(n).unwrap_or_default()
}

fn draw(chain: &[Node], turns: &[(Node, usize)]) -> Markup {
    let height = y_of(chain.len().max(turns.len()));
    let width = if turns.is_empty() { WIDTH + 4 } else { RIGHT + WIDTH + 2 };
    html! {
        div.picture tabindex="0" role="region" aria-label="Picture of where this memory came from and went" {
            svg viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) role="group" {
                @for n in 1..chain.len() {
                    @let middle = 2 + WIDTH / 2;
                    line.edge x1=(middle) y1=(y_of(n) - (STEP - HEIGHT)) x2=(middle) y2=(y_of(n) - 1) {}
                    path.tip d={ "M" (middle - 5) " " (y_of(n) - 8) " L" (middle) " " (y_of(n) - 1) " L" (middle + 5) " " (y_of(n) - 8) } {}
                }
                @for (n, (_, from)) in turns.iter().enumerate() {
                    @let (y1, y2) = (y_of(*from) + HEIGHT / 2, y_of(n) + HEIGHT / 2);
                    @let (x1, x2) = (WIDTH + 2, RIGHT);
                    path.edge d={ "M" (x1) " " (y1) " C" (x1 + 34) " " (y1) " " (x2 - 34) " " (y2) " " (x2) " " (y2) } {}
                    path.tip d={ "M" (x2 - 8) " " (y2 - 5) " L" (x2 - 1) " " (y2) " L" (x2 - 8) " " (y2 + 5) } {}
                }
                @for (n, node) in chain.iter().enumerate() {
                    (node_at(node, 2, y_of(n)))
                }
                @for (n, (node, _)) in turns.iter().enumerate() {
                    (node_at(node, RIGHT, y_of(n)))
                }
            }
        }
    }
}

fn node_at(node: &Node, x: u32, y: u32) -> Markup {
    let one_line = node.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (text, more) = parts::cut(&one_line, CHARS);
    let (title, _) = parts::cut(&node.title, CHARS);
    let body = html! {
        rect class={ "node " (node.class) } x=(x) y=(y) width=(WIDTH) height=(HEIGHT) rx="4" {}
        text.title x=(x + 10) y=(y + 18) { (title) }
        text x=(x + 10) y=(y + 36) { (text) @if more > 0 { "…" } }
    };
    match &node.href {
        Some(href) => html! { a href=(href) { (body) } },
        None => body,
    }
}
