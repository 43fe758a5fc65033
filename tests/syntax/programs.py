"""Programs to try the parser on: those of the cases."""

from __future__ import annotations

import tomllib
from pathlib import Path

PROGRAMS = [
    case["program"]
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", [])
    if "program" in case
]
