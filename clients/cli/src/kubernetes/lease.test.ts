import { pausingClock } from '../../../../tests/support/command-call.ts';
import { isPending, manualClock } from '../../../../tests/support/manual-clock.ts';
import { type KubernetesApi, KubernetesError } from './api.ts';
import { Lease, whileHolding } from './lease.ts';

const DURATION_MS = 15_000;

const { signal } = new AbortController();

interface StoredLease {
  metadata: { name: string; resourceVersion: string };
  spec: Record<string, unknown>;
}

/** The API server with at most one lease: it refuses a change of another version than the present one. */
class Server {
  stored: StoredLease | undefined;
  #versions = 0;
  /** Called before a change, as if another client were faster. */
  onWrite: () => void = () => undefined;
  onRead: () => void = () => undefined;

  readonly api = { send: this.send.bind(this) } as unknown as KubernetesApi;

  private send(method: string, path: string, { aborted }: AbortSignal, body?: StoredLease): Promise<unknown> {
    if (aborted) return Promise.reject(new Error('aborted'));
    if (method === 'GET') this.onRead();
    if (method === 'GET')
      return this.stored === undefined
        ? Promise.reject(new KubernetesError(404, 'not found'))
        : Promise.resolve(structuredClone(this.stored));
    expect(path).toBe(`/apis/coordination.k8s.io/v1/namespaces/prod/leases${method === 'POST' ? '' : '/sync'}`);
    this.onWrite();
    const isCurrent = this.stored?.metadata.resourceVersion === body?.metadata.resourceVersion;
    if (body === undefined || !isCurrent) return Promise.reject(new KubernetesError(409, 'conflict'));
    this.change(body.spec);
    return Promise.resolve(this.stored);
  }

