//! The text of cases: any bytes, and very many of them, in one line of plain text.

/// Returns the value of a name in parentheses.
pub(crate) type Values<'v> = &'v dyn Fn(&str) -> Vec<u8>;

/// Bytes of a text. `\n`, `\r`, `\t`, `\s` (a space), `\\`, `\xHH` and `\u{HEX}` are characters, `\(NAME)` is a value,
/// `\{COUNT*TEXT}` is a repeated text, and `\#` in it the number of the repetition.
pub(crate) fn decode(text: &str, values: Values<'_>) -> Vec<u8> {
    decode_turn(text, values, 0)
}

/// The bytes in one of many turns.
pub(crate) fn decode_turn(text: &str, values: Values<'_>, turn: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let (kind, after) = rest[at + 1..].split_at(1);
        rest = after;
        match kind {
            "n" => bytes.push(b'\n'),
            "r" => bytes.push(b'\r'),
            "t" => bytes.push(b'\t'),
            "s" => bytes.push(b' '),
            "\\" => bytes.push(b'\\'),
            "#" => bytes.extend_from_slice(turn.to_string().as_bytes()),
            "x" => {
                bytes.push(u8::from_str_radix(&rest[..2], 16).expect("two hexadecimal digits"));
                rest = &rest[2..];
            }
            "u" => {
                let (digits, after) = rest[1..].split_once('}').expect("the character ends");
                let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).expect("a character");
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = after;
            }
            "(" => {
                let (name, after) = rest.split_once(')').expect("the name of a value ends");
                bytes.extend(values(name));
                rest = after;
            }
            "{" => {
                let end = end_of_repeated(rest);
                let (count, repeated) = rest[..end].split_once('*').expect("a count and `*`");
                let count = count.replace("\\#", &turn.to_string());
                for turn in 0..count.parse().expect("a count") {
                    bytes.extend(decode_turn(repeated, values, turn));
                }
                rest = &rest[end + 1..];
            }
            other => panic!("`\\{other}` means nothing in `{text}`"),
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// The offset of the brace that closes the repeated text.
fn end_of_repeated(text: &str) -> usize {
    let (bytes, mut at, mut depth) = (text.as_bytes(), 0, 0);
    loop {
        match bytes.get(at).expect("what is repeated ends") {
            b'\\' if bytes[at + 1..].starts_with(b"u{") => at += text[at..].find('}').expect("the character ends"),
            b'\\' => {
                depth += usize::from(bytes[at + 1] == b'{');
                at += 1;
            }
            b'}' if depth == 0 => return at,
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
}
