"""Writing a value into a config file so that every other byte stays as it was.

What lives here: the differences of two values as edits of a file's text. What must not: deciding
what is written.
"""
