import type { Log } from '../../shared/core/log.ts';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import type { Generation } from '../protocol/generation.ts';
import type { Send } from './inventory.ts';

export interface GatewayOptions {
  send: Send;
  log: Log;
  /** The version of PMM in the reply to agents of each generation. */
  versions: Readonly<Record<Generation, string>>;
  /** The time of day, for agents. */
  clock: () => Date;
  monotonic: MonotonicClock;
  /** Milliseconds between two reads of the change feed; default: 1,000. */
  feedMs?: number;
  /** Whether other gateways serve the same inventory: an agent may return to one of them. */
  hasPeers?: boolean;
  /** Milliseconds of one turn of pings. Default: 30 s. */
  pingMs?: number;
}

/** Numbers of a gateway, for its health and its metrics. */
export interface GatewayNumbers {
  streams: number;
  /** Admissions that were refused since the start. */
  refused: number;
  /** Milliseconds since the change feed was read; undefined before the first time. */
  feedAgeMs: number | undefined;
}
