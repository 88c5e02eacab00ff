import { describeError } from '../../shared/core/log.ts';
import { every } from '../../shared/core/monotonic-clock.ts';
import { codes } from '../protocol/enumerations.ts';
import { idFor } from '../protocol/generation.ts';
import type { AgentStream } from '../streams/agent-stream.ts';
import { endEvenly } from '../streams/end-evenly.ts';
import { PingWheel } from '../streams/ping-wheel.ts';
import { Session } from '../streams/session.ts';
import { type Candidate, candidateOf, Refusal, refusalOf, UNKNOWN_VERSION } from './admission.ts';
import { AdmissionDesk } from './admission-desk.ts';
import type { Admission } from './admissions.ts';
import { changedIds, Feed } from './feed.ts';
import type { GatewayNumbers, GatewayOptions } from './gateway-options.ts';
import { Host } from './host.ts';
import { Inventory, type InventoryChange } from './inventory.ts';
import { Reporter } from './reporter.ts';
import { Rivals } from './rivals.ts';

/**
 * The part of an interval by which the heartbeat or check of a host may be early, so that one request has those of many
 * hosts: the service asks each host for another time.
 */
export const EARLY_SHARE = 0.25;

/** Checks of credentials that begin in one tick: those of all agents after a restart are due at the same time. */
const CHECKS_PER_TICK = 100;

/** Pause before a check is repeated while the service does not answer. */
const REPEAT_CHECK_MS = 60_000;

/** Updates a second after a gap of the feed, which concerns all hosts. */
const UPDATES_PER_SECOND = 50;

/** One turn of pings. */
export const PING_MS = 30_000;

/** Time for the pong of an older stream before a newer one of the same agent takes its place: less than the agent waits. */
const RIVAL_MS = 2000;

/** How long a host may be without a stream before it counts as not connected. */
export const RETURN_MS = 15_000;

/** Interval in which heartbeats and checks of credentials are looked for, and the age of a check. */
const TICK_MS = 1000;
export const CHECK_MS = 3_600_000;

/** Interval of the change feed where a read costs nothing. */
const FEED_MS = 1000;

const STOPS = 'The server stops. Try again.';
const REMOVED = 'The agent was removed from the inventory.';

/** Time for the last reports when the gateway stops. */
const LAST_REPORT_MS = 1000;

/** Holds the streams of agent processes: admits them, tells them what to run, and reports for their hosts. */
export class AgentGateway {
  readonly #options: Required<GatewayOptions>;
  readonly #inventory: Inventory;
  readonly #desk: AdmissionDesk;
  readonly #hosts = new Map<string, Host>();
  /** Hosts whose stream has ended, until they return or count as not connected. */
  readonly #lost = new Map<string, { host: Host; cancel: () => void }>();
  /** Streams that are not admitted yet. */
  #admitting = 0;
  readonly #reporter: Reporter;
  readonly #rivals: Rivals;
  readonly #feed: Feed;
  readonly #wheel: PingWheel<Session>;
  readonly #endTicks: () => void;
  #isStopped = false;
  #refused = 0;

