#!/usr/bin/env python3
"""prompt_statement.py STATEMENT: checks the statement with in-toto's reader and compares its digests with the files next to it.

Needs in-toto-attestation and jsonschema.
"""
import hashlib
import json
import sys
from pathlib import Path

import jsonschema
from google.protobuf.json_format import ParseDict
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement

ROOT = Path(__file__).resolve().parent.parent.parent


def main():
    path = Path(sys.argv[1])
    text = json.loads(path.read_text(encoding="utf-8"))
    schema = json.loads((ROOT / "schema" / "prompt-statement.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(text)
    ours = {**text, "type": text["_type"]}
    del ours["_type"]
    Statement.copy_from_pb(ParseDict(ours, statement_pb2.Statement())).validate()
    for subject in text["subject"]:
        digest = hashlib.sha256((path.parent / subject["name"]).read_bytes()).hexdigest()
        assert digest == subject["digest"]["sha256"], subject["name"]
    files = {file.name for file in path.parent.iterdir()}
    assert files == {subject["name"] for subject in text["subject"]} | {path.name}, files
    print(f"in-toto takes the statement; {len(text['subject'])} digests hold")


if __name__ == "__main__":
    main()
