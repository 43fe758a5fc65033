"""Closed forms found by this process: the search takes longest of all, and its outcome depends on what a program means, not on how it is laid out.

An edit of comments, of the layout, or of other questions leaves the program as it is, and with it the formula. Spans play no part: a formula has none.
Other values of the parameters leave a formula in them as it is, too; it is checked there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import TypeAlias, TypeVar

from seepage.deadline import Deadline, processor_seconds
from seepage.exact import Number
from seepage.measures.formulas.discrete import Searched
from seepage.measures.formulas.form import ClosedForm
from seepage.measures.program_meaning import meaning_of
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreProgram

_T = TypeVar("_T")
_KEPT = 64
_PATIENCE = 2.5  # seconds; a search that took longer was cut off by the clock, and may find more the next time

Key: TypeAlias = tuple[object, ...]

_known: list[tuple[Key, ClosedForm]] = []
_searched: list[tuple[Key, Searched]] = []
_one_at_a_time = Lock()


def form_of(key: Key, search: Callable[[], ClosedForm], deadline: Deadline | None) -> ClosedForm:
    """Return what a search finds, or what it found earlier for an equal key; one that the deadline or its own patience ended is not kept."""
    found = _of(_known, key)
    return found if found is not None else _kept(_known, key, search, deadline)


def search_of(
    key: Key, search: Callable[[], Searched], at: Mapping[str, Number], deadline: Deadline | None
) -> Searched:
    """Return what a search finds, or what it found earlier for an equal key at other values of the parameters, if that holds at these.

    Nothing is kept of a search without result: with other values there may be one.
    """
    known = _of(_searched, key)
    if known is not None and known.found is not None and known.holds_at(at):
        return known
    return _kept(_searched, key, search, deadline)


def _of(known: list[tuple[Key, _T]], key: Key) -> _T | None:
    with _one_at_a_time:
        for place, (other, found) in enumerate(known):
            if other == key:
                known.append(known.pop(place))
                return found
    return None


def _kept(known: list[tuple[Key, _T]], key: Key, search: Callable[[], _T], deadline: Deadline | None) -> _T:
    started = processor_seconds()
    found = search()
    if processor_seconds() - started < _PATIENCE and (deadline is None or not deadline.passed()):
        with _one_at_a_time:
            known.append((key, found))
            del known[:-_KEPT]
    return found


def key_of(
    name: str,
    programs: Sequence[CoreProgram | None],
    arguments: object,
    unit: str,
    parameters: Mapping[str, Number],
    domains: Mapping[str, Domain],
    gain: object,
) -> Key:
    """Return all that a closed form depends on."""
    meanings = tuple(None if program is None else meaning_of(program) for program in programs)
    return (
        name,
        arguments,
        unit,
        gain,
        sorted(parameters.items(), key=_first),
        sorted(domains.items(), key=_first),
        meanings,
    )


def _first(pair: tuple[str, object]) -> str:
    return pair[0]
