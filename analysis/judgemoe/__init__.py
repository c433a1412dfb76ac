"""JudgeMoE: pooling judges' score distributions before they are compressed to a score.

The unit of work is a :class:`~analysis.judgemoe.cell.Cell`, one dataset at one score range. Nothing here imports torch
but ``analysis.judgemoe.gates.train``, which trains gates; applying a trained gate needs numpy alone.
"""
