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
    "Seep is written with letters, digits and `_` (of any script), the signs of the language, and spaces, tabs and "
    "line ends. No-break spaces and invisible marks usually come from copying a web page."
    "\n\nWhat to do: write the spelling that the message names (`<=` for `≤`, `*` for `×`, `and` for `&&`), or remove "
    "the character.",
    "x := 3 × 4",
)
UNTERMINATED_COMMENT = _rule(
    "SEEP002",
    "unterminated-comment",
    _ERROR,
    "a comment that never ends",
    "A comment that `/*` opens goes on to the `*/` that belongs to it. Comments nest, so each `/*` inside needs its "
    "own `*/`."
    "\n\nWhat to do: add the missing `*/`, or use `//` for comments that end with their line.",
    "/* here begins a comment",
)
MALFORMED_NUMBER = _rule(
    "SEEP003",
    "malformed-number",
    _ERROR,
    "a number that is not written as numbers are",
    "A number has digits on both sides of its point, and no letter, digit or `_` directly behind it. Numbers are "
    "exact, and one literal may have about a thousand digits."
    "\n\nWhat to do: write `0.5` and not `.5`, `5` and not `5.`, `2 * y` and not `2y`.",
    "x := 2y",
)
TEXT_TOO_LARGE = _rule(
    "SEEP004",
    "text-too-large",
    _ERROR,
    "the file is too large to be read",
    "A text of this size takes longer to read than anybody waits for an answer, so it is not read at all."
    "\n\nWhat to do: use loops in place of repeated statements, or split the program into several files that are "
    "analysed on their own.",
)
STATEMENT_TOO_LONG = _rule(
    "SEEP005",
    "statement-too-long",
    _ERROR,
    "one statement is too long",
    "The time that reading takes grows with the longest statement, and an editor reads a statement again at each "
    "keystroke. The limit is 100,000 characters."
    "\n\nWhat to do: split a long table or expression over several variables.",
)
NESTED_TOO_DEEPLY = _rule(
    "SEEP006",
    "nested-too-deeply",
    _ERROR,
    "an expression or a block is nested too deeply",
    "Expressions may be 200 levels deep, sums 200 terms long (such a sum is that deep), and blocks 100 levels deep."
    "\n\nWhat to do: assign a part of the expression to a variable, or use a loop.",
)
UNREADABLE_FILE = _rule(
    "SEEP007",
    "unreadable-file",
    _ERROR,
    "a file that cannot be read as a program",
    "The file is missing, a directory, empty, too large, not a text in UTF-8, or its permissions keep it from being "
    "read. The command line reports it at line 1, column 1, and goes on with the other files."
    "\n\nWhat to do: correct the path or the permissions, and save the program as text in UTF-8.",
)
UNEXPECTED = _rule(
    "SEEP010",
    "unexpected-token",
    _ERROR,
    "something stands where it cannot stand",
    "The text up to here can be read, but not together with what follows. The message names what was found, and "
    "what could stand there."
    "\n\nWhat to do: correct it at this place or directly before it.",
    "x := 1 + ) 2",
)
CUT_OFF = _rule(
    "SEEP011",
    "incomplete-statement",
    _ERROR,
    "a statement ends before it is complete",
    "The next statement begins, or the file ends, before this one is complete. No line end finishes a statement, so "
    "the place is that of the last thing that belonged to it."
    "\n\nWhat to do: complete the statement with what the message expects.",
    "x := 1 +",
)
SINGLE_EQUALS = _rule(
    "SEEP012",
    "single-equals",
    _ERROR,
    "a single '=' where nothing is declared or named",
    "`==` compares and `:=` assigns. A single `=` stands only in declarations and behind the name of an argument, "
    "so that a comparison is never taken for an assignment."
    "\n\nWhat to do: write `==`.",
    "if a = 1 { skip }",
)
COMPARISON_CHAIN = _rule(
    "SEEP013",
    "comparison-chain",
    _ERROR,
    "comparisons are chained",
    "`a < b < c` means one thing in mathematics and another in most programming languages, so it has no meaning "
    "here."
    "\n\nWhat to do: write `a < b and b < c`, or put parentheses around the comparison whose truth value (0 or 1) is "
    "to be compared.",
    "observe 1 < x < 3",
)
KEYWORD_AS_NAME = _rule(
    "SEEP014",
    "keyword-as-name",
    _ERROR,
    "a keyword is used as a name",
    "The words `param const secret output initial final if then else for in while observe skip show require over "
    "bits nats and or xor not true false inf` are reserved."
    "\n\nWhat to do: choose another name.",
    "over := 3",
)
NO_STATEMENT = _rule(
    "SEEP015",
    "not-a-statement",
    _ERROR,
    "what is written is no statement",
    "A statement assigns (`x := e`), samples (`x ~ D`), observes, branches, repeats or skips. An expression on its "
    "own has no effect."
    "\n\nWhat to do: assign it to a variable, or remove it; for a misspelt keyword, take the word that the message "
    "proposes.",
    "x = 3",
)
MISSING_BRACE = _rule(
    "SEEP016",
    "missing-brace",
    _ERROR,
    "a brace is missing",
    "Blocks stand in braces. That a `}` is missing is known by counting; where it is missing is a guess from the "
    "indentation."
    "\n\nWhat to do: add the brace where the block ends, or begins.",
    "if a { x := 1",
)
EXTRA_BRACE = _rule(
    "SEEP017",
    "extra-brace",
    _ERROR,
    "a brace too many",
    "A `}` closes a block that `if`, `else` or `for` opened, and here none is open. A `{` opens a block only after "
    "one of these."
    "\n\nWhat to do: remove the brace, or add the one that is missing before.",
    "x := 1 }",
)
MISPLACED_ELSE = _rule(
    "SEEP018",
    "else-without-if",
    _ERROR,
    "an 'else' that belongs to no 'if'",
    "`else` comes directly behind the block of an `if` or an `else if`; only one `else` without a condition ends "
    "such a chain."
    "\n\nWhat to do: put the `else` behind the `}` that it belongs to.",
    "else { x := 1 }",
)
SEMICOLON_BEFORE_ELSE = _rule(
    "SEEP019",
    "semicolon-before-else",
    _ERROR,
    "a ';' before 'else'",
    "Semicolons separate statements, and `else` continues one.\n\nWhat to do: remove the semicolon.",
    "if a { x := 1 }; else { x := 2 }",
)
DECLARATION_IN_BLOCK = _rule(
    "SEEP020",
    "declaration-in-block",
    _ERROR,
    "a declaration inside a block",
    "Declarations hold for the whole file, whatever branch is taken, so they stand outside of every block."
    "\n\nWhat to do: move the declaration out of the block.",
    "if a { secret x }",
)
MISPLACED_DISTRIBUTION = _rule(
    "SEEP021",
    "misplaced-distribution",
    _ERROR,
    "a distribution inside an expression",
    "`x ~ D` samples from a distribution, and each sampling is a draw of its own; a distribution is no value that "
    "could be added or assigned."
    "\n\nWhat to do: sample into a variable with `~`, and use the variable.",
    "x := 1 + normal(0, 1)",
)
NO_DISTRIBUTION = _rule(
    "SEEP022",
    "not-a-distribution",
    _ERROR,
    "no distribution where one is due",
    "Behind `~` stands a distribution: a call such as `bernoulli(1/2)`, a table `{value: probability}`, a weighted "
    "sum `1/2*D1 + 1/2*D2`, or `mixture(weight: D, …)`."
    "\n\nWhat to do: write a distribution, or assign a value with `:=`.",
    "x ~ 3",
)
MISPLACED_MEASURE = _rule(
    "SEEP023",
    "misplaced-measure",
    _ERROR,
    "a measure inside an expression, or an expression where a measure is due",
    "A measure is a number that belongs to the whole program, not to a run. So it stands in `show` and `require` "
    "only, where measures and numbers combine by `+ - * / ^`."
    "\n\nWhat to do: move the measure into a `show`; where a measure is missing, write one, such as `H(x)`.",
    "x := I(r; o)",
)
MALFORMED_MEASURE = _rule(
    "SEEP024",
    "malformed-measure",
    _ERROR,
    "a measure is not written as it should be",
    "Each measure has a form of its own: `H(x | y)`, `I(x; y | z)`, `KL(x || y)`, `P(b | c)`, `E(e | c)`, `Var(e | "
    "c)`, `Hmin(x | y)`, `V(x | y)`, `Guess(x | y)`, `Lmin(x -> y)`, `C(x -> y)`, `Cmin(x -> y)`, `DP(x -> y, "
    "distance=k, delta=d | z)`, `Delta(x -> y, eps=e, distance=k)` and `G(x -> y, gain)`. Most take variables, not "
    "expressions, and behind `|` either variables or one event."
    "\n\nWhat to do: follow the form that the message names; assign an expression to a variable of the program and "
    "name that.",
    "show I(x, y)",
)
MISPLACED_INFINITY = _rule(
    "SEEP025",
    "misplaced-infinity",
    _ERROR,
    "'inf' outside of an interval",
    "`inf` and `-inf` are ends of intervals, as in `param x in [0, inf)`. Calculating with them would soon have no "
    "meaning."
    "\n\nWhat to do: use a number, or leave the end of the interval open.",
    "x := inf",
)
MALFORMED_PART = _rule(
    "SEEP026",
    "malformed-expression",
    _ERROR,
    "an expression holds what no expression has",
    "Functions take positional arguments only. Lists in parentheses, tables and `weight: distribution` belong to "
    "gain tables and distributions; a positional argument does not follow a named one."
    "\n\nWhat to do: write one value, or put positional arguments first.",
    "x := (1, 2)",
)

