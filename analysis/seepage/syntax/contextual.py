"""Words that are keywords only where they stand: names everywhere else, so that no program loses a variable called ``count`` or ``weight``."""

from __future__ import annotations

from collections.abc import Sequence

from seepage.syntax.tokens import OPERAND_ENDS, Token

# What begins a statement, outside of brackets and where it is no target.
HEADS = frozenset(
    {"def", "enum", "table", "attacker", "import", "return", "break", "continue", "repeat", "until", "never"}
)
_LONGEST_IMPORT = 100
_AFTER_TARGETS = ("ASSIGN", "TILDE", "EQUAL", "COMMA", "DOT")
NEVER_GIVEN = (*_AFTER_TARGETS, "LSQB", "RBRACE", "SEMICOLON")


def is_head(tokens: Sequence[Token]) -> bool:
    """Tell whether the word that begins a piece is a keyword: what follows does not make it a target."""
    token = tokens[0]
    if token.type != "NAME" or token.value not in HEADS:
        return False
    if _is_target(tokens, 1):
        return False
    # An import is one of a file: others are those of other languages.
    return token.value != "import" or any(one.type == "STRING" for one in tokens[:_LONGEST_IMPORT])


def _is_target(tokens: Sequence[Token], following: int) -> bool:
    """Tell whether what follows a name makes it a target."""
    if following >= len(tokens):
        return False
    if tokens[following].type != "LSQB":
        return tokens[following].type in _AFTER_TARGETS
    closing = _closing(tokens, following)
    return closing is None or (closing + 1 < len(tokens) and tokens[closing + 1].type in (*_AFTER_TARGETS, "LSQB"))


def _closing(tokens: Sequence[Token], opening: int) -> int | None:
    depth = 0
    for at in range(opening, len(tokens)):
        depth += {"LSQB": 1, "RSQB": -1}.get(tokens[at].type, 0)
        if depth == 0:
            return at
    return None


def with_keywords(tokens: list[Token]) -> list[Token]:
    """Return the tokens of a piece, those of words that are keywords where they stand with their terminals."""
    made = [
        token._replace(type="UNIT_IN") if token.type == "IN" and _is_no_membership(tokens, at) else token
        for at, token in enumerate(tokens)
    ]
    head = tokens[0]
    if head.type in ("SHOW", "REQUIRE") and _is_direction(tokens):
        made[1] = made[1]._replace(type={"max": "MAXIMUM", "min": "MINIMUM"}[made[1].value])
    if is_head(tokens):
        made[0] = head._replace(type=head.value.upper())
        if head.value in ("import", "table"):
            made = [
                one._replace(type=one.value.upper())
                if at and one.type == "NAME" and one.value in ("from", "as", "weight") and _ends_name(tokens[at - 1])
                else one
                for at, one in enumerate(made)
            ]
    else:
        given = _given(tokens)
        if given is not None:
            made[given] = made[given]._replace(type="GIVEN")
    return made


def _is_no_membership(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether an ``in`` stands before a unit, or behind the value of a parameter, by mistake."""
    if at + 1 < len(tokens) and tokens[at + 1].type == "LBRACE":
        return False
    match tokens[0].type:
        case "SHOW":
            return _depth(tokens, at) == 0
        case "PARAM":
            return at > 2
        case _:
            return False


def _depth(tokens: Sequence[Token], at: int) -> int:
    opening = sum(one.type in ("LPAR", "LSQB", "LBRACE") for one in tokens[:at])
    return opening - sum(one.type in ("RPAR", "RSQB", "RBRACE") for one in tokens[:at])


def _is_direction(tokens: Sequence[Token]) -> bool:
    return len(tokens) > 2 and tokens[1].value in ("max", "min") and tokens[2].type in ("NAME", "NUMBER")


def _ends_name(token: Token) -> bool:
    return token.type in ("NAME", "STRING") and token.value not in ("from", "as", "weight", "import", "table")


def _given(tokens: Sequence[Token]) -> int | None:
    """Return where the ``given`` of a draw stands, if it has one."""
    depth = 0
    draws = False
    for at, token in enumerate(tokens):
        if token.type in ("LPAR", "LSQB", "LBRACE"):
            depth += 1
        elif token.type in ("RPAR", "RSQB", "RBRACE"):
            depth -= 1
        elif token.type == "TILDE":
            draws = True
        elif draws and depth == 0 and _is_given(tokens, at):
            return at
    return None


def _is_given(tokens: Sequence[Token], at: int) -> bool:
    if tokens[at].type != "NAME" or tokens[at].value != "given" or tokens[at - 1].type not in OPERAND_ENDS:
        return False
    if at + 1 == len(tokens):
        return tokens[at - 1].type == "RPAR"  # its condition is still to be typed
    return tokens[at + 1].type not in NEVER_GIVEN
