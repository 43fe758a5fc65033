"""Half-typed programs: exactly the findings one would want, and neither the lines before nor those after are lost.

Each file under ``tests/fixtures/half_typed`` holds programs, apart by lines ``// ----``. Findings are marked under their lines as in
``test_findings.py``. ``// binds: x y`` lists the names that the program still binds, ``// > text`` the program after the first fix of
every finding, ``// leaves: SEEP011`` what is still to be done then (nothing, if the line is missing). A block
that is closed at the end of the file shows the lines after it, too.
Every program is read between a line before it and two after it, the last of which has a fault of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from seepage.diagnostics import Diagnostic
from seepage.source import SourceFile
from seepage.syntax.parse import parse
from seepage.syntax.tree import Assign, Const, For, Module, Name, Output, Param, Placed, Sample, Secret

from .test_findings import placed, split

FILES = sorted((Path(__file__).parents[1] / "fixtures" / "half_typed").glob("*.seep"))
BEFORE = "before := 1\n"
AFTER = "\nafter := 2\nlast :="


@dataclass(frozen=True, slots=True)
class HalfTyped:
    """A program and what is said of it."""

    text: str
    marks: tuple[tuple[int, int, int, str, str], ...]
    binds: list[str]
    fixed: str | None
    leaves: list[str]


def read(part: str) -> HalfTyped:
    said: dict[str, list[str]] = {}
    kept: list[str] = []
    for row in part.splitlines():
        for key in ("// binds:", "// leaves:", "// >"):
            if row.startswith(key):
                said.setdefault(key, []).append(row.removeprefix(key).removeprefix(" "))
                break
        else:
            kept.append(row)
    text, marks = split("\n".join(kept) + "\n")
    # Lines of marks are blank now; drop them, so that the fault stands on the line before the next statement.
    rows = text.splitlines()
    marked = {number for number, row in enumerate(kept) if not rows[number] and row}
    lines = [number for number in range(len(rows)) if number not in marked]
    moved = [(lines.index(line) + 1, *rest) for line, *rest in marks]
    fixed = "\n".join(said["// >"]) if "// >" in said else None
    return HalfTyped(
        "\n".join(rows[number] for number in lines),
        tuple(sorted(moved)),  # type: ignore[arg-type]  # a row of marks, its line moved
        said["// binds:"][0].split(),
        fixed,
        " ".join(said.get("// leaves:", [])).split(),
    )


PROGRAMS = [read(part) for path in FILES for part in path.read_text(encoding="utf-8").split("// ----\n")]
programs = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.text.replace("\n", "⏎")[:40])


def between(text: str) -> tuple[SourceFile, list[Diagnostic], Module]:
    """Read a program between other lines; return its own findings, after checking those of the lines around it."""
    source = SourceFile("test.seep", BEFORE + text + AFTER)
    result = parse(source)
    last = len(source.text) - len("last :=")
    *found, fault = result.diagnostics
    assert (fault.rule.code, fault.span.end) == ("SEEP011", len(source.text))
    assert all(len(BEFORE) <= one.span.start <= one.span.end < last for one in found)
    return source, found, result.tree


def bound(tree: Module) -> list[str]:
    names: list[str] = []
    for item in tree.walk():
        match item:
            case For(name=name) | Placed(Param(name=name) | Const(name=name)):
                names.append(name)
            case Placed(Assign(target) | Sample(target)):
                names.append(target.id if isinstance(target, Name) else target.array)
            case Placed(Secret(targets=targets) | Output(targets=targets)):
                names += [one.id if isinstance(one, Name) else one.array for one in targets]
    return [name for name in names if "@" not in name]  # others are no names of the text


def with_fixes(text: str, found: list[Diagnostic]) -> str:
    """Apply the first fix of each finding."""
    edits = [edit for one in found for fix in one.fixes[:1] for edit in fix.edits]
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    return text


@programs
def test_the_findings_are_those_that_are_marked(program: HalfTyped) -> None:
    source, found, _ = between(program.text)

    assert [placed(source, one) for one in found] == [mark[:4] for mark in program.marks]
    for one, mark in zip(found, program.marks, strict=True):
        assert mark[4] == one.message


@programs
def test_no_name_is_lost(program: HalfTyped) -> None:
    _, _, tree = between(program.text)

    assert bound(tree) == ["before", *program.binds, "after", "last"]


@programs
def test_fixes_give_the_program_that_is_meant(program: HalfTyped) -> None:
    source, found, _ = between(program.text)

    fixed = with_fixes(source.text, found).removeprefix(BEFORE).removesuffix(AFTER)

    assert fixed == (program.text if program.fixed is None else program.fixed)
    if fixed != program.text:
        left = [one.rule.code for one in parse(SourceFile("test.seep", with_fixes(source.text, found))).diagnostics]
        assert sorted(left) == sorted([*program.leaves, "SEEP011"])


def test_there_are_programs_enough() -> None:
    assert len(PROGRAMS) >= 60
