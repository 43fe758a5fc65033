"""Write patients.csv, the table of examples/three-releases.seep: invented people, the same in every run."""

from __future__ import annotations

import csv
import random
import sys
from pathlib import Path
from typing import TextIO

ROWS = 60
AREAS = {"101": 24, "102": 20, "117": 12, "190": 4}  # beginnings of zip codes, with how many people live there
ILLNESSES = ("none", "asthma", "diabetes", "flu")


def write(file: TextIO) -> None:
    """Write the table to an open file."""
    chance = random.Random(2024)
    table = csv.writer(file, lineterminator="\n")
    table.writerow(("row", "age", "sex", "zip", "illness"))
    areas = [area for area, count in AREAS.items() for _ in range(count)]
    chance.shuffle(areas)
    for row, area in enumerate(areas, 1):
        age = min(94, max(18, round(chance.gauss(46 if area != "190" else 71, 17))))
        illness = chance.choices(ILLNESSES, (6, 2, 1 + age // 30, 3))[0]
        table.writerow((row, age, chance.choice("fm"), f"{area}{chance.randint(10, 99)}", illness))


if __name__ == "__main__":
    with Path(sys.argv[0]).with_name("patients.csv").open("w", encoding="utf-8", newline="") as target:
        write(target)
