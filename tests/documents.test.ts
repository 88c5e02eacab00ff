/** Configurations in the documents that no test can run, held against those that are run. */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { endpoints } from '../functions/endpoints.ts';

const docs = await readFile(new URL('../docs/discovery.md', import.meta.url), 'utf8');

function codeUnder(heading: string): string {
  const section = docs.split('\n## ').find((one) => one.startsWith(`${heading}\n`)) ?? '';
  return /^```\w+\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? '';
}

interface Rule {
  action: string;
  regex?: string;
  source_labels?: string[];
  if?: string;
}

/** What a condition of vmagent says, as Prometheus says it. */
function withoutIf({ if: condition, ...rule }: Rule): Rule {
  const [, label, value] = /^\{(\w+)="([^"]*)"\}$/.exec(condition ?? '') ?? [];
  return label === undefined ? rule : { ...rule, source_labels: [label], regex: value! };
}

const byAction = (left: Rule, right: Rule) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
const sorted = (rules: Rule[]) =>
  rules.map(({ action, regex, source_labels: labels }) => ({ action, regex, labels })).sort(byAction as never);

describe('Grafana Alloy', () => {
  const alloy = codeUnder('Grafana Alloy');
  const block = (name: string, text = alloy): string[] =>
    [...text.matchAll(new RegExp(`^( *)${name} \\{\\n([\\s\\S]*?)^\\1\\}$`, 'gm'))].map(([, , inner = '']) => inner);
  const attribute = (text: string, name: string) =>
    new RegExp(`^ *${name} += (.*)$`, 'm').exec(text)?.[1]?.replace(/^"(.*)"$/, '$1');
  const {
    scrape_configs: [vmagent],
  } = parse(codeUnder('VictoriaMetrics vmagent'));
  const [sd] = vmagent.http_sd_configs;

  test('asks for the same, in the same way, as vmagent, which is run', () => {
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
    const rules = block('rule', relabel).map((rule): Rule => {
      const labels = attribute(rule, 'source_labels');
      return {
        action: attribute(rule, 'action')!,
        regex: attribute(rule, 'regex')!,
        ...(labels === undefined ? {} : { source_labels: JSON.parse(labels) }),
      };
    });
    expect(rules.length).toBeGreaterThan(2);
    expect(sorted(rules)).toEqual(sorted(vmagent.relabel_configs.map(withoutIf)));
  });

  test('hands on what it finds: every component that it names is there', () => {
    const there = [...alloy.matchAll(/^([\w.]+) "(\w+)" \{$/gm)].map(([, type, label]) => `${type}.${label}`);
    const named = [...alloy.matchAll(/= \[?([a-z]\w*\.\w+\.\w+)\.(?:targets|output|receiver)/g)].map(
      ([, name]) => name,
    );
    expect(named).toHaveLength(3);
    expect(there).toEqual(expect.arrayContaining(named));
  });
});
