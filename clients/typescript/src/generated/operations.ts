// Generated from the contracts in functions/ by `npm run generate`: change those, not this file.

import { textOfLines, valueOfLines } from '../lines.ts';
import { list, operation } from '../operation.ts';
import { since } from '../since.ts';
import type { Get, List, ListOf, Operation, PlainOperation } from '../operation.ts';
import type { CallOptions, IdempotencyKey, IfMatch, IfNoneMatch } from '../options.ts';
import type { AddAgent, AddApiKey, AddEnrolmentToken, AddNode, AddRoleBinding, AddSavedFilter, AddService, AddSilence, AddUser, AdmissionResults, Admissions, Agent, AgentReport, AgentStates, AnswerDevice, ApiKey, AuditEntry, AuthorizeDevice, Batch, BatchResults, Change, ChangeAgent, ChangeApiKey, ChangeNode, ChangeRoleBinding, ChangeSavedFilter, ChangeService, ChangeUser, CleanedUp, Cleanup, Cluster, ClusterStates, DeclareNode, DeclareService, Device, DeviceCodes, EnrolNode, EnrolledNode, EnrolmentToken, ExportLine, Grant, Group, HostReportResults, HostReports, ImportLine, ImportResults, Invitation, InvitedUser, LineEnd, LogIn, LogInMethod, LoggedIn, NewApiKey, NewEnrolmentToken, Node, NodeStates, ObjectAsOf, OtherExportLine, PreviewGrant, Reconcile, ReconcilePlan, Reconciliation, Removal, Restored, RoleBinding, Rotation, SavedFilter, Service, Session, Silence, Summary, TakenReport, TargetGroup, UpsertedAgent, UpsertedNode, UpsertedService, User } from './types.ts';

/**
 * Add an agent.
 *
 * An agent under a pmm_agent runs on the node of that pmm_agent.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const addAgent: Operation<AddAgent, Agent, CallOptions & IdempotencyKey> = /* @__PURE__ */ operation<Agent>({ id: "addAgent", method: "POST", path: "/v1/agents", key: true });

/**
 * Add an API key.
 *
 * The reply contains the key. It is shown only once.
 *
 * Role: **Admin**.
 */
export const addApiKey: Operation<AddApiKey, NewApiKey> = /* @__PURE__ */ operation<NewApiKey>({ id: "addApiKey", method: "POST", path: "/v1/api-keys" });

/**
 * Add an enrolment token.
 *
 * A host exchanges the token once for its own key (`POST /v1/enrolment`). The reply contains the token. It is shown only once.
 *
 * Role: **Admin**.
 */
export const addEnrolmentToken: Operation<AddEnrolmentToken, NewEnrolmentToken> = /* @__PURE__ */ operation<NewEnrolmentToken>({ id: "addEnrolmentToken", method: "POST", path: "/v1/enrolment-tokens" });

/**
 * Add a node.
 *
 * Role: **Editor** or higher.
 */
export const addNode: Operation<AddNode, Node, CallOptions & IdempotencyKey> = /* @__PURE__ */ operation<Node>({ id: "addNode", method: "POST", path: "/v1/nodes", key: true });

/**
 * Add a role binding.
 *
 * Gives a role to the identities of a provider that have all of its claims. Of several matching bindings, the strongest role counts; owners of equal roles are united, and a binding without owners limits nothing. Without a matching binding, an identity has no access.
 *
 * Role: **Admin**.
 */
export const addRoleBinding: Operation<AddRoleBinding, RoleBinding> = /* @__PURE__ */ operation<RoleBinding>({ id: "addRoleBinding", method: "POST", path: "/v1/role-bindings", since: /* @__PURE__ */ since("0.2.0") });

/**
 * Save a filter of a list.
 *
 * A Viewer saves filters for itself. A shared one requires the role Editor.
 *
 * Role: **Viewer** or higher.
 */
export const addSavedFilter: Operation<AddSavedFilter, SavedFilter> = /* @__PURE__ */ operation<SavedFilter>({ id: "addSavedFilter", method: "POST", path: "/v1/saved-filters", since: /* @__PURE__ */ since("0.2.0") });

/**
 * Add a service.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const addService: Operation<AddService, Service, CallOptions & IdempotencyKey> = /* @__PURE__ */ operation<Service>({ id: "addService", method: "POST", path: "/v1/services", key: true });

export interface AddSessionReply {
  /** Id of the session (UUID). */
  session_id: string;
  /** Name of the user. */
  name: string;
  /** Role of the session: the role of the user. */
  role: "Viewer" | "Editor" | "Admin" | "Relay" | "Gateway" | "Registrar" | (string & {});
  /** When it expires. */
  expires_at: string;
  /** The session key, used like an API key. It is shown only once. */
  key: string;
}

/**
 * Log in.
 *
 * For people: authenticate with Basic and the password, then use the session key. It expires after 12 hours.
 *
 * Role: **Viewer** or higher. Only with a user name and password.
 */
export const addSession: PlainOperation<Record<never, never>, AddSessionReply> = /* @__PURE__ */ operation<AddSessionReply>({ id: "addSession", method: "POST", path: "/v1/sessions", bare: true });

/**
 * Silence objects for some time.
 *
 * Until it ends, the objects are in no finding of the summary, have the label `silenced` in the metrics, and their states cause no events. A silence with the same selector is replaced. A caller with owners must require one of them in the selector.
 *
 * Role: **Editor** or higher.
 */
export const addSilence: Operation<AddSilence, Silence> = /* @__PURE__ */ operation<Silence>({ id: "addSilence", method: "POST", path: "/v1/silences", repeatable: true, since: /* @__PURE__ */ since("0.2.0") });

/**
 * Add a user.
 *
 * The reply contains an invitation, with which the user sets a password (`POST /v1/logins`). It is shown only once.
 *
 * Role: **Admin**.
 */
export const addUser: Operation<AddUser, InvitedUser> = /* @__PURE__ */ operation<InvitedUser>({ id: "addUser", method: "POST", path: "/v1/users", since: /* @__PURE__ */ since("0.2.0") });

/**
 * Admit agent processes to a gateway.
 *
 * For a gateway that holds the connections of agent processes: checks the API key of each of up to 100 processes. A key that may report for its process admits it, and the reply contains the agents of the host. If all have status 503, the reply is a 503.
 *
 * Role: **Admin**. A **Gateway** may call it.
 */
export const admitAgents: Operation<Admissions, AdmissionResults> = /* @__PURE__ */ operation<AdmissionResults>({ id: "admitAgents", method: "POST", path: "/v1/gateway/admissions", repeatable: true, since: /* @__PURE__ */ since("0.2.0") });

/**
 * Read, approve or deny the request of a device.
 *
 * For people with a session. An approval gives the program a session of the caller: with at most the role of the caller, the same owners, and an end not after that of the log-in. The session of a device answers no other: 403. A code is answered once. 400 for `user_code`: no program waits with it. A person has 10 requests in a minute.
 *
 * Role: **Viewer** or higher. Only with a session key.
 */
export const answerDevice: Operation<AnswerDevice, Device> = /* @__PURE__ */ operation<Device>({ id: "answerDevice", method: "POST", path: "/v1/device-authorizations/answer", since: /* @__PURE__ */ since("0.2.0") });

/**
 * Ask for a session on a device without a browser.
 *
 * The device authorization request of RFC 8628, as JSON. The program shows `user_code`; a person who is logged in types it in the console and approves or denies. In the meantime the program repeats `POST /v1/logins` with the method `device`. An address has 60 requests of this kind in a minute.
 *
 * Requires no credentials.
 */
export const authorizeDevice: Operation<AuthorizeDevice, DeviceCodes> = /* @__PURE__ */ operation<DeviceCodes>({ id: "authorizeDevice", method: "POST", path: "/v1/device-authorizations", since: /* @__PURE__ */ since("0.2.0") });

export interface CancelReconciliationInput {
  /** Id of the plan (UUID). (at most 36 characters) */
  plan_id: string;
}

/**
 * Cancel a reconciliation.
 *
 * Ends a plan of `POST /v1/reconcile` or its job. After a few seconds no more changes start. Completed changes stay. A plan that is done or cancelled does not change. Requires the caller that made the plan, or an Admin.
 *
 * Role: **Editor** or higher.
 */
export const cancelReconciliation: Operation<CancelReconciliationInput, Reconciliation> = /* @__PURE__ */ operation<Reconciliation>({ id: "cancelReconciliation", method: "POST", path: "/v1/reconcile/{plan_id}/cancel", repeatable: true, bare: true });

export type ChangeAgentInput = ChangeAgent & {
  /** Id of the agent (UUID). (at most 36 characters) */
  agent_id: string;
};

