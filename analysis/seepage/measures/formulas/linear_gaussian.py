"""Linear Gaussian programs run on formulas: means and covariances as quotients of polynomials in the parameters.

Continuous variables are affine forms over normal sources, as in the numeric engine, with coefficients that depend on the parameters; an observed equality
conditions the sources. Programs with anything else that is random have no such formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction

from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, minus, over, plus, raised, times
from seepage.data_classes import dataclass
from seepage.distributions.arguments import bind
from seepage.distributions.kinds import is_gaussian
from seepage.semantics.core import CoreAssign, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.expressions import children, plain_names
from seepage.semantics.statements import expressions_of, walk
from seepage.syntax.tree import Binary, Expression, Family, Name, Number, Unary

Matrix = list[list[Quotient]]

_MOST = 12  # sources, and statements that observe


@dataclass(frozen=True, slots=True)
class Form:
    """constant + Σ terms[i] · source i; no zeros."""

    constant: Quotient
    terms: Mapping[int, Quotient]


@dataclass(slots=True)
class LinearGaussian:
    """The state of a run.

    Attributes:
        alphabet: letters of the parameters.
        means: of the sources.
        covariance: of the sources.
        values: of the variables.
        spreads: variances or standard deviations that the program gives to its noise: each must be positive.
        observed: variances of what was observed: none may be 0.
    """

    alphabet: Alphabet
    means: list[Quotient] = field(default_factory=list)
    covariance: Matrix = field(default_factory=list)
    values: dict[str, Form] = field(default_factory=dict)
    spreads: list[Quotient] = field(default_factory=list)
    observed: list[Quotient] = field(default_factory=list)

    def mean(self, name: str) -> Quotient:
        """Return the mean of a variable."""
        return self._mean(self.values[name])

    def covariances(self, names: Sequence[str]) -> Matrix:
        """Return the covariance matrix of some variables."""
        vectors = [self._weighted(self.values[name]) for name in names]
        return [[self._dot(self.values[other], vector) for other in names] for vector in vectors]

    # --- statements ---------------------------------------------------------------------------------------------------

    def run(self, core: CoreProgram) -> None:
        """Run a program.

        Raises:
            NoAlgebra: if it is not linear and Gaussian.
        """
        for statement in core.statements:
            self.step(statement)

    def step(self, statement: CoreStatement) -> None:
        """Run one statement.

        Raises:
            NoAlgebra: as :meth:`run`.
        """
        match statement:
            case CoreAssign(target=Name(id=name), value=value):
                self.values[name] = self._form(value)
            case CoreSample(target=Name(id=name), distribution=Family() as family) if is_gaussian(family):
                named = bind(family).named
                spread = self.constant(named["std" if "std" in named else "variance"])
                variance = times(spread, spread) if "std" in named else spread
                self.values[name] = self._drawn(self._form(named["mean"]), variance)
                self.spreads.append(spread)
            case CoreObserve(condition=Binary(operator="==", left=left, right=right)):
                self._observe(self._sum(self._form(left), self._form(right), -1))
            case _:
                raise NoAlgebra("not a linear Gaussian program")

    def copy(self) -> LinearGaussian:
        """Return a state that goes its own way."""
        table = [list(row) for row in self.covariance]
        return LinearGaussian(
            self.alphabet, list(self.means), table, dict(self.values), list(self.spreads), list(self.observed)
        )

    def constant(self, expression: Expression) -> Quotient:
        """Return an expression that holds nothing random.

        Raises:
            NoAlgebra: if it does.
        """
        return self._constant(self._form(expression))

    def known(self, name: str, value: Fraction) -> None:
        """Give a variable a number."""
        self.values[name] = Form(self.alphabet.number(value), {})

    def _drawn(self, mean: Form, variance: Quotient) -> Form:
        if variance.is_zero or len(self.means) >= _MOST:
            raise NoAlgebra("noise that is none, or too much of it")
        zero, place = self.alphabet.number(0), len(self.means)
        self.means.append(zero)
        for row in self.covariance:
            row.append(zero)
        self.covariance.append([*([zero] * place), variance])
        return Form(mean.constant, {**mean.terms, place: self.alphabet.number(1)})

    def _observe(self, gap: Form) -> None:
        """Condition the sources on gap = 0."""
        vector = self._weighted(gap)
        variance = self._dot(gap, vector)
        if variance.is_zero:
            raise NoAlgebra("an observation of what is known")
        self.observed.append(variance)
        off = over(self._mean(gap), variance)
        self.means = [minus(mean, times(off, weight)) for mean, weight in zip(self.means, vector, strict=True)]
        self.covariance = [
            [minus(entry, over(times(a, b), variance)) for entry, b in zip(row, vector, strict=True)]
            for row, a in zip(self.covariance, vector, strict=True)
        ]

    # --- forms --------------------------------------------------------------------------------------------------------

    def _form(self, expression: Expression) -> Form:
        names = set(plain_names(expression))
        if not names & self.values.keys():
            return Form(self.alphabet.translate(expression), {})
        match expression:
            case Name(id=name):
                return self.values[name]
            case Unary(operator="-", operand=operand):
                return self._scaled(self._form(operand), self.alphabet.number(-1))
            case Binary(operator="+" | "-" as operator, left=left, right=right):
                return self._sum(self._form(left), self._form(right), 1 if operator == "+" else -1)
            case Binary(operator="*", left=left, right=right):
                a, b = self._form(left), self._form(right)
                return self._scaled(b, a.constant) if not a.terms else self._scaled(a, self._constant(b))
            case Binary(operator="/", left=left, right=right):
                divisor = self._constant(self._form(right))
                return self._scaled(self._form(left), over(self.alphabet.number(1), divisor))
            case Binary(operator="^", left=left, right=Number(value=power)) if power.denominator == 1:
                return Form(raised(self._constant(self._form(left)), int(power)), {})
            case _:
                raise NoAlgebra("not linear")

    def _constant(self, form: Form) -> Quotient:
        if form.terms:
            raise NoAlgebra("not linear")
        return form.constant

    def _sum(self, a: Form, b: Form, sign: int) -> Form:
        b = self._scaled(b, self.alphabet.number(sign))
        terms = dict(a.terms)
        for source, factor in b.terms.items():
            terms[source] = plus(terms[source], factor) if source in terms else factor
        return Form(plus(a.constant, b.constant), {at: one for at, one in terms.items() if not one.is_zero})

    def _scaled(self, form: Form, factor: Quotient) -> Form:
        terms = {} if factor.is_zero else {source: times(one, factor) for source, one in form.terms.items()}
        return Form(times(form.constant, factor), terms)

    def _mean(self, form: Form) -> Quotient:
        total = form.constant
        for source, factor in form.terms.items():
            total = plus(total, times(factor, self.means[source]))
        return total

    def _weighted(self, form: Form) -> list[Quotient]:
        return [self._dot(form, row) for row in self.covariance]

    def _dot(self, form: Form, vector: Sequence[Quotient]) -> Quotient:
        total = self.alphabet.number(0)
        for source, factor in form.terms.items():
            total = plus(total, times(factor, vector[source]))
        return total


def letters_of(*programs: CoreProgram) -> Alphabet:
    """Return the letters of all that programs compute from their parameters alone.

    Raises:
        NoAlgebra: if there are too many.
    """
    parameters = tuple(dict.fromkeys(name for core in programs for name in core.parameters))
    return alphabet_of(parameters, [part for core in programs for part in static_parts(core)])


def static_parts(core: CoreProgram) -> Iterator[Expression]:
    """Yield the largest parts of a program's expressions that hold parameters and numbers only."""
    for one in _expressions(core):
        yield from _static_parts(one, core.parameters)