JOINED_LINES = _rule(
    "SEEP030",
    "joined-lines",
    _WARNING,
    "a line continues the statement above, perhaps by accident",
    "The end of a line finishes no statement. A line that begins with `-`, `(` or `[` therefore goes on with the "
    "line above, even if that one was complete: deleting `y :=` from `y := -b` changes what stands above it. "
    "The formatter leaves the line as far left as its statement, so that it is seen."
    "\n\nWhat to do: indent the line if it continues the one above, else complete it.",
    "x := a\n-b",
)
COMMENT_FOR_DIVISION = _rule(
    "SEEP031",
    "comment-for-division",
    _WARNING,
    "a comment that looks like an integer division",
    "`//` begins a comment, so that what stands behind it is not read."
    "\n\nWhat to do: write `floor(a / b)` for integer division; add a word to the comment if it is meant as one.",
    "x := a // 2",
)

# --- SEEP1xx names and declarations -----------------------------------------------------------------------------------

UNKNOWN_NAME = _rule(
    "SEEP101",
    "unknown-name",
    _ERROR,
    "a name that nothing declares or assigns",
    "Variables come into being by an assignment or a sampling somewhere in the program, parameters and constants by "
    "a declaration. A loop variable is known in the body of its loop only."
    "\n\nWhat to do: check the spelling, declare the name, or assign the variable.",
    "x := coutn + 1",
)
DUPLICATE_DECLARATION = _rule(
    "SEEP102",
    "duplicate-declaration",
    _ERROR,
    "a name is declared twice",
    "A declaration holds for the whole file, so that two of them for one name contradict or repeat each other."
    "\n\nWhat to do: remove one, or rename it.",
    "const n = 3\nconst n = 4",
)
READ_BEFORE_ASSIGNMENT = _rule(
    "SEEP103",
    "read-before-assignment",
    _WARNING,
    "a variable is read before any statement assigns it",
    "Variables are 0 before their first assignment. That is well defined, and more often than not a slip in the "
    "order of statements."
    "\n\nWhat to do: assign the variable before; write `y := 0` if the 0 is meant.",
    "x := y + 1\ny := 2",
)
CANNOT_ASSIGN = _rule(
    "SEEP104",
    "cannot-assign",
    _ERROR,
    "a parameter, a constant or a loop variable is assigned",
    "A parameter stands for one unknown number during the whole analysis, a constant for a known one, and a loop "
    "variable belongs to its loop."
    "\n\nWhat to do: use a variable with a name of its own.",
    "param p = 1/2\np := 1/3",
)
LOOP_VARIABLE_SHADOWS = _rule(
    "SEEP105",
    "loop-variable-shadows",
    _ERROR,
    "a loop variable has the name of something else",
    "A loop variable that has the name of something else, or of the variable of a loop around it, could be read in "
    "two ways."
    "\n\nWhat to do: give the loop variable a name that nothing else has; loops that follow each other may share one.",
    "for i in 1..2 {\n    for i in 5..7 { skip }\n}",
)
ARRAY_OR_NUMBER = _rule(
    "SEEP106",
    "array-or-number",
    _ERROR,
    "a name is used both as an array and as a number",
    "`x` and `x[1]` cannot both be variables, and an expression calculates with numbers, not with all elements of "
    "an array."
    "\n\nWhat to do: name one element, or use another name; only declarations and measures take a whole array.",
    "r[1] := 1\nx := r + 1",
)
MISSING_ELEMENT = _rule(
    "SEEP107",
    "missing-element",
    _ERROR,
    "an array element is read that nothing writes",
    "An element exists if some statement writes it, anywhere in the unrolled program, with an index that is known "
    "beforehand. Often a loop starts or ends one step too far."
    "\n\nWhat to do: write the element, or correct the index.",
    "for i in 1..3 { a[i] := i }\nx := a[4]",
)
NEVER_ASSIGNED = _rule(
    "SEEP108",
    "never-assigned",
    _ERROR,
    "a secret or an output that no statement assigns",
    "A secret or an output has a value only if some statement assigns it."
    "\n\nWhat to do: check the spelling, assign the variable, or remove the declaration.",
    "secret s\nx := 1",
)
SECRET_ASSIGNED_TWICE = _rule(
    "SEEP109",
    "secret-assigned-twice",
    _ERROR,
    "a secret is assigned more than once",
    "If a run assigns a secret twice it is not clear which value must stay secret."
    "\n\nWhat to do: write `secret initial s` for the value of the first assignment, about which an attacker has "
    "beliefs beforehand, or `secret final s` for the value at the end.",
    "secret s\ns ~ bernoulli(1/2)\no := s\ns := 0",
)
UNKNOWN_DISTRIBUTION = _rule(
    "SEEP110",
    "unknown-distribution",
    _ERROR,
    "a distribution that the language does not have",
    "Behind `~` stands the name of a distribution, a table or a mixture, and no distribution has this name."
    "\n\nWhat to do: check the spelling (the page on the language lists all distributions); a value is assigned with "
    "`:=`.",
    "x ~ bernuli(1/2)",
)
WRONG_ARGUMENTS = _rule(
    "SEEP111",
    "wrong-arguments",
    _ERROR,
    "a distribution or function is called with the wrong arguments",
    "Arguments stand by position or by name, each once, positional ones first. The message lists what is expected. "
    "The second position of `normal` is the variance."
    "\n\nWhat to do: give exactly the arguments that are listed; a standard deviation is named, `normal(0, std=2)`.",
    "x ~ uniform_int(1)",
)
UNKNOWN_FUNCTION = _rule(
    "SEEP112",
    "unknown-function",
    _ERROR,
    "a function that the language does not have",
    "The functions are `min max abs floor ceil exp log sqrt bit_xor bit_and bit_or shift_left shift_right`."
    "\n\nWhat to do: use one of them; distributions stand behind `~`, measures in `show` and `require`.",
    "x := sin(1)",
)
CYCLIC_DEFINITION = _rule(
    "SEEP113",
    "cyclic-definition",
    _ERROR,
    "a constant is defined by itself",
    "Constants may use each other in any order, but not in a circle: then none of them has a value."
    "\n\nWhat to do: give one of them a number.",
    "const a = b + 1\nconst b = a - 1",
)
OBSERVED_OUTPUT = _rule(
    "SEEP114",
    "observed-output",
    _WARNING,
    "an output is observed to have one value",
    "After `observe(out == 9)` the output is the constant 9, and tells nothing more: its mutual information with "
    "anything is 0, truly and uselessly."
    "\n\nWhat to do: leave the observation out, and ask for `H(secret | out == 9)`.",
    "secret s\noutput o\ns ~ bernoulli(1/2)\no := s\nobserve(o == 1)",
)

