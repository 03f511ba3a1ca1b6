//! File and branch names as people choose them, many of which resemble secrets.

use proptest::prelude::*;

/// Plausible names, without an extension, in which a secret detector may find a secret.
pub const PLAUSIBLE: [&str; 26] = [
    "secret_garden_reading_notes_chapter_one",
    "secret-santa-list-2026-final-version",
    "pin 1234",
    "PIN 8841 for the bike lock",
    "sk-learn-notes-2026-spring",
    "sk-learn-experiment-2026-a",
    "pk_live_music_in_berlin_2026_season",
    "invoice 4111 1111 1111 1111",
    "invoice-4242424242424242",
    "rechnung-DE89370400440532013000",
    "token-of-thanks-for-everyone-who-helped",
    "password reset how to",
    "password is a bad word",
    "api_key_rotation_plan_for_q3_2026",
    "key 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d",
    "ghp_and_gho_tokens_explained_at_length_for_all",
    "AKIA-the-band-discography-and-reviews",
    "xoxb-hugs-and-kisses-letters-2026",
    "eyJ-sounding-baby-names.and-more.for-fun",
    "npm_package_naming_rules_and_conventions_2026",
    "glpat-learning-plan-week-one-2026",
    "2026-02-10T10:00:00Z standup",
    "user:secret@home",
    "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678",
    "Bearer of good news and other stories",
    "hf_weekly_reading_group_schedule_for_spring",
];

/// Returns a strategy for names without an extension: plausible ones, and ones composed of the words that
/// secret detectors look for.
pub fn any() -> BoxedStrategy<String> {
    let word = prop::sample::select(vec![
        "secret",
        "pin",
        "password",
        "token",
        "key",
        "api",
        "sk",
        "ghp",
        "invoice",
        "2026",
        "1234",
        "learn",
        "notes",
        "is",
        "4111111111111111",
        "hunter2",
        "DE89370400440532013000",
        "garden",
    ]);
    let joint = prop::sample::select(vec!["-", "_", " ", ""]);
    let made = prop::collection::vec((word, joint), 1..7)
        .prop_map(|words| words.into_iter().map(|(word, joint)| format!("{word}{joint}")).collect::<String>())
        .prop_map(|name| name.trim_matches([' ', '-', '_']).to_owned());
    let plausible = prop::sample::select(PLAUSIBLE.to_vec()).prop_map(str::to_owned);
    prop_oneof![2 => plausible, 1 => made]
        .prop_filter("a file can have it on every system", |name| !name.contains(':'))
        .boxed()
}
