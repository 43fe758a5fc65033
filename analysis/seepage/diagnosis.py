"""Whether this installation works: versions, places, and both engines against answers that are known in closed form."""

from __future__ import annotations

import math
import platform
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from seepage.data_classes import dataclass
from seepage.program import MeasureError, parse

_LEAST_PYTHON = (3, 11)
_LIBRARIES = ("lark", "python-flint", "numpy", "click", "pygls", "lsprotocol")
_REINSTALL = "install again: python -m pip install --force-reinstall seepage"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: its name, whether it is well, what was found, and what helps if it is not."""

    name: str
    ok: bool
    found: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """A measure whose value is known; ``value`` in bits, computed with floats by a formula from a textbook."""

    name: str
    text: str
    measure: str
    value: float
    engine: str


def _h(p: float) -> float:
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


KNOWN = (
    # A binary symmetric channel with a uniform input: I = 1 − h(p) (Cover and Thomas 2006, section 7.1.4).
    KnownAnswer(
        "discrete engine",
        "secret s\noutput o\ns ~ flip(1/2)\nt ~ flip(1/10)\no := s xor t\n",
        "I(s; o)",
        1 - _h(0.1),
        "discrete",
    ),
    # The Gaussian channel: I = 1/2·log(1 + P/N) (the same, section 9.1).
    KnownAnswer(
        "Gaussian engine",
        "secret s\noutput o\ns ~ normal(0, 3)\nn ~ normal(0, 2)\no := s + n\n",
        "I(s; o)",
        math.log2(1 + 3 / 2) / 2,
        "soga",
    ),
    # The posterior of a Gaussian: Var = 1/(1/3 + 1/2), entropy 1/2·log(2πe·Var) (the same, theorem 8.4.1).
    KnownAnswer(
        "conditioning on continuous values",
        "s ~ normal(0, 3)\nn ~ normal(0, 2)\no := s + n\n",
        "H(s | o == 1)",
        math.log2(2 * math.pi * math.e * 6 / 5) / 2,
        "soga",
    ),
)


def findings() -> Iterator[Finding]:
    """Yield what is found, one thing after the other; nothing raises."""
    yield _python()
    for name in _LIBRARIES:
        yield _library(name)
    yield _package()
    yield _server()
    for known in KNOWN:
        yield known_answer(known)


def known_answer(known: KnownAnswer) -> Finding:
    """Compute a measure and compare its bounds with the known value, which floats give to some fifteen digits."""
    try:
        result = parse(known.text).measure(known.measure, seconds=60.0)
    except MeasureError as error:
        return Finding(known.name, False, f"{known.measure} has no number: {error}", _REINSTALL)
    slack = 1e-12 * max(1.0, abs(known.value))
    good = result.lower - slack <= known.value <= result.upper + slack and result.upper - result.lower < 1e-6
    said = f"{known.measure} is between {result.lower!r} and {result.upper!r} bits, expected {known.value!r}"
    if result.engine != known.engine:
        return Finding(known.name, False, f"{said}, by the engine '{result.engine}'", _REINSTALL)
    return Finding(known.name, good, said, "" if good else "trust no number of this installation, and report this")


def _python() -> Finding:
    good = sys.version_info[:2] >= _LEAST_PYTHON
    found = f"{platform.python_implementation()} {platform.python_version()} at {sys.executable}, {platform.platform()}"
    return Finding("Python", good, found, "" if good else "use Python 3.11 or later")


def _library(name: str) -> Finding:
    try:
        return Finding(name, True, version(name))
    except PackageNotFoundError:
        return Finding(name, False, "not installed", f"python -m pip install {name}")


def _package() -> Finding:
    try:
        found = version("seepage")
    except PackageNotFoundError:
        return Finding("seepage", False, "not installed as a package", _REINSTALL)
    return Finding("seepage", True, f"{found} at {Path(__file__).parent}")


def _server() -> Finding:
    if find_spec("seepage_lsp") is None:
        return Finding("language server", False, "not installed", _REINSTALL)
    name = "seepage-lsp.exe" if sys.platform == "win32" else "seepage-lsp"
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which("seepage-lsp")
    if found is None:
        return Finding("language server", False, f"no program '{name}' beside this Python or on PATH", _REINSTALL)
    return Finding("language server", True, found)
