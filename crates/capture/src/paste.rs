//! Finds the lines of a message that are not its writer's own talk: code, logs, mails, quotations and
//! commands.
//!
//! **Invariant.** Each line is examined once, and only up to its first [`LOOKED`] bytes.

use std::ops::Range;
use std::sync::LazyLock;

use memtape_language::han::is_han;
use regex::bytes::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use super::Why;

/// The maximum number of bytes of a line that are examined.
const LOOKED: usize = 400;

/// Patterns of lines that are not talk, without the white space before them, in the order of [`REASONS`]. They match
/// bytes: compiling them for characters takes three times as long, which every start of the program would pay for.
#[rustfmt::skip]
const SHAPES: [&str; 16] = [
    // Quotations of other messages.
    r"^(?:>|\|[ \t]*>)",
    // Commands for a chat program or a shell; `$5` is not one.
    r"^(?:[/!][a-z][a-z_-]*(?:[ \t]|$)|\$ |PS [A-Z]:|[a-z0-9._-]+@[a-z0-9._-]+:[~/][^ ]*[$#] )",
    // Some commands are words: "make sure …", "go easy on …". Of those, the next word or two are a flag, a path or a subcommand.
    concat!(
        r"^(?:sudo |npm (?:ERR!|WARN|error|warn) |(?:bash|sh|zsh) [^ ]*[./<-]|(?:npm|npx|pip3?|cargo|docker|kubectl|git|python3?|apt-get|ssh|scp|wget|cd|ls|rm|mv|cp|grep|uv|systemctl) (?:(?:[^ ]+ )*(?:--?[a-zA-Z]|&&|\||>)|(?:[^ ]+ ){0,3}[^ ]*(?:[@=]|/[^ ]|[^ ]{2}/))",
        r"|(?:yarn|node|make|apt|brew|curl|cat|echo|export|go) (?:(?:[^ ]+ )*(?:&&|\||>)|(?:(?:get|run|test|build|install|add|mod|all|clean) )?(?:--?[a-zA-Z]|[^ ]*(?:[@=]|/[^ ]|[^ ]{2}/))))",
    ),
    r"^(?:git (?:push|pull|clone|commit|rebase|merge|status|log|diff|add|checkout|stash|reset)|npm (?:install|run|i|ci|test|start)|pip3? install|cargo (?:build|test|run|add|fmt|clippy)|docker (?:run|ps|compose|build)|apt(?:-get)? install|brew install)(?: [a-z0-9._:/-]+)*[ \t]*$",
    // Logs.
    r"^[\[(]?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}",
    r"^\[?(?:[0-9]{2}:[0-9]{2}:[0-9]{2}[^ ]* )?\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)[\]: ]",
    // Stack traces, differences, compilers.
    r"^(?:at [^ ]+\([^)]*\)[ \t]*$|Traceback |File \x22[^\x22]+\x22, line|Caused by:|thread '[^']+' panicked|error\[E[0-9]|diff --git |@@ -|index [0-9a-f]{7}|\+\+\+ |--- [ab]/)",
    // Data and markup.
    r#"^(?:[{}\]]|\[(?:[{\["]|$)|"[^"]{1,60}"[ \t]*:|<[a-z!/?][^>]*>|\|[^|]*\|)"#,
    // Code.
    r"^(?://|/\*|\*/|#include|#!|# (?:TODO|FIXME)|(?:def|fn|func|function|struct|impl|import|const|let|var|public|private|return|package) [^ ]+.*[;{(=][ \t]*$|(?:def|class) [a-zA-Z_]+(?:\([^)]*\).*)?:[ \t]*$|class [^ ]+.*[{(][ \t]*$|from [^ ]+ import |use [^ ]+;[ \t]*$|[a-zA-Z_.]+[ \t]*:?=[ \t]*[^ =]+;?[ \t]*$|[a-zA-Z_.]+\([^)]*\);?[ \t]*$|(?:SELECT|INSERT INTO|UPDATE [^ ]+ SET|DELETE FROM|CREATE TABLE) )",
    // Tool output, recognized by its label in brackets.
    r"^\[[^\]]{1,60}\]",
    r"^(?i:search result|suchergebnis|resultado de b(?u:[uú])squeda|r(?u:[ée])sultat de recherche|搜索结果|搜尋結果|tool (?:output|result)|web_search|result [0-9]+ of|treffer [0-9]+|résultat [0-9]+|resultado [0-9]+)[^\n]{0,40}(?u:[:：—-])",
    // Lines of a transcript, with the time.
    r"^[\[(]?[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4},? [0-9]{1,2}:[0-9]{2}",
    r"^[\[(]?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?[\])]? [^ :]{1,30}(?: [^ :]{1,30})?: ",
    // The header of a mail: everything after it belongs to the mail.
    r"^(?:From|To|Cc|Subject|Von|An|Betreff|De|Para|Asunto|À|Objet|发件人|收件人|主题|寄件人|收件者|主旨)[ \t]*(?u:[:：])[ \t]*[^ ]*[^ ]",
    r"^(?i:-{2,} ?(?:forwarded|original|weitergeleitet|ursprüngliche|mensaje reenviado|mensaje original|message transf|message d'origine|转发|原始|轉寄)|(?:on|am|el|le) .{6,80}(?:wrote|schrieb|escribi(?u:[oó])|a écrit)[ \t]?:[ \t]*$)",
    r"^(?i:begin forwarded message|weitergeleitete nachricht|forwarded message)",
];

