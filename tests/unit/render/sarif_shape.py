"""The part of SARIF 2.1.0 that a lint report uses, as a closed schema of our own writing.

From the standard's text (OASIS, sections 3.13 to 3.54): required properties, enumerations, and
that positions begin at 1.
"""

from __future__ import annotations

from typing import Any


def closed(required: list[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": False,
    }


TEXT = {"type": "string", "minLength": 1}
NUMBER = {"type": "integer", "minimum": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = closed(["text"], text=TEXT, markdown=TEXT)
REGION = closed(
    ["startLine"], startLine=NUMBER, startColumn=NUMBER, endLine=NUMBER, endColumn=NUMBER
)
# A relative reference of RFC 3986: no character that it does not allow.
URI = {"type": "string", "pattern": r"^(?:[A-Za-z0-9._~/!$&'()*+,;=@-]|%[0-9A-F]{2})+$"}
PLACE = closed(["artifactLocation"], artifactLocation=closed(["uri"], uri=URI), region=REGION)
RULE = closed(
    ["id"],
    id=TEXT,
    name=TEXT,
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=MESSAGE,
    helpUri=TEXT,
    defaultConfiguration=closed([], level=LEVEL),
    properties={"type": "object"},
)
RESULT = closed(
    ["message"],
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations={"type": "array", "items": closed([], physicalLocation=PLACE)},
)
DRIVER = closed(
    ["name"],
    name=TEXT,
    version=TEXT,
    informationUri=TEXT,
    rules={"type": "array", "items": RULE, "uniqueItems": True},
)
RUN = closed(
    ["tool"],
    tool=closed(["driver"], driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results={"type": "array", "items": RESULT},
)
SARIF = {
    **closed(["version", "runs"], version={"const": "2.1.0"}, runs={"type": "array", "items": RUN}),
}
SARIF["properties"]["$schema"] = TEXT
