"""Which variables of a core program may be continuous: from above, whatever is observed and whichever branches a run takes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from seepage import rules
from seepage.semantics.classify import Issue
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample
from seepage.semantics.expression_kinds import kind_of
from seepage.semantics.kinds import DISCRETE, MIXED, Value, join
from seepage.semantics.law_kinds import kind_of_law
from seepage.semantics.memo import Same
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import has_loops, walk
from seepage.syntax.tree import Expression, Index, Name


def may_be_continuous(core: CoreProgram, name: str) -> bool:
    """Tell whether a variable may have a density on some run: no is proved, yes is not.

    Args:
        core: the program.
        name: one of its plain variables.
    """
    return _kinds(Same(slice_program(core, (name,)))).get(name, DISCRETE).is_continuous


class _Kinds(dict[str, Value]):
    """Of the variables so far, joined over all their writes; parameters are numbers, and what is not told apart may be anything."""

    def of(self, expression: Expression, issues: list[Issue]) -> Value:
        return kind_of(expression, self._read, {}, rules.COMPARISON_OF_CONTINUOUS, issues)

    def _read(self, node: Name | Index) -> Value:
        return MIXED if isinstance(node, Index) else self.get(node.id, DISCRETE)


@lru_cache(maxsize=16)
def _kinds(key: Same[CoreProgram]) -> Mapping[str, Value]:
    core, kinds = key.one, _Kinds()
    anything: Final = dict.fromkeys(core.variables, MIXED)
    if has_loops(core):
        return anything
    for statement in walk(core.statements):
        match statement:
            case CoreAssign(target=Name(id=name), value=value):
                found = kinds.of(value, [])
            case CoreSample(target=Name(id=name), distribution=law):
                found = kind_of_law(law, kinds.of, lambda _: None, [])
            case CoreAssign() | CoreSample():
                return anything  # an element at a place that is drawn
            case _:
                continue
        kinds[name] = join(kinds[name], found) if name in kinds else found
    return kinds
