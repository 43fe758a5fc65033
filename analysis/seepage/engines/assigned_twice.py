"""Which secrets some run assigns more than once, by what counts their assignments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix, Label
from seepage.engines.outcome import Joint, MixtureJoint
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax.tree import Name, array_of, as_told


def counted_twice(joint: Joint, counters: tuple[str, ...]) -> Iterator[str]:
    """Yield those of some counters that are more than 1 in some run."""
    states = [each.values for each in joint.components] if isinstance(joint, MixtureJoint) else list(joint.masses)
    for counter in counters:
        position = joint.variables.index(counter)
        if any(isinstance(count := state[position], int) and count > 1 for state in states):
            yield counter


def assigned_twice(core: CoreProgram, counters: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield one error for each secret that some run assigns more than once, the elements of an array taken together."""
    twice: dict[tuple[Span, str], list[str]] = {}
    for counter in counters:
        name = as_told(counter)
        twice.setdefault((core.written_twice[counter], array_of(name)), []).append(name)
    for (declaration, secret), names in twice.items():
        yield _twice(core, declaration, names[0] if len(names) == 1 else secret, names)


def _twice(core: CoreProgram, declaration: Span, secret: str, names: Sequence[str]) -> Diagnostic:
    several = f", in {len(names)} of its elements" if len(names) > 1 else ""
    message = f"secret '{secret}' is assigned more than once{several}: say 'secret initial' or 'secret final'"
    places = sorted({place for name in names for place in _assignments(core.statements, name)})
    labels = tuple(Label(span, "assigned again here" if i else "assigned here") for i, span in enumerate(places))
    keyword = Span(declaration.start, declaration.start + len("secret"))
    fixes = tuple(
        Fix(f"write 'secret {mode}': {meaning}", (Edit(keyword, f"secret {mode}"),))
        for mode, meaning in (("initial", "the first value is secret"), ("final", "the value at the end is secret"))
    )
    subject = array_of(secret)
    return Diagnostic(rules.SECRET_ASSIGNED_TWICE, declaration, message, labels, fixes=fixes, subject=subject)


def _assignments(statements: Iterable[CoreStatement], variable: str) -> Iterator[Span]:
    for statement in walk(statements):
        if isinstance(statement, CoreAssign | CoreSample):
            target = statement.target
            name = target.id if isinstance(target, Name) else target.array
            if variable in (name, name.split("[")[0]) or variable.split("[")[0] == name:
                yield statement.span
