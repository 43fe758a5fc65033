"""What hovers say of statements, as Markdown: how likely an observation passes and a branch is taken, laws, loops, exactness."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from seepage.diagnostics import Reason
from seepage.measures.digits import FEW_DIGITS, MOST_DIGITS, rounded
from seepage.measures.facts import PassingFacts
from seepage.measures.result import Certainty, Result
from seepage.report.marks import escaped, inline_code
from seepage.report.numbers import bounds_text, formula_text, has_number, number_text, status_text
from seepage.source import SourceFile

_SHORT = 60  # characters of a formula beside a number
_READABLE = 10_000  # of a denominator


def describe_observe(
    condition: str, facts: PassingFacts | None, source: SourceFile | None = None, most: int = FEW_DIGITS
) -> str:
    """Return the hover of an ``observe``: its condition, and the share of the runs that get there and pass."""
    lines = [f"**observe** {inline_code(condition)}"]
    if facts is not None and facts.of_density and all(one.upper == 0 for one in facts.results):
        lines.append("an equality of continuous values: runs are weighed by its density, as its probability is 0")
    elif facts is not None:
        lines.append(f"passes with probability {chance_text(facts, source, most)}")
    return "\n\n".join(lines)


def describe_branches(
    arms: Sequence[tuple[str, PassingFacts | None]], source: SourceFile | None = None, most: int = FEW_DIGITS
) -> str:
    """Return the hover of an ``if``: each condition, an empty one for ``else``, with the share of the runs that take its branch."""
    shown = [inline_code(condition) if condition else "otherwise" for condition, _ in arms]
    if all(facts is None for _, facts in arms):
        return "**if** " + ", ".join(shown)
    lines = [
        f"- {arm}: {chance_text(facts, source, most) if facts is not None else 'no probability known'}"
        for arm, (_, facts) in zip(shown, arms, strict=True)
    ]
    return "\n".join(["**if**: of the runs that get here", "", *lines])


def chance_text(facts: PassingFacts, source: SourceFile | None = None, most: int = FEW_DIGITS) -> str:
    """Return one probability, or those of all times in a loop: ``0.75 (3/4) · exact``, ``0.5 to 0.75 in 6 iterations · exact``."""
    results = facts.results
    status = status_text(max(results, key=lambda one: _ORDER[one.certainty]), source)
    first = results[0]
    if facts.times == 1:
        return f"{_number(first, most)} · {status}"
    counted = (
        f"in each of {facts.times:,} iterations"
        if len(results) == facts.times
        else f"in the first {len(results)} of {facts.times:,} iterations"
    )
    if all((one.lower, one.upper, one.exact) == (first.lower, first.upper, first.exact) for one in results):
        return f"{_number(first, most)} {counted} · {status}"
    ends = min(results, key=lambda one: one.lower), max(results, key=lambda one: one.upper)
    least, greatest = (_plain(one, most) for one in ends)
    return f"{least} to {greatest} {counted.replace('in each of', 'over')} · {status}"


_ORDER = {Certainty.EXACT: 0, Certainty.CERTIFIED: 1, Certainty.APPROXIMATE: 2}


def _plain(result: Result, most: int) -> str:
    return number_text(result, most) if has_number(result, most) else bounds_text(result)


def _number(result: Result, most: int) -> str:
    """Return a probability with its fraction or formula where that says more and is short."""
    number = _plain(result, most)
    found = result.formula
    is_short = found is not None and len(found.text) <= _SHORT and not found.definitions
    if found is not None and is_short and (result.exact is None or not _is_constant(found.text)):
        return f"{number} = {formula_text(found, inline_code)}"
    exact = result.exact
    if exact is not None and exact.denominator <= _READABLE and Fraction(number) != exact:
        return f"{number} ({exact})"
    return number


def _is_constant(text: str) -> bool:
    return not any(letter.isalpha() for letter in text)


def describe_law(target: str, law: str, meaning: str | None, exactness: str) -> str:
    """Return the hover of ``x ~ D``: the law with the names of its parameters, what it means, and whether it keeps numbers exact."""
    parts = [
        f"**{escaped(target)}** ~ {inline_code(law)}",
        *([meaning] if meaning else []),
        *([exactness] if exactness else []),
    ]
    return "\n\n".join(parts)


def spread_text(spread: float) -> str:
    """Return the standard deviation of a normal whose variance is written: the number that others write there."""
    return f"its standard deviation is {rounded(spread)}, the root of the variance; {inline_code(f'std={rounded(spread, MOST_DIGITS)}')} says the same"


def describe_loop(name: str, counts: Sequence[range] | None) -> str:
    """Return the hover of a ``for``: how often it runs, from the ranges of its variable, one for each time that it is reached."""
    if counts is None:
        return f"**for** {inline_code(name)}: how often it runs depends on what has no value yet"
    lengths = [len(one) for one in counts]
    total = sum(lengths)
    if not total:
        return f"**for** {inline_code(name)}: never runs, as its range is empty"
    low, high = min(one[0] for one in counts if one), max(one[-1] for one in counts if one)
    lines = [f"**for** {inline_code(name)} from {low} to {high}: {_times(total, 'iteration')}, unrolled"]
    if len(counts) > 1:
        each = _times(lengths[0], "iteration") if min(lengths) == max(lengths) else f"{min(lengths)} to {max(lengths)}"
        lines.append(f"{each} each of the {len(counts):,} times that it is reached")
    return "\n\n".join(lines)


def _times(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def exactness_text(reasons: Sequence[Reason], *, continuous: bool) -> str:
    """Return the verdict on a statement: why the engine for Gaussian mixtures is not exact for it, or that it is; empty if discrete."""
    if reasons:
        return "\n\n".join(
            f"_not exact for Gaussian mixtures: {escaped(reason.message)}_ ({reason.code})" for reason in reasons
        )
    return "_exact: Gaussian mixtures stay Gaussian mixtures_" if continuous else ""
