"""All words in one table, and what to say of one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from seepage.syntax.vocabulary.aggregates import AGGREGATES
from seepage.syntax.vocabulary.array_laws import ARRAY_LAW_WORDS
from seepage.syntax.vocabulary.contextual import CONTEXTUAL
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.functions import FUNCTIONS
from seepage.syntax.vocabulary.keywords import KEYWORDS
from seepage.syntax.vocabulary.measures import GAINS, MEASURES, METRICS
from seepage.word import DistributionWord, Word

WORDS: Mapping[str, Word] = MappingProxyType(
    {
        **GAINS,
        **METRICS,
        **KEYWORDS,
        **CONTEXTUAL,
        **FUNCTIONS,
        **AGGREGATES,
        **MEASURES,
        **DISTRIBUTIONS,
        **ARRAY_LAW_WORDS,
    }
)
"""Every word by name; no two of them share one."""


def headline(word: Word) -> str:
    """Return one line of Markdown: the form and what it means."""
    return f"`{word.form}`: {word.summary}"


def parameter_text(word: Word, name: str) -> str | None:
    """Return what a parameter or an alias of one means and may be, in Markdown; None if the word has none of that name."""
    for one in word.parameters:
        if one.name == name:
            return f"`{name}`: {one.meaning} ({one.domain.value})" if one.meaning else None
        for alias, meaning in one.aliases:
            if alias == name:
                return f"`{name}`: {meaning}, by name in place of `{one.name}` ({one.domain.value})"
    return None


def document(word: Word) -> str:
    """Return all that is known of a word, in Markdown: headline, kind and parameters, fine print, an example."""
    parts = [headline(word)]
    if isinstance(word, DistributionWord) and word.kind is not None:
        parts[0] += f" ({word.kind})"
    listed = [parameter_text(word, one.name) for one in word.parameters]
    if listed:
        parts.append("\n".join(f"* {text}" for text in listed))
    parts.extend(f"{detail[0].upper()}{detail[1:]}." for detail in word.details)
    parts.append(f"```seep\n{word.example.rstrip()}\n```")
    return "\n\n".join(parts)
