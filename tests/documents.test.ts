/** Configurations in the documents that no test can run, held against those that are run. */
import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { statusTransitions } from '../functions/domain/agent/lifecycle.ts';
import { MAX_REMOVALS_PERCENT } from '../functions/domain/fields/safety-threshold.ts';
import { CLEANUP_MINUTES } from '../functions/domain/records/cleanup.ts';
import { lifeOf, standardTimers, stateAfter, states } from '../functions/domain/fields/liveness.ts';
import { endpoints } from '../functions/api/endpoints.ts';
import { heartbeatPartitions } from '../functions/store/table/keys.ts';
import { RESTORE_SECONDS } from '../functions/store/history/removal-record.ts';
import { readSettings } from '../infra/settings/read-settings.ts';
import { alloyAttribute, alloyBlocks, alloyRules, withoutIf } from './support/relabelling.ts';
import { blocksIn, fencedBlocks } from './support/fenced-blocks.ts';

const docs = await readFile(new URL('../docs/discovery.md', import.meta.url), 'utf8');

function codeUnder(heading: string): string {
  const section = docs.split('\n## ').find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return blocksIn(section)[0]?.code ?? '';
}

describe('Grafana Alloy', () => {
  const alloy = codeUnder('Grafana Alloy');
  const block = (name: string, text = alloy): string[] => alloyBlocks(name, text);
  const attribute = alloyAttribute;
  const {
    scrape_configs: [vmagent],
  } = parse(codeUnder('VictoriaMetrics vmagent'));
  const [sd] = vmagent.http_sd_configs;

  test('requests the same as vmagent, which is tested', () => {
    const [http = ''] = block('discovery\\.http "inventory"');
    const url = attribute(http, 'url')!;
    expect(url).toBe(sd.url);
    expect(endpoints.map(({ path }) => path)).toContain(new URL(url).pathname);
    const [authorization = ''] = block('authorization', http);
    expect(attribute(authorization, 'type')).toBe(sd.authorization.type);
    expect(attribute(authorization, 'credentials_file')).toBe(
      sd.authorization.credentials_file.replace('vmagent', 'alloy'),
    );
    const [tls = ''] = block('tls_config', http);
    expect(attribute(tls, 'ca_file')).toBe(sd.tls_config.ca_file.replace('vmagent', 'alloy'));
  });

  test('has the same rules', () => {
    const [relabel = ''] = block('discovery\\.relabel "inventory"');
    const rules = alloyRules(relabel);
    expect(rules.length).toBeGreaterThan(2);
    expect(rules).toEqual(vmagent.relabel_configs.map(withoutIf));
  });

  test('names existing components only', () => {
    const there = [...alloy.matchAll(/^([\w.]+) "(\w+)" \{$/gm)].map(([, type, label]) => `${type}.${label}`);
    const named = [...alloy.matchAll(/= \[?([a-z]\w*\.\w+\.\w+)\.(?:targets|output|receiver)/g)].map(
      ([, name]) => name,
    );
    expect(named).toHaveLength(3);
    expect(there).toEqual(expect.arrayContaining(named));
  });
});

const lifeCycle = (
  await Promise.all(
    ['states', 'reports', 'life-cycle'].map((name) => readFile(new URL(`../docs/${name}.md`, import.meta.url), 'utf8')),
  )
).join('\n');

describe('the pages about states, reports and the life cycle', () => {
  const text = lifeCycle;
  const rowsOf = (heading: string) => {
    const section = text.split('\n## ').find((part) => part.startsWith(`${heading}\n`)) ?? '';
    return section
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.slice(2, -2).split(' | '));
  };

  test('names every timer with its default', () => {
    const defaults = Object.fromEntries(rowsOf('Timers').map(([timer = '', standard]) => [timer, standard]));
    for (const [timer, standard] of Object.entries(standardTimers)) expect(defaults[`\`${timer}\``]).toBe(standard);
    expect(defaults).toMatchObject({
      '`lifetime`': `\`${lifeOf({}).lifetime}\``,
      'scheduled cleanup': `every ${CLEANUP_MINUTES} minutes`,
      'safety threshold of a cleanup': `${MAX_REMOVALS_PERCENT} %`,
      'what was removed can be restored': `${RESTORE_SECONDS / 86_400} days`,
    });
    expect(readSettings({}).scheduledCleanup).toBe(true);
  });

  test('draws the states and their transitions', () => {
    const [diagram = ''] = fencedBlocks(text, 'mermaid');
    const ways = [...diagram.matchAll(/^ {2}(\S+) --> (\S+): (.*)$/gm)].map(([, from, to, why]) => ({ from, to, why }));
    const life = lifeOf({});
    const seconds = { stale_after: life.staleAfter, offline_after: life.offlineAfter };
    expect(new Set(ways.flatMap(({ from, to }) => [from, to]))).toEqual(new Set(['[*]', ...states]));
    for (const { to, why } of ways) {
      const [, timer] = /^silent for (\w+)$/.exec(why!) ?? [];
      if (timer === 'stale_after' || timer === 'offline_after')
        expect([why, to]).toEqual([why, stateAfter(seconds[timer] * 1000, life)]);
      if (why === 'report') expect(to).toBe(stateAfter(0, life));
      if (why === 'added') expect(to).toBe(stateAfter(undefined, life));
    }
    // Every state but the live one is left by a report, and every one that is not the last by silence.
    expect(ways.filter(({ why }) => why === 'report').map(({ from }) => from)).toEqual(
      expect.arrayContaining(states.filter((state) => state !== 'live')),
    );
  });

  test('has the table of possible reports after each status', () => {
    const rows = Object.entries(statusTransitions).map(([from, to]) => [
      `\`${from}\``,
      to.map((status) => `\`${status}\``).join(', '),
    ]);
    expect(rowsOf('Which status can follow').slice(1)).toEqual(rows);
  });

  test('states the number of partitions', () => {
    expect(text).toContain(`in ${heartbeatPartitions.length} partitions`);
  });

  test('requests existing paths', () => {
    const asked = [...text.matchAll(/\$B(\/v1\/[\w/$-]+)/g)].map(([, path = '']) => path.replaceAll(/\$\w+/g, '{}'));
    expect(asked.length).toBeGreaterThan(4);
    const paths = endpoints.map(({ path }) => path.replaceAll(/\{\w+\}/g, '{}'));
    for (const path of asked) expect(paths).toContain(path);
  });
});

test('the contracts accept the requests of the first minute', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const sent = [...readme.matchAll(/\$B(\/v1\/\S+)(?:(?!curl)[\s\S])*?-d '([^']+)'/g)];
  expect(sent.map(([, path]) => path)).toEqual(['/v1/api-keys', '/v1/batch']);
  const refused = sent.filter(([, path, body]) => {
    const endpoint = endpoints.find((candidate) => candidate.method === 'POST' && candidate.path === path);
    return endpoint?.body === undefined || !z.safeParse(endpoint.body, JSON.parse(body!)).success;
  });
  expect(refused).toEqual([]);
});

/** Read by looking something up, from the top to the end by nobody. */
const references = ['architecture.md', 'cli.md', 'pmm-calls.md', 'runbook.md', 'security.md'];

test('a page that is no reference has at most 1,500 words', async () => {
  const folder = new URL('../docs/', import.meta.url);
  const pages = (await readdir(folder)).filter((name) => name.endsWith('.md') && !references.includes(name));
  const words = await Promise.all(
    pages.map(async (name) => ({
      name,
      words: (await readFile(new URL(name, folder), 'utf8')).trim().split(/\s+/).length,
    })),
  );
  expect(words.length).toBeGreaterThan(40);
  expect(words.filter((page) => page.words > 1500)).toEqual([]);
});
