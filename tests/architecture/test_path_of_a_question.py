"""How many files of engines and measures a small question enters: a number above the limit says that an answer takes a detour."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import seepage

LIBRARY = Path(seepage.__file__).parent
MOST_FILES = 56  # of measures/ and engines/; 54 when this was written: a stage that every question passes adds one

XOR = """
secret s
output o
s ~ bernoulli(1/2)
k ~ bernoulli({chance})
o := s xor k
"""


def entered(program: seepage.Program, measure: str) -> set[str]:
    """Return the files of the two packages of which a function is called on the way to a measure."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        program.measure(measure)
    finally:
        sys.setprofile(before)
    own = (Path(each) for each in files)
    inside = {str(each.relative_to(LIBRARY)) for each in own if each.is_relative_to(LIBRARY)}
    return {each for each in inside if each.startswith(("measures/", "engines/"))}


def test_the_information_of_an_xor_takes_a_short_path() -> None:
    seepage.parse(XOR.format(chance="1/5")).measure("I(s; o)")  # what is imported, and made once, is no path
    files = entered(seepage.parse(XOR.format(chance="2/7")), "I(s; o)")

    assert {
        "measures/planning/planner.py",
        "engines/forward/run.py",
        "measures/discrete/mutual_information.py",
    } <= files
    assert len(files) <= MOST_FILES, sorted(files)
