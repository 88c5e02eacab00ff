"""Declares objects with every field, through the code of the modules: what is reported by check mode, a run, a second run, a reset."""

import json
import sys

from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.api import Api
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.objects import KINDS, Names, Task

options = {"ca_path": None, "validate_certs": True, "timeout": 60, "attempts": 4, "api_key_file": None}


def run(api, case, fields, reset, check_mode=False, state="present"):
    kind = KINDS[case["kind"]](api, Names(api, may_be_missing=check_mode or state == "absent"))
    result = Task(kind, fields, reset, False, check_mode).run(state)
    return {"changed": result["changed"], "diff": result["diff"]}


given = json.load(sys.stdin)
api = Api({**options, "url": given["url"], "api_key": given["key"]})
for case in given["cases"]:
    only_key = {name: case["fields"][name] for name in case["required"]}
    steps = [(case["fields"], []), (only_key, case["reset"])]
    runs = []
    for fields, reset in steps:
        for _ in ("first", "second"):
            checked = run(api, case, fields, reset, check_mode=True)
            runs.append({"same": checked == run(api, case, fields, reset), "changed": checked["changed"]})
    print(json.dumps({"kind": case["kind"], "type": case["type"], "runs": runs}))
