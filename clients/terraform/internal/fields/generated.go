// Code generated from the contracts in functions/ by `npm run generate`. DO NOT EDIT.

package fields

// Version is that of the server with these fields.
const Version = "0.1.0"

// Node describes the nodes of the inventory.
var Node = Kind{
	Name: "node", Types: []string{"generic", "container", "remote", "remote_rds", "remote_azure_database"},
	Identity: []string{"node_type", "node_name"},
	Desired: []Field{
		{Name: "node_type", Value: Text, Required: []string{"generic", "container", "remote", "remote_rds", "remote_azure_database"}, Words: []string{"generic", "container", "remote", "remote_rds", "remote_azure_database"}, Description: "Type of the node."},
		{Name: "node_name", Value: Text, Required: []string{"generic", "container", "remote", "remote_rds", "remote_azure_database"}, Description: "Unique among all nodes. At most 1000 bytes in UTF-8, without control characters."},
		{Name: "address", Value: Text, Required: []string{"generic", "container", "remote", "remote_rds", "remote_azure_database"}, Description: "Host name, IP address or instance identifier of the node."},
		{Name: "custom_labels", Value: TextMap, Default: map[string]any{}, Description: "Custom labels, by name."},
		{Name: "machine_id", Value: Text, Types: []string{"generic", "container"}, Description: "Identifier of the operating system installation. Not unique."},
		{Name: "distro", Value: Text, Types: []string{"generic"}, Description: "Operating system distribution and version."},
		{Name: "node_model", Value: Text, Description: "Hardware model or instance class."},
		{Name: "region", Value: Text, Required: []string{"remote_rds", "remote_azure_database"}, Description: "Region of the cloud provider. The address is unique in a region."},
		{Name: "az", Value: Text, Description: "Availability zone."},
		{Name: "instance_id", Value: Text, Types: []string{"generic", "container", "remote_rds"}, Description: "Name of the instance at the cloud provider."},
		{Name: "lifetime", Value: Text, Words: []string{"permanent", "ephemeral"}, Description: "ephemeral: removed after remove_after without a report. Default: permanent."},
		{Name: "stale_after", Value: Text, Description: "Time without a report after which it is stale, such as 90s or 5m. Default: 10m."},
		{Name: "offline_after", Value: Text, Description: "Time without a report after which it is offline, such as 90s or 5m. Default: 30m."},
		{Name: "remove_after", Value: Text, Description: "Time without a report after which an ephemeral node may be removed, such as 90s or 5m. Default: 1d."},
		{Name: "container_id", Value: Text, Types: []string{"container"}, Description: "Identifier of the container; unique."},
		{Name: "container_name", Value: Text, Types: []string{"container"}, Description: "Name of the container."},
	},
	Computed: []Field{
		{Name: "node_id", Value: Text, Description: "Id of the node (UUID)."},
		{Name: "created_at", Value: Text, Description: "When it was added (RFC 3339, UTC)."},
		{Name: "updated_at", Value: Text, Description: "When it was last changed (RFC 3339, UTC)."},
		{Name: "revision", Value: Integer, Least: number(1), Description: "1 when added, incremented by each change. Also the ETag."},
		{Name: "state", Value: Text, Words: []string{"live", "stale", "offline", "never_seen"}, Description: "Computed from the last report of the agent process of its node; of several nodes, the best. Only in replies of get, and of list with `include=state`; not part of the revision."},
		{Name: "reported_at", Value: Text, Description: "Last report of the agent process of its node; of several nodes, the latest. Absent before the first report. Only in replies of get, and of list with `include=state`."},
		{Name: "removing", Value: Boolean, Description: "A forced removal has begun and is not finished. New references to the object are refused. The service finishes the removal."},
	},
	Filters: []Field{
		{Name: "node_type", Value: Text, Words: []string{"generic", "container", "remote", "remote_rds", "remote_azure_database"}, Description: "Only nodes of this type."},
		{Name: "name_prefix", Value: Text, Description: "Only names with this prefix. At most 1000 bytes in UTF-8, without control characters."},
		{Name: "region", Value: Text, Description: "Only nodes in this region."},
		{Name: "selector", Value: Text, Description: "A selector in the syntax of Kubernetes: `env=prod,tier in (gold,silver),!legacy`. Matches custom labels and these attributes, which hide custom labels of the same name: `node_id`, `node_name`, `node_type`, `machine_id`, `container_id`, `container_name`, `node_model`, `region`, `az`, `instance_id`."},
		{Name: "state", Value: Text, Description: "Only objects in one of these states, separated by commas."},
		{Name: "updated_since", Value: Text, Description: "Only objects added or changed at or after this time (RFC 3339)."},
	},
}

