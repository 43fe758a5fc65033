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

UNKNOWN_CHARACTER = _rule(
    "SEEP001",
    "unknown-character",
    _ERROR,
    "a character that the language does not use",
    "Seep is written with letters, digits and `_` (of any script), the operators of the language, and spaces, tabs and line ends. "
    "Typographic signs such as `≤` or `×` have spellings of their own (`<=`, `*`); no-break spaces and other invisible characters "
    "usually come from copying a web page.",
    "x := 3 × 4",
)
UNTERMINATED_COMMENT = _rule(
    "SEEP002",
    "unterminated-comment",
    _ERROR,
    "a comment that never ends",
    "A comment that `/*` opens goes on to the matching `*/`. Comments nest, so each `/*` inside needs its own `*/`.",
    "/* here begins a comment",
)
MALFORMED_NUMBER = _rule(
    "SEEP003",
    "malformed-number",
    _ERROR,
    "a number that is not written as numbers are",
    "A number has digits on both sides of a point and no letter, digit or `_` directly after it: `0.5`, not `.5` or `5.`; "
    "`2 * y`, not `2y`. Numbers are exact, and one literal may have about a thousand digits.",
    "x := 2y",
)
TEXT_TOO_LARGE = _rule(
    "SEEP004",
    "text-too-large",
    _ERROR,
    "the file is too large to be read",
    "Files above the limit are not analysed, so that an editor never waits for one.",
)
STATEMENT_TOO_LONG = _rule(
    "SEEP005",
    "statement-too-long",
    _ERROR,
    "one statement is too long",
    "A single statement may have 100,000 characters. Split a long table or expression over several variables.",
)
NESTED_TOO_DEEPLY = _rule(
    "SEEP006",
    "nested-too-deeply",
    _ERROR,
    "an expression or a block is nested too deeply",
    "Expressions may be 200 levels deep (a sum of 200 terms is that deep) and blocks 100. Assign a part of the expression to a "
    "variable, or use a loop.",
)
UNEXPECTED = _rule(
    "SEEP010",
    "unexpected-token",
    _ERROR,
    "something stands where it cannot stand",
    "The message names what was found and what the grammar allows there.",
    "x := (1 + 2",
)
CUT_OFF = _rule(
    "SEEP011",
    "incomplete-statement",
    _ERROR,
    "a statement ends before it is complete",
    "The next statement begins, or the file ends, before this one is complete. No newline ends a statement by itself, so the "
    "place is the last thing that was read.",
    "x := 1 +",
)
SINGLE_EQUALS = _rule(
    "SEEP012",
    "single-equals",
    _ERROR,
    "a single '=' where nothing is declared or named",
    "`==` compares, `:=` assigns, and `=` stands in declarations and before the value of a named argument only.",
    "if a = 1 { skip }",
)
COMPARISON_CHAIN = _rule(
    "SEEP013",
    "comparison-chain",
    _ERROR,
    "comparisons are chained",
    "`a < b < c` means one thing in mathematics and another in most languages, so it is not allowed. Write `a < b and b < c`, or put "
    "parentheses around the comparison whose truth value (0 or 1) is meant.",
    "observe 1 < x < 3",
)
KEYWORD_AS_NAME = _rule(
    "SEEP014",
    "keyword-as-name",
    _ERROR,
    "a keyword is used as a name",
    "Keywords are reserved: param const secret output initial final if then else for in while observe skip show require over bits nats "
    "and or xor not true false inf. Choose another name.",
    "over := 3",
)
NO_STATEMENT = _rule(
    "SEEP015",
    "not-a-statement",
    _ERROR,
    "what is written is no statement",
    "A statement assigns (`x := e`), samples (`x ~ D`), observes, branches, repeats or skips. An expression alone does nothing, and "
    "is no statement.",
    "x = 3",
)
MISSING_BRACE = _rule(
    "SEEP016",
    "missing-brace",
    _ERROR,
    "a brace is missing",
    "Blocks stand in braces. That a `}` is missing is known by counting; where it is missing is a guess from the indentation.",
    "if a { x := 1",
)
EXTRA_BRACE = _rule(
    "SEEP017",
    "extra-brace",
    _ERROR,
    "a brace too many",
    "A `}` closes a block that `if`, `else` or `for` opened; here none is open. A `{` opens a block after one of those only.",
    "x := 1 }",
)
MISPLACED_ELSE = _rule(
    "SEEP018",
    "else-without-if",
    _ERROR,
    "an 'else' that belongs to no 'if'",
    "`else` follows directly the block of an `if` or `else if`.",
    "else { x := 1 }",
)
SEMICOLON_BEFORE_ELSE = _rule(
    "SEEP019",
    "semicolon-before-else",
    _ERROR,
    "a ';' before 'else'",
    "Semicolons separate statements, and `else` continues one.",
    "if a { x := 1 }; else { x := 2 }",
)
DECLARATION_IN_BLOCK = _rule(
    "SEEP020",
    "declaration-in-block",
    _ERROR,
    "a declaration inside a block",
    "Declarations apply to the whole file, so they stand outside of every block.",
    "if a { secret x }",
)
MISPLACED_DISTRIBUTION = _rule(
    "SEEP021",
    "misplaced-distribution",
    _ERROR,
    "a distribution inside an expression",
    "A distribution is sampled with `x ~ D`; it is no value. Sample into a variable first and use the variable.",
    "x := 1 + normal(0, 1)",
)
NO_DISTRIBUTION = _rule(
    "SEEP022",
    "not-a-distribution",
    _ERROR,
    "no distribution where one is due",
    "After `~` stands a distribution: a call such as `bernoulli(1/2)`, a table `{value: probability}`, a weighted sum "
    "`1/2*D1 + 1/2*D2`, or `mixture(weight: D, …)`. `x := e` assigns a value.",
    "x ~ 3",
)
MISPLACED_MEASURE = _rule(
    "SEEP023",
    "misplaced-measure",
    _ERROR,
    "a measure inside an expression, or an expression where a measure is due",
    "Measures are functions of the whole distribution on termination. They stand in `show` and `require` and combine with numbers by "
    "`+ - * / ^`.",
    "x := I(r; o)",
)
MALFORMED_MEASURE = _rule(
    "SEEP024",
    "malformed-measure",
    _ERROR,
    "a measure is not written as it should be",
    "The forms are `H(x | y)`, `I(x; y | z)`, `KL(x || y)`, `P(b | c)`, `E(e | c)`, `Var(e)`, `Hmin(x | y)`, `V(x | y)`, `Guess(x | y)`, "
    "`Lmin(x -> y)`, `C(x -> y)`, `Cmin(x -> y)`, `DP(x -> y, distance=k, delta=d | z)`, `Delta(x -> y, eps=e, distance=k)` and "
    "`G(x -> y, gain)`.",
    "show I(x, y)",
)
MISPLACED_INFINITY = _rule(
    "SEEP025",
    "misplaced-infinity",
    _ERROR,
    "'inf' outside of an interval",
    "`inf` and `-inf` are ends of intervals (`param x in [0, inf)`); they are no numbers to calculate with.",
    "x := inf",
)
MALFORMED_PART = _rule(
    "SEEP026",
    "malformed-expression",
    _ERROR,
    "an expression holds what no expression has",
    "Functions take positional arguments only; lists in parentheses (tuples), tables and `weight: distribution` belong to gain tables "
    "and distributions.",
    "x := (1, 2)",
)

