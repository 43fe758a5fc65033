"""Which parameters a measure cannot keep as symbols: their values are put in their place, and results hold at these values alone."""

from __future__ import annotations

from collections.abc import Sequence

from seepage.engines.forward.polynomials import entering
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import sunk_slice


def substituted_parameters(core: CoreProgram, asked: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the parameters that enter a value, a guard, an index or a comparison of a program, in the order of their declarations.

    A run is one and the same for all values of the other parameters: they are in probabilities only, as arithmetic. Where a parameter is
    returned, the set of runs itself may differ from value to value, and a computation at one value tells nothing of another.

    Args:
        core: the program, with the event and the ghosts of a measure appended.
        asked: plain variables that the measure asks for: what they do not depend on is left out; None for the whole program.
    """
    program = core if asked is None else sunk_slice(core, tuple(asked))
    entered = {name for name, _ in entering(program)}
    return tuple(name for name in core.parameters if name in entered)
