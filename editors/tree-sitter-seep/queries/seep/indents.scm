; With the names of nvim-treesitter.
[(block) (enumeration) (arguments) (parameters) (array) (comprehension) (parenthesized) (tuple) (set) (law)] @indent.begin
["}" ")" "]"] @indent.branch
(block "}" @indent.end)
(block_comment) @indent.auto
