"""Judges: the roster as data, and how their weights are found or fetched."""
