"""``match``: in which worlds a value is as a pattern says, and which names that binds."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import field

from seepage.data_classes import dataclass
from seepage.python import comparisons, constants, following, known_keys, names, records, sequences, truths
from seepage.python.run import Run
from seepage.python.terms import truth_of
from seepage.python.values import Class, Library, Num, Object, Range, Ref, Unknown, Value
from seepage.python.world import World


@dataclass(slots=True)
class Outcome:
    """Worlds in which a pattern fits, with the names that it binds, and those in which it does not."""

    fits: list[tuple[World, dict[str, Value]]] = field(default_factory=list)
    fails: list[World] = field(default_factory=list)


def followed(run: Run, node: ast.Match, world: World) -> list[World]:
    """Follow a ``match`` statement."""
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    going: list[World] = []
    for one in following.evaluate(run, node.subject, world):
        one.temps.append(run.settle(one, one.pop(), "subject"))
        going.append(one)
    after: list[World] = []
    for case in node.cases:
        rest: list[World] = []
        for one in going:
            found = _matched(run, case.pattern, one.temps[-1], one)
            rest += found.fails
            for fitting, bound in found.fits:
                for name, value in bound.items():
                    names.bind(run, case.pattern, name, value, fitting)
                passed = [fitting]
                if case.guard is not None:
                    pairs = truths.held_in(run, case.guard, fitting)
                    rest += [each for each, holds in pairs if not holds]
                    passed = [each for each, holds in pairs if holds]
                for each in passed:
                    each.pop()
                    after += following.block(run, case.body, each)
        going = rest
    for one in going:
        one.pop()
    return run.join(base, depth, [*after, *going], run.abrupt[mark:])


def _matched(run: Run, pattern: ast.pattern, value: Value, world: World) -> Outcome:
    match pattern:
        case ast.MatchValue(literal):
            ends = following.evaluate(run, literal, world)
            return _if_equal(run, pattern, ast.Eq(), value, ends[0].pop(), world)
        case ast.MatchSingleton(literal_):
            expected = constants.none_value(run) if literal_ is None else truth_of(bool(literal_))
            return _if_equal(run, pattern, ast.Is(), value, expected, world)
        case ast.MatchAs(pattern=None, name=None):
            return Outcome([(world, {})])
        case ast.MatchAs(pattern=None, name=str() as name):
            return Outcome([(world, {name: value})])
        case ast.MatchAs(pattern=ast.pattern() as inner, name=str() as name):
            found = _matched(run, inner, value, world)
            return Outcome([(one, {**bound, name: value}) for one, bound in found.fits], found.fails)
        case ast.MatchOr(patterns):
            either = Outcome([], [world])
            for each in patterns:
                waiting, either.fails = either.fails, []
                for one in waiting:
                    part = _matched(run, each, value, one)
                    either.fits += part.fits
                    either.fails += part.fails
            return either
        case ast.MatchSequence():
            return _sequence(run, pattern, value, world)
        case ast.MatchClass():
            return _class(run, pattern, value, world)
        case ast.MatchMapping():
            return _mapping(run, pattern, value, world)
        case _:
            return _refused(run, pattern, world, "this pattern is not analysed")


def _refused(run: Run, pattern: ast.pattern, world: World, why: str) -> Outcome:
    run.refuse(pattern, why)
    return Outcome([], [world])


def _if_equal(run: Run, pattern: ast.pattern, op: ast.cmpop, value: Value, expected: Value, world: World) -> Outcome:
    held = comparisons.compare(run, pattern, op, value, expected, world)
    if not isinstance(held, Num):
        return (
            _refused(run, pattern, world, "this pattern is not analysed") if held is not None else Outcome([], [world])
        )
    yes, no = run.branch(world, held)
    return Outcome([] if yes is None else [(yes, {})], [] if no is None else [no])


def _all(run: Run, pairs: Sequence[tuple[ast.pattern, Value]], world: World) -> Outcome:
    """Return where all of some patterns fit their values, which are looked at in turn."""
    found = Outcome([(world, {})])
    for inner, value in pairs:
        waiting, found.fits = found.fits, []
        for one, bound in waiting:
            part = _matched(run, inner, value, one)
            found.fits += [(each, bound | more) for each, more in part.fits]
            found.fails += part.fails
    return found


def _sequence(run: Run, pattern: ast.MatchSequence, value: Value, world: World) -> Outcome:
    """Lists, tuples, queues and ranges of a fitting length; texts, bytes, sets and arrays are none."""
    found = world.heap[value.id] if isinstance(value, Ref) else None
    is_named = found is not None and found.type is not None and found.type.sort == "tuple"
    if isinstance(value, Unknown):
        return Outcome([], [world])
    if not isinstance(value, Range) and (found is None or not (found.sort in ("list", "tuple", "deque") or is_named)):
        return Outcome([], [world])
    patterns, parts = pattern.patterns, sequences.parts_of(run, pattern, value, world)
    if parts is None:
        return Outcome([], [world])
    starred = [place for place, each in enumerate(patterns) if isinstance(each, ast.MatchStar)]
    fits = len(parts) == len(patterns) if not starred else len(parts) >= len(patterns) - 1
    if not fits:
        return Outcome([], [world])
    if not starred:
        return _all(run, list(zip(patterns, parts, strict=True)), world)
    start, end = starred[0], len(parts) - (len(patterns) - 1 - starred[0])
    star, outer = patterns[start], [*patterns[:start], *patterns[start + 1 :]]
    made = _all(run, list(zip(outer, [*parts[:start], *parts[end:]], strict=True)), world)
    if isinstance(star, ast.MatchStar) and star.name is not None:
        for one, bound in made.fits:
            bound[star.name] = run.allocate(one, Object("list", tuple(parts[start:end])))
    return made


def _class(run: Run, pattern: ast.MatchClass, value: Value, world: World) -> Outcome:
    """Objects of a class whose fields fit; of ``int`` and its like the value itself."""
    ends = following.evaluate(run, pattern.cls, world)
    kind = ends[0].pop()
    if isinstance(kind, Unknown) or isinstance(value, Unknown):
        return Outcome([], [world])
    held = records.is_instance(run, pattern, [value, kind], {}, world)[0].pop()
    if not isinstance(held, Num) or held.known is None:
        return Outcome([], [world])
    if held.known == 0:
        return Outcome([], [world])
    if isinstance(kind, Library) and len(pattern.patterns) <= 1 and not pattern.kwd_attrs:
        return _all(run, [(each, value) for each in pattern.patterns], world)
    if not isinstance(kind, Class) or not isinstance(value, Ref) or len(pattern.patterns) > len(kind.fields):
        return _refused(run, pattern, world, "a pattern of such a class is analysed by its fields only")
    found = world.heap[value.id]
    wanted = [*kind.fields[: len(pattern.patterns)], *pattern.kwd_attrs]
    if any(name not in found.keys for name in wanted):
        return _refused(run, pattern, world, "a pattern of a class is analysed by fields that its objects have")
    cells = [found.cells[found.keys.index(name)] for name in wanted]
    return _all(run, list(zip([*pattern.patterns, *pattern.kwd_patterns], cells, strict=True)), world)


def _mapping(run: Run, pattern: ast.MatchMapping, value: Value, world: World) -> Outcome:
    """Dictionaries that have some keys, whose values fit; others do not matter."""
    found = world.heap[value.id] if isinstance(value, Ref) else None
    if found is None or found.sort != "dict":
        return Outcome([], [world])
    wanted = [
        known_keys.key_of(run, world, ends[0].pop())
        for ends in (following.evaluate(run, each, world) for each in pattern.keys)
    ]
    if any(key not in found.keys for key in wanted):
        return Outcome([], [world])
    cells = [found.cells[found.keys.index(key)] for key in wanted]
    made = _all(run, list(zip(pattern.patterns, cells, strict=True)), world)
    if pattern.rest is not None:
        left = [(key, cell) for key, cell in zip(found.keys, found.cells, strict=True) if key not in wanted]
        for one, bound in made.fits:
            keys, rest = tuple(key for key, _ in left), tuple(cell for _, cell in left)
            bound[pattern.rest] = run.allocate(one, Object("dict", rest, keys))
    return made
