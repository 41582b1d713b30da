"""TM0xx and TM9xx: whole files, and the linter's own findings."""

from __future__ import annotations

from typing import Final

from tm.codes.page import Page

PAGES: Final = (
    Page(
        code="TM001",
        name="syntax-error",
        title="A file does not parse",
        what=(
            "The YAML or Python parser stopped at the line and column that the finding names, or "
            "the file nests deeper than any config needs."
        ),
        why=(
            "Nothing in the file can be read, so all its tools are missing. Other files still work."
        ),
        fix=(
            "Look at the place itself and at the line above it: in YAML most often a missing "
            "colon, an unclosed quote, a tab, or a text with `: ` in it that needs quotes."
        ),
        bad="""
tools:
  getOrder:
    description: Fetch an order: by its number
""",
        good="""
tools:
  getOrder:
    description: "Fetch an order: by its number"
""",
    ),
    Page(
        code="TM002",
        name="duplicate-key",
        title="A key stands twice in one mapping",
        what="The same key is given twice in one YAML mapping or Python dict display.",
        why=(
            "One of the two values would be dropped without a word, and which one depends on the "
            "parser."
        ),
        fix="Delete one of them, or rename the second.",
        bad="""
tools:
  getOrder:
    description: Fetch an order.
    method: GET
    method: POST
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
    method: POST
""",
    ),
    Page(
        code="TM003",
        name="unsafe-yaml",
        title="YAML that is more than data",
        what=(
            "The file has a language tag (`!!python/...`, `!Ref`), several documents, a key that "
            "is no text, or aliases that unfold to far more than is written."
        ),
        why=(
            "Tags can run code in some readers, a second document would be ignored, and a few "
            "lines of aliases can fill the memory."
        ),
        fix=(
            "Write plain mappings, lists and scalars. Put quotes around keys such as 200 or true, "
            "and one document into each file."
        ),
        bad="""
tools:
  getRate:
    description: Fetch a rate.
    mapping: {200: rate}
""",
        good="""
tools:
  getRate:
    description: Fetch a rate.
    mapping: {"200": rate}
""",
    ),
    Page(
        code="TM004",
        name="not-utf8",
        title="The file is not UTF-8",
        what=(
            "The bytes at the line named are no UTF-8; most often the file was saved as "
            "Windows-1252."
        ),
        why=("Umlauts and currency signs would reach the model, and the API, as other characters."),
        fix=(
            "Save the file as UTF-8 in the editor, or convert it. A byte order mark does no harm."
        ),
        bad="""
file --mime-encoding tenants/shop/tools/getOrder.yaml    # iso-8859-1
""",
        good="""
iconv -f WINDOWS-1252 -t UTF-8 getOrder.yaml > new.yaml && mv new.yaml getOrder.yaml
""",
        language="shell",
    ),
    Page(
        code="TM005",
        name="no-top-level-key",
        title="A YAML file without any of the top-level keys",
        what=(
            "A config file is a mapping with one or more of tools, apis, assistants, scheduled "
            "and settings. This one has none of them."
        ),
        why="Nothing in it is used: most often a level is missing, or the key is misspelt.",
        fix=(
            "Put the content under its key. A file that is no config belongs into files/ or "
            "knowledge/, which are not read as config."
        ),
        bad="""
getOrder:
  description: Fetch an order.
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
""",
    ),
    Page(
        code="TM006",
        name="duplicate-name",
        title="The same name in two files",
        what=(
            "Two files of the tenant declare a tool, api, assistant or task of this name. The "
            "finding names both places."
        ),
        why="Files have no order, so neither could win without surprise. Neither is loaded.",
        fix=(
            "Rename one, or delete the copy. A tool may hide a shared tool of its name; that is "
            "fine."
        ),
        bad="""
# tenants/shop/orders.yaml and tenants/shop/old/orders.yaml both say
tools:
  getOrder: {description: Fetch an order., api: erp, method: GET, path: /orders}
""",
        good="""
# tenants/shop/old/orders.yaml
tools:
  getOldOrder: {description: Fetch an archived order., api: archive, method: GET, path: /orders}
""",
    ),
    Page(
        code="TM007",
        name="unknown-key",
        title="A key that tm does not know",
        what=(
            "The key is none of the fields that may stand here. The finding names the nearest one."
        ),
        why=(
            "A misspelt field is not used: a `mappings` that should be `mapping` lets the whole "
            "response through to the model."
        ),
        fix="Correct the spelling. Notes belong into comments.",
        bad="""
tools:
  getOrder:
    description: Fetch an order.
    mappings: {total: amounts.gross}
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
    mapping: {total: amounts.gross}
""",
    ),
    Page(
        code="TM901",
        name="bad-suppression",
        title="A suppression without a reason, or one that suppresses nothing",
        what=(
            "A comment `# tm: ignore[...]` or an entry of `[tool.tm.lint] allow` gives no reason, "
            "or there is no finding (any more) that it would suppress."
        ),
        why=(
            "In a year nobody knows whether it may go; and one that is left over hides the next "
            "fault."
        ),
        fix="Write the reason after the bracket, or delete the suppression.",
        bad="""
tools:
  getRates:  # tm: ignore[TM110]
    description: Fetch today's rates.
""",
        good="""
tools:
  getRates:  # tm: ignore[TM110] the bank's test system is down until June
    description: Fetch today's rates.
""",
    ),
    Page(
        code="TM902",
        name="linter-failed",
        title="The linter could not check this file",
        what=(
            "The file can't be read (rights, a folder of that name, a broken link), or a rule "
            "failed on it. The finding says which."
        ),
        why="A file that was not checked must not count as clean.",
        fix=(
            "Make the file readable. If a rule failed, that is a bug in tm: report it with the "
            "crash file that the message names."
        ),
        bad="""
chmod 000 tenants/shop/tools/getOrder.yaml
tm lint -t shop
""",
        good="""
chmod 644 tenants/shop/tools/getOrder.yaml
tm lint -t shop
""",
        language="shell",
    ),
)
