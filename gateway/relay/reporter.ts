import { MAX_SILENT_SECONDS } from '../../functions/domain/agent/report.ts';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import type { HostReport, Inventory, ReportResult, StatusEntry } from './inventory.ts';

/** The most hosts in a request, and agents of a host. */
const MAX_HOSTS = 500;
const MAX_AGENTS = 200;

/** How long news and heartbeats of hosts are collected. */
const NEWS_MS = 300;
const HEARTBEATS_MS = 5000;

/** Pauses after a request that failed. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;

interface PendingReport {
  agents: Map<string, StatusEntry>;
  isReset: boolean;
  /** The last sign of life of a process whose connection was lost, by the monotonic clock. */
  lostAt: number | undefined;
  isNew: boolean;
}

/** An addition to the next report of a host. */
export interface ReportPart {
  entries?: readonly StatusEntry[];
  /** The process began anew: any status can follow. */
  isReset?: boolean;
  /** Its connection was lost: its last sign of life, by the monotonic clock. */
  lostAt?: number | undefined;
  /** A connection of it began. */
  isNew?: boolean;
}

interface ReporterOptions {
  inventory: Inventory;
  /** The service took a report of a host. `reportedAt`: the time of the stored one, in milliseconds since 1970. */
  onTaken: (pmmAgentId: string, taken: { reportAfterSeconds: number; reportedAt: number | undefined }) => void;
  /** The service refused the report of a host: its agent process was removed. */
  onRefused: (pmmAgentId: string) => void;
  onFailure: (error: unknown) => void;
  monotonic: MonotonicClock;
}

/** Collects what hosts report, and sends it in batches. Keeps what could not be sent. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #pending = new Map<string, PendingReport>();
  #cancel: (() => void) | undefined;
  #dueAt = Infinity;
  #pauseMs = 0;
  #sending: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /** A part without entries and flags is a heartbeat, which may wait longer. */
  add(pmmAgentId: string, part: ReportPart = {}): void {
    this.#merge(pmmAgentId, part);
    const isNews =
      (part.entries?.length ?? 0) > 0 || part.isReset === true || part.lostAt !== undefined || part.isNew === true;
    this.#schedule(isNews ? NEWS_MS : HEARTBEATS_MS);
  }

  /** An intermediate status that was not sent makes any status possible. */
  #merge(pmmAgentId: string, { entries = [], isReset = false, lostAt, isNew = false }: ReportPart): void {
    const pending = this.#pending.get(pmmAgentId) ?? { agents: new Map<string, StatusEntry>(), isReset, lostAt, isNew };
    for (const entry of entries) {
      const pendingEntry = pending.agents.get(entry.agent_id);
      if (pendingEntry !== undefined && pendingEntry.status !== entry.status) pending.isReset = true;
      // One about the process itself may have no version: the version is that of its connection.
      pending.agents.set(entry.agent_id, { ...entry, version: entry.version ?? pendingEntry?.version });
    }
    pending.isReset ||= isReset;
    pending.lostAt = lostAt;
    pending.isNew = lostAt === undefined && (pending.isNew || isNew);
    this.#pending.set(pmmAgentId, pending);
  }

  #schedule(milliseconds: number): void {
    if (this.#isStopped) return;
    const { monotonic } = this.#options;
    const waitMs = Math.max(milliseconds, this.#pauseMs);
    const dueAt = monotonic.now() + waitMs;
    if (dueAt >= this.#dueAt) return;
    this.#cancel?.();
    this.#dueAt = dueAt;
    this.#cancel = monotonic.after(waitMs, () => void this.flush(), { ref: false });
  }

  /** Sends all that is pending. One request at a time, so that the reports of a host stay in order. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#dueAt = Infinity;
    while (this.#sending !== undefined) await this.#sending;
    this.#sending = this.#sendAll();
    await this.#sending.finally(() => (this.#sending = undefined));
    if (this.#pending.size > 0) this.#schedule(NEWS_MS);
  }

  async #sendAll(): Promise<void> {
    const batches: [string, PendingReport][][] = [];
    const all = [...this.#pending];
    this.#pending.clear();
    for (let index = 0; index < all.length; index += MAX_HOSTS) batches.push(all.slice(index, index + MAX_HOSTS));
    for (const batch of batches) await this.#send(batch);
  }

  async #send(batch: readonly [string, PendingReport][]): Promise<void> {
    try {
      const now = this.#options.monotonic.now();
      const results = await this.#options.inventory.report(batch.map(([id, pending]) => reportOf(id, pending, now)));
      this.#pauseMs = 0;
      for (const [index, [id, pending]] of batch.entries()) {
        const result = results[index];
        if (result !== undefined) this.#note(id, pending, result);
      }
    } catch (error) {
      this.#pauseMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * this.#pauseMs));
      this.#options.onFailure(error);
      for (const [id, pending] of batch) this.#putBack(id, pending);
    }
  }

  #note(id: string, pending: PendingReport, { status, report }: ReportResult): void {
    if (report !== undefined) {
      const rest = [...pending.agents.values()].slice(MAX_AGENTS);
      if (rest.length > 0) this.#putBack(id, { ...entriesOf(rest), isReset: pending.isReset });
      const impossible = report.refused.filter(({ reason }) => reason === 'impossible_transition');
      const entries = impossible.flatMap(({ agent_id: agentId }) => pending.agents.get(agentId) ?? []);
      // The stored status is not the one before: a step was lost.
      if (entries.length > 0 && !pending.isReset) this.#putBack(id, { ...entriesOf(entries), isReset: true });
      const { report_after_seconds: reportAfterSeconds, reported_at: time } = report;
      this.#options.onTaken(id, { reportAfterSeconds, reportedAt: time === undefined ? time : Date.parse(time) });
    } else if (status === 403 || status === 404 || status === 400) this.#options.onRefused(id);
    else this.#putBack(id, pending);
  }

  /** Keeps a part that could not be sent, under what arrived in the meantime. */
  #putBack(id: string, older: PendingReport): void {
    const newer = this.#pending.get(id);
    this.#pending.set(id, older);
    if (newer === undefined) return;
    const { isReset, lostAt, isNew } = newer;
    this.#merge(id, { entries: [...newer.agents.values()], isReset, lostAt, isNew });
  }

  /** Sends what is pending once more, for at most some milliseconds. */
  async stop(milliseconds: number): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const cancel = this.#options.monotonic.after(milliseconds, () => resolve(undefined));
    await Promise.race([this.flush(), promise]);
    cancel();
  }
}

const entriesOf = (entries: readonly StatusEntry[]): PendingReport => ({
  agents: new Map(entries.map((entry) => [entry.agent_id, entry])),
  isReset: false,
  lostAt: undefined,
  isNew: false,
});

/** Of an end that could not be reported for longer, the service decides by its timers. */
const silentSeconds = (milliseconds: number) => Math.min(MAX_SILENT_SECONDS, Math.round(milliseconds / 1000));

function reportOf(id: string, { agents, isReset, lostAt, isNew }: PendingReport, now: number): HostReport {
  return {
    pmm_agent_id: id,
    agents: [...agents.values()].slice(0, MAX_AGENTS),
    ...(isReset ? { reset: true } : {}),
    ...(lostAt !== undefined
      ? { connected: false, silent_seconds: silentSeconds(now - lostAt) }
      : isNew
        ? { connected: true }
        : {}),
  };
}
