"""A walk that remembers its visits of statements, and says again what it said, where a statement sees what it saw before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.exact import Number as ExactNumber
from seepage.semantics.kinds import Value
from seepage.semantics.memo import Memo
from seepage.semantics.ranges import ANY, Range
from seepage.semantics.reader import Reader
from seepage.semantics.unit import Unit
from seepage.semantics.visits import REMEMBERED, Inputs, Saying, Visit, moved

_VISITS = Memo[tuple[Visit, ...]]()  # the latest ones of a unit


@dataclass(slots=True, kw_only=True)
class Remembering(Reader):
    """What a walk remembers beside what it knows.

    Attributes:
        shadowed: loops around whose variable is a variable of the program, too: an error.
        constants: the names that are constants of the program.
    """

    shadowed: int = 0
    constants: frozenset[str] = field(init=False)

    def recall(self, unit: Unit, inputs: Inputs, before: Value | None, start: int) -> Visit | None:
        """Return an earlier visit that saw the same, and say again what it said."""
        uncertain = self.uncertain_depth > 0
        for visit in _VISITS.of(unit) or ():
            if visit.inputs == inputs and visit.uncertain is uncertain and visit.before == before:
                break
        else:
            return None
        if self.shadowed or (visit.numbers and not self.are_numbers(visit.numbers)):
            return None
        if (self.constants or visit.constants) and visit.constants != self.constants.intersection(unit.facts.reads):
            return None
        self.say_again(visit.said, start - visit.start)
        if self.recording is not None:
            self.recording.numbers.update(visit.numbers)
        return visit

    def say_again(self, said: Sequence[Saying], offset: int) -> None:
        """Report what was said, or taken back, before the text moved right by ``offset``."""
        for one in said:
            now = moved(one, offset)
            if isinstance(now, Diagnostic):
                self.found[now.rule.code, now.span] = now
            else:
                rule, span = now
                self.found.pop((rule.code, span), None)
            if self.recording is not None:
                self.recording.said.append(now)

    def remember(self, unit: Unit, visit: Visit) -> Visit:
        """Keep a visit, unless it depends on more than it reads: a variable that is not assigned yet is reported once a program."""
        is_function = not self.shadowed and self.are_numbers(visit.numbers)
        if is_function:
            _VISITS.keep(unit, (visit, *(_VISITS.of(unit) or ())[: REMEMBERED - 1]))
        if self.recording is not None:
            self.recording.is_function = self.recording.is_function and is_function
            self.recording.numbers.update(visit.numbers)
        return visit

    def visit(
        self,
        unit: Unit,
        inputs: Inputs,
        before: Value | None,
        start: int,
        value: Value | None = None,
        decided: Range = ANY,
        known: ExactNumber | None = None,
    ) -> Visit:
        """Return the visit that ends here."""
        numbers = tuple(name for name, one in zip(unit.facts.reads, inputs, strict=True) if one is None)
        said, constants = tuple(self.log), self.constants.intersection(unit.facts.reads)
        return Visit(self.uncertain_depth > 0, inputs, before, numbers, constants, start, value, said, decided, known)

    def are_numbers(self, names: Sequence[str]) -> bool:
        """Tell whether no name is a variable."""
        return self.variables.isdisjoint(names)

    def read(self, unit: Unit) -> Inputs:
        """Return the values of the names that a unit reads; None for what is neither a constant nor assigned so far."""
        return tuple(map(self.state.table.get, unit.facts.reads))
