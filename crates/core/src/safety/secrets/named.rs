//! Purpose: secrets that have no shape, but a name: "the wifi password is …", `API_KEY=…`, `https://me:…@host`.
//!
//! A name and what joins it to its value are matched by a pattern that ends where the value begins; the value is
//! then read from there. It is a quoted text, or all up to white space without the punctuation that ends a clause;
//! in Chinese, a run of ASCII characters.
//!
//! What follows a name may describe it ("the password is too long"). A value is taken for one unless it is a word of
//! [`DESCRIPTIONS`]; names that mean much else (`clave`, a PIN, a key) ask for a digit or a sign in it, and so does
//! any name that only stands beside its value. Where in doubt, it is a secret.
//!
//! **Invariant:** a value is read once: the next name is looked for from where a value begins, and what is
//! rejected is short or holds no further name; names within a value that was added are passed over.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Occurs wherever [`passwords`] finds something.
pub(super) const PASSWORD_HINT: &str = r"(?i)pass|pwd|kennwort|losung|contrase|clave|mdp|密码|密碼|口令";
/// Occurs wherever [`pins`] finds something.
pub(super) const PIN_HINT: &str = r"(?i)pin|cv[vc]|code|c[oó]digo|验证码|密码|密碼";
/// Occurs wherever [`keys`] finds something.
pub(super) const KEY_HINT: &str = r"(?i)key|token|secret|credential|jeton|schlüssel|密钥|令牌";

/// Words after a name and a verb that tell about a password, and are none.
#[rustfmt::skip]
const DESCRIPTIONS: &[&str] = &[
    // English
    "a", "about", "accepted", "again", "all", "already", "also", "always", "an", "and", "any", "asked",
    "at", "bad", "based", "because", "being", "best", "better", "between", "both", "broken", "but", "by",
    "case", "changed", "compromised", "correct", "different", "easy", "empty", "encrypted", "enough",
    "expired", "expiring", "fine", "for", "forgotten", "from", "generated", "going", "gone", "good",
    "hard", "hashed", "hidden", "in", "incorrect", "insecure", "invalid", "it", "just", "kept", "known",
    "leaked", "like", "locked", "long", "longer", "lost", "managed", "mandatory", "masked", "missing",
    "must", "my", "needed", "never", "new", "no", "not", "now", "of", "off", "ok", "okay", "old", "on",
    "only", "optional", "or", "our", "probably", "protected", "really", "redacted", "required", "reset",
    "right", "rotated", "safe", "same", "saved", "secure", "sent", "set", "shared", "short", "shorter",
    "should", "so", "something", "still", "stored", "strong", "that", "the", "their", "there", "they",
    "this", "to", "too", "unknown", "up", "updated", "used", "valid", "very", "weak", "what", "when",
    "where", "which", "why", "with", "working", "wrong", "your",
    // German
    "abgelaufen", "aber", "alt", "am", "auch", "auf", "bekannt", "bei", "das", "dass", "dein", "dem",
    "der", "die", "ein", "eine", "einfach", "erforderlich", "falsch", "geheim", "geändert", "gut",
    "gültig", "im", "immer", "ist", "jetzt", "kein", "kurz", "lang", "leer", "mein", "mit", "nicht",
    "nie", "noch", "notwendig", "nur", "neu", "richtig", "schon", "schwach", "sehr", "sicher", "ungültig",
    "unsicher", "verloren", "vergessen", "weg", "wichtig", "wieder", "wirklich", "zu", "zurückgesetzt",
    // Spanish
    "caducada", "cambiada", "como", "con", "correcta", "corta", "de", "débil", "demasiado", "el", "en",
    "fuerte", "fácil", "igual", "importante", "incorrecta", "inválida", "la", "larga", "lo", "los",
    "mala", "mi", "misma", "muy", "necesaria", "no", "nueva", "obligatoria", "para", "por", "que",
    "segura", "siempre", "solo", "su", "tan", "tu", "un", "una", "válida",
    // French
    "aussi", "bien", "bon", "bonne", "ce", "celui", "changé", "correct", "court", "dans", "dur", "déjà",
    "encore", "est", "expiré", "facile", "faible", "faux", "fort", "incorrect", "invalide", "le", "les",
    "mauvais", "moi", "mon", "même", "nécessaire", "obligatoire", "oublié", "par", "pas", "perdu", "plus",
    "pour", "quoi", "requis", "sur", "sécurisé", "toi", "ton", "toujours", "trop", "très", "une",
    "valide",
];

