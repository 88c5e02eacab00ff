import { readFileSync } from 'node:fs';
import { isPending, manualClock } from '../../tests/support/manual-clock.ts';
import type { AgentStream } from '../streams/agent-stream.ts';
import { MAX_MISSED } from '../streams/session.ts';
import { AgentGateway, CHECK_MS, PING_MS, RETURN_MS } from './agent-gateway.ts';

const HOSTS = 100;

/** The longest time that the service asks a host to wait, by default, and the time that heartbeats wait for others. */
const LATEST_MS = 264_000;
const COLLECT_MS = 6000;

/** A stream of an agent that says nothing. */
const silentStream = (
  id: string,
  {
    authorization = 'Bearer key',
    version,
    ...more
  }: { authorization?: string; version?: string | undefined } & Partial<AgentStream> = {},
) => {
  const stated = version === undefined ? {} : { 'pmm-agent-version': version };
  const headers = { 'pmm-agent-id': id, authorization, ...stated, ':path': '/agent.v1.AgentService/Connect' };
  const { signal: closed } = new AbortController();
  const nothing = () => undefined;
  const stream = { headers, source: '', closed, accept: nothing, write: nothing, end: nothing, ...more };
  return stream as unknown as AgentStream;
};

/** When a host first reported, by the service's clock. */
const FIRST_REPORT = '2026-05-01T10:00:00.000Z';

/**
 * A gateway of a service that asks each host for another time of its next report, and checks all keys.
 *
 * @param storedAt the time of the stored report of a host, of a gateway with peers.
 */
function start(storedAt?: string) {
  const clock = manualClock();
  const reports: { at: number; ids: string[] }[] = [];
  const lost: { at: number; silent: number }[] = [];
  const checks: { at: number; ids: string[] }[] = [];
  const idsIn = (of: any[]): string[] => of.map((entry) => entry.pmm_agent_id);
  const gateway = new AgentGateway({
    send: ({ path, body }: { path: string; body?: any }) => {
      const reply = (of: object) => Promise.resolve({ status: 200, body: of });
      if (path.startsWith('/v1/changes')) return reply({ changes: [], next: 'c', more: false });
      if (path.startsWith('/v1/agents/')) return reply({ reported_at: storedAt });
      if (path === '/v1/gateway/admissions') {
        checks.push({ at: clock.now(), ids: idsIn(body.admissions) });
        const host = { status: 200, node_id: 'n', node_name: 'host', agents: [], services: [] };
        return reply({ results: body.admissions.map(() => host) });
      }
      const ids = idsIn(body.reports);
      const time = reports.length === 0 ? { reported_at: FIRST_REPORT } : {};
      reports.push({ at: clock.now(), ids });
      for (const { connected, silent_seconds: silent } of body.reports)
        if (connected === false) lost.push({ at: clock.now(), silent });
      const results = ids.map((_, index) => {
        const report_after_seconds = 216 + ((index * 7) % 49);
        return { status: 200, report: { report_after_seconds, refused: [], ...time } };
      });
      return reply({ results });
    },
    log: () => undefined,
    versions: { 2: '2.44.0', 3: '3.0.0' },
    clock: () => new Date(0),
    monotonic: clock,
    feedMs: 60_000,
    hasPeers: storedAt !== undefined,
  });
  const pass = (seconds: number) => clock.pass(1000 * seconds);
  return { gateway, reports, lost, checks, pass };
}

/**
 * A host that connects while the feed delivers a change.
 *
 * @returns the paths of the reads of this host, beside its admission.
 */
async function readsAfter(change: object): Promise<string[]> {
  const clock = manualClock();
  const reads: string[] = [];
  const admission = Promise.withResolvers<object>();
  const agents = [
    { agent_id: 'a-1', agent_type: 'node_exporter', disabled: false, insights: { service_ids: ['s-1'] } },
  ];
  const services = [{ service_id: 's-1', service_name: 'web', service_type: 'external' }];
  const host = { status: 200, node_id: 'n', node_name: 'host', agents, services };
  const gateway = new AgentGateway({
    send: async ({ path }: { path: string }) => {
      if (path === '/v1/gateway/admissions') return { status: 200, body: await admission.promise };
      if (path.endsWith('since=1')) return { status: 200, body: { changes: [change], next: '2', more: false } };
      if (path.startsWith('/v1/changes')) return { status: 200, body: { changes: [], next: '1', more: false } };
      if (path !== '/v1/reports') reads.push(path.replace(/\?.*/, ''));
      return { status: 503, body: {} };
    },
    log: () => undefined,
    versions: { 2: '2.44.0', 3: '3.0.0' },
    clock: () => new Date(0),
    monotonic: clock,
    feedMs: 1000,
  });
  const served = gateway.serve(silentStream('p-1'));
  await clock.pass(1100);
  admission.resolve({ results: [host] });
  await served;
  await clock.pass(0);
  await gateway.stop();
  return reads;
}

