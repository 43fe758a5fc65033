(procedure name: (identifier) @name) @definition.function
(parameter name: (identifier) @name) @definition.constant
(constant name: (identifier) @name) @definition.constant
(enumeration name: (identifier) @name) @definition.type
(table name: (identifier) @name) @definition.type
(secret target: (identifier) @name) @definition.variable
(output target: (identifier) @name) @definition.variable

(call function: (identifier) @name) @reference.call
