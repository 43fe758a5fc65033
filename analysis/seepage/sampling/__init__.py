"""Runs of a program, drawn at random: to look at, and as a check on the engines, with which it shares no law and no arithmetic of columns.

No number of a measure comes from here. ``vectors`` computes with columns, a value for each run; ``expressions`` evaluates expressions in all runs at
once; ``laws`` draws from distributions; ``runs`` follows statements, and repeats what observations reject.
"""
