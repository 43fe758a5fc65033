"""Joint distributions with weights that are polynomials in the parameters, for a question over a range of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from seepage.algebra import NoAlgebra
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.forward.cutting import cut_of
from seepage.engines.forward.polynomials import NoPolynomial, Polynomial, Polynomials, polynomials
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number
from seepage.measures.formulas.closed_form import check_sums, watched
from seepage.measures.formulas.fixed_parameters import with_fixed
from seepage.measures.ranges.unending import Unending, finite
from seepage.measures.scope import Scope
from seepage.rules import IMPOSSIBLE_OBSERVATION
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import sunk_slice
from seepage.semantics.statements import names_read


class NoProblem(Exception):
    """A budget that cannot be put as a function of the parameters; the reason is for people."""


def ring_of(joint: DiscreteJoint[Polynomial]) -> Polynomials:
    """Return the ring of a joint distribution's weights."""
    if not isinstance(joint.ring, Polynomials):
        raise ValueError(f"expected weights that are polynomials, got {type(joint.ring).__name__}")
    return joint.ring


def is_whole(joint: DiscreteJoint[Polynomial]) -> bool:
    """Tell whether weights sum to 1 with what was left out of infinite supports: nothing is observed."""
    return isinstance(joint.ring, Unending) and joint.cut is not None and not joint.ring.observed


@dataclass(slots=True)
class Runs:
    """The engine's runs on polynomials for one budget: what they made, and distributions that tell whether observations pass."""

    scope: Scope
    values: Mapping[str, Number]
    ranges: Mapping[str, Domain]
    budget: Budget
    observed: list[DiscreteJoint[Polynomial]] = field(default_factory=list)
    made: list[DiscreteJoint[Polynomial]] = field(default_factory=list)

    def joint(
        self, core: CoreProgram, asked: Sequence[str], *, cut: bool = False, averaged: bool = False
    ) -> DiscreteJoint[Polynomial]:
        """Return the joint distribution of some variables, in the parameters that have no value.

        Args:
            core: the program.
            asked: the variables.
            cut: whether values of infinite supports may be left out, which the caller then minds.
            averaged: whether only means and variances are wanted: weights may then stand for others with the same.

        Raises:
            NoProblem: if that is none of polynomials.
            Fault: of the program.
        """
        try:
            found = self._joint(core, tuple(dict.fromkeys(asked)), averaged=averaged)
        except (NoPolynomial, NoAlgebra) as reason:
            raise NoProblem(str(reason)) from reason
        if found.cut is not None and not cut:
            raise NoProblem("infinitely many values matter")
        return found

    def _joint(self, core: CoreProgram, names: tuple[str, ...], *, averaged: bool) -> DiscreteJoint[Polynomial]:
        whole = with_fixed(core, self.values)
        program = sunk_slice(whole, names)
        check_sums(program)
        joint = self._run(program, names, averaged=averaged)
        if (passed := self._passing(whole)) is not None:
            self.observed.append(passed)
        self.made += [joint, *self.observed]
        return joint

    def passing(self) -> DiscreteJoint[Polynomial] | None:
        """Return a distribution whose mass is the chance that all observations of the program pass, at least; None if no parameter matters to it.

        Raises:
            NoPolynomial: if it is none of polynomials.
            Fault: of the program.
        """
        return self._passing(with_fixed(self.scope.core, self.values))

    def _passing(self, whole: CoreProgram) -> DiscreteJoint[Polynomial] | None:
        program = watched(whole)
        if program is None:
            return None
        if any(name in whole.parameters for name in names_read(program.statements)):
            return self._run(program, ())
        try:
            self._run(program, ())
        except Fault as fault:
            if fault.diagnostic.rule is IMPOSSIBLE_OBSERVATION:
                raise
        return None  # some run passes, at one point if at another

    def _run(
        self, program: CoreProgram, names: tuple[str, ...], *, averaged: bool = False
    ) -> DiscreteJoint[Polynomial]:
        """Run a sliced program; infinite laws are finite ones, with what they leave out."""
        known = finite(program, names, self.ranges, averaged=averaged)
        if known is None:
            return run(program, names, {}, polynomials(program), self.budget)
        joint = run(known.core, names, {}, known.ring, self.budget)
        return replace(joint, cut=cut_of(known.cutting, known.whole, names, {}, self.budget.states))
