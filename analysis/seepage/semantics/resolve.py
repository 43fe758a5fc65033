"""Names: who declares, assigns and reads them, and in which role."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix, Label
from seepage.exact import is_integer, show
from seepage.semantics.calls import check_family, check_function, respelled
from seepage.semantics.checked import Occurrence, OutputSymbol, SecretSymbol, Symbols, VariableSymbol
from seepage.semantics.declarations import Declared, declared, report_not_static
from seepage.semantics.evaluate import FUNCTIONS
from seepage.semantics.expressions import nodes
from seepage.semantics.measure_names import names_in
from seepage.semantics.nearest import nearest
from seepage.semantics.static import quiet_value
from seepage.source import Span
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
    Item,
    MeasureExpression,
    Mixture,
    Module,
    Name,
    Observe,
    Output,
    Param,
    Placed,
    Require,
    Sample,
    Secret,
    Show,
    Table,
    Target,
)

_CONSTANT_ONLY = frozenset({"constant"})
_LOOP_STATIC = frozenset({"constant", "loop variable"})
_MOST_GUESSES = 20


def resolve(tree: Module) -> tuple[Symbols, tuple[Diagnostic, ...]]:
    """Return the symbols of a file and what is wrong with its names, outside measures."""
    found = declared(tree)
    names = _Names(found, *_assigned(tree, found), loops=_loops(tree))
    names.diagnostics.extend(found.diagnostics)
    names.drop_other_roles(tree)
    names.walk(tree)
    names.check_declared()
    symbols = Symbols(
        found.params,
        found.consts,
        found.secrets,
        found.outputs,
        found.shows,
        found.requires,
        names.variables,
        tuple(sorted(names.occurrences, key=lambda one: (one[0].start, one[0].end))),
        found.declarations,
    )
    return symbols, tuple(names.diagnostics)


def _assigned(tree: Module, found: Declared) -> tuple[dict[str, VariableSymbol], list[Diagnostic]]:
    """Return what statements assign, and the names that are assigned both as numbers and as arrays.

    A variable is documented above its first assignment, else above its declaration as a secret or an output.
    """
    spans: dict[str, list[Span]] = {}
    texts: dict[str, str] = {}
    arrays: dict[str, bool] = {}
    clashes: dict[str, Diagnostic] = {}
    for item in tree.walk():
        if not (isinstance(item, Placed) and isinstance(item.node, Assign | Sample)):
            continue
        target = item.node.target
        name = target.id if isinstance(target, Name) else target.array
        is_array = isinstance(target, Index)
        span = (target.name_span if isinstance(target, Index) else target.span).shift(item.start)
        if arrays.setdefault(name, is_array) != is_array and name not in clashes:
            now, before = ("an array", "a number") if is_array else ("a number", "an array")
            clashes[name] = Diagnostic(
                rules.ARRAY_OR_NUMBER,
                span,
                f"'{name}' is assigned as {now} here and as {before} before",
                labels=(Label(spans[name][0], f"assigned as {before} here"),),
            )
        spans.setdefault(name, []).append(span)
        if item.documentation:
            texts.setdefault(name, item.documentation)
    declared_as: list[SecretSymbol | OutputSymbol] = [*found.secrets, *found.outputs]
    for symbol in declared_as:
        if symbol.documentation:
            texts.setdefault(symbol.name, symbol.documentation)
    variables = {
        name: VariableSymbol(name, tuple(places), arrays[name], texts.get(name, "")) for name, places in spans.items()
    }
    return variables, list(clashes.values())


def _loops(tree: Module) -> frozenset[str]:
    return frozenset(item.name for item in tree.walk() if isinstance(item, For))


@dataclass(slots=True)
class _Names:
    """The table of names at hand, and what was found so far."""

    declared: Declared
    variables: dict[str, VariableSymbol]
    diagnostics: list[Diagnostic]
    loops: frozenset[str]
    occurrences: list[Occurrence] = field(default_factory=list)
    scope: dict[str, Span] = field(default_factory=dict)
    guesses: int = 0

    def role(self, name: str) -> str | None:
        """Return what a name is at this place, None if nothing declares or assigns it."""
        if name in self.scope:
            return "loop variable"
        if name in self.declared.roles:
            return self.declared.roles[name]
        return "variable" if name in self.variables else None

    def drop_other_roles(self, tree: Module) -> None:
        """Drop assigned names that are no variables; their statements are reported by the walk.

        A name that is assigned only inside loops over it is a loop variable; one that is assigned elsewhere, too, is a variable that the
        loop shadows.
        """
        bodies: dict[str, list[Span]] = {}
        for item in tree.walk():
            if isinstance(item, For) and item.name in self.variables:
                bodies.setdefault(item.name, []).append(item.span)
        for name, symbol in [*self.variables.items()]:
            inside = name in bodies and all(
                any(body.start <= span.start and span.end <= body.end for body in bodies[name]) for span in symbol.spans
            )
            if inside or name in self.declared.roles:
                del self.variables[name]

    # --- statements ---------------------------------------------------------------------------------------------------

    def walk(self, tree: Module) -> None:
        """Visit every item; loop variables are in scope in the body of their loop."""
        stack: list[Item | str] = list(reversed(tree.items))
        while stack:
            item = stack.pop()
            match item:
                case str():
                    del self.scope[item]
                case Placed():
                    self._leaf(item)
                case If(arms=arms, otherwise=otherwise):
                    for arm in arms:
                        self.expression(arm.condition, arm.start)
                    inner = [one for arm in arms for one in arm.block.items]
                    stack.extend(reversed([*inner, *(otherwise.items if otherwise else ())]))
                case For(block=block):
                    if self._loop_header(item):
                        stack.append(item.name)
                    stack.extend(reversed(block.items))

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
            case Param(name=name, name_span=name_span):
                self._occurrence(name, name_span, start)
                ends = () if node.domain is None else (node.domain.low, node.domain.high)
                parts = (*ends, *(() if node.default is None else (node.default,)))
                for part, what in zip(
                    parts, (*("the domain of a parameter" for _ in ends), "the default of a parameter"), strict=False
                ):
                    self._static(part, start, what)
            case Const(name=name, value=value, name_span=name_span):
                self._occurrence(name, name_span, start)
                self._static(value, start, "a constant")
            case Secret(targets=targets) | Output(targets=targets):
                for target in targets:
                    name_span = target.name_span if isinstance(target, Index) else target.span
                    self._occurrence(target.array if isinstance(target, Index) else target.id, name_span, start)
            case Show(measure=measure):
                self._measure(measure, start)
            case Require(measure=measure, bound=bound, ranges=ranges):
                self._measure(measure, start)
                self._measure(bound, start)
                for one in ranges:
                    self._occurrence(one.name, one.name_span, start)
            case _:
                pass

    def _measure(self, measure: MeasureExpression, start: int) -> None:
        """Note the names of a measure; whether they are right is looked at apart."""
        for span, name in names_in(measure):
            self._occurrence(name, span, start)

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
        name, span = (target.id, target.span) if isinstance(target, Name) else (target.array, target.name_span)
        self._occurrence(name, span, item.start)
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
        self._occurrence(name, loop.name_span, loop.start)
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
                self._occurrence(node.id, node.span, start)
                self._read(node, start)
            elif isinstance(node, Index):
                self._occurrence(node.array, node.name_span, start)
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
            )
        # A text with many unknown names is half pasted rather than misspelt, and guesses would take seconds of a keystroke.
        self.guesses += 1
        known = [*self.scope, *self.declared.roles, *self.variables] if self.guesses <= _MOST_GUESSES else []
        guess = nearest(name, known)
        if guess is None and name in FUNCTIONS:
            return Diagnostic(
                rules.UNKNOWN_NAME, span, f"unknown name '{name}': the function needs arguments in parentheses"
            )
        hint = "no statement assigns it" if guess is None else f"did you mean '{guess}'?"
        return Diagnostic(rules.UNKNOWN_NAME, span, f"unknown name '{name}': {hint}", fixes=respelled(span, guess))

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
        known = [*self.variables]
        entries: Sequence[tuple[str, Span, str]] = [
            *((one.name, one.span, "secret") for one in self.declared.secrets),
            *((one.name, one.span, "output") for one in self.declared.outputs),
        ]
        for written, span, what in entries:
            name, bracket, _ = written.partition("[")
            if name in self.variables:
                if bracket and not self.variables[name].is_array:
                    message = f"'{name}' is a number, found with an index, expected an array"
                    self.diagnostics.append(Diagnostic(rules.ARRAY_OR_NUMBER, span, message))
                continue
            if name in self.declared.roles:
                message = f"{what} '{name}' is a {self.declared.roles[name]}: found a known number, expected a variable"
                self.diagnostics.append(Diagnostic(rules.NEVER_ASSIGNED, span, message))
                continue
            guess = nearest(name, known)
            hint = "" if guess is None else f": did you mean '{guess}'?"
            edit = Span(span.start, span.start + len(name))
            fixes = () if guess is None else (Fix(f"write '{guess}'", (Edit(edit, guess),)),)
            message = f"no statement assigns the {what} '{written}'{hint}"
            self.diagnostics.append(Diagnostic(rules.NEVER_ASSIGNED, span, message, fixes=fixes))

    def _occurrence(self, name: str, span: Span, start: int) -> None:
        self.occurrences.append((span.shift(start), name))


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


def laws(distribution: Distribution) -> Iterator[Distribution]:
    """Yield a distribution and, of mixtures, all parts."""
    stack = [distribution]
    while stack:
        law = stack.pop()
        yield law
        if isinstance(law, Mixture):
            stack.extend(part for _, part in reversed(law.parts))
