"""Settling: loops of unknown length and local draws become draws of their laws (``drawn_loops.py``), so that every engine and measure reads plain programs.

A local draw from laws that are continuous or without an end stays as it is, with copies that balance what its observations take away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from seepage import rules
from seepage.diagnostics import Fault
from seepage.engines.drawn_loops import Settling, is_endless
from seepage.engines.forward.loops import TooManyStates
from seepage.engines.forward.quotients import Domains
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.semantics.core import CoreProgram, CoreWhile
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import has_loops, walk, written_variables
from seepage.syntax.tree import array_of, is_made


def settled_for(
    core: CoreProgram, names: Iterable[str], parameters: Mapping[str, Number], domains: Domains, budget: Budget
) -> CoreProgram:
    """Return what :func:`settled` does, or where that is not known, what some names need of it; the others are left out then.

    Where their law is not known either, loops are followed round by round, all of them.

    Args:
        core: any program.
        names: as measures have them; those that mean no variable count for nothing.
        parameters: values of those that have one.
        domains: of the parameters; None for all real numbers.
        budget: on each law.

    Raises:
        Fault: as :func:`settled`, if what the names need is not known either.
    """
    try:
        return settled(core, parameters, domains, budget)
    except Fault as fault:
        known = fault
    asked = {each for name in names if name not in core.left_out for each in _meant(core, name)}
    asked.update(each for each in core.written_twice if each in core.variables)
    arrays = {array_of(name) for name in asked}
    names_left = (array_of(name) for name in core.variables if name not in asked and not is_made(name))
    others = {name: known.diagnostic for name in names_left if name not in arrays}
    if known.diagnostic.rule in (rules.UNBOUNDED_LOOP, rules.NOT_SUPPORTED) and asked and others:
        try:
            part = settled(core, parameters, domains, budget, asked, hopeless=known)
        except Fault as fault:
            known = fault
        else:
            kept = slice_program(part, tuple(sorted(asked)), observations=True)
            variables = tuple(dict.fromkeys((*kept.variables, *asked)))
            return replace(kept, variables=variables, left_out={**core.left_out, **others})
    if is_endless(known):
        return settled(core, parameters, domains, budget, hopeless=known, followed=True)
    raise known


def _meant(core: CoreProgram, name: str) -> tuple[str, ...]:
    try:
        return core.elements(name)
    except ValueError:
        return ()


def settled(
    core: CoreProgram,
    parameters: Mapping[str, Number],
    domains: Domains,
    budget: Budget,
    asked: Collection[str] | None = None,
    *,
    hopeless: Fault | None = None,
    followed: bool = False,
) -> CoreProgram:
    """Return a program without loops of unknown length and local draws, which means the same at these values of the parameters.

    Args:
        core: any program.
        parameters: values of those that have one.
        domains: of the parameters; None for all real numbers.
        budget: on each law.
        asked: the variables that are asked for, all if None; others may be anything then.
        hopeless: what was said of a loop that goes through too many states: those are not counted again.
        followed: whether loops without a law that is known are followed round by round.

    Raises:
        Fault: of a statement that comes before a loop or stands in it; if a law is not known.
    """
    if not has_loops(core):
        return core
    known = hopeless if isinstance(hopeless, TooManyStates) else None
    work = Settling(core, parameters, domains, budget, known, followed)
    statements = work.block(core.statements, (), set(core.variables if asked is None else asked))
    variables = dict.fromkeys((*core.variables, *written_variables(statements)))
    loops = [each.span for each in walk(core.statements) if isinstance(each, CoreWhile) and each.never is not None]
    return replace(
        core,
        statements=statements,
        variables=tuple(variables),
        endings=work.writing.endings,
        never_entered=tuple(dict.fromkeys(each for each in loops if each not in work.entered)),
        rests_on=tuple(work.rests_on),
        proved=frozenset(work.proved),
    )