UNUSED_VARIABLE = _rule(
    "SEEP150",
    "unused-variable",
    _WARNING,
    "a variable that nothing reads",
    "Statements assign the variable, and no statement, measure or declaration mentions it: it changes no number. "
    "Reported once the program has an output, a `show` or a `require`."
    "\n\nWhat to do: remove it, or ask for it.",
    "x ~ bernoulli(1/2)\ny ~ bernoulli(1/2)\nshow H(x)",
)
UNUSED_PARAMETER = _rule(
    "SEEP151",
    "unused-parameter",
    _WARNING,
    "a parameter that nothing uses",
    "Results do not depend on the parameter; often a number stands where the parameter was meant."
    "\n\nWhat to do: use it, or remove it.",
    "param p in [0, 1] = 1/2\nx ~ bernoulli(1/2)\nshow H(x)",
)
UNUSED_CONSTANT = _rule(
    "SEEP152",
    "unused-constant",
    _WARNING,
    "a constant that nothing uses",
    "Nothing depends on the constant; often a number stands where the constant was meant."
    "\n\nWhat to do: use it, or remove it.",
    "const n = 3\nx ~ uniform_int(1, 3)\nshow H(x)",
)

# --- SEEP2xx kinds and static values ----------------------------------------------------------------------------------

NOT_STATIC = _rule(
    "SEEP201",
    "not-static",
    _ERROR,
    "a value that must be known before the analysis is not",
    "Loops are unrolled before the analysis, and domains and defaults are known before any run. So they are "
    "computed from numbers, constants and (in loops) the variables of outer loops. A parameter stays symbolic and "
    "cannot size a loop."
    "\n\nWhat to do: use a `const`, or let the loop go up to the largest value and test inside of it with `if`.",
    "n ~ uniform_int(1, 3)\nfor i in 1..n { skip }",
)
DEFAULT_OUTSIDE_DOMAIN = _rule(
    "SEEP204",
    "default-outside-domain",
    _ERROR,
    "the default of a parameter is outside its domain",
    "Numbers are shown at the default of a parameter, so it must be a value that the domain allows."
    "\n\nWhat to do: change the default, or widen the domain.",
    "param p in [0, 1] = 2",
)
EMPTY_DOMAIN = _rule(
    "SEEP205",
    "empty-domain",
    _ERROR,
    "an interval holds no number",
    "The left end of an interval must not be above the right end. `[a, a]` holds `a` alone, `(a, a]` nothing; an "
    "infinite end holds no number of its own."
    "\n\nWhat to do: exchange or correct the ends.",
    "param p in [1, 0]",
)
RANGE_OUTSIDE_DOMAIN = _rule(
    "SEEP206",
    "range-outside-domain",
    _ERROR,
    "a budget is asked for parameter values outside the domain",
    "The domain of a parameter says for which values the program is meant; a budget cannot hold for others."
    "\n\nWhat to do: narrow the range behind `over`, or widen the domain.",
    "param p in [0, 1] = 1/2\nx ~ bernoulli(p)\nrequire H(x) <= 1 over p in [0, 2]",
)
PARAMETER_NEEDS_RANGE = _rule(
    "SEEP207",
    "parameter-needs-range",
    _ERROR,
    "a budget depends on a parameter that has neither default nor range",
    "A budget is checked at the defaults of the parameters, or for all values in the ranges behind `over`. This "
    "parameter has neither."
    "\n\nWhat to do: give the parameter a default, or the budget a range.",
    "param eps in [0, 1]\nx ~ bernoulli(1/2)\nrequire H(x) <= eps",
)
INVALID_INDEX = _rule(
    "SEEP208",
    "invalid-index",
    _ERROR,
    "an index that is no integer",
    "The elements of an array are numbered by integers. An index that is known beforehand must be one, and a "
    "continuous variable is one with probability 0, so that it picks an element that does not exist."
    "\n\nWhat to do: use an integer, or a discrete variable; `floor(i / 2)` is the integer part of a quotient.",
    "a[1] := 2\nx := a[3/2]",
)

