"""Analyses in processes that can be killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from tests.server.raw_client import is_running, wait_until_gone
from tests.server.wire import SCRIPTED

from seepage.source import SourceFile
from seepage_lsp.analysis_process import Job
from seepage_lsp.worker import AnalysisFailed, AnalysisTimeout, OutOfMemory, Workers

T = TypeVar("T")
WHOLE = "tests.server.scripted_analysis:analyze"


def job(text: str, seconds: float = 30.0) -> Job:
    return Job(SourceFile("untitled:a", text, 3), "bits", {}, seconds)


def with_workers(work: Callable[[Workers], Awaitable[T]], grace: float = 3.0, function: str = SCRIPTED) -> T:
    async def run() -> T:
        workers = Workers(function, grace)
        try:
            return await work(workers)
        finally:
            workers.close()
            await workers.ended()

    return asyncio.run(run())


def pids(workers: Workers) -> set[int]:
    return {process.pid for process in workers._all}


def test_an_analysis_comes_back_with_its_version_and_findings() -> None:
    analysis = with_workers(lambda workers: workers.run(job("// find here")), function=WHOLE)

    assert analysis.version == 3
    assert [one.message for one in analysis.diagnostics] == ["here"]


def test_a_process_serves_one_analysis_after_the_other() -> None:
    async def work(workers: Workers) -> set[int]:
        await workers.run(job(""))
        first = pids(workers)
        await workers.run(job(""))
        return first ^ pids(workers)

    assert with_workers(work) == set()


def test_two_analyses_run_beside_each_other() -> None:
    async def work(workers: Workers) -> int:
        await asyncio.gather(*(workers.run(job("// sleep 0.2")) for _ in range(3)))
        return len(pids(workers))

    assert with_workers(work) == 2


@pytest.mark.conforms(31)
def test_a_short_job_that_is_cancelled_ends_and_its_process_keeps_what_it_found() -> None:
    async def work(workers: Workers) -> set[int]:
        await workers.run(job(""))
        first = pids(workers)
        workers.patience = 30.0
        task = asyncio.create_task(workers.run(job("// sleep 1")))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait([task])
        assert workers._lingering  # who cancels does not wait
        answer = await workers.run(job("// find next"))  # comes while the other one still works
        assert [one.message for one in answer.diagnostics] == ["next"]
        return first ^ pids(workers)

    assert with_workers(work) == set()


def test_cancelled_jobs_about_one_text_each_give_their_process_back() -> None:
    async def work(workers: Workers) -> None:
        workers.patience = 30.0
        await asyncio.gather(*(workers.run(job("// sleep 0.1")) for _ in range(2)))
        tasks = [asyncio.create_task(workers.run(job("// sleep 1"))) for _ in range(2)]
        while workers._idle:
            await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        assert len(workers._lingering) == 2
        await asyncio.wait(workers._lingering)
        assert {one.process.pid for one in workers._idle} == pids(workers)

    with_workers(work)


@pytest.mark.parametrize("order", ["crash", "raise x", "garbage 00", "sleep 60"])
def test_a_cancelled_job_that_does_not_end_well_leaves_nothing_behind(order: str) -> None:
    async def work(workers: Workers) -> None:
        workers.patience = 0.3
        await workers.run(job(""))
        task = asyncio.create_task(workers.run(job(f"// sleep 0.1\n// {order}")))
        await asyncio.sleep(0.05)
        task.cancel()
        answer = await workers.run(job("// find next"))
        assert [one.message for one in answer.diagnostics] == ["next"]
        while workers._lingering:
            await asyncio.wait(workers._lingering)
        assert len(pids(workers)) <= 2  # one, and one more that was started ahead

    with_workers(work)


def test_more_or_fewer_may_run_from_one_moment_to_the_next() -> None:
    async def most_at_once(workers: Workers, jobs: int) -> int:
        """Return how many of some jobs ran at the same time."""
        tasks = [asyncio.create_task(workers.run(job("// sleep 0.3"))) for _ in range(jobs)]
        most = 0
        while not all(task.done() for task in tasks):
            most = max(most, len(pids(workers)) - len(workers._idle))
            await asyncio.sleep(0.01)
        return most

    async def work(workers: Workers) -> list[int]:
        seen = []
        for allowed in (1, 3, 2, 1):
            workers.allow(allowed)
            seen.append(await most_at_once(workers, 4))
            assert len(pids(workers)) <= allowed
        return seen

    assert with_workers(work) == [1, 3, 2, 1]


def test_jobs_beyond_a_lower_number_end_before_others_begin() -> None:
    async def work(workers: Workers) -> None:
        first = [asyncio.create_task(workers.run(job("// sleep 0.4"))) for _ in range(2)]
        while len(pids(workers)) < 2:
            await asyncio.sleep(0.01)
        workers.allow(1)
        late = asyncio.create_task(workers.run(job("")))
        await asyncio.gather(*first)
        await late
        assert len(pids(workers)) == 1

    with_workers(work)


@pytest.mark.conforms(31)
@pytest.mark.parametrize("order", ["sleep", "busy"])
def test_cancelling_kills_the_process(order: str) -> None:
    async def work(workers: Workers) -> set[int]:
        task = asyncio.create_task(workers.run(job(f"// {order} 60")))
        workers.warm()
        while not workers._all or workers._idle:
            await asyncio.sleep(0.01)
        killed = pids(workers)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return killed

    assert wait_until_gone(with_workers(work)) < 10


def test_an_analysis_that_ignores_its_time_limit_is_killed() -> None:
    async def work(workers: Workers) -> set[int]:
        await workers.run(job(""))
        killed = pids(workers)
        started = time.monotonic()
        with pytest.raises(AnalysisTimeout):
            await workers.run(job("// busy 60", seconds=0.2))
        assert time.monotonic() - started < 20  # a third of what it would take
        return killed

    wait_until_gone(with_workers(work, grace=0.1))


def test_a_fault_of_the_analysis_is_told_and_the_process_lives_on() -> None:
    async def work(workers: Workers) -> set[int]:
        await workers.run(job(""))
        before = pids(workers)
        with pytest.raises(AnalysisFailed, match="RuntimeError: out of luck") as caught:
            await workers.run(job("// raise out of luck"))
        assert "Traceback" in caught.value.details
        await workers.run(job(""))
        return before ^ pids(workers)

    assert with_workers(work) == set()


def test_a_process_that_ends_is_told_and_replaced() -> None:
    async def work(workers: Workers) -> int:
        with pytest.raises(AnalysisFailed, match="ended with code 7"):
            await workers.run(job("// crash"))
        return (await workers.run(job(""))).version

    assert with_workers(work) == 3


def test_an_idle_process_that_was_killed_from_outside_is_replaced() -> None:
    async def work(workers: Workers) -> int:
        await workers.run(job(""))
        (victim,) = workers._all
        os.kill(victim.pid, signal.SIGKILL)
        await victim.wait()
        return (await workers.run(job(""))).version

    assert with_workers(work) == 3


def test_what_an_analysis_prints_does_not_reach_its_answers() -> None:
    assert with_workers(lambda workers: workers.run(job("// print noise"))).version == 3


def test_a_function_that_does_not_exist_is_told() -> None:
    with pytest.raises(AnalysisFailed, match="ended with code 1"):
        with_workers(lambda workers: workers.run(job("")), function="tests.server.scripted_analysis:missing")


@pytest.mark.conforms(34)
@pytest.mark.parametrize("warm", [False, True])
def test_no_job_waits_longer_than_its_time_for_a_process_that_hangs_while_it_starts(warm: bool) -> None:
    async def work(workers: Workers) -> tuple[float, set[int]]:
        workers.start = 0.2
        if warm:
            workers.warm()
            await asyncio.sleep(0)
        waiting = [asyncio.create_task(workers.run(job("", seconds=0.5))) for _ in range(3)]
        started = time.monotonic()
        await asyncio.sleep(0.4)
        hanging = pids(workers)
        told = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(one) for one in told] == [AnalysisTimeout] * 3
        return time.monotonic() - started, hanging

    seconds, hanging = with_workers(work, grace=0.5, function="tests.server.never_ready:analyze")

    assert 1.5 < seconds < 30  # two at a time, each one second; they would hang for minutes
    assert hanging
    assert not any(map(is_running, hanging))


def test_a_job_after_a_process_that_hung_gets_another_one() -> None:
    async def work(workers: Workers) -> int:
        workers.start = 0.2
        workers.function = "tests.server.never_ready:analyze"
        workers.warm()
        with pytest.raises(AnalysisTimeout):
            await workers.run(job("", seconds=0.1))
        workers.function, workers.start = SCRIPTED, 10.0
        return (await workers.run(job(""))).version

    assert with_workers(work, grace=0.1) == 3


def test_closing_leaves_no_process() -> None:
    async def work(workers: Workers) -> set[int]:
        await asyncio.gather(*(workers.run(job("// sleep 0.1")) for _ in range(2)))
        return pids(workers)

    started = with_workers(work)

    assert len(started) == 2
    assert not any(map(is_running, started))


@pytest.mark.parametrize("steps", range(12))
def test_closing_while_a_process_starts_leaves_nothing_and_does_not_wait_for_ever(steps: int) -> None:
    async def work(workers: Workers) -> set[int]:
        workers.warm()
        for _ in range(steps):
            await asyncio.sleep(0)
        workers.close()
        await asyncio.wait_for(workers.ended(), 60)
        return pids(workers)

    assert with_workers(work) == set()


@pytest.mark.conforms(31)
def test_a_process_that_is_killed_while_it_works_is_replaced_and_the_work_done_again(tmp_path: Path) -> None:
    mark = tmp_path / "died"

    found = with_workers(lambda workers: workers.run(job(f"// die {mark}\n// find here")))

    assert mark.exists()
    assert [one.message for one in found.diagnostics] == ["here"]


def test_a_process_that_dies_twice_is_told() -> None:
    with pytest.raises(AnalysisFailed, match="ended with code 7"):
        with_workers(lambda workers: workers.run(job("// crash")))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process by what it uses")
def test_memory_past_the_limit_is_told_and_the_process_replaced() -> None:
    async def work(workers: Workers) -> set[int]:
        workers.memory = 512 << 20
        await workers.run(job(""))
        first = pids(workers)
        with pytest.raises(OutOfMemory, match="more memory than its limit of 512 MB"):
            await workers.run(job("// eat 1024"))
        assert (await workers.run(job(""))).version == 3
        return first & pids(workers)

    assert with_workers(work) == set()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process by what it uses")
def test_a_limit_holds_from_the_next_job_on() -> None:
    async def work(workers: Workers) -> int:
        workers.memory = 512 << 20
        with pytest.raises(OutOfMemory):
            await workers.run(job("// eat 1024"))
        workers.memory = 4 << 30
        return (await workers.run(job("// eat 1024"))).version

    assert with_workers(work) == 3


@pytest.mark.parametrize("written", ["00" * 8, "ff" * 8, "0000000000000004deadbeef", "0000000000000003284b00"])
def test_an_answer_that_is_garbage_is_told_and_the_server_goes_on(written: str) -> None:
    async def work(workers: Workers) -> int:
        with pytest.raises(AnalysisFailed):
            await workers.run(job(f"// garbage {written}"))
        return (await workers.run(job(""))).version

    assert with_workers(work) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read from /proc")
def test_a_process_that_keeps_too_much_memory_is_replaced_and_no_other() -> None:
    async def work(workers: Workers) -> tuple[int, int]:
        workers.most_growth = 256 << 20  # the library, which the first job loads, takes tens of it
        seen: list[frozenset[int]] = []
        for text in ("", "", "// keep 16", "", "// keep 384", ""):
            await workers.run(job(text))
            seen.append(frozenset(pids(workers)))
        return len(set(seen[:4])), len(set(seen))

    first, all_ = with_workers(work)
    assert first == 1
    assert all_ > 1


def test_what_is_known_so_far_comes_before_the_answer() -> None:
    told: list[str] = []

    async def work(workers: Workers) -> list[str]:
        found = await workers.run(
            job("// tell first\n// tell second\n// find all"), lambda known: told.append(known.diagnostics[0].message)
        )
        return [one.message for one in found.diagnostics]

    assert with_workers(work) == ["all"]
    assert told == ["first", "second"]


def test_sending_a_job_loads_no_engine_where_keystrokes_are_answered() -> None:
    program = (
        "import asyncio, sys\n"
        "from seepage.source import SourceFile\n"
        "from seepage_lsp.analysis_process import Job\n"
        "from seepage_lsp.worker import Workers\n"
        "async def main():\n"
        "    workers = Workers('tests.server.scripted_analysis:analyze')\n"
        "    task = asyncio.create_task(workers.run(Job(SourceFile('', '// busy 60', 1), 'bits', {}, 60.0)))\n"
        "    while not workers._all or workers._idle:\n"
        "        await asyncio.sleep(0.01)\n"
        "    print('seepage.pipeline' in sys.modules)\n"
        "    workers.close()\n"
        "    task.cancel()\n"
        "    await workers.ended()\n"
        "asyncio.run(main())\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)

    assert done.stdout == "False\n", done.stderr
