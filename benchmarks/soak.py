"""``python benchmarks/soak.py --minutes N``: scripted editing for that long, and how memory and processes of the server fare."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.editing import EXAMPLE, Session, resident, session

SECRETS = "secret r\noutput o\nparam p in [0, 1] = 1/2\nr ~ bernoulli(p)\nt ~ flip(3/4)\nif t { o := r } else { o := !r }\nshow I(r; o)\n"


@dataclass
class Record:
    """What was seen after each round: bytes of the server, bytes of its largest worker, number of processes."""

    server: list[int] = field(default_factory=list)
    worker: list[int] = field(default_factory=list)
    processes: list[int] = field(default_factory=list)
    edits: int = 0

    def growth(self) -> float:
        """Return by which factor the server's memory grew from the first third to the last."""
        third = max(1, len(self.server) // 3)
        return max(self.server[-third:]) / max(self.server[:third])


def soak(seconds: float, seed: int = 0, rounds: int = 1) -> Record:
    """Type, save, ask, break, mend, undo, cancel, open and close until the time is over, and for so many rounds at least."""
    chance, record = random.Random(seed), Record()
    end = time.monotonic() + seconds
    with session(timeLimit=10) as one:
        while time.monotonic() < end or len(record.server) < rounds:
            _round(one, chance, record)
            children = one.client.children()
            record.server.append(resident(one.client.process.pid))
            record.worker.append(max(map(resident, children), default=0))
            record.processes.append(len(children))
            # What was received is of no more use, and would be taken for growth of this process.
            one.client.received.clear()
    return record


def _round(one: Session, chance: random.Random, record: Record) -> None:
    uri = f"file:///soak/{chance.randrange(4)}.seep"
    text = EXAMPLE.read_text(encoding="utf-8") if chance.random() < 0.2 else SECRETS
    if uri not in one.versions:
        one.open(uri, text)
    for _ in range(40):  # typing, key by key, with mistakes on the way
        line = chance.randrange(4)
        one.insert(uri, line, 0, chance.choice(["/", " ", "漢", "😀", "(", "x"]))
        record.edits += 1
        if chance.random() < 0.2:
            one.ask("textDocument/hover", uri, position={"line": 3, "character": 0})
            one.ask("textDocument/completion", uri, position={"line": 3, "character": 1})
    number = f"{chance.randint(1, 99)}/100"
    one.change(uri, text.replace("1/2", number))
    one.save(uri)
    match chance.randrange(5):
        case 0:
            one.close(uri)
        case 1:  # supersede the analysis that just began
            one.change(uri, text)
            one.save(uri)
            one.analyse(uri)
        case 2:
            one.ask("textDocument/codeLens", uri)
        case _:
            one.analyse(uri)
            one.ask("textDocument/codeLens", uri)
    record.edits += 2


def main() -> None:
    """Soak and print what was seen."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=10)
    minutes = options.parse_args().minutes
    record = soak(minutes * 60)
    print(f"{minutes:g} minutes, {record.edits} edits, {len(record.server)} rounds, load {os.getloadavg()[0]:.1f}")
    print(
        f"server: {record.server[0] >> 20} MB at first, {record.server[-1] >> 20} MB at last, {max(record.server) >> 20} MB at most"
    )
    print(f"largest worker: {max(record.worker) >> 20} MB at most; processes: {max(record.processes)} at most")
    print(f"growth of the server from the first third to the last: {record.growth():.3f}")


if __name__ == "__main__":
    main()
