"""What looks like a secret, and what only looks so at first."""

from __future__ import annotations

import pytest

from tm.lint.secret_shapes import find_tokens, is_placeholder, is_random


@pytest.mark.parametrize(
    "text",
    [
        "AKIAQ7R2XJ5LM9WDKT4P",
        "glpat-K2mQ9vL4xT7bN1cW6zY3",
        "https://hooks.slack.com/services/T71928/B91827/hJ8kLq2WmZx4",
        "rk_live_K2mQ9vL4xT7b",
        "GOCSPX-K2mQ9vL4xT7bN1cW6zY3jH",
        "SG.K2mQ9vL4xT7bN1cW6.zY3jH5dF0gA2pEuX9k",
        "npm_K2mQ9vL4xT7bN1cW6zY3jH5dF0gA2pEuX9kq",
        "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",
        "71928374650:AAK2mQ9vL4xT7bN1cW6zY3jH5dF0gA2pEuX"[1:],
        "DefaultEndpoints;AccountKey=K2mQ9vL4xT7bN1cW6zY3jH5dF0gA2pEuX9kq==",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "sk-ant-api03-K2mQ9vL4xT7bN1cW6zY3",
        "amqp://shop:K2mQ9v@mq.example.com",
    ],
)
def test_tokens_are_known_by_their_shape(text):
    assert len({value for value, _, _ in find_tokens(f"x: {text} # y")}) == 1


@pytest.mark.parametrize(
    "text",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-learn-introduction-to-models",
        "https://user:${PASSWORD}@erp.example.com",
        "https://user:password@erp.example.com",
        "http://erp.example.com:8080/a@b",
        "sk_live_0123456789abcdef",
        "skipped: 3, xoxo",
    ],
)
def test_stand_ins_are_spared(text):
    assert list(find_tokens(text)) == []


@pytest.mark.parametrize(
    "value",
    [
        "${TOKEN}", "Bearer ${TOKEN}", "changeme", "your-token-here", "<token>", "****",
        "xxxx-xxxx", "test-token-123", "", "{{vars.key}}", "$TOKEN", "none", "%TOKEN%",
    ],
)  # fmt: skip
def test_placeholders(value):
    assert is_placeholder(value)


@pytest.mark.parametrize("value", ["hunter2", "Sommer2024!", "7f3c9a1e5b2d", "pre-${A}", "12345"])
def test_what_is_no_placeholder(value):
    assert not is_placeholder(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("9f8e7d6c5b4a39281706f5e4d3c2b1a0", True),
        ("Bearer hG7kQ2xL9mR4tY8wB3nZ6vC1", True),
        ("customer_orders_by_year_2026", False),
        ("short1", False),
        ("two words 9f8e7d6c5b4a39281706", False),
        ("ABCDEFGHIJKLMNOPQRSTUVWX", False),
        ("aaaaaaaaaaaaaaaaaaaa1", False),
    ],
)
def test_random_text(value, expected):
    assert is_random(value) is expected
