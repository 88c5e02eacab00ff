/** The line of the log for an inventory that is not ready, which names it. An alarm counts these lines. */
export const NOT_READY = 'inventory is not ready';

/** How often the probe asks each inventory. */
export const PROBE_MINUTES = 1;

/** The inventories that one call of the probe asks. */
export const MAX_PROBED = 10;

/** A single failure is no symptom, because networks lose requests: how often one call asks, and the time for each reply. */
export const probing = { attempts: 3, pauseMs: 3000, replyMs: 10_000 } as const;

/** The longest that a call takes. */
export const PROBE_SECONDS = (probing.attempts * probing.replyMs + (probing.attempts - 1) * probing.pauseMs) / 1000;

/** The inventories by the names that the alarm states, with their base URLs. */
export interface ProbeEvent {
  inventories: readonly { name: string; url: string }[];
}
