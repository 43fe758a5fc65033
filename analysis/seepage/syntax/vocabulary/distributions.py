"""The named distributions: the laws that files of their own say (:mod:`seepage.laws`), and mixtures of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from seepage.laws.discrete import BY_POSITION
from seepage.laws.table import DISCRETE_LAWS, NAMED_LAWS
from seepage.word import DistributionWord, Domain, Parameter, law_word

_MIXTURE = law_word(
    "mixture",
    None,
    None,
    "one of several distributions, each with its weight; outside of another mixture `w1*D1 + w2*D2` says the same",
    "x ~ mixture(1/3: normal(0, 1), 2/3: normal(4, 1))\nshow E(x)\n",
    Parameter(
        name="part",
        meaning="a weight and what it weighs; the weights sum to 1",
        domain=Domain.PART,
        repeated=("w1: D1", "w2: D2", "…"),
    ),
    details=(BY_POSITION,),
    values=None,
)

DISTRIBUTIONS: Mapping[str, DistributionWord] = MappingProxyType(
    {
        word.name: word
        for word in (
            *(law.word for law in DISCRETE_LAWS.values()),
            _MIXTURE,
            *(law.word for law in NAMED_LAWS.values()),
        )
    }
)
"""Every named distribution, and ``mixture``."""
