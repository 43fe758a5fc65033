"""The ways that numbers are found, by the names that results, JSON and the panel give them: the one place where they are defined."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

Engine: TypeAlias = Literal[
    "dependence", "discrete", "elimination", "noise", "accounting", "soga", "paths", "induction", "strategies"
]

# From the way that says least about how a number came about to the one that says most.
SENTENCES: Mapping[Engine, str] = MappingProxyType(
    {
        "dependence": "what depends on what: nothing had to be computed",
        "discrete": "the law of discrete variables: as a table of their values, by classes of equally likely values, or in closed form",
        "elimination": "discrete variables eliminated one after the other, without their joint law",
        "noise": "the law of independent noise that is read from the program's text",
        "accounting": "the privacy losses of independent releases, composed",
        "soga": "second order Gaussian approximation: mixtures of Gaussians, exact where the program keeps them so",
        "paths": "explicit laws of continuous variables, path by path",
        "induction": "the best strategy of an attacker, found backward from the last choice to the first, put in the program",
        "strategies": "each strategy of an attacker put in the program",
    }
)
ENGINES: tuple[Engine, ...] = get_args(Engine)
