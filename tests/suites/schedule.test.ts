import fc from '../../shared/testing/fast-check.ts';
import { startable } from './schedule.ts';
import { suites } from './suites.ts';

const machine = { processors: 2, memoryMb: 8000 };
const suite = (processors: number, memoryMb = 100, alone?: true) => ({
  needs: { processors, memoryMb, ...(alone && { alone }) },
});

test('suites start as far as processors and memory last', () => {
  const [first, two, large] = [suite(1), suite(1), suite(1, 9000)];
  expect(startable([first, two, suite(1)], [], machine)).toEqual([first, two]);
  expect(startable([large, first], [two], machine)).toEqual([first]);
  expect(startable([large, first], [], machine)).toEqual([large]);
});

test('a suite that needs the machine alone waits for others, and they wait for it', () => {
  const alone = suite(1, 100, true);
  expect(startable([alone], [suite(1)], machine)).toEqual([]);
  expect(startable([suite(1)], [alone], machine)).toEqual([]);
  expect(startable([alone, suite(1)], [], machine)).toEqual([alone]);
});

test('every suite starts in the end on any machine, and none needs more than the machine has', () => {
  const machines = fc.record({
    processors: fc.integer({ min: 1, max: 8 }),
    memoryMb: fc.integer({ min: 1000, max: 64_000 }),
  });
  fc.assert(
    fc.property(machines, (some) => {
      let waiting = [...suites];
      let running: (typeof suites)[number][] = [];
      while (waiting.length > 0) {
        running.push(...startable(waiting, running, some));
        waiting = waiting.filter((candidate) => !running.includes(candidate));
        if (running.length > 1) {
          expect(running.reduce((sum, { needs }) => sum + needs.processors, 0)).toBeLessThanOrEqual(some.processors);
          expect(running.some(({ needs }) => needs.alone)).toBe(false);
        }
        expect(running.length).toBeGreaterThan(0);
        running = running.slice(1); // the first one ends
      }
    }),
  );
});
