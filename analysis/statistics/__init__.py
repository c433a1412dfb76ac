"""Statistical machinery that every estimator stands on: folds, fits, cluster draws, intervals, readings."""
