//! Requests to forget in Chinese and Japanese.

use std::ops::Range;
use std::sync::LazyLock;

use memtape_language::kana::is_kana;
use regex::Regex;

use super::place::Place;
use crate::latin::simplified;

/// How Chinese asks to forget: the words before the verb, the verb, what it names, and particles. "忘了" and "忘记" are also the
/// past tense of "forget".
const VERB_FIRST: &str = "^ ?(?P<ask>{ask}*)(?P<verb>{verb})(?P<named>.+?)(?P<end>[吧了吗啊呗]*) ?$";
const VERB_LAST: &str =
    "^ ?(?P<ask>{ask}*)把(?P<named>.+?)(?P<verb>{verb})(?P<end>(?:吧|了|吗|啊|呗|好吗|可以吗|行吗)*) ?$";
const ASK: &str = "(?:请|麻烦|帮我|帮忙|你|能不能|可不可以|能|可以)";
const VERB: &str = "(?:忘了|忘掉|忘记|删掉|删除)";
/// What such a request names: what was said just before, all that was ever said, a matter, one of the speaker's, or a
/// statement.
const LAST: &str = "^我?(?:刚才|刚刚|之前|上面)(?:说|讲|写|告诉你)的(?:话|那些话?|内容|东西)?$";
const ALL: &str = "^(?:所有|一切|全部)?(?:我(?:跟你|对你|告诉你?)?(?:说过?|讲过?|告诉你)?的?(?:一切|所有事?|全部)|关于我的(?:一切|所有|全部).{0,3}|我(?:说过|告诉你)的所有.{0,3})$";
const MATTER: &str = "^(?:有关|关于)(.{1,12}?)的(?:一切|所有|全部|事情?|信息)";
const OWN: &str = "^我(?:家)?的[^是有在叫对住]{1,8}$";
const STATEMENT: &str = "^我.|^[^我你这那了关有刚之把]{2,8}(?:对|有|是|在|患|怀|得了|住|不).";
/// Words at the end of what is to be forgotten.
const TAIL: &str = "(?:从(?:你的?)?(?:记忆|记录)[里中]?|(?:的)?(?:这件事|这个|事情|事|信息|记忆)| )*$";
/// What of a person can be deleted from the memory. Anything else may be the thing itself: "删除我的网站".
const PERSONAL: &str = "^我(?:家)?的?(?:.{0,2}地址|住址|电话|.{0,2}号码?|生日|姓?名字?|年龄|工资|收入|体重|身高|职业|.{0,6}(?:过敏|病|症|癫痫|怀孕))|^我(?:家)?(?:对|有|是|在|患|怀|得|住|不|叫|姓)|记忆";
/// Words that make the wish one for a while.
const FOR_NOW: &str = "暂时|先(?:忘|把|删)|这一?次|今回だけ|今日は|とりあえず";
/// How Japanese asks to forget what was said just before, all that was ever said, or what it names.
const JAPANESE_LAST: &str = "^ ?(?:今|さっき|先ほど|いま)(?:言った|話した|書いた)(?:こと|話|の|やつ)は?(?:もう)?(?:忘れて|削除して|消して)(?:ください|下さい|ね|くれ)* ?$";
const JAPANESE_ALL: &str = "^ ?(?:(?:これまで|今まで)(?:に)?)?(?:私|僕|俺)(?:について|に関する|のこと|の(?:情報|データ|記憶)|が(?:これまで|今まで)?(?:に)?(?:言った|話した|教えた)こと)(?:の?情報|の?データ|のこと|知っていること)?(?:は|を)?(?:全部|すべて|全て)(?:忘れて|削除して|消して)(?:ください|下さい|ね|くれ)* ?$";
const JAPANESE_NAMED: &str = "^ ?(?:(?:私|僕|俺)(?:の|が|は))?(?P<named>.+?)(?P<of>という|の)?(?:こと|件|話)(?:は|を)?(?:もう)?(?:忘れて|覚えなくて(?:も)?いい|消して|削除して)(?P<end>(?:ください|下さい|ほしい|くれ|です|ね|よ)*) ?$";
/// The same of what of a person Japanese asks to delete without a word like "こと": "私の住所を消してください".
const JAPANESE_OWN: &str = "^ ?(?P<named>(?:私|僕|俺)の(?:住所|電話番号|携帯番号|メールアドレス|番号|誕生日|生年月日|名前|年齢|給料|年収|体重|身長|職業|アレルギー|病気))(?:のこと)?(?:は|を)?(?:もう)?(?:忘れて|消して|削除して)(?:ください|下さい|ほしい|くれ)(?:です|ね|よ)* ?$";
const JAPANESE_FORGET: &str =
    "(?:忘れて|覚えなくて(?:も)?いい)(?:ください|下さい|ほしい|くれ|です|ね|よ)* ?$";
/// First words of what Japanese names that refer to something else, or to somebody.
const JAPANESE_OTHERS: &str = "^[こそあ](?:の|れ|んな|$)|^(?:今|さっき|先ほど|昨日|全部|すべて|全て)|(?:夫|妻|旦那|主人|嫁|母|父|親|兄|姉|弟|妹|息子|娘|子供|彼|彼女|友達|友人|上司|同僚|部下|先輩|先生|医者|さん|君|くん|ちゃん|あなた|誰|みんな)[がはも]";

