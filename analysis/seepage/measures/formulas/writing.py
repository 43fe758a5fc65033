"""The letters in which a formula is written: the parameters alone, or with names for expressions of the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from flint import fmpq_mpoly

from seepage.algebra import Alphabet, Quotient, alphabet_of, composed, named_alphabet
from seepage.data_classes import dataclass
from seepage.engines.forward.coefficients import Polynomial
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.signs import EVERYWHERE, Signs
from seepage.exact import Number, compare
from seepage.measures.formulas.notation import Notation
from seepage.measures.formulas.question import Question, letters_at, ring_of
from seepage.measures.formulas.symbolic_table import Probabilities
from seepage.measures.formulas.tree import Definition, Symbol, size
from seepage.semantics.checked import Domain
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_SHORT = 4  # to read in an expression that needs no name
_KEPT = 8
_KNOWN: dict[object, Writing] = {}
_NAMES = ("q", "r", "s", "t", "k", "m", "n")


@dataclass(frozen=True, slots=True)
class Writing:
    """An alphabet with what is known of its letters.

    Attributes:
        alphabet: the letters.
        notation: how they are written.
        plain: the same for the parameters alone, in which conditions are stated.
        letters: what each letter is in the alphabet of ``plain``, in order; None if that is the alphabet itself.
        domains: of the parameters.
        atoms: the places of the expressions that have a letter of their own.
        definitions: of the letters that have a name.
        known_signs: signs of polynomials found so far, by the polynomial's own spelling.
        named: the writings with names for expressions, by these and by the names that are free.
        found: distributions in these letters, by the identity of the joints that they are of.
    """

    alphabet: Alphabet
    notation: Notation
    plain: Notation
    letters: tuple[Quotient, ...] | None
    domains: Mapping[str, Domain]
    atoms: Mapping[Expression, int]
    definitions: tuple[Definition, ...] = ()
    known_signs: dict[str, int] = field(default_factory=dict)
    named: dict[tuple[tuple[Expression, ...], tuple[str, ...]], Writing | None] = field(default_factory=dict)
    found: dict[int, Probabilities] = field(default_factory=dict)

    def generators(self, joint: DiscreteJoint[Polynomial]) -> list[Quotient]:
        """Return what the generators of a distribution's ring are here."""
        ring = ring_of(joint)
        result = [self.alphabet.parameter(name) for name in ring.parameters]
        for atom in ring.atoms:
            result.append(self.alphabet.letter(self.atoms[atom]) if self.atoms else self.alphabet.translate(atom))
        return result

    def constant(self, polynomial: fmpq_mpoly) -> int:
        """Return 1 if a polynomial is known never to be negative, −1 if never positive, 0 if neither is known."""
        key = str(polynomial)
        if key not in self.known_signs:
            signs = Signs(self.plain.alphabet, self.domains)
            result = 1
            for part in self.in_parameters(polynomial):
                result *= signs.constant(part)
            self.known_signs[key] = result
        return self.known_signs[key]

    def in_parameters(self, polynomial: fmpq_mpoly) -> tuple[fmpq_mpoly, ...]:
        """Return polynomials in the letters of ``plain`` whose product has the sign of one in the letters here, wherever that is defined."""
        if self.letters is None:
            return (polynomial,)
        value = composed(polynomial, self.letters, self.plain.alphabet)
        return value.numerator, value.denominator


def plain_writing(question: Question, parameters: Sequence[str], point: Mapping[str, Number]) -> Writing:
    """Return the parameters themselves as letters, with an exponential of a monomial and what is no arithmetic as further ones.

    The measures of one program are written in the same letters: what was found for one of them serves the others.
    """
    atoms = tuple(dict.fromkeys(atom for joint in (question.joint, question.other) for atom in ring_of(joint).atoms))
    key = (tuple(parameters), atoms, frozenset(question.domains.items()), frozenset(point.items()))
    if key not in _KNOWN:
        if len(_KNOWN) >= _KEPT:
            del _KNOWN[next(iter(_KNOWN))]
        _KNOWN[key] = _plain(parameters, atoms, question.domains, point)
    return _KNOWN[key]


def _plain(
    parameters: Sequence[str], atoms: Sequence[Expression], domains: Mapping[str, Domain], point: Mapping[str, Number]
) -> Writing:
    alphabet = alphabet_of(parameters, atoms)
    chances = {
        place
        for place, letter in enumerate(alphabet.letters)
        if isinstance(letter.meaning, tree.Name) and _is_share(domains.get(letter.meaning.id, EVERYWHERE))
    }
    notation = Notation(alphabet, letters_at(alphabet, point), frozenset(chances))
    return Writing(alphabet, notation, notation, None, dict(domains), {})


def with_names(
    plain: Writing, question: Question, point: Mapping[str, Number], taken: Sequence[str]
) -> Iterator[Writing]:
    """Yield a writing, and if the program has expressions of parameters that deserve one, the writing with a name for each."""
    yield plain
    rings = (ring_of(question.joint), ring_of(question.other))
    atoms = tuple(dict.fromkeys(atom for ring in rings for atom in ring.atoms))
    names = tuple(name for name in _NAMES if name not in taken)
    if (atoms, names) not in plain.named:
        plain.named[atoms, names] = _named(plain, atoms, names, point)
    if (named := plain.named[atoms, names]) is not None:
        yield named


def _named(
    plain: Writing, atoms: Sequence[Expression], names: Sequence[str], point: Mapping[str, Number]
) -> Writing | None:
    values = [plain.alphabet.translate(atom) for atom in atoms]
    bodies = [plain.notation.quotient(value) for value in values]
    if not 0 < len(atoms) <= len(names) or all(size(body) < _SHORT for body in bodies):
        return None
    parameters = [letter.meaning.id for letter in plain.alphabet.letters if isinstance(letter.meaning, tree.Name)]
    alphabet = named_alphabet(parameters, dict(zip(names, atoms, strict=False)))
    chances = [*plain.notation.chances, *range(len(parameters), len(alphabet.letters))]
    return Writing(
        alphabet,
        Notation(alphabet, letters_at(alphabet, point), frozenset(chances)),
        plain.notation,
        (*(plain.alphabet.parameter(name) for name in parameters), *values),
        plain.domains,
        {atom: len(parameters) + place for place, atom in enumerate(atoms)},
        tuple(Definition(Symbol(name), body, of_program=True) for name, body in zip(names, bodies, strict=False)),
    )


def _is_share(domain: Domain) -> bool:
    """Tell whether a domain lies between 0 and 1."""
    if domain.low is None or domain.high is None:
        return False
    return compare(domain.low, 0) >= 0 and compare(domain.high, 1) <= 0
