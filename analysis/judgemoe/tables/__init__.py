"""JudgeMoE's tables, one a module, under the paper's numbers.

A table that holds words (5 to 8, 24, 25, 31, 40), or whose study a suite has no input for, is skipped with the reason.
"""
