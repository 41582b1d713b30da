"""The commands by what a person wants to do; text only, so that `tm --help` imports no library."""

SECTIONS = {
    "Begin": {
        "new": ("tm.cli.new", "Begin a tool or a tenant from a template that works."),
    },
    "Run tools": {
        "test-tool": ("tm.cli.run_tool", "Run tools and show what happened inside."),
    },
    "Run by the clock": {
        "schedule": ("tm.cli.schedule", "List scheduled tasks, run one, or all that are due."),
    },
    "Check tools": {
        "lint": ("tm.cli.lint", "Find what is wrong in config files and functions."),
        "diff": ("tm.cli.diff", "Show what models would see differently since a git ref."),
    },
    "Look at tools": {
        "list": ("tm.cli.list_tools", "List the tools of a tenant, or of all."),
        "show": ("tm.cli.show", "Show one tool, each field with its file and line."),
        "schema": ("tm.cli.schema", "Print the JSON Schema of the config files, for editors."),
    },
    "Exchange tools": {
        "import": ("tm.cli.imports", "Make tools of OpenAPI, of definitions, of a curl command."),
        "export": ("tm.cli.export", "Print tool definitions for other systems."),
    },
    "Work in a chat": {
        "chat": ("tm.cli.chat", "Talk to an assistant; its tools run for it."),
        "pdf": ("tm.cli.pdf", "Keep the texts of PDFs, for placeholders in arguments."),
    },
    "Find out what happened": {
        "log": ("tm.cli.log", "List, search, follow, count, repeat or delete past runs."),
        "explain": ("tm.cli.explain", "Explain a code such as TM504, with examples."),
    },
    "Keep house": {
        "completion": ("tm.cli.completion", "Teach a shell to complete names with TAB."),
        "doctor": ("tm.cli.doctor", "Say what is set up and what is missing."),
        "cache": ("tm.cli.cache", "Clear the index of parsed config files."),
    },
}
"""Section -> command -> the module that holds it, and what it does."""

MEANT = {
    "run": "test-tool",
    "call": "test-tool",
    "ls": "list",
    "logs": "log",
    "version": "--version",
}
"""What people type for a command out of habit, where no spelling is near."""

PLANNED = (
    "serve", "ui",
)  # fmt: skip
"""Commands that are known and not there yet."""

MODULES = {name: module for commands in SECTIONS.values() for name, (module, _) in commands.items()}

_HEAD = """\
Usage: tm COMMAND [OPTIONS] ...

  Write, run, watch and check LLM tools for many customers.

Start here:
  tm list                       what tools there are
  tm test-tool NAME             run one, and see every step
  tm COMMAND --help             options and examples of a command
"""

_TAIL = """
Options:
  --version   Print the version.
  -h, --help  Show this message.

Exit codes: 0 all well, 1 a tool failed or lint found errors, 2 the call or the workspace
is wrong, 3 a bug in tm, 130 Ctrl-C.
"""


def overview() -> str:
    """Return the text of `tm --help`, with a newline at its end."""
    width = max(map(len, MODULES)) + 2
    rows = [_HEAD]
    for title, commands in SECTIONS.items():
        rows.append(f"\n{title}:\n")
        rows += [f"  {name:<{width}}{text}\n" for name, (_, text) in commands.items()]
    return "".join([*rows, _TAIL])
