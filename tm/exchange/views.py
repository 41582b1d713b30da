"""What a tenant offers to models, gathered from a catalog.

What lives here: the gathering. What must not: comparing.
"""

from __future__ import annotations

from collections.abc import Iterator

from tm.config.loader import Catalog
from tm.errors import ConfigError, UsageError
from tm.exchange.changes import View
from tm.model import Tool


def view_of(catalog: Catalog, code: str) -> View:
    """Return a tenant's view; an empty one where the catalog has no such tenant."""
    if code not in catalog.tenant_codes():
        return View(code)
    tenant = catalog.tenant(code)
    listed = {name for found in tenant.assistants.values() for name in found.tools}
    tools = dict(tenant.tools)
    reasons = {name: str(p.error) for p in tenant.problems for name in p.tools}
    for name in sorted(listed - tools.keys() - reasons.keys()):
        for found in _found(catalog, code, name, reasons):
            tools[name] = found
    return View(code, tools, tenant.assistants, reasons)


def _found(catalog: Catalog, code: str, name: str, reasons: dict[str, str]) -> Iterator[Tool]:
    """Yield a shared tool that an assistant lists; where it is broken, note why."""
    try:
        yield catalog.find_tool(code, name, fresh=False)
    except ConfigError as problem:
        reasons[name] = str(problem)
    except UsageError:
        return  # a name that nobody has is lint's business