JOINED_LINES = _rule(
    "SEEP030",
    "joined-lines",
    _WARNING,
    "a line continues the statement above, perhaps by accident",
    "No newline ends a statement. A line that begins with `-`, `(` or `[` therefore continues the line above it where that one could be "
    "complete: deleting `y :=` from `y := -b` changes the statement above. Indent the line if it is meant as a continuation.",
    "x := a\n-b",
)
COMMENT_FOR_DIVISION = _rule(
    "SEEP031",
    "comment-for-division",
    _WARNING,
    "a comment that looks like an integer division",
    "`//` begins a comment. Integer division is `floor(a / b)`.",
    "x := a // 2",
)

# --- SEEP1xx names and declarations -----------------------------------------------------------------------------------

UNKNOWN_NAME = _rule(
    "SEEP101",
    "unknown-name",
    _ERROR,
    "a name that nothing declares or assigns",
    "Variables come into being by an assignment or a sampling somewhere in the program; parameters and constants by a declaration. A loop "
    "variable is known in the body of its loop only. Check the spelling, or assign the variable.",
    "x := coutn + 1",
)
DUPLICATE_DECLARATION = _rule(
    "SEEP102",
    "duplicate-declaration",
    _ERROR,
    "a name is declared twice",
    "Each declaration applies to the whole file, so that two of them for one name contradict or repeat each other. Remove one.",
    "const n = 3\nconst n = 4",
)
READ_BEFORE_ASSIGNMENT = _rule(
    "SEEP103",
    "read-before-assignment",
    _WARNING,
    "a variable is read before any statement assigns it",
    "Variables are 0 before their first assignment. That is well defined, and more often than not a slip in the order of statements. Assign 0 "
    "first if it is meant.",
    "x := y + 1\ny := 2",
)
CANNOT_ASSIGN = _rule(
    "SEEP104",
    "cannot-assign",
    _ERROR,
    "a parameter, a constant or a loop variable is assigned",
    "A parameter stands for one unknown number during the whole analysis, a constant for a known one, and a loop variable belongs to its loop. "
    "Use a variable with a name of its own.",
    "param p = 1/2\np := 1/3",
)
LOOP_VARIABLE_SHADOWS = _rule(
    "SEEP105",
    "loop-variable-shadows",
    _ERROR,
    "a loop variable has the name of something else",
    "Variables are global, so an inner loop over the same name could be read in two ways. Give the loop variable a name that nothing "
    "else has.",
    "for i in 1..2 {\n    for i in 5..7 { skip }\n}",
)
ARRAY_OR_NUMBER = _rule(
    "SEEP106",
    "array-or-number",
    _ERROR,
    "a name is used both as an array and as a number",
    "`x` and `x[1]` cannot both be variables. In an expression name one element; only declarations and measures take a whole array.",
    "r[1] := 1\nx := r + 1",
)
MISSING_ELEMENT = _rule(
    "SEEP107",
    "missing-element",
    _ERROR,
    "an array element is read that nothing writes",
    "An element exists if some statement with a static index writes it anywhere in the unrolled program. Often a loop starts or ends one "
    "step too far.",
    "for i in 1..3 { a[i] := i }\nx := a[4]",
)
NEVER_ASSIGNED = _rule(
    "SEEP108",
    "never-assigned",
    _ERROR,
    "a secret or an output that no statement assigns",
    "A declared secret or output has a value only if some statement assigns it. Check the spelling, assign it, or remove the declaration.",
    "secret s\nx := 1",
)
SECRET_ASSIGNED_TWICE = _rule(
    "SEEP109",
    "secret-assigned-twice",
    _ERROR,
    "a secret is assigned more than once",
    "With two assignments on one run it is not clear which value must stay secret. `secret initial s` means the value of the first assignment (the "
    "attacker's prior), `secret final s` the value when the program ends.",
    "secret s\ns ~ bernoulli(1/2)\no := s\ns := 0",
)
UNKNOWN_DISTRIBUTION = _rule(
    "SEEP110",
    "unknown-distribution",
    _ERROR,
    "a distribution that the language does not have",
    "The page on the language lists every distribution. A value is assigned with `:=`, a law is sampled with `~`.",
    "x ~ bernuli(1/2)",
)
WRONG_ARGUMENTS = _rule(
    "SEEP111",
    "wrong-arguments",
    _ERROR,
    "a distribution or function is called with the wrong arguments",
    "Arguments are positional or named, each given once, positional ones first. The message lists what is expected. The second position of "
    "`normal` is the variance; `normal(mean = m, std = s)` takes a standard deviation.",
    "x ~ uniform_int(1)",
)
UNKNOWN_FUNCTION = _rule(
    "SEEP112",
    "unknown-function",
    _ERROR,
    "a function that the language does not have",
    "Functions are `min max abs floor ceil exp log sqrt bit_xor bit_and bit_or shift_left shift_right`. Distributions stand after `~`, measures "
    "after `show` and `require`.",
    "x := sin(1)",
)
CYCLIC_DEFINITION = _rule(
    "SEEP113",
    "cyclic-definition",
    _ERROR,
    "a constant is defined by itself",
    "Constants may use each other in any order, but not in a circle. Give one of them a number.",
    "const a = b + 1\nconst b = a - 1",
)
OBSERVED_OUTPUT = _rule(
    "SEEP114",
    "observed-output",
    _WARNING,
    "an output is observed to have one value",
    "After `observe(out == 9)` the output is the constant 9, so that it tells nothing more: mutual information with it is 0, truly and uselessly. "
    "To measure what the attacker learns from seeing 9, leave the observation out and ask `H(secret | out == 9)`.",
    "secret s\noutput o\ns ~ bernoulli(1/2)\no := s\nobserve(o == 1)",
)

