"""`python -m monitoring_inventory` prints the version."""

from . import __version__

print(f"monitoring-inventory {__version__}")
