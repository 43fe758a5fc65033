"""What engines are asked and what they hand on: joint sub-distributions of the asked-for variables.

Nothing is normalised here; the total mass is ``wp⟦S⟧(1)``, the probability (or density) that every observe passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Generic, TypeAlias, TypeVar

from flint import arb, fmpq

from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.diagnostics import Reason
from seepage.distributions.families import Ring as Ring
from seepage.exact import Number

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits, each checked where the thing grows; ``deadline`` is of the thread that works.

    ``states`` is on those held one by one; ``rows`` on those held in columns. ``memory`` is in bytes, on the states of one run.
    Infinite supports are cut where at most 2^−tail_bits of their mass is left out.
    """

    states: int = 300_000
    rows: int = 4_800_000
    memory: int = 1 << 30
    components: int = 4_096
    deadline: Deadline | None = None
    tail_bits: int = 128

    def expired(self) -> bool:
        """Tell whether the deadline has passed."""
        return self.deadline is not None and self.deadline.passed()


@dataclass(frozen=True, slots=True)
class Cut:
    """What was cut off a distribution whose support is infinite: runs that no entry of ``masses`` holds.

    Attributes:
        mass: at least their weight, unnormalised as the masses beside it; where their values lie, and whether they would have passed
            the observations, is unknown.
        entropy: at least −Σ p log p over those runs, each counted alone (so over any values computed from them, too), in nats; +∞ where no bound is known.
        moments: for variables that are asked for, at least Σ p |v| and Σ p v² over those runs; a variable without an entry may have infinite ones.
        alike: of a mixture, whether those runs are components, too, each with the rank, the covariance matrix and the places of atoms that some
            component of the mixture has. ``entropy`` is that of the components' weights, or bounds it.
        discrete: of a mixture, variables that are discrete in those runs, too.
        whole: variables that are whole numbers in those runs.
        sizes: for variables that have at most so many values in those runs, the logarithm of that number, in nats.
    """

    mass: arb
    entropy: arb
    moments: Mapping[str, tuple[arb, arb]] = field(default_factory=dict)
    alike: bool = False
    discrete: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    sizes: Mapping[str, arb] = field(default_factory=dict)

    def about(self, *sides: Sequence[str]) -> Cut:
        """Return the same with a bound of the entropy of the values of variables in those runs, that of the side of which it is least.

        Such an entropy, times its weight, is at most the weight times the logarithm of the number of values.
        """
        entropies = [sum((self.sizes.get(name, arb("inf")) for name in side), arb(0)) * self.mass for side in sides]
        return replace(self, entropy=min((self.entropy, *(each for each in entropies if each.is_finite()))))


@dataclass(frozen=True, slots=True)
class DiscreteJoint(Generic[C]):
    """A sub-distribution over the values of ``variables``: ``masses[values]``, no zero entries, ``mass`` their sum.

    With ``cut``, each true mass is between ``masses[values]`` and that plus ``cut.mass``, and all excesses together are at most ``cut.mass``.
    """

    variables: tuple[str, ...]
    ring: Ring[C]
    masses: Mapping[tuple[Number, ...], C]
    mass: C
    cut: Cut | None = None

    def positions(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return where variables stand in the tuples of values.

        Raises:
            ValueError: if this law is not about one of them.
        """
        for name in names:
            if name not in self.variables:
                raise ValueError(f"the joint distribution is over {self.variables}, not {name!r}")
        return tuple(self.variables.index(name) for name in names)

    def support(self, names: Sequence[str]) -> list[tuple[Number, ...]]:
        """Return the values that some of the variables have together, each once, in the order of the outcomes."""
        places = self.positions(names)
        return list(dict.fromkeys(tuple([values[place] for place in places]) for values in self.masses))

    def marginal(self, names: tuple[str, ...]) -> DiscreteJoint[C]:
        """Return the law of some of the variables, in the order asked for; what was cut stays cut."""
        places = self.positions(names)
        masses: dict[tuple[Number, ...], C] = {}
        for values, mass in self.masses.items():
            key = tuple([values[place] for place in places])
            masses[key] = self.ring.add(masses[key], mass) if key in masses else mass
        return replace(self, variables=names, masses=masses)


@dataclass(frozen=True, slots=True)
class MixtureComponent:
    """One component of a Gaussian mixture with exact discrete coordinates.

    Attributes:
        weight: unnormalised, positive; an exact rational as long as nothing was reweighted by a density.
        values: per variable its exact value where it is an atom, None where it is continuous.
        coefficients: one row per continuous variable (in order): exact coefficients over sources whose covariance is
            positive definite. Ranks of rows decide all degeneracy questions, exactly.
        mean: enclosures, one per continuous variable.
        covariance: enclosures, square over the continuous variables; not symmetric positive *definite* if rows are dependent.
        law: hashable; equal laws imply the same Gaussian over the continuous variables (the converse may fail).
    """

    weight: fmpq | arb
    values: tuple[Number | None, ...]
    coefficients: tuple[tuple[Number, ...], ...]
    mean: tuple[arb, ...]
    covariance: tuple[tuple[arb, ...], ...]
    law: object = field(compare=False)


@dataclass(frozen=True, slots=True)
class MixtureJoint:
    """A sub-distribution as a mixture; exact if and only if ``approximations`` is empty.

    With ``cut``, components of the total weight ``cut.mass``, at most, are missing.
    """

    variables: tuple[str, ...]
    components: tuple[MixtureComponent, ...]
    approximations: tuple[Reason, ...] = ()
    cut: Cut | None = None


Joint: TypeAlias = DiscreteJoint[fmpq] | DiscreteJoint[arb] | MixtureJoint
