"""What people type who have not read the guide: names that objects do not have, and what to type in their place."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING

_AS_FRAME = "to_pandas() or to_polars()"
_OF_FRAMES = (
    "agg", "apply", "describe", "drop", "filter", "groupby", "head", "iloc", "index", "info", "iterrows", "loc", "melt", "merge", "pivot", "pivot_table",
    "query", "sort_values", "style", "tail", "to_excel", "to_html", "to_latex", "to_markdown", "to_parquet",
)  # fmt: skip
_OF_ARRAYS = ("T", "argmax", "argmin", "max", "mean", "min", "reshape", "std", "sum", "tolist")
_OF_TABLES = {
    **{name: f"to_pandas().{name}" for name in _OF_FRAMES},
    **{name: f"to_numpy().{name}" for name in _OF_ARRAYS},
    **dict.fromkeys(("df", "to_df", "to_frame", "frame"), _AS_FRAME),
    "items": "columns().items()",
    "keys": "columns()",
    "to_json": "json.dumps(table.to_dict())",
    "to_list": "to_records()",
}
_PANEL = "'from seepage_lsp.notebook import panel', then panel(program)"
_NO_PARAMETERS = "channel(prior, matrix).measure('I(x; y)') for each of your matrices: a channel has no parameters"
_ASKED = {
    "I": "measure('I(secret; output)')",
    "H": "measure('H(secret)')",
    "entropy": "measure('H(secret)')",
    "conditional_entropy": "measure('H(secret | output)')",
    "mutual_information": "measure('I(secret; output)')",
    "leakage": "measure('I(secret; output)')",
    "min_entropy": "measure('Hmin(secret)')",
    "min_entropy_leakage": "measure('Lmin(secret -> output)')",
    "vulnerability": "measure('V(secret | output)')",
    "capacity": "measure('C(secret -> output)')",
    "epsilon": "measure('DP(secret -> output)')",
    "dp": "measure('DP(secret -> output)')",
}

_WISHES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "seepage": {
            **{name: f"program.{call}" for name, call in _ASKED.items()},
            "measure": "seepage.parse(text).measure('I(secret; output)'), or seepage.load(path)",
            "sweep": "seepage.load(path).sweep('I(secret; output)', eps=[1, 2])",
            "plot": "seepage.load(path).plot('I(secret; output)', eps=(0, 6))",
            "sample": "seepage.load(path).sample(1000)",
            "panel": _PANEL,
            "widget": _PANEL,
            "Panel": _PANEL,
            "read": "seepage.load(path)",
            "open": "seepage.load(path)",
            "loads": "seepage.parse(text)",
            "compile": "seepage.parse(text)",
            "version": "seepage.__version__",
        },
        "Program": {
            **_ASKED,
            "params": "parameters",
            "run": "analyze(), or sample(1000) for runs at random",
            "show": "analyze()",
            "check": "diagnostics",
            "errors": "diagnostics",
            "text": "source.text",
            "joint": "posterior('secret', 'output'), or marginal('secret')",
            "derive": "explain('I(secret; output)')",
            "simulate": "sample(1000)",
            "panel": _PANEL,
            "widget": _PANEL,
        },
        "Result": {
            "bounds": "lower and upper",
            "bits": "unit, and measure(…, unit='bits')",
            "nats": "unit, and measure(…, unit='nats')",
            "to": "measure(…, unit='nats')",
            "error": "lower and upper: they enclose the true value",
            "to_sympy": "formula.to_sympy()",
            "latex": "formula.latex",
            "sympy": "formula.to_sympy()",
            "plot": "program.plot('I(secret; output)', eps=(0, 6))",
        },
        "Formula": {
            name: f"to_sympy(): its expression has {name}, its symbols are what to give there"
            for name in ("diff", "evalf", "integrate", "lambdify", "limit", "series", "simplify", "subs")
        },
        "SymbolicFormula": {
            name: f"expression.{name}(formula.symbols['eps'])" for name in ("diff", "integrate", "limit", "series")
        } | {"evalf": "expression.evalf()", "simplify": "expression.simplify()", "subs": "expression.subs({formula.symbols['eps']: 1})"} | {"lambdify": "sympy.lambdify(list(formula.symbols.values()), formula.expression)", "free_symbols": "symbols"},
        "Sweep": {
            **_OF_TABLES,
            "plot": "to_altair() or to_matplotlib()",
            "value": "table['value'], or to_numpy()",
            "save": "to_csv('table.csv')",
        },
        "Plot": {
            **_OF_TABLES,
            "show": "to_altair() or to_matplotlib()",
            "save": "to_altair().save('plot.png'), or to_matplotlib().savefig('plot.png')",
            "savefig": "to_matplotlib().savefig('plot.png')",
        },
        "Channel": {
            **{name: call.replace("secret", "x").replace("output", "y") for name, call in _ASKED.items()},
            "C": "measure('C(x -> y)')",
            "T": "matrix.T",
            "posterior": "posteriors()",
            "to_pandas": "pandas.DataFrame(channel.matrix)",
            "to_numpy": "matrix",
            "cascade": "first @ second",
            "refines": "refinement(other)",
            "plot": _NO_PARAMETERS,
            "sample": "rng.choice(len(channel), p=channel.prior), then rng.choice(channel.shape[1], p=channel.matrix[x])",
            "sweep": _NO_PARAMETERS,
        },
        "Analysis": {"leaks": "table", "results": "answers, and table for what leaks", "to_pandas": "pandas.DataFrame(analysis.to_dict()['table'])"},
    }
)  # fmt: skip


def missing(owner: str, name: str, there: list[str], wish: str | None = None) -> AttributeError:
    """Return the error for a name that an object does not have.

    Args:
        owner: its class, or the module.
        name: that is wished for.
        there: the names that there are.
        wish: what the object itself says to write, where nothing is known of its class.
    """
    text = f"'{owner}' has no attribute '{name}'"
    wish = _WISHES.get(owner, {}).get(name, wish)
    if wish is None:
        near = [] if name.startswith("_") else get_close_matches(name, [each for each in there if each[0] != "_"], 1)
        wish = near[0] if near else None
    return AttributeError(f"{text}: write {wish}" if wish else text, name=name)


class Wished:
    """A base of public classes: an attribute that is not there is told with what to write in its place."""

    __slots__ = ()

    def _wish(self, name: str) -> str | None:
        """Return what to write in place of a name that depends on the object, such as that of a column."""
        return None

    if not TYPE_CHECKING:  # type checkers are to know what there is, and what not

        def __getattr__(self, name: str) -> object:
            """Raise the error; Python asks here for what was not found."""
            raise missing(type(self).__name__, name, dir(type(self)), None if name[:1] == "_" else self._wish(name))
