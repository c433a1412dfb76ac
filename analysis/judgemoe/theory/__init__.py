"""The propositions of appendix B.7 as functions."""
