"""``DP`` and ``Delta`` of discrete outputs, and of mechanisms that are read from the text.

``exact.py`` compares all outputs, ``bounds.py`` bounds where these are too many, ``statistics.py`` counts many inputs, ``log_concave.py`` takes
sums with normal noise, as of it and Laplace's, ``spherical.py`` that which looks the same from all sides. What a program releases behind which noise is read by ``noise_questions.py``, ``release_reading.py`` and ``releases.py``, of noise that parameters multiply ``scaled_noise.py``;
``release_formula.py`` writes the formula. Which inputs are neighbours is read by ``closeness.py`` and said by ``neighbours.py``, how far they are apart by ``metrics.py``; ``per_unit.py`` takes
losses for each unit of that.
"""
