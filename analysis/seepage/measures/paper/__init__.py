"""The paper's own bounds, by the names that it gives them."""
