"""What a program means before anything runs: names, kinds, exactness, and the core program that engines see.

``check.py`` says all that can be said on a key press and returns a ``Checked`` (``checked.py``). What is known of each statement is kept for the
next version of a text (``unit.py``; each pass owns what it keeps with it: ``memo.py``, ``visits.py``), of some thirty neighbours at once in ``runs.py``, found again by ``division.py`` and ``units.py``, so
that most of a file is passed over. ``flow.py`` follows a program to its end, loops to a fixpoint, ``reader.py`` its expressions, and ``remembering.py`` what it said of them;
``first_reads.py`` knows what is read before it is assigned, ``foreign.py`` names of other languages, ``lookalikes.py`` names that people cannot tell apart;
``traced.py`` puts findings in procedures where they stand, ``procedure_lints.py`` tells what is odd in these.

``unroll.py``, ``slice.py`` and ``sink.py`` make the core program (``core.py``) that a question needs; ``needed.py`` cuts texts that are too long to
unroll, ``like_rounds.py`` has two rounds stand for all of a long loop, ``split.py`` long sums, ``lifting.py`` takes out what reads inputs alone, ``copies.py`` gives statements other names, ``closed_forms.py`` writes exact numbers, ``constants.py`` puts numbers for chains of constants. Read from the text: ``finite.py`` which values a variable can
have, ``cases.py`` which branches are tables of one variable, ``core_kinds.py`` whether it may have a density, ``ranges.py`` between which numbers, ``uniform_laws.py`` which laws are uniform, ``symmetry.py`` which values are only copied and compared, ``monotone.py`` which way one goes with another, ``shifts.py`` by how much variables move with
one of them, ``told_first.py`` what some determine, ``accumulation.py`` which are sums made term by term, ``made_names.py`` how variables are told that an analysis made, ``separation.py`` which are independent.
"""
