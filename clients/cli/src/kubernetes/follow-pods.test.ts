import { pausingClock } from '../../../../tests/support/command-call.ts';
import { type KubernetesApi, KubernetesError } from './api.ts';
import { followPods, type FollowTimers, listPods } from './follow-pods.ts';

const timers: FollowTimers = { relist: 300_000, retry: 1000, maxRetry: 30_000 };

const pod = (name: string, podIP = '10.0.0.1', more: object = {}) => ({
  metadata: {
    ...{ namespace: 'prod', name, resourceVersion: '7' },
    annotations: { 'inventory/type': 'mysql' },
    labels: {
      'app.kubernetes.io/managed-by': 'percona-xtradb-cluster-operator',
      'app.kubernetes.io/component': 'pxc',
      'app.kubernetes.io/instance': 'shop',
    },
  },
  status: { phase: 'Running', podIP },
  ...more,
});

async function* eventsOf(events: readonly unknown[]): AsyncGenerator<unknown, void, void> {
  for (const event of events) {
    await Promise.resolve();
    if (event instanceof Error) throw event;
    yield event;
  }
}

/** The replies of an API server in their order: an error is thrown, and events end the watch. */
function start(replies: { list?: unknown; watch?: readonly unknown[]; error?: Error }[], times = timers) {
  const clock = pausingClock();
  const controller = new AbortController();
  const asked: string[] = [];
  const warnings: string[] = [];
  const next = (path: string) => {
    asked.push(path);
    const reply = replies.shift();
    if (reply === undefined) controller.abort(new Error('the end'));
    controller.signal.throwIfAborted();
    if (reply?.error !== undefined) throw reply.error;
    return reply;
  };
  const api = {
    send: (_method: string, path: string) => Promise.resolve().then(() => next(path)?.list),
    watch: (path: string, seconds: number) =>
      Promise.resolve().then(() => eventsOf(next(`${path} ${seconds}`)?.watch ?? [])),
  } as unknown as KubernetesApi;
  const source = { api, namespace: undefined, warn: (message: string) => warnings.push(message) };
  const names = async () => {
    const seen: (string[] | undefined)[] = [];
    try {
      for await (const pods of followPods(source, times, { signal: controller.signal, clock }))
        seen.push(pods && [...pods.keys()].sort());
    } catch (error) {
      expect(error).toMatchObject({ message: 'the end' });
    }
    return seen;
  };
  return { source, asked, warnings, names, pauses: clock.pauses, signal: controller.signal };
}

const list = (items: unknown[], metadata: object = { resourceVersion: '5' }) => ({ list: { items, metadata } });

test('a list is read by pages, and is valid only with all of them', async () => {
  const { source, asked, signal } = start([
    list([pod('a')], { continue: 'x/1', resourceVersion: '4' }),
    list([pod('b')]),
  ]);
  const { pods, version } = await listPods({ ...source, namespace: 'prod' }, signal);
  expect([[...pods.keys()], version]).toEqual([['prod/a', 'prod/b'], '5']);
  expect(asked).toEqual([
    '/api/v1/namespaces/prod/pods?limit=500',
    '/api/v1/namespaces/prod/pods?limit=500&continue=x%2F1',
  ]);
  const broken = start([list([pod('a')], { continue: 'x' }), { list: { items: 'none' } }]);
  await expect(listPods(broken.source, signal)).rejects.toMatchObject({
    status: 200,
    message: 'Kubernetes: The reply is no list of pods.',
  });
});

