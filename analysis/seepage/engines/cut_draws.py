"""Draws from laws with a density of which a program reads nothing but how they compare with fixed numbers, as draws of the cell between these numbers.

A program that compares a salary with a limit, or a reading with two thresholds, depends on the cell that the value lies in, and on nothing else of it. Copies, ``max``, ``min`` and
choices of such values are of the same kind: the cell of the greatest is the greatest cell, where all are cut at the same places. Cells and places are numbered in their
order (2 k above k places, 2 k − 1 at the k-th), so that comparisons stay comparisons, of numbers of cells with numbers of places. Linear functions of one draw are held against
the places from which they come.

Whatever else reads a value keeps it as it is, and so all values that it is chosen beside; equality does, too, which an observation takes for a density.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cmp_to_key

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.distributions.kinds import is_continuous
from seepage.engines.continuous_reads import continuous, read_early, written_once
from seepage.exact import ArithmeticFault, Number
from seepage.semantics.closed_forms import expression_of
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import arguments_of, bottom_up, plain_names, with_arguments, with_children
from seepage.semantics.signatures import CELLS
from seepage.semantics.statements import has_loops, walk
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.terms import BinaryOperator
from seepage.syntax.tree import COMPARISONS, Distribution, Expression, Name

Names = frozenset[str]
_NONE: Names = frozenset()
_MOST_PLACES = 1_000  # of all draws together
_CHOOSING = frozenset({"max", "min"})
_TURNED: Mapping[BinaryOperator, BinaryOperator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_BELOW, _ABOVE = frozenset({">", "<="}), frozenset({"<", ">="})
_NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a variable is cut.

    Attributes:
        places: ascending.
        below: those at which a value counts to the cell below; of places that are neither here nor in ``above``, a value at one is told from both cells.
        above: those at which it counts to the cell above.
    """

    places: tuple[Number, ...] = ()
    below: frozenset[Number] = frozenset()
    above: frozenset[Number] = frozenset()


@dataclass(frozen=True, slots=True)
class CutDraws:
    """A program with cells in the place of values.

    Attributes:
        core: the program; a variable that is cut holds the number of its cell.
        cuts: where each of these variables is cut.
        draws: of each of these that is asked for, the variable that was drawn: itself, or that of which it is a copy.
    """

    core: CoreProgram
    cuts: Mapping[str, Cut]
    draws: Mapping[str, str]


def cut_draws(
    core: CoreProgram, parameters: Mapping[str, Number], asked: Collection[str], kept: Collection[str]
) -> CutDraws | None:
    """Return a program in which as many draws as possible are cut; None where there is none.

    Of a variable that is asked for the rest must depend on its cell alone. So it is cut only where it is a draw whose law is fixed, or a copy of one that is not asked for,
    too: given its cell, it is independent of all else then.

    Args:
        core: an unrolled program, its loops settled.
        parameters: their values.
        asked: variables that may be cut, though they are asked for.
        kept: variables of which the values themselves are asked for.
    """
    if has_loops(core) or not set(core.parameters) <= set(parameters):
        return None
    if not any(isinstance(each, CoreSample) and is_continuous(each.distribution) for each in walk(core.statements)):
        return None
    try:
        reading = _Reading(core, parameters, frozenset((*asked, *kept)))
        draws = reading.draws(asked)
        reading.whole.update(kept, (name for name in asked if name not in draws))
        reading.block(core.statements)
        return reading.cut(draws)
    except (ArithmeticFault, Fault):
        return None


@dataclass(frozen=True, slots=True)
class _Form:
    """``slope`` times a continuous variable plus ``shift``; ``of`` is None for a fixed number, and may be an element picked at random."""

    of: Name | tree.Index | None
    slope: Number
    shift: Number

    def times(self, factor: Number) -> _Form:
        return _Form(self.of, exact.mul(self.slope, factor), exact.mul(self.shift, factor))

    def plus(self, other: _Form) -> _Form | None:
        if self.of is not None and other.of is not None and self.of != other.of:
            return None
        of = other.of if self.of is None else self.of
        return _Form(of, exact.add(self.slope, other.slope), exact.add(self.shift, other.shift))

    @property
    def number(self) -> Number | None:
        return self.shift if self.of is None else None


@dataclass(frozen=True, slots=True)
class _Part:
    """What is known of an expression.

    Attributes:
        written: the same over cells, where it is no choice among values.
        reads: continuous variables that its value is computed from.
        form: where it is linear in one of them, or fixed.
        choice: whether it is one of these variables, or of the numbers in ``fixed``.
        fixed: numbers that it may be.
    """

    written: Expression
    reads: Names = _NONE
    form: _Form | None = None
    choice: bool = False
    fixed: tuple[Number, ...] = ()


