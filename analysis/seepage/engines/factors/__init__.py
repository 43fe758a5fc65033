"""Factor graphs: programs as products of small tables and functions, from which variables are eliminated one by one in an order that keeps tables small."""
