"""A measure at all combinations of values of some parameters, as a table that goes to numpy, pandas, polars, CSV and JSON."""

from __future__ import annotations

import itertools
import math
import os
import sys
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import field, replace
from typing import Protocol, TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.deadline import wall_seconds
from seepage.exact import Number
from seepage.exploration import Explored
from seepage.frames import Cell
from seepage.grid_table import GridTable
from seepage.measures.asking import InformationUnit
from seepage.measures.plotting import Plotted
from seepage.measures.result import Json, Unit, number_json, value_json
from seepage.notebook import Drawable, table_html
from seepage.pipeline import read_measure
from seepage.semantics.checked import Checked
from seepage.source import SourceFile

MOST_POINTS = 100_000

Progress: TypeAlias = Callable[[int, int], object]
"""Called after each point with how many are done, and how many there are."""

Workers: TypeAlias = "int | Executor | HasExecutor"
"""Who computes: so many processes, an executor of ``concurrent.futures``, or a client of Dask."""

_SHARES = 4  # parts of a sweep for each worker: a slow part keeps no other worker waiting for long
_MOST_TOGETHER = 256  # points that a worker is asked at once
_BETWEEN = 0.2  # seconds between two tellings
_PATIENCE = 2.0  # seconds on the wall before progress is shown to people who did not ask for it


class HasExecutor(Protocol):
    """What is used of a client of Dask."""

    def get_executor(self) -> Executor:
        """Return the cluster as an executor of ``concurrent.futures``."""
        ...


