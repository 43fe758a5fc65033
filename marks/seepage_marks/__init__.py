"""Marks for Seepage, which reads them from the source; at run time they do nothing.

from seepage_marks import leakage

@leakage(secret={"answer": "bernoulli(1/2)"})
def respond(answer): ...
"""

__all__ = ["leakage"]


def leakage(  # the keys of a mark, so that editors know them
    *, secret=None, fixed=None, param=None, output=(), show=(), require=(), raises="output", assertions="output"
):
    """Mark a function; the function itself comes back.

    Args:
        secret: laws of arguments by name: ``{"pin": "[3] uniform_int(0, 9)"}``.
        fixed: values of arguments by name.
        param: values of arguments that stay symbolic, as ``"1 in [0, 10]"``.
        output: what is seen; the result, if nothing is named.
        show: measures to tell.
        require: budgets, as ``"I(pin; result) <= 0.1"``.
        raises: ``"observe"`` leaves out the runs that raise.
        assertions: ``"observe"`` leaves out the runs that fail to assert.
    """
    return _same


def _same(function):
    """Return a function as it is."""
    return function
