"""Arithmetic of measures of which an attacker wants no end, told while typing where something else keeps the analysis from telling it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seepage import rules
from seepage.diagnostics import Diagnostic
from seepage.semantics.checked import RequireSymbol, ShowSymbol, Symbols
from seepage.semantics.influence import influence
from seepage.semantics.measure_names import names_in
from seepage.semantics.units import Units
from seepage.syntax import walk
from seepage.syntax.tree import Choice, Index, MeasureArithmetic, MeasureCall, Module, Placed, Sample


def undirected(tree: Module, symbols: Symbols, units: Units, found: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield for each declaration with units that do not fit whether more than one of its measures depends on what an attacker chooses.

    Args:
        tree: of the file.
        symbols: its names.
        units: what is known of its pieces.
        found: what is wrong with it otherwise.
    """
    wrong = [one.span for one in found if one.rule is rules.UNITS_DO_NOT_FIT]
    chosen = _chosen(tree) if wrong else set[str]()
    if not chosen:
        return
    graph = influence(tree, units)
    while more := {name for name, reads in graph.reads.items() if reads & chosen} - chosen:
        chosen |= more
    declared: list[ShowSymbol | RequireSymbol] = [*symbols.shows, *symbols.requires]
    for symbol in declared:
        is_wrong = any(symbol.span.contains(place.start) for place in wrong)
        if is_wrong and isinstance(symbol.node.measure, MeasureArithmetic) and _count(symbol, chosen) > 1:
            message = "the attacker wants neither the largest nor the least of this: write 'max' or 'min' before it"
            yield Diagnostic(rules.NO_DIRECTION, symbol.node.measure.span.shift(symbol.start), message)


def _chosen(tree: Module) -> set[str]:
    leaves = (one.node for one in tree.walk() if isinstance(one, Placed))
    targets = (one.target for one in leaves if isinstance(one, Sample) and isinstance(one.distribution, Choice))
    return {one.array if isinstance(one, Index) else one.id for one in targets}


def _count(symbol: ShowSymbol | RequireSymbol, chosen: set[str]) -> int:
    """Return how many different measures of a declaration name what depends on a choice."""
    calls = dict.fromkeys(one for one in walk.nodes(symbol.node.measure) if isinstance(one, MeasureCall))
    return sum(1 for call in calls if any(name in chosen for _, name in names_in(call)))
