/** How much is measured. */
export interface Size {
  /** Pairs of batches in the comparison of processor time, and requests in a batch. */
  cpuRounds: number;
  cpuBatch: number;
  /** Fresh processes per bundle. */
  loads: number;
  /** Turns that each server gets, and how long one takes. */
  serverRounds: number;
  serverSeconds: number;
  /** Simulated agents at a gateway without TLS, and with it. */
  agents: number;
  tlsAgents: number;
  /** How long their streams are idle before the gateway is killed. */
  idleSeconds: number;
  /** How long a gateway takes to end the streams of its agents in a deployment. */
  drainSeconds: number;
}

export const fullSize: Size = {
  cpuRounds: 40,
  cpuBatch: 50,
  loads: 21,
  serverRounds: 5,
  serverSeconds: 2,
  agents: 10_000,
  tlsAgents: 5000,
  idleSeconds: 30,
  drainSeconds: 100,
};

/** Shows whether everything still runs; the figures mean little. */
export const quickSize: Size = {
  cpuRounds: 5,
  cpuBatch: 20,
  loads: 3,
  serverRounds: 1,
  serverSeconds: 0.5,
  agents: 300,
  tlsAgents: 100,
  idleSeconds: 30,
  drainSeconds: 5,
};
