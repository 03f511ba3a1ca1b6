//! Purpose: the table of shapes that secrets have.
//!
//! **Invariant:** where a shape finds something, its hint occurs; a hint is short, so that all of them together are
//! one small automaton.
//! **Invariant:** no pattern looks further for its end than it takes, so all its matches together take linear time.

use std::ops::Range;

use super::{named, numbers};

/// One shape of secrets.
pub(super) struct Shape {
    /// What it is called in the text that remains.
    pub(super) kind: &'static str,
    /// A pattern without which there is none.
    pub(super) hint: &'static str,
    /// How it is recognised.
    pub(super) how: How,
}

/// How a shape is recognised.
#[derive(Clone, Copy)]
pub(super) enum How {
    /// By a pattern, whose first group is the secret, or all of it.
    Pattern(&'static str),
    /// By reading the text.
    Scan(fn(&str, &mut dyn FnMut(Range<usize>))),
}

const fn shape(kind: &'static str, hint: &'static str, pattern: &'static str) -> Shape {
    Shape { kind, hint, how: How::Pattern(pattern) }
}

const fn scan(kind: &'static str, hint: &'static str, scan: fn(&str, &mut dyn FnMut(Range<usize>))) -> Shape {
    Shape { kind, hint, how: How::Scan(scan) }
}

/// All shapes; of two that find the same, the first names it.
#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    // RFC 7468 (PKCS #1, #8, SEC 1), RFC 9580 (OpenPGP), OpenSSH's PROTOCOL.key: the block, or what there is of it.
    shape("private-key", r"-----BEGIN ", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z)"),
    // PuTTY's PPK file format, appendix C of its manual.
    shape("private-key", r"PuTTY-User-Key", r"PuTTY-User-Key-File-\d:(?s:.*?)(?:Private-MAC: *[0-9a-f]+|\z)"),
    // age: the file encryption tool's specification.
    shape("private-key", r"AGE-SECRET-KEY-", r"AGE-SECRET-KEY-[0-9A-Za-z]{20,}"),
    // AWS: IAM user guide, "IAM identifiers", unique id prefixes.
    shape("aws-key-id", r"A[KS]IA[A-Z0-9]", r"A[KS]IA[A-Z0-9]{16,}"),
    // AWS: "Managing access keys"; 40 characters, known only by what they are called.
    shape("aws-secret-key", r"(?i)secret[_ -]?(?:access[_ -]?)?key", r#"(?i)secret[_ -]?(?:access[_ -]?)?key["']?(?:\s{0,4}[:=]\s{0,4}|\s{1,4}(?:is\s{1,4})?)["']?([A-Za-z0-9/+]{40,}=*)"#),
    // GitHub: "Behind GitHub's new authentication token formats".
    shape("github-token", r"gh[opusr]_[A-Za-z0-9]", r"gh[opusr]_[A-Za-z0-9_]{16,}"),
    shape("github-token", r"github_pat_", r"github_pat_[A-Za-z0-9_]{16,}"),
    // GitLab: "Token overview", prefixes.
    shape("gitlab-token", r"gl[a-z]{2,6}-", r"gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.=-]{16,}"),
    // Slack: "Token types"; app-level and configuration tokens too.
    shape("slack-token", r"xox[a-z]-|xapp-|xoxe\.", r"(?:xox[abceoprs]-|xapp-|xoxe\.)[A-Za-z0-9.-]{8,}"),
    // Slack: "Sending messages using incoming webhooks".
    shape("slack-webhook", r"(?i)hooks\.slack", r"(?i)hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+-]+)"),
    // Stripe: "API keys"; webhook secrets too.
    shape("stripe-key", r"[srp]k_(?:live|test)_|whsec_", r"(?:[srp]k_(?:live|test)_|whsec_)[A-Za-z0-9+/=]{8,}"),
    // Anthropic: "Getting started", API keys.
    shape("anthropic-key", r"sk-ant-", r"sk-ant-[A-Za-z0-9_-]{8,}"),
    // OpenAI: "API keys", also of projects and service accounts; others sign with the same prefix.
    shape("openai-key", r"sk-[A-Za-z0-9]", r"(?:^|[^A-Za-z0-9])(sk-[A-Za-z0-9][A-Za-z0-9_-]{15,})"),
    // Google Cloud: "Manage API keys".
    shape("google-key", r"AIza", r"AIza[A-Za-z0-9_-]{20,}"),
    // Google: "Using OAuth 2.0", access tokens; client secrets.
    shape("google-token", r"ya29\.|GOCSPX-", r"(?:ya29\.|GOCSPX-)[A-Za-z0-9_.-]{10,}"),
    // Telegram: "Bot API", authorising your bot: the id, a colon and 35 characters.
    shape("telegram-token", r"[0-9]{6}:A", r"[0-9]{6,12}:A[A-Za-z0-9_-]{32,}"),
    // Discord: "Reference", authentication: id, time and signature, each in base 64.
    shape("discord-token", r"[MNO][A-Za-z0-9_-]{22}", r"(?:mfa\.)?[MNO][A-Za-z0-9_-]{22,30}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"),
    // Discord: "Webhook resource".
    shape("discord-webhook", r"(?i)discord(?:app)?\.com/api", r"(?i)discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/([0-9]+/[A-Za-z0-9_-]+)"),
    // npm: "About access tokens".
    shape("npm-token", r"npm_[A-Za-z0-9]", r"npm_[A-Za-z0-9]{30,}"),
    // PyPI: "API tokens"; a macaroon in base 64.
    shape("pypi-token", r"pypi-[A-Za-z]", r"pypi-[A-Za-z0-9_-]{32,}"),
    // crates.io and RubyGems: the prefixes of their tokens.
    shape("registry-token", r"cio[A-Za-z0-9]{8}|rubygems_", r"\bcio[A-Za-z0-9]{32}\b|rubygems_[0-9a-f]{32,}"),
    // Hugging Face: "User access tokens".
    shape("huggingface-token", r"hf_[A-Za-z]", r"hf_[A-Za-z0-9]{24,}"),
    // SendGrid: "API keys": SG., id and key.
    shape("sendgrid-key", r"SG\.[A-Za-z0-9_-]", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    // Twilio: "API keys", "Account SID".
    shape("twilio-id", r"(?:SK|AC)[0-9a-f]{6}", r"(?:SK|AC)[0-9a-f]{32,}"),
    // Mailgun: "Authentication", private API keys.
    shape("mailgun-key", r"key-[0-9a-z]", r"(?:^|[^A-Za-z0-9])(key-[0-9a-z]{32,})"),
    // DigitalOcean: "Create a personal access token", prefixes.
    shape("digitalocean-token", r"do[opr]_v1_", r"do[opr]_v1_[0-9a-f]{32,}"),
    // Square: "Access tokens and other credentials".
    shape("square-token", r"sq0[a-z]{3}-|EAAA", r"sq0[a-z]{3}-[A-Za-z0-9_-]{20,}|EAAA[A-Za-z0-9_-]{56,}"),
    // Shopify: "API access tokens"; custom and private apps, shared secrets.
    shape("shopify-token", r"shp[a-z]{2}_", r"shp(?:at|ca|pa|ss|tka)_[0-9A-Fa-f]{30,}|shp(?:at|ca|pa|ss)_[A-Za-z0-9]{30,}"),
    // Others that document a prefix: Linear, Notion, Figma, Postman, Doppler, HashiCorp Vault, Databricks, Grafana, xAI, Groq, Perplexity, Replicate, Sentry.
    shape("api-token", r"lin_api_|ntn_|secret_|figd_|PMAK-|dp\.[a-z]{2}\.|hvs\.|dapi[0-9a-f]{4}|glsa_|xai-|gsk_|pplx-|r8_|sntrys_", r"(?:^|[^A-Za-z0-9])((?:lin_api_|ntn_|secret_|figd_|PMAK-|dp\.(?:pt|st|ct|sa)\.|hvs\.|glsa_|xai-|gsk_|pplx-|r8_|sntrys_)[A-Za-z0-9_=+/-]{30,}|dapi[0-9a-f]{32,}(?:-[0-9])?)"),
    // RFC 7519 in the compact form of RFC 7515; an unsigned one has no third part.
    shape("jwt", r"eyJ[A-Za-z0-9_-]", r"eyJ[A-Za-z0-9_-]{6,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*"),
    // RFC 6750, RFC 7617 and the like: the credentials of a header; without the header, of a token's length.
    shape("authorization", r"(?i)authorization", r#"(?i)authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic|token|digest|apikey|negotiate)\s{1,4})([^\s"',;]+)"#),
    scan("authorization", r"(?i)bearer\s", named::bearer),
    // RFC 3986, 3.2.1: what follows the colon of the user information.
    scan("url-password", r"://", named::url_password),
    // Azure: "Configure connection strings", the keys of storage and messages.
    shape("connection-key", r"(?i)(?:account|access)key\s?=", r"(?i)(?:account|sharedaccess|access)key\s?=\s?([A-Za-z0-9+/=_-]{16,})"),
    // ISO 13616: the registry's lengths, and check digits of ISO 7064 (MOD 97-10).
    scan("iban", r"[A-Za-z]{2}[0-9]{2}[ -]?[A-Za-z0-9]{4}", numbers::ibans),
    // ISO/IEC 7812: the issuer's prefix, and the check digit of annex B (Luhn).
    scan("card-number", r"[0-9]{2}(?:\\[nrt]|[\s._-])?[0-9]{2}(?:\\[nrt]|[\s._-])?[0-9]", numbers::cards),
    // Wallets: BIP 39, after words that say so.
    shape("recovery-phrase", r"(?i)phrase|seed|助记词", r"(?i)(?:(?:recovery|seed|backup|secret|mnemonic)[ -]phrase|seed[ -]words|wiederherstellungsphrase|frase (?:semilla|de recuperaci[oó]n)|phrase de r[eé]cup[eé]ration|助记词)[^:\n]{0,60}:\s{0,4}((?:[a-z]{3,12}[ ,]{1,2}){7,24}[a-z]{3,12})"),
    // What is called a password where it is said.
    scan("password", named::PASSWORD_HINT, named::passwords),
    scan("pin", named::PIN_HINT, named::pins),
    // What is called a key or a token: in an environment, a configuration, a sentence.
    scan("secret", named::KEY_HINT, named::keys),
];
