//! Finds and redacts secrets in bytes, whatever their encoding.
//!
//! UTF-8 is searched as it is, and UTF-16 with a byte order mark is decoded. Other bytes without a zero are a text in an
//! encoding of one byte a character, of which the bytes that are no UTF-8 are read as Windows-1252 (a superset of
//! Latin-1): the words and signs around a secret are mostly ASCII. In anything else, and in UTF-16 too, each part that is
//! valid UTF-8 is searched alone.
//!
//! **Invariant:** [`find_in_bytes`] finds nothing in the output of [`redact_bytes`], and every byte outside the finds stays.

use std::borrow::Cow;

use super::{Found, PASSES_MAX, TANGLE, find, marker, redact};

/// The characters that Windows-1252 has in place of the control characters of Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// How bytes stand for characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16 {
        is_big_endian: bool,
    },
    SingleByte,
    /// Not a text.
    Binary,
}

impl Encoding {
    fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0xFF, 0xFE, ..] => Self::Utf16 { is_big_endian: false },
            [0xFE, 0xFF, ..] => Self::Utf16 { is_big_endian: true },
            _ if std::str::from_utf8(bytes).is_ok() => Self::Utf8,
            _ if bytes.contains(&0) => Self::Binary,
            _ => Self::SingleByte,
        }
    }

    /// Returns the bytes of an ASCII text.
    fn encode(self, ascii: &str) -> Vec<u8> {
        match self {
            Self::Utf16 { is_big_endian: true } => ascii.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Self::Utf16 { is_big_endian: false } => ascii.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Self::Utf8 | Self::SingleByte | Self::Binary => ascii.into(),
        }
    }
}

/// Returns whether bytes are UTF-16 with a byte order mark, the only text that has zeros.
#[must_use]
pub fn is_utf16(bytes: &[u8]) -> bool {
    matches!(Encoding::of(bytes), Encoding::Utf16 { .. })
}

/// Returns the secrets in bytes, in order of position. The ranges are those of the bytes.
#[must_use]
pub fn find_in_bytes(bytes: &[u8]) -> Vec<Found> {
    finds(bytes).into_iter().map(|(found, _)| found).collect()
}

/// Returns the number of the line of a position, from 1.
#[must_use]
pub fn line_at(bytes: &[u8], at: usize) -> u64 {
    let before = &bytes[..at.min(bytes.len())];
    let lines = match Encoding::of(bytes) {
        Encoding::Utf16 { is_big_endian } => utf16(before, is_big_endian).filter(|(c, _)| *c == '\n').count(),
        Encoding::Utf8 | Encoding::SingleByte | Encoding::Binary => {
            before.iter().filter(|byte| **byte == b'\n').count()
        }
    };
    lines as u64 + 1
}

/// Returns the secrets in bytes, each with its encoding.
fn finds(bytes: &[u8]) -> Vec<(Found, Encoding)> {
    let encoding = Encoding::of(bytes);
    let finds = match encoding {
        Encoding::Utf8 => std::str::from_utf8(bytes).map(find).unwrap_or_default(),
        Encoding::Utf16 { is_big_endian } => find_decoded(|| utf16(bytes, is_big_endian)),
        Encoding::SingleByte => find_decoded(|| single_bytes(bytes)),
        Encoding::Binary => find_in_parts(bytes),
    };
    let mut finds: Vec<_> = finds.into_iter().map(|found| (found, encoding)).collect();
    if matches!(encoding, Encoding::Utf16 { .. }) {
        // Another program may have appended lines in ASCII.
        for found in find_in_parts(bytes) {
            let is_apart = |(other, _): &(Found, _)| {
                other.range.end <= found.range.start || found.range.end <= other.range.start
            };
            if finds.iter().all(is_apart) {
                finds.push((found, Encoding::Binary));
            }
        }
        finds.sort_by_key(|(found, _)| found.range.start);
    }
    finds
}

