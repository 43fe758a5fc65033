r"""Several outputs that are independent given discrete values, as two finite channels: products of those of single outputs.

A product of channels of which each tells less (more) than another tells less (more) than the product of the others. Products grow, so outputs are put together again: *less* is told
where outputs with about the same ratios of chances are joined; *more* where each is split among the corners of its cell on a grid of logarithms of ratios. The ratios
:math:`r_s = w_s / w_0` of an output are a mean of corners :math:`\prod_s [a_s, b_s]` with the weights :math:`\prod_s` of :math:`t_s` or :math:`1 - t_s`,
:math:`t_s = (r_s - a_s) / (b_s - a_s)`, so that all masses stay: forgetting the corner undoes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import numpy.typing as npt
from flint import arb

from seepage.data_classes import dataclass
from seepage.laws.forms import Beyond
from seepage.measures.cells.columns import Columns, Floats, columns_of, columns_of_atoms
from seepage.measures.cells.reading import Look, Looks
from seepage.measures.discrete.weights import Values

_MOST_ENTRIES, _MOST_ENTRIES_OF_MANY = 1_000_000, 400_000  # of a channel, of two or three outputs and of more
_MOST_CELLS, _CELLS_OF_MANY = 700, 128  # of one output alone, and of one of many
_LEAST_CELLS = 12
_FEW = 3
_MOST_STATES = 4  # of inputs, and what outputs depend on, where outputs are split among corners
_FIRST_STEP, _LAST_STEP = 1 / 64, 1.0  # of the grid of logarithms of ratios
_SAME = 1e-12  # logarithms of ratios that far apart are the same


@dataclass(frozen=True, slots=True)
class Finite:
    """Two finite channels from inputs to all outputs, each weighted by the chances of the inputs.

    Attributes:
        inputs: their values, one for each row.
        columns: what is told, one column for each output.
    """

    inputs: tuple[Values, ...]
    columns: Columns


def joined(looks: Looks, inputs: Sequence[str], stop: Callable[[], None]) -> Finite:
    """Return the finite channels of a program.

    Args:
        looks: what it publishes.
        inputs: the variables that it tells about.
        stop: raises where time is up.

    Raises:
        Beyond: if there are too many states, or an output has no cells.
    """
    joint = looks.joint
    places = joint.positions(inputs)
    seen = joint.positions(looks.discrete)
    groups: dict[Values, dict[Values, float]] = {}
    for values, mass in joint.masses.items():
        share = float(arb(mass / joint.mass).mid())
        groups.setdefault(tuple(values[at] for at in seen), {})[values] = share
    states = max(map(len, groups.values()))
    kinds = _kinds(looks, states, stop)
    every = tuple(joint.support(inputs))
    numbers = {value: number for number, value in enumerate(every)}
    found: Columns | None = None
    for group in groups.values():
        masses = np.array(list(group.values()), dtype=np.float64)
        own: list[tuple[Columns, int]] = []
        for kind in kinds:
            at = joint.positions(kind.held)
            rows = [kind.rows[tuple(values[place] for place in at)] for values in group]
            own.append((Columns(kind.columns.less[rows], kind.columns.more[rows]), kind.count))
        whole = _product(own, masses, stop)
        to = np.array([numbers[tuple(values[at] for at in places)] for values in group])
        told = Columns(*(_summed(each, to, len(every)) for each in (whole.less, whole.more)))
        found = told if found is None else found.beside(told)
    if found is None:
        raise Beyond("a program without runs")
    return Finite(every, Columns(_fused(found.less), _fused(found.more)))


@dataclass(frozen=True, slots=True)
class _Kind:
    """Outputs that are alike.

    Attributes:
        held: what they depend on.
        rows: which row of the columns is for which values of that.
        columns: of one of them.
        count: how many there are.
    """

    held: tuple[str, ...]
    rows: dict[Values, int]
    columns: Columns
    count: int


def _kinds(looks: Looks, states: int, stop: Callable[[], None]) -> list[_Kind]:
    """Return the columns of each kind of output."""
    count, number = _MOST_CELLS, len(looks.looks)
    if number > 1:
        count = min(count, int((_MOST_ENTRIES / states) ** (1 / number)) // 2)
        if number > 2 and states <= _MOST_STATES:
            count = _CELLS_OF_MANY
    if count < _LEAST_CELLS:
        raise Beyond("too many outputs of too many states together")
    known: dict[tuple[tuple[object, ...], ...], Columns] = {}
    found: dict[tuple[object, ...], _Kind] = {}
    for look in looks.looks:
        laws = {values: (repr(look.atoms[values]), repr(look.densities[values])) for values in look.densities}
        different = tuple(dict.fromkeys(laws.values()))
        if different not in known:
            first = [next(values for values, law in laws.items() if law == each) for each in different]
            known[different] = _columns(look, first, count, stop)
        rows = {values: different.index(law) for values, law in laws.items()}
        key = (look.held, tuple(rows.values()), different)
        before = found.get(key)
        found[key] = _Kind(look.held, rows, known[different], 1 + (0 if before is None else before.count))
    return list(found.values())


def _columns(look: Look, every: Sequence[Values], count: int, stop: Callable[[], None]) -> Columns:
    columns = columns_of_atoms([look.atoms[values] for values in every])
    if any(look.densities[values] for values in every):
        columns = columns.beside(columns_of([look.densities[values] for values in every], count, stop))
    return Columns(_fused(columns.less), _fused(columns.more))


def _product(each: Sequence[tuple[Columns, int]], masses: Floats, stop: Callable[[], None]) -> Columns:
    """Return the channel of all outputs together, from those of single ones with how many of each there are."""
    total = sum(count for _, count in each)
    entries = _MOST_ENTRIES if total <= _FEW else _MOST_ENTRIES_OF_MANY

    def whole(side: Callable[[Columns], Floats], shrunk: _Shrunk) -> Floats:
        found = masses[:, None]
        for columns, count in each:
            power = side(columns)
            while count:
                stop()
                found = _crossed(found, power, shrunk, entries) if count & 1 else found
                count >>= 1
                power = _crossed(power, power, shrunk, entries) if count else power
        return found

    return Columns(whole(lambda one: one.less, together), whole(lambda one: one.more, _apart))


_Shrunk = Callable[[Floats, int], Floats]


def _crossed(left: Floats, right: Floats, shrunk: _Shrunk, entries: int) -> Floats:
    """Return the product of two channels, from fewer outputs where there are too many."""
    states = len(left)
    if left.shape[1] * right.shape[1] * states > entries:
        most = max(int((entries / states) ** 0.5), entries // (states * min(left.shape[1], right.shape[1])))
        left, right = (shrunk(side, most) if side.shape[1] > most else side for side in (left, right))
    found = (left[:, :, None] * right[:, None, :]).reshape(states, -1)
    return found[:, found.any(axis=0)]


def _summed(columns: Floats, to: npt.NDArray[np.int64], count: int) -> Floats:
    found = np.zeros((count, columns.shape[1]))
    np.add.at(found, to, columns)
    return found


def _keyed(columns: Floats, step: float) -> npt.NDArray[np.int64]:
    """Return for each output where the logarithms of its ratios are on a grid; which chances are 0 is told exactly."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(columns)
        first = np.argmax(columns > 0, axis=0)
        ratios = logs - logs[first, np.arange(columns.shape[1])]
        return np.where(np.isfinite(ratios), np.round(ratios / step), np.iinfo(np.int64).min / 2).astype(np.int64)


