"""WebPPL: a program in which nothing is assigned, so that each value of a variable has a name of its own; loops are functions that call themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from seepage.distributions.arguments import bind
from seepage.exports.formulas import Spelling, Writer
from seepage.exports.plain import NotExported, Plain
from seepage.exports.walk import symbols_of, written
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreSample, CoreStatement, CoreWhile
from seepage.syntax.tree import Distribution, Expression, Family, Name, Table

RESERVED = [
    "var",
    "function",
    "return",
    "if",
    "else",
    "true",
    "false",
    "null",
    "undefined",
    "new",
    "this",
    "typeof",
    "void",
    "while",
    "for",
    "do",
    "in",
    "of",
    "let",
    "const",
    "class",
    "delete",
    "case",
    "switch",
    "break",
    "continue",
    "try",
    "catch",
    "throw",
    "default",
    "model",
    "law",
    "flip",
    "condition",
    "sample",
    "categorical",
    "gaussian",
    "uniform",
    "randomInteger",
    "binomial",
    "poisson",
    "beta",
    "gamma",
    "laplace",
    "exponential",
    "cauchy",
    "Infer",
    "Math",
    "mod",
    "factor",
    "observe",
    "map",
    "repeat",
]
SPELLING = Spelling(
    operators={
        "or": "({0} || {1})", "and": "({0} && {1})", "xor": "({0} !== {1})", "not": "(!{0})",
        "==": "({0} === {1})", "!=": "({0} !== {1})",
        **{each: f"({{0}} {each} {{1}})" for each in ("<", "<=", ">", ">=", "+", "-", "*", "/")},
        "%": "mod({0}, {1})", "^": "Math.pow({0}, {1})",
    },
    functions={
        **{each: f"Math.{each}({{0}})" for each in ("abs", "floor", "ceil", "exp", "log", "sqrt")},
        **{each: f"Math.{each}({{0}}, {{1}})" for each in ("min", "max")},
    },
    choice="({0} ? {1} : {2})",
    as_number="({0} ? 1 : 0)",
    as_truth="({0} === 1)",
)  # fmt: skip
_MODULO = "var mod = function(a, b) { return a - b * Math.floor(a / b); };"
# Laws by what their parameters are called in Seep.
_LAWS: Mapping[str, str] = {
    "bernoulli": "(flip({p}) ? 1 : 0)",
    "flip": "(flip({p}) ? 1 : 0)",
    "uniform_int": "({a} + randomInteger({b} - {a} + 1))",
    "binomial": "binomial({{p: {p}, n: {n}}})",
    "poisson": "poisson({{mu: {rate}}})",
    "uniform": "uniform({{a: {a}, b: {b}}})",
    "exponential": "exponential({{a: {rate}}})",
    "beta": "beta({{a: {a}, b: {b}}})",
}


def webppl_text(program: Plain, title: str) -> str:
    """Return the program; ``law`` in it is the joint law of what it returns.

    Raises:
        NotExported: a law or a function that WebPPL does not have.
    """
    return "\n".join(_Text(program).lines(title)) + "\n"


class _Text:
    """Writes one program. Mutable: it counts the names that it gave."""

    def __init__(self, program: Plain) -> None:
        self._program = program
        self._symbols = {each: json.dumps(each, ensure_ascii=True) for each in symbols_of(program)}
        self._count: dict[str, int] = {}

    def lines(self, title: str) -> Iterator[str]:
        program = self._program
        yield f"// {title}"
        yield _MODULO
        start = {name: program.labels[name] for name in program.parameters}
        for name, value in program.parameters.items():
            yield f"var {start[name]} = {Writer(SPELLING, start, self._symbols).number(value)};"
        yield "var model = function() {"
        state = {**start, **{name: "0" for name in program.labels if name not in program.parameters}}
        body, state = self._block(program.statements, state)
        yield from (f"  {line}" for line in body)
        cells = ", ".join(f"{json.dumps(name, ensure_ascii=True)}: {state[name]}" for name in program.results)
        yield f"  return {{{cells}}};"
        yield "};"
        yield "var law = Infer({method: 'enumerate', model: model});"
        yield "law;"

    def _new(self, stem: str) -> str:
        """Return a name that was not given: of the variable for its first value, then with numbers."""
        while True:
            self._count[stem] = count = self._count.get(stem, -1) + 1
            found = stem if not count else f"{stem}_{count}"
            if not count or found not in self._program.labels.values():
                return found

    def _block(self, statements: Sequence[CoreStatement], state: dict[str, str]) -> tuple[list[str], dict[str, str]]:
        """Return the lines of statements, and what each variable is called behind them."""
        found: list[str] = []
        for one in statements:
            writer = Writer(SPELLING, state, self._symbols)
            match one:
                case CoreAssign(Name(name), value):
                    text = writer.number(value)
                    state = {**state, name: self._new(self._program.labels[name])}
                    found.append(f"var {state[name]} = {text};")
                case CoreSample(Name(name), law):
                    text = self._law(law, writer)
                    state = {**state, name: self._new(self._program.labels[name])}
                    found.append(f"var {state[name]} = {text};")
                case CoreObserve(condition):
                    found.append(f"condition({writer.truth(condition)});")
                case CoreIf():
                    lines, state = self._branch(one, state, writer)
                    found += lines
                case CoreWhile():
                    lines, state = self._loop(one, state)
                    found += lines
                case _:
                    raise NotExported(one.span, "this has no counterpart")
        return found, state

    def _branch(self, one: CoreIf, state: dict[str, str], writer: Writer) -> tuple[list[str], dict[str, str]]:
        changed = written((*one.consequent, *one.alternative))
        lines: list[str] = []
        arms = []
        for stem, statements in (("then", one.consequent), ("otherwise", one.alternative)):
            body, after = self._block(statements, state)
            arm = self._new(f"{stem}_")
            arms.append(arm)
            result = ", ".join(after[name] for name in changed)
            lines += [f"var {arm} = function() {{", *(f"  {line}" for line in body), f"  return [{result}];", "};"]
        together = self._new("after_")
        lines.append(f"var {together} = {writer.truth(one.condition)} ? {arms[0]}() : {arms[1]}();")
        more, state = self._taken(changed, together, state)
        return lines + more, state

    def _loop(self, one: CoreWhile, state: dict[str, str]) -> tuple[list[str], dict[str, str]]:
        changed = written(one.body)
        loop, body_name, together = self._new("loop_"), self._new("round_"), self._new("after_")
        inside = {**state, **{name: self._new(self._program.labels[name]) for name in changed}}
        arguments = ", ".join(inside[name] for name in changed)
        body, after = self._block(one.body, inside)
        condition = Writer(SPELLING, inside, self._symbols).truth(one.condition)
        lines = [
            f"var {loop} = function({arguments}) {{",
            f"  var {body_name} = function() {{",
            *(f"    {line}" for line in body),
            f"    return {loop}({', '.join(after[name] for name in changed)});",
            "  };",
            f"  return {condition} ? {body_name}() : [{arguments}];",
            "};",
            f"var {together} = {loop}({', '.join(state[name] for name in changed)});",
        ]
        more, state = self._taken(changed, together, state)
        return lines + more, state

    def _taken(self, changed: Sequence[str], together: str, state: dict[str, str]) -> tuple[list[str], dict[str, str]]:
        fresh = {name: self._new(self._program.labels[name]) for name in changed}
        lines = [f"var {fresh[name]} = {together}[{at}];" for at, name in enumerate(changed)]
        return lines, {**state, **fresh}

    def _law(self, law: Distribution, writer: Writer) -> str:
        match law:
            case Table(entries):
                return self._table(
                    [value for value, _ in entries], [writer.number(weight) for _, weight in entries], writer
                )
            case Family(name):
                bound = bind(law)
                values = {key: writer.number(value) for key, value in bound.named.items()}
                if name == "categorical":
                    weights = [writer.number(each) for each in bound.repeated]
                    return (
                        f"categorical({{ps: [{', '.join(weights)}], vs: [{', '.join(map(str, range(len(weights))))}]}})"
                    )
                if name == "uniform_of":
                    return self._table(bound.repeated, ["1"] * len(bound.repeated), writer)
                if name == "normal":
                    deviation = values.get("std") or f"Math.sqrt({values['variance']})"
                    return f"gaussian({{mu: {values['mean']}, sigma: {deviation}}})"
                if name in _LAWS:
                    return _LAWS[name].format(**values)
                raise NotExported(law.span, f"the law '{name}' has no counterpart that is known")
            case _:
                raise NotExported(law.span, "this law has no counterpart")

    def _table(self, values: Sequence[Expression], weights: Sequence[str], writer: Writer) -> str:
        cells = ", ".join(writer.number(value) for value in values)
        return f"categorical({{ps: [{', '.join(weights)}], vs: [{cells}]}})"
