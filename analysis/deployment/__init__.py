"""A user's own panel: audited, fitted, applied."""
