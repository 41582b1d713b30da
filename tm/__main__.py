"""`python -m tm` is the command `tm`."""

from tm.cli.entry import run_process

run_process()
