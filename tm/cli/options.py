"""Options that many commands share, so that they are called and explained the same everywhere."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tm.cli.completions import tenant_codes


class Color(StrEnum):
    """When to colour."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="Folder that holds tenants/. Default: TM_ROOT, else the nearest one upwards.",
    ),
]
TenantCode = Annotated[
    str | None,
    typer.Option(
        "--tenant",
        "-t",
        metavar="CODE",
        autocompletion=tenant_codes,
        help="Default: TM_TENANT, else the folder you stand in, else the only one that fits.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
ColorWhen = Annotated[
    Color, typer.Option("--color", help="Colour the output; NO_COLOR and TERM=dumb are respected.")
]
Traceback = Annotated[
    bool, typer.Option("--traceback", help="On an error, also show where in tm it came from.")
]
