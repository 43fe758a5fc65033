"""Lines of other languages that are pieces of several statements here: a table of what is written, what is meant, and what is said.

A row's pattern is matched against all tokens of a line. Its words are separated by blanks: ``NAME``, ``NUMBER`` and ``STRING`` stand for one
token of that kind (a text in single quotes is one, too), ``…`` for some tokens in which brackets match, ``…?`` for some or none, ``VALUE`` for some that assign nothing, ``TYPED`` for names of which some have types,
``ASSIGN`` for ``=``, ``:=`` or ``<-``; ``a|b`` for one of two words, ``a?`` for a word that may be left out; anything else for itself. What
the words with capitals and points stand for, but for ``ASSIGN``, has a number in the form of what is meant, from 0 on; of ``TYPED`` it is the names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import NO_STATEMENT
from seepage.source import Span
from seepage.syntax.slips.place import between_commas, spelled
from seepage.syntax.tokens import CLOSERS, Token, scan

_ASKING = ("show", "require")
_MOST = 48  # tokens of a line that is looked at: the ways in which a row may fit grow faster than they do


@dataclass(frozen=True)
class _Row:
    """A line elsewhere, what to say of it, and what to write, of which the first is the likeliest; nothing where no line means it."""

    pattern: str
    told: str
    meant: tuple[str, ...] = ()

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(self.pattern.split())


_ANNOTATED = "a variable needs no type"
_DECLARED = "a variable needs no declaration"
_GLOBAL = "variables are global and need no declaration"
_FUNCTION = "a procedure is written 'def f(x) { return e }'"
_BITS = "bits are shared by 'bit_and(a, b)', 'bit_or(a, b)' and moved by 'shift_left(a, n)', 'shift_right(a, n)'"
_LOOP = "a loop runs over 'a..b', both ends included; its index finds the element"
_SLICE = "some elements of an array are 'x[i..j]', both ends included, and the first index is 0"
_UNIT = "units are 'bits' and 'nats'"
_GIVEN = "nothing is asked during a run: 'param x' declares what a program is given"
_DOMAIN = "a number that is given is declared with 'param', its domain behind 'in'"
_ARRAY = "an array needs no declaration and no size: its elements are assigned"
_PRINTED = "nothing is printed: 'show' tells a measure, 'output' declares what the attacker sees"
_SEED = "there is no seed: all runs are computed, none is drawn"
_INFERRED = "nothing is inferred by a call: 'show P(x == 1)' asks for a chance, 'show H(x)' for an entropy"
_SCORED = "a likelihood is a draw that is observed"
_REPEATED = "such a loop is written 'repeat { … } until b'"
_IMPLIED = "an implication is written 'not a or b', a comparison '>='"
_TUPLE = "several values are an array, '[a, b]', whose indices begin at 0"
_PRISM = "a program of PRISM is read by 'seepage import'; here statements follow each other, without modules and states"
_STAN = "there are no blocks of data and parameters: 'param' declares what is given, '~' draws"
_DECORATED = "a procedure takes names without types"
_MODEL = "a program is one model: its statements stand by themselves"
_TRACED = "a draw is written 'x ~ D', and has no other name; what was seen is observed"
_NAMED = "what is computed from draws is assigned, and has no other name"
_PLATE = "a loop runs over 'a..b', both ends included; what is drawn in it is independent"
_HIDDEN = "what the attacker must not learn is declared with 'secret'"
_SEEN = "what the attacker sees is declared with 'output'"
_COMPUTED = "'output' declares a variable: what is computed is assigned to one first"
_TABLE = "values with their chances stand in braces: 'x ~ {value: chance, …}'"
_CONDITIONED = "what is given stands behind '|'"
_LET = "'x := e' assigns, and what follows is a statement of its own"

_ROWS: tuple[_Row, ...] = (
    # mathematics
    _Row("param NAME in … .. … = …", _DOMAIN, ("param {0} in [{1}, {2}] = {3}",)),
    _Row("param NAME in … .. …", _DOMAIN, ("param {0} in [{1}, {2}]",)),
    _Row("param NAME : [ … ] = …", _DOMAIN, ("param {0} in [{1}] = {2}",)),
    _Row("param NAME > …", _DOMAIN, ("param {0} in ({1}, inf)",)),
    _Row("param NAME >= …", _DOMAIN, ("param {0} in [{1}, inf)",)),
    _Row("require … bit", _UNIT, ("require {0} bits",)),
    _Row("require … nat", _UNIT, ("require {0} nats",)),
    _Row(
        "show KL ( NAME | VALUE == VALUE )",
        "'KL' compares two laws, 'KL(x | b || x)': after something is seen, and before",
        ("show KL({0} | {1} == {2} || {0})",),
    ),
    _Row(
        "NAME ~ if … then … else …",
        "a choice between distributions is an 'if' statement",
        ("if {1} {{ {0} ~ {2} }} else {{ {0} ~ {3} }}",),
    ),
    _Row("show P ( … given … )", _CONDITIONED, ("show P({0} | {1})",)),
    _Row("show E ( … given … )", _CONDITIONED, ("show E({0} | {1})",)),
    _Row("show H ( … given … )", _CONDITIONED, ("show H({0} | {1})",)),
    _Row("show V ( … given … )", _CONDITIONED, ("show V({0} | {1})",)),
    _Row("high|private|confidential|sensitive|hidden NAME", _HIDDEN, ("secret {0}",)),
    _Row("low|public|observable|visible|leak|reveal|publish NAME", _SEEN, ("output {0}",)),
    _Row("output NAME + …", _COMPUTED, ("output seen; seen := {0} + {1}",)),
    _Row("output NAME - …", _COMPUTED, ("output seen; seen := {0} - {1}",)),
    _Row("output NAME * …", _COMPUTED, ("output seen; seen := {0} * {1}",)),
    _Row("output NAME % …", _COMPUTED, ("output seen; seen := {0} % {1}",)),
    _Row("output NAME ( …? )", _COMPUTED, ("output seen; seen := {0}({1})",)),
    _Row("NAME ~ categorical|discrete|choice ( { … } )", _TABLE, ("{0} ~ {{{1}}}",)),
    _Row(
        "NAME ~ choice|choices|pick|sample ( [ … ] )",
        "one of several values is drawn by 'uniform_of(…)'",
        ("{0} ~ uniform_of({1})",),
    ),
    _Row("for NAME in … .. = … {", "both ends of 'a..b' are included", ("for {0} in {1}..{2} {{",)),
    _Row("for NAME in … .. = … { … }", "both ends of 'a..b' are included", ("for {0} in {1}..{2} {{ {3} }}",)),
    # Python
    _Row("def NAME ( TYPED ) :", _DECORATED, ("def {0}({1}):",)),
    _Row("def NAME ( TYPED ) -> … :", _DECORATED, ("def {0}({1}):",)),
    _Row("def NAME ( …? ) -> … :", _DECORATED, ("def {0}({1}):",)),
    _Row("NAME : NAME ASSIGN …", _ANNOTATED, ("{0} = {2}",)),
    _Row("global|nonlocal NAME", _GLOBAL, ("",)),
    _Row("assert … , STRING", "a condition is written 'observe b', without a text", ("observe {0}",)),
    _Row("try|finally :", "there are no exceptions: what goes wrong is asked before, by 'if'"),
    _Row("except …? :", "there are no exceptions: what goes wrong is asked before, by 'if'"),
    _Row("for NAME , NAME in enumerate ( NAME ) :", _LOOP, ("for {0} in 0..length({2}) - 1:{inner}{1} := {2}[{0}]",)),
    _Row(
        "for NAME , NAME in zip ( NAME , NAME ) :",
        _LOOP,
        ("for {0}_at in 0..length({2}) - 1:{inner}{0} := {2}[{0}_at]{inner}{1} := {3}[{0}_at]",),
    ),
    _Row("NAME ASSIGN lambda …? : …", _FUNCTION, ("def {0}({1}) {{ return {2} }}",)),
    _Row("NAME * * = …", "there is no '**='", ("{0} := {0} ^ ({1})",)),
    _Row("NAME & = …", _BITS, ("{0} := bit_and({0}, {1})",)),
    _Row("NAME | = …", _BITS, ("{0} := bit_or({0}, {1})",)),
    _Row("NAME < <= …", _BITS, ("{0} := shift_left({0}, {1})",)),
    _Row("NAME > >= …", _BITS, ("{0} := shift_right({0}, {1})",)),
    _Row("if … : break", "a block stands in braces", ("if {0} {{ break }}",)),
    _Row("if … : continue", "a block stands in braces", ("if {0} {{ continue }}",)),
    _Row("NAME ASSIGN NAME [ … : … ]", _SLICE, ("{0} := {1}[{2}..{3} - 1]",)),
    _Row("NAME ASSIGN input ( …? )", _GIVEN, ("param {0}",)),
    _Row("NAME ASSIGN int|float ( input ( …? ) )", _GIVEN, ("param {0}",)),
    _Row("NAME ASSIGN ( … , … )", _TUPLE, ("{0} := [{1}, {2}]",)),
    _Row("random . seed ( … )", _SEED, ("",)),
    _Row("np|numpy . random . seed ( … )", _SEED, ("",)),
    # R
    _Row("NAME < < - …", "'<<-' assigns nothing; write ':='", ("{0} := {1}",)),
    _Row("VALUE -> NAME", "what is assigned stands in front: 'x := e'", ("{1} := {0}",)),
    _Row("NAME ASSIGN function ( …? ) {", _FUNCTION, ("def {0}({1}) {{",)),
    _Row("NAME ASSIGN function ( …? ) { return … }", _FUNCTION, ("def {0}({1}) {{ return {2} }}",)),
    _Row("NAME ASSIGN function ( …? ) { … }", _FUNCTION, ("def {0}({1}) {{ return {2} }}",)),
    _Row("NAME ASSIGN function ( …? ) …", _FUNCTION, ("def {0}({1}) {{ return {2} }}",)),
    _Row("NAME ASSIGN sample ( … : … , 1 )", "one of several whole numbers is drawn", ("{0} ~ uniform_int({1}, {2})",)),
    _Row(
        "NAME ASSIGN sample ( … : … , size = 1 )",
        "one of several whole numbers is drawn",
        ("{0} ~ uniform_int({1}, {2})",),
    ),
    _Row(
        "NAME ASSIGN … % in % c ( … )",
        "whether a value is one of several is written 'x in {a, b}'",
        ("{0} := {1} in {{{2}}}",),
    ),
    _Row("set . seed ( … )", _SEED, ("",)),
    _Row("cat|message|printf|puts|println ( …? )", _PRINTED, ("",)),
    # JavaScript, and WebPPL, which is written in it
    _Row("console . log ( …? )", _PRINTED, ("",)),
    _Row("var|let|const NAME = function ( …? ) {", _FUNCTION, ("def {0}({1}) {{",)),
    _Row("var|let|const NAME = function ( …? ) { … }", _FUNCTION, ("def {0}({1}) {{ {2} }}",)),
    _Row("var|let|const? NAME = ( …? ) = > {", _FUNCTION, ("def {0}({1}) {{",)),
    _Row("var|let|const? NAME = ( …? ) = > { … }", _FUNCTION, ("def {0}({1}) {{ {2} }}",)),
    _Row("var|let|const? NAME = ( …? ) = > …", _FUNCTION, ("def {0}({1}) {{ return {2} }}",)),
    _Row("var|let|const NAME = NAME = > { … }", _FUNCTION, ("def {0}({1}) {{ {2} }}",)),
    _Row("var|let|const NAME = NAME = > …", _FUNCTION, ("def {0}({1}) {{ return {2} }}",)),
    _Row("for ( var|let|const NAME of … ) {", _LOOP, ("for {0} in {1} {{",)),
    _Row("for ( var|let|const NAME of … ) { … }", _LOOP, ("for {0} in {1} {{ {2} }}",)),
    _Row("do { … } while ( … )", _REPEATED, ("repeat {{ {0} }} until not ({1})",)),
    _Row("do {", _REPEATED, ("repeat {{",)),
    _Row("} while ( … )", _REPEATED, ("}} until not ({0})",)),
    _Row("viz|Infer ( …? )", _INFERRED, ("",)),
    _Row("var|let|const NAME = Infer ( …? )", _INFERRED, ("",)),
    _Row("observe|cobserve ( NAME ( … ) , … )", _SCORED, ("observed ~ {0}({1}); observe observed == {2}",)),
    _Row("factor ( … )", "a weight is a draw that is observed", ("kept ~ flip(exp({0})); observe kept",)),
    # PyMC, Pyro and NumPyro
    _Row("with pyro|numpyro . plate ( STRING , … ) as NAME :", _PLATE, ("for {2} in 1..{1}:",)),
    _Row("with pyro|numpyro . plate ( STRING , … ) :", _PLATE, ("for _ in 1..{1}:",)),
    _Row("for NAME in pyro|numpyro . plate ( STRING , … ) :", _PLATE, ("for {0} in 1..{2}:",)),
    _Row("with … as NAME :", _MODEL, ("",)),
    _Row("with … :", _MODEL, ("",)),
    _Row("NAME ASSIGN pyro|numpyro . sample ( STRING , … , obs = … )", _TRACED, ("{0} ~ {2}; observe {0} == {3}",)),
    _Row("pyro|numpyro . sample ( STRING , … , obs = … )", _TRACED, ("seen ~ {1}; observe seen == {2}",)),
    _Row("NAME ASSIGN pyro|numpyro . sample ( STRING , … )", _TRACED, ("{0} ~ {2}",)),
    _Row("NAME ASSIGN pyro|numpyro . deterministic ( STRING , … )", _NAMED, ("{0} := {2}",)),
    _Row("NAME ASSIGN pm|pymc . Deterministic ( STRING , … )", _NAMED, ("{0} := {2}",)),
    _Row("NAME ASSIGN pm|pymc . NAME ( STRING , … , observed = … )", _TRACED, ("{0} ~ {1}({3}); observe {0} == {4}",)),
    _Row("pm|pymc . NAME ( STRING , … , observed = … )", _TRACED, ("seen ~ {0}({2}); observe seen == {3}",)),
    _Row("NAME ASSIGN pm|pymc . NAME ( STRING , … )", _TRACED, ("{0} ~ {1}({3})",)),
    _Row("NAME ASSIGN pm|pymc . sample ( …? )", _INFERRED, ("",)),
    # Julia
    _Row("@ model function? NAME ( …? )", _MODEL, ("",)),
    _Row("@ model function? NAME ( …? ) = begin", _MODEL, ("",)),
    _Row("NAME ASSIGN rand ( … : … )", "one of several whole numbers is drawn", ("{0} ~ uniform_int({1}, {2})",)),
    _Row("NAME ASSIGN rand ( NAME ( …? ) )", "a draw is written 'x ~ D'", ("{0} ~ {1}({2})",)),
    _Row("NAME ~ truncated ( … , … , … )", "a law is cut by 'given'", ("{0} ~ {1} given {0} >= {2} and {0} <= {3}",)),
    # Stan, and types of C
    _Row("secret int|real|float|double|bool|vector NAME", _ANNOTATED, ("secret {0}",)),
    _Row("output int|real|float|double|bool|vector NAME", _ANNOTATED, ("output {0}",)),
    _Row("param int|real|float|double|bool NAME", _ANNOTATED, ("param {0}",)),
    _Row("real|int|float|double|bool|var|let|auto NAME", _DECLARED, ("",)),
    _Row("int|real < lower = … , upper = … > NAME", _DOMAIN, ("param {2} in [{0}, {1}]",)),
    _Row("int|real < lower = … > NAME", _DOMAIN, ("param {1} in [{0}, inf)",)),
    _Row("int|real < upper = … > NAME", _DOMAIN, ("param {1} in (-inf, {0}]",)),
    _Row("vector|row_vector|simplex|matrix [ … ] NAME", _ARRAY, ("",)),
    _Row("array [ … ] real|int NAME", _ARRAY, ("",)),
    _Row("data|parameters|model {", _STAN, ("",)),
    _Row("transformed|generated data|parameters|quantities {", _STAN, ("",)),
    _Row("target + = …", _SCORED),
    # PRISM
    _Row(
        "global? NAME : [ … .. … ] init …",
        "a variable needs no range: 'x := e' assigns its first value",
        ("{0} := {3}",),
    ),
    _Row("global? NAME : bool init …", "a variable needs no type: 'x := e' assigns its first value", ("{0} := {1}",)),
    _Row("formula NAME = …", "a formula is a variable that is assigned", ("{0} := {1}",)),
    _Row("P = ? [ F … ]", "a chance is asked for by 'show P(b)'", ("show P({0})",)),
    _Row("P = ? [ … ]", "a chance is asked for by 'show P(b)'", ("show P({0})",)),
    _Row("dtmc|mdp|ctmc|probabilistic|nondeterministic|endmodule", _PRISM),
    _Row("module NAME", _PRISM),
    _Row("NAME ASSIGN … = > NUMBER", _IMPLIED, ("{0} := {1} >= {2}",)),
    _Row("NAME ASSIGN … = > …", _IMPLIED, ("{0} := not ({1}) or {2}", "{0} := {1} >= {2}")),
    _Row("observe … = > NUMBER", _IMPLIED, ("observe {0} >= {1}",)),
    _Row("observe … = > …", _IMPLIED, ("observe not ({0}) or {1}", "observe {0} >= {1}")),
    # Dice
    _Row("let NAME = … in NAME?", _LET, ("{0} = {1}",)),
    _Row("fun NAME ( TYPED ) : NAME { … }", _FUNCTION, ("def {0}({1}) {{ return {3} }}",)),
    # Ruby, Logo and plain words
    _Row("do|loop … times {", "what is done several times is a loop", ("for _ in 1..{0} {{",)),
    _Row("do|loop … times { … }", "what is done several times is a loop", ("for _ in 1..{0} {{ {1} }}",)),
    _Row("… . times do", "what is done several times is a loop", ("for _ in 1..{0}:",)),
)


# Every line with a fault is asked about at each key press anywhere in its text, and few have changed.
@lru_cache(maxsize=1_024)
def said_of_line(text: str, inner: str) -> Diagnostic | None:
    """Return what to say of a line of another language, its places counted from the start of the line; None if it is none of the table.

    Args:
        text: the line, without comments and line end.
        inner: the line end and the blanks with which the line below begins, or a blank.
    """
    whole = line = scan(text)
    while line and line[-1].type == "SEMICOLON":
        line = line[:-1]
    if not line or len(line) > _MOST:
        return None
    values, asks = {one.value for one in line}, line[0].value in _ASKING
    for row in _ROWS:
        if asks != (row.words[0] in _ASKING):
            continue
        if not all(word in values for word in row.words if word.isascii() and word.islower() and word.isalpha()):
            continue
        found = next(_matches(row.words, line, 0), None)
        if found is None:
            continue
        span = Span(line[0].start, line[-1].end)
        texts = [form.format(*found, inner=inner) for form in row.meant]
        removed = Span(span.start, whole[-1].end)
        fixes = tuple(Fix(_title(text), (Edit(span if text else removed, text),)) for text in texts)
        return Diagnostic(NO_STATEMENT, span, row.told, fixes=fixes)
    return None


def _title(text: str) -> str:
    shown = " ".join(text.split())
    return f"write '{shown if len(shown) <= 60 else shown[:57] + '…'}'" if shown else "remove it"


def _matches(words: Sequence[str], line: list[Token], at: int) -> Iterator[tuple[str, ...]]:
    """Yield what the numbered words stand for, in each way in which they are all of the line from a token on."""
    if not words:
        if at == len(line):
            yield ()
        return
    word, rest = words[0], words[1:]
    if word in _STRETCHES:
        for end in _stretches(line, at):
            inside = line[at:end]
            text = _STRETCHES[word](inside)
            if text is not None:
                yield from ((text, *behind) for behind in _matches(rest, line, end))
        return
    if word == "ASSIGN":
        signs = [one.value for one in line[at : at + 2]]
        width = 1 if signs[:1] in (["="], [":="]) else 2 if signs == ["<", "-"] else 0
        if width:
            yield from _matches(rest, line, at + width)
        return
    optional, plain = word.endswith("?") and word != "?", word.removesuffix("?") or word
    token = line[at] if at < len(line) else None
    if plain == "STRING" and token is not None and token.value == "'":
        closing = next((one for one in range(at + 1, len(line)) if line[one].value == "'"), None)
        if closing is not None:
            text = f'"{spelled(line[at + 1 : closing])}"'
            yield from ((text, *behind) for behind in _matches(rest, line, closing + 1))
    elif plain in ("NAME", "NUMBER", "STRING"):
        if token is not None and token.type == plain:
            yield from ((token.value, *behind) for behind in _matches(rest, line, at + 1))
    elif token is not None and (token.value == plain or (plain != "|" and token.value in plain.split("|"))):
        yield from _matches(rest, line, at + 1)
    if optional:
        yield from _matches(rest, line, at)


def _stretches(line: list[Token], at: int) -> Iterator[int]:
    """Yield where tokens from a place on may end, in which brackets match, the shortest first."""
    open_: list[str] = []
    yield at
    for end in range(at, len(line)):
        type_ = line[end].type
        if type_ in CLOSERS:
            open_.append(CLOSERS[type_])
        elif type_ in CLOSERS.values() and (not open_ or open_.pop() != type_):
            return
        if not open_:
            yield end + 1


def _some(tokens: list[Token]) -> str | None:
    return spelled(tokens) if tokens else None


def _value(tokens: list[Token]) -> str | None:
    """Return tokens that may be one value; None if some of them assign, or separate laws."""
    return None if any(one.type in ("ASSIGN", "TILDE", "BARS") for one in tokens) else _some(tokens)


def _names_of(tokens: list[Token]) -> str | None:
    """Return the names of ``x: int, y``; None if none has a type, or something else stands there."""
    parts = between_commas(tokens)
    named = all([one.type for one in part[:2]] in (["NAME"], ["NAME", "COLON"]) for part in parts)
    typed = any(len(part) > 2 for part in parts)
    return ", ".join(part[0].value for part in parts) if named and typed else None


_STRETCHES = {"…": _some, "…?": spelled, "VALUE": _value, "TYPED": _names_of}
