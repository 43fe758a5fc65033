"""Modules: what an import brings and what it does not, with the files that it may read; numbers are those of one file with everything in it."""

from __future__ import annotations

import itertools
import math
import os
import random
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.checking.trees import run
from tests.language.test_language_2 import CASES, REFUSED

import seepage
from seepage.checking.cache import VARIABLE
from seepage.cli.watching import stamps
from seepage.diagnostics import Edit
from seepage.files import Folder, files_of, names_files, stamps_of
from seepage.source import Span
from seepage.syntax.incremental import parse_text
from seepage.syntax.lowering.lower import Lowered
from seepage.syntax.lowering.modules import MOST_MODULES
from seepage.syntax.tree import If, While

NOISE = "const half = 1/2\ndef respond(x, p) { swap ~ flip(p); return x xor swap }\n"


def in_folder(folder: Path, text: str, files: Mapping[str, str]) -> seepage.Program:
    for name, each in {**files, "main.seep": text}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(each, encoding="utf-8")
    return seepage.load(folder / "main.seep")


def errors(program: seepage.Program) -> list[tuple[str, str, str]]:
    """Return code, text and message of the errors of a program."""
    return [(one.rule.code, program.source[one.span], one.message) for one in program.diagnostics if one.is_error]


def test_a_procedure_is_had_by_its_own_name_and_by_that_of_its_module(tmp_path: Path) -> None:
    text = 'import "noise.seep"\nimport respond from "noise.seep"\nsecret s\noutput o, t\ns ~ flip(1/2)\n'
    text += "o ~ noise.respond(s, 1/4)\nt ~ respond(s, noise.half)\n"
    program = in_folder(tmp_path, text, {"noise.seep": NOISE})

    h = -(math.log2(1 / 4) / 4 + 3 * math.log2(3 / 4) / 4)
    assert errors(program) == []
    assert program.measure("I(s; o)").value == pytest.approx(1 - h, abs=1e-12)
    assert program.measure("I(s; t)").exact == 0
    assert program.measure("P(s == noise.half * 2)").value == 0.5


@pytest.mark.parametrize(
    ("text", "files", "at", "says"),
    [
        ('import "../secrets/other.seep"\nx := 1\n', {}, '"../secrets/other.seep"', "outside"),
        (
            'import "a.seep"\nx := a.f(1)\n',
            {
                "a.seep": 'import "b.seep"\ndef f(x) { return b.g(x) }\n',
                "b.seep": 'import "a.seep"\ndef g(x) { return x }\n',
            },
            '"a.seep"',
            "cycle",
        ),
        ('import "a.seep"\nx := a.f(1)\n', {"a.seep": 'import "a.seep"\ndef f(x) { return x }\n'}, '"a.seep"', "cycle"),
        ('import "main.seep"\nx := 1\n', {}, '"main.seep"', "cycle"),
        ('import "gone.seep"\nx := gone.f(1)\n', {}, '"gone.seep"', "not found"),
        ('import "a.seep"\nx := a.f(1)\n', {"a.seep": "def f(x) { return\n"}, '"a.seep"', "line 1"),
        ('import "a.seep"\nx := a.f(1)\n', {"a.seep": "def f(x) { if x > 0 { return 1 } }\n"}, '"a.seep"', "path"),
        (
            'import "a.seep"\nx ~ a.f(1)\n',
            {"a.seep": "param p = 1/2\ndef f(x) { y ~ flip(p) return y }\n"},
            "a.f",
            "'p'",
        ),
        ('import "a.seep"\nx := a.f(1, 2)\n', {"a.seep": "def f(x) { return x }\n"}, "a.f(1, 2)", "2 arguments"),
        ('import "a.seep"\nx := a.g(1)\n', {"a.seep": "def f(x) { return x }\n"}, "a.g", "it gives f"),
        (
            'import "a.seep"\nx := a.f(1)\n',
            {"a.seep": 'import "c.seep"\ndef f(x) { return c.g(x) }\n'},
            '"a.seep"',
            "'c.seep'",
        ),
    ],
)
def test_what_cannot_be_had_is_told_once_and_in_the_program(
    tmp_path: Path, text: str, files: dict[str, str], at: str, says: str
) -> None:
    program = in_folder(tmp_path / "program", text, files)

    ((_, place, message),) = errors(program)
    assert place == at
    assert says in message


