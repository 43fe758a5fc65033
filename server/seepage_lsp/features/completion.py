"""Completion: what may stand at the cursor, with what it means, and with places to fill in where the editor has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from lsprotocol import types

from seepage.report.data import brief_column
from seepage.report.documentation import plain_documentation
from seepage.symbols.calls import as_word, call_at
from seepage.symbols.completion import Context, Place, context_at, words_of
from seepage.symbols.imports import Imported, shipped_procedures
from seepage.symbols.names import Role, Symbol, documentation_at
from seepage.syntax.shipped import SHIPPED
from seepage.syntax.vocabulary.table import WORDS, document, parameter_text
from seepage.word import Word, form_of
from seepage_lsp.client import Client
from seepage_lsp.commands import SHOW_SIGNATURE
from seepage_lsp.features.plain import plain
from seepage_lsp.features.word_text import headline_of, text_of
from seepage_lsp.workspace import Snapshot

_Kind = types.CompletionItemKind
_KINDS = {
    Role.PARAMETER: _Kind.TypeParameter,
    Role.CONSTANT: _Kind.Constant,
    Role.LOOP: _Kind.Constant,
    Role.ENUMERATION: _Kind.Enum,
    Role.MEMBER: _Kind.EnumMember,
    Role.MODULE: _Kind.Module,
}
_SORTS: Mapping[str, types.CompletionItemKind] = {
    "distribution": _Kind.Class,
    "measure": _Kind.Function,
    "function": _Kind.Function,
    "gain": _Kind.Value,
    "metric": _Kind.Value,
    "keyword": _Kind.Keyword,
    "procedure": _Kind.Function,
}
# Keywords that begin a declaration or a statement, with what follows them.
_STATEMENTS: Mapping[str, str] = {
    "param": "param ${1:p} in [${2:0}, ${3:1}] = ${4:1/2}",
    "const": "const ${1:n} = ${2:3}",
    "secret": "secret ${1:s}",
    "output": "output ${1:o}",
    "show": "show ${1:I(s; o)}",
    "require": "require ${1:I(s; o)} <= ${2:1} ${3|bits,nats|}",
    "if": "if ${1:b} {\n\t$0\n}",
    "for": "for ${1:i} in ${2:1}..${3:n} {\n\t$0\n}",
    "while": "while ${1:b} {\n\t$0\n}",
    "repeat": "repeat {\n\t$0\n} until ${1:b}",
    "observe": "observe ${1:b}",
    "def": "def ${1:f}(${2:x}) {\n\t$0\n\treturn ${3:x}\n}",
    "enum": "enum ${1:colour} { ${2:red}, ${3:green} }",
    "import": 'import "${1:seep:mechanisms}" as ${2:m}',
    "return": "return ${1:x}",
    "table": 'table ${1:people} from "${2:people.csv}"',
}
# A part is a weight and a law, which are filled in one by one.
_MIXTURE = "mixture(${1:1/2}: ${2:normal(0, 1)}, ${3:1/2}: ${4:normal(1, 1)})"
_CONDITIONAL = "if ${1:b} then ${2:x} else ${3:y}"


def completion(snapshot: Snapshot, position: types.Position, client: Client) -> list[types.CompletionItem]:
    """Return what may stand at a position; nothing inside a comment. The editor filters by what is typed.

    Names come before words of the language. What a word means is left to :func:`resolve` where the client asks for it then.
    """
    if snapshot.checked is None:
        return []
    offset = snapshot.lines.offset(position)
    context = context_at(snapshot.checked, offset)
    called = snapshot.lines.text[offset:].lstrip(" \t").startswith("(")
    within = call_at(snapshot.checked, offset)
    items = [_argument(written, None if within is None else within.word, client) for written in context.arguments]
    items += [_field(one, context) for one in context.fields]
    items += [_symbol(symbol) for symbol in context.symbols]
    for one in context.procedures:
        word = as_word(one, documentation_at(snapshot.checked, one.span.start))
        items.append(_word(word, client, _snippet(word, context, client, called=called)))
    for given in context.imported:
        items.append(_imported(given, context, client, called=called))
    items += [_word(word, client, _snippet(word, context, client, called=called)) for word in words_of(context)]
    if context.shipped:
        items += _shipped(context, client, called=called)
    return [_in_order(item, number) for number, item in enumerate(items)]


def _imported(given: Imported, context: Context, client: Client, *, called: bool) -> types.CompletionItem:
    """Return a definition of a module."""
    documentation = given.definition.documentation
    if given.procedure is not None:
        word = as_word(given.procedure, documentation)
        return _word(word, client, _snippet(word, context, client, called=called))
    kind = {"const": _Kind.Constant, "table": _Kind.Constant, "enum": _Kind.Enum}.get(
        given.definition.kind, _Kind.EnumMember
    )
    return types.CompletionItem(label=given.name, kind=kind, documentation=plain_documentation(documentation) or None)


def _shipped(context: Context, client: Client, *, called: bool) -> Iterator[types.CompletionItem]:
    """Yield the procedures of Seepage's own modules, each with the import that it needs."""
    (path,) = SHIPPED
    for name, (procedure, documentation) in shipped_procedures(path).items():
        word = as_word(procedure, documentation)
        item = _word(word, client, _snippet(word, context, client, called=called))
        start = types.Position(0, 0)
        added = types.TextEdit(range=types.Range(start, start), new_text=f'import {name} from "{path}"\n')
        item.detail, item.additional_text_edits = f"{word.form}, of {path}", [added]
        yield item


