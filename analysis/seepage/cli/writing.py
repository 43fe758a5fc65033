"""Writing a user's file so that it is whole at any time: as it was before, or as it is meant to be.

The new content is written into a file beside, brought to the disk, and put in the place of the old one. Mode, owner, attributes and symbolic
links stay. Where a file beside would break something (another hard link, an owner that cannot be given, a folder that takes no files), the
content goes into the file itself: its room is reserved before anything is overwritten, and what was there comes back if that fails.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import sys
from contextlib import suppress
from pathlib import Path


def replace_content(path: Path, data: bytes) -> None:
    """Write a file, or make it.

    Raises:
        OSError: it cannot be written; then it is as before.
    """
    try:
        known = path.stat()
    except FileNotFoundError:
        _write_beside(path.resolve(), data, None)
        return
    if not stat.S_ISREG(known.st_mode):  # a pipe, a terminal: nothing is there that could be lost
        with path.open("wb") as file:
            file.write(data)
        return
    target = path.resolve()
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if known.st_nlink > 1 or not os.access(target.parent, os.W_OK | os.X_OK):
        _write_inside(target, data)
        return
    try:
        _write_beside(target, data, known)
    except _OwnerLost:
        _write_inside(target, data)


class _OwnerLost(Exception):
    """A file beside cannot be given to the owner of the file in whose place it is to be put."""


def _write_beside(target: Path, data: bytes, known: os.stat_result | None) -> None:
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if known is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            if known is not None:
                _give(beside, known)
                shutil.copystat(target, beside)
            _write_all(file.fileno(), data)
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    _settle(target.parent)


def _give(beside: Path, known: os.stat_result) -> None:
    if sys.platform == "win32":
        return
    made = beside.stat()
    if (made.st_uid, made.st_gid) == (known.st_uid, known.st_gid):
        return
    try:
        os.chown(beside, known.st_uid, known.st_gid)
    except PermissionError:
        raise _OwnerLost from None


def _settle(folder: Path) -> None:
    """Bring the new name to the disk, too; some systems open no folders, and the content is safe without."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _write_inside(target: Path, data: bytes) -> None:
    with target.open("r+b", buffering=0) as file:
        before = file.read()
        try:
            _reserve(file.fileno(), len(data))
            os.lseek(file.fileno(), 0, os.SEEK_SET)
            _write_all(file.fileno(), data)
            file.truncate(len(data))
            os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):
                os.lseek(file.fileno(), 0, os.SEEK_SET)
                _write_all(file.fileno(), before)
            with suppress(OSError):
                file.truncate(len(before))
            raise


def _reserve(descriptor: int, size: int) -> None:
    if not size or not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):  # of a disk that cannot reserve room, which may have it
            raise


def _write_all(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
    os.fsync(descriptor)
