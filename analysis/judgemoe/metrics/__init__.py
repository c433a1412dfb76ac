"""Scores of predictions on [0, 1] against human targets. Undefined scores are NaN here and null in files."""
