/** How much is measured. */
export interface Size {
  /** Pairs of batches in the comparison of processor time, and requests in a batch. */
  cpuRounds: number;
  cpuBatch: number;
  /** Fresh processes per bundle. */
  loads: number;
  /** Calls of a function in one process, half of them to warm it up. */
  calls: number;
  /** Objects in the list that is paged through, 100 to a page. */
  objects: number;
  /** Agents that are discovered at once. */
  targets: number;
  /** Agents that are discovered in parts, in this number of parts. */
  fleetTargets: number;
  parts: number;
  /** Times that a batch is compared with its operations one by one. */
  batchRounds: number;
  /** Agent processes that report at once, and how often they do. */
  processes: number;
  heartbeatRounds: number;
  /** Hosts that report through a relay. */
  relayed: number;
  /** Hosts that enrol. */
  hosts: number;
  /** Nodes of two inventories that are compared. */
  inventories: readonly [small: number, large: number];
  /** Turns that each server gets, and how long one takes. */
  serverRounds: number;
  serverSeconds: number;
}

export const fullSize: Size = {
  cpuRounds: 40,
  cpuBatch: 50,
  loads: 21,
  calls: 400,
  objects: 100_000,
  targets: 10_000,
  fleetTargets: 100_000,
  parts: 16,
  batchRounds: 5,
  processes: 1000,
  heartbeatRounds: 5,
  relayed: 100_000,
  hosts: 10_000,
  inventories: [10_000, 1_000_000],
  serverRounds: 5,
  serverSeconds: 2,
};

/** Says whether it all still runs; the figures mean little. */
export const quickSize: Size = {
  cpuRounds: 5,
  cpuBatch: 20,
  loads: 3,
  calls: 40,
  objects: 2000,
  targets: 600,
  fleetTargets: 1200,
  parts: 4,
  batchRounds: 1,
  processes: 50,
  heartbeatRounds: 1,
  relayed: 1000,
  hosts: 200,
  inventories: [1000, 4000],
  serverRounds: 1,
  serverSeconds: 0.5,
};
