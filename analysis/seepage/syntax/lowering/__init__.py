"""From the language as people write it to its core: every construct of the second part is a transformation to assignments, draws, branches and loops."""
