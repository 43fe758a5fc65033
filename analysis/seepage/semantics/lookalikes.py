"""Names that people cannot tell apart: letters of other scripts that look like Latin ones, and marks that are not seen.

A text in ASCII is passed over at once; else the runs of its statements say which names are not, so that a key press costs nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix, Label
from seepage.semantics.checked import Symbols
from seepage.semantics.units import Units
from seepage.source import SourceFile, Span

# After NFKC, which makes letters of other styles plain ones already.
_ALIKE = {
    **dict(zip("аеорсухіјѕԁһӏԛԝѵ", "aeopcyxijsdhlqwv", strict=True)),  # Cyrillic
    **dict(zip("АВЕКМНОРСТХЅІЈҮԌԚԜ", "ABEKMHOPCTXSIJYGQW", strict=True)),
    **dict(zip("ονΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ovABEZHIKMNOPTYX", strict=True)),  # Greek
    **dict(zip("օսհց", "ouhg", strict=True)),  # Armenian
    **dict(zip("ᎪᏴᏟᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCEGHJKLMPRSTVWZ", strict=True)),  # Cherokee
}
_UNSEEN = frozenset(
    (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
)
_OF_FORMULAS = frozenset("ν")  # beside Latin letters it is meant


def lookalikes(symbols: Symbols, units: Units, source: SourceFile) -> Iterator[Diagnostic]:
    """Yield a warning for each name that looks like another one, or that mixes letters which look alike."""
    if source.text.isascii():
        return
    foreign = set().union(*(stretch.run.says.foreign for stretch in units.runs.stretches), _foreign(symbols.variables))
    foreign.update(_foreign(symbols.declarations))
    if not foreign:
        return
    groups: dict[str, list[str]] = {}
    for name in sorted(foreign):
        groups.setdefault(skeleton(name), []).append(name)
    for plain, group in groups.items():  # a name in ASCII looks like itself
        if plain.isascii() and _is_known(plain, symbols, units):
            group.append(plain)
    suspects = [group for group in groups.values() if len(group) > 1 or _mixed(group[0])]
    if not suspects:
        return
    places: dict[str, list[Span]] = {name: [] for group in suspects for name in group}
    for span, name in symbols.occurrences:
        if name in places:
            places[name].append(span)
    for group in suspects:
        known = sorted((name for name in group if places[name]), key=lambda name: (not name.isascii(), places[name][0]))
        for number, name in enumerate(known):
            if number:
                yield _alike(name, known[0], places)
            elif message := _mixed(name):
                yield Diagnostic(rules.LOOKALIKE_NAME, places[name][0], message)


def _is_known(name: str, symbols: Symbols, units: Units) -> bool:
    if name in symbols.declarations or name in symbols.variables:
        return True
    return any(name in stretch.run.says.loops for stretch in units.runs.stretches)


def _foreign(names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if not name.isascii())


@lru_cache(maxsize=4_096)
def skeleton(name: str) -> str:
    """Return what a name looks like: equal for names that people cannot tell apart.

    >>> skeleton("р\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}n")
    'pin'
    """
    return "".join(_ALIKE.get(letter, letter) for letter in name if ord(letter) not in _UNSEEN)


def _alike(name: str, other: str, places: dict[str, list[Span]]) -> Diagnostic:
    letter = next((each for each in name if each in _ALIKE or ord(each) in _UNSEEN), "")
    what = f": it has a '{_called(letter)}'" if letter else ""
    message = f"'{name}' looks like '{other}' and is another name{what}"
    fix = Fix(f"write '{other}'", tuple(Edit(span, other) for span in places[name]), automatic=False)
    labels = (Label(places[other][0], f"'{other}' stands here"),)
    return Diagnostic(rules.LOOKALIKE_NAME, places[name][0], message, labels, fixes=(fix,))


@lru_cache(maxsize=4_096)
def _mixed(name: str) -> str:
    """Say of a name that a letter in it looks like one of the script that its other letters are of, or that a mark in it is not seen; else nothing."""
    unseen = next((letter for letter in name if ord(letter) in _UNSEEN), None)
    if unseen is not None:
        return f"'{name}' holds a '{_called(unseen)}', which is not seen"
    scripts = {_script(letter) for letter in name if letter.isalpha()}
    alike = next((letter for letter in name if letter in _ALIKE and letter not in _OF_FORMULAS), None)
    if alike is None or len(scripts) < 2:
        return ""
    return f"'{name}' mixes letters that look alike: it has a '{_called(alike)}', which looks like '{_ALIKE[alike]}'"


def _called(letter: str) -> str:
    return unicodedata.name(letter, f"U+{ord(letter):04X}").lower()


def _script(letter: str) -> str:
    """Return the script of a letter, which is the first word of what Unicode calls it."""
    return unicodedata.name(letter, "").partition(" ")[0]
