mod clauses;
mod confidence;
mod corrections;
mod days;
mod ended;
mod forgetting;
mod languages;
mod requests;
mod voices;

use std::sync::LazyLock;

use jiff::civil::{Date, date};
use memtape_embed::{Embedder, Loading};
use proptest::prelude::*;

use super::*;

/// A Tuesday.
const SAID_ON: Date = date(2026, 2, 10);

static MODEL: LazyLock<Embedder> = LazyLock::new(|| Embedder::built_in(Loading::ForMany).unwrap());

/// The bundled model, as a workspace runs it.
struct Bundled;

impl Encoder for Bundled {
    fn states(&self, text: &str, parts: &[Range<usize>]) -> Vec<Vec<f32>> {
        MODEL.states(text, parts).unwrap()
    }
}

fn read_by_model(text: &str, role: Role) -> Reading {
    read(text, role, SAID_ON, &Bundled)
}

fn reading(text: &str) -> Reading {
    select(read_by_model(text, Role::User), &Limits::default())
}

/// Returns the kept statements of a text, as `category: clause`.
fn kept(text: &str) -> Vec<String> {
    reading(text).candidates.iter().map(|kept| format!("{}: {}", kept.category, kept.text)).collect()
}

/// Returns the reasons for which the parts of a text are dropped.
fn reasons(text: &str) -> Vec<Why> {
    let reading = reading(text);
    assert_eq!(reading.candidates, [], "{text}");
    reading.dropped.iter().map(|dropped| dropped.why).collect()
}

#[test]
fn the_clause_is_kept_not_the_message() {
    let text = "hey! quick one before I book: I prefer window seats, the aisle is loud 😅 what does it cost?";
    assert_eq!(kept(text), ["preference: I prefer window seats, the aisle is loud"]);
    let candidate = reading(text).candidates.remove(0);
    assert_eq!(&text[candidate.span], "I prefer window seats, the aisle is loud");
}

#[test]
fn one_message_can_hold_several_kinds() {
    assert_eq!(
        kept(
            "My name is Joanna Pike but call me Jo. We decided to use Postgres, and I moved house yesterday"
        ),
        [
            "fact: My name is Joanna Pike",
            "preference: call me Jo",
            "decision: We decided to use Postgres",
            "episodic: I moved house yesterday (2026-02-09)",
        ]
    );
}

#[test]
fn statements_share_no_character() {
    // Folded, the ligature has several words, and a clause begins within it.
    let reading = read_by_model("我喜欢昨天ﷺI live in Leeds ", Role::User);
    let mut pairs = reading.candidates.windows(2);
    assert!(pairs.all(|pair| pair[0].span.end <= pair[1].span.start), "{reading:?}");
}

#[test]
fn typographic_apostrophes_are_apostrophes() {
    let clauses = |text: &str| -> Vec<String> {
        reading(text).candidates.iter().map(|kept| kept.text.replace('’', "'")).collect()
    };
    let text = "Let's use the 24-hour clock in reports";
    assert_eq!(clauses(&text.replace('\'', "’")), [text]);
    assert_eq!(clauses(text), [text]);
    assert_eq!(kept("I don’t drink coffee after lunch").len(), 1);
}

#[test]
fn what_happened_is_over_the_default_limits() {
    let reading = reading("I broke my wrist on Monday. Typing with the left hand");
    let candidate = &reading.candidates[0];
    assert_eq!(candidate.category, Category::Episodic);
    assert_eq!(candidate.date, Some(date(2026, 2, 9)));
    assert_eq!(candidate.text, "I broke my wrist on Monday (2026-02-09)");
}

#[test]
fn all_languages_are_read() {
    for (text, expected) in [
        ("I live in Leeds", "fact: I live in Leeds"),
        ("ich wohne in Graz, nicht in Wien", "fact: ich wohne in Graz"),
        ("以后回答简短一点", "preference: 以后回答简短一点"),
        ("prefiero las respuestas cortas", "preference: prefiero las respuestas cortas"),
        ("salut, je préfère les réponses courtes stp", "preference: je préfère les réponses courtes"),
        ("moro em Lisboa com a minha mulher", "fact: moro em Lisboa com a minha mulher"),
        ("sono allergica alle noci", "fact: sono allergica alle noci"),
        ("я живу в Казани", "fact: я живу в Казани"),
    ] {
        assert!(kept(text)[0].starts_with(expected), "{text}: {:?}", kept(text));
    }
}

