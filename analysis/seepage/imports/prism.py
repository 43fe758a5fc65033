"""Models of the PRISM model checker: discrete-time Markov chains of modules with bounded variables, as a loop of rounds.

In each round one of the enabled transitions is taken, each as likely as the others (as PRISM reads chains): a command without an action, or
commands with the same action, one of each module that has it. All reachable states are visited once, so that what is written is known to be
right: whether several transitions are ever enabled together, and where the chain ends.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction

from seepage.data_classes import dataclass
from seepage.imports.formulas import Formulas, Language, Reader, Token, binary, call, name, number, tokens_of, truth
from seepage.imports.prism_chain import ROUNDED, Alternative, Chain, Transition, Variable, explored
from seepage.imports.prism_text import chain_text
from seepage.imports.writing import NotImported
from seepage.imports.writing import name as seep_name
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression, Number

PRISM = Language(
    binary=(
        {"|": "or"},
        {"&": "and"},
        {"=": "==", "!=": "!="},
        {"<": "<", "<=": "<=", ">": ">", ">=": ">="},
        {"+": "+", "-": "-"},
        {"*": "*", "/": "/"},
    ),
    unary={"!": "not", "-": "-"},
    functions={
        **{each: (1, call(each)) for each in ("floor", "ceil")},
        **{each: (2, call(each)) for each in ("min", "max")},
        "mod": (2, lambda of: binary("%", of[0], of[1])),
        "pow": (2, lambda of: binary("^", of[0], of[1])),
    },
    names={"true": truth(True), "false": truth(False)},
    question=True,
)
_OTHER_MODELS = ("mdp", "ctmc", "pta", "smg", "pomdp", "popta", "csg", "nondeterministic", "stochastic")
# The words that parts of a model begin with, and where each ends.
_ENDS: Mapping[str, str] = {
    "dtmc": "", "probabilistic": "", "const": ";", "formula": ";", "label": ";", "global": ";",
    "module": "endmodule", "rewards": "endrewards",
}  # fmt: skip
_MOST_TRANSITIONS = 2_000


def of_prism(
    text: str,
    secrets: Sequence[str] = (),
    outputs: Sequence[str] = (),
    until: str | None = None,
    steps: int | None = None,
) -> str:
    """Return the program of a chain; its variables have the values of the state in which it ends.

    Args:
        text: of a model.
        secrets: variables to be declared so.
        outputs: the same.
        until: the chain ends where this holds, an expression of PRISM or a label; None for where nothing changes any more.
        steps: it ends after so many; None for no such number.

    Raises:
        NotImported: what is not in the subset, at its line; a chain that has no end; or a variable that is not there.
    """
    model = _Prism(Reader(tokens_of(text)))
    model.read()
    end = None if until is None else model.until(until)
    chain = Chain(tuple(model.variables), tuple(model.transitions()), end, steps)
    known = {each.name: each.label for each in chain.variables}
    for each in (*secrets, *outputs):
        if each not in known:
            raise NotImported(f"there is no variable '{each[:40]}', expected one of: {', '.join(known)}")
    heads = [f"{word} {', '.join(known[each] for each in many)}" for word, many in (("secret", secrets), ("output", outputs)) if many]  # fmt: skip
    return chain_text(chain, explored(chain, model.values), [*model.lines, *heads])


@dataclass(frozen=True, slots=True)
class _Command:
    action: str
    guard: Expression
    alternatives: tuple[Alternative, ...]
    line: int


@dataclass(slots=True)
class _Prism:
    """Reads a model. Mutable: belongs to one reading."""

    reader: Reader
    variables: list[Variable] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)  # of constants
    values: dict[str, Expression] = field(default_factory=dict)  # of constants, by their names in Seep
    names: dict[str, str] = field(default_factory=dict)  # of constants and variables to those of Seep
    formulas: dict[str, Sequence[Token]] = field(default_factory=dict)
    labels: dict[str, Sequence[Token]] = field(default_factory=dict)
    modules: dict[str, Sequence[Token]] = field(default_factory=dict)  # the tokens behind the name
    commands: dict[str, list[_Command]] = field(default_factory=dict)
    inside: list[str] = field(default_factory=list)  # the formulas that are being read

    def read(self) -> None:
        """Read all of it, declarations first: they may stand behind their use."""
        parts = list(self._parts())
        for wanted, read in (("formula", self._formula), ("label", self._label), ("const", self._constant), ("global", self._variable), ("module", self._module)):  # fmt: skip
            for word, tokens in parts:
                if word == wanted:
                    self.reader = Reader(tokens)
                    read()
        for module in self.modules:
            self._declare(module)
        for module, tokens in self.modules.items():
            start = next(
                at for at, each in enumerate(tokens) if each.text in ("[", "endmodule") and not _in_range(tokens, at)
            )
            self.commands[module] = list(self._commands(tokens[start:]))

    def _parts(self) -> Iterator[tuple[str, Sequence[Token]]]:
        """Yield the parts of a model: their word, and the tokens behind it."""
        reader = self.reader
        is_chain = False
        while word := reader.next:
            if word in _OTHER_MODELS:
                reader.fail(f"models of kind '{word}' are not imported: only 'dtmc'")
            if word not in _ENDS:
                reader.fail(f"'{word[:40]}' is not imported: expected one of {', '.join(_ENDS)}")
            reader.take()
            start = reader.at
            is_chain = is_chain or not _ENDS[word]
            while (end := _ENDS[word]) and reader.take() != end:
                pass
            yield word, reader.tokens[start : reader.at]
        if not is_chain:
            raise NotImported("line 1: expected a model that begins with 'dtmc'")

    # --- declarations -------------------------------------------------------------------------------------------------

    def _constant(self) -> None:
        reader = self.reader
        kind = reader.take() if reader.next in ("int", "double", "bool") else "int"
        written = reader.word()
        label = self._named(written)
        if reader.accept("="):
            self.values[label] = self._expression()
            self.lines.append(f"const {label} = {spell(self.values[label])}")
        elif kind == "double":
            self.lines.append(f"param {label} in [0, 1]")
        else:
            reader.fail(f"constant '{written[:40]}' has no value: write {written[:40]} = … behind its name")
        reader.take(";")

    def _formula(self) -> None:
        written = self.reader.word()
        self.reader.take("=")
        self.formulas[written] = self.reader.tokens[self.reader.at :]

    def _label(self) -> None:
        written = self.reader.take().strip('"')
        self.reader.take("=")
        self.labels[written] = self.reader.tokens[self.reader.at :]

    def _module(self) -> None:
        reader = self.reader
        module = reader.word()
        if module in self.modules:
            reader.fail(f"module '{module[:40]}' is there twice")
        self.modules[module] = self._renamed() if reader.accept("=") else reader.tokens[reader.at :]

    def _renamed(self) -> Sequence[Token]:
        """Return the tokens of another module, which stands before, with other names."""
        reader = self.reader
        other = reader.word()
        if other not in self.modules:
            reader.fail(f"there is no module '{other[:40]}' before this one")
        reader.take("[")
        names: dict[str, str] = {}
        while not reader.accept("]"):
            old = reader.word()
            reader.take("=")
            names[old] = reader.word()
            if reader.next != "]":
                reader.take(",")
        return [Token(names.get(each.text, each.text), reader.line, each.kind) for each in self.modules[other]]

    def _declare(self, module: str) -> None:
        self.reader = Reader(self.modules[module])
        while self.reader.next not in ("[", "endmodule"):
            self._variable()

    def _variable(self) -> None:
        reader = self.reader
        line, written = reader.line, reader.word("a variable or a command")
        reader.take(":")
        low: Expression = number(0)
        high: Expression = number(1)
        if not reader.accept("bool"):
            reader.take("[")
            low = self._expression()
            reader.take("..")
            high = self._expression()
            reader.take("]")
        start = self._expression() if reader.accept("init") else low
        reader.take(";")
        self.variables.append(Variable(written, self._named(written), low, high, start, line))

    def _named(self, written: str) -> str:
        if written in self.names or written in self.formulas:
            self.reader.fail(f"'{written[:40]}' is declared twice")
        self.names[written] = seep_name(written, list(self.names.values()))
        return self.names[written]

    # --- commands -----------------------------------------------------------------------------------------------------

    def _commands(self, body: Sequence[Token]) -> Iterator[_Command]:
        self.reader = reader = Reader(body)
        while not reader.accept("endmodule"):
            line = reader.line
            reader.take("[")
            action = "" if reader.next == "]" else reader.word("an action")
            reader.take("]")
            guard = self._expression()
            reader.take("->")
            alternatives = [self._alternative()]
            while reader.accept("+"):
                alternatives.append(self._alternative())
            reader.take(";")
            yield _Command(action, guard, _exact(alternatives), line)

    def _alternative(self) -> Alternative:
        """Return ``p : (x'=e) & (y'=f)``; without ``p :`` it is certain."""
        reader = self.reader
        chance: Expression = number(1)
        if not self._is_update():
            chance = self._expression()
            reader.take(":")
        if reader.accept("true"):
            return Alternative(chance, {})
        updates: dict[str, Expression] = {}
        while True:
            reader.take("(")
            written = reader.word()
            if written not in {each.name for each in self.variables}:
                reader.fail(f"there is no variable '{written[:40]}'")
            reader.take("'")
            reader.take("=")
            value = self._expression()
            reader.take(")")
            if self.names[written] in updates:
                reader.fail(f"'{written[:40]}' gets two values")
            updates[self.names[written]] = value
            if not reader.accept("&"):
                return Alternative(chance, updates)

    def _is_update(self) -> bool:
        texts = [each.text for each in self.reader.tokens[self.reader.at : self.reader.at + 3]]
        return texts[:1] == ["true"] or (texts[:1] == ["("] and texts[2:3] == ["'"])

    def transitions(self) -> Iterator[Transition]:
        """Yield what may happen in a round.

        Raises:
            NotImported: more than are read, or two commands of one action change the same variable.
        """
        for commands in self.commands.values():
            for one in commands:
                if not one.action:
                    yield Transition(one.guard, one.alternatives, one.line)
        actions = dict.fromkeys(one.action for many in self.commands.values() for one in many if one.action)
        for action in actions:
            having = [
                [one for one in many if one.action == action]
                for many in self.commands.values()
                if any(one.action == action for one in many)
            ]
            for number_, together in enumerate(itertools.product(*having)):
                if number_ > _MOST_TRANSITIONS:
                    raise NotImported(
                        f"action '{action[:40]}': more than {_MOST_TRANSITIONS:,} combinations of commands"
                    )
                yield _together(together)

    # --- expressions --------------------------------------------------------------------------------------------------

    def until(self, text: str) -> Expression:
        """Return where the chain ends, from an expression or the name of a label.

        Raises:
            NotImported: it is none.
        """
        label = text.strip().strip('"')
        tokens = self.labels.get(label) or [*tokens_of(text), Token(";", 1, "sign")]
        try:
            return self._whole(tokens)
        except NotImported as error:
            raise NotImported(f"the end '{text[:40]}': {error}") from None

    def _expression(self) -> Expression:
        return Formulas(self.reader, PRISM, self._meaning).expression()

    def _whole(self, tokens: Sequence[Token]) -> Expression:
        """Return the expression before a semicolon."""
        before, self.reader = self.reader, Reader(tokens)
        found = self._expression()
        self.reader.take(";")
        self.reader = before
        return found

    def _meaning(self, written: str) -> Expression:
        if written in self.names:
            return name(self.names[written])
        if written not in self.formulas:
            self.reader.fail(f"there is no variable, constant or formula '{written[:40]}'")
        if written in self.inside:
            self.reader.fail(f"formula '{written[:40]}' depends on itself")
        before = self.reader
        self.inside.append(written)
        self.reader = Reader(self.formulas[written])
        found = self._expression()
        self.reader.take(";")
        self.reader = before
        self.inside.pop()
        return found


def _exact(alternatives: Sequence[Alternative]) -> tuple[Alternative, ...]:
    """Return alternatives whose chances are written as rounded decimals with chances that come to 1."""
    chances = [each.chance.value for each in alternatives if isinstance(each.chance, Number)]
    total = sum(chances, Fraction(0))
    if len(chances) < len(alternatives) or total == 1 or abs(total - 1) > ROUNDED:
        return tuple(alternatives)
    return tuple(
        replace(each, chance=number(chance / total)) for each, chance in zip(alternatives, chances, strict=True)
    )


def _in_range(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a bracket is that of the values of a variable, ``x : [0..2]``."""
    return at > 0 and tokens[at - 1].text == ":"


def _together(commands: Sequence[_Command]) -> Transition:
    """Return commands that are taken together: their guards and updates joined, their chances multiplied.

    Raises:
        NotImported: two of them change the same variable.
    """
    guard, alternatives = commands[0].guard, commands[0].alternatives
    for other in commands[1:]:
        guard = binary("and", guard, other.guard)
        if len(alternatives) * len(other.alternatives) > _MOST_TRANSITIONS:
            raise NotImported(f"line {other.line}: more than {_MOST_TRANSITIONS:,} combinations of updates")
        pairs = list(itertools.product(alternatives, other.alternatives))
        if any(one.updates.keys() & two.updates.keys() for one, two in pairs):
            raise NotImported(f"line {other.line}: two commands of one action change the same variable")
        alternatives = tuple(Alternative(_product(one.chance, two.chance), {**one.updates, **two.updates}) for one, two in pairs)  # fmt: skip
    return Transition(guard, alternatives, commands[0].line)


def _product(one: Expression, other: Expression) -> Expression:
    certain = number(1)
    if certain in (one, other):
        return other if one == certain else one
    return binary("*", one, other)
