r"""Exact real numbers: integers, rationals, and closed forms in ``exp``, ``log`` and roots.

``Number = int | Fraction | Irrational``. Integral values are always ``int``, rational ones never ``Irrational``; so equal numbers
compare and hash equal and may be keys of a table of states.

An :class:`Irrational` is a quotient of sums :math:`\sum c \prod g^q` with rational :math:`c, q` over the generators :math:`e`,
roots of primes, logarithms of primes, and ``exp``/``log`` of other irrationals. Arithmetic treats the generators as independent, which
finds identities such as ``e/(e + 1) + 1/(e + 1) = 1`` and ``log(4) = 2*log(2)``. What arithmetic does not settle is decided by ball
arithmetic at rising precision; where that fails, too, :class:`CannotDecide` is raised: nothing is ever guessed.
"""

from __future__ import annotations

from seepage.exact.functions import (
    bit_and,
    bit_or,
    bit_xor,
    exp_,
    log_,
    logarithms,
    popcount,
    power,
    shift_left,
    shift_right,
    sqrt_,
)
from seepage.exact.numbers import (
    Irrational,
    Number,
    abs_,
    add,
    ceil_,
    compare,
    div,
    enclose,
    floor_,
    is_integer,
    maximum,
    minimum,
    modulo,
    mul,
    nearest_decimal,
    nearest_float,
    neg,
    number,
    precision,
    show,
    show_count,
    sign,
    spelled,
    sub,
    to_fraction,
)
from seepage.exact.sums import MAX_BITS, ArithmeticFault, CannotDecide, Generator, Monomial, Sum, TooLarge, Undefined

__all__ = [
    "MAX_BITS",
    "ArithmeticFault",
    "CannotDecide",
    "Generator",
    "Irrational",
    "Monomial",
    "Number",
    "Sum",
    "TooLarge",
    "Undefined",
    "abs_",
    "add",
    "bit_and",
    "bit_or",
    "bit_xor",
    "ceil_",
    "compare",
    "div",
    "enclose",
    "exp_",
    "floor_",
    "is_integer",
    "log_",
    "logarithms",
    "maximum",
    "minimum",
    "modulo",
    "mul",
    "nearest_decimal",
    "nearest_float",
    "neg",
    "number",
    "popcount",
    "power",
    "precision",
    "shift_left",
    "shift_right",
    "show",
    "show_count",
    "sign",
    "spelled",
    "sqrt_",
    "sub",
    "to_fraction",
]
