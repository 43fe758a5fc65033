"""Bayesian networks in the interchange format BIF, as the public repositories have them: variables with named states, and tables given the parents."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from seepage.data_classes import dataclass
from seepage.imports.writing import NotImported, law, name, number, value

_TOKEN = re.compile(r'//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|"[^"\n]*+"|[{}()\[\];,|]|[^\s{}()\[\];,|"]++')
_MOST_ROWS = 20_000  # of all tables


@dataclass(frozen=True, slots=True)
class _Table:
    """The law of a variable: parents, and a row of probabilities for each choice of their states; ``rest`` is for all choices that have none."""

    parents: tuple[str, ...]
    rows: dict[tuple[str, ...], list[str]]
    rest: list[str] | None


@dataclass(slots=True)
class _Tokens:
    """What is left of the text. Mutable: belongs to one reading."""

    left: list[str]

    def take(self, expected: str = "") -> str:
        """Return the next token; raises :class:`NotImported` if there is none, or another than is expected."""
        if not self.left:
            raise NotImported(f"the text ends where '{expected or 'more'}' is expected")
        found = self.left.pop()
        if expected and found != expected:
            raise NotImported(f"found '{found[:40]}', expected '{expected}'")
        return found

    def until(self, end: str) -> list[str]:
        """Return the tokens before another one, which is taken, without commas."""
        found: list[str] = []
        while (token := self.take()) != end:
            if token != ",":
                found.append(token)
        return found


def of_bif(text: str, secrets: Sequence[str] = (), outputs: Sequence[str] = (), *, only: bool = False) -> str:
    """Return the program of a network, in which each variable is drawn given its parents.

    Args:
        text: in BIF.
        secrets: variables to be declared so.
        outputs: the same.
        only: whether variables are left out on which none of these depends; the joint law of the others stays what it is.

    Raises:
        NotImported: the text cannot be read, or a variable is not there.
    """
    tokens = _Tokens([each for each in _TOKEN.findall(text) if not each.startswith(("//", "/*"))][::-1])
    states: dict[str, list[str]] = {}
    tables: dict[str, _Table] = {}
    while tokens.left:
        match tokens.take():
            case "network":
                tokens.until("}")
            case "variable":
                variable = tokens.take()
                states[variable] = _states(tokens, variable)
            case "probability":
                variable, table = _table(tokens)
                tables[variable] = table
            case other:
                raise NotImported(f"found '{other[:40]}', expected 'network', 'variable' or 'probability'")
    if missing := next((each for each in (*secrets, *outputs) if each not in states), None):
        raise NotImported(f"there is no variable '{missing[:40]}'")
    names: dict[str, str] = {}
    for variable in states:
        names[variable] = name(variable, list(names.values()))
    lines = [f"{word} {', '.join(names[each] for each in many)}" for word, many in (("secret", secrets), ("output", outputs)) if many]  # fmt: skip
    ordered = list(_ordered(states, tables))
    needed = {*secrets, *outputs} if only else set(states)
    for variable in reversed(ordered):
        if variable in needed:
            needed.update(tables[variable].parents)
    for variable in (each for each in ordered if each in needed):
        lines += _drawn(variable, tables[variable], states, names)
    return "\n".join(lines) + "\n"


def _states(tokens: _Tokens, variable: str) -> list[str]:
    tokens.take("{")
    found: list[str] = []
    while (token := tokens.take()) != "}":
        if token == "type":
            tokens.take("discrete")
            tokens.take("[")
            tokens.until("]")
            tokens.take("{")
            found = tokens.until("}")
            tokens.take(";")
        else:  # a property
            tokens.until(";")
    if not found or len(set(found)) < len(found):
        raise NotImported(f"variable '{variable[:40]}': expected different states")
    return found


def _table(tokens: _Tokens) -> tuple[str, _Table]:
    tokens.take("(")
    variable, *rest = tokens.until(")")
    parents = tuple(each for each in rest if each != "|")
    tokens.take("{")
    rows: dict[tuple[str, ...], list[str]] = {}
    default: list[str] | None = None
    while (token := tokens.take()) != "}":
        match token:
            case "table":
                rows[()] = tokens.until(";")
            case "default":
                default = tokens.until(";")
            case "(":
                given = tuple(tokens.until(")"))
                rows[given] = tokens.until(";")
            case _:
                tokens.until(";")
    return variable, _Table(parents, rows, default)


def _ordered(states: dict[str, list[str]], tables: dict[str, _Table]) -> Iterator[str]:
    """Yield the variables, parents first.

    Raises:
        NotImported: a table or a parent is not there, or the parents go round.
    """
    done: set[str] = set()
    left = list(states)
    for variable in left:
        if variable not in tables:
            raise NotImported(f"variable '{variable[:40]}' has no probabilities")
        if unknown := next((each for each in tables[variable].parents if each not in states), None):
            raise NotImported(f"'{variable[:40]}' depends on '{unknown[:40]}', which is no variable")
    while left:
        ready = [each for each in left if done.issuperset(tables[each].parents)]
        if not ready:
            raise NotImported(f"'{left[0][:40]}' depends on itself")
        yield from ready
        done.update(ready)
        left = [each for each in left if each not in done]


def _drawn(variable: str, table: _Table, states: dict[str, list[str]], names: dict[str, str]) -> Iterator[str]:
    place = f"probability of '{variable[:40]}'"
    if len(table.rows) > _MOST_ROWS:
        raise NotImported(f"{place}: more than {_MOST_ROWS:,} rows")
    values = [value(each, place) for each in states[variable]]
    rows = dict(table.rows)
    if table.parents and set(rows) == {()}:  # one long table: the states of the variable vary slowest
        rows = _unfolded(rows[()], table, states, place)
    laws: dict[tuple[str, ...], str] = {}
    for choice in itertools.product(*(states[parent] for parent in table.parents)):
        chances = rows.get(choice, table.rest)
        if chances is None:
            raise NotImported(f"{place}: no row for ({', '.join(choice)})")
        laws[choice] = law(values, [number(each, place) for each in chances], place)
    tests = [(names[parent], [(state, value(state, place)) for state in states[parent]]) for parent in table.parents]
    yield from _branches(names[variable], laws, tests, ())


def _branches(
    variable: str,
    laws: dict[tuple[str, ...], str],
    tests: Sequence[tuple[str, list[tuple[str, str]]]],
    known: tuple[str, ...],
) -> list[str]:
    """Return the statements that draw a variable where the states of its first parents are known: a branch on the next parent, in whose arms the rest is known.

    States for which the same follows share an arm, so that a parent that does not matter there is not asked for.
    """
    if not tests:
        return [f"{variable} ~ {laws[known]}"]
    (parent, states), *rest = tests
    arms: dict[tuple[str, ...], list[str]] = {}
    for state, written in states:
        arms.setdefault(tuple(_branches(variable, laws, rest, (*known, state))), []).append(written)
    if len(arms) == 1:
        return list(next(iter(arms)))
    lines: list[str] = []
    for place, (arm, same) in enumerate(arms.items()):
        if place == len(arms) - 1:
            lines.append("} else {")
        else:
            test = " or ".join(f"{parent} == {written}" for written in same)
            lines.append(f"{'} else ' if place else ''}if {test} {{")
        lines += [f"  {line}" for line in arm]
    return [*lines, "}"]


def _unfolded(
    cells: Sequence[str], table: _Table, states: dict[str, list[str]], place: str
) -> dict[tuple[str, ...], list[str]]:
    choices = list(itertools.product(*(states[parent] for parent in table.parents)))
    if len(cells) % len(choices):
        raise NotImported(f"{place}: found {len(cells)} probabilities for {len(choices)} choices of the parents")
    return {choice: list(cells[at :: len(choices)]) for at, choice in enumerate(choices)}