test.each([
  ['another host', { kind: 'agent', id: 'a-2', action: 'added', after: { pmm_agent_id: 'p-2' } }, []],
  ['its process', { kind: 'agent', id: 'p-1', action: 'changed' }, ['/v1/agents']],
  ['a new agent of it', { kind: 'agent', id: 'a-3', action: 'added', after: { pmm_agent_id: 'p-1' } }, ['/v1/agents']],
  ['its agent', { kind: 'agent', id: 'a-1', action: 'removed' }, ['/v1/agents']],
  ['its service', { kind: 'service', id: 's-1', action: 'changed' }, ['/v1/agents']],
])(
  "a change of %s during a host's admission causes a new read only if it concerns the host",
  async (_, change, reads) => {
    expect(await readsAfter(change)).toEqual(reads);
  },
);

/** A gateway of a service whose key `key` admits each process until it is removed, with its requests besides reports. */
function startAlone({ hasPeers = false } = {}) {
  const clock = manualClock();
  const requests: string[] = [];
  const reports: any[] = [];
  const held: (() => void)[] = [];
  const service = { isHeld: false, isRemoved: false, changes: [] as object[] };
  const admit = ({ pmm_agent_id: id, authorization }: any) => {
    if (authorization !== 'Bearer key' || service.isRemoved)
      return { status: 401, error: { message: 'Invalid API key' } };
    const agents = [
      { agent_id: `a-${id}`, agent_type: 'node_exporter', disabled: false, insights: { service_ids: [] } },
    ];
    return { status: 200, node_id: 'n', node_name: 'host', agents, services: [] };
  };
  const gateway = new AgentGateway({
    send: async ({ path, body }: { path: string; body?: any }) => {
      if (path === '/v1/reports') {
        reports.push(...body.reports);
        return { status: 503, body: {} };
      }
      requests.push(path.replace(/\?.*/, ''));
      if (path.startsWith('/v1/changes'))
        return { status: 200, body: { changes: service.changes.splice(0), next: 'c', more: false } };
      if (path !== '/v1/gateway/admissions') return { status: 200, body: { agents: [] } };
      const results = body.admissions.map(admit);
      if (service.isHeld) await new Promise<void>((resolve) => held.push(resolve));
      return { status: 200, body: { results } };
    },
    log: () => undefined,
    versions: { 2: '2.44.0', 3: '3.0.0' },
    clock: () => new Date(0),
    monotonic: clock,
    hasPeers,
    // Its agents answer nothing.
    pingMs: 2 * CHECK_MS,
  });
  const pass = (seconds: number) => clock.pass(1000 * seconds);
  const connect = (id: string, key = 'key', version?: string) => {
    const closing = new AbortController();
    const ends: string[] = [];
    const end = (_: number, message: string) => void ends.push(message);
    const stream = silentStream(id, { authorization: `Bearer ${key}`, version, closed: closing.signal, end });
    void gateway.serve(stream);
    return { ends, close: () => closing.abort() };
  };
  const countOf = (path: string) => requests.filter((request) => request === path).length;
  const release = () => held.splice(0).forEach((resolve) => resolve());
  return { gateway, service, reports, pass, connect, countOf, release };
}

test('the report of a new connection has the version of the process, if it states one', async () => {
  const { gateway, reports, pass, connect } = startAlone();
  connect('p-1', 'key', '3.5.0');
  connect('p-2');
  await pass(1);
  expect(reports.map(({ pmm_agent_id: id, agents, connected }) => [id, agents, connected])).toEqual([
    ['p-1', [{ agent_id: 'p-1', status: 'running', version: '3.5.0' }], true],
    ['p-2', [], true],
  ]);
  expect(gateway.numbers).toMatchObject({ streams: 2, refused: 0 });
  await gateway.stop();
});

test('a process that does not answer gets its state again without a read, until a change concerns it', async () => {
  const { gateway, service, pass, connect, countOf } = startAlone();
  connect('p-1');
  await pass(30);
  expect([gateway.numbers.streams, countOf('/v1/agents')]).toEqual([1, 0]);
  service.changes.push({ kind: 'agent', id: 'a-p-1', action: 'changed' });
  await pass(10);
  expect(countOf('/v1/agents')).toBe(1);
  await gateway.stop();
});

test("an agent that is refused beside an admitted one keeps the feed and the other's objects", async () => {
  const { gateway, pass, connect, countOf } = startAlone();
  connect('p-1', 'wrong');
  connect('p-2');
  connect('p-3', 'wrong');
  await pass(1);
  expect([gateway.numbers.streams, countOf('/v1/gateway/admissions'), countOf('/v1/agents')]).toEqual([1, 1, 0]);
  await gateway.stop();
});

