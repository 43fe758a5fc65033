"""What continuous outputs tell of a discrete secret, for every measure: between two finite channels, of which one tells surely less and one surely more.

``reading.py`` finds which outputs are independent of each other given discrete values, and their laws (the greatest or least of several values: ``extremes.py``); ``columns.py`` makes two finite channels of
each, ``joining.py`` of all together, ``answers.py`` reads measures from these. Rényi divergences, which have no bound where a little mass tells all, come from the
cells themselves (``divergences.py``). ``way.py`` is the planner's way.
"""
