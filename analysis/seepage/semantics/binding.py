"""The arguments of a named distribution, matched with its parameters: for checks while typing and for engines."""

from __future__ import annotations

from collections.abc import Mapping

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.semantics.evaluate import spelled
from seepage.semantics.foreign import foreign_distribution
from seepage.semantics.nearest import nearest, respelled
from seepage.semantics.signatures import SIGNATURES, Signature
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.tree import Argument, Expression, Family, Name, Number
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.functions import FUNCTIONS


@dataclass(frozen=True, slots=True)
class Bound:
    """A call's arguments by parameter (``std`` under its own name); ``repeated`` for ``categorical`` and ``uniform_of``."""

    signature: Signature
    named: Mapping[str, Expression]
    repeated: tuple[Expression, ...]


def bound(family: Family, start: int = 0) -> Bound | Diagnostic:
    """Return the arguments of a distribution by parameter, or what is wrong with the call.

    Args:
        family: the call.
        start: where its statement begins, for the place of what is wrong.
    """
    signature = SIGNATURES.get(family.name)
    if signature is None:
        return _unknown(family, start)
    if signature.variadic is not None:
        return _repeated(family, signature, start)
    named: dict[str, Argument] = {}
    slots: set[str] = set()
    for position, argument in enumerate(family.arguments):
        if argument.name is None and position >= len(signature.parameters):
            found = counted(sum(one.name is None for one in family.arguments), "positional argument")
            message = f"'{family.name}' is called with {found}, expected {_form(family)}"
            return _wrong(family.span, start, message, *_named_last(family, signature, start))
        name = signature.parameters[position] if argument.name is None else argument.name
        slot = signature.instead.get(name, name)
        if slot not in signature.parameters and slot not in signature.named_only:
            return _no_parameter(family, signature, argument, name, start)
        if slot in slots:
            return _wrong(argument.span, start, f"the parameter '{slot}' of '{family.name}' is given twice")
        slots.add(slot)
        named[name] = argument
    missing = [f"'{parameter}'" for parameter in signature.parameters if parameter not in slots]
    if missing:
        message = f"'{family.name}' is called without {' and '.join(missing)}, expected {_form(family)}"
        return _wrong(family.span, start, message)
    return Bound(signature, {name: argument.value for name, argument in named.items()}, ())


def bound_arguments(family: Family) -> Mapping[str, Expression] | None:
    """Return the arguments of a distribution by parameter, repeated ones as ``0``, ``1``, …; None if the call is wrong."""
    made = bound(family)
    if isinstance(made, Diagnostic):
        return None
    return {str(i): one for i, one in enumerate(made.repeated)} if made.repeated else made.named


def _unknown(family: Family, start: int) -> Diagnostic:
    foreign = foreign_distribution(family.name, family.arguments, family.span.shift(start))
    if foreign is not None:
        message = f"unknown distribution '{family.name}'"
        return Diagnostic(rules.UNKNOWN_DISTRIBUTION, family.name_span.shift(start), message, fixes=foreign)
    guess = nearest(family.name, DISTRIBUTIONS)
    if family.name in FUNCTIONS:
        message = f"'{family.name}' is a function, found where a distribution is expected: assign its value with ':='"
    else:
        message = f"unknown distribution '{family.name}'" + (f": did you mean '{guess}'?" if guess else "")
    place = family.name_span.shift(start)
    return Diagnostic(rules.UNKNOWN_DISTRIBUTION, place, message, fixes=respelled(place, guess))


def _repeated(family: Family, signature: Signature, start: int) -> Bound | Diagnostic:
    for one in family.arguments:
        if one.name is not None:
            return _wrong(one.span, start, f"'{family.name}' takes no named arguments, found '{one.name}'")
    if not family.arguments:
        return _wrong(family.span, start, f"'{family.name}' is called without arguments, expected {_form(family)}")
    return Bound(signature, {}, tuple(argument.value for argument in family.arguments))


