"""The paper's figures, one module each.

A module ``figureNN.py`` exports ``NUMBER``, ``NAME``, ``SOURCE`` (where in the paper), ``READS`` (the derived files it
is made from, ``{benchmark}`` standing for each benchmark of the suite) and ``draw(derived: Derived) -> Figure``.
"""
