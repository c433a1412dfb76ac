"""The paper's figures, one module each.

A module ``figureNN.py`` exports ``NUMBER``, ``NAME``, ``SOURCE`` (where in the paper), ``READS`` (the steps of
``analysis.steps`` whose files it is made from) and ``draw(derived: Derived) -> Figure``.
"""
