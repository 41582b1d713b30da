"""`tm schema`: the JSON Schema of the config files."""

import typer

from tm.cli.call import Call
from tm.cli.options import AsJson, Color, ColorWhen, Root, Traceback

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm schema > tm.schema.json
Then name it in a config file's first line, or in the editor's settings:
  # yaml-language-server: $schema=../../tm.schema.json"""


@app.command(epilog=EPILOG)
def schema(
    *,
    root: Root = None,  # every command takes it
    as_json: AsJson = False,  # it is JSON in any case
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Print the JSON Schema of the config files, with which an editor completes and explains."""
    from tm.config.config_schema import config_schema  # this command alone needs it

    Call(color=color).print_json(config_schema())
