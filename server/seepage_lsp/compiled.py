"""Loads the types of the protocol with what was compiled for them at an earlier start, and without what only long-lived or printed values need.

Each of these 550 classes has methods that attrs writes as text and compiles while the module is loaded: a third of all that the server does until
it answers ``initialize``. Python keeps what it compiles of modules, but not this. So it is kept here, by its text, in the same folder, with the
same trust, and where Python may keep nothing this does not either.

Slots, for which attrs makes each class a second time, and texts for printing are left out: together another quarter. Messages live for
milliseconds, and none is printed.
"""

from __future__ import annotations

import importlib
import marshal
import os
import sys
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType
from typing import Any, TypeAlias

TYPES = "lsprotocol.types"
_MAKER = "attr._make"  # no part of what attrs promises: without it, all is compiled
_Codes: TypeAlias = dict[bytes, CodeType]


def load_types(file: Path | None = None) -> None:
    """Import the types of the protocol, unless they are there.

    Args:
        file: where compiled code is kept; beside this module's own by default.
    """
    if TYPES in sys.modules:
        return
    kept = file or Path(cache_from_source(__file__)).with_suffix(".types")
    known, used = _read(kept), _Codes()

    def compiled(*what: Any) -> CodeType:
        """Do what ``compile`` does: in this module attrs finds it in the place of Python's own."""
        key = blake2b(repr(what).encode("utf-8", "surrogatepass")).digest()
        used[key] = known[key] if key in known else compile(*what)
        return used[key]

    attrs = vars(importlib.import_module("attrs"))
    define = attrs["define"]
    names = vars(sys.modules[_MAKER]) if _MAKER in sys.modules else {}
    names["compile"], attrs["define"] = compiled, partial(define, slots=False, repr=False)
    try:
        importlib.import_module(TYPES)
    finally:
        attrs["define"] = define
        del names["compile"]
    if used.keys() != known.keys() and not sys.dont_write_bytecode:
        _write(kept, used)


def _read(file: Path) -> _Codes:
    """Return what is kept, if it is whole and of this version of Python."""
    try:
        data = file.read_bytes()
    except OSError:
        return {}
    body = data[len(MAGIC_NUMBER) + blake2b.MAX_DIGEST_SIZE :]
    return marshal.loads(body) if data == _sealed(body) else {}


def _write(file: Path, codes: _Codes) -> None:
    """Keep compiled code, whole or not at all; a folder that cannot be written has none."""
    beside = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(exist_ok=True)
        beside.write_bytes(_sealed(marshal.dumps(codes)))
        beside.replace(file)
    except OSError:
        with suppress(OSError):
            beside.unlink()


def _sealed(body: bytes) -> bytes:
    return MAGIC_NUMBER + blake2b(body).digest() + body
