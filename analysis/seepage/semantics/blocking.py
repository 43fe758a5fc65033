"""The errors that leave a program without numbers, and those that leave them to the measures that do not meet them."""

from __future__ import annotations

from collections.abc import Iterator

from seepage import rules
from seepage.diagnostics import Diagnostic
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage.syntax.tree import Const, Param, Placed

# The text alone tells of these, and running would go on with something else in their place: a number for a symbol, a point for a draw.
_NEVER_MET = (rules.SYMBOL_AS_NUMBER, rules.ZERO_WEIGHTS)
_MET_WHILE_RUNNING = frozenset(rules.RULES[code] for code in rules.RULES if code.startswith("SEEP4")) - {*_NEVER_MET}


def blocking(checked: Checked) -> Iterator[Diagnostic]:
    """Yield the errors that leave the whole program without numbers.

    Not those inside a ``show`` or ``require``, nor those of values in statements: running meets the same ones, and measures whose slice
    does not hold them keep their numbers; nor that a secret has two values: measures that do not name it keep theirs.
    """
    errors = [diagnostic for diagnostic in checked.diagnostics if diagnostic.is_error]
    if not errors:
        return
    own = [show.span for show in checked.symbols.shows] + [budget.span for budget in checked.symbols.requires]
    known = [
        item.span for item in checked.tree.items if isinstance(item, Placed) and isinstance(item.node, Const | Param)
    ]
    for diagnostic in errors:
        if diagnostic.rule is rules.SECRET_ASSIGNED_TWICE:
            continue
        met = diagnostic.rule in _MET_WHILE_RUNNING and not any(_inside(diagnostic.span, span) for span in known)
        if not met and not any(_inside(diagnostic.span, span) for span in own):
            yield diagnostic


def _inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