/// The reason for which a line of each shape is dropped, and whether all lines after it are dropped too.
const REASONS: [(Why, bool); SHAPES.len()] = [
    (Why::Quoted, false),
    (Why::Command, false),
    (Why::Command, false),
    (Why::Command, false),
    (Why::Pasted, false),
    (Why::Pasted, false),
    (Why::Pasted, false),
    (Why::Code, false),
    (Why::Code, false),
    (Why::Pasted, false),
    (Why::Pasted, false),
    (Why::Pasted, false),
    (Why::Pasted, false),
    (Why::Pasted, true),
    (Why::Pasted, true),
    (Why::Pasted, true),
];
/// The index of the shape of a label in brackets, and labels that are no program's.
const LABEL: usize = 9;
#[rustfmt::skip]
const REMARKS: [&str; 14] = [
    "[update]", "[edit]", "[note]", "[fyi]", "[reminder]", "[info]", "[important]", "[wichtig]", "[hinweis]", "[nota]", "[aviso]", "[importante]",
    "[важно]", "[更新]",
];
/// The index of the shape of a mail header. A single such line is a label, as in "From: July on".
const MAIL: usize = 13;

/// Lines that announce a message of somebody else, which follows.
const ANNOUNCES: &str = concat!(
    r"^(?i:(?:here(?:'|’)?s|here is|look at|check out|i (?:just )?got|i (?:just )?received) (?:an?|the|this|that) (?:e-?mail|mail|message|letter)[^:]{0,40}:",
    r"|(?:hier ist|schau mal|ich habe|ich hab)[, ]+(?:die|diese|eine|folgende) (?:e-?mail|mail|nachricht)[^:]{0,40}:",
    r"|(?:mira|recibí|he recibido|aquí está) (?:este|esta|un|una|el) (?:correo|mail|mensaje|carta)[^:]{0,40}:",
    r"|(?:j(?:'|’)ai reçu|regarde|voici) (?:ce|un|une|le|cette) (?:e-?mail|mail|message|courriel|lettre)[^:]{0,40}:)[ \t]*$",
    r"|^我?收到(?:了)?[^:\n]{0,20}(?:邮件|信)[^:\n]{0,12}(?::|：)[ \t]*$",
);
/// How a mail greets.
const GREETS: &str = concat!(
    r"^[ \t\r\n]*(?:(?i:hi|hello|dear|hey|hallo|liebe|lieber|guten tag|hola|querid[oa]|bonjour|salut|cher|chère|ciao|gentile|olá|привет|здравствуйте)",
    r"(?: [^ ,!.\r\n']{2,24}){1,3}[ \t]*[,!.\r\n]|[^,\n]{0,24}(?:你好|您好)(?:，|,|！)|亲爱的)",
);

/// How a mail ends, before a name.
const SIGNS: &str = concat!(
    r"^(?i:(?:all the )?best(?: wishes| regards)?|(?:kind |warm )?regards|cheers|thanks(?: a lot)?|many thanks|sincerely|yours(?: sincerely| truly)?|love",
    r"|(?:(?:viele|liebe|beste|herzliche|sch(?u:ö)ne) gr(?u:ü)(?:(?u:ß)|ss)e|mit freundlichen gr(?u:ü)(?:(?u:ß)|ss)en|lg|vg|mfg|gru(?:(?u:ß)|ss))(?: von)?",
    r"|(?:un )?(?:saludos?|abrazo|beso)s?(?: cordial(?:es)?)?|atentamente|(?:bien )?cordialement|bises|bisous|amicalement|(?:cordiali |distinti )?saluti|un abbraccio|(?:um )?abra(?u:ç)o)",
    r"[,.!]?(?:[ \t]+(?P<name>[^\n]+))?$",
);
/// The maximum number of words of a name below a mail.
const NAME_WORDS: usize = 3;
/// The maximum number of lines of a mail whose end is looked for.
const MAIL_LINES: usize = 400;

