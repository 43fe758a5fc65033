"""How two channels compare, as words and as JSON: the order, and the certificate that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from seepage.comparison import ChannelOrder
from seepage.exact import show
from seepage.measures.channels.refinement import NotRefined, Refined, Refinement, Undecided
from seepage.measures.digits import rounded
from seepage.measures.discrete.weights import Values
from seepage.measures.result import Json

_MOST_SHOWN = 4  # rows of a certificate in words, and entries of a row; JSON has all
_LONG = 12  # characters of a fraction from which a decimal stands for it
_WORDS = {
    "the same": "tells as much as before",
    "less leaky": "tells at most as much as before",
    "leakier": "tells at least as much as before, and more",
    "neither": "tells more to some attackers, less to others",
    "undecided": "not decided",
}


def order_lines(found: ChannelOrder) -> Iterator[str]:
    """Yield what holds for every prior and every gain, and what shows it."""
    secrets, outputs = ", ".join(found.secrets), ", ".join(found.after)
    yield f"{secrets} -> {outputs}, whatever the prior and the gain: {_order_words(found)}"
    if found.order == "undecided":
        reasons = (each.reason for each in (found.no_worse, found.no_better) if isinstance(each, Undecided))
        yield f"  {next(reasons)}"
    if isinstance(found.no_worse, NotRefined):
        yield from _gain_lines(found.no_worse, found.secrets, "more")
    if isinstance(found.no_better, NotRefined) and found.order in ("neither", "undecided"):
        yield from _gain_lines(found.no_better, found.secrets, "less")
    if isinstance(found.no_worse, Refined) and found.order == "less leaky":
        yield from _post_processing(found.no_worse, found.before, found.after)


def _order_words(found: ChannelOrder) -> str:
    """Return the order; where half of it is decided, that half."""
    match found.no_worse, found.no_better:
        case NotRefined(), Undecided():
            return "tells more to some attackers; whether less to others is not decided"
        case Undecided(), NotRefined():
            return "tells less to some attackers; whether more to others is not decided"
        case Refined(), Undecided():
            return "tells at most as much as before; whether less is not decided"
        case Undecided(), Refined():
            return "tells at least as much as before; whether more is not decided"
        case _:
            return _WORDS[found.order]


def _gain_lines(found: NotRefined, secrets: Sequence[str], which: str) -> Iterator[str]:
    first, second = _number(found.of_first), _number(found.of_second)
    before, after = (first, second) if which == "more" else (second, first)
    yield f"  {which}: with a uniform prior and this gain, {before} before and {after} after"
    for guess, row in list(found.gain.items())[:_MOST_SHOWN]:
        cells = ", ".join(f"{_number(gain)} at {_named(secrets, x)}" for x, gain in list(row.items())[:_MOST_SHOWN])
        yield f"    guess {_values(guess)}: {cells}{_rest(len(row))}"
    if len(found.gain) > _MOST_SHOWN:
        yield f"    and {len(found.gain) - _MOST_SHOWN} more guesses"


def _post_processing(found: Refined, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    yield f"  {', '.join(after)} can be made of what was seen before:"
    for seen, row in list(found.after.items())[:_MOST_SHOWN]:
        cells = ", ".join(f"{_values(to)} ({_number(share)})" for to, share in list(row.items())[:_MOST_SHOWN])
        yield f"    of {_named(before, seen)}: {cells}{_rest(len(row))}"
    if len(found.after) > _MOST_SHOWN:
        yield f"    and {len(found.after) - _MOST_SHOWN} more values"


def _rest(count: int) -> str:
    return f", and {count - _MOST_SHOWN} more" if count > _MOST_SHOWN else ""


def _named(names: Sequence[str], values: Values) -> str:
    shown = [show(value) for value in values]
    if len(names) != len(values):  # of an array: all its elements
        return f"{', '.join(names)} = ({', '.join(shown)})"
    return ", ".join(f"{name} = {value}" for name, value in zip(names, shown, strict=True))


def _values(values: Values) -> str:
    shown = ", ".join(show(value) for value in values)
    return shown if len(values) == 1 else f"({shown})"


def _number(number: Fraction) -> str:
    text = str(number)
    return text if len(text) <= _LONG else f"about {rounded(float(number), 6)}"


def order_json(found: ChannelOrder) -> dict[str, Json]:
    """Return it as data; probabilities and gains as fractions in text."""
    return {
        "secrets": list(found.secrets),
        "before": list(found.before),
        "after": list(found.after),
        "order": found.order,
        "no_worse": _refinement_json(found.no_worse),
        "no_better": _refinement_json(found.no_better),
    }


def _refinement_json(found: Refinement) -> dict[str, Json]:
    match found:
        case Refined(after, is_rounded):
            return {"holds": True, "post_processing": _rows_json(after, "seen", "becomes"), "rounded": is_rounded}
        case NotRefined(gain, of_first, of_second):
            return {
                "holds": False,
                "prior": "uniform",
                "gain": _rows_json(gain, "guess", "gains"),
                "of_first": str(of_first),
                "of_second": str(of_second),
            }
        case Undecided(reason):
            return {"holds": None, "reason": reason}


def _rows_json(rows: Mapping[Values, Mapping[Values, Fraction]], key: str, entries: str) -> list[Json]:
    return [
        {key: [show(v) for v in one], entries: [[[show(v) for v in to], str(number)] for to, number in row.items()]}
        for one, row in rows.items()
    ]
