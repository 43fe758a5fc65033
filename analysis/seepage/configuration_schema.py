"""The JSON schema of the project file, for editors of TOML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seepage.configuration import EXACTNESS, EXACTNESS_LEVELS, LEVELS, LONGEST_TIME_LIMIT, WANTED_DIGITS, least_level
from seepage.python.mark_keys import MARK_KEYS, MECHANISM_KEYS, MECHANISM_TYPES
from seepage.rules import RULES


def schema() -> dict[str, Any]:
    """Return the JSON schema of ``seepage.toml``, for editors of TOML."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Seepage project file",
        **_table(
            {
                "unit": {"enum": ["bits", "nats"], "description": "Unit of entropies and information."},
                "digits": {
                    "type": "integer",
                    "minimum": WANTED_DIGITS[0],
                    "maximum": WANTED_DIGITS[-1],
                    "description": "The most digits that a number is shown with, where so many are certain.",
                },
                "time-limit": {
                    "type": "number",
                    "minimum": 0.1,
                    "maximum": LONGEST_TIME_LIMIT,
                    "description": "Seconds for one analysis.",
                },
                "parameters": {
                    "type": "object",
                    "additionalProperties": {"type": ["string", "number"]},
                    "description": "Values of parameters by name, as numbers or Seep expressions.",
                },
                "python": {
                    "type": "object",
                    "description": "Marks of Python functions, by 'path/module.py::function'.",
                    "additionalProperties": _mark(),
                },
                "mechanisms": {
                    "type": "object",
                    "description": "What functions of Python libraries draw, by 'package.module.function'.",
                    "additionalProperties": _mechanism(),
                },
                "rules": {**_table(_levels()), "description": "How loud findings are, by code or name."},
            }
        ),
    }


def _table(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a table that has these keys, and no others."""
    return {"type": "object", "additionalProperties": False, "properties": dict(keys)}


def _mark() -> dict[str, Any]:
    return _table(
        {
            **{key: {"type": "object"} for key in MARK_KEYS[:3]},
            **{key: {"type": "array", "items": {"type": "string"}} for key in MARK_KEYS[3:6]},
            **{key: {"enum": ["output", "observe"]} for key in MARK_KEYS[6:]},
        }
    )


def _mechanism() -> dict[str, Any]:
    kinds: dict[str, Any] = {
        "parameters": {"type": "array", "items": {"type": "string"}},
        "type": {"enum": list(MECHANISM_TYPES)},
    }
    return {**_table({key: kinds.get(key, {"type": "string"}) for key in MECHANISM_KEYS}), "required": ["draw"]}


def _levels() -> dict[str, Any]:
    """Return the schema of each rule, by its code and its name: the levels that it may be given."""
    of_exactness = {
        "enum": list(EXACTNESS_LEVELS),
        "description": "All that is outside of the exact fragment, whether a number suffers from it or not.",
    }
    return {
        EXACTNESS: of_exactness,
        **{
            name: {"enum": list(LEVELS[LEVELS.index(least_level(rule)) :]), "description": rule.summary}
            for rule in RULES.values()
            for name in (rule.code, rule.name)
        },
    }
