"""The arguments of a tool: checking them, reading them from text, showing them to a model.

What lives here: everything that knows JSON Schema. What must not: HTTP, files, running tools.
"""
