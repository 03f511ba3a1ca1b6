//! Generates training texts from the templates (frames) in `evals/secrets/frames.txt`.
//!
//! A template is a short sentence or setting in one of many languages. Its slots are filled with random
//! values.

use super::Text;

const FRAMES: &str = include_str!("../../secrets/frames.txt");

/// A deterministic pseudorandom number generator.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Returns a number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides
    }

    fn many(&mut self, of: &str, count: usize) -> String {
        let of: Vec<char> = of.chars().collect();
        (0..count).map(|_| of[self.roll(of.len())]).collect()
    }

    /// Returns an invented word.
    fn made(&mut self) -> String {
        let syllables = 2 + self.roll(3);
        (0..syllables)
            .map(|_| {
                let end = if self.roll(3) == 0 { self.many("nrlst", 1) } else { String::new() };
                format!("{}{}{end}", self.many("bcdfghklmnprstvwz", 1), self.many("aeiou", 1))
            })
            .collect()
    }

    fn words(&mut self, joint: &str) -> String {
        let count = 2 + self.roll(3);
        let is_title = self.roll(3) == 0;
        let word = |word: String| if is_title { word[..1].to_uppercase() + &word[1..] } else { word };
        (0..count).map(|_| word(self.made())).collect::<Vec<_>>().join(joint)
    }

    /// Returns a password in one of the forms that people use.
    pub(super) fn password(&mut self) -> String {
        const SIGNS: &str = "!#$%&*+@_-.=?";
        match self.roll(9) {
            0 => self.made(),
            1 => self.words("") + &self.many("!?0123456789", 1),
            2 => self.words("-") + &self.many("0123456789", 2),
            3 => self.words("."),
            4 => format!("{}{}", self.made(), self.roll(2100)),
            5 => format!("{}{}{}{}", self.words(""), self.many(SIGNS, 1), self.made(), self.roll(100)),
            6 => format!("{}{}{}", self.words(""), self.many(SIGNS, 1), self.roll(3000)),
            7 => self.words("_"),
            _ => self.many("abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", 10),
        }
    }

    /// Returns the name of a product with a version, in one of the forms that people write.
    fn versioned(&mut self) -> String {
        const NAMES: [&str; 16] = [
            "Python",
            "Postgres",
            "React",
            "Node",
            "Vue",
            "Spring-Boot",
            "Next.js",
            "Ubuntu",
            "Kotlin",
            "iPhone",
            "Galaxy",
            "Terraform",
            "Windows",
            "Blender",
            "Chapter",
            "Team",
        ];
        let name = NAMES[self.roll(NAMES.len())];
        let name = if self.roll(3) == 0 { self.title() } else { name.to_owned() };
        let joint = ["", "", "", "-", "@", "#"][self.roll(6)];
        match self.roll(3) {
            0 => format!("{name}{joint}{}.{}", self.roll(25), self.roll(20)),
            _ => format!("{name}{joint}{}", 1 + self.roll(30)),
        }
    }

    /// Returns an invented word with a capital.
    fn title(&mut self) -> String {
        let word = self.made();
        word[..1].to_uppercase() + &word[1..]
    }

    /// Returns a time of day without a colon.
    fn clock(&mut self) -> String {
        format!("{:02}{:02}", self.roll(24), self.roll(12) * 5)
    }

    /// Returns a random value for a slot.
    fn filling(&mut self, slot: &str, words: &[&str]) -> String {
        const DIGITS: &str = "0123456789";
        const LETTERS: &str = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
        let count = slot[1..].parse().ok();
        match slot[..1].to_lowercase().as_str() {
            "d" => {
                let count = count.unwrap_or_else(|| 4 + self.roll(5));
                self.many(DIGITS, count)
            }
            "w" if self.roll(4) == 0 => self.made(),
            "w" => words[self.roll(words.len())].to_owned(),
            "t" => {
                let count = 2 + self.roll(4);
                (0..count).map(|_| words[self.roll(words.len())].to_lowercase()).collect::<Vec<_>>().join(" ")
            }
            "p" => self.password(),
            "v" => self.versioned(),
            "n" => format!("{}{}{}", self.title(), ["&", "+", "/", "#", "-"][self.roll(5)], self.title()),
            "c" => self.clock(),
            "b" => {
                let word = if self.roll(3) == 0 {
                    self.made()
                } else {
                    words[self.roll(words.len())].to_lowercase()
                };
                format!("{word}{}", self.roll(100))
            }
            "k" => {
                let count = 24 + self.roll(20);
                self.many("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", count)
            }
            "h" => {
                let count = [32, 40, 64][self.roll(3)];
                self.many("0123456789abcdef", count)
            }
            "a" => {
                let count = 8 + self.roll(13);
                self.many(DIGITS, count)
            }
            "s" if slot == "S" => (0..4).map(|_| self.many(DIGITS, 4)).collect::<Vec<_>>().join(" "),
            "m" => self.many(LETTERS, 5) + "-" + &self.many(LETTERS, 5),
            "u" => ["ana", "jbecker", "admin", "office", "m.rossi", "kasse1", "guest", "piotr"][self.roll(8)]
                .to_owned(),
            _ => match self.roll(4) {
                0 => self.many("ABCDEFGHK", 2) + &self.many(DIGITS, 5),
                1 => self.many(DIGITS, 9),
                2 => format!("{}-{}", self.many("ABCDEFGHK", 2), self.many(DIGITS, 5)),
                _ => format!(
                    "{}-{}-{}",
                    self.many("ABCDEFGHK", 3),
                    self.many(DIGITS, 4),
                    self.many(LETTERS, 3)
                ),
            },
        }
    }

    fn fill(&mut self, frame: &str, words: &[Vec<&str>], secrets: &mut Vec<String>) -> String {
        let mut filled = String::new();
        let mut parts = frame.split('{');
        filled.push_str(parts.next().unwrap_or_default());
        let mut joint = "";
        for part in parts {
            let slot = part.split('}').next().unwrap_or_default();
            let is_slot = part.contains('}')
                && slot.len() <= 3
                && slot.bytes().all(|b| b.is_ascii_alphanumeric())
                && slot.bytes().take(1).all(|b| b.is_ascii_alphabetic())
                && slot[1..].bytes().all(|b| b.is_ascii_digit());
            if !is_slot {
                filled.push('{');
                filled.push_str(part);
                joint = "";
                continue;
            }
            let of = self.roll(words.len());
            let value = self.filling(slot, &words[of]);
            if slot.starts_with(|c: char| c.is_ascii_uppercase()) {
                // Slots with a hyphen or a space between them are the groups of one value.
                match secrets.last_mut().filter(|_| matches!(joint, "-" | " ")) {
                    Some(last) => *last = format!("{last}{joint}{value}"),
                    None => secrets.push(value.clone()),
                }
                joint = &part[slot.len() + 1..];
            } else {
                joint = "";
            }
            filled.push_str(&value);
            filled.push_str(&part[slot.len() + 1..]);
        }
        filled
    }
}