def _numbered(keys: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], int]:
    """Return which columns of keys are the same, as numbers from 0, and how many different ones there are."""
    numbers = np.zeros(keys.shape[1], dtype=np.int64)
    for row in keys:
        _, own = np.unique(row, return_inverse=True)
        own = own.reshape(-1)
        _, numbers = np.unique(numbers * (int(own.max(initial=0)) + 1) + own, return_inverse=True)
        numbers = numbers.reshape(-1)
    return numbers, int(numbers.max(initial=-1)) + 1


def _gathered(columns: Floats, keys: npt.NDArray[np.int64]) -> Floats:
    at, count = _numbered(keys)
    return np.vstack([np.bincount(at, row, count).astype(np.float64) for row in columns])


def _fused(columns: Floats) -> Floats:
    """Join outputs whose ratios are the same, which changes nothing."""
    columns = columns[:, columns.any(axis=0)]
    return _gathered(columns, _keyed(columns, _SAME * 64))


def together(columns: Floats, most: int) -> Floats:
    """Join outputs of about the same ratios, so that about so many are left."""
    return _coarsened(lambda step: _gathered(columns, _keyed(columns, step)), most)


def _apart(columns: Floats, most: int) -> Floats:
    """Split outputs among about so many ratios."""
    if len(columns) > _MOST_STATES:
        raise Beyond("too many outputs of too many states together")
    return _coarsened(lambda step: _on_grid(columns, step), most)


def _coarsened(on: Callable[[float], Floats], most: int) -> Floats:
    step = _FIRST_STEP
    while step <= _LAST_STEP:
        found = on(step)
        if found.shape[1] <= most:
            return found
        step *= 2
    raise Beyond("too many outputs together")


def _on_grid(columns: Floats, step: float) -> Floats:
    patterns = (2 ** np.arange(len(columns))) @ (columns > 0)
    found: list[Floats] = []
    for pattern in np.unique(patterns).tolist():
        chosen = columns[:, patterns == pattern]
        rows = np.flatnonzero([pattern >> row & 1 for row in range(len(columns))])
        part = np.zeros((len(columns), 0))
        if len(rows) == 1:
            part = np.zeros((len(columns), 1))
            part[rows[0]] = chosen[rows[0]].sum()
        elif len(rows):
            corners = _corners(chosen[rows], step)
            part = np.zeros((len(columns), corners.shape[1]))
            part[rows] = corners
        found.append(part)
    return np.hstack(found)


def _corners(columns: Floats, step: float) -> Floats:
    """Split outputs that have a chance for each row among the corners of their cells."""
    base, ratios = columns[0], columns[1:] / columns[0]
    floors = np.floor(np.log(ratios) / step)
    low, high = np.exp(floors * step), np.exp((floors + 1) * step)
    share = np.clip((ratios - low) / (high - low), 0, 1)
    keys, masses = [], []
    for corner in product((0, 1), repeat=len(ratios)):
        side = np.array(corner)[:, None]
        keys.append((floors + side).astype(np.int64))
        masses.append(base * np.where(side == 1, share, 1 - share).prod(axis=0))
    every = np.hstack(keys)
    at, count = _numbered(every)
    found = np.zeros((len(every), count), dtype=np.int64)
    found[:, at] = every
    weights = np.bincount(at, np.concatenate(masses), count).astype(np.float64)
    return np.vstack((weights, weights * np.exp(found * step)))
