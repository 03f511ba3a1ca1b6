//! A section of one text, and how it is fitted into its room.
//!
//! **Invariants.** What is cut is cut between its pieces, or inside one at the end of a line or word, and says so: the
//! notice takes of the room. By the count of its pieces a section is never larger than its room, nor than it is uncut.

use std::borrow::Cow;

use super::data::{self, unclosing};
use super::material::{Rendered, Scaled};
use super::section::Section;
use super::tokens::Tokens;
use super::{MEMORY_CHARS, MESSAGE_TOKENS, chars};
use crate::memory::MemoryId;
use crate::safety::render::{neutralise, plain};

/// Less of a piece than this, in tokens, is not worth showing.
const LEAST_OF_A_PIECE: usize = 12;
/// A token seldom stands for more bytes than these: more of a text need not be looked at.
const BYTES_PER_TOKEN: usize = 64;

/// A section of one text.
pub(super) struct Part<'a> {
    pub(super) section: Section,
    /// What it takes besides its text, in tokens.
    extra: usize,
    /// What it needs in all, in tokens.
    pub(super) need: usize,
    body: Body<'a>,
}

enum Body<'a> {
    Whole(String),
    Pieces(Pieces),
    Scaled { open: String, close: String, full: Rendered, tag: &'static str, render: Scaled<'a> },
}

/// A text in pieces.
pub(super) struct Pieces {
    pub(super) open: String,
    pub(super) close: String,
    pub(super) pieces: Vec<Piece>,
    pub(super) keep: Keep,
    /// What one piece is called, and several.
    pub(super) what: [&'static str; 2],
}

/// A piece of a text, with what stands around it when it is cut, too.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) head: String,
    pub(super) text: String,
    pub(super) foot: String,
    /// How the rest of it is read.
    pub(super) hint: &'static str,
    /// The memories that it shows, perhaps with the pieces before it.
    pub(super) shows: Vec<MemoryId>,
}

/// Which pieces stay where there is no room for all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// The first ones.
    First,
    /// The last ones.
    Last,
    /// All of them, the longest ones cut.
    Each,
}

/// A section as it fits.
#[derive(Clone, Default)]
pub(super) struct Fitted {
    pub(super) text: String,
    pub(super) cut: Option<String>,
    /// How many of its pieces it shows, in part or whole.
    pub(super) kept: usize,
    /// The memories that it shows: whole, or as much as would be shown of them where they are recalled.
    pub(super) shows: Vec<MemoryId>,
}

impl Fitted {
    /// A section that shows nothing.
    fn nothing(cut: Option<String>) -> Self {
        Self { cut, ..Self::default() }
    }

    /// A fitted text of so many pieces.
    fn new(shown: Rendered, cut: Option<String>, kept: usize) -> Self {
        let Rendered { text, shows } = shown;
        Self { text, cut, kept, shows }
    }
}

impl<'a> Part<'a> {
    fn new(section: Section, body: Body<'a>, need: usize) -> Self {
        // A section of messages is one.
        let extra = if section.is_system() || need == 0 { 0 } else { MESSAGE_TOKENS };
        Self { section, extra, need: need + extra, body }
    }

    pub(super) fn whole(section: Section, text: String, tokens: &dyn Tokens) -> Self {
        let need = tokens.count(&text);
        Self::new(section, Body::Whole(text), need)
    }

    pub(super) fn pieces(section: Section, pieces: Pieces, tokens: &dyn Tokens) -> Self {
        let need = match pieces.pieces.is_empty() {
            true => 0,
            false => {
                pieces.fixed(tokens) + pieces.pieces.iter().map(|piece| piece.cost(tokens)).sum::<usize>()
            }
        };
        Self::new(section, Body::Pieces(pieces), need)
    }

