"""Validation-guided deployment: which judges, pooled how, by validation labels alone (paper, section 6)."""
