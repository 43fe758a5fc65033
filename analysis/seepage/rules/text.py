"""Rules on the text and its syntax: SEEP0xx."""

from __future__ import annotations

from seepage.diagnostics import Severity
from seepage.rules.registry import rule

UNKNOWN_CHARACTER = rule(
    "SEEP001",
    "unknown-character",
    Severity.ERROR,
    "a character that the language does not use",
    "Seep is written with letters, digits and `_` (of any script), the signs of the language, and spaces, tabs and "
    "line ends. No-break spaces and invisible marks usually come from copying a web page."
    "\n\nWhat to do: write the spelling that the message names (`<=` for `≤`, `*` for `×`, `and` for `&&`), or remove "
    "the character.",
    "x := 3 × 4",
)
UNTERMINATED_COMMENT = rule(
    "SEEP002",
    "unterminated-comment",
    Severity.ERROR,
    "a comment that never ends",
    "A comment that `/*` opens goes on to the `*/` that belongs to it. Comments nest, so each `/*` inside needs its "
    "own `*/`."
    "\n\nWhat to do: add the missing `*/`, or use `//` for comments that end with their line.",
    "/* here begins a comment",
)
MALFORMED_NUMBER = rule(
    "SEEP003",
    "malformed-number",
    Severity.ERROR,
    "a number that is not written as numbers are",
    "A number has digits on both sides of its point, and no letter, digit or `_` directly behind it. Numbers are "
    "exact, and one literal may have about a thousand digits."
    "\n\nWhat to do: write `0.5` and not `.5`, `5` and not `5.`, `2 * y` and not `2y`.",
    "x := 2y",
)
TEXT_TOO_LARGE = rule(
    "SEEP004",
    "text-too-large",
    Severity.ERROR,
    "the file is too large to be read",
    "A text of this size takes longer to read than anybody waits for an answer, so it is not read at all."
    "\n\nWhat to do: use loops in place of repeated statements, or split the program into several files that are "
    "analysed on their own.",
)
STATEMENT_TOO_LONG = rule(
    "SEEP005",
    "statement-too-long",
    Severity.ERROR,
    "one statement is too long",
    "The time that reading takes grows with the longest statement, and an editor reads a statement again at each "
    "keystroke. The limit is 100,000 characters."
    "\n\nWhat to do: split a long table or expression over several variables.",
)
NESTED_TOO_DEEPLY = rule(
    "SEEP006",
    "nested-too-deeply",
    Severity.ERROR,
    "an expression or a block is nested too deeply",
    "Expressions may be 200 levels deep, sums 200 terms long (such a sum is that deep), and blocks 100 levels deep."
    "\n\nWhat to do: assign a part of the expression to a variable, or use a loop.",
)
UNREADABLE_FILE = rule(
    "SEEP007",
    "unreadable-file",
    Severity.ERROR,
    "a file that cannot be read as a program",
    "The file is missing, a directory, empty, too large, not a text in UTF-8, or its permissions keep it from being "
    "read. The command line reports it at line 1, column 1, and goes on with the other files."
    "\n\nWhat to do: correct the path or the permissions, and save the program as text in UTF-8.",
)
UNEXPECTED = rule(
    "SEEP010",
    "unexpected-token",
    Severity.ERROR,
    "something stands where it cannot stand",
    "The text up to here can be read, but not together with what follows. The message names what was found, and "
    "what could stand there."
    "\n\nWhat to do: correct it at this place or directly before it.",
    "x := 1 + ) 2",
)
CUT_OFF = rule(
    "SEEP011",
    "incomplete-statement",
    Severity.ERROR,
    "a statement ends before it is complete",
    "The next statement begins, or the file ends, before this one is complete. No line end finishes a statement, so "
    "the place is that of the last thing that belonged to it."
    "\n\nWhat to do: complete the statement with what the message expects.",
    "x := 1 +",
)
SINGLE_EQUALS = rule(
    "SEEP012",
    "single-equals",
    Severity.ERROR,
    "a single '=' where nothing is declared or named",
    "`==` compares and `:=` assigns. A single `=` stands only in declarations and behind the name of an argument, "
    "so that a comparison is never taken for an assignment."
    "\n\nWhat to do: write `==`.",
    "if a = 1 { skip }",
)
COMPARISON_CHAIN = rule(
    "SEEP013",
    "comparison-chain",
    Severity.ERROR,
    "comparisons are chained",
    "`a < b < c` means one thing in mathematics and another in most programming languages, so it has no meaning "
    "here."
    "\n\nWhat to do: write `a < b and b < c`, or put parentheses around the comparison whose truth value (0 or 1) is "
    "to be compared.",
    "observe 1 < x < 3",
)
KEYWORD_AS_NAME = rule(
    "SEEP014",
    "keyword-as-name",
    Severity.ERROR,
    "a keyword is used as a name",
    "The words `param const secret output initial final if then else for in while observe skip show require over "
    "bits nats and or xor not true false inf` are reserved."
    "\n\nWhat to do: choose another name.",
    "over := 3",
)
NO_STATEMENT = rule(
    "SEEP015",
    "not-a-statement",
    Severity.ERROR,
    "what is written is no statement",
    "A statement assigns (`x := e`), samples (`x ~ D`), observes, branches, repeats or skips. An expression on its "
    "own has no effect."
    "\n\nWhat to do: assign it to a variable, or remove it; for a misspelt keyword, take the word that the message "
    "proposes.",
    "x = 3",
)
MISSING_BRACE = rule(
    "SEEP016",
    "missing-brace",
    Severity.ERROR,
    "a brace is missing",
    "Blocks stand in braces. That a `}` is missing is known by counting; where it is missing is a guess from the "
    "indentation."
    "\n\nWhat to do: add the brace where the block ends, or begins.",
    "if a { x := 1",
)
EXTRA_BRACE = rule(
    "SEEP017",
    "extra-brace",
    Severity.ERROR,
    "a brace too many",
    "A `}` closes a block that `if`, `else` or `for` opened, and here none is open. A `{` opens a block only after "
    "one of these."
    "\n\nWhat to do: remove the brace, or add the one that is missing before.",
    "x := 1 }",
)
MISPLACED_ELSE = rule(
    "SEEP018",
    "else-without-if",
    Severity.ERROR,
    "an 'else' that belongs to no 'if'",
    "`else` comes directly behind the block of an `if` or an `else if`; only one `else` without a condition ends "
    "such a chain."
    "\n\nWhat to do: put the `else` behind the `}` that it belongs to.",
    "else { x := 1 }",
)
SEMICOLON_BEFORE_ELSE = rule(
    "SEEP019",
    "semicolon-before-else",
    Severity.ERROR,
    "a ';' before 'else', 'until' or 'never'",
    "Semicolons separate statements, and `else`, `until` and `never` continue one.\n\nWhat to do: remove the semicolon.",
    "if a { x := 1 }; else { x := 2 }",
)
DECLARATION_IN_BLOCK = rule(
    "SEEP020",
    "declaration-in-block",
    Severity.ERROR,
    "a declaration inside a block",
    "Declarations, procedures, enumerations and tables hold for the whole file, whatever branch is taken, so they stand outside of every block."
    "\n\nWhat to do: move the declaration out of the block.",
    "if a { secret x }",
)
MISPLACED_DISTRIBUTION = rule(
    "SEEP021",
    "misplaced-distribution",
    Severity.ERROR,
    "a distribution inside an expression",
    "`x ~ D` samples from a distribution, and each sampling is a draw of its own; a distribution is no value that "
    "could be added or assigned."
    "\n\nWhat to do: sample into a variable with `~`, and use the variable.",
    "x := 1 + normal(0, 1)",
)
NO_DISTRIBUTION = rule(
    "SEEP022",
    "not-a-distribution",
    Severity.ERROR,
    "no distribution where one is due",
    "Behind `~` stands a distribution: a call such as `bernoulli(1/2)`, a table `{value: probability}`, a weighted "
    "sum `1/2*D1 + 1/2*D2`, or `mixture(weight: D, …)`."
    "\n\nWhat to do: write a distribution, or assign a value with `:=`.",
    "x ~ 3",
)
MISPLACED_MEASURE = rule(
    "SEEP023",
    "misplaced-measure",
    Severity.ERROR,
    "a measure inside an expression, or an expression where a measure is due",
    "A measure is a number that belongs to the whole program, not to a run. So it stands in `show` and `require` "
    "only, where measures and numbers combine by `+ - * / ^`."
    "\n\nWhat to do: move the measure into a `show`; where a measure is missing, write one, such as `H(x)`.",
    "x := I(r; o)",
)
MALFORMED_MEASURE = rule(
    "SEEP024",
    "malformed-measure",
    Severity.ERROR,
    "a measure is not written as it should be",
    "Each measure has a form of its own: `H(x | y)`, `I(x; y | z)`, `KL(x || y)`, `P(b | c)`, `E(e | c)`, `Var(e | "
    "c)`, `Hmin(x | y)`, `V(x | y)`, `Guess(x | y)`, `Lmin(x -> y)`, `C(x -> y)` (for real inputs `C(x -> y, power=p)`), `Cmin(x -> y)`, `DP(x -> y, "
    "distance=k, delta=d | z)` (or with `metric=euclid`, `neighbours={(v, w), …}`), `Delta(x -> y, eps=e, distance=k)`, `Renyi(x -> y, alpha=a)`, `zCDP(x -> y)` and `G(x -> y, gain)`. Most take variables, not "
    "expressions, and behind `|` either variables or one event."
    "\n\nWhat to do: follow the form that the message names; assign an expression to a variable of the program and "
    "name that.",
    "show I(x, y)",
)
MISPLACED_INFINITY = rule(
    "SEEP025",
    "misplaced-infinity",
    Severity.ERROR,
    "'inf' outside of an interval",
    "`inf` and `-inf` are ends of intervals, as in `param x in [0, inf)`. Calculating with them would soon have no "
    "meaning."
    "\n\nWhat to do: use a number, or leave the end of the interval open.",
    "x := inf",
)
MALFORMED_PART = rule(
    "SEEP026",
    "malformed-expression",
    Severity.ERROR,
    "an expression holds what no expression has",
    "Functions take positional arguments only. Lists in parentheses, tables and `weight: distribution` belong to "
    "gain tables and distributions; a positional argument does not follow a named one."
    "\n\nWhat to do: write one value, or put positional arguments first.",
    "x := min(1: 2)",
)

