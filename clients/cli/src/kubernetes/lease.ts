import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Fields, isFields } from '../core/values.ts';
import { type KubernetesApi, statusOf } from './api.ts';
import { type Clock, timeLimit } from '../core/clock.ts';

export interface LeaseOptions {
  api: KubernetesApi;
  namespace: string;
  name: string;
  /** A holder that does not renew its lease for this time has lost it, in milliseconds. */
  duration: number;
  warn: (message: string) => void;
  clock: Clock;
}

const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {});

/** RFC 3339 with microseconds, which the API demands. */
const microTime = ({ now }: Clock) => new Date(now()).toISOString().replace('Z', '000Z');

/** A Lease of `coordination.k8s.io/v1`: of several replicas one holds it, and only this one acts. */
export class Lease {
  private readonly options: LeaseOptions;
  private readonly path: string;
  private readonly identity = `${hostname()}_${randomUUID()}`;
  /** The last version of the lease, and when it was first seen: clocks of two machines are not compared. */
  private seen = { version: '', at: 0 };

  constructor(options: LeaseOptions) {
    this.options = options;
    this.path = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(options.namespace)}/leases`;
  }

  /** Takes or renews the lease. @returns false if another one holds it. */
  async hold(signal: AbortSignal): Promise<boolean> {
    const { name, clock } = this.options;
    const lease = await this.read(signal);
    if (lease === undefined) return this.write('POST', signal, { metadata: { name }, spec: this.specOf({}) });
    const spec = fieldsIn(lease['spec']);
    const { holderIdentity: holder, leaseDurationSeconds: seconds } = spec;
    const version = String(fieldsIn(lease['metadata'])['resourceVersion']);
    if (version !== this.seen.version) this.seen = { version, at: clock.elapsed() };
    const isFree = typeof holder !== 'string' || holder === '' || holder === this.identity;
    if (!isFree && clock.elapsed() - this.seen.at < Number(seconds ?? 0) * 1000) return false;
    return this.write('PUT', signal, { metadata: { name, resourceVersion: version }, spec: this.specOf(spec) });
  }

  /** Lets another one take the lease at once. */
  async release(signal: AbortSignal): Promise<void> {
    const lease = await this.read(signal);
    const { holderIdentity: holder, ...spec } = fieldsIn(lease?.['spec']);
    if (lease === undefined || holder !== this.identity) return;
    const { resourceVersion } = fieldsIn(lease['metadata']);
    await this.write('PUT', signal, {
      metadata: { name: this.options.name, resourceVersion },
      spec: { ...spec, holderIdentity: '', leaseDurationSeconds: 1 },
    });
  }

  private specOf({ holderIdentity: holder, acquireTime, leaseTransitions: transitions }: Fields): Fields {
    const now = microTime(this.options.clock);
    const isOwn = holder === this.identity;
    return {
      holderIdentity: this.identity,
      leaseDurationSeconds: Math.ceil(this.options.duration / 1000),
      acquireTime: isOwn ? acquireTime : now,
      renewTime: now,
      leaseTransitions: Number(transitions ?? 0) + (isOwn || holder === undefined ? 0 : 1),
    };
  }

  private async read(signal: AbortSignal): Promise<Fields | undefined> {
    try {
      return fieldsIn(await this.options.api.send('GET', `${this.path}/${this.options.name}`, signal));
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  private async write(method: 'POST' | 'PUT', signal: AbortSignal, lease: Fields): Promise<boolean> {
    const path = method === 'POST' ? this.path : `${this.path}/${this.options.name}`;
    try {
      await this.options.api.send(method, path, signal, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        ...lease,
      });
      return true;
    } catch (error) {
      if (statusOf(error) === 409) return false;
      throw error;
    }
  }
}

/** Renews the lease until it is lost or the signal aborts. */
async function keep(lease: Lease, { duration, warn, clock }: LeaseOptions, signal: AbortSignal): Promise<void> {
  for (let renewed = clock.elapsed(); ;) {
    await clock.pause(duration / 3, signal);
    const asked = clock.elapsed();
    try {
      if (!(await lease.hold(signal))) return;
      renewed = asked;
    } catch (error) {
      signal.throwIfAborted();
      warn(error instanceof Error ? error.message : String(error));
      // Before another replica may take it.
      if (clock.elapsed() - renewed >= (duration * 2) / 3) return;
    }
  }
}

/** Calls the function while this replica holds the lease, again and again until the signal aborts. The lease is then free. */
export async function whileHolding(
  options: LeaseOptions,
  signal: AbortSignal,
  act: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { duration, warn, clock } = options;
  const lease = new Lease(options);
  for (;;) {
    try {
      if (!(await lease.hold(signal))) {
        await clock.pause(duration / 5, signal);
        continue;
      }
    } catch (error) {
      signal.throwIfAborted();
      warn(error instanceof Error ? error.message : String(error));
      await clock.pause(duration / 3, signal);
      continue;
    }
    const end = new AbortController();
    const held = AbortSignal.any([signal, end.signal]);
    const renewing = keep(lease, options, held)
      .catch(() => undefined)
      .finally(() => end.abort());
    try {
      await act(held);
    } catch (error) {
      if (signal.aborted || !end.signal.aborted) throw error;
      warn('The lease is lost: another replica may act.');
    } finally {
      end.abort();
      await renewing;
      await lease.release(timeLimit(2000, clock)).catch(() => undefined);
    }
  }
}
