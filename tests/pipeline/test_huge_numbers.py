"""Numbers of more digits than Python writes are told in a few, in every message, and lose no other answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from seepage.cli.main import cli

HUGE = "2^15000"  # of 4,516 digits
PROGRAMS = {
    "witness": "secret final a\noutput o\na ~ uniform_of(1, 2)\nfor i in 1..20 { a := a * a }\no := a\nshow E(a)\nshow H(1 + 1)\n",
    "exponent": "a := 2\nfor i in 1..60 { a := a ^ a }\nshow E(a)\n",
    "supremum": f"secret a\noutput o\na ~ uniform_of(1, {HUGE})\no := a\nshow DP(a -> o)\nshow G(a -> o, distance)\n",
    "probability": f"z ~ bernoulli({HUGE})\nshow E(z)\n",
    "condition": f"z ~ uniform_of({HUGE}, 1)\nif z {{ o := 1 }}\nshow E(o)\n",
    "index": f"a[1] := 1\nz ~ uniform_of({HUGE}, 1)\no := a[z]\nshow E(o)\n",
    "bits": f"z ~ uniform_of(-{HUGE}, 1)\no := bit_and(z, 3)\nshow E(o)\n",
    "parameter": f"param N in [0, {HUGE}] = {HUGE} - 1\nz ~ bernoulli(1/2)\no := z * N\nshow E(o)\nshow H(o)\n",
    "default": f"param p in [0, 1] = {HUGE}\nz ~ bernoulli(p)\nshow E(z)\n",
    "formula": f"param p in [0, 1] = 1/2\nz ~ bernoulli(p)\no := z * {HUGE}\nshow E(o)\nrequire E(o) <= {HUGE} over p in [0, 1]\n",
    "budget": f"z ~ bernoulli(1/2)\no := z * {HUGE}\nrequire E(o) <= 1\nrequire E(z) <= {HUGE}\nrequire E(o) >= {HUGE}\n",
    "irrational": f"z ~ uniform_of(sqrt(2) * {HUGE}, 1)\no := bit_and(z, 1)\nshow E(z)\nshow E(o)\n",
    "loop": f"for i in 1..{HUGE} {{ x := x + 1 }}\nshow E(x)\n",
    "empty loop": f"for i in {HUGE}..1 {{ x := x + 1 }}\nshow E(x)\n",
    "marked": f"z ~ hypergeometric({HUGE}, 2 * {HUGE}, 3)\nshow E(z)\n",
    "drawn": f"z ~ hypergeometric({HUGE}, 3, 2 * {HUGE})\nshow E(z)\n",
    "small chance": f"z ~ geometric(1 / {HUGE})\nshow E(z)\nshow H(z)\n",
    "normal": f"x ~ normal({HUGE}, 1)\nshow E(x)\nshow H(x)\n",
    "observed": f"z ~ uniform_of(0, {HUGE})\nobserve(z == {HUGE})\nshow E(z)\nshow E(z) / {HUGE}\n",
}


@pytest.mark.parametrize("command", [["check"], ["check", "--json"], ["explain"]])
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_text_with_a_huge_number_raises(name: str, command: list[str], tmp_path: Path) -> None:
    program = tmp_path / "huge.seep"
    program.write_text(PROGRAMS[name], encoding="utf-8")

    result = CliRunner().invoke(cli, [*command, str(program)])

    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    if command == ["check"]:
        assert max(map(len, result.output.splitlines())) < 1_000
