"""The examples hold what their headers promise; the numbers are those of closed forms and of the verified cases."""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
import runpy
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Literal

import pytest

import seepage
from seepage.diagnostics import Severity
from seepage.rules import (
    CLASSICAL_NOISE,
    CONDITIONAL_ON_CONTINUOUS,
    NONLINEAR_FUNCTION,
    NOT_GAUSSIAN,
    PRODUCT_OF_CONTINUOUS,
)

Pick = Callable[[Iterable[float]], float]
EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted(path.name for path in EXAMPLES.glob("*.seep"))


def h(*chances: float) -> float:
    """Return the entropy of chances, in bits."""
    return -sum(p * math.log2(p) for p in chances if p)


def binomial(n: int, p: float) -> list[float]:
    return [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def sums(count: int, base: int) -> list[float]:
    """Return the chances of the sums of ``count`` uniform values below ``base``."""
    found = Counter(sum(values) for values in itertools.product(range(base), repeat=count))
    return [ways / base**count for ways in found.values()]


LIES = binomial(30, 1 / 4)
TRUTH = LIES[::-1]
SEEN = [(a + b) / 2 for a, b in zip(LIES, TRUTH, strict=True)]
ONE_OF_FIFTY = 3 / 10 * math.e / (1 + math.e) + 7 / 10 / (1 + math.e)  # says yes
OTHERS = binomial(49, ONE_OF_FIFTY)
YES = [
    math.e / (1 + math.e) * before + 1 / (1 + math.e) * same
    for same, before in zip([*OTHERS, 0], [0, *OTHERS], strict=True)
]
NO = [
    1 / (1 + math.e) * before + math.e / (1 + math.e) * same
    for same, before in zip([*OTHERS, 0], [0, *OTHERS], strict=True)
]
HALVES = [math.comb(4, k) / 16 for k in range(5)]
KARY = [math.e / (math.e + 9), *(9 * [1 / (math.e + 9)])]
PREDECESSOR = [0.4, *(8 * [0.075])]

# Every triple of bids with its announcement.
ANNOUNCED = [
    (bids, (max(range(3), key=lambda who: (bids[who], -who)), sorted(bids)[1]))
    for bids in itertools.product(range(10), repeat=3)
]


def told(of: Callable[[tuple[tuple[int, ...], tuple[int, int]]], object]) -> float:
    """Return the entropy of what ``of`` reads from the triples of bids, in bits."""
    return h(*[ways / len(ANNOUNCED) for ways in Counter(map(of, ANNOUNCED)).values()])


BEST_OF_BIDS = Counter((announced, bids[0]) for bids, announced in ANNOUNCED)
TRUE_BIT = math.sqrt(math.e) / (1 + math.sqrt(math.e))
# With c of five bits set the best guess is one of them: it is set truly, c - 1 others falsely, 5 - c are kept.
BEST_SITE = [
    math.comb(5, c) * TRUE_BIT ** (6 - c) * (1 - TRUE_BIT) ** (c - 1) if c else TRUE_BIT**4 * (1 - TRUE_BIT)
    for c in range(6)
]

# Closed forms of the gallery: file, measure, unit, value.
CLOSED = [
    ("asked-thirty-times.seep", "I(yes; said[1])", "bits", 1 - h(1 / 4, 3 / 4)),
    ("asked-thirty-times.seep", "I(yes; said)", "bits", h(*SEEN) - h(*LIES)),
    ("asked-thirty-times.seep", "V(yes | said)", "bits", sum(map(max, LIES, TRUTH)) / 2),
    ("asked-thirty-times.seep", "DP(yes -> said)", "bits", 30 * math.log(3)),
    ("cache-line.seep", "I(key; line)", "bits", 3.6),
    ("cache-line.seep", "V(key | line)", "bits", 16 * 0.9 / 256 + 0.1 / 256),
    ("coarsened-age.seep", "I(age; decade)", "bits", h(2 / 73, *(7 * [10 / 73]), 1 / 73)),
    ("coarsened-age.seep", "I(postcode; district)", "bits", math.log2(900)),
    ("coarsened-age.seep", "Guess(age | decade, district)", "bits", 2 / 73 * 1.5 + 70 / 73 * 5.5 + 1 / 73),
    ("coarsened-age.seep", "V(postcode | district)", "bits", 1 / 100),
    ("coarsened-age.seep", "V(age | decade)", "bits", 9 / 73),
    ("crowds.seep", "P(seen < 9)", "bits", 4 / 13),
    ("crowds.seep", "P(who == 0 | seen == 0)", "bits", 1 - 3 / 4 * 8 / 10),
    ("crowds.seep", "I(who; seen)", "bits", 4 / 13 * (math.log2(9) - h(*PREDECESSOR))),
    ("crowds.seep", "V(who | seen)", "bits", 4 / 13 * 0.4 + 9 / 13 / 9),
    ("early-exit.seep", "I(pin; right)", "bits", h(1e-4, 1 - 1e-4)),
    ("early-exit.seep", "I(pin; right, steps)", "bits", h(0.9, 0.09, 0.009, 0.0009, 0.0001)),
    ("early-exit.seep", "V(pin | right, steps)", "bits", 5e-4),
    ("favourite-site.seep", "DP(site -> report)", "bits", 1.0),
    ("favourite-site.seep", "V(site | report)", "bits", sum(BEST_SITE) / 5),
    ("gamblers-ruin.seep", "P(rich)", "bits", 3 / 10),
    ("gamblers-ruin.seep", "I(first; rich)", "bits", h(0.3, 0.7) - (h(0.4, 0.6) + h(0.2, 0.8)) / 2),
    ("k-ary-response.seep", "I(answer; report)", "bits", math.log2(10) - h(*KARY)),
    ("k-ary-response.seep", "V(answer | report)", "bits", KARY[0]),
    ("laplace-count.seep", "DP(has -> count, distance=1)", "bits", 1 / 2),
    ("laplace-count.seep", "E(abs(count - total))", "bits", 2.0),
    ("laplace-mean.seep", "DP(salary -> mean, distance=1)", "bits", 1.0),
    ("laplace-mean.seep", "E(abs(noise))", "bits", 10.0),
    ("location-on-a-grid.seep", "DP(x, y -> seen_x, seen_y)", "bits", 18.0),
    # 128 bits of messages and 64 of pad, of which the ciphertexts show 128: the pad is 64 of them
    ("two-time-pad.seep", "I(first; one)", "bits", 0.0),
    ("two-time-pad.seep", "I(first; one, other)", "bits", 0.0),
    ("two-time-pad.seep", "I(first, second; one, other)", "bits", 64.0),
    ("medical-test.seep", "P(ill | bill == 120)", "bits", 0.009 / (0.009 + 0.0495)),
    (
        "medical-test.seep",
        "I(ill; bill)",
        "bits",
        h(0.0585, 1 - 0.0585) - 0.01 * h(0.9, 0.1) - 0.99 * h(0.05, 0.95),
    ),
    ("mix-net.seep", "V(sender | place)", "bits", 1 / 2),
    ("mix-net.seep", "I(sender; place)", "bits", 0.0),
    ("one-time-pad.seep", "I(first; one, other)", "bits", 0.0),
    ("one-time-pad.seep", "I(first, second; one, other)", "bits", 4.0),
    ("published-maximum.seep", "DP(score -> best)", "bits", 3 / 2),
    ("redrawn-noise.seep", "P(s == 0)", "bits", 1 / 4),
    ("redrawn-noise.seep", "I(s; o)", "bits", h(10 / 48, 14 / 48, 14 / 48, 10 / 48) - (math.log2(3) + 2) / 2),
    ("running-sums.seep", "DP(day -> sum_up_to, distance=1)", "bits", 1 / 10),
    ("running-sums.seep", "DP(day -> sum_up_to)", "bits", 3 / 10),
    ("sealed-bids.seep", "I(bid; winner, price)", "bits", told(lambda each: each[1])),
    (
        "sealed-bids.seep",
        "I(bid[1]; winner, price)",
        "bits",
        math.log2(10) + told(lambda each: each[1]) - told(lambda each: (each[0][0], each[1])),
    ),
    (
        "sealed-bids.seep",
        "V(bid[1] | winner, price)",
        "bits",
        sum(max(BEST_OF_BIDS[announced, bid] for bid in range(10)) for announced in {each[1] for each in ANNOUNCED})
        / 1000,
    ),
    ("secret-sharing.seep", "I(s; share[1])", "bits", 0.0),
    ("secret-sharing.seep", "I(s; share[1], share[2])", "bits", math.log2(7)),
    ("square-and-multiply.seep", "I(key; time)", "bits", h(*binomial(8, 1 / 2))),
    ("square-and-multiply.seep", "V(key | time)", "bits", 9 / 256),
    ("square-and-multiply.seep", "I(key[1]; time)", "bits", h(*binomial(8, 1 / 2)) - h(*binomial(7, 1 / 2))),
    (
        "survey-of-fifty.seep",
        "I(answer[1]; count)",
        "bits",
        h(*[0.3 * y + 0.7 * n for y, n in zip(YES, NO, strict=True)]) - 0.3 * h(*YES) - 0.7 * h(*NO),
    ),
    ("survey-of-fifty.seep", "DP(answer -> count, distance=1)", "bits", 1.0),
    ("tally.seep", "I(vote[1]; tally)", "bits", h(*binomial(5, 1 / 2)) - h(*binomial(4, 1 / 2))),
    ("tally.seep", "I(vote[1]; tally | vote[2])", "bits", h(*binomial(4, 1 / 2)) - h(*binomial(3, 1 / 2))),
    ("tally.seep", "I(vote; tally)", "bits", h(*binomial(5, 1 / 2))),
    ("tally.seep", "P(tally == 0 or tally == 5)", "bits", 1 / 16),
    ("two-averages.seep", "H(pay[4])", "bits", math.log2(9)),
    ("two-averages.seep", "I(pay[4]; before)", "bits", h(*sums(4, 9)) - h(*sums(3, 9))),
    ("two-averages.seep", "I(pay[4]; before, after)", "bits", math.log2(9)),
]

# What headers say of the numbers of verified cases: the laws of sums of noise, and the composition of samples.
# file, measure, parameters, unit, value, half a unit of the last digit that the header shows
PROMISES = [
    ("location-on-a-grid.seep", "I(x, y; seen_x, seen_y)", {}, "bits", 2.6456747, 5e-8),
    ("location-on-a-grid.seep", "E(abs(x - seen_x) + abs(y - seen_y))", {}, "bits", 1.4326219, 5e-8),
    ("noisy-location.seep", "I(x, y; seen_x, seen_y)", {}, "bits", 0.639933, 5e-6),  # these by a fine grid of outputs
    ("noisy-location.seep", "V(x, y | seen_x, seen_y)", {}, "bits", 0.179558, 5e-6),
    ("noisy-location.seep", "Guess(x, y | seen_x, seen_y)", {}, "bits", 5.590398, 1e-5),
    ("noisy-location.seep", "Delta(x, y -> seen_x, seen_y, eps=1)", {}, "bits", 0.836425, 5e-6),
    ("noisy-location.seep", "P(clinic | seen_x == 3 and seen_y == 1)", {}, "bits", 0.2290172618, 5e-11),
    ("published-maximum.seep", "I(score; best)", {}, "bits", 0.020334019, 5e-10),
    ("published-maximum.seep", "V(score | best)", {}, "bits", 0.1531811, 5e-8),
    ("noisy-gradient.seep", "DP(member -> gradient, delta=1/100000)", {}, "bits", 2.35408, 2.35408e-3),
    ("noisy-gradient.seep", "Delta(member -> gradient, eps=1)", {}, "bits", 2.0919e-3, 2.1e-6),
    ("three-releases.seep", "V(who | decade, area)", {}, "bits", 0.333, 5e-4),
    ("three-releases.seep", "V(who | band, sex)", {}, "bits", 0.150, 5e-4),
    ("three-releases.seep", "V(who | area, sex)", {}, "bits", 0.133, 5e-4),
    ("three-releases.seep", "V(illness)", {}, "bits", 0.433, 5e-4),
    ("randomized-response.seep", "I(r[1]; o)", {}, "bits", 0.0261, 5e-5),
    ("randomized-response-single.seep", "I(r; o)", {"eps": "0"}, "bits", 0.0, 0.0),
    ("randomized-response-single.seep", "I(r; o)", {"eps": "1/10"}, "bits", 0.0018, 5e-5),
    ("randomized-response-single.seep", "I(r; o)", {"eps": "10"}, "bits", 0.9993, 5e-5),
    ("gaussian-mechanism.seep", "I(inc[1]; out)", {}, "nats", 0.101, 5e-4),
    ("gaussian-mechanism.seep", "I(inc[1]; out)", {"eps": "1/10"}, "nats", 4.8e-6, 5e-8),
    ("gaussian-mechanism.seep", "P(nfem == 4)", {}, "bits", 0.318, 5e-4),
    ("gaussian-mechanism-observed.seep", "P(nfem == 4)", {}, "bits", 0.222, 5e-4),
    ("dining-cryptographers.seep", "I(who; a)", {}, "bits", 0.811, 5e-4),
    ("dining-cryptographers.seep", "I(who; a[1])", {}, "bits", 0.0, 0.0),
    ("dining-cryptographers.seep", "I(who; a)", {"b": "9/10"}, "bits", 1.268, 5e-4),
    ("password-check.seep", "I(pin; right)", {}, "bits", 0.0015, 5e-5),
    ("password-check.seep", "H(pin)", {}, "bits", 13.3, 5e-2),
    ("password-guesses.seep", "I(pin; right)", {}, "bits", math.log2(10) - 7 / 10 * math.log2(7), 1e-12),
    ("password-guesses.seep", "I(pin; right)", {}, "bits", 1.357, 5e-4),
    ("password-guesses.seep", "V(pin | right)", {}, "bits", 0.4, 1e-15),
    ("password-guesses.seep", "max P(any(right))", {}, "bits", 0.3, 1e-15),
    ("twenty-questions.seep", "I(grade; yes)", {}, "bits", 2.699, 5e-4),
    ("twenty-questions.seep", "H(grade)", {}, "bits", 2.747, 5e-4),
    ("twenty-questions.seep", "V(grade | yes)", {}, "bits", 0.988, 5e-4),
    ("twenty-questions.seep", "V(grade)", {}, "bits", 0.238, 5e-4),
    ("mastermind.seep", "I(code; black[1], common[1])", {}, "bits", 2.0588138903312013, 1e-12),
    ("mastermind.seep", "I(code; black, common)", {}, "bits", math.log2(9), 1e-12),
    ("early-exit-timing.seep", "I(pin; time)", {}, "bits", 3.0778195311147832, 1e-12),
    ("early-exit-timing.seep", "V(pin | time)", {}, "bits", 5 / 8, 1e-15),
    ("padding-oracle.seep", "I(half; valid)", {}, "bits", 3 / 16 * 4 + 13 / 16 * math.log2(16 / 13), 1e-12),
    ("padding-oracle.seep", "V(half | valid)", {}, "bits", 4 / 16, 1e-15),
    ("padding-oracle.seep", "Guess(half | valid)", {}, "bits", (3 * 1 + 13 * 7) / 16, 1e-12),
    ("adaptive-counts.seep", "I(b; answer)", {}, "bits", 1.060, 5e-4),
    ("adaptive-counts.seep", "V(b | answer)", {}, "bits", 0.422, 5e-4),
    ("monty-hall.seep", "I(car; door)", {}, "bits", 2 / 3, 1e-15),
    ("monty-hall.seep", "I(stay; door)", {}, "bits", 0.0, 0.0),
    ("exponential-mechanism.seep", "I(vote; winner)", {}, "bits", 0.118, 5e-4),
    ("exponential-mechanism.seep", "I(vote[1]; winner)", {}, "bits", 0.038, 5e-4),
    ("exponential-mechanism.seep", "DP(vote -> winner, distance=1)", {}, "bits", 0.689, 5e-4),
    ("subsampling.seep", "DP(record -> answer)", {}, "bits", math.log(1 + (math.e - 1) / 10), 1e-12),
    ("subsampling.seep", "DP(record -> answer)", {}, "bits", 0.159, 5e-4),
    ("report-noisy-max.seep", "I(count; winner)", {}, "bits", 0.150, 5e-4),
    ("report-noisy-max.seep", "I(count[1]; winner)", {}, "bits", 0.049, 5e-4),
    ("report-noisy-max.seep", "V(count[1])", {}, "bits", 0.250, 0.0),
    ("report-noisy-max.seep", "V(count[1] | winner)", {}, "bits", 0.331, 5e-4),
    ("report-noisy-max.seep", "DP(count[1] -> winner, distance=1 | count[2], count[3])", {}, "bits", 0.469, 5e-4),
]


# The paper's Gaussian mechanism claims an eps of 100, far beyond what its formula is proved for, and is told so.
# Laplace noise, its comparisons and its maxima are beyond what mixtures do exactly, and are certified all the same.
TOLD = {
    "gaussian-mechanism.seep": [CLASSICAL_NOISE],
    "gaussian-mechanism-observed.seep": [CLASSICAL_NOISE],
    "laplace-count.seep": [NOT_GAUSSIAN],
    "laplace-mean.seep": [NOT_GAUSSIAN],
    "noisy-location.seep": [NOT_GAUSSIAN, PRODUCT_OF_CONTINUOUS],
    "published-maximum.seep": [NOT_GAUSSIAN, NONLINEAR_FUNCTION],
    "report-noisy-max.seep": [NOT_GAUSSIAN, CONDITIONAL_ON_CONTINUOUS],
    "running-sums.seep": [NOT_GAUSSIAN],
}


@cache
def program_of(name: str) -> seepage.Program:
    return seepage.load(EXAMPLES / name)


@cache
def analysed(name: str) -> seepage.Analysis:
    return program_of(name).analyze()


def measured(name: str, measure: str, params: dict[str, str], unit: Literal["bits", "nats"]) -> seepage.Result:
    """Return the result of a measure, of the one analysis of the example where it is shown there."""
    if not params:
        for answer in analysed(name).answers:
            if answer.text == measure and answer.result is not None and answer.result.unit in (unit, None):
                return answer.result
    return program_of(name).measure(measure, params=params, unit=unit)


@pytest.mark.family(every=4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_is_clean_and_keeps_its_budgets(name: str) -> None:
    program, analysis = program_of(name), analysed(name)

    told = set(TOLD.get(name, ()))
    assert {each.rule for each in program.diagnostics if each.severity is not Severity.HINT} == told
    assert analysis.diagnostics == ()
    assert {answer.verdict for answer in analysis.answers if answer.role == "require"} <= {"holds"}
    # What holds over ranges has no one number.
    assert all(answer.result is not None or answer.role == "require" for answer in analysis.answers)


@pytest.mark.parametrize(("name", "measure", "unit", "value"), CLOSED)
def test_the_gallery_has_the_numbers_of_closed_forms(
    name: str, measure: str, unit: Literal["bits", "nats"], value: float
) -> None:
    result = measured(name, measure, {}, unit)

    assert result.value == pytest.approx(value, rel=1e-9, abs=1e-12)
    assert result.certainty is not seepage.Certainty.APPROXIMATE


@pytest.mark.parametrize(("name", "measure", "params", "unit", "value", "tolerance"), PROMISES)
def test_a_header_tells_the_truth(
    name: str, measure: str, params: dict[str, str], unit: Literal["bits", "nats"], value: float, tolerance: float
) -> None:
    result = measured(name, measure, params, unit)

    assert value - tolerance <= result.lower <= result.upper <= value + tolerance


def test_the_table_of_patients_is_the_one_that_its_script_writes() -> None:
    module = runpy.run_path(str(EXAMPLES / "data" / "make_patients.py"))
    written = io.StringIO()
    module["write"](written)

    assert (EXAMPLES / "data" / "patients.csv").read_text(encoding="utf-8") == written.getvalue()


def test_each_release_of_patients_gives_away_whom_its_header_names() -> None:
    with (EXAMPLES / "data" / "patients.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))

    def age(row: dict[str, str]) -> int:
        return int(row["age"])

    def area(row: dict[str, str]) -> str:
        return row["zip"][:3]

    releases: dict[str, Callable[[dict[str, str]], object]] = {
        "A": lambda row: (age(row) // 10, area(row)),
        "B": lambda row: (age(row) // 20, row["sex"]),
        "C": lambda row: (area(row), row["sex"]),
        "all": lambda row: (age(row) // 10, area(row), row["sex"]),
    }
    alone: dict[str, set[str]] = {}
    for name, release in releases.items():
        sizes = Counter(map(release, rows))
        alone[name] = {row["row"] for row in rows if sizes[release(row)] == 1}

    assert {name for name, found in alone.items() if "21" in found} == {"A", "B", "all"}
    assert {name for name, found in alone.items() if "25" in found} == {"A", "C", "all"}
    assert sum(age(row) // 20 == 3 and row["sex"] == "m" for row in rows) == 6
    assert len(alone["all"]) == 16


def test_the_poll_of_a_hundred_leaks_what_its_header_says() -> None:
    text = (EXAMPLES / "randomized-response.seep").read_text(encoding="utf-8")

    result = seepage.parse(text.replace("const n = 6", "const n = 100")).measure("I(r[1]; o)")

    assert result.lower <= 0.001542094795 + 5e-13
    assert result.upper >= 0.001542094795 - 5e-13
    assert result.upper - result.lower < 1e-12


def noisy_counts(noise: dict[int, float]) -> tuple[float, float]:
    """Return what two counts of groups chosen one after the other tell of three bits, and the chance to guess these, by trying all groups."""

    def left(bits: dict[int, float]) -> float:
        whole = sum(bits.values())
        return sum(chance * math.log2(whole / chance) for chance in bits.values())

    def best(bits: dict[int, float], asked: int, leaf: Callable[[dict[int, float]], float], pick: Pick) -> float:
        if asked == 2:
            return leaf(bits)
        found: list[float] = []
        for group in range(1, 8):
            answers: dict[int, dict[int, float]] = {}
            for value, chance in bits.items():
                for error, share in noise.items():
                    part = answers.setdefault((value & group).bit_count() + error, {})
                    part[value] = part.get(value, 0.0) + chance * share
            found.append(sum(best(part, asked + 1, leaf, pick) for part in answers.values()))
        return float(pick(found))

    prior = dict.fromkeys(range(8), 1 / 8)
    return 3 - best(prior, 0, left, min), best(prior, 0, lambda bits: max(bits.values()), max)


def test_counts_behind_noise_tell_what_the_best_groups_tell() -> None:
    program = seepage.load(EXAMPLES / "adaptive-counts.seep")
    told, guessed = noisy_counts({-1: 1 / 4, 0: 1 / 2, 1: 1 / 4})

    assert program.measure("I(b; answer)").number == pytest.approx(told, abs=1e-12)
    assert program.measure("V(b | answer)").number == pytest.approx(guessed, abs=1e-12)
    assert noisy_counts({0: 1.0})[0] == pytest.approx(2.75, abs=1e-12)


def test_three_questions_asked_at_once_tell_what_the_header_says() -> None:
    chance = [math.comb(12, k) / 3**k * (2 / 3) ** (12 - k) for k in range(13)]

    def told(questions: tuple[int, ...]) -> float:
        classes: dict[tuple[bool, ...], float] = {}
        for grade, mass in enumerate(chance):
            answers = tuple(grade <= one for one in questions)
            classes[answers] = classes.get(answers, 0.0) + mass
        return -sum(mass * math.log2(mass) for mass in classes.values())

    best = max(itertools.combinations(range(13), 3), key=told)

    assert best == (2, 3, 4)
    assert told(best) == pytest.approx(1.945, abs=5e-4)


def test_the_gallery_lists_every_program_once() -> None:
    listed = re.findall(r"\]\(([\w-]+\.seep)\)", (EXAMPLES / "README.md").read_text(encoding="utf-8"))

    assert sorted(listed) == PROGRAMS
