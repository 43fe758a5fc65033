"""How much a probabilistic program leaks about its secrets.

>>> import seepage
>>> program = seepage.parse("secret s; output o; s ~ bernoulli(1/2); o := s")
>>> program.measure("I(s; o)").value
1.0

Importing this module is cheap: grammar, engines and the libraries below them are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # typing would take longer to load than all that is needed here
if TYPE_CHECKING:
    from seepage.cells import load_ipython_extension
    from seepage.channels import Channel, channel
    from seepage.diagnostics import Diagnostic, Severity
    from seepage.exploration import Axis, Plot
    from seepage.functions import load
    from seepage.measure_error import MeasureError
    from seepage.measures.result import Certainty, Formula, Result, UndecidedError
    from seepage.pipeline import Analysis, Options, analyze, check
    from seepage.program import Program, parse
    from seepage.source import SourceFile, Span
    from seepage.sweeping import Sweep, SweepInterrupted

__all__ = [
    "Analysis",
    "Axis",
    "Certainty",
    "Channel",
    "Diagnostic",
    "Formula",
    "MeasureError",
    "Options",
    "Plot",
    "Program",
    "Result",
    "Severity",
    "SourceFile",
    "Span",
    "Sweep",
    "SweepInterrupted",
    "UndecidedError",
    "analyze",
    "channel",
    "check",
    "load",
    "load_ipython_extension",
    "parse",
]

__version__ = "0.1.0"

_HOMES = {
    "Analysis": "seepage.pipeline",
    "Axis": "seepage.exploration",
    "Certainty": "seepage.measures.result",
    "Channel": "seepage.channels",
    "Diagnostic": "seepage.diagnostics",
    "Formula": "seepage.measures.result",
    "MeasureError": "seepage.measure_error",
    "Options": "seepage.pipeline",
    "Plot": "seepage.exploration",
    "Program": "seepage.program",
    "Result": "seepage.measures.result",
    "Severity": "seepage.diagnostics",
    "SourceFile": "seepage.source",
    "Span": "seepage.source",
    "Sweep": "seepage.sweeping",
    "SweepInterrupted": "seepage.sweeping",
    "UndecidedError": "seepage.measures.result",
    "analyze": "seepage.pipeline",
    "channel": "seepage.channels",
    "check": "seepage.pipeline",
    "load": "seepage.functions",
    "load_ipython_extension": "seepage.cells",
    "parse": "seepage.program",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    from seepage.wishes import missing

    raise missing("seepage", name, __all__)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
