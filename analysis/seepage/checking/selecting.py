"""Which findings are told: ``--select`` and ``--ignore`` name rules by code, by name, or by the beginning of a code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from seepage.configuration import least_level
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Rule
from seepage.rules import RULES


class NoSuchRule(ValueError):
    """A word that names no rule, or one that may not be left out; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Codes of the findings that are told: all, or ``selected`` ones, without those ``ignored``; what may not be silenced always is."""

    selected: frozenset[str] | None = None
    ignored: frozenset[str] = frozenset()

    def of(self, findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Yield those findings that are told."""
        for each in findings:
            code = each.rule.code
            wanted = (self.selected is None or code in self.selected) and code not in self.ignored
            if wanted or not may_be_left_out(RULES.get(code, each.rule)):
                yield each


ALL = Selection()


def read_selection(select: Sequence[str], ignore: Sequence[str]) -> Selection:
    """Return what words of the two options say, each a list with commas.

    Raises:
        NoSuchRule: one names nothing, or a rule to be ignored that keeps people from being misled.
    """
    words = [word for part in ignore for word in part.split(",") if word.strip()]
    for word in words:
        if (rule := _named(word)) is not None and not may_be_left_out(rule):
            raise NoSuchRule(f"'{word.strip()}' cannot be left out: it keeps people from being misled")
    ignored = frozenset(code for word in words for code in _codes(word))
    chosen = [word for part in select for word in part.split(",") if word.strip()]
    selected = frozenset(code for word in chosen for code in _codes(word)) if select else None
    return Selection(selected, ignored)


def may_be_left_out(rule: Rule) -> bool:
    """Tell whether a rule is advice: errors, and what says that a number is not what it seems, are always told."""
    return least_level(rule) == "off"


def _named(word: str) -> Rule | None:
    names = {rule.name: rule for rule in RULES.values()}
    return RULES.get(word.strip().upper()) or names.get(word.strip().lower())


def _codes(word: str) -> list[str]:
    if (rule := _named(word)) is not None:
        return [rule.code]
    start = word.strip().upper()
    found = [code for code in RULES if start.startswith("SEEP") and code.startswith(start)]
    if not found:
        raise NoSuchRule(f"there is no rule '{word.strip()[:60]}': 'seepage rules' lists them")
    return found
