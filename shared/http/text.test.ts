import fc from '../testing/fast-check.ts';
import * as z from 'zod/mini';
import { characters, text } from './text.ts';

const short = text({ max: 5 });
const takes = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success;

test('length is counted in code points, and kept in bytes where it has to be', () => {
  expect(takes(short, '\u{1F600}'.repeat(5))).toBe(true);
  expect(takes(short, 'x'.repeat(6))).toBe(false);
  expect(takes(text({ max: 5, maxBytes: 8 }), '\u{1F600}\u{1F600}')).toBe(true);
  expect(takes(text({ max: 5, maxBytes: 7 }), '\u{1F600}\u{1F600}')).toBe(false);
});

test('empty only where it is meant', () => {
  expect([takes(short, ''), takes(text({ min: 0, max: 5 }), '')]).toEqual([false, true]);
});

test('no control character, whichever', () => {
  for (let code = 0; code < 0xa0; code += 1)
    expect(takes(short, `a${String.fromCodePoint(code)}`)).toBe(code >= 0x20 && (code < 0x7f || code > 0x9f));
});

test('joiners of emoji and Persian are text', () => {
  expect(takes(text({ max: 20 }), '\u{1F468}\u200d\u{1F469} \u0645\u06cc\u200c\u062e')).toBe(true);
});

test.each(['mysql://root:pw@db', 'https://u:@h/x', 'a://b:c@d'])('%s holds credentials', (value) => {
  expect(takes(text({ max: 100 }), value)).toBe(false);
});

test.each(['https://host:8443/x', 'user@host', '::1', '/var/run/mysqld.sock', 'a:b@c'])('%s does not', (value) => {
  expect(takes(text({ max: 100 }), value)).toBe(true);
});

test('what is taken stays exactly as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }), (value) => {
      fc.pre(takes(short, value));
      expect(z.parse(short, value)).toBe(value);
      expect(characters(value)).toBe(Array.from(value).length);
    }),
  );
});