NO_EFFECT = _rule(
    "SEEP250",
    "no-effect",
    _WARNING,
    "a statement on which nothing asked for depends",
    "The value that the statement assigns reaches no output, no secret, no shown measure and no observation: it is "
    "overwritten first, or flows only into variables that are not asked for themselves. The note lists them."
    "\n\nWhat to do: remove the statement, or declare what it was meant for.",
    "x ~ bernoulli(1/2)\ny := x + 1\nz := 2 * y\ny := z\nshow H(x)",
)
LEAKS_NOTHING = _rule(
    "SEEP251",
    "leaks-nothing",
    _INFORMATION,
    "a secret on which no output depends",
    "No source of randomness is common to the secret and the outputs, by values or by branches, and no observation "
    "joins them. So they are independent whatever the numbers in the program are: the mutual information is exactly "
    "0."
    "\n\nWhat to do: nothing, if that is the proof you wanted; else look for an assignment that is missing.",
    "secret s\noutput o\ns ~ bernoulli(1/2)\no ~ bernoulli(1/2)",
)
OUTPUT_DETERMINES_SECRET = _rule(
    "SEEP252",
    "output-determines-secret",
    _WARNING,
    "an output from which the secret can be computed",
    "A chain of assignments that can all be inverted (copies, sums with known numbers, products with known numbers "
    "other than 0) leads from the secret to the output, so that whoever sees the output knows the secret."
    "\n\nWhat to do: add noise, or show the attacker less.",
    "secret s\noutput o\ns ~ uniform_int(0, 9)\no := 2 * s + 1",
)

