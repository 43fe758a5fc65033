"""From what ``check`` found and what is known beside it to a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby

from seepage.checking.baseline import OF_BUDGETS
from seepage.checking.file_report import ToldAnswer, ToldRow
from seepage.checking.formats.places import place_of
from seepage.checking.judging import Judged
from seepage.checking.order import Broke
from seepage.data_classes import dataclass
from seepage.diagnostics import Severity
from seepage.measures.digits import FEW_DIGITS, TABLE_DIGITS, Real, telling_digits
from seepage.measures.games.strategy import told_lines
from seepage.report.findings import printable
from seepage.reporting.document import (
    AnswerPart,
    Chapter,
    Finding,
    LeakGroup,
    LeakRow,
    Learnt,
    LineBeside,
    StrategyPart,
)
from seepage.reporting.listing import Listing
from seepage.reporting.sentences import (
    CERTAINTY,
    Data,
    certainties,
    ends,
    leak_sentences,
    measure_in,
    number_words,
    percent_of,
)
from seepage.reporting.told import AskedTold, Background, Fact, LineNote, code

_NOTHING = Background(())
_MOST_FINDINGS = 50
_MOST_BESIDE = 4  # notes about one line
_SIGNS = {"holds": "✓ holds", "violated": "✗ violated", "cannot tell": "? cannot tell"}


def chapter_of(file: Judged, background: Background | Broke | None, sha256: str) -> Chapter:
    """Return what is told of one file.

    Args:
        file: what ``check`` tells of it.
        background: what is known beside that, why it is not, or None where it was not asked.
        sha256: of its text; empty where it could not be read.
    """
    known = background if isinstance(background, Background) else _NOTHING
    missing = f"nothing beside the numbers could be told: {background.reason}" if isinstance(background, Broke) else ""
    return _Composing(file, known, missing, sha256).chapter()


@dataclass(frozen=True)
class _Composing:
    file: Judged
    background: Background
    missing: str
    sha256: str

    def chapter(self) -> Chapter:
        programs = self.background.programs
        bullets = tuple(self._bullets())
        listing = Listing(self.file.source, self.background.colours, programs, self._beside())
        answers = [(each.role, self._answer(each)) for each in self.file.answers]
        return Chapter(
            place=printable(place_of(self.file.source.name)),
            state=self._state,
            headline=self._headline(),
            reader=self._reader() if bullets else "",
            bullets=bullets,
            cautions=tuple(self._cautions()),
            findings=tuple(self._findings()),
            leaks=tuple(self._leaks()),
            budgets=tuple(part for role, part in answers if role == "require"),
            answers=tuple(part for role, part in answers if role == "show"),
            strategies=tuple(self._strategies()),
            attacker=self._attacker(),
            secrets=tuple(_documented_once(self._facts("secrets"))),
            others=(*self._facts("choices"), *self._facts("others")),
            parameters=self._facts("parameters"),
            plots=tuple(plot for each in programs for plot in each.plots),
            listing=listing.lines,
            cut=listing.cut,
            derivations=tuple(derived for each in programs for derived in each.derivations),
            certainties=tuple((word, CERTAINTY[word]) for word in certainties(self._measures())),
            values=", ".join(dict.fromkeys(each.value for one in programs for each in one.parameters if each.value)),
            remarks=tuple(self._remarks()),
            sha256=self.sha256,
            files=self.background.files,
        )

    # --- the whole ----------------------------------------------------------------------------------------------------

    @property
    def _rows(self) -> Sequence[ToldRow]:
        return () if self.file.report is None else self.file.report.rows

    def _verdicts(self, verdict: str) -> int:
        return sum(each.verdict == verdict for each in self.file.answers)

    @cached_property
    def _errors(self) -> int:
        """How many errors there are beside budgets that are not kept."""
        return sum(each.is_error and each.rule.code not in OF_BUDGETS for each in self.file.told)

    @property
    def _state(self) -> str:
        if self.file.passes:
            return "good" if self._verdicts("holds") else "told"
        return "bad" if self.file.failure is not None or self._errors or self._verdicts("violated") else "open"

    def _headline(self) -> str:
        if self.file.failure is not None:
            return f"This file could not be analysed: {printable(self.file.failure.message)}."
        if self._errors:
            many = "an error" if self._errors == 1 else f"{self._errors:,} errors"
            return f"The program has {many}: what is told below is only what could be computed in spite of that."
        held, violated, open_ = (self._verdicts(each) for each in ("holds", "violated", "cannot tell"))
        budgets = held + violated + open_
        if violated:
            more = f", and {open_:,} could not be decided" if open_ else ""
            return f"The program gives away more than its budgets allow: {_of(violated, budgets)} violated{more}."
        if open_:
            return f"Whether the budgets are kept is not known: {_of(open_, budgets)} undecided."
        if budgets:
            return "The one budget that is set is kept." if budgets == 1 else f"All {budgets:,} budgets are kept."
        if not self.file.passes:
            return "Some numbers could not be computed."
        return "No budget is set: the numbers below are told, and not judged."

    def _reader(self) -> str:
        outputs = [fact.name for each in self.background.programs for fact in each.outputs]
        chosen = list(dict.fromkeys(fact.name for each in self.background.programs for fact in each.choices))
        if not outputs:
            return "Who sees the outputs learns:"
        choosing = f"chooses {_listed(chosen)} and " if chosen else ""
        return f"Who {choosing}sees {_listed(list(dict.fromkeys(outputs)))} learns:"

    def _bullets(self) -> Iterator[Learnt]:
        facts = {fact.name: fact for fact in _documented_once(self._facts("secrets"))}
        for row in self._rows:
            if row.headline:
                name = printable(row.secret)
                fact = facts.get(name, Fact(name, ""))
                yield Learnt(name, fact.documentation, "; ".join(leak_sentences(row.data, fact.unknown)))

    def _cautions(self) -> Iterator[str]:
        if self._rows or self.file.answers:
            yield from (f"{fact.name}: {fact.text}" for fact in self._facts("others") if fact.is_caution)
        if any(each["certainty"] == "approximate" for each in self._measures()):
            yield "some numbers are approximate, and may be far off: each of them says so"

    def _attacker(self) -> str:
        programs = self.background.programs
        if not programs or not self._rows:
            return ""
        outputs = list(dict.fromkeys(fact.name for each in programs for fact in each.outputs))
        chosen = list(dict.fromkeys(fact.name for each in programs for fact in each.choices))
        told = f"knows this program with all its numbers, sees {_listed(outputs)} of one run, and nothing else"
        return f"{told}; chooses {_listed(chosen)} so as to learn most" if chosen else told

    def _facts(self, kind: str) -> tuple[Fact, ...]:
        """Return facts; none of a program without any number, which nothing rests on."""
        if not self._measures():
            return ()
        return tuple(
            fact if not each.name else _of_function(fact, each.name)
            for each in self.background.programs
            for fact in getattr(each, kind)
        )

    def _remarks(self) -> Iterator[str]:
        if self.file.report is not None and self.file.report.note:
            yield printable(self.file.report.note)
        if self.missing:
            yield printable(self.missing)
        noted = (printable(str(note)) for each in self._measures() for note in each["notes"])
        yield from dict.fromkeys((*noted, *(one for each in self.background.programs for one in each.missing)))

    def _measures(self) -> list[Data]:
        """Return all measures that are shown."""
        keys = ("information", "guess_before", "guess_after")
        of_rows = (measure_in(row.data, key) for row in self._rows for key in keys)
        of_answers = (measure_in(each.data, "result") for each in self.file.answers)
        return [each for each in (*of_rows, *of_answers) if each is not None]

    # --- parts --------------------------------------------------------------------------------------------------------

    def _findings(self) -> Iterator[Finding]:
        told = [each for each in self.file.told if each.rule.code not in OF_BUDGETS and each is not self.file.failure]
        for each in told[:_MOST_FINDINGS]:
            level = "info" if each.severity is Severity.INFORMATION else each.severity.value
            line = self.file.source.position(each.span.start)[0]
            helps = (f"help: {fix.title}" for fix in each.fixes)
            notes = tuple(map(printable, (*each.notes, *helps)))
            yield Finding(level, each.rule.code, line, printable(each.message), notes)
        if len(told) > _MOST_FINDINGS:
            yield Finding("info", "", 0, f"and {len(told) - _MOST_FINDINGS:,} more", ())

    def _leaks(self) -> Iterator[LeakGroup]:
        unknown = {fact.name: fact.unknown for fact in self._facts("secrets")}
        for secret, rows in groupby(self._rows, key=lambda row: row.secret):
            shown = printable(secret)
            yield LeakGroup(shown, unknown.get(shown, ""), tuple(_leak_row(each) for each in rows))

    def _asked(self, answer: ToldAnswer) -> AskedTold | None:
        asked = (one for each in self.background.programs for one in each.asked)
        return next((one for one in asked if one.start == answer.span.start), None)

    def _answer(self, answer: ToldAnswer) -> AnswerPart:
        asked = self._asked(answer)
        result = measure_in(answer.data, "result")
        return AnswerPart(
            verdict=answer.verdict or "",
            words=_sentence(asked.words) if asked is not None else "",
            text=printable(answer.text),
            line=self.file.source.position(answer.span.start)[0],
            value="" if result is None else number_words(result, _digits(result, answer.budget)),
            certainty="" if result is None else result["certainty"],
            why=tuple(dict.fromkeys((*self._of_finding(answer), *_why(answer, asked)))),
        )

    def _strategies(self) -> Iterator[StrategyPart]:
        found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        results = [measure_in(answer.data, "result") for answer in self.file.answers]
        results += [measure_in(row.data, "information") for row in self._rows]
        for result in results:
            for each in () if result is None else (result, result.get("minimum"), result.get("maximum")):
                if each is not None and (told := each.get("strategy")) is not None:
                    key = printable(told["how"]), tuple(map(printable, told_lines(told)))
                    if (measure := code(each["measure"])) not in (known := found.setdefault(key, [])):
                        known.append(measure)
        for (how, lines), measures in found.items():
            yield StrategyPart(", ".join(measures), how, lines)

    def _of_finding(self, answer: ToldAnswer) -> Iterator[str]:
        """Yield what is reported of a budget that is not kept beside its number: of one that cannot be decided, why."""
        for each in self.file.findings:
            if each.rule.code in OF_BUDGETS and each.span == answer.span:
                yield from map(
                    printable, (each.message, *each.notes) if answer.verdict == "cannot tell" else each.notes
                )

    def _beside(self) -> Mapping[int, Sequence[LineBeside]]:
        found: dict[int, list[LineBeside]] = {}

        def put(line: int, kind: str, text: str) -> None:
            entry = LineBeside(kind, text)
            if entry not in (known := found.setdefault(line, [])):
                known.append(entry)

        for row in self._rows:
            if row.headline and (leak := measure_in(row.data, "information")) is not None:
                line = self.file.source.position(row.span.start)[0]
                several = sum(one.headline and one.span == row.span for one in self._rows) > 1
                named = f"{printable(row.secret)}: " if several or self._shares_line(row) else ""
                put(line, "leak", f"{named}{number_words(leak, TABLE_DIGITS)} leak")
        for each in self.file.answers:
            line = self.file.source.position(each.span.start)[0]
            result = measure_in(each.data, "result")
            number = "" if result is None else number_words(result, _digits(result, each.budget))
            sign = "" if each.verdict is None else _SIGNS[each.verdict]
            if told := ", ".join(part for part in (sign, number) if part):
                put(line, each.verdict or "value", told)
        for program in self.background.programs:
            for note in _some(program.notes):
                put(note.line, "hides" if note.hides else "less", f"{note.text}{', holds back' if note.hides else ''}")
        return found

    def _shares_line(self, row: ToldRow) -> bool:
        """Tell whether several secrets are declared on one line."""
        line = self.file.source.position(row.span.start)[0]
        return len({one.secret for one in self._rows if self.file.source.position(one.span.start)[0] == line}) > 1


def _some(notes: Sequence[LineNote]) -> Iterator[LineNote]:
    """Yield notes, not many beside one line."""
    counts: dict[int, int] = {}
    for note in notes:
        counts[note.line] = counts.get(note.line, 0) + 1
    seen: dict[int, int] = {}
    for note in notes:
        seen[note.line] = seen.get(note.line, 0) + 1
        if seen[note.line] <= _MOST_BESIDE:
            yield note
        elif seen[note.line] == counts[note.line]:
            yield LineNote(note.line, f"and {counts[note.line] - _MOST_BESIDE} more secrets", hides=False)


def _documented_once(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Yield facts; where several are declared on one line, the first alone has what their author wrote about them."""
    told: set[str] = set()
    for fact in facts:
        yield replace(fact, documentation="") if fact.documentation in told else fact
        told.add(fact.documentation)


