r"""Parts that the text does not show: values decide what really reads what.

Of the factor graph of a program, values that cannot occur are left out, what is determined counts as given, a factor reads only what it is not constant in
(:mod:`seepage.engines.factors.separation`). What falls apart then is independent, at these values of parameters, and folds as parts that the text proves:
context-specific independence, Boutilier et al. 1996; determined variables, Geiger, Verma and Pearl 1990.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from seepage import rules
from seepage.diagnostics import Fault
from seepage.engines.factors.answers import settle
from seepage.engines.factors.graph import Beyond, Constant, Graph, Node
from seepage.engines.factors.separation import Group, groups
from seepage.engines.factors.solving import exact_graph
from seepage.engines.select import samples_continuous
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.parts import need_meaning
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.reductions.independent_parts import by_parts, parts_asked
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.quantity import Quantity
from seepage.semantics.core import CoreProgram, CoreSample
from seepage.semantics.separation import Part, Separation, separate
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk

_FEW_DRAWS, _FEW_NAMES = 8, 3  # fewer are answered by one law
_MOST_STATEMENTS = 4_000
_GIVES_UP = frozenset({rules.BUDGET_EXCEEDED, rules.TIME_LIMIT})
_WHY = "values that cannot occur and factors that are constant being left out, "


def _apply(question: Question) -> Reduced | None:
    if len(question.names) < _FEW_NAMES or question.measure.shape in ("value", "law against law"):
        return None
    refining = _Refining(question)
    parts = parts_asked(question, refining.separate)
    if parts is None:
        return _untold(question, refining.found)
    reduced = by_parts(question, parts)
    if reduced is None:
        return None

    def folded(claims: Sequence[Claim]) -> Claim | None:
        claim = reduced.fold(claims)
        if claim is None or not question.core.parameters:
            return claim
        return replace(claim, formula=None, search=None)  # at other values of parameters there may be no such parts

    return replace(reduced, fold=folded, because=_WHY + reduced.because)


def _untold(question: Question, found: Separation | None) -> Reduced | None:
    """Return 0 where no part holds a secret and an output."""
    if found is None or not question.measure.is_zero_of_independent:
        return None
    if question.measure.shape == "channel" and question.given:
        return None
    x, y = set(question.x), set(question.y)
    if x & y or any(x.intersection(part.names) and y.intersection(part.names) for part in found.parts):
        return None
    need_meaning(question, question.names)
    nothing = Quantity(Enclosure.of_rational(Fraction(0)), question.measure.dimension, "dependence")
    return Reduced((), lambda _: nothing, "=", f"{_WHY}the outputs are independent of the secrets")


class _Refining:
    """The parts of one question.

    Attributes:
        question: that is asked.
        found: the finer parts, once they are found; None if there are none.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        self.found: Separation | None = None

    def separate(self, core: CoreProgram, asked: Names, held: Names) -> Separation | None:
        """Return finer parts than the text tells; None where there are none, or tables would be too large."""
        graph = self._graph(core, (*asked, *held))
        if graph is None:
            return None
        texts = separate(core, asked, held)
        given = frozenset(graph.variables(held))
        finer = groups(graph, frozenset(graph.variables(asked)) - given, given)
        self.found = _refined(texts, graph.names, finer, held)
        return self.found

    def _graph(self, core: CoreProgram, names: Names) -> Graph | None:
        """Return the factor graph of what some variables depend on, if it is small and nothing in it is undefined."""
        sliced = slice_program(core, names)
        if samples_continuous(sliced.statements):
            return None
        sizes = [isinstance(each, CoreSample) for each in walk(sliced.statements)]
        inquiry = self.question.evaluation.inquiry
        if not _FEW_DRAWS < sum(sizes) <= len(sizes) <= _MOST_STATEMENTS:
            return None
        if any(each not in inquiry.scope.parameters for each in sliced.parameters):
            return None
        try:
            graph = exact_graph(sliced, inquiry.scope.parameters, inquiry.budget)
            settle(graph, inquiry.budget)
        except Beyond:
            return None
        except Fault as fault:
            if fault.diagnostic.rule not in _GIVES_UP:
                raise
            return None
        return graph


def _refined(texts: Separation, nodes: Mapping[str, Node], finer: Iterable[Group], held: Names) -> Separation | None:
    """Return the parts of the text, each in the groups of its variables; None if no part falls apart."""
    group_of = {variable: group for group in finer for variable in group.variables}
    parts: list[Part] = []
    constants: list[str] = []
    for part in texts.parts:
        members: dict[Group, list[str]] = {}
        for name in part.names:
            node = nodes.get(name, Constant(0))
            group = None if isinstance(node, Constant) else group_of.get(node)
            if group is None:
                constants.append(name)
            else:
                members.setdefault(group, []).append(name)
        for group, names in members.items():
            near = tuple(name for name in held if nodes.get(name) in group.given)
            parts.append(Part(tuple(names), near, part.observed))
    if len(parts) <= len(texts.parts) and not constants and tuple(parts) == texts.parts:
        return None
    return replace(texts, parts=tuple(parts), constants=(*texts.constants, *constants))


PARTS_BY_TABLES = Reduction(
    "parts proved by tables",
    "Boutilier, Friedman, Goldszmidt, Koller 1996, Context-specific independence in Bayesian networks; Koller and Friedman 2009, section 5.3",
    _apply,
)
