"""Rules on Python functions: SEEP7xx."""

from __future__ import annotations

from seepage.diagnostics import Severity
from seepage.rules.registry import rule

PYTHON_NOT_ANALYSED = rule(
    "SEEP701",
    "python-not-analysed",
    Severity.ERROR,
    "a Python function uses something that is not analysed",
    "A marked Python function is read, not run, and every statement in it must have a meaning that is known for certain: a number for "
    "a function that was understood in part would be worse than none. What is outside of that is told, all of it at once, and "
    "[the guide](python.md) says what is inside."
    "\n\nWhat to do: write it in another way, or mark a function that does not use it.",
)
PYTHON_MARK = rule(
    "SEEP702",
    "python-mark",
    Severity.ERROR,
    "the mark of a Python function is wrong",
    "A mark says where the arguments of a function come from: each is secret with a law, fixed, a parameter, or has a default; and what is "
    "seen. Its keys are `secret`, `fixed`, `param`, `output`, `show`, `require`, `raises` and `assertions`, its values literals."
    "\n\nWhat to do: the message says which key or argument it is; [the guide](python.md) has all of them.",
)
PYTHON_UNREADABLE = rule(
    "SEEP703",
    "python-unreadable",
    Severity.ERROR,
    "a Python file cannot be parsed",
    "The file is no Python, is of a newer Python than the one that runs Seepage, or is nested too deep."
    "\n\nWhat to do: mend it, or run Seepage with a newer Python.",
)
PYTHON_FLOATS_DISAGREE = rule(
    "SEEP704",
    "python-floats-disagree",
    Severity.ERROR,
    "a comparison comes out otherwise in floats",
    "Floats are analysed as the real numbers that they stand for. Where a comparison of known numbers has another outcome in Python, as "
    "`0.1 + 0.2 == 0.3`, the program analysed would be another one than that which runs."
    "\n\nWhat to do: compare with a tolerance, or use integers.",
)
PYTHON_SEED = rule(
    "SEEP705",
    "python-constant-seed",
    Severity.WARNING,
    "a generator of random numbers has a constant seed",
    "With a constant seed every run draws the same numbers, and who knows the seed knows them. The numbers shown hold for a seed that nobody "
    "knows."
    "\n\nWhat to do: leave the seed out where the function is used.",
)
PYTHON_IDEAL_LAW = rule(
    "SEEP706",
    "python-ideal-law",
    Severity.INFORMATION,
    "a mechanism of a library is analysed as the law that it approximates",
    "Libraries of mechanisms draw numbers that a computer can hold: floats, multiples of a power of two, integers of a fixed size. The numbers shown "
    "are those of the law that the library documents. The differences are far below the numbers shown, but can matter to an attacker who reads "
    "every bit of a float."
    "\n\nWhat to do: nothing, or round what is released.",
)
PYTHON_ALWAYS_RAISES = rule(
    "SEEP707",
    "python-always-raises",
    Severity.WARNING,
    "no run of a Python function returns",
    "Every run of the function ends in an exception, which is what its caller sees. The numbers are those of such a function, and they are small since "
    "it does nothing else."
    "\n\nWhat to do: mend the call that fails; if the function should raise, there is nothing to do.",
)
