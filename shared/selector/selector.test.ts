import fc from '../testing/fast-check.ts';
import { characters } from '../core/text.ts';
import { matchesSelector } from './matches-selector.ts';
import { MAX_REQUIREMENTS, MAX_SELECTOR, MAX_VALUES, parseSelector, SelectorError } from './parse-selector.ts';
import { printSelector } from './print-selector.ts';
import type { Requirement } from './requirement.ts';

const label = fc.oneof(
  fc.constantFrom('a', 'b', 'in', 'notin', '_', 'constructor', 'toString'),
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/),
);
const value = fc.oneof(
  fc.constantFrom('', 'x', 'y', 'in', '"', '\\', '\\"', ',', ' ', '(', ')', '!', '#', 'a=b', '\n', '\u{1f600}'),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const requirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({ label, operator: fc.constantFrom('exists', 'absent') }),
  fc.record({
    label,
    operator: fc.constantFrom('in', 'notin'),
    values: fc
      .array(value, { minLength: 1, maxLength: 5 })
      .map((all): [string, ...string[]] => [all[0]!, ...all.slice(1)]),
  }),
);
const selector = fc.array(requirement, { minLength: 1, maxLength: 6 });

/** The error of an invalid selector; undefined for a valid one. */
function errorOf(text: string): SelectorError | undefined {
  try {
    parseSelector(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return error;
  }
}

const is = (name: string, operator: 'in' | 'notin', ...values: [string, ...string[]]) => ({
  label: name,
  operator,
  values,
});

test.each<[string, Requirement[]]>([
  ['env=prod', [is('env', 'in', 'prod')]],
  ['env==prod', [is('env', 'in', 'prod')]],
  ['env!=prod', [is('env', 'notin', 'prod')]],
  ['tier in (gold,silver)', [is('tier', 'in', 'gold', 'silver')]],
  ['tier notin (gold)', [is('tier', 'notin', 'gold')]],
  ['tier in(gold)', [is('tier', 'in', 'gold')]],
  ['legacy', [{ label: 'legacy', operator: 'exists' }]],
  ['!legacy', [{ label: 'legacy', operator: 'absent' }]],
  ['! x', [{ label: 'x', operator: 'absent' }]],
  [
    ' env = prod ,\ttier in ( gold , silver ) , ! legacy ',
    [is('env', 'in', 'prod'), is('tier', 'in', 'gold', 'silver'), { label: 'legacy', operator: 'absent' }],
  ],
  ['version=8.0.36-28/ga:1', [is('version', 'in', '8.0.36-28/ga:1')]],
  ['owner="Jane \\"JD\\" Doe, \\\\ team"', [is('owner', 'in', 'Jane "JD" Doe, \\ team')]],
  ['owner=""', [is('owner', 'in', '')]],
  ['in in (in)', [is('in', 'in', 'in')]],
  [
    'in,notin',
    [
      { label: 'in', operator: 'exists' },
      { label: 'notin', operator: 'exists' },
    ],
  ],
])('%s', (text, requirements) => {
  expect(parseSelector(text)).toEqual(requirements);
});

test.each<[string, number, RegExp]>([
  ['', 1, /expected a label name/],
  ['   ', 4, /expected a label name/],
  ['1a=b', 1, /expected a label name/],
  ['env=', 5, /expected a value/],
  ['env=,tier=gold', 5, /expected a value/],
  ['env=prod,', 10, /expected a label name/],
  ['env=prod tier=gold', 10, /expected a comma or the end/],
  ['env prod', 5, /expected =, ==, !=, in, notin, a comma or the end/],
  ['env.name=prod', 4, /expected =, ==, !=, in, notin, a comma or the end/],
  ['env=pr\u00f6d', 7, /expected a comma or the end/],
  ['\u{1f600}=x', 1, /expected a label name/],
  ['a="\u{1f600}" ?', 7, /expected a comma or the end/],
  ['tier in gold', 9, /expected \( and a list/],
  ['tier in ()', 10, /expected a value/],
  ['tier in (gold,)', 15, /expected a value/],
  ['tier in (gold silver)', 15, /expected a comma and another value, or \)/],
  ['tier in (gold', 14, /expected a comma and another value, or \)/],
  ['tier IN (gold)', 6, /expected =, ==/],
  ['owner="Jane', 12, /expected " at the end/],
  ['owner="Jane\\n"', 13, /expected " or \\ after \\/],
  ['owner="Jane\\', 13, /expected " or \\ after \\/],
  ['!', 2, /expected a label name/],
  ['!a=b', 3, /expected a comma or the end/],
  ['a=b;c=d', 4, /expected a comma or the end/],
  [`${'a'.repeat(129)}=b`, 1, /at most 128/],
  ['x'.repeat(MAX_SELECTOR + 1), MAX_SELECTOR + 1, /at most 2000 characters/],
  [
    `a in (${Array(MAX_VALUES + 1)
      .fill('b')
      .join()})`,
    7 + 2 * MAX_VALUES,
    /at most 50 values/,
  ],
  [
    Array(MAX_REQUIREMENTS + 1)
      .fill('a')
      .join(),
    1 + 2 * MAX_REQUIREMENTS,
    /at most 20 requirements/,
  ],
])('%j is refused at character %i', (text, position, message) => {
  const error = errorOf(text);
  expect(error?.position).toBe(position);
  expect(error?.message).toMatch(message);
  expect(error?.message).toContain(`At character ${position}: `);
});

test('a selector may reach all limits', () => {
  expect(parseSelector(`a in (${Array(MAX_VALUES).fill('b').join()})`)).toHaveLength(1);
  expect(parseSelector(`${'a'.repeat(128)}=b`)).toMatchObject([{ label: 'a'.repeat(128) }]);
  expect([MAX_SELECTOR, MAX_REQUIREMENTS, MAX_VALUES]).toEqual([2000, 20, 50]);
  expect(parseSelector(Array(MAX_REQUIREMENTS).fill('a').join())).toHaveLength(MAX_REQUIREMENTS);
  expect(parseSelector(`a="${'\u{1f600}'.repeat(MAX_SELECTOR - 4)}"`)).toHaveLength(1);
});

test('a printed selector parses to the same value', () => {
  fc.assert(
    fc.property(selector, (requirements) => expect(parseSelector(printSelector(requirements))).toEqual(requirements)),
  );
});

test('printed text is canonical: parsing and printing it again changes nothing', () => {
  fc.assert(
    fc.property(selector, (requirements) => {
      const text = printSelector(requirements);
      expect(printSelector(parseSelector(text))).toBe(text);
    }),
  );
});

test('space around tokens is ignored', () => {
  const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
  fc.assert(
    fc.property(selector, fc.infiniteStream(space), (requirements, spaces) => {
      const gap = (): string => spaces.next().value;
      const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
      const spaced = requirements.map((requirement) => {
        if (requirement.operator === 'exists') return requirement.label;
        if (requirement.operator === 'absent') return `!${gap()}${requirement.label}`;
        const values = requirement.values.map((text) => gap() + quoted(text) + gap()).join(',');
        return `${requirement.label} ${gap()}${requirement.operator}${gap()}(${values})`;
      });
      const text = spaced.map((term) => gap() + term + gap()).join(',');
      fc.pre(characters(text) <= MAX_SELECTOR);
      expect(parseSelector(text)).toEqual(requirements);
    }),
  );
});

test('any text parses or is refused at one of its places', () => {
  const tokens = fc
    .array(fc.oneof(fc.constantFrom('a', 'in', 'notin', '=', '==', '!=', '!', '(', ')', ',', '"', '\\', ' '), value))
    .map((all) => all.join(''));
  fc.assert(
    fc.property(fc.oneof(tokens, fc.string({ unit: 'binary' })), (text) => {
      const error = errorOf(text);
      if (error === undefined) return;
      expect(error.position).toBeGreaterThanOrEqual(1);
      expect(error.position).toBeLessThanOrEqual(characters(text) + 1);
    }),
    { numRuns: 1000 },
  );
});

test('a selector with a changed, removed or added character parses or is refused at one of its places', () => {
  const character = fc.oneof(
    fc.constantFrom('"', '\\', '(', ')', ',', '=', '!', ' ', 'a'),
    fc.string({ minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(
      selector,
      fc.nat(),
      fc.constantFrom(0, 1),
      fc.constantFrom('', 'put'),
      character,
      (requirements, at, cut, put, other) => {
        const text = Array.from(printSelector(requirements));
        const index = at % (text.length + 1);
        const mutated = [...text.slice(0, index), put === '' ? '' : other, ...text.slice(index + cut)].join('');
        const error = errorOf(mutated);
        if (error === undefined) return;
        expect(error.position).toBeGreaterThanOrEqual(1);
        expect(error.position).toBeLessThanOrEqual(characters(mutated) + 1);
      },
    ),
    { numRuns: 1000 },
  );
});

test('an object matches as an independent evaluation of the requirements says', () => {
  const labels = fc.dictionary(fc.constantFrom('a', 'b', 'in', 'constructor'), fc.constantFrom('', 'x', 'y'));
  const few = fc.constantFrom('', 'x', 'y', 'z');
  const about = fc.constantFrom('a', 'b', 'in', 'constructor', 'toString');
  const required = fc.oneof(
    fc.record({ label: about, operator: fc.constantFrom('exists' as const, 'absent' as const) }),
    fc.record({ label: about, operator: fc.constantFrom('in' as const, 'notin' as const), values: fc.tuple(few, few) }),
  );
  // Evaluates the text word by word instead of by requirement, without code or structures of the implementation.
  const oracle = (text: string, has: Map<string, string>): boolean =>
    text.split('&').every((term) => {
      const [name = '', operator, ...values] = term.split('|');
      const value = has.get(name);
      const isOneOf = value !== undefined && values.some((candidate) => candidate === value);
      if (operator === 'exists') return has.has(name);
      if (operator === 'absent') return !has.has(name);
      return operator === 'in' ? isOneOf : !isOneOf;
    });
  fc.assert(
    fc.property(fc.array(required, { minLength: 1, maxLength: 4 }), labels, (requirements, object) => {
      const has = new Map(Object.entries(object));
      const spelled = requirements
        .map((requirement) =>
          [requirement.label, requirement.operator, ...('values' in requirement ? requirement.values : [])].join('|'),
        )
        .join('&');
      expect(matchesSelector(requirements, (name) => has.get(name))).toBe(oracle(spelled, has));
    }),
    { numRuns: 1000 },
  );
});

test('the work grows linearly with the text', () => {
  // Counted rather than timed: how often a character of the text is read.
  const looks = (text: string) => {
    let count = 0;
    const original = Object.getOwnPropertyDescriptor(String.prototype, 'charAt')!;
    const counted = function (this: string, index: number): string {
      count += 1;
      return original.value.call(this, index);
    };
    Object.defineProperty(String.prototype, 'charAt', { ...original, value: counted });
    try {
      errorOf(text);
    } finally {
      Object.defineProperty(String.prototype, 'charAt', original);
    }
    return count;
  };
  const shapes = [
    (length: number) => 'a'.repeat(length),
    (length: number) => `a="${'\\\\'.repeat(length / 2)}`,
    (length: number) => `a in (${'b'.repeat(length)}`,
    (length: number) => `${' '.repeat(length)}?`,
    (length: number) => `a in (${'"(",'.repeat(length / 4)}`,
  ];
  for (const shape of shapes) expect(looks(shape(1600))).toBeLessThanOrEqual(3 * looks(shape(800)) + 20);
  for (const shape of shapes) {
    expect(looks(shape(1600))).toBeGreaterThan(50);
    expect(looks(shape(1600))).toBeLessThanOrEqual(6 * 1600);
  }
});
