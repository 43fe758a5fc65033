"""Privacy losses of many releases, by the law of the loss for one pair of neighbours.

Each release becomes a list of cells of outputs (:mod:`~seepage.measures.accounting.cell`), cells become masses on a grid of losses that
tell surely more and surely less (:mod:`~seepage.measures.accounting.grid`), masses are composed (:mod:`~seepage.measures.accounting.compose`),
and bounds are read from what comes out (:mod:`~seepage.measures.accounting.account`), of the least ε by solving for it (:mod:`~seepage.measures.accounting.crossing`). What surely is told is also read from the numbers of cells, whose
laws are composed apart (:mod:`~seepage.measures.accounting.merged`). The greatest loss of all outputs needs no law (:mod:`~seepage.measures.accounting.largest`). For a secret with two values all measures come from there
(:mod:`~seepage.measures.accounting.two_values`, :mod:`~seepage.measures.accounting.information`).
"""
