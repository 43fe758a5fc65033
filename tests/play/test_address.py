"""Who is let in: the token, the host and the origin, each by itself."""

from __future__ import annotations

import pytest

from seepage_play.address import Address, Refused, Request

HERE = Address(4711, "token")


def asked(
    path: str = "/token/", hosts: tuple[str, ...] = ("127.0.0.1:4711",), origins: tuple[str, ...] = ()
) -> Request:
    return Request(path, hosts, origins)


def test_the_page_is_at_its_address() -> None:
    assert HERE.url == "http://127.0.0.1:4711/token/"
    assert HERE.read(asked(), is_socket=False) == ""
    assert HERE.read(asked("/token/play.js?v=1"), is_socket=False) == "play.js"
    assert HERE.read(asked(hosts=("localhost:4711",)), is_socket=False) == ""


@pytest.mark.parametrize(
    "path", ["/", "/token", "/toke/", "/tokens/", "//token/", "/TOKEN/", "/%74oken/", "", "/é/", "/../token/"]
)
def test_without_the_token_nothing_is_answered(path: str) -> None:
    found = HERE.read(asked(path), is_socket=False)

    assert isinstance(found, Refused)
    assert found.status == 403
    assert "token" in found.why


@pytest.mark.parametrize(
    "hosts",
    [
        (),
        ("evil.example:4711",),
        ("127.0.0.1",),
        ("127.0.0.1:80",),
        ("127.0.0.1.evil.example:4711",),
        ("127.0.0.1:4711", "evil.example"),
    ],
)
def test_another_name_of_this_machine_is_that_of_somebody_else(hosts: tuple[str, ...]) -> None:
    found = HERE.read(asked(hosts=hosts), is_socket=False)

    assert isinstance(found, Refused)
    assert found.status == 421


@pytest.mark.parametrize(
    "origins",
    [
        ("http://evil.example",),
        ("null",),
        ("https://127.0.0.1:4711",),
        ("http://127.0.0.1:4712",),
        ("http://localhost:4711",),
        ("http://127.0.0.1:4711", "null"),
    ],
)
@pytest.mark.parametrize("is_socket", [True, False])
def test_pages_of_other_origins_are_refused(origins: tuple[str, ...], is_socket: bool) -> None:
    found = HERE.read(asked(origins=origins), is_socket=is_socket)

    assert isinstance(found, Refused)
    assert found.status == 403


def test_a_socket_says_which_page_opens_it() -> None:
    assert isinstance(HERE.read(asked("/token/socket"), is_socket=True), Refused)
    assert HERE.read(asked("/token/socket", origins=("http://127.0.0.1:4711",)), is_socket=True) == "socket"


def test_tokens_are_long_and_no_two_alike() -> None:
    tokens = {Address(1).token for _ in range(100)}

    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 32