/// So many bytes of a value are judged; what follows them up to white space is taken with it.
const VALUE_MAX: usize = 512;

/// How sure a value must look.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// Anything but a description.
    Any,
    /// A digit, or a sign amid letters.
    Mixed,
    /// A digit, and some length.
    Long,
}

/// Finds what is called a password.
pub(super) fn passwords(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    static NAMED: LazyLock<Named> = LazyLock::new(|| {
        Named::new(
            r"(?:[^a-z]?(?:pass[ _-]?(?:word|phrase|code)|passwd)|passwort|kennwort|losungswort|contrase(?:ñ|n|n\x{303})a|mots? de passe|(?:^|[^a-z])(?:pwd|mdp|pass|clave)(?-u:\b))",
            r"(?:is|was|are|be|ist|war|lautet|heißt|heisst|es|era|será|est|était|sera)",
        )
    });
    static CHINESE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?:密码|密碼|口令)(?:\s?(?:就|现在|已经)?(?:是|为|改成|改为|设为|换成|:|=))?\s{0,2}")
            .expect("a pattern")
    });
    let mut end = 0;
    for joined in NAMED.joined(text) {
        if joined.value >= end {
            let is_loose = joined.name.to_lowercase().ends_with("clave");
            let asks = if joined.is_said && !is_loose { Asks::Any } else { Asks::Mixed };
            end = read(text, joined.value, asks, add);
        }
    }
    for name in CHINESE.find_iter(text) {
        let is_joined = name.as_str().trim_end().ends_with(['是', '为', '成', ':', '=']);
        let rest = &text[name.end()..];
        let word = until(rest, |c| !c.is_ascii_graphic());
        if !word.is_empty() && !rest.starts_with(['"', '\'']) {
            let value = trim(word);
            if is_joined && value.len() > 1 || is_mixed(value) && value.len() > 3 {
                add(name.end()..name.end() + value.len());
            }
        } else if is_joined {
            quoted(text, name.end()).into_iter().for_each(&mut *add);
        }
    }
}

/// Finds what is called a PIN or a code, if it is a number.
pub(super) fn pins(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r#"(?i)(?:(?:^|[^a-z])(?:pin(?:[ -]?(?:code|number|nummer))?|cvv2?|cvc2?|code (?:pin|secret|de carte(?: bleue)?)|(?:door|gate|alarm|access|security|unlock|safe)[ -]?code|(?:tür|zugangs|sicherheits|alarm)code|c[oó]digo (?:pin|secreto|de seguridad|de acceso))|验证码|(?:密码|密碼))["']?(?:\s{0,3}[:=]|\s{1,3}(?:to|for (?:the|my) [a-z]{1,20}|auf|de|du|del|für[a-z]{0,3} [a-z]{1,20})){0,2}\s{0,3}(?:is|was|ist|lautet|es|est|c'est|c’est|是|为)?\s{0,3}["'„“«]?([0-9][0-9 -]{1,10}[0-9][#*]?|[零一二三四五六七八九](?:个[零一二三四五六七八九0-9]|[零一二三四五六七八九]{3,}))"#,
        )
        .expect("a pattern")
    });
    for captures in NAMED.captures_iter(text) {
        if let Some(value) = captures.get(1) {
            add(value.range());
        }
    }
}

