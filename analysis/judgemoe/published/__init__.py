"""The paper's per-cell numbers as data, and the aggregate tests that follow from them."""
