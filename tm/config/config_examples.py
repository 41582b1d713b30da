"""Examples of fields for the JSON Schema of the config, which editors show beside a field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Examples = Mapping[str, Any]
"""An example by the name of its field."""

TOOL_EXAMPLES: Final[Examples] = {
    "description": "Fetch an invoice by its id, with its total and its open amount.",
    "parameters": {
        "type": "object",
        "properties": {"id": {"type": "string", "description": "Invoice id, such as INV-7."}},
        "required": ["id"],
    },
    "api": "erp",
    "method": "GET",
    "path": "/invoices/{id}",
    "query": {"since": "from_date", "lang": {"value": "en"}},
    "body": {"customer": {"id": "customer_id"}, "note": "order {id}"},
    "body_format": "json",
    "headers": {"X-Request-Source": {"value": "chat"}},
    "mapping": {"id": "invoice_id", "total": "amounts.gross", "skus": "lines.*.sku"},
    "preprocess": "invoice.py:with_defaults",
    "postprocess": "invoice.py:add_tax",
    "handler": "report.py:monthly_report",
    "extends": "searchOrders",
    "args_fixture": {"id": "INV-7"},
    "fixtures": [{"name": "unknown", "args": {"id": "INV-0"}, "error": "TM504"}],
    "response_fixture": {"invoice_id": "INV-7", "amounts": {"gross": 119}},
    "read_only": True,
    "fail_when": "error.message",
    "max_seconds": 30,
    "timeout": {"connect": 3, "read": 20},
    "retry": {"attempts": 3},
    "max_response_bytes": 1_000_000,
    "follow_redirects": False,
    "pagination": {"type": "page", "param": "page", "items": "results", "max_pages": 5},
    "max_nested_calls": 20,
}

API_EXAMPLES: Final[Examples] = {
    "base_url": "https://erp.example.com/api/v2",
    "auth": {"type": "bearer", "token": "${ERP_TOKEN}"},
    "headers": {"Accept-Language": "en"},
    "timeout": 10,
    "retry": {"attempts": 3},
    "verify": "certs/ca.pem",
    "max_response_bytes": 1_000_000,
    "follow_redirects": False,
    "pagination": {"type": "link"},
    "query_arrays": "comma",
}

ASSISTANT_EXAMPLES: Final[Examples] = {
    "description": "Answers customers of the web shop.",
    "system_prompt": "You help customers of {{vars.shop}}. Today is {{date}}.",
    "model": "gpt-5-mini",
    "provider": "main",
    "tools": ["getInvoice", "calculateTax"],
    "max_tool_rounds": 8,
    "temperature": 0.5,
    "max_tokens": 3000,
    "max_result_chars": 50_000,
}

TASK_EXAMPLES: Final[Examples] = {
    "description": "Stock report for the buyers.",
    "cron": "0 6 * * 1-5",
    "timezone": "Europe/Berlin",
    "tool": "stockReport",
    "args": {"site": "north"},
    "assistant": "support",
    "message": "Which orders are late today?",
}

PROVIDER_EXAMPLES: Final[Examples] = {
    "base_url": "https://llm.example.com/v1",
    "api_key": "${LLM_KEY}",
    "headers": {"X-Team": "shop"},
    "stream": True,
    "timeout": 60,
    "dialect": "openai",
}

SETTING_EXAMPLES: Final[Examples] = {
    "vars": {"shop": "Blumen Albers"},
    "providers": {"main": {"base_url": "https://llm.example.com/v1", "api_key": "${LLM_KEY}"}},
    "http": "replay",
    "http_allow": ["https://files.example.com"],
    "timezone": "Europe/Berlin",
    "language": "de",
    "isolate": True,
    "config_writers": ["anna"],
    "files_quota_mb": 500,
    "token_budget": 4000,
}
