"""JudgeMoE's figures, one a module, under the paper's numbers. Figure 1 of the paper is a drawing and is not made."""
