"""How results are shown: the report in HTML, its plots, and tables for pandas and notebooks."""