/// Finds what is called a key, a token or a secret.
pub(super) fn keys(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    static CONSTANT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?:^|[^A-Za-z0-9])(?:[A-Z][A-Z0-9]*[_.-])+(?:SECRET|TOKEN|KEY|PASSWORD|PASSWD|PASS|PWD|PASSPHRASE|CREDENTIALS?)(?:_[A-Z0-9]+)*["']?\s{0,4}(?:=|:=|:)\s{0,4}"#)
            .expect("a pattern")
    });
    static NAMED: LazyLock<Named> = LazyLock::new(|| {
        Named::new(
            r"(?:(?:api|app|secret|access|auth|client|private|refresh|bearer|encryption|signing|master|license|deploy)[ _-]?(?:key|token|secret)s?|api[ _-]?schlüssel|token|jeton|secret|credentials?|密钥|令牌)",
            r"(?:is|was|ist|war|lautet|es|era|est|c'est|是|为)",
        )
    });
    let mut end = 0;
    for name in CONSTANT.find_iter(text) {
        if name.end() >= end {
            end = read(text, name.end(), Asks::Any, add);
        }
    }
    end = 0;
    for joined in NAMED.joined(text) {
        if joined.value >= end {
            end = read(text, joined.value, Asks::Long, add);
        }
    }
}

/// Finds the credentials after a "bearer" without its header: of a token's length, and with a digit.
pub(super) fn bearer(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    static BEARER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)(?:^|[^a-z])bearer\s{1,4}([a-z0-9._~+/=-]{12,})").expect("a pattern")
    });
    let values = BEARER.captures_iter(text).filter_map(|captures| captures.get(1));
    for value in values.filter(|value| value.as_str().contains(|c: char| c.is_ascii_digit())) {
        add(value.range());
    }
}

/// Finds the passwords in addresses: from the colon of the user information to the last `@` before the path.
pub(super) fn url_password(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    static USER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"://[^\s/?#:@"'<>]{0,200}:"#).expect("a pattern"));
    for user in USER.find_iter(text) {
        let rest = &text[user.end()..];
        let authority = until(rest, |c| c.is_whitespace() || "/\"'<>".contains(c));
        if let Some(length) = authority.rfind('@').filter(|length| *length > 0) {
            add(user.end()..user.end() + length);
        } else if !authority.starts_with(|c: char| c.is_ascii_digit()) {
            let word = until(rest, |c| c.is_whitespace() || "\"'<>".contains(c));
            if let Some(length) = word.find('@').filter(|length| *length > 0) {
                add(user.end()..user.end() + length);
            }
        }
    }
}

/// Names, and what joins one to its value.
struct Named {
    name: Regex,
    join: Regex,
}

/// A place at which a value may begin.
struct Joined<'t> {
    name: &'t str,
    value: usize,
    /// A sign or a verb stands between; or else nothing.
    is_said: bool,
}

impl Named {
    /// A name, perhaps what it is for, and a sign, a verb, or nothing.
    fn new(name: &str, verb: &str) -> Named {
        let of = r"(?:\s{1,3}(?:for|of|to|on|at|from|für|fürs|zum|zur|vom|von|der|des|del|de|para|du|pour)(?:\s{1,3}[\p{L}\p{N}._'’-]{1,30}){1,4}?)?";
        let sign = r#"["'`*]{0,3}\s{0,3}(?<sign>=>|:=|[:=])\s{0,3}"#;
        let adverb = r"(?:(?:now|currently|still|just|set to|changed to|jetzt|ab jetzt|ahora|maintenant|désormais)\s{1,3})?";
        let verb = format!(
            r"(?:\s{{1,3}}|['’])(?:now\s|currently\s|still\s)?(?<verb>{verb}|s|c['’]est|(?:set|changed) to)(?:\s{{1,3}}|\s?:\s{{0,3}}){adverb}"
        );
        let beside = r"\s{1,3}(?:(?:to|as|auf|zu|a|à|en)\s{1,3})?";
        Named {
            name: Regex::new(&format!("(?i){name}")).expect("a pattern"),
            join: Regex::new(&format!(r"(?i)\A(?:{of}(?:{sign}|{verb})|{beside})")).expect("a pattern"),
        }
    }

