import { CONNECTED_TWICE } from '../../functions/domain/agent/connected-twice.ts';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import { codes } from '../protocol/enumerations.ts';
import { Refusal } from './admission.ts';
import type { Reporter } from './reporter.ts';

/** A host counts as connected twice until its rival has not tried for so long. Agents try again within a minute. */
export const RIVAL_GONE_MS = 600_000;

/** Reports for which hosts a second process with the same id was refused. */
export class Rivals {
  readonly #reporter: Reporter;
  readonly #monotonic: MonotonicClock;
  /** When the last one was refused, by the id of the agent process. */
  readonly #refusedAt = new Map<string, number>();

  constructor(reporter: Reporter, monotonic: MonotonicClock) {
    this.#reporter = reporter;
    this.#monotonic = monotonic;
  }

  #report(pmmAgentId: string, reason: string | undefined): void {
    const entries = [{ agent_id: pmmAgentId, status: 'running', status_reason: reason }];
    this.#reporter.add(pmmAgentId, { entries });
  }

  /** The refusal of a rival of a connected host, which is reported. */
  refusal(pmmAgentId: string): Refusal {
    if (!this.#refusedAt.has(pmmAgentId)) this.#report(pmmAgentId, CONNECTED_TWICE);
    this.#refusedAt.set(pmmAgentId, this.#monotonic.now());
    return new Refusal(codes.alreadyConnected, 'An agent with this id is connected already.');
  }

  /** The host has no stream any more: its next connection ends the reason. */
  forget(pmmAgentId: string): void {
    this.#refusedAt.delete(pmmAgentId);
  }

  /** Ends the reason of hosts whose rival is gone. */
  tick(): void {
    const now = this.#monotonic.now();
    for (const [id, at] of this.#refusedAt) {
      if (now - at < RIVAL_GONE_MS) continue;
      this.forget(id);
      this.#report(id, undefined);
    }
  }
}
