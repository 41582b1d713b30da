"""The small languages in a tool's file: mapping paths, path templates, placeholders.

What lives here: parsing and filling. What must not: files, HTTP, schemas.
"""
