//! Models in folders.

use std::fs;
use std::path::Path;

use memtape_embed::{Embedder, Error, Loading};
use tempfile::TempDir;

const TEXT: &str = "Café prices rose; see https://example.org/a_b (2024)!";

/// A folder with copies of the built-in model's files; the model is linked where it can be.
fn folder(model: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("model");
    let to = dir.path().join(model);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(from.join("model.onnx"), to).unwrap();
    fs::copy(from.join("vocab.txt"), dir.path().join("vocab.txt")).unwrap();
    dir
}

fn put(dir: &TempDir, name: &str, text: &str) {
    let path = dir.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn a_copy_of_the_built_in_model_gives_its_vectors() {
    let built_in = Embedder::built_in(Loading::ForFew).unwrap();
    for model in ["model.onnx", "onnx/model.onnx"] {
        let dir = folder(model);
        let copy = Embedder::from_folder(dir.path(), Loading::ForFew).unwrap();
        assert_eq!(copy.embed_one(TEXT).unwrap(), built_in.embed_one(TEXT).unwrap());
        let (identity, expected) = (copy.identity(), built_in.identity());
        // The program's own model glosses texts in other languages, so its vectors differ there.
        assert_ne!(identity.digest, expected.digest);
        assert_eq!(identity.dimensions, expected.dimensions);
        assert_eq!(identity.name, dir.path().file_name().unwrap().to_str().unwrap());
    }
}

#[test]
fn a_described_tokenizer_gives_the_same_vectors() {
    let dir = folder("model.onnx");
    let vocabulary = fs::read_to_string(dir.path().join("vocab.txt")).unwrap();
    let pieces: serde_json::Map<_, _> =
        vocabulary.lines().zip(0..).map(|(line, number)| (line.to_owned(), number.into())).collect();
    let described = serde_json::json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 128}, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]},
        "decoder": null,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": pieces},
    });
    put(&dir, "tokenizer.json", &described.to_string());
    let described = Embedder::from_folder(dir.path(), Loading::ForFew).unwrap();
    let built_in = Embedder::built_in(Loading::ForFew).unwrap();
    for text in [TEXT, "", &"word ".repeat(1000), &"a".repeat(100_000)] {
        assert_eq!(described.embed_one(text).unwrap(), built_in.embed_one(text).unwrap());
    }
    assert_ne!(described.identity().digest, built_in.identity().digest);
}

#[test]
fn settings_are_followed_and_change_the_digest() {
    let built_in = Embedder::built_in(Loading::ForFew).unwrap();
    let usual = built_in.embed_one(TEXT).unwrap();
    let cls = r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#;
    for (name, text) in [
        ("1_Pooling/config.json", cls),
        ("tokenizer_config.json", r#"{"do_lower_case": false}"#),
        ("sentence_bert_config.json", r#"{"max_seq_length": 5}"#),
    ] {
        let dir = folder("model.onnx");
        put(&dir, name, text);
        let other = Embedder::from_folder(dir.path(), Loading::ForFew).unwrap();
        assert!(cosine(&other.embed_one(TEXT).unwrap(), &usual) < 0.99, "{name}");
        assert_ne!(other.identity().digest, built_in.identity().digest, "{name}");
        put(&dir, name, "{");
        assert!(
            matches!(Embedder::from_folder(dir.path(), Loading::ForFew), Err(Error::Unreadable { .. })),
            "{name}"
        );
    }
}

#[test]
fn what_is_missing_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let said = |dir: &Path| Embedder::from_folder(dir, Loading::ForFew).unwrap_err().to_string();
    assert!(said(dir.path()).ends_with("model.onnx (or onnx/model.onnx) is missing"));
    assert!(said(&dir.path().join("nowhere")).contains("nowhere"));
    put(&dir, "model.onnx", "not a model");
    assert!(said(dir.path()).ends_with("tokenizer.json (or vocab.txt) is missing"));
}

#[test]
fn files_that_are_something_else_are_named() {
    let dir = folder("model.onnx");
    put(&dir, "model.onnx", "not a model");
    let failed = Embedder::from_folder(dir.path(), Loading::ForFew).unwrap_err();
    assert!(matches!(&failed, Error::Unreadable { file, .. } if file.ends_with("model.onnx")), "{failed}");
    put(&dir, "vocab.txt", "not\na\nvocabulary\n");
    let failed = Embedder::from_folder(dir.path(), Loading::ForFew).unwrap_err();
    assert!(failed.to_string().starts_with("vocab.txt cannot be used"), "{failed}");
    put(&dir, "tokenizer.json", "{}");
    let failed = Embedder::from_folder(dir.path(), Loading::ForFew).unwrap_err();
    assert!(failed.to_string().starts_with("tokenizer.json cannot be used"), "{failed}");
}
