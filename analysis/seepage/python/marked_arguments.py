"""What a marked function starts with: secrets with their laws, known arguments and parameters."""

from __future__ import annotations

import ast
import re
from dataclasses import field, replace
from fractions import Fraction

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.exact import ArithmeticFault
from seepage.laws.discrete import TRUTH
from seepage.laws.table import DISCRETE_LAWS
from seepage.python import constants, following, known_keys
from seepage.python.definitions import ancestors
from seepage.python.marks import Mark
from seepage.python.module_values import module_value
from seepage.python.outputs import Seen, write_output
from seepage.python.questions import Wrong, translated
from seepage.python.reading import private
from seepage.python.run import Run
from seepage.python.terms import between, constant, variable
from seepage.python.values import (
    ANYTHING,
    BOOL,
    FLOAT,
    HERE,
    INT,
    Class,
    Function,
    Given,
    Num,
    Object,
    Ref,
    Support,
    Unknown,
    Value,
)
from seepage.python.world import World
from seepage.semantics.binding import bound_arguments
from seepage.semantics.check import check
from seepage.semantics.evaluate import evaluate as value_of
from seepage.semantics.signatures import SIGNATURES
from seepage.source import SourceFile, Span
from seepage.syntax.parse import parse
from seepage.syntax.tree import Distribution, Expression, Family, Name, Param, Placed, Sample, Table


@dataclass(slots=True)
class Work:
    """One translation: the walk, the function with its mark, and what is declared of it."""

    run: Run
    mark: Mark
    node: ast.FunctionDef
    head: Span
    declarations: list[tuple[str, Span]] = field(default_factory=list)
    seen: dict[str, Seen] = field(default_factory=dict)

    def wrong(self, place: Span, message: str) -> Unknown:
        """Tell what is wrong in the mark."""
        self.run.tell(rules.PYTHON_MARK, place, message)
        return Unknown()


_SIZE = re.compile(r"\[([^\[\]]*+)\]")


_TEXTS = re.compile(r"""("[^"\n]*"|'[^'\n]*')""")


def arguments(work: Work, root: World, name: str, function: Value) -> Given | None:
    """Return what the mark gives to the arguments of a function; None, and a fault, if one has neither law nor value."""
    run, mark, arguments = work.run, work.mark, work.node.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    for key, table in (("secret", mark.secret), ("fixed", mark.fixed), ("param", mark.param)):
        for path in table:
            if path.partition(".")[0] not in names:
                work.wrong(mark.place_of(f"{key}.{path}"), f"'{name}' has no argument '{path.partition('.')[0]}'")
    for extra in (arguments.vararg, arguments.kwarg):
        if extra is not None:
            run.refuse(
                extra,
                "an analysed function with '*' or '**' in its own arguments is not analysed; mark one that calls it",
            )
    given = Given([])
    defaults = function.defaults if isinstance(function, Function) else {}
    values: dict[str, Value] = {}
    # Secrets in the order of the mark: laws may read those before.
    for path, law in mark.secret.items():
        _give(work, root, name, values, path, _secret(work, root, path, law))
    for path, value in mark.fixed.items():
        _give(work, root, name, values, path, _fixed(work, root, path, value))
    for path, text in mark.param.items():
        values[path] = _param(work, root, path, text)
    for one in names:
        if one in values:
            given.named[one] = values[one]
        elif one not in defaults:
            work.wrong(
                work.head,
                f"the argument '{one}' of '{name}' has neither a law nor a value: name it in 'secret', 'fixed' or 'param' of the mark",
            )
            return None
    return given


def _give(work: Work, root: World, name: str, values: dict[str, Value], path: str, made: Value) -> None:
    """Give an argument its value, or the field that a path names of it."""
    owner, _, field = path.partition(".")
    if not field:
        values[owner] = made
        return
    before, kind = values.get(owner), _owner_class(work, root, name)
    field = field if kind is None else private(field, kind.name)
    record = root.heap[before.id] if isinstance(before, Ref) else Object("record", (), (), (), kind)
    values[owner] = work.run.allocate(root, replace(record, cells=(*record.cells, made), keys=(*record.keys, field)))


def _owner_class(work: Work, root: World, name: str) -> Class | None:
    owner = name.partition(".")[0]
    node = next((one for one in work.run.module.tree.body if isinstance(one, ast.ClassDef) and one.name == owner), None)
    if node is None:
        return None
    return Class(owner, (), {}, node, sort="marked", above=ancestors(work.run, node, root) or ())


