"""Score benchmarks of JudgeMoE: outputs with human scores, and the prompts that ask a judge for a score."""
