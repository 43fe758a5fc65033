"""What attrs compiles for the protocol's types, kept from one start to the next."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

# Loads the types five times in one process: with nothing kept, with all kept, with a damaged file and after that, and where nothing can be kept.
_PROGRAM = """
import json, sys
from pathlib import Path
from seepage_lsp import compiled

file, counts = Path(sys.argv[1]), []

def counting(*what):
    counts[-1] += 1
    return compile(*what)

def load(file):
    sys.modules.pop(compiled.TYPES, None)
    counts.append(0)
    compiled.load_types(file)

vars(compiled)["compile"] = counting
load(file)
load(file)
from lsprotocol.types import Position, Range
place = Range(start=Position(line=1, character=2), end=Position(line=3, character=4))
try:
    Position(line="one", character=2)
except ValueError as error:
    refused = type(error).__name__
data = file.read_bytes()
file.write_bytes(data[:-9] + bytes(9))
load(file)
load(file)
load(file.parent / "file" / "in a file")
print(json.dumps({"counts": counts, "shown": repr(place), "equal": place == Range(Position(1, 2), Position(3, 4)), "refused": refused,
                  "others": [each.name for each in file.parent.iterdir()], "hidden": "compile" in vars(sys.modules["attr._make"])}))
"""


def test_nothing_is_compiled_twice_and_the_types_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    command = [sys.executable, "-c", _PROGRAM, str(tmp_path / "kept")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    told = json.loads(done.stdout)

    first, again, damaged, mended, unwritable = told["counts"]
    assert first > 300
    assert again == mended == 0
    assert damaged == unwritable == first
    assert told["shown"] == "1:2-3:4"
    assert told["equal"]
    assert told["refused"] == "ValueError"
    assert sorted(told["others"]) == ["file", "kept"]
    assert not told["hidden"]
