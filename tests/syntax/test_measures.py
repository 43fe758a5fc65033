"""Measures: the forms of the table, arithmetic, what is written wrongly."""

from __future__ import annotations

import pytest

from seepage.syntax.parse import parse_measure
from seepage.syntax.tree import (
    Argument,
    GainName,
    GainTable,
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    MetricName,
    MetricTable,
    NeighbourTable,
    Parenthesized,
    Relation,
    Separator,
)

from .trees import NOWHERE, binary, measure, name, number

X, Y, Z, OUT = name("x"), name("y"), name("z"), name("o")
EVENT = binary(OUT, "==", number(9))


def call(
    function: str,
    left: tuple[object, ...],
    separator: Separator | None = None,
    right: tuple[object, ...] = (),
    given: tuple[object, ...] = (),
    right_given: tuple[object, ...] = (),
    named: tuple[Argument, ...] = (),
    gain: GainTable | GainName | None = None,
    relation: Relation | None = None,
) -> MeasureCall:
    return MeasureCall(function, left, separator, right, given, right_given, named, gain, NOWHERE, NOWHERE, relation)  # type: ignore[arg-type]  # expressions all


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("H(x)", call("H", (X,))),
        ("H(x, y | z, o)", call("H", (X, Y), None, (), (Z, OUT))),
        ("H(x | o == 9)", call("H", (X,), None, (), (EVENT,))),
        ("H(x | (o))", call("H", (X,), None, (), (Parenthesized(OUT, NOWHERE),))),
        ("I(x; y)", call("I", (X,), ";", (Y,))),
        ("I(x, y; z | o)", call("I", (X, Y), ";", (Z,), (OUT,))),
        ("KL(x || y)", call("KL", (X,), "||", (Y,))),
        ("KL(x | o == 9 || y)", call("KL", (X,), "||", (Y,), (EVENT,))),
        ("KL(x || y | o == 9)", call("KL", (X,), "||", (Y,), (), (EVENT,))),
        ("KL(x | o == 9 || y | z)", call("KL", (X,), "||", (Y,), (EVENT,), (Z,))),
        ("P(x == 1 | o)", call("P", (binary(X, "==", number(1)),), None, (), (OUT,))),
        ("E(x + 1)", call("E", (binary(X, "+", number(1)),))),
        ("Var(x)", call("Var", (X,))),
        ("Lmin(x -> y, z)", call("Lmin", (X,), "->", (Y, Z))),
        (
            "DP(x -> y, distance=1, delta=0 | z)",
            call(
                "DP",
                (X,),
                "->",
                (Y,),
                (Z,),
                (),
                (Argument("distance", number(1), NOWHERE), Argument("delta", number(0), NOWHERE)),
            ),
        ),
        ("DP(x -> y, metric=euclid)", call("DP", (X,), "->", (Y,), relation=MetricName("euclid", NOWHERE))),
        (
            "DP(x -> y, metric={(1, 2): 3}, distance=1)",
            call(
                "DP",
                (X,),
                "->",
                (Y,),
                named=(Argument("distance", number(1), NOWHERE),),
                relation=MetricTable((((number(1),), (number(2),), number(3)),), NOWHERE),
            ),
        ),
        (
            "Delta(x, y -> z, neighbours={((1, 2), (3, 4))}, eps=1)",
            call(
                "Delta",
                (X, Y),
                "->",
                (Z,),
                named=(Argument("eps", number(1), NOWHERE),),
                relation=NeighbourTable((((number(1), number(2)), (number(3), number(4))),), NOWHERE),
            ),
        ),
        ("Delta(x -> y, eps=1)", call("Delta", (X,), "->", (Y,), named=(Argument("eps", number(1), NOWHERE),))),
        ("G(x -> y, guess)", call("G", (X,), "->", (Y,), gain=GainName("guess", (), NOWHERE))),
        ("G(x -> y, z, tries(3))", call("G", (X,), "->", (Y, Z), gain=GainName("tries", (number(3),), NOWHERE))),
        (
            "G(x -> y, {(1, (2, 3)): 4})",
            call(
                "G",
                (X,),
                "->",
                (Y,),
                gain=GainTable((((number(1),), (number(2), number(3)), number(4)),), NOWHERE),
            ),
        ),
    ],
)
def test_a_form_is_read(text: str, tree: MeasureCall) -> None:
    assert measure(text) == tree


def test_measures_combine_with_numbers() -> None:
    h, i = call("H", (X,)), call("I", (X,), ";", (Y,))

    assert measure("I(x; y) / H(x)") == MeasureArithmetic("/", i, h, NOWHERE)
    assert measure("-(H(x) + 1)^2") == MeasureNegation(
        MeasureArithmetic("^", MeasureArithmetic("+", h, number(1), NOWHERE), number(2), NOWHERE), NOWHERE
    )
    assert measure("log(2) * H(x)") == MeasureArithmetic("*", expression_log(), h, NOWHERE)


def expression_log() -> MeasureExpression:
    made = measure("log(2) * H(x)")
    assert isinstance(made, MeasureArithmetic)
    return made.left


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "1 + 2",
        "H()",
        "H(x; y)",
        "H(x -> y)",
        "H(x | y, o == 1)",
        "H(x + 1)",
        "H(x | )",
        "I(x)",
        "I(x, y)",
        "I(x; y; z)",
        "I(x | z; y)",
        "KL(x | y | z || x)",
        "P(x, y)",
        "P(x = 1)",
        "E(x | y, z)",
        "C(x -> y | z)",
        "DP(x -> y, dist=1)",
        "DP(x -> y, delta=1, delta=2)",
        "DP(x -> y | z, distance=1)",
        "DP(x -> distance=1)",
        "G(x -> y)",
        "G(x -> y, 3)",
        "G(x -> y, {1: 2})",
        "H(x, {0: 1})",
        "H(x) == 1",
        "not H(x)",
        "H(x) % 2",
        "max(H(x), 1)",
        "H(x)[1]",
        "Entropy(x)",
        "H(x",
        "H(x))",
        "H(normal(0, 1))",
        "show H(x)",
    ],
)
def test_what_is_no_measure_is_reported(text: str) -> None:
    made, diagnostics = parse_measure(text)

    assert made is None
    assert diagnostics
    assert all(0 <= one.span.start <= one.span.end <= len(text) for one in diagnostics)
