"""Whether functions and distributions are called by their names with the arguments they take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.semantics.evaluate import FUNCTIONS
from seepage.semantics.nearest import nearest
from seepage.semantics.signatures import SIGNATURES, Signature
from seepage.source import Span
from seepage.syntax.tree import Argument, Call, Expression, Family


def respelled(span: Span, name: str | None) -> tuple[Fix, ...]:
    """Return the fix that writes ``name`` in ``span``, none without a name."""
    return () if name is None else (Fix(f"write '{name}'", (Edit(span, name),)),)


def takes(function: str, count: int) -> bool:
    """Tell whether a function exists and takes so many arguments."""
    least, most = FUNCTIONS.get(function, (1, 0))
    return least <= count and (most is None or count <= most)


def check_function(call: Call, start: int) -> Iterator[Diagnostic]:
    """Yield what is wrong with the name and the number of arguments of a function call."""
    place = call.name_span.shift(start)
    if call.function not in FUNCTIONS:
        yield _unknown_function(call.function, place)
        return
    least, most = FUNCTIONS[call.function]
    count = len(call.arguments)
    if not takes(call.function, count):
        expected = f"{least} or more" if most is None else str(least)
        yield Diagnostic(
            rules.WRONG_ARGUMENTS,
            call.span.shift(start),
            f"'{call.function}' is called with {counted(count, 'argument')}, expected {expected}",
        )


def _unknown_function(name: str, place: Span) -> Diagnostic:
    guess = nearest(name, FUNCTIONS)
    hint = f": did you mean '{guess}'?" if guess else ""
    return Diagnostic(rules.UNKNOWN_FUNCTION, place, f"unknown function '{name}'{hint}", fixes=respelled(place, guess))


def check_family(family: Family, start: int) -> Iterator[Diagnostic]:
    """Yield what is wrong with the name and the arguments of a distribution."""
    place = family.name_span.shift(start)
    signature = SIGNATURES.get(family.name)
    if signature is None:
        guess = nearest(family.name, [*SIGNATURES, "mixture"])
        if family.name in FUNCTIONS:
            message = (
                f"'{family.name}' is a function, found where a distribution is expected: assign its value with ':='"
            )
        else:
            message = f"unknown distribution '{family.name}'" + (f": did you mean '{guess}'?" if guess else "")
        yield Diagnostic(rules.UNKNOWN_DISTRIBUTION, place, message, fixes=respelled(place, guess))
        return
    yield from _check_arguments(family, signature, start)


def _check_arguments(family: Family, signature: Signature, start: int) -> Iterator[Diagnostic]:
    def wrong(span: Span, message: str, *fixes: Fix) -> Diagnostic:
        return Diagnostic(rules.WRONG_ARGUMENTS, span, message, fixes=fixes)

    whole, expected = family.span.shift(start), described(signature)
    if signature.variadic is not None:
        named = [one for one in family.arguments if one.name is not None]
        yield from (
            wrong(one.span.shift(start), f"'{family.name}' takes no named arguments, found '{one.name}'")
            for one in named
        )
        if not family.arguments:
            yield wrong(whole, f"'{family.name}' is called without arguments, expected {expected}")
        return
    taken: dict[str, Argument] = {}
    seen_named = False
    position = 0
    for argument in family.arguments:
        span = argument.span.shift(start)
        if argument.name is None:
            if seen_named:
                return  # reported by the parser
            if position >= len(signature.parameters):
                fixes = _named_last(family, signature, start)
                found = counted(sum(one.name is None for one in family.arguments), "positional argument")
                yield wrong(whole, f"'{family.name}' is called with {found}, expected {expected}", *fixes)
                return
            taken[signature.parameters[position]] = argument
            position += 1
            continue
        seen_named = True
        parameter = signature.instead.get(argument.name, argument.name)
        known = (*signature.parameters, *signature.instead, *signature.named_only)
        if argument.name not in known:
            other = _OTHER_NAMES.get(argument.name.casefold())
            guess = other if other in known else nearest(argument.name, known)
            hint = f": did you mean '{guess}'?" if guess else f", expected {expected}"
            place = Span(span.start, span.start + len(argument.name))
            yield wrong(span, f"'{family.name}' has no parameter '{argument.name}'{hint}", *respelled(place, guess))
            return
        if parameter in taken:
            yield wrong(span, f"the parameter '{parameter}' of '{family.name}' is given twice")
            return
        taken[parameter] = argument
    missing = [f"'{parameter}'" for parameter in signature.parameters if parameter not in taken]
    if missing:
        yield wrong(whole, f"'{family.name}' is called without {' and '.join(missing)}, expected {expected}")


# What other languages and textbooks call the parameters of distributions.
_OTHER_NAMES: Mapping[str, str] = {
    "sd": "std", "stddev": "std", "stdev": "std", "sigma": "std", "σ": "std", "deviation": "std",
    "mu": "mean", "μ": "mean", "loc": "mean", "location": "mean", "var": "variance", "sigma2": "variance", "prob": "p",
    "probability": "p", "lambda": "rate", "λ": "rate", "alpha": "a", "beta": "b", "low": "a", "high": "b", "min": "a",
    "max": "b", "trials": "n", "center": "centre", "b": "scale",
}  # fmt: skip


def _named_last(family: Family, signature: Signature, start: int) -> tuple[Fix, ...]:
    """Return the fix that names an argument by position which has to be named: ``discrete_laplace(1, 0)``."""
    extra = family.arguments[len(signature.parameters) :]
    if len(extra) != 1 or len(signature.named_only) != 1:
        return ()
    (name,) = signature.named_only
    at = extra[0].span.start + start
    return (Fix(f"name it: '{name}=…'", (Edit(Span(at, at), f"{name}="),)),)


def bound_arguments(family: Family) -> Mapping[str, Expression] | None:
    """Return the arguments of a distribution by parameter, ``std`` under its own name; None if the call is wrong.

    For ``categorical`` and ``uniform_of`` the keys are ``0``, ``1``, ….
    """
    signature = SIGNATURES.get(family.name)
    named = [argument.name is not None for argument in family.arguments]
    if (
        signature is None
        or named != sorted(named)
        or any(one.rule is rules.WRONG_ARGUMENTS for one in _check_arguments(family, signature, start=0))
    ):
        return None
    if signature.variadic is not None:
        return {str(i): argument.value for i, argument in enumerate(family.arguments)}
    return {
        signature.parameters[i] if argument.name is None else argument.name: argument.value
        for i, argument in enumerate(family.arguments)
    }


def described(signature: Signature) -> str:
    """Return how a distribution is called: ``normal(mean, variance)``."""
    if signature.variadic is not None:
        return f"{signature.name}({signature.variadic}0, {signature.variadic}1, …)"
    optional = [f"{name}={default}" for name, default in signature.named_only.items()]
    return f"{signature.name}({', '.join([*signature.parameters, *optional])})"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 argument``, ``2 arguments``."""
    return f"{count} {noun}" + ("" if count == 1 else "s")
