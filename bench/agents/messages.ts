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

/** What the gateway counted since its start; memory in bytes after a garbage collection. */
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

export const simulatorSettings = z.object({
  port: z.int(),
  agents: z.int(),
  /** Agents that start in a second. */
  perSecond: z.int(),
  isTls: z.boolean(),
});

export type SimulatorSettings = z.output<typeof simulatorSettings>;

/** What the simulated agents counted. */
export const simulatorCounts = z.object({
  connected: z.int(),
  attempts: z.int(),
  /** Ends of established streams. */
  losses: z.int(),
  pings: z.int(),
});
