"""``%%seep`` in a real kernel, and the notebooks of the examples executed whole."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient
from scipy.stats import norm

from seepage.cells import _asked, load_ipython_extension

_NOTEBOOKS = Path(__file__).parents[2] / "examples" / "notebooks"


class Shell:
    """A shell that keeps what it is told."""

    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {}
        self.magics: dict[tuple[str, str], Any] = {}

    def register_magic_function(self, func: Any, magic_kind: str, magic_name: str) -> None:
        self.magics[magic_kind, magic_name] = func


@pytest.fixture(scope="module")
def ipython(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A real shell, into which the extension is loaded twice."""
    made: Any = InteractiveShell(ipython_dir=str(tmp_path_factory.mktemp("ipython")))
    load_ipython_extension(made)
    load_ipython_extension(made)
    yield made
    InteractiveShell.clear_instance()


@pytest.fixture
def shell() -> Shell:
    made = Shell()
    load_ipython_extension(made)
    return made


def test_a_cell_shows_its_numbers_and_keeps_its_program(shell: Shell) -> None:
    text = "param p in [0, 1]\nsecret s\noutput o\ns ~ bernoulli(p)\no := s\nshow I(s; o)\n"
    shown = shell.magics["cell", "seep"]("leaky --set p=1/2 --time-limit 10", text)
    assert "show I(s; o) = 1 bit" in repr(shown)
    html = ElementTree.fromstring(f"<body>{shown._repr_html_()}</body>")
    assert [each.text for each in html.iter("td")][:3] == ["s", "o", "1 bit · exact"]
    assert float(shell.user_ns["leaky"].measure("H(s)", params={"p": "1/4"})) == pytest.approx(2 - 0.75 * math.log2(3))


def test_a_cell_with_an_error_shows_where_it_is_and_no_number(shell: Shell) -> None:
    shown = shell.magics["cell", "seep"]("", "secret s\ns ~ bernouli(1/2) // <b>\n")
    assert "<cell>:2:5: error[SEEP" in repr(shown)
    assert shown.analysis is None
    assert "&lt;b&gt;" in shown._repr_html_()
    assert "<b>" not in shown._repr_html_()


def test_a_kept_program_says_that_it_has_the_defaults_of_its_text(shell: Shell) -> None:
    text = "param p in [0, 1] = 1/4\nsecret s\ns ~ bernoulli(p)\nshow H(s)\n"

    shown, plain = (shell.magics["cell", "seep"](line, text) for line in ("coin --set p=1/2", "coin"))

    assert "1 bit" in repr(shown)
    assert all("keeps the defaults of its text" in told for told in (repr(shown), shown._repr_html_()))
    assert "keeps" not in repr(plain)


CELL = "%%seep leaky --set p=1/2\nparam p in [0, 1]\nsecret salary\noutput o\nsalary ~ {before}\no := salary\nshow I(sal; o)\n"


@pytest.mark.parametrize(
    ("cell", "typed", "offered", "not_offered"),
    [
        (CELL.format(before="bern"), "~ bern", {"bernoulli"}, {"bernoulli_", "salary"}),
        (CELL.format(before="bernoulli(1/2)"), "I(sal", {"salary"}, {"p", "print"}),
        (CELL.format(before="bernoulli(1/2)"), "show ", {"I", "H", "V"}, {"uniform_int"}),
        ("%%seep leaky --t\nsecret s", "--t", {"--time-limit"}, {"--set"}),
        ("bern = 1\nber", "\nber", {"bern"}, {"bernoulli"}),
    ],
)
def test_a_cell_is_completed_as_its_program(
    cell: str, typed: str, offered: set[str], not_offered: set[str], ipython: Any
) -> None:
    end = cell.index(typed) + len(typed)

    with provisionalcompleter():
        found = list(ipython.Completer.completions(cell, end))

    written = {cell[: each.start] + each.text + cell[each.end :] for each in found}
    start = len(cell[:end]) - len(re.search(r"[\w-]*$", cell[:end])[0])  # type: ignore[index]
    completed = {text[start : len(text) - len(cell[end:])] for text in written}
    assert offered <= completed
    assert not not_offered & completed


@pytest.mark.parametrize(
    "line",
    ["two names", "--set", "--set p", "--time-limit", "--time-limit soon", "--time-limit 0", "--time-limit inf", "1st"],
)
def test_a_line_of_another_form_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        _asked(line)


def executed(name: str) -> Any:
    """Return a notebook of the examples with what a real kernel gave."""
    notebook = nbformat.read(_NOTEBOOKS / name, as_version=4)
    place = {"metadata": {"path": str(_NOTEBOOKS)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=place).execute()
    return notebook


@pytest.mark.variation(of="test_the_first_hour_runs_in_a_kernel")
@pytest.mark.timeout(300)
def test_the_notebook_on_privacy_runs_in_a_kernel() -> None:
    outputs = {cell.id: cell.outputs for cell in executed("privacy-accounting.ipynb").cells if cell.cell_type == "code"}

    assert outputs["composed"][0].data["text/plain"] == "[0.5, 1.0, 1.5]"  # pure losses add up
    # The loss of normal noise at a delta: delta = Phi(1/2 - eps) - e^eps Phi(-1/2 - eps) for a standard deviation of 1.
    loss = float(outputs["epsilon"][0].data["text/plain"])
    assert norm.cdf(0.5 - loss) - math.exp(loss) * norm.cdf(-0.5 - loss) == pytest.approx(1e-5, rel=1e-6)
    assert 'class="curve"' in outputs["drawn"][0].data["text/html"]
    assert "<table>" in outputs["shown"][0].data["text/html"]


@pytest.mark.timeout(300)
def test_the_first_hour_runs_in_a_kernel() -> None:
    notebook = executed("first-hour.ipynb")
    outputs = [each.outputs for each in notebook.cells if each.cell_type == "code"]
    texts = [output.data["text/plain"] for each in outputs for output in each if output.output_type == "execute_result"]
    html = [
        output.data.get("text/html", "")
        for each in outputs
        for output in each
        if output.output_type == "execute_result"
    ]

    def shown(place: str) -> list[str]:
        return [each for each in texts if place in each]

    # I = 1 − h(e^ε / (e^ε + 1)) for a uniform answer.
    honest = math.exp(2) / (math.exp(2) + 1)
    right = 1 + honest * math.log2(honest) + (1 - honest) * math.log2(1 - honest)
    assert any(f"{right:.6f}"[:7] in each for each in shown("Result I(answer; said)"))
    assert any("did you mean 'bernoulli'" in each for each in texts)
    assert sum("<table>" in each for each in html) >= 2
    # The end of the budget solves that equation for 0.2 bits.
    honest = math.exp(float(texts[-1])) / (math.exp(float(texts[-1])) + 1)
    assert 1 + honest * math.log2(honest) + (1 - honest) * math.log2(1 - honest) == pytest.approx(0.2, abs=1e-5)
