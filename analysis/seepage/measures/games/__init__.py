"""Programs in which an attacker chooses, ``attacker g in 0..9``, as games: the best strategy, and what a measure comes to under it.

``game.py`` says what is chosen when and after seeing what, and puts strategies in; ``influence.py`` tells what depends on a choice.
``backward.py`` finds the best strategy from the last choice to the first, for measures that are sums over what is seen (``leaves.py``), whose parts
``scores.py`` compares, and by the sets of secrets that are left where answers are functions of them in ``positions.py``; ``trying.py`` lists all strategies for other measures, ``few.py`` climbs among those that choose beforehand where these are too many, ``reach.py`` tells between what all lie. ``optimum.py`` is the door: which end an attacker wants,
which way finds it, and the number of the program with the strategy put in (``found.py``). ``strategy.py`` is a strategy as people read it, which ``describing.py`` makes.
"""
