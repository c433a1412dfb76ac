"""Simulated panels: members of given competence whose errors have a given correlation (``docs/simulation.md``).

``panel`` draws panels from parameters, for planning. ``targets`` to ``write`` make the suite ``sim``, whose panels have
the published kappas and error correlations, and ``distance`` says how far everything that was not fitted comes out.
"""
