// Generated from the contracts in functions/ by `npm run generate`: change those, not this file.

/** An agent to add, of one of the types. */
export type AddAgent = AddPmmAgent | AddVmAgent | AddNomadAgent | AddNodeExporter | AddMysqldExporter | AddMongodbExporter | AddPostgresExporter | AddProxysqlExporter | AddValkeyExporter | AddRdsExporter | AddAzureDatabaseExporter | AddQanMysqlPerfschemaAgent | AddQanMysqlSlowlogAgent | AddQanMongodbProfilerAgent | AddQanMongodbMongologAgent | AddQanPostgresqlPgstatementsAgent | AddQanPostgresqlPgstatmonitorAgent | AddRtaMongodbAgent | AddRtaMysqlAgent | AddOtelCollector | AddExternalExporter;

/** What every AddAgent has. */
export interface AddAgentFields {
  insights?: InsightsInput | undefined;
  /** Disabled agents do not run. */
  disabled?: boolean | undefined;
  custom_labels?: Labels | undefined;
}

/** What several variants have. */
export interface AddAgentOptions {
  /** The pmm_agent that starts and stops it. (at most 36 characters) */
  pmm_agent_id: string;
  /** Port of its metrics. (1..65535) */
  listen_port?: number | undefined;
  /** The agent pushes its metrics instead of being scraped. */
  push_metrics?: boolean | undefined;
  /** Intervals of metrics of high, medium and low resolution, for example 5s, 10s, 60s. */
  metrics_resolutions?: {
  /** Seconds with a unit, such as 5s or 1.5s. */
  hr?: string | undefined;
  /** Seconds with a unit, such as 5s or 1.5s. */
  mr?: string | undefined;
  /** Seconds with a unit, such as 5s or 1.5s. */
  lr?: string | undefined;
} | undefined;
  /** Log level. */
  log_level?: "fatal" | "error" | "warn" | "info" | "debug" | undefined;
  /** Names of disabled collectors. (at most 100) */
  disable_collectors?: readonly string[] | undefined;
  /** Listens on all interfaces instead of the loopback interface. */
  expose_exporter?: boolean | undefined;
  /** User name in the database. The password is configured on the host of the agent. (at most 256 characters) */
  username?: string | undefined;
  /** Uses TLS to connect to the database. */
  tls?: boolean | undefined;
  /** Does not verify the certificate of the database. */
  tls_skip_verify?: boolean | undefined;
  /** Timeout of connections to the database. */
  connection_timeout?: string | undefined;
  /** Further parameters of the MySQL connection. */
  extra_dsn_params?: {
  /** Allows the password to be sent as clear text. (at most 256 characters) */
  allowCleartextPasswords?: string | undefined;
} | undefined;
  /** Maximum length of queries; 0 is the default, -1 no limit. (-2147483648..2147483647) */
  max_query_length?: number | undefined;
  /** Does not store examples of queries. */
  disable_query_examples?: boolean | undefined;
  /** Ignores comments in queries. */
  disable_comments_parsing?: boolean | undefined;
  /** Authentication mechanism of MongoDB. (at most 256 characters) */
  authentication_mechanism?: string | undefined;
  /** Authentication database of MongoDB. (at most 256 characters) */
  authentication_database?: string | undefined;
  /** Options of real-time analytics; the interval must be at least 1s. */
  rta_options?: {
  /** Seconds with a unit, such as 5s or 1.5s. */
  collect_interval?: string | undefined;
} | undefined;
  /** The node that it runs on. (at most 36 characters) */
  runs_on_node_id: string;
}

/** An API key to add. */
export interface AddApiKey {
  /** Unique among all API keys. (at most 128 characters) */
  name: string;
  /** Viewer reads, Editor also changes, Admin can do everything, Relay only reports for hosts, Gateway also reads objects and changes. */
  role: "Viewer" | "Editor" | "Admin" | "Relay" | "Gateway";
  /** Time to live of the key, unlimited by default: a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days; none: s), from 1s to 100y. (at most 32 characters) */
  time_to_live?: string | undefined;
  /** Requests per clock minute. Further requests get 429. (1..30000) */
  rate_limit_per_minute?: number | undefined;
  /** Values of the owner label, `team` by default. An Editor with owners writes only objects with one of these values. (at most 10) */
  owners?: readonly string[] | undefined;
}

/** Metrics of Azure databases. */
export interface AddAzureDatabaseExporter extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level'> {
  /** Type of the agent. */
  agent_type: "azure_database_exporter";
  /** Azure subscription. (at most 256 characters) */
  azure_subscription_id?: string | undefined;
  /** Azure resource group. (at most 256 characters) */
  azure_resource_group?: string | undefined;
  /** Type of Azure database. */
  azure_database_resource_type: "mysql" | "maria" | "postgres";
}

/** A container. */
export interface AddContainerNode extends AddNodeFields, AddNodeOptions {
  /** Type of the node. */
  node_type: "container";
  /** Identifier of the container; unique. (at most 255 characters) */
  container_id?: string | undefined;
  /** Name of the container. (at most 256 characters) */
  container_name?: string | undefined;
}

/** An enrolment token to add. */
export interface AddEnrolmentToken {
  /** Purpose. Not unique. (at most 128 characters) */
  name: string;
  /** Time to live, one hour by default: a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days; none: s), from 1s to 24h. (at most 32 characters) */
  time_to_live?: string | undefined;
  /** The only node that the token can enrol. Required to enrol an existing node again. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  node_name?: string | undefined;
  /** Addresses that the host may set for its node and services, besides its source address: IP addresses, networks such as 10.0.0.0/8, host names, *.example.com for all names in a domain, * for every name. Names are not resolved. (at most 16) */
  allowed_addresses?: readonly string[] | undefined;
  /** Time to live of the key, unlimited by default: a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days; none: s), from 1s to 100y. (at most 32 characters) */
  key_time_to_live?: string | undefined;
  /** Requests per clock minute. Further requests get 429. (1..30000) */
  key_rate_limit_per_minute?: number | undefined;
  /** Value of the owner label of the node and of everything below it. The host cannot change it. Absent: the host chooses. (at most 64 characters) */
  owner?: string | undefined;
}

/** A program outside the inventory that exposes metrics. */
export interface AddExternalExporter extends AddAgentFields, Pick<AddAgentOptions, 'push_metrics' | 'metrics_resolutions' | 'username' | 'tls_skip_verify'> {
  /** Type of the agent. */
  agent_type: "external_exporter";
  /** The node that it runs on. (at most 36 characters) */
  runs_on_node_id?: string | undefined;
  /** Port of its metrics. (1..65535) */
  listen_port: number;
  /** Scheme of the metrics. */
  scheme?: "http" | "https" | undefined;
  /** Path of the metrics. Begins with one slash. (at most 1024 characters) */
  metrics_path?: string | undefined;
}

/** Any other service that exposes metrics. */
export interface AddExternalService extends AddServiceFields {
  /** Type of the service. */
  service_type: "external";
  /** Group of external services. (at most 128 characters) */
  group?: string | undefined;
}

/** Bare metal or a virtual machine. */
export interface AddGenericNode extends AddNodeFields, AddNodeOptions {
  /** Type of the node. */
  node_type: "generic";
  /** Operating system distribution and version. (at most 256 characters) */
  distro?: string | undefined;
}

/** HAProxy. */
export interface AddHaproxyService extends AddServiceFields {
  /** Type of the service. */
  service_type: "haproxy";
}

/** Metrics of MongoDB. */
export interface AddMongodbExporter extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout' | 'authentication_mechanism' | 'authentication_database'> {
  /** Type of the agent. */
  agent_type: "mongodb_exporter";
  /** Databases and collections with statistics. (at most 100) */
  stats_collections?: readonly string[] | undefined;
  /** Maximum number of collections for statistics. (-2147483648..2147483647) */
  collections_limit?: number | undefined;
  /** Enables all collectors. */
  enable_all_collectors?: boolean | undefined;
  /** Names of environment variables passed to the exporter. (at most 100) */
  environment_variable_names?: readonly string[] | undefined;
}

/** MongoDB. */
export interface AddMongodbService extends AddServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "mongodb";
}

/** MySQL, MariaDB or Percona Server. */
export interface AddMysqlService extends AddServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "mysql";
}

/** Metrics of MySQL. */
export interface AddMysqldExporter extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout' | 'extra_dsn_params'> {
  /** Type of the agent. */
  agent_type: "mysqld_exporter";
  /** Maximum number of tables for table statistics; 0 is no limit, a negative number disables them. (-2147483648..2147483647) */
  tablestats_group_table_limit?: number | undefined;
}

/** A node to add, of one of the types. */
export type AddNode = AddGenericNode | AddContainerNode | AddRemoteNode | AddRemoteRdsNode | AddRemoteAzureDatabaseNode;

/** Metrics of a machine. */
export interface AddNodeExporter extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter'> {
  /** Type of the agent. */
  agent_type: "node_exporter";
}

/** What every AddNode has. */
export interface AddNodeFields {
  /** Unique among all nodes. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  node_name: string;
  /** Host name, IP address or instance identifier of the node. (at most 255 characters) */
  address: string;
  custom_labels?: Labels | undefined;
  /** Hardware model or instance class. (at most 256 characters) */
  node_model?: string | undefined;
  /** Availability zone. (at most 128 characters) */
  az?: string | undefined;
  /** ephemeral: removed after remove_after without a report. Default: permanent. */
  lifetime?: "permanent" | "ephemeral" | undefined;
  /** Time without a report after which it is stale, such as 90s or 5m. Default: 10m. (at most 32 characters) */
  stale_after?: string | undefined;
  /** Time without a report after which it is offline, such as 90s or 5m. Default: 30m. (at most 32 characters) */
  offline_after?: string | undefined;
  /** Time without a report after which an ephemeral node may be removed, such as 90s or 5m. Default: 1d. (at most 32 characters) */
  remove_after?: string | undefined;
}

/** What several variants have. */
export interface AddNodeOptions {
  /** Identifier of the operating system installation. Not unique. (at most 256 characters) */
  machine_id?: string | undefined;
  /** Region of the cloud provider. The address is unique in a region. (at most 128 characters) */
  region?: string | undefined;
  /** Name of the instance at the cloud provider. (at most 256 characters) */
  instance_id?: string | undefined;
}

/** Runs jobs on its node. */
export interface AddNomadAgent extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'listen_port'> {
  /** Type of the agent. */
  agent_type: "nomad_agent";
}

/** An OpenTelemetry collector, which reports by OpAMP. */
export interface AddOtelCollector extends AddAgentFields, Pick<AddAgentOptions, 'runs_on_node_id'> {
  /** Type of the agent. */
  agent_type: "otel_collector";
  /** Name of the collector (`service.name`). Distinguishes the collectors of a node. (at most 256 characters) */
  collector_name: string;
}

/** The agent process of a node; starts and stops the agents under it. */
export interface AddPmmAgent extends AddAgentFields, Pick<AddAgentOptions, 'runs_on_node_id'> {
  /** Type of the agent. */
  agent_type: "pmm_agent";
}

/** Metrics of PostgreSQL. */
export interface AddPostgresExporter extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout'> {
  /** Type of the agent. */
  agent_type: "postgres_exporter";
  /** Maximum number of discovered databases; -1 disables discovery. (-2147483648..2147483647) */
  auto_discovery_limit?: number | undefined;
  /** Maximum number of connections to the database; 0 is the default of the exporter. (0..2147483647) */
  max_exporter_connections?: number | undefined;
}

/** PostgreSQL. */
export interface AddPostgresqlService extends AddServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "postgresql";
  /** Database to connect to first. (at most 256 characters) */
  database_name?: string | undefined;
  /** Maximum number of databases to discover; -1 disables discovery, 0 is the default of the agent. (-1..2147483647) */
  auto_discovery_limit?: number | undefined;
}

/** Metrics of ProxySQL. */
export interface AddProxysqlExporter extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout'> {
  /** Type of the agent. */
  agent_type: "proxysql_exporter";
}

/** ProxySQL. */
export interface AddProxysqlService extends AddServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "proxysql";
}

/** Query analytics of MongoDB from its log. */
export interface AddQanMongodbMongologAgent extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'authentication_mechanism' | 'authentication_database'> {
  /** Type of the agent. */
  agent_type: "qan_mongodb_mongolog_agent";
}

/** Query analytics of MongoDB from the profiler. */
export interface AddQanMongodbProfilerAgent extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'authentication_mechanism' | 'authentication_database'> {
  /** Type of the agent. */
  agent_type: "qan_mongodb_profiler_agent";
}

/** Query analytics of MySQL from the performance schema. */
export interface AddQanMysqlPerfschemaAgent extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_query_examples' | 'disable_comments_parsing' | 'extra_dsn_params'> {
  /** Type of the agent. */
  agent_type: "qan_mysql_perfschema_agent";
}

/** Query analytics of MySQL from the slow log. */
export interface AddQanMysqlSlowlogAgent extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_query_examples' | 'disable_comments_parsing' | 'extra_dsn_params'> {
  /** Type of the agent. */
  agent_type: "qan_mysql_slowlog_agent";
  /** Size in bytes at which the slow log is rotated; 0 is never. (0..) */
  max_slowlog_file_size?: number | undefined;
}

/** Query analytics of PostgreSQL from pg_stat_statements. */
export interface AddQanPostgresqlPgstatementsAgent extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_comments_parsing'> {
  /** Type of the agent. */
  agent_type: "qan_postgresql_pgstatements_agent";
}

/** Query analytics of PostgreSQL from pg_stat_monitor. */
export interface AddQanPostgresqlPgstatmonitorAgent extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_query_examples' | 'disable_comments_parsing'> {
  /** Type of the agent. */
  agent_type: "qan_postgresql_pgstatmonitor_agent";
}

/** Metrics of Amazon RDS instances. */
export interface AddRdsExporter extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level'> {
  /** Type of the agent. */
  agent_type: "rds_exporter";
  /** Role that the exporter assumes. Not a secret. (at most 256 characters) */
  aws_role_arn?: string | undefined;
  /** Disables basic metrics. */
  disable_basic_metrics?: boolean | undefined;
  /** Disables enhanced metrics. */
  disable_enhanced_metrics?: boolean | undefined;
}

/** A managed database instance of Azure. */
export interface AddRemoteAzureDatabaseNode extends AddNodeFields {
  /** Type of the node. */
  node_type: "remote_azure_database";
  /** Region of the cloud provider. The address is unique in a region. (at most 128 characters) */
  region: string;
}

/** A machine without agents of its own. */
export interface AddRemoteNode extends AddNodeFields, Pick<AddNodeOptions, 'region'> {
  /** Type of the node. */
  node_type: "remote";
}

/** A managed database instance of Amazon RDS; its address is the instance identifier. */
export interface AddRemoteRdsNode extends AddNodeFields, Pick<AddNodeOptions, 'instance_id'> {
  /** Type of the node. */
  node_type: "remote_rds";
  /** Region of the cloud provider. The address is unique in a region. (at most 128 characters) */
  region: string;
}

/** A role binding to add. */
export interface AddRoleBinding {
  /** Unique among all role bindings; also the id. Must be a lower-case letter or digit, then up to 63 lower-case letters, digits, dots, hyphens or underscores, and not preview. (at most 64 characters) */
  name: string;
  /** Name of the identity provider, as in the settings. (at most 32 characters) */
  provider: string;
  claims: BoundClaims;
  /** Role of the identity. With Registrar, a log-in returns an enrolment token for one host instead of a key. */
  role: "Registrar" | "Viewer" | "Editor" | "Admin";
  /** Values of the owner label, `team` by default. An Editor with owners writes only objects with one of these values. (at most 10) */
  owners?: readonly string[] | undefined;
  /** Of a Registrar: the claim with the name of the only node that it may enrol, also again. (at most 256 characters) */
  node_name_claim?: string | undefined;
  /** Purpose. (at most 256 characters) */
  description?: string | undefined;
}

/** Real-time analytics of MongoDB. */
export interface AddRtaMongodbAgent extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'rta_options'> {
  /** Type of the agent. */
  agent_type: "rta_mongodb_agent";
}

/** Real-time analytics of MySQL. */
export interface AddRtaMysqlAgent extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'rta_options'> {
  /** Type of the agent. */
  agent_type: "rta_mysql_agent";
}

/** A saved filter to add. */
export interface AddSavedFilter {
  /** Unique among the shared filters of the list, or among those of its maker. (at most 100 characters) */
  name: string;
  /** The list that it filters. */
  list: "nodes" | "services" | "agents" | "clusters";
  parameters: FilterParameters;
  /** Whether everybody sees it. Requires the role Editor. Default: only its maker. */
  shared?: boolean | undefined;
}

/** A service to add, of one of the types. */
export type AddService = AddMysqlService | AddMongodbService | AddPostgresqlService | AddProxysqlService | AddHaproxyService | AddValkeyService | AddExternalService;

