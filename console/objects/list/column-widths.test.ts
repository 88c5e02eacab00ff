import { columnWidths, textWidth } from './column-widths.ts';

const columns = [
  { header: 'Name', textOf: (text: string) => text },
  { header: 'Type', textOf: () => 'generic' },
  { header: 'Runs on', width: 170 },
];

test('a column is as wide as its longest text or its header, or has its own width where texts are loaded later', () => {
  const [name = 0, type = 0, place] = columnWidths(columns, ['db-1', 'iad-crm-db-01-mysql'], 2000);
  expect(name - textWidth('iad-crm-db-01-mysql')).toBe(34);
  expect(type).toBe(Math.max(textWidth('generic') + 34, textWidth('Type') + 54));
  expect(place).toBe(170);
  expect(columnWidths(columns, ['a'], 2000)[0]).toBe(textWidth('Name') + 54);
});

test('a column has room for what stands beside its text', () => {
  const bar = [{ header: 'Health', textOf: (text: string) => text, besideText: 80 }];
  expect(columnWidths(bar, ['12 live, 1 stale'], 2000)).toEqual([textWidth('12 live, 1 stale') + 80 + 34]);
});

test('without room for all texts, the widest columns are cut to one width, but no header', () => {
  const long = 'x'.repeat(250);
  const [name = 0, type, place] = columnWidths(columns, [long], 600);
  expect([type, place]).toEqual(columnWidths(columns, [long], 9000).slice(1));
  expect(name + type! + place!).toBeLessThanOrEqual(600);
  expect(name + type! + place!).toBeGreaterThan(590);
  const narrow = columnWidths(columns, [long], 0);
  expect(narrow).toEqual(columns.map(({ header }) => textWidth(header) + 54));
});

test('a text of narrow letters takes less room than one of wide letters', () => {
  expect(textWidth('illi')).toBeLessThan(textWidth('abcd'));
  expect(textWidth('abcd')).toBeLessThan(textWidth('MWmw'));
});
