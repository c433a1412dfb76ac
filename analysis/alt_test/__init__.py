"""The alternative annotator test: may a judge, or a panel of judges, replace human annotators?

Source: "The Alternative Annotator Test for LLM-as-a-Judge", sections 3 and B to E. ``docs/alt_test.md`` has a worked
example and the decisions on input that the paper leaves open.
"""
