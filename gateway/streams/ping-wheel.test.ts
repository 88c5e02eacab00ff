import { manualClock } from '../../tests/support/manual-clock.ts';
import { PingWheel } from './ping-wheel.ts';

const TURN_MS = 30_000;

function start() {
  const clock = manualClock();
  const visits: { member: number; at: number }[] = [];
  const wheel = new PingWheel<number>(clock, TURN_MS, (member) => visits.push({ member, at: clock.now() }));
  return { clock, visits, wheel };
}

test('each member is visited once a turn, evenly spread', () => {
  const { clock, visits, wheel } = start();
  for (let member = 0; member < 100; member += 1) wheel.add(member);
  clock.advance(TURN_MS);
  expect(visits.map(({ member }) => member).sort((left, right) => left - right)).toEqual([...Array(100).keys()]);
  const times = [...new Set(visits.map(({ at }) => at))];
  // Two in each of fifty slots.
  expect(times).toEqual(Array.from({ length: 50 }, (_, slot) => (slot + 1) * 600));
  clock.advance(2 * TURN_MS);
  expect(visits.filter(({ member }) => member === 7)).toHaveLength(3);
});

test('a removed member is not visited any more, and the others are', () => {
  const { clock, visits, wheel } = start();
  wheel.add(1);
  wheel.add(2);
  wheel.remove(1);
  clock.advance(TURN_MS);
  expect(visits.map(({ member }) => member)).toEqual([2]);
});

test('a wheel without members has no timer, and turns again with the next one', async () => {
  const { clock, visits, wheel } = start();
  wheel.add(1);
  wheel.remove(1);
  let isWaiting = false;
  void clock.untilWaiting(TURN_MS).then(() => (isWaiting = true));
  await clock.pass(TURN_MS);
  expect(isWaiting).toBe(false);
  wheel.add(2);
  clock.advance(TURN_MS);
  expect(visits.map(({ member }) => member)).toEqual([2]);
  wheel.stop();
  clock.advance(TURN_MS);
  expect(visits).toHaveLength(1);
});
