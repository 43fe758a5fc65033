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

UNKNOWN_IN_MEASURE = _rule(
    "SEEP501",
    "unknown-name-in-measure",
    _ERROR,
    "a measure speaks of a name that no statement assigns",
    "Measures speak of the values that variables have when the program ends. A loop variable has none after its loop, and an array "
    "element exists only if some statement writes it. Check the spelling, or assign the variable.",
    "x ~ bernoulli(1/2)\nshow H(y)",
)
MIXED_CONDITION = _rule(
    "SEEP502",
    "mixed-condition",
    _ERROR,
    "what follows '|' is neither a list of variables nor one event",
    "After `|`, a list of plain variables or elements conditions on the variables; anything else is a single event. Join several events by `and`. "
    "A list of both has no agreed meaning.",
    "x ~ bernoulli(1/2)\no := x\nshow H(x | o, x == 1)",
)
IMPOSSIBLE_EVENT = _rule(
    "SEEP504",
    "impossible-event",
    _ERROR,
    "a measure conditions on an event that never happens",
    "No run of the program makes the event true (and it has no density either), so there is no posterior to measure. Correct the event.",
    "x ~ bernoulli(1/2)\nshow H(x | x == 9)",
)
PARAMETER_WITHOUT_VALUE = _rule(
    "SEEP505",
    "parameter-without-value",
    _ERROR,
    "a measure needs the value of a parameter that has none",
    "Numbers are computed at the parameters' defaults. Give the parameter a default (`param p = 1/2`) or a value on the command line "
    "(`--set p=1/2`).",
    "param p in [0, 1]\nx ~ bernoulli(p)\nshow H(x)",
)
PARAMETER_OUTSIDE_DOMAIN = _rule(
    "SEEP506",
    "parameter-outside-domain",
    _ERROR,
    "the given value of a parameter is outside its domain",
    "The domain in the parameter's declaration says for which values the program is meant. Give a value inside it, or widen the domain.",
)
MALFORMED_MEASURE = _rule(
    "SEEP507",
    "malformed-measure",
    _ERROR,
    "a measure does not have the shape it needs",
    "`H(x, y | z)`, `I(x; y | z)`, `KL(x || y)`, `P(event | event)` and `E(expression | event)` are the shapes of this version; the sides of "
    "`KL` need the same number of variables, and the argument of `P` must be a condition.",
    "x ~ bernoulli(1/2)\nshow I(x)",
)
UNITS_DO_NOT_FIT = _rule(
    "SEEP508",
    "units-do-not-fit",
    _ERROR,
    "measures are combined, or compared, in units that do not fit",
    "`H`, `I` and `KL` have a unit (bits or nats), `P` and `E` have none. Sums need the same unit on both sides, and a result is "
    "either in one unit or in none.",
    "x ~ bernoulli(1/2)\nshow H(x) + P(x)",
)
UNDEFINED_MEASURE = _rule(
    "SEEP509",
    "undefined-measure",
    _ERROR,
    "arithmetic of measures has no value",
    "A division by a measure that is (or may be) 0, or a difference of infinities, has no value. Show the measures on their own.",
    "x := 1\nshow H(x) / H(x)",
)
BUDGET_VIOLATED = _rule(
    "SEEP510",
    "leak-budget-violated",
    _ERROR,
    "a required leak budget does not hold",
    "The measure's guaranteed bounds are on the wrong side of the budget. Leak less (more noise, a coarser output), or allow more.",
    "secret s\noutput o\ns ~ bernoulli(1/2)\no := s\nrequire I(s; o) <= 0.5 bits",
)
BUDGET_UNDECIDED = _rule(
    "SEEP511",
    "leak-budget-undecided",
    _WARNING,
    "a required leak budget is neither proved nor refuted",
    "The budget lies between the measure's guaranteed bounds, or the bounds are missing. An undecided budget counts as a failure in "
    "`seepage check`. Choose a budget with some room, or a program inside the exact fragment.",
)
COMPLETE_LEAK = _rule(
    "SEEP512",
    "complete-leak",
    _WARNING,
    "an output reveals a continuous secret completely",
    "The mutual information is infinite: the output determines some function of the continuous secret exactly, to every digit. Add noise, or round "
    "before the release.",
    "secret x\noutput y\nx ~ normal(0, 1)\ny := 2 * x\nshow I(x; y)",
)
TIME_LIMIT = _rule(
    "SEEP513",
    "time-limit-reached",
    _ERROR,
    "the time limit was reached before this was computed",
    "Other results stay. Raise the limit, ask for less (single variables instead of whole arrays), or make the program smaller.",
)


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
