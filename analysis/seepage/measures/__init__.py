"""From a measure as written to its number with bounds, certainty, formula and the way it was found.

``evaluate.py`` is the door: arithmetic of measures, what is known of equal ones, then the planner (``planning``). ``asking.py`` says what a
measure is asked of, ``enclosure.py`` and ``quantity.py`` hold its number, ``engine.py`` names the ways that it is found, ``units.py``, ``rounding.py`` and ``quoting.py`` make a ``Result`` of it,
whose bounds are rounded outward. Sentences that belong to a number are data (``notes.py``).

What all families share: budgets (``requirement.py``), the leakage table (``leakage_table.py``, its rows one after the other in
``table_rounds.py``, its parts in ``leakage_parts.py``, the worst outputs in ``worst_outputs.py``), facts for hovers (``variable_facts.py``, ``parameter_facts.py``, ``passing.py``), whether
any run passes (``meaning.py``), what observations do to a secret's law (``moved_priors.py``), runs that never end (``endless_runs.py``), what holds whatever the law is (``limits.py``,
with the columns of the planner's table), rounded outputs within what they were before (``one_law.py``), what an edit leaves as it is (``known_quantities.py`` by
``program_meaning.py``), formulas once all numbers are told (``completion.py``), derivations (``explanation.py``, as data ``told_derivation.py``).
"""