/** What every AddService has. */
export interface AddServiceFields {
  /** Unique among all services. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  service_name: string;
  /** The nodes it runs on: none, one, or several for a cluster. (at most 20) */
  node_ids?: readonly string[] | undefined;
  custom_labels?: Labels | undefined;
  /** Environment, for example prod. (at most 128 characters) */
  environment?: string | undefined;
  /** Name of its cluster. (at most 128 characters) */
  cluster?: string | undefined;
  /** Name of its replication set. (at most 128 characters) */
  replication_set?: string | undefined;
}

/** What several variants have. */
export interface AddServiceOptions {
  /** Host name or IP address of the service. Requires a port. A loopback address is that of its node. (at most 255 characters) */
  address?: string | undefined;
  /** TCP port. Requires an address. (1..65535) */
  port?: number | undefined;
  /** Absolute path of a Unix socket, instead of address and port. (at most 256 characters) */
  socket?: string | undefined;
  /** Version of the database server. (at most 256 characters) */
  version?: string | undefined;
}

/** A silence to add. */
export interface AddSilence {
  /** Nodes, services and agents whose labels match, in the syntax of lists: `node_id=...`, `cluster=orders`. At least one requirement must be `=` or `in`. What rests only on silenced objects is silenced with them. (at most 2000 characters) */
  selector: string;
  /** Why, for other people. (at most 256 characters) */
  reason: string;
  /** How long it lasts: a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days; none: s), from 1s to 30d. (at most 32 characters) */
  time_to_live: string;
}

/** A user to add. */
export interface AddUser {
  /** The name with which the user logs in, unique among all users; also the id. Must be a lower-case letter, then up to 63 lower-case letters, digits, dots, hyphens or underscores. (at most 64 characters) */
  user_name: string;
  /** Role of the sessions of the user. */
  role: "Viewer" | "Editor" | "Admin";
  /** Values of the owner label, `team` by default. An Editor with owners writes only objects with one of these values. (at most 10) */
  owners?: readonly string[] | undefined;
  /** Time to live of the invitation, three days by default: a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days; none: s), from 1s to 7d. (at most 32 characters) */
  invitation_time_to_live?: string | undefined;
}

/** Metrics of Valkey. */
export interface AddValkeyExporter extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout'> {
  /** Type of the agent. */
  agent_type: "valkey_exporter";
}

/** Valkey or Redis. */
export interface AddValkeyService extends AddServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "valkey";
}

/** Scrapes the exporters of its node and forwards the metrics. */
export interface AddVmAgent extends AddAgentFields, Pick<AddAgentOptions, 'pmm_agent_id' | 'listen_port'> {
  /** Type of the agent. */
  agent_type: "vm_agent";
}

/** An agent process that connects to a gateway. */
export interface Admission {
  /** Id of the agent process (pmm_agent) that connects. (at most 36 characters) */
  pmm_agent_id: string;
  /** Its Authorization header, with an API key as Bearer or Basic. Neither stored nor logged. (at most 1024 characters) */
  authorization: string;
  /** The address that it connects from. (at most 64 characters) */
  source_ip: string;
}

/** Result for one agent process. */
export interface AdmissionResult {
  /** HTTP status of a report by the process with its own key: with 200 it may connect. */
  status: number;
  /** Id of the agent process (pmm_agent) that connects. */
  pmm_agent_id?: string;
  /** Id of the node that it runs on (UUID). */
  node_id?: string;
  /** Name of this node. */
  node_name?: string;
  /** The agents under the process. Absent if the reply would be too large: list them. */
  agents?: AdmittedAgent[];
  /** The services that these agents monitor. */
  services?: AdmittedService[];
  error?: ErrorBody;
}

/** Results of admissions. */
export interface AdmissionResults {
  /** Result for each agent process, in the order of the request. */
  results: AdmissionResult[];
}

/** Agent processes that connect to a gateway. */
export interface Admissions {
  /** The agent processes that connect. (at most 100) */
  admissions: readonly Admission[];
}

/** The fields of an agent that its process needs. */
export interface AdmittedAgent {
  /** Id of the agent (UUID). */
  agent_id: string;
  /** Its type. */
  agent_type: string;
  /** Whether its process must not run it. */
  disabled: boolean;
  /** Id of the agent process (pmm_agent) that connects. */
  pmm_agent_id?: string;
  /** The objects that it gives insight into. */
  insights: {
  /** Ids of the services that it monitors. */
  service_ids: string[];
};
  /** Names of disabled collectors. */
  disable_collectors?: string[];
  /** As of the agent. */
  expose_exporter?: boolean;
}

/** The fields of a service that an agent needs. */
export interface AdmittedService {
  /** Id of the service (UUID). */
  service_id: string;
  /** Its name. */
  service_name: string;
  /** Its address. */
  address?: string;
  /** Its port. */
  port?: number;
}

/** An agent gives insight into nodes and services. */
export type Agent = PmmAgent | VmAgent | NomadAgent | NodeExporter | MysqldExporter | MongodbExporter | PostgresExporter | ProxysqlExporter | ValkeyExporter | RdsExporter | AzureDatabaseExporter | QanMysqlPerfschemaAgent | QanMysqlSlowlogAgent | QanMongodbProfilerAgent | QanMongodbMongologAgent | QanPostgresqlPgstatementsAgent | QanPostgresqlPgstatmonitorAgent | RtaMongodbAgent | RtaMysqlAgent | OtelCollector | ExternalExporter | OtherAgent;

/** What every Agent has. */
export interface AgentFields {
  /** Id of the agent (UUID). */
  agent_id: string;
  insights: Insights;
  /** Disabled agents do not run. */
  disabled: boolean;
  custom_labels: Labels;
  /** When it was added (RFC 3339, UTC). */
  created_at: string;
  /** When it was last changed (RFC 3339, UTC). */
  updated_at: string;
  /** 1 when added, incremented by each change. Also the ETag. */
  revision: number;
  /** Computed from the last report of the agent process of its node; of several nodes, the best. Only in replies of get, and of list with `include=state`; not part of the revision. */
  state?: "live" | "stale" | "offline" | "never_seen" | (string & {});
  /** Last report of the agent process of its node; of several nodes, the latest. Absent before the first report. Only in replies of get, and of list with `include=state`. */
  reported_at?: string;
  /** A forced removal has begun, and the service finishes it. New references are refused. */
  removing?: true;
}

/** What several variants have. */
export interface AgentOptions {
  /** The node that it runs on. */
  runs_on_node_id: string;
  /** Version that the agent process reported. In lists only with `include=state`. */
  version?: string;
  /** The pmm_agent that starts and stops it. */
  pmm_agent_id: string;
  /** The status that the agent process last reported. In lists only with `include=state`. */
  status?: "unknown" | "starting" | "running" | "waiting" | "stopping" | "done" | "not_supported" | (string & {});
  /** Since when the agent process reports this status, or since when it is offline. Absent if no report says. In lists only with `include=state`. */
  status_since?: string;
  /** Reason of the status, as the agent process reported it. In lists only with `include=state`. */
  status_reason?: string;
  /** Port of its metrics. */
  listen_port?: number;
  /** The agent pushes its metrics instead of being scraped. */
  push_metrics: boolean;
  /** Intervals of metrics of high, medium and low resolution, for example 5s, 10s, 60s. */
  metrics_resolutions?: {
  /** Seconds with a unit, such as 5s or 1.5s. */
  hr?: string;
  /** Seconds with a unit, such as 5s or 1.5s. */
  mr?: string;
  /** Seconds with a unit, such as 5s or 1.5s. */
  lr?: string;
};
  /** Log level. */
  log_level?: "fatal" | "error" | "warn" | "info" | "debug" | (string & {});
  /** Names of disabled collectors. */
  disable_collectors: string[];
  /** Listens on all interfaces instead of the loopback interface. */
  expose_exporter: boolean;
  /** User name in the database. The password is configured on the host of the agent. */
  username?: string;
  /** Uses TLS to connect to the database. */
  tls: boolean;
  /** Does not verify the certificate of the database. */
  tls_skip_verify: boolean;
  /** Timeout of connections to the database. */
  connection_timeout?: string;
  /** Further parameters of the MySQL connection. */
  extra_dsn_params?: {
  /** Allows the password to be sent as clear text. */
  allowCleartextPasswords?: string;
};
  /** Maximum length of queries; 0 is the default, -1 no limit. */
  max_query_length: number;
  /** Does not store examples of queries. */
  disable_query_examples: boolean;
  /** Ignores comments in queries. */
  disable_comments_parsing: boolean;
  /** Authentication mechanism of MongoDB. */
  authentication_mechanism?: string;
  /** Authentication database of MongoDB. */
  authentication_database?: string;
  /** Options of real-time analytics; the interval must be at least 1s. */
  rta_options?: {
  /** Seconds with a unit, such as 5s or 1.5s. */
  collect_interval?: string;
};
  /** True if the agent process reports in time. In lists only with `include=state`. */
  connected?: boolean;
}

/** Report of an agent process. */
export interface AgentReport {
  /** Agents with a new status. Other agents keep their status. (at most 200) */
  agents: readonly ReportedAgent[];
  /** false: a backend lost its connection; it is `stale` at once. true: a new connection; always stored. */
  connected?: boolean | undefined;
  /** With `connected: false`: since its last sign of life. (0..3600) */
  silent_seconds?: number | undefined;
  /** true: the process began anew; any status can follow. Default: false. */
  reset?: boolean | undefined;
  /** true: the reply contains `targets_hash`. Default: false. */
  with_targets_hash?: boolean | undefined;
}

/** The states of an agent in the last day, with its statuses. */
export interface AgentStates {
  /** Begin of the history: 24 hours ago, or later if the states before are not known. */
  begin: string;
  /** Time of the reply. */
  end: string;
  /** The states from the begin to the end, one after the other; empty before the first report. */
  intervals: StatusInterval[];
  /** Share of this time in which the agent was live and, if it has a status, running. Absent before the first report. Rounded down. */
  availability?: number;
}

/** The answer of a person to a program that asks. */
export interface AnswerDevice {
  /** The code that the program shows. Case, spaces and hyphens do not matter. (at most 32 characters) */
  user_code: string;
  /** Absent: nothing changes, and the reply says which program asks. */
  answer?: "approve" | "deny" | undefined;
  /** Role of the session of the program, at most that of the caller. Default: that role. */
  role?: "Viewer" | "Editor" | "Admin" | undefined;
}

/** An API key, without its secret. */
export interface ApiKey {
  /** Id of the API key (UUID). */
  key_id: string;
  /** Unique among all API keys. */
  name: string;
  /** Viewer reads, Editor also changes, Admin can do everything, Relay only reports for hosts, Gateway also reads objects and changes. A Registrar manages one node and its dependent objects. */
  role: "Viewer" | "Editor" | "Admin" | "Relay" | "Gateway" | "Registrar" | (string & {});
  /** The first characters of the key. */
  prefix: string;
  /** When it was added. */
  created_at: string;
  /** Who added it. */
  created_by: {
  /** `user`, `session`, `api_key`, `enrolment_token`; `system`: the service itself. */
  kind: string;
  /** Id of the key, session or token, or the user name. */
  id: string;
  /** Name of the user, key or token. */
  name: string;
};
  /** When it expires; absent if never. */
  expires_at?: string;
  /** When its present secret was last used, accurate to five minutes, of a host that reports to half of `stale_after`; absent if never. */
  last_used_at?: string;
  /** The source address of that use, as seen by the gateway. */
  last_used_from?: string;
  /** When a former secret was last used, before or after the rotation; absent if never. */
  former_last_used_at?: string;
  /** The source address of that use. */
  former_last_used_from?: string;
  /** Authorizations with any of its secrets, of the last seven days (UTC) with one. One stands for all calls that the gateway answers from its cache (`authorizerCacheSeconds`). Reports of a host with its own key are not counted. */
  uses_by_day?: {
  /** The day, in UTC. */
  date: string;
  /** The number of authorizations that are recorded so far. */
  uses: number;
}[];
  /** Whether it is refused until it is enabled. */
  disabled?: boolean;
  /** Id of the node that a Registrar is bound to (UUID). */
  node_id?: string;
  /** Addresses that a Registrar may set, besides its own source address. */
  allowed_addresses?: string[];
  /** Requests per clock minute. Further requests get 429. */
  rate_limit_per_minute?: number;
  /** The owners to which the writes are limited; absent without a limit. */
  owners?: string[];
  /** When it was last rotated; absent if never. */
  rotated_at?: string;
  /** When the previous secrets of the key expire or expired. */
  previous_expires_at?: string;
}

/** Objects that need attention for one reason. */
export interface Attention {
  /** no_live_member: a cluster without a live service. never_seen: for 60 minutes. not_running: enabled, but reported as starting, stopping or done. not_collected: pushes metrics on a node without vm_agent. connected_twice: two hosts have its id. removal_interrupted: a forced removal has not finished. expires_soon: within 14 days. */
  reason: "no_live_member" | "offline" | "stale" | "never_seen" | "waiting" | "not_running" | "not_collected" | "connected_twice" | "removal_interrupted" | "reconciliation_failed" | "cleanup_stopped" | "expires_soon" | (string & {});
  /** Kind of the objects. */
  kind: "node" | "service" | "agent" | "cluster" | "reconciliation" | "cleanup" | "api_key" | "enrolment_token" | (string & {});
  /** Number of objects. */
  count: number;
  /** Some of them. */
  examples: {
  /** Its id. */
  id: string;
  /** Its name; of an agent its type, and its node if there are `places`. */
  name?: string;
}[];
  /** Regions and clusters with most of them, 3 of each at most; an agent has those of its node and services. Absent if not all were located. */
  places?: ({
  /** Label. */
  label: "region" | "cluster" | (string & {});
  /** Its value. */
  value: string;
  /** Number of these objects that have it. */
  count: number;
})[];
  /** Path of their list. */
  list?: string;
}

/** An event or counted refusals. */
export interface AuditEntry {
  /** Id of the entry; the change_id of a change. */
  audit_id: string;
  /** Time of the event; for refusals, the minute of the count. */
  time: string;
  /** Type of the event. */
  event: "node.added" | "node.changed" | "node.removed" | "node.restored" | "service.added" | "service.changed" | "service.removed" | "service.restored" | "agent.added" | "agent.changed" | "agent.removed" | "agent.restored" | "api_key.added" | "api_key.changed" | "api_key.rotated" | "api_key.removed" | "enrolment_token.added" | "enrolment_token.used" | "enrolment_token.removed" | "session.added" | "session.removed" | "session.changed" | "annotation.added" | "service_account.added" | "service_account.removed" | "user.added" | "user.changed" | "user.invited" | "user.password_set" | "user.sessions_ended" | "user.removed" | "role_binding.added" | "role_binding.changed" | "role_binding.removed" | "device.approved" | "device.denied" | "silence.added" | "silence.removed" | "saved_filter.added" | "saved_filter.changed" | "saved_filter.removed" | "sign_in.refused" | "log_out.refused" | "api_key.refused" | "enrolment.refused" | "call.refused" | (string & {});
  /** The caller; absent if not authenticated. */
  actor?: {
  /** `user`, `session`, `api_key`, `enrolment_token`; `system`: the service itself. */
  kind: string;
  /** Id of the key, session or token, or the user name. */
  id: string;
  /** Name of the user, key or token. */
  name: string;
};
  /** Id of the request, as in its reply and the log; for refusals, of the last one. */
  request_id: string;
  /** The object of the event; for refusals, the endpoint or the user. */
  subject?: {
  /** `node`, `service`, `agent`, `api_key`, `enrolment_token`, `service_account`, `session`, `annotation`, `user`, `role_binding`, `silence`, `saved_filter` or `endpoint`. */
  kind: string;
  /** Its id; the user name, or the operation id of an endpoint. */
  id: string;
  /** Its name, if known; for an endpoint, method and path. */
  name?: string;
};
  /** Of a change: the new revision. */
  revision?: number;
  /** Of a change, as in `Change`. */
  before?: Record<string, unknown>;
  /** Of a change, as in `Change`; of a key, token, session or user, the result: role, expiry, limit, node. */
  after?: Record<string, unknown>;
  /** Of refusals: `wrong_password`, `expired_key`, `role`, `scope` (of a Registrar), `rate_limit` and others; the document audit.md says what each means. */
  reason?: "wrong_password" | "invalid_key" | "expired_key" | "disabled_key" | "superseded_secret" | "invalid_token" | "other_node" | "role" | "scope" | "rate_limit" | "unknown_user" | "disabled_user" | "invalid_invitation" | "unknown_provider" | "invalid_identity" | "expired_identity" | "wrong_issuer" | "wrong_audience" | "unknown_key" | "used_identity" | "unbound_identity" | "too_many_owners" | "invalid_code" | "too_many_groups" | "invalid_session" | "invalid_device" | (string & {});
  /** Of refusals and of events of a key, token or session: the source address, as seen by the gateway; absent if refusals had too many addresses. */
  source_ip?: string;
  /** Of refusals: the minimum number in that minute. */
  count?: number;
  /** Of refusals: time of the first. */
  first_time?: string;
  /** Of refusals: time of the last. */
  last_time?: string;
}

/** A program that asks a person for a session. */
export interface AuthorizeDevice {
  /** The program and the host that ask, as the person reads it: `inventory on build-7`. (at most 128 characters) */
  client_name: string;
}

