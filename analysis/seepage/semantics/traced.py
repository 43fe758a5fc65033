"""Findings in procedures: those that every call has stand at the statement, once; others at the call, with the statement as a related place.

The statements of a procedure are checked at its calls, with what is known there, and stand at these. So where a call has a finding the procedure is
looked at by itself, first with unknown arguments and then with those of the call. A text without such findings pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Label
from seepage.syntax.lowering.bodies import body, call_at, known_arguments, procedures_of
from seepage.syntax.lowering.facts import Procedure, Refused
from seepage.syntax.lowering.lower import Lowered
from seepage.syntax.raw import Raw, RawLeaf
from seepage.syntax.tree import ParseResult

Check: TypeAlias = Callable[[ParseResult], Sequence[Diagnostic]]
_Key: TypeAlias = tuple[str, str]
_MOST = 50  # procedures, with what they are called with, that are looked at by themselves; past them findings stand at calls


@dataclass(slots=True)
class _Bodies:
    """What was found in procedures by themselves, by what they are called with."""

    lowered: Lowered
    check: Check
    found: dict[tuple[str, str], dict[_Key, Diagnostic]] = field(default_factory=dict)

    def of(self, procedure: Procedure, known: dict[str, Raw]) -> dict[_Key, Diagnostic]:
        """Return what is found where the arguments are unknown but for some; the first of equal ones."""
        key = procedure.name, repr(known)
        if key not in self.found:
            if len(self.found) >= _MOST:
                return {}
            try:
                alone = body(self.lowered, procedure, known)
                told = [*alone.wrong, *self.check(ParseResult(alone.tree, ()))]
            except Refused:
                told = []
            made: dict[_Key, Diagnostic] = {}
            for one in sorted(told, key=lambda each: each.span):
                if procedure.items and procedure.header.end <= one.span.start:
                    made.setdefault(_key(one), one)
            self.found[key] = made
        return self.found[key]


def traced(found: Iterable[Diagnostic], lowered: Lowered, check: Check) -> list[Diagnostic]:
    """Return findings with those of procedures in their places.

    Args:
        found: all findings of the text.
        lowered: the text.
        check: checks a tree of the same text.
    """
    bodies = _Bodies(lowered, check)
    in_order = sorted(found, key=lambda one: (one.span, one.rule.code, one.message))
    return [_traced(one, call, bodies) if (call := _call(one, lowered)) is not None else one for one in in_order]


def _call(found: Diagnostic, lowered: Lowered) -> RawLeaf | None:
    return call_at(lowered, found.span) if lowered.facts.procedures else None


def _traced(found: Diagnostic, call: RawLeaf, bodies: _Bodies) -> Diagnostic:
    procedures = tuple(procedures_of(bodies.lowered, call))
    # What is called last stands nearest to the fault.
    for procedure in reversed(procedures):
        own = bodies.of(procedure, {}).get(_key(found))
        if own is not None:
            return own
    for procedure in procedures:
        known = known_arguments(bodies.lowered, procedure, call) if procedure is procedures[0] else {}
        there = bodies.of(procedure, known).get(_key(found))
        if there is not None:
            label = Label(there.span, f"in this statement of '{procedure.name}'")
            # What mends it would be written in the procedure, where other calls meet it.
            return replace(found, labels=(*found.labels, label), fixes=())
    return found


def _key(found: Diagnostic) -> _Key:
    """Return what is equal for one finding in two places: names that are guessed at are others where others are known."""
    return found.rule.code, found.subject if found.rule is rules.UNKNOWN_NAME else found.message
