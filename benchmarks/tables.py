"""A table of a million rows, read and released, against the same groups counted with Python's own reader and dictionaries."""

from __future__ import annotations

import csv
import random
import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Sequence
from functools import partial
from math import log2
from pathlib import Path

from benchmarks.task import Job, Task

_ROWS = 1_000_000
PROGRAM = """
table people from "people.csv"
row ~ people
illness := row.illness
decade := floor(row.age / 10)
area := floor(row.zip / 100)
sex := row.sex
"""
_RELEASED = "decade, area, sex"
_ILLNESS, _ROW = (
    tuple(form.format(secret, _RELEASED) for form in ("I({}; {})", "V({} | {})", "Guess({} | {})"))
    for secret in ("illness", "row")
)


def _folder() -> Path:
    """Write the table and the program into a new folder, which goes with this process."""
    folder = Path(tempfile.mkdtemp())
    weakref.finalize(_folder, shutil.rmtree, folder, ignore_errors=True)
    chance = random.Random(1)
    with (folder / "people.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("id", "age", "zip", "sex", "illness", "income"))
        for number in range(_ROWS):
            illness = chance.choice(("flu", "asthma", "none", "diabetes"))
            where = chance.randint(10_000, 10_999)
            table.writerow(
                (number, chance.randint(0, 99), where, chance.choice("fm"), illness, chance.randint(10, 99) * 1_000)
            )
    (folder / "a.seep").write_text(PROGRAM, encoding="utf-8")
    return folder


def released(measures: Sequence[str]) -> Job:
    """Prepare reading the table and asking three measures."""
    import seepage
    from seepage.syntax.data import reading

    path = _folder() / "a.seep"

    def job() -> list[float | None]:
        reading.forget()  # each run reads the file
        program = seepage.load(path)
        return [program.measure(measure).value for measure in measures]

    return job


def counted() -> Job:
    """Prepare the same with dictionaries."""
    path = _folder() / "people.csv"

    def job() -> list[float]:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            next(rows)
            joint = Counter((row[4], int(row[1]) // 10, int(row[2]) // 100, row[3]) for row in rows)
        total = joint.total()
        ill, seen = Counter[object](), Counter[object]()
        groups: dict[object, list[int]] = {}
        for (illness, *release), count in joint.items():
            ill[illness] += count
            seen[tuple(release)] += count
            groups.setdefault(tuple(release), []).append(count)
        information = sum(
            count / total * log2(count * total / (ill[key[0]] * seen[key[1:]])) for key, count in joint.items()
        )
        ordered = [sorted(group, reverse=True) for group in groups.values()]
        guesses = sum(place * count for group in ordered for place, count in enumerate(group, 1)) / total
        return [information, sum(group[0] for group in ordered) / total, guesses]

    return job


TASKS = {
    "a release of a million rows": Task(
        partial(released, _ILLNESS), counted, "the same groups counted with csv and dictionaries"
    ),
    "a release of a million rows, the whole row being the secret": Task(
        partial(released, _ROW), counted, "the groups of the release above counted with csv and dictionaries"
    ),
}
