"""One module a rule, or a family that shares its work; `tm.lint.catalog` lists them all."""
