use super::*;

fn candidate(entry: u64, words: f64) -> Candidate {
    Candidate {
        id: MemoryId::new(entry, 0),
        form: Form::MESSAGES,
        words,
        cosine: None,
        length: 0,
        asks: false,
        is_no_answer: false,
        previous: None,
        session: Some(1),
        speaker: None,
        of_user: false,
        importance: None,
        said_at: Timestamp::UNIX_EPOCH,
    }
}

fn near(entry: u64, words: f64, cosine: f64) -> Candidate {
    Candidate { cosine: Some(cosine), ..candidate(entry, words) }
}

fn said_by(entry: u64, words: f64, session: i64, speaker: &str) -> Candidate {
    Candidate { session: Some(session), speaker: Some(speaker.to_owned()), ..candidate(entry, words) }
}

fn ask(query: &str, covered: f64, candidates: &[Candidate]) -> Vec<Ranked> {
    let asked = Asked {
        query,
        covered,
        now: Timestamp::UNIX_EPOCH,
        zone: &TimeZone::UTC,
        recipe: &Recipe::MEASURED,
        weights: &BTreeMap::new(),
    };
    rank(candidates, &asked)
}

fn order(query: &str, covered: f64, candidates: &[Candidate]) -> Vec<u64> {
    ask(query, covered, candidates).iter().map(|ranked| candidates[ranked.at].id.entry()).collect()
}

#[test]
fn the_turn_before_a_good_one_rises() {
    let second = Candidate { previous: Some(MemoryId::new(1, 0)), ..candidate(2, 5.0) };
    assert_eq!(order("where?", 1.0, &[candidate(1, 5.0), second, candidate(9, 5.0)]), [1, 9, 2]);
}

#[test]
fn the_reply_to_a_good_question_rises() {
    let reply = Candidate { previous: Some(MemoryId::new(1, 0)), ..near(2, 0.0, 0.4) };
    let turns = |asks| [Candidate { asks, ..near(1, 5.0, 0.3) }, reply.clone(), near(3, 1.0, 0.45)];
    assert_eq!(order("where?", 0.2, &turns(false)), [3, 2, 1]);
    assert_eq!(order("where?", 0.2, &turns(true)), [2, 3, 1]);
}

#[test]
fn what_is_no_answer_sets_no_scale() {
    let answers = [near(1, 2.0, 0.5), near(2, 1.0, 0.3)];
    let question = Candidate { is_no_answer: true, ..near(3, 9.0, 0.9) };
    let all = [answers.to_vec(), vec![question.clone()]].concat();
    assert_eq!(ask("where?", 0.2, &all), ask("where?", 0.2, &answers));
    // Its neighbours count it.
    let asks = Candidate { asks: true, ..question };
    let reply = Candidate { previous: Some(asks.id), ..near(4, 0.0, 0.4) };
    assert!(ask("where?", 0.2, &[asks, reply])[0].terms.answer > 0.0);
}

#[test]
fn the_conversation_that_is_about_the_query_rises() {
    let of = |session, candidate: Candidate| Candidate { session: Some(session), ..candidate };
    let candidates = [of(1, near(1, 0.0, 0.6)), of(1, near(2, 0.0, 0.3)), of(2, near(3, 0.0, 0.35))];
    assert_eq!(order("where?", 0.2, &candidates), [1, 2, 3]);
    // A memory outside of conversations is as good as a conversation of its own.
    let alone = |session| Candidate { session, ..near(1, 0.0, 0.6) };
    let relevance = |session| ask("where?", 0.2, &[alone(session), near(2, 0.0, 0.3)])[0].terms.sum();
    assert!((relevance(None) - relevance(Some(9))).abs() < 1e-9);
}

#[test]
fn the_day_that_a_query_names_rises() {
    let on = |entry, day: &str| Candidate { said_at: day.parse().unwrap(), ..candidate(entry, 5.0) };
    let candidates = [on(1, "2023-05-08T12:00:00Z"), on(2, "2023-06-09T12:00:00Z")];
    assert_eq!(order("what did she buy in May 2023?", 1.0, &candidates), [1, 2]);
    assert_eq!(order("what did she buy on 9 June?", 1.0, &candidates), [2, 1]);
    // One word is no date.
    assert_eq!(order("may I ask what she bought?", 1.0, &candidates), [2, 1]);
}

#[test]
fn days_begin_in_the_zone_and_months_count_in_every_language() {
    let zone = TimeZone::get("America/Los_Angeles").unwrap();
    let on = |entry, at: &str| Candidate { said_at: at.parse().unwrap(), ..candidate(entry, 5.0) };
    let file = |candidate: Candidate| Candidate { form: Form::NOTES, session: None, ..candidate };
    let day = |query: &str, candidate: Candidate| {
        let asked = Asked {
            query,
            covered: 1.0,
            now: Timestamp::UNIX_EPOCH,
            zone: &zone,
            recipe: &Recipe::MEASURED,
            weights: &BTreeMap::new(),
        };
        rank(&[candidate], &asked)[0].terms.day > 0.0
    };
    let (eve, fete) = ("2026-05-12T03:00:00Z", "2026-05-13T03:00:00Z");
    for query in [
        "what did we paint on 12 May 2026?",
        "what did we paint on 2026-05-12?",
        "was haben wir am 12. Mai 2026 gestrichen?",
        "2026年5月12日我们做了什么？",
    ] {
        assert!(!day(query, on(1, "2026-07-12T12:00:00Z")), "{query}: another month");
        assert!(day(query, on(1, fete)), "{query}: the evening of the 12th");
    }
    let weekday = "what did we paint on Tuesday the 12th?";
    assert_eq!([day(weekday, on(1, eve)), day(weekday, on(1, fete))], [false, true]);
    // Noon of a day, UTC.
    let auckland = "what is the note of 12 May?";
    assert!(day(auckland, file(on(1, "2026-05-12T12:00:00Z"))));
}

