import fc from '../testing/fast-check.ts';
import { faultIn, wrongPlace } from './json-fault.ts';

test.each([
  ['', 0],
  [' \n', 2],
  ['{', 1],
  ['{"a"', 4],
  ['{"a":1,}', 7],
  ['[1,]', 3],
  ['[,]', 1],
  ['{,}', 1],
  ['{]', 1],
  ['[}', 1],
  [']', 0],
  ['{}{}', 2],
  ['1,2', 1],
  ['{"a" 1}', 5],
  ['{1:2}', 1],
  ["{'a':1}", 1],
  ['{"a":tru}', 5],
  ['{"a":True}', 5],
  ['[01]', 2],
  ['[-]', 1],
  ['["\\x"]', 2],
  ['["a\nb"]', 3],
  ['["\\u00zz"]', 2],
  ['"a', 2],
  ['{"a":1 /* b */}', 7],
  ['[NaN]', 1],
  ['{"a":1}\u{feff}', 7],
  ['[\u{a0}1]', 1],
])('%j stops being JSON at %d', (json, at) => {
  expect(() => JSON.parse(json)).toThrow(SyntaxError);
  expect(faultIn(json)).toBe(at);
});

test('truncated text ends too early, and an invalid sign is found at its place', () => {
  const cut = fc.tuple(fc.json(), fc.nat());
  fc.assert(
    fc.property(cut, ([inner, seed]) => {
      const json = `{"a":[${inner}, true],"b":"\\u00e9"}`;
      const at = seed % json.length;
      const ended = json.slice(0, at);
      expect(json.slice(faultIn(ended), at)).toMatch(
        /^(t|tr|tru|f|fa|fal|fals|n|nu|nul|-|[\d.e+-]*|\\(u[\da-f]{0,3})?)$/,
      );
      const fault = faultIn(`${json.slice(0, at)}\u0000${json.slice(at)}`);
      expect(json.slice(fault, at)).toMatch(/^([a-z]{0,4}|-|[\d.]*(e[+-]?)?|\\(u[\da-f]{0,3})?)$/);
      expect(fault).toBeLessThanOrEqual(at);
    }),
  );
});

test('where the engine names a position, it is that one, or in the same word', () => {
  const soup = fc.string({ unit: fc.constantFrom(...'{}[],:"\\ \n0-1.etrufalsn'.split('')), maxLength: 12 });
  let named = 0;
  fc.assert(
    fc.property(soup, (json) => {
      let message = '';
      try {
        JSON.parse(json);
      } catch (error) {
        message = String(error);
      }
      const [, position] = / at position (\d+)/.exec(message) ?? [];
      if (position === undefined) return;
      named += 1;
      expect(json.slice(faultIn(json), Number(position))).toMatch(/^[\\a-z\d.+-]*$/);
    }),
    { numRuns: 5000 },
  );
  expect(named).toBeGreaterThan(100);
});

test('the place is a line and a column in characters, without the content', () => {
  expect(wrongPlace('{\n  "é😀": 1,\n  "b": secret\n}')).toBe('line 3, column 8');
  expect(wrongPlace('{"😀" 1}')).toBe('line 1, column 6');
  expect(wrongPlace('{"a":\r\n')).toBe('it ends too early, at line 2, column 1');
  expect(wrongPlace('')).toBe('it ends too early, at line 1, column 1');
});

test('a megabyte is read in one pass, at any depth and length', () => {
  expect(faultIn('['.repeat(1_000_000))).toBe(1_000_000);
  expect(faultIn(`"${'a'.repeat(1_000_000)}`)).toBe(1_000_001);
  expect(faultIn(`"${'\\n'.repeat(500_000)}`)).toBe(1_000_001);
  expect(faultIn(`[${'1,'.repeat(500_000)}`)).toBe(1_000_001);
});