ALWAYS_OBSERVED = _rule(
    "SEEP253",
    "observation-always-true",
    _WARNING,
    "an observation that holds on every run",
    "The values that the variables can have make the condition true wherever it is reached, so that the observation "
    "discards no run and changes nothing."
    "\n\nWhat to do: correct the condition, or remove the observation.",
    "x ~ uniform_int(0, 3)\nobserve(x >= 0)",
)
NEVER_OBSERVED = _rule(
    "SEEP254",
    "observation-never-true",
    _WARNING,
    "an observation that holds on no run",
    "The values that the variables can have make the condition false wherever it is reached, so that every run that "
    "gets here is discarded. Where all runs do, no posterior is left, and no measure has a value."
    "\n\nWhat to do: correct the condition; to discard the runs of a branch on purpose, write `observe(false)`.",
    "x ~ uniform_int(0, 3)\nobserve(x > 5)",
)
UNREACHABLE_BRANCH = _rule(
    "SEEP255",
    "unreachable-branch",
    _WARNING,
    "a branch that no run takes",
    "The values that the variables can have decide the condition, so that the block is never reached. Conditions of "
    "constants and loop variables only are left alone: they are settings."
    "\n\nWhat to do: correct the condition, or remove the branch.",
    "x ~ uniform_int(0, 3)\nif x > 5 { y := 1 } else { y := 2 }",
)
LOOP_NEVER_RUNS = _rule(
    "SEEP256",
    "loop-never-runs",
    _INFORMATION,
    "a loop without iterations",
    "`for i in a..b` runs from `a` up to `b`, both included, and not at all if `b` is below `a`."
    "\n\nWhat to do: exchange the ends if they are the wrong way round.",
    "x ~ bernoulli(1/2)\nfor i in 3..1 { x := 0 }",
)
INVALID_WHERE_REACHED = _rule(
    "SEEP257",
    "invalid-where-reached",
    _WARNING,
    "a value that is wrong on every run that gets there, if one does",
    "A probability outside of [0, 1], a distribution without values, a division by 0 or the like, written out inside of a branch. On a run that gets "
    "there it is an error; but that runs do cannot be told without running, and a value that no run meets is none. The "
    "analysis follows the runs, and reports the error itself if one of them gets there."
    "\n\nWhat to do: correct the value, or remove the branch.",
    "n ~ uniform_int(0, 2)\nx := 0\nif 2 * n == 3 { x ~ flip(3/2) }\nshow E(x)",
)
CLASSICAL_NOISE = _rule(
    "SEEP258",
    "classical-gaussian-noise",
    _WARNING,
    "noise by the classical Gaussian mechanism, where that is not proved",
    "A normal with the variance `2 * log(1.25 / delta) * sensitivity^2 / eps^2` makes a query (ε, δ)-differentially private as long as "
    "0 < ε < 1 (Dwork and Roth 2014, theorem A.1). For larger ε the proof fails, and the noise can be too little for "
    "the ε that is claimed (Balle and Wang 2018). The numbers of the program are right all the same: they are those of the noise that it draws."
    "\n\nWhat to do: choose ε below 1, or ask what the noise gives: `DP(x -> y, delta=d)` is its ε, and `Delta(x -> y, eps=e)` its δ.",
    "param eps = 4\nconst delta = 1/1000\nsecret x\noutput o\nx ~ flip(1/2)\no ~ normal(x, 2 * log(1.25 / delta) / eps^2)",
)

# --- SEEP3xx exactness ------------------------------------------------------------------------------------------------