JOINED_LINES = rule(
    "SEEP030",
    "joined-lines",
    Severity.WARNING,
    "a line continues the statement above, perhaps by accident",
    "The end of a line finishes no statement. A line that begins with `-`, `(` or `[` therefore goes on with the "
    "line above, even if that one was complete: deleting `y :=` from `y := -b` changes what stands above it. "
    "The formatter leaves the line as far left as its statement, so that it is seen."
    "\n\nWhat to do: indent the line if it continues the one above, else complete it.",
    "x := a\n-b",
)
COMMENT_FOR_DIVISION = rule(
    "SEEP031",
    "comment-for-division",
    Severity.WARNING,
    "a comment that looks like an integer division",
    "`//` begins a comment, so that what stands behind it is not read."
    "\n\nWhat to do: write `floor(a / b)` for integer division; add a word to the comment if it is meant as one.",
    "x := a // 2",
)
TURNED_TEXT = rule(
    "SEEP032",
    "turned-text",
    Severity.WARNING,
    "a comment that turns the direction of the text",
    "Invisible marks make editors show what follows from right to left, so that a comment can look like code, and code like a comment. "
    "Scripts that are written from right to left need no such marks."
    "\n\nWhat to do: remove the marks.",
    "x := 0 // \N{FIRST STRONG ISOLATE}nothing yet\N{POP DIRECTIONAL ISOLATE}\nshow H(x)",
)
MISPLACED_JUMP = rule(
    "SEEP033",
    "misplaced-jump",
    Severity.ERROR,
    "a word of a loop or procedure that stands in none",
    "`break` and `continue` belong to the innermost loop around them, `return` to its procedure; `until` follows the block of "
    "`repeat`, and `never` the loop whose endless runs it continues."
    "\n\nWhat to do: move it to where it belongs.",
    "x := 1\nbreak",
)
