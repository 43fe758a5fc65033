"""The record that every measure evaluates to, the same for library, command line, hover, lens and report."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Never, TypeAlias

from seepage.data_classes import dataclass
from seepage.diagnostics import Reason
from seepage.exact import Irrational
from seepage.frames import needed
from seepage.measures.certainty import Certainty as Certainty
from seepage.measures.comparing import UndecidedError as UndecidedError
from seepage.measures.comparing import decided, ordered
from seepage.measures.digits import justified, rounded, with_unit
from seepage.measures.engine import Engine
from seepage.measures.formulas.condition import Condition
from seepage.measures.formulas.tree import Definition, Node
from seepage.measures.games.strategy import Strategy
from seepage.measures.notes import Note
from seepage.measures.planning.plan import Step
from seepage.notebook import number_html
from seepage.semantics.checked import Domain
from seepage.wishes import Wished

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from seepage.measures.formulas.as_sympy import SymbolicFormula

Unit: TypeAlias = Literal["bits", "nats", ""]

Json: TypeAlias = str | int | float | bool | Sequence["Json"] | Mapping[str, "Json"] | None

_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "less": operator.lt, "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge,
    "equal": operator.eq, "not_equal": operator.ne,
}  # fmt: skip
"""What functions of numpy ask."""
_LINE = 80  # characters of a formula that its object shows of itself


def value_json(number: float | Decimal | None) -> float | str | None:
    """Return a number as :func:`number_json` does; None for what is not known."""
    return None if number is None else number_json(number)


def number_json(number: float | Decimal) -> float | str:
    """Return a float, never ``-0.0``, or the string "inf", "-inf" or "1.2e-345"."""
    if isinstance(number, Decimal):
        return f"{number:e}"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return number + 0.0


class Method(StrEnum):
    """Which of the paper's bounds for Gaussian mixtures to use in place of quadrature."""

    HUBER = "huber"
    HERSHEY = "hershey"
    VARIATIONAL = "variational"


@dataclass(frozen=True, slots=True)
class Formula(Wished):
    """A closed form in the parameters, valid under ``conditions`` (as ``p > 0``).

    Attributes:
        text: the formula, in the names that ``definitions`` give.
        latex: for mathematics mode, with the definitions.
        conditions: what must hold of the parameters, and how the formula is to be read where it has no value as it stands.
        mathml: one ``math`` element, with the definitions.
        definitions: what the names mean that the program does not give, as ``q := e^eps/(e^eps + 1)``; each uses those before it.
        tree: the formula, from which the others are printed.
        named: the definitions, likewise.
        domains: of the parameters; None, or a name that is not there, for all real numbers.
    """

    text: str
    latex: str
    conditions: tuple[Condition, ...] = ()
    mathml: str = ""
    definitions: tuple[str, ...] = ()
    tree: Node | None = field(default=None, repr=False, compare=False)
    named: tuple[Definition, ...] = field(default=(), repr=False, compare=False)
    domains: Mapping[str, Domain | None] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        """Return the formula with its definitions and side conditions in one line."""
        further = ", ".join((*self.definitions, *self.conditions))
        return self.text + (f" where {further}" if further else "")

    def _repr_latex_(self) -> str:
        """Return it for notebooks."""
        return f"$\\displaystyle {self.latex}$"

    def _sympy_(self) -> Any:  # SymPy tells no types
        """Return the expression, for functions of SymPy that are given the formula: ``sympy.simplify(result.formula)``."""
        return self.to_sympy().expression

    def to_sympy(self) -> SymbolicFormula:
        """Return the formula as objects of SymPy, made of its tree: expression, condition, symbols, and named parts as replacements.

        Raises:
            ValueError: if it has no tree, or holds something of the program that SymPy has no word for.
            ImportError: if SymPy is not installed; the message says what to install.
        """
        needed("sympy", "sympy")
        from seepage.measures.formulas.as_sympy import symbolic

        if self.tree is None:
            raise ValueError("found a formula that is a mere text, expected one that a measure gave")
        return symbolic(self.tree, self.named, self.conditions, self.domains)

    def __repr__(self) -> str:
        """Return the formula, shortened; its other spellings are long."""
        text = str(self)
        return f"<Formula {text if len(text) <= _LINE else text[:_LINE] + '…'}>"


@dataclass(frozen=True, slots=True)
class Companion:
    """A number that belongs to a measure and is shown beside it, as the prior vulnerability is beside a leakage.

    Attributes:
        name: what it is, in words: ``prior vulnerability``.
        unit: as in :class:`Result`.
        value: as in :class:`Result`.
        lower: guaranteed.
        upper: guaranteed.
    """

    name: str
    unit: Unit
    value: float | None
    lower: float
    upper: float

    def to_dict(self) -> dict[str, Json]:
        """Return it as values that JSON holds."""
        numbers = {"value": value_json(self.value), "lower": number_json(self.lower), "upper": number_json(self.upper)}
        return {"name": self.name, "unit": self.unit, **numbers}


