"""Which analysis is next where several wait: that of the document that somebody looks at."""

from __future__ import annotations

import asyncio

from tests.server.raw_client import raw_client

from seepage_lsp.turns import Turns


def test_the_highest_rank_of_the_moment_is_next_and_of_equals_the_first() -> None:
    began: list[str] = []
    ranks = dict.fromkeys("abcd", 0.0)

    async def main() -> None:
        turns = Turns(1)

        async def work(name: str) -> None:
            await turns.acquire(lambda: ranks[name])
            began.append(name)

        await turns.acquire(lambda: 0.0)
        tasks = [asyncio.create_task(work(name)) for name in ranks]
        await asyncio.sleep(0)
        ranks["c"] = 1.0  # after it began to wait
        for _ in ranks:
            turns.release()
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)

    asyncio.run(main())
    assert began == ["c", "a", "b", "d"]


def test_a_place_is_not_lost_with_who_gave_up() -> None:
    async def main() -> int:
        turns = Turns(1)
        await turns.acquire(lambda: 0.0)
        waiting, given, cancelled = (asyncio.create_task(turns.acquire(lambda: 0.0)) for _ in range(3))
        await asyncio.sleep(0)
        waiting.cancel()  # while it waits
        await asyncio.sleep(0)
        cancelled.cancel()  # does not know it yet when the place is given
        turns.release()
        given.cancel()  # with the place, before it could begin
        await asyncio.gather(waiting, given, cancelled, return_exceptions=True)
        return turns.free

    assert asyncio.run(main()) == 1


def test_of_files_that_wait_the_one_that_is_looked_at_is_analysed_first() -> None:
    text = "secret s\ns ~ flip(1/2)\n// find it\n"
    with raw_client() as client:
        client.initialize(initializationOptions={"workers": 1})
        client.open(f"{text}// busy 600\n", "file:///busy.seep")
        client.wait_until_analysing()
        for name in "abc":
            client.open(text, f"file:///{name}.seep")
        client.request(1, "textDocument/codeLens", {"textDocument": {"uri": "file:///c.seep"}})
        client.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///busy.seep"}}})
        told: list[str] = []
        while len(told) < 3:
            message = client.wait(method="window/logMessage", seconds=60)["params"]["message"]
            told += [message.split()[1]] if message.startswith("analysed ") else []

    assert told == ["c.seep", "a.seep", "b.seep"]