def _of_function(fact: Fact, function: str) -> Fact:
    return replace(fact, name=f"{function}: {fact.name}")


def _of(some: int, whole: int) -> str:
    if whole == 1:
        return "the one that is set is"
    return f"{some:,} of {whole:,} {'is' if some == 1 else 'are'}"


def _listed(names: Sequence[str]) -> str:
    shown = [code(each) for each in names]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else "nothing"


def _sentence(words: str) -> str:
    told = words.rstrip(",")
    return f"{told[:1].upper()}{told[1:]}"


def _leak_row(row: ToldRow) -> LeakRow:
    """Return a row in the words of the terminal's table, which has them from the same place; chances in per cent."""
    _, output, _, share, worst, _ = map(printable, row.cells)
    information = measure_in(row.data, "information")
    number = "no number" if information is None else number_words(information, TABLE_DIGITS)
    certainty = "" if information is None else information["certainty"]
    low = high = None
    if (percent := measure_in(row.data, "percent")) is not None:
        least, _, most = ends(percent)
        low, high = _per_cent(least), _per_cent(most)
    guess = ""
    before, after = measure_in(row.data, "guess_before"), measure_in(row.data, "guess_after")
    if before is not None and after is not None:
        guess = f"{percent_of(before).removesuffix(' %')} → {percent_of(after)}"
    return LeakRow(output, share, low, high, number, certainty, worst, guess, printable(row.note))


