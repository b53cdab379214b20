//! Issued tokens, placeholders and documented examples.

use super::*;

/// Text without order, for the bytes of a token.
const MIXED: &str =
    "8Kq2VbX7nLp0Rz4TfWc9Hs6JdYm3Ea5GuQ1oB8vN2kZ7xPwD4rCg9MjSb6LyAt3FhUeV5iKq0OzXn8RfTp2WcJ7sHd4Ym9Ea6GuQ1l";
const HEX: &str = "3f2c1ab98e07d6545f90b1c2a3e7d8064c9b2e1f7a80d35648eb1c9f02a7d6b354e8f1";
const LETTERS: &str = "QvKbXnLpRzTfWcHsJdYmEaGuBoNkZxPwDrCgMjSbLyAtFhUeViKq";
const UPPER: &str = "Q3EGR7M2X5TPLW4KZ6VB";

/// Returns the title of the issued secret in a text, and whether its format is exact.
fn issued(text: &str) -> Option<(&'static str, bool)> {
    (0..text.len()).find_map(|at| issued_at(text.as_bytes(), at)).map(|issued| (issued.kind.title, issued.kind.exact))
}

/// Returns whether the search for words looks at the first word of the secret in a text.
fn is_searched(text: &str) -> bool {
    let starts = (0..text.len()).filter(|&at| issued_at(text.as_bytes(), at).is_some());
    let first = starts.min().unwrap_or_default();
    candidates(text.as_bytes()).any(|range| range.contains(&first))
}

fn mixed(length: usize) -> String {
    MIXED.repeat(4)[..length].to_owned()
}

#[test]
fn recognizes_tokens_of_each_issuer() {
    let (m, hex) = (mixed, |length: usize| HEX.repeat(2)[..length].to_owned());
    let digits = |length: usize| "48213905763914"[..length].to_owned();
    let tokens = [
        ("a GitHub token", format!("ghp_{}", m(36))),
        ("a GitHub token", format!("ghs_{}", m(36))),
        ("a GitHub token", format!("github_pat_{}_{}", m(22), m(59))),
        ("a GitLab token", format!("glpat-{}", m(20))),
        ("a GitLab token", format!("glpat-{}.{}", m(40), &hex(9))),
        ("a GitLab token", format!("glrt-{}", m(20))),
        ("a GitLab token", format!("glcbt-64_{}", m(20))),
        ("a GitLab token", format!("glptt-{}", hex(40))),
        ("an AWS access key", format!("AKIA{}", &UPPER[..16])),
        ("an AWS access key", format!("ASIA{}", &UPPER[..16])),
        ("an AWS secret access key", format!("aws_secret_access_key = {}", m(40))),
        ("an AWS secret access key", format!("\"AWS_SECRET_ACCESS_KEY\": \"{}\"", m(40))),
        ("a Slack token", format!("xoxb-{}-{}-{}", digits(12), digits(13), m(24))),
        ("a Slack token", format!("xoxp-{}-{}-{}-{}", digits(12), digits(12), digits(13), hex(32))),
        ("a Slack token", format!("xapp-1-A0{}-{}-{}", &UPPER[..9], digits(13), hex(64))),
        (
            "a Slack webhook",
            format!("https://hooks.slack.com/services/T0{}/B0{}/{}", &UPPER[..9], &UPPER[3..12], m(24)),
        ),
        ("a Stripe key", format!("sk_live_{}", m(24))),
        ("a Stripe key", format!("rk_live_{}", m(99))),
        ("a Google API key", format!("AIza{}", m(35))),
        ("a Google client secret", format!("GOCSPX-{}", m(28))),
        ("an OpenAI API key", format!("sk-{}T3BlbkFJ{}", m(20), m(20))),
        ("an OpenAI API key", format!("sk-proj-{}T3BlbkFJ{}", m(74), m(74))),
        ("an Anthropic API key", format!("sk-ant-api03-{}AA", m(93))),
        ("a Hugging Face token", format!("hf_{}", &LETTERS[..34])),
        ("an npm token", format!("npm_{}", m(36))),
        ("a PyPI token", format!("pypi-AgEIcHlwaS5vcmc{}", m(120))),
        ("a SendGrid API key", format!("SG.{}.{}", m(22), m(43))),
        ("a Twilio API key", format!("SK{}", hex(32))),
        ("a Telegram bot token", format!("{}:AA{}", digits(10), m(33))),
        ("a Discord webhook", format!("https://discord.com/api/webhooks/{}48213/{}", digits(14), m(68))),
        ("a Discord token", format!("DISCORD_TOKEN={}.{}.{}", m(24), &m(30)[24..], m(38))),
        ("an Azure client secret", format!("secret: {}8Q~{}", &m(9)[6..], m(34))),
        ("an Azure storage key", format!("AccountKey={}==", m(86))),
        ("a DigitalOcean token", format!("dop_v1_{}", hex(64))),
        ("a Shopify token", format!("shpat_{}", hex(32))),
        ("an Atlassian token", format!("ATATT3{}", m(186))),
        ("a Databricks token", format!("dapi{}", hex(32))),
        ("a Grafana token", format!("glsa_{}_{}", m(32), hex(8))),
    ];
    for (title, token) in &tokens {
        assert_eq!(issued(token), Some((*title, true)), "{token}");
        assert_eq!(issued(&format!("key=\"{token}\",")), Some((*title, true)), "{token}");
        assert!(is_searched(&format!("It is {token} .")), "{token}");
        assert!(!secrets(token.as_bytes()).is_empty(), "{token} is shown");
    }
}

