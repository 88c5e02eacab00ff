import { openSite, type Site } from './browser.ts';
import { addFleet, IDLE_AGENTS } from './fleet.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
  await addFleet(site);
});
afterAll(() => site.close());

test('the fleet of the browser tests has 60 nodes, 90 services and 300 agents, some of which need attention', async () => {
  const { body } = await site.api('GET', '/v1/summary');
  expect([body.nodes, body.services.total, body.agents.total, body.clusters.total]).toEqual([
    { total: 60, silenced: 0, by_state: { live: 54, stale: 2, offline: 3, never_seen: 1 }, by_type: { generic: 60 } },
    90,
    300,
    15,
  ]);
  const found = (body.attention as any[]).map(({ reason, kind, count }) => [`${reason} ${kind}`, count]);
  expect(Object.fromEntries(found)).toMatchObject({
    'offline node': 3,
    'stale node': 2,
    'waiting agent': IDLE_AGENTS.waiting,
    'not_running agent': IDLE_AGENTS.not_running,
  });
  const { clusters } = (await site.api('GET', '/v1/clusters')).body;
  expect(clusters.find(({ cluster }: { cluster: string }) => cluster === 'ledger-3')).toMatchObject({
    services: 6,
    services_by_state: { live: 4, stale: 1, offline: 1 },
  });
});
