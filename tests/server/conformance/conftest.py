from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.server.editor_text import ENCODINGS
from tests.server.wire import Message, Wire

CLIENTS = Path(__file__).parents[1] / "clients"


def capable(encoding: str) -> Message:
    """Return the parameters of a client that can do everything, with one encoding of positions."""
    params: Message = json.loads((CLIENTS / "vscode-1.139.1.json").read_text(encoding="utf-8"))
    params["capabilities"]["general"]["positionEncodings"] = [encoding]
    return params | {"processId": None}


@pytest.fixture(params=ENCODINGS)
def encoding(request: pytest.FixtureRequest) -> str:
    named: str = request.param
    return named


@pytest.fixture
def agreed(faked: Wire, encoding: str) -> Wire:
    """A server whose analyses end when the test says so, with a client that can do everything in one encoding."""
    told = faked.initialize(capable(encoding))
    assert told["capabilities"]["positionEncoding"] == encoding
    return faked
