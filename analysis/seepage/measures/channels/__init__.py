"""Channels whatever the prior, ``C`` and ``Cmin``: capacities of finite channels by certified search, of geometric noise over its whole support.

``capacity_search.py`` encloses the capacity; ``power.py`` has that of real inputs under a power constraint; ``tail_channel.py`` keeps infinite supports whole.
``bounds_by_floats.py`` bounds measures of large matrices. ``refinement.py`` decides
whether a channel is at most as leaky as another for every prior and gain, by linear systems over the rationals (``feasibility.py``).
"""
