//! What a source can read, and what it cannot.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use expect_test::{Expect, expect};
use jiff::tz::TimeZone;
use memtape_import::Input;
use memtape_import::input::Limits;

use crate::harness::Listing;

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(text);
}

fn input(path: &Path) -> Input {
    Input::open(path, &TimeZone::UTC).unwrap()
}

/// Lists the lines, and what is reported of them.
fn lines(path: &Path, limits: Limits) -> String {
    let (folder, name) = (path.parent().unwrap(), path.file_name().unwrap().to_str().unwrap());
    let input = Input::open_within(folder, &TimeZone::UTC, limits).unwrap();
    let mut sink = Listing::default();
    let mut read = String::new();
    input
        .for_lines(name, &mut sink, &mut |number, line, _| {
            read.push_str(&format!("{number} {line:?}\n"));
            Ok(())
        })
        .unwrap();
    read + &sink.0
}

#[test]
fn lines_are_read_one_by_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.txt");
    fs::write(&path, b"\xef\xbb\xbfone\r\n\ntwo-is-too-long\n\xff\xfe\nlast").unwrap();
    check(
        &lines(&path, Limits { line_bytes: 8, ..Limits::default() }),
        &expect![[r#"
            1 "one"
            2 ""
            5 "last"
            a.txt:3 skipped: the line is longer than 8 bytes
            a.txt:4 skipped: the line is not UTF-8
        "#]],
    );
}

/// How a frame of a packed file begins. Its window follows, and its blocks: each states its text, or repeats a byte.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// A window of 1 MiB.
const MEBIBYTE: u8 = 10 << 3;

fn block(is_last: bool, kind: u32, size: usize, content: &[u8]) -> Vec<u8> {
    let header = u32::from(is_last) | kind << 1 | u32::try_from(size).unwrap() << 3;
    [&header.to_le_bytes()[..3], content].concat()
}

fn frame(window: u8, blocks: &[Vec<u8>]) -> Vec<u8> {
    [&MAGIC[..], &[0, window], &blocks.concat()].concat()
}

fn text_frame(text: &str) -> Vec<u8> {
    frame(MEBIBYTE, &[block(true, 0, text.len(), text.as_bytes())])
}

#[test]
fn packed_lines_are_unpacked_within_limits() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.jsonl.zst");
    let limits = Limits { line_bytes: 8, unpacked_bytes: 1 << 20, ..Limits::default() };
    let unpacked = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        lines(&path, limits)
    };
    // Between two frames may be something else.
    let skipped = [&0x184d_2a50_u32.to_le_bytes()[..], &3_u32.to_le_bytes(), b"abc"].concat();
    let several = [text_frame("one\ntw"), skipped, text_frame(""), text_frame("o\n")].concat();
    check(
        &unpacked(&several),
        &expect![[r#"
        1 "one"
        2 "two"
    "#]],
    );
    let mut bomb = vec![block(false, 0, 4, b"one\n")];
    bomb.extend(vec![block(false, 1, 128 << 10, b"x"); 4000]);
    check(
        &unpacked(&frame(MEBIBYTE, &bomb)),
        &expect![[r#"
        1 "one"
        a.jsonl.zst:2 skipped: the line is longer than 8 bytes
        a.jsonl.zst skipped: unpacked, it has more than 1048576 bytes
    "#]],
    );
    // A window of 1 GiB.
    let cases = [frame(20 << 3, &[block(true, 0, 4, b"one\n")]), several[..8].to_vec(), b"one\n".to_vec()];
    for (bytes, why) in cases.iter().zip([
        "decompressing it needs a window of 1073741824 bytes, and the limit is 8388608: decompress it with `zstd -d`",
        "it is damaged, or was not packed by zstd",
        "it is damaged, or was not packed by zstd",
    ]) {
        assert_eq!(unpacked(bytes), format!("a.jsonl.zst skipped: {why}\n"));
    }
    check(&unpacked(b""), &expect![[""]]);
}

#[test]
fn a_line_of_a_gigabyte_is_passed_over_without_being_held() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sparse.jsonl");
    let mut file = File::create(&path).unwrap();
    file.write_all(b"first\n").unwrap();
    file.seek(SeekFrom::Start(1 << 30)).unwrap();
    file.write_all(b"\nlast\n").unwrap();
    drop(file);
    check(
        &lines(&path, Limits::default()),
        &expect![[r#"
            1 "first"
            3 "last"
            sparse.jsonl:2 skipped: the line is longer than 16777216 bytes
        "#]],
    );
}

#[test]
#[cfg(unix)]
fn nothing_outside_the_path_is_read() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let (inside, outside) = (dir.path().join("in"), dir.path().join("out"));
    fs::create_dir_all(inside.join("sub")).unwrap();
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("secret.md"), "secret").unwrap();
    fs::write(inside.join("sub/own.md"), "own").unwrap();
    symlink("../out/secret.md", inside.join("link.md")).unwrap();
    symlink(outside.join("secret.md"), inside.join("absolute.md")).unwrap();
    symlink("../out", inside.join("folder")).unwrap();
    symlink("..", inside.join("sub/cycle")).unwrap();
    symlink("sub/own.md", inside.join("stays.md")).unwrap();
    let input = input(&inside);
    assert_eq!(input.files_below("", |_| true).unwrap(), ["stays.md", "sub/own.md"]);
    assert_eq!(input.text("stays.md").unwrap(), "own");
    for path in ["link.md", "absolute.md", "folder/secret.md", "../out/secret.md", "sub/../../out/secret.md"]
    {
        let e = input.text(path).unwrap_err().to_string();
        assert!(e.starts_with("cannot read") && !input.has_file(path), "{path}: {e}");
    }
    // If the path is a file, the files beside it are outside.
    let input = self::input(&inside.join("sub/own.md"));
    assert_eq!(input.files_below("", |_| true).unwrap(), ["own.md"]);
    assert!(input.text("own.md").is_ok() && input.text("../stays.md").is_err());
}

#[test]
fn archives_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("export.zip");
    fs::write(&path, b"PK\x03\x04rest").unwrap();
    let e = Input::open(&path, &TimeZone::UTC).err().unwrap().to_string();
    assert!(
        e.ends_with("export.zip is a zip archive: unpack it, and import the folder that it contains"),
        "{e}"
    );
}

/// Lists the elements of a list in a JSON file, and what is reported of it.
fn elements(json: &str, limits: Limits) -> String {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.json"), json).unwrap();
    let input = Input::open_within(dir.path(), &TimeZone::UTC, limits).unwrap();
    let mut sink = Listing::default();
    let mut read = String::new();
    input
        .for_json_items("a.json", &["results"], &mut sink, &mut |number, value, _| {
            read.push_str(&format!("{number} {value}\n"));
            Ok(())
        })
        .unwrap();
    read + &sink.0
}

/// What ends an element and begins none is not read for ever.
#[test]
fn a_list_that_a_brace_ends_is_reported() {
    let cases = ["[1, }, 2]", "[}", "[1, \u{c} 2]", "{\"id\":}", "{\"results\": [1}}"];
    let listed: Vec<_> = cases.iter().map(|json| elements(json, Limits::default())).collect();
    check(
        &listed.join("--\n"),
        &expect![[r#"
            1 1
            a.json skipped: it cannot be read after element 1, 7 bytes before its end: expected value
            --
            a.json skipped: it is not JSON of the expected shape: expected value
            --
            1 1
            a.json skipped: it cannot be read after element 1, 6 bytes before its end: expected value
            --
            a.json:1 skipped: it is not JSON: EOF while parsing a value
            --
            1 1
            a.json skipped: it cannot be read after element 1, 2 bytes before its end: expected `,` or `]`
        "#]],
    );
}

#[test]
fn the_elements_of_a_list_are_read_one_by_one() {
    let deep = format!("[{}{}]", "[".repeat(200), "]".repeat(200));
    let [x, ones] = ["x", "1"].map(|text| text.repeat(60_000));
    let long = format!(r#"[1, "{x}", {{"a": ["{x}\"]"]}}, ["\\"],{ones}, 2.5,{{}}, ""]"#);
    let long_field = format!(
        r#"{{"a": "{x}", "results": ["{x}", {{}}], "b": ["{x}"], "c": {{"d": "{x}"}}, "results": [3]}}"#
    );
    let long_object = format!(r#"{{"a": "{x}", "b": 1}}"#);
    let gap = format!("[1,{}2]", " ".repeat(200_000));
    let limits = Limits { line_bytes: 50_000, ..Limits::default() };
    let cases = [
        "[1, {\"a\": 2}]",
        "\u{feff}[1]",
        "{\"count\": 1, \"results\": [1, 2], \"next\": null}",
        "{\"id\": 1}",
        "[1, 2, oops, {\"a\": \"cut \\ud83d\"}, NaN, [-Infinity, {\"b\": oops}], 1e999, \"\\q\", 3]",
        "[1, 2 3, 4]",
        "{\"a\": \"\\ude00\", \"b\": 1}",
        "\"text\"",
        "{\"results\": 7}",
        &deep,
        &long,
        &long_field,
        &long_object,
        &gap,
    ];
    let listed: Vec<_> = cases.iter().map(|json| elements(json, limits)).collect();
    check(
        &listed.join("--\n"),
        &expect![[r#"
            1 1
            2 {"a":2}
            --
            1 1
            --
            1 1
            2 2
            --
            1 {"id":1}
            --
            1 1
            2 2
            4 {"a":"cut �"}
            5 null
            9 3
            a.json:3 skipped: it is not JSON: expected value
            a.json:6 skipped: it is not JSON: invalid number
            a.json:7 skipped: it is not JSON: number out of range
            a.json:8 skipped: it is not JSON: invalid escape
            --
            1 1
            2 2
            a.json skipped: it cannot be read after element 2, 4 bytes before its end: expected `,` or `]`
            --
            1 {"a":"�","b":1}
            --
            a.json skipped: it is not JSON of the expected shape: invalid type: string "text", expected a list or an object
            --
            a.json skipped: it is not JSON of the expected shape: invalid type: integer `7`, expected a list
            --
            a.json:1 skipped: it is not JSON: recursion limit exceeded
            --
            1 1
            4 ["\\"]
            6 2.5
            7 {}
            8 ""
            a.json:2 skipped: it is longer than 50000 bytes
            a.json:3 skipped: it is longer than 50000 bytes
            a.json:5 skipped: it is longer than 50000 bytes
            --
            2 {}
            3 3
            a.json:1 skipped: it is longer than 50000 bytes
            --
            a.json:1 skipped: it is longer than 50000 bytes
            --
            1 1
            a.json skipped: it cannot be read after element 1, 200003 bytes before its end: there is too much outside of its elements
        "#]],
    );
}

#[test]
fn what_follows_the_first_value_is_reported() {
    for (json, left) in [("{\"id\": 1}\n{\"id\": 2}", 11), ("[1] [2]\n", 6)] {
        let said = elements(json, Limits::default());
        let why = format!("{left} bytes before its end: trailing characters");
        assert!(said.contains(&why), "{said}");
    }
}
