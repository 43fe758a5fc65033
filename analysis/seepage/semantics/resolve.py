"""Names: who declares, assigns and reads them, and in which role."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field
from itertools import chain

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Cause, Diagnostic, Edit, Fix, Label
from seepage.exact import Number, is_integer, show
from seepage.semantics.calls import check_family, check_function
from seepage.semantics.checked import Symbols
from seepage.semantics.declarations import Declared, declared, report_not_static
from seepage.semantics.evaluate import FUNCTIONS
from seepage.semantics.expressions import nodes
from seepage.semantics.facts import Facts, laws, target_name
from seepage.semantics.foreign import NAMES
from seepage.semantics.memo import Memo
from seepage.semantics.nearest import nearest, respelled
from seepage.semantics.runs import Part, Run, Stretch
from seepage.semantics.static import quiet_value
from seepage.semantics.units import Units, Written, units_of
from seepage.semantics.variables import Occurrences, Variables, assignments, target_span
from seepage.source import Span
from seepage.syntax.assemble import MAX_FINDINGS
from seepage.syntax.tree import (
    Assign,
    Call,
    Const,
    Distribution,
    Expression,
    Family,
    For,
    If,
    Index,
    Mixture,
    Module,
    Name,
    Observe,
    Param,
    Placed,
    Sample,
    Table,
    Target,
    While,
    array_of,
    blocks_of,
)

_CONSTANT_ONLY = frozenset({"constant"})
_LOOP_STATIC = frozenset({"constant", "loop variable"})
_MOST_GUESSES = 20


def resolve(tree: Module, units: Units | None = None) -> tuple[Symbols, tuple[Diagnostic, ...]]:
    """Return the symbols of a file and what is wrong with its names, outside measures."""
    units = units_of(tree) if units is None else units
    found = declared(units.declarations())
    loops = units.loop_names()
    known = _known(units, loops, found)
    variables = Variables(known.labels, units, [*found.secrets, *found.outputs], known.variables)
    findings = [*_clashes(units), *found.diagnostics]
    names = _Names(found, units, variables, findings, loops, known)
    names.walk(tree)
    names.check_declared()
    symbols = Symbols(
        found.params,
        found.consts,
        found.secrets,
        found.outputs,
        found.shows,
        found.requires,
        variables,
        Occurrences(units),
        found.declarations,
    )
    return symbols, tuple(names.diagnostics)


def _clashes(units: Units) -> Iterator[Diagnostic]:
    """Yield the names that are assigned both as numbers and as arrays."""
    written = units.written
    for name, label in written.clashes.items():
        first, other = assignments((written.labels[name][0], label), units)
        now, before = ("a number", "an array") if name in written.arrays else ("an array", "a number")
        yield Diagnostic(
            rules.ARRAY_OR_NUMBER,
            target_span(other),
            f"'{name}' is assigned as {now} here and as {before} before",
            labels=(Label(target_span(first), f"assigned as {before} here"),),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """The names of a file with their roles; the same object in the next version of a text where nothing of it changes.

    Attributes:
        written: what statements assign.
        no_variables: the names that they assign, and that are no variables.
        roles: of the names that are declared.
        consts: values of constants.
        labels: those of the assignments of each variable.
        variables: the variables.
        arrays: those of them that are arrays.
        numbers: what may be read as a number outside of loops.
    """

    written: Written
    no_variables: Set[str]
    roles: Mapping[str, str]
    consts: Mapping[str, Number]
    labels: Mapping[str, Sequence[int]]
    variables: frozenset[str]
    arrays: frozenset[str]
    numbers: frozenset[str]


_NAMES = Memo[_Known]()  # the names of a file with their roles
_SOUND = Memo[_Known]()  # the names among which nothing was wrong with a run


def _known(units: Units, loops: frozenset[str], found: Declared) -> _Known:
    """Return the names of a file, from the version before if they are as they were."""
    written, other, before = units.written, _no_variables(units, loops, found), _NAMES.of(units)
    if (
        before is not None
        and before.written is written
        and before.no_variables == other
        and before.roles == found.roles
        and before.consts == found.consts
    ):
        return before
    labels = {name: one for name, one in written.labels.items() if name not in other} if other else written.labels
    variables = written.names - other
    arrays = written.arrays & variables
    numbers = variables.union(found.roles) - arrays
    return _NAMES.keep(units, _Known(written, other, found.roles, found.consts, labels, variables, arrays, numbers))


def _no_variables(units: Units, loops: frozenset[str], found: Declared) -> Set[str]:
    """Return the assigned names that are no variables; their statements are reported by the walk.

    A name that is assigned only inside loops over it is a loop variable; one that is assigned elsewhere, too, is a variable that the
    loop shadows.
    """
    written = units.written.labels
    bodies: dict[str, list[Span]] = {}
    shadowing = loops & units.written.names
    for loop in units.loops(shadowing) if shadowing else ():
        if loop.name in shadowing:
            bodies.setdefault(loop.name, []).append(loop.span)
    other = {name for name in found.roles if name in written}
    for name, spans in bodies.items():
        places = [target_span(item) for item in assignments(written[name], units)]
        if all(any(body.start <= at.start and at.end <= body.end for body in spans) for at in places):
            other.add(name)
    return other


@dataclass(slots=True)
class _Names:
    """The table of names at hand, and what was found so far."""

    declared: Declared
    units: Units
    variables: Variables
    diagnostics: list[Diagnostic]
    loops: frozenset[str]
    known: _Known
    scope: dict[str, Span] = field(default_factory=dict)
    guesses: int = 0

    def role(self, name: str) -> str | None:
        """Return what a name is at this place, None if nothing declares or assigns it."""
        if name in self.scope:
            return "loop variable"
        if name in self.declared.roles:
            return self.declared.roles[name]
        return "variable" if name in self.variables else None

    def is_sound(self, facts: Facts) -> bool:
        """Tell at a glance whether nothing is wrong with the names and functions of a statement or condition here."""
        return (
            facts.is_sound
            and self.are_numbers(facts.plain)
            and facts.indexed <= self.known.arrays
            and (facts.target is None or facts.target in self.variables)
        )

    def are_numbers(self, names: frozenset[str]) -> bool:
        """Tell whether names may be read as numbers here."""
        return names <= self.known.numbers or (bool(self.scope) and names.difference(self.scope) <= self.known.numbers)

    def are_sound(self, run: Run) -> bool:
        """Tell at a glance whether nothing is wrong with the names and functions of a run here, its declarations aside."""
        if _SOUND.of(run) is self.known and not self.scope:
            return True
        says, known = run.says, self.known
        is_sound = (
            says.is_sound
            and self.are_numbers(says.plain)
            and says.indexed <= known.arrays
            and says.targets <= known.variables
            and known.numbers.isdisjoint(says.loops)
            and known.arrays.isdisjoint(says.loops)
            and says.loops.isdisjoint(self.scope)
            and all(isinstance(known.consts.get(name), int) for name in says.bounds)
        )
        if is_sound and not self.scope:
            _SOUND.keep(run, known)
        return is_sound

    # --- statements ---------------------------------------------------------------------------------------------------

    def walk(self, tree: Module) -> None:
        """Visit every item; loop variables are in scope in the body of their loop."""
        at = self.units.at
        parts = self.units.parts
        stack: list[Part | str] = list(reversed(parts(tree.items)))
        while (
            stack and len(self.diagnostics) <= MAX_FINDINGS
        ):  # past so many nobody reads on, and a key press would pay for all
            item = stack.pop()
            match item:
                case str():
                    del self.scope[item]
                case Stretch(run=run):
                    if not self.are_sound(run):
                        stack.extend(reversed(self.units.items(item)))
                    else:
                        for number in run.says.declarations:
                            self._declaration(self.units.inside(item)[number])
                case Placed():
                    if not self.is_sound(at[id(item)].facts):
                        self._leaf(item)
                case If(arms=arms, otherwise=otherwise):
                    for arm in arms:
                        if not self.is_sound(at[id(arm)].facts):
                            self.expression(arm.condition, arm.start)
                    inner = [one for arm in arms for one in parts(arm.block.items)]
                    stack.extend(reversed([*inner, *(parts(otherwise.items) if otherwise else ())]))
                case While(arm=arm):
                    if not self.is_sound(at[id(arm)].facts):
                        self.expression(arm.condition, arm.start)
                    stack.extend(reversed([one for block in blocks_of(item) for one in parts(block.items)]))
                case For(block=block):
                    if self._loop_header(item):
                        stack.append(item.name)
                    stack.extend(reversed(parts(block.items)))

    def _declaration(self, item: object) -> None:
        assert isinstance(item, Placed)
        self._leaf(item)

    def _leaf(self, item: Placed) -> None:
        node, start = item.node, item.start
        match node:
            case Assign(target=target, value=value):
                self._target(target, item)
                self.expression(value, start)
            case Sample(target=target, distribution=distribution):
                self._target(target, item)
                self.distribution(distribution, start)
            case Observe(condition=condition):
                self.expression(condition, start)
            case Param():
                ends = () if node.domain is None else (node.domain.low, node.domain.high)
                parts = (*ends, *(() if node.default is None else (node.default,)))
                for part, what in zip(
                    parts, (*("the domain of a parameter" for _ in ends), "the default of a parameter"), strict=False
                ):
                    self._static(part, start, what)
            case Const(value=value):
                self._static(value, start, "a constant")
            case _:
                pass

    def _static(self, expression: Expression, start: int, what: str) -> None:
        self.expression(expression, start)
        problem = report_not_static(
            expression, start, expression.span.shift(start), what, self._roles(), _CONSTANT_ONLY
        )
        if problem is not None:
            self.diagnostics.append(problem)

    def _roles(self) -> Mapping[str, str]:
        return _Roles(self)

    def _target(self, target: Target, item: Placed) -> None:
        name = target_name(target)
        if isinstance(target, Index):
            self.expression(target.index, item.start)
        role = self.role(name)
        if role is not None and role != "variable":
            place = self.scope.get(name) or self.declared.declarations.get(name)
            labels = () if place is None else (Label(place, f"'{name}' is a {role}: declared here"),)
            self.diagnostics.append(
                Diagnostic(rules.CANNOT_ASSIGN, item.span, f"cannot assign a {role}: '{name}'", labels=labels)
            )

    def _loop_header(self, loop: For) -> bool:
        """Check a header and bring its variable into scope; tell whether it has to leave it again."""
        name, place = loop.name, loop.name_span.shift(loop.start)
        bounds = loop.low.span.cover(loop.high.span).shift(loop.start)
        for bound in (loop.low, loop.high):
            self.expression(bound, loop.start)
            problem = report_not_static(bound, loop.start, bounds, "loop bound", self._roles(), _LOOP_STATIC)
            if problem is not None:
                self.diagnostics.append(problem)
                continue
            value = quiet_value(bound, loop.start, self.declared.consts)
            if value is not None and not is_integer(value):
                self.diagnostics.append(
                    Diagnostic(
                        rules.NOT_STATIC,
                        bound.span.shift(loop.start),
                        f"loop bound must be an integer, found {show(value)}",
                    )
                )
        role = self.role(name)
        if role is None:
            self.scope[name] = place
            return True
        other = self.scope.get(name) or self.declared.declarations.get(name)
        if other is None and name in self.variables:
            other = self.variables[name].spans[0]
        labels = () if other is None else (Label(other, f"the other '{name}'"),)
        self.diagnostics.append(
            Diagnostic(
                rules.LOOP_VARIABLE_SHADOWS,
                loop.header,
                f"loop variable shadows another name: '{name}' is a {role} already",
                labels=labels,
            )
        )
        return False

    # --- expressions --------------------------------------------------------------------------------------------------

    def expression(self, expression: Expression, start: int) -> None:
        """Check every name and function in an expression."""
        for node in nodes(expression):
            if isinstance(node, Name):
                self._read(node, start)
            elif isinstance(node, Index):
                self._read_element(node, start)
            elif isinstance(node, Call):
                self.diagnostics.extend(check_function(node, start))

    def _read(self, node: Name, start: int) -> None:
        name, span = node.id, node.span.shift(start)
        role = self.role(name)
        if role is None:
            self.diagnostics.append(self.unknown(name, span))
        elif role == "variable" and self.variables[name].is_array:
            self.diagnostics.append(
                Diagnostic(
                    rules.ARRAY_OR_NUMBER,
                    span,
                    f"'{name}' is an array: found all its elements, expected one number; write '{name}[…]'",
                )
            )

    def _read_element(self, node: Index, start: int) -> None:
        name, span = node.array, node.name_span.shift(start)
        role = self.role(name)
        if role is None:
            self.diagnostics.append(self.unknown(name, span))
        elif role != "variable" or not self.variables[name].is_array:
            what = "number" if role == "variable" else role
            self.diagnostics.append(
                Diagnostic(
                    rules.ARRAY_OR_NUMBER,
                    node.span.shift(start),
                    f"'{name}' is a {what}, found with an index, expected an array",
                )
            )

    def unknown(self, name: str, span: Span) -> Diagnostic:
        """Say that a name is unknown, and which known one is close."""
        if name in self.loops:
            return Diagnostic(
                rules.UNKNOWN_NAME,
                span,
                f"unknown name '{name}': the loop variable is known in the body of its loop only",
                cause=Cause.LOOP_OUTSIDE,
                subject=name,
            )
        if name in NAMES:
            message = f"unknown name '{name}': it is written '{NAMES[name]}'"
            return Diagnostic(rules.UNKNOWN_NAME, span, message, fixes=respelled(span, NAMES[name]), subject=name)
        array, _, field = name.rpartition(".")
        if field in ("length", "size") and array in self.variables:
            message = f"unknown name '{name}': the number of elements is 'length({array})'"
            fixes = respelled(span, f"length({array})")
            return Diagnostic(rules.UNKNOWN_NAME, span, message, fixes=fixes, subject=name)
        # A text with many unknown names is half pasted rather than misspelt, and guesses would take seconds of a keystroke.
        self.guesses += 1
        guess = (
            None
            if self.guesses > _MOST_GUESSES
            else nearest(name, chain(self.scope, self.declared.roles, self.variables))
        )
        if guess is None and name in FUNCTIONS:
            hint = "the function needs arguments in parentheses"
        else:
            hint = "no statement assigns it" if guess is None else f"did you mean '{guess}'?"
        message = f"unknown name '{name}': {hint}"
        return Diagnostic(rules.UNKNOWN_NAME, span, message, fixes=respelled(span, guess), subject=name)

    def distribution(self, distribution: Distribution, start: int) -> None:
        """Check every name, function and law in a distribution."""
        for law in laws(distribution):
            match law:
                case Family(arguments=arguments):
                    self.diagnostics.extend(check_family(law, start))
                    for argument in arguments:
                        self.expression(argument.value, start)
                case Table(entries=entries):
                    for entry in entries:
                        for part in entry:
                            self.expression(part, start)
                case Mixture(parts=parts):
                    for weight, _ in parts:
                        self.expression(weight, start)

    # --- declared names -----------------------------------------------------------------------------------------------

    def check_declared(self) -> None:
        """Report secrets and outputs that nothing assigns, or that are no variables."""
        entries: Sequence[tuple[str, Span, str]] = [
            *((one.name, one.span, "secret") for one in self.declared.secrets),
            *((one.name, one.span, "output") for one in self.declared.outputs),
        ]
        for written, span, what in entries:
            name = array_of(written)
            bracket = name != written
            if name in self.variables:
                if bracket and not self.variables[name].is_array:
                    message = f"'{name}' is a number, found with an index, expected an array"
                    self.diagnostics.append(Diagnostic(rules.ARRAY_OR_NUMBER, span, message))
                continue
            if name in self.declared.roles:
                message = f"{what} '{name}' is a {self.declared.roles[name]}: found a known number, expected a variable"
                self.diagnostics.append(Diagnostic(rules.NEVER_ASSIGNED, span, message))
                continue
            guess = nearest(name, self.variables)
            hint = "" if guess is None else f": did you mean '{guess}'?"
            edit = Span(span.start, span.start + len(name))
            fixes = () if guess is None else (Fix(f"write '{guess}'", (Edit(edit, guess),)),)
            message = f"no statement assigns the {what} '{written}'{hint}"
            self.diagnostics.append(Diagnostic(rules.NEVER_ASSIGNED, span, message, fixes=fixes))


class _Roles(Mapping[str, str]):
    """The roles of names at the place of the walk, as a read-only mapping."""

    __slots__ = ("_names",)

    def __init__(self, names: _Names) -> None:
        self._names = names

    def __getitem__(self, name: str) -> str:
        role = self._names.role(name)
        if role is None:
            raise KeyError(name)
        return role

    def __iter__(self) -> Iterator[str]:
        return iter([*self._names.scope, *self._names.declared.roles, *self._names.variables])

    def __len__(self) -> int:
        return len([*self])
