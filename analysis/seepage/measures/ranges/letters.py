"""Which functions of the parameters are the letters that weights and budgets over a range are written in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from flint import fmpq_mpoly_ctx

from seepage.algebra import Alphabet, Letter, NoAlgebra, Quotient, alphabet_of
from seepage.data_classes import dataclass
from seepage.engines.forward.polynomials import Polynomial
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.ranges.runs import ring_of
from seepage.measures.scope import spelled_number
from seepage.semantics.checked import Domain
from seepage.semantics.expressions import nodes
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import (
    Expression,
)

_LETTERS = 16
_NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Translation:
    """Letters, what turns expressions into functions of them, and the generators of each ring (by its identity) as such."""

    alphabet: Alphabet
    meaning: Callable[[Expression], Quotient]
    generators: Mapping[int, Sequence[Quotient]]


def translation_of(
    joints: Iterable[DiscreteJoint[Polynomial]],
    at: Mapping[str, Number],
    ranges: Mapping[str, Domain],
    statics: Sequence[Expression],
    expanded: bool,
) -> Translation:
    """Return the letters for some joint distributions and further expressions when some parameters have values.

    Args:
        joints: with weights in rings of polynomials.
        at: the values.
        ranges: of all parameters.
        statics: expressions, in which the values stand already.
        expanded: whether every exponential is a letter, which simplifies most, or each atom of the rings, which encloses best.

    Raises:
        NoAlgebra: if there are too many letters.
    """
    free = tuple(name for name in ranges if name not in at)
    values = {name: spelled_number(value, _NOWHERE) for name, value in at.items()}
    rings = {id(joint.ring): ring_of(joint) for joint in joints}
    atoms = {key: [fixed(atom, values) for atom in ring.atoms] for key, ring in rings.items()}
    statics = [*statics, *(argument for each in statics for argument in _inside_logarithms(each))]
    inside = [atom for each in atoms.values() for atom in each]
    meaning: Callable[[Expression], Quotient]
    if expanded:
        alphabet = alphabet_of(free, [*inside, *statics, *values.values()])
        meaning = alphabet.translate
    else:
        alphabet, meaning = _letters_of(free, inside, [*statics, *values.values()])
    generators = {
        key: [meaning(values.get(name, tree.Name(name, _NOWHERE))) for name in ring.parameters]
        + [meaning(atom) for atom in atoms[key]]
        for key, ring in rings.items()
    }
    return Translation(alphabet, meaning, generators)


def _letters_of(
    names: Sequence[str], atoms: Iterable[Expression], statics: Iterable[Expression]
) -> tuple[Alphabet, Callable[[Expression], Quotient]]:
    """Return an alphabet of parameters and of atoms as they are, and what translates them; other expressions are taken apart.

    Raises:
        NoAlgebra: if there are too many.
    """
    whole = {atom: None for atom in atoms if not isinstance(atom, tree.Number | tree.Name)}
    plain = alphabet_of(names, statics)
    added = [Letter("other", atom) for atom in whole if all(letter.meaning != atom for letter in plain.letters)]
    letters = (*plain.letters, *added)
    if len(letters) > _LETTERS:
        raise NoAlgebra("too many different functions of the parameters")
    alphabet = Alphabet(letters, fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(letters))] or ["x0"], "deglex"))

    def meaning(expression: Expression) -> Quotient:
        if expression in whole:
            place = next(place for place, letter in enumerate(letters) if letter.meaning == expression)
            return Quotient(alphabet.context.gen(place), alphabet.context.constant(1))
        return alphabet.translate(expression)

    return alphabet, meaning


def _inside_logarithms(expression: Expression) -> Iterator[Expression]:
    for node in nodes(expression):
        if isinstance(node, tree.Call) and node.function == "log":
            yield node.arguments[0]
