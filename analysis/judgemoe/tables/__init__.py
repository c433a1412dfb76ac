"""JudgeMoE's tables, one a module, under the paper's numbers.

Tables 5 to 8, 24, 25, 31 and 40 of the paper hold words and are not made; ``docs/judgemoe.md`` says where each stands.
A table whose study a suite has no input for is skipped with the reason.
"""
