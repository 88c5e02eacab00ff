"""Calls the server of each case, given as JSON on the standard input, and prints the errors as JSON: null without one."""

import asyncio
import json
import ssl
import sys

from monitoring_inventory import SettingError, connect
from monitoring_inventory.api.nodes import list_nodes

results: list[object] = []


def call(case):
    client = connect(case["url"], case["key"])
    if case["is_async"]:
        asyncio.run(list_nodes.asyncio(client=client))
    else:
        list_nodes.sync(client=client)


for case in json.load(sys.stdin):
    try:
        try:
            raise SettingError("ca", "of another server") from ssl.SSLCertVerificationError()
        except SettingError:
            # A caller can be handling an error.
            call(case)
        results.append(None)
    except SettingError as error:
        results.append({"setting": error.setting, "http": error.http, "message": str(error)})
print(json.dumps(results))
