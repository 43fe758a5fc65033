"""Parts of a program from which some of its questions are answered by themselves: what they need of one that is too large to unroll, or whose loops take long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from seepage.answering import Declaration, Point
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.settling import loops_behind, loops_of
from seepage.exact import Number
from seepage.measures.evaluate import measure_of
from seepage.measures.facts import LeakageRow
from seepage.measures.games.game import has_choices
from seepage.measures.leakage_table import information_of, leakage_row, row_questions
from seepage.measures.planning.table import MEASURES
from seepage.measures.settled_asking import part_for
from seepage.semantics.checked import Checked, RequireSymbol
from seepage.semantics.core import CoreProgram
from seepage.semantics.like_rounds import with_counted_rounds
from seepage.semantics.measure_names import names_in
from seepage.semantics.needed import needed_for
from seepage.semantics.statements import has_loops
from seepage.semantics.unroll import unroll
from seepage.source import Span
from seepage.syntax import walk
from seepage.syntax.tree import MeasureCall, MeasureExpression, Name

_SHAPES = frozenset({"of x given y", "x and y", "channel"})


@dataclass(frozen=True, slots=True)
class Part:
    """What some declarations need of a program.

    Attributes:
        checked: the program, or no more of its text than they need.
        core: returns the same, unrolled; may raise a ``Fault``.
        symbols: the declarations.
        only: whether nothing but what they name has a law in it.
    """

    checked: Checked
    core: Callable[[], CoreProgram]
    symbols: list[Declaration]
    only: bool = False


def parts_beside_loops(
    declarations: Iterable[Declaration],
    checked: Checked,
    core: CoreProgram,
    values: Mapping[str, Number],
    budgets: bool,
) -> list[Part]:
    """Return the declarations that are not computed from all loops, together where they are from the same; fewest loops first.

    Args:
        declarations: of a program; budgets over ranges are none of them, as loops may not end elsewhere.
        checked: the program.
        core: the same, unrolled.
        values: of its parameters.
        budgets: whether budgets are judged at these values.
    """
    groups: dict[tuple[Span, ...], list[Declaration]] = {}
    if has_choices(core):
        return []
    for symbol in declarations:
        over = isinstance(symbol, RequireSymbol) and (symbol.node.ranges or not budgets)
        behind = loops_behind(core, names_of([symbol]))
        if not over and behind != loops_of(core.statements):
            groups.setdefault(behind, []).append(symbol)
    return [
        Part(checked, partial(part_for, core, names_of(group), values), group, only=True)
        for _, group in sorted(groups.items(), key=lambda each: len(each[0]))
    ]


def names_of(declarations: Iterable[Declaration]) -> list[str]:
    """Return the names in the measures of declarations."""
    return [name for symbol in declarations for _, name in names_in(symbol.node.measure)]


def counted_part(checked: Checked, measure: MeasureExpression) -> CoreProgram | None:
    """Return what a measure of what releases tell needs of a program with long loops whose rounds are alike: two rounds for all of each.

    Args:
        checked: the program.
        measure: that is asked of it.

    Returns:
        the core program with its ``rounds``; None where there is no such loop, or events or single elements are named.
    """
    calls = [node for node in walk.nodes(measure) if isinstance(node, MeasureCall)]
    if not calls or not all(map(_is_of_variables, calls)):
        return None
    try:
        core = with_counted_rounds(checked, [name for _, name in names_in(measure)])
    except Fault:
        return None  # told where all of the program is unrolled
    return None if core is None or has_choices(core) or has_loops(core) else core


def parts_counted(declarations: Iterable[Declaration], checked: Checked, budgets: bool) -> list[Part]:
    """Return the declarations that :func:`counted_part` has a program for.

    Args:
        declarations: of a program; budgets over ranges are none of them, as other values of parameters may need all rounds.
        checked: the program.
        budgets: whether budgets are judged at the values that are shown.
    """
    parts: list[Part] = []
    for symbol in declarations:
        over = isinstance(symbol, RequireSymbol) and (symbol.node.ranges or not budgets)
        core = None if over else counted_part(checked, symbol.node.measure)
        if core is not None:
            parts.append(Part(checked, partial(_itself, core), [symbol], only=True))
    return parts


def rows_counted(checked: Checked, point: Callable[[CoreProgram, Sequence[str]], Point]) -> dict[int, LeakageRow]:
    """Return the rows of the leakage table for which :func:`counted_part` has a program, by their numbers.

    Args:
        checked: the program.
        point: returns such a program, of which some names are asked, at the values of the parameters.
    """
    rows: dict[int, LeakageRow] = {}
    for number, question in enumerate(row_questions(checked)):
        secret, outputs = question.secret.name, question.outputs
        core = counted_part(checked, measure_of(information_of(secret, outputs)))
        asking = None if core is None else point(core, (secret, *outputs)).asking
        if asking is not None and (row := leakage_row(asking, question)).information is not None:
            rows[number] = row
    return rows


def _itself(core: CoreProgram) -> CoreProgram:
    return core


def _is_of_variables(call: MeasureCall) -> bool:
    named = (*call.left, *call.right, *call.given, *call.right_given)
    return MEASURES[call.name].shape in _SHAPES and all(isinstance(each, Name) for each in named)


def parts_needed(declarations: Iterable[Declaration], checked: Checked) -> Iterable[Part]:
    """Return declarations of a program that is too large to unroll, together where they need the same of its text."""
    parts: dict[tuple[Span, ...], Part] = {}
    for symbol in declarations:
        needed = needed_for(checked, names_of([symbol]))
        key = tuple(item.span for item in needed.tree.items)
        parts.setdefault(key, Part(needed, partial(unroll, needed), [])).symbols.append(symbol)
    return parts.values()
