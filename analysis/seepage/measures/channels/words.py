"""Where a supremum over a channel is reached, and what it averages over, in the words of the program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.exact.symbols import symbol_of
from seepage.measures.discrete.weights import Values
from seepage.measures.scope import Scope, variables
from seepage.semantics.slice import reached
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression, as_told

_LONGEST = 16  # elements of an array that are written out
_MOST_OTHERS = 64  # of which it is looked up whether the outputs depend on them
_DIGITS = 40  # of a number that is spelled exactly


@dataclass(frozen=True, slots=True)
class Words:
    """How values of variables that a call lists are spelled: ``s = 1``, ``r = (1, 0)``."""

    scope: Scope

    def assignment(self, listed: Sequence[Expression], values: Values, against: Values | None = None) -> str:
        """Spell the values of the variables that some expressions mean; of a long array only what differs from ``against``."""
        names = variables(self.scope, tuple(listed))
        value_of = dict(zip(names, values, strict=True))
        other = None if against is None else dict(zip(names, against, strict=True))
        return ", ".join(dict.fromkeys(part for one in listed for part in self._parts(one, value_of, other)))

    def _parts(self, one: Expression, value_of: dict[str, Number], other: dict[str, Number] | None) -> Iterator[str]:
        names = variables(self.scope, (one,))
        if len(names) == 1:
            yield f"{spell(one)} = {shown(value_of[names[0]])}"
        elif len(names) <= _LONGEST:
            yield f"{spell(one)} = ({', '.join(shown(value_of[name]) for name in names)})"
        else:
            differing = [name for name in names if other is None or value_of[name] != other[name]]
            yield from (f"{as_told(name)} = {shown(value_of[name])}" for name in differing[:_LONGEST])
            if len(differing) > _LONGEST:
                yield "…"


def shown(value: Number) -> str:
    """Spell a value: exactly if that is short or a symbol, else with six digits."""
    text = exact.show(value)
    is_symbol = isinstance(value, Fraction) and symbol_of(value) is not None
    return text if is_symbol or len(text) <= _DIGITS else exact.nearest_decimal(value)


def averaged(scope: Scope, secrets: Sequence[str], x: Sequence[str], y: Sequence[str], z: Sequence[str]) -> str | None:
    """Say what a channel from ``x`` to ``y`` averages over: other secrets, or other elements of the array of a secret; None if nothing.

    Args:
        scope: the meaning of names.
        secrets: the declared secrets, as written.
        x: the inputs, as variables.
        y: the outputs.
        z: what is held at its worst value.
    """
    core = scope.core
    named = {*x, *z}
    arrays = dict.fromkeys(as_told(name).partition("[")[0] for name in x if "[" in name)
    records = [name for array in arrays if array in core.arrays for name in core.elements(array)]
    others = [name for secret in secrets for name in _elements(scope, secret)]
    left_out = [name for name in dict.fromkeys((*records, *others)) if name not in named]
    matter = reached(core, left_out[:_MOST_OTHERS], tuple(y), (*x, *z))
    if not matter:
        return None
    if any(name in records for name in matter):
        return "the other records are drawn as modelled: this is not the database guarantee"
    listed = ", ".join(f"'{as_told(name)}'" for name in matter[:3]) + (", …" if len(matter) > 3 else "")
    return f"{listed} {'is' if len(matter) == 1 else 'are'} drawn as modelled: '|' takes the worst case over variables instead"


def _elements(scope: Scope, secret: str) -> tuple[str, ...]:
    try:
        return scope.core.elements(secret)
    except ValueError:
        return ()
