import { createGateway } from '../../../../local/gateway/gateway.ts';
import { loadFunctions } from '../../../../local/gateway/functions.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const time = '2026-01-01T00:00:00.000Z';
const build = { version: '1.2.3', commit: 'abc', time };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test('returns the versions of this service and of PMM, to both forms of a key', async () => {
  const ofPmm = { version: '3.0.0', full_version: '3.0.0-monitoring-inventory.1.2.3', timestamp: time };
  const key = inventory.keys.Viewer;
  for (const Authorization of [`Bearer ${key}`, basic(`api_key:${key}`)])
    expect((await inventory.request('GET', '/v1/version', { as: null, headers: { Authorization } })).body).toEqual({
      ...{ version: '3.0.0', server: ofPmm, managed: ofPmm, distribution_method: 'DISTRIBUTION_METHOD_UNSPECIFIED' },
      ...{ build, dashboards: {}, owner_label: 'team', retention_days: 30, api: 'v1' },
    });
});

test('is accepted by PMM programs that require 2.12.0 or later, and clients of both generations get the newer one', async () => {
  const { version, server } = (await inventory.request('GET', '/v1/version')).body;
  // pmm-dump compares the texts.
  expect(server.version >= '2.12.0').toBe(true);
  expect(version.split('.')[0]).toBe('3');
  const { body: other } = await inventory.request('GET', '/v1/server/version');
  expect({ version, server }).toEqual({ version: other.version, server: other.server });
});

test('is only that of this service without the calls of PMM', async () => {
  const gateway = createGateway(await loadFunctions({ ...inventory.dependencies, pmmCompatibility: false }));
  const rawHeaders = ['Authorization', basic(`api_key:${inventory.keys.Viewer}`)];
  const { body } = await gateway({ method: 'GET', url: '/v1/version', rawHeaders, body: '', sourceIp: '' });
  expect(JSON.parse(String(body))).toEqual({
    version: '1.2.3',
    build,
    dashboards: {},
    owner_label: 'team',
    retention_days: 30,
    api: 'v1',
  });
});

test('contains the separate address for reports, if there is one', async () => {
  const reportUrl = 'https://reports.example.com';
  const gateway = createGateway(await loadFunctions({ ...inventory.dependencies, reportUrl }));
  const rawHeaders = ['Authorization', basic(`api_key:${inventory.keys.Viewer}`)];
  const { body } = await gateway({ method: 'GET', url: '/v1/version', rawHeaders, body: '', sourceIp: '' });
  expect(JSON.parse(String(body))).toMatchObject({ report_url: reportUrl });
});
