"""TM504 to TM508: errors of the exchange with an API."""

from __future__ import annotations

from typing import Final

from tm.codes.page import Page

PAGES: Final = (
    Page(
        code="TM504",
        name="http-status",
        title="The API answered with an error",
        what=(
            "The status was 400 or more, `fail_when` found an error in a 200, or a redirect led "
            "to another origin or came a sixth time. The message has the request line and the "
            "first 2,000 characters of the answer."
        ),
        why="The model sees it too, so that it can correct its arguments.",
        fix=(
            "Read the API's words. 401 and 403: the credentials; 404: the path or the id; 422: a "
            "field. `tm test-tool NAME --curl` prints the request to try by hand."
        ),
        bad="""
tools:
  getOrder:
    description: Fetch the newest order.
    api: erp
    method: GET
    path: /order/latest
""",
        good="""
tools:
  getOrder:
    description: Fetch the newest order.
    api: erp
    method: GET
    path: /orders/latest
    fail_when: error.message
""",
    ),
    Page(
        code="TM505",
        name="timeout",
        title="It took too long",
        what=(
            "The API did not accept the connection or sent nothing within `timeout`, or the whole "
            "run went past `max_seconds`: also where a function never ends, or loading its file "
            "does not."
        ),
        why=(
            "A chat waits for the tool. Timeouts are not tried again: a write may have been done."
        ),
        fix="Ask for less (a page, a period), or raise the limit of this tool.",
        bad="""
tools:
  getReport:
    description: Fetch the yearly report.
    api: erp
    method: GET
    path: /reports/year
""",
        good="""
tools:
  getReport:
    description: Fetch the yearly report.
    api: erp
    method: GET
    path: /reports/year
    timeout: {connect: 5, read: 90}
    max_seconds: 120
""",
    ),
    Page(
        code="TM506",
        name="connection-failed",
        title="No connection to the API",
        what=(
            "The host is unknown, refuses the connection, breaks it off, or its certificate is "
            "not trusted."
        ),
        why=(
            "GET and HEAD are tried again; a write only with an Idempotency-Key, since it may "
            "have arrived."
        ),
        fix=("Check base_url, VPN and proxy. For a private certificate authority name its file."),
        bad="""
apis:
  erp: {base_url: "https://erp.intern.example.com:8443/api"}
""",
        good="""
apis:
  erp:
    base_url: https://erp.intern.example.com/api
    verify: certs/intern-ca.pem
""",
    ),
    Page(
        code="TM507",
        name="response-too-large",
        title="The response is larger than allowed",
        what=(
            "The body went past max_response_bytes (10 MB by default), counted after "
            "decompression, and was cut off while it came."
        ),
        why="A few such answers fill the memory, and no model can read them.",
        fix="Ask for less: a filter, a page, fewer fields. Or raise the limit of this tool.",
        bad="""
tools:
  getArticles:
    description: Fetch all articles.
    api: erp
    method: GET
    path: /articles
""",
        good="""
tools:
  getArticles:
    description: Fetch the first hundred articles.
    api: erp
    method: GET
    path: /articles
    query: {limit: {value: 100}}
    max_response_bytes: 20000000
""",
    ),
    Page(
        code="TM508",
        name="broken-json",
        title="The API's JSON does not parse",
        what=(
            "The answer's content type says JSON, and the body is not. The message has the "
            "position and what stands there. NaN and Infinity are no JSON."
        ),
        why="Half an answer must not pass for a whole one.",
        fix=(
            "Look at the body with --curl. Often a proxy answered with an error page; if the API "
            "sends another format, its content type has to say so."
        ),
        bad="""
curl -i https://erp.example.com/orders    # content-type: application/json, body: <html>...
""",
        good="""
tm test-tool getOrders -t shop --curl -v
""",
        language="shell",
    ),
)
