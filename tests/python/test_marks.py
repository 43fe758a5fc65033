"""Marks: the decorator, tables of project files, what is wrong with them, and the distribution that has the decorator."""

from __future__ import annotations

import ast
import math
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import seepage
from seepage.cli.main import cli
from seepage.functions import FunctionProgram, load_function, translated_text
from seepage.source import SourceFile
from seepage.syntax.parse import parse
from seepage.syntax.printer import format_text

ROOT = Path(__file__).parents[2]
RESPOND = '''"""A survey."""

import random
from seepage_marks import leakage


@leakage(secret={"answer": "bernoulli(1/2)"}, require=["DP(answer -> result) <= 2"], show=["I(answer; result)"])
def respond(answer):
    if random.random() < 0.5:
        return answer
    return random.random() < 0.5
'''


def codes(text: str, function: str = "f") -> list[str]:
    """Return the codes of what is found in a function."""
    return [one.rule.code for one in load_function(text, "module.py", function).diagnostics]


@pytest.mark.parametrize(
    ("mark", "argument"),
    [
        ('secret={"y": "flip(1/2)"}', "x"),
        ("secrets={}", "x"),
        ('secret={"x": "nothing(1)"}', "x"),
        ('secret={"x": "?"}', "x"),
        ('secret={"x": "[n] flip(1/2)"}', "x"),
        ("secret=make()", "x"),
        ('secret={"x": "flip(1/2)"}, output=["nothing"]', "x"),
        ('secret={"x": "flip(1/2)"}, show=["I(x; result[3])"]', "x"),
        ('secret={"x": "flip(1/2)"}, raises="ignore"', "x"),
        ('"x"', "x"),
    ],
)
def test_what_is_wrong_with_a_mark_is_told(mark: str, argument: str) -> None:
    text = f"from seepage_marks import leakage\n@leakage({mark})\ndef f({argument}):\n    return {argument}\n"

    assert "SEEP702" in codes(text)


def test_a_decorator_of_another_module_is_no_mark() -> None:
    text = "from marks import leakage\n@leakage(secret={'x': 'flip(1/2)'})\ndef f(x):\n    return x\n"

    assert codes(text) == ["SEEP702"]


def test_a_function_is_loaded_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "survey.py"
    path.write_text(RESPOND)

    program = seepage.load(f"{path}::respond")

    assert program.measure("I(answer; result)").value == pytest.approx(0.188721875541)
    assert program.measure("P(result == True)").exact == program.measure("P(result == 1)").exact
    with pytest.raises(seepage.MeasureError, match="no part of 'result'"):
        program.measure("P(result[0] == 1)")


def test_a_table_of_the_project_marks_a_function(tmp_path: Path) -> None:
    path = tmp_path / "inner" / "survey.py"
    path.parent.mkdir()
    path.write_text("import random\ndef respond(answer):\n    return answer or random.random() < 0.5\n")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.seepage.python."inner/survey.py::respond"]\nsecret = { answer = "bernoulli(1/2)" }\nshow = ["P(result == 1)"]\n'
    )

    done = CliRunner().invoke(cli, ["measure", f"{path}::respond", "P(result == 1)"])
    checked = CliRunner().invoke(cli, ["check", str(path), "--no-cache"])

    assert done.output.startswith("P(result == 1) = 0.75")
    assert "show P(result == 1) = 0.75" in checked.output


def test_a_mark_here_and_one_in_the_project_is_an_error() -> None:
    program = load_function(RESPOND, "survey.py", "respond", {"secret": {"answer": "flip(1/2)"}})

    assert [one.rule.code for one in program.diagnostics] == ["SEEP702"]


def test_a_folder_is_checked_with_its_marked_python_files(tmp_path: Path) -> None:
    (tmp_path / "survey.py").write_text(RESPOND.replace("<= 2", "<= 1"))
    (tmp_path / "other.py").write_text("def f(x): return {x}\n")

    done = CliRunner().invoke(cli, ["check", str(tmp_path), "--no-cache"])

    assert done.exit_code == 1
    assert "SEEP510" in done.output
    assert "respond: answer" in done.output
    assert "other.py" not in done.output


