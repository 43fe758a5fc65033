"""Expressions and conditions, read at the place where a walk stands: their kinds, and what in them is not exact or not boolean.

The values of all variables at that place can be undone, so that a branch costs what it changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit, Fix, Label, Rule
from seepage.exact import show
from seepage.semantics.certain import continuous_index, evaluated, operands, undefined, wrapped
from seepage.semantics.checked import Symbols
from seepage.semantics.classify import Issue, diagnose, outermost
from seepage.semantics.evaluate import is_symbol, spelled, to_compare
from seepage.semantics.expression_kinds import kind_of
from seepage.semantics.expressions import nodes, without_parentheses
from seepage.semantics.first_reads import Surroundings
from seepage.semantics.kinds import BOOLEAN, DISCRETE, Value, constant
from seepage.semantics.ranges import FALSE, hull
from seepage.semantics.visits import (
    HERE,
    Origin,
    Recording,
    Saying,
)
from seepage.source import Span
from seepage.syntax.tree import (
    Binary,
    Conditional,
    Expression,
    Index,
    Name,
    Number,
    is_made,
)
from seepage.syntax.vocabulary.array_laws import written_law


class _State(Mapping[str, Value]):
    """A mutable table of abstract values; a name that is missing has not been assigned on any run that leads here.

    Between :meth:`begin` and :meth:`undo` the changes are remembered and taken back, so that the arms of a branch start from the same
    table without copying it.

    Attributes:
        table: the values, to read only.
    """

    __slots__ = ("_certain", "_journal", "table")

    def __init__(self) -> None:
        self.table: dict[str, Value] = {}
        self._journal: list[dict[str, Value | None]] = []
        self._certain: set[str] = set()

    def __getitem__(self, name: str) -> Value:
        return self.table[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def __len__(self) -> int:
        return len(self.table)

    def know(self, values: Mapping[str, Value]) -> None:
        """Give names values for good."""
        self.table.update(values)

    def set(self, name: str, value: Value) -> None:
        """Give a variable a value."""
        if self._journal and name not in self._journal[-1]:
            self._journal[-1][name] = self.table.get(name)
        self.table[name] = value
        if value.is_certain:
            self._certain.add(name)

    def set_all(self, values: Mapping[str, Value], certain: Iterable[str]) -> None:
        """Give variables values; ``certain`` are those of them whose values are."""
        if self._journal:
            journal = self._journal[-1]
            for name in values:
                if name not in journal:
                    journal[name] = self.table.get(name)
        self.table.update(values)
        self._certain.update(certain)

    def forget_certainty(self) -> None:
        """Drop what is sure: from here on runs may have been discarded."""
        for name in sorted(self._certain):
            if name in self.table and self.table[name].is_certain:
                self.set(name, self.table[name].uncertain())
        self._certain.clear()

    def begin(self) -> None:
        """Start to remember changes."""
        self._journal.append({})

    def undo(self) -> dict[str, Value]:
        """Take back all changes since the matching :meth:`begin` and return them."""
        before = self._journal.pop()
        changed = {name: self.table[name] for name in before}
        for name, value in before.items():
            if value is None:
                del self.table[name]
            else:
                self.table[name] = value
                if value.is_certain:
                    self._certain.add(name)
        return changed


@dataclass(slots=True, kw_only=True)
class Reader:
    """What is known where a walk stands, and what was found so far.

    Attributes:
        symbols: of the program.
        variables: the names of its variables.
        state: the value of each name here.
        found: findings, one for each rule and place.
        scope: loop variables around.
        unassigned: variables read too early, and reported once.
        uncertain_depth: how many branches, and loops that may have no iteration, are around.
        around: the loops and guards around.
        log: what was said in the present visit.
        recording: of the present run, if there is one.
    """

    symbols: Symbols
    variables: frozenset[str] = field(init=False)
    state: _State = field(default_factory=_State)
    found: dict[tuple[str, Span], Diagnostic] = field(default_factory=dict)
    scope: set[str] = field(default_factory=set)
    unassigned: set[str] = field(default_factory=set)
    uncertain_depth: int = 0
    around: Surroundings = field(default_factory=Surroundings)
    log: list[Saying] = field(default_factory=list)
    recording: Recording | None = None

    # --- findings -------------------------------------------------------------------------------------------------------

    def report(self, diagnostic: Diagnostic) -> None:
        """Keep a finding; a later one of the same rule at the same place knows more and replaces it."""
        self.found[diagnostic.rule.code, diagnostic.span] = diagnostic
        self.log.append(diagnostic)
        if self.recording is not None:
            self.recording.said.append(diagnostic)

    def report_where_reached(self, problem: Diagnostic) -> None:
        """Report a value that is an error on every run that gets here; where perhaps none does, it is a warning."""
        if self.uncertain_depth:
            message = f"an error on every run that gets here, if one does: {problem.message}"
            problem = replace(problem, rule=rules.INVALID_WHERE_REACHED, message=message)
        self.report(problem)

    def withdraw(self, rule: Rule, span: Span) -> None:
        """Take a finding back, for one that says more."""
        self.found.pop((rule.code, span), None)
        self.log.append((rule, span))
        if self.recording is not None:
            self.recording.said.append((rule, span))

    # --- expressions ----------------------------------------------------------------------------------------------------

    def role(self, name: str) -> str:
        """Return what a name is, as far as its value goes."""
        if name in self.symbols.consts:
            return "constant"
        return "variable" if name in self.variables and name not in self.scope else "number"

    def value(self, expression: Expression, start: int, comparison: Rule) -> tuple[Value, list[Issue]]:
        """Return the kind of an expression here, and what in it is not linear in continuous variables."""
        issues: list[Issue] = []

        def read(node: Name | Index) -> Value:
            name = node.id if isinstance(node, Name) else node.array
            role = self.role(name)
            if role == "constant":
                return constant(self.symbols.consts[name])
            if role != "variable":
                return DISCRETE
            if name not in self.state and name in self.unassigned:
                return BOOLEAN
            if name not in self.state:
                place = (node.span if isinstance(node, Name) else node.name_span).shift(start)
                what = f"'{name}'" if isinstance(node, Name) else f"an element of '{name}'"
                met = self.around.meets_nothing(node, expression, start, self.symbols.consts)
                if met == "never":
                    return BOOLEAN
                self.unassigned.add(name)
                surely = f"{what} is read before it is assigned, and is 0 here"
                message = surely if met == "surely" else f"{what} may be read before it is assigned, and is 0 then"
                labels = (Label(self.symbols.variables[name].spans[0], "assigned here first"),)
                self.report(Diagnostic(rules.READ_BEFORE_ASSIGNMENT, place, message, labels=labels, subject=name))
                return BOOLEAN
            found = self.state[name]
            if isinstance(node, Name):
                return found
            # The element may be one that no statement has assigned yet, and 0.
            return replace(found, sure=False, outside=None, range=hull(found.range, FALSE))

        return kind_of(expression, read, self.symbols.consts, comparison, issues), issues

    def is_continuous(self, comparison: Binary, start: int) -> bool:
        """Tell whether a side of a comparison can be continuous."""
        return any(
            self.value(side, start, rules.COMPARISON_OF_CONTINUOUS)[0].is_continuous
            for side in (comparison.left, comparison.right)
        )

    def surely_continuous(self, expression: Expression) -> bool:
        """Tell whether every variable in an expression surely has a density here."""
        if self.uncertain_depth:
            return False
        variables = [
            node
            for node in nodes(expression)
            if isinstance(node, Index) or (isinstance(node, Name) and self.role(node.id) == "variable")
        ]
        return bool(variables) and all(
            isinstance(node, Name) and node.id in self.state and self.state[node.id].sure for node in variables
        )

    def raise_issues(self, issues: Sequence[Issue], start: int) -> None:
        """Report what is not exact, with the places where its variables became continuous."""
        for issue in outermost(issues):
            if issue.rule is rules.INVALID_INDEX:
                self.report_where_reached(diagnose(issue, issue.culprit.span.shift(start), ()))
                continue
            self.report(diagnose(issue, issue.culprit.span.shift(start), self.origins(issue.culprit)))

    def origins(self, expression: Expression) -> tuple[Label, ...]:
        """Return where the variables in an expression became continuous; what a law is made of became so where it stands."""
        names = dict.fromkeys(
            node.id if isinstance(node, Name) else node.array
            for node in nodes(expression)
            if isinstance(node, Name | Index)
        )
        found = [(name, self.state[name].origin) for name in names if name in self.state and not written_law(name)]
        return tuple(
            Origin(HERE, f"{_told(name)} became continuous here", origin)
            for name, origin in found
            if origin is not None
        )

    # --- conditions -----------------------------------------------------------------------------------------------------

    def condition(self, expression: Expression, value: Value, start: int, bracketed: bool = False) -> None:
        """Report a condition that surely is not boolean; ``bracketed`` says that a comparison needs parentheses in its place."""
        number = value.outside
        is_number = number is not None and (not self.uncertain_depth or is_literal(expression))
        if not is_number and (not value.sure or self.uncertain_depth):
            return
        expression = without_parentheses(expression)
        span, text = expression.span.shift(start), spelled(expression)
        if number is not None and is_number:
            nested = isinstance(expression, Conditional)  # '… else b != 0' compares 'b' alone
            written = f"({text}) != 0" if nested else f"{text} != 0"
            wrong = f"condition is not boolean: '{text}' can be {show(number)}"
            if is_symbol(number):
                self.report(Diagnostic(rules.NOT_BOOLEAN, span, f"{wrong}; {to_compare(text, number)}"))
                return
            message = f"{wrong}; write '{written}'"
            behind = Edit(Span(span.end, span.end), ")" * nested + " != 0" + ")" * bracketed)
            before = Edit(Span(span.start, span.start), "(" * (nested + bracketed))
            fixes = (Fix(f"write '{written}'", (before, behind) if before.replacement else (behind,)),)
            self.report(Diagnostic(rules.NOT_BOOLEAN, span, message, fixes=fixes))
        else:
            message = f"condition is not boolean: '{text}' is continuous; compare it with a number"
            self.report(Diagnostic(rules.NOT_BOOLEAN, span, message))

    def bits(self, node: Binary, start: int) -> None:
        """Report an operator of truth values between two numbers: what is meant may be the function of their binary digits."""
        left, right = node.left.span.shift(start), node.right.span.shift(start)
        written = f"bit_{node.operator}({spelled(node.left)}, {spelled(node.right)})"
        message = (
            f"'{node.operator}' joins truth values, and these are numbers; of their binary digits it is '{written}'"
        )
        edits = (Edit(left.cover(right), written),)
        fixes = (Fix(f"write '{written}'", edits),)
        self.report(Diagnostic(rules.NOT_BOOLEAN, node.span.shift(start), message, fixes=fixes))

    def conditions_inside(self, expression: Expression, start: int) -> None:
        """Check what is evaluated whatever the state: operands that must be boolean, indices, and values that are undefined."""
        if isinstance(expression, Name | Number):
            return
        for node in evaluated(expression):
            parts = operands(node)
            values = [self.value(one, start, rules.COMPARISON_OF_CONTINUOUS)[0] for one in parts]
            if isinstance(node, Binary) and not self.uncertain_depth and [*map(_is_number, values)] == [True, True]:
                self.bits(node, start)
                continue
            for operand, value in zip(parts, values, strict=True):
                self.condition(operand, value, start, bracketed=wrapped(operand, node))
            if isinstance(node, Index):
                self.surely_continuous_index(node.index, start)
        for problem in undefined(expression, start, self.symbols.consts):
            self.report_where_reached(problem)

    def surely_continuous_index(self, index: Expression, start: int) -> None:
        """Report an index that is continuous on every run, in place of the warning that it can be."""
        if not self.uncertain_depth and self.value(index, start, rules.COMPARISON_OF_CONTINUOUS)[0].sure:
            span = without_parentheses(index).span.shift(start)
            self.withdraw(rules.INDEX_ON_CONTINUOUS, span)
            self.report(Diagnostic(rules.INVALID_INDEX, span, continuous_index(index), labels=self.origins(index)))


def _is_number(value: Value) -> bool:
    """Tell whether a value surely is a number other than 0 and 1 on some run."""
    return value.outside is not None and not is_symbol(value.outside)


def is_literal(expression: Expression) -> bool:
    """Tell whether an expression reads no variable."""
    return not any(isinstance(node, Name | Index) for node in nodes(expression))


def _told(name: str) -> str:
    """Name a variable as the text does; one that no text can name stands for some value of the statement."""
    return "a value" if is_made(name) else f"'{name}'"
