#!/usr/bin/python
# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: scope
short_description: Makes a part of the monitoring inventory equal to a desired state
version_added: 0.1.0
author: The authors of the monitoring inventory (@monitoring-inventory)
description:
  - Sends all desired objects of a scope in one request. Objects of the scope that are not desired are removed, others are never changed.
  - The diff shows the plan, and exactly this plan is applied. Check mode needs only a key with the role Viewer.
options:
  selector:
    type: str
    description:
      - Nodes and services whose labels match belong to the scope.
  name_prefix:
    type: str
    description:
      - Nodes and services whose name has this prefix belong to the scope.
  on_blocked:
    type: str
    choices: [fail, continue]
    default: fail
    description:
      - An item is blocked if it requires a change outside the scope. With V(fail), nothing is changed then.
  wait:
    type: bool
    default: true
    description:
      - Wait for the end of a reconciliation that takes longer than one request.
  wait_timeout:
    type: int
    default: 900
    description:
      - Longest time to wait, in seconds. The reconciliation continues after it.
extends_documentation_fragment:
  - monitoring_inventory.inventory.connection
  - monitoring_inventory.inventory.desired
  - monitoring_inventory.inventory.removals
attributes:
  check_mode:
    support: full
    description: Requests the plan, and changes nothing.
  diff_mode:
    support: full
    description: Shows the plan.
  idempotent:
    support: full
    description: A second run changes nothing.
"""

EXAMPLES = r"""
- name: A fleet
  monitoring_inventory.inventory.scope:
    selector: fleet=shop
    max_removals_percent: 10
    nodes:
      - { node_type: generic, node_name: shop-1, address: 10.0.7.1, custom_labels: { fleet: shop } }
    services:
      - service_type: mysql
        service_name: shop-db
        node_names: [shop-1]
        address: 10.0.7.1
        port: 3306
        custom_labels: { fleet: shop }
    agents:
      - { agent_type: pmm_agent, runs_on_node_name: shop-1 }
"""

RETURN = r"""
plan:
  description: The items, and the numbers of objects to add, change and remove.
  returned: always
  type: dict
state:
  description: V(planned) in check mode, V(applying) if the job continues, otherwise V(done).
  returned: success
  type: str
"""

import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.api import CONNECTION_OPTIONS, Api
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.failures import InventoryError
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.contract import DESIRED
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.objects import with_labels_as_text, without_none

PATH = "/v1/reconcile"

# Other programs may write between the plan and its application.
MAX_PLANS = 5

SCOPE_OPTIONS = {
    "selector": {"type": "str"},
    "name_prefix": {"type": "str"},
    "max_removals_percent": {"type": "float"},
    "on_blocked": {"type": "str", "choices": ["fail", "continue"], "default": "fail"},
    "wait": {"type": "bool", "default": True},
    "wait_timeout": {"type": "int", "default": 900},
}

NUMBERS = ("add", "change", "remove", "unchanged", "blocked", "in_scope")


def title(item):
    if item["kind"] != "agent":
        return f"{item['kind']} {item[item['kind'] + '_name']}"
    insights = item.get("insights", {})
    targets = insights.get("service_names", []) + insights.get("node_names", [])
    place = f" on {item['runs_on_node_name']}" if "runs_on_node_name" in item else ""
    return f"agent {item['agent_type']}{place}{' for ' + ', '.join(targets) if targets else ''}"


def diff_of(items, desired):
    """The states before and after: an object that is added or removed is on one side only."""
    objects = {title({**one, "kind": name[:-1]}): one for name, objects in desired.items() for one in objects}
    before, after = {}, {}
    for item in items:
        name, changes = title(item), item.get("changes", [])
        if "blocked" in item:
            continue
        if item["action"] != "add":
            before[name] = {one["field"]: one["from"] for one in changes if "from" in one}
        if item["action"] == "add":
            after[name] = objects.get(name, {})
        if item["action"] == "change":
            after[name] = {one["field"]: one["to"] for one in changes if "to" in one}
    return {"before": before, "after": after}


def apply(api, plan, params):
    """The last reply to the application of the plan, which is done unless the time is up.

    :raises InventoryError: with 412 if the inventory has changed since the plan.
    """
    end = time.monotonic() + params["wait_timeout"]
    while True:
        reply = api.request("POST", PATH, body={"mode": "apply", "plan_id": plan["plan_id"]}, repeatable=True)
        if reply["state"] != "applying" or not params["wait"]:
            return reply
        if time.monotonic() > end:
            raise InventoryError(f"The reconciliation {plan['plan_id']} continues after {params['wait_timeout']} s.")
        time.sleep(1)


def check_plan(plan, on_blocked):
    """:raises InventoryError: if the plan must not be applied."""
    if "refusal" in plan:
        raise InventoryError(plan["refusal"], http=400, status="FAILED_PRECONDITION")
    blocked = [f"{item['action']} {title(item)}: {item['blocked']}" for item in plan["items"] if "blocked" in item]
    if blocked and on_blocked == "fail":
        raise InventoryError("Blocked items, nothing was changed: " + " ".join(blocked), http=400, status="FAILED_PRECONDITION")


def check_result(reply):
    """:raises InventoryError: if an item failed, or the reconciliation ended early."""
    if "refusal" in reply:
        raise InventoryError(reply["refusal"], http=400, status="FAILED_PRECONDITION")
    failed = [
        f"{item['action']} {title(item)}: {item.get('error', {}).get('message', 'failed')}"
        for item in reply["items"]
        if item.get("outcome") == "failed"
    ]
    if failed:
        raise InventoryError("Items failed, the others are done: " + " ".join(failed), http=400, status="FAILED_PRECONDITION")
    if reply["state"] in ("stopped", "cancelled"):
        raise InventoryError(f"The reconciliation was {reply['state']}. {reply.get('reason', 'Changes remain.')}", http=400)


def reconcile(module, api, result):
    """Plans, and applies the plan. Writes what the task reports into the result."""
    params = module.params
    scope = without_none({name: params[name] for name in ("selector", "name_prefix")})
    lists = {name: params[name] for name in DESIRED if params[name] is not None}
    desired = {name: [with_labels_as_text(one) for one in without_none(objects)] for name, objects in lists.items()}
    request = without_none(
        {"mode": "plan", "scope": scope, "desired": desired, "max_removals_percent": params["max_removals_percent"]}
    )
    for number in range(1, MAX_PLANS + 1):
        plan = api.request("POST", PATH, body=request, repeatable=True)
        # Without blocked items.
        changed = plan["progress"]["total"] > 0
        result["plan"] = {name: plan[name] for name in NUMBERS} | {"items": plan["items"]}
        result.update(diff=diff_of(plan["items"], desired), state=plan["state"])
        if plan.get("items_left_out"):
            module.warn(f"The plan omits {plan['items_left_out']} items.")
        check_plan(plan, params["on_blocked"])
        result["changed"] = changed
        if module.check_mode or "plan_id" not in plan:
            return
        try:
            reply = apply(api, plan, params)
        except InventoryError as error:
            if error.http == 412 and number < MAX_PLANS:
                continue
            raise
        result["state"] = reply["state"]
        check_result(reply)
        return


def main():
    module = AnsibleModule(
        argument_spec={**CONNECTION_OPTIONS, **SCOPE_OPTIONS, **DESIRED},
        required_one_of=[("selector", "name_prefix")],
        supports_check_mode=True,
    )
    result = {"changed": False}
    try:
        reconcile(module, Api(module.params), result)
    except InventoryError as error:
        module.fail_json(msg=str(error), http=error.http, status=error.status, details=error.details, **result)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
