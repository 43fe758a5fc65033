"""Chains of JANI, against an interpreter that is written down here: it goes from state to state in exact fractions."""

from __future__ import annotations

import itertools
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest
from tests.checking.trees import run, tree

from seepage.imports.jani import of_jani
from seepage.imports.writing import NotImported
from seepage.program import parse

Json: TypeAlias = dict[str, Any]
State: TypeAlias = tuple[tuple[str, int], ...]


def op(operator: str, left: object, right: object) -> Json:
    return {"op": operator, "left": left, "right": right}


def bounded(name: str, high: int, start: int = 0) -> Json:
    kind = {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": high}
    return {"name": name, "type": kind, "initial-value": start}


def to(location: str, chance: object = None, **updates: object) -> Json:
    assigned = [{"ref": name, "value": value} for name, value in updates.items()]
    return {
        "location": location,
        "assignments": assigned,
        **({} if chance is None else {"probability": {"exp": chance}}),
    }


def edge(location: str, *destinations: Json, guard: object = None, action: str | None = None) -> Json:
    made: Json = {"location": location, "destinations": list(destinations)}
    made |= {} if guard is None else {"guard": {"exp": guard}}
    return made | ({} if action is None else {"action": action})


def model(*automata: Json, syncs: list[list[str | None]] | None = None, variables: list[Json] | None = None) -> Json:
    system: Json = {"elements": [{"automaton": each["name"]} for each in automata]}
    if syncs is not None:
        system["syncs"] = [{"synchronise": each, "result": "r"} for each in syncs]
    constants = [{"name": "N", "type": "int", "value": 3}, {"name": "p", "type": "real", "value": 0.25}]
    return {
        "jani-version": 1, "name": "m", "type": "dtmc", "constants": constants, "variables": variables or [],
        "automata": list(automata), "system": system,
    }  # fmt: skip


def automaton(name: str, edges: list[Json], variables: list[Json] | None = None) -> Json:
    locations = dict.fromkeys(
        each for one in edges for each in (one["location"], *(end["location"] for end in one["destinations"]))
    )
    return {
        "name": name, "locations": [{"name": each} for each in locations], "initial-locations": [next(iter(locations))],
        "variables": variables or [], "edges": edges,
    }  # fmt: skip


# --- the interpreter --------------------------------------------------------------------------------------------------

SIGNS = {"=": "__eq__", "≠": "__ne__", "<": "__lt__", "≤": "__le__", ">": "__gt__", "≥": "__ge__", "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "%": "__mod__"}  # fmt: skip
CONSTANTS = {"N": 3, "p": Fraction(1, 4)}


def meaning(value: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        return known[value]
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return Fraction(str(value))
    match value:
        case {"op": "ite", "if": condition, "then": one, "else": other}:
            return meaning(one if meaning(condition, known) else other, known)
        case {"op": "¬", "exp": inner}:
            return not meaning(inner, known)
        case {"op": "∧", "left": left, "right": right}:
            return meaning(left, known) and meaning(right, known)
        case {"op": "∨", "left": left, "right": right}:
            return meaning(left, known) or meaning(right, known)
        case {"op": "⇒", "left": left, "right": right}:
            return not meaning(left, known) or meaning(right, known)
        case {"op": sign, "left": left, "right": right}:
            return getattr(Fraction(meaning(left, known)), SIGNS[sign])(Fraction(meaning(right, known)))
    raise AssertionError(value)


def moves(chain: Json, state: State) -> Iterator[list[tuple[str, Json]]]:
    """Yield what may happen: edges of automata that are taken together."""
    known = {**CONSTANTS, **dict(state)}

    def enabled(one: Json, action: str | None) -> list[tuple[str, Json]]:
        names = [each["name"] for each in one["locations"]]
        return [
            (one["name"], each)
            for each in one["edges"]
            if each.get("action") == action
            and names.index(each["location"]) == known[f"at_{one['name']}"]
            and meaning(each.get("guard", {"exp": True})["exp"], known)
        ]

    for one in chain["automata"]:
        yield from ([each] for each in enabled(one, None))
    for sync in chain["system"].get("syncs", []):
        taking = [
            enabled(one, action)
            for one, action in zip(chain["automata"], sync["synchronise"], strict=True)
            if action is not None
        ]
        yield from map(list, itertools.product(*taking))


def after(chain: Json, steps: int) -> dict[State, Fraction]:
    """Return the law of states after so many steps; a state where nothing may happen stays."""
    start: dict[str, int] = {each["name"]: int(each["initial-value"]) for each in chain["variables"]}
    names = {one["name"]: [each["name"] for each in one["locations"]] for one in chain["automata"]}
    for one in chain["automata"]:
        start |= {each["name"]: int(each["initial-value"]) for each in one["variables"]}
        start[f"at_{one['name']}"] = names[one["name"]].index(one["initial-locations"][0])
    law: dict[State, Fraction] = {tuple(sorted(start.items())): Fraction(1)}
    for _ in range(steps):
        following: dict[State, Fraction] = defaultdict(Fraction)
        for state, chance in law.items():
            known = {**CONSTANTS, **dict(state)}
            possible = list(moves(chain, state))
            if not possible:
                following[state] += chance
            for together in possible:
                for ends in itertools.product(*(each["destinations"] for _, each in together)):
                    changed, share = dict(state), chance / len(possible)
                    for (name, _), end in zip(together, ends, strict=True):
                        share *= meaning(end.get("probability", {"exp": 1})["exp"], known)
                        changed[f"at_{name}"] = names[name].index(end["location"])
                        changed |= {each["ref"]: int(meaning(each["value"], known)) for each in end["assignments"]}
                    following[tuple(sorted(changed.items()))] += share
        law = {state: chance for state, chance in following.items() if chance}
    return law


# --- chains -----------------------------------------------------------------------------------------------------------

HALF = 0.5
DIE = automaton(
    "die",
    [
        edge("0", to("1", HALF), to("2", HALF)),
        edge("1", to("3", HALF), to("4", HALF)),
        edge("2", to("5", HALF), to("6", HALF)),
        edge("3", to("1", HALF), to("end", HALF, d=1)),
        edge("4", to("end", HALF, d=2), to("end", HALF, d=3)),
        edge("5", to("end", HALF, d=4), to("end", HALF, d=5)),
        edge("6", to("2", HALF), to("end", HALF, d=6)),
    ],
    [bounded("d", 6)],
)
# Silent edges, two that go together, one that goes alone by a vector of its own, and one whose action no vector has.
FIRST = automaton(
    "first",
    [
        edge(
            "on",
            to("on", "p", x=op("%", op("+", "x", 1), op("+", "N", 1))),
            to("off", op("-", 1, "p")),
            guard=op("<", "x", "N"),
        ),
        edge("off", to("on"), guard={"op": "¬", "exp": op("=", "y", 1)}, action="a"),
        edge(
            "off", to("off", x={"op": "ite", "if": op(">", "x", 0), "then": op("-", "x", 1), "else": "x"}), action="b"
        ),
        edge("on", to("off", x=0), action="never"),
    ],
)
SECOND = automaton(
    "second",
    [
        edge("only", to("only", 0.75, y=op("%", op("+", "y", 1), 3)), to("only", 0.25, y=0), action="go"),
        edge("only", to("only", y=2), guard=op("∧", op("⇒", op("=", "y", 0), op("≥", "x", 2)), op("≠", "y", 2))),
    ],
)
TOGETHER = model(
    FIRST,
    SECOND,
    syncs=[["a", "go"], ["b", None], ["never", "missing"]],
    variables=[bounded("x", 3, 1), bounded("y", 2)],
)


def test_a_die_of_coins_is_fair() -> None:
    program = parse(of_jani(json.dumps(model(DIE)), outputs=["d"]))
    for face in range(1, 7):
        assert program.measure(f"P(d == {face})").exact == Fraction(1, 6)


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_automata_that_go_alone_and_together(steps: int) -> None:
    assert_same(TOGETHER, steps, ["x", "y", "at_first"])


def assert_same(chain: Json, steps: int, names: list[str]) -> None:
    program = parse(of_jani(json.dumps(chain), outputs=names, steps=steps))
    law: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for state, chance in after(chain, steps).items():
        law[tuple(dict(state)[each] for each in names)] += chance
    assert sum(law.values()) == 1
    for values, chance in law.items():
        event = " and ".join(f"{name} == {value}" for name, value in zip(names, values, strict=True))
        assert program.measure(f"P({event})").exact == chance, event


def test_random_chains_have_the_law_of_the_interpreter() -> None:
    random = Random(7)
    for _ in range(6):
        automata = [random_automaton(random, name, others) for name, others in (("u", "vw"), ("v", "uw"), ("w", "uv"))]
        syncs = [[random.choice(["a", "b", None]) for _ in automata] for _ in range(random.randint(1, 3))]
        chain = model(*automata, syncs=syncs, variables=[bounded(f"n{each}", 2) for each in "uvw"])
        assert_same(chain, random.randint(1, 2), ["nu", "nv", "nw", *(f"at_{each}" for each in "uvw")])


def random_automaton(random: Random, name: str, others: str) -> Json:
    def value() -> object:
        return random.choice([0, 1, 2, op("%", op("+", f"n{name}", 1), 3), f"n{random.choice(others)}"])

    edges = [edge("s", to("s"), to("t", 0)), edge("t", to("s", **{f"n{name}": value()}))]
    edges[0]["destinations"][0]["probability"] = {"exp": 1}
    for _ in range(random.randint(1, 4)):
        chance = random.choice([0.5, 0.1, "p"])
        guard = op(random.choice(["<", "≠", "≥", "="]), f"n{random.choice('uvw')}", random.randint(0, 2))
        ends = [to(random.choice("st"), chance, **{f"n{name}": value()}), to(random.choice("st"), op("-", 1, chance))]
        edges.append(edge(random.choice("st"), *ends, guard=guard, action=random.choice([None, "a", "b"])))
    return automaton(name, edges)


def test_the_command_reads_it_by_its_name(tmp_path: Path) -> None:
    tree(tmp_path, {"die.jani": json.dumps(model(DIE))})
    found = run("import", "die.jani", "--output", "d", inside=tmp_path)
    assert found.exit_code == 0, found.output
    assert parse(found.stdout).measure("H(d)").value == pytest.approx(math.log2(6))


def changed(**parts: object) -> str:
    return json.dumps({**model(DIE), **parts})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "line 1: it is no JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "the file: expected an object"),
        (changed(type="mdp"), "models of type 'mdp' are not imported: only 'dtmc'"),
        (changed(variables=[{"name": "c", "type": "real", "initial-value": 0}]), "variable 'c': expected a Boolean, or"),
        (changed(variables=[{**bounded("c", 2), "initial-value": 5}]), "'c' gets the value 5, which is not in 0..2"),
        (changed(variables=[{"name": "c", "type": "bool"}]), "variable 'c': it has no initial value"),
        (changed(variables=[bounded("c", 1)] * 2), "variable 'c': 'c' is declared twice"),
        (changed(system={"elements": [{"automaton": "other"}]}), "system: expected each element to be an automaton"),
        (json.dumps(model(automaton("a", [edge("s", to("t"), action="b")]))), "no 'syncs'"),
        (json.dumps(model(automaton("a", [edge("s", to("t", x=1))]))), "automaton 'a', edge 1: there is no variable or constant 'x'"),
        (json.dumps(model(automaton("a", [edge("s", to("t", 0.5), to("s", 0.4))]))), "automaton 'a', edge 1: the chances come to 0.9"),
        (json.dumps(model(automaton("a", [edge("s", to("t"), guard={"op": "der", "var": "x"})]))), "edge 1: 'der' is not imported"),
        (json.dumps(model(DIE)).replace("0.25", "1e99999"), "a number has more than 400 digits"),
        (json.dumps(model(automaton("a\nb", [edge("s", to("t"), action="x")]))).replace('"x"', '["x"]'), "an edge: expected a text"),
        (json.dumps(model(DIE)).replace("0.25", "NaN"), "NaN is no number"),
        (changed(**{"restrict-initial": {"exp": {"op": "=", "left": "d", "right": 1}}}), "'restrict-initial' is not imported"),
    ],
)  # fmt: skip
def test_what_is_not_in_the_subset_is_refused_where_it_stands(text: str, told: str) -> None:
    with pytest.raises(NotImported) as error:
        of_jani(text, outputs=["d"] if '"d"' in text else [])
    assert told in str(error.value)
    assert "\n" not in str(error.value)
