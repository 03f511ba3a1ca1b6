//! A section of one text, and how it is fitted into its room.
//!
//! **Invariants.** A cut is between pieces, or inside one at the end of a line or word, and is reported; the
//! report takes part of the room. Counted by its pieces, a section never exceeds its room nor its uncut size.

use std::borrow::Cow;

use super::data::{self, unclosing};
use super::material::{Rendered, Scaled};
use super::section::Section;
use super::tokens::Tokens;
use super::{MEMORY_CHARS, MESSAGE_TOKENS, chars};
use crate::memory::MemoryId;
use crate::safety::render::{neutralise, plain};

/// The minimum of a piece that is worth showing, in tokens.
const LEAST_OF_A_PIECE: usize = 12;
/// A token rarely covers more bytes than this, which limits how much of a text is examined.
const BYTES_PER_TOKEN: usize = 64;

/// A section of one text.
pub(super) struct Part<'a> {
    pub(super) section: Section,
    /// The tokens it takes besides its text.
    extra: usize,
    /// The tokens it needs in all.
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
    /// The singular and plural name of a piece.
    pub(super) what: [&'static str; 2],
    /// The hint about the pieces that are left out.
    pub(super) hint: &'static str,
}

/// A piece of a text, with a head and a foot that stay when it is cut.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) head: String,
    pub(super) text: String,
    pub(super) foot: String,
    /// The hint on how to read the rest of it.
    pub(super) hint: &'static str,
    /// The memories that it shows, possibly together with the pieces before it.
    pub(super) shows: Vec<MemoryId>,
}

/// The pieces to keep if there is no room for all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// The first ones.
    First,
    /// The last ones.
    Last,
    /// All of them, with the longest ones cut.
    Each,
}

/// A section cut to its room.
#[derive(Clone, Default)]
pub(super) struct Fitted {
    pub(super) text: String,
    pub(super) cut: Option<String>,
    /// The number of pieces it shows, in part or whole.
    pub(super) kept: usize,
    /// The memories that it shows: whole, or at least as much as recall would show.
    pub(super) shows: Vec<MemoryId>,
}

impl Fitted {
    /// Returns a section that shows nothing.
    fn nothing(cut: Option<String>) -> Self {
        Self { cut, ..Self::default() }
    }

    /// Returns a fitted text with `kept` pieces.
    fn new(shown: Rendered, cut: Option<String>, kept: usize) -> Self {
        let Rendered { text, shows } = shown;
        Self { text, cut, kept, shows }
    }
}

impl<'a> Part<'a> {
    fn new(section: Section, body: Body<'a>, need: usize) -> Self {
        // A section outside the system part is a message.
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

    /// Creates a section that its form renders, between delimiters; parts of it may be the owner's own words.
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

    /// Fits the section into `room` tokens.
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
                    Some(format!("{} of {most} characters not shown", most - chars(&shown.text).min(most)));
                match shown.text.is_empty() {
                    true => Fitted::nothing(cut),
                    false => Fitted::new(shown.between(open, close), cut, 0),
                }
            }
        }
    }
}

/// Returns a text that a form renders, as lines that cannot close their delimiter.
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

