import { Turns } from './turns.ts';

/** Each reading of the clock takes this many milliseconds. */
function clockWith(milliseconds: number): () => number {
  let now = 0;
  return () => (now += milliseconds);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('work is done in request order, not before the next turn of the event loop', async () => {
  const done: number[] = [];
  const turns = new Turns(() => 0);
  const all = Promise.all([1, 2, 3].map((number) => turns.run(() => done.push(number))));
  await Promise.resolve();
  expect(done).toEqual([]);
  expect(await all).toEqual([1, 2, 3]);
  expect(done).toEqual([1, 2, 3]);
});

test('an error belongs only to its own work', async () => {
  const turns = new Turns(() => 0);
  const failed = turns.run(() => {
    throw new Error('mine');
  });
  const other = turns.run(() => 'other');
  await expect(failed).rejects.toThrow('mine');
  expect(await other).toBe('other');
});

test('work above 4 ms is spread over turns, with other work in between', async () => {
  const turns = new Turns(clockWith(2));
  const done: string[] = [];
  const all = Promise.all([1, 2, 3, 4, 5].map((number) => turns.run(() => done.push(`work ${number}`))));
  setImmediate(() => done.push('other'));
  await all;
  expect(done.indexOf('other')).toBeLessThan(done.indexOf('work 5'));
  expect(done.filter((step) => step !== 'other')).toEqual([1, 2, 3, 4, 5].map((number) => `work ${number}`));
});

test('each turn does one piece of work, however long', async () => {
  const turns = new Turns(clockWith(100));
  let done = 0;
  const all = [1, 2, 3].map(() => turns.run(() => (done += 1)));
  await turn();
  expect(done).toBe(1);
  await Promise.all(all);
});

test('a chain of calls does not delay others', async () => {
  const turns = new Turns(() => 0);
  let links = 0;
  const chain = { isEnded: false };
  const ended = (async () => {
    while (!chain.isEnded) {
      await turns.run(() => (links += 1));
      if (links > 1000) throw new Error('the chain never let others run');
    }
  })();
  await turns.run(() => undefined);
  await turn();
  await turn();
  chain.isEnded = true;
  await ended;
  expect(links).toBeLessThan(10);
});
