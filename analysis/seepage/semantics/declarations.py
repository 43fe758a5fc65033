"""What the declarations of a file say: parameters, constants, secrets, outputs, and what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Cause, Diagnostic, Edit, Fault, Fix, Label
from seepage.exact import CannotDecide, Number, compare, show
from seepage.semantics.checked import Domain, OutputSymbol, ParamSymbol, RequireSymbol, SecretSymbol, ShowSymbol
from seepage.semantics.evaluate import spelled
from seepage.semantics.expressions import nodes
from seepage.semantics.static import constant_values, quiet_value, static_value
from seepage.source import Span
from seepage.syntax.tree import (
    Const,
    Expression,
    Index,
    Infinity,
    Interval,
    Name,
    Output,
    Param,
    Placed,
    Require,
    Secret,
    Show,
    Target,
    Unary,
)


@dataclass(frozen=True, slots=True)
class Declared:
    """Declarations as values, with what is wrong in themselves; whether their names are used rightly is not looked at here."""

    params: Mapping[str, ParamSymbol]
    consts: Mapping[str, Number]
    secrets: tuple[SecretSymbol, ...]
    outputs: tuple[OutputSymbol, ...]
    shows: tuple[ShowSymbol, ...]
    requires: tuple[RequireSymbol, ...]
    declarations: Mapping[str, Span]
    roles: Mapping[str, str]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(slots=True)
class _Collected:
    params: list[tuple[Param, Placed]] = field(default_factory=list)
    consts: list[tuple[Const, int]] = field(default_factory=list)
    secrets: list[SecretSymbol] = field(default_factory=list)
    outputs: list[OutputSymbol] = field(default_factory=list)
    shows: list[ShowSymbol] = field(default_factory=list)
    requires: list[RequireSymbol] = field(default_factory=list)
    places: dict[str, Span] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def declared(leaves: Sequence[Placed]) -> Declared:
    """Return what the declarations of a file say; a second declaration of a name is reported, the first one counts."""
    found = _Collected()
    for item in leaves:
        _collect_number(item, found)
    values, problems = constant_values(found.consts)
    for item in leaves:
        _collect(item, values, found)
    found.diagnostics.extend(problems)
    params = {param.name: _parameter(param, placed, values, found.diagnostics) for param, placed in found.params}
    return Declared(
        params,
        values,
        tuple(found.secrets),
        tuple(found.outputs),
        tuple(found.shows),
        tuple(found.requires),
        found.places,
        found.roles,
        tuple(found.diagnostics),
    )


def _collect_number(item: Placed, found: _Collected) -> None:
    node, start = item.node, item.start
    match node:
        case Param(name=name, name_span=name_span):
            if _first(name, "parameter", name_span.shift(start), found):
                found.params.append((node, item))
        case Const(name=name, name_span=name_span):
            if _first(name, "constant", name_span.shift(start), found):
                found.consts.append((node, start))
        case _:
            pass


def _collect(item: Placed, constants: Mapping[str, Number], found: _Collected) -> None:
    node, start = item.node, item.start
    match node:
        case Secret(mode=mode, targets=targets):
            for target in targets:
                name, span = written_name(target, constants), target.span.shift(start)
                if _listed_once(name, span, "secret", [(one.name, one.span) for one in found.secrets], found):
                    found.secrets.append(SecretSymbol(name, mode, span, item.span, item.documentation))
        case Output(targets=targets):
            for target in targets:
                name, span = written_name(target, constants), target.span.shift(start)
                if _listed_once(name, span, "output", [(one.name, one.span) for one in found.outputs], found):
                    found.outputs.append(OutputSymbol(name, span, item.span, item.documentation))
        case Show():
            found.shows.append(ShowSymbol(node, item.span, start))
        case Require():
            found.requires.append(RequireSymbol(node, item.span, start))
        case _:
            pass


def written_name(target: Target, constants: Mapping[str, Number]) -> str:
    """Return the name of a target, an element with the value of its index: ``y[2]``; as it is written if that is not known."""
    if isinstance(target, Name):
        return target.id
    value = quiet_value(target.index, 0, constants)
    return f"{target.array}[{spelled(target.index) if value is None else show(value)}]"


def _first(name: str, role: str, span: Span, found: _Collected) -> bool:
    if name not in found.places:
        found.places[name] = span
        found.roles[name] = role
        return True
    found.diagnostics.append(
        Diagnostic(
            rules.DUPLICATE_DECLARATION,
            span,
            f"'{name}' is declared twice: it is a {found.roles[name]} already",
            labels=(Label(found.places[name], "declared here first"),),
        )
    )
    return False


def _listed_once(name: str, span: Span, role: str, listed: Sequence[tuple[str, Span]], found: _Collected) -> bool:
    earlier = next((place for one, place in listed if one == name), None)
    if earlier is None:
        return True
    found.diagnostics.append(
        Diagnostic(
            rules.DUPLICATE_DECLARATION,
            span,
            f"'{name}' is declared as {role} twice",
            labels=(Label(earlier, "declared here first"),),
        )
    )
    return False


# --- parameters -------------------------------------------------------------------------------------------------------


def _parameter(
    param: Param, placed: Placed, constants: Mapping[str, Number], diagnostics: list[Diagnostic]
) -> ParamSymbol:
    start = placed.start
    domain = None if param.domain is None else interval_value(param.domain, start, constants, diagnostics)
    default = None if param.default is None else _number(param.default, start, constants, diagnostics)
    if domain is not None and default is not None and param.default is not None and not _inside(domain, default):
        diagnostics.append(
            Diagnostic(
                rules.DEFAULT_OUTSIDE_DOMAIN,
                param.default.span.shift(start),
                f"default {show(default)} of '{param.name}' is outside its domain {described_domain(domain)}",
            )
        )
        default = None
    return ParamSymbol(param.name, param.name_span.shift(start), domain, default, placed.documentation)


def interval_value(
    interval: Interval, start: int, constants: Mapping[str, Number], diagnostics: list[Diagnostic]
) -> Domain | None:
    """Return an interval with static ends, None if an end has no value; what is wrong goes to ``diagnostics``."""
    low_infinite, high_infinite = _infinite(interval.low), _infinite(interval.high)
    low = None if low_infinite else _number(interval.low, start, constants, diagnostics)
    high = None if high_infinite else _number(interval.high, start, constants, diagnostics)
    span = interval.span.shift(start)
    if low_infinite == 1 or high_infinite == -1:
        diagnostics.append(
            Diagnostic(rules.EMPTY_DOMAIN, span, "the interval is empty: its infinite end is on the wrong side")
        )
        return None
    if (low is None and not low_infinite) or (high is None and not high_infinite):
        return None
    domain = Domain(low, high, interval.low_closed and low is not None, interval.high_closed and high is not None)
    if low is not None and high is not None:
        order = _order(low, high)
        if order > 0 or (order == 0 and not (domain.low_closed and domain.high_closed)):
            fixes = (
                (
                    Fix(
                        "swap the ends",
                        (
                            Edit(interval.low.span.shift(start), spelled(interval.high)),
                            Edit(interval.high.span.shift(start), spelled(interval.low)),
                        ),
                    ),
                )
                if order > 0
                else ()
            )
            message = f"the interval {described_domain(domain)} is empty"
            diagnostics.append(Diagnostic(rules.EMPTY_DOMAIN, span, message, fixes=fixes))
            return None
    return domain


def described_domain(domain: Domain) -> str:
    """Return a domain as it would be written."""
    low = "-inf" if domain.low is None else show(domain.low)
    high = "inf" if domain.high is None else show(domain.high)
    return f"{'[' if domain.low_closed else '('}{low}, {high}{']' if domain.high_closed else ')'}"


def _infinite(end: Expression) -> int:
    """Return 1 for ``inf``, -1 for ``-inf``, 0 for anything else."""
    if isinstance(end, Infinity):
        return 1
    if isinstance(end, Unary) and end.operator == "-" and isinstance(end.operand, Infinity):
        return -1
    return 0


def _number(
    expression: Expression, start: int, constants: Mapping[str, Number], diagnostics: list[Diagnostic]
) -> Number | None:
    try:
        return static_value(expression, start, constants)
    except Fault as fault:
        diagnostics.append(fault.diagnostic)
        return None


def _inside(domain: Domain, value: Number) -> bool:
    try:
        return domain.contains(value)
    except CannotDecide:
        return True


def _order(low: Number, high: Number) -> int:
    try:
        return compare(low, high)
    except CannotDecide:
        return -1


def report_not_static(
    expression: Expression,
    start: int,
    span: Span,
    what: str,
    known: Mapping[str, str],
    allowed: frozenset[str],
) -> Diagnostic | None:
    """Say that an expression is not static because of the first name that is not allowed in it.

    Args:
        expression: to look at.
        start: absolute offset of its piece.
        span: where to report (absolute).
        what: what must be static, as the subject of the message.
        known: the role of each known name.
        allowed: roles that are static here.
    """
    for node in nodes(expression):
        name = node.id if isinstance(node, Name) else node.array if isinstance(node, Index) else None
        if name is not None and name in known and known[name] not in allowed:
            place = (node.name_span if isinstance(node, Index) else node.span).shift(start)
            labels = (Label(place, f"'{name}' is a {known[name]}"),) if place != span else ()
            message = f"{what} must be static: '{name}' is a {known[name]}"
            cause = Cause.PARAMETER if known[name] == "parameter" else None
            return Diagnostic(rules.NOT_STATIC, span, message, labels=labels, cause=cause, subject=name)
    return None
