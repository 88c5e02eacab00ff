/** The real Prometheus discovers a real server, with the configuration of docs/discovery.md and a Viewer's key over TLS. */
import { eventually } from '../end-to-end/processes.ts';
import { documentedConfig, expectDiscovery, scrapeHere, useScraper } from './discovered.ts';
import { prometheus as program } from './scraper.ts';

const REFRESH_SECONDS = 1;

const { discovered, scraper: prometheus } = useScraper(async (discovered) => {
  const config = await documentedConfig('Prometheus', [
    ['https://inventory.example.com', discovered.server.base],
    ['refresh_interval: 60s', `refresh_interval: ${REFRESH_SECONDS}s`],
    ['/etc/prometheus/inventory.key', discovered.keyFile],
    ['/etc/prometheus/inventory-ca.pem', discovered.caFile],
    scrapeHere(discovered.port),
  ]);
  return { program, config };
});

test('an empty inventory has no target and no failure', async () => {
  await eventually(async () => (await prometheus.counter('prometheus_sd_refresh_duration_seconds_count')) > 1);
  expect(await prometheus.targets()).toEqual({ active: [], dropped: [] });
  expect(await prometheus.counter('prometheus_sd_http_failures_total')).toBe(0);
});

test('it discovers a cluster with its labels, scrapes it, and drops an agent that is removed', async () => {
  await expectDiscovery(discovered, prometheus);
  expect(await prometheus.counter('prometheus_sd_http_failures_total')).toBe(0);
});

test('an error keeps the former targets', async () => {
  const { active } = await prometheus.targets();
  const failures = () => prometheus.counter('prometheus_sd_http_failures_total');
  const before = await failures();
  await discovered.server.stop();
  await eventually(async () => (await failures()) > before + 1);
  expect((await prometheus.targets()).active).toHaveLength(active.length);
});
