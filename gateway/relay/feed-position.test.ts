import { manualClock } from '../../tests/support/manual-clock.ts';
import { FeedPositions } from './feed-position.ts';

const KNOWN_MS = 120_000;

function start() {
  const clock = manualClock();
  return { clock, positions: new FeedPositions(clock) };
}

test('a position has its time and the changes after it, in order', () => {
  const { clock, positions } = start();
  clock.advance(5);
  const first = positions.now();
  positions.add(new Set(['a']));
  const second = positions.now();
  positions.add(new Set(['b', 'c']));
  expect([first, second]).toEqual([
    { at: 5, changes: [new Set(['a']), new Set(['b', 'c'])] },
    { at: 5, changes: [new Set(['b', 'c'])] },
  ]);
});

test.each([
  ['a later change', (positions: FeedPositions) => positions.add(new Set(['a']))],
  ['a later position', (positions: FeedPositions) => void positions.now()],
])('after two minutes %s forgets the changes of a position, but not of a later one', (_, act) => {
  const { clock, positions } = start();
  const first = positions.now();
  clock.advance(1);
  const second = positions.now();
  clock.advance(KNOWN_MS - 2);
  act(positions);
  expect(first.changes).toBeDefined();
  clock.advance(1);
  act(positions);
  expect(first.changes).toBeUndefined();
  expect(second.changes).toBeDefined();
});

test('missed changes make every position unknown, and a later one begins anew', () => {
  const { positions } = start();
  const before = [positions.now(), positions.now()];
  positions.gap();
  const after = positions.now();
  positions.add(new Set(['a']));
  expect(before.map(({ changes }) => changes)).toEqual([undefined, undefined]);
  expect(after.changes).toEqual([new Set(['a'])]);
});
