r"""What a discrete place tells that is published behind planar Laplace noise: a noisy location.

The outputs are :math:`o = x_k + n` for places :math:`x_k` of chances :math:`w_k`, and the noise has the density :math:`f(r) = e^{-r}/(2\pi)` at the distance r, in units of its
scale. ``noisy_places.py`` reads the law from the program; ``rays.py`` tells where one place is likelier than all others, by one integral over
directions; ``boxes.py`` integrates over the plane, what an entropy is (``entropy.py``) and what the best guess at a function of the place gains (``best.py``), ``sight.py`` hands attackers what they can expect;
``chance.py`` has the chances of events, ``line.py`` has what the place tells of one coordinate, and
``two_places.py`` holds two places against each other, as differential privacy does. ``way.py`` answers measures by these.
"""