/// A line: its range without bullet and line end, and the reason why it is not talk.
pub(super) struct Line {
    pub(super) range: Range<usize>,
    pub(super) why: Option<Why>,
    /// Whether it is an item of a list.
    pub(super) is_item: bool,
}

/// Classifies the lines of a text.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = 0;
    let mut fence = None;
    let mut rest = None;
    // The end of the mail that is announced.
    let mut mail_end = usize::MAX;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end_matches(['\n', '\r']);
        let range = at..at + line.len();
        at += whole.len();
        if let Some(mark) = fence_of(line) {
            let closes = fence == Some(mark);
            // A fence may open and close on the same line.
            let is_one_line = line.trim_start()[mark.len()..].contains(mark);
            if closes {
                fence = None;
            } else if fence.is_none() && !is_one_line {
                fence = Some(mark);
            }
            lines.push(Line { range, why: Some(Why::Code), is_item: false });
            continue;
        }
        if range.start >= mail_end {
            (rest, mail_end) = (None, usize::MAX);
        }
        if fence.is_some() || rest.is_some() {
            let why = if fence.is_some() { Some(Why::Code) } else { rest };
            lines.push(Line { range, why, is_item: false });
            continue;
        }
        let (why, goes_on) = shape(line, &text[at..]);
        if goes_on {
            rest = why.or(Some(Why::Pasted));
            let end = if why.is_none() { end_of_mail(&text[at..]) } else { None };
            mail_end = end.map_or(usize::MAX, |end| at + end);
        }
        let bullet = if why.is_none() { bullet(line) } else { 0 };
        lines.push(Line { range: range.start + bullet..range.end, why, is_item: bullet > 0 });
    }
    drop_transcript(text, &mut lines);
    drop_mail(text, &mut lines);
    lines
}

fn fence_of(line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark))
}

fn shape(line: &str, after: &str) -> (Option<Why>, bool) {
    static SET: LazyLock<RegexSet> =
        LazyLock::new(|| RegexSetBuilder::new(SHAPES).unicode(false).build().expect("shapes are patterns"));
    let shapes = |line: &str| SET.matches(head(line).trim_start().as_bytes());
    static ANNOUNCED: LazyLock<Regex> =
        LazyLock::new(|| RegexBuilder::new(ANNOUNCES).unicode(false).build().expect("a shape is a pattern"));
    let Some(index) = shapes(line).iter().next() else {
        // Without a greeting, it may be told in the speaker's own words.
        let after: &str = after.trim_start();
        let is_before_mail = line.trim_end().ends_with([':', '：']) && greets(after);
        return (None, is_before_mail && ANNOUNCED.is_match(head(line).trim().as_bytes()));
    };
    if index == LABEL
        && line
            .trim_start()
            .split_inclusive(']')
            .next()
            .is_some_and(|label| REMARKS.contains(&&*label.to_lowercase()))
    {
        return (None, false);
    }
    if index == MAIL && !shapes(after).matched(MAIL) && !greets(after) {
        return (None, false);
    }
    let (why, goes_on) = REASONS[index];
    (Some(why), goes_on)
}

/// Returns whether a text begins as a mail does.
fn greets(text: &str) -> bool {
    static GREETING: LazyLock<Regex> =
        LazyLock::new(|| RegexBuilder::new(GREETS).unicode(false).build().expect("a shape is a pattern"));
    GREETING.is_match(head_of(text).as_bytes())
}

/// Returns the beginning of a text that is examined, with its line ends.
fn head_of(text: &str) -> &str {
    &text[..text.floor_char_boundary(LOOKED)]
}

/// Returns the part of a line that is examined.
fn head(line: &str) -> &str {
    let mut end = line.len().min(LOOKED);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line[..end].split('\n').next().unwrap_or_default()
}

/// Returns the length of a list item's bullet, including the white space around it.
fn bullet(line: &str) -> usize {
    let start = line.trim_start();
    let mark = start.trim_start_matches(['-', '*', '•', '·', '–', '—', '+', '▪', '●']);
    let numbered = start.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = start.len() - numbered.len();
    let rest = if mark.len() < start.len()
        && (mark.starts_with(char::is_whitespace) || !start.starts_with(['-', '*', '+']))
    {
        mark
    } else if (1..3).contains(&digits) && numbered.starts_with(['.', ')', '、']) && !begins_month(numbered) {
        numbered.trim_start_matches(['.', ')', '、'])
    } else {
        return 0;
    };
    line.len() - rest.trim_start().len()
}

