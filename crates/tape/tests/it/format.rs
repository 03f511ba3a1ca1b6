//! The encoding of a line: its exact bytes, and that no other encoding is accepted.

use std::sync::Arc;

use crate::common;
use crate::common::{counting_salts, now, open, replace, scan, tape};
use expect_test::expect;
use jiff::Timestamp;
use memtape_tape::codec::{self, decode};
use memtape_tape::{
    Draft, Durability, Entry, Error, Floor, Hash, Kind, MemoryStorage, Salt, Seal, Storage, Writer, verify,
};
use proptest::prelude::*;
use serde_json::json;
use serde_json::value::RawValue;

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

/// Returns a line as a writer encodes it, without its line feed.
fn line_of(mut entry: Entry) -> Vec<u8> {
    entry.hash = entry.computed_hash();
    let mut line = Vec::new();
    codec::encode(&entry, &mut line);
    assert_eq!(line.pop(), Some(b'\n'));
    line
}

const SALT: &str = "9f0c00112233445566778899aabbccdd";

/// Returns a line that contains everything that JSON could encode in two ways.
fn rich_line() -> Vec<u8> {
    let entry = Entry {
        id: 42,
        kind: Kind::Message,
        payload: raw(
            r#"{"role":"user","content":"tea \"or\" coffee\\ \u00e9é 🍵\n","n":[1.50,{"id":3},null]}"#,
        ),
        meta: raw(r#"{"session":"telegram:7"}"#),
        branch: "pläne/\"2\"".into(),
        date: "2026-02-10T10:00:00.123456789Z".parse().unwrap(),
        more: 10,
        seal: Seal::Salt(Salt::parse(SALT).unwrap()),
        prev: Hash::of(b"before"),
        hash: Hash::ZERO,
    };
    line_of(entry)
}

// The hashes were computed with `sha256sum` from the inputs that docs/FORMAT.md specifies.
#[test]
fn a_line_has_these_bytes() {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let tail = scan(&storage).tail;
    let (mut writer, _) = Writer::new(&storage, tail, Floor::default(), Durability::Sync).unwrap();
    let drafts = vec![
        Draft::new(Kind::Anchor, &json!({"name": "session/start"}), &json!({}), "main").unwrap(),
        Draft::new(Kind::Event, &json!({"name": "tea"}), &json!({"session": "cli:direct"}), "a/b").unwrap(),
    ];
    let fine: Timestamp = "2026-02-10T10:00:00.0000019Z".parse().unwrap();
    writer.append(drafts, fine, &mut counting_salts()).unwrap();
    expect![[r#"
        {"id":1,"kind":"anchor","payload":{"name":"session/start"},"meta":{},"branch":"main","date":"2026-02-10T10:00:00.000001+00:00","more":1,"salt":"00000000000000000000000000000001","prev":"0000000000000000000000000000000000000000000000000000000000000000","hash":"1f0bcc2eb18e22eac444d521ee9beea4c4899b0d8fb959663402316f5557ee67"}
        {"id":2,"kind":"event","payload":{"name":"tea"},"meta":{"session":"cli:direct"},"branch":"a/b","date":"2026-02-10T10:00:00.000001+00:00","more":0,"salt":"00000000000000000000000000000002","prev":"1f0bcc2eb18e22eac444d521ee9beea4c4899b0d8fb959663402316f5557ee67","hash":"13c6c90cf7a4831da7240d1b4f62b368c473b760048263f28935ccfa74655e4d"}
    "#]].assert_eq(&String::from_utf8(memory.tape()).unwrap());
}

/// The worked example of docs/FORMAT.md, which was computed without this code.
#[test]
fn the_example_of_the_format_document_parses() {
    let first = decode(br#"{"id":1,"kind":"anchor","payload":{"name":"session/start","state":{"owner":"human"}},"meta":{"session":"cli:direct","origin":"user"},"branch":"main","date":"2026-11-21T12:38:13.216013+00:00","more":2,"salt":"f31b6f9d9004fd5682850b9bc95c47ac","prev":"0000000000000000000000000000000000000000000000000000000000000000","hash":"091e9059be5955abe2f6b52fefd90a4280642ef60efb6feccb7feb420cf045c9"}"#).unwrap();
    let second = decode(br#"{"id":2,"kind":"anchor","payload":{"name":"memory/open","state":{"version":1}},"meta":{"session":"cli:direct","origin":"user"},"branch":"main","date":"2026-11-21T12:38:13.216013+00:00","more":1,"salt":"e597215d8f2134e865f33f2411de016a","prev":"091e9059be5955abe2f6b52fefd90a4280642ef60efb6feccb7feb420cf045c9","hash":"25fce2afc9047f856d53d479ed7806c6fdc14792ef99c7d080847675638ff3dc"}"#).unwrap();
    assert_eq!((first.prev, second.prev), (Hash::ZERO, first.hash));
}

/// Returns a line whose text is erased: it has the replacement text and the digest of the original.
fn erased_line() -> Vec<u8> {
    let written = decode(&rich_line()).unwrap();
    let seal = Seal::Erased(written.digest());
    let mut line = Vec::new();
    codec::encode(&Entry { payload: raw("{}"), meta: raw(r#"{"retires":[7]}"#), seal, ..written }, &mut line);
    assert_eq!(line.pop(), Some(b'\n'));
    line
}

#[test]
fn an_erased_line_proves_itself() {
    let line = erased_line();
    expect![[r#"{"id":42,"kind":"message","payload":{},"meta":{"retires":[7]},"branch":"pläne/\"2\"","date":"2026-02-10T10:00:00.123456+00:00","more":10,"erased":"E","prev":"P","hash":"H"}"#]]
        .assert_eq(&{
            let (written, text) = (decode(&line).unwrap(), String::from_utf8(line.clone()).unwrap());
            text.replace(&written.digest().to_string(), "E").replace(&written.prev.to_string(), "P").replace(&written.hash.to_string(), "H")
        });
    // Except for the replacement text, the hash covers every bit of the line.
    let text = line.windows(8).position(|bytes| bytes == b"payload\"").unwrap() + 9;
    let end = line.windows(9).position(|bytes| bytes == b",\"branch\"").unwrap();
    for bit in (0..text * 8).chain(end * 8..line.len() * 8) {
        let mut flipped = line.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(decode(&flipped).is_err(), "bit {bit}");
    }
}

#[test]
fn any_flipped_bit_is_refused() {
    let (plain, _) = tape(&[1]);
    for line in [rich_line(), plain[..plain.len() - 1].to_vec()] {
        decode(&line).unwrap();
        for bit in 0..line.len() * 8 {
            let mut flipped = line.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&flipped).is_err(), "bit {bit}: {}", String::from_utf8_lossy(&flipped));
        }
    }
}

/// Returns why a line is rejected after a part of it is replaced.
fn refused(old: &str, new: &str) -> String {
    let mut line = rich_line();
    replace(&mut line, old, new);
    decode(&line).map_or_else(|why| why, |line| panic!("{line:?} is taken"))
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is one table")]
fn a_line_has_no_other_spelling() {
    let line = String::from_utf8(rich_line()).unwrap();
    let (rest, hash) = line[..line.len() - 2].split_at(line.len() - 66);
    assert!(rest.ends_with(r#""hash":""#));
    let prev = Hash::of(b"before").to_string();
    let other = [
        (r#""id":42,"kind":"message""#, r#""kind":"message","id":42"#),
        (r#""id":42"#, r#""id": 42"#),
        (r#""id":42"#, r#""id":042"#),
        (r#""id":42"#, r#""id":42.0"#),
        (r#""id":42"#, r#""id":-1"#),
        (r#""id":42"#, r#""id":0"#),
        (r#""kind":"message""#, r#""kind":"mess\u0061ge""#),
        (r#""kind":"message""#, r#""kind":"""#),
        (r#""meta":{"#, r#""meta": {"#),
        (r#""meta":{"session":"telegram:7"}"#, r#""meta":[]"#),
        ("pläne/", "pl\\u00e4ne/"),
        ("pläne/", "pl\\näne/"),
        ("pläne/", &"x".repeat(201)),
        ("10:00:00.123456+00:00", "10:00:00.123456Z"),
        ("10:00:00.123456+00:00", "11:00:00.123456+01:00"),
        ("10:00:00.123456+00:00", "25:00:00.123456+00:00"),
        (r#","more":10"#, r#","more":10,"extra":1"#),
        (r#","more":10"#, r#","more":10,"more":10"#),
        (r#","more":10"#, ""),
        (r#""more":10"#, r#""more":4294967296"#),
        (SALT, &SALT.to_uppercase()),
        (SALT, &SALT[1..]),
        (&format!(r#","salt":"{SALT}""#), ""),
        (&format!(r#","salt":"{SALT}""#), &format!(r#","salt":"{SALT}","erased":"{}""#, Hash::ZERO)),
        (r#""salt":""#, r#""erased":""#),
        (&format!(r#","prev":"{prev}""#), ""),
        (&prev, &prev.to_uppercase()),
        (&prev, &prev[1..]),
        (&prev, hash),
        (hash, &hash.to_uppercase()),
        (hash, &format!("{hash}0")),
        (&line, &format!("{line}\r")),
        (&line, &format!("{line} ")),
        (&line, &format!(" {line}")),
        (&line, &format!("\u{feff}{line}")),
        (&line, &format!("{line}\0")),
        (&line, &format!("{line}{line}")),
        (&line, ""),
        (&line, &line[..line.len() - 1]),
    ];
    let why: Vec<String> = other.iter().map(|(old, new)| refused(old, new)).collect();
    expect![[r#"
        not in the canonical encoding
        not in the canonical encoding
        not JSON
        invalid type: floating point `42.0`, expected u64
        invalid value: integer `-1`, expected u64
        ids start at 1 and stay below 2⁴³
        not in the canonical encoding
        kind or branch is empty, too long or contains control characters
        not in the canonical encoding
        payload or meta is not a JSON object
        not in the canonical encoding
        kind or branch is empty, too long or contains control characters
        kind or branch is empty, too long or contains control characters
        the date is not in the canonical encoding
        the date is not in the canonical encoding
        "2026-02-10T25:00:00.123456+00:00" is not a date
        unknown field `extra`
        duplicate field `more`
        missing field `more`
        invalid value: integer `4294967296`, expected u32
        the salt is not 32 hex digits
        the salt is not 32 hex digits
        it needs either a salt or the digest of an erased text
        it needs either a salt or the digest of an erased text
        the digest of the erased text is not 64 hex digits
        missing field `prev`
        the previous line's hash is not 64 hex digits
        the previous line's hash is not 64 hex digits
        entry 42 does not match its hash
        the hash is not 64 hex digits
        the hash is not 64 hex digits
        it ends in CR LF
        not in the canonical encoding
        not in the canonical encoding
        not JSON
        not JSON
        not JSON
        not JSON
        not JSON"#]]
    .assert_eq(&why.join("\n"));
    let mut no_text = rich_line();
    no_text[60] = 0xff;
    assert_eq!(decode(&no_text).unwrap_err(), "not UTF-8");
}

/// A line break between two tokens is valid JSON, but would split the line.
#[test]
fn a_line_break_inside_is_refused() {
    assert_eq!(refused(r#"{"role""#, "{\n\"role\""), "it contains a line break");
}

/// A reference packs the ID of an entry together with another number, so IDs are limited. No tape gets near
/// the limit.
#[test]
fn a_number_beyond_all_tapes_is_refused() {
    for id in [u64::MAX, 1 << 43] {
        assert_eq!(refused(r#""id":42"#, &format!(r#""id":{id}"#)), "ids start at 1 and stay below 2⁴³");
    }
    let mut line = rich_line();
    replace(&mut line, r#""id":42"#, r#""id":8796093022207"#);
    assert_eq!(codec::parse(&line).unwrap().id, (1 << 43) - 1);
}

#[test]
fn an_entry_that_would_not_parse_is_not_written() {
    let (bytes, _) = tape(&[2]);
    let memory = MemoryStorage::with_tape(bytes.clone());
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let tail = scan(&storage).tail;
    let (mut writer, _) = Writer::new(&storage, tail, Floor::default(), Durability::Sync).unwrap();
    let good = || common::draft("good");
    let bad = [
        Draft { branch: "two\nlines".into(), ..good() },
        Draft { branch: String::new(), ..good() },
        Draft { branch: "x".repeat(201), ..good() },
        Draft { kind: Kind::Other(String::new()), ..good() },
        Draft { payload: raw("[]"), ..good() },
        Draft { meta: raw("7"), ..good() },
        Draft { payload: raw("{\n}"), ..good() },
        Draft { meta: raw("{\"a\":\n1}"), ..good() },
        Draft::new(Kind::Event, &raw("{\"pretty\":\n1}"), &json!({}), "main")
            .unwrap_or_else(|_| Draft { meta: raw("[]"), ..good() }),
    ];
    for (n, draft) in bad.into_iter().enumerate() {
        let refused = writer.append(vec![good(), draft, good()], now(), &mut counting_salts());
        assert!(matches!(refused, Err(Error::Unwritable(_))), "draft {n}: {refused:?}");
        assert_eq!(memory.tape(), bytes, "draft {n} left something behind");
    }
    assert!(Draft::new(Kind::Event, &json!([]), &json!({}), "main").is_err());
    assert_eq!(writer.append(vec![good()], now(), &mut counting_salts()).unwrap()[0].end.last_id, 3);
    assert!(verify(&storage).unwrap().bad.is_empty());
}

/// Lines are read in chunks of 8 KiB, then 16 KiB, and so on. A line may be longer than a chunk or end with
/// it.
#[test]
fn long_lines_are_read_whole() {
    let short = tape(&[1]).0.len() - "text 0".len();
    let lengths = [8191, 8192, 8193, 24575, 24576, 24577, 57344, 700_000];
    for length in lengths {
        let storage = open(&[]);
        for text in ["x".repeat(length - short), "y".into(), "z".repeat(300_000), String::new()] {
            common::write_on(&storage, Floor::default(), vec![common::draft(&text)]);
        }
        let found = scan(&storage);
        assert_eq!(found.groups[0].end.offset, length as u64);
        let texts: Vec<usize> =
            found.groups.iter().map(|group| group.entries[0].entry.payload.get().len()).collect();
        let bare = r#"{"name":"test","data":""}"#.len();
        assert_eq!(texts, [bare + length - short, bare + 1, bare + 300_000, bare]);
    }
}

fn any_payload() -> impl Strategy<Value = Box<RawValue>> {
    let leaf = prop_oneof![
        any::<String>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<f64>().prop_map(serde_json::Value::from),
        Just(serde_json::Value::Null),
    ];
    let value = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    });
    prop::collection::btree_map(any::<String>(), value, 0..5)
        .prop_map(|map| serde_json::value::to_raw_value(&map).unwrap())
}

fn any_name() -> impl Strategy<Value = String> {
    "\\PC{1,50}"
        .prop_filter("short and printable", |name| name.len() <= 200 && !name.chars().any(char::is_control))
}

prop_compose! {
    fn any_entry()(
        id in 1..1_u64 << 43,
        kind in prop_oneof![Just("message".to_owned()), Just("anchor".to_owned()), any_name()],
        payload in any_payload(),
        meta in any_payload(),
        branch in any_name(),
        date in 0..253_370_764_799_000_000_i64,
        more in any::<u32>(),
        seal in prop_oneof![
            any::<[u8; 16]>().prop_map(|salt| Seal::Salt(Salt::new(salt))),
            any::<[u8; 16]>().prop_map(|text| Seal::Erased(Hash::of(&text))),
        ],
        previous in any::<[u8; 8]>(),
    ) -> Entry {
        let date = Timestamp::from_microsecond(date).unwrap();
        let (prev, hash) = (Hash::of(&previous), Hash::ZERO);
        Entry { id, kind: Kind::from_name(&kind), payload, meta, branch, date, more, seal, prev, hash }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn encoding_and_decoding_round_trips(entry in any_entry()) {
        let line = line_of(entry.clone());
        prop_assert!(!line.contains(&b'\n'));
        let read = decode(&line).unwrap();
        let hash = read.hash;
        prop_assert_eq!(format!("{read:?}"), format!("{:?}", Entry { hash, ..entry }));
    }

    /// Every payload that is written is read back unchanged.
    #[test]
    fn written_entries_are_read_back(payloads in prop::collection::vec((any_payload(), any_name()), 1..4)) {
        let storage = open(&[]);
        let drafts = payloads.iter().map(|(payload, branch)| Draft {
            kind: Kind::Event,
            payload: payload.clone(),
            meta: raw("{}"),
            branch: branch.clone(),
        });
        let (written, _) = common::write_on(&storage, Floor::default(), drafts.collect());
        let read = scan(&storage);
        prop_assert_eq!(common::spelled(&read.groups), common::spelled(&written));
        for (located, (payload, branch)) in read.groups[0].entries.iter().zip(&payloads) {
            prop_assert_eq!(located.entry.payload.get(), payload.get());
            prop_assert_eq!(&located.entry.branch, branch);
        }
    }
}
