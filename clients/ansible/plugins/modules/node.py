#!/usr/bin/python
# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: node
short_description: Adds, changes and removes nodes of the monitoring inventory
version_added: 0.1.0
author: The authors of the monitoring inventory (@monitoring-inventory)
description:
  - The natural key of a node is its name. The type is necessary to add it.
  - Fields that are absent from the task keep their values. O(custom_labels) are all labels of the object.
  - A change is refused if another program changes the object at the same moment. The module then reads it again.
options:
  node_name:
    required: true
extends_documentation_fragment:
  - monitoring_inventory.inventory.object
  - monitoring_inventory.inventory.connection
  - monitoring_inventory.inventory.node
"""

EXAMPLES = r"""
- name: Declare a node
  monitoring_inventory.inventory.node:
    node_name: db-1
    node_type: generic
    address: 10.0.0.1
    custom_labels: { team: dba }

- name: Remove a node and everything on it
  monitoring_inventory.inventory.node:
    node_name: db-2
    state: absent
    force: true
"""

RETURN = r"""
node:
  description: The object as the server stores it; absent after a removal, and before an addition in check mode.
  returned: success
  type: dict
"""

from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.objects import main

if __name__ == "__main__":
    main("node", ["node_name"])
