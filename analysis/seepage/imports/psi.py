"""Programs of the PSI solver: ``def main()`` with assignments, draws, branches, loops of known length and observations.

Not imported, and refused at their line: other functions, arrays, ``while``, inference inside of programs, and ``assert``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import reduce
from itertools import pairwise

from seepage.data_classes import dataclass
from seepage.imports.formulas import Formulas, Language, Reader, binary, call, name, number, tokens_of, truth
from seepage.imports.writing import NotImported
from seepage.imports.writing import name as seep_name
from seepage.syntax.spell import spell
from seepage.syntax.tree import BinaryOperator, Expression, Name, Number

PSI = Language(
    binary=(
        {"||": "or"},
        {"&&": "and"},
        {"==": "==", "!=": "!="},
        {"<": "<", "<=": "<=", ">": ">", ">=": ">="},
        {"+": "+", "-": "-"},
        {"*": "*", "/": "/", "%": "%"},
        {"^": "^"},
    ),
    unary={"!": "not", "-": "-"},
    functions={
        **{each: (1, call(each)) for each in ("exp", "log", "abs", "floor", "ceil", "sqrt")},
        **{each: (2, call(each)) for each in ("min", "max")},
    },
    names={"true": truth(True), "false": truth(False)},
    question=False,
)
# What PSI draws, as Seep writes it; each with its number of arguments.
_LAWS: Mapping[str, tuple[int, str]] = {
    "flip": (1, "bernoulli({0})"),
    "bernoulli": (1, "bernoulli({0})"),
    "uniformInt": (2, "uniform_int({0}, {1})"),
    "binomial": (2, "binomial({0}, {1})"),
    "geometric": (1, "geometric({0})"),
    "poisson": (1, "poisson({0})"),
    "gauss": (2, "normal({0}, {1})"),
    "uniform": (2, "uniform({0}, {1})"),
    "laplace": (2, "laplace({0}, {1})"),
    "exponential": (1, "exponential({0})"),
    "beta": (2, "beta({0}, {1})"),
    "gamma": (2, "gamma({0}, {1})"),
}
_CHANGES: Mapping[str, BinaryOperator] = {"+=": "+", "-=": "-", "*=": "*", "/=": "/"}
_REFUSED: Mapping[str, str] = {
    "while": "loops that end by chance",
    "assert": "assertions",
    "cobserve": "observations of densities",
    "return": "'return' before the end",
    "def": "functions in functions",
    "dat": "types",
}


def of_psi(text: str, secrets: Sequence[str] = (), outputs: Sequence[str] = ()) -> str:
    """Return the program of a PSI program; what it returns are outputs, unless others are named.

    Args:
        text: with one function ``main`` without arguments.
        secrets: variables to be declared so.
        outputs: the same.

    Raises:
        NotImported: what is not in the subset, at its line; or a variable is not there.
    """
    psi = _Psi(Reader(tokens_of(text)), secrets, outputs)
    try:
        return psi.program()
    except RecursionError:
        psi.reader.fail("blocks are nested too deeply")


@dataclass(slots=True)
class _Psi:
    """Reads a program. Mutable: belongs to one reading."""

    reader: Reader
    secrets: Sequence[str]
    outputs: Sequence[str]
    lines: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)  # of PSI to those of Seep
    scopes: list[set[str]] = field(default_factory=lambda: [set()])
    draws: int = 0
    guards: list[Expression] = field(default_factory=list)  # under which what is being read counts
    assigned: Counter[str] = field(default_factory=Counter)

    def program(self) -> str:
        tokens = self.reader.tokens
        signs = {":=", "=", *_CHANGES}
        self.assigned.update(one.text for one, other in pairwise(tokens) if other.text in signs)
        if not tokens:
            self.reader.fail("the text is empty, expected 'def main() { … }'")
        self.reader.take("def")
        if (found := self.reader.word()) != "main":
            self.reader.fail(f"found the function '{found[:40]}': only one function, 'main', is imported")
        self.reader.take("(")
        self.reader.take(")")
        self.reader.take("{")
        returned: list[str] = []
        while not self.reader.accept("}"):
            if self.reader.accept("return"):
                returned = self._returned()
                if self.reader.next != "}":
                    self.reader.fail("'return' before the end is not imported")
            else:
                self._statement("")
        if self.reader.next:
            self.reader.fail("only one function, 'main', is imported")
        outputs = self._known(self.outputs) or [each for each in returned if each not in self._known(self.secrets)]
        often = [each for each in self.secrets if self.assigned[each] > 1]  # the value at the end is that of PSI
        once = [each for each in self.secrets if each not in often]
        declared = (
            ("secret", self._known(once)),
            ("secret final", self._known(often)),
            ("output", outputs),
        )
        heads = [f"{word} {', '.join(many)}" for word, many in declared if many]
        return "\n".join([*self.constants, *heads, *self.lines]) + "\n"

    def _known(self, many: Sequence[str]) -> list[str]:
        for each in many:
            if each not in self.names:
                raise NotImported(f"there is no variable '{each[:40]}'")
        return [self.names[each] for each in many]

    def _returned(self) -> list[str]:
        """Return the variables that a ``return`` names; each other value gets one of its own."""
        before = self.reader.at
        many = self.reader.accept("(")
        values: list[Expression] = []
        if many:
            values = [self._expression("")]
            while self.reader.accept(","):
                values.append(self._expression(""))
            many = self.reader.accept(")") and self.reader.next in (";", "}")
        if not many:  # parentheses of an expression, or none
            self.reader.at = before
            values = [self._expression("")]
        self.reader.accept(";")
        found: list[str] = []
        for value in values:
            if isinstance(value, Name) and value.id not in found:
                found.append(value.id)
            else:
                found.append(self._new("result"))
                self.lines.append(f"{found[-1]} := {spell(value)}")
        return found

    # --- statements ---------------------------------------------------------------------------------------------------

    def _statement(self, indent: str) -> None:
        reader = self.reader
        if reader.accept(";"):
            return
        word = reader.next
        if word in _REFUSED:
            reader.fail(f"{_REFUSED[word]} ('{word}') are not imported" if word != "return" else f"{_REFUSED[word]} is not imported")  # fmt: skip
        match word:
            case "if":
                self._branch(indent)
            case "for" | "repeat":
                self._loop(indent)
            case "observe":
                reader.take()
                (condition,) = self._arguments(indent, 1)
                self.lines.append(f"{indent}observe {spell(condition)}")
                self._end()
            case _:
                self._assignment(indent)

    def _end(self) -> None:
        if self.reader.next != "}":
            self.reader.take(";")

    def _block(self, indent: str) -> None:
        self.reader.take("{")
        self.scopes.append(set())
        while not self.reader.accept("}"):
            self._statement(indent + "  ")
        self.scopes.pop()

    def _branch(self, indent: str) -> None:
        self.reader.take("if")
        condition = self._expression(indent)
        self.lines.append(f"{indent}if {spell(condition)} {{")
        self._block(indent)
        if self.reader.accept("else"):
            self.lines.append(f"{indent}}} else {{")
            if self.reader.next == "if":
                self._branch(indent + "  ")
            else:
                self._block(indent)
        self.lines.append(f"{indent}}}")

    def _loop(self, indent: str) -> None:
        reader = self.reader
        self.scopes.append(set())
        low: Expression = number(1)
        if reader.take() == "repeat":
            variable, high = self._new("round"), self._expression(indent)
        else:
            written = reader.word()
            reader.take("in")
            opening = reader.take("[", "(")
            low = self._expression(indent)
            reader.take("..")
            high = self._expression(indent)
            closing = reader.take(")", "]")
            low = binary("+", low, number(1)) if opening == "(" else low
            high = _less(high) if closing == ")" else high
            variable = self._declared(written)
        self.lines.append(f"{indent}for {variable} in {spell(low)}..{spell(high)} {{")
        self._block(indent)
        self.lines.append(f"{indent}}}")
        self.scopes.pop()

    def _assignment(self, indent: str) -> None:
        reader = self.reader
        written = reader.word("a statement")
        sign = reader.next
        if sign in ("[", "(", "."):
            reader.fail("arrays, calls and fields are not imported")
        reader.take(":=", "=", *_CHANGES)
        if sign not in _CHANGES and (drawn := self._drawn(indent)) is not None:
            value = drawn
        elif reader.next == "[":
            reader.fail("arrays are not imported")
        else:
            expression = self._expression(indent)
            if sign in _CHANGES:
                expression = binary(_CHANGES[sign], self._meaning(written), expression)
            if self._is_constant(written, sign, expression, indent):
                self._end()
                return
            value = f":= {spell(expression)}"
        target = self._declared(written) if sign == ":=" else self._name(written)
        self.lines.append(f"{indent}{target} {value}")
        self._end()

    def _is_constant(self, written: str, sign: str, value: Expression, indent: str) -> bool:
        """Tell whether a statement gives a number to a name that has no other; then it is declared so, and may be the end of a loop."""
        free = self.assigned[written] == 1 and written not in (*self.secrets, *self.outputs)
        if sign != ":=" or indent or not free or not isinstance(value, Number) or self._is_returned(written):
            return False
        self.constants.append(f"const {self._declared(written)} = {spell(value)}")
        return True

    def _is_returned(self, written: str) -> bool:
        texts = [each.text for each in self.reader.tokens]
        last = len(texts) - 1 - texts[::-1].index("return") if "return" in texts else len(texts)
        return written in texts[last:]

    # --- values -------------------------------------------------------------------------------------------------------

    def _drawn(self, indent: str) -> str | None:
        """Return ``~ D`` where a draw stands alone."""
        start, lines = self.reader.at, len(self.lines)
        law = self.reader.next
        if (law not in _LAWS and law != "categorical") or not self._calls():
            return None
        self.reader.take()
        text = self._law(law, indent)
        if self.reader.next in (";", "}"):
            return f"~ {text}"
        self.reader.at = start  # a part of an expression
        del self.lines[lines:]
        return None

    def _calls(self) -> bool:
        tokens, at = self.reader.tokens, self.reader.at
        return at + 1 < len(tokens) and tokens[at + 1].text == "("

    def _law(self, law: str, indent: str) -> str:
        if law == "categorical":
            self.reader.take("(")
            self.reader.take("[")
            weights = [spell(self._expression(indent))]
            while self.reader.accept(","):
                weights.append(spell(self._expression(indent)))
            self.reader.take("]")
            self.reader.take(")")
            return f"categorical({', '.join(weights)})"
        count, form = _LAWS[law]
        return form.format(*map(spell, self._arguments(indent, count)))

    def _arguments(self, indent: str, count: int) -> list[Expression]:
        found = self._formulas(indent).arguments()
        if len(found) != count:
            self.reader.fail(f"found {len(found)} arguments, expected {count}")
        return found

    def _expression(self, indent: str) -> Expression:
        return self._formulas(indent).expression()

    def _formulas(self, indent: str) -> Formulas:
        return Formulas(self.reader, PSI, self._meaning, self._draw_before(indent), self.guards)

    def _draw_before(self, indent: str) -> Callable[[str], Expression | None]:
        def other(law: str) -> Expression | None:
            """A draw inside of an expression is drawn before the statement, if the expression gets to it: it is independent of all else there."""
            if law not in _LAWS and law != "categorical":
                return None
            text = self._law(law, indent)
            drawn = self._new("drawn")
            if self.guards:
                condition = spell(reduce(lambda one, other: binary("and", one, other), self.guards))
                self.lines.append(f"{indent}if {condition} {{ {drawn} ~ {text} }} else {{ {drawn} := 0 }}")
            else:
                self.lines.append(f"{indent}{drawn} ~ {text}")
            return name(drawn)

        return other

    # --- names --------------------------------------------------------------------------------------------------------

    def _meaning(self, written: str) -> Expression:
        if self.reader.next in ("[", "."):
            self.reader.fail("arrays and fields are not imported")
        return name(self._name(written))

    def _name(self, written: str) -> str:
        if not any(written in scope for scope in self.scopes):
            self.reader.fail(f"'{written[:40]}' is not declared")
        return self.names[written]

    def _declared(self, written: str) -> str:
        """Return the name of a variable that is declared here."""
        if any(written in scope for scope in self.scopes[:-1]):
            self.reader.fail(f"'{written[:40]}' is declared again in a block: give it another name")
        self.scopes[-1].add(written)
        if written not in self.names:
            self.names[written] = seep_name(written, list(self.names.values()))
        return self.names[written]

    def _new(self, stem: str) -> str:
        """Return a name that the program does not have."""
        self.draws += 1
        taken = [*self.names.values(), *(each.text for each in self.reader.tokens)]
        found = seep_name(f"{stem}_{self.draws}", taken)
        self.names[found] = found
        return found


def _less(high: Expression) -> Expression:
    return number(high.value - 1) if isinstance(high, Number) else binary("-", high, number(1))
