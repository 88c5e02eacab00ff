import { differencesOf } from '../model/differences.ts';
import { toCsv } from '../model/table-text.ts';
import { csvRowOf, inGroups, rowsOf } from './comparison-rows.ts';
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
const added: NamedChange = { ...changed, kind: 'agent', id: 'a-1', action: 'added' };

test('each field of each object has a row, except excluded ones', () => {
  const fields = (filter: object) => rowsOf([changed, added], filter).map(({ key }) => key);
  expect(fields({})).toHaveLength(8);
  expect(fields({ kind: 'agent' })).toEqual(expect.arrayContaining(['a-1 services']));
  expect(fields({ kind: 'agent' })).toHaveLength(4);
  const first = inGroups(rowsOf([changed, added])).map(({ isFirst }) => isFirst);
  expect(first).toEqual([true, false, false, false, true, false, false, false]);
  expect(fields({ kind: 'node', field: 'Label team' })).toEqual(['n-1 custom_labels.team']);
  expect(fields({ field: 'No such field' })).toEqual([]);
});

test("the CSV contains the API's fields and values, and no formula", () => {
  const csv = toCsv(rowsOf([changed]).map(csvRowOf)).split('\r\n');
  const start = (field: string, values: string) =>
    `n-1,db-1,changed,${field},${values},maria,2026-03-02T09:30:00.000Z,r-1`;
  expect(csv[0]).toBe('kind,id,name,action,field,before,after,last_changed_by,last_changed_at,request_id');
  expect(csv).toContain(`node,${start('services', 'a,a b')}`);
  expect(csv).toContain(`node,${start('custom_labels.team', `,'=1+1`)}`);
  expect(csv).toContain(`node,${start('nested.a', `,"{""b"":1}"`)}`);
});
