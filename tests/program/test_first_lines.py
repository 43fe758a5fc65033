"""Lines that people type who have not read the guide: they work, or the error says what to type."""

from __future__ import annotations

import copy
import json
import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sympy
from scipy import sparse, stats

import seepage

TEXT = (
    "param p in [0, 1] = 1/2\nparam eps in [0, 10] = 1\nsecret r\noutput o\nr ~ bernoulli(p)\n"
    "t ~ bernoulli(exp(eps) / (exp(eps) + 1))\nif t { o := r } else { o := !r }\nshow I(r; o)\n"
)
MATRIX = np.array([[0.8, 0.2], [0.3, 0.7]])


@pytest.fixture(scope="module")
def session() -> dict[str, Any]:
    """What a person has after the first three lines."""
    program = seepage.parse(TEXT)
    return {
        "np": np,
        "pd": pd,
        "pl": pl,
        "sympy": sympy,
        "sparse": sparse,
        "stats": stats,
        "seepage": seepage,
        "copy": copy,
        "json": json,
        "pickle": pickle,
        "SimpleNamespace": SimpleNamespace,
        "TEXT": TEXT,
        "C": MATRIX,
        "program": program,
        "r": program.measure("I(r; o)"),
        "table": program.sweep("I(r; o)", eps=[1, 2, 3]),
        "c": seepage.channel(None, MATRIX),
    }


LEAK = 0.160058462016830
WORK = [
    ("float(program.measure('I(r; o)', eps=1))", LEAK),
    ("float(program.measure('I(r; o)', {'eps': 1}))", LEAK),
    ("float(program.measure('I(r; o)', params={'eps': np.float32(1)}))", LEAK),
    ("program.secrets + program.outputs + program.parameters", ("r", "o", "p", "eps")),
    ("np.array([r, r]).mean()", LEAK),
    ("np.isclose(r, 0.1600585)", True),
    ("np.float64(0.1) < r", True),
    ("max(r, 0.1) is r", True),
    ("'%.3f' % r, f'{r:.1%}'", ("0.160", "16.0%")),
    ("json.loads(json.dumps(r.to_dict()))['unit']", "bits"),
    ("pickle.loads(pickle.dumps(r)) == copy.deepcopy(r) == r", True),
    ("copy.deepcopy(program).measure('H(r)') == 1", True),
    ("pd.Series([r], dtype=float)[0]", LEAK),
    ("pl.DataFrame(table)['value'][0]", LEAK),
    ("pl.from_dataframe(table).columns[:2]", ["eps", "value"]),
    ("table['value'][0]", LEAK),
    ("table[0].value", LEAK),
    ("table.to_pandas().value[0]", LEAK),
    ("program.sweep('I(r; o)', eps=pd.Series([1.0])).to_numpy()[0]", LEAK),
    ("program.sweep('I(r; o)', eps=(each for each in range(3))).shape", (3,)),
    ("program.plot('I(r; o)', eps=(0, 6), points=3).rows[0][0].value", 0.0),
    ("str(program.plot('P(o == 1)', p=(0, 1), points=2)).split()[-3:]", ["0.731059", "·", "exact"]),
    ("program.plot('P(o == 1)', p=(0, 1), points=2).to_dict()['points'][0]['at']", ["0"]),
    ("float(program.with_priors(r=stats.bernoulli(0.5)).measure('I(r; o)'))", LEAK),
    ("float(program.with_priors({'r': [0.5, 0.5]}).measure('I(r; o)'))", LEAK),
    ("float(program.with_priors(r=pd.Series([0.5, 0.5])).measure('I(r; o)'))", LEAK),
    ("float(program.with_priors(r=np.full(2, 0.5)).measure('I(r; o)'))", LEAK),
    ("float(seepage.parse(TEXT, priors={'r': {0: 0.5, 1: 0.5}}).measure('I(r; o)'))", LEAK),
    ("sorted(program.sample(2, seed=np.random.default_rng(0)))", ["o", "r", "t"]),
    ("program.analyze().to_dict()['answers'][0]['result']['value']", LEAK),
    ("program.posterior('r', 'o', p='1/2').to_numpy().round(3).tolist()", [[0.731, 0.269], [0.269, 0.731]]),
    ("program.marginal('r', p=0.3).mean()", 0.3),
    ("c.marginal('y').pmf([0, 1]).round(12).tolist()", [0.55, 0.45]),
    ("np.asarray(c).tolist()", MATRIX.tolist()),
    ("(c @ np.eye(2)).matrix.tolist()", MATRIX.tolist()),
    ("c.to_dict()['matrix'][0]", ["4/5", "1/5"]),
    ("seepage.channel(matrix=C).matrix.tolist()", MATRIX.tolist()),
    ("seepage.channel(None, sparse.csr_matrix(C)).matrix.tolist()", MATRIX.tolist()),
    ("seepage.channel(None, pd.DataFrame(C)).matrix.tolist()", MATRIX.tolist()),
    ("seepage.channel(None, pl.DataFrame({'a': [0.8, 0.3], 'b': [0.2, 0.7]})).matrix.tolist()", MATRIX.tolist()),
    ("seepage.channel(None, sympy.Matrix(2, 2, ['1/3', '2/3', 1, 0])).to_dict()['matrix'][0]", ["1/3", "2/3"]),
]


