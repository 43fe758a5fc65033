"""The arguments of a distribution, matched with its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from seepage.diagnostics import Diagnostic, Fault
from seepage.rules import UNKNOWN_DISTRIBUTION, WRONG_ARGUMENTS
from seepage.semantics.signatures import SIGNATURES, Signature
from seepage.syntax.tree import Expression, Family


@dataclass(frozen=True, slots=True)
class Bound:
    """A call's arguments by parameter (``std`` under its own name); ``repeated`` for ``categorical`` and ``uniform_of``."""

    signature: Signature
    named: Mapping[str, Expression]
    repeated: tuple[Expression, ...]


def bind(family: Family) -> Bound:
    """Match the arguments of a named distribution with its parameters.

    Raises:
        Fault: unknown distribution, or an argument that is unknown, missing, twice, or one too many.
    """
    signature = SIGNATURES.get(family.name)
    if signature is None:
        raise Fault(Diagnostic(UNKNOWN_DISTRIBUTION, family.name_span, f"unknown distribution '{family.name}'"))
    if signature.variadic is not None:
        return Bound(signature, {}, _repeated(family, signature))
    named: dict[str, Expression] = {}
    for position, argument in enumerate(family.arguments):
        if argument.name is not None:
            name = argument.name
        elif position < len(signature.parameters):
            name = signature.parameters[position]
        else:
            raise _wrong(family, signature, argument.value, "has too many arguments")
        slot = signature.instead.get(name, name)
        if slot not in signature.parameters and slot not in signature.named_only:
            raise _wrong(family, signature, argument.value, f"has no parameter '{name}'")
        if any(signature.instead.get(other, other) == slot for other in named):
            raise _wrong(family, signature, argument.value, f"gets '{slot}' twice")
        named[name] = argument.value
    given = {signature.instead.get(name, name) for name in named}
    for name in signature.parameters:
        if name not in given:
            raise _wrong(family, signature, None, f"lacks the parameter '{name}'")
    return Bound(signature, named, ())


def _repeated(family: Family, signature: Signature) -> tuple[Expression, ...]:
    for argument in family.arguments:
        if argument.name is not None:
            raise _wrong(family, signature, argument.value, f"has no parameter '{argument.name}'")
    if not family.arguments:
        raise _wrong(family, signature, None, "has no arguments")
    return tuple(argument.value for argument in family.arguments)


def _wrong(family: Family, signature: Signature, at: Expression | None, what: str) -> Fault:
    names = (
        f"{signature.variadic}1, {signature.variadic}2, …" if signature.variadic else ", ".join(signature.parameters)
    )
    message = f"'{family.name}' {what}, it takes ({names})"
    return Fault(Diagnostic(WRONG_ARGUMENTS, family.span if at is None else at.span, message))
