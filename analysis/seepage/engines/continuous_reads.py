"""What a program computes from draws that have a density, and what it may read before it is written."""

from __future__ import annotations

from collections import Counter

from seepage.distributions.kinds import is_continuous
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.expressions import bottom_up, plain_names
from seepage.semantics.statements import expressions_of, may_write, walk
from seepage.syntax import tree
from seepage.syntax.tree import COMPARISONS, Expression, Name

Names = frozenset[str]
_NONE: Names = frozenset()


def written_once(core: CoreProgram) -> Names:
    """Return the variables that one statement writes, outside of branches, and none reads before."""
    writes = Counter(name for each in walk(core.statements) for name in _targets(core, each))
    plain = frozenset(name for each in core.statements for name in _targets(core, each))
    return frozenset(name for name in plain if writes[name] == 1) - read_early(core)


def _targets(core: CoreProgram, statement: CoreStatement) -> Names:
    return may_write(core, (statement,)) if isinstance(statement, CoreAssign | CoreSample) else _NONE


def read_early(core: CoreProgram) -> Names:
    """Return the variables that a run may read before it writes them, or write in a branch alone: they are 0 then."""
    written: set[str] = set()
    early: set[str] = set()
    for statement in core.statements:
        for each in walk((statement,)):
            names = (name for expression in expressions_of(each) for name in plain_names(expression))
            early |= core.expanded(names) - written
        if isinstance(statement, CoreAssign | CoreSample) and isinstance(statement.target, Name):
            written.add(statement.target.id)
        else:
            early |= may_write(core, (statement,)) - written
    return frozenset(early)


def continuous(core: CoreProgram) -> Names:
    """Return the variables that may be continuous: draws, and what is computed from them otherwise than by comparisons."""
    found: set[str] = set()
    reads: list[tuple[Names, Names]] = []
    for statement in walk(core.statements):
        match statement:
            case CoreSample(distribution=law) if is_continuous(law):
                found |= _targets(core, statement)
            case CoreAssign(value=value):
                reads.append((_targets(core, statement), core.expanded(_computed_from(value))))
            case _:
                pass
    while more := {name for names, read in reads if not found.isdisjoint(read) for name in names} - found:
        found |= more
    return frozenset(found)


def _computed_from(expression: Expression) -> Names:
    """Return the names, arrays by their own, from which a value is computed otherwise than by comparisons."""

    def visit(node: Expression, parts: list[Names]) -> Names:
        match node:
            case Name(id=name):
                return frozenset({name})
            case tree.Index(array=array):
                return frozenset({array})
            case tree.Binary(operator=operator) if operator in COMPARISONS:
                return _NONE
            case tree.Conditional():
                return parts[1] | parts[2]
            case _:
                return _NONE.union(*parts)

    return bottom_up(expression, visit)
