"""Simulated cells whose truth is known: calibration temperatures, the right judge of each item, the bad judges."""
