"""Ends the server when the editor that started it is gone."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable

_POLL_SECONDS = 2.0


def watch_parent(process_id: int | None, finish: Callable[[int], None]) -> None:
    """Call ``finish`` with exit code 1 once a process has ended.

    A number that names no process is ignored: the editor may count processes apart from the server (a container), and the end of
    standard input tells as well. Windows, where asking for a process can end it, relies on that alone.
    """
    if process_id is None or process_id <= 0 or sys.platform == "win32" or not _is_alive(process_id):
        return
    loop = asyncio.get_running_loop()
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            descriptor = os.pidfd_open(process_id)
            loop.add_reader(descriptor, finish, 1)
            return

    def poll() -> None:
        if _is_alive(process_id):
            loop.call_later(_POLL_SECONDS, poll)
        else:
            finish(1)

    loop.call_later(_POLL_SECONDS, poll)


def _is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
