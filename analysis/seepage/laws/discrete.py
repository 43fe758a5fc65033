"""A discrete law that the language names, as its own file tells it, and what its file reads of the arguments of a draw.

Weights are of any ring, so that a program's parameters may stay symbolic; what a draw is given is read by :class:`Given`, which engines make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, TypeVar

from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.laws.arguments import Arguments, Known, Wrong, nothing_wrong
from seepage.laws.infinite import Infinite
from seepage.laws.spread import Spread
from seepage.word import DistributionWord, Domain, Parameter, Support, law_word

if TYPE_CHECKING:  # a check needs no numpy
    from numpy.typing import NDArray

    Column: TypeAlias = NDArray[Any]

C = TypeVar("C")

TRUTH = Support(0, 1, whole=True)
COUNT = Support(0, whole=True)
WHOLE = Support(whole=True)

BY_POSITION = "its arguments have no names"
CHANCE = Parameter(name="p", meaning="the probability of 1", domain=Domain.PROBABILITY)
SUCCESS = Parameter(name="p", meaning="the probability of a success", domain=Domain.PROBABILITY)
CENTRE = Parameter(name="centre", meaning="the most likely value", domain=Domain.INTEGER, sample="0", optional=True)

_CUT = "values far out are cut off, and the bounds of each number account for them"


class Weights(Protocol[C]):
    """Sums and products, which is all that becomes of weights; exact rationals, balls, polynomials in the parameters, …"""

    zero: C
    one: C

    def add(self, a: C, b: C) -> C:
        """Return a + b."""
        ...

    def multiply(self, a: C, b: C) -> C:
        """Return a · b."""
        ...

    def complement(self, a: C) -> C:
        """Return 1 − a."""
        ...

    def rational(self, numerator: int, denominator: int = 1) -> C:
        """Return a rational number."""
        ...

    def is_zero(self, a: C) -> bool:
        """Tell whether a is known to be exactly 0 (such states are unreachable and dropped)."""
        ...


class Given(Arguments, Protocol[C]):
    """The same of a law with finitely many values, whose probabilities are weights of a ring."""

    @property
    def ring(self) -> Weights[C]:
        """The ring of the weights."""
        ...

    @property
    def repeated(self) -> int:
        """How many arguments there are of a parameter that is repeated."""
        ...

    def probability(self, name: str) -> C:
        """Return an argument in [0, 1] as a weight."""
        ...

    def weight(self, chance: Number) -> C:
        """Return a number in [0, 1] as a weight."""
        ...

    def shares(self) -> list[tuple[int, C]]:
        """Return the positions of the repeated arguments that are not 0, as weights that sum to 1."""
        ...

    def need(self, size: int) -> None:
        """Make sure that so many values are not too many."""
        ...


class Masses(Protocol):
    """The values of a law with their probabilities; some may be 0."""

    def __call__(self, given: Given[C], /) -> Iterator[tuple[int, C]]:
        """Yield them."""
        ...


@dataclass(frozen=True, slots=True)
class DiscreteLaw:
    """What the file of a law tells.

    Attributes:
        word: its name, its parameters with their domains, and where its values lie: all that a check, an editor and a page say of it. Where it says
            nothing of the values, they are the law's arguments, and those of ``masses`` and ``sample`` are positions of these.
        sample: draws by one of numpy's generators: ``sample(random, size, **parameters)``, a value of each parameter for each run, whole numbers
            of those that are; of a repeated parameter as positional arguments, and of a law whose arguments are its values their number alone. The
            domains of the word hold; ``ValueError`` says what else a parameter may not be.
        wrong: what a check finds of arguments that are right one by one.
        takes: a value other than 0 and 1 that the law surely takes, by the arguments that are known; None where that is not known.
    """

    word: DistributionWord
    sample: Callable[..., Column]
    wrong: Callable[[Known], Wrong] = field(default=nothing_wrong, kw_only=True)
    takes: Callable[[Known], int | None] = field(default=lambda _: None, kw_only=True)


@dataclass(frozen=True, slots=True)
class FiniteLaw(DiscreteLaw):
    """One with finitely many values.

    Attributes:
        masses: these with their probabilities.
    """

    masses: Masses
    spread: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class UnboundedLaw(DiscreteLaw):
    """One with infinitely many values.

    Attributes:
        member: the law that its arguments say, or the only value that it has.
        spread: what is known of it as noise; None of a law that no release is hidden behind.
        sized: the law of a size (:attr:`Spread.names`) around 0, of one that has a ``spread``.
    """

    member: Callable[[Arguments], Infinite | int]
    spread: Spread | None = None
    sized: Callable[[Number], Infinite] | None = None

    @property
    def falls(self) -> bool:
        """Whether its probabilities fall by one ratio (:attr:`Infinite.fall`): what bounds the loss of whole numbers."""
        return self.spread is not None and self.spread.bounds_loss is not None


def finite(
    name: str, summary: str, example: str, *parameters: Parameter, values: Support | None, details: tuple[str, ...] = ()
) -> DistributionWord:
    """Return the word of a law with finitely many values.

    Args:
        name: of the law.
        summary: one sentence without a full stop.
        example: a call of it.
        parameters: in order.
        values: where they lie; None where they are the arguments.
        details: further sentences.
    """
    return law_word(name, "discrete", "finite", summary, _shown(example), *parameters, details=details, values=values)


def unbounded(name: str, summary: str, example: str, *parameters: Parameter, values: Support) -> DistributionWord:
    """Return the word of a law with infinitely many values; arguments as of :func:`finite`."""
    return law_word(name, "discrete", "infinite", summary, _shown(example), *parameters, details=(_CUT,), values=values)


def centre_of(given: Arguments, name: str) -> int:
    """Return the centre of a symmetric law, by the law's name for a fault."""
    return given.integer("centre", f"the centre of '{name}'") if given.has("centre") else 0


def _shown(example: str) -> str:
    return f"x ~ {example}\nshow E(x)\n"
