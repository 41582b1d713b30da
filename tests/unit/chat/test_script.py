"""Scripted answers from a file."""

from __future__ import annotations

import json

import pytest

from tests.unit.chat.conftest import says
from tm.chat.script import read_script
from tm.errors import ChatError, UsageError


def test_each_line_is_a_completion_or_a_list_of_chunks(tmp_path):
    chunk = {"choices": [{"index": 0, "delta": {"content": "B"}, "finish_reason": "stop"}]}
    lines = [json.dumps(says("A")), "", json.dumps([chunk])]
    (tmp_path / "s.jsonl").write_text("\ufeff" + "\n".join(lines))
    model = read_script(tmp_path / "s.jsonl")
    shown: list[str] = []
    assert [model.complete({}, shown.append).text for _ in range(2)] == ["A", "B"]
    assert shown == ["A", "B"]
    with pytest.raises(ChatError, match=r"s\.jsonl ran out: it has 2 answers"):
        model.complete({}, shown.append)
    model.close()


@pytest.mark.parametrize("content", [b'{"a": ', b"\xff"])
def test_a_script_that_can_not_be_read_is_told(tmp_path, content):
    (tmp_path / "s.jsonl").write_bytes(content)
    with pytest.raises(UsageError, match=r"s\.jsonl"):
        read_script(tmp_path / "s.jsonl")


def test_a_script_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UsageError, match="can't be read"):
        read_script(tmp_path / "none.jsonl")
