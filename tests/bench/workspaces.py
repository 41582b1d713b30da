"""Workspaces and a server to measure against."""

import http.server
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tm.http.cassette_file import Interaction, dump, pretty

BODY = json.dumps({"invoice_id": "R-1", "amounts": {"gross": 119.0}, "customer": {"name": "Adler"}})


@contextmanager
def answering_server(delay_s: float = 0.0) -> Iterator[str]:
    """Serve one small JSON document at every address, after a while; yields the base URL."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Headers and body in one packet: a second one would wait for the first one's receipt.
        wbufsize = 1 << 16

        def do_GET(self) -> None:
            time.sleep(delay_s)
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(BODY)))
            self.end_headers()
            self.wfile.write(BODY.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def make_workspace(root: Path, base_url: str, count: int) -> Path:
    """Write a tenant of `count` tools, one a file; returns the root."""
    tenant = root / "tenants" / "kontor"
    tenant.mkdir(parents=True)
    (tenant / "apis.yaml").write_text(f"apis:\n  erp: {{base_url: '{base_url}'}}\n", "utf-8")
    for number in range(count):
        folder = tenant / "tools" / f"group{number % 40:02d}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"getInvoice{number}.yaml").write_text(_tool(f"getInvoice{number}"), "utf-8")
    (tenant / "tools" / "post.yaml").write_text(_post(), "utf-8")
    return root


def make_many_tenants(root: Path, tenants: int, tools: int) -> Path:
    """Write tenants of so many tools each, every tool with its cassette; returns the root."""
    text = _cassette()
    for number in range(tenants):
        tenant = root / "tenants" / f"shop{number:03d}"
        (tenant / "tools").mkdir(parents=True)
        (tenant / "apis.yaml").write_text(
            "apis:\n  erp: {base_url: 'https://erp.example.com/v2'}\n", "utf-8"
        )
        for count in range(tools):
            name = f"getInvoice{count}"
            (tenant / "tools" / f"{name}.yaml").write_text(_tool(name), "utf-8")
            cassette = tenant / "cassettes" / name / "default.yaml"
            cassette.parent.mkdir(parents=True)
            cassette.write_text(text, "utf-8")
    return root


def _cassette() -> str:
    """Return what `--record` writes for `_tool`."""
    url = "https://erp.example.com/v2/invoices/INV-2026-001?lines=true"
    kind = {"content-type": "application/json"}
    body = pretty(BODY.encode(), kind["content-type"])
    return dump([Interaction("GET", url, None, 200, kind, body)])


def _tool(name: str) -> str:
    return f"""\
tools:
  {name}:
    description: Fetch an invoice by its id.
    parameters:
      type: object
      properties:
        id: {{type: string, description: Invoice id as shown in the ERP.}}
        lines: {{type: boolean, description: With its lines.}}
      required: [id]
    api: erp
    method: GET
    path: /invoices/{{id}}
    mapping:
      id: invoice_id
      total: amounts.gross
      customer: customer.name
    args_fixture: {{id: INV-2026-001, lines: true}}
"""


def _post() -> str:
    return """\
tools:
  createOffer:
    description: Create an offer.
    parameters:
      type: object
      properties: {price: {type: number, description: Price.}}
      required: [price]
    api: erp
    method: POST
    path: /offers
    args_fixture: {price: 9.5}
"""
