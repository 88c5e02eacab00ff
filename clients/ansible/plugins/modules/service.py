#!/usr/bin/python
# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: service
short_description: Adds, changes and removes services of the monitoring inventory
version_added: 0.1.0
author: The authors of the monitoring inventory (@monitoring-inventory)
description:
  - The natural key of a service is its name. The type is necessary to add it.
  - Fields that are absent from the task keep their values. O(custom_labels) are all labels of the object.
  - A change is refused if another program changes the object at the same moment. The module then reads it again.
options:
  service_name:
    required: true
extends_documentation_fragment:
  - monitoring_inventory.inventory.object
  - monitoring_inventory.inventory.connection
  - monitoring_inventory.inventory.service
"""

EXAMPLES = r"""
- name: Declare a database on two nodes
  monitoring_inventory.inventory.service:
    service_name: orders
    service_type: mysql
    node_names: [db-1, db-2]
    address: 10.0.0.1
    port: 3306
    cluster: orders
"""

RETURN = r"""
service:
  description: The object as the server stores it; absent after a removal, and before an addition in check mode.
  returned: success
  type: dict
"""

from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.objects import main

if __name__ == "__main__":
    main("service", ["service_name"])
