"""Statements and declarations: their forms, blocks, separators, positions, documentation."""

from __future__ import annotations

import pytest

from seepage.source import SourceFile, Span
from seepage.syntax.parse import parse
from seepage.syntax.pieces import cut
from seepage.syntax.tree import (
    Assign,
    Boolean,
    Const,
    For,
    If,
    Index,
    Infinity,
    Interval,
    MeasureCall,
    Observe,
    Output,
    Param,
    Placed,
    Range,
    Require,
    Sample,
    Secret,
    Show,
    Skip,
    Unary,
)

from .trees import NOWHERE, binary, items, leaf, leaves, name, number


def assign(variable: str, value: int) -> Assign:
    return Assign(name(variable), number(value), NOWHERE)


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("param x", Param("x", None, None, NOWHERE, NOWHERE)),
        ("param x = 1/2", Param("x", None, binary(number(1), "/", number(2)), NOWHERE, NOWHERE)),
        (
            "param x in [0, 1) = 0",
            Param("x", Interval(number(0), number(1), True, False, NOWHERE), number(0), NOWHERE, NOWHERE),
        ),
        (
            "param x in (-inf, inf)",
            Param(
                "x",
                Interval(Unary("-", Infinity(NOWHERE), NOWHERE), Infinity(NOWHERE), False, False, NOWHERE),
                None,
                NOWHERE,
                NOWHERE,
            ),
        ),
        ("const n = 3", Const("n", number(3), NOWHERE, NOWHERE)),
        ("secret r", Secret(None, (name("r"),), NOWHERE)),
        ("secret initial r, y[2]", Secret("initial", (name("r"), Index("y", number(2), NOWHERE, NOWHERE)), NOWHERE)),
        ("secret final r", Secret("final", (name("r"),), NOWHERE)),
        ("output o, a", Output((name("o"), name("a")), NOWHERE)),
        ("skip", Skip(NOWHERE)),
        ("x := 1", assign("x", 1)),
        ("x[1] := 1", Assign(Index("x", number(1), NOWHERE, NOWHERE), number(1), NOWHERE)),
        ("observe true", Observe(Boolean(True, NOWHERE), NOWHERE)),
    ],
)
def test_a_leaf_is_read(text: str, node: object) -> None:
    assert leaf(text) == node


def test_show_takes_a_unit() -> None:
    shown = leaf("show H(x) in nats")

    assert isinstance(shown, Show)
    assert shown.unit == "nats"


def test_require_takes_a_unit_and_ranges() -> None:
    required = leaf("require H(x) <= 1/2 bits over p in [0, 1], q in (0, 2]")

    assert isinstance(required, Require)
    assert isinstance(required.measure, MeasureCall)
    assert (required.comparison, required.unit) == ("<=", "bits")
    assert required.ranges == (
        Range("p", Interval(number(0), number(1), True, True, NOWHERE), NOWHERE, NOWHERE),
        Range("q", Interval(number(0), number(2), False, True, NOWHERE), NOWHERE, NOWHERE),
    )


@pytest.mark.parametrize(
    "text",
    [
        "x := 1; y := 2",
        "x := 1\ny := 2",
        "x := 1 y := 2",
        ";;x := 1;;; y := 2;",
        "x\n:=\n1\ny:=2",
        "x := 1\r\ny := 2\r",
        "x:=1\ry:=2",
    ],
)
def test_semicolons_and_line_ends_are_free(text: str) -> None:
    assert leaves(text) == [assign("x", 1), assign("y", 2)]


@pytest.mark.parametrize("second", ["return y", 'import "a.seep"', "repeat { skip } until y", "break, z", "y"])
def test_a_declaration_ends_where_a_statement_begins_on_its_line(second: str) -> None:
    """A word alone, or before a comma, may be a name, as the third behind a comma that is missing."""
    found = [piece.text.strip() for piece in cut(f"secret x {second}")]

    if second in ("break, z", "y"):
        assert found == [f"secret x {second}"]
    else:
        assert found[0] == "secret x"
        assert found[1].startswith(second.partition(" ")[0])


def test_a_line_without_an_operand_at_its_end_goes_on() -> None:
    assert leaf("x := 1 +\n\n  2") == Assign(name("x"), binary(number(1), "+", number(2)), NOWHERE)