/**
 * Change an agent.
 *
 * JSON Merge Patch: an absent field keeps its value, null clears it. Labels merge by name. Lists of targets are replaced as a whole. Type, id and place cannot change.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const changeAgent: Operation<ChangeAgentInput, Agent, CallOptions & IfMatch> = /* @__PURE__ */ operation<Agent>({ id: "changeAgent", method: "PATCH", path: "/v1/agents/{agent_id}" });

export type ChangeApiKeyInput = ChangeApiKey & {
  /** Id of the API key (UUID). (at most 36 characters) */
  key_id: string;
};

/**
 * Change the rate limit or the owners of an API key, or disable it.
 *
 * Applies to all secrets of the key. null removes the rate limit; owners can only be narrowed. A disabled key gets 401 until it is enabled; no key disables itself. An absent field changes nothing.
 *
 * Role: **Admin**.
 */
export const changeApiKey: Operation<ChangeApiKeyInput, undefined> = /* @__PURE__ */ operation<undefined>({ id: "changeApiKey", method: "PATCH", path: "/v1/api-keys/{key_id}" });

export type ChangeNodeInput = ChangeNode & {
  /** Id of the node (UUID). (at most 36 characters) */
  node_id: string;
};

/**
 * Change a node.
 *
 * JSON Merge Patch: an absent field keeps its value, null clears it. Labels merge by name. Type, name and id cannot change.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const changeNode: Operation<ChangeNodeInput, Node, CallOptions & IfMatch> = /* @__PURE__ */ operation<Node>({ id: "changeNode", method: "PATCH", path: "/v1/nodes/{node_id}" });

export type ChangeRoleBindingInput = ChangeRoleBinding & {
  /** Id of the role binding: its name. (at most 64 characters) */
  binding_id: string;
};

/**
 * Change a role binding.
 *
 * An absent field keeps its value, null clears it; `claims` replaces all claims. Name and provider cannot change. If it can take something from an identity, the keys and sessions that rest on it end; otherwise it applies to later log-ins.
 *
 * Role: **Admin**.
 */
export const changeRoleBinding: Operation<ChangeRoleBindingInput, RoleBinding, CallOptions & IfMatch> = /* @__PURE__ */ operation<RoleBinding>({ id: "changeRoleBinding", method: "PATCH", path: "/v1/role-bindings/{binding_id}", since: /* @__PURE__ */ since("0.2.0") });

export type ChangeSavedFilterInput = ChangeSavedFilter & {
  /** Id of the saved filter (UUID). (at most 36 characters) */
  saved_filter_id: string;
};

/**
 * Change or pin a saved filter.
 *
 * An absent field keeps its value. `pinned` concerns the caller alone, and is no change of the filter: everybody pins shared filters. Else a shared filter is changed by its maker, who needs the role Editor, or by an Admin.
 *
 * Role: **Viewer** or higher.
 */
export const changeSavedFilter: Operation<ChangeSavedFilterInput, SavedFilter, CallOptions & IfMatch> = /* @__PURE__ */ operation<SavedFilter>({ id: "changeSavedFilter", method: "PATCH", path: "/v1/saved-filters/{saved_filter_id}", since: /* @__PURE__ */ since("0.2.0") });

export type ChangeServiceInput = ChangeService & {
  /** Id of the service (UUID). (at most 36 characters) */
  service_id: string;
};

/**
 * Change a service.
 *
 * JSON Merge Patch: an absent field keeps its value, null clears it. Labels merge by name, node_ids is replaced as a whole. Type, name and id cannot change.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const changeService: Operation<ChangeServiceInput, Service, CallOptions & IfMatch> = /* @__PURE__ */ operation<Service>({ id: "changeService", method: "PATCH", path: "/v1/services/{service_id}" });

export type ChangeUserInput = ChangeUser & {
  /** Id of the user: the user name. (at most 128 characters) */
  user_id: string;
};

/**
 * Change a user.
 *
 * A change ends all sessions of the user. An absent field changes nothing.
 *
 * Role: **Admin**.
 */
export const changeUser: Operation<ChangeUserInput, User> = /* @__PURE__ */ operation<User>({ id: "changeUser", method: "PATCH", path: "/v1/users/{user_id}", since: /* @__PURE__ */ since("0.2.0") });

/**
 * Remove silent ephemeral nodes.
 *
 * Removes every ephemeral node without a report for its remove_after, and its dependent objects. With `dry_run`, only lists them. A node that reports in the meantime is not removed. If the removals would exceed `max_removals_percent`, nothing is removed, because lost reports are the likely cause. A large inventory takes several requests; the first ones only count.
 *
 * Role: **Editor** or higher.
 */
export const cleanUp: Operation<Cleanup, CleanedUp> = /* @__PURE__ */ operation<CleanedUp>({ id: "cleanUp", method: "POST", path: "/v1/cleanup" });

export interface CountGroupsInput {
  /** Kind of the objects. */
  kind?: "node" | "service" | "agent" | undefined;
  /** Property whose values are the groups: `state`, `type`, `status`, `region`, `az`, `cluster`, `environment`, `version`; of services all but `status`, of nodes `state`, `type`, `region`, `az`, `cluster`, `agent_version`. `labels.NAME`: a label or attribute, as selectors read it. `owner`: the owner label. (at most 135 characters) */
  group_by?: string | undefined;
  /** Only objects of this type. */
  type?: "generic" | "container" | "remote" | "remote_rds" | "remote_azure_database" | "mysql" | "mongodb" | "postgresql" | "proxysql" | "haproxy" | "valkey" | "external" | "pmm_agent" | "vm_agent" | "nomad_agent" | "node_exporter" | "mysqld_exporter" | "mongodb_exporter" | "postgres_exporter" | "proxysql_exporter" | "valkey_exporter" | "rds_exporter" | "azure_database_exporter" | "qan_mysql_perfschema_agent" | "qan_mysql_slowlog_agent" | "qan_mongodb_profiler_agent" | "qan_mongodb_mongolog_agent" | "qan_postgresql_pgstatements_agent" | "qan_postgresql_pgstatmonitor_agent" | "rta_mongodb_agent" | "rta_mysql_agent" | "otel_collector" | "external_exporter" | undefined;
  /** Only names with this prefix. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  name_prefix?: string | undefined;
  /** Only objects in this region, as in their list. With an empty value: only those without one. (at most 128 characters) */
  region?: string | undefined;
  /** Only objects in this zone, as in their list. With an empty value: only those without one. (at most 128 characters) */
  az?: string | undefined;
  /** Only objects of this cluster, as in their list. With an empty value: only those without one. (at most 128 characters) */
  cluster?: string | undefined;
  /** Only objects of this environment, as in their list. With an empty value: only those without one. (at most 128 characters) */
  environment?: string | undefined;
  /** Only objects with this version. With an empty value: only those without one. (at most 256 characters) */
  version?: string | undefined;
  /** Only objects that a selector in the syntax of Kubernetes matches, as in their list. (at most 2000 characters) */
  selector?: string | undefined;
  /** Only objects in one of these states, separated by commas. */
  state?: 'live' | 'stale' | 'offline' | 'never_seen' | readonly ('live' | 'stale' | 'offline' | 'never_seen')[] | undefined;
  /** Only agents with one of these reported statuses, separated by commas. */
  status?: 'unknown' | 'starting' | 'running' | 'waiting' | 'stopping' | 'done' | 'not_supported' | readonly ('unknown' | 'starting' | 'running' | 'waiting' | 'stopping' | 'done' | 'not_supported')[] | undefined;
  /** Only agents with their reported status for at least this time, such as 30m or 1d. (at most 32 characters) */
  status_for?: string | undefined;
  /** Only nodes on which an agent reports this version. With an empty value: only those without one. (at most 256 characters) */
  agent_version?: string | undefined;
  /** The `next` of the previous reply to the same request. (at most 4096 characters) */
  after?: string | undefined;
}

export interface CountGroupsReply {
  /** The groups, the largest first. An object with several values is in several groups. */
  groups: Group[];
  /** The label whose values these are, if they are those of a label. */
  label?: string;
  /** When they were counted, if not now. */
  counted_at?: string;
  /** If present, not all objects are counted: repeat the request with this `after`, and add the numbers of equal values. */
  next?: string;
}

/**
 * Count objects by a property.
 *
 * Counts the nodes, services or agents that match all filters by the values of one property, with the worst state of each group. A reply counts at most 20,000 objects.
 *
 * Role: **Viewer** or higher.
 */