    /// Returns where values may begin, in order of their names.
    fn joined<'t>(&self, text: &'t str) -> impl Iterator<Item = Joined<'t>> {
        self.name.find_iter(text).filter_map(move |name| {
            let captures = self.join.captures(&text[name.end()..])?;
            let is_said = captures.name("sign").is_some() || captures.name("verb").is_some();
            let value = name.end() + captures.get(0)?.end();
            Some(Joined { name: name.as_str(), value, is_said })
        })
    }
}

/// Reads the value that begins at a place, and adds it if it is one.
///
/// Returns where what was added ends; or else the place.
fn read(text: &str, start: usize, asks: Asks, add: &mut dyn FnMut(Range<usize>)) -> usize {
    if let Some(range) = quoted(text, start) {
        if asks != Asks::Long || is_long(&text[range.clone()]) {
            add(range.clone());
            return range.end;
        }
        return start;
    }
    let rest = &text[start..];
    let value = trim(until(rest, char::is_whitespace));
    let is_value = match asks {
        Asks::Any => !is_description(value),
        Asks::Mixed => is_mixed(value) && value.len() >= 4,
        Asks::Long => is_long(value),
    };
    if !is_value || !value.contains(char::is_alphanumeric) {
        return start;
    }
    let is_cut = value.len() >= VALUE_MAX - 8;
    let length = if is_cut { rest.find(char::is_whitespace).unwrap_or(rest.len()) } else { value.len() };
    add(start..start + length);
    start + length
}

/// Returns what comes before a character of a kind, as far as is looked.
fn until(text: &str, is_end: impl Fn(char) -> bool) -> &str {
    let end = text.char_indices().find(|(at, c)| *at >= VALUE_MAX || is_end(*c));
    end.map_or(text, |(at, _)| &text[..at])
}

/// Returns what is between quotation marks, if a place begins with one.
fn quoted(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = &text[start..];
    let open = rest.chars().next()?;
    let closing: &[char] = match open {
        '"' | '\'' | '`' => &[open],
        '“' | '„' => &['”', '“', '"'],
        '‘' | '‚' => &['’', '‘'],
        '«' => &['»'],
        '»' => &['«'],
        '「' => &['」'],
        _ => return None,
    };
    let inside = start + open.len_utf8();
    let mut is_escaped = false;
    for (at, c) in text[inside..].char_indices().take(1000) {
        if c == '\n' {
            return None;
        }
        if !is_escaped && closing.contains(&c) {
            return (at > 0).then_some(inside..inside + at);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

/// Cuts off what belongs to the clause, and the next setting of a connection string or an address.
fn trim(word: &str) -> &str {
    static NEXT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[;&][A-Za-z][A-Za-z_]*=").expect("a pattern"));
    let word = NEXT.find(word).map_or(word, |next| &word[..next.start()]);
    word.trim_end_matches(|c: char| ".,;:)]}>\"'`*”“’»」。、…".contains(c))
}

fn is_description(value: &str) -> bool {
    let lower = value.to_lowercase();
    value.chars().count() < 16 && DESCRIPTIONS.contains(&lower.trim_end_matches(['!', '?']))
}

fn is_mixed(value: &str) -> bool {
    let inner = value.trim_matches(|c: char| !c.is_alphanumeric());
    inner.contains(|c: char| c.is_ascii_digit()) || inner.contains(|c: char| "!#$%&*+=@^_~|\\".contains(c))
}

fn is_long(value: &str) -> bool {
    value.len() >= 8
        && value.contains(|c: char| c.is_ascii_digit())
        && !value.starts_with(['(', '{', '<', '/'])
        && value.chars().all(|c| !c.is_whitespace())
}
