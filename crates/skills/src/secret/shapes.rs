//! The table of token formats, according to the documentation of their issuers and to the patterns of gitleaks.

use Part::{Run, Word};

/// The format of a token.
pub(super) struct Shape {
    /// The words with which it begins, or which follow its lead.
    pub(super) prefixes: &'static [&'static str],
    /// What it is, with its article.
    pub(super) title: &'static str,
    /// Minimum bytes after the prefix to hide it in output; `usize::MAX` hides only the exact format.
    pub(super) hidden: usize,
    /// Minimum bytes after the prefix to report it without the exact format; `usize::MAX` for never.
    pub(super) loose: usize,
    /// Bytes that may follow, in addition to letters and digits.
    pub(super) more: &'static [u8],
    /// Whether the prefix is so common that it does not count inside a word, or without a digit or uppercase letter
    /// after it.
    pub(super) common: bool,
    /// Exact formats after the prefix.
    pub(super) forms: &'static [&'static [Part]],
    /// Whether only the issuer gives out text in these formats, and only as a secret.
    pub(super) exact: bool,
    /// Returns the number of bytes before the prefix that belong to the token; `None` if they do not fit.
    pub(super) lead: fn(&[u8]) -> Option<usize>,
}

/// A part of a format.
pub(super) enum Part {
    /// Bytes of a class: the least and the most.
    Run(fn(u8) -> bool, usize, usize),
    /// A fixed text.
    Word(&'static str),
}

/// A token that is hidden and reported by its exact format only.
const fn exact(prefixes: &'static [&'static str], title: &'static str, forms: &'static [&'static [Part]]) -> Shape {
    Shape {
        prefixes,
        title,
        hidden: usize::MAX,
        loose: usize::MAX,
        more: b"",
        common: false,
        forms,
        exact: true,
        lead: none,
    }
}

/// A token that is also hidden, and reported as a possible one, by its prefix and length.
const fn known(
    prefixes: &'static [&'static str],
    title: &'static str,
    (hidden, loose, more): (usize, usize, &'static [u8]),
    forms: &'static [&'static [Part]],
) -> Shape {
    Shape { hidden, loose, more, ..exact(prefixes, title, forms) }
}

const AWS: &str = "an AWS access key";
const DISCORD: &str = "a Discord token";
const GITHUB: &str = "a GitHub token";
const GITLAB: &str = "a GitLab token";
const MODEL: &str = "an API key of a model vendor";
const SLACK: &str = "a Slack token";
const STRIPE: &str = "a Stripe key";

