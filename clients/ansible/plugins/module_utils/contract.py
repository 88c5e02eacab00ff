# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Generated from the contracts of the server by `npm run generate`: change those, not this file.

DESIRED = {
    "nodes": {
        "type": "list",
        "elements": "dict",
        "options": {
            "node_type": {
                "type": "str",
                "required": True,
                "choices": ["generic", "container", "remote", "remote_rds", "remote_azure_database"],
            },
            "node_name": {"type": "str", "required": True},
            "address": {"type": "str", "required": True},
            "custom_labels": {"type": "dict"},
            "machine_id": {"type": "str"},
            "distro": {"type": "str"},
            "node_model": {"type": "str"},
            "region": {"type": "str"},
            "az": {"type": "str"},
            "instance_id": {"type": "str"},
            "lifetime": {"type": "str", "choices": ["permanent", "ephemeral"]},
            "stale_after": {"type": "str"},
            "offline_after": {"type": "str"},
            "remove_after": {"type": "str"},
            "container_id": {"type": "str"},
            "container_name": {"type": "str"},
        },
    },
    "services": {
        "type": "list",
        "elements": "dict",
        "options": {
            "service_type": {
                "type": "str",
                "required": True,
                "choices": ["mysql", "mongodb", "postgresql", "proxysql", "haproxy", "valkey", "external"],
            },
            "service_name": {"type": "str", "required": True},
            "custom_labels": {"type": "dict"},
            "node_names": {"type": "list", "elements": "str"},
            "address": {"type": "str"},
            "port": {"type": "int"},
            "socket": {"type": "str"},
            "environment": {"type": "str"},
            "cluster": {"type": "str"},
            "replication_set": {"type": "str"},
            "version": {"type": "str"},
            "database_name": {"type": "str"},
            "auto_discovery_limit": {"type": "int"},
            "group": {"type": "str"},
        },
    },
    "agents": {
        "type": "list",
        "elements": "dict",
        "options": {
            "agent_type": {
                "type": "str",
                "required": True,
                "choices": [
                    "pmm_agent", "vm_agent", "nomad_agent", "node_exporter", "mysqld_exporter", "mongodb_exporter",
                    "postgres_exporter", "proxysql_exporter", "valkey_exporter", "rds_exporter", "azure_database_exporter",
                    "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent", "qan_mongodb_profiler_agent",
                    "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent", "qan_postgresql_pgstatmonitor_agent",
                    "rta_mongodb_agent", "rta_mysql_agent", "otel_collector", "external_exporter",
                ],
            },
            "insights": {
                "type": "dict",
                "options": {"node_names": {"type": "list", "elements": "str"}, "service_names": {"type": "list", "elements": "str"}},
            },
            "disabled": {"type": "bool"},
            "custom_labels": {"type": "dict"},
            "runs_on_node_name": {"type": "str"},
            "listen_port": {"type": "int"},
            "push_metrics": {"type": "bool"},
            "metrics_resolutions": {"type": "dict", "options": {"hr": {"type": "str"}, "mr": {"type": "str"}, "lr": {"type": "str"}}},
            "log_level": {"type": "str", "choices": ["fatal", "error", "warn", "info", "debug"]},
            "disable_collectors": {"type": "list", "elements": "str"},
            "expose_exporter": {"type": "bool"},
            "username": {"type": "str"},
            "tls": {"type": "bool"},
            "tls_skip_verify": {"type": "bool"},
            "connection_timeout": {"type": "str"},
            "tablestats_group_table_limit": {"type": "int"},
            "extra_dsn_params": {"type": "dict", "options": {"allowCleartextPasswords": {"type": "str", "no_log": False}}},
            "authentication_mechanism": {"type": "str"},
            "authentication_database": {"type": "str"},
            "stats_collections": {"type": "list", "elements": "str"},
            "collections_limit": {"type": "int"},
            "enable_all_collectors": {"type": "bool"},
            "environment_variable_names": {"type": "list", "elements": "str"},
            "auto_discovery_limit": {"type": "int"},
            "max_exporter_connections": {"type": "int"},
            "aws_role_arn": {"type": "str"},
            "disable_basic_metrics": {"type": "bool"},
            "disable_enhanced_metrics": {"type": "bool"},
            "azure_subscription_id": {"type": "str"},
            "azure_resource_group": {"type": "str"},
            "azure_database_resource_type": {"type": "str", "choices": ["mysql", "maria", "postgres"]},
            "max_query_length": {"type": "int"},
            "disable_query_examples": {"type": "bool"},
            "disable_comments_parsing": {"type": "bool"},
            "max_slowlog_file_size": {"type": "int"},
            "rta_options": {"type": "dict", "options": {"collect_interval": {"type": "str"}}},
            "collector_name": {"type": "str"},
            "scheme": {"type": "str", "choices": ["http", "https"]},
            "metrics_path": {"type": "str"},
        },
    },
}

