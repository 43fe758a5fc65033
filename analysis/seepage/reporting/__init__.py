"""Reports for people who decide about programs and have never seen Seep: ``seepage report``. The numbers are those of ``seepage check``.

``making.py`` brings a report together: what ``check`` tells of each file (:mod:`seepage.checking`), and what is known beside that, in processes
(``order.py`` asks, ``work.py`` answers there, ``values.py`` reads the answer back) and from the cache. What is known beside numbers is plain data
(``told.py``); ``background.py`` finds it, with ``assumed.py`` (priors, parameters, data), ``drawing.py`` (plots) and ``colours.py``.

``compose.py`` lays all of it out as a ``document.py``, in words of ``sentences.py`` and with the lines of ``listing.py``; ``forms.py`` writes that by the
templates beside it, in which whatever is put into a page is escaped; ``latex.py`` knows TeX, and ``pdf.py`` runs it.
"""
