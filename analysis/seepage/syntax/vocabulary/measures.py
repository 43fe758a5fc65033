"""The measures of ``show`` and ``require``, and the gains of ``G``. What they mean is defined in ``docs/measures.md``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from seepage.word import Domain, MeasureWord, Parameter, Word, form_of

_Unit = Literal["information", "natural", "none"]
_PROGRAM = "x ~ uniform_int(0, 3)\ny := x % 2\nshow {0}\n"


def _word(
    unit: _Unit, summary: str, example: str, *parameters: Parameter, phrase: str, details: tuple[str, ...] = ()
) -> MeasureWord:
    name = example.partition("(")[0]
    form, parts = form_of(name, parameters)
    return MeasureWord(
        name=name,
        sort="measure",
        summary=summary,
        form=form,
        parameters=parameters,
        parts=parts,
        details=details,
        example=_PROGRAM.format(example),
        unit=unit,
        phrase=phrase,
    )


def _information(
    summary: str, example: str, *parameters: Parameter, phrase: str, details: tuple[str, ...] = ()
) -> MeasureWord:
    return _word("information", summary, example, *parameters, phrase=phrase, details=details)


def _number(
    summary: str, example: str, *parameters: Parameter, phrase: str, details: tuple[str, ...] = ()
) -> MeasureWord:
    return _word("none", summary, example, *parameters, phrase=phrase, details=details)


_X = Parameter(name="x", meaning="what is measured", domain=Domain.VARIABLES)
_GIVEN = Parameter(
    name="y", meaning="what is known: variables, or an event", domain=Domain.GIVEN, lead="|", optional=True
)
_ALSO_GIVEN = Parameter(
    name="z", meaning="what is known: variables, or an event", domain=Domain.GIVEN, lead="|", optional=True
)
_EVENT = Parameter(name="c", meaning="what has happened", domain=Domain.CONDITION, lead="|", optional=True)
_EXPRESSION = Parameter(name="e", meaning="any expression", domain=Domain.EXPRESSION)
_SECRET = Parameter(name="x", meaning="what goes into the channel", domain=Domain.VARIABLES)
_SEEN = Parameter(name="y", meaning="what comes out of it", domain=Domain.VARIABLES, lead="->")
_POWER = Parameter(
    name="power",
    meaning="how large the mean of the sum of the squares of real inputs may be, all laws of which are tried",
    domain=Domain.NOT_NEGATIVE,
    sample="p",
    optional=True,
)
_DISTANCE = Parameter(
    name="distance",
    meaning="which inputs are neighbours: numbers at most so far apart, records that differ in at most so many elements; "
    "all pairs if it is left out",
    domain=Domain.POSITIVE,
    sample="k",
    optional=True,
)
_METRIC = Parameter(
    name="metric",
    meaning="how far inputs are apart; with it the ε is one for each unit of distance, unless `distance` says which inputs are neighbours",
    domain=Domain.METRIC,
    sample="m",
    optional=True,
)
_NEIGHBOURS = Parameter(
    name="neighbours",
    meaning="the pairs of inputs that are compared, in the place of `distance`: the outputs of the first against those of the second",
    domain=Domain.PAIRS,
    sample="n",
    optional=True,
)
_DELTA = Parameter(
    name="delta",
    meaning="the δ that is allowed; 0 if it is left out",
    domain=Domain.PROBABILITY,
    sample="d",
    optional=True,
)
_EPSILON = Parameter(name="eps", meaning="the ε that is claimed", domain=Domain.NOT_NEGATIVE, sample="e")
_ALPHA = Parameter(
    name="alpha", meaning="the order α, at least 1; 1 is Kullback and Leibler's", domain=Domain.POSITIVE, sample="a"
)
_WORST = Parameter(
    name="z", meaning="what is held fixed, at its worst values", domain=Domain.VARIABLES, lead="|", optional=True
)
_PRIOR_FREE = ("does not depend on how `x` is distributed",)
_AVERAGED = ("what is not named is drawn as the program says, and not at its worst",)

MEASURES: Mapping[str, MeasureWord] = MappingProxyType(
    {
        word.name: word
        for word in (
            _information(
                "entropy, what is not known of x; differential where x is continuous", "H(x | y)", _X, _GIVEN,
                phrase="the uncertainty about {x}",
            ),
            _information(
                "mutual information, how much y tells about x",
                "I(x; y)",
                Parameter(name="x", meaning="one side", domain=Domain.VARIABLES),
                Parameter(name="y", meaning="the other side", domain=Domain.VARIABLES, lead=";"),
                _ALSO_GIVEN,
                phrase="what can be learnt about {x} from {y}",
            ),
            _information(
                "divergence of two distributions; `KL(x | o == 9 || x)` is what an attacker learns from seeing 9",
                "KL(x | y == 1 || x)",
                Parameter(name="x", meaning="what is so", domain=Domain.VARIABLES),
                Parameter(name="a", meaning="what has happened there", domain=Domain.CONDITION, lead="|", optional=True),
                Parameter(name="y", meaning="what was believed", domain=Domain.VARIABLES, lead="||"),
                Parameter(name="b", meaning="what has happened there", domain=Domain.CONDITION, lead="|", optional=True),
                phrase="the divergence of {x} from {y}",
            ),
            _information(
                "Rényi's divergence of order α of two distributions; `KL` is that of order 1",
                "Dalpha(x || y, alpha=2)",
                Parameter(name="x", meaning="what is so", domain=Domain.VARIABLES),
                Parameter(name="a", meaning="what has happened there", domain=Domain.CONDITION, lead="|", optional=True),
                Parameter(name="y", meaning="what was believed", domain=Domain.VARIABLES, lead="||"),
                Parameter(
                    name="alpha", meaning="the order α, above 0", domain=Domain.POSITIVE, sample="a", optional=True
                ),
                Parameter(name="b", meaning="what has happened there", domain=Domain.CONDITION, lead="|", optional=True),
                phrase="the divergence of {x} from {y} of an order",
            ),
            _number(
                "probability of an event",
                "P(x == 3 | y == 1)",
                Parameter(name="b", meaning="the event", domain=Domain.CONDITION),
                _EVENT,
                phrase="the probability that {x}",
            ),
            _number(
                "mean", "E(x | y == 1)", _EXPRESSION, _EVENT,
                phrase="the mean of {x}",
            ),
            _number(
                "variance", "Var(x)", _EXPRESSION, _EVENT,
                phrase="the variance of {x}",
            ),
            _information(
                "min-entropy, −log of the chance `V` to guess x at once", "Hmin(x | y)", _X, _GIVEN,
                phrase="the difficulty of guessing {x} at once",
            ),
            _number(
                "Bayes vulnerability, the chance to guess x in one try", "V(x | y)", _X, _GIVEN,
                phrase="the chance to guess {x} in one try",
            ),
            _number(
                "guessing entropy, the expected number of guesses in the best order", "Guess(x | y)", _X, _GIVEN,
                phrase="the number of guesses at {x} that are needed on average",
            ),
            _information(
                "min-entropy leakage, by how much y makes x easier to guess at once", "Lmin(x -> y)", _SECRET, _SEEN,
                phrase="the help of {y} in guessing {x} at once",
            ),
            _information(
                "Shannon capacity, the largest mutual information over all priors of x",
                "C(x -> y)", _SECRET, _SEEN, _POWER, details=_PRIOR_FREE,
                phrase="the most that can be learnt about {x} from {y}, whatever is likely beforehand,",
            ),
            _information(
                "min-capacity, the largest min-entropy leakage over all priors of x",
                "Cmin(x -> y)", _SECRET, _SEEN, details=_PRIOR_FREE,
                phrase="the most help of {y} in guessing {x} at once, whatever is likely beforehand,",
            ),
            _word(
                "natural",
                "the smallest ε for which the channel is (ε, δ)-differentially private, in natural units",
                "DP(x -> y)", _SECRET, _SEEN, _METRIC, _NEIGHBOURS, _DISTANCE, _DELTA, _WORST, details=(*_PRIOR_FREE, *_AVERAGED),
                phrase="the ε of differential privacy of {y} with regard to {x}",
            ),
            _number(
                "the smallest δ for which the channel is (ε, δ)-differentially private",
                "Delta(x -> y, eps=1)", _SECRET, _SEEN, _EPSILON, _NEIGHBOURS, _DISTANCE, _WORST, details=(*_PRIOR_FREE, *_AVERAGED),
                phrase="the δ of differential privacy of {y} with regard to {x}",
            ),
            _word(
                "natural",
                "Rényi differential privacy: the largest Rényi divergence of order α between what comes out for two neighbours, in natural units",
                "Renyi(x -> y, alpha=2)", _SECRET, _SEEN, _ALPHA, _NEIGHBOURS, _DISTANCE, details=(*_PRIOR_FREE, *_AVERAGED),
                phrase="the Rényi divergence of {y} between neighbouring values of {x}",
            ),
            _word(
                "natural",
                "zero-concentrated differential privacy: the smallest ρ for which each Rényi divergence of order α is at most ρ·α",
                "zCDP(x -> y)", _SECRET, _SEEN, _NEIGHBOURS, _DISTANCE, details=(*_PRIOR_FREE, *_AVERAGED),
                phrase="the ρ of concentrated differential privacy of {y} with regard to {x}",
            ),
            _information(
                "g-leakage, by how much y makes a guess at x gain more",
                "G(x -> y, tries(2))",
                _SECRET,
                _SEEN,
                Parameter(name="gain", meaning="what a guess gains", domain=Domain.GAIN),
                phrase="the help of {y} to somebody who gains by guessing {x}",
            ),
        )
    }
)  # fmt: skip
"""Every measure."""

GAINS: Mapping[str, Word] = MappingProxyType(
    {
        "guess": Word(
            name="guess",
            sort="gain",
            summary="1 for the right value, 0 for any other",
            form="guess",
            example=_PROGRAM.format("G(x -> y, guess)"),
        ),
        "distance": Word(
            name="distance",
            sort="gain",
            summary="1 − abs(guess − value) / (largest − smallest value)",
            form="distance",
            example=_PROGRAM.format("G(x -> y, distance)"),
        ),
        "tries": Word(
            name="tries",
            sort="gain",
            summary="1 if the value is among `k` guesses",
            form="tries(k)",
            parameters=(Parameter(name="k", meaning="how many guesses there are", domain=Domain.COUNT),),
            example=_PROGRAM.format("G(x -> y, tries(2))"),
        ),
    }
)
"""What may stand last in ``G``, besides a table ``{(guess, value): gain, …}``."""

METRICS: Mapping[str, Word] = MappingProxyType(
    {
        name: Word(
            name=name,
            sort="metric",
            summary=summary,
            form=name,
            example=_PROGRAM.format(f"DP(x -> y, metric={name}, delta=1/2)"),
        )
        for name, summary in (
            ("difference", "the sum of the differences of numbers, place by place"),
            ("places", "how many places of an array or a list differ"),
            ("euclid", "the length of the straight line between two points"),
        )
    }
)
"""What may stand behind ``metric=``, besides a table ``{(v, w): d, …}``."""
