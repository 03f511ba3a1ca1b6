//! Output on a terminal: colors, the width of the terminal, and the pager. `script` of util-linux is the terminal.

use expect_test::expect;

use crate::harness::{Home, Ran};

const BLUE: &str = "\u{1b}[34m";

/// Runs a command line of a shell on a terminal with 40 columns, and returns what it prints.
fn on_terminal(home: &Home, line: &str, variables: &[(&str, &str)]) -> String {
    let line = line.replace("memtape", env!("CARGO_BIN_EXE_memtape"));
    let mut call =
        home.program("script").arg("-qec").arg(format!("stty cols 40 rows 10; {line}")).arg("/dev/null");
    for (name, value) in [("TERM", "xterm")].iter().chain(variables) {
        call = call.env(name, value);
    }
    let ran = call.run();
    assert_eq!(ran.code, 0, "{}", ran.snapshot());
    ran.stdout.replace('\r', "").replace('\u{1b}', "^[")
}

/// Returns a workspace with a long line.
fn home() -> Home {
    let home = Home::new();
    home.setup(&["remember 'Ana is allergic to cashews and to pistachios, says her sister'"]);
    home
}

fn plain(ran: &Ran) -> &str {
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{}", ran.snapshot());
    ran.raw()
}

#[test]
fn lists_are_colored_and_cut_to_the_width_of_a_terminal() {
    let home = home();
    expect![[r#"
        ^[[34mzone:93f53636db333aa7@5^[[0m [TODAY] long…
    "#]]
    .assert_eq(&on_terminal(&home, "memtape zone list", &[]));
    let wide = on_terminal(&home, "memtape --color never zone list", &[]);
    assert!(wide.lines().all(|line| line.ends_with('…') && !line.contains("^[")), "{wide}");
    expect![[r#"
        ^[[1m--- /dev/null^[[0m
        ^[[1m+++ b/zone^[[0m
        ^[[36m@@ -0,0 +1,3 @@^[[0m
        ^[[32m+# Long-term Memory^[[0m
        ^[[32m+^[[0m
        ^[[32m+Ana is allergic to cashews and to pistachios, says her sister^[[0m
    "#]]
    .assert_eq(&on_terminal(&home, "memtape zone diff --no-pager", &[]));
}

#[test]
fn a_pipe_gets_neither_colors_nor_cut_lines_nor_a_pager() {
    let home = home();
    let list = home.command("zone list").env("TERM", "xterm").env("PAGER", "false").run();
    assert!(plain(&list).ends_with("says her sister\n"), "{}", list.snapshot());
    let log = home.command("zone log").env("TERM", "xterm").env("MEMTAPE_PAGER", "false").run();
    assert!(plain(&log).contains("by user"), "{}", log.snapshot());
}

#[test]
fn color_and_the_variables_turn_colors_on_and_off() {
    let home = home();
    assert!(home.run("zone list --color always").raw().starts_with(BLUE));
    assert!(home.run("--color=always zone list").raw().starts_with(BLUE));
    assert!(home.command("zone list").env("CLICOLOR_FORCE", "1").run().raw().starts_with(BLUE));
    plain(&home.command("zone list --color never").env("CLICOLOR_FORCE", "1").run());
    let uncolored = on_terminal(&home, "memtape zone list", &[("NO_COLOR", "1")]);
    assert!(!uncolored.contains("^["), "{uncolored}");
    let error = home.run("show zone:0123456789abcdef --color always");
    assert!(error.stderr.starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m "), "{:?}", error.stderr);
    assert!(error.stderr.contains("\u{1b}[36mhint:\u{1b}[0m "), "{:?}", error.stderr);
    let unknown = home.run("zone lisst --color always");
    assert!(unknown.stderr.contains("\u{1b}["), "{:?}", unknown.stderr);
}

/// A memory cannot send escape sequences to a terminal, whatever colors are printed.
#[test]
fn a_memory_sends_no_escape_sequences_to_a_terminal() {
    let home = Home::new();
    home.command("ingest -").stdin("{\"role\":\"user\",\"content\":\"tea \\u001b[31mred\"}").run().raw();
    let shown = on_terminal(&home, "memtape recall tea", &[("PAGER", "")]);
    assert!(shown.contains("\u{fffd}[31mred") && !shown.contains("^[[31m"), "{shown}");
}

/// Nor can it show as another text than it is.
#[test]
fn a_memory_does_not_turn_the_direction_of_a_terminal() {
    let home = Home::new();
    home.command("ingest -").stdin(r#"{"role":"user","content":"tea \u202egreen\u2066 black"}"#).run().raw();
    let shown = on_terminal(&home, "memtape recall tea", &[("PAGER", "")]);
    assert!(shown.contains("tea \u{fffd}green\u{fffd} black"), "{shown}");
    assert!(home.run("recall tea").raw().contains("tea \u{202e}green\u{2066} black"));
}

#[test]
fn long_output_goes_through_the_pager_on_a_terminal() {
    let home = home();
    home.write("mark", "#!/bin/sh\nsed 's/^/paged: /'\n");
    let pager = format!("sh {}", home.path("mark").display());
    let paged = |line: &str, name: &str| on_terminal(&home, line, &[(name, &pager)]).contains("paged: ");
    for line in ["log", "journal", "recall tea", "show @5", "diff", "zone log", "zone show", "zone diff"] {
        assert!(paged(&format!("memtape {line}"), "PAGER"), "{line}");
    }
    assert!(paged("memtape log", "MEMTAPE_PAGER"));
    for line in ["status", "recall tea -n 3", "log --no-pager", "--no-pager log", "zone list"] {
        assert!(!paged(&format!("memtape {line}"), "PAGER"), "{line}");
    }
    assert!(!paged("memtape log | cat", "PAGER"), "a pipe has no pager");
}

#[test]
fn a_pager_that_is_missing_or_empty_is_not_used() {
    let home = home();
    let plain = on_terminal(&home, "memtape log --no-pager", &[]);
    for pager in ["", " ", "/nowhere/pager"] {
        assert_eq!(on_terminal(&home, "memtape log", &[("PAGER", pager)]), plain, "{pager:?}");
    }
    let ours = on_terminal(&home, "memtape log", &[("MEMTAPE_PAGER", ""), ("PAGER", "false")]);
    assert_eq!(ours, plain, "the first variable that is set counts");
    // A reader who quits the pager early is no error.
    assert_eq!(on_terminal(&home, "memtape log", &[("PAGER", "true")]), "");
}

#[test]
fn messages_are_printed_after_the_pager() {
    let home = home();
    home.write("mark", "#!/bin/sh\nsleep 1\nsed 's/^/paged: /'\n");
    home.setup(&["remember tea", "remember coffee"]);
    let pager = format!("sh {}", home.path("mark").display());
    let shown = on_terminal(&home, "memtape log --oneline -n 1", &[("PAGER", &pager)]);
    let last = shown.lines().last().unwrap_or_default();
    assert!(last.contains("2 commits before these") && !last.contains("paged"), "{shown}");
}

/// Colors are for a terminal, also behind a pipe such as `less -R`.
#[test]
fn a_memory_sends_no_escape_sequences_with_colors_or_in_json() {
    let home = Home::new();
    home.command("remember").arg("tea \u{1b}[31mred \u{9b}1m\u{202e}green").run().raw();
    let colored = home.run("zone list --color always");
    assert!(colored.raw().contains("tea \u{fffd}[31mred \u{fffd}1m\u{fffd}green"), "{}", colored.snapshot());
    for line in ["zone list --json", "tape log --json --no-pager"] {
        let shown = on_terminal(&home, &format!("memtape {line}"), &[]);
        assert!(shown.contains(r"tea \u001b[31mred \u009b1m\u202egreen"), "{shown}");
        let piped = home.run(line);
        assert!(piped.raw().contains("1m\u{202e}green"), "{}", piped.snapshot());
    }
}

#[test]
fn an_answer_that_is_no_text_confirms_nothing() {
    let home = home();
    home.write("answer", [0xff, b'\n']);
    let line = format!("{} forget cashews", env!("CARGO_BIN_EXE_memtape"));
    let mut command = home.program("script").arg("-qec").arg(line).arg("/dev/null").into_command();
    let asked = command.stdin(std::fs::File::open(home.path("answer")).unwrap()).output().unwrap();
    let shown = String::from_utf8_lossy(&asked.stdout);
    assert!(asked.status.code() == Some(5) && shown.contains("not confirmed"), "{shown}");
}
