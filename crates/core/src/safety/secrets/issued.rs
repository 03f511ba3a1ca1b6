//! Finds keys with the prefix of an issuer that ordinary names can have as well: `sk-`, `ntn_`.
//!
//! The rest of the key must look as random as an issued one, so `sk-learn-contrib-extras` is a name.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::value::{is_hex, is_random, is_uuid};

/// Finds keys with the prefix `sk-`, alone or followed by a kind of key (`sk-proj-`, `sk-svcacct-`,
/// `sk-or-v1-`).
pub(super) fn openai(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    static KEY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"sk-(?:(?:proj|svcacct|admin|None|or-v1|lf|live|test|fake)-)?([A-Za-z0-9_-]{16,})")
            .expect("a pattern")
    });
    for found in KEY.captures_iter(text) {
        let (Some(whole), Some(rest)) = (found.get(0), found.get(1)) else { continue };
        let is_start = !text[..whole.start()].ends_with(|c: char| c.is_alphanumeric());
        if is_start && is_key(rest.as_str()) {
            add(whole.range());
        }
    }
}

/// Returns whether the rest of a key is random in whole or in a part, or repeats one digit, as examples of
/// keys do.
fn is_key(rest: &str) -> bool {
    let parts = || rest.split(['-', '_']);
    let is_repeated = |part: &str| {
        part.len() >= 16
            && part.bytes().all(|b| b == part.as_bytes()[0])
            && part.as_bytes()[0].is_ascii_digit()
    };
    parts().any(|part| {
        part.len() >= 12 && is_random(part) || is_hex(part) && part.len() >= 16 || is_repeated(part)
    }) || rest.len() >= 20 && is_random(rest) && rest.bytes().filter(u8::is_ascii_uppercase).count() >= 2
        || rest.len() >= 32 && is_random(rest)
        || rest.len() >= 20
            && rest.bytes().all(|b| b.is_ascii_alphanumeric())
            && rest.bytes().any(|b| b.is_ascii_uppercase())
}

/// Finds keys of issuers that document a prefix.
pub(super) fn prefixed(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    // Linear, Notion, Figma, Postman, Doppler, Vault, Databricks, Grafana, xAI, Groq, Perplexity, Replicate,
    // Sentry, Docker, Heroku, Tailscale, Fly, PlanetScale, New Relic, Atlassian, Sonar, Airtable, Nats,
    // kubeadm, Docker Swarm, k3s, Neon, Artifactory, Pulumi, Cloudflare, Bitbucket, Mapbox, Dropbox,
    // Terraform Cloud, Google (refresh), Firebase, Contentful, Buildkite, CircleCI, Prefect, OpenShift. Keys
    // of issuers without a prefix, like Hetzner, are recognized only by a name next to them.
    static KEY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"(?:lin_api_|ntn_|secret_|figd_|PMAK-|dp\.(?:pt|st|ct|sa|scim|audit)\.|hv[sbr]\.|glsa_|xai-|gsk_|pplx-|r8_|sntrys_|dckr_pat_|dckr_oat_|HRKU-|",
            r"tskey-[a-z]{2,8}-|fm[12]_|pscale_(?:pw|tkn|oauth)_|NRAK-|NRII-|ATATT3|ATCTT3|ATBB|sq[upa]_|patkey|pat[A-Za-z0-9]{14}\.|S[UAONC]A|",
            r"npg_|napi_|AKC|pul-|v1\.0-|sl\.|1//0|shippo_(?:live|test)_|bkua_|CCIPAT_|pnu_|sha256~|EZ[AT]K|rdme_|duffel_(?:live|test)_|",
            r"dapi|nvapi-|sbp_|rnd_|fo1_|cfut_|CFPAT-|dnkey-|key_live_|rk_live_|ghs_|wandb_v1_|esn_|mcp_)[A-Za-z0-9_.=+/~-]{16,}",
            r"|AAAA[A-Za-z0-9_-]{7}:APA91[A-Za-z0-9_-]{20,}|SWMTKN-1-[a-z0-9-]{20,}|K10[0-9a-f]{32,}::[A-Za-z0-9:_-]+",
            r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{20,}"
        ))
        .expect("a pattern")
    });
    for found in KEY.find_iter(text) {
        let key = found.as_str();
        let is_start = !text[..found.start()].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = &key[key.find(['_', '-', '.', '/']).map_or(0, |at| at + 1)..];
        let is_key = key.starts_with('S') && key.len() == 58
            || is_random(rest)
            || is_hex(rest)
            || is_uuid(rest)
            || key.len() >= 40 && is_random(key);
        if is_start && is_key {
            add(found.range());
        }
    }
}
