"""Which nodes stand in a scope itself, and which names they bind there."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence


def own_nodes(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of a scope without those of scopes inside of it: functions, classes, and comprehensions, whose targets are theirs."""
    for node in body:
        yield node
        yield from own_nodes(inner_nodes(node))


def inner_nodes(node: ast.AST) -> list[ast.AST]:
    """Return what a node is made of, as far as that stands in the same scope."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [*node.decorator_list, *_defaults(node.args)]
        case ast.ClassDef():
            return [*node.decorator_list, *node.bases, *node.keywords]
        case ast.Lambda(args=arguments):
            return _defaults(arguments)
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
            return [one.target for one in ast.walk(node) if isinstance(one, ast.NamedExpr)]
        case _:
            return list(ast.iter_child_nodes(node))


def _defaults(arguments: ast.arguments) -> list[ast.AST]:
    return [*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)]


def names_bound_by(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself binds, or takes their values from."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case (
            ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name)
        ):
            yield name
        case ast.MatchMapping(rest=str() as name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (one.asname or one.name.partition(".")[0] for one in names)
        case _:
            pass


def run_at_import(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of statements that run when they do: without the bodies of functions that they define, those that are handed on apart."""
    for node in body:
        yield node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from run_at_import(inner_nodes(node))
            case ast.AnnAssign(target=target, value=value):
                yield from run_at_import([target] if value is None else [target, value])
            case ast.Assign(targets=targets, value=ast.Lambda(args=arguments)):
                yield from run_at_import([*targets, *_defaults(arguments)])
            case _:
                yield from run_at_import(list(ast.iter_child_nodes(node)))