/** Metrics of Azure databases. */
export interface AzureDatabaseExporter extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level'> {
  /** Type of the agent. */
  agent_type: "azure_database_exporter";
  /** Azure subscription. */
  azure_subscription_id?: string;
  /** Azure resource group. */
  azure_resource_group?: string;
  /** Type of Azure database. */
  azure_database_resource_type: "mysql" | "maria" | "postgres" | (string & {});
}

/** Operations to run in one request. */
export interface Batch {
  /** The operations, in order. (at most 500) */
  operations: readonly BatchOperation[];
  /** Run all operations in one transaction, or none. */
  atomic?: boolean | undefined;
}

/** `addAgent` as part of a batch. */
export interface BatchAddAgent extends Pick<BatchOperationOptions, 'ref'> {
  /** The operation, by its operationId. */
  op: "addAgent";
  body: AddAgent;
}

/** `addNode` as part of a batch. */
export interface BatchAddNode extends Pick<BatchOperationOptions, 'ref' | 'body'> {
  /** The operation, by its operationId. */
  op: "addNode";
}

/** `addService` as part of a batch. */
export interface BatchAddService extends Pick<BatchOperationOptions, 'ref'> {
  /** The operation, by its operationId. */
  op: "addService";
  body: AddService;
}

/** `changeAgent` as part of a batch. */
export interface BatchChangeAgent extends Pick<BatchOperationOptions, 'if_match'> {
  /** The operation, by its operationId. */
  op: "changeAgent";
  /** Id of the agent (UUID). (at most 36 characters) */
  id: string;
  body: ChangeAgent;
}

/** `changeNode` as part of a batch. */
export interface BatchChangeNode extends Pick<BatchOperationOptions, 'id' | 'if_match'> {
  /** The operation, by its operationId. */
  op: "changeNode";
  body: ChangeNode;
}

/** `changeService` as part of a batch. */
export interface BatchChangeService extends Pick<BatchOperationOptions, 'if_match'> {
  /** The operation, by its operationId. */
  op: "changeService";
  /** Id of the service (UUID). (at most 36 characters) */
  id: string;
  body: ChangeService;
}

/** An operation of a batch. */
export type BatchOperation = BatchAddNode | BatchUpsertNode | BatchChangeNode | BatchRemoveNode | BatchAddService | BatchUpsertService | BatchChangeService | BatchRemoveService | BatchAddAgent | BatchUpsertAgent | BatchChangeAgent | BatchRemoveAgent;

/** What every BatchOperation has. */
export interface BatchOperationFields {
}

/** What several variants have. */
export interface BatchOperationOptions {
  /** Label of the object, unique in the batch. Later operations refer to the object by `$` and the label instead of its id. (at most 35 characters) */
  ref?: string | undefined;
  body: AddNode;
  /** Run only if the object has this revision, like If-Match. (1..) */
  if_match?: number | undefined;
  /** Id of the node (UUID). (at most 36 characters) */
  id: string;
  /** Run only if no such object exists, like If-None-Match. */
  if_none_match?: "*" | undefined;
  /** Also remove the dependent objects. */
  force?: boolean | undefined;
}

/** `removeAgent` as part of a batch. */
export interface BatchRemoveAgent extends Pick<BatchOperationOptions, 'if_match' | 'force'> {
  /** The operation, by its operationId. */
  op: "removeAgent";
  /** Id of the agent (UUID). (at most 36 characters) */
  id: string;
}

/** `removeNode` as part of a batch. */
export interface BatchRemoveNode extends Pick<BatchOperationOptions, 'id' | 'if_match' | 'force'> {
  /** The operation, by its operationId. */
  op: "removeNode";
}

/** `removeService` as part of a batch. */
export interface BatchRemoveService extends Pick<BatchOperationOptions, 'if_match' | 'force'> {
  /** The operation, by its operationId. */
  op: "removeService";
  /** Id of the service (UUID). (at most 36 characters) */
  id: string;
}

/** Result of an operation of a batch. */
export interface BatchResult {
  /** HTTP status, as of a single request. */
  status: number;
  /** Id of the object of the operation. */
  id?: string;
  /** What the request did. */
  outcome?: "added" | "changed" | "unchanged" | (string & {});
  /** The current object, unless it was removed. Omitted if the reply would be too large; get it by its id. */
  body?: Node | Service | Agent;
  error?: ErrorBody;
}

/** Result of a batch. */
export interface BatchResults {
  /** Result of each operation, in the order of the batch. */
  results: BatchResult[];
}

/** `upsertAgent` as part of a batch. */
export interface BatchUpsertAgent extends Pick<BatchOperationOptions, 'ref' | 'if_match' | 'if_none_match'> {
  /** The operation, by its operationId. */
  op: "upsertAgent";
  body: AddAgent;
}

/** `upsertNode` as part of a batch. */
export interface BatchUpsertNode extends Pick<BatchOperationOptions, 'ref' | 'if_match' | 'if_none_match' | 'body'> {
  /** The operation, by its operationId. */
  op: "upsertNode";
}

/** `upsertService` as part of a batch. */
export interface BatchUpsertService extends Pick<BatchOperationOptions, 'ref' | 'if_match' | 'if_none_match'> {
  /** The operation, by its operationId. */
  op: "upsertService";
  body: AddService;
}

/** The identity must have each of these claims with one of its values, compared exactly as text; of a claim that is a list, one element. A name that begins with `/` is a JSON pointer (RFC 6901) to a claim inside another: `/kubernetes.io/namespace`. */
export type BoundClaims = Record<string, readonly string[]>;

/** One change of one object. */
export interface Change {
  /** Id of the change. A repeated request can return a change twice; use the id to detect this. */
  change_id: string;
  /** Time of the change. Never before the changes that it depends on. */
  time: string;
  /** The caller that made it. */
  actor: {
  /** `user`, `session`, `api_key`, `enrolment_token`; `system`: the service itself. */
  kind: string;
  /** Id of the key, session or token, or the user name. */
  id: string;
  /** Name of the user, key or token. */
  name: string;
};
  /** Id of the request, as in its reply and the log. */
  request_id: string;
  /** Kind of the object, or `state` of a node. */
  kind: "node" | "service" | "agent" | "state" | (string & {});
  /** Id of the node, service or agent. */
  id: string;
  /** Type of the change. */
  action: "added" | "changed" | "removed" | (string & {});
  /** Of an add: true if it restored a removed object. */
  restored?: true;
  /** The new revision; of a removal, the last one. */
  revision: number;
  /** Of a removal, the whole object; of a change, the previous values of the fields that differ. */
  before?: Record<string, unknown>;
  /** Of an add, the whole object; of a change, the new values of the fields that differ. Fields only in `before` were cleared. */
  after?: Record<string, unknown>;
}

/** Fields of an agent to change; null clears a field. */
export interface ChangeAgent {
  insights?: ChangeInsights | null | undefined;
  /** Disabled agents do not run. */
  disabled?: boolean | null | undefined;
  custom_labels?: LabelChanges | null | undefined;
  /** User name in the database. The password is configured on the host of the agent. (at most 256 characters) */
  username?: string | null | undefined;
  /** Port of its metrics. (1..65535) */
  listen_port?: number | null | undefined;
  /** The agent pushes its metrics instead of being scraped. */
  push_metrics?: boolean | null | undefined;
  /** Listens on all interfaces instead of the loopback interface. */
  expose_exporter?: boolean | null | undefined;
  /** Log level. */
  log_level?: "fatal" | "error" | "warn" | "info" | "debug" | null | undefined;
  /** Names of disabled collectors. (at most 100) */
  disable_collectors?: readonly string[] | null | undefined;
  /** Intervals of metrics of high, medium and low resolution, for example 5s, 10s, 60s. */
  metrics_resolutions?: {
  /** Seconds with a unit, such as 5s or 1.5s. */
  hr?: string | null | undefined;
  /** Seconds with a unit, such as 5s or 1.5s. */
  mr?: string | null | undefined;
  /** Seconds with a unit, such as 5s or 1.5s. */
  lr?: string | null | undefined;
} | null | undefined;
  /** Timeout of connections to the database. */
  connection_timeout?: string | null | undefined;
  /** Uses TLS to connect to the database. */
  tls?: boolean | null | undefined;
  /** Does not verify the certificate of the database. */
  tls_skip_verify?: boolean | null | undefined;
  /** Further parameters of the MySQL connection. */
  extra_dsn_params?: {
  /** Allows the password to be sent as clear text. (at most 256 characters) */
  allowCleartextPasswords?: string | null | undefined;
} | null | undefined;
  /** Maximum number of tables for table statistics; 0 is no limit, a negative number disables them. (-2147483648..2147483647) */
  tablestats_group_table_limit?: number | null | undefined;
  /** Authentication mechanism of MongoDB. (at most 256 characters) */
  authentication_mechanism?: string | null | undefined;
  /** Authentication database of MongoDB. (at most 256 characters) */
  authentication_database?: string | null | undefined;
  /** Databases and collections with statistics. (at most 100) */
  stats_collections?: readonly string[] | null | undefined;
  /** Maximum number of collections for statistics. (-2147483648..2147483647) */
  collections_limit?: number | null | undefined;
  /** Enables all collectors. */
  enable_all_collectors?: boolean | null | undefined;
  /** Names of environment variables passed to the exporter. (at most 100) */
  environment_variable_names?: readonly string[] | null | undefined;
  /** Maximum number of discovered databases; -1 disables discovery. (-2147483648..2147483647) */
  auto_discovery_limit?: number | null | undefined;
  /** Maximum number of connections to the database; 0 is the default of the exporter. (0..2147483647) */
  max_exporter_connections?: number | null | undefined;
  /** Scheme of the metrics. */
  scheme?: "http" | "https" | null | undefined;
  /** Path of the metrics. Begins with one slash. (at most 1024 characters) */
  metrics_path?: string | null | undefined;
  /** Name of the collector (`service.name`). Distinguishes the collectors of a node. (at most 256 characters) */
  collector_name?: string | null | undefined;
  /** Disables basic metrics. */
  disable_basic_metrics?: boolean | null | undefined;
  /** Disables enhanced metrics. */
  disable_enhanced_metrics?: boolean | null | undefined;
  /** Role that the exporter assumes. Not a secret. (at most 256 characters) */
  aws_role_arn?: string | null | undefined;
  /** Azure subscription. (at most 256 characters) */
  azure_subscription_id?: string | null | undefined;
  /** Azure resource group. (at most 256 characters) */
  azure_resource_group?: string | null | undefined;
  /** Type of Azure database. */
  azure_database_resource_type?: "mysql" | "maria" | "postgres" | null | undefined;
  /** Maximum length of queries; 0 is the default, -1 no limit. (-2147483648..2147483647) */
  max_query_length?: number | null | undefined;
  /** Size in bytes at which the slow log is rotated; 0 is never. (0..) */
  max_slowlog_file_size?: number | null | undefined;
  /** Does not store examples of queries. */
  disable_query_examples?: boolean | null | undefined;
  /** Ignores comments in queries. */
  disable_comments_parsing?: boolean | null | undefined;
  /** Options of real-time analytics; the interval must be at least 1s. */
  rta_options?: {
  /** Seconds with a unit, such as 5s or 1.5s. */
  collect_interval?: string | null | undefined;
} | null | undefined;
}

/** Fields of an API key to change. */
export interface ChangeApiKey {
  /** Requests per clock minute. Further requests get 429. (1..30000) */
  rate_limit_per_minute?: number | null | undefined;
  /** A part of the present owners, or owners for an Editor or Viewer without owners. (at most 10) */
  owners?: readonly string[] | undefined;
  /** true: requests with the key get 401. false: it works again. */
  disabled?: boolean | undefined;
}

/** New targets; each list replaces the previous one. null clears both lists. A node_exporter without targets gets the node that it runs on. */
export interface ChangeInsights {
  /** Replaces the nodes that it gives insight into. (at most 20) */
  node_ids?: readonly string[] | null | undefined;
  /** Replaces the services that it gives insight into. (at most 20) */
  service_ids?: readonly string[] | null | undefined;
}

/** Fields of a node to change; null clears a field. */
export interface ChangeNode {
  /** Host name, IP address or instance identifier of the node. (at most 255 characters) */
  address?: string | undefined;
  custom_labels?: LabelChanges | null | undefined;
  /** Identifier of the operating system installation. Not unique. (at most 256 characters) */
  machine_id?: string | null | undefined;
  /** Operating system distribution and version. (at most 256 characters) */
  distro?: string | null | undefined;
  /** Identifier of the container; unique. (at most 255 characters) */
  container_id?: string | null | undefined;
  /** Name of the container. (at most 256 characters) */
  container_name?: string | null | undefined;
  /** Hardware model or instance class. (at most 256 characters) */
  node_model?: string | null | undefined;
  /** Region of the cloud provider. The address is unique in a region. (at most 128 characters) */
  region?: string | null | undefined;
  /** Availability zone. (at most 128 characters) */
  az?: string | null | undefined;
  /** Name of the instance at the cloud provider. (at most 256 characters) */
  instance_id?: string | null | undefined;
  /** ephemeral: removed after remove_after without a report. Default: permanent. */
  lifetime?: "permanent" | "ephemeral" | null | undefined;
  /** Time without a report after which it is stale, such as 90s or 5m. Default: 10m. (at most 32 characters) */
  stale_after?: string | null | undefined;
  /** Time without a report after which it is offline, such as 90s or 5m. Default: 30m. (at most 32 characters) */
  offline_after?: string | null | undefined;
  /** Time without a report after which an ephemeral node may be removed, such as 90s or 5m. Default: 1d. (at most 32 characters) */
  remove_after?: string | null | undefined;
}

/** Fields of a role binding to change. */
export interface ChangeRoleBinding {
  claims?: BoundClaims | undefined;
  /** Role of the identity. With Registrar, a log-in returns an enrolment token for one host instead of a key. */
  role?: "Registrar" | "Viewer" | "Editor" | "Admin" | undefined;
  /** Values of the owner label, `team` by default. An Editor with owners writes only objects with one of these values. (at most 10) */
  owners?: readonly string[] | null | undefined;
  /** Of a Registrar: the claim with the name of the only node that it may enrol, also again. (at most 256 characters) */
  node_name_claim?: string | null | undefined;
  /** Purpose. (at most 256 characters) */
  description?: string | null | undefined;
}

/** Fields of a saved filter to change. */
export interface ChangeSavedFilter {
  /** Unique among the shared filters of the list, or among those of its maker. (at most 100 characters) */
  name?: string | undefined;
  parameters?: FilterParameters | undefined;
  /** Whether everybody sees it. Requires the role Editor. Default: only its maker. */
  shared?: boolean | undefined;
  /** Whether the caller has it in the menu of the console: at most 10. */
  pinned?: boolean | undefined;
}

/** Fields of a service to change; null clears a field. */
export interface ChangeService {
  /** The nodes it runs on: none, one, or several for a cluster. (at most 20) */
  node_ids?: readonly string[] | null | undefined;
  custom_labels?: LabelChanges | null | undefined;
  /** Host name or IP address of the service. Requires a port. A loopback address is that of its node. (at most 255 characters) */
  address?: string | null | undefined;
  /** TCP port. Requires an address. (1..65535) */
  port?: number | null | undefined;
  /** Absolute path of a Unix socket, instead of address and port. (at most 256 characters) */
  socket?: string | null | undefined;
  /** Environment, for example prod. (at most 128 characters) */
  environment?: string | null | undefined;
  /** Name of its cluster. (at most 128 characters) */
  cluster?: string | null | undefined;
  /** Name of its replication set. (at most 128 characters) */
  replication_set?: string | null | undefined;
  /** Database to connect to first. (at most 256 characters) */
  database_name?: string | null | undefined;
  /** Maximum number of databases to discover; -1 disables discovery, 0 is the default of the agent. (-1..2147483647) */
  auto_discovery_limit?: number | null | undefined;
  /** Version of the database server. (at most 256 characters) */
  version?: string | null | undefined;
  /** Group of external services. (at most 128 characters) */
  group?: string | null | undefined;
}

/** Fields of a user to change. */
export interface ChangeUser {
  /** Role of the sessions of the user. */
  role?: "Viewer" | "Editor" | "Admin" | undefined;
  /** The owners of an Editor; null removes them. Another role than Editor also removes them. (at most 10) */
  owners?: readonly string[] | null | undefined;
  /** Whether the user is locked out. */
  disabled?: boolean | undefined;
}

/** Result of a cleanup. */
export interface CleanedUp {
  /** True if the removals would exceed `max_removals_percent`. Nothing was removed. */
  threshold_exceeded: boolean;
  /** Due objects with their dependent objects, as far as counted. */
  objects: number;
  /** The removed nodes. */
  removed: CleanedUpNode[];
  /** The nodes that were not removed, as far as known. */
  kept: KeptNode[];
  /** Repeat the request with this page_token: the cleanup is not finished. */
  next_page_token?: string;
}

/** A removed node. */
export interface CleanedUpNode {
  /** Id of the node. */
  node_id: string;
  /** Its name. */
  node_name: string;
  /** Time of the last report; absent if none. */
  last_seen?: string;
  /** When it became due. */
  due_since: string;
  /** Id of the removal, for a restore. */
  removal_id: string;
  /** Number of removed objects: the node and its dependent objects. */
  objects: number;
}

