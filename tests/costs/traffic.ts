/** Bytes of one request, and the changes that it makes. */
export interface Traffic {
  /** Of the body of the request. */
  sentBytes: number;
  /** Of the headers that the function returns. */
  headerBytes: number;
  /** Of the body of the reply, not compressed. */
  replyBytes: number;
  /** Change records. Each is an event of EventBridge if `changeEvents` is on. */
  changes: number;
}

export interface TrafficOf extends Traffic {
  function: string;
  request: string;
}

/** Bytes of headers as HTTP/1.1 sends them: `name: value`, and a line break of two bytes. */
export function headerBytes(headers: Readonly<Record<string, unknown>>): number {
  return Object.entries(headers).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(`${name}: ${String(value)}`) + 2,
    0,
  );
}

type Row = readonly [
  id: string,
  request: string,
  sentBytes: number,
  headerBytes: number,
  replyBytes: number,
  changes: number,
];

const rows: readonly Row[] = [
  ['reportAgents', 'what it said last', 84, 211, 130, 0],
  ['reportAgents', 'what it said last, after half of stale_after', 84, 211, 130, 0],
  ['reportAgents', 'what it said last, with the digest of its targets', 109, 211, 191, 0],
  ['opamp', 'a heartbeat', 20, 236, 28, 0],
  ['discoverTargets', 'of a node with a service and an exporter', 0, 266, 642, 0],
  ['takeReports', 'of a host without news', 81, 211, 222, 0],
  ['getNode', 'a node', 0, 222, 250, 0],
  ['listNodes', '100', 0, 211, 26669, 0],
  ['listNodes', '100, with their states', 0, 211, 28769, 0],
  ['addNode', 'a node', 68, 280, 229, 1],
  ['addService', 'on one node', 139, 283, 303, 1],
  ['addAgent', 'under a pmm_agent, with a service as target', 154, 281, 561, 1],
  ['changeNode', 'a label', 32, 222, 241, 1],
  ['removeNode', 'a leaf', 0, 179, 0, 1],
];

/** Of the requests of docs/costs.md, as `costs.test.ts` counts them. */
export const traffic: readonly TrafficOf[] = rows.map(
  ([id, request, sentBytes, headerBytesOfReply, replyBytes, changes]) => ({
    function: id,
    request,
    sentBytes,
    headerBytes: headerBytesOfReply,
    replyBytes,
    changes,
  }),
);
