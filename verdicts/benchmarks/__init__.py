"""Benchmarks: one builder a file, from a publisher's rows to items with gold labels and clusters (appendix J)."""
