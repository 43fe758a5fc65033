"""Rules on values met while running: SEEP4xx."""

from __future__ import annotations

from seepage.diagnostics import Severity
from seepage.rules.registry import rule

UNDEFINED_VALUE = rule(
    "SEEP401",
    "undefined-value",
    Severity.ERROR,
    "an expression has no value in a reachable state",
    "Division by zero, the logarithm of what is not positive, and the square root of a negative number have no "
    "value. The message names a state that some run reaches (a witness)."
    "\n\nWhat to do: guard the expression: by an `if`, by an `observe` before it, by `and` (`y != 0 and 1 / y > 2`), "
    "or by a conditional expression.",
    "y ~ uniform_int(0, 1)\nz := 1 / y",
)
CANNOT_DECIDE = rule(
    "SEEP402",
    "cannot-decide",
    Severity.ERROR,
    "two irrational values are too close to compare",
    "Comparisons of values with `exp`, `log` or `sqrt` are decided by simplification or by ball arithmetic. Here "
    "neither decides, and a guess could make every number wrong. The same is told where an infinite support is cut "
    "and no run is seen to pass an observation: whether one passes is not known. Measures that depend on it "
    "have no number then, and none has where an observation depends on it."
    "\n\nWhat to do: rewrite the comparison, for instance without the function; make the observation one that runs pass.",
    "x := exp(sqrt(2) + sqrt(3)) == exp(sqrt(2)) * exp(sqrt(3))",
)
NUMBER_TOO_LARGE = rule(
    "SEEP403",
    "number-too-large",
    Severity.ERROR,
    "a number has too many digits",
    "Exact arithmetic has a budget on the size of numbers (about 20,000 bits), so that `10^10^10` is an error and "
    "not a hang."
    "\n\nWhat to do: use smaller numbers.",
    "const n = 10^10^10",
)

IMPOSSIBLE_OBSERVATION = rule(
    "SEEP410",
    "impossible-observation",
    Severity.ERROR,
    "no run passes the observation",
    "The observations up to this one cannot all hold: the probability that is left becomes 0 here. Then there is no "
    "posterior, and no measure has a value."
    "\n\nWhat to do: correct the condition, or the distribution that never meets it.",
    "x ~ bernoulli(1/2)\nobserve(x == 2)",
)
ATOM_BEATS_DENSITY = rule(
    "SEEP412",
    "atom-beats-density",
    Severity.INFORMATION,
    "an observed value has positive probability in some runs and only a density in others",
    "An atom has infinite density. So runs in which the observed quantity equals the value with positive "
    "probability outweigh all runs in which it is continuous; those vanish."
    "\n\nWhat to do: nothing, if that is meant; else give the exact value a little noise.",
    "b ~ bernoulli(1/2)\nx ~ normal(0, 1)\nif b { y := 1000 } else { y := x }\nobserve(y == 1000)",
)
UNKNOWN_OBSERVATION = rule(
    "SEEP413",
    "unknown-observation",
    Severity.WARNING,
    "the program is too large to say whether any run passes the observation",
    "Measures leave out what they are independent of, observations as well; their numbers hold if the observation can "
    "pass. Where no run passes it, nothing has a number. Here the part of the program that decides it takes more states "
    "or time than the limits allow. No `require` holds by such a number: it stays undecided."
    "\n\nWhat to do: make that part smaller, or raise the time limit, if it is not plain that some run passes.",
    "x ~ uniform_int(1, 10^12)\nobserve(x * x == 144)\nz ~ bernoulli(1/2)\nshow H(z)",
)
OBSERVATION_MOVES_PRIOR = rule(
    "SEEP414",
    "observation-moves-prior",
    Severity.INFORMATION,
    "an observation changes the law of a secret",
    "`observe` keeps the runs that pass, and with them more of some values of a secret than of others: what is believed of the "
    "secret beforehand is no longer what it was sampled from, and every leakage is measured from there. The message has a number "
    "of the secret's law before and after (its chance, mean, variance or entropy that differs most, under the observations before "
    "this one and under it as well); where none is known, it says so, and goes by what the observation depends on. Noise that is to be "
    "bounded is no observation: who draws noise again until the sum fits leaves the secret as it was."
    "\n\nWhat to do: nothing, if the observation is something that is known of the secret. To bound noise, write the "
    "condition behind its draw (`n ~ laplace(0, 1) given 0 <= s + n and s + n <= 10`), which draws again and moves the belief about "
    "nothing else, or clamp what is released (`o := min(max(s + n, 0), 10)`).",
    "secret s\noutput o\ns ~ uniform_int(0, 2)\nn ~ uniform_int(-1, 1)\no := s + n\nobserve o >= 0 and o <= 2",
)
ENDLESS_RUNS = rule(
    "SEEP415",
    "endless-runs",
    Severity.WARNING,
    "some runs never end",
    "A run that stays in a `while` or `repeat` forever shows nothing at its end, so it is left out, as by an observation at the loop: "
    "every number is that of the runs that end. The message tells how many do not."
    "\n\nWhat to do: correct the condition, if each run is meant to end; or say behind the loop what such runs go on with: "
    "`never { … }`.",
    "x ~ uniform_int(0, 3)\nwhile x == 3 { skip }\nshow P(x == 0)",
)
ENDING_TELLS = rule(
    "SEEP416",
    "ending-tells-a-secret",
    Severity.WARNING,
    "whether a run ends depends on a secret, and what is seen of that is not said",
    "Runs that never end are left out, and with them more of some values of a secret than of others: the numbers are those of an attacker who "
    "knows beforehand that the run ends. One who may wait in vain learns something from that, which is in no number."
    "\n\nWhat to do: say behind the loop what is seen of a run that never ends: `never { o := 2 }`, with a value of the output that no other "
    "run has; or `never { skip }`, if the outputs stay as they are.",
    "secret s\noutput o\ns ~ uniform_int(0, 3)\no := s % 2\nwhile s == 3 { skip }",
)
NEVER_ENTERED = rule(
    "SEEP417",
    "never-is-not-entered",
    Severity.INFORMATION,
    "a block 'never' that no run enters",
    "Each run that gets to the loop leaves it, with probability 1, so that nothing goes on with the block behind `never`. With finitely many "
    "states that is a proof."
    "\n\nWhat to do: nothing, if that is the proof you wanted; else remove the block.",
    "x ~ flip(1/2)\nwhile x == 0 { x ~ flip(1/2) } never { x := 2 }\nshow E(x)",
)
IMPOSSIBLE_DRAW = rule(
    "SEEP418",
    "impossible-draw",
    Severity.ERROR,
    "no run passes what a draw is given",
    "`y ~ D given b` draws among the values for which `b` holds, and a procedure that observes among its runs that pass. Where there are none "
    "for values that the program reaches, nothing can be drawn."
    "\n\nWhat to do: correct the condition, or the distribution that never meets it.",
    "n ~ flip(1/2) given n > 1\nshow E(n)",
)
NOT_A_PROBABILITY = rule(
    "SEEP420",
    "not-a-probability",
    Severity.ERROR,
    "a probability is outside [0, 1] in a reachable state",
    "A probability is a number from 0 to 1. The message names the value that is not, and a state that some run "
    "reaches (a witness)."
    "\n\nWhat to do: correct the expression, or rule those states out by an `observe` or a branch before it.",
    "x ~ uniform_int(1, 4)\ny ~ bernoulli(x / 3)",
)
PROBABILITIES_DO_NOT_SUM_TO_ONE = rule(
    "SEEP421",
    "probabilities-do-not-sum-to-one",
    Severity.ERROR,
    "the probabilities of a distribution do not sum to 1",
    "The probabilities of a table, the weights of `categorical` and those of a mixture must sum to exactly 1. Nothing "
    "is normalised in silence, because a wrong number would then go unnoticed. Where they depend on variables, the "
    "message names a state that some run reaches (a witness)."
    "\n\nWhat to do: correct a probability, or add what is missing; numbers are exact, so a third is written `1/3`.",
    "x ~ {1: 1/3, 2: 1/3}",
)
INVALID_PARAMETER = rule(
    "SEEP422",
    "invalid-parameter",
    Severity.ERROR,
    "a parameter of a distribution is out of its range",
    "No distribution has these parameters: variances and scales are not negative, rates are positive, counts and "
    "ends of integer ranges are integers, and `uniform_int(a, b)` needs `a <= b`. Where a parameter depends on "
    "variables, the message names a state that some run reaches (a witness)."
    "\n\nWhat to do: correct the argument, or rule those states out by an `observe` or a branch before it; variance 0 "
    "is allowed, and is a point.",
    "x ~ uniform_int(3, 1)",
)

