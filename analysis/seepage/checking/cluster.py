"""Orders answered by a Dask cluster: each is a future, known by all that its answer depends on; its worker has a process that answers.

What travels is a line of JSON each way, read as that of a process of this machine. A worker that dies is Dask's business: others take its questions
over. The time limit, and a process that dies of its question, are told by the worker, and cost no more than that question. Workers answer only if
they have the very same code of Seepage, and find the same files where a program names some.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import seepage
from seepage.checking.order import Broke, Task, answer_of, broken_line, distant_line
from seepage.checking.pool import WAIT, Done, Event
from seepage.checking.process import WorkProcess
from seepage.data_classes import dataclass
from seepage.frames import needed

A = TypeVar("A")

_CONNECTING = "5s"
_GATHERING = "20s"  # of one answer, which lies on the worker that made it
_MOST_SENT = 1_000  # orders that the cluster has at the same time
_LOOKS = 25  # waits without an answer between two looks at the cluster
_PATIENCE = 60  # looks that find no worker: five minutes, in which a cluster that grows has begun


class ClusterFault(Exception):
    """The cluster cannot answer: it is away, has no workers, or these are not like us; the message says which."""


# --- here -------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Cluster:
    """A cluster, by the address of its scheduler. Mutable: connected when there is work for it; belongs to one thread."""

    address: str
    _client: Any = None
    _threads: int = 1

    def __enter__(self) -> Cluster:
        """Begin: nothing is connected yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the cluster, which then forgets what nobody else asks."""
        if self._client is not None:
            with contextlib.suppress(Exception):
                self._client.close(timeout=2)

    @property
    def jobs(self) -> int:
        """How many orders are answered at the same time: the threads of all workers, as far as is known."""
        return self._threads

    def run(self, orders: Sequence[Task[A]]) -> Iterator[Event[A]]:
        """Yield the answer to each order, as they come, and now and then None; which are worked on only the cluster knows.

        Raises:
            ClusterFault: there will be no more answers.
            ImportError: ``distributed`` is not installed.
        """
        if not orders:
            return
        client = self._connected()
        asked = _Asked(client, orders, needed("distributed", "dask").KilledWorker)
        idle = lonely = 0
        while asked.left:
            number = asked.ready()
            answer = None if number is None else asked.take(number)
            idle = 0 if answer is not None else idle + 1
            if client.status != "running":
                raise ClusterFault("the connection to the cluster was lost")
            if idle and not idle % _LOOKS:
                lonely = 0 if self._look() else lonely + 1
                if lonely == _PATIENCE:
                    raise ClusterFault("the cluster has no workers")
            yield Event(answer, ())

    def _connected(self) -> Any:
        if self._client is None:
            distributed = needed("distributed", "dask")
            _hush()
            try:
                self._client = distributed.Client(self.address, timeout=_CONNECTING, set_as_default=False)
            except (OSError, ValueError, RuntimeError) as error:
                raise ClusterFault(f"no Dask scheduler answers there ({type(error).__name__})") from None
            self._look()
        return self._client

    def _look(self) -> bool:
        """See how many threads there are, and tell whether there are any."""
        try:
            threads = sum(self._client.nthreads().values())
        except (OSError, ValueError, RuntimeError):
            raise ClusterFault("the connection to the cluster was lost") from None
        self._threads = max(1, threads)
        return bool(threads)


def _hush() -> None:
    """Keep the loggers of the library quiet: what matters is told by us, in one line."""
    for name in [each for each in logging.root.manager.loggerDict if each.partition(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)


@dataclass(slots=True)
class _Asked:
    """Orders as futures, not too many at the same time. Mutable: belongs to one run."""

    client: Any
    orders: Sequence[Task[Any]]
    killed: type[Exception]
    left: int = field(init=False)
    _sent: int = 0
    _futures: dict[int, Any] = field(default_factory=dict)
    _ready: queue.SimpleQueue[int] = field(default_factory=queue.SimpleQueue)

    def __post_init__(self) -> None:
        self.left = len(self.orders)
        for _ in range(min(_MOST_SENT, self.left)):
            self._send()

    def _send(self) -> None:
        number = self._sent
        order = self.orders[number]
        line = distant_line(order, os.getcwd())
        key = f"seepage-{hashlib.sha256(line + own_code().encode()).hexdigest()}"
        future = self.client.submit(answered, line, order.seconds, own_code(), key=key)
        self._futures[number] = future
        self._sent += 1
        future.add_done_callback(lambda _: self._ready.put(number))

    def ready(self) -> int | None:
        """Return the number of an order that has an answer, after a moment; None if there is none."""
        with contextlib.suppress(queue.Empty):
            return self._ready.get(timeout=WAIT)
        return None

    def take(self, number: int) -> Done[Any] | None:
        """Return an answer, and ask for another one; None if the worker that has it is gone, so that it must be asked again.

        Raises:
            ClusterFault: the workers cannot answer.
        """
        future = self._futures[number]
        order = self.orders[number]
        answer: object
        try:
            answer = answer_of(future.result(timeout=_GATHERING), order)
        except TimeoutError:
            self._ready.put(number)
            return None
        except self.killed:
            answer = Broke("the workers of the cluster that analysed it died")
        except Exception as error:  # noqa: BLE001  # whatever a worker raised: its environment is not ours
            raise ClusterFault(_reason(error)) from None
        del self._futures[number]
        self.left -= 1
        if self._sent < len(self.orders):
            self._send()
        return Done(number, answer)


def _reason(error: BaseException) -> str:
    """Return what an exception of a future means, in one line."""
    match type(error).__name__:
        case "CancelledError" | "FutureCancelledError" | "FuturesCancelledError" | "CommClosedError":
            return "the connection to the cluster was lost"
        case "Unfit":
            return str(error)
        case name:
            told = next(iter(str(error).splitlines()), "")
            return f"its workers cannot answer ({name}: {told[:200]})"


# --- on the workers ---------------------------------------------------------------------------------------------------


class Unfit(Exception):
    """A worker whose answers would not be ours; the message says why."""


_own = threading.local()  # of each thread of a worker: its process, kept from one question to the next


def answered(line: bytes, seconds: float, code: str) -> bytes:
    """Return the answer to a line, on a worker.

    Args:
        line: as :func:`seepage.checking.order.distant_line` makes it.
        seconds: of a processor, that the work may take.
        code: of whoever asks (:func:`own_code`).

    Raises:
        Unfit: the code here is another one, or a program names files that are others here.
    """
    if code != own_code():
        raise Unfit("its workers run another version of Seepage than this one")
    process: WorkProcess | None = getattr(_own, "process", None)
    if process is None:
        process = _own.process = WorkProcess()
    answer = process.answer(line, seconds)
    if isinstance(answer, Broke):
        return broken_line(answer)
    if answer.startswith(b'{"unfit"'):
        raise Unfit("its workers find other files beside the program than there are here")
    return answer


@cache
def own_code() -> str:
    """Return what stands for the code of this copy of Seepage: its version and the content of its files, wherever they lie."""
    folder = Path(seepage.__file__).parent
    digest = hashlib.sha256(seepage.__version__.encode())
    for path in sorted(each for each in folder.rglob("*") if each.suffix in {".py", ".json", ".seep"}):
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()