/** Options of the cleanup. */
export interface Cleanup {
  /** List the due nodes without removing them. */
  dry_run?: boolean | undefined;
  /** Safety threshold in percent of all objects. Dependent objects count. (0..100) */
  max_removals_percent?: number | undefined;
  /** The next_page_token of the previous request. (at most 4096 characters) */
  page_token?: string | undefined;
}

/** Counts of the services of one cluster. */
export interface Cluster {
  /** Name of the cluster. */
  cluster: string;
  /** Number of services. */
  services: number;
  /** Number of different nodes that the services run on. */
  nodes: number;
  /** Number of services of each type. */
  services_by_type: Record<string, number>;
  /** Number of services in each state. */
  services_by_state: Record<string, number>;
  /** Environments of the services, sorted. */
  environments: string[];
  /** Versions of the services, sorted. */
  versions: string[];
  /** Values of the owner label of the services, sorted. */
  owners: string[];
  /** Regions of the nodes, sorted. */
  regions?: string[];
  /** Availability zones of the nodes, sorted. */
  azs?: string[];
}

/** The worst state of the services of a cluster in the last day. */
export interface ClusterStates {
  /** Begin of the history: 24 hours ago, or later if the states before are not known. */
  begin: string;
  /** Time of the reply. */
  end: string;
  /** The states from the begin to the end, one after the other; empty before the first report. */
  intervals: StateInterval[];
  /** Share of this time in which at least one service was live. Absent before the first report. Rounded down. */
  availability?: number;
  /** Share of this time in which all services were live. Absent before the first report. Rounded down. */
  all_live?: number;
}

/** Counts of clusters. */
export interface ClusterTally {
  /** Number of objects. */
  total: number;
  /** Number in each state. */
  by_state: Record<string, number>;
  /** Number of each type. */
  by_type: Record<string, number>;
  /** Clusters without a live service. */
  without_live_member: number;
}

/** A container. */
export interface ContainerNode extends NodeFields, NodeOptions {
  /** Type of the node. */
  node_type: "container";
  /** Identifier of the container; unique. */
  container_id?: string;
  /** Name of the container. */
  container_name?: string;
}

/** A container. */
export interface DeclareContainerNode extends DeclareNodeFields, AddNodeOptions {
  /** Type of the node. */
  node_type: "container";
  /** Identifier of the container; unique. (at most 255 characters) */
  container_id?: string | undefined;
  /** Name of the container. (at most 256 characters) */
  container_name?: string | undefined;
}

/** Any other service that exposes metrics. */
export interface DeclareExternalService extends DeclareServiceFields {
  /** Type of the service. */
  service_type: "external";
  /** Group of external services. (at most 128 characters) */
  group?: string | undefined;
}

/** Bare metal or a virtual machine. */
export interface DeclareGenericNode extends DeclareNodeFields, AddNodeOptions {
  /** Type of the node. */
  node_type: "generic";
  /** Operating system distribution and version. (at most 256 characters) */
  distro?: string | undefined;
}

/** HAProxy. */
export interface DeclareHaproxyService extends DeclareServiceFields {
  /** Type of the service. */
  service_type: "haproxy";
}

/** MongoDB. */
export interface DeclareMongodbService extends DeclareServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "mongodb";
}

/** MySQL, MariaDB or Percona Server. */
export interface DeclareMysqlService extends DeclareServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "mysql";
}

/** A desired node, of one of the types. */
export type DeclareNode = DeclareGenericNode | DeclareContainerNode | DeclareRemoteNode | DeclareRemoteRdsNode | DeclareRemoteAzureDatabaseNode;

/** What every DeclareNode has. */
export interface DeclareNodeFields {
  /** The name in the path; optional. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  node_name?: string | undefined;
  /** Host name, IP address or instance identifier of the node. (at most 255 characters) */
  address: string;
  custom_labels?: Labels | undefined;
  /** Hardware model or instance class. (at most 256 characters) */
  node_model?: string | undefined;
  /** Availability zone. (at most 128 characters) */
  az?: string | undefined;
  /** ephemeral: removed after remove_after without a report. Default: permanent. */
  lifetime?: "permanent" | "ephemeral" | undefined;
  /** Time without a report after which it is stale, such as 90s or 5m. Default: 10m. (at most 32 characters) */
  stale_after?: string | undefined;
  /** Time without a report after which it is offline, such as 90s or 5m. Default: 30m. (at most 32 characters) */
  offline_after?: string | undefined;
  /** Time without a report after which an ephemeral node may be removed, such as 90s or 5m. Default: 1d. (at most 32 characters) */
  remove_after?: string | undefined;
}

/** What several variants have. */
export interface DeclareNodeOptions {
  /** Identifier of the operating system installation. Not unique. (at most 256 characters) */
  machine_id?: string | undefined;
  /** Region of the cloud provider. The address is unique in a region. (at most 128 characters) */
  region?: string | undefined;
  /** Name of the instance at the cloud provider. (at most 256 characters) */
  instance_id?: string | undefined;
}

/** PostgreSQL. */
export interface DeclarePostgresqlService extends DeclareServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "postgresql";
  /** Database to connect to first. (at most 256 characters) */
  database_name?: string | undefined;
  /** Maximum number of databases to discover; -1 disables discovery, 0 is the default of the agent. (-1..2147483647) */
  auto_discovery_limit?: number | undefined;
}

/** ProxySQL. */
export interface DeclareProxysqlService extends DeclareServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "proxysql";
}

/** A managed database instance of Azure. */
export interface DeclareRemoteAzureDatabaseNode extends DeclareNodeFields {
  /** Type of the node. */
  node_type: "remote_azure_database";
  /** Region of the cloud provider. The address is unique in a region. (at most 128 characters) */
  region: string;
}

/** A machine without agents of its own. */
export interface DeclareRemoteNode extends DeclareNodeFields, Pick<DeclareNodeOptions, 'region'> {
  /** Type of the node. */
  node_type: "remote";
}

/** A managed database instance of Amazon RDS; its address is the instance identifier. */
export interface DeclareRemoteRdsNode extends DeclareNodeFields, Pick<DeclareNodeOptions, 'instance_id'> {
  /** Type of the node. */
  node_type: "remote_rds";
  /** Region of the cloud provider. The address is unique in a region. (at most 128 characters) */
  region: string;
}

/** A desired service, of one of the types. */
export type DeclareService = DeclareMysqlService | DeclareMongodbService | DeclarePostgresqlService | DeclareProxysqlService | DeclareHaproxyService | DeclareValkeyService | DeclareExternalService;

/** What every DeclareService has. */
export interface DeclareServiceFields {
  /** The name in the path; optional. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  service_name?: string | undefined;
  /** The nodes it runs on: none, one, or several for a cluster. (at most 20) */
  node_ids?: readonly string[] | undefined;
  custom_labels?: Labels | undefined;
  /** Environment, for example prod. (at most 128 characters) */
  environment?: string | undefined;
  /** Name of its cluster. (at most 128 characters) */
  cluster?: string | undefined;
  /** Name of its replication set. (at most 128 characters) */
  replication_set?: string | undefined;
}

/** Valkey or Redis. */
export interface DeclareValkeyService extends DeclareServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "valkey";
}

/** All objects that must exist in the scope. References to objects outside the scope are allowed if the objects exist. */
export interface Desired {
  /** The nodes, by name. */
  nodes?: readonly AddNode[] | undefined;
  /** The services, by name. */
  services?: readonly DesiredService[] | undefined;
  /** The agents, by type, place and targets. */
  agents?: readonly DesiredAgent[] | undefined;
}

/** A desired agent, of one of the types; refers to nodes and services by name. */
export type DesiredAgent = DesiredPmmAgent | DesiredVmAgent | DesiredNomadAgent | DesiredNodeExporter | DesiredMysqldExporter | DesiredMongodbExporter | DesiredPostgresExporter | DesiredProxysqlExporter | DesiredValkeyExporter | DesiredRdsExporter | DesiredAzureDatabaseExporter | DesiredQanMysqlPerfschemaAgent | DesiredQanMysqlSlowlogAgent | DesiredQanMongodbProfilerAgent | DesiredQanMongodbMongologAgent | DesiredQanPostgresqlPgstatementsAgent | DesiredQanPostgresqlPgstatmonitorAgent | DesiredRtaMongodbAgent | DesiredRtaMysqlAgent | DesiredOtelCollector | DesiredExternalExporter;

/** What every DesiredAgent has. */
export interface DesiredAgentFields {
  insights?: NamedInsights | undefined;
  /** Disabled agents do not run. */
  disabled?: boolean | undefined;
  custom_labels?: Labels | undefined;
}

/** What several variants have. */
export interface DesiredAgentOptions {
  /** Name of the node that it runs on. The pmm_agent of the node starts agents of the types that require one. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  runs_on_node_name: string;
  /** Port of its metrics. (1..65535) */
  listen_port?: number | undefined;
  /** The agent pushes its metrics instead of being scraped. */
  push_metrics?: boolean | undefined;
  /** Intervals of metrics of high, medium and low resolution, for example 5s, 10s, 60s. */
  metrics_resolutions?: {
  /** Seconds with a unit, such as 5s or 1.5s. */
  hr?: string | undefined;
  /** Seconds with a unit, such as 5s or 1.5s. */
  mr?: string | undefined;
  /** Seconds with a unit, such as 5s or 1.5s. */
  lr?: string | undefined;
} | undefined;
  /** Log level. */
  log_level?: "fatal" | "error" | "warn" | "info" | "debug" | undefined;
  /** Names of disabled collectors. (at most 100) */
  disable_collectors?: readonly string[] | undefined;
  /** Listens on all interfaces instead of the loopback interface. */
  expose_exporter?: boolean | undefined;
  /** User name in the database. The password is configured on the host of the agent. (at most 256 characters) */
  username?: string | undefined;
  /** Uses TLS to connect to the database. */
  tls?: boolean | undefined;
  /** Does not verify the certificate of the database. */
  tls_skip_verify?: boolean | undefined;
  /** Timeout of connections to the database. */
  connection_timeout?: string | undefined;
  /** Further parameters of the MySQL connection. */
  extra_dsn_params?: {
  /** Allows the password to be sent as clear text. (at most 256 characters) */
  allowCleartextPasswords?: string | undefined;
} | undefined;
  /** Maximum length of queries; 0 is the default, -1 no limit. (-2147483648..2147483647) */
  max_query_length?: number | undefined;
  /** Does not store examples of queries. */
  disable_query_examples?: boolean | undefined;
  /** Ignores comments in queries. */
  disable_comments_parsing?: boolean | undefined;
  /** Authentication mechanism of MongoDB. (at most 256 characters) */
  authentication_mechanism?: string | undefined;
  /** Authentication database of MongoDB. (at most 256 characters) */
  authentication_database?: string | undefined;
  /** Options of real-time analytics; the interval must be at least 1s. */
  rta_options?: {
  /** Seconds with a unit, such as 5s or 1.5s. */
  collect_interval?: string | undefined;
} | undefined;
}

/** Metrics of Azure databases. */
export interface DesiredAzureDatabaseExporter extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level'> {
  /** Type of the agent. */
  agent_type: "azure_database_exporter";
  /** Azure subscription. (at most 256 characters) */
  azure_subscription_id?: string | undefined;
  /** Azure resource group. (at most 256 characters) */
  azure_resource_group?: string | undefined;
  /** Type of Azure database. */
  azure_database_resource_type: "mysql" | "maria" | "postgres";
}

/** A program outside the inventory that exposes metrics. */
export interface DesiredExternalExporter extends DesiredAgentFields, Pick<DesiredAgentOptions, 'push_metrics' | 'metrics_resolutions' | 'username' | 'tls_skip_verify'> {
  /** Type of the agent. */
  agent_type: "external_exporter";
  /** Name of the node that it runs on. The pmm_agent of the node starts agents of the types that require one. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  runs_on_node_name?: string | undefined;
  /** Port of its metrics. (1..65535) */
  listen_port: number;
  /** Scheme of the metrics. */
  scheme?: "http" | "https" | undefined;
  /** Path of the metrics. Begins with one slash. (at most 1024 characters) */
  metrics_path?: string | undefined;
}

/** Any other service that exposes metrics. */
export interface DesiredExternalService extends DesiredServiceFields {
  /** Type of the service. */
  service_type: "external";
  /** Group of external services. (at most 128 characters) */
  group?: string | undefined;
}

/** HAProxy. */
export interface DesiredHaproxyService extends DesiredServiceFields {
  /** Type of the service. */
  service_type: "haproxy";
}

/** Metrics of MongoDB. */
export interface DesiredMongodbExporter extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout' | 'authentication_mechanism' | 'authentication_database'> {
  /** Type of the agent. */
  agent_type: "mongodb_exporter";
  /** Databases and collections with statistics. (at most 100) */
  stats_collections?: readonly string[] | undefined;
  /** Maximum number of collections for statistics. (-2147483648..2147483647) */
  collections_limit?: number | undefined;
  /** Enables all collectors. */
  enable_all_collectors?: boolean | undefined;
  /** Names of environment variables passed to the exporter. (at most 100) */
  environment_variable_names?: readonly string[] | undefined;
}

/** MongoDB. */
export interface DesiredMongodbService extends DesiredServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "mongodb";
}

/** MySQL, MariaDB or Percona Server. */
export interface DesiredMysqlService extends DesiredServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "mysql";
}

/** Metrics of MySQL. */
export interface DesiredMysqldExporter extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout' | 'extra_dsn_params'> {
  /** Type of the agent. */
  agent_type: "mysqld_exporter";
  /** Maximum number of tables for table statistics; 0 is no limit, a negative number disables them. (-2147483648..2147483647) */
  tablestats_group_table_limit?: number | undefined;
}

/** Metrics of a machine. */
export interface DesiredNodeExporter extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter'> {
  /** Type of the agent. */
  agent_type: "node_exporter";
}

/** Runs jobs on its node. */
export interface DesiredNomadAgent extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'listen_port'> {
  /** Type of the agent. */
  agent_type: "nomad_agent";
}

/** An OpenTelemetry collector, which reports by OpAMP. */
export interface DesiredOtelCollector extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name'> {
  /** Type of the agent. */
  agent_type: "otel_collector";
  /** Name of the collector (`service.name`). Distinguishes the collectors of a node. (at most 256 characters) */
  collector_name: string;
}

/** The agent process of a node; starts and stops the agents under it. */
export interface DesiredPmmAgent extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name'> {
  /** Type of the agent. */
  agent_type: "pmm_agent";
}

/** Metrics of PostgreSQL. */
export interface DesiredPostgresExporter extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout'> {
  /** Type of the agent. */
  agent_type: "postgres_exporter";
  /** Maximum number of discovered databases; -1 disables discovery. (-2147483648..2147483647) */
  auto_discovery_limit?: number | undefined;
  /** Maximum number of connections to the database; 0 is the default of the exporter. (0..2147483647) */
  max_exporter_connections?: number | undefined;
}

/** PostgreSQL. */
export interface DesiredPostgresqlService extends DesiredServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "postgresql";
  /** Database to connect to first. (at most 256 characters) */
  database_name?: string | undefined;
  /** Maximum number of databases to discover; -1 disables discovery, 0 is the default of the agent. (-1..2147483647) */
  auto_discovery_limit?: number | undefined;
}

/** Metrics of ProxySQL. */
export interface DesiredProxysqlExporter extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout'> {
  /** Type of the agent. */
  agent_type: "proxysql_exporter";
}

/** ProxySQL. */
export interface DesiredProxysqlService extends DesiredServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "proxysql";
}

/** Query analytics of MongoDB from its log. */
export interface DesiredQanMongodbMongologAgent extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'authentication_mechanism' | 'authentication_database'> {
  /** Type of the agent. */
  agent_type: "qan_mongodb_mongolog_agent";
}

/** Query analytics of MongoDB from the profiler. */
export interface DesiredQanMongodbProfilerAgent extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'authentication_mechanism' | 'authentication_database'> {
  /** Type of the agent. */
  agent_type: "qan_mongodb_profiler_agent";
}

/** Query analytics of MySQL from the performance schema. */
export interface DesiredQanMysqlPerfschemaAgent extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_query_examples' | 'disable_comments_parsing' | 'extra_dsn_params'> {
  /** Type of the agent. */
  agent_type: "qan_mysql_perfschema_agent";
}

/** Query analytics of MySQL from the slow log. */
export interface DesiredQanMysqlSlowlogAgent extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_query_examples' | 'disable_comments_parsing' | 'extra_dsn_params'> {
  /** Type of the agent. */
  agent_type: "qan_mysql_slowlog_agent";
  /** Size in bytes at which the slow log is rotated; 0 is never. (0..) */
  max_slowlog_file_size?: number | undefined;
}

/** Query analytics of PostgreSQL from pg_stat_statements. */
export interface DesiredQanPostgresqlPgstatementsAgent extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_comments_parsing'> {
  /** Type of the agent. */
  agent_type: "qan_postgresql_pgstatements_agent";
}

