"""The analysis tier of RAIM: pure functions over vote matrices, deterministic given the votes and seed 0."""
