"""Places of Python's nodes in the text: its columns count bytes in UTF-8, ours code points."""

from __future__ import annotations

import ast

from seepage.source import Span


class Places:
    """The places of a text that Python has parsed."""

    def __init__(self, text: str) -> None:
        self._text = text
        # Python ends lines at \n, \r and \r\n, as it reads them.
        self._lines = text.replace("\r\n", "\n ").replace("\r", "\n").split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line (from 1) and a column in bytes."""
        if not 1 <= line <= len(self._lines):
            return len(self._text)
        start, content = self._starts[line - 1], self._lines[line - 1]
        lead = 1 if line > 1 and self._text[start - 1 : start + 1] == "\r\n" else 0
        content = content[lead:]
        if line == 1 and content.startswith("\ufeff"):
            lead, content = 1, content[1:]
        if content.isascii():
            return start + lead + min(column, len(content))
        return start + lead + len(content.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))

    def span(self, node: ast.AST) -> Span:
        """Return the place of a node; of a definition or a compound statement, of its first line."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        start = self.offset(line, column)
        end_line, end_column = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", column)
        body = getattr(node, "body", None)
        if isinstance(body, list) and end_line > line:
            end = self.offset(line, len(self._lines[line - 1].encode("utf-8", "surrogatepass")))
        else:
            end = self.offset(end_line, end_column)
        return Span(start, max(start, min(end, len(self._text))))

    def text(self, node: ast.AST) -> str:
        """Return the text of a node."""
        span = self.span(node)
        return self._text[span.start : span.end]
