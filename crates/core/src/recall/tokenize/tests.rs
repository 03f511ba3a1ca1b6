//! Tables of the terms of texts, and the module's invariants for any text.
#![allow(
    clippy::needless_pass_by_value,
    clippy::needless_raw_string_hashes,
    reason = "expect-test is used and writes its tables so"
)]

use std::collections::HashSet;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

/// Compares, for each line: the text, the terms of the index, and the terms of a query if they differ.
fn check(texts: &[&str], expected: Expect) {
    let line = |text: &&str| {
        let (stored, asked) = (terms(text), query_terms(text));
        assert_sound(&stored);
        assert_sound(&asked);
        let asked = if asked == stored { String::new() } else { format!(" ? {}", asked.join(" ")) };
        format!("{} = {}{asked}\n", visible(text), stored.join(" "))
    };
    let table: String = texts.iter().map(line).collect();
    expected.assert_eq(&table);
}

/// Escapes characters that a reader of the table, or the compiler, could not see or would misread.
fn visible(text: &str) -> String {
    let is_read = |c: char| c.is_alphanumeric() || is_combining_mark(c) || is_pictograph(c);
    let is_clear = |c: char| c.is_ascii_graphic() || c == ' ' || is_read(c) && !is_ignored(c);
    let shown = |c: char| {
        if is_clear(c) { c.to_string() } else { c.escape_default().to_string() }
    };
    text.chars().map(shown).collect()
}

fn assert_sound(terms: &[String]) {
    for term in terms {
        let is_plain = |c: char| !c.is_ascii() || c.is_ascii_lowercase() || c.is_ascii_digit();
        let is_readable = |c: char| !c.is_whitespace() && !c.is_control();
        assert!(!term.is_empty());
        assert!(term.chars().count() <= TERM_CHARS_MAX, "too long: {term:?}");
        assert!(term.chars().all(|c| is_plain(c) && is_readable(c)), "unfit: {term:?}");
        assert!(term.chars().flat_map(char::to_lowercase).eq(term.chars()), "not lower: {term:?}");
    }
}

/// Asserts everything that holds for any text.
fn assert_invariants(text: &str) {
    let (stored, asked) = (terms(text), query_terms(text));
    assert_sound(&stored);
    assert_sound(&asked);
    assert_eq!(stored, terms(text));
    assert_eq!(asked, query_terms(text));
    let known: HashSet<&String> = stored.iter().collect();
    assert!(asked.len() <= QUERY_TERMS_MAX);
    assert_eq!(asked.iter().collect::<HashSet<_>>().len(), asked.len(), "asked twice: {asked:?}");
    assert_eq!(asked.is_empty(), stored.is_empty());
    assert!(asked.iter().all(|term| known.contains(term)), "{text:?}: {asked:?} of {stored:?}");
    let by_words: Vec<String> = text.split_whitespace().flat_map(terms).collect();
    assert_eq!(stored, by_words, "{text:?} depends on white space");
    for word in text.split_whitespace() {
        let asked = query_terms(word);
        assert!(asked.iter().all(|term| known.contains(term)), "{text:?}: {word:?}: {asked:?}");
    }
}

