//! A person's own files: texts in any encoding stay as they are, secrets in them do not reach the tape, and one file that
//! cannot be written does not stop the others.

use std::fs;
use std::path::Path;

use memtape::{At, FilePath, Place, Warning, WhyUnredacted, Workspace};
use memtape_testkit::TestWorkspace;
use serde_json::json;

fn put(test: &TestWorkspace, at: &str, bytes: impl AsRef<[u8]>) {
    let at = test.path().join(at);
    fs::create_dir_all(at.parent().unwrap()).unwrap();
    fs::write(at, bytes).unwrap();
}

fn on_disk(test: &TestWorkspace, at: &str) -> Vec<u8> {
    fs::read(test.path().join(at)).unwrap()
}

/// Returns the bytes of a note or a file on the tape.
fn recorded(workspace: &Workspace, at: &str) -> Vec<u8> {
    match at.strip_prefix("files/") {
        Some(path) => workspace.files().read(&FilePath::new(path).unwrap(), &At::head()).unwrap().bytes,
        None => {
            let notes = workspace.notes();
            notes.read(&notes.path(at).unwrap(), &At::head()).unwrap().bytes()
        }
    }
}

fn write_file(workspace: &Workspace, path: &str, text: &str) {
    workspace.files().write(&FilePath::new(path).unwrap(), text).unwrap();
}

fn write_note(workspace: &Workspace, path: &str, text: &str) {
    let notes = workspace.notes();
    notes.write(&notes.path(path).unwrap(), text).unwrap();
}

