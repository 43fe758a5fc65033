(procedure name: (identifier) @name) @definition.function
[(parameter name: (identifier) @name) (constant name: (identifier) @name)] @definition.constant
[(enumeration name: (identifier) @name) (table name: (identifier) @name)] @definition.type
