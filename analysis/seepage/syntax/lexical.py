"""Tokens as the grammar wants them: bad characters and numbers reported, every ``=`` told apart."""

from __future__ import annotations

import unicodedata

from seepage.diagnostics import Diagnostic, Fix, Rule
from seepage.rules import (
    MALFORMED_NUMBER,
    NO_STATEMENT,
    SINGLE_EQUALS,
    STATEMENT_TOO_LONG,
    UNEXPECTED,
    UNKNOWN_CHARACTER,
)
from seepage.source import Span
from seepage.syntax.contextual import with_keywords
from seepage.syntax.fixes import replacement
from seepage.syntax.measures import takes_named
from seepage.syntax.slips.place import spelled
from seepage.syntax.tokens import OPERAND_ENDS, Token
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.keywords import KEYWORDS
from seepage.syntax.vocabulary.measures import MEASURES

_MAX_DIGITS = 1_000
_MAX_SYMBOL = 502  # characters with the quotation marks: at most 16,000 bits of the number that stands for it

# What a sign stands for elsewhere: the terminal and its spelling here.
_MEANT = {
    "≤": ("LE", "<="),
    "≥": ("GE", ">="),
    "≠": ("NE", "!="),
    "×": ("STAR", "*"),
    "·": ("STAR", "*"),
    "∙": ("STAR", "*"),
    "÷": ("SLASH", "/"),
    "−": ("MINUS", "-"),
    "–": ("MINUS", "-"),
    "←": ("ASSIGN", ":="),
    "≔": ("ASSIGN", ":="),
    "∼": ("TILDE", "~"),
    "→": ("ARROW", "->"),
    "∧": ("AND", "and"),
    "∨": ("OR", "or"),
    "⊕": ("XOR", "xor"),
    "¬": ("NOT", "not"),
    "&": ("AND", "and"),
    "∞": ("INF", "inf"),
    "‖": ("BARS", "||"),
    "∣": ("BAR", "|"),
    "…": ("DOTS", ".."),
}


_EXPONENTS = {"²": "2", "³": "3"}

# Signs of other languages, each with what to do instead.
_HINTS = {
    '"': "a symbol ends with another '\"' on its line",
    "?": "the conditional expression is 'if b then e1 else e2'",
    "\\": "a statement may go on on the next line without it",
}
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»"}

# Operators of other languages, and slips of the fingers: what is written, and what is meant. Those in the second table may be apart.
_TOGETHER = {
    ("EQUAL", "LT"): ("LE", "<="),
    ("EQUAL", "GT"): ("GE", ">="),
    ("EQ", "EQUAL"): ("EQ", "=="),
    ("NE", "EQUAL"): ("NE", "!="),
    ("LT", "GT"): ("NE", "!="),
    ("EQUAL", "COLON"): ("ASSIGN", ":="),
}
_APART = {
    ("LT", "EQUAL"): ("LE", "<="),
    ("GT", "EQUAL"): ("GE", ">="),
    ("BANG", "EQUAL"): ("NE", "!="),
    ("ASSIGN", "EQUAL"): ("ASSIGN", ":="),
    ("EQUAL", "EQUAL"): ("EQ", "=="),
}