# --- SEEP2xx kinds and static values ----------------------------------------------------------------------------------

NOT_STATIC = _rule(
    "SEEP201",
    "not-static",
    _ERROR,
    "a value that must be known before the analysis is not",
    "Loop bounds, constants, domains and defaults are numbers that are known before any run: built from numbers, constants and (in loop "
    "bounds) the variables of outer loops. Parameters are symbolic and may not size loops. Use a `const`, or loop up to the largest value and "
    "test inside with `if`.",
    "n ~ uniform_int(1, 3)\nfor i in 1..n { skip }",
)
WEIGHTS_NOT_ONE = _rule(
    "SEEP202",
    "weights-do-not-sum-to-one",
    _ERROR,
    "probabilities do not sum to 1",
    "The probabilities of a table, the weights of `categorical` and those of a mixture must sum to exactly 1; they are never normalised "
    "silently. Numbers are exact, so thirds are written `1/3`.",
    "x ~ {1: 1/3, 2: 1/3}",
)
INVALID_ARGUMENT = _rule(
    "SEEP203",
    "invalid-argument",
    _ERROR,
    "a distribution does not exist for this argument",
    "Variances, rates and scales are not negative, counts and bounds are integers, and `uniform_int(a, b)` needs a <= b. Variance 0 and "
    "rate 0 are point masses.",
    "x ~ uniform_int(3, 1)",
)
DEFAULT_OUTSIDE_DOMAIN = _rule(
    "SEEP204",
    "default-outside-domain",
    _ERROR,
    "the default of a parameter is outside its domain",
    "Numbers are shown at the default, so it must be a value that the domain allows. Change the default, or widen the domain.",
    "param p in [0, 1] = 2",
)
EMPTY_DOMAIN = _rule(
    "SEEP205",
    "empty-domain",
    _ERROR,
    "an interval holds no number",
    "The left end of an interval must not be above the right end; `[a, a]` holds a alone, and an infinite end is open.",
    "param p in [1, 0]",
)
RANGE_OUTSIDE_DOMAIN = _rule(
    "SEEP206",
    "range-outside-domain",
    _ERROR,
    "a budget is asked for parameter values outside the domain",
    "The ranges after `over` must lie inside the domains of their parameters. Narrow the range, or widen the domain.",
    "param p in [0, 1] = 1/2\nx ~ bernoulli(p)\nrequire H(x) <= 1 over p in [0, 2]",
)
PARAMETER_NEEDS_RANGE = _rule(
    "SEEP207",
    "parameter-needs-range",
    _ERROR,
    "a budget depends on a parameter that has neither default nor range",
    "A budget is checked at the defaults of the parameters, or for all values in the ranges after `over`. Give the parameter a default, or the "
    "budget a range.",
    "param eps in [0, 1]\nx ~ bernoulli(1/2)\nrequire H(x) <= eps",
)