fn tape(test: &TestWorkspace) -> String {
    fs::read_to_string(test.path().join("tape.jsonl")).unwrap()
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

/// Encodes a text as Windows' editor does.
fn utf16(text: &str) -> Vec<u8> {
    "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Returns bytes that look random.
fn random(count: usize, mut state: u64) -> Vec<u8> {
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn a_file_in_any_encoding_stays_as_it_is() {
    let test = TestWorkspace::new();
    // The base64 of this one ends with what looks like a key: AIzaq7Kd9xZ2mWvR4tYbN8sLcF3hJ6pE.
    let looks = [
        &latin1("Liste für Kinder, von Hand ")[..],
        b"\x00\x8c\xda\xab\xb2\x9d\xf7\x16\x76\x99\x6b\xd1\xe2\xd6\x1b\x37\xcb\x0b\x70\x5d\xe1\x27\xaa\x44",
    ];
    // "Привет, как дела? Всё хорошо, спасибо!"
    let cyrillic = b"\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0? \xc2\xf1\xb8 \xf5\xee\xf0\xee\xf8\xee, \xf1\xef\xe0\xf1\xe8\xe1\xee!\r\n";
    // "今天天气很好，我们去公园玩。"
    let gbk = b"\xbd\xf1\xcc\xec\xcc\xec\xc6\xf8\xba\xdc\xba\xc3\xa3\xac\xce\xd2\xc3\xc7\xc8\xa5\xb9\xab\xd4\xb0\xcd\xe6\xa1\xa3\n";
    // "今日はとてもいい天気です。"
    let shift_jis = b"\x8d\xa1\x93\xfa\x82\xcd\x82\xc6\x82\xc4\x82\xe0\x82\xa2\x82\xa2\x93\x56\x8b\x43\x82\xc5\x82\xb7\x81\x42\n";
    let mut texts = vec![
        ("files/looks.txt".to_owned(), looks.concat()),
        ("facts/looks.md".to_owned(), looks.concat()),
        (
            "files/latin1.txt".to_owned(),
            latin1("Heute hat es geregnet, für morgen sind schönere Pläne gemacht.\n").repeat(80),
        ),
        ("files/windows-1251.txt".to_owned(), cyrillic.repeat(80)),
        ("facts/windows-1251.md".to_owned(), cyrillic.repeat(80)),
        ("files/gbk.txt".to_owned(), gbk.repeat(80)),
        ("facts/gbk.md".to_owned(), gbk.repeat(80)),
        ("files/shift-jis.txt".to_owned(), shift_jis.repeat(80)),
        (
            "files/utf-16.txt".to_owned(),
            utf16(&"Wir gehen im Park spazieren. Всё хорошо! 今天天气很好。\r\n".repeat(50)),
        ),
        ("facts/utf-16.md".to_owned(), utf16(&"# Leute\r\n\r\n## Ana\r\n- mag Tee\r\n".repeat(50))),
    ];
    for n in 0..6 {
        texts.push((format!("files/random{n}.txt"), random(20_000, n)));
    }
    for (at, bytes) in &texts {
        put(&test, at, bytes);
    }
    test.workspace.follow_files().unwrap();
    for (at, bytes) in &texts {
        assert!(on_disk(&test, at) == *bytes, "{at} on the disk");
        assert!(recorded(&test.workspace, at) == *bytes, "{at} on the tape");
        // So too after an edit.
        put(&test, at, [&b"1\n"[..], bytes].concat());
    }
    assert_eq!(test.workspace.take_warnings(), []);
    test.workspace.follow_files().unwrap();
    for (at, bytes) in texts.iter().filter(|(at, _)| !at.contains("utf-16")) {
        assert!(recorded(&test.workspace, at) == [&b"1\n"[..], bytes].concat(), "{at} after an edit");
    }
    assert_eq!(test.workspace.scan().unwrap().finds, []);
}

#[test]
fn a_secret_is_redacted_in_any_encoding() {
    let texts = [
        "Das Passwort für GitHub ist Birnbaum-42",
        "La contraseña del correo es Naranjo-42",
        "Passwort: Grüne-Wiese-9",
        "My password is Correct-Horse-77, that of the bôite is Cerisier-42",
    ];
    let mut counts = Vec::new();
    for encode in [latin1, utf16, |text: &str| text.as_bytes().to_vec()] {
        let test = TestWorkspace::new();
        for (n, text) in texts.iter().enumerate() {
            for at in [format!("files/{n}.txt"), format!("facts/n{n}.md")] {
                put(&test, &at, encode(text));
            }
        }
        test.workspace.follow_files().unwrap();
        for (n, text) in texts.iter().enumerate() {
            for at in [format!("files/{n}.txt"), format!("facts/n{n}.md")] {
                let bytes = recorded(&test.workspace, &at);
                let marker = encode("[redacted:password]");
                let marker = marker.strip_prefix(b"\xFF\xFE").unwrap_or(&marker);
                assert!(bytes.windows(marker.len()).any(|part| part == marker), "{at}");
                // What the person typed is theirs.
                assert_eq!(on_disk(&test, &at), encode(text), "{at}");
            }
        }
        counts.push(test.workspace.scan().unwrap().finds.len());
        test.workspace.scan_and_redact().unwrap();
        assert_eq!(test.workspace.scan().unwrap().finds, []);
        for n in 0..texts.len() {
            for at in [format!("files/{n}.txt"), format!("facts/n{n}.md")] {
                assert_eq!(on_disk(&test, &at), recorded(&test.workspace, &at), "{at}");
            }
        }
    }
    // Each is in its file, and none is on the tape.
    assert!(counts[0] >= 2 * texts.len() && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    // An older version wrote such a text to the tape.
    let test = TestWorkspace::new();
    let data = json!({"path": "a.txt", "base64": "RGFzIFBhc3N3b3J0IGb8ciBHaXRIdWIgaXN0IEJpcm5iYXVtLTQy"});
    test.append_raw("event", &json!({"name": "file.write", "data": data}).to_string());
    let scan = test.workspace.scan_and_redact().unwrap();
    assert!(matches!(
        scan.finds.first().map(|find| (&find.place, find.kind)),
        Some((Place::Entry(_), "password"))
    ));
    assert_eq!(
        recorded(&test.workspace, "files/a.txt"),
        latin1("Das Passwort für GitHub ist [redacted:password]")
    );
    assert_eq!(test.workspace.scan().unwrap().finds, []);
}

#[test]
fn a_scan_finds_in_files_what_the_tape_does_not_have() {
    let test = TestWorkspace::new();
    let text = "Print \"4711#\" and \"2285#\" in the test\n";
    put(&test, "files/t.txt", text);
    test.workspace.follow_files().unwrap();
    assert_eq!(recorded(&test.workspace, "files/t.txt"), text.as_bytes());
    assert_eq!(test.workspace.scan().unwrap().finds, []);
    assert_eq!(test.workspace.scan_and_redact().unwrap().finds, []);
    assert_eq!(on_disk(&test, "files/t.txt"), text.as_bytes());
}

#[test]
fn a_scan_searches_the_tasks_of_the_heartbeat() {
    let test = TestWorkspace::new();
    put(&test, "HEARTBEAT.md", "- log in: Password: Correct-Horse-77\n");
    let place = Place::File { name: "HEARTBEAT.md".into(), line: 1 };
    let find = memtape::Find { place, kind: "password" };
    assert_eq!(test.workspace.scan().unwrap().finds, [find]);
    test.workspace.scan_and_redact().unwrap();
    assert_eq!(on_disk(&test, "HEARTBEAT.md"), b"- log in: Password: [redacted:password]\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_scan_goes_on_after_a_file_that_cannot_be_replaced() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let test = TestWorkspace::new();
    put(&test, "files/d/z.txt.bak", "Password: Correct-Horse-77\n");
    let odd = test.path().join("files").join(OsStr::from_bytes(b"caf\xe9.txt"));
    fs::write(&odd, "Password: Correct-Horse-77\n").unwrap();
    let scan = test.workspace.scan_and_redact().unwrap();
    assert_eq!(on_disk(&test, "files/d/z.txt.bak"), b"Password: [redacted:password]\n");
    let left: Vec<_> =
        scan.left.iter().filter(|left| matches!(left.why, WhyUnredacted::Unwritable { .. })).collect();
    assert_eq!(left.len(), 1, "{:?}", scan.left);
    assert_eq!(scan.finds.len(), 1, "{:?}", scan.finds);
    assert_eq!(test.workspace.scan().unwrap().finds.len(), 1);
}

#[test]
fn a_file_that_cannot_be_written_stops_no_other() {
    // A file without an ending is where the directory of another one should be.
    let test = TestWorkspace::new();
    write_file(&test.workspace, "d/x.md", "one");
    write_file(&test.workspace, "other/o.md", "o");
    fs::remove_dir_all(test.path().join("files/d")).unwrap();
    fs::write(test.path().join("files/d"), "q").unwrap();
    test.workspace.follow_files().unwrap();
    write_file(&test.workspace, "d/y.md", "two");
    write_file(&test.workspace, "other/z.md", "zz");
    write_file(&test.workspace, "other/o.md", "o2");
    assert_eq!(on_disk(&test, "files/other/z.md"), b"zz\n");
    assert_eq!(on_disk(&test, "files/other/o.md"), b"o2\n");
    assert_eq!(on_disk(&test, "files/d"), b"q");
    let is_named = |warning: &Warning| warning.to_string().contains("files/d/y.md");
    assert!(test.workspace.take_warnings().iter().any(is_named));
    fs::remove_file(test.path().join("files/d")).unwrap();
    test.workspace.follow_files().unwrap();
    assert_eq!(on_disk(&test, "files/d/y.md"), b"two\n");

    // The name of the file beside it would be too long.
    let test = TestWorkspace::new();
    let note = format!("facts/{}.md", "v".repeat(250));
    write_note(&test.workspace, &note, "- a: 1\n");
    let typed = [&on_disk(&test, &note)[..], b"- Password: Correct-Horse-77\n"].concat();
    put(&test, &note, &typed);
    test.workspace.follow_files().unwrap();
    write_note(&test.workspace, &note, "- b: 2\n");
    write_note(&test.workspace, "facts/e.md", "- hello: x\n");
    assert!(String::from_utf8(on_disk(&test, "facts/e.md")).unwrap().contains("- hello: x"));
    assert_eq!(on_disk(&test, &note), typed, "it stays as it is");
    put(&test, &note, [&typed[..], b"- hand: 1\n"].concat());
    for _ in 0..3 {
        test.workspace.follow_files().unwrap();
    }
    let read = String::from_utf8(recorded(&test.workspace, &note)).unwrap();
    assert_eq!(read.matches("- hand: 1").count(), 1, "{read}");
    assert!(!tape(&test).contains("Correct-Horse"));
    // Once the file has no secret, it follows.
    put(&test, &note, "- a: 1\n- hand: 1\n");
    test.workspace.follow_files().unwrap();
    assert_eq!(on_disk(&test, &note), recorded(&test.workspace, &note));
}

#[cfg(unix)]
#[test]
fn a_file_keeps_who_it_belongs_to_and_who_may_read_it() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};

    let metadata = |at: &Path| fs::metadata(at).unwrap();
    let test = TestWorkspace::new();
    let (note, kept) = (test.path().join("facts/u.md"), test.path().join("facts/u.md.kept"));
    write_note(&test.workspace, "facts/u.md", "- a: 1\n");
    fs::set_permissions(&note, fs::Permissions::from_mode(0o600)).unwrap();
    let typed = fs::read_to_string(&note).unwrap() + "- Password: Correct-Horse-77\n";
    fs::write(&note, &typed).unwrap();
    test.workspace.follow_files().unwrap();
    write_note(&test.workspace, "facts/u.md", "- a: other\n");
    assert_eq!(fs::read_to_string(&kept).unwrap(), typed);
    assert_eq!([&note, &kept].map(|at| metadata(at).mode() & 0o777), [0o600; 2]);
    // Only root can change the owner of files.
    if chown(&note, Some(1000), Some(1000)).is_ok() {
        write_note(&test.workspace, "facts/u.md", "- a: 2\n");
        assert!(fs::read_to_string(&note).unwrap().contains("- a: 2"));
        assert_eq!((metadata(&note).uid(), metadata(&note).gid()), (1000, 1000));
        assert_eq!(metadata(&note).mode() & 0o777, 0o600);
    }
}
