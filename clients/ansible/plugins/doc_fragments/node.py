# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Generated from the contracts of the server by `npm run generate`: change those, not this file.


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  node_type:
    type: str
    choices:
      - generic
      - container
      - remote
      - remote_rds
      - remote_azure_database
    description:
      - Type of the node.
  node_name:
    type: str
    description:
      - Unique among all nodes. At most 1000 bytes in UTF-8, without control characters.
  address:
    type: str
    description:
      - Host name, IP address or instance identifier of the node.
  custom_labels:
    type: dict
    description:
      - Custom labels, by name.
      - The server's default is V({}).
  machine_id:
    type: str
    description:
      - Identifier of the operating system installation. Not unique.
      - Only of V(generic), V(container).
  distro:
    type: str
    description:
      - Operating system distribution and version.
      - Only of V(generic).
  node_model:
    type: str
    description:
      - Hardware model or instance class.
  region:
    type: str
    description:
      - Region of the cloud provider. The address is unique in a region.
  az:
    type: str
    description:
      - Availability zone.
  instance_id:
    type: str
    description:
      - Name of the instance at the cloud provider.
      - Only of V(generic), V(container), V(remote_rds).
  lifetime:
    type: str
    choices:
      - permanent
      - ephemeral
    description:
      - "ephemeral: removed after remove_after without a report. Default: permanent."
  stale_after:
    type: str
    description:
      - "Time without a report after which it is stale, such as 90s or 5m. Default: 10m."
  offline_after:
    type: str
    description:
      - "Time without a report after which it is offline, such as 90s or 5m. Default: 30m."
  remove_after:
    type: str
    description:
      - "Time without a report after which an ephemeral node may be removed, such as 90s or 5m. Default: 1d."
  container_id:
    type: str
    description:
      - Identifier of the container; unique.
      - Only of V(container).
  container_name:
    type: str
    description:
      - Name of the container.
      - Only of V(container).
"""
