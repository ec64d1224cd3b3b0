#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The JSON of rxadm and its schema, conf/rxadm.schema.json.

json-schema.py check FILE   what "rx" of helper.bash has recorded: every object must fit the definition of its verb
json-schema.py verbs        the verbs that have a definition, if the schema is one
json-schema.py keys NAME    the keys of a definition, as rxadm-json(5) has them: a.b for what is within an object
json-schema.py answers      the same for what the verbs print, without the objects that have definitions of their own
"""
import json
import os
import sys

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
with open(os.path.join(TREE, "conf", "rxadm.schema.json"), encoding="utf-8") as f:
    SCHEMA = json.load(f)
DEFS = SCHEMA["$defs"]
VERBS = [name[len("verb-"):] for name in DEFS if name.startswith("verb-")]
# These have sections of their own in the manual.
APART = {"disk", "cache", "export", "advice", "trace", "line", "note", "message", "verb", "option", "job", "request"}


def library():
    """Debian's own Python has it on every machine that has the package."""
    try:
        import jsonschema
    except ImportError:
        sys.exit("json-schema.py: no module jsonschema; install python3-jsonschema")
    return jsonschema


def validators():
    """One for each verb."""
    jsonschema = library()
    return {verb: jsonschema.Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": "#/$defs/verb-" + verb}]}) for verb in VERBS}


def objects(text):
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        yield value


def errors_of(validator, text):
    import jsonschema
    try:
        found = list(objects(text))
    except ValueError as e:
        return [f"no JSON: {e}: {text[:200]}"]
    errors = []
    for value in found:
        for error in validator.iter_errors(value):
            while error.context:
                error = jsonschema.exceptions.best_match(error.context)
            errors.append(f"{'.'.join(map(str, error.absolute_path)) or 'the object'}: {error.message[:300]}")
    return errors


def verb_of(words):
    if any(w in ("-h", "--help") for w in words):
        return "help"
    if any(w in ("-V", "--version") for w in words):
        return "version"
    return next((w for w in words if w in VERBS), "list")


def asks_json(words):
    # What is hidden is for completion and systemd.
    return not any(w.startswith("__") for w in words) and any(w in ("--json", "--pretty") or (w[:1] == "-" and w[1:2] != "-" and w[1:].isalpha() and set(w[1:]) & set("jp"))
               for w in words)


def check(path):
    """A record is a line of the status and the words, with unit separators between them, then the output and a record separator."""
    known, bad = validators(), 0
    with open(path, encoding="utf-8", errors="replace") as file:
        records = file.read().split("\x1e\n")
    for record in filter(None, records):
        head, _, text = record.partition("\n")
        status, *words = head.split("\x1f")
        dry = "--dry-run" in words
        if not text.lstrip().startswith("{") and (dry or not asks_json(words) or not text.strip()):
            # With 99 a test's recording was not followed.
            if asks_json(words) and status not in ("0", "99") and not dry:
                print(f"rxadm {' '.join(words)}: status {status}, and no object tells why")
                bad += 1
            continue
        for error in errors_of(known[verb_of(words)], text):
            print(f"rxadm {' '.join(words)}: {error}")
            bad += 1
    return bad


def resolve(schema):
    """Follows references and drops the alternative null. Returns the schema and the last name."""
    name = None
    while True:
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            schema = DEFS[name]
        elif "anyOf" in schema and any("properties" in s for s in schema["anyOf"]):
            schema = next(s for s in schema["anyOf"] if "properties" in s)
        else:
            return schema, name


def keys(schema, prefix, apart, contain):
    for key, inner in schema["properties"].items():
        path = prefix + key
        inner, name = resolve(inner)
        array = "items" in inner
        if array:
            inner, name = resolve(inner["items"])
        if "properties" not in inner:
            yield path
            continue
        if array or contain:
            yield path
        if name not in apart:
            yield from keys(inner, path + ".", apart, contain)


def answers():
    found = set()
    for verb in VERBS:
        found |= set(keys(resolve(DEFS["verb-" + verb])[0], "", APART - {"message", "verb", "option"}, True))
    return found


def main(args):
    if args[:1] == ["check"]:
        return check(args[1]) and 1
    if args[:1] == ["verbs"]:
        library().Draft202012Validator.check_schema(SCHEMA)
        print("\n".join(sorted(VERBS)))
    elif args[:1] == ["answers"]:
        print("\n".join(sorted(answers())))
    elif args[:1] == ["keys"]:
        print("\n".join(sorted(set(keys(DEFS[args[1]], "", set(), False)))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