/// Returns the rendering for the largest number up to `most` that fits; an empty one if none does.
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
    /// Creates a piece that is one line.
    pub(super) fn line(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    fn around(&self, tokens: &dyn Tokens) -> usize {
        tokens.count(&self.head) + tokens.count(&self.foot)
    }

    fn cost(&self, tokens: &dyn Tokens) -> usize {
        self.around(tokens) + tokens.count(&self.text)
    }

    /// Returns the text that replaces the omitted rest.
    fn warning(&self, left: usize) -> String {
        format!("\n… {left} more characters not shown{}\n", self.hint)
    }

    /// Returns its cost with the minimum of its text.
    fn least(&self, tokens: &dyn Tokens) -> usize {
        self.around(tokens) + tokens.count(&self.warning(chars(&self.text))) + LEAST_OF_A_PIECE
    }

    /// Appends as much of it as fits; `room` is at least [`Piece::least`] tokens.
    fn push_cut_to(&self, shown: &mut Rendered, room: usize, tokens: &dyn Tokens) {
        let all = chars(&self.text);
        let room = room.saturating_sub(self.around(tokens) + tokens.count(&self.warning(all)));
        let text = shortened(&self.text, room, tokens);
        let kept = chars(text);
        for part in [&self.head, text, &self.warning(all - kept), &self.foot] {
            shown.text.push_str(part);
        }
        // Recall would show no more of it than this.
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

/// Returns the beginning of a text within `room` tokens, up to the end of a line or word.
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
    // A neat end must not cost more than half of the text.
    let ends = [cut.rfind('\n'), cut.rfind(char::is_whitespace)];
    let end = ends.into_iter().flatten().find(|end| end * 2 >= cut.len());
    without_half_token(cut[..end.unwrap_or(cut.len())].trim_end(), text)
}

/// Removes from a cut the end that only the cut made active: half a token that reads as a whole one, as `<s`
/// of `<sum>` does, or half of a joined character, which normalisation would change.
///
/// Such a token begins at the last `<`, so only what follows that is examined: the time is linear in the cut.
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
        (left > 0).then(|| format!("{left} {what} not shown"))
    }

    fn warning(&self, left: usize) -> String {
        self.left_out(left).map_or_else(String::new, |text| format!("… {text}{}\n", self.hint))
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
        // The number of omitted pieces has at most as many digits as this.
        let with_warning = fixed + tokens.count(&self.warning(count)).max(tokens.count(&self.warning(1)));
        let Some(room_of_pieces) = room.checked_sub(with_warning) else {
            return Fitted::nothing(self.left_out(count));
        };
        match self.keep {
            Keep::Each => self.each(room.saturating_sub(fixed), room_of_pieces, tokens),
            Keep::First => self.first(room_of_pieces, tokens),
            Keep::Last => self.last(room_of_pieces, tokens),
        }
    }

    /// Keeps the first pieces; the last of them may be cut.
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
        shown.text.push_str(&self.warning(left));
        shown.text.push_str(&self.close);
        Fitted::new(shown, self.left_out(left).or_else(|| Some("shortened".into())), kept)
    }

    /// Keeps the last pieces, each whole.
    fn last(&self, mut room: usize, tokens: &dyn Tokens) -> Fitted {
        let mut from = self.pieces.len();
        while let Some(piece) = from.checked_sub(1).map(|n| &self.pieces[n])
            && let Some(rest) = room.checked_sub(piece.cost(tokens))
        {
            room = rest;
            from -= 1;
        }
        let mut shown = self.opened();
        shown.text.push_str(&self.warning(from));
        self.pieces[from..].iter().for_each(|piece| piece.push_to(&mut shown));
        shown.text.push_str(&self.close);
        Fitted::new(shown, self.left_out(from), self.pieces.len() - from)
    }

    /// Keeps every piece and cuts the longest ones; if there is still no room, the last pieces are left out.
    fn each(&self, room: usize, room_with_warning: usize, tokens: &dyn Tokens) -> Fitted {
        let costs: Vec<_> =
            self.pieces.iter().map(|piece| (piece.cost(tokens), piece.least(tokens))).collect();
        let least =
            |costs: &[(usize, usize)]| costs.iter().map(|(cost, least)| cost.min(least)).sum::<usize>();
        let mut kept = costs.len();
        let mut room = room;
        while least(&costs[..kept]) > room {
            kept -= 1;
            room = room_with_warning;
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
        shown.text.push_str(&self.warning(left));
        shown.text.push_str(&self.close);
        let short = (short > 0).then(|| format!("{short} {} shortened", self.what[usize::from(short != 1)]));
        let cut: Vec<_> = short.into_iter().chain(self.left_out(left)).collect();
        Fitted::new(shown, Some(cut.join(", ")).filter(|cut| !cut.is_empty()), kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tokenizer that counts one token for each character.
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
        // Each possible end would be half a token, however many there are.
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
