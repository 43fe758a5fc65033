"""The tables of reductions, one file a rule; they are tried in this order. ``signed.py`` adds up what the questions of one were answered;
``word_moments.py`` is the part of ``words.py`` that multiplies out."""

from __future__ import annotations

from seepage.measures.planning.reductions.added_noise import ADDED_NOISE
from seepage.measures.planning.reductions.alike_values import ALIKE_VALUES
from seepage.measures.planning.reductions.beta_products import BETA_PRODUCTS
from seepage.measures.planning.reductions.bounded_signal import BOUNDED_SIGNAL
from seepage.measures.planning.reductions.cells_of_draws import CELLS_OF_DRAWS
from seepage.measures.planning.reductions.clipped_records import CLIPPED_RECORDS, ENDS_OF_RECORDS
from seepage.measures.planning.reductions.counted_inputs import COUNTED_INPUTS
from seepage.measures.planning.reductions.determined import DETERMINED
from seepage.measures.planning.reductions.extreme_inputs import EXTREME_INPUTS
from seepage.measures.planning.reductions.extremes import EXTREMES
from seepage.measures.planning.reductions.far_outputs import WITH_STATE, WITHOUT_FAR
from seepage.measures.planning.reductions.independent_laws import INDEPENDENT_LAWS
from seepage.measures.planning.reductions.independent_parts import INDEPENDENT_PARTS
from seepage.measures.planning.reductions.independent_values import INDEPENDENT_VALUES
from seepage.measures.planning.reductions.likeliest import LIKELIEST
from seepage.measures.planning.reductions.metric_parts import METRIC_PARTS
from seepage.measures.planning.reductions.one_record import ONE_RECORD
from seepage.measures.planning.reductions.parts_by_tables import PARTS_BY_TABLES
from seepage.measures.planning.reductions.reduction import Reduced as Reduced
from seepage.measures.planning.reductions.reduction import Reduction as Reduction
from seepage.measures.planning.reductions.repeated_releases import REPEATED_RELEASES
from seepage.measures.planning.reductions.retold import RETOLD
from seepage.measures.planning.reductions.several_releases import SEVERAL_RELEASES
from seepage.measures.planning.reductions.statistic import STATISTIC
from seepage.measures.planning.reductions.sufficient import SUFFICIENT
from seepage.measures.planning.reductions.terms import TERMS
from seepage.measures.planning.reductions.unseen import UNSEEN
from seepage.measures.planning.reductions.words import WORDS, WORDS_IN_TERMS
from seepage.measures.planning.reductions.written_out import WRITTEN_OUT

FIRST: tuple[Reduction, ...] = (CELLS_OF_DRAWS,)
"""Equalities that are tried before any way: what is left has discrete draws where there were continuous ones."""

REDUCTIONS: tuple[Reduction, ...] = (
    DETERMINED,
    RETOLD,
    BETA_PRODUCTS,
    INDEPENDENT_PARTS,
    METRIC_PARTS,
    INDEPENDENT_LAWS,
    INDEPENDENT_VALUES,
    WRITTEN_OUT,
    REPEATED_RELEASES,
    SEVERAL_RELEASES,
    ALIKE_VALUES,
    EXTREME_INPUTS,
    ADDED_NOISE,
    STATISTIC,
    SUFFICIENT,
    COUNTED_INPUTS,
    LIKELIEST,
    ONE_RECORD,
    PARTS_BY_TABLES,
    CLIPPED_RECORDS,
    TERMS,
    EXTREMES,
    ENDS_OF_RECORDS,
    BOUNDED_SIGNAL,
    WITHOUT_FAR,
    WITH_STATE,
    UNSEEN,
)

LAST: tuple[Reduction, ...] = (WORDS_IN_TERMS, WORDS)
"""Reductions that are tried after the ways, and never within themselves."""
