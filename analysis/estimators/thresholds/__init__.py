"""The admissibility test as a family of thresholds, scored on sub-panels (appendix C)."""
