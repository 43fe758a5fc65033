"""What hovers say, as Markdown, of what the core of the language does not have: procedures, enumerations, records, conditioned draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seepage.report.marks import escaped, inline_code

if TYPE_CHECKING:
    from seepage.symbols.imports import Imported
    from seepage.symbols.procedures import WrittenProcedure
    from seepage.syntax.lowering.definitions import Module

_LONGEST = 60  # characters of what a procedure returns
_MOST = 20  # names that are listed


def describe_procedure(procedure: WrittenProcedure) -> str:
    """Return the hover of a procedure: how it is called, what it gives, and whom its observations condition."""
    called = f"{procedure.name}({', '.join(procedure.arguments)})"
    lines = [f"**{procedure.name}** · procedure · {inline_code(called)}"]
    results = [inline_code(one if len(one) <= _LONGEST else f"{one[:_LONGEST]} …") for one in procedure.results]
    lines.append(f"returns {', '.join(results)}" if results else "returns nothing yet")
    targets = "y" if len(results) < 2 else ", ".join(f"y{at}" for at in range(1, len(results) + 1))
    if procedure.draws or procedure.observes:
        lines.append(f"a law: {inline_code(f'{targets} ~ {called}')} draws from it")
    else:
        lines.append(f"a function: {inline_code(f'{targets} := {called}')}")
    if procedure.observes:
        lines.append("its observations condition each draw from it, and move no belief about its arguments")
    return "\n\n".join(lines)


def describe_imported(imported: Imported) -> str:
    """Return the hover of a name that a module gives: what it is there, and where."""
    name, module, definition = imported.name, imported.module, imported.definition
    if imported.procedure is not None:
        told = describe_procedure(imported.procedure)
    else:
        start = module.source.text.rfind("\n", 0, definition.span.start) + 1
        line = module.source.text[start:].partition("\n")[0].partition("//")[0].strip()
        told = f"**{name}** · {'symbol' if definition.kind == 'member' else definition.kind} · {inline_code(line[:_LONGEST])}"
    missing = f"\n\ncannot be had here: {escaped(definition.missing)}" if definition.missing else ""
    return f"{told}\n\nfrom {inline_code(module.path)}{missing}"


def describe_module(name: str, module: Module) -> str:
    """Return the hover of the name of a module."""
    given = [one for one, definition in module.definitions.items() if definition.kind != "member"]
    return f"**{name}** · module {inline_code(module.path)}\n\ngives {_listed(given) if given else 'nothing'}"


def describe_local(name: str, role: str, procedure: str) -> str:
    """Return the hover of an argument or a variable of a procedure."""
    told = f"**{name}** · {role} of {inline_code(procedure)}"
    return told if role == "argument" else f"{told}, 0 at first, new for each call"


def describe_enumeration(name: str, members: Sequence[str]) -> str:
    """Return the hover of an enumeration."""
    return f"**{name}** · enumeration of {_listed(members)}"


def describe_member(name: str, enumerations: Sequence[str]) -> str:
    """Return the hover of a member of enumerations."""
    return f"**{name}** · member of {_listed(enumerations)} · the symbol {inline_code(chr(34) + name + chr(34))}"


def describe_field(name: str, records: Sequence[str]) -> str:
    """Return the hover of a field."""
    return f"**{name}** · field" + (f" of {_listed(records)}" if records else "")


def describe_fields(fields: Sequence[str]) -> str:
    """Return what the hover of a record says of its fields."""
    return f"a record with the fields {_listed(fields)}"


def describe_elements(elements: Sequence[str]) -> str:
    """Return what the hover of an array of several dimensions says of its elements."""
    return f"an array with {len(elements):,} elements, {inline_code(elements[0])} to {inline_code(elements[-1])}"


def describe_alias(name: str, role: str, line: str) -> str:
    """Return the hover of a name that stands for what is written behind it."""
    return f"**{name}** · {role} · {inline_code(line if len(line) <= _LONGEST else f'{line[:_LONGEST]} …')}"


def describe_clause(name: str, rest: str) -> str:
    """Return the hover of the variable of a comprehension."""
    words = " ".join(rest.split())
    return f"**{name}** · {inline_code(f'for {words}' if len(words) <= _LONGEST else f'for {words[:_LONGEST]} …')}"


def describe_own_observation(condition: str, procedure: str) -> str:
    """Return the hover of an ``observe`` in a procedure, which conditions nothing but the draw."""
    return (
        f"**observe** {inline_code(condition)}\n\nconditions this draw from {inline_code(procedure)} only: the result is one among the runs of the "
        "procedure that pass, and no belief about its arguments moves"
    )


def describe_given(targets: str, law: str, condition: str) -> str:
    """Return the hover of a draw with ``given``."""
    words = [inline_code(" ".join(one.split())) for one in (targets, law, condition)]
    return f"{words[0]} **~** {words[1]} **given** {words[2]}\n\nconditions this draw only: the value is one among those for which this holds"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(inline_code(one) for one in names[:_MOST])
    return shown if len(names) <= _MOST else f"{shown} and {len(names) - _MOST:,} more"
