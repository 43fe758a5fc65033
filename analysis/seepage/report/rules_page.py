"""The page ``docs/diagnostics.md``, made from the registry of rules: ``seepage rules > docs/diagnostics.md``.

Each rule has an anchor named by its code (``diagnostics.md#SEEP101``), so that editors and reports can link to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from seepage.diagnostics import Rule
from seepage.rules import RULES

_FAMILIES = {
    "0": "Text and syntax",
    "1": "Names and declarations",
    "2": "Kinds and static values",
    "3": "Exactness",
    "4": "Values met while running",
    "5": "Measures and budgets",
    "9": "Limits, and what is not supported yet",
}
_INTRODUCTION = """\
Every finding has a code, which is never reused for anything else. This page is made by `seepage rules`; edit `analysis/seepage/rules/` instead.

* An *error* leaves what depends on the place without a number.
* A *warning* is a number that is less than it seems, or a likely slip. The program is analysed all the same.
* *Information* and *hints* are worth knowing, and need no change.

Findings of the families 0 to 3 come while typing, those of 4 and 5 mostly from the analysis, which runs the program. In an editor, many carry a fix."""
_ABOUT = {
    "3": """\
A program on continuous variables is computed exactly if, in the words of the proposition on exactness of the paper
(Schröer, Randone, Pardo, Wąsowski: *Symbolic Quantitative Information Flow for Probabilistic Programs*), i) what is assigned is linear; ii) what is sampled is a
Gaussian mixture; iii) what is observed is an equality, or depends on discrete variables only; iv) what branches depends on discrete variables only. Each warning here says
which condition does not hold. Where the exact law of what a measure asks for is known path by path, its number is *certified* all the same. Elsewhere it is that of a Gaussian
approximation, marked *approximate*: it has the right means and variances where it says so, may be far from the truth, and may show no leak where there is one.""",
}
_REMEDY = "What to do: "


def rules_page() -> str:
    """Return the whole page."""
    return "\n".join(_lines()) + "\n"


def rule_page(rule: Rule) -> str:
    """Return what the page says of one rule."""
    return "\n".join(_about(rule)) + "\n"


def _lines() -> Iterator[str]:
    yield "# Diagnostics"
    yield ""
    yield from _INTRODUCTION.splitlines()
    families = [(family, list(codes)) for family, codes in groupby(sorted(RULES), key=_family)]
    yield ""
    yield "| code | name | | |"
    yield "| --- | --- | --- | --- |"
    for _, codes in families:
        yield from (_row(RULES[code]) for code in codes)
    for family, codes in families:
        yield ""
        yield f"## {_FAMILIES.get(family, 'Others')}"
        if family in _ABOUT:
            yield ""
            yield from _ABOUT[family].splitlines()
        for code in codes:
            yield from _rule(RULES[code])


def _family(code: str) -> str:
    return code[len("SEEP")]


def _row(rule: Rule) -> str:
    summary = rule.summary.replace("|", "\\|")
    return f"| [{rule.code}](#{rule.code}) | `{rule.name}` | {rule.severity.value} | {summary} |"


def _rule(rule: Rule) -> Iterator[str]:
    yield ""
    yield f'<a id="{rule.code}"></a>'
    yield ""
    yield from _about(rule)


def _about(rule: Rule) -> Iterator[str]:
    yield f"### {rule.code} `{rule.name}`"
    yield ""
    yield f"*{rule.severity.value}*: {rule.summary}."
    for paragraph in rule.explanation.split("\n\n"):
        yield ""
        yield f"**{_REMEDY.strip()}** {paragraph.removeprefix(_REMEDY)}" if paragraph.startswith(_REMEDY) else paragraph
    if rule.example:
        yield ""
        yield "```seep"
        yield from rule.example.splitlines()
        yield "```"
