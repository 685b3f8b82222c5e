"""The tests of Swords & Shields."""