TYPES = {
    "node": {
        "generic": {
            "fields": [
                "node_type", "node_name", "address", "custom_labels", "machine_id", "distro", "node_model", "region", "az",
                "instance_id", "lifetime", "stale_after", "offline_after", "remove_after",
            ],
            "required": ["node_type", "node_name", "address"],
        },
        "container": {
            "fields": [
                "node_type", "node_name", "address", "custom_labels", "machine_id", "container_id", "container_name",
                "node_model", "region", "az", "instance_id", "lifetime", "stale_after", "offline_after", "remove_after",
            ],
            "required": ["node_type", "node_name", "address"],
        },
        "remote": {
            "fields": [
                "node_type", "node_name", "address", "custom_labels", "node_model", "region", "az", "lifetime", "stale_after",
                "offline_after", "remove_after",
            ],
            "required": ["node_type", "node_name", "address"],
        },
        "remote_rds": {
            "fields": [
                "node_type", "node_name", "address", "custom_labels", "node_model", "region", "az", "instance_id", "lifetime",
                "stale_after", "offline_after", "remove_after",
            ],
            "required": ["node_type", "node_name", "address", "region"],
        },
        "remote_azure_database": {
            "fields": [
                "node_type", "node_name", "address", "custom_labels", "node_model", "region", "az", "lifetime", "stale_after",
                "offline_after", "remove_after",
            ],
            "required": ["node_type", "node_name", "address", "region"],
        },
    },
    "service": {
        "mysql": {
            "fields": [
                "service_type", "service_name", "custom_labels", "node_names", "address", "port", "socket", "environment",
                "cluster", "replication_set", "version",
            ],
            "required": ["service_type", "service_name"],
        },
        "mongodb": {
            "fields": [
                "service_type", "service_name", "custom_labels", "node_names", "address", "port", "socket", "environment",
                "cluster", "replication_set", "version",
            ],
            "required": ["service_type", "service_name"],
        },
        "postgresql": {
            "fields": [
                "service_type", "service_name", "custom_labels", "node_names", "address", "port", "socket", "environment",
                "cluster", "replication_set", "version", "database_name", "auto_discovery_limit",
            ],
            "required": ["service_type", "service_name"],
        },
        "proxysql": {
            "fields": [
                "service_type", "service_name", "custom_labels", "node_names", "address", "port", "socket", "environment",
                "cluster", "replication_set", "version",
            ],
            "required": ["service_type", "service_name"],
        },
        "haproxy": {
            "fields": ["service_type", "service_name", "custom_labels", "node_names", "environment", "cluster", "replication_set"],
            "required": ["service_type", "service_name"],
        },
        "valkey": {
            "fields": [
                "service_type", "service_name", "custom_labels", "node_names", "address", "port", "socket", "environment",
                "cluster", "replication_set", "version",
            ],
            "required": ["service_type", "service_name"],
        },
        "external": {
            "fields": ["service_type", "service_name", "custom_labels", "node_names", "environment", "cluster", "replication_set", "group"],
            "required": ["service_type", "service_name"],
        },
    },
    "agent": {
        "pmm_agent": {
            "fields": ["agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name"],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "vm_agent": {
            "fields": ["agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "listen_port"],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "nomad_agent": {
            "fields": ["agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "listen_port"],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "node_exporter": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "listen_port", "push_metrics",
                "metrics_resolutions", "log_level", "disable_collectors", "expose_exporter",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "mysqld_exporter": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "listen_port", "push_metrics",
                "metrics_resolutions", "log_level", "disable_collectors", "expose_exporter", "username", "tls", "tls_skip_verify",
                "connection_timeout", "tablestats_group_table_limit", "extra_dsn_params",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "mongodb_exporter": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "listen_port", "push_metrics",
                "metrics_resolutions", "log_level", "disable_collectors", "expose_exporter", "username", "tls", "tls_skip_verify",
                "connection_timeout", "authentication_mechanism", "authentication_database", "stats_collections",
                "collections_limit", "enable_all_collectors", "environment_variable_names",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "postgres_exporter": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "listen_port", "push_metrics",
                "metrics_resolutions", "log_level", "disable_collectors", "expose_exporter", "username", "tls", "tls_skip_verify",
                "connection_timeout", "auto_discovery_limit", "max_exporter_connections",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "proxysql_exporter": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "listen_port", "push_metrics",
                "metrics_resolutions", "log_level", "disable_collectors", "expose_exporter", "username", "tls", "tls_skip_verify",
                "connection_timeout",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "valkey_exporter": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "listen_port", "push_metrics",
                "metrics_resolutions", "log_level", "disable_collectors", "expose_exporter", "username", "tls", "tls_skip_verify",
                "connection_timeout",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "rds_exporter": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "listen_port", "push_metrics",
                "metrics_resolutions", "log_level", "aws_role_arn", "disable_basic_metrics", "disable_enhanced_metrics",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "azure_database_exporter": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "listen_port", "push_metrics",
                "metrics_resolutions", "log_level", "azure_subscription_id", "azure_resource_group",
                "azure_database_resource_type",
            ],
            "required": ["agent_type", "runs_on_node_name", "azure_database_resource_type"],
        },
        "qan_mysql_perfschema_agent": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "username", "tls", "tls_skip_verify",
                "log_level", "max_query_length", "disable_query_examples", "disable_comments_parsing", "extra_dsn_params",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "qan_mysql_slowlog_agent": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "username", "tls", "tls_skip_verify",
                "log_level", "max_query_length", "disable_query_examples", "disable_comments_parsing", "extra_dsn_params",
                "max_slowlog_file_size",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "qan_mongodb_profiler_agent": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "username", "tls", "tls_skip_verify",
                "log_level", "max_query_length", "authentication_mechanism", "authentication_database",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "qan_mongodb_mongolog_agent": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "username", "tls", "tls_skip_verify",
                "log_level", "max_query_length", "authentication_mechanism", "authentication_database",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "qan_postgresql_pgstatements_agent": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "username", "tls", "tls_skip_verify",
                "log_level", "max_query_length", "disable_comments_parsing",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "qan_postgresql_pgstatmonitor_agent": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "username", "tls", "tls_skip_verify",
                "log_level", "max_query_length", "disable_query_examples", "disable_comments_parsing",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "rta_mongodb_agent": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "username", "tls", "tls_skip_verify",
                "log_level", "rta_options",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "rta_mysql_agent": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "username", "tls", "tls_skip_verify",
                "log_level", "rta_options",
            ],
            "required": ["agent_type", "runs_on_node_name"],
        },
        "otel_collector": {
            "fields": ["agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "collector_name"],
            "required": ["agent_type", "runs_on_node_name", "collector_name"],
        },
        "external_exporter": {
            "fields": [
                "agent_type", "insights", "disabled", "custom_labels", "runs_on_node_name", "listen_port", "push_metrics",
                "metrics_resolutions", "username", "scheme", "metrics_path", "tls_skip_verify",
            ],
            "required": ["agent_type", "listen_port"],
        },
    },
}

DEFAULTS = {
    "node": {"custom_labels": {}},
    "service": {"custom_labels": {}, "node_names": [], "database_name": "postgres", "auto_discovery_limit": 0, "group": "external"},
    "agent": {
        "insights": {"node_names": [], "service_names": []},
        "disabled": False,
        "custom_labels": {},
        "push_metrics": False,
        "disable_collectors": [],
        "expose_exporter": False,
        "tls": False,
        "tls_skip_verify": False,
        "tablestats_group_table_limit": 0,
        "stats_collections": [],
        "collections_limit": 0,
        "enable_all_collectors": False,
        "environment_variable_names": [],
        "auto_discovery_limit": 0,
        "max_exporter_connections": 0,
        "disable_basic_metrics": False,
        "disable_enhanced_metrics": False,
        "max_query_length": 0,
        "disable_query_examples": False,
        "disable_comments_parsing": False,
        "max_slowlog_file_size": 0,
        "scheme": "http",
        "metrics_path": "/metrics",
    },
}

OWN_NODE_AGENTS = ["node_exporter"]

AGENTS_OF_PROCESS = [
    "vm_agent", "nomad_agent", "node_exporter", "mysqld_exporter", "mongodb_exporter", "postgres_exporter", "proxysql_exporter",
    "valkey_exporter", "rds_exporter", "azure_database_exporter", "qan_mysql_perfschema_agent", "qan_mysql_slowlog_agent",
    "qan_mongodb_profiler_agent", "qan_mongodb_mongolog_agent", "qan_postgresql_pgstatements_agent",
    "qan_postgresql_pgstatmonitor_agent", "rta_mongodb_agent", "rta_mysql_agent",
]

FILTERS = ["node_type", "name_prefix", "region", "az", "cluster", "agent_version", "state", "updated_since", "total", "address"]