def _expressions(core: CoreProgram) -> Iterator[Expression]:
    for statement in walk(core.statements):
        yield from expressions_of(statement)


def _static_parts(expression: Expression, parameters: Sequence[str]) -> Iterator[Expression]:
    """Yield the largest parts without variables."""
    if all(name in parameters for name in plain_names(expression)):
        yield expression
        return
    for child in children(expression):
        yield from _static_parts(child, parameters)


def determinant(matrix: Matrix, alphabet: Alphabet) -> Quotient:
    """Return the determinant, 1 of the empty matrix, by expansion along the first row."""
    if not matrix:
        return alphabet.number(1)
    total = alphabet.number(0)
    for column, entry in enumerate(matrix[0]):
        if not entry.is_zero:
            rest = [[*row[:column], *row[column + 1 :]] for row in matrix[1:]]
            term = times(entry, determinant(rest, alphabet))
            total = plus(total, term) if column % 2 == 0 else minus(total, term)
    return total


def inverse(matrix: Matrix, alphabet: Alphabet) -> Matrix:
    """Return the inverse by cofactors.

    Raises:
        NoAlgebra: if the determinant is 0.
    """
    whole, size = determinant(matrix, alphabet), range(len(matrix))

    def cofactor(row: int, column: int) -> Quotient:
        rest = [[entry for j, entry in enumerate(line) if j != column] for i, line in enumerate(matrix) if i != row]
        return times(alphabet.number((-1) ** (row + column)), determinant(rest, alphabet))

    return [[over(cofactor(j, i), whole) for j in size] for i in size]