/** Query analytics of PostgreSQL from pg_stat_monitor. */
export interface DesiredQanPostgresqlPgstatmonitorAgent extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_query_examples' | 'disable_comments_parsing'> {
  /** Type of the agent. */
  agent_type: "qan_postgresql_pgstatmonitor_agent";
}

/** Metrics of Amazon RDS instances. */
export interface DesiredRdsExporter extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level'> {
  /** Type of the agent. */
  agent_type: "rds_exporter";
  /** Role that the exporter assumes. Not a secret. (at most 256 characters) */
  aws_role_arn?: string | undefined;
  /** Disables basic metrics. */
  disable_basic_metrics?: boolean | undefined;
  /** Disables enhanced metrics. */
  disable_enhanced_metrics?: boolean | undefined;
}

/** Real-time analytics of MongoDB. */
export interface DesiredRtaMongodbAgent extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'rta_options'> {
  /** Type of the agent. */
  agent_type: "rta_mongodb_agent";
}

/** Real-time analytics of MySQL. */
export interface DesiredRtaMysqlAgent extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'rta_options'> {
  /** Type of the agent. */
  agent_type: "rta_mysql_agent";
}

/** A desired service, of one of the types; refers to nodes by name. */
export type DesiredService = DesiredMysqlService | DesiredMongodbService | DesiredPostgresqlService | DesiredProxysqlService | DesiredHaproxyService | DesiredValkeyService | DesiredExternalService;

/** What every DesiredService has. */
export interface DesiredServiceFields {
  /** Unique among all services. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  service_name: string;
  custom_labels?: Labels | undefined;
  /** Names of the nodes it runs on: none, one, or several for a cluster. (at most 20) */
  node_names?: readonly string[] | undefined;
  /** Environment, for example prod. (at most 128 characters) */
  environment?: string | undefined;
  /** Name of its cluster. (at most 128 characters) */
  cluster?: string | undefined;
  /** Name of its replication set. (at most 128 characters) */
  replication_set?: string | undefined;
}

/** Metrics of Valkey. */
export interface DesiredValkeyExporter extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout'> {
  /** Type of the agent. */
  agent_type: "valkey_exporter";
}

/** Valkey or Redis. */
export interface DesiredValkeyService extends DesiredServiceFields, AddServiceOptions {
  /** Type of the service. */
  service_type: "valkey";
}

/** Scrapes the exporters of its node and forwards the metrics. */
export interface DesiredVmAgent extends DesiredAgentFields, Pick<DesiredAgentOptions, 'runs_on_node_name' | 'listen_port'> {
  /** Type of the agent. */
  agent_type: "vm_agent";
}

/** A program that asks for a session of the person. */
export interface Device {
  /** The program and the host that ask, in their own words. */
  client_name: string;
  /** The address from which it asks, as the gateway saw it. */
  source_ip: string;
  /** When it asked. */
  requested_at: string;
  /** When its codes expire. */
  expires_at: string;
  /** Whether a person has answered. */
  state: "pending" | "approved" | "denied" | (string & {});
}

/** The codes of a device, with the names of RFC 8628. They are shown only once. */
export interface DeviceCodes {
  /** Proves to `POST /v1/logins` that it is the same program. It works once. */
  device_code: string;
  /** The code that the person types in the console. */
  user_code: string;
  /** The page of the console for the code, relative to the address of the service. */
  verification_uri: string;
  /** The same with the code. */
  verification_uri_complete: string;
  /** Seconds until both codes expire. */
  expires_in: number;
  /** Least number of seconds between two polls. */
  interval: number;
}

/** A field to change. */
export interface Difference {
  /** Name of the field; for a label, `custom_labels.` and its name. */
  field: string;
  /** Current value; absent if not set. */
  from?: unknown;
  /** Desired value; absent if the field is to be cleared. */
  to?: unknown;
}

/** The node to enrol. */
export interface EnrolNode {
  /** The enrolment token. It works once. (at most 256 characters) */
  token: string;
  node: AddNode;
}

/** The node and its key. */
export interface EnrolledNode {
  node: Node;
  api_key: NewApiKey;
}

/** An enrolment token, without its secret. */
export interface EnrolmentToken {
  /** Id of the enrolment token (UUID). */
  token_id: string;
  /** Purpose. */
  name: string;
  /** The first characters of the token. */
  prefix: string;
  /** When it was added. */
  created_at: string;
  /** Who added it. */
  created_by: {
  /** `user`, `session`, `api_key`, `enrolment_token`; `system`: the service itself. */
  kind: string;
  /** Id of the key, session or token, or the user name. */
  id: string;
  /** Name of the user, key or token. */
  name: string;
};
  /** When it expires. */
  expires_at: string;
  /** The only node that it can enrol; absent for any new node. */
  node_name?: string;
  /** Addresses that the host may set for its node and services, besides its source address: IP addresses, networks such as 10.0.0.0/8, host names, *.example.com for all names in a domain, * for every name. Names are not resolved. */
  allowed_addresses?: string[];
  /** Time to live of the new key, from enrolment; absent if unlimited. */
  key_time_to_live?: string;
  /** Requests per clock minute. Further requests get 429. */
  key_rate_limit_per_minute?: number;
  /** Value of the owner label of the node and of everything below it. */
  owner?: string;
}

/** Error of a request. */
export interface ErrorBody {
  /** Numeric code of the status, as in gRPC. */
  code: number;
  /** Canonical name of the status, as in gRPC. */
  status: "INVALID_ARGUMENT" | "FAILED_PRECONDITION" | "NOT_FOUND" | "OUT_OF_RANGE" | "UNIMPLEMENTED" | "ALREADY_EXISTS" | "PERMISSION_DENIED" | "RESOURCE_EXHAUSTED" | "UNAUTHENTICATED" | "INTERNAL" | "UNAVAILABLE" | (string & {});
  /** Same as message, for older clients. */
  error: string;
  /** The error as text. */
  message: string;
  /** All fields that violate a rule; empty for other errors. */
  details: Violation[];
  /** Id of the request in the logs. */
  request_id: string;
}

/** A line of an export: an object, or the end of a page. */
export type ExportLine = LineNode | LineService | LineAgent | LineEnd | OtherExportLine;

/** What every ExportLine has. */
export interface ExportLineFields {
}

/** A program outside the inventory that exposes metrics. */
export interface ExternalExporter extends AgentFields, Pick<AgentOptions, 'push_metrics' | 'metrics_resolutions' | 'username' | 'tls_skip_verify'> {
  /** Type of the agent. */
  agent_type: "external_exporter";
  /** The node that it runs on. */
  runs_on_node_id?: string;
  /** The status that the agent process last reported. */
  status: "unknown" | "starting" | "running" | "waiting" | "stopping" | "done" | "not_supported" | (string & {});
  /** Version that the agent process reported. */
  version?: string;
  /** Port of its metrics. */
  listen_port: number;
  /** Scheme of the metrics. */
  scheme: "http" | "https" | (string & {});
  /** Path of the metrics. Begins with one slash. */
  metrics_path: string;
}

/** Any other service that exposes metrics. */
export interface ExternalService extends ServiceFields {
  /** Type of the service. */
  service_type: "external";
  /** Group of external services. */
  group: string;
}

/** The parameters in the address of the list in the console, by name: its filters, `sort` and `group_by`. The service does not interpret them. */
export type FilterParameters = Record<string, string>;

/** Bare metal or a virtual machine. */
export interface GenericNode extends NodeFields, NodeOptions {
  /** Type of the node. */
  node_type: "generic";
  /** Operating system distribution and version. */
  distro?: string;
}

/** The role that an identity would get, and why. */
export interface Grant {
  /** The role that the identity gets; absent: no access. */
  role?: "Registrar" | "Viewer" | "Editor" | "Admin" | (string & {});
  /** The owners to which the writes are limited; absent without a limit. */
  owners?: string[];
  /** The role bindings of the provider, sorted by id. */
  bindings: ({
  /** Id of the role binding. */
  binding_id: string;
  /** Role of the identity. With Registrar, a log-in returns an enrolment token for one host instead of a key. */
  role: "Registrar" | "Viewer" | "Editor" | "Admin" | (string & {});
  /** Whether the identity has all of its claims. */
  matched: boolean;
  /** Claims that the identity lacks, or has with another value. */
  missing_claims: string[];
})[];
}

/** The objects with one value. */
export interface Group {
  /** The value; absent: the objects without one. */
  value?: string;
  /** Number of objects. */
  count: number;
  /** The worst state of the objects. */
  state: "live" | "stale" | "offline" | "never_seen" | (string & {});
  /** Number in each state. */
  by_state: Record<string, number>;
}

/** HAProxy. */
export interface HaproxyService extends ServiceFields {
  /** Type of the service. */
  service_type: "haproxy";
}

/** Report of the agent process of one host. */
export interface HostReport extends AgentReport {
  /** Id of the agent process (pmm_agent) of the host. (at most 36 characters) */
  pmm_agent_id: string;
}

/** Result of the report of a host. */
export interface HostReportResult {
  /** HTTP status, as of a single report. */
  status: number;
  /** Id of the agent process (pmm_agent) of the host. */
  pmm_agent_id?: string;
  report?: TakenReport;
  error?: ErrorBody;
}

/** Results of the reports of many hosts. */
export interface HostReportResults {
  /** Result of each report, in the order of the request. */
  results: HostReportResult[];
}

/** Reports of many hosts. */
export interface HostReports {
  /** A report for each host. (at most 500) */
  reports: readonly HostReport[];
}

/** An agent to import, of one of the types. */
export type ImportAgent = ImportPmmAgent | ImportVmAgent | ImportNomadAgent | ImportNodeExporter | ImportMysqldExporter | ImportMongodbExporter | ImportPostgresExporter | ImportProxysqlExporter | ImportValkeyExporter | ImportRdsExporter | ImportAzureDatabaseExporter | ImportQanMysqlPerfschemaAgent | ImportQanMysqlSlowlogAgent | ImportQanMongodbProfilerAgent | ImportQanMongodbMongologAgent | ImportQanPostgresqlPgstatementsAgent | ImportQanPostgresqlPgstatmonitorAgent | ImportRtaMongodbAgent | ImportRtaMysqlAgent | ImportOtelCollector | ImportExternalExporter;

/** What every ImportAgent has. */
export interface ImportAgentFields extends AddAgentFields {
  /** Id of the agent: a UUID in lower case. */
  agent_id: string;
  /** When it was added (RFC 3339, UTC). */
  created_at?: string | undefined;
  /** When it was last changed (RFC 3339, UTC). */
  updated_at?: string | undefined;
  /** Revision. (1..999999999999999) */
  revision?: number | undefined;
  /** Computed from the last report of the agent process of its node; of several nodes, the best. Only in replies of get, and of list with `include=state`; not part of the revision. */
  state?: "live" | "stale" | "offline" | "never_seen" | undefined;
  /** Last report of the agent process of its node; of several nodes, the latest. Absent before the first report. Only in replies of get, and of list with `include=state`. */
  reported_at?: string | undefined;
  /** A forced removal has begun, and the service finishes it. New references are refused. */
  removing?: true | undefined;
  /** Version that the agent process reported. (at most 256 characters) */
  version?: string | undefined;
}

/** What several variants have. */
export interface ImportAgentOptions {
  /** The pmm_agent that starts and stops it. (at most 36 characters) */
  pmm_agent_id: string;
  /** The status that the agent process last reported. */
  status?: "unknown" | "starting" | "running" | "waiting" | "stopping" | "done" | undefined;
  /** Since when the agent process reports this status, or since when it is offline. Absent if no report says. */
  status_since?: string | undefined;
  /** Reason of the status, as the agent process reported it. (at most 256 characters) */
  status_reason?: string | undefined;
  /** The node that it runs on. (at most 36 characters) */
  runs_on_node_id?: string | undefined;
  /** Port of its metrics. (1..65535) */
  listen_port?: number | undefined;
  /** The agent pushes its metrics instead of being scraped. */
  push_metrics?: boolean | undefined;
  /** Intervals of metrics of high, medium and low resolution, for example 5s, 10s, 60s. */
  metrics_resolutions?: {
  /** Seconds with a unit, such as 5s or 1.5s. */
  hr?: string | undefined;
  /** Seconds with a unit, such as 5s or 1.5s. */
  mr?: string | undefined;
  /** Seconds with a unit, such as 5s or 1.5s. */
  lr?: string | undefined;
} | undefined;
  /** Log level. */
  log_level?: "fatal" | "error" | "warn" | "info" | "debug" | undefined;
  /** Names of disabled collectors. (at most 100) */
  disable_collectors?: readonly string[] | undefined;
  /** Listens on all interfaces instead of the loopback interface. */
  expose_exporter?: boolean | undefined;
  /** User name in the database. The password is configured on the host of the agent. (at most 256 characters) */
  username?: string | undefined;
  /** Uses TLS to connect to the database. */
  tls?: boolean | undefined;
  /** Does not verify the certificate of the database. */
  tls_skip_verify?: boolean | undefined;
  /** Timeout of connections to the database. */
  connection_timeout?: string | undefined;
  /** Further parameters of the MySQL connection. */
  extra_dsn_params?: {
  /** Allows the password to be sent as clear text. (at most 256 characters) */
  allowCleartextPasswords?: string | undefined;
} | undefined;
  /** Maximum length of queries; 0 is the default, -1 no limit. (-2147483648..2147483647) */
  max_query_length?: number | undefined;
  /** Does not store examples of queries. */
  disable_query_examples?: boolean | undefined;
  /** Ignores comments in queries. */
  disable_comments_parsing?: boolean | undefined;
  /** Authentication mechanism of MongoDB. (at most 256 characters) */
  authentication_mechanism?: string | undefined;
  /** Authentication database of MongoDB. (at most 256 characters) */
  authentication_database?: string | undefined;
  /** Options of real-time analytics; the interval must be at least 1s. */
  rta_options?: {
  /** Seconds with a unit, such as 5s or 1.5s. */
  collect_interval?: string | undefined;
} | undefined;
  /** True if the agent process reports in time. */
  connected?: boolean | undefined;
}

/** Metrics of Azure databases. */
export interface ImportAzureDatabaseExporter extends AddAzureDatabaseExporter, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** A container. */
export interface ImportContainerNode extends ImportNodeFields, AddContainerNode {
}

/** A program outside the inventory that exposes metrics. */
export interface ImportExternalExporter extends AddExternalExporter, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason'> {
}

/** Any other service that exposes metrics. */
export interface ImportExternalService extends ImportServiceFields {
  /** Type of the service. */
  service_type: "external";
  /** Group of external services. (at most 128 characters) */
  group?: string | undefined;
}

/** Bare metal or a virtual machine. */
export interface ImportGenericNode extends ImportNodeFields, AddGenericNode {
}

/** HAProxy. */
export interface ImportHaproxyService extends ImportServiceFields {
  /** Type of the service. */
  service_type: "haproxy";
}

/** A line of an import: an object, or the end of an export page, which is ignored. */
export type ImportLine = ImportLineNode | ImportLineService | ImportLineAgent | LineEndInput;

/** A line with a agent. */
export interface ImportLineAgent {
  /** Kind of the object. */
  kind: "agent";
  object: ImportAgent;
}

/** What every ImportLine has. */
export interface ImportLineFields {
}

/** A line with a node. */
export interface ImportLineNode {
  /** Kind of the object. */
  kind: "node";
  object: ImportNode;
}

/** A line with a service. */
export interface ImportLineService {
  /** Kind of the object. */
  kind: "service";
  object: ImportService;
}

/** An object that does not exist. */
export interface ImportMissing {
  /** The required value. */
  kind: "node" | "service" | "agent" | (string & {});
  /** Its id. */
  id: string;
}

/** Metrics of MongoDB. */
export interface ImportMongodbExporter extends AddMongodbExporter, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** MongoDB. */
export interface ImportMongodbService extends ImportServiceFields, AddMongodbService {
}

/** MySQL, MariaDB or Percona Server. */
export interface ImportMysqlService extends ImportServiceFields, AddMysqlService {
}

/** Metrics of MySQL. */
export interface ImportMysqldExporter extends AddMysqldExporter, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** A node to import, of one of the types. */
export type ImportNode = ImportGenericNode | ImportContainerNode | ImportRemoteNode | ImportRemoteRdsNode | ImportRemoteAzureDatabaseNode;

/** Metrics of a machine. */
export interface ImportNodeExporter extends AddNodeExporter, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** What every ImportNode has. */
export interface ImportNodeFields extends AddNodeFields {
  /** Id of the node: a UUID in lower case. */
  node_id: string;
  /** When it was added (RFC 3339, UTC). */
  created_at?: string | undefined;
  /** When it was last changed (RFC 3339, UTC). */
  updated_at?: string | undefined;
  /** Revision. (1..999999999999999) */
  revision?: number | undefined;
  /** Computed from the last report of the agent process of its node; of several nodes, the best. Only in replies of get, and of list with `include=state`; not part of the revision. */
  state?: "live" | "stale" | "offline" | "never_seen" | undefined;
  /** Last report of the agent process of its node; of several nodes, the latest. Absent before the first report. Only in replies of get, and of list with `include=state`. */
  reported_at?: string | undefined;
  /** A forced removal has begun, and the service finishes it. New references are refused. */
  removing?: true | undefined;
}

