"""The database of a workspace: the execution log, and later messages, PDFs and sessions.

What lives here: SQLite behind small protocols. What must not: anything that runs a tool.
"""