NOT_BOOLEAN = rule(
    "SEEP404",
    "not-boolean",
    Severity.ERROR,
    "a condition can be a number other than 0 and 1",
    "Truth values are the numbers 0 and 1. A condition, and an operand of `and`, `or`, `xor`, `not` and `!`, must "
    "be one of them in every state that some run reaches."
    "\n\nWhat to do: compare the number with something: `n != 0`.",
    "n ~ uniform_int(0, 2)\nif n { x := 1 }",
)
INDEX_OUT_OF_RANGE = rule(
    "SEEP405",
    "index-out-of-range",
    Severity.ERROR,
    "a random index picks an element that does not exist",
    "An element exists if a statement writes it, anywhere in the unrolled program, with an index that is known "
    "beforehand. The message names the value of the index and the elements that exist."
    "\n\nWhat to do: narrow the index, or write the element.",
    "a[1] := 0\nk ~ uniform_int(1, 2)\nx := a[k]",
)
SYMBOL_AS_NUMBER = rule(
    "SEEP423",
    "symbol-as-number",
    Severity.ERROR,
    "a symbol stands where a number is needed",
    'A symbol such as `"red"` is equal to itself and to nothing else. It has no order, no sum and no mean, and no distance from others.'
    '\n\nWhat to do: compare it with `==`, `!=` or `in`, or give it a number by cases: `if c == "red" then 1 else 0`.',
    "enum colour { red, green }\nc ~ uniform_of(colour)\nx := c + 1\nshow H(x)",
)
ZERO_WEIGHTS = rule(
    "SEEP424",
    "weights-sum-to-zero",
    Severity.ERROR,
    "the weights sum to 0",
    "Weights are divided by their sum, so that one of them at least must be positive."
    "\n\nWhat to do: correct the weights, or the column behind `weight`.",
    'table people from "weights.csv" weight n\nrow ~ people\nshow H(row.age)',
)
MISSING_CELL = rule(
    "SEEP425",
    "missing-cell",
    Severity.ERROR,
    "a cell of a table is missing where a number is needed",
    'A missing cell is the symbol `""`, in a column of numbers, too, and has no sum and no order.'
    '\n\nWhat to do: leave such rows out (`observe row.age != ""`), or say what stands for them '
    '(`age := if row.age == "" then 0 else row.age`).',
    'table people from "gaps.csv"\nrow ~ people\ndecade := floor(row.age / 10)\nshow H(decade)',
)
