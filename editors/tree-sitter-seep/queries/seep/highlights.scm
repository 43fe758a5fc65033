; No node is matched twice, so that it does not matter which pattern an editor prefers.

; Words
["param" "const" "secret" "output" "initial" "final" "show" "require" "over" "observe" "skip" "attacker" "enum" "table" "weight" "given" "max" "min" "bits" "nats"] @keyword
["if" "then" "else"] @keyword.conditional
["for" "while" "repeat" "until" "never" "break" "continue"] @keyword.repeat
"def" @keyword.function
"return" @keyword.return
["import" "from" "as"] @keyword.import
["and" "or" "xor" "not" "in"] @keyword.operator

; Names
(procedure name: (identifier) @function)
(parameters (identifier) @variable.parameter)
(call function: (identifier) @function.call)
(call function: (field name: (identifier) @function.call))
(named_argument name: (identifier) @variable.parameter)
(parameter name: (identifier) @constant)
(constant name: (identifier) @constant)
(enumeration name: (identifier) @type)
(enumeration member: (identifier) @constant)
(table name: (identifier) @type)
(import alias: (identifier) @module)

; Values
(number) @number
(boolean) @boolean
(infinity) @constant.builtin
(string) @string

; Signs
[":=" "~" "->" "||" "|" "==" "!=" "<=" ">=" "<" ">" "=" ".." "+" "-" "*" "/" "%" "^" "!"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":" "."] @punctuation.delimiter

; Comments
[(line_comment) (block_comment)] @comment
(documentation) @comment.documentation
