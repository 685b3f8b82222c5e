"""What comes from outside, checked: arguments, files, texts; and the errors that say what would be valid."""
