"""How a file of this package says which functionals it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from seepage.measures.evaluation import Evaluation
from seepage.measures.planning.table import Functional
from seepage.measures.quantity import Quantity
from seepage.syntax.tree import MeasureCall

Answers: TypeAlias = Mapping[Functional, Callable[[Evaluation, MeasureCall], Quantity]]
"""A function of a call for each functional: it raises ``Fault`` for what is wrong with the program in the slice of the measure, or with the measure itself."""
