"""What is written and told: names of the program that is made, its statements, and findings."""

from __future__ import annotations

import ast
import re
from dataclasses import field, replace
from fractions import Fraction

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Rule
from seepage.python.places import Places
from seepage.python.terms import shift_of, shifted, variable
from seepage.python.values import HERE, Codes, Num, Object, Ref, Support, Unknown, Value
from seepage.python.world import Code, Line, World
from seepage.semantics.evaluate import names_of
from seepage.source import Span
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression, Name, Number, Unary
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.keywords import KEYWORDS

MOST_LINES = 60_000
_MARK = "__"
_UNSAFE = re.compile(r"\W+")
_WORD = re.compile(r"\w++")


class TooMuch(Exception):  # no error of this program
    """The analysed function is too large to be followed; the text says in what way."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Where work stood: a piece of the program with its length, how many worlds had ended, findings, names, and lines written."""

    code: Code
    length: int
    abrupt: int
    found: list[Diagnostic]
    display: dict[str, str]
    used: dict[str, int]
    lines: int


@dataclass(slots=True)
class Writer:
    """A program that is being written.

    Attributes:
        places: of nodes in the file.
        codes: numbers of texts.
        found: what is wrong.
        abrupt: worlds that returned, raised, or left a loop, and that nobody took yet.
        display: for each variable of the program what people call it.
        at: the place of the Python code that is followed.
        drawn_count: how often something was drawn.
        tallies: variables that loops around this place carry; what only adds a constant to one gets no name, so that loops that count are seen
            to count.
    """

    places: Places
    codes: Codes = field(default_factory=Codes)
    found: list[Diagnostic] = field(default_factory=list)
    abrupt: list[World] = field(default_factory=list)
    display: dict[str, str] = field(default_factory=dict)
    at: Span = HERE
    drawn_count: int = 0
    tallies: frozenset[str] = frozenset()
    _densities: set[str] = field(default_factory=set)
    _used: dict[str, int] = field(default_factory=dict)
    _number: int = 0
    _lines: int = 0

    # --- names and faults ---

    def next(self) -> int:
        """Return a number that nothing else has."""
        self._number += 1
        return self._number

    def fresh(self, hint: str, told: str = "") -> str:
        """Return a name of the program that nothing else has, like what it stands for.

        Args:
            hint: a name of Python, or a part of what one holds, as ``result[0].age``.
            told: what people call it, if not that.
        """
        hint = hint.removeprefix("local ").strip() or "value"  # as the translation names a variable that is kept
        told = told or hint
        base = _UNSAFE.sub(_MARK, hint.replace(_MARK, f"{_MARK}u")).removesuffix(_MARK)
        if not base or base[0].isdigit():
            base = f"v{_MARK}{base}"
        if base in KEYWORDS or base == "_" or (base != told and _MARK not in base):
            base += f"{_MARK}k"
        count = self._used.get(base, 0) + 1
        while (name := base if count == 1 else f"{base}{_MARK}{count}") in self.display:
            count += 1
        self._used[base] = count
        self.display[name] = told
        return name

    def told(self, text: str) -> str:
        """Return a text about the program with what people call its variables in place of their names.

        A name that is called otherwise holds two underscores, which nothing else holds that is told of a program: no word can be taken for one.
        """
        return _WORD.sub(lambda word: self.display.get(word[0], word[0]) if _MARK in word[0] else word[0], text)

    def tell(self, rule: Rule, place: ast.AST | Span, message: str, *notes: str) -> None:
        """Report a finding, once."""
        span = place if isinstance(place, Span) else self.places.span(place)
        made = Diagnostic(rule, span, message, notes=notes)
        if made not in self.found:
            self.found.append(made)

    def refuse(self, place: ast.AST | Span, message: str, *notes: str) -> Unknown:
        """Report what is not analysed, and return the value that silences what follows."""
        self.tell(rules.PYTHON_NOT_ANALYSED, place, message, *notes)
        return Unknown()

    # --- statements of the program ---

    def write(self, world: World, text: str) -> None:
        """Write a statement.

        Raises:
            TooMuch: after too many.
        """
        self._lines += 1
        if self._lines > MOST_LINES:
            raise TooMuch("becomes too long a program: more than 60,000 statements")
        world.code.append(Line(text, self.at))
        drawn, tilde, law = text.partition(" ~ ")
        if tilde:
            family = DISTRIBUTIONS.get(law.partition("(")[0])
            self._densities |= (
                set(_WORD.findall(drawn)) if family is not None and family.kind == "continuous" else set()
            )
        elif self._densities:
            target, _, value = text.partition(" := ")
            self._densities |= set() if self._densities.isdisjoint(_WORD.findall(value)) else set(_WORD.findall(target))

    def may_have_density(self, value: Num) -> bool:
        """Whether a number may be computed of draws with a density."""
        return value.support.values is None and not self._densities.isdisjoint(names_of(value.expression))

    def settle(self, world: World, value: Value, hint: str) -> Value:
        """Return a value that may be read often: what is computed gets a name."""
        if not isinstance(value, Num) or isinstance(value.known, int | Fraction) or _is_simple(value.expression):
            return value
        moved = shift_of(value.expression)
        if moved is not None and moved[0] in self.tallies:
            return replace(value, expression=shifted(*moved))
        name = self.fresh(hint)
        self.write(world, f"{name} := {spell(value.expression)}")
        world.known[name] = value.support
        return replace(value, expression=Name(name, HERE))

    def draw(self, world: World, hint: str, law: str, kinds: frozenset[str], support: Support) -> Num:
        """Draw from a law of the program."""
        self.drawn_count += 1
        name = self.fresh(hint)
        self.write(world, f"{name} ~ {law}")
        world.known[name] = support
        return variable(name, kinds, support)

    def save(self, code: Code) -> Saved:
        """Return what is to be kept of the work so far, where ``code`` is what is written on next."""
        return Saved(
            code, len(code), len(self.abrupt), list(self.found), dict(self.display), dict(self._used), self._lines
        )

    def restore(self, saved: Saved) -> None:
        """Forget what was written and found since."""
        del saved.code[saved.length :], self.abrupt[saved.abrupt :]
        self.found[:] = saved.found
        self.display, self._used, self._lines = dict(saved.display), dict(saved.used), saved.lines

    def allocate(self, world: World, found: Object) -> Ref:
        """Put an object on the heap."""
        ref = Ref(self.next())
        world.heap[ref.id] = found
        return ref


def _is_simple(expression: Expression) -> bool:
    match expression:
        case Name() | Number():
            return True
        case Unary("-", Number()):
            return True
        case _:
            return False
