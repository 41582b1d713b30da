"""What the linter understands of Python functions: their roles, values, ways and log lines.

Nothing is run. What must not live here: rules.
"""
