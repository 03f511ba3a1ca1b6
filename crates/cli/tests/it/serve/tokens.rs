//! `token`, and tokens that `serve` creates.

use expect_test::expect;

use super::Server;
use crate::harness::Home;

#[test]
fn tokens_are_added_listed_and_removed() {
    let home = Home::new();
    home.setup(&["-C . token add phone", "-C . token add bot --session telegram:1 --user 7 --read-only"]);
    home.check(
        &[
            "-C . token list",
            "-C . token add phone",
            "-C . token add 'a b'",
            "-C . token add x --gateway telegram",
            "-C . token remove nobody",
            "-C . token remove phone",
            "-C . token list --json",
        ],
        &expect![[r#"
            $ memtape -C . token list
            bot: 7 in telegram:1, read-only, tools core
            phone: the owner, tools core
            $ memtape -C . token add phone
            ! error: there is a token "phone" already
            [exit 2]
            $ memtape -C . token add 'a b'
            ! error: invalid name "a b": use letters, digits and -
            [exit 2]
            $ memtape -C . token add x --gateway telegram
            ! error: invalid prefix "telegram": it begins with a channel and a colon, such as telegram:
            [exit 2]
            $ memtape -C . token remove nobody
            ! error: there is no token "nobody"
            [exit 3]
            $ memtape -C . token remove phone
            removed phone
            $ memtape -C . token list --json
            [{"name":"bot","for":"7 in telegram:1","workspace":null,"tools":["core"],"read_only":true}]
        "#]],
    );
}

#[test]
fn an_option_that_would_have_no_effect_is_refused() {
    let home = Home::new();
    for (line, option) in [
        ("-C . token add x --gateway telegram: --user 7", "--gateway"),
        ("-C . token add x --opens ana", "--opens"),
        ("-C . serve --cache replicas", "--cache"),
    ] {
        let ran = home.run(line);
        assert_eq!(ran.code, 2, "{line}: {}", ran.snapshot());
        assert!(ran.stderr.contains(option), "{line}: {}", ran.snapshot());
    }
}

#[test]
fn a_host_or_an_origin_that_no_request_can_have_is_refused() {
    let home = Home::new();
    for option in [
        "--host https://mem.example",
        "--host mem.example/",
        "--host '*'",
        "--host ''",
        "--origin app.example",
        "--origin '*'",
        "--origin null",
        "--origin https://app.example/page",
        "--origin https://",
    ] {
        let ran = home.run(&format!("-C . serve {option}"));
        assert_eq!(ran.code, 2, "{option}: {}", ran.snapshot());
        assert!(ran.stderr.contains("expected the "), "{option}: {}", ran.snapshot());
    }
}

#[test]
fn the_tokens_of_a_workspace_that_does_not_exist_are_not_found() {
    let home = Home::bare();
    for line in ["token list", "token remove one", "-C nowhere token list"] {
        assert_eq!(home.run(line).code, 3, "{line}");
    }
}

#[test]
fn the_first_token_creates_the_own_workspace() {
    let home = Home::bare();
    let ran = home.run("token add phone");
    assert_eq!(ran.code, 0, "{}", ran.snapshot());
    assert!(ran.stderr.contains("created the workspace"), "{}", ran.snapshot());
    assert!(home.run("token list").stdout.starts_with("phone: the owner"));
}

#[test]
fn a_server_that_cannot_listen_creates_no_token() {
    let home = Home::new();
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = other.local_addr().expect("an address");
    let ran = home.run(&format!("-C . serve --listen {address}"));
    assert!(ran.code == 7 && ran.stderr.contains("cannot serve"), "{}", ran.snapshot());
    assert_eq!(home.run("-C . token list").stdout, "No tokens.\n");
    assert!(Server::start(&home, "").token.starts_with("mt_owner_"));
}
