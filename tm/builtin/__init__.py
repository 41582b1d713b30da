"""The shared tools that tm itself has: files, tenant config, knowledge (SPEC, section 12).

Each is an ordinary tool with a description and a schema. What it may use is in the
`BuiltinContext` that the runner hands it; the runner itself is never imported here.
"""