/** What several variants have. */
export interface ImportNodeOptions {
  /** Identifier of the operating system installation. Not unique. (at most 256 characters) */
  machine_id?: string | undefined;
  /** Region of the cloud provider. The address is unique in a region. (at most 128 characters) */
  region?: string | undefined;
  /** Name of the instance at the cloud provider. (at most 256 characters) */
  instance_id?: string | undefined;
}

/** Runs jobs on its node. */
export interface ImportNomadAgent extends ImportAgentFields, AddNomadAgent, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** An OpenTelemetry collector, which reports by OpAMP. */
export interface ImportOtelCollector extends ImportAgentFields, AddOtelCollector, Pick<ImportAgentOptions, 'connected' | 'status' | 'status_since' | 'status_reason'> {
}

/** The agent process of a node; starts and stops the agents under it. */
export interface ImportPmmAgent extends ImportAgentFields, Pick<ImportAgentOptions, 'connected'> {
  /** Type of the agent. */
  agent_type: "pmm_agent";
  /** The node that it runs on. (at most 36 characters) */
  runs_on_node_id: string;
}

/** Metrics of PostgreSQL. */
export interface ImportPostgresExporter extends AddPostgresExporter, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** PostgreSQL. */
export interface ImportPostgresqlService extends AddPostgresqlService, ImportServiceFields {
}

/** Metrics of ProxySQL. */
export interface ImportProxysqlExporter extends AddProxysqlExporter, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** ProxySQL. */
export interface ImportProxysqlService extends ImportServiceFields, AddProxysqlService {
}

/** Query analytics of MongoDB from its log. */
export interface ImportQanMongodbMongologAgent extends AddQanMongodbMongologAgent, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** Query analytics of MongoDB from the profiler. */
export interface ImportQanMongodbProfilerAgent extends AddQanMongodbProfilerAgent, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** Query analytics of MySQL from the performance schema. */
export interface ImportQanMysqlPerfschemaAgent extends AddQanMysqlPerfschemaAgent, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** Query analytics of MySQL from the slow log. */
export interface ImportQanMysqlSlowlogAgent extends AddQanMysqlSlowlogAgent, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** Query analytics of PostgreSQL from pg_stat_statements. */
export interface ImportQanPostgresqlPgstatementsAgent extends AddQanPostgresqlPgstatementsAgent, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** Query analytics of PostgreSQL from pg_stat_monitor. */
export interface ImportQanPostgresqlPgstatmonitorAgent extends AddQanPostgresqlPgstatmonitorAgent, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** Metrics of Amazon RDS instances. */
export interface ImportRdsExporter extends AddRdsExporter, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** A managed database instance of Azure. */
export interface ImportRemoteAzureDatabaseNode extends ImportNodeFields {
  /** Type of the node. */
  node_type: "remote_azure_database";
  /** Region of the cloud provider. The address is unique in a region. (at most 128 characters) */
  region: string;
}

/** A machine without agents of its own. */
export interface ImportRemoteNode extends ImportNodeFields, Pick<ImportNodeOptions, 'region'> {
  /** Type of the node. */
  node_type: "remote";
}

/** A managed database instance of Amazon RDS; its address is the instance identifier. */
export interface ImportRemoteRdsNode extends ImportNodeFields, AddRemoteRdsNode {
}

/** Result of a line of an import. */
export interface ImportResult {
  /** Kind of the object. */
  kind: "node" | "service" | "agent" | (string & {});
  /** Id of the object. */
  id: string;
  /** added: it did not exist. changed: it differed. unchanged: it is identical. refused: see error. not_done: no time was left, or the table did not answer; send the line again. */
  outcome: "added" | "changed" | "unchanged" | "refused" | "not_done" | (string & {});
  error?: ErrorBody;
  /** In a dry run, all objects that a refused line requires. Import them first. */
  missing?: ImportMissing[];
}

/** Result of an import. */
export interface ImportResults {
  /** True if nothing was written. */
  dry_run: boolean;
  /** Number of lines with the outcome added. */
  added: number;
  /** Number of lines with the outcome changed. */
  changed: number;
  /** Number of lines with the outcome unchanged. */
  unchanged: number;
  /** Number of lines with the outcome refused. */
  refused: number;
  /** Number of lines with the outcome not_done. */
  not_done: number;
  /** Result of each object, in the order of the lines. */
  results: ImportResult[];
}

/** Real-time analytics of MongoDB. */
export interface ImportRtaMongodbAgent extends ImportAgentFields, AddRtaMongodbAgent, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** Real-time analytics of MySQL. */
export interface ImportRtaMysqlAgent extends ImportAgentFields, AddRtaMysqlAgent, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** A service to import, of one of the types. */
export type ImportService = ImportMysqlService | ImportMongodbService | ImportPostgresqlService | ImportProxysqlService | ImportHaproxyService | ImportValkeyService | ImportExternalService;

/** What every ImportService has. */
export interface ImportServiceFields extends AddServiceFields {
  /** Id of the service: a UUID in lower case. */
  service_id: string;
  /** When it was added (RFC 3339, UTC). */
  created_at?: string | undefined;
  /** When it was last changed (RFC 3339, UTC). */
  updated_at?: string | undefined;
  /** Revision. (1..999999999999999) */
  revision?: number | undefined;
  /** Computed from the last report of the agent process of its node; of several nodes, the best. Only in replies of get, and of list with `include=state`; not part of the revision. */
  state?: "live" | "stale" | "offline" | "never_seen" | undefined;
  /** Last report of the agent process of its node; of several nodes, the latest. Absent before the first report. Only in replies of get, and of list with `include=state`. */
  reported_at?: string | undefined;
  /** A forced removal has begun, and the service finishes it. New references are refused. */
  removing?: true | undefined;
}

/** Metrics of Valkey. */
export interface ImportValkeyExporter extends AddValkeyExporter, ImportAgentFields, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** Valkey or Redis. */
export interface ImportValkeyService extends ImportServiceFields, AddValkeyService {
}

/** Scrapes the exporters of its node and forwards the metrics. */
export interface ImportVmAgent extends ImportAgentFields, AddVmAgent, Pick<ImportAgentOptions, 'status' | 'status_since' | 'status_reason' | 'runs_on_node_id'> {
}

/** Targets of an agent. */
export interface Insights {
  /** Nodes that it gives insight into. */
  node_ids: string[];
  /** Services that it gives insight into. */
  service_ids: string[];
}

/** Targets of an agent, by name. */
export interface InsightsByName {
  /** Names of the nodes that it gives insight into. */
  node_names: string[];
  /** Names of the services that it gives insight into. */
  service_names: string[];
}

/** Targets of an agent. */
export interface InsightsInput {
  /** Nodes that it gives insight into. (at most 20) */
  node_ids?: readonly string[] | undefined;
  /** Services that it gives insight into. (at most 20) */
  service_ids?: readonly string[] | undefined;
}

/** Options of an invitation. */
export interface Invitation {
  /** Time to live of the invitation, three days by default: a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days; none: s), from 1s to 7d. (at most 32 characters) */
  invitation_time_to_live?: string | undefined;
}

/** A user with a new invitation. */
export interface InvitedUser extends User {
  /** The invitation. It is shown only once and works once. */
  invitation: string;
}

/** A job of the service, as of its last part. */
export interface Job {
  /** cleanup: the scheduled cleanup. state_events: the pass over the states. count: the count of this summary. reopening: the search for removals that an older release did not finish. indexing: its index entries. */
  job: "cleanup" | "state_events" | "count" | "reopening" | "indexing" | "forced_removal" | "reconciliation" | (string & {});
  /** The object of a forced removal, or the plan of a reconciliation. */
  id?: string;
  /** running: a process works on it. waiting: the service continues it. stopped: an operator should look at it. done: it ended. */
  state: "running" | "waiting" | "done" | "stopped" | (string & {});
  /** When it began. */
  begun_at: string;
  /** When its last part ended. */
  updated_at?: string;
  /** Number of steps. */
  total?: number;
  /** Number of steps that are done. */
  done?: number;
  /** Why it stopped. */
  reason?: string;
}

/** A due node that was not removed. */
export interface KeptNode {
  /** Id of the node. */
  node_id: string;
  /** Its name. */
  node_name: string;
  /** Time of the last report; absent if none. */
  last_seen?: string;
  /** When it became due. */
  due_since: string;
  /** dry_run: it was a dry run. threshold_exceeded: too many removals. reported: it reported in the meantime. gone: another request removed it. too_large: the removal exceeds one transaction; remove it with force. no_time: no time was left, or the table did not answer; the next run continues. */
  reason: "dry_run" | "threshold_exceeded" | "reported" | "gone" | "too_large" | "no_time" | (string & {});
}

/** Labels to set, by name; null removes a label, other labels stay. */
export type LabelChanges = Record<string, string | null>;

/** Custom labels, by name. */
export type Labels = Record<string, string>;

/** A line with a agent. */
export interface LineAgent {
  /** Kind of the object. */
  kind: "agent";
  object: Agent;
}

/** The last line of a page. */
export interface LineEnd {
  /** Kind of the object. */
  kind: "end";
  /** True after the last page: the export is complete. */
  complete: boolean;
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/** The last line of a page. */
export interface LineEndInput {
  /** Kind of the object. */
  kind: "end";
  /** True after the last page: the export is complete. */
  complete: boolean;
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string | undefined;
}

/** A line with a node. */
export interface LineNode {
  /** Kind of the object. */
  kind: "node";
  object: Node;
}

/** A line with a service. */
export interface LineService {
  /** Kind of the object. */
  kind: "service";
  object: Service;
}

/** A proof of identity, to exchange for a session. */
export type LogIn = LogInByPassword | LogInByInvitation | LogInByJwt | LogInByProvider | RenewSession | LogInByDevice;

/** A poll (RFC 8628). Until the answer of the person, 400 with the reason `authorization_pending` in `details`; others are `slow_down`, `access_denied` and `expired_token`. */
export interface LogInByDevice {
  /** By a device that a person approves in the console. */
  method: "device";
  /** The `device_code` of `POST /v1/device-authorizations`. It opens one session. (at most 256 characters) */
  device_code: string;
}

/** An invitation, and the password to set. */
export interface LogInByInvitation extends Pick<LogInOptions, 'user_name'> {
  /** By an invitation, which sets the password. */
  method: "invitation";
  /** The invitation. It works once. (at most 256 characters) */
  invitation: string;
  /** The new password. (at most 512 characters) */
  new_password: string;
}

/** A token of a program, to exchange for a key that ends after some minutes. */
export interface LogInByJwt extends Pick<LogInOptions, 'provider'> {
  /** By a token that a provider has signed for a program. */
  method: "jwt";
  /** The token: a signed JWT (RFC 7519) for the audience in the settings. (at most 16384 characters) */
  token: string;
}

/** A password, and optionally its successor. */
export interface LogInByPassword extends Pick<LogInOptions, 'user_name'> {
  /** By the password of a user of this service. */
  method: "password";
  /** The password. (at most 512 characters) */
  password: string;
  /** The new password. (at most 512 characters) */
  new_password?: string | undefined;
}

/** An authorization code. The service redeems it, so that no token of the provider reaches the browser. */
export interface LogInByProvider extends Pick<LogInOptions, 'provider'> {
  /** By an identity provider: OpenID Connect with PKCE. */
  method: "oidc";
  /** The authorization code of the redirect. It works once. (at most 2048 characters) */
  code: string;
  /** The verifier (RFC 7636) whose S256 challenge was in the authorization request. */
  code_verifier: string;
  /** The nonce of the authorization request. The ID token must contain it. */
  nonce: string;
  /** The redirect address of the authorization request: one of those in the settings. (at most 512 characters) */
  redirect_uri: string;
  /** The parameter `iss` of the redirect (RFC 9207), if the provider sent it. (at most 512 characters) */
  iss?: string | undefined;
}

/** What every LogIn has. */
export interface LogInFields {
}

/** A way to log in. */
export type LogInMethod = LogInMethodPassword | LogInMethodProvider | OtherLogInMethod;

/** What every LogInMethod has. */
export interface LogInMethodFields {
  /** The text of the choice. */
  title: string;
}

/** The log-in by a password. */
export interface LogInMethodPassword {
  /** The method of `POST /v1/logins`. */
  method: "password";
  /** The text of the choice. */
  title: string;
  /** The setting `adminAccount`: with `disabled`, `admin` cannot log in. */
  admin_account: "enabled" | "emergency" | "disabled" | (string & {});
}

/** The log-in with an identity provider: the public parameters of an authorization request with PKCE. */
export interface LogInMethodProvider {
  /** The method of `POST /v1/logins`. */
  method: "oidc";
  /** The text of the choice. */
  title: string;
  /** Name of the identity provider. */
  provider: string;
  /** Where the log-in begins; absent while the provider cannot be used. */
  authorization_endpoint?: string;
  /** Where a log-out at the provider begins; absent without one. */
  end_session_endpoint?: string;
  /** Id of the client at the provider. */
  client_id: string;
  /** The scopes to ask for, separated by spaces. */
  scope: string;
  /** The addresses to which the provider may return. */
  redirect_uris: string[];
}

/** What several variants have. */
export interface LogInOptions {
  /** The name of the user. (at most 64 characters) */
  user_name: string;
  /** Name of the identity provider, as in the settings. (at most 32 characters) */
  provider: string;
}

/** A new session, with its key. */
export interface LoggedIn {
  /** Id of the session; of a program, id of its key (UUID). */
  session_id: string;
  /** Id of the user; of a program, provider and subject. */
  user_id: string;
  /** Name of the user or program, as the audit shows it. */
  name: string;
  /** Role of the session: the role of the user, or of the role binding. */
  role: "Registrar" | "Viewer" | "Editor" | "Admin" | (string & {});
  /** The owners to which the writes are limited; absent without a limit. */
  owners?: string[];
  /** When it expires. */
  expires_at: string;
  /** Until when the method `session` renews the session, each time before `expires_at`; absent if it does not. */
  renewable_until?: string;
  /** The session key, used like an API key. With the role Registrar, an enrolment token for `POST /v1/enrolment`. It is shown only once. */
  key: string;
}

/** Metrics of MongoDB. */
export interface MongodbExporter extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout' | 'authentication_mechanism' | 'authentication_database'> {
  /** Type of the agent. */
  agent_type: "mongodb_exporter";
  /** Databases and collections with statistics. */
  stats_collections: string[];
  /** Maximum number of collections for statistics. */
  collections_limit: number;
  /** Enables all collectors. */
  enable_all_collectors: boolean;
  /** Names of environment variables passed to the exporter. */
  environment_variable_names: string[];
}

/** MongoDB. */
export interface MongodbService extends ServiceFields, ServiceOptions {
  /** Type of the service. */
  service_type: "mongodb";
}

/** MySQL, MariaDB or Percona Server. */
export interface MysqlService extends ServiceFields, ServiceOptions {
  /** Type of the service. */
  service_type: "mysql";
}

/** Metrics of MySQL. */
export interface MysqldExporter extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout' | 'extra_dsn_params'> {
  /** Type of the agent. */
  agent_type: "mysqld_exporter";
  /** Maximum number of tables for table statistics; 0 is no limit, a negative number disables them. */
  tablestats_group_table_limit: number;
}

/** Targets of an agent, by name. */
export interface NamedInsights {
  /** Names of nodes that it gives insight into. (at most 20) */
  node_names?: readonly string[] | undefined;
  /** Names of services that it gives insight into. (at most 20) */
  service_names?: readonly string[] | undefined;
}

/** An API key that was just added or rotated, with its secret. */
export interface NewApiKey extends ApiKey {
  /** The key. It is shown only once. */
  key: string;
}

/** An enrolment token that was just added, with its secret. */
export interface NewEnrolmentToken extends EnrolmentToken {
  /** The token. It is shown only once and works once. */
  token: string;
}

/** Services and agents run on nodes. */
export type Node = GenericNode | ContainerNode | RemoteNode | RemoteRdsNode | RemoteAzureDatabaseNode | OtherNode;

/** Metrics of a machine. */
export interface NodeExporter extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter'> {
  /** Type of the agent. */
  agent_type: "node_exporter";
}

/** What every Node has. */
export interface NodeFields {
  /** Id of the node (UUID). */
  node_id: string;
  /** Unique among all nodes. At most 1000 bytes in UTF-8, without control characters. */
  node_name: string;
  /** Host name, IP address or instance identifier of the node. */
  address: string;
  custom_labels: Labels;
  /** Hardware model or instance class. */
  node_model?: string;
  /** Availability zone. */
  az?: string;
  /** ephemeral: removed after remove_after without a report. Default: permanent. */
  lifetime?: "permanent" | "ephemeral" | (string & {});
  /** Time without a report after which it is stale, such as 90s or 5m. Default: 10m. */
  stale_after?: string;
  /** Time without a report after which it is offline, such as 90s or 5m. Default: 30m. */
  offline_after?: string;
  /** Time without a report after which an ephemeral node may be removed, such as 90s or 5m. Default: 1d. */
  remove_after?: string;
  /** When it was added (RFC 3339, UTC). */
  created_at: string;
  /** When it was last changed (RFC 3339, UTC). */
  updated_at: string;
  /** 1 when added, incremented by each change. Also the ETag. */
  revision: number;
  /** Computed from the last report of the agent process of its node; of several nodes, the best. Only in replies of get, and of list with `include=state`; not part of the revision. */
  state?: "live" | "stale" | "offline" | "never_seen" | (string & {});
  /** Last report of the agent process of its node; of several nodes, the latest. Absent before the first report. Only in replies of get, and of list with `include=state`. */
  reported_at?: string;
  /** A forced removal has begun, and the service finishes it. New references are refused. */
  removing?: true;
}

