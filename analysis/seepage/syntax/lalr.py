"""The loop over lark's parse table: lark makes the table and the builders of nodes, this reads tokens with them.

lark's own loop looks up each rule by a hash computed in Python, wants tokens with lines and columns, and climbs from an operand to an
expression through every level of precedence. Here a climb, a chain of reductions of one symbol to another that build nothing, is one
step: where it ends depends on the state under the operand, the state of the operand and the next token only, and is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lark import Lark
from lark.parsers.lalr_analysis import Shift

from seepage.syntax.tokens import Token

END = "$END"

Builder: TypeAlias = Callable[[list[Any]], Any]


class NoAction(Exception):
    """No rule holds the token at ``index`` (past the last one: the tokens end too early); the terminals that fit are ``expected``."""

    def __init__(self, index: int, expected: frozenset[str]) -> None:
        super().__init__(index)
        self.index = index
        self.expected = expected


class _Climb(dict[int, int]):
    """Where a chain of reductions of one symbol to another ends, by the state under the symbol; filled when asked."""

    __slots__ = ("_gotos", "_rows", "_terminal")

    def __init__(self, rows: Mapping[int, Mapping[str, object]], gotos: Mapping[int, int], terminal: str) -> None:
        self._rows = rows
        self._gotos = gotos
        self._terminal = terminal

    def __missing__(self, under: int) -> int:
        state = self._gotos[under]
        while isinstance(onward := self._rows[state].get(self._terminal), _Climb):
            state = onward._gotos[under]
        self[under] = state
        return state


# The number of symbols, the builder of their node, and the state to go to by the state under them.
_Reduction: TypeAlias = tuple[int, Builder, Mapping[int, int]]
# A state to go to with the token, or one of the two kinds of reductions.
_Action: TypeAlias = "int | _Climb | _Reduction"


@dataclass(frozen=True, slots=True)
class Table:
    """A parse table with the builders of nodes.

    Attributes:
        rows: what to do, by state and terminal.
        starts: the first state, by start rule.
        ends: the last state, by start rule; at the end of the tokens there is nothing left to do in it.
    """

    rows: Mapping[int, Mapping[str, _Action]]
    starts: Mapping[str, int]
    ends: Mapping[str, int]


def table_of(lark: Lark) -> Table:
    """Return the table of a LALR parser whose transformer builds the nodes."""
    parser: Any = lark.parser
    made = parser.parser._parse_table
    builders: Mapping[Any, Builder] = parser.parser.parser.callbacks
    gotos: dict[str, dict[int, int]] = {}
    for state, actions in made.states.items():
        for symbol, (kind, argument) in actions.items():
            if kind is Shift:
                gotos.setdefault(symbol, {})[state] = argument
    rows: dict[int, dict[str, _Action]] = {}
    for state, actions in made.states.items():
        row = rows[state] = {}
        for symbol, (kind, argument) in actions.items():
            if kind is Shift:
                row[symbol] = argument
            elif _builds_nothing(argument):
                row[symbol] = _Climb(rows, gotos[argument.origin.name], symbol)
            else:
                row[symbol] = (len(argument.expansion), builders[argument], gotos[argument.origin.name])
    return Table(rows, made.start_states, made.end_states)


def _builds_nothing(rule: Any) -> bool:
    """Tell whether a rule hands on its only symbol as it is: one of a ``?rule`` without a name of its own."""
    return (
        len(rule.expansion) == 1
        and rule.options.expand1
        and not rule.alias
        and not rule.expansion[0].name.startswith("_")
        and not any(rule.options.empty_indices)
    )


def run(table: Table, tokens: Sequence[Token], start: str) -> Any:
    """Return the node of a start rule that the tokens make.

    Raises:
        NoAction: at the first token that no continuation fits.
    """
    rows = table.rows
    state, end = table.starts[start], table.ends[start]
    states = [state]
    values: list[Any] = []
    for index, token in enumerate((*tokens, Token(END, "", 0, 0))):
        terminal = token.type
        while True:
            action: Any = rows[state].get(terminal)  # told apart by class, which no checker follows
            if action.__class__ is int:
                state = action
                states.append(state)
                values.append(token)
                break
            if action.__class__ is _Climb:
                state = action[states[-2]]
                states[-1] = state
            elif action.__class__ is tuple:
                size, build, gotos = action
                if size == 1:
                    values[-1] = build([values[-1]])
                    state = gotos[states[-2]]
                    states[-1] = state
                else:
                    parts = values[len(values) - size :]
                    del values[len(values) - size :], states[len(states) - size :]
                    values.append(build(parts))
                    state = gotos[states[-1]]
                    states.append(state)
            elif terminal == END and state == end:
                return values[-1]
            else:
                raise NoAction(index, frozenset(symbol for symbol in rows[state] if symbol.isupper()))
    raise AssertionError("the end has an action or none")
