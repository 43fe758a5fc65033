"""PSI: the same statements in its own words; symbols are whole numbers there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from seepage.distributions.arguments import bind
from seepage.exports.formulas import Spelling, Writer
from seepage.exports.plain import NotExported, Plain
from seepage.exports.walk import symbols_of
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreSample, CoreStatement
from seepage.syntax.tree import Distribution, Expression, Family, Name, Table

RESERVED = [
    "def",
    "main",
    "return",
    "if",
    "then",
    "else",
    "for",
    "in",
    "repeat",
    "while",
    "observe",
    "cobserve",
    "assert",
    "true",
    "false",
    "import",
    "dat",
    "skip",
    "forget",
    "flip",
    "bernoulli",
    "uniformInt",
    "binomial",
    "geometric",
    "poisson",
    "gauss",
    "uniform",
    "laplace",
    "exponential",
    "beta",
    "gamma",
    "pareto",
    "categorical",
    "array",
    "infer",
    "sample",
    "expectation",
    "abs",
    "exp",
    "log",
    "floor",
    "ceil",
    "min",
    "max",
    "sqrt",
    "sin",
    "cos",
]
SPELLING = Spelling(
    operators={
        "or": "({0} || {1})", "and": "({0} && {1})", "xor": "({0} != {1})", "not": "(!{0})",
        **{each: f"({{0}} {each} {{1}})" for each in ("==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "^")},
    },
    functions={
        **{each: f"{each}({{0}})" for each in ("abs", "floor", "ceil", "exp", "log", "sqrt")},
        **{each: f"{each}({{0}}, {{1}})" for each in ("min", "max")},
    },
    choice="(if {0} then {1} else {2})",
    as_number="{0}",
    as_truth="{0}",
)  # fmt: skip
# Laws by what their parameters are called in Seep.
_LAWS: Mapping[str, str] = {
    "bernoulli": "flip({p})",
    "flip": "flip({p})",
    "uniform_int": "uniformInt({a}, {b})",
    "binomial": "binomial({n}, {p})",
    "geometric": "geometric({p})",
    "poisson": "poisson({rate})",
    "uniform": "uniform({a}, {b})",
    "exponential": "exponential({rate})",
    "beta": "beta({a}, {b})",
}


def psi_text(program: Plain, title: str) -> str:
    """Return the program.

    Raises:
        NotExported: a loop that ends by chance, or a law that PSI does not have.
    """
    return "\n".join(_Text(program).lines(title)) + "\n"


class _Text:
    """Writes one program."""

    def __init__(self, program: Plain) -> None:
        self._program = program
        self._codes = {each: str(at) for at, each in enumerate(symbols_of(program), 1)}
        self._writer = Writer(SPELLING, program.labels, self._codes)

    def lines(self, title: str) -> Iterator[str]:
        program = self._program
        yield f"// {title}"
        for symbol, code in self._codes.items():
            yield f"// {code} stands for {symbol!r}"
        yield "def main() {"
        for name, value in program.parameters.items():
            yield f"  {program.labels[name]} := {self._writer.number(value)};"
        for name, label in program.labels.items():
            if name not in program.parameters:
                yield f"  {label} := 0;"
        yield from self._block(program.statements, "  ")
        results = [program.labels[name] for name in program.results]
        yield f"  return {results[0] if len(results) == 1 else '(' + ', '.join(results) + ')'};"
        yield "}"

    def _block(self, statements: Sequence[CoreStatement], indent: str) -> Iterator[str]:
        writer = self._writer
        for one in statements:
            match one:
                case CoreAssign(Name(name), value):
                    yield f"{indent}{self._program.labels[name]} = {writer.number(value)};"
                case CoreSample(Name(name), law):
                    yield from self._drawn(self._program.labels[name], law, indent)
                case CoreObserve(condition):
                    yield f"{indent}observe({writer.truth(condition)});"
                case CoreIf(condition, consequent, alternative):
                    yield f"{indent}if {writer.truth(condition)} {{"
                    yield from self._block(consequent, indent + "  ")
                    if alternative:
                        yield f"{indent}}} else {{"
                        yield from self._block(alternative, indent + "  ")
                    yield f"{indent}}}"
                case _:
                    raise NotExported(one.span, "PSI has no loops that end by chance")

    def _drawn(self, target: str, law: Distribution, indent: str) -> Iterator[str]:
        writer = self._writer
        match law:
            case Table(entries):
                yield from self._table(target, entries, indent)
            case Family(name):
                bound = bind(law)
                values = {key: writer.number(value) for key, value in bound.named.items()}
                if name == "categorical":
                    yield f"{indent}{target} = categorical([{', '.join(map(writer.number, bound.repeated))}]);"
                elif name == "uniform_of":
                    yield f"{indent}{target} = uniformInt(0, {len(bound.repeated) - 1});"
                    yield from self._chosen(target, bound.repeated, indent)
                elif name == "normal":
                    variance = values.get("variance") or f"({values['std']} * {values['std']})"
                    yield f"{indent}{target} = gauss({values['mean']}, {variance});"
                elif name in _LAWS:
                    yield f"{indent}{target} = {_LAWS[name].format(**values)};"
                else:
                    raise NotExported(law.span, f"the law '{name}' has no counterpart that is known")
            case _:
                raise NotExported(law.span, "this law has no counterpart")

    def _table(self, target: str, entries: Sequence[tuple[Expression, Expression]], indent: str) -> Iterator[str]:
        weights = ", ".join(self._writer.number(weight) for _, weight in entries)
        yield f"{indent}{target} = categorical([{weights}]);"
        yield from self._chosen(target, [value for value, _ in entries], indent)

    def _chosen(self, target: str, values: Sequence[Expression], indent: str) -> Iterator[str]:
        """Yield the assignment of the value whose position was drawn."""
        texts = [self._writer.number(each) for each in values]
        if texts == [str(at) for at in range(len(texts))]:
            return
        value = texts[-1]
        for at, text in reversed(list(enumerate(texts[:-1]))):
            value = SPELLING.choice.format(f"({target} == {at})", text, value)
        yield f"{indent}{target} = {value};"