def _literal_value(work: Work, root: World, value: object, place: Span) -> Value:
    run = work.run
    match value:
        case bool():
            return constant(int(value), BOOL, value)
        case int():
            return constant(value, INT, value)
        case float():
            return constant(Fraction(repr(value)), FLOAT, value)
        case None:
            return constants.none_value(run)
        case str():
            return constants.text_value(run, value)
        case list() | tuple():
            cells = tuple(_literal_value(work, root, each, place) for each in value)
            return run.allocate(root, Object("list" if isinstance(value, list) else "tuple", cells))
        case dict():
            keys = [known_keys.key_of(run, root, _literal_value(work, root, key, place)) for key in value]
            cells = tuple(_literal_value(work, root, each, place) for each in value.values())
            return run.allocate(root, Object("dict", cells, tuple(keys)))
        case _:
            return work.wrong(place, "a fixed value is a number, a text, None, or a list or dictionary of such")


def _fixed(work: Work, root: World, path: str, value: object) -> Value:
    place = work.mark.place_of(f"fixed.{path}")
    if isinstance(value, str):
        number = _number_of(value)
        if number is not None:
            whole = number.denominator == 1 and re.fullmatch(r"\s*-?\d+\s*", value) is not None
            return constant(number, INT if whole else FLOAT, int(number) if whole else float(number))
    return _literal_value(work, root, value, place)


def _number_of(text: str) -> Fraction | None:
    """Return the rational number that a text spells: ``3/4``, ``0.1``; None if it is none."""
    parsed = parse(SourceFile("", f"x := {text}"))
    if parsed.diagnostics or len(parsed.tree.items) != 1 or not isinstance(item := parsed.tree.items[0], Placed):
        return None
    expression = getattr(item.node, "value", None)
    if expression is None or re.search(r"[^\W\d]{2,}|[^\W\dEe]", text):
        return None
    try:
        found = value_of(expression, {})
    except (ArithmeticFault, KeyError, Fault):
        return None
    return Fraction(found) if isinstance(found, int | Fraction) else None


def _param(work: Work, root: World, path: str, text: str) -> Value:
    name = work.run.fresh(path)
    value, _, domain = text.partition(" in ")
    line = f"param {name} in {domain.strip()} = {value.strip()}" if domain else f"param {name} = {value.strip()}"
    parsed = parse(SourceFile("", line))
    place = work.mark.place_of(f"param.{path}")
    if any(one.is_error for one in parsed.diagnostics) or len(parsed.tree.items) != 1:
        return work.wrong(
            place, f"'{path}' of 'param' is written as a value, or as a value 'in' a domain: \"1 in [0, 10]\""
        )
    work.declarations.append((line, place))
    work.seen[path] = Seen(path, cells={(): name}, kinds={(): FLOAT})
    item = parsed.tree.items[0]
    support = ANYTHING
    if isinstance(item, Placed) and isinstance(item.node, Param) and item.node.domain is not None:
        low, high = (_static(end) for end in (item.node.domain.low, item.node.domain.high))
        support = Support(
            None, low if isinstance(low, int | Fraction) else None, high if isinstance(high, int | Fraction) else None
        )
    root.known[name] = support
    return variable(name, FLOAT, support)


def _secret(work: Work, root: World, path: str, law: str) -> Value:
    run, place = work.run, work.mark.place_of(f"secret.{path}")
    if law.strip().startswith("function:"):
        return _secret_of_function(work, root, path, law.strip().removeprefix("function:").strip(), place)
    rest, sizes = law.strip(), list[int]()
    while (found := _SIZE.match(rest)) is not None:
        for part in found[1].split(","):
            if not part.strip().isdecimal() or not 1 <= int(part) <= 4_096:
                return work.wrong(
                    place, f"the size in the law of '{path}' must be a whole number: \"[3] uniform_int(0, 9)\""
                )
            sizes.append(int(part))
        rest = rest[found.end() :].lstrip()
    try:
        spelled = translated(rest, work.seen, run.codes) if rest.strip() else ""
    except Wrong as error:
        return work.wrong(place, error.message)
    for text in _TEXTS.findall(rest):
        run.codes.code("str", text[1:-1])
    spelled = translated(rest, work.seen, run.codes)
    law_tree = _law_of(spelled)
    if law_tree is None:
        return work.wrong(
            place, f"'{law}' is no law of '{path}'; write, for example, \"uniform_int(0, 9)\" or \"bernoulli(1/2)\""
        )
    kinds, support = _kind_of(run, law_tree, has_texts=bool(_TEXTS.search(rest)))
    run.at = place
    name = run.fresh(path)
    seen = work.seen[path] = Seen(path)
    work.declarations.append((f"secret {name}", place))
    count = 1
    for size in sizes:
        count *= size
    if not sizes:
        seen.cells[()], seen.kinds[()] = name, kinds
        run.write(root, f"{name} ~ {spelled}")
        root.known[name] = support
        return variable(name, kinds, support)
    cells: list[Value] = []
    for number in range(count):
        element = f"{name}[{number}]"
        run.write(root, f"{element} ~ {spelled}")
        root.known[element] = support
        cells.append(variable(element, kinds, support))
        position: list[int | str] = []
        at = number
        for size in reversed(sizes):
            position.insert(0, at % size)
            at //= size
        seen.cells[tuple(position)], seen.kinds[tuple(position)] = element, kinds
    seen.whole = name
    return _nested(run, root, cells, sizes)


