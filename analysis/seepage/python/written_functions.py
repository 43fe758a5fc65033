"""Functions of Python's library that are followed as if they stood in the file: each is written here in the part of Python that is analysed.

They do what the functions of ``heapq``, ``bisect``, ``itertools`` and ``operator`` do, in the order in which these do it. Their names are those of nobody else: in
them, every name that they do not bind is Python's own. A call makes a copy whose nodes stand where the call does, so that all that is told of it is told there.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping

from seepage.python import any_order, sequences
from seepage.python.calling import Named
from seepage.python.run import LIBRARY_FRAME, Run
from seepage.python.values import Function, Given, Ref, Scope, Value
from seepage.python.world import World, push

SOURCE = """
def heapq_up(heap, place):
    item = heap[place]
    for _ in range(len(heap).bit_length()):
        if place == 0:
            break
        above = (place - 1) // 2
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item

def heapq_down(heap, top):
    item, place = heap[top], top
    for _ in range(len(heap).bit_length()):
        below = 2 * place + 1
        if below >= len(heap):
            break
        if below + 1 < len(heap) and not heap[below] < heap[below + 1]:
            below += 1
        heap[place] = heap[below]
        place = below
    heap[place] = item
    for _ in range(len(heap).bit_length()):
        if place <= top:
            break
        above = (place - 1) // 2
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item

def heapq_heappush(heap, item, /):
    heap.append(item)
    heapq_up(heap, len(heap) - 1)

def heapq_heappop(heap, /):
    last = heap.pop()
    if not heap:
        return last
    least, heap[0] = heap[0], last
    heapq_down(heap, 0)
    return least

def heapq_heapify(heap, /):
    for place in reversed(range(len(heap) // 2)):
        heapq_down(heap, place)

def heapq_heapreplace(heap, item, /):
    least, heap[0] = heap[0], item
    heapq_down(heap, 0)
    return least

def heapq_heappushpop(heap, item, /):
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        heapq_down(heap, 0)
    return item

def heapq_nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]

def heapq_nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:max(n, 0)]

def bisect_bisect_left(a, x, lo=0, hi=None, *, key=None):
    if lo < 0:
        raise ValueError
    hi = len(a) if hi is None else hi
    for _ in range(len(a).bit_length()):
        if lo >= hi:
            break
        middle = (lo + hi) // 2
        value = a[middle] if key is None else key(a[middle])
        if value < x:
            lo = middle + 1
        else:
            hi = middle
    return lo

def bisect_insort_left(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)

def bisect_bisect_right(a, x, lo=0, hi=None, *, key=None):
    if lo < 0:
        raise ValueError
    hi = len(a) if hi is None else hi
    for _ in range(len(a).bit_length()):
        if lo >= hi:
            break
        middle = (lo + hi) // 2
        value = a[middle] if key is None else key(a[middle])
        if x < value:
            hi = middle
        else:
            lo = middle + 1
    return lo

def bisect_insort_right(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)

def itertools_accumulate(iterable, func=None, *, initial=None):
    begun, total = initial is not None, initial
    if begun:
        yield total
    for item in iterable:
        if not begun:
            begun, total = True, item
        elif func is None:
            total = total + item
        else:
            total = func(total, item)
        yield total

def itertools_islice(iterable, first, /, *more):
    start, stop, step = (None, first, None) if not more else (first, *more, None) if len(more) == 1 else (first, *more)
    start, step = 0 if start is None else start, 1 if step is None else step
    if start < 0 or step < 1 or (stop is not None and stop < 0):
        raise ValueError
    return itertools_part(iterable, start, stop, step)

def itertools_part(iterable, start, stop, step):
    place = 0
    if stop is None or stop > 0:
        for item in iterable:
            if place >= start and (place - start) % step == 0 and (stop is None or place < stop):
                yield item
            place += 1
            if stop is not None and place >= stop:
                break

def itertools_count(start=0, step=1):
    while True:
        yield start
        start += step

def itertools_cycle(iterable, /):
    items = []
    for item in iterable:
        yield item
        items.append(item)
    while items:
        for item in items:
            yield item

def itertools_repeat(object, times=None):
    if times is None:
        while True:
            yield object
    for _ in range(times):
        yield object

def itertools_takewhile(predicate, iterable, /):
    for item in iterable:
        if not predicate(item):
            break
        yield item

def itertools_dropwhile(predicate, iterable, /):
    dropping = True
    for item in iterable:
        if dropping and predicate(item):
            continue
        dropping = False
        yield item

def itertools_filterfalse(predicate, iterable, /):
    for item in iterable:
        if not (item if predicate is None else predicate(item)):
            yield item