  constructor(options: GatewayOptions) {
    this.#options = { pingMs: PING_MS, feedMs: FEED_MS, hasPeers: false, ...options };
    const { pingMs, monotonic } = this.#options;
    this.#inventory = new Inventory(options.send);
    this.#desk = new AdmissionDesk(this.#inventory, () => this.#feed.position(), monotonic);
    this.#wheel = new PingWheel(monotonic, pingMs, (session) => void session.keepAlive(pingMs));
    const onFailure = (error: unknown) => this.#fail(error);
    this.#reporter = new Reporter({
      inventory: this.#inventory,
      onTaken: (id, taken) => this.#noteReport(id, taken),
      onRefused: (id) => this.#hosts.get(id)?.session.end(codes.notAllowed, REMOVED),
      onFailure,
      monotonic,
    });
    this.#rivals = new Rivals(this.#reporter, monotonic);
    this.#feed = new Feed({
      inventory: this.#inventory,
      onChanges: (changes) => this.#apply(changes),
      onGap: () => this.#updateAll(),
      onFailure,
      readMs: this.#options.feedMs,
      monotonic,
    });
    this.#endTicks = every(monotonic, TICK_MS, () => this.#tick(), { ref: false });
  }

  get numbers(): GatewayNumbers {
    return { streams: this.#hosts.size, refused: this.#refused, feedAgeMs: this.#feed.ageMs };
  }

  /** Follows the change feed from now on, also without hosts. @throws as the inventory. */
  follow(): Promise<void> {
    return this.#feed.start();
  }

  #fail(error: unknown): void {
    const message = 'the agent gateway could not reach the inventory';
    this.#options.log({ level: 'error', message, cause: describeError(error) });
  }

  /** Serves a stream until it ends. */
  async serve(stream: AgentStream): Promise<void> {
    this.#admitting += 1;
    try {
      const candidate = candidateOf(stream.headers, stream.source);
      // No change may be lost between the read and the feed.
      await this.#feed.start();
      const admitted = await this.#desk.admit(candidate, stream.closed);
      await this.#makeRoom(candidate.pmmAgentId);
      if (stream.closed.aborted) return;
      const { objects, position } = admitted;
      const host = this.#begin(stream, candidate, admitted);
      host.update(position.changes === undefined ? undefined : objects, position.changes);
    } catch (error) {
      const { code, message } = refusalOf(error);
      this.#refused += 1;
      stream.end(code, message);
    } finally {
      this.#admitting -= 1;
      this.#stopFeed();
    }
  }

  /** Spread, so that the service can answer other requests. */
  #updateAll(): void {
    for (const [index, host] of [...this.#hosts.values()].entries())
      this.#options.monotonic.after((index * 1000) / UPDATES_PER_SECOND, () => host.update(), { ref: false });
  }

  /** Ends an older stream of the same agent that does not answer. @throws Refusal while the older one answers. */
  async #makeRoom(pmmAgentId: string): Promise<void> {
    if (this.#isStopped) throw new Refusal(codes.tryLater, 'The server stops.');
    for (;;) {
      const older = this.#hosts.get(pmmAgentId);
      if (older === undefined) return;
      const isAlive = await older.session.ping(RIVAL_MS);
      if (this.#hosts.get(pmmAgentId) !== older) continue;
      if (isAlive) throw this.#rivals.refusal(pmmAgentId);
      older.session.end(codes.replaced, 'Another stream of this agent took its place.');
      this.#hosts.delete(pmmAgentId);
    }
  }

  #begin(stream: AgentStream, candidate: Candidate, place: Admission): Host {
    const { pmmAgentId, generation, version } = candidate;
    const onStatus = (change: Parameters<Host['take']>[0]) => host.take(change);
    const { clock, monotonic } = this.#options;
    const session = new Session({ wire: stream, generation, clock, monotonic, onStatus });
    const onFailure = (error: unknown) => this.#fail(error);
    const means = { session, inventory: this.#inventory, reporter: this.#reporter, onFailure, monotonic };
    // Its credential was checked then, however long the admission was kept.
    const host = new Host({ ...candidate, ...means, closed: stream.closed }, place.position.at);
    this.#hosts.set(pmmAgentId, host);
    this.#wheel.add(session);
    this.#lost.get(pmmAgentId)?.cancel();
    this.#lost.delete(pmmAgentId);
    stream.closed.addEventListener('abort', () => this.#leave(host), { once: true });
    this.#options.log({ level: 'info', message: 'an agent connected', pmm_agent_id: pmmAgentId, version });
    stream.accept(
      {
        'pmm-agent-node-id': idFor(generation, 'node', place.nodeId),
        'pmm-server-version': this.#options.versions[generation],
        // Headers contain printable ASCII only.
        ...(generation === 3 ? { 'pmm-node-name': place.nodeName.replace(/[^ -~]/g, '_') } : {}),
      },
      (frame) => session.receive(frame),
    );
    const entries = version === UNKNOWN_VERSION ? [] : [{ agent_id: pmmAgentId, status: 'running', version }];
    this.#reporter.add(pmmAgentId, { entries, isNew: true });
    return host;
  }

  #leave(host: Host): void {
    const { pmmAgentId } = host.candidate;
    const { lastSignAt } = host.session;
    host.session.close();
    this.#wheel.remove(host.session);
    this.#options.log({ level: 'info', message: 'an agent disconnected', pmm_agent_id: pmmAgentId });
    if (this.#hosts.get(pmmAgentId) !== host) return;
    this.#hosts.delete(pmmAgentId);
    this.#rivals.forget(pmmAgentId);
    this.#stopFeed();
    if (this.#isStopped) return;
    const cancel = this.#options.monotonic.after(RETURN_MS, () => void this.#reportLost(host, lastSignAt), {
      ref: false,
    });
    this.#lost.set(pmmAgentId, { host, cancel });
  }

  /** With other gateways, the feed is followed without hosts too, because its age is the health of this gateway. */
  #stopFeed(): void {
    if (this.#hosts.size > 0) return;
    if (this.#isStopped || (!this.#options.hasPeers && this.#admitting === 0)) this.#feed.stop();
  }

  /**
   * Reports that a host is not connected, unless it has returned to another gateway: the report of a new connection is
   * always stored, so that the stored one is then more recent than the last one of this gateway.
   */
  async #reportLost({ candidate: { pmmAgentId }, reportedAt }: Host, lostAt: number): Promise<void> {
    this.#lost.delete(pmmAgentId);
    try {
      if (this.#options.hasPeers && reportedAt !== undefined) {
        const storedAt = await this.#inventory.reportedAt(pmmAgentId);
        if (storedAt !== undefined && storedAt > reportedAt) return;
      }
      if (!this.#hosts.has(pmmAgentId)) this.#reporter.add(pmmAgentId, { lostAt });
    } catch (error) {
      // Its timers decide then.
      this.#fail(error);
    }
  }

  #noteReport(
    pmmAgentId: string,
    { reportAfterSeconds, reportedAt }: { reportAfterSeconds: number; reportedAt: number | undefined },
  ): void {
    const host = this.#hosts.get(pmmAgentId) ?? this.#lost.get(pmmAgentId)?.host;
    if (host === undefined) return;
    const [now, afterMs] = [this.#options.monotonic.now(), reportAfterSeconds * 1000];
    host.dueAt = now + afterMs;
    host.earliestAt = now + (1 - EARLY_SHARE) * afterMs;
    host.reportedAt = reportedAt ?? host.reportedAt;
  }

  /** Once one host is due, all that may be early are taken with it. */
  #tick(): void {
    const now = this.#options.monotonic.now();
    const hosts = [...this.#hosts.values()];
    this.#rivals.tick();
    if (hosts.some(({ dueAt }) => now >= dueAt))
      for (const host of hosts) {
        if (now < host.earliestAt) continue;
        [host.dueAt, host.earliestAt] = [Infinity, Infinity];
        this.#reporter.add(host.candidate.pmmAgentId);
      }
    if (!hosts.some(({ checkedAt }) => now - checkedAt >= CHECK_MS)) return;
    const unchecked = hosts.filter(({ checkedAt }) => now - checkedAt >= (1 - EARLY_SHARE) * CHECK_MS);
    // The oldest first: those beyond the limit of a tick have waited longest at the next one.
    unchecked.sort((left, right) => left.checkedAt - right.checkedAt);
    for (const host of unchecked.slice(0, CHECKS_PER_TICK)) {
      host.checkedAt = now;
      void this.#checkAgain(host);
    }
  }

  /** A key that was removed or has expired loses its stream. */
  async #checkAgain(host: Host): Promise<void> {
    try {
      await this.#desk.check(host.candidate, host.closed);
    } catch (error) {
      const { code, message } = refusalOf(error);
      if (code === codes.tryLater) host.checkedAt += REPEAT_CHECK_MS - CHECK_MS;
      else host.session.end(code, message);
    }
  }

  /** Passes changes on to the hosts that they concern. */
  #apply(changes: readonly InventoryChange[]): void {
    const changed = changedIds(changes);
    for (const { id, action } of changes)
      if (action === 'removed') this.#hosts.get(id)?.session.end(codes.notAllowed, REMOVED);
    for (const host of this.#hosts.values()) if (host.concerns(changed)) host.update();
  }

  /**
   * Ends all streams, evenly over some milliseconds, and admits no others. The reports of those that wait go on.
   */
  async drain(milliseconds: number): Promise<void> {
    this.#isStopped = true;
    for (const { cancel } of this.#lost.values()) cancel();
    this.#lost.clear();
    const sessions = [...this.#hosts.values()].map(({ session }) => session);
    await endEvenly(this.#options.monotonic, sessions, milliseconds, codes.tryLater, STOPS);
  }

  /** Ends all streams. Agents try again after a pause, so no host counts as lost. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endTicks();
    for (const { cancel } of this.#lost.values()) cancel();
    for (const { session } of this.#hosts.values()) session.end(codes.tryLater, STOPS);
    this.#feed.stop();
    this.#wheel.stop();
    await this.#reporter.stop(LAST_REPORT_MS);
  }
}
