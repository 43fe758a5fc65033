"""Project files: ``seepage.toml``, or ``[tool.seepage]`` in ``pyproject.toml``, read alike by the command line and by the language server.

``docs/configuration.md`` is the page for people. Nothing in a file is executed, and what is wrong with it is data.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Rule, Severity
from seepage.files import Folder, files_of
from seepage.python.mark_keys import MARK_KEYS, MECHANISM_KEYS
from seepage.rules import BUDGET_UNDECIDED, LEAK_MAY_HAVE_GROWN, RULES
from seepage.toml_text import Problem, line_of, read_toml

if TYPE_CHECKING:
    from seepage.measures.parameters import Value
    from seepage.program import Program

FILE = "seepage.toml"
PYPROJECT = "pyproject.toml"
LONGEST_TIME_LIMIT = 86_400.0
MOST_BYTES = 1 << 18
# What is wrong with a file is told for so many keys, and the others are counted: each is looked for among the known ones.
MOST_PROBLEMS = 20
# Parameters have values that people write; longer numbers are none in a program either.
MOST_PARAMETERS = 1_000
LONGEST_VALUE = 1_000
# Of a number: with fewer, bounds are shown in its place; more than fifteen are not certain in a double.
WANTED_DIGITS = range(2, 16)

Level: TypeAlias = Literal["off", "error", "warning", "information", "hint"]
LEVELS: tuple[Level, ...] = ("off", "hint", "information", "warning", "error")  # from the quietest to the loudest

EXACTNESS = "exactness"
"""The name of all rules on exactness together: as loud as it says, whether a number suffers from what they find or not."""
EXACTNESS_LEVELS: tuple[Level, ...] = ("information", "warning", "error")

_KEYS = ("unit", "digits", "parameters", "time-limit", "rules", "python", "mechanisms")


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a project sets; None, or an empty mapping, where it sets nothing.

    Attributes:
        unit: of what is shown.
        parameters: values of ``param`` names as source text, for every program that has them; budgets are judged at them, too.
        time_limit: seconds for one analysis.
        rules: how loud findings are, by code.
        digits: the most that a number is shown with.
        path: of the file; empty without one.
        python: marks of Python functions, by ``path/of/module.py::function`` from the folder of the file on.
        mechanisms: what functions of Python libraries draw, by their full paths.
    """

    unit: Literal["bits", "nats"] | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    time_limit: float | None = None
    rules: Mapping[str, Level] = field(default_factory=dict)
    path: str = ""
    digits: int | None = None
    python: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    mechanisms: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


NOTHING = Configuration()
_SHOWN = 60


