// Generated from the contracts in functions/ by `npm run generate`: change those, not this file.

/** The meanings of the filters of lists. */
export const filters = {
  agents: {"agent_type":"Only agents of this type.","runs_on_node_id":"Only agents that run on this node.","pmm_agent_id":"Only agents under this pmm_agent.","node_id":"Only agents that give insight into this node.","service_id":"Only agents that give insight into this service.","status":"Only agents with one of these reported statuses, separated by commas.","region":"Only agents on a node in this region; of those on no node, with such a node as target.","az":"Only agents on a node in this zone; of those on no node, with such a node as target.","cluster":"Only agents with a service of this cluster as target.","environment":"Only agents with a service of this environment as target.","version":"Only agents that report this version.","selector":"A selector in the syntax of Kubernetes: `env=prod,tier in (gold,silver),!legacy`.","state":"Only objects in one of these states, separated by commas.","updated_since":"Only objects added or changed at or after this time (RFC 3339)."},
  api_keys: {"name_prefix":"Only names with this prefix.","include_expired":"Include expired keys.","exclude_hosts":"Without keys of hosts, whose names start with `registrar/`."},
  entries: {"actor_id":"Only events of this key, session, token or user.","object_id":"Only events about the subject with this id.","event":"Only these events.","since":"Only at or after this time (RFC 3339).","until":"Only before this time (RFC 3339)."},
  clusters: {"name_prefix":"Only clusters whose name has this prefix."},
  enrolment_tokens: {},
  nodes: {"node_type":"Only nodes of this type.","name_prefix":"Only names with this prefix.","region":"Only nodes in this region.","az":"Only nodes in this zone.","cluster":"Only nodes on which services of this cluster run, of at most 1000 services.","selector":"A selector in the syntax of Kubernetes: `env=prod,tier in (gold,silver),!legacy`.","state":"Only objects in one of these states, separated by commas.","updated_since":"Only objects added or changed at or after this time (RFC 3339).","address":"Only nodes with this address."},
  removals: {},
  role_bindings: {},
  services: {"service_type":"Only services of this type.","name_prefix":"Only names with this prefix.","node_id":"Only services that run on this node.","cluster":"Only services of this cluster.","environment":"Only services of this environment.","group":"Only external services of this group.","region":"Only services on a node in this region.","az":"Only services on a node in this zone.","version":"Only services with this version.","selector":"A selector in the syntax of Kubernetes: `env=prod,tier in (gold,silver),!legacy`.","state":"Only objects in one of these states, separated by commas.","updated_since":"Only objects added or changed at or after this time (RFC 3339).","address":"Only services with this address."},
  sessions: {"user_id":"Only sessions of this user; `admin` for that account."},
  users: {},
} as const;
