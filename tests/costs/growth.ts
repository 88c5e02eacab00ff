/** What reading everything costs at one size of the inventory. */
export interface Walk {
  /** Pages until there is no next one. */
  requests: number;
  readUnits: number;
  /** Of all bodies, compressed by gzip. */
  bytes: number;
}

/** A request whose cost grows with the inventory, at two sizes. */
export interface Growth {
  function: string;
  request: string;
  /** In the order of `HOSTS`. */
  walks: readonly [Walk, Walk];
}

/** Numbers of hosts at which the walks are measured. Reads are rounded up for each partition, so small ones show too little. */
export const HOSTS = [200, 800] as const;

/** Of a host: a node, a pmm_agent, a service and two exporters, as `tests/support/machine.ts` adds them. */
export const OBJECTS_PER_HOST = 5;

/**
 * Bytes that DynamoDB stores for a host that has reported: objects, claims, edges, label index entries, change records,
 * the heartbeat, and copies in indexes.
 */
export const STORED_BYTES_PER_HOST = 15_483;

type Numbers = readonly [requests: number, readUnits: number, bytes: number];

const rows: readonly (readonly [id: string, request: string, small: Numbers, large: Numbers])[] = [
  ['discoverTargets', 'all targets', [1, 61, 36653], [1, 227, 147892]],
  ['exportInventory', 'everything, in pages of 1,000', [1, 67, 65646], [4, 265.5, 253728]],
  ['listNodes', 'all, in pages of 1,000', [1, 10.5, 10565], [1, 42, 41436]],
  ['listNodes', 'all, with their states', [1, 110.5, 11_900], [1, 442, 46_250]],
  ['listNodes', 'of a state that no node is in', [1, 15, 32], [1, 45.5, 32]],
  ['listServices', 'of a state that no node is in', [1, 15, 35], [1, 45.5, 35]],
  ['listAgents', 'of a state that no node is in', [1, 15, 33], [1, 45.5, 33]],
  ['listClusters', 'all, in pages of 1,000', [1, 115.5, 353], [1, 460, 934]],
  ['listClusters', 'all, with their regions', [1, 126, 382], [1, 502, 974]],
  ['countGroups', 'nodes of a type by cluster', [1, 36.5, 259], [1, 130.5, 764]],
  ['countGroups', 'agents of a status by version', [1, 60, 87], [1, 224.5, 88]],
  ['getSummary', 'a new one', [1, 165.5, 837], [1, 574, 842]],
  ['cleanUp', 'nothing is due', [1, 15, 78], [1, 45.5, 78]],
  ['stateEvents', 'nothing has changed', [1, 17, 0], [1, 47.5, 0]],
];

const toWalk = ([requests, readUnits, bytes]: Numbers): Walk => ({ requests, readUnits, bytes });

/** Measured by `growth.test.ts`. */
export const growth: readonly Growth[] = rows.map(([id, request, small, large]) => ({
  function: id,
  request,
  walks: [toWalk(small), toWalk(large)],
}));
