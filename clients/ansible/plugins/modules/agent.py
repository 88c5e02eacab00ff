#!/usr/bin/python
# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: agent
short_description: Adds, changes and removes agents of the monitoring inventory
version_added: 0.1.0
author: The authors of the monitoring inventory (@monitoring-inventory)
description:
  - The natural key of an agent is its type, its node and its targets.
  - An agent that a pmm_agent starts runs under the pmm_agent of its node.
  - Fields that are absent from the task keep their values. O(custom_labels) are all labels of the object.
  - A change is refused if another program changes the object at the same moment. The module then reads it again.
options:
  agent_type:
    required: true
extends_documentation_fragment:
  - monitoring_inventory.inventory.object
  - monitoring_inventory.inventory.connection
  - monitoring_inventory.inventory.agent
"""

EXAMPLES = r"""
- name: Declare the agent process of a node
  monitoring_inventory.inventory.agent:
    agent_type: pmm_agent
    runs_on_node_name: db-1

- name: Declare an exporter
  monitoring_inventory.inventory.agent:
    agent_type: mysqld_exporter
    runs_on_node_name: db-1
    insights: { service_names: [orders] }
    username: monitor
"""

RETURN = r"""
agent:
  description: The object as the server stores it; absent after a removal, and before an addition in check mode.
  returned: success
  type: dict
"""

from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.objects import main

if __name__ == "__main__":
    main("agent", ["agent_type"])
