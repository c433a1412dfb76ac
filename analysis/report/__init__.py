"""One HTML page a suite, whole in one file: its stamp, checks, readings, regime plane, tables and figures.

Nothing is estimated here: the page is made from derived files, the tables' modules and the figures that were drawn.
"""
