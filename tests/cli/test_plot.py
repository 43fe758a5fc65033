"""``seepage plot``: formats, files and exit codes; numbers against the closed form of randomized response."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import matplotlib.image
import pytest
from click.testing import CliRunner, Result

from seepage.cli.main import cli

PROGRAM = """param p in [0, 1] = 1/2
param eps in [0, 10] = 1
secret r
output o
r ~ bernoulli(p)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
if t { o := r } else { o := !r }
"""


def h(p: float) -> float:
    return -sum(q * math.log2(q) for q in (p, 1 - p) if q > 0)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "leak.seep"
    path.write_text(PROGRAM, encoding="utf-8")
    return str(path)


def plotted(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["plot", *arguments])


def test_every_point_has_bounds_around_the_truth(file: str) -> None:
    found = plotted(file, "I(r; o)", "--over", "eps=0..6", "--points", "7", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(found.output)))

    assert [row["eps"] for row in rows] == ["0.0", "1.0", "2.0", "3.0", "4.0", "5.0", "6.0"]
    for row in rows:
        q = 1 / (1 + math.exp(-float(row["eps"])))
        assert float(row["lower"]) - 1e-12 <= 1 - h(q) <= float(row["upper"]) + 1e-12
        assert float(row["upper"]) - float(row["lower"]) < 1e-9


def test_two_parameters_make_a_grid(file: str) -> None:
    found = plotted(file, "P(o == 1)", "--over", "p=0..1", "--over", "eps=0..2", "--points", "3", "--format", "json")
    data = json.loads(found.output)

    assert data["parameters"] == ["p", "eps"]
    assert [point["at"] for point in data["points"]][:4] == [["0", "0"], ["0", "1"], ["0", "2"], ["1/2", "0"]]
    assert data["points"][2]["value"] == pytest.approx(1 / (1 + math.exp(2)))


def test_a_table_names_its_columns_and_its_unit(file: str) -> None:
    found = plotted(file, "I(r; o)", "--over", "eps=1..2", "--points", "2", "--unit", "nats")

    assert found.output.splitlines()[0] == "eps  I(r; o) (nats)"
    assert found.output.splitlines()[2] == "1    0.110944 · exact"


@pytest.mark.parametrize("ranges", [["eps=0..6"], ["eps=0..6", "p=0..1"]])
def test_a_drawing_is_one_file_of_shapes_alone(file: str, tmp_path: Path, ranges: list[str]) -> None:
    target = tmp_path / "leak.svg"
    options = [option for each in ranges for option in ("--over", each)]
    found = plotted(file, "I(r; o)", *options, "--points", "9", "--output", str(target))
    root = ElementTree.parse(target).getroot()

    assert (found.exit_code, found.output) == (0, "")
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not any("script" in each.tag or "href" in str(each.attrib) for each in root.iter())
    shapes = [each for each in root.iter() if each.tag.endswith(("polyline", "rect"))]
    assert len(shapes) > (81 if len(ranges) == 2 else 2)


def test_a_point_outside_the_domain_leaves_a_gap(file: str) -> None:
    found = plotted(file, "I(r; o)", "--over", "eps=-2..2", "--points", "3")

    assert found.exit_code == 0
    assert "-2   'eps' = -2 is outside its domain [0, 10]" in found.output


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (["I(r; o)", "--over", "q=0..1"], 2, "no parameter 'q'"),
        (["I(r; o)", "--over", "eps=1"], 2, "expected name=low..high"),
        (["I(r; o)", "--over", "eps=2..1"], 2, "expected ends that ascend"),
        (["I(r; o)"], 2, "--over"),
        (["I(r; nothing)", "--over", "eps=0..1"], 1, "nothing"),
        (["H(r | o == 3)", "--over", "eps=0..1", "--points", "2"], 1, "impossible event"),
    ],
)
def test_what_cannot_be_plotted_is_told(file: str, arguments: list[str], code: int, part: str) -> None:
    found = plotted(file, *arguments)

    assert found.exit_code == code
    assert part in found.output


NOISY = """param k in [0, 3] = 1
secret s
output o
s ~ bernoulli(1/2)
x ~ lognormal(0, 1/4)
y ~ student_t(3, 0, 2)
if k > 1 { o := s * x + y } else { o := s + k * x }
"""


@pytest.mark.parametrize("form", ["text", "csv", "json", "svg"])
def test_what_is_approximate_is_told_with_its_reason(tmp_path: Path, form: str) -> None:
    path = tmp_path / "noisy.seep"
    path.write_text(NOISY, encoding="utf-8")

    found = plotted(str(path), "I(s; o)", "--over", "k=0..3", "--points", "4", "--format", form).output

    match form:
        case "text":
            lines = found.splitlines()
            assert [line.rpartition("· ")[2] for line in lines[2:6]] == ["certified"] * 2 + ["approximate"] * 2
            assert all("0 … " in line and "estimate" in line for line in lines[4:6])
            assert lines[6].startswith("approximate because of line 5: 'lognormal'")
        case "csv":
            rows = list(csv.DictReader(io.StringIO(found)))
            assert [row["certainty"] for row in rows] == ["certified"] * 2 + ["approximate"] * 2
            assert [row["because"] for row in rows] == ["", "", "line 5; line 6", "line 5; line 6"]
        case "json":
            points = json.loads(found)["points"]
            assert [point["certainty"] for point in points] == ["certified"] * 2 + ["approximate"] * 2
            assert [reason["line"] for reason in points[3]["because"]] == [5, 6]
        case _:
            root = ElementTree.fromstring(found)
            styles = [each.get("class") for each in root.iter() if each.tag.endswith("polyline")]
            assert styles == ["axis", "curve", "curve guess"]
            assert "dashed: approximate because of lines 5, 6" in root.get("aria-label", "")


@pytest.mark.parametrize(("ending", "begins"), [("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-")])
@pytest.mark.parametrize("ranges", [["eps=0..6"], ["eps=0..6", "p=0..1"]])
def test_a_picture_is_a_picture_and_the_same_each_time(
    file: str, tmp_path: Path, ranges: list[str], ending: str, begins: bytes
) -> None:
    options = [option for each in ranges for option in ("--over", each)]
    written = []
    for name in ("a", "b"):
        target = tmp_path / f"{name}.{ending}"
        found = plotted(file, "I(r; o)", *options, "--points", "9", "--output", str(target))
        assert (found.exit_code, found.output) == (0, "")
        written.append(target.read_bytes())

    assert written[0].startswith(begins)
    assert written[0] == written[1]


def test_a_curve_of_a_picture_goes_through_the_truth(file: str, tmp_path: Path) -> None:
    target = tmp_path / "leak.png"
    plotted(file, "I(r; o)", "--over", "eps=0..6", "--points", "25", "--output", str(target))
    pixels = matplotlib.image.imread(target)
    blue = (pixels[:, :, 2] - pixels[:, :, 0] > 0.3).nonzero()
    left, right = int(blue[1].min()), int(blue[1].max())
    height = {int(x): float(blue[0][blue[1] == x].mean()) for x in set(blue[1])}
    low, high = height[left], height[right - 2]

    def truth(part: float) -> float:
        return 1 - h(1 / (1 + math.exp(-6 * part)))

    for part in (0.25, 0.5, 0.75):
        drawn = (height[round(left + part * (right - left))] - low) / (high - low)
        assert drawn == pytest.approx(truth(part) / truth(1.0), abs=0.03)


@pytest.mark.parametrize(
    ("name", "options", "part"),
    [
        ("o.jpg", [], "found a name that ends in '.jpg', expected .txt, .csv"),
        ("o", [], "found a name without an ending"),
        ("o.svg", ["--format", "png"], "found '.svg' beside --format png"),
    ],
)
def test_a_name_that_says_no_format_is_wrong_use(
    file: str, tmp_path: Path, name: str, options: list[str], part: str
) -> None:
    found = plotted(file, "I(r; o)", "--over", "eps=0..6", "--output", str(tmp_path / name), *options)

    assert found.exit_code == 2
    assert part in found.output
    assert not (tmp_path / name).exists()


def test_without_matplotlib_a_picture_says_how_to_get_it(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    found = plotted(file, "I(r; o)", "--over", "eps=0..6", "--output", str(tmp_path / "o.png"))

    assert found.exit_code == 1
    assert "pip install 'seepage[plot]'" in found.output
