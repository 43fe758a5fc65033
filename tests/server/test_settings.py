from __future__ import annotations

import pytest

from seepage_lsp.settings import Settings, read_settings, wrong_settings


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


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"unit": "furlongs"}, "the setting 'unit' is 'furlongs', expected 'bits' or 'nats': 'bits' is used"),
        ({"run": "x"}, "the setting 'run' is 'x', expected 'onSave', 'onType' or 'manual': 'onSave' is used"),
        ({"timeLimit": -5}, "the setting 'timeLimit' is -5, expected seconds above 0 and up to 86400: 30 is used"),
        ({"timeLimit": 10**400}, "the setting 'timeLimit' is 1" + "0" * 59 + " …, expected seconds above 0 and up to 86400: 86400 is used"),
        ({"codeLens": 1}, "the setting 'codeLens' is 1, expected true or false: true is used"),
        ({"timeLimit": True}, "the setting 'timeLimit' is true, expected seconds above 0 and up to 86400: 30 is used"),
        ({"parameters": ["p"]}, "the setting 'parameters' is [\"p\"], expected an object: none are used"),
        ({"parameters": {"p": [1], "q": 1}}, "the setting 'parameters' has [1] for 'p', expected a number or text: it is left out"),
        ("nats", "the settings are 'nats', expected an object: the defaults are used"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_told_with_what_is_used_instead(sent: object, told: str) -> None:
    assert wrong_settings(sent) == (told,)
    assert not isinstance(sent, dict) or wrong_settings({"seepage": sent}) == (told,)


@pytest.mark.parametrize(
    "sent",
    [
        None, {}, {"seepage": {}}, {"commands": []}, {"unit": None, "run": None, "timeLimit": None, "parameters": None},
        {"unit": "nats", "run": "onType", "timeLimit": 5, "codeLens": False, "parameters": {"p": 0.5, "q": None}},
    ],
)  # fmt: skip
def test_nothing_is_told_of_right_and_absent_values(sent: object) -> None:
    assert wrong_settings(sent) == ()


@pytest.mark.parametrize(
    "sent",
    [
        {"inlayHints": {"results": True, "parameterNames": False}},
        {"inlayHints.results": True, "inlayHints.parameterNames": False},
    ],
)
def test_names_with_dots_may_be_objects_in_objects(sent: dict[str, object]) -> None:
    settings = read_settings(sent)

    assert (settings.hint_results, settings.hint_names) == (True, False)
    assert wrong_settings(sent) == ()


def test_wrong_values_of_hints_are_told() -> None:
    told = wrong_settings(
        {"inlayHints": {"results": "yes", "parameterNames": 0}, "hoverImages": 1, "compareWithHead": "no"}
    )

    assert [line.split("'")[1] for line in told] == [
        "inlayHints.results",
        "inlayHints.parameterNames",
        "hoverImages",
        "compareWithHead",
    ]


@pytest.mark.parametrize("sent", [0, 1, 16, 17, 2.5, True, "6", [], float("nan"), float("inf")])
def test_counts_are_whole_numbers_within_their_limits(sent: object) -> None:
    told = wrong_settings({"digits": sent, "workers": sent})

    assert read_settings({"digits": sent}).digits is None
    assert read_settings({"workers": sent}).workers == {1: 1, 16: 16}.get(sent if type(sent) is int else -1, 2)
    assert any("'digits'" in line and "between 2 and 15, or null: null is used" in line for line in told)
    assert any("'workers'" in line for line in told) is (sent is True or sent not in (1, 16))


def test_counts_may_come_as_floats_of_the_same_value() -> None:
    settings = read_settings({"digits": 6.0, "workers": 4.0})

    assert (settings.digits, settings.workers) == (6, 4)
    assert wrong_settings({"digits": 6.0, "workers": 4, "memoryLimit": None}) == ()


def test_settings_of_what_is_shown_compute_the_same_numbers() -> None:
    shown = Settings(
        code_lens=False, hint_results=True, hint_names=False, hover_images=False, compare=False, digits=5, workers=7
    )

    assert shown.computes_as(Settings())
    assert not Settings(unit="nats").computes_as(Settings())