def test_a_parameter_of_the_program_is_not_read_by_a_module_that_has_none(tmp_path: Path) -> None:
    text = 'import "a.seep"\nparam p = 1/3\nx ~ a.f()\n'
    program = in_folder(tmp_path, text, {"a.seep": "def f() { y ~ flip(p) return y }\n"})

    ((code, place, message),) = errors(program)
    assert (code, place) == ("SEEP116", "a.f")
    assert "'p', which its file does not define" in message


SPLIT = {
    "chain": (
        'import "x.seep" as x\nimport "y.seep"\na ~ uniform_int(0, 2)\nb := x.twice(a) + y.twice(a)\nc := x.values[a] + x.last\n',
        {
            "x.seep": 'import plus, start from "y.seep"\nconst values = [start, 5, 9]\nconst last = values[2] + start\n'
            "def twice(a) { return plus(a, a) }\n",
            "y.seep": "const start = 4\ndef plus(a, b) { return a + b + start }\ndef twice(a) { return 2 * a }\n",
        },
        "def plus(a, b) { return a + b + 4 }\ndef twice(a) { return plus(a, a) }\nconst values = [4, 5, 9]\n"
        "a ~ uniform_int(0, 2)\nb := twice(a) + 2 * a\nc := values[a] + 13\n",
    ),
    "hidden": (
        'import respond, half from "n.seep"\ndef swap(half) { return half + 1 }\na ~ flip(half)\nb ~ respond(a, 1/4)\n'
        "c := swap(b) + sum(half * a for half in 1..2)\n",
        {"n.seep": NOISE},
        "def respond(x, p) { swapped ~ flip(p); return x xor swapped }\na ~ flip(1/2)\nb ~ respond(a, 1/4)\nc := b + 1 + 3 * a\n",
    ),
    "conditioned": (
        'import "n.seep" as n\na ~ uniform_int(0, 3)\nb ~ n.bounded(a)\nc := a + b\n',
        {
            "n.seep": "const top = 3\ndef bounded(s) { n ~ uniform_int(-2, 2) observe 0 <= s + n and s + n <= top return n }\n"
        },
        "a ~ uniform_int(0, 3)\nb ~ uniform_int(-2, 2) given 0 <= a + b and a + b <= 3\nc := a + b\n",
    ),
    "looping": (
        'import "n.seep" as n\na ~ uniform_int(0, 3)\nb := n.once()\nc := n.sums(a)\n',
        {
            "n.seep": "const size = 3\ndef once() { t := 0 for i in 1..size { t := t + 1 } return t }\n"
            "def sums(a) { t := 0 for i in 1..size { if i > a { break } t := t + i } return t }\n"
        },
        "a ~ uniform_int(0, 3)\nb := 3\nc := a * (a + 1) / 2\n",
    ),
}


@pytest.mark.parametrize("name", SPLIT)
def test_numbers_are_those_of_one_file_with_everything_in_it(tmp_path: Path, name: str) -> None:
    text, files, whole = SPLIT[name]
    program, one = in_folder(tmp_path, text, files), seepage.parse(whole)

    assert errors(program) == errors(one) == []
    for measure in ("E(a + 10*b + 100*c)", "Var(b)", "E(c)", "H(a, b, c)", "I(a; c)"):
        assert program.measure(measure).value == one.measure(measure).value, measure


def test_a_table_of_a_module_lies_beside_it(tmp_path: Path) -> None:
    files = {
        "data/people.seep": 'table people from "people.csv" weight n\n',
        "data/people.csv": "name,age,n\nann,30,1\nbob,41,2\ncyd,44,1\n",
        "people.csv": "name,age,n\nnobody,1,1\n",
    }
    text = 'import "data/people.seep" as p\nimport people from "data/people.seep"\nsecret who\noutput o, q\na ~ p.people\nb ~ people\nwho := a.name\no := floor(a.age / 10)\nq := b.name == who\n'
    program = in_folder(tmp_path, text, files)

    assert errors(program) == []
    assert program.measure("V(who | o)").exact == seepage.parse("x := 3/4").measure("E(x)").exact
    assert program.measure("P(q)").exact == seepage.parse("x := 3/8").measure("E(x)").exact


