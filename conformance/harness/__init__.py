"""Runs real agent programs over skills and records what they do with them."""
