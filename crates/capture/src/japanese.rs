//! The table of Japanese. Characters that Chinese writes more simply are folded to that form: `週` is `週`, `後` is `後`.

use memtape_language::han::is_han;
use memtape_language::kana::is_kana;

use super::language::{DayWord, Language, When, day};

pub(super) static TABLE: Language = Language {
    spaced: false,
    is_romance: false,
    fragments: FRAGMENTS,
    openers: "こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして|初めまして|お世話になって(?:おり|い)ます|お疲れ(?:様|さま)です|お疲れ|やあ|ねえ|ねぇ|あのね|あのさ|あのう|あのー|あの(?:、| , )|えっと|えーと|ええと|えー|うーん|あー|ああ(?:、| , )|まあ(?:、| , )|\
              ちなみに|ところで|そういえば|そうそう|実は|ていうか|っていうか|というか|あと(?:、| , |は(?:、| , ))|それと|それから|それに|しかも|さらに|また(?:、| , )|なお(?:、| , )|ただ(?:、| , )|ただし|でも(?:、| , )?|けど|だけど|だが(?:、| , )|しかし|\
              なので|だから|ですから|そこで(?:、| , )|そのため|というのも|なぜなら|結局|つまり|要するに|要は|補足(?:です|すると)|参考までに|念のため|余談(?:だけど|ですが)|すみません(?:が)?|すいません|ごめん(?:なさい|ね)?|申し訳(?:ない|ありません)(?:が|けど)?|\
              (?:どうも)?ありがとう(?:ございます)?|了解(?:です)?|はい(?:、| , )|うん(?:、| , )|いえ(?:、| , )|いや(?:、| , )|そうですね|よろしく(?:お願いします)?|お願いします|個人的には|正直(?:言って|に言うと)?(?:、| , )|ぶっちゃけ|残念ながら|報告(?:です)?(?:、| , | : )",
    interjections: "つか|てか|補足|追記|朗報|速報",
    speaker: "私|僕|俺|うち|わたし|ぼく",
    closers: "[、 ]?(?:どうも)?ありがとう(?:ございます|ございました)?|[、 ](?:どうぞ)?(?:よろしく|宜しく)(?:お願い(?:し|致し|いたし)ます|ね)?|[、 ]お願いします|[、 ]?すみません|[、 ]?ごめん(?:ね|なさい)?|笑笑?|ww+|[、 ]草|\
              (?:なん|ん|の)?(?:です|だ)?(?:けれども|けれど|けども|けど)(?:ね)?|(?:なん|ん|の)?ですが(?:ね)?|な?ので(?:ね)?|(?:だ|です|や)から(?:ね)?|(?:や|じゃ)けん|やけど|なんで|ですし|、",
    session: "今回|今だけ|今(?:日|晩|夜|週|月)(?:だけ|のみ|に限り|一日|のところ)|今のところ|とりあえず|当面|しばらく|当分|一旦|いったん|一時的|臨時|例外的|この(?:スレッド|会話|チャット|セッション|メール|文章|返信|件|資料|レポート|記事|話|やりとり|課題|タスク)(?:で|だけ|に|は|の|中|内|限り)|\
              (?:明日|今日|来週|今週|月末|週末|{weekday})まで|(?:終|お)わるまで|(?:この[^ ]{1,6}|まで|旅行|出張|休み|休暇|連休|入院|留守)の(?:あいだ|間)(?:は|だけ|、)|^ ?今日は|^ ?今(?:晩|夜|週)は",
    past: "(?:[いきぎしじちにびみりえけげせぜてでねべめれっ]た|[死飲読転休頼住遊選運済込産積編噛組学]んだ)(?:[よねわんのかけがしさなぞっ]|から|ので|とき|時|り|ら|、|,| |$)|でした|ました|だった|かった",
    present: "こと[にと](?:した|しました|なった|なりました|決めた|決めました|決まった|決まりました)|(?:つもり|予定)(?:だった|でした)",
    doubtful: "",
    is_preterite: |_| false,
    arranged: "約束|予約|予定|申し込|キャンセル|延期|変更|変わ|決ま|決め|招待|誘わ|確保|チケット.*(?:買|取|当)",
    weekdays: [
        "月曜日|月曜",
        "火曜日|火曜",
        "水曜日|水曜",
        "木曜日|木曜",
        "金曜日|金曜",
        "土曜日|土曜",
        "日曜日|日曜",
    ],
    numbers: &["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"],
    days: DAYS,
};

