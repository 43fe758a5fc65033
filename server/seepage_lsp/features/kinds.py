"""The kinds of code actions, as ``initialize`` tells them."""

from __future__ import annotations

QUICK_FIX = "quickfix"
ADD = "refactor.add"
EXTRACT = "refactor.extract"
FIX_ALL = "source.fixAll.seepage"
ORGANIZE = "source.organizeDeclarations"
KINDS = (QUICK_FIX, ADD, EXTRACT, FIX_ALL, ORGANIZE)