def prepare(tokens: list[Token]) -> tuple[list[Token], list[Diagnostic], bool]:
    """Return tokens that are terminals of the grammar, what was wrong with them, and whether all that was wrong was mended."""
    found: list[Diagnostic] = []
    mended = True
    kept: list[Token] = []
    unclosed: set[str] = set()  # quotes that nothing closes from here on
    skipped = 0  # tokens before this one are the inside of a text in quotes
    for index, token in enumerate(tokens):
        if index < skipped:
            continue
        if token.type == "UNKNOWN":
            if token.value not in unclosed and (closing := _closing_quote(tokens, index)) is not None:
                skipped = closing + 1
                span, inside = Span(token.start, tokens[closing].end), spelled(tokens[index + 1 : closing])
                symbol = f'"{inside}"'
                fixes = () if '"' in inside else replacement(f"write {symbol}", span, symbol)
                message = "a text is a symbol, which stands in double quotes"
                found.append(Diagnostic(UNKNOWN_CHARACTER, span, message, fixes=fixes))
                kept.append(Token("STRING", symbol, span.start, span.end))
                replaced = bool(fixes)
            elif token.value in _QUOTES:
                unclosed.add(token.value)
                replaced = _unknown(token, kept, found)
            elif token.value == ".":
                replaced = _point(tokens, index, kept, found)
                skipped = index + 2 if replaced and kept and kept[-1].end > token.end else 0
            else:
                replaced = _unknown(token, kept, found)
            mended = mended and replaced
        elif token.type == "BAD_NUMBER" or (token.type == "NUMBER" and len(token.value) > 5):
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            kept.append(_number(token, kept, following, found))
        elif token.type == "STRING" and len(token.value) > _MAX_SYMBOL:
            message = f"the symbol has {len(token.value) - 2:,} characters, at most {_MAX_SYMBOL - 2} are read"
            found.append(Diagnostic(STATEMENT_TOO_LONG, Span(token.start, token.end), message))
            kept.append(token._replace(value=f'{token.value[: _MAX_SYMBOL - 1]}"'))
        elif kept and (meant := _compound(kept, token)) is not None:
            type_, spelling = meant
            before = kept.pop()
            span = Span(before.start, token.end)
            written = f"{before.value}{' ' if before.end < token.start else ''}{token.value}"
            message = f"'{written}' is no operator of the language; write '{spelling}'"
            # '=>' is an implication elsewhere, and 'x =< 3' alone an 'observe' that is forgotten.
            clear = before.type != "EQUAL" or type_ in ("LE", "EQ") or token.type == "COLON"
            fixes = replacement(f"write '{spelling}'", span, spelling, automatic=clear)
            found.append(Diagnostic(UNEXPECTED, span, message, fixes=fixes))
            kept.append(Token(type_, spelling, before.start, token.end))
        else:
            kept.append(token)
    told = _equals(kept, found) if any(token.type == "EQUAL" for token in kept) else kept
    return (with_keywords(told) if told else told), found, mended


def _compound(kept: list[Token], token: Token) -> tuple[str, str] | None:
    """Return the operator that is meant by a token and the one before it, if they are none together."""
    before = kept[-1]
    pair = (before.type, token.type)
    if pair in _APART:
        return _APART[pair]
    if pair not in _TOGETHER or before.end != token.start:
        return None
    # 'x => 3' is a statement that assigns rather than one that compares.
    assigns = before.type == "EQUAL" and kept[0].type == "NAME" and _is_target(kept[:-1])
    if token.type == "COLON" and not assigns:
        return None
    return ("ASSIGN", ":=") if assigns else _TOGETHER[pair]


def _closing_quote(tokens: list[Token], index: int) -> int | None:
    """Return where the text in quotes ends that begins here."""
    closing = _QUOTES.get(tokens[index].value)
    if closing is None:
        return None
    return next((at for at in range(index + 1, len(tokens)) if tokens[at].value == closing), None)


def _point(tokens: list[Token], index: int, kept: list[Token], found: list[Diagnostic]) -> bool:
    """Report a point that belongs to no number; tell whether it is clear what is meant, and put it in the place of what is written."""
    point = tokens[index]
    before = kept[-1] if kept and kept[-1].end == point.start else None
    after = tokens[index + 1] if index + 1 < len(tokens) and tokens[index + 1].start == point.end else None
    rule, span, fixes = (
        MALFORMED_NUMBER,
        Span(point.start, point.end),
        replacement("remove the '.'", Span(point.start, point.end), ""),
    )
    is_number = before is not None and before.type == "NUMBER"
    if before is not None and before.type == "DOTS":  # the last value belongs to 'a...b' in some languages
        rule, message = UNEXPECTED, "a range is written with two points, as in 'a..b'"
    elif before is not None and before.type == "NAME" and after is not None and after.type == "NAME":
        kept[-1] = Token("NAME", f"{before.value}_{after.value}", before.start, after.end)
        rule, fixes = UNKNOWN_CHARACTER, replacement("write '_'", span, "_")
        message = "'.' has no meaning here; names hold letters, digits and '_'"
    elif is_number and after is not None and after.type in ("NUMBER", "BAD_NUMBER"):
        message, fixes = "found a second point in a number", ()
        kept[-1] = Token("NUMBER", "0", point.start, after.end)
    elif is_number:
        following = tokens[index + 1].type if index + 1 < len(tokens) else ""
        goes_on = after is not None or following in ("NUMBER", "BAD_NUMBER", "UNKNOWN")
        fixes = replacement("remove the '.'", span, "", automatic=not goes_on)
        message = "found '.', expected a digit before and after the point of a number"
    elif after is not None and after.type == "NUMBER":
        fixes = replacement("write '0.'", span, "0.", automatic=True) if before is None or not _joins(before) else ()
        message = "found '.', expected a digit before and after the point of a number"
    else:
        message, fixes = "'.' has no meaning here", ()
        rule = UNKNOWN_CHARACTER
    found.append(Diagnostic(rule, span, message, fixes=fixes))
    return rule is UNEXPECTED or bool(fixes) or is_number