def resolve(item: types.CompletionItem, client: Client) -> types.CompletionItem:
    """Return an item with what it means, if it is a word of the language."""
    word = WORDS.get(item.data) if isinstance(item.data, str) else None
    if word is not None:
        item.documentation = text_of(document(word), rich=client.completion_markdown)
    return item


def _word(word: Word, client: Client, snippet: str | None) -> types.CompletionItem:
    item = types.CompletionItem(label=word.name, kind=_SORTS[word.sort], data=word.name)
    if word.form != word.name:
        item.detail = word.form
    if snippet is not None:
        item.insert_text, item.insert_text_format = snippet, types.InsertTextFormat.Snippet
        if word.parameters and SHOW_SIGNATURE in client.commands:
            item.command = types.Command(title="show the signature", command=SHOW_SIGNATURE)
    if word.sort == "procedure":  # of this text: nobody knows it by its name later
        item.data, item.documentation = None, headline_of(word, rich=client.completion_markdown)
        return item
    return item if "documentation" in client.completion_resolve else resolve(item, client)


def _snippet(word: Word, context: Context, client: Client, *, called: bool) -> str | None:
    """Return what is inserted for a word with places to fill in; None where it is the word alone."""
    if not client.snippets:
        return None
    if word.sort == "keyword":
        is_statement = Place.STATEMENT in context.places
        return _STATEMENTS.get(word.name) if is_statement else _CONDITIONAL if word.name == "if" else None
    if called or not word.parameters:
        return None
    if word.name == "mixture":
        return _MIXTURE
    needed = tuple(replace(one, repeated=one.repeated[:2]) for one in word.parameters if not one.optional)
    form, parts = form_of(word.name, needed)
    text, at = "", 0
    for number, part in enumerate(parts, start=1):
        text += f"{form[at : part.start]}${{{number}:{form[part.start : part.end]}}}"
        at = part.end
    return text + form[at:]


def _field(name: str, context: Context) -> types.CompletionItem:
    column = context.columns.get(name)
    return types.CompletionItem(
        label=name, kind=_Kind.Field, detail=None if column is None else plain(brief_column(column))
    )


def _argument(written: str, word: Word | None, client: Client) -> types.CompletionItem:
    """Return an argument that is written by name, or a gain."""
    meaning = None if word is None else parameter_text(word, written.removesuffix("="))
    if meaning is None and written in WORDS:
        return _word(WORDS[written], client, None)
    documentation = None if meaning is None else text_of(meaning, rich=client.completion_markdown)
    return types.CompletionItem(label=written, kind=_Kind.Property, documentation=documentation)


def _symbol(symbol: Symbol) -> types.CompletionItem:
    detail = symbol.role.value
    if symbol.kind is not None:
        detail = symbol.kind.value if symbol.role is Role.VARIABLE else f"{detail}, {symbol.kind.value}"
    return types.CompletionItem(
        label=symbol.name,
        kind=_KINDS.get(symbol.role, _Kind.Variable),
        detail=detail,
        documentation=plain_documentation(symbol.documentation) or None,
    )


def _in_order(item: types.CompletionItem, number: int) -> types.CompletionItem:
    item.sort_text = f"{number:04}"
    return item
