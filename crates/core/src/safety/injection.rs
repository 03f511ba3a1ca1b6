//! Detects text that seems written to steer the model that reads it.
//!
//! A rule is a pattern that ordinary talk does not contain: an order against earlier instructions, markup of
//! conversations and tool calls, invisible letters. A match is a suspicion, not a proof, and unknown patterns
//! pass, so nothing may rely on this check alone.
//!
//! *Boundaries.* Ignoring a message, a mail or a question is ordinary; ignoring earlier instructions, rules
//! or a prompt is not. Talk about prompts and jailbreaks passes; orders to reveal or perform them do not.
//!
//! **Invariant:** the time is linear in the length of the text.

use std::sync::{LazyLock, OnceLock};

use regex::bytes::{Regex, RegexSet};

use super::fold::Folded;
use super::render::{has_hidden_tags, plain};

#[cfg(test)]
mod tests;

/// Each rule with words of which every match contains one, and its pattern, both over the folded text in lower case.
///
/// Compiling the patterns takes longer than most commands, so a pattern is compiled when its words first occur. A gap
/// between two words is limited in bytes where its language allows that: with characters, it takes several times as long.
#[rustfmt::skip]
const RULES: [(&str, &str, &str); 20] = [
    ("ignore-instructions", r"instruction|prompt|directions|guidelines|directives|programming|guardrails|safeguards|(?:system|developer) message",
        r"(?-u:\b)(?:ignore|disregard|forget|override|bypass|discard|(?:do not|don't|stop) (?:follow|obey)(?:ing)?)(?-u:\b)(?-u:[^.!?\n]){0,30}?(?-u:\b)(?:previous|prior|above|earlier|preceding|foregoing|existing|all|any|your|system|safety)(?-u:\b)(?-u:[^.!?\n]){0,30}?(?-u:\b)(?:instructions?|prompts?|directions|guidelines|directives|programming|guardrails|safeguards|(?:system|developer) messages?)(?-u:\b)"),
    ("ignore-instructions", r"rules|training|restrictions|constraints|context|above|before this|you (?:were|have been|know|learned)",
        r"(?-u:\b)(?:ignore|disregard|forget|override|bypass)(?-u:\b)(?-u:[^.!?\n]){0,20}?(?-u:\b)(?:(?:previous|prior|above|earlier|preceding|your|safety)(?: [a-z]{1,12})? (?:rules|training|restrictions|constraints|context)|(?:everything|all|anything)(?: of this| that was)? (?:above|before this|you (?:were|have been)))(?-u:\b)|(?-u:\b)(?:ignore|disregard|forget|override|bypass)(?-u:\b)(?-u:[^.!?\n]){0,20}?(?-u:\b)(?:everything|all|anything)(?: of this| that was)? you (?:know|learned)(?:[^a-z ]| (?:[^a]|a[^b]|about (?:[^mou]|m[^ey]|o[^u]|u[^s]))|$)"),
    ("ignore-instructions", r"anweisung|instruktion|vorgabe|richtlinie|prompt|regeln",
        r"(?:ignorier|missacht|vergiss|vergesst|vergessen sie|umgeh|überschreib)[a-zß]{0,4}(?-u:[^.!?\n]){0,30}?(?:bisherig|vorherig|vorig|vorangegangen|früher|obig|all|dein|ihr|system)(?-u:[^.!?\n]){0,30}?(?:anweisung|instruktion|vorgabe|richtlinie|systemprompt|prompt|regeln)"),
    ("ignore-instructions", r"instrucci|indicaci|directri|reglas|órdenes|prompt",
        r"(?:ignora|ignore|ignorá|olvida|olvide|olvidá|omite|desobedece|no sigas)(?-u:[^.!?\n]){0,30}?(?:anterior|previa|todas|tus|sistema|de arriba)(?-u:[^.!?\n]){0,30}?(?:instrucci|indicaci|directri|reglas|órdenes|prompt)|(?:ignora|olvida|omite|desobedece)[a-z]{0,2} (?-u:[^.!?\n]){0,20}?(?:instrucciones|indicaciones|directrices|reglas) (?:anteriores|previas|del sistema|de arriba)"),
    ("ignore-instructions", r"instructions|consignes|directives|règles|prompt",
        r"(?:ignore|ignorez|oublie|oubliez|ne (?:tiens|tenez) pas compte|contourne|désobéis|fais abstraction)(?-u:[^.!?\n]){0,30}?(?:(?:toutes|tes|vos|système)(?-u:[^.!?\n]){0,20}?(?:instructions|consignes|directives|règles)|(?:instructions|consignes|directives|règles|prompts?) (?:précédent|antérieur|ci-dessus|du système|d'avant))"),
    ("ignore-instructions", r"指令|指示|提示|规则|设定|命令|要求|限制",
        r"(?:忽略|无视|忘记|忘掉|不要理会|绕过|覆盖|忽視|無視)[^。！？!?\n]{0,15}?(?:之前|以前|先前|以上|上面|上述|所有|一切|前面|你的|系统)[^。！？!?\n]{0,12}?(?:指令|指示|提示词|提示|规则|设定|命令|要求|限制)"),
    ("system-prompt", r"prompt|message|instruction",
        r"(?-u:\b)(?:reveal|show|print|repeat|output|display|leak|tell|give|dump|expose|share|recite)(?-u:\b)(?-u:[^.!?\n]){0,25}?(?-u:\b)(?:your|the) (?:[a-z]{1,12} )?(?:system|initial|hidden|developer|original)[ -](?:prompt|message|instructions?)"),
    ("system-prompt", r"prompt|mensaje|message|instruc|系统|初始",
        r"(?:zeig|verrate|nenn|gib|druck)[a-z]{0,3} (?-u:[^.!?\n]){0,25}?(?:deinen?|den|ihren?) system-?\s?prompt|(?:muestra|revela|dime|imprime|enséña)[a-zé]{0,4} (?-u:[^.!?\n]){0,25}?(?:system prompt|(?:prompt|mensaje|instrucciones) (?:del|de) sistema)|(?:montre|révèle|affiche|donne|répète)[a-z-]{0,5} (?-u:[^.!?\n]){0,25}?(?:prompt|message|instructions) (?:du |de )?système|(?:显示|输出|透露|告诉我|泄露|打印|重复)[^。\n]{0,10}?(?:系统提示|系统消息|系统指令|初始提示)"),
    ("system-prompt", r"prompt|message|instruction|override",
        r"(?m)^[\s>#*\[(]{0,8}(?:new |updated |real |begin |end of )?(?:system|developer)[ -](?:prompt|message|instructions?|override)[\])*]{0,3}\s{0,2}(?::|$)"),
    ("you-are-now", r"are now|re now|from now on|act as|pretend",
        r"(?-u:\b)(?:you are now|you're now|from now on,? you (?:are|will be|act as)|act as|pretend (?:to be|you are|you're))(?-u:\b) (?:in |an? |the )?(?:[a-z-]{1,15} ){0,2}?(?:dan|(?:developer|god|debug|admin|root|jailbreak|unrestricted|maintenance) mode|jailbroken|unrestricted|unfiltered|uncensored|unaligned|evil|free (?:from|of)|no longer bound)(?-u:\b)"),
    ("you-are-now", r"you are now|you have no |you are under no |you are no longer",
        r"(?-u:\b)you are now (?:an? |the )?(?:[a-z-]{1,15} ){0,2}?(?:ai|assistant|bot|chatbot|agent|language model|hacker|system administrator)(?-u:\b)|(?-u:\b)you (?:have|are under) no (?:rules|restrictions|limitations|guidelines)|(?-u:\b)you are no longer (?:an? (?:ai|assistant)|bound|restricted)"),
    ("you-are-now", r"du bist|ahora eres|tu es |你现在",
        r"du bist (?:jetzt|ab jetzt|nun|ab sofort) (?:ein |eine |im )?(?:[a-zäöü]{1,15} )?(?:ki|assistent|bot|chatbot|dan|uneingeschränkt|entwicklermodus|hacker)|ahora eres (?:un |una )?(?:[a-z]{1,12} )?(?:ia|asistente|bot|dan|hacker)|tu es (?:maintenant|désormais) (?:un |une )?(?:[a-z]{1,12} )?(?:ia|assistant|bot|dan|hacker)|你现在(?:是|扮演)(?:一个)?[^。\n]{0,10}?(?:ai|助手|机器人|dan|没有限制|不受限制|黑客|开发者模式)"),
    ("jailbreak", r"do anything now|mode|jailbreak|without any|越狱模式|开发者模式",
        r"(?-u:\b)(?:do anything now|dan mode|jailbreak (?:mode|prompt:)|(?:developer|god|debug|admin) mode (?:enabled|activated|on(?-u:\b))|enter (?:developer|god|jailbreak|dan) mode|jailbreak (?:yourself|the (?:model|assistant|ai))|without any (?:restrictions|filters|moral|ethical))|开发者模式已|越狱模式"),
    ("behind-the-user", r"the user|dem nutzer|dem benutzer|usuari|utilisat|不要告诉|别告诉",
        r"(?-u:\b)(?:do not|don't|never|without) (?:tell|telling|inform|informing|alert|alerting|notify|notifying|mention(?:ing)? (?:this|it) to) the user(?-u:\b)|(?:ohne|sag)[a-z]{0,2} (?:es )?dem (?:nutzer|benutzer)(?-u:[^.\n]){0,20}?(?:nicht|zu sagen|zu informieren)|sin (?:decirle|informar|avisar)(?:le)? (?:al|a la) usuari|sans (?:le dire à|prévenir|informer) l['’]utilisat|不要告诉用户|别告诉用户"),
    ("instruction-block", r"important|urgent|critical|attention|note",
        r"(?:important|urgent|critical|attention|note)[ :,!*-]{1,4}(?:[a-z]{1,12} ){0,2}?(?:ai|llm|language model|assistant|agent)s? (?:reading|processing|that reads?|must|should|who reads?)"),
    ("call-markup", r#"<|"|tool_calls\]|available_tools\]"#,
        r#"</?(?:[a-z]{1,10}:)?(?:tool_?calls?|function_?calls?|tool_?use|tool_?result|tool_?response|function_?results?|invoke)(?:[ >/]|$)|"(?:function_call|tool_calls?|tool_use)"\s{0,4}:|\[tool_calls\]|\[/?available_tools\]"#),
    ("role-token", r"<|inst\]",
        r"<\|[a-z_0-9 ]{2,30}\|>|\[/?inst\]|<</?sys>>|</?(?:system|assistant|developer)(?:[_-](?:prompt|message|reminder|instructions?))?>|<(?:start|end)_of_turn>|</?memory(?:[ >_-]|$)|<\x{FF5C}"),
    ("role-line", r"assistant|system|developer|系统|助手",
        r"(?m)^[\s>#*]{0,8}(?:assistant|system|developer)[\s*]{0,3}:[\s*]{0,3}(?:you (?:are|must|will|should|can)|ignore|disregard|forget|always|never|from now|do not|don't|reveal|new instructions?|override|remember that|the user (?:is|has|wants|may)|execute|run|call|send|du (?:bist|musst|sollst)|ab sofort|ignorier|eres|debes|recuerda|ignora|el usuario|tu (?:es|dois)|retiens|l['’]utilisateur|der nutzer)(?-u:\b)|^[\s>#*]{0,8}(?:assistant|system|developer|系统|助手)\s{0,3}:\s{0,3}(?:记住|你|用户|忽略|从现在|以后|始终)"),
    ("role-line", r"\[system|\[assistant|\[developer|--",
        r"(?m)^[\s>#*]{0,8}\[(?:system|assistant|developer)(?: [a-z ]{1,30})?\]|-{2,} {0,2}(?:end of|ende der|fin del|fin du) (?:the )?(?:developer|system|entwickler|mensaje|message)"),
    ("new-policy", r"new (?:policy|rule|instruction)|neue (?:regel|vorgabe|anweisung)|nueva (?:regla|política)|nouvelle (?:règle|consigne)|user has approved|开发者|运营方|管理员",
        r"(?-u:\b)new (?:policy|rule|instructions?) from (?:the |your )?(?:developer|operator|administrator|system|provider|anthropic|openai)|neue (?:regel|vorgabe|anweisung) vo[nm] (?:betreiber|entwickler|system|administrator)|nueva (?:regla|política) del (?:desarrollador|operador|sistema)|nouvelle (?:règle|consigne) d[ue] (?:développeur|l['’]opérateur|système)|the user has approved (?:all|every)|(?:开发者|运营方|管理员)的?新(?:规定|规则|政策|指令)"),
];

/// The rule for invisible letters.
const HIDDEN: &str = "hidden-text";

/// Returns the rule that a suspicious text matches; `None` if none.
#[must_use]
pub fn is_suspicious(text: &str) -> Option<&'static str> {
    if has_hidden_tags(text) {
        return Some(HIDDEN);
    }
    let text = plain(text);
    let text = Folded::new(&text).text().to_lowercase();
    // Also matches the text as a prompt shows it, on one line, so that a line break hides nothing.
    matching(&text).or_else(|| {
        let is_on_one_line = !text.trim_end().contains(['\n', '\t']) && !text.contains("  ");
        let on_one_line = || text.split_whitespace().collect::<Vec<_>>().join(" ");
        if is_on_one_line { None } else { matching(&on_one_line()) }
    })
}

/// Returns the rule that a suspicious name or path matches, whose words are separated as in one; `None` if none.
#[must_use]
pub fn is_suspicious_name(name: &str) -> Option<&'static str> {
    is_suspicious(&name.replace(['-', '_', '/', '.'], " "))
}

/// Returns the first rule that matches a folded text in lower case.
fn matching(text: &str) -> Option<&'static str> {
    static WORDS: LazyLock<RegexSet> =
        LazyLock::new(|| RegexSet::new(RULES.map(|(_, words, _)| words)).expect("words are patterns"));
    static PATTERNS: [OnceLock<Regex>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];
    let is_match = |index: &usize| {
        let compiled = || Regex::new(RULES[*index].2).expect("a rule is a pattern");
        PATTERNS[*index].get_or_init(compiled).is_match(text.as_bytes())
    };
    WORDS.matches(text.as_bytes()).iter().find(is_match).map(|index| RULES[index].0)
}
