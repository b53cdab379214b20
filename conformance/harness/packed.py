"""Many small files in one file of ASCII text, each with its exact bytes. `tests/it/packed.rs` reads the same format.

`=== NAME` begins a file, and each line up to the next name is a line of it. What comes before the first name is a comment.
`\\\\`, `\\t`, `\\r`, `\\s` (a space), `\\xHH` (a byte) and `\\u{HEX}` (a character) stand for bytes. A `\\` at the end of a line
removes the line break, so a file whose last line has none can be written.
"""

import re
from pathlib import Path

MARK = "=== "
ESCAPES = {"\\": "\\\\", "\t": "\\t", "\r": "\\r"}
BYTES = {"\\": b"\\", "t": b"\t", "r": b"\r", "s": b" ", "\n": b""}


def read(text):
    """Returns {name: bytes}."""
    files = {}
    for part in re.split(rf"(?m)^{MARK}", text)[1:]:
        name, content = part.split("\n", 1)
        if name in files:
            raise ValueError(f"two files are called {name}")
        files[name] = decode(content)
    return files


def decode(content):
    parts, at = [], 0
    for escape in re.finditer(r"\\(?:x([0-9a-f]{2})|u\{([0-9a-f]+)\}|(.))", content, re.S):
        byte, character, letter = escape.groups()
        parts.append(content[at : escape.start()].encode("ascii"))
        parts.append(bytes([int(byte, 16)]) if byte else chr(int(character, 16)).encode() if character else BYTES[letter])
        at = escape.end()
    return b"".join([*parts, content[at:].encode("ascii")])


def write(files, comment=""):
    """Returns the text of files. The comment comes first."""
    return comment + "".join(f"{MARK}{name}\n{encode(data)}" for name, data in files.items())


def encode(data):
    # A surrogate is a byte that is not UTF-8.
    escaped = "".join(map(character, data.decode("utf-8", "surrogateescape")))
    escaped = re.sub(r" (?=\n|\Z)", r"\\s", escaped)
    escaped = re.sub(rf"(?m)^=(?=={MARK[2:]})", r"\\x3d", escaped)
    return escaped if escaped.endswith("\n") or not escaped else escaped + "\\\n"


def character(one):
    code = ord(one)
    if one in ESCAPES:
        return ESCAPES[one]
    if one == "\n" or 0x20 <= code < 0x7F:
        return one
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{{{code:x}}}"


def load(path):
    return read(Path(path).read_text(encoding="ascii"))
