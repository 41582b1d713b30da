"""getKnowledge: the frame around the search in a tenant's documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tm.builtin.context import BuiltinContext
from tm.builtin.knowledge import search_knowledge
from tm.model import Json


def get_knowledge(args: Mapping[str, Any], context: BuiltinContext) -> Json:
    """Return `{"hits": [...]}`, the best first."""
    query, limit = args["query"], args["limit"]
    context.log("info", "searching knowledge/", {"query": query, "limit": limit})
    index = context.root / ".tm" / "knowledge" / f"{context.tenant}.sqlite3"
    hits = search_knowledge(context.folder / "knowledge", index, query, limit)
    context.log("success", "searched", {"hits": len(hits)})
    return {"hits": hits}
