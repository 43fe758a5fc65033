"""Sweeps: the numbers are those of a formula worked out beside them, and the table is the same in every form."""

from __future__ import annotations

import csv
import io
import json
import math
import pickle
import subprocess
import sys
from concurrent.futures import Executor, Future
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
import pytest

import seepage
from seepage.measures.parameters import Value

RESPONSE = (
    "param p in [0, 1] = 1/2\nparam eps in (0, 10] = 1\nsecret r\noutput o\nr ~ bernoulli(p)\n"
    "t ~ bernoulli(exp(eps) / (exp(eps) + 1))\nif t { o := r } else { o := !r }\n"
)
NOISE = "param v in (0, 4] = 1\nsecret s\noutput o\ns ~ normal(0, 1)\nn ~ normal(0, v)\no := s + n\n"


def entropy(p: float) -> float:
    return -sum(each * math.log2(each) for each in (p, 1 - p) if each)


def leak(p: float, eps: float) -> float:
    """h(p q + (1 − p)(1 − q)) − h(q), with q the chance of the truth."""
    q = math.exp(eps) / (math.exp(eps) + 1)
    return entropy(p * q + (1 - p) * (1 - q)) - entropy(q)


def test_every_combination_has_the_number_of_the_formula() -> None:
    eps = np.linspace(0.25, 6, 24)
    p: list[Value] = ["1/4", Fraction(1, 2), Decimal("0.75")]

    found = seepage.parse(RESPONSE).sweep("I(r; o)", eps=eps, p=p)

    expected = np.array([[leak(each, one) for each in (0.25, 0.5, 0.75)] for one in eps])
    assert (found.parameters, found.shape, found.unit, found.complete) == (("eps", "p"), (24, 3), "bits", True)
    np.testing.assert_allclose(found.to_numpy(), expected, rtol=1e-11)
    assert (found.to_numpy("lower") <= expected * (1 + 1e-12)).all()
    assert (found.to_numpy("upper") >= expected * (1 - 1e-12)).all()
    assert np.array_equal(np.asarray(found), found.to_numpy())


def test_a_point_has_the_number_of_a_single_question_wherever_parameters_stand() -> None:
    program = seepage.parse(NOISE)

    found = program.sweep("I(s; o)", v=[1, "1/2", 4], unit="nats")

    assert found.unit == "nats"
    for point, variance in zip(found, (1, 0.5, 4), strict=True):
        assert point.lower <= math.log1p(1 / variance) / 2 * (1 + 1e-15)
        assert point.upper >= math.log1p(1 / variance) / 2 * (1 - 1e-15)


def test_an_observation_that_only_some_values_pass_is_told_where_it_stands() -> None:
    text = "param p in [0, 1] = 1/2\nsecret s\noutput o\ns ~ bernoulli(p)\nobserve s\no := s\n"

    found = seepage.parse(text).sweep("P(o == 1)", p=[0, 1])

    assert [bool(point.fault) for point in found] == [True, False]
    assert found.points[1].value == 1


def test_a_value_outside_the_domain_is_a_row_without_a_number() -> None:
    found = seepage.parse(RESPONSE).sweep("H(o)", eps=[0, 1])

    first, second = found.to_records()
    assert (first["value"], first["lower"], first["certainty"]) == (None, None, None)
    assert "outside its domain" in str(first["fault"])
    assert (second["value"], second["fault"]) == (1.0, None)
    assert math.isnan(found.to_numpy()[0])


def test_a_unit_is_that_of_the_measure() -> None:
    program = seepage.parse(RESPONSE)

    assert program.sweep("P(o == 1)", p=[0.1, 0.2]).unit == ""
    assert program.sweep("H(r | o) / H(r)", p=[0.1, 0.2]).unit == ""
    assert program.sweep("H(r) - H(r | o)", p=0.1).unit == "bits"


