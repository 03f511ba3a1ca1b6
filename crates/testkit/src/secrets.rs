//! Sample secrets of every kind, for tests that none of them is stored.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A sample secret.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The kind that redaction reports.
    pub kind: &'static str,
    /// A text that contains the secret.
    pub text: &'static str,
    /// The part of the secret that no file may contain.
    pub secret: &'static str,
}

const fn sample(kind: &'static str, text: &'static str, secret: &'static str) -> Sample {
    Sample { kind, text, secret }
}

/// At least one sample of each kind. All are invented, or published as examples.
#[rustfmt::skip]
pub const SAMPLES: &[Sample] = &[
    sample("private-key", "-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAKj34GkxFhD9\n-----END RSA PRIVATE KEY-----", "MIIBOgIBAAJBAKj34GkxFhD9"),
    sample("private-key", "AGE-SECRET-KEY-1QQPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQ3290QZ", "QQPQYQSZQGPQYQSZQGP"),
    sample("aws-key-id", "our key is AKIAIOSFODNN7EXAMPLE, keep it", "AKIAIOSFODNN7EXAMPLE"),
    sample("aws-secret-key", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"),
    sample("github-token", "use ghp_16C7e42F292c6912E7710c838347Ae178B4a for it", "16C7e42F292c6912E7710c838347Ae178B4a"),
    sample("github-token", "github_pat_11ABCDEFG0123456789_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTU", "11ABCDEFG0123456789"),
    sample("gitlab-token", "glpat-AbCdEfGhIjKlMnOpQrSt", "AbCdEfGhIjKlMnOpQrSt"),
    sample("slack-token", "xoxb-123456789012-123456789012-AbCdEfGhIjKlMnOpQrStUvWx", "AbCdEfGhIjKlMnOpQrStUvWx"),
    sample("slack-webhook", "https://hooks.slack.com/services/T00000001/B00000001/QrStUvWxYzAbCdEfGhIjKlMn", "QrStUvWxYzAbCdEfGhIjKlMn"),
    sample("stripe-key", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "4eC39HqLyjWDarjtT1zdp7dc"),
    sample("anthropic-key", "sk-ant-api03-Zm9vYmFyYmF6cXV4-Zm9vYmFy", "Zm9vYmFyYmF6cXV4"),
    sample("openai-key", "OpenAI: sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34", "Ab12Cd34Ef56Gh78Ij90"),
    sample("google-key", "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "SyD-9tSrke72PouQMnMX"),
    sample("google-token", "ya29.a0AfH6SMBxyz0123456789abcdefghij", "a0AfH6SMBxyz0123456789"),
    sample("telegram-token", "bot 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawX", "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"),
    sample("discord-token", "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs", "ZnCjm1XVW7vRze4b7Cq4se7kKWs"),
    sample("discord-webhook", "https://discord.com/api/webhooks/123456789012345678/aBcDeFgHiJkLmNoPqRsTuVwXyZ", "aBcDeFgHiJkLmNoPqRsTuVwXyZ"),
    sample("npm-token", "npm_ABCDEFabcdef0123456789ABCDEFabcdef01", "ABCDEFabcdef0123456789ABCDEF"),
    sample("pypi-token", "pypi-AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtMDAwMC0wMDAw", "AgEIcHlwaS5vcmcCJDAw"),
    sample("huggingface-token", "hf_AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEf", "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEf"),
    sample("sendgrid-key", "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", "TwL2iGABf9DHoTf"),
    sample("twilio-id", "AC0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"),
    sample("mailgun-key", "key-3ax6xnjp29jd6fds4gc373sgvjxteol0", "3ax6xnjp29jd6fds4gc373sgvjxteol0"),
    sample("digitalocean-token", "dop_v1_9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4"),
    sample("square-token", "sq0atp-Qw3rTyUiOpAsDfGhJkLzXc", "Qw3rTyUiOpAsDfGhJkLzXc"),
    sample("shopify-token", "shpat_c0ffee00c0ffee00c0ffee00c0ffee00", "c0ffee00c0ffee00c0ffee00"),
    sample("api-token", "lin_api_QmFzZTY0RW5jb2RlZFRva2VuMTIzNDU2Nzg5MA", "QmFzZTY0RW5jb2RlZFRva2Vu"),
    sample("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U", "dozjgNryP4J3jVmNHl0w5N"),
    sample("authorization", "curl -H 'Authorization: Bearer zXcVbNm123456789qWeRtY'", "zXcVbNm123456789qWeRtY"),
    sample("url-password", "postgres://ana:s3cr3t-Horse@db.example/main", "s3cr3t-Horse"),
    sample("connection-key", "AccountKey=R2VoZWltZXJTY2hsdWVzc2VsMTIzNDU2Nzg5MA==", "R2VoZWltZXJTY2hsdWVzc2Vs"),
    sample("iban", "my account is DE89 3704 0044 0532 0130 00", "3704 0044 0532 0130"),
    sample("card-number", "my card is 4111 1111 1111 1111", "4111 1111 1111"),
    sample("card-number", "5555555555554444 bis 09/29", "5555555555554444"),
    sample("card-number", "it is\n3782\n822463\n10005", "822463"),
    sample("password", "my password is Correct-Horse-77", "Correct-Horse-77"),
    sample("password", "Das Passwort lautet Morgenstern#9", "Morgenstern#9"),
    sample("password", "la contraseña es Girasol_2024", "Girasol_2024"),
    sample("password", "le mot de passe est Tournesol_88", "Tournesol_88"),
    sample("password", "密码是Xiaomao2024", "Xiaomao2024"),
    sample("pin", "the door code is 48291375", "48291375"),
    sample("recovery-phrase", "the recovery phrase: anchor velvet pony drift lemon cactus orbit tunnel", "velvet pony"),
    sample("secret", "STRIPE_API_KEY=zzTopSecretValue0042", "zzTopSecretValue0042"),
];

/// Returns the files below a directory, sorted. Links are not followed.
///
/// # Errors
/// [`io::Error`] if a directory cannot be read.
pub fn files_below(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        match entry.file_type()? {
            kind if kind.is_dir() => found.extend(files_below(&entry.path())?),
            kind if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the files below a directory that contain a text, ignoring ASCII case. Links are not followed.
///
/// # Errors
/// [`io::Error`] if a directory or file cannot be read.
pub fn files_with(dir: &Path, text: &str) -> io::Result<Vec<String>> {
    let wanted = text.to_ascii_lowercase().into_bytes();
    let mut found = Vec::new();
    for file in files_below(dir)? {
        let bytes = match fs::read(&file) {
            // Another process may remove a file meanwhile.
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            read => read?.to_ascii_lowercase(),
        };
        if bytes.windows(wanted.len()).any(|window| window == wanted) {
            found.push(file.display().to_string());
        }
    }
    Ok(found)
}
