"""The simulation of appendix C, as array operations: no loop over data sets, bootstraps, items or annotators' pairs."""