#[test]
fn the_only_memory_found_by_meaning_is_as_relevant_as_it_is_near() {
    let terms = ask("where?", 0.0, &[near(1, 0.0, 0.36)])[0].terms;
    assert!((terms.relevance - terms.sure).abs() < 1e-9 && terms.sure > 0.5, "{terms:?}");
}

#[test]
fn a_short_memory_falls() {
    let long = |entry, length| Candidate { length, ..candidate(entry, 5.0) };
    assert_eq!(order("where?", 1.0, &[long(1, 12), long(2, 2)]), [1, 2]);
    // Beyond some length, only the order of creation decides.
    assert_eq!(order("where?", 1.0, &[long(1, 5000), long(2, LONG)]), [2, 1]);
}

#[test]
fn a_named_speaker_s_turns_rise_and_two_names_are_none() {
    let candidates = [said_by(1, 5.0, 1, "Ana"), said_by(2, 5.1, 2, "Ben")];
    assert_eq!(order("what did Ana say?", 1.0, &candidates), [1, 2]);
    assert_eq!(order("what did Ana say to Ben?", 1.0, &candidates), [2, 1]);
    assert_eq!(order("what was said?", 1.0, &candidates), [2, 1]);
}

#[test]
fn meaning_leads_where_words_cover_little_and_words_where_they_cover_much() {
    let candidates = [near(1, 9.0, 0.4), near(2, 0.0, 0.7), near(3, 1.0, 0.2)];
    assert_eq!(order("where?", 0.2, &candidates), [2, 1, 3]);
    assert_eq!(order("where?", 1.0, &candidates), [1, 2, 3]);
}

#[test]
fn what_is_neither_said_nor_meant_is_left_out() {
    assert_eq!(order("where?", 0.5, &[near(1, 3.0, 0.0), near(2, 0.0, 0.1), near(3, 0.0, 0.5)]), [3, 1]);
}

#[test]
fn the_best_of_what_hardly_answers_is_no_good_answer() {
    // A single candidate is as relevant as its cosine, or as the words it covers.
    let relevance = |covered, own| ask("where?", covered, &[near(1, 1.0, own)])[0].terms.relevance;
    assert!(relevance(0.1, 0.2) < 0.4);
    assert!((relevance(0.1, 0.7) - 1.0).abs() < 1e-9);
    assert!((relevance(1.0, 0.2) - 1.0).abs() < 1e-9);
}

#[test]
fn a_weak_match_comes_after_the_others() {
    let important = Candidate { importance: Some(1.0), ..near(1, 0.0, 0.18) };
    assert_eq!(order("where?", 0.5, &[important, near(2, 0.0, 0.25)]), [2, 1]);
}

#[test]
fn what_has_no_vector_is_ranked_by_its_words() {
    assert_eq!(order("where?", 1.0, &[candidate(1, 3.0), near(2, 2.0, 0.3), near(3, 0.0, 0.2)]), [1, 2, 3]);
}

#[test]
fn newer_and_weightier_lines_come_first() {
    let line = |entry, days: i64, importance| Candidate {
        form: Form::ZONE,
        importance,
        said_at: Timestamp::from_second(-86_400 * days).unwrap(),
        session: None,
        ..candidate(entry, 5.0)
    };
    let candidates = [line(1, 0, None), line(2, 400, None), line(3, 0, Some(1.0))];
    assert_eq!(order("where?", 1.0, &candidates), [3, 1, 2]);
    let best = ask("where?", 1.0, &candidates)[0].terms;
    assert!((best.score() - (0.65 + 0.2 + 0.15)).abs() < 1e-9, "{best:?}");
}

#[test]
fn scores_are_between_0_and_1_and_fall() {
    let candidates: Vec<_> = (1..50)
        .map(|n| Candidate {
            previous: Some(MemoryId::new(n / 2, 0)),
            ..near(n, 1.0 / n as f64, 0.5 - 0.01 * n as f64)
        })
        .collect();
    let ranked = ask("Ana", 1.0, &candidates);
    assert!((ranked[0].terms.relevance - 1.0).abs() < f64::EPSILON);
    assert!(ranked.windows(2).all(|pair| pair[0].terms.score() >= pair[1].terms.score()));
    assert!(ranked.iter().all(|ranked| (0.0..=1.0).contains(&ranked.terms.score())));
    assert!(ask("", 0.0, &[]).is_empty());
}
