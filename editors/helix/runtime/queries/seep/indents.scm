[(block) (enumeration) (arguments) (parameters) (array) (comprehension) (parenthesized) (tuple) (set) (law)] @indent
["}" ")" "]"] @outdent
