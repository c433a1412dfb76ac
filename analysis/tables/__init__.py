"""The paper's tables, one module each.

A module ``tableNN.py`` exports ``NUMBER``, ``NAME``, ``SOURCE`` (where in the paper), ``READS`` (the steps of
``analysis.steps`` whose files it is made from) and ``build(derived: Derived) -> Table``.
"""