def test_an_interrupt_keeps_what_is_done_and_resume_does_the_rest() -> None:
    program = seepage.parse(RESPONSE)
    seen: list[tuple[int, int]] = []

    def interrupt(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 3:
            raise KeyboardInterrupt

    with pytest.warns(seepage.SweepInterrupted, match="after 3 of 8 points"):
        part = program.sweep("I(r; o)", p=[0.1, 0.2], eps=[1, 2, 3, 4], progress=interrupt)
    assert (len(part), part.complete, part.unit, seen) == (3, False, "bits", [(1, 8), (2, 8), (3, 8)])
    assert np.isnan(part.to_numpy()).sum() == 5

    whole = part.resume()
    assert whole.complete
    np.testing.assert_allclose(
        whole.to_numpy(), [[leak(p, eps) for eps in (1, 2, 3, 4)] for p in (0.1, 0.2)], rtol=1e-11
    )


def test_all_forms_of_the_table_say_the_same() -> None:
    found = seepage.parse(RESPONSE).sweep("I(r; o)", p=["1/3"], eps=[1, 11])

    records = found.to_records()
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [float(row["p"]) for row in rows] == [record["p"] for record in records] == [1 / 3, 1 / 3]
    assert [row["value"] for row in rows] == [repr(records[0]["value"]), ""]
    assert [point["value"] for point in told["points"]] == [record["value"] for record in records]
    assert told["values"] == {"p": ["1/3"], "eps": ["1", "11"]}
    assert [found.columns()["upper"][place] for place in (0, 1)] == [record["upper"] for record in records]


def test_a_file_holds_the_same_text(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    found = seepage.parse(RESPONSE).sweep("H(o)", p=[0, 1])

    text = found.to_csv(path)

    assert path.read_bytes().decode() == text


def test_an_infinite_number_is_a_text_in_json_only() -> None:
    text = "param p in [0, 1] = 1/2\nsecret s\noutput o\ns ~ bernoulli(1/2)\nn ~ bernoulli(p)\no := s and n\n"

    found = seepage.parse(text).sweep("DP(s -> o)", p=[0, "1/2"])

    assert found.to_numpy()[1] == math.inf
    assert json.loads(json.dumps(found.to_dict()))["points"][1]["value"] == "inf"


def test_parameters_may_be_called_like_columns_and_arguments() -> None:
    text = "param unit in [0, 1] = 1/2\nparam value in [0, 1] = 1/2\no ~ bernoulli(unit * value)\n"

    found = seepage.parse(text).sweep("P(o == 1)", {"unit": [0, 1]}, value=["1/4"])

    assert list(found.columns())[:3] == ["params.unit", "params.value", "value"]
    assert found.to_records()[1]["value"] == 0.25


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ({}, "expected at least one parameter"),
        ({"p": []}, "no values of 'p'"),
        ({"q": [1]}, "no parameter 'q'"),
        ({"p": [True]}, "expected a number"),
        ({"p": ["x"]}, "'x' is not a constant"),
        ({"p": range(400), "eps": range(400)}, "160000 combinations"),
    ],
)
def test_a_wrong_call_is_told(axes: dict[str, list[Value]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        seepage.parse(RESPONSE).sweep("H(o)", axes)


def test_a_parameter_has_one_place() -> None:
    with pytest.raises(ValueError, match="'p' twice"):
        seepage.parse(RESPONSE).sweep("H(o)", params={"p": 1}, p=[0, 1])


def test_a_faulty_measure_has_a_place_in_its_text() -> None:
    with pytest.raises(seepage.MeasureError) as told:
        seepage.parse(RESPONSE).sweep("H(x)", p=[0, 1])

    assert (told.value.source.text, told.value.column) == ("H(x)", 3)


def test_a_sweep_shows_its_size_and_its_rows() -> None:
    found = seepage.parse(RESPONSE).sweep("H(o)", p=[0, "1/2"], eps=5)

    assert repr(found) == "<Sweep of H(o) over 2 p × 1 eps>"
    assert str(found).splitlines()[0].split() == list(found.columns())
    assert str(found).splitlines()[2].split()[:5] == ["0.5", "5", "1", "1", "1"]


def test_a_library_that_is_not_there_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    found = seepage.parse(RESPONSE).sweep("H(o)", p=[0, "1/2"])

    with pytest.raises(ImportError, match="pip install pandas"):
        found.to_pandas()
    with pytest.raises(ImportError, match="pip install polars"):
        found.to_polars()


def test_tables_of_other_libraries_are_made_of_it() -> None:
    found = seepage.parse(RESPONSE).sweep("I(r; o)", eps=[1, 11])

    for frame in (
        pl.DataFrame(found),
        found.to_polars(),
        nw.from_arrow(found, backend="pandas").to_native(),
        found.to_pandas(),
    ):
        assert list(frame.columns) == list(found.columns())
        assert frame["value"][0] == pytest.approx(leak(0.5, 1), rel=1e-12)
        assert frame["fault"][1].startswith("'eps' = 11 is outside")


class Inline(Executor):
    """An executor that computes at once, and what it was given travelled as between processes; as a client of Dask has one, too."""

    def __init__(self) -> None:
        self.asked = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked += 1
        done: Future[Any] = Future()
        done.set_result(pickle.loads(pickle.dumps(fn(*pickle.loads(pickle.dumps(args)), **kwargs))))
        return done

    def get_executor(self) -> Executor:
        return self


def test_others_compute_the_same() -> None:
    program, eps = seepage.parse(RESPONSE), np.linspace(1, 6, 9)
    executor = Inline()
    seen: list[int] = []

    here = program.sweep("I(r; o)", eps=eps)
    found = program.sweep("I(r; o)", eps=eps, workers=executor, progress=lambda done, total: seen.append(done))

    np.testing.assert_allclose(found.to_numpy(), here.to_numpy(), rtol=1e-13)
    assert (found.values, found.unit, found.complete) == (here.values, here.unit, True)
    assert executor.asked > 1
    assert seen == [*range(1, 10)]


def test_processes_compute_the_same() -> None:
    program = seepage.parse(RESPONSE)

    found = program.sweep("I(r; o)", eps=[1, 2, 3], workers=1)

    np.testing.assert_allclose(found.to_numpy(), [leak(0.5, eps) for eps in (1, 2, 3)], rtol=1e-11)
    with pytest.raises(ValueError, match="at least 1"):
        program.sweep("I(r; o)", eps=[1], workers=0)


def test_a_sweep_that_was_interrupted_goes_on_in_another_session() -> None:
    def interrupt(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.warns(seepage.SweepInterrupted, match="after 2 of 3"):
        part = seepage.parse(RESPONSE).sweep("I(r; o)", eps=[1, 2, 3], progress=interrupt, workers=Inline())

    whole = pickle.loads(pickle.dumps(part)).resume()

    assert whole.complete
    np.testing.assert_allclose(whole.to_numpy(), [leak(0.5, eps) for eps in (1, 2, 3)], rtol=1e-11)


def test_progress_is_written_where_it_is_wished_for(capsys: pytest.CaptureFixture[str]) -> None:
    program = seepage.parse(RESPONSE)

    program.sweep("I(r; o)", eps=[1, 2])
    assert capsys.readouterr().err == ""
    program.sweep("I(r; o)", eps=[1, 2], progress=True)
    assert capsys.readouterr().err.endswith("\r2 of 2 points\n")


def test_a_script_that_its_workers_read_from_the_top_is_told_so(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"import seepage\nprint(seepage.parse({RESPONSE!r}).sweep('I(r; o)', eps=[1], workers=1))\n", encoding="utf-8"
    )

    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300)

    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1
    assert done.stderr.splitlines()[-1].startswith("RuntimeError: a worker process ended before it had answered")
    assert 'if __name__ == "__main__":' in done.stderr
