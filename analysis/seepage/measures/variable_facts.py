"""What the hover on a variable says: its entropy, and for a secret what the outputs tell about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from seepage.diagnostics import Fault
from seepage.measures.asking import Asking
from seepage.measures.evaluate import evaluate_text
from seepage.measures.facts import LeakageRow, VariableFacts
from seepage.measures.notes import NoteKind
from seepage.measures.result import Result
from seepage.semantics.checked import Kind
from seepage.source import Span


def variable_facts(asking: Asking, name: str, table: Sequence[LeakageRow]) -> VariableFacts:
    """Return the facts of a variable, or of all elements of an array jointly; what cannot be computed is left out with a note.

    Args:
        asking: the program.
        name: of the variable or array.
        table: the leakage table, whose headline rows hold the information of secrets.
    """
    symbols = asking.checked.symbols
    variable = symbols.variables[name]
    role = role_of(asking, name)
    kind = asking.checked.kinds.get(name, Kind.DISCRETE)
    notes: list[str] = []
    entropy = _try(asking, f"H({name})", notes)
    given = information = None
    outputs = ", ".join(symbol.name for symbol in symbols.outputs)
    row = next((row for row in table if row.headline and row.secret == name), None)
    if role == "secret" and outputs:
        if row is not None:
            information = row.information
            given = _try(asking, f"H({name} | {outputs})", notes)
        notes += [each.note for each in table if each.headline and each.note and each.secret.split("[")[0] == name]
    percent = row.percent if row is not None else None
    notes += beside_entropy(entropy)
    span = variable.spans[0] if variable.spans else Span(0, 0)
    note = "; ".join(dict.fromkeys(notes))
    return VariableFacts(
        name, span, role, kind.value, entropy, given, information, percent, note, variable.documentation
    )


def beside_entropy(entropy: Result | None) -> tuple[str, ...]:
    """Return what is to be known beside an entropy whose formula is not shown where it is long."""
    if entropy is None:
        return ()
    return tuple(remark.text for remark in entropy.remarks if remark.kind is not NoteKind.NAMED_PARTS)


def role_of(asking: Asking, name: str) -> Literal["secret", "output", "variable"]:
    """Return the role that declarations give to a name, or to some element of an array."""
    symbols = asking.checked.symbols
    if any(symbol.name == name or symbol.name.startswith(f"{name}[") for symbol in symbols.secrets):
        return "secret"
    if any(symbol.name == name or symbol.name.startswith(f"{name}[") for symbol in symbols.outputs):
        return "output"
    return "variable"


def _try(asking: Asking, text: str, notes: list[str]) -> Result | None:
    if asking.budget.expired():  # of very many variables even reading the measures takes long
        notes.append(f"no {text}: the time limit was reached before this measure")
        return None
    try:
        return evaluate_text(asking, text)
    except Fault as fault:
        notes.append(f"no {text}: {fault.diagnostic.message}")
        return None