  change(spec: Record<string, unknown>): void {
    this.#versions += 1;
    this.stored = { metadata: { name: 'sync', resourceVersion: String(this.#versions) }, spec };
  }
}

let server: Server;
let now: number;
beforeEach(() => ([server, now] = [new Server(), 1000]));

const options = (duration = DURATION_MS) => ({
  ...{ api: server.api, namespace: 'prod', name: 'sync', duration },
  warn: () => undefined,
  clock: { ...pausingClock(), elapsed: () => now },
});

const replica = (duration?: number) => new Lease(options(duration));

test('one replica holds the lease while it renews it', async () => {
  const [first, second] = [replica(), replica()];
  expect([await first.hold(signal), await second.hold(signal)]).toEqual([true, false]);
  const holder = server.stored?.spec['holderIdentity'];
  for (let turn = 0; turn < 5; turn += 1) {
    now += DURATION_MS - 1;
    expect([await second.hold(signal), await first.hold(signal)]).toEqual([false, true]);
    // It has seen the renewal: its time begins anew.
    expect(await second.hold(signal)).toBe(false);
  }
  expect(server.stored?.spec).toMatchObject({
    holderIdentity: holder,
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
  });
});

test('a lease that is not renewed is taken over exactly after its duration', async () => {
  const [first, second] = [replica(), replica()];
  await first.hold(signal);
  const { acquireTime, holderIdentity } = server.stored!.spec;
  // The time of another machine says nothing: the duration counts from the first look.
  now += 60_000;
  expect(await second.hold(signal)).toBe(false);
  now += DURATION_MS - 1;
  expect(await second.hold(signal)).toBe(false);
  now += 1;
  expect(await second.hold(signal)).toBe(true);
  expect(server.stored?.spec).toMatchObject({ leaseTransitions: 1 });
  expect(server.stored?.spec['holderIdentity']).not.toBe(holderIdentity);
  expect(typeof acquireTime).toBe('string');
  expect(await first.hold(signal)).toBe(false);
});

test("another holder's lease has its own duration", async () => {
  server.change({ holderIdentity: 'other', leaseDurationSeconds: 60 });
  const lease = replica();
  expect(await lease.hold(signal)).toBe(false);
  now += 59_999;
  expect(await lease.hold(signal)).toBe(false);
  now += 1;
  expect(await lease.hold(signal)).toBe(true);
});

test('of two replicas that take a lease at the same time, one holds it', async () => {
  server.onWrite = () => {
    server.onWrite = () => undefined;
    server.change({ holderIdentity: 'faster', leaseDurationSeconds: 15 });
  };
  expect(await replica().hold(signal)).toBe(false);
  expect(server.stored?.spec['holderIdentity']).toBe('faster');
});

test("a released lease is taken at once, and another replica's lease is not released", async () => {
  const [first, second] = [replica(), replica()];
  await first.hold(signal);
  await second.release(signal);
  expect(await second.hold(signal)).toBe(false);
  await first.release(signal);
  expect(server.stored?.spec['holderIdentity']).toBe('');
  expect(await second.hold(signal)).toBe(true);
  expect(server.stored?.spec).toMatchObject({ leaseTransitions: 1 });
});

test('another API server failure does not mean another holder', async () => {
  server.onWrite = () => {
    throw new KubernetesError(403, 'forbidden');
  };
  await expect(replica().hold(signal)).rejects.toMatchObject({ status: 403 });
});

test('a duration is rounded up to seconds', async () => {
  await replica(DURATION_MS + 1).hold(signal);
  expect(server.stored?.spec['leaseDurationSeconds']).toBe(16);
});

describe('while a replica holds the lease', () => {
  /** Acts while holding; a clock that only pauses move. */
  async function holding(act: (held: AbortSignal) => Promise<void>, clock = pausingClock()) {
    const controller = new AbortController();
    const warnings: string[] = [];
    const call = { ...options(), clock, warn: (message: string) => void warnings.push(message) };
    const ended = whileHolding(call, controller.signal, (held) =>
      act(held).finally(() => controller.abort(new Error('stop'))),
    );
    await expect(ended).rejects.toThrow('stop');
    return { pauses: clock.pauses, warnings };
  }

  const renewals = async (count: number) => {
    const version = Number(server.stored?.metadata.resourceVersion) + count;
    while (Number(server.stored?.metadata.resourceVersion) < version) await Promise.resolve();
  };

  test('it renews it at each third of its duration, and then lets another one take it', async () => {
    const { pauses } = await holding(() => renewals(3));
    expect(new Set(pauses)).toEqual(new Set([DURATION_MS / 3]));
    expect(server.stored?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
  });

  test('it acts only after another replica has lost it, which it asks five times in a duration', async () => {
    await replica().hold(signal);
    const { pauses } = await holding(() => Promise.resolve());
    expect(pauses.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => DURATION_MS / 5));
    expect(pauses[5]).not.toBe(DURATION_MS / 5);
  });

  test('it asks again after a third of its duration if it cannot ask for the lease', async () => {
    let failures = 2;
    server.onRead = () => {
      failures -= 1;
      if (failures >= 0) throw new KubernetesError(503, 'busy');
    };
    const { pauses, warnings } = await holding(() => Promise.resolve());
    expect(warnings).toEqual(['busy', 'busy']);
    expect(pauses.slice(0, 2)).toEqual([DURATION_MS / 3, DURATION_MS / 3]);
  });

  test('it stops before another replica can take a lease that it cannot renew', async () => {
    const clock = pausingClock();
    let stoppedAt: number | undefined;
    const act = (held: AbortSignal) => {
      server.onWrite = () => {
        throw new KubernetesError(503, 'busy');
      };
      return new Promise<void>((resolve) => {
        held.addEventListener('abort', () => {
          stoppedAt = clock.elapsed();
          resolve();
        });
      });
    };
    const { warnings } = await holding(act, clock);
    expect(warnings.slice(0, 2)).toEqual(['busy', 'busy']);
    expect(stoppedAt).toBe((DURATION_MS * 2) / 3);
  });

  test('it says that it has lost the lease, and acts again once it holds it', async () => {
    const controller = new AbortController();
    const warnings: string[] = [];
    let acts = 0;
    const act = async (held: AbortSignal) => {
      acts += 1;
      if (acts === 2) {
        controller.abort(new Error('stop'));
        return;
      }
      server.change({ holderIdentity: 'other', leaseDurationSeconds: 15 });
      await new Promise((_, reject) => held.addEventListener('abort', () => reject(new Error('lost'))));
    };
    const call = { ...options(), clock: pausingClock(), warn: (message: string) => void warnings.push(message) };
    await expect(whileHolding(call, controller.signal, act)).rejects.toThrow('stop');
    expect([acts, warnings]).toEqual([2, ['The lease is lost: another replica may act.']]);
  });

  test('an error of its work ends it, and another one takes the lease at once', async () => {
    const call = { ...options(), clock: pausingClock() };
    await expect(whileHolding(call, signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(server.stored?.spec['holderIdentity']).toBe('');
  });

  test('it waits two seconds at most for the end of the lease', async () => {
    const { after, advance } = manualClock();
    let isActing = false;
    const untilAborted = (stop: AbortSignal) =>
      new Promise((_, reject) => {
        const fail = () => reject(stop.reason as Error);
        if (stop.aborted) fail();
        else stop.addEventListener('abort', fail);
      });
    const send: KubernetesApi['send'] = (method, path, stop, body) =>
      isActing ? untilAborted(stop) : server.api.send(method, path, stop, body);
    const call = { ...options(), api: { send } as unknown as KubernetesApi, clock: { ...pausingClock(), after } };
    const ended = whileHolding(call, signal, () => {
      isActing = true;
      return Promise.reject(new Error('broken'));
    });
    ended.catch(() => undefined);
    expect(await isPending(ended)).toBe(true);
    advance(1999);
    expect(await isPending(ended)).toBe(true);
    advance(1);
    await expect(ended).rejects.toThrow('broken');
  });
});
