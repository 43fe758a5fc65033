"""``seepage rules``: what every diagnostic means, or one of them."""

from __future__ import annotations

from difflib import get_close_matches

import click

from seepage.cli.reading import brief
from seepage.diagnostics import Rule
from seepage.report.rules_page import rule_page, rules_page
from seepage.rules import RULES


@click.command()
@click.argument("rules", nargs=-1, metavar="[CODE]...")
def rules(rules: tuple[str, ...]) -> None:
    """Print the documentation of all diagnostics, or of those named by a CODE such as SEEP510 or leak-budget-violated, as Markdown."""
    pages = [rule_page(rule_named(each)) for each in rules]
    click.echo("\n".join(pages) if pages else rules_page(), nl=False)


def rule_named(word: str) -> Rule:
    """Return the rule of a code or a name, in letters of either case.

    Raises:
        click.BadParameter: if there is none.
    """
    names = {rule.name: rule for rule in RULES.values()}
    found = RULES.get(word.upper()) or names.get(word.lower())
    if found is None:
        near = get_close_matches(word, [*RULES, *names], 1) if len(word) < 100 else []
        hint = f", did you mean '{near[0]}'?" if near else ": 'seepage rules' lists them"
        raise click.BadParameter(brief(f"there is no rule '{word}'{hint}"), param_hint="CODE")
    return found
