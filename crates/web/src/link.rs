//! Links to the playground, which hold the files: `#1:` and base64url(deflate-raw(JSON)). Nothing is sent to a server, because no
//! browser sends what follows `#`.

use data_encoding::BASE64URL_NOPAD;
use miniz_oxide::deflate::compress_to_vec;

use crate::request::Request;

/// Version of the form of a link.
const FORM: &str = "1";

/// Level of compression: the highest of zlib.
const LEVEL: u8 = 9;

/// Returns the part of a link from `#` on.
pub fn fragment(request: &Request) -> String {
    let json = serde_json::to_vec(request).unwrap_or_default();
    format!("#{FORM}:{}", BASE64URL_NOPAD.encode(&compress_to_vec(&json, LEVEL)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Bytes, File};

    #[test]
    fn holds_the_request() {
        let file = |text: &[u8]| File { path: Bytes::of(b"a/SKILL.md"), text: Bytes::of(text), kind: None };
        let request = Request { files: vec![file("é\n".as_bytes()), file(b"\xff")], ..Request::default() };
        let link = fragment(&request);
        let packed = BASE64URL_NOPAD.decode(link.strip_prefix("#1:").expect("the form").as_bytes()).expect("base64url");
        let json = miniz_oxide::inflate::decompress_to_vec(&packed).expect("deflate");
        assert_eq!(Request::read(std::str::from_utf8(&json).expect("UTF-8")).expect("a request"), request);
    }
}