/// Returns texts for every template, each filled `times` times.
pub(super) fn texts(times: usize) -> Vec<Text> {
    let mut dice = Dice(42);
    let lines: Vec<(char, &str)> =
        FRAMES.lines().filter_map(|line| Some((line.chars().next()?, line.get(2..)?))).collect();
    let words: Vec<Vec<&str>> = lines
        .iter()
        .filter(|(kind, _)| *kind == '=')
        .map(|(_, line)| line.split(' ').skip(1).collect())
        .collect();
    let alike: Vec<&str> = lines.iter().filter(|(kind, _)| *kind == '-').map(|(_, line)| *line).collect();
    let mut texts = Vec::new();
    for (kind, frame) in lines.iter().filter(|(kind, _)| matches!(kind, '+' | '-')) {
        for _ in 0..times {
            let mut secrets = Vec::new();
            let mut text = dice.fill(&frame.replace('⏎', "\n"), &words, &mut secrets);
            let other = alike[dice.roll(alike.len())].replace('⏎', "\n");
            let other = dice.fill(&other, &words, &mut Vec::new());
            let joint = if text.contains('\n') || other.contains('\n') {
                "\n\n"
            } else {
                [". ", "\n", ", "][dice.roll(3)]
            };
            match dice.roll(5) {
                0 => text = format!("{text}{joint}{other}"),
                1 => text = format!("{other}{joint}{text}"),
                2 if *kind == '+' && !text.contains('\n') => text += ".",
                _ => {}
            }
            texts.push(Text { text, secrets, lang: String::new(), kind: String::new() });
        }
    }
    texts
}
