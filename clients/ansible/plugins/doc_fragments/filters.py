# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Generated from the contracts of the server by `npm run generate`: change those, not this file.


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  filters:
    type: dict
    default: {}
    description:
      - Only nodes that match all of these filters.
    suboptions:
      node_type:
        type: str
        description:
          - Only nodes of this type.
          - Values are V(generic), V(container), V(remote), V(remote_rds), V(remote_azure_database).
      name_prefix:
        type: str
        description:
          - Only names with this prefix. At most 1000 bytes in UTF-8, without control characters.
      region:
        type: str
        description:
          - "Only nodes in this region. With an empty value: only those without one."
      az:
        type: str
        description:
          - "Only nodes in this zone. With an empty value: only those without one."
      cluster:
        type: str
        description:
          - Only nodes on which services of this cluster run, of at most 1000 services. At most 1000 bytes in UTF-8, without control
            characters.
      agent_version:
        type: str
        description:
          - "Only nodes on which an agent reports this version. With an empty value: only those without one."
      state:
        type: str
        description:
          - Only objects in one of these states, separated by commas.
          - Values are V(live), V(stale), V(offline), V(never_seen).
      updated_since:
        type: str
        description:
          - Only objects added or changed at or after this time (RFC 3339).
      total:
        type: str
        description:
          - Also the total.
      address:
        type: str
        description:
          - Only nodes with this address. At most 1000 bytes in UTF-8, without control characters.
"""
