[(source_file) (procedure) (for_statement) (comprehension) (generator)] @local.scope

(procedure name: (identifier) @local.definition.function)
(parameters (identifier) @local.definition.parameter)
(for_statement name: (identifier) @local.definition.var)
(clause name: (identifier) @local.definition.var)
(assignment target: (identifier) @local.definition.var)
(draw target: (identifier) @local.definition.var)
(attacker target: (identifier) @local.definition.var)
(parameter name: (identifier) @local.definition.parameter)
(constant name: (identifier) @local.definition.constant)
(enumeration name: (identifier) @local.definition.enum)
(table name: (identifier) @local.definition.type)
(import alias: (identifier) @local.definition.import)
(import name: (identifier) @local.definition.import)

(identifier) @local.reference