/// Returns the secrets in the parts of bytes that are UTF-8, each searched alone.
fn find_in_parts(bytes: &[u8]) -> Vec<Found> {
    let (mut finds, mut at) = (Vec::new(), 0);
    for chunk in bytes.utf8_chunks() {
        let place = |Found { range, kind }| Found { range: at + range.start..at + range.end, kind };
        finds.extend(find(chunk.valid()).into_iter().map(place));
        at += chunk.valid().len() + chunk.invalid().len();
    }
    finds
}

/// Returns bytes with each secret replaced by `[redacted:kind]`, in their encoding.
#[must_use]
pub fn redact_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    match std::str::from_utf8(bytes).map(redact) {
        Ok(Cow::Borrowed(text)) => Cow::Borrowed(text.as_bytes()),
        Ok(Cow::Owned(text)) => Cow::Owned(text.into_bytes()),
        Err(_) => redact_bytes_telling(bytes, &mut |_| {}),
    }
}

/// Redacts bytes as [`redact_bytes`] does, and calls `tell` with the kind of each secret.
pub fn redact_bytes_telling<'b>(bytes: &'b [u8], tell: &mut dyn FnMut(&'static str)) -> Cow<'b, [u8]> {
    let mut clean = Cow::Borrowed(bytes);
    for _ in 0..PASSES_MAX {
        let finds = finds(&clean);
        if finds.is_empty() {
            return clean;
        }
        finds.iter().for_each(|(found, _)| tell(found.kind));
        clean = Cow::Owned(replace(&clean, &finds));
    }
    if find_in_bytes(&clean).is_empty() { clean } else { Cow::Owned(TANGLE.into()) }
}

fn replace(bytes: &[u8], finds: &[(Found, Encoding)]) -> Vec<u8> {
    let (mut redacted, mut end) = (Vec::with_capacity(bytes.len()), 0);
    for (Found { range, kind }, encoding) in finds {
        redacted.extend_from_slice(&bytes[end..range.start]);
        redacted.extend(encoding.encode(&marker(kind)));
        end = range.end;
    }
    redacted.extend_from_slice(&bytes[end..]);
    redacted
}

/// Searches decoded bytes: `decode` returns each character, and the number of bytes that stand for it.
fn find_decoded<C: Iterator<Item = (char, usize)>>(decode: impl Fn() -> C) -> Vec<Found> {
    let mut finds = find(&decode().map(|(c, _)| c).collect::<String>());
    let (mut characters, mut in_text, mut in_bytes) = (decode(), 0, 0);
    let mut place = |end: usize| {
        while in_text < end
            && let Some((c, length)) = characters.next()
        {
            in_text += c.len_utf8();
            in_bytes += length;
        }
        in_bytes
    };
    for Found { range, .. } in &mut finds {
        let start = place(range.start);
        *range = start..place(range.end);
    }
    finds
}

fn utf16(bytes: &[u8], is_big_endian: bool) -> impl Iterator<Item = (char, usize)> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let unit = move |pair: &[u8; 2]| match is_big_endian {
        true => u16::from_be_bytes(*pair),
        false => u16::from_le_bytes(*pair),
    };
    let character = |decoded: Result<char, _>| match decoded {
        Ok(c) => (c, 2 * c.len_utf16()),
        Err(_) => (char::REPLACEMENT_CHARACTER, 2),
    };
    let rest = rest.iter().map(|_| (char::REPLACEMENT_CHARACTER, 1));
    char::decode_utf16(pairs.iter().map(unit)).map(character).chain(rest)
}

