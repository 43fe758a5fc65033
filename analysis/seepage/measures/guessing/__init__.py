"""``V Hmin Guess Lmin G`` on discrete programs: gains, and the best guess of an attacker. Behind mixtures: ``measures/gaussian/guessing.py``."""
