"""The loop over lark's parse table: lark made the table, which is saved; this reads tokens with it.

lark's own loop looks up each rule by a hash computed in Python, wants tokens with lines and columns, and climbs from an operand to an
expression through every level of precedence. Here a climb, a chain of reductions of one symbol to another that build nothing, is one
step: where it ends depends on the state under the operand, the state of the operand and the next token only, and is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from seepage.data_classes import dataclass
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


def table_of(saved: Mapping[str, Any], functions: Mapping[str, Builder]) -> Table:
    """Return the table that :func:`seepage.syntax.table_maker.saved` wrote.

    Args:
        saved: the states and rules.
        functions: what makes a node of the symbols of a rule, by the name of the rule.
    """
    rules = [_rule(one, functions) for one in saved["rules"]]
    gotos: dict[str, dict[int, int]] = {}
    for state, saved_row in enumerate(saved["states"]):
        for symbol, target in saved_row["shift"].items():
            gotos.setdefault(symbol, {})[state] = target
    rows: dict[int, dict[str, _Action]] = {}
    for state, saved_row in enumerate(saved["states"]):
        row: dict[str, _Action] = dict(saved_row["shift"])
        rows[state] = row
        for symbol, number in saved_row["reduce"].items():
            origin, size, build = rules[number]
            row[symbol] = _Climb(rows, gotos[origin], symbol) if build is None else (size, build, gotos[origin])
    return Table(rows, saved["starts"], saved["ends"])


@dataclass(slots=True)
class _Inner:
    """What a rule of the grammar's own (a repetition) matched: its symbols belong to the rule around it."""

    children: list[Any]


def _rule(saved: Sequence[Any], functions: Mapping[str, Builder]) -> tuple[str, int, Builder | None]:
    """Return the symbol that a rule makes, the number of its symbols, and what builds its node; None if it hands on its only one."""
    origin, size, name, hands_on, include, nothing = saved
    if hands_on:
        return origin, size, None
    build: Builder = _Inner if name is None else functions[name]
    return origin, size, build if include is None else _chosen(build, include, nothing)


def _chosen(build: Builder, include: Sequence[tuple[int, bool, int]], nothing: int) -> Builder:
    """Return a builder that gets the symbols it wants: inner ones in the place of their rule, None for those left out."""

    def choose(parts: list[Any]) -> Any:
        chosen: list[Any] = []
        for index, is_inner, missing in include:
            if missing:
                chosen += [None] * missing
            if not is_inner:
                chosen.append(parts[index])
            elif chosen:
                chosen += parts[index].children
            else:
                chosen = parts[
                    index
                ].children  # nobody else holds it, and long repetitions would be copied at each step
        if nothing:
            chosen += [None] * nothing
        return build(chosen)

    return choose


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
