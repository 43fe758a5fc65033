"""Makes the parse table of the grammar with lark: ``python -m seepage.syntax.table_maker`` after each change of ``grammar.lark``.

Nothing that reads programs imports this: lark takes a tenth of a second to make the table.
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from lark import Lark
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

from seepage.syntax.build import NODES, STARTS


class _TokenLexer(Lexer):
    """Stands for the lexer that lark wants: our tokens are cut by :mod:`seepage.syntax.tokens`."""

    def __init__(self, lexer_conf: object) -> None:
        pass

    def lex(self, data: Any) -> Any:  # type: ignore[override]  # lark's interface for custom lexers
        return iter(data)


class _Functions:
    """The builders of nodes as lark looks them up: by name."""


for _name, _function in NODES.items():
    setattr(_Functions, _name, staticmethod(_function))


def grammar() -> str:
    """Return the text of the grammar."""
    return files("seepage.syntax").joinpath("grammar.lark").read_text("utf-8")


def parser() -> Lark:
    """Return lark's parser for tokens of :mod:`seepage.syntax.tokens`, which builds nodes."""
    return Lark(
        grammar(),
        parser="lalr",
        lexer=_TokenLexer,
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=cast("Any", _Functions),  # lark only looks up the functions by name
    )


def saved(lark: Lark) -> dict[str, Any]:
    """Return the table of lark's parser as plain data, from which :func:`seepage.syntax.lalr.table_of` makes it.

    ``states`` lists, by the number of the state, where to go with a symbol and which rule to reduce by before a terminal; ``rules`` are [symbol
    made, number of symbols, name of the builder, whether it only hands on, [index, whether inner, how many are left out before] of each
    symbol that is wanted, how many are left out behind].
    """
    made: Any = cast("Any", lark.parser).parser._parse_table
    callbacks: Any = cast("Any", lark.parser).parser.parser.callbacks
    # Numbers by the text of rules and states, as lark's own order changes from run to run.
    numbers = {rule: number for number, rule in enumerate(sorted(callbacks, key=_text))}
    order = _order(made)
    states: list[dict[str, dict[str, int]]] = [{"shift": {}, "reduce": {}} for _ in order]
    for state, number in order.items():
        for symbol, (kind, argument) in sorted(made.states[state].items(), key=lambda one: str(one[0])):
            if kind is Shift:
                states[number]["shift"][str(symbol)] = order[argument]
            else:
                states[number]["reduce"][str(symbol)] = numbers[argument]
    return {
        "starts": {start: order[state] for start, state in sorted(made.start_states.items())},
        "ends": {start: order[state] for start, state in sorted(made.end_states.items())},
        "rules": [_rule(rule, callbacks[rule]) for rule in numbers],
        "states": states,
    }


def _text(rule: Any) -> str:
    return f"{rule.origin.name}: {' '.join(one.name for one in rule.expansion)} -> {rule.alias} {rule.order}"


def _order(made: Any) -> dict[int, int]:
    """Return numbers for the states in the order in which they are met from the starts."""
    order: dict[int, int] = {}
    waiting = [state for _, state in sorted(made.start_states.items())]
    for state in waiting:
        if state not in order:
            order[state] = len(order)
            row = sorted(made.states[state].items(), key=lambda one: str(one[0]))
            waiting.extend(argument for _, (kind, argument) in row if kind is Shift)
    return order


def _rule(rule: Any, callback: Any) -> list[Any]:
    include, nothing = None, 0
    while hasattr(callback, "node_builder"):
        if hasattr(callback, "to_include"):
            include = [[*one, 0][:3] for one in callback.to_include]
            nothing = getattr(callback, "append_none", 0)
        callback = callback.node_builder
    name = rule.alias or str(rule.origin.name)
    return [
        str(rule.origin.name),
        len(rule.expansion),
        str(name) if name in NODES else None,
        _hands_on(rule),
        include,
        nothing,
    ]


def _hands_on(rule: Any) -> bool:
    """Tell whether a rule hands on its only symbol as it is: one of a ``?rule`` without a name of its own."""
    return bool(
        len(rule.expansion) == 1
        and rule.options.expand1
        and not rule.alias
        and not rule.expansion[0].name.startswith("_")
        and not any(rule.options.empty_indices)
    )


def written(table: dict[str, Any]) -> str:
    """Return the text of the saved table."""
    return json.dumps(table, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("grammar_table.json").write_text(written(saved(parser())), encoding="utf-8")