#[test]
fn searches_near_long_words_only() {
    let ranges = |text: &str| candidates(text.as_bytes()).collect::<Vec<_>>();
    let (short, long, space) = ("a".repeat(SOLID_BYTES - 1), "b".repeat(SOLID_BYTES), " ".repeat(2 * BEFORE_BYTES));
    assert!(ranges(&format!("{short} {short}\n{short}")).is_empty());
    assert_eq!(ranges(&format!("{short} {long}")), vec![0..2 * SOLID_BYTES; 1]);
    let text = format!("{long}{space}{long} {short} {long}c {space}");
    let second = SOLID_BYTES + space.len();
    assert_eq!(ranges(&text), [0..SOLID_BYTES, second - BEFORE_BYTES..second + 3 * SOLID_BYTES + 2]);
    assert!(is_searched("redis://:8Kq2VbX7@h "), "the shortest secret");
}

#[test]
fn recognizes_weaker_shapes_as_possible_secrets() {
    let tokens = [
        ("an API key of a model vendor", format!("sk-proj-{}", mixed(40))),
        ("a GitHub token", format!("ghp_{}", mixed(40))),
        ("a Stripe key", format!("sk_test_{}", mixed(24))),
        ("a JSON Web Token", format!("eyJ{}.eyJ{}.{}", mixed(33), mixed(60), mixed(43))),
        ("a database URL with a password", "postgres://ann:8Kq2VbX7nLp0@db.acme.io:5432/a".to_owned()),
    ];
    for (title, token) in &tokens {
        assert_eq!(issued(token), Some((*title, false)), "{token}");
        assert!(is_searched(&format!("It is {token} .")), "{token}");
        assert!(!secrets(token.as_bytes()).is_empty(), "{token} is shown");
    }
}

#[test]
fn ignores_placeholders_and_documented_examples() {
    for quiet in [
        "AKIAIOSFODNN7EXAMPLE",
        "AKIAI44QH8DHBEXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "ghp_your_token_here",
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "ghp_8Kq2VbX7",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-a-very-long-name-of-some-command-with-words",
        "sk-ant-api03-0000000000000000000000000000000000",
        "hf_abcdefghijklmnopqrstuvwxyzabcdefgh",
        "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
        "123456789:AAxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "SG.xxxxxxxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "SKxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "SKILL.md",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        "eyJhbGciOiJIUzI1NiJ9...",
        "postgres://user:password@localhost:5432/db",
        "postgres://user:8Kq2VbX7nLp0@localhost/db",
        "postgres://user:8Kq2VbX7nLp0@db.example.com/db",
        "postgresql://${USER}:${PASSWORD}@db.acme.io/a",
        "https://ann:8Kq2VbX7nLp0@acme.io/",
        "AccountKey=<key>",
    ] {
        assert_eq!(issued(quiet), None, "{quiet}");
    }
    let inside = format!("my_ghp_{}", mixed(36));
    assert_eq!(issued(&inside), None, "{inside}");
}

#[test]
fn requires_key_material_in_private_keys() {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    for between in ["\n", "\\n", "\r\n  "] {
        let text = format!("-----BEGIN RSA PRIVATE KEY-----{between}{line}{between}-----END RSA PRIVATE KEY-----");
        assert_eq!(issued(&text), Some(("a private key", true)), "{text}");
    }
    for quiet in ["-----BEGIN PRIVATE KEY-----\nMIIE...\n-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----"] {
        assert_eq!(issued(quiet), None, "{quiet}");
    }
    let public = format!("-----BEGIN PUBLIC KEY-----\n{line}");
    assert_eq!(issued(&public), None);
}

#[test]
fn searches_for_words_that_no_other_word_begins() {
    let all = words();
    for (one, word) in all.iter().enumerate() {
        let begins = |other: &&str| word.starts_with(other);
        assert_eq!(all.iter().position(begins), Some(one), "{word}");
        assert!(word.len() >= 3, "{word} is too short for the search");
    }
}

#[test]
fn hides_a_lead_and_a_password() {
    let telegram = format!("a 4821390576:AA{} b", mixed(33));
    assert_eq!(secrets(telegram.as_bytes()), vec![2..48; 1]);
    let url = "postgres://ann:8Kq2VbX7nLp0@localhost/a";
    assert_eq!(secrets(url.as_bytes()), vec![15..27; 1]);
}

#[test]
fn follows_no_prefix_inside_a_word() {
    let tokens = "eyJ".repeat(100_000);
    assert!(secrets(tokens.as_bytes()).is_empty());
    assert_eq!(issued(&tokens[..3_000]), None);
}
