"""``seepage rules``: what every diagnostic means."""

from __future__ import annotations

import click

from seepage.report.rules_page import rules_page


@click.command()
def rules() -> None:
    """Print the documentation of all diagnostics, as Markdown."""
    click.echo(rules_page(), nl=False)
