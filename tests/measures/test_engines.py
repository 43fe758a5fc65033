"""The name of the way that found a number is true, and one word everywhere."""

from pathlib import Path

import pytest

import seepage
from seepage.measures.engine import ENGINES, SENTENCES, Engine

NOISY = "secret s\noutput o\ns ~ uniform_int(0, 1)\nn ~ laplace(0, 2)\no := s + n\n"
TWICE = (
    "secret s\noutput o\noutput q\ns ~ uniform_int(0, 1)\nn ~ normal(0, 4)\nm ~ normal(0, 4)\no := s + n\nq := s + m\n"
)
BITS = "b0 ~ flip(1/3)\n" + "".join(f"e{i} ~ flip(1/5)\nb{i} := b{i - 1} xor e{i}\n" for i in range(1, 40))
PAGE = Path(__file__).parents[2] / "docs" / "measures.md"


@pytest.mark.parametrize(
    ("program", "measure", "engine"),
    [
        ("x ~ flip(1/2)\ny ~ flip(1/2)\n", "I(x; y)", "dependence"),
        ("x ~ flip(1/2)\ny := not x\n", "I(x; y)", "discrete"),
        ("x ~ poisson(2)\n", "H(x)", "discrete"),
        (BITS, f"H({', '.join(f'b{i}' for i in range(40))})", "elimination"),
        (NOISY, "DP(s -> o)", "noise"),
        (TWICE.replace("normal", "laplace"), "DP(s -> o, q, delta=1/100)", "accounting"),
        (TWICE, "Renyi(s -> o, q, alpha=2)", "accounting"),
        ("x ~ normal(0, 1)\n", "H(x)", "soga"),
        ("x ~ uniform(0, 3)\n", "H(x)", "paths"),
        ("x ~ uniform(0, 3)\nb ~ flip(1/2)\n", "H(b) + H(x)", "paths"),
    ],
)
def test_a_number_names_the_way_that_found_it(program: str, measure: str, engine: Engine) -> None:
    assert seepage.parse(program).measure(measure).engine == engine


def test_every_way_has_a_sentence_and_the_page_tells_all_of_them() -> None:
    assert tuple(SENTENCES) == ENGINES
    rows = "".join(f"| `{name}` | {sentence} |\n" for name, sentence in SENTENCES.items())
    assert rows in PAGE.read_text(encoding="utf-8")
