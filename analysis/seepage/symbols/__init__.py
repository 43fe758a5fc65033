"""What stands at a place of a program, as pure functions of a ``Checked``: what editors ask.

The symbol, the call and the completions at a place; outline, folding, colours, renaming.
"""
