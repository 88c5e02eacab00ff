"""Client of the monitoring inventory."""

from .client import AuthenticatedClient, Client
from .connection import InventoryError, connect, pages, pages_async

__all__ = ("AuthenticatedClient", "Client", "InventoryError", "connect", "pages", "pages_async")
