"""Runs tools: the pipeline, what tenant functions may reach, and the events of a run."""
