"""The schema of SARIF 2.1.0 that OASIS publishes, and what it finds wrong.

``sarif-2.1.0.json`` is the schema of release 2.1.0-rtm.5, as the npm package @microsoft/jest-sarif 1.0.0-beta.0 has it, without descriptions and
defaults. It is written in draft 4 of JSON Schema; all words of that draft which it uses are read here, and another one is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SCHEMA: Mapping[str, Any] = json.loads(Path(__file__).with_name("sarif-2.1.0.json").read_text(encoding="utf-8"))

_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}
_FORMATS = {
    "uri": re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s]*"),
    "uri-reference": re.compile(r"[^\s]*"),
    "date-time": re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})"),
}


def faults(value: object, schema: Mapping[str, Any] = SCHEMA, at: str = "log") -> Iterator[str]:
    """Yield what keeps a value from being as the schema has it, with its place."""
    for word, limit in schema.items():
        yield from _faults(value, word, limit, schema, at)


def _faults(value: Any, word: str, limit: Any, schema: Mapping[str, Any], at: str) -> Iterator[str]:
    match word:
        case "definitions":
            pass
        case "$ref":
            yield from faults(value, SCHEMA["definitions"][limit.removeprefix("#/definitions/")], at)
        case "type":
            kinds = [limit] if isinstance(limit, str) else limit
            if not any(_is_a(value, kind) for kind in kinds):
                yield f"{at}: found {value!r}, expected {limit}"
        case "enum":
            if value not in limit:
                yield f"{at}: found {value!r}, expected one of {limit}"
        case "required":
            yield from (f"{at}: no '{name}'" for name in limit if isinstance(value, dict) and name not in value)
        case "properties":
            for name, part in value.items() if isinstance(value, dict) else ():
                if name in limit:
                    yield from faults(part, limit[name], f"{at}.{name}")
        case "additionalProperties":
            for name, part in value.items() if isinstance(value, dict) else ():
                if name in schema.get("properties", {}) or limit is True:
                    continue
                if limit is False:
                    yield f"{at}: no property '{name}' is allowed"
                else:
                    yield from faults(part, limit, f"{at}.{name}")
        case "items":
            for number, part in enumerate(value if isinstance(value, list) else ()):
                yield from faults(part, limit, f"{at}[{number}]")
        case "anyOf" | "oneOf":
            fits = sum(not [*faults(value, each, at)] for each in limit)
            if fits == 0 or (word == "oneOf" and fits > 1):
                yield f"{at}: {fits} of the forms fit that there are"
        case _:
            yield from _limit_faults(value, word, limit, at)


def _limit_faults(value: Any, word: str, limit: Any, at: str) -> Iterator[str]:
    match word:
        case "minItems":
            wrong = isinstance(value, list) and len(value) < limit
        case "uniqueItems":
            parts = [json.dumps(each, sort_keys=True) for each in value] if isinstance(value, list) else []
            wrong = bool(limit) and len(set(parts)) < len(parts)
        case "minimum":
            wrong = _is_a(value, "number") and value < limit
        case "maximum":
            wrong = _is_a(value, "number") and value > limit
        case "pattern":
            wrong = isinstance(value, str) and re.search(limit, value) is None
        case "format":
            wrong = isinstance(value, str) and _FORMATS[limit].fullmatch(value) is None
        case _:
            raise ValueError(f"the schema has the word '{word}', which is not read")
    if wrong:
        yield f"{at}: {word} {limit} is not kept by {value!r}"


def _is_a(value: object, kind: str) -> bool:
    return isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))
