"""A suite and its re-run: who is whom, and how often their verdicts agree."""
