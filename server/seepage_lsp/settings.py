"""The settings of section ``seepage``: read leniently, since a client may send anything or nothing, and what is wrong with them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Literal, TypeAlias, TypeVar

from seepage.configuration import LONGEST_TIME_LIMIT, WANTED_DIGITS, Configuration, Level
from seepage.data_classes import dataclass

Run: TypeAlias = Literal["onSave", "onType", "manual"]

SECTION = "seepage"
LEAST_MEMORY = 256.0  # with less, not even the libraries load
WORKERS = range(1, 17)  # each takes memory for itself
_NOTHING = Configuration()
_UNITS = ("bits", "nats")
_RUNS = ("onSave", "onType", "manual")
_LONGEST_SHOWN = 60
_Default = TypeVar("_Default")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user can set; a value of the wrong type leaves the default.

    Attributes:
        unit: of displayed entropies.
        run: when the analysis starts; the checks that need no run happen on every change anyway.
        time_limit: seconds that one analysis may take.
        parameters: values of ``param`` names, as source text (``{"eps": "1/2"}``).
        code_lens: whether bounds stand above secrets, outputs, shows and requires.
        hint_results: whether bounds stand at the ends of lines; None for editors without lenses only.
        hint_names: whether the parameters of distributions are named before their values, and rounds of loops told.
        hover_images: whether hovers may hold plots, in editors that render them.
        compare: whether what changed since the last commit is told.
        memory_limit: megabytes that one process may take.
        workers: how many analyses may run at the same time.
        digits: the most that a number is shown with, never more than are certain; None for as many as its place has room for.
        python: whether Python files are looked at.
        given: what the client set, by its names; the rest are defaults.
        project: values of ``param`` names from the project file, at which budgets are judged, too; ``parameters`` holds them as well.
        rules: how loud findings are, by code, from the project file.
    """

    unit: Literal["bits", "nats"] = "bits"
    run: Run = "onSave"
    time_limit: float = 30.0
    parameters: Mapping[str, str] = field(default_factory=dict)
    code_lens: bool = True
    hint_results: bool | None = None
    hint_names: bool = True
    hover_images: bool = True
    compare: bool = True
    memory_limit: float = 2048.0
    workers: int = 2
    digits: int | None = None
    python: bool = True
    given: frozenset[str] = field(default=frozenset(), compare=False)
    project: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, Level] = field(default_factory=dict)

    def under(self, project: Configuration) -> Settings:
        """Return the settings for a document of a project: those of the editor go before it, and it goes before the defaults."""
        if project == _NOTHING:
            return self
        return replace(
            self,
            unit=self.unit if "unit" in self.given or project.unit is None else project.unit,
            time_limit=(
                self.time_limit if "timeLimit" in self.given or project.time_limit is None else project.time_limit
            ),
            digits=project.digits if self.digits is None else self.digits,
            parameters={**project.parameters, **self.parameters},
            project=project.parameters,
            rules=project.rules,
        )

    def computes_as(self, other: Settings) -> bool:
        """Tell whether the numbers are those under other settings: these differ in what is shown of them, if at all."""
        return (
            replace(
                self,
                code_lens=other.code_lens,
                hint_results=other.hint_results,
                hint_names=other.hint_names,
                hover_images=other.hover_images,
                compare=other.compare,
                memory_limit=other.memory_limit,
                workers=other.workers,
                python=other.python,
                digits=other.digits,
                rules=other.rules,
            )
            == other
        )


def read_settings(sent: object) -> Settings:
    """Return the settings that a client sent, either the section itself or an object that holds it."""
    section, default = _section(sent), Settings()
    if not isinstance(section, Mapping):
        return default
    unit, run, lens = section.get("unit"), section.get("run"), section.get("codeLens")
    return Settings(
        unit=unit if unit in _UNITS else default.unit,
        run=run if run in _RUNS else default.run,
        time_limit=_seconds(section.get("timeLimit"), default.time_limit),
        parameters=_parameters(section.get("parameters")),
        code_lens=lens if isinstance(lens, bool) else default.code_lens,
        memory_limit=_megabytes(section.get("memoryLimit"), default.memory_limit),
        workers=_count(section.get("workers"), WORKERS, default.workers),
        digits=_count(section.get("digits"), WANTED_DIGITS, default.digits),
        python=python if isinstance(python := section.get("pythonFiles"), bool) else default.python,
        given=frozenset(_given(section)),
        hint_results=results if isinstance(results := _nested(section, "inlayHints.results"), bool) else None,
        hint_names=names if isinstance(names := _nested(section, "inlayHints.parameterNames"), bool) else True,
        hover_images=images if isinstance(images := section.get("hoverImages"), bool) else default.hover_images,
        compare=compare if isinstance(compare := section.get("compareWithHead"), bool) else default.compare,
    )


