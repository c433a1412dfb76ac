"""Intervals and tests: within a cell over clusters, across cells over cells."""
