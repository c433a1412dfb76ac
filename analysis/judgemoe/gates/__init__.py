"""Gates: example-specific judge weights (paper, equation 1, Tables 13 and 14)."""
