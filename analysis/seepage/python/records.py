"""Attributes: fields of objects, methods and values of their classes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from seepage.python import any_order, arguments, arrays, constants, following, sequences
from seepage.python.calling import Named
from seepage.python.module_scopes import names_bound_by, own_nodes
from seepage.python.module_values import library_value
from seepage.python.run import Run
from seepage.python.terms import truth_of
from seepage.python.values import (
    NONE,
    TEXT,
    Class,
    Function,
    Generator,
    Given,
    Library,
    Method,
    Num,
    Ref,
    Super,
    Value,
)
from seepage.python.world import World, push


def attribute(run: Run, node: ast.Attribute, owner: Value, world: World) -> list[World]:
    """Read an attribute."""
    name = node.attr
    match owner:
        case Library(path):
            if path in ("numpy.random.Generator", "random.Random"):
                return push(world, run.refuse(node, f"'{name}' of this class is not analysed"))
            return push(world, library_value(run, f"{path}.{name}"))
        case Generator():
            return push(world, Method(owner, name))
        case Ref(at):
            found = world.heap[at]
            if found.sort == "record":
                if name in found.keys:
                    return push(world, found.cells[found.keys.index(name)])
                return _of_class(run, node, owner, found.type, world)
            if found.sort == "array" and name in ("shape", "size", "T", "ndim"):
                return push(world, arrays.array_field(run, owner, name, world))
            if (
                arguments.is_method(found.sort, name)
                or found.sort == "mechanism"
                or (found.sort, name) == ("law", "rvs")
            ):
                return push(world, Method(owner, name))
            return _of_python(run, node, _TYPES.get(found.sort) if found.type is None else None, world)
        case Class(has_slots=True, fields=fields) if name in fields:
            return push(world, run.refuse(node, f"'{name}' of a class with slots is not analysed"))
        case Class():
            found_member = sequences.member(owner, name, world)
            if found_member is not None:
                return push(world, found_member)
            value = class_value(run, owner, name, world)
            if value is not None:
                return push(world, _bound(run, value, None, owner))
            return push(world, run.refuse(node, f"'{name}' of a class is not analysed"))
        case Super(of, kind):
            return _of_super(run, node, of, kind, world)
        case Num(kinds=kinds):
            types = [kind for sort, kind in _TYPES.items() if sort in kinds]
            if all(callable(getattr(kind, name, None)) for kind in types):
                return push(world, Method(owner, name))
            # A number may be one of numpy, which has more than those of Python.
            return _of_python(run, node, types[0] if kinds in (TEXT, NONE) else None, world)
        case _:
            return push(world, run.refuse(node, f"'{name}' of this value is not analysed"))


_TYPES: Mapping[str, type] = {
    **{kind.__name__: kind for kind in (int, bool, float, str, list, tuple, dict, set)},
    "none": type(None),
}


def _of_python(run: Run, node: ast.Attribute, kind: type | None, world: World) -> list[World]:
    """Read what is no method that is followed: where a type of Python has no such name, AttributeError is raised."""
    is_member = kind is str and run.has_plain_members and node.attr in ("name", "value")
    if kind is None or hasattr(kind, node.attr) or is_member:
        return push(world, run.refuse(node, f"'{node.attr}' of this object is not analysed"))
    run.raise_(world, "AttributeError")
    return []


def _of_class(run: Run, node: ast.Attribute, owner: Ref, kind: Class | None, world: World) -> list[World]:
    """Read what an object has not by itself: a method, or a value that its class gives to all; without one, AttributeError is raised."""
    name = node.attr
    computed = None if kind is None else _property(run, kind, name)
    if computed is not None:
        return following.inline(run, node, replace(computed, owner=owner), Given([]), world)
    value = None if kind is None else class_value(run, kind, name, world)
    if value is not None:
        return push(world, _bound(run, value, owner, world.heap[owner.id].type))
    if kind is not None and kind.sort == "marked":
        return push(
            world,
            run.refuse(
                node, f"'{name}' of this object is not known: name it in 'secret', 'fixed' or 'param' of the mark"
            ),
        )
    of_python = name.startswith("_") or (kind is not None and kind.sort == "tuple" and name in ("count", "index"))
    if of_python or (kind is not None and holder_of(kind, name) is not None):
        return push(world, run.refuse(node, f"'{name}' of this object is not analysed"))
    run.raise_(world, "AttributeError")
    return []


def _of_super(run: Run, node: ast.Attribute, of: Ref | Class, kind: Class | None, world: World) -> list[World]:
    """Read what an object, or a class, has from those that its class inherits from; ``kind`` is the next of them, if there is one."""
    name = node.attr
    if kind is None or (name == "__init__" and class_method(run, kind, name, world) is None):
        if name == "__init__" and (kind is None or all(each.sort == "plain" for each in kind.lineage)):
            return push(world, Library("builtins.object.__init__"))
        return push(world, run.refuse(node, f"'{name}' of what this class inherits from is not analysed"))
    if isinstance(of, Ref):
        return _of_class(run, node, of, kind, world)
    value = class_value(run, kind, name, world)
    if value is None:
        return push(world, run.refuse(node, f"'{name}' of a class is not analysed"))
    return push(world, _bound(run, value, None, of))


def _bound(run: Run, value: Value, owner: Ref | None, kind: Class | None) -> Value:
    """Return what is found in a class as it is read: a method bound to its object, or to the class if it is one of the class."""
    if not isinstance(value, Function) or not isinstance(value.node, ast.FunctionDef):
        return value
    paths = [run.module_path(each) for each in value.node.decorator_list]
    if "builtins.classmethod" in paths:
        return replace(value, owner=kind)
    return value if owner is None or "builtins.staticmethod" in paths else replace(value, owner=owner)


def super_of(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """Follow ``super()`` in a method, and ``super(Class, self)``."""
    match values:
        case []:
            kind = run.scopes[run.frames[-1]].kind
            first = next(iter(world.frames[run.frames[-1]].values()), None)
        case [Class() as kind, first]:
            pass
        case _:
            kind = first = None
    if kind is None or not isinstance(first, Ref | Class):
        return push(world, run.refuse(node, "'super' is analysed in methods of a class of this file"))
    own = first if isinstance(first, Class) else world.heap[first.id].type
    if own is None or kind not in own.lineage:
        run.raise_(world, "TypeError")
        return []
    rest = own.lineage[own.lineage.index(kind) + 1 :]
    return push(world, Super(first, replace(rest[0], above=rest[1:]) if rest else None))


def holder_of(kind: Class, name: str) -> Class | None:
    """Return the class that binds a name, of one and those that it inherits from."""
    return next((one for one in kind.lineage if one.node is not None and name in bound_in(one.node)), None)


def _of_kind(run: Run, kind: Class, name: str, decorator: str) -> bool:
    """Whether a name is that of a function with one decorator in the class that binds it."""
    holder = holder_of(kind, name)
    return any(
        isinstance(one, ast.FunctionDef)
        and one.name == name
        and [run.module_path(each) for each in one.decorator_list] == [decorator]
        for one in (holder.node.body if holder is not None and holder.node is not None else ())
    )


def is_property(run: Run, kind: Class, name: str) -> bool:
    """Whether a function computes what looks like a field of objects of a class."""
    return _of_kind(run, kind, name, "builtins.property")


def is_abstract(run: Run, kind: Class) -> bool:
    """Whether no object of a class can be made, as a method of it is to be written by those that inherit from it."""
    nodes = [one.node for one in kind.lineage if one.node is not None]
    names = {name for one in nodes for name in bound_in(one)}
    tops = [base for one in nodes for base in (*one.bases, *(each.value for each in one.keywords))]
    checked = any(run.module_path(one) in ("abc.ABC", "abc.ABCMeta") for one in tops)
    return checked and any(_of_kind(run, kind, name, "abc.abstractmethod") for name in names)


def _property(run: Run, kind: Class, name: str) -> Function | None:
    """Return the function that computes what looks like a field, if it only computes: where it is read, nothing else happens."""
    holder = holder_of(kind, name)
    if holder is None or holder.node is None or not is_property(run, kind, name) or "steps" in run.counted:
        return None
    named = [one for one in holder.node.body if isinstance(one, ast.FunctionDef) and one.name == name]
    match [one for one in named[0].body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]:
        case [ast.Return(value=ast.expr() as value)] if len(named) == 1 and any_order.is_pure(run, [value]):
            return Function(named[0], holder.frame, {}, None, holder)
        case _:
            return None


def bound_in(kind: ast.ClassDef) -> set[str]:
    """Return all names that the statements of a class bind."""
    return {name for inner in own_nodes(kind.body) for name in names_bound_by(inner)}


def _binding(kind: ast.ClassDef, name: str) -> list[ast.stmt]:
    """Return the statements of a class that bind a name."""
    return [
        one
        for one in kind.body
        if not (isinstance(one, ast.AnnAssign) and one.value is None)
        and any(name in names_bound_by(inner) for inner in own_nodes([one]))
    ]


def class_value(run: Run, kind: Class, name: str, world: World) -> Value | None:
    """Return a method of a class, or what its one assignment to a name says; None if there is none, or it is not certain."""
    method, holder = class_method(run, kind, name, world), holder_of(kind, name)
    if method is not None or holder is None or holder.node is None:
        return method
    match _binding(holder.node, name):
        case [ast.Assign(value=expression) | ast.AnnAssign(value=ast.expr() as expression) as statement]:
            if not any(isinstance(each, ast.Name) and each.id == name for each in _targets(statement)):
                return None
        case _:
            return None
    run.frames.append(holder.frame)
    drawn, ends = run.drawn_count, following.evaluate(run, expression, world)
    run.frames.pop()
    value = world.pop() if len(ends) == 1 and ends[0] is world and run.drawn_count == drawn else None
    if isinstance(value, Num) and value.known is not None:
        return value
    return run.refuse(
        expression, f"'{name}' is one for all objects of the class; it is analysed where it is a known number or text"
    )


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def class_method(run: Run, kind: Class, name: str, world: World) -> Function | None:
    """Return a method of a class of the file, or of one that it inherits from, with its defaults."""
    holder = holder_of(kind, name)
    if holder is None or holder.node is None:
        return None
    match _binding(holder.node, name):
        case [*_, ast.FunctionDef() as statement]:  # the last definition counts
            pass
        case _:
            return None
    paths = [run.module_path(one) for one in statement.decorator_list]
    if paths not in ([], ["builtins.staticmethod"], ["builtins.classmethod"], ["abc.abstractmethod"]):
        run.refuse(statement, "a decorated method is not analysed")
        return None
    method = run.hooks.define(run, statement, holder.frame, world)
    if isinstance(method, Function) and any(isinstance(each, Ref) for each in method.defaults.values()):
        run.refuse(statement, "a default value that can change is shared by all calls; that is not analysed in methods")
        return None
    return replace(method, kind=holder) if isinstance(method, Function) else None


def is_instance(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """Follow ``isinstance``."""
    value, kinds = values
    wanted = sequences.parts_of(run, node, kinds, world) if isinstance(kinds, Ref) else [kinds]
    paths = {each.path for each in wanted or [] if isinstance(each, Library)}
    kinds_of_file = [each for each in wanted or [] if isinstance(each, Class)]
    if any(each.sort in ("whole enum", "text enum") for each in kinds_of_file):
        return push(world, run.refuse(node, "whether a number is a member is not analysed"))
    if kinds_of_file and len(kinds_of_file) + len(paths) == len(wanted or []):
        own = world.heap[value.id].type if isinstance(value, Ref) and world.heap[value.id].sort == "record" else None
        if any(each in kinds_of_file for each in (own.lineage if own is not None else ())):
            return push(world, truth_of(True))
        if not paths and isinstance(value, Num | Ref) and (own is None or own.sort != "marked"):
            return push(world, truth_of(False))
    names = {
        "builtins.int": {"int", "bool"},
        "builtins.bool": {"bool"},
        "builtins.float": {"float"},
        "builtins.str": {"str"},
        **{f"builtins.{sort}": set[str]() for sort in ("list", "tuple", "dict", "set")},
    }
    if isinstance(value, Num) and paths and paths <= names.keys() and len(paths) == len(wanted or []):
        allowed = frozenset(kind for path in paths for kind in names[path])
        if value.of_numpy:
            return push(world, run.refuse(node, "'isinstance' of a number of numpy is not analysed"))
        if value.kinds <= allowed or not value.kinds & allowed:
            return push(world, truth_of(value.kinds <= allowed))
    if isinstance(value, Ref) and paths <= names.keys() and len(paths) + len(kinds_of_file) == len(wanted or []):
        found = world.heap[value.id]
        if found.sort == "record" and found.type is not None and found.type.sort in ("plain", "data"):
            return push(world, truth_of(False))
    if isinstance(value, Ref) and paths and world.heap[value.id].sort in ("list", "tuple", "dict", "set"):
        return push(world, truth_of(f"builtins.{world.heap[value.id].sort}" in paths))
    return push(world, run.refuse(node, "this 'isinstance' is not known before the run"))


def replaced(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """Follow ``dataclasses.replace``: another object, made of the same fields but for those that are given."""
    found = world.heap[values[0].id] if len(values) == 1 and isinstance(values[0], Ref) else None
    kind = None if found is None else found.type
    if (
        found is None
        or kind is None
        or kind.sort != "data"
        or kind.defines(("__init__",))
        or not isinstance(node, ast.Call)
    ):
        return push(world, run.refuse(node, "'replace' is analysed of objects of a dataclass"))
    before = {name: cell for name, cell in zip(found.keys, found.cells, strict=True) if name in kind.fields}
    given = {str(name): cell for name, cell in before.items()} | dict(named)
    return run.hooks.apply(run, node, kind, Given([], given), world)


def named_tuple(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """Return the record type that ``namedtuple`` makes."""
    name = constants.text_of(run, values[0]) if values else None
    fields: list[str] | None = None
    if len(values) == 2 and not named:
        text = constants.text_of(run, values[1])
        if text is not None:
            fields = text.replace(",", " ").split()
        elif isinstance(values[1], Ref):
            parts = [constants.text_of(run, part) for part in sequences.parts_of(run, node, values[1], world) or []]
            fields = [part for part in parts if part is not None]
    if name is None or fields is None:
        return push(world, run.refuse(node, "this named tuple is not analysed"))
    return push(world, Class(name, tuple(fields), {}, sort="tuple", is_frozen=True))
