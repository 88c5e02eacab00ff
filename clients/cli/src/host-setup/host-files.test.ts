import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { fencedBlocks } from '../../../../tests/support/fenced-blocks.ts';
import { type Host, hostFiles } from './host-files.ts';

const host: Host = {
  ...{ url: 'https://inventory.example.com', key: 'minv_canary', ca: 'PEM\n', isInsecure: false, user: 'pmm-agent' },
  client: { generation: 2, folder: '/usr/local/percona/pmm2' },
  agentAddress: 'inventory.example.com:443',
  services: [{ service_id: 'id-1', service_name: 'orders', service_type: 'mysql', address: '127.0.0.1' }],
  accountOf: () => ({ user: 'pmm', password: 'secret' }),
  vmagent: { program: '/usr/bin/vmagent', remoteWrite: 'https://metrics.example/write?a=b%2Fc', options: ['-x.y=$1'] },
};

const file = (path: string, more: Partial<Host> = {}) => {
  const hostFile = hostFiles({ ...host, ...more }).find((candidate) => candidate.path === path);
  if (hostFile === undefined) throw new Error(path);
  return hostFile;
};

test("vmagent reads its host's list with the documented rules", async () => {
  const docs = await readFile(new URL('../../../../docs/own-targets.md', import.meta.url), 'utf8');
  const [documented = ''] = fencedBlocks(docs, 'yaml').filter((block) => block.includes('?node=self'));
  const expected = parse(documented);
  const [sd] = expected.scrape_configs[0].http_sd_configs;
  // An option of the command line of vmagent.
  delete sd.refresh_interval;
  sd.tls_config.ca_file = '/etc/inventory/ca.pem';
  expect(parse(file('/etc/inventory/vmagent.yml').content)).toEqual(expected);
});

test.each<[Partial<Host>, object | undefined]>([
  [{ ca: undefined }, undefined],
  [{ isInsecure: true }, { ca_file: '/etc/inventory/ca.pem', insecure_skip_verify: true }],
  [{ ca: undefined, isInsecure: true }, { insecure_skip_verify: true }],
])('certificates are those of the call: %j', (more, tls) => {
  const { scrape_configs: configs } = parse(file('/etc/inventory/vmagent.yml', more).content);
  expect(configs[0].http_sd_configs[0].tls_config).toEqual(tls);
  const environment = file('/etc/inventory/pmm-agent.env', more).content;
  expect(environment).toContain(`PMM_AGENT_SERVER_INSECURE_TLS=${more.isInsecure === true}\n`);
  expect(environment.includes('SSL_CERT_FILE=/etc/inventory/ca.pem\n')).toBe(!('ca' in more));
});

test('pmm-agent gets server, key and wrappers by its environment, and its own file stays', () => {
  expect(file('/etc/inventory/pmm-agent.env').content.split('\n')).toEqual(
    expect.arrayContaining([
      'PMM_AGENT_SERVER_ADDRESS=inventory.example.com:443',
      'PMM_AGENT_SERVER_USERNAME=service_token',
      'PMM_AGENT_SERVER_PASSWORD=minv_canary',
      'PMM_AGENT_PATHS_MYSQLD_EXPORTER=/usr/local/bin/mysqld-exporter-wrapper',
    ]),
  );
  expect(file('/etc/systemd/system/pmm-agent.service.d/inventory.conf').content).toContain(
    '[Service]\nEnvironmentFile=/etc/inventory/pmm-agent.env\n',
  );
  expect(hostFiles(host).map(({ path }) => path)).not.toContain('/usr/local/percona/pmm2/config/pmm-agent.yaml');
});

test('secrets are in files that their user alone can read, and in no other', () => {
  const secret = hostFiles(host).filter(({ content }) => /canary|secret/.test(content));
  expect(secret.map(({ path, mode, isOfAgent = false }) => [path, mode, isOfAgent])).toEqual([
    ['/etc/inventory/key', 0o600, true],
    ['/etc/inventory/pmm-agent.env', 0o600, false],
    ['/etc/monitoring-inventory/credentials/orders.dsn', 0o600, true],
  ]);
});

test('a unit contains an address and options literally, although systemd replaces % and $ in others', () => {
  const { content } = file('/etc/systemd/system/inventory-vmagent.service');
  expect(content).toContain(' -remoteWrite.url=https://metrics.example/write?a=b%%2Fc ');
  expect(content).toContain(' -x.y=$$1\n');
  expect(content).toContain('\nUser=pmm-agent\n');
});

test('a host without pmm-agent or vmagent gets no files for them', () => {
  const paths = hostFiles({ ...host, client: undefined, vmagent: undefined, ca: undefined }).map(({ path }) => path);
  expect(paths).toEqual(['/etc/inventory/key', '/etc/inventory/environment']);
});
