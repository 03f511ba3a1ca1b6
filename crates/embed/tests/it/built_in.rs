//! The model inside the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use memtape_embed::{Embedder, Loading, built_in_identity};
use sha2::{Digest, Sha256};

static MODEL: LazyLock<Embedder> = LazyLock::new(|| Embedder::built_in(Loading::ForFew).unwrap());

fn model_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("model")
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn assert_same(a: &[f32], b: &[f32]) {
    assert_eq!(a.len(), b.len());
    let most = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(most < 1e-5, "{most}");
}

#[test]
fn a_vector_has_384_numbers_and_length_1() {
    for text in ["", "a", "I moved to Lisbon in May.", "🦀", "\u{0}\u{1}\u{FFFD}", "中国"] {
        let vector = MODEL.embed_one(text).unwrap();
        assert_eq!(vector.len(), 384);
        assert!((cosine(&vector, &vector) - 1.0).abs() < 1e-4, "{text:?}");
    }
}

#[test]
fn texts_that_mean_the_same_are_near() {
    let about = |a: &str, b: &str| cosine(&MODEL.embed_one(a).unwrap(), &MODEL.embed_one(b).unwrap());
    for (question, answer, other) in [
        ("Where does she live?", "Her flat is in Lisbon.", "The build takes nine minutes."),
        ("What does he do for a living?", "He works as a carpenter.", "The cat sleeps on the sofa."),
        ("Which pets does the user own?", "I have two dogs.", "I have two meetings."),
    ] {
        let (near, far) = (about(question, answer), about(question, other));
        assert!(near > far + 0.1, "{question}: {near} {far}");
    }
}

#[test]
fn many_texts_give_what_each_gives_alone_in_their_order() {
    let words = ["apple", "river", "quarrel", "of", "Tuesday", "migration", "blue", "to", "deploy"];
    let texts: Vec<String> = (0..40)
        .map(|n| (0..n * 7 % 31).map(|k| words[(n + k * k) % words.len()]).collect::<Vec<_>>().join(" "))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = MODEL.embed(&texts).unwrap();
    assert_eq!(vectors.len(), texts.len());
    for (text, vector) in texts.iter().zip(&vectors) {
        assert_same(vector, &MODEL.embed_one(text).unwrap());
    }
    assert!(MODEL.embed(&[]).unwrap().is_empty());
    assert_same(&MODEL.embed(&["one"]).unwrap()[0], &MODEL.embed_one("one").unwrap());
}

#[test]
fn a_model_may_be_asked_by_several_threads() {
    let expected = MODEL.embed_one("who is there?").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_same(&MODEL.embed_one("who is there?").unwrap(), &expected));
        }
    });
}

#[test]
fn what_lies_beyond_the_limit_is_not_seen() {
    let long = "word ".repeat(254);
    let expected = MODEL.embed_one(&long).unwrap();
    assert_same(&MODEL.embed_one(&format!("{long} and quite another matter")).unwrap(), &expected);
}

#[test]
fn odd_texts_are_safe_and_quick() {
    let texts = [
        "a".repeat(100_000),
        " ".repeat(100_000),
        "\u{301}".repeat(100_000),
        "🦀".repeat(100_000),
        "q🦀 ".repeat(100_000),
        "[CLS] [SEP] [PAD] [MASK]".to_owned(),
        "\u{202E}\u{0}\r\n\u{10FFFF}".to_owned(),
    ];
    for text in &texts {
        let start = Instant::now();
        let vector = MODEL.embed_one(text).unwrap();
        assert!(vector.iter().all(|value| value.is_finite()));
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}

#[test]
fn the_identity_is_that_of_the_bytes() {
    let mut hash = Sha256::new();
    hash.update(fs::read(model_dir().join("model.rten")).unwrap());
    hash.update(fs::read(model_dir().join("vocab.txt")).unwrap());
    // Texts in other languages are glossed, so their vectors depend on the lexicons.
    let languages =
        ["german", "spanish", "french", "italian", "portuguese", "russian", "chinese", "japanese"];
    for language in languages {
        let lexicon =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../language/lexicon/{language}.tsv"));
        hash.update(fs::read(lexicon).unwrap());
    }
    let identity = built_in_identity();
    assert_eq!(identity.digest, hex::encode(hash.finalize())[..16]);
    assert_eq!(MODEL.identity(), &identity);
}

#[test]
fn what_a_model_is_loaded_for_does_not_change_its_vectors() {
    let many = Embedder::built_in(Loading::ForMany).unwrap();
    for text in ["", "Ana is allergic to hazelnuts", "Where do we meet on Friday, and who brings the tent?"] {
        let (few, many) = (MODEL.embed_one(text).unwrap(), many.embed_one(text).unwrap());
        assert!(few.iter().zip(&many).all(|(a, b)| (a - b).abs() < 1e-5), "{text:?}");
    }
}

#[test]
fn a_vector_that_was_begun_is_the_same() {
    let texts = ["Where do I live?", "", "Wo wohnt meine Schwester?", "My sister’s flat is in Lisbon"];
    for text in texts {
        let (_, begun) = MODEL.begin(text, &[]).unwrap();
        let begun = begun.unwrap();
        for other in texts {
            assert_eq!(MODEL.embed_begun(other, &begun).unwrap(), MODEL.embed_one(other).unwrap(), "{other}");
        }
    }
    // A text of several windows is not read as a whole.
    let long = "a long text ".repeat(40);
    assert!(MODEL.begin(&long, &[0..240, 240..480]).unwrap().1.is_none());
    let (_, begun) = MODEL.begin(&long, &[]).unwrap();
    assert_eq!(MODEL.embed_begun(&long, &begun.unwrap()).unwrap(), MODEL.embed_one(&long).unwrap());
}

#[test]
fn a_part_has_a_state_in_the_context_of_its_text() {
    let text = "I moved to Lisbon, and my sister stayed.";
    let states = MODEL.states(text, &[0..17, 19..39]).unwrap();
    assert_eq!(states.iter().map(Vec::len).collect::<Vec<_>>(), [384, 1152, 1152]);
    let alone = MODEL.states(&text[..17], std::slice::from_ref(&(0..17))).unwrap();
    assert!(states[1].iter().zip(&alone[1]).any(|(one, other)| (one - other).abs() > 0.01));
    assert_eq!(MODEL.states("", &[]).unwrap().len(), 1);
}

#[test]
fn a_long_text_is_read_in_windows_and_not_to_its_end() {
    let sentence = "I moved to Lisbon and my sister stayed. ";
    let long = sentence.repeat(100);
    let parts: Vec<_> = (0..100).map(|n| n * sentence.len()..(n + 1) * sentence.len() - 2).collect();
    let lengths: Vec<usize> = MODEL.states(&long, &parts).unwrap().iter().map(Vec::len).collect();
    let read = lengths.iter().skip(1).take_while(|length| **length == 1152).count();
    assert!((40..60).contains(&read), "{read}");
    assert!(lengths[1 + read..].iter().all(|length| *length == 0));
}