const FRAGMENTS: &[(&str, &str)] = &[
    // What precedes a number of days, so that "二十日前" is not ten days ago.
    ("before", "(?:^|[^一二三四五六七八九十数0-9月、,])"),
];

const DAYS: &[DayWord] = &[
    day(When::Day(-2), "一昨日|おととい|おとつい|一昨晩"),
    day(When::Day(-1), "昨日|きのう|昨晩|昨夜|ゆうべ|昨夕"),
    day(When::Day(2), "明後日|あさって"),
    day(When::Day(1), "明日|あした|明朝|明晩"),
    day(When::Day(0), "今日|本日|今朝|けさ|今晩|今夜|(?:^|[^んっ])(きょう)(?:は|の|も|から|、|,| )"),
    day(When::Ago, "{before}({number}日(?:ほど|くらい|ぐらい)?前)"),
    day(When::Ahead, "{before}({number}日後)"),
    day(
        When::None,
        "毎(?:週|月|日|朝|晩)|隔週|平日|{weekday}(?:と|や|か|、|,|/|から|・|または){weekday}|第[一二三四五1-5]{weekday}|{weekday}(?:ごと|定休|休み|だけ|のみ|はいつも|は毎|は休)|{weekday}[^ ]*(?:なし|禁止|ないと決め|ないって)|(?:来|先|今)月の|これからは.*{weekday}",
    ),
    day(When::Week(-2), "先々週の?{weekday}"),
    day(When::Week(2), "再来週の?{weekday}"),
    day(When::Week(-1), "(?:先週|前の週)の?{weekday}"),
    day(When::Week(1), "(?:来週|次の週|翌週)の?{weekday}"),
    day(When::Week(0), "今週の?{weekday}"),
    day(When::Last, "(?:この前|こないだ|この間|前)の{weekday}"),
    day(When::Coming, "(?:今度|こんど|次|つぎ)の{weekday}"),
    day(When::None, "{weekday}.*{weekday}"),
    day(When::Nearest, "{weekday}"),
    day(When::Day(0), "先ほど|先程|さっき|たった今"),
];

/// Polite and spoken forms of "to be" and of adjectives, and the plain ones.
const TO_BE: &[(&str, &str)] = &[
    ("あらない", "ない"),
    ("あらなかった", "なかった"),
    ("嫌いです", "嫌いだ"),
    ("きれいです", "きれいだ"),
    ("いです", "い"),
    ("かったです", "かった"),
    ("である", "だ"),
    ("でした", "だった"),
    ("です", "だ"),
    ("んでる", "んでいる"),
    ("ってる", "っている"),
    ("してる", "している"),
    ("いてる", "いている"),
    ("べてる", "べている"),
];
/// Polite endings of verbs, with the plain ones of verbs that take them after "e" or "i".
const POLITE: &[(&str, &str)] =
    &[("ませんでした", "なかった"), ("ません", "ない"), ("ました", "た"), ("ます", "る")];
/// The last sound of other verbs before a polite ending, before each of the plain ones: "飲み", "飲ま", "飲ん", "飲む".
const ROWS: &[(char, &str, &str, &str)] = &[
    ('き', "か", "いた", "く"),
    ('ぎ', "が", "いだ", "ぐ"),
    ('し', "さ", "した", "す"),
    ('ち', "た", "った", "つ"),
    ('に', "な", "んだ", "ぬ"),
    ('び', "ば", "んだ", "ぶ"),
    ('み', "ま", "んだ", "む"),
    ('り', "ら", "った", "る"),
    ('い', "わ", "った", "う"),
];
/// The ends of verbs that only lose an ending: those in "e", the frequent ones in "i", and those of one character.
const SAME_STEMS: &[&str] = &[
    "え", "け", "げ", "せ", "ぜ", "て", "で", "ね", "べ", "め", "れ", "じ", "起き", "生き", "でき", "飽き",
    "借り", "足り", "浴び", "伸び", "落ち", "満ち", "過ぎ", "すぎ", "用い", "てみ", "をみ", "てい", "でい",
    "がい", "にい", "もい", "はい", "人い", "匹い", "頭い", "見", "着", "寝", "出", "来", "居", "得", "似",
    "診",
];
/// The last character of verbs that end with "す" after a noun of one character: "毎日話します", but not "電話します".
const SU_VERBS: &str = "話出貸消探渡返直示指押隠壊倒残写移回通流試刺差越許申戻治乾";
/// Characters after which such a verb is no second one of a noun: "毎日", "週一回".
const BEFORE_VERBS: &str = "日朝晩夜週月年時回度分";