/// What a request in Chinese or Japanese names.
pub(super) enum Named {
    /// What the speaker said just before.
    Last,
    /// All that they ever said.
    All,
    /// A matter.
    Matter(Range<usize>),
    /// A statement.
    Statement(Range<usize>),
}

/// Returns what a sentence asks to forget; `None` if it does not ask.
pub(super) fn named(place: &Place<'_>) -> Option<Named> {
    static LATER: LazyLock<Regex> = LazyLock::new(|| simplified(FOR_NOW));
    let text = place.text();
    if !text.contains(['忘', '删', '削', '消', '覚', '觉']) {
        return None;
    }
    let found = if text.contains(is_kana) { japanese(place) } else { chinese(place) };
    found.filter(|found| matches!(found, Named::Last) || !LATER.is_match(text))
}

fn chinese(place: &Place<'_>) -> Option<Named> {
    static FRAMES: LazyLock<[Regex; 2]> = LazyLock::new(|| {
        [VERB_LAST, VERB_FIRST].map(|frame| simplified(&frame.replace("{ask}", ASK).replace("{verb}", VERB)))
    });
    static NAMES: LazyLock<[Regex; 6]> =
        LazyLock::new(|| [LAST, ALL, MATTER, OWN, STATEMENT, PERSONAL].map(simplified));
    static END: LazyLock<Regex> = LazyLock::new(|| simplified(TAIL));
    let text = place.text();
    let found = FRAMES.iter().find_map(|frame| frame.captures(text))?;
    let part = |name: &str| found.name(name).map_or("", |part| part.as_str());
    let (ask, verb, end) = (part("ask"), part("verb"), part("end"));
    let is_able = ask.contains(['能', '可']) || end.contains("好吗") || end.contains(['可', '行']);
    let is_polite = is_able || ask.contains(['请', '烦', '帮']) || end.contains('吧');
    let is_question = place.sentence().asked || end.contains('吗');
    // "你忘了" and "忘记…了" reproach or report. "忘记" without a word of request is one only if nothing else is said.
    let may_be_past = ask.contains('你') || verb.ends_with('了') || end.contains('了');
    let may_report = verb.ends_with('记') && (!place.is_alone() || text.contains(" , "));
    if is_question && !is_able || !is_polite && (may_be_past || may_report) {
        return None;
    }
    let named = found.name("named")?;
    let [last, all, matter, own, statement, personal] = &*NAMES;
    if last.is_match(named.as_str()) {
        return Some(Named::Last);
    }
    if all.is_match(named.as_str()) {
        return Some(Named::All);
    }
    if let Some(about) = matter.captures(named.as_str()).and_then(|about| about.get(1)) {
        return Some(Named::Matter(named.start() + about.start()..named.start() + about.end()));
    }
    let deletes_thing = verb.starts_with('删') && !personal.is_match(named.as_str());
    if deletes_thing || !statement.is_match(named.as_str()) {
        return None;
    }
    let end = END.find(named.as_str()).map_or(named.end(), |tail| named.start() + tail.start());
    let range = named.start()..end;
    Some(match own.is_match(&text[range.clone()]) {
        true => Named::Matter(range),
        false => Named::Statement(range),
    })
}

fn japanese(place: &Place<'_>) -> Option<Named> {
    static NAMES: LazyLock<[Regex; 5]> = LazyLock::new(|| {
        [JAPANESE_LAST, JAPANESE_ALL, JAPANESE_OWN, JAPANESE_NAMED, JAPANESE_OTHERS].map(simplified)
    });
    let [last, all, own, matter, others] = &*NAMES;
    let text = place.text();
    if place.sentence().asked {
        return None;
    }
    if last.is_match(text) {
        return Some(Named::Last);
    }
    if all.is_match(text) {
        return Some(Named::All);
    }
    if let Some(named) = own.captures(text).and_then(|found| found.name("named")) {
        return Some(Named::Matter(named.range()));
    }
    let found = matter.captures(text)?;
    let named = found.name("named").filter(|named| !others.is_match(named.as_str()))?;
    let is_matter = found.name("of").is_some_and(|of| of.as_str() == "の");
    // "仕事のことは忘れて" is as often a good advice, and what has a subject may be said of somebody who forgets.
    let is_polite = found.name("end").is_some_and(|end| end.as_str().chars().count() > 1);
    match is_matter {
        true => is_polite.then(|| Named::Matter(named.range())),
        false if !is_polite && named.as_str().contains(['が', 'は']) => None,
        false => Some(Named::Statement(named.range())),
    }
}

/// Returns whether the clause of a sentence that begins at a position is a request to forget, whatever it names: Chinese begins
/// with the verb, or with what the verb names, and Japanese ends with it.
pub(super) fn asks_to_forget(sentence: &str, clause: usize) -> bool {
    static JAPANESE: LazyLock<Regex> = LazyLock::new(|| simplified(JAPANESE_FORGET));
    static CHINESE: LazyLock<Regex> =
        LazyLock::new(|| simplified("^ ?(?:请|麻烦|帮我|你|先)*(?:把[^,]+?)?(?:忘了|忘掉|忘记)"));
    match sentence.contains(is_kana) {
        true => JAPANESE.is_match(sentence),
        false => {
            sentence.contains('忘') && {
                // One that begins in the middle, after a comma, or is divided itself.
                let is_within = CHINESE.find(sentence).is_some_and(|found| clause < found.end());
                is_within || CHINESE.is_match(&sentence[clause..])
            }
        }
    }
}
