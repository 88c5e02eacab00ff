import { exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { withLabels, withOnly } from './with-labels.ts';

const custom_labels = { team: 'a', tier: 'b' };
const host = node({ custom_labels });
const db = service([host], { custom_labels });
const agent = exporter(pmmAgent(host), [db], { custom_labels });

test.each([
  ['node', host],
  ['service', db],
  ['agent', agent],
] as const)('a %s with other labels keeps its other fields, and the original is unchanged', (kind, entity) => {
  const other = withLabels<'node' | 'service' | 'agent'>(entity, (labels) => ({ ...labels, tier: 'c' }));
  expect(other).toEqual({ kind, object: { ...entity.object, custom_labels: { team: 'a', tier: 'c' } } });
  expect(entity.object.custom_labels).toEqual(custom_labels);
});

test('only the named labels remain, and an absent name adds none', () => {
  expect(withOnly(host, ['tier', 'region', 'constructor']).object.custom_labels).toEqual({ tier: 'b' });
  expect(withOnly(host, []).object.custom_labels).toEqual({});
});
