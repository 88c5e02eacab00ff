import { linesToList, toLines } from './lines.ts';

test('values become lines and back, with line breaks in values escaped', () => {
  const values = [{ a: 'x\ny' }, 1, null];
  const text = toLines(values);
  expect(text).toBe('{"a":"x\\ny"}\n1\nnull\n');
  expect(JSON.parse(linesToList(text))).toEqual(values);
  expect([toLines([]), linesToList('\n \n')]).toEqual(['', '[]']);
});

test('each malformed line has its index without blank lines, and its line and column in the body', () => {
  const refused = {
    kind: 'invalidArgument',
    details: [
      { field: '0', message: 'Line 1 of the body is not valid JSON: it ends too early, at column 2.' },
      { field: '2', message: 'Line 4 of the body is not valid JSON: column 3.' },
    ],
  };
  expect(() => linesToList('{\n\n1\n1 2\n')).toThrow(expect.objectContaining({ kind: refused.kind }));
  try {
    linesToList('{\n\n1\n1 2\n');
  } catch (error) {
    expect(error).toMatchObject(refused);
  }
});