test('an agent that gave up returns without another admission, and a removed key loses the stream an hour after the decision', async () => {
  const { gateway, service, pass, connect, countOf, release } = startAlone({ hasPeers: true });
  service.isHeld = true;
  const first = connect('p-1');
  await pass(5);
  first.close();
  await pass(2);
  [service.isHeld, service.isRemoved] = [false, true];
  release();
  const second = connect('p-1');
  await pass(1);
  expect([gateway.numbers.streams, countOf('/v1/gateway/admissions'), countOf('/v1/agents')]).toEqual([1, 1, 0]);
  await pass(CHECK_MS / 1000 - 10);
  expect(second.ends).toEqual([]);
  // The decision was made 8 s before the stream began.
  await pass(4);
  expect(second.ends).toEqual(['Invalid API key']);
  second.close();
  const third = connect('p-1');
  await pass(1);
  expect(third.ends).toEqual(['Invalid API key']);
  await gateway.stop();
});

/** The longest time until a host without a sign of life counts as not connected: it dies when it has answered a ping. */
const SILENT_SECONDS = ((1 + MAX_MISSED) * PING_MS + RETURN_MS) / 1000;

test('a silent host is lost after the documented time since its last sign of life', async () => {
  const { gateway, lost, pass } = start();
  const closing = new AbortController();
  void gateway.serve(silentStream('p-1', { closed: closing.signal, end: () => closing.abort() }));
  await pass(SILENT_SECONDS + 1);
  expect(lost).toHaveLength(1);
  const [{ at, silent } = { at: 0, silent: 0 }] = lost;
  expect(at).toBeGreaterThan(1000 * (SILENT_SECONDS - PING_MS / 1000 - 1));
  expect(Math.abs(at - 1000 * silent)).toBeLessThan(1000);
  const page = readFileSync('docs/connect-agents.md', 'utf8');
  expect(page.replaceAll('\n', ' ')).toContain(`A host that dies silently is stale after up to ${SILENT_SECONDS} s`);
  await gateway.stop();
});

test('a drain ends one stream after the other, and is over when the last one ends', async () => {
  const { gateway, pass } = start();
  const ends: string[] = [];
  for (const id of ['p-1', 'p-2']) void gateway.serve(silentStream(id, { end: () => ends.push(id) }));
  await pass(1);
  const drained = gateway.drain(10_000);
  await pass(4);
  expect([ends, await isPending(drained)]).toEqual([['p-1'], true]);
  await pass(1);
  expect([ends, await isPending(drained)]).toEqual([['p-1', 'p-2'], false]);
  await gateway.stop();
});

test('a stream that closes during its admission is not served', async () => {
  const { gateway, reports, pass } = start();
  void gateway.serve(silentStream('p-1', { closed: AbortSignal.abort() }));
  await pass(10);
  expect([gateway.numbers.streams, reports]).toEqual([0, []]);
  await gateway.stop();
});

test('a host whose stream ends is lost at once', async () => {
  const { gateway, lost, pass } = start();
  const closing = new AbortController();
  void gateway.serve(silentStream('p-1', { closed: closing.signal }));
  await pass(10);
  closing.abort();
  await pass(RETURN_MS / 1000 + 1);
  expect(lost).toMatchObject([{ silent: RETURN_MS / 1000 }]);
  await gateway.stop();
});

test.each([
  ['is not lost if another gateway has stored a later report', '2026-05-01T10:00:00.001Z', 0],
  ['is lost if the stored report is the last one of this gateway', FIRST_REPORT, 1],
])('a host whose stream ends at a gateway with peers %s', async (_, storedAt, count) => {
  const { gateway, lost, reports, pass } = start(storedAt);
  const closing = new AbortController();
  void gateway.serve(silentStream('p-1', { closed: closing.signal }));

  await pass(10);
  closing.abort();
  expect(reports.length).toBeGreaterThan(0);
  await pass(RETURN_MS / 1000 + 10);
  expect(lost).toHaveLength(count);
  await gateway.stop();
});

test('hosts that connected at different times share requests for heartbeats and checks, and none is late', async () => {
  const { gateway, reports, checks, pass } = start();
  const ids = Array.from({ length: HOSTS }, (_, index) => `p-${index}`);
  for (const id of ids) {
    void gateway.serve(silentStream(id));
    await pass(7);
  }
  expect(gateway.numbers.streams).toBe(HOSTS);
  [reports.length, checks.length] = [0, 0];
  await pass(2 * 3600);
  // In each of 33 intervals of at most 264 s.
  expect(reports.length).toBeLessThanOrEqual(33 * 5);
  expect(checks.length).toBeLessThanOrEqual(2 * 4);
  const longest = (of: typeof reports, id: string) => {
    const times = of.filter((report) => report.ids.includes(id)).map(({ at }) => at);
    return Math.max(...times.slice(1).map((at, index) => at - times[index]!));
  };
  for (const id of ids) {
    expect([id, longest(reports, id) <= LATEST_MS + COLLECT_MS]).toEqual([id, true]);
    expect([id, checks.filter((check) => check.ids.includes(id)).length >= 1]).toEqual([id, true]);
    expect([id, longest(checks, id) <= 3_600_000 + 1000]).toEqual([id, true]);
  }
  await gateway.stop();
});
