"""A secret that is written again, whose first value is meant, tells what it tells if the second value has a name of its own."""

from __future__ import annotations

import pytest

import seepage

BODIES = {
    "laplace": "n ~ laplace(0, 2)\no := {t} + n\n",
    "gumbel": "n ~ gumbel(0, 1)\no := {t} + n\n",
    "rounded": "n ~ normal(0, 1)\no := floor({t} + n)\n",
    "noisy maximum": "a ~ laplace(0, 1)\nb ~ laplace(0, 1)\no := {t} + a > 3 + b\n",
    "rounds": "o := 0\nrepeat {{ c ~ bernoulli({t} / 9)  o := min(o + 1, 6) }} until c == 1\n",
    "infinite": "x ~ geometric({t} / 9)\no := min(x, 5)\n",
    "range of a draw": "o ~ uniform_int(0, {t})\n",
    "random chance": "q ~ beta(3, 1)\no ~ binomial({t}, q)\n",
    "observed": "n ~ laplace(0, 1)\nobserve({t} + n > 2)\no := {t} % 3\n",
    "branch": "if {t} > 4 {{ {t} := {t} - 1 }}\no := {t} // 2\n",
    "parameter": "b ~ bernoulli(p)\no := if b == 1 then {t} else 0\n",
}


@pytest.mark.parametrize("measure", ["I(s; o)", "V(s | o)", "H(s | o)"])
@pytest.mark.parametrize("body", BODIES)
def test_a_second_value_is_as_one_with_a_name_of_its_own(body: str, measure: str) -> None:
    head = "param p in [0, 1] = 1/3\nsecret {secret}\noutput o\ns ~ uniform_int(0, 3)\n{t} := 2 * s + 1\n"
    again = (head + BODIES[body]).format(secret="initial s", t="s")
    named = (head + BODIES[body]).format(secret="s", t="t")

    one, other = (seepage.parse(text).measure(measure) for text in (again, named))

    assert float(one) == pytest.approx(float(other), abs=1e-9)
    assert one.certainty is other.certainty