# --- SEEP3xx exactness ------------------------------------------------------------------------------------------------

PRODUCT_OF_CONTINUOUS = _rule(
    "SEEP301",
    "product-of-continuous",
    _WARNING,
    "two continuous variables are multiplied",
    "The product of two Gaussian variables is not Gaussian: condition i) of the paper's proposition on exactness asks for linear assignments. "
    "The engine goes on with a Gaussian of the same mean and covariance, and numbers that depend on it are marked approximate; they may show no leak "
    "where there is one. A product with a discrete factor is exact. If one factor only takes a few values, model it as discrete.",
    "x ~ normal(0, 1)\ny ~ normal(0, 1)\nz := x * y",
)
NONLINEAR_FUNCTION = _rule(
    "SEEP302",
    "nonlinear-function",
    _WARNING,
    "a nonlinear function of a continuous variable",
    "Only linear functions of Gaussian variables are Gaussian (condition i) of the paper's proposition on exactness). The engine goes on with a "
    "Gaussian of the same moments where it can, and numbers that depend on it are marked approximate. Measures of a variable are often the same "
    "before and after an invertible function: ask for the variable itself.",
    "x ~ normal(0, 1)\ny := exp(x)",
)
NOT_GAUSSIAN = _rule(
    "SEEP303",
    "not-gaussian",
    _WARNING,
    "a continuous law that is no Gaussian mixture is sampled",
    "Condition ii) of the paper's proposition on exactness asks for Gaussian mixtures. The engine takes the normal law of the same mean and variance "
    "instead, and numbers that depend on it are marked approximate. Exact are `normal`, mixtures of normals, and every discrete law; "
    "`discrete_laplace` is the exact discrete counterpart of `laplace`.",
    "x ~ laplace(0, 1)",
)
OBSERVE_INEQUALITY = _rule(
    "SEEP304",
    "observe-inequality",
    _WARNING,
    "an inequality between continuous values is observed",
    "A Gaussian that is cut off is not Gaussian: condition iii) of the paper's proposition on exactness allows equalities, and conditions on discrete "
    "variables only. The engine goes on with the moments of the truncated law, and numbers that depend on it are marked approximate.",
    "x ~ normal(0, 1)\nobserve(x > 0)",
)
BRANCH_ON_CONTINUOUS = _rule(
    "SEEP305",
    "branch-on-continuous",
    _WARNING,
    "a branch depends on a continuous variable",
    "Each branch gets a truncated Gaussian, which is not Gaussian: condition iv) of the paper's proposition on exactness asks for conditions on "
    "discrete variables only. Numbers that depend on the branch are marked approximate. If the condition is a threshold on a sampled value, "
    "sampling the outcome with `bernoulli` is exact.",
    "x ~ normal(0, 1)\nif x > 0 { y := 1 } else { y := 0 }",
)
COMPARISON_OF_CONTINUOUS = _rule(
    "SEEP306",
    "comparison-of-continuous",
    _WARNING,
    "the outcome of comparing continuous values is used as a value",
    "A comparison is a nonlinear function (condition i) of the paper's proposition on exactness): together with its outcome the compared variable is "
    "truncated on either side. Numbers that depend on it are marked approximate.",
    "x ~ normal(0, 1)\ny := x > 0",
)
VARIANCE_DEPENDS_ON_CONTINUOUS = _rule(
    "SEEP307",
    "variance-depends-on-continuous",
    _WARNING,
    "the variance of a normal depends on a continuous variable",
    "A normal whose spread is itself continuous is no finite Gaussian mixture (condition ii) of the paper's proposition on exactness). A variance may "
    "depend on discrete variables and parameters. Numbers that depend on it are marked approximate.",
    "x ~ normal(0, 1)\ny ~ normal(0, x^2)",
)
NONLINEAR_MEAN = _rule(
    "SEEP308",
    "nonlinear-mean",
    _WARNING,
    "the mean of a normal is nonlinear in a continuous variable",
    "`y ~ normal(e, v)` is `y := e` plus independent noise, and exact where e is linear in continuous variables (condition i) of the paper's "
    "proposition on exactness). Numbers that depend on it are marked approximate.",
    "x ~ normal(0, 1)\ny ~ normal(x^2, 1)",
)
PARAMETER_DEPENDS_ON_CONTINUOUS = _rule(
    "SEEP309",
    "parameter-depends-on-continuous",
    _WARNING,
    "a distribution's parameter or weight depends on a continuous variable",
    "Parameters of discrete laws and weights of mixtures may depend on discrete variables and parameters; a continuous one leaves the Gaussian mixtures "
    "(condition ii) of the paper's proposition on exactness). Numbers that depend on it are marked approximate or missing.",
    "x ~ normal(0, 1)\ny ~ bernoulli(min(1, max(0, x)))",
)
EQUALITY_OF_CONTINUOUS = _rule(
    "SEEP310",
    "equality-of-continuous",
    _WARNING,
    "continuous values are compared for equality",
    "Two continuous values are equal with probability 0 unless one is computed from the other or one has atoms, so that this is nearly always false. "
    "Only as a linear equality in an `observe`, or in an event of a measure, does it condition on the density.",
    "x ~ normal(0, 1)\nif x == 0 { y := 1 }",
)
NONLINEAR_EQUALITY = _rule(
    "SEEP311",
    "nonlinear-equality",
    _ERROR,
    "an observed equality is not linear in continuous variables",
    "Conditioning on an event of probability 0 depends on how the event is written: `x / y == 1` and `x - y == 0` hold for the same values and lead to "
    "different posteriors (the Borel-Kolmogorov paradox). A linear equality has one meaning, the density of the difference of its sides. This is "
    "condition iii) of the paper's proposition on exactness. Write the equality so that both sides are linear.",
    "x ~ normal(0, 1)\ny ~ normal(0, 1)\nobserve(x / y == 1)",
)

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