#[test]
fn a_message_may_mix_languages() {
    let text = "Danke dir! My mother tongue is German. Ich wohne in Graz.";
    assert_eq!(kept(text), ["fact: My mother tongue is German", "fact: Ich wohne in Graz"]);
}

#[test]
fn what_only_looks_like_a_statement_is_left_alone() {
    for text in [
        "do you prefer to use tabs",
        "do you know if it is not raining today",
        "How do I check why it's not working",
        "my boss is vegan, what can I cook for him?",
        "thanks, that works for me",
        "what does the word vegan mean",
    ] {
        assert_eq!(kept(text), [""; 0], "{text}");
    }
    let reading = reading("my password is tangerine-Falcon-88 and I use it");
    assert_eq!(reading.candidates, []);
}

#[test]
fn a_correction_is_a_statement_without_the_words_that_announce_it() {
    for (text, expected) in [
        ("Actually, Mia is 8 now", vec!["Mia is 8 now"]),
        ("Correction: my sister lives in Leeds", vec!["my sister lives in Leeds"]),
        ("no wait, the budget is 2500 euros", vec!["the budget is 2500 euros"]),
        ("Actually the deadline moved to March", vec!["the deadline moved to March"]),
        ("No, my sister lives in Porto, not in Lisbon", vec!["my sister lives in Porto, not in Lisbon"]),
        ("Nein, meine Schwester heißt Clara, nicht Klara", vec!["meine Schwester heißt Clara, nicht Klara"]),
        ("Actually, can you check the weather?", vec![]),
        ("actually that's a good idea", vec![]),
        ("no wait, that's wrong", vec![]),
        ("sorry, I meant the other file", vec![]),
        ("Turns out I was right", vec![]),
        ("actually", vec![]),
    ] {
        let texts = |text: &str| -> Vec<String> {
            reading(text).candidates.into_iter().map(|candidate| candidate.text).collect()
        };
        assert_eq!(texts(text), expected, "{text}");
        // Without a comma, a negation belongs to the statement.
        assert_eq!(texts("No como carne"), ["No como carne"]);
    }
}

#[test]
fn a_question_about_the_speaker_is_no_statement() {
    for text in [
        "Mag ich Koriander?",
        "Fahre ich gern Rad?",
        "gehe ich eigentlich montags ins Training",
        "Heißt meine Frau Claire?",
        "bin ich allergisch gegen Nüsse",
        "habe ich eine Nussallergie",
        "nehme ich morgens Tabletten",
        "have I got a nut allergy",
        "Is my wife's name Claire",
        "I like jazz, right?",
        "We use Postgres, don't we?",
        "Wir nehmen doch Postgres, oder?",
    ] {
        assert_eq!(kept(text), [""; 0], "{text}");
    }
    for text in ["Could you always answer in German?", "I'm a vegetarian, what can I cook tonight?"] {
        assert_eq!(kept(text).len(), 1, "{text}");
    }
}

#[test]
fn thresholds_and_the_cap_choose_what_matters_most() {
    let text =
        "I moved house yesterday. I live in Leeds. I prefer tea. We decided to use Postgres. I'm vegan.";
    let kept = reading(text);
    assert_eq!(kept.candidates.len(), 4);
    assert!(kept.candidates.iter().all(|candidate| candidate.category != Category::Episodic));
    assert_eq!(kept.dropped.last().unwrap().why, Why::TooMany);

    let least = |min_confidence, min_importance, max_entries| {
        let limits = Limits { min_confidence, min_importance, max_entries };
        select(read_by_model(text, Role::User), &limits).candidates.len()
    };
    assert_eq!((least(1.0, 0.0, 9), least(0.0, 0.89, 9), least(0.0, 0.0, 0)), (0, 1, 0));
}

#[test]
fn what_the_speaker_asks_to_remember_does_not_count_towards_the_limit() {
    let text = "We decided to use Postgres. Please remember that I live in York.";
    for max_entries in [0, 1] {
        let limits = Limits { max_entries, ..Limits::default() };
        let reading = select(read_by_model(text, Role::User), &limits);
        let texts: Vec<&str> = reading.candidates.iter().map(|kept| &*kept.text).collect();
        assert!(texts.contains(&"I live in York"), "{reading:?}");
        assert_eq!(texts.len(), 1 + max_entries, "{reading:?}");
    }
}