PRODUCT_OF_CONTINUOUS = _rule(
    "SEEP301",
    "product-of-continuous",
    _WARNING,
    "two continuous variables are multiplied",
    "The product of two Gaussian variables is not Gaussian: condition i) of the paper's proposition on exactness "
    "asks for linear assignments. The analysis goes on with a Gaussian of the same mean and covariance, and numbers "
    "that depend on it are marked *approximate*, unless exact laws "
    "can be integrated; approximate ones may show no leak where there is one."
    "\n\nWhat to do: nothing, if an approximation is enough. A product with a discrete factor is exact: model a "
    "factor that takes a few values only as discrete.",
    "x ~ normal(0, 1)\ny ~ normal(0, 1)\nz := x * y",
)
NONLINEAR_FUNCTION = _rule(
    "SEEP302",
    "nonlinear-function",
    _WARNING,
    "a nonlinear function of a continuous variable",
    "Only linear functions of Gaussian variables are Gaussian (condition i) of the paper's proposition on "
    "exactness). The analysis goes on with a Gaussian of the same moments where it can, and numbers that depend on "
    "it are marked *approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: ask about the variable itself: mutual information is the same before and after an invertible "
    "function such as `exp`.",
    "x ~ normal(0, 1)\ny := exp(x)",
)
NOT_GAUSSIAN = _rule(
    "SEEP303",
    "not-gaussian",
    _WARNING,
    "a continuous law that is no Gaussian mixture is sampled",
    "Condition ii) of the paper's proposition on exactness asks for Gaussian mixtures. The analysis takes the "
    "normal distribution of the same mean and variance instead, and numbers that depend on it are marked "
    "*approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: use `normal`, a mixture of normals, or a discrete distribution (a table on a grid, for "
    "instance), which all are exact.",
    "x ~ laplace(0, 1)",
)
OBSERVE_INEQUALITY = _rule(
    "SEEP304",
    "observe-inequality",
    _WARNING,
    "an inequality between continuous values is observed",
    "A Gaussian that is cut off is not Gaussian: condition iii) of the paper's proposition on exactness allows "
    "equalities, and conditions on discrete variables. The analysis goes on with the moments of the truncated "
    "distribution, and numbers that depend on it are marked *approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: observe a discrete variable instead, or the value itself (`x == 3`), if that is what is known.",
    "x ~ normal(0, 1)\nobserve(x > 0)",
)
BRANCH_ON_CONTINUOUS = _rule(
    "SEEP305",
    "branch-on-continuous",
    _WARNING,
    "a branch depends on a continuous variable",
    "Each branch gets a Gaussian that is cut off, which is not Gaussian: condition iv) of the paper's proposition "
    "on exactness asks for conditions on discrete variables. Numbers that depend on the branch are marked "
    "*approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: if the condition is a threshold on a sampled value and nothing else depends on that value, "
    "sample its outcome with `bernoulli`, which is exact.",
    "x ~ normal(0, 1)\nif x > 0 { y := 1 } else { y := 0 }",
)
COMPARISON_OF_CONTINUOUS = _rule(
    "SEEP306",
    "comparison-of-continuous",
    _WARNING,
    "the outcome of comparing continuous values is used as a value",
    "A comparison is a nonlinear function (condition i) of the paper's proposition on exactness): together with its "
    "outcome the compared variable is cut off on either side. Numbers that depend on it are marked *approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: if only the outcome matters, sample it with `bernoulli`, which is exact.",
    "x ~ normal(0, 1)\ny := x > 0",
)
VARIANCE_DEPENDS_ON_CONTINUOUS = _rule(
    "SEEP307",
    "variance-depends-on-continuous",
    _WARNING,
    "the variance of a normal depends on a continuous variable",
    "A normal distribution whose spread is itself continuous is no finite Gaussian mixture (condition ii) of the "
    "paper's proposition on exactness). Numbers that depend on it are marked *approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: let the variance depend on discrete variables and parameters only, for instance on one of a few "
    "levels.",
    "x ~ normal(0, 1)\ny ~ normal(0, x^2)",
)
NONLINEAR_MEAN = _rule(
    "SEEP308",
    "nonlinear-mean",
    _WARNING,
    "the mean of a normal is nonlinear in a continuous variable",
    "`y ~ normal(e, v)` is `y := e` plus independent noise, and so exact where `e` is linear in continuous "
    "variables (condition i) of the paper's proposition on exactness). Numbers that depend on it are marked "
    "*approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: use a linear mean, or a discrete variable in place of the continuous one.",
    "x ~ normal(0, 1)\ny ~ normal(x^2, 1)",
)
PARAMETER_DEPENDS_ON_CONTINUOUS = _rule(
    "SEEP309",
    "parameter-depends-on-continuous",
    _WARNING,
    "a distribution's parameter or weight depends on a continuous variable",
    "Parameters of discrete distributions and weights of mixtures may depend on discrete variables and parameters; "
    "a continuous one leaves the Gaussian mixtures (condition ii) of the paper's proposition on exactness). Numbers "
    "that depend on it are marked *approximate*, or are missing."
    "\n\nWhat to do: make the probability depend on a discrete variable.",
    "x ~ normal(0, 1)\ny ~ bernoulli(min(1, max(0, x)))",
)
EQUALITY_OF_CONTINUOUS = _rule(
    "SEEP310",
    "equality-of-continuous",
    _WARNING,
    "continuous values are compared for equality",
    "Two continuous values are equal with probability 0, unless one is computed from the other or one has atoms. "
    "Only as a linear equality in an `observe`, or in an event of a measure, does `==` condition on the density."
    "\n\nWhat to do: compare with `<` and `<=`, compare discrete variables, or `observe` the equality.",
    "x ~ normal(0, 1)\nif x == 0 { y := 1 }",
)
NONLINEAR_EQUALITY = _rule(
    "SEEP311",
    "nonlinear-equality",
    _ERROR,
    "an observed equality is not linear in continuous variables",
    "Conditioning on an event of probability 0 depends on how the event is written: `x / y == 1` and `x - y == 0` "
    "hold for the same values and lead to different posteriors (the Borel-Kolmogorov paradox). A linear equality "
    "has one meaning, the density of the difference of its sides; this is how condition iii) of the paper's "
    "proposition on exactness is to be read."
    "\n\nWhat to do: write the equality so that both sides are linear, if that is what is meant.",
    "x ~ normal(0, 1)\ny ~ normal(0, 1)\nobserve(x / y == 1)",
)
DIVISION_BY_CONTINUOUS = _rule(
    "SEEP312",
    "division-by-continuous",
    _WARNING,
    "something is divided by a continuous variable",
    "The quotient of Gaussian variables is not Gaussian, and often has no mean, so that no normal can stand in for it: "
    "condition i) of the paper's proposition on exactness asks for linear assignments. What depends on it has no "
    "number, or an *approximate* one."
    "\n\nWhat to do: divide by a constant, a parameter or a discrete variable, which is exact. To compare a quotient "
    "with a number, compare the products: `x < 2 * y` for `x / y < 2` where `y` is positive.",
    "x ~ normal(0, 1)\ny := 1 / x",
)
CONDITIONAL_ON_CONTINUOUS = _rule(
    "SEEP313",
    "conditional-on-continuous",
    _WARNING,
    "a conditional expression depends on a continuous variable",
    "`if b then e1 else e2` with a comparison of continuous values in `b` cuts the compared variable off, as a branch "
    "does: condition iv) of the paper's proposition on exactness asks for conditions on discrete variables. Numbers "
    "that depend on it are marked *approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: if the condition is a threshold on a sampled value and nothing else depends on that value, "
    "sample its outcome with `bernoulli`, which is exact.",
    "x ~ normal(0, 1)\ny := if x > 0 then 1 else 2",
)
INDEX_ON_CONTINUOUS = _rule(
    "SEEP314",
    "index-on-continuous",
    _WARNING,
    "an index may be continuous",
    "A random index picks an element for each of its values, so the values must be listed: an index is discrete. Here "
    "it is continuous on some path through the program, where it picks no element. What depends on it may have no "
    "number."
    "\n\nWhat to do: make the index discrete on every path.",
    "a[0] := 3\na[1] := 5\nb ~ bernoulli(1/2)\nk := 1\nif b { k ~ normal(0, 1) }\nif !b { x := a[k] }",
)

# --- SEEP4xx values met while running ---------------------------------------------------------------------------------

UNDEFINED_VALUE = _rule(
    "SEEP401",
    "undefined-value",
    _ERROR,
    "an expression has no value in a reachable state",
    "Division by zero, the logarithm of what is not positive, and the square root of a negative number have no "
    "value. The message names a state that some run reaches (a witness)."
    "\n\nWhat to do: guard the expression: by an `if`, by an `observe` before it, by `and` (`y != 0 and 1 / y > 2`), "
    "or by a conditional expression.",
    "y ~ uniform_int(0, 1)\nz := 1 / y",
)
CANNOT_DECIDE = _rule(
    "SEEP402",
    "cannot-decide",
    _ERROR,
    "two irrational values are too close to compare",
    "Comparisons of values with `exp`, `log` or `sqrt` are decided by simplification or by ball arithmetic. Here "
    "neither decides, and a guess could make every number wrong. The same is told where an infinite support is cut "
    "and no run is seen to pass an observation: whether one passes is not known. Measures that depend on it "
    "have no number then, and none has where an observation depends on it."
    "\n\nWhat to do: rewrite the comparison, for instance without the function; make the observation one that runs pass.",
    "x := exp(sqrt(2) + sqrt(3)) == exp(sqrt(2)) * exp(sqrt(3))",
)
NUMBER_TOO_LARGE = _rule(
    "SEEP403",
    "number-too-large",
    _ERROR,
    "a number has too many digits",
    "Exact arithmetic has a budget on the size of numbers (about 20,000 bits), so that `10^10^10` is an error and "
    "not a hang."
    "\n\nWhat to do: use smaller numbers.",
    "const n = 10^10^10",
)

