r"""Other fair coins in the place of those that a program tosses, so that what is asked about is a few of them.

Let a digit be :math:`f = k + g`, where k is a coin and g does not depend on it, neither as a summand nor behind gates. Whatever all else is, f is 0 or 1
with equal chances: the map from k to f, all else held, is one-to-one. So f may be the coin, and :math:`k = f + g` what is computed. Among forms without gates that is
Gaussian elimination over the field of two elements; with gates it is what makes the sum of anything and a pad modulo a power of two uniform.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from seepage.engines.words.circuit import ONE, ZERO, Atom, Beyond, Circuit, Coin, Form, Node, Operand, Plain, atoms_of


class Coordinates:
    """Coins of a circuit, some of which are computed from new ones. Mutable: more are, as forms are taken for coins.

    Attributes:
        circuit: grows by the new coins.
        coins: that the program tosses, as a form.
        free: those that are tossed as before.
    """

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.coins = sum(2 << atom for atom, kind in enumerate(circuit.atoms) if isinstance(kind, Coin))
        self.free = self.coins
        self.computed: dict[Atom, Form] = {}  # others, as forms without any of ``computed``
        self.behind: dict[Node, Form] = {}  # the program's coins that gates, digits and numbers depend on
        self.sources = {atom: 2 << atom for atom in atoms_of(self.coins)}  # the free coins behind each of the program's

    # --- forms in these coordinates -----------------------------------------------------------------------------------

    def resolved(self, form: Form) -> Form:
        """Return a form without coins that are computed."""
        result = form
        for atom in atoms_of(form & self.coins & ~self.free):
            result ^= (2 << atom) ^ self.computed[atom]
        return result

    def take(self, form: Form, rather_not: Form = ZERO) -> Form:
        """Let a digit be a coin, if it can be one; return it in the coordinates of then.

        Args:
            form: the digit.
            rather_not: coins that are computed from it only if no others are there.
        """
        found = self._pivot(self.resolved(form), rather_not)
        if found is None:
            return self.resolved(form)
        coin, rest = found
        new = self.circuit.coin()
        self._compute(coin, rest ^ new)
        return self.resolved(form)

    def hold(self, form: Form) -> Form | None:
        """Let a digit be 1, as an observation wants it; return what is left to observe, None for nothing.

        Raises:
            Beyond: if it is 0.
        """
        found = self._pivot(self.resolved(form), ZERO)
        if found is not None:
            self._compute(found[0], found[1] ^ ONE)
            return None
        left = self.resolved(form)
        if left == ZERO:
            raise Beyond("an observation never passes")
        return None if left == ONE else left

    def _pivot(self, form: Form, rather_not: Form) -> tuple[Atom, Form] | None:
        """Return a coin that a form is the sum of and of something that does not depend on it."""
        candidates = form & self.free
        if not candidates:
            return None
        for atom in atoms_of(form & ~self.coins):
            if not candidates:
                return None
            candidates &= ~self._free_behind(self.depends(atom))
        candidates = candidates & ~rather_not or candidates
        if not candidates:
            return None
        highest = candidates.bit_length() - 1
        return highest - 1, form ^ (1 << highest)

    def _compute(self, coin: Atom, form: Form) -> None:
        """Compute a coin that was free from others."""
        bit = 2 << coin
        self.free &= ~bit
        self.computed[coin] = form
        for atom, known in self.computed.items():
            if known & bit:
                self.computed[atom] = known ^ bit ^ form
        now = form & self.free
        for atom in atoms_of(form & ~self.coins):
            now |= self._free_behind(self.depends(atom))
        for atom, known in self.sources.items():
            if known & bit:
                self.sources[atom] = known & ~bit | now

    def _free_behind(self, coins: Form) -> Form:
        """Return the free coins that some coins of the program depend on."""
        found = ZERO
        for atom in atoms_of(coins):
            found |= self.sources[atom]
        return found

    # --- dependence ---------------------------------------------------------------------------------------------------

    def operands(self, node: Node) -> list[Operand]:
        """Return what a node is computed from, in these coordinates."""
        raw = self.circuit.operands(node)
        return [each if isinstance(each, Plain) else self.resolved(each) for each in raw]

    def depends(self, atom: Atom) -> Form:
        """Return the coins of the program that a gate or a digit depends on; of a coin that is new, none."""
        for node in in_order([atom], self.circuit.operands, self.behind):
            found = ZERO
            for operand in self.circuit.operands(node):
                if isinstance(operand, Plain):
                    found |= self.behind[operand]
                    continue
                found |= operand & self.coins
                for each in atoms_of(operand & ~self.coins):
                    found |= self.behind[each]
            self.behind[node] = found
        return self.behind[atom]


def in_order(
    nodes: Iterable[Node], operands: Callable[[Node], Sequence[Operand]], known: Container[Node] = ()
) -> Iterator[Node]:
    """Yield nodes and all that they are computed from, operands first.

    Args:
        nodes: which.
        operands: of a node.
        known: nodes that are left out, with what only they are computed from.
    """
    done: set[Node] = set()
    stack = [(each, False) for each in nodes]
    while stack:
        node, is_ready = stack.pop()
        if is_ready:
            yield node
        elif node not in done and node not in known:
            done.add(node)
            stack.append((node, True))
            stack.extend((each, False) for operand in operands(node) for each in nodes_of(operand))


def nodes_of(operand: Operand) -> Iterator[Node]:
    """Yield the nodes that an operand is: its atoms, or a number."""
    if isinstance(operand, Plain):
        yield operand
    else:
        yield from atoms_of(operand)