def itertools_starmap(function, iterable, /):
    for items in iterable:
        yield function(*items)

def itertools_compress(data, selectors):
    for item, chosen in zip(data, selectors):
        if chosen:
            yield item

def itertools_chain_from_iterable(iterable, /):
    for items in iterable:
        for item in items:
            yield item

def itertools_groupby(iterable, key=None):
    items, current = [], None
    for item in iterable:
        value = item if key is None else key(item)
        if items and not current == value:
            group = iter(items)
            yield current, group
            for _ in group:
                pass
            items = []
        if not items:
            current = value
        items.append(item)
    if items:
        group = iter(items)
        yield current, group
        for _ in group:
            pass

def own_contains(items, value):
    for item in items:
        if item == value:
            return True
    return False

def own_elements(items):
    place = 0
    while True:
        try:
            item = items[place]
        except (IndexError, StopIteration):
            break
        yield item
        place += 1

def own_sum(items, /, start=0):
    for item in items:
        start = start + item
    return start

def own_sorted(items, /, *, key=None, reverse=False):
    made = []
    for item in reversed(list(items)) if reverse else list(items):
        place = len(made)
        for below in reversed(made):
            if not item < below:
                break
            place -= 1
        made.insert(place, item)
    return made[::-1] if reverse else made

def own_max(*items, key=None):
    begun, best = False, None
    for item in items[0] if len(items) == 1 else items:
        if not begun or item > best:
            begun, best = True, item
    if not begun:
        raise ValueError
    return best

def own_min(*items, key=None):
    begun, best = False, None
    for item in items[0] if len(items) == 1 else items:
        if not begun or item < best:
            begun, best = True, item
    if not begun:
        raise ValueError
    return best

def own_max_or(items, /, *, default, key=None):
    items = list(items)
    return own_max(items) if items else default

def own_min_or(items, /, *, default, key=None):
    items = list(items)
    return own_min(items) if items else default

def operator_itemgetter(item, /, *items):
    if items:
        return lambda object: tuple([object[each] for each in (item, *items)])
    return lambda object: object[item]
"""

DEFINITIONS: Mapping[str, ast.FunctionDef] = {
    one.name: one for one in ast.parse(SOURCE).body if isinstance(one, ast.FunctionDef)
}
WRITTEN = "written"
"""The module, none of Python, whose functions these are."""
_ALSO = {"bisect_bisect": "bisect_bisect_right", "bisect_insort": "bisect_insort_right"}


_AT_ONCE = frozenset({"heapq_nlargest", "heapq_nsmallest", "itertools_groupby"})
"""Those that take more elements at a time than Python's: what is computed as it is asked for would be computed too early."""


def call(run: Run, node: ast.AST, path: str, values: list[Value], named: Named, world: World) -> list[World] | None:
    """Follow a call of a function that is written here; None for others."""
    name = path.removeprefix(f"{WRITTEN}.").replace(".", "_")
    definition = DEFINITIONS.get(_ALSO.get(name, name))
    if definition is None:
        return None
    lists = [world.heap[each.id].sort for each in values[:1] if isinstance(each, Ref)]
    if name.startswith("heapq_heap") and lists != ["list"]:
        return push(world, run.refuse(node, "a heap that is no list is not analysed"))
    if name in _AT_ONCE and (
        any(sequences.is_as_asked(each, world) for each in values) or not _is_plain_key(run, named.get("key"), values)
    ):
        return push(
            world,
            run.refuse(
                node,
                f"'{path}' of what is computed as it is asked for, or by a key that does more than compute, is not analysed",
            ),
        )
    run.scopes.setdefault(LIBRARY_FRAME, Scope(frozenset(), 0))
    if (name, node) not in run.written:
        run.written[name, node] = _placed(definition, node)
    made = run.hooks.define(run, run.written[name, node], LIBRARY_FRAME, world)
    return run.hooks.inline(run, node, made, Given(values, dict(named)), world) if isinstance(made, Function) else None


def _is_plain_key(run: Run, key: Value | None, values: list[Value]) -> bool:
    """Whether the function of a key only computes, so that it does not matter when it is called."""
    functions = [each for each in (key, *values) if isinstance(each, Function)]
    return all(isinstance(each.node, ast.Lambda) and any_order.is_pure(run, [each.node.body]) for each in functions)


def _placed(definition: ast.FunctionDef, node: ast.AST) -> ast.FunctionDef:
    """Return a copy of a definition all of which stands where a node does."""
    made = copy.deepcopy(definition)
    for inner in ast.walk(made):
        for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            if hasattr(inner, name):
                setattr(inner, name, getattr(node, name))
    return made
