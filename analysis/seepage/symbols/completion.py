"""What may stand at a place: the grammar read as far as the cursor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum

from seepage.data_classes import dataclass
from seepage.semantics.checked import Checked
from seepage.semantics.signatures import SIGNATURES
from seepage.source import Span
from seepage.symbols.calls import open_call
from seepage.symbols.cursor import Before, before
from seepage.symbols.data import columns_of, tables_of
from seepage.symbols.imports import Imported
from seepage.symbols.names import Role, Symbol, names_of, reading_at, tree_of, visible_at
from seepage.symbols.procedures import WrittenProcedure
from seepage.symbols.written import Written
from seepage.syntax.contextual import is_head
from seepage.syntax.data.table import Column
from seepage.syntax.lowering.lower import Lowered
from seepage.syntax.lowering.modules import Import
from seepage.syntax.pieces import PieceKind
from seepage.syntax.shipped import SHIPPED
from seepage.syntax.tokens import OPERAND_ENDS, Token
from seepage.syntax.tree import For, If, Placed
from seepage.syntax.vocabulary.aggregates import AGGREGATES
from seepage.syntax.vocabulary.array_laws import ARRAY_LAW_WORDS
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.functions import FUNCTIONS
from seepage.syntax.vocabulary.measures import GAINS, MEASURES, METRICS
from seepage.syntax.vocabulary.table import WORDS
from seepage.word import Domain, Word


class Place(Enum):
    """What kind of thing is due."""

    STATEMENT = "statement"
    EXPRESSION = "expression"
    STATIC = "static expression"  # of constants, parameters and loop variables
    DISTRIBUTION = "distribution"
    MEASURE = "measure"
    VARIABLES = "list of variables"
    PARAMETERS = "parameter"
    UNIT = "unit"
    OPERATOR = "operator"  # what joins or ends what is complete
    NEW_NAME = "new name"
    FIELD = "field"


@dataclass(frozen=True, slots=True)
class Context:
    """What may stand at a place.

    Attributes:
        places: kinds of things that are due.
        keywords: words of the language that may stand there, in the order in which they are likely.
        arguments: what may be written there as an argument: ``mean=`` of a distribution, the gains of ``G``.
        symbols: the names that may stand there.
        fields: the fields of a record, or the members of an enumeration, behind whose point the cursor stands.
        procedures: the procedures that may be called there.
        columns: those of the fields that are columns of a table.
        imported: definitions of modules that may stand there.
        shipped: whether procedures of Seepage's own modules may stand there that the text does not have.
        word: what is typed of it so far.
    """

    places: frozenset[Place]
    keywords: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    word: str = ""
    fields: tuple[str, ...] = ()
    procedures: tuple[WrittenProcedure, ...] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    imported: tuple[Imported, ...] = ()
    shipped: bool = False


_NOTHING = frozenset[Place]()
STATEMENTS = ("if", "for", "while", "repeat", "observe", "skip")
DECLARATIONS = ("param", "const", "secret", "output", "show", "require", "def", "enum", "table", "import")
_OPERANDS = ("if", "not", "true", "false")
_JOINTS = ("and", "or", "xor", "in")
_KNOWN = (Role.PARAMETER, Role.CONSTANT, Role.LOOP, Role.MEMBER, Role.ENUMERATION)


def context_at(checked: Checked, offset: int) -> Context:
    """Return what may stand at an offset; nothing inside a comment or a number."""
    found = before(checked, offset)
    if found is None or found.word[:1].isdigit():
        return Context(_NOTHING)
    names = names_of(checked)
    if found.tokens and found.tokens[-1].value == ".":
        if behind := _behind(names, found.tokens):
            return Context(frozenset({Place.FIELD}), word=found.word, imported=behind)
        record = _owner(found.tokens)
        columns = {} if record is None else columns_of(checked, record)
        fields = () if names is None or record is None else _fields(names, record)
        fields = tuple(dict.fromkeys((*fields, *columns)))
        return Context(frozenset({Place.FIELD}), word=found.word, fields=fields, columns=columns)
    places, keywords, arguments = _expected(found)
    tables = tables_of(checked) if Place.DISTRIBUTION in places else {}
    symbols = tuple(one for one in visible_at(checked, offset) if one.name in tables or _fits(one, places))
    around = _around(checked, offset)
    if around:
        keywords = tuple(word for word in keywords if word not in DECLARATIONS)
    if Place.STATEMENT in places:
        following = _following(checked, offset) if found.kind is PieceKind.CLOSE else ()
        keywords = (*following, *_jumps(around), *keywords)
    procedures = () if names is None else tuple(one for one in names.procedures.values() if _is_due(one, places))
    listed = () if names is None else tuple(names.imports.listed.values())
    imported = tuple(
        one for one in listed if (_is_due(one.procedure, places) if one.procedure else Place.EXPRESSION in places)
    )
    shipped = Place.DISTRIBUTION in places and not any(one.module.path in SHIPPED for one in _imports(checked))
    return Context(
        places,
        keywords,
        arguments,
        symbols,
        found.word,
        procedures=procedures,
        imported=imported,
        shipped=shipped,
    )


def words_of(context: Context) -> Iterator[Word]:
    """Yield the words of the language that may stand there, laws and measures first."""
    if Place.DISTRIBUTION in context.places:
        yield from DISTRIBUTIONS.values()
        yield from ARRAY_LAW_WORDS.values()
    if Place.MEASURE in context.places:
        yield from MEASURES.values()
    if context.places & {Place.EXPRESSION, Place.STATIC, Place.MEASURE}:
        yield from FUNCTIONS.values()
    if context.places & {Place.EXPRESSION, Place.STATIC}:
        yield from AGGREGATES.values()
    yield from (WORDS[word] for word in context.keywords)


def names_that_fit(context: Context) -> tuple[str, ...]:
    """Return all that may stand there and begins with what is typed, in the order in which it is likely."""
    names = (
        *context.arguments,
        *context.fields,
        *(one.name for one in context.symbols),
        *(one.name for one in context.procedures),
        *(one.name for one in context.imported),
        *(one.name for one in words_of(context)),
    )
    return tuple(dict.fromkeys(name for name in names if name.startswith(context.word)))


def _imports(checked: Checked) -> Sequence[Import]:
    return checked.context.linked.imports if isinstance(checked.context, Lowered) else ()


def _behind(names: Written | None, tokens: Sequence[Token]) -> tuple[Imported, ...]:
    """Return what may follow the point at the end of some tokens, if the name of a module stands before it."""
    if names is None or len(tokens) < 2 or (len(tokens) > 2 and tokens[-3].value == "."):
        return ()
    return tuple(names.imports.behind(tokens[-2].value).values())


def _around(checked: Checked, offset: int) -> list[str]:
    """Return the words that head the blocks around an offset, from the outside to the inside."""
    found: list[str] = []
    items, text = tree_of(checked).items, checked.source.text
    while (item := next((one for one in items if _is_inside(one.span, offset, text)), None)) is not None:
        match item:
            case For(block=block):
                found.append("for")
                items = block.items
            case If(arms, otherwise):
                reading = reading_at(checked, arms[0].start)
                found.append(reading.keyword if reading is not None else "if")
                blocks = (*(arm.block for arm in arms), *(() if otherwise is None else (otherwise,)))
                items = next((one.items for one in blocks if _is_inside(one.span, offset, text)), ())
            case Placed():
                break
    return found


def _is_inside(span: Span, offset: int, text: str) -> bool:
    """Tell whether something holds an offset; a block that nothing closes yet does at its end, too."""
    return span.start < offset < span.end or (offset == span.end and not text.endswith("}", 0, offset))


_FOLLOWING = {"if": ("else",), "else if": ("else",), "repeat": ("until",), "while": ("never",)}


def _following(checked: Checked, offset: int) -> tuple[str, ...]:
    """Return the words that may go on with the statement whose block was closed last before an offset."""
    closed = [one for one in tree_of(checked).walk() if isinstance(one, If) and one.span.end <= offset]
    if not closed:
        return ()
    last = max(closed, key=lambda one: one.span.end)
    reading = reading_at(checked, last.arms[0].start)
    return () if last.otherwise is not None else _FOLLOWING.get("if" if reading is None else reading.keyword, ())


def _jumps(around: Sequence[str]) -> tuple[str, ...]:
    """Return the words of statements that may stand in the blocks around one: those that leave a block, and ``attacker`` where all runs come by."""
    inside = around[around.index("def") + 1 :] if "def" in around else around
    loops = ("break", "continue") if any(one in _LOOPS for one in inside) else ()
    chosen = ("attacker",) if all(one == "for" for one in around) else ()
    return (*loops, *(("return",) if "def" in around else ()), *chosen)


_LOOPS = ("for", "while", "repeat")


def _owner(tokens: Sequence[Token]) -> str | None:
    """Return the name whose field is due behind the point at the end of some tokens."""
    at, depth = len(tokens) - 2, 0
    while at >= 0 and (depth or tokens[at].type != "NAME" or (at and tokens[at - 1].value == ".")):
        depth += {"RSQB": 1, "LSQB": -1}.get(tokens[at].type, 0)
        at -= 1
    return tokens[at].value if at >= 0 else None


def _fields(names: Written, name: str) -> tuple[str, ...]:
    return names.enumerations.get(name) or names.fields.get(name, ())


def _is_due(procedure: WrittenProcedure, places: frozenset[Place]) -> bool:
    """Tell whether a procedure may be called: one that draws or observes is a law."""
    if procedure.draws or procedure.observes:
        return Place.DISTRIBUTION in places
    return bool(places & {Place.EXPRESSION, Place.MEASURE})


def _fits(symbol: Symbol, places: frozenset[Place]) -> bool:
    if symbol.role is Role.MODULE:
        return bool(places & {Place.EXPRESSION, Place.DISTRIBUTION, Place.MEASURE})
    if symbol.role in (Role.PROCEDURE, Role.FIELD) or symbol.imported is not None:
        return False
    known = symbol.role in _KNOWN
    if Place.EXPRESSION in places:
        return True
    if Place.PARAMETERS in places and symbol.role is Role.PARAMETER:
        return True
    if (Place.STATIC in places or Place.MEASURE in places) and known:
        return True
    return (Place.VARIABLES in places or Place.STATEMENT in places) and not known


_Expected = tuple[frozenset[Place], tuple[str, ...], tuple[str, ...]]


def _expected(found: Before) -> _Expected:
    tokens = found.tokens
    if found.kind in (None, PieceKind.CLOSE, PieceKind.SEPARATOR, PieceKind.STRAY) or _opens(found):
        return _only(Place.STATEMENT, *STATEMENTS, *DECLARATIONS)
    last = tokens[-1].type
    call = open_call(tokens)
    if is_head(tokens):
        return _in_contextual(tokens, call)
    if call is not None and (clause := _in_clause(tokens, call)) is not None:
        return clause
    if call is None and (last in OPERAND_ENDS or (len(tokens) == 1 and tokens[0].type == "NAME")):
        places, keywords, arguments = _after_operand(found)
        if found.starts_line and not _needs_more(found):
            return places | {Place.STATEMENT}, (*STATEMENTS, *DECLARATIONS, *keywords), arguments
        return places, keywords, arguments
    if call is not None and last in OPERAND_ENDS:
        return _only(Place.OPERATOR, *_JOINTS)
    return _in_statement(found, call)


def _in_contextual(tokens: Sequence[Token], call: str | None) -> _Expected:
    """Say what is due behind a word that is a keyword where it begins a statement."""
    if tokens[0].value not in ("return", "until"):
        return _only(Place.NEW_NAME if tokens[0].value in ("def", "enum") else Place.OPERATOR)
    if call is not None and (clause := _in_clause(tokens, call)) is not None:
        return clause
    if len(tokens) > 1 and tokens[-1].type in OPERAND_ENDS:
        return _only(Place.OPERATOR, *_JOINTS, *(("never",) if tokens[0].value == "until" else ()))
    return _only(Place.EXPRESSION, *_OPERANDS)


def _in_clause(tokens: Sequence[Token], call: str) -> _Expected | None:
    """Say what is due in a comprehension; None where the cursor stands in none, and may begin none."""
    opened = _opened(tokens)
    inside = tokens[opened + 1 :]
    starts = [at for at, one in enumerate(inside) if one.type == "FOR"]
    last = inside[-1].type if inside else ""
    if not starts:
        begins = (tokens[opened].type == "LSQB" and _is_literal(tokens, opened)) or call in AGGREGATES
        return _only(Place.OPERATOR, *_JOINTS, "for") if begins and last in OPERAND_ENDS else None
    match len(inside) - starts[-1]:
        case 1:
            return _only(Place.NEW_NAME)
        case 2:
            return _only(Place.OPERATOR, "in")
        case _ if last in OPERAND_ENDS:
            return _only(Place.OPERATOR, *_JOINTS, "if", "for")
        case _:
            return _only(Place.EXPRESSION, *_OPERANDS)


def _opened(tokens: Sequence[Token]) -> int:
    """Return the number of the innermost bracket that is open, one of which there is."""
    depth = 0
    for at in range(len(tokens) - 1, -1, -1):
        if tokens[at].type in ("RPAR", "RSQB", "RBRACE"):
            depth += 1
        elif tokens[at].type in ("LPAR", "LSQB", "LBRACE"):
            if not depth:
                return at
            depth -= 1
    raise AssertionError("some bracket is open")


def _is_literal(tokens: Sequence[Token], opened: int) -> bool:
    """Tell whether a '[' begins an array, and is no subscript."""
    return opened == 0 or tokens[opened - 1].type not in OPERAND_ENDS


def _only(place: Place, *keywords: str) -> _Expected:
    return frozenset({place}), keywords, ()


def _opens(found: Before) -> bool:
    return found.kind in (PieceKind.HEADER, PieceKind.ELSE) and found.tokens[-1].type == "LBRACE"


def _needs_more(found: Before) -> bool:
    """Tell whether a statement that ends in an operand is not one yet."""
    return found.tokens[0].type == "NAME" and not any(one.type in ("ASSIGN", "TILDE") for one in found.tokens)


def _after_operand(found: Before) -> _Expected:
    """Say what may follow on something complete."""
    types = [token.type for token in found.tokens]
    match types[0]:
        case "PARAM":
            return _only(Place.OPERATOR, *(() if "IN" in types or "EQUAL" in types else ("in",)))
        case "FOR":
            return _only(Place.OPERATOR, *(() if "IN" in types else ("in",)))
        case "SECRET" | "OUTPUT" | "CONST" | "SKIP":
            return _only(Place.OPERATOR)
        case "SHOW":
            return _only(Place.OPERATOR, *(() if "IN" in types else ("in",)))
        case "REQUIRE":
            if "OVER" in types:
                return _only(Place.OPERATOR, *(() if types[-1] != "NAME" else ("in",)))
            compared = any(one in types for one in ("LE", "LT", "GE", "GT", "EQ"))
            units = () if types[-1] in ("BITS", "NATS") else ("bits", "nats")
            return _only(Place.OPERATOR, *((*units, "over") if compared else ()))
        case "NAME" if "TILDE" in types and all(one.value != "given" for one in found.tokens):
            return _only(Place.OPERATOR, "given")
        case "NAME" if "ASSIGN" not in types and "TILDE" not in types:
            return _only(Place.OPERATOR)
        case _:
            opened = types.count("THEN") - types.count("ELSE")
            ifs = types.count("IF") - types.count("THEN")
            then = ("then",) if ifs > 0 and found.kind is PieceKind.LEAF else ("else",) if opened > 0 else ()
            return _only(Place.OPERATOR, *then, *_JOINTS)


def _in_statement(found: Before, call: str | None) -> _Expected:
    """Say what is due where something has to follow."""
    types = [token.type for token in found.tokens]
    last = types[-1]
    match types[0]:
        case "PARAM":
            return _only(Place.NEW_NAME if last == "PARAM" else Place.STATIC, *(("inf",) if call is not None else ()))
        case "CONST":
            return _only(Place.NEW_NAME if last == "CONST" else Place.STATIC)
        case "FOR":
            return _only(Place.NEW_NAME if last == "FOR" else Place.STATIC)
        case "SECRET":
            modes = ("initial", "final") if last == "SECRET" else ()
            return _only(Place.VARIABLES if call is None else Place.EXPRESSION, *modes)
        case "OUTPUT":
            return _only(Place.VARIABLES if call is None else Place.EXPRESSION)
        case "SHOW" | "REQUIRE":
            return _in_question(found, call)
        case "ELSE" if len(types) == 1:
            return _only(Place.OPERATOR, "if")
        case _ if "TILDE" in types and all(one.value != "given" for one in found.tokens):
            return _in_distribution(found, call)
        case _:
            return _only(Place.EXPRESSION, *_OPERANDS)


def _in_question(found: Before, call: str | None) -> _Expected:
    types = [token.type for token in found.tokens]
    last = types[-1]
    if call is None or (call == "" and not _in_measure(found)):
        if last == "IN" and types[0] == "SHOW":
            return _only(Place.UNIT, "bits", "nats")
        if last == "OVER" or (last == "COMMA" and call is None and "OVER" in types):
            return _only(Place.PARAMETERS)
        if "OVER" in types:
            return _only(Place.STATIC, "inf")
        if any(one in types for one in ("LE", "LT", "GE", "GT", "EQ")):
            return _only(Place.STATIC)
        return _only(Place.MEASURE)
    if call in MEASURES and types[-2] == "NAME" and last in ("NAMED", "EQUAL") and found.tokens[-2].value == "metric":
        return _only(Place.STATIC, *METRICS)
    takes = MEASURES[call].parameters if call in MEASURES and last == "COMMA" else ()
    names = [f"{one.name}=" for one in takes if one.by_name]
    gains = GAINS if any(one.domain is Domain.GAIN for one in takes) else ()
    return frozenset({Place.EXPRESSION}), (), (*names, *gains)


def _in_measure(found: Before) -> bool:
    """Tell whether the bracket at the cursor stands inside of a measure."""
    opened: list[bool] = []
    for index, token in enumerate(found.tokens):
        if token.type in ("LPAR", "LSQB", "LBRACE"):
            opened.append(index > 0 and found.tokens[index - 1].value in MEASURES)
        elif token.type in ("RPAR", "RSQB", "RBRACE") and opened:
            opened.pop()
    return any(opened)


def _in_distribution(found: Before, call: str | None) -> _Expected:
    last = found.tokens[-1].type
    distribution = frozenset({Place.DISTRIBUTION})
    if call is None:
        # A weight may stand before a distribution.
        weighs = last in ("PLUS", "STAR")
        return distribution | {Place.EXPRESSION} if weighs else distribution, (), ()
    if call == "mixture" and last == "COLON":
        return distribution, (), ()
    signature = SIGNATURES.get(call)
    named = (*signature.parameters, *signature.named_only, *signature.instead) if signature else ()
    taken = {one.value for one in found.tokens}
    arguments = tuple(f"{one}=" for one in named if one not in taken) if last in ("LPAR", "COMMA") else ()
    return frozenset({Place.EXPRESSION}), _OPERANDS, arguments
