"""What must hold in ranges of parameters for a program to have a meaning there, where its laws are no polynomials in them: read from its statements."""

from __future__ import annotations

from collections.abc import Sequence

from seepage.data_classes import dataclass
from seepage.laws.arguments import nothing_wrong
from seepage.laws.table import DISCRETE_LAWS, NAMED_LAWS
from seepage.measures.formulas.definedness import Demands
from seepage.measures.ranges.settling import is_total
from seepage.semantics.binding import bound_arguments
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.expressions import arguments_of, plain_names
from seepage.syntax.tree import Distribution, Expression, Family, Name
from seepage.word import Domain


def demands_on(core: CoreProgram, demands: Demands) -> bool:
    """State what laws need; False where more than what they need depends on the parameters: which statements are run, or whether values exist.

    Observations are not looked at, whose chance to pass is another question.

    Args:
        core: a program that has a meaning at one point of the ranges, without parameters other than theirs.
        demands: of the ranges.

    Raises:
        NoAlgebra: if what a law needs cannot be said.
    """
    return _Walk(core, demands, dict.fromkeys(demands.parameters)).block(core.statements)


@dataclass(frozen=True, slots=True)
class _Walk:
    core: CoreProgram
    demands: Demands
    varying: dict[str, None]  # the parameters, and variables whose values depend on them

    def block(self, statements: Sequence[CoreStatement]) -> bool:
        """Follow statements."""
        return all(self._statement(each) for each in statements)

    def _statement(self, statement: CoreStatement) -> bool:
        match statement:
            case CoreAssign(target=Name(id=name), value=value):
                if not self._varies(value):
                    return True
                self.varying[name] = None
                return is_total(value)
            case CoreSample(target=Name(id=name), distribution=distribution):
                if not any(map(self._varies, arguments_of(distribution))):
                    return True
                self.varying[name] = None
                return self._law(distribution)
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                return not self._varies(condition) and self.block(consequent) and self.block(alternative)
            case CoreObserve(condition=condition):
                return is_total(condition) or not self._varies(condition)
            case _:
                return False

    def _varies(self, expression: Expression) -> bool:
        return any(
            name in self.varying or any(f"{name}[{i}]" in self.varying for i in self.core.arrays.get(name, ()))
            for name in plain_names(expression)
        )

    def _law(self, law: Distribution) -> bool:
        known = {**NAMED_LAWS, **DISCRETE_LAWS}.get(law.name) if isinstance(law, Family) else None
        if known is None or not isinstance(law, Family) or known.wrong is not nothing_wrong:
            return False
        arguments = bound_arguments(law)
        domains = {
            called: one.domain
            for one in known.word.parameters
            if not one.repeated
            for called in (one.name, *(alias for alias, _ in one.aliases))
        }
        return arguments is not None and all(
            name in domains and self._argument(domains[name], argument)
            for name, argument in arguments.items()
            if self._varies(argument)
        )

    def _argument(self, domain: Domain, argument: Expression) -> bool:
        if domain is Domain.REAL:
            return is_total(argument)
        if any(name not in self.demands.parameters for name in plain_names(argument)):
            return False
        match domain:
            case Domain.POSITIVE:
                self.demands.positive(argument)
            case Domain.NOT_NEGATIVE:
                self.demands.not_negative(argument)
            case Domain.PROBABILITY:
                self.demands.probabilities((argument,))
            case _:
                return False
        return True
