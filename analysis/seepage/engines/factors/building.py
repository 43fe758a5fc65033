"""From an unrolled program to its factor graph.

Each statement makes new variables from those that names mean where it stands. Domains are found on the way, forward: the values that an operation makes of
its operands' values. A branch makes of each variable that it assigns a *choice* (condition, then, else); a draw inside of it is made anyway, and not chosen
where the branch is not taken. A value that is undefined is a value of its domain until it is needed: there a :class:`Doubt` is left, to be settled by the graph itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

import numpy as np
from flint import arb, fmpq

from seepage.diagnostics import Fault
from seepage.engines.factors.graph import (
    MOST_AXES,
    Beyond,
    Constant,
    Domain,
    Doubt,
    Entries,
    Factor,
    Function,
    Graph,
    Node,
    Places,
    Selection,
    Table,
    Value,
    Variable,
    spread,
)
from seepage.engines.factors.laws import Law, Row, law_of, local_law
from seepage.engines.factors.operations import OPERATIONS, collected, in_order, tabulated, worked_out
from seepage.engines.forward.compile import Scope, compile_value
from seepage.engines.outcome import Budget, Ring
from seepage.exact import Irrational, Number
from seepage.exact import number as normal
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.expressions import bottom_up, conjuncts, nodes
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_MOST_CELLS = 4_000_000  # of one function
_MOST_VALUES = 1 << 16  # of one variable
_DIRECT = 256  # states of what an expression reads, up to which it is one function where it reads a variable twice
_PICKED = 4_096  # cells up to which an element at a random index is one function of all elements
_CLOCK = 8  # statements between two looks at it: one may work out thousands of values

_ZERO, _ONE = Constant(0), Constant(1)


def graph_of(
    core: CoreProgram, parameters: Mapping[str, Number], ring: Ring[fmpq] | Ring[arb], budget: Budget
) -> Graph:
    """Return the factor graph of a program.

    Args:
        core: sliced by the caller to what is asked.
        parameters: values of the program's parameters.
        ring: of the weights.
        budget: limits.

    Raises:
        Beyond: if a variable has too many values, or infinitely many, or an undefined value is certain.
        IrrationalProbability: if the ring is that of the rationals and a probability is none.
    """
    building = _Building(core, parameters, ring, budget)
    building.block(core.statements)
    return Graph(building.domains, building.factors, building.names, ring, building.doubts, building.observed)


class _Building:
    def __init__(
        self, core: CoreProgram, parameters: Mapping[str, Number], ring: Ring[fmpq] | Ring[arb], budget: Budget
    ) -> None:
        self.core, self.parameters, self.ring, self.budget = core, parameters, ring, budget
        self.domains: list[Domain] = []
        self.factors: list[Factor] = []
        self.doubts: list[Doubt] = []
        self.observed: list[tuple[int, CoreObserve]] = []
        self.names: dict[str, Node] = {}
        self.reached: Node = _ONE
        self.journal: list[dict[str, Node | None]] = []
        self.functions: dict[Variable, Function] = {}
        self.known: dict[tuple[str, tuple[Domain, ...], tuple[int, ...]], tuple[Domain, Places]] = {}
        self.laws: dict[int, tuple[tree.Distribution, Law]] = {}
        self.fixed: dict[int, tuple[tree.Distribution, Row | None]] = {}
        self.count = 0

    # --- variables ----------------------------------------------------------------------------------------------------

    def variable(self, domain: Domain) -> Variable:
        """Add a variable."""
        if len(domain) > _MOST_VALUES:
            raise Beyond(f"a variable has {len(domain):,} values, the limit is {_MOST_VALUES:,}")
        self.domains.append(domain)
        return len(self.domains) - 1

    def meaning(self, name: str) -> Node:
        """Return what a name means here; what is not assigned yet is 0."""
        if name in self.parameters:
            return Constant(self.parameters[name])
        return self.names.get(name, _ZERO)

    def write(self, name: str, node: Node) -> None:
        """Let a name mean something else from here on."""
        if self.journal and name not in self.journal[-1]:
            self.journal[-1][name] = self.names.get(name)
        self.names[name] = node

    def apply(self, name: str, *operands: Node) -> Node:
        """Return what an operation (of ``OPERATIONS``) makes of operands.

        Operands that are functions of few values are looked through: ``if t then c + r else c - r`` is one function of t, c and r.
        """
        inputs = tuple(dict.fromkeys(each for each in operands if not isinstance(each, Constant)))
        if not inputs:
            return Constant(OPERATIONS[name](*(each.value for each in operands if isinstance(each, Constant))))
        domains = tuple((each.value,) if isinstance(each, Constant) else self.domains[each] for each in operands)
        cells = self.cells(inputs)
        plain = tuple(dict.fromkeys(self.sources(each)[0] if self.is_renamed(each) else each for each in inputs))
        behind = tuple(dict.fromkeys(source for each in inputs for source in self.sources(each)))
        if self.cells(behind) >= cells:
            behind = plain
        if behind != inputs:
            self.need_cells(self.cells(behind))
            domain, places = worked_out(name, domains, [self.codes(each, behind) for each in operands])
            read = [
                each for each, length in zip(behind, places.shape, strict=True) if length == len(self.domains[each])
            ]
            shape = tuple(
                len(self.domains[each]) for each in read
            )  # an operand that is an input of another hides its own
            return self.function(tuple(read), domain, places.reshape(shape))
        self.need_cells(cells)
        pattern = tuple(-1 if isinstance(each, Constant) else inputs.index(each) for each in operands)
        key = (name, domains, pattern)
        if key not in self.known:
            if pattern == tuple(range(len(inputs))):
                self.known[key] = tabulated(name, domains)
            else:
                self.known[key] = worked_out(name, domains, [self.codes(each, inputs) for each in operands])
        return self.function(inputs, *self.known[key])

    def cells(self, variables: Sequence[Variable]) -> int:
        """Return the number of assignments of values to variables, a huge one where an array cannot have as many axes."""
        return prod([len(self.domains[each]) for each in variables]) if len(variables) < MOST_AXES else _MOST_CELLS + 1

    def sources(self, variable: Variable) -> tuple[Variable, ...]:
        """Return what a variable is a function of; itself where it is drawn."""
        function = self.functions.get(variable)
        return (variable,) if function is None else function.inputs

    def is_renamed(self, variable: Variable) -> bool:
        """Tell whether a variable is a one-to-one function of one other."""
        sources = self.sources(variable)
        return (
            len(sources) == 1
            and sources[0] != variable
            and len(self.domains[sources[0]]) == len(self.domains[variable])
        )

    def codes(self, operand: Node, axes: tuple[Variable, ...]) -> Places:
        """Return the place of an operand's value in its domain, for all values of the variables ``axes``, or broadcast to that."""
        if isinstance(operand, Constant):
            return np.zeros((1,) * len(axes), dtype=np.intp)
        if operand in axes:
            return spread(np.arange(len(self.domains[operand])), (operand,), axes)
        function = self.functions[operand]
        return spread(function.places, function.inputs, axes)

    def function(self, inputs: tuple[Variable, ...], domain: Domain, places: Places) -> Node:
        """Return the node of a function given by its table; a constant, or the variable itself, where it is no more than that."""
        if len(domain) == 1:
            return Constant(domain[0])
        if len(inputs) == 1 and domain == self.domains[inputs[0]] and bool((places == np.arange(len(domain))).all()):
            return inputs[0]
        output = self.variable(domain)
        self.functions[output] = Function(inputs, output, places)
        self.factors.append(self.functions[output])
        return output

    def need_cells(self, cells: int) -> None:
        """Raise if a table grows too large."""
        if cells > _MOST_CELLS:
            raise Beyond(f"a function of {cells:,} combinations of values, the limit is {_MOST_CELLS:,}")

    def sure(self, node: Node) -> Node:
        """Return a value where a run needs it: a doubt is left where it may be undefined."""
        if isinstance(node, Constant):
            if node.value is not None:
                return node
            self.doubt(self.reached)
            return _ZERO
        domain = self.domains[node]
        if domain[-1] is not None:
            return node
        self.doubt(self.apply("doubt", self.reached, node))
        places = np.arange(len(domain))
        places[-1] = 0
        return self.function((node,), domain[:-1], places)

    def doubt(self, node: Node) -> None:
        """Leave a doubt: a node that is 1 in runs that meet an undefined value."""
        if not isinstance(node, Constant):
            self.doubts.append(Doubt(node, len(self.factors)))
        elif node.value == 1:
            raise Beyond("a value is undefined")

    # --- expressions --------------------------------------------------------------------------------------------------

    def condition(self, expression: Expression) -> Node:
        """Return the value of a condition that a run needs."""
        return self.sure(self.apply("truth", self.expression(expression)))

    def expression(self, expression: Expression) -> Node:
        """Return the value of an expression, as a tree of functions; as one function where it reads a variable twice, if that is small."""
        if isinstance(expression, tree.Name):
            return self.meaning(expression.id)
        read = [node.id for node in nodes(expression) if isinstance(node, tree.Name)]
        if len(read) > 1 and not any(isinstance(node, tree.Index) for node in nodes(expression)):
            names = tuple(dict.fromkeys(read))
            means = [self.meaning(name) for name in names]
            inputs = tuple(dict.fromkeys(node for node in means if not isinstance(node, Constant)))
            repeated = sum(not isinstance(self.meaning(name), Constant) for name in read) > len(inputs)
            if repeated and inputs and prod(len(self.domains[each]) for each in inputs) <= _DIRECT:
                return self.direct(expression, names, inputs)
        return bottom_up(expression, self.visit)

    def direct(self, expression: Expression, names: Sequence[str], inputs: tuple[Variable, ...]) -> Node:
        """Return the value of an expression as one function of all that it reads."""
        compute = compile_value(
            expression, Scope({name: place for place, name in enumerate(names)}, {}, frozenset(), {})
        )

        def value(state: tuple[Number, ...]) -> Value:
            try:
                return compute(state)
            except Fault:
                return None

        states = self.states(names, inputs)
        shape = tuple(len(self.domains[each]) for each in inputs)
        return self.function(inputs, *collected([None if None in each else value(each) for each in states], shape))  # type: ignore[arg-type]

    def states(self, names: Sequence[str], inputs: Sequence[Variable]) -> Iterable[tuple[Value, ...]]:
        """Yield the values of names for each choice of values of the variables that they mean."""
        means = [self.meaning(name) for name in names]
        slots = [(0, each.value) if isinstance(each, Constant) else (inputs.index(each) + 1, None) for each in means]
        for values in product(*(self.domains[each] for each in inputs)):
            yield tuple([values[slot - 1] if slot else constant for slot, constant in slots])

    def visit(self, expression: Expression, parts: list[Node]) -> Node:
        """Return the value of an expression whose parts have values."""
        match expression:
            case tree.Number(value=value):
                return Constant(value if isinstance(value, Irrational) else normal(value))
            case tree.Boolean(value=flag):
                return Constant(int(flag))
            case tree.Name(id=name):
                return self.meaning(name)
            case tree.Index(array=array):
                return self.element(array, parts[0])
            case tree.Parenthesized():
                return parts[0]
            case tree.Conditional():
                return self.apply("choose", *parts)
            case tree.Unary(operator=operator):
                return self.apply("negate" if operator == "-" else "not", *parts)
            case tree.Binary(operator=operator):
                return self.apply(operator, *parts)
            case tree.Call(function=function) if len(parts) <= 2:
                return self.apply(function, *parts)
            case tree.Call(function=function):
                result = parts[0]
                for part in parts[1:]:
                    result = self.apply(function, result, part)
                return result
            case _:
                raise Beyond("an expression of no value")

    def element(self, array: str, index: Node) -> Node:
        """Return the element of an array that an index picks; undefined outside of the array."""
        existing = frozenset(self.core.arrays.get(array, ()))

        def picked(place: Value) -> Node:
            return self.meaning(f"{array}[{place}]") if place in existing else Constant(None)

        if isinstance(index, Constant):
            return picked(index.value)
        choices = [picked(place) for place in self.domains[index]]
        sets = [(each.value,) if isinstance(each, Constant) else self.domains[each] for each in choices]
        domain = in_order(value for each in sets for value in each)
        if len(domain) == 1:
            return Constant(domain[0])
        place = {value: number for number, value in enumerate(domain)}
        elements = tuple(dict.fromkeys(each for each in choices if not isinstance(each, Constant)))
        inputs = tuple(dict.fromkeys((index, *elements)))
        cells = prod(len(self.domains[each]) for each in inputs) if len(inputs) < MOST_AXES else _PICKED + 1
        if cells <= _PICKED:
            return self.function(inputs, *self.picked(index, choices, inputs))
        output = self.variable(domain)
        variables = [self.variable((each.value,)) if isinstance(each, Constant) else each for each in choices]
        places = tuple(np.array([place[value] for value in each], dtype=np.intp) for each in sets)
        self.factors.append(Selection(index, output, tuple(variables), places))
        return output

    def picked(self, index: Variable, choices: Sequence[Node], inputs: Sequence[Variable]) -> tuple[Domain, Places]:
        """Return an element as a function of the index and all elements."""
        rank = {value: number for number, value in enumerate(self.domains[index])}
        slots = [each if isinstance(each, Constant) else inputs.index(each) for each in choices]
        at = inputs.index(index)

        def value(state: tuple[Value, ...]) -> Value:
            slot = slots[rank[state[at]]]
            return slot.value if isinstance(slot, Constant) else state[slot]

        shape = tuple(len(self.domains[each]) for each in inputs)
        return collected(map(value, product(*(self.domains[each] for each in inputs))), shape)

    # --- statements ---------------------------------------------------------------------------------------------------

    def block(self, statements: Sequence[CoreStatement]) -> None:
        """Add the factors of statements in a row."""
        for statement in statements:
            self.count += 1
            if self.count % _CLOCK == 0 and self.budget.expired():
                raise Beyond("no time left")
            match statement:
                case CoreAssign(target=target, value=value):
                    self.assign(target, self.sure(self.expression(value)))
                case CoreSample(target=target, distribution=distribution):
                    self.assign(target, self.sure(self.drawn(distribution)))
                case CoreObserve(condition=condition):
                    for part in conjuncts(condition):
                        self.observe(part, statement)
                case CoreIf():
                    self.branch(statement)

    def assign(self, target: tree.Target, value: Node) -> None:
        """Let a name mean a value; with a random index, each element the value or what it was."""
        if isinstance(target, tree.Name):
            self.write(target.id, value)
            return
        index = self.expression(target.index)
        if isinstance(index, Constant):
            if index.value not in self.core.arrays.get(target.array, ()):
                self.doubt(self.reached)
            else:
                self.write(f"{target.array}[{index.value}]", value)
            return
        existing = frozenset(self.core.arrays.get(target.array, ()))
        inside = [
            number if each in existing else len(self.domains[index]) for number, each in enumerate(self.domains[index])
        ]
        if max(inside) == len(inside):
            kept = (*(each for each in self.domains[index] if each in existing), None)
            rank = {each: number for number, each in enumerate(kept)}
            where = [rank.get(each, len(kept) - 1) for each in self.domains[index]]
            index = self.sure(self.function((index,), kept, np.array(where, dtype=np.intp)))
        for i in self.core.arrays.get(target.array, ()):
            is_it = self.apply("==", index, Constant(i))
            name = f"{target.array}[{i}]"
            before = self.meaning(name)
            if is_it != _ZERO and before != value:
                self.write(name, self.apply("choose", is_it, value, before))

    def drawn(self, distribution: tree.Distribution) -> Node:
        """Return a draw."""
        known = self.laws.get(id(distribution))
        if known is not None:
            return self.draw(known[1])
        law, is_fixed = law_of(distribution, self)
        if is_fixed:
            self.laws[id(distribution)] = distribution, law  # the law itself is kept, so that its id stays its own
        return self.draw(law)

    def draw(self, law: Law) -> Node:
        """Return a new draw of a law: a constant or a function where nothing is random."""
        if len(law.domain) == 1:
            return Constant(law.domain[0])
        if law.places is not None:
            return self.function(law.inputs, law.domain, law.places)
        output = self.variable(law.domain)
        self.factors.append(Table((*law.inputs, output), law.entries, law.denominator))
        return output

    def observe(self, condition: Expression, statement: CoreObserve) -> None:
        """Add the factor of an observation: 0 where it does not let a run go on."""
        node = self.apply("passes", self.reached, self.condition(condition))
        if isinstance(node, Constant) and node.value == 1:
            return
        scope, values = ((), (node.value,)) if isinstance(node, Constant) else ((node,), self.domains[node])
        entries: Entries = np.array([int(value == 1) for value in values], dtype=object)
        self.factors.append(Table(scope, entries.reshape(() if not scope else entries.shape)))
        self.observed.append((len(self.factors), statement))

    def branch(self, statement: CoreIf) -> None:
        """Add a branch, and the choices that come after it; arms that stand in a row, as ``else if`` does, one after the other."""
        law = local_law(statement, self)
        if law is not None:
            self.write(law[0], self.sure(self.draw(law[1])))
            return
        outside = self.reached
        conditions: list[Node] = []
        outcomes: list[dict[str, Node]] = []
        rest: Sequence[CoreStatement] = (statement,)
        while len(rest) == 1 and isinstance(rest[0], CoreIf):
            arm = rest[0]
            condition = self.condition(arm.condition)
            if isinstance(condition, Constant):
                rest = arm.consequent if condition.value == 1 else arm.alternative
                continue
            before = self.reached
            self.reached = self.apply("and", before, condition)
            outcomes.append(self.outcome(arm.consequent))
            self.reached = self.apply("and", before, self.apply("not", condition))
            conditions.append(condition)
            rest = arm.alternative
        last = self.outcome(rest)
        self.reached = outside
        for condition, outcome in zip(reversed(conditions), reversed(outcomes), strict=True):
            merged = dict[str, Node]()
            for name in dict.fromkeys((*outcome, *last)):
                here = self.meaning(name)
                first, second = outcome.get(name, here), last.get(name, here)
                merged[name] = first if first == second else self.apply("choose", condition, first, second)
            last = merged
        for name, node in last.items():
            self.write(name, node)

    def outcome(self, statements: Sequence[CoreStatement]) -> dict[str, Node]:
        """Run an arm, and return what the names that it writes mean at its end; here they mean what they meant before."""
        self.journal.append({})
        self.block(statements)
        before = self.journal.pop()
        result = {name: self.names[name] for name in before}
        for name, node in before.items():
            if node is None:
                del self.names[name]
            else:
                self.names[name] = node
        return result
