"""``raim pool``: fit and compare pools on a user's scores, recommend one, save it, apply it."""
