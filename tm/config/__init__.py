"""From the workspace's files to the model; runs no tenant code and opens no connection."""

from tm.config.discover import choose_tenant, find_root
from tm.config.env import SecretSource
from tm.config.loader import Catalog

__all__ = ["Catalog", "SecretSource", "choose_tenant", "find_root"]