def test_a_mark_is_written_with_questions(tmp_path: Path) -> None:
    path = tmp_path / "survey.py"
    path.write_text('"""Doc."""\nimport random\n\n\ndef ask(answer, other=2, *, third):\n    return answer\n')

    done = CliRunner().invoke(cli, ["mark", f"{path}::ask"])

    text = path.read_text()
    assert done.exit_code == 0
    assert '@leakage(secret={"answer": "?", "third": "?"})\ndef ask' in text
    assert text.startswith('"""Doc."""\nimport random\nfrom seepage_marks import leakage\n')
    assert CliRunner().invoke(cli, ["mark", f"{path}::ask"]).exit_code == 1


def test_what_is_translated_can_be_read_and_is_in_style(tmp_path: Path) -> None:
    path = tmp_path / "survey.py"
    path.write_text(RESPOND)

    done = CliRunner().invoke(cli, ["translate", f"{path}::respond"])

    program = load_function(RESPOND, "survey.py", "respond")
    assert done.output == translated_text(program)
    assert not format_text(done.output).edits
    assert parse(SourceFile("", done.output)).tree == program.checked.tree
    assert "// 9: if random.random() < 0.5:" in done.output


def test_places_and_words_are_those_of_python() -> None:
    program = load_function(RESPOND.replace("<= 2", "<= 1"), "survey.py", "respond")

    analysis = program.analyze()

    (finding,) = [one for one in analysis.diagnostics if one.is_error]
    assert program.source[finding.span] == '"DP(answer -> result) <= 1"'
    assert isinstance(program, FunctionProgram)
    assert [answer.text for answer in analysis.answers] == ["I(answer; result)", "DP(answer -> result) <= 1"]


def test_texts_are_told_as_they_are() -> None:
    text = "from seepage_marks import leakage\n@leakage(secret={'x': 'uniform_of(\"red\", \"blue\")'})\ndef f(x):\n    return x\n"

    result = load_function(text, "module.py", "f").measure("DP(x -> result)")

    assert "'red'" in result.witness
    assert "1/2" not in result.witness


def test_the_decorator_returns_the_function_and_imports_nothing() -> None:
    folder = ROOT / "marks"
    source = (folder / "seepage_marks" / "__init__.py").read_text(encoding="utf-8")
    assert not [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    sys.path.insert(0, str(folder))
    try:
        from seepage_marks import leakage

        def f(x: int) -> int:
            return x

        assert leakage(secret={"x": "flip(1/2)"}, output=["result"])(f) is f
    finally:
        sys.path.remove(str(folder))


def test_the_function_of_the_readme_has_its_numbers() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    text = "from seepage_marks" + page.partition("```python\nfrom seepage_marks")[2].partition("```")[0]

    program = load_function(text, "pin.py", "check")

    # One of 1,000 pins passes; after a right digit one in ten goes on.
    chances = [0.9, 0.09, 0.009, 0.001]
    passes = [0.999, 0.001]
    told = {"I(pin; result, steps)": chances, "I(pin; result)": passes}
    for measure, law in told.items():
        assert program.measure(measure).value == pytest.approx(-sum(p * math.log2(p) for p in law))
    assert "tells 0.0114 bits" in page
    assert "learns 0.521 bits" in page
    assert any(one.rule.code == "SEEP510" for one in program.analyze().diagnostics)


@pytest.mark.parametrize(
    ("law", "text"),
    [
        ("bernoulli(1/2)", "isinstance(x, bool) and x in (0, 1)"),
        ("uniform_int(-1, 3)", "isinstance(x, int) and -1 <= x <= 3"),
        ("beta_binomial(3, 1, 2)", "isinstance(x, int) and 0 <= x <= 3"),
        ("hypergeometric(5, 2, 2)", "isinstance(x, int) and 0 <= x"),
        ("poisson(2)", "isinstance(x, int) and x >= 0"),
        ("discrete_laplace(2)", "isinstance(x, int)"),
        ("normal(0, 1)", "isinstance(x, float)"),
    ],
)
def test_a_secret_has_the_type_and_the_range_that_the_word_of_its_law_says(law: str, text: str) -> None:
    module = f"from seepage_marks import leakage\n\n@leakage(secret={{'x': '{law}'}})\ndef f(x):\n    return {text}\n"
    function = load_function(module, "module.py", "f")

    assert [one for one in function.diagnostics if one.is_error] == []
    assert function.measure("P(result)").value == 1