/// The formats. If several fit, the exact one counts.
pub(super) const SHAPES: &[Shape] = &[
    known(&["ghp_", "gho_", "ghu_", "ghr_"], GITHUB, (16, 36, b""), &[&[Run(alnum, 36, 36)]]),
    known(&["ghs_"], GITHUB, (16, 36, b"_.-"), &[&[Run(alnum, 36, 36)]]),
    known(&["github_pat_"], GITHUB, (16, 59, b"_"), &[&[Run(dashed, 82, 82)]]),
    known(&["glpat-", "glrt-"], GITLAB, (16, 20, b"_.-"), &[&[Run(dashed, 20, 20)], ROUTABLE]),
    known(&["gldt-", "glft-", "glsoat-", "GR1348941"], GITLAB, (16, 20, b"_-"), &[&[Run(dashed, 20, 20)]]),
    exact(&["glcbt-"], GITLAB, &[&[Run(alnum, 1, 5), Word("_"), Run(dashed, 20, 20)]]),
    exact(
        &["glimt-", "glagent-", "gloas-"],
        GITLAB,
        &[&[Run(dashed, 25, 25)], &[Run(dashed, 50, 50)], &[Run(dashed, 64, 64)]],
    ),
    exact(&["glptt-"], GITLAB, &[&[Run(hex, 40, 40)]]),
    known(&["AKIA", "ASIA", "ABIA", "ACCA"], AWS, (16, 16, b""), &[&[Run(base32, 16, 16)]]),
    exact(&["ABSK"], "an Amazon Bedrock key", &[&[Run(base64, 109, 269)]]),
    exact(
        &["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "SecretAccessKey", "secretAccessKey"],
        "an AWS secret access key",
        &[&[Run(assigns, 1, 8), Run(base64, 40, 40)]],
    ),
    known(
        &["xoxb-"],
        SLACK,
        (10, 24, b"-"),
        &[
            &[Run(digit, 10, 13), Word("-"), Run(digit, 10, 13), Word("-"), Run(alnum, 16, 64)],
            &[Run(digit, 8, 14), Word("-"), Run(alnum, 18, 26)],
        ],
    ),
    known(
        &["xoxp-", "xoxe-"],
        SLACK,
        (10, 24, b"-"),
        &[
            &[
                Run(digit, 10, 13),
                Word("-"),
                Run(digit, 10, 13),
                Word("-"),
                Run(digit, 10, 13),
                Word("-"),
                Run(alnum, 28, 34),
            ],
            &[Run(digit, 1, 1), Word("-"), Run(alnum, 146, 166)],
        ],
    ),
    known(
        &["xoxa-", "xoxo-", "xoxr-", "xoxs-"],
        SLACK,
        (10, 24, b"-"),
        &[&[
            Run(digit, 8, 14),
            Word("-"),
            Run(digit, 8, 14),
            Word("-"),
            Run(digit, 8, 14),
            Word("-"),
            Run(hex, 16, 64),
        ]],
    ),
    exact(
        &["xapp-"],
        SLACK,
        &[&[
            Run(digit, 1, 1),
            Word("-"),
            Run(alnum, 8, 16),
            Word("-"),
            Run(digit, 8, 16),
            Word("-"),
            Run(alnum, 32, 128),
        ]],
    ),
    exact(
        &["hooks.slack.com/"],
        "a Slack webhook",
        &[
            &[Word("services/"), Run(base64, 43, 56)],
            &[Word("workflows/"), Run(base64, 43, 56)],
            &[Word("triggers/"), Run(base64, 43, 56)],
        ],
    ),
    known(&["sk_live_", "rk_live_"], STRIPE, (16, 24, b""), &[&[Run(alnum, 24, 99)]]),
    Shape { exact: false, ..known(&["sk_test_", "rk_test_"], STRIPE, (16, 24, b""), &[]) },
    known(&["AIza"], "a Google API key", (30, 35, b"_-"), &[&[Run(dashed, 35, 35)]]),
    exact(&["GOCSPX-"], "a Google client secret", &[&[Run(dashed, 28, 28)]]),
    exact(&["sk-ant-api03-", "sk-ant-admin01-"], "an Anthropic API key", &[&[Run(dashed, 93, 93), Word("AA")]]),
    exact(
        &["sk-proj-", "sk-svcacct-", "sk-admin-"],
        "an OpenAI API key",
        &[
            &[Run(dashed, 74, 74), Word(OPENAI), Run(dashed, 74, 74)],
            &[Run(dashed, 58, 58), Word(OPENAI), Run(dashed, 58, 58)],
        ],
    ),
    exact(&["sk-"], "an OpenAI API key", &[&[Run(alnum, 20, 20), Word(OPENAI), Run(alnum, 20, 20)]]),
    Shape { common: true, ..known(&["sk-"], MODEL, (20, 32, b"_-"), &[]) },
    known(&["hf_"], "a Hugging Face token", (30, 34, b""), &[&[Run(letter, 34, 34)]]),
    exact(&["api_org_"], "a Hugging Face token", &[&[Run(letter, 34, 34)]]),
    known(&["npm_"], "an npm token", (30, 36, b""), &[&[Run(alnum, 36, 36)]]),
    exact(&["pypi-AgEIcHlwaS5vcmc"], "a PyPI token", &[&[Run(dashed, 50, 1000)]]),
    exact(&["SG."], "a SendGrid API key", &[&[Run(dashed, 22, 22), Word("."), Run(dashed, 43, 43)]]),
    exact(
        &[
            "SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb", "SKc", "SKd", "SKe",
            "SKf",
        ],
        "a Twilio API key",
        &[&[Run(hex, 31, 31)]],
    ),
    Shape { lead: telegram, ..exact(&[":AA"], "a Telegram bot token", &[&[Run(dashed, 33, 33)]]) },
    Shape {
        lead: discord,
        ..exact(&["/api/webhooks/"], "a Discord webhook", &[&[Run(digit, 17, 20), Word("/"), Run(dashed, 60, 72)]])
    },
    exact(
        &["DISCORD_TOKEN", "DISCORD_BOT_TOKEN", "discord_token", "discord_bot_token"],
        DISCORD,
        &[&[Run(assigns, 1, 8), Run(dashed, 23, 28), Word("."), Run(dashed, 6, 7), Word("."), Run(dashed, 27, 40)]],
    ),
    Shape {
        exact: false,
        ..exact(
            &["eyJ"],
            "a JSON Web Token",
            &[&[Run(dashed, 14, 2048), Word(".eyJ"), Run(dashed, 14, 8192), Word("."), Run(dashed, 20, 1024)]],
        )
    },
    Shape {
        lead: azure,
        ..exact(
            &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"],
            "an Azure client secret",
            &[&[Run(tilded, 31, 34)]],
        )
    },
    exact(&["AccountKey="], "an Azure storage key", &[&[Run(base64, 86, 86), Word("==")]]),
    exact(&["dop_v1_", "doo_v1_", "dor_v1_"], "a DigitalOcean token", &[&[Run(hex, 64, 64)]]),
    exact(&["shpat_", "shpca_", "shppa_", "shpss_"], "a Shopify token", &[&[Run(hex, 32, 32)]]),
    exact(&["ATATT3"], "an Atlassian token", &[&[Run(padded, 186, 186)]]),
    exact(&["dapi"], "a Databricks token", &[&[Run(hex, 32, 32)]]),
    exact(&["glsa_"], "a Grafana token", &[&[Run(alnum, 32, 32), Word("_"), Run(hex, 8, 8)]]),
    exact(&["lin_api_"], "a Linear API key", &[&[Run(alnum, 40, 40)]]),
    exact(&["ntn_"], "a Notion token", &[&[Run(digit, 11, 11), Run(alnum, 35, 35)]]),
    exact(&["PMAK-"], "a Postman API key", &[&[Run(hex, 24, 24), Word("-"), Run(hex, 34, 34)]]),
    exact(&["hvs."], "a Vault token", &[&[Run(dashed, 90, 120)]]),
];

/// GitLab's routable tokens.
const ROUTABLE: &[Part] = &[Run(dashed, 27, 300), Word("."), Run(alnum, 9, 9)];
/// The middle of an OpenAI key: `OpenAI` in base64.
const OPENAI: &str = "T3BlbkFJ";

fn alnum(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic()
}

fn digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

fn hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

fn dashed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn tilded(byte: u8) -> bool {
    dashed(byte) || matches!(byte, b'~' | b'.')
}

fn padded(byte: u8) -> bool {
    dashed(byte) || byte == b'='
}

fn base32(byte: u8) -> bool {
    byte.is_ascii_uppercase() || matches!(byte, b'2'..=b'7')
}

fn base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// Bytes between the name of a setting and its value.
fn assigns(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'=' | b':' | b'>' | b'"' | b'\'' | b'`')
}

fn none(_: &[u8]) -> Option<usize> {
    Some(0)
}

/// A Telegram token begins with the number of the bot.
fn telegram(before: &[u8]) -> Option<usize> {
    let digits = before.iter().rev().take(17).take_while(|byte| byte.is_ascii_digit()).count();
    (5..=16).contains(&digits).then_some(digits)
}

fn discord(before: &[u8]) -> Option<usize> {
    ["discord.com", "discordapp.com"].iter().find(|host| before.ends_with(host.as_bytes())).map(|host| host.len())
}

/// An Azure client secret has three characters before its digit.
fn azure(before: &[u8]) -> Option<usize> {
    let lead = &before[before.len().checked_sub(3)?..];
    lead.iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'~' | b'.')).then_some(3)
}
