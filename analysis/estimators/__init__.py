"""The paper's estimators, one a module: pure functions over a vote matrix."""