def _nested(run: Run, root: World, cells: list[Value], sizes: list[int]) -> Value:
    if len(sizes) == 1:
        return run.allocate(root, Object("list", tuple(cells)))
    size = len(cells) // sizes[0]
    rows = tuple(_nested(run, root, cells[at * size : (at + 1) * size], sizes[1:]) for at in range(sizes[0]))
    return run.allocate(root, Object("list", rows))


def _secret_of_function(work: Work, root: World, path: str, name: str, place: Span) -> Value:
    """A secret whose law is what a function of the file returns."""
    run = work.run
    function = module_value(run, name, root)
    if not isinstance(function, Function):
        return work.wrong(place, f"there is no function '{name}' in this file")
    ends = following.inline(run, work.node, function, Given([]), root)
    if len(ends) != 1 or run.abrupt or ends[0].code is not root.code:
        return work.wrong(
            place, f"'{name}' may return values of several structures, or raise; that is not analysed as a prior"
        )
    (end,) = ends
    value = end.pop()
    if end is not root:
        root.frames, root.heap, root.known, root.uniforms = end.frames, end.heap, end.known, end.uniforms
    seen = write_output(run, path.replace(".", "_"), [(root, value)])
    if seen is None:
        return Unknown()
    seen.name = path
    work.seen[path] = seen
    targets = [seen.whole] if seen.whole is not None else list(seen.cells.values())
    work.declarations += [(f"secret {target}", place) for target in targets]
    return _renamed(run, root, value, seen, ())


def _renamed(run: Run, world: World, value: Value, seen: Seen, path: tuple[int | str, ...]) -> Value:
    """Return a value with the variables of a secret in place of what they were computed from."""
    value = run.as_number(world, value)
    match value:
        case Num():
            name = seen.cells[path]
            world.known[name] = value.support
            return replace(value, expression=Name(name, HERE))
        case Ref(at):
            found = world.heap[at]
            keys: list[int | str] = (
                [str(key) for key in found.keys] if found.sort == "record" else list(range(len(found.cells)))
            )
            cells = tuple(
                _renamed(run, world, cell, seen, (*path, key)) for key, cell in zip(keys, found.cells, strict=True)
            )
            world.heap[at] = replace(found, cells=cells)
            return value
        case _:
            return value


def _law_of(text: str) -> Distribution | None:
    checked = check(SourceFile("", f"x ~ {text}"))
    if (
        any(one.is_error and one.rule is not rules.UNKNOWN_NAME for one in checked.diagnostics)
        or len(checked.tree.items) != 1
    ):
        return None
    item = checked.tree.items[0]
    return item.node.distribution if isinstance(item, Placed) and isinstance(item.node, Sample) else None


def _static(expression: Expression) -> object:
    try:
        return value_of(expression, {})
    except (ArithmeticFault, KeyError, Fault):
        return None


def _kind_of(run: Run, law: Distribution, *, has_texts: bool) -> tuple[frozenset[str], Support]:
    """Return of which Python types the values of a law are, and which they can be."""
    match law:
        case Family(name=name) if name in DISCRETE_LAWS:
            return _kind_of_discrete(run, law, has_texts=has_texts)
        case Table(entries=entries):
            return _listed(run, [_static(value) for value, _ in entries], has_texts=has_texts)
        case _:
            return FLOAT, ANYTHING


def _kind_of_discrete(run: Run, law: Family, *, has_texts: bool) -> tuple[frozenset[str], Support]:
    support, arguments = DISCRETE_LAWS[law.name].word.values, bound_arguments(law) or {}
    if support is None:
        return _listed(run, [_static(one) for one in arguments.values()], has_texts=has_texts)
    if support == TRUTH:
        return BOOL, Support(frozenset({0, 1}))
    low, high = (
        _static(arguments[end]) if isinstance(end, str) and end in arguments else end
        for end in (support.low, support.high)
    )
    if SIGNATURES[law.name].variadic is not None:
        high = len(arguments) - 1
    if isinstance(low, int) and isinstance(high, int):
        return INT, between(low, high)
    return INT, Support(None, low, None) if isinstance(low, int) else ANYTHING


def _listed(run: Run, values: list[object], *, has_texts: bool) -> tuple[frozenset[str], Support]:
    known = [each for each in values if isinstance(each, int | Fraction)]
    if len(known) != len(values):
        return FLOAT, ANYTHING
    kinds: set[str] = set()
    for each in known:
        if has_texts and isinstance(each, Fraction):  # a law holds texts or floats, not both
            kinds.add("str" if run.codes.names[each][0] == "str" else "none")
        else:
            kinds.add("int" if isinstance(each, int) else "float")
    return frozenset(kinds), Support(frozenset(known))
