import { createBatchingCounter } from './batching-counter.ts';

interface Event {
  kind: string;
  detail?: string;
}

const newCounter = () =>
  createBatchingCounter<Event>(
    ({ kind, detail = '' }) => `${kind} ${detail}`,
    ({ kind }) => ({ kind }),
  );

const a: Event = { kind: 'a', detail: '1' };

test('a rare event is due at once', () => {
  const counter = newCounter();
  expect(counter.isWaiting()).toBe(false);
  counter.add(a, 100);
  expect(counter.isWaiting()).toBe(true);
  expect(counter.due(0)).toEqual([{ of: a, count: 1, first: 100, last: 100 }]);
  expect([counter.isWaiting(), counter.due(0)]).toEqual([false, []]);
});

test('equal events are counted together, with the first and the last time', () => {
  const counter = newCounter();
  for (const time of [102, 100, 101]) counter.add(a, time);
  counter.add({ kind: 'a', detail: '2' }, 103);
  expect(counter.due(0)).toEqual([
    { of: a, count: 3, first: 100, last: 102 },
    { of: { kind: 'a', detail: '2' }, count: 1, first: 103, last: 103 },
  ]);
});

test('an event of one kind is written at most once a second', () => {
  const counter = newCounter();
  counter.add(a, 0);
  counter.due(0);
  counter.add(a, 1);
  expect(counter.due(999)).toEqual([]);
  expect(counter.due(1000)).toMatchObject([{ count: 1, first: 1 }]);
});

test('ten kinds are written at once, then one a second, oldest first', () => {
  const counter = newCounter();
  for (let index = 0; index < 13; index += 1) counter.add({ kind: String(index) }, index);
  const kinds = (now: number) => counter.due(now).map(({ of }) => of.kind);
  expect(kinds(0)).toEqual(Array.from({ length: 10 }, (_, index) => String(index)));
  expect(kinds(999)).toEqual([]);
  expect(kinds(1000)).toEqual(['10']);
  expect(kinds(3000)).toEqual(['11', '12']);
});

test('unused writes are saved up to ten', () => {
  const counter = newCounter();
  counter.due(0);
  for (let index = 0; index < 12; index += 1) counter.add({ kind: String(index) }, index);
  expect(counter.due(60_000)).toHaveLength(10);
});

test('50 kinds wait with their details, further ones without', () => {
  const counter = newCounter();
  for (let index = 0; index < 52; index += 1) counter.add({ kind: 'a', detail: String(index) }, index);
  counter.add({ kind: 'a', detail: '0' }, 60);
  const all = counter.takeAll();
  expect(all).toHaveLength(51);
  expect(all[0]).toEqual({ of: { kind: 'a', detail: '0' }, count: 2, first: 0, last: 60 });
  expect(all[50]).toEqual({ of: { kind: 'a' }, count: 2, first: 50, last: 51 });
  expect(counter.isWaiting()).toBe(false);
});

test('a count that could not be written is added to the next one', () => {
  const counter = newCounter();
  counter.add(a, 5);
  const [counted] = counter.due(0);
  counter.add(a, 7);
  counter.putBack(counted!);
  expect(counter.takeAll()).toEqual([{ of: a, count: 2, first: 5, last: 7 }]);
});
