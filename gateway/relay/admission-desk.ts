import { parseAuthorization } from '../../shared/auth/authorization-header.ts';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import { AdmissionGate, type Candidate } from './admission.ts';
import { Admissions, type Admission } from './admissions.ts';
import type { FeedPosition } from './feed-position.ts';
import type { Inventory } from './inventory.ts';
import { KeptAdmissions } from './kept-admissions.ts';

/** Admissions of users with passwords at once: each takes as much time as a log-in. */
const MAX_PASSWORDS = 10;

/** Admissions by API keys at once: two requests. */
const MAX_KEYS = 200;

/** The right to report for a host is the right to connect as its agent process. */
export class AdmissionDesk {
  readonly #inventory: Inventory;
  readonly #admissions: Admissions;
  readonly #kept: KeptAdmissions;
  readonly #position: () => FeedPosition;
  readonly #gates: Record<'key' | 'password', AdmissionGate>;

  /** @param position of the change feed now. */
  constructor(inventory: Inventory, position: () => FeedPosition, monotonic: MonotonicClock) {
    this.#inventory = inventory;
    this.#position = position;
    this.#admissions = new Admissions(inventory, position, monotonic);
    this.#kept = new KeptAdmissions(this.#admissions, monotonic);
    this.#gates = {
      key: new AdmissionGate(MAX_KEYS, monotonic),
      password: new AdmissionGate(MAX_PASSWORDS, monotonic),
    };
  }

  /** The number of admissions that run. */
  get running(): number {
    return this.#gates.key.running + this.#gates.password.running;
  }

  /**
   * Requests with API keys are joined; a password is checked by a request of its own.
   *
   * @throws Refusal when too many run, otherwise as the inventory.
   */
  async admit(candidate: Candidate, closed: AbortSignal): Promise<Admission> {
    if (!isPassword(candidate)) return this.#gates.key.run(() => this.#kept.admit(candidate, closed), closed);
    return this.#gates.password.run(() => this.#prove(candidate), closed);
  }

  async #prove({ pmmAgentId, credential }: Candidate): Promise<Admission> {
    const position = this.#position();
    await this.#inventory.prove(pmmAgentId, credential);
    return { ...(await this.#inventory.hostOf(pmmAgentId)), position };
  }

  /** Repeats the check of a credential, always by the service. @throws as the inventory. */
  async check(candidate: Candidate, closed: AbortSignal): Promise<void> {
    const { pmmAgentId, credential } = candidate;
    if (isPassword(candidate)) await this.#inventory.prove(pmmAgentId, credential);
    else await this.#admissions.admit(candidate, closed);
  }
}

const isPassword = ({ credential: { authorization } }: Candidate): boolean =>
  parseAuthorization([authorization]).kind === 'password';
