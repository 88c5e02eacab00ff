# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds, changes and removes one object by its natural key."""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.api import (
    CONNECTION_OPTIONS,
    Api,
    in_path,
    in_selector,
)
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.contract import (
    AGENTS_OF_PROCESS,
    DEFAULTS,
    DESIRED,
    OWN_NODE_AGENTS,
    TYPES,
)
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.failures import InventoryError

# Other programs may write at the same time.
MAX_CONFLICTS = 5

OBJECT_OPTIONS = {
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
    "reset": {"type": "list", "elements": "str", "default": []},
    "force": {"type": "bool", "default": False},
}


def without_none(value):
    """Ansible gives None for each option that is absent."""
    if isinstance(value, dict):
        return {name: without_none(one) for name, one in value.items() if one is not None}
    if isinstance(value, list):
        return [without_none(one) for one in value]
    return value


def with_labels_as_text(fields):
    """Labels are text; YAML has numbers and booleans."""
    labels = fields.get("custom_labels")
    if labels is None:
        return fields
    texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in labels.items()}
    return {**fields, "custom_labels": texts}


class Names:
    """Names of other objects and their ids. In check mode a missing object has no id: an earlier task would add it."""

    def __init__(self, api, may_be_missing):
        self.api = api
        self.may_be_missing = may_be_missing

    def _list(self, kind, label, values, shown):
        if not values:
            return {}
        selector = f"{label} in ({','.join(in_selector(value) for value in values)})"
        found = self.api.objects(f"/v1/{kind}s", selector=selector, fields=f"{label},{shown}")
        return {one[label]: one[shown] for one in found}

    def names(self, kind, ids):
        found = self._list(kind, f"{kind}_id", ids, f"{kind}_name")
        return sorted(found.get(one, one) for one in ids)

    def ids(self, kind, names):
        """The ids of the objects; None if one is missing in check mode."""
        names = list(dict.fromkeys(names))
        found = self._list(kind, f"{kind}_name", names, f"{kind}_id")
        missing = [name for name in names if name not in found]
        if missing and not self.may_be_missing:
            raise InventoryError(f"There is no {kind} {', '.join(missing)}.", http=404, status="NOT_FOUND")
        return None if missing else [found[name] for name in names]


class Kind:
    """What the module knows about one kind of objects. Fields of a task have names where objects have ids."""

    name = ""

    def __init__(self, api, names):
        self.api = api
        self.names = names

    @property
    def path(self):
        return f"/v1/{self.name}s"

    def title(self, fields):
        return fields[f"{self.name}_name"]

    def find(self, fields):
        """The object with the natural key of the task, or None."""
        label = f"{self.name}_name"
        found = list(self.api.objects(self.path, selector=f"{label}={in_selector(fields[label])}"))
        return found[0] if found else None

    def add_path(self, fields):
        return f"{self.path}/by-name/{in_path(self.title(fields))}"

    def shown(self, current):
        """The object with names instead of ids."""
        return current

    def sent(self, fields, current):
        """The fields as the server has them."""
        return fields

    def key_fields(self):
        return {f"{self.name}_name"}


class Node(Kind):
    name = "node"

    def sent(self, fields, current):
        return {name: value for name, value in fields.items() if name != "node_name"}


class Service(Kind):
    name = "service"

    def shown(self, current):
        return {**current, "node_names": self.names.names("node", current["node_ids"])}

    def sent(self, fields, current):
        rest = {name: value for name, value in fields.items() if name not in ("service_name", "node_names")}
        if "node_names" not in fields:
            return rest
        return {**rest, "node_ids": fields["node_names"] and self.names.ids("node", fields["node_names"])}


