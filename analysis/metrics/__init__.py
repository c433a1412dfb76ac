"""Scores of a method against gold, one a module, all read from confusion counts."""
