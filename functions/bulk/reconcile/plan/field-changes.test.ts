import { node } from '../../../../tests/support/store.ts';
import { differences } from './field-changes.ts';

const old = node({ address: 'a', region: 'eu', custom_labels: { b: '1', a: '1', gone: '1' } }).object;

test('differing fields and labels are sorted by name, with both values', () => {
  const { region: _, ...rest } = old;
  const next = { ...rest, address: 'b', az: 'z', custom_labels: { a: '2', b: '1', come: '1' } };
  expect(differences(old, next)).toEqual([
    { field: 'address', from: 'a', to: 'b' },
    { field: 'az', to: 'z' },
    { field: 'region', from: 'eu' },
    { field: 'custom_labels.a', from: '1', to: '2' },
    { field: 'custom_labels.come', to: '1' },
    { field: 'custom_labels.gone', from: '1' },
  ]);
});

test('the record and internal fields are no differences', () => {
  const next = {
    ...old,
    revision: 9,
    updated_at: 'x',
    created_at: 'y',
    last_change: 'c',
    registered: true,
    removing: true,
  };
  expect(differences(old, next)).toEqual([]);
});
