"""The law of a function as the analysis has it, against the one that was enumerated."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from tests.python.enumeration import law_of

from seepage.functions import FunctionProgram, load_function
from seepage.measures.result import Result
from seepage.program import Program
from seepage.python.marks import Mark
from seepage.python.outputs import Path
from seepage.source import Span


def program_of(text: str, function: str, inputs: Mapping[str, Sequence[int]], **more: Any) -> FunctionProgram:
    """Return a function whose arguments are secret and equally likely."""
    secret = {name: f"uniform_of({', '.join(map(str, values))})" for name, values in inputs.items()}
    return load_function(text, "case.py", function, Mark(Span(0, 0), secret, **more))


def disagreement(text: str, function: str, inputs: Mapping[str, Sequence[int]]) -> str | None:
    """Return where the analysis has another probability than the runs; None if nowhere, "refused: …" if there is no number."""
    program = program_of(text, function, inputs)
    wrong = [one for one in program.diagnostics if one.is_error]
    if wrong:
        return f"refused: {wrong[0].rule.code} {wrong[0].message}"
    total = Fraction(0)
    # Lists and tuples of one content are one here, as the cells that are asked for are the same.
    alike: dict[tuple[tuple[tuple[str, int], ...], Hashable], tuple[Hashable, Fraction]] = {}
    for key, weight in law_of(text, function, inputs).items():
        inputs_, result = cast("tuple[tuple[tuple[str, int], ...], Hashable]", key)
        numbers: dict[Path, object] = {}
        _flat(result, (), numbers)
        same = (inputs_, frozenset(numbers.items()))
        alike[same] = result, weight + (alike[same][1] if same in alike else 0)
    for (inputs_, _), (result, weight) in alike.items():
        found = chance(program, dict(inputs_), result)
        if found is None or found != weight:
            return f"P({dict(inputs_)}, result = {result!r}) is {found}, expected {weight}"
        total += found
    return None if total == 1 else f"the chances add up to {total}"


def chance(program: FunctionProgram, values: Mapping[str, int], result: Hashable) -> Fraction | None:
    """Return the probability of inputs with a result."""
    found = measured(program, values, result)
    return Fraction(0) if found is None else found.exact


def measured(program: FunctionProgram, values: Mapping[str, int], result: Hashable) -> Result | None:
    """Return what the analysis tells of the probability of inputs with a result; None if no result has such a form."""
    translation = program.translation
    assert translation is not None
    codes = translation.run.codes
    seen = translation.seen["result"]
    numbers: dict[Path, object] = {}
    _flat(result, (), numbers)
    if not numbers.keys() <= seen.cells.keys():
        return None
    parts = [f"{translation.seen[name].cells[()]} == {value}" for name, value in values.items()]
    for path, name in seen.cells.items():
        match numbers.get(path, ...):
            case None:
                code: object = codes.code("none")
            case str() as text if text.startswith("raise "):
                code = codes.code("raise", text.removeprefix("raise "))
            case str() as text:
                code = codes.code("str", text)
            case ellipsis_ if ellipsis_ is ...:
                code = codes.code("missing")
            case float() as number:
                code = Fraction(number)
            case number:
                code = number
        parts.append(f"{name} == {code}")
    # Cells of a result have names that only the program has; asked of the function, they would be taken for Python's.
    return Program(program.checked).measure(f"P({' and '.join(parts or ['true'])})")


def _flat(value: Hashable, path: Path, numbers: dict[Path, object]) -> None:
    if isinstance(value, tuple) and value and value[0] == "dict":
        keys = [_plain(key) for key, _ in value[1:]]
        others = {str(key) for key in keys if not isinstance(key, str)}
        for key, (_, part) in zip(keys, value[1:], strict=True):
            _flat(part, (*path, repr(key) if key in others and isinstance(key, str) else str(key)), numbers)
    elif isinstance(value, tuple) and value and value[0] in ("list", "tuple"):
        for place, part in enumerate(value[1:]):
            _flat(part, (*path, place), numbers)
    else:
        numbers[path] = value


def _plain(key: object) -> object:
    return int(key) if isinstance(key, bool) else tuple(map(_plain, key)) if isinstance(key, tuple) else key