class Agent(Kind):
    """The natural key is the type, the place and the targets."""

    name = "agent"

    def title(self, fields):
        insights = fields.get("insights", {})
        targets = insights.get("service_names", []) + insights.get("node_names", [])
        place = f" on {fields['runs_on_node_name']}" if "runs_on_node_name" in fields else ""
        return f"{fields['agent_type']}{place}{' for ' + ', '.join(targets) if targets else ''}"

    def key_fields(self):
        return {"agent_type", "runs_on_node_name", "insights"}

    def _key(self, fields):
        """The ids of the natural key; None if an object of the key is missing in check mode."""
        key = {"agent_type": fields["agent_type"]}
        node = fields.get("runs_on_node_name")
        nodes = None if node is None else self.names.ids("node", [node])
        if node is not None and nodes is None:
            return None
        if nodes is not None and key["agent_type"] in AGENTS_OF_PROCESS:
            processes = list(self.api.objects(self.path, agent_type="pmm_agent", runs_on_node_id=nodes[0], fields="agent_id"))
            if len(processes) != 1 and not (self.names.may_be_missing and not processes):
                count = "no" if not processes else "more than one"
                raise InventoryError(f"The node {node} has {count} pmm_agent, which would start this agent.", http=404)
            if not processes:
                return None
            key["pmm_agent_id"] = processes[0]["agent_id"]
        elif nodes is not None:
            key["runs_on_node_id"] = nodes[0]
        insights = fields.get("insights", {})
        targets = {}
        for kind in ("node", "service"):
            names = insights.get(f"{kind}_names", [])
            targets[f"{kind}_ids"] = self.names.ids(kind, names) if names else []
            if targets[f"{kind}_ids"] is None:
                return None
        if not any(targets.values()) and key["agent_type"] in OWN_NODE_AGENTS and nodes is not None:
            targets["node_ids"] = nodes
        return {**key, "insights": targets}

    def find(self, fields):
        key = self._key(fields)
        if key is None:
            return None
        targets = key["insights"]
        if "pmm_agent_id" not in key and "runs_on_node_id" not in key and not any(targets.values()):
            raise InventoryError("Requires runs_on_node_name or insights: they identify an agent.", http=400)
        place = {name: key[name] for name in ("pmm_agent_id", "runs_on_node_id") if name in key}
        by_target = {name[:-1]: ids[0] for name, ids in targets.items() if ids}
        query = place or by_target
        same = [
            one
            for one in self.api.objects(self.path, agent_type=key["agent_type"], include="state", **query)
            if all(set(one["insights"][name]) == set(ids) for name, ids in targets.items())
            and ("runs_on_node_id" in place or "pmm_agent_id" in place or "runs_on_node_id" not in one)
        ]
        # The oldest is the one that an upsert uses.
        return min(same, key=lambda one: (one["created_at"], one["agent_id"]), default=None)

    def add_path(self, fields):
        return f"{self.path}/by-key"

    def shown(self, current):
        node = current.get("runs_on_node_id")
        place = {} if node is None else {"runs_on_node_name": self.names.names("node", [node])[0]}
        targets = {f"{kind}_names": self.names.names(kind, current["insights"][f"{kind}_ids"]) for kind in ("node", "service")}
        return {**current, **place, "insights": targets}

    def sent(self, fields, current):
        rest = {name: value for name, value in fields.items() if name not in ("runs_on_node_name", "insights")}
        return rest if current is not None else {**rest, **(self._key(fields) or {})}


KINDS = {kind.name: kind for kind in (Node, Service, Agent)}


def _is_same(name, current, wanted):
    if name == "node_names":
        return set(current or []) == set(wanted)
    if isinstance(wanted, dict) and name != "custom_labels":
        return all((current or {}).get(one) == value for one, value in wanted.items())
    return current == wanted


def _check_fields(kind, fields, reset, current):
    """The defaults of the fields of the object's type.

    :raises InventoryError: for a field that the type does not have, and an absent one that an add requires.
    """
    type_field = f"{kind.name}_type"
    given = fields.get(type_field)
    if current is None and given is None:
        raise InventoryError(f"{type_field} is required to add {kind.name} {kind.title(fields)}.", http=400)
    if current is not None and given not in (None, current[type_field]):
        message = f"{kind.name} {kind.title(fields)} has the type {current[type_field]}. A type cannot change: remove it first."
        raise InventoryError(message, http=400)
    contract = TYPES[kind.name][given or current[type_field]]
    wrong = sorted((set(fields) | set(reset)) - set(contract["fields"]))
    if wrong:
        raise InventoryError(f"{given or current[type_field]} has no {', '.join(wrong)}.", http=400)
    missing = [name for name in contract["required"] if name not in fields]
    if current is None and missing:
        raise InventoryError(f"{', '.join(missing)} is required to add {kind.name} {kind.title(fields)}.", http=400)
    fixed = sorted(set(reset) & (set(contract["required"]) | kind.key_fields() | set(fields)))
    if fixed:
        raise InventoryError(f"{', '.join(fixed)} cannot be reset.", http=400)
    return {name: value for name, value in DEFAULTS[kind.name].items() if name in contract["fields"]}