fn single_bytes(bytes: &[u8]) -> impl Iterator<Item = (char, usize)> {
    let of_windows = |byte: &u8| match byte {
        0x80..=0x9F => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(*byte),
    };
    bytes.utf8_chunks().flat_map(move |chunk| {
        let valid = chunk.valid().chars().map(|c| (c, c.len_utf8()));
        valid.chain(chunk.invalid().iter().map(move |byte| (of_windows(byte), 1)))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect()
    }

    fn latin1(text: &str) -> Vec<u8> {
        text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
    }

    #[test]
    fn a_secret_is_redacted_in_every_encoding() {
        for (text, value) in [
            ("Das Passwort für GitHub ist Birnbaum-42", "Birnbaum-42"),
            ("La contraseña del correo es Naranjo-42", "Naranjo-42"),
            ("Mot de passe de la boîte aux lettres : Cerisier-42", "Cerisier-42"),
            ("Passwort: Grüne-Wiese-9", "Grüne-Wiese-9"),
            ("über\r\nMy password is Correct-Horse-77\r\n", "Correct-Horse-77"),
            (
                "Schlüssel ghp_0123456789abcdefABCDEF0123456789abcd, später mehr",
                "ghp_0123456789abcdefABCDEF0123456789abcd",
            ),
        ] {
            let clean = redact(text);
            assert!(!clean.contains(value), "{clean}");
            assert_eq!(*redact_bytes(text.as_bytes()), *clean.as_bytes());
            assert_eq!(*redact_bytes(&latin1(text)), *latin1(&clean), "{text}");
            for unit in [u16::to_le_bytes, u16::to_be_bytes] {
                assert_eq!(*redact_bytes(&utf16(text, unit)), *utf16(&clean, unit), "{text}");
            }
        }
        // Another program appended a line to a file in UTF-16.
        let mixed = [utf16("Aufgaben\r\n", u16::to_le_bytes), b"password: Birnbaum-42\r\n".to_vec()].concat();
        let clean =
            [utf16("Aufgaben\r\n", u16::to_le_bytes), b"password: [redacted:password]\r\n".to_vec()].concat();
        assert_eq!(*redact_bytes(&mixed), *clean);
        // The bytes of one character may be those of a line end.
        let lines = utf16("上海\nb", u16::to_le_bytes);
        assert_eq!(line_at(&lines, lines.len()), 2);
        // The euro sign of Windows-1252, and quotation marks.
        assert_eq!(
            *redact_bytes(b"Kosten: 5 \x80. Passwort: \x84Birnbaum-42\x93"),
            *b"Kosten: 5 \x80. Passwort: \x84[redacted:password]\x93"
        );
    }

    #[test]
    fn bytes_that_are_no_secret_stay() {
        // Cyrillic in Windows-1251, Chinese in GBK, Japanese in Shift-JIS, Chinese and Russian in UTF-16, German in Latin-1.
        let texts: [(&[u8], usize); 6] = [
            (b"\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0? \xc2\xf1\xe5 \xf5\xee\xf0\xee\xf8\xee, \xf1\xef\xe0\xf1\xe8\xe1\xee!\r\n", 200),
            (b"\xbd\xf1\xcc\xec\xcc\xec\xc6\xf8\xba\xdc\xba\xc3\xa3\xac\xce\xd2\xc3\xc7\xc8\xa5\xb9\xab\xd4\xb0\xcd\xe6\xa1\xa3\n", 200),
            (b"\x8d\xa1\x93\xfa\x82\xcd\x82\xc6\x82\xc4\x82\xe0\x82\xa2\x82\xa2\x93\x56\x8b\x43\x82\xc5\x82\xb7\x81\x42\n", 200),
            (&utf16("今天天气很好，我们去公园玩。Всё хорошо, спасибо!\n", u16::to_le_bytes), 1),
            (&utf16("Das Wetter ist schön, wir gehen in den Park.\n", u16::to_be_bytes), 1),
            (&latin1("Heute hat es geregnet, und wir haben für morgen schönere Pläne gemacht.\n"), 200),
        ];
        for (text, times) in texts {
            let text = text.repeat(times);
            assert_eq!(find_in_bytes(&text), [], "{:?}", String::from_utf8_lossy(&text));
            assert!(matches!(redact_bytes(&text), Cow::Borrowed(_)));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_safe(bytes in prop::collection::vec(any::<u8>(), 0..300), mark in prop::sample::select(vec![
            &b""[..], b"\xFF\xFE", b"\xFE\xFF", b"Passwort f\xfcr \xe4: ", b"ghp_0123456789abcdefABCDEF0123456789abcd",
        ])) {
            let bytes = [mark, &bytes].concat();
            let once = redact_bytes(&bytes);
            prop_assert_eq!(find_in_bytes(&once), []);
            prop_assert_eq!(find_in_bytes(&bytes).is_empty(), *once == *bytes);
        }
    }
}
