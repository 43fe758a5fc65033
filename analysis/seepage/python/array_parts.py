"""Parts of arrays: elements, rows, columns and blocks by indices and slices, and what masks and lists of places pick."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from seepage.python import arrays, indices, truths
from seepage.python.run import Run
from seepage.python.terms import choice, number, truth_of
from seepage.python.values import INT, Num, Object, Ref, Unknown, Value, as_of_numpy
from seepage.python.world import World, push

_MOST_WAYS = 64


def read(run: Run, node: ast.AST, owner: Ref, index: Value, world: World) -> list[World]:
    """Put a part of an array on top: an element, what shares its elements with it, or, of a mask or a list of places, an array of its own."""
    found, parts = world.heap[owner.id], _parts(index, world)
    if _are_places(parts):
        return _element(run, node, owner, [part for part in parts if isinstance(part, Num)], world)
    if len(parts) == 1 and isinstance(parts[0], Ref) and world.heap[parts[0].id].sort in ("array", "list"):
        picks = world.heap[parts[0].id]
        if arrays.are_truths(picks.cells) and picks.cells:
            return _masked(run, node, found, picks, world)
        if len(found.shape) == 1 and len(picks.shape) < 2:
            return _listed(run, node, found, picks, world)
        return push(world, run.refuse(node, _OTHER))
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    ends = [
        end
        for one, places, shape in _selected(run, node, found, parts, world)
        for end in push(
            one, arrays.view(run, owner, places, shape, one) if shape or len(places) != 1 else found.cells[places[0]]
        )
    ]
    return run.join(base, depth, ends, run.abrupt[mark:]) if ends or len(run.abrupt) > mark else push(world, Unknown())


_OTHER = (
    "this index of an array is not analysed; numbers, slices, masks of its shape, and lists of places of one axis are"
)


def _parts(index: Value, world: World) -> list[Value]:
    if isinstance(index, Ref) and world.heap[index.id].sort == "tuple":
        return list(world.heap[index.id].cells)
    return [index]


def _are_places(parts: Sequence[Value]) -> bool:
    return all(isinstance(part, Num) for part in parts)


def _element(run: Run, node: ast.AST, owner: Ref, parts: Sequence[Num], world: World) -> list[World]:
    """Put the element, or the row, at some places on top, which may be random."""
    found = world.heap[owner.id]
    if len(parts) > len(found.shape):
        run.raise_(world, "IndexError")
        return []
    if any("bool" in part.kinds for part in parts):
        return push(world, run.refuse(node, indices.BY_TRUTH))
    if len(parts) < len(found.shape):
        base, depth, mark = world.code, world.depth, len(run.abrupt)
        ends = [
            end
            for one, places, shape in _selected(run, node, found, parts, world)
            for end in push(one, arrays.view(run, owner, places, shape, one))
        ]
        return (
            run.join(base, depth, ends, run.abrupt[mark:]) if ends or len(run.abrupt) > mark else push(world, Unknown())
        )
    axes: list[dict[int, int]] = []
    worlds = [world]
    for part, length in zip(parts, found.shape, strict=True):
        pairs = [pair for one in worlds for pair in indices.indices(run, node, part, length, one)]
        worlds = [one for one, _ in pairs]
        axes += [places for _, places in pairs]
    if not worlds:
        return []
    (inside,) = worlds
    if not all(axes):  # told
        return push(inside, Unknown())
    cells = [run.as_number(inside, cell) for cell in found.cells]
    numbers = [cell for cell in cells if isinstance(cell, Num)]
    if len(numbers) < len(cells):
        return push(inside, Unknown())

    def picked(axis: int, before: int) -> Num:
        if axis == len(axes):
            return numbers[before]
        inner = {
            value: picked(axis + 1, before * found.shape[axis] + place) for value, place in sorted(axes[axis].items())
        }
        return indices.picked(parts[axis], inner, inside)

    return push(inside, as_of_numpy(picked(0, 0)))


def _selected(
    run: Run, node: ast.AST, found: Object, parts: Sequence[Value], world: World
) -> list[tuple[World, tuple[int, ...], tuple[int, ...]]]:
    """Return the worlds in which indices and slices pick something: which places, and of which shape that is."""
    if len(parts) > len(found.shape):
        run.raise_(world, "IndexError")
        return []
    going: list[tuple[World, list[Sequence[int]], tuple[int, ...]]] = [(world, [], ())]
    for part, length in zip(parts, found.shape, strict=False):
        after: list[tuple[World, list[Sequence[int]], tuple[int, ...]]] = []
        for one, axes, shape in going:
            match part:
                case Num(kinds=kinds) if kinds == INT:
                    for inside, places in indices.indices(run, node, part, length, one):
                        after += [
                            (split, [*axes, [places[known]]], shape)
                            for split, known in run.split(inside, part, "the index")
                            if isinstance(known, int) and known in places
                        ]
                case Ref(at) if one.heap[at].sort == "slice":
                    for split, cut in indices.bounds(run, node, one.heap[at].cells, one):
                        kept = range(length)[cut]
                        after.append((split, [*axes, kept], (*shape, len(kept))))
                case _:
                    run.refuse(node, _OTHER)
        going = after
    found_: list[tuple[World, tuple[int, ...], tuple[int, ...]]] = []
    rest = found.shape[len(parts) :]
    for one, axes, shape in going:
        all_axes = [*axes, *(range(length) for length in rest)]
        found_.append((one, tuple(arrays.places_of(all_axes, found.shape)), (*shape, *rest)))
    return found_


def _masked(run: Run, node: ast.AST, found: Object, mask: Object, world: World) -> list[World]:
    """Put an array of the elements for which a mask holds on top: of each length that it can have."""
    if (mask.shape or (len(mask.cells),)) != found.shape:
        return push(world, run.refuse(node, _OTHER))
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    kinds = next((cell.kinds for cell in found.cells if isinstance(cell, Num)), INT)
    world.temps.append(run.allocate(world, Object("array", ())))
    worlds = [world]
    for cell, held in zip(found.cells, mask.cells, strict=True):
        after: list[World] = []
        for one in worlds:
            condition = truths.truth(run, node, held, one)
            yes, no = run.branch(one, truth_of(True) if condition is None else condition)
            after += [] if no is None else [no]
            if yes is not None:
                built = yes.temps[-1]
                assert isinstance(built, Ref)
                yes.heap[built.id] = Object("array", (*yes.heap[built.id].cells, cell))
                after.append(yes)
        worlds = after if len(after) <= _MOST_WAYS else run.join(base, depth, after, run.abrupt[mark:])
    for one in worlds:
        built = one.temps[-1]
        assert isinstance(built, Ref)
        made = one.heap[built.id]
        if not made.cells and kinds != INT:
            one.temps[-1] = run.refuse(
                node, "a mask that may pick no element of an array of floats or truths is not analysed"
            )
        one.heap[built.id] = replace(made, shape=(len(made.cells),))
    return run.join(base, depth, worlds, run.abrupt[mark:])


def _listed(run: Run, node: ast.AST, found: Object, picks: Object, world: World) -> list[World]:
    """Put an array of the elements at some places on top, which may be random."""
    made: list[Value] = []
    for pick in picks.cells:
        if not isinstance(pick, Num) or pick.kinds != INT:
            return push(world, run.refuse(node, _OTHER))
        pairs = indices.indices(run, node, pick, len(found.cells), world)
        cells = [run.as_number(world, cell) for cell in found.cells]
        numbers = [cell for cell in cells if isinstance(cell, Num)]
        if not pairs:
            return []
        world, places = pairs[0]
        if not places or len(numbers) < len(cells):
            return push(world, Unknown())
        chosen = indices.picked(pick, {value: numbers[place] for value, place in sorted(places.items())}, world)
        made.append(run.settle(world, chosen, "item"))
    return push(world, run.allocate(world, Object("array", tuple(made), (), (len(made),))))


# --- writing ------------------------------------------------------------------------------------------------------------


def store(run: Run, node: ast.AST, owner: Ref, index: Value, value: Value, world: World) -> list[World]:
    """Write a part of an array; all that shares its elements with it has them, too."""
    found, parts = world.heap[owner.id], _parts(index, world)
    given = world.heap[value.id].cells if isinstance(value, Ref) else (value,)
    if isinstance(value, Unknown) or any(isinstance(part, Unknown) for part in parts):
        return [world]
    if not arrays.is_kept(found, given):
        run.refuse(node, arrays.KEPT)
        return [world]
    picks = world.heap[parts[0].id] if len(parts) == 1 and isinstance(parts[0], Ref) else None
    if picks is not None and picks.sort in ("array", "list"):
        if (
            (picks.shape or (len(picks.cells),)) != found.shape
            or not arrays.are_truths(picks.cells)
            or isinstance(value, Ref)
        ):
            run.refuse(
                node,
                "what is written into an array by a list of places, or as several elements by a mask, is not analysed",
            )
            return [world]
        return _store_masked(run, node, owner, picks, value, world)
    if any(isinstance(part, Num) and part.kinds != INT for part in parts):
        run.refuse(node, _OTHER)
        return [world]
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    after: list[World] = []
    for one, places, shape in _selected(run, node, found, parts, world):
        fitted = arrays.fitted(run, value, shape, one)
        if fitted is None:
            run.raise_(one, "ValueError")
            continue
        cells = list(one.heap[owner.id].cells)
        for place, cell in zip(places, fitted, strict=True):
            cells[place] = run.settle(one, cell, "cell")
        arrays.write(one, owner, cells)
        after.append(one)
    return run.join(base, depth, after, run.abrupt[mark:]) if after or len(run.abrupt) > mark else [world]


def _store_masked(run: Run, node: ast.AST, owner: Ref, mask: Object, value: Value, world: World) -> list[World]:
    found = world.heap[owner.id]
    new = run.as_number(world, value)
    cells: list[Value] = []
    for cell, held in zip(found.cells, mask.cells, strict=True):
        old, condition = run.as_number(world, cell), truths.truth(run, node, held, world)
        if not isinstance(old, Num) or not isinstance(new, Num) or condition is None:
            return [world]
        made = number(choice(condition.expression, new.expression, old.expression), old.kinds | new.kinds, world.known)
        cells.append(run.settle(world, made, "cell"))
    arrays.write(world, owner, cells)
    return [world]
