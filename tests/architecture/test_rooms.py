"""The engine room can be seen whole: facts of measures and laws stand in their tables, no imports go in circles, files fit one idea."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import cast

import pytest

import seepage
from seepage.laws.table import DISCRETE_LAWS, NAMED_LAWS
from seepage.measures.planning import ways
from seepage.measures.planning.table import MEASURES

LIBRARY = Path(__file__).parents[2] / "analysis" / "seepage"

LONGEST, SCREEN = 500, 60  # lines of a file, and of a function
MOST_TESTS_OF_LAWS_IN_TEXTS = 12  # which may only become fewer


@cache
def modules() -> Mapping[str, ast.Module]:
    return {
        str(path.relative_to(LIBRARY)): ast.parse(path.read_text(encoding="utf-8")) for path in LIBRARY.rglob("*.py")
    }


def named(tree: ast.Module, names: frozenset[str]) -> int:
    """How many words of a set are compared with something, or matched."""
    found = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            parts: list[ast.AST] = [node.left, *node.comparators]
        elif isinstance(node, ast.match_case):
            parts = [node.pattern]
        else:
            continue
        words = (one for part in parts for one in ast.walk(part) if isinstance(one, ast.Constant))
        found += sum(isinstance(one.value, str) and one.value in names for one in words)
    return found


def told_apart(names: frozenset[str], *packages: str) -> Counter[str]:
    counts = {path: named(tree, names) for path, tree in modules().items() if path.startswith(packages)}
    return Counter({path: count for path, count in counts.items() if count})


def test_measures_are_told_apart_by_their_rows() -> None:
    counts = told_apart(frozenset(MEASURES), "measures/")

    assert counts == {}


def listed(tree: ast.Module, names: frozenset[str]) -> int:
    """How many sets, lists and tuples hold two words of a set or more: a column of the table by another name, unless functions are entered there.

    A ``Literal`` is no list: it says which words a tag may be, and a checker holds each use of it.
    """
    tags = {
        id(node.slice)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal"
    }
    displays = (node for node in ast.walk(tree) if isinstance(node, ast.Set | ast.Tuple | ast.List))
    return sum(
        sum(isinstance(one, ast.Constant) and one.value in names for one in node.elts) > 1
        for node in displays
        if id(node) not in tags
    )


def test_measures_are_not_listed_beside_their_rows() -> None:
    packages = ("measures/", "engines/", "semantics/", "syntax/")
    counts = {path: listed(tree, frozenset(MEASURES)) for path, tree in modules().items() if path.startswith(packages)}

    assert {path: count for path, count in counts.items() if count} == {}


def test_laws_are_told_apart_by_what_their_files_say() -> None:
    counts = told_apart(
        frozenset(NAMED_LAWS) | frozenset(DISCRETE_LAWS), "measures/", "engines/", "distributions/", "sampling/"
    )

    assert counts == {}


def test_laws_are_seldom_told_apart_where_texts_are_read() -> None:
    """What is left is of spelling: a standard deviation in the place of a variance, words that are lowered. Other tools' names of laws are theirs."""
    laws = frozenset(NAMED_LAWS) | frozenset(DISCRETE_LAWS)
    counts = told_apart(laws, "syntax/", "semantics/", "report/", "python/", "symbols/", "mechanisms/", "laws/")

    assert counts.total() <= MOST_TESTS_OF_LAWS_IN_TEXTS, counts.most_common(10)


def imported(tree: ast.Module, names: frozenset[str]) -> Iterator[str]:
    """Yield the modules that one imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for one in node.names:
                whole = f"{node.module}.{one.name}"
                yield whole if whole in names else node.module


def test_no_imports_go_in_circles() -> None:
    """Of single modules, also where they import for their types only; of packages beside each other the contracts say it."""
    by_name = {
        ".".join(("seepage", *Path(path).with_suffix("").parts)).removesuffix(".__init__"): tree
        for path, tree in modules().items()
        if path != "__init__.py"
    }
    names = frozenset(by_name)
    arrows = {
        module: {other for other in imported(tree, names) if other in names and other != module}
        for module, tree in by_name.items()
    }

    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as circle:
        pytest.fail(" -> ".join(circle.args[1]))


def test_files_are_short() -> None:
    lengths = {
        path: max((getattr(node, "end_lineno", 0) for node in tree.body), default=0) for path, tree in modules().items()
    }

    assert {path: lines for path, lines in lengths.items() if lines > LONGEST} == {}


def entrances() -> Iterator[tuple[str, object]]:
    """Yield what people call: the functions that the library exports, and the methods of the classes that it does."""
    for name in seepage.__all__:
        exported = getattr(seepage, name)
        if inspect.isfunction(exported):
            yield name, exported
        elif inspect.isclass(exported):
            for method, member in vars(exported).items():
                plain = getattr(member, "__func__", member)
                if inspect.isfunction(plain) and not method.startswith("_"):
                    yield f"{name}.{method}", plain


def test_entrances_say_what_their_arguments_are() -> None:
    unsaid = [
        name
        for name, function in entrances()
        if len(inspect.signature(cast("Callable[..., object]", function)).parameters) > 2
        and not {"Args:", "Arguments"} & set((function.__doc__ or "").split())
    ]

    assert unsaid == []


def doors() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions of measures and engines that other packages call."""
    callers: dict[tuple[str, str], set[str]] = {}
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                for one in node.names:
                    callers.setdefault((node.module, one.name), set()).add(path.partition("/")[0])
    for path, tree in modules().items():
        package, module = path.partition("/")[0], ".".join(("seepage", *Path(path).with_suffix("").parts))
        for node in tree.body if package in ("measures", "engines") else ():
            if isinstance(node, ast.FunctionDef) and callers.get((module, node.name), set()) - {package}:
                yield f"{path}: {node.name}", node


def test_doors_of_measures_and_engines_say_what_their_arguments_are() -> None:
    unsaid = [
        name
        for name, node in doors()
        if len(node.args.args) + len(node.args.kwonlyargs) > 2
        and not {"Args:", "Arguments"} & set((ast.get_docstring(node) or "").split())
    ]

    assert unsaid == []


def test_functions_fit_a_screen() -> None:
    long = [
        f"{path}: {node.name}"
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno >= SCREEN
    ]

    assert long == []


def test_each_engine_is_named_with_what_it_gives_a_user() -> None:
    """The engines are the packages beside the choice of one; the table of the docstring around them has one line of each."""
    told = ast.get_docstring(modules()["engines/__init__.py"]) or ""
    rows = re.findall(r"^``(\w+)`` +\S.{20,}$", told, re.MULTILINE)

    assert set(rows) == {each.parent.name for each in (LIBRARY / "engines").glob("*/__init__.py")}


def test_each_way_says_what_it_gives_a_user() -> None:
    named = {each.name: each.sentence for each in vars(ways).values() if isinstance(each, ways.Way)}

    assert {each.name for each in ways.WAYS} <= named.keys()
    assert [name for name, sentence in named.items() if len(sentence.split()) < 6] == []
    assert len(set(named.values())) == len(named)
