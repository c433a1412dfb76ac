"""The alternative annotator test's figures, under the paper's numbers. Figures 1 and 2 are drawings and not made."""
