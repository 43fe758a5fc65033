"""What is said about a program: diagnostics as data, each under a rule with a stable code.

The rules themselves stand in :mod:`seepage.rules`; their documentation page is generated from there.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, StrEnum, auto

from seepage.data_classes import dataclass
from seepage.source import Span


class Severity(StrEnum):
    """How bad it is; an error means that no number can be trusted where it stands."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding. ``code`` is never reused; ``explanation`` is Markdown: the reason and what to do."""

    code: str
    name: str
    severity: Severity
    summary: str
    explanation: str
    example: str = ""

    def __repr__(self) -> str:
        """Return code and name; the explanation is a page."""
        return f"<Rule {self.code} {self.name}>"


LONGEST = 1_000
"""Characters of a sentence that is told: names and texts of a program, which it may repeat, have any length."""


def told(text: str) -> str:
    """Return a sentence that is no longer than anybody reads; of a longer one beginning and end stay."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST * 3 // 4]} … {text[-LONGEST // 5 :]}"


@dataclass(frozen=True, slots=True)
class Label:
    """A related place and what it has to do with the finding."""

    span: Span
    message: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", told(self.message))


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text in ``span`` by ``replacement``."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that an editor can apply; ``title`` says what it does, in the imperative.

    One that is ``automatic`` is beyond doubt: whatever the author meant, it can have been nothing else, and ``seepage check --fix`` applies
    it unasked. All others are guesses, of a name, a place or a value; editors offer them.
    """

    title: str
    edits: tuple[Edit, ...]
    automatic: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", told(self.title))


class Advice(str):
    """A note that says what to write, in the language: it is of no use to those who wrote their program in another one."""

    __slots__ = ()


class Tag(StrEnum):
    """Marks that editors show in their own way (faded text for unused code)."""

    UNNECESSARY = "unnecessary"


class Cause(Enum):
    """Which of the faults of one rule it is, where somebody mends or leaves out just these."""

    GIVEN_A_VALUE = auto()
    """A declaration that only declares names gives one of them a value."""

    LOOP_OUTSIDE = auto()
    """A loop variable is read outside of its loop."""

    PARAMETER = auto()
    """A parameter, the subject, stands where a number must be known before the run."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding at a place.

    Attributes:
        rule: what kind of fault it is.
        span: where.
        message: lower case, no full stop, names in quotes, one sentence that stands alone. Nothing is decided by its words.
        labels: related places.
        notes: further sentences; what to write in the language is an :class:`Advice`.
        fixes: what mends it.
        tags: how editors show it.
        cause: which of the faults of the rule it is, where that matters.
        subject: the name of the program that it is about, where that matters; of an element its array.
        valued: the names whose values, in the run that met it, the message tells.
    """

    rule: Rule
    span: Span
    message: str
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    tags: tuple[Tag, ...] = ()
    cause: Cause | None = None
    subject: str = ""
    valued: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", told(self.message))

    def __repr__(self) -> str:
        """Return what it says and where, without its notes and fixes."""
        return f"<{self.rule.code} {self.severity.value} at {self.span.start}–{self.span.end}: {self.message}>"

    @property
    def severity(self) -> Severity:
        """The severity of the rule."""
        return self.rule.severity

    @property
    def is_error(self) -> bool:
        """Whether the finding is an error."""
        return self.rule.severity is Severity.ERROR


_LOUDEST_FIRST = tuple(Severity)


def ordered(*groups: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return findings in the order of the text, each once: of those that say the same at one place the first stays.

    What an analysis raised to a greater severity takes the place of what the check said under the same rule at the same place.
    """
    found: dict[tuple[int, int, str, str], Diagnostic] = {}
    for group in groups:
        for each in group:
            found.setdefault((each.span.start, each.span.end, each.rule.code, each.message), each)
    loudest: dict[tuple[int, int, str], int] = {}
    for key, each in found.items():
        loudest[key[:3]] = min(loudest.get(key[:3], len(_LOUDEST_FIRST)), _LOUDEST_FIRST.index(each.severity))
    return tuple(found[key] for key in sorted(found) if _LOUDEST_FIRST.index(found[key].severity) == loudest[key[:3]])


@dataclass(frozen=True, slots=True)
class Reason:
    """A statement that broke exactness: where, under which rule, and why in one sentence."""

    span: Span
    code: str
    message: str


class Fault(Exception):
    """A fault of the analysed program, met while an engine runs; caught where results are collected, never shown as a traceback."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
