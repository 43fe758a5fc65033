"""Words: integers of many values as vectors of binary digits, so that what a program does to them is told digit by digit.

A digit is a *form*, the sum modulo 2 of a constant and of *atoms*: fair coins, gates, digits of small numbers (``circuit.py``). What is linear over
the field of two elements stays a form; carries, comparisons and choices are gates with three inputs, a chain of them for each operation
(``arithmetic.py`` on ``values.py``), and what has few values is a number as before (``small_numbers.py``). ``reading.py`` follows a program, loops included;
``coordinates.py`` takes other fair coins for coordinates, in which what is asked is as simple as it can be; ``writing.py`` writes it as a
program again, over coins and small numbers, which every measure and engine reads; ``moments.py`` writes means of products.
"""
