"""Rules on measures and budgets: SEEP5xx."""

from __future__ import annotations

from seepage.diagnostics import Severity
from seepage.rules.registry import rule

UNKNOWN_IN_MEASURE = rule(
    "SEEP501",
    "unknown-name-in-measure",
    Severity.ERROR,
    "a measure speaks of a name that no statement assigns",
    "Measures speak of the values that variables have when the program ends. A loop variable has none after its "
    "loop, and an array element exists only if some statement writes it."
    "\n\nWhat to do: check the spelling, or assign the variable.",
    "x ~ bernoulli(1/2)\nshow H(y)",
)
IMPOSSIBLE_EVENT = rule(
    "SEEP504",
    "impossible-event",
    Severity.ERROR,
    "a measure conditions on an event that never happens",
    "No run of the program makes the event true (and it has no density either), so that there is nothing to "
    "measure."
    "\n\nWhat to do: correct the event.",
    "x ~ bernoulli(1/2)\nshow H(x | x == 9)",
)
PARAMETER_WITHOUT_VALUE = rule(
    "SEEP505",
    "parameter-without-value",
    Severity.ERROR,
    "a measure needs the value of a parameter that has none",
    "Numbers are computed at the defaults of the parameters, and this one has none."
    "\n\nWhat to do: give it a default (`param p = 1/2`) or a value on the command line (`--set p=1/2`).",
    "param p in [0, 1]\nx ~ bernoulli(p)\nshow H(x)",
)
PARAMETER_OUTSIDE_DOMAIN = rule(
    "SEEP506",
    "parameter-outside-domain",
    Severity.ERROR,
    "the given value of a parameter is outside its domain",
    "The domain in the declaration of a parameter says for which values the program is meant. This comes up where a "
    "value is given from outside, by `--set`, by a setting of the editor or in Python."
    "\n\nWhat to do: give a value inside of the domain, or widen it.",
)
UNFIT_MEASURE = rule(
    "SEEP507",
    "unfit-measure",
    Severity.ERROR,
    "a measure is applied to what it does not fit",
    "`H` and `I` take variables, the two sides of `KL` equally many, `P` a condition, and powers of measures whole "
    "exponents up to 64; constants and parameters are no variables. Measures of guessing (`V`, `Hmin`, `Guess`, `Lmin`, `G`) take "
    "a discrete secret, and `G` a gain that is known: `guess`, `tries(k)`, `distance` of one number, or a table."
    "\n\nWhat to do: do what the message says; an expression can be assigned to a variable in the program.",
    "x ~ uniform_int(0, 3)\nshow P(x)",
)
UNITS_DO_NOT_FIT = rule(
    "SEEP508",
    "units-do-not-fit",
    Severity.ERROR,
    "measures are combined, or compared, in units that do not fit",
    "`H`, `I` and `KL` have a unit (bits or nats), `P`, `E` and `Var` have none. Sums need one unit on both sides, "
    "and a result is in one unit or in none."
    "\n\nWhat to do: show the measures on their own, or divide measures of the same unit by each other.",
    "x ~ bernoulli(1/2)\nshow H(x) + P(x)",
)
UNDEFINED_MEASURE = rule(
    "SEEP509",
    "undefined-measure",
    Severity.ERROR,
    "arithmetic of measures has no value",
    "A division by a measure that is (or may be) 0, or a difference of infinities, has no value; nor have `Lmin` and `G` where "
    "nothing can be gained before anything is seen."
    "\n\nWhat to do: show the measures on their own.",
    "x := 1\nshow H(x) / H(x)",
)
BUDGET_VIOLATED = rule(
    "SEEP510",
    "leak-budget-violated",
    Severity.ERROR,
    "a required leak budget does not hold",
    "The guaranteed bounds of the measure lie on the wrong side of the budget, so it is certain that it does not "
    "hold."
    "\n\nWhat to do: leak less (more noise, a coarser output), or allow more.",
    "secret s\noutput o\ns ~ bernoulli(1/2)\no := s\nrequire I(s; o) <= 0.5 bits",
)
BUDGET_UNDECIDED = rule(
    "SEEP511",
    "leak-budget-undecided",
    Severity.WARNING,
    "a required leak budget is neither proved nor refuted",
    "The budget lies between the guaranteed bounds of the measure, the number is only approximate, or there is "
    "none. An undecided budget counts as a failure in `seepage check`."
    "\n\nWhat to do: choose a budget with some room, or keep the program within what is computed exactly (see "
    "SEEP3xx). For ranges behind `over` the message says which part of them is left: narrow the ranges, give the budget "
    "some room, or allow more time.",
    "x ~ normal(0, 1)\ny ~ normal(0, 1)\nz := abs(x * y)\nrequire I(x; z) <= 1/10",
)
COMPLETE_LEAK = rule(
    "SEEP512",
    "complete-leak",
    Severity.WARNING,
    "what an output tells of a continuous secret is infinite",
    "The mutual information is infinite. That is so where the output is the continuous secret, or determines a function of it "
    "to every digit, with some probability: `max(s, n)` is s on some runs only, and its information is infinite all the same."
    "\n\nWhat to do: add noise, or release a coarser value.",
    "secret x\noutput y\nx ~ normal(0, 1)\ny := 2 * x\nshow I(x; y)",
)
TIME_LIMIT = rule(
    "SEEP513",
    "time-limit-reached",
    Severity.ERROR,
    "the time limit was reached before this was computed",
    "An analysis takes as long as it is given, which is 30 seconds unless you say otherwise. Results that were "
    "there before stay."
    "\n\nWhat to do: raise the limit, ask for less (single variables instead of whole arrays), or make the program "
    "smaller.",
)
READING_OF_CONDITION = rule(
    "SEEP514",
    "reading-of-condition",
    Severity.HINT,
    "a condition that could be read in two ways",
    "Behind `|` in `H`, `I`, `V`, `Hmin` and `Guess` a plain variable means *given the variable*: an average over its "
    "values. In parentheses it is an event: only the runs in which it is 1. Where the variable is boolean, both have a "
    "meaning, so the hint says which one was taken. The formatter keeps such parentheses."
    "\n\nWhat to do: nothing, if that is meant; else add the parentheses, or remove them.",
    "x ~ uniform_int(1, 6)\nb := x > 3\nshow H(x | b)",
)
NO_DIRECTION = rule(
    "SEEP515",
    "no-direction",
    Severity.ERROR,
    "measures are combined of which the attacker wants neither the largest nor the least",
    "What attackers choose is chosen for the largest leak, or the least uncertainty, where a measure has such a direction. A sum, difference, "
    "product or quotient in which more than one part depends on a choice has none: it is taken for each strategy as a whole."
    "\n\nWhat to do: write `max` or `min` before it.",
    "secret s\noutput o\ns ~ uniform_int(0, 3)\nattacker g in 0..3\no := g >= s\nshow V(s | o) - P(o == 1)",
)
ONLY_BOUNDS = rule(
    "SEEP516",
    "only-bounds-over-strategies",
    Severity.INFORMATION,
    "only bounds are known of what the best strategy reaches",
    "Where the measure does not name all that the choices of an attacker saw, strategies are tried one after the other. Where there are too many, "
    "where answers have infinitely many values, as behind noise, or where the search reaches a limit, "
    "the best one that was found bounds the number on one side, and an attacker who is told more, or the number of values, on the other."
    "\n\nWhat to do: name all outputs in the measure, let the attacker choose from fewer values, or fewer times.",
    "secret s\noutput a, b\ns ~ uniform_int(0, 9)\nfor i in 1..4 {\n  attacker q[i] in 0..9\n  a[i] := s <= q[i]\n}\nb := s == q[4]\nshow I(s; b)",
)
LEAK_GREW = rule(
    "SEEP590",
    "leak-grew",
    Severity.ERROR,
    "a leak is new, or larger than the baseline accepts",
    "`seepage check --baseline FILE` accepts the leaks that the file lists. This one is not among them, or its guaranteed "
    "bounds now lie above those that are listed. A leak that is smaller than before is accepted, and 0 always is."
    "\n\nWhat to do: leak less; or, if it is meant, accept it with `--update-baseline`.",
)
LEAK_MAY_HAVE_GROWN = rule(
    "SEEP591",
    "leak-may-have-grown",
    Severity.WARNING,
    "whether a leak is larger than the baseline accepts cannot be told",
    "The bounds of the leak overlap with those that the baseline lists and reach beyond them, or there is no number any "
    "more where there was one. That counts as a failure in `seepage check --baseline FILE`, as an undecided budget does."
    "\n\nWhat to do: allow more time, keep the program within what is computed exactly (see SEEP3xx), or accept it "
    "with `--update-baseline`.",
)
ACCEPTED_BUDGET_GONE = rule(
    "SEEP592",
    "accepted-budget-gone",
    Severity.WARNING,
    "a budget that the baseline lists as missed is not there any more",
    "`seepage check --baseline FILE` accepts that a listed budget is missed. This one was deleted, or has other words now, so that nothing tells "
    "any more whether the program keeps within it. It fails nothing: what leaks is compared with the list all the same."
    "\n\nWhat to do: put the `require` back; or, if it is meant, write the list anew with `--update-baseline`.",
)
