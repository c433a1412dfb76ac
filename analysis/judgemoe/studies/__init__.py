"""The paper's studies over a suite of cells: each gives the JSON values behind one or several tables and figures."""
