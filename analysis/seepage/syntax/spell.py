"""Trees -> canonical source text: one blank around binary operators, and no parentheses but those of the tree or those it needs.

Law: ``parse_expression(spell(e))[0] == e`` for every tree the parser can make. For a tree made otherwise (by substitution,
say) parentheses are added where the text would read differently without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, TypeAlias, assert_never

from seepage.exact.symbols import noted, symbol_of
from seepage.syntax.tree import (
    Argument,
    Binary,
    Boolean,
    Call,
    Cell,
    Conditional,
    Distribution,
    Expression,
    Family,
    GainName,
    GainTable,
    Index,
    Infinity,
    Interval,
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    MeasureOptimum,
    MetricName,
    MetricTable,
    Mixture,
    Name,
    NeighbourTable,
    Number,
    Parenthesized,
    Relation,
    Rows,
    Table,
    Unary,
    as_told,
)

# How tightly each form holds together; a part that holds less tightly than its place asks for gets parentheses.
_CONDITIONAL, _OR, _XOR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(11)
_LEVELS = {
    "or": _OR,
    "xor": _XOR,
    "and": _AND,
    "==": _COMPARISON,
    "!=": _COMPARISON,
    "<": _COMPARISON,
    "<=": _COMPARISON,
    ">": _COMPARISON,
    ">=": _COMPARISON,
    "+": _SUM,
    "-": _SUM,
    "*": _PRODUCT,
    "/": _PRODUCT,
    "%": _PRODUCT,
    "^": _POWER,
}

Spellable = Expression | Distribution | MeasureExpression | Argument | Interval | GainTable | GainName | Relation


def spell(node: Spellable) -> str:
    """Return the source text of an expression, distribution, measure, argument, interval or gain."""
    return "".join(_texts(node))


def spell_for_people(node: Spellable) -> str:
    """Return the text as messages have it: variables that no text can name are called what they stand for."""
    return "".join(map(as_told, _texts(node)))


def spell_start(node: Spellable, most: int) -> str:
    """Return the source text, or its first characters with ``…`` behind them where it has more than ``most``.

    Takes as long as the start that is returned, so that each of many nested expressions can be named.
    """
    text = ""
    for part in _texts(node):
        text += part
        if len(text) > most:
            return text[: most - 3] + "…"
    return text


class _At(NamedTuple):
    """A part at a place that asks for at least the tightness ``least``."""

    node: Spellable
    least: int = _CONDITIONAL
    nested: bool = False  # in a mixture


_Part: TypeAlias = str | _At


def _texts(node: Spellable) -> Iterator[str]:
    """Yield the text from left to right, without recursion: what is nested as deeply as may be is spelled from any stack."""
    waiting: list[_Part] = [_At(node)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        else:
            waiting.extend(reversed(_parts(part)))


def _parts(at: _At) -> Sequence[_Part]:
    """Return a part as its words and its own parts."""
    match at.node:
        case Family() | Table() | Mixture() | Rows() as law:
            return _distribution(law, nested=at.nested)
        case MeasureCall() as call:
            return _measure_call(call)
        case Argument(name=name, value=value):
            return (_At(value),) if name is None else (f"{name} = ", _At(value))
        case Interval(low=low, high=high, low_closed=low_closed, high_closed=high_closed):
            return ("[" if low_closed else "(", _At(low), ", ", _At(high), "]" if high_closed else ")")
        case GainTable() | GainName() as gain:
            return _gain(gain)
        case MetricName() | MetricTable() | NeighbourTable() as relation:
            return _relation(relation)
        case _ as expression:
            level, parts = _with_level(expression)
            return parts if level >= at.least else ("(", *parts, ")")


def _with_level(node: Expression | MeasureArithmetic | MeasureNegation | MeasureOptimum) -> tuple[int, Sequence[_Part]]:
    """Return how tightly a form holds together, and its parts."""
    match node:
        case Number(value):
            level, text = _number(value)
            return level, (text,)
        case Boolean(value):
            return _ATOM, ("true" if value else "false",)
        case Infinity():
            return _ATOM, ("inf",)
        case Name(name):
            return _ATOM, (name,)
        case Cell(draw, column):
            return _ATOM, (f"{draw.name}.{column}",)
        case Index(array, index):
            return _ATOM, (f"{array}[", _At(index), "]")
        case Call(function, arguments):
            return _ATOM, (f"{function}(", *_list(arguments), ")")
        case Parenthesized(inner):
            return _ATOM, ("(", _At(inner), ")")
        case Unary("not", operand):
            return _NOT, ("not ", _At(operand, _NOT))
        case Unary(operator, operand):
            return _SIGN, (operator, _At(operand, _SIGN))
        case MeasureOptimum(direction, operand):
            return _CONDITIONAL, (f"{direction} ", _At(operand))
        case MeasureNegation(operand):
            return _SIGN, ("-", _At(operand, _SIGN))
        case Binary("^", left, right) | MeasureArithmetic("^", left, right):
            return _POWER, (_At(left, _ATOM), "^", _At(right, _SIGN))
        case Binary(operator, left, right) | MeasureArithmetic(operator, left, right):
            level = _LEVELS[operator]
            return level, (_At(left, level), f" {operator} ", _At(right, level + 1))
        case Conditional(_, Binary("/", Number(value)), inner) if (
            noted(value) is not None
        ):  # asks whether a cell is missing
            return _with_level(inner)
        case Conditional(condition, consequent, alternative):
            return _CONDITIONAL, ("if ", _At(condition), " then ", _At(consequent), " else ", _At(alternative))
        case _:
            assert_never(node)


def _number(value: Fraction) -> tuple[int, str]:
    """Spell a number: as a decimal where it ends, as a quotient otherwise; a symbol in quotes."""
    if (symbol := symbol_of(value)) is not None:
        return _ATOM, f'"{symbol}"'
    if value.denominator == 1:
        return (_ATOM if value >= 0 else _SIGN), _digits(value.numerator)
    digits = _decimal(abs(value))
    if digits is None:
        return _PRODUCT, f"{_digits(value.numerator)} / {_digits(value.denominator)}"
    return (_ATOM, digits) if value > 0 else (_SIGN, f"-{digits}")


def _digits(whole: int) -> str:
    return str(Decimal(whole))  # Python refuses to write an integer of more than some thousand digits


def _decimal(value: Fraction) -> str | None:
    """Return the finite decimal expansion of a positive number, or None if there is none."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return None
    places = max(twos, fives)
    digits = _digits(value.numerator * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


def _between(parts: Iterable[Sequence[_Part]], separator: str = ", ") -> Sequence[_Part]:
    """Join parts with a separator."""
    joined: list[_Part] = []
    for number, part in enumerate(parts):
        joined += (separator, *part) if number else part
    return joined


def _list(nodes: tuple[Expression, ...]) -> Sequence[_Part]:
    return _between((_At(node),) for node in nodes)


def _distribution(node: Distribution, *, nested: bool) -> Sequence[_Part]:
    match node:
        case Family(name, arguments):
            return (f"{name}(", *_between((_At(argument),) for argument in arguments), ")")
        case Table(entries):
            return ("{", *_between((_At(value), ": ", _At(weight)) for value, weight in entries), "}")
        case Mixture(parts):
            if nested or any(isinstance(part, Mixture) for _, part in parts):
                inner = _between((_At(weight), ": ", _At(part, nested=True)) for weight, part in parts)
                return ("mixture(", *inner, ")")
            return _between(((_At(weight, _PRODUCT), " * ", _At(part, nested=True)) for weight, part in parts), " + ")
        case Rows(draw):
            return (draw.name,)
        case _:
            assert_never(node)


def _measure_call(node: MeasureCall) -> Sequence[_Part]:
    left, right = _list(node.left), _list(node.right)
    if node.gain is not None:
        right = (*right, ", ", _At(node.gain))
    named = [part for argument in node.named for part in (f", {argument.name}=", _At(argument.value))]
    if node.relation is not None:
        named = [", ", _At(node.relation), *named]
    given = (" | ", *_list(node.given)) if node.given else ()
    right_given = (" | ", *_list(node.right_given)) if node.right_given else ()
    match node.separator:
        case None:
            inner = (*left, *named, *given)
        case "||":
            inner = (*left, *given, " || ", *right, *named, *right_given)
        case "->":
            inner = (*left, " -> ", *right, *named, *given)
        case ";":
            inner = (*left, "; ", *right, *named, *given)
        case _:
            assert_never(node.separator)
    return (f"{node.name}(", *inner, ")")


def _gain(node: GainTable | GainName) -> Sequence[_Part]:
    match node:
        case GainName(name, arguments):
            return (f"{name}(", *_list(arguments), ")") if arguments else (name,)
        case GainTable(entries):
            return ("{", *_between((*_pair(g, v), ": ", _At(e)) for g, v, e in entries), "}")
        case _:
            assert_never(node)


def _relation(node: Relation) -> Sequence[_Part]:
    match node:
        case MetricName(name):
            return (f"metric={name}",)
        case MetricTable(entries):
            return ("metric={", *_between((*_pair(v, w), ": ", _At(e)) for v, w, e in entries), "}")
        case NeighbourTable(entries):
            return ("neighbours={", *_between(_pair(v, w) for v, w in entries), "}")
        case _:
            assert_never(node)


def _pair(one: tuple[Expression, ...], other: tuple[Expression, ...]) -> Sequence[_Part]:
    return ("(", *_joint(one), ", ", *_joint(other), ")")


def _joint(values: tuple[Expression, ...]) -> Sequence[_Part]:
    return (_At(values[0]),) if len(values) == 1 else ("(", *_list(values), ")")