def _given(section: Mapping[object, object]) -> Iterator[str]:
    """Yield the settings that a project may set, too, and the client sent in a form that is taken."""
    if section.get("unit") in _UNITS:
        yield "unit"
    if not math.isnan(_seconds(section.get("timeLimit"), math.nan)):
        yield "timeLimit"


def wrong_settings(sent: object) -> tuple[str, ...]:
    """Return a line for each value that :func:`read_settings` does not take as it was sent: what it is and what is used instead.

    An absent value and null say nothing.
    """
    section, used = _section(sent), read_settings(sent)
    if section is None:
        return ()
    if not isinstance(section, Mapping):
        return (f"the settings are {_shown(section)}, expected an object: the defaults are used",)
    found = [
        *_wrong(section, "unit", used.unit, "'bits' or 'nats'"),
        *_wrong(section, "run", used.run, "'onSave', 'onType' or 'manual'"),
        *_wrong(section, "timeLimit", used.time_limit, f"seconds above 0 and up to {LONGEST_TIME_LIMIT:g}"),
        *_wrong(section, "codeLens", used.code_lens, "true or false"),
        *_wrong(section, "memoryLimit", used.memory_limit, f"megabytes of at least {LEAST_MEMORY:g}"),
        *_wrong(section, "workers", used.workers, _whole(WORKERS)),
        *_wrong(section, "digits", used.digits, f"{_whole(WANTED_DIGITS)}, or null"),
        *_wrong(section, "inlayHints.results", used.hint_results, "true, false or null"),
        *_wrong(section, "inlayHints.parameterNames", used.hint_names, "true or false"),
        *_wrong(section, "pythonFiles", used.python, "true or false"),
        *_wrong(section, "hoverImages", used.hover_images, "true or false"),
        *_wrong(section, "compareWithHead", used.compare, "true or false"),
    ]
    match section.get("parameters"):
        case None:
            pass
        case Mapping() as values:
            found += [
                f"the setting 'parameters' has {_shown(value)} for {_shown(name)}, expected a number or text: it is left out"
                for name, value in values.items()
                if value is not None and name not in used.parameters
            ]
        case other:
            found.append(f"the setting 'parameters' is {_shown(other)}, expected an object: none are used")
    return tuple(found)


def _section(sent: object) -> object:
    if isinstance(sent, Mapping) and isinstance(sent.get(SECTION), Mapping):
        return sent[SECTION]
    return sent


def _nested(section: Mapping[object, object], name: str) -> object:
    """Return a value by its name with dots, which clients send as one name or as objects in objects."""
    outer, _, inner = name.partition(".")
    held = section.get(outer)
    return section.get(name, held.get(inner) if inner and isinstance(held, Mapping) else None)


def _wrong(section: Mapping[object, object], name: str, used: object, expected: str) -> Iterator[str]:
    """Yield what is to be said of a value that is not the one in use; true and 1 are equal in Python, not in JSON."""
    value = _nested(section, name)
    if value is not None and (value != used or isinstance(value, bool) is not isinstance(used, bool)):
        yield f"the setting '{name}' is {_shown(value)}, expected {expected}: {_shown(used)} is used"


def _shown(value: object) -> str:
    """Return a value on one short line: text in quotes, anything else as JSON has it."""
    match value:
        case str():
            text = repr(value)
        case float() if value.is_integer():
            text = f"{value:g}"
        case _:
            text = json.dumps(value, default=str)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]} …"


def _seconds(sent: object, default: float) -> float:
    if isinstance(sent, bool) or not isinstance(sent, int | float) or not 0 < sent < math.inf:
        return default
    return float(min(sent, LONGEST_TIME_LIMIT))


def _megabytes(sent: object, default: float) -> float:
    if isinstance(sent, bool) or not isinstance(sent, int | float) or not LEAST_MEMORY <= sent < math.inf:
        return default
    return float(sent)


def _count(sent: object, within: range, default: _Default) -> int | _Default:
    """Return a whole number, which some clients send as ``2.0``."""
    if isinstance(sent, bool) or not isinstance(sent, int | float) or sent not in within:
        return default
    return int(sent)


def _whole(within: range) -> str:
    return f"a whole number between {within[0]} and {within[-1]}"


def _parameters(sent: object) -> dict[str, str]:
    if not isinstance(sent, Mapping):
        return {}
    return {
        name: str(value)
        for name, value in sent.items()
        if isinstance(name, str) and isinstance(value, str | int | float) and not isinstance(value, bool)
    }