/// Particles between an owner and what is theirs.
const PARTICLES: [char; 5] = ['の', 'は', 'が', 'に', 'も'];

/// Returns the words for the speaker.
fn speakers() -> impl Iterator<Item = &'static str> {
    TABLE.speaker.split('|')
}

/// Returns a matter without the words that make it the speaker's: "住所" of "私の住所"; `None` if it has none.
pub(super) fn of_speaker(matter: &str) -> Option<&str> {
    speakers().find_map(|speaker| matter.strip_prefix(speaker)?.strip_prefix('の'))
}

/// Returns whether the words of a statement before a matter name somebody else: "母の住所", "妻は卵アレルギー".
pub(super) fn is_of_other(before: &str) -> bool {
    let own = speakers().find_map(|speaker| before.strip_prefix(speaker));
    own.map_or(before, |rest| rest.trim_start_matches(PARTICLES)).contains(PARTICLES)
}

/// Returns a text without the words for its speaker at its start and with plain forms of its verbs: "私は大阪に住んでいます" says
/// the same as "大阪に住んでいる", and "コーヒーを飲みます" as "コーヒーを飲む".
pub(super) fn with_plain_forms(text: &str) -> String {
    let of_speaker = speakers().filter_map(|speaker| text.strip_prefix(speaker)?.strip_prefix(['は', 'が']));
    let text = of_speaker.map(|rest| rest.trim_start_matches('、')).next().unwrap_or(text);
    let plain = with_plain_verbs(text);
    let plain = TO_BE.iter().fold(plain, |text, (polite, plain)| text.replace(polite, plain));
    // "コーヒーが好きな" of "コーヒーが好きなこと" says what "コーヒーが好きだ" does, but "さかな" is a noun.
    let is_hiragana = |c: char| is_kana(c) && c < 'ァ';
    let is_adjective = |stem: &str| {
        ["好き", "嫌い", "だめ"].iter().any(|end| stem.ends_with(end)) || !stem.ends_with(is_hiragana)
    };
    match plain.strip_suffix('な') {
        Some(stem) if is_adjective(stem) => format!("{stem}だ"),
        _ => plain,
    }
}

