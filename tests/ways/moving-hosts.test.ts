/** docs/move-from-pmm.md: 20 MySQL hosts move here from a PMM 2 server, followed to samples through each host's vmagent. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from '../deploy/processes.ts';
import { ownCertificate } from '../support/own-certificate.ts';
import { addressOf, type Hosts, MACHINE_ADDRESS, startHosts } from './hosts/hosts.ts';
import { pmmReplies, processIdOf, serviceNameOf } from './hosts/pmm-replies.ts';
import { root } from './steps.ts';
import { openWay, startAndLogIn, type Way } from './way.ts';

const HOSTS = 20;

const names = Array.from({ length: HOSTS }, (_, index) => `db-${String(index + 1).padStart(2, '0')}.example.com`);
const PMM = 'pmm.example.com';
const PMM_PASSWORD = 'canary-of-pmm';
const MYSQL_PASSWORD = 'canary-of-mysql/@:';

let way: Way;
let hosts: Hosts;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const all = [...names, PMM].map((name, index) => [name, addressOf(index)] as const);
  way = await openWay('moving', {
    names: { 'inventory.example.com': MACHINE_ADDRESS, ...Object.fromEntries(all) },
    folders: ['/etc/prometheus'],
    presupposes: 'hosts',
  });
  stops.push(way.stop);
  const folder = join(dirname(way.folder), 'fleet');
  await mkdir(folder);
  hosts = await startHosts({
    ...{ names: [...names, PMM], inside: way.machine.inside, folder, programs: way.programs },
    configOf: (index) =>
      [
        `id: ${processIdOf(index)}`,
        `server: { address: '${PMM}:443', username: admin, password: ${PMM_PASSWORD}, insecure-tls: true }`,
        'paths: { exporters_base: /usr/local/percona/pmm2/exporters }',
        '',
      ].join('\n'),
  });
  stops.push(hosts.stop);
});

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

/** A server of PMM 2 with the hosts. */
async function startPmm(): Promise<void> {
  const folder = hosts.pathOf(PMM, 'root');
  const { cert, key } = await ownCertificate([PMM], []);
  await Promise.all(
    Object.entries({
      ...{ 'cert.pem': cert, 'key.pem': key, password: PMM_PASSWORD },
      'replies.json': JSON.stringify(pmmReplies(names)),
    }).map(([name, text]) => writeFile(join(folder, name), text)),
  );
  await writeFile(join(way.folder, 'pmm-ca.pem'), cert);
  const program = `exec '${process.execPath}' '${join(root, 'tests/ways/hosts/pmm-server.ts')}'`;
  await way.startProgram(['ssh', `root@${PMM}`, program], /PMM listens/);
}

const onHost = (host: string, command: string) =>
  run(hosts.inside(host, command), { cwd: way.folder, env: { PATH: process.env['PATH'] }, limitMilliseconds: 120_000 });

test('20 hosts move from PMM to samples of two exporters on each, which only their own vmagent reaches', async () => {
  await startPmm();
  await startAndLogIn(way);
  const began = performance.now();
  await way.type('import', { answers: [[/Password of admin in PMM: /, PMM_PASSWORD]] });
  expect((await readFile(join(way.folder, 'hosts.txt'), 'utf8')).trim().split('\n')).toEqual(names);
  await way.type('keys');
  await way.start('prometheus', /Server is ready to receive web requests/);
  const said = await way.type('hosts', { answers: [[/Password of the MySQL user pmm: /, MYSQL_PASSWORD]] });
  expect(said).not.toContain(MYSQL_PASSWORD);
  await way.samples('up{job="mysqld_exporter"} == 1', HOSTS);
  await way.samples('up{job="node_exporter"} == 1', HOSTS);
  process.stderr.write(`first samples of all hosts after ${Math.round((performance.now() - began) / 1000)} s\n`);
  const metrics = (await way.samples('mysql_up', HOSTS)).map(({ metric }) => metric);
  expect(metrics.toSorted((a, b) => (a['node_name']! < b['node_name']! ? -1 : 1))).toEqual(
    names.map((name, index) =>
      expect.objectContaining({
        ...{ node_name: name, service_name: serviceNameOf(name, index), cluster: 'shop', region: 'eu', team: 'shop' },
        instance: expect.stringMatching(new RegExp(`^${name}:4200\\d$`)),
      }),
    ),
  );

  const [host = ''] = names;
  // Only the loopback interface has its exporters.
  const listening = await onHost(host, 'ss -ltnH | tr -s " " | cut -d " " -f 4');
  expect(
    listening
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('127.0.0.1:')),
  ).toEqual([]);
  const secret = await stat(hosts.pathOf(host, 'etc/inventory/key'));
  expect(secret.mode & 0o777).toBe(0o600);
  way.finish();
});
