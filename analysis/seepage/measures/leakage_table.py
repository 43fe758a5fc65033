r"""The leakage table: for each secret what all outputs together tell about it, on average and in the worst case.

The average is I(secret; outputs). The worst case is the output value v with the largest KL(secret | outputs = v ‖ secret) (their mean
over v is I). The chance to guess the secret in one try is :math:`V(x) = \max_x p(x)` before and
:math:`V(x \mid y) = \sum_y \max_x p(x, y)` after the outputs are seen (measures.md, "The leakage table").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from flint import arb, fmpq

from seepage import exact, rules
from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import balls
from seepage.engines.outcome import DiscreteJoint, Joint, MixtureJoint
from seepage.exact import Number
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.asking import Asking
from seepage.measures.clock import OutOfTime
from seepage.measures.divergence import posterior_divergences
from seepage.measures.evaluate import evaluate_text, measure_of
from seepage.measures.facts import LeakageRow, WorstCase
from seepage.measures.joints import joint_of
from seepage.measures.quantity import Quantity
from seepage.measures.result import Result
from seepage.measures.units import in_unit, result_of, without_unit
from seepage.measures.vulnerability import conditional_vulnerability, vulnerability
from seepage.measures.weights import Values, positions
from seepage.measures.whole_bits import divergence_bits
from seepage.semantics.checked import SecretSymbol

Discrete = DiscreteJoint[fmpq] | DiscreteJoint[arb]

_JOINT_STATES = 40_000  # a joint of a whole array is affordable up to here: well under a second
_JOINT_SECONDS = 2.0
_SCAN_SECONDS = 3.0  # for the search for an array's worst element
_NO_TIME = "no worst case and guesses: the time limit was reached"
_GIVES_UP = frozenset({rules.BUDGET_EXCEEDED, rules.TIME_LIMIT})


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
        jointly = asking.within(_JOINT_SECONDS, _JOINT_STATES)
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
    scan = asking.within(_SCAN_SECONDS)
    for index in indices:
        if found and scan.budget.expired():
            break
        element = f"{array}[{index}]"
        # The first element may take its time; the others must not take that of the row.
        limited = scan if found else asking
        try:
            information = evaluate_text(limited, _information(element, outputs), formulas=False)
        except Fault as fault:
            reason = fault.diagnostic.message
            if limited.budget.expired():
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
    information = evaluate_text(asking, _information(secret, outputs))
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
        percent = _percent(asking, secret, outputs) if _is_discrete(joint, x) else None
        note = "no worst case and guesses: this version computes them for discrete secrets and discrete outputs"
        return replace(row, percent=percent, note=note)
    row = replace(row, percent=_percent(asking, secret, outputs))
    if not row.headline:
        return row
    if asking.budget.expired():
        return replace(row, note=_NO_TIME)
    try:
        return _with_guesses(asking, row, joint, discrete, x, y)
    except OutOfTime:
        return replace(row, note=_NO_TIME)


def _is_discrete(joint: Discrete | MixtureJoint, x: Sequence[str]) -> bool:
    """Tell whether some variables have atoms only, without approximation; a share of a differential entropy means nothing."""
    if not isinstance(joint, MixtureJoint):
        return True
    places = [joint.variables.index(name) for name in x]
    atoms = all(component.values[place] is not None for component in joint.components for place in places)
    return atoms and not joint.approximations


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
        return evaluate_text(asking, f"100 * {_information(secret, outputs)} / H({secret})", formulas=False)
    except Fault as fault:
        if fault.diagnostic.rule is rules.UNDEFINED_MEASURE or fault.diagnostic.rule in _GIVES_UP:
            return None
        raise


def _with_guesses(
    asking: Asking, row: LeakageRow, joint: Joint, discrete: Discrete, x: Sequence[str], y: Sequence[str]
) -> LeakageRow:
    """Add the worst case and the chances to guess; ``discrete`` is ``joint``, as the formulas of discrete variables want it."""
    value, tells = max(posterior_divergences(discrete, x, y, asking.budget), key=lambda pair: float(pair[1].value))
    bits = divergence_bits(_given(discrete, y, value), x, discrete, x)
    seen = [(name, exact.show(number)) for name, number in zip(y, value, strict=True)]
    event = " and ".join(f"{name} == {number}" for name, number in seen)
    secret, outputs = row.secret, ", ".join(y)

    def result(text: str, quantity: Quantity) -> Result:
        return result_of(asking, measure_of(text), quantity)

    return replace(
        row,
        worst=WorstCase(
            ", ".join(f"{name} = {number}" for name, number in seen),
            result(f"KL({secret} | {event} || {secret})", in_unit(asking.unit, tells, joint, bits)),
        ),
        guess_before=result(f"V({secret})", without_unit(vulnerability(discrete, x), joint)),
        guess_after=result(f"V({secret} | {outputs})", without_unit(conditional_vulnerability(discrete, x, y), joint)),
    )


def _given(joint: Discrete, y: Sequence[str], value: Values) -> Discrete:
    """Return the joint where ``y`` has a value."""
    places = positions(joint, y)
    masses: Any = {every: mass for every, mass in joint.masses.items() if tuple(every[at] for at in places) == value}
    mass: Any = sum(masses.values(), joint.ring.zero)
    return replace(joint, masses=masses, mass=mass)
