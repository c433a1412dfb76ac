"""The two coordinates of a panel, competence and error correlation: their plane, budget and label-free half."""
