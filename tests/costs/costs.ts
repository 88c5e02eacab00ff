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
}

type Row = readonly [
  id: string,
  request: string,
  calls: readonly string[],
  steps: number,
  readUnits: number,
  writeUnits: number,
];

const rows: readonly Row[] = [
  ['authorizer', 'a key, first use in five minutes', ['GetItem', 'UpdateItem'], 2, 1, 1],
  ['authorizer', 'a key', ['GetItem'], 1, 1, 0],
  ['authorizer', 'a user with a password', ['GetItem'], 1, 1, 0],
  ['authorizer', 'a key that nobody has', ['GetItem'], 1, 1, 0],
  ['authorizer', 'a malformed key', [], 0, 0, 0],
  ['authorizer', 'no credentials', [], 0, 0, 0],
  ['getVersion', 'any', [], 0, 0, 0],
  ['getReadiness', 'any', ['GetItem'], 1, 0.5, 0],
  ['getCaller', 'any', [], 0, 0, 0],
  ['catchAll', 'an unknown path', [], 0, 0, 0],
  ['addNode', 'a node', ['TransactWriteItems'], 1, 0, 8],
  ['addNode', 'with region and container id', ['TransactWriteItems'], 1, 0, 14],
  ['addNode', 'with three labels', ['TransactWriteItems'], 1, 0, 14],
  ['getNode', 'a node', ['GetItem'], 1, 1, 0],
  ['listNodes', '100, first page of a process', ['Query', 'GetItem'], 1, 5, 0],
  ['listNodes', '100', ['Query'], 1, 4, 0],
  ['listNodes', '100, second page', ['Query'], 1, 4, 0],
  ['listNodes', '100, last page (56 of them)', ['Query'], 1, 2.5, 0],
  ['listNodes', '100 of a type that 3 have', ['Query'], 1, 0.5, 0],
  ['listNodes', '100 of a name prefix that 10 have', ['Query'], 1, 0.5, 0],
  ['listNodes', '100 of a region that 36 have', ['Query', 'BatchGetItem'], 2, 37, 0],
  ['listNodes', 'selector: a label that 10 have', ['Query', 'Query', 'BatchGetItem'], 2, 12, 0],
  ['listNodes', 'selector: an attribute that 36 have', ['Query', 'BatchGetItem'], 2, 37, 0],
  [
    'listNodes',
    'selector: a label that 10 have and one that 125 have',
    ['Query', 'Query', 'Query', 'BatchGetItem'],
    2,
    10,
    0,
  ],
  [
    'listNodes',
    'selector: a label that 125 have and an attribute that 36 have',
    ['Query', 'Query', 'Query', 'BatchGetItem'],
    2,
    26,
    0,
  ],
  [
    'listNodes',
    'selector: a label with one of 3 values, 30 have them',
    ['Query', 'Query', 'Query', 'Query', 'BatchGetItem'],
    2,
    34,
    0,
  ],
  ['listNodes', 'selector: a value that nobody has', ['Query', 'Query'], 1, 2, 0],
  ['listNodes', 'selector: a name', ['BatchGetItem', 'BatchGetItem'], 2, 2, 0],
  ['listNodes', 'selector: 10 names', ['BatchGetItem', 'BatchGetItem'], 2, 20, 0],
  ['listNodes', 'selector: only what is not wanted, 1,000 looked at (256 there)', ['Query'], 1, 10, 0],
  ['listNodes', 'selector: a label with any value, 100 looked at', ['Query'], 1, 4, 0],
  ['listNodes', 'updated since a time, 100 looked at, none matches', ['Query'], 1, 4, 0],
  ['listNodes', '100, two fields of each', ['Query'], 1, 4, 0],
  ['changeNode', 'a label', ['GetItem', 'TransactWriteItems'], 2, 1, 6],
  ['changeNode', 'the value of a label', ['GetItem', 'TransactWriteItems'], 2, 1, 8],
  ['changeNode', 'nothing new', ['GetItem'], 1, 1, 0],
  ['changeNode', 'what nothing is looked up by', ['GetItem', 'PutItem'], 2, 1, 3],
  ['changeNode', 'the address in a region', ['GetItem', 'TransactWriteItems'], 2, 1, 8],
  ['addService', 'on no node', ['TransactWriteItems'], 1, 0, 8],
  ['addService', 'on one node', ['TransactWriteItems'], 1, 0, 12],
  ['addService', 'on three nodes, in a cluster', ['TransactWriteItems'], 1, 0, 22],
  ['getService', 'a service', ['GetItem'], 1, 1, 0],
  ['listServices', '100 (3 there)', ['Query'], 1, 0.5, 0],
  ['listServices', '100 of a type', ['Query'], 1, 0.5, 0],
  ['listServices', '100 of a cluster', ['Query', 'BatchGetItem'], 2, 2, 0],
  ['listServices', '100 of a node', ['Query', 'GetItem', 'BatchGetItem'], 2, 3, 0],
  ['listServices', 'selector: those of a node in a cluster', ['Query', 'Query', 'GetItem'], 1, 3, 0],
  ['listServiceTypes', 'any', ['Query', 'Query', 'Query', 'Query', 'Query', 'Query', 'Query'], 1, 3.5, 0],
  ['changeService', 'a label', ['GetItem', 'TransactWriteItems'], 2, 1, 6],
  ['changeService', 'one node more', ['GetItem', 'TransactWriteItems'], 2, 1, 10],
  ['addAgent', 'a pmm_agent', ['TransactWriteItems'], 1, 0, 9],
  ['addAgent', 'under a pmm_agent, with a service as target', ['GetItem', 'TransactWriteItems'], 2, 1, 15],
  ['addAgent', 'on no node, with a service as target', ['TransactWriteItems'], 1, 0, 7],
  ['getAgent', 'an agent', ['GetItem'], 1, 1, 0],
  ['listAgents', '100 (3 there)', ['Query'], 1, 0.5, 0],
  ['listAgents', '100 of a type', ['Query'], 1, 0.5, 0],
  ['listAgents', '100 that run on a node', ['Query', 'GetItem', 'BatchGetItem'], 2, 4, 0],
  ['listAgents', '100 under a pmm_agent', ['Query', 'GetItem', 'BatchGetItem'], 2, 3, 0],
  ['listAgents', '100 with insight into a service', ['Query', 'GetItem', 'BatchGetItem'], 2, 4, 0],
  ['listAgents', 'selector: a label that none has', ['Query', 'Query'], 1, 2, 0],
  [
    'discoverTargets',
    'an exporter on a node and one of a service',
    [...Array.from({ length: 11 }, () => 'Query'), 'BatchGetItem', 'BatchGetItem', 'BatchGetItem'],
    3,
    8.5,
    0,
  ],
  ['discoverTargets', 'of one type that one has', ['Query', 'BatchGetItem', 'BatchGetItem'], 3, 3.5, 0],
  ['changeAgent', 'disabled', ['GetItem', 'PutItem'], 2, 1, 2],
  ['changeAgent', 'its targets', ['GetItem', 'TransactWriteItems'], 2, 1, 7],
  ['removeAgent', 'a leaf', ['GetItem', 'TransactWriteItems'], 2, 1, 11],
  ['removeService', 'a leaf', ['GetItem', 'TransactWriteItems'], 2, 1, 12],
  ['removeNode', 'a leaf', ['GetItem', 'TransactWriteItems'], 2, 1, 8],
  [
    'removeAgent',
    'with force, a pmm_agent with one agent',
    ['GetItem', 'Query', 'BatchGetItem', 'TransactWriteItems'],
    4,
    3,
    16,
  ],
  [
    'removeService',
    'with force, one with one agent',
    ['GetItem', 'Query', 'BatchGetItem', 'TransactWriteItems'],
    4,
    3,
    23,
  ],
  [
    'removeNode',
    'with force, one with a service that has an agent',
    ['GetItem', 'Query', 'BatchGetItem', 'Query', 'BatchGetItem', 'TransactWriteItems'],
    6,
    5,
    25,
  ],
  ['addApiKey', 'a key', ['TransactWriteItems'], 1, 0, 8],
  ['listApiKeys', '100 (4 there)', ['Query', 'BatchGetItem'], 2, 5, 0],
  ['removeApiKey', 'a key', ['GetItem', 'TransactWriteItems'], 2, 1, 8],
  ['addSession', 'a session', ['TransactWriteItems'], 1, 0, 4],
  ['removeSession', 'the session that calls', ['GetItem', 'TransactWriteItems'], 2, 1, 4],
];

/**
 * What every function costs, as `costs.test.ts` counts it: for small objects (items of a few hundred bytes, as nearly all
 * are), in a process that has read the secret of page tokens. The authorizer comes on top of each, unless its answer is
 * cached; `getReadiness` needs none.
 */
export const costs: readonly Cost[] = rows.map(([id, request, calls, steps, readUnits, writeUnits]) => ({
  function: id,
  request,
  calls,
  steps,
  readUnits,
  writeUnits,
}));
