r"""The leakage table: for each secret what all outputs together tell about it, on average and in the worst case.

The average is I(secret; outputs). The worst case is the output value v with the largest KL(secret | outputs = v ‖ secret) (their mean
over v is I). The chance to guess the secret in one try is :math:`V(x) = \max_x p(x)` before and
:math:`V(x \mid y) = \sum_y \max_x p(x, y)` after the outputs are seen (measures.md, "The leakage table").
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from flint import arb, fmpq

from seepage import exact, rules
from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import balls
from seepage.engines.outcome import Budget, DiscreteJoint, MixtureJoint
from seepage.exact import Number, precision
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluate import InformationUnit, evaluate
from seepage.measures.facts import LeakageRow, WorstCase
from seepage.measures.joints import Inquiry, Memory, joint_of
from seepage.measures.result import Certainty, Result, Unit
from seepage.measures.rounding import float_ends, in_bits
from seepage.measures.scope import Scope
from seepage.semantics.checked import Checked, SecretSymbol
from seepage.semantics.core import CoreProgram
from seepage.source import Span
from seepage.syntax.parse import parse_measure

Discrete = DiscreteJoint[fmpq] | DiscreteJoint[arb]

_JOINT_STATES = 40_000  # a joint of a whole array is affordable up to here: well under a second
_JOINT_SECONDS = 2.0
_SCAN_SECONDS = 3.0  # for the search for an array's worst element
_GIVES_UP = frozenset({rules.BUDGET_EXCEEDED, rules.TIME_LIMIT})


@dataclass(frozen=True, slots=True)
class Asking:
    """A program at fixed parameter values, with everything that :func:`evaluate` wants."""

    checked: Checked
    core: CoreProgram
    parameters: Mapping[str, Number]
    unit: InformationUnit
    budget: Budget
    memory: Memory

    def result(self, text: str, formulas: bool = True) -> Result:
        """Evaluate a measure by its text, with its faults placed at the start of the program.

        Raises:
            Fault: as :func:`evaluate`.
        """
        measure, diagnostics = parse_measure(text)
        if measure is None or diagnostics:
            raise ValueError(f"{text!r} is no measure")
        return evaluate(
            self.checked,
            self.core,
            measure,
            self.parameters,
            self.unit,
            self.budget,
            text=text,
            memory=self.memory,
            formulas=formulas,
        )

    def inquiry(self) -> Inquiry:
        """Return the same as what joints are asked with; places of names do not matter."""
        scope = Scope(self.core, self.checked.symbols.consts, self.parameters, 0)
        return Inquiry(scope, Span(0, 0), self.budget, self.memory)


def within(budget: Budget, seconds: float) -> Budget:
    """Return a budget with an earlier deadline: in so many seconds, and before 60 % of the time that was left is gone."""
    now = time.monotonic()
    if budget.deadline is not None:
        seconds = min(seconds, 0.6 * (budget.deadline - now))
    return replace(budget, deadline=now + seconds)


def leakage_rows(asking: Asking) -> Iterator[LeakageRow]:
    """Yield the rows of each secret: all outputs jointly first, then, if there are several, each output alone."""
    outputs = [symbol.name for symbol in asking.checked.symbols.outputs]
    for secret in asking.checked.symbols.secrets:
        if not outputs:
            continue
        together = "all outputs" if len(outputs) > 1 else outputs[0]
        yield _row(asking, secret, together, outputs, headline=True)
        if len(outputs) > 1:
            for output in outputs:
                yield _row(asking, secret, output, [output], headline=False)


def _row(asking: Asking, secret: SecretSymbol, label: str, outputs: Sequence[str], headline: bool) -> LeakageRow:
    row = LeakageRow(secret.name, label, secret.span, headline, None)
    try:
        elements = asking.core.elements(secret.name)
    except ValueError:
        return replace(row, note=f"no statement assigns '{secret.name}'")
    jointly = asking
    if len(elements) > 1:
        states = min(asking.budget.states, _JOINT_STATES)
        jointly = replace(asking, budget=replace(within(asking.budget, _JOINT_SECONDS), states=states))
    try:
        return _filled(jointly, row, secret.name, outputs)
    except Fault as fault:
        if len(elements) == 1 or fault.diagnostic.rule not in _GIVES_UP:
            return replace(row, note=f"not computed: {fault.diagnostic.message}")
    return _worst_element(asking, row, secret.name, outputs)


def _worst_element(asking: Asking, row: LeakageRow, array: str, outputs: Sequence[str]) -> LeakageRow:
    """Fill a row for the element of an array that leaks most, as the array jointly is out of reach."""
    indices = asking.core.arrays[array]
    found: list[tuple[float, str]] = []
    reason = "no element was computed within the limits"
    scan = within(asking.budget, _SCAN_SECONDS)
    for index in indices:
        if found and scan.expired():
            break
        element = f"{array}[{index}]"
        # The first element may take its time; the others must not take that of the row.
        budget = scan if found else asking.budget
        try:
            information = replace(asking, budget=budget).result(_information(element, outputs), formulas=False)
        except Fault as fault:
            reason = fault.diagnostic.message
            if budget.expired():
                break
        else:
            found.append((information.value, element))
    if not found:
        return replace(row, note=f"not computed: {reason}")
    element = max(found, key=lambda pair: pair[0])[1]
    extent = "its" if len(found) == len(indices) else f"the {len(found)} examined of its"
    note = f"'{array}' is too large to take jointly: the row shows the worst of {extent} {len(indices)} elements"
    try:
        filled = _filled(asking, replace(row, secret=element), element, outputs)
    except Fault as fault:
        return replace(row, note=f"not computed: {fault.diagnostic.message}")
    return replace(filled, note="; ".join(part for part in (note, filled.note) if part))


def _information(secret: str, outputs: Sequence[str]) -> str:
    return f"I({secret}; {', '.join(outputs)})"


def _filled(asking: Asking, row: LeakageRow, secret: str, outputs: Sequence[str]) -> LeakageRow:
    information = asking.result(_information(secret, outputs))
    row = replace(row, information=information)
    x = asking.core.elements(secret)
    y = tuple(dict.fromkeys(name for output in outputs for name in asking.core.elements(output)))
    try:
        joint = joint_of(asking.inquiry(), asking.core, (*x, *y))
    except Fault as fault:
        if fault.diagnostic.rule not in _GIVES_UP:
            raise
        row = replace(row, percent=_percent(asking, secret, outputs))
        return replace(row, note=f"no worst case and guesses: {fault.diagnostic.message}")
    discrete = _atoms_only(joint) if isinstance(joint, MixtureJoint) else joint
    if discrete is None:
        return replace(row, note="worst case and guesses need a discrete secret and discrete outputs")
    row = replace(row, percent=_percent(asking, secret, outputs))
    if not row.headline:
        return row
    if asking.budget.expired():
        return replace(row, note="no worst case and guesses: the time limit was reached")
    return _with_guesses(asking, row, discrete, x, y)


def _atoms_only(joint: MixtureJoint) -> Discrete | None:
    """Return a mixture of atoms as a discrete joint; None if some component is continuous or approximate."""
    if joint.approximations:
        return None
    masses: dict[tuple[Number, ...], arb] = {}
    for component in joint.components:
        values = tuple(value for value in component.values if value is not None)
        if len(values) < len(component.values):
            return None
        masses[values] = masses.get(values, arb(0)) + arb(component.weight)
    return DiscreteJoint(joint.variables, balls(WORKING_BITS), masses, sum(masses.values(), arb(0)))


def _percent(asking: Asking, secret: str, outputs: Sequence[str]) -> Result | None:
    """100 · I / H, None for a secret without entropy, or when the time is over."""
    try:
        return asking.result(f"100 * {_information(secret, outputs)} / H({secret})", formulas=False)
    except Fault as fault:
        if fault.diagnostic.rule is rules.UNDEFINED_MEASURE or fault.diagnostic.rule in _GIVES_UP:
            return None
        raise


def _with_guesses(asking: Asking, row: LeakageRow, joint: Discrete, x: Sequence[str], y: Sequence[str]) -> LeakageRow:
    with precision(WORKING_BITS):
        table = _by_output(joint, x, y)
        total = sum((mass for column in table.values() for mass in column.values()), arb(0))
        prior: dict[tuple[Number, ...], arb] = {}
        for column in table.values():
            for secret, mass in column.items():
                prior[secret] = prior.get(secret, arb(0)) + mass
        before = _greatest(prior.values()) / total
        after = sum((_greatest(column.values()) for column in table.values()), arb(0)) / total
        worst_value, divergence = max(
            ((value, _divergence(column, prior, total)) for value, column in table.items()),
            key=lambda pair: float(pair[1]),
        )
        at_least_zero = (divergence.mid().nonnegative_part(), divergence.lower().nonnegative_part())
        enclosure = Enclosure(*at_least_zero, divergence.upper(), Certainty.EXACT)
    described = ", ".join(f"{name} = {exact.show(value)}" for name, value in zip(y, worst_value, strict=True))
    unit = asking.unit
    tells = in_bits(enclosure) if unit == "bits" else enclosure
    event = " and ".join(f"{name} == {exact.show(value)}" for name, value in zip(y, worst_value, strict=True))
    return replace(
        row,
        worst=WorstCase(described, _result(asking, f"KL({row.secret} | {event} || {row.secret})", tells, unit)),
        guess_before=_result(asking, f"V({row.secret})", Enclosure.of_ball(before), ""),
        guess_after=_result(asking, f"V({row.secret} | {', '.join(y)})", Enclosure.of_ball(after), ""),
    )


def _by_output(
    joint: Discrete, x: Sequence[str], y: Sequence[str]
) -> dict[tuple[Number, ...], dict[tuple[Number, ...], arb]]:
    """Return for each value of the outputs the masses of the secret's values."""
    places_x = [joint.variables.index(name) for name in x]
    places_y = [joint.variables.index(name) for name in y]
    table: dict[tuple[Number, ...], dict[tuple[Number, ...], arb]] = {}
    for values, mass in joint.masses.items():
        column = table.setdefault(tuple(values[place] for place in places_y), {})
        secret = tuple(values[place] for place in places_x)
        column[secret] = column.get(secret, arb(0)) + arb(mass)
    return table


def _greatest(masses: Iterable[arb]) -> arb:
    """Return a ball that holds the greatest of several numbers."""
    greatest: arb | None = None
    for mass in masses:
        greatest = mass if greatest is None else greatest.max(mass)
    if greatest is None:
        raise ValueError("the greatest of no numbers was asked for")
    return greatest


def _divergence(column: Mapping[tuple[Number, ...], arb], prior: Mapping[tuple[Number, ...], arb], total: arb) -> arb:
    """Σ_x p(x | v) log (p(x | v) / p(x)), in nats."""
    mass = sum(column.values(), arb(0))
    return sum((part / mass * (part * total / (mass * prior[secret])).log() for secret, part in column.items()), arb(0))


def _result(asking: Asking, text: str, enclosure: Enclosure, unit: Unit) -> Result:
    lower, value, upper = float_ends(enclosure)
    params = {name: exact.show(number) for name, number in asking.parameters.items()}
    return Result(text, unit, value, lower, upper, Certainty.EXACT, "wpe", params=params)
