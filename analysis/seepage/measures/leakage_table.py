r"""The leakage table: for each secret what all outputs together tell about it, on average and in the worst case.

The average is I(secret; outputs). The worst case is the output value v with the largest KL(secret | outputs = v ‖ secret) (their mean
over v is I), and the one with the least H(secret | outputs = v); an unlikely value may tell much and leave much, so they may differ. The chance to guess
the secret in one try is V(secret) before and V(secret | outputs) after the outputs are seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from flint import arb, fmpq

from seepage import exact, rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.never_equal import decided_at
from seepage.engines.outcome import DiscreteJoint, Joint, MixtureJoint
from seepage.measures.asking import Asking
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluate import evaluate_text
from seepage.measures.facts import LeakageRow, LeastLeft, WorstCase
from seepage.measures.games.reach import up_to_the_limit
from seepage.measures.games.strategy import Strategy
from seepage.measures.gaussian.guessing import as_discrete, has_atoms_only
from seepage.measures.guessing.vulnerability import Discrete
from seepage.measures.joints import classes_of, joint_of
from seepage.measures.leakage_parts import NO_WORST_BEYOND, with_worst_of_parts
from seepage.measures.result import Certainty, Result
from seepage.measures.units import in_unit, titled_result
from seepage.measures.worst_outputs import Classes, Extreme, are_told, least_left, most_told
from seepage.semantics.checked import Checked, Kind, SecretSymbol
from seepage.source import Span
from seepage.syntax.tokens import scan
from seepage.syntax.tree import array_of

_JOINT_STATES = 40_000  # a joint of a whole array is affordable up to here: well under a second
_JOINT_SECONDS = 2.0
_MOST_PAIRS = 400  # of a secret and an output
_SCAN_SECONDS = 3.0  # for the search for an array's worst element
_NO_TIME = "no worst case and guesses: the time limit was reached"
_NOT_FOLLOWED = "no worst case: one round of a loop stands for all of them"
_NOT_DISCRETE = "no worst case: it is found among discrete outputs only"
_GIVES_UP = frozenset({rules.BUDGET_EXCEEDED, rules.TIME_LIMIT})


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """What a row of the table is asked: what ``outputs``, called ``label``, tell of a secret; ``headline`` if they are all."""

    secret: SecretSymbol
    label: str
    outputs: tuple[str, ...]
    headline: bool


def row_questions(checked: Checked) -> Iterator[RowQuestion]:
    """Yield what the rows of each secret are asked: all outputs jointly first, then, if there are several and :func:`tells_outputs_alone`, each output alone."""
    outputs = tuple(symbol.name for symbol in checked.symbols.outputs)
    for secret in checked.symbols.secrets:
        if not outputs:
            continue
        label = "all outputs" if len(outputs) > 1 else "".join(outputs)
        yield RowQuestion(secret, label, outputs, headline=True)
        if len(outputs) > 1 and tells_outputs_alone(checked):
            yield from (RowQuestion(secret, output, (output,), headline=False) for output in outputs)


def tells_outputs_alone(checked: Checked) -> bool:
    """Tell whether the table has rows for single outputs: there are as many as pairs of a secret and an output, which nobody reads where they are many."""
    return len(checked.symbols.secrets) * len(checked.symbols.outputs) <= _MOST_PAIRS


def information_of(secret: str, outputs: Sequence[str]) -> str:
    """Return the measure of what outputs tell of a secret on average, as it is written."""
    return f"I({secret}; {', '.join(outputs)})"


def leakage_row(asking: Asking, question: RowQuestion) -> LeakageRow:
    """Return a row of the table, with what is found within the limits of ``asking``."""
    row = _row(asking, question.secret, question.label, question.outputs, question.headline)
    if row.information is not None and row.headline:
        row = replace(row, information=_with_strategy(row.information, asking.strategy))
    return row if asking.better is None else _below_the_best(replace(asking, game=asking.better), row)


def _with_strategy(found: Result, strategy: Strategy | None) -> Result:
    """Return a number with the strategy of its program, which says what it is the best one for where that is another measure."""
    if strategy is None:
        return found
    is_own = strategy.measure == found.measure
    return replace(found, strategy=replace(strategy, measure="") if is_own else strategy)


def _below_the_best(asking: Asking, row: LeakageRow) -> LeakageRow:
    """Return a row of a strategy as bounds, where an attacker may know a better one."""

    def below(found: Result | None, most: float = math.inf) -> Result | None:
        return found if found is None else up_to_the_limit(asking, found, most)

    information, after = below(row.information), below(row.guess_after)
    return replace(row, information=information, percent=below(row.percent, 100.0), guess_after=after)


def worst_case(asking: Asking, secret: str, outputs: Sequence[str]) -> LeakageRow:
    """Return a row that tells the worst case of a secret, or of an element of an array, alone: by ``worst`` and ``least_left``, or by ``note`` why not.

    Args:
        asking: of the program.
        secret: a variable, an array or an element of one.
        outputs: what an attacker sees.

    Raises:
        Fault: as measures do.
        ValueError: if a name is no variable of the program.
    """
    x = asking.core.elements(secret)
    y = tuple(dict.fromkeys(name for output in outputs for name in asking.core.elements(output)))
    row = LeakageRow(secret, ", ".join(outputs), Span(0, 0), True, None)
    huge = classes_of(asking.inquiry(), asking.core, (*x, *y))
    if huge is not None:
        return _with_worst_of_classes(asking, row, huge, x, y)
    joint = joint_of(asking.inquiry(), asking.core, (*x, *y))
    if isinstance(joint, MixtureJoint) and not has_atoms_only(joint, x):
        return replace(row, note="no worst case: it is about discrete secrets")
    return _with_worst(asking, row, joint, x, y)


def _row(asking: Asking, secret: SecretSymbol, label: str, outputs: Sequence[str], headline: bool) -> LeakageRow:
    row = LeakageRow(secret.name, label, secret.span, headline, None)
    if asking.budget.expired():  # even the measures of many rows take long to write
        return replace(row, note="not computed: the time limit was reached before this row", is_late=True)
    try:
        elements = asking.core.elements(secret.name)
    except ValueError as error:
        return replace(row, note=f"not computed: {error}")
    jointly = asking
    if len(elements) > 1:
        jointly = asking.within(_JOINT_SECONDS, _JOINT_STATES)
    try:
        return _explained(asking, _filled(jointly, row, secret.name, outputs))
    except Fault as fault:
        if len(elements) == 1 or fault.diagnostic.rule not in _GIVES_UP:
            return _not_computed(row, fault.diagnostic)
    return _worst_element(asking, row, secret.name, outputs)


def _explained(asking: Asking, row: LeakageRow) -> LeakageRow:
    """Say of a row without a leak that the secret is compared for equality as a continuous value, which is never true."""
    found = row.information
    if found is None or found.certainty is not Certainty.EXACT or (found.lower, found.upper) != (0, 0):
        return row
    checked = asking.checked
    decided = decided_at(asking.core)
    for one in checked.diagnostics:
        if one.rule is rules.EQUALITY_OF_CONTINUOUS and one.span in decided:
            compared = checked.source[one.span]
            if any(token.type == "NAME" and token.value == row.secret for token in scan(compared)):
                likely = "true" if decided[one.span] else "false"
                why = f"'{compared}' compares continuous values, and is {likely} with probability 1"
                return replace(row, why_nothing=why, note="; ".join(part for part in (why, row.note) if part))
    return row


def _worst_element(asking: Asking, row: LeakageRow, array: str, outputs: Sequence[str]) -> LeakageRow:
    """Fill a row for the element of an array that leaks most, as the array jointly is out of reach."""
    indices = asking.core.arrays[array]
    found: list[tuple[float, str]] = []
    reason: Diagnostic | None = None
    scan = asking.within(_SCAN_SECONDS)
    for index in indices:
        if found and scan.budget.expired():
            break
        element = f"{array}[{index}]"
        # The first element may take its time; the others must not take that of the row.
        limited = scan if found else asking
        try:
            information = evaluate_text(limited, information_of(element, outputs), formulas=False)
        except Fault as fault:
            reason = fault.diagnostic
            if limited.budget.expired():
                break
        else:
            found.append((information.lower if information.value is None else information.value, element))
    if not found:
        if reason is None:
            return replace(row, note="not computed: no element was computed within the limits")
        return _not_computed(row, reason)
    element = max(found, key=lambda pair: pair[0])[1]
    extent = "its" if len(found) == len(indices) else f"the {len(found)} examined of its"
    note = f"'{array}' is too large to take jointly: the row shows the worst of {extent} {len(indices)} elements"
    try:
        filled = _filled(asking, replace(row, secret=element), element, outputs)
    except Fault as fault:
        return _not_computed(row, fault.diagnostic)
    return replace(filled, note="; ".join(part for part in (note, filled.note) if part))


def _not_computed(row: LeakageRow, why: Diagnostic) -> LeakageRow:
    return replace(row, note=f"not computed: {why.message}", is_late=why.rule is rules.TIME_LIMIT)


def _filled(asking: Asking, row: LeakageRow, secret: str, outputs: Sequence[str]) -> LeakageRow:
    information = evaluate_text(asking, information_of(secret, outputs))
    row = replace(row, information=information)
    if asking.core.rounds:
        row = replace(row, percent=_percent(asking, secret, outputs), note=_NOT_FOLLOWED)
        return _with_guesses(asking, row, outputs)
    x = asking.core.elements(secret)
    y = tuple(dict.fromkeys(name for output in outputs for name in asking.core.elements(output)))
    try:
        if (in_parts := _in_parts(asking, row, outputs)) is not None:
            return in_parts
        huge = classes_of(asking.inquiry(), asking.core, (*x, *y))
        if huge is not None:
            row = replace(row, percent=_percent(asking, secret, outputs))
            return _with_worst_of_classes(asking, _with_guesses(asking, row, outputs), huge, x, y)
        joint = joint_of(asking.inquiry(), asking.core, (*x, *y))
    except Fault as fault:
        if fault.diagnostic.rule is rules.NOT_SUPPORTED:
            row = replace(row, percent=_percent(asking, secret, outputs))
            return _without_joint(asking, row, outputs, x, y)
        if fault.diagnostic.rule not in _GIVES_UP:
            raise
        row = replace(row, percent=_percent(asking, secret, outputs))
        return replace(row, note=f"no worst case and guesses: {fault.diagnostic.message}")
    if isinstance(joint, MixtureJoint) and not has_atoms_only(joint, x):
        return replace(row, note="no worst case and guesses: they are about discrete secrets")
    if information.certainty is not Certainty.APPROXIMATE:
        row = replace(row, percent=_percent(asking, secret, outputs))
    if asking.budget.expired():
        return replace(row, note=_NO_TIME)
    try:
        return _with_worst(asking, _with_guesses(asking, row, outputs), joint, x, y)
    except OutOfTime:
        return replace(row, note=_NO_TIME)
    except Fault as fault:
        if fault.diagnostic.rule not in _GIVES_UP:
            raise
        return replace(row, note=f"no worst case and guesses: {fault.diagnostic.message}")


def _in_parts(asking: Asking, row: LeakageRow, outputs: Sequence[str]) -> LeakageRow | None:
    """Fill a row whose secret falls into independent parts; None for others."""
    try:
        found = with_worst_of_parts(asking, row, outputs)
        if found is None:
            return None
        return replace(_with_guesses(asking, found, outputs), percent=_percent(asking, row.secret, outputs))
    except OutOfTime:
        return replace(row, note=_NO_TIME)
    except Fault as fault:
        if fault.diagnostic.rule is not rules.NOT_SUPPORTED and fault.diagnostic.rule not in _GIVES_UP:
            raise
        return None


def _without_joint(
    asking: Asking, row: LeakageRow, outputs: Sequence[str], x: Sequence[str], y: Sequence[str]
) -> LeakageRow:
    """Fill a row of a program whose measures are known by the exact laws of its paths alone."""
    row = replace(row, note=_NOT_DISCRETE)
    try:
        if (masses := _masses(asking, x, y)) is not None:
            row = _with_worst(asking, replace(row, note=""), masses, x, y)
        return _with_guesses(asking, row, outputs)
    except OutOfTime:
        return replace(row, note=_NO_TIME)
    except Fault as fault:
        return replace(row, note=f"no worst case and guesses: {fault.diagnostic.message}")


def _percent(asking: Asking, secret: str, outputs: Sequence[str]) -> Result | None:
    """100 · I / H, None for a secret without entropy, with a density (whose entropy measures no amount), or when the time is over."""
    if asking.checked.kinds.get(array_of(secret)) in (Kind.CONTINUOUS, Kind.MIXED):
        return None
    try:
        return evaluate_text(asking, f"100 * {information_of(secret, outputs)} / H({secret})", formulas=False)
    except Fault as fault:
        if fault.diagnostic.rule is rules.UNDEFINED_MEASURE or fault.diagnostic.rule in _GIVES_UP:
            return None
        raise


def _with_guesses(asking: Asking, row: LeakageRow, outputs: Sequence[str]) -> LeakageRow:
    """Add the chances to guess the secret, before and after."""
    before = evaluate_text(asking, f"V({row.secret})", formulas=False)
    after = evaluate_text(asking, f"V({row.secret} | {', '.join(outputs)})", formulas=False)
    return replace(row, guess_before=before, guess_after=after)


def _with_worst(asking: Asking, row: LeakageRow, joint: Joint, x: Sequence[str], y: Sequence[str]) -> LeakageRow:
    """Add the single output values that tell most and leave least; ``joint`` is of the secret and the outputs."""
    discrete = (as_discrete(joint) or _masses(asking, x, y)) if isinstance(joint, MixtureJoint) else joint
    if discrete is None:
        return replace(row, note=_NOT_DISCRETE)
    if discrete.cut is not None:
        return replace(row, note=NO_WORST_BEYOND)

    return _with_extremes(asking, row, discrete, joint, x, y)


def _with_extremes(
    asking: Asking, row: LeakageRow, joint: Discrete | Classes, law: Joint, x: Sequence[str], y: Sequence[str]
) -> LeakageRow:
    """Add the same by a joint of discrete values; ``law`` is what it was found from."""

    def result(symbol: str, title: str, found: Extreme) -> Result:
        return titled_result(asking, title, symbol, in_unit(asking.unit, found.nats, law, found.bits))

    told, left = most_told(joint, x, y, asking.budget), least_left(joint, x, y, asking.budget)
    average = row.information
    if average is not None and average.certainty is not Certainty.APPROXIMATE and average.upper == 0:
        # Divergences are not negative: where their mean is 0, so is each, also of chances that are known as balls alone.
        told = Extreme(told.values, Enclosure.of_rational(Fraction(0)), Fraction(0))
    seen, last = _seen(y, told.values), _seen(y, left.values)
    divergence = result("KL", f"KL({row.secret} | {_event(seen)} || {row.secret})", told)
    entropy = result("H", f"H({row.secret} | {_event(last)})", left)
    return replace(row, worst=WorstCase(_words(seen), divergence), least_left=LeastLeft(_words(last), entropy))


def _masses(asking: Asking, x: Sequence[str], y: Sequence[str]) -> DiscreteJoint[fmpq] | DiscreteJoint[arb] | None:
    """Return the joint of discrete variables that continuous ones decide, by the exact laws of paths; None where these do not tell it."""
    try:
        joint = joint_of(replace(asking.inquiry(), by_paths=True), asking.core, (*x, *y))
    except Fault as fault:
        if fault.diagnostic.rule is not rules.NOT_SUPPORTED and fault.diagnostic.rule not in _GIVES_UP:
            raise
        return None
    return None if isinstance(joint, MixtureJoint) else joint


def _with_worst_of_classes(
    asking: Asking, row: LeakageRow, joint: Classes, x: Sequence[str], y: Sequence[str]
) -> LeakageRow:
    """Add the same where the secret comes from a huge range: given a value of the outputs, each class of the secret is as uniform as before."""
    if not are_told(joint, x, y):
        return replace(row, note="no worst case: it is found among outputs with few values only")
    return _with_extremes(asking, row, joint, joint.symbols, x, y)


def _seen(y: Sequence[str], value: Values) -> list[tuple[str, str]]:
    return [(name, exact.show(number)) for name, number in zip(y, value, strict=True)]


def _event(seen: Sequence[tuple[str, str]]) -> str:
    return " and ".join(f"{name} == {number}" for name, number in seen)


def _words(seen: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name} = {number}" for name, number in seen)