@dataclass(slots=True)
class _Wrong:
    """Collects what is wrong with the keys of a text: the first few, and how many more there are."""

    text: str
    problems: list[Problem] = field(default_factory=list)
    more: int = 0

    def __call__(self, key: str, message: str) -> None:
        """Note what is wrong with a key."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(line_of(self.text, key), message))
        else:
            self.more += 1

    def near(self, key: str, words: Iterable[str]) -> list[str]:
        """Return the known word that a key may have been meant for: of keys that are told, and not far longer than all words."""
        from difflib import get_close_matches

        known = list(words)
        looked_for = len(self.problems) < MOST_PROBLEMS and len(key) <= 2 * max(map(len, known))
        return get_close_matches(key, known, 1) if looked_for else []

    def told(self) -> tuple[Problem, ...]:
        """Return what is wrong, by lines."""
        found = sorted(self.problems, key=lambda problem: problem.line)
        if self.more:
            found.append(Problem(found[-1].line, f"{self.more:,} more keys are wrong"))
        return tuple(found)


# On one line, so that empty ones are passed over once.
_SECTION = re.compile(r"^[ \t]*+\[[ \t]*+tool[ \t]*+\.[ \t]*+seepage[ \t]*+[.\]]", re.MULTILINE)


# --- reading ----------------------------------------------------------------------------------------------------------


def find_configuration(folder: Path, root: Path | None = None) -> Path | None:
    """Return the project file that holds for programs in a folder: that of the nearest ancestor, no further up than ``root``.

    In one folder ``seepage.toml`` goes before ``pyproject.toml``, and one of the latter counts only if it has ``[tool.seepage]``. Under a
    root, a file that is a link to somewhere outside of it is passed over.
    """
    for each in (folder, *folder.parents):
        if root is not None and not each.is_relative_to(root):
            return None
        for name in (FILE, PYPROJECT):
            path = each / name
            if _is_inside(path, root) and (name == FILE or _has_section(path)):
                return path
    return None


def program_files(path: str) -> Folder:
    """Return where the files are that a program in a file names: in the folder of its project file, without one in its own."""
    project = find_configuration(Path(path).absolute().parent)
    return files_of(path, None if project is None else project.parent)


def _is_inside(path: Path, root: Path | None) -> bool:
    try:
        return path.is_file() and (root is None or path.resolve().is_relative_to(root.resolve()))
    except (OSError, RuntimeError):  # of links in a circle
        return False


def _has_section(path: Path) -> bool:
    text, problem = _text_of(path)
    if problem is not None:
        return False
    # A broken file counts if it seems to have the section: then its fault is told.
    return _SECTION.search(text) is not None


def load_configuration(path: Path) -> tuple[Configuration, tuple[Problem, ...]]:
    """Read a project file; what is wrong is left out and told."""
    text, problem = _text_of(path)
    if problem is not None:
        return NOTHING, (problem,)
    return read_configuration(text, str(path))


def _text_of(path: Path) -> tuple[str, Problem | None]:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            return "", Problem(1, f"the file has more than {MOST_BYTES:,} bytes, expected a project file")
        return data.decode("utf-8-sig"), None
    except OSError as error:
        return "", Problem(1, f"the file cannot be read: {(error.strerror or str(error)).lower()}")
    except UnicodeDecodeError as error:
        return "", Problem(1, f"the file is no text in UTF-8 (byte {error.start})")


def read_configuration(text: str, path: str) -> tuple[Configuration, tuple[Problem, ...]]:
    """Read the text of a project file; the name of its path tells whether settings stand at the top or under ``[tool.seepage]``."""
    table: object = read_toml(text)
    if isinstance(table, Problem):
        return NOTHING, (table,)
    if Path(path).name == PYPROJECT:
        for name in ("tool", "seepage"):
            table = table.get(name, {}) if isinstance(table, Mapping) else None
    if not isinstance(table, Mapping):
        return NOTHING, (Problem(line_of(text, "seepage"), "'tool.seepage' must be a table"),)
    wrong = _Wrong(text)
    for key in table:
        if key not in _KEYS:
            wrong(key, f"unknown key {_shown(key)}, expected {_listed(wrong.near(key, _KEYS) or _KEYS)}")
    found = Configuration(
        _unit(table, wrong),
        _parameters(table, wrong),
        _time_limit(table, wrong),
        _rules(table, wrong),
        path,
        _digits(table, wrong),
        _python(table, wrong),
        _mechanisms(table, wrong),
    )
    return found, wrong.told()


def _unit(table: Mapping[str, Any], wrong: _Wrong) -> Literal["bits", "nats"] | None:
    match table.get("unit"):
        case None:
            return None
        case "bits":
            return "bits"
        case "nats":
            return "nats"
        case other:
            wrong("unit", f"'unit' is {_shown(other)}, expected 'bits' or 'nats'")
            return None


def _time_limit(table: Mapping[str, Any], wrong: _Wrong) -> float | None:
    value = table.get("time-limit")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.1 <= value <= LONGEST_TIME_LIMIT:
        wrong("time-limit", f"'time-limit' is {_shown(value)}, expected seconds between 0.1 and {LONGEST_TIME_LIMIT:g}")
        return None
    return float(value)


def _digits(table: Mapping[str, Any], wrong: _Wrong) -> int | None:
    match table.get("digits"):
        case None:
            return None
        case int(count) if not isinstance(count, bool) and count in WANTED_DIGITS:
            return count
        case other:
            few, most = WANTED_DIGITS[0], WANTED_DIGITS[-1]
            wrong("digits", f"'digits' is {_shown(other)}, expected a whole number between {few} and {most}")
            return None


def _python(table: Mapping[str, Any], wrong: _Wrong) -> dict[str, Mapping[str, object]]:
    given = table.get("python", {})
    if not isinstance(given, Mapping):
        wrong("python", f"'python' is {_shown(given)}, expected a table of marks by function")
        return {}
    marks: dict[str, Mapping[str, object]] = {}
    for key, mark in given.items():
        file, separator, function = key.partition("::")
        if not separator or not file.endswith(".py") or not function:
            wrong(key, f"{_shown(key)} names no function, expected 'path/module.py::function'")
        elif not isinstance(mark, Mapping) or not _is_plain(mark):
            wrong(
                key,
                f"the mark of {_shown(key)} is {_shown(mark)}, expected a table of texts, numbers, lists and tables",
            )
        else:
            unknown = [each for each in mark if each not in MARK_KEYS]
            for each in unknown:
                wrong(each, f"unknown key {_shown(each)}, expected {_listed(wrong.near(each, MARK_KEYS) or MARK_KEYS)}")
            if not unknown:
                marks[key] = mark
    return marks


def _mechanisms(table: Mapping[str, Any], wrong: _Wrong) -> dict[str, Mapping[str, object]]:
    given = table.get("mechanisms", {})
    if not isinstance(given, Mapping):
        wrong("mechanisms", f"'mechanisms' is {_shown(given)}, expected a table of laws by function")
        return {}
    found: dict[str, Mapping[str, object]] = {}
    for path, row in given.items():
        problem = _problem_of_mechanism(path, row)
        if problem:
            wrong(path, f"the mechanism {_shown(path)}: {problem}")
        else:
            found[path] = row
    return found


def _problem_of_mechanism(path: str, row: object) -> str | None:
    from seepage.python.mechanisms import problem_of, read

    if not all(part.isidentifier() for part in path.split(".")) or "." not in path:
        return "it names no function, expected 'package.module.function'"
    if not isinstance(row, Mapping) or not _is_plain(row):
        return f"it is {_shown(row)}, expected a table with 'parameters' and 'draw'"
    for key, value in row.items():
        if key not in MECHANISM_KEYS:
            return f"unknown key {_shown(key)}, expected {_listed(MECHANISM_KEYS)}"
        if isinstance(value, str) == (key == "parameters") or (
            isinstance(value, list) and not all(isinstance(each, str) for each in value)
        ):
            return f"'{key}' is {_shown(value)}, expected a {'list of texts' if key == 'parameters' else 'text'}"
    if "draw" not in row:
        return "'draw' is missing: the law, as \"laplace(0, sensitivity / epsilon)\""
    return problem_of(read({path: row})[0][1])


def _is_plain(value: object) -> bool:
    match value:
        case Mapping():
            return all(isinstance(key, str) and _is_plain(each) for key, each in value.items())
        case list():
            return all(map(_is_plain, value))
        case _:
            return isinstance(value, str | int | float)


def marks_of(name: str, configuration: Configuration) -> dict[str, Mapping[str, object]]:
    """Return the marks that a project has for the functions of a Python file, by the names of these."""
    if not configuration.python:
        return {}
    folder, path = Path(configuration.path).absolute().parent, os.path.abspath(name)
    pairs = {key: key.partition("::") for key in configuration.python}
    return {
        function: configuration.python[key]
        for key, (file, _, function) in pairs.items()
        if os.path.abspath(folder / file) == path
    }


def _parameters(table: Mapping[str, Any], wrong: _Wrong) -> dict[str, str]:
    given = table.get("parameters", {})
    if not isinstance(given, Mapping):
        wrong("parameters", f"'parameters' is {_shown(given)}, expected a table of values by name")
        return {}
    values: dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, str | int | float) or not _is_value(value):
            wrong(name, f"the value of {_shown(name)} is {_shown(value)}, expected a number or its spelling")
        elif len(name) > LONGEST_VALUE or len(values) == MOST_PARAMETERS:
            wrong(name, f"there are more than {MOST_PARAMETERS:,} parameters, or the name {_shown(name)} is too long")
        else:
            values[name] = str(value)
    return values


def _rules(table: Mapping[str, Any], wrong: _Wrong) -> dict[str, Level]:
    given = table.get("rules", {})
    if not isinstance(given, Mapping):
        wrong("rules", f"'rules' is {_shown(given)}, expected a table of levels by code or name")
        return {}
    names = {rule.name: code for code, rule in RULES.items()}
    levels: dict[str, Level] = {}
    for key, value in sorted(given.items(), key=lambda pair: pair[0] == EXACTNESS):
        code = key if key in RULES else names.get(key)
        if key == EXACTNESS and value in EXACTNESS_LEVELS:
            for each in _inexact() - levels.keys():  # a rule by its own name goes before
                levels[each] = value
        elif key == EXACTNESS:
            wrong(key, f"the level of '{key}' is {_shown(value)}, expected {_listed(EXACTNESS_LEVELS)}")
        elif code is None:
            near = wrong.near(key, [*RULES, *names, EXACTNESS])
            hint = f", did you mean '{near[0]}'" if near else ": 'seepage rules' lists them"
            wrong(key, f"there is no rule {_shown(key)}{hint}")
        elif not isinstance(value, str) or value not in LEVELS:
            wrong(key, f"the level of '{key}' is {_shown(value)}, expected {_listed(LEVELS)}")
        elif LEVELS.index(value) < LEVELS.index(least := least_level(RULES[code])):
            wrong(key, f"'{key}' cannot be less than '{least}': it keeps people from being misled")
        else:
            levels[code] = value
    return levels


def _inexact() -> frozenset[str]:
    """Return the codes of all rules on exactness; they stand with the tree and all that it needs, which few projects make anybody load."""
    from seepage.semantics.classify import INEXACT

    return INEXACT


def _is_value(value: str | int | float) -> bool:
    """Whether a value is short enough to be one, and a number has a value at all."""
    match value:
        case str():
            return len(value) <= LONGEST_VALUE
        case int():
            return value.bit_length() <= 3 * LONGEST_VALUE  # at least: a digit is more than three bits
        case float():
            return math.isfinite(value)


def _listed(words: Iterable[str]) -> str:
    *first, last = (f"'{word}'" for word in words)
    return f"{', '.join(first)} or {last}" if first else last


def _shown(value: object) -> str:
    """Return a value for a message: on one line, and short."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in value[:_SHOWN])
            return f"'{text}'" if len(value) <= _SHOWN else f"'{text} …'"
        case int() if value.bit_length() > _SHOWN:
            return "a number with too many digits"
        case Mapping():
            return "a table"
        case list():
            return "a list"
        case _:
            return str(value)