IMPOSSIBLE_OBSERVATION = _rule(
    "SEEP410",
    "impossible-observation",
    _ERROR,
    "no run passes the observation",
    "The observations up to this one cannot all hold: the probability that is left becomes 0 here. Then there is no posterior, and no "
    "measure has a value. Correct the condition, or the distribution that never meets it.",
    "x ~ bernoulli(1/2)\nobserve(x == 2)",
)
ATOM_BEATS_DENSITY = _rule(
    "SEEP412",
    "atom-beats-density",
    _INFORMATION,
    "an observed value has positive probability in some runs and only a density in others",
    "An atom has infinite density, so runs in which the observed quantity equals the value with positive probability outweigh all runs in "
    "which it is continuous; those vanish. If that is not meant, give the exact value a little noise.",
    "b ~ bernoulli(1/2)\nx ~ normal(0, 1)\nif b { y := 1000 } else { y := x }\nobserve(y == 1000)",
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
PROBABILITIES_DO_NOT_SUM_TO_ONE = _rule(
    "SEEP421",
    "probabilities-do-not-sum-to-one",
    _ERROR,
    "the probabilities of a distribution do not sum to 1 in a reachable state",
    "Nothing is normalised silently. Correct a probability, or add the value that is missing.",
    "x ~ {1: 1/3, 2: 1/3}",
)
INVALID_PARAMETER = _rule(
    "SEEP422",
    "invalid-parameter",
    _ERROR,
    "a parameter of a distribution is out of its range in a reachable state",
    "The message names the parameter, its value, the range that it must be in, and a state that some run reaches (a witness).",
    "n ~ uniform_int(0, 2)\nx ~ uniform_int(1, n)",
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
UNFIT_MEASURE = _rule(
    "SEEP507",
    "unfit-measure",
    _ERROR,
    "a measure is applied to what it does not fit",
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
FILE_TOO_LONG = _rule(
    "SEEP981",
    "file-too-long",
    _INFORMATION,
    "an editor does not check a text this long",
    "Programs are checked between two keystrokes, so the language server leaves texts past 200,000 characters alone. `seepage check` "
    "analyses them. What helps: a loop in place of repeated statements.",
)
ANALYSIS_BROKE = _rule(
    "SEEP982",
    "analysis-broke",
    _ERROR,
    "the analysis broke off by a fault of Seepage",
    "The process that analyses ended or raised an error that is no fault of the program. No number of this run is shown. The details stand in the "
    "log of the language server; please report them with the program.",
)
