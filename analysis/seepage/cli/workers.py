"""Who computes: processes of this machine, or a Dask cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import click

from seepage.checking.pool import Pool, Workers, usable_processors
from seepage.cli.reading import Unreadable, brief
from seepage.cli.start import load
from seepage.report.findings import printable

JOBS = click.option(
    "-j", "--jobs", type=click.IntRange(min=1), show_default="one for each processor", help="Processes."
)
DASK = click.option(
    "--dask", metavar="ADDRESS", help="Compute on the Dask cluster with this scheduler, tcp://HOST:PORT."
)
_ADDRESS = re.compile(r"(?:tcp|tls)://[^\s/]+:\d{1,5}")


@contextmanager
def working(jobs: int | None, dask: str | None) -> Iterator[Workers]:
    """Have workers, as the options say; what a run found before its cluster failed stays.

    Raises:
        click.UsageError: the options do not go together, or name no address.
        click.ClickException: the cluster is away, cannot answer, or what it needs is not installed.
    """
    if dask is None:
        with Pool(jobs or usable_processors()) as pool:
            yield pool
        return
    if jobs is not None:
        raise click.UsageError("--jobs is for processes of this machine: a cluster has its own number of workers")
    if not _ADDRESS.fullmatch(dask):
        raise click.BadParameter(brief(printable(f"found '{dask}', expected tcp://HOST:PORT")), param_hint="--dask")
    clusters = load("seepage.checking.cluster")
    try:
        with clusters.Cluster(dask) as cluster:
            yield cluster
    except clusters.ClusterFault as error:
        raise Unreadable(dask, str(error)) from None
    except ImportError as error:
        raise click.ClickException(str(error)) from None
