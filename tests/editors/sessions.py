"""What every editor of the terminal must have seen: the same words of the server, whatever the editor makes of them."""

from __future__ import annotations

from typing import Any, TypeAlias

from tests.editors.plans import beyond_hints, errors, of_the_text, titles

Answers: TypeAlias = dict[str, Any]


def saw_findings_follow_the_text(answers: Answers) -> None:
    """Check the findings of the first example: none, one while it is broken, none when it is mended, one at the budget."""
    assert beyond_hints(answers["findings at first"]) == []
    assert [finding["covers"] for finding in errors(answers["findings when broken"])] == ["answer"]
    assert beyond_hints(answers["findings when mended"]) == []
    (overdrawn,) = errors(answers["findings when overdrawn"])
    assert overdrawn["covers"].startswith("require I(r; o) <= 0.1")


def saw_hovers(answers: Answers) -> None:
    """Check that hovers tell entropy, documentation and what leaks."""
    on_secret = "\n".join(answers["hover on r"])
    assert "H(r)" in on_secret
    assert "0.16005846" in on_secret  # I(r; o) at p = 1/2, eps = 1 is 0.16005846201683 bits
    assert "The true answer." in on_secret
    assert "incomes" in "\n".join(answers["hover on inc"])


def saw_lenses(answers: Answers) -> None:
    """Check that the numbers stand in the text."""
    assert "0.16 bits leak · exact" in titles(answers["lenses of one answer"])
    assert "holds · 0.16 bits · exact" in titles(answers["lenses of one answer"])
    assert "violated" in titles(answers["lenses when overdrawn"])
    assert "0.101" in titles(answers["lenses of the mechanism"])  # I(inc[1]; out) is 0.10095447828860 nats


def saw_numbers_of_budgets_in_hovers(answers: Answers) -> None:
    """Check the hovers of budgets, where an editor shows no lenses."""
    first = "\n".join(answers["lenses of one answer"])
    assert "holds" in first
    assert "0.160058462 bits · exact" in first
    assert "violated" in "\n".join(answers["lenses when overdrawn"])
    assert "holds" in "\n".join(answers["lenses of the mechanism"])


def kept_its_place_behind_emoji(answers: Answers) -> None:
    """Check that after edits behind emoji and CJK the server has the editor's text and both mean the same places."""
    assert "secret" in "\n".join(answers["hover behind emoji"])
    assert [finding["covers"] for finding in of_the_text(answers["findings behind emoji"])] == ["answer"]
    kept_the_text_behind_emoji(answers)
    assert "exact" in "\n".join(answers["hover with numbers behind emoji"])


def kept_the_text_behind_emoji(answers: Answers) -> None:
    """Check that after edits behind emoji and CJK the server has the editor's text: its findings are those of that text."""
    assert ["'answer'" in finding["message"] for finding in of_the_text(answers["findings behind emoji"])] == [True]
    after = errors(answers["findings when mended behind emoji"])
    assert all("'answer'" not in finding["message"] for finding in after)
    assert "violated" in str(answers["lenses behind emoji"])
