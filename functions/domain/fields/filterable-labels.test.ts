import { options as nodeOptions } from '../node/options.ts';
import { options as serviceOptions } from '../service/options.ts';
import { filterText } from './common-fields.ts';
import { standardLabels } from './filterable-labels.ts';

test.each([
  ['node', nodeOptions()],
  ['service', serviceOptions()],
] as const)('selectors find a %s by each field whose text is a filter', (kind, options) => {
  const filters = Object.entries(options).flatMap(([name, { schema }]) => (schema === filterText ? [name] : []));
  expect(filters.length).toBeGreaterThan(1);
  // A field that is missing here belongs in `standardLabels`, or its schema is `shortText`.
  expect(filters.filter((name) => !standardLabels[kind].has(name))).toEqual([]);
});
