"""A law in words, with the numbers of a program in it: ``the whole numbers from 18 to 89, equally likely``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from seepage.syntax.spell import spell
from seepage.syntax.tree import Choice, Distribution, Family, Rows, Table
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.word import DistributionWord

_NAMED = re.compile(r"`([^`]+)`")
_MOST = 8  # values that are listed


def law_words(law: Distribution, quote: Callable[[str], str] = str) -> str:
    """Return what a law is in words, what is code as ``quote`` writes it; a law without words stays code."""
    match law:
        case Choice(arguments=arguments):
            values = [spell(each.value) for each in arguments[:_MOST]]
            more = ", …" if len(arguments) > _MOST else ""
            return f"chosen by the attacker among {len(arguments):,}: {quote(', '.join(values) + more)}"
        case Rows(draw=draw):
            how = "each equally likely" if draw.weight is None else f"weighed by its column {quote(draw.weight)}"
            return f"a row of the table {quote(draw.name)}, which has {draw.table.rows:,} rows, {how}"
        case Table(entries=entries):
            told = [
                f"{quote(spell(value))} with probability {quote(spell(chance))}" for value, chance in entries[:_MOST]
            ]
            return ", ".join([*told, "…"] if len(entries) > _MOST else told)
        case Family(name=name) if name in DISTRIBUTIONS and name != "mixture":
            return _family(law, DISTRIBUTIONS[name], quote)
        case _:
            return f"drawn from {quote(spell(law))}"


def _family(law: Family, word: DistributionWord, quote: Callable[[str], str]) -> str:
    values = {name: spell(law.arguments[number].value) for number, name in _places(law, word)}
    listed = [spell(each.value) for each in law.arguments] if any(each.repeated for each in word.parameters) else []
    names = {each.name for each in word.parameters}

    def value(found: re.Match[str]) -> str:
        return quote(values.get(found[1], found[1])) if found[1] in names else found[1]

    told = _NAMED.sub(value, word.summary.partition(";")[0])
    if listed:
        return f"{told}: {quote(', '.join(listed[:_MOST]) + (', …' if len(listed) > _MOST else ''))}"
    if all(f"`{name}`" in word.summary for name in values):
        return told
    return f"{told}: {quote(spell(law))}"


def _places(law: Family, word: DistributionWord) -> Iterator[tuple[int, str]]:
    """Yield each argument that stands for a parameter, by its place, with the name of that."""
    positional = (each.name for each in word.parameters if not each.by_name)
    for number, argument in enumerate(law.arguments):
        name = argument.name if argument.name is not None else next(positional, None)
        if name is not None:
            yield number, name
