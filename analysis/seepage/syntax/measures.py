"""Raw nodes -> measures: what stands in ``show`` and ``require``."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TypeGuard, get_args

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import MALFORMED_MEASURE, MISPLACED_MEASURE
from seepage.source import Span
from seepage.syntax.expressions import expression
from seepage.syntax.fixes import replacement
from seepage.syntax.raw import Raw, RawCall, RawNamed, RawSet, RawTable, RawTuple, RawWeighted, children
from seepage.syntax.spell import spell
from seepage.syntax.tokens import Token
from seepage.syntax.tree import (
    Argument,
    Binary,
    Call,
    Expression,
    GainName,
    GainTable,
    Index,
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    MetricName,
    MetricTable,
    Name,
    NeighbourTable,
    Number,
    Parenthesized,
    Relation,
    Separator,
    Unary,
)
from seepage.syntax.vocabulary.functions import FUNCTIONS
from seepage.syntax.vocabulary.measures import MEASURES, METRICS
from seepage.word import Domain, MeasureWord


@dataclass(frozen=True, slots=True)
class _Form:
    """How a measure is written: its separator, what it may be given, its named arguments, an example."""

    example: str
    separator: Separator | None
    given: Domain | None
    named: tuple[str, ...]
    relations: tuple[str, ...]

    @property
    def event_only(self) -> bool:
        """Whether what it is given is always an event."""
        return self.given is Domain.CONDITION

    @property
    def variables_only(self) -> bool:
        """Whether what it is given is never an event."""
        return self.given is Domain.VARIABLES


def _form(word: MeasureWord) -> _Form:
    conditions = (one.domain for one in word.parameters if one.lead == "|")
    return _Form(
        word.form,
        next((mark for mark in get_args(Separator) if any(one.lead == mark for one in word.parameters)), None),
        next(conditions, None),
        tuple(one.name for one in word.parameters if one.by_name),
        tuple(one.name for one in word.parameters if one.domain in (Domain.METRIC, Domain.PAIRS)),
    )


_FORMS = {name: _form(word) for name, word in MEASURES.items()}


def takes_named(measure: str) -> bool:
    """Tell whether ``name = value`` in a call of this measure names an argument; elsewhere it is a slip for ``==``."""
    return measure not in _FORMS or bool(_FORMS[measure].named)


def holds_measure(root: Raw) -> bool:
    """Tell whether a measure is written somewhere in it."""
    stack = [root]
    while stack:
        node = stack.pop()
        if _is_measure_call(node):
            return True
        stack.extend(children(node))
    return False


def _is_measure_call(node: Raw) -> TypeGuard[Call | RawCall]:
    match node:
        case Call(function=name):
            return name not in FUNCTIONS
        case RawCall():
            return True
        case _:
            return False


def measure(raw: Raw, found: list[Diagnostic]) -> MeasureExpression | None:
    """Return measures and numbers combined, or None after reporting what is wrong."""
    if not holds_measure(raw):
        return expression(raw, found)
    match raw:
        case Parenthesized(inner):
            return measure(inner, found)
        case Unary("-", operand, span):
            negated = measure(operand, found)
            return None if negated is None else MeasureNegation(negated, span)
        case Binary("+" | "-" | "*" | "/" | "^" as operator, left, right, span):
            first, second = measure(left, found), measure(right, found)
            return None if first is None or second is None else MeasureArithmetic(operator, first, second, span)
        case Call(function=name, arguments=arguments, name_span=name_span, span=span):
            return _call(name, name_span, (arguments,), (), span, found)
        case RawCall(name=token, groups=groups, separators=separators, span=span):
            return _call(token.value, Span(token.start, token.end), groups, separators, span, found)
        case _:
            message = "measures combine with numbers by + - * / ^ only"
            found.append(Diagnostic(MISPLACED_MEASURE, raw.span, message))
            return None


def _call(
    name: str,
    name_span: Span,
    groups: tuple[tuple[Raw, ...], ...],
    separators: tuple[Token, ...],
    span: Span,
    found: list[Diagnostic],
) -> MeasureCall | None:
    form = _FORMS.get(name)
    if form is None:
        found.append(_no_measure(name, name_span))
        return None
    before = len(found)
    groups = tuple(_without_parentheses(group, found) for group in groups)
    sides = _sides(name, form, groups, separators, span, found)
    if sides is None:
        return None
    left, right, given, right_given = sides
    gain = None
    if name == "G":
        right, gain = _gain(right, span, found)
    right, relation = _relation(form, right, found)
    plain_left, named_left = _arguments(name, form, left, found)
    plain_right, named_right = _arguments(name, form, right, found)
    made = MeasureCall(
        name,
        plain_left,
        form.separator,
        plain_right,
        _given(given, found),
        _given(right_given, found),
        (*named_left, *named_right),
        gain,
        name_span,
        span,
        relation,
    )
    _check(made, form, found)
    return made if len(found) == before else None


# What measures are called elsewhere.
_OTHER_NAMES = {
    "MI": "I",
    "mutual_information": "I",
    "mutual_info": "I",
    "entropy": "H",
    "Pr": "P",
    "Prob": "P",
    "prob": "P",
    "expectation": "E",
    "mean": "E",
    "variance": "Var",
    "var": "Var",
    "D_KL": "KL",
    "DKL": "KL",
    "capacity": "C",
    "epsilon": "DP",
    "eps": "DP",
    "privacy_loss": "DP",
    "delta": "Delta",
    "leakage": "I",
    "min_entropy": "Hmin",
    "vulnerability": "V",
    "guessing_entropy": "Guess",
    "Expectation": "E",
    "probability": "P",
    "Entropy": "H",
    "KLD": "KL",
}


def _no_measure(name: str, span: Span) -> Diagnostic:
    if (meant := _OTHER_NAMES.get(name)) is not None:
        message = f"'{name}' is written '{_FORMS[meant].example}'"
        return Diagnostic(MALFORMED_MEASURE, span, message, fixes=replacement(f"write '{meant}'", span, meant))
    known = ", ".join(sorted(MEASURES, key=str.lower))
    return Diagnostic(MALFORMED_MEASURE, span, f"'{name}' is no measure; the measures are {known}")


def _without_parentheses(group: tuple[Raw, ...], found: list[Diagnostic]) -> tuple[Raw, ...]:
    """Return one side of a measure, ``(x, y)`` as ``x, y``: a tuple elsewhere, no value here."""
    made: list[Raw] = []
    for one in group:
        if isinstance(one, RawTuple):
            found.append(_parentheses(one.items, one.span))
            made.extend(one.items)
        else:
            made.append(one)
    return tuple(made)


def _parentheses(inside: tuple[Raw, ...], span: Span) -> Diagnostic:
    """Say that variables stand without parentheses around them, and take these away."""
    around = (Span(span.start, inside[0].span.start), Span(inside[-1].span.end, span.end))
    shown = ", ".join(item.id if isinstance(item, Name) else "…" for item in inside)
    message = f"the variables of a measure stand without parentheses: '{shown}'"
    fix = Fix("remove the parentheses", tuple(Edit(edge, "") for edge in around), automatic=True)
    return Diagnostic(MALFORMED_MEASURE, span, message, fixes=(fix,))


_Sides = tuple[tuple[Raw, ...], tuple[Raw, ...], tuple[Raw, ...], tuple[Raw, ...]]


def _sides(
    name: str,
    form: _Form,
    groups: tuple[tuple[Raw, ...], ...],
    separators: tuple[Token, ...],
    span: Span,
    found: list[Diagnostic],
) -> _Sides | None:
    """Return left side, right side, condition (of the left side for KL) and condition of the right side."""
    match [mark.value for mark in separators], form.separator:
        case [], None:
            return groups[0], (), (), ()
        case ["|"], None:
            return groups[0], (), groups[1], ()
        case ["||"], "||":
            return groups[0], groups[1], (), ()
        case ["|", "||"], "||":
            return groups[0], groups[2], groups[1], ()
        case ["||", "|"], "||":
            return groups[0], groups[1], (), groups[2]
        case ["|", "||", "|"], "||":
            return groups[0], groups[2], groups[1], groups[3]
        case [first], separator if first == separator:
            return groups[0], groups[1], (), ()
        case [first, "|"], separator if first == separator:
            return groups[0], groups[1], groups[2], ()
    found.append(_wrong_separators(name, form, groups, separators, span))
    return None


def _two_sides(form: _Form, variables: tuple[Raw, ...]) -> tuple[Fix, ...]:
    """Return the fix for ``I(x, y)``: of two variables, each is a side."""
    match variables, form.separator:
        case (first, second), str() as separator if not isinstance(second, RawNamed):
            between = Span(first.span.end, second.span.start)
            text = f"{separator} " if separator == ";" else f" {separator} "
            return replacement(f"write '{separator}'", between, text, automatic=True)
        case _:
            return ()


def _wrong_separators(
    name: str, form: _Form, groups: tuple[tuple[Raw, ...], ...], separators: tuple[Token, ...], span: Span
) -> Diagnostic:
    meant = f"'{name}' is written '{form.example}'"
    if form.separator is not None and len(separators) == 1 and separators[0].value != form.separator:
        mark = Span(separators[0].start, separators[0].end)
        return Diagnostic(
            MALFORMED_MEASURE,
            mark,
            f"found '{separators[0].value}', expected '{form.separator}': {meant}",
            # 'I(x | y)' may lack its second side.
            fixes=replacement(f"write '{form.separator}'", mark, form.separator, automatic=separators[0].value != "|"),
        )
    if not separators:
        message = f"found one list of variables, expected two sides: {meant}"
        return Diagnostic(MALFORMED_MEASURE, span, message, fixes=_two_sides(form, groups[0]))
    wrong = next((mark for mark in separators if mark.value not in (form.separator, "|")), separators[-1])
    mark, message = Span(wrong.start, wrong.end), f"found '{wrong.value}' too many: {meant}"
    # 'V(x; y)' is written so elsewhere, and means what the attacker has seen.
    bar = wrong.value == ";" and len(separators) == 1 and form.separator is None
    fixes = replacement("write '|'", mark, " |", automatic=True) if bar and "| y" in form.example else ()
    return Diagnostic(MALFORMED_MEASURE, mark, message, fixes=fixes)


def _arguments(
    name: str, form: _Form, side: tuple[Raw, ...], found: list[Diagnostic]
) -> tuple[tuple[Expression, ...], tuple[Argument, ...]]:
    plain: list[Expression] = []
    named: list[Argument] = []
    for one in side:
        match one:
            case RawNamed(token, value, span):
                if token.value not in form.named:
                    known = f"it has: {', '.join(form.named)}" if form.named else "it has none"
                    message = f"'{name}' has no named argument '{token.value}'; {known}"
                    found.append(Diagnostic(MALFORMED_MEASURE, Span(token.start, token.end), message))
                elif any(argument.name == token.value for argument in named):
                    found.append(Diagnostic(MALFORMED_MEASURE, span, f"'{token.value}' is given twice"))
                named.append(Argument(token.value, expression(value, found), span))
            case RawTable(span=span):
                found.append(
                    Diagnostic(MALFORMED_MEASURE, span, f"found a table in '{name}'; only 'G' takes one, as its gain")
                )
            case RawWeighted(span=span):
                found.append(Diagnostic(MALFORMED_MEASURE, span, f"found ':' in '{name}', expected variables"))
            case _:
                if named:
                    message = "named arguments stand last, before '|'"
                    found.append(Diagnostic(MALFORMED_MEASURE, one.span, message))
                plain.append(expression(one, found))
    return tuple(plain), tuple(named)


def _given(group: tuple[Raw, ...], found: list[Diagnostic]) -> tuple[Expression, ...]:
    for one in group:
        if isinstance(one, RawNamed):
            message = "named arguments stand before '|'; to compare, write '=='"
            found.append(Diagnostic(MALFORMED_MEASURE, one.span, message))
            return ()
    return tuple(expression(one, found) for one in group)


def _gain(
    right: tuple[Raw, ...], span: Span, found: list[Diagnostic]
) -> tuple[tuple[Raw, ...], GainTable | GainName | None]:
    """Split the right side of ``G`` into the outputs and the gain, its last positional argument."""
    if len(right) < 2:
        message = "a gain is missing: 'G' is written 'G(x -> y, gain)', with guess, tries(k), distance or a table"
        found.append(Diagnostic(MALFORMED_MEASURE, span, message))
        return right, None
    *outputs, last = right
    match last:
        case Name(name, where):
            gain: GainTable | GainName = GainName(name, (), where)
        case Call(function=name, arguments=arguments, span=where):
            gain = GainName(name, tuple(expression(one, found) for one in arguments), where)
        case RawTable():
            gain = GainTable(_rows(last.entries, "a gain table is '(guess, value): gain'", found), last.span)
        case _:
            message = "found no gain as the last argument, expected guess, tries(k), distance or a table"
            found.append(Diagnostic(MALFORMED_MEASURE, last.span, message))
            return tuple(outputs), None
    return tuple(outputs), gain


_Rows = tuple[tuple[tuple[Expression, ...], tuple[Expression, ...], Expression], ...]


def _rows(entries: tuple[tuple[Raw, Raw], ...], form: str, found: list[Diagnostic]) -> _Rows:
    """Return the entries of a table of pairs; ``form`` says what of, and how an entry is written."""
    made: list[tuple[tuple[Expression, ...], tuple[Expression, ...], Expression]] = []
    for key, value in entries:
        match key:
            case RawTuple((one, other)):
                made.append((_joint(one, found), _joint(other, found), expression(value, found)))
            case _:
                found.append(Diagnostic(MALFORMED_MEASURE, key.span, f"an entry of {form}"))
    return tuple(made)


def _relation(form: _Form, side: tuple[Raw, ...], found: list[Diagnostic]) -> tuple[tuple[Raw, ...], Relation | None]:
    """Take the argument that says which inputs are compared out of the right side of a channel."""
    stated = [one for one in side if isinstance(one, RawNamed) and one.name.value in form.relations]
    if not stated:
        return side, None
    first, *more = stated
    for one in more:
        message = f"found '{one.name.value}' beside '{first.name.value}': one of them says which inputs are compared"
        found.append(Diagnostic(MALFORMED_MEASURE, one.span, message))
    rest = tuple(one for one in side if one not in stated)
    if first.name.value == "metric":
        return rest, _metric(first.value, found)
    for other in rest:
        if isinstance(other, RawNamed) and other.name.value == "distance":
            message = "found 'distance' beside 'neighbours', which already says which inputs are compared: leave it out"
            found.append(Diagnostic(MALFORMED_MEASURE, other.span, message))
    return rest, _neighbours(first.value, found)


def _metric(raw: Raw, found: list[Diagnostic]) -> MetricName | MetricTable | None:
    match raw:
        case Name(id=name, span=span) if name in METRICS:
            return MetricName(name, span)
        case Name(id=name, span=span):
            near = get_close_matches(name, METRICS, 1)
            fixes = replacement(f"write '{near[0]}'", span, near[0]) if near else ()
            message = f"'{name}' is no metric; there are {', '.join(METRICS)}, and a table {{(v, w): d, …}}"
            found.append(Diagnostic(MALFORMED_MEASURE, span, message, fixes=fixes))
            return None
        case RawTable(entries=entries, span=span) if entries:
            return MetricTable(_rows(entries, "a metric is '(v, w): d'", found), span)
        case _:
            message = f"found no metric, expected {', '.join(METRICS)} or a table {{(v, w): d, …}}"
            found.append(Diagnostic(MALFORMED_MEASURE, raw.span, message))
            return None


def _neighbours(raw: Raw, found: list[Diagnostic]) -> NeighbourTable | None:
    if not isinstance(raw, RawSet):
        message = "found no pairs of values, expected neighbours={(v, w), …}"
        found.append(Diagnostic(MALFORMED_MEASURE, raw.span, message))
        return None
    entries: list[tuple[tuple[Expression, ...], tuple[Expression, ...]]] = []
    for member in raw.members:
        match member:
            case RawTuple((one, other)):
                entries.append((_joint(one, found), _joint(other, found)))
            case _:
                message = "each of 'neighbours' is a pair '(v, w)' of values of the input"
                found.append(Diagnostic(MALFORMED_MEASURE, member.span, message))
    return NeighbourTable(tuple(entries), raw.span)


def _joint(raw: Raw, found: list[Diagnostic]) -> tuple[Expression, ...]:
    items = raw.items if isinstance(raw, RawTuple) else (raw,)
    return tuple(expression(one, found) for one in items)


def _check(made: MeasureCall, form: _Form, found: list[Diagnostic]) -> None:
    """Report what the measure cannot be of: expressions where variables are due, mixed conditions."""
    meant = f"'{made.name}' is written '{form.example}'"
    if MEASURES[made.name].is_of_value:
        if len(made.left) != 1:
            found.append(
                Diagnostic(MALFORMED_MEASURE, made.span, f"found {len(made.left)} expressions, expected one: {meant}")
            )
    else:
        _variables(made, (*made.left, *made.right), found)
        if not made.left or (form.separator is not None and not made.right):
            found.append(Diagnostic(MALFORMED_MEASURE, made.span, f"a variable is missing: {meant}"))
    conditions = (*made.given, *made.right_given)
    if not conditions:
        return
    span = conditions[0].span.cover(conditions[-1].span)
    if form.given is None:
        found.append(Diagnostic(MALFORMED_MEASURE, span, f"'{made.name}' takes no condition: {meant}"))
    elif form.event_only and (len(made.given) > 1 or len(made.right_given) > 1):
        message = "found a list after '|', expected one event; join conditions with 'and'"
        found.append(Diagnostic(MALFORMED_MEASURE, span, message))
    elif form.variables_only:
        _variables(made, conditions, found)
    elif not form.event_only and len(conditions) > 1 and not all(isinstance(one, Name | Index) for one in conditions):
        message = "found variables and events mixed after '|', expected a list of variables or one event"
        found.append(Diagnostic(MALFORMED_MEASURE, span, message))


def _variables(made: MeasureCall, places: tuple[Expression, ...], found: list[Diagnostic]) -> None:
    for one in places:
        if isinstance(one, Parenthesized) and isinstance(one.inner, Name | Index):
            found.append(_parentheses((one.inner,), one.span))
        elif not isinstance(one, Name | Index):
            found.append(_no_variable(made.name, one))


def _no_variable(measure: str, one: Expression) -> Diagnostic:
    """Return what is said of something else in the place of a variable: a number may have been meant for an argument that has a name."""
    text, form = spell(one), _FORMS[measure]
    meant = [f"{name}={text}" for name in form.named if name not in form.relations] if isinstance(one, Number) else []
    if not meant:
        message = f"'{measure}' takes variables, found '{text}'; assign it to a variable first"
        return Diagnostic(MALFORMED_MEASURE, one.span, message)
    fixes = tuple(fix for named in meant for fix in replacement(f"write '{named}'", one.span, named))
    message = f"'{measure}' takes variables, and its numbers have names: write {_either(meant)}"
    return Diagnostic(MALFORMED_MEASURE, one.span, message, fixes=fixes)


def _either(words: list[str]) -> str:
    return " or ".join(f"'{word}'" for word in words)
