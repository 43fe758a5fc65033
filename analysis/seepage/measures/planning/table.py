r"""What is known of each measure of the language, as data: its shape, its unit, and how it folds over parts.

*Over parts*: the measure of independent pairs :math:`(x_i, y_i)` from the measures of the pairs. A relation of ``=`` is an equality, ``<=`` says that the fold
is an upper bound, ``>=`` that it is a lower one. Channel measures (``reads_prior`` is false) fold over parts of the channel, whose inputs must form a product.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from seepage.syntax.tree import Separator

Relation: TypeAlias = Literal["=", "<=", ">="]
End: TypeAlias = Literal["largest", "least"]
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
        dimension: the power of the unit of information in it.
        reads_prior: whether it depends on the law of x, and not only on the channel from x to y.
        over_parts: rules for independent pairs.
        attacker: the end that an attacker wants; of measures of x given y only where y is seen. None for measures without such a direction.
        under_processing: what the number is to that of outputs of which y is a function: ``<=`` where less is told by it; None where y is not seen.
    """

    name: str
    shape: Shape
    dimension: Literal[0, 1]
    reads_prior: bool
    over_parts: tuple[Rule, ...] = ()
    under_processing: Relation | None = None
    attacker: End | None = None


_CHAIN = "chain rule, Cover and Thomas 2006, theorems 2.2.1 and 2.5.2"
_GUESSING = "Alvim et al. 2020, The Science of Quantitative Information Flow, theorem 4.8"
_COMPOSED = "Dwork and Roth 2014, The Algorithmic Foundations of Differential Privacy, theorem 3.14; parallel composition, McSherry 2009"
_ADDED = "van Erven, Harremoës 2014, Rényi Divergence and Kullback-Leibler Divergence, theorem 28"

_ROWS = (
    Measure("H", "of x given y", 1, True, (Rule("=", Fold.SUM, _CHAIN),), ">=", "least"),
    Measure("I", "x and y", 1, True, (Rule("=", Fold.SUM, _CHAIN),), "<=", "largest"),
    Measure("KL", "law against law", 1, True, (Rule("=", Fold.SUM, "Cover and Thomas 2006, theorem 2.5.3"),)),
    Measure("P", "value", 0, True, (Rule("=", Fold.BY_VALUE, "independence"),)),
    Measure("E", "value", 0, True, (Rule("=", Fold.BY_VALUE, "linearity, independence"),)),
    Measure("Var", "value", 0, True, (Rule("=", Fold.BY_VALUE, "variances of independent terms add up"),)),
    Measure("V", "of x given y", 0, True, (Rule("=", Fold.PRODUCT, _GUESSING),), "<=", "largest"),
    Measure("Hmin", "of x given y", 1, True, (Rule("=", Fold.SUM, _GUESSING),), ">=", "least"),
    Measure(
        "Guess",
        "of x given y",
        0,
        True,
        (Rule("=", Fold.GUESSES, "by definition, levels of equal chance"),),
        ">=",
        "least",
    ),
    Measure("Lmin", "channel", 1, True, (Rule("=", Fold.SUM, _GUESSING),), "<=", "largest"),
    Measure("G", "channel", 1, True, (), "<=", "largest"),
    Measure("C", "channel", 1, False, (Rule("=", Fold.SUM, "Cover and Thomas 2006, section 9.4"),), "<=", "largest"),
    Measure("Cmin", "channel", 1, False, (Rule("=", Fold.SUM, _GUESSING),), "<=", "largest"),
    Measure("DP", "channel", 0, False, (Rule("=", Fold.LARGEST, _COMPOSED),), "<=", "largest"),
    Measure(
        "Delta",
        "channel",
        0,
        False,
        (Rule("=", Fold.CONVOLVED, "Sommer, Meiser, Mohammadi 2019, Privacy Loss Classes"),),
        "<=",
        "largest",
    ),
    Measure("Renyi", "channel", 0, False, (Rule("=", Fold.LARGEST, _ADDED),), "<=", "largest"),
    Measure("zCDP", "channel", 0, False, (Rule("=", Fold.CONVOLVED, _ADDED),), "<=", "largest"),
)

MEASURES: Mapping[str, Measure] = {row.name: row for row in _ROWS}
