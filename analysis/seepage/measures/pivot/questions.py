"""Measures of programs beyond the exact fragment of SOGA, from the exact laws of their paths: certified, where those are known.

Asked where moment matching gave an approximate number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial

from flint import arb

from seepage import rules
from seepage.engines.outcome import Budget
from seepage.engines.pivot.infinite import Followed
from seepage.engines.pivot.merging import merged
from seepage.engines.pivot.path import Path
from seepage.engines.select import solve_paths, solve_window
from seepage.exact import ArithmeticFault, Number, precision
from seepage.laws.forms import Beyond, NoMomentError, Polynomial
from seepage.measures.call_parts import condition_of, event_of, with_value
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluation import Evaluation
from seepage.measures.gaussian.sum import infinite
from seepage.measures.gaussian.tuples import COARSE
from seepage.measures.guessing.questions import guessing_by_paths
from seepage.measures.joints import GHOST, observing
from seepage.measures.notes import Note
from seepage.measures.pivot.between import information_between
from seepage.measures.pivot.certain import certified
from seepage.measures.pivot.copies import without_copies
from seepage.measures.pivot.divergence import divergence
from seepage.measures.pivot.entropy import entropy_sum
from seepage.measures.pivot.events import chance_of, event_probability
from seepage.measures.pivot.functions import has_value
from seepage.measures.pivot.guessing import Sight
from seepage.measures.pivot.images import Image, bounded, image_of, told_as
from seepage.measures.pivot.infinite import (
    chance_in_window,
    entropy_in_window,
    information_in_window,
    mean_in_window,
    variance_in_window,
)
from seepage.measures.pivot.information import (
    is_constant,
    is_told,
    through_added_noise,
    through_sum,
)
from seepage.measures.pivot.moments import mean_of, variance_of
from seepage.measures.pivot.of_sum import function_of_sum
from seepage.measures.pivot.retold import retold
from seepage.measures.pivot.singular import SINGULAR, are_singular, tell_each_other, with_density
from seepage.measures.pivot.strata import atom, strata_of, total_of
from seepage.measures.planning.table import row_of
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty
from seepage.measures.rounding import in_bits
from seepage.measures.scope import fail, variables
from seepage.semantics.core import CoreAssign, CoreObserve, CoreProgram
from seepage.semantics.expressions import plain_names
from seepage.semantics.slice import slice_program
from seepage.syntax.tree import MeasureCall, Name

BITS = 128

MAY_HIDE = Note("an approximation by normal distributions may show no leak where there is one")

Names = tuple[str, ...]

_HEAVY = Note("a tail is so heavy that the integral is infinite")
_MISSING = {
    "mean": "this mean does not exist: the positive and the negative part of the value are both infinite on average",
    "variance": "this variance does not exist: the value has no finite mean",
}


def sharpened(evaluation: Evaluation, call: MeasureCall, quantity: Quantity) -> Quantity:
    """Return a certified quantity in the place of an approximate one, or of wide bounds of a loss, where the exact law is known; else what it was."""
    known = quantity.enclosure
    is_approximate = known.certainty is Certainty.APPROXIMATE
    if evaluation.method is not None or not (
        is_approximate or (row_of(call).is_loss and known.upper - known.lower > COARSE)
    ):
        return quantity
    found = retold(evaluation, call, partial(_told_as, evaluation))
    if is_approximate:
        known_exactly = found or _by_paths(evaluation, call)
        return known_exactly if isinstance(known_exactly, Quantity) else _warned(call, quantity)
    return quantity if found is None or found.enclosure.upper > known.upper else found


def instead(evaluation: Evaluation, call: MeasureCall) -> Quantity | str:
    """Return a certified quantity where mixtures have none; if the exact law is not known, either, why not, in a few words (none where it was not asked)."""
    if evaluation.method is not None:
        return ""
    return retold(evaluation, call, partial(_told_as, evaluation)) or _by_paths(evaluation, call)


def entropy_of(evaluation: Evaluation, core: CoreProgram, x: Names) -> arb | None:
    """Return H(x) in nats from the exact law of paths, None if x is not discrete or that is not known."""
    if evaluation.inquiry.budget.expired():
        return None
    with precision(BITS):
        try:
            found = discrete_entropy(evaluation, core, x)
        except (Beyond, ArithmeticFault):
            return None
    return found if found.is_finite() else None


def _by_paths(evaluation: Evaluation, call: MeasureCall) -> Quantity | str:
    if evaluation.inquiry.budget.expired():
        return "no time left"
    with precision(BITS):
        try:
            if row_of(call).is_of_guesses:
                return guessing_by_paths(evaluation, call, partial(_told_as, evaluation))
            found = _in_window(evaluation, call) or _answer(evaluation, call)
        except (Beyond, ArithmeticFault) as beyond:
            return beyond.reason
    if found is None:
        return ""
    dimension = row_of(call).dimension
    return Quantity(in_bits(found) if dimension == 1 and evaluation.unit == "bits" else found, dimension, "paths")


def _warned(call: MeasureCall, quantity: Quantity) -> Quantity:
    """Return an approximate information with a note on what it may hide."""
    if not (row_of(call).is_information or row_of(call).is_leakage) or row_of(call).chooses_gain:
        return quantity
    return replace(quantity, enclosure=replace(quantity.enclosure, notes=(*quantity.enclosure.notes, MAY_HIDE)))


def _in_window(evaluation: Evaluation, call: MeasureCall) -> Enclosure | None:
    """Return H, I, P, E or Var where windows of infinite supports or rounded values are followed, None where none are, or of another measure."""
    scope, budget = evaluation.scope, evaluation.inquiry.budget
    measure = row_of(call)
    if not (measure.is_of_entropies or measure.is_of_value):
        return None
    given, event = ((), None) if measure.is_of_value else condition_of(scope, call)
    x, y = ((GHOST,), ()) if measure.is_of_value else (variables(scope, call.left), variables(scope, call.right))
    core = with_value(scope, call) if measure.is_of_value else observing(scope, event)
    if measure.is_information:
        core = _told_as(evaluation, core, (*x, *y, *given), ())
    known = solve_window(
        core, (*x, *y, *given), evaluation.inquiry.scope.parameters, budget, measure.functional == "chance"
    )
    if known is None:
        return None
    match measure.functional:
        case "entropy" if measure.is_information:
            return information_in_window(known, x, y, given, budget)
        case "entropy":
            found = entropy_in_window(known, x, given, budget)
            unbounded = found is None or not found.lower.is_finite()
            return _left_in_window(evaluation, core, known, (x, given)) or found if given and unbounded else found
        case "chance":
            return chance_in_window(known, GHOST)
        case "mean":
            return mean_in_window(known, GHOST)
        case _:
            return variance_in_window(known, GHOST)


def _left_in_window(
    evaluation: Evaluation, core: CoreProgram, known: Followed, names: tuple[Names, Names]
) -> Enclosure | None:
    """Return H(x | y) = H(x) − I(x; y), None where either is not known."""
    x, y = names
    with suppress(Beyond):
        paths = _paths(evaluation, core, x)
        own = entropy_sum(paths, x, total_of(paths))
        told = information_in_window(known, x, y, (), evaluation.inquiry.budget)
        if told is not None and own.is_finite() and told.upper.is_finite():
            return certified((own - told.lower).union(own - told.upper))
    return None


def _answer(evaluation: Evaluation, call: MeasureCall) -> Enclosure | None:
    scope, measure = evaluation.scope, row_of(call)
    match measure.functional:
        case "entropy" if measure.is_information:
            x, y = variables(scope, call.left), variables(scope, call.right)
            given, event = condition_of(scope, call)
            core = _told_as(evaluation, observing(scope, event), (*x, *y, *given), ())
            if (shared := tuple(name for name in x if name in y and name not in given)) and (
                is_told(_paths(evaluation, core, (*shared, *given)), shared, given)
            ):
                return certified(arb.pos_inf())
            return _information(evaluation, core, (x, y, given))
        case "entropy" if measure.is_entropy:
            x = variables(scope, call.left)
            given, event = condition_of(scope, call)
            core = _told_as(evaluation, observing(scope, event), (*x, *given), x)
            if len(x) == 1 and (image := _image_of(evaluation, core, x[0])) is not None:
                with suppress(Beyond):
                    return _image_entropy(evaluation, core, image, given)
            try:
                return _entropy(_paths(evaluation, core, (*x, *given)), x, given, evaluation.inquiry.budget)
            except Beyond as beyond:
                if given:
                    return _left(evaluation, core, x, given)
                with suppress(Beyond):
                    return certified(discrete_entropy(evaluation, core, x), arb(0))
                raise beyond
        case "divergence":
            sides = []
            read = (name for event in (*call.given, *call.right_given) for name in plain_names(event))
            events = scope.core.expanded(read)
            for side, condition in ((call.left, call.given), (call.right, call.right_given)):
                core, names = observing(scope, event_of(scope, call, condition)), variables(scope, side)
                if call.left == call.right and not events & set(names):
                    core = _told_as(evaluation, core, names, ())  # a one-to-one function of both changes no divergence
                sides.append((_paths(evaluation, core, names), names))
            return certified(divergence(*sides), arb(0))
        case "gain" if not measure.reads_prior:
            x, y = variables(scope, call.left), variables(scope, call.right)
            core = _told_as(evaluation, scope.core, (*x, *y), x)
            told = Sight(_paths(evaluation, core, (*x, *y)), x, y).told_at_most(evaluation.inquiry.budget)
            return certified(told.lower.log().union(told.upper.log()), arb(0))
        case "chance":
            return _event(evaluation, call)
        case "mean":
            return _of_value(evaluation, call, mean_of, Image.mean)
        case "variance":
            return _of_value(evaluation, call, variance_of, Image.variance)
        case _:
            return None


def _information(evaluation: Evaluation, core: CoreProgram, sides: tuple[Names, Names, Names]) -> Enclosure | None:
    """Return I(x; y | given), by bounds where it is not known better.

    Raises:
        Beyond: if nothing is known, with what kept entropies from being.
    """
    x, y, given = sides
    budget = evaluation.inquiry.budget
    paths = merged(_paths(evaluation, core, (*x, *y, *given)), (*x, *y, *given))
    if not given and any(is_constant(_paths(evaluation, core, side), side) for side in (x, y)):
        return Enclosure.of_rational(Fraction(0))
    if any(tell_each_other(path, x, y, given) for path in paths):
        return certified(arb.pos_inf())
    for own, others in ((x, y), (y, x)):
        paths = without_copies(paths, [name for name in own if name not in others and name not in given])
    if not given and (told := through_added_noise(paths, x, y)) is not None:
        return certified(told, arb(0))
    found: Enclosure | None = None
    why = Beyond("")
    signed = ((1, (*x, *given)), (1, (*y, *given)), (-1, (*x, *y, *given)), (-1, given))
    try:
        found = certified(_signed_sum(paths, signed, budget), arb(0))
    except Beyond as beyond:
        if given:
            raise
        why = beyond
    if given or (found is not None and not found.upper - found.lower > COARSE):
        return found
    most = arb.pos_inf()
    if found is None:
        in_sum = through_sum(paths, x, y)
        if in_sum is not None and (in_sum.lower > 0 or in_sum.upper - in_sum.lower <= COARSE):
            return in_sum
        most = most if in_sum is None else in_sum.upper
    between = information_between(paths, x, y, budget, most)
    if found is None and between is None:
        raise why
    if found is None or between is None:
        return found or between
    lower, upper = found.lower.max(between.lower), found.upper.min(between.upper)
    return replace(between, lower=lower, upper=upper, value=((lower + upper) / 2).mid())


def _of_value(
    evaluation: Evaluation,
    call: MeasureCall,
    of: Callable[[Sequence[Path], str, arb], arb],
    of_image: Callable[[Image, Sequence[Path], arb], arb],
) -> Enclosure | None:
    scope, (value, *_) = evaluation.scope, call.left
    core, name = with_value(scope, call), GHOST
    if isinstance(value, Name) and value.id in core.variables:
        core, name = slice_program(observing(scope, event_of(scope, call, call.given)), (value.id,)), value.id
    least = arb(0) if row_of(call).functional == "variance" else None
    if (image := _image_of(evaluation, core, name)) is not None:
        before = _paths(evaluation, image.before(core), (name,))
        return certified(of_image(image, before, total_of(before)), least)
    paths = _paths(evaluation, core, (name,))
    try:
        return certified(of(paths, name, total_of(paths)), least)
    except NoMomentError as missing:
        if missing.sign:
            return infinite(missing.sign, _HEAVY)
        fail(rules.UNDEFINED_VALUE, call.span.shift(scope.offset), _MISSING[row_of(call).functional])


def _image_of(evaluation: Evaluation, core: CoreProgram, name: str) -> Image | None:
    """Return how a variable is the image of a value that has one on all runs."""
    image = image_of(core, name, evaluation.inquiry.scope.parameters)
    return image if image is not None and _has_value(evaluation, core, image) else None


def _told_as(evaluation: Evaluation, core: CoreProgram, asked: Names, kept: Names) -> CoreProgram:
    return told_as(core, asked, kept, evaluation.inquiry.scope.parameters, partial(_has_value, evaluation))


def _has_value(evaluation: Evaluation, core: CoreProgram, image: Image) -> bool:
    """Tell whether it is known that the function of an image has a value on all runs that reach it, whatever is observed later."""
    if image.function.is_total:
        return True
    reached = replace(core, statements=image.before(core).statements[: image.place + 1])
    with suppress(Beyond):
        before = slice_program(reached, (image.name,))
        return has_value(_paths(evaluation, before, (image.name,)), image.name, image.function)
    return False


def _event(evaluation: Evaluation, call: MeasureCall) -> Enclosure | None:
    core = with_value(evaluation.scope, call)
    core = _without_function(evaluation, core) or core
    try:
        found = event_probability(_paths(evaluation, core, (GHOST,)), GHOST)
    except Beyond:
        found = event_probability(_paths(evaluation, core, (GHOST,), cuts=True), GHOST)
    return certified(found, arb(0), arb(1))


def _without_function(evaluation: Evaluation, core: CoreProgram) -> CoreProgram | None:
    """Return a program whose ghost compares a function of a value with a number, comparing the value instead; None of others."""
    *rest, own = core.statements
    known = bounded(own.value, evaluation.inquiry.scope.parameters) if isinstance(own, CoreAssign) else None
    if known is None:
        return None
    left, operator, bound = known
    name = left.id if isinstance(left, Name) else GHOST
    added = () if isinstance(left, Name) else (CoreAssign(Name(GHOST, own.span), left, own.span),)
    applied = replace(core, statements=(*rest, *added))
    image = _image_of(evaluation, applied, name) if name in core.variables else None
    condition = None if image is None else image.compared(operator, bound, own.span)
    if image is None or condition is None:
        return None
    before = image.before(applied)
    return replace(before, statements=(*before.statements, CoreAssign(Name(GHOST, own.span), condition, own.span)))


def _entropy(paths: Sequence[Path], x: Names, given: Names, budget: Budget) -> Enclosure | None:
    """Return H(x | given), which is not negative and at most H(x) where x is discrete."""
    if any(are_singular(path, (*x, *with_density(path, given))) for path in paths):
        return infinite(-1, SINGULAR)
    paths = without_copies(paths, [name for name in given if name not in x])
    found = _signed_sum(paths, ((1, (*x, *given)), (-1, given)), budget)
    if any(isinstance(path.values[name], Polynomial) for path in paths for name in x):
        return certified(found)
    return certified(found, arb(0), _signed_sum(paths, ((1, x),), budget).upper())


def _image_entropy(evaluation: Evaluation, core: CoreProgram, image: Image, given: Names) -> Enclosure | None:
    """Return H(y | given) of a continuous y that is an image of another value."""
    names = tuple(dict.fromkeys((image.name, *given)))
    before = _paths(evaluation, image.before(core), names)
    if not all(isinstance(path.values[image.name], Polynomial) for path in before):
        raise Beyond("a value that is discrete on some path")
    told = _entropy(_paths(evaluation, image.told_by(core), names), (image.name,), given, evaluation.inquiry.budget)
    if told is None or not (told.lower.is_finite() and told.upper.is_finite()):
        return None
    return certified(told.lower.union(told.upper) + image.stretch(before, total_of(before)))


def _left(evaluation: Evaluation, core: CoreProgram, x: Names, given: Names) -> Enclosure | None:
    """Return H(x | given) = H(x) − I(x; given), also of a continuous x; or what noise alone leaves open.

    Raises:
        Beyond: if the law of x is not known.
    """
    paths = _paths(evaluation, core, (*x, *given))
    with suppress(Beyond):
        function = function_of_sum(paths, given, x)
        if len(x) == 1 and function.is_apart:
            return certified(function.given(), None if function.continuous else arb(0))
    discrete = not any(isinstance(path.values[name], Polynomial) for path in paths for name in x)
    if discrete:
        own = discrete_entropy(evaluation, core, x)
    else:
        alone = _paths(evaluation, core, x)  # without the guards of what x decides
        own = entropy_sum(alone, x, total_of(alone))
    told = _information(evaluation, core, (x, given, ()))
    if told is not None and told.lower == arb.pos_inf() and own.is_finite() and not discrete:
        return certified(arb.neg_inf())
    if told is None or not told.upper.is_finite():
        return None
    lower, upper = (own - told.upper).lower(), (own - told.lower).upper().min(own.upper())
    lower = lower.max(arb(0)) if discrete else lower
    return Enclosure.bounded(own - told.value, lower, upper, Certainty.CERTIFIED, notes=told.notes)


def discrete_entropy(evaluation: Evaluation, core: CoreProgram, x: Names) -> arb:
    """Return H(x) in nats, from the chances of its values; one comparison may be of a value that is no guard.

    Raises:
        Beyond: if x is not discrete, or a chance is not known.
    """
    masses: dict[tuple[Number | None, ...], arb] = {}
    for key, group in strata_of(_paths(evaluation, core, x, cuts=True), x).items():
        if None in key:
            raise Beyond("a continuous variable")
        masses[key] = sum((chance_of(path) for path in group), arb(0))
    possible = [mass for mass in masses.values() if not mass.is_zero()]
    total = sum(possible, arb(0))
    return arb(0) if len(possible) == 1 else sum((atom(mass / total) for mass in possible), arb(0)).max(arb(0))


def _signed_sum(paths: Sequence[Path], signed: Sequence[tuple[int, Names]], budget: Budget) -> arb:
    """Return a sum of entropies (relative to counting and lengths) in nats."""
    total = total_of(paths)
    found = arb(0)
    for sign, names in signed:
        if budget.expired():
            raise Beyond("no time left")
        found += sign * entropy_sum(paths, tuple(dict.fromkeys(names)), total)
    if found.is_nan():
        raise Beyond("values that have no density together, on both sides")
    return found


def _paths(evaluation: Evaluation, core: CoreProgram, asked: Names, cuts: bool = False) -> tuple[Path, ...]:
    inquiry = evaluation.inquiry
    paths = solve_paths(core, tuple(dict.fromkeys(asked)), inquiry.scope.parameters, inquiry.budget, cuts)
    if not paths:
        events = [each for each in core.statements if isinstance(each, CoreObserve) and each.of_event]
        if events:
            fail(rules.IMPOSSIBLE_EVENT, events[0].span, "impossible event: no run of the program makes it true")
        fail(rules.IMPOSSIBLE_OBSERVATION, inquiry.place, "impossible observation: no run passes all observations")
    return paths
