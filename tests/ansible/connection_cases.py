"""Calls the server of each case, given as JSON on the standard input, and prints the errors as JSON: null without one."""

import json
import sys

from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.api import Api
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.failures import SettingError

options = {"ca_path": None, "validate_certs": True, "timeout": 30, "attempts": 4, "api_key_file": None}

results = []
for case in json.load(sys.stdin):
    try:
        Api({**options, "url": case["url"], "api_key": case["key"]}).get("/v1/caller")
        results.append(None)
    except SettingError as error:
        results.append(str(error))
print(json.dumps(results))
