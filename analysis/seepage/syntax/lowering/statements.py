"""Statements of the language -> statements of the core, block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from seepage.diagnostics import Diagnostic, Fix
from seepage.rules import (
    BUDGET_EXCEEDED,
    ENDLESS_RECURSION,
    MISPLACED_DISTRIBUTION,
    MISPLACED_JUMP,
    NOT_SUPPORTED,
    WRONG_ARGUMENTS,
    WRONG_RESULTS,
)
from seepage.source import Span
from seepage.syntax import convert
from seepage.syntax.expressions import expression
from seepage.syntax.extended import is_new, is_new_call
from seepage.syntax.fixes import replacement, shifted
from seepage.syntax.lowering.choices import choice
from seepage.syntax.lowering.data import drawn as row_drawn
from seepage.syntax.lowering.data import table_of
from seepage.syntax.lowering.facts import Environment, Facts, Path, Procedure, Refused
from seepage.syntax.lowering.forms import folded, negation, number, replace_item, respanned, static
from seepage.syntax.lowering.jumps import JUMPS, Jumps, Readings, leaves_block, without
from seepage.syntax.lowering.laws import Weighted, array_law, name_of, scalar_law
from seepage.syntax.lowering.loops import counted, endless
from seepage.syntax.lowering.measured import measured
from seepage.syntax.lowering.procedures import Laws
from seepage.syntax.lowering.values import Entries, Values
from seepage.syntax.lowering.vectors import is_vector_law, vector_drawn
from seepage.syntax.raw import (
    EXTENSIONS,
    Raw,
    RawCall,
    RawHeader,
    RawInterval,
    RawLeaf,
    RawTable,
    RawTuple,
    children,
)
from seepage.syntax.spell import spell
from seepage.syntax.tree import (
    Arm,
    Assign,
    Block,
    Boolean,
    Call,
    For,
    If,
    Index,
    Item,
    Leaf,
    Local,
    Name,
    Placed,
    While,
    start_of,
)
from seepage.syntax.vocabulary.array_laws import ARRAY_LAWS

LIMIT = 20_000  # statements that one text is lowered to
MAX_INLINED = 100  # procedures with chance inside of each other


@dataclass(slots=True)
class Lowering:
    """The work at hand.

    Attributes:
        facts: the names of the text.
        readings: what each piece says, by where it starts.
        is_trial: whether shapes are only collected.
        unread: where pieces start that say nothing, since something in them is wrong.
    """

    facts: Facts
    readings: Readings
    operators: Mapping[int, Span | None]
    is_trial: bool = False
    unread: Sequence[int] = ()
    found: dict[Diagnostic, None] = field(default_factory=dict)
    steps: int = 0
    fresh: int = 0
    used: set[str] = field(default_factory=set)
    raised: set[str] = field(default_factory=set)
    calls: tuple[str, ...] = ()
    gone: bool = False  # whether what was lowered last leaves its block in any case, so that nothing runs behind it
    transformed: set[int] = field(default_factory=set)

    @property
    def values(self) -> Values:
        """What reads expressions."""
        return Values(self.facts, self.laws.pure)

    @property
    def laws(self) -> Laws:
        """What answers calls of procedures."""
        return Laws(self.facts, self.readings)

    # --- blocks -------------------------------------------------------------------------------------------------------

    def block(self, items: Sequence[Item], env: Environment, jumps: Jumps) -> list[Item]:
        """Return the statements of a block in the core."""
        made: list[Item] = []
        at = 0
        while at < len(items):
            item = items[at]
            taken, lowered = self.taken(items, at, env, jumps)
            at += taken
            made += lowered
            if self.gone:
                return made
            if not any(self.leads_away(one, jumps) for one in items[at - taken : at]) or at >= len(items):
                continue
            rest = self.block(items[at:], env, jumps)
            made += self._guarded(made, rest, lowered, jumps, item)
            return made
        return made

    def _guarded(self, made: list[Item], rest: list[Item], lowered: list[Item], jumps: Jumps, item: Item) -> list[Item]:
        """Return what follows a statement that may leave the block: it runs where none of the flags is up."""
        if not rest:
            return []
        if isinstance(item, Placed):
            return []  # nothing runs behind a jump
        flags = [one for one in jumps.flags() if one in self.raised]
        if not flags:
            return rest
        self.used.update(flags)
        start, span = _place(item)
        tests = [negation(Name(one, span)) for one in flags]
        condition = expression(folded("and", tests), [])
        header = span.shift(start)
        arm = Arm(condition, Block(tuple(rest), header), start, header)
        return [If((arm,), None, header)]

    def leads_away(self, item: Item, jumps: Jumps) -> bool:
        """Tell whether a statement may leave the block that it stands in, by a jump that may stand there."""
        return bool(jumps.flags()) and leaves_block(item, self.readings)

    def taken(self, items: Sequence[Item], at: int, env: Environment, jumps: Jumps) -> tuple[int, list[Item]]:
        """Return how many items belong to the statement at a place, and what they become."""
        item = items[at]
        self.steps += 1
        self.gone = False
        try:
            if self.steps > LIMIT:
                message = f"limit reached: more than {LIMIT:,} statements"
                raise Refused(BUDGET_EXCEEDED, _place(item)[1], message)
            if (refused := self.facts.refused.get(start_of(item))) is not None:
                raise refused
            match item:
                case Placed():
                    lowered = self.leaf(item, env, jumps)
                    reading = self.readings.get(item.start)
                    self.gone = isinstance(reading, RawLeaf) and reading.keyword in JUMPS
                    return 1, lowered
                case For():
                    lowered = counted(self, item, env, jumps)
                    self.gone = False
                    return 1, lowered
                case If():
                    word = self.word(item)
                    if word in ("while", "repeat"):
                        loop = endless(self, items, at, env, jumps)
                        self.gone = False
                        return loop
                    if word == "def":
                        return 1, []
                    if word == "never":
                        raise Refused(MISPLACED_JUMP, self.header_span(item), "'never' follows no 'while' or 'repeat'")
                    return 1, self.branch(item, env, jumps)
                case _:
                    return 1, [item]
        except Refused as refused:
            self.gone = False
            start, _ = _place(item)
            self.note(refused.placed(start))
            return 1, self.harmless(item)

    def word(self, item: If) -> str:
        """Return the word that heads a block."""
        reading = self.readings.get(item.arms[0].start)
        return reading.keyword if isinstance(reading, RawHeader) else "if"

    def header_span(self, item: If) -> Span:
        """Return where the word of a header stands in its piece."""
        span = self.readings[item.arms[0].start].span
        return Span(span.start, span.start + len(self.word(item)))

    def note(self, found: Diagnostic) -> None:
        """Keep a finding; trials have none."""
        if not self.is_trial:
            self.found[found] = None

    def harmless(self, item: Item) -> list[Item]:
        """Return what binds the same names as a statement that is refused, so that nothing else seems wrong."""
        reading = self.readings.get(item.start) if isinstance(item, Placed) else None
        if not isinstance(reading, RawLeaf) or reading.keyword not in (
            "assign",
            "sample",
            "attacker",
        ):
            return []
        made: list[Item] = []
        for target in reading.targets:
            if isinstance(target, Name):
                made.append(Placed(Assign(target, convert.zero(target.span.end), reading.span), start_of(item), ""))
                self.facts.shapes.setdefault(target.id, {})[()] = None
        return made

    # --- leaves -------------------------------------------------------------------------------------------------------

    def leaf(self, item: Placed, env: Environment, jumps: Jumps) -> list[Item]:
        """Return what a leaf becomes."""
        reading = self.readings.get(item.start)
        if not isinstance(reading, RawLeaf):
            return [item]
        match reading.keyword:
            case "break" | "continue" | "return":
                return self.jump(item, reading, env, jumps)
            case "until":
                raise Refused(MISPLACED_JUMP, reading.span, "'until' follows no 'repeat'")
            case "attacker":
                return self.choose(item, reading, env)
            case "enum" | "import" | "table":
                return []
            case "const" if reading.name is not None and reading.name.value in self.facts.tables:
                return []
            case "assign":
                return self.assign(item, reading, env)
            case "sample":
                return self.sample(item, reading, env)
            case _:
                return self.other(item, reading, env)

    def other(self, item: Placed, reading: RawLeaf, env: Environment) -> list[Item]:
        """Return what a declaration or observation becomes."""
        if not self.touches(reading, env):
            return [item]
        values = self.values
        match reading.keyword:
            case "secret" | "output":
                targets = tuple(one for target in reading.targets for one in self.declared(target, env))
                changed = replace(reading, targets=targets)
            case "show" | "require":
                value = measured(values, cast("Raw", reading.value), env)
                bound = None if reading.bound is None else values.scalar(reading.bound, env)
                ranges = tuple(
                    replace(one, interval=cast("RawInterval", self.within(one.interval, env))) for one in reading.ranges
                )
                changed = replace(reading, value=value, bound=bound, ranges=ranges)
            case "param":
                default = None if reading.value is None else values.scalar(reading.value, env)
                changed = replace(reading, value=default, interval=self.within(reading.interval, env))
            case "observe" | "const" if reading.value is not None:
                changed = replace(reading, value=values.scalar(reading.value, env))
            case _:
                return [item]
        return self.converted(changed, item)

    def within(self, interval: RawInterval | None, env: Environment) -> RawInterval | None:
        """Return an interval whose ends are expressions of the core."""
        if interval is None:
            return None
        low, high = (self.values.scalar(one, env) for one in (interval.low, interval.high))
        return replace(interval, low=low, high=high)

    def declared(self, target: Raw, env: Environment) -> list[Raw]:
        """Return the variables that a name stands for in a declaration."""
        values = self.values
        several = values.entries(target, env)
        if several is None:
            name, parts = values.place(target, env)
            path = values.path(parts, env)
            if path is not None:
                return [values.target(name, path, target.span)]
            if isinstance(target, Name | Index):
                return [target]
            message = f"a declaration names elements that are known before the run, and that statements assign: '{name}' has none such here"
            raise Refused(WRONG_ARGUMENTS, target.span, message)
        if not all(isinstance(one, Name | Index) for one in several.values()):
            return [Name(values.place(target, env)[0], target.span)]  # a constant or an enumeration, as the check tells
        if isinstance(target, Name) and not self.facts.is_special(target.id):
            return [target]
        return [cast("Raw", respanned(one, target.span)) for one in several.values()]

    def converted(self, reading: RawLeaf, item: Placed) -> list[Item]:
        """Return the leaf of the tree that a reading in the words of the core is."""
        self.transformed.add(item.start)
        found: list[Diagnostic] = []
        made = convert.leaf(reading, self.operators.get(item.start), found)
        for one in found:
            self.note(_moved(one, item.start))
        return [] if made is None else [Placed(made, item.start, item.documentation)]

    def touches(self, reading: RawLeaf, env: Environment) -> bool:
        """Tell whether a leaf says anything that the core does not."""
        if env or reading.direction is not None or reading.given is not None:
            return True
        intervals = [one for one in (reading.interval, *(each.interval for each in reading.ranges)) if one is not None]
        ends = [end for one in intervals for end in (one.low, one.high)]
        parts = [
            one for one in (*reading.targets, reading.value, reading.bound, *reading.values, *ends) if one is not None
        ]
        return any(self.is_new(one) for one in parts)

    def is_new(self, root: Raw) -> bool:
        """Tell whether an expression says anything that the core does not, with what names mean in this text."""
        stack = [root]
        while stack:
            node = stack.pop()
            match node:
                case _ if isinstance(node, EXTENSIONS):
                    return True
                case Name(name) | Index(array=name) if self.facts.is_special(name):
                    return True
                case Call(function=name) if self.is_new_call(name, node):
                    return True
                case RawCall(name=token) if self.is_new_call(token.value, node):
                    return True
                case RawTuple():
                    return True
                case _:
                    stack.extend(children(node))
        return False

    def is_new_call(self, name: str, node: Raw) -> bool:
        """Tell whether a call is one that the core does not have."""
        arguments = node.arguments if isinstance(node, Call) else node.groups[0] if isinstance(node, RawCall) else ()
        return name in self.facts.procedures or is_new_call(name, arguments)

    # --- assignments --------------------------------------------------------------------------------------------------

    def assign(self, item: Placed, reading: RawLeaf, env: Environment) -> list[Item]:
        """Return what an assignment becomes."""
        value = cast("Raw", reading.value)
        if (name := name_of(value)) in self.facts.procedures and name is not None:
            return self.assign_call(item, reading, name, env)
        if len(reading.targets) != 1:
            message = f"found one value for {len(reading.targets)} targets"
            raise Refused(WRONG_RESULTS, reading.span, message)
        values = self.values
        several = values.entries(value, env)
        if several is not None and not (isinstance(value, Index) and isinstance(reading.targets[0], Index)):
            base, path = self.place(reading.targets[0], env)
            if base is not None and path is not None:
                return self.copied(item, base, path, several)
        target = self.target(reading.targets[0], env)
        if not self.touches(reading, env):
            return [item]
        changed = replace(reading, targets=(target,), value=values.scalar(value, env))
        return self.converted(changed, item)

    def copied(self, item: Placed, base: str, path: Path, several: Entries) -> list[Item]:
        """Assign all elements of an array, through variables of their own where it is read from itself."""
        span = self.readings[item.start].span
        reads_itself = any(_mentions(one, base) for one in several.values())
        made: list[Item] = []
        renamed: list[tuple[Path, Raw]] = []
        for rest, value in several.items():
            if reads_itself:
                held = self.new("part")
                made += self.put(item, held, (), value)
                renamed.append((rest, Name(held, span)))
            else:
                renamed.append((rest, value))
        for rest, value in renamed:
            made += self.put(item, base, (*path, *rest), value)
        return made

    def put(self, item: Placed, base: str, path: Path, value: Raw) -> list[Item]:
        """Assign one value."""
        reading = self.readings[item.start]
        span = _target_span(reading)
        target = self.written(base, path, span)
        leaf = RawLeaf("assign", reading.span, targets=(target,), value=cast("Raw", respanned(value, reading.span)))
        return self.converted(leaf, replace_item(item, base))

    def written(self, base: str, path: Path, span: Span) -> Name | Index:
        """Return the variable at a path, and note that something writes it."""
        self.facts.shapes.setdefault(base, {})[path] = None
        return self.values.target(base, path, span)

    def place(self, raw: Raw, env: Environment) -> tuple[str | None, Path | None]:
        """Return the variable and the known path of a target."""
        values = self.values
        name, parts = values.place(raw, env)
        return name, values.path(parts, env)

    def target(self, raw: Raw, env: Environment) -> Raw:
        """Return the variable that is written; elements that exist are noted."""
        values = self.values
        name, parts = values.place(raw, env)
        path = values.path(parts, env)
        if path is not None:
            if isinstance(raw, Index) and name == raw.array and not env:
                self.facts.shapes.setdefault(name, {})[path] = None
                return raw
            return self.written(name, path, raw.span)
        if len(parts) == 1 and not isinstance(parts[0], str):
            return Index(name, cast("Any", parts[0]), Span(raw.span.start, raw.span.start + len(name)), raw.span)
        raise Refused(
            NOT_SUPPORTED, raw.span, "a random index of several, in what is written, is not in the language yet"
        )

    def new(self, word: str) -> str:
        """Return the name of a variable that no text can name."""
        self.fresh += 1
        return f"{word}@{self.fresh}"

    # --- draws --------------------------------------------------------------------------------------------------------

    def sample(self, item: Placed, reading: RawLeaf, env: Environment) -> list[Item]:
        """Return what a draw becomes."""
        if reading.given is not None:
            return self.given(item, reading, reading.given, env)
        drawn = cast("Raw", reading.value)
        values = self.values
        if (table := table_of(drawn, self.facts, env)) is not None:
            return row_drawn(self, item, reading, table, env)
        name = name_of(drawn)
        if name is not None and name in self.facts.procedures:
            return self.inlined(item, reading, self.facts.procedures[name], arguments_of(drawn), env)
        if is_vector_law(self, drawn, env):
            return vector_drawn(self, item, reading, env)
        if name in ARRAY_LAWS:
            return self.numbered(item, reading, array_law(values, drawn, env), env)
        if name == "negative_binomial":
            return self.waiting(item, reading, env)
        if not self.touches(reading, env) and all(isinstance(one, Name) for one in reading.targets):
            self.target(reading.targets[0], env)
            return [item] if self.readings.get(item.start) is reading else self.converted(reading, item)
        if len(reading.targets) != 1:
            raise Refused(WRONG_RESULTS, reading.span, f"found one value for {len(reading.targets)} targets")
        law = scalar_law(values, drawn, env)
        target = self.target(reading.targets[0], env)
        return self.converted(replace(reading, targets=(target,), value=law), item)

    def given(self, item: Placed, reading: RawLeaf, condition: Raw, env: Environment) -> list[Item]:
        """Return a draw among the values for which a condition holds; in it the targets have these values."""
        drawn = self.sample(item, replace(reading, given=None), env)
        held = RawLeaf("observe", condition.span, value=self.values.scalar(condition, env))
        return [self.local([*drawn, *self.converted(held, item)], item, reading.span, "")]

    def local(self, items: Sequence[Item], item: Placed, span: Span, procedure: str) -> Local:
        """Return statements whose observations condition what they draw."""
        absolute = span.shift(item.start)
        arm = Arm(Boolean(True, span), Block(tuple(items), absolute), item.start, absolute)
        return Local((arm,), None, absolute, procedure)

    def waiting(self, item: Placed, reading: RawLeaf, env: Environment) -> list[Item]:
        """Draw the failures before the r-th success as the sum of those before each."""
        values = self.values
        call = cast("Raw", reading.value)
        arguments = arguments_of(call)
        if len(arguments) != 2 or len(reading.targets) != 1:
            raise Refused(WRONG_ARGUMENTS, call.span, "expected 'negative_binomial(r, p)'")
        times = values.known(arguments[0], env)
        if times is None or not 1 <= times <= 100:
            raise Refused(WRONG_ARGUMENTS, arguments[0].span, "expected a static whole number from 1 to 100")
        chance = values.scalar(arguments[1], env)
        made: list[Item] = []
        parts: list[Raw] = []
        for _ in range(times):
            name = self.new("wait")
            law = Call("geometric", (cast("Any", chance),), call.span, call.span)
            leaf = RawLeaf("sample", reading.span, targets=(Name(name, reading.targets[0].span),), value=law)
            made += self.converted(leaf, replace_item(item, name))
            parts.append(Name(name, reading.span))
        target = self.target(reading.targets[0], env)
        leaf = RawLeaf("assign", reading.span, targets=(target,), value=folded("+", parts))
        return [*made, *self.converted(leaf, item)]

    def numbered(self, item: Placed, reading: RawLeaf, weighted: Weighted, env: Environment) -> list[Item]:
        """Draw the number of an array of values, then assign each of them."""
        base, path = self.place(reading.targets[0], env)
        if len(reading.targets) != 1:
            raise Refused(WRONG_RESULTS, reading.span, f"found one array for {len(reading.targets)} targets")
        if base is None or path is None:
            raise Refused(NOT_SUPPORTED, reading.span, "an array is drawn into a variable without a random index")
        span = cast("Raw", reading.value).span
        number_name = self.new("which")
        entries = tuple((number(at, span), weight) for at, (_, weight) in enumerate(weighted))
        table = cast("Raw", respanned(RawTable(entries, span), span))
        leaf = RawLeaf("sample", reading.span, targets=(Name(number_name, span),), value=table)
        made = self.converted(leaf, replace_item(item, number_name))
        for at in range(len(weighted[0][0])):
            looked = self.new("row")
            for chosen, (row, _) in enumerate(weighted):
                made += self.put(item, looked, (chosen,), row[at])
            made += self.put(item, base, (*path, at), Index(looked, Name(number_name, span), span, span))
        return made

    def choose(self, item: Placed, reading: RawLeaf, env: Environment) -> list[Item]:
        """Return what the attacker chooses; a choice that may not stand here is told of elsewhere, and binds its names."""
        if item.start in self.facts.misplaced:
            return self.harmless(item)
        self.transformed.add(item.start)
        targets = [self.target(one, env) for one in reading.targets]
        return [Placed(choice(self.values, reading, one, env), item.start, item.documentation) for one in targets]

    # --- procedures ---------------------------------------------------------------------------------------------------

    def assign_call(self, item: Placed, reading: RawLeaf, name: str, env: Environment) -> list[Item]:
        """Return what the assignment of results of a procedure becomes."""
        procedure = self.facts.procedures[name]
        call = cast("Raw", reading.value)
        if self.laws.draws(procedure) or self.laws.observes(procedure):
            operator = self.operators.get(item.start) or reading.span
            message = f"'{name}' draws or observes, so that it is a law; write '~' to draw from it"
            raise Refused(MISPLACED_DISTRIBUTION, operator, message)
        return self.inlined(item, reading, procedure, arguments_of(call), env)

    def inlined(
        self, item: Placed, reading: RawLeaf, procedure: Procedure, arguments: list[Raw], env: Environment
    ) -> list[Item]:
        """Return the block of a procedure in the place of its call, its variables being new ones."""
        laws = self.laws
        call = cast("Raw", reading.value)
        laws.check(procedure, arguments, env, call.span)
        width = laws.width(procedure)
        if width != len(reading.targets):
            raise Refused(WRONG_RESULTS, reading.span, _do_not_fit(procedure.name, width, len(reading.targets)))
        is_law = laws.draws(procedure) or laws.observes(procedure)
        if not is_law and (len(self.calls) > 30 or procedure.name in self.calls):
            outer = laws.pure_call(procedure.name, arguments, env, call.span)
            return self.results(item, reading, outer, env)
        self.check_depth(procedure, arguments, env, call.span)
        inner: dict[str, Raw] = {}
        made: list[Item] = []
        number_of_call = self.fresh = self.fresh + 1
        values, locals_ = self.values, laws.locals(procedure)
        for parameter, argument in zip(procedure.arguments, arguments, strict=True):
            several = values.entries(argument, env)
            name = f"{procedure.name}.{parameter}@{number_of_call}"
            inner[parameter] = Name(name, argument.span)
            known = (
                None if parameter in locals_ else static(values.resolved(argument, env)) if several is None else None
            )
            if known is not None:
                inner[parameter] = number(known, argument.span)
            elif several is not None:
                for path, one in several.items():
                    made += self.put(item, name, path, one)
            else:
                made += self.put(item, name, (), values.scalar(argument, env))
        for local in locals_:
            if local not in inner:
                inner[local] = Name(f"{procedure.name}.{local}@{number_of_call}", call.span)
        outputs = tuple((f"{procedure.name}.result{at}@{number_of_call}", ()) for at in range(width))
        returned = f"{procedure.name}.returned@{number_of_call}"
        jumps = Jumps(returns=returned, results=outputs, named=procedure.name)
        before, self.calls = self.calls, (*self.calls, procedure.name)
        try:
            body = self.block(procedure.items, inner, jumps)
        finally:
            self.calls = before
        body = without(body, {returned} - self.used)
        if returned in self.used:
            made += self.put(item, returned, (), Boolean(False, call.span))
        made += laws.resets(procedure, inner, item, self)
        made += [relocated(one, item, reading.span) for one in body]
        if laws.observes(procedure):
            made = [self.local(made, item, reading.span, procedure.name)]
        for target, (name, _) in zip(reading.targets, outputs, strict=True):
            several = self.values.entries(Name(name, call.span), {})
            if several is not None:
                made += self.array_result(item, target, several, env)
                continue
            meant = self.target(target, env)
            leaf = RawLeaf("assign", reading.span, targets=(meant,), value=Name(name, call.span))
            made += self.converted(leaf, item)
        return made

    def check_depth(self, procedure: Procedure, arguments: Sequence[Raw], env: Environment, span: Span) -> None:
        """Refuse a procedure with chance that calls itself with arguments that are not known, or too deeply."""
        if procedure.name in self.calls and any(
            static(self.values.resolved(one, env)) is None for one in arguments if self.values.entries(one, env) is None
        ):
            message = f"'{procedure.name}' calls itself with arguments that are not known before the analysis; write a 'while'"
            raise Refused(ENDLESS_RECURSION, span, message)
        if len(self.calls) >= MAX_INLINED:
            message = f"'{procedure.name}' is called more than {MAX_INLINED} deep; write a 'while'"
            raise Refused(ENDLESS_RECURSION, span, message)

    def array_result(self, item: Placed, target: Raw, several: Entries, env: Environment) -> list[Item]:
        """Assign an array that a procedure returns."""
        base, path = self.place(target, env)
        if base is None or path is None:
            raise Refused(NOT_SUPPORTED, target.span, "an array is returned into a variable without a random index")
        return self.copied(item, base, path, several)

    def results(self, item: Placed, reading: RawLeaf, results: tuple[Raw, ...], env: Environment) -> list[Item]:
        """Assign results to the targets of a statement, all at once."""
        made: list[Item] = []
        held = [self.new("result") for _ in results] if len(results) > 1 else []
        for name, value in zip(held, results, strict=False):
            made += self.put(item, name, (), value)
        for at, target in enumerate(reading.targets):
            value = Name(held[at], reading.span) if held else results[at]
            leaf = RawLeaf("assign", reading.span, targets=(self.target(target, env),), value=value)
            made += self.converted(leaf, item)
        return made

    def jump(self, item: Placed, reading: RawLeaf, env: Environment, jumps: Jumps) -> list[Item]:
        """Return what 'break', 'continue' or 'return' becomes: its flag goes up."""
        word = reading.keyword
        flag = {"break": jumps.breaks, "continue": jumps.continues, "return": jumps.returns}[word]
        if flag is None:
            if word == "return":
                message = "'return' stands in no procedure; 'output x' declares what the attacker sees"
                raise Refused(MISPLACED_JUMP, reading.span, message, _as_output(reading))
            raise Refused(MISPLACED_JUMP, reading.span, f"'{word}' stands in no loop")
        made: list[Item] = []
        if word == "return":
            for (name, path), value in zip(jumps.results, reading.values, strict=False):
                several = self.values.entries(value, env)
                entries = {(): self.values.scalar(value, env)} if several is None else several
                for rest, one in entries.items():
                    made += self.put(item, name, (*path, *rest), one)
        self.raised.add(flag)
        return [*made, *self.put(item, flag, (), Boolean(True, reading.span))]

    # --- blocks with headers ------------------------------------------------------------------------------------------

    def branch(self, item: If, env: Environment, jumps: Jumps) -> list[Item]:
        """Return a branch, without the arms that loop variables rule out."""
        arms: list[Arm] = []
        otherwise = item.otherwise
        for arm in item.arms:
            reading = self.readings.get(arm.start)
            condition, decided = arm.condition, None
            if isinstance(reading, RawHeader) and reading.condition is not None:
                if reading.keyword in ("while", "repeat", "never", "def"):
                    raise Refused(MISPLACED_JUMP, reading.span, f"'{reading.keyword}' continues no branch")
                if env or self.is_new(reading.condition):
                    core = self.values.scalar(reading.condition, env)
                    decided = static(self.values.resolved(reading.condition, env)) if env else None
                    found: list[Diagnostic] = []
                    condition = expression(core, found)
                    for one in found:
                        self.note(_moved(one, arm.start))
            if decided == 0:
                continue
            inner = self.block(arm.block.items, env, jumps)
            block = Block(tuple(inner), arm.block.span)
            if decided is not None:
                otherwise_made = inner
                return self._with_rest(arms, otherwise_made, block, item)
            arms.append(Arm(condition, block, arm.start, arm.header))
        self.gone = False
        rest = [] if otherwise is None else self.block(otherwise.items, env, jumps)
        if not arms:
            return rest
        self.gone = False
        last = None if otherwise is None else Block(tuple(rest), otherwise.span)
        return [If(tuple(arms), last, item.span)]

    def _with_rest(self, arms: list[Arm], inner: list[Item], block: Block, item: If) -> list[Item]:
        self.gone = self.gone and not arms
        return [If(tuple(arms), block, item.span)] if arms else inner


def _do_not_fit(name: str, width: int, targets: int) -> str:
    return (
        f"'{name}' gives {width} value{'s' if width != 1 else ''}, found {targets} target{'s' if targets != 1 else ''}"
    )


def arguments_of(raw: Raw) -> list[Raw]:
    """Return the arguments of a call; none of what is no call."""
    match raw:
        case Call(arguments=arguments):
            return list(arguments)
        case RawCall(groups=groups):
            return list(groups[0])
        case _:
            return []


def _span(token: Any) -> Span:
    return Span(token.start, token.end)


def _as_output(reading: RawLeaf) -> tuple[Fix, ...]:
    """Return the fix for a ``return`` of other languages, which say by it what is seen."""
    match reading.values:
        case (Name(name),):
            return replacement("declare the output", reading.span, f"output {name}")
        case (value,) if not is_new(value):
            text = f"result := {spell(expression(value, []))}\noutput result"
            return replacement("declare the output", reading.span, text)
        case _:
            return ()


def _target_span(reading: RawLeaf | RawHeader) -> Span:
    if isinstance(reading, RawLeaf) and reading.targets:
        return reading.targets[0].span
    return reading.span


def _moved(one: Diagnostic, start: int) -> Diagnostic:
    return shifted(one, start)


def _place(item: Item) -> tuple[int, Span]:
    """Return where the piece of a statement starts, and its place in it."""
    match item:
        case Placed(node, start):
            return start, node.span
        case For(start=start, header=header):
            return start, header.shift(-start)
        case If(arms=(arm, *_)) | While(arm=arm):
            return arm.start, arm.header.shift(-arm.start)
        case If():
            raise AssertionError("a branch has an arm")


def _mentions(root: Raw, base: str) -> bool:
    stack = [root]
    while stack:
        node = stack.pop()
        match node:
            case Name(name) if name == base or name.startswith((f"{base}[", f"{base}.")):
                return True
            case Index(array=name) if name == base:
                return True
            case _:
                stack.extend(children(node))
    return False


def relocated(item: Item, at: Placed, span: Span) -> Item:
    """Return a statement of a procedure at the place of its call."""
    absolute = span.shift(at.start)

    def block(inside: Block) -> Block:
        return Block(tuple(relocated(one, at, span) for one in inside.items), absolute)

    def moved(arm: Arm) -> Arm:
        condition = cast("Any", respanned(arm.condition, span))
        return Arm(condition, block(arm.block), at.start, absolute)

    match item:
        case Placed(node):
            return Placed(cast("Leaf", respanned(node, span)), at.start, "")
        case If(arms, otherwise):
            rest = None if otherwise is None else block(otherwise)
            return replace(item, arms=tuple(map(moved, arms)), otherwise=rest, span=absolute)
        case While(arm, never):
            return While(moved(arm), None if never is None else block(never), absolute)
        case For():
            return item
