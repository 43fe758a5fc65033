"""Calls of mechanisms of libraries, by the table of :mod:`seepage.python.mechanisms`: objects that know their parameters, and what they draw."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from seepage import rules
from seepage.laws.discrete import TRUTH
from seepage.laws.table import DISCRETE_LAWS
from seepage.python import constants, random_calls, sequences
from seepage.python.calling import Named
from seepage.python.mechanisms import Mechanism, expression_of, law_of, names_in
from seepage.python.run import Run
from seepage.python.terms import number, truth_of
from seepage.python.values import (
    ANYTHING,
    BOOL,
    FLOAT,
    INT,
    TEXT,
    WHOLE,
    Class,
    Library,
    Num,
    Object,
    Ref,
    Support,
    Unknown,
    Value,
)
from seepage.python.world import World, push
from seepage.semantics.substitute import substitute
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression

_KINDS = {"float": FLOAT, "int": INT, "str": TEXT}
_MODULE_OF_DIFFPRIVLIB = re.compile(r"diffprivlib\.mechanisms\.[a-z_]+\.")
_PARTS_OF_OPENDP = re.compile(r"opendp\.(?:prelude(?:\.m)?|measurements|domains|metrics|mod|context)\.(\w+)")


def call(
    run: Run, node: ast.Call, path: str, positional: Sequence[Value], named: Named, world: World
) -> list[World] | None:
    """Follow a call of a library that has mechanisms; None if it has none."""
    path = _MODULE_OF_DIFFPRIVLIB.sub("diffprivlib.mechanisms.", path)
    row = run.mechanisms.get(path)
    if row is not None:
        return _made(run, node, path, row, positional, named, world)
    if path.startswith("diffprivlib."):
        name = path.removeprefix("diffprivlib.mechanisms.")
        message = f"the law of '{name}' is not in the table of mechanisms; a row of the project file can add it"
        return push(world, run.refuse(node, message))
    if path.startswith("opendp."):
        return _opendp(run, node, path, positional, named, world)
    return None


def _made(
    run: Run, node: ast.Call, path: str, row: Mechanism, positional: Sequence[Value], named: Named, world: World
) -> list[World]:
    before, star, behind = row.parameters.rpartition("*, ")
    parameters = before + behind
    allowed = len(list(filter(None, before.split(", ")))) if star else len(positional)
    found = random_calls.bind(parameters, positional, named, run)
    if found is None or len(positional) > allowed:
        run.raise_(world, "TypeError")
        return []
    state = found.pop("random_state", None)
    if not random_calls.is_free(run, node, state):
        return push(world, Unknown())
    numbers = _plain(run, node, found, world)
    if numbers is None:
        return push(world, Unknown())
    if not row.method:
        return _drawn(run, node, row, numbers, world)
    if names_in(row.need) <= set(numbers):
        inside = _inside(run, row.need, {name: value.expression for name, value in numbers.items()}, world)
        if inside is None:
            return []
        world = inside
    kind = Class(path, tuple(numbers), {})
    return push(world, run.allocate(world, Object("mechanism", tuple(numbers.values()), tuple(numbers), (), kind)))


def _plain(run: Run, node: ast.AST, values: Mapping[str, Value], world: World) -> dict[str, Num] | None:
    found: dict[str, Num] = {}
    for name, value in values.items():
        plain = run.as_number(world, value)
        if not isinstance(plain, Num):
            run.refuse(node, f"'{name}' of this mechanism must be a number or a text")
            return None
        settled = plain if plain.known is not None else run.settle(world, plain, name)
        assert isinstance(settled, Num)
        found[name] = run.refreshed(world, settled)
    return found


def apply(
    run: Run, node: ast.AST, owner: Ref, name: str, positional: Sequence[Value], named: Named, world: World
) -> list[World]:
    """Follow a method of a mechanism, or ``__call__``: the value goes in, what is drawn comes out."""
    held = world.heap[owner.id]
    assert held.type is not None
    row = run.mechanisms[held.type.name]
    if name != row.method:
        return push(world, run.refuse(node, f"'{name}' of a mechanism is not analysed"))
    values = random_calls.bind("value", positional, named, run) if len(positional) == 1 else dict(named)
    if values is None or len(values) != 1:
        run.raise_(world, "TypeError")
        return []
    (value,) = values.values()
    given = {str(key): cell for key, cell in zip(held.keys, held.cells, strict=True) if isinstance(cell, Num)}
    if (each := given.pop("vector", None)) is None or each.known == 0:
        plain = _plain(run, node, {"value": value}, world)
        return push(world, Unknown()) if plain is None else _drawn(run, node, row, {**given, **plain}, world)
    parts = sequences.parts_of(run, node, value, world)
    if parts is None:
        return push(world, Unknown())
    worlds = [world]
    for part in parts:
        after: list[World] = []
        for one in worlds:
            plain = _plain(run, node, {"value": part}, one)
            after += push(one, Unknown()) if plain is None else _drawn(run, node, row, {**given, **plain}, one)
        worlds = after
    for one in worlds:
        one.temps.append(run.allocate(one, Object("list", tuple(one.take(len(parts))))))
    return worlds


def _drawn(run: Run, node: ast.AST, row: Mechanism, given: Mapping[str, Num], world: World) -> list[World]:
    """Draw as a row says; raises as the library does where parameters are of a wrong type, or not in their domains."""
    for name, value in given.items():
        wanted = _KINDS[row.type_of(name)]
        allowed = wanted if wanted == TEXT else wanted | WHOLE
        if not value.kinds <= allowed:
            if value.kinds & allowed:
                return push(world, run.refuse(node, f"'{name}' of this mechanism may be of several types"))
            run.raise_(world, "TypeError")
            return []
    meanings = {name: value.expression for name, value in given.items()}
    inside = _inside(run, row.need, meanings, world)
    if inside is None:
        return []
    world = inside
    law = law_of(row.draw)
    assert law is not None
    arguments = tuple(replace(one, value=substitute(one.value, meanings, {})) for one in law.arguments)
    is_truth = law.name in DISCRETE_LAWS and DISCRETE_LAWS[law.name].word.values == TRUTH
    support = Support(frozenset({0, 1})) if is_truth else ANYTHING
    drawn = run.draw(world, "noise", spell(replace(law, arguments=arguments)), _KINDS[row.type], support)
    if row.note and not any(one.message == row.note for one in run.found):
        run.tell(rules.PYTHON_IDEAL_LAW, node, row.note)
    made = number(_meant(row.result, {**meanings, "draw": drawn.expression}), _KINDS[row.type], world.known)
    return push(world, run.settle(world, made, "noisy"))


def _inside(run: Run, need: str, meanings: Mapping[str, Expression], world: World) -> World | None:
    """Return the world in which what a row needs holds; a ValueError is raised elsewhere."""
    if not need:
        return world
    return run.need(world, number(_meant(need, meanings), BOOL, world.known), "ValueError")


def _meant(text: str, meanings: Mapping[str, Expression]) -> Expression:
    found = expression_of(text)
    assert found is not None
    return substitute(found, meanings, {})


# --- opendp: measurements are put together from a space and a noise ---------------------------------------------------

_DOMAINS = frozenset({"atom_domain", "vector_domain", "space_of"})
_METRICS = frozenset({"absolute_distance", "l1_distance", "l2_distance"})
_NOISES = ("laplace", "gaussian")
_TYPES = {"int": "int", "i32": "int", "i64": "int", "float": "float", "f32": "float", "f64": "float"}


def _opendp(
    run: Run, node: ast.Call, path: str, positional: Sequence[Value], named: Named, world: World
) -> list[World]:
    known = _PARTS_OF_OPENDP.fullmatch(path)
    name = known[1] if known else ""
    if name == "enable_features":
        return push(world, constants.none_value(run))
    if name in _METRICS:
        return push(world, run.allocate(world, Object("metric", ())))
    if name in _DOMAINS:
        return push(world, _domain(run, node, name, positional, named, world))
    how, _, noise = name.partition("_")
    if how not in ("make", "then") or noise not in _NOISES:
        return push(world, run.refuse(node, f"'{path}' is not in the table of mechanisms"))
    spaces = "input_domain, input_metric, " if how == "make" else ""
    found = random_calls.bind(f"{spaces}scale, k=None, MO=None", positional, named, run)
    if found is None:
        run.raise_(world, "TypeError")
        return []
    scale = _plain(run, node, {"scale": found["scale"]}, world)
    if scale is None:
        return push(world, Unknown())
    partial = run.allocate(world, Object("partial", (scale["scale"],), (noise,)))
    if how == "then":
        return push(world, partial)
    return push(world, chained(run, node, found["input_domain"], partial, world))


def _domain(run: Run, node: ast.AST, name: str, positional: Sequence[Value], named: Named, world: World) -> Value:
    """Return a domain as an object whose type is that of its data; ``space_of`` is one with its metric."""
    inner = positional[0] if positional and name != "atom_domain" else named.get("T", named.get("atom_domain"))
    if name == "vector_domain":
        held = world.heap[inner.id] if isinstance(inner, Ref) else None
        if held is None or held.sort != "domain":
            return run.refuse(node, "the type of these data is not known")
        return run.allocate(world, replace(held, cells=(truth_of(True),)))
    spelled = inner.path.removeprefix("builtins.") if isinstance(inner, Library) else ""
    spelled = spelled or (constants.text_of(run, inner) or "" if inner is not None else "")
    if spelled not in _TYPES:
        return run.refuse(node, "the type of these data is not known: give 'T=int' or 'T=float'")
    made = Object("domain", (truth_of(False),), ("vector",), (), Class(_TYPES[spelled], (), {}))
    return run.allocate(world, made)


def chained(run: Run, node: ast.AST, space: Value, partial: Value, world: World) -> Value:
    """Return the measurement that a noise becomes over a space: ``space >> then_laplace(…)``."""
    first = world.heap[space.id] if isinstance(space, Ref) else None
    if first is not None and first.sort == "tuple" and first.cells:
        return chained(run, node, first.cells[0], partial, world)
    noise = world.heap[partial.id] if isinstance(partial, Ref) else None
    if first is None or noise is None or (first.sort, noise.sort) != ("domain", "partial"):
        return run.refuse(node, "what is put together here is not analysed")
    assert first.type is not None
    kind = Class(f"opendp.{noise.keys[0]} {first.type.name}", (), {})
    return run.allocate(world, Object("mechanism", (*noise.cells, *first.cells), ("scale", "vector"), (), kind))
