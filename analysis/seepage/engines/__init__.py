"""From a core program and the variables asked for to their joint distribution.

``select.py`` slices and sinks the program and takes the engine that is exact for it; ``assigned_twice.py`` tells of secrets with several values in a run; ``passing.py`` decides whether observations that a slice
leaves out can pass; ``outcome.py`` says what engines are asked and hand on; ``additive.py`` reads values that are sums of terms of one input each,
``moved_sums.py`` sums of terms with known ranges, continuous ones among them. ``settling.py`` puts loops of unknown length and local draws (``drawn_loops.py``) as
draws of their laws (``laws_as_draws.py``; what only counts, ``tallies.py``; laws without an end and continuous ones, ``local_draws.py``) before any of
this reads a program, those over the digits of a wide value as branches (``bounded_rounds.py``). ``words`` puts programs of wide integers as programs over their binary digits, which any engine reads.
``cut_draws.py`` puts draws that are only held against fixed numbers as draws of the cells between these (``continuous_reads.py`` says what is computed from such draws).
``averaged.py`` averages over chances that are drawn. ``spherical.py`` reads noise that looks the same from all sides, and ``seen_points.py`` puts outputs behind it that are observed as discrete draws. ``never_equal.py`` decides equalities that have probability 0; ``signs.py`` proves signs of polynomials on the domains of their parameters, by ``intervals.py``.

================  ============================================================================================================
engine            what it gives a user
================  ============================================================================================================
``forward``       discrete programs exactly, also with parameters, infinite laws and secrets of 64 bits
``factors``       discrete programs whose parts hang together loosely, such as networks and long chains, where states are too many
``soga``          linear Gaussian programs exactly, others by the nearest normal law, labelled as an approximation
``pivot``         continuous programs beyond Gaussian mixtures, from the exact laws of their paths
``words``         programs over numbers of many digits, put as programs over single digits, which the others read
``wpe``           the definition that the others are tested against, and the derivations that people read
================  ============================================================================================================
"""
