"""Comparisons of parameters with each other (``if a < b``, ``max(a, b)``): decided on boxes, and both ways where a box is too small to be cut further.

A budget holds on a box if it holds there for every outcome of the comparisons that are not decided on it: one of these programs is the
program at each point. None of them refutes it but by a point at which the program itself does.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from flint import arb

from seepage import exact
from seepage.algebra import NoAlgebra
from seepage.engines.intervals import Interval
from seepage.exact import precision
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.formulas.guards import inner_point, rewritten, what_matters
from seepage.measures.ranges.cells import asked_names, with_statements
from seepage.measures.ranges.privacy import Difference
from seepage.measures.ranges.required import Decision, Requirement, only_violations
from seepage.measures.ranges.search import Cell, Outcome
from seepage.measures.scope import spelled_number
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreProgram
from seepage.semantics.expressions import nodes, plain_names
from seepage.semantics.statements import expressions_of, walk
from seepage.syntax import tree
from seepage.syntax.tree import Binary, Expression

_BOXES = 96  # that are looked at
_OPEN = 3  # comparisons that are taken both ways
_NARROWEST = 1 / 20  # of a side that is halved, as a part of the range
_BITS = 96

Decide: TypeAlias = Callable[[Requirement], Decision]


def by_boxes(required: Requirement, decide: Decide) -> Decision | None:
    """Decide a budget on a program that compares parameters with each other; None if it has no such comparison.

    Args:
        required: the budget.
        decide: decides one on a program without these comparisons.

    Raises:
        NoProblem, NoPolynomial, NoAlgebra: if that cannot be done on some box.
        Fault: of the program.
    """
    asking, symbol = with_statements(required.asking, required.symbol)
    names = tuple(dict.fromkeys(asked_names(asking.scope(symbol.start), symbol.node.measure)))
    whole = what_matters(asking.core, names)
    core = rewritten(whole, lambda node: _without_extremes(node, whole))
    there = replace(required, asking=replace(asking, core=core), symbol=symbol)
    compared = [each for each in _comparisons(core) if _is_coupled(each, core, required.ranges)]
    if compared:
        return _Boxes(there, compared, decide).run()
    return decide(there) if core != whole else None


def _without_extremes(node: Expression, core: CoreProgram) -> Expression:
    """Return ``min`` and ``max`` of parameters as comparisons."""
    if not isinstance(node, tree.Call) or not _is_of_parameters(node, core):
        return node
    match node:
        case tree.Call(function="min" | "max" as function, arguments=(first, *others)):
            for other in others:
                test = Binary("<", first, other, node.span)
                arms = (first, other) if function == "min" else (other, first)
                first = tree.Conditional(test, *arms, node.span)
            return first
        case _:
            return node


def _comparisons(core: CoreProgram) -> Iterator[Binary]:
    found: dict[Binary, None] = {}
    for statement in walk(core.statements):
        for expression in expressions_of(statement):
            for node in nodes(expression):
                if isinstance(node, Binary) and node.operator in tree.COMPARISONS:
                    found[node] = None
    yield from found


def _is_coupled(node: Binary, core: CoreProgram, ranges: Mapping[str, Domain]) -> bool:
    return _is_of_parameters(node, core) and len({name for name in plain_names(node) if name in ranges}) > 1


def _is_of_parameters(node: Expression, core: CoreProgram) -> bool:
    names = set(plain_names(node))
    return bool(names) and names <= set(core.parameters)


class _Boxes:
    def __init__(self, required: Requirement, compared: Sequence[Binary], decide: Decide) -> None:
        self.required, self.compared, self.decide = required, compared, decide
        self.conditions: dict[str, None] = {}
        self.left: list[Cell] = []
        self.seen = 0

    def run(self) -> Decision:
        """Decide the budget box by box."""
        waiting = [self.required.ranges]
        while waiting:
            ranges = waiting.pop()
            self.seen += 1
            if self.seen > _BOXES or self.required.computation.expired():
                self.left += [_cell(each) for each in (ranges, *waiting)]
                return Outcome("cannot tell", None, tuple(self.left), self.seen, self.seen <= _BOXES), ()
            known = {node: outcome for node in self.compared if (outcome := self._outcome(node, ranges)) is not None}
            unknown = [node for node in self.compared if node not in known]
            found = self._on(ranges, known, unknown)
            if found.verdict == "violated":
                return found, ()
            if found.verdict == "holds":
                continue
            halves = self._halves(ranges, unknown)
            self.left += [] if halves else [_cell(ranges)]
            waiting += halves
        if self.left:
            return Outcome("cannot tell", None, tuple(self.left), self.seen), ()
        return Outcome("holds"), tuple(self.conditions)

    def _outcome(self, node: Binary, ranges: Mapping[str, Domain]) -> bool | None:
        """Return the outcome of a comparison everywhere in a box, None if it is not known."""
        scope = self.required.scope
        values = {name: value for name, value in scope.parameters.items() if name not in ranges}
        spelled = {name: spelled_number(value, node.span) for name, value in values.items()}
        left, right = (fixed(each, spelled) for each in (node.left, node.right))
        try:
            with precision(_BITS):
                form = Difference(left, right, ranges).form({})
                low, high = form.value(form.letters({name: _side(domain) for name, domain in ranges.items()}))
        except NoAlgebra:
            return None
        match node.operator:
            case "<" | ">=":
                below = True if high < 0 else False if low >= 0 else None
                return below if node.operator == "<" or below is None else not below
            case "<=" | ">":
                below = True if high <= 0 else False if low > 0 else None
                return below if node.operator == "<=" or below is None else not below
            case _:
                equal = False if low > 0 or high < 0 else None
                return equal if node.operator == "==" or equal is None else not equal

    def _on(self, ranges: Mapping[str, Domain], known: Mapping[Binary, bool], unknown: Sequence[Binary]) -> Outcome:
        """Decide the budget on a box for all outcomes of the comparisons that are not known."""
        if len(unknown) > _OPEN:
            return Outcome("cannot tell")
        conditions: dict[str, None] = {}
        for outcomes in itertools.product((True, False), repeat=len(unknown)):
            decided = {**known, **dict(zip(unknown, outcomes, strict=True))}
            inside = _narrowed(ranges, dict(zip(unknown, outcomes, strict=True)))
            if inside is None:
                continue
            found, needed = self.decide(self._program(inside, decided, settled=not unknown))
            if found.verdict != "holds":
                return found
            conditions |= dict.fromkeys(needed)
        if conditions and unknown:
            return Outcome("cannot tell")  # what one outcome needs may be ensured by the others
        self.conditions |= conditions
        return Outcome("holds")

    def _program(self, ranges: Mapping[str, Domain], decided: Mapping[Binary, bool], *, settled: bool) -> Requirement:
        def put(node: Expression) -> Expression:
            match node:
                case Binary() if node in decided:
                    return tree.Boolean(decided[node], node.span)
                case tree.Conditional(condition=tree.Boolean(value=value)):
                    return node.consequent if value else node.alternative
                case _:
                    return node

        asking = self.required.asking
        judge = self.required.judge if settled else only_violations(self.required.judge)
        core = rewritten(asking.core, put)
        return replace(self.required, asking=replace(asking, core=core), ranges=ranges, judge=judge)

    def _halves(self, ranges: Mapping[str, Domain], unknown: Sequence[Binary]) -> list[Mapping[str, Domain]]:
        """Return the halves along the widest side, as parts of the ranges go, of a parameter in comparisons that are not known."""
        widths = {
            name: width
            for name in dict.fromkeys(name for node in unknown for name in plain_names(node))
            if name in ranges and (width := self._width(name, ranges[name])) is not None and width > _NARROWEST
        }
        if not widths:
            return []
        name = max(widths, key=lambda each: widths[each])
        domain = ranges[name]
        middle = inner_point(domain.low, domain.high)
        return [
            {**ranges, name: replace(domain, high=middle, high_closed=True)},
            {**ranges, name: replace(domain, low=middle, low_closed=True)},
        ]

    def _width(self, name: str, domain: Domain) -> float | None:
        whole = self.required.ranges[name]
        if domain.low is None or domain.high is None or whole.low is None or whole.high is None:
            return None
        width, all_of_it = exact.sub(domain.high, domain.low), exact.sub(whole.high, whole.low)
        return None if exact.sign(all_of_it) == 0 else float(exact.enclose(exact.div(width, all_of_it)).mid())


def _narrowed(ranges: Mapping[str, Domain], outcomes: Mapping[Binary, bool]) -> Mapping[str, Domain] | None:
    """Return a box that holds all points of one at which comparisons of two parameters have some outcomes, None if there are none."""
    narrow = dict(ranges)
    for node, outcome in outcomes.items():
        if not isinstance(node.left, tree.Name) or not isinstance(node.right, tree.Name):
            continue
        names = node.left.id, node.right.id
        if node.operator in ("==", "!=") or any(name not in narrow for name in names):
            continue
        less, more = names if (node.operator in ("<", "<=")) == outcome else (names[1], names[0])
        top, bottom = narrow[more].high, narrow[less].low
        high, low = narrow[less].high, narrow[more].low
        if top is not None and (high is None or exact.compare(high, top) > 0):
            narrow[less] = replace(narrow[less], high=top, high_closed=True)
        if bottom is not None and (low is None or exact.compare(low, bottom) < 0):
            narrow[more] = replace(narrow[more], low=bottom, low_closed=True)
        for name in names:
            low, high = narrow[name].low, narrow[name].high
            if low is not None and high is not None and exact.compare(low, high) > 0:
                return None
    return narrow


def _cell(ranges: Mapping[str, Domain]) -> Cell:
    return {name: (domain.low, domain.high) for name, domain in ranges.items()}


def _side(domain: Domain) -> Interval:
    low = arb.neg_inf() if domain.low is None else exact.enclose(domain.low, _BITS)
    return low, arb.pos_inf() if domain.high is None else exact.enclose(domain.high, _BITS)