/** What several variants have. */
export interface NodeOptions {
  /** Identifier of the operating system installation. Not unique. */
  machine_id?: string;
  /** Region of the cloud provider. The address is unique in a region. */
  region?: string;
  /** Name of the instance at the cloud provider. */
  instance_id?: string;
}

/** The states of a node in the last day. */
export interface NodeStates {
  /** Begin of the history: 24 hours ago, or later if the states before are not known. */
  begin: string;
  /** Time of the reply. */
  end: string;
  /** The states from the begin to the end, one after the other; empty before the first report. */
  intervals: StateInterval[];
  /** Share of this time in which the node was live. Absent before the first report. Rounded down. */
  availability?: number;
}

/** Numbers of nodes by state at 97 points of the last day. */
export interface NodeStatesOfDay {
  /** The first point. */
  begin: string;
  /** Time between two points. */
  step_seconds: number;
  /** Number of live nodes at each point. */
  live: number[];
  /** Number of stale nodes at each point. */
  stale: number[];
  /** Number of offline nodes at each point. */
  offline: number[];
}

/** Runs jobs on its node. */
export interface NomadAgent extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'listen_port'> {
  /** Type of the agent. */
  agent_type: "nomad_agent";
}

/** An object at a time in the past. */
export interface ObjectAsOf {
  /** Kind of the object. */
  kind: "node" | "service" | "agent" | (string & {});
  /** Id of the object. */
  id: string;
  /** The time of the request. */
  time: string;
  /** Whether the inventory contained the object: `present`; `not_added`, not yet; `removed`; `unknown`, if the changes since then are not kept (30 days by default), or more than 250 changes have followed. */
  presence: "present" | "not_added" | "removed" | "unknown" | (string & {});
  /** When this began: the time of the change that made the object so. Absent if it is not added or unknown. */
  from?: string;
  /** When this ended: the time of the next change; if unknown, the earliest time of which all is known. Absent if it is still so. */
  until?: string;
  /** If present, all stored fields, with the revision: without its state and reports of agents. */
  object?: Record<string, unknown>;
}

/** Counts of one kind of objects. */
export interface ObjectTally {
  /** Number of objects. */
  total: number;
  /** Number in each state. */
  by_state: Record<string, number>;
  /** Number of each type. */
  by_type: Record<string, number>;
  /** Number of silenced objects, which are in no finding. */
  silenced: number;
}

/** An OpenTelemetry collector, which reports by OpAMP. */
export interface OtelCollector extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'connected' | 'status' | 'status_since' | 'status_reason' | 'version'> {
  /** Type of the agent. */
  agent_type: "otel_collector";
  /** Name of the collector (`service.name`). Distinguishes the collectors of a node. */
  collector_name: string;
}

/** A Agent of a type that this version of the client does not know. */
export interface OtherAgent extends AgentFields {
  agent_type: UnknownValue;
  [field: string]: unknown;
}

/** A ExportLine of a type that this version of the client does not know. */
export interface OtherExportLine {
  kind: UnknownValue;
  [field: string]: unknown;
}

/** A LogInMethod of a type that this version of the client does not know. */
export interface OtherLogInMethod {
  /** The text of the choice. */
  title: string;
  method: UnknownValue;
  [field: string]: unknown;
}

/** A Node of a type that this version of the client does not know. */
export interface OtherNode extends NodeFields {
  node_type: UnknownValue;
  [field: string]: unknown;
}

/** A Service of a type that this version of the client does not know. */
export interface OtherService extends ServiceFields {
  service_type: UnknownValue;
  [field: string]: unknown;
}

/** A UpsertedAgent of a type that this version of the client does not know. */
export interface OtherUpsertedAgent extends OtherAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** A UpsertedNode of a type that this version of the client does not know. */
export interface OtherUpsertedNode extends OtherNode {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** A UpsertedService of a type that this version of the client does not know. */
export interface OtherUpsertedService extends OtherService {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** The agent process of a node; starts and stops the agents under it. */
export interface PmmAgent extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'connected' | 'version'> {
  /** Type of the agent. */
  agent_type: "pmm_agent";
}

/** Metrics of PostgreSQL. */
export interface PostgresExporter extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout'> {
  /** Type of the agent. */
  agent_type: "postgres_exporter";
  /** Maximum number of discovered databases; -1 disables discovery. */
  auto_discovery_limit: number;
  /** Maximum number of connections to the database; 0 is the default of the exporter. */
  max_exporter_connections: number;
}

/** PostgreSQL. */
export interface PostgresqlService extends ServiceFields, ServiceOptions {
  /** Type of the service. */
  service_type: "postgresql";
  /** Database to connect to first. */
  database_name: string;
  /** Maximum number of databases to discover; -1 disables discovery, 0 is the default of the agent. */
  auto_discovery_limit: number;
}

/** Claims of an identity, without a token. */
export interface PreviewGrant {
  /** Name of the identity provider, as in the settings. (at most 32 characters) */
  provider: string;
  /** The claims of an identity, as its token contains them. */
  claims: Record<string, unknown>;
}

/** Metrics of ProxySQL. */
export interface ProxysqlExporter extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout'> {
  /** Type of the agent. */
  agent_type: "proxysql_exporter";
}

/** ProxySQL. */
export interface ProxysqlService extends ServiceFields, ServiceOptions {
  /** Type of the service. */
  service_type: "proxysql";
}

/** Query analytics of MongoDB from its log. */
export interface QanMongodbMongologAgent extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'authentication_mechanism' | 'authentication_database'> {
  /** Type of the agent. */
  agent_type: "qan_mongodb_mongolog_agent";
}

/** Query analytics of MongoDB from the profiler. */
export interface QanMongodbProfilerAgent extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'authentication_mechanism' | 'authentication_database'> {
  /** Type of the agent. */
  agent_type: "qan_mongodb_profiler_agent";
}

/** Query analytics of MySQL from the performance schema. */
export interface QanMysqlPerfschemaAgent extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_query_examples' | 'disable_comments_parsing' | 'extra_dsn_params'> {
  /** Type of the agent. */
  agent_type: "qan_mysql_perfschema_agent";
}

/** Query analytics of MySQL from the slow log. */
export interface QanMysqlSlowlogAgent extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_query_examples' | 'disable_comments_parsing' | 'extra_dsn_params'> {
  /** Type of the agent. */
  agent_type: "qan_mysql_slowlog_agent";
  /** Size in bytes at which the slow log is rotated; 0 is never. */
  max_slowlog_file_size: number;
}

/** Query analytics of PostgreSQL from pg_stat_statements. */
export interface QanPostgresqlPgstatementsAgent extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_comments_parsing'> {
  /** Type of the agent. */
  agent_type: "qan_postgresql_pgstatements_agent";
}

/** Query analytics of PostgreSQL from pg_stat_monitor. */
export interface QanPostgresqlPgstatmonitorAgent extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'max_query_length' | 'disable_query_examples' | 'disable_comments_parsing'> {
  /** Type of the agent. */
  agent_type: "qan_postgresql_pgstatmonitor_agent";
}

/** Metrics of Amazon RDS instances. */
export interface RdsExporter extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level'> {
  /** Type of the agent. */
  agent_type: "rds_exporter";
  /** Role that the exporter assumes. Not a secret. */
  aws_role_arn?: string;
  /** Disables basic metrics. */
  disable_basic_metrics: boolean;
  /** Disables enhanced metrics. */
  disable_enhanced_metrics: boolean;
}

/** Desired state of a scope. */
export interface Reconcile {
  /** plan: only return the plan. apply: make the changes. */
  mode?: "plan" | "apply" | undefined;
  scope?: ReconcileScope | undefined;
  desired?: Desired | undefined;
  /** Safety threshold in percent of the objects in the scope. If the removals exceed it, no changes are made. Default: 20. (0..100) */
  max_removals_percent?: number | undefined;
  /** Applies or resumes a plan as it was returned. Replaces scope and desired. (at most 36 characters) */
  plan_id?: string | undefined;
  /** With `apply`: applies or resumes only the plan with this `plan_digest`, which any caller may have requested at any time. If another plan is needed, no changes are made and the reply is 412. */
  plan_digest?: string | undefined;
}

/** A failed item. */
export interface ReconcileFailure {
  item: ReconcileStep;
  /** Why it failed. */
  message: string;
}

/** Action on one object. */
export interface ReconcileItem extends ReconcileStep {
  /** Differences of a change, by field. */
  changes?: Difference[];
  /** Why the item is not possible and not tried. */
  blocked?: string;
  /** failed: the service refuses it. skipped: the object left the scope, or another request removed it. not_done: no time was left, the table did not answer, or it changed in the meantime; it is tried again. */
  outcome?: "done" | "failed" | "skipped" | "not_done" | (string & {});
  error?: ErrorBody;
  /** Why a removal was skipped. */
  skipped?: string;
}

/** Plan or result of a reconciliation. */
export interface ReconcilePlan {
  /** Use it to apply or resume the plan. Absent when no changes remain. */
  plan_id?: string;
  /** Identifies the scope, the desired objects and all items. Absent in replies to apply. */
  plan_digest?: string;
  /** When the plan expires (RFC 3339, UTC). */
  expires_at?: string;
  /** planned: no changes were made yet. applying: changes are being made. done: no changes remain, except failed and blocked ones. stopped: changes remain; `reason` of the plan says why. cancelled: the plan was cancelled and no more changes are started. */
  state: "planned" | "applying" | "done" | "stopped" | "cancelled" | (string & {});
  progress: ReconcileProgress;
  /** Objects in the scope. */
  in_scope: number;
  /** Objects to add. */
  add: number;
  /** Objects to change. */
  change: number;
  /** Objects to remove. */
  remove: number;
  /** Objects that already match. */
  unchanged: number;
  /** Items that are not possible. */
  blocked: number;
  /** Why the plan is not applied. No changes are made. */
  refusal?: string;
  /** Items in a possible order; blocked ones are last. */
  items: ReconcileItem[];
  /** Number of items omitted because the reply would be too large. */
  items_left_out?: number;
}

/** Progress of a plan. */
export interface ReconcileProgress {
  /** Objects to add, change and remove that are not blocked. */
  total: number;
  /** Completed items. */
  done: number;
  /** Refused items. */
  failed: number;
  /** Removals that were no longer needed, as far as one request observed. */
  skipped: number;
}