class _Reading:
    """A program, read twice: for the places at which its draws are cut, and to be written anew.

    Attributes:
        core: the program.
        parameters: their values.
        images: variables that are linear functions of others: what they are.
        continuous: all other variables that may be continuous.
        whole: those that are not cut.
        ranks: by the variable that stands for all that are cut at the same places, the numbers of the places; empty in the first reading.
    """

    def __init__(self, core: CoreProgram, parameters: Mapping[str, Number], named: Names) -> None:
        self.core, self.parameters = core, parameters
        self.once = written_once(core)
        self.continuous = continuous(core)
        self.images: dict[str, _Form] = {}
        self.leaders: dict[str, str] = {}
        self.whole: set[str] = set()
        self.drawn: set[str] = set()
        self.held: list[tuple[str, Number, str]] = []
        self.ranks: dict[str, dict[Number, int]] = {}
        for statement in core.statements:
            match statement:
                case CoreAssign(target=Name(id=name), value=value) if name in self.once - named:
                    part = self.part(value)
                    is_image = part.form is not None and isinstance(part.form.of, Name) and not part.choice
                    if part.form is not None and is_image and part.reads <= self.once:
                        self.images[name] = part.form
                case _:
                    pass
        self.continuous -= self.images.keys()

    # --- which variables belong together ------------------------------------------------------------------------------

    def leader(self, name: str) -> str:
        """Return the variable that stands for all that are cut at the same places."""
        while (other := self.leaders.get(name, name)) != name:
            self.leaders[name] = self.leaders.get(other, other)
            name = other
        return name

    def join(self, names: Iterable[str]) -> None:
        """Let variables be cut at the same places."""
        first, *others = [self.leader(name) for name in names]
        for other in others:
            self.leaders[self.leader(other)] = self.leader(first)

    def draws(self, asked: Collection[str]) -> dict[str, str]:
        """Return of those variables that are asked for which are independent draws, or copies of such, the variables drawn."""
        roots: dict[str, str] = {}
        for statement in self.core.statements:
            match statement:
                case CoreSample(target=Name(id=name), distribution=law) if name in self.once:
                    if all(each in self.parameters for one in arguments_of(law) for each in plain_names(one)):
                        roots[name] = name
                case CoreAssign(target=Name(id=name), value=Name(id=other)) if name in self.once and other in roots:
                    roots[name] = roots[other]
                case _:
                    pass
        counts = Counter(roots.get(name) for name in asked)
        return {name: roots[name] for name in asked if counts[roots.get(name)] == 1 and name in roots}

    def is_cut(self, name: str) -> bool:
        """Tell whether a variable holds cells in the program that is written, which the second reading knows."""
        return name in self.continuous and self.leader(name) not in self.whole

    # --- what the first reading found ---------------------------------------------------------------------------------

    def cut(self, draws: Mapping[str, str]) -> CutDraws | None:
        """Return the program with cells in the place of values, once it has been read."""
        self.whole = {self.leader(name) for name in self.whole}
        cut = [name for name in self.core.variables if self.is_cut(name)]
        if not any(name in self.drawn for name in cut):
            return None
        early = [name for name in cut if name in read_early(self.core)]
        self.held += [(name, 0, "") for name in early]
        sides: dict[str, dict[Number, set[str]]] = {}
        for name, place, operator in self.held:
            sides.setdefault(self.leader(name), {}).setdefault(place, set()).add(operator)
        if sum(map(len, sides.values())) > _MOST_PLACES:
            return None
        cuts: dict[str, Cut] = {}
        for leader, found in sides.items():
            places = tuple(sorted(found, key=cmp_to_key(exact.compare)))
            below, above = (frozenset(each for each in found if found[each] <= side) for side in (_BELOW, _ABOVE))
            cuts[leader] = Cut(places, below, above)
        self.ranks = {leader: {each: 2 * at + 1 for at, each in enumerate(one.places)} for leader, one in cuts.items()}
        begun = (CoreAssign(Name(name, _NOWHERE), self.number(name, 0), _NOWHERE) for name in early)
        statements = (*begun, *self.block(self.core.statements))
        known = {name: cuts.get(self.leader(name), Cut()) for name in cut}
        asked = {name: drawn for name, drawn in draws.items() if name in known}
        return CutDraws(replace(self.core, statements=statements), known, asked)

    def number(self, name: str, place: Number) -> Expression:
        """Return the number of a place among the cells of a variable."""
        return tree.Number(Fraction(self.ranks.get(self.leader(name), {}).get(place, 0)), _NOWHERE)

    # --- statements ---------------------------------------------------------------------------------------------------

    def block(self, statements: Sequence[CoreStatement]) -> tuple[CoreStatement, ...]:
        """Read statements, and return them over cells."""
        return tuple(self.statement(each) for each in statements if not self._is_left_out(each))

    def _is_left_out(self, statement: CoreStatement) -> bool:
        """Tell whether a statement computes what is only held against places, from a draw that is cut."""
        if not isinstance(statement, CoreAssign) or not isinstance(statement.target, Name):
            return False
        image = self.images.get(statement.target.id)
        return image is not None and isinstance(image.of, Name) and self.is_cut(image.of.id)

    def statement(self, statement: CoreStatement) -> CoreStatement:
        """Read a statement."""
        match statement:
            case CoreAssign(target=Name(id=name), value=value) if name in self.continuous:
                return replace(statement, value=self.assigned(name, value))
            case CoreAssign(target=Name(id=name), value=value) if name in self.images:
                return replace(statement, value=self.part(value).written)
            case CoreAssign(target=target, value=value):
                return replace(statement, target=self.target(target), value=self.plain(value))
            case CoreSample(target=target, distribution=law):
                return replace(statement, target=self.target(target), distribution=self.law(target, law))
            case CoreObserve(condition=condition):
                return replace(statement, condition=self.plain(condition))
            case CoreIf(condition=condition, consequent=one, alternative=other):
                arms = self.block(one), self.block(other)
                return CoreIf(self.plain(condition), *arms, statement.span)
            case _:
                raise AssertionError(f"a loop at {statement.span}")

    def target(self, target: Name | tree.Index) -> Name | tree.Index:
        """Read a target; elements that a random index picks are not cut."""
        if isinstance(target, Name):
            return target
        self.whole |= self.core.expanded((target.array,))
        return replace(target, index=self.plain(target.index))

    def assigned(self, name: str, value: Expression) -> Expression:
        """Read what is assigned to a continuous variable."""
        part = self.part(value)
        if part.choice:
            self.join((name, *part.reads))
            self.held += [(name, each, "") for each in part.fixed]
        else:
            self.whole.update((name, *part.reads))
        return self.chosen(name, value) if self.ranks and self.is_cut(name) else part.written

    def chosen(self, name: str, value: Expression) -> Expression:
        """Return a choice among variables and fixed numbers over the cells of a variable."""
        part = self.part(value)
        if part.form is not None:
            number = part.form.number
            return part.written if number is None else self.number(name, number)
        match value:
            case tree.Parenthesized(inner=inner):
                return self.chosen(name, inner)
            case tree.Call(arguments=arguments):
                return replace(value, arguments=tuple(self.chosen(name, each) for each in arguments))
            case tree.Conditional(condition=condition, consequent=one, alternative=other):
                arms = self.chosen(name, one), self.chosen(name, other)
                return tree.Conditional(self.plain(condition), *arms, value.span)
            case _:
                raise AssertionError(f"no choice at {value.span}")

    def law(self, target: Name | tree.Index, law: Distribution) -> Distribution:
        """Read the law that a variable is drawn from."""
        parts = [self.part(each) for each in arguments_of(law)]
        read = _NONE.union(*(each.reads for each in parts))
        self.whole |= read
        written = with_arguments(law, iter([each.written for each in parts]))
        if not isinstance(target, Name) or target.id not in self.continuous:
            return written
        name = target.id
        self.drawn.add(name)
        if read or not all(isinstance(each, tree.Family) and is_continuous(each) for each in _families(law)):
            self.whole.add(name)
        return self.cells(name, written) if self.ranks and self.is_cut(name) else written

    def cells(self, name: str, law: Distribution) -> Distribution:
        """Return the law of the cell of a draw."""
        if isinstance(law, tree.Mixture):
            return replace(law, parts=tuple((weight, self.cells(name, part)) for weight, part in law.parts))
        assert isinstance(law, tree.Family)
        named, ranks = bind(law).named, self.ranks.get(self.leader(name), {})
        values = (*named.values(), *(expression_of(place) for place in sorted(ranks, key=ranks.__getitem__)))
        arguments = tuple(tree.Argument(None, value, law.span) for value in values)
        return tree.Family(" ".join((CELLS, law.name, *named)), arguments, law.name_span, law.span)

    # --- expressions --------------------------------------------------------------------------------------------------

    def plain(self, expression: Expression) -> Expression:
        """Read an expression whose value counts itself."""
        part = self.part(expression)
        self.whole |= part.reads
        return part.written

    def part(self, expression: Expression) -> _Part:
        """Read an expression."""
        return bottom_up(expression, self._visit)

    def _visit(self, node: Expression, parts: list[_Part]) -> _Part:
        match node:
            case Name(id=name) if (image := self.images.get(name)) is not None and isinstance(image.of, Name):
                return _Part(node, frozenset({image.of.id}), image)
            case Name(id=name) if name in self.continuous:
                return _Part(node, frozenset({name}), _Form(node, 1, 0), choice=True)
            case tree.Index(array=array):
                return self._element(node, parts[0], self.core.expanded((array,)) & self.continuous)
            case tree.Parenthesized():
                return replace(parts[0], written=replace(node, inner=parts[0].written))
            case tree.Conditional():
                self.whole |= parts[0].reads
                return self._choice(with_children(node, [each.written for each in parts]), parts[1:])
            case tree.Call(function=function) if function in _CHOOSING:
                return self._choice(with_children(node, [each.written for each in parts]), parts)
            case tree.Binary(operator=operator) if operator in COMPARISONS and any(each.reads for each in parts):
                return self._compared(node, parts[0], parts[1])
            case _:
                return self._computed(node, parts)

    def _element(self, node: tree.Index, index: _Part, names: Names) -> _Part:
        """Read an element that a random index picks."""
        self.whole |= index.reads
        written = replace(node, index=index.written)
        if len(names) < len(self.core.arrays.get(node.array, ())):
            self.whole |= names
            return _Part(written, names)
        self.join(names)
        return _Part(written, names, _Form(written, 1, 0), choice=True)

    def _computed(self, node: Expression, parts: Sequence[_Part]) -> _Part:
        reads = _NONE.union(*(each.reads for each in parts))
        forms = [each.form for each in parts]
        form = None if any(each is None for each in forms) else self._form(node, [each for each in forms if each])
        is_fixed = form is not None and form.of is None
        fixed = () if form is None or form.number is None else (form.number,)
        return _Part(with_children(node, [each.written for each in parts]), reads, form, is_fixed, fixed)

    def _form(self, node: Expression, forms: Sequence[_Form]) -> _Form | None:
        match node:
            case Name(id=name) if name not in self.parameters:
                return None
            case tree.Binary(operator="+" | "-" as operator):
                return forms[0].plus(forms[1] if operator == "+" else forms[1].times(-1))
            case tree.Unary(operator="-"):
                return forms[0].times(-1)
            case tree.Binary(operator="*") if (factor := forms[1].number) is not None:
                return forms[0].times(factor)
            case tree.Binary(operator="*") if (factor := forms[0].number) is not None:
                return forms[1].times(factor)
            case tree.Binary(operator="/") if (factor := forms[1].number) is not None and exact.sign(factor):
                return forms[0].times(exact.div(1, factor))
            case _ if all(each.of is None for each in forms):
                return _Form(None, 0, evaluate(node, self.parameters))
            case _:
                return None

    def _choice(self, written: Expression, parts: Sequence[_Part]) -> _Part:
        """Return one of several values, of which each is a variable or a fixed number where the whole is a choice."""
        reads = _NONE.union(*(each.reads for each in parts))
        if not all(each.choice for each in parts):
            return _Part(written, reads)
        fixed = tuple(number for each in parts for number in each.fixed)
        if reads:
            self.join(reads)
            self.held += [(next(iter(reads)), each, "") for each in fixed]
        return _Part(written, reads, None, True, fixed)

    def _compared(self, node: tree.Binary, left: _Part, right: _Part) -> _Part:
        """Read a comparison, which tells on which side of a place a variable lies, or a choice among variables."""
        written = replace(node, left=left.written, right=right.written)
        if node.operator not in _TURNED:
            self.whole |= left.reads | right.reads
            return _Part(written)
        form = left.form.plus(right.form.times(-1)) if left.form is not None and right.form is not None else None
        if form is not None and form.of is not None and exact.sign(form.slope) != 0:
            name = next(iter(left.reads or right.reads))
            operator = node.operator if exact.sign(form.slope) > 0 else _TURNED[node.operator]
            place = exact.div(exact.neg(form.shift), form.slope)
            self.held.append((name, place, operator))
            if self.ranks and self.is_cut(name):
                return _Part(tree.Binary(operator, form.of, self.number(name, place), node.span))
            return _Part(written)
        sides: tuple[tuple[_Part, _Part, Expression, BinaryOperator], ...] = (
            (left, right, node.left, node.operator),
            (right, left, node.right, _TURNED[node.operator]),
        )
        for part, other, side, operator in sides:
            if part.choice and part.reads and other.form is not None and other.form.number is not None:
                name, place = next(iter(part.reads)), other.form.number
                self.held.append((name, place, operator))
                if self.ranks and self.is_cut(name):
                    return _Part(tree.Binary(operator, self.chosen(name, side), self.number(name, place), node.span))
                return _Part(written)
        self.whole |= left.reads | right.reads
        return _Part(written)


def _families(law: Distribution) -> list[Distribution]:
    return [each for _, part in law.parts for each in _families(part)] if isinstance(law, tree.Mixture) else [law]
