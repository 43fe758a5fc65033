"""The program of a chain: a loop of rounds, each with the branch of the transition that is taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from seepage.exact import show
from seepage.imports.formulas import binary, name, number
from seepage.imports.prism_chain import Alternative, Chain, Explored, Transition
from seepage.imports.writing import name as seep_name
from seepage.semantics.evaluate import names_of
from seepage.syntax.spell import spell
from seepage.syntax.tree import Boolean, Conditional, Expression, Name, Number, Parenthesized, Unary


def chain_text(chain: Chain, known: Explored, heads: Sequence[str]) -> str:
    """Return the program: ``heads``, the start, and the rounds."""
    lines = list(heads)
    lines += [f"{one.label} := {show(value)}" for one, value in zip(chain.variables, known.start, strict=True)]
    writer = _Rounds(chain, known)
    if chain.steps is not None:
        lines.append(f"for {writer.new('step')} in 1..{chain.steps} {{")
        if chain.until is None:
            lines += writer.round("  ")
        else:
            lines += [f"  if {spell(_not(chain.until))} {{", *writer.round("    "), "  }"]
        lines.append("}")
    elif known.moving or chain.until is not None:
        going = _any([chain.transitions[at].guard for at in known.moving]) if chain.until is None else _not(chain.until)
        lines += [f"while {spell(going)} {{", *writer.round("  "), "}"]
    return "\n".join(lines) + "\n"


def _not(condition: Expression) -> Expression:
    return Unary("not", condition, condition.span)


def _any(conditions: Sequence[Expression]) -> Expression:
    return reduce(lambda one, other: binary("or", one, other), conditions)


class _Rounds:
    """Writes rounds, with names that the chain does not have."""

    def __init__(self, chain: Chain, known: Explored) -> None:
        self._chain, self._known = chain, known
        self._taken = [each.label for each in chain.variables]
        read = [part for one in chain.transitions for part in (one.guard, *(each.chance for each in one.alternatives))]
        self._taken += [each for expression in read for each in names_of(expression)]
        self._made: dict[str, str] = {}

    def new(self, stem: str) -> str:
        """Return a name for something, the same each time."""
        if stem not in self._made:
            self._made[stem] = seep_name(stem, [*self._taken, *self._made.values()])
        return self._made[stem]

    def round(self, indent: str) -> Iterator[str]:
        """Yield the lines of a round."""
        transitions = [self._chain.transitions[at] for at in self._known.moving]
        if not self._known.is_alone:  # what stays where it is takes its turn as well
            transitions = list(self._chain.transitions)
        if not transitions:
            yield f"{indent}skip"
            return
        guards = [each.guard for each in transitions]
        if not self._known.is_alone:
            yield from self._turns(guards, indent)
            turn = name(self.new("turn"))
            guards = [binary("==", turn, number(at)) for at in range(1, len(guards) + 1)]
        for at, (guard, transition) in enumerate(zip(guards, transitions, strict=True)):
            yield f"{indent}{'} else if' if at else 'if'} {spell(guard)} {{"
            yield from self._taken_lines(transition, indent + "  ")
        yield f"{indent}}}"

    def _turns(self, guards: Sequence[Expression], indent: str) -> Iterator[str]:
        """Yield the choice among the transitions that are enabled, each as likely: the number of one, 0 if there is none."""
        turn, enabled = self.new("turn"), self.new("enabled")
        ones: list[Expression] = [Conditional(guard, number(1), number(0), guard.span) for guard in guards]
        yield f"{indent}{enabled} := {spell(reduce(lambda one, other: binary('+', one, other), ones))}"
        yield f"{indent}{turn} := 0"
        # Each enabled one in turn is taken with chance 1 / (how many are left): so all are equally likely.
        for at, guard in enumerate(guards, 1):
            chosen = self.new("taken")
            yield f"{indent}if {turn} == 0 and {spell(_in_parentheses(guard))} {{"
            yield f"{indent}  {chosen} ~ bernoulli(1 / {enabled})"
            yield f"{indent}  if {chosen} {{ {turn} := {at} }} else {{ {enabled} := {enabled} - 1 }}"
            yield f"{indent}}}"

    def _taken_lines(self, transition: Transition, indent: str) -> Iterator[str]:
        alternatives = transition.alternatives
        if len(alternatives) == 1:
            yield from self._updates(alternatives[0].updates, indent)
            return
        if (drawn := _values(alternatives)) is not None:
            label, values = drawn
            entries = ", ".join(f"{spell(value)}: {spell(each.chance)}" for value, each in zip(values, alternatives, strict=True))  # fmt: skip
            yield f"{indent}{label} ~ {{{entries}}}"
            return
        way = self.new("way")
        chances = ", ".join(f"{at}: {spell(each.chance)}" for at, each in enumerate(alternatives))
        yield f"{indent}{way} ~ {{{chances}}}"
        for at, each in enumerate(alternatives):
            last = at == len(alternatives) - 1
            head = f"{'} else if' if at else 'if'} {way} == {at} {{"
            yield indent + ("} else {" if last else head)
            yield from self._updates(each.updates, indent + "  ")
        yield f"{indent}}}"

    def _updates(self, updates: Mapping[str, Expression], indent: str) -> Iterator[str]:
        """Yield assignments that all read the old values."""
        changed = {label: value for label, value in updates.items() if not _is_name(value, label)}
        if not changed:
            yield f"{indent}skip"
        done: list[str] = []
        later: list[tuple[str, str]] = []
        labels = list(changed)
        for at, label in enumerate(labels):
            is_read = any(label in names_of(changed[other]) for other in labels[at + 1 :])
            target = self.new(f"{label}_next") if is_read else label
            if is_read:
                later.append((label, target))
            done.append(label)
            yield f"{indent}{target} := {spell(_as_number(changed[label]))}"
        yield from (f"{indent}{label} := {target}" for label, target in later)


def _values(alternatives: Sequence[Alternative]) -> tuple[str, list[Expression]] | None:
    """Return the variable that all alternatives give different numbers to, and only to it, with these; None if there is none."""
    labels = {label for each in alternatives for label in each.updates}
    values = [value for each in alternatives for value in each.updates.values()]
    if len(labels) != 1 or len(values) < len(alternatives) or not all(isinstance(each, Number) for each in values):
        return None
    (label,) = labels
    return (label, values) if len({spell(each) for each in values}) == len(values) else None


def _is_name(value: Expression, label: str) -> bool:
    return isinstance(value, Name) and value.id == label


def _as_number(value: Expression) -> Expression:
    """Return a truth value as the number that it is in Seep."""
    return number(1 if value.value else 0) if isinstance(value, Boolean) else value


def _in_parentheses(guard: Expression) -> Expression:
    return Parenthesized(guard, guard.span)