test('pods are known while a watch is open, after each event that changes them', async () => {
  const event = (type: string, object: unknown) => ({ type, object });
  const watch = [
    event('ADDED', pod('b')),
    // Nothing of it concerns the inventory.
    event('MODIFIED', pod('b')),
    event('BOOKMARK', { metadata: { resourceVersion: '9' } }),
    event('MODIFIED', pod('b', '10.0.0.2')),
    event('DELETED', pod('a')),
  ];
  const { names, asked, pauses } = start([list([pod('a')]), { watch }, { watch: [] }]);
  expect(await names()).toEqual([
    undefined,
    ['prod/a'],
    ...[['prod/a', 'prod/b'], ['prod/a', 'prod/b'], ['prod/b']],
    undefined,
    ['prod/b'],
    undefined,
    undefined,
  ]);
  // It continues where it was, after a pause.
  expect(asked.map((path) => /resourceVersion=(\d+) (\d+)/.exec(path)?.slice(1))).toEqual([
    ...[undefined, ['5', '300'], ['7', '299'], ['7', '298']],
  ]);
  expect(pauses).toEqual([1000, 1000]);
});

test('a bookmark moves the start of the next watch', async () => {
  const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } };
  const { names, asked } = start([list([pod('a')]), { watch: [bookmark] }]);
  await names();
  expect(asked.at(-1)).toContain('resourceVersion=9');
});

test('a watch ends with the second in which the next list is due', async () => {
  const { names, asked } = start([list([pod('a')]), {}, {}, list([pod('a')])], { ...timers, relist: 1500 });
  await names();
  expect(asked.map((path) => / (\d+)$/.exec(path)?.[1])).toEqual([undefined, '2', '1', undefined, '2']);
});

test('an event without a version leaves the start of the next watch', async () => {
  const { metadata, ...rest } = pod('b');
  const { resourceVersion: _, ...unversioned } = metadata;
  const watch = ['no event', { type: 'ADDED', object: { ...rest, metadata: unversioned } }];
  const { names, asked } = start([list([pod('a')]), { watch }]);
  expect(await names()).toContainEqual(['prod/a', 'prod/b']);
  expect(asked.at(-1)).toContain('resourceVersion=5');
});

test('a version that is gone begins with a new list, without a warning', async () => {
  const gone = { type: 'ERROR', object: { code: 410, message: 'too old' } };
  const { names, asked, warnings } = start([list([pod('a')]), { watch: [gone] }, list([pod('b')]), { watch: [] }]);
  expect(await names()).toEqual([undefined, ['prod/a'], undefined, undefined, ['prod/b'], undefined, undefined]);
  expect([asked.filter((path) => path.includes('limit')).length, warnings]).toEqual([2, []]);
});

test('a broken watch continues with the same list, and its pods are unknown until then', async () => {
  const { names, asked, warnings } = start([list([pod('a')]), { watch: [new Error('cut')] }, { watch: [] }]);
  expect(await names()).toEqual([undefined, ['prod/a'], undefined, ['prod/a'], undefined, undefined]);
  expect([asked.filter((path) => path.includes('limit')).length, warnings]).toEqual([1, ['cut']]);
});

test('failures are repeated after pauses that double up to half a minute, at random up to twice as long', async () => {
  const failures = Array.from({ length: 7 }, () => ({ error: new KubernetesError(500, 'busy') }));
  const { names, pauses, warnings } = start(failures);
  await names();
  expect(warnings).toEqual(Array.from({ length: 7 }, () => 'busy'));
  const least = [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000];
  expect(pauses.map((pause, index) => pause >= least[index]! && pause <= 2 * least[index]!)).toEqual(
    least.map(() => true),
  );
});

test('after a success the pauses begin anew', async () => {
  const failed = { error: new Error('away') };
  const { names, pauses } = start([failed, failed, failed, list([]), { watch: [new Error('cut')] }]);
  await names();
  expect(pauses[2]).toBeGreaterThanOrEqual(4000);
  expect(pauses[3]).toBeLessThanOrEqual(2000);
});

test('all pods are listed again after five minutes, however well they are followed', async () => {
  const watches = Array.from({ length: 300 }, () => ({ watch: [] }));
  const { names, asked } = start([list([pod('a')]), ...watches, list([pod('b')])]);
  await names();
  expect(asked.flatMap((path, index) => (path.includes('limit') ? [index] : []))).toEqual([0, 301]);
});
