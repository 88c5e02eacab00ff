import { differencesOf } from '../model/differences.ts';
import { toCsv } from '../model/table-text.ts';
import { csvRowOf, fieldsIn, folded, rowsOf } from './comparison-rows.ts';
import type { NamedChange } from './net-changes.ts';

const changed: NamedChange = {
  ...{ kind: 'node', id: 'n-1', name: 'db-1', action: 'changed' },
  differences: differencesOf({
    action: 'changed',
    before: { custom_labels: {}, services: ['a'] },
    after: { custom_labels: { team: '=1+1' }, services: ['a', 'b'], options: [], nested: { a: { b: 1 } } },
  }),
  last: {
    ...{ audit_id: 'a', time: '2026-03-02T09:30:00.000Z', event: 'node.changed', request_id: 'r-1' },
    actor: { kind: 'user', id: 'u', name: 'maria' },
  },
};
const added: NamedChange = {
  ...changed,
  ...{ kind: 'agent', id: 'a-1', action: 'added' },
  differences: differencesOf({ action: 'added', after: { agent_type: 'vm_agent', listen_port: 1 } }),
};

test('an added object has one row, a changed one a row for each field, less those that a filter excludes', () => {
  const keys = (filter: object) => rowsOf([changed, added], filter).map(({ key }) => key);
  expect(keys({})).toEqual([expect.stringContaining('n-1'), ...keys({}).slice(1, 4), 'a-1']);
  expect(keys({ kind: 'agent' })).toEqual(['a-1']);
  expect(keys({ kind: 'node', field: 'Label team' })).toEqual(['n-1 custom_labels.team']);
  expect(keys({ field: 'Listen port' })).toEqual(['a-1 listen_port']);
  expect(keys({ field: 'No such field' })).toEqual([]);
  expect(fieldsIn([changed, added])).toEqual(expect.arrayContaining(['Label team', 'Listen port']));
  const first = folded(rowsOf([changed, added])).map(({ isFirst }) => isFirst);
  expect(first).toEqual([true, false, false, false, true]);
});

test('the same change of several objects by one request is one row; another value, request or action is another', () => {
  const several = (change: NamedChange, count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...change, id: `${change.id}-${index}` }));
  const label = (value: string): NamedChange => ({
    ...changed,
    differences: differencesOf({ action: 'changed', before: {}, after: { custom_labels: { team: value } } }),
  });
  const sizes = (changes: readonly NamedChange[]) => folded(rowsOf(changes)).map((row) => row.changes.length);
  expect(sizes(several(added, 1978))).toEqual([1978]);
  expect(sizes(several(added, 4))).toEqual([1, 1, 1, 1]);
  const removed = several(added, 5).map((one) => ({ ...one, id: `gone-${one.id}`, action: 'removed' as const }));
  expect(sizes([...several(added, 5), ...removed])).toEqual([5, 5]);
  const others = several(label('b'), 5).map((one) => ({ ...one, id: `b-${one.id}` }));
  expect(sizes([...several(label('a'), 6), ...others])).toEqual([6, 5]);
});

test('the CSV contains one row for each object and field, with fields and values as in the API, and no formula', () => {
  const csv = toCsv(rowsOf([changed, added]).map(csvRowOf)).split('\r\n');
  const start = (field: string, values: string) =>
    `n-1,db-1,changed,${field},${values},maria,2026-03-02T09:30:00.000Z,r-1`;
  expect(csv[0]).toBe('kind,id,name,action,field,before,after,last_changed_by,last_changed_at,request_id');
  expect(csv).toContain(`node,${start('services', 'a,a b')}`);
  expect(csv).toContain(`node,${start('custom_labels.team', `,'=1+1`)}`);
  expect(csv).toContain(`node,${start('nested.a', `,"{""b"":1}"`)}`);
  const whole = '"{""agent_type"":""vm_agent"",""listen_port"":1}"';
  expect(csv.filter((row) => row.startsWith('agent,'))).toEqual([
    `agent,a-1,db-1,added,,,${whole},maria,2026-03-02T09:30:00.000Z,r-1`,
  ]);
});

test('a row of several objects is the first of its own, and so is the next row of the object that it begins with', () => {
  const labels = (custom_labels: object): NamedChange => ({
    ...changed,
    differences: differencesOf({ action: 'changed', before: {}, after: { custom_labels } }),
  });
  const first = labels({ a: 'alike', b: 'own', c: 'own', d: 'alike' });
  const others = ['n-2', 'n-3', 'n-4', 'n-5'].map((id) => ({ ...labels({ a: 'alike', d: 'alike' }), id }));
  const shown = folded(rowsOf([first, ...others]));
  expect(shown.map(({ difference, changes, isFirst }) => [difference?.label, changes.length, isFirst])).toEqual([
    ['Label a', 5, true],
    ['Label b', 1, true],
    ['Label c', 1, false],
    ['Label d', 5, true],
  ]);
});

test('the CSV has no caller where the audit has none', () => {
  const { actor: _actor, ...last } = added.last;
  expect(csvRowOf({ key: 'a-1', change: { ...added, last }, difference: undefined }).last_changed_by).toBe('');
});
