; No node is matched twice, so that it does not matter which pattern an editor prefers.

["param" "const" "secret" "output" "initial" "final" "show" "require" "over" "observe" "skip" "attacker" "enum" "table" "weight" "given" "max" "min" "bits" "nats" "if" "then" "else" "for" "while" "repeat" "until" "never" "break" "continue" "def" "return" "import" "from" "as" "and" "or" "xor" "not" "in"] @keyword

(procedure name: (identifier) @function)
(parameters (identifier) @variable.parameter)
(call function: (identifier) @function)
(call function: (field name: (identifier) @function))
(named_argument name: (identifier) @variable.parameter)
(parameter name: (identifier) @constant)
(constant name: (identifier) @constant)
(enumeration name: (identifier) @enum)
(enumeration member: (identifier) @variant)
(table name: (identifier) @type)
(import alias: (identifier) @namespace)

(number) @number
(boolean) @boolean
(infinity) @constant
(string) @string

[":=" "~" "->" "||" "|" "==" "!=" "<=" ">=" "<" ">" "=" ".." "+" "-" "*" "/" "%" "^" "!"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":" "."] @punctuation.delimiter

[(line_comment) (block_comment)] @comment
(documentation) @comment.doc