# What other languages and textbooks call the parameters of distributions.
_OTHER_NAMES: Mapping[str, str] = {
    "sd": "std", "stddev": "std", "stdev": "std", "sigma": "std", "σ": "std", "deviation": "std",
    "mu": "mean", "μ": "mean", "loc": "mean", "location": "mean", "var": "variance", "sigma2": "variance", "prob": "p",
    "probability": "p", "theta": "p", "lambda": "rate", "lam": "rate", "a": "rate", "λ": "rate", "alpha": "a", "beta": "b", "low": "a", "high": "b", "min": "a",
    "max": "b", "trials": "n", "center": "centre", "b": "scale", "scale": "std",
}  # fmt: skip


# Those that mean the same wherever they are used. Ends may be counted or not ('high'), and letters are of no use to tell ('b').
_SAME = frozenset({"std", "mean", "variance", "p", "rate", "centre"})


def _inverse(name: Span, value: Span, written: Expression) -> tuple[Fix, ...]:
    """Return the fix that gives a rate for a scale: ``rate=1/3`` for ``scale=3``."""
    if isinstance(written, Name) or (isinstance(written, Number) and written.value.denominator == 1):
        around: tuple[Edit, ...] = (Edit(Span(value.start, value.start), "1/"),)
    else:
        around = (Edit(Span(value.start, value.start), "1/("), Edit(Span(value.end, value.end), ")"))
    return (Fix("give the rate, 1 / scale", (Edit(name, "rate"), *around)),)


def _no_parameter(family: Family, signature: Signature, argument: Argument, name: str, start: int) -> Diagnostic:
    known = (*signature.parameters, *signature.instead, *signature.named_only)
    other = _OTHER_NAMES.get(name.casefold())
    synonym = other if other in known else None
    guess = synonym or nearest(name, known)
    hint = f": did you mean '{guess}'?" if guess else f", expected {_form(family)}"
    span = argument.span.shift(start)
    place = Span(span.start, span.start + len(name))
    if name.casefold() == "scale" and "rate" in known:
        hint = ": its 'rate' is 1 / scale"
        fixes = _inverse(place, argument.value.span.shift(start), argument.value)
    elif synonym is not None:
        fixes = replacement(f"write '{synonym}'", place, synonym, automatic=synonym in _SAME)
    else:
        fixes = respelled(place, guess)
    return Diagnostic(rules.WRONG_ARGUMENTS, span, f"'{family.name}' has no parameter '{name}'{hint}", fixes=fixes)


def _named_last(family: Family, signature: Signature, start: int) -> tuple[Fix, ...]:
    """Return the fix that names an argument by position which has to be named: ``discrete_laplace(1, 0)``."""
    extra = family.arguments[len(signature.parameters) :]
    if len(extra) != 1 or len(signature.named_only) != 1:
        return ()
    (name,) = signature.named_only
    at = extra[0].span.start + start
    named = Fix(f"name it: '{name}=…'", (Edit(Span(at, at), f"{name}="),))
    if len(signature.parameters) != 1 or name != "centre":
        return (named,)
    # Elsewhere, and in 'laplace', the centre stands before the scale, and no scale is 0.
    centre, scale = (spelled(one.value) for one in family.arguments)
    if scale == "0":
        return (named,)
    meant = f"{family.name}({scale})" if centre == "0" else f"{family.name}({scale}, centre={centre})"
    swapped = Fix(f"write '{meant}'", (Edit(family.span.shift(start), meant),))
    return (swapped,) if centre == "0" else (swapped, named)


def _wrong(span: Span, start: int, message: str, *fixes: Fix) -> Diagnostic:
    return Diagnostic(rules.WRONG_ARGUMENTS, span.shift(start), message, fixes=fixes)


def _form(family: Family) -> str:
    """Return how a distribution is called: ``normal(mean, variance)``."""
    return DISTRIBUTIONS[family.name].form


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 argument``, ``2 arguments``."""
    return f"{count} {noun}" + ("" if count == 1 else "s")
