"""Cuts a result that is too long for a model, by its structure (SPEC 8).

Lists lose their tails, long texts their ends, objects with very many keys the last ones; short
values beside them stay. What is left is valid JSON of the same kind, with a `_truncated` note.
"""

from __future__ import annotations

import json
from typing import Any, Final

from tm.errors import join_path
from tm.model import Json

NOTE: Final = "_truncated"
_NOTES_SHOWN: Final = 5
_SMALLEST: Final = 40
Path = tuple[object, ...]


def result_text(result: Json, longest: int) -> str:
    """Return a result as the JSON text that a model gets.

    Args:
        result: of a tool.
        longest: characters that the text may have; the note comes on top.
    """
    text = to_text(result)
    if len(text) <= longest:
        return text
    notes: list[str] = []
    cut = _fitted(result, max(longest, 2), (), notes)
    more = [f"and {len(notes) - _NOTES_SHOWN} more places"] if len(notes) > _NOTES_SHOWN else []
    return to_text(_with_note(cut, [*notes[:_NOTES_SHOWN], *more]))


def to_text(value: Json) -> str:
    """Return the value as JSON text with readable letters."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _with_note(value: Json, notes: list[str]) -> Json:
    if isinstance(value, dict):
        return {**value, NOTE: notes}
    if isinstance(value, list):
        return [*value, {NOTE: notes}]
    return {"text": value, NOTE: notes}


def _fitted(value: Json, room: int, path: Path, notes: list[str]) -> Json:
    """Return the value in at most `room` characters of JSON text, as far as that can be."""
    if len(to_text(value)) <= room:
        return value
    if isinstance(value, str):
        return _cut_text(value, room, path, notes)
    if isinstance(value, list):
        return _cut_list(value, room, path, notes)
    return _cut_object(value, room, path, notes) if isinstance(value, dict) else value


def _cut_text(text: str, room: int, path: Path, notes: list[str]) -> str:
    kept = text[: max(room - 3, 0)]
    while kept and len(to_text(kept)) > room - 1:  # escapes make it longer
        kept = kept[: len(kept) - max(len(to_text(kept)) - room + 1, 8) // 2 - 1]
    notes.append(f"{_place(path)}: {len(kept):,} of {len(text):,} characters")
    return f"{kept}…"


def _cut_list(items: list[Json], room: int, path: Path, notes: list[str]) -> list[Json]:
    kept: list[Json] = []
    left = room - 2
    for item in items:
        size = len(to_text(item)) + 2
        if size > left:
            break
        kept.append(item)
        left -= size
    if not kept and items and room > _SMALLEST:
        kept.append(_fitted(items[0], left, (*path, 0), notes))
    notes.append(f"{_place(path)}: {len(kept):,} of {len(items):,} entries")
    return kept


def _cut_object(fields: dict[str, Any], room: int, path: Path, notes: list[str]) -> dict[str, Any]:
    """Share the room between the values: small ones stay whole, large ones get equal parts."""
    keys = _kept_keys(fields, room)
    if len(keys) < len(fields):
        notes.append(f"{_place(path)}: {len(keys):,} of {len(fields):,} keys")
    sizes = {key: len(to_text(fields[key])) for key in keys}
    left = room - 2 - sum(len(to_text(key)) + 4 for key in keys)
    shares: dict[str, int] = {}
    for number, key in enumerate(sorted(keys, key=sizes.__getitem__)):
        shares[key] = min(sizes[key], max(left // (len(keys) - number), 2))
        left -= shares[key]
    return {key: _fitted(fields[key], shares[key], (*path, key), notes) for key in keys}


def _kept_keys(fields: dict[str, Any], room: int) -> list[str]:
    """Return the first keys that find room with a few characters of their values."""
    kept: list[str] = []
    left = room - 2
    for key, value in fields.items():
        left -= len(to_text(key)) + 4 + min(len(to_text(value)), _SMALLEST)
        if left < 0 and kept:
            break
        kept.append(key)
    return kept


def _place(path: Path) -> str:
    return join_path(path) or "the result"
