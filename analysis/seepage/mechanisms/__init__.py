"""Mechanisms of differential privacy, written in Seep: ``mechanisms.seep``, which programs import as ``"seep:mechanisms"``."""