def _unknown(token: Token, kept: list[Token], found: list[Diagnostic]) -> bool:
    """Report a character; put what it stands for elsewhere in its place, if that is clear."""
    span = Span(token.start, token.end)
    meant = _MEANT.get(token.value)
    if meant is not None and token.value == "&" and kept and kept[-1].type == "AND" and kept[-1].end == token.start:
        first = Span(kept[-1].start, token.end)
        found[-1] = _character("&&", first, "and", clear=True)
        return True
    if meant is not None:
        type_, spelling = meant
        # '&' and '⊕' may be those of binary digits.
        found.append(_character(token.value, span, spelling, clear=token.value not in "&⊕"))
        kept.append(Token(type_, spelling, token.start, token.end))
        return True
    character = token.value
    if character in _EXPONENTS and kept and kept[-1].end == token.start:
        power = f"^{_EXPONENTS[character]}"
        kept.append(Token("CARET", "^", token.start, token.end))
        kept.append(Token("NUMBER", _EXPONENTS[character], token.end, token.end))
        found.append(_character(character, span, power, clear=True))
        return True
    name = unicodedata.name(character, "")
    shown = f"'{character}'" if character.isprintable() and not character.isspace() else f"U+{ord(character):04X}"
    described = f"{shown} ({name.lower()})" if name and not character.isascii() else shown
    space = unicodedata.category(character) in ("Zs", "Zl", "Zp")
    # White space and marks without a shape can go; what a visible sign was meant to say is unknown.
    superfluous = character == "\\" or unicodedata.category(character) in ("Cf", "Cc")
    fixes: tuple[Fix, ...] = ()
    if space:
        fixes = replacement("write an ordinary space", span, " ", automatic=True)
    elif superfluous:
        # The soft hyphen may be a minus.
        joins = character in "\\\xad" or (bool(kept) and kept[-1].end == token.start and _joins(kept[-1]))
        fixes = replacement("remove it", span, "", automatic=not joins)
    hint = f"; {_HINTS[character]}" if character in _HINTS else ""
    message = f"the character {described} has no meaning here{hint}"
    found.append(Diagnostic(UNKNOWN_CHARACTER, span, message, fixes=fixes))
    return space or superfluous


def _joins(token: Token) -> bool:
    """Tell whether a token grows by what is written right behind it."""
    return token.value[-1].isalnum() or token.value[-1] == "_"


def _character(shown: str, span: Span, spelling: str, clear: bool) -> Diagnostic:
    message = f"'{shown}' is no operator of the language; write '{spelling}'"
    fixes = replacement(f"write '{spelling}'", span, spelling, automatic=clear)
    return Diagnostic(UNKNOWN_CHARACTER, span, message, fixes=fixes)