IMPOSSIBLE_OBSERVATION = _rule(
    "SEEP410",
    "impossible-observation",
    _ERROR,
    "no run passes the observation",
    "The observations up to this one cannot all hold: the probability that is left becomes 0 here. Then there is no "
    "posterior, and no measure has a value."
    "\n\nWhat to do: correct the condition, or the distribution that never meets it.",
    "x ~ bernoulli(1/2)\nobserve(x == 2)",
)
ATOM_BEATS_DENSITY = _rule(
    "SEEP412",
    "atom-beats-density",
    _INFORMATION,
    "an observed value has positive probability in some runs and only a density in others",
    "An atom has infinite density. So runs in which the observed quantity equals the value with positive "
    "probability outweigh all runs in which it is continuous; those vanish."
    "\n\nWhat to do: nothing, if that is meant; else give the exact value a little noise.",
    "b ~ bernoulli(1/2)\nx ~ normal(0, 1)\nif b { y := 1000 } else { y := x }\nobserve(y == 1000)",
)
UNKNOWN_OBSERVATION = _rule(
    "SEEP413",
    "unknown-observation",
    _WARNING,
    "the program is too large to say whether any run passes the observation",
    "Measures leave out what they are independent of, observations as well; their numbers hold if the observation can "
    "pass. Where no run passes it, nothing has a number. Here the part of the program that decides it takes more states "
    "or time than the limits allow. No `require` holds by such a number: it stays undecided."
    "\n\nWhat to do: make that part smaller, or raise the time limit, if it is not plain that some run passes.",
    "x ~ uniform_int(1, 10^12)\nobserve(x * x == 144)\nz ~ bernoulli(1/2)\nshow H(z)",
)
NOT_A_PROBABILITY = _rule(
    "SEEP420",
    "not-a-probability",
    _ERROR,
    "a probability is outside [0, 1] in a reachable state",
    "A probability is a number from 0 to 1. The message names the value that is not, and a state that some run "
    "reaches (a witness)."
    "\n\nWhat to do: correct the expression, or rule those states out by an `observe` or a branch before it.",
    "x ~ uniform_int(1, 4)\ny ~ bernoulli(x / 3)",
)
PROBABILITIES_DO_NOT_SUM_TO_ONE = _rule(
    "SEEP421",
    "probabilities-do-not-sum-to-one",
    _ERROR,
    "the probabilities of a distribution do not sum to 1",
    "The probabilities of a table, the weights of `categorical` and those of a mixture must sum to exactly 1. Nothing "
    "is normalised in silence, because a wrong number would then go unnoticed. Where they depend on variables, the "
    "message names a state that some run reaches (a witness)."
    "\n\nWhat to do: correct a probability, or add what is missing; numbers are exact, so a third is written `1/3`.",
    "x ~ {1: 1/3, 2: 1/3}",
)
INVALID_PARAMETER = _rule(
    "SEEP422",
    "invalid-parameter",
    _ERROR,
    "a parameter of a distribution is out of its range",
    "No distribution has these parameters: variances and scales are not negative, rates are positive, counts and "
    "ends of integer ranges are integers, and `uniform_int(a, b)` needs `a <= b`. Where a parameter depends on "
    "variables, the message names a state that some run reaches (a witness)."
    "\n\nWhat to do: correct the argument, or rule those states out by an `observe` or a branch before it; variance 0 "
    "is allowed, and is a point.",
    "x ~ uniform_int(3, 1)",
)

NOT_BOOLEAN = _rule(
    "SEEP404",
    "not-boolean",
    _ERROR,
    "a condition can be a number other than 0 and 1",
    "Truth values are the numbers 0 and 1. A condition, and an operand of `and`, `or`, `xor`, `not` and `!`, must "
    "be one of them in every state that some run reaches."
    "\n\nWhat to do: compare the number with something: `n != 0`.",
    "n ~ uniform_int(0, 2)\nif n { x := 1 }",
)
INDEX_OUT_OF_RANGE = _rule(
    "SEEP405",
    "index-out-of-range",
    _ERROR,
    "a random index picks an element that does not exist",
    "An element exists if a statement writes it, anywhere in the unrolled program, with an index that is known "
    "beforehand. The message names the value of the index and the elements that exist."
    "\n\nWhat to do: narrow the index, or write the element.",
    "a[1] := 0\nk ~ uniform_int(1, 2)\nx := a[k]",
)

# --- SEEP5xx measures and budgets -------------------------------------------------------------------------------------

