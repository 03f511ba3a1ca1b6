//! People who write on several channels.

use expect_test::expect;

use super::home;

#[test]
fn a_declared_user_is_one_person_on_every_channel() {
    let home = home();
    home.check(
        &[
            "zone show --user @ana",
            "zone show --user discord:ana --scope user",
            "zone show --session discord:9 --user ana --scope user",
            "zone show --session telegram:9 --user 42 --scope user",
            "zone show --user telegram:ana --scope user",
            "zone show --session slack:1 --user ana --scope user",
        ],
        &expect![[r#"
            $ memtape zone show --user @ana
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### The user's (`memory_save` replaces these lines)
            Ana grows roses in her garden
            Ana is shy in the garden

            ### The workspace's
            The garden opens at nine
            The garden closes at six
            </memory>
            $ memtape zone show --user discord:ana --scope user
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### The user's on telegram
            Ana grows roses in her garden
            Ana is shy in the garden
            </memory>
            $ memtape zone show --session discord:9 --user ana --scope user
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### The user's on telegram
            Ana grows roses in her garden
            Ana is shy in the garden
            </memory>
            $ memtape zone show --session telegram:9 --user 42 --scope user
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            Ana grows roses in her garden
            Ana is shy in the garden
            </memory>
            $ memtape zone show --user telegram:ana --scope user
            $ memtape zone show --session slack:1 --user ana --scope user
        "#]],
    );
}

#[test]
fn the_id_of_a_sender_is_taken_as_it_is() {
    let home = home();
    home.setup(&["turn 'I prefer a wild garden' --session telegram:9 --sender-id telegram:42"]);
    home.check(
        &[
            "recall garden --session telegram:8 --sender-id telegram:42 --scope user",
            "recall garden --session telegram:8 --user telegram:42 --scope user -n 1",
            "remember 'They mow the garden' --session telegram:8 --sender-id -7 --scope user",
            "zone show --session telegram:9 --sender-id -7 --scope user",
            "recall garden --sender-id 42",
            "fact list --sender-id 42",
            "recall garden --session telegram:8 --user 42 --sender-id 42",
        ],
        &expect![[r#"
            $ memtape recall garden --session telegram:8 --sender-id telegram:42 --scope user
            statements:5d0ff04f78a99dd4@35 · score [SCORE] · preference · channel:telegram:user:telegram%3A42 · importance 0.85 · confidence 0.94 · [NOW]
              I prefer a wild garden
            $ memtape recall garden --session telegram:8 --user telegram:42 --scope user -n 1
            zone:a676913c4986f2ac@8 · score [SCORE] · telegram:1 · recorded [NOW]
              Ana grows roses in her garden
            $ memtape remember 'They mow the garden' --session telegram:8 --sender-id -7 --scope user
            remembered (zone:d7c23417bc5128b7@38)
            $ memtape zone show --session telegram:9 --sender-id -7 --scope user
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            They mow the garden
            </memory>
            $ memtape recall garden --sender-id 42
            ! error: --sender-id needs --session: an id is one channel's
            [exit 2]
            $ memtape fact list --sender-id 42
            ! error: --sender-id needs --session: an id is one channel's
            [exit 2]
            $ memtape recall garden --session telegram:8 --user 42 --sender-id 42
            ! error: the argument '--user <USER>' cannot be used with '--sender-id <ID>'
            !
            ! Usage: memtape recall --session <CHANNEL:CHAT[:THREAD]> --user <USER> <QUERY>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is one session")]
fn an_unknown_user_is_an_error() {
    let home = home();
    let before = home.tape();
    home.check(
        &[
            "zone show --user bob",
            "zone show --user 42",
            "recall garden --user :42",
            "show zone:0123456789abcdef --user telegram:",
            "tool call memory_show --user bob --json",
            "remember tea --scope chat",
            "remember tea --scope user",
            "remember tea --scope user --session telegram:1",
            "remember tea --scope chat --user @ana",
            "zone save tea --scope chat --json",
            "zone daily tea --scope user",
            "zone forget garden --scope chat",
            "tool call memory_save '{\"content\":\"tea\"}' --scope chat",
            "remember tea --sensitivity secret",
            "zone show --scope team",
            "zone show --session ''",
        ],
        &expect![[r#"
            $ memtape zone show --user bob
            ! error: invalid user "bob": expected CHANNEL:ID, or @NAME for a user that the configuration declares
            [exit 2]
            $ memtape zone show --user 42
            ! error: invalid user "42": expected CHANNEL:ID, or @NAME for a user that the configuration declares
            [exit 2]
            $ memtape recall garden --user :42
            ! error: invalid user ":42": expected CHANNEL:ID
            [exit 2]
            $ memtape show zone:0123456789abcdef --user telegram:
            ! error: invalid user "telegram:": expected CHANNEL:ID
            [exit 2]
            $ memtape tool call memory_show --user bob --json
            ! {"error":{"kind":"invalid","message":"invalid user \"bob\": expected CHANNEL:ID, or @NAME for a user that the configuration declares","hint":null}}
            [exit 2]
            $ memtape remember tea --scope chat
            ! error: no chat is specified
            ! hint: specify the chat with --session
            [exit 2]
            $ memtape remember tea --scope user
            ! error: no user is specified
            ! hint: specify the user with --user
            [exit 2]
            $ memtape remember tea --scope user --session telegram:1
            ! error: no user is specified
            ! hint: specify the user with --user
            [exit 2]
            $ memtape remember tea --scope chat --user @ana
            ! error: no chat is specified
            ! hint: specify the chat with --session
            [exit 2]
            $ memtape zone save tea --scope chat --json
            ! {"error":{"kind":"invalid","message":"no chat is specified","hint":"specify the chat with --session"}}
            [exit 2]
            $ memtape zone daily tea --scope user
            ! error: no user is specified
            ! hint: specify the user with --user
            [exit 2]
            $ memtape zone forget garden --scope chat
            ! note: chat telegram:1 has such lines (`--session telegram:1` forgets them there)
            ! note: chat telegram:2 has such lines (`--session telegram:2` forgets them there)
            ! error: no chat is specified
            ! hint: specify the chat with --session
            [exit 2]
            $ memtape tool call memory_save '{"content":"tea"}' --scope chat
            ! error: no chat is specified
            [exit 2]
            $ memtape remember tea --sensitivity secret
            ! error: invalid value 'secret' for '--sensitivity <LEVEL>': unknown sensitivity "secret": expected normal, private or confidential
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape zone show --scope team
            ! error: invalid value 'team' for '--scope <SCOPE>'
            !   [possible values: chat, user, global, all]
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape zone show --session ''
            ! error: invalid value '' for '--session <CHANNEL:CHAT[:THREAD]>': invalid session "" (a part is empty): expected CHANNEL:CHAT or CHANNEL:CHAT:THREAD
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
    assert_eq!(home.tape(), before);
}
