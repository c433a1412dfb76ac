"""Timings; not part of the package."""
