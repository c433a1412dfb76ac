"""Inference engines, one a module, behind one interface (``base.Engine``)."""
