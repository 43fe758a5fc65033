"""Texts that are read and mean harm: deep, long, wide, endless, turned around. Each is told plainly, in seconds, by whoever gets it."""

from __future__ import annotations

SMALL = "secret s\noutput o\ns ~ uniform_int(0, 3)\no := s % 2\n"

TEXTS: dict[str, str] = {
    "nothing": "",
    "parentheses": f"{SMALL}x := {'(' * 100_000}s{')' * 100_000}\n",
    "open brackets": f"x := {'[' * 20_000}\n",
    "blocks": f"{'if true {' * 4_000}{'}' * 4_000}\n",
    "signs": f"x := {'-' * 40_000}1\n",
    "open comments": "/*" * 50_000,
    "quotes": '"' * 50_001,
    "turned": f"{SMALL}// \N{RIGHT-TO-LEFT OVERRIDE} s =: o \N{LEFT-TO-RIGHT ISOLATE}\n",
    "line ends": "secret s\r\noutput o\rs ~ flip(1/2)\no := s\r\n",
    "half a letter": SMALL + "// \udc80\N{REPLACEMENT CHARACTER}\n".encode("utf-8", "replace").decode(),
    "escapes": f"{SMALL}// \x1b[31m\x1b]0;title\x07\n",
    "a long line": f"{SMALL}x := 1{' + 1' * 30_000}\n",
    "a long name": f"{SMALL}{'a' * 50_000} := 1\n",
    "a tall letter": f"x{chr(0x301) * 20_000} := 1\n",
    "many rounds": "x := 0\nfor i in 1..1000000000 { x := x + 1 }\n",
    "a tower": f"{SMALL}x := 2^2^2^2^2^2^2 * s\n",
    "many states": "for i in 1..40 { s[i] ~ flip(1/2) }\no := sum(s[i] * i * i for i in 1..40) % 1009\nsecret s\noutput o\n",
    "an endless run": "x := 0\nwhile true { x := x + 1 }\n",
    "an endless call": "def f(n) { return f(n + 1) }\nx := f(1)\n",
    "no value": f"{SMALL}x := 1/0\ny := log(-1)\nz := s / (s - s)\n",
    "itself": f'import "hostile.seep"\n{SMALL}',
}
