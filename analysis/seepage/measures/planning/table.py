r"""What is known of each measure of the language, as data: its shape, its unit, and how it folds over parts.

*Over parts*: the measure of independent pairs :math:`(x_i, y_i)` from the measures of the pairs. A relation of ``=`` is an equality, ``<=`` says that the fold
is an upper bound, ``>=`` that it is a lower one. Channel measures (``reads_prior`` is false) fold over parts of the channel, whose inputs must form a product.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, TypeAlias, TypeVar

from seepage.data_classes import dataclass
from seepage.syntax.tree import MeasureCall, Separator

T = TypeVar("T")

Relation: TypeAlias = Literal["=", "<=", ">="]
End: TypeAlias = Literal["largest", "least"]
Functional: TypeAlias = Literal[
    "entropy",
    "divergence",
    "divergence of an order",
    "chance",
    "mean",
    "variance",
    "gain",
    "tries",
    "loss",
    "excess of loss",
    "moment of loss",
    "slope of moments",
]
Shape: TypeAlias = Literal["of x given y", "x and y", "law against law", "value", "channel"]


SEPARATORS: Mapping[Shape, Separator | None] = {
    "of x given y": None,
    "value": None,
    "x and y": ";",
    "law against law": "||",
    "channel": "->",
}


class Fold(StrEnum):
    """How the numbers of parts become the number of the whole."""

    SUM = "sum"
    PRODUCT = "product"
    LARGEST = "sum of the k largest"
    BY_VALUE = "by the value's own sums and products"
    GUESSES = "by levels of equal chance"
    CONVOLVED = "losses convolved"


@dataclass(frozen=True, slots=True)
class Rule:
    """How a measure folds, which side that bounds, and where the rule is from."""

    relation: Relation
    fold: Fold
    source: str


@dataclass(frozen=True, slots=True)
class Measure:
    """One row.

    Attributes:
        name: in the language.
        shape: what stands in its parentheses.
        functional: what of a law it is: for ``x and y`` and channels a difference of two, or the largest over all priors if it reads none.
        dimension: the power of the unit of information in it.
        reads_prior: whether it depends on the law of x, and not only on the channel from x to y.
        over_parts: rules for independent pairs.
        attacker: the end that an attacker wants; of measures of x given y only where y is seen. None for measures without such a direction.
        chooses_gain: whether what an attacker gains by a guess is said in the call, and else 1 for the right one.
        under_processing: what the number is to that of outputs of which y is a function: ``<=`` where less is told by it; None where y is not seen.
        least: what it is at least, whatever the program is; None where nothing limits it.
        most: what it is at most, likewise.
    """

    name: str
    shape: Shape
    functional: Functional
    dimension: Literal[0, 1]
    reads_prior: bool
    over_parts: tuple[Rule, ...] = ()
    under_processing: Relation | None = None
    attacker: End | None = None
    chooses_gain: bool = False
    least: int | None = 0
    most: int | None = None

    @property
    def width(self) -> int | None:
        """How far apart values of it can be; None where nothing limits that."""
        return None if self.least is None or self.most is None else self.most - self.least

    @property
    def is_of_value(self) -> bool:
        """Whether it is of the value of one expression."""
        return self.shape == "value"

    @property
    def is_of_entropies(self) -> bool:
        """Whether it is a sum of entropies with signs: an entropy or an information under the program's own prior."""
        return self.functional == "entropy" and self.reads_prior

    def entropies(
        self, x: tuple[T, ...], y: tuple[T, ...], z: tuple[T, ...] = ()
    ) -> tuple[tuple[tuple[T, ...], int], ...]:
        """Return the variables whose joint entropies, with signs, sum to it: ``H(x | y)`` or ``I(x; y | z)``."""
        if self.shape == "of x given y":
            return ((*x, *y), 1), (y, -1)
        return ((*x, *z), 1), ((*y, *z), 1), ((*x, *y, *z), -1), (z, -1)

    @property
    def is_of_a_joint(self) -> bool:
        """Whether it is of the joint law of what it names under the program's own prior, and of nothing else."""
        return self.reads_prior and self.shape != "channel"

    @property
    def is_zero_of_independent(self) -> bool:
        """Whether it is 0 where what is seen does not depend on what is hidden, whatever is said beside these."""
        told = self.shape in ("x and y", "channel") and self.functional in ("entropy", "gain", "loss")
        return told and not self.chooses_gain

    @property
    def is_entropy(self) -> bool:
        """Whether it is what is not known of x."""
        return self.functional == "entropy" and self.shape == "of x given y"

    @property
    def is_information(self) -> bool:
        """Whether it is what two sides tell of each other."""
        return self.is_of_entropies and self.shape == "x and y"

    @property
    def is_sum_of_logarithms(self) -> bool:
        """Whether it is a sum of logarithms of probabilities under the program's own prior."""
        return self.functional in ("entropy", "divergence") and self.reads_prior

    @property
    def is_of_gains(self) -> bool:
        """Whether it is of an attacker's best guesses, under any prior."""
        return self.functional in ("gain", "tries")

    @property
    def is_of_guesses(self) -> bool:
        """Whether it is of an attacker's best guesses under the program's own prior."""
        return self.is_of_gains and self.reads_prior

    @property
    def is_chance_to_guess(self) -> bool:
        """Whether it is the chance that the best guess is right."""
        return self.functional == "gain" and self.shape == "of x given y" and self.dimension == 0

    @property
    def is_leakage(self) -> bool:
        """Whether what is expected after something is seen is told beside what was before."""
        return self.functional == "gain" and self.shape == "channel" and self.reads_prior

    @property
    def is_capacity(self) -> bool:
        """Whether it is the largest information over all priors."""
        return self.functional == "entropy" and not self.reads_prior

    @property
    def is_of_losses(self) -> bool:
        """Whether it is a number of differential privacy: ε or δ."""
        return self.functional in ("loss", "excess of loss")

    @property
    def is_of_moments(self) -> bool:
        """Whether it is a number of Rényi's divergences between the outputs of two inputs."""
        return self.functional in ("moment of loss", "slope of moments")

    @property
    def is_over_neighbours(self) -> bool:
        """Whether it is a supremum over pairs of inputs."""
        return self.is_of_losses or self.is_of_moments

    @property
    def is_loss(self) -> bool:
        """Whether it is the ε for a δ; the other number of losses is the δ for an ε."""
        return self.functional == "loss"


