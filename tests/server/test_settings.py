from __future__ import annotations

import pytest

from seepage_lsp.settings import Settings, read_settings


def test_the_section_is_read_with_or_without_its_name() -> None:
    sent = {"unit": "nats", "run": "manual", "timeLimit": 5, "parameters": {"eps": "1/2", "p": 0.5}, "codeLens": False}
    expected = Settings("nats", "manual", 5.0, {"eps": "1/2", "p": "0.5"}, False)

    assert read_settings(sent) == expected
    assert read_settings({"seepage": sent, "other": 1}) == expected


@pytest.mark.parametrize("sent", [None, [], "nats", 3, {}, {"seepage": None}, {"seepage": []}])
def test_anything_else_means_the_defaults(sent: object) -> None:
    assert read_settings(sent) == Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("unit", "bytes"), ("unit", 1), ("unit", []), ("run", True), ("timeLimit", "10"), ("timeLimit", 0),
        ("timeLimit", -1), ("timeLimit", True), ("timeLimit", float("nan")), ("timeLimit", float("inf")),
        ("parameters", ["eps"]), ("parameters", {"eps": None, "p": True, "q": []}), ("codeLens", "no"),
    ],
)  # fmt: skip
def test_a_wrong_value_leaves_its_default_and_the_others(name: str, value: object) -> None:
    sent = {"unit": "nats", "timeLimit": 7, name: value}
    expected = read_settings({"unit": "nats", "timeLimit": 7} | ({name: None} if name in ("unit", "timeLimit") else {}))

    assert read_settings(sent) == expected