#[test]
fn words_are_folded_and_stemmed() {
    check(
        &[
            "The runners were running happily",
            "Alice's café; Alice’s CAFÉ, naïve résumés",
            "don't, can't, she'll, I'd, we’re, it's, y'all, rock'n'roll, O'Brien, 'quoted'",
            "the 90's, 90s, James' car",
            "ﬁne ＦＵＬＬ ½ x² №5 ㎏ soft\u{AD}hyphen zero\u{200B}width bom\u{FEFF}",
            "e\u{301}te\u{301} Z\u{335}\u{336}a\u{337}\u{338}l\u{321}g\u{489}o",
        ],
        expect![[r#"
            The runners were running happily = the runner were run happili ? runner run happili
            Alice's café; Alice\u{2019}s CAFÉ, naïve résumés = alic cafe alic cafe naiv resum ? alic cafe naiv resum
            don't, can't, she'll, I'd, we\u{2019}re, it's, y'all, rock'n'roll, O'Brien, 'quoted' = dont cant she i we it yall rocknrol obrien brien quot ? yall rocknrol obrien brien quot
            the 90's, 90s, James' car = the 90 90s 90 jame car ? 90 90s jame car
            ﬁne ＦＵＬＬ ½ x² \u{2116}5 \u{338f} soft\u{ad}hyphen zero\u{200b}width bom\u{feff} = fine full 1·2 1 2 x2 2 no5 no 5 kg softhyphen zero width bom ? fine full 1·2 1 2 x2 no5 5 kg softhyphen zero width bom
            e\u{301}te\u{301} Z\u{335}\u{336}a\u{337}\u{338}l\u{321}g\u{489}o = ete zalgo
        "#]],
    );
}

#[test]
fn languages() {
    check(
        &[
            "¿Dónde está el niño? Mañana, corazón",
            "Straße STRASSE Fußgänger über die Häuser",
            "l'homme d’accord aujourd'hui qu'il Œuvre",
            "dell'arte perché città",
            "não coração à mãe",
            "smørrebrød Ærø Łódź Þór Đorđe Ångström",
            "İstanbul ISPARTA ılık",
            "Ёлка ёлка МОСКВА м'ята комп’ютер",
            "Ὀδυσσεύς ΟΔΥΣΣΕΥΣ",
            "שָׁלוֹם צה״ל צה\"ל",
            "مُحَمَّد الـــعربية ایران كتاب ٢٠٢٤ ۱۲",
            "می\u{200C}خواهم",
            "हिन्दी क़लम தமிழ் ১২৩",
            "Tiếng Việt",
            "col·lecció coŀlecció",
        ],
        expect![[r#"
            \u{bf}Dónde está el niño? Mañana, corazón = dond esta el nino manana corazon ? nino manana corazon
            Straße STRASSE Fußgänger über die Häuser = strass strass fussgang uber die hauser ? strass fussgang uber die hauser
            l'homme d\u{2019}accord aujourd'hui qu'il Œuvre = homm accord aujourdhui il oeuvr
            dell'arte perché città = art perch citta
            não coração à mãe = nao coracao a mae ? coracao mae
            smørrebrød Ærø Łódź Þór Đorđe Ångström = smorrebrod aero lodz thor dord angstrom
            İstanbul ISPARTA ılık = istanbul isparta ilik
            Ёлка ёлка МОСКВА м'ята комп\u{2019}ютер = елка елка москва мята компютер ? елка москва мята компютер
            Ὀδυσσεύς ΟΔΥΣΣΕΥΣ = οδυσσευσ οδυσσευσ ? οδυσσευσ
            ש\u{5b8}\u{5c1}לו\u{5b9}ם צה\u{5f4}ל צה"ל = שלום צהל צהל ? שלום צהל
            م\u{64f}ح\u{64e}م\u{64e}\u{651}د ال\u{640}\u{640}\u{640}عربية ایران كتاب ٢٠٢٤ ۱۲ = محمد العربية ايران كتاب 2024 12
            می\u{200c}خواهم = ميخواهم
            हिन्दी क़लम தமிழ் ১২৩ = हिन्दी क़लम தமிழ் 123
            Tiếng Việt = tieng viet
            col\u{b7}lecció coŀlecció = colleccio col leccio colleccio col leccio ? colleccio col leccio
        "#]],
    );
}

#[test]
fn scripts_without_spaces_give_pairs() {
    check(
        &[
            "世界改变了",
            "猫",
            "東京タワーで会いましょう",
            "ガギグ ｶﾞｷﾞｸﾞ カキク",
            "한국어를 배우다",
            "ภาษาไทย ที่ ก",
            "ພາສາລາວ",
            "ភាសាខ្មែរ",
            "မြန်မာ",
            "Rust语言第3章 GPT-4模型，你好。",
            "file_中文.txt",
        ],
        expect![[r#"
            世界改变了 = 世 世界 界 界改 改 改变 变 变了 了 ? 世界 界改 改变 变了
            猫 = 猫
            東京タワーで会いましょう = 東 東京 京 京タ タ タワ ワ ワー ー ーで で で会 会 会い い いま ま まし し しょ ょ ょう う ? 東京 京タ タワ ワー ーで で会 会い いま まし しょ ょう
            ガギグ ｶﾞｷﾞｸﾞ カキク = ガ ガギ ギ ギグ グ ガ ガギ ギ ギグ グ カ カキ キ キク ク ? ガギ ギグ カキ キク
            한국어를 배우다 = 한 한국 국 국어 어 어를 를 배 배우 우 우다 다 ? 한국 국어 어를 배우 우다
            ภาษาไทย ที่ ก = ภ ภา า าษ ษ ษา า าไ ไ ไท ท ทย ย ท ที ี่ ก ? ภา าษ ษา าไ ไท ทย ที ี่ ก
            ພາສາລາວ = ພ ພາ າ າສ ສ ສາ າ າລ ລ ລາ າ າວ ວ ? ພາ າສ ສາ າລ ລາ າວ
            ភាសាខ្មែរ = ភ ភា ាស ស សា ាខ ខ ខ្ ្ម ម មែ ែរ រ ? ភា ាស សា ាខ ខ្ ្ម មែ ែរ
            မြန်မာ = မ မြ ြန န န် ်မ မ မာ ? မြ ြန န် ်မ မာ
            Rust语言第3章 GPT-4模型\u{ff0c}你好\u{3002} = rust 语 语言 言 言第 第 3 章 gpt·4 gpt 4 模 模型 型 你 你好 好 ? rust 语言 言第 3 章 gpt·4 gpt 4 模型 你好
            file_中文.txt = file 中 中文 文 txt ? file 中文 txt
        "#]],
    );
}

#[test]
fn composed_or_not_a_text_gives_the_same() {
    for text in
        ["がぎぱ ガギパ", "한국어", "été Łódź", "क़लम", "ที่นี่", "ဦး", "שׁלום", "أحمد", "Ὀδυσσεύς", "Tiếng Việt"]
    {
        assert_eq!(terms(text), terms(&text.nfd().collect::<String>()));
        assert_eq!(terms(text), terms(&text.nfkc().collect::<String>()));
    }
}

#[test]
fn compounds_give_whole_and_parts() {
    check(
        &[
            "foo_bar fooBar FooBar foo-bar foo__bar",
            "foo-bar.rs v1.2.3 user@example.com",
            "src/recall/tokenize.rs:42 ~/.config/memtape.toml C:\\Users\\me",
            "https://example.com/a?b=c#d std::fs::File --dry-run",
            "parseHTTPRequest URLs IDs iPhone GitHub utf8 UTF-8 Base64Encoder x86_64",
            "e-mail email Wi-Fi state-of-the-art and/or R&D wait...what end.Start",
            "9f0c3b77a1 aGVsbG8gd29ybGQgdGhpcyBpcw 550e8400-e29b-41d4-a716-446655440000",
            "C++ C# .net #42 $HOME @alice -x-y /usr/bin",
            "well- known foo -bar a--b",
        ],
        expect![[r#"
            foo_bar fooBar FooBar foo-bar foo__bar = foobar foo bar foobar foo bar foobar foo bar foobar foo bar foobar foo bar ? foobar foo bar
            foo-bar.rs v1.2.3 user@example.com = foobar·rs foo bar rs v1·2·3 v1 1 2 3 user·example·com user exampl com ? foobar·rs foo bar rs v1·2·3 v1 1 2 3 user·example·com user exampl
            src/recall/tokenize.rs:42 ~/.config/memtape.toml C:\Users\me = src·recall·tokenize·rs·42 src recal token rs 42 config·memtape·toml config memtap toml c users·me user me ? src·recall·tokenize·rs·42 src recal token rs 42 config·memtape·toml config memtap toml c users·me user
            https://example.com/a?b=c#d std::fs::File --dry-run = https example·com·a exampl com a b c d std·fs·file std fs file dryrun dri run ? https example·com·a exampl b c d std·fs·file std fs file dryrun dri run
            parseHTTPRequest URLs IDs iPhone GitHub utf8 UTF-8 Base64Encoder x86_64 = parsehttprequest pars http request url id iphon phone github git hub utf8 utf 8 utf·8 utf 8 base64encoder base64 base 64 encod x86·64 x86 86 64 ? parsehttprequest pars http request url id iphon phone github git hub utf8 utf 8 utf·8 base64encoder base64 base 64 encod x86·64 x86 86
            e-mail email Wi-Fi state-of-the-art and/or R&D wait...what end.Start = email e mail email wifi wi fi stateoftheart state of the art and·or and or r·d r d wait what end·start end start ? email e mail wifi wi fi stateoftheart state art and·or r·d r d wait end·start end start
            9f0c3b77a1 aGVsbG8gd29ybGQgdGhpcyBpcw 550e8400-e29b-41d4-a716-446655440000 = 9f0c3b77a1 agvsbg8gd29ybgqgdghpcybpcw 550e8400·e29b·41d4·a716·446655440000 550e8400 550 8400 e29b 29 41d4 41 4 a716 716 446655440000
            C++ C# .net #42 $HOME @alice -x-y /usr/bin = c c net 42 home alic xy x y usr·bin usr bin ? c net 42 home alic xy x y usr·bin usr bin
            well- known foo -bar a--b = well known foo bar a b ? well known foo bar b
        "#]],
    );
}

#[test]
fn numbers_stay_whole() {
    check(
        &[
            "7:30 2026-02-10 12.5 12,5 1,000 1,000,000.50",
            "7:30pm 10km 3.14% 1,2,3 (555) 123-4567",
            "2026-02-10T10:00:00Z 2020–2024 50/50 +1",
        ],
        expect![[r#"
            7:30 2026-02-10 12.5 12,5 1,000 1,000,000.50 = 7·30 7 30 2026·02·10 2026 02 10 12·5 12 5 12·5 12 5 1000 1 000 1000000·50 1 000 000 50 ? 7·30 7 30 2026·02·10 2026 02 10 12·5 12 5 1000 1 000 1000000·50 50
            7:30pm 10km 3.14% 1,2,3 (555) 123-4567 = 7·30pm 7 30pm 30 pm 10km 10 km 3·14 3 14 1·2·3 1 2 3 555 123·4567 123 4567 ? 7·30pm 7 30pm 30 pm 10km 10 km 3·14 3 14 1·2·3 1 2 555 123·4567 123 4567
            2026-02-10T10:00:00Z 2020\u{2013}2024 50/50 +1 = 2026·02·10t10·00·00z 2026 02 10t10 10 10 00 00z 00 2020 2024 50·50 50 50 1 ? 2026·02·10t10·00·00z 2026 02 10t10 10 00 00z 2020 2024 50·50 50 1
        "#]],
    );
}

#[test]
fn emoji_are_terms() {
    check(
        &[
            "I ❤️ it ❤ 👍👍🏽 👨‍👩‍👧 👩🏽‍🌾 🇫🇷🇩🇪 1️⃣ ✅ done✅ok",
            "a\u{200D}👍 👍\u{200D} 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} 🏽",
        ],
        expect![[r#"
            I ❤\u{fe0f} it ❤ 👍👍\u{1f3fd} 👨\u{200d}👩\u{200d}👧 👩\u{1f3fd}\u{200d}🌾 🇫🇷🇩🇪 1\u{fe0f}\u{20e3} ✅ done✅ok = i ❤ it ❤ 👍 👍 👨‍👩‍👧 👩‍🌾 🇫🇷 🇩🇪 1 ✅ done ✅ ok ? ❤ 👍 👨‍👩‍👧 👩‍🌾 🇫🇷 🇩🇪 1 ✅ done ok
            a\u{200d}👍 👍\u{200d} 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} \u{1f3fd} = a 👍 👍 🏴 ? 👍 🏴
        "#]],
    );
}

#[test]
fn what_is_no_word_gives_nothing() {
    let seen = "| \t\r\n\0|!?\"*()[]{}^~`|---|...|''|\u{E000}\u{10FFFF}";
    let unseen = "\u{301}\u{301}|\u{93F} \u{E34}|\u{202E}\u{200D}\u{FE0F}|\u{3164}\u{115F}|\u{200B}";
    for text in seen.split('|').chain(unseen.split('|')) {
        assert_eq!(terms(text), [""; 0], "{text:?}");
        assert_eq!(query_terms(text), [""; 0], "{text:?}");
    }
}

#[test]
fn a_query_drops_stop_words_unless_it_has_no_other() {
    check(
        &[
            "what did she say about the trip to LA",
            "to be or not to be",
            "Who is in IT?",
            "¿Qué es lo que dónde?",
            "dogs dog Dog's DOG",
        ],
        expect![[r#"
            what did she say about the trip to LA = what did she say about the trip to la ? say trip la
            to be or not to be = to be or not to be ? to be or not
            Who is in IT? = who is in it ? it
            \u{bf}Qué es lo que dónde? = que es lo que dond ? que es lo dond
            dogs dog Dog's DOG = dog dog dog dog ? dog
        "#]],
    );
    // Words of one language that are stop words in another.
    for word in "die war man hat son plus pour sin hay todo ate mais su du id ai".split(' ') {
        assert_eq!(query_terms(&format!("the {word}")), terms(word));
    }
}

#[test]
fn a_query_has_its_first_terms_only() {
    let words: Vec<String> = (0..1000).map(|n| format!("the word{n:04}x")).collect();
    let long = words.join(" ");
    let asked = query_terms(&long);
    assert_eq!(asked.len(), QUERY_TERMS_MAX);
    assert_eq!(asked[0], "word0000x");
    assert!(asked.contains(&"word0010x".to_owned()));
    assert_eq!(query_terms(&"the of ".repeat(1000)), ["the", "of"]);
}

#[test]
fn a_long_term_is_cut_the_same_on_both_sides() {
    for long in
        ["a".repeat(1000), "é".repeat(1000), "ab.".repeat(1000), "😀\u{200D}".repeat(100), "ß".repeat(63)]
    {
        let stored = terms(&long);
        assert_sound(&stored);
        assert_eq!(stored[0], query_terms(&long)[0]);
    }
}

#[test]
fn every_character_is_sound() {
    // Beyond these are unassigned and private planes, and the tags and selectors of the last range.
    for c in ('\0'..='\u{32000}').chain('\u{E0000}'..='\u{E0200}') {
        assert_sound(&terms(&format!("{c} a{c}b {c}{c}")));
    }
}

/// Long texts that have each made some tokenizer slow: in quadratic time the test would not end.
#[test]
fn hostile_texts_take_linear_time() {
    let patterns = "a|A|aA|a1|aT1|a.|a'|'a|a::|1,000,|\"א|中|か\u{3099}|\u{1100}\u{1161}|👍|👍\u{200D}|🇫|\u{200D}|\
        .\u{200D}|\u{FDFA}|\0|y|ing|a\u{301}|\u{301}|\u{327}\u{301}|\u{93F}|\u{3099}\u{E34}|\u{E38}\u{E48}| |\
        \r\n|the |word ";
    for pattern in patterns.split('|') {
        let text = pattern.repeat(100_000 / pattern.len());
        assert_sound(&terms(&text));
        assert!(query_terms(&text).len() <= QUERY_TERMS_MAX);
    }
}

/// Fragments that reach every branch of the tokenizer, which random text rarely does.
fn fragment() -> impl Strategy<Value = String> {
    let telling = " |\n|'|’|\"|,|.|-|_|::|/|@|·|T|a|B|foo|Bar|the|s|ll|d|1|42|000|é|e\u{301}|İ|ß|Σ|я|א|״|م|ـ|\
        कि|\u{93F}|中|文字|カ|か\u{3099}|\u{3099}|한|\u{1112}\u{1161}|ไทย|\u{E34}|👍|🏽|\u{200D}|\u{FE0F}|🇫|\
        \u{200B}|\u{AD}|\u{202E}|\0|½|\u{FDFA}|\u{A8}|٣|Ⅷ|ⓐ|🅐|\u{2028}|\u{7F}|\r\n|\u{37E}|\u{387}";
    let telling = prop::sample::select(telling.split('|').collect::<Vec<_>>());
    prop_oneof![8 => telling.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_keeps_the_invariants(text in any::<String>()) {
        assert_invariants(&text);
    }

    #[test]
    fn telling_text_keeps_the_invariants(text in prop::collection::vec(fragment(), 0..40)) {
        assert_invariants(&text.concat());
    }

    #[test]
    fn any_part_of_a_run_finds_it(run in "[一-龥ぁ-んァ-ヴ가-힣]{1,20}", from in 0..20_usize, length in 1..20_usize) {
        let known = terms(&run);
        let part: String = run.chars().skip(from).take(length).collect();
        prop_assert!(query_terms(&part).iter().all(|term| known.contains(term)), "{part} in {run}");
    }

    #[test]
    fn any_plain_word_finds_its_text(text in "([a-zA-Zéß]{1,8}[ ._/@,;-]{1,2}){1,8}") {
        let known = terms(&text);
        for word in text.split(|c: char| !c.is_alphabetic()) {
            prop_assert!(query_terms(word).iter().all(|term| known.contains(term)), "{word} in {text}");
        }
    }

    #[test]
    fn case_and_accents_of_a_word_do_not_matter(word in "[a-zàéîõüñçåøœßžłđ]{1,12}") {
        prop_assert_eq!(terms(&word), terms(&word.to_uppercase()));
        prop_assert_eq!(terms(&word), terms(&word.nfd().collect::<String>()));
    }
}
