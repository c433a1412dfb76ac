"""Opinion pools with fixed or example-specific weights (paper, section 3.2)."""
