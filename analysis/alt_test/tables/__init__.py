"""The alternative annotator test's tables, under the paper's numbers; A1 and A2 are this project's.

Tables 3 and 4 of the paper (prompting strategies, related work) need annotations and words that are not here.
"""
