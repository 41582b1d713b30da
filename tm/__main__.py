"""`python -m tm` is the command `tm`."""

import sys

from tm.cli.entry import main

sys.exit(main())
