/**
 * The item table: one table with two indexes. The modules exported below build every key; no other
 * module does.
 *
 * | item            | pk                      | sk                     | contents and purpose
 * |-----------------|-------------------------|------------------------|------------------------------------------------------
 * | node            | NODE#<id>               | NODE                   | the node; get by id
 * | service         | SERVICE#<id>            | SERVICE                | the service; get by id
 * | agent           | AGENT#<id>              | AGENT                  | the agent; get by id
 * | dependents      | NODE#, SERVICE#, AGENT# | GUARD                  | of a node, a service or a pmm_agent: its type, the
 * | counter         |                         |                        | number of its dependants by kind, and whether it is
 * |                 |                         |                        | being removed. Adds and removals of dependants write
 * |                 |                         |                        | this item, so that they do not change the object,
 * |                 |                         |                        | its revision and its index entries
 * | edge            | NODE#<id>               | SERVICE#<name>         | a service runs on this node
 * | edge            | NODE#<id>               | AGENT#<type>#<id>      | an agent runs on this node
 * | edge            | AGENT#<id>              | AGENT#<type>#<id>      | an agent runs under this pmm_agent
 * | edge            | NODE#<id>, SERVICE#<id> | INSIGHT#<type>#<id>    | an agent gives insight into this node or service
 * | claim           | NODE_NAME#<name>, SERVICE_NAME#<name>, NODE_ADDRESS#<region>#<address>, CONTAINER#<id>, AGENT_KEY#<sha256 of key>
 * |                 |                         | CLAIM                  | a unique value is taken, by the object `owner_id`
 * | label index     | NODES#, SERVICES#, AGENTS#<label>#<value>
 * | entry           |                         | <name> (agents:        | an object with this value of a label or attribute
 * |                 |                         | <type>#<id>)           | (`object_id`): a list by selector reads only matching
 * |                 |                         |                        | objects, however rare they are. A long value is hashed
 * | overflow entry  | NODES#*, SERVICES#*, AGENTS#*
 * |                 |                         | the same               | an object with more labels than are indexed
 * | unplaced entry  | SERVICES#@, AGENTS#@    | the same               | a service or an agent that is on no node
 * | heartbeat       | HEARTBEATS#<shard>      | <node id>              | of every node: the time and contents of the last report
 * |                 |                         |                        | of each of its agent processes. States follow from it;
 * |                 |                         |                        | lists by state and cleanups walk them by node id
 * | key             | KEY#<sha256 of key>     | KEY                    | an API key or a session
 * | key by name     | API_KEYS                | KEY#<name>             | list of API keys; makes their names unique (after a
 * |                 |                         |                        | rotation: one item for the new secret, and one for each
 * |                 |                         |                        | previous secret that still works)
 * | key by id       | KEY_ID#<id>             | KEY_ID                 | the hash of the present secret of a key id, and those of
 * |                 |                         |                        | its previous secrets; a secret that is not among them is
 * |                 |                         |                        | refused
 * | key counter     | API_KEYS                | COUNTER                | the number of API keys except those of nodes, and of
 * |                 |                         |                        | Admin keys that never expire
 * | counter of keys | API_KEYS                | COUNTER#<number>       | a part of the number of keys of nodes. The hash of the
 * | of nodes        |                         |                        | name selects the part, so that enrolments share no item.
 * |                 |                         |                        | `registrars` of the key counter is the number of an
 * |                 |                         |                        | earlier version. Only the sum is exact
 * | service account | API_KEYS                | SERVICE_ACCOUNT#<id>   | a group of keys that clients of PMM add, with the role
 * |                 |                         |                        | of its keys. The id is a digest of the name
 * | session slot    | SESSIONS                | <user>#<number>        | one of the hundred slots of a user for open sessions, and
 * |                 |                         |                        | the session in it; the list of sessions
 * | password mark   | SESSIONS                | <user>#                | when the user's present password was set, if the service
 * |                 |                         |                        | itself has set it
 * | requests        | RATE#<key id>#<minute>  | RATE                   | the requests of a key with a rate limit in one minute
 * | token           | ENROLMENT#<sha256>      | ENROLMENT              | an enrolment token; exists until it is used
 * | token by id     | ENROLMENT_TOKENS        | TOKEN#<id>             | the list of enrolment tokens; the token of an id
 * | account         | ACCOUNT#<name>          | ACCOUNT                | a user, with the hash of the password
 * | change          | CHANGE#<shard>          | <time>-<transaction>-<index>
 * |                 |                         |                        | one change of one object: actor, time, the fields before
 * |                 |                         |                        | and after. The change feed; each change refers to the one
 * |                 |                         |                        | before it, which makes the history of an object
 * | change of state | STATE_CHANGES           | the same               | a node became stale, offline or live: written by the
 * |                 |                         |                        | scheduled pass, and part of the feed on request
 * | change shards   | CHANGE_SHARDS           | CHANGE_SHARDS          | the number of partitions of changes, and when it grew;
 * |                 |                         |                        | absent while it is that of a new table
 * | removal         | REMOVALS                | <time and name>#<part> | the objects that one transaction of a removal removed, by
 * |                 |                         |                        | their changes; the list of removals that can be restored
 * | forced removal  | FORCED_REMOVALS         | NODE#, SERVICE#, AGENT#<id>
 * |                 |                         |                        | a forced removal in several transactions that has begun
 * |                 |                         |                        | and has not finished: its actor and its time
 * | job             | CLEANUP, STATE_PASS, SUMMARY
 * |                 |                         | JOB, REOPENING_JOB,    | a job that works in parts: the place at which the last
 * |                 |                         | COUNT                  | part ended, the lease of the part in progress, the state
 * | access event    | AUDIT#ACCESS            | <time><six letters and digits>
 * |                 |                         |                        | a key, a token or a session was added, changed, rotated,
 * |                 |                         |                        | used or removed: actor and time
 * | annotation      | AUDIT#ANNOTATED         | <time><six letters and digits>
 * |                 |                         |                        | what a client of PMM has noted: actor and time
 * | refusals        | AUDIT#REFUSED           | <minute><digest>       | the number of refused calls in a minute with the same
 * |                 |                         |                        | caller, source and reason (the digest is of these)
 * | request         | IDEMPOTENCY#<caller>#<sha256 of key> | REQUEST   | an add or an atomic batch that took effect under an
 * |                 |                         |                        | Idempotency-Key, with its reply
 * | reconciliation  | RECONCILIATION#<id>     | RECONCILIATION         | a plan that can be applied, or a reconciliation that one
 * |                 |                         |                        | request could not finish: its scope and its progress
 * | part            | RECONCILIATION#<id>     | PART#<number>          | a part of the compressed desired state
 * | listed          | FAILED_RECONCILIATIONS  | <id>                   | a stored reconciliation that one request did not finish,
 * | reconciliation  |                         |                        | or in which a step failed; the summary lists them
 * | summary         | SUMMARY                 | SUMMARY                | the last summary, which all requests share for a minute
 * | secret          | SECRET#PAGE_TOKEN       | SECRET                 | the key that signs page tokens
 * | format          | FORMAT                  | FORMAT                 | the version of this format: an older program refuses a
 * |                 |                         |                        | newer table
 * | write check     | WRITE_CHECK             | WRITE_CHECK            | local server only: written to detect a full disk
 *
 * Indexes (eventually consistent, project whole objects; used by lists only, never for a decision):
 * by_name: list_pk NODES, SERVICES, AGENTS + list_sk name (agents: type, then id)
 * by_type: type_pk NODES#<type>, SERVICES#<type> + list_sk name
 */
export * from './object-keys.ts';
export * from './change-keys.ts';
export * from './access-keys.ts';
export * from './table-key.ts';
