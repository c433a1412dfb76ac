"""What the paper prints, as data: one YAML file a table, and the headline numbers of its text.

A table's blocks list columns, each with the step and the key of the derived value that it prints, and rows of printed
values in the order of the columns. A row is a benchmark, or, where a column's key says ``{row}``, what stands for it
there. A part ``<checkpoint>`` of a key is the member of the suite whose judge that is. ``scale`` multiplies the derived
value; ``interval`` marks a cell of a central value and two ends; ``solver`` marks what depends on the fits of the
stacker, which the release stops at its solver's default tolerance.
"""
