"""What the numbers of a program rest on, as facts in words: priors, what else is drawn, observed and chosen, parameters, data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from seepage.data_classes import dataclass
from seepage.exact import Number, show
from seepage.measures.parameters import show_domain
from seepage.report.documentation import plain_documentation
from seepage.report.law_words import law_words
from seepage.reporting.told import Fact, code
from seepage.semantics.checked import Checked
from seepage.semantics.made_names import MADE
from seepage.source import Span
from seepage.symbols.data import tables_of
from seepage.syntax.spell import spell
from seepage.syntax.tree import Assign, Choice, Observe, Placed, Sample, array_of

_MOST_FACTS = 40  # of one kind
_MOST_WORDS = 240  # characters of a law in words; a longer one is shown as it is written
_MOST_WRITTEN = 160
FACTS_ABOUT_DATA = "numbers about it are facts about the people in this data, not about others"


@dataclass(frozen=True, slots=True)
class Names:
    """How a program's own names and places are told: as they are, or, of a Python function, as Python has them."""

    words: Callable[[str], str] = str
    line: Callable[[Span], int] = lambda span: 0


@dataclass(frozen=True, slots=True)
class Assumed:
    """The facts of one program."""

    secrets: tuple[Fact, ...]
    outputs: tuple[Fact, ...]
    others: tuple[Fact, ...]
    choices: tuple[Fact, ...]
    parameters: tuple[Fact, ...]


def assumed(checked: Checked, values: Mapping[str, Number], names: Names) -> Assumed:
    """Return what the numbers of a program rest on.

    Args:
        checked: the program.
        values: of parameters, in place of their defaults.
        names: how names and places are told.
    """
    symbols = checked.symbols
    secrets = list(dict.fromkeys(array_of(each.name) for each in symbols.secrets))
    made = list(_made(checked, names))
    documented = {array_of(each.name): each.documentation for each in reversed(symbols.secrets)}
    return Assumed(
        tuple(_secret(name, documented[name], made, names) for name in secrets),
        tuple(
            Fact(names.words(each.name), "", names.line(each.span), _documentation(each.documentation))
            for each in symbols.outputs
        ),
        (
            *_tables(checked),
            *_first(fact for name, fact, kind in made if kind == "drawn" and name not in secrets),
            *_first(fact for _, fact, kind in made if kind == "observed"),
        ),
        tuple(_first(fact for _, fact, kind in made if kind == "chosen")),
        tuple(_parameters(checked, values, names)),
    )


def _first(facts: Iterator[Fact]) -> Iterator[Fact]:
    """Yield facts, each once: elements of an array that are made alike are one."""
    seen: set[tuple[str, str]] = set()
    for fact in facts:
        if (fact.name, fact.text) not in seen and len(seen) < _MOST_FACTS:
            seen.add((fact.name, fact.text))
            yield fact


def _made(checked: Checked, names: Names) -> Iterator[tuple[str, Fact, str]]:
    """Yield each statement that draws, computes or observes, by the array of its target, with what it is: "drawn", "computed", …."""

    def quote(text: str) -> str:
        return code(names.words(text))

    for item in checked.tree.walk():
        if not isinstance(item, Placed):
            continue
        line = names.line(item.span)
        match item.node:
            case Sample(target=target, distribution=law):
                name = array_of(spell(target))
                words = law_words(law, quote)
                if len(words) > _MOST_WORDS:
                    words = f"drawn by {quote(_written(checked, item))}"
                kind = "chosen" if isinstance(law, Choice) else "drawn"
                yield name, Fact("drawn" if MADE in name else names.words(name), words, line), kind
            case Assign(target=target, value=value):
                name = array_of(spell(target))
                yield name, Fact(names.words(name), f"computed as {quote(_short(spell(value)))}", line), "computed"
            case Observe(condition=condition):
                words = f"only runs in which {quote(_short(spell(condition)))} are counted"
                yield "", Fact("observed", words, line), "observed"


def _written(checked: Checked, item: Placed) -> str:
    return _short(checked.source[item.span])


def _short(text: str) -> str:
    return text if len(text) <= _MOST_WRITTEN else f"{text[:_MOST_WRITTEN]}…"


def _secret(name: str, documentation: str, made: list[tuple[str, Fact, str]], names: Names) -> Fact:
    facts = list(_first(fact for of, fact, _ in made if of == name))
    told = _documentation(documentation)
    if not facts:
        return Fact(names.words(name), "never assigned: it is 0", 0, told)
    if len(facts) == 1:
        return Fact(names.words(name), facts[0].text, facts[0].line, told)
    parts = [f"{fact.text} (line {fact.line})" if fact.line else fact.text for fact in facts[:3]]
    more = f"; and {len(facts) - 3} more statements" if len(facts) > 3 else ""
    return Fact(names.words(name), "; ".join(parts) + more, 0, told)


def _parameters(checked: Checked, values: Mapping[str, Number], names: Names) -> Iterator[Fact]:
    for name, symbol in checked.symbols.params.items():
        value = values.get(name, symbol.default)
        told = "has no value" if value is None else f"is {code(show(value))}"
        if name in values and symbol.default is not None and value != symbol.default:
            told += f", set in place of {code(show(symbol.default))}"
        if symbol.domain is not None:
            told += f"; it may be anything in {code(show_domain(symbol.domain))}"
        here = "" if value is None else code(f"{names.words(name)} = {show(value)}")
        yield Fact(names.words(name), told, names.line(symbol.span), _documentation(symbol.documentation), value=here)


def _tables(checked: Checked) -> Iterator[Fact]:
    for name, table in tables_of(checked).items():
        yield Fact(name, f"{table.rows:,} rows of data from {code(table.named)}: {FACTS_ABOUT_DATA}", is_caution=True)


def _documentation(text: str) -> str:
    return " ".join(plain_documentation(text).split())
