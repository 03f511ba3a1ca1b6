//! The zone at an earlier point, exported and restored.

use expect_test::expect;

use crate::harness::Home;

#[test]
fn an_earlier_point_shows_the_memories_of_that_time() {
    let home = Home::new();
    home.setup(&["remember tea", "zone save coffee", "zone daily 'a day'"]);
    home.check(
        &[
            "zone recall --at 3",
            "zone recall --at 5",
            "zone recall --at 8",
            "zone recall --at main@11",
            "zone show --at 6",
            "zone show --at 6 --json",
            "zone recall --at today",
            "zone recall --at 2024-02-29",
            "zone recall --at '1 day ago'",
            "zone recall --at 12",
            "zone recall --at 13",
            "zone recall --at soon",
        ],
        &expect![[r#"
            $ memtape zone recall --at 3
            (no memories stored)
            $ memtape zone recall --at 5
            ## Long-term Memory
            tea
            $ memtape zone recall --at 8
            ## Long-term Memory
            coffee
            $ memtape zone recall --at main@11
            ## Long-term Memory
            coffee

            ### [TODAY]
            # [TODAY]

            a day
            $ memtape zone show --at 6
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            tea
            </memory>
            $ memtape zone show --at 6 --json
            {"version":2,"long_term":"tea","dailies":{}}
            $ memtape zone recall --at today
            ## Long-term Memory
            coffee

            ### [TODAY]
            # [TODAY]

            a day
            $ memtape zone recall --at 2024-02-29
            (no memories stored)
            $ memtape zone recall --at '1 day ago'
            (no memories stored)
            $ memtape zone recall --at 12
            ## Long-term Memory
            coffee

            ### [TODAY]
            # [TODAY]

            a day
            $ memtape zone recall --at 13
            ! error: the tape ends at entry 12: there is no entry 13
            ! hint: entries are numbered from 1 to 12
            [exit 3]
            $ memtape zone recall --at soon
            ! error: invalid point "soon": expected an entry (42 or main@42), a commit id (at least its first 7 digits), a date or time (2026-02-10, 2026-02-10T10:00) or an age ("2 days ago")
            [exit 2]
        "#]],
    );
}

#[test]
fn an_undo_gives_back_repeated_and_blank_lines() {
    let home = Home::new();
    let text = "alpha\n\nbeta\nalpha";
    home.setup(&[&format!("zone save '{text}'"), "zone save new", "undo"]);
    assert_eq!(home.run("zone show --json").json()["long_term"], text);
}

#[test]
fn the_zone_is_exported_and_restored() {
    let home = Home::new();
    home.setup(&["zone save 'Ana likes tea'", "zone daily '- booked the flights' --date 2026-02-09"]);
    home.check(
        &[
            "zone export",
            "zone export --json",
            "zone save 'Ana likes coffee'",
            "zone restore",
            "zone restore --at 9",
            "zone restore --at 9",
            "zone export",
            "tape anchors --all -n all",
        ],
        &expect![[r##"
            $ memtape zone export
            # Long-term Memory

            Ana likes tea

            # 2026-02-09

            - booked the flights
            $ memtape zone export --json
            {"version":3,"long_term":"Ana likes tea","dailies":{"2026-02-09":"# 2026-02-09\n\n- booked the flights"}}
            $ memtape zone save 'Ana likes coffee'
            saved (zone:5f03cb71cf7dbfe4@11)
            $ memtape zone restore
            ! error: name the version to restore, or a point with --at POINT (`memtape zone log` lists the versions)
            [exit 2]
            $ memtape zone restore --at 9
            1 memory restored, 1 memory removed
            $ memtape zone restore --at 9
            nothing to restore
            $ memtape zone export
            # Long-term Memory

            Ana likes tea

            # 2026-02-09

            - booked the flights
            $ memtape tape anchors --all -n all
            #1 [NOW] [anchor] session/start state={"owner":"human"} (cli:direct)
            #2 [NOW] [anchor] memory/open state={"version":1} (cli:direct)
            #3 [NOW] [anchor] memory/seal state={"version":1} (cli:direct)
            #4 [NOW] [anchor] memory/open state={"version":2} (cli:direct)
            #6 [NOW] [anchor] memory/seal state={"version":2} (cli:direct)
            #7 [NOW] [anchor] memory/open state={"version":3} (cli:direct)
            #9 [NOW] [anchor] memory/seal state={"version":3} (cli:direct)
            #10 [NOW] [anchor] memory/open state={"version":4} (cli:direct)
            #12 [NOW] [anchor] memory/seal state={"version":4} (cli:direct)
            #13 [NOW] [anchor] memory/open state={"version":5} (cli:direct)
            #16 [NOW] [anchor] memory/seal state={"version":5} (cli:direct)
            #17 [NOW] [anchor] memory/commit state={"id":"[ID]","branch":"main","events":[],"message":"restore the zone of @9","parent_id":null,"timestamp":"[NOW]+00:00"} (cli:direct)
        "##]],
    );
}
