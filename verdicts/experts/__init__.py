"""JudgeMoE's heterogeneous experts: metrics and a reward model that give one number (section 5.3 and Table 3)."""