@dataclass(frozen=True, slots=True)
class Result(Wished):
    """A measure's value with guaranteed bounds.

    ``result <= 0.2``, and likewise ``<``, ``>``, ``>=`` and ``==``, is answered where the bounds decide it, as a budget would be: 0.2 means 1/5.
    Elsewhere, and for approximate results, it raises :class:`UndecidedError`. Two results are ordered likewise, and equal if all of them is.

    Attributes:
        measure: as it is written, in the canonical spacing.
        unit: "bits", "nats", or "" for a number without a unit; the bounds and the value are in it.
        value: the one number to quote, ``lower <= value <= upper``; None where there is none (:mod:`seepage.measures.quoting`), or no float
            holds it: then :attr:`ends` do.
        lower: guaranteed: at most the true value.
        upper: guaranteed: at least the true value.
        certainty: where the numbers come from.
        engine: the least trivial way that found it, as in :data:`~seepage.measures.engine.SENTENCES`.
        formula: closed form in the parameters, if there is one small enough to read.
        because: for approximate results, the statements that broke exactness; none where time was short, as they need not be the reason then.
        params: the parameter values at which the numbers hold, as text (``{"eps": "1/2"}``).
        seconds: time the evaluation took.
        exact: the value as a rational, where it is one exactly and carries no logarithm (decides budgets at their boundary).
        remarks: sentences that every front end shows (a worst element, a mixed reference measure, ...), and what they are about.
        witness: where a supremum is reached, in the words of the program (``s = 1 against s = 0, at o = 1``); empty if nothing.
        companions: numbers that belong to the measure and are shown beside it.
        closed: the value in closed form (``log(3)``), where it is irrational and known so (decides budgets at their boundary).
        beyond: lower bound, value and upper bound where they are too small or too large for floats, as at ``1.2e-345``.
        plan: how it was found: reductions and ways that were tried, in order.
        estimated: whether the value is that of normal distributions in place of the exact law; otherwise the bounds alone tell it.
        given_up: the seconds of a processor after which the search for more was given up: a larger time limit may narrow the bounds. None if
            the time limit is no reason for what the numbers are.
        strategy: where an attacker chooses, the strategy that the number belongs to.
        minimum: where an attacker chooses and the measure has no direction, the least number with its strategy, and the value is None; not where
            both are exactly the same, as the number is that of every strategy then.
        maximum: likewise the largest.
        symbol: the letter for the value where bounds are written (``0 ≤ I ≤ 1``): the name of a single measure, ``M`` for arithmetic.
    """

    measure: str
    unit: Unit
    value: float | None
    lower: float
    upper: float
    certainty: Certainty
    engine: Engine
    formula: Formula | None = None
    because: tuple[Reason, ...] = ()
    params: Mapping[str, str] = field(default_factory=dict, hash=False)
    seconds: float = 0.0
    exact: Fraction | None = None
    remarks: tuple[Note, ...] = ()
    symbol: str = "M"
    witness: str = ""
    companions: tuple[Companion, ...] = ()
    closed: Irrational | None = None
    beyond: tuple[Decimal, Decimal | None, Decimal] | None = None
    estimated: bool = False
    plan: tuple[Step, ...] = field(default=(), repr=False, compare=False)
    given_up: float | None = None
    strategy: Strategy | None = None
    minimum: Result | None = None
    maximum: Result | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """The sentences that every front end shows."""
        return tuple(remark.text for remark in self.remarks)

    @property
    def ends(self) -> tuple[float | Decimal, float | Decimal | None, float | Decimal]:
        """Lower bound, value and upper bound, as numbers that hold their digits."""
        return self.beyond or (self.lower, self.value, self.upper)

    @property
    def number(self) -> float:
        """The value, where there is one.

        Raises:
            ValueError: if only bounds are known.
        """
        if self.value is None and self.ends[1] is not None:
            raise ValueError(f"{self.measure}: {self.ends[1]:.10g} is larger than every float")
        if self.value is None:
            raise ValueError(f"{self.measure}: no single number is known, only {self.lower} and {self.upper} as bounds")
        return self.value

    def __float__(self) -> float:
        """Return the value; raises as :attr:`number` does."""
        return self.number

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Return the value, for arrays of results and for ``np.asarray``; raises as :attr:`number` does."""
        import numpy as np

        return np.asarray(self.number, dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:  # as numpy calls it
        """Compare with numbers of numpy, and with each cell of arrays; refuse arithmetic, as everywhere.

        Raises:
            TypeError: for another function of numpy.
        """
        compare = _COMPARISONS.get(ufunc.__name__)
        if compare is None or method != "__call__" or options:
            self._no_arithmetic()
        import numpy as np

        left, right = map(_as_cell, inputs)
        found = np.frompyfunc(compare, 2, 1)(left, right)
        return found if isinstance(found, bool) else np.asarray(found, bool)

    def _no_arithmetic(self, *_: object) -> Never:
        """Refuse arithmetic, which would lose the bounds.

        Raises:
            TypeError: always; it says what to write.
        """
        ask = f"ask the program for all of it, as in program.measure('2 * {self.measure}')"
        raise TypeError(f"arithmetic would lose the bounds of {self}: {ask}, or write float(result)")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _no_arithmetic
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = __int__ = _no_arithmetic

    def __format__(self, specification: str) -> str:
        """Return the value as a float is formatted, ``f"{result:.3f}"``; without a specification the result in words."""
        return format(self.number, specification) if specification else str(self)

    def __round__(self, digits: int | None = None) -> float:
        """Return the value, rounded as a float is; raises as :attr:`number` does."""
        return round(self.number) if digits is None else round(self.number, digits)

    def __lt__(self, other: object) -> bool:
        """Tell whether the true value is less than a number, or that of another result."""
        return self._decided("<", other)

    def __le__(self, other: object) -> bool:
        """Tell whether the true value is at most a number, or that of another result."""
        return self._decided("<=", other)

    def __gt__(self, other: object) -> bool:
        """Tell whether the true value is greater than a number, or that of another result."""
        return self._decided(">", other)

    def __ge__(self, other: object) -> bool:
        """Tell whether the true value is at least a number, or that of another result."""
        return self._decided(">=", other)

    def __eq__(self, other: object) -> bool:
        """Tell whether the true value is a number, or whether all of two results is equal."""
        if isinstance(other, Result):
            return self._compared() == other._compared()
        return self._decided("==", other)

    def __hash__(self) -> int:
        """Return the hash of the number, where only that one is equal to it; else that of all of it."""
        if self.exact is not None:
            return hash(self.exact)
        return hash(self.lower if self.lower == self.upper else (self.measure, self.unit, self.lower, self.upper))

    def _compared(self) -> tuple[object, ...]:
        return tuple(getattr(self, each.name) for each in fields(self) if each.compare)

    def _decided(self, comparison: Literal["<=", "<", ">=", ">", "=="], other: object) -> bool:
        return ordered(self, comparison, other) if isinstance(other, Result) else decided(self, comparison, other)

    def __str__(self) -> str:
        """Return measure, number or bounds, unit and certainty in one line."""
        lower, value, upper = self.ends
        known = None if value is None else justified(lower, value, upper)
        unit = f" {self.unit}" if self.unit else ""
        bounds = f"from {rounded(lower, rounding='down')} to {rounded(upper, rounding='up')}{unit}"
        joint = f"= {with_unit(known, self.unit)}" if known is not None else bounds
        return f"{self.measure} {joint} ({self.certainty})"

    def __repr__(self) -> str:
        """Return the same as ``str`` does, marked as an object."""
        return f"<Result {self}>"

    def _repr_html_(self) -> str:
        """Return it for notebooks: the line, the formula, the conditions and notes."""
        conditions = () if self.formula is None else self.formula.conditions
        where = (f"where {', '.join(conditions)}",) if conditions else ()
        return number_html(str(self), "" if self.formula is None else self.formula.mathml, (*where, *self.notes))

    def _repr_latex_(self) -> str | None:
        """Return the formula for notebooks; None if there is none."""
        return None if self.formula is None else self.formula._repr_latex_()

    def to_dict(self) -> dict[str, Json]:
        """Return all of it but the plan as values that JSON holds: infinities as strings, what is not known as None, places as offsets."""
        lower, value, upper = self.ends
        formula = self.formula
        return {
            "measure": self.measure,
            "unit": self.unit,
            "value": value_json(value),
            "estimated": self.estimated,
            "lower": number_json(lower),
            "upper": number_json(upper),
            "certainty": self.certainty.value,
            "engine": self.engine,
            "formula": None if formula is None else str(formula),
            "latex": None if formula is None else formula.latex,
            "mathml": None if formula is None else formula.mathml,
            "definitions": [] if formula is None else list(formula.definitions),
            "conditions": [] if formula is None else list(formula.conditions),
            "because": [{"code": each.code, "message": each.message, "start": each.span.start, "end": each.span.end}
                        for each in self.because],
            "params": dict(self.params),
            "seconds": round(self.seconds, 6),
            "notes": list(self.notes),
            "witness": self.witness,
            "companions": [each.to_dict() for each in self.companions],
            **self._of_attackers(),
        }  # fmt: skip

    def _of_attackers(self) -> dict[str, Json]:
        """Return what there is only where an attacker chooses: the strategy, or the least and the largest number."""
        parts = (("strategy", self.strategy), ("minimum", self.minimum), ("maximum", self.maximum))
        return {name: part.to_dict() for name, part in parts if part is not None}

    def __post_init__(self) -> None:
        if any(x is not None and math.isnan(x) for x in (self.value, self.lower, self.upper)):
            raise ValueError(f"{self.measure}: a bound or the value is not a number")
        if not self.lower <= (self.lower if self.value is None else self.value) <= self.upper:
            raise ValueError(f"{self.measure}: value {self.value} is outside [{self.lower}, {self.upper}]")


def _as_cell(given: Any) -> Any:  # whatever numpy passes on
    """Return a result as an array of objects, as numpy would take its number else."""
    if not isinstance(given, Result):
        return given
    import numpy as np

    cell = np.empty((), object)
    cell[()] = given
    return cell
