/** docs/getting-started.md: 30 hosts in YAML and in CSV, followed to samples of real exporters in the real Prometheus. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWay, startAndLogIn, type Way } from './way.ts';

const HOSTS = 30;

const hosts = Array.from({ length: HOSTS }, (_, index) => `db-${String(index + 1).padStart(2, '0')}.example.com`);

let way: Way;

const options = {
  names: {
    'inventory.example.com': '127.0.0.1',
    ...Object.fromEntries(hosts.map((host, index) => [host, `127.0.0.${index + 2}`])),
  },
  folders: ['/etc/prometheus'],
};

afterEach(() => way.stop());

test.each([
  ['YAML', () => openWay('hosts', options), 'file'],
  ['CSV', () => openWay('hosts-table', { ...options, presupposes: 'hosts' }), 'tables'],
])(
  "the page leads from a list of 30 hosts in %s to samples of two exporters on each, with the objects' names",
  async (_, open, step) => {
    way = await open();
    // Each exporter listens on all addresses of the machine, as Debian's do: it is that of every host.
    await way.startProgram(['/usr/bin/prometheus-node-exporter'], /Listening on|TLS is disabled/i);
    await way.startProgram(['/usr/bin/prometheus-mysqld-exporter'], /Listening on|TLS is disabled/i, {
      DATA_SOURCE_NAME: 'monitor:none@(127.0.0.1:3306)/',
    });
    await startAndLogIn(way);
    await writeFile(join(way.folder, 'hosts.txt'), `${hosts.join('\n')}\n`);
    await way.type(step);
    await way.type('key');
    await way.put('configuration', '/etc/prometheus/prometheus.yml');
    await way.start('prometheus', /Server is ready to receive web requests/);
    await way.samples('up == 1', 2 * HOSTS);
    const labelsOf = async (expression: string) =>
      (await way.samples(expression, HOSTS)).map(
        ({ metric: { node_name: node, service_name: service, instance, job } }) => ({
          ...{ node, service, instance, job },
        }),
      );
    const sorted = (rows: { node: string | undefined }[]) => rows.toSorted((a, b) => (a.node! < b.node! ? -1 : 1));
    const job = 'external_exporter';
    expect(sorted(await labelsOf('node_time_seconds'))).toEqual(
      hosts.map((host) => ({ node: host, service: undefined, instance: `${host}:9100`, job })),
    );
    expect(sorted(await labelsOf('mysql_up'))).toEqual(
      hosts.map((host) => ({ node: host, service: `mysql-${host}`, instance: `${host}:9104`, job })),
    );
    way.finish();
  },
);