/// Returns whether a text begins with a full stop and the name of a month: the number before it is a day.
fn begins_month(text: &str) -> bool {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"];
    let rest = text.trim_start_matches('.').trim_start();
    let begin: String = rest.chars().take(3).flat_map(char::to_lowercase).collect();
    text.starts_with('.') && MONTHS.contains(&&*begin)
}

/// Returns the index of the line with the name at the end of a mail, of lines that are not empty.
fn signature(said: &[&str]) -> Option<usize> {
    static SIGNED: LazyLock<Regex> =
        LazyLock::new(|| RegexBuilder::new(SIGNS).unicode(false).build().expect("a shape is a pattern"));
    let is_name = |name: &str| {
        let mut words = name.split_whitespace();
        (1..=NAME_WORDS).contains(&words.clone().count())
            && words.all(|word| word.starts_with(|c: char| c.is_uppercase() || is_han(c)))
    };
    (0..said.len()).find_map(|at| {
        let found = SIGNED.captures(head(said[at]).as_bytes())?;
        let name = found.name("name").and_then(|name| std::str::from_utf8(name.as_bytes()).ok());
        let next = || said.get(at + 1).is_some_and(|next| is_name(next)).then_some(at + 1);
        name.map_or_else(next, |name| is_name(name).then_some(at))
    })
}

/// Returns where a mail at the beginning of a text ends: after its name and an empty line.
fn end_of_mail(text: &str) -> Option<usize> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (at, line.trim())
    });
    let lines: Vec<(usize, &str)> = lines.take(MAIL_LINES).collect();
    let said: Vec<&(usize, &str)> = lines.iter().filter(|(_, line)| !line.is_empty()).collect();
    let texts: Vec<&str> = said.iter().map(|(_, line)| *line).collect();
    let (end, _) = said[signature(&texts)?];
    let next = lines.iter().find(|(at, _)| at > end)?;
    next.1.is_empty().then_some(*end)
}

/// Drops the lines of a mail below other lines, from its greeting to the name at its end. A message that is all a mail is one
/// to the assistant.
fn drop_mail(text: &str, lines: &mut [Line]) {
    let of = |line: &Line| text[line.range.clone()].trim();
    let said: Vec<usize> = (0..lines.len()).filter(|at| !of(&lines[*at]).is_empty()).collect();
    let greeting = said
        .iter()
        .skip(1)
        .position(|at| lines[*at].why.is_none() && greets(&text[lines[*at].range.start..]));
    let Some(first) = greeting.map(|at| at + 1) else { return };
    let texts: Vec<&str> = said[first + 1..].iter().map(|at| of(&lines[*at])).collect();
    let Some(end) = signature(&texts) else { return };
    for line in &mut lines[said[first]..=said[first + 1 + end]] {
        line.why = Some(Why::Pasted);
    }
}

/// Drops the lines of a pasted conversation: lines of the form `Name: …`, if a name occurs again.
fn drop_transcript(text: &str, lines: &mut [Line]) {
    let speaker = |line: &Line| -> Option<String> {
        let looked = head(&text[line.range.clone()]);
        let (name, _) = looked.split_once([':', '：'])?;
        let is_name = (1..=24).contains(&name.len()) && name.split(' ').count() <= 2;
        (is_name && name.chars().all(|c| c.is_alphanumeric() || c == ' ' || c == '_'))
            .then(|| name.to_lowercase())
    };
    let speakers: Vec<Option<String>> =
        lines.iter().map(|line| if line.why.is_none() { speaker(line) } else { None }).collect();
    // The items of a list alone are none: "Kid: Tom", "Kid: Mia".
    let of_no_list = lines.iter().zip(&speakers).filter(|(line, _)| !line.is_item);
    let mut names: Vec<&String> = of_no_list.filter_map(|(_, speaker)| speaker.as_ref()).collect();
    names.sort_unstable();
    let spoken = names.len();
    let again = names.windows(2).any(|pair| pair[0] == pair[1]);
    if spoken < 3 || !again {
        return;
    }
    for (line, speaker) in lines.iter_mut().zip(&speakers) {
        if speaker.is_some() {
            line.why = Some(Why::Pasted);
        }
    }
}