@pytest.mark.parametrize(("line", "answer"), WORK)
def test_a_line_works(line: str, answer: object, session: dict[str, Any]) -> None:
    found = eval(line, session)

    assert found == (pytest.approx(answer, rel=1e-6) if isinstance(answer, float) else answer)


TOLD = [
    ("seepage.load(TEXT)", "seepage.parse(text)"),
    ("seepage.Program(TEXT)", "write seepage.parse(text)"),
    ("seepage.parse(SimpleNamespace(read=1))", "seepage.load(path)"),
    ("seepage.check(TEXT)", "seepage.parse(text).diagnostics"),
    ("seepage.analyze(TEXT)", "seepage.parse(text).analyze()"),
    ("seepage.measure(TEXT, 'I(r; o)')", "seepage.parse(text).measure("),
    ("seepage.entropy([0.5, 0.5])", "program.measure('H(secret)')"),
    ("seepage.pars", "write parse"),
    ("program.measure(['I(r; o)', 'H(r)'])", "one measure as text, such as 'I(secret; output)'"),
    ("program.measure('MI(r; o)')", "'I(x; y | z)'"),
    ("program.measure('I(r, o)')", "'I(x; y | z)'"),
    ("program.measure('I(R; o)')", "did you mean 'r'"),
    ("program.measure('I(r; o)', epsilon=1)", "one of: 'p', 'eps'"),
    ("program.measure('I(r; o)', eps=[1, 2])", "program.sweep(…, eps=[1, 2])"),
    ("program.measure('I(r; o)', {'eps': 1}, eps=1)", "'eps' twice"),
    ("program.measure('I(r; o)', unit='bit')", "'bits' or 'nats'"),
    ("program.I('r', 'o')", "measure('I(secret; output)')"),
    ("program.params", "write parameters"),
    ("program.run()", "analyze()"),
    ("program.sweep('I(r; o)')", "as in eps=[1, 2] (parameters: p, eps)"),
    ("program.plot('I(r; o)')", "eps=(0, 6)"),
    ("program.plot('I(r; o)', 'eps')", "eps=(0, 6)"),
    ("program.plot('I(r; o)', eps=6)", "eps=(0, 6)"),
    ("program.with_priors(r=stats.bernoulli)", "stats.bernoulli("),
    ("program.with_priors(x=[0.5, 0.5])", "drawn there: r, t"),
    ("program.with_priors(stats.bernoulli(0.5))", "with_priors(pin=law)"),
    ("program.with_priors(r=0.5)", "a mapping of values to probabilities"),
    ("program.sample(2.5)", "a whole number"),
    ("2 * r", "program.measure('2 * I(r; o)'), or write float(result)"),
    ("1 - r", "float(result)"),
    ("sum([r, r])", "float(result)"),
    ("r < r", "compare its lower or upper"),
    ("r.bounds", "lower and upper"),
    ("r.to('nats')", "measure(…, unit='nats')"),
    ("r.formula.to_sympy().diff('p')", "expression.diff(…)"),
    ("program.panel()", "from seepage_lsp.notebook import panel"),
    ("program.plot('I(r; o)', over='eps')", "the program has no parameter 'over'"),
    ("r.formula.subs(p=1)", "to_sympy().expression.subs(…)"),
    ("table.plot()", "to_altair() or to_matplotlib()"),
    ("table.df", "to_pandas() or to_polars()"),
    ("table['leak']", "eps, value, lower"),
    ("seepage.channel(C)", "seepage.channel(None, matrix)"),
    ("seepage.channel(C, [0.5, 0.5])", "the prior comes first"),
    ("seepage.channel('uniform', C)", "None for a uniform prior"),
    ("seepage.channel(None, C.T)", "give the matrix transposed"),
    ("seepage.channel(None, -C)", "0 or more"),
    ("seepage.channel(None, 3)", "rows of probabilities"),
    ("c.capacity()", "measure('C(x -> y)')"),
    ("c.marginal('z')", "'x' or 'y'"),
    ("C @ c", "seepage.channel(prior, matrix) @ other"),
]


@pytest.mark.parametrize(("line", "said"), TOLD)
def test_a_line_says_what_to_type(line: str, said: str, session: dict[str, Any]) -> None:
    with pytest.raises((AttributeError, LookupError, TypeError, ValueError, seepage.MeasureError)) as told:
        eval(line, session)

    assert said in str(told.value)


def test_symbols_are_given_with_quotes_or_without() -> None:
    program = seepage.parse('secret s; output o; s ~ {"red": 1/2, "green": 1/2}; o := s')

    plain, quoted = (
        program.with_priors(s={f"{q}red{q}": 0.25, f"{q}green{q}": 0.75}).measure("H(s)") for q in ("", '"')
    )

    assert float(plain) == float(quoted) == pytest.approx(2 - 0.75 * np.log2(3))
    with pytest.raises(ValueError, match="symbol 'red' among the values of 's'"):
        program.marginal("s")
