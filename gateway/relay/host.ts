import { type MonotonicClock, pause } from '../../shared/core/monotonic-clock.ts';
import { type DesiredState, desiredState, fingerprintOf } from '../desired/desired-state.ts';
import type { Session, StatusChange } from '../streams/session.ts';
import type { Candidate } from './admission.ts';
import type { HostObjects, Inventory, StatusEntry } from './inventory.ts';
import type { Reporter } from './reporter.ts';

/** Time for the reply to what an agent process is to run. */
const SET_STATE_MS = 5000;

const NOT_STARTED = 'It has not run: its program is not installed, or see the log of pmm-agent.';
const ENDS_AT_ONCE = 'It ends when it is started: see the log of pmm-agent.';

/**
 * The pause before a recent agent process gets its state again, doubled each time: it starts a program three times, and then only
 * when a state arrives. The number is bounded, because it keeps the ports of failed attempts, of 10,000.
 */
const FIRST_REPEAT_MS = 30_000;
const MAX_REPEATS = 8;

/** Pause before a failed update is repeated. */
const REPEAT_MS = 2000;

interface HostOptions extends Candidate {
  session: Session;
  /** Aborted when its stream is closed. */
  closed: AbortSignal;
  inventory: Inventory;
  reporter: Reporter;
  onFailure: (error: unknown) => void;
  monotonic: MonotonicClock;
}

/** The ids of agents and of their services. */
const idsIn = ({ agents }: HostObjects): string[] =>
  agents.flatMap(({ agent_id: id, insights }) => [id, ...insights.service_ids]);

/** A host whose agent process has a stream: brings the process to what the inventory declares, and reports for it. */
export class Host {
  readonly candidate: Candidate;
  readonly session: Session;
  /** Of its stream. */
  readonly closed: AbortSignal;
  /** Ids of the agents under it and of their services, as last read: their changes concern this host. */
  #objectIds: readonly string[] = [];
  /** When the next heartbeat is due, and when it may be sent; milliseconds of the monotonic clock. Infinity: not known. */
  dueAt = Infinity;
  earliestAt = Infinity;
  /** When its credential was last checked, by the same clock. */
  checkedAt: number;
  /** The time of its last report, by the clock of the service, in milliseconds since 1970. */
  reportedAt: number | undefined;
  readonly #options: HostOptions;
  /** Of the last accepted request; undefined before it. */
  #fingerprint: string | undefined;
  #desired: DesiredState | undefined;
  /** Objects that need not be read again: those of the admission, or of an update that the process has not answered. */
  #objects: HostObjects | undefined;
  /** The statuses that this stream has reported. */
  readonly #reported = new Map<string, string>();
  /** Agents whose programs are installed: they have run on this stream, or told the agent process their version. */
  readonly #installed = new Set<string>();
  /** Agents whose last status is that their program could not be started. */
  readonly #failed = new Set<string>();
  #isRepeating = false;
  /** Since its state changed. */
  #repeats = 0;
  #updating: Promise<void> | undefined;
  #isOutdated = false;

  constructor(options: HostOptions, now: number) {
    this.#options = options;
    this.candidate = options;
    this.session = options.session;
    this.closed = options.closed;
    this.checkedAt = now;
  }

  /** Whether one of these objects is of this host: its process, an agent under it, or a service of one. */
  concerns(changed: ReadonlySet<string>): boolean {
    return changed.has(this.candidate.pmmAgentId) || this.#objectIds.some((id) => changed.has(id));
  }

  /**
   * Reads the agents again, and tells the process what to run if that has changed. Calls during an update join.
   *
   * @param objects that were just read.
   * @param changes since then: the objects are read again if one concerns them.
   */
  update(objects?: HostObjects, changes: readonly ReadonlySet<string>[] = []): void {
    if (objects !== undefined) this.#objectIds = idsIn(objects);
    this.#objects = changes.some((changed) => this.concerns(changed)) ? undefined : objects;
    this.#isOutdated = true;
    this.#updating ??= this.#updateAll().finally(() => (this.#updating = undefined));
  }

