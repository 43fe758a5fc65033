"""Project files: their schema, their page, and that nothing in one raises."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seepage.configuration import (
    LEVELS,
    NOTHING,
    Configuration,
    configured,
    find_configuration,
    least_level,
    load_configuration,
    read_configuration,
)
from seepage.configuration_schema import schema
from seepage.diagnostics import Diagnostic, Severity
from seepage.rules import RULES
from seepage.source import Span

DOCS = Path(__file__).parents[2] / "docs"


def test_the_schema_is_written_down() -> None:
    assert json.loads((DOCS / "seepage.schema.json").read_text(encoding="utf-8")) == schema()


def test_the_page_names_every_key_and_each_level() -> None:
    page = (DOCS / "configuration.md").read_text(encoding="utf-8")

    assert all(f"`{name}`" in page for name in (*schema()["properties"], *LEVELS))


@given(st.text())
def test_any_text_gives_a_configuration_or_a_problem(text: str) -> None:
    found, problems = read_configuration(text, "seepage.toml")

    assert found.path or problems


@pytest.mark.parametrize("value", ["1", "'a'", "[1]", "{a = 1}", "true", "nan", "1979-05-27"])
@pytest.mark.parametrize("key", ["unit", "digits", "parameters", "time-limit", "rules", "x"])
def test_values_of_any_type_are_told_where_they_do_not_fit(key: str, value: str) -> None:
    fits = (key, value) in {("parameters", "{a = 1}"), ("time-limit", "1")}

    found, problems = read_configuration(f"{key} = {value}\n", "seepage.toml")

    assert [problem.line for problem in problems] == ([] if fits else [1])
    assert (found == Configuration(path="seepage.toml")) != fits


@pytest.mark.parametrize("value", ["1", "'a'", "[1]", "{a = 1}", "true", "nan", "1979-05-27"])
def test_a_section_that_is_none_or_has_other_keys_is_told(value: str) -> None:
    found, problems = read_configuration(f"[tool]\nseepage = {value}\n", "pyproject.toml")

    assert [problem.line for problem in problems] == [2]
    assert (found.unit, found.digits, found.parameters, found.time_limit, found.rules) == (None, None, {}, None, {})


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_what_keeps_people_from_being_misled_cannot_be_silenced(rule: object) -> None:
    known = next(each for each in RULES.values() if each is rule)
    silenced, problems = read_configuration(f"[rules]\n{known.code} = 'off'\n", "seepage.toml")

    if known.severity is Severity.ERROR or known.code.startswith(("SEEP3", "SEEP9")):
        assert not silenced.rules
        assert problems[0].line == 2
    assert (least_level(known) == "off") is (not problems)


def test_findings_are_as_loud_as_a_project_says() -> None:
    unused, other = (Diagnostic(RULES[code], Span(0, 1), code) for code in ("SEEP150", "SEEP101"))

    louder = list(configured([unused, other], {"SEEP150": "error"}))
    without = list(configured([unused, other], {"SEEP150": "off"}))

    assert [each.severity for each in louder] == [Severity.ERROR, Severity.ERROR]
    assert without == [other]


def test_no_file_outside_of_the_root_is_taken(tmp_path: Path) -> None:
    inner = tmp_path / "workspace"
    (inner / "src").mkdir(parents=True)
    (tmp_path / "seepage.toml").write_text("unit = 'nats'\n", encoding="utf-8")
    assert find_configuration(inner / "src", inner) is None

    (inner / "seepage.toml").symlink_to(tmp_path / "seepage.toml")
    assert find_configuration(inner / "src", inner) is None
    assert find_configuration(inner / "src") == inner / "seepage.toml"


def test_a_file_that_is_no_text_or_no_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "seepage.toml"
    path.write_bytes(b"\xff")
    found, (problem,) = load_configuration(path)
    assert found == NOTHING
    assert "no text in UTF-8" in problem.message

    path.write_bytes(b"#" * (1 << 21))
    assert "more than" in load_configuration(path)[1][0].message
    assert "cannot be read" in load_configuration(tmp_path / "none")[1][0].message


def test_a_mark_of_the_byte_order_is_no_part_of_a_project_file(tmp_path: Path) -> None:
    (tmp_path / "seepage.toml").write_bytes(b'\xef\xbb\xbfunit = "nats"\r\n')

    configuration, problems = load_configuration(tmp_path / "seepage.toml")

    assert (configuration.unit, problems) == ("nats", ())
