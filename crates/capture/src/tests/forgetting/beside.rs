//! What stands beside a request to forget.

use super::*;

#[test]
fn what_stands_beside_a_request_to_forget_is_kept() {
    for (text, named, expected) in [
        (
            "I moved to York last month, please forget that I live in Leeds",
            "I live in Leeds",
            "I moved to York",
        ),
        ("I'm vegan now, forget that I eat meat", "I eat meat", "I'm vegan now"),
        ("I live in York now, forget that I live in Leeds", "I live in Leeds", "I live in York now"),
        ("Forget that I live in Leeds and remember that I live in York", "I live in Leeds", "I live in York"),
        ("Forget that I live in Leeds but remember that I'm vegan", "I live in Leeds", "I'm vegan"),
        (
            "Vergiss, dass ich in Graz wohne, und merk dir, dass ich in Linz wohne",
            "ich in Graz wohne",
            "ich in Linz wohne",
        ),
        ("Olvida que vivo en Lugo y recuerda que vivo en Madrid", "vivo en Lugo", "vivo en Madrid"),
        ("Forget that I'm a vegetarian - I'm vegan now", "I'm a vegetarian", "I'm vegan now"),
        ("Forget my address and remember that I'm vegan", "my address", "I'm vegan"),
    ] {
        let reading = reading(text);
        let forgets: Vec<&str> = reading.forgets.iter().map(|forget| forget.text.trim()).collect();
        let kept: Vec<&str> = reading.candidates.iter().map(|kept| &*kept.text).collect();
        assert_eq!(forgets.first(), Some(&named), "{text}");
        assert!(matches!(&kept[..], [kept] if kept.starts_with(expected)), "{text}: {kept:?}");
    }
}
