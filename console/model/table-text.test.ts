import Papa from 'papaparse';
import fc from '../../shared/testing/fast-check.ts';
import { toCsv } from './table-text.ts';

const rowsOf = (csv: string) => Papa.parse<Record<string, string>>(csv.trimEnd(), { header: true }).data;

test('fields, groups and lists are columns; an absent field is empty', () => {
  const csv = toCsv([
    { node_id: '1', custom_labels: { team: 'shop' }, port: 1, disabled: false },
    { node_id: '2', custom_labels: {}, insights: { node_ids: ['a', 'b'] } },
  ]);
  expect(csv).toBe('node_id,custom_labels.team,port,disabled,insights.node_ids\r\n1,shop,1,false,\r\n2,,,,a b\r\n');
});

test('a value that a spreadsheet would execute begins with an apostrophe', () => {
  expect(toCsv([{ a: '=1+1', b: '@x', c: '-1' }])).toBe(`a,b,c\r\n'=1+1,'@x,-1\r\n`);
});

test('every other text is read back unchanged', () => {
  const text = fc.string({ minLength: 1, unit: fc.constantFrom('a', ',', '"', '\n', ';', 'é', ' ') });
  fc.assert(
    fc.property(fc.array(fc.record({ one: text, two: text }), { minLength: 1 }), (rows) => {
      const read = Papa.parse<Record<string, string>>(toCsv(rows).slice(0, -2), { header: true }).data;
      expect(read).toEqual(rows);
    }),
  );
  expect(rowsOf(toCsv([{ a: 'x' }]))).toEqual([{ a: 'x' }]);
});