_CHAIN = "chain rule, Cover and Thomas 2006, theorems 2.2.1 and 2.5.2"
_GUESSING = "Alvim et al. 2020, The Science of Quantitative Information Flow, theorem 4.8"
_COMPOSED = "Dwork and Roth 2014, The Algorithmic Foundations of Differential Privacy, theorem 3.14; parallel composition, McSherry 2009"
_ADDED = "van Erven, Harremoës 2014, Rényi Divergence and Kullback-Leibler Divergence, theorem 28"

_ROWS = (
    Measure("H", "of x given y", "entropy", 1, True, (Rule("=", Fold.SUM, _CHAIN),), ">=", "least", least=None),
    Measure("I", "x and y", "entropy", 1, True, (Rule("=", Fold.SUM, _CHAIN),), "<=", "largest"),
    Measure(
        "KL", "law against law", "divergence", 1, True, (Rule("=", Fold.SUM, "Cover and Thomas 2006, theorem 2.5.3"),)
    ),
    Measure("Dalpha", "law against law", "divergence of an order", 1, True, (Rule("=", Fold.SUM, _ADDED),)),
    Measure("P", "value", "chance", 0, True, (Rule("=", Fold.BY_VALUE, "independence"),), most=1),
    Measure("E", "value", "mean", 0, True, (Rule("=", Fold.BY_VALUE, "linearity, independence"),), least=None),
    Measure("Var", "value", "variance", 0, True, (Rule("=", Fold.BY_VALUE, "variances of independent terms add up"),)),
    Measure("V", "of x given y", "gain", 0, True, (Rule("=", Fold.PRODUCT, _GUESSING),), "<=", "largest", most=1),
    Measure("Hmin", "of x given y", "gain", 1, True, (Rule("=", Fold.SUM, _GUESSING),), ">=", "least"),
    Measure(
        "Guess",
        "of x given y",
        "tries",
        0,
        True,
        (Rule("=", Fold.GUESSES, "by definition, levels of equal chance"),),
        ">=",
        "least",
        least=1,
    ),
    Measure("Lmin", "channel", "gain", 1, True, (Rule("=", Fold.SUM, _GUESSING),), "<=", "largest"),
    Measure("G", "channel", "gain", 1, True, (), "<=", "largest", chooses_gain=True),
    Measure(
        "C",
        "channel",
        "entropy",
        1,
        False,
        (Rule("=", Fold.SUM, "Cover and Thomas 2006, section 9.4"),),
        "<=",
        "largest",
    ),
    Measure("Cmin", "channel", "gain", 1, False, (Rule("=", Fold.SUM, _GUESSING),), "<=", "largest"),
    Measure("DP", "channel", "loss", 0, False, (Rule("=", Fold.LARGEST, _COMPOSED),), "<=", "largest"),
    Measure(
        "Delta",
        "channel",
        "excess of loss",
        0,
        False,
        (Rule("=", Fold.CONVOLVED, "Sommer, Meiser, Mohammadi 2019, Privacy Loss Classes"),),
        "<=",
        "largest",
        most=1,
    ),
    Measure("Renyi", "channel", "moment of loss", 0, False, (Rule("=", Fold.LARGEST, _ADDED),), "<=", "largest"),
    Measure("zCDP", "channel", "slope of moments", 0, False, (Rule("=", Fold.CONVOLVED, _ADDED),), "<=", "largest"),
)

MEASURES: Mapping[str, Measure] = {row.name: row for row in _ROWS}


def row_of(call: MeasureCall) -> Measure:
    """Return what is known of the measure of a call."""
    return MEASURES[call.name]
