/**
 * docs/connect-agents.md, with docs/exporter-credentials.md and docs/own-targets.md: a host of PMM, followed to a sample of each exporter, first on
 * the host and then from another machine.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { root } from './steps.ts';
import { openWay, startAndLogIn, type Way } from './way.ts';

const ADDRESS = '10.0.0.1';
const SETTINGS = '/usr/local/percona/pmm/config/pmm-agent.yaml';
const EXPORTERS = '/usr/local/percona/pmm/exporters';

/** Programs of Debian in the places of PMM's. No ProxySQL exporter could be had. */
const exporters = {
  node_exporter: 'prometheus-node-exporter',
  mysqld_exporter: 'prometheus-mysqld-exporter',
  mongodb_exporter: 'prometheus-mongodb-exporter',
  postgres_exporter: 'prometheus-postgres-exporter',
  valkey_exporter: 'prometheus-redis-exporter',
};

const HAPROXY = `
defaults
  mode http
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend metrics
  bind ${ADDRESS}:8404
  http-request use-service prometheus-exporter if { path /metrics }
`;

let way: Way;
let host: string;

const shell = (...commands: string[]) => way.run(['sh', '-ec', commands.join('\n')]);

beforeAll(async () => {
  way = await openWay('pmm-agent', {
    names: { 'inventory.example.com': '127.0.0.1' },
    folders: ['/etc/prometheus'],
    layers: ['/etc', '/usr/local'],
    addresses: [ADDRESS],
    presupposes: 'hosts',
  });
  host = join(way.folder, '../host');
  await mkdir(host);
  await writeFile(join(host, 'unit.json'), JSON.stringify({ config: SETTINGS }));
  const environment = `HOST_FOLDER='${host}' PMM_GENERATION=3 EXPORTERS='${EXPORTERS}'`;
  for (const name of ['pmm-agent', 'pmm-admin', 'systemctl']) {
    const program = join(root, 'tests/agents/host/programs.ts');
    const text = `#!/bin/sh\n${environment} exec '${process.execPath}' '${program}' ${name} "$@"\n`;
    await writeFile(join(way.programs, name), text, { mode: 0o755 });
  }
  await shell(
    // All of the machine is of one user.
    'echo "pmm-agent:x:0:0::/:/bin/false" >> /etc/passwd',
    `mkdir -p ${EXPORTERS}`,
    ...Object.entries(exporters).map(([name, program]) => `ln -s /usr/bin/${program} ${EXPORTERS}/${name}`),
  );
});

afterAll(() => way.stop());

/** Adds lines of the page to the file of pmm-agent, as somebody with an editor. */
async function edit(step: string): Promise<void> {
  const settings = { ...parse(await way.run(['cat', SETTINGS])), ...parse(way.copy(step)) };
  await writeFile(join(host, 'settings'), stringify(settings));
  await way.run(['cp', join(host, 'settings'), SETTINGS]);
}

/** Where programs listen on these ports, by port. */
async function listening(ports: RegExp): Promise<Record<string, string>> {
  const printed = await shell('ss -ltnH | tr -s " " | cut -d " " -f 4');
  const sockets = printed
    .trim()
    .split('\n')
    .map((socket) => /^(.*):(\d+)$/.exec(socket)?.slice(1) ?? []);
  return Object.fromEntries(sockets.flatMap(([place = '', port = '']) => (ports.test(port) ? [[port, place]] : [])));
}

const agentsOf = async () =>
  JSON.parse(await way.run(['inventory', 'get', 'agents', '-o', 'json'])) as Record<string, any>[];