def test_a_fault_of_a_table_in_a_module_is_told_at_the_import(tmp_path: Path) -> None:
    program = in_folder(
        tmp_path, 'import "p.seep"\na ~ p.people\nb := a.age\n', {"p.seep": 'table people from "gone.csv"\n'}
    )

    ((code, place, message),) = errors(program)
    assert (code, place) == ("SEEP116", '"p.seep"')
    assert "line 1: 'gone.csv' is not found" in message


def test_labels_that_two_files_share_stay_apart(tmp_path: Path) -> None:
    files = {
        "a/n.seep": "const c = 1\ndef f(x) { return x + c }\n",
        "b/n.seep": "const c = 2\ndef f(x) { return x + c }\n",
    }
    text = 'import "a/n.seep" as one\nimport "b/n.seep" as two\nx := one.f(10)\ny := two.f(10)\nn.c := 5\nz := n.c\n'
    program = in_folder(tmp_path, text, files)

    assert errors(program) == []
    assert [program.measure(f"E({name})").exact for name in "xyz"] == [11, 12, 5]


def test_a_change_of_an_imported_file_changes_the_program(tmp_path: Path) -> None:
    text = 'import "n.seep"\nx ~ flip(n.p)\n'
    first = in_folder(tmp_path, text, {"n.seep": "const p = 1/4\n"})
    again = in_folder(tmp_path, text, {"n.seep": "const p = 1/3\n"})

    assert first.measure("P(x)").exact == seepage.parse("x ~ flip(1/4)").measure("P(x)").exact
    assert again.measure("P(x)").exact == seepage.parse("x ~ flip(1/3)").measure("P(x)").exact


@pytest.mark.parametrize("changed", ["n.seep", "deep/m.seep"])
def test_the_commands_cache_follows_imported_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    files = {"n.seep": 'import "deep/m.seep"\nconst p = m.q\n', "deep/m.seep": "const q = 1/4\n"}
    in_folder(tmp_path, 'import "n.seep"\nx ~ flip(n.p)\nshow P(x)\n', files)

    before = [run("check", "main.seep", inside=tmp_path).stdout for _ in range(2)]
    (tmp_path / changed).write_text(files[changed].replace("m.q", "1/8").replace("1/4", "1/8"), encoding="utf-8")
    after = run("check", "main.seep", inside=tmp_path).stdout

    assert "show P(x) = 1 / 4" in before[0] or "show P(x) = 0.25" in before[0]
    assert before[0] == before[1]
    assert "0.125" in after or "1 / 8" in after


@pytest.mark.parametrize(
    "line",
    [
        'import "n.seep"',
        'import /* of here */ "n.seep" as n',
        'import /* " */ "n.seep"',
        'import p from/**/"n.seep"',
        'const red = "red" import "n.seep"',
        'import p /* quoted: " */ from "n.seep"',
    ],
)
def test_what_is_kept_is_known_by_the_files_that_are_read(tmp_path: Path, line: str) -> None:
    (tmp_path / "n.seep").write_text("const p = 1/4\n", encoding="utf-8")
    files = Folder(str(tmp_path))
    assert seepage.parse(f"{line}\nx := 1\n", files=files).diagnostics == ()

    before = stamps_of(line, files)
    (tmp_path / "n.seep").write_text("const p = 1/8  // other\n", encoding="utf-8")

    assert names_files(line)
    assert stamps_of(line, files) != before


@pytest.mark.parametrize("changed", ["main.seep", "n.seep", "deep/m.seep", "later.seep"])
def test_watching_looks_at_imported_files(tmp_path: Path, changed: str) -> None:
    files = {"n.seep": 'import "deep/m.seep"\nconst p = m.q\n', "deep/m.seep": "const q = 1/4\n"}
    in_folder(tmp_path, 'import "n.seep"\nimport "later.seep"\nx ~ flip(n.p)\n', files)
    names = (str(tmp_path / "main.seep"),)

    before = stamps(names)
    assert stamps(names) == before
    (tmp_path / changed).write_text("const q = 1/8\nconst p = 1/8\n", encoding="utf-8")

    assert stamps(names) != before


