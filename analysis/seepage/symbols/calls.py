"""The call around a cursor: what is called, how it is written, and which of its parts is being typed."""

from __future__ import annotations

from seepage.data_classes import dataclass
from seepage.semantics.checked import Checked
from seepage.symbols.cursor import before
from seepage.symbols.names import documentation_at, names_of
from seepage.symbols.procedures import WrittenProcedure
from seepage.syntax.tokens import Token
from seepage.syntax.vocabulary.table import WORDS
from seepage.word import Domain, Parameter, Word, form_of


@dataclass(frozen=True, slots=True)
class CallContext:
    """A call that is being typed: of which word, and the number of the part of its form at the cursor, None if there is no such part."""

    word: Word
    active: int | None


_SEPARATORS = frozenset({",", ";", "->", "||", "|"})


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
        called = _called(found.tokens[:index])
        word = _procedure(checked, called) or (WORDS.get(called) if called == name.value else None)
        if word is not None and word.parts:
            return CallContext(word, _active(word, found.tokens[index + 1 :]))
    return None


def _procedure(checked: Checked, name: str) -> Word | None:
    """Return a procedure of the text as a word."""
    names = names_of(checked)
    procedure = None if names is None else names.called_as(name)
    if names is None or procedure is None:
        return None
    if name in names.procedures:
        return as_word(procedure, documentation_at(checked, procedure.span.start))
    module, point, member = name.partition(".")
    imported = names.imports.behind(module)[member] if point else names.imports.listed[name]
    return as_word(procedure, imported.definition.documentation)


def _called(tokens: tuple[Token, ...]) -> str:
    """Return the name at the end of some tokens, with that of the module before its point."""
    match tokens:
        case (*_, module, point, name) if point.value == "." and module.type == "NAME":
            return f"{module.value}.{name.value}"
        case (*_, name):
            return name.value
        case _:
            return ""


def as_word(procedure: WrittenProcedure, documentation: str = "") -> Word:
    """Return a procedure as what is known of a word."""
    parameters = tuple(Parameter(name=one, meaning="", domain=Domain.EXPRESSION) for one in procedure.arguments)
    form, parts = form_of(procedure.name, parameters)
    results = ", ".join(procedure.results)
    kind = "a law" if procedure.draws or procedure.observes else "a function"
    return Word(
        name=procedure.name,
        sort="procedure",
        summary=f"{kind} that returns `{results}`" if results else kind,
        form=form,
        parameters=parameters,
        parts=parts,
        example="",
        comment=documentation,
    )


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


def _active(word: Word, inside: tuple[Token, ...]) -> int | None:
    """Return which part the last of these tokens belongs to, or the one that comes after it."""
    separators, named = _top_level(inside)
    parts = [word.form[part.start : part.end] for part in word.parts]
    if named is not None:
        names = [part.partition("=")[0] for part in parts]
        meant = (one.name for one in word.parameters if named in (one.name, *(alias for alias, _ in one.aliases)))
        slot = next(meant, None)
        return names.index(slot) if slot in names else None
    if word.sort != "measure":
        at = separators.count(",")
        return min(at, len(parts) - 1) if parts[-1] == "…" or at < len(parts) else None
    at = 0
    for separator in separators:
        following = (index for index in range(at + 1, len(parts)) if word.parameters[index].lead == separator)
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
