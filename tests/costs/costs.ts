/** What one request costs at the table. */
export interface Cost {
  /** `authorizer`, `catchAll`, or the id of an endpoint. */
  function: string;
  request: string;
  /** Operations of DynamoDB, in the order in which they are sent. */
  calls: readonly string[];
  /** How many of them wait for one another; those in flight at the same time count as one. */
  steps: number;
  /** DynamoDB's request units, table and indexes together: 4 KB read consistently, 1 KB written. */
  readUnits: number;
  writeUnits: number;
  /** Write units of writes that a condition refused. DynamoDB bills them; the meter computes them from the sizes of items. */
  refusedUnits: number;
}

type Row = readonly [
  id: string,
  request: string,
  /** Numbers of consecutive calls, such as `2 Query, GetItem`. */
  calls: string,
  steps: number,
  readUnits: number,
  writeUnits: number,
  refusedUnits?: number,
];

const rows: readonly Row[] = [
  ['authorizer', 'a key, first use in five minutes', 'GetItem, UpdateItem', 2, 1, 1],
  ['authorizer', 'a key', 'GetItem', 1, 1, 0],
  ['authorizer', 'a host that reports, first use in five minutes', 'GetItem', 1, 1, 0],
  ['authorizer', 'a user with a password', 'GetItem', 1, 1, 0],
  ['authorizer', 'a session, first use in five minutes', '2 GetItem, UpdateItem', 3, 2, 1],
  ['authorizer', 'a session', '2 GetItem', 2, 2, 0],
  ['authorizer', 'a key that nobody has', 'GetItem, UpdateItem', 2, 1, 1],
  ['authorizer', 'a key that nobody has, again in the same second', 'GetItem', 1, 1, 0],
  ['authorizer', 'a malformed key', 'UpdateItem', 1, 0, 1],
  ['authorizer', 'no credentials', '', 0, 0, 0],
  ['getVersion', 'any', '', 0, 0, 0],
  ['getReadiness', 'any', 'GetItem', 1, 0.5, 0],
  ['getCaller', 'any', '', 0, 0, 0],
  ['catchAll', 'an unknown path', '', 0, 0, 0],
  ['addNode', 'a node', 'TransactWriteItems', 1, 0, 12],
  ['addNode', 'with region and container id', 'TransactWriteItems', 1, 0, 18],
  ['addNode', 'with three labels', 'TransactWriteItems', 1, 0, 18],
  ['getNode', 'a node', 'BatchGetItem', 1, 2, 0],
  ['getNode', 'a node, with a key that has a rate limit', 'UpdateItem, BatchGetItem', 2, 2, 1],
  ['listNodes', '100, first page of a process', 'Query, GetItem', 1, 5, 0],
  ['listNodes', '100', 'Query', 1, 4, 0],
  ['listNodes', '100, with their states', 'Query, BatchGetItem', 2, 54, 0],
  ['listNodes', '100, second page', 'Query', 1, 4, 0],
  ['listNodes', '100, last page (56 of them)', 'Query', 1, 2.5, 0],
  ['listNodes', '100 of a type that 3 have', 'Query', 1, 0.5, 0],
  ['listNodes', '100 of a name prefix that 10 have', 'Query', 1, 0.5, 0],
  ['listNodes', '100 of a region that 36 have', 'Query, BatchGetItem', 2, 37, 0],
  ['listNodes', 'selector: a label that 10 have', '2 Query, BatchGetItem', 2, 12, 0],
  ['listNodes', 'selector: an attribute that 36 have', 'Query, BatchGetItem', 2, 37, 0],
  ['listNodes', 'selector: a label that 10 have and one that 125 have', '3 Query, BatchGetItem', 2, 10, 0],
  ['listNodes', 'selector: a label that 125 have and an attribute that 36 have', '3 Query, BatchGetItem', 2, 26, 0],
  ['listNodes', 'selector: a label with one of 3 values, 30 have them', '4 Query, BatchGetItem', 2, 34, 0],
  ['listNodes', 'selector: a value that nobody has', '2 Query', 1, 2, 0],
  ['listNodes', 'selector: a name', '2 BatchGetItem', 2, 2, 0],
  ['listNodes', 'selector: 10 names', '2 BatchGetItem', 2, 20, 0],
  ['listNodes', 'selector: only what is not wanted, 1,000 looked at (256 there)', 'Query', 1, 10, 0],
  ['listNodes', 'selector: a label with any value, 100 looked at', 'Query', 1, 4, 0],
  ['listNodes', 'updated since a time, 100 looked at, none matches', 'Query', 1, 4, 0],
  ['listNodes', '100, two fields of each', 'Query', 1, 4, 0],
  ['changeNode', 'a label', 'GetItem, TransactWriteItems', 2, 1, 8],
  ['changeNode', 'the value of a label', 'GetItem, TransactWriteItems', 2, 1, 10],
  ['changeNode', 'nothing new', 'GetItem', 1, 1, 0],
  ['changeNode', 'what nothing is looked up by', 'GetItem, TransactWriteItems', 2, 1, 6],
  ['changeNode', 'the address in a region', 'GetItem, TransactWriteItems', 2, 1, 10],
  ['addNode', 'with an Idempotency-Key', 'TransactWriteItems', 1, 0, 14],
  ['addNode', 'with an Idempotency-Key, again', 'TransactWriteItems', 1, 0, 0, 12],
  ['upsertNode', 'added', 'GetItem, TransactWriteItems', 2, 1, 12],
  ['upsertNode', 'unchanged', '2 GetItem', 2, 2, 0],
  ['upsertNode', 'changed, a label', '2 GetItem, TransactWriteItems', 3, 2, 8],
  ['addService', 'on no node', 'TransactWriteItems', 1, 0, 12],
  ['addService', 'on one node', 'TransactWriteItems', 1, 0, 14],
  ['addService', 'on three nodes, in a cluster', 'TransactWriteItems', 1, 0, 24],
  ['getService', 'a service', 'GetItem, BatchGetItem', 2, 2, 0],
  ['listServices', '100 (3 there)', 'Query', 1, 0.5, 0],
  ['listServices', '100 (3 there), with their states', 'Query, BatchGetItem', 2, 2.5, 0],
  ['listServices', '100 of a type', 'Query', 1, 0.5, 0],
  ['listServices', '100 of a cluster', 'Query, BatchGetItem', 2, 2, 0],
  ['listServices', '100 of a node', 'Query, GetItem, BatchGetItem', 2, 3, 0],
  ['listServices', 'selector: those of a node in a cluster', '2 Query, GetItem', 1, 3, 0],
  ['listClusters', 'any', 'Query, BatchGetItem', 2, 2, 0],
  ['listServiceTypes', 'any', '7 Query', 1, 3.5, 0],
  [
    'getSummary',
    'a new one',
    'GetItem, UpdateItem, 20 Query, GetItem, 4 Query, GetItem, 2 Query, BatchGetItem, 3 Query, BatchGetItem, 2 Query, 2 PutItem',
    8,
    47,
    4,
  ],
  ['getSummary', 'kept', 'GetItem', 1, 0.5, 0],
  ['getMetrics', 'any', 'GetItem', 1, 0.5, 0],
  ['changeService', 'a label', 'GetItem, TransactWriteItems', 2, 1, 8],
  ['changeService', 'one node more', 'GetItem, TransactWriteItems', 2, 1, 12],
  ['upsertService', 'added, on one node', 'GetItem, TransactWriteItems', 2, 1, 14],
  ['upsertService', 'unchanged', '2 GetItem', 2, 2, 0],
  ['upsertService', 'changed, a label', '2 GetItem, TransactWriteItems', 3, 2, 8],
  ['upsertService', 'moved to another node', '2 GetItem, TransactWriteItems', 3, 2, 16],
  ['addAgent', 'a pmm_agent', 'TransactWriteItems', 1, 0, 13],
  ['addAgent', 'under a pmm_agent, with a service as target', 'GetItem, TransactWriteItems', 2, 1, 17],
  ['addAgent', 'on no node, with a service as target', 'TransactWriteItems', 1, 0, 11],
  ['getAgent', 'an agent', 'GetItem, BatchGetItem', 2, 2, 0],
  ['listAgents', '100 (3 there)', 'Query', 1, 0.5, 0],
  ['listAgents', '100 (3 there), with their states', 'Query, BatchGetItem', 2, 1, 0],
  ['listAgents', '100 of a type', 'Query', 1, 0.5, 0],
  ['listAgents', '100 that run on a node', 'Query, GetItem, BatchGetItem', 2, 4, 0],
  ['listAgents', '100 under a pmm_agent', 'Query, GetItem, BatchGetItem', 2, 3, 0],
  ['listAgents', '100 with insight into a service', 'Query, GetItem, BatchGetItem', 2, 4, 0],
  ['listAgents', 'selector: a label that none has', '2 Query', 1, 2, 0],
  ['discoverTargets', 'an exporter on a node and one of a service', '11 Query, 4 BatchGetItem', 3, 7.5, 0],
  ['discoverTargets', 'of one type that one has', 'Query, 2 BatchGetItem', 3, 2, 0],
  ['discoverTargets', 'of a node with a service and an exporter', 'GetItem, 2 Query, 3 BatchGetItem', 4, 7, 0],
  ['reportAgents', 'the first one', 'Query, GetItem, UpdateItem', 3, 2, 1],
  ['reportAgents', 'what it said last', 'Query, GetItem', 2, 2, 0],
  [
    'reportAgents',
    'what it said last, with the digest of its targets',
    'Query, GetItem, 2 Query, 3 BatchGetItem',
    6,
    5,
    0,
  ],
  ['reportAgents', 'what it said last, after half of stale_after', 'Query, GetItem, UpdateItem', 3, 2, 1],
  ['reportAgents', 'another status', 'Query, GetItem, UpdateItem', 3, 2, 1],
  ['takeReports', 'of a host without news', '2 BatchGetItem', 2, 2, 0],
  [
    'takeReports',
    'of a host without news, after half of stale_after',
    '2 BatchGetItem, Query, GetItem, UpdateItem',
    5,
    4,
    1,
  ],
  ['admitAgents', 'a host with one agent and its service', 'GetItem, Query, 3 BatchGetItem', 4, 5, 0],
  // The heartbeats of all nodes, 16 partitions at once: 260 of them here.
  ['listNodes', 'of a state that one node is in', '16 Query, BatchGetItem', 2, 9, 0],
  ['listServices', 'of a state that one node is in', '17 Query, BatchGetItem', 3, 10, 0],
  ['listAgents', 'of a state that one node is in', '17 Query, BatchGetItem', 3, 11, 0],
  ['listNodes', 'of a state that no node is in', '16 Query', 1, 8, 0],
  ['changeAgent', 'disabled', 'GetItem, BatchGetItem, TransactWriteItems', 2, 2, 5],
  ['changeAgent', 'its targets', 'GetItem, BatchGetItem, TransactWriteItems', 2, 2, 9],
  ['listNodeHistory', 'a page of 5', '5 GetItem', 5, 5, 0],
  ['listServiceHistory', 'a page of 3', '4 GetItem', 4, 4, 0],
  ['listAgentHistory', 'a page of 3', '4 GetItem', 4, 4, 0],
  // One read for each partition and one for their number, in parallel. The newest changes are read twice, after a read
  // of older ones.
  ['listChanges', '100 of the last moments', '4 Query, GetItem, 4 Query, GetItem, 4 Query, GetItem', 3, 35, 0],
  // And one read of the partition of changes of states.
  ['listChanges', 'a cursor for now', '4 Query, GetItem, Query', 1, 6, 0],
  ['listChanges', 'nothing new, 120 in the last moments', '4 Query, GetItem', 1, 13, 0],
  ['listChanges', 'nothing new', '4 Query, GetItem', 1, 5, 0],
  ['listChanges', '100 older than 20 seconds', '4 Query, GetItem', 1, 9, 0],
  ['listAudit', 'the newest 3', '4 Query, GetItem, 3 Query', 1, 8, 0],
  ['listAudit', 'one thing that is done to keys', 'Query', 1, 1, 0],
  ['listAudit', 'one kind of refusal', 'Query', 1, 1, 0],
  ['listAudit', 'refused to a Viewer', 'UpdateItem', 1, 0, 1],
  ['listAudit', 'refused again in the same second', '', 0, 0, 0],
  [
    'upsertAgent',
    'added, under a pmm_agent, with a service as target',
    'GetItem, Query, GetItem, TransactWriteItems',
    4,
    3,
    19,
  ],
  ['upsertAgent', 'unchanged', 'GetItem, BatchGetItem', 2, 3, 0],
  ['upsertAgent', 'changed', 'GetItem, BatchGetItem, TransactWriteItems', 3, 3, 5],
  ['upsertAgent', 'one that was added by POST', 'GetItem, Query, 2 BatchGetItem, TransactWriteItems', 4, 4, 7],
  ['removeAgent', 'a leaf', 'GetItem, TransactWriteItems', 2, 1, 15],
  ['removeService', 'a leaf', 'GetItem, TransactWriteItems', 2, 1, 16],
  ['removeNode', 'a leaf', 'GetItem, TransactWriteItems', 2, 1, 14],
  [
    'removeAgent',
    'with force, a pmm_agent with one agent',
    'GetItem, Query, BatchGetItem, TransactWriteItems',
    4,
    3,
    24,
  ],
  ['removeService', 'with force, one with one agent', 'GetItem, Query, BatchGetItem, TransactWriteItems', 4, 3, 31],
  [
    'removeNode',
    'with force, one with a service that has an agent',
    'GetItem, Query, BatchGetItem, Query, BatchGetItem, TransactWriteItems',
    6,
    5,
    37,
  ],
  ['listRemoved', '100 (8 there)', 'Query', 1, 1, 0],
  ['restoreRemoved', 'a node with a service that has an agent', 'Query, 2 BatchGetItem, TransactWriteItems', 4, 7, 37],
  // The heartbeats of all nodes, and of the inventory as much as the safety threshold requires.
  ['cleanUp', 'nothing is due (260 nodes)', '16 Query', 1, 8, 0],
  [
    'cleanUp',
    'a node with its agent process is due, rehearsed',
    '18 Query, GetItem, Query, BatchGetItem, 6 Query',
    12,
    15,
    0,
  ],
  [
    'cleanUp',
    'a node with its agent process is due',
    '18 Query, GetItem, Query, BatchGetItem, 6 Query, 2 GetItem, Query, BatchGetItem, TransactWriteItems',
    17,
    19,
    23,
  ],
  ['runBatch', 'a node and a service on it', '2 TransactWriteItems', 2, 0, 26],
  ['runBatch', 'the same, declared', '4 GetItem', 4, 4, 0],
  ['runBatch', 'the same, declared, all or none', '2 BatchGetItem', 2, 4, 0],
  ['runBatch', 'a node and a service on it, all or none', 'TransactWriteItems', 1, 0, 24],
  ['runBatch', 'both removed, all or none', 'BatchGetItem, TransactWriteItems', 2, 2, 26],
  ['exportInventory', '100, first page', 'Query', 1, 4, 0],
  ['exportInventory', '100, second page', 'Query', 1, 4, 0],
  ['importInventory', 'a node and a service on it', 'BatchGetItem, 2 TransactWriteItems', 3, 2, 26],
  ['importInventory', 'the same again', 'BatchGetItem', 1, 2, 0],
  ['importInventory', 'a node and a service on it, rehearsed', '2 BatchGetItem', 2, 5, 0],
  ['reconcile', 'one instance (4 objects) to add, applied', '4 Query, BatchGetItem, 4 TransactWriteItems', 5, 6, 64],
  ['reconcile', 'nothing to do in one instance', '4 Query, 3 BatchGetItem, 2 Query, BatchGetItem', 4, 12, 0],
  [
    'reconcile',
    'one instance to replace, planned',
    '4 Query, 3 BatchGetItem, 2 Query, BatchGetItem, 2 PutItem',
    6,
    12,
    2,
  ],
  ['getReconciliation', 'a plan', 'GetItem', 1, 1, 0],
  ['cancelReconciliation', 'a plan', 'GetItem, UpdateItem, GetItem', 3, 2, 1],
  [
    'reconcile',
    'one instance to replace, the plan applied',
    'GetItem, BatchGetItem, 4 Query, 3 BatchGetItem, 2 Query, BatchGetItem, UpdateItem, 8 TransactWriteItems, UpdateItem',
    12,
    14,
    138,
  ],
  ['addApiKey', 'a key', 'TransactWriteItems', 1, 0, 12],
  ['listApiKeys', '100 (7 there)', 'Query, 2 BatchGetItem', 3, 8.5, 0],
  ['rotateApiKey', 'a key', '2 GetItem, TransactWriteItems', 3, 2, 12],
  ['rotateOwnApiKey', 'the key that calls', '2 GetItem, TransactWriteItems', 3, 2, 10],
  ['changeApiKey', 'its rate limit', 'GetItem, TransactWriteItems', 2, 1, 8],
  ['removeApiKey', 'a key', 'GetItem, TransactWriteItems', 2, 1, 12],
  ['addEnrolmentToken', 'a token', 'TransactWriteItems', 1, 0, 8],
  ['listEnrolmentTokens', '100 (1 there)', 'Query', 1, 1, 0],
  ['removeEnrolmentToken', 'a token', 'GetItem, TransactWriteItems', 2, 1, 8],
  ['enrolNode', 'a new node', '3 GetItem, TransactWriteItems', 3, 3, 28],
  ['addAgent', 'by a Registrar, with a service as target', 'TransactWriteItems', 1, 0, 15],
  ['addSession', 'a session', 'Query, TransactWriteItems', 2, 1, 10],
  ['listSessions', '100 (1 there)', 'Query, BatchGetItem', 2, 2, 0],
  ['endSession', 'a session', 'GetItem, TransactWriteItems', 2, 1, 10],
  ['removeSession', 'the session that calls', 'GetItem, TransactWriteItems', 2, 1, 10],
  ['addUser', 'a user', 'Query, TransactWriteItems', 2, 0.5, 8],
  ['logIn', 'an invitation', 'UpdateItem, GetItem, Query, TransactWriteItems', 4, 2, 15],
  ['logIn', 'a password', 'UpdateItem, GetItem, Query, TransactWriteItems', 4, 2, 11],
  ['listUsers', '100 (1 there)', 'Query', 1, 1, 0],
  ['changeUser', 'its role', 'GetItem, TransactWriteItems', 2, 1, 8],
  ['endUserSessions', 'a user', 'GetItem, TransactWriteItems', 2, 1, 8],
  ['inviteUser', 'a user', 'GetItem, TransactWriteItems', 2, 1, 8],
  ['removeUser', 'a user', 'GetItem, TransactWriteItems', 2, 1, 8],
  ['addRoleBinding', 'a binding', 'Query, TransactWriteItems', 2, 0.5, 6],
  ['listRoleBindings', '100 (1 there)', 'Query', 1, 1, 0],
  ['getRoleBinding', 'a binding', 'GetItem', 1, 1, 0],
  ['previewRoleBindings', 'of one binding', 'Query', 1, 1, 0],
  ['changeRoleBinding', 'its role', 'GetItem, TransactWriteItems', 2, 1, 6],
  ['removeRoleBinding', 'a binding', 'GetItem, TransactWriteItems', 2, 1, 6],
  // The lease of the pass with its place, and the heartbeats of all nodes.
  ['stateEvents', 'nothing has changed (260 nodes)', 'UpdateItem, 16 Query, PutItem', 3, 9, 2],
  ['stateEvents', 'a node became offline', 'UpdateItem, 16 Query, BatchGetItem, TransactWriteItems, PutItem', 5, 11, 6],
];

/** The text of calls in a row: `2 Query, GetItem`. */
export function textOfCalls(calls: readonly string[]): string {
  const runs: { call: string; count: number }[] = [];
  for (const call of calls) {
    const last = runs.at(-1);
    if (last?.call === call) last.count += 1;
    else runs.push({ call, count: 1 });
  }
  return runs.map(({ call, count }) => (count === 1 ? call : `${count} ${call}`)).join(', ');
}

const callsOf = (text: string): string[] =>
  [...text.matchAll(/(?:(\d+) )?([A-Z]\w+)/g)].flatMap(([, count = '1', call = '']) =>
    Array.from({ length: Number(count) }, () => call),
  );

/**
 * What every function costs, as `costs.test.ts` counts it: for small objects (items of a few hundred bytes, as nearly all
 * are), in a process that has read the secret of page tokens. The authorizer comes on top of each, unless its answer is
 * cached; `getReadiness` needs none.
 */
export const costs: readonly Cost[] = rows.map(
  ([id, request, calls, steps, readUnits, writeUnits, refusedUnits = 0]) => ({
    function: id,
    request,
    calls: callsOf(calls),
    steps,
    readUnits,
    writeUnits,
    refusedUnits,
  }),
);