export const countGroups: PlainOperation<CountGroupsInput, CountGroupsReply> = /* @__PURE__ */ operation<CountGroupsReply>({ id: "countGroups", method: "GET", path: "/v1/groups", since: /* @__PURE__ */ since("0.2.0") });

export interface DiscoverTargetsInput {
  /** Only targets for a scraper on this node, by its id; `self` is the node of the key. They include agents with `push_metrics`, and exporters of the agent process have the address `127.0.0.1`. Not with `shard` or `networks`. (at most 64 characters) */
  node?: string | undefined;
  /** Only targets whose labels match, in the syntax of Kubernetes: `environment=prod,tier in (gold,silver),!legacy`. Matches the custom labels of node, service and agent and these attributes, which hide custom labels of the same name: `node_id`, `node_name`, `node_type`, `machine_id`, `container_id`, `container_name`, `node_model`, `region`, `az`, `instance_id`, `service_id`, `service_name`, `service_type`, `environment`, `cluster`, `replication_set`, `group`, `agent_id`, `agent_type`. (at most 2000 characters) */
  selector?: string | undefined;
  /** Only one of several disjoint parts of the targets: `0/16` is the first of 16 and `15/16` the last. At most 64 parts. (at most 5 characters) */
  shard?: string | undefined;
  /** Only targets whose address is an IP address in one of these networks, such as `10.0.0.0/8,2001:db8::/32`. Host names never match; they are not resolved. (at most 2000 characters) */
  networks?: string | undefined;
}

/**
 * Discover targets for Prometheus.
 *
 * Targets in the format of `http_sd_configs`: one for each enabled agent that has a `listen_port` and a known address and does not push its metrics. The list is complete or the reply is an error, so that a client keeps its previous list. A list that exceeds the maximum size (about 6 MB, more with gzip) is refused with 413; use `shard`. A Registrar gets the targets of its own node, with `node=self`.
 *
 * Role: **Viewer** or higher. A **Registrar** may call it within its node.
 */
export const discoverTargets: Get<DiscoverTargetsInput, TargetGroup[]> = /* @__PURE__ */ operation<TargetGroup[]>({ id: "discoverTargets", method: "GET", path: "/v1/discovery/prometheus" });

export interface EndSessionInput {
  /** Id of the session (UUID). (at most 36 characters) */
  session_id: string;
}

/**
 * End a session.
 *
 * The session key stops working. An Admin can end every session. Other callers can end only their own; for other sessions the reply is 404.
 *
 * Role: **Viewer** or higher.
 */
export const endSession: Operation<EndSessionInput, undefined> = /* @__PURE__ */ operation<undefined>({ id: "endSession", method: "DELETE", path: "/v1/sessions/{session_id}" });

export interface EndUserSessionsInput {
  /** Id of the user: the user name. (at most 128 characters) */
  user_id: string;
}

/**
 * End all sessions of a user.
 *
 * The user can log in again.
 *
 * Role: **Admin**.
 */
export const endUserSessions: Operation<EndUserSessionsInput, undefined> = /* @__PURE__ */ operation<undefined>({ id: "endUserSessions", method: "DELETE", path: "/v1/users/{user_id}/sessions", since: /* @__PURE__ */ since("0.2.0") });

/**
 * Exchange an enrolment token for a key.
 *
 * Adds the node and a key with the role Registrar that is bound to it, in one transaction, and removes the token. A token for one node can enrol that node again if it exists: the node does not change and its previous key expires at once. The reply contains the key. It is shown only once. The reply is 401 for every token that is unknown, used, removed or expired.
 *
 * Requires no credentials.
 */
export const enrolNode: Operation<EnrolNode, EnrolledNode> = /* @__PURE__ */ operation<EnrolledNode>({ id: "enrolNode", method: "POST", path: "/v1/enrolment" });

export interface ExportInventoryInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
}

export type ExportInventoryReply = LineEnd & { lines: Exclude<ExportLine, LineEnd | OtherExportLine>[] };

/**
 * Export the inventory.
 *
 * Nodes, services, pmm_agents and other agents, in this order, in pages with one object per line. An object is always after the objects that it refers to. The last line of a page contains the token of the next page or says that the export is complete. An import accepts the pages unchanged.
 *
 * The export is not a snapshot: changes during the export may be missing, and an object may refer to a missing object. An import refuses such a line. Lists lag behind writes by about a second.
 *
 * Role: **Viewer** or higher.
 */
export const exportInventory: List<ExportInventoryInput, Exclude<ExportLine, LineEnd | OtherExportLine>, ExportInventoryReply> = /* @__PURE__ */ list<'lines', Exclude<ExportLine, LineEnd | OtherExportLine>, ExportInventoryReply>({ id: "exportInventory", method: "GET", path: "/v1/export", items: "lines", read: valueOfLines });

export interface GetAgentInput {
  /** Id of the agent (UUID). (at most 36 characters) */
  agent_id: string;
}

/**
 * Get an agent.
 *
 * Role: **Viewer** or higher. A **Registrar** may call it within its node. A **Gateway** may call it.
 */
export const getAgent: Get<GetAgentInput, Agent> = /* @__PURE__ */ operation<Agent>({ id: "getAgent", method: "GET", path: "/v1/agents/{agent_id}" });

export interface GetAgentStatesInput {
  /** Id of the agent (UUID). (at most 36 characters) */
  agent_id: string;
}

/**
 * States of an agent in the last day.
 *
 * From the reports of its agent process, else from those of its node.
 *
 * Role: **Viewer** or higher.
 */
export const getAgentStates: Operation<GetAgentStatesInput, AgentStates> = /* @__PURE__ */ operation<AgentStates>({ id: "getAgentStates", method: "GET", path: "/v1/agents/{agent_id}/states", since: /* @__PURE__ */ since("0.2.0") });

export interface GetCallerReply {
  /** How the caller was authenticated: by an API key, a session, or a password. */
  kind: "api_key" | "session" | "user" | (string & {});
  /** Id of the key or session, or the user name. */
  id: string;
  /** Name of the user or key. */
  name: string;
  /** Role of the caller. */
  role: "Viewer" | "Editor" | "Admin" | "Relay" | "Gateway" | "Registrar" | (string & {});
  /** When the credentials expire; absent if never. */
  expires_at?: string;
  /** Id of the user of a session, except for sessions of `admin`. */
  user_id?: string;
  /** Id of the node that a Registrar is bound to (UUID). */
  node_id?: string;
  /** The owners to which the writes are limited; absent without a limit. */
  owners?: string[];
  /** Requests per minute; absent if the key has no rate limit. */
  rate_limit_per_minute?: number;
}

/**
 * Get the caller.
 *
 * Role: **Viewer** or higher. A **Registrar** may call it within its node.
 */
export const getCaller: PlainOperation<Record<never, never>, GetCallerReply> = /* @__PURE__ */ operation<GetCallerReply>({ id: "getCaller", method: "GET", path: "/v1/caller" });

