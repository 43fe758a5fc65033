"""The Leakage panel in notebooks: ``from seepage_lsp.notebook import panel``, then ``panel(program)`` (the extra ``notebook``).

``widget.py`` is the widget, whose page is that of every editor (``vscode-extension/panel``); ``kernel.py`` the language server that answers it, in a
process of its own: a kernel that computes something else keeps no slider waiting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seepage.frames import needed
from seepage.functions import FunctionProgram
from seepage.program import Program, parse

if TYPE_CHECKING:
    from seepage_lsp.notebook.widget import LeakagePanel


def panel(program: Program | str) -> LeakagePanel:
    """Return the Leakage panel of a program, to be shown at the end of a cell: numbers, formulas and plots that follow sliders.

    Args:
        program: as :func:`seepage.load` gives it, or its text.

    Raises:
        ImportError: if anywidget is not installed; the message says what to install.
        ValueError: for a Python function, whose program is another text.
        FileNotFoundError: if this copy of Seepage was installed without its page; the message says what to do.
    """
    needed("anywidget", "notebook")
    from seepage_lsp.notebook.widget import LeakagePanel

    if isinstance(program, FunctionProgram):
        raise ValueError(
            "found a Python function, expected a program: 'seepage translate' writes its program, which has a panel"
        )
    return LeakagePanel(parse(program) if isinstance(program, str) else program)
