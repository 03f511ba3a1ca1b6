//! The table of documented formats of secrets.
//!
//! **Invariant:** a match of a shape contains a match of its hint. Hints are short and count no
//! further than 4, so that all of them together form one small automaton.
//! **Invariant:** a boundary of words is one of ASCII, `(?-u:\b)`: with the Unicode one, texts in other languages are
//! searched many times as slowly.
//! **Invariant:** no pattern reads beyond the end of its match, so that finding all matches takes linear time.

use std::ops::Range;

use super::{issued, numbers, query, wallet};

/// The format of one kind of secret.
pub(super) struct Shape {
    /// The kind, as in `[redacted:kind]`.
    pub(super) kind: &'static str,
    /// A pattern that every text with such a secret matches.
    pub(super) hint: &'static str,
    /// The way to find the secret.
    pub(super) how: How,
}

/// A way to find a secret.
#[derive(Clone, Copy)]
pub(super) enum How {
    /// A pattern. Its first group is the secret, or else the whole match.
    Pattern(&'static str),
    /// A pattern whose first group is the secret, unless it is a placeholder such as `$TOKEN`.
    Value(&'static str),
    /// A function that scans the text.
    Scan(fn(&str, &mut dyn FnMut(Range<usize>))),
}

const fn shape(kind: &'static str, hint: &'static str, pattern: &'static str) -> Shape {
    Shape { kind, hint, how: How::Pattern(pattern) }
}

const fn value(kind: &'static str, hint: &'static str, pattern: &'static str) -> Shape {
    Shape { kind, hint, how: How::Value(pattern) }
}

const fn scan(kind: &'static str, hint: &'static str, scan: fn(&str, &mut dyn FnMut(Range<usize>))) -> Shape {
    Shape { kind, hint, how: How::Scan(scan) }
}

/// All shapes. If two match the same text, the first one determines the kind.
#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    // RFC 7468 (PKCS #1, #8, SEC 1), RFC 9580 (OpenPGP), OpenSSH's PROTOCOL.key: the block, which may be cut off.
    shape("private-key", r"-----BEGIN ", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z)"),
    // PuTTY's PPK file format, appendix C of its manual.
    shape("private-key", r"PuTTY-User-Key", r"PuTTY-User-Key-File-\d:(?s:.*?)(?:Private-MAC: *[0-9a-f]+|\z)"),
    // age: the file encryption tool's specification.
    shape("private-key", r"AGE-SECRET-KEY-", r"AGE-SECRET-KEY-[0-9A-Za-z]{20,}"),
    // AWS: IAM user guide, "IAM identifiers", unique id prefixes.
    shape("aws-key-id", r"A[KS]IA[A-Z0-9]", r"A[KS]IA[A-Z0-9]{16,}"),
    // AWS: "Managing access keys"; 40 characters, recognisable only by the name before them.
    shape("aws-secret-key", r"(?i)secret[_ -]?(?:access[_ -]?)?key", r#"(?i)secret[_ -]?(?:access[_ -]?)?key["']?(?:\s{0,4}[:=]\s{0,4}|\s{1,4}(?:is\s{1,4})?)["']?([A-Za-z0-9/+]{40,}=*)"#),
    // GitHub: "Behind GitHub's new authentication token formats".
    shape("github-token", r"gh[opusr]_[A-Za-z0-9]", r"gh[opusr]_[A-Za-z0-9_]{16,}"),
    shape("github-token", r"github_pat_", r"github_pat_[A-Za-z0-9_]{16,}"),
    // GitLab: "Token overview", prefixes.
    shape("gitlab-token", r"gl[a-z]{2}", r"gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.=-]{16,}"),
    // Slack: "Token types"; app-level and configuration tokens too.
    shape("slack-token", r"xox[a-z]-|xapp-|xoxe\.", r"(?:xox[abceoprs]-|xapp-|xoxe\.)[A-Za-z0-9.-]{8,}"),
    // Slack: "Sending messages using incoming webhooks".
    shape("slack-webhook", r"(?i)hooks\.slack", r"(?i)hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+-]+)"),
    // Stripe: "API keys"; webhook secrets too.
    shape("stripe-key", r"[srp]k_(?:live|test)_|whsec_", r"(?:[srp]k_(?:live|test)_|whsec_)[A-Za-z0-9+/=]{8,}"),
    // Anthropic: "Getting started", API keys.
    shape("anthropic-key", r"sk-ant-", r"sk-ant-[a-z]{2,8}[0-9]{2}-[A-Za-z0-9_-]{8,}"),
    // OpenAI: "API keys", also of projects and service accounts; other words begin with the same prefix.
    scan("openai-key", r"sk-[A-Za-z0-9]", issued::openai),
    // Google Cloud: "Manage API keys".
    shape("google-key", r"AIza", r"AIza[A-Za-z0-9_-]{20,}"),
    // Google: "Using OAuth 2.0", access tokens; client secrets.
    shape("google-token", r"ya29\.|GOCSPX-", r"(?:ya29\.|GOCSPX-)[A-Za-z0-9_.-]{10,}"),
    // Telegram: "Bot API", authorising your bot: the id, a colon and 35 characters.
    shape("telegram-token", r"[0-9]:A", r"[0-9]{6,12}:A[A-Za-z0-9_-]{32,}"),
    // Discord: "Reference", authentication: id, time and signature, each in base 64.
    shape("discord-token", r"[MNO][A-Za-z0-9_-]{3}", r"(?:mfa\.)?[MNO][A-Za-z0-9_-]{22,30}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"),
    // Discord: "Webhook resource".
    shape("discord-webhook", r"(?i)discord(?:app)?\.com/api", r"(?i)discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/([0-9]+/[A-Za-z0-9_-]+)"),
    // npm: "About access tokens".
    shape("npm-token", r"npm_[A-Za-z0-9]", r"npm_[A-Za-z0-9]{30,}"),
    // PyPI: "API tokens"; a macaroon in base 64.
    shape("pypi-token", r"pypi-A", r"pypi-A[A-Za-z0-9_-]{31,}"),
    // crates.io and RubyGems: the prefixes of their tokens.
    shape("registry-token", r"cio[A-Za-z0-9]|rubygems_", r"(?-u:\b)cio[A-Za-z0-9]{32}(?-u:\b)|rubygems_[0-9a-f]{32,}"),
    // Hugging Face: "User access tokens".
    shape("huggingface-token", r"hf_[A-Za-z]", r"hf_[A-Za-z0-9]{24,}"),
    // SendGrid: "API keys": SG., id and key.
    shape("sendgrid-key", r"SG\.[A-Za-z0-9_-]", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    // Twilio: "API keys", "Account SID".
    shape("twilio-id", r"(?:SK|AC)[0-9a-f]", r"(?:SK|AC)[0-9a-f]{32,}"),
    // Mailgun: "Authentication", private API keys.
    shape("mailgun-key", r"key-[0-9a-z]", r"(?:^|[^A-Za-z0-9])(key-[0-9a-z]{32,})"),
    // DigitalOcean: "Create a personal access token", prefixes.
    shape("digitalocean-token", r"do[opr]_v1_", r"do[opr]_v1_[0-9a-f]{32,}"),
    // Square: "Access tokens and other credentials".
    shape("square-token", r"sq0[a-z]{3}-|EAAA", r"sq0[a-z]{3}-[A-Za-z0-9_-]{20,}|EAAA[A-Za-z0-9_-]{56,}"),
    // Shopify: "API access tokens"; custom and private apps, shared secrets.
    shape("shopify-token", r"shp[a-z]{2}_", r"shp(?:at|ca|pa|ss|tka)_[0-9A-Fa-f]{30,}|shp(?:at|ca|pa|ss)_[A-Za-z0-9]{30,}"),
    // Other issuers with a documented prefix, each with the alphabet and length of its tokens.
    scan("api-token", r"[a-zA-Z0-9][_.-][A-Za-z0-9]|S[UAONC]A|PMAK-|:APA|1//0|SWMTKN|K10[0-9a-f]|dapi[A-Za-z0-9]|AT[AC]TT3|ATBB|AKC[A-Za-z0-9]|EZ[AT]K|patkey|sha256~", issued::prefixed),
    // RFC 7519 in the compact form of RFC 7515; an unsigned one has no third part.
    shape("jwt", r"eyJ[A-Za-z0-9_-]", r"eyJ[A-Za-z0-9_-]{6,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*"),
    // RFC 7516 and other long base64 objects: an encrypted token, a session.
    shape("jwt", r"eyJ[A-Za-z0-9_-]", r"eyJ[A-Za-z0-9_-]{60,}(?:\.[A-Za-z0-9_-]*){1,4}|eyJ[A-Za-z0-9+/_-]{100,}=*"),
    // RFC 6750, RFC 7617 and similar: the credentials of a header. Without the header, only of a token's length.
    value("authorization", r"(?i)authorization", r#"(?i)authorization["'\\]{0,3}\s{0,4}(?:[:=,]|=>)\s{0,4}["'\\]{0,3}(?:(?:bearer|basic|token|digest|apikey|api-key|negotiate|ssws|key|genie-?key|splunk)[\s=]{1,4})["']?([^\s"',;\\`]+)"#),
    scan("authorization", r"(?i)bearer\s", query::bearer),
    // RFC 6265: the value of a cookie, except of one that stores a preference.
    scan("cookie", r"(?i)cookie", query::cookies),
    // RFC 3986, 3.2.1: what follows the colon of the user information.
    scan("url-password", r"://", query::user_information),
    // RFC 3986, 3.4: query parameters that sign or authorise, and one-time links.
    scan("url-token", r"://|[?&]", query::parameters),
    // Azure: "Configure connection strings", the keys of storage and messages.
    shape("connection-key", r"(?i)(?:account|access)key\s?=", r"(?i)(?:account|sharedaccess|access)key\s?=\s?([A-Za-z0-9+/=_-]{16,})"),
    // ISO 13616: the registry's lengths, and check digits of ISO 7064 (MOD 97-10).
    scan("iban", r"[A-Za-z][0-9]", numbers::ibans),
    // ISO/IEC 7812: the issuer's prefix, and the check digit of annex B (Luhn).
    scan("card-number", r"[0-9]{2}", numbers::cards),
    // The Social Security Administration: "Invalid SSNs" excludes some areas, and zeros.
    shape("social-security-number", r"(?i)ssn|social", r"(?i)(?-u:\b)(?:ssn|social security(?: number| no\.?)?)(?-u:\b)[^\n0-9]{0,24}((?:00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6(?:[0-57-9][0-9]|6[0-57-9]))[- ]?(?:0[1-9]|[1-9][0-9])[- ]?(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000))(?-u:\b)"),
    // BIP 39, BIP 32, and Bitcoin's wallet import format.
    scan("recovery-phrase", r"", wallet::phrases),
    scan("private-key", r"[1-9A-HJ-NP-Za-km-z]{4}", wallet::keys),
    // BitLocker: eight groups of six digits.
    shape("recovery-key", r"[0-9]-[0-9]", r"[0-9]{6}(?:-[0-9]{6}){7}"),
    // Wi-Fi Alliance: the text of a QR code for a network.
    value("password", r"WIFI:", r"WIFI:[ -~\t]{0,120}?P:([^;\n]+);"),
    // RFC 7517: the private part of a key.
    shape("private-key", r#""kty""#, r#""(?:d|p|q|k)"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{20,})""#),
    // PostgreSQL: "The password file".
    value("password", r":", r"(?m)^[!-9;-~]{1,80}:(?:[0-9]{2,5}|\*):[!-9;-~]{1,64}:[!-9;-~]{1,64}:([^:\s]+)"),
    // Data source names of Go; a mail address and a password, as in a password map of Postfix.
    value("password", r"@", r#"[A-Za-z0-9_.-]{1,64}:([!#-&(-.0-9;-?A-~]{3,64})@(?:tcp|unix|udp)?\("#),
    value("password", r"@", r#"[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64}){1,4}:([!#-&(-.0-9;-~]{6,128})(?:\s|$)"#),
    // SQL, Cisco IOS, Redis, Net-SNMP.
    value("password", r"(?i)identified|password", r#"(?i)(?:identified by|identified with [A-Za-z0-9_]{1,40} by|(?-u:\b)password)\s{1,4}'([^'\n]+)'"#),
    value("password", r"(?i)secret|password", r"(?i)(?-u:\b)(?:secret|password)\s{1,3}(?:0|5|7|8|9)\s{1,3}([^\s]{4,})"),
    value("password", r"requirepass|masterauth", r#"(?:requirepass|masterauth)\s{1,8}["']?([^\s"']{3,})"#),
    value("password", r"createUser", r#"createUser\s{1,4}[!-~]{1,64}\s{1,4}[A-Za-z0-9_]{3,8}\s{1,4}["']?([^\s"']{4,})"#),
    value("password", r"createUser", r#"createUser\s[ -~\t]{1,120}\s(?:AES|DES)\s{1,4}["']?([^\s"']{4,})"#),
    // Programs that take a password as a positional or one-letter argument.
    value("password", r"-u|-U|--user", r#"(?:^|\s)(?:-u|-U|--user|--userpwd|--proxy-user)[ =]{0,2}["']?[!#&(-+./0-9;-~][!#$&(-+./0-9;-~-]{0,63}[:,%]([^\s"']{3,})"#),
    value("password", r"-p", r#"(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|mysqlsh|7za?|sshpass|rar|unrar|unzip|zip)(?-u:\b)[ -{}~]{0,200}?\s-[pP](?:'([^'\n]+)'|"([^"\n]+)"|([^\s'"<$-][^\s'"]+))"#),
    value("password", r"(?i)-p", r#"(?:sshpass|docker login|podman login|helm registry login|cqlsh|az login|unzip|zip|7z|sqlcmd|mosquitto_[ps]ub|mongo(?:sh|dump|restore)?|clickhouse-client|ipmitool|oc login|kinit|smbclient|xfreerdp|bcp|isql)(?-u:\b)[ -{}~]{0,200}?\s(?:-p|-P)\s{1,4}(?:'([^'\n]+)'|"([^"\n]+)"|([^\s'"<$-][^\s'"]*))"#),
    value("password", r"(?i)redis-cli|ldap|nuget|doctl|mc alias|vault login|cargo login|importprivkey|htpasswd|net user|sqlplus|b2 |openssl|snowsql", r#"(?:redis-cli(?-u:\b)[ -{}~]{0,120}?\s-a|ldap\w+(?-u:\b)[ -{}~]{0,200}?\s-w|nuget(?-u:\b)[ -{}~]{0,120}?\s-k|doctl(?-u:\b)[ -{}~]{0,80}?\s-t|mc alias set [!-~]{1,40} [!-~]{1,120} [!-~]{1,80}|vault login|cargo login|importprivkey|htpasswd\s{1,3}-[A-Za-z0-9_]{0,6}b[A-Za-z0-9_]{0,6}\s{1,3}[!-~]{1,120}\s{1,3}[!-~]{1,64}|(?i:net user)\s{1,3}[!-~]{1,64}|b2 account authorize [!-~]{1,64}|openssl(?-u:\b)[ -{}~]{0,200}?\s-(?:pass|passin|passout|k))\s{1,4}(?:pass:)?(?:'([^'\n]+)'|"([^"\n]+)"|([^\s'"<$/*-][^\s'"]{2,}))"#),
    value("password", r"sqlplus|exp(?:dp)? |imp(?:dp)? ", r#"(?:sqlplus|expdp?|impdp?|sqlldr)\s[ -{}~]{0,60}?[A-Za-z0-9_$]{1,40}/([^\s@"']{3,})@"#),
    value("password", r"echo|printf", r#"(?:echo|printf)\s{1,3}(?:-[neE]{1,2}\s{1,3})?(?:'([^'\n$]+)'|"([^"\n$]+)"|([^\s'"$|]+))\s{0,3}\|[ -~\t]{0,120}(?:--password-stdin|--passphrase-fd|sudo -S|chpasswd|cryptsetup|smbpasswd|passwd --stdin)"#),
    value("secret", r"--?[a-zA-Z]", r#"(?:^|\s)--?(?:[A-Za-z][A-Za-z.-]{0,40}[.-])?(?:password|passwd|passphrase|pass|pwd|storepass|keypass|so-pin|pin|puk|token-code|otp|authkey|auth-key)(?:=|\s{1,3})(?:'([^'\n]+)'|"([^"\n]+)"|([^\s'"<$-][^\s'"]*))"#),
    value("secret", r"--?[a-zA-Z]", r#"(?:^|\s)--?(?:[A-Za-z][A-Za-z.-]{0,40}[.-])?(?:token|api-key|apikey|auth-token|secret|access-key|secret-key|client-secret|private-key)(?:=|\s{1,3})["']?([A-Za-z0-9_.:~+/=-]{0,200}[0-9][A-Za-z0-9_.:~+/=-]{6,})"#),
    // Library functions with a password as a positional argument.
    value("password", r"(?i)credential|securestring|hmac|\.login\(|basicauth|basic_auth|Client\(|set_password", r#"(?:NetworkCredential\(\s?"[ !#-~]{1,80}",\s{0,3}|(?i:convertto-securestring)\s{1,3}(?:-string\s{1,3})?|hmac\.new\(\s?b?|(?i:basic_?auth)\(\s?["'][ !#-&(-~]{1,80}["'],\s{0,3}|\.login\(\s?["'][ !#-&(-~]{1,80}["'],\s{0,3}|Client\(\s?["'][ !#-&(-~]{1,80}["'],\s{0,3}|set_password\()["']([^"'\n]{4,})["']"#),
    value("password", r"(?i)password:", r#"(?i)expect\s{1,3}"[ !#-~]{0,20}pass(?:word|phrase)?:?[ !#-~]{0,8}"\s{1,8}send\s{1,3}(?:--\s)?"([^"\\\n]{3,})"#),
    value("password", r"connect", r#"connect\(\s?["'][ !#-&(-~]{1,160}["'],\s{0,3}["'][ !#-&(-~]{1,80}["'],\s{0,3}["']([^"'\n]{4,})["']"#),
    shape("secret", r#"\.from\(|fromhex\(|unhexlify\(|DecodeString\("#, r#"(?:\.from|fromhex|unhexlify|DecodeString)\(\s?b?["']([0-9a-fA-F]{32,})["']"#),
    // A network configuration, a parameter store, a settings file in one argument.
    value("password", r"(?i)securestring|secret-string", r#"(?i)(?:--type\s{1,3}securestring(?-u:\b)[ -~\t]{0,80}?--value|--secret-string)\s{1,3}(?:'([^'\n{]+)'|"([^"\n{]+)"|([^\s'"{$]+))"#),
    value("password", r"_AUTH=", r#"[A-Z][A-Z0-9]{2,20}_AUTH=["']?[A-Za-z0-9_.-]{1,40}[/:]([^\s"']{4,})"#),
    // The second one of two passwords: a word with a digit.
    value("password", r"(?i)passwords|passwörter", r"(?i)(?-u:\b)(?:passwords|passwörter)(?-u:\b)[^\n:]{0,40}:\s{0,3}[^\s,;]{3,64}(?:,\s|\s(?:and|or|und|oder|&|/)\s)\s?([^\s,;]{3,40}[0-9][^\s,;]{0,40}|[^\s,;]{0,40}[0-9][^\s,;]{3,40})"),
    // A password that was changed, and the one that it was changed to: words with a digit.
    value("password", r"(?i)from\s", r"(?i)(?-u:\b)(?:passwords?|passcode|passphrase|passwort|kennwort)\s(?:was |has been |got |is )?(?:changed|reset|updated|switched)\sfrom\s([^\s,;]{3,40}[0-9][^\s,;]{0,40}|[^\s,;]{0,40}[0-9][^\s,;]{3,40})\s"),
    value("password", r"(?i)\sto\s", r"(?i)(?-u:\b)(?:passwords?|passcode|passphrase|passwort|kennwort)\s(?:was |has been |got |is )?(?:changed|reset|updated|switched)\s(?:from\s[^\s]{1,80}\s)?to\s([^\s,;]{3,40}[0-9][^\s,;]{0,40}|[^\s,;]{0,40}[0-9][^\s,;]{3,40})"),
    // Chinese numerals called a password.
    value("pin", r"密码|密碼", r"(?:密码|密碼)(?:是|为)?\s?([零一二三四五六七八九]个[零一二三四五六七八九0-9]|[零一二三四五六七八九]{4,})"),
];
