"""A marked Python function as users hold it: a program that is asked in Python's names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Label
from seepage.python.excerpts import FUNCTION_LAW, Excerpt, Piece, excerpt, pieces_of
from seepage.python.marks import Mark, decorated, is_mark
from seepage.python.mechanisms import Mechanisms
from seepage.python.module import Module
from seepage.python.places import Places
from seepage.python.reading import functions, parsed, replacing
from seepage.python.translation import Translation, translate
from seepage.source import SourceFile, Span

_KNOWN_FUNCTIONS = 64


@dataclass(frozen=True, slots=True)
class Unmarked:
    """Why a function has no program: findings in its file."""

    source: SourceFile
    findings: tuple[Diagnostic, ...]


def marked_functions(pieces: Collection[Piece], tables: Collection[str]) -> list[str]:
    """Return the functions of a file with marks of their own or in ``tables``, in the order of the text, then those that are not there."""
    imports = _module("".join(one.text for one in pieces if one.is_kept), frozenset())
    known = {one.name: one for piece in pieces for one in piece.functions}
    named = [
        name
        for name, one in known.items()
        if name in tables or (imports is not None and any(is_mark(imports, each) for each in one.decorators))
    ]
    return [*named, *(one for one in tables if one not in known)]


def translated_function(
    source: SourceFile, name: str, mark: Mark | None = None, mechanisms: Mechanisms = ()
) -> Translation | Unmarked:
    """Return a function of a file as a program; ``mark`` is that of a table, for one without a decorator, as ``mechanisms`` are rows of one.

    It is followed in an excerpt of the file: what it does not reach changes nothing of it.
    """
    pieces = pieces_of(source.text)
    if isinstance(pieces, Diagnostic):
        return Unmarked(source, (pieces,))
    known = dict.fromkeys(one.name for piece in pieces for one in piece.functions)
    if name not in known:
        some = ", ".join(f"'{each}'" for each in list(known)[:8])
        message = f"there is no function '{name}' in this file" + (f", expected one of: {some}" if some else "")
        return Unmarked(source, (Diagnostic(rules.PYTHON_MARK, Span(0, 0), message),))
    part = excerpt(pieces, [name.partition(".")[0], *_priors(mark)])
    found = _translated(part.text, replacing(source.name), name, mark, mechanisms)
    findings = tuple(_in_file(one, part) for one in found.findings)
    if isinstance(found, Unmarked):
        return Unmarked(source, findings)
    places = tuple(part.in_file(one) for one in found.places)
    named = tuple(replace(one, span=part.in_file(one.span)) for one in found.occurrences)
    return replace(found, source=source, places=places, findings=findings, occurrences=named)


def _priors(mark: Mark | None) -> Iterator[str]:
    """Yield the functions that a mark names as laws."""
    for law in () if mark is None else mark.secret.values():
        if law.strip().startswith(FUNCTION_LAW):
            yield law.strip().removeprefix(FUNCTION_LAW).strip()


def _in_file(finding: Diagnostic, part: Excerpt) -> Diagnostic:
    labels = tuple(Label(part.in_file(one.span), one.message) for one in finding.labels)
    return replace(finding, span=part.in_file(finding.span), labels=labels)


@lru_cache(_KNOWN_FUNCTIONS)
def _module(text: str, replaced: frozenset[str]) -> Module | None:
    tree = parsed(text)
    return None if isinstance(tree, Diagnostic) else Module(tree, replaced)


@lru_cache(_KNOWN_FUNCTIONS)
def _translated(
    text: str, replaced: frozenset[str], name: str, mark: Mark | None, mechanisms: Mechanisms
) -> Translation | Unmarked:
    """Return a function of an excerpt as a program; places are those of the excerpt."""
    source, places = SourceFile("", text), Places(text)
    module = _module(text, replaced)
    assert module is not None  # its pieces have been read
    node = functions(module)[name]
    own, wrong = decorated(module, node, places)
    head = places.span(node)
    if own is not None and mark is not None:
        wrong.append(Diagnostic(rules.PYTHON_MARK, own.place, f"'{name}' has a mark here and one in the project file"))
    chosen = own or (None if mark is None else replace(mark, place=head))
    if chosen is None:
        message = f"'{name}' has no mark: what is secret, and what is seen, is not known"
        return Unmarked(source, (*wrong, Diagnostic(rules.PYTHON_MARK, head, message)))
    if wrong:
        return Unmarked(source, tuple(wrong))
    return translate(source, module, name, node, chosen, mechanisms)
