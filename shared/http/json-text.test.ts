import { newApiKeySecret } from '../auth/api-key-text.ts';
import fc from '../testing/fast-check.ts';
import { wrongInJsonText } from './json-text.ts';

const wrongIn = (json: string) => wrongInJsonText(json, { maxNesting: 4 });
const twice = (field: string) => ({ field, reason: 'duplicate', message: 'Given more than once.' });

test.each([
  ['{"a":1,"a":1}', ['a']],
  ['{"a":1,"b":{"a":1,"c":2,"c":3}}', ['b.c']],
  ['[{"a":1},{"a":1,"a":2}]', ['1.a']],
  ['{"a":[1,{"b":[],"b":{}}],"a":"}"}', ['a.1.b', 'a']],
  ['{"name":1,"n\\u0061me":2}', ['name']],
  ['{"":1,"":2}', ['']],
  ['{"a\\"":1,"a\\"":2}', ['a"']],
])('%s has a name twice', (json, fields) => {
  expect(wrongIn(json)).toEqual(fields.map(twice));
});

test('names for prototypes are refused at every depth, with one wording', () => {
  expect(wrongIn('{"__proto__":1}')).toEqual([
    { field: '__proto__', reason: 'not_allowed', message: 'A field must not be named __proto__.' },
  ]);
  expect(wrongIn('[{"a":{"\\u005f_proto__":1}}]')).toMatchObject([{ field: '0.a.__proto__' }]);
  expect(wrongIn('{"constructor":{"x":1,"prototype":2}}')).toMatchObject([{ field: 'constructor.prototype' }]);
  expect(wrongIn('{"constructor":"__proto__","prototype":1}')).toEqual([]);
});

test('lists and objects count as nesting, at any depth', () => {
  expect(wrongIn('[{"a":[{}]}]')).toEqual([]);
  expect(wrongIn('[{"a":[{"b":[]}]}]')).toMatchObject([{ field: '', reason: 'too_deep' }]);
  expect(wrongIn('['.repeat(500_000) + ']'.repeat(500_000))).toMatchObject([{ reason: 'too_deep' }]);
});

test('output of JSON.stringify has no violation, and a duplicate name has one', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.json(), { minKeys: 1, noNullPrototype: true }), (object) => {
      fc.pre(!Object.hasOwn(object, '__proto__'));
      const json = JSON.stringify(object);
      expect(wrongInJsonText(json, { maxNesting: 1000 })).toEqual([]);
      const [name] = Object.keys(object);
      const again = `${json.slice(0, -1)},${JSON.stringify(name)}:0}`;
      expect(wrongInJsonText(again, { maxNesting: 1000 })).toEqual([twice(name!)]);
    }),
  );
});

test('paths of violations are short, for any names and number of violations', () => {
  const long = 'k'.repeat(100_000);
  const wrong = wrongIn(`{"${long}":{${'"a":1,'.repeat(20_000)}"a":1}}`);
  expect(wrong).toHaveLength(20_000);
  expect(wrong[0]).toEqual(twice(`${'k'.repeat(80)}.a`));
  expect(wrong.reduce((sum, { field }) => sum + field.length, 0)).toBeLessThan(100_000);
});

test('a path contains no key', () => {
  const key = newApiKeySecret((size) => Buffer.alloc(size, 7));
  const [violation] = wrongIn(`{"${key}":{"a":1,"a":2}}`);
  expect(violation).toEqual(twice(`${key.slice(0, 9)}....a`));
});

test.each(['"', '{"a', '{"a\\', '{"a\\"', '{"\\x":1}', '{"\\u00":1,', ']}', '{"a":1}}"'])(
  '%s is read to its end',
  (text) => {
    expect(wrongIn(text)).toEqual([]);
  },
);