export interface GetClusterStatesInput {
  /** Name of the cluster. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  cluster: string;
}

/**
 * States of a cluster in the last day.
 *
 * At each time the worst state of its services, of at most 1000; of a service, the best state of its nodes. Nodes do not count before their first report.
 *
 * Role: **Viewer** or higher.
 */
export const getClusterStates: Operation<GetClusterStatesInput, ClusterStates> = /* @__PURE__ */ operation<ClusterStates>({ id: "getClusterStates", method: "GET", path: "/v1/clusters/{cluster}/states", since: /* @__PURE__ */ since("0.2.0") });

/**
 * Get metrics for Prometheus.
 *
 * The numbers of the summary.
 *
 * Role: **Viewer** or higher.
 */
export const getMetrics: PlainOperation<Record<never, never>, string> = /* @__PURE__ */ operation<string>({ id: "getMetrics", method: "GET", path: "/v1/metrics", text: true, since: /* @__PURE__ */ since("0.2.0") });

export interface GetNodeInput {
  /** Id of the node (UUID). (at most 36 characters) */
  node_id: string;
}

/**
 * Get a node.
 *
 * Role: **Viewer** or higher. A **Registrar** may call it within its node. A **Gateway** may call it.
 */
export const getNode: Get<GetNodeInput, Node> = /* @__PURE__ */ operation<Node>({ id: "getNode", method: "GET", path: "/v1/nodes/{node_id}" });

export interface GetNodeStatesInput {
  /** Id of the node (UUID). (at most 36 characters) */
  node_id: string;
}

/**
 * States of a node in the last day.
 *
 * Computed from the reports of the present agent processes of the node.
 *
 * Role: **Viewer** or higher.
 */
export const getNodeStates: Operation<GetNodeStatesInput, NodeStates> = /* @__PURE__ */ operation<NodeStates>({ id: "getNodeStates", method: "GET", path: "/v1/nodes/{node_id}/states", since: /* @__PURE__ */ since("0.2.0") });

export interface GetObjectAsOfInput {
  /** Kind of the object. */
  kind: "node" | "service" | "agent";
  /** Id of the node, service or agent. (at most 36 characters) */
  object_id: string;
  /** A time in the past (RFC 3339); default: now. */
  time?: string | undefined;
  /** Of a removed object: the change that removed it, as `change_id` in the list of removals and in the change feed. Without it, a removed object is not found. */
  removal?: string | undefined;
}

/**
 * Get an object as of a time.
 *
 * A node, service or agent as it was at a time, and how long it was so: computed from the present object, or from its removal, and its changes since then.
 *
 * Role: **Viewer** or higher.
 */
export const getObjectAsOf: Operation<GetObjectAsOfInput, ObjectAsOf> = /* @__PURE__ */ operation<ObjectAsOf>({ id: "getObjectAsOf", method: "GET", path: "/v1/as-of/{kind}/{object_id}", since: /* @__PURE__ */ since("0.2.0") });

export interface GetReadinessReply {
}

/**
 * Check whether the server is ready.
 *
 * 503 if the table cannot be used or is not initialised. The message contains the reason and the remedy.
 *
 * Requires no credentials.
 */
export const getReadiness: PlainOperation<Record<never, never>, GetReadinessReply> = /* @__PURE__ */ operation<GetReadinessReply>({ id: "getReadiness", method: "GET", path: "/v1/readyz" });

export interface GetReconciliationInput {
  /** Id of the plan (UUID). (at most 36 characters) */
  plan_id: string;
}

/**
 * Get the progress of a reconciliation.
 *
 * The progress of a plan of `POST /v1/reconcile`. The service applies it in the background and counts completed changes about every 20 seconds. Visible only to the caller that made it.
 *
 * Role: **Viewer** or higher.
 */
export const getReconciliation: Operation<GetReconciliationInput, Reconciliation> = /* @__PURE__ */ operation<Reconciliation>({ id: "getReconciliation", method: "GET", path: "/v1/reconcile/{plan_id}" });

export interface GetRoleBindingInput {
  /** Id of the role binding: its name. (at most 64 characters) */
  binding_id: string;
}

/**
 * Get a role binding.
 *
 * Role: **Admin**.
 */
export const getRoleBinding: Get<GetRoleBindingInput, RoleBinding> = /* @__PURE__ */ operation<RoleBinding>({ id: "getRoleBinding", method: "GET", path: "/v1/role-bindings/{binding_id}", since: /* @__PURE__ */ since("0.2.0") });

export interface GetServiceInput {
  /** Id of the service (UUID). (at most 36 characters) */
  service_id: string;
}

/**
 * Get a service.
 *
 * Role: **Viewer** or higher. A **Registrar** may call it within its node. A **Gateway** may call it.
 */
export const getService: Get<GetServiceInput, Service> = /* @__PURE__ */ operation<Service>({ id: "getService", method: "GET", path: "/v1/services/{service_id}" });

export interface GetSummaryInput {
  /** A summary of up to this age, in seconds, is not computed again. (60..600) */
  max_age?: number | undefined;
}

/**
 * Get totals, findings and recent changes.
 *
 * Computed on demand and kept for 60 seconds.
 *
 * Role: **Viewer** or higher.
 */
export const getSummary: PlainOperation<GetSummaryInput, Summary> = /* @__PURE__ */ operation<Summary>({ id: "getSummary", method: "GET", path: "/v1/summary", since: /* @__PURE__ */ since("0.2.0") });

export interface GetVersionReply {
  /** Service version; for PMM, that of its API. */
  version: string;
  /** Its source. */
  build: {
  /** Service version. */
  version: string;
  /** Source commit. */
  commit: string;
  /** Build time (RFC 3339). */
  time: string;
};
  /** For PMM. */
  server?: Record<string, string>;
  /** For PMM. */
  managed?: Record<string, string>;
  /** For PMM. */
  distribution_method?: string;
  /** Base URL for reports; absent: that of other requests. */
  report_url?: string;
  /** Dashboard URLs. */
  dashboards?: Record<string, string>;
  /** Label whose values are owners. */
  owner_label?: string;
  /** Days that changes are kept. */
  retention_days?: number;
  /** First segment of every path. */
  api: "v1";
}

/**
 * Get the version of the server.
 *
 * Role: **Viewer** or higher. A **Registrar** may call it within its node.
 */
export const getVersion: PlainOperation<Record<never, never>, GetVersionReply> = /* @__PURE__ */ operation<GetVersionReply>({ id: "getVersion", method: "GET", path: "/v1/version" });

export interface ImportInventoryInput {
  /** Report the results without any change. */
  dry_run?: boolean | undefined;
  /** The objects. One JSON value per line. */
  lines: readonly (ImportLine | ExportLine)[];
}

/**
 * Import objects.
 *
 * Adds or changes the objects of the lines, with their ids. A new object gets the times and the revision of its line, if present. An existing object that differs is changed: it keeps its history and state, and its revision increases. Nothing is removed, so the same lines can be sent again.
 *
 * At most 1000 objects, each after the objects that it refers to, as in an export; split larger files. If a line is malformed, all lines are refused. Otherwise each line succeeds or fails individually, under the rules of an add or a change. A name, an address or a path that is invalid under the present rules refuses its line, unless the object has it. Fields of `details` begin with the number of the line, counted from 0 without blank lines.
 *
 * Role: **Admin**.
 */
export const importInventory: Operation<ImportInventoryInput, ImportResults> = /* @__PURE__ */ operation<ImportResults>({ id: "importInventory", method: "POST", path: "/v1/import", repeatable: true, lines: textOfLines });

export type InviteUserInput = Invitation & {
  /** Id of the user: the user name. (at most 128 characters) */
  user_id: string;
};

/**
 * Invite a user again.
 *
 * For a lost invitation or password. The previous invitation, the password and all sessions of the user end. The reply contains the invitation. It is shown only once.
 *
 * Role: **Admin**.
 */
export const inviteUser: Operation<InviteUserInput, InvitedUser> = /* @__PURE__ */ operation<InvitedUser>({ id: "inviteUser", method: "POST", path: "/v1/users/{user_id}/invite", since: /* @__PURE__ */ since("0.2.0") });

export interface ListAgentHistoryInput {
  /** Id of the agent (UUID). (at most 36 characters) */
  agent_id: string;
  /** Maximum number of changes in the reply. (1..50) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
}

export interface ListAgentHistoryReply {
  /** The changes, newest first. */
  changes: Change[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/**
 * History of an agent.
 *
 * The changes of one agent, newest first. Kept for 30 days by default. Removed objects are only in the change feed.
 *
 * Role: **Viewer** or higher. A **Registrar** may call it within its node.
 */
export const listAgentHistory: ListOf<ListAgentHistoryInput, Change, ListAgentHistoryReply> = /* @__PURE__ */ list<'changes', Change, ListAgentHistoryReply>({ id: "listAgentHistory", method: "GET", path: "/v1/agents/{agent_id}/history", items: "changes" });

export interface ListAgentsInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
  /** Only agents of this type. */
  agent_type?: "pmm_agent" | "vm_agent" | "nomad_agent" | "node_exporter" | "mysqld_exporter" | "mongodb_exporter" | "postgres_exporter" | "proxysql_exporter" | "valkey_exporter" | "rds_exporter" | "azure_database_exporter" | "qan_mysql_perfschema_agent" | "qan_mysql_slowlog_agent" | "qan_mongodb_profiler_agent" | "qan_mongodb_mongolog_agent" | "qan_postgresql_pgstatements_agent" | "qan_postgresql_pgstatmonitor_agent" | "rta_mongodb_agent" | "rta_mysql_agent" | "otel_collector" | "external_exporter" | undefined;
  /** Only agents that run on this node. With up to 50 ids, separated by commas: with one of these. (at most 1900 characters) */
  runs_on_node_id?: string | undefined;
  /** Only agents under this pmm_agent. With up to 50 ids, separated by commas: with one of these. (at most 1900 characters) */
  pmm_agent_id?: string | undefined;
  /** Only agents that give insight into this node. With up to 50 ids, separated by commas: with one of these. (at most 1900 characters) */
  node_id?: string | undefined;
  /** Only agents that give insight into this service. With up to 50 ids, separated by commas: with one of these. (at most 1900 characters) */
  service_id?: string | undefined;
  /** Only agents with one of these reported statuses, separated by commas. */
  status?: 'unknown' | 'starting' | 'running' | 'waiting' | 'stopping' | 'done' | 'not_supported' | readonly ('unknown' | 'starting' | 'running' | 'waiting' | 'stopping' | 'done' | 'not_supported')[] | undefined;
  /** Only agents with their reported status for at least this time, such as 30m or 1d. (at most 32 characters) */
  status_for?: string | undefined;
  /** Only agents on a node in this region; of those on no node, with such a node as target. With an empty value: only those without one. (at most 128 characters) */
  region?: string | undefined;
  /** Only agents on a node in this zone; of those on no node, with such a node as target. With an empty value: only those without one. (at most 128 characters) */
  az?: string | undefined;
  /** Only agents with a service of this cluster as target. With an empty value: only those without one. (at most 128 characters) */
  cluster?: string | undefined;
  /** Only agents with a service of this environment as target. With an empty value: only those without one. (at most 128 characters) */
  environment?: string | undefined;
  /** Only agents that report this version. With an empty value: only those without one. (at most 256 characters) */
  version?: string | undefined;
  /** A selector in the syntax of Kubernetes: `env=prod,tier in (gold,silver),!legacy`. Matches custom labels and these attributes, which hide custom labels of the same name: `agent_id`, `agent_type`. (at most 2000 characters) */
  selector?: string | undefined;
  /** Only objects in one of these states, separated by commas. */
  state?: 'live' | 'stale' | 'offline' | 'never_seen' | readonly ('live' | 'stale' | 'offline' | 'never_seen')[] | undefined;
  /** Only objects added or changed at or after this time (RFC 3339). */
  updated_since?: string | undefined;
  /** `state`: show `state`, `reported_at` and the reported `connected`, `status`, `status_since`, `status_reason`, `listen_port`, `version`. Without it these are absent, unless the list is filtered by `state`, `status`, `status_for` or `version`, or `fields` names one of them; an agent without an agent process always shows those of them that it has. */
  include?: "state" | undefined;
  /** Only the id and these fields of each object: names, separated by commas. Other fields are absent, even those that the schema of the reply requires. (at most 2000 characters) */
  fields?: string | undefined;
  /** Also the total. */
  total?: boolean | undefined;
}

export interface ListAgentsReply {
  /** The objects, in the order of the list. */
  agents: Agent[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
  /** How many objects match. Absent if counting took too long. */
  total?: number;
  /** When they were counted, if not now. */
  total_at?: string;
}

/**
 * List agents.
 *
 * Sorted by type, then id. At most one of the four relations is allowed. With several ids of a relation, those without an object match nothing.
 *
 * Role: **Viewer** or higher. A **Gateway** may call it.
 */
export const listAgents: List<ListAgentsInput, Agent, ListAgentsReply> = /* @__PURE__ */ list<'agents', Agent, ListAgentsReply>({ id: "listAgents", method: "GET", path: "/v1/agents", items: "agents" });

export interface ListApiKeysInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
  /** Only names with this prefix. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  name_prefix?: string | undefined;
  /** Include expired keys. */
  include_expired?: boolean | undefined;
  /** Without keys of hosts, whose names start with `registrar/`. */
  exclude_hosts?: boolean | undefined;
}

export interface ListApiKeysReply {
  /** The objects, in the order of the list. */
  api_keys: ApiKey[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/**
 * List API keys.
 *
 * Sorted by name. The keys themselves are not returned.
 *
 * Role: **Admin**.
 */
export const listApiKeys: List<ListApiKeysInput, ApiKey, ListApiKeysReply> = /* @__PURE__ */ list<'api_keys', ApiKey, ListApiKeysReply>({ id: "listApiKeys", method: "GET", path: "/v1/api-keys", items: "api_keys" });

export interface ListAuditInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
  /** Only events of this key, session, token or user. (at most 128 characters) */
  actor_id?: string | undefined;
  /** Only events about the subject with this id. (at most 128 characters) */
  object_id?: string | undefined;
  /** Only these events. */
  event?: "node.added" | "node.changed" | "node.removed" | "node.restored" | "service.added" | "service.changed" | "service.removed" | "service.restored" | "agent.added" | "agent.changed" | "agent.removed" | "agent.restored" | "api_key.added" | "api_key.changed" | "api_key.rotated" | "api_key.removed" | "enrolment_token.added" | "enrolment_token.used" | "enrolment_token.removed" | "session.added" | "session.removed" | "session.changed" | "annotation.added" | "service_account.added" | "service_account.removed" | "user.added" | "user.changed" | "user.invited" | "user.password_set" | "user.sessions_ended" | "user.removed" | "role_binding.added" | "role_binding.changed" | "role_binding.removed" | "device.approved" | "device.denied" | "silence.added" | "silence.removed" | "saved_filter.added" | "saved_filter.changed" | "saved_filter.removed" | "sign_in.refused" | "log_out.refused" | "api_key.refused" | "enrolment.refused" | "call.refused" | undefined;
  /** Only at or after this time (RFC 3339). */
  since?: string | undefined;
  /** Only before this time (RFC 3339). */
  until?: string | undefined;
}

export interface ListAuditReply {
  /** The objects, in the order of the list. */
  entries: AuditEntry[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/**
 * Read the audit log.
 *
 * Changes of nodes, services and agents, operations on API keys, enrolment tokens and sessions, and refused requests, newest first. Kept for 30 days by default. Refusals are counted: one entry per minute, caller or address, and reason. With a filter, a page may be short or empty; the list ends when the token is absent.
 *
 * Role: **Admin**.
 */
export const listAudit: List<ListAuditInput, AuditEntry, ListAuditReply> = /* @__PURE__ */ list<'entries', AuditEntry, ListAuditReply>({ id: "listAudit", method: "GET", path: "/v1/audit", items: "entries" });

export interface ListChangesInput {
  /** The `next` of the previous page. `now` returns a cursor without changes: request it before you read the inventory. The feed repeats changes of the last 20 seconds. Default: the oldest changes. (at most 7000 characters) */
  since?: string | undefined;
  /** Default: all but `state`. Only changes of these kinds, separated by commas. */
  kinds?: 'node' | 'service' | 'agent' | 'state' | readonly ('node' | 'service' | 'agent' | 'state')[] | undefined;
  /** Maximum number of changes in the reply. (1..1000) */
  limit?: number | undefined;
  /** Seconds to wait if there are no changes. Not allowed with `since=now`. (0..20) */
  wait?: number | undefined;
}

export interface ListChangesReply {
  /** The changes, in order. */
  changes: Change[];
  /** The cursor of the next page. Store it after processing the changes. */
  next: string;
  /** True if more changes are available now. */
  more: boolean;
}

/**
 * List changes.
 *
 * Every add, change and removal, exactly once and in causal order; changes of one object are in order of revision. To follow the feed, pass `next` as `since` in the following request. Changes are kept for 30 days by default. For an older cursor the reply is 410; read the inventory again.
 *
 * Role: **Viewer** or higher. A **Gateway** may call it.
 */
export const listChanges: PlainOperation<ListChangesInput, ListChangesReply> = /* @__PURE__ */ operation<ListChangesReply>({ id: "listChanges", method: "GET", path: "/v1/changes" });

export interface ListClustersInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
  /** Only clusters whose name has this prefix. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  name_prefix?: string | undefined;
  /** `region`: show `regions` and `azs`, for which the nodes are read. */
  include?: "region" | undefined;
}

export interface ListClustersReply {
  /** The clusters of this page. */
  clusters: Cluster[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/**
 * List clusters.
 *
 * Returns each name that services have in their field `cluster`, sorted by name, with counts of the services and nodes.
 *
 * Role: **Viewer** or higher.
 */
export const listClusters: List<ListClustersInput, Cluster, ListClustersReply> = /* @__PURE__ */ list<'clusters', Cluster, ListClustersReply>({ id: "listClusters", method: "GET", path: "/v1/clusters", items: "clusters" });

export interface ListEnrolmentTokensInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
}

export interface ListEnrolmentTokensReply {
  /** The objects, in the order of the list. */
  enrolment_tokens: EnrolmentToken[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/**
 * List enrolment tokens.
 *
 * Unused tokens that have not expired, sorted by id. A used token is removed; the key that it created contains its id.
 *
 * Role: **Admin**.
 */
export const listEnrolmentTokens: List<ListEnrolmentTokensInput, EnrolmentToken, ListEnrolmentTokensReply> = /* @__PURE__ */ list<'enrolment_tokens', EnrolmentToken, ListEnrolmentTokensReply>({ id: "listEnrolmentTokens", method: "GET", path: "/v1/enrolment-tokens", items: "enrolment_tokens" });

export interface ListLogInMethodsReply {
  /** The objects, in the order of the list. */
  methods: LogInMethod[];
}

/**
 * List the ways to log in.
 *
 * For log-in pages, which choose a method of `POST /v1/logins` from this list. Clients ignore methods that they do not know.
 *
 * Requires no credentials.
 */
export const listLogInMethods: PlainOperation<Record<never, never>, ListLogInMethodsReply> = /* @__PURE__ */ operation<ListLogInMethodsReply>({ id: "listLogInMethods", method: "GET", path: "/v1/logins", since: /* @__PURE__ */ since("0.2.0") });

export interface ListNodeHistoryInput {
  /** Id of the node (UUID). (at most 36 characters) */
  node_id: string;
  /** Maximum number of changes in the reply. (1..50) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
}

export interface ListNodeHistoryReply {
  /** The changes, newest first. */
  changes: Change[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/**
 * History of a node.
 *
 * The changes of one node, newest first. Kept for 30 days by default. Removed objects are only in the change feed.
 *
 * Role: **Viewer** or higher. A **Registrar** may call it within its node.
 */
export const listNodeHistory: ListOf<ListNodeHistoryInput, Change, ListNodeHistoryReply> = /* @__PURE__ */ list<'changes', Change, ListNodeHistoryReply>({ id: "listNodeHistory", method: "GET", path: "/v1/nodes/{node_id}/history", items: "changes" });

export interface ListNodesInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
  /** Only nodes of this type. */
  node_type?: "generic" | "container" | "remote" | "remote_rds" | "remote_azure_database" | undefined;
  /** Only names with this prefix. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  name_prefix?: string | undefined;
  /** Only nodes in this region. With an empty value: only those without one. (at most 128 characters) */
  region?: string | undefined;
  /** Only nodes in this zone. With an empty value: only those without one. (at most 128 characters) */
  az?: string | undefined;
  /** Only nodes on which services of this cluster run, of at most 1000 services. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  cluster?: string | undefined;
  /** Only nodes on which an agent reports this version. With an empty value: only those without one. (at most 256 characters) */
  agent_version?: string | undefined;
  /** A selector in the syntax of Kubernetes: `env=prod,tier in (gold,silver),!legacy`. Matches custom labels and these attributes, which hide custom labels of the same name: `node_id`, `node_name`, `node_type`, `address`, `machine_id`, `container_id`, `container_name`, `node_model`, `region`, `az`, `instance_id`. (at most 2000 characters) */
  selector?: string | undefined;
  /** Only objects in one of these states, separated by commas. */
  state?: 'live' | 'stale' | 'offline' | 'never_seen' | readonly ('live' | 'stale' | 'offline' | 'never_seen')[] | undefined;
  /** Only objects added or changed at or after this time (RFC 3339). */
  updated_since?: string | undefined;
  /** `state`: show `state` and `reported_at`. Without it they are absent, unless the list is filtered by `state`, or `fields` names one of them. */
  include?: "state" | undefined;
  /** Only the id and these fields of each object: names, separated by commas. Other fields are absent, even those that the schema of the reply requires. (at most 2000 characters) */
  fields?: string | undefined;
  /** Also the total. */
  total?: boolean | undefined;
  /** Only nodes with this address. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  address?: string | undefined;
}

export interface ListNodesReply {
  /** The objects, in the order of the list. */
  nodes: Node[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
  /** How many objects match. Absent if counting took too long. */
  total?: number;
  /** When they were counted, if not now. */
  total_at?: string;
}

/**
 * List nodes.
 *
 * Sorted by name. A node must match all filters.
 *
 * Role: **Viewer** or higher. A **Gateway** may call it.
 */
export const listNodes: List<ListNodesInput, Node, ListNodesReply> = /* @__PURE__ */ list<'nodes', Node, ListNodesReply>({ id: "listNodes", method: "GET", path: "/v1/nodes", items: "nodes" });

export interface ListRemovedInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
}

export interface ListRemovedReply {
  /** The removals of this page. */
  removals: Removal[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/**
 * List removals.
 *
 * Removals of the last 7 days that were not restored, newest first.
 *
 * Role: **Viewer** or higher.
 */
export const listRemoved: List<ListRemovedInput, Removal, ListRemovedReply> = /* @__PURE__ */ list<'removals', Removal, ListRemovedReply>({ id: "listRemoved", method: "GET", path: "/v1/removed", items: "removals" });

export interface ListRoleBindingsInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
}

export interface ListRoleBindingsReply {
  /** The objects, in the order of the list. */
  role_bindings: RoleBinding[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/**
 * List role bindings.
 *
 * Sorted by id.
 *
 * Role: **Admin**.
 */
export const listRoleBindings: List<ListRoleBindingsInput, RoleBinding, ListRoleBindingsReply> = /* @__PURE__ */ list<'role_bindings', RoleBinding, ListRoleBindingsReply>({ id: "listRoleBindings", method: "GET", path: "/v1/role-bindings", items: "role_bindings", since: /* @__PURE__ */ since("0.2.0") });

export interface ListSavedFiltersReply {
  /** The saved filters. */
  saved_filters: SavedFilter[];
}

/**
 * List saved filters.
 *
 * The shared ones, at most 100, and those of the caller, at most 50, sorted by name.
 *
 * Role: **Viewer** or higher.
 */
export const listSavedFilters: PlainOperation<Record<never, never>, ListSavedFiltersReply> = /* @__PURE__ */ operation<ListSavedFiltersReply>({ id: "listSavedFilters", method: "GET", path: "/v1/saved-filters", since: /* @__PURE__ */ since("0.2.0") });

export interface ListServiceHistoryInput {
  /** Id of the service (UUID). (at most 36 characters) */
  service_id: string;
  /** Maximum number of changes in the reply. (1..50) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
}

export interface ListServiceHistoryReply {
  /** The changes, newest first. */
  changes: Change[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/**
 * History of a service.
 *
 * The changes of one service, newest first. Kept for 30 days by default. Removed objects are only in the change feed.
 *
 * Role: **Viewer** or higher. A **Registrar** may call it within its node.
 */
export const listServiceHistory: ListOf<ListServiceHistoryInput, Change, ListServiceHistoryReply> = /* @__PURE__ */ list<'changes', Change, ListServiceHistoryReply>({ id: "listServiceHistory", method: "GET", path: "/v1/services/{service_id}/history", items: "changes" });

export interface ListServiceTypesReply {
  /** Types of existing services. */
  service_types: ("mysql" | "mongodb" | "postgresql" | "proxysql" | "haproxy" | "valkey" | "external" | (string & {}))[];
}

/**
 * List service types in use.
 *
 * Role: **Viewer** or higher.
 */
export const listServiceTypes: PlainOperation<Record<never, never>, ListServiceTypesReply> = /* @__PURE__ */ operation<ListServiceTypesReply>({ id: "listServiceTypes", method: "GET", path: "/v1/services/types" });

export interface ListServicesInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
  /** Only services of this type. */
  service_type?: "mysql" | "mongodb" | "postgresql" | "proxysql" | "haproxy" | "valkey" | "external" | undefined;
  /** Only names with this prefix. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  name_prefix?: string | undefined;
  /** Only services that run on this node. (at most 36 characters) */
  node_id?: string | undefined;
  /** Only services of this cluster. With an empty value: only those without one. (at most 128 characters) */
  cluster?: string | undefined;
  /** Only services of this environment. With an empty value: only those without one. (at most 128 characters) */
  environment?: string | undefined;
  /** Only external services of this group. With an empty value: only those without one. (at most 128 characters) */
  group?: string | undefined;
  /** Only services on a node in this region. With an empty value: only those without one. (at most 128 characters) */
  region?: string | undefined;
  /** Only services on a node in this zone. With an empty value: only those without one. (at most 128 characters) */
  az?: string | undefined;
  /** Only services with this version. With an empty value: only those without one. (at most 256 characters) */
  version?: string | undefined;
  /** A selector in the syntax of Kubernetes: `env=prod,tier in (gold,silver),!legacy`. Matches custom labels and these attributes, which hide custom labels of the same name: `service_id`, `service_name`, `service_type`, `address`, `environment`, `cluster`, `replication_set`, `group`. (at most 2000 characters) */
  selector?: string | undefined;
  /** Only objects in one of these states, separated by commas. */
  state?: 'live' | 'stale' | 'offline' | 'never_seen' | readonly ('live' | 'stale' | 'offline' | 'never_seen')[] | undefined;
  /** Only objects added or changed at or after this time (RFC 3339). */
  updated_since?: string | undefined;
  /** `state`: show `state` and `reported_at`. Without it they are absent, unless the list is filtered by `state`, or `fields` names one of them. */
  include?: "state" | undefined;
  /** Only the id and these fields of each object: names, separated by commas. Other fields are absent, even those that the schema of the reply requires. (at most 2000 characters) */
  fields?: string | undefined;
  /** Also the total. */
  total?: boolean | undefined;
  /** Only services with this address. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  address?: string | undefined;
}

export interface ListServicesReply {
  /** The objects, in the order of the list. */
  services: Service[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
  /** How many objects match. Absent if counting took too long. */
  total?: number;
  /** When they were counted, if not now. */
  total_at?: string;
}

/**
 * List services.
 *
 * Sorted by name. A service must match all filters.
 *
 * Role: **Viewer** or higher. A **Gateway** may call it.
 */
export const listServices: List<ListServicesInput, Service, ListServicesReply> = /* @__PURE__ */ list<'services', Service, ListServicesReply>({ id: "listServices", method: "GET", path: "/v1/services", items: "services" });

export interface ListSessionsInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
  /** Only sessions of this user; `admin` for that account. (at most 128 characters) */
  user_id?: string | undefined;
}

export interface ListSessionsReply {
  /** The objects, in the order of the list. */
  sessions: Session[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/**
 * List active sessions.
 *
 * An Admin sees the sessions of all users, other users see their own, other API keys see none. Sorted by user. Expired sessions and sessions older than the password of their user are not listed.
 *
 * Role: **Viewer** or higher.
 */
export const listSessions: List<ListSessionsInput, Session, ListSessionsReply> = /* @__PURE__ */ list<'sessions', Session, ListSessionsReply>({ id: "listSessions", method: "GET", path: "/v1/sessions", items: "sessions" });

export interface ListSilencesReply {
  /** The silences. */
  silences: Silence[];
}

/**
 * List silences.
 *
 * Those that have not ended, the next to end first. At most 100.
 *
 * Role: **Viewer** or higher.
 */
export const listSilences: PlainOperation<Record<never, never>, ListSilencesReply> = /* @__PURE__ */ operation<ListSilencesReply>({ id: "listSilences", method: "GET", path: "/v1/silences", since: /* @__PURE__ */ since("0.2.0") });

export interface ListUsersInput {
  /** Maximum number of objects in the reply. (1..1000) */
  page_size?: number | undefined;
  /** The next_page_token of the previous page of the same list. (at most 4096 characters) */
  page_token?: string | undefined;
}

export interface ListUsersReply {
  /** The objects, in the order of the list. */
  users: User[];
  /** The page_token of the next page. Pages can be short; the list ends when it is absent. */
  next_page_token?: string;
}

/**
 * List users.
 *
 * Sorted by id. The account `admin` is not in the list.
 *
 * Role: **Admin**.
 */
export const listUsers: List<ListUsersInput, User, ListUsersReply> = /* @__PURE__ */ list<'users', User, ListUsersReply>({ id: "listUsers", method: "GET", path: "/v1/users", items: "users", since: /* @__PURE__ */ since("0.2.0") });

/**
 * Log in as a user or a program.
 *
 * Exchanges a proof of identity once for a session of at most 12 hours, or for a key of a program that ends after 15 minutes by default. `new_password` sets the password and ends all other sessions of the user. A session of an identity provider ends after some minutes unless it is renewed with the method `session`, which reads the groups of the person anew. The reply is the same 401 for every reason; the audit contains the reason. 403: the provider knows the person, but no role binding does.
 *
 * Requires no credentials.
 */
export const logIn: Operation<LogIn, LoggedIn> = /* @__PURE__ */ operation<LoggedIn>({ id: "logIn", method: "POST", path: "/v1/logins", since: /* @__PURE__ */ since("0.2.0") });

/**
 * Preview the role of an identity.
 *
 * The role that an identity with these claims would get, and why. Checks no token, changes nothing.
 *
 * Role: **Admin**.
 */
export const previewRoleBindings: Operation<PreviewGrant, Grant> = /* @__PURE__ */ operation<Grant>({ id: "previewRoleBindings", method: "POST", path: "/v1/role-bindings/preview", repeatable: true, since: /* @__PURE__ */ since("0.2.0") });

/**
 * Reconcile a part of the inventory.
 *
 * Compares the objects in a scope with up to 10000 desired objects, by name, and returns what to add, change and remove. `apply` makes the changes. Objects outside the scope are never changed; an item that requires this is `blocked`.
 *
 * The request can be repeated: it resumes an incomplete reconciliation. 202 means that changes remain and are being made; `Location` is the address of the progress. Apply a plan that was returned by its `plan_id`, or a plan that another caller reviewed by its `plan_digest`, the same scope and the same desired objects; if the inventory has changed since, the reply is 412.
 *
 * No changes are made if the removals exceed `max_removals_percent` (default: 20), or if nothing is desired and the scope contains objects.
 *
 * Role: **Editor** or higher. A **Viewer** may call it if `mode` is `plan`.
 */
export const reconcile: Operation<Reconcile, ReconcilePlan> = /* @__PURE__ */ operation<ReconcilePlan>({ id: "reconcile", method: "POST", path: "/v1/reconcile", repeatable: true });

export interface RemoveAgentInput {
  /** Id of the agent (UUID). (at most 36 characters) */
  agent_id: string;
  /** Also remove the dependent objects. */
  force?: boolean | undefined;
}

/**
 * Remove an agent.
 *
 * Removes the object from the inventory only; nothing is stopped. Refused while other objects depend on it. With force, also removes the agents under a pmm_agent; other agents have no dependents.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const removeAgent: Operation<RemoveAgentInput, undefined, CallOptions & IfMatch> = /* @__PURE__ */ operation<undefined>({ id: "removeAgent", method: "DELETE", path: "/v1/agents/{agent_id}" });

export interface RemoveApiKeyInput {
  /** Id of the API key (UUID). (at most 36 characters) */
  key_id: string;
}

/**
 * Remove an API key.
 *
 * The key stops working. The last permanent Admin credential cannot be removed.
 *
 * Role: **Admin**.
 */
export const removeApiKey: Operation<RemoveApiKeyInput, undefined> = /* @__PURE__ */ operation<undefined>({ id: "removeApiKey", method: "DELETE", path: "/v1/api-keys/{key_id}" });

export interface RemoveEnrolmentTokenInput {
  /** Id of the enrolment token (UUID). (at most 36 characters) */
  token_id: string;
}

/**
 * Remove an enrolment token.
 *
 * The token stops working. A key that it created stays.
 *
 * Role: **Admin**.
 */
export const removeEnrolmentToken: Operation<RemoveEnrolmentTokenInput, undefined> = /* @__PURE__ */ operation<undefined>({ id: "removeEnrolmentToken", method: "DELETE", path: "/v1/enrolment-tokens/{token_id}" });

export interface RemoveNodeInput {
  /** Id of the node (UUID). (at most 36 characters) */
  node_id: string;
  /** Also remove the dependent objects. */
  force?: boolean | undefined;
}

/**
 * Remove a node.
 *
 * Removes the object from the inventory only; nothing is stopped. Refused while other objects depend on it. With force, also removes the agents that run on it and the services that run only on it. Services that run on other nodes too lose this node; agents elsewhere lose it as a target.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const removeNode: Operation<RemoveNodeInput, undefined, CallOptions & IfMatch> = /* @__PURE__ */ operation<undefined>({ id: "removeNode", method: "DELETE", path: "/v1/nodes/{node_id}" });

export interface RemoveRoleBindingInput {
  /** Id of the role binding: its name. (at most 64 characters) */
  binding_id: string;
}

/**
 * Remove a role binding.
 *
 * Ends the keys, sessions and enrolment tokens that rest on it.
 *
 * Role: **Admin**.
 */
export const removeRoleBinding: Operation<RemoveRoleBindingInput, undefined, CallOptions & IfMatch> = /* @__PURE__ */ operation<undefined>({ id: "removeRoleBinding", method: "DELETE", path: "/v1/role-bindings/{binding_id}", since: /* @__PURE__ */ since("0.2.0") });

export interface RemoveSavedFilterInput {
  /** Id of the saved filter (UUID). (at most 36 characters) */
  saved_filter_id: string;
}

/**
 * Remove a saved filter.
 *
 * A shared filter is removed by its maker, who needs the role Editor, or by an Admin.
 *
 * Role: **Viewer** or higher.
 */
export const removeSavedFilter: Operation<RemoveSavedFilterInput, undefined, CallOptions & IfMatch> = /* @__PURE__ */ operation<undefined>({ id: "removeSavedFilter", method: "DELETE", path: "/v1/saved-filters/{saved_filter_id}", since: /* @__PURE__ */ since("0.2.0") });

export interface RemoveServiceInput {
  /** Id of the service (UUID). (at most 36 characters) */
  service_id: string;
  /** Also remove the dependent objects. */
  force?: boolean | undefined;
}

/**
 * Remove a service.
 *
 * Removes the object from the inventory only; nothing is stopped. Refused while other objects depend on it. With force, also removes the agents that give insight only into it; other agents lose it as a target.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const removeService: Operation<RemoveServiceInput, undefined, CallOptions & IfMatch> = /* @__PURE__ */ operation<undefined>({ id: "removeService", method: "DELETE", path: "/v1/services/{service_id}" });

/**
 * Log out.
 *
 * Ends the session whose key authenticates the request.
 *
 * Role: **Viewer** or higher. Only with a session key.
 */
export const removeSession: PlainOperation<Record<never, never>, undefined> = /* @__PURE__ */ operation<undefined>({ id: "removeSession", method: "DELETE", path: "/v1/sessions" });

export interface RemoveSilenceInput {
  /** Id of the silence. (at most 64 characters) */
  silence_id: string;
}

/**
 * End a silence.
 *
 * Role: **Editor** or higher.
 */
export const removeSilence: Operation<RemoveSilenceInput, undefined> = /* @__PURE__ */ operation<undefined>({ id: "removeSilence", method: "DELETE", path: "/v1/silences/{silence_id}", since: /* @__PURE__ */ since("0.2.0") });

export interface RemoveUserInput {
  /** Id of the user: the user name. (at most 128 characters) */
  user_id: string;
}

/**
 * Remove a user.
 *
 * All sessions of the user end, and the private saved filters of the user are removed. API keys and shared filters that the user added stay.
 *
 * Role: **Admin**.
 */
export const removeUser: Operation<RemoveUserInput, undefined> = /* @__PURE__ */ operation<undefined>({ id: "removeUser", method: "DELETE", path: "/v1/users/{user_id}", since: /* @__PURE__ */ since("0.2.0") });

export type ReportAgentsInput = AgentReport & {
  /** Id of the agent process, an agent of the type pmm_agent (UUID). (at most 36 characters) */
  agent_id: string;
};

/**
 * Report the state of a node.
 *
 * An agent process reports for its node and for the agents under it: after `report_after_seconds` of the last reply, and when a status changes. A status that cannot follow the previous one is refused; the rest of the report is applied.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const reportAgents: Operation<ReportAgentsInput, TakenReport> = /* @__PURE__ */ operation<TakenReport>({ id: "reportAgents", method: "POST", path: "/v1/agents/{agent_id}/report", repeatable: true });

export interface RestoreRemovedInput {
  /** Id of the removal. (at most 64 characters) */
  removal_id: string;
}

/**
 * Restore a removal.
 *
 * Restores all objects of a removal with their ids: atomically if they fit one transaction, otherwise individually. Refused if a name is taken or a referenced object does not exist.
 *
 * Role: **Editor** or higher.
 */
export const restoreRemoved: Operation<RestoreRemovedInput, Restored> = /* @__PURE__ */ operation<Restored>({ id: "restoreRemoved", method: "POST", path: "/v1/removed/{removal_id}/restore", bare: true });

export type RotateApiKeyInput = Rotation & {
  /** Id of the API key (UUID). (at most 36 characters) */
  key_id: string;
};

/**
 * Rotate an API key.
 *
 * The key keeps its id, name and role and gets a new secret. The reply contains the new secret, which is shown only once. The current secret works until the overlap ends. The time to live of the key starts again. Secrets of earlier rotations keep their expiry; at most four previous secrets can work at a time.
 *
 * Role: **Admin**.
 */
export const rotateApiKey: Operation<RotateApiKeyInput, NewApiKey> = /* @__PURE__ */ operation<NewApiKey>({ id: "rotateApiKey", method: "POST", path: "/v1/api-keys/{key_id}/rotate" });

/**
 * Rotate the calling API key.
 *
 * The key gets a new secret and keeps its expiry: a key cannot extend its own life. The reply contains the new secret, which is shown only once. Only the newest secret can rotate its key. A client that did not receive the reply can repeat the rotation with the previous secret, during the overlap and while the newer secret is unused: the secret that it gets expires with the previous one.
 *
 * Role: **Viewer** or higher. A **Registrar** may call it within its node. A **Gateway** may call it. Only with an API key.
 */
export const rotateOwnApiKey: Operation<Rotation, NewApiKey> = /* @__PURE__ */ operation<NewApiKey>({ id: "rotateOwnApiKey", method: "POST", path: "/v1/caller/rotate" });

/**
 * Run a batch of operations.
 *
 * Runs up to 500 adds, upserts, changes and removals as if in order, each with its own result. Later operations refer to the object of an add or upsert by `$` and its label (`ref`) instead of an id.
 *
 * A batch with a malformed operation is refused as a whole. Otherwise each operation succeeds or fails individually. A failed operation changes nothing and stops only operations that refer to it. An operation that could not start in time, or that the table did not answer, has status 503; if all do, the reply is a 503.
 *
 * With `atomic`, all operations succeed or none, in one transaction of at most 100 items. An add or removal takes 2 items, 1 more for a node, service or pmm_agent, and 1 for each unique name, filterable value and reference. A change takes 2, and 1 for each of these that it moves. A larger batch is refused with its count. `atomic` allows one operation per object and no `force`. The reply to a failed atomic batch is the error of the failed operation, which `details` names. Only an atomic batch accepts an Idempotency-Key; large objects are then omitted from the results.
 *
 * Each operation counts as one request toward the rate limit of the key.
 *
 * Role: **Editor** or higher.
 */
export const runBatch: Operation<Batch, BatchResults, CallOptions & IdempotencyKey> = /* @__PURE__ */ operation<BatchResults>({ id: "runBatch", method: "POST", path: "/v1/batch", key: "atomic" });

/**
 * Report for many hosts.
 *
 * For a backend that holds the connections of agent processes: a report for each of up to 500 hosts. Each is accepted or refused by itself, also a malformed one. It counts as one request toward the rate limit of the key. If all reports have status 503, the reply is a 503.
 *
 * Role: **Editor** or higher. A **Relay** may call it. A **Gateway** may call it.
 */
export const takeReports: Operation<HostReports, HostReportResults> = /* @__PURE__ */ operation<HostReportResults>({ id: "takeReports", method: "POST", path: "/v1/reports", repeatable: true, since: /* @__PURE__ */ since("0.2.0") });

/**
 * Upsert an agent.
 *
 * The natural key of an agent is its type, its place (`pmm_agent_id` or `runs_on_node_id`) and its targets (`insights`, in any order); place or targets are required. Adds the agent if no agent has this key, changes it if it differs, and otherwise does nothing; `outcome` says which. The body is the whole agent: an absent field is cleared or set to its default. Id and status do not change. If POST added several agents with this key, the oldest is used; its first upsert counts as a change. `If-None-Match: *` only adds.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const upsertAgent: Operation<AddAgent, UpsertedAgent, CallOptions & IfMatch & IfNoneMatch> = /* @__PURE__ */ operation<UpsertedAgent>({ id: "upsertAgent", method: "PUT", path: "/v1/agents/by-key" });

export type UpsertNodeInput = DeclareNode & {
  /** Name of the node. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  node_name: string;
};

/**
 * Upsert a node.
 *
 * Adds the node if no node has this name, changes it if it differs, and otherwise does nothing; `outcome` says which. The body is the whole node: an absent field is cleared or set to its default. The id and dependent objects do not change. The type cannot change. `If-None-Match: *` only adds.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const upsertNode: Operation<UpsertNodeInput, UpsertedNode, CallOptions & IfMatch & IfNoneMatch> = /* @__PURE__ */ operation<UpsertedNode>({ id: "upsertNode", method: "PUT", path: "/v1/nodes/by-name/{node_name}" });

export type UpsertServiceInput = DeclareService & {
  /** Name of the service. At most 1000 bytes in UTF-8, without control characters. (at most 512 characters) */
  service_name: string;
};

/**
 * Upsert a service.
 *
 * Adds the service if no service has this name, changes it if it differs, and otherwise does nothing; `outcome` says which. The body is the whole service: an absent field is cleared or set to its default. The id and dependent agents do not change. The type cannot change; the order of `node_ids` is not significant. `If-None-Match: *` only adds.
 *
 * Role: **Editor** or higher. A **Registrar** may call it within its node.
 */
export const upsertService: Operation<UpsertServiceInput, UpsertedService, CallOptions & IfMatch & IfNoneMatch> = /* @__PURE__ */ operation<UpsertedService>({ id: "upsertService", method: "PUT", path: "/v1/services/by-name/{service_name}" });
