"""The call around a cursor: what is called, how it is written, and which of its parts is being typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from seepage.semantics.checked import Checked
from seepage.semantics.signatures import SIGNATURES, Signature
from seepage.source import Span
from seepage.symbols.cursor import before
from seepage.syntax.tokens import Token

Sort = Literal["distribution", "function", "measure"]


@dataclass(frozen=True, slots=True)
class CallForm:
    """How a call is written: ``label`` is the whole, ``parts`` the ranges of its arguments in it."""

    name: str
    sort: Sort
    label: str
    parts: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CallContext:
    """A call that is being typed; ``active`` is the number of the part at the cursor, None if there is no such part."""

    form: CallForm
    active: int | None


# Each part of a measure with the separator before it.
_MEASURES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "H": ("x", "| y"),
        "Hmin": ("x", "| y"),
        "V": ("x", "| y"),
        "Guess": ("x", "| y"),
        "P": ("b", "| c"),
        "E": ("e", "| c"),
        "Var": ("e", "| c"),
        "I": ("x", "; y", "| z"),
        "KL": ("x", "| a", "|| y", "| b"),
        "Lmin": ("x", "-> y"),
        "C": ("x", "-> y"),
        "Cmin": ("x", "-> y"),
        "DP": ("x", "-> y", ", distance=k", ", delta=d", "| z"),
        "Delta": ("x", "-> y", ", eps=e", ", distance=k"),
        "G": ("x", "-> y", ", gain"),
    }
)
_FUNCTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("min", "max"), ("a", ", b", ", …")),
        **dict.fromkeys(("abs", "floor", "ceil", "exp", "log", "sqrt"), ("a",)),
        **dict.fromkeys(("bit_xor", "bit_and", "bit_or"), ("a", ", b")),
        **dict.fromkeys(("shift_left", "shift_right"), ("a", ", n")),
    }
)
_SEPARATORS = frozenset({",", ";", "->", "||", "|"})


def call_form(name: str) -> CallForm | None:
    """Return how a distribution, function or measure is written; None for any other name."""
    if name in SIGNATURES:
        return _form(name, "distribution", _arguments(SIGNATURES[name]))
    if name == "mixture":
        return _form(name, "distribution", ("w1: D1", ", w2: D2", ", …"))
    if name in _FUNCTIONS:
        return _form(name, "function", _FUNCTIONS[name])
    return _form(name, "measure", _MEASURES[name]) if name in _MEASURES else None


def call_at(checked: Checked, offset: int) -> CallContext | None:
    """Return the innermost call whose parentheses are open at an offset."""
    found = before(checked, offset)
    if found is None:
        return None
    opened: list[int] = []
    for index, token in enumerate(found.tokens):
        if token.type in ("LPAR", "LSQB", "LBRACE"):
            opened.append(index)
        elif token.type in ("RPAR", "RSQB", "RBRACE") and opened:
            opened.pop()
    for index in reversed(opened):
        name = found.tokens[index - 1] if index else None
        if found.tokens[index].type != "LPAR" or name is None or name.type != "NAME":
            continue
        form = call_form(name.value)
        if form is not None:
            return CallContext(form, _active(form, found.tokens[index + 1 :]))
    return None


def open_call(tokens: tuple[Token, ...]) -> str | None:
    """Return the name of the innermost bracket that is open: that of a call, or nothing for other brackets; None outside of all."""
    opened: list[str] = []
    for index, token in enumerate(tokens):
        if token.type in ("LPAR", "LSQB", "LBRACE"):
            before_it = tokens[index - 1] if index else None
            is_call = token.type == "LPAR" and before_it is not None and before_it.type == "NAME"
            opened.append(before_it.value if is_call and before_it is not None else "")
        elif token.type in ("RPAR", "RSQB", "RBRACE") and opened:
            opened.pop()
    return opened[-1] if opened else None


def _arguments(signature: Signature) -> tuple[str, ...]:
    parts = list(signature.parameters)
    if signature.variadic is not None:
        parts += [f"{signature.variadic}1", f"{signature.variadic}2", "…"]
    parts += [f"{name}={default}" for name, default in signature.named_only.items()]
    return tuple(part if index == 0 else f", {part}" for index, part in enumerate(parts))


def _form(name: str, sort: Sort, written: tuple[str, ...]) -> CallForm:
    label, parts = f"{name}(", list[Span]()
    for part in written:
        bare = _bare(part)
        label += part if not part.startswith(("|", "-")) else f" {part}"
        parts.append(Span(len(label) - len(bare), len(label)))
    return CallForm(name, sort, f"{label})", tuple(parts))


def _bare(part: str) -> str:
    """Return a part without the separator before it."""
    return part.lstrip(",;|-> ")


def _active(form: CallForm, inside: tuple[Token, ...]) -> int | None:
    """Return which part the last of these tokens belongs to, or the one that comes after it."""
    separators, named = _top_level(inside)
    parts = [form.label[part.start : part.end] for part in form.parts]
    if named is not None:
        names = [part.partition("=")[0] for part in parts]
        other = SIGNATURES[form.name].instead.get(named, named) if form.name in SIGNATURES else named
        return names.index(other) if other in names else None
    if form.sort != "measure":
        at = separators.count(",")
        return min(at, len(parts) - 1) if parts and (parts[-1] == "…" or at < len(parts)) else None
    at = 0
    for separator in separators:
        following = (
            index for index in range(at + 1, len(parts)) if _MEASURES[form.name][index].startswith(f"{separator} ")
        )
        # A list of variables is one part: its commas separate nothing.
        at = next(following, at) if separator != "," or at else at
    return at


def _top_level(inside: tuple[Token, ...]) -> tuple[list[str], str | None]:
    """Return the separators outside of inner brackets, and the name of the last argument if it is named."""
    separators: list[str] = []
    named: str | None = None
    depth = 0
    for index, token in enumerate(inside):
        if token.type in ("LPAR", "LSQB", "LBRACE"):
            depth += 1
        elif token.type in ("RPAR", "RSQB", "RBRACE"):
            depth -= 1
        elif depth == 0 and token.value in _SEPARATORS:
            separators.append(token.value)
            named = None
        elif depth == 0 and token.type == "EQUAL" and index and inside[index - 1].type == "NAME":
            named = inside[index - 1].value
    return separators, named
