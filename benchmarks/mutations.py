"""Change the planner and the meeting of claims in small ways, and see whether the tests beside them notice: ``python -m benchmarks.mutations``.

Each mutant is the library with one comparison, condition, constant, operand or statement changed. One that no test notices is printed with
its place: either a test is missing, or what was changed does not matter and may go.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

import seepage

ROOT = Path(__file__).parents[1]
TARGETS = ("measures/planning/claim.py", "measures/planning/planner.py")
TESTS = ("tests/measures/planning/test_claims.py", "tests/measures/planning/test_planner.py")
LIMIT = 600  # seconds for the tests of one mutant
_FORKS = multiprocessing.get_context("fork")  # with the library loaded already

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_NAMES = {"max": "min", "min": "max", "lower": "upper", "upper": "lower", "any": "all", "all": "any"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: in which file, at which line, how, and the text that it gives."""

    path: str
    line: int
    what: str
    text: str


def mutants(path: str) -> Iterator[Mutant]:
    """Yield every change of one file of the library."""
    tree = ast.parse(_text(path))
    for number, node in enumerate(ast.walk(tree)):
        for what in _changes(node):
            changed = copy.deepcopy(tree)
            target = next(each for place, each in enumerate(ast.walk(changed)) if place == number)
            _change(target, what)
            yield Mutant(path, getattr(node, "lineno", 0), what, ast.unparse(ast.fix_missing_locations(changed)))


def _text(path: str) -> str:
    return (Path(seepage.__file__).parent / path).read_text(encoding="utf-8")


def _changes(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _OPPOSITE:
            yield "compare otherwise"
        case ast.BoolOp():
            yield "and for or"
        case ast.UnaryOp(op=ast.Not()):
            yield "no not"
        case ast.If() | ast.IfExp():
            yield "the other branch"
        case ast.Attribute(attr=name) if name in _NAMES:
            yield "the other end"
        case ast.Name(id=name) if name in _NAMES:
            yield "the other quantifier"
        case ast.Return(value=ast.Constant(value=bool())):
            yield "the other truth"
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool) and value:
            yield "no number"
        case ast.BinOp(op=ast.Sub()):
            yield "add"
        case ast.Expr(value=ast.Call()):
            yield "no statement"
        case _:
            pass


def _change(node: ast.AST, what: str) -> None:
    match node:
        case ast.Compare():
            node.ops = [_OPPOSITE[type(node.ops[0])]()]
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.UnaryOp():
            node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
        case ast.If() | ast.IfExp():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.Attribute():
            node.attr = _NAMES[node.attr]
        case ast.Name():
            node.id = _NAMES[node.id]
        case ast.Return(value=ast.Constant() as constant):
            constant.value = not constant.value
        case ast.Constant():
            node.value = 0
        case ast.BinOp():
            node.op = ast.Add()
        case ast.Expr():
            node.value = ast.Constant(None)
        case _:
            raise AssertionError(what)


def noticed(mutant: Mutant, tests: Sequence[str]) -> bool:
    """Tell whether some test fails, or does not end, in a process in which the library is a mutant."""
    process = _FORKS.Process(target=_tested, args=(mutant, tests))
    process.start()
    process.join(LIMIT)
    if process.is_alive():
        process.kill()
        process.join()
    return process.exitcode != 0


def _tested(mutant: Mutant, tests: Sequence[str]) -> None:
    """Run tests with a mutant in the place of its module, and leave with what they say."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    for path in TARGETS[TARGETS.index(mutant.path) :]:  # those behind it import from it
        text = mutant.text if path == mutant.path else _text(path)
        _replaced(importlib.import_module(f"seepage.{path.removesuffix('.py').replace('/', '.')}"), text)
    sys.exit(int(pytest.main(["-q", "-x", "-n", "0", "-p", "no:cacheprovider", *(str(ROOT / each) for each in tests)])))


def _replaced(module: ModuleType, text: str) -> None:
    """Run the text of a module anew, and give what it defines to all who have imported it."""
    before = dict(vars(module))
    exec(compile(text, str(module.__file__), "exec"), vars(module))
    new = {id(old): vars(module)[name] for name, old in before.items() if callable(old) and not name.startswith("__")}
    for other in [each for name, each in sys.modules.items() if name.startswith("seepage")]:
        for name, value in list(vars(other).items()):
            if id(value) in new:
                setattr(other, name, new[id(value)])


def main(arguments: Sequence[str]) -> int:
    """Return how many mutants no test notices."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutations", description=__doc__)
    parser.add_argument("--most", type=int, default=50, help="how many mutants are tried, spread over the files")
    parser.add_argument("--first", type=int, default=0, help="from which of them on")
    options = parser.parse_args(arguments)
    every = [mutant for path in TARGETS for mutant in mutants(path)]
    step = max(1.0, len(every) / options.most)
    chosen = [every[int(step * number)] for number in range(min(options.most, len(every)))][options.first :]
    unchanged = Mutant(TARGETS[0], 0, "nothing", _text(TARGETS[0]))
    if noticed(unchanged, TESTS):
        raise SystemExit("the tests fail without any change")
    left = 0
    for mutant in chosen:
        seen = noticed(mutant, TESTS)
        left += not seen
        print(f"{'noticed' if seen else 'LEFT   '} {mutant.path}:{mutant.line}: {mutant.what}", flush=True)
    print(f"{len(chosen)} of {len(every)} mutants, {left} left")
    return left


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
