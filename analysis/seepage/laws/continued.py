"""Distribution functions continued to complex balls, from an end of the support at which they have a branch point."""

from __future__ import annotations

from collections.abc import Callable

from flint import acb, arb

from seepage.laws.law import Chance, Law


def continued_from_end(law: Law, at: Callable[[acb], acb], top: arb | None = None) -> tuple[Chance, Chance]:
    """Return the chances below and above a place, of a law with branch points at 0, where its support begins, and perhaps at ``top``, where it ends.

    Args:
        law: whose density tells how far the function changes within a ball.
        at: the chance below a point.
        top: the upper end of the support.
    """
    log_density = law.log_within(*law.ends)

    def below(z: acb, analytic: bool) -> acb:
        inside = top is None or bool(z.real < top)
        if z.real > 0 and inside:
            middle = acb(z.real.mid(), z.imag.mid())
            change = (abs(z - middle) * abs(log_density(z, analytic).exp())).upper()
            return at(middle) + acb(arb(0, change), arb(0, change))
        if analytic:
            return acb(arb.nan())
        least = at(acb(z.real.lower())).real if z.real > 0 else arb(0)
        far = z.real.upper()
        most = at(acb(far)).real if inside and far > 0 else arb(0) if inside else arb(1)
        return acb(least.union(most))

    return below, lambda z, analytic: 1 - below(z, analytic)
