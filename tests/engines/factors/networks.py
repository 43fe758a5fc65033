"""Published Bayesian networks as programs, and their marginals by a contraction that shares nothing with the engine.

``networks.json`` holds, for each network, its variables in an order in which parents come first: how many values, which parents, and the chances row by row
(the last parent's value changes fastest). The numbers are those of the Bayesian Network Repository as the Python package pgmpy 1.1.2 (MIT licence) ships them:
asia (Lauritzen and Spiegelhalter 1988), cancer and earthquake (Korb and Nicholson 2010), sachs (Sachs et al. 2005), child (Spiegelhalter and Cowell 1992),
alarm (Beinlich et al. 1989), insurance (Binder et al. 1997).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SMALL = ("asia", "cancer", "earthquake", "sachs")
ALL = (*SMALL, "child", "alarm", "insurance")


@dataclass(frozen=True)
class Node:
    name: str
    values: int
    parents: tuple[str, ...]
    rows: tuple[tuple[Fraction, ...], ...]


@cache
def network(name: str) -> tuple[Node, ...]:
    """Return the nodes of a network; rows are scaled to sum to 1, as some published ones do not."""
    text = Path(__file__).with_name("networks.json").read_text(encoding="utf-8")
    found = []
    for variable, each in json.loads(text)[name].items():
        rows = [tuple(map(Fraction, row.split())) for row in each["rows"]]
        scaled = tuple(tuple(chance / sum(row) for chance in row) for row in rows)
        found.append(Node(variable, each["values"], tuple(each["parents"]), scaled))
    return tuple(found)


def program(name: str) -> str:
    """Return a network as a program: a table of chances is a branch for each row."""
    sizes = {node.name: node.values for node in network(name)}
    return "\n".join(_statement(node, sizes) for node in network(name)) + "\n"


def _statement(node: Node, sizes: Mapping[str, int]) -> str:
    laws = ["{" + ", ".join(f"{value}: {chance}" for value, chance in enumerate(row)) + "}" for row in node.rows]
    states = product(*(range(sizes[parent]) for parent in node.parents))
    arms = [
        " and ".join(f"{parent} == {value}" for parent, value in zip(node.parents, state, strict=True))
        for state in states
    ]
    if not node.parents:
        return f"{node.name} ~ {laws[0]}"
    first = " else ".join(f"if {arm} {{ {node.name} ~ {law} }}" for arm, law in zip(arms[:-1], laws[:-1], strict=True))
    return f"{first} else {{ {node.name} ~ {laws[-1]} }}"


def contracted(name: str, asked: Sequence[str], event: Mapping[str, int]) -> NDArray[np.float64]:
    """Return the joint of some variables and an event in floating-point numbers: whatever stands beside a variable is multiplied, and that summed out."""
    nodes = network(name)
    labels = {node.name: number for number, node in enumerate(nodes)}
    sizes = {node.name: node.values for node in nodes}
    factors: list[tuple[NDArray[np.float64], tuple[int, ...]]] = []
    for node in nodes:
        shape = (*(sizes[parent] for parent in node.parents), node.values)
        table = np.array([[float(chance) for chance in row] for row in node.rows]).reshape(shape)
        factors.append((table, (*(labels[parent] for parent in node.parents), labels[node.name])))
    for variable, value in event.items():
        factors.append((np.eye(sizes[variable])[value], (labels[variable],)))
    left = set(labels.values()) - {labels[each] for each in asked}
    while left:
        rest = {each: {label for _, scope in factors if each in scope for label in scope} - {each} for each in left}
        chosen = min(left, key=lambda each: (len(rest[each]), each))
        beside = [factor for factor in factors if chosen in factor[1]]
        factors = [factor for factor in factors if chosen not in factor[1]]
        factors.append((_einsum(beside, tuple(sorted(rest[chosen]))), tuple(sorted(rest[chosen]))))
        left.discard(chosen)
    return _einsum(factors, tuple(labels[each] for each in asked))


def _einsum(
    factors: Sequence[tuple[NDArray[np.float64], tuple[int, ...]]], result: tuple[int, ...]
) -> NDArray[np.float64]:
    operands: list[object] = [part for array, scope in factors for part in (array, list(scope))]
    found: NDArray[np.float64] = np.asarray(np.einsum(*operands, list(result)))  # type: ignore[call-overload]
    return found
