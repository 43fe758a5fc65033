"""Lines that people type who have not read the guide: they work, or the error says what to type."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from types import SimpleNamespace
from typing import Any

import altair as alt
import narwhals as nw
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
        "alt": alt,
        "np": np,
        "nw": nw,
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
    ("pd.DataFrame(table)['value'].tolist() == list(table['value'])", True),
    ("list(pd.DataFrame(table)) == pl.DataFrame(table).columns == list(table.columns())", True),
    ("pd.DataFrame(list(table)).value[0]", LEAK),
    (
        "pd.DataFrame(program.plot('P(o == 1)', p=(0, 1), points=2)).value.round(6).tolist()",
        [0.268941, 0.731059],
    ),
    ("pd.DataFrame(program.posterior('r', 'o', p='1/2')).round(6).values.tolist()[0]", ["0", 0.5, 0.731059, 0.268941]),
    ("pl.concat([pl.DataFrame(table), pl.DataFrame(program.sweep('I(r; o)', eps=11))]).shape", (4, 7)),
    ("alt.Chart(table).mark_line().encode(x='eps', y='value').to_dict()['encoding']['y']['type']", "quantitative"),
    ("nw.from_native(table).columns[0], pd.api.interchange.from_dataframe(table).shape", ("eps", (3, 7))),
    ("np.asarray(table, dtype='f4').dtype.name, np.asarray(table).max() == np.max(table)", ("float32", True)),
    ("table['eps'][table['value'] < 0.5].tolist(), list(table['certainty'])", ([1.0, 2.0], ["exact"] * 3)),
    ("[row.at for row in table[:2]], dict(table[-1])['eps']", ([(1,), (2,)], 3.0)),
    ("pickle.loads(pickle.dumps(table[0])).at, json.loads(json.dumps(table[0]))['unit']", ((1,), "bits")),
    ("(np.array([0.1, 0.2]) < r).tolist(), (r <= np.array([0.1, 0.2])).tolist()", ([True, False], [False, True])),
    ("(pd.Series([0.1, 0.2]) < r).tolist()", [True, False]),
    ("float(program.measure('I(r; o)', eps=np.array(1)))", LEAK),
    ("float(program.measure('P(o == 1)', p=1, eps=sympy.log(3)))", 0.75),
    ("float(program.sweep('I(r; o)', eps=np.array(1)).to_numpy()[0])", LEAK),
    (
        "float(sympy.N(sympy.sympify(r.formula).subs(dict.fromkeys(r.formula.to_sympy().symbols.values(), 0.5))))",
        0.04371346061927110,
    ),
    ("pd.DataFrame(c).to_numpy().tolist() == [row.tolist() for row in c]", True),
    (
        "c.shape, len(c), pickle.loads(pickle.dumps(c)) == c == seepage.channel({0: '1/2', 1: 0.5}, C)",
        ((2, 2), 2, True),
    ),
    ("seepage.channel(stats.binom(1, 0.25), C).prior.tolist()", [0.75, 0.25]),
    ("seepage.channel(None, np.eye(2, dtype=bool)).matrix.tolist()", [[1.0, 0.0], [0.0, 1.0]]),
    ("c.parallel(C).shape, c.product(C).shape, type(c.refinement(C)).__name__", ((2, 4), (4, 4), "Refined")),
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
    ("np.log(r)", "float(result)"),
    ("program.measure('I(r; o)', 'nats')", "unit='nats'"),
    ("program.measure('mutual information of r and o')", "expected a measure such as 'I(x; y)'"),
    ("program.measure('I(r; o)', eps='about 3')", "expected an expression such as '1/2'"),
    ("program.posterior(['r'], 'o')", "several as 'a, b'"),
    ("program.marginal(['r', 'o'])", "several as 'a, b'"),
    ("program.measure('I(r; o)', seconds='5')", "a number of seconds"),
    ("program.sweep('I(r; o)', 'eps')", "as in eps=1"),
    ("program.sweep('I(r; o)', eps=[1], workers='two')", "how many processes"),
    ("program.sweep('I(r; o)', eps=np.ma.masked_array([1, 2], [0, 1]))", "expected a number"),
    ("program.plot('I(r; o)', eps=(0, 6), points=0)", "at least two points"),
    ("program.r", "write measure('H(r)')"),
    ("r.bounds", "lower and upper"),
    ("r.to('nats')", "measure(…, unit='nats')"),
    ("r.formula.to_sympy().diff('p')", "expression.diff(formula.symbols["),
    ("program.panel()", "from seepage_lsp.notebook import panel"),
    ("program.plot('I(r; o)', over='eps')", "the program has no parameter 'over'"),
    ("r.formula.subs(p=1)", "its expression has subs"),
    ("table.plot()", "to_altair() or to_matplotlib()"),
    ("table.df", "to_pandas() or to_polars()"),
    ("table.eps", "write table['eps']"),
    ("table.query('eps > 1')", "write to_pandas().query"),
    ("table[['eps', 'value']]", "to_pandas() selects"),
    ("table.argmax()", "write to_numpy().argmax"),
    ("seepage.channel(None, C * np.nan)", "found nan, expected a finite number, in row 0"),
    ("seepage.channel(None, np.ma.masked_array(C, C < 0.5))", "matrix.filled(0)"),
    ("seepage.channel(None, C, tolerance=-1)", "0 or more"),
    ("seepage.channel(None, C, names=('a', 'b', 'c'))", "two different ones"),
    ("seepage.channel({'a': 0.5, 'b': 0.5}, C)", "the numbers of the rows, from 0 to 1"),
    ("seepage.channel(stats.poisson(1), C)", "at most 10,000 whole values"),
    (
        "seepage.channel(pd.Series([1, 0], index=['a', 'b']), pd.DataFrame(C, index=['b', 'a']))",
        "prior.reindex(matrix.index)",
    ),
    ("c.matrix.__setitem__((0, 0), 3)", "read-only"),
    ("pickle.loads(pickle.dumps(c)).prior.__setitem__(0, 3)", "read-only"),
    ("c.measure('I(a; b)')", "the channel has 'x' and 'y'"),
    ("c.sweep('I(x; y)', p=[1])", "a channel has no parameters"),
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


def test_objects_show_themselves_in_a_line() -> None:
    program = seepage.load("examples/randomized-response-single.seep")
    analysis = program.analyze()
    shown: list[object] = [
        program,
        program.checked,
        analysis,
        analysis.answers[0],
        analysis.table[0],
        program.diagnostics,
    ]
    shown += [program.measure("I(r; o)"), program.plot("I(r; o)", eps=(0, 6)), program.explain("H(o)")]
    shown += [program.posterior("r", "o"), program.sweep("I(r; o)", eps=[1, 2])]

    assert [(type(one).__name__, repr(one)) for one in shown if len(repr(one)) > 600 or "\n" in repr(one)] == []


@pytest.mark.parametrize(
    ("library", "line"),
    [("sympy", "program.measure('P(r)').formula.to_sympy()"), ("scipy", "program.marginal('o')")],
)
def test_a_library_that_is_not_installed_is_named_with_what_to_type(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch, library: str, line: str
) -> None:
    for name in [each for each in sys.modules if each.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)

    with pytest.raises(ImportError, match=rf"pip install {library}, or 'seepage\[{library}\]'"):
        eval(line, dict(session))
