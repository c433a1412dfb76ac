"""Panels of judges as one more judge: majority and stacker for two labels, pools for numbers.

What is trained on the humans' labels is trained out of fold by cluster and, for each annotator under test, without
that annotator's labels.
"""
