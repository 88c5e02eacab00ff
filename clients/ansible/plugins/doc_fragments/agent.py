# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Generated from the contracts of the server by `npm run generate`: change those, not this file.


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  agent_type:
    type: str
    choices:
      - pmm_agent
      - vm_agent
      - nomad_agent
      - node_exporter
      - mysqld_exporter
      - mongodb_exporter
      - postgres_exporter
      - proxysql_exporter
      - valkey_exporter
      - rds_exporter
      - azure_database_exporter
      - qan_mysql_perfschema_agent
      - qan_mysql_slowlog_agent
      - qan_mongodb_profiler_agent
      - qan_mongodb_mongolog_agent
      - qan_postgresql_pgstatements_agent
      - qan_postgresql_pgstatmonitor_agent
      - rta_mongodb_agent
      - rta_mysql_agent
      - otel_collector
      - external_exporter
    description:
      - Type of the agent.
  insights:
    type: dict
    description:
      - Targets of an agent, by name.
      - The server's default is V({"node_names":[],"service_names":[]}).
    suboptions:
      node_names:
        type: list
        elements: str
        description:
          - Names of nodes that it gives insight into.
          - The server's default is V([]).
      service_names:
        type: list
        elements: str
        description:
          - Names of services that it gives insight into.
          - The server's default is V([]).
  disabled:
    type: bool
    description:
      - Disabled agents do not run.
      - The server's default is V(false).
  custom_labels:
    type: dict
    description:
      - Custom labels, by name.
      - The server's default is V({}).
  runs_on_node_name:
    type: str
    description:
      - Name of the node that it runs on. The pmm_agent of the node starts agents of the types that require one. At most 1000 bytes in
        UTF-8, without control characters.
  listen_port:
    type: int
    description:
      - Port of its metrics.
      - Only of V(vm_agent), V(nomad_agent), V(node_exporter), V(mysqld_exporter), V(mongodb_exporter), V(postgres_exporter),
        V(proxysql_exporter), V(valkey_exporter), V(rds_exporter), V(azure_database_exporter), V(external_exporter).
  push_metrics:
    type: bool
    description:
      - The agent pushes its metrics instead of being scraped.
      - The server's default is V(false).
      - Only of V(node_exporter), V(mysqld_exporter), V(mongodb_exporter), V(postgres_exporter), V(proxysql_exporter), V(valkey_exporter),
        V(rds_exporter), V(azure_database_exporter), V(external_exporter).
  metrics_resolutions:
    type: dict
    description:
      - Intervals of metrics of high, medium and low resolution, for example 5s, 10s, 60s.
      - Only of V(node_exporter), V(mysqld_exporter), V(mongodb_exporter), V(postgres_exporter), V(proxysql_exporter), V(valkey_exporter),
        V(rds_exporter), V(azure_database_exporter), V(external_exporter).
    suboptions:
      hr:
        type: str
        description:
          - Seconds with a unit, such as 5s or 1.5s.
      mr:
        type: str
        description:
          - Seconds with a unit, such as 5s or 1.5s.
      lr:
        type: str
        description:
          - Seconds with a unit, such as 5s or 1.5s.
  log_level:
    type: str
    choices:
      - fatal
      - error
      - warn
      - info
      - debug
    description:
      - Log level.
      - Only of V(node_exporter), V(mysqld_exporter), V(mongodb_exporter), V(postgres_exporter), V(proxysql_exporter), V(valkey_exporter),
        V(rds_exporter), V(azure_database_exporter), V(qan_mysql_perfschema_agent), V(qan_mysql_slowlog_agent),
        V(qan_mongodb_profiler_agent), V(qan_mongodb_mongolog_agent), V(qan_postgresql_pgstatements_agent),
        V(qan_postgresql_pgstatmonitor_agent), V(rta_mongodb_agent), V(rta_mysql_agent).
  disable_collectors:
    type: list
    elements: str
    description:
      - Names of disabled collectors.
      - The server's default is V([]).
      - Only of V(node_exporter), V(mysqld_exporter), V(mongodb_exporter), V(postgres_exporter), V(proxysql_exporter), V(valkey_exporter).
  expose_exporter:
    type: bool
    description:
      - Listens on all interfaces instead of the loopback interface.
      - The server's default is V(false).
      - Only of V(node_exporter), V(mysqld_exporter), V(mongodb_exporter), V(postgres_exporter), V(proxysql_exporter), V(valkey_exporter).
  username:
    type: str
    description:
      - User name in the database. The password is configured on the host of the agent.
      - Only of V(mysqld_exporter), V(mongodb_exporter), V(postgres_exporter), V(proxysql_exporter), V(valkey_exporter),
        V(qan_mysql_perfschema_agent), V(qan_mysql_slowlog_agent), V(qan_mongodb_profiler_agent), V(qan_mongodb_mongolog_agent),
        V(qan_postgresql_pgstatements_agent), V(qan_postgresql_pgstatmonitor_agent), V(rta_mongodb_agent), V(rta_mysql_agent),
        V(external_exporter).
  tls:
    type: bool
    description:
      - Uses TLS to connect to the database.
      - The server's default is V(false).
      - Only of V(mysqld_exporter), V(mongodb_exporter), V(postgres_exporter), V(proxysql_exporter), V(valkey_exporter),
        V(qan_mysql_perfschema_agent), V(qan_mysql_slowlog_agent), V(qan_mongodb_profiler_agent), V(qan_mongodb_mongolog_agent),
        V(qan_postgresql_pgstatements_agent), V(qan_postgresql_pgstatmonitor_agent), V(rta_mongodb_agent), V(rta_mysql_agent).
  tls_skip_verify:
    type: bool
    description:
      - Does not verify the certificate of the database.
      - The server's default is V(false).
      - Only of V(mysqld_exporter), V(mongodb_exporter), V(postgres_exporter), V(proxysql_exporter), V(valkey_exporter),
        V(qan_mysql_perfschema_agent), V(qan_mysql_slowlog_agent), V(qan_mongodb_profiler_agent), V(qan_mongodb_mongolog_agent),
        V(qan_postgresql_pgstatements_agent), V(qan_postgresql_pgstatmonitor_agent), V(rta_mongodb_agent), V(rta_mysql_agent),
        V(external_exporter).
  connection_timeout:
    type: str
    description:
      - Timeout of connections to the database.
      - Only of V(mysqld_exporter), V(mongodb_exporter), V(postgres_exporter), V(proxysql_exporter), V(valkey_exporter).
  tablestats_group_table_limit:
    type: int
    description:
      - Maximum number of tables for table statistics; 0 is no limit, a negative number disables them.
      - The server's default is V(0).
      - Only of V(mysqld_exporter).
  extra_dsn_params:
    type: dict
    description:
      - Further parameters of the MySQL connection.
      - Only of V(mysqld_exporter), V(qan_mysql_perfschema_agent), V(qan_mysql_slowlog_agent).
    suboptions:
      allowCleartextPasswords:
        type: str
        description:
          - Allows the password to be sent as clear text.
  authentication_mechanism:
    type: str
    description:
      - Authentication mechanism of MongoDB.
      - Only of V(mongodb_exporter), V(qan_mongodb_profiler_agent), V(qan_mongodb_mongolog_agent).
  authentication_database:
    type: str
    description:
      - Authentication database of MongoDB.
      - Only of V(mongodb_exporter), V(qan_mongodb_profiler_agent), V(qan_mongodb_mongolog_agent).
  stats_collections:
    type: list
    elements: str
    description:
      - Databases and collections with statistics.
      - The server's default is V([]).
      - Only of V(mongodb_exporter).
  collections_limit:
    type: int
    description:
      - Maximum number of collections for statistics.
      - The server's default is V(0).
      - Only of V(mongodb_exporter).
  enable_all_collectors:
    type: bool
    description:
      - Enables all collectors.
      - The server's default is V(false).
      - Only of V(mongodb_exporter).
  environment_variable_names:
    type: list
    elements: str
    description:
      - Names of environment variables passed to the exporter.
      - The server's default is V([]).
      - Only of V(mongodb_exporter).
  auto_discovery_limit:
    type: int
    description:
      - Maximum number of discovered databases; -1 disables discovery.
      - The server's default is V(0).
      - Only of V(postgres_exporter).
  max_exporter_connections:
    type: int
    description:
      - Maximum number of connections to the database; 0 is the default of the exporter.
      - The server's default is V(0).
      - Only of V(postgres_exporter).
  aws_role_arn:
    type: str
    description:
      - Role that the exporter assumes. Not a secret.
      - Only of V(rds_exporter).
  disable_basic_metrics:
    type: bool
    description:
      - Disables basic metrics.
      - The server's default is V(false).
      - Only of V(rds_exporter).
  disable_enhanced_metrics:
    type: bool
    description:
      - Disables enhanced metrics.
      - The server's default is V(false).
      - Only of V(rds_exporter).
  azure_subscription_id:
    type: str
    description:
      - Azure subscription.
      - Only of V(azure_database_exporter).
  azure_resource_group:
    type: str
    description:
      - Azure resource group.
      - Only of V(azure_database_exporter).
  azure_database_resource_type:
    type: str
    choices:
      - mysql
      - maria
      - postgres
    description:
      - Type of Azure database.
      - Only of V(azure_database_exporter).
  max_query_length:
    type: int
    description:
      - Maximum length of queries; 0 is the default, -1 no limit.
      - The server's default is V(0).
      - Only of V(qan_mysql_perfschema_agent), V(qan_mysql_slowlog_agent), V(qan_mongodb_profiler_agent), V(qan_mongodb_mongolog_agent),
        V(qan_postgresql_pgstatements_agent), V(qan_postgresql_pgstatmonitor_agent).
  disable_query_examples:
    type: bool
    description:
      - Does not store examples of queries.
      - The server's default is V(false).
      - Only of V(qan_mysql_perfschema_agent), V(qan_mysql_slowlog_agent), V(qan_postgresql_pgstatmonitor_agent).
  disable_comments_parsing:
    type: bool
    description:
      - Ignores comments in queries.
      - The server's default is V(false).
      - Only of V(qan_mysql_perfschema_agent), V(qan_mysql_slowlog_agent), V(qan_postgresql_pgstatements_agent),
        V(qan_postgresql_pgstatmonitor_agent).
  max_slowlog_file_size:
    type: int
    description:
      - Size in bytes at which the slow log is rotated; 0 is never.
      - The server's default is V(0).
      - Only of V(qan_mysql_slowlog_agent).
  rta_options:
    type: dict
    description:
      - Options of real-time analytics; the interval must be at least 1s.
      - Only of V(rta_mongodb_agent), V(rta_mysql_agent).
    suboptions:
      collect_interval:
        type: str
        description:
          - Seconds with a unit, such as 5s or 1.5s.
  collector_name:
    type: str
    description:
      - Name of the collector (V(service.name)). Distinguishes the collectors of a node.
      - Only of V(otel_collector).
  scheme:
    type: str
    choices:
      - http
      - https
    description:
      - Scheme of the metrics.
      - The server's default is V("http").
      - Only of V(external_exporter).
  metrics_path:
    type: str
    description:
      - Path of the metrics. Begins with one slash.
      - The server's default is V("/metrics").
      - Only of V(external_exporter).
"""
