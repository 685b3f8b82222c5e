"""What builds the site: pages made from code and from other files, links between them, and the check of the result."""
