"""Channels whatever the prior, ``C`` and ``Cmin``: capacities of finite channels by certified search, of geometric noise over its whole support.

``capacity_search.py`` encloses the capacity; ``tail_channel.py`` keeps infinite supports whole.
"""
