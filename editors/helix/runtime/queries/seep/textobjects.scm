(procedure body: (_) @function.inside) @function.around
(parameters (identifier) @parameter.inside)
(arguments (_) @parameter.inside)
[(line_comment) (block_comment) (documentation)] @comment.inside
(documentation)+ @comment.around
