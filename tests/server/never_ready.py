"""A module that takes for ever to import: a process that works with it is never ready."""

from __future__ import annotations

import time

time.sleep(3600)