def test_a_link_that_leads_outside_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.seep").write_text(NOISE, encoding="utf-8")
    (tmp_path / "program").mkdir()
    os.symlink(tmp_path / "secret.seep", tmp_path / "program" / "noise.seep")
    program = in_folder(tmp_path / "program", 'import "noise.seep"\nx := noise.half\n', {})

    ((code, _, message),) = errors(program)
    assert code == "SEEP116"
    assert "outside" in message


def test_a_module_may_lie_anywhere_in_the_workspace_and_its_imports_are_relative_to_it(tmp_path: Path) -> None:
    there = {"lib/a.seep": 'import "../more/b.seep"\nconst c = b.d\n', "more/b.seep": "const d = 7\n"}
    in_folder(tmp_path, "", there)
    (tmp_path / "sub").mkdir()
    files = files_of(tmp_path / "sub" / "p.seep", tmp_path)

    program = seepage.parse('import "../lib/a.seep"\nx := a.c\n', files=files)

    assert errors(program) == []
    assert program.measure("E(x)").exact == 7


def test_nothing_is_read_in_a_folder_that_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "noise.seep").write_text(NOISE, encoding="utf-8")
    files = Folder(str(tmp_path), is_trusted=False)

    program = seepage.parse('import "noise.seep"\nimport "seep:mechanisms" as m\nx := noise.half\n', files=files)

    assert [(code, place) for code, place, _ in errors(program)] == [("SEEP904", '"noise.seep"')]


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "n.seep").write_bytes(b"const c = \xff\n")

    ((code, _, message),) = errors(in_folder(tmp_path, 'import "n.seep"\nx := n.c\n', {}))

    assert (code, message) == ("SEEP116", "'n.seep' is no text in UTF-8")


def test_modules_are_counted(tmp_path: Path) -> None:
    files = {f"m{i}.seep": f'import "m{i + 1}.seep"\nconst c = m{i + 1}.c\n' for i in range(MOST_MODULES + 1)}
    last = {f"m{MOST_MODULES - 1}.seep": "const c = 3\n"}

    within = in_folder(tmp_path / "within", 'import "m0.seep"\nx := m0.c\n', files | last)
    beyond = in_folder(tmp_path / "beyond", 'import "m0.seep"\nx := m0.c\n', files)

    assert errors(within) == []
    assert within.measure("E(x)").exact == 3
    ((_, place, message),) = errors(beyond)
    assert place == '"m0.seep"'
    assert f"more than {MOST_MODULES} files" in message


def test_a_text_after_changes_is_as_if_it_were_new(tmp_path: Path) -> None:
    """Each prefix of a program, letter by letter, with what the texts before it left behind."""
    (tmp_path / "noise.seep").write_text(NOISE, encoding="utf-8")
    files = Folder(str(tmp_path))
    text = 'import "noise.seep" as n\nimport half from "noise.seep"\nx ~ n.respond(1, half)\nshow P(x == n.half)\n'
    grown = parse_text("", files)

    for end in range(len(text)):
        grown = grown.edit(Edit(Span(end, end), text[end]))
        new = parse_text(text[: end + 1], files)
        assert (grown.result.tree, grown.result.diagnostics) == (new.result.tree, new.result.diagnostics)


def test_half_a_program_raises_nothing(tmp_path: Path) -> None:
    (tmp_path / "noise.seep").write_text(NOISE, encoding="utf-8")
    text = 'import half, respond from "noise.seep"\nimport "noise.seep" as n\ndef f(n) { return n.x + half }\nx ~ n.respond(f(1), n.half[2])\n'
    cuts = itertools.combinations(range(0, len(text), 7), 2)

    for start, end in cuts:
        cut = text[:start] + text[end:]
        found = seepage.parse(cut, files=Folder(str(tmp_path))).diagnostics
        assert all(0 <= one.span.start <= one.span.end <= len(cut) for one in found), cut


def taken_apart(text: str) -> tuple[list[str], str, str] | None:
    """Return the names that the definitions of a program give, these definitions, and the rest of it; None if it has none."""
    context = parse_text(text).result.context
    assert isinstance(context, Lowered)
    names: list[str] = []
    spans: list[Span] = []
    for item in context.written.items:
        assert not isinstance(item, While)  # which only the core has
        start = item.arms[0].start if isinstance(item, If) else item.start
        reading = context.readings.get(start)
        if reading is None or reading.name is None or reading.keyword not in ("def", "const", "enum"):
            continue
        spans.append(item.span if isinstance(item, If) else reading.span.shift(start))
        names += [reading.name.value, *(one.value for one in reading.names if reading.keyword == "enum")]
    rest = text
    for span in reversed(spans):
        rest = rest[: span.start] + rest[span.end :]
    return (names, "\n".join(text[one.start : one.end] for one in spans) + "\n", rest) if spans else None


