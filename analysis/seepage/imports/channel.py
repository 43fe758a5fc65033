"""Channel matrices: a row for each value of the secret, with the probability of each output.

As CSV: a header with the outputs, then a row for each secret that begins with it; a column ``prior`` has its probability. As JSON: an object with
``inputs``, ``outputs``, ``matrix`` and perhaps ``prior``. As ``numpy.savez`` writes them: arrays of these names, with numbers for inputs and
outputs that have none. Without a prior it is uniform.
"""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Sequence
from fractions import Fraction
from io import BytesIO

from seepage.imports.writing import NotImported, law, number, value

_MOST_ENTRIES = 10_000
_MOST_BYTES = 1 << 24  # of the arrays of an archive, unpacked
_ARRAYS = ("matrix", "prior", "inputs", "outputs")


def of_csv(text: str) -> str:
    """Return the program of a channel in CSV; raises :class:`NotImported`."""
    try:
        rows = [row for row in csv.reader(text.splitlines(), strict=True) if row]
    except csv.Error as error:
        raise NotImported(f"it is no CSV: {error}") from None
    if len(rows) < 2 or len(rows[0]) < 2:
        raise NotImported("expected a header with the outputs, and a row for each secret")
    head = [cell.strip() for cell in rows[0]]
    at = head.index("prior", 1) if "prior" in head[1:] else None
    if _is_law(head):
        raise NotImported(
            "the first row has probabilities: expected a header with the outputs, and rows that begin with the secret"
        )
    columns = [column for column in range(1, len(head)) if column != at]
    if short := next((row[0] for row in rows[1:] if len(row) != len(head)), None):
        raise NotImported(f"row '{short[:40]}': expected {len(head)} cells, as the header has")
    prior = None if at is None else [row[at] for row in rows[1:]]
    matrix = [[row[column] for column in columns] for row in rows[1:]]
    return _program([row[0] for row in rows[1:]], [head[column] for column in columns], matrix, prior)


def of_json(text: str) -> str:
    """Return the program of a channel in JSON; raises :class:`NotImported`."""
    try:
        found: object = json.loads(text, parse_float=str, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise NotImported(f"it is no JSON: {error}") from None
    table = found if isinstance(found, dict) else {}
    inputs, outputs, prior = (_texts(table.get(key)) for key in ("inputs", "outputs", "prior"))
    matrix = table.get("matrix")
    rows = [_texts(row) for row in matrix] if isinstance(matrix, list) else [None]
    whole = [row for row in rows if row is not None]
    if (
        inputs is not None
        and outputs is not None
        and len(whole) == len(rows)
        and ("prior" in table) == (prior is not None)
    ):
        return _program(inputs, outputs, whole, prior)
    raise NotImported("expected an object with 'inputs', 'outputs', 'matrix' (rows of numbers) and perhaps 'prior'")


def of_npz(data: bytes) -> str:
    """Return the program of a channel in an archive of numpy, of which nothing is run; raises :class:`NotImported`."""
    import numpy as np

    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            if sum(one.file_size for one in archive.infolist()) > _MOST_BYTES:
                raise NotImported(f"its arrays have more than {_MOST_BYTES:,} bytes")
        with np.load(BytesIO(data), allow_pickle=False) as found:
            arrays = {name: found[name] for name in _ARRAYS if name in found.files}
    except NotImported:
        raise
    except (ValueError, OSError, EOFError, MemoryError, NotImplementedError, zipfile.BadZipFile):  # numpy's, and zip's
        raise NotImported("it is no archive of arrays, as numpy.savez writes it, or some of them are objects") from None
    sizes = {name: array.ndim for name, array in arrays.items()}
    if "matrix" not in arrays or any(size != (2 if name == "matrix" else 1) for name, size in sizes.items()):
        raise NotImported(
            "expected an array 'matrix' of two dimensions, and perhaps 'prior', 'inputs' and 'outputs' of one"
        )
    rows, columns = arrays["matrix"].shape
    inputs, outputs = arrays.get("inputs", np.arange(rows)), arrays.get("outputs", np.arange(columns))
    if rows * columns > _MOST_ENTRIES or len(inputs) != rows or len(outputs) != columns:
        raise NotImported(f"expected as many inputs as rows, outputs as columns, and at most {_MOST_ENTRIES:,} entries")
    if (prior := arrays.get("prior")) is not None and len(prior) != rows:
        raise NotImported("expected as many chances in 'prior' as there are rows")
    matrix = [[str(cell) for cell in row] for row in arrays["matrix"].tolist()]
    chances = None if prior is None else [str(each) for each in prior.tolist()]
    return _program([str(each) for each in inputs.tolist()], [str(each) for each in outputs.tolist()], matrix, chances)


def _is_law(cells: Sequence[str]) -> bool:
    """Tell whether a header is none, but a row of a matrix that has no header."""
    try:
        return sum(number(cell, "") for cell in cells) == 1
    except NotImported:
        return False


def _texts(value: object) -> list[str] | None:
    """Return a list of texts and numbers; None if it is none."""
    return (
        [str(each) for each in value]
        if isinstance(value, list) and all(isinstance(each, str) for each in value)
        else None
    )


def _program(
    inputs: Sequence[str], outputs: Sequence[str], matrix: Sequence[Sequence[str]], prior: Sequence[str] | None
) -> str:
    if not inputs or not outputs or len(matrix) != len(inputs) or len(inputs) * len(outputs) > _MOST_ENTRIES:
        raise NotImported(f"expected a row for each input, and at most {_MOST_ENTRIES:,} entries")
    secrets = [value(each, "inputs") for each in inputs]
    seen = [value(each, "outputs") for each in outputs]
    for which, values in (("inputs", secrets), ("outputs", seen)):
        if len({each.startswith('"') for each in values}) > 1:
            raise NotImported(f"{which}: found names beside whole numbers, expected one kind")
        if len(set(values)) < len(values):
            raise NotImported(f"{which}: found one of them twice")
    uniform = [Fraction(1, len(inputs))] * len(inputs)
    chances = uniform if prior is None else [number(each, "prior") for each in prior]
    lines = ["secret x", "output y", f"x ~ {law(secrets, chances, 'prior')}"]
    laws = [
        law(seen, [number(cell, f"row '{label}'") for cell in row], f"row '{label}'")
        for label, row in zip(inputs, matrix, strict=True)
    ]
    *first, last = zip(secrets, laws, strict=True)
    lines += [f"{'if' if not at else '} else if'} x == {each} {{\n  y ~ {one}" for at, (each, one) in enumerate(first)]
    lines += [f"}} else {{\n  y ~ {last[1]}\n}}"] if first else [f"y ~ {last[1]}"]
    return "\n".join(lines) + "\n"