test('the page leads from a set-up and pmm-admin add to a sample of each exporter, which only the host reaches until it is exposed', async () => {
  await startAndLogIn(way);
  await writeFile(join(host, 'haproxy.cfg'), HAPROXY);
  await way.startProgram(['/usr/sbin/haproxy', '-V', '-f', join(host, 'haproxy.cfg')], /Using epoll/);
  await way.startProgram(['prometheus-redis-exporter', `--web.listen-address=${ADDRESS}:9121`], /Providing metrics/);

  await way.type('host-key');
  const key = await way.run(['cat', '/etc/inventory/key']);
  const variables = { KEY: key.trim(), SERVER: 'inventory.example.com:443', PASSWORD: 'canary' };
  await way.type('set-up', { variables });
  await way.type('services');
  await way.type('credentials', { variables });
  await way.put('mongodb-wrapper', '/usr/local/bin/mongodb-exporter-wrapper');
  await way.put('valkey-wrapper', '/usr/local/bin/valkey-exporter-wrapper');
  await edit('paths');
  await way.type('restart');
  await way.put('host-configuration', '/etc/prometheus/host.yml');
  await way.start('scraper', /Server is ready to receive web requests/);

  const node = { node_name: 'db-1', instance: expect.stringMatching(/^10\.0\.0\.1:42\d{3}$/) };
  const metrics = [
    ['node_time_seconds', 'node_exporter', {}],
    ['mysql_up', 'mysqld_exporter', { service_name: 'shop-db' }],
    ['pg_up', 'postgres_exporter', { service_name: 'shop-pg' }],
    ['redis_up', 'valkey_exporter', { service_name: 'shop-valkey' }],
  ] as const;
  // An exporter has another port after a restart of pmm-agent: until the next refresh a port can have the name of its former one.
  for (const [metric, job, service] of metrics)
    expect(await way.samples(`${metric}{job="${job}"}`, 1)).toMatchObject([{ metric: { ...node, ...service } }]);
  const external = { node_name: 'db-1', job: 'external_exporter' };
  expect(await way.samples('haproxy_process_uptime_seconds', 1)).toMatchObject([
    { metric: { ...external, service_name: 'shop-lb', instance: `${ADDRESS}:8404` } },
  ]);
  expect(await way.samples('redis_up{job="external_exporter"}', 1)).toMatchObject([
    { metric: { ...external, service_name: 'shop-cache', instance: `${ADDRESS}:9121` } },
  ]);
  await way.samples('up == 1', 6);
  // Without a MongoDB, that of Debian answers after 12 seconds, and Prometheus waits for 10.
  const [mongodb] = await way.samples('up{job="mongodb_exporter",service_name="shop-mongo"}', 1);
  expect(mongodb).toMatchObject({ metric: node });
  const [port] = mongodb!.metric['instance']!.split(':').slice(-1);
  expect(await way.run(['curl', `http://127.0.0.1:${port}/metrics`])).toContain('\nmongodb_up 0\n');

  const places = await listening(/^42\d{3}$/);
  expect(Object.keys(places).length).toBe(5);
  expect(new Set(Object.values(places))).toEqual(new Set(['127.0.0.1']));

  const agents = await agentsOf();
  const of = (type: string) => agents.find(({ agent_type: candidate }) => candidate === type)!;
  expect(of('proxysql_exporter')).toMatchObject({
    status: 'waiting',
    status_reason: expect.stringMatching(/; or its program is not installed\.$/),
  });
  for (const type of ['qan_mysql_slowlog_agent', 'qan_mongodb_profiler_agent', 'qan_postgresql_pgstatements_agent'])
    expect(of(type)).toMatchObject({ status: 'not_supported' });

  // From another machine: only what was exposed.
  await way.type('expose');
  await way.type('key');
  await way.put('configuration', '/etc/prometheus/prometheus.yml');
  const central = [
    '--config.file=/etc/prometheus/prometheus.yml',
    `--storage.tsdb.path=${join(way.folder, 'central')}`,
    '--web.listen-address=:9091',
  ];
  await way.startProgram(['prometheus', ...central], /Server is ready to receive web requests/);
  expect(await way.samples('mysql_up', 1, 9091)).toMatchObject([
    { metric: { ...node, job: 'mysqld_exporter', service_name: 'shop-db' } },
  ]);
  await way.samples('{__name__=~"node_time_seconds|mongodb_up|pg_up"}', 0, 9091);
  const exposed = await listening(/^42\d{3}$/);
  expect(Object.values(exposed).toSorted()).toEqual(['*', ...Array.from({ length: 4 }, () => '127.0.0.1')]);
  way.finish();
});
