import fc from '../../shared/testing/fast-check.ts';
import { runInOrder, type Task } from './scheduler.ts';

const conflictKeys = fc.oneof(
  { weight: 6, arbitrary: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant('everything' as const) },
);

const collide = (left: Task<unknown>['conflictKeys'], right: Task<unknown>['conflictKeys']) =>
  left === 'everything' || right === 'everything' || left.some((name) => right.includes(name));

test('tasks with a common key run one after the other in their order, and their number at once is limited', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(conflictKeys, fc.nat(3)), { maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      async (given, atOnce) => {
        const began: number[] = [];
        const ended: number[] = [];
        let running = 0;
        let most = 0;
        const tasks = given.map(([keys, ticks], index) => ({
          conflictKeys: keys,
          run: async () => {
            // All earlier tasks with a common conflict key have ended.
            for (const [before, [other]] of given.slice(0, index).entries())
              if (collide(other, keys)) expect(ended).toContain(before);
            began.push(index);
            running += 1;
            most = Math.max(most, running);
            for (let tick = 0; tick < ticks; tick += 1) await new Promise(setImmediate);
            running -= 1;
            ended.push(index);
            return index;
          },
        }));
        expect(await runInOrder(tasks, atOnce)).toEqual(given.map((_, index) => index));
        expect(began).toHaveLength(given.length);
        expect(most).toBeLessThanOrEqual(atOnce);
      },
    ),
  );
});

test('tasks without a common key run at the same time', async () => {
  let arrived = 0;
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const run = async () => {
    arrived += 1;
    if (arrived === 3) open();
    await gate;
  };
  await runInOrder(
    ['a', 'b', 'c'].map((name) => ({ conflictKeys: [name], run })),
    3,
  );
  expect(arrived).toBe(3);
});
