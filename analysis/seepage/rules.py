"""The registry of rules: one constant per kind of finding, in the order of their codes.

SEEP0xx text and syntax · SEEP1xx names and declarations · SEEP2xx kinds and static values · SEEP3xx exactness ·
SEEP4xx values met while running · SEEP5xx measures and budgets · SEEP9xx limits and what is not supported yet.
Codes are stable and never reused. ``docs/diagnostics.md`` is generated from here.
"""

from __future__ import annotations

from seepage.diagnostics import Rule, Severity

RULES: dict[str, Rule] = {}


def _rule(code: str, name: str, severity: Severity, summary: str, explanation: str, example: str = "") -> Rule:
    if code in RULES:
        raise ValueError(f"{code} is used twice: {RULES[code].name}, {name}")
    rule = Rule(code, name, severity, summary, explanation, example)
    RULES[code] = rule
    return rule


_ERROR, _WARNING, _INFORMATION = Severity.ERROR, Severity.WARNING, Severity.INFORMATION

# --- SEEP0xx text and syntax ------------------------------------------------------------------------------------------

# --- SEEP1xx names and declarations -----------------------------------------------------------------------------------

# --- SEEP2xx kinds and static values ----------------------------------------------------------------------------------

# --- SEEP3xx exactness ------------------------------------------------------------------------------------------------

# --- SEEP4xx values met while running ---------------------------------------------------------------------------------

UNDEFINED_VALUE = _rule(
    "SEEP401",
    "undefined-value",
    _ERROR,
    "an expression has no value in a reachable state",
    "Division by zero, the logarithm of zero or of a negative number, and the square root of a negative number have no value. "
    "The message names a state that some run reaches (a witness). Guard the expression by a branch, by an `observe` "
    "before it, or by a conditional expression.",
    "y ~ uniform_int(0, 1)\nz := 1 / y",
)
CANNOT_DECIDE = _rule(
    "SEEP402",
    "cannot-decide",
    _ERROR,
    "two irrational values are too close to compare",
    "Comparisons of values with `exp`, `log` or `sqrt` are decided by simplification or by ball arithmetic. Here neither decides, "
    "and a guess could make every number wrong. Rewrite the comparison, for instance without the function.",
)
NUMBER_TOO_LARGE = _rule(
    "SEEP403",
    "number-too-large",
    _ERROR,
    "a number has too many digits",
    "Exact arithmetic has a budget on the size of numbers (about 20,000 bits), so that `10^10^10` is an error and not a hang.",
    "const n = 10^10^10",
)

NOT_A_PROBABILITY = _rule(
    "SEEP420",
    "not-a-probability",
    _ERROR,
    "a probability is outside [0, 1] in a reachable state",
    "The message names the value and a state that some run reaches (a witness). Make sure that the expression lies between 0 and 1 for "
    "every value its variables can have, or rule the others out by an `observe` before it.",
    "x ~ uniform_int(1, 4)\ny ~ bernoulli(x / 3)",
)

NOT_BOOLEAN = _rule(
    "SEEP404",
    "not-boolean",
    _ERROR,
    "a condition can be a number other than 0 and 1",
    "Booleans are the numbers 0 and 1. A condition, and an operand of `and`, `or`, `xor`, `not` and `!`, must be one of them in "
    "every state that some run reaches. Compare the number with something: `n != 0`.",
    "n ~ uniform_int(0, 2)\nif n { x := 1 }",
)
INDEX_OUT_OF_RANGE = _rule(
    "SEEP405",
    "index-out-of-range",
    _ERROR,
    "a random index picks an element that does not exist",
    "An array element exists if a statement with a static index writes it somewhere in the unrolled program. The message names the value of the "
    "index and the elements that exist. Narrow the index, or write the element first.",
    "a[1] := 0\nk ~ uniform_int(1, 2)\nx := a[k]",
)

# --- SEEP5xx measures and budgets -------------------------------------------------------------------------------------

# --- SEEP9xx limits and what is not supported yet ---------------------------------------------------------------------

NOT_SUPPORTED = _rule(
    "SEEP901",
    "not-supported-yet",
    _ERROR,
    "this version has no engine for it yet",
    "The construct belongs to the language, but no engine of this version computes it. Nothing is guessed: what depends on it has no "
    "number.",
)
BUDGET_EXCEEDED = _rule(
    "SEEP902",
    "budget-exceeded",
    _ERROR,
    "the analysis grew past its limit",
    "The number of states, components, statements or seconds reached its limit at this statement. Other results stay. What helps: a smaller "
    "range, an output with fewer values, asking for single variables instead of whole arrays, or a higher limit.",
)
