import { performanceDocument } from './performance-document.ts';
import { type Measurement, missedTargets, newTargets } from './targets.ts';

const sections = ['cpu', 'floor', 'peer'];

const ratioOf = (name: string, value: number, limit: Measurement['limit'] = { atMost: 2 }): Measurement => ({
  name,
  value,
  limit,
  unit: 'x',
});

const rowsOf = (document: string) => document.split('\n').filter((line) => line.startsWith('| `'));

test('the document has a row for each value with its target and whether it is met', () => {
  const ran = new Map([
    ['floor', [ratioOf('getNode', 1.456), ratioOf('addNode', 2.5)]],
    ['peer', [ratioOf('gets', 0.25, { atLeast: 0.3 }), { ...ratioOf('bytes', 273.1), unit: ' kB' }]],
  ]);
  expect(rowsOf(performanceDocument('', ran, sections))).toEqual([
    '| `floor` | getNode | at most 2x | 1.46x | met |',
    '| `floor` | addNode | at most 2x | 2.50x | **missed** |',
    '| `peer` | gets | at least 0.3x | 0.25x | **missed** |',
    '| `peer` | bytes | at most 2 kB | 273.1 kB | **missed** |',
  ]);
});

test('a run replaces only the rows of its own sections', () => {
  const before = performanceDocument(
    '',
    new Map([
      ['cpu', [ratioOf('a | b', 1.1)]],
      ['floor', [ratioOf('getNode', 1.9), ratioOf('gone', 1.8)]],
    ]),
    sections,
  );
  const after = performanceDocument(before, new Map([['floor', [ratioOf('getNode', 1.5)]]]), sections);
  expect(rowsOf(after)).toEqual([
    '| `cpu` | a \\| b | at most 2x | 1.10x | met |',
    '| `floor` | getNode | at most 2x | 1.50x | met |',
  ]);
});

test('a repetition with the same values changes nothing, and rows have the order of the sections', () => {
  const [cpu, floor] = [[ratioOf('a', 1.1)], [ratioOf('b', 1.2)]];
  const whole = performanceDocument('', new Map(Object.entries({ cpu, floor })), sections);
  expect(performanceDocument(whole, new Map(Object.entries({ cpu })), sections)).toBe(whole);
  const inParts = performanceDocument(
    performanceDocument('', new Map([['floor', floor]]), sections),
    new Map([['cpu', cpu]]),
    sections,
  );
  expect(inParts).toBe(whole);
});

test('a removed section has no rows', () => {
  const before = performanceDocument('', new Map([['cpu', [ratioOf('a', 1.1)]]]), sections);
  expect(rowsOf(performanceDocument(before, new Map(), ['floor']))).toEqual([]);
});

test('a section that ran without targets has no rows', () => {
  const before = performanceDocument('', new Map([['cpu', [ratioOf('a', 1.1)]]]), sections);
  expect(rowsOf(performanceDocument(before, new Map([['cpu', []]]), sections))).toEqual([]);
});

describe('targets', () => {
  test('a value at its limit meets it, one that could not be measured misses it', () => {
    const targets = newTargets();
    expect([
      targets.add({ name: 'a', value: 2, limit: { atMost: 2 } }),
      targets.add({ name: 'b', value: 0.3, limit: { atLeast: 0.3 } }),
      targets.add({ name: 'c', value: Number.NaN, limit: { atMost: 2 } }),
      targets.add({ name: 'd', value: Number.NaN, limit: { atLeast: 2 }, unit: ' kB' }),
    ]).toEqual(['met (<= 2x)', 'met (>= 0.3x)', 'MISSED (<= 2x)', 'MISSED (>= 2 kB)']);
  });

  test('missed targets are listed with their section and object', () => {
    const targets = newTargets();
    targets.add({ name: 'the slowest function', value: 1.2, limit: { atMost: 1.1 }, of: 'addAgent' });
    targets.add({ name: 'another', value: 1, limit: { atMost: 1.1 } });
    expect(missedTargets(new Map([['load', targets.measured]]))).toEqual([
      'load: the slowest function (addAgent): 1.20x, target at most 1.1x',
    ]);
  });

  test('two values of a section cannot have the same name: one row would replace the other', () => {
    const targets = newTargets();
    const target = { name: 'a', value: 1, limit: { atMost: 2 } };
    targets.add(target);
    expect(() => targets.add(target)).toThrow('two values have the name a');
  });
});
