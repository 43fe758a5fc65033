(procedure "def" @context name: (identifier) @name) @item
(parameter "param" @context name: (identifier) @name) @item
(constant "const" @context name: (identifier) @name) @item
(enumeration "enum" @context name: (identifier) @name) @item
(table "table" @context name: (identifier) @name) @item
(secret "secret" @context target: (identifier) @name) @item
(output "output" @context target: (identifier) @name) @item
