"""Many tools in one call: which checks they give, how they are run, and what became of them."""