/** The scope contains nodes and services that match all fields, and agents that run on such a node or have only such targets. */
export interface ReconcileScope {
  /** Nodes and services whose labels match, in the syntax of lists: `team=shop,env in (prod,stage)`. (at most 2000 characters) */
  selector?: string | undefined;
  /** Only names with this prefix. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  name_prefix?: string | undefined;
}

/** The action. */
export interface ReconcileStep {
  /** Action on the object. */
  action: "add" | "change" | "remove" | (string & {});
  /** Kind of the object. */
  kind: "node" | "service" | "agent" | (string & {});
  /** Name of the node. */
  node_name?: string;
  /** Name of the service. */
  service_name?: string;
  /** Type of the agent. */
  agent_type?: "pmm_agent" | "vm_agent" | "nomad_agent" | "node_exporter" | "mysqld_exporter" | "mongodb_exporter" | "postgres_exporter" | "proxysql_exporter" | "valkey_exporter" | "rds_exporter" | "azure_database_exporter" | "qan_mysql_perfschema_agent" | "qan_mysql_slowlog_agent" | "qan_mongodb_profiler_agent" | "qan_mongodb_mongolog_agent" | "qan_postgresql_pgstatements_agent" | "qan_postgresql_pgstatmonitor_agent" | "rta_mongodb_agent" | "rta_mysql_agent" | "otel_collector" | "external_exporter" | (string & {});
  /** Name of the node that the agent runs on. */
  runs_on_node_name?: string;
  insights?: InsightsByName;
  /** Its id; for an object to add, after it was added. */
  id?: string;
  /** The revision that the plan refers to. */
  revision?: number;
}

/** Progress of a reconciliation. */
export interface Reconciliation {
  /** Id of the plan (UUID). */
  plan_id: string;
  /** planned: no changes were made yet. applying: changes are being made. done: no changes remain, except failed and blocked ones. stopped: changes remain; `reason` of the plan says why. cancelled: the plan was cancelled and no more changes are started. */
  state: "planned" | "applying" | "done" | "stopped" | "cancelled" | (string & {});
  progress: ReconcileProgress;
  /** Why the reconciliation stopped. It does not resume automatically. */
  reason?: string;
  /** Who cancelled it. */
  cancelled_by?: {
  /** `user`, `session`, `api_key`, `enrolment_token`; `system`: the service itself. */
  kind: string;
  /** Id of the key, session or token, or the user name. */
  id: string;
  /** Name of the user, key or token. */
  name: string;
};
  /** When it was cancelled (RFC 3339, UTC). */
  cancelled_at?: string;
  /** When the plan was made (RFC 3339, UTC). */
  created_at: string;
  /** When the plan expires (RFC 3339, UTC). */
  expires_at: string;
  /** The first 50 failures. */
  failures: ReconcileFailure[];
}

/** A refused status. */
export interface RefusedReport {
  /** An agent under this agent process. */
  agent_id: string;
  /** Why: this process has no such agent, or the status cannot follow the current one. */
  reason: "not_found" | "impossible_transition" | (string & {});
  /** The reason as text. */
  message: string;
}

/** A managed database instance of Azure. */
export interface RemoteAzureDatabaseNode extends NodeFields {
  /** Type of the node. */
  node_type: "remote_azure_database";
  /** Region of the cloud provider. The address is unique in a region. */
  region: string;
}

/** A machine without agents of its own. */
export interface RemoteNode extends NodeFields, Pick<NodeOptions, 'region'> {
  /** Type of the node. */
  node_type: "remote";
}

/** A managed database instance of Amazon RDS; its address is the instance identifier. */
export interface RemoteRdsNode extends NodeFields, Pick<NodeOptions, 'instance_id'> {
  /** Type of the node. */
  node_type: "remote_rds";
  /** Region of the cloud provider. The address is unique in a region. */
  region: string;
}

/** A removal of one or more objects. */
export interface Removal {
  /** Id of the removal. */
  removal_id: string;
  /** When it was removed. */
  removed_at: string;
  /** When the removal can no longer be restored. */
  restorable_until: string;
  /** The caller that removed it. */
  actor: {
  /** `user`, `session`, `api_key`, `enrolment_token`; `system`: the service itself. */
  kind: string;
  /** Id of the key, session or token, or the user name. */
  id: string;
  /** Name of the user, key or token. */
  name: string;
};
  /** Id of the request. */
  request_id: string;
  /** The requested object and its dependent objects. */
  objects: RemovedObject[];
}

/** A removed object. */
export interface RemovedObject {
  /** Kind of the object. */
  kind: "node" | "service" | "agent" | (string & {});
  /** Its id; a restore does not change it. */
  id: string;
  /** Its name; for an agent, its type. */
  name: string;
  /** The change that removed it. */
  change_id: string;
}

/** A session to renew: the service reads the claims of the person anew at the provider. */
export interface RenewSession {
  /** By a session that an identity provider opened: returns its next key. */
  method: "session";
  /** The key of the session. It works until its own end. A repeated call returns the same next key. (at most 256 characters) */
  key: string;
}

/** Status of one agent. */
export interface ReportedAgent {
  /** An agent under this agent process. (at most 36 characters) */
  agent_id: string;
  /** Status of the agent; not `unknown`. */
  status: "unknown" | "starting" | "running" | "waiting" | "stopping" | "done";
  /** Its current port. (1..65535) */
  listen_port?: number | undefined;
  /** Its version. (at most 64 characters) */
  version?: string | undefined;
  /** Reason of the status in words; without it, the last one is removed. (at most 256 characters) */
  status_reason?: string | undefined;
}

/** Result of a restore. */
export interface Restored {
  /** The restored objects. */
  restored: RemovedObject[];
  /** The objects that were not restored; empty if the restore fits one transaction, because then it is atomic. Repeat the request to try them again. */
  not_restored: UnrestoredObject[];
}

/** A role for the identities with some claims. */
export interface RoleBinding {
  /** Id of the role binding: its name. */
  binding_id: string;
  /** Unique among all role bindings. */
  name: string;
  /** Name of the identity provider. */
  provider: string;
  /** The claims that an identity must have, each with its possible values. */
  claims: Record<string, string[]>;
  /** Role of the identity. With Registrar, a log-in returns an enrolment token for one host instead of a key. */
  role: "Registrar" | "Viewer" | "Editor" | "Admin" | (string & {});
  /** The owners to which the writes are limited; absent without a limit. */
  owners?: string[];
  /** The claim with the name of the node that a Registrar may enrol. */
  node_name_claim?: string;
  /** Purpose. */
  description?: string;
  /** Who added it. */
  created_by: {
  /** `user`, `session`, `api_key`, `enrolment_token`; `system`: the service itself. */
  kind: string;
  /** Id of the key, session or token, or the user name. */
  id: string;
  /** Name of the user, key or token. */
  name: string;
};
  /** When it was added (RFC 3339, UTC). */
  created_at: string;
  /** When it was last changed (RFC 3339, UTC). */
  updated_at: string;
  /** 1 when added, incremented by each change. Also the ETag. */
  revision: number;
}

/** Options of the rotation. */
export interface Rotation {
  /** How long the current secret still works, at most until its expiry (0s ends all previous secrets at once): a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days; none: s), from 0s to 30d. (at most 32 characters) */
  overlap: string;
}

/** Real-time analytics of MongoDB. */
export interface RtaMongodbAgent extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'rta_options'> {
  /** Type of the agent. */
  agent_type: "rta_mongodb_agent";
}

/** Real-time analytics of MySQL. */
export interface RtaMysqlAgent extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'username' | 'tls' | 'tls_skip_verify' | 'log_level' | 'rta_options'> {
  /** Type of the agent. */
  agent_type: "rta_mysql_agent";
}

/** A filter of a list, with its order and its groups. */
export interface SavedFilter {
  /** Id of the saved filter (UUID). */
  saved_filter_id: string;
  /** Unique among the shared filters of the list, or among those of its maker. */
  name: string;
  /** The list that it filters. */
  list: "nodes" | "services" | "agents" | "clusters" | (string & {});
  /** The parameters in the address of the list, by name. */
  parameters: Record<string, string>;
  /** Whether everybody sees it. */
  shared: boolean;
  /** Whether the caller added it. */
  own: boolean;
  /** Whether the caller has pinned it. */
  pinned: boolean;
  /** Who added it. */
  created_by: {
  /** `user`, `session`, `api_key`, `enrolment_token`; `system`: the service itself. */
  kind: string;
  /** Id of the key, session or token, or the user name. */
  id: string;
  /** Name of the user, key or token. */
  name: string;
};
  /** When it was added (RFC 3339, UTC). */
  created_at: string;
  /** When it was last changed (RFC 3339, UTC). */
  updated_at: string;
  /** 1 when added, incremented by each change. Also the ETag. */
  revision: number;
}

/** A database or proxy, on no node, one, or several. */
export type Service = MysqlService | MongodbService | PostgresqlService | ProxysqlService | HaproxyService | ValkeyService | ExternalService | OtherService;

/** What every Service has. */
export interface ServiceFields {
  /** Id of the service (UUID). */
  service_id: string;
  /** Unique among all services. At most 1000 bytes in UTF-8, without control characters. */
  service_name: string;
  /** The nodes it runs on: none, one, or several for a cluster. */
  node_ids: string[];
  custom_labels: Labels;
  /** Environment, for example prod. */
  environment?: string;
  /** Name of its cluster. */
  cluster?: string;
  /** Name of its replication set. */
  replication_set?: string;
  /** When it was added (RFC 3339, UTC). */
  created_at: string;
  /** When it was last changed (RFC 3339, UTC). */
  updated_at: string;
  /** 1 when added, incremented by each change. Also the ETag. */
  revision: number;
  /** Computed from the last report of the agent process of its node; of several nodes, the best. Only in replies of get, and of list with `include=state`; not part of the revision. */
  state?: "live" | "stale" | "offline" | "never_seen" | (string & {});
  /** Last report of the agent process of its node; of several nodes, the latest. Absent before the first report. Only in replies of get, and of list with `include=state`. */
  reported_at?: string;
  /** A forced removal has begun, and the service finishes it. New references are refused. */
  removing?: true;
}

/** What several variants have. */
export interface ServiceOptions {
  /** Host name or IP address of the service. Requires a port. A loopback address is that of its node. */
  address?: string;
  /** TCP port. Requires an address. */
  port?: number;
  /** Absolute path of a Unix socket, instead of address and port. */
  socket?: string;
  /** Version of the database server. */
  version?: string;
}

/** An active session, without its key. */
export interface Session {
  /** Id of the session (UUID). */
  session_id: string;
  /** Name of the user who logged in. */
  user_name: string;
  /** Id of the user, except for `admin`. */
  user_id?: string;
  /** Role of the session: the role of the user at login. */
  role: "Viewer" | "Editor" | "Admin" | "Relay" | "Gateway" | "Registrar" | (string & {});
  /** The owners to which the writes are limited; absent without a limit. */
  owners?: string[];
  /** How the user logged in; absent for sessions of older versions. */
  method?: "password" | "invitation" | "oidc" | "device" | (string & {});
  /** Of a session by an identity provider: the role bindings that give the role, at most 10. Absent for other sessions. */
  bindings?: string[];
  /** Of a session by the method `device`: the program that asked, in its own words. */
  device?: string;
  /** When the user logged in. */
  created_at: string;
  /** When it expires. */
  expires_at: string;
  /** When it was last used, accurate to five minutes; absent if never. */
  last_used_at?: string;
  /** The source address of the login, as seen by the gateway. */
  source_ip: string;
  /** True for the calling session; absent for others. */
  current?: true;
}

/** Objects that cause no attention for some time. */
export interface Silence {
  /** Id of the silence. Equal selectors have the same id. */
  silence_id: string;
  /** The objects that it covers. */
  selector: string;
  /** Why. */
  reason: string;
  /** When it ends. */
  until: string;
  /** When it was added. */
  created_at: string;
  /** Who added it. */
  created_by: {
  /** `user`, `session`, `api_key`, `enrolment_token`; `system`: the service itself. */
  kind: string;
  /** Id of the key, session or token, or the user name. */
  id: string;
  /** Name of the user, key or token. */
  name: string;
};
}

/** A time in one state. */
export interface StateInterval {
  /** State. */
  state: "live" | "stale" | "offline" | "never_seen" | (string & {});
  /** Begin. */
  begin: string;
  /** End; that of the last one is the time of the reply. */
  end: string;
}

/** A time in one state. */
export interface StatusInterval extends StateInterval {
  /** Reported status; `unknown` while its process is offline. Absent before the first report. */
  status?: "unknown" | "starting" | "running" | "waiting" | "stopping" | "done" | "not_supported" | (string & {});
}

/** Totals, findings and recent changes. */
export interface Summary {
  /** When the summary was computed. */
  computed_at: string;
  /** Its age. */
  age_seconds: number;
  /** False until the first count has ended, or if a limit was met. */
  complete: boolean;
  /** Numbers that are not complete: objects of the first count, changes that following requests count, clusters above 5000. */
  incomplete: ("objects" | "clusters" | "changes" | (string & {}))[];
  /** When the count of the objects ended; of an incomplete one, when it began. */
  counted_at: string;
  nodes: ObjectTally;
  services: ObjectTally;
  agents: ObjectTally;
  /** A cluster has the worst state of its services, and is counted with each of their types. */
  clusters: ClusterTally;
  /** Nodes that have a region. */
  zones: {
  /** Region. */
  region: string;
  /** Zone. */
  az?: string;
  /** Number in each state. */
  by_state: Record<string, number>;
}[];
  /** States of the present nodes in the last day, each from the time on from which they are known. Absent until the first count after an upgrade has ended. */
  node_states?: NodeStatesOfDay;
  /** What needs attention; keys and tokens only for an Admin. */
  attention: Attention[];
  /** Jobs of the service, and forced removals and reconciliations that have not ended well. */
  jobs: Job[];
  /** Changes of the last 24 hours, by hour. Numbers of 0 are absent. */
  changes: ({
  /** Begin of the hour. */
  hour: string;
  /** Kind of the object. */
  kind: "node" | "service" | "agent" | (string & {});
  /** Type of the change. */
  action: "added" | "changed" | "removed" | (string & {});
  /** Number of changes. */
  count: number;
})[];
  /** The latest changes, newest first, without `before` and `after`. */
  latest: Change[];
}

/** Result of a report. */
export interface TakenReport {
  /** Time of the stored report. One without news is not stored if the last is recent. */
  reported_at: string;
  /** Time of the next report at the latest; then the node is stale. After `connected: false`, `reported_at`. */
  stale_at: string;
  /** Report again after this time, or at once with news. */
  report_after_seconds: number;
  /** Number of agents with an accepted status. */
  taken: number;
  /** The refused statuses. */
  refused: RefusedReport[];
  /** With `with_targets_hash`: the `ETag` of `GET /v1/discovery/prometheus?node=self` for this host, without `W/` and quotes. */
  targets_hash?: string;
}

/** One agent as a target of Prometheus. */
export interface TargetGroup {
  /** Host and port of the agent; an IPv6 address is in brackets. */
  targets: string[];
  /** `__metrics_path__`, `__scheme__`, `job`, and the attributes of the inventory as `__meta_inventory_...`. */
  labels: Record<string, string>;
}

/**
 * The type of an object that this version of the client does not know. It is a string like any other: the pattern only
 * lets a comparison with a known type narrow the object.
 */
export type UnknownValue = `${string} (unknown to this client)`;

/** An object that was not restored. */
export interface UnrestoredObject extends RemovedObject {
  /** Why, as an error status, for example ALREADY_EXISTS if its name is taken. */
  status: string;
  /** The reason as text. */
  message: string;
}

/** The current agent and the outcome. */
export type UpsertedAgent = UpsertedPmmAgent | UpsertedVmAgent | UpsertedNomadAgent | UpsertedNodeExporter | UpsertedMysqldExporter | UpsertedMongodbExporter | UpsertedPostgresExporter | UpsertedProxysqlExporter | UpsertedValkeyExporter | UpsertedRdsExporter | UpsertedAzureDatabaseExporter | UpsertedQanMysqlPerfschemaAgent | UpsertedQanMysqlSlowlogAgent | UpsertedQanMongodbProfilerAgent | UpsertedQanMongodbMongologAgent | UpsertedQanPostgresqlPgstatementsAgent | UpsertedQanPostgresqlPgstatmonitorAgent | UpsertedRtaMongodbAgent | UpsertedRtaMysqlAgent | UpsertedOtelCollector | UpsertedExternalExporter | OtherUpsertedAgent;

/** What every UpsertedAgent has. */
export interface UpsertedAgentFields extends AgentFields {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Metrics of Azure databases. */
export interface UpsertedAzureDatabaseExporter extends AzureDatabaseExporter {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** A container. */
export interface UpsertedContainerNode extends ContainerNode {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** A program outside the inventory that exposes metrics. */
export interface UpsertedExternalExporter extends ExternalExporter {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Any other service that exposes metrics. */
export interface UpsertedExternalService extends ExternalService {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Bare metal or a virtual machine. */
export interface UpsertedGenericNode extends GenericNode {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** HAProxy. */
export interface UpsertedHaproxyService extends HaproxyService {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Metrics of MongoDB. */
export interface UpsertedMongodbExporter extends MongodbExporter {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** MongoDB. */
export interface UpsertedMongodbService extends MongodbService {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** MySQL, MariaDB or Percona Server. */
export interface UpsertedMysqlService extends MysqlService {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Metrics of MySQL. */
export interface UpsertedMysqldExporter extends MysqldExporter {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** The current node and the outcome. */
export type UpsertedNode = UpsertedGenericNode | UpsertedContainerNode | UpsertedRemoteNode | UpsertedRemoteRdsNode | UpsertedRemoteAzureDatabaseNode | OtherUpsertedNode;

/** Metrics of a machine. */
export interface UpsertedNodeExporter extends NodeExporter {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** What every UpsertedNode has. */
export interface UpsertedNodeFields extends NodeFields {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Runs jobs on its node. */
export interface UpsertedNomadAgent extends NomadAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** An OpenTelemetry collector, which reports by OpAMP. */
export interface UpsertedOtelCollector extends OtelCollector {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** The agent process of a node; starts and stops the agents under it. */
export interface UpsertedPmmAgent extends PmmAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Metrics of PostgreSQL. */
export interface UpsertedPostgresExporter extends PostgresExporter {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** PostgreSQL. */
export interface UpsertedPostgresqlService extends PostgresqlService {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Metrics of ProxySQL. */
export interface UpsertedProxysqlExporter extends ProxysqlExporter {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** ProxySQL. */
export interface UpsertedProxysqlService extends ProxysqlService {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Query analytics of MongoDB from its log. */
export interface UpsertedQanMongodbMongologAgent extends QanMongodbMongologAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Query analytics of MongoDB from the profiler. */
export interface UpsertedQanMongodbProfilerAgent extends QanMongodbProfilerAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Query analytics of MySQL from the performance schema. */
export interface UpsertedQanMysqlPerfschemaAgent extends QanMysqlPerfschemaAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Query analytics of MySQL from the slow log. */
export interface UpsertedQanMysqlSlowlogAgent extends QanMysqlSlowlogAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Query analytics of PostgreSQL from pg_stat_statements. */
export interface UpsertedQanPostgresqlPgstatementsAgent extends QanPostgresqlPgstatementsAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Query analytics of PostgreSQL from pg_stat_monitor. */
export interface UpsertedQanPostgresqlPgstatmonitorAgent extends QanPostgresqlPgstatmonitorAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Metrics of Amazon RDS instances. */
export interface UpsertedRdsExporter extends RdsExporter {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** A managed database instance of Azure. */
export interface UpsertedRemoteAzureDatabaseNode extends RemoteAzureDatabaseNode {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** A machine without agents of its own. */
export interface UpsertedRemoteNode extends RemoteNode {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** A managed database instance of Amazon RDS; its address is the instance identifier. */
export interface UpsertedRemoteRdsNode extends RemoteRdsNode {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Real-time analytics of MongoDB. */
export interface UpsertedRtaMongodbAgent extends RtaMongodbAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Real-time analytics of MySQL. */
export interface UpsertedRtaMysqlAgent extends RtaMysqlAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** The current service and the outcome. */
export type UpsertedService = UpsertedMysqlService | UpsertedMongodbService | UpsertedPostgresqlService | UpsertedProxysqlService | UpsertedHaproxyService | UpsertedValkeyService | UpsertedExternalService | OtherUpsertedService;

/** What every UpsertedService has. */
export interface UpsertedServiceFields extends ServiceFields {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Metrics of Valkey. */
export interface UpsertedValkeyExporter extends ValkeyExporter {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Valkey or Redis. */
export interface UpsertedValkeyService extends ValkeyService {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** Scrapes the exporters of its node and forwards the metrics. */
export interface UpsertedVmAgent extends VmAgent {
  /** What the request did. */
  outcome: "added" | "changed" | "unchanged" | (string & {});
}

/** A user, without password and invitation. */
export interface User {
  /** Id of the user: the user name, or `oidc:` and a digest of the identity at a provider. */
  user_id: string;
  /** Name of the user, as the audit shows it. */
  user_name: string;
  /** Where the user logs in: `local` is this service, else the name of an identity provider. */
  provider: string;
  /** Role of the sessions of the user. */
  role: "Viewer" | "Editor" | "Admin" | (string & {});
  /** The owners to which the writes are limited; absent without a limit. */
  owners?: string[];
  /** `invited`: has no password yet; `active`: can log in; `disabled`: locked out by an Admin. */
  state: "invited" | "active" | "disabled" | (string & {});
  /** When it was added. */
  created_at: string;
  /** Who added it. */
  created_by: {
  /** `user`, `session`, `api_key`, `enrolment_token`; `system`: the service itself. */
  kind: string;
  /** Id of the key, session or token, or the user name. */
  id: string;
  /** Name of the user, key or token. */
  name: string;
};
  /** When the user last logged in; absent if never. */
  last_login_at?: string;
  /** When the user set the present password; absent without one. */
  password_set_at?: string;
  /** When the present invitation expires; absent without one. */
  invitation_expires_at?: string;
}

/** Metrics of Valkey. */
export interface ValkeyExporter extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'listen_port' | 'push_metrics' | 'metrics_resolutions' | 'log_level' | 'disable_collectors' | 'expose_exporter' | 'username' | 'tls' | 'tls_skip_verify' | 'connection_timeout'> {
  /** Type of the agent. */
  agent_type: "valkey_exporter";
}

/** Valkey or Redis. */
export interface ValkeyService extends ServiceFields, ServiceOptions {
  /** Type of the service. */
  service_type: "valkey";
}

/** A rule that a field of the request violates. */
export interface Violation {
  /** Path of the field, separated by dots; empty for the whole body. */
  field: string;
  /** Identifier of the rule, such as required, unknown_field or out_of_range. */
  reason: string;
  /** The rule as text. */
  message: string;
}

/** Scrapes the exporters of its node and forwards the metrics. */
export interface VmAgent extends AgentFields, Pick<AgentOptions, 'runs_on_node_id' | 'pmm_agent_id' | 'status' | 'status_since' | 'status_reason' | 'version' | 'listen_port'> {
  /** Type of the agent. */
  agent_type: "vm_agent";
}
