import Papa from 'papaparse';
import fc from '../../../../../shared/testing/fast-check.ts';
import { decoded, readTable } from './table.ts';

const file = (text: string) => readTable(text, 'hosts.csv');

test.each([
  ['a comma', 'a,b\n1,2\n'],
  ['a semicolon', 'a;b\n1;2\n'],
  ['a tab', 'a\tb\n1\t2\n'],
  ['CRLF', 'a,b\r\n1,2\r\n'],
  ['no line break at the end', 'a,b\n1,2'],
  ['a mark of the byte order', '\uFEFFa,b\n1,2\n'],
  ['quotes', '"a","b"\n"1","2"\n'],
])('a table with %s has the same cells', (_, text) => {
  const { head, rows } = file(text);
  expect([head, rows]).toEqual([{ line: 1, cells: ['a', 'b'] }, [{ line: 2, cells: ['1', '2'] }]]);
});

test("commas in cells are text where the header has semicolons, and spreadsheets' sep= line is skipped", () => {
  expect(file('a;b\n1,5;2,5\n').rows[0]?.cells).toEqual(['1,5', '2,5']);
  const { head, rows } = file('sep=;\r\na,b;c\r\n1;2\r\n');
  expect([head, rows]).toEqual([{ line: 2, cells: ['a,b', 'c'] }, [{ line: 3, cells: ['1', '2'] }]]);
});

test('line numbers are those of the file, also after multi-line cells and empty lines', () => {
  const text = 'a,b\n"x\ny",1\n\n,\n"p\r\nq""r",2\nlast,3\n';
  expect(file(text).rows).toEqual([
    { line: 2, cells: ['x\ny', '1'] },
    { line: 6, cells: ['p\r\nq"r', '2'] },
    { line: 8, cells: ['last', '3'] },
  ]);
});

test.each([
  ['a,b\n1,"2\n3,4\n', /^hosts\.csv:\d+ .*[Qq]uote/],
  ['a,b\nx,"1"2\n', /^hosts\.csv:2 .*[Qq]uote/],
  ['a,b\n1,2\n1,2,3\n4,5,6\n', /^hosts\.csv:3:3 .*more cells.*\nhosts\.csv:4:3 /],
  ['', /^hosts\.csv is empty/],
  ['\n\n', /^hosts\.csv is empty/],
])('%j names the lines that are wrong', (text, message) => {
  expect(() => file(text)).toThrow(expect.objectContaining({ exit: 'usage', message: expect.stringMatching(message) }));
});

test('lines may have fewer cells than the header, or more empty ones', () => {
  expect(file('a,b,c\n1\n1,2,3,,\n').rows.map(({ cells }) => cells)).toEqual([['1'], ['1', '2', '3', '', '']]);
});

test('a table of another program keeps its form, also in rewritten rows', () => {
  const unit = fc.constantFrom('a', ',', ';', '"', '\n', ' ', '\t', 'é', "'");
  const row = fc
    .array(fc.string({ unit, maxLength: 5 }), { minLength: 2, maxLength: 2 })
    .filter((cells) => cells.join('').trim() !== '');
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), fc.constantFrom(',', ';', '\t'), (rows, delimiter) => {
      const table = file(Papa.unparse([['x', 'y'], ...rows], { delimiter, newline: '\n' }));
      expect(table.rows.map(({ cells }) => cells)).toEqual(rows);
      expect(file(table.written(table.rows)).rows.map(({ cells }) => cells)).toEqual(rows);
    }),
  );
});

test('a file in UTF-8 or UTF-16 is text, one in another encoding is refused', () => {
  expect(decoded(Buffer.from('\uFEFFé'), 'x')).toBe('é');
  expect(decoded(Buffer.from('\uFEFFé', 'utf16le'), 'x')).toBe('é');
  expect(() => decoded(Buffer.from([0x61, 0xe9]), 'hosts.csv')).toThrow('hosts.csv is not in UTF-8');
});
