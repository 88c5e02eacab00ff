import { readFile } from 'node:fs/promises';
import { standardLabels } from '../functions/domain/fields/filterable-labels.ts';
import { parseSelector } from '../shared/selector/parse-selector.ts';
import { costs } from './costs/costs.ts';

const text = await readFile(new URL('../docs/selectors.md', import.meta.url), 'utf8');
const rows = text.split('\n').filter((line) => line.startsWith('| '));

test('docs/selectors.md states the measured costs', () => {
  const counted = costs
    .filter(({ request }) => /^selector|^updated since|two fields/.test(request))
    .map(
      ({ function: id, request, steps, readUnits }) =>
        `| ${id} | ${request.replace('selector: ', '')} | ${steps} | ${readUnits} |`,
    );
  expect(counted.length).toBeGreaterThan(10);
  expect(rows.filter((row) => row.startsWith('| list'))).toEqual(counted);
});

test.each(['node', 'service', 'agent'] as const)('docs/selectors.md names the attributes of a %s', (kind) => {
  const names = [...standardLabels[kind].keys()].map((name) => `\`${name}\``).join(', ');
  expect(rows).toContain(`| ${kind}s | ${names} |`);
});

test('the documented selectors are valid', () => {
  const examples = [...text.matchAll(/'selector=([^']+)'/g)].map(([, selector = '']) => selector);
  expect(examples.length).toBeGreaterThan(3);
  for (const selector of examples) expect(parseSelector(selector)).not.toHaveLength(0);
});
