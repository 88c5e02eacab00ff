# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

import yaml
from ansible_collections.monitoring_inventory.inventory.plugins.doc_fragments import agent, node, service
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.contract import DESIRED


def _described(name, fragment):
    """The option of all desired objects of a kind: those of its own module, of which an add requires some."""
    suboptions = yaml.safe_load(fragment.ModuleDocFragment.DOCUMENTATION)["options"]
    for field, option in DESIRED[name]["options"].items():
        if option.get("required"):
            suboptions[field]["required"] = True
    description = [f"All {name} that must exist in the scope. Each is the whole object."]
    return {"type": "list", "elements": "dict", "description": description, "suboptions": suboptions}


class ModuleDocFragment:
    DOCUMENTATION = yaml.safe_dump(
        {
            "options": {
                "nodes": _described("nodes", node),
                "services": _described("services", service),
                "agents": _described("agents", agent),
            }
        }
    )
