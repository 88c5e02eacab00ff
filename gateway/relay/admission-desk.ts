import { parseAuthorization } from '../../shared/auth/authorization-header.ts';
import { AdmissionGate, type Candidate } from './admission.ts';
import { Admissions } from './admissions.ts';
import type { AdmittedHost, Inventory } from './inventory.ts';

/** Admissions of users with passwords at once: each takes as much time as a log-in. */
const MAX_PASSWORDS = 10;

/** Admissions by API keys at once: two requests. */
const MAX_KEYS = 200;

/** The right to report for a host is the right to connect as its agent process. */
export class AdmissionDesk {
  readonly #inventory: Inventory;
  readonly #admissions: Admissions;
  readonly #gates = { key: new AdmissionGate(MAX_KEYS), password: new AdmissionGate(MAX_PASSWORDS) };

  constructor(inventory: Inventory) {
    this.#inventory = inventory;
    this.#admissions = new Admissions(inventory);
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
  async admit(candidate: Candidate, closed: AbortSignal): Promise<AdmittedHost> {
    if (!isPassword(candidate)) return this.#gates.key.run(() => this.#admissions.admit(candidate, closed), closed);
    return this.#gates.password.run(() => this.#prove(candidate), closed);
  }

  async #prove({ pmmAgentId, credential }: Candidate): Promise<AdmittedHost> {
    await this.#inventory.prove(pmmAgentId, credential);
    return this.#inventory.hostOf(pmmAgentId);
  }

  /** Repeats the check of a credential. @throws as the inventory. */
  async check(candidate: Candidate, closed: AbortSignal): Promise<void> {
    const { pmmAgentId, credential } = candidate;
    if (isPassword(candidate)) await this.#inventory.prove(pmmAgentId, credential);
    else await this.#admissions.admit(candidate, closed);
  }
}

const isPassword = ({ credential: { authorization } }: Candidate): boolean =>
  parseAuthorization([authorization]).kind === 'password';
