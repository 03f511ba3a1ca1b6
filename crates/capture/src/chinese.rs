//! The table of Chinese. Characters are folded into simplified ones, so traditional writing needs no patterns
//! of its own.

use super::language::{DayWord, Language, When, day};

pub(super) static TABLE: Language = Language {
    spaced: false,
    is_romance: false,
    fragments: FRAGMENTS,
    openers: "对了|哦对|另外|还有啊?|哈哈+|嗯+|其实|话说|顺便说一下|顺便说一声|顺便说|顺便|顺带一提|不好意思|好在|幸好|还好|万幸|(?:唯一的|有个|告诉你个)?(?:好消息|坏消息|喜讯)是?|说正事|说正经的|重点是|关键是|我先?自我介绍一下吧?|小声说|你好|您好|大家好|早上好|晚上好|所以|因此|于是|但是|可是|可惜|不过|而且|并且|因为|由于|毕竟|同步一下|跟大家同步一下|先说好|先说一下|再说一下|说一下|说一声|补充一下|补充一句|报告老板|更正一下|提醒一下|总之|反正|首先|其次|最后一点|一是|二是|三是|四是|一来|二来|第一点|第二点|第三点|第[一二三] ,|啊|唉|哎|哇|哎呀|天哪|行吧|好吧|麻烦你?|个人补充一句|这里说明一下|[0-9][、.)]",
    interjections: "哈|那个|但|注意|备注|行|好的|嗨|ok|hi|hey|hello|btw|fyi|ps|tmd",
    speaker: "我|你|您|他|她|咱|俺|大家",
    closers: "[ ,]哈+|啊|哦|呢|啦|呀|嘛|哟|喔|噢|谢谢|谢了|多谢|感谢|拜托|拜托了|[ ,]嘿+|[ ,]嘻+|thanks|thx|ty|ok|lol|orz",
    session: "(?:这次|这回|这一次|这一回|这一?(?:篇|封|份|条|段|章|稿|单|趟|轮|版)|本次|今天(?:[^起开]|$)|今晚|今早|今儿|今日|暂时|临时|先别|先不用|先不要|^ ?(?:你|就|那)?先(?:用|按|拿|照|给[^结答代重要原]|写|不|跳|忽|发|做|把)|顶一下|顶着|凑合|这两天|这几天|这周|这个月|本周|这阵子|这段时间|现在先|目前先|眼下|等我|我.+期间|的时候都?不用回|为止|就这一回|唯独这|接下来)",
    past: "^[^要]*(?:了|完|刚|没|过 ?$)",
    present: "没(?:空|时间|有|课|法|办法|事|什么|问题|钱|人)|[就快][^ ,]*了|(?:准备|打算)[^ ,]*了",
    doubtful: "就[^ ,]*了|没有",
    is_preterite: |_| false,
    arranged: "约[了好在]?|预约|预订|订了|定了|定在|改到|推迟|取消|答应|报了名?|买了.*票|邀请",
    weekdays: ["一", "二", "三", "四", "五", "六", "日|天"],
    numbers: &["一", "二|两", "三", "四", "五", "六", "七", "八", "九", "十"],
    days: DAYS,
};

const FRAGMENTS: &[(&str, &str)] = &[
    // What precedes a number of days, so that "二十天前" is not ten days ago.
    ("before", "(?:^|[^一二两三四五六七八九十百几多第0-9])"),
];

const DAYS: &[DayWord] = &[
    day(
        When::None,
        "每(?:周|星期|礼拜)|上个?(?:周|星期|礼拜)末|{weekday}到(?:周|星期|礼拜)|(?:周|星期|礼拜){weekday}(?:都|一般|通常)",
    ),
    // What is held again and again is moved to a day of each week.
    day(
        When::None,
        "(?:会|课|班|日|社课|起)[^ ,]{0,4}(?:改到|挪到|定在|调到|移到|改成)(?:周|星期|礼拜){weekday}|从[^ ,]+起(?:每|逢)?(?:周|星期|礼拜){weekday}",
    ),
    day(When::Day(-3), "大前天"),
    day(When::Day(-2), "前天|前晚|前儿"),
    day(When::Day(3), "大后天"),
    day(When::Day(-1), "昨天|昨晚|昨日|昨夜|昨儿个?"),
    day(When::Day(0), "今天|今早|今晚|今日|今儿个?|今晨|刚刚|刚才|^ ?(?:我|我们|咱)?(刚)[^刚才]"),
    day(When::Day(0), "^ ?(早上|上午|中午|下午|傍晚)[^ 我,]*了 ?$"),
    day(When::Day(1), "明天|明早|明晚|明日|明儿个?"),
    day(When::Day(2), "后天|后儿"),
    day(When::Ago, "{before}({number}天之?前)"),
    day(When::Ahead, "{before}({number}天之?后)"),
    day(When::Ahead, "再过{number}天"),
    day(When::Week(-2), "上上个?(?:周|星期|礼拜){weekday}"),
    day(When::Week(2), "下下个?(?:周|星期|礼拜){weekday}"),
    day(When::Week(-1), "上个?(?:周|星期|礼拜){weekday}"),
    day(When::Week(1), "下个?(?:周|星期|礼拜){weekday}"),
    day(When::Nearest, "(?:周|星期|礼拜){weekday}"),
];
