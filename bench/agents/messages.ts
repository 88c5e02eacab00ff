import * as z from 'zod/mini';

// The messages between the benchmark and its processes.

export const gatewaySettings = z.object({
  /** 0: any. */
  port: z.int(),
  /** The most connections. */
  max: z.int(),
  /** Milliseconds of one turn of pings. */
  pingMs: z.number(),
  /** With TLS; else plain HTTP/2. */
  certificate: z.optional(z.object({ key: z.string(), cert: z.string() })),
});

export type GatewaySettings = z.output<typeof gatewaySettings>;

/** A question for the counts; with a time, the gateway first accepts no connections any more, and ends its streams over it. */
export const gatewayQuestion = z.object({
  drainMs: z.optional(z.number()),
  /** Whether garbage is collected before, for the memory. With many streams it takes longer than the gateway can wait. */
  collects: z.optional(z.boolean()),
});

export type GatewayQuestion = z.output<typeof gatewayQuestion>;

/** What the gateway counted since its start; memory in bytes. */
export const gatewayCounts = z.object({
  streams: z.int(),
  /** Requests to the API, in all and in its busiest second. */
  requests: z.int(),
  most: z.int(),
  /** Admissions that were requested. */
  admissions: z.int(),
  /** Connections that were closed unread. */
  dropped: z.int(),
  rss: z.number(),
  cpuMs: z.number(),
});

const ports = z.array(z.int());

export const simulatorSettings = z.object({
  /** Of the gateways, to which connections are made in turn. */
  ports,
  agents: z.int(),
  /** Agents that start in a second. */
  perSecond: z.int(),
  isTls: z.boolean(),
});

export type SimulatorSettings = z.output<typeof simulatorSettings>;

/** A question for the counts; with ports, the next connections are made to these, and gaps are counted anew. */
export const simulatorQuestion = z.object({ ports: z.optional(ports) });

export type SimulatorQuestion = z.output<typeof simulatorQuestion>;

/** What the simulated agents counted. */
export const simulatorCounts = z.object({
  connected: z.int(),
  attempts: z.int(),
  /** Ends of established streams. */
  losses: z.int(),
  pings: z.int(),
  /** Milliseconds between the loss of a stream and the next one: 99 % of them are at most this; 0 without one. */
  gapMs: z.number(),
  /** The most streams that one agent lost. */
  mostLosses: z.int(),
});
