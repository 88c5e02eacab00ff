import { mock } from 'node:test';
import type { AgentStream } from '../streams/agent-stream.ts';
import { AgentGateway } from './agent-gateway.ts';

const HOSTS = 100;

/** The longest time that the service asks a host to wait, by default, and the time that heartbeats wait for others. */
const LATEST_MS = 264_000;
const COLLECT_MS = 6000;

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval'] }));
afterEach(() => mock.timers.reset());

/** A stream of an agent that says nothing. */
const silentStream = (id: string) => {
  const headers = { 'pmm-agent-id': id, authorization: 'Bearer key', ':path': '/agent.v1.AgentService/Connect' };
  const { signal: closed } = new AbortController();
  const nothing = () => undefined;
  return { headers, source: '', closed, accept: nothing, write: nothing, end: nothing } as unknown as AgentStream;
};

/** A gateway of a service that asks each host for another time of its next report, and checks all keys. */
function start() {
  let now = 0;
  const reports: { at: number; ids: string[] }[] = [];
  const checks: { at: number; ids: string[] }[] = [];
  const idsIn = (of: any[]): string[] => of.map((one) => one.pmm_agent_id);
  const gateway = new AgentGateway({
    send: ({ path, body }: { path: string; body?: any }) => {
      const reply = (of: object) => Promise.resolve({ status: 200, body: of });
      if (path.startsWith('/v1/changes')) return reply({ changes: [], next: 'c', more: false });
      if (path === '/v1/gateway/admissions') {
        checks.push({ at: now, ids: idsIn(body.admissions) });
        const host = { status: 200, node_id: 'n', node_name: 'host', agents: [], services: [] };
        return reply({ results: body.admissions.map(() => host) });
      }
      const ids = idsIn(body.reports);
      reports.push({ at: now, ids });
      const results = ids.map((_, index) => {
        const report_after_seconds = 216 + ((index * 7) % 49);
        return { status: 200, report: { report_after_seconds, refused: [] } };
      });
      return reply({ results });
    },
    log: () => undefined,
    versions: { 2: '2.44.0', 3: '3.0.0' },
    elapsed: () => now,
    feedMs: 60_000,
  });
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      now += 1000;
      mock.timers.tick(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { gateway, reports, checks, pass };
}

/**
 * A host that connects while the feed delivers a change.
 *
 * @returns the paths of the reads of this host, beside its admission.
 */
async function readsAfter(change: object): Promise<string[]> {
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
    elapsed: () => 0,
    feedMs: 1000,
  });
  const pass = async (milliseconds: number) => {
    mock.timers.tick(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const served = gateway.serve(silentStream('p-1'));
  await pass(0);
  await pass(100);
  await pass(1000);
  admission.resolve({ results: [host] });
  await served;
  await pass(0);
  await gateway.stop();
  return reads;
}

test.each([
  ['another host', { kind: 'agent', id: 'a-2', action: 'added', after: { pmm_agent_id: 'p-2' } }, []],
  ['its process', { kind: 'agent', id: 'p-1', action: 'changed' }, ['/v1/agents']],
  ['a new agent of it', { kind: 'agent', id: 'a-3', action: 'added', after: { pmm_agent_id: 'p-1' } }, ['/v1/agents']],
  ['its agent', { kind: 'agent', id: 'a-1', action: 'removed' }, ['/v1/agents']],
  ['its service', { kind: 'service', id: 's-1', action: 'changed' }, ['/v1/agents']],
])('a change of %s during the admission of a host reads it again only if it concerns it', async (_, change, reads) => {
  expect(await readsAfter(change)).toEqual(reads);
});

test('hosts that connected at different times share the requests of their heartbeats and checks, and none is late', async () => {
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
    const times = of.filter((one) => one.ids.includes(id)).map(({ at }) => at);
    return Math.max(...times.slice(1).map((at, index) => at - times[index]!));
  };
  for (const id of ids) {
    expect([id, longest(reports, id) <= LATEST_MS + COLLECT_MS]).toEqual([id, true]);
    expect([id, checks.filter((one) => one.ids.includes(id)).length >= 1]).toEqual([id, true]);
    expect([id, longest(checks, id) <= 3_600_000 + 1000]).toEqual([id, true]);
  }
  await gateway.stop();
});