    /// A section that its form renders, between delimiters; parts of it are perhaps the owner's own words.
    pub(super) fn scaled(
        section: Section,
        heading: &str,
        tag: &'static str,
        render: Option<Scaled<'a>>,
        tokens: &dyn Tokens,
    ) -> Self {
        let full = render.map_or_else(Rendered::default, |render| rendered(render, usize::MAX, tag));
        let Some(render) = render.filter(|_| !full.text.is_empty()) else {
            return Self::new(section, Body::Whole(String::new()), 0);
        };
        let open = format!("{heading}{}", data::open(tag, &[]));
        let close = if section.is_system() { data::close(tag) + "\n" } else { data::close(tag) };
        let need = tokens.count(&open) + tokens.count(&full.text) + tokens.count(&close);
        Self::new(section, Body::Scaled { open, close, full, tag, render }, need)
    }

    /// The section within so many tokens.
    pub(super) fn fit(&self, room: usize, tokens: &dyn Tokens) -> Fitted {
        let is_whole = self.need <= room;
        let room = room.saturating_sub(self.extra);
        match &self.body {
            Body::Whole(text) => Fitted { text: text.clone(), ..Fitted::default() },
            Body::Pieces(pieces) if is_whole => pieces.all(),
            Body::Pieces(pieces) => pieces.fit(room, tokens),
            Body::Scaled { open, close, full, .. } if is_whole => {
                Fitted::new(full.between(open, close), None, 0)
            }
            Body::Scaled { open, close, full, tag, render } => {
                let room = room.saturating_sub(tokens.count(open) + tokens.count(close));
                let most = chars(&full.text);
                let shown =
                    largest(most, |chars| rendered(render, chars, tag), |text| tokens.count(text) <= room);
                let cut =
                    Some(format!("{} of {most} characters left out", most - chars(&shown.text).min(most)));
                match shown.text.is_empty() {
                    true => Fitted::nothing(cut),
                    false => Fitted::new(shown.between(open, close), cut, 0),
                }
            }
        }
    }
}

/// A text that a form renders, as lines that cannot close what they stand in.
fn rendered(render: Scaled<'_>, chars: usize, tag: &str) -> Rendered {
    let Rendered { text, shows } = render(chars);
    let mut text = unclosing(&text, tag);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Rendered { text, shows }
}

impl Rendered {
    fn between(&self, open: &str, close: &str) -> Self {
        Self { text: format!("{open}{}{close}", self.text), shows: self.shows.clone() }
    }
}

/// What is rendered for the largest number up to `most` that fits; the empty text where none does.
fn largest(most: usize, render: impl Fn(usize) -> Rendered, fits: impl Fn(&str) -> bool) -> Rendered {
    let (mut low, mut high, mut best) = (0, most, Rendered::default());
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        let shown = render(middle);
        if fits(&shown.text) {
            (low, best) = (middle, shown);
        } else {
            high = middle - 1;
        }
    }
    best
}

impl Piece {
    /// A piece that is a line.
    pub(super) fn line(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    fn around(&self, tokens: &dyn Tokens) -> usize {
        tokens.count(&self.head) + tokens.count(&self.foot)
    }

    fn cost(&self, tokens: &dyn Tokens) -> usize {
        self.around(tokens) + tokens.count(&self.text)
    }

    /// What is said where the rest of it is left out.
    fn notice(&self, left: usize) -> String {
        format!("\n… {left} characters left out{}\n", self.hint)
    }

    /// What it costs with the least of its text.
    fn least(&self, tokens: &dyn Tokens) -> usize {
        self.around(tokens) + tokens.count(&self.notice(chars(&self.text))) + LEAST_OF_A_PIECE
    }

    /// As much of it as fits, in at least [`Piece::least`] tokens.
    fn push_cut_to(&self, shown: &mut Rendered, room: usize, tokens: &dyn Tokens) {
        let all = chars(&self.text);
        let room = room.saturating_sub(self.around(tokens) + tokens.count(&self.notice(all)));
        let text = shortened(&self.text, room, tokens);
        let kept = chars(text);
        for part in [&self.head, text, &self.notice(all - kept), &self.foot] {
            shown.text.push_str(part);
        }
        // Where it is recalled, no more of it would be shown.
        if kept >= MEMORY_CHARS {
            shown.shows.extend(&self.shows);
        }
    }

    fn push_to(&self, shown: &mut Rendered) {
        for part in [&self.head, &self.text, &self.foot] {
            shown.text.push_str(part);
        }
        shown.shows.extend(&self.shows);
    }
}

/// The beginning of a text within so many tokens, up to the end of a line or word.
pub(super) fn shortened<'t>(text: &'t str, room: usize, tokens: &dyn Tokens) -> &'t str {
    let (mut low, mut high) = (0, text.len().min(room.saturating_mul(BYTES_PER_TOKEN)));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if tokens.count(&text[..text.floor_char_boundary(middle)]) <= room {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let cut = &text[..text.floor_char_boundary(low)];
    if cut.len() == text.len() {
        return cut;
    }
    // Not too much is given away for the sake of a neat end.
    let ends = [cut.rfind('\n'), cut.rfind(char::is_whitespace)];
    let end = ends.into_iter().flatten().find(|end| end * 2 >= cut.len());
    without_half_token(cut[..end.unwrap_or(cut.len())].trim_end(), text)
}

