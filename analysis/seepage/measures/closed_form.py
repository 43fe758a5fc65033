"""Closed forms of measures in the parameters: the discrete engine run once more, on polynomials in the parameters."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from seepage.diagnostics import Fault
from seepage.engines.forward.polynomials import NoPolynomial, Polynomial, polynomials
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.measures.formula import formula_of
from seepage.measures.joints import Inquiry
from seepage.measures.result import Formula
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import sink, slice_program

_STATES = 64  # a formula over more states is too long to read
_SECONDS = 0.5  # a formula is a comfort and must not delay the number


def closed_form(
    inquiry: Inquiry,
    name: str,
    core: CoreProgram,
    arguments: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]],
    unit: Literal["bits", "nats"],
    domains: Mapping[str, Domain],
    other: CoreProgram | None = None,
) -> Formula | None:
    """Return a measure as a formula in the parameters; None where there is none, or none small enough to read.

    Args:
        inquiry: what the measure was asked of; its budget's deadline holds here, too.
        name: as :func:`formula_of` wants it.
        core: the program, with events and ghosts appended.
        arguments: the variables x, y and z of :func:`formula_of`.
        unit: of entropies and information.
        domains: of the parameters.
        other: for ``KL`` the program of the second side, whose variables are y.
    """
    if not core.parameters:
        return None
    x, y, z = arguments
    asked = tuple(dict.fromkeys((*x, *y, *z)))
    deadline = time.monotonic() + _SECONDS
    if inquiry.budget.deadline is not None:
        deadline = min(deadline, inquiry.budget.deadline)
    budget = Budget(states=_STATES, deadline=deadline)
    try:
        if other is None:
            return formula_of(name, _joint(core, asked, budget), x, y, z, unit, domains=domains)
        # The formula compares the variables of one name.
        p, q = _joint(core, x, budget), replace(_joint(other, y, budget), variables=x)
        return formula_of(name, p, x, x, z, unit, other=q, domains=domains)
    except (Fault, NoPolynomial):
        return None


def _joint(core: CoreProgram, asked: tuple[str, ...], budget: Budget) -> DiscreteJoint[Polynomial]:
    program = sink(slice_program(core, asked))
    return run(program, asked, {}, polynomials(program), budget)