WHOLE = {
    name: case
    for name, case in CASES.items()
    if name not in REFUSED
    and case.get("expect")
    and "files" not in case
    and re.search(r"^(def|enum) ", case["program"], re.MULTILINE)
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("qualified", [False, True])
def test_verified_programs_keep_their_answers_with_their_definitions_in_a_module(
    tmp_path: Path, name: str, qualified: bool
) -> None:
    apart = taken_apart(WHOLE[name]["program"])
    assert apart is not None
    names, module, rest = apart
    named = re.compile(rf"(?<![\w.\"])({'|'.join(map(re.escape, names))})\b")

    def put(text: str) -> str:
        return named.sub(r"module.\1", text) if qualified else text

    head = 'import "m.seep" as module\n' if qualified else f'import {", ".join(dict.fromkeys(names))} from "m.seep"\n'
    program = in_folder(tmp_path, head + put(rest), {"m.seep": module})

    assert errors(program) == []
    for expected in WHOLE[name]["expect"]:
        value = program.measure(
            put(expected["measure"]), params=expected.get("set", {}), unit=expected["unit"] or "bits"
        ).value
        assert value is not None
        assert value == expected["value"] or abs(value - expected["value"]) <= expected["tolerance"]


def test_loops_that_end_by_chance_may_stand_in_modules(tmp_path: Path) -> None:
    module = (
        "const top = 3\ndef die() { repeat { a ~ flip(1/2)  b ~ flip(1/2)  x := 2*a + b } until x < top\n  return x }\n"
    )
    program = in_folder(tmp_path, 'import "m.seep"\ny ~ m.die()\n', {"m.seep": module})

    assert errors(program) == []
    assert [program.measure(f"P(y == {value})").value for value in range(4)] == [*[pytest.approx(1 / 3)] * 3, 0]


def test_a_shipped_module_under_two_labels_is_the_same() -> None:
    first = seepage.parse('import "seep:mechanisms" as m\nx ~ m.randomized_response(1, 1)\n')
    second = seepage.parse(
        'mechanisms := 3\nimport randomized_response from "seep:mechanisms"\nx ~ randomized_response(1, 1)\n'
    )

    assert errors(first) == errors(second) == []
    assert first.measure("P(x)").value == second.measure("P(x)").value


@pytest.mark.parametrize("seed", range(10))
def test_a_text_after_random_changes_is_as_if_it_were_new(tmp_path: Path, seed: int) -> None:
    """Imports come and go among definitions of the text's own."""
    (tmp_path / "m.seep").write_text(f"{NOISE}enum colour {{ red, green }}\n", encoding="utf-8")
    files, chance = Folder(str(tmp_path)), random.Random(seed)
    text = (
        'def g(x) { return x + 1 }\nimport "m.seep" as m\nimport respond, half from "m.seep"\nenum kind { a, b }\ns ~ flip(half)\n'
        "o ~ m.respond(g(s), 1/3)\nc := if o then m.red else kind.a\nfor i in 1..2 { v[i] ~ respond(s, m.half) }\nshow P(o == m.half)\n"
    )
    changed = parse_text(text, files)

    for _ in range(8):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 1, 5, 25]))
        inserted = chance.choice(["", "x", 'import "m.seep"\n', "m.", "\n", "}", "def h(y) { return y }\n", "g(1)"])
        text = text[:start] + inserted + text[end:]
        changed = changed.edit(Edit(Span(start, end), inserted))
        new = parse_text(text, files)
        assert (changed.result.tree, changed.result.diagnostics) == (new.result.tree, new.result.diagnostics), text
        if chance.random() < 0.2:  # the file changes, and the text does not
            (tmp_path / "m.seep").write_text(NOISE.replace("1/2", f"1/{chance.randint(3, 9)}"), encoding="utf-8")
            changed, new = changed.becoming(text, files), parse_text(text, files)
            assert (changed.result.tree, changed.result.diagnostics) == (new.result.tree, new.result.diagnostics), text
