"""Slips that have a name: habits of other languages and half-typed statements, each with its mending.

A slip is a function of the place where reading stopped; it returns what to say, or None if it does not know the place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import KEYWORD_AS_NAME, MISSING_BRACE, NO_STATEMENT, UNEXPECTED
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.tokens import CLOSERS, OPENERS, OPERAND_ENDS, Token
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.functions import FUNCTIONS
from seepage.syntax.vocabulary.keywords import KEYWORDS
from seepage.syntax.vocabulary.measures import MEASURES


@dataclass(frozen=True, slots=True)
class Place:
    """Where reading stopped: the tokens of the piece, the index of the one that does not fit, and the brackets open there."""

    tokens: list[Token]
    index: int
    expected: frozenset[str]
    brackets: tuple[Token, ...]

    @property
    def token(self) -> Token:
        """The token that does not fit; an empty one past the end."""
        if self.index < len(self.tokens):
            return self.tokens[self.index]
        end = self.tokens[-1].end
        return Token("$END", "", end, end)

    @property
    def previous(self) -> Token:
        """The token before, or an empty one at the start."""
        return self.tokens[self.index - 1] if self.index else Token("", "", 0, 0)

    @property
    def head(self) -> str:
        """The terminal that the piece begins with."""
        return self.tokens[0].type


# Words that continue an expression or a declaration and are no likely names.
_CONNECTIVES = frozenset({"IF", "THEN", "ELSE", "IN", "AND", "OR", "XOR", "NOT", "TRUE", "FALSE", "INF"})
_STATEMENT_WORDS = sorted(word for word in KEYWORDS if word.upper() in OPENERS or word in ("if", "else"))


def _span(token: Token) -> Span:
    return Span(token.start, token.end)


def _keyword_as_name(place: Place) -> Diagnostic | None:
    token, previous = place.token, place.previous
    if token.type in ("ASSIGN", "TILDE", "EQUAL") and place.index == 1 and previous.type.lower() in KEYWORDS:
        return _keyword(previous)
    if token.value not in KEYWORDS or token.type.lower() != token.value:
        return None
    following = place.tokens[place.index + 1].type if place.index + 1 < len(place.tokens) else ""
    if place.index == 0:
        return _keyword(token) if following in ("ASSIGN", "TILDE", "EQUAL", "LSQB") else None
    if place.expected == {"NAME"} or ("NAME" in place.expected and token.type not in _CONNECTIVES):
        return _keyword(token)
    return None


def _keyword(token: Token) -> Diagnostic:
    message = f"'{token.value}' is a keyword and cannot be a name; choose another one"
    return Diagnostic(KEYWORD_AS_NAME, _span(token), message)


# What begins a statement elsewhere: what to say of it, and what to write in its place, if that is clear.
_ELSEWHERE: dict[str, tuple[str, str | None]] = {
    "elif": ("'elif' is written 'else if'", "else if"),
    "elseif": ("'elseif' is written 'else if'", "else if"),
    "elsif": ("'elsif' is written 'else if'", "else if"),
    "return": ("there is no 'return'; 'output x' declares what the attacker sees", None),
    "def": ("a program defines no functions", None),
    "fun": ("a program defines no functions", None),
    "function": ("a program defines no functions", None),
    "let": ("a variable needs no declaration: remove 'let'", ""),
    "var": ("a variable needs no declaration: remove 'var'", ""),
    "int": ("a variable needs no type: remove 'int'", ""),
    "real": ("a variable needs no type: remove 'real'", ""),
    "float": ("a variable needs no type: remove 'float'", ""),
    "double": ("a variable needs no type: remove 'double'", ""),
    "bool": ("a variable needs no type: remove 'bool'", ""),
    "pass": ("'pass' is written 'skip'", "skip"),
    "assume": ("'assume' is written 'observe'", "observe"),
    "assert": ("'assert' is written 'observe', which discards the runs in which it is false", "observe"),
    "condition": ("'condition' is written 'observe'", "observe"),
    "print": ("there is no 'print'; 'show' shows a measure, 'output' declares what the attacker sees", None),
    "import": ("a program is one file: there is no 'import'", None),
    "repeat": ("loops are written 'for i in a..b { … }'", None),
    "loop": ("loops are written 'for i in a..b { … }'", None),
    "mod": ("the remainder is written '%'", "%"),
    "div": ("integer division is 'floor(a / b)'", None),
    "is": ("'is' is written '=='", "=="),
}


def _of_other_languages(place: Place) -> Diagnostic | None:
    """A word that begins a statement in other languages, and is no variable here: nothing follows that would make it one."""
    first, token = place.tokens[0], place.token
    if (
        first.type != "NAME"
        or place.index != 1
        or first.value not in _ELSEWHERE
        or token.type not in ("$END", "LPAR", "NUMBER")
    ):
        return None
    message, meant = _ELSEWHERE[first.value]
    if meant is None:
        return Diagnostic(NO_STATEMENT, _span(first), message)
    title = f"write '{meant}'" if meant else f"remove '{first.value}'"
    fixes = replacement(title, _span(first), meant, automatic=meant in ("else if", "skip"))
    return Diagnostic(NO_STATEMENT, _span(first), message, fixes=fixes)


def _bare_expression(place: Place) -> Diagnostic | None:
    """An expression where a statement is due: it starts with a name, and what follows is no assignment."""
    if place.head != "NAME" or any(token.type in ("ASSIGN", "TILDE") for token in place.tokens[: place.index]):
        return None
    first, token = place.tokens[0], place.token
    following = place.tokens[place.index + 1] if place.index + 1 < len(place.tokens) else None
    if "ASSIGN" not in place.expected and token.type != "LPAR":
        return None
    whole = Span(first.start, place.tokens[-1].end)
    if token.type == "LPAR" and first.value in MEASURES:
        fix = Fix("show the measure", (Edit(Span(first.start, first.start), "show "),))
        return Diagnostic(
            NO_STATEMENT, whole, f"a measure alone is no statement; 'show {first.value}(…)' shows it", fixes=(fix,)
        )
    if token.type == "LPAR":
        return Diagnostic(
            NO_STATEMENT, whole, f"a call of '{first.value}' alone is no statement; 'x := e' assigns, 'x ~ D' samples"
        )
    if token.type in _ARITHMETIC and following is not None and following.type == "EQUAL" and _is_target(place):
        return _augmented(place)
    if token.type in _ARITHMETIC and place.index == 1:
        if following is not None and following.type == token.type in ("PLUS", "MINUS") and following.end == whole.end:
            meant = f":= {first.value} {token.value} 1"
            span = Span(token.start, following.end)
            message = f"there is no '{token.value * 2}'; write '{first.value} {meant}'"
            fixes = replacement(f"write '{meant}'", span, meant, automatic=True)
            return Diagnostic(NO_STATEMENT, span, message, fixes=fixes)
    elif token.type == "LT" and following is not None and following.type == "MINUS" and following.start == token.end:
        span = Span(token.start, following.end)
        message = "'<-' assigns nothing; write ':='"
        compares = place.index + 2 < len(place.tokens) and place.tokens[place.index + 2].start == following.end
        fixes = replacement("write ':='", span, ":=", automatic=not compares)  # 'x <-1' may be a condition
        return Diagnostic(NO_STATEMENT, span, message, fixes=fixes)
    elif token.type == "COMMA":
        message = "one statement assigns one variable: found ',', expected ':=' or '~'"
        return Diagnostic(NO_STATEMENT, _span(token), message)
    elif token.type == "COLON":
        return _spaced_assignment(place)
    elif token.type == "LSQB":
        return Diagnostic(UNEXPECTED, _span(token), "found a second index; arrays have one")
    elif token.type == "EQ":
        assigned = replacement("assign with ':='", _span(token), ":=")
        fixes = (*assigned, *replacement("condition on it with 'observe'", Span(first.start, first.start), "observe "))
        message = "'==' compares and is no statement; ':=' assigns, 'observe' conditions"
        return Diagnostic(NO_STATEMENT, _span(token), message, fixes=fixes)
    close = _close_words(first.value) if place.index == 1 and token.type not in _OPERATORS else []
    if close:
        fixes = replacement(f"write '{close[0]}'", _span(first), close[0])
        return Diagnostic(
            NO_STATEMENT, _span(first), f"'{first.value}' begins no statement; did you mean '{close[0]}'", fixes=fixes
        )
    what = f"'{first.value}'" if len(place.tokens) == 1 else "an expression"
    message = f"{what} alone is no statement; 'x := e' assigns, 'x ~ D' samples"
    return Diagnostic(NO_STATEMENT, whole, message)


_ARITHMETIC = ("PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "CARET")
_OPERATORS = (*_ARITHMETIC, "NE", "LT", "LE", "GT", "GE", "AND", "OR", "XOR")


def _close_words(word: str) -> list[str]:
    """Return the keyword that a word may be the beginning or a misspelling of."""
    begun = [one for one in _STATEMENT_WORDS if len(word) >= 3 and one.startswith(word)]
    return begun[:1] or get_close_matches(word, _STATEMENT_WORDS, 1, 0.75)


def _is_target(place: Place) -> bool:
    """Tell whether what was read is a variable or an element, whole."""
    types = [one.type for one in place.tokens[: place.index]]
    return types == ["NAME"] or (types[:2] == ["NAME", "LSQB"] and types.index("RSQB") == len(types) - 1)


def _augmented(place: Place) -> Diagnostic:
    """``x -= e``; the fix keeps ``e`` together. ``^=`` may mean the bits that differ, so its fix is none that is clear."""
    target = _spelled(place.tokens[: place.index])
    operator, equal = place.tokens[place.index : place.index + 2]
    rest = place.tokens[place.index + 2 :]
    span = Span(operator.start, equal.end)
    meant = f":= {target} {operator.value}"
    message = f"there is no '{operator.value}='; write '{target} {meant} …'"
    levels = _depths(rest)
    if levels is None:
        return Diagnostic(NO_STATEMENT, span, message)
    tight = ("STAR", "SLASH", "PERCENT", "CARET") if operator.type in ("PLUS", "MINUS") else ()
    outer = [one.type for one, depth in zip(rest, levels, strict=True) if depth == 0]
    edits: tuple[Edit, ...] = (Edit(span, meant),)
    products = any(one.type == "NUMBER" and one.end - one.start > len(one.value) for one in rest)  # '2x', read as '2'
    if products or any(one not in (*tight, *_OPERANDS) for one in outer):
        edits = (Edit(Span(span.start, rest[0].start), f"{meant} ("), Edit(Span(rest[-1].end, rest[-1].end), ")"))
    chained = any(
        one.type in ("ASSIGN", "TILDE", "EQUAL") or (one.type == "EQ" and one.end - one.start < 2) for one in rest
    )
    clear = operator.type != "CARET" and not chained
    return Diagnostic(NO_STATEMENT, span, message, fixes=(Fix(f"write '{meant}'", edits, automatic=clear),))


_OPERANDS = ("NAME", "NUMBER", "TRUE", "FALSE", "INF", "LPAR", "RPAR", "LSQB", "RSQB")


def _depths(tokens: list[Token]) -> list[int] | None:
    """Return how many brackets are open around each token, themselves not counted; None if they do not match."""
    open_: list[str] = []
    depths: list[int] = []
    for token in tokens:
        if token.type in CLOSERS.values() and (not open_ or CLOSERS[open_.pop()] != token.type):
            return None
        depths.append(len(open_))
        if token.type in CLOSERS:
            open_.append(token.type)
    return None if open_ else depths


def _spaced_assignment(place: Place) -> Diagnostic:
    colon = place.token
    end = colon.end
    if place.index + 1 < len(place.tokens) and place.tokens[place.index + 1].type == "EQUAL":
        end = place.tokens[place.index + 1].end
    span = Span(colon.start, end)
    fixes = replacement("write ':='", span, ":=", automatic=end > colon.end)
    return Diagnostic(NO_STATEMENT, span, "found ':', expected ':=' or '~'", fixes=fixes)


def _assignment_inside(place: Place) -> Diagnostic | None:
    token = place.token
    if token.type != "ASSIGN":
        return None
    match place.head:
        case "PARAM" | "CONST":
            word, why = "=", "declarations are written with '='"
        case "FOR" if place.index == 2:
            word, why = "in", "loops are written 'for i in a..b'"
        case "NAME" if "NUMBER" in place.expected:
            return None
        case _:
            word, why = "==", "':=' assigns and compares nothing"
    message = f"{why}; write '{word}'"
    # 'x := y := 1' may assign to both, and what has an end may be followed by an assignment that lost its name.
    inside = place.head in ("CONST", "FOR", "IF", "ELSE") or (place.head != "NAME" and bool(place.brackets))
    fixes = replacement(f"write '{word}'", _span(token), word, automatic=inside)
    return Diagnostic(UNEXPECTED, _span(token), message, fixes=fixes)


def _declared_value(place: Place) -> Diagnostic | None:
    """``secret x ~ D``; the fix declares ``x`` on a line of its own, and gives each of several names its own value."""
    if place.head not in ("SECRET", "OUTPUT") or place.token.type not in ("ASSIGN", "EQUAL", "EQ", "TILDE"):
        return None
    word, operator = place.tokens[0].value, _span(place.token)
    message = f"'{word}' only declares names; assign or sample in a statement of its own"
    first = 2 if place.tokens[1].type == "INITIAL" else 1
    names = place.tokens[first : place.index]
    targets = _between_commas(names)
    if any(not target or target[0].type != "NAME" for target in targets) or place.index + 1 == len(place.tokens):
        return Diagnostic(UNEXPECTED, operator, message)
    if len(targets) > 1:
        sign, value = "~" if place.token.type == "TILDE" else ":=", _spelled(place.tokens[place.index + 1 :])
        lines = "".join(f"\n{_spelled(target)} {sign} {value}" for target in targets)
        fixes = replacement("give each its own value", Span(place.previous.end, place.tokens[-1].end), lines)
        return Diagnostic(UNEXPECTED, operator, message, fixes=fixes)
    own_line = Edit(Span(place.previous.end, place.previous.end), f"\n{_spelled(names)}")
    written = () if place.token.type in ("ASSIGN", "TILDE") else (Edit(operator, ":="),)
    fix = Fix(f"declare '{_spelled(names)}' on a line of its own", (own_line, *written), place.token.type != "EQ")
    return Diagnostic(UNEXPECTED, operator, message, fixes=(fix,))


def _between_commas(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the parts of a list of targets."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += {"LSQB": 1, "RSQB": -1}.get(token.type, 0)
        if token.type == "COMMA" and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _domain_after_value(place: Place) -> Diagnostic | None:
    """``param p = 1 in [0, 2]``; the fix moves the domain before the value."""
    tokens, at = place.tokens, place.index
    if place.head != "PARAM" or place.token.type != "IN" or place.brackets or at < 4 or tokens[2].type != "EQUAL":
        return None
    span = Span(place.token.start, tokens[-1].end)
    message = "the domain of a parameter stands before its value: 'param p in [a, b] = e'"
    if at + 1 == len(tokens) or tokens[at + 1].type not in ("LSQB", "LPAR") or tokens[-1].type not in ("RSQB", "RPAR"):
        return Diagnostic(UNEXPECTED, _span(place.token), message)
    moved = f"{_spelled(tokens[at:])} {_spelled(tokens[2:at])}"
    fixes = replacement("move the domain before the value", Span(tokens[2].start, span.end), moved, automatic=True)
    return Diagnostic(UNEXPECTED, span, message, fixes=fixes)


def _then_in_statement(place: Place) -> Diagnostic | None:
    if place.token.type != "THEN" or place.head not in ("IF", "ELSE") or place.brackets:
        return None
    span = _span(place.token)
    braced = place.index + 1 < len(place.tokens) and place.tokens[place.index + 1].type == "LBRACE"
    if braced:
        fixes = replacement("remove 'then'", span, "", automatic=True)
        return Diagnostic(UNEXPECTED, span, "an 'if' statement has no 'then': its branch stands in braces", fixes=fixes)
    message = (
        "the branches of an 'if' statement stand in braces; 'if … then … else' is an expression and stands after ':='"
    )
    return Diagnostic(UNEXPECTED, span, message)


def _colon_for_brace(place: Place) -> Diagnostic | None:
    if place.token.type != "COLON" or place.head not in ("IF", "ELSE", "FOR") or place.brackets:
        return None
    span = _span(place.token)
    if place.head == "FOR" and all(one.type != "DOTS" for one in place.tokens[: place.index]):
        return Diagnostic(UNEXPECTED, span, "a range is written 'a..b'", fixes=replacement("write '..'", span, ".."))
    return Diagnostic(MISSING_BRACE, span, "blocks stand in braces: found ':', expected '{'")


def _loops_of_other_languages(place: Place) -> Diagnostic | None:
    if place.head != "FOR":
        return None
    token, tokens = place.token, place.tokens
    if place.index == 1 and token.type == "LPAR":
        closing = next((one for one in reversed(tokens) if one.type == "RPAR"), None)
        edits = (Edit(_span(token), ""),) if closing is None else (Edit(_span(token), ""), Edit(_span(closing), ""))
        whole = closing is not None and _depths(tokens[2 : tokens.index(closing)]) is not None
        fix = Fix("remove the parentheses", edits, automatic=whole)
        return Diagnostic(UNEXPECTED, _span(token), "a loop has no parentheses: 'for i in a..b { … }'", fixes=(fix,))
    if len(tokens) > 5 and "DOTS" in place.expected and (tokens[3].value, tokens[4].type) == ("range", "LPAR"):
        call = Span(tokens[3].start, place.previous.end)
        message = "a loop runs over 'a..b', both ends included"
        match tokens[5 : place.index]:
            case [Token("NUMBER", count), Token("RPAR")] if count.isdecimal() and int(count) > 0:
                meant = f"0..{int(count) - 1}"
                fixes = replacement(f"write '{meant}'", call, meant, automatic=True)
                return Diagnostic(UNEXPECTED, call, message, fixes=fixes)
            case _:
                return Diagnostic(UNEXPECTED, call, message)
    if place.index == 3 and token.type in ("LSQB", "LBRACE") and token is not tokens[-1]:
        return Diagnostic(
            UNEXPECTED, _span(token), f"found '{token.value}'; a loop runs over 'a..b', both ends included"
        )
    return None


def _conditional_of_other_languages(place: Place) -> Diagnostic | None:
    """``a if b else c``; the fix moves the condition to the front."""
    token, tokens = place.token, place.tokens
    if token.type != "IF" or place.head != "NAME" or place.previous.type not in OPERAND_ENDS:
        return None
    message = "the conditional expression is written 'if b then e1 else e2'"
    others = [at for at, one in enumerate(tokens) if one.type in ("IF", "THEN", "ELSE", "ASSIGN", "TILDE")]
    match [tokens[at].type for at in others]:
        case ["ASSIGN", "IF", "ELSE"] if others[1] == place.index and not place.brackets:
            operator, _, alternative = others
            condition = _spelled(tokens[place.index + 1 : alternative])
            front = Span(tokens[operator + 1].start, tokens[operator + 1].start)
            edits = (Edit(front, f"if {condition} then "), Edit(Span(token.start, tokens[alternative].start), ""))
            return Diagnostic(
                UNEXPECTED, _span(token), message, fixes=(Fix("put the condition first", edits, automatic=True),)
            )
        case _:
            return Diagnostic(UNEXPECTED, _span(token), message)


def _spelled(tokens: list[Token]) -> str:
    """Return tokens as they are written, with one blank where there is white space."""
    ends = [tokens[0].start, *(one.end for one in tokens)] if tokens else []
    return "".join(f"{' ' if end < one.start else ''}{one.value}" for end, one in zip(ends, tokens, strict=False))


def _comma_outside(place: Place) -> Diagnostic | None:
    """A comma that separates statements, or the thousands of a number."""
    if place.token.type != "COMMA" or place.brackets or place.head != "NAME" or place.previous.type not in OPERAND_ENDS:
        return None
    previous, span = place.previous, _span(place.token)
    following = place.tokens[place.index + 1] if place.index + 1 < len(place.tokens) else None
    if following is None:
        fixes = replacement("write ';'", span, ";", automatic=True)
        return Diagnostic(UNEXPECTED, span, "found ',', expected ';' or nothing between statements", fixes=fixes)
    grouped = previous.end == span.start and span.end == following.start and previous.type == following.type == "NUMBER"
    if grouped and following.value.isdecimal() and len(following.value) == 3:
        message = f"numbers are not grouped; write '{previous.value}{following.value}'"
        return Diagnostic(UNEXPECTED, span, message, fixes=replacement("remove the ','", span, ""))
    return None


def _call_without_parentheses(place: Place) -> Diagnostic | None:
    token, previous = place.token, place.previous
    if previous.type != "NAME" or token.type not in ("NUMBER", "TRUE", "FALSE", "LBRACE", "LSQB"):
        return None
    if (
        (previous.value not in DISTRIBUTIONS and previous.value not in FUNCTIONS)
        or place.index < 2
        or token.type == "LBRACE"
    ):
        return None
    message = f"'{previous.value}' is written with its arguments in parentheses, '{previous.value}(…)'"
    return Diagnostic(UNEXPECTED, _span(previous), message)


def _lists(place: Place) -> Diagnostic | None:
    """Names of a declaration without the comma between them."""
    token, previous = place.token, place.previous
    if (
        place.head not in ("SECRET", "OUTPUT")
        or place.brackets
        or token.type != "NAME"
        or previous.type not in OPERAND_ENDS
    ):
        return None
    message = f"found '{token.value}', expected ',' before another name"
    fixes = replacement("add ','", Span(previous.end, previous.end), ",", automatic=True)
    return Diagnostic(UNEXPECTED, _span(token), message, fixes=fixes)


def _end_of_comment(place: Place) -> Diagnostic | None:
    token, previous = place.token, place.previous
    if (previous.type, token.type) != ("STAR", "SLASH") or previous.end != token.start:
        return None
    span = Span(previous.start, token.end)
    return Diagnostic(UNEXPECTED, span, "the '*/' ends no comment", fixes=replacement("remove the '*/'", span, ""))


def _table_without_weights(place: Place) -> Diagnostic | None:
    if place.token.type not in ("COMMA", "RBRACE") or "COLON" not in place.expected or not place.brackets:
        return None
    if place.brackets[-1].type != "LBRACE":
        return None
    message = f"found '{place.token.value}', expected ':': a table is '{{value: probability, …}}'; 'uniform_of(…)' takes values alone"
    return Diagnostic(UNEXPECTED, _span(place.token), message)


def _operators_of_other_languages(place: Place) -> Diagnostic | None:
    token, previous = place.token, place.previous
    span = _span(token)
    if token.type == "BARS":
        message = "'||' separates the sides of 'KL'; the logical operator is 'or'"
        return Diagnostic(UNEXPECTED, span, message, fixes=replacement("write 'or'", span, "or", automatic=True))
    if token.type == "BAR" and "NUMBER" in place.expected and not place.brackets and place.head != "SHOW":
        return Diagnostic(UNEXPECTED, span, "found '|', expected an expression; absolute values are written 'abs(x)'")
    if token.type == "BAR" and place.head not in ("SHOW", "REQUIRE"):
        message = "'|' stands in measures before a condition; the logical operator is 'or'"
        return Diagnostic(UNEXPECTED, span, message, fixes=replacement("write 'or'", span, "or"))
    if token.type == "STAR" and previous.type == "STAR" and previous.end == token.start:
        span = Span(previous.start, token.end)
        fixes = replacement("write '^'", span, "^", automatic=True)
        return Diagnostic(UNEXPECTED, span, "powers are written with '^'", fixes=fixes)
    if token.type == "TILDE":
        if previous.type == "TILDE":
            fixes = replacement("remove it", span, "", automatic=True)
            return Diagnostic(UNEXPECTED, span, "found a second '~'", fixes=fixes)
        if "NOT" in place.expected or "BANG" in place.expected:
            message = "'~' samples; negation is written '!' or 'not'"
            return Diagnostic(UNEXPECTED, span, message, fixes=replacement("write '!'", span, "!"))
        return Diagnostic(
            UNEXPECTED, span, "'~' samples a variable and stands right after it, at the start of a statement"
        )
    if token.type == "ARROW" and place.head not in ("SHOW", "REQUIRE"):
        return Diagnostic(UNEXPECTED, span, "'->' stands in measures only, as in 'DP(x -> y)'")
    return None


def _needs_parentheses(place: Place) -> Diagnostic | None:
    token = place.token
    if "NUMBER" not in place.expected:
        return None
    if token.type == "NOT":
        message = "'not' binds less tightly than the operator before it; put it and its operand in parentheses"
        return Diagnostic(UNEXPECTED, _span(token), message)
    if token.type == "IF":
        message = "a conditional expression inside another expression needs parentheses"
        return Diagnostic(UNEXPECTED, _span(token), message)
    return None


def _units(place: Place) -> Diagnostic | None:
    token = place.token
    span = _span(token)
    if place.head == "SHOW" and token.type == "NAME" and place.expected == {"BITS", "NATS"}:
        close = get_close_matches(token.value, ("bits", "nats"), 1)
        fixes = replacement(f"write '{close[0]}'", span, close[0]) if close else ()
        return Diagnostic(UNEXPECTED, span, f"found '{token.value}', expected 'bits' or 'nats'", fixes=fixes)
    if place.head == "SHOW" and token.type in ("BITS", "NATS") and "IN" in place.expected and not place.brackets:
        fixes = replacement(f"write 'in {token.value}'", span, f"in {token.value}", automatic=True)
        return Diagnostic(UNEXPECTED, span, f"the unit of 'show' follows 'in': write 'in {token.value}'", fixes=fixes)
    if place.head != "REQUIRE" or place.brackets:
        return None
    if token.type == "IN" and "BITS" in place.expected:
        fixes = replacement("remove 'in'", span, "", automatic=True)
        return Diagnostic(UNEXPECTED, span, "the unit of a budget follows it directly: remove 'in'", fixes=fixes)
    if token.type in ("BITS", "NATS") and any(one.type == "OVER" for one in place.tokens[: place.index]):
        return Diagnostic(UNEXPECTED, span, f"the unit stands before 'over': found '{token.value}' after it")
    return None


def _budgets(place: Place) -> Diagnostic | None:
    if place.head != "REQUIRE" or place.brackets or "PLUS" not in place.expected:
        return None
    token = place.token
    if token.type in ("LE", "LT", "GE", "GT", "EQ") and place.previous.type in OPERAND_ENDS:
        message = "found a second comparison; write a 'require' for each bound"
        return Diagnostic(UNEXPECTED, _span(token), message)
    if token.type == "NE":
        return Diagnostic(UNEXPECTED, _span(token), "found '!=', expected one of <= < >= > ==")
    if token.type in ("AND", "OR", "XOR"):
        message = f"a budget is one comparison; write a 'require' for each, or parentheses around the '{token.value}'"
        return Diagnostic(UNEXPECTED, _span(token), message)
    return None


def _named_in_function(place: Place) -> Diagnostic | None:
    if place.token.type != "NAMED":
        return None
    span = _span(place.token)
    fixes = replacement("compare with '=='", span, "==")
    return Diagnostic(
        UNEXPECTED, span, "only arguments of distributions and measures have names; '==' compares", fixes=fixes
    )


SLIPS: tuple[Callable[[Place], Diagnostic | None], ...] = (
    _keyword_as_name,
    _declared_value,
    _domain_after_value,
    _end_of_comment,
    _of_other_languages,
    _bare_expression,
    _assignment_inside,
    _then_in_statement,
    _colon_for_brace,
    _loops_of_other_languages,
    _conditional_of_other_languages,
    _comma_outside,
    _call_without_parentheses,
    _lists,
    _table_without_weights,
    _needs_parentheses,
    _operators_of_other_languages,
    _units,
    _budgets,
    _named_in_function,
)