/// Returns a cut of a text without the end that only the cut has given power: half a token that reads as a whole one, as
/// `<s` of `<sum>` does, or half of a joined character, which does not stay as it is.
///
/// Such a token begins at the last `<`, so only what follows that is looked at: it takes time in proportion to the cut.
fn without_half_token<'t>(cut: &'t str, text: &str) -> &'t str {
    let has_power = |text: &str| matches!(neutralise(text), Cow::Owned(_));
    if !has_power(cut) || has_power(text) {
        return cut;
    }
    let plain = plain(cut);
    let stays = cut.chars().zip(plain.chars()).take_while(|(one, other)| one == other);
    let mut cut = &cut[..stays.map(|(c, _)| c.len_utf8()).sum()];
    while let Some(at) = cut.rfind(['<', '\u{FF1C}'])
        && has_power(&cut[at..])
    {
        cut = &cut[..at];
    }
    cut
}

impl Pieces {
    fn fixed(&self, tokens: &dyn Tokens) -> usize {
        tokens.count(&self.open) + tokens.count(&self.close)
    }

    fn left_out(&self, left: usize) -> Option<String> {
        let what = self.what[usize::from(left != 1)];
        (left > 0).then(|| format!("{left} {what} left out"))
    }

    fn notice(&self, left: usize) -> String {
        self.left_out(left).map_or_else(String::new, |text| format!("… {text}\n"))
    }

    fn opened(&self) -> Rendered {
        Rendered { text: self.open.clone(), shows: Vec::new() }
    }

    fn all(&self) -> Fitted {
        if self.pieces.is_empty() {
            return Fitted::default();
        }
        let mut shown = self.opened();
        self.pieces.iter().for_each(|piece| piece.push_to(&mut shown));
        shown.text.push_str(&self.close);
        Fitted::new(shown, None, self.pieces.len())
    }

    fn fit(&self, room: usize, tokens: &dyn Tokens) -> Fitted {
        let count = self.pieces.len();
        let fixed = self.fixed(tokens);
        // What is left out is counted in as many digits at most.
        let with_notice = fixed + tokens.count(&self.notice(count)).max(tokens.count(&self.notice(1)));
        let Some(room_of_pieces) = room.checked_sub(with_notice) else {
            return Fitted::nothing(self.left_out(count));
        };
        match self.keep {
            Keep::Each => self.each(room.saturating_sub(fixed), room_of_pieces, tokens),
            Keep::First => self.first(room_of_pieces, tokens),
            Keep::Last => self.last(room_of_pieces, tokens),
        }
    }