class SweepInterrupted(UserWarning):
    """A sweep was interrupted at the keyboard; what it returns holds the points that were done."""


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep asks: a measure of a program, at which values of which parameters.

    Attributes:
        checked: the program.
        text: the measure, as the program's language has it.
        values: of each parameter that varies, in the order of the axes.
        params: values of others.
        unit: of entropies, information and divergences.
        seconds: limit of each point.
    """

    checked: Checked
    text: str
    values: Mapping[str, tuple[Number, ...]]
    params: Mapping[str, Number]
    unit: InformationUnit
    seconds: float


@dataclass(frozen=True, slots=True)
class Sweep(GridTable, Drawable):
    """A measure over a grid of parameters, each point with guaranteed bounds, or with the reason why it has no number.

    Attributes:
        measure: as it was asked.
        unit: of the numbers: "bits", "nats" or "".
        values: the exact values of each parameter that varies, by its name; the table has a row for each combination.
        points: the rows, the last parameter varying fastest; fewer than there are combinations if the sweep was interrupted.
    """

    measure: str
    unit: Unit
    values: Mapping[str, tuple[Number, ...]] = field(hash=False)
    points: tuple[Plotted, ...]
    _swept: Swept = field(repr=False, compare=False)

    def __repr__(self) -> str:
        """Return its size; the points may be many."""
        sizes = " × ".join(f"{len(values)} {name}" for name, values in self.values.items())
        done = "" if self.complete else f", {len(self.points)} done"
        return f"<Sweep of {self.measure} over {sizes}{done}>"

    def __str__(self) -> str:
        """Return the table as lines of text."""
        columns = self.columns()
        cells = [list(columns), *([_shown(cell) for cell in row] for row in zip(*columns.values(), strict=True))]
        widths = [max(len(row[place]) for row in cells) for place in range(len(columns))]
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)

    def _repr_html_(self) -> str:
        """Return the table for notebooks."""
        columns = self.columns()
        rows = [[_shown(cell) for cell in row] for row in zip(*columns.values(), strict=True)]
        return table_html(columns, rows, repr(self)[1:-1])

    @property
    def source(self) -> SourceFile:
        """The program's text."""
        return self._swept.checked.source

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters that vary."""
        return tuple(self.values)

    @property
    def complete(self) -> bool:
        """Whether all points are done."""
        return len(self.points) == math.prod(self.shape)

    def resume(self, progress: Progress | bool | None = None, workers: Workers | None = None) -> Sweep:
        """Return the sweep with the points that an interruption left out; it may have been pickled meanwhile.

        Args:
            progress: as in :meth:`seepage.Program.sweep`.
            workers: likewise.
        """
        return _go_on(self, progress, workers)

    def _grid(self) -> tuple[Mapping[str, Sequence[Number]], Sequence[Plotted], Unit]:
        return self.values, self.points, self.unit

    def to_dict(self) -> dict[str, Json]:
        """Return all of it as values that JSON holds: infinities as strings, parameters exactly, in the spelling of programs."""
        return {
            "measure": self.measure,
            "unit": self.unit,
            "parameters": list(self.values),
            "values": {name: [exact.spelled(each) for each in values] for name, values in self.values.items()},
            "complete": self.complete,
            "points": [
                {
                    "at": [exact.spelled(each) for each in point.at],
                    "value": None if point.fault else value_json(point.value),
                    "lower": None if point.fault else number_json(point.lower),
                    "upper": None if point.fault else number_json(point.upper),
                    "certainty": None if point.certainty is None else point.certainty.value,
                    "fault": point.fault or None,
                }
                for point in self.points
            ],
        }


def sweep(swept: Swept, progress: Progress | bool | None = None, workers: Workers | None = None) -> Sweep:
    """Evaluate a measure at all combinations; on a keyboard interrupt, return what is done and warn.

    Raises:
        Fault: as :func:`seepage.pipeline.measure`, if no point can have a number.
        ValueError: if there are no points, or too many.
    """
    empty = [name for name, values in swept.values.items() if not values]
    if empty or not swept.values:
        known = ", ".join(swept.checked.symbols.params) or "none"
        raise ValueError(
            f"found no values{f' of {empty[0]!r}' if empty else ''}, expected at least one parameter with values, as in "
            f"eps=[1, 2] (parameters: {known})"
        )
    if (many := math.prod(map(len, swept.values.values()))) > MOST_POINTS:
        raise ValueError(f"found {many} combinations of values, expected at most {MOST_POINTS}")
    return _go_on(Sweep(swept.text.strip(), swept.unit, swept.values, (), swept), progress, workers)


def _go_on(found: Sweep, progress: Progress | bool | None, workers: Workers | None) -> Sweep:
    swept, points = found._swept, list(found.points)
    total = math.prod(found.shape)
    wanted = list(itertools.islice(itertools.product(*swept.values.values()), len(points), None))
    tell = _teller(progress)
    answers = _points(swept, wanted) if workers is None else _shared(swept, wanted, workers)
    try:
        for point in answers:
            points.append(point)
            tell(len(points), total)
    except KeyboardInterrupt:
        answers.close()
        message = f"interrupted after {len(points)} of {total} points, which are kept; resume() goes on"
        warnings.warn(message, SweepInterrupted, stacklevel=5)
    units: list[Unit] = [point.unit for point in points if point.unit is not None]
    return replace(found, unit=units[0] if units else swept.unit, points=tuple(points))


def _points(swept: Swept, wanted: Sequence[tuple[Number, ...]]) -> Generator[Plotted]:
    """Yield the answers at some points, computed here."""
    names = tuple(swept.values)
    yield from Explored(swept.checked).points(swept.text, names, wanted, swept.params, swept.unit, swept.seconds)


def _answered(swept: Swept, wanted: Sequence[tuple[Number, ...]]) -> list[Plotted]:
    """Return the answers at some points: what a worker does."""
    return list(_points(swept, wanted))


def _shared(swept: Swept, wanted: Sequence[tuple[Number, ...]], workers: Workers) -> Generator[Plotted]:
    """Yield the answers at some points, computed by others; what nobody waits for any more is given up.

    Raises:
        ValueError: if the number of processes is not at least 1.
        TypeError: if ``workers`` is nothing that computes.
        RuntimeError: if a process ends before it has answered.
    """
    read_measure(swept.checked, swept.text)  # what is wrong with it is told here, once
    own: Executor | None = None
    if isinstance(workers, int):
        if workers < 1:
            raise ValueError(f"found {workers} workers, expected at least 1")
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import current_process, get_context

        if getattr(current_process(), "_inheriting", False):  # a worker that reads the script from its top
            raise SystemExit(1)
        own = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
        executor: Executor = own
        size = -(-len(wanted) // (_SHARES * workers))
    elif not isinstance(workers, Executor) and not hasattr(workers, "get_executor"):
        raise TypeError(f"found {workers!r} as workers, expected how many processes, an executor, or a client of Dask")
    else:
        executor = workers if isinstance(workers, Executor) else workers.get_executor()
        size = -(-len(wanted) // (_SHARES * _usual_workers()))
    size = max(1, min(size, _MOST_TOGETHER))
    futures = [executor.submit(_answered, swept, wanted[at : at + size]) for at in range(0, len(wanted), size)]
    try:
        for future in futures:
            yield from future.result()
    except BrokenExecutor:
        if own is None:
            raise
        raise RuntimeError(_NO_GUARD) from None
    finally:
        for future in futures:
            future.cancel()
        if own is not None:
            own.shutdown(wait=False, cancel_futures=True)


_NO_GUARD = (
    "a worker process ended before it had answered; in a script, each of them reads the script from its top first, "
    "so that what the script does has to stand under 'if __name__ == \"__main__\":'"
)


def _usual_workers() -> int:
    """Return how many processors there are, by which a sweep is cut where nobody says how many workers there are."""
    return os.cpu_count() or 1


def _teller(progress: Progress | bool | None) -> Progress:
    """Return who is told of progress; where nobody said so, people at a terminal or a notebook are, of what takes long."""
    if callable(progress):
        return progress
    if progress is False or (progress is None and not (sys.stderr.isatty() or "ipykernel" in sys.modules)):
        return lambda done, total: None
    shown_from = wall_seconds() + (0.0 if progress else _PATIENCE)
    last = [0.0]

    def tell(done: int, total: int) -> None:
        now = wall_seconds()
        if now >= shown_from and (done == total or now - last[0] > _BETWEEN):
            last[0] = now
            print(f"\r{done} of {total} points", end="\n" if done == total else "", file=sys.stderr, flush=True)

    return tell


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
