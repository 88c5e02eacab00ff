# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
name: nodes
short_description: Hosts from the nodes of the monitoring inventory
version_added: 0.1.0
author: The authors of the monitoring inventory (@monitoring-inventory)
description:
  - Each node is a host. Its fields are variables, also C(custom_labels), C(state) and C(services). C(ansible_host) is its address.
  - Reads 1,000 nodes in a request, and 1,000 services in another one.
  - The name of the file must end with C(monitoring_inventory.yml) or C(monitoring_inventory.yaml).
options:
  plugin:
    description: The name of this plugin.
    required: true
    choices: [monitoring_inventory.inventory.nodes]
  selector:
    type: str
    description:
      - Only nodes whose labels match, for example C(team=dba,env in (prod,stage)).
  group_by:
    type: list
    elements: str
    choices: [node_type, region, az, state, custom_labels, cluster, environment, service_type]
    default: [node_type, region, state, custom_labels, cluster]
    description:
      - Fields that groups are made of, such as C(region_eu), C(label_team_dba) and C(cluster_orders).
      - V(cluster), V(environment) and V(service_type) are fields of the services of a node.
  services:
    type: bool
    description:
      - Read the services, and set the variable C(services).
      - The default is V(true) if O(group_by) contains a field of services, otherwise V(false).
  hostvars_prefix:
    type: str
    default: ''
    description:
      - Prefix of the names of variables, for example C(node_).
extends_documentation_fragment:
  - constructed
  - inventory_cache
  - monitoring_inventory.inventory.connection.plugin
  - monitoring_inventory.inventory.filters
"""

EXAMPLES = r"""
# fleet.monitoring_inventory.yml
plugin: monitoring_inventory.inventory.nodes
selector: team=dba
keyed_groups:
  - { key: custom_labels.team, prefix: team }
compose:
  ansible_port: 2222
"""

from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.api import CONNECTION_OPTIONS, Api
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.contract import FILTERS
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.failures import InventoryError

SERVICE_FIELDS = ("cluster", "environment", "service_type")

# Their address is an identifier, not a host.
WITHOUT_HOST = ("remote_rds",)


class InventoryModule(BaseInventoryPlugin, Constructable, Cacheable):
    NAME = "monitoring_inventory.inventory.nodes"

    def verify_file(self, path):
        return super().verify_file(path) and path.endswith(("monitoring_inventory.yml", "monitoring_inventory.yaml"))

    def parse(self, inventory, loader, path, cache=True):
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        content = self._content(path, cache)
        services = {}
        for service in content["services"]:
            for node_id in service["node_ids"]:
                services.setdefault(node_id, []).append(service)
        groups = {}
        for node in content["nodes"]:
            self._add(node, services.get(node["node_id"], []), groups)
        for group, hosts in groups.items():
            name = self.inventory.add_group(self._sanitize_group_name(group))
            for host in hosts:
                self.inventory.add_child(name, host)

    def _content(self, path, cache):
        """The nodes and services, from the cache if it is allowed and has them."""
        key = self.get_cache_key(path)
        is_cached = self.get_option("cache")
        if is_cached and cache and key in self._cache:
            return self._cache[key]
        content = self._read()
        if is_cached:
            self._cache[key] = content
        return content

    def _read(self):
        filters = self.get_option("filters")
        wrong = sorted(set(filters) - set(FILTERS))
        if wrong:
            raise AnsibleParserError(f"filters has no {', '.join(wrong)}: choose from {', '.join(FILTERS)}.")
        query = {name: str(value) for name, value in filters.items()}
        if self.get_option("selector"):
            query["selector"] = self.get_option("selector")
        try:
            api = Api({name: self.get_option(name) for name in CONNECTION_OPTIONS})
            nodes = list(api.objects("/v1/nodes", include="state", **query))
            services = list(api.objects("/v1/services")) if self._reads_services() else []
        except InventoryError as error:
            raise AnsibleParserError(str(error)) from None
        return {"nodes": nodes, "services": services}

    def _reads_services(self):
        given = self.get_option("services")
        return any(field in SERVICE_FIELDS for field in self.get_option("group_by")) if given is None else given

    def _add(self, node, services, groups):
        host = self.inventory.add_host(node["node_name"])
        prefix = self.get_option("hostvars_prefix")
        variables = {prefix + name: value for name, value in node.items()}
        if self._reads_services():
            variables[prefix + "services"] = services
        if node["node_type"] not in WITHOUT_HOST:
            variables["ansible_host"] = node["address"]
        # Labels are written by others. They are no templates, because ansible-core 2.19 trusts only its own files.
        for name, value in variables.items():
            self.inventory.set_variable(host, name, value)
        for group in self._groups(node, services):
            groups.setdefault(group, []).append(host)
        strict = self.get_option("strict")
        self._set_composite_vars(self.get_option("compose"), variables, host, strict=strict)
        self._add_host_to_composed_groups(self.get_option("groups"), variables, host, strict=strict)
        self._add_host_to_keyed_groups(self.get_option("keyed_groups"), variables, host, strict=strict)

    def _groups(self, node, services):
        names = set()
        for field in self.get_option("group_by"):
            if field == "custom_labels":
                names.update(f"label_{name}_{value}" for name, value in node["custom_labels"].items())
                continue
            objects = services if field in SERVICE_FIELDS else [node]
            names.update(f"{field}_{one[field]}" for one in objects if field in one)
        return names