def _number(token: Token, before: list[Token], after: Token | None, found: list[Diagnostic]) -> Token:
    """Report a number that is none, between these tokens, and return one that can be read."""
    span = Span(token.start, token.end)
    if token.type == "NUMBER":
        mantissa, _, exponent = token.value.lower().partition("e")
        if len(mantissa) > _MAX_DIGITS or (exponent and len(exponent.lstrip("+-0")) > 3):
            message = f"the number has more than about {_MAX_DIGITS} digits"
            found.append(Diagnostic(MALFORMED_NUMBER, span, message))
            return Token("NUMBER", "0", token.start, token.end)
        return token
    end = 0
    while token.value[end].isascii() and (token.value[end].isdigit() or token.value[end] == "."):
        end += 1
    digits, tail = token.value[:end], token.value[end:]
    if tail in KEYWORDS:
        fixes = replacement(f"write '{digits} {tail}'", span, f"{digits} {tail}", automatic=True)
        message = f"found '{tail}' directly after a number, expected a blank between them"
        found.append(Diagnostic(MALFORMED_NUMBER, span, message, fixes=fixes))
    elif tail in ("e", "E"):
        message = f"the exponent of '{token.value}' is missing; a number is written '{digits}' or '{digits}e3'"
        found.append(Diagnostic(MALFORMED_NUMBER, span, message, fixes=replacement(f"write '{digits}'", span, digits)))
    elif tail.isidentifier() and tail[0] != "_" and digits != "0":
        binds = _is_bound(before)
        product = f"({digits} * {tail})" if binds else f"{digits} * {tail}"
        # What follows 'x' of '2x' belongs to it, as the index of '2x[1]', and so not behind parentheses.
        goes_on = after is not None and after.type in ("LPAR", "LSQB", "CARET")
        # '1.0f' and '3L' are numbers of other languages.
        clear = _begins_term(before) and "." not in digits and tail.lower() not in _SUFFIXES
        fixes = () if binds and goes_on else replacement(f"multiply: '{product}'", span, product, automatic=clear)
        message = f"found '{tail}' directly after a number; write '{product}' to multiply"
        if tail in ("L", "f", "F", "d") and fixes:
            fixes = (*replacement(f"write '{digits}'", span, digits), *fixes)
        found.append(Diagnostic(MALFORMED_NUMBER, span, message, fixes=fixes))
    else:
        message, meant = f"'{token.value}' is no number", _elsewhere(token.value)
        fixes = replacement(f"write '{meant}'", span, meant) if meant else ()
        hint = (
            ""
            if not meant
            else ": digits are not grouped"
            if token.value[:1] != "0"
            else ": numbers are written with decimal digits"
        )
        found.append(Diagnostic(MALFORMED_NUMBER, span, message + hint, fixes=fixes))
    return Token("NUMBER", digits if len(digits) <= _MAX_DIGITS else "0", token.start, token.end)


def _elsewhere(text: str) -> str | None:
    """Return the number that other languages write like this: ``0x1F``, ``0b101``, ``1_000``."""
    plain = text.replace("_", "")
    if len(text) > _MAX_DIGITS or "__" in text or text.endswith("_"):
        return None
    if plain.isascii() and plain.isdigit():
        return plain
    base = _BASES.get(plain[:2].lower())
    try:
        return None if base is None else str(int(plain, base))
    except ValueError:
        return None


_BASES = {"0x": 16, "0b": 2, "0o": 8}
_SUFFIXES = ("f", "d", "l", "ll", "u", "ul", "ull", "j")
_SIGNS = ("PLUS", "MINUS", "NOT", "BANG")


def _is_bound(before: list[Token]) -> bool:
    """Tell whether what follows these tokens, signs aside, is the right operand of something that binds as tightly as a product, or more."""
    types = [token.type for token in before]
    while types and types[-1] in _SIGNS:
        types.pop()
    return bool(types) and (types[-1] in ("SLASH", "PERCENT", "CARET") or types[-2:] == ["STAR", "STAR"])


def _begins_term(before: list[Token]) -> bool:
    """Tell whether a product that follows these tokens is a whole term of a sum, or the last factors of one."""
    match [token.type for token in before[-2:]]:
        case [] | [*_, "LPAR" | "COMMA" | "ASSIGN"]:
            return True
        case [operand, "PLUS" | "MINUS" | "STAR"]:
            return operand in OPERAND_ENDS
        case _:
            return False


