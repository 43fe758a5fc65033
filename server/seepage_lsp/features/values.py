"""At which values of parameters numbers stand, in words: where settings or the project put others in place of those of the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from seepage.data_classes import dataclass
from seepage.exact import ArithmeticFault, Number, spelled
from seepage.measures.parameters import read_number
from seepage.semantics.checked import Checked, RequireSymbol
from seepage_lsp.workspace import Snapshot


@dataclass(frozen=True, slots=True)
class Values:
    """Parameters that are somewhere at another value than the text's, each with its value as source text.

    Attributes:
        shown: what all numbers but those of budgets are computed at.
        judged: what budgets are judged at.
    """

    shown: Mapping[str, str]
    judged: Mapping[str, str]

    def of_shown(self) -> str:
        """Return ``eps = 7/10``; empty where the text's values hold everywhere."""
        return _listed(self.shown)

    def of_budget(self, over: frozenset[str] = frozenset()) -> str:
        """Return the same for a budget, which says nothing of the parameters that it ranges over."""
        return _listed({name: value for name, value in self.judged.items() if name not in over})


def values_of(snapshot: Snapshot) -> Values:
    """Return the values of the numbers that are there, which may be those of an older text or of earlier settings."""
    checked, finished = snapshot.checked, snapshot.finished
    if checked is None or finished is None or not (finished.inputs.parameters or finished.inputs.project):
        return Values({}, {})
    defaults = {name: one.default for name, one in checked.symbols.params.items()}
    judged = {**defaults, **_read(checked, finished.inputs.project)}
    shown = {**judged, **_read(checked, finished.inputs.parameters)}
    moved = [name for name, own in defaults.items() if shown[name] != own or judged[name] != own]
    return Values(_spelled(shown, moved), _spelled(judged, moved))


def ranged(budget: RequireSymbol) -> frozenset[str]:
    """Return the parameters that a budget ranges over: its verdict is about all of their values."""
    return frozenset(one.name for one in budget.node.ranges)


def _read(checked: Checked, given: Iterable[tuple[str, str]]) -> dict[str, Number]:
    """Return the values that are numbers, of parameters that the program has; the others change nothing."""
    found = {}
    for name, text in given:
        if name in checked.symbols.params:
            try:
                found[name] = read_number(text, checked.symbols.consts)
            except (ValueError, ArithmeticFault):
                continue
    return found


def _spelled(values: Mapping[str, Number | None], names: Iterable[str]) -> dict[str, str]:
    return {name: spelled(value) for name in names if (value := values[name]) is not None}


def _listed(values: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())
