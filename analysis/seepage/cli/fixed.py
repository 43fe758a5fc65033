"""``seepage check --fix``: a file with the fixes that are beyond doubt."""

from __future__ import annotations

import click

from seepage.cli.reading import write_text
from seepage.fixing import fix_all
from seepage.source import SourceFile


def fixed_text(source: SourceFile) -> str:
    """Apply fixes to a file and tell what they mended on standard error; return the text that it holds by then.

    Raises:
        Unreadable: it cannot be written.
    """
    result = fix_all(source)
    if result.text != source.text:
        write_text(source.name, result.text)
    for one in result.mended:
        click.echo(f"{source.name}: fixed {one.rule.code}: {one.fixes[0].title}", err=True)
    if result.left:
        which = "error" if len(result.left) == 1 else "errors"
        click.echo(f"{source.name}: left to you: {len(result.left)} {which} with guesses, told as 'help'", err=True)
    if not result.is_whole:
        click.echo(f"{source.name}: stopped before all fixes were tried; run it again to go on", err=True)
    return result.text
