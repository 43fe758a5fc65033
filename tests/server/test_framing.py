from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seepage_lsp.framing import FrameBuffer, FramingError, frame


def bodies(data: bytes, cuts: list[int] | None = None) -> list[bytes]:
    """Feed data in pieces."""
    buffer, ends = FrameBuffer(), sorted({*(cuts or []), len(data)})
    found: list[bytes] = []
    start = 0
    for end in ends:
        found += buffer.feed(data[start:end])
        start = end
    return found


@given(st.lists(st.binary(max_size=20), max_size=4), st.lists(st.integers(0, 200), max_size=5))
def test_frames_arrive_whole_however_the_stream_is_cut(contents: list[bytes], cuts: list[int]) -> None:
    data = b"".join(frame(content) for content in contents)

    assert bodies(data, [min(cut, len(data)) for cut in cuts]) == contents


@pytest.mark.conforms(10)
@pytest.mark.parametrize(
    "header",
    [
        b"content-length: 2",
        b"CONTENT-LENGTH:2",
        b"Content-Length:   2  ",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2",
        b"Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\nX-Other: a: b",
    ],
)
def test_case_order_and_extra_headers_do_not_matter(header: bytes) -> None:
    assert bodies(header + b"\r\n\r\n{}") == [b"{}"]


@pytest.mark.parametrize(
    "data",
    [b"X: 1\r\n\r\n{}", b"Content-Length: two\r\n\r\n{}", b"Content-Length: -2\r\n\r\n", b"x" * 20_000,
     b"Content-Length: 99999999999\r\n\r\n", b"Content-Length: 100000001\r\n\r\n", b"Content-Length:\r\n\r\n",
     b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n", b"Content-Length: \xb2\r\n\r\n"],
)  # fmt: skip
def test_a_stream_without_usable_lengths_is_given_up(data: bytes) -> None:
    with pytest.raises(FramingError):
        bodies(data)


def test_lines_that_end_without_carriage_return_are_told_and_not_waited_for() -> None:
    with pytest.raises(FramingError, match=r"ends with \\n, expected \\r\\n"):
        bodies(b"Content-Length: 2\n\n{}")


def test_blanks_before_a_header_do_not_matter() -> None:
    data = b"\n\r\nContent-Length: 2\r\n\r\n{}"

    assert bodies(data, list(range(len(data)))) == [b"{}"]


def test_zeros_before_a_length_do_not_matter() -> None:
    assert bodies(b"Content-Length: " + b"0" * 5_000 + b"2\r\n\r\n{}") == [b"{}"]
