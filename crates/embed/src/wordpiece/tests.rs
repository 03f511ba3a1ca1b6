//! Tests of the tokenizer with small vocabularies, and of the bundled one against another implementation.

use proptest::prelude::*;
use tokenizers::Tokenizer;
use tokenizers::models::wordpiece::WordPiece as Reference;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;

use super::*;

const VOCABULARY: &str = include_str!("../../model/vocab.txt");

fn built_in() -> WordPiece {
    WordPiece::new(Cow::Borrowed(VOCABULARY), Folding::default()).unwrap()
}

/// Returns the pieces of a text with the bundled vocabulary, as text.
fn pieces(text: &str) -> String {
    let all: Vec<&str> = VOCABULARY.lines().collect();
    let numbers = built_in().read(text, 256);
    numbers.iter().map(|&n| all[usize::try_from(n).unwrap()]).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_text_is_cut_into_words_and_their_parts() {
    assert_eq!(pieces("Hello, World!"), "[CLS] hello , world ! [SEP]");
    assert_eq!(pieces("unaffable"), "[CLS] una ##ffa ##ble [SEP]");
    assert_eq!(pieces("it's 7:30"), "[CLS] it ' s 7 : 30 [SEP]");
    assert_eq!(pieces(""), "[CLS] [SEP]");
    assert_eq!(pieces(" \t\n\u{A0}\u{3000} "), "[CLS] [SEP]");
}

#[test]
fn accents_are_stripped_and_letters_lower_cased() {
    assert_eq!(pieces("Café ÜBER naïve"), "[CLS] cafe uber naive [SEP]");
    assert_eq!(pieces("cafe\u{301}"), pieces("café"));
}

#[test]
fn chinese_characters_stand_alone() {
    assert_eq!(pieces("ab中国cd"), "[CLS] ab 中 国 cd [SEP]");
}

#[test]
fn control_characters_are_dropped() {
    assert_eq!(pieces("he\u{0}l\u{200B}l\u{7}o\u{FFFD} world\u{FEFF}"), "[CLS] hello world [SEP]");
    assert_eq!(pieces("one\ttwo\r\nthree"), "[CLS] one two three [SEP]");
}

#[test]
fn what_the_vocabulary_lacks_is_unknown() {
    assert_eq!(pieces("a 🦀🦀 b"), "[CLS] a [UNK] b [SEP]");
    let word = "a".repeat(WORD_CHARS_MAX);
    assert!(!pieces(&word).contains("[UNK]"));
    assert_eq!(pieces(&format!("{word}a")), "[CLS] [UNK] [SEP]");
}

#[test]
fn markers_in_a_text_are_words() {
    assert_eq!(pieces("[SEP] ##s"), "[CLS] [ sep ] # # s [SEP]");
}

#[test]
fn reading_ends_at_the_limit() {
    let numbers = built_in().read(&"word ".repeat(1000), 256);
    assert_eq!(numbers.len(), 256);
    assert_eq!((numbers[0], numbers[255]), (101, 102));
    assert_eq!(built_in().read("unaffable", 4).len(), 4);
    assert_eq!(built_in().read("anything", 0), [101, 102]);
}

#[test]
fn a_vocabulary_may_keep_case_and_accents() {
    let vocabulary = "[UNK]\r\n[CLS]\r\n[SEP]\r\nÉt\r\n##é\r\nete\r\n".to_owned();
    let as_it_is = Folding { lower_case: false, strip_accents: false };
    let words = WordPiece::new(Cow::Owned(vocabulary.clone()), as_it_is).unwrap();
    assert_eq!(words.read("Été ete été", 9), [1, 3, 4, 5, 0, 2]);
    let words = WordPiece::new(Cow::Owned(vocabulary), Folding::default()).unwrap();
    assert_eq!(words.read("Été ete été", 9), [1, 5, 5, 5, 2]);
}

#[test]
fn a_vocabulary_without_its_markers_is_refused() {
    let failed = WordPiece::new(Cow::Borrowed("[CLS]\n[SEP]\n"), Folding::default()).err().unwrap();
    assert_eq!(failed.to_string(), "vocab.txt cannot be used: the vocabulary has no token [UNK]");
}

/// Returns another library's tokenizer for the same vocabulary.
fn reference() -> Tokenizer {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/model/vocab.txt");
    let mut tokenizer = Tokenizer::new(Reference::from_file(path).build().unwrap());
    tokenizer.with_normalizer(Some(BertNormalizer::default())).unwrap();
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    tokenizer
}

#[test]
fn pieces_are_those_of_the_reference() {
    let (ours, reference) = (built_in(), reference());
    let word = prop_oneof![
        4 => "[a-zA-Z]{1,12}",
        1 => "[a-zA-Z0-9_.,;:'\"!?@#()/-]{1,16}",
        1 => "[à-žÀ-Žа-яΑ-ωא-תء-يक-हぁ-んァ-ン가-힣一-龥]{1,8}",
        1 => "\\PC{1,10}",
        1 => "[\\x00-\\x20\u{200B}-\u{200F}\u{FEFF}\u{301}\u{327}]{1,4}",
    ];
    let text = prop::collection::vec(word, 0..20).prop_map(|words| words.join(" "));
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let outcome = runner.run(&text, |text| {
        let expected: Vec<i32> = reference
            .encode_fast(text.as_str(), false)
            .unwrap()
            .get_ids()
            .iter()
            .map(|&id| id as i32)
            .collect();
        let numbers = ours.read(&text, 4096);
        prop_assert_eq!(&numbers[1..numbers.len() - 1], &expected[..]);
        Ok(())
    });
    outcome.unwrap();
}
