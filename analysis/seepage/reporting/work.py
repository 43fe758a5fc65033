"""The background of one file, in a process of its own: the part of a report that computes, and so loads the engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from seepage.checking.order import Order, read_order
from seepage.checking.walk import is_python
from seepage.checking.work import programs_in, values_for
from seepage.configuration import program_files
from seepage.files import Unread, named_paths
from seepage.functions import FunctionProgram
from seepage.measures.result import Json
from seepage.report.findings import printable
from seepage.reporting.background import Looking, sha256_of
from seepage.reporting.colours import colours_of, colours_of_python
from seepage.reporting.told import Background, DataFile
from seepage.source import SourceFile

_MOST_BYTES = 1 << 28  # of a file that a program names, to take its hash


def answered(value: Mapping[str, Any]) -> Mapping[str, Json]:
    """Return the answer to an order, both as JSON values."""
    return asdict(background(read_order(value)))


def background(order: Order) -> Background:
    """Return what a report tells of the programs of a text beside what is told of them by ``check``.

    Raises:
        WrongValue: the project file has a value that is no number for a program.
    """
    programs = programs_in(order)
    seconds = order.seconds / max(1, len(programs))
    told = tuple(
        Looking(program, program.read_params(values_for(program, order)), order.unit, seconds).told()
        for program in programs
        if not isinstance(program, FunctionProgram) or program.translation is not None
    )
    if is_python(order.name):
        return Background(told, colours_of_python(SourceFile(order.name, order.text)))
    return Background(told, colours_of(programs[0].checked), tuple(_files(order)))


def _files(order: Order) -> Iterator[DataFile]:
    files = program_files(order.name)
    for name in dict.fromkeys(named_paths(order.text)):
        located = files.find(name)
        data = located if isinstance(located, Unread) else files.read(located, _MOST_BYTES)
        if not isinstance(data, Unread):
            yield DataFile(printable(name), sha256_of(data))
