"""The paper's tables, one module each.

A module ``tableNN.py`` exports ``NUMBER``, ``NAME``, ``SOURCE`` (where in the paper), ``READS`` (the derived files it
is made from, ``{benchmark}`` standing for each benchmark of the suite) and ``build(derived: Derived) -> Table``.
"""