  async #updateAll(): Promise<void> {
    while (this.#isOutdated && !this.session.isEnded) {
      this.#isOutdated = false;
      const isDone = await this.#updateOnce().catch((error: unknown) => {
        this.#options.onFailure(error);
        return false;
      });
      if (isDone) continue;
      this.#isOutdated = true;
      await pause(this.#options, REPEAT_MS, { ref: false });
    }
  }

  async #updateOnce(): Promise<boolean> {
    const { inventory, pmmAgentId, generation, version } = this.#options;
    const cached = this.#objects;
    this.#objects = undefined;
    const objects = cached ?? (await inventory.objectsOf(pmmAgentId));
    const { agents, services } = objects;
    this.#objectIds = idsIn(objects);
    const desired = desiredState({ agents, services, process: { generation, version } });
    this.#desired = desired;
    this.#reportWaiting(desired);
    const fingerprint = fingerprintOf(desired.state);
    // The first request is sent also without agents: the process stops what it ran before.
    if (this.#fingerprint === fingerprint) return true;
    const isAccepted = await this.session.setState(desired.state, SET_STATE_MS);
    if (isAccepted) [this.#fingerprint, this.#repeats] = [fingerprint, 0];
    // A slow process gets the same again, unless a change has asked for another read.
    else if (!this.#isOutdated) this.#objects = objects;
    return isAccepted;
  }

  /** Agents that cannot run wait, with the reason. */
  #reportWaiting({ waiting }: DesiredState): void {
    const news = waiting.filter(({ agentId, reason }) => this.#reported.get(agentId) !== reason);
    for (const { agentId, reason } of news) this.#reported.set(agentId, reason);
    const entries = news.map(({ agentId, reason }): StatusEntry => ({
      agent_id: agentId,
      status: 'waiting',
      status_reason: reason,
    }));
    if (entries.length > 0) this.#report(entries, true);
  }

  /** Passes on the status that the process sent. The first one of each agent can follow any status. */
  take({ agentId, status, listenPort, version, failedToStart = false }: StatusChange): void {
    // After each attempt that failed the process says `done`; the agent waits for the next one.
    if (status === 'done' && this.#failed.has(agentId)) return;
    if (failedToStart) {
      this.#failed.add(agentId);
      this.#repeatLater();
    } else this.#failed.delete(agentId);
    const isFirst = !this.#reported.has(agentId);
    this.#reported.set(agentId, status);
    if (status === 'running' || version !== undefined) this.#installed.add(agentId);
    const reason = this.#reasonToWait(agentId);
    const needs = status === 'waiting' ? (reason ?? (failedToStart ? ENDS_AT_ONCE : undefined)) : undefined;
    const port = status === 'done' ? undefined : listenPort;
    this.#report([{ agent_id: agentId, status, listen_port: port, version, status_reason: needs }], isFirst);
  }

  /** Tells the process again what to run if it then has a program that could not be started. */
  #repeatLater(): void {
    if (this.#isRepeating || this.#repeats >= MAX_REPEATS) return;
    this.#isRepeating = true;
    void pause(this.#options, FIRST_REPEAT_MS * 2 ** this.#repeats, { ref: false }).then(() => {
      this.#isRepeating = false;
      this.#repeats += 1;
      const isDeclared = this.#objectIds.some((id) => this.#failed.has(id));
      return isDeclared && this.#desired && this.session.setState(this.#desired.state, SET_STATE_MS);
    });
  }

  /**
   * The stream does not tell a program that is not installed from one that ends at once. One that has run is installed, and one
   * that has a version: a recent agent process asks the program for it.
   */
  #reasonToWait(agentId: string): string | undefined {
    const needs = this.#desired?.needs.get(agentId);
    if (this.#installed.has(agentId)) return needs;
    return needs === undefined ? NOT_STARTED : `${needs.replace(/\.$/, '')}; or its program is not installed.`;
  }

  #report(entries: readonly StatusEntry[], isReset: boolean): void {
    this.#options.reporter.add(this.candidate.pmmAgentId, { entries, isReset });
  }
}
