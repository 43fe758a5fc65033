"""Runs a core program path by path: discrete values exactly, continuous ones as polynomials of independent sources.

A comparison of continuous values splits a path in two, each with a guard: an interval that a linear combination of sources lies in.
Nothing is approximated; what does not fit raises :class:`Beyond`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from flint import arb

from seepage import exact
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.distributions.families import draw, support
from seepage.distributions.kinds import listed
from seepage.distributions.parameters import Place
from seepage.engines.forward.cutting import Cutting
from seepage.engines.outcome import Budget
from seepage.engines.pivot.cells import Cells, absorbed
from seepage.engines.pivot.comparisons import implied_sign
from seepage.engines.pivot.joining import fewest_densities, merged, united, with_joined_sources
from seepage.engines.pivot.parting import by_cut, by_roots, given_value_zero, is_no_guard, need_noise
from seepage.engines.pivot.path import Path, Symbols
from seepage.engines.pivot.wanted import ALL, Wanted, around, before, clamped_at, negated, rounds
from seepage.engines.soga.weights import Weight, Weights
from seepage.exact import ArithmeticFault, Number
from seepage.laws.forms import Beyond, Polynomial, Value, direction_of, factors_of, linear, plus, times
from seepage.laws.table import draw_of
from seepage.laws.windows import Window
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import ARITHMETIC, apply_function, spelled
from seepage.semantics.signatures import SIGNATURES
from seepage.semantics.statements import names_read, read_before, written_variables
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression, Family, Index, Name

MOST_PATHS = 2_048
_MOST_ROUNDED = 16_384  # where values are rounded, so that most paths are single numbers
_MOST_PARTS = 65_536  # of a statement, before those that are alike are joined


Valued = tuple[Path, Value]


def paths_of(
    core: CoreProgram,
    asked: Sequence[str],
    parameters: Mapping[str, Number],
    budget: Budget,
    bits: int,
    cuts: bool = False,
    cutting: Cutting | None = None,
    cells: Cells | None = None,
    symbols: Symbols | None = None,
) -> tuple[Path, ...]:
    """Return the paths of a program, with the values of the asked variables only.

    With ``cuts``, for who asks for the chances of paths alone, one comparison of a value that is not linear, or of a sum of variables that are
    not all normal, may split a path, too. With ``cutting``, where windows are noted, discrete laws with infinite support are followed in windows that
    leave out at most 2^−``budget.tail_bits``. With ``cells``, where what was left out is added up, values without bounds are rounded, too. With ``symbols``,
    variables have values before the program begins.

    Raises:
        Beyond: if the program is not of the kind that this engine solves, or has too many paths.
    """
    start = symbols or Symbols({}, ())
    run = _Run(core, parameters, budget, bits, cuts, cutting, cells or Cells(), frozenset(range(len(start.laws))))
    try:
        paths = [Path(Weights.one, {**dict.fromkeys(_unassigned(core, asked), 0), **start.values}, start.laws)]
        forgotten = _forgotten(core, asked)
        for part in _parts(core.statements):
            for statement in part:
                paths = run.block([statement], paths, forgotten.popleft())
                paths = [*united(paths)] if run.symbols else paths  # a scan for the greatest has as many as values
            paths = fewest_densities(paths)
        run.cells.check()
    except Fault as fault:
        raise Beyond(fault.diagnostic.message) from fault
    except ArithmeticFault as fault:
        raise Beyond(fault.reason) from fault
    for path in paths:
        if not all(name in path.values for name in asked):
            raise Beyond("a variable without a value on some path")
    told = (replace(path, values={name: path.values[name] for name in asked}) for path in paths)
    return united([with_joined_sources(path) for path in told])


def _parts(statements: Sequence[CoreStatement]) -> list[Sequence[CoreStatement]]:
    """Return the program proper, the observations of an event, and what comes after: in each, densities are counted apart."""
    places = [i for i, each in enumerate(statements) if isinstance(each, CoreObserve) and each.of_event]
    if not places:
        return [statements]
    return [statements[: places[0]], statements[places[0] : places[-1] + 1], statements[places[-1] + 1 :]]


def _forgotten(core: CoreProgram, asked: Iterable[str]) -> deque[frozenset[str]]:
    """Return for each statement the variables that it reads or writes and nothing reads after it."""
    found: deque[frozenset[str]] = deque()
    live = set(asked)
    for statement in reversed(core.statements):
        found.appendleft(
            core.expanded((*names_read([statement]), *written_variables([statement]))) - core.expanded(live)
        )
        live = read_before([statement], live)
    return found


def _unassigned(core: CoreProgram, asked: Iterable[str]) -> frozenset[str]:
    """Return the variables that may be read before anything is assigned to them, and are 0 there."""
    return core.expanded(read_before(core.statements, asked)) - {*core.parameters, *core.left_out}


class _Run:
    """What the statements of one run are evaluated with."""

    def __init__(
        self,
        core: CoreProgram,
        parameters: Mapping[str, Number],
        budget: Budget,
        bits: int,
        cuts: bool,
        cutting: Cutting | None,
        cells: Cells,
        symbols: frozenset[int],
    ) -> None:
        self.core, self.parameters, self.budget, self.ring, self.cuts = core, parameters, budget, Weights(bits), cuts
        self.cutting, self.windows, self.cells, self.symbols = cutting, list[tuple[arb, Window]](), cells, symbols

    def block(
        self, statements: Iterable[CoreStatement], paths: list[Path], dead: frozenset[str] = frozenset()
    ) -> list[Path]:
        """Return the paths after statements, and without variables that nothing reads after any of these."""
        for statement in statements:
            paths = merged(self.after(statement, paths, dead))
            most = _MOST_ROUNDED if self.cells.rounds else min(MOST_PATHS, self.budget.components)
            if len(paths) > most or self.budget.expired():
                raise Beyond("too many paths")
        return paths

    def after(self, statement: CoreStatement, paths: list[Path], dead: frozenset[str]) -> Iterator[Path]:
        count = 0
        for path in paths:
            for each in self.statement(statement, path):
                count += 1
                if count > _MOST_PARTS or self.budget.expired():
                    raise Beyond("too many paths")
                kept: Path | None = each
                if dead:
                    kept = replace(each, values={name: each.values[name] for name in each.values if name not in dead})
                if kept is not None and self.cells.rounds:
                    kept = absorbed(kept)
                if kept is not None:
                    yield kept

    def statement(self, statement: CoreStatement, path: Path) -> Iterator[Path]:
        match statement:
            case CoreAssign(target=target, value=expression):
                for after, value in self.value(path, expression):
                    yield from self.stored(after, target, value)
            case CoreSample(target=target, distribution=distribution):
                self.windows = []
                drawn = list(self.draws(path, distribution))
                if self.cutting is not None:
                    self.cutting.note(distribution, self.windows)
                for after, value in drawn:
                    yield from self.stored(after, target, value)
            case CoreObserve(condition=condition):
                yield from self.observed(path, condition)
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                for after, value in self.condition(path, condition):
                    yield from self.block(consequent if value else alternative, [after])

    def stored(self, path: Path, target: Name | Index, value: Value) -> Iterator[Path]:
        for after, name in [(path, target.id)] if isinstance(target, Name) else self.picked(path, target):
            yield replace(after, values={**after.values, name: value})

    def picked(self, path: Path, element: Index) -> Iterator[tuple[Path, str]]:
        """Yield the parts of a path in which an index has one value, with the name of the element that it picks there."""
        for after, index in self.value(path, element.index):
            if index not in self.core.arrays.get(element.array, ()):
                raise Beyond(f"'{spelled(element)}' may be no element")
            yield after, f"{element.array}[{index}]"

    # --- expressions --------------------------------------------------------------------------------------------------

    def value(self, path: Path, expression: Expression, wanted: Wanted = ALL) -> Iterator[Valued]:
        """Yield the parts of a path in which an expression has one value, or one of those that are not told apart, with that value."""
        match expression:
            case tree.Number(value=number):
                yield path, exact.number(number)
            case tree.Boolean(value=holds):
                yield path, int(holds)
            case tree.Parenthesized(inner=inner):
                yield from self.value(path, inner, wanted)
            case Name(id=name):
                yield path, self.parameters[name] if name in self.core.parameters else self.known(path, name)
            case Index():
                yield from ((after, self.known(after, name)) for after, name in self.picked(path, expression))
            case tree.Conditional(condition=condition, consequent=first, alternative=second):
                for after, truth in self.condition(path, condition):
                    yield from self.value(after, first if truth else second, wanted)
            case tree.Unary(operator="-", operand=operand):
                yield from ((after, times(-1, inner)) for after, inner in self.value(path, operand, negated(wanted)))
            case tree.Unary(operator="not" | "!"):
                yield from self.condition(path, expression)
            case tree.Binary(operator=operator) if operator in tree.COMPARISONS or operator in tree.LOGICAL:
                yield from self.condition(path, expression)
            case tree.Binary(operator=operator, left=left, right=right):
                for after, a, b in self.pair(path, left, right, lambda at, c: before(operator, at == 0, c, wanted)):
                    yield from (
                        self.remainder(after, a, b) if operator == "%" else [(after, _arithmetic(operator, a, b))]
                    )
            case tree.Cell(draw=draw, column=column, row=row):
                for after, place in self.value(path, row):
                    if not isinstance(place, int):
                        raise Beyond("a row whose number is not known")
                    yield after, draw.cell(column, place)
            case tree.Call(function="floor" | "ceil" as function, arguments=(argument,)):
                side = 1 if function == "floor" else -1
                for after, argued in self.value(path, argument):
                    for part, whole in self.floor(after, times(side, argued), wanted if side > 0 else negated(wanted)):
                        yield part, side * whole
            case tree.Call(function="min" | "max" as function, arguments=arguments) if any(map(rounds, arguments)):
                plain = [each for each in arguments if not rounds(each)]
                for between, known in self.all_values(path, plain):
                    asked = clamped_at(wanted, function, known)
                    for after, rest in self.all_values(between, [*filter(rounds, arguments)], asked):
                        yield from self.call(after, function, [*known, *rest])
            case tree.Call(function=function, arguments=arguments):
                for after, values in self.all_values(path, arguments):
                    yield from self.call(after, function, values)
            case _:
                raise Beyond(f"'{spelled(expression)}'")

    def known(self, path: Path, name: str) -> Value:
        if name not in path.values:
            raise Beyond(f"'{name}' has no value on some path")
        return path.values[name]

    def all_values(
        self, path: Path, expressions: Sequence[Expression], wanted: Wanted = ALL
    ) -> Iterator[tuple[Path, list[Value]]]:
        if not expressions:
            yield path, []
        elif len(expressions) == 1:
            for after, value in self.value(path, expressions[0], wanted):
                yield after, [value]
        else:  # by halves: a law has more chances than calls can stand in each other
            half = len(expressions) // 2
            for between, first in self.all_values(path, expressions[:half], wanted):
                for after, rest in self.all_values(between, expressions[half:], wanted):
                    yield after, [*first, *rest]

    def pair(
        self, path: Path, left: Expression, right: Expression, wanted: Callable[[int, Value], Wanted]
    ) -> Iterator[tuple[Path, Value, Value]]:
        """Yield the values of two expressions; ``wanted`` tells what is told apart of the one at a place, given the other."""
        if rounds(left) and not rounds(right):
            for between, b in self.value(path, right):
                yield from ((after, a, b) for after, a in self.value(between, left, wanted(0, b)))
        else:
            for between, a in self.value(path, left):
                asked = wanted(1, a) if rounds(right) and not rounds(left) else ALL
                yield from ((after, a, b) for after, b in self.value(between, right, asked))

    def call(self, path: Path, function: str, values: list[Value]) -> Iterator[Valued]:
        numbers = [value for value in values if not isinstance(value, Polynomial)]
        if len(numbers) == len(values):
            yield path, apply_function(function, numbers)
        elif function in ("min", "max"):
            best = [(path, values[0])]
            for value in values[1:]:
                best = [
                    (after, value if (sign > 0) == (function == "max") else old)
                    for part, old in best
                    for after, sign in self.sign(part, plus(value, times(-1, old)))
                ]
            yield from best
        elif function == "abs":
            yield from ((after, times(sign, values[0])) for after, sign in self.sign(path, values[0]))
        else:
            raise Beyond(f"'{function}' of a continuous value")

    def floor(self, path: Path, value: Value, wanted: Wanted = ALL) -> Iterator[tuple[Path, int]]:
        """Yield the parts of a path in which a value has one integer part, or one of those that are not told apart, with it."""
        if isinstance(value, Polynomial):
            yield from self.cells.split(path, value, wanted)
        else:
            yield path, exact.floor_(value)

    def remainder(self, path: Path, a: Value, b: Value) -> Iterator[Valued]:
        """Yield a % b = a − b · floor(a / b), of a continuous a in parts."""
        if not isinstance(a, Polynomial) or isinstance(b, Polynomial):
            yield path, _arithmetic("%", a, b)
            return
        for after, whole in self.floor(path, times(a, exact.div(1, b))):
            yield after, plus(a, times(exact.neg(b), whole))

    def condition(self, path: Path, expression: Expression, observed: bool = False) -> Iterator[tuple[Path, int]]:
        """Yield the parts of a path in which a condition is true (1) or false (0)."""
        match expression:
            case tree.Parenthesized(inner=inner):
                yield from self.condition(path, inner, observed)
            case tree.Unary(operator="not" | "!", operand=operand):
                yield from ((after, 1 - truth) for after, truth in self.condition(path, operand, observed))
            case tree.Binary(operator="and" | "or" as operator, left=left, right=right):
                for between, truth in self.condition(path, left, observed):
                    if truth == int(operator == "or"):
                        yield between, truth
                    else:
                        yield from self.condition(between, right, observed)
            case tree.Binary(operator="xor", left=left, right=right):
                for between, truth in self.condition(path, left, observed):
                    yield from (
                        (after, int(truth != other)) for after, other in self.condition(between, right, observed)
                    )
            case tree.Binary(operator=operator, left=left, right=right) if operator in tree.COMPARISONS:
                for after, a, b in self.pair(path, left, right, lambda _, c: around(c)):
                    yield from self.compared(after, operator, plus(a, times(-1, b)), observed)
            case _:
                for after, value in self.value(path, expression):
                    if isinstance(value, Polynomial) or value not in (0, 1):
                        raise Beyond(f"'{spelled(expression)}' is no condition")
                    yield after, int(value == 1)

    def observed(self, path: Path, condition: Expression) -> Iterator[Path]:
        """Yield the parts of a path that pass an observation; equalities joined by ``and`` are those of densities."""
        match condition:
            case tree.Parenthesized(inner=inner):
                yield from self.observed(path, inner)
            case tree.Binary(operator="and", left=left, right=right):
                for between in self.observed(path, left):
                    yield from self.observed(between, right)
            case tree.Binary(operator="==", left=left, right=right):
                for after, a, b in self.pair(path, left, right, lambda _, c: around(c)):
                    difference = plus(a, times(-1, b))
                    if isinstance(difference, Polynomial):
                        self.cells.weighed = True
                        yield from given_value_zero(after, difference)
                    elif exact.sign(difference) == 0:
                        yield after
            case _:
                yield from (after for after, value in self.condition(path, condition, observed=True) if value)

    def compared(self, path: Path, operator: str, value: Value, observed: bool) -> Iterator[tuple[Path, int]]:
        if isinstance(value, Polynomial) and operator in ("==", "!="):
            if observed:
                raise Beyond("an observed equality of continuous values")
            need_noise(value, self.symbols)
            yield path, int(operator == "!=")
            return
        for after, sign in self.sign(path, value):
            yield after, int(_HOLDS[operator](sign))

    def sign(self, path: Path, value: Value) -> Iterator[tuple[Path, int]]:
        """Yield the parts of a path in which a value is positive or negative (and 0, if it is a number)."""
        if not isinstance(value, Polynomial):
            yield path, exact.sign(value)
            return
        need_noise(value, self.symbols)
        if value.degree == 2 and len(value.sources) == 1:
            yield from by_roots(path, value)
            return
        if len(value.sources) > 1 and (factors := factors_of(value)) is not None:
            yield from self.sign_of_product(path, factors)
            return
        found = linear(value)
        if self.cuts and is_no_guard(path, found):
            yield from by_cut(path, value)
            return
        if found is None:
            raise Beyond("a guard that is not linear")
        constant, coefficients = found
        direction, scale = direction_of(coefficients)
        edge = exact.div(exact.neg(constant), scale)
        upward = exact.sign(scale)
        if decided := implied_sign(path.laws, path.guards or {}, direction, edge):
            yield path, decided * upward
            return
        for part, sign in ((path.within(direction, edge, None), upward), (path.within(direction, None, edge), -upward)):
            if part is not None:
                yield part, sign

    def sign_of_product(self, path: Path, factors: Sequence[Value]) -> Iterator[tuple[Path, int]]:
        parts = [(path, 1)]
        for factor in factors:
            parts = [(after, sign * own) for part, sign in parts for after, own in self.sign(part, factor)]
        yield from parts

    # --- distributions ------------------------------------------------------------------------------------------------

    def draws(self, path: Path, distribution: Distribution, share: Weight = Weights.one) -> Iterator[Valued]:
        """Yield what a distribution gives on a path; ``share`` is its weight in what is drawn from."""
        match distribution:
            case tree.Table(entries=entries, span=span):
                for after, position, weight in self.choices(path, [weight for _, weight in entries], span):
                    for part, value in self.value(after, entries[position][0]):
                        yield replace(part, weight=part.weight * weight), value
            case tree.Mixture(parts=parts, span=span):
                for after, position, weight in self.choices(path, [weight for weight, _ in parts], span):
                    for part, value in self.draws(after, parts[position][1], share * weight):
                        yield replace(part, weight=part.weight * weight), value
            case tree.Family(name=name) if name in SIGNATURES and SIGNATURES[name].kind == "continuous":
                yield from self.continuous(path, distribution)
            case tree.Family() if (values := listed(distribution)) is not None:
                each = self.ring.rational(1, len(values))
                for one in values:
                    for part, value in self.value(path, one):
                        yield replace(part, weight=part.weight * each), value
            case tree.Rows():
                for number, chance in support(distribution, Place({}, {}), self.ring, MOST_PATHS):
                    yield replace(path, weight=path.weight * chance), number
            case tree.Family():
                yield from self.discrete(path, distribution, share)

    def choices(self, path: Path, weights: Sequence[Expression], span: Span) -> Iterator[tuple[Path, int, Weight]]:
        for after, values in self.all_values(path, weights):
            names, place = _named(weights, values)
            place.check_sum(tuple(names), span)
            for position, name in enumerate(names):
                weight = self.ring.probability(name, place.values)
                if not self.ring.is_zero(weight):
                    yield after, position, weight

    def discrete(self, path: Path, family: Family, share: Weight) -> Iterator[Valued]:
        for after, values in self.all_values(path, [argument.value for argument in family.arguments]):
            names, place = _named([argument.value for argument in family.arguments], values)
            arguments = tuple(
                tree.Argument(argument.name, name, argument.span)
                for argument, name in zip(family.arguments, names, strict=True)
            )
            named = tree.Family(family.name, arguments, family.name_span, family.span)
            for value, weight in self.support(named, place, share):
                yield replace(after, weight=after.weight * weight), value

    def support(self, family: Family, place: Place, share: Weight) -> Iterable[tuple[Number, Weight]]:
        if self.cutting is None:
            return support(family, place, self.ring, MOST_PATHS)
        drawn = draw(family, place, self.ring, MOST_PATHS, self.budget.tail_bits)
        self.windows += (((arb(share) * weight).upper(), window) for weight, window in drawn.windows)
        return drawn.entries

    def continuous(self, path: Path, family: Family) -> Iterator[Valued]:
        named = bind(family).named
        for after, values in self.all_values(path, list(named.values())):
            yield after.placed(draw_of(family.name, dict(zip(named, values, strict=True))))


_HOLDS: Mapping[str, Callable[[int], bool]] = {
    "<": lambda sign: sign < 0,
    "<=": lambda sign: sign <= 0,
    ">": lambda sign: sign > 0,
    ">=": lambda sign: sign >= 0,
    "==": lambda sign: sign == 0,
    "!=": lambda sign: sign != 0,
}


def _arithmetic(operator: str, a: Value, b: Value) -> Value:
    if not isinstance(a, Polynomial) and not isinstance(b, Polynomial):
        return ARITHMETIC[operator](a, b)
    match operator:
        case "+":
            return plus(a, b)
        case "-":
            return plus(a, times(-1, b))
        case "*":
            return times(a, b)
        case "/" if not isinstance(b, Polynomial):
            return times(a, exact.div(1, b))
        case "^" if isinstance(b, int) and 0 <= b <= 4:
            power: Value = 1
            for _ in range(b):
                power = times(power, a)
            return power
        case _:
            raise Beyond(f"'{operator}' of continuous values")


def _named(expressions: Sequence[Expression], values: Sequence[Value]) -> tuple[list[Name], Place]:
    """Name each of some values, for functions that read expressions."""
    names: list[Name] = []
    numbers: dict[str, Number] = {}
    for expression, value in zip(expressions, values, strict=True):
        if isinstance(value, Polynomial):
            raise Beyond("a parameter that is continuous")
        names.append(Name(f"argument {len(names)}", expression.span))
        numbers[names[-1].id] = value
    return names, Place(numbers, {})