    /// The first pieces, of which the last one is perhaps cut.
    fn first(&self, mut room: usize, tokens: &dyn Tokens) -> Fitted {
        let (mut shown, mut kept) = (self.opened(), 0);
        for piece in &self.pieces {
            let cost = piece.cost(tokens);
            if cost > room {
                if piece.least(tokens) <= room {
                    piece.push_cut_to(&mut shown, room, tokens);
                    kept += 1;
                }
                break;
            }
            room -= cost;
            piece.push_to(&mut shown);
            kept += 1;
        }
        let left = self.pieces.len() - kept;
        shown.text.push_str(&self.notice(left));
        shown.text.push_str(&self.close);
        Fitted::new(shown, self.left_out(left).or_else(|| Some("shortened".into())), kept)
    }

    /// The last pieces, each whole.
    fn last(&self, mut room: usize, tokens: &dyn Tokens) -> Fitted {
        let mut from = self.pieces.len();
        while let Some(piece) = from.checked_sub(1).map(|n| &self.pieces[n])
            && let Some(rest) = room.checked_sub(piece.cost(tokens))
        {
            room = rest;
            from -= 1;
        }
        let mut shown = self.opened();
        shown.text.push_str(&self.notice(from));
        self.pieces[from..].iter().for_each(|piece| piece.push_to(&mut shown));
        shown.text.push_str(&self.close);
        Fitted::new(shown, self.left_out(from), self.pieces.len() - from)
    }

    /// Every piece, those cut that are longer than the others allow; the last ones left out where there is no room even
    /// so.
    fn each(&self, room: usize, room_with_notice: usize, tokens: &dyn Tokens) -> Fitted {
        let costs: Vec<_> =
            self.pieces.iter().map(|piece| (piece.cost(tokens), piece.least(tokens))).collect();
        let least =
            |costs: &[(usize, usize)]| costs.iter().map(|(cost, least)| cost.min(least)).sum::<usize>();
        let mut kept = costs.len();
        let mut room = room;
        while least(&costs[..kept]) > room {
            kept -= 1;
            room = room_with_notice;
        }
        let allowed =
            |level: usize| costs[..kept].iter().map(move |&(cost, least)| cost.min(least.max(level)));
        let (mut low, mut high) = (0, room);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if allowed(middle).sum::<usize>() <= room {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        let mut shown = self.opened();
        let mut short = 0;
        for ((piece, allowed), &(cost, _)) in self.pieces.iter().zip(allowed(low)).zip(&costs) {
            if cost <= allowed {
                piece.push_to(&mut shown);
            } else {
                short += 1;
                piece.push_cut_to(&mut shown, allowed, tokens);
            }
        }
        let left = self.pieces.len() - kept;
        shown.text.push_str(&self.notice(left));
        shown.text.push_str(&self.close);
        let short = (short > 0).then(|| format!("{short} {} shortened", self.what[usize::from(short != 1)]));
        let cut: Vec<_> = short.into_iter().chain(self.left_out(left)).collect();
        Fitted::new(shown, Some(cut.join(", ")).filter(|cut| !cut.is_empty()), kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token for each character.
    struct Characters;

    impl Tokens for Characters {
        fn count(&self, text: &str) -> usize {
            text.chars().count()
        }
    }

    #[test]
    fn a_cut_makes_no_token_of_a_template() {
        let cut = |text: &str, room: usize| shortened(text, room, &Characters).to_owned();
        assert_eq!(cut("one <summary>", 6), "one");
        assert_eq!(cut("one <summary> two", 12), "one <summary");
        assert_eq!(cut("a<s<s<s<sum", 7), "a");
        assert_eq!(cut("a\u{FF1C}sum", 3), "a");
        // Each end would be half a token, however many there are.
        let many = "<s".repeat(200_000) + "um";
        assert_eq!(cut(&many, many.len() - 2), "");
    }

    #[test]
    fn a_character_that_is_cut_in_two_takes_nothing_before_it_away() {
        let england = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}";
        let text = format!("flags:{england}");
        assert_eq!(neutralise(&text), text);
        assert_eq!(shortened(&text, 9, &Characters), "flags:\u{1F3F4}");
        let family = "pairs:\u{1F469}\u{200D}\u{1F467}";
        assert_eq!(neutralise(family), family);
        assert_eq!(shortened(family, 8, &Characters), "pairs:\u{1F469}");
    }
}
