"""A program that is closed: whoever shows its numbers is told, and questions about it say its name."""

from __future__ import annotations

import pytest
from tests.server.wire import wired

URI = "file:///project/a%20b/poll.seep"


@pytest.mark.parametrize("panel", [True, False])
def test_a_client_with_a_panel_is_told_that_a_program_is_closed(panel: bool) -> None:
    with wired() as wire:
        wire.initialize({"initializationOptions": {"panel": panel}})
        wire.open("secret s\ns ~ bernoulli(1/2)\n", uri=URI)
        wire.settle()
        wire.shut(URI)
        error = wire.request("seepage/results", {"textDocument": {"uri": URI}})["error"]
        told = [one["params"] for one in wire.received if one.get("method") == "seepage/resultsChanged"]

    assert (error["code"], error["message"]) == (-32803, "'poll.seep' is not open in the editor")
    assert [one for one in told if one["state"] == "closed"] == [{"uri": URI, "version": 1, "state": "closed"}][:panel]
