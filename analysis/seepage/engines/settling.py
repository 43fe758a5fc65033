"""Settling: loops of unknown length and local draws become draws of their laws (``drawn_loops.py``), so that every engine and measure reads plain programs.

A local draw from laws that are continuous or without an end stays as it is, with copies that balance what its observations take away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from seepage import rules
from seepage.diagnostics import Fault
from seepage.engines.drawn_loops import Settling, is_endless
from seepage.engines.forward.loops import TooManyStates
from seepage.engines.forward.quotients import Domains
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.sampling.runs import some_run_passes
from seepage.semantics.core import CoreLocal, CoreProgram, CoreStatement, CoreWhile
from seepage.semantics.memo import Same
from seepage.semantics.slice import computed_from, slice_program
from seepage.semantics.statements import has_loops, walk, written_variables
from seepage.source import Span
from seepage.syntax.tree import array_of, as_told, is_made

_LOOKED_FOR = 1.0  # seconds, for a run that ends


def settled_for(
    core: CoreProgram,
    names: Iterable[str],
    parameters: Mapping[str, Number],
    domains: Domains,
    budget: Budget,
    *,
    only: bool = False,
) -> CoreProgram:
    """Return what :func:`settled` does, or where that is not known, what some names need of it; the others are left out then.

    Where their law is not known either, loops are followed round by round, all of them.

    Args:
        core: any program.
        names: as measures have them; those that mean no variable count for nothing.
        parameters: values of those that have one.
        domains: of the parameters; None for all real numbers.
        budget: on each law.
        only: whether nothing but the names is asked for, so that the others are left out from the first.

    Raises:
        Fault: as :func:`settled`, if what the names need is not known either.
    """
    asked = {each for name in names if name not in core.left_out for each in core.written(name)}
    asked.update(each for each in core.written_twice if each in core.variables)
    arrays = {array_of(name) for name in asked}
    others = {array_of(name) for name in core.variables if name not in asked and not is_made(name)} - arrays
    known: Fault | None = None
    if not (only and asked and others and has_loops(core)):
        try:
            return settled(core, parameters, domains, budget)
        except Fault as fault:
            known = fault
    if asked and others and (known is None or known.diagnostic.rule in (rules.UNBOUNDED_LOOP, rules.NOT_SUPPORTED)):
        try:
            part = settled(core, parameters, domains, budget, asked, hopeless=known)
        except Fault as fault:
            known = fault
        else:
            kept = slice_program(part, tuple(sorted(asked)), observations=True)
            variables = tuple(dict.fromkeys((*kept.variables, *asked)))
            why = {} if known is None else dict.fromkeys(sorted(others), known.diagnostic)
            return replace(kept, variables=variables, left_out={**core.left_out, **why})
    if known is None or not is_endless(known):
        raise known or AssertionError("something was tried")
    return settled(core, parameters, domains, budget, asked if only else None, hopeless=known, followed=True)


def needed_part(core: CoreProgram, names: Iterable[str], parameters: Mapping[str, Number]) -> CoreProgram:
    """Return what the joint law of some names depends on, where that has fewer loops than the program; else the program.

    A loop that is left out takes no part in the law if some run ends it at all: one is looked for.

    Args:
        core: any program.
        names: as measures have them; nothing else may be asked of what is returned.
        parameters: values of those that have one.
    """
    if not has_loops(core) or not set(core.parameters) <= set(parameters):
        return core
    asked = {each for name in names for each in core.written(name)}
    arrays = {array_of(name) for name in asked}
    asked.update(each for each in core.written_twice if each in core.variables and array_of(as_told(each)) in arrays)
    part = slice_program(core, tuple(sorted(asked)))
    if loops_of(part.statements) == loops_of(core.statements) or not _some_run_passes(
        Same(core), tuple(parameters.items())
    ):
        return core
    return replace(part, variables=tuple(dict.fromkeys((*part.variables, *asked))))


@lru_cache(maxsize=4)
def _some_run_passes(key: Same[CoreProgram], parameters: tuple[tuple[str, Number], ...]) -> bool:
    return some_run_passes(key.one, dict(parameters), _LOOKED_FOR)


def loops_behind(core: CoreProgram, names: Iterable[str]) -> tuple[Span, ...]:
    """Return the places of the loops of unknown length and local draws from which some names are computed."""
    behind = computed_from(core, [each for name in names for each in core.written(name)])
    return loops_of(behind)


def loops_of(statements: Iterable[CoreStatement]) -> tuple[Span, ...]:
    """Return the places of the loops of unknown length and local draws among statements."""
    return tuple(each.span for each in walk(statements) if isinstance(each, CoreWhile | CoreLocal))


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
