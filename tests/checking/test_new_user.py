"""As someone who begins with Seepage: a repository of 60 programs, checked, broken, accepted by a baseline, and mended."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.checking.trees import LEAKY, run, tree

BUDGET = "require I(s; o) <= 0.2 bits\n"


def program(number: int) -> str:
    """A secret of its own law behind a lie with chance 1/4: it tells at most 1 − h(1/4) = 0.188722 bits."""
    return LEAKY.replace("s ~ bernoulli(1/2)", f"s ~ bernoulli({number}/61)") + BUDGET


@pytest.mark.timeout(400)
def test_a_repository_is_checked_broken_accepted_and_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEEPAGE_CACHE_DIR", str(tmp_path / ".cache"))
    tree(tmp_path, {f"models/part{number % 7}/m{number}.seep": program(number) for number in range(1, 61)})

    def check(*options: str) -> tuple[int, list[str]]:
        found = run("check", "models", "--quiet", "--summary", *options, inside=tmp_path)
        return found.exit_code, [line for line in found.output.splitlines() if line]

    assert check() == (0, ["60 programs, 60 pass; budgets: 60 hold"])

    # Broken: a leak that grew, a name that is not there, a binary file, an empty one; and half of the cache is cut off.
    grown = tmp_path / "models/part2/m44.seep"
    grown.write_text(program(44).replace("bernoulli(1/4)", "bernoulli(1/10)"), encoding="utf-8")
    tree(tmp_path, {"models/part0/m7.seep": program(7).replace("xor t", "xor u"), "models/part2/m9.seep": ""})
    (tmp_path / "models/part1/m8.seep").write_bytes(b"\x00\xff\x01")
    entries = sorted((tmp_path / ".cache/check").iterdir())
    for entry in entries[::2]:
        entry.write_bytes(entry.read_bytes()[:50])
    code, told = check()
    assert code == 1
    assert "60 programs, 56 pass: 2 not analysed, 2 errors; budgets: 56 hold, 1 is violated" in told
    assert [line.split(": ")[0] for line in told if line.startswith("models")] == [
        "models/part0/m7.seep:5:12",
        "models/part1/m8.seep",
        "models/part2/m44.seep:6:1",
        "models/part2/m9.seep",
    ]

    # Accepted, as far as anything can be: what cannot be read fails still.
    assert check("--baseline", "leaks.json", "--update-baseline")[0] == 1
    tree(tmp_path, {"models/part1/m8.seep": program(8), "models/part2/m9.seep": program(9)})
    assert check("--baseline", "leaks.json", "--update-baseline")[0] == 0
    code, told = check("--baseline", "leaks.json")
    assert (code, told[-1][:30]) == (0, "60 programs, 60 pass; budgets:")

    # Another leak fails, a mended one passes, and so does the whole without the baseline at last.
    tree(tmp_path, {"models/part0/m14.seep": program(14).replace("bernoulli(1/4)", "bernoulli(1/5)")})
    code, told = check("--baseline", "leaks.json")
    assert code == 1
    assert any("SEEP590" in line and "m14.seep" in line for line in told)
    tree(tmp_path, {f"models/part{number % 7}/m{number}.seep": program(number) for number in (14, 44)})
    assert check("--baseline", "leaks.json")[0] == 0
    tree(tmp_path, {"models/part0/m7.seep": program(7)})  # while it had an error nobody could accept what it leaks
    code, told = check("--baseline", "leaks.json")
    assert code == 1
    assert ["m7.seep" in line for line in told if "SEEP590" in line] == [True]
    assert check("--baseline", "leaks.json", "--update-baseline")[0] == 0
    assert check() == (0, ["60 programs, 60 pass; budgets: 60 hold"])
    assert len(json.loads((tmp_path / "leaks.json").read_text())["files"]) == 60
