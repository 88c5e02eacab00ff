/** The real vmagent discovers a real server, with the configuration of docs/discovery.md and a Viewer's key over TLS. */
import { readFile } from 'node:fs/promises';
import { eventually } from '../end-to-end/processes.ts';
import { documentedConfig, expectDiscovery, scrapeHere, useScraper } from './discovered.ts';
import type { Program } from './scraper.ts';

const REFRESH_SECONDS = 1;

const PATH = '/usr/bin/vmagent';

/** The documented command, for this file and this receiver of what was scraped. */
async function documentedProgram(receiver: string): Promise<Program> {
  const docs = await readFile(new URL('../../docs/discovery.md', import.meta.url), 'utf8');
  const [, command = ''] = /^`vmagent (-[^`]*)`$/m.exec(docs) ?? [];
  return {
    path: PATH,
    debianPackage: 'victoria-metrics',
    arguments: (home, file, port) => [
      ...command
        .replace('/etc/vmagent/inventory.yml', file)
        .replace('CheckInterval=60s', `CheckInterval=${REFRESH_SECONDS}s`)
        .replace('remoteWrite.url=...', `remoteWrite.url=${receiver}`)
        .split(' '),
      `-remoteWrite.tmpDataPath=${home}/data`,
      `-httpListenAddr=127.0.0.1:${port}`,
    ],
    readyPath: '/health',
  };
}

const { discovered, scraper: vmagent } = useScraper(async (discovered) => {
  const config = await documentedConfig('VictoriaMetrics vmagent', [
    ['https://inventory.example.com', discovered.server.base],
    ['/etc/vmagent/inventory.key', discovered.keyFile],
    ['/etc/vmagent/inventory-ca.pem', discovered.caFile],
    scrapeHere(discovered.port),
  ]);
  return { program: await documentedProgram(`http://127.0.0.1:${discovered.port}/received`), config };
});

test('it discovers a cluster with its labels, scrapes it, and drops an agent that is removed', async () => {
  expect((await vmagent.targets()).active).toEqual([]);
  await expectDiscovery(discovered, vmagent);
  // What it scrapes it sends on.
  await eventually(() => discovered.asked.has('/received'));
});

test('an error keeps the former targets', async () => {
  const { active } = await vmagent.targets();
  expect(active).toHaveLength(3);
  const failures = () =>
    vmagent.said().split(`cannot fetch "${discovered.server.base}/v1/discovery/prometheus"`).length - 1;
  expect(failures()).toBe(0);
  await discovered.server.stop();
  await eventually(() => failures() > 2);
  expect((await vmagent.targets()).active).toHaveLength(active.length);
});
