"""Facts to words: text, Markdown, JSON, plots. No arithmetic beyond formatting.

``numbers.py`` writes a number with the digits that its bounds justify; ``text.py``, ``markdown.py`` and ``json.py`` are the three forms; ``svg.py`` and
``picture.py`` draw, ``charts.py`` makes charts of Altair; ``views.py`` is what objects show of themselves; ``derivation.py`` and ``plan.py`` tell how a number comes about, ``tuning.py`` where a budget holds,
``written.py`` what names are that the core of the language does not have, ``data.py`` what tables of data and their columns are.
``findings.py``, ``finding_json.py``, ``layout.py`` and ``paint.py`` load no analysis. Comments of programs are shown only through
``documentation.py``, names, values and sentences in Markdown only through ``marks.py``: neither leaves a mark in them that does anything.
"""
