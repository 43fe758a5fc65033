"""A sweep over workers: which points are asked together, what became of each, and how long the rest will take."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from seepage.checking.order import NO_ANSWER, Broke, Work
from seepage.checking.pool import Event, Workers
from seepage.data_classes import dataclass
from seepage.sweeps.rows import Row, row_of
from seepage.sweeps.study import Point, Study

if TYPE_CHECKING:
    from seepage.measures.result import Json

# Points that are asked together share what is found once, and are lost together if the sweep is killed.
_TOGETHER_SECONDS = 3.0
_MOST_TOGETHER = 256
_MOST_SECONDS = 86_400.0  # of one task

Group: TypeAlias = tuple[tuple[str, str], ...]  # the constants of some points


@dataclass(frozen=True, slots=True)
class Chunk:
    """Points with the same constants, to be asked by one process.

    Attributes:
        study: what is asked.
        group: the constants.
        points: of the study.
        keys: for each measure that of each point.
        limit: seconds of a processor for each number.
    """

    work: ClassVar[Work] = "sweep"
    study: Study
    group: Group
    points: tuple[Point, ...]
    keys: tuple[tuple[str, ...], ...]
    limit: float

    @property
    def seconds(self) -> float:
        """Of a processor, for all of it."""
        return min(_MOST_SECONDS, self.limit * len(self.points) * len(self.study.measures))

    @property
    def value(self) -> dict[str, Json]:
        """The task as a JSON value."""
        study = self.study
        return {
            "name": study.name,
            "text": study.text,
            "constants": [list(each) for each in self.group],
            "names": [name for name in study.names if name not in study.constants],
            "points": [list(study.parameters_at(point)) for point in self.points],
            "measures": list(study.measures),
            "params": dict(study.params),
            "unit": study.unit,
            "limit": self.limit,
        }

    def answer(self, value: object) -> Answered | Broke:
        """Return the rows that a JSON value holds; what is none is a fault of Seepage."""
        match value:
            case {"rows": list(rows), "seconds": float(seconds)} if len(rows) == len(self.study.measures):
                try:
                    return Answered(tuple(self._rows(rows)), seconds)
                except ValueError:
                    return NO_ANSWER
            case _:
                return NO_ANSWER

    def _rows(self, rows: Sequence[object]) -> Iterator[Row]:
        for measure, keys, told in zip(self.study.measures, self.keys, rows, strict=True):
            if not isinstance(told, list):
                raise ValueError("found no rows where some must be")
            for point, key, fields in zip(self.points, keys, told, strict=True):
                if not isinstance(fields, dict):
                    raise ValueError("found no row where one must be")
                yield row_of(point, {**fields, "key": key, "measure": measure})

    def broken(self, reason: str, *, late: bool) -> Iterator[Row]:
        """Yield a row for each number where there is no answer."""
        fields = {"fault": reason, "limit": self.limit if late else None}
        for measure, keys in zip(self.study.measures, self.keys, strict=True):
            for point, key in zip(self.points, keys, strict=True):
                yield row_of(point, {**fields, "key": key, "measure": measure})


@dataclass(frozen=True, slots=True)
class Answered:
    """The rows of a chunk, and the seconds of a processor that they took."""

    rows: tuple[Row, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """How far a sweep is.

    Attributes:
        done: points, those that were known from before among them.
        points: of the study.
        seconds: of a processor that the rest will take, judged by points with the same constants; of those whose constants were not met yet, nothing.
        whole: whether constants of all points that are left were met.
    """

    done: int
    points: int
    seconds: float
    whole: bool


@dataclass(slots=True)
class Sweep:
    """One run. Mutable: it knows what each group of points took so far.

    Attributes:
        study: what is asked.
        limit: seconds of a processor for each number.
        workers: who computes.
        tell: gets how far it is, now and then.
    """

    study: Study
    limit: float
    workers: Workers
    tell: Callable[[Estimate], object]
    _keys: dict[tuple[Point, str], str] = field(default_factory=dict)
    _left: dict[Group, list[Point]] = field(default_factory=dict)
    _took: dict[Group, tuple[int, float]] = field(default_factory=dict)

    def run(self, known: Container[str]) -> Iterator[tuple[Row, ...]]:
        """Yield rows as they come, of the points of which not all keys are known.

        A point at which a process died with others is asked once more, by itself.
        """
        wanted: dict[Point, None] = {}
        for key, (point, measure) in self.study.numbers().items():
            self._keys[point, measure] = key
            if key not in known:
                wanted[point] = None
        for point in wanted:
            self._left.setdefault(self.study.constants_at(point), []).append(point)
        probes = [self._chunk(group, points[:1]) for group, points in self._left.items()]
        yield from self._asked(probes)
        while chunks := list(self._chunks()):
            yield from self._asked(chunks)

    def _chunks(self) -> Iterator[Chunk]:
        for group, points in self._left.items():
            many, seconds = self._took.get(group, (0, 0.0))
            size = _MOST_TOGETHER if not seconds else int(_TOGETHER_SECONDS * many / seconds)
            size = 1 if not many else max(1, min(_MOST_TOGETHER, size))
            for start in range(0, len(points), size):
                yield self._chunk(group, points[start : start + size])

    def _chunk(self, group: Group, points: Sequence[Point]) -> Chunk:
        keys = tuple(tuple(self._keys[point, measure] for point in points) for measure in self.study.measures)
        return Chunk(self.study, group, tuple(points), keys, self.limit)

    def _asked(self, chunks: Sequence[Chunk]) -> Iterator[tuple[Row, ...]]:
        for event in self.workers.run(chunks):
            if (rows := self._rows(event, chunks)) is not None:
                yield rows
            self.tell(self.estimate())

    def _rows(self, event: Event[Answered | Broke], chunks: Sequence[Chunk]) -> tuple[Row, ...] | None:
        if event.done is None:
            return None
        chunk, answer = chunks[event.done.number], event.done.answer
        if isinstance(answer, Broke):
            many, seconds = self._took.get(chunk.group, (0, 0.0))
            if len(chunk.points) > 1:  # one of them is to blame: each is asked by itself next
                self._took[chunk.group] = (0, 0.0)
                return None
            self._took[chunk.group] = (many, seconds)
            rows = tuple(chunk.broken(answer.reason, late=answer.out_of_time))
        else:
            many, seconds = self._took.get(chunk.group, (0, 0.0))
            self._took[chunk.group] = (many + len(chunk.points), seconds + answer.seconds)
            rows = answer.rows
        gone = set(chunk.points)
        self._left[chunk.group] = [point for point in self._left[chunk.group] if point not in gone]
        return rows

    def estimate(self) -> Estimate:
        """Return how far it is."""
        left = sum(map(len, self._left.values()))
        seconds, whole = 0.0, True
        for group, points in self._left.items():
            many, took = self._took.get(group, (0, 0.0))
            seconds += len(points) * took / many if many else 0.0
            whole = whole and (bool(many) or not points)
        return Estimate(self.study.size - left, self.study.size, seconds, whole)
