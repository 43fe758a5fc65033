"""``seepage check --fix``: a file with the fixes that are beyond doubt, and with ``--guess`` those that are likely."""

from __future__ import annotations

import click

from seepage.cli.reading import write_text
from seepage.fixing import fix_all
from seepage.source import SourceFile


def fixed_text(source: SourceFile, guesses: bool) -> str:
    """Apply fixes to a file, guesses too if they are asked for, and tell what they mended on standard error; return the text that it holds by then.

    Raises:
        Unreadable: it cannot be written.
    """
    result = fix_all(source, guesses)
    if result.text != source.text:
        write_text(source.name, result.text)
    for one in result.mended:
        fix = one.fixes[0]
        click.echo(f"{source.name}: {'fixed' if fix.automatic else 'guessed'} {one.rule.code}: {fix.title}", err=True)
    if result.left:
        more = "" if guesses else "; --guess applies those that mend something"
        which = "error" if len(result.left) == 1 else "errors"
        click.echo(
            f"{source.name}: left to you: {len(result.left)} {which} with guesses, told as 'help'{more}", err=True
        )
    if not result.is_whole:
        click.echo(f"{source.name}: stopped before all fixes were tried; run it again to go on", err=True)
    return result.text
