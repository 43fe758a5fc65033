"""The grammar as a shared library, and what it makes of a text."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.editors.installed import REPOSITORY, Missing, compiler
from tree_sitter import Language, Node, Parser

GRAMMAR = REPOSITORY / "editors" / "tree-sitter-seep"
QUERIES = GRAMMAR / "queries" / "seep"


def node() -> str:
    """Return the path of Node, or raise :class:`Missing`."""
    found = shutil.which("node")
    if found is None:
        raise Missing("there is no node on PATH, which reads the grammar for tree-sitter")
    return found


def library(folder: Path) -> Path:
    """Compile the grammar into a folder, strictly, and return the shared library."""
    made = folder / "seep.so"
    sources = [str(GRAMMAR / "src" / name) for name in ("parser.c", "scanner.c")]
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", str(GRAMMAR / "src")]
    done = subprocess.run([compiler(), *flags, *sources, "-o", str(made)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"the grammar does not compile:\n{done.stderr[-3000:]}")
    return made


def language(made: Path) -> Language:
    """Load a library that was compiled."""
    function = ctypes.CDLL(str(made)).tree_sitter_seep
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return Language(capsule(function(), b"tree_sitter.Language", None))


def root(parser: Parser, text: str) -> Node:
    """Parse a text."""
    return parser.parse(text.encode()).root_node


def leaves(node: Node) -> Iterator[Node]:
    """Yield the nodes without children, in the order of the text."""
    stack = [node]
    while stack:
        one = stack.pop()
        if one.child_count:
            stack.extend(reversed(one.children))
        else:
            yield one