def _per_cent(value: Real) -> float:
    """Return an end of a bar."""
    return min(100.0, max(0.0, float(value)))


def _digits(result: Data, budget: float | None) -> int:
    """Return how many digits a number needs to be told from what it is compared with."""
    return telling_digits(*ends(result), None if budget is None else Fraction(budget), TABLE_DIGITS)


def _why(answer: ToldAnswer, asked: AskedTold | None) -> Iterator[str]:
    result, error = measure_in(answer.data, "result"), answer.data["error"]
    if answer.verdict is None and isinstance(error, str):
        yield printable(error)
    if answer.data["worst"]:
        yield f"violated at {code(str(answer.data['worst']))}"
    if answer.verdict not in (None, "holds") and asked is not None:
        yield from asked.helps
    if result is None:
        return
    if result["witness"]:
        yield f"reached at {code(result['witness'])}"
    for name, word in (("minimum", "least"), ("maximum", "largest")):
        if (end := result.get(name)) is not None:
            yield f"{word} {number_words(end, TABLE_DIGITS)}"
    for each in result["companions"]:
        yield f"{printable(each['name'])} {number_words({'estimated': False, **each}, FEW_DIGITS)}"
    for reason in result["because"]:
        yield f"approximate because of line {reason['line']}: {printable(reason['message'])}"
