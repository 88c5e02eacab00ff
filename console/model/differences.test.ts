import { differencesAt, differencesOf, ownPart } from './differences.ts';

const told = (change: Parameters<typeof differencesOf>[0]) =>
  differencesOf(change).map(({ label, before, after }) => [label, before, after]);

test('only changed labels are listed, by name', () => {
  const before = { custom_labels: { team: 'shop', rack: 'r1', 'a.b': 'x' } };
  const after = { custom_labels: { team: 'pay', 'a.b': 'x', zone: '' } };
  expect(told({ action: 'changed', before, after })).toEqual([
    ['Label team', 'shop', 'pay'],
    ['Label rack', 'r1', undefined],
    ['Label zone', undefined, ''],
  ]);
});

test('a label with the name of a field is no field', () => {
  const before = { status: 'unknown', custom_labels: {} };
  const after = { status: 'running', custom_labels: { status: 'x', updated_at: 'y', node_id: 'z' } };
  expect(told({ action: 'changed', before, after })).toEqual([
    ['Status', 'unknown', 'running'],
    ['Label status', undefined, 'x'],
    ['Label updated_at', undefined, 'y'],
    ['Label node_id', undefined, 'z'],
  ]);
});

test('an unset label with the name of an Object property has no value', () => {
  const before = { custom_labels: {} };
  const after = JSON.parse('{ "custom_labels": { "constructor": "x", "__proto__": "y" } }') as object;
  expect(told({ action: 'changed', before, after: { ...after } })).toEqual([
    ['Label constructor', undefined, 'x'],
    ['Label __proto__', undefined, 'y'],
  ]);
});

test('the state is first, and fields that every change changes are omitted', () => {
  const before = { log_level: 'info', disabled: false, status: 'running', updated_at: '1', revision: 1 };
  const after = { log_level: 'warn', disabled: true, status: 'done', updated_at: '2', revision: 2 };
  expect(told({ action: 'changed', before, after })).toEqual([
    ['Status', 'running', 'done'],
    ['Disabled', false, true],
    ['Log level', 'info', 'warn'],
  ]);
});

test('groups are listed by their parts, also those on one side only', () => {
  const before = { insights: { node_ids: ['a'], service_ids: ['s'] }, username: 'x' };
  const after = { insights: { node_ids: ['a', 'b'], service_ids: ['s'] }, listen_port: 1 };
  expect(told({ action: 'changed', before, after })).toEqual([
    ['Gives insight into nodes', ['a'], ['a', 'b']],
    ['Username', 'x', undefined],
    ['Listen port', undefined, 1],
  ]);
});

test('the differences of an added object contain the fields that it has', () => {
  const after = { node_id: 'i', node_name: 'db', address: '', disabled: false, list: [], custom_labels: { a: 'b' } };
  expect(told({ action: 'added', after })).toEqual([
    ['Name', undefined, 'db'],
    ['Label a', undefined, 'b'],
  ]);
});

test('a plan difference with a path has the text of a change', () => {
  expect(differencesAt('custom_labels.node_id', { before: 'x', after: '' })).toEqual([
    { path: 'custom_labels.node_id', label: 'Label node_id', target: undefined, before: 'x', after: '' },
  ]);
  expect(differencesAt('insights', { after: { node_ids: ['a'] } })).toEqual([
    {
      path: 'insights.node_ids',
      label: 'Gives insight into nodes',
      target: 'node',
      before: undefined,
      after: ['a'],
    },
  ]);
  expect(differencesAt('port', { before: 1 })).toMatchObject([{ label: 'Port', before: 1, after: undefined }]);
});

test('the difference of two lists contains added and removed entries, or all if only the order differs', () => {
  expect(ownPart(['a', 'b'], ['b', 'c'])).toEqual(['a']);
  expect(ownPart(['b', 'c'], ['a', 'b'])).toEqual(['c']);
  expect(ownPart(['a'], ['a', 'b'])).toBeUndefined();
  expect(ownPart([], ['a'])).toBeUndefined();
  expect(ownPart(['a', 'b'], ['b', 'a'])).toEqual(['a', 'b']);
  expect(ownPart(['a'], undefined)).toEqual(['a']);
  expect(ownPart('a', 'b')).toBe('a');
});
