"""The appendix's study on sets of annotations: from the publishers' files to the numbers behind tables and figures."""