def test_an_if_after_a_complete_expression_is_a_statement() -> None:
    first, second = items("x := a if b { skip }")

    assert isinstance(first, Placed)
    assert isinstance(second, If)


def test_an_if_where_an_operand_is_due_is_an_expression() -> None:
    assert isinstance(leaf("x := if a then if b then 1 else 2 else 3"), Assign)
    assert isinstance(leaf("x ~ bernoulli(if a then 1/2 else 1/3)"), Sample)


def test_a_table_is_no_block() -> None:
    first, second = items("if a { x ~ {0: 1/2, 1: 1/2} } y ~ 1/2*{0: 1} + 1/2*{1: 1}")

    assert isinstance(first, If)
    assert isinstance(second, Placed)


def test_branches_chain() -> None:
    (only,) = items("if a { x := 1 } else if b { x := 2 } else if c { } else { x := 3 }")

    assert isinstance(only, If)
    assert [arm.condition for arm in only.arms] == [name("a"), name("b"), name("c")]
    assert [len(arm.block.items) for arm in only.arms] == [1, 1, 0]
    assert only.otherwise is not None


def test_else_belongs_to_the_branch_before_it() -> None:
    (outer,) = items("if a { if b { x := 1 } else { x := 2 } }")

    assert isinstance(outer, If)
    assert outer.otherwise is None
    (inner,) = outer.arms[0].block.items
    assert isinstance(inner, If)
    assert inner.otherwise is not None


def test_positions_of_blocks_are_absolute_and_those_in_pieces_relative() -> None:
    text = "x := 1\nfor i in 1..n {\n  if i == 2 { y := i }\n}\n"
    source = SourceFile("test.seep", text)

    _, loop = items(text)

    assert isinstance(loop, For)
    assert source[loop.span].startswith("for")
    assert source[loop.span].endswith("\n}")
    assert source[loop.header] == "for i in 1..n"
    assert source[loop.high.span.shift(loop.start)] == "n"
    assert source[loop.name_span.shift(loop.start)] == "i"
    assert source[loop.block.span][0] == "{"
    (branch,) = loop.block.items
    assert isinstance(branch, If)
    (arm,) = branch.arms
    assert source[arm.header] == "if i == 2"
    assert source[arm.condition.span.shift(arm.start)] == "i == 2"
    (inner,) = arm.block.items
    assert isinstance(inner, Placed)
    assert source[inner.span] == "y := i"


def test_moving_a_statement_keeps_its_tree() -> None:
    (first,) = items("y := x + 1")
    (second,) = items("\n\n   y := x + 1")

    assert isinstance(first, Placed)
    assert isinstance(second, Placed)
    assert first.node is second.node
    assert (first.start, second.start) == (0, 5)


def test_the_walk_follows_the_text() -> None:
    tree = parse(SourceFile("test.seep", "x := 1 if a { y := 1 } else { z := 1 } for i in 1..2 { w := 1 } v := 1")).tree

    names = [item.node.target for item in tree.walk() if isinstance(item, Placed) and isinstance(item.node, Assign)]

    assert names == [name(one) for one in "xyzwv"]


def test_documentation_is_what_stands_directly_above() -> None:
    text = "/// one\n/// two\nparam p\n\n/// lost\n\nparam q\n// plain\nsecret s\n//// rule\noutput o\n  /// inner\n  x := 1 y := 2"

    documented = [item.documentation for item in items(text) if isinstance(item, Placed)]

    assert documented == ["one\ntwo", "", "", "", "inner", ""]


def test_comments_nest_and_are_no_code() -> None:
    assert leaves("/* a /* b */ x := 0 */ x := 1 // y := 2\n/**/") == [assign("x", 1)]


def test_a_byte_order_mark_at_the_start_is_allowed() -> None:
    (only,) = items("\N{ZERO WIDTH NO-BREAK SPACE}x := 1")

    assert isinstance(only, Placed)
    assert only.span == Span(1, 7)


@pytest.mark.parametrize("text", ["", "\n\n", "// nothing", ";"])
def test_an_empty_file_is_a_program(text: str) -> None:
    assert items(text) == ()
