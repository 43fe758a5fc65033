"""The grammar for tree-sitter, compiled here, held to our own parser."""
