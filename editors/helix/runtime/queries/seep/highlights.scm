; No node is matched twice, so that it does not matter which pattern an editor prefers.

["param" "const" "secret" "output" "initial" "final" "show" "require" "over" "observe" "skip" "attacker" "enum" "table" "weight" "given" "max" "min" "bits" "nats"] @keyword
["if" "then" "else"] @keyword.control.conditional
["for" "while" "repeat" "until" "never" "break" "continue"] @keyword.control.repeat
"def" @keyword.function
"return" @keyword.control.return
["import" "from" "as"] @keyword.control.import
["and" "or" "xor" "not" "in"] @keyword.operator

(procedure name: (identifier) @function)
(parameters (identifier) @variable.parameter)
(call function: (identifier) @function)
(call function: (field name: (identifier) @function))
(named_argument name: (identifier) @variable.parameter)
(parameter name: (identifier) @constant)
(constant name: (identifier) @constant)
(enumeration name: (identifier) @type.enum)
(enumeration member: (identifier) @type.enum.variant)
(table name: (identifier) @type)
(import alias: (identifier) @namespace)

(number) @constant.numeric
(boolean) @constant.builtin.boolean
(infinity) @constant.builtin
(string) @string

[":=" "~" "->" "||" "|" "==" "!=" "<=" ">=" "<" ">" "=" ".." "+" "-" "*" "/" "%" "^" "!"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":" "."] @punctuation.delimiter

(line_comment) @comment.line
(block_comment) @comment.block
(documentation) @comment.line.documentation
