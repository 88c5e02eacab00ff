import { linesToList, toLines } from './lines.ts';

test('values become lines and back; line breaks within values are escaped', () => {
  const values = [{ a: 'x\ny' }, 1, null];
  const text = toLines(values);
  expect(text).toBe('{"a":"x\\ny"}\n1\nnull\n');
  expect(JSON.parse(linesToList(text))).toEqual(values);
  expect([toLines([]), linesToList('\n \n')]).toEqual(['', '[]']);
});

test('each line that is no JSON is reported by its number, without blank lines', () => {
  const refused = { kind: 'invalidArgument', details: [{ field: '0' }, { field: '2' }] };
  expect(() => linesToList('{\n\n1\n1 2\n')).toThrow(expect.objectContaining({ kind: refused.kind }));
  try {
    linesToList('{\n\n1\n1 2\n');
  } catch (error) {
    expect(error).toMatchObject(refused);
  }
});
