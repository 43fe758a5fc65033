"""A law that the language names, as its own file tells it, and the words of such laws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.laws.arguments import Arguments, Known, Wrong, nothing_wrong
from seepage.laws.draws import Draw, Values
from seepage.laws.spread import Spread
from seepage.word import LINE, DistributionWord, Domain, Exactness, Parameter, Support, law_word

if TYPE_CHECKING:  # a check needs no numpy
    from numpy import float64
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[float64]

INTEGRATED: Mapping[Exactness, tuple[str, ...]] = {
    "exact": (),
    "matched": (
        "no Gaussian mixture: integrated where its density allows, elsewhere replaced by a normal of the same moments, and approximate",
    ),
    "explicit": ("no Gaussian mixture: integrated where its density allows, elsewhere there is no number",),
}
"""What is said of a continuous law, by how exact its numbers are."""

POSITIVE = Support(0)
BETWEEN = Support("a", "b")
LOCATION = Parameter(name="location", meaning="where it is centred")
SHAPE = Parameter(name="shape", meaning="the shape", domain=Domain.POSITIVE)
SCALE = Parameter(name="scale", meaning="how far it spreads", domain=Domain.POSITIVE)


@dataclass(frozen=True, slots=True)
class NamedLaw:
    """What the file of a law tells.

    Attributes:
        word: its name, its parameters with their domains, and where its values lie: all that a check, an editor and a page say of it.
        draw: what a draw is, by the values of its parameters: a location plus a scale times a source with a density.
        sample: draws by one of numpy's generators: ``sample(random, size, **parameters)``, a value of each parameter for each run. The domains of the word
            hold; ``ValueError`` says what else a parameter may not be.
        spread: what is known of it as noise; None of a law that no release is hidden behind.
        moments: mean and variance as exact numbers, of a law whose word says that a normal of the same two may stand for it; it
            gives None where there is no variance.
        wrong: what a check finds of arguments that are right one by one.
    """

    word: DistributionWord
    draw: Callable[[Values], Draw]
    sample: Callable[..., Floats]
    spread: Spread | None = None
    moments: Callable[[Arguments], tuple[Number, Number] | None] | None = None
    wrong: Callable[[Known], Wrong] = nothing_wrong


def continuous(
    name: str,
    exactness: Exactness,
    summary: str,
    example: str,
    *parameters: Parameter,
    values: Support = LINE,
) -> DistributionWord:
    """Return the word of a law that has a density.

    Args:
        name: of the law.
        exactness: how exact its numbers are (:class:`seepage.word.DistributionWord`).
        summary: one sentence without a full stop.
        example: a call of it.
        parameters: in order.
        values: where they lie.
    """
    shown = f"x ~ {example}\nshow {'P(x <= 2)' if exactness == 'explicit' else 'E(x)'}\n"
    said = INTEGRATED[exactness]
    return law_word(
        name, "continuous", "infinite", summary, shown, *parameters, details=said, exactness=exactness, values=values
    )
