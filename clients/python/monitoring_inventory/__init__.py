"""Client of the monitoring inventory."""

from importlib.metadata import version

from .client import AuthenticatedClient, Client
from .connection import connect, pages, pages_async
from .failures import InventoryError, SettingError

__all__ = ("AuthenticatedClient", "Client", "InventoryError", "SettingError", "connect", "pages", "pages_async")

__version__ = version("monitoring-inventory")
