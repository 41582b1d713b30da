"""`python -m tm` is the command `tm`."""

from tm.cli.entry import main

main()
