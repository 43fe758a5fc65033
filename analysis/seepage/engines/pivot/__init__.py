"""Programs beyond the exact fragment of SOGA: paths whose values are polynomials of independent sources, and the exact laws of these."""
