import fc from '../testing/fast-check.ts';
import * as z from 'zod/mini';
import { characters, isLegible, text } from './text.ts';

const short = text({ max: 5 });
const takes = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success;

test('length is counted in code points, or in bytes where required', () => {
  expect(takes(short, '\u{1F600}'.repeat(5))).toBe(true);
  expect(takes(short, 'x'.repeat(6))).toBe(false);
  expect(takes(text({ max: 5, maxBytes: 8 }), '\u{1F600}\u{1F600}')).toBe(true);
  expect(takes(text({ max: 5, maxBytes: 7 }), '\u{1F600}\u{1F600}')).toBe(false);
});

test('text may be empty only where permitted', () => {
  expect([takes(short, ''), takes(text({ min: 0, max: 5 }), '')]).toEqual([false, true]);
});

test('text contains no control character', () => {
  for (let code = 0; code < 0xa0; code += 1)
    expect(takes(short, `a${String.fromCodePoint(code)}`)).toBe(code >= 0x20 && (code < 0x7f || code > 0x9f));
});

test('joiners of emoji and Persian are permitted', () => {
  expect(takes(text({ max: 20 }), '\u{1F468}\u200d\u{1F469} \u0645\u06cc\u200c\u062e')).toBe(true);
});

test.each(['mysql://root:pw@db', 'https://u:@h/x', 'a://b:c@d'])('%s contains credentials', (value) => {
  expect(takes(text({ max: 100 }), value)).toBe(false);
});

test.each(['https://host:8443/x', 'user@host', '::1', '/var/run/mysqld.sock', 'a:b@c'])(
  '%s contains no credentials',
  (value) => {
    expect(takes(text({ max: 100 }), value)).toBe(true);
  },
);

test('accepted text is unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }), (value) => {
      fc.pre(takes(short, value));
      expect(z.parse(short, value)).toBe(value);
      expect(characters(value)).toBe(Array.from(value).length);
    }),
  );
});

describe('a name', () => {
  const name = text({ max: 40 }).check(isLegible());

  test.each([
    ...[
      'reg-2',
      'a b',
      'b\u00fccher',
      '\u4e2d\u6587',
      '\u0645\u06cc\u062e\u0648\u0627\u0647\u0645',
      '\u00e9',
      'x\u0301',
      '~',
    ],
    // Emoji: of one code point, with a presentation, joined, with a skin colour, a flag, a keycap, a flag of tags.
    ...['\u{1f600}', '\u2764\ufe0f', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u{1f44d}\u{1f3fd}'],
    ...['\u{1f1e9}\u{1f1ea}', '1\ufe0f\u20e3', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} x'],
  ])('%j is legible', (value) => {
    expect(takes(name, value)).toBe(true);
  });

  test.each([
    ...['\u00ad', '\u034f', '\u061c', '\u115f', '\u17b4', '\u180b', '\u200b', '\u200c', '\u200d', '\u2060', '\u3164'],
    ...['\ufe00', '\ufe0f', '\ufeff', '\uffa0', '\u{1bca0}', '\u{1d173}', '\u{e0001}', '\u{e0067}', '\u{e0100}'],
    ...['\ufff9', '\ufffa', '\ufffb', '\u00a0', '\u1680', '\u2003', '\u202f', '\u205f', '\u2800', '\u3000'],
    ...['\ufdd0', '\ufffe', '\uffff', '\u{1fffe}', '\u{10ffff}'],
  ])('%j inside a name is refused', (invisible) => {
    for (const value of [
      `reg${invisible}-2`,
      `${invisible}reg-2`,
      `reg-2${invisible}`,
      `\u{1f600}${invisible}${invisible}`,
    ])
      expect([value, takes(name, value)]).toEqual([value, false]);
  });

  const messageOf = (value: string) => z.safeParse(name, value).error?.issues[0]?.message;

  test.each([
    ['e\u0301', '(NFC): write U+00E9 instead of U+0065 U+0301 (character 1).'],
    ['a\u{1f600}\u1112\u1161\u11ab', '(NFC): write U+D55C instead of U+1112 U+1161 U+11AB (character 3).'],
    ['\u2126', '(NFC): write U+03A9 instead of U+2126 (character 1).'],
    ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}x\u00ad', 'those of an emoji: U+00AD (character 7).'],
    ['db\u00a01', 'blanks other than the space (U+0020): U+00A0 (character 3).'],
    ['db\u{e0100}', 'except those of an emoji: U+E0100 (character 3).'],
    ['db ', 'white space: U+0020 (character 3).'],
  ])('the message about %j names the code point and its position', (value, message) => {
    expect(messageOf(value)).toEqual(expect.stringContaining(message));
  });

  test('an accepted name has no other canonically equivalent form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), (value) => {
        const [composed, decomposed] = [value.normalize('NFC'), value.normalize('NFD')];
        if (composed !== decomposed) expect(takes(name, decomposed)).toBe(false);
        expect([value, takes(name, value) && value !== composed]).toEqual([value, false]);
      }),
    );
  });

  test.each([' ', '\u00a0', '\u1680', '\u2003', '\u202f', '\u3000', '\t', '\u2028'])(
    '%j around a name is refused',
    (space) => {
      for (const value of [`${space}a`, `a${space}`, space])
        expect([value, takes(name, value)]).toEqual([value, false]);
    },
  );
});

test('malformed Unicode is refused as such', () => {
  const { error } = z.safeParse(text({ max: 9 }), 'a\ud800');
  expect(error?.issues.map(({ message }) => message)).toEqual(['Must be well-formed Unicode text.']);
});
