"""What is certain of a leak without numbers: secrets that no output can tell of, and outputs that determine a secret."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Label
from seepage.exact import CannotDecide, Number, compare
from seepage.semantics.checked import OutputSymbol, SecretSymbol, Symbols
from seepage.semantics.declarations import written_name
from seepage.semantics.expressions import without_parentheses
from seepage.semantics.facts import target_name
from seepage.semantics.influence import Influence, related, sources
from seepage.semantics.memo import Memo
from seepage.semantics.runs import Stretch
from seepage.semantics.static import quiet_value
from seepage.semantics.unit import Unit
from seepage.semantics.units import Units, units_of
from seepage.semantics.variables import assignments
from seepage.source import Span
from seepage.syntax.tree import (
    Assign,
    Binary,
    Call,
    Expression,
    For,
    If,
    Index,
    Item,
    Module,
    Name,
    Placed,
    Sample,
    Target,
    Unary,
    While,
    array_of,
    as_told,
)

_MOST_NAMES = 8  # of random variables in a note


def leaks_nothing(graph: Influence, symbols: Symbols) -> Iterator[Diagnostic]:
    """Yield an information for each secret that is independent of all outputs, whatever the numbers in the program."""
    if not symbols.outputs or not symbols.secrets:
        return
    outputs_of = [array_of(one.name) for one in symbols.outputs]
    computed_from = sources(outputs_of, graph) & graph.random
    told: set[str] | None = None  # also through what is observed: dearer, and most secrets are told without
    for secret in symbols.secrets:
        own = sources((array_of(secret.name),), graph) & graph.random
        if array_of(secret.name) not in symbols.variables or not own.isdisjoint(computed_from):
            continue
        told = related(outputs_of, graph) if told is None else told
        if own.isdisjoint(told):
            outputs = ", ".join(f"'{one.name}'" for one in symbols.outputs)
            message = f"no output depends on the secret '{secret.name}': it leaks nothing"
            note = f"'{secret.name}' depends on {_named(own)}, and {outputs} on {_named(told & graph.random)}"
            yield Diagnostic(rules.LEAKS_NOTHING, secret.span, message, notes=(note,))


def _named(random: Set[str]) -> str:
    """Name the random variables that something depends on, or the first ones of many."""
    names = [f"'{one}'" for one in sorted({as_told(name) for name in random})]
    if len(names) > _MOST_NAMES:
        names[_MOST_NAMES:] = [f"{len(names) - _MOST_NAMES:,} more random variables"]
    return ", ".join(names) if names else "no random value"


# --- copies -----------------------------------------------------------------------------------------------------------

Version = tuple[
    str, int, int
]  # a variable, how often it was assigned before, and how often an unknown element of its array
LoopBounds = tuple[Expression, Expression]


@dataclass(slots=True)
class _Copies:
    """For each variable, at one place of the straight line of the program, the version of which it is an injective function.

    Attributes:
        constants: known numbers.
        writes: assignments so far, by name; elements with a static index have names of their own.
        vague: assignments so far of elements that are not known by number, by array.
        equal: what a variable is computed from, where that is not itself.
        first: the value of the first assignment; None if that may happen or not.
        places: the last assignment.
    """

    constants: Mapping[str, Number]
    writes: dict[str, int] = field(default_factory=dict)
    vague: dict[str, int] = field(default_factory=dict)
    equal: dict[str, Version] = field(default_factory=dict)
    first: dict[str, Version | None] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)

    def now(self, name: str) -> Version:
        """Return what the present value of a variable is computed from."""
        array = array_of(name)
        return self.equal.get(name, (name, self.writes.get(name, 0), self.vague.get(array, 0)))

    def write(self, name: str, origin: str | None, place: Span, certain: bool) -> None:
        """Assign a variable: from ``origin`` by an injective function, or (None) otherwise."""
        meant = None if origin is None else self.now(origin)
        self.writes[name] = self.writes.get(name, 0) + 1
        self.equal.pop(name, None)
        if meant is not None:
            self.equal[name] = meant
        self.first.setdefault(name, self.now(name) if certain else None)
        self.places[name] = place

    def write_some(self, array: str, place: Span) -> None:
        """Assign an element of an array that is not known by number."""
        self.vague[array] = self.vague.get(array, 0) + 1
        for name in [one for one in self.equal if one.startswith(f"{array}[")]:
            del self.equal[name]
        for name in [one for one in self.writes if one.startswith(f"{array}[")]:
            self.places[name] = place


def determined_secrets(
    tree: Module, graph: Influence, symbols: Symbols, units: Units | None = None
) -> Iterator[Diagnostic]:
    """Yield a warning for each output that is an injective function of a secret by a chain of assignments, in straight lines and loops.

    Elements of arrays with a static index are variables of their own; in a loop, ``o[i] := r[i]`` copies an array.
    """
    if not symbols.outputs or not symbols.secrets:
        return
    units = units_of(tree) if units is None else units
    copies, filled = _Copies(symbols.consts), _filled_by_loops(tree, units)
    of_secrets = _told([one.name for one in symbols.secrets], tree, symbols, filled, units)
    of_outputs = _told([one.name for one in symbols.outputs], tree, symbols, filled, units)
    told = of_secrets | of_outputs
    # Both are functions of one variable where one tells the other.
    for part in () if of_secrets.isdisjoint(of_outputs) else units.parts(tree.items):
        if not isinstance(part, Stretch):
            _follow(part, copies, filled, units, told)
        elif not told.isdisjoint(part.run.says.targets):
            for item in units.items(part):
                _follow(item, copies, filled, units, told)
    for secret in symbols.secrets:
        if not sources((array_of(secret.name),), graph) & graph.random:
            continue  # a constant is no secret, and has none to tell
        for output in symbols.outputs:
            if output.name != secret.name and _tells(output, secret, copies):
                yield _determines(output, secret, copies)
            elif output.name == secret.name and secret.mode != "initial":
                message = f"the output '{output.name}' is itself a secret: it reveals the secret completely"
                labels = (Label(secret.span, f"'{secret.name}' is declared as a secret here"),)
                yield Diagnostic(rules.OUTPUT_DETERMINES_SECRET, output.span, message, labels=labels)


def _tells(output: OutputSymbol, secret: SecretSymbol, copies: _Copies) -> bool:
    meant = copies.first.get(secret.name) if secret.mode == "initial" else copies.now(secret.name)
    return output.name in copies.places and copies.now(output.name) == meant


def _determines(output: OutputSymbol, secret: SecretSymbol, copies: _Copies) -> Diagnostic:
    message = f"the output '{output.name}' determines the secret '{secret.name}': it reveals the secret completely"
    labels = (
        Label(copies.places[output.name], f"'{output.name}' is computed here, by a function that can be inverted"),
        Label(secret.span, f"'{secret.name}' is declared as a secret here"),
    )
    return Diagnostic(rules.OUTPUT_DETERMINES_SECRET, output.span, message, labels=labels)


def _told(
    asked: Sequence[str], tree: Module, symbols: Symbols, filled: Mapping[str, LoopBounds], units: Units
) -> Set[str]:
    """Return the variables whose values may reach one of some by a chain of functions that can be inverted, and perhaps others.

    Backwards from those, so that the rest of a file costs nothing.
    """
    copied: dict[str, list[str]] = {}
    for loop in _top_loops(tree, units) if filled else ():
        if (both := _copied_array(loop, filled)) is not None:
            copied.setdefault(both[0], []).append(both[1])
    told: set[str] = set()
    stack = [array_of(name) for name in asked]
    while stack:
        name = stack.pop()
        if name in told:
            continue
        told.add(name)
        stack.extend(copied.get(name, ()))
        for label in units.written.labels.get(name, ()):
            unit = units.unit(label)
            if isinstance(unit.key, Assign):
                read = _inverted_by(unit, unit.key.value, symbols.consts)
                if read is not None:
                    stack.append(target_name(read))
    return told


def _follow(item: Item, copies: _Copies, filled: Mapping[str, LoopBounds], units: Units, told: Set[str]) -> None:
    match item:
        case Placed() if units.of(item).facts.target not in told:
            pass
        case Placed(node=Assign(target=target, value=value)):
            read = _inverted_by(units.of(item), value, copies.constants)
            _write(target, None if read is None else written_name(read, copies.constants), item, copies, certain=True)
        case Placed(node=Sample(target=target)):
            _write(target, None, item, copies, certain=True)
        case If() | For() | While():
            copied = _copied_array(item, filled) if isinstance(item, For) else None
            for one in units.assigning((item,), told):
                if isinstance(one.node, Assign | Sample):
                    _write(one.node.target, None, one, copies, certain=False)
            if copied is not None and isinstance(item, For):
                copies.write(copied[0], copied[1], item.header, certain=False)
        case _:
            pass


def _write(target: Target, origin: str | None, item: Placed, copies: _Copies, certain: bool) -> None:
    """Note an assignment; one of an element changes its array, and the elements that it may be."""
    if not isinstance(target, Index):
        copies.write(target.id, origin, item.span, certain)
        return
    if quiet_value(target.index, item.start, copies.constants) is None:
        copies.write_some(target.array, item.span)
    else:
        copies.write(written_name(target, copies.constants), origin, item.span, certain)
    copies.write(target.array, None, item.span, certain=False)


_INVERSES = Memo[tuple[Target | None]]()  # the variable of which a unit assigns an injective function


def _inverted_by(unit: Unit, value: Expression, constants: Mapping[str, Number]) -> Target | None:
    """Return what :func:`_inverted` does; where no constant has a say, it is remembered."""
    if not constants.keys().isdisjoint(unit.facts.reads):
        return _inverted(value, 0, constants)
    known = _INVERSES.of(unit) or _INVERSES.keep(unit, (_inverted(value, 0, {}),))
    return known[0]


def _inverted(expression: Expression, start: int, constants: Mapping[str, Number]) -> Target | None:
    """Return the variable of which an expression is an injective function, None if that is not certain."""
    while True:
        expression = without_parentheses(expression)
        match expression:
            case Name(id=name) if name not in constants:
                return expression
            case Index(index=index) if quiet_value(index, start, constants) is not None:
                return expression
            case Unary(operand=operand):
                expression = operand
            case Call(function="exp" | "log" | "sqrt", arguments=(argument,)):
                expression = argument
            case Binary(operator="+" | "-", left=left, right=right):
                if quiet_value(right, start, constants) is not None:
                    expression = left
                elif quiet_value(left, start, constants) is not None:
                    expression = right
                else:
                    return None
            case Binary(operator="*" | "/", left=left, right=right):
                if _is_factor(right, start, constants):
                    expression = left
                elif _is_factor(left, start, constants):
                    expression = right
                else:
                    return None
            case _:
                return None


def _is_factor(expression: Expression, start: int, constants: Mapping[str, Number]) -> bool:
    value = quiet_value(expression, start, constants)
    try:
        return value is not None and compare(value, 0) != 0
    except CannotDecide:
        return False


def _filled_by_loops(tree: Module, units: Units) -> dict[str, LoopBounds]:
    """Return the arrays that only loops over one range write, each element of it and no other."""
    if not units.written.elements:
        return {}
    found: dict[str, LoopBounds | None] = {}
    inside: set[int] = set()
    for loop in _top_loops(tree, units):
        for one in loop.block.items:
            match one:
                case Placed(node=Assign(target=target) | Sample(target=target)):
                    if isinstance(target, Index) and target.index == Name(loop.name, target.span):
                        bounds = (loop.low, loop.high)
                        found[target.array] = bounds if found.get(target.array, bounds) == bounds else None
                        inside.add(id(one))
                case _:
                    pass
    for array in found:
        written = assignments(units.written.labels[array], units)
        if any(isinstance(_target(one), Index) and id(one) not in inside for one in written):
            found[array] = None
    return {array: bounds for array, bounds in found.items() if bounds is not None}


def _top_loops(tree: Module, units: Units) -> Iterator[For]:
    """Yield the loops that stand in no block."""
    for part in units.parts(tree.items):
        if isinstance(part, For):
            yield part
        elif isinstance(part, Stretch) and part.run.says.loops:
            yield from (item for item in units.items(part) if isinstance(item, For))


def _target(item: Placed) -> Target | None:
    return item.node.target if isinstance(item.node, Assign | Sample) else None


def _copied_array(loop: For, filled: Mapping[str, LoopBounds]) -> tuple[str, str] | None:
    """Return the arrays of a loop that does nothing but copy all of the one to the other, element by element: ``o[i] := r[i]``."""
    if len(loop.block.items) != 1:
        return None
    match loop.block.items[0]:
        case Placed(
            node=Assign(target=Index(array=target, index=Name(id=i)), value=Index(array=source, index=Name(id=j)))
        ) if i == j == loop.name and target != source:
            bounds = (loop.low, loop.high)
            return (target, source) if filled.get(source) == filled.get(target) == bounds else None
        case _:
            return None
