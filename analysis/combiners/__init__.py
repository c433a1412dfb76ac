"""Ways to turn a panel's votes into one verdict an item, one a module."""
