"""JudgeMoE's figures, one a module, under the paper's numbers."""
