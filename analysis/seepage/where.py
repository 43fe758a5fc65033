"""Where a program leaks: what a measure is after each statement, and what it would be with one statement changed.

Each number is that of a program of its own, made by an edit of the text and asked as any other:

* *up to* a statement at the top level: the statements after it are left out, and the outputs are as they stand there;
* *fixed*: a draw or an assignment gives one and the same value in all runs, each of those that it gives in some run (or a few of them, the least
  and the greatest among them; a continuous one its mean): so nothing can be learned through it, and it hides nothing;
* *taken* either way: a branch is replaced by one of its arms;
* *left out*: an observation.

These numbers are no shares of the whole, and do not add up: of ``o := s xor k`` neither s nor the key k tells anything alone, and with the key fixed the
output tells all of s.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cmp_to_key
from typing import Literal, TypeAlias, TypeGuard

from seepage import exact
from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.diagnostics import Fault
from seepage.engines.outcome import MixtureJoint
from seepage.exact import ArithmeticFault, Number
from seepage.measures.asking import InformationUnit
from seepage.measures.evaluate import evaluate
from seepage.measures.games.optimum import played
from seepage.measures.joints import joint_of
from seepage.measures.result import Result
from seepage.notebook import Rendered
from seepage.pipeline import asking_of, check, need_meaning, read_measure
from seepage.semantics.checked import Checked
from seepage.semantics.measure_names import names_in
from seepage.semantics.needed import unroll_for
from seepage.source import SourceFile, Span
from seepage.syntax.spell import spell
from seepage.syntax.tree import (
    Arm,
    Assign,
    Const,
    For,
    If,
    Item,
    MeasureCall,
    Observe,
    Output,
    Param,
    Placed,
    Require,
    Sample,
    Secret,
    Show,
    Skip,
    While,
)

MOST_STATEMENTS = 60
MOST_VALUES = 5  # of a statement that is fixed
_MOST_OUTPUTS = 8  # of which pairs are asked
_NEGLIGIBLE = Fraction(1, 10**9)  # changes below it are not told from none where statements are ordered

Change: TypeAlias = Literal["fixed", "taken", "left out"]


@dataclass(frozen=True, slots=True)
class Told:
    """What a measure is of one program: a result, or None and why there is none."""

    result: Result | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """The program with one statement changed.

    Attributes:
        change: how.
        detail: to what: ``k = 1``, ``then``, ``else``; empty for what is left out.
        told: the measure there.
    """

    change: Change
    detail: str
    told: Told


@dataclass(frozen=True, slots=True)
class StatementTold:
    """A statement with what the measure is up to it, and without it.

    Attributes:
        span: in the text.
        up_to: the measure with nothing after the statement; None for one inside of another, and for other measures than ``I(x; y)``.
        variants: the program with the statement changed.
        note: why there are no variants, or fewer than could be; empty if nothing.
    """

    span: Span
    up_to: Told | None
    variants: tuple[Variant, ...]
    note: str = ""

    @property
    def without(self) -> tuple[float, float] | None:
        """The least and the greatest that the measure may be with the statement changed; None where that is not known of each variant."""
        results = [each.told.result for each in self.variants]
        known = [each for each in results if each is not None]
        if not known or len(known) < len(results):
            return None
        return min(each.lower for each in known), max(each.upper for each in known)


@dataclass(frozen=True, slots=True)
class SeenTold:
    """Some of the outputs, and what they tell by themselves."""

    outputs: tuple[str, ...]
    told: Told


@dataclass(frozen=True, slots=True)
class Where(Rendered):
    """Where a measure comes from.

    Attributes:
        measure: as written.
        whole: the measure of the program as it is.
        statements: in the order of the text.
        singles: of ``I(x; y)`` with several outputs y: each of them alone.
        pairs: each two of them.
        source: the program.
    """

    measure: str
    whole: Result
    statements: tuple[StatementTold, ...]
    singles: tuple[SeenTold, ...]
    pairs: tuple[SeenTold, ...]
    source: SourceFile = field(repr=False, compare=False)

    def __repr__(self) -> str:
        """Return what is told of, and of how many statements."""
        return f"<Where {self.measure} comes from: {len(self.statements)} statements>"

    def moves(self, statement: StatementTold) -> tuple[float, float]:
        """Return how far the measure surely falls, and surely rises, in some variant of a statement; 0 where that is not sure."""
        falls = rises = 0.0
        for each in statement.variants:
            if (result := each.told.result) is not None:
                falls = max(falls, self.whole.lower - result.upper)
                rises = max(rises, result.lower - self.whole.upper)
        return (falls if falls > _NEGLIGIBLE else 0.0), (rises if rises > _NEGLIGIBLE else 0.0)


def where(
    checked: Checked, text: str, params: Mapping[str, Number], unit: InformationUnit = "bits", seconds: float = 30.0
) -> Where:
    """Return where a measure of a program comes from.

    Args:
        checked: the program.
        text: the measure; of ``I(x; y)``, what is told up to each statement, and by outputs alone, is asked, too.
        params: values of its parameters.
        unit: of entropies, information and divergences.
        seconds: of a processor for all programs that are asked; those that are left have no number, and say so.

    Raises:
        Fault: as :func:`seepage.pipeline.measure`, if the program as it is has no number.
    """
    looking = _Looking(checked, text, params, unit, Deadline.after(seconds))
    whole = looking.result(checked, text)
    statements = tuple(looking.statements())
    outputs = looking.elements()
    pairs = itertools.combinations(outputs, 2) if 2 < len(outputs) <= _MOST_OUTPUTS else ()
    singles = ((name,) for name in outputs) if len(outputs) > 1 else ()
    return Where(
        text.strip(),
        whole,
        statements,
        tuple(looking.seen(each) for each in singles),
        tuple(looking.seen(each) for each in pairs),
        checked.source,
    )


@dataclass(frozen=True, slots=True)
class _Looking:
    """One search: arguments as of :func:`where`."""

    checked: Checked
    text: str
    params: Mapping[str, Number]
    unit: InformationUnit
    deadline: Deadline

    # --- asking -------------------------------------------------------------------------------------------------------

    def result(self, checked: Checked, text: str) -> Result:
        """Return the measure of one program; raises a ``Fault`` as :func:`seepage.pipeline.measure`."""
        seconds = self.deadline.left()
        tree, offset = read_measure(checked, text)
        core = unroll_for(checked, (name for _, name in names_in(tree)))
        asking = asking_of(checked, core, self.params, self.unit, seconds)
        need_meaning(asking, tree, seconds)
        return evaluate(asking, tree, offset, formulas=False)

    def told(self, text: str, measure: str | None = None) -> Told:
        """Return the measure of the program of a text."""
        if self.deadline.passed():
            return Told(None, "not asked: the time is over")
        try:
            return Told(self.result(self.program(text), self.text if measure is None else measure))
        except Fault as fault:
            return Told(None, fault.diagnostic.message)

    def program(self, text: str) -> Checked:
        """Return the program of a text, which stands in the place of the one that is asked."""
        source = self.checked.source
        return check(replace(source, text=text))

    def without(self, span: Span, text: str) -> str:
        """Return the text of the program with another text in a place."""
        return self.edited({span: text})

    def edited(self, edits: Mapping[Span, str]) -> str:
        """Return the text of the program with other texts in some places."""
        text = self.checked.source.text
        for span in sorted(edits, key=lambda each: each.start, reverse=True):
            text = text[: span.start] + edits[span] + text[span.end :]
        return text

    # --- outputs ------------------------------------------------------------------------------------------------------

    @property
    def information(self) -> MeasureCall | None:
        """The measure as ``I(x; y)`` or ``I(x; y | z)``; None for any other."""
        tree, _ = read_measure(self.checked, self.text)
        return tree if isinstance(tree, MeasureCall) and tree.name == "I" and tree.right and tree.left else None

    @property
    def outputs(self) -> tuple[str, ...]:
        """What ``I(x; y)`` names as seen."""
        call = self.information
        return () if call is None else tuple(dict.fromkeys(spell(each) for each in call.right))

    def elements(self) -> tuple[str, ...]:
        """Return the outputs one by one, those of arrays too where they are few."""
        core = unroll_for(self.checked, map(_array, self.outputs))
        parts = tuple(one for name in self.outputs for one in (core.elements(name) if name in core.arrays else (name,)))
        return parts if len(parts) <= _MOST_OUTPUTS else self.outputs

    def seen(self, outputs: Sequence[str]) -> SeenTold:
        """Return what some outputs tell alone."""
        return SeenTold(tuple(outputs), self.told(self.checked.source.text, self.of_outputs(outputs)))

    def of_outputs(self, outputs: Sequence[str]) -> str:
        """Return the measure with other outputs."""
        call = self.information
        assert call is not None
        given = f" | {', '.join(map(spell, call.given))}" if call.given else ""
        return f"I({', '.join(map(spell, call.left))}; {', '.join(outputs)}{given})"

    # --- statements ---------------------------------------------------------------------------------------------------

    def statements(self) -> Iterator[StatementTold]:
        """Yield all statements in the order of the text."""
        top = {id(item) for item in self.checked.tree.items}
        items = [each for each in self.checked.tree.walk() if not _is_declaration(each)]
        places = [each.span for each in items]
        told: set[Span] = set()
        for item in items:
            if item.span in told:
                continue
            told.add(item.span)
            if len(told) > MOST_STATEMENTS:
                return
            up_to = self.up_to(item) if id(item) in top else None
            if places.count(item.span) > 1 or self.is_short(item):
                yield StatementTold(item.span, up_to, (), "it stands for other statements, which are not changed")
            else:
                variants, note = self.variants(item)
                yield StatementTold(item.span, up_to, variants, note)

    def is_short(self, item: Item) -> bool:
        """Tell whether a statement is written in a way that stands for another one, as ``x += 1`` does."""
        if not isinstance(item, Placed) or not isinstance(item.node, Assign | Sample):
            return False
        target = item.node.target.span.shift(item.start)
        sign = self.checked.source.text[target.end : item.span.end].lstrip()
        return target.start != item.span.start or not sign.startswith((":=", "~"))

    def up_to(self, item: Item) -> Told | None:
        """Return what is told with nothing after a statement."""
        if not self.outputs:
            return None
        later = [each.span for each in self.checked.tree.items if each.span.start >= item.span.end and _is_cut(each)]
        variables = self.program(self.edited(dict.fromkeys(later, "skip"))).symbols.variables
        declared = {each.span: _declared(each, variables) for each in self.checked.tree.items if _declares(each)}
        text = self.edited({**dict.fromkeys(later, "skip"), **declared})
        program = self.program(text)
        known = [name for name in self.outputs if _array(name) in program.symbols.variables]
        call = self.information
        assert call is not None
        if not known or any(_array(spell(each)) not in program.symbols.variables for each in (*call.left, *call.given)):
            return Told(None, "the secret or the outputs are not there yet")
        return self.told(text, self.of_outputs(known))

    def variants(self, item: Item) -> tuple[tuple[Variant, ...], str]:
        """Return the program with a statement changed in all ways, and what a reader must know of them."""
        match item:
            case If():
                return tuple(self.arms(item)), ""
            case Placed(node=Observe()):
                return (Variant("left out", "", self.told(self.without(item.span, "skip"))),), ""
            case Placed(node=Assign() | Sample()):
                return self.fixed(item)
            case For() | While() | Placed():
                return (), ""

    def arms(self, item: If) -> Iterator[Variant]:
        """Yield the program with each arm of a branch in the place of the branch."""
        source = self.checked.source.text
        for number, arm in enumerate(item.arms):
            inner = source[arm.block.span.start + 1 : arm.block.span.end - 1]
            detail = "then" if number == 0 else f"else if, line {self._line(arm)}"
            yield Variant("taken", detail, self.told(self.without(item.span, _statements(inner))))
        inner = ""
        if item.otherwise is not None:
            inner = source[item.otherwise.span.start + 1 : item.otherwise.span.end - 1]
        yield Variant("taken", "else", self.told(self.without(item.span, _statements(inner))))

    def _line(self, arm: Arm) -> int:
        return self.checked.source.position(arm.header.start)[0]

    def fixed(self, item: Placed) -> tuple[tuple[Variant, ...], str]:
        """Return the program with a draw or an assignment that always gives the same value, for values that it gives."""
        assert isinstance(item.node, Assign | Sample)
        call = self.information
        target = spell(item.node.target)
        if call is not None and _array(target) in {_array(spell(each)) for each in call.left}:
            return (), "it is the secret that is asked about"
        written = item.node.target.span.shift(item.start)
        name = self.checked.source.text[written.start : written.end]
        try:
            values, many = self.values(item, name)
        except (Fault, ArithmeticFault) as error:
            reason = error.diagnostic.message if isinstance(error, Fault) else str(error)
            return (), f"the values that it gives are not known: {reason}"
        variants = tuple(
            Variant("fixed", f"{name} = {exact.show(value)}", self.told(self.without(item.span, f"{name} := {exact.spelled(value)}")))
            for value in values
        )  # fmt: skip
        note = f"fixed at {len(values)} of {many:,} values" if many > len(values) else ""
        return variants, note or ("fixed at its mean" if many == 0 else "")

    def values(self, item: Placed, name: str) -> tuple[list[Number], int]:
        """Return values that a statement gives, in ascending order, and how many there are: 0 for a continuous one, which has its mean.

        Raises:
            Fault: they are not known.
        """
        kept, met = _free("given", self.checked.source.text), _free("met", self.checked.source.text)
        written = self.checked.source.text[item.span.start : item.span.end]
        program = self.program(self.without(item.span, f"{written}; {kept} := {name}; {met} := 1"))
        tree, offset = read_measure(program, f"P({met} == 1)")
        asking = asking_of(program, unroll_for(program, (kept, met)), self.params, self.unit, self.deadline.left())
        asking, _ = played(asking, evaluate)
        joint = joint_of(asking.inquiry(tree.span.shift(offset), offset), asking.core, (kept, met))
        if isinstance(joint, MixtureJoint):
            mean = self.result(program, f"E({kept} | ({met} == 1))")
            return [exact.number(Fraction(f"{mean.number:.6g}"))], 0
        found = {one for one, there in joint.masses if exact.sign(there) > 0}
        ordered = sorted(found, key=cmp_to_key(exact.compare))
        return _some(ordered), len(ordered)


def _some(values: Sequence[Number]) -> list[Number]:
    """Return a few of many values: the first, the last, and others evenly between."""
    if len(values) <= MOST_VALUES:
        return list(values)
    return [values[number * (len(values) - 1) // (MOST_VALUES - 1)] for number in range(MOST_VALUES)]


def _statements(inner: str) -> str:
    """Return the inside of a block as statements: on lines of their own, so that a comment at its end hides nothing."""
    return f"skip\n{inner}\n"


def _free(word: str, text: str) -> str:
    """Return a name that does not stand in a text."""
    names = itertools.chain((word,), (f"{word}_{number}" for number in itertools.count()))
    return next(name for name in names if name not in text)


def _array(name: str) -> str:
    return name.partition("[")[0]


def _declares(item: Item) -> TypeGuard[Placed]:
    return isinstance(item, Placed) and isinstance(item.node, Secret | Output)


def _declared(item: Placed, variables: Container[str]) -> str:
    """Return a declaration of secrets or outputs without those that nothing assigns."""
    assert isinstance(item.node, Secret | Output)
    kept = [spell(each) for each in item.node.targets if _array(spell(each)) in variables]
    mode = f"{item.node.mode} " if isinstance(item.node, Secret) and item.node.mode is not None else ""
    word = "secret" if isinstance(item.node, Secret) else "output"
    return f"{word} {mode}{', '.join(kept)}" if kept else "skip"


def _is_cut(item: Item) -> bool:
    """Tell whether an item is left out behind a statement: other statements, and what is asked."""
    return not _is_declaration(item) or (isinstance(item, Placed) and isinstance(item.node, Show | Require))


def _is_declaration(item: Item) -> bool:
    return isinstance(item, Placed) and isinstance(item.node, Param | Const | Secret | Output | Show | Require | Skip)
