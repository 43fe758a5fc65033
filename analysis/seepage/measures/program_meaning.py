"""What a program means, whatever its layout: statements without their places, each by a number that equal ones share.

Constants are folded into the statements of a core program. What is written outside of them, as the words of a measure, may name constants
and parameters of its own: whoever looks something up by the meaning of a program must look their values up, too.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Sequence
from threading import Lock
from typing import TypeAlias, assert_never

from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
)

Meaning: TypeAlias = tuple[object, ...]

_STATEMENTS = 100_000  # whose numbers are remembered

# Statements and conditions that are equal but for their places have one number; the second table is by identity, and keeps what it knows alive.
_numbers: dict[object, int] = {}
_numbered: dict[int, tuple[object, int]] = {}
_meanings: deque[tuple[CoreProgram, Meaning]] = deque(maxlen=4)  # of the last programs, by identity
_count = itertools.count()
_one_at_a_time = Lock()


def meaning_of(program: CoreProgram) -> Meaning:
    """Return a program without its places; equal for programs that differ in layout only, and hashable."""
    for known, meaning in _meanings:
        if known is program:  # asked again for each measure
            return meaning
    found = _meaning_of(program)
    _meanings.append((program, found))
    return found


def _meaning_of(program: CoreProgram) -> Meaning:
    return (
        program.parameters,
        program.variables,
        tuple(sorted(program.arrays.items())),
        tuple(sorted(program.aliases.items())),
        tuple(sorted(program.written_twice)),
        numbers_of(program.statements),
    )


def numbers_of(statements: Sequence[CoreStatement]) -> tuple[int, ...]:
    """Return the numbers of statements: equal for those that differ in layout only, and never given again to others."""
    return tuple(map(_number_of, statements))


def _number_of(statement: CoreStatement) -> int:
    match statement:
        case CoreAssign(target=target, value=value):
            return _number(statement, ("assign", target, value))
        case CoreSample(target=target, distribution=distribution):
            return _number(statement, ("sample", target, distribution))
        case CoreObserve(condition=condition, of_event=of_event):
            return _number(statement, ("observe", condition, of_event))
        case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
            arms = numbers_of(consequent), numbers_of(alternative)
            return _number(None, ("if", _number(condition, condition), *arms))
        case CoreWhile(condition=condition, body=body, never=never):
            parts = numbers_of(body), None if never is None else numbers_of(never)
            return _number(None, ("while", _number(condition, condition), *parts))
        case CoreLocal(body=body):
            return _number(None, ("local", numbers_of(body)))
        case _:
            assert_never(statement)


def _number(part: object, meaning: object) -> int:
    """Return the number of a part of a program: by its identity, if it has one, else by its meaning, which takes longer to look up."""
    known = None if part is None else _numbered.get(id(part))
    if known is not None:
        return known[1]
    with _one_at_a_time:
        for table in (_numbers, _numbered):
            if len(table) >= _STATEMENTS:
                table.clear()  # numbers are never given again
        number = _numbers.setdefault(meaning, next(_count))
        if part is not None:
            _numbered[id(part)] = part, number
    return number
