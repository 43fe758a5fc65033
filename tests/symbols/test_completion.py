from __future__ import annotations

import pytest

from seepage.symbols.calls import call_at
from seepage.symbols.completion import Context, Place, context_at

from .marked import PROGRAM, cursor


def context(text: str) -> Context:
    return context_at(*cursor(text))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("$0", Place.STATEMENT),
        ("x := 1\n$0", Place.STATEMENT),
        ("x := 1; $0", Place.STATEMENT),
        ("x := 1\nob$0serve x == 1", Place.STATEMENT),
        ("if x == 1 { $0 }", Place.STATEMENT),
        ("if x == 1 { y := 1 } $0", Place.STATEMENT),
        ("x := $0", Place.EXPRESSION),
        ("x := 1 + $0", Place.EXPRESSION),
        ("x := a[$0", Place.EXPRESSION),
        ("observe $0", Place.EXPRESSION),
        ("if $0", Place.EXPRESSION),
        ("x ~ $0", Place.DISTRIBUTION),
        ("x ~ be$0", Place.DISTRIBUTION),
        ("x ~ 1/2 * $0", Place.DISTRIBUTION),
        ("x ~ mixture(1/2: $0", Place.DISTRIBUTION),
        ("x ~ normal($0", Place.EXPRESSION),
        ("show $0", Place.MEASURE),
        ("show I(x; o) / $0", Place.MEASURE),
        ("show I($0", Place.EXPRESSION),
        ("show H(x) in $0", Place.UNIT),
        ("require I(x; o) <= $0", Place.STATIC),
        ("require I(x; o) <= 1 over $0", Place.PARAMETERS),
        ("require I(x; o) <= 1 over p in [0, 1], $0", Place.PARAMETERS),
        ("require I(x; o) <= 1 over p in [$0", Place.STATIC),
        ("secret $0", Place.VARIABLES),
        ("output x, $0", Place.VARIABLES),
        ("param $0", Place.NEW_NAME),
        ("param p in [0, $0", Place.STATIC),
        ("const n = $0", Place.STATIC),
        ("for i in 1..$0", Place.STATIC),
        ("x := 1 $0", Place.OPERATOR),
    ],
)
def test_what_is_due(text: str, place: Place) -> None:
    assert place in context(text).places


@pytest.mark.parametrize("text", ["// x $0", "x := 1 // sh$0", "/* x $0 */", "/* x $0", "x := 12$0"])
def test_nothing_is_due_in_comments_and_numbers(text: str) -> None:
    assert context(text) == Context(frozenset())


def test_code_behind_a_comment_is_none() -> None:
    assert Place.EXPRESSION in context("x := /* the */ $0").places


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x := if y then 1 $0", {"else"}),
        ("x := if y $0", {"then", "and"}),
        ("if x == 1 { y := 1 } $0", {"else"}),
        ("show H(x) $0", {"in"}),
        ("require H(x) <= 1 $0", {"bits", "nats", "over"}),
        ("secret $0", {"initial", "final"}),
        ("x := $0", {"if", "not", "true"}),
        ("param p $0", {"in"}),
    ],
)
def test_words_of_the_language_stand_where_they_may(text: str, words: set[str]) -> None:
    assert words <= set(context(text).keywords)


def test_declarations_stand_at_the_top_only() -> None:
    assert "param" in context("x := 1\n$0\n").keywords
    assert "param" not in context("if x == 1 {\n    $0\n}\n").keywords


def test_known_numbers_stand_where_variables_may_not() -> None:
    names = {one.name for one in context(PROGRAM + "require I(s; o) <= $0").symbols}

    assert names == {"p", "n"}


def test_only_variables_are_secrets_and_targets() -> None:
    assert {one.name for one in context(PROGRAM + "secret $0").symbols} == {"s", "o", "a", "b"}
    assert {one.name for one in context(PROGRAM + "$0").symbols} == {"s", "o", "a", "b"}


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("x ~ normal($0", ("mean=", "variance=", "std=")),
        ("x ~ normal(mean=1, $0", ("variance=", "std=")),
        ("show DP(x -> y, $0", ("metric=", "neighbours=", "distance=", "delta=")),
        ("show G(x -> y, $0", ("guess", "distance", "tries")),
    ],
)
def test_arguments_are_offered_by_name(text: str, arguments: tuple[str, ...]) -> None:
    assert context(text).arguments == arguments


@pytest.mark.parametrize(
    ("text", "label", "part"),
    [
        ("x ~ normal($0", "normal(mean, variance)", "mean"),
        ("x ~ normal(1, $0", "normal(mean, variance)", "variance"),
        ("x ~ normal(0, std=$0", "normal(mean, variance)", "variance"),
        ("x ~ normal(f(1, 2), min(3, 4)$0", "normal(mean, variance)", "variance"),
        ("x ~ discrete_laplace(2, centre=$0", "discrete_laplace(scale, centre=0)", "centre=0"),
        ("x ~ categorical(1/2, 1/4, 1/8, 1$0", "categorical(w0, w1, …)", "…"),
        ("x ~ normal(min(1, $0", "min(a, b, …)", "b"),
        ("x ~ normal((1 + $0", "normal(mean, variance)", "mean"),
        ("x := floor($0", "floor(a)", "a"),
        ("x := floor(1, $0", "floor(a)", None),
        ("show I(x, y$0", "I(x; y | z)", "x"),
        ("show I(x; $0", "I(x; y | z)", "y"),
        ("show I(x; y | $0", "I(x; y | z)", "z"),
        ("show KL(x | a == 1 || $0", "KL(x | a || y | b)", "y"),
        ("show KL(x || $0", "KL(x | a || y | b)", "y"),
        ("show DP(x -> y, $0", "DP(x -> y, metric=m, neighbours=n, distance=k, delta=d | z)", "metric=m"),
        ("show DP(x -> y, delta=$0", "DP(x -> y, metric=m, neighbours=n, distance=k, delta=d | z)", "delta=d"),
        ("show DP(x -> y, delta=1 | $0", "DP(x -> y, metric=m, neighbours=n, distance=k, delta=d | z)", "z"),
    ],
)
def test_the_call_around_the_cursor(text: str, label: str, part: str | None) -> None:
    found = call_at(*cursor(text))

    assert found is not None
    assert found.word.form == label
    active = None if found.active is None else found.word.parts[found.active]
    assert (None if active is None else label[active.start : active.end]) == part


@pytest.mark.parametrize("text", ["x ~ normal(1, 2)$0", "x := ($0", "x := a[$0", "x := foo($0", "// normal($0"])
def test_no_call_is_open(text: str) -> None:
    assert call_at(*cursor(text)) is None
