"""What single variables can be, and guards that compare one with numbers: ``[s ≠ 2]·[s = 3]`` is ``[s = 3]``, ``[x ≤ 3]·[x ≤ 2]`` is ``[x ≤ 2]``.

Comparisons of a variable with a number have a value in every state, so that their order counts for nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.distributions.arguments import bind
from seepage.distributions.kinds import listed
from seepage.distributions.supports import whole_ends
from seepage.semantics.core import CoreAssign, CoreSample, CoreStatement
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import COMPARISONS, BinaryOperator, Expression

Ranges: TypeAlias = Mapping[str, frozenset[Fraction]]

_NOWHERE = Span(0, 0)
_MOST = 64  # values of a variable
_BITS = frozenset({Fraction(0), Fraction(1)})


def ranges_of(statements: Iterable[CoreStatement]) -> dict[str, frozenset[Fraction]]:
    """Return what variables can be wherever a run of the statements from the initial state can be; those of many values are left out."""
    written: dict[str, list[Expression | frozenset[Fraction] | None]] = {}
    for statement in walk(tuple(statements)):
        if isinstance(statement, CoreAssign | CoreSample):
            target = statement.target
            base = target.id if isinstance(target, tree.Name) else f"{target.array}[]"  # any element
            drawn = [statement.value] if isinstance(statement, CoreAssign) else _drawn(statement.distribution)
            written.setdefault(base, []).extend(drawn)
    known: dict[str, frozenset[Fraction] | None] = dict.fromkeys(written, frozenset({Fraction(0)}))
    known.update({name: None for name in written if name.partition("[")[0] + "[]" in written})
    while True:
        found = {
            name: values and _joined([values, *(_values(each, known) for each in written[name])])
            for name, values in known.items()
        }
        if found == known:
            return {name: values for name, values in known.items() if values is not None}
        known = found


def _drawn(distribution: tree.Distribution) -> list[Expression | frozenset[Fraction] | None]:
    match distribution:
        case tree.Table(entries=entries):
            return [value for value, _ in entries]
        case tree.Family():
            if (values := listed(distribution)) is not None:
                return [*values]
            match whole_ends(bind(distribution)):
                case low, high if 0 <= high - low < _MOST:
                    return [frozenset(Fraction(each) for each in range(low, high + 1))]
    return [None]


def _joined(sets: Iterable[frozenset[Fraction] | None]) -> frozenset[Fraction] | None:
    result: frozenset[Fraction] = frozenset()
    for each in sets:
        if each is None or len(result | each) > _MOST:
            return None
        result |= each
    return result


def _values(
    expression: Expression | frozenset[Fraction] | None, known: Mapping[str, frozenset[Fraction] | None]
) -> frozenset[Fraction] | None:
    """Return all that an expression can be, None if that is much or not told."""
    match expression:
        case None | frozenset():
            return expression
        case tree.Number(value=value):
            return frozenset({value})
        case tree.Boolean() | tree.Unary(operator="not" | "!"):
            return _BITS
        case tree.Binary(operator=operator) if operator in tree.LOGICAL or operator in COMPARISONS:
            return _BITS
        case tree.Name(id=name):
            return known.get(name)
        case tree.Conditional(consequent=consequent, alternative=alternative):
            return _joined([_values(consequent, known), _values(alternative, known)])
        case _:
            return None


# --- guards -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """Where a variable can be.

    Attributes:
        places: all its values in ascending order; or, if they are not known, the numbers that it is compared with and one of each stretch between.
        points: the places that stand for themselves only.
    """

    places: tuple[Fraction, ...]
    points: frozenset[Fraction]

    def where(self, guards: Sequence[tree.Binary]) -> frozenset[Fraction]:
        """Return the places at which comparisons with numbers hold."""
        return frozenset(
            place for place in self.places if all(compare(place, each.operator, _number(each)) for each in guards)
        )


def _line(name: str, guards: Iterable[tree.Binary], ranges: Ranges) -> _Line:
    if name in ranges:
        return _Line(tuple(sorted(ranges[name])), ranges[name])
    cuts = sorted({_number(each) for each in guards})
    between = [(low + high) / 2 for low, high in pairwise(cuts)]
    return _Line(tuple(sorted((cuts[0] - 1, *cuts, *between, cuts[-1] + 1))), frozenset(cuts))


def compare(left: Fraction, operator: str, right: Fraction) -> bool:
    """Tell whether two numbers compare."""
    match operator:
        case "==" | "!=":
            return (left == right) is (operator == "==")
        case "<" | ">=":
            return (left < right) is (operator == "<")
        case _:
            return (left > right) is (operator == ">")


def _number(guard: tree.Binary) -> Fraction:
    assert isinstance(guard.right, tree.Number)
    return guard.right.value


def _compared(guard: Expression) -> str:
    """Return the variable that a guard compares with a number, "" if it is another guard."""
    match guard:
        case tree.Binary(operator=operator, left=tree.Name(id=name), right=tree.Number()) if operator in COMPARISONS:
            return name
        case _:
            return ""


def _groups(guards: Iterable[Expression]) -> dict[str, list[tree.Binary]]:
    groups: dict[str, list[tree.Binary]] = {}
    for guard in guards:
        if (name := _compared(guard)) and isinstance(guard, tree.Binary):
            groups.setdefault(name, []).append(guard)
    return groups


def combined(guards: tuple[Expression, ...], ranges: Ranges) -> tuple[Expression, ...]:
    """Return guards with the same product, those of one variable as few as they can be; a 0 for what never holds."""
    for name, group in _groups(guards).items():
        line = _line(name, group, ranges)
        told = _told(name, line, line.where(group), group)
        assert told is not None, "guards say what they say"
        if list(told) != group:
            guards = _with_group(guards, name, told)
    return guards


def _with_group(guards: tuple[Expression, ...], name: str, told: Sequence[Expression]) -> tuple[Expression, ...]:
    """Return guards with those of one variable replaced, at the place of the first."""
    first = next(place for place, guard in enumerate(guards) if _compared(guard) == name)
    rest = [guard for guard in guards[first:] if _compared(guard) != name]
    return (*guards[:first], *told, *rest)


def _told(
    name: str, line: _Line, held: Collection[Fraction], given: Sequence[tree.Binary] = ()
) -> Sequence[Expression] | None:
    """Return guards that hold at some places of a line only, of the given ones if these are as few; None if no product of guards says it."""
    if not held:
        return [tree.Number(Fraction(0), _NOWHERE)]
    if len(held) == len(line.places):
        return []
    if len(given) == 1:
        return given
    if len(held) == 1 and line.points.issuperset(held):
        return [_guard(name, "==", next(iter(held)))]
    needed = list(given)
    for each in given:
        fewer = [other for other in needed if other is not each]
        if line.where(fewer) == held:
            needed = fewer
    spelled = _bounds(name, line, held)
    return needed if given and (spelled is None or len(needed) <= len(spelled)) else spelled


def _bounds(name: str, line: _Line, held: Collection[Fraction]) -> list[Expression] | None:
    first, last = (line.places.index(end) for end in (min(held), max(held)))
    missing = [place for place in line.places[first:last] if place not in held]
    if not line.points.issuperset(missing):
        return None
    found: list[Expression] = []
    low, high = line.places[first], line.places[last]
    if first:
        found.append(_guard(name, ">=", low) if low in line.points else _guard(name, ">", line.places[first - 1]))
    if last + 1 < len(line.places):
        found.append(_guard(name, "<=", high) if high in line.points else _guard(name, "<", line.places[last + 1]))
    return found + [_guard(name, "!=", place) for place in missing]


def _guard(name: str, operator: BinaryOperator, value: Fraction) -> Expression:
    return tree.Binary(operator, tree.Name(name, _NOWHERE), tree.Number(value, _NOWHERE), _NOWHERE)


def united(
    first: tuple[Expression, ...], second: tuple[Expression, ...], ranges: Ranges
) -> tuple[Expression, ...] | None:
    """Return guards whose product is the sum of two products that differ in what they say of one variable; None if there are none as short."""
    ours, theirs = _groups(first), _groups(second)
    for name in (name for name in ours if name in theirs):
        one, two = ours[name], theirs[name]
        if _with_group(first, name, ()) != _with_group(second, name, ()) or first.index(one[0]) != second.index(two[0]):
            continue
        line = _line(name, [*one, *two], ranges)
        here, there = line.where(one), line.where(two)
        told = None if here & there else _told(name, line, here | there)
        if told is not None and len(told) <= max(len(one), len(two)):
            return _with_group(first, name, told)
    return None
