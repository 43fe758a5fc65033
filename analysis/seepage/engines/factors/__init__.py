"""Factor graphs: programs as products of small tables and functions, from which variables are eliminated one by one in an order that keeps tables small.

``building.py`` makes the graph (laws in ``laws.py``, functions in ``operations.py``, elements at random indices in ``selections.py``), ``order.py``
finds an order with its cost before anything is allocated, ``elimination.py`` follows it, ``answers.py`` and ``families.py`` read marginals and
entropies of long tuples, ``chains.py`` their laws as products of matrices where no elimination keeps tables small, ``row_spaces.py`` by how few numbers those are told, ``supports.py`` which of their values have weight. ``separation.py`` proves independence by tables; ``solving.py`` weighs all of it against a run from state to state
(``enumeration.py``).
"""
