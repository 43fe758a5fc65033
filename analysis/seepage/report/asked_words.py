"""What is asked, as a sentence for people who know no measures: ``what can be learnt about smokes from answer is at most 0.1 bits``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from seepage.measures.digits import with_unit
from seepage.syntax.spell import spell
from seepage.syntax.tree import Argument, Expression, Index, MeasureCall, MeasureExpression, Name, Number, Require
from seepage.syntax.vocabulary.measures import MEASURES

_COMPARED: Mapping[str, str] = MappingProxyType(
    {"<=": "is at most", "<": "is less than", ">=": "is at least", ">": "is more than", "==": "is exactly"}
)


def measure_words(measure: MeasureExpression, quote: Callable[[str], str] = str) -> str:
    """Return a measure in words, what is code as ``quote`` writes it; arithmetic of measures stays code."""
    if not isinstance(measure, MeasureCall) or measure.name not in MEASURES:
        return quote(spell(measure))
    # Of two laws each has a condition of its own; elsewhere it is that of the whole.
    each_its_own = measure.separator == "||"
    of_left, of_right = (measure.given, measure.right_given) if each_its_own else ((), ())
    told = MEASURES[measure.name].phrase.format(
        x=_side(measure.left, of_left, quote), y=_side(measure.right, of_right, quote)
    )
    settings = [_setting(each, quote) for each in measure.named]
    if measure.gain is not None:
        settings.append(f"with the gain {quote(spell(measure.gain))}")
    known = [_once(measure.given, quote)] if measure.given and not each_its_own else []
    parts = [*settings, *known]
    return f"{told.rstrip(',')}, {', '.join(parts)}," if parts else told


def require_words(require: Require, quote: Callable[[str], str] = str) -> str:
    """Return a budget in words: ``what can be learnt about smokes from answer is at most 0.1 bits, for all p in [0, 1]``."""
    bound = spell(require.bound)
    shown = with_unit(
        bound if isinstance(require.bound, Number) else quote(bound), require.unit or _unit(require.measure)
    )
    told = f"{measure_words(require.measure, quote)} {_COMPARED[require.comparison]} {shown}"
    ranges = " and ".join(quote(spell_range(each.name, require, number)) for number, each in enumerate(require.ranges))
    return f"{told}, for all {ranges}" if ranges else told


def spell_range(name: str, require: Require, number: int) -> str:
    """Return the range of a parameter as it is written: ``p in [0, 1]``."""
    interval = require.ranges[number].interval
    opened, closed = "[" if interval.low_closed else "(", "]" if interval.high_closed else ")"
    return f"{name} in {opened}{spell(interval.low)}, {spell(interval.high)}{closed}"


def _unit(measure: MeasureExpression) -> str:
    """Return the unit that a bound without one is in: that of the measure."""
    call = measure if isinstance(measure, MeasureCall) else None
    return "bits" if call is not None and MEASURES[call.name].unit == "information" else ""


def _listed(parts: Sequence[Expression], quote: Callable[[str], str]) -> str:
    texts = [quote(spell(each)) for each in parts]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}" if texts else ""


def _side(parts: Sequence[Expression], given: Sequence[Expression], quote: Callable[[str], str]) -> str:
    listed = _listed(parts, quote)
    return f"{listed}, {_once(given, quote)}," if given else listed


def _once(given: Sequence[Expression], quote: Callable[[str], str]) -> str:
    """Return what is known: variables are known with whatever value they have, a condition holds."""
    if all(isinstance(each, Name | Index) for each in given):
        return f"once {_listed(given, quote)} {'is' if len(given) == 1 else 'are'} known"
    return f"if {_listed(given, quote)}"


def _setting(argument: Argument, quote: Callable[[str], str]) -> str:
    return f"with {quote(f'{argument.name} = {spell(argument.value)}')}"
