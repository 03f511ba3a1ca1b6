//! `trust`, and workspaces that are not trusted.

use std::fs;

use expect_test::expect;

use crate::harness::Home;

#[test]
fn workspaces_that_are_made_at_once_are_all_trusted() {
    let home = Home::bare();
    let dirs: Vec<String> = (0..8).map(|n| format!("r{n}")).collect();
    std::thread::scope(|scope| {
        for dir in &dirs {
            let home = &home;
            scope.spawn(move || home.setup(&[&format!("init {dir}")]));
        }
    });
    let ran = home.run("trust");
    for dir in &dirs {
        assert!(ran.stdout.lines().any(|line| line.ends_with(&format!("/{dir}"))), "{dir}: {}", ran.stdout);
    }
}

#[test]
fn an_untrusted_tape_is_not_used() {
    let home = Home::new();
    home.setup(&["remember secret", "trust --remove ."]);
    home.write("deep/file", "");
    home.check(
        &["zone recall secret", "remember other", "remember other --global", "zone recall secret"],
        &expect![[r#"
            $ memtape zone recall secret
            ! error: the workspace [DIR] is not trusted
            ! hint: `memtape trust [DIR]` trusts it, `memtape init` creates another one here, `--global` uses ~/.memtape
            [exit 3]
            $ memtape remember other
            ! error: the workspace [DIR] is not trusted
            ! hint: `memtape trust [DIR]` trusts it, `memtape init` creates another one here, `--global` uses ~/.memtape
            [exit 3]
            $ memtape remember other --global
            remembered (zone:d9298a10d1b07358@5)
            ! note: created the workspace [HOME]/.memtape
            $ memtape zone recall secret
            (no matches for 'secret')
            ! note: [DIR] is not trusted (`memtape trust [DIR]` to use it); reading [HOME]/.memtape
        "#]],
    );
    home.command("zone recall secret").from(&home.path("deep")).run().check(&expect![[r#"
        (no matches for 'secret')
        ! note: [DIR] is not trusted (`memtape trust [DIR]` to use it); reading [HOME]/.memtape
    "#]]);
    home.check(
        &["-C . zone recall secret", "trust .", "zone recall secret"],
        &expect![[r#"
            $ memtape -C . zone recall secret
            [zone:2bb80d537b1da3e3] secret
            $ memtape trust .
            [DIR] is trusted from now on
            $ memtape zone recall secret
            [zone:2bb80d537b1da3e3] secret
        "#]],
    );
}

#[test]
fn trust_prints_its_changes() {
    let home = Home::bare();
    home.write("a/file", "");
    home.check(
        &[
            "trust",
            "trust a",
            "trust a",
            "trust --json",
            "trust --remove a",
            "trust --remove a",
            "trust a --json",
            "trust --remove",
        ],
        &expect![[r#"
            $ memtape trust
            $ memtape trust a
            [DIR]/a is trusted from now on
            $ memtape trust a
            [DIR]/a was trusted already
            $ memtape trust --json
            {"trusted":["[DIR]/a"]}
            $ memtape trust --remove a
            [DIR]/a is no longer trusted
            $ memtape trust --remove a
            [DIR]/a was not trusted
            $ memtape trust a --json
            {"workspace":"[DIR]/a","trusted":true,"changed":true}
            $ memtape trust --remove
            ! error: the following required arguments were not provided:
            !   <DIR>
            !
            ! Usage: memtape trust --remove <DIR>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

/// An unreadable list must not be treated as empty: the next `trust` would overwrite it.
#[test]
fn an_unreadable_list_of_trusted_folders_is_an_error() {
    let home = Home::new();
    let list = home.own("trusted");
    fs::rename(&list, home.own("kept")).unwrap();
    fs::create_dir(&list).unwrap();
    for line in ["trust", "trust .", "trust --remove .", "status"] {
        let ran = home.run(line);
        assert_eq!(ran.code, 7, "{line}: {}", ran.snapshot());
        assert!(ran.stderr.contains("cannot read the list of trusted directories"), "{line}: {}", ran.stderr);
    }
    fs::remove_dir(&list).unwrap();
    fs::rename(home.own("kept"), &list).unwrap();
    assert_eq!(home.run("trust").stdout, "[DIR]\n");
}

/// On Unix a name is bytes: a directory whose name is not UTF-8 can be trusted, and does not affect other
/// entries.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_whose_name_is_no_text_is_trusted() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = Home::new();
    let folder = home.path("").join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    fs::create_dir(&folder).unwrap();
    assert_eq!(home.command("trust").arg(&folder).run().code, 0);
    assert!(home.command("trust").arg(&folder).run().stdout.contains("was trusted already"));
    home.setup(&["status"]);
}

#[test]
fn init_completes_a_workspace_that_it_cannot_trust() {
    let home = Home::bare();
    // The place of the directory of the user's own files is taken.
    fs::write(home.at_home("../config/memtape"), "").expect("the file can be written");
    home.check(&["init", "-C . remember tea", "init"], &expect![[r#"
        $ memtape init
        Created the workspace [DIR].
        Next steps:
          memtape -C [DIR] remember "Ana likes tea"   remember a text
          memtape -C [DIR] recall tea                 find it again
          memtape -C [DIR] status                     show what the workspace contains
        ! warning: cannot write the list of trusted directories [CONFIG]/memtape/trusted: File exists (os error 17); the workspace is not trusted: name it with `-C [DIR]`, or run `memtape trust [DIR]` once that file can be written
        $ memtape -C . remember tea
        remembered (zone:a9f74d1ec36ebdeb@5)
        $ memtape init
        The workspace [DIR] exists already: 6 entries.
        ! warning: cannot write the list of trusted directories [CONFIG]/memtape/trusted: File exists (os error 17); the workspace is not trusted: name it with `-C [DIR]`, or run `memtape trust [DIR]` once that file can be written
    "#]]);
    fs::remove_file(home.at_home("../config/memtape")).expect("the file is there");
    home.check(
        &["trust .", "remember tea"],
        &expect![[r#"
        $ memtape trust .
        [DIR] is trusted from now on
        $ memtape remember tea
        it was there already (zone:a9f74d1ec36ebdeb)
    "#]],
    );
}
