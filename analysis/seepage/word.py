"""What is known of a word: data only."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from seepage.data_classes import dataclass
from seepage.source import Span

Exactness = Literal["exact", "matched", "explicit"]
Sort = Literal["keyword", "distribution", "measure", "function", "gain", "metric", "procedure"]


class Domain(Enum):
    """What an argument may be; the value says it in words, to follow on "expected"."""

    REAL = "a real number"
    INTEGER = "a whole number"
    COUNT = "a whole number, at least 0"
    NOT_NEGATIVE = "a number, at least 0"
    POSITIVE = "a number above 0"
    PROBABILITY = "a probability, in [0, 1]"
    PART = "a weight, ':' and a distribution"
    VARIABLES = "variables, elements or arrays, joined by ','"
    GIVEN = "variables joined by ',', or one condition"
    CONDITION = "a condition"
    EXPRESSION = "an expression"
    ARRAY = "an array of numbers"
    GAIN = "guess, tries(k), distance or a table"
    METRIC = "difference, places, euclid or a table {(v, w): d, …}"
    PAIRS = "pairs of values {(v, w), …}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """An argument that a distribution, measure or function takes.

    Attributes:
        name: what it is called; of measures and functions, whose arguments have no names, a letter that stands for it.
        meaning: a few words.
        domain: what it may be.
        lead: what stands before it, unless it is the first: ``,``, or a separator of measures (``|``, ``;``, ``->``, ``||``).
        sample: of an argument that must be named, what stands behind its ``=`` in the form of a call (its default or a
            letter); such an argument may be left out. Empty for positional ones.
        repeated: of an argument that may be given any number of times, how that is written: ``("w0", "w1", "…")``.
        optional: it may be left out.
        aliases: other names for its value, by name only, each with what it means: ``std`` of ``variance``.
    """

    name: str
    meaning: str
    domain: Domain = Domain.REAL
    lead: str = ","
    sample: str = ""
    repeated: tuple[str, ...] = ()
    optional: bool = False
    aliases: tuple[tuple[str, str], ...] = ()

    @property
    def by_name(self) -> bool:
        """Whether it must be named."""
        return bool(self.sample)

    @property
    def written(self) -> tuple[str, ...]:
        """How it stands in the form of a call, as the parts that an editor marks while they are typed."""
        return self.repeated or ((f"{self.name}={self.sample}",) if self.sample else (self.name,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word of the language.

    Attributes:
        name: as written.
        sort: where it has its meaning; procedures are words of one text.
        summary: one sentence, in Markdown as inline code needs it, without a full stop.
        form: how it is written, of a call with all of its arguments: ``normal(mean, variance)``.
        parameters: what it takes, in order; none of a keyword.
        parts: ranges in ``form`` that stand for arguments, in order; a repeated one has several.
        details: further sentences of fine print.
        example: a small program that uses it and has no fault.
        comment: the documentation of a procedure as its author wrote it, who may be anybody: no Markdown of ours.
    """

    name: str
    sort: Sort
    summary: str
    form: str
    parameters: tuple[Parameter, ...] = ()
    parts: tuple[Span, ...] = ()
    details: tuple[str, ...] = ()
    example: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """Where the values of a law lie; the whole line where nothing is said.

    Attributes:
        low: the least value, or the name of the parameter that it is; None where there is none.
        high: the same of the greatest value.
        whole: whether all values are whole numbers; a centre that is none is a fault.
    """

    low: int | str | None = None
    high: int | str | None = None
    whole: bool = False


LINE = Support()
"""The whole line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionWord(Word):
    """The word of a distribution.

    Attributes:
        kind: whether its values are discrete or have a density; None of a mixture, which is as its parts are.
        support: "finite" supports are enumerated, "infinite" ones are not (all continuous laws are infinite); None of a mixture.
        exactness: "exact"; "matched": no Gaussian mixture, for which an engine may put a normal of the same moments; "explicit": one for which it may not,
            as it has no such moments, or no exact ones.
        values: between which numbers they lie; None where its arguments are its values, or laws with values of their own.
    """

    kind: Literal["discrete", "continuous"] | None
    support: Literal["finite", "infinite"] | None
    exactness: Exactness = "exact"
    values: Support | None = LINE


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureWord(Word):
    """The word of a measure.

    Attributes:
        unit: "information" is in bits or nats, "natural" always in natural units (of differential privacy), "none" has no unit.
        phrase: what it is of ``{x}`` (what stands before the separator) and ``{y}`` (what follows), for people who know no measures; a noun, or a
            clause that stands for one.
    """

    unit: Literal["information", "natural", "none"]
    phrase: str

    @property
    def is_of_value(self) -> bool:
        """Whether it is of one expression, and not of lists of variables."""
        return self.parameters[0].domain in (Domain.CONDITION, Domain.EXPRESSION)

    @property
    def takes_an_event(self) -> bool:
        """Whether what is known may be an event in the place of variables."""
        return any(one.domain is Domain.GIVEN for one in self.parameters)


def form_of(name: str, parameters: tuple[Parameter, ...]) -> tuple[str, tuple[Span, ...]]:
    """Return how a call is written, and the ranges of its arguments in that."""
    label, parts = f"{name}(", list[Span]()
    for parameter in parameters:
        for number, written in enumerate(parameter.written):
            lead = "," if number else parameter.lead if parts else ""
            label += {"": "", ",": ", ", ";": "; "}.get(lead, f" {lead} ") + written
            parts.append(Span(len(label) - len(written), len(label)))
    return f"{label})", tuple(parts)


def law_word(
    name: str,
    kind: Literal["discrete", "continuous"] | None,
    support: Literal["finite", "infinite"] | None,
    summary: str,
    example: str,
    *parameters: Parameter,
    details: tuple[str, ...] = (),
    exactness: Exactness = "exact",
    values: Support | None = LINE,
) -> DistributionWord:
    """Return the word of a law; its form and the details of its parameters' other names follow from these."""
    form, parts = form_of(name, parameters)
    aliased = tuple(
        f"`{alias}=` may be named in place of `{one.name}`: {meaning}"
        for one in parameters
        for alias, meaning in one.aliases
    )
    return DistributionWord(
        name=name,
        sort="distribution",
        summary=summary,
        form=form,
        parameters=parameters,
        parts=parts,
        details=(*details, *aliased),
        example=example,
        kind=kind,
        support=support,
        exactness=exactness,
        values=values,
    )