// Service describes the services of the inventory.
var Service = Kind{
	Name: "service", Types: []string{"mysql", "mongodb", "postgresql", "proxysql", "haproxy", "valkey", "external"},
	Identity: []string{"service_type", "service_name"},
	Desired: []Field{
		{Name: "service_type", Value: Text, Required: []string{"mysql", "mongodb", "postgresql", "proxysql", "haproxy", "valkey", "external"}, Words: []string{"mysql", "mongodb", "postgresql", "proxysql", "haproxy", "valkey", "external"}, Description: "Type of the service."},
		{Name: "service_name", Value: Text, Required: []string{"mysql", "mongodb", "postgresql", "proxysql", "haproxy", "valkey", "external"}, Description: "Unique among all services. At most 1000 bytes in UTF-8, without control characters."},
		{Name: "custom_labels", Value: TextMap, Default: map[string]any{}, Description: "Custom labels, by name."},
		{Name: "node_names", Value: TextSet, Default: []any{}, Description: "Names of the nodes it runs on: none, one, or several for a cluster."},
		{Name: "address", Value: Text, Types: []string{"mysql", "mongodb", "postgresql", "proxysql", "valkey"}, Description: "Host name or IP address of the service. Requires a port. A loopback address is that of its node."},
		{Name: "port", Value: Integer, Types: []string{"mysql", "mongodb", "postgresql", "proxysql", "valkey"}, Least: number(1), Most: number(65535), Description: "TCP port. Requires an address."},
		{Name: "socket", Value: Text, Types: []string{"mysql", "mongodb", "postgresql", "proxysql", "valkey"}, Description: "Path of a Unix socket, instead of address and port."},
		{Name: "environment", Value: Text, Description: "Environment, for example prod."},
		{Name: "cluster", Value: Text, Description: "Name of its cluster."},
		{Name: "replication_set", Value: Text, Description: "Name of its replication set."},
		{Name: "version", Value: Text, Types: []string{"mysql", "mongodb", "postgresql", "proxysql", "valkey"}, Description: "Version of the database server."},
		{Name: "database_name", Value: Text, Types: []string{"postgresql"}, Default: "postgres", Description: "Database to connect to first."},
		{Name: "auto_discovery_limit", Value: Integer, Types: []string{"postgresql"}, Default: int64(0), Least: number(-1), Most: number(2147483647), Description: "Maximum number of databases to discover; -1 disables discovery, 0 is the default of the agent."},
		{Name: "group", Value: Text, Types: []string{"external"}, Default: "external", Description: "Group of external services."},
	},
	Computed: []Field{
		{Name: "service_id", Value: Text, Description: "Id of the service (UUID)."},
		{Name: "created_at", Value: Text, Description: "When it was added (RFC 3339, UTC)."},
		{Name: "updated_at", Value: Text, Description: "When it was last changed (RFC 3339, UTC)."},
		{Name: "revision", Value: Integer, Least: number(1), Description: "1 when added, incremented by each change. Also the ETag."},
		{Name: "state", Value: Text, Words: []string{"live", "stale", "offline", "never_seen"}, Description: "Computed from the last report of the agent process of its node; of several nodes, the best. Only in replies of get, and of list with `include=state`; not part of the revision."},
		{Name: "reported_at", Value: Text, Description: "Last report of the agent process of its node; of several nodes, the latest. Absent before the first report. Only in replies of get, and of list with `include=state`."},
		{Name: "removing", Value: Boolean, Description: "A forced removal has begun and is not finished. New references to the object are refused. The service finishes the removal."},
	},
	Filters: []Field{
		{Name: "service_type", Value: Text, Words: []string{"mysql", "mongodb", "postgresql", "proxysql", "haproxy", "valkey", "external"}, Description: "Only services of this type."},
		{Name: "name_prefix", Value: Text, Description: "Only names with this prefix. At most 1000 bytes in UTF-8, without control characters."},
		{Name: "node_id", Value: Text, Description: "Only services that run on this node."},
		{Name: "cluster", Value: Text, Description: "Only services of this cluster."},
		{Name: "environment", Value: Text, Description: "Only services of this environment."},
		{Name: "group", Value: Text, Description: "Only external services of this group."},
		{Name: "selector", Value: Text, Description: "A selector in the syntax of Kubernetes: `env=prod,tier in (gold,silver),!legacy`. Matches custom labels and these attributes, which hide custom labels of the same name: `service_id`, `service_name`, `service_type`, `environment`, `cluster`, `replication_set`, `group`."},
		{Name: "state", Value: Text, Description: "Only objects in one of these states, separated by commas."},
		{Name: "updated_since", Value: Text, Description: "Only objects added or changed at or after this time (RFC 3339)."},
	},
}