UNKNOWN_IN_MEASURE = _rule(
    "SEEP501",
    "unknown-name-in-measure",
    _ERROR,
    "a measure speaks of a name that no statement assigns",
    "Measures speak of the values that variables have when the program ends. A loop variable has none after its "
    "loop, and an array element exists only if some statement writes it."
    "\n\nWhat to do: check the spelling, or assign the variable.",
    "x ~ bernoulli(1/2)\nshow H(y)",
)
IMPOSSIBLE_EVENT = _rule(
    "SEEP504",
    "impossible-event",
    _ERROR,
    "a measure conditions on an event that never happens",
    "No run of the program makes the event true (and it has no density either), so that there is nothing to "
    "measure."
    "\n\nWhat to do: correct the event.",
    "x ~ bernoulli(1/2)\nshow H(x | x == 9)",
)
PARAMETER_WITHOUT_VALUE = _rule(
    "SEEP505",
    "parameter-without-value",
    _ERROR,
    "a measure needs the value of a parameter that has none",
    "Numbers are computed at the defaults of the parameters, and this one has none."
    "\n\nWhat to do: give it a default (`param p = 1/2`) or a value on the command line (`--set p=1/2`).",
    "param p in [0, 1]\nx ~ bernoulli(p)\nshow H(x)",
)
PARAMETER_OUTSIDE_DOMAIN = _rule(
    "SEEP506",
    "parameter-outside-domain",
    _ERROR,
    "the given value of a parameter is outside its domain",
    "The domain in the declaration of a parameter says for which values the program is meant. This comes up where a "
    "value is given from outside, by `--set`, by a setting of the editor or in Python."
    "\n\nWhat to do: give a value inside of the domain, or widen it.",
)
UNFIT_MEASURE = _rule(
    "SEEP507",
    "unfit-measure",
    _ERROR,
    "a measure is applied to what it does not fit",
    "`H` and `I` take variables, the two sides of `KL` equally many, `P` a condition, and powers of measures whole "
    "exponents up to 64; constants and parameters are no variables. Measures of guessing (`V`, `Hmin`, `Guess`, `Lmin`, `G`) take "
    "a discrete secret, and `G` a gain that is known: `guess`, `tries(k)`, `distance` of one number, or a table."
    "\n\nWhat to do: do what the message says; an expression can be assigned to a variable in the program.",
    "x ~ uniform_int(0, 3)\nshow P(x)",
)
UNITS_DO_NOT_FIT = _rule(
    "SEEP508",
    "units-do-not-fit",
    _ERROR,
    "measures are combined, or compared, in units that do not fit",
    "`H`, `I` and `KL` have a unit (bits or nats), `P`, `E` and `Var` have none. Sums need one unit on both sides, "
    "and a result is in one unit or in none."
    "\n\nWhat to do: show the measures on their own, or divide measures of the same unit by each other.",
    "x ~ bernoulli(1/2)\nshow H(x) + P(x)",
)
UNDEFINED_MEASURE = _rule(
    "SEEP509",
    "undefined-measure",
    _ERROR,
    "arithmetic of measures has no value",
    "A division by a measure that is (or may be) 0, or a difference of infinities, has no value; nor have `Lmin` and `G` where "
    "nothing can be gained before anything is seen."
    "\n\nWhat to do: show the measures on their own.",
    "x := 1\nshow H(x) / H(x)",
)
BUDGET_VIOLATED = _rule(
    "SEEP510",
    "leak-budget-violated",
    _ERROR,
    "a required leak budget does not hold",
    "The guaranteed bounds of the measure lie on the wrong side of the budget, so it is certain that it does not "
    "hold."
    "\n\nWhat to do: leak less (more noise, a coarser output), or allow more.",
    "secret s\noutput o\ns ~ bernoulli(1/2)\no := s\nrequire I(s; o) <= 0.5 bits",
)
BUDGET_UNDECIDED = _rule(
    "SEEP511",
    "leak-budget-undecided",
    _WARNING,
    "a required leak budget is neither proved nor refuted",
    "The budget lies between the guaranteed bounds of the measure, the number is only approximate, or there is "
    "none. An undecided budget counts as a failure in `seepage check`."
    "\n\nWhat to do: choose a budget with some room, or keep the program within what is computed exactly (see "
    "SEEP3xx). For ranges behind `over` the message says which part of them is left: narrow the ranges, give the budget "
    "some room, or allow more time.",
    "x ~ normal(0, 1)\ny ~ normal(0, 1)\nz := abs(x * y)\nrequire I(x; z) <= 1/10",
)
COMPLETE_LEAK = _rule(
    "SEEP512",
    "complete-leak",
    _WARNING,
    "an output reveals a continuous secret completely",
    "The mutual information is infinite: the output determines a linear function of the continuous secret exactly, "
    "to every digit."
    "\n\nWhat to do: add noise, or release a coarser value.",
    "secret x\noutput y\nx ~ normal(0, 1)\ny := 2 * x\nshow I(x; y)",
)
TIME_LIMIT = _rule(
    "SEEP513",
    "time-limit-reached",
    _ERROR,
    "the time limit was reached before this was computed",
    "An analysis takes as long as it is given, which is 30 seconds unless you say otherwise. Results that were "
    "there before stay."
    "\n\nWhat to do: raise the limit, ask for less (single variables instead of whole arrays), or make the program "
    "smaller.",
)
READING_OF_CONDITION = _rule(
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


# --- SEEP9xx limits and what is not supported yet ---------------------------------------------------------------------

NOT_SUPPORTED = _rule(
    "SEEP901",
    "not-supported-yet",
    _ERROR,
    "this version has no engine for it yet",
    "The construct belongs to the language, but no engine of this version computes it. Nothing is guessed: what "
    "depends on it has no number."
    "\n\nWhat to do: see the page on the language for what is computed; other measures of the same program keep their "
    "numbers.",
    "n := 3\nwhile n > 0 { n := n - 1 }",
)
BUDGET_EXCEEDED = _rule(
    "SEEP902",
    "limit-reached",
    _ERROR,
    "the analysis grew past its limit",
    "The number of states, components, statements or seconds reached its limit at this statement. Other results "
    "stay."
    "\n\nWhat to do: use a smaller range or an output with fewer values, ask for single variables instead of whole "
    "arrays, or allow more time.",
    "for i in 1..1000000 { x ~ flip(1/2) }\nshow H(x)",
)
FILE_TOO_LONG = _rule(
    "SEEP981",
    "file-too-long",
    _INFORMATION,
    "an editor does not check a text this long",
    "Programs are checked between two keystrokes, so the language server leaves texts of more than 200,000 "
    "characters alone."
    "\n\nWhat to do: run `seepage check`, which reads longer texts; use loops in place of repeated statements.",
)
ANALYSIS_BROKE = _rule(
    "SEEP982",
    "analysis-broke",
    _ERROR,
    "the analysis broke off by a fault of Seepage",
    "The process that analyses ended, or raised an error that is no fault of the program. No number of this run is "
    "shown."
    "\n\nWhat to do: report it, with the program and the details in the log of the language server; saving the file "
    "starts the analysis again.",
)