def _differences(kind, fields, reset, shown, defaults):
    """The values of the fields that change: (before, after, patch). A field that is cleared is None in the patch."""
    before, after, patch = {}, {}, {}
    for name, wanted in fields.items():
        current = shown.get(name)
        if name in kind.key_fields() or _is_same(name, current, wanted):
            continue
        before[name], after[name], patch[name] = current, wanted, wanted
        if name == "custom_labels":
            # A change merges labels; a task has all of them.
            patch[name] = {**{label: None for label in current or {} if label not in wanted}, **wanted}
        elif isinstance(wanted, dict):
            after[name] = {**(current or {}), **wanted}
        elif name == "node_names":
            after[name] = sorted(wanted)
    for name in reset:
        current, standard = shown.get(name), defaults.get(name)
        if current == standard:
            continue
        before[name], after[name], patch[name] = current, standard, None
    return ({name: value for name, value in one.items() if value is not None} for one in (before, after)), patch


class Task:
    """One run of a module: `run` returns what it reports."""

    def __init__(self, kind, fields, reset, force, check_mode):
        self.kind, self.fields, self.reset, self.force, self.check_mode = kind, fields, reset, force, check_mode

    def _result(self, changed, before, after, current):
        header = f"{self.kind.name} {self.kind.title(self.fields)}"
        diff = {"before": before, "after": after, "before_header": header, "after_header": header}
        return {"changed": changed, "diff": diff, self.kind.name: current}

    def _add(self):
        kind, fields = self.kind, self.fields
        defaults = _check_fields(kind, fields, self.reset, None)
        body = kind.sent(fields, None)
        after = {**{name: value for name, value in defaults.items() if name not in self.reset}, **fields}
        if self.check_mode:
            return self._result(True, {}, after, None)
        added = kind.api.request("PUT", kind.add_path(fields), body=body, headers={"If-None-Match": "*"})
        added.pop("outcome", None)
        return self._result(True, {}, after, added)

    def _change(self, current):
        kind = self.kind
        defaults = _check_fields(kind, self.fields, self.reset, current)
        (before, after), patch = _differences(kind, self.fields, self.reset, kind.shown(current), defaults)
        if not patch:
            return self._result(False, {}, {}, current)
        body = kind.sent(patch, current)
        if not self.check_mode:
            path = f"{kind.path}/{current[kind.name + '_id']}"
            changed = kind.api.request("PATCH", path, body=body, headers={"If-Match": f'"{current["revision"]}"'})
            if changed["revision"] == current["revision"]:
                # The port that a running agent reports hides the declared one, which was the same.
                return self._result(False, {}, {}, changed)
            current = changed
        return self._result(True, before, after, current)

    def _remove(self, current):
        kind = self.kind
        if current is None:
            return self._result(False, {}, {}, None)
        declared = TYPES[kind.name][current[kind.name + "_type"]]["fields"]
        before = {name: value for name, value in kind.shown(current).items() if name in declared}
        if not self.check_mode:
            path = f"{kind.path}/{current[kind.name + '_id']}"
            query = {"force": "true"} if self.force else None
            kind.api.request("DELETE", path, query, headers={"If-Match": f'"{current["revision"]}"'})
        return self._result(True, before, {}, None)

    def run(self, state):
        for number in range(1, MAX_CONFLICTS + 1):
            try:
                current = self.kind.find(self.fields)
                if state == "absent":
                    return self._remove(current)
                return self._add() if current is None else self._change(current)
            except InventoryError as error:
                # Somebody else wrote in the meantime: read again.
                if error.http != 412 or number == MAX_CONFLICTS:
                    raise


def main(name, required):
    """The module for one kind of objects, with the options that are required."""
    fields = DESIRED[name + "s"]["options"]
    # Only the natural key identifies an object that is absent.
    options = {one: {**option, "required": one in required} for one, option in fields.items()}
    module = AnsibleModule(
        argument_spec={**CONNECTION_OPTIONS, **OBJECT_OPTIONS, **options},
        supports_check_mode=True,
    )
    given = without_none({one: module.params[one] for one in fields})
    try:
        api = Api(module.params)
        is_absent = module.params["state"] == "absent"
        kind = KINDS[name](api, Names(api, may_be_missing=module.check_mode or is_absent))
        task = Task(kind, with_labels_as_text(given), module.params["reset"], module.params["force"], module.check_mode)
        module.exit_json(**task.run(module.params["state"]))
    except InventoryError as error:
        module.fail_json(msg=str(error), http=error.http, status=error.status, details=error.details)