#[test]
fn accents_written_apart_are_read() {
    assert_eq!(kept("je pre\u{301}fe\u{300}re les re\u{301}ponses courtes").len(), 1);
    assert_eq!(kept("am Montag ist uns fu\u{308}nf Mal der Strom ausgefallen").len(), 1);
}

#[test]
fn a_statement_of_words_without_content_is_none() {
    // Each of them is trimmed from the beginning and from the end.
    assert_eq!(kept("souviens-toi que voilà d'ailleurs du coup"), [""; 0]);
}

/// Checks that patterns contain only letters of folded text; others would never match.
#[test]
fn tables_are_written_for_folded_text() {
    for language in tables::ALL {
        let days = language.days.iter().map(|day| day.pattern);
        let fragments = language.fragments.iter().map(|(_, fragment)| *fragment);
        let words = [language.openers, language.interjections, language.speaker, language.closers];
        let tenses = [language.past, language.present, language.doubtful, language.arranged];
        let others = words.into_iter().chain(tenses).chain([language.session]);
        for pattern in days.chain(fragments).chain(others) {
            let folded = |c: char| memtape_language::fold::word(&c.to_string()).chars().eq([c]);
            let foreign = |c: char| c.is_alphabetic() && !is_han(c) && !folded(c);
            assert_eq!(pattern.find(foreign), None, "{pattern}");
            let groups = pattern.matches('(').count() - pattern.matches("(?:").count();
            assert!(groups <= 1, "{pattern}");
        }
    }
}

/// Generates text from the kinds of characters that the engine examines.
fn talk() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("I live in Leeds "),
        Just("we decided to use "),
        Just("yesterday"),
        Just(" three days ago"),
        Just("I prefer "),
        Just(", and I "),
        Just(" but "),
        Just("? "),
        Just(". "),
        Just("\n"),
        Just("“"),
        Just("”"),
        Just("\""),
        Just("'"),
        Just("`"),
        Just("```"),
        Just("("),
        Just(")"),
        Just("> "),
        Just("- "),
        Just("我喜欢"),
        Just("，"),
        Just("昨天"),
        Just("用吧"),
        Just("o\u{308}"),
        Just("\u{308}"),
        Just("😅"),
        Just("ſ"),
        Just("İ"),
        Just("ﬁ"),
        Just("hier on a "),
        Just("ich mag "),
        Just("prefiero el "),
        Just("always use ghp_abcdefghijklmnopqrstuvwxyz0123456789 "),
        Just("for now"),
        Just("\u{200B}"),
        Just("今天先"),
        Just("请忘掉"),
        Just("忘れて"),
        Just("覚えておいて"),
        Just("、"),
        Just("。"),
        Just("んですけど"),
        Just("forget that "),
        Just("forget my "),
        Just("olvida que "),
        Just("забудь, что "),
        Just("Please remember that "),
        Just("nicht vergessen: "),
        Just("no, I meant "),
        Just("Actually, "),
        Just("no longer "),
        Just("anymore"),
        Just("imagine "),
        Just("translate: "),
        Just("wrote: "),
        Just(" ~5 km "),
        Just(" Jan. 5 "),
        Just("ﷺ"),
    ];
    prop_oneof![prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat()), any::<String>(),]
}

proptest! {
    #[test]
    fn any_text_gives_a_sound_reading(text in talk(), max_entries in 0usize..6) {
        let limits = Limits { max_entries, ..Limits::default() };
        let whole = read_by_model(&text, Role::User);
        let reading = select(whole.clone(), &limits);
        prop_assert_eq!(&reading, &select(read_by_model(&text, Role::User), &limits));
        let unasked = reading.candidates.iter().filter(|candidate| !candidate.is_asked());
        prop_assert!(unasked.count() <= max_entries);
        let mut end = 0;
        for candidate in &whole.candidates {
            prop_assert!(candidate.span.start >= end && candidate.span.end <= text.len());
            end = candidate.span.end;
            // Slicing panics unless the span is at character boundaries.
            let said = &text[candidate.span.clone()];
            let dated = candidate.date.map_or(String::new(), |day| format!(" ({day})"));
            prop_assert_eq!(candidate.text.replacen(&dated, "", 1), said);
            prop_assert!(secrets::find(said).is_empty());
            prop_assert!(said.chars().count() <= CLAUSE_MAX * 2 + 2);
        }
    }
}
