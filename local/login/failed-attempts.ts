import { sourceNetwork } from '../../shared/net/source-network.ts';

/** Number of consecutive wrong passwords of an address without a delay. */
export const FREE_FAILURES = 5;

/** The longest delay between two attempts of an address. */
export const MAX_DELAY_SECONDS = 30;

/** After this time without a failure, the failures of an address are forgotten. */
const FORGOTTEN_MS = 15 * 60_000;

/** Number of addresses that are stored. The one with the oldest failure is removed first. */
const MAX_SOURCES = 10_000;

/**
 * Wrong passwords by source address. After FREE_FAILURES of them an address must wait between attempts: 1 s, then twice
 * as long each time, up to MAX_DELAY_SECONDS. No user name is locked: other addresses do not wait.
 */
export class FailedAttempts {
  private readonly sources = new Map<string, { failures: number; at: number; until: number }>();
  private readonly now: () => number;

  /** @param now milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Whole seconds until this address may try again; 0: now. */
  secondsToWait(address: string): number {
    const attempts = this.sources.get(sourceNetwork(address));
    return attempts === undefined ? 0 : Math.max(0, Math.ceil((attempts.until - this.now()) / 1000));
  }

  add(address: string): void {
    const source = sourceNetwork(address);
    const now = this.now();
    const attempts = this.sources.get(source);
    const failures = attempts === undefined || now - attempts.at > FORGOTTEN_MS ? 1 : attempts.failures + 1;
    const delay = failures < FREE_FAILURES ? 0 : Math.min(2 ** (failures - FREE_FAILURES), MAX_DELAY_SECONDS);
    // Deleted first, so that the map is ordered by the time of the latest failure.
    this.sources.delete(source);
    this.sources.set(source, { failures, at: now, until: now + delay * 1000 });
    const [oldest] = this.sources.keys();
    if (this.sources.size > MAX_SOURCES && oldest !== undefined) this.sources.delete(oldest);
  }

  forget(address: string): void {
    this.sources.delete(sourceNetwork(address));
  }
}
