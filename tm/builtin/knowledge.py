"""getKnowledge: search in the tenant's own documents, `knowledge/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tm.builtin.context import BuiltinContext
from tm.builtin.knowledge_files import KNOWLEDGE, find_documents, read_document
from tm.builtin.knowledge_index import KnowledgeIndex, with_index
from tm.builtin.places import in_tenant
from tm.builtin.words import query_words
from tm.confine.tree import FoundFile
from tm.model import Json


def get_knowledge(args: Mapping[str, Any], context: BuiltinContext) -> Json:
    """Return `{"hits": [{"file", "heading", "text", "score"}]}`, the best first.

    `file` is relative to `knowledge/`; `score` is explained at `tm.builtin.ranking.scores`.
    """
    query, limit = args["query"], int(args["limit"])  # 5.0 is a whole number too
    context.log("info", f"searching {KNOWLEDGE}/", {"query": query, "limit": limit})
    segments = in_tenant(context, KNOWLEDGE)
    documents = find_documents(context.root, segments, context.log)
    words = query_words(query)
    if not documents or not words:
        reason = "the query has no words" if documents else f"{KNOWLEDGE}/ has no documents"
        context.log("warning", f"nothing found: {reason}")
        return {"hits": []}

    def read(found: FoundFile) -> Any:
        return read_document(context.root, segments, found)

    def work(index: KnowledgeIndex) -> list[dict[str, Any]]:
        if count := index.refresh(documents, read):
            context.log("info", "documents read", {"files": count})
        for path, fault in index.faults():
            context.log("warning", f"{path} is not searched: {fault}")
        return index.search(words, limit)

    place = context.root / ".tm" / KNOWLEDGE / f"{context.tenant}.sqlite3"
    hits = with_index(place, work, lambda line: context.log("warning", line))
    context.log("success", "searched", {"hits": len(hits), "files": len(documents)})
    return {"hits": hits}