/// Returns a text with the plain forms of its polite verbs.
fn with_plain_verbs(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('ま') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let polite = POLITE.iter().find(|(polite, _)| rest.starts_with(polite));
        let length = match polite {
            Some((polite, ending)) if plain_verb(&mut plain, ending) => polite.len(),
            _ => {
                plain.push('ま');
                'ま'.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    plain + rest
}

/// Replaces the end of a verb before a polite ending by that of its plain form, whose ending is `ending` if the verb only
/// loses the polite one. Returns whether the text ends with a verb.
fn plain_verb(text: &mut String, ending: &str) -> bool {
    if SAME_STEMS.iter().any(|stem| text.ends_with(stem)) {
        text.push_str(ending);
        return true;
    }
    let Some(&(_, denied, past, present)) = ROWS.iter().find(|(last, ..)| text.ends_with(*last)) else {
        return false;
    };
    text.pop();
    if present == "す" && is_done(text) {
        text.push_str(if ending == "る" { "す" } else { "し" });
        text.push_str(ending);
        return true;
    }
    match ending {
        "る" => text.push_str(present),
        "た" => text.push_str(if text.ends_with('行') { "った" } else { past }),
        _ => {
            text.push_str(denied);
            text.push_str(ending);
        }
    }
    true
}

/// Returns whether a text before "します" names what is done: "勉強", "ジョギングを", but not "話" of "話します" and "暮ら" of
/// "暮らします".
fn is_done(text: &str) -> bool {
    let mut before = text.chars().rev();
    let (last, other) = (before.next(), before.next());
    match last {
        Some(verb) if SU_VERBS.contains(verb) => {
            other.is_some_and(|other| is_han(other) && !BEFORE_VERBS.contains(other))
        }
        // "落とします"
        Some('と') => !other.is_some_and(is_han),
        Some(kana) => !"らかやごこさなわばまろぼのゆ".contains(kana),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ending, Forget, Left};

    #[test]
    fn a_matter_of_the_speaker_in_japanese_is_nobody_else_s() {
        for (statement, matter, expected) in [
            ("住所は渋谷区1-2です", "私の住所", true),
            ("私の住所は渋谷区1-2です", "私の住所", true),
            ("僕の電話番号は0312345678です", "私の電話番号", true),
            ("卵アレルギーがあります", "私のアレルギー", true),
            ("母の住所は渋谷区1-2です", "私の住所", false),
            ("私の母の住所は渋谷区1-2です", "私の住所", false),
            ("妻は卵アレルギーです", "私のアレルギー", false),
        ] {
            let forget = Forget { text: matter.to_owned(), is_matter: true, is_all: true };
            let left = Ending::asked(&forget).unwrap().left_of(statement);
            assert_eq!(left == Some(Left::Nothing), expected, "{statement} | {matter}: {left:?}");
        }
    }

    #[test]
    fn polite_verbs_have_plain_forms() {
        for (polite, plain) in [
            ("東京で働きます", "東京で働く"),
            ("毎朝コーヒーを飲みます", "毎朝コーヒーを飲む"),
            ("毎朝パンを食べます", "毎朝パンを食べる"),
            ("甘いものを好みます", "甘いものを好む"),
            ("毎日日本語を勉強します", "毎日日本語を勉強する"),
            ("毎朝ジョギングをします", "毎朝ジョギングをする"),
            ("毎週母と電話します", "毎週母と電話する"),
            ("英語を話します", "英語を話す"),
            ("毎日話します", "毎日話す"),
            ("一人で暮らします", "一人で暮らす"),
            ("六時に起きます", "六時に起きる"),
            ("眼鏡を使います", "眼鏡を使う"),
            ("自転車で会社に行きます", "自転車で会社に行く"),
            ("テレビを見ます", "テレビを見る"),
            ("十時に寝ます", "十時に寝る"),
            ("泳ぐことができます", "泳ぐことができる"),
            ("五時に帰ります", "五時に帰る"),
            ("バスを待ちます", "バスを待つ"),
            ("友達と遊びます", "友達と遊ぶ"),
            ("肉を食べません", "肉を食べない"),
            ("お酒を飲みません", "お酒を飲まない"),
            ("料理をしません", "料理をしない"),
            ("京都に引っ越しました", "京都に引っ越した"),
            ("会社を辞めました", "会社を辞めた"),
            ("車を買いました", "車を買った"),
            ("パリに行きました", "パリに行った"),
            ("試験に受かりませんでした", "試験に受からなかった"),
            ("犬を飼っています", "犬を飼っている"),
            ("子供が二人います", "子供が二人いる"),
            ("車を持っていません", "車を持っていない"),
            ("アレルギーがあります", "アレルギーがある"),
            ("兄弟はありません", "兄弟はない"),
            ("大阪に住んでます", "大阪に住んでいる"),
            ("大阪に住んでる", "大阪に住んでいます"),
            ("猫が好きです", "猫が好きな"),
            ("辛いものは嫌いです", "辛いものは嫌いな"),
            ("背が高いです", "背が高い"),
            ("看護師でした", "看護師だった"),
            ("私は医者です", "医者である"),
        ] {
            assert_eq!(with_plain_forms(polite), with_plain_forms(plain), "{polite}");
        }
        for (one, other) in [
            ("肉を食べます", "肉を食べない"),
            ("肉を食べます", "肉を食べた"),
            ("コーヒーを飲みます", "コーヒーを飲まない"),
            ("切手を集めます", "切手を集まる"),
        ] {
            assert_ne!(with_plain_forms(one), with_plain_forms(other), "{one} | {other}");
        }
        for text in ["ますます忙しい", "励ますのが仕事だ", "まだ学生だ", "猫がいる", "さかな"]
        {
            assert_eq!(with_plain_forms(text), text);
        }
    }
}