def _equals(tokens: list[Token], found: list[Diagnostic]) -> list[Token]:
    """Make every ``=`` what it is: of a declaration (EQUAL), of a named argument (NAMED), or a slip for ``==``."""
    kept: list[Token] = []
    head = tokens[0].type
    declares = head in ("PARAM", "CONST")
    calls: list[str] = []  # what stands before each open bracket: the name of a call, or nothing
    samples = assigns = False
    for index, token in enumerate(tokens):
        type_ = token.type
        if type_ == "TILDE":
            samples = assigns = True
        elif type_ == "ASSIGN":
            assigns = True
        elif type_ in ("LPAR", "LSQB", "LBRACE"):
            name = tokens[index - 1] if index and type_ == "LPAR" else None
            calls.append(name.value if name and name.type == "NAME" else "")
        elif type_ in ("RPAR", "RSQB", "RBRACE"):
            if calls:
                calls.pop()
        elif type_ == "EQUAL":
            if declares and not calls:
                declares = False
            elif head == "NAME" and not calls and tokens[1].type in ("LPAR", "COMMA", "DOTS") and not assigns:
                pass  # neither a target nor an expression; explained where reading stops
            elif head in ("SECRET", "OUTPUT") or (index == 2 and tokens[1].type in _AUGMENTING):
                pass  # no declaration has a value, and there is no '+='; explained where reading stops
            elif head == "FOR" and index == 2:
                token = _mend(token, "IN", "in", "loops are written 'for i in a..b'", UNEXPECTED, found)
            elif head == "NAME" and not calls and _is_target(tokens[:index]):
                draws = _begins_distribution(tokens[index + 1 : index + 3])
                type_, word = ("TILDE", "~") if draws else ("ASSIGN", ":=")
                what = "sample" if draws else "assign"
                message = f"'=' alone does nothing here; write '{word}' to {what}"
                clear = not _turned(tokens, index)
                assigns, samples = True, draws
                token = _mend(token, type_, word, message, NO_STATEMENT, found, clear)
            elif index and tokens[index - 1].type in _AUGMENTING:
                pass  # '+=' on an element, or on a line that the statement above goes on to; explained where reading stops
            elif _names(tokens, index, calls, samples, head):
                token = token._replace(type="NAMED")
            else:
                message = "'=' compares nothing; write '==' to compare"
                # 'x := y = 1' may assign to both.
                chained = assigns and not calls and _is_target(kept[_last_assignment(kept) + 1 :])
                compares = bool(kept) and kept[-1].type in OPERAND_ENDS and not _may_name(tokens, index, calls)
                declared = head in ("PARAM", "CONST") and not calls
                clear = compares and not chained and not declared and not samples and not _turned(tokens, index)
                token = _mend(token, "EQ", "==", message, SINGLE_EQUALS, found, clear)
        kept.append(token)
    return kept


def _may_name(tokens: list[Token], index: int, calls: list[str]) -> bool:
    """Tell whether the ``=`` at ``index`` would name an argument elsewhere, as in ``exp(x = 2)``; in ``P(x = 2)`` it compares."""
    if not calls or not calls[-1] or index < 2 or calls[-1] in MEASURES:
        return False
    return tokens[index - 1].type == "NAME" and tokens[index - 2].type in ("LPAR", "COMMA")


def _turned(tokens: list[Token], index: int) -> bool:
    """Tell whether an ``=`` may be the second half of an operator: ``=!``, ``=-``."""
    token, following = tokens[index], tokens[index + 1] if index + 1 < len(tokens) else None
    return following is not None and following.start == token.end and following.type in ("BANG", *_AUGMENTING)


def _last_assignment(tokens: list[Token]) -> int:
    return max(at for at, token in enumerate(tokens) if token.type in ("ASSIGN", "TILDE"))


def _mend(
    token: Token, type_: str, word: str, message: str, rule: Rule, found: list[Diagnostic], clear: bool = True
) -> Token:
    """Report a token and return the one that was meant, in its place."""
    span = Span(token.start, token.end)
    found.append(Diagnostic(rule, span, message, fixes=replacement(f"write '{word}'", span, word, automatic=clear)))
    return Token(type_, word, token.start, token.end)


_AUGMENTING = ("PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "CARET", "COLON")


def _is_target(tokens: list[Token]) -> bool:
    """Tell whether these are a variable or an element, and nothing else."""
    types = [token.type for token in tokens]
    return types == ["NAME"] or (types[:2] == ["NAME", "LSQB"] and types.count("RSQB") == 1 and types[-1] == "RSQB")


def _begins_distribution(tokens: list[Token]) -> bool:
    match tokens:
        case [Token("LBRACE"), *_]:
            return True
        case [Token("NAME", name), Token("LPAR")]:
            return name in DISTRIBUTIONS
        case _:
            return False


def _names(tokens: list[Token], index: int, calls: list[str], samples: bool, head: str) -> bool:
    """Tell whether the ``=`` at ``index`` stands where it may name an argument of a distribution or measure."""
    if not calls or not calls[-1] or index < 2 or tokens[index - 1].type != "NAME":
        return False
    if samples:
        return tokens[index - 2].type in ("LPAR", "COMMA")
    if head in ("SHOW", "REQUIRE"):
        return tokens[index - 2].type == "COMMA" and takes_named(calls[-1])
    return False
