//! Finds payment card numbers and bank account numbers (IBAN) by their check digits.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Number of digits of a card number.
const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;

/// Minimum number of digits in a group of a card number.
const GROUP_DIGITS: usize = 4;

/// Lengths of account numbers by country, from the registry of ISO 13616.
const IBAN_LENGTHS: &str = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 \
    DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 \
    IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 \
    NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 \
    TR26 UA29 VA22 VG24 XK20 YE30";

/// Finds card numbers: one or more groups of digits that together have a known prefix and a valid check
/// digit.
pub(super) fn cards(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    static RUN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[0-9]+(?:(?: - |\\[nrt]|[\s._-])[0-9]+)*").expect("a pattern"));
    // Digits next to letters are part of a digest or an id.
    let is_alone = |run: &regex::Match<'_>| {
        let is_letter = |c: char| c.is_ascii_alphabetic();
        let before = &text[..run.start()];
        let is_escape = [r"\n", r"\r", r"\t"].iter().any(|escape| before.ends_with(escape));
        (is_escape || !before.ends_with(is_letter)) && !text[run.end()..].starts_with(is_letter)
    };
    for run in RUN.find_iter(text).filter(|run| run.len() >= *CARD_DIGITS.start() && is_alone(run)) {
        cards_of_run(run.as_str(), run.start(), &mut |card| {
            security_code(text, card.end, add);
            add(card);
        });
    }
}

/// Finds the longest card number that starts at the start of a group and ends at the end of one.
fn cards_of_run(run: &str, offset: usize, add: &mut dyn FnMut(Range<usize>)) {
    let bytes = run.as_bytes();
    let mut start = 0;
    while start < bytes.len() {
        let begins = bytes[start].is_ascii_digit() && (start == 0 || !bytes[start - 1].is_ascii_digit());
        let end = if begins { card_from(&bytes[start..]) } else { None };
        if let Some(length) = end {
            add(offset + start..offset + start + length);
        }
        start += end.unwrap_or(1);
    }
}

/// Finds the security code after a card number: three or four digits after the expiry date or after a word
/// for the code.
fn security_code(text: &str, end: usize, add: &mut dyn FnMut(Range<usize>)) {
    static CODE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r#"^[^\n]{0,60}?(?:[^0-9/][0-9]{2}\s?/\s?(?:20)?[0-9]{2}[^0-9][^\n0-9]{0,32}|(?i:cv[vc]2?|cid|security code|cryptogramme|prüfziffer|dietro|atrás|detr[aá]s|derri[eè]re|arri[eè]re|back|rückseite|achter|\bcod)[^\n0-9]{0,24})(?:[0-9][^\n0-9]{1,24}[^0-9\n])??([0-9]{3,4})(?:[^0-9/]|$)"#,
        )
        .expect("a pattern")
    });
    if let Some(code) = CODE.captures(&text[end..]).and_then(|found| found.get(1)) {
        add(end + code.start()..end + code.end());
    }
}

/// Returns the length in bytes of the longest card number at the start.
fn card_from(bytes: &[u8]) -> Option<usize> {
    let mut digits = Vec::with_capacity(*CARD_DIGITS.end());
    let mut longest = None;
    for (at, byte) in bytes.iter().enumerate() {
        if !byte.is_ascii_digit() {
            continue;
        }
        if digits.len() == *CARD_DIGITS.end() {
            break;
        }
        // Card numbers are printed in groups of at least four digits; only the last group can be shorter.
        let begins = at == 0 || !bytes[at - 1].is_ascii_digit();
        let group = bytes[at..].iter().take(GROUP_DIGITS).take_while(|byte| byte.is_ascii_digit()).count();
        if begins && group < GROUP_DIGITS && digits.len() < 4 * 4 {
            break;
        }
        digits.push(byte - b'0');
        let ends = bytes.get(at + 1).is_none_or(|next| !next.is_ascii_digit());
        if ends && is_card(&digits) {
            longest = Some(at + 1);
        }
    }
    longest
}

fn is_card(digits: &[u8]) -> bool {
    CARD_DIGITS.contains(&digits.len()) && is_issued(digits) && luhn(digits)
}

/// Returns whether card numbers with this prefix and length are issued.
fn is_issued(digits: &[u8]) -> bool {
    let prefix = digits.iter().take(4).fold(0, |sum, digit| sum * 10 + u32::from(*digit));
    let length = digits.len();
    match prefix {
        4000..=4999 => matches!(length, 16 | 18 | 19),
        3400..=3499 | 3700..=3799 => length == 15,
        2200..=2204 | 2221..=2720 | 5100..=5599 => (16..=19).contains(&length),
        3000..=3059 | 3095 | 3600..=3699 | 3800..=3999 => length >= 14,
        3528..=3589 | 6011 | 6200..=6299 | 6440..=6599 | 8100..=8171 | 6080..=6082 => length >= 16,
        9792 => length == 16,
        5018 | 5020 | 5038 | 5893 | 6304 | 6759 | 6761..=6763 | 5060..=5079 => true,
        _ => false,
    }
}

fn luhn(digits: &[u8]) -> bool {
    let weigh = |(place, digit): (usize, &u8)| match (place % 2, *digit) {
        (0, digit) => u32::from(digit),
        (_, digit) => u32::from(digit / 5 + digit * 2 % 10),
    };
    digits.iter().rev().enumerate().map(weigh).sum::<u32>().is_multiple_of(10)
}

/// Finds account numbers: a country code, and the length for that country, with valid check digits.
pub(super) fn ibans(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at + 4 < bytes.len() {
        let is_start = bytes[at].is_ascii_alphabetic()
            && bytes[at + 1].is_ascii_alphabetic()
            && bytes[at + 2].is_ascii_digit()
            && bytes[at + 3].is_ascii_digit()
            && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric());
        let end = if is_start { iban_from(&bytes[at..]) } else { None };
        if let Some(length) = end {
            add(at..at + length);
        }
        at += end.unwrap_or(1);
    }
}

/// Returns the length in bytes of the account number at the start.
fn iban_from(bytes: &[u8]) -> Option<usize> {
    let country = str::from_utf8(bytes.get(..2)?).ok()?.to_ascii_uppercase();
    let known = IBAN_LENGTHS.split_whitespace().find(|entry| entry.starts_with(&country))?;
    let length: usize = known[2..].parse().ok()?;
    let mut held = Vec::with_capacity(length);
    let mut end = 0;
    for (at, byte) in bytes.iter().enumerate() {
        if byte.is_ascii_alphanumeric() {
            held.push(byte.to_ascii_uppercase());
            end = at + 1;
        } else if !matches!(byte, b' ' | b'-') || at > end {
            break;
        }
        if held.len() == length {
            break;
        }
    }
    let is_whole = held.len() == length && bytes.get(end).is_none_or(|next| !next.is_ascii_alphanumeric());
    (is_whole && mod_97(&held) == 1).then_some(end)
}

fn mod_97(held: &[u8]) -> u32 {
    let add = |rest: u32, byte: &u8| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
    };
    held[4..].iter().chain(&held[..4]).fold(0, add)
}