// Agent describes the agents of the inventory.
var Agent = Kind{
	Name: "agent", Types: []string{"pmm_agent", "vm_agent", "nomad_agent", "node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "rds_exporter", "azure_database_exporter", "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent", "rta_mongodb_agent", "rta_mysql_agent", "otel_collector", "external_exporter"},
	Identity: []string{"agent_type", "runs_on_node_name", "insights"},
	Desired: []Field{
		{Name: "agent_type", Value: Text, Required: []string{"pmm_agent", "vm_agent", "nomad_agent", "node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "rds_exporter", "azure_database_exporter", "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent", "rta_mongodb_agent", "rta_mysql_agent", "otel_collector", "external_exporter"}, Words: []string{"pmm_agent", "vm_agent", "nomad_agent", "node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "rds_exporter", "azure_database_exporter", "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent", "rta_mongodb_agent", "rta_mysql_agent", "otel_collector", "external_exporter"}, Description: "Type of the agent."},
		{Name: "insights", Value: Object, Default: map[string]any{}, Description: "Targets of an agent, by name.", Fields: []Field{{Name: "node_names", Value: TextSet, Default: []any{}, Description: "Names of nodes that it gives insight into."}, {Name: "service_names", Value: TextSet, Default: []any{}, Description: "Names of services that it gives insight into."}}},
		{Name: "disabled", Value: Boolean, Default: false, Description: "Disabled agents do not run."},
		{Name: "custom_labels", Value: TextMap, Default: map[string]any{}, Description: "Custom labels, by name."},
		{Name: "runs_on_node_name", Value: Text, Required: []string{"pmm_agent", "vm_agent", "nomad_agent", "node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "rds_exporter", "azure_database_exporter", "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent", "rta_mongodb_agent", "rta_mysql_agent", "otel_collector"}, Description: "Name of the node that it runs on. The pmm_agent of the node starts agents of the types that require one. At most 1000 bytes in UTF-8, without control characters."},
		{Name: "listen_port", Value: Integer, Types: []string{"vm_agent", "nomad_agent", "node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "rds_exporter", "azure_database_exporter", "external_exporter"}, Required: []string{"external_exporter"}, Least: number(1), Most: number(65535), Description: "Port of its metrics."},
		{Name: "push_metrics", Value: Boolean, Types: []string{"node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "rds_exporter", "azure_database_exporter", "external_exporter"}, Default: false, Description: "The agent pushes its metrics instead of being scraped."},
		{Name: "metrics_resolutions", Value: Object, Types: []string{"node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "rds_exporter", "azure_database_exporter", "external_exporter"}, Description: "Intervals of metrics of high, medium and low resolution, for example 5s, 10s, 60s.", Fields: []Field{{Name: "hr", Value: Text, Description: "Seconds with a unit, such as 5s or 1.5s."}, {Name: "mr", Value: Text, Description: "Seconds with a unit, such as 5s or 1.5s."}, {Name: "lr", Value: Text, Description: "Seconds with a unit, such as 5s or 1.5s."}}},
		{Name: "log_level", Value: Text, Types: []string{"node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "rds_exporter", "azure_database_exporter", "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent", "rta_mongodb_agent", "rta_mysql_agent"}, Words: []string{"fatal", "error", "warn", "info", "debug"}, Description: "Log level."},
		{Name: "disable_collectors", Value: TextList, Types: []string{"node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter"}, Default: []any{}, Description: "Names of disabled collectors."},
		{Name: "expose_exporter", Value: Boolean, Types: []string{"node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter"}, Default: false, Description: "Listens on all interfaces instead of the loopback interface."},
		{Name: "username", Value: Text, Types: []string{"mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent", "rta_mongodb_agent", "rta_mysql_agent", "external_exporter"}, Description: "User name in the database. The password is configured on the host of the agent."},
		{Name: "tls", Value: Boolean, Types: []string{"mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent", "rta_mongodb_agent", "rta_mysql_agent"}, Default: false, Description: "Uses TLS to connect to the database."},
		{Name: "tls_skip_verify", Value: Boolean, Types: []string{"mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent", "rta_mongodb_agent", "rta_mysql_agent", "external_exporter"}, Default: false, Description: "Does not verify the certificate of the database."},
		{Name: "connection_timeout", Value: Text, Types: []string{"mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter"}, Description: "Timeout of connections to the database."},
		{Name: "tablestats_group_table_limit", Value: Integer, Types: []string{"mysqld_exporter"}, Default: int64(0), Least: number(-2147483648), Most: number(2147483647), Description: "Maximum number of tables for table statistics; 0 is no limit, a negative number disables them."},
		{Name: "extra_dsn_params", Value: Object, Types: []string{"mysqld_exporter", "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent"}, Description: "Further parameters of the MySQL connection.", Fields: []Field{{Name: "allow_cleartext_passwords", JSON: "allowCleartextPasswords", Value: Text, Description: "Allows the password to be sent as clear text."}}},
		{Name: "authentication_mechanism", Value: Text, Types: []string{"mongodb_exporter", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent"}, Description: "Authentication mechanism of MongoDB."},
		{Name: "authentication_database", Value: Text, Types: []string{"mongodb_exporter", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent"}, Description: "Authentication database of MongoDB."},
		{Name: "stats_collections", Value: TextList, Types: []string{"mongodb_exporter"}, Default: []any{}, Description: "Databases and collections with statistics."},
		{Name: "collections_limit", Value: Integer, Types: []string{"mongodb_exporter"}, Default: int64(0), Least: number(-2147483648), Most: number(2147483647), Description: "Maximum number of collections for statistics."},
		{Name: "enable_all_collectors", Value: Boolean, Types: []string{"mongodb_exporter"}, Default: false, Description: "Enables all collectors."},
		{Name: "environment_variable_names", Value: TextList, Types: []string{"mongodb_exporter"}, Default: []any{}, Description: "Names of environment variables passed to the exporter."},
		{Name: "auto_discovery_limit", Value: Integer, Types: []string{"postgres_exporter"}, Default: int64(0), Least: number(-2147483648), Most: number(2147483647), Description: "Maximum number of discovered databases; -1 disables discovery."},
		{Name: "max_exporter_connections", Value: Integer, Types: []string{"postgres_exporter"}, Default: int64(0), Least: number(0), Most: number(2147483647), Description: "Maximum number of connections to the database; 0 is the default of the exporter."},
		{Name: "aws_role_arn", Value: Text, Types: []string{"rds_exporter"}, Description: "Role that the exporter assumes. Not a secret."},
		{Name: "disable_basic_metrics", Value: Boolean, Types: []string{"rds_exporter"}, Default: false, Description: "Disables basic metrics."},
		{Name: "disable_enhanced_metrics", Value: Boolean, Types: []string{"rds_exporter"}, Default: false, Description: "Disables enhanced metrics."},
		{Name: "azure_subscription_id", Value: Text, Types: []string{"azure_database_exporter"}, Description: "Azure subscription."},
		{Name: "azure_resource_group", Value: Text, Types: []string{"azure_database_exporter"}, Description: "Azure resource group."},
		{Name: "azure_database_resource_type", Value: Text, Types: []string{"azure_database_exporter"}, Required: []string{"azure_database_exporter"}, Words: []string{"mysql", "maria", "postgres"}, Description: "Type of Azure database."},
		{Name: "max_query_length", Value: Integer, Types: []string{"qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent"}, Default: int64(0), Least: number(-2147483648), Most: number(2147483647), Description: "Maximum length of queries; 0 is the default, -1 no limit."},
		{Name: "disable_query_examples", Value: Boolean, Types: []string{"qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_postgresql_pgstatmonitor_agent"}, Default: false, Description: "Does not store examples of queries."},
		{Name: "disable_comments_parsing", Value: Boolean, Types: []string{"qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent"}, Default: false, Description: "Ignores comments in queries."},
		{Name: "max_slowlog_file_size", Value: Integer, Types: []string{"qan_mysql_slowlog_agent"}, Default: int64(0), Least: number(0), Description: "Size in bytes at which the slow log is rotated; 0 is never."},
		{Name: "rta_options", Value: Object, Types: []string{"rta_mongodb_agent", "rta_mysql_agent"}, Description: "Options of real-time analytics; the interval must be at least 1s.", Fields: []Field{{Name: "collect_interval", Value: Text, Description: "Seconds with a unit, such as 5s or 1.5s."}}},
		{Name: "collector_name", Value: Text, Types: []string{"otel_collector"}, Required: []string{"otel_collector"}, Description: "Name of the collector (`service.name`). Distinguishes the collectors of a node."},
		{Name: "scheme", Value: Text, Types: []string{"external_exporter"}, Default: "http", Words: []string{"http", "https"}, Description: "Scheme of the metrics."},
		{Name: "metrics_path", Value: Text, Types: []string{"external_exporter"}, Default: "/metrics", Description: "Path of the metrics. Begins with one slash."},
	},
	Computed: []Field{
		{Name: "agent_id", Value: Text, Description: "Id of the agent (UUID)."},
		{Name: "connected", Value: Boolean, Description: "True if the agent process reports in time. In lists only with `include=state`."},
		{Name: "created_at", Value: Text, Description: "When it was added (RFC 3339, UTC)."},
		{Name: "updated_at", Value: Text, Description: "When it was last changed (RFC 3339, UTC)."},
		{Name: "revision", Value: Integer, Least: number(1), Description: "1 when added, incremented by each change. Also the ETag."},
		{Name: "state", Value: Text, Words: []string{"live", "stale", "offline", "never_seen"}, Description: "Computed from the last report of the agent process of its node; of several nodes, the best. Only in replies of get, and of list with `include=state`; not part of the revision."},
		{Name: "reported_at", Value: Text, Description: "Last report of the agent process of its node; of several nodes, the latest. Absent before the first report. Only in replies of get, and of list with `include=state`."},
		{Name: "removing", Value: Boolean, Description: "A forced removal has begun and is not finished. New references to the object are refused. The service finishes the removal."},
		{Name: "pmm_agent_id", Value: Text, Description: "The pmm_agent that starts and stops it."},
		{Name: "status", Value: Text, Words: []string{"unknown", "starting", "running", "waiting", "stopping", "done"}, Description: "The status that the agent process last reported. In lists only with `include=state`."},
		{Name: "status_reason", Value: Text, Description: "Reason of the status, as the agent process reported it. In lists only with `include=state`."},
		{Name: "version", Value: Text, Description: "Version that the agent process reported. In lists only with `include=state`."},
	},
	Filters: []Field{
		{Name: "agent_type", Value: Text, Words: []string{"pmm_agent", "vm_agent", "nomad_agent", "node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter", "valkey_exporter", "rds_exporter", "azure_database_exporter", "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent", "rta_mongodb_agent", "rta_mysql_agent", "otel_collector", "external_exporter"}, Description: "Only agents of this type."},
		{Name: "runs_on_node_id", Value: Text, Description: "Only agents that run on this node. With up to 50 ids, separated by commas: with one of these."},
		{Name: "pmm_agent_id", Value: Text, Description: "Only agents under this pmm_agent. With up to 50 ids, separated by commas: with one of these."},
		{Name: "node_id", Value: Text, Description: "Only agents that give insight into this node. With up to 50 ids, separated by commas: with one of these."},
		{Name: "service_id", Value: Text, Description: "Only agents that give insight into this service. With up to 50 ids, separated by commas: with one of these."},
		{Name: "status", Value: Text, Description: "Only agents with one of these reported statuses (stored ones without an agent process), separated by commas."},
		{Name: "selector", Value: Text, Description: "A selector in the syntax of Kubernetes: `env=prod,tier in (gold,silver),!legacy`. Matches custom labels and these attributes, which hide custom labels of the same name: `agent_id`, `agent_type`."},
		{Name: "state", Value: Text, Description: "Only objects in one of these states, separated by commas."},
		{Name: "updated_since", Value: Text, Description: "Only objects added or changed at or after this time (RFC 3339)."},
	},
}

// UnderProcess has the types of agents that a pmm_agent starts.
var UnderProcess = map[string]bool{"vm_agent": true, "nomad_agent": true, "node_exporter": true, "mysqld_exporter": true, "mongodb_exporter": true, "postgres_exporter": true, "proxysql_exporter": true, "valkey_exporter": true, "rds_exporter": true, "azure_database_exporter": true, "qan_mysql_perfschema_agent": true, "qan_mysql_slowlog_agent": true, "qan_mongodb_profiler_agent": true, "qan_mongodb_mongolog_agent": true, "qan_postgresql_pgstatements_agent": true, "qan_postgresql_pgstatmonitor_agent": true, "rta_mongodb_agent": true, "rta_mysql_agent": true}

// WatchesItsNode has the types of agents that monitor their own node by default.
var WatchesItsNode = map[string]bool{"node_exporter": true}
