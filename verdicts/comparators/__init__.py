"""Purpose-trained judges, each asked through its own interface (RAIM, appendix G); one adapter a module."""
