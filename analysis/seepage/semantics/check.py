"""Everything that can be said about a program without running it: cheap, on every key press, loops never unrolled."""

from __future__ import annotations

from types import MappingProxyType

from seepage.diagnostics import Diagnostic
from seepage.semantics.checked import Checked, Classification
from seepage.semantics.classify import reasons
from seepage.semantics.flow import follow, kinds_of
from seepage.semantics.measure_names import check_measures
from seepage.semantics.resolve import resolve
from seepage.semantics.secrets import assigned_twice, observed_outputs
from seepage.semantics.written_elements import missing_elements
from seepage.source import SourceFile
from seepage.syntax.parse import parse


def check(source: SourceFile) -> Checked:
    """Return what is known of a program without running it.

    Never raises, whatever the text. Diagnostics come in the order of the text; what depends on the values that runs reach is
    left to the analysis.
    """
    parsed = parse(source)
    tree = parsed.tree
    symbols, names = resolve(tree)
    flow = follow(tree, symbols)
    classification = Classification(reasons(list(flow.diagnostics)))
    found = [
        *parsed.diagnostics,
        *names,
        *flow.diagnostics,
        *assigned_twice(tree, symbols, source),
        *observed_outputs(tree, symbols),
        *missing_elements(tree, symbols),
        *check_measures(symbols),
    ]
    return Checked(source, tree, symbols, MappingProxyType(kinds_of(flow, symbols)), classification, _ordered(found))


def _ordered(found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return findings in the order of the text, each once."""
    once = {(one.rule.code, one.span, one.message): one for one in found}
    return tuple(sorted(once.values(), key=lambda one: (one.span.start, one.span.end, one.rule.code)))
