# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Generated from the contracts of the server by `npm run generate`: change those, not this file.


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  service_type:
    type: str
    choices:
      - mysql
      - mongodb
      - postgresql
      - proxysql
      - haproxy
      - valkey
      - external
    description:
      - Type of the service.
  service_name:
    type: str
    description:
      - Unique among all services. At most 1000 bytes in UTF-8, without control characters.
  custom_labels:
    type: dict
    description:
      - Custom labels, by name.
      - The server's default is V({}).
  node_names:
    type: list
    elements: str
    description:
      - "Names of the nodes it runs on: none, one, or several for a cluster."
      - The server's default is V([]).
  address:
    type: str
    description:
      - Host name or IP address of the service. Requires a port. A loopback address is that of its node.
      - Only of V(mysql), V(mongodb), V(postgresql), V(proxysql), V(valkey).
  port:
    type: int
    description:
      - TCP port. Requires an address.
      - Only of V(mysql), V(mongodb), V(postgresql), V(proxysql), V(valkey).
  socket:
    type: str
    description:
      - Absolute path of a Unix socket, instead of address and port.
      - Only of V(mysql), V(mongodb), V(postgresql), V(proxysql), V(valkey).
  environment:
    type: str
    description:
      - Environment, for example prod.
  cluster:
    type: str
    description:
      - Name of its cluster.
  replication_set:
    type: str
    description:
      - Name of its replication set.
  version:
    type: str
    description:
      - Version of the database server.
      - Only of V(mysql), V(mongodb), V(postgresql), V(proxysql), V(valkey).
  database_name:
    type: str
    description:
      - Database to connect to first.
      - The server's default is V("postgres").
      - Only of V(postgresql).
  auto_discovery_limit:
    type: int
    description:
      - Maximum number of databases to discover; -1 disables discovery, 0 is the default of the agent.
      - The server's default is V(0).
      - Only of V(postgresql).
  group:
    type: str
    description:
      - Group of external services.
      - The server's default is V("external").
      - Only of V(external).
"""
