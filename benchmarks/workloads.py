"""The jobs of Seepage that are measured."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.task import Job

EXAMPLES = Path(__file__).parents[1] / "examples"


def seep_lines(count: int) -> str:
    """Return a straight-line program with ``count`` statements."""
    first = "x0 ~ uniform_int(0, 1)\n"
    return first + "".join(f"x{i} := (x{i - 1} + {i % 7}) * 2 - x{i // 2}\n" for i in range(1, count))


def parse_lines() -> Job:
    """Parse 5000 lines; the parser's tables are built before."""
    from seepage.source import SourceFile
    from seepage.syntax.parse import parse

    parse(SourceFile("warm.seep", "x := 1\n"))
    source = SourceFile("long.seep", seep_lines(5000))
    return lambda: parse(source)


def edit_lines() -> Job:
    """Type a letter in the middle of 5000 lines; the text before was parsed, as in an editor."""
    return _typed(seep_lines(5000))


def edit_block() -> Job:
    """Type a letter in the middle of one block of 5000 lines."""
    return _typed("if true {\n" + seep_lines(5000) + "}\n")


def _typed(text: str) -> Job:
    from seepage.diagnostics import Edit
    from seepage.source import Span
    from seepage.syntax.incremental import parse_text

    at = text.index("\n", len(text) // 2)
    parsed = parse_text(text).edit(Edit(Span(at, at), " + y"))
    return lambda: parsed.edit(Edit(Span(at + 4, at + 4), "z"))


def parse_block() -> Job:
    """Parse one block of 5000 lines."""
    from seepage.source import SourceFile
    from seepage.syntax.parse import parse

    parse(SourceFile("warm.seep", "x := 1\n"))
    source = SourceFile("long.seep", "if true {\n" + seep_lines(5000) + "}\n")
    return lambda: parse(source)


def check_lines() -> Job:
    """Check 5000 lines as at a keystroke."""
    from seepage.semantics.check import check
    from seepage.source import SourceFile

    check(SourceFile("warm.seep", "x := 1\n"))
    source = SourceFile("long.seep", seep_lines(5000))
    return lambda: check(source)


def seep_blocks(count: int) -> str:
    """Return a program of ``count`` lines: branches of two statements each."""
    block = "if s == {0} {{\n  y{1} := s + {1}\n  z{1} ~ normal(y{1}, 1)\n}}\n"
    return "secret s\ns ~ flip(0.5)\n" + "".join(block.format(i % 2, i) for i in range(count // 4)) + "output y1, z2\n"


def type_in_lines() -> Job:
    """Type a digit in the middle of 5000 lines and say again what is wrong with them, as an editor does at each key press."""
    return _typed_and_checked(seep_lines(5000) + "secret x0\noutput x4999\n")


def type_in_block() -> Job:
    """The same in one block of 5000 lines."""
    return _typed_and_checked("if true {\n" + seep_lines(5000) + "}\n")


def type_in_blocks() -> Job:
    """The same in 5000 lines of small blocks."""
    return _typed_and_checked(seep_blocks(5000))


def type_in_open_block() -> Job:
    """The same in one block of 5000 lines that is never closed, as while its end is being typed."""
    return _typed_and_checked("if true {\n" + "".join(f"  {line}\n" for line in seep_lines(5000).splitlines()))


def seep_constructs(count: int) -> str:
    """Return a program of ``count`` lines of which a third are beyond the core: arrays, comprehensions, calls of a procedure, membership."""
    round_ = "a{0} := [1, 2, s]\nb{0} := sum(v for v in a{0})\nn{0} ~ noisy(s)\nq{0} := n{0} in {{1, 2}}\n" + "".join(
        f"x{at}_{{0}} := s + {at}\n" for at in range(8)
    )
    return (
        "secret s\noutput o\ns ~ uniform_int(0, 3)\ndef noisy(x) {\n  n ~ uniform_int(-1, 1)\n  observe x + n >= 0\n  return x + n\n}\n"
        + "".join(round_.format(number) for number in range(count // 12))
        + "o := s\nshow I(s; o)\n"
    )


def type_in_constructs() -> Job:
    """The same in 5000 lines with constructs beyond the core."""
    return _typed_and_checked(seep_constructs(5000))


def check_constructs() -> Job:
    """Check 5000 lines with constructs beyond the core from the start."""
    from seepage.semantics.check import check
    from seepage.source import SourceFile

    check(SourceFile("warm.seep", "x := 1\n"))
    source = SourceFile("long.seep", seep_constructs(5000))
    return lambda: check(source)


def check_blocks() -> Job:
    """Check 5000 lines of small blocks from the start."""
    from seepage.semantics.check import check
    from seepage.source import SourceFile

    check(SourceFile("warm.seep", "x := 1\n"))
    source = SourceFile("long.seep", seep_blocks(5000))
    return lambda: check(source)


def _typed_and_checked(text: str) -> Job:
    from seepage.diagnostics import Edit
    from seepage.semantics.check import check_parsed
    from seepage.source import SourceFile, Span
    from seepage.syntax.incremental import parse_text

    at = text.index("\n", len(text) // 2)
    parsed = parse_text(text)
    before = check_parsed(SourceFile("long.seep", text), parsed.result)

    def press(key: str) -> object:
        after = parsed.edit(Edit(Span(at, at), key))
        return check_parsed(SourceFile("long.seep", after.text), after.result, before)

    press("2")  # another key, so that nothing of the one that counts is known before
    return lambda: press("1")


def poll_of_100() -> Job:
    """I(r[1]; o) of the poll with 100 people."""
    import seepage

    text = (EXAMPLES / "randomized-response.seep").read_text(encoding="utf-8")
    seepage.parse(text).measure("I(r[1]; o)")
    program = seepage.parse(text.replace("const n = 6", "const n = 100"))
    return lambda: program.measure("I(r[1]; o)")


def gaussian_mechanism() -> Job:
    """I(inc[1]; out) of the Gaussian mechanism, with bounds."""
    import seepage

    program = seepage.load(EXAMPLES / "gaussian-mechanism.seep")
    program.measure("H(out)")
    return lambda: program.measure("I(inc[1]; out)", unit="nats")


def start_server() -> Job:
    """Start the language server and wait until it has answered `initialize`."""
    body = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {"processId": None, "rootUri": None, "capabilities": {}},
        }
    )
    message = f"Content-Length: {len(body)}\r\n\r\n{body}".encode()

    def start() -> None:
        with subprocess.Popen(
            [sys.executable, "-m", "seepage_lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(message)
            server.stdin.flush()
            server.stdout.readline()
            server.kill()

    return start
