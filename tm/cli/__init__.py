"""The command line: the only users of Typer; everything here ends in an exit code."""
