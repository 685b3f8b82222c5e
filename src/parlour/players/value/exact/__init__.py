"""Exact values of whole games and of endings, with proof: `parlour.solve` makes a table of them in a folder.

`solving` makes tables, tier by tier; `tables` are their files; `parts` lists where turns lead; `solution` answers
questions about positions; `verifying` compares every value with one step of the rules.
"""
