/** Work that takes effect as if after all the work before it that it shares something with. */
export interface Task<T> {
  /** Names of what it works with; `everything` waits for all before it, and all after it waits for it. */
  touches: readonly string[] | 'everything';
  run: () => Promise<T>;
}

/** At most so many at once; `enter` resolves when there is room. */
function room(size: number) {
  let free = size;
  const waiting: (() => void)[] = [];
  return {
    enter: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave: () => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}

/** Does all the work with the results of one after the other, but what has nothing in common at the same time. */
export function runInOrder<T>(tasks: readonly Task<T>[], atOnce: number): Promise<T[]> {
  const { enter, leave } = room(atOnce);
  const lastOf = new Map<string, Promise<unknown>>();
  let barrier: Promise<unknown> = Promise.resolve();
  let sinceBarrier: Promise<unknown>[] = [];
  return Promise.all(
    tasks.map(({ touches, run }) => {
      const before =
        touches === 'everything'
          ? [barrier, ...sinceBarrier]
          : [barrier, ...touches.flatMap((name) => lastOf.get(name) ?? [])];
      const done = Promise.all(before).then(async () => {
        // Only with all that comes before it done: whoever waits in here would keep others out.
        await enter();
        return run().finally(leave);
      });
      if (touches === 'everything') {
        barrier = done;
        sinceBarrier = [];
        lastOf.clear();
      } else {
        sinceBarrier.push(done);
        for (const name of touches) lastOf.set(name, done);
      }
      return done;
    }),
  );
}
