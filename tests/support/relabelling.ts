/** The relabelling of Prometheus, as far as the documented configurations use it, and how these are read. */
import { parse } from 'yaml';
import { blocksIn } from './fenced-blocks.ts';

export interface Rule {
  action?: string;
  regex?: string;
  source_labels?: string[];
  target_label?: string;
  replacement?: string;
  /** A condition of vmagent. */
  if?: string;
}

type Labels = Readonly<Record<string, string>>;

/** What a condition of vmagent says, as Prometheus says it. */
export function withoutIf({ if: condition, ...rule }: Rule): Rule {
  const [, label, value] = /^\{(\w+)="([^"]*)"\}$/.exec(condition ?? '') ?? [];
  return label === undefined ? rule : { ...rule, source_labels: [label], regex: value! };
}

/** The blocks with a name in a text of Alloy. */
export const alloyBlocks = (name: string, text: string): string[] =>
  [...text.matchAll(new RegExp(`^( *)${name} \\{\\n([\\s\\S]*?)^\\1\\}$`, 'gm'))].map(([, , inner = '']) => inner);

export const alloyAttribute = (text: string, name: string): string | undefined =>
  new RegExp(`^ *${name} += (.*)$`, 'm').exec(text)?.[1]?.replace(/^"(.*)"$/, '$1');

/** The rules of a component `discovery.relabel`. */
export function alloyRules(relabel: string): Rule[] {
  return alloyBlocks('rule', relabel).map((rule) => {
    const names = [...rule.matchAll(/^ *(\w+) +=/gm)].map(([, name = '']) => name);
    const values = names.map((name) => [name, alloyAttribute(rule, name)] as const);
    const read = ([name, value]: readonly [string, string | undefined]) =>
      [name, name === 'source_labels' ? JSON.parse(value ?? '') : value] as const;
    return Object.fromEntries(values.map(read));
  });
}

/** The relabelling in a document: one list of rules for each job in YAML, and for each component of Alloy. */
export function documentedRules(document: string): Rule[][] {
  const blocks = blocksIn(document);
  const inYaml = blocks.flatMap(({ language, code }) => {
    if (!/ya?ml/.test(language) || !code.includes('relabel_configs')) return [];
    const jobs: { relabel_configs?: Rule[] }[] = parse(code).scrape_configs;
    return jobs.flatMap(({ relabel_configs: rules }) => (rules === undefined ? [] : [rules]));
  });
  const inAlloy = blocks.flatMap(({ code }) => alloyBlocks('discovery\\.relabel "\\w+"', code).map(alloyRules));
  return [...inYaml, ...inAlloy];
}

/**
 * The labels of a target after the rules; undefined if it is dropped.
 * https://prometheus.io/docs/prometheus/latest/configuration/configuration/#relabel_config
 */
export function relabelled(target: Labels, rules: readonly Rule[]): Labels | undefined {
  let labels: Labels = target;
  for (const { action = 'replace', ...rule } of rules.map(withoutIf)) {
    const pattern = new RegExp(`^(?:${rule.regex ?? '(.*)'})$`, 's');
    const source = (rule.source_labels ?? []).map((name) => labels[name] ?? '').join(';');
    const named = Object.entries(labels);
    if (action === 'drop' || action === 'keep') {
      if (pattern.test(source) === (action === 'drop')) return undefined;
    } else if (action === 'labeldrop') labels = Object.fromEntries(named.filter(([name]) => !pattern.test(name)));
    else if (action === 'labelmap') {
      const copies = named.filter(([name]) => pattern.test(name));
      const renamed = copies.map(([name, value]) => [name.replace(pattern, rule.replacement ?? '$1'), value]);
      labels = { ...labels, ...Object.fromEntries(renamed) };
    } else if (action === 'replace') {
      if (!pattern.test(source)) continue;
      const value = source.replace(pattern, rule.replacement ?? '$1');
      labels = Object.fromEntries([
        ...named.filter(([name]) => name !== rule.target_label),
        [rule.target_label!, value],
      ]);
    } else throw new Error(`no model of the action ${action}`);
  }
  const kept = Object.entries(labels).filter(([name, value]) => !name.startsWith('__') && value !== '');
  return { instance: labels['__address__'] ?? '', ...Object.fromEntries(kept) };
}
