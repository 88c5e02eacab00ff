/** docs/collectors.md: a collector under its supervisor, which knows the server by name and by the copied certificate. */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../end-to-end/processes.ts';
import { programPath } from '../opamp-programs/programs.ts';
import { openWay, startAndLogIn, type Way } from './way.ts';

const ADDRESS = '10.0.3.11';

let way: Way;

beforeAll(async () => {
  way = await openWay('collector', {
    names: { 'inventory.example.com': '127.0.0.2' },
    folders: ['/etc/prometheus'],
    layers: ['/etc', '/usr/local', '/var/lib'],
    addresses: [ADDRESS],
    presupposes: 'hosts',
  });
  await symlink(programPath('supervisor'), join(way.programs, 'opampsupervisor'));
  await way.run(['ln', '-s', programPath('collector'), '/usr/local/bin/otelcol']);
  await way.run(['mkdir', '-p', '/etc/otelcol']);
});

afterAll(() => way.stop());

const collectors = async () =>
  (JSON.parse(await way.run(['inventory', 'get', 'agents', '-o', 'json'])) as Record<string, any>[]).filter(
    ({ agent_type: type }) => type === 'otel_collector',
  );

test('the page leads to a healthy collector, and to a sample of its own metrics', async () => {
  await startAndLogIn(way);
  await way.type('host-key');
  await way.type('ca');
  await way.put('supervisor-configuration', '/etc/otelcol/supervisor.yaml');
  await way.put('collector-configuration', '/etc/otelcol/config.yaml');
  await way.start('supervisor', /Supervisor|started|Connected/i);
  await way.type('target');
  await way.type('key');
  await way.put('configuration', '/etc/prometheus/prometheus.yml');
  await way.start('prometheus', /Server is ready to receive web requests/);
  const labels = { node_name: 'web-1', instance: `${ADDRESS}:8888`, job: 'external_exporter' };
  expect(await way.samples('up == 1', 1)).toMatchObject([{ metric: labels }]);
  const ownSamples = await way.samples('{__name__=~"otelcol_process_uptime.*"}', 1);
  expect(ownSamples).toMatchObject([{ metric: labels }]);
  await eventually(async () => (await collectors()).some(({ status }) => status === 'running'));
  expect(await collectors()).toMatchObject([{ collector_name: 'otelcol', status: 'running', state: 'live' }]);
  way.finish();
});
