"""Benchmarks: one builder a file, from a publisher's rows to items with gold and clusters (appendix J)."""
