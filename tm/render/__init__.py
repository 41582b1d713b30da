"""What people see: the only users of Rich. Nothing here runs, reads or decides anything."""
