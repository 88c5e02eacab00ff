/** The real Prometheus scrapes the metrics of a real server; the alert rules and the dashboard of the documents use them. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '../end-to-end/processes.ts';
import { useScraper } from './discovered.ts';
import { prometheus as program } from './scraper.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const run = promisify(execFile);
const fileAt = (name: string) => fileURLToPath(new URL(`../../docs/monitoring/${name}`, import.meta.url));
const alerts = fileAt('alerts.yml');

const { scraper: prometheus } = useScraper(async (discovered) => {
  const node = { node_type: 'generic', node_name: 'db-1', address: '10.0.0.1', region: 'eu' };
  expect((await discovered.editor('POST', '/v1/nodes', { body: node })).status).toBe(201);
  const docs = await readFile(new URL('../../docs/monitoring.md', import.meta.url), 'utf8');
  const [job = ''] = fencedBlocks(docs, 'yaml');
  const replaced = [
    ['inventory.example.com', new URL(discovered.server.base).host],
    ['/etc/prometheus/inventory.key', discovered.keyFile],
    ['/etc/prometheus/inventory-ca.pem', discovered.caFile],
    ['/etc/prometheus/inventory-alerts.yml', alerts],
    ['scrape_interval: 60s', 'scrape_interval: 1s'],
  ].reduce((text, [from = '', to = '']) => {
    expect(text).toContain(from);
    return text.replaceAll(from, to);
  }, job);
  return { program, config: replaced };
});

test('Prometheus scrapes every number, as OpenMetrics', async () => {
  await eventually(async () => (await prometheus.query('inventory_summary_age_seconds')).length === 1);
  const [sample] = await prometheus.query('inventory_nodes');
  expect(sample).toMatchObject({
    metric: { type: 'generic', state: 'never_seen', region: 'eu' },
    value: [expect.anything(), '1'],
  });
  const { active } = await prometheus.targets();
  expect(active.map(({ health, lastError }) => [health, lastError])).toEqual([['up', '']]);
});

test('the alert rules are valid and use existing metrics', async () => {
  const { stdout } = await run('/usr/bin/promtool', ['check', 'rules', alerts]);
  expect(stdout).toContain('SUCCESS');
  const names = new Set((await readFile(alerts, 'utf8')).match(/\binventory_[a-z_]+/g));
  for (const name of names) expect([name, (await prometheus.query(name)).length > 0]).toEqual([name, true]);
});

test('each alert fires for its own findings, and none for agents that are never started', async () => {
  await run('/usr/bin/promtool', ['test', 'rules', fileURLToPath(new URL('alerts.yml', import.meta.url))]);
});

test('every dashboard panel has a valid query with existing metrics', async () => {
  const { panels } = JSON.parse(await readFile(fileAt('grafana-dashboard.json'), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  expect(panels.length).toBeGreaterThan(5);
  for (const { title, targets } of panels)
    for (const { expr } of targets) {
      await prometheus.query(expr.replaceAll('$instance', '.*'));
      const [name = ''] = /\binventory_[a-z_]+/.exec(expr) ?? [];
      const samples = await prometheus.query(`count(${name})`);
      // An inventory without services or agents has no series of them.
      const isEmpty = ['inventory_services', 'inventory_agents'].includes(name);
      expect([title, isEmpty || samples.length > 0]).toEqual([title, true]);
    }
});
