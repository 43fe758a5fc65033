"""The shape of SARIF 2.1.0, for the objects that we write: which properties an object must have, which it may have, and what stands in them.

Made from the names and the required properties in the schema that OASIS publishes (sarif-schema-2.1.0.json); that one allows no other property either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

TEXT, FLAG = (lambda value: isinstance(value, str)), (lambda value: isinstance(value, bool))
POSITIVE: Callable[[object], bool] = lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 1
NATURAL: Callable[[object], bool] = lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0
LEVEL: Callable[[object], bool] = lambda value: value in ("none", "note", "warning", "error")
TEXTS: Callable[[object], bool] = lambda value: (
    isinstance(value, dict) and all(isinstance(key, str) and isinstance(one, str) for key, one in value.items())
)

# Of each object: its properties, by a test of the value, the name of an object, or a list of objects of that name; "!" marks those that it must have.
SHAPES: Mapping[str, Mapping[str, Any]] = {
    "log": {"version!": lambda value: value == "2.1.0", "runs!": ["run"], "$schema": TEXT},
    "run": {
        "tool!": "tool",
        "invocations": ["invocation"],
        "artifacts": ["artifact"],
        "results": ["result"],
        "columnKind": lambda value: value in ("utf16CodeUnits", "unicodeCodePoints"),
    },
    "tool": {"driver!": "toolComponent"},
    "toolComponent": {"name!": TEXT, "version": TEXT, "semanticVersion": TEXT, "rules": ["reportingDescriptor"]},
    "reportingDescriptor": {
        "id!": TEXT,
        "name": TEXT,
        "shortDescription": "multiformatMessageString",
        "fullDescription": "multiformatMessageString",
        "help": "multiformatMessageString",
        "defaultConfiguration": "reportingConfiguration",
    },
    "reportingConfiguration": {"level": LEVEL},
    "multiformatMessageString": {"text!": TEXT, "markdown": TEXT},
    "invocation": {"executionSuccessful!": FLAG},
    "artifact": {"location": "artifactLocation"},
    "artifactLocation": {"uri": TEXT},
    "artifactContent": {"text": TEXT},
    "result": {
        "message!": "message",
        "ruleId": TEXT,
        "ruleIndex": NATURAL,
        "level": LEVEL,
        "locations": ["location"],
        "relatedLocations": ["location"],
        "fixes": ["fix"],
        "partialFingerprints": TEXTS,
    },
    "message": {"text": TEXT},
    "location": {"id": NATURAL, "message": "message", "physicalLocation": "physicalLocation"},
    "physicalLocation": {"artifactLocation": "artifactLocation", "region": "region"},
    "region": {"startLine": POSITIVE, "startColumn": POSITIVE, "endLine": POSITIVE, "endColumn": POSITIVE},
    "fix": {"artifactChanges!": ["artifactChange"], "description": "message"},
    "artifactChange": {"artifactLocation!": "artifactLocation", "replacements!": ["replacement"]},
    "replacement": {"deletedRegion!": "region", "insertedContent": "artifactContent"},
}
NOT_EMPTY = {"artifactChanges", "replacements", "runs"}


def faults(value: object, name: str = "log", path: str = "") -> Iterator[str]:
    """Yield what is wrong with an object of this name."""
    shape = SHAPES[name]
    if not isinstance(value, dict):
        yield f"{path}: no {name}"
        return
    for key in shape:
        if key.endswith("!") and key[:-1] not in value:
            yield f"{path}: a {name} has no '{key[:-1]}'"
    for key, one in value.items():
        expected = shape.get(key, shape.get(f"{key}!"))
        here = f"{path}/{key}"
        match expected:
            case None:
                yield f"{here}: no property of a {name}"
            case str():
                yield from faults(one, expected, here)
            case [str(each)]:
                if not isinstance(one, list) or (key in NOT_EMPTY and not one):
                    yield f"{here}: no list"
                else:
                    for number, part in enumerate(one):
                        yield from faults(part, each, f"{here}/{number}")
            case test:
                if not test(one):
                    yield f"{here}: {one!r}"
