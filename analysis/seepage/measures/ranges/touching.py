r"""Functions that touch their bound: a slope that vanishes at an end of a range, and has the sign of what follows from the second derivative elsewhere.

Where :math:`\partial G / \partial \theta` is 0 by algebra at :math:`\theta = e`, and :math:`\partial^2 G / \partial \theta^2` has one sign between e and
the rest of a cell, the slope has one sign there, too: information, which is 0 at :math:`p = 1/2`, and more than 0 at all smaller p.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flint import fmpq_mpoly

from seepage.algebra import NoAlgebra, Quotient, alphabet_of, composed, over, plus, times
from seepage.exact import Number
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.formulas.signs import Signs
from seepage.measures.formulas.symbolic import LogarithmSum
from seepage.measures.ranges.algebra import derivative
from seepage.measures.ranges.form import Form, Logarithm, form_of
from seepage.measures.ranges.intervals import Box
from seepage.measures.scope import spelled_number
from seepage.semantics.checked import Domain
from seepage.source import Span
from seepage.syntax.tree import Expression

_NOWHERE = Span(0, 0)


def slope_sign(form: Form, name: str, end: Number, box: Box, ranges: Mapping[str, Domain], *, upper: bool) -> int:
    """Return the sign that the slope in a parameter has everywhere in a box but at one end of its side, where it is 0; 0 if it is not known to have one.

    Args:
        form: the function, in parameters and exponentials alone.
        name: of the parameter.
        end: an end of its side of the box.
        box: of the parameters of the form.
        ranges: of all parameters.
        upper: whether it is the upper end.
    """
    try:
        slope = derived(form, name)
        if not _vanishes_at(slope, name, end, ranges):
            return 0
        low, high = derived(slope, name).value(form.letters(box))
    except NoAlgebra:
        return 0
    bend = 1 if low > 0 else -1 if high < 0 else 0
    # From a lower end on the slope goes with the bend, towards an upper end against it.
    return -bend if upper else bend


def derived(form: Form, name: str) -> Form:
    """Return the derivative in a parameter.

    Raises:
        NoAlgebra: for letters that are neither parameters nor exponentials.
    """
    one = form.alphabet.context.constant(1)
    rest = derivative(form.rest, name, form.alphabet)
    logarithms: list[Logarithm] = []
    for term in form.logarithms:
        argument = Quotient(term.argument, one)
        share = term.share or over(term.coefficient, argument)
        rest = plus(rest, times(share, derivative(argument, name, form.alphabet)))
        outer = derivative(term.coefficient, name, form.alphabet)
        if not outer.is_zero:
            logarithms.append(Logarithm(outer, term.argument, None))
    return replace(form, rest=rest, logarithms=tuple(logarithms))


def _vanishes_at(form: Form, name: str, end: Number, ranges: Mapping[str, Domain]) -> bool:
    """Tell whether a function is 0 by algebra where a parameter has a value, whatever the others are."""
    value: Mapping[str, Expression] = {name: spelled_number(end, _NOWHERE)}
    meanings = [fixed(letter.meaning, value) for letter in form.alphabet.letters]
    alphabet = alphabet_of([each for each in form.parameters if each != name], meanings)
    generators = [alphabet.translate(each) for each in meanings]

    def at(polynomial: fmpq_mpoly) -> Quotient:
        return composed(polynomial, generators, alphabet)

    total = LogarithmSum(alphabet, (), Signs(alphabet, ranges), for_people=False)
    total.linear = over(at(form.rest.numerator), at(form.rest.denominator))
    for term in form.logarithms:
        coefficient = over(at(term.coefficient.numerator), at(term.coefficient.denominator))
        if not coefficient.is_zero:
            total.add(coefficient, at(term.argument))
    return form_of(total, ()).is_zero
