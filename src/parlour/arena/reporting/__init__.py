"""How results are shown: reports in HTML, plots, pages with games, summaries and tables for the terminal."""