# --- values of parameters ---------------------------------------------------------------------------------------------


class WrongValue(Exception):
    """A value of the project is no number for a program; the message says where it stands, and why."""


def project_values(program: Program, values: Mapping[str, str], path: str) -> dict[str, Value]:
    """Return the values that a project file (at ``path``) gives to the parameters of a program.

    Raises:
        WrongValue: one is no number.
    """
    own: dict[str, Value] = {name: text for name, text in values.items() if name in program.checked.symbols.params}
    for name, text in own.items():
        try:
            program.read_params({name: text})
        except ValueError as error:
            raise WrongValue(f"{path}: the value of '{name}': {error}") from None
    return own


# --- how loud findings are --------------------------------------------------------------------------------------------


def least_level(rule: Rule) -> Level:
    """Return how quiet a rule may be made.

    Errors stay errors: no number can be trusted where they stand. What says that a number is not what it seems (exactness, what an
    observation leaves unknown, an undecided budget) stays visible. Advice may be turned off.
    """
    if rule.severity is Severity.ERROR:
        return "error"
    honest = rule.code.startswith(("SEEP3", "SEEP4", "SEEP9")) or rule in (BUDGET_UNDECIDED, LEAK_MAY_HAVE_GROWN)
    return "information" if honest and rule.severity is not Severity.HINT else "off"


def configured(found: Iterable[Diagnostic], levels: Mapping[str, Level]) -> Iterator[Diagnostic]:
    """Yield findings as loud as a project wants them; those that are off are left out."""
    for each in found:
        level = levels.get(each.rule.code)
        if level is None:
            yield each
        elif level != "off":
            yield replace(each, rule=replace(each.rule, severity=Severity(level)))


# --- the schema -------------------------------------------------------------------------------------------------------
